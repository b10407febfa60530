//! Which lanes cannot look up tags together. Part of `group`.

use super::Carried;
use super::Stage::{Found, Seen};
use crate::datapath::bundles::same_parts;
use crate::datapath::general::address::tiles::tiles;
use crate::datapath::general::footprint::TapItem;
use crate::datapath::general::tile::TILE_BITS;
use tmu_hdl::prelude::*;
use tmu_spec::tile::BANKS;

/// What a lane asks the banks for.
#[derive(Clone, Debug, Record)]
pub(super) struct Asks<T = Bits> {
    /// First and second column of tiles.
    pub(super) column: [T; 2],
    /// The row of entries of each parity.
    pub(super) row: [T; 2],
    /// Slice.
    pub(super) slice: T,
    /// A bit for each bank: it has the tile of the second column.
    pub(super) takes_second: T,
    /// A bit for each bank: its tile is needed.
    pub(super) needed: T,
}

/// What a lane's item asks for.
#[kernel]
pub(super) fn asks(item: &TapItem, reads: Bits) -> Asks {
    let tiles = tiles(item, reads);
    Asks {
        column: tiles.column,
        row: tiles.row,
        slice: item.slice,
        takes_second: tiles.takes_second,
        needed: tiles.needed,
    }
}

/// What is the same in two lanes.
#[derive(Clone, Debug, Record)]
struct Same<T = Bits> {
    /// First or second column of the one and of the other, the one's lowest.
    columns: T,
    /// Halves of the row of each parity: the row was just chosen, so that its comparison is not finished in the same clock.
    rows: [T; 2],
    slice: T,
}

/// Two lanes of so many, each pair once.
pub(super) fn pairs(lanes: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..lanes).flat_map(|other| (0..other).map(move |one| (one, other)))
}

/// The number of a pair among [`pairs`].
pub(super) const fn pair(one: usize, other: usize) -> usize {
    other * (other - 1) / 2 + one
}

/// A bit for each pair: some bank would need two tiles. The lowest bits of columns and rows are those of the bank; of tiles of 8 bytes
/// two share a line, and then the lowest bit of the column does not count.
#[kernel]
pub(super) fn clashes<'a>(pipe: &Run<'a, super::Stage>, asks: &[&Carried<'_, Asks>]) -> Carried<'a> {
    /// # What is the same
    for asks in asks {
        discard(stack(asks.at(Found).row.map(|row| row.low(1))), "the bank tells it");
    }
    let upper = |tile: Bits| tile.high(tile.width() - 1);
    let same = |(one, other): (usize, usize)| {
        let (one, other) = (asks[one].at(Found), asks[other].at(Found));
        let columns = [(0, 0), (1, 0), (0, 1), (1, 1)];
        let column =
            |(first, second): (usize, usize)| upper(one.column[first]) == upper(other.column[second]);
        let row = |parity: usize| {
            let half_bits = TILE_BITS / 2;
            stack(same_parts(upper(one.row[parity]), upper(other.row[parity]), half_bits))
        };
        Same { columns: stack(columns.map(column)), rows: [0, 1].map(row), slice: one.slice == other.slice }
    };
    let same: Vec<Same> = pairs(asks.len()).map(same).collect();
    let same = pipe.put(Found, "same", same).at(Seen);
    /// # Pairs that clash
    let clash = |(number, (one, other)): (usize, (usize, usize))| {
        let (one, other) = (asks[one].at(Seen), asks[other].at(Seen));
        let Same { columns, rows, slice } = &same[number];
        let same_rows = rows.map(|row| row.all() && *slice);
        let differs = |bank: usize| {
            let of_other = if other.takes_second.bit(bank) { columns.high(2) } else { columns.low(2) };
            let column = if one.takes_second.bit(bank) { of_other.bit(1) } else { of_other.bit(0) };
            one.needed.bit(bank) && other.needed.bit(bank) && !(column && same_rows[bank >> 1])
        };
        stack((0..BANKS as usize).map(differs)).any()
    };
    pipe.put(Seen, "clashes", stack(pairs(asks.len()).enumerate().map(clash)))
}
