//! Where a level stands: sides become tiles, tiles half lines, and the level's offset a line.
//!
//! Three multipliers at most: the half lines of a row of tiles, and those of a slice where there are slices.

use super::Coordinate;
use super::Stage::{self, Entry, Exit, Halves, Line, Rounded, Side, Slice, Tiles};
use super::words::{LevelPlace, row_half_bits, slice_line_bits};
use crate::datapath::format::kind_of_code;
use crate::datapath::general::tile::{SIDE_TILE_BITS, half_lines, side_tiles};
use crate::datapath::general::words::{FORMAT_BITS, Probe, is_block_code};
use crate::datapath::words::kind_word;
use tmu_hdl::prelude::*;

/// The code of the format that memory has: of an entry of a colour table that of its colours.
#[kernel]
fn stored_code(block: &Coordinate, probe: &Probe) -> Bits {
    let code = block.own_or_second(probe, block.format.val(), |second| second.format);
    let tables = block._config.features().formats().filter(|format| format.has_color_table());
    tables.fold(code, |own, format| {
        let colors = lit(FORMAT_BITS, u32::from(format.of_colors().code()));
        if probe.is_table && code == u64::from(format.code()) { colors } else { own }
    })
}

/// The place of the probe's level, whose rows of tiles are those of a picture with these sides in texels.
#[kernel]
pub(super) fn level(
    block: &Coordinate,
    pipe: &Run<'_, Stage>,
    probe: &Probe,
    sizes: [Bits; 2],
) -> LevelPlace {
    /// # Where the level stands
    discard(probe.level.low(1), "each stage takes its part");
    let code = stored_code(block, probe);
    // A clock later than the code is known: both in one would be more than five levels.
    let code_of_tiles = pipe.put(Entry, "code_of_tiles", code).at(Line);
    let tile_halves = pipe.put(Line, "tile_halves", half_lines(&block._config, code_of_tiles));
    let has_slices = block.slice_halves.is_some();
    let none = || lit(SIDE_TILE_BITS, 0u32);
    let tiles = pipe.put(
        Side,
        "tiles",
        [side_tiles(sizes[0]), if has_slices { side_tiles(sizes[1]) } else { none() }],
    );
    let offset = block.own_or_second(probe, block.offsets.read_data.val(), |second| second.offset);
    let offset = offset & (!probe.is_table).repeat(offset.width());
    let offset = pipe.put(Entry, "offset", offset).at(Line);
    let first_line = block.own_or_second(probe, block.first_line.val(), |second| second.first_line);
    let first_line = pipe.put(Entry, "first_line", first_line).at(Line);
    let line = pipe.put(Line, "line", first_line + offset).at(Exit);
    let factors = (tiles.at(Tiles)[0], tile_halves.at(Tiles));
    let row_halves = pipe.through(Tiles, "row_halves", &block.row_halves, factors);
    let low_halves = |halves: Bits| {
        discard(halves.high(1), "no more half lines than the largest tile has");
        halves.low(row_half_bits(&block._config))
    };
    let row = pipe.put(Halves, "row_half_lines", low_halves(row_halves.at(Halves)));
    let slice_line_bits = slice_line_bits(&block._config);
    let slice_lines = match block.slice_halves.as_ref() {
        Some(multiplier) => {
            let factors = (row.at(Halves), tiles.at(Halves)[1]);
            let halves = pipe.through(Halves, "slice_halves", multiplier, factors).at(Slice);
            discard(halves.high(1), "a level has at most 1024 rows of tiles");
            let rounded = halves.low(slice_line_bits + 1) + 1;
            discard(rounded.low(1), "a slice is whole lines");
            pipe.put(Slice, "slice_lines", rounded.high(slice_line_bits)).at(Rounded)
        }
        None => lit(slice_line_bits, 0u32),
    };
    let format = block.own_or_second(probe, block.format.val(), |second| second.format);
    let kind = kind_word(&block._config, &kind_of_code(&block._config, code));
    LevelPlace {
        line,
        slice_lines: pipe.put(Rounded, "lines_of_slice", slice_lines).at(Exit),
        row_halves: row.at(Exit),
        tile_halves: tile_halves.at(Exit),
        is_odd: pipe.put(Tiles, "is_odd", tiles.at(Tiles)[0].bit(0)).at(Exit),
        format: pipe.put(Entry, "format", format).at(Exit),
        is_block: pipe.put(Entry, "is_block", is_block_code(&block._config, code)).at(Exit),
        kind: pipe.put(Entry, "kind", kind).at(Exit),
    }
}
