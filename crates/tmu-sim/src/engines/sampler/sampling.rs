//! The hardware in simulation as something that samples quads: requests in, results out.
//!
//! Nothing is compared here; the caller wants what the hardware gives. A run of quads is dealt to all units of the
//! configuration in chunks, and results come back in the order of the quads.

use crate::engines::sampler::bench::{Bench, BenchOptions};
use crate::engines::sampler::contents::TextureMemory;
use crate::engines::sampler::streams::request::Packet;
use crate::engines::sampler::throughput::LookupCounts;
use crate::engines::sampler::throughput::measure::read_counters;
use crate::kit::domain::Domain;
use crate::kit::error::{Failure, Result};
use crate::kit::rtl::Rtl;
use std::collections::VecDeque;
use std::sync::Arc;
use tmu_spec::{BeatsPerQuad, Binding, Quad, QuadResult, Record};
use tmu_verilate::Model;

/// Quads of a run that one unit takes at a time: a few tiles, so that neighbours share a cache.
const CHUNK_QUADS: usize = 64;

/// Beats that are kept queued for each unit.
const QUEUE_BEATS: usize = 64;

/// What one unit still has to be sent and to answer.
#[derive(Debug, Default)]
struct Deal {
    /// Requests in order.
    requests: VecDeque<Request>,
    /// Numbers of the quads that are on their way, in order.
    order: VecDeque<usize>,
}

#[derive(Debug)]
enum Request {
    Bind(Record),
    /// A quad of the batch, by number.
    Sample(usize),
}

/// Quads that need one binding.
#[derive(Debug, Clone, Copy)]
pub struct Run<'a> {
    /// The binding.
    pub binding: &'a Binding,
    /// The quads.
    pub quads: &'a [Quad],
}

/// Hardware that samples from some memory.
#[derive(Debug)]
pub struct Sampler {
    bench: Bench,
    beats_per_quad: BeatsPerQuad,
    has_counters: bool,
    /// Bits of what each unit has bound.
    bound: Vec<Option<Record>>,
    next_unit: usize,
    answered: u64,
}

impl Sampler {
    /// Hardware over memory that gives 16 bytes a clock after `latency_clocks`.
    ///
    /// # Errors
    /// If the model cannot be made an instance of.
    pub fn new(
        model: &Model,
        rtl: &Rtl,
        memory: TextureMemory,
        latency_clocks: u32,
    ) -> Result<Self, tmu_verilate::Error> {
        let options = BenchOptions {
            checked: false,
            collected: true,
            ..BenchOptions::new(&rtl.config, latency_clocks)
        };
        let bench = Bench::new(model, rtl, options, Arc::new(memory))?;
        let bound = vec![None; bench.units()];
        let beats_per_quad = rtl.config.request().beats_per_quad();
        let has_counters = rtl.config.control().counters();
        Ok(Self { bench, beats_per_quad, has_counters, bound, next_unit: 0, answered: 0 })
    }

    /// Clocks of the texture units so far.
    #[must_use]
    pub const fn tmu_clocks(&self) -> u64 {
        self.bench.clocks(Domain::Tmu)
    }

    /// What the counters of all units have counted so far; none if they are not built. Clocks go on while they are read.
    ///
    /// # Errors
    /// As [`Sampler::sample`].
    pub fn lookup_counts(&mut self) -> Result<Option<LookupCounts>> {
        if !self.has_counters {
            return Ok(None);
        }
        if self.bench.time_ps() == 0 {
            self.bench.start()?;
        }
        read_counters(&mut self.bench).map(Some)
    }

    /// Samples runs of quads and appends their results in order. `progress` is told how many quads have been
    /// answered since the start.
    ///
    /// # Errors
    /// If the hardware breaks a rule of a bus or stands still.
    pub fn sample(
        &mut self,
        runs: &[Run<'_>],
        results: &mut Vec<QuadResult>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(), Failure> {
        if self.bench.time_ps() == 0 {
            self.bench.start()?;
        }
        let quads: Vec<&Quad> = runs.iter().flat_map(|run| run.quads).collect();
        let mut deals = self.deal(runs);
        let first = results.len();
        results.resize(first + quads.len(), QuadResult::default());
        let mut missing = quads.len();
        while missing > 0 {
            for (unit, deal) in deals.iter_mut().enumerate() {
                while self.bench.queued_beats(unit) < QUEUE_BEATS
                    && let Some(request) = deal.requests.pop_front()
                {
                    let packet = match request {
                        Request::Bind(record) => Packet::bind(record),
                        Request::Sample(number) => {
                            deal.order.push_back(number);
                            Packet::sample(quads[number], self.beats_per_quad)
                        }
                    };
                    self.bench.send(unit, packet);
                }
            }
            self.bench.run_clocks(QUEUE_BEATS as u64 / 2)?;
            for (unit, deal) in deals.iter_mut().enumerate() {
                let beats = self.bench.take_results(unit);
                missing -= beats.len();
                self.answered += beats.len() as u64;
                for (number, beat) in deal.order.drain(..beats.len()).zip(beats) {
                    results[first + number] = QuadResult::from_beat(beat.tdata, beat.tuser);
                }
            }
            progress(self.answered);
        }
        Ok(())
    }

    /// Deals chunks of runs to the units in turn, with the bindings that they need.
    fn deal(&mut self, runs: &[Run<'_>]) -> Vec<Deal> {
        let mut deals: Vec<Deal> = self.bound.iter().map(|_| Deal::default()).collect();
        let mut number = 0;
        for run in runs {
            let record = run.binding.record();
            for chunk in run.quads.chunks(CHUNK_QUADS) {
                let deal = &mut deals[self.next_unit];
                if self.bound[self.next_unit].replace(record) != Some(record) {
                    deal.requests.push_back(Request::Bind(record));
                }
                deal.requests.extend((number..number + chunk.len()).map(Request::Sample));
                number += chunk.len();
                self.next_unit = (self.next_unit + 1) % self.bound.len();
            }
        }
        deals
    }
}
