//! `tile`: how much memory a tile takes. Half lines are the unit, since a compressed tile may have 8 bytes. LUTs: latency 0.

use super::words::FORMAT_BITS;
use tmu_hdl::prelude::*;
use tmu_spec::{Config, LINE_BYTES};

/// Bytes of half a line.
const HALF_LINE_BYTES: u32 = LINE_BYTES / 2;
/// Bits of the half lines of a tile: 1 to 8.
pub const TILE_HALF_BITS: usize = 4;
/// Bytes of the largest tile.
pub const LARGEST_TILE_BYTES: u32 = 64;
/// Bits of a side in tiles: 1 to 1024.
pub const SIDE_TILE_BITS: usize = 11;

/// Half lines of a tile of the format with a code. Codes of formats that are not built may be taken for any.
#[kernel]
pub fn half_lines(config: &Config, code: Bits) -> Bits {
    let bit = |place: usize| {
        let has = |bytes: u32| (bytes / HALF_LINE_BYTES) >> place & 1 == 1;
        let formats = config.features().formats().filter(|format| has(format.tile_bytes()));
        formats.fold(lit(1, 0u32), |any, format| any || code == lit(FORMAT_BITS, u32::from(format.code())))
    };
    stack((0..TILE_HALF_BITS).map(bit))
}

/// Tiles along a side of so many texels: four texels a tile, rounded up.
#[kernel]
pub fn side_tiles(texels: Bits) -> Bits {
    let rounded = texels + 3;
    discard(rounded.low(2), "a tile has four texels along a side");
    rounded.high(SIDE_TILE_BITS)
}
