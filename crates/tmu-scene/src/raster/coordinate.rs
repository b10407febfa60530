//! Texture coordinates of a quad in the unit's format: s16.16, 1.0 = 65536 = the full extent of the texture.
//!
//! The format ends at ±32768 repeats, and a floor to the horizon passes that. Where one of the four coordinates
//! does not fit, what is done depends on the address mode:
//!
//! * wrap and mirror: the even integer below the reference pixel's coordinate is subtracted from all four. Both
//!   modes have a period that divides two, and the differences, which choose the level, stay as they are. (An odd
//!   integer would swap the directions of a mirrored texture.)
//! * clamp: nothing may be subtracted, since clamping has no period; the coordinates saturate. The colour stays
//!   right, being that of the border on either side of the limit.
//!
//! A coordinate that still does not fit saturates: its pixel is then more than 32768 repeats away from its
//! neighbour, and the level is the smallest either way.

use tmu_spec::AddressMode;

/// One component (all u or all v) of a quad's coordinates, from repeats to s16.16.
///
/// `reference` is the pixel whose coordinate is brought to 0 … 2 where the values do not fit: a valid one.
pub(crate) fn to_fixed(repeats: [f64; 4], reference: usize, mode: AddressMode) -> [i32; 4] {
    // A float-to-integer cast saturates, and makes 0 of what is not a number.
    reduced(repeats, reference, mode, MOST_REPEATS).map(|value| (value * 65536.0).round() as i32)
}

/// One component of a quad's coordinates, with whole periods taken from all four where one is `most` or beyond and the
/// address mode has a period.
pub(crate) fn reduced(repeats: [f64; 4], reference: usize, mode: AddressMode, most: f64) -> [f64; 4] {
    let fits = repeats.iter().all(|value| value.abs() < most);
    let shift = match mode {
        AddressMode::Wrap | AddressMode::Mirror if !fits => 2.0 * (repeats[reference] * 0.5).floor(),
        _ => 0.0,
    };
    repeats.map(|value| value - shift)
}

/// What s16.16 holds, less what rounding may add.
pub(crate) const MOST_REPEATS: f64 = 32767.5;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn worked_values() {
        use AddressMode::{Clamp, Mirror, Wrap};
        let max = i32::MAX;
        let cases: [(AddressMode, [f64; 4], [i32; 4]); 8] = [
            (Wrap, [0.0, 0.5, -0.5, 1.0], [0, 32768, -32768, 65536]),
            (Wrap, [1.0 / 65536.0, 1.4 / 65536.0, 1.5 / 65536.0, -1.5 / 65536.0], [1, 1, 2, -2]),
            (Clamp, [30000.0; 4], [30000 * 65536; 4]),
            (Wrap, [40001.25, 40000.25, 40001.5, 40001.0], [81920, 16384, 98304, 65536]),
            (Mirror, [-40001.25, -40000.25, -40001.5, -40001.0], [49152, 114_688, 32768, 65536]),
            (Clamp, [40001.25, 40001.5, -40000.0, 1.0], [max, max, i32::MIN, 65536]),
            (Wrap, [40000.0, 1.0e9, -1.0e9, 40001.0], [0, max, i32::MIN, 65536]),
            (Wrap, [0.25, f64::INFINITY, f64::NEG_INFINITY, f64::NAN], [16384, max, i32::MIN, 0]),
        ];
        for (mode, repeats, expected) in cases {
            assert_eq!(to_fixed(repeats, 0, mode), expected, "{mode:?} {repeats:?}");
        }
    }

    proptest! {
        /// Whatever is subtracted, wrap and mirror see the same texel and the differences stay.
        #[test]
        fn reduction_keeps_both_periods(whole in -2_000_000_i64..2_000_000, parts in prop::array::uniform4(0_i64..262_144)) {
            let exact = parts.map(|part| whole * 65536 + part);
            for mode in [AddressMode::Wrap, AddressMode::Mirror] {
                let fixed = to_fixed(exact.map(|value| value as f64 / 65536.0), 0, mode);
                for pixel in 0..4 {
                    prop_assert_eq!((i64::from(fixed[pixel]) - exact[pixel]).rem_euclid(131_072), 0);
                    prop_assert_eq!(fixed[pixel] - fixed[0], (exact[pixel] - exact[0]) as i32);
                }
            }
        }
    }
}
