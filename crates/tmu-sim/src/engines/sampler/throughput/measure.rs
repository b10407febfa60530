//! A workload on the hardware in simulation, timed and compared with the golden model.
//!
//! Cost: one simulation of the workload, about four steps a clock of `tmu_aclk`.

use super::{MEMORY_BYTES_PER_CLOCK, Workload, samples};
use crate::engines::sampler::bench::{Bench, BenchOptions};
use crate::engines::sampler::streams::request::Packet;
use crate::kit::clock::ClockShape;
use crate::kit::domain::Domain;
use crate::kit::error::{Failure, Result};
use crate::kit::memory::MemoryTiming;
use crate::kit::pauses::Pauses;
use crate::kit::rtl::Rtl;
use std::sync::Arc;
use tmu_rtl::system::registers::Counter;
use tmu_spec::{Config, LINE_BYTES, Quad};
use tmu_verilate::Model;

/// Beats that are kept queued for each unit.
const QUEUE_BEATS: usize = 64;

/// Steps between two looks at the queues. There are two clocks of the streams in four steps, so fewer beats are
/// taken than are kept queued.
const STEPS: usize = 64;

/// Clocks of the streams after which the counters have settled behind the last result.
const SETTLING_CLOCKS: u64 = 256;

/// What memory is like during a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Conditions {
    /// Clocks from an address to its first data; 0 and 1 are the same.
    pub latency_clocks: u32,
    /// Pauses of memory: `arready` and `rvalid`.
    pub pauses: Pauses,
}

/// Look-ups of lines, as the counters of the control port have them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LookupCounts {
    /// All look-ups.
    pub lookups: u64,
    /// Look-ups of the line before.
    pub repeats: u64,
    /// Look-ups that read memory.
    pub misses: u64,
}

impl LookupCounts {
    /// The part of all look-ups that read no memory; 1 if there were none.
    #[must_use]
    pub fn hit_rate(&self) -> f64 {
        if self.lookups == 0 { 1.0 } else { (self.lookups - self.misses) as f64 / self.lookups as f64 }
    }
}

/// What a run has shown. See [the definitions](super).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measurement {
    /// Samples that were timed.
    pub timed_samples: u64,
    /// Clocks of `tmu_aclk` in which they came.
    pub timed_clocks: u64,
    /// Samples of the whole run.
    pub samples: u64,
    /// Bytes read in the whole run.
    pub bytes: u64,
    /// Bytes of the lines that had to be read at least once.
    pub touched_bytes: u64,
    /// Samples per clock at which the units issue the timed quads, see [`Workload::issue_rate`].
    pub issue_rate: f64,
    /// Of the whole run; none without counters.
    pub lookups: Option<LookupCounts>,
}

impl Measurement {
    /// Samples of all units in a clock.
    #[must_use]
    pub fn samples_per_clock(&self) -> f64 {
        self.timed_samples as f64 / self.timed_clocks.max(1) as f64
    }

    /// Bytes read for a sample.
    #[must_use]
    pub fn bytes_per_sample(&self) -> f64 {
        self.bytes as f64 / self.samples.max(1) as f64
    }

    /// Bytes read for each byte that had to be read.
    #[must_use]
    pub fn bytes_per_touched_byte(&self) -> f64 {
        self.bytes as f64 / self.touched_bytes.max(1) as f64
    }

    /// The part that was reached of what issue rate and memory allow.
    #[must_use]
    pub fn share_of_bound(&self) -> f64 {
        let bytes_per_clock = f64::from(MEMORY_BYTES_PER_CLOCK);
        let most = if self.bytes == 0 { f64::INFINITY } else { bytes_per_clock / self.bytes_per_sample() };
        self.samples_per_clock() / most.min(self.issue_rate)
    }
}

/// The clocks of a measurement: units and memory together, the streams twice as fast.
fn options(config: &Config, conditions: Conditions) -> BenchOptions {
    let tmu = ClockShape { period_fs: 2_000_000, phase_fs: 0, jitter_fs: 0 };
    let timing = MemoryTiming::latency(conditions.latency_clocks);
    BenchOptions {
        core: ClockShape { period_fs: tmu.period_fs / 2, ..tmu },
        tmu,
        memory: tmu,
        memory_timing: MemoryTiming { pauses: conditions.pauses, ..timing },
        ..BenchOptions::new(config, conditions.latency_clocks)
    }
}

/// What one unit still has to be sent, and what its answers are worth.
struct Feed<'a> {
    quads: std::slice::Iter<'a, Quad>,
    count: u64,
    /// Samples of the first n quads.
    samples: Vec<u64>,
}

