//! Unsigned numbers in more bits or fewer: `round(v * (2^m - 1) / (2^n - 1))` of a number of n bits in m, see
//! [the numerics](../../../../../../docs/reference/general.md).
//!
//! In more bits the number itself stands on top, and below it what it is in the bits that are left. In fewer it is
//! `(v + half - s) >> (n - m)`, where s is what it is in n - m bits, rounded up: that is its upper n - m bits, and one more where
//! the bits below are above those repeated. At no tie s itself matters, only what it is next to one.

use crate::datapath::blocks::select::{sum, table};
use tmu_hdl::prelude::*;

/// Most bits of a number that is looked up: the inputs of a LUT.
const TABLE_BITS: usize = 6;
/// Bits below the upper ones that tell how these are rounded.
const COMPARED_BITS: usize = 8;

/// Whether a number of `bits` bits becomes one of `wanted` bits by way of a sum.
pub(super) const fn needs_sum(bits: usize, wanted: usize) -> bool {
    if bits < wanted { needs_sum(bits, wanted - bits) } else { bits > wanted && bits > TABLE_BITS }
}

/// A number in so many bits.
#[kernel]
pub(super) fn scaled(value: Bits, wanted: usize) -> Bits {
    let bits = value.width();
    if bits == wanted {
        return value;
    }
    if bits < wanted {
        return cat(&[value, scaled(value, wanted - bits)]);
    }
    if bits > TABLE_BITS {
        return narrowed(value, wanted);
    }
    let (most, wanted_most) = ((1u64 << bits) - 1, (1u64 << wanted) - 1);
    table(value, wanted, |entry| (2 * entry * wanted_most + most) / (2 * most))
}

/// A number in fewer bits.
#[kernel]
fn narrowed(value: Bits, wanted: usize) -> Bits {
    let bits = value.width();
    let cut = bits - wanted;
    let (sign, upper) = (value.high(1), value.high(cut));
    let compared = if cut < wanted { COMPARED_BITS.min(wanted) } else { 0 };
    let is_less = if compared > 0 {
        let below = value.slice(wanted - compared, compared);
        let repeated: Vec<Bits> = (0..compared).map(|place| upper.bit(cut - 1 - place % cut)).collect();
        cat(&[below, !sign]) <= cat(&[cat(&repeated), lit(1, 0u32)])
    } else {
        sign
    };
    let half_less_upper = cat(&[sign, !upper.low(cut - 1)]).sign_extend(bits);
    let rounded = sum(value, half_less_upper, is_less);
    discard(rounded.low(cut), "it is rounded away");
    rounded.high(wanted)
}
