//! Between encoded colour of 8 or 16 bits and linear light, by table.
//!
//! Contract: `encode(decode(c)) == c` for every code and every transfer function, and `encode` rounds to the
//! nearest code *as an encoded value*. Only the tables use powers; everything after them is additions,
//! multiplications and comparisons, which IEEE 754 rounds alike on every machine.
//! Cost: one load to decode, on average fewer than two comparisons to encode.

use std::sync::LazyLock;

/// How a colour code relates to light.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Transfer {
    /// The sRGB curve (IEC 61966-2-1): what cameras and painters mean by a code.
    Srgb,
    /// Code / 255 or 65535: the codes are averaged as they are.
    Identity,
}

/// Starting points of the search in `encode`, for each code: at 4096 per unit the steepest part of the sRGB curve passes
/// 0.8 codes of 8 bits per bucket.
const BUCKETS_PER_CODE: usize = 16;

/// The tables of one transfer function.
pub(crate) struct TransferTable {
    /// Linear value of each code, 0.0 … 1.0.
    linear: Vec<f32>,
    /// `rounds_up[c]` is the smallest linear value that encodes to more than `c`.
    rounds_up: Vec<f32>,
    /// The code that the lower end of each bucket encodes to.
    first_code: Vec<u16>,
}

impl Transfer {
    /// The tables of this function for codes of 8 bits, made once per process.
    pub(crate) fn table(self) -> &'static TransferTable {
        static SRGB: LazyLock<TransferTable> = LazyLock::new(|| TransferTable::new(8, srgb_to_linear));
        static IDENTITY: LazyLock<TransferTable> = LazyLock::new(|| TransferTable::new(8, |encoded| encoded));
        match self {
            Transfer::Srgb => &SRGB,
            Transfer::Identity => &IDENTITY,
        }
    }

    /// The same for codes of 16 bits.
    pub(crate) fn wide_table(self) -> &'static TransferTable {
        static SRGB: LazyLock<TransferTable> = LazyLock::new(|| TransferTable::new(16, srgb_to_linear));
        static IDENTITY: LazyLock<TransferTable> =
            LazyLock::new(|| TransferTable::new(16, |encoded| encoded));
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
    fn new(bits: u32, decode: impl Fn(f64) -> f64) -> Self {
        let most = (1 << bits) - 1;
        let value = |code: f64| decode(code / f64::from(most)) as f32;
        let linear = (0..=most).map(|code| value(f64::from(code))).collect();
        let mut rounds_up: Vec<f32> = (0..most).map(|code| value(f64::from(code) + 0.5)).collect();
        rounds_up.push(f32::INFINITY);
        let buckets = BUCKETS_PER_CODE << bits;
        let mut code = 0u16;
        let mut code_of = |value: f32| {
            while value >= rounds_up[usize::from(code)] {
                code += 1;
            }
            code
        };
        let first_code = (0..=buckets).map(|bucket| code_of(bucket as f32 / buckets as f32)).collect();
        TransferTable { linear, rounds_up, first_code }
    }

    /// Linear value of a code, 0.0 … 1.0.
    pub(crate) fn decode(&self, code: u16) -> f32 {
        self.linear[usize::from(code)]
    }

    /// The code nearest to a linear value; values outside 0.0 … 1.0 (and NaN) saturate.
    pub(crate) fn encode(&self, linear: f32) -> u16 {
        // NaN stays NaN in `clamp` and becomes 0 in `as`.
        let linear = linear.clamp(0.0, 1.0);
        let bucket = (linear * (self.first_code.len() - 1) as f32) as usize;
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
            let wide = transfer.wide_table();
            for code in 0..=0xffff {
                assert_eq!(wide.encode(wide.decode(code)), code, "{transfer:?} of 16 bits");
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
