//! Which tiles an item reads, and which of its texels stand in which of them.

use crate::datapath::general::footprint::TapItem;
use crate::datapath::general::tile::{TILE_BITS, entry_row};
use tmu_hdl::prelude::*;

/// The tiles of an item, or their parts, by the parity of their row of entries.
pub(in crate::datapath::general) struct Tiles {
    /// The row of entries of each parity.
    pub(in crate::datapath::general) row: [Bits; 2],
    /// First and second column.
    pub(in crate::datapath::general) column: [Bits; 2],
    /// A bit for each bank: it has the tile of the second column.
    pub(in crate::datapath::general) takes_second: Bits,
    /// A bit for each bank: its tile is needed.
    pub(in crate::datapath::general) needed: Bits,
}

/// Some bits of texels' numbers from bit 1 on, by their parity: which half of the tile, and the lowest ones of the tile.
pub(in crate::datapath::general) struct Sides {
    even: Bits,
    odd: Bits,
    has_even: Bits,
    has_odd: Bits,
}

impl Sides {
    pub(in crate::datapath::general) fn of(&self, parity: usize) -> Bits {
        if parity == 1 { self.odd } else { self.even }
    }

    /// The lowest bit of the number of the tile that the texel of a parity lies in.
    pub(in crate::datapath::general) fn tile_bit(&self, parity: usize) -> Bits {
        self.of(parity).bit(1)
    }

    pub(in crate::datapath::general) fn has(&self, parity: usize) -> Bits {
        if parity == 1 { self.has_odd } else { self.has_even }
    }
}

/// Texels by parity. Where there is no second one the first stands at both places.
#[kernel]
pub(in crate::datapath::general) fn sides(texels: [Bits; 2], uses_second: Bits, bits: usize) -> Sides {
    let [first, second] = texels.map(|texel| texel.slice(1, bits));
    let [first_is_odd, second_is_odd] = texels.map(|texel| texel.bit(0));
    Sides {
        even: if first_is_odd && uses_second { second } else { first },
        odd: if !first_is_odd && uses_second { second } else { first },
        has_even: !first_is_odd || (uses_second && !second_is_odd),
        has_odd: first_is_odd || (uses_second && second_is_odd),
    }
}

/// The compressed tile that a column of banks reads: the lowest bit of its row, the two lowest of its column.
#[kernel]
pub(in crate::datapath::general) fn block_tile(
    item: &TapItem,
    slot: usize,
    by_row: Bits,
    [columns, rows]: [&Sides; 2],
) -> (Bits, Bits) {
    let row = if by_row { rows.tile_bit(slot) } else { item.y[0].bit(2) };
    let column = if by_row { item.x[0].slice(2, 2) } else { columns.of(slot).high(2) };
    (row, column)
}

/// One bit: the parity of a tile's column, or where two tiles share a line of its line in the row. Of the column the two lowest
/// bits count.
#[kernel]
pub(in crate::datapath::general) fn parity(item: &TapItem, column: Bits, row: Bits) -> Bits {
    let of_line = column.bit(1) ^ (column.bit(0) && row && item.level.is_odd);
    if item.level.tile_halves.bit(0) { of_line } else { column.bit(0) }
}

/// One bit: the rows of texels lie in different tiles.
#[kernel]
pub(in crate::datapath::general) fn blocks_by_row(item: &TapItem) -> Bits {
    let [first, second] = item.y.map(|row| row.high(TILE_BITS));
    item.uses_second_y && first != second
}

/// Tiles by the parity of their rows, and which banks they go to.
#[kernel]
pub(in crate::datapath::general) fn tiles(item: &TapItem, reads: Bits) -> Tiles {
    /// # Tiles by parity
    let column = item.x.map(|texel| texel.high(TILE_BITS));
    let row = item.y.map(|texel| entry_row(texel, item.level.tile_halves));
    let row_of = |parity: usize| {
        let first_is = if parity == 1 { row[0].bit(0) } else { !row[0].bit(0) };
        let second_is = if parity == 1 { row[1].bit(0) } else { !row[1].bit(0) };
        (if first_is { row[0] } else { row[1] }, first_is || (item.uses_second_y && second_is))
    };
    let rows = [row_of(0), row_of(1)];
    let is_in = |number: usize, bank: usize| {
        let parity = parity(item, column[number].low(2), lit(1, bank as u32 >> 1));
        if bank & 1 == 1 { parity } else { !parity }
    };
    let takes_second = |bank: usize| !is_in(0, bank);
    let needed = |bank: usize| {
        let has_column = is_in(0, bank) || (item.uses_second_x && is_in(1, bank));
        reads && rows[bank >> 1].1 && has_column
    };
    Tiles {
        row: [rows[0].0, rows[1].0],
        column,
        takes_second: stack([0, 1, 2, 3].map(takes_second)),
        needed: stack([0, 1, 2, 3].map(needed)),
    }
}
