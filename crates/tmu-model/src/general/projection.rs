//! `projection`: from the numbers of a request to coordinates of 20 bits behind the point, divided by q, or on the face of a cube.
//!
//! Numbers are taken apart into an integer and a power of two, whichever form they have, so that quotients are formed exactly from
//! what was given.

use super::request::Bound;
use std::cmp::Ordering;
use tmu_spec::general::{Kind, Numbers, Pixel};

/// Bits behind the point of a coordinate.
pub const COORDINATE_FRAC_BITS: i32 = 20;
/// Bits before the point, without the sign.
const COORDINATE_INT_BITS: i32 = 15;
/// Largest coordinate.
const MAX_COORDINATE: i64 = (1 << (COORDINATE_INT_BITS + COORDINATE_FRAC_BITS)) - 1;
/// A coordinate of 1.
pub const ONE: i64 = 1 << COORDINATE_FRAC_BITS;

/// `integer × 2^exponent`. Zero has the integer 0; others of one form compare by exponent and then by integer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Number {
    integer: i64,
    exponent: i32,
}

impl Number {
    /// The number that some bits stand for. Of singles, NaN and denormals are 0 and infinities ±2^128.
    #[inline]
    #[must_use]
    pub const fn new(bits: u32, numbers: Numbers) -> Self {
        match numbers {
            Numbers::S16p16 => Self { integer: bits as i32 as i64, exponent: -16 },
            Numbers::Fp32 => Self::of_single(bits),
        }
    }

    #[inline]
    const fn of_single(bits: u32) -> Self {
        let exponent = (bits >> 23 & 0xff) as i32;
        let fraction = (bits & 0x7f_ffff) as i64;
        let magnitude = match exponent {
            0 => 0,
            255 if fraction != 0 => 0,
            _ => 1 << 23 | fraction,
        };
        Self { integer: if bits >> 31 == 0 { magnitude } else { -magnitude }, exponent: exponent - 127 - 23 }
    }

    /// The smallest positive number of a form, which a divisor of 0 counts as.
    const fn least(numbers: Numbers) -> Self {
        match numbers {
            Numbers::S16p16 => Self { integer: 1, exponent: -16 },
            Numbers::Fp32 => Self { integer: 1 << 23, exponent: -126 - 23 },
        }
    }

    const fn negated(self) -> Self {
        Self { integer: -self.integer, ..self }
    }

    /// Compares magnitudes.
    fn compare_magnitude(self, other: Self) -> Ordering {
        let key = |of: Self| if of.integer == 0 { (i32::MIN, 0) } else { (of.exponent, of.integer.abs()) };
        key(self).cmp(&key(other))
    }

    /// `floor(self / divisor × 2^frac_bits)`, or a number far outside every limit.
    const fn divided(self, divisor: Self, frac_bits: i32) -> i64 {
        /// Singles have 24 bits: shifted by less they fit 64, by this or more their quotients are outside every limit, or no step from 0.
        const FAR: i32 = 39;
        let sign = divisor.integer.signum();
        let (dividend, divisor_integer) = (self.integer * sign, divisor.integer * sign);
        match self.exponent - divisor.exponent + frac_bits {
            _ if dividend == 0 => 0,
            FAR.. => dividend.signum() << 62,
            shift @ 0.. => (dividend << shift).div_euclid(divisor_integer),
            shift if shift > -FAR => dividend.div_euclid(divisor_integer << -shift),
            _ => -((dividend < 0) as i64),
        }
    }
}

/// A number limited to what a coordinate can be.
#[inline]
fn limited(coordinate: i64) -> i64 {
    coordinate.clamp(-MAX_COORDINATE - 1, MAX_COORDINATE)
}

/// The coordinate that a number is, without a divisor.
#[inline]
#[must_use]
pub fn coordinate(bits: u32, numbers: Numbers) -> i64 {
    match numbers {
        Numbers::S16p16 => i64::from(bits as i32) << (COORDINATE_FRAC_BITS - 16),
        Numbers::Fp32 => {
            let single = f32::from_bits(bits);
            if !single.is_normal() && !single.is_infinite() {
                return 0;
            }
            // Within the limits a double holds it exactly. A cast cuts towards 0, a step above what is wanted below it.
            let scaled =
                (f64::from(single) * ONE as f64).clamp(-MAX_COORDINATE as f64 - 1.0, MAX_COORDINATE as f64);
            let cut = scaled as i64;
            cut - i64::from(cut as f64 > scaled)
        }
    }
}

