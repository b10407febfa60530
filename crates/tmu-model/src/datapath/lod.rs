//! Level of detail: from a quad's derivatives to the level that it is read from.
//!
//! Contract: the level changes where the footprint of a pixel is √2 texels wide of the level above, that is,
//! log2 of the footprint is rounded to the nearest level. Constant time, integers only.

use tmu_spec::fixed::{COORDINATE, FOOTPRINT, FOOTPRINT_SQUARED};
use tmu_spec::{Binding, Quad};

/// The two pixels whose difference is the derivative along a row.
///
/// The lower row if both its pixels count, else the upper: pixels that do not count carry coordinates that
/// extend the primitive, so either is usable.
#[inline]
#[must_use]
pub const fn row_pixels(valid: u8) -> [usize; 2] {
    if valid & 0b1100 == 0b1100 { [3, 2] } else { [1, 0] }
}

/// The two pixels whose difference is the derivative along a column: the right one if both its pixels count.
#[inline]
#[must_use]
pub const fn column_pixels(valid: u8) -> [usize; 2] {
    if valid & 0b1010 == 0b1010 { [3, 1] } else { [2, 0] }
}

/// Edge of the footprint in texels of level 0 (UQ12.5, saturating), from the magnitude of a difference of
/// coordinates (16 fraction bits) along an axis of `2^size_log2` texels.
#[inline]
#[must_use]
pub const fn footprint(delta: u32, size_log2: u32) -> u32 {
    let edge = ((delta as u64) << size_log2) >> (COORDINATE.frac_bits() - FOOTPRINT.frac_bits());
    if edge > FOOTPRINT.max() { FOOTPRINT.max() as u32 } else { edge as u32 }
}

/// Square of the longer diagonal of the footprint in texels squared (10 fraction bits).
#[inline]
#[must_use]
pub fn footprint_squared(quad: &Quad, width_log2: u32, height_log2: u32) -> u64 {
    let uv = quad.uv();
    let along = |[to, from]: [usize; 2]| {
        let u = u64::from(footprint(uv[to][0].abs_diff(uv[from][0]), width_log2));
        let v = u64::from(footprint(uv[to][1].abs_diff(uv[from][1]), height_log2));
        u * u + v * v
    };
    along(row_pixels(quad.valid())).max(along(column_pixels(quad.valid())))
}

/// The level for a squared footprint, 0 to `max_lod`.
#[inline]
#[must_use]
pub const fn level(footprint_squared: u64, max_lod: u32) -> u32 {
    if footprint_squared >> FOOTPRINT_SQUARED.frac_bits() == 0 {
        return 0;
    }
    let log2 = footprint_squared.ilog2() - FOOTPRINT_SQUARED.frac_bits();
    let lod = (log2 + 1) >> 1;
    if lod < max_lod { lod } else { max_lod }
}

