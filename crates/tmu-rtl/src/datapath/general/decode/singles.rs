//! IEEE singles of other numbers: of halves, exactly, and of the bytes of a border, which stand for v / 255.
//!
//! Both find the highest bit that is set first, and shift in the next stage.

use crate::datapath::blocks::select::table;
use tmu_hdl::prelude::*;

/// Bits of the fraction of a half.
const HALF_FRACTION_BITS: usize = 10;
/// Bits of its exponent.
const HALF_EXPONENT_BITS: usize = 5;
/// Bits of the fraction of a single.
const FRACTION_BITS: usize = 23;
/// Exponent of the single 2^-14, the least half that is not denormal.
const LEAST_EXPONENT: u64 = 127 - 14;
/// A shift of nothing, which is none of a denormal half.
const NO_SHIFT: u64 = 15;

/// A half whose highest bit has been found.
#[derive(Clone, Debug, Record)]
pub(super) struct Half<T = Bits> {
    sign: T,
    /// Exponent of the single, where it is not denormal.
    exponent: T,
    is_denormal: T,
    /// How far the fraction moves up; where there is nothing to move [`NO_SHIFT`].
    shift: T,
    fraction: T,
}

/// The parts of a half.
#[kernel]
pub(super) fn half(half: Bits) -> Half {
    let fraction = half.low(HALF_FRACTION_BITS);
    let exponent = half.slice(HALF_FRACTION_BITS, HALF_EXPONENT_BITS);
    let (top, is_denormal) = (exponent.high(1), exponent == 0);
    /// The exponent is 112 more, or stands for infinities and what is no number.
    let upper = cat(&[top, (!top).repeat(3)]);
    let mut shift = lit(4, NO_SHIFT);
    for place in 0..HALF_FRACTION_BITS {
        shift = if fraction.bit(place) { lit(4, (HALF_FRACTION_BITS - place) as u64) } else { shift };
    }
    Half {
        sign: half.high(1),
        exponent: cat(&[upper, exponent.low(4)]) | exponent.all().repeat(8),
        is_denormal,
        shift: shift & is_denormal.repeat(4),
        fraction,
    }
}

impl Half {
    /// The single of the same value.
    #[kernel]
    pub(super) fn single(&self) -> Bits {
        let of_shift = |shift: u64| {
            if shift == NO_SHIFT { 0 } else { (LEAST_EXPONENT - shift.min(LEAST_EXPONENT)) & 0xff }
        };
        let of_denormal = table(self.shift, 8, of_shift);
        let exponent = if self.is_denormal { of_denormal } else { self.exponent };
        let moved = (0..4).fold(self.fraction, |fraction, place| {
            if self.shift.bit(place) { fraction << (1usize << place) } else { fraction }
        });
        cat(&[self.sign, exponent, moved, lit(FRACTION_BITS - HALF_FRACTION_BITS, 0u32)])
    }
}

/// How far a byte is turned round until its highest bit that is set is on top.
#[kernel]
pub(super) fn turns(byte: Bits) -> Bits {
    let mut turns = lit(3, 0u32);
    for place in 0..8usize {
        turns = if byte.bit(place) { lit(3, 7 - place as u64) } else { turns };
    }
    turns
}

/// A byte that is turned round until its highest bit that is set is on top.
#[derive(Clone, Debug, Record)]
pub(super) struct Byte<T = Bits> {
    is_none: T,
    /// Exponent of the single.
    exponent: T,
    turned: T,
}

/// The parts of a byte, with its [`turns`].
#[kernel]
pub(super) fn byte(byte: Bits, turns: Bits) -> Byte {
    let turned = (0..3).fold(byte, |byte, place| {
        let turn = 1usize << place;
        if turns.bit(place) { cat(&[byte.low(8 - turn), byte.high(turn)]) } else { byte }
    });
    /// Only 255 is a whole one.
    let exponent =
        table(cat(&[byte.all(), turns]), 8, |entry| if entry >> 3 == 1 { 127 } else { 126 - entry });
    Byte { is_none: !byte.any(), exponent, turned }
}

impl Byte {
    /// The single next to v / 255, whose digits in base 256 are all v: so the fraction is the byte over and over, and what is cut off
    /// is always more than a half.
    #[kernel]
    pub(super) fn single(&self) -> Bits {
        let last = self.turned + 1;
        let is_whole = self.turned.all();
        let upper = self.turned & (!is_whole).repeat(8);
        let single = cat(&[lit(1, 0u32), self.exponent, upper.low(7), upper, last]);
        single & (!self.is_none).repeat(single.width())
    }
}