/// The coordinate that a number is when it is divided by another one.
#[must_use]
pub fn quotient(bits: u32, divisor_bits: u32, numbers: Numbers) -> i64 {
    if divisor_bits == numbers.one() {
        return coordinate(bits, numbers);
    }
    let divisor = Number::new(divisor_bits, numbers);
    let divisor = if divisor.integer == 0 { Number::least(numbers) } else { divisor };
    limited(Number::new(bits, numbers).divided(divisor, COORDINATE_FRAC_BITS))
}

/// u, v and w of a pixel whose texture is no cube. Of an array, w is the layer's coordinate and is not divided; of other textures
/// of fewer axes it is 0.
#[inline]
#[must_use]
pub fn coordinates(pixel: &Pixel, kind: Kind, numbers: Numbers, is_projective: bool) -> [i64; 3] {
    let of = |bits: u32| {
        if is_projective { quotient(bits, pixel.q, numbers) } else { coordinate(bits, numbers) }
    };
    match kind {
        Kind::D1 => [of(pixel.u), 0, 0],
        Kind::D2 | Kind::Cube => [of(pixel.u), of(pixel.v), 0],
        Kind::D3 => [of(pixel.u), of(pixel.v), of(pixel.w)],
        Kind::D2Array => [of(pixel.u), of(pixel.v), coordinate(pixel.w, numbers)],
    }
}

/// The direction of a pixel from the middle of a cube. Nothing at all counts as +z.
#[must_use]
pub fn direction(pixel: &Pixel, numbers: Numbers) -> [Number; 3] {
    let [x, y, z] = [pixel.u, pixel.v, pixel.w].map(|bits| Number::new(bits, numbers));
    let is_nothing = [x, y, z].iter().all(|of| of.integer == 0);
    [x, y, if is_nothing { Number::least(numbers) } else { z }]
}

/// Number of the face that a direction points to: +x, -x, +y, -y, +z, -z. Ties go to z before y before x.
#[must_use]
pub fn face(direction: [Number; 3]) -> u32 {
    let [x, y, z] = direction;
    let is_least = |of: Number, other: Number| of.compare_magnitude(other) != Ordering::Less;
    let (axis, number) = match () {
        () if is_least(z, x) && is_least(z, y) => (2, z),
        () if is_least(y, x) => (1, y),
        () => (0, x),
    };
    2 * axis + u32::from(number.integer < 0)
}

/// Coordinates on a face: 0 to 2^20 where the direction points to it. None if the face lies behind.
#[must_use]
pub fn on_face([x, y, z]: [Number; 3], face: u32) -> Option<[i64; 2]> {
    // The table of the OpenGL specification.
    let (s, t, major) = match face {
        0 => (z.negated(), y.negated(), x),
        1 => (z, y.negated(), x.negated()),
        2 => (x, z, y),
        3 => (x, z.negated(), y.negated()),
        4 => (x, y.negated(), z),
        _ => (x.negated(), y.negated(), z.negated()),
    };
    if major.integer <= 0 {
        return None;
    }
    // (s + major) / (2 major) is half of s / major, and a half.
    let of = |part: Number| limited(part.divided(major, COORDINATE_FRAC_BITS - 1) + ONE / 2);
    Some([of(s), of(t)])
}

/// Where a pixel is: its coordinates, and the face or layer that it shows.
#[derive(Debug, Clone, Copy)]
pub struct Position {
    /// u, v and w.
    pub uvw: [i64; 3],
    /// Face or layer.
    pub slice: u32,
}

impl Position {
    /// Where a pixel is.
    #[inline]
    #[must_use]
    pub fn of(bound: &Bound, pixel: &Pixel) -> Self {
        let (kind, general) = (bound.texture().kind(), bound.general());
        if kind == Kind::Cube {
            return Self::on_cube(pixel, general.numbers);
        }
        let uvw = coordinates(pixel, kind, general.numbers, general.projective);
        let slice = if kind == Kind::D2Array { layer(uvw[2], bound.level(0).size[2]) } else { 0 };
        Self { uvw, slice }
    }

    fn on_cube(pixel: &Pixel, numbers: Numbers) -> Self {
        let direction = direction(pixel, numbers);
        let face = face(direction);
        let [u, v] = on_face(direction, face).expect("the direction points to the face");
        Self { uvw: [u, v, 0], slice: face }
    }
}

