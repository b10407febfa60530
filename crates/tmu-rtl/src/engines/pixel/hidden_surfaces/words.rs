//! What passes into and through `hidden_surfaces`.

use crate::engines::pixel::triangle_setup::{PlaceWord, PlaneWord, SetupWord};
use crate::engines::pixel::words::{SINGLE_BITS, TileShape};
use tmu_hdl::prelude::*;
use tmu_spec::pixel::{MAX_FRAME_SIDE, PLACE_BITS, SUBPIXEL_BITS};

/// Bits of a coordinate of a place.
pub(super) const COORDINATE_BITS: usize = PLACE_BITS as usize;
/// Bits of the difference of two of them.
pub(super) const DIFFERENCE_BITS: usize = COORDINATE_BITS + 1;
/// Bits of an edge function.
pub(super) const EDGE_BITS: usize = 2 * DIFFERENCE_BITS + 2;
/// Bits of a column or row of the frame.
pub(super) const PIXEL_BITS: usize = MAX_FRAME_SIDE.ilog2() as usize;
/// Bits behind the point of a place.
pub(super) const FRACTION_BITS: usize = SUBPIXEL_BITS as usize;

/// A triangle, or the end of those that are looked at together.
#[derive(Clone, Debug, Record)]
pub struct SurfaceWord<T = Bits> {
    /// There is no triangle: `done` when all before it are.
    pub is_end: T,
    /// Its number in the tile.
    pub number: T,
    /// The number of a [`CompareOp`](tmu_spec::general::CompareOp).
    pub compare: T,
    /// The number of a [`Cull`](tmu_spec::pixel::Cull).
    pub cull: T,
    /// Its depths stay.
    pub keeps: T,
    /// Of the three vertices.
    pub places: [PlaceWord<T>; 3],
    /// Its depth: E, F and G.
    pub depth: DepthPlane<T>,
}

/// The plane of depth.
#[derive(Clone, Debug, Record)]
pub struct DepthPlane<T = Bits> {
    /// What it grows by along a row.
    pub e: T,
    /// What it grows by from row to row.
    pub f: T,
    /// What it is at the corner of the screen.
    pub g: T,
}

impl DepthPlane<Width> {
    fn shape() -> DepthPlane<Width> {
        let PlaneWord { e, f, g, .. } = PlaneWord::shape();
        DepthPlane { e, f, g }
    }
}

impl SurfaceWord<Width> {
    /// Its shape.
    #[must_use]
    pub fn of(shape: &TileShape) -> SurfaceWord<Width> {
        SurfaceWord {
            is_end: Width::bits(1),
            number: Width::bits(shape.number_bits),
            compare: Width::bits(3),
            cull: Width::bits(2),
            keeps: Width::bits(1),
            places: SetupWord::shape().places,
            depth: DepthPlane::shape(),
        }
    }
}

/// Which tile of the frame.
#[derive(Clone, Debug, Record)]
pub struct TileWord<T = Bits> {
    /// Its column, in tiles.
    pub column: T,
    /// Its row.
    pub row: T,
    /// Its last column of pixels that is in the frame.
    pub last_column: T,
    /// Its last row.
    pub last_row: T,
}

impl TileWord<Width> {
    /// Its shape.
    #[must_use]
    pub fn of(shape: &TileShape) -> TileWord<Width> {
        TileWord {
            column: Width::bits(PIXEL_BITS - shape.width_log2),
            row: Width::bits(PIXEL_BITS - shape.height_log2),
            last_column: Width::bits(shape.width_log2),
            last_row: Width::bits(shape.height_log2),
        }
    }
}

/// What all steps of a triangle have.
#[derive(Clone, Debug, Record)]
pub(super) struct Common<T = Bits> {
    pub(super) number: T,
    pub(super) compare: T,
    pub(super) keeps: T,
    pub(super) depth: DepthPlane<T>,
}

/// An edge function: inside where it is not below 0.
#[derive(Clone, Debug, Record)]
pub(super) struct EdgeWord<T = Bits> {
    /// At the first pixel that is looked at.
    pub(super) value: T,
    /// What it grows by in 1/16 of a pixel along a row.
    pub(super) along: T,
    /// The same from row to row.
    pub(super) down: T,
}

/// A triangle that is looked at, or the end.
#[derive(Clone, Debug, Record)]
pub(super) struct ScanWord<T = Bits> {
    pub(super) is_end: T,
    pub(super) common: Common<T>,
    pub(super) edges: [EdgeWord<T>; 3],
    /// The first group and the last one of each row.
    pub(super) groups: [T; 2],
    /// The first row and the last one.
    pub(super) rows: [T; 2],
}

impl Common<Width> {
    pub(super) fn of(shape: &TileShape) -> Common<Width> {
        let SurfaceWord { number, compare, keeps, depth, .. } = SurfaceWord::of(shape);
        Common { number, compare, keeps, depth }
    }
}

impl ScanWord<Width> {
    pub(super) fn of(shape: &TileShape) -> ScanWord<Width> {
        let step = Width::bits(DIFFERENCE_BITS);
        let edge = || EdgeWord { value: Width::bits(EDGE_BITS), along: step, down: step };
        let (group, row) = (Width::bits(shape.group_bits()), Width::bits(shape.height_log2));
        ScanWord {
            is_end: Width::bits(1),
            common: Common::of(shape),
            edges: [edge(), edge(), edge()],
            groups: [group, group],
            rows: [row, row],
        }
    }
}

/// Bits of a depth.
pub(super) const DEPTH_BITS: usize = SINGLE_BITS;
