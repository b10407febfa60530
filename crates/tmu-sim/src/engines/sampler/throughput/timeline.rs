//! When items pass the prefetching cache: tags early, texels late, with memory between.
//!
//! Not the hardware clock by clock, but the limits that it has, item by item (see [`tmu_model::cache::prefetch::quad_scheduler`]) in order:
//!
//! - tags of an item are looked up in a clock, its texels read in another;
//! - an item that looks for another tile in a set that one of the four items before looked into comes five clocks behind
//!   it;
//! - about `cache.queue_depth` items wait at most between their tags and their texels;
//! - a miss is asked of memory when its tags are known, two clocks behind the one before, and not before a read is free:
//!   the unit counts reads late, so it stops asking four short of `axi.outstanding_reads`;
//! - the first line of a miss comes after the latency, and the lines of all misses one after the other, a clock each for
//!   one unit;
//! - a tile is not overwritten before the last item that needs it has read its texels;
//! - an item reads its texels when all its tiles are there.
//!
//! Units share memory evenly.

use std::collections::VecDeque;
use tmu_model::{Lookup, Tile};
use tmu_spec::Config;
use tmu_spec::latency::{ITEMS_KEPT_FREE, PASSAGE_BEHIND_READ_CLOCKS, PASSAGE_CLOCKS, READS_KEPT_FREE};
use tmu_spec::tile::BANKS;

/// Clocks from a read to the next; one more may wait meanwhile.
const CLOCKS_PER_READ: f64 = 2.0;

/// Clocks after which a read that was asked for counts as one in flight.
const COUNTING_CLOCKS: f64 = 3.0;

/// Items before an item that may still change the tags that it looks at.
const UNSETTLED_SLOTS: usize = 4;

/// A read of memory.
#[derive(Debug, Clone, Copy)]
struct Read {
    asked: f64,
    ends: f64,
}

/// Places of the items whose tags may not have settled.
type Sets = [Option<u32>; BANKS as usize];

/// See the module's documentation. Times are in clocks.
#[derive(Debug)]
pub(super) struct Timeline {
    clocks_per_line: f64,
    latency_clocks: f64,
    queue_depth: usize,
    reads_kept: usize,
    ways: usize,
    bank_set_bits: u32,
    /// When the items that may still wait read their texels.
    queue: VecDeque<f64>,
    /// The reads that may still be in flight.
    reads: VecDeque<Read>,
    tags: f64,
    texels: f64,
    /// When the last read was addressed.
    addressed: f64,
    memory_free: f64,
    /// When the last item that uses it reads its texels, by bank, set and way.
    used_until: Vec<f64>,
    /// The place that each bank looked up last.
    last_place: [usize; BANKS as usize],
    /// Sets of the items just before, the latest first.
    before: [Sets; UNSETTLED_SLOTS],
    /// Places that the item uses.
    places: Vec<usize>,
}

impl Timeline {
    pub(super) fn new(config: &Config, latency_clocks: u32) -> Self {
        let cache = config.cache();
        Self {
            clocks_per_line: f64::from(config.units()),
            latency_clocks: f64::from(latency_clocks.max(1) + PASSAGE_CLOCKS),
            queue_depth: (cache.queue_depth() - ITEMS_KEPT_FREE) as usize,
            reads_kept: config.axi().outstanding_reads().saturating_sub(READS_KEPT_FREE).max(1) as usize,
            ways: cache.ways() as usize,
            bank_set_bits: cache.bank_set_bits(),
            queue: VecDeque::new(),
            reads: VecDeque::new(),
            tags: 0.0,
            texels: 0.0,
            addressed: 0.0,
            memory_free: 0.0,
            used_until: vec![0.0; (cache.ways() * cache.sets()) as usize],
            last_place: [0; BANKS as usize],
            before: [Sets::default(); UNSETTLED_SLOTS],
            places: Vec::new(),
        }
    }

    /// The next item passes, with the tiles that it looks up and what became of each. Returns when it reads its texels.
    pub(super) fn pass(&mut self, tiles: &[(Tile, Lookup)]) -> f64 {
        self.tags += 1.0 + self.unsettled_clocks(tiles);
        if self.queue.len() == self.queue_depth
            && let Some(leaves) = self.queue.pop_front()
        {
            self.tags = self.tags.max(leaves);
        }
        let mut ready = self.tags;
        self.places.clear();
        for (tile, lookup) in tiles {
            let bank = tile.bank() as usize;
            let place = |way: u32| {
                let set = (bank << self.bank_set_bits) + tile.set(self.bank_set_bits) as usize;
                set * self.ways + way as usize
            };
            let place = match *lookup {
                Lookup::Repeat => self.last_place[bank],
                Lookup::Hit { way } => place(way),
                Lookup::Miss { way, .. } => {
                    let place = place(way);
                    ready = ready.max(self.read(tile.kind.lines_per_tile(), self.used_until[place]));
                    place
                }
            };
            self.last_place[bank] = place;
            self.places.push(place);
        }
        self.texels = (self.texels + 1.0).max(ready);
        self.queue.push_back(self.texels);
        for place in &self.places {
            self.used_until[*place] = self.texels;
        }
        self.texels
    }

