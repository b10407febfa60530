//! `filter`: four taps and two weights to a probe, and probes and their weights to a sample.

use super::channels::Channels;

/// `(256·x − a·x + a·y + 128) >> 8` of each channel, for a weight `a` of 0 to 255.
#[inline]
#[must_use]
pub fn lerp(x: Channels, y: Channels, weight: u32) -> Channels {
    // With the 256·x taken out of the shift there is one multiplication, of a difference.
    std::array::from_fn(|channel| {
        let (from, to) = (x[channel] as i32, y[channel] as i32);
        (from + ((weight as i32 * (to - from) + 128) >> 8)) as u32
    })
}

/// The probe at `weight_x` and `weight_y` (of 256) between the taps (x0, y0), (x1, y0), (x0, y1), (x1, y1): first along x, then
/// along y, rounding each time.
#[inline]
#[must_use]
pub fn bilinear(taps: [Channels; 4], weight_x: u32, weight_y: u32) -> Channels {
    lerp(lerp(taps[0], taps[1], weight_x), lerp(taps[2], taps[3], weight_x), weight_y)
}

/// Two channels of a colour of four bytes, each in 32 bits of its own: the even bytes of `color`.
#[inline]
const fn spread(color: u32) -> u64 {
    (color & 0xff) as u64 | ((color & 0xff_0000) as u64) << 16
}

/// [`lerp`] of two channels of at most 16 bits, each in 32 bits: sums have 24 bits. A difference may borrow from the channel above
/// it, which the sum gives back.
#[inline]
const fn lerp_pair(x: u64, y: u64, weight: u32) -> u64 {
    const ROUND: u64 = 0x0000_0080_0000_0080;
    const CHANNELS: u64 = 0x0000_ffff_0000_ffff;
    let between = (weight as u64).wrapping_mul(y.wrapping_sub(x));
    ((x << 8).wrapping_add(between).wrapping_add(ROUND) >> 8) & CHANNELS
}

/// Channels two by two, each in 32 bits of its own: R below B, and G below A.
pub type Pairs = [u64; 2];

#[inline]
const fn in_pairs([r, g, b, a]: Channels) -> Pairs {
    [r as u64 | (b as u64) << 32, g as u64 | (a as u64) << 32]
}

#[inline]
const fn of_pairs([even, odd]: Pairs) -> Channels {
    [even as u32, odd as u32, (even >> 32) as u32, (odd >> 32) as u32]
}

/// [`bilinear`] of colours of four bytes, whose channels have `bits` bits in the filter: two channels at a time.
#[inline]
#[must_use]
pub fn bilinear_of_bytes(texels: [u32; 4], weight_x: u32, weight_y: u32, bits: u32) -> Pairs {
    // A byte of 16 bits has itself above it.
    let widen = |pair: u64| if bits == 16 { pair | pair << 8 } else { pair };
    let pair = |shift: u32| {
        let [s0, s1, s2, s3] = texels.map(|texel| widen(spread(texel >> shift)));
        lerp_pair(lerp_pair(s0, s1, weight_x), lerp_pair(s2, s3, weight_x), weight_y)
    };
    [pair(0), pair(8)]
}

/// Weight of a sample that is a single probe.
pub const WHOLE: u32 = 1 << 16;

/// A weighted sum of probes.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sum {
    pairs: Pairs,
    /// A single probe with all the weight, which may be floats.
    whole: Option<Channels>,
}

impl Sum {
    /// Adds a probe with a weight of [`WHOLE`] or less. The weights of a sample are [`WHOLE`] together, so that 32 bits are enough.
    #[inline]
    pub fn add(&mut self, weight: u32, probe: Channels) {
        if weight == WHOLE {
            self.whole = Some(probe);
        } else {
            self.add_pairs(weight, in_pairs(probe));
        }
    }

    /// The same of a probe of unsigned numbers, two by two.
    #[inline]
    pub fn add_pairs(&mut self, weight: u32, probe: Pairs) {
        for (sum, pair) in self.pairs.iter_mut().zip(probe) {
            *sum += u64::from(weight) * pair;
        }
    }

    /// The sample.
    #[inline]
    #[must_use]
    pub fn total(&self) -> Channels {
        const ROUND: u64 = 0x0000_8000_0000_8000;
        const CHANNELS: u64 = 0x0000_ffff_0000_ffff;
        self.whole.unwrap_or_else(|| of_pairs(self.pairs.map(|sum| (sum + ROUND) >> 16 & CHANNELS)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn probes_by_hand() {
        let of = |values: [u32; 4]| values.map(|value| [value, 0, 65535, 7]);
        // Upper (64·100 + 128) >> 8 = 25, lower (192·10 + 64·200 + 128) >> 8 = 58, then (56·25 + 200·58 + 128) >> 8 = 51.
        assert_eq!(bilinear(of([0, 100, 10, 200]), 64, 200), [51, 0, 65535, 7]);
        let mut sum = Sum::default();
        sum.add(3 << 14, [4, 65535, 0, 1]);
        sum.add(1 << 14, [2, 65535, 0, 3]);
        // (3·4 + 2 + 2) / 4 = 4, and (3·1 + 3 + 2) / 4 = 2.
        assert_eq!(sum.total(), [4, 65535, 0, 2]);
    }

    proptest! {
        #[test]
        fn bytes_are_filtered_as_channels(texels in any::<[u32; 4]>(), x in 0..256u32, y in 0..256u32) {
            for (bits, widen) in [(8, 1), (16, 257)] {
                let channels = texels.map(|texel| texel.to_le_bytes().map(|byte| u32::from(byte) * widen));
                prop_assert_eq!(of_pairs(bilinear_of_bytes(texels, x, y, bits)), bilinear(channels, x, y));
            }
        }

        /// A sample lies within its probes, a probe within its taps.
        #[test]
        fn nothing_is_made_up(taps in any::<[[u16; 4]; 4]>(), x in 0..256u32, y in 0..256u32, part in 1..65536u32) {
            let taps = taps.map(|tap| tap.map(u32::from));
            let probe = bilinear(taps, x, y);
            let mut sum = Sum::default();
            sum.add(part, probe);
            sum.add(WHOLE - part, taps[0]);
            for channel in 0..4 {
                let of = taps.map(|tap| tap[channel]);
                let (least, most) = (*of.iter().min().unwrap(), *of.iter().max().unwrap());
                prop_assert!((least..=most).contains(&probe[channel]));
                prop_assert!((least..=most).contains(&sum.total()[channel]));
            }
        }
    }
}
