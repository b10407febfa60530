//! Planes, reciprocals, colours, blending and conversions, by hand and against other formulations of the same steps.

use super::super::interpolation::color;
use super::super::reciprocal::{of_rhw, reciprocal};
use super::super::tile_buffer::blend;
use super::super::triangle_setup::{Corners, Plane};
use super::super::write_back::rgb565;
use proptest::prelude::*;
use tmu_spec::choice::Choice;
use tmu_spec::pixel::{Blend, Position};

/// A step of singles worked out in doubles, which have more than twice as many bits, and rounded once more.
#[derive(Clone, Copy)]
struct Step(f64);

fn step(value: f64) -> Step {
    let rounded = value as f32;
    Step(if rounded.is_subnormal() { 0.0_f64.copysign(value) } else { f64::from(rounded) })
}

impl std::ops::Add for Step {
    type Output = Step;
    fn add(self, other: Step) -> Step {
        step(self.0 + other.0)
    }
}

impl std::ops::Sub for Step {
    type Output = Step;
    fn sub(self, other: Step) -> Step {
        step(self.0 - other.0)
    }
}

impl std::ops::Mul for Step {
    type Output = Step;
    fn mul(self, other: Step) -> Step {
        step(self.0 * other.0)
    }
}

impl std::ops::Neg for Step {
    type Output = Step;
    fn neg(self) -> Step {
        Step(-self.0)
    }
}

/// The rule as it is written: the value at the centre of a pixel.
fn expected(places: [[i32; 2]; 3], k: [f32; 3], inverse: f32, pixel: [u32; 2]) -> f32 {
    let [[x0, y0], [x1, y1], [x2, y2]] = places.map(|place| place.map(|value| step(f64::from(value) / 16.0)));
    let [k0, k1, k2] = k.map(|value| step(value.into()));
    let a = (y1 - y2) * (k1 - k0) - (k1 - k2) * (y1 - y0);
    let b = (k1 - k2) * (x1 - x0) - (x1 - x2) * (k1 - k0);
    let c = (x1 - x2) * (y1 - y0) - (y1 - y2) * (x1 - x0);
    let d = -((a * x1 + b * y1) + c * k1);
    let inverse = step(inverse.into());
    let (e, f, g) = ((-a) * inverse, (-b) * inverse, (-d) * inverse);
    let [x, y] = pixel.map(|pixel| step(f64::from(pixel) + 0.5));
    (e * x + (f * y + g)).0 as f32
}

