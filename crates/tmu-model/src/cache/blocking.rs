//! Cycle-free model of the blocking cache: which lookups hit, for planning and for checking counters.
//!
//! It holds tags and no data, knows no time, and takes every read to succeed. Lookups are presented in the
//! order in which the hardware makes them (see [`crate::TextureUnit::lookups`]). Each is one of
//!
//! - a repeat: the same line as the lookup before, answered without looking at the tags;
//! - a hit: another line that the cache holds;
//! - a miss: the line is read and takes the place of the victim, see [`crate::cache::replacer`].

use crate::cache::lookup::{CacheCounts, Lookup};
use crate::cache::replacer::Sets;
use crate::datapath::fetch::{TexelSource, lines};
use crate::memory::LineError;
use std::collections::HashSet;
use tmu_spec::config::CacheConfig;

/// No line: they have at most 27 bits.
const NONE: u32 = u32::MAX;

/// The cache of one texture unit.
#[derive(Debug, Clone)]
pub struct CacheModel {
    set_bits: u32,
    sets: Sets,
    last: u32,
    counts: CacheCounts,
    touched: HashSet<u32>,
}

impl CacheModel {
    /// An empty cache.
    #[must_use]
    pub fn new(config: &CacheConfig) -> Self {
        Self {
            set_bits: config.set_bits(),
            sets: Sets::new(config.ways(), config.sets(), config.replacement()),
            last: NONE,
            counts: CacheCounts::default(),
            touched: HashSet::new(),
        }
    }

    /// Looks a line up by its number, texture address / 16. Of `random`, the hardware's free-running bits, as
    /// many low bits are used as the policy needs, and only if a full set has to give up a line.
    pub fn lookup(&mut self, line: u32, random: u32) -> Lookup {
        self.counts.lookups += 1;
        if line == self.last {
            self.counts.repeats += 1;
            return Lookup::Repeat;
        }
        self.last = line;
        let lookup = self.sets.lookup(line & ((1 << self.set_bits) - 1), line, random);
        if matches!(lookup, Lookup::Miss { .. }) {
            self.counts.misses += 1;
            self.touched.insert(line);
        } else {
            self.counts.hits += 1;
        }
        lookup
    }

    /// Whether a line is held.
    #[must_use]
    pub fn holds(&self, line: u32) -> bool {
        self.sets.holds(line & ((1 << self.set_bits) - 1), line)
    }

    /// Looks up a line that is not held and cannot be read: it is not kept, and looking it up again is no repeat.
    pub fn fail(&mut self, line: u32) {
        self.counts.lookups += 1;
        self.counts.misses += 1;
        self.last = NONE;
        self.touched.insert(line);
    }

    /// Drops all lines, as a binding with the drop bit or the control port does. Counts go on.
    pub fn invalidate(&mut self) {
        self.sets.clear();
        self.last = NONE;
    }

    /// Lookups so far.
    #[must_use]
    pub const fn counts(&self) -> CacheCounts {
        self.counts
    }

    /// Different lines that were looked up so far.
    #[must_use]
    pub fn lines_touched(&self) -> u64 {
        self.touched.len() as u64
    }
}

/// No texture, only the lines that one would be read from, in the order of the reads: two for a texel that lies across them.
#[derive(Debug)]
pub struct LookupSource<F> {
    /// Texture address of the texture.
    pub base: u32,
    /// Is shown the numbers of the lines.
    pub visit: F,
}

