//! Between encoded 8-bit colour and linear light, by table.
//!
//! Contract: `encode(decode(c)) == c` for every code and every transfer function, and `encode` rounds to the
//! nearest code *as an encoded value*. Only the tables use powers; everything after them is additions,
//! multiplications and comparisons, which IEEE 754 rounds alike on every machine.
//! Cost: one load to decode, on average fewer than two comparisons to encode.

use std::sync::LazyLock;

/// How an 8-bit colour code relates to light.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Transfer {
    /// The sRGB curve (IEC 61966-2-1): what cameras and painters mean by a code.
    Srgb,
    /// Code / 255: the codes are averaged as they are.
    Identity,
}

/// Starting points of the search in `encode`: at 4096 per unit the steepest part of the sRGB curve passes 0.8 codes
/// per bucket.
const BUCKETS: usize = 4096;

/// The tables of one transfer function.
pub(crate) struct TransferTable {
    /// Linear value of each code, 0.0 … 1.0.
    linear: [f32; 256],
    /// `rounds_up[c]` is the smallest linear value that encodes to more than `c`.
    rounds_up: [f32; 256],
    /// The code that the lower end of each bucket encodes to.
    first_code: Vec<u8>,
}

impl Transfer {
    /// The tables of this function, made once per process.
    pub(crate) fn table(self) -> &'static TransferTable {
        static SRGB: LazyLock<TransferTable> = LazyLock::new(|| TransferTable::new(srgb_to_linear));
        static IDENTITY: LazyLock<TransferTable> = LazyLock::new(|| TransferTable::new(|encoded| encoded));
        match self {
            Transfer::Srgb => &SRGB,
            Transfer::Identity => &IDENTITY,
        }
    }
}

/// The sRGB decoding function on 0.0 … 1.0.
fn srgb_to_linear(encoded: f64) -> f64 {
    if encoded <= 0.04045 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) }
}

impl TransferTable {
    fn new(decode: impl Fn(f64) -> f64) -> Self {
        let linear = std::array::from_fn(|code| decode(code as f64 / 255.0) as f32);
        let mut rounds_up: [f32; 256] =
            std::array::from_fn(|code| decode((code as f64 + 0.5) / 255.0) as f32);
        rounds_up[255] = f32::INFINITY;
        let code_of = |value: f32| rounds_up.partition_point(|&bound| bound <= value) as u8;
        let first_code = (0..=BUCKETS).map(|bucket| code_of(bucket as f32 / BUCKETS as f32)).collect();
        TransferTable { linear, rounds_up, first_code }
    }

    /// Linear value of a code, 0.0 … 1.0.
    pub(crate) fn decode(&self, code: u8) -> f32 {
        self.linear[usize::from(code)]
    }

    /// The code nearest to a linear value; values outside 0.0 … 1.0 (and NaN) saturate.
    pub(crate) fn encode(&self, linear: f32) -> u8 {
        // NaN stays NaN in `clamp` and becomes 0 in `as`.
        let linear = linear.clamp(0.0, 1.0);
        let bucket = (linear * BUCKETS as f32) as usize;
        let mut code = self.first_code[bucket];
        while linear >= self.rounds_up[usize::from(code)] {
            code += 1;
        }
        code
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_survives_the_way_there_and_back() {
        for transfer in [Transfer::Srgb, Transfer::Identity] {
            let table = transfer.table();
            for code in 0..=255 {
                assert_eq!(table.encode(table.decode(code)), code, "{transfer:?}");
            }
        }
    }

    #[test]
    fn known_points_of_the_srgb_curve() {
        // From the curve's definition: 0.5 of the light is code 188, 0.18 is 118, code 128 is 0.2158605.
        let srgb = Transfer::Srgb.table();
        let cases = [(0.0, 0), (1.0, 255), (0.5, 188), (0.18, 118), (0.25, 137), (0.002, 7)];
        for (linear, code) in cases {
            assert_eq!(srgb.encode(linear), code, "encode({linear})");
        }
        assert!((srgb.decode(128) - 0.215_860_5).abs() < 1e-6, "decode(128) = {}", srgb.decode(128));
    }

    #[test]
    fn encode_is_the_nearest_code_everywhere() {
        for transfer in [Transfer::Srgb, Transfer::Identity] {
            let table = transfer.table();
            for step in 0..=100_000 {
                let linear = step as f32 / 100_000.0;
                let expected = table.rounds_up.iter().filter(|&&bound| linear >= bound).count();
                assert_eq!(usize::from(table.encode(linear)), expected, "{transfer:?} encode({linear})");
            }
        }
    }

    #[test]
    fn values_outside_the_range_saturate() {
        let srgb = Transfer::Srgb.table();
        for (linear, code) in [(-0.5, 0), (1.5, 255), (f32::NAN, 0), (f32::INFINITY, 255)] {
            assert_eq!(srgb.encode(linear), code, "encode({linear})");
        }
    }
}
