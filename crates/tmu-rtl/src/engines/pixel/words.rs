//! What the pixel pipeline is built for, and the words that pass between its stages.

use tmu_hdl::prelude::*;
use tmu_spec::pixel::{BATCH_TRIANGLES, TileSize};

/// Bits of a single.
pub const SINGLE_BITS: usize = 32;
/// Bits of its fraction.
pub(super) const FRACTION_BITS: usize = 23;
/// Bits of its exponent.
pub(super) const EXPONENT_BITS: usize = 8;
/// Bits of the number of a line of memory.
pub const LINE_NUMBER_BITS: usize = 28;
/// Bits of the number of lines of a read of records, less one.
pub const RECORD_LINES_BITS: usize = 3;
/// Pixels of a quad.
pub const PIXELS: usize = 4;

/// Bits of the number of a triangle among those that are shaded together.
pub const NUMBER_BITS: usize = BATCH_TRIANGLES.ilog2() as usize;

/// Sizes of what is on chip, each as a power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TileShape {
    /// Columns of a tile.
    pub width_log2: usize,
    /// Rows of a tile.
    pub height_log2: usize,
    /// Pixels of a row that `hidden_surfaces` looks at in a clock, fewer than a row has.
    pub lanes_log2: usize,
    /// Bits of the number of a triangle among those that are shaded together.
    pub number_bits: usize,
}

impl TileShape {
    /// 32 × 32 pixels, 16 of them a clock.
    pub const FULL: TileShape =
        TileShape { width_log2: 5, height_log2: 5, lanes_log2: 4, number_bits: NUMBER_BITS };
    /// 16 × 16 pixels, 4 of them a clock.
    pub const LITE: TileShape =
        TileShape { width_log2: 4, height_log2: 4, lanes_log2: 2, number_bits: NUMBER_BITS };

    /// 64 × 64 pixels, 16 of them a clock.
    pub const LARGE: TileShape =
        TileShape { width_log2: 6, height_log2: 6, lanes_log2: 4, number_bits: NUMBER_BITS };
    /// 32 × 4 pixels, 8 of them a clock.
    pub const ROWS: TileShape =
        TileShape { width_log2: 5, height_log2: 2, lanes_log2: 3, number_bits: NUMBER_BITS };

    /// Columns.
    #[must_use]
    pub const fn width(&self) -> usize {
        1 << self.width_log2
    }

    /// Rows.
    #[must_use]
    pub const fn height(&self) -> usize {
        1 << self.height_log2
    }

    /// Its size, as frames say it.
    ///
    /// # Panics
    /// If frames cannot have it.
    #[must_use]
    pub fn size(&self) -> TileSize {
        let sides = [self.width(), self.height()].map(|side| side as u32);
        TileSize::of(sides).expect("frames have tiles of this size")
    }

    /// Pixels a clock.
    #[must_use]
    pub const fn lanes(&self) -> usize {
        1 << self.lanes_log2
    }

    /// Bits of the number of a group of such pixels in a row.
    #[must_use]
    pub const fn group_bits(&self) -> usize {
        self.width_log2 - self.lanes_log2
    }

    /// Bits of the number of a group in a tile.
    #[must_use]
    pub const fn place_bits(&self) -> usize {
        self.height_log2 + self.group_bits()
    }
}

/// Pixels of a row that a triangle covers and whose depth passes.
#[derive(Clone, Debug, Record)]
pub struct FoundWord<T = Bits> {
    /// The number of the triangle.
    pub number: T,
    /// Row and group, the group below.
    pub place: T,
    /// Which pixels of the group.
    pub mask: T,
}

impl FoundWord<Width> {
    /// Its shape.
    #[must_use]
    pub fn of(shape: &TileShape) -> FoundWord<Width> {
        FoundWord {
            number: Width::bits(shape.number_bits),
            place: Width::bits(shape.place_bits()),
            mask: Width::bits(shape.lanes()),
        }
    }
}

/// Four pixels of a triangle, or the end of a tile.
#[derive(Clone, Debug, Record)]
pub struct QuadWord<T = Bits> {
    /// The number of the triangle.
    pub number: T,
    /// Column and row of the quad, in quads.
    pub column: T,
    /// See there.
    pub row: T,
    /// Bit i is set if pixel i is seen; pixels stand in Z order.
    pub mask: T,
    /// It is the first one of its triangle.
    pub starts: T,
    /// There is no quad: the tile ends.
    pub is_end: T,
}

impl QuadWord<Width> {
    /// Its shape.
    #[must_use]
    pub fn of(shape: &TileShape) -> QuadWord<Width> {
        QuadWord {
            number: Width::bits(shape.number_bits),
            column: Width::bits(shape.width_log2 - 1),
            row: Width::bits(shape.height_log2 - 1),
            mask: Width::bits(PIXELS),
            starts: Width::bits(1),
            is_end: Width::bits(1),
        }
    }
}
