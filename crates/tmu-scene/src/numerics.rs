//! What quads and results are in the two numerics: coordinates as numbers to a request, a result to colours.
//!
//! A scene is drawn in either by one rasteriser, which knows coordinates as floats only.

use std::fmt;

use tmu_spec::general::{self, Kind, Numbers, Operation, Pixel, ResultNumbers};
use tmu_spec::{AddressMode, Binding, Quad, QuadResult};

use crate::raster::{MOST_REPEATS, reduced, to_fixed};

/// What a pixel is sampled with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coordinates {
    /// First coordinate.
    pub u: f64,
    /// Second coordinate.
    pub v: f64,
    /// Third coordinate: of a volume, a layer, or of a cube's direction.
    pub w: f64,
    /// Divisor of u and v, and of w in a volume.
    pub q: f64,
    /// Depth that texels are compared with.
    pub d: f64,
}

/// What units take and give.
pub trait Numerics: Copy + fmt::Debug + Send + Sync {
    /// What tells a unit what to sample, and how.
    type Binding: Copy + fmt::Debug + PartialEq + Send + Sync;
    /// Four pixels.
    type Quad: Copy + fmt::Debug + Send + Sync;
    /// The answer to a quad.
    type QuadResult: Copy + fmt::Debug + Default + Send + Sync;

    /// The request for four pixels; `reference` is one of the valid ones.
    fn quad(
        &self,
        binding: &Self::Binding,
        pixels: &[Coordinates; 4],
        valid: u8,
        reference: usize,
    ) -> Self::Quad;

    /// The valid bits of a quad.
    fn valid(quad: &Self::Quad) -> u8;

    /// Whether the quad could not be sampled.
    fn is_error(result: &Self::QuadResult) -> bool;

    /// R, G, B, A of the pixels as a picture shows them.
    fn rgba(&self, result: &Self::QuadResult) -> [[u8; 4]; 4];
}

/// The classic numerics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Classic;

impl Numerics for Classic {
    type Binding = Binding;
    type Quad = Quad;
    type QuadResult = QuadResult;

    fn quad(&self, binding: &Binding, pixels: &[Coordinates; 4], valid: u8, reference: usize) -> Quad {
        let sampler = binding.sampler();
        let u = to_fixed(pixels.map(|pixel| pixel.u), reference, sampler.address_u);
        let v = to_fixed(pixels.map(|pixel| pixel.v), reference, sampler.address_v);
        Quad::new(std::array::from_fn(|pixel| [u[pixel], v[pixel]]), valid)
    }

    fn valid(quad: &Quad) -> u8 {
        quad.valid()
    }

    fn is_error(result: &QuadResult) -> bool {
        result.error()
    }

    fn rgba(&self, result: &QuadResult) -> [[u8; 4]; 4] {
        *result.rgba()
    }
}

/// Largest component of a cube's direction in s16.16: 30 bits tell directions apart.
const FIXED_DIRECTION: f64 = 16384.0;

/// Repeats up to which singles tell 1/256 of the texels of any texture apart.
const MOST_SINGLE_REPEATS: f64 = 8.0;

/// The general numerics, as a unit has them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct General {
    /// The form of coordinates.
    pub numbers: Numbers,
    /// The unit divides by q; otherwise the rasteriser does.
    pub projective: bool,
    /// The form of results.
    pub result: ResultNumbers,
    /// Results are linear light, which the picture shows sRGB-coded.
    pub encodes_srgb: bool,
}

impl General {
    /// The same as a unit has it.
    #[must_use]
    pub const fn of_unit(self, unit: &general::General) -> Self {
        let general::General { numbers, projective, result, .. } = *unit;
        Self { numbers, projective, result, ..self }
    }

    fn bits(&self, number: f64) -> u32 {
        match self.numbers {
            // As in `to_fixed`.
            Numbers::S16p16 => (number * 65536.0).round() as i32 as u32,
            Numbers::Fp32 => (number as f32).to_bits(),
        }
    }

    /// A channel as 8 bits of the picture.
    fn shown(&self, bits: u32, is_color: bool) -> u8 {
        let part = match self.result {
            ResultNumbers::Unorm8 => f64::from(bits) / 255.0,
            ResultNumbers::Unorm16 => f64::from(bits) / 65535.0,
            ResultNumbers::Fp32 => f64::from(f32::from_bits(bits)),
        };
        let coded = if is_color && self.encodes_srgb { srgb(part.clamp(0.0, 1.0)) } else { part };
        // What is no number casts to 0.
        (coded.clamp(0.0, 1.0) * 255.0).round() as u8
    }
}

