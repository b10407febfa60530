//! Named fixed-point formats between the stages: widths and fractions that model and hardware share.
//!
//! Types and constants only. The arithmetic is written twice, once in the model and once in the hardware, so
//! that each can prove the other wrong.

/// A fixed-point number format: `int_bits` before and `frac_bits` behind the point, and a sign bit if signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FixedPoint {
    signed: bool,
    int_bits: u32,
    frac_bits: u32,
}

impl FixedPoint {
    /// An unsigned format.
    #[must_use]
    pub const fn unsigned(int_bits: u32, frac_bits: u32) -> Self {
        Self { signed: false, int_bits, frac_bits }
    }

    /// A two's complement format; the sign bit comes on top of `int_bits`.
    #[must_use]
    pub const fn signed(int_bits: u32, frac_bits: u32) -> Self {
        Self { signed: true, int_bits, frac_bits }
    }

    /// Whether values are two's complement.
    #[must_use]
    pub const fn is_signed(self) -> bool {
        self.signed
    }

    /// Bits before the point, without the sign.
    #[must_use]
    pub const fn int_bits(self) -> u32 {
        self.int_bits
    }

    /// Bits behind the point.
    #[must_use]
    pub const fn frac_bits(self) -> u32 {
        self.frac_bits
    }

    /// All bits, the sign included.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.signed as u32 + self.int_bits + self.frac_bits
    }

    /// The value that stands for 1.0.
    #[must_use]
    pub const fn one(self) -> u64 {
        1 << self.frac_bits
    }

    /// The largest value.
    #[must_use]
    pub const fn max(self) -> u64 {
        (1 << (self.int_bits + self.frac_bits)) - 1
    }
}

/// Texture coordinate of a request: s16.16, where 1.0 is the full extent of the texture. "s16" counts the sign.
pub const COORDINATE: FixedPoint = FixedPoint::signed(15, 16);

/// Magnitude of the difference of two coordinates: a 33-bit subtraction without its sign.
pub const COORDINATE_DELTA: FixedPoint = FixedPoint::unsigned(16, 16);

/// Edge of a pixel's footprint in texels, saturating at its maximum: one operand of a DSP.
pub const FOOTPRINT: FixedPoint = FixedPoint::unsigned(12, 5);

/// Sum of two squared footprint edges in texels squared.
pub const FOOTPRINT_SQUARED: FixedPoint = FixedPoint::unsigned(25, 10);

/// Coordinate after its address mode: 0.0 to 1.0, both ends included.
pub const ADDRESSED: FixedPoint = FixedPoint::unsigned(1, 16);

/// Position in texels of the chosen level: an [`ADDRESSED`] coordinate shifted up by at most 11.
pub const POSITION: FixedPoint = FixedPoint::unsigned(12, 16);

/// Weight of the tap further along an axis.
pub const WEIGHT: FixedPoint = FixedPoint::unsigned(0, 8);

/// Half a texel in [`POSITION`]: what bilinear filtering steps back by.
pub const HALF_TEXEL: u32 = 1 << (POSITION.frac_bits() - 1);

/// Bits of a level-of-detail number: levels 0 to 11.
pub const LOD_BITS: u32 = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_those_of_the_numerics() {
        let table = [
            ("coordinate", COORDINATE, 32, 16),
            ("coordinate delta", COORDINATE_DELTA, 32, 16),
            ("footprint", FOOTPRINT, 17, 5),
            ("footprint squared", FOOTPRINT_SQUARED, 35, 10),
            ("addressed", ADDRESSED, 17, 16),
            ("position", POSITION, 28, 16),
            ("weight", WEIGHT, 8, 8),
        ];
        for (name, format, bits, frac_bits) in table {
            assert_eq!((format.bits(), format.frac_bits()), (bits, frac_bits), "{name}");
        }
        assert!(COORDINATE.is_signed() && !COORDINATE_DELTA.is_signed());
        assert_eq!(COORDINATE.int_bits(), 15);
        assert_eq!(FOOTPRINT.max(), (1 << 17) - 1);
        assert_eq!(ADDRESSED.one(), 65_536);
        assert_eq!(HALF_TEXEL, 32_768);
        // The widest sum of squares and the furthest position fit.
        assert!(2 * FOOTPRINT.max().pow(2) <= FOOTPRINT_SQUARED.max());
        assert!(ADDRESSED.one() << 11 <= POSITION.max());
    }
}
