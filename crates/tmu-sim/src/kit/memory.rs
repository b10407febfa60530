//! Memory at an AXI4 port that reads and writes.

use super::pauses::{Pauser, Pauses};
use crate::error::Violation;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;
use std::ops::Range;

const INTERFACE: &str = "m_axi";
/// Bytes of a transfer.
const BEAT_BYTES: u64 = 16;

/// An address as the manager shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Address {
    pub(super) id: u32,
    pub(super) address: u64,
    pub(super) len: u8,
    pub(super) size: u8,
    pub(super) burst: u8,
}

/// Data to be written as the manager shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WriteBeat {
    pub(super) data: u128,
    pub(super) strobes: u16,
    pub(super) last: bool,
}

/// What the manager shows before an edge.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Shown {
    pub(super) read: Option<Address>,
    pub(super) read_ready: bool,
    pub(super) write: Option<Address>,
    pub(super) beat: Option<WriteBeat>,
    pub(super) response_ready: bool,
}

/// Data that was read.
#[derive(Debug, Clone, Copy)]
pub(super) struct ReadBeat {
    pub(super) id: u32,
    pub(super) data: u128,
    pub(super) response: u8,
    pub(super) last: bool,
}

/// What memory drives.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Driven {
    pub(super) read_ready: bool,
    pub(super) read: Option<ReadBeat>,
    pub(super) write_ready: bool,
    pub(super) beat_ready: bool,
    /// ID and response.
    pub(super) response: Option<(u32, u8)>,
}

/// How memory answers what lies in a range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Addresses.
    pub addresses: Range<u64>,
    /// RRESP of what is read there, and BRESP of bursts that write there: 2 SLVERR, 3 DECERR.
    pub response: u8,
    /// Whether reads are answered so.
    pub reads: bool,
    /// Whether writes are.
    pub writes: bool,
}

/// Pauses and latency.
#[derive(Debug, Clone, Copy, Default)]
pub struct MemoryPauses {
    /// Pauses of every signal that memory drives.
    pub pauses: Pauses,
    /// Most clocks from an address to the first data or the response.
    pub latency_clocks: u64,
}

/// A burst that was taken on.
#[derive(Debug)]
struct Burst {
    address: Address,
    /// Transfers so far.
    done: u64,
    /// Transfers that come: of a broken read others than were asked for.
    beats: u64,
    first_edge: u64,
}

/// Bytes from an address on, with the rules of AXI4 for whoever accesses them.
#[derive(Debug)]
pub struct Memory {
    base: u64,
    bytes: Vec<u8>,
    answers: Vec<Answer>,
    timing: MemoryPauses,
    /// Transfers more or fewer that the next read is answered with.
    breaks: i64,
    edge: u64,
    before: Shown,
    driven: Driven,
    reads: VecDeque<Burst>,
    writes: VecDeque<Burst>,
    /// Writes without a response: their burst, the response, when.
    written: VecDeque<(u32, u8, u64)>,
    pausers: [Pauser; 5],
    random: ChaCha8Rng,
}

