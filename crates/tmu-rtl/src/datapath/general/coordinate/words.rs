//! What passes from `coordinate` to `footprint`.

use crate::datapath::bundles::line_bits;
use crate::datapath::general::axis::{AxisTaps, TEXEL_BITS, WEIGHT_BITS};
use crate::datapath::general::tile::{SIDE_TILE_BITS, tile_half_bits};
use crate::datapath::general::words::{
    FORMAT_BITS, QuadEnds, TexelUse, general, has_blocks, has_border, has_fetch, has_gather, needs_format,
    slice_bits,
};
use crate::datapath::words::kind_bits;
use tmu_hdl::prelude::*;
use tmu_spec::general::Kind;
use tmu_spec::{Config, Format};

/// Bits of the half lines of a row of tiles.
pub fn row_half_bits(config: &Config) -> usize {
    SIDE_TILE_BITS + tile_half_bits(config) - 1
}

/// Bits of the lines of a slice.
pub fn slice_line_bits(config: &Config) -> usize {
    row_half_bits(config) + SIDE_TILE_BITS - 2
}

/// The texels under a probe, and where its level stands.
#[derive(Clone, Debug, Record)]
pub struct Footprint<T = Bits> {
    /// The cache drops what it holds: there is no probe.
    pub invalidates: T,
    /// The probe among those of its quad.
    pub ends: QuadEnds<T>,
    /// Columns. Of a row texture they are those of its tiles.
    pub x: AxisTaps<T>,
    /// Rows. Of a row texture they are the rows of its tiles in which each of the two columns lies, and without weight.
    pub y: AxisTaps<T>,
    /// The first slice: a face, a layer, or one of a volume.
    pub slice: T,
    /// The second slice of a volume.
    pub second_slice: T,
    /// Its weight, of 256; 0 where there is none.
    pub slice_weight: T,
    /// The slices lie outside.
    pub slice_is_outside: [T; 2],
    /// Last texel of a side of a face.
    pub last: T,
    /// What lies outside is on another face, not the border.
    pub is_cube: T,
    /// The texture is one row, which fills tiles row by row.
    pub is_row: T,
    /// Taps are floats, which have no mean.
    pub are_floats: T,
    /// There is no texel: nothing is read.
    pub is_void: T,
    /// What the binding says of texels.
    pub texels: BoundTexels<T>,
    /// Where the level stands.
    pub level: LevelPlace<T>,
}

/// What a binding says of texels, see [`TexelUse`].
#[derive(Clone, Debug, Record)]
pub struct BoundTexels<T = Bits> {
    /// Colour of the border.
    pub border: T,
    /// Colours are sRGB-coded.
    pub is_srgb: T,
    /// Texels are compared.
    pub compares: T,
    /// How.
    pub compare: T,
    /// What the channels of the result show.
    pub swizzle: T,
}

/// Where a level stands.
#[derive(Clone, Debug, Record)]
pub struct LevelPlace<T = Bits> {
    /// Its first line.
    pub line: T,
    /// Lines of a slice.
    pub slice_lines: T,
    /// Half lines of a row of tiles.
    pub row_halves: T,
    /// Half lines of a tile.
    pub tile_halves: T,
    /// Rows of tiles have an odd number of tiles.
    pub is_odd: T,
    /// Code of the format.
    pub format: T,
    /// Texels are compressed.
    pub is_block: T,
    /// See [`kind_word`](crate::datapath::words::kind_word).
    pub kind: T,
}

/// Whether a gather may ask for floats around the corner of a cube.
pub fn has_float_corners(config: &Config) -> bool {
    let has_cube = general(config).has_kind(Kind::Cube);
    has_cube && has_gather(config) && config.features().formats().any(Format::is_float)
}

impl BoundTexels<Width> {
    /// The shape of a configuration.
    pub fn of(config: &Config) -> BoundTexels<Width> {
        let TexelUse { border, is_srgb, compares, compare, swizzle, .. } = TexelUse::of(config);
        BoundTexels { border, is_srgb, compares, compare, swizzle }
    }
}

impl LevelPlace<Width> {
    /// The shape of a configuration.
    pub fn of(config: &Config) -> LevelPlace<Width> {
        let blocks = has_blocks(config);
        LevelPlace {
            line: Width::bits(line_bits(config)),
            slice_lines: Width::bits(slice_line_bits(config)).when(slice_bits(config) > 0),
            row_halves: Width::bits(row_half_bits(config)),
            tile_halves: Width::bits(tile_half_bits(config)),
            is_odd: Width::bits(1).when(blocks),
            format: Width::bits(FORMAT_BITS).when(needs_format(config)),
            is_block: Width::bits(1).when(blocks),
            kind: Width::bits(kind_bits(config)),
        }
    }
}

impl Footprint<Width> {
    /// The shape of a configuration.
    pub fn of(config: &Config) -> Footprint<Width> {
        let (bit, general) = (Width::bits(1), general(config));
        let (has_cube, has_volume) = (general.has_kind(Kind::Cube), general.has_kind(Kind::D3));
        let (slice_bits, has_border) = (slice_bits(config), has_border(config));
        let slice = Width::bits(slice_bits.max(1)).when(slice_bits > 0);
        Footprint {
            invalidates: bit,
            ends: QuadEnds::of(config),
            x: AxisTaps::shape(),
            y: AxisTaps::shape(),
            slice,
            second_slice: slice.when(has_volume),
            slice_weight: Width::bits(WEIGHT_BITS).when(has_volume),
            slice_is_outside: [bit.when(has_volume && has_border); 2],
            last: Width::bits(TEXEL_BITS).when(has_cube),
            is_cube: bit.when(has_cube && has_border),
            is_row: bit.when(general.has_kind(Kind::D1)),
            are_floats: bit.when(has_float_corners(config)),
            is_void: bit.when(has_fetch(config)),
            texels: BoundTexels::of(config),
            level: LevelPlace::of(config),
        }
    }

    /// The same of one slice: the first one.
    pub fn of_slice(config: &Config) -> Footprint<Width> {
        let footprint = Footprint::of(config);
        Footprint {
            second_slice: footprint.second_slice.when(false),
            slice_weight: footprint.slice_weight.when(false),
            slice_is_outside: [footprint.slice_is_outside[0], Width::bits(1).when(false)],
            ..footprint
        }
    }
}
