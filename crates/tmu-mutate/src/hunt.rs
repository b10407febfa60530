//! The runs that a mutant has to survive: random traffic against the golden model, a tour of the registers, named patterns by the
//! clock.
//!
//! A mutant is *killed* by the first run that fails, takes far longer than with the design as it was, or shows other values: in the
//! tour any register, in a pattern any count, or a rate more than a hundredth lower. That those values are right for the design
//! as it was is what the tests of `tmu-sim` say. Runs go from cheap to dear, so that most mutants cost some hundred quads.

use crate::Mutant;
use crate::schema::{SELECT, SELECT_BITS, schema};
use crate::tour::tour;
use rayon::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use tmu_sim::pauses::Pauses;
use tmu_sim::regression::{self, Regression};
use tmu_sim::throughput::{Conditions, Measurement, Pattern, Workload, measure};
use tmu_sim::{Failure, Rtl};
use tmu_spec::config::CacheKind;
use tmu_spec::{Config, Format};
use tmu_verilate::{Error, Model, ModelOptions, Port};

/// How often a run may be slower than with the design as it was, in looks, which come at even distances.
const PATIENCE: u64 = 8;

/// Looks that any run may take besides.
const SHORTEST_LOOKS: u64 = 16;

/// Part of the rate that a pattern must keep.
const KEPT_RATE: f64 = 0.99;

/// What memory is like while patterns are timed.
const CONDITIONS: Conditions = Conditions { latency_clocks: 20, pauses: Pauses::NONE };

/// Log2 of the side of a pattern's picture.
const SIDE_LOG2: u32 = 6;

/// What became of a mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// A run ended otherwise than with the design as it was.
    Killed {
        /// Number of the run, from 0.
        run: usize,
        /// What it said.
        how: String,
    },
    /// Nothing noticed.
    Survived,
}

/// Something done to a design.
enum Run {
    Random(Regression),
    Tour,
    Pattern(Workload),
}

/// What a run shows if nothing fails.
#[derive(Debug, Clone)]
enum Shown {
    Nothing,
    Registers(Vec<u32>),
    Rate(Measurement),
}

impl Run {
    /// All runs, from cheap to dear.
    fn all(config: &Config, seed: u64) -> Vec<Self> {
        let random = |(number, quads, latency_clocks, pauses, errors, resets)| {
            let plain = Regression::new(seed * 100 + number, quads, latency_clocks);
            Self::Random(Regression { pauses: Pauses::percent(pauses), errors, resets, ..plain })
        };
        let formats: Vec<_> =
            Format::ALL.into_iter().filter(|format| config.features().has_format(*format)).collect();
        let patterns = [Pattern::Scan, Pattern::Random, Pattern::Diagonal, Pattern::Floor];
        let patterns = patterns.into_iter().zip(formats.into_iter().cycle());
        let pattern =
            |(pattern, format): (Pattern, Format)| Self::Pattern(pattern.workload(config, format, SIDE_LOG2));
        let mut runs =
            vec![random((0, 60, 1, 0, false, false)), random((1, 600, 20, 10, true, false)), Self::Tour];
        runs.extend(patterns.map(pattern));
        runs.push(random((2, 1_000, 20, 5, true, true)));
        runs.push(random((3, 2_000, 1, 40, false, true)));
        runs.push(random((4, 4_000, 100, 0, false, false)));
        // The blocking cache takes ten times the clocks for a quad.
        let most = if config.cache().kind() == CacheKind::Prefetch { 40_000 } else { 8_000 };
        runs.push(random((5, most, 20, 0, true, true)));
        runs
    }

    /// Does it, calling `look` at even distances.
    fn go(&self, model: &Model, rtl: &Rtl, look: &mut dyn FnMut()) -> Result<Shown, Failure> {
        match self {
            Self::Random(random) => regression::run(model, rtl, random, |_| look()).map(|_| Shown::Nothing),
            Self::Tour => tour(model, rtl, look).map(Shown::Registers),
            Self::Pattern(workload) => measure(model, rtl, workload, CONDITIONS, |_| look()).map(Shown::Rate),
        }
    }

    /// A name for reports.
    fn name(&self) -> String {
        match self {
            Self::Random(random) => format!("{} random quads", random.quads),
            Self::Tour => "tour of the registers".to_owned(),
            Self::Pattern(workload) => format!("pattern `{}`", workload.name),
        }
    }
}

