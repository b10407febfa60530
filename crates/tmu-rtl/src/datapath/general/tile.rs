//! `tile`: how much memory a tile takes. Half lines are the unit, since a compressed tile may have 8 bytes. LUTs: latency 0.
//!
//! # Wide texels
//!
//! Tiles of texels of 8 and 16 bytes have 8 and 16 lines, twice and four times as many as an entry of the cache. A tile is 2 or 4 *parts*
//! of four lines, each an entry with a tag of its own: part p is the lines 4p to 4p + 3, which are rows 2p and 2p + 1 of texels of 8
//! bytes, or row p of texels of 16 bytes. `fill` copies them as it copies the tile of 4 x 4 texels of 4 bytes that they look like: line
//! l is row l of the part, and its words are the columns.
//!
//! | texel (x, y) of | part | row of the part | columns of the part |
//! | --- | --- | --- | --- |
//! | 8 bytes | `y >> 1` | `2 (y & 1) + (x >> 1)` | `2 (x & 1)` and the next |
//! | 16 bytes | `y` | `x` | all |
//!
//! So a texel stands in one row of banks, in both columns of banks: texels of 8 bytes in the row of banks `x >> 1`, at the word
//! `y & 1`, of which `x & 1` chooses the halves; texels of 16 bytes in the row of banks `x & 1`, at the word `x >> 1`, of which it is
//! both halves. Two neighbours in x always stand in the same words or in different rows of banks, so an item brings a row of a probe,
//! and a probe is two items, as it is over four compressed tiles. Where one wraps round in x and both would stand in one row of banks, it
//! is an item for each tap.
//!
//! A row of *entries* of the cache is a row of tiles, or of their parts: of the number of a texel's row all but two bits, one, or none.
//! Its lowest bit chooses the bank of tags, so that rows of texels that lie beside each other do not meet in one.

use super::axis::TEXEL_BITS;
use super::words::FORMAT_BITS;
use crate::datapath::format::formats;
use tmu_hdl::prelude::*;
use tmu_spec::{Config, Format, LINE_BYTES};

/// Bytes of half a line.
const HALF_LINE_BYTES: u32 = LINE_BYTES / 2;
/// Bits of a side in tiles: 1 to 1024.
pub const SIDE_TILE_BITS: usize = 11;
/// Bits of the number of a tile in its row, and of a row.
pub const TILE_BITS: usize = TEXEL_BITS - 2;
/// Bits of the half lines of an entry of the cache: 1 to 8.
const ENTRY_HALF_BITS: usize = 4;
/// Half lines of a part of a tile, as a shift.
const PART_SHIFT: usize = 3;

/// Bits of the number of a part of a tile: none where all texels have at most 4 bytes.
pub fn part_bits(config: &Config) -> usize {
    let largest = config.features().formats().map(Format::bytes_per_texel).max().unwrap_or(0);
    (largest / 4).checked_ilog2().unwrap_or(0) as usize
}

/// Bits of the half lines of a tile.
pub fn tile_half_bits(config: &Config) -> usize {
    ENTRY_HALF_BITS + part_bits(config)
}

/// Bits of the number of a row of entries.
pub fn entry_row_bits(config: &Config) -> usize {
    TILE_BITS + part_bits(config)
}

/// Half lines of a tile of the format with a code. Codes of formats that are not built may be taken for any.
#[kernel]
pub fn half_lines(config: &Config, code: Bits) -> Bits {
    let bit = |place: usize| {
        let has = |bytes: u32| (bytes / HALF_LINE_BYTES) >> place & 1 == 1;
        let formats = formats(config).into_iter().filter(|format| has(format.tile_bytes()));
        formats.fold(lit(1, 0u32), |any, format| any || code == lit(FORMAT_BITS, u32::from(format.code())))
    };
    stack((0..tile_half_bits(config)).map(bit))
}

/// Tiles along a side of so many texels: four texels a tile, rounded up.
#[kernel]
pub fn side_tiles(texels: Bits) -> Bits {
    let rounded = texels + 3;
    discard(rounded.low(2), "a tile has four texels along a side");
    rounded.high(SIDE_TILE_BITS)
}

/// One bit: tiles of so many half lines have `2^log2` parts.
#[kernel]
fn has_parts(tile_halves: Bits, log2: usize) -> Bits {
    let place = ENTRY_HALF_BITS - 1 + log2;
    if place < tile_halves.width() { tile_halves.bit(place) } else { lit(1, 0u32) }
}

/// One bit, if there are such tiles: those of so many half lines have texels of 16 bytes.
pub fn is_sixteen_bytes(tile_halves: Bits) -> Option<Bits> {
    (tile_halves.width() > ENTRY_HALF_BITS + 1).then(|| has_parts(tile_halves, 2))
}

/// One bit: tiles of so many half lines have texels of 8 or 16 bytes.
#[kernel]
pub fn is_wide(tile_halves: Bits) -> Bits {
    has_parts(tile_halves, 1) || has_parts(tile_halves, 2)
}

/// Whether there are tiles of several parts, by the width of their half lines.
pub fn may_be_wide(tile_halves: Bits) -> bool {
    tile_halves.width() > ENTRY_HALF_BITS
}

/// The row of entries in which a row of texels lies.
#[kernel]
pub fn entry_row(row: Bits, tile_halves: Bits) -> Bits {
    let more = tile_halves.width() - ENTRY_HALF_BITS;
    let parts = |log2: usize| row.high(TILE_BITS + log2).zero_extend(TILE_BITS + more);
    (1..more + 1).fold(parts(0), |own, log2| if has_parts(tile_halves, log2) { parts(log2) } else { own })
}

/// One bit: the row of entries in which a row of texels lies is odd.
#[kernel]
pub fn entry_row_is_odd(row: Bits, tile_halves: Bits) -> Bits {
    let more = tile_halves.width() - ENTRY_HALF_BITS;
    let bit = |log2: usize| row.bit(TEXEL_BITS - TILE_BITS - log2);
    (1..more + 1).fold(bit(0), |own, log2| if has_parts(tile_halves, log2) { bit(log2) } else { own })
}

/// The row of tiles in which a row of entries lies.
#[kernel]
pub fn tile_row(entry_row: Bits, tile_halves: Bits) -> Bits {
    let more = tile_halves.width() - ENTRY_HALF_BITS;
    let tile = |log2: usize| entry_row.slice(log2, TILE_BITS);
    (1..more + 1).fold(tile(0), |own, log2| if has_parts(tile_halves, log2) { tile(log2) } else { own })
}

/// The half lines in front of a row of entries in its tile.
#[kernel]
pub fn part_halves(entry_row: Bits, tile_halves: Bits) -> Bits {
    let more = tile_halves.width() - ENTRY_HALF_BITS;
    let bit = |place: usize| {
        let own = (place + 1..more + 1).map(|log2| has_parts(tile_halves, log2));
        entry_row.bit(place) && stack(own).any()
    };
    cat(&[stack((0..more).map(bit)), lit(PART_SHIFT, 0u32)])
}
