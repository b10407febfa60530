//! What the cycle-free cache model says about a workload: how many bytes it reads, and the most that this allows.
//!
//! No hardware is simulated, so this costs about a microsecond a quad. For the blocking cache the samples per clock
//! are a bound; of the prefetching cache the times are followed at which pixels pass it, so they are close to what is
//! measured.

use super::timeline::Timeline;
use super::{LookupCounts, MEMORY_BYTES_PER_CLOCK, Workload, issue_rate, samples};
use crate::engines::sampler::contents::SharedMemory;
use tmu_model::datapath::address::{line_of, texture_address};
use tmu_model::{CacheCounts, CacheModel, TextureUnit, Tile, TileCacheModel};
use tmu_spec::config::{CacheConfig, CacheKind};
use tmu_spec::{Binding, Config, LINE_BYTES, Quad, tile};

/// See the module's documentation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// Samples of all units in a clock: the most there can be of the blocking cache, about as many as there are of the
    /// prefetching one.
    pub samples_per_clock: f64,
    /// Bytes read for a sample.
    pub bytes_per_sample: f64,
    /// Bytes read for each byte that has to be read.
    pub bytes_per_touched_byte: f64,
    /// Look-ups of all units.
    pub lookups: LookupCounts,
}

/// What the cache of a unit has looked up and read.
#[derive(Debug, Clone, Copy, Default)]
struct Followed {
    lookups: LookupCounts,
    lines_read: u64,
}

impl Followed {
    const fn new(counts: CacheCounts, lines_read: u64) -> Self {
        let CacheCounts { lookups, repeats, misses, .. } = counts;
        Self { lookups: LookupCounts { lookups, repeats, misses }, lines_read }
    }

    const fn add(&mut self, other: Self) {
        self.lookups.lookups += other.lookups.lookups;
        self.lookups.repeats += other.lookups.repeats;
        self.lookups.misses += other.lookups.misses;
        self.lines_read += other.lines_read;
    }
}

/// Follows the caches of all units through a workload, each through its stretch of the quads.
///
/// The samples per clock are the least of: the issue rate; 16 bytes a clock over the bytes per sample; what the reads
/// in flight bring in one latency, a line each, or a tile where the cache reads ahead; and there also what the times
/// say at which pixels pass the cache.
#[must_use]
pub fn estimate(config: &Config, workload: &Workload, latency_clocks: u32) -> Estimate {
    let prefetches = config.cache().kind() == CacheKind::Prefetch;
    let mut unit = workload.unit(config);
    let bound = unit.bind(&workload.binding).is_ok();
    let mut all = Followed::default();
    let mut samples_per_clock = 0.0;
    for quads in workload.stretches(config.units() as usize).filter(|_| bound) {
        if prefetches {
            let timeline = Timeline::new(config, latency_clocks);
            let (followed, rate) = follow_tiles(config, &unit, quads, workload.warm_up_quads, timeline);
            all.add(followed);
            samples_per_clock += rate;
        } else {
            all.add(follow_lines(config.cache(), &unit, quads));
            samples_per_clock = f64::INFINITY;
        }
    }
    let bytes = (all.lines_read * u64::from(LINE_BYTES)) as f64;
    let bytes_per_sample = bytes / workload.samples().max(1) as f64;
    let read_lines = if prefetches { workload.binding.texture().format().bytes_per_texel() } else { 1 };
    let in_flight = config.units() * config.axi().outstanding_reads() * read_lines * LINE_BYTES;
    let bytes_per_clock =
        (f64::from(in_flight) / f64::from(latency_clocks.max(1))).min(MEMORY_BYTES_PER_CLOCK.into());
    Estimate {
        samples_per_clock: samples_per_clock.min(issue_rate(config)).min(bytes_per_clock / bytes_per_sample),
        bytes_per_sample,
        bytes_per_touched_byte: bytes / workload.touched_bytes(config).max(1) as f64,
        lookups: all.lookups,
    }
}

/// The blocking cache: a tap at a time.
fn follow_lines(config: &CacheConfig, unit: &TextureUnit<SharedMemory>, quads: &[Quad]) -> Followed {
    let mut cache = CacheModel::new(config);
    let mut free_running = 0u32;
    let mut look_up = |line| {
        cache.lookup(line, free_running);
        free_running = free_running.wrapping_add(1);
    };
    // A colour table is loaded through the cache.
    unit.binding().into_iter().flat_map(table_lines).for_each(&mut look_up);
    for quad in quads {
        unit.lookups(quad, &mut look_up);
    }
    let counts = cache.counts();
    Followed::new(counts, counts.misses)
}

