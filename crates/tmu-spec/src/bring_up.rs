//! What the bring-up kit sends: a walk, as its registers give it, and walks with a name.
//!
//! Numbers are s16.16 as in a quad: 65536 is the full extent of the texture.

use crate::choice::impl_choice;

/// Quads that the kit sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Walk {
    /// Quads anywhere: `first` seeds what gives their first pixels, and must not be 0.
    pub is_random: bool,
    /// Valid bits of each quad.
    pub valid: u8,
    /// Number of quads.
    pub quads: u32,
    /// Quads of a row, at least 1.
    pub row_quads: u16,
    /// u and v of the first pixel.
    pub first: [u32; 2],
    /// How u and v change from a pixel to the one on its right.
    pub across: [u32; 2],
    /// How they change from a pixel to the one below.
    pub down: [u32; 2],
}

/// Walks with a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// One texel again and again.
    Constant,
    /// Rows of the texture, a texel a pixel.
    Scan,
    /// Columns of the texture, a texel a pixel: turned by 90 degrees.
    Turned,
    /// Turned by the angle of the triangle with sides 3, 4 and 5, about 37 degrees.
    Rotated,
    /// Quads anywhere, a texel a pixel.
    Random,
}

impl_choice!(
    Pattern,
    "a pattern",
    Constant = "constant",
    Scan = "scan",
    Turned = "turned",
    Rotated = "rotated",
    Random = "random"
);

/// Seeds of [`Pattern::Random`].
pub const SEEDS: [u32; 2] = [0x9e37_79b9, 0x243f_6a88];

impl Pattern {
    /// The walk over a texture whose sides have so many texels, of so many quads, `row_quads` of which are a row.
    ///
    /// # Panics
    /// If a side is 0.
    #[must_use]
    pub fn walk(self, [width, height]: [u32; 2], quads: u32, row_quads: u16) -> Walk {
        let (u, v) = (0x1_0000 / width as i32, 0x1_0000 / height as i32);
        let (across, down) = match self {
            Pattern::Constant => ([0, 0], [0, 0]),
            Pattern::Scan | Pattern::Random => ([u, 0], [0, v]),
            Pattern::Turned => ([0, v], [-u, 0]),
            Pattern::Rotated => ([4 * u / 5, 3 * v / 5], [-3 * u / 5, 4 * v / 5]),
        };
        let bits = |numbers: [i32; 2]| numbers.map(i32::cast_unsigned);
        let first = if self == Pattern::Random { SEEDS } else { bits([u / 2, v / 2]) };
        Walk {
            is_random: self == Pattern::Random,
            valid: 0xf,
            quads,
            row_quads,
            first,
            across: bits(across),
            down: bits(down),
        }
    }
}
