//! Random runs: traffic for every unit of a model, from one seed.
//!
//! Seed and options fix everything: clocks, memory, pauses, requests, faults and resets. Progress is reported
//! in answered quads.

use crate::bench::{Bench, BenchOptions, Domain};
use crate::bus::memory::MemoryTiming;
use crate::clock::ClockShape;
use crate::contents::TextureMemory;
use crate::coverage::Coverage;
use crate::error::{Failure, Result};
use crate::pauses::Pauses;
use crate::rtl::Rtl;
use crate::traffic::{Traffic, TrafficOptions};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::PathBuf;
use std::sync::Arc;
use tmu_verilate::{Initial, Model};

/// Beats that are kept queued for each unit.
const QUEUE_BEATS: usize = 32;

/// Steps between two looks at the queues.
const STEPS: usize = 64;

/// A reset is held for at least this many clocks of each clock: so long takes the other side to learn of it. Here
/// clocks of `core_aclk` are counted, and no other clock is slower than half of it.
const SHORTEST_RESET_CLOCKS: u64 = 2 * 8;

/// What the hardware has covered when its first reset is over: initial values that are random count among it.
pub const COVERAGE_AT_START: &str = "start.dat";

/// What the hardware has covered at the end.
pub const COVERAGE_AT_END: &str = "end.dat";

/// A random run.
#[derive(Debug, Clone)]
pub struct Regression {
    /// Everything random follows from it.
    pub seed: u64,
    /// Quads, over all units.
    pub quads: u64,
    /// Clocks of the memory port from address to data.
    pub latency_clocks: u32,
    /// Pauses of every stream and of memory.
    pub pauses: Pauses,
    /// Bad bindings, broken packets and failing reads.
    pub errors: bool,
    /// Resets of any side, soft resets and invalidations at random moments.
    pub resets: bool,
    /// A waveform of the whole run; the model must be built for it.
    pub waves: Option<PathBuf>,
    /// A directory for [`COVERAGE_AT_START`] and [`COVERAGE_AT_END`]; the model must be built for coverage.
    pub code_coverage: Option<PathBuf>,
}

impl Regression {
    /// A run without pauses, errors and resets.
    #[must_use]
    pub const fn new(seed: u64, quads: u64, latency_clocks: u32) -> Self {
        Self {
            seed,
            quads,
            latency_clocks,
            pauses: Pauses::NONE,
            errors: false,
            resets: false,
            waves: None,
            code_coverage: None,
        }
    }
}

/// What a run that passed has done.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// Quads answered.
    pub quads: u64,
    /// Clocks of `tmu_aclk`.
    pub tmu_clocks: u64,
    /// Transfers from memory.
    pub memory_beats: u64,
    /// Resets and invalidations.
    pub resets: u64,
    /// What was exercised.
    pub coverage: Coverage,
}

impl Report {
    /// Adds another run.
    pub fn add(&mut self, other: &Report) {
        self.quads += other.quads;
        self.tmu_clocks += other.tmu_clocks;
        self.memory_beats += other.memory_beats;
        self.resets += other.resets;
        self.coverage.add(&other.coverage);
    }
}