    /// Clocks that the item waits for those just before it: until the tags of the nearest one that looked into a set
    /// where it looks for another tile have settled.
    fn unsettled_clocks(&mut self, tiles: &[(Tile, Lookup)]) -> f64 {
        let mut sets = Sets::default();
        let mut nearest = UNSETTLED_SLOTS;
        for (tile, lookup) in tiles {
            let (bank, set) = (tile.bank() as usize, Some(tile.set(self.bank_set_bits)));
            sets[bank] = set;
            let before = self.before.iter().position(|before| before[bank] == set);
            nearest =
                before.filter(|_| *lookup != Lookup::Repeat).map_or(nearest, |found| found.min(nearest));
        }
        self.before.rotate_right(1);
        self.before[0] = sets;
        (UNSETTLED_SLOTS - nearest) as f64
    }

    /// A tile is asked of memory, to come where another one is used for some time. Returns when it is there.
    fn read(&mut self, lines: u32, used_until: f64) -> f64 {
        let asked = self.may_ask();
        self.addressed = (self.addressed + CLOCKS_PER_READ).max(asked);
        let first = (self.addressed + self.latency_clocks).max(self.memory_free).max(used_until);
        self.memory_free = first + f64::from(lines) * self.clocks_per_line;
        self.reads.push_back(Read { asked, ends: self.memory_free - f64::from(PASSAGE_BEHIND_READ_CLOCKS) });
        // Those in front of all that may be kept and are not counted yet have ended when the next one is asked for.
        if self.reads.len() > self.reads_kept + COUNTING_CLOCKS as usize {
            self.reads.pop_front();
        }
        self.memory_free
    }

    /// When the next read may be asked for.
    fn may_ask(&self) -> f64 {
        let mut asked = self.tags.max(self.addressed + CLOCKS_PER_READ - 1.0);
        loop {
            let late = |read: &&Read| read.asked + COUNTING_CLOCKS > asked;
            let counted = self.reads.len() - self.reads.iter().rev().take_while(late).count();
            let must_end = counted.checked_sub(self.reads_kept).map(|oldest| self.reads[oldest].ends);
            match must_end.filter(|ends| *ends > asked) {
                Some(ends) => asked = ends,
                None => return asked,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tmu_spec::Format;

    fn timeline(queue_depth: u32, reads: u32, latency_clocks: u32) -> Timeline {
        let toml = format!(
            "[cache]\nkind = \"prefetch\"\nqueue_depth = {queue_depth}\nreplacement = \"round_robin\"\n\
             data_ram = \"block\"\n[axi]\noutstanding_reads = {reads}"
        );
        Timeline::new(&Config::from_toml(&toml).unwrap(), latency_clocks)
    }

    fn tile(column: u32) -> Tile {
        let kind = Format::Rgba8;
        Tile { column, row: 0, first_line: 4 * column, level_line: 0, kind }
    }

    /// Clocks an item, where one in `every` misses a tile of four lines.
    fn clocks_per_item(mut timeline: Timeline, every: u32) -> f64 {
        let items = 4096 * every;
        let mut last = 0.0;
        for item in 0..items {
            let hit = if item % every == 0 { Lookup::Miss { way: 0, evicted: None } } else { Lookup::Repeat };
            last = timeline.pass(&[(tile(item / every), hit)]);
        }
        last / f64::from(items)
    }

    #[test]
    fn a_long_queue_hides_memory_and_a_short_one_does_not() {
        // A tile of four lines every 8 items: memory is half as busy as it could be.
        let hidden = clocks_per_item(timeline(512, 64, 200), 8);
        assert!((1.0..1.02).contains(&hidden), "{hidden}");
        // The first of 61 items waits for the latency, the passage and four lines.
        let short = clocks_per_item(timeline(64, 64, 200), 8);
        assert!((3.5..3.65).contains(&short), "{short}");
        // Of four reads that there may be two at a time, of eight four, each of 8 items.
        let few = [4, 8].map(|reads| clocks_per_item(timeline(512, reads, 200), 8));
        assert!((13.2..13.7).contains(&few[0]) && (6.6..6.85).contains(&few[1]), "{few:?}");
        // Every second item: memory is twice as slow as the items.
        let busy = clocks_per_item(timeline(4096, 256, 1), 2);
        assert!((1.9..2.1).contains(&busy), "{busy}");
    }

    #[test]
    fn tags_settle_before_another_tile_of_a_set_just_used_is_looked_for() {
        let clocks = |columns: [u32; 2], lookup: Lookup| {
            let mut timeline = timeline(512, 64, 1);
            (0..1000).map(|item| timeline.pass(&[(tile(columns[item % 2]), lookup)])).last()
        };
        // Columns 0 and 512 share a set of 256; column 1 is in another bank, and each bank's tile stays the same.
        assert_eq!(clocks([0, 512], Lookup::Hit { way: 0 }), Some(1.0 + 999.0 * 5.0));
        assert_eq!(clocks([0, 1], Lookup::Repeat), Some(1000.0));
    }
}