/// Linear light, 0 … 1, as sRGB has it.
fn srgb(light: f64) -> f64 {
    if light <= 0.003_130_8 { light * 12.92 } else { 1.055 * libm::pow(light, 1.0 / 2.4) - 0.055 }
}

/// Directions with their largest component at `most`. What has none stays.
fn scaled(pixel: Coordinates, most: f64) -> Coordinates {
    let largest = [pixel.u, pixel.v, pixel.w].into_iter().fold(0.0, |most: f64, value| most.max(value.abs()));
    let factor = if largest.is_normal() { most / largest } else { 1.0 };
    Coordinates { u: pixel.u * factor, v: pixel.v * factor, w: pixel.w * factor, ..pixel }
}

/// A pixel whose coordinates are divided.
fn divided(pixel: Coordinates, kind: Kind) -> Coordinates {
    let Coordinates { u, v, w, q, .. } = pixel;
    let w = if kind == Kind::D3 { w / q } else { w };
    Coordinates { u: u / q, v: v / q, w, q: 1.0, ..pixel }
}

impl Numerics for General {
    type Binding = general::Binding;
    type Quad = general::Quad;
    type QuadResult = general::QuadResult;

    fn quad(
        &self,
        binding: &general::Binding,
        pixels: &[Coordinates; 4],
        valid: u8,
        reference: usize,
    ) -> general::Quad {
        let (kind, sampler) = (binding.texture.kind(), &binding.sampler);
        let mut pixels = *pixels;
        let mut is_divided = pixels.iter().any(|pixel| pixel.q != 1.0);
        if is_divided && !self.projective {
            pixels = pixels.map(|pixel| divided(pixel, kind));
            is_divided = false;
        }
        let most = match self.numbers {
            Numbers::S16p16 => MOST_REPEATS,
            Numbers::Fp32 => MOST_SINGLE_REPEATS,
        };
        if kind == Kind::Cube {
            let most = if self.numbers == Numbers::S16p16 { FIXED_DIRECTION } else { 1.0 };
            pixels = pixels.map(|pixel| scaled(pixel, most));
        }
        // Directions, layers and what is still to be divided have no period.
        let has_period = |axis: usize| kind != Kind::Cube && axis < kind.axes() && !is_divided;
        let axis = |number: usize, of: fn(&Coordinates) -> f64| {
            let mode = if has_period(number) { sampler.address[number] } else { AddressMode::Clamp };
            let is_read = match kind {
                Kind::Cube | Kind::D2Array => true,
                _ => number < kind.axes(),
            };
            let numbers = reduced(pixels.each_ref().map(of), reference, mode, most);
            numbers.map(|value| if is_read { self.bits(value) } else { 0 })
        };
        let (u, v) = (axis(0, |pixel| pixel.u), axis(1, |pixel| pixel.v));
        let w = axis(2, |pixel| pixel.w);
        let depth =
            |pixel: usize| if sampler.compare.is_some() { (pixels[pixel].d as f32).to_bits() } else { 0 };
        general::Quad {
            pixels: std::array::from_fn(|pixel| Pixel {
                u: u[pixel],
                v: v[pixel],
                w: w[pixel],
                q: self.bits(pixels[pixel].q),
                d: depth(pixel),
            }),
            valid,
            lod: 0,
            operation: Operation::Sample,
        }
    }

    fn valid(quad: &general::Quad) -> u8 {
        quad.valid
    }

    fn is_error(result: &general::QuadResult) -> bool {
        result.error
    }