/// The prefetching cache: the tiles of an item at a time. Also gives the samples per clock from the first result behind
/// the warm-up to the last.
fn follow_tiles(
    config: &Config,
    unit: &TextureUnit<SharedMemory>,
    quads: &[Quad],
    warm_up_quads: usize,
    mut timeline: Timeline,
) -> (Followed, f64) {
    let takes_quads = config.datapath().takes_quads();
    let mut cache = TileCacheModel::new(config.cache());
    let mut free_running = 0u32;
    let mut looked_up = Vec::new();
    let mut item = |tiles: &[Tile]| {
        looked_up.clear();
        for tile in tiles {
            looked_up.push((*tile, cache.lookup(*tile, free_running)));
            free_running = free_running.wrapping_add(1);
        }
        timeline.pass(&looked_up)
    };
    // Each entry of a colour table passes as an item.
    for tile in unit.binding().into_iter().flat_map(table_tiles) {
        item(&[tile]);
    }
    let (mut first, mut last, mut timed_samples) = (0.0, 0.0, 0u64);
    for (number, quad) in quads.iter().enumerate() {
        unit.items(quad, takes_quads, |tiles| last = item(tiles));
        if number <= warm_up_quads {
            first = last;
        } else {
            timed_samples += samples(quad);
        }
    }
    let rate = if last > first { timed_samples as f64 / (last - first) } else { f64::INFINITY };
    (Followed::new(cache.counts(), cache.lines_read()), rate)
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

/// The tiles of a colour table, once for each entry: 16 tiles in a row.
fn table_tiles(binding: &Binding) -> impl Iterator<Item = Tile> {
    let (base, format) = (binding.base(), binding.texture().format());
    let kind = format.of_colors();
    let entries = format.color_table_bytes().checked_div(format.color_table_entry_bytes()).unwrap_or(0);
    (0..entries).map(move |entry| {
        let column = entry / (tile::COLUMNS * tile::ROWS);
        let line = |column: u32| line_of(texture_address(base, column * kind.lines_per_tile() * LINE_BYTES));
        Tile { column, row: 0, first_line: line(column), level_line: line(0), kind }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::sampler::throughput::Pattern;
    use tmu_spec::latency::{WIDTH, hidden_latency_clocks};
    use tmu_spec::{Format, Preset};

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
    fn four_pixels_a_clock_are_limited_by_items_and_by_memory() {
        let quad = |pattern: Pattern, latency_clocks| {
            let toml = "request = { beats_per_quad = 1 }\nresult = { fifo_depth = 64 }\n\
                        datapath = { pixels_per_clock = 4 }\naxi = { outstanding_reads = 64 }\n\
                        cache = { kind = \"prefetch\", replacement = \"round_robin\" }";
            let config = Config::from_toml(toml).unwrap();
            let workload = pattern.workload(&config, Format::Rgba8, 6);
            (workload.issue_rate(&config), estimate(&config, &workload, latency_clocks).samples_per_clock)
        };
        // Behind the first pass everything hits.
        assert_eq!(quad(Pattern::Hits, 200), (4.0, 4.0));
        // At 1:1 memory gives as many texels as a quad a clock takes.
        let (most, scan) = quad(Pattern::Scan, 0);
        assert!(most == 4.0 && (3.5..4.0).contains(&scan), "{scan}");
        // Pixels anywhere each take an item.
        let (most, random) = quad(Pattern::Random, 0);
        assert!((1.0..1.01).contains(&most) && random < 0.2, "{most} {random}");
    }

    #[test]
    fn a_cache_that_is_too_small_reads_more() {
        let small = scan("cache = { ways = 1, sets = 16 }", 0);
        assert!(small.bytes_per_touched_byte > 1.5, "{small:?}");
        assert!(small.lookups.hit_rate() < scan("", 0).lookups.hit_rate());
    }

    /// Samples a clock as a share of those without latency.
    fn kept(config: &Config, latency_clocks: u32) -> f64 {
        let workload = Pattern::Scan.workload(config, Format::Rgba8, WIDTH.ilog2());
        let rate = |latency| estimate(config, &workload, latency).samples_per_clock;
        rate(latency_clocks) / rate(0)
    }

    #[test]
    fn what_is_hidden_costs_nothing_and_much_more_than_that_does() {
        let preset = |name: &str| Preset::find(name).unwrap().toml().to_owned();
        let few = preset("stream").replace("outstanding_reads = 64", "outstanding_reads = 24");
        let short = preset("quad-far").replace("queue_depth = 1024", "queue_depth = 512");
        for toml in [preset("stream"), preset("quad"), preset("quad-far"), few, short] {
            let config = Config::from_toml(&toml).unwrap();
            let hidden = hidden_latency_clocks(&config).unwrap();
            let (within, beyond) = (kept(&config, hidden), kept(&config, hidden * 3 / 2));
            assert!(within > 0.98, "{}: {within} kept at {hidden} clocks", config.name());
            assert!(beyond < 0.95, "{}: {beyond} kept at {hidden} clocks and a half", config.name());
        }
    }

    #[test]
    fn presets_hide_what_their_comments_say() {
        let hidden = |name: &str| hidden_latency_clocks(&Preset::find(name).unwrap().config().unwrap());
        assert_eq!(hidden("fury"), None);
        for (name, latency) in [("stream", 200), ("quad", 200), ("quad-far", 400)] {
            assert!(hidden(name) >= Some(latency), "{name}: {:?}", hidden(name));
        }
    }
}