impl Memory {
    /// Memory with these bytes from `base` on, a multiple of 16. What lies elsewhere answers DECERR.
    #[must_use]
    pub fn new(base: u64, bytes: Vec<u8>, timing: MemoryPauses, seed: u64) -> Self {
        Self {
            base,
            bytes,
            answers: vec![],
            timing,
            breaks: 0,
            edge: 0,
            before: Shown::default(),
            driven: Driven::default(),
            reads: VecDeque::new(),
            writes: VecDeque::new(),
            written: VecDeque::new(),
            pausers: [1, 2, 3, 4, 5].map(|number| Pauser::new(timing.pauses, seed ^ number)),
            random: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    /// What it holds.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The same, to be changed while nothing is under way.
    pub const fn bytes_mut(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    /// Answers accesses so from now on, and others well.
    pub fn answer(&mut self, answers: Vec<Answer>) {
        self.answers = answers;
    }

    /// Answers the next read of several transfers with so many more, or fewer.
    pub const fn break_next_read(&mut self, by: i64) {
        self.breaks = by;
    }

    /// Whether anything has been asked for and not been answered.
    #[must_use]
    pub fn busy(&self) -> bool {
        !self.reads.is_empty()
            || !self.writes.is_empty()
            || !self.written.is_empty()
            || self.driven.read.is_some()
    }

    /// Forgets what is under way, as an interconnect does that is reset with its manager.
    pub fn clear(&mut self) {
        (self.before, self.driven) = (Shown::default(), Driven::default());
        self.reads.clear();
        self.writes.clear();
        self.written.clear();
    }

    pub(super) const fn driven(&self) -> &Driven {
        &self.driven
    }

    /// A rising edge.
    ///
    /// # Errors
    /// The rule that the manager broke.
    pub(super) fn clock(&mut self, shown: Shown) -> Result<(), Violation> {
        self.edge += 1;
        self.check_stability(&shown)?;
        if let Some(address) = shown.read.filter(|_| self.driven.read_ready) {
            let mut burst = self.burst(address, "araddr")?;
            if burst.beats > 1 && self.breaks != 0 {
                burst.beats = (burst.beats as i64 + std::mem::take(&mut self.breaks)) as u64;
            }
            self.reads.push_back(burst);
        }
        if let Some(address) = shown.write.filter(|_| self.driven.write_ready) {
            let burst = self.burst(address, "awaddr")?;
            self.writes.push_back(burst);
        }
        if let Some(beat) = shown.beat.filter(|_| self.driven.beat_ready) {
            self.write(beat)?;
        }
        if shown.read_ready {
            self.driven.read = None;
        }
        if shown.response_ready {
            self.driven.response = None;
        }
        let taken = &self.driven;
        self.before = Shown {
            read: shown.read.filter(|_| !taken.read_ready),
            write: shown.write.filter(|_| !taken.write_ready),
            beat: shown.beat.filter(|_| !taken.beat_ready),
            ..Shown::default()
        };
        self.drive();
        Ok(())
    }

    fn check_stability(&self, shown: &Shown) -> Result<(), Violation> {
        let Shown { read, write, beat, .. } = self.before;
        for (channel, changed) in [
            ("ar", read.is_some() && read != shown.read),
            ("aw", write.is_some() && write != shown.write),
            ("w", beat.is_some() && beat != shown.beat),
        ] {
            if changed {
                return Err(Violation::new(INTERFACE, format!("{channel} changed while it waited")));
            }
        }
        Ok(())
    }

    fn burst(&mut self, address: Address, signal: &str) -> Result<Burst, Violation> {
        let beats = u64::from(address.len) + 1;
        let rules = [
            (address.size == 4, "a transfer has 16 bytes"),
            (address.burst == 1, "bursts are INCR"),
            (address.address.is_multiple_of(BEAT_BYTES), "addresses are multiples of 16"),
            (address.address % 4096 + beats * BEAT_BYTES <= 4096, "a burst must not cross 4 KiB"),
        ];
        if let Some((_, rule)) = rules.iter().find(|(kept, _)| !kept) {
            return Err(Violation::new(INTERFACE, format!("{signal} {address:x?}: {rule}")));
        }
        let first_edge = self.edge + self.random.random_range(0..=self.timing.latency_clocks);
        Ok(Burst { address, done: 0, beats, first_edge })
    }

    /// Bytes of the transfer at an address; none outside.
    fn place(&self, address: u64) -> Option<Range<usize>> {
        let start = usize::try_from(address.checked_sub(self.base)?).ok()?;
        let end = start + BEAT_BYTES as usize;
        (end <= self.bytes.len()).then_some(start..end)
    }

    fn response(&self, address: u64, is_write: bool) -> u8 {
        let found = self.answers.iter().find(|answer| {
            answer.addresses.contains(&address) && if is_write { answer.writes } else { answer.reads }
        });
        let place = if self.place(address).is_some() { 0 } else { 3 };
        found.map_or(place, |answer| answer.response)
    }

    fn write(&mut self, beat: WriteBeat) -> Result<(), Violation> {
        let Some(burst) = self.writes.front_mut() else {
            return Err(Violation::new(INTERFACE, "wvalid rose before the address was taken"));
        };
        let at = burst.address.address + burst.done * BEAT_BYTES;
        burst.done += 1;
        let ends = burst.done == burst.beats;
        if beat.last != ends {
            return Err(Violation::new(INTERFACE, "wlast is not where awlen says"));
        }
        let (first, id) = (burst.address.address, burst.address.id);
        if self.response(at, true) == 0
            && let Some(place) = self.place(at)
        {
            for (byte, to) in self.bytes[place].iter_mut().enumerate() {
                if beat.strobes >> byte & 1 == 1 {
                    *to = (beat.data >> (8 * byte)) as u8;
                }
            }
        }
        if ends {
            self.writes.pop_front();
            let addresses = (first..=at).step_by(BEAT_BYTES as usize);
            let worst = addresses.map(|address| self.response(address, true)).max().unwrap_or(0);
            let edge = self.edge + self.random.random_range(0..=self.timing.latency_clocks);
            self.written.push_back((id, worst, edge));
        }
        Ok(())
    }

    fn drive(&mut self) {
        let paused = self.pausers.each_mut().map(Pauser::paused);
        self.driven.read_ready = !paused[0];
        self.driven.write_ready = !paused[1];
        // Data is taken when its address has been.
        self.driven.beat_ready = !paused[2] && !self.writes.is_empty();
        if self.driven.read.is_none() && !paused[3] {
            self.driven.read = self.next_read();
        }
        if self.driven.response.is_none() && !paused[4] {
            let due = self.written.front().is_some_and(|(.., edge)| *edge <= self.edge);
            let next = if due { self.written.pop_front() } else { None };
            self.driven.response = next.map(|(id, response, _)| (id, response));
        }
    }

    fn next_read(&mut self) -> Option<ReadBeat> {
        let edge = self.edge;
        let burst = self.reads.front_mut().filter(|burst| burst.first_edge <= edge)?;
        let at = burst.address.address + burst.done * BEAT_BYTES;
        let id = burst.address.id;
        burst.done += 1;
        let last = burst.done == burst.beats;
        if last {
            self.reads.pop_front();
        }
        let response = self.response(at, false);
        let bytes = self.place(at).filter(|_| response == 0);
        let data = bytes.map_or(0, |place| {
            let (words, _) = self.bytes[place].as_chunks();
            u128::from_le_bytes(words[0])
        });
        Some(ReadBeat { id, data, response, last })
    }
}
