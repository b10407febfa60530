//! Numbers of a request, and numbers on their way to coordinates. Wires.

use super::shapes::{DOWN_BITS, EXPONENT_BITS, FRACTION_BITS, LEAST_DOWN, MAGNITUDE_BITS};
use crate::datapath::general::words::{NUMBER_BITS, PLACE_BITS};
use tmu_hdl::prelude::*;

/// Bits behind the point of a coordinate that half of the side of a face has not.
const HALF_BITS: usize = 19;
/// Bits of a magnitude that say whether it is limited.
pub(super) const HIGHEST_BITS: usize = MAGNITUDE_BITS - HALF_BITS;
/// Bits of a distance between two exponents, with sign.
pub(super) const DISTANCE_BITS: usize = EXPONENT_BITS + 2;
/// Bits of a magnitude that a coordinate has.
const LIMIT_BITS: usize = PLACE_BITS - 1;

/// One bit: a single is none, or counts as 0.
#[kernel]
pub(super) fn is_nothing(single: Bits) -> Bits {
    let (exponent, fraction) = (single.slice(FRACTION_BITS, EXPONENT_BITS), single.low(FRACTION_BITS));
    !exponent.any() || (exponent.all() && fraction.any())
}

/// Sign and magnitude of a number. Of singles the magnitude is what is below the sign: magnitudes compare as integers.
#[kernel]
pub(super) fn magnitude(number: Bits, floats: bool) -> (Bits, Bits) {
    let sign = number.high(1);
    if floats {
        (sign, number.low(NUMBER_BITS - 1))
    } else {
        let turned = number ^ sign.repeat(NUMBER_BITS);
        (sign, turned + sign.zero_extend(NUMBER_BITS))
    }
}

/// Significand of a magnitude of a single.
#[kernel]
pub(super) fn significand(magnitude: Bits) -> Bits {
    let exponent = magnitude.slice(FRACTION_BITS, EXPONENT_BITS);
    cat(&[exponent.any(), magnitude.low(FRACTION_BITS)])
}

/// One bit: a quotient of magnitudes is below 2. Where they are singles it may be below 2 without this: only exponents are compared.
#[kernel]
pub(super) fn is_below_two(dividend: Bits, divisor: Bits, floats: bool) -> Bits {
    if floats {
        dividend.high(EXPONENT_BITS) <= divisor.high(EXPONENT_BITS)
    } else {
        dividend.high(NUMBER_BITS - 1).zero_extend(NUMBER_BITS) < divisor
    }
}

/// By how many places digits go down for a signed distance, and whether they are over every limit.
#[kernel]
pub(super) fn placing(distance: Bits) -> (Bits, Bits) {
    let is_negative = distance.high(1);
    let is_far = distance.slice(DOWN_BITS, DISTANCE_BITS - 1 - DOWN_BITS).any();
    let down = distance.low(DOWN_BITS) | is_far.repeat(DOWN_BITS);
    let is_near = !distance.high(DISTANCE_BITS - 2).any() && distance.low(2) != LEAST_DOWN;
    (down, is_negative || is_near)
}

/// Goes down by so many times `unit` places: what is left, and whether something but zeros has gone.
#[kernel]
pub(super) fn moved_down(value: Bits, times: Bits, unit: usize) -> (Bits, Bits) {
    let width = value.width();
    let moved =
        |by: usize| if by < width { value.high(width - by).zero_extend(width) } else { lit(width, 0u32) };
    let gone = |by: usize| value.low(by.min(width)).any();
    // A choice of four, which fits a LUT a bit; of two muxes in a row tools share the first one.
    let by = |number: usize| times == number as u64;
    let all = |number: usize| moved(number * unit) & by(number).repeat(width);
    let left = all(0) | all(1) | all(2) | all(3);
    let lost = |number: usize| by(number) && gone(number * unit);
    (left, lost(1) || lost(2) || lost(3))
}

/// One bit: a magnitude, rounded down, whose highest bits these are, is over what a coordinate can be. On a face half of its side is
/// still to be added.
#[kernel]
pub(super) fn is_limited(highest: Bits, is_negative: Bits, is_cube: Option<Bits>) -> Bits {
    let (top, above) = (highest.bit(LIMIT_BITS - HALF_BITS), highest.low(LIMIT_BITS - HALF_BITS));
    let Some(is_cube) = is_cube else {
        discard(above, "there are no faces");
        return highest.high(1) || top;
    };
    let on_face = if is_negative { top && above.any() } else { top || above.all() };
    let is_over = if is_cube { on_face } else { top };
    highest.high(1) || is_over
}

/// One bit: the places of a magnitude below those that half of the side of a face has are 0.
#[kernel]
pub(super) fn is_low_zero(magnitude: Bits) -> Bits {
    !magnitude.low(HALF_BITS).any()
}

/// A magnitude with its sign and limits. A negative one is rounded away from 0: its complement, and one more where it is exact. That one
/// reaches the places above where the [lower ones are 0](is_low_zero), so that they need not wait for these.
#[kernel]
pub(super) fn signed(
    magnitude: Bits,
    is_low_zero: Bits,
    [is_over, is_negative, is_exact, is_cube]: [Bits; 4],
) -> Bits {
    let low = magnitude.low(LIMIT_BITS) | is_over.repeat(LIMIT_BITS);
    let kept = cat(&[magnitude.bit(LIMIT_BITS) && !is_over, low]) ^ is_negative.repeat(PLACE_BITS);
    let carry = is_negative && is_exact && !is_over;
    let lower = cat(&[kept.low(HALF_BITS), lit(1, 1u32)]) + cat(&[lit(HALF_BITS, 0u32), carry]);
    let half = (is_cube && !is_over).zero_extend(PLACE_BITS - HALF_BITS);
    let upper = cat(&[kept.high(PLACE_BITS - HALF_BITS), lit(1, 1u32)]) + cat(&[half, carry && is_low_zero]);
    discard(lower.low(1), "it only carries in");
    discard(upper.low(1), "as above");
    cat(&[upper.high(PLACE_BITS - HALF_BITS), lower.high(HALF_BITS)])
}