/// The level that a quad is read from.
#[inline]
#[must_use]
pub fn of_quad(quad: &Quad, binding: &Binding) -> u32 {
    let texture = binding.texture();
    if !binding.sampler().mipmapped {
        return 0;
    }
    level(footprint_squared(quad, texture.width_log2(), texture.height_log2()), texture.max_lod())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn derivatives_prefer_the_lower_row_and_the_right_column() {
        for valid in 0..16u8 {
            let bit = |pixel: u8| valid >> pixel & 1 == 1;
            let row = if bit(2) && bit(3) { [3, 2] } else { [1, 0] };
            let column = if bit(1) && bit(3) { [3, 1] } else { [2, 0] };
            assert_eq!((row_pixels(valid), column_pixels(valid)), (row, column), "valid {valid:04b}");
        }
    }

    #[test]
    fn footprints_by_hand() {
        let table = [
            // One texel of 1024 is 64/65536: 1.0 in UQ12.5 is 32.
            (64, 10, 32),
            // Below 1/32 texel nothing is left.
            (1, 10, 0),
            (2, 10, 1),
            (2047, 0, 0),
            (2048, 0, 1),
            // 1.0 across 2048 texels is 2048.0; 2.0 saturates at 4095.97.
            (65_536, 11, 65_536),
            (131_071, 11, 131_071),
            (131_072, 11, 131_071),
            (u32::MAX, 11, 131_071),
            (u32::MAX, 0, 131_071),
        ];
        for (delta, size_log2, expected) in table {
            assert_eq!(footprint(delta, size_log2), expected, "delta {delta}, size 2^{size_log2}");
        }
    }

    #[test]
    fn differences_do_not_wrap_around() {
        // From -32768 to 32767.99998 is 65535.99998, not a small step backwards.
        let quad = Quad::new([[i32::MIN, 0], [i32::MAX, 0], [i32::MIN, 0], [i32::MAX, 0]], 15);
        assert_eq!(footprint_squared(&quad, 0, 0), 131_071 * 131_071);
    }

    #[test]
    fn squared_footprints_by_hand() {
        // Row: du = 2 texels of 16, dv = 1 texel of 8; column: du = 0, dv = 3 texels.
        let texel = [65_536 / 16, 65_536 / 8];
        let pixel = |x: i32, y: i32| [2 * texel[0] * x, texel[1] * (x + 3 * y)];
        let quad = Quad::new([pixel(0, 0), pixel(1, 0), pixel(0, 1), pixel(1, 1)], 15);
        // In units of 1/32 texel: max(64² + 32², 96²).
        assert_eq!(footprint_squared(&quad, 4, 3), 96 * 96);
    }

    #[test]
    fn only_the_chosen_pixels_count() {
        // The upper row is flat and the lower steep: with pixel 2 missing the flat one is taken.
        let uv = [[0, 0], [0, 0], [0, 0], [4096, 0]];
        assert_eq!(footprint_squared(&Quad::new(uv, 0b1100), 4, 4), 32 * 32);
        assert_eq!(footprint_squared(&Quad::new(uv, 0b0001), 4, 4), 0);
        assert_eq!(footprint_squared(&Quad::new(uv, 0b1010), 4, 4), 32 * 32);
    }

    #[test]
    fn levels_by_hand() {
        let one = 1 << 10;
        let table = [
            (0, 0),
            (one - 1, 0),
            (one, 0),
            // Below and at √2 texels: d = 2.
            (2 * one - 1, 0),
            (2 * one, 1),
            (4 * one, 1),
            (8 * one - 1, 1),
            (8 * one, 2),
            (32 * one, 3),
            (one << 23, 11),
            // The largest sum of squares asks for level 12.
            (2 * 131_071 * 131_071, 11),
        ];
        for (squared, expected) in table {
            assert_eq!(level(squared, 11), expected, "d = {squared}");
            assert_eq!(level(squared, 1), expected.min(1), "d = {squared}, limited");
            assert_eq!(level(squared, 0), 0, "d = {squared}, level 0 only");
        }
        assert_eq!(level(2 * 131_071 * 131_071, 15), 12);
    }

    proptest! {
        #[test]
        fn level_is_the_formula_with_leading_zeros(squared in 0..1u64 << 35, max_lod in 0..12u32) {
            // 35-bit d: floor(log2 d) = 34 - lzc, so (n + 1) / 2 = (25 - lzc) / 2.
            let lzc = squared.leading_zeros() as i64 - (64 - 35);
            let expected = ((25 - lzc) >> 1).clamp(0, i64::from(max_lod)) as u32;
            prop_assert_eq!(level(squared, max_lod), expected);
        }

        #[test]
        fn level_rises_with_the_footprint(
            a in any::<u32>(), b in any::<u32>(), size_log2 in 0..12u32, other in 0..1u64 << 34,
        ) {
            let lod = |delta| {
                let edge = u64::from(footprint(delta, size_log2));
                level(edge * edge + other, 11)
            };
            prop_assert!(lod(a.min(b)) <= lod(a.max(b)));
        }
    }
}
