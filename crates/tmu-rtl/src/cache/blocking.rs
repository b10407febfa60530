//! `cache`: read-through, set-associative, blocking.
//!
//! The line asked for last is answered in one clock. Any other look-up reads the tags of its set, compares them,
//! and reads the line from the way that holds it, or from memory. A line that comes from memory is answered
//! straight away and written behind. A line that could not be read is not kept.
//!
//! Latency from an accepted look-up to its line: 1 clock for the line before, 5 for another line held, 8 above
//! the memory's own for a line that is not. Initiation interval: the same. Tags: one RAM a way, sets x (tag and
//! valid bit); lines: one RAM, ways x sets x 128 bits; replacement: at most three bits a set in LUT RAM.

use super::ram;
use crate::cache::replacer::Replacer;
use crate::datapath::bundles::{Layout, line_bits, parts, same_parts, sideband_layout};
use crate::engine::memory::LINE_BITS;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::RamSimpleDualPort;
use tmu_spec::Config;

/// Bits of a tag that are compared in a clock.
const PART_BITS: usize = 6;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Cache {
    /// Clock and reset.
    pub clocks: Clocks,
    /// Look-ups and ends, see [`crate::datapath::address`].
    pub input: StreamIn,
    /// High for one clock: empty the cache.
    pub invalidate: Net<In>,
    /// The cache is emptying; no look-up is taken.
    pub invalidating: Net<Out>,
    /// A line is wanted from memory.
    pub read: StreamOut,
    /// The memory answers.
    pub line_valid: Net<In>,
    /// The line that the memory answers with.
    pub line_data: Net<In>,
    /// The memory could not read the line.
    pub line_error: Net<In>,
    /// A look-up leaves with its line.
    pub out_valid: Net<Out>,
    /// The look-up, see [`sideband_layout`].
    pub sideband: Net<Out>,
    /// The line is in `fetched_line`, otherwise in `held_line`.
    pub is_fetched: Net<Out>,
    /// The line as it stands in the cache.
    pub held_line: Net<Out>,
    /// The line as it came from memory.
    pub fetched_line: Net<Out>,
    /// The look-up's line could not be read.
    pub error: Net<Out>,
    /// Events for the counters: look-up, repeat, hit, miss, a clock spent waiting for memory.
    pub events: Net<Out>,
    tags: Vec<RamSimpleDualPort>,
    lines: RamSimpleDualPort,
    replacer: Optional<Replacer>,
    ready: Reg,
    reading: Reg,
    compared: Reg,
    decided: Reg,
    line_read: Reg,
    wanted_line: Reg,
    same_parts: Vec<Reg>,
    valids: Optional<Reg>,
    busy: Reg,
    read_wanted: Reg,
    waiting: Reg,
    filled: Reg,
    way: Optional<Reg>,
    fetched: Reg,
    from_memory: Reg,
    failed: Reg,
    last_is_good: Reg,
    answering: Reg,
    answering_sideband: Reg,
    invalidate_pending: Reg,
    clearing: Reg,
    clear_set: Reg,
    events_seen: Reg,
    is_fast: Net<Local>,
    is_slow: Net<Local>,
    hit: Net<Local>,
    hit_way: Optional<Net<Local>>,
    fills: Net<Local>,
    _config: Config,
    _sideband: Layout,
}

impl Cache {
    /// The stage for a configuration.
    pub fn new(config: &Config) -> Cache {
        let clocks = Clocks::new();
        let sideband = sideband_layout(config);
        let cache = config.cache();
        let (line_bits, ways) = (line_bits(config), cache.ways() as usize);
        let (sets, lines) = (cache.sets() as usize, cache.lines() as usize);
        let flag = || Reg::with_reset(&clocks, 1, 0);
        Cache {
            input: StreamIn::new(sideband.width() + line_bits + 1),
            invalidate: Net::bit(),
            invalidating: Net::bit(),
            read: StreamOut::new(line_bits),
            line_valid: Net::bit(),
            line_data: Net::new(LINE_BITS),
            line_error: Net::bit(),
            out_valid: Net::bit(),
            sideband: Net::new(sideband.width()),
            is_fetched: Net::bit(),
            held_line: Net::new(LINE_BITS),
            fetched_line: Net::new(LINE_BITS),
            error: Net::bit(),
            events: Net::new(5),
            tags: (0..ways).map(|_| ram(sets, cache.tag_entry_bits() as usize, cache.tag_ram())).collect(),
            lines: ram(lines, LINE_BITS, cache.data_ram()),
            replacer: Optional::new(ways > 1, || Replacer::new(config)),
            ready: flag(),
            reading: flag(),
            compared: flag(),
            decided: flag(),
            line_read: flag(),
            wanted_line: Reg::new(&clocks, line_bits).width_named("LINE_NUMBER_BITS"),
            same_parts: Reg::array(ways, &clocks, 1 + parts(cache.tag_bits() as usize, PART_BITS)),
            valids: Optional::new(ways > 1, || Reg::new(&clocks, ways)),
            busy: flag(),
            read_wanted: flag(),
            waiting: flag(),
            filled: flag(),
            way: Optional::new(ways > 1, || Reg::new(&clocks, cache.way_bits() as usize)),
            fetched: Reg::new(&clocks, LINE_BITS).width_named("LINE_BITS"),
            from_memory: flag(),
            failed: flag(),
            last_is_good: flag(),
            answering: flag(),
            answering_sideband: Reg::new(&clocks, sideband.width()),
            invalidate_pending: flag(),
            clearing: Reg::with_reset(&clocks, 1, 1),
            clear_set: Reg::with_reset(&clocks, cache.set_bits() as usize, 0),
            events_seen: Reg::with_reset(&clocks, 5, 0),
            is_fast: Net::bit(),
            is_slow: Net::bit(),
            hit: Net::bit(),
            hit_way: Optional::new(ways > 1, || Net::new(cache.way_bits() as usize)),
            fills: Net::bit(),
            clocks,
            _config: config.clone(),
            _sideband: sideband,
        }
    }
}

