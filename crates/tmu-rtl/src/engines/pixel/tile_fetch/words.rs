//! What passes out of `tile_fetch`.

use crate::engines::pixel::hidden_surfaces::{SurfaceWord, TileWord};
use crate::engines::pixel::records::byte_address;
use crate::engines::pixel::triangle_setup::SetupWord;
use crate::engines::pixel::words::{LINE_NUMBER_BITS, SINGLE_BITS, TileShape};
use tmu_hdl::prelude::*;
use tmu_spec::pixel::{FaultCode, MAX_FRAME_SIDE};

/// Bits of a column or row of the frame.
pub const PIXEL_BITS: usize = MAX_FRAME_SIDE.ilog2() as usize;
/// Bits of a code of a fault.
pub const CODE_BITS: usize = 4;
/// Bits of an address.
pub const ADDRESS_BITS: usize = 32;
/// Bits of the part of a list.
pub const PART_BITS: usize = 2;
/// Bits of the number of entries of a list.
pub const LIMIT_BITS: usize = 20;
/// Bits of the number of textures.
pub const TEXTURES_BITS: usize = 9;

/// Why a frame ends.
#[derive(Clone, Debug, Record)]
pub struct FaultWord<T = Bits> {
    /// The number of a [`FaultCode`].
    pub code: T,
    /// Where.
    pub address: T,
}

impl FaultWord {
    /// A fault of what begins with a line.
    pub(in crate::engines::pixel) fn at(code: FaultCode, line: Bits) -> FaultWord {
        FaultWord { code: lit(CODE_BITS, code as u32), address: byte_address(line) }
    }
}

impl FaultWord<Width> {
    /// Its shape.
    #[must_use]
    pub fn shape() -> FaultWord<Width> {
        FaultWord { code: Width::bits(CODE_BITS), address: Width::bits(ADDRESS_BITS) }
    }
}

/// What a frame's record says. Addresses and pitches count lines.
#[derive(Clone, Debug, Record)]
pub struct FrameWord<T = Bits> {
    /// Width in pixels, less one.
    pub width_less_one: T,
    /// Height, less one.
    pub height_less_one: T,
    /// The number of an [`OutputFormat`](tmu_spec::pixel::OutputFormat).
    pub output: T,
    /// The picture is dithered.
    pub dithers: T,
    /// Depths are written.
    pub writes_depth: T,
    /// The most entries of a list.
    pub list_limit: T,
    /// The colour where nothing is drawn, red lowest.
    pub clear_color: T,
    /// The depth there.
    pub clear_depth: T,
    /// The table of tiles.
    pub tiles: T,
    /// The store of textures.
    pub textures: T,
    /// The picture.
    pub picture: T,
    /// From a row of it to the next.
    pub picture_pitch: T,
    /// Depths.
    pub depth: T,
    /// From a row of them to the next.
    pub depth_pitch: T,
    /// Textures of the store.
    pub texture_count: T,
}

impl FrameWord<Width> {
    /// Its shape.
    #[must_use]
    pub fn shape() -> FrameWord<Width> {
        let (bit, line, side) = (Width::bits(1), Width::bits(LINE_NUMBER_BITS), Width::bits(PIXEL_BITS));
        FrameWord {
            width_less_one: side,
            height_less_one: side,
            output: Width::bits(2),
            dithers: bit,
            writes_depth: bit,
            list_limit: Width::bits(LIMIT_BITS),
            clear_color: Width::bits(32),
            clear_depth: Width::bits(SINGLE_BITS),
            tiles: line,
            textures: line,
            picture: line,
            picture_pitch: line,
            depth: line,
            depth_pitch: line,
            texture_count: Width::bits(TEXTURES_BITS),
        }
    }
}

/// A triangle as hidden surfaces need it, or the end of those that are looked at together.
#[derive(Clone, Debug, Record)]
pub struct TriangleWord<T = Bits> {
    /// There is no triangle.
    pub is_end: T,
    /// Its number.
    pub number: T,
    /// The number of a [`CompareOp`](tmu_spec::general::CompareOp).
    pub compare: T,
    /// The number of a [`Cull`](tmu_spec::pixel::Cull).
    pub cull: T,
    /// Its depths stay.
    pub keeps: T,
    /// Places and depths of the vertices, and 1/C.
    pub setup: SetupWord<T>,
}

impl TriangleWord<Width> {
    /// Its shape.
    #[must_use]
    pub fn of(shape: &TileShape) -> TriangleWord<Width> {
        let SurfaceWord { is_end, number, compare, cull, keeps, .. } = SurfaceWord::of(shape);
        TriangleWord { is_end, number, compare, cull, keeps, setup: SetupWord::shape() }
    }
}

/// What is to be shaded next, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HardwareEnum)]
pub enum Order {
    /// The quads of some triangles.
    Batch,
    /// Nothing more of a tile, which is then written.
    TileEnd,
    /// Nothing more: the frame ends.
    FrameEnd,
    /// The same, with a fault.
    Fault,
}

/// An order to the stages behind `grouping`.
#[derive(Clone, Debug, Record)]
pub struct OrderWord<T = Bits> {
    /// The number of an [`Order`].
    pub order: T,
    /// The part of the list that the triangles are in.
    pub part: T,
    /// Which tile.
    pub tile: TileWord<T>,
}

impl OrderWord<Width> {
    /// Its shape.
    #[must_use]
    pub fn of(shape: &TileShape) -> OrderWord<Width> {
        OrderWord { order: Width::bits(2), part: Width::bits(PART_BITS), tile: TileWord::of(shape) }
    }
}