    fn rgba(&self, result: &general::QuadResult) -> [[u8; 4]; 4] {
        result.channels.map(|[r, g, b, a]| {
            let color = [r, g, b].map(|bits| self.shown(bits, true));
            [color[0], color[1], color[2], self.shown(a, false)]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tmu_spec::Format;
    use tmu_spec::general::texture::Shape;
    use tmu_spec::general::{CompareOp, Sampler, Swizzle, Texture};

    fn binding(kind: Kind, sampler: Sampler) -> general::Binding {
        let (height, depth) = if kind == Kind::D1 { (1, 1) } else { (8, 1) };
        let shape = Shape { kind, width: 8, height, depth, levels: 1, format: Format::D16 };
        let texture = Texture::packed(shape, Swizzle::NONE, false).unwrap();
        general::Binding { base: 0, texture, sampler, drop_cache: false }
    }

    fn all(u: f64, v: f64, w: f64, q: f64, d: f64) -> [Coordinates; 4] {
        [Coordinates { u, v, w, q, d }; 4]
    }

    /// The numbers of the first pixel in s16.16, and of its depth.
    fn first(general: General, binding: &general::Binding, pixels: &[Coordinates; 4]) -> [f64; 5] {
        let quad = general.quad(binding, pixels, 0xf, 0);
        let Pixel { u, v, w, q, d } = quad.pixels[0];
        let of = |bits: u32| match general.numbers {
            Numbers::S16p16 => f64::from(bits as i32) / 65536.0,
            Numbers::Fp32 => f64::from(f32::from_bits(bits)),
        };
        [of(u), of(v), of(w), of(q), f32::from_bits(d).into()]
    }

    #[test]
    fn numbers_go_as_the_kind_reads_them() {
        let (fixed, plain) = (General::default(), Sampler::default());
        let single = General { numbers: Numbers::Fp32, ..fixed };
        let pixels = all(0.5, -0.25, 3.0, 1.0, 0.75);
        assert_eq!(first(fixed, &binding(Kind::D1, plain), &pixels), [0.5, 0.0, 0.0, 1.0, 0.0]);
        assert_eq!(first(fixed, &binding(Kind::D2, plain), &pixels), [0.5, -0.25, 0.0, 1.0, 0.0]);
        assert_eq!(first(single, &binding(Kind::D2Array, plain), &pixels), [0.5, -0.25, 3.0, 1.0, 0.0]);
        let compared = Sampler { compare: Some(CompareOp::Less), ..plain };
        assert_eq!(first(single, &binding(Kind::D2, compared), &pixels), [0.5, -0.25, 0.0, 1.0, 0.75]);
        let cube = binding(Kind::Cube, plain);
        assert_eq!(first(single, &cube, &pixels)[2], 1.0);
        assert_eq!(first(fixed, &cube, &all(-2.0, 1.0, 0.0, 1.0, 0.0))[..3], [-16384.0, 8192.0, 0.0]);
        assert_eq!(first(fixed, &cube, &all(0.0, 0.0, 0.0, 1.0, 0.0))[..3], [0.0; 3]);
    }

    #[test]
    fn who_divides_is_the_units_choice() {
        let unit = General { projective: true, ..General::default() };
        let pixels = all(3.0, 1.0, 6.0, 2.0, 0.0);
        let (plane, volume) = (binding(Kind::D2, Sampler::default()), binding(Kind::D3, Sampler::default()));
        assert_eq!(first(unit, &plane, &pixels), [3.0, 1.0, 0.0, 2.0, 0.0]);
        assert_eq!(first(General::default(), &plane, &pixels), [1.5, 0.5, 0.0, 1.0, 0.0]);
        assert_eq!(first(General::default(), &volume, &pixels)[..3], [1.5, 0.5, 3.0]);
    }

    #[test]
    fn periods_are_taken_where_precision_would_be_lost() {
        let single = General { numbers: Numbers::Fp32, ..General::default() };
        let clamped = Sampler { address: [AddressMode::Clamp; 3], ..Sampler::default() };
        let pixels = all(1001.25, 7.5, 0.0, 1.0, 0.0);
        assert_eq!(first(single, &binding(Kind::D2, Sampler::default()), &pixels)[..2], [1.25, 7.5]);
        assert_eq!(first(single, &binding(Kind::D2, clamped), &pixels)[..2], [1001.25, 7.5]);
        let fixed = binding(Kind::D2, Sampler::default());
        assert_eq!(first(General::default(), &fixed, &pixels)[..2], [1001.25, 7.5]);
    }

    #[test]
    fn every_form_of_result_becomes_eight_bits() {
        use ResultNumbers::{Fp32, Unorm8, Unorm16};
        let cases = [
            (Unorm8, false, 77, [77, 77]),
            (Unorm16, false, 257 * 77, [77, 77]),
            (Fp32, false, 0.5_f32.to_bits(), [128, 128]),
            (Fp32, false, 7.0_f32.to_bits(), [255, 255]),
            (Fp32, false, f32::NAN.to_bits(), [0, 0]),
            // Alpha is never coded.
            (Fp32, true, 0.5_f32.to_bits(), [188, 128]),
            (Unorm16, true, 65535, [255, 255]),
        ];
        for (result, encodes_srgb, bits, [color, alpha]) in cases {
            let general = General { result, encodes_srgb, ..General::default() };
            let sampled = general::QuadResult { channels: [[bits; 4]; 4], ..general::QuadResult::default() };
            let shown = general.rgba(&sampled)[0];
            assert_eq!(shown, [color, color, color, alpha], "{result} {bits:#x}, {encodes_srgb}");
        }
    }
}
