//! `counters`: what a unit counts for the control port.
//!
//! Events gather in small counters, which are added in turn to 32-bit counts in LUT RAM. A count that comes within
//! 32 of its end stays at all ones. Each count passes by once in 16 clocks, with its number, and so is always read
//! whole; it lags behind the events by at most 17 clocks.
//!
//! One RAM of 16 x 32 bits.

use tmu_hdl::prelude::*;
use tmu_hdl::primitives::DistributedRam;

/// Places for counts; a power of two.
pub const PLACES: usize = 16;
/// Bits of a place's number.
pub const PLACE_BITS: usize = PLACES.ilog2() as usize;
/// Counts in use: quads, valid pixels, look-ups, repeats, hits, misses, memory beats, stalls, dropped packets.
pub const COUNTS: usize = 9;
/// Bits of what gathers in 16 clocks.
const GATHERED_BITS: usize = 5;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Counters {
    /// Clock and reset.
    pub clocks: Clocks,
    /// One event a bit, in the order of [`COUNTS`], without the valid pixels.
    pub events: Net<In>,
    /// Valid pixels of a quad that enters, 0 to 4.
    pub pixels: Net<In>,
    /// The count that passes by.
    pub count: Net<Out>,
    /// Its number.
    pub number: Net<Out>,
    gathered: Vec<Reg>,
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
    pub fn new() -> Counters {
        let clocks = Clocks::new();
        Counters {
            events: Net::new(COUNTS - 1),
            pixels: Net::new(3),
            count: Net::new(32),
            number: Net::new(PLACE_BITS),
            gathered: (0..COUNTS).map(|_| Reg::with_reset(&clocks, GATHERED_BITS, 0)).collect(),
            next_place: Reg::with_reset(&clocks, PLACE_BITS, 0),
            place: Reg::with_reset(&clocks, PLACE_BITS, 0),
            turn: Reg::with_reset(&clocks, PLACES, 1 << (PLACES - 1)),
            clearing: Reg::with_reset(&clocks, 1, 1),
            addend: Reg::new(&clocks, GATHERED_BITS),
            before: Reg::new(&clocks, 32),
            before_is_near_end: Reg::new(&clocks, 1),
            before_place: Reg::new(&clocks, PLACE_BITS),
            sum: Reg::new(&clocks, 32),
            sum_place: Reg::new(&clocks, PLACE_BITS),
            ram: DistributedRam::new(PLACES, 32),
            clocks,
        }
    }
}

impl Default for Counters {
    fn default() -> Self {
        Counters::new()
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
        let mut addend = lit(GATHERED_BITS, 0u32);
        for (number, gathered) in self.gathered.iter().enumerate() {
            let event = match number {
                1 => self.pixels.val().zero_extend(GATHERED_BITS),
                0 => self.events.val().bit(0).zero_extend(GATHERED_BITS),
                _ => self.events.val().bit(number - 1).zero_extend(GATHERED_BITS),
            };
            let is_turn = self.turn.val().bit(number);
            let kept = gathered.val() & (!is_turn).repeat(GATHERED_BITS);
            gathered.next = kept + event;
            addend = addend | (gathered.val() & is_turn.repeat(GATHERED_BITS));
        }
        self.addend.next = addend;
        /// # Add
        self.ram.clocks.follow(&self.clocks);
        self.ram.read_address.next = place;
        let read = self.ram.read_data.val();
        self.before_is_near_end.next = read.high(32 - GATHERED_BITS).all();
        self.before_place.next = place;
        /// The first round after a reset begins each count anew; what has happened meanwhile counts.
        if self.clearing.val() {
            self.before.next = 0;
            self.before_is_near_end.next = 0;
        } else {
            self.before.next = read;
        }
        if place.all() {
            self.clearing.next = 0;
        }
        let before = self.before.val();
        /// A count near its end gets no addend but ones in the bits below, which makes ones of all.
        let is_near_end = self.before_is_near_end.val();
        let sum = before + (self.addend.val() & (!is_near_end).repeat(GATHERED_BITS)).zero_extend(32);
        let low = sum.low(GATHERED_BITS) | is_near_end.repeat(GATHERED_BITS);
        self.sum.next = cat(&[sum.high(32 - GATHERED_BITS), low]);
        self.sum_place.next = self.before_place.val();
        self.ram.write_enable.next = 1;
        self.ram.write_address.next = self.sum_place.val();
        self.ram.write_data.next = self.sum.val();
        self.count.next = self.sum.val();
        self.number.next = self.sum_place.val();
    }
}