impl Cache {
    /// Ways that hold the line, a bit each.
    fn hits(&self) -> Bits {
        let hits: Vec<Bits> = self.same_parts.iter().rev().map(|parts| parts.val().all()).collect();
        cat(&hits)
    }
}

/// Read-through, set-associative, blocking cache.
#[kernel]
impl Cache {
    fn logic(&self) {
        timing(1, 1);
        self.accept();
        self.tags();
        self.decide();
        self.lines();
        self.memory();
        self.answer();
        self.clear();
        self.count();
    }

    fn set(&self, line: Bits) -> Bits {
        line.low(self._config.cache().set_bits() as usize)
    }

    fn tag(&self, line: Bits) -> Bits {
        line.high(self._config.cache().tag_bits() as usize)
    }

    fn accept(&self) {
        /// # Accept
        let word = self.input.data.val();
        let sideband = word.low(self._sideband.width());
        let line = word.slice(self._sideband.width(), self.wanted_line.width());
        let is_repeat = word.high(1);
        let is_end = self._sideband.get(sideband, "is_end");
        let moves = self.input.valid.val() && self.ready.val();
        self.input.ready.next = self.ready.val();
        self.is_fast.next = moves && (is_end || (is_repeat && self.last_is_good.val()));
        self.is_slow.next = moves && !is_end && !(is_repeat && self.last_is_good.val());
        /// The look-up stays where it leaves from until the cache is ready for the next one.
        if self.ready.val() {
            self.wanted_line.next = line;
            self.answering_sideband.next = sideband;
        }
        self.reading.next = self.is_slow.val();
        let finishes = self.line_read.val() || self.filled.val();
        if self.is_slow.val() {
            self.busy.next = 1;
        } else if finishes {
            self.busy.next = 0;
        }
        /// Ready comes from a register: it looks ahead by one clock at what may still be running then.
        let runs = self.is_slow.val() || (self.busy.val() && !finishes);
        let clears = self.invalidate.val() || self.invalidate_pending.val() || self.clearing.val();
        self.ready.next = !runs && !clears;
    }

    fn tags(&self) {
        /// # Tags
        let wanted = self.wanted_line.val();
        let accepted_set = self.set(self.input.data.val().slice(self._sideband.width(), wanted.width()));
        let address = if self.clearing.val() { self.clear_set.val() } else { self.set(wanted) };
        let entry = cat(&[!self.clearing.val(), self.tag(wanted)]);
        let mut valids = vec![];
        for (number, way) in self.tags.iter().enumerate() {
            let fills_way = self.fills.val() && self.is_way(number);
            way.clocks.follow(&self.clocks);
            way.write_enable.next = self.clearing.val() || fills_way;
            way.write_address.next = address;
            way.write_data.next = entry;
            way.read_enable.next = self.ready.val();
            way.read_address.next = accepted_set;
            if let Some(enable) = way.output_enable.as_ref() {
                enable.next = self.reading.val();
            }
            let held = way.read_data.val();
            let is_valid = held.high(1);
            let tag = self.tag(wanted);
            let mut same = vec![is_valid];
            same.extend(same_parts(held.low(tag.width()), tag, PART_BITS));
            self.same_parts[number].next = cat(&same);
            valids.push(is_valid);
        }
        valids.reverse();
        self.compared.next = self.reading.val();
        if let Some(reg) = self.valids.as_ref() {
            reg.next = cat(&valids);
        }
        self.decided.next = self.compared.val();
    }

    fn is_way(&self, number: usize) -> Bits {
        self.way.as_ref().map_or_else(|| lit(1, 1u32), |way| way.val() == number as u64)
    }

