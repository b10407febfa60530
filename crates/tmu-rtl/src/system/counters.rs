//! `counters`: what a unit counts for the control port.
//!
//! Events gather in small counters, which are added in turn to 32-bit counts in LUT RAM. A count that comes within
//! what a turn may add of its end stays at all ones; whether it has come there is found when it is written, and kept beside it. Each count
//! passes by once in 16 clocks, with its number, and so is always read whole; it lags behind the events by at most 17 clocks.
//!
//! One RAM of 16 x 33 bits.

use tmu_hdl::prelude::*;
use tmu_hdl::primitives::DistributedRam;

/// Places for counts; a power of two.
pub const PLACES: usize = 16;
/// Bits of a place's number.
pub const PLACE_BITS: usize = PLACES.ilog2() as usize;
/// Counts in use: quads, valid pixels, look-ups, repeats, hits, misses, memory beats, stalls, dropped packets.
pub const COUNTS: usize = 9;

/// Bits of a count.
const COUNT_BITS: usize = 32;

/// How fast a count rises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Increment {
    /// Bits of what is added in a clock.
    pub bits: usize,
    /// Most that is added in 16 clocks.
    pub most_in_turn: usize,
}

impl Increment {
    /// One a clock.
    pub const ONE: Increment = Increment { bits: 1, most_in_turn: PLACES };
    /// Up to four valid pixels with a quad, in all no more than one a clock.
    pub const PIXELS: Increment = Increment { bits: 3, most_in_turn: PLACES };
    /// Up to four a clock.
    pub const FOUR: Increment = Increment { bits: 3, most_in_turn: 4 * PLACES };

    /// Bits of what gathers in 16 clocks.
    const fn gathered_bits(self) -> usize {
        self.most_in_turn.ilog2() as usize + 1
    }
}

/// What is added to each count.
#[derive(Debug, Bundle)]
pub struct Events {
    quads: Net<In>,
    pixels: Net<In>,
    lookups: Net<In>,
    repeats: Net<In>,
    hits: Net<In>,
    misses: Net<In>,
    memory_beats: Net<In>,
    stalls: Net<In>,
    dropped_packets: Net<In>,
}

impl Events {
    fn new(increments: [Increment; COUNTS]) -> Events {
        let [quads, pixels, lookups, repeats, hits, misses, memory_beats, stalls, dropped_packets] =
            increments.map(|of| Net::new(of.bits));
        Events { quads, pixels, lookups, repeats, hits, misses, memory_beats, stalls, dropped_packets }
    }

    /// In the order of [`COUNTS`].
    pub fn all(&self) -> [&Net<In>; COUNTS] {
        let Events { quads, pixels, lookups, repeats, hits, misses, memory_beats, stalls, dropped_packets } =
            self;
        [quads, pixels, lookups, repeats, hits, misses, memory_beats, stalls, dropped_packets]
    }
}

/// What gathers of each count until its turn.
#[derive(Debug, Bundle)]
struct Gathered {
    quads: Reg,
    pixels: Reg,
    lookups: Reg,
    repeats: Reg,
    hits: Reg,
    misses: Reg,
    memory_beats: Reg,
    stalls: Reg,
    dropped_packets: Reg,
}

impl Gathered {
    fn new(clocks: &Clocks, increments: [Increment; COUNTS]) -> Gathered {
        let [quads, pixels, lookups, repeats, hits, misses, memory_beats, stalls, dropped_packets] =
            increments.map(|of| Reg::with_reset(clocks, of.gathered_bits(), 0));
        Gathered { quads, pixels, lookups, repeats, hits, misses, memory_beats, stalls, dropped_packets }
    }