impl<F: FnMut(u32)> TexelSource for LookupSource<F> {
    fn bytes<const BYTES: usize>(&mut self, offset: u32) -> Result<[u8; BYTES], LineError> {
        let [first, last] = lines(self.base, offset, BYTES);
        (self.visit)(first);
        if last != first {
            (self.visit)(last);
        }
        Ok([0; BYTES])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tmu_spec::Config;

    /// A cache of 16 sets.
    fn cache(ways: u32, replacement: &str) -> CacheModel {
        let toml = format!("[cache]\nways = {ways}\nsets = 16\nreplacement = \"{replacement}\"");
        CacheModel::new(Config::from_toml(&toml).unwrap().cache())
    }

    /// Looks up lines of set 3 by tag.
    fn lookups(cache: &mut CacheModel, tags_and_random: &[(u32, u32)]) -> Vec<Lookup> {
        tags_and_random.iter().map(|(tag, random)| cache.lookup(tag << 4 | 3, *random)).collect()
    }

    fn filled(way: u32) -> Lookup {
        Lookup::Miss { way, evicted: None }
    }

    fn evicted(way: u32, tag: u32) -> Lookup {
        Lookup::Miss { way, evicted: Some(tag << 4 | 3) }
    }

    #[test]
    fn empty_ways_are_filled_first_whatever_the_policy() {
        for policy in ["plru_random", "random", "round_robin"] {
            let mut cache = cache(4, policy);
            let got = lookups(&mut cache, &[(1, 3), (2, 3), (3, 0), (4, 0)]);
            assert_eq!(got, [0, 1, 2, 3].map(filled), "{policy}");
            cache.invalidate();
            assert_eq!(lookups(&mut cache, &[(4, 3)]), [filled(0)], "{policy}");
        }
    }

    #[test]
    fn plru_random_by_hand() {
        let mut cache = cache(4, "plru_random");
        lookups(&mut cache, &[(1, 0), (2, 0), (3, 0), (4, 0)]);
        let got = lookups(
            &mut cache,
            // Way 3 was used last: half 0 goes, and random bit 1 makes that way 1.
            &[(5, 1), (5, 0), (3, 0), (6, 0), (7, 1), (2, 0)],
        );
        let expected = [
            evicted(1, 2),
            Lookup::Repeat,
            // A hit in the upper half: the lower goes next, way 0 by the random bit.
            Lookup::Hit { way: 2 },
            evicted(0, 1),
            // Way 0 was filled: the upper half goes, way 3.
            evicted(3, 4),
            // The lower half again.
            evicted(0, 6),
        ];
        assert_eq!(got, expected);
        let counts = cache.counts();
        assert_eq!((counts.lookups, counts.repeats, counts.hits, counts.misses), (10, 1, 1, 8));
        assert_eq!(cache.lines_touched(), 7);
    }

    #[test]
    fn other_policies_by_hand() {
        let sequence = [(1, 0), (2, 0), (3, 1), (1, 0), (4, 1), (5, 1)];
        // Two ways, plru_random: the one not used last.
        let got = lookups(&mut cache(2, "plru_random"), &sequence);
        let hit = Lookup::Hit { way: 0 };
        assert_eq!(got, [filled(0), filled(1), evicted(0, 1), evicted(1, 2), evicted(0, 3), evicted(1, 1)]);
        let got = lookups(&mut cache(2, "random"), &sequence);
        assert_eq!(got, [filled(0), filled(1), evicted(1, 2), hit, evicted(1, 3), evicted(1, 4)]);
        let got = lookups(&mut cache(2, "round_robin"), &sequence);
        assert_eq!(got, [filled(0), filled(1), evicted(0, 1), evicted(1, 2), evicted(0, 3), evicted(1, 1)]);
        let got = lookups(&mut cache(1, "plru_random"), &[(1, 7), (2, 7), (1, 7)]);
        assert_eq!(got, [filled(0), evicted(0, 1), evicted(0, 2)]);
        let mut eight = cache(8, "plru_random");
        lookups(&mut eight, &[1, 2, 3, 4, 5, 6, 7, 8].map(|tag| (tag, 0)));
        // Way 7 was used last: half 0, way 3 by the random bits 0b11; then half 1, way 4 + 2.
        assert_eq!(lookups(&mut eight, &[(9, 7), (10, 6)]), [evicted(3, 4), evicted(6, 7)]);
    }

    #[test]
    fn invalidation_ends_repeats_and_counts_go_on() {
        let mut cache = cache(4, "plru_random");
        assert_eq!(lookups(&mut cache, &[(1, 0), (1, 0)]), [filled(0), Lookup::Repeat]);
        cache.invalidate();
        assert_eq!(lookups(&mut cache, &[(1, 0)]), [filled(0)]);
        assert_eq!((cache.counts().lookups, cache.lines_touched()), (3, 1));
    }

    proptest! {
        /// Against a model that keeps each set as a list of what was filled and used.
        #[test]
        fn holds_what_was_filled_and_not_evicted(
            ways in 0..4u32, policy in 0..3usize, sequence in prop::collection::vec((0..200u32, any::<u32>()), 1..400),
        ) {
            let mut cache = cache(1 << ways, ["plru_random", "random", "round_robin"][policy]);
            let mut held = HashSet::new();
            let mut last = None;
            for (line, random) in sequence {
                match cache.lookup(line, random) {
                    Lookup::Repeat => prop_assert_eq!(last, Some(line)),
                    Lookup::Hit { .. } => prop_assert!(held.contains(&line) && last != Some(line)),
                    Lookup::Miss { evicted, .. } => {
                        prop_assert!(held.insert(line), "line {} was held", line);
                        if let Some(evicted) = evicted {
                            prop_assert!(held.remove(&evicted) && evicted % 16 == line % 16);
                            prop_assert_ne!(Some(evicted), last.filter(|_| policy == 0 && ways > 0));
                        }
                        let in_set = held.iter().filter(|other| **other % 16 == line % 16).count();
                        prop_assert!(in_set <= 1 << ways);
                    }
                }
                last = Some(line);
            }
            let counts = cache.counts();
            prop_assert_eq!(counts.lookups, counts.repeats + counts.hits + counts.misses);
        }
    }
}
