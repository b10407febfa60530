//! Results of the general numerics.

use crate::choice::impl_choice;
use crate::quad::PIXELS;

/// The form of the four channels of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(u8)]
pub enum ResultNumbers {
    /// 8 bits a channel: v stands for v / 255.
    #[default]
    Unorm8 = 0,
    /// 16 bits a channel: v stands for v / 65535.
    Unorm16 = 1,
    /// An IEEE single a channel.
    Fp32 = 2,
}

impl_choice!(ResultNumbers, "a form of results", Unorm8 = "unorm8", Unorm16 = "unorm16", Fp32 = "fp32");

impl ResultNumbers {
    /// The code for drivers.
    #[must_use]
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// Bits of a channel.
    #[must_use]
    pub const fn channel_bits(self) -> u32 {
        match self {
            ResultNumbers::Unorm8 => 8,
            ResultNumbers::Unorm16 => 16,
            ResultNumbers::Fp32 => 32,
        }
    }

    /// Bits of `tdata` of a result: four channels of four pixels.
    #[must_use]
    pub const fn tdata_bits(self) -> u32 {
        self.channel_bits() * 4 * PIXELS as u32
    }
}

/// The answer to a quad: bits of R, G, B, A for each pixel, 0 for those that are not valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct QuadResult {
    /// Bits of the channels, by pixel, in the form of the unit's results.
    pub channels: [[u32; 4]; PIXELS],
    /// The valid bits of the quad.
    pub valid: u8,
    /// Whether the quad could not be sampled.
    pub error: bool,
}

impl QuadResult {
    /// The answer to a quad that could not be sampled.
    #[must_use]
    pub const fn failed(valid: u8) -> Self {
        Self { channels: [[0; 4]; PIXELS], valid: valid & 0xf, error: true }
    }

    /// Reads a result from its beat: channel by channel, pixel 0 and its R lowest, in words of 128 bits of which the first is lowest.
    /// Bits of `tuser` above 4 are ignored.
    #[must_use]
    pub fn from_beat(numbers: ResultNumbers, tdata: [u128; PIXELS], tuser: u8) -> Self {
        let bits = numbers.channel_bits();
        let per_word = u128::BITS / bits;
        let channel = |number: u32| {
            let word = tdata[(number / per_word) as usize] >> (number % per_word * bits);
            (word & ((1 << bits) - 1)) as u32
        };
        let channels =
            std::array::from_fn(|pixel| std::array::from_fn(|own| channel((4 * pixel + own) as u32)));
        Self { channels, valid: tuser & 0xf, error: tuser >> 4 & 1 != 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beats_by_hand() {
        let of = |numbers, tdata| QuadResult::from_beat(numbers, tdata, 0b1_0110);
        let result = of(ResultNumbers::Unorm8, [0x0f0e_0d0c_0b0a_0908_0706_0504_0302_0100, 0, 0, 0]);
        let channels = [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15]];
        assert_eq!(result, QuadResult { channels, valid: 0b0110, error: true });
        assert_eq!(
            QuadResult::from_beat(ResultNumbers::Unorm8, [0; 4], 0b1_0010),
            QuadResult::failed(0b0010)
        );
        let halves =
            [0x0007_0006_0005_0004_0003_0002_0001_0000, 0x000f_000e_000d_000c_000b_000a_0009_0008, 0, 0];
        assert_eq!(of(ResultNumbers::Unorm16, halves), result);
        let words = [0u32, 1, 2, 3]
            .map(|pixel| (0..4).fold(0, |word, own| word | u128::from(4 * pixel + own) << (32 * own)));
        assert_eq!(of(ResultNumbers::Fp32, words), result);
    }
}
