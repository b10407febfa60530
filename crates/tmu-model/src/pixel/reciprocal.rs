//! `reciprocal`: one divided by a single, rounded to the nearest even.

use crate::single::flush;

/// The reciprocal. That of a zero is the largest finite number with its sign.
#[inline]
#[must_use]
pub fn reciprocal(value: f32) -> f32 {
    let value = flush(value);
    if value == 0.0 { f32::MAX.copysign(value) } else { flush(1.0 / value) }
}

/// The reciprocal of RHW: what is not beyond 0 counts as the smallest normal number.
#[inline]
#[must_use]
pub fn of_rhw(rhw: f32) -> f32 {
    let rhw = flush(rhw);
    reciprocal(if rhw <= 0.0 { f32::MIN_POSITIVE } else { rhw })
}
