//! What a frame cost, as numbers that serialise to JSON.

use serde::Serialize;
use tmu_spec::Quad;

use crate::scene::{ImageSize, Scene};

/// What was asked of the texture unit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct RequestCounts {
    /// Quads with at least one valid pixel.
    pub quads: u64,
    /// Valid pixels of those quads.
    pub samples: u64,
    /// Quads that came back with the error bit.
    pub errors: u64,
}

impl RequestCounts {
    pub(crate) fn add(&mut self, quad: &Quad) {
        self.quads += 1;
        self.samples += u64::from(quad.valid().count_ones());
    }
}

/// What the cache did. Every line that a quad needs is one lookup, which repeats the line before it, hits or misses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct CacheCounts {
    /// Different lines that were needed at least once.
    pub lines_touched: u64,
    /// Lines looked up.
    pub lookups: u64,
    /// Lookups of the line that was looked up just before.
    pub repeats: u64,
    /// Other lookups that found their line.
    pub hits: u64,
    /// Lookups that had to fetch their line from memory.
    pub misses: u64,
}

impl CacheCounts {
    /// The part of all lookups that needed no memory; 1 where there were none.
    pub fn hit_rate(&self) -> f64 {
        if self.lookups == 0 { 1.0 } else { (self.lookups - self.misses) as f64 / self.lookups as f64 }
    }
}

impl std::ops::AddAssign for CacheCounts {
    fn add_assign(&mut self, other: Self) {
        self.lines_touched += other.lines_touched;
        self.lookups += other.lookups;
        self.repeats += other.repeats;
        self.hits += other.hits;
        self.misses += other.misses;
    }
}

/// What an engine counted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EngineStatistics {
    /// By binding, in the order of [`crate::Batch::bindings`]; empty where the engine does not count it so.
    pub cache: Vec<CacheCounts>,
    /// Clocks of the texture unit, where the engine has a clock.
    pub clocks: Option<u64>,
}
