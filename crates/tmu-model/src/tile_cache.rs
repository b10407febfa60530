//! Cycle-free model of the prefetching cache: which tiles hit. The counterpart of [`crate::cache`] for whole tiles.
//!
//! The cache holds tiles of 4 x 4 texels in four banks (see [`tmu_spec::tile`]). The tiles of an [item](crate::quad_scheduler) lie
//! in different banks and are looked up together, each once however many pixels need it. In its bank a tile is a repeat if it is the one looked up there
//! before, otherwise a hit or a miss; victims are chosen as in [`crate::cache`], in each bank by itself.
//!
//! The set in a bank follows from where the tile stands in its level and where that begins, see [`tmu_spec::tile`].

use crate::cache::{CacheCounts, CacheModel, Lookup, Sets};
use crate::memory::Memory;
use crate::unit::TextureUnit;
use std::collections::HashSet;
use tmu_spec::config::{CacheConfig, CacheKind};
use tmu_spec::tile::{BANKS, SET_FOLD_BITS};
use tmu_spec::{Config, Format, Quad};

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
    fn line_numbers(&self) -> std::ops::Range<u32> {
        self.first_line..self.first_line + self.kind.lines_per_tile()
    }

    fn key(&self) -> u32 {
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

/// The cache of a configuration, whichever kind it is.
#[derive(Debug, Clone)]
pub enum UnitCache {
    /// Looks up lines, a tap at a time.
    Blocking(CacheModel),
    /// Looks up tiles, those of an item at a time.
    Prefetch {
        /// The tiles.
        cache: TileCacheModel,
        /// A quad may be an item.
        takes_quads: bool,
    },
}

impl UnitCache {
    /// An empty cache.
    #[must_use]
    pub fn new(config: &Config) -> Self {
        let (cache, takes_quads) = (config.cache(), config.datapath().takes_quads());
        match cache.kind() {
            CacheKind::Blocking => UnitCache::Blocking(CacheModel::new(cache)),
            CacheKind::Prefetch => UnitCache::Prefetch { cache: TileCacheModel::new(cache), takes_quads },
        }
    }

    /// Looks up what a quad needs, with the number of the look-up as the free-running bits.
    pub fn follow<M: Memory>(&mut self, unit: &TextureUnit<M>, quad: &Quad) {
        self.follow_lines(unit, quad, |_| ());
    }

    /// The same, and visits the numbers of the lines that are looked up, all lines of a tile where those are. Repeats show.
    pub fn follow_lines<M: Memory>(
        &mut self,
        unit: &TextureUnit<M>,
        quad: &Quad,
        mut visit: impl FnMut(u32),
    ) {
        match self {
            UnitCache::Blocking(cache) => unit.lookups(quad, |line| {
                let number = cache.counts().lookups as u32;
                cache.lookup(line, number);
                visit(line);
            }),
            UnitCache::Prefetch { cache, takes_quads } => unit.items(quad, *takes_quads, |tiles| {
                for tile in tiles {
                    let number = cache.counts().lookups as u32;
                    cache.lookup(*tile, number);
                    tile.line_numbers().for_each(&mut visit);
                }
            }),
        }
    }

    /// Look-ups so far, of lines or of tiles.
    #[must_use]
    pub const fn counts(&self) -> CacheCounts {
        match self {
            UnitCache::Blocking(cache) => cache.counts(),
            UnitCache::Prefetch { cache, .. } => cache.counts(),
        }
    }

    /// Different lines that were needed so far, in whole tiles where those are looked up.
    #[must_use]
    pub fn lines_touched(&self) -> u64 {
        match self {
            UnitCache::Blocking(cache) => cache.lines_touched(),
            UnitCache::Prefetch { cache, .. } => cache.lines_touched(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tile(column: u32, row: u32) -> Tile {
        let kind = Format::Rgba8;
        Tile { column, row, first_line: 4 * (64 * row + column), level_line: 0, kind }
    }

    fn cache() -> TileCacheModel {
        let toml = "[cache]\nkind = \"prefetch\"\nways = 1\nsets = 16\n[axi]\noutstanding_reads = 8";
        TileCacheModel::new(Config::from_toml(toml).unwrap().cache())
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

    /// The lines that are visited are those that the cache has touched.
    #[test]
    fn what_is_visited_is_what_is_touched() {
        let texture = tmu_spec::Texture::new(Format::Rgb8, 6, 5, 6).unwrap();
        let memory = crate::MemoryImage::new(0, vec![0; texture.bytes() as usize]);
        let binding = tmu_spec::Binding::new(0, texture, tmu_spec::Sampler::default()).unwrap();
        for preset in ["fury-single", "stream", "quad"] {
            let config = tmu_spec::Preset::find(preset).unwrap().config().unwrap();
            let mut unit = TextureUnit::new(memory.clone());
            unit.bind(&binding).unwrap();
            let (mut cache, mut visited, mut visits) = (UnitCache::new(&config), HashSet::new(), 0);
            for at in 0..200 {
                let [u, v] = [at * 1711 % 90_000, at * 977 % 70_000];
                let quad = Quad::new([[u, v], [u + 900, v], [u, v + 2000], [u + 900, v + 2000]], 0b1101);
                cache.follow_lines(&unit, &quad, |line| {
                    visited.insert(line);
                    visits += 1;
                });
            }
            assert_eq!(cache.lines_touched(), visited.len() as u64, "{preset}");
            assert!(visits >= cache.counts().lookups, "{preset}: {visits}");
            assert!(visited.iter().all(|line| line * 16 < texture.bytes()), "{preset}");
        }
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
