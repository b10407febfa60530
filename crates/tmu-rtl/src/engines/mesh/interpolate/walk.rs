//! A coordinate on its way along a slope, as registers and one step of it. What each step goes by stands beside it.
//!
//! Step k of n is `start ± (2 k d + n - 1) div 2 n`. With `d = quotient n + remainder` each step goes by the quotient, and by one more where the
//! remainders that have come together reach n; they begin with `(n - 1) div 2`, since all of them are even but for that. What is kept is
//! their sum less n: a step goes by one more where it stops being negative.

use super::divide::Slope;
use crate::engines::mesh::words::{POINT_BITS, SIZE_BITS};
use tmu_hdl::prelude::*;

/// Bits of the sum of remainders less the number of steps.
const SUM_BITS: usize = SIZE_BITS + 1;

/// A coordinate on its way.
#[derive(Clone, Debug, Record)]
pub(super) struct Walk<T = Bits> {
    /// Where it is.
    pub(super) at: T,
    /// Sum of remainders less the number of steps: negative.
    pub(super) sum: T,
    /// What the sum goes by.
    pub(super) remainder: T,
}

/// Shape of a [`Walk`].
pub(super) fn walk() -> Walk<Width> {
    Walk {
        at: Width::bits(POINT_BITS),
        sum: Width::bits(SUM_BITS),
        remainder: super::divide::slope().remainder,
    }
}

/// What a coordinate goes by with each step, at least.
#[derive(Clone, Debug, Record)]
pub(super) struct Stride<T = Bits> {
    /// How far.
    pub(super) quotient: T,
    /// Down.
    pub(super) is_negative: T,
}

/// Shape of a [`Stride`].
pub(super) fn stride() -> Stride<Width> {
    let Slope { quotient, is_negative, .. } = super::divide::slope();
    Stride { quotient, is_negative }
}

/// At the start, of so many steps.
#[kernel]
pub(super) fn start(at: Bits, remainder: Bits, count: Bits) -> Walk {
    discard(count.bit(0), "(n - 1) div 2 - n is -(n div 2) - 1");
    Walk { at, sum: !count.high(SIZE_BITS - 1).zero_extend(SUM_BITS), remainder }
}

/// A step further.
#[kernel]
pub(super) fn step(walk: &Walk, stride: &Stride, count: Bits) -> Walk {
    let Stride { quotient, is_negative } = stride.clone();
    let sum = walk.sum + walk.remainder.zero_extend(SUM_BITS);
    let goes_further = !sum.high(1);
    let by = quotient.zero_extend(POINT_BITS) ^ is_negative.repeat(POINT_BITS);
    // a - q - c is a + !q + 1 - c: the carry into the sum is turned round where it goes down.
    let carry = goes_further ^ is_negative;
    let at = cat(&[walk.at, lit(1, 1u32)]) + cat(&[by, carry]);
    discard(at.bit(0), "the carry");
    let less = count.zero_extend(SUM_BITS) & goes_further.repeat(SUM_BITS);
    Walk { at: at.high(POINT_BITS), sum: sum - less, remainder: walk.remainder }
}
