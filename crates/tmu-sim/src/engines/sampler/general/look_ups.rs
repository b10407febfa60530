//! The hardware of a configuration with indirect look-ups as something that looks up: bindings of both textures, quads of either sort,
//! and all results of each.

use super::sampling::General;
use crate::engines::sampler::bench::{Bench, BenchOptions};
use crate::engines::sampler::contents::TextureMemory;
use crate::engines::sampler::sampling::Numerics as _;
use crate::engines::sampler::streams::request::{Packet, Request};
use crate::kit::domain::Domain;
use crate::kit::error::{Failure, Result};
use crate::kit::rtl::Rtl;
use std::sync::Arc;
use tmu_spec::general::indirect::{IndirectQuad, Setup};
use tmu_spec::general::packet::{Extras, of_binding, of_indirect, of_quad};
use tmu_spec::general::{Binding, Quad, QuadResult};
use tmu_spec::{BeatsPerQuad, Record, RequestBeat};
use tmu_verilate::Model;

/// Beats that are kept queued.
const QUEUE_BEATS: usize = 256;
/// Clocks after which results are looked for when nothing more is to be sent.
pub(super) const LAST_CLOCKS: u64 = 8;

/// What a unit is told or asked.
#[derive(Debug, Clone, Copy)]
pub enum Step<'a> {
    /// The texture of direct quads, which is the primary one of indirect look-ups.
    Bind(&'a Binding),
    /// The secondary texture of indirect look-ups.
    BindSecondary(&'a Binding),
    /// A quad of one texture.
    Sample(&'a Quad),
    /// A quad of an indirect look-up.
    LookUp(&'a IndirectQuad, &'a Setup),
}

/// Hardware that looks up in some memory, with its first unit.
#[derive(Debug)]
pub struct LookUps {
    bench: Bench,
    numerics: General,
    extras: Extras,
    beats_per_quad: BeatsPerQuad,
}

impl LookUps {
    /// Hardware over memory that gives 16 bytes a clock after `latency_clocks`.
    ///
    /// # Errors
    /// If the model cannot be made an instance of.
    ///
    /// # Panics
    /// If the configuration is none of the general numerics.
    pub fn new(
        model: &Model,
        rtl: &Rtl,
        memory: TextureMemory,
        latency_clocks: u32,
    ) -> Result<Self, tmu_verilate::Error> {
        Self::over(model, rtl, BenchOptions::collecting(&rtl.config, latency_clocks), Arc::new(memory))
    }

    /// Hardware over memory as the options have it.
    ///
    /// # Errors
    /// As [`LookUps::new`].
    ///
    /// # Panics
    /// As [`LookUps::new`].
    pub fn over(
        model: &Model,
        rtl: &Rtl,
        options: BenchOptions,
        memory: Arc<TextureMemory>,
    ) -> Result<Self, tmu_verilate::Error> {
        let config = &rtl.config;
        let general = config.features().general().expect("the configuration is one of the general numerics");
        Ok(Self {
            bench: Bench::new(model, rtl, options, memory)?,
            numerics: General::of(config),
            extras: Extras::of(general),
            beats_per_quad: config.request().beats_per_quad(),
        })
    }

    /// The system.
    pub const fn bench(&mut self) -> &mut Bench {
        &mut self.bench
    }

    /// Clocks of the texture units so far.
    #[must_use]
    pub const fn tmu_clocks(&self) -> u64 {
        self.bench.clocks(Domain::Tmu)
    }

    /// Does everything in order. The results of each quad, in the order of the quads.
    ///
    /// # Errors
    /// If the hardware breaks a rule of a bus or stands still.
    pub fn run(&mut self, steps: &[Step<'_>]) -> Result<Vec<Vec<QuadResult>>, Failure> {
        self.run_watched(steps, |_| ())
    }

    /// The same, with something done before each time that the unit works on.
    ///
    /// # Errors
    /// As [`LookUps::run`].
    pub fn run_watched(
        &mut self,
        steps: &[Step<'_>],
        mut watch: impl FnMut(&mut Bench),
    ) -> Result<Vec<Vec<QuadResult>>, Failure> {
        if self.bench.time_ps() == 0 {
            self.bench.start()?;
        }
        let quads = steps.iter().filter(|step| matches!(step, Step::Sample(_) | Step::LookUp(..))).count();
        let (mut found, mut own) = (Vec::with_capacity(quads), vec![]);
        let mut left = steps.iter();
        while found.len() < quads {
            while self.bench.queued_beats(0) < QUEUE_BEATS
                && let Some(step) = left.next()
            {
                let packet = self.packet(step);
                self.bench.send(0, packet);
            }
            // The last results end the clocks that are counted.
            let clocks = if left.len() > 0 { QUEUE_BEATS as u64 / 2 } else { LAST_CLOCKS };
            watch(&mut self.bench);
            self.bench.run_clocks(clocks)?;
            for beat in self.bench.take_results(0) {
                own.push(self.numerics.result(beat));
                if beat.last {
                    found.push(std::mem::take(&mut own));
                }
            }
        }
        // Bindings behind the last quad.
        for step in left {
            let packet = self.packet(step);
            self.bench.send(0, packet);
        }
        Ok(found)
    }

    fn packet(&self, step: &Step<'_>) -> Packet {
        let bind = |beats: Vec<RequestBeat>| Packet { beats, request: Request::Bind(Record::default()) };
        let ask =
            |beats: Vec<RequestBeat>| Packet { beats, request: Request::Sample(tmu_spec::Quad::default()) };
        match step {
            Step::Bind(binding) => bind(of_binding(&binding.words())),
            Step::BindSecondary(binding) => bind(of_binding(&binding.secondary_words())),
            Step::Sample(quad) => ask(of_quad(quad, self.extras, self.beats_per_quad)),
            Step::LookUp(quad, setup) => ask(of_indirect(quad, setup, self.extras, self.beats_per_quad)),
        }
    }
}
