//! Texel filtering: four taps and two weights to one colour.
//!
//! Colours are filtered channel by channel; here all four channels of a colour go through one 64-bit
//! multiplication, each in 16 bits of its own. That loses nothing: `255 × 256 + 128` is below `2^16`.

/// The even and odd bytes of a colour, each in 16 bits.
#[inline]
const fn spread(color: u32) -> u64 {
    (color & 0x00ff_00ff) as u64 | ((color & 0xff00_ff00) as u64) << 24
}

/// Undoes `spread`.
#[inline]
const fn join(channels: u64) -> u32 {
    channels as u32 | (channels >> 24) as u32
}

/// `(256·x - a·x + a·y + 128) >> 8` in each channel, for a weight `a` of 0 to 255.
#[inline]
const fn lerp_channels(x: u64, y: u64, weight: u32) -> u64 {
    const ROUND: u64 = 0x0080_0080_0080_0080;
    const CHANNELS: u64 = 0x00ff_00ff_00ff_00ff;
    (((256 - weight as u64) * x + weight as u64 * y + ROUND) >> 8) & CHANNELS
}

/// The colour at `weight_x` and `weight_y` (of 256) between the taps s0 = (x0, y0), s1 = (x1, y0),
/// s2 = (x0, y1), s3 = (x1, y1): first along x, then along y, rounding each time.
#[inline]
#[must_use]
pub const fn bilinear(taps: [u32; 4], weight_x: u32, weight_y: u32) -> u32 {
    let upper = lerp_channels(spread(taps[0]), spread(taps[1]), weight_x);
    let lower = lerp_channels(spread(taps[2]), spread(taps[3]), weight_x);
    join(lerp_channels(upper, lower, weight_y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition, for one channel.
    fn lerp(x: u8, y: u8, a: u32) -> u8 {
        let (x, y, a) = (i64::from(x), i64::from(y), i64::from(a));
        u8::try_from((256 * x - a * x + a * y + 128) >> 8).unwrap()
    }

    #[test]
    fn every_lerp_is_the_definition() {
        for x in 0..=255u8 {
            for y in 0..=255u8 {
                for a in 0..256 {
                    let got = lerp_channels(spread(u32::from(x)), spread(u32::from(y)), a);
                    assert_eq!(got, u64::from(lerp(x, y, a)), "lerp({x}, {y}, {a})");
                }
            }
        }
    }

    #[test]
    fn samples_by_hand() {
        let gray = |level: u32| level * 0x0101_0101;
        let table = [
            // At a tap.
            ([0x1234_5678, 0, 0, 0], 0, 0, 0x1234_5678),
            // Half way: (256·0 - 0 + 128·255 + 128) >> 8 = 128.
            ([gray(0), gray(255), gray(0), gray(255)], 128, 0, gray(128)),
            ([gray(255), gray(0), gray(255), gray(0)], 128, 77, gray(128)),
            // Furthest from the first tap: (255·255 + 128) >> 8 = 254.
            ([gray(0), gray(255), gray(0), gray(255)], 255, 0, gray(254)),
            // Twice: upper (64·100 + 128) >> 8 = 25, lower (192·10 + 64·200 + 128) >> 8 = 58,
            // then (256·25 - 200·25 + 200·58 + 128) >> 8 = 51.
            ([gray(0), gray(100), gray(10), gray(200)], 64, 200, gray(51)),
        ];
        for (taps, weight_x, weight_y, expected) in table {
            let got = bilinear(taps, weight_x, weight_y);
            assert_eq!(got, expected, "{taps:x?} at {weight_x}, {weight_y}: got {got:#x}");
        }
    }

    proptest! {
        #[test]
        fn channels_do_not_touch_each_other(taps in any::<[u32; 4]>(), ax in 0..256u32, ay in 0..256u32) {
            let channel = |color: u32, number: usize| color.to_le_bytes()[number];
            let got = bilinear(taps, ax, ay);
            for number in 0..4 {
                let [s0, s1, s2, s3] = taps.map(|tap| channel(tap, number));
                prop_assert_eq!(channel(got, number), lerp(lerp(s0, s1, ax), lerp(s2, s3, ax), ay));
            }
        }

        #[test]
        fn equal_taps_give_their_colour(color in any::<u32>(), ax in 0..256u32, ay in 0..256u32) {
            prop_assert_eq!(bilinear([color; 4], ax, ay), color);
        }
    }
}
