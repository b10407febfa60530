//! The formats of fixed point that are converted from and to single precision.

use super::float::BIAS;
use crate::primitives::Operand;
use std::fmt;

/// The widest number that is converted.
const MOST_BITS: usize = 64;
/// The most fraction bits of one: its last place is still a normal number.
const MOST_FRACTION_BITS: usize = 126;

/// Bits, sign, and where the binary point is.
#[derive(Clone, Copy, Debug)]
pub(super) struct FixedFormat {
    number: Operand,
    fraction_bits: usize,
}

impl FixedFormat {
    /// A format, which must have at most 64 bits and 126 of them behind the point.
    #[track_caller]
    pub(super) fn new(number: Operand, fraction_bits: usize) -> FixedFormat {
        let width = number.width();
        assert!(
            width <= MOST_BITS,
            "a fixed-point number of {width} bits, at most {MOST_BITS} are converted"
        );
        assert!(
            fraction_bits <= MOST_FRACTION_BITS,
            "{fraction_bits} fraction bits, at most {MOST_FRACTION_BITS} have a normal last place"
        );
        FixedFormat { number, fraction_bits }
    }

    pub(super) fn width(self) -> usize {
        self.number.width()
    }

    pub(super) fn is_signed(self) -> bool {
        self.number.is_signed()
    }

    /// The biased exponent of numbers whose highest bit is the highest of the format.
    pub(super) fn top_exponent(self) -> i64 {
        (BIAS + self.width() - 1) as i64 - self.fraction_bits as i64
    }
}

/// As names of modules have it: `s32_16`.
impl fmt::Display for FixedFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_signed() { "s" } else { "u" };
        write!(f, "{sign}{}_{}", self.width(), self.fraction_bits)
    }
}
