//! Requests of the general numerics: four pixels with up to three coordinates, a divisor and a depth, and what to do with them.

use crate::choice::impl_choice;
use crate::quad::PIXELS;

/// How coordinates and divisors are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(u8)]
pub enum Numbers {
    /// Two's complement of 32 bits; 1.0 is 65536.
    #[default]
    S16p16 = 0,
    /// IEEE singles.
    Fp32 = 1,
}

impl_choice!(Numbers, "a form of numbers", S16p16 = "s16.16", Fp32 = "fp32");

impl Numbers {
    /// The code for drivers.
    #[must_use]
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The bits of 1.0.
    #[must_use]
    pub const fn one(self) -> u32 {
        match self {
            Numbers::S16p16 => 1 << 16,
            Numbers::Fp32 => 1.0f32.to_bits(),
        }
    }
}

/// What is done with the pixels of a quad.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Operation {
    /// The level follows the footprint.
    #[default]
    Sample,
    /// The request gives the level of detail.
    Lod,
    /// The request gives what is added to the level of detail.
    Bias,
    /// One texel by its integer coordinates; the request gives the level.
    Fetch,
    /// One component of the four texels that would be weighted in level 0: 0 to 3 for R, G, B, A.
    Gather(u8),
}

/// A pixel's numbers as bits: `u`, `v`, `w` and `q` in the form of the request, or integers of [`Operation::Fetch`]; `d` is an
/// IEEE single.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Pixel {
    /// First coordinate.
    pub u: u32,
    /// Second coordinate.
    pub v: u32,
    /// Third coordinate: of a volume, a layer, or of a cube's direction.
    pub w: u32,
    /// Divisor of u and v, and of w in a volume.
    pub q: u32,
    /// Depth that is compared.
    pub d: u32,
}

/// Four pixels in Z order, and what to do with them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Quad {
    /// The pixels.
    pub pixels: [Pixel; PIXELS],
    /// Bit i is set if pixel i counts; pixels that do not still feed the derivatives.
    pub valid: u8,
    /// Level of detail or bias, an IEEE single.
    pub lod: u32,
    /// What is done.
    pub operation: Operation,
}

impl Quad {
    /// Whether a pixel counts.
    #[must_use]
    pub const fn is_valid(&self, pixel: usize) -> bool {
        self.valid >> pixel & 1 != 0
    }
}