impl Shown {
    /// How it differs from what the design as it was shows.
    fn difference(&self, expected: &Self) -> Option<String> {
        match (self, expected) {
            (Self::Registers(got), Self::Registers(expected)) => {
                (got != expected).then(|| "a register reads otherwise".to_owned())
            }
            (Self::Rate(got), Self::Rate(expected)) => {
                let is_slower = got.samples_per_clock() < KEPT_RATE * expected.samples_per_clock();
                let counts = |of: &Measurement| (of.samples, of.bytes, of.lookups);
                let reasons = [(counts(got) != counts(expected), "counts differ"), (is_slower, "slower")];
                reasons.into_iter().find(|(is_so, _)| *is_so).map(|(_, reason)| reason.to_owned())
            }
            _ => None,
        }
    }
}

/// A design with mutants in it, and the runs that it passes without them.
pub struct Hunt {
    rtl: Rtl,
    model: Model,
    runs: Vec<Passed>,
}

/// A run that the design as it was has passed.
struct Passed {
    run: Run,
    shown: Shown,
    looks: u64,
}

impl Hunt {
    /// Builds the hardware of a configuration with mutants of its emitted text, and runs it as it was.
    ///
    /// # Errors
    /// If the tools are missing or refuse the text, or the design as it was fails a run.
    pub fn new(config: &Config, mutants: &[Mutant], seed: u64) -> Result<Self, HuntError> {
        let rtl = Rtl::generate(config).map_err(|found| HuntError::Broken(found.to_string()))?;
        let mut source = rtl.source.clone();
        for file in source.files.iter_mut().filter(|file| file.is_verilog()) {
            file.text = schema(&file.text, mutants);
        }
        source.ports.push(Port::input(SELECT, SELECT_BITS));
        let model = Model::build(&source, &ModelOptions { keep: false, ..ModelOptions::default() })?;
        let passes = |run: Run| {
            let mut looks = 0;
            match run.go(&model, &rtl, &mut || looks += 1) {
                Ok(shown) => Ok(Passed { run, shown, looks }),
                Err(failure) => Err(HuntError::Broken(format!("{}: {failure}", run.name()))),
            }
        };
        let runs = Run::all(config, seed).into_iter().map(passes).collect::<Result<_, _>>()?;
        Ok(Self { rtl, model, runs })
    }

    /// Names of the runs, as [`Fate::Killed`] numbers them.
    #[must_use]
    pub fn runs(&self) -> Vec<String> {
        self.runs.iter().map(|passed| passed.run.name()).collect()
    }

    /// What becomes of the mutant with a number, from 1.
    fn fate(&self, number: u16) -> Result<Fate, Error> {
        let model = self.model.holding(SELECT, number.into())?;
        let end = |passed: &Passed| {
            watched(passed.looks, |look| match passed.run.go(&model, &self.rtl, look) {
                Ok(shown) => shown.difference(&passed.shown),
                Err(failure) => Some(failure.cause.to_string()),
            })
        };
        let ends = self.runs.iter().map(end);
        let killed = ends.enumerate().find_map(|(run, how)| how.map(|how| Fate::Killed { run, how }));
        Ok(killed.unwrap_or(Fate::Survived))
    }

    /// The fates of the first so many mutants, in order, on all cores. `progress` is called after each.
    ///
    /// # Errors
    /// If the model cannot select a mutant, which would be a fault of this crate.
    pub fn fates(&self, count: usize, progress: impl Fn() + Sync) -> Result<Vec<Fate>, Error> {
        let fate = |number| {
            let fate = self.fate(number);
            progress();
            fate
        };
        (1..=count as u16).into_par_iter().with_max_len(1).map(fate).collect()
    }
}

/// A run is given up by unwinding with this.
struct TooSlow;

/// What a run says, which calls its argument at even distances; that it takes far longer than it should, or breaks down.
fn watched(usual_looks: u64, act: impl FnOnce(&mut dyn FnMut()) -> Option<String>) -> Option<String> {
    let mut looks = 0;
    let mut look = || {
        looks += 1;
        if looks > PATIENCE * (usual_looks + SHORTEST_LOOKS) {
            resume_unwind(Box::new(TooSlow));
        }
    };
    match catch_unwind(AssertUnwindSafe(|| act(&mut look))) {
        Ok(said) => said,
        Err(payload) if payload.is::<TooSlow>() => Some("takes far longer".to_owned()),
        Err(_) => Some("the test bench broke down".to_owned()),
    }
}

/// Why mutants cannot be hunted.
#[derive(Debug)]
pub enum HuntError {
    /// A tool is missing or failed.
    Tool(Error),
    /// The design as it was does not pass.
    Broken(String),
}

impl From<Error> for HuntError {
    fn from(error: Error) -> Self {
        Self::Tool(error)
    }
}

impl std::fmt::Display for HuntError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Tool(error) => error.fmt(f),
            Self::Broken(what) => write!(f, "the design fails before anything is changed: {what}"),
        }
    }
}

impl std::error::Error for HuntError {}