    /// In the order of [`COUNTS`].
    fn all(&self) -> [&Reg; COUNTS] {
        let Gathered { quads, pixels, lookups, repeats, hits, misses, memory_beats, stalls, dropped_packets } =
            self;
        [quads, pixels, lookups, repeats, hits, misses, memory_beats, stalls, dropped_packets]
    }
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Counters {
    /// Clock and reset.
    pub clocks: Clocks,
    /// What is added.
    pub events: Events,
    /// The count that passes by.
    pub count: Net<Out>,
    /// Its number.
    pub number: Net<Out>,
    gathered: Gathered,
    next_place: Reg,
    place: Reg,
    turn: Reg,
    clearing: Reg,
    addend: Reg,
    before: Reg,
    before_is_near_end: Reg,
    before_place: Reg,
    sum: Reg,
    sum_place: Reg,
    ram: DistributedRam,
}

impl Counters {
    /// The counters of a unit.
    pub fn new(increments: [Increment; COUNTS]) -> Counters {
        let clocks = Clocks::new();
        let most_bits = increments.iter().map(|of| of.gathered_bits()).max().unwrap_or_default();
        Counters {
            events: Events::new(increments),
            count: Net::new(COUNT_BITS),
            number: Net::new(PLACE_BITS),
            gathered: Gathered::new(&clocks, increments),
            next_place: Reg::with_reset(&clocks, PLACE_BITS, 0),
            place: Reg::with_reset(&clocks, PLACE_BITS, 0),
            turn: Reg::with_reset(&clocks, PLACES, 1 << (PLACES - 1)),
            clearing: Reg::with_reset(&clocks, 1, 1),
            addend: Reg::new(&clocks, most_bits),
            before: Reg::new(&clocks, COUNT_BITS),
            before_is_near_end: Reg::new(&clocks, 1),
            before_place: Reg::new(&clocks, PLACE_BITS),
            sum: Reg::new(&clocks, COUNT_BITS),
            sum_place: Reg::new(&clocks, PLACE_BITS),
            ram: DistributedRam::new(PLACES, COUNT_BITS + 1),
            clocks,
        }
    }
}

/// Counts of a unit, added to in turn.
#[kernel]
impl Counters {
    fn logic(&self) {
        /// # Gather
        let next_place = self.next_place.val();
        self.next_place.next = next_place + 1;
        let place = self.place.val();
        self.place.next = next_place;
        /// One bit goes round with the place.
        self.turn.next = cat(&[self.turn.val().low(PLACES - 1), self.turn.val().high(1)]);
        let most_bits = self.addend.width();
        let mut addend = lit(most_bits, 0u32);
        for (number, (gathered, event)) in self.gathered.all().into_iter().zip(self.events.all()).enumerate()
        {
            let bits = gathered.width();
            let is_turn = self.turn.val().bit(number);
            let kept = gathered.val() & (!is_turn).repeat(bits);
            gathered.next = kept + event.val().zero_extend(bits);
            addend = addend | (gathered.val() & is_turn.repeat(bits)).zero_extend(most_bits);
        }
        self.addend.next = addend;
        /// # Add
        self.ram.clocks.follow(&self.clocks);
        self.ram.read_address.next = place;
        let read = self.ram.read_data.val();
        self.before_place.next = place;
        /// The first round after a reset begins each count anew; what has happened meanwhile counts.
        if self.clearing.val() {
            self.before.next = 0;
            self.before_is_near_end.next = 0;
        } else {
            self.before.next = read.low(COUNT_BITS);
            self.before_is_near_end.next = read.high(1);
        }
        if place.all() {
            self.clearing.next = 0;
        }
        let before = self.before.val();
        /// A count near its end gets no addend but ones in the bits below, which makes ones of all.
        let is_near_end = self.before_is_near_end.val();
        let sum = before + (self.addend.val() & (!is_near_end).repeat(most_bits)).zero_extend(COUNT_BITS);
        let low = sum.low(most_bits) | is_near_end.repeat(most_bits);
        self.sum.next = cat(&[sum.high(COUNT_BITS - most_bits), low]);
        self.sum_place.next = self.before_place.val();
        self.ram.write_enable.next = 1;
        self.ram.write_address.next = self.sum_place.val();
        let sum_is_near_end = self.sum.val().high(COUNT_BITS - most_bits).all();
        self.ram.write_data.next = cat(&[sum_is_near_end, self.sum.val()]);
        self.count.next = self.sum.val();
        self.number.next = self.sum_place.val();
    }
}
