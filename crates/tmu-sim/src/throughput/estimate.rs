//! What the cycle-free cache model says about a workload: how many bytes it reads, and the most that this allows.
//!
//! No hardware and no clock is simulated, so this costs about a microsecond a quad. The result is a bound: real
//! hardware is at most as fast.

use super::{LookupCounts, MEMORY_BYTES_PER_CLOCK, Workload, issue_rate};
use crate::contents::SharedMemory;
use std::sync::Arc;
use tmu_model::address::{line_of, texture_address};
use tmu_model::{CacheModel, TextureUnit};
use tmu_spec::config::CacheKind;
use tmu_spec::{Binding, Config, LINE_BYTES};

/// See the module's documentation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// Most samples of all units in a clock.
    pub samples_per_clock: f64,
    /// Bytes read for a sample.
    pub bytes_per_sample: f64,
    /// Bytes read for each byte that has to be read.
    pub bytes_per_touched_byte: f64,
    /// Look-ups of all units.
    pub lookups: LookupCounts,
}

/// Follows the caches of all units through a workload, each through its stretch of the quads.
///
/// The most samples per clock are the least of three: the issue rate; 16 bytes a clock over the bytes per sample;
/// and what the reads in flight bring in one latency, a line each, or a whole tile where the cache reads ahead.
#[must_use]
pub fn estimate(config: &Config, workload: &Workload, latency_clocks: u32) -> Estimate {
    let mut unit = TextureUnit::with_features(SharedMemory(Arc::clone(&workload.memory)), *config.features());
    let bound = unit.bind(&workload.binding).is_ok();
    let mut lookups = LookupCounts::default();
    for quads in workload.stretches(config.units() as usize).filter(|_| bound) {
        let mut cache = CacheModel::new(config.cache());
        let mut free_running = 0u32;
        let mut look_up = |line| {
            cache.lookup(line, free_running);
            free_running = free_running.wrapping_add(1);
        };
        // A colour table is loaded through the cache.
        table_lines(&workload.binding).for_each(&mut look_up);
        for quad in quads {
            unit.lookups(quad, &mut look_up);
        }
        let counts = cache.counts();
        lookups.lookups += counts.lookups;
        lookups.repeats += counts.repeats;
        lookups.misses += counts.misses;
    }
    let format = workload.binding.texture().format();
    let bytes = (lookups.misses * u64::from(LINE_BYTES)) as f64;
    let bytes_per_sample = bytes / workload.samples().max(1) as f64;
    let bytes_per_read = match config.cache().kind() {
        CacheKind::Blocking => LINE_BYTES,
        CacheKind::Prefetch => LINE_BYTES * format.bytes_per_texel(),
    };
    let in_flight = f64::from(config.units() * config.axi().outstanding_reads() * bytes_per_read);
    let bytes_per_clock = (in_flight / f64::from(latency_clocks.max(1))).min(MEMORY_BYTES_PER_CLOCK.into());
    Estimate {
        samples_per_clock: issue_rate(config).min(bytes_per_clock / bytes_per_sample),
        bytes_per_sample,
        bytes_per_touched_byte: bytes / workload.touched_bytes(config).max(1) as f64,
        lookups,
    }
}

/// The lines of a colour table, once for each entry, and twice for an entry that lies across two.
fn table_lines(binding: &Binding) -> impl Iterator<Item = u32> {
    let (base, format) = (binding.base(), binding.texture().format());
    let bytes = format.color_table_entry_bytes();
    let entries = format.color_table_bytes().checked_div(bytes).unwrap_or(0);
    (0..entries).flat_map(move |entry| {
        let [first, last] = [0, bytes - 1].map(|byte| line_of(texture_address(base, entry * bytes + byte)));
        [Some(first), Some(last).filter(|last| *last != first)].into_iter().flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::throughput::Pattern;
    use tmu_spec::Format;

    fn scan(toml: &str, latency_clocks: u32) -> Estimate {
        let config = Config::from_toml(toml).unwrap();
        estimate(&config, &Pattern::Scan.workload(&config, Format::Rgba8, 6), latency_clocks)
    }

    #[test]
    fn a_cache_that_holds_the_texture_reads_it_once() {
        let all = scan("", 0);
        assert_eq!((all.bytes_per_sample, all.bytes_per_touched_byte), (4.0, 1.0));
        assert_eq!(all.lookups.misses, 64 * 64 / 4);
        // The blocking cache takes a tap a clock at best; with latency it has one line of 16 bytes in 20 clocks.
        assert_eq!(all.samples_per_clock, 0.25);
        assert_eq!(scan("", 20).samples_per_clock, 0.2);
    }

    #[test]
    fn a_cache_that_is_too_small_reads_more() {
        let small = scan("cache = { ways = 1, sets = 16 }", 0);
        assert!(small.bytes_per_touched_byte > 1.5, "{small:?}");
        assert!(small.lookups.hit_rate() < scan("", 0).lookups.hit_rate());
    }
}
