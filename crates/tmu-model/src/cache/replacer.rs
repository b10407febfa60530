//! `replacer`: sets of ways, and which way gives up what it holds.
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
//! lookup, and 5 bytes for each way of each set.

use crate::cache::lookup::Lookup;
use tmu_spec::config::Replacement;

/// A way that holds nothing. Keys have at most 29 bits, so all ones is free.
const EMPTY: u32 = u32::MAX;

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
