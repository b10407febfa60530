//! A result, shifted and limited. Wires only.

use super::RESULT_BITS;
use crate::engines::pixel::shade::operand::ONE;
use crate::engines::pixel::shade::words::CHANNEL_BITS;
use tmu_hdl::prelude::*;

/// The largest power of two of a shift.
const MOST_SHIFT: usize = 3;
/// Bits of what is shifted.
const SHIFTED_BITS: usize = RESULT_BITS + MOST_SHIFT;

/// The result times 2 to a power of −3 to 3, in two's complement.
#[kernel]
pub(super) fn shifted(result: Bits, power: Bits) -> Bits {
    /// By 0 to 3 to the left, or 4 to 7 less 8, to the right.
    let wide = result.sign_extend(SHIFTED_BITS);
    let one = if power.bit(0) { wide << 1 } else { wide };
    let left = if power.bit(1) { one << 2 } else { one };
    let by_one = (wide.signed() >> 1).bits();
    let by_two = (wide.signed() >> 2).bits();
    let by_three = (wide.signed() >> 3).bits();
    /// −1 is 7, −2 is 6, −3 is 5.
    let even = if power.bit(0) { by_one } else { by_two };
    let right = if power.bit(1) { even } else { by_three };
    if power.high(1) { right } else { left }
}

/// Where a number lies.
#[derive(Clone, Debug, Record)]
pub(super) struct Range<T = Bits> {
    /// Below zero.
    is_negative: T,
    /// Not below 1.0.
    is_one: T,
    /// Not within what a register holds.
    is_outside: T,
}

#[kernel]
pub(super) fn range(value: Bits) -> Range {
    let is_negative = value.high(1);
    let above = value.high(SHIFTED_BITS + 1 - CHANNEL_BITS);
    Range {
        is_negative,
        is_one: !is_negative && value.high(SHIFTED_BITS - ONE.ilog2() as usize).any(),
        is_outside: above.any() && !above.all(),
    }
}

/// The number, limited.
#[kernel]
pub(super) fn within(value: Bits, range: &Range, saturates: Bits) -> Bits {
    let limit = cat(&[range.is_negative, (!range.is_negative).repeat(CHANNEL_BITS - 1)]);
    let plain = if range.is_outside { limit } else { value.low(CHANNEL_BITS) };
    let one = if range.is_one { lit(CHANNEL_BITS, ONE) } else { value.low(CHANNEL_BITS) };
    let unsigned = if range.is_negative { lit(CHANNEL_BITS, 0u32) } else { one };
    discard(value.high(SHIFTED_BITS - CHANNEL_BITS), "where it lies says it");
    if saturates { unsigned } else { plain }
}
