//! The hardware in simulation as something that samples quads: requests in, results out.
//!
//! Nothing is compared here; the caller wants what the hardware gives. A run of quads is dealt to all units of the
//! configuration in chunks, and results come back in the order of the quads. What bindings, quads and results are, the numerics of the
//! units say: [`Classic`] here, [`General`](crate::engines::sampler::general::sampling::General) beside their golden model.

use crate::engines::sampler::bench::{Bench, BenchOptions};
use crate::engines::sampler::contents::TextureMemory;
use crate::engines::sampler::streams::request::Packet;
use crate::engines::sampler::streams::result::ResultBeat;
use crate::engines::sampler::throughput::LookupCounts;
use crate::engines::sampler::throughput::measure::read_counters;
use crate::kit::domain::Domain;
use crate::kit::error::{Failure, Result};
use crate::kit::rtl::Rtl;
use std::collections::VecDeque;
use std::fmt::Debug;
use std::sync::Arc;
use tmu_spec::{BeatsPerQuad, Binding, Config, Quad, QuadResult, Record};
use tmu_verilate::Model;

/// Quads of a run that one unit takes at a time: a few tiles, so that neighbours share a cache.
const CHUNK_QUADS: usize = 64;

/// Beats that are kept queued for each unit.
const QUEUE_BEATS: usize = 64;

/// What units take and give, and how it stands on their streams.
pub trait Numerics: Debug {
    /// What tells a unit what to sample, and how.
    type Binding: Debug;
    /// The bits of a binding: bindings with equal ones are the same to a unit.
    type Bits: Debug + Copy + PartialEq;
    /// Four pixels.
    type Quad: Debug;
    /// The answer to a quad.
    type QuadResult: Clone + Default;

    /// The form of the streams of a configuration, which follows these numerics.
    fn of(config: &Config) -> Self;

    /// The bits of a binding.
    fn bits(binding: &Self::Binding) -> Self::Bits;

    /// The packet of a binding.
    fn bind(&self, bits: Self::Bits) -> Packet;

    /// The packet of a quad.
    fn sample(&self, quad: &Self::Quad) -> Packet;

    /// The result in a beat.
    fn result(&self, beat: ResultBeat) -> Self::QuadResult;
}

/// The classic numerics.
#[derive(Debug, Clone, Copy)]
pub struct Classic {
    beats_per_quad: BeatsPerQuad,
}

impl Numerics for Classic {
    type Binding = Binding;
    type Bits = Record;
    type Quad = Quad;
    type QuadResult = QuadResult;

    fn of(config: &Config) -> Self {
        Self { beats_per_quad: config.request().beats_per_quad() }
    }

    fn bits(binding: &Binding) -> Record {
        binding.record()
    }

    fn bind(&self, bits: Record) -> Packet {
        Packet::bind(bits)
    }

    fn sample(&self, quad: &Quad) -> Packet {
        Packet::sample(quad, self.beats_per_quad)
    }

    fn result(&self, beat: ResultBeat) -> QuadResult {
        QuadResult::from_beat(beat.tdata, beat.tuser)
    }
}

/// What one unit still has to be sent and to answer.
#[derive(Debug)]
struct Deal<N: Numerics> {
    /// Requests in order.
    requests: VecDeque<Request<N>>,
    /// Numbers of the quads that are on their way, in order.
    order: VecDeque<usize>,
}

#[derive(Debug)]
enum Request<N: Numerics> {
    Bind(N::Bits),
    /// A quad of the batch, by number.
    Sample(usize),
}

/// Quads that need one binding.
#[derive(Debug)]
pub struct Run<'a, N: Numerics = Classic> {
    /// The binding.
    pub binding: &'a N::Binding,
    /// The quads.
    pub quads: &'a [N::Quad],
}

/// Hardware that samples from some memory.
#[derive(Debug)]
pub struct Sampler<N: Numerics = Classic> {
    bench: Bench,
    numerics: N,
    has_counters: bool,
    /// Bits of what each unit has bound.
    bound: Vec<Option<N::Bits>>,
    next_unit: usize,
    answered: u64,
}

impl<N: Numerics> Sampler<N> {
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
        let options = BenchOptions::collecting(&rtl.config, latency_clocks);
        let bench = Bench::new(model, rtl, options, Arc::new(memory))?;
        let bound = vec![None; bench.units()];
        let numerics = N::of(&rtl.config);
        let has_counters = rtl.config.control().counters();
        Ok(Self { bench, numerics, has_counters, bound, next_unit: 0, answered: 0 })
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
        runs: &[Run<'_, N>],
        results: &mut Vec<N::QuadResult>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(), Failure> {
        if self.bench.time_ps() == 0 {
            self.bench.start()?;
        }
        let quads: Vec<&N::Quad> = runs.iter().flat_map(|run| run.quads).collect();
        let mut deals = self.deal(runs);
        let first = results.len();
        results.resize(first + quads.len(), N::QuadResult::default());
        let mut missing = quads.len();
        while missing > 0 {
            for (unit, deal) in deals.iter_mut().enumerate() {
                while self.bench.queued_beats(unit) < QUEUE_BEATS
                    && let Some(request) = deal.requests.pop_front()
                {
                    let packet = match request {
                        Request::Bind(bits) => self.numerics.bind(bits),
                        Request::Sample(number) => {
                            deal.order.push_back(number);
                            self.numerics.sample(quads[number])
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
                    results[first + number] = self.numerics.result(beat);
                }
            }
            progress(self.answered);
        }
        Ok(())
    }

    /// Deals chunks of runs to the units in turn, with the bindings that they need.
    fn deal(&mut self, runs: &[Run<'_, N>]) -> Vec<Deal<N>> {
        let empty = || Deal { requests: VecDeque::new(), order: VecDeque::new() };
        let mut deals: Vec<Deal<N>> = self.bound.iter().map(|_| empty()).collect();
        let mut number = 0;
        for run in runs {
            let bits = N::bits(run.binding);
            for chunk in run.quads.chunks(CHUNK_QUADS) {
                let deal = &mut deals[self.next_unit];
                if self.bound[self.next_unit].replace(bits) != Some(bits) {
                    deal.requests.push_back(Request::Bind(bits));
                }
                deal.requests.extend((number..number + chunk.len()).map(Request::Sample));
                number += chunk.len();
                self.next_unit = (self.next_unit + 1) % self.bound.len();
            }
        }
        deals
    }
}
