//! The read channels.
//!
//! Latency L means: an address taken at edge n can give its first data at edge n + L, L at least 1. Latencies of
//! different reads pass side by side, so any number of reads in flight gives a beat a clock; the beats of a burst
//! follow each other. Reads of one ID are answered in order; those of others may overtake and interleave. Checks
//! what a manager has to keep: an address stays until it is taken, bursts are INCR of whole 16-byte beats within
//! 4 KiB, attributes are those configured, no ID has more reads in flight than configured. A read is in flight
//! from the edge that takes its address to the one that takes its last beat.

use crate::kit::error::Violation;
use crate::kit::memory::address::{Address, AddressChannel, INTERFACE, PortRules};
use crate::kit::memory::contents::{Contents, Fault, Line};
use crate::kit::memory::length_fault::LengthFault;
use crate::kit::memory::timing::MemoryTiming;
use crate::kit::pauses::Pauser;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;
use tmu_spec::LINE_BYTES;

/// A transfer of the read data channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadData {
    /// `rid`.
    pub id: u32,
    /// `rdata`.
    pub data: Line,
    /// `rresp`: 0 OKAY, 2 SLVERR, 3 DECERR.
    pub response: u8,
    /// `rlast`.
    pub last: bool,
}

/// What happened at an edge to reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MemoryEvents {
    /// An address was taken.
    pub taken: Option<Address>,
    /// Its answer will be of the wrong length in this way.
    pub broken: Option<LengthFault>,
    /// Data was given.
    pub given: bool,
    /// Channel and address of a beat that fails because it was told to, shown from now on.
    pub failed: Option<(usize, u64)>,
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

/// The read half of memory.
#[derive(Debug)]
pub(super) struct Reads {
    timing: MemoryTiming,
    rules: PortRules,
    edge: u64,
    /// In the order in which their addresses came.
    bursts: VecDeque<Burst>,
    /// Bytes that may be given now.
    credit_bytes: u32,
    address_ready: bool,
    channel: AddressChannel,
    shown: Option<ReadData>,
    /// What is shown ends a read, whatever RLAST says.
    shown_ends: bool,
    address_pauser: Pauser,
    data_pauser: Pauser,
    random: ChaCha8Rng,
    beats_by_channel: Vec<u64>,
    /// How the next beat fails that would have been right.
    fails_next: Option<Fault>,
    /// How the answers to the next reads are of the wrong length, and of how many.
    breaks: Option<LengthFault>,
    breaks_left: u64,
    broken: u64,
    /// Behind the next answer of the wrong length nothing waits; see [`Reads::break_next_answer`].
    hurries: bool,
    /// The ID that is answered before all others, and at once.
    hurried: Option<u32>,
    /// Working memory of [`Reads::choose`]: IDs that were passed, and reads that could be answered.
    passed_ids: Vec<u32>,
    candidates: Vec<usize>,
}

