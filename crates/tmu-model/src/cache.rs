//! Cycle-free model of the texture cache: which lookups hit, for planning and for checking counters.
//!
//! It holds tags and no data, knows no time, and takes every read to succeed. Lookups are presented in the
//! order in which the hardware makes them (see [`crate::TextureUnit::lookups`]). Each is one of
//!
//! - a repeat: the same line as the lookup before, answered without looking at the tags;
//! - a hit: another line that the cache holds;
//! - a miss: the line is read and takes the place of the victim.
//!
//! The victim is the lowest way that holds nothing, if there is one. Otherwise it follows from the policy:
//!
//! - `plru_random`: each set has a bit that names the half of its ways used less recently; every hit and fill
//!   sets it to the half not used. The victim is `{that bit, free-running bits}`.
//! - `random`: the victim is `{free-running bits}`.
//! - `round_robin`: each set has a counter; every fill sets it to the way after the one filled. The victim is
//!   the counter.
//!
//! The free-running bits are the hardware's business, so the caller supplies them. Cost: a few nanoseconds a
//! lookup, and 5 bytes for each line of the cache.

use std::collections::HashSet;
use tmu_spec::config::{CacheConfig, Replacement};

/// A way that holds nothing. Keys have at most 29 bits, so all ones is free.
const EMPTY: u32 = u32::MAX;

/// What became of a lookup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lookup {
    /// The line of the lookup before.
    Repeat,
    /// A line that the cache holds, in this way.
    Hit {
        /// The way that holds the line.
        way: u32,
    },
    /// A line that had to be read, into this way.
    Miss {
        /// The way that was filled.
        way: u32,
        /// The line that had to go.
        evicted: Option<u32>,
    },
}

/// Counts of lookups. `lookups` is the sum of the other three.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CacheCounts {
    /// All lookups.
    pub lookups: u64,
    /// Lookups of the line of the lookup before.
    pub repeats: u64,
    /// Lookups of another line that the cache held.
    pub hits: u64,
    /// Lookups of lines that had to be read.
    pub misses: u64,
}

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
            last: EMPTY,
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
        self.last = EMPTY;
        self.touched.insert(line);
    }

    /// Drops all lines, as a binding with the drop bit or the control port does. Counts go on.
    pub fn invalidate(&mut self) {
        self.sets.clear();
        self.last = EMPTY;
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

/// Sets of ways with their policy: what each holds, by key.
#[derive(Debug, Clone)]
pub(crate) struct Sets {
    ways: usize,
    replacement: Replacement,
    /// Keys by set and way.
    held: Vec<u32>,
    /// By set: the half used less recently, or the next way to fill.
    order: Vec<u8>,
}

impl Sets {
    /// Empty sets.
    pub(crate) fn new(ways: u32, sets: u32, replacement: Replacement) -> Self {
        let places = (ways * sets) as usize;
        Self { ways: ways as usize, replacement, held: vec![EMPTY; places], order: vec![0; sets as usize] }
    }

    /// Finds a key in a set, or puts it there.
    pub(crate) fn lookup(&mut self, set: u32, key: u32, random: u32) -> Lookup {
        let set = set as usize;
        let ways = &mut self.held[set * self.ways..][..self.ways];
        if let Some(way) = ways.iter().position(|held| *held == key) {
            if self.replacement == Replacement::PlruRandom {
                self.order[set] = other_half(way, self.ways);
            }
            return Lookup::Hit { way: way as u32 };
        }
        let empty = ways.iter().position(|held| *held == EMPTY);
        let order = self.order[set] as usize;
        let way = empty.unwrap_or_else(|| victim(self.replacement, self.ways, order, random as usize));
        let evicted = Some(std::mem::replace(&mut ways[way], key)).filter(|held| *held != EMPTY);
        match self.replacement {
            Replacement::PlruRandom => self.order[set] = other_half(way, self.ways),
            Replacement::RoundRobin => self.order[set] = ((way + 1) % self.ways) as u8,
            Replacement::Random => {}
        }
        Lookup::Miss { way: way as u32, evicted }
    }

    /// Whether a set holds a key.
    pub(crate) fn holds(&self, set: u32, key: u32) -> bool {
        self.held[set as usize * self.ways..][..self.ways].contains(&key)
    }

    /// Drops everything; what the policy knows stays, since empty ways are filled first.
    pub(crate) fn clear(&mut self) {
        self.held.fill(EMPTY);
    }
}

/// The half of a set that a way is not in.
const fn other_half(way: usize, ways: usize) -> u8 {
    (way < ways / 2) as u8
}

/// The way of a full set that gives up its line.
const fn victim(replacement: Replacement, ways: usize, order: usize, random: usize) -> usize {
    match replacement {
        Replacement::PlruRandom if ways == 1 => 0,
        Replacement::PlruRandom => order * (ways / 2) + random % (ways / 2),
        Replacement::Random => random % ways,
        Replacement::RoundRobin => order,
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
