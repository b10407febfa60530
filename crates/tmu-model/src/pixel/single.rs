//! Operations of singles: each rounded by itself, denormals as zeros before and after.

use crate::single::flush;

/// The sum.
pub(super) fn add(a: f32, b: f32) -> f32 {
    flush(flush(a) + flush(b))
}

/// The difference.
pub(super) fn sub(a: f32, b: f32) -> f32 {
    flush(flush(a) - flush(b))
}

/// The product.
pub(super) fn mul(a: f32, b: f32) -> f32 {
    flush(flush(a) * flush(b))
}