/// The layer that a coordinate names: the nearest one.
fn layer(coordinate: i64, layers: u32) -> u32 {
    ((coordinate + ONE / 2) >> COORDINATE_FRAC_BITS).clamp(0, i64::from(layers) - 1) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn singles_by_hand() {
        let table = [
            (0.0, 0),
            (1.0, ONE),
            (-1.0, -ONE),
            (0.5, ONE / 2),
            (-0.3, (-0.3f64 as f32 as f64 * ONE as f64).floor() as i64),
            (1e-30, 0),
            (-1e-30, -1),
            (1e-42, 0),
            (-1e-42, 0),
            (f32::NAN, 0),
            (32767.999, (32767.999f32 as f64 * ONE as f64) as i64),
            (32768.0, MAX_COORDINATE),
            (-32768.0, -MAX_COORDINATE - 1),
            (-1e30, -MAX_COORDINATE - 1),
            (f32::INFINITY, MAX_COORDINATE),
            (f32::NEG_INFINITY, -MAX_COORDINATE - 1),
        ];
        for (single, expected) in table {
            assert_eq!(coordinate(single.to_bits(), Numbers::Fp32), expected, "{single}");
        }
    }

    #[test]
    fn quotients_by_hand() {
        let single = |u: f32, q: f32| quotient(u.to_bits(), q.to_bits(), Numbers::Fp32);
        assert_eq!(single(1.0, 2.0), ONE / 2);
        assert_eq!(single(1.0, 3.0), ONE / 3);
        assert_eq!(single(-1.0, 3.0), -ONE / 3 - 1);
        assert_eq!(single(1.0, -3.0), -ONE / 3 - 1);
        assert_eq!(single(-2.0, -4.0), ONE / 2);
        assert_eq!(single(f32::INFINITY, f32::INFINITY), ONE);
        assert_eq!(single(1.0, f32::INFINITY), 0);
        assert_eq!(single(-1.0, f32::INFINITY), -1);
        // A divisor of nothing is 2^-126, of either sign.
        for q in [0.0, -0.0, f32::NAN, 1e-42] {
            assert_eq!(single(f32::MIN_POSITIVE, q), ONE, "{q}");
            assert_eq!(single(-1.0, q), -MAX_COORDINATE - 1, "{q}");
            assert_eq!(single(0.0, q), 0, "{q}");
        }
        let fixed = |u: i32, q: i32| quotient(u as u32, q as u32, Numbers::S16p16);
        assert_eq!(fixed(65536, 131_072), ONE / 2);
        assert_eq!(fixed(-1, 3), (-ONE).div_euclid(3));
        assert_eq!(fixed(1, 0), ONE);
        assert_eq!(fixed(40_000, 0), MAX_COORDINATE);
        assert_eq!(fixed(i32::MIN, 65536), -MAX_COORDINATE - 1);
    }

    /// Direction and what it shows: face, and its coordinates in 1/4.
    #[test]
    fn faces_by_hand() {
        let table: [([f32; 3], u32, [i64; 2]); 10] = [
            ([1.0, 0.0, 0.0], 0, [2, 2]),
            ([2.0, 0.0, -1.0], 0, [3, 2]),
            ([-2.0, 1.0, -1.0], 1, [1, 1]),
            ([1.0, 2.0, -1.0], 2, [3, 1]),
            ([1.0, -2.0, -1.0], 3, [3, 3]),
            ([1.0, -1.0, 2.0], 4, [3, 3]),
            ([1.0, -1.0, -2.0], 5, [1, 3]),
            ([0.0, 0.0, 0.0], 4, [2, 2]),
            // Ties: z before y before x.
            ([1.0, 1.0, -1.0], 5, [0, 0]),
            ([1.0, 1.0, 0.5], 2, [4, 3]),
        ];
        for (of, number, quarters) in table {
            let [u, v, w] = of.map(f32::to_bits);
            let direction = direction(&Pixel { u, v, w, q: 0, d: 0 }, Numbers::Fp32);
            assert_eq!(face(direction), number, "{of:?}");
            assert_eq!(on_face(direction, number), Some(quarters.map(|q| q * ONE / 4)), "{of:?}");
            assert_eq!(on_face(direction, number ^ 1), None, "{of:?}");
        }
    }
}
