//! Plays the items of a random run to a bench. Progress is reported in answered quads.

use crate::engines::sampler::bench::{Bench, BenchOptions};
use crate::engines::sampler::contents::TextureMemory;
use crate::engines::sampler::coverage::Coverage;
use crate::engines::sampler::regression::action::{Action, Item};
use crate::engines::sampler::regression::fault::{FaultKind, Tallies};
use crate::engines::sampler::regression::options::Regression;
use crate::engines::sampler::regression::plan::Plan;
use crate::kit::clock::ClockShape;
use crate::kit::domain::Domain;
use crate::kit::error::{Failure, Result};
use crate::kit::memory::MemoryTiming;
use crate::kit::rtl::Rtl;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tmu_verilate::{Initial, Model};

/// Beats that are kept queued, for each unit.
const QUEUE_BEATS: usize = 32;

/// Steps between two looks at the queues.
const STEPS: u32 = 64;

/// One line in this many fails, where errors are asked for: of a colour table every tenth has one.
const FAILING_ONE_IN: u32 = 500;

/// Clocks of `core_aclk` after which the hardware hangs.
pub(crate) const PATIENCE_CLOCKS: u64 = 100_000;

/// What the hardware has covered when its first reset is over: initial values that are random count among it.
pub const COVERAGE_AT_START: &str = "start.dat";

/// What the hardware has covered at the end.
pub const COVERAGE_AT_END: &str = "end.dat";

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
    /// Faults that were injected one by one, and what became of them.
    pub faults: Tallies,
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
        self.faults.add(&other.faults);
        self.coverage.add(&other.coverage);
    }
}

/// Runs random traffic through a model, calling `progress` with the number of quads answered, or of faults injected
/// where those are counted.
///
/// # Errors
/// The first thing that is wrong. [`crate::engines::sampler::regression::shrink`] makes a short case of it.
pub fn run(model: &Model, rtl: &Rtl, run: &Regression, progress: impl FnMut(u64)) -> Result<Report> {
    attempt(model, rtl, run, PATIENCE_CLOCKS, progress).1
}

/// As [`run`], with the number of the last item that was begun.
pub(crate) fn attempt(
    model: &Model,
    rtl: &Rtl,
    run: &Regression,
    patience_clocks: u64,
    progress: impl FnMut(u64),
) -> (u64, Result<Report>) {
    let mut last = 0;
    let outcome = play(model, rtl, run, patience_clocks, progress, &mut last);
    (last, outcome)
}

fn play(
    model: &Model,
    rtl: &Rtl,
    run: &Regression,
    patience_clocks: u64,
    mut progress: impl FnMut(u64),
    last: &mut u64,
) -> Result<Report> {
    let mut player = Player::new(model, rtl, run, patience_clocks)?;
    for (number, item) in (0..).zip(Plan::new(&rtl.config, run)) {
        match &run.only {
            Some(only) if only.last().is_none_or(|last| number > last) => break,
            Some(only) if !only.contains(number) => continue,
            None if run.faults == 0 && player.has_answered(run.quads)? => break,
            _ => {}
        }
        *last = number;
        let is_end = item.action == Action::Recovered;
        player.play(item, &mut progress)?;
        let has_faults = run.faults > 0 && player.report.faults.total().injected >= run.faults;
        if is_end && has_faults && run.only.is_none() {
            break;
        }
    }
    player.finish()
}

/// Does items to a bench.
struct Player {
    bench: Bench,
    report: Report,
    counts_faults: bool,
    /// The fault of the trial in progress.
    fault: Option<FaultKind>,
    /// Faults of memory that took place, and quads excused for it, at the end of the trial before.
    excused: (u64, u64),
    /// An answer is or will be of the wrong length, and quads may be excused for it.
    breaks_answer: bool,
    /// Where the files of code coverage go.
    code_coverage: Option<PathBuf>,
}

impl Player {
    fn new(model: &Model, rtl: &Rtl, run: &Regression, patience_clocks: u64) -> Result<Self> {
        let mut random = ChaCha8Rng::seed_from_u64(run.seed);
        let options = BenchOptions { patience_clocks, ..options(rtl, run, &mut random) };
        let mut contents = TextureMemory::noise(random.random());
        if run.errors {
            contents.fail_one_in(FAILING_ONE_IN);
        }
        let mut bench = Bench::new(model, rtl, options, Arc::new(contents)).map_err(Failure::at_start)?;
        if let Some(path) = &run.waves {
            bench.trace(path).map_err(Failure::at_start)?;
        }
        bench.start()?;
        let code_coverage = run.code_coverage.clone();
        write_coverage(&mut bench, code_coverage.as_deref(), COVERAGE_AT_START)?;
        Ok(Self {
            bench,
            report: Report::default(),
            counts_faults: run.faults > 0,
            fault: None,
            excused: (0, 0),
            breaks_answer: false,
            code_coverage,
        })
    }

