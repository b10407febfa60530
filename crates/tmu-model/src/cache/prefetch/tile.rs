//! A tile as the prefetching cache looks it up: where it stands in its level and in memory.
//!
//! The set in a bank follows from where the tile stands in its level and where that begins, see [`tmu_spec::tile`].

use tmu_spec::Format;
use tmu_spec::tile::SET_FOLD_BITS;

/// Bits of a line's number; above them a key tells formats apart.
const LINE_BITS: u32 = 27;

/// A tile of a level, or of a colour table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tile {
    /// Its column in the level, in tiles.
    pub column: u32,
    /// Its row in the level, in tiles.
    pub row: u32,
    /// Number of its first line.
    pub first_line: u32,
    /// Number of the first line of its level.
    pub level_line: u32,
    /// The format of its texels, or that of its colours where it is of a colour table: tiles of different formats are different
    /// even at one place.
    pub kind: Format,
}

impl Tile {
    /// Its bank: `{row parity, column parity}`.
    #[must_use]
    pub const fn bank(&self) -> u32 {
        (self.row & 1) << 1 | (self.column & 1)
    }

    /// Its set in a bank of `2^set_bits` sets.
    #[must_use]
    pub const fn set(&self, set_bits: u32) -> u32 {
        let mask = (1 << set_bits) - 1;
        let row = (self.row >> 1) & mask;
        let reversed = if set_bits == 0 { 0 } else { row.reverse_bits() >> (u32::BITS - set_bits) };
        ((self.column >> 1) ^ reversed ^ folded(self.level_line)) & mask
    }

    /// Numbers of its lines.
    pub(crate) fn line_numbers(&self) -> std::ops::Range<u32> {
        self.first_line..self.first_line + self.kind.lines_per_tile()
    }

    /// What tells it from every other tile.
    pub(crate) const fn key(&self) -> u32 {
        (self.kind.number() as u32) << LINE_BITS | self.first_line
    }
}

/// The pieces of a line's number against each other.
const fn folded(line: u32) -> u32 {
    let (mut pieces, mut left) = (0, line);
    while left > 0 {
        pieces ^= left & ((1 << SET_FOLD_BITS) - 1);
        left >>= SET_FOLD_BITS;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tile(column: u32, row: u32) -> Tile {
        let kind = Format::Rgba8;
        Tile { column, row, first_line: 4 * (64 * row + column), level_line: 0, kind }
    }

    #[test]
    fn sets_by_hand() {
        // Four sets a bank: column 6 is 0b11 above its parity, row 2 is 0b01, in reverse 0b10.
        assert_eq!((tile(6, 2).bank(), tile(6, 2).set(2)), (0, 0b01));
        assert_eq!((tile(7, 3).bank(), tile(7, 3).set(2)), (3, 0b01));
        assert_eq!(tile(5, 9).set(0), 0);
        // A walk along a row or a column, and a square, visits every set of a bank as often.
        for walk in
            [(0..64).map(|at| tile(at, 0)).collect(), (0..64).map(|at| tile(0, at)).collect::<Vec<_>>()]
        {
            let mut uses = [0; 8];
            walk.iter().filter(|tile| tile.bank() == 0).for_each(|tile| uses[tile.set(3) as usize] += 1);
            assert_eq!(uses, [4; 8]);
        }
    }
}