impl Reads {
    pub(super) fn new(rules: PortRules, timing: MemoryTiming, seed: u64) -> Self {
        Self {
            timing,
            beats_by_channel: vec![0; rules.read_channels as usize],
            rules,
            edge: 0,
            bursts: VecDeque::new(),
            credit_bytes: 0,
            address_ready: false,
            channel: AddressChannel::default(),
            shown: None,
            shown_ends: false,
            address_pauser: Pauser::new(timing.pauses, seed ^ 1),
            data_pauser: Pauser::new(timing.pauses, seed ^ 2),
            random: ChaCha8Rng::seed_from_u64(seed ^ 3),
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

    pub(super) const fn channel_of(&self, id: u32) -> usize {
        self.rules.channel_of(id)
    }

    pub(super) fn clear(&mut self) {
        self.bursts.clear();
        self.channel.clear();
        self.shown = None;
        self.address_ready = false;
    }

    pub(super) const fn fail_next(&mut self, fault: Option<Fault>) {
        self.fails_next = fault;
    }

    pub(super) const fn break_answers(&mut self, fault: LengthFault, count: u64) {
        self.breaks = Some(fault);
        self.breaks_left = count;
    }

    /// See [`super::Memory::break_next_answer`].
    pub(super) const fn break_next_answer(&mut self, fault: LengthFault) {
        self.break_answers(fault, 1);
        self.hurries = true;
    }

    pub(super) const fn mend(&mut self) {
        self.breaks = None;
        self.breaks_left = 0;
        self.hurries = false;
        self.hurried = None;
    }

    pub(super) const fn broken_answers(&self) -> u64 {
        self.broken
    }

    /// Reads whose data has not been taken to the end.
    pub(super) fn outstanding(&self) -> usize {
        self.bursts.len() + usize::from(self.shown.is_some() && self.shown_ends)
    }

    pub(super) fn beats_by_channel(&self) -> &[u64] {
        &self.beats_by_channel
    }

    pub(super) const fn address_ready(&self) -> bool {
        self.address_ready
    }

    pub(super) const fn shown(&self) -> Option<&ReadData> {
        self.shown.as_ref()
    }

    /// A rising edge: `address` is what the read address channel showed before it, if it was valid, and
    /// `data_ready` is `rready`.
    ///
    /// # Errors
    /// If the address channel broke a rule.
    pub(super) fn clock(
        &mut self,
        contents: &impl Contents,
        address: Option<Address>,
        data_ready: bool,
    ) -> Result<MemoryEvents, Violation> {
        self.edge += 1;
        let mut events = MemoryEvents::default();
        if let Some(data) = self.shown.filter(|_| data_ready) {
            let channel = self.channel_of(data.id);
            self.beats_by_channel[channel] += 1;
            self.shown = None;
            events.given = true;
        }
        events.taken = self.channel.clock("ar", address, self.address_ready)?;
        if let Some(address) = events.taken {
            events.broken = self.accept(address)?;
        }
        self.credit_bytes = (self.credit_bytes + self.timing.bytes_per_clock).min(2 * LINE_BYTES);
        if self.shown.is_none()
            && !self.bursts.is_empty()
            && self.credit_bytes >= LINE_BYTES
            && (!self.data_pauser.paused() || self.hurried.is_some())
        {
            events.failed = self.show_next(contents);
        }
        self.address_ready = !self.address_pauser.paused() || self.hurried.is_some();
        Ok(events)
    }

    /// Takes a read on. Gives how its answer will be of the wrong length, if it will.
    fn accept(&mut self, address: Address) -> Result<Option<LengthFault>, Violation> {
        self.rules.check("ar", &address)?;
        // The bits of an ID above the channel's tell reads from before a soft reset apart.
        let in_flight = self.bursts.iter().filter(|burst| burst.id == address.id).count()
            + usize::from(self.shown_ends && self.shown.is_some_and(|data| data.id == address.id));
        let rules = [
            (self.channel_of(address.id) < self.beats_by_channel.len(), "arid must name a channel"),
            (
                in_flight < self.rules.reads_in_flight(address.id),
                "a channel must not have more reads in flight than it was built for, a texture unit axi.outstanding_reads",
            ),
        ];
        if let Some((_, rule)) = rules.iter().find(|(kept, _)| !kept) {
            return Err(Violation::new(INTERFACE, format!("{address:x?}: {rule}")));
        }
        let spread = match self.timing.latency_spread_clocks {
            0 => 0,
            clocks => self.random.random_range(0..=clocks),
        };
        let Address { id, address: start, .. } = address;
        let wait = u64::from(self.timing.latency_clocks.max(1) + spread - 1);
        let first_edge = if self.hurried == Some(id) { self.edge } else { self.edge + wait };
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

    /// Shows the next beat, if any read has waited long enough. Gives channel and address if it fails because it was told
    /// to.
    fn show_next(&mut self, contents: &impl Contents) -> Option<(usize, u64)> {
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
        let right = contents.read(address);
        let fails = if right.is_ok() { self.fails_next.take() } else { None };
        let (data, response) = match fails.map_or(right, Err) {
            Ok(data) => (data, 0),
            Err(fault) => ([0xee; LINE_BYTES as usize], fault.response()),
        };
        self.shown = Some(ReadData { id, data, response, last });
        fails.map(|_| (self.channel_of(id), address))
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
