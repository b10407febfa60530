//! An AXI4 subordinate for reads: latency, bandwidth, reordering, interleaving, pauses, errors.
//!
//! Latency L means: an address taken at edge n can give its first data at edge n + L, L at least 1. Latencies of
//! different reads pass side by side, so any number of reads in flight gives a beat a clock; the beats of a burst
//! follow each other. Reads of one ID are answered in order; those of others may overtake and interleave. Checks
//! what a manager has to keep: an address stays until it is taken, bursts are INCR of whole 16-byte beats within
//! 4 KiB, attributes are those configured, no ID has more reads in flight than configured. A read is in flight
//! from the edge that takes its address to the one that takes its last beat.
//!
//! A clock costs constant time in order, and with reordering a look at every read in flight.

mod length_fault;

pub use length_fault::LengthFault;

use crate::contents::{Fault, TextureMemory};
use crate::error::Violation;
use crate::pauses::{Pauser, Pauses};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;
use std::sync::Arc;
use tmu_spec::config::AxiConfig;
use tmu_spec::{LINE_BYTES, TEXTURE_ADDRESS_BITS};

const INTERFACE: &str = "m_axi";

/// How the memory behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryTiming {
    /// Clocks of the port from an address to its first data, at least 1.
    pub latency_clocks: u32,
    /// Up to this many clocks more, drawn for each read.
    pub latency_spread_clocks: u32,
    /// Bytes that the port gives in a clock, 1 to 16.
    pub bytes_per_clock: u32,
    /// Reads of different IDs overtake each other, and their beats mix.
    pub reorder: bool,
    /// Pauses of `arready` and `rvalid`.
    pub pauses: Pauses,
}

impl MemoryTiming {
    /// A memory that gives 16 bytes a clock in order.
    #[must_use]
    pub const fn latency(latency_clocks: u32) -> Self {
        let pauses = Pauses::NONE;
        Self { latency_clocks, latency_spread_clocks: 0, bytes_per_clock: 16, reorder: false, pauses }
    }
}

/// A transfer of the read address channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadAddress {
    /// `arid`.
    pub id: u32,
    /// `araddr`.
    pub address: u64,
    /// `arlen`: beats less one.
    pub len: u8,
    /// `arsize`: log2 of the bytes of a beat.
    pub size: u8,
    /// `arburst`: 1 is INCR.
    pub burst: u8,
    /// `arcache`, `arprot` and `arqos`.
    pub attributes: [u8; 3],
}

impl ReadAddress {
    /// Beats that it asks for.
    #[must_use]
    pub const fn beats(&self) -> u32 {
        self.len as u32 + 1
    }
}

/// A transfer of the read data channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadData {
    /// `rid`.
    pub id: u32,
    /// `rdata`.
    pub data: [u8; LINE_BYTES as usize],
    /// `rresp`: 0 OKAY, 2 SLVERR, 3 DECERR.
    pub response: u8,
    /// `rlast`.
    pub last: bool,
}

/// A read that is being answered.
#[derive(Debug, Clone, Copy)]
struct Burst {
    id: u32,
    address: u64,
    beats_left: u32,
    first_edge: u64,
    broken: Option<LengthFault>,
}

/// What the manager was built to keep to, beyond what AXI asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct PortRules {
    attributes: [u8; 3],
    /// Of each ID.
    outstanding_reads: u32,
    unit_mask: u32,
    units: u32,
}

impl PortRules {
    const fn new(axi: &AxiConfig, units: u32) -> Self {
        Self {
            attributes: [axi.arcache() as u8, axi.arprot() as u8, axi.arqos() as u8],
            outstanding_reads: axi.outstanding_reads(),
            unit_mask: (1 << axi.unit_id_bits()) - 1,
            units,
        }
    }
}

