//! Results from beats.

use super::codes::ResultNumbers;
use crate::beat::ResultBeat;

/// What a quad has become.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct QuadResult {
    /// Bits of R, G, B and A of each pixel in the form that the core was built for; 0 for pixels that are not valid.
    pub channels: [[u32; 4]; 4],
    /// The quad's valid bits.
    pub valid: u8,
    /// The quad could not be sampled: [`crate::Tmu::errors`] says why.
    pub error: bool,
}

impl QuadResult {
    /// Takes a beat apart.
    #[must_use]
    pub fn from_beat(beat: &ResultBeat, numbers: ResultNumbers) -> Self {
        let bits = match numbers {
            ResultNumbers::Unorm8 => 8,
            ResultNumbers::Unorm16 => 16,
            ResultNumbers::Fp32 => 32,
        };
        let mut channels = [[0; 4]; 4];
        for (number, channel) in channels.as_flattened_mut().iter_mut().enumerate() {
            let low = number * bits;
            *channel = beat.tdata[low / 32] >> (low % 32) & u32::MAX >> (32 - bits);
        }
        Self { channels, valid: beat.tuser & 0xf, error: beat.tuser >> 4 & 1 != 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_by_hand() {
        let tdata = core::array::from_fn(|word| 0x0101_0101 * word as u32 + 0x0302_0100);
        let beat = ResultBeat { tdata, tuser: 0b1_0110, last: true };
        let bytes = QuadResult::from_beat(&beat, ResultNumbers::Unorm8);
        assert_eq!((bytes.channels[0], bytes.channels[3]), ([0, 1, 2, 3], [3, 4, 5, 6]));
        assert_eq!((bytes.valid, bytes.error), (0b0110, true));
        let halves = QuadResult::from_beat(&beat, ResultNumbers::Unorm16).channels;
        assert_eq!((halves[0], halves[3][3]), ([0x0100, 0x0302, 0x0201, 0x0403], 0x0a09));
        let singles = QuadResult::from_beat(&beat, ResultNumbers::Fp32).channels;
        assert_eq!((singles[0][1], singles[3][3]), (0x0403_0201, 0x1211_100f));
    }
}
