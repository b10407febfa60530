//! `centre`: the centre of a column or row of pixels as a single, which it is exactly.
//!
//! The highest bit comes to the top by fours, then by single places.
//!
//! Latency: [`LATENCY_CLOCKS`], initiation interval 1; moves with `enable`.

use super::QUAD_BITS;
use crate::engines::pixel::words::{EXPONENT_BITS, FRACTION_BITS, SINGLE_BITS};
use tmu_hdl::pipe::Registered;
use tmu_hdl::prelude::*;

/// Clocks from a centre to its single.
pub(super) const LATENCY_CLOCKS: u32 = 3;
/// Bits of the centre of a pixel, of which one is behind the point.
pub(super) const CENTRE_BITS: usize = QUAD_BITS + 2;
/// The exponent of a centre whose highest bit is set.
const TOP_EXPONENT: u32 = 127 + CENTRE_BITS as u32 - 2;

/// See the module's documentation.
#[derive(LogicBlock)]
pub(super) struct Centre {
    pub(super) clocks: Clocks,
    pub(super) enable: Net<In>,
    /// The centre, whose lowest bit is set.
    pub(super) centre: Net<In>,
    /// The single of so many enabled clocks before.
    pub(super) single: Net<Out>,
    held: Reg,
    fours: Reg,
    moved: Reg,
    moved_by: Reg,
    exponent: Reg,
    fraction: Reg,
}

impl Centre {
    pub(super) fn new() -> Centre {
        let clocks = Clocks::without_reset();
        Centre {
            enable: Net::bit(),
            centre: Net::new(CENTRE_BITS),
            single: Net::new(SINGLE_BITS),
            held: Reg::new(&clocks, CENTRE_BITS),
            fours: Reg::new(&clocks, 2),
            moved: Reg::new(&clocks, CENTRE_BITS),
            moved_by: Reg::new(&clocks, 2),
            exponent: Reg::new(&clocks, EXPONENT_BITS),
            fraction: Reg::new(&clocks, CENTRE_BITS - 1),
            clocks,
        }
    }
}

/// How many times a number is to go up by so many places, at most three, for a one in the highest of them: two bits.
#[kernel]
fn times(number: Bits, places: usize) -> Bits {
    let twice = !number.high(2 * places).any();
    let behind = number.slice(number.width() - 3 * places, places);
    let once = if twice { !behind.any() } else { !number.high(places).any() };
    cat(&[twice, once])
}

/// Centres to singles.
#[kernel]
impl Centre {
    fn logic(&self) {
        timing(LATENCY_CLOCKS, 1);
        let (centre, fours, moved) = (self.centre.val(), self.fours.val(), self.moved.val());
        let ones = times(moved, 1);
        let last = moved << ones;
        discard(last.high(1), "the one in front");
        if self.enable.val() {
            self.held.next = centre;
            self.fours.next = times(centre, 4);
            self.moved.next = self.held.val() << cat(&[fours, lit(2, 0u32)]);
            self.moved_by.next = fours;
            let zeros = cat(&[self.moved_by.val(), ones]).zero_extend(EXPONENT_BITS);
            self.exponent.next = lit(EXPONENT_BITS, TOP_EXPONENT) - zeros;
            self.fraction.next = last.low(CENTRE_BITS - 1);
        }
        let below = lit(FRACTION_BITS + 1 - CENTRE_BITS, 0u32);
        self.single.next = cat(&[lit(1, 0u32), self.exponent.val(), self.fraction.val(), below]);
    }
}

impl Registered for Centre {
    type Input = Bits;
    type Output = Bits;
    fn moves(&self) -> usize {
        LATENCY_CLOCKS as usize
    }
    fn connect(&self, clocks: &Clocks, advance: Bits, centre: Bits) -> Bits {
        self.clocks.follow(clocks);
        self.enable.drive(advance);
        self.centre.drive(centre);
        self.single.val()
    }
}
