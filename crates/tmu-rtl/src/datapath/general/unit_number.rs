//! IEEE singles from 0 to 1 as unsigned numbers: `floor(x · (2^n − 1) + 0.5)`, limited to 0 … 1 before, exactly.
//!
//! A single below 1 is a significand of 24 bits and a power of two. The multiplier brings it to 24 + n places behind the point, which
//! hold it wherever the number is not 0. What is left is a difference: x · 2^n − x.
//!
//! Four pieces between which a pipe may have its registers: the difference has 25 + n places, so that numbers of more than 16 bits have one
//! in the middle of it. Cost: a DSP slice, and about 2n + 40 LUTs.

use super::words::NUMBER_BITS;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{Multiplier, Operand};

/// Bits of a fraction as it is stored.
const FRACTION_BITS: usize = 23;
/// Bits of an exponent.
const EXPONENT_BITS: usize = 8;
/// Bits of a significand.
const SIGNIFICAND_BITS: usize = FRACTION_BITS + 1;
/// The exponent of numbers from 1 to 2.
const ONE_EXPONENT: u32 = 127;
/// Most places that the multiplier moves a significand up.
const MOST_PLACES: usize = 16;
/// Low bits of an exponent that tell numbers apart which do not become 0.
const NEAR_BITS: usize = 5;

/// What a single is, beside its significand.
#[derive(Clone, Debug, Record)]
pub(super) struct Class<T = Bits> {
    /// It is no number.
    pub(super) is_nan: T,
    /// It is 1 or more.
    pub(super) is_over: T,
    /// It moves up by eight places more.
    pub(super) is_upper: T,
}

/// The multiplier for numbers of `number_bits` bits at most.
pub(super) fn multiplier(number_bits: usize) -> Multiplier {
    let places = number_bits.min(MOST_PLACES);
    Multiplier::new(Operand::unsigned(SIGNIFICAND_BITS), Operand::unsigned(places + 1))
}

/// What goes into the multiplier, and what the single is.
#[kernel]
pub(super) fn factors(single: Bits, number_bits: usize) -> ((Bits, Bits), Class) {
    let is_negative = single.bit(NUMBER_BITS - 1);
    let exponent = single.slice(FRACTION_BITS, EXPONENT_BITS);
    let fraction = single.low(FRACTION_BITS);
    let is_past = exponent.high(1) || exponent.low(EXPONENT_BITS - 1).all();
    /// Below, less than half of the last place is left. Both limits are LUTs, without a carry chain.
    let least = ONE_EXPONENT - 1 - number_bits as u32;
    let is_near = !is_negative && !exponent.high(1) && is_between(exponent, least, ONE_EXPONENT);
    let places = number_bits.min(MOST_PLACES);
    let more = (number_bits - places) as u32;
    let code = exponent.low(NEAR_BITS);
    let is = |exponent: u32| code == u64::from(exponent % (1 << NEAR_BITS));
    let power = (0..=places as u32).map(|place| {
        let upper = is(least + more + place);
        let is_here = if place < more { upper || is(least + place) } else { upper };
        is_near && is_here
    });
    let power = stack(power);
    let is_nan = exponent.all() && fraction.any();
    let class = Class {
        is_nan,
        is_over: !is_negative && is_past && !is_nan,
        is_upper: if more > 0 { is_between(exponent, least + more, ONE_EXPONENT) } else { lit(1, 0u32) },
    };
    ((cat(&[lit(1, 1u32), fraction]), power), class)
}

/// One bit: the low bits of an exponent below 128 are those of one from `least` to `limit`, without this.
#[kernel]
fn is_between(exponent: Bits, least: u32, limit: u32) -> Bits {
    let ones = (least..limit).fold(0u128, |ones, exponent| ones | 1 << exponent);
    lit(1 << (EXPONENT_BITS - 1), ones).at(exponent.low(EXPONENT_BITS - 1))
}

/// A single with 24 + n places behind the point, and what its difference needs.
#[derive(Clone, Debug, Record)]
pub(super) struct Scaled<T = Bits> {
    /// The number.
    number: T,
    /// A 1 below the places of the difference is taken away.
    borrows: T,
}

/// The number from the multiplier's product. `is_narrow`: it is to have 16 bits, not `number_bits`.
#[kernel]
pub(super) fn scaled(product: Bits, class: &Class, number_bits: usize, is_narrow: Option<Bits>) -> Scaled {
    let more = number_bits - number_bits.min(MOST_PLACES);
    discard(product.high(1), "a significand times a power of two");
    let product = product.low(product.width() - 1);
    let number = if more > 0 {
        let upper = cat(&[product, lit(more, 0u32)]);
        if class.is_upper { upper } else { product.zero_extend(product.width() + more) }
    } else {
        product
    };
    let rest = number.low(number_bits).any();
    let borrows = match is_narrow {
        Some(is_narrow) => {
            let narrow_rest = number.low(MOST_PLACES).any();
            if is_narrow { narrow_rest } else { rest }
        }
        None => rest,
    };
    Scaled { number, borrows }
}

/// A difference whose lower places are known: what is taken from what, of the places that stay.
#[derive(Clone, Debug, Record)]
pub(super) struct Begun<T = Bits> {
    number: T,
    taken: T,
    /// The places below borrow a 1.
    borrows: T,
}

/// The lower places of the difference, of which only the borrow is wanted.
#[kernel]
pub(super) fn begun(scaled: &Scaled, number_bits: usize, is_narrow: Option<Bits>) -> Begun {
    let (number, width) = (scaled.number, scaled.number.width());
    /// Less a half, so that what is cut off rounds.
    let less_half = cat(&[!number.high(1), number.low(width - 1)]);
    let least = if is_narrow.is_some() { MOST_PLACES } else { number_bits };
    discard(less_half.low(least), "it is in what is borrowed");
    let shifted = |places: usize| less_half.high(width - places).sign_extend(width);
    let taken = match is_narrow {
        Some(is_narrow) => {
            if is_narrow {
                shifted(MOST_PLACES)
            } else {
                shifted(number_bits)
            }
        }
        None => shifted(number_bits),
    };
    let below = width - number_bits;
    let part = |of: Bits, last: Bits| cat(&[of.low(below), last]).zero_extend(below + 2);
    // A difference goes through a carry chain; of `<` tools make a tree of LUTs.
    let lower = part(number, lit(1, 0u32)) - part(taken, scaled.borrows);
    discard(lower.low(below + 1), "what is cut off");
    Begun { number: number.high(number_bits), taken: taken.high(number_bits), borrows: lower.high(1) }
}

/// The number of `number_bits` bits, for a single below 1.
#[kernel]
pub(super) fn rounded(begun: &Begun, number_bits: usize, is_narrow: Option<Bits>) -> Bits {
    let difference = cat(&[begun.number, lit(1, 0u32)]) - cat(&[begun.taken, begun.borrows]);
    discard(difference.low(1), "it makes the borrow");
    let wide = difference.high(number_bits);
    match is_narrow {
        Some(is_narrow) => {
            let narrow = wide.high(MOST_PLACES).zero_extend(number_bits);
            if is_narrow { narrow } else { wide }
        }
        None => wide,
    }
}