/// Any single, near 1 and near the least ones often.
fn single() -> impl Strategy<Value = f32> {
    let least = (0u32..0x0180_0000).prop_map(f32::from_bits);
    prop_oneof![-2.0f32..2.0, -1e30f32..1e30, least, Just(0.0), Just(-0.0)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn planes_take_the_written_steps(
        places in prop::array::uniform3([-131_072..131_072, -131_072..131_072]),
        k in prop::array::uniform3(single()),
        inverse in single(),
        pixel in [0u32..4096, 0u32..4096],
    ) {
        let positions = places.map(|[x, y]| Position { x, y, z: 0.0, rhw: 0.0 });
        let plane = Corners::new(&positions, inverse).plane(k);
        let [x, y] = pixel.map(|pixel| pixel as f32 + 0.5);
        let (got, expected) = (plane.at(x, plane.row(y)), expected(places, k, inverse, pixel));
        prop_assert!(got.to_bits() == expected.to_bits() || (got.is_nan() && expected.is_nan()), "{got:e}, expected {expected:e}");
    }

    /// `floor(c·4096 / 255)` in integers.
    #[test]
    fn colors_are_cut(value in 0.0f32..255.0) {
        let bits = value.to_bits();
        let exponent = (bits >> 23) as i32 - 150;
        let mantissa = u128::from(bits & 0x7f_ffff | 0x80_0000) * 4096;
        let expected = match exponent {
            ..=-100 => 0,
            -99..0 => mantissa / (255 << -exponent),
            _ => (mantissa << exponent) / 255,
        };
        prop_assert_eq!(i128::from(color(value)), expected as i128, "{}", value);
    }
}

#[test]
fn a_plane_by_hand() {
    // A right angle with legs of 16 pixels: k grows by 1 a pixel to the right and by 2 downwards.
    let positions = [[0, 0], [256, 0], [0, 256]].map(|[x, y]| Position { x, y, z: 0.0, rhw: 0.0 });
    let plane = Corners::new(&positions, 1.0 / 256.0).plane([5.0, 21.0, 37.0]);
    assert_eq!(plane, Plane { e: 1.0, f: 2.0, g: 5.0 });
    assert_eq!(plane.at(0.5, plane.row(3.5)), 12.5);
}

#[test]
fn reciprocals_by_hand() {
    let least = f32::MIN_POSITIVE;
    let table = [
        (0.0, f32::MAX),
        (-0.0, -f32::MAX),
        (least / 2.0, f32::MAX),
        (-least / 2.0, -f32::MAX),
        (1.0, 1.0),
        (3.0, 1.0 / 3.0),
        (-4.0, -0.25),
        (least, 1.0 / least),
        (f32::MAX, 0.0),
        (f32::NEG_INFINITY, -0.0),
    ];
    for (value, expected) in table {
        assert_eq!(reciprocal(value).to_bits(), f32::to_bits(expected), "{value:e}");
    }
    for (value, expected) in [(0.0, 1.0 / least), (-0.0, 1.0 / least), (-7.0, 1.0 / least), (8.0, 0.125)] {
        assert_eq!(of_rhw(value), expected, "{value:e}");
    }
}

#[test]
fn colors_by_hand() {
    let table = [
        (0.0, 0),
        (255.0, 4096),
        (-3.0, 0),
        (300.0, 4096),
        (127.5, 2048),
        (1.0, 16),
        (254.9999, 4095),
        (f32::NAN, 0),
    ];
    for (value, expected) in table {
        assert_eq!(color(value), expected, "{value}");
    }
}

#[test]
fn blending_is_rounded_in_rational_numbers() {
    let around = |number: i64| (2 * number + 255).div_euclid(510).min(255) as u8;
    for s in (0..=255u8).step_by(5) {
        for d in (0..=255u8).step_by(3) {
            for a in [0u8, 1, 64, 127, 128, 200, 254, 255] {
                let [s64, d64, a64] = [s, d, a].map(i64::from);
                for mode in Blend::CHOICES {
                    // Numerators over 255.
                    let expected = match mode {
                        Blend::None => 255 * s64,
                        Blend::Alpha => s64 * a64 + d64 * (255 - a64),
                        Blend::Premultiplied => 255 * s64 + d64 * (255 - a64),
                        Blend::Additive => 255 * (s64 + d64),
                        Blend::Multiply => s64 * d64,
                    };
                    let got = blend(*mode, [s, 0, 0, a], [d, 0, 0, 9])[0];
                    assert_eq!(got, around(expected), "{mode}: {s} over {d}, alpha {a}");
                }
            }
        }
    }
    // Alpha is a channel like the others.
    assert_eq!(blend(Blend::Alpha, [0, 0, 0, 128], [0, 0, 0, 255])[3], 191);
    assert_eq!(blend(Blend::Additive, [0, 0, 0, 200], [0, 0, 0, 100])[3], 255);
}

#[test]
fn cut_colors_by_hand() {
    let table = [
        ([255, 255, 255, 0], [0, 0], false, 0xffff),
        ([7, 3, 7, 255], [3, 3], false, 0),
        ([8, 4, 8, 255], [0, 0], false, 0x0821),
        // 15 of the table at column 0 and row 3: 7 are added to red and blue, 3 to green.
        ([1, 1, 1, 255], [0, 3], true, 0x0821),
        ([0, 0, 0, 255], [0, 3], true, 0),
        ([1, 1, 1, 255], [4, 4], true, 0),
        ([255, 255, 255, 0], [4, 7], true, 0xffff),
    ];
    for (color, place, dithers, expected) in table {
        assert_eq!(rgb565(color, place, dithers), expected, "{color:?} at {place:?}");
    }
}