/// The memory port's other side.
#[derive(Debug)]
pub struct MemoryPort {
    timing: MemoryTiming,
    rules: PortRules,
    window_base: u64,
    contents: Arc<TextureMemory>,
    edge: u64,
    /// In the order in which their addresses came.
    bursts: VecDeque<Burst>,
    /// Bytes that may be given now.
    credit_bytes: u32,
    address_ready: bool,
    waiting: Option<ReadAddress>,
    shown: Option<ReadData>,
    /// What is shown ends a read, whatever RLAST says.
    shown_ends: bool,
    address_pauser: Pauser,
    data_pauser: Pauser,
    random: ChaCha8Rng,
    beats_by_unit: Vec<u64>,
    reads_by_unit: Vec<u64>,
    /// How the next beat fails that would have been right.
    fails_next: Option<Fault>,
    /// How the answers to the next reads are of the wrong length, and of how many.
    breaks: Option<LengthFault>,
    breaks_left: u64,
    broken: u64,
    /// Behind the next answer of the wrong length nothing waits; see [`MemoryPort::break_next_answer`].
    hurries: bool,
    /// The ID that is answered before all others, and at once.
    hurried: Option<u32>,
    /// Working memory of [`MemoryPort::choose`]: IDs that were passed, and reads that could be answered.
    passed_ids: Vec<u32>,
    candidates: Vec<usize>,
}

/// What happened at an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MemoryEvents {
    /// An address was taken.
    pub taken: Option<ReadAddress>,
    /// Its answer will be of the wrong length in this way.
    pub broken: Option<LengthFault>,
    /// Data was given.
    pub given: bool,
    /// Unit and line of a beat that fails because it was told to, shown from now on.
    pub failed: Option<(usize, u32)>,
}

impl MemoryPort {
    /// A memory for a configuration's port.
    #[must_use]
    pub fn new(
        axi: &AxiConfig,
        units: u32,
        timing: MemoryTiming,
        contents: Arc<TextureMemory>,
        seed: u64,
    ) -> Self {
        let rules = PortRules::new(axi, units);
        Self {
            timing,
            rules,
            window_base: axi.window_base(),
            contents,
            edge: 0,
            bursts: VecDeque::new(),
            credit_bytes: 0,
            address_ready: false,
            waiting: None,
            shown: None,
            shown_ends: false,
            address_pauser: Pauser::new(timing.pauses, seed ^ 1),
            data_pauser: Pauser::new(timing.pauses, seed ^ 2),
            random: ChaCha8Rng::seed_from_u64(seed ^ 3),
            beats_by_unit: vec![0; units as usize],
            reads_by_unit: vec![0; units as usize],
            fails_next: None,
            breaks: None,
            breaks_left: 0,
            broken: 0,
            hurries: false,
            hurried: None,
            passed_ids: Vec::new(),
            candidates: Vec::new(),
        }
    }

    /// The unit that an ID belongs to.
    #[must_use]
    pub const fn unit_of(&self, id: u32) -> usize {
        (id & self.rules.unit_mask) as usize
    }

    /// Moves the texture window.
    pub const fn set_window_base(&mut self, window_base: u64) {
        self.window_base = window_base;
    }

    /// Number of the line of the texture window that a bus address lies in; none outside the window.
    #[must_use]
    pub const fn line_at(&self, address: u64) -> Option<u32> {
        let offset = address.wrapping_sub(self.window_base);
        if offset >> TEXTURE_ADDRESS_BITS == 0 { Some((offset / LINE_BYTES as u64) as u32) } else { None }
    }

    /// Puts other contents in place, for reads from now on.
    pub fn set_contents(&mut self, contents: Arc<TextureMemory>) {
        self.contents = contents;
    }

    /// Forgets all reads, as an interconnect does that is reset with its manager.
    pub fn clear(&mut self) {
        self.bursts.clear();
        self.waiting = None;
        self.shown = None;
        self.address_ready = false;
    }

    /// Makes the next beat fail that would have been right, or none any more.
    pub const fn fail_next(&mut self, fault: Option<Fault>) {
        self.fails_next = fault;
    }

    /// Makes the answers to the next reads that can be of the wrong length so, this many.
    pub const fn break_answers(&mut self, fault: LengthFault, count: u64) {
        self.breaks = Some(fault);
        self.breaks_left = count;
    }

