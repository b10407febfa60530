//! The runs that a mutant has to survive: random traffic against the golden model, a check of the registers, named patterns by the
//! clock, directed quads.
//!
//! A mutant is *killed* by the first run that fails, takes far longer than with the design as it was, or shows other values: in the
//! register check any register, in a pattern any count, or a rate more than a hundredth lower. That those values are right for the design
//! as it was is what the tests of `tmu-sim` say. Runs go from cheap to dear, so that most mutants cost some hundred quads.

use crate::Mutant;
use crate::register_check::register_check;
use crate::schema::{SELECT, SELECT_BITS, schema};
use rayon::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use tmu_sim::engines::sampler::directed;
use tmu_sim::engines::sampler::regression::{self, Regression};
use tmu_sim::engines::sampler::throughput::{Conditions, Measurement, Pattern, Workload, measure};
use tmu_sim::kit::error::Failure;
use tmu_sim::kit::pauses::Pauses;
use tmu_sim::kit::rtl::Rtl;
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

/// Patterns that are timed, each with log2 of its picture's side and a format; the first one that there is where that is not built.
/// `random` meets many tiles of three lines on both sides of a boundary of 4 KiB; the last one needs a cache that keeps the right lines.
const PATTERNS: [(Pattern, u32, Format); 5] = [
    (Pattern::Scan, 6, Format::I8Rgba8),
    (Pattern::Random, 8, Format::Rgb8),
    (Pattern::Diagonal, 6, Format::I8Rgb8),
    (Pattern::Floor, 6, Format::Rgba8),
    (Pattern::Diagonal, 8, Format::Rgba8),
];

/// Faults that are injected one by one.
const FAULTS: u64 = 100;

/// What became of a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// A run ended otherwise than with the design as it was.
    Killed,
    /// Nothing noticed.
    Survived,
}

/// Something done to a design.
enum Run {
    Random(Regression),
    RegisterCheck,
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
        let is_built = |format: &Format| config.features().has_format(*format);
        let pattern = |(pattern, side_log2, format): (Pattern, u32, Format)| {
            let format = [format].into_iter().chain(Format::CLASSIC).find(is_built).unwrap_or(format);
            Self::Pattern(pattern.workload(config, format, side_log2))
        };
        let mut runs = vec![
            random((0, 60, 1, 0, false, false)),
            random((1, 600, 20, 10, true, false)),
            Self::RegisterCheck,
        ];
        runs.extend(PATTERNS.map(pattern));
        runs.extend(directed::workloads(config).into_iter().map(Self::Pattern));
        runs.push(random((2, 1_000, 20, 5, true, true)));
        runs.push(random((3, 2_000, 1, 40, false, true)));
        runs.push(random((4, 4_000, 100, 0, false, false)));
        runs.push(Self::Random(Regression { faults: FAULTS, ..Regression::new(seed * 100 + 6, 0, 20) }));
        // The blocking cache takes ten times the clocks for a quad.
        let most = if config.cache().kind() == CacheKind::Prefetch { 40_000 } else { 8_000 };
        runs.push(random((5, most, 20, 0, true, true)));
        runs
    }

    /// Does it, calling `look` at even distances.
    fn go(&self, model: &Model, rtl: &Rtl, look: &mut dyn FnMut()) -> Result<Shown, Failure> {
        match self {
            Self::Random(random) => regression::run(model, rtl, random, |_| look()).map(|_| Shown::Nothing),
            Self::RegisterCheck => register_check(model, rtl, look).map(Shown::Registers),
            Self::Pattern(workload) => measure(model, rtl, workload, CONDITIONS, |_| look()).map(Shown::Rate),
        }
    }

    /// A name for reports.
    fn name(&self) -> String {
        match self {
            Self::Random(random) => format!("{} random quads", random.quads),
            Self::RegisterCheck => "check of the registers".to_owned(),
            Self::Pattern(workload) => format!("pattern `{}`", workload.name),
        }
    }
}

