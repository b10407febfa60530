//! The cache of a configuration, whichever kind it is, following the quads of a unit.
//!
//! Puts what a [`TextureUnit`] looks up to the model of its cache. No data, no clocks.

use crate::cache::blocking::CacheModel;
use crate::cache::lookup::CacheCounts;
use crate::cache::prefetch::tag_stage::TileCacheModel;
use crate::memory::Memory;
use crate::unit::TextureUnit;
use tmu_spec::config::CacheKind;
use tmu_spec::{Config, Quad};

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
    use std::collections::HashSet;
    use tmu_spec::Format;

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
}
