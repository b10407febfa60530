//! Texture units on their bench: a system, their streams, and the scoreboard of each.
//!
//! A wrong result and a read that nothing needs end the simulation, as does whatever ends that of a [`System`].

mod commands;
mod options;
mod ports;
mod resets;
mod units;

pub use options::BenchOptions;
pub use resets::Resets;
pub use units::{UnitRead, Units};

use crate::engines::sampler::contents::{TextureMemory, TextureWindow};
use crate::engines::sampler::coverage::{Coverage, Disturbance};
use crate::engines::sampler::streams::request::Packet;
use crate::engines::sampler::streams::result::ResultBeat;
use crate::kit::error::{Cause, Result};
use crate::kit::memory::{Fault, LengthFault};
use crate::kit::rtl::Rtl;
use crate::kit::system::System;
use std::sync::Arc;
use tmu_spec::{Config, Quad};
use tmu_verilate::Model;

/// A system of texture units. See the module's documentation.
pub type Bench = System<TextureWindow, Units>;

impl Bench {
    /// Sets a model up with all resets asserted, over memory with some contents.
    ///
    /// # Errors
    /// If the model lacks a port or cannot be made an instance of.
    pub fn new(
        model: &Model,
        rtl: &Rtl,
        options: BenchOptions,
        contents: Arc<TextureMemory>,
    ) -> Result<Self, tmu_verilate::Error> {
        let config = &rtl.config;
        let units = Units::new(model, config, &options, &contents)?;
        let window = TextureWindow::new(config.axi().window_base(), contents);
        Self::around(model.instance_with(options.initial)?, config, &options.system(), window, units)
    }

    /// Lets results wait from the next clock on, or takes them again.
    pub fn hold_results(&mut self, held: bool) {
        self.surroundings_mut().units.iter_mut().for_each(|unit| unit.results.hold(held));
    }

    /// Whether a unit offers a result from before the last reset.
    #[must_use]
    pub fn offers_left_over(&self, unit: usize) -> bool {
        self.surroundings().units[unit].left_over
    }

    /// Whether a unit offers a result.
    #[must_use]
    pub fn offers(&self, unit: usize) -> bool {
        self.surroundings().units[unit].offers(self.instance())
    }

    /// Quads of a unit that were answered, and found right if results are checked.
    #[must_use]
    pub fn answered(&self, unit: usize) -> u64 {
        self.surroundings().units[unit].answered
    }

    /// Number of units.
    #[must_use]
    pub fn units(&self) -> usize {
        self.surroundings().units.len()
    }

    /// Beats of a unit that wait to be sent.
    #[must_use]
    pub fn queued_beats(&self, unit: usize) -> usize {
        self.surroundings().units[unit].requests.queued_beats()
    }

    /// Quads of all units that were sent and are not answered, or wait to be sent.
    #[must_use]
    pub fn owed_quads(&self) -> u64 {
        self.surroundings().units.iter().map(|unit| unit.due + unit.requests.queued_quads() as u64).sum()
    }

    /// Beats that a unit has read from memory.
    #[must_use]
    pub fn memory_beats(&self, unit: usize) -> u64 {
        self.memory().beats_by_channel()[self.surroundings().channel_of(unit)]
    }

    /// What the requests of all units have exercised.
    #[must_use]
    pub fn coverage(&self) -> Coverage {
        let mut all = self.surroundings().disturbances.clone();
        for unit in &self.surroundings().units {
            all.add(unit.scoreboard.coverage());
        }
        all
    }

    /// Takes the results of a unit, in their order; only a bench that is told to collects them.
    pub fn take_results(&mut self, unit: usize) -> Vec<ResultBeat> {
        std::mem::take(&mut self.surroundings_mut().units[unit].collected)
    }

    /// Takes what a unit has read, read by read, since the last time; only a bench that is told to collects it.
    pub fn take_reads(&mut self, unit: usize) -> Vec<UnitRead> {
        std::mem::take(&mut self.surroundings_mut().units[unit].collected_reads)
    }

    /// Queues a packet for a unit.
    pub fn send(&mut self, unit: usize, packet: Packet) {
        self.surroundings_mut().send(unit, packet);
    }

    /// Puts other contents in place. Nothing may be in flight.
    pub fn set_contents(&mut self, contents: &Arc<TextureMemory>) {
        self.memory_mut().contents_mut().set_memory(Arc::clone(contents));
        for unit in &mut self.surroundings_mut().units {
            unit.scoreboard.set_memory(Arc::clone(contents));
        }
    }

    /// Makes the next read fail that memory could answer. Quads that need the line may be answered with the error bit
    /// until [`Bench::excuse_none`].
    pub const fn fail_next_read(&mut self, fault: Fault) {
        self.memory_mut().fail_next(Some(fault));
    }

    /// The read that was last made to fail so: its unit and line; none before the first.
    #[must_use]
    pub const fn failed_read(&self) -> Option<(usize, u32)> {
        self.surroundings().failed_read
    }

    /// Makes the next answer of memory that can be of the wrong length so; see [`Memory::break_next_answer`](crate::kit::memory::Memory::break_next_answer). Quads that
    /// need what the hardware cannot trust then may be answered with the error bit until [`Bench::excuse_none`].
    pub const fn break_next_answer(&mut self, fault: LengthFault) {
        self.memory_mut().break_next_answer(fault);
    }

    /// Ends [`Bench::fail_next_read`] and [`Bench::break_next_answer`]: every quad must be right again. Returns the reads that
    /// were made to fail or to be answered with the wrong length and the quads that were excused for it, since the start.
    ///
    /// # Errors
    /// If a quad has failed that needed nothing of what could not be read or trusted.
    pub fn excuse_none(&mut self) -> Result<(u64, u64)> {
        self.memory_mut().fail_next(None);
        self.memory_mut().mend();
        let units = &mut self.surroundings_mut().units;
        let excused = units.iter_mut().map(|unit| unit.scoreboard.excuse_none());
        let excused: Result<u64, Cause> = excused.sum();
        let excused = excused.map_err(|cause| self.failure(cause))?;
        Ok((self.surroundings().failed_reads + self.memory().broken_answers(), excused))
    }

    /// Makes the answers to the next reads of the wrong length, so many of them; to single beats none can be too short.
    /// No quad is excused for it.
    pub const fn break_answers(&mut self, fault: LengthFault, count: u64) {
        self.memory_mut().break_answers(fault, count);
    }

    /// Reads whose answers were made of the wrong length.
    #[must_use]
    pub const fn broken_answers(&self) -> u64 {
        self.memory().broken_answers()
    }

    /// Reads under way.
    #[must_use]
    pub fn reads_under_way(&self) -> usize {
        self.memory().outstanding_reads()
    }

    /// Tells the memory where the texture window is, after the register was written.
    pub const fn set_window_base(&mut self, window_base: u64) {
        self.memory_mut().contents_mut().set_base(window_base);
    }

    /// Takes back all requests that were not sent, even in the middle of a packet.
    pub fn forget_requests(&mut self) {
        self.surroundings_mut().forget_requests();
        self.drive_core();
    }

    fn disturb(&mut self, disturbance: Disturbance) {
        let reads_under_way = self.memory().outstanding_reads() > 0;
        self.surroundings_mut().disturbances.disturbance(disturbance, reads_under_way);
    }

    /// Sends a quad to a unit.
    pub fn sample(&mut self, unit: usize, quad: &Quad, config: &Config) {
        self.send(unit, Packet::sample(quad, config.request().beats_per_quad()));
    }
}
