//! Cycle-free model of the prefetching cache: which tiles hit. The counterpart of [`crate::cache::blocking`] for whole tiles.
//!
//! The cache holds tiles of 4 x 4 texels in four banks (see [`tmu_spec::tile`]). The tiles of an
//! [item](crate::cache::prefetch::quad_scheduler) lie in different banks and are looked up together, each once however many pixels
//! need it. In its bank a tile is a repeat if it is the one looked up there before, otherwise a hit or a miss; victims are chosen
//! as in [`crate::cache::replacer`], in each bank by itself.

use crate::cache::lookup::{CacheCounts, Lookup};
use crate::cache::prefetch::tile::Tile;
use crate::cache::replacer::Sets;
use std::collections::HashSet;
use tmu_spec::config::CacheConfig;
use tmu_spec::tile::BANKS;

/// The cache of one texture unit.
#[derive(Debug, Clone)]
pub struct TileCacheModel {
    set_bits: u32,
    banks: Vec<Sets>,
    /// Set and key of the tile that each bank looked up last.
    last: [Option<(u32, u32)>; BANKS as usize],
    counts: CacheCounts,
    lines_read: u64,
    touched: HashSet<u32>,
    lines_touched: u64,
}

impl TileCacheModel {
    /// An empty cache.
    #[must_use]
    pub fn new(config: &CacheConfig) -> Self {
        let bank = Sets::new(config.ways(), config.bank_sets(), config.replacement());
        Self {
            set_bits: config.bank_set_bits(),
            banks: vec![bank; BANKS as usize],
            last: [None; BANKS as usize],
            counts: CacheCounts::default(),
            lines_read: 0,
            touched: HashSet::new(),
            lines_touched: 0,
        }
    }

    /// Looks a tile up in its bank; `random` as in [`crate::CacheModel::lookup`].
    pub fn lookup(&mut self, tile: Tile, random: u32) -> Lookup {
        let (bank, set, key) = (tile.bank() as usize, tile.set(self.set_bits), tile.key());
        self.counts.lookups += 1;
        if self.last[bank].replace((set, key)) == Some((set, key)) {
            self.counts.repeats += 1;
            return Lookup::Repeat;
        }
        let lookup = self.banks[bank].lookup(set, key, random);
        match lookup {
            Lookup::Repeat | Lookup::Hit { .. } => self.counts.hits += 1,
            Lookup::Miss { .. } => {
                self.counts.misses += 1;
                let lines = u64::from(tile.kind.lines_per_tile());
                self.lines_read += lines;
                self.lines_touched += if self.touched.insert(key) { lines } else { 0 };
            }
        }
        lookup
    }

    /// Drops all tiles. Counts go on.
    pub fn invalidate(&mut self) {
        self.banks.iter_mut().for_each(Sets::clear);
        self.last = [None; BANKS as usize];
    }

    /// Look-ups of tiles so far.
    #[must_use]
    pub const fn counts(&self) -> CacheCounts {
        self.counts
    }

    /// Lines read so far, of the tiles that missed.
    #[must_use]
    pub const fn lines_read(&self) -> u64 {
        self.lines_read
    }

    /// Lines of the different tiles that were looked up so far.
    #[must_use]
    pub const fn lines_touched(&self) -> u64 {
        self.lines_touched
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tmu_spec::{Config, Format};

    fn tile(column: u32, row: u32) -> Tile {
        let kind = Format::Rgba8;
        Tile { column, row, first_line: 4 * (64 * row + column), level_line: 0, kind }
    }

    fn cache() -> TileCacheModel {
        let toml = "[cache]\nkind = \"prefetch\"\nways = 1\nsets = 16\n[axi]\noutstanding_reads = 8";
        TileCacheModel::new(Config::from_toml(toml).unwrap().cache())
    }

    #[test]
    fn banks_are_apart_and_kinds_too() {
        let mut cache = cache();
        let looked_up: Vec<_> =
            [(0, 0), (1, 0), (0, 0), (8, 0), (8, 0), (0, 0)].map(|(x, y)| cache.lookup(tile(x, y), 0)).into();
        let miss = |evicted| Lookup::Miss { way: 0, evicted };
        let first = Some(tile(0, 0).key());
        // Columns 0 and 8 share a set of four; column 1 is in another bank and makes no difference.
        let expected = [
            miss(None),
            miss(None),
            Lookup::Repeat,
            miss(first),
            Lookup::Repeat,
            miss(Some(tile(8, 0).key())),
        ];
        assert_eq!(looked_up, expected);
        let other = Tile { kind: Format::Rgb8, ..tile(0, 0) };
        assert_eq!(cache.lookup(other, 0), miss(first));
        let counts = cache.counts();
        assert_eq!((counts.lookups, counts.repeats, counts.hits, counts.misses), (7, 2, 0, 5));
        assert_eq!((cache.lines_read(), cache.lines_touched()), (4 * 4 + 3, 3 * 4 + 3));
        cache.invalidate();
        assert_eq!(cache.lookup(other, 0), miss(None));
    }

    #[test]
    fn tiles_of_different_sets_stay() {
        let mut cache = cache();
        for at in 0..6 {
            cache.lookup(tile(at % 2 * 2, 0), 0);
        }
        let counts = cache.counts();
        assert_eq!((counts.lookups, counts.repeats, counts.hits, counts.misses), (6, 0, 4, 2));
    }
}
