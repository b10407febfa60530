//! Memory at an AXI4 port: reads with latency, bandwidth, reordering, pauses and errors, and writes.
//!
//! What it holds is the engine's business: anything that is [`Contents`], such as [`Bytes`]. How it answers is the same for
//! all. Every rule that a manager has to keep is checked, those of AXI4 and those that the configuration promises.
//!
//! A clock costs constant time in order, and with reordering a look at every read in flight.

mod address;
mod bytes;
mod contents;
mod length_fault;
mod reads;
mod timing;
mod writes;

pub use address::Address;
pub use bytes::{Answer, Bytes};
pub use contents::{Contents, Fault, Line};
pub use length_fault::LengthFault;
pub use reads::{MemoryEvents, ReadData};
pub use timing::MemoryTiming;
pub use writes::{Response, WriteBeat};

use crate::kit::error::Violation;
use address::PortRules;
use reads::Reads;
use tmu_spec::Config;
use writes::Writes;

/// What the manager shows before an edge, where it is valid.
#[derive(Debug, Clone, Copy, Default)]
pub struct Shown {
    /// The read address channel.
    pub read: Option<Address>,
    /// `rready`.
    pub read_ready: bool,
    /// The write address channel.
    pub write: Option<Address>,
    /// The write data channel.
    pub beat: Option<WriteBeat>,
    /// `bready`.
    pub response_ready: bool,
}

/// What memory drives.
#[derive(Debug, Clone, Copy)]
pub struct Driven<'a> {
    /// `arready`.
    pub read_ready: bool,
    /// The read data channel, if `rvalid` is high.
    pub read: Option<&'a ReadData>,
    /// `awready`.
    pub write_ready: bool,
    /// `wready`.
    pub beat_ready: bool,
    /// The write response channel, if `bvalid` is high.
    pub response: Option<Response>,
}

/// The memory port's other side.
#[derive(Debug)]
pub struct Memory<C> {
    contents: C,
    reads: Reads,
    writes: Writes,
}

impl<C: Contents> Memory<C> {
    /// Memory for a configuration's port.
    #[must_use]
    pub fn new(config: &Config, timing: MemoryTiming, contents: C, seed: u64) -> Self {
        let rules = PortRules::new(config);
        Self {
            contents,
            reads: Reads::new(rules.clone(), timing, seed),
            writes: Writes::new(rules, timing, seed),
        }
    }

    /// What it holds.
    #[must_use]
    pub const fn contents(&self) -> &C {
        &self.contents
    }

    /// The same, to be changed: reads from now on see it.
    pub const fn contents_mut(&mut self) -> &mut C {
        &mut self.contents
    }

    /// The channel for reads that an ID belongs to.
    #[must_use]
    pub const fn channel_of(&self, id: u32) -> usize {
        self.reads.channel_of(id)
    }

    /// Forgets all that is under way, as an interconnect does that is reset with its manager.
    pub fn clear(&mut self) {
        self.reads.clear();
        self.writes.clear();
    }

    /// Makes the next beat fail that would have been right, or none any more.
    pub const fn fail_next(&mut self, fault: Option<Fault>) {
        self.reads.fail_next(fault);
    }

    /// Makes the answers to the next reads that can be of the wrong length so, this many.
    pub const fn break_answers(&mut self, fault: LengthFault, count: u64) {
        self.reads.break_answers(fault, count);
    }

    /// Makes the next answer that can be of the wrong length so. What memory owes to the same ID behind it comes before all
    /// else and without a pause until [`Memory::mend`]: what came after a long silence could not be told from the answer to
    /// a read that the hardware begins anew.
    pub const fn break_next_answer(&mut self, fault: LengthFault) {
        self.reads.break_next_answer(fault);
    }

    /// Breaks no more answers.
    pub const fn mend(&mut self) {
        self.reads.mend();
    }

    /// Reads whose answers were made of the wrong length.
    #[must_use]
    pub const fn broken_answers(&self) -> u64 {
        self.reads.broken_answers()
    }

    /// Reads whose data has not been taken to the end.
    #[must_use]
    pub fn outstanding_reads(&self) -> usize {
        self.reads.outstanding()
    }

    /// Whether anything has been asked for and not been answered.
    #[must_use]
    pub fn busy(&self) -> bool {
        self.reads.outstanding() > 0 || self.writes.busy()
    }

    /// Beats that each channel for reads has taken so far.
    #[must_use]
    pub fn beats_by_channel(&self) -> &[u64] {
        self.reads.beats_by_channel()
    }

    /// What it drives.
    #[must_use]
    pub const fn driven(&self) -> Driven<'_> {
        Driven {
            read_ready: self.reads.address_ready(),
            read: self.reads.shown(),
            write_ready: self.writes.address_ready(),
            beat_ready: self.writes.beat_ready(),
            response: self.writes.shown(),
        }
    }

    /// A rising edge.
    ///
    /// # Errors
    /// The rule that the manager broke.
    pub fn clock(&mut self, shown: Shown) -> Result<MemoryEvents, Violation> {
        let events = self.reads.clock(&self.contents, shown.read, shown.read_ready)?;
        self.writes.clock(&mut self.contents, shown.write, shown.beat, shown.response_ready)?;
        Ok(events)
    }
}

#[cfg(test)]
mod tests;