/// Runs random traffic through a model, calling `progress` with the number of quads answered.
///
/// # Errors
/// The first thing that is wrong.
pub fn run(model: &Model, rtl: &Rtl, run: &Regression, mut progress: impl FnMut(u64)) -> Result<Report> {
    let mut random = ChaCha8Rng::seed_from_u64(run.seed);
    let options = options(rtl, run, &mut random);
    let mut contents = TextureMemory::noise(random.random());
    if run.errors {
        contents.fail_one_in(2000);
    }
    let mut bench = Bench::new(model, rtl, options, Arc::new(contents)).map_err(Failure::at_start)?;
    if let Some(path) = &run.waves {
        bench.trace(path).map_err(Failure::at_start)?;
    }
    let traffic_options =
        TrafficOptions { faults_one_in: if run.errors { 60 } else { 0 }, ..TrafficOptions::default() };
    let traffic = |_| Traffic::new(&rtl.config, traffic_options, random.random());
    let mut traffic: Vec<_> = (0..bench.units()).map(traffic).collect();
    bench.start()?;
    let write_coverage = |bench: &mut Bench, name: &str| match &run.code_coverage {
        Some(directory) => bench.write_coverage(&directory.join(name)).map_err(Failure::at_start),
        None => Ok(()),
    };
    write_coverage(&mut bench, COVERAGE_AT_START)?;
    let mut report = Report::default();
    let mut next_reset = run.resets.then(|| random.random_range(1..500));
    let answered = |bench: &Bench| (0..bench.units()).map(|unit| bench.answered(unit)).sum::<u64>();
    while answered(&bench) < run.quads {
        for (unit, traffic) in traffic.iter_mut().enumerate() {
            while bench.queued_beats(unit) < QUEUE_BEATS {
                bench.send(unit, traffic.packet());
            }
        }
        for _ in 0..STEPS {
            bench.step()?;
        }
        let done = answered(&bench);
        progress(done);
        if next_reset.is_some_and(|next| done >= next) {
            disturb(&mut bench, rtl, &mut random)?;
            traffic.iter_mut().for_each(Traffic::bind_next);
            report.resets += 1;
            next_reset = Some(done + random.random_range(1..500));
        }
    }
    bench.run_until_idle()?;
    write_coverage(&mut bench, COVERAGE_AT_END)?;
    report.quads = answered(&bench);
    report.tmu_clocks = bench.clocks(Domain::Tmu);
    report.memory_beats = (0..bench.units()).map(|unit| bench.memory_beats(unit)).sum();
    report.coverage = bench.coverage();
    Ok(report)
}

/// A bench whose clocks, phases and memory follow from the seed.
fn options(rtl: &Rtl, run: &Regression, random: &mut ChaCha8Rng) -> BenchOptions {
    let mut clock = |shape: ClockShape| {
        // Within a factor of two of what the configuration says, so that either side may be the faster one.
        let period_fs = shape.period_fs * random.random_range(70..=140) / 100;
        let jitter_fs = if random.random_ratio(1, 2) { period_fs / 8 } else { 0 };
        ClockShape { period_fs, phase_fs: random.random_range(0..period_fs), jitter_fs }
    };
    let plain = BenchOptions::new(&rtl.config, run.latency_clocks);
    let [core, tmu, memory] = [plain.core, plain.tmu, plain.memory].map(&mut clock);
    let memory_timing = MemoryTiming {
        latency_spread_clocks: if random.random_ratio(1, 2) { run.latency_clocks / 2 } else { 0 },
        bytes_per_clock: [16, 16, 8][random.random_range(0..3)],
        reorder: random.random_ratio(1, 2),
        pauses: run.pauses,
        ..plain.memory_timing
    };
    BenchOptions {
        core,
        tmu,
        memory,
        memory_timing,
        stream_pauses: run.pauses,
        initial: Initial::Random(random.random()),
        seed: random.random(),
        ..plain
    }
}

/// Resets something, or drops the caches, in the middle of everything.
fn disturb(bench: &mut Bench, rtl: &Rtl, random: &mut ChaCha8Rng) -> Result<()> {
    let has_control = rtl.config.control().port();
    match random.random_range(0..if has_control { 5 } else { 3 }) {
        0..3 => hard_reset(bench, random),
        3 => bench.soft_reset(),
        _ => bench.invalidate(),
    }
}

/// Asserts some resets in some order and releases them in another. Each is held as long as the core asks for.
fn hard_reset(bench: &mut Bench, random: &mut ChaCha8Rng) -> Result<()> {
    let domains = [Domain::Core, Domain::Tmu, Domain::Memory];
    let chosen = random.random_range(1..8u32);
    let some = || domains.into_iter().enumerate().filter(move |(at, _)| chosen >> at & 1 == 1);
    for (_, domain) in some() {
        bench.assert_reset(domain);
        run_steps(bench, random.random_range(0..40))?;
    }
    bench.run_clocks(SHORTEST_RESET_CLOCKS + random.random_range(0..100))?;
    let mut held: Vec<_> = some().map(|(_, domain)| domain).collect();
    while !held.is_empty() {
        bench.release_reset(held.swap_remove(random.random_range(0..held.len())));
        run_steps(bench, random.random_range(0..40))?;
    }
    Ok(())
}

fn run_steps(bench: &mut Bench, steps: u32) -> Result<()> {
    (0..steps).try_for_each(|_| bench.step())
}
