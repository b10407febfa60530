//! A run of random bindings and quads through the hardware; every result must be that of the golden model, to the last bit.

use super::sampling::General;
use super::traffic::Traffic;
use crate::engines::sampler::bench::{Bench, BenchOptions};
use crate::engines::sampler::contents::{SharedMemory, TextureMemory};
use crate::engines::sampler::sampling::Numerics as _;
use crate::engines::sampler::streams::request::{Breakage, Packet, Request};
use crate::kit::domain::Domain;
use crate::kit::error::{Cause, Failure};
use crate::kit::pauses::Pauses;
use crate::kit::rtl::Rtl;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;
use tmu_model::general::unit::Unit;
use tmu_spec::general::field::{ALL, WORDS};
use tmu_spec::general::packet::{of_binding, of_quad};
use tmu_spec::general::{Binding, Quad, QuadResult, binding};
use tmu_spec::{Record, RequestBeat};
use tmu_verilate::Model;

/// Beats that are kept queued.
const QUEUE_BEATS: usize = 64;

/// Which run.
#[derive(Debug, Clone, Copy)]
pub struct Comparison {
    /// Everything random follows from it.
    pub seed: u64,
    /// Quads that are answered.
    pub quads: u64,
    /// Clocks of memory from address to data.
    pub latency_clocks: u32,
    /// Pauses of streams and memory.
    pub pauses: Pauses,
    /// Bindings that break rules, packets of the wrong length, lines that cannot be read.
    pub errors: bool,
}

/// What a run came to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Quads that were compared.
    pub quads: u64,
    /// Those answered with the error bit.
    pub errors: u64,
    /// Valid pixels.
    pub pixels: u64,
    /// Clocks of the unit.
    pub tmu_clocks: u64,
}

/// What must come.
#[derive(Debug, Clone)]
struct Owed {
    quad: Quad,
    expected: QuadResult,
    bound: Option<Binding>,
}

/// Why a run could not be made or went wrong.
#[derive(Debug)]
pub enum Problem {
    /// The hardware broke a rule, stood still, or gave something else.
    Failure(Failure),
    /// The model cannot be made an instance of.
    Model(tmu_verilate::Error),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Failure(failure) => failure.fmt(f),
            Problem::Model(error) => error.fmt(f),
        }
    }
}

/// A unit and its golden model side by side.
struct Run {
    traffic: Traffic,
    golden: Unit<SharedMemory>,
    bench: Bench,
    rng: ChaCha8Rng,
    owed: VecDeque<Owed>,
    bound: Option<Binding>,
    left_of_binding: u32,
    errors: bool,
}

/// Runs a comparison.
///
/// # Errors
/// The first result that differs, with its quad and binding; whatever else ends a simulation.
///
/// # Panics
/// If the configuration is none of the general numerics.
pub fn compare(model: &Model, rtl: &Rtl, comparison: &Comparison) -> Result<Outcome, Problem> {
    let config = &rtl.config;
    let mut contents = TextureMemory::noise(comparison.seed);
    if comparison.errors {
        contents.fail_one_in(3000);
    }
    let contents = Arc::new(contents);
    let mut options = BenchOptions {
        checked: false,
        collected: true,
        stream_pauses: comparison.pauses,
        seed: comparison.seed,
        ..BenchOptions::new(config, comparison.latency_clocks)
    };
    options.memory_timing.pauses = comparison.pauses;
    let bench = Bench::new(model, rtl, options, Arc::clone(&contents)).map_err(Problem::Model)?;
    let mut run = Run {
        traffic: Traffic::new(config).expect("the configuration is one of the general numerics"),
        golden: Unit::new(SharedMemory(contents), *config.features()),
        bench,
        rng: ChaCha8Rng::seed_from_u64(comparison.seed),
        owed: VecDeque::new(),
        bound: None,
        left_of_binding: 0,
        errors: comparison.errors,
    };
    run.all(comparison.quads).map_err(Problem::Failure)
}

impl Run {
    fn all(&mut self, quads: u64) -> Result<Outcome, Failure> {
        let mut outcome = Outcome::default();
        self.bench.start()?;
        let mut sent = 0;
        while outcome.quads < quads {
            while sent < quads && self.bench.queued_beats(0) < QUEUE_BEATS {
                sent += u64::from(self.send());
            }
            self.bench.run_clocks(QUEUE_BEATS as u64 / 2)?;
            for beat in self.bench.take_results(0) {
                let Some(owed) = self.owed.pop_front() else {
                    return Err(self
                        .bench
                        .failure(Cause::Check("a result comes that nothing asked for".into())));
                };
                let result = General::result(beat);
                if result != owed.expected {
                    let number = outcome.quads;
                    let Owed { quad, expected, bound } = &owed;
                    let said = format!(
                        "quad {number}: expected {expected:x?}, got {result:x?}\n{quad:?}\n{bound:?}"
                    );
                    return Err(self.bench.failure(Cause::Check(said)));
                }
                outcome.quads += 1;
                outcome.errors += u64::from(owed.expected.error);
                outcome.pixels += u64::from(owed.quad.valid.count_ones());
            }
        }
        outcome.tmu_clocks = self.bench.clocks(Domain::Tmu);
        Ok(outcome)
    }

    /// Sends a packet. Whether it is a quad.
    fn send(&mut self) -> bool {
        if self.left_of_binding == 0 {
            self.left_of_binding = self.rng.random_range(1..80);
            self.bind();
            return false;
        }
        self.left_of_binding -= 1;
        let bound = self.bound.unwrap_or_else(|| self.traffic.binding(&mut self.rng));
        let quad = self.traffic.quad(&mut self.rng, &bound);
        let beats = of_quad(&quad, self.traffic.extras());
        if self.errors && self.rng.random_range(0..40) == 0 {
            let last = beats.len() - 1;
            let too_long = beats.iter().chain(&beats).enumerate();
            let again = |(number, beat): (usize, &RequestBeat)| {
                RequestBeat::new(beat.tdata(tmu_spec::BeatsPerQuad::Two), false, number == 2 * last + 1)
            };
            let beats = too_long.map(again).collect::<Vec<_>>();
            if beats.len() > 4 {
                let request =
                    Request::Broken(Breakage::QuadTooLong);
                self.bench.send(0, Packet { beats, request });
                return false;
            }
        }
        let expected = self.golden.sample(&quad);
        self.owed.push_back(Owed { quad, expected, bound: self.bound });
        self.bench.send(0, Packet { beats, request: Request::Sample(tmu_spec::Quad::default()) });
        true
    }

    fn bind(&mut self) {
        let mut words = self.traffic.binding(&mut self.rng).words();
        if self.errors && self.rng.random_range(0..6) == 0 {
            let field = ALL[self.rng.random_range(0..ALL.len())];
            words = binding::with(words, field, self.rng.random());
        } else if self.errors && self.rng.random_range(0..12) == 0 {
            words[self.rng.random_range(0..WORDS)] ^= 1 << self.rng.random_range(0..128);
        }
        self.bound = Binding::decode_for(&words, self.traffic.features()).ok();
        match self.bound {
            // A texture that breaks every rule leaves nothing bound.
            None => self.golden.unbind(),
            Some(Binding { base, texture, sampler, .. }) => {
                self.golden.bind(&texture, base, &sampler).expect("what decodes is legal");
            }
        }
        self.bench.send(0, Packet { beats: of_binding(&words), request: Request::Bind(Record::default()) });
    }
}