    /// Makes the next answer that can be of the wrong length so. What memory owes to the same ID behind it comes before all
    /// else and without a pause until [`MemoryPort::mend`]: what came after a long silence could not be told from the answer to
    /// a read that the hardware begins anew.
    pub const fn break_next_answer(&mut self, fault: LengthFault) {
        self.break_answers(fault, 1);
        self.hurries = true;
    }

    /// Breaks no more answers.
    pub const fn mend(&mut self) {
        self.breaks = None;
        self.breaks_left = 0;
        self.hurries = false;
        self.hurried = None;
    }

    /// Reads whose answers were made of the wrong length.
    #[must_use]
    pub const fn broken_answers(&self) -> u64 {
        self.broken
    }

    /// Reads whose data has not been taken to the end.
    #[must_use]
    pub fn outstanding(&self) -> usize {
        self.bursts.len() + usize::from(self.shown.is_some() && self.shown_ends)
    }

    /// Beats that each unit has taken so far.
    #[must_use]
    pub fn beats_by_unit(&self) -> &[u64] {
        &self.beats_by_unit
    }

    /// Reads, of any length, that each unit has been taken up on so far.
    #[must_use]
    pub fn reads_by_unit(&self) -> &[u64] {
        &self.reads_by_unit
    }

    /// `arready`.
    #[must_use]
    pub const fn address_ready(&self) -> bool {
        self.address_ready
    }

    /// The data shown, if `rvalid` is high.
    #[must_use]
    pub const fn shown(&self) -> Option<&ReadData> {
        self.shown.as_ref()
    }

    /// A rising edge: `address` is what the read address channel showed before it, if it was valid, and
    /// `data_ready` is `rready`.
    ///
    /// # Errors
    /// If the address channel broke a rule.
    pub fn clock(
        &mut self,
        address: Option<ReadAddress>,
        data_ready: bool,
    ) -> Result<MemoryEvents, Violation> {
        self.edge += 1;
        let mut events = MemoryEvents::default();
        if let Some(data) = self.shown.filter(|_| data_ready) {
            let unit = self.unit_of(data.id);
            self.beats_by_unit[unit] += 1;
            self.shown = None;
            events.given = true;
        }
        self.check_stability(address)?;
        if let Some(address) = address.filter(|_| self.address_ready) {
            events.broken = self.accept(address)?;
            events.taken = Some(address);
        }
        self.waiting = address.filter(|_| !self.address_ready);
        self.credit_bytes = (self.credit_bytes + self.timing.bytes_per_clock).min(2 * LINE_BYTES);
        if self.shown.is_none()
            && !self.bursts.is_empty()
            && self.credit_bytes >= LINE_BYTES
            && (!self.data_pauser.paused() || self.hurried.is_some())
        {
            events.failed = self.show_next();
        }
        self.address_ready = !self.address_pauser.paused() || self.hurried.is_some();
        Ok(events)
    }

    fn check_stability(&self, address: Option<ReadAddress>) -> Result<(), Violation> {
        match (self.waiting, address) {
            (Some(_), None) => Err(Violation::new(INTERFACE, "arvalid fell before arready was high")),
            (Some(before), Some(now)) if before != now => {
                let what = format!("changed from {before:x?} to {now:x?} while arready was low");
                Err(Violation::new(INTERFACE, what))
            }
            _ => Ok(()),
        }
    }

