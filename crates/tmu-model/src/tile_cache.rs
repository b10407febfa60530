//! Cycle-free model of the prefetching cache: which tiles hit, for planning and for checking counters.
//!
//! It holds tags and no data, knows no time, and takes every read to succeed. Each valid pixel presents the tiles of its
//! taps that have a weight, at most four, in request order (see [`crate::TextureUnit::tiles`]). Tiles are kept in four
//! banks by the parities of their column and row; a bank's set is chosen by the column's upper bits against the row's
//! in reverse. A look-up is a repeat if the bank looked up the same tile in the same set the time before, otherwise a
//! hit or a miss; victims follow from the policy as in [`crate::CacheModel`]. The free-running bits are the hardware's
//! business, so only `round_robin`, and any policy with one or two ways but `random`, is followed exactly.

use crate::cache::{CacheCounts, Lookup, other_half, victim};
use tmu_spec::config::{CacheConfig, Replacement};
use tmu_spec::tile::BANKS;

/// A tile that a pixel needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tile {
    /// Column of tiles in its level.
    pub column: u32,
    /// Row of tiles in its level.
    pub row: u32,
    /// Number of its first line.
    pub line: u32,
    /// Colours have three bytes.
    pub is_rgb: bool,
    /// Texels are indices of one byte.
    pub is_indexed: bool,
}

impl Tile {
    /// Lines that it is read in.
    #[must_use]
    pub const fn lines(&self) -> u32 {
        match (self.is_indexed, self.is_rgb) {
            (true, _) => 1,
            (false, true) => 3,
            (false, false) => 4,
        }
    }

    const fn bank(&self) -> usize {
        ((self.row & 1) << 1 | self.column & 1) as usize
    }

    /// The set in a bank of `2^set_bits`.
    const fn set(&self, set_bits: u32) -> usize {
        let (column, row) = (self.column >> 1, self.row >> 1);
        let reversed = if set_bits == 0 { 0 } else { row.reverse_bits() >> (32 - set_bits) };
        ((column ^ reversed) & ((1 << set_bits) - 1)) as usize
    }
}

/// What tells a tile in a bank from every other: line and kind.
type Key = (u32, bool, bool);

/// One of the four banks.
#[derive(Debug, Clone)]
struct Bank {
    /// By set and way.
    tags: Vec<Option<Key>>,
    /// By set: the half used less recently, or the next way to fill.
    order: Vec<u8>,
    /// Set, tile and way of the last look-up.
    last: Option<(usize, Key, usize)>,
}

/// The prefetching cache of one texture unit.
#[derive(Debug, Clone)]
pub struct TileCacheModel {
    ways: usize,
    set_bits: u32,
    replacement: Replacement,
    banks: [Bank; BANKS as usize],
    counts: CacheCounts,
    lines_read: u64,
}

impl TileCacheModel {
    /// An empty cache.
    #[must_use]
    pub fn new(config: &CacheConfig) -> Self {
        let (ways, sets) = (config.ways() as usize, config.bank_sets() as usize);
        let bank = || Bank { tags: vec![None; ways * sets], order: vec![0; sets], last: None };
        Self {
            ways,
            set_bits: config.bank_set_bits(),
            replacement: config.replacement(),
            banks: std::array::from_fn(|_| bank()),
            counts: CacheCounts::default(),
            lines_read: 0,
        }
    }

    /// Looks a tile up. Of `random`, the hardware's free-running bits, as many low bits are used as the policy needs.
    pub fn lookup(&mut self, tile: Tile, random: u32) -> Lookup {
        let (ways, set) = (self.ways, tile.set(self.set_bits));
        let key = (tile.line, tile.is_rgb, tile.is_indexed);
        let bank = &mut self.banks[tile.bank()];
        self.counts.lookups += 1;
        let tags = &mut bank.tags[set * ways..][..ways];
        let repeated = bank.last.filter(|(last_set, last, _)| (*last_set, *last) == (set, key));
        let (outcome, way) = if let Some((_, _, way)) = repeated {
            self.counts.repeats += 1;
            (Lookup::Repeat, way)
        } else if let Some(way) = tags.iter().position(|held| *held == Some(key)) {
            self.counts.hits += 1;
            (Lookup::Hit { way: way as u32 }, way)
        } else {
            self.counts.misses += 1;
            self.lines_read += u64::from(tile.lines());
            let empty = tags.iter().position(Option::is_none);
            let order = bank.order[set] as usize;
            let way = empty.unwrap_or_else(|| victim(self.replacement, ways, order, random as usize));
            let evicted = tags[way].replace(key).map(|(line, _, _)| line);
            (Lookup::Miss { way: way as u32, evicted }, way)
        };
        match (self.replacement, outcome) {
            (Replacement::PlruRandom, _) => bank.order[set] = other_half(way, ways),
            (Replacement::RoundRobin, Lookup::Miss { .. }) => bank.order[set] = ((way + 1) % ways) as u8,
            _ => {}
        }
        bank.last = Some((set, key, way));
        outcome
    }