impl<'a> Feed<'a> {
    fn new(quads: &'a [Quad]) -> Self {
        let mut sum = 0;
        let after = quads.iter().map(|quad| {
            sum += samples(quad);
            sum
        });
        Self {
            quads: quads.iter(),
            count: quads.len() as u64,
            samples: [0].into_iter().chain(after).collect(),
        }
    }
}

/// A moment of a run: clocks of `tmu_aclk` and samples so far.
#[derive(Debug, Clone, Copy)]
struct Moment {
    clocks: u64,
    samples: u64,
}

/// Finds the time between the first and the last result that count.
struct Meter {
    warm_up_quads: u64,
    answered: u64,
    first: Option<Moment>,
    last: Option<Moment>,
}

impl Meter {
    /// Looks at the results so far, after each step.
    fn look(&mut self, bench: &Bench, feeds: &[Feed<'_>]) {
        let of_units = || feeds.iter().enumerate().map(|(unit, feed)| (bench.answered(unit), feed));
        let answered = of_units().map(|(answered, _)| answered).sum();
        if std::mem::replace(&mut self.answered, answered) == answered {
            return;
        }
        let now = || Moment {
            clocks: bench.clocks(Domain::Tmu),
            samples: of_units().map(|(answered, feed)| feed.samples[answered as usize]).sum(),
        };
        let busy = || of_units().filter(|(_, feed)| feed.count > 0);
        if self.first.is_none()
            && busy().all(|(answered, feed)| answered > self.warm_up_quads.min(feed.count - 1))
        {
            self.first = Some(now());
        }
        if self.last.is_none() && busy().any(|(answered, feed)| answered == feed.count) {
            self.last = Some(now());
        }
    }
}

/// Runs a workload on the hardware. `progress` is told of quads as they are answered, some at a time.
///
/// # Errors
/// A result that is not the golden model's, a broken rule of a bus, standstill.
pub fn measure(
    model: &Model,
    rtl: &Rtl,
    workload: &Workload,
    conditions: Conditions,
    mut progress: impl FnMut(u64),
) -> Result<Measurement> {
    let config = &rtl.config;
    let memory = Arc::clone(&workload.memory);
    let mut bench = Bench::new(model, rtl, options(config, conditions), memory).map_err(Failure::at_start)?;
    let units = bench.units();
    let mut feeds: Vec<_> = workload.stretches(units).map(Feed::new).collect();
    bench.start()?;
    let begin = Moment { clocks: bench.clocks(Domain::Tmu), samples: 0 };
    for unit in 0..units {
        bench.send(unit, Packet::bind(workload.binding.record()));
    }
    let mut meter =
        Meter { warm_up_quads: workload.warm_up_quads as u64, answered: 0, first: None, last: None };
    while meter.answered < workload.quads.len() as u64 {
        for (unit, feed) in feeds.iter_mut().enumerate() {
            while bench.queued_beats(unit) < QUEUE_BEATS
                && let Some(quad) = feed.quads.next()
            {
                bench.sample(unit, quad, config);
            }
        }
        let before = meter.answered;
        for _ in 0..STEPS {
            bench.step()?;
            meter.look(&bench, &feeds);
        }
        progress(meter.answered - before);
    }
    bench.run_until_idle()?;
    let end = Moment { clocks: bench.clocks(Domain::Tmu), samples: workload.samples() };
    // Where the quads are too few for every unit to be busy at once, the whole run is timed.
    let timed = meter.first.zip(meter.last).filter(|(first, last)| last.clocks > first.clocks);
    let (first, last) = timed.unwrap_or((begin, end));
    let beats: u64 = (0..units).map(|unit| bench.memory_beats(unit)).sum();
    let lookups = if config.control().counters() { Some(read_counters(&mut bench)?) } else { None };
    Ok(Measurement {
        timed_samples: last.samples - first.samples,
        timed_clocks: last.clocks - first.clocks,
        samples: workload.samples(),
        bytes: beats * u64::from(LINE_BYTES),
        touched_bytes: workload.touched_bytes(config),
        issue_rate: workload.issue_rate(config),
        lookups,
    })
}

/// The counters of all units together.
pub(crate) fn read_counters(bench: &mut Bench) -> Result<LookupCounts> {
    bench.run_clocks(SETTLING_CLOCKS)?;
    let mut counts = LookupCounts::default();
    for unit in 0..bench.units() as u32 {
        let mut read = |counter: Counter| bench.read_register(counter.address(unit)).map(u64::from);
        counts.lookups += read(Counter::LineLookups)?;
        counts.repeats += read(Counter::LineRepeats)?;
        counts.misses += read(Counter::Misses)?;
    }
    Ok(counts)
}
