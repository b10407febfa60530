//! What passes from `footprint` to `address`.

use crate::datapath::general::axis::{TEXEL_BITS, WEIGHT_BITS};
use crate::datapath::general::coordinate::{BoundTexels, Footprint, LevelPlace};
use crate::datapath::general::tile::part_bits;
use crate::datapath::general::words::{
    QuadEnds, TAPS, general, has_blocks, has_border, has_fetch, has_pairs,
};
use tmu_hdl::prelude::*;
use tmu_spec::Config;
use tmu_spec::general::Kind;

/// A part of a probe.
#[derive(Clone, Debug, Record)]
pub struct TapItem<T = Bits> {
    /// The cache drops what it holds: there are no taps.
    pub invalidates: T,
    /// The probe among those of its quad.
    pub ends: QuadEnds<T>,
    /// It is the first item of its probe.
    pub starts_probe: T,
    /// It is the last item of its probe.
    pub ends_probe: T,
    /// Columns; the second one counts where `uses_second_x`.
    pub x: [T; 2],
    /// Rows.
    pub y: [T; 2],
    /// It has taps in both columns.
    pub uses_second_x: T,
    /// It has taps in both rows.
    pub uses_second_y: T,
    /// Its taps are told by their places: the one at `place`, in the first column and row, and where a second column or row is used
    /// the one beside it along an edge of a cube.
    pub is_by_place: T,
    /// The tap beside it lies in the same column of its probe, not in the same row.
    pub in_column: T,
    /// It is a row of its probe, `place` that of its first tap.
    pub is_by_row: T,
    /// Place of the first tap of those that are told by it, or of a row: its row above its column, 0 the first.
    pub place: T,
    /// The taps that are told by their places lie across this edge of a face.
    pub edge: Edge<T>,
    /// Weight of the second column.
    pub weight_x: T,
    /// Weight of the second row.
    pub weight_y: T,
    /// A tap lies over the corner of a cube.
    pub has_corner: T,
    /// Which one.
    pub corner: T,
    /// There is nothing to read for it: its probe is the border, or nothing.
    pub reads_nothing: T,
    /// Taps of the probe that show the border: their row above their column, 0 the first, or all of them.
    pub border_taps: T,
    /// There is no texel.
    pub is_void: T,
    /// What the binding says of texels.
    pub texels: BoundTexels<T>,
    /// Its slice: a face, a layer, or one of a volume.
    pub slice: T,
    /// Last texel of a side of a face.
    pub last: T,
    /// Where the level stands.
    pub level: LevelPlace<T>,
}

/// Over which edge of its face a tap lies.
#[derive(Clone, Debug, Record)]
pub struct Edge<T = Bits> {
    /// It lies over one.
    pub is_crossed: T,
    /// It is the upper or the lower one.
    pub is_row: T,
    /// It is the right or the lower one.
    pub is_behind: T,
}

impl TapItem<Width> {
    /// The shape of a configuration.
    pub fn of(config: &Config) -> TapItem<Width> {
        let Footprint { invalidates, ends, slice, last, is_void, texels, level, .. } = Footprint::of(config);
        let (bit, has_cube) = (Width::bits(1), general(config).has_kind(Kind::Cube));
        let has_border = has_border(config);
        TapItem {
            invalidates,
            ends,
            starts_probe: bit,
            ends_probe: bit,
            x: [Width::bits(TEXEL_BITS); 2],
            y: [Width::bits(TEXEL_BITS); 2],
            uses_second_x: bit,
            uses_second_y: bit,
            is_by_place: bit,
            in_column: bit.when(has_pairs(config)),
            is_by_row: bit.when(has_blocks(config) || part_bits(config) > 0),
            place: Width::bits(2),
            edge: Edge {
                is_crossed: bit.when(has_cube),
                is_row: bit.when(has_cube),
                is_behind: bit.when(has_cube),
            },
            weight_x: Width::bits(WEIGHT_BITS),
            weight_y: Width::bits(WEIGHT_BITS),
            has_corner: bit.when(has_cube),
            corner: Width::bits(2).when(has_cube),
            reads_nothing: bit.when(has_border || has_fetch(config)),
            border_taps: Width::bits(TAPS).when(has_border),
            is_void,
            texels,
            slice,
            last,
            level,
        }
    }
}
