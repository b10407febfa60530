//! Values of records that go by codes.

use super::field::Scalar;
use crate::choice::{Choice, impl_choice};

/// The pixels of a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(u8)]
pub enum TileSize {
    /// 16 × 16.
    Square16 = 0,
    /// 32 × 32.
    #[default]
    Square32 = 1,
    /// 64 × 64.
    Square64 = 2,
    /// 32 × 4.
    Row32 = 3,
}

impl_choice!(
    TileSize,
    "a size of tiles",
    Square16 = "16x16",
    Square32 = "32x32",
    Square64 = "64x64",
    Row32 = "32x4",
);

impl TileSize {
    /// The size of so many pixels a row and so many rows; none where frames cannot have it.
    #[must_use]
    pub fn of(sides: [u32; 2]) -> Option<Self> {
        Self::CHOICES.iter().copied().find(|size| [size.width(), size.height()] == sides)
    }

    /// Pixels of a row.
    #[must_use]
    pub const fn width(self) -> u32 {
        [16, 32, 64, 32][self as usize]
    }

    /// Rows.
    #[must_use]
    pub const fn height(self) -> u32 {
        [16, 32, 64, 4][self as usize]
    }
}

/// Triangles that are not drawn, as their vertices follow each other on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(u8)]
pub enum Cull {
    /// None of them.
    #[default]
    None = 0,
    /// Clockwise ones.
    Clockwise = 1,
    /// Counter-clockwise ones.
    CounterClockwise = 2,
}

impl_choice!(
    Cull,
    "a way to cull",
    None = "none",
    Clockwise = "clockwise",
    CounterClockwise = "counter_clockwise",
);

/// What becomes of a colour s over one that is there, d; a is the alpha of s.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(u8)]
pub enum Blend {
    /// s
    #[default]
    None = 0,
    /// s·a + d·(1 − a)
    Alpha = 1,
    /// s + d·(1 − a)
    Premultiplied = 2,
    /// s + d
    Additive = 3,
    /// s·d
    Multiply = 4,
}

impl_choice!(
    Blend,
    "a way to blend",
    None = "none",
    Alpha = "alpha",
    Premultiplied = "premultiplied",
    Additive = "additive",
    Multiply = "multiply",
);

/// How a picture is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(u8)]
pub enum OutputFormat {
    /// Four bytes, red first.
    #[default]
    Rgba8 = 0,
    /// Four bytes, blue first.
    Bgra8 = 1,
    /// Two bytes: red in bits 15:11, green in 10:5, blue in 4:0.
    Rgb565 = 2,
}

impl_choice!(OutputFormat, "a form of the picture", Rgba8 = "rgba8", Bgra8 = "bgra8", Rgb565 = "rgb565");

impl OutputFormat {
    /// Bytes of a pixel.
    #[must_use]
    pub const fn pixel_bytes(self) -> u32 {
        [4, 4, 2][self as usize]
    }
}

macro_rules! scalars {
    ($($type:ty),*) => {$(
        impl Scalar for $type {
            fn from_bits(bits: u32, _: u32) -> Option<Self> {
                Self::CHOICES.get(bits as usize).copied()
            }

            fn to_bits(self) -> u32 {
                self as u32
            }
        }
    )*};
}

scalars!(TileSize, Cull, Blend, OutputFormat);
