//! Which latency of memory a prefetching cache hides, by reckoning.
//!
//! The demand is that of four-byte texels at 1:1 in scan order, in rows of quads [`WIDTH`] pixels wide. A tile is four rows
//! high and a row of quads two, so every second row of quads asks for all tiles, twice as fast as they are needed in the mean.
//! Memory gives a line a clock, to all units together. A latency is hidden if
//!
//! - the reads in flight bring tiles as fast as they are needed in the mean, or as memory gives them;
//! - the queue holds the items of the latency, and of what the reads or memory are behind at the end of a row that asks.
//!
//! Cost: some thousand operations.

use crate::Config;
use crate::config::CacheKind;
use crate::tile::{COLUMNS, MOST_LINES};

/// Clocks that a miss takes in the unit itself, from its tags to its address and from its data to its texels.
pub const PASSAGE_CLOCKS: u32 = 20;

/// Of these those after which its read does not count any more.
pub const PASSAGE_BEHIND_READ_CLOCKS: u32 = 9;

/// A read is asked for while fewer are in flight than the unit may have less this many, or while none is.
pub const READS_KEPT_FREE: u32 = 4;

/// More clocks of a family that wants short paths, and those of them after which a read does not count any more.
const SHORT_PATH_CLOCKS: [u32; 2] = [8, 5];

/// Items that may wait less than the queue could hold: it reports early that it fills.
pub const ITEMS_KEPT_FREE: u32 = 3;

/// Width of the picture in pixels.
pub const WIDTH: u32 = 256;

/// Pixels of a tile that a row of quads passes.
const PIXELS_OF_A_ROW: f64 = (2 * COLUMNS) as f64;

/// The most clocks of latency at which such a walk is as fast as with none; none for a cache that does not read ahead.
#[must_use]
pub fn hidden_latency_clocks(config: &Config) -> Option<u32> {
    let prefetches = config.cache().kind() == CacheKind::Prefetch;
    prefetches
        .then(|| (0..config.cache().queue_depth()).rev().find(|clocks| hides(config, *clocks)).unwrap_or(0))
}

/// What a unit needs to hide a latency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Needs {
    /// `axi.outstanding_reads`.
    pub outstanding_reads: u32,
    /// `cache.queue_depth`.
    pub queue_depth: u32,
}

/// Least `cache.queue_depth` and `axi.outstanding_reads` with which so many clocks of memory's latency are hidden, beside so many units
/// and with so many pixels a clock. They may be more than a configuration can have.
#[must_use]
pub const fn needs(latency_clocks: u32, units: u32, pixels_per_clock: u32) -> Needs {
    let memory_every = MOST_LINES * units;
    let asked_every = 2 * COLUMNS / pixels_per_clock;
    // As fast as they are asked for, or as memory gives them: then as little as can be is behind.
    let every = if memory_every > asked_every { memory_every } else { asked_every };
    let in_flight = latency_clocks + PASSAGE_CLOCKS - PASSAGE_BEHIND_READ_CLOCKS + memory_every;
    let behind = (2 * WIDTH / pixels_per_clock * (every - asked_every)).div_ceil(asked_every);
    let waits = latency_clocks + PASSAGE_CLOCKS + memory_every + behind + ITEMS_KEPT_FREE;
    let least = if waits < 64 { 64 } else { waits };
    Needs {
        outstanding_reads: READS_KEPT_FREE + in_flight.div_ceil(every),
        queue_depth: least.next_power_of_two(),
    }
}

/// Whether a latency costs nothing.
fn hides(config: &Config, latency_clocks: u32) -> bool {
    let [more, more_behind] = if config.family().wants_short_paths() { SHORT_PATH_CLOCKS } else { [0, 0] };
    let passage = PASSAGE_CLOCKS + more;
    let before_read = passage - PASSAGE_BEHIND_READ_CLOCKS - more_behind;
    let memory_every = f64::from(MOST_LINES * config.units());
    let pixels_per_clock = f64::from(config.datapath().pixels_per_clock());
    // Clocks from a tile to the next: while a row asks, and as the reads in flight bring them.
    let asked_every = PIXELS_OF_A_ROW / pixels_per_clock;
    let reads = f64::from(config.axi().outstanding_reads().saturating_sub(READS_KEPT_FREE).max(1));
    let in_flight = f64::from(latency_clocks + before_read) + memory_every;
    let brought_every = in_flight / reads;
    let row_clocks = f64::from(2 * WIDTH) / pixels_per_clock;
    let behind = row_clocks * (brought_every.max(memory_every) / asked_every - 1.0).max(0.0);
    let waits = f64::from(latency_clocks + passage) + memory_every + behind;
    brought_every <= memory_every.max(2.0 * asked_every)
        && waits <= f64::from(config.cache().queue_depth() - ITEMS_KEPT_FREE)
}