    /// Takes a read on. Gives how its answer will be of the wrong length, if it will.
    fn accept(&mut self, address: ReadAddress) -> Result<Option<LengthFault>, Violation> {
        let bytes = u64::from(address.beats() * LINE_BYTES);
        // The bits of an ID above the unit's tell reads from before a soft reset apart.
        let in_flight = self.bursts.iter().filter(|burst| burst.id == address.id).count()
            + usize::from(self.shown_ends && self.shown.is_some_and(|data| data.id == address.id));
        let rules = [
            (address.size == 4, "arsize must be 4: beats of 16 bytes"),
            (address.burst == 1, "arburst must be 1: INCR"),
            (address.address.is_multiple_of(u64::from(LINE_BYTES)), "araddr must be a multiple of 16"),
            (address.address % 4096 + bytes <= 4096, "a burst must not cross 4 KiB"),
            (
                address.attributes == self.rules.attributes,
                "arcache, arprot and arqos must be those configured",
            ),
            (self.unit_of(address.id) < self.rules.units as usize, "arid must name a unit"),
            (
                in_flight < self.rules.outstanding_reads as usize,
                "a unit must not have more reads in flight than axi.outstanding_reads",
            ),
        ];
        if let Some((_, rule)) = rules.iter().find(|(kept, _)| !kept) {
            return Err(Violation::new(INTERFACE, format!("{address:x?}: {rule}")));
        }
        let spread = match self.timing.latency_spread_clocks {
            0 => 0,
            clocks => self.random.random_range(0..=clocks),
        };
        let ReadAddress { id, address: start, .. } = address;
        let wait = u64::from(self.timing.latency_clocks.max(1) + spread - 1);
        let first_edge = if self.hurried == Some(id) { self.edge } else { self.edge + wait };
        let unit = self.unit_of(id);
        self.reads_by_unit[unit] += 1;
        let asked = address.beats();
        let broken = self.breaks.filter(|fault| self.breaks_left > 0 && fault.fits(asked));
        self.breaks_left -= u64::from(broken.is_some());
        self.broken += u64::from(broken.is_some());
        if broken.is_some() && self.hurries {
            self.hurried = Some(id);
        }
        let beats_left = broken.map_or(asked, |fault| fault.beats(asked));
        self.bursts.push_back(Burst { id, address: start, beats_left, first_edge, broken });
        Ok(broken)
    }

    /// Shows the next beat, if any read has waited long enough. Gives unit and line if it fails because it was told
    /// to.
    fn show_next(&mut self) -> Option<(usize, u32)> {
        let chosen = self.choose()?;
        let burst = &mut self.bursts[chosen];
        let Burst { id, address, .. } = *burst;
        burst.address += u64::from(LINE_BYTES);
        burst.beats_left -= 1;
        let (ends, left) = (burst.beats_left == 0, burst.beats_left);
        let last = burst.broken.map_or(ends, |fault| fault.last(left));
        if ends {
            self.bursts.remove(chosen);
        }
        self.shown_ends = ends;
        self.credit_bytes -= LINE_BYTES;
        let line = self.line_at(address);
        let right = line.map_or(Err(Fault::Decode), |line| self.contents.line(line));
        let fails = if right.is_ok() { self.fails_next.take() } else { None };
        let (data, response) = match fails.map_or(right, Err) {
            Ok(data) => (data, 0),
            Err(fault) => ([0xee; LINE_BYTES as usize], fault.response()),
        };
        self.shown = Some(ReadData { id, data, response, last });
        let unit = self.unit_of(id);
        line.filter(|_| fails.is_some()).map(|line| (unit, line))
    }

    /// The read whose beat is next.
    fn choose(&mut self) -> Option<usize> {
        if let Some(id) = self.hurried {
            let first = self.bursts.iter().position(|burst| burst.id == id);
            let is_due = |at: &usize| self.bursts[*at].first_edge <= self.edge;
            if let Some(first) = first.filter(is_due) {
                return Some(first);
            }
        }
        if !self.timing.reorder {
            return (self.bursts[0].first_edge <= self.edge).then_some(0);
        }
        // Of each ID only the oldest read may be answered.
        self.passed_ids.clear();
        self.candidates.clear();
        for (at, burst) in self.bursts.iter().enumerate() {
            if !self.passed_ids.contains(&burst.id) {
                self.passed_ids.push(burst.id);
                if burst.first_edge <= self.edge {
                    self.candidates.push(at);
                }
            }
        }
        match self.candidates.len() {
            0 => None,
            count => Some(self.candidates[self.random.random_range(0..count)]),
        }
    }
}

#[cfg(test)]
mod tests;
