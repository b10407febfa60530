//! The write channels: bursts one after the other, answered in order.
//!
//! Latency means: the response can be given so many edges after the one that takes the last data.

use crate::kit::error::Violation;
use crate::kit::memory::address::{Address, AddressChannel, INTERFACE, PortRules};
use crate::kit::memory::contents::{Contents, Fault, Line};
use crate::kit::memory::timing::MemoryTiming;
use crate::kit::pauses::Pauser;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;
use tmu_spec::LINE_BYTES;

/// A transfer of the write data channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriteBeat {
    /// `wdata`.
    pub data: Line,
    /// `wstrb`.
    pub strobes: u16,
    /// `wlast`.
    pub last: bool,
}

/// A transfer of the write response channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Response {
    /// `bid`.
    pub id: u32,
    /// `bresp`.
    pub response: u8,
}

/// A burst whose data has not come to the end.
#[derive(Debug)]
struct Burst {
    id: u32,
    /// Of the next beat.
    address: u64,
    beats_left: u32,
    /// The worst of its beats so far.
    fault: Option<Fault>,
}

/// The write half of memory.
#[derive(Debug)]
pub(super) struct Writes {
    rules: PortRules,
    timing: MemoryTiming,
    edge: u64,
    channel: AddressChannel,
    /// Data that was shown and not taken.
    waiting: Option<WriteBeat>,
    bursts: VecDeque<Burst>,
    /// Responses that are due, each with its edge.
    due: VecDeque<(Response, u64)>,
    address_ready: bool,
    beat_ready: bool,
    shown: Option<Response>,
    pausers: [Pauser; 3],
    random: ChaCha8Rng,
}

impl Writes {
    pub(super) fn new(rules: PortRules, timing: MemoryTiming, seed: u64) -> Self {
        Self {
            rules,
            timing,
            edge: 0,
            channel: AddressChannel::default(),
            waiting: None,
            bursts: VecDeque::new(),
            due: VecDeque::new(),
            address_ready: false,
            beat_ready: false,
            shown: None,
            pausers: [4, 5, 6].map(|number| Pauser::new(timing.pauses, seed ^ number)),
            random: ChaCha8Rng::seed_from_u64(seed ^ 7),
        }
    }

    pub(super) fn clear(&mut self) {
        self.channel.clear();
        self.waiting = None;
        self.bursts.clear();
        self.due.clear();
        self.shown = None;
        (self.address_ready, self.beat_ready) = (false, false);
    }

    pub(super) fn busy(&self) -> bool {
        !self.bursts.is_empty() || !self.due.is_empty() || self.shown.is_some()
    }

    pub(super) const fn address_ready(&self) -> bool {
        self.address_ready
    }

    pub(super) const fn beat_ready(&self) -> bool {
        self.beat_ready
    }

    pub(super) const fn shown(&self) -> Option<Response> {
        self.shown
    }

    /// A rising edge, with what was shown before it.
    pub(super) fn clock(
        &mut self,
        contents: &mut impl Contents,
        address: Option<Address>,
        beat: Option<WriteBeat>,
        response_ready: bool,
    ) -> Result<(), Violation> {
        self.edge += 1;
        if self.waiting.is_some() && self.waiting != beat {
            return Err(Violation::new(
                INTERFACE,
                "wvalid, wdata, wstrb or wlast changed while wready was low",
            ));
        }
        if let Some(taken) = self.channel.clock("aw", address, self.address_ready)? {
            self.rules.check("aw", &taken)?;
            let Address { id, address, .. } = taken;
            self.bursts.push_back(Burst { id, address, beats_left: taken.beats(), fault: None });
        }
        if let Some(beat) = beat.filter(|_| self.beat_ready) {
            self.take(contents, beat)?;
        }
        self.waiting = beat.filter(|_| !self.beat_ready);
        if response_ready {
            self.shown = None;
        }
        self.drive();
        Ok(())
    }

    /// Writes a beat of the first burst.
    fn take(&mut self, contents: &mut impl Contents, beat: WriteBeat) -> Result<(), Violation> {
        let Some(burst) = self.bursts.front_mut() else { return Ok(()) };
        burst.beats_left -= 1;
        if beat.last != (burst.beats_left == 0) {
            return Err(Violation::new(INTERFACE, "wlast is not where awlen says"));
        }
        let fault = contents.write(burst.address, &beat.data, beat.strobes).err();
        burst.fault = burst.fault.max(fault);
        burst.address += u64::from(LINE_BYTES);
        if beat.last {
            let response = Response { id: burst.id, response: burst.fault.map_or(0, Fault::response) };
            let spread = self.random.random_range(0..=self.timing.latency_spread_clocks);
            let wait = self.timing.latency_clocks.max(1) + spread - 1;
            self.due.push_back((response, self.edge + u64::from(wait)));
            self.bursts.pop_front();
        }
        Ok(())
    }

    fn drive(&mut self) {
        let [address, beat, response] = self.pausers.each_mut().map(Pauser::paused);
        self.address_ready = !address;
        // Data is taken when its address has been.
        self.beat_ready = !beat && !self.bursts.is_empty();
        let is_due = self.due.front().is_some_and(|(_, edge)| *edge <= self.edge);
        if self.shown.is_none() && !response && is_due {
            self.shown = self.due.pop_front().map(|(response, _)| response);
        }
    }
}
