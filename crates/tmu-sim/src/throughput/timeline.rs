//! When pixels pass the prefetching cache: tags early, texels late, with memory between.
//!
//! Not the hardware clock by clock, but the five limits that it has, pixel by pixel in order:
//!
//! - tags of `pixels_per_clock` pixels are looked up in a clock, texels of as many are read;
//! - at most `cache.queue_depth` pixels wait between their tags and their texels;
//! - a miss is asked of memory when its tags are known and one of the `axi.outstanding_reads` is free; its first
//!   line comes after the latency, and the lines of all misses one after the other, a clock each for one unit;
//! - a tile is not overwritten before the last pixel that needs it has read its texels;
//! - a pixel reads its texels when all its tiles are there.
//!
//! Units share memory evenly. The hardware is somewhat slower where tiles are overwritten soon after they came.

use std::collections::VecDeque;
use tmu_model::{Lookup, Tile};
use tmu_spec::Config;
use tmu_spec::tile::BANKS;

/// Clocks that a miss takes in the unit itself, from its tags to its address and from its data to its texels.
const PASSAGE_CLOCKS: u32 = 20;

/// See the module's documentation. Times are in clocks.
#[derive(Debug)]
pub(super) struct Timeline {
    clocks_per_pixel: f64,
    clocks_per_line: f64,
    latency_clocks: f64,
    queue_depth: usize,
    outstanding_reads: usize,
    ways: usize,
    bank_set_bits: u32,
    /// When the pixels that may still wait read their texels.
    queue: VecDeque<f64>,
    /// When the reads that may still be in flight end.
    reads: VecDeque<f64>,
    tags: f64,
    texels: f64,
    memory_free: f64,
    /// When the last pixel that uses it reads its texels, by bank, set and way.
    used_until: Vec<f64>,
    /// The place that each bank looked up last.
    last_place: [usize; BANKS as usize],
    /// Places that the pixel uses.
    places: Vec<usize>,
    /// When the tiles of the pixel are there.
    ready: f64,
}

impl Timeline {
    pub(super) fn new(config: &Config, latency_clocks: u32) -> Self {
        let cache = config.cache();
        Self {
            clocks_per_pixel: 1.0 / f64::from(config.datapath().pixels_per_clock()),
            clocks_per_line: f64::from(config.units()),
            latency_clocks: f64::from(latency_clocks.max(1) + PASSAGE_CLOCKS),
            queue_depth: cache.queue_depth() as usize,
            outstanding_reads: config.axi().outstanding_reads() as usize,
            ways: cache.ways() as usize,
            bank_set_bits: cache.bank_set_bits(),
            queue: VecDeque::new(),
            reads: VecDeque::new(),
            tags: 0.0,
            texels: 0.0,
            memory_free: 0.0,
            used_until: vec![0.0; (cache.ways() * cache.sets()) as usize],
            last_place: [0; BANKS as usize],
            places: Vec::new(),
            ready: 0.0,
        }
    }

    /// The next pixel comes to the tags.
    pub(super) fn enter(&mut self) {
        self.tags += self.clocks_per_pixel;
        if self.queue.len() == self.queue_depth
            && let Some(leaves) = self.queue.pop_front()
        {
            self.tags = self.tags.max(leaves);
        }
        self.ready = self.tags;
        self.places.clear();
    }

    /// A tile of this pixel was looked up.
    pub(super) fn look_up(&mut self, tile: Tile, lookup: Lookup) {
        let bank = tile.bank() as usize;
        let place = |way: u32| {
            let set = (bank << self.bank_set_bits) + tile.set(self.bank_set_bits) as usize;
            set * self.ways + way as usize
        };
        let place = match lookup {
            Lookup::Repeat => self.last_place[bank],
            Lookup::Hit { way } => place(way),
            Lookup::Miss { way, .. } => {
                let place = place(way);
                self.read(tile.kind.lines(), self.used_until[place]);
                place
            }
        };
        self.last_place[bank] = place;
        self.places.push(place);
    }

    /// A tile is asked of memory, to come where another one is used for some time.
    fn read(&mut self, lines: u32, used_until: f64) {
        let mut asked = self.tags;
        if self.reads.len() == self.outstanding_reads
            && let Some(ends) = self.reads.pop_front()
        {
            asked = asked.max(ends);
        }
        let first = (asked + self.latency_clocks).max(self.memory_free).max(used_until);
        self.memory_free = first + f64::from(lines) * self.clocks_per_line;
        self.reads.push_back(self.memory_free);
        self.ready = self.ready.max(self.memory_free);
    }

    /// All tiles of this pixel were looked up. Returns when it reads its texels.
    pub(super) fn leave(&mut self) -> f64 {
        self.texels = (self.texels + self.clocks_per_pixel).max(self.ready);
        self.queue.push_back(self.texels);
        for place in &self.places {
            self.used_until[*place] = self.texels;
        }
        self.texels
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tmu_model::TileKind;

    fn timeline(queue_depth: u32, reads: u32, latency_clocks: u32) -> Timeline {
        let toml = format!(
            "[cache]\nkind = \"prefetch\"\nqueue_depth = {queue_depth}\nreplacement = \"round_robin\"\n\
             data_ram = \"block\"\n[axi]\noutstanding_reads = {reads}"
        );
        Timeline::new(&Config::from_toml(&toml).unwrap(), latency_clocks)
    }

    fn tile(column: u32) -> Tile {
        Tile { column, row: 0, first_line: 4 * column, kind: TileKind::Rgba }
    }

    /// Clocks a pixel, where one in `every` misses a tile of four lines.
    fn clocks_per_pixel(mut timeline: Timeline, every: u32) -> f64 {
        let pixels = 4096 * every;
        let mut last = 0.0;
        for pixel in 0..pixels {
            timeline.enter();
            let hit =
                if pixel % every == 0 { Lookup::Miss { way: 0, evicted: None } } else { Lookup::Repeat };
            timeline.look_up(tile(pixel / every), hit);
            last = timeline.leave();
        }
        last / f64::from(pixels)
    }

    #[test]
    fn a_long_queue_hides_memory_and_a_short_one_does_not() {
        // A tile of four lines every 8 pixels: memory is half as busy as it could be.
        let hidden = clocks_per_pixel(timeline(512, 64, 200), 8);
        assert!((1.0..1.02).contains(&hidden), "{hidden}");
        // The first of 64 pixels waits for the latency, the passage and four lines.
        let short = clocks_per_pixel(timeline(64, 64, 200), 8);
        assert!((3.4..3.6).contains(&short), "{short}");
        // Four reads at a time, of 8 pixels each.
        let few = clocks_per_pixel(timeline(512, 4, 200), 8);
        assert!((6.9..7.4).contains(&few), "{few}");
        // Every second pixel: memory is twice as slow as the pixels.
        let busy = clocks_per_pixel(timeline(4096, 256, 1), 2);
        assert!((1.9..2.1).contains(&busy), "{busy}");
    }
}
