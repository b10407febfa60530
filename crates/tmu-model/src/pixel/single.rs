//! Operations of singles: each rounded by itself, denormals as zeros before and after.

use crate::single::flush;

/// The sum.
#[inline]
pub(super) fn add(a: f32, b: f32) -> f32 {
    flush(flush(a) + flush(b))
}

/// The difference.
#[inline]
pub(super) fn sub(a: f32, b: f32) -> f32 {
    flush(flush(a) - flush(b))
}

/// The product.
#[inline]
pub(super) fn mul(a: f32, b: f32) -> f32 {
    flush(flush(a) * flush(b))
}
