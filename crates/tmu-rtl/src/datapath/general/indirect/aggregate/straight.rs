//! What takes a value a clock: sums, averages, least and largest of unsigned numbers. Wires only.
//!
//! A sum has room for all values; that of an average begins with half of what it is divided by, so that what is cut off rounds.

use super::{CARRY_BITS, Manner, QuadManner};
use tmu_hdl::prelude::*;

/// How what is held grows.
pub(super) struct Grows<'a> {
    /// Nothing is held yet.
    pub(super) is_first: Bits,
    pub(super) manner: &'a Manner,
    pub(super) channel_bits: usize,
}

/// What is held once a value has come: the value of floats, of products and of those that come first.
#[kernel]
pub(super) fn grown(of: &Grows<'_>, held: Bits, value: Bits) -> Bits {
    let (bits, width) = (of.channel_bits, of.channel_bits + CARRY_BITS);
    let Manner { is_sum, half, is_max, .. } = of.manner;
    let begun = if of.is_first { half.zero_extend(width) } else { held.low(width) };
    let sum = (begun + value.low(bits).zero_extend(width)).zero_extend(held.width());
    let is_less = value.low(bits) < held.low(bits);
    let takes = of.is_first || (is_less ^ *is_max);
    let one_of_both = if takes { value.zero_extend(held.width()) } else { held };
    if *is_sum { sum } else { one_of_both }
}

/// What leaves of what is held.
#[kernel]
pub(super) fn settled(manner: &QuadManner, are_floats: Bits, held: Bits, bits: usize) -> Bits {
    let [by_two, by_four] = manner.cuts;
    let is_over = manner.is_limited && held.slice(bits, CARRY_BITS).any();
    let shifted = if by_four { held.slice(2, bits) } else { held.slice(1, bits) };
    let low = if by_two || by_four { shifted } else { held.low(bits) };
    let low = low | is_over.repeat(bits);
    if held.width() == bits + CARRY_BITS {
        return low;
    }
    /// The upper bits of floats.
    let above = held.width() - bits;
    cat(&[held.high(above) & are_floats.repeat(above), low])
}