    /// Drops all tiles, as a binding with the drop bit or the control port does. Counts go on.
    pub fn invalidate(&mut self) {
        for bank in &mut self.banks {
            bank.tags.fill(None);
            bank.order.fill(0);
            bank.last = None;
        }
    }

    /// Lookups so far, in tiles.
    #[must_use]
    pub const fn counts(&self) -> CacheCounts {
        self.counts
    }

    /// Lines read so far.
    #[must_use]
    pub const fn lines_read(&self) -> u64 {
        self.lines_read
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tmu_spec::Config;

    /// Four banks of four sets.
    fn cache(ways: u32, replacement: &str) -> TileCacheModel {
        let toml = format!(
            "[cache]\nkind = \"prefetch\"\nways = {ways}\nsets = 16\nreplacement = \"{replacement}\"\n\
             [axi]\noutstanding_reads = 4"
        );
        TileCacheModel::new(Config::from_toml(&toml).unwrap().cache())
    }

    fn tile(column: u32, row: u32) -> Tile {
        Tile { column, row, line: 4 * (64 * row + column), is_rgb: false, is_indexed: false }
    }

    #[test]
    fn neighbours_lie_in_different_banks_and_a_square_in_different_sets() {
        let banks = [(4, 6), (5, 6), (4, 7), (5, 7)].map(|(column, row)| tile(column, row).bank());
        assert_eq!(banks, [0, 1, 2, 3]);
        let all = |tiles: &mut dyn Iterator<Item = Tile>| {
            let mut sets: Vec<usize> = tiles.map(|tile| tile.set(4)).collect();
            sets.sort_unstable();
            sets.dedup();
            sets.len()
        };
        assert_eq!(all(&mut (0..16).map(|step| tile(2 * step, 0))), 16, "along a row");
        assert_eq!(all(&mut (0..16).map(|step| tile(0, 2 * step))), 16, "along a column");
        assert_eq!(all(&mut (0..16).map(|step| tile(2 * (step & 3), 2 * (step >> 2)))), 16, "over a square");
    }

    #[test]
    fn banks_remember_their_last_tile_each_by_itself() {
        let mut cache = cache(1, "round_robin");
        let filled = Lookup::Miss { way: 0, evicted: None };
        let got = [(0, 0), (1, 0), (0, 0), (1, 0), (2, 0), (0, 0)].map(|(x, y)| cache.lookup(tile(x, y), 0));
        assert_eq!(got, [filled, filled, Lookup::Repeat, Lookup::Repeat, filled, Lookup::Hit { way: 0 }]);
        // Column 8 has the set of column 0.
        assert_eq!(cache.lookup(tile(8, 0), 0), Lookup::Miss { way: 0, evicted: Some(0) });
        cache.invalidate();
        assert_eq!(cache.lookup(tile(8, 0), 0), filled);
        assert_eq!((cache.counts().lookups, cache.counts().misses, cache.lines_read()), (8, 5, 20));
    }

    #[test]
    fn the_tile_filled_longest_ago_goes_first() {
        let mut cache = cache(2, "round_robin");
        let got = [0, 8, 0, 16, 0].map(|column| cache.lookup(tile(column, 0), 0));
        let miss = |way, evicted| Lookup::Miss { way, evicted };
        assert_eq!(
            got,
            [miss(0, None), miss(1, None), Lookup::Hit { way: 0 }, miss(0, Some(0)), miss(1, Some(32))]
        );
    }
}