    fn decide(&self) {
        /// # Hit or miss
        let hits = self.hits();
        self.hit.next = self.decided.val() && hits.any();
        let misses = self.decided.val() && !hits.any();
        if let (Some(replacer), Some(valids), Some(way), Some(hit_way)) =
            (self.replacer.as_ref(), self.valids.as_ref(), self.way.as_ref(), self.hit_way.as_ref())
        {
            let none = lit(way.width(), 0u32);
            let numbered =
                |number: usize| if hits.bit(number) { lit(way.width(), number as u32) } else { none };
            hit_way.next = (1..self.tags.len()).fold(none, |all, number| all | numbered(number));
            replacer.clocks.follow(&self.clocks);
            replacer.set.next =
                if self.clearing.val() { self.clear_set.val() } else { self.set(self.wanted_line.val()) };
            replacer.clear.next = self.clearing.val();
            replacer.look.next = self.compared.val();
            replacer.valids.next = valids.val();
            replacer.hit.next = self.line_read.val();
            replacer.fill.next = self.fills.val();
            replacer.way.next = way.val();
            if self.decided.val() {
                way.next = if hits.any() { hit_way.val() } else { replacer.victim.val() };
            }
        }
        if misses {
            self.read_wanted.next = 1;
        } else if self.read.ready.val() {
            self.read_wanted.next = 0;
        }
    }

    fn lines(&self) {
        /// # Lines
        let ram = &self.lines;
        let set = self.set(self.wanted_line.val());
        let place = |way: Option<Bits>| way.map_or(set, |way| cat(&[way, set]));
        let (hit_way, filled_way) =
            (self.hit_way.as_ref().map(|net| net.val()), self.way.as_ref().map(|reg| reg.val()));
        ram.clocks.follow(&self.clocks);
        ram.read_enable.next = self.decided.val();
        ram.read_address.next = place(hit_way);
        if let Some(enable) = ram.output_enable.as_ref() {
            enable.next = self.line_read.val();
        }
        self.line_read.next = self.hit.val();
        ram.write_enable.next = self.fills.val();
        ram.write_address.next = place(filled_way);
        ram.write_data.next = self.fetched.val();
        self.held_line.next = ram.read_data.val();
    }

    fn memory(&self) {
        /// # Memory
        self.read.valid.next = self.read_wanted.val();
        self.read.data.next = self.wanted_line.val();
        let line_comes = self.waiting.val() && self.line_valid.val();
        if self.read_wanted.val() && self.read.ready.val() {
            self.waiting.next = 1;
        } else if line_comes {
            self.waiting.next = 0;
        }
        self.filled.next = line_comes;
        if line_comes {
            self.fetched.next = self.line_data.val();
        }
        /// A line that could not be read is answered but not kept.
        self.fills.next = self.filled.val() && !self.failed.val();
        if line_comes {
            self.from_memory.next = 1;
            self.failed.next = self.line_error.val();
            self.last_is_good.next = !self.line_error.val();
        } else if self.line_read.val() {
            self.from_memory.next = 0;
            self.failed.next = 0;
            self.last_is_good.next = 1;
        } else if self.clearing.val() {
            self.last_is_good.next = 0;
        }
        self.fetched_line.next = self.fetched.val();
        self.is_fetched.next = self.from_memory.val();
    }

    fn answer(&self) {
        /// # Leave
        let line_comes = self.waiting.val() && self.line_valid.val();
        self.answering.next = self.is_fast.val() || self.line_read.val() || line_comes;
        self.out_valid.next = self.answering.val();
        self.sideband.next = self.answering_sideband.val();
        self.error.next = self.failed.val() && !self._sideband.get(self.answering_sideband.val(), "is_end");
    }

    fn clear(&self) {
        /// # Sweep
        /// Emptying takes a clock a set, from the moment when the look-up under way has been answered.
        let starts = self.invalidate_pending.val() && !self.busy.val() && !self.is_slow.val();
        let ends = self.clearing.val() && self.clear_set.val().all();
        if self.invalidate.val() {
            self.invalidate_pending.next = 1;
        } else if starts {
            self.invalidate_pending.next = 0;
        }
        if starts {
            self.clearing.next = 1;
        } else if ends {
            self.clearing.next = 0;
        }
        if self.clearing.val() {
            self.clear_set.next = self.clear_set.val() + 1;
        }
        self.invalidating.next = self.invalidate_pending.val() || self.clearing.val();
    }

    fn count(&self) {
        /// # Events
        let accepted = self.input.data.val();
        let is_end = self._sideband.get(accepted.low(self._sideband.width()), "is_end");
        let repeats = self.is_fast.val() && !is_end;
        let misses = self.decided.val() && !self.hits().any();
        let waits = self.read_wanted.val() || self.waiting.val();
        self.events_seen.next = cat(&[waits, misses, self.hit.val(), repeats, self.is_slow.val() || repeats]);
        self.events.next = self.events_seen.val();
    }
}