    /// Does an item, and beforehand lets as much be done as makes room for it.
    fn play(&mut self, item: Item, progress: &mut impl FnMut(u64)) -> Result<()> {
        if item.fault.is_some() {
            self.fault = item.fault;
        }
        match item.action {
            Action::Send { unit, packet } => {
                while self.queued_beats() >= QUEUE_BEATS * self.bench.units() {
                    self.bench.run_steps(STEPS)?;
                    if !self.counts_faults {
                        progress(self.count_answered());
                    }
                }
                self.bench.send(unit, packet);
            }
            Action::Pass(steps) => self.bench.run_steps(steps)?,
            // What memory has too much of must be over: behind a reset it could not be told from what is asked for anew.
            Action::Reset(resets) => {
                self.mend()?;
                self.report.resets += 1;
                self.bench.reset(&resets)?;
            }
            Action::SoftReset => {
                self.mend()?;
                self.bench.reach_registers()?;
                self.report.resets += 1;
                self.bench.soft_reset()?;
            }
            Action::Invalidate => {
                self.bench.reach_registers()?;
                self.report.resets += 1;
                self.bench.invalidate()?;
            }
            Action::Access(access) => self.bench.access_nothing(access)?,
            Action::FailRead(fault) => self.bench.fail_next_read(fault),
            Action::BreakAnswer(fault) => {
                self.bench.break_next_answer(fault);
                self.breaks_answer = true;
            }
            Action::Judge => self.judge()?,
            Action::Recovered => {
                self.bench.settle()?;
                if let Some(fault) = self.fault.take() {
                    self.report.faults.of_mut(fault).recovered += 1;
                    progress(self.report.faults.total().injected);
                }
            }
        }
        Ok(())
    }

    fn count_answered(&self) -> u64 {
        (0..self.bench.units()).map(|unit| self.bench.answered(unit)).sum()
    }

    /// Whether so many quads are answered. Where those under way may make up the rest it waits for them: what bad input
    /// or a reset has cost is sent anew.
    fn has_answered(&mut self, quads: u64) -> Result<bool> {
        if self.count_answered() + self.bench.owed_quads() < quads {
            return Ok(false);
        }
        self.bench.run_until_idle()?;
        Ok(self.count_answered() >= quads)
    }

    fn queued_beats(&self) -> usize {
        (0..self.bench.units()).map(|unit| self.bench.queued_beats(unit)).sum()
    }

    /// Ends what quads are excused for behind an answer of the wrong length.
    fn mend(&mut self) -> Result<()> {
        if std::mem::take(&mut self.breaks_answer) {
            self.bench.settle_reads()?;
            self.excused = self.bench.excuse_none()?;
        }
        Ok(())
    }

    /// Compares what the hardware has seen with what was done to it.
    fn judge(&mut self) -> Result<()> {
        let before = self.excused;
        self.mend()?;
        self.bench.settle()?;
        self.excused = self.bench.excuse_none()?;
        let (memory_faults, excused_quads) = self.excused;
        let Some(fault) = self.fault else { return Ok(()) };
        if fault.is_of_memory() && memory_faults == before.0 {
            // Everything was in the cache: nothing was read that could fail.
            self.fault = None;
            return Ok(());
        }
        self.bench.check_errors(fault.name(), fault.error_bits(), 0)?;
        let tally = self.report.faults.of_mut(fault);
        tally.injected += 1;
        tally.reported += u64::from(self.bench.has_control() && fault.is_reported());
        tally.excused_quads += excused_quads - before.1;
        Ok(())
    }

    fn finish(mut self) -> Result<Report> {
        self.bench.run_until_idle()?;
        write_coverage(&mut self.bench, self.code_coverage.as_deref(), COVERAGE_AT_END)?;
        self.report.quads = self.count_answered();
        let (bench, report) = (&self.bench, &mut self.report);
        report.tmu_clocks = bench.clocks(Domain::Tmu);
        report.memory_beats = (0..bench.units()).map(|unit| bench.memory_beats(unit)).sum();
        report.coverage = bench.coverage();
        Ok(self.report)
    }
}

/// Writes what the hardware has covered so far, where that is wanted.
fn write_coverage(bench: &mut Bench, directory: Option<&Path>, name: &str) -> Result<()> {
    let Some(directory) = directory else { return Ok(()) };
    bench.write_coverage(&directory.join(name)).map_err(Failure::at_start)
}

/// A bench whose clocks, phases and memory follow from the seed.
fn options(rtl: &Rtl, run: &Regression, random: &mut ChaCha8Rng) -> BenchOptions {
    let plain = BenchOptions {
        stream_pauses: run.pauses,
        initial: Initial::Random(random.random()),
        seed: random.random(),
        ..BenchOptions::new(&rtl.config, run.latency_clocks)
    };
    let plain =
        BenchOptions { memory_timing: MemoryTiming { pauses: run.pauses, ..plain.memory_timing }, ..plain };
    if run.plain { plain } else { shaken(plain, random) }
}

/// The same with clocks, phases and memory that differ from run to run.
pub(crate) fn shaken(plain: BenchOptions, random: &mut ChaCha8Rng) -> BenchOptions {
    // One clock in some runs is far slower than the others; without that they are within a factor of two of what the
    // configuration says, so that any may be the fastest one.
    let slow = if random.random_ratio(1, 4) { random.random_range(0..3) } else { usize::MAX };
    let mut clock = |number: usize, shape: ClockShape| {
        let slower = if number == slow { random.random_range(2..=4) } else { 1 };
        let period_fs = shape.period_fs * slower * random.random_range(70..=140) / 100;
        let jitter_fs = if random.random_ratio(1, 2) { period_fs / 8 } else { 0 };
        ClockShape { period_fs, phase_fs: random.random_range(0..period_fs), jitter_fs }
    };
    let (core, tmu, memory) = (clock(0, plain.core), clock(1, plain.tmu), clock(2, plain.memory));
    let latency_clocks = plain.memory_timing.latency_clocks;
    let memory_timing = MemoryTiming {
        latency_spread_clocks: if random.random_ratio(1, 2) { latency_clocks / 2 } else { 0 },
        bytes_per_clock: [16, 16, 8][random.random_range(0..3)],
        reorder: random.random_ratio(1, 2),
        ..plain.memory_timing
    };
    BenchOptions { core, tmu, memory, memory_timing, ..plain }
}
