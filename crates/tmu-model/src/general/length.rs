//! `length`: lengths of a footprint's edges in texels, and half the logarithm of what is squared of them.
//!
//! Logarithms come from a table of 256 entries.

use tmu_spec::general::tables::LOG2;

/// Largest edge of a footprint in texels with 20 bits behind the point.
const MAX_EDGE: u64 = (1 << 33) - 1;
/// Bits of an edge that are squared.
const SQUARED_BITS: u32 = 17;

/// The length of an edge along an axis of so many texels.
pub(super) fn texels(delta: i64, size: u32) -> u64 {
    (delta.unsigned_abs() * u64::from(size)).min(MAX_EDGE)
}

/// By how much lengths are shifted before they are squared, of which this one, above 0, is the largest.
pub(super) const fn shift(largest: u64) -> u32 {
    (largest.ilog2() + 1).saturating_sub(SQUARED_BITS)
}

/// `(256 · log2) / 2` of a squared length, and what the shift of its edges has taken.
pub(super) fn half_log2(square: u64, shift: u32) -> i32 {
    let msb = square.ilog2();
    let below = if msb >= 8 { square >> (msb - 8) } else { square << (8 - msb) };
    let log2 = 256 * msb as i32 + i32::from(LOG2[(below & 0xff) as usize]);
    (log2 >> 1) + 256 * (shift as i32 - 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Squared length, shift, level of detail: 1 texel is 2^20, so its square needs a shift of 4.
    #[test]
    fn logarithms_by_hand() {
        let table = [
            // An edge of one texel is 2^16 after a shift of 4.
            (1u64 << 32, 4, 0),
            (1 << 34, 4, 256),
            // √2 texels: half a level.
            (1 << 33, 4, 128),
            // The shortest: 2^-20 texels.
            (1, 0, -20 * 256),
            // 1.5² = 2.25: log2 is 1.1699, of which half is 149.75 / 256, with a table of 8 bits 149.
            (9 << 30, 4, 149),
        ];
        for (square, shift, expected) in table {
            assert_eq!(half_log2(square, shift), expected, "{square:#x}");
        }
    }
}