impl Shown {
    /// Whether it is what the design as it was shows.
    fn is_as(&self, expected: &Self) -> bool {
        match (self, expected) {
            (Self::Registers(got), Self::Registers(expected)) => got == expected,
            (Self::Rate(got), Self::Rate(expected)) => {
                let counts = |of: &Measurement| (of.samples, of.bytes, of.lookups);
                let is_slower = got.samples_per_clock() < KEPT_RATE * expected.samples_per_clock();
                counts(got) == counts(expected) && !is_slower
            }
            _ => true,
        }
    }
}

/// A design with mutants in it, and the runs that it passes without them.
pub struct Runs {
    rtl: Rtl,
    model: Model,
    mutants: usize,
    runs: Vec<Passed>,
}

/// A run that the design as it was has passed.
struct Passed {
    run: Run,
    shown: Shown,
    looks: u64,
}

impl Runs {
    /// Builds hardware with mutants of its Verilog, and runs it as it was.
    ///
    /// # Errors
    /// If the tools are missing or refuse the text, or the design as it was fails a run.
    pub fn new(rtl: Rtl, mutants: &[Mutant], seed: u64) -> Result<Self, RunsError> {
        let mut mutated = rtl.clone();
        *mutated.verilog_mut() = schema(rtl.verilog(), mutants);
        mutated.source.ports.push(Port::input(SELECT, SELECT_BITS));
        let model = Model::build(&mutated.source, &ModelOptions { keep: false, ..ModelOptions::default() })?;
        let passes = |run: Run| {
            let mut looks = 0;
            match run.go(&model, &rtl, &mut || looks += 1) {
                Ok(shown) => Ok(Passed { run, shown, looks }),
                Err(failure) => Err(RunsError::Broken { run: run.name(), failure }),
            }
        };
        let runs = Run::all(&rtl.config, seed).into_iter().map(passes).collect::<Result<_, _>>()?;
        Ok(Self { rtl, model, mutants: mutants.len(), runs })
    }

    /// What becomes of the mutant with a number, from 1.
    fn fate(&self, number: u16) -> Result<Fate, Error> {
        let model = self.model.holding(SELECT, number.into())?;
        let survives = |passed: &Passed| {
            in_time(passed.looks, |look| {
                let shown = passed.run.go(&model, &self.rtl, look);
                shown.is_ok_and(|shown| shown.is_as(&passed.shown))
            })
        };
        Ok(if self.runs.iter().all(survives) { Fate::Survived } else { Fate::Killed })
    }

    /// The fates of the mutants, in order, on all cores.
    ///
    /// # Errors
    /// If the model cannot select a mutant, which would be a fault of this crate.
    pub fn fates(&self) -> Result<Vec<Fate>, Error> {
        let numbers = (1..=self.mutants as u16).into_par_iter().with_max_len(1);
        numbers.map(|number| self.fate(number)).collect()
    }
}

/// A run is given up by unwinding with this.
struct TooSlow;

/// Whether a run passes, which calls its argument at even distances; none does that takes far longer than it should, or in
/// which the test bench breaks down.
fn in_time(usual_looks: u64, act: impl FnOnce(&mut dyn FnMut()) -> bool) -> bool {
    let mut looks = 0;
    let mut look = || {
        looks += 1;
        if looks > PATIENCE * (usual_looks + SHORTEST_LOOKS) {
            resume_unwind(Box::new(TooSlow));
        }
    };
    catch_unwind(AssertUnwindSafe(|| act(&mut look))).unwrap_or(false)
}

/// Why mutants cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum RunsError {
    /// A tool is missing or failed.
    #[error(transparent)]
    Tool(#[from] Error),
    /// The design as it was does not pass.
    #[error("the design fails before anything is changed: {run}: {failure}")]
    Broken {
        /// The run that it fails.
        run: String,
        /// What it says.
        failure: Failure,
    },
}
