//! A run of random bindings and quads through the hardware; every result must be that of the golden model, to the last bit.

use super::sampling::General;
use super::traffic::Traffic;
use crate::engines::sampler::bench::{Bench, BenchOptions};
use crate::engines::sampler::contents::{SharedMemory, TextureMemory};
use crate::engines::sampler::sampling::Numerics as _;
use crate::engines::sampler::streams::request::{Breakage, Packet, Request};
use crate::engines::sampler::streams::result::ResultBeat;
use crate::kit::domain::Domain;
use crate::kit::error::{Cause, Failure, Result};
use crate::kit::pauses::Pauses;
use crate::kit::rtl::Rtl;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;
use std::sync::Arc;
use tmu_model::general::unit::Unit;
use tmu_spec::general::field::{ALL, WORDS};
use tmu_spec::general::packet::of_binding;
use tmu_spec::general::{Binding, Quad, QuadResult, binding};
use tmu_spec::quad::MOST_TDATA_BYTES;
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

/// What one unit is sent, and must answer.
struct Lane {
    golden: Unit<SharedMemory>,
    owed: VecDeque<Owed>,
    bound: Option<Binding>,
    left_of_binding: u32,
}

/// Units and their golden models side by side.
struct Run {
    traffic: Traffic,
    numerics: General,
    bench: Bench,
    rng: ChaCha8Rng,
    lanes: Vec<Lane>,
    errors: bool,
    outcome: Outcome,
}

/// Runs a comparison.
///
/// # Errors
/// The first result that differs, with its quad and binding; whatever else ends a simulation.
///
/// # Panics
/// If the configuration is none of the general numerics.
pub fn compare(model: &Model, rtl: &Rtl, comparison: &Comparison) -> Result<Outcome> {
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
    let bench = Bench::new(model, rtl, options, Arc::clone(&contents)).map_err(Failure::at_start)?;
    let lane = |_| Lane {
        golden: Unit::new(SharedMemory(Arc::clone(&contents)), *config.features()),
        owed: VecDeque::new(),
        bound: None,
        left_of_binding: 0,
    };
    let mut run = Run {
        traffic: Traffic::new(config).expect("the configuration is one of the general numerics"),
        numerics: General::of(config),
        lanes: (0..bench.units()).map(lane).collect(),
        bench,
        rng: ChaCha8Rng::seed_from_u64(comparison.seed),
        errors: comparison.errors,
        outcome: Outcome::default(),
    };
    run.all(comparison.quads)?;
    run.outcome.tmu_clocks = run.bench.clocks(Domain::Tmu);
    Ok(run.outcome)
}

impl Run {
    fn all(&mut self, quads: u64) -> Result<()> {
        self.bench.start()?;
        let mut sent = 0;
        while self.outcome.quads < quads {
            for unit in 0..self.lanes.len() {
                while sent < quads && self.bench.queued_beats(unit) < QUEUE_BEATS {
                    sent += u64::from(self.send(unit));
                }
            }
            self.bench.run_clocks(QUEUE_BEATS as u64 / 2)?;
            for unit in 0..self.lanes.len() {
                for beat in self.bench.take_results(unit) {
                    self.check(unit, beat)?;
                }
            }
        }
        Ok(())
    }

    /// Compares a result of a unit with what it owes.
    fn check(&mut self, unit: usize, beat: ResultBeat) -> Result<()> {
        let wrong = |run: &Self, said| Err(run.bench.failure(Cause::Check(said)));
        let Some(Owed { quad, expected, bound }) = self.lanes[unit].owed.pop_front() else {
            return wrong(self, format!("unit {unit}: a result comes that nothing asked for"));
        };
        let result = self.numerics.result(beat);
        if result != expected {
            let number = self.outcome.quads;
            let said = format!(
                "unit {unit}, quad {number} of all: expected {expected:x?}, got {result:x?}\n{quad:?}\n{bound:?}"
            );
            return wrong(self, said);
        }
        self.outcome.quads += 1;
        self.outcome.errors += u64::from(expected.error);
        self.outcome.pixels += u64::from(quad.valid.count_ones());
        Ok(())
    }

    /// Sends a unit a packet. Whether it is a quad.
    fn send(&mut self, unit: usize) -> bool {
        if self.lanes[unit].left_of_binding == 0 {
            self.lanes[unit].left_of_binding = self.rng.random_range(1..80);
            self.bind(unit);
            return false;
        }
        let lane = &mut self.lanes[unit];
        lane.left_of_binding -= 1;
        let bound = lane.bound.unwrap_or_else(|| self.traffic.binding(&mut self.rng));
        let quad = self.traffic.quad(&mut self.rng, &bound);
        let beats = self.traffic.beats(&quad);
        if self.errors && self.rng.random_range(0..40) == 0 && 2 * beats.len() > self.traffic.most_beats() {
            self.bench.send(unit, too_long(&beats));
            return false;
        }
        let expected = lane.golden.sample(&quad);
        lane.owed.push_back(Owed { quad, expected, bound: lane.bound });
        self.bench.send(unit, Packet { beats, request: Request::Sample(tmu_spec::Quad::default()) });
        true
    }

    fn bind(&mut self, unit: usize) {
        let mut words = self.traffic.binding(&mut self.rng).words();
        if self.errors && self.rng.random_range(0..6) == 0 {
            let field = ALL[self.rng.random_range(0..ALL.len())];
            words = binding::with(words, field, self.rng.random());
        } else if self.errors && self.rng.random_range(0..12) == 0 {
            words[self.rng.random_range(0..WORDS)] ^= 1 << self.rng.random_range(0..128);
        }
        let lane = &mut self.lanes[unit];
        lane.bound = Binding::decode_for(&words, self.traffic.features()).ok();
        match lane.bound {
            // A texture that breaks every rule leaves nothing bound.
            None => lane.golden.unbind(),
            Some(Binding { base, texture, sampler, .. }) => {
                lane.golden.bind(&texture, base, &sampler).expect("what decodes is legal");
            }
        }
        self.bench
            .send(unit, Packet { beats: of_binding(&words), request: Request::Bind(Record::default()) });
    }
}

/// A quad's beats twice in one packet, which is more than a quad has.
fn too_long(beats: &[RequestBeat]) -> Packet {
    let last = 2 * beats.len() - 1;
    let again = |(number, beat): (usize, &RequestBeat)| {
        RequestBeat::new(beat.low_bytes(MOST_TDATA_BYTES), false, number == last)
    };
    let beats = beats.iter().chain(beats).enumerate().map(again).collect();
    Packet { beats, request: Request::Broken(Breakage::QuadTooLong) }
}
