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

    /// Reads a result of 8 bits a channel from its beat, four channels a pixel. Bits of `tuser` above 4 are ignored.
    #[must_use]
    pub fn from_beat(tdata: u128, tuser: u8) -> Self {
        let mut channels = [[0; 4]; PIXELS];
        for (channel, byte) in channels.as_flattened_mut().iter_mut().zip(tdata.to_le_bytes()) {
            *channel = byte.into();
        }
        Self { channels, valid: tuser & 0xf, error: tuser >> 4 & 1 != 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beats_by_hand() {
        let result = QuadResult::from_beat(0x0f0e_0d0c_0b0a_0908_0706_0504_0302_0100, 0b1_0110);
        let channels = [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15]];
        assert_eq!(result, QuadResult { channels, valid: 0b0110, error: true });
        assert_eq!(QuadResult::from_beat(0, 0b1_0010), QuadResult::failed(0b0010));
    }
}
