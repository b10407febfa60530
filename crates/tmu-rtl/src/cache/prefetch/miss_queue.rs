//! `miss_queue`: from items that miss to reads of memory.
//!
//! Takes the tiles of an item one after the other, asks for as many as there is room for behind, and splits a read
//! that would cross a boundary of 4 KiB.
//!
//! Latency 5 clocks from a miss to its first read, initiation interval 2 clocks a read. One FIFO of 32 steps in block RAM.

use super::words::{LAST_READERS, LINES, MARGIN, MISS_DEPTH, PLACES, fill_layout, kind_in, miss_layout};
use crate::datapath::bundles::{Layout, line_bits};
use crate::datapath::format::tile_lines;
use crate::datapath::words::has_short_paths;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{RamStyle, SyncFifo};
use tmu_spec::Config;
use tmu_spec::tile::BANKS;

/// Bits of the number of lines of a read, less one.
pub const LENGTH_BITS: usize = 2;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct MissQueue {
    /// Clock and reset.
    pub clocks: Clocks,
    /// An item misses.
    pub misses: Net<In>,
    /// See [`miss_layout`].
    pub miss: Net<In>,
    /// The queue can take all that is under way.
    pub has_room: Net<Out>,
    /// One more tile may be asked for.
    pub may_fetch: Net<In>,
    /// A tile is asked for.
    pub asks: Net<Out>,
    /// See [`fill_layout`].
    pub fill: Net<Out>,
    /// A read goes on behind a boundary as another one.
    pub splits: Net<Out>,
    /// A read waits to be taken.
    pub sends: Net<Out>,
    /// Lines wanted from memory: the first line, and above it the number of lines less one.
    pub read: StreamOut,
    queue: SyncFifo,
    room: Reg,
    asked: Reg,
    asking: Reg,
    asking_fill: Reg,
    picked: Reg,
    picked_line: Reg,
    picked_lines: Reg,
    wanted: Reg,
    wanted_line: Reg,
    wanted_lines: Reg,
    wanted_splits: Reg,
    _config: Config,
    _miss: Layout,
    _fill: Layout,
}

impl MissQueue {
    /// For a configuration.
    pub fn new(config: &Config) -> MissQueue {
        let clocks = Clocks::new();
        let (miss, fill) = (miss_layout(config), fill_layout(config));
        MissQueue {
            misses: Net::bit(),
            miss: Net::new(miss.width()),
            has_room: Net::bit(),
            may_fetch: Net::bit(),
            asks: Net::bit(),
            fill: Net::new(fill.width()),
            splits: Net::bit(),
            sends: Net::bit(),
            read: StreamOut::new(line_bits(config) + LENGTH_BITS),
            queue: SyncFifo::with_style(MISS_DEPTH, miss.width(), RamStyle::Block)
                .with_late_level()
                .with_output_buffer(has_short_paths(config)),
            room: Reg::with_reset(&clocks, 1, 0),
            asked: Reg::with_reset(&clocks, BANKS as usize, 0),
            asking: Reg::with_reset(&clocks, 1, 0),
            asking_fill: Reg::new(&clocks, fill.width()),
            picked: Reg::with_reset(&clocks, 1, 0),
            picked_line: Reg::new(&clocks, line_bits(config)).width_named("LINE_NUMBER_BITS"),
            picked_lines: Reg::new(&clocks, LENGTH_BITS + 1),
            wanted: Reg::with_reset(&clocks, 1, 0),
            wanted_line: Reg::new(&clocks, line_bits(config)).width_named("LINE_NUMBER_BITS"),
            wanted_lines: Reg::new(&clocks, LENGTH_BITS + 1),
            wanted_splits: Reg::new(&clocks, 1),
            clocks,
            _config: config.clone(),
            _miss: miss,
            _fill: fill,
        }
    }
}

/// Reads of the tiles that are missing.
#[kernel]
impl MissQueue {
    fn logic(&self) {
        timing(5, 2);
        self.queue();
        self.choose();
        self.read();
    }

    fn queue(&self) {
        /// # Queue
        let queue = &self.queue;
        queue.clocks.follow(&self.clocks);
        queue.input.valid.next = self.misses.val();
        queue.input.data.next = self.miss.val();
        discard(queue.input.ready.val(), "no item comes when there is no room");
        let level = queue.level.val();
        self.room.next = level < lit(level.width(), MISS_DEPTH - MARGIN).named("MISSES_WITH_ROOM");
        self.has_room.next = self.room.val();
    }

    fn choose(&self) {
        /// # One tile after the other
        let word = self.queue.output.data.val();
        let field = |name: &str| self._miss.get(word, name);
        let left = field("misses") & !self.asked.val();
        let banks = left.width();
        /// The lowest bank comes first.
        let chosen: Vec<Bits> = (0..banks)
            .map(|bank| (0..bank).fold(left.bit(bank), |own, lower| own && !left.bit(lower)))
            .collect();
        let mask: Vec<Bits> = chosen.iter().rev().copied().collect();
        let is_last = !(left & !cat(&mask)).any();
        let is_upper = !left.bit(0) && !left.bit(1);
        let is_odd = if is_upper { !left.bit(2) } else { !left.bit(0) };
        let pick = |names: &[&str; 4]| {
            let upper = if is_odd { field(names[3]) } else { field(names[2]) };
            let lower = if is_odd { field(names[1]) } else { field(names[0]) };
            if is_upper { upper } else { lower }
        };
        let line = pick(&LINES);
        let kind = kind_in(&self._miss, word);
        let lines = tile_lines(&self._config, &kind);
        let is_free = !self.picked.val() || !self.wanted.val();
        let loads = self.queue.output.valid.val() && self.may_fetch.val() && is_free;
        self.queue.output.ready.next = is_last && self.may_fetch.val() && is_free;
        if loads {
            self.asked.next = if is_last { lit(banks, 0u32) } else { self.asked.val() | cat(&mask) };
            self.picked_line.next = line;
            self.picked_lines.next = lines;
        }
        if is_free {
            self.picked.next = loads;
        }
        let bank = cat(&[is_upper, is_odd]);
        self.asking.next = loads;
        self.asks.next = self.asking.val();
        self.fill.next = self.asking_fill.val();
        self.asking_fill.next = self._fill.pack(&[
            ("bank", bank),
            ("is_rgb", kind.is_rgb),
            ("is_indexed", kind.is_indexed),
            ("packing", kind.packing),
            ("is_block", kind.is_block),
            ("place", pick(&PLACES)),
            ("sequence", field("sequence")),
            ("last_reader", pick(&LAST_READERS)),
            ("line", line),
        ]);
    }

    fn read(&self) {
        /// # Read
        let line = self.wanted_line.val();
        let lines = self.wanted_lines.val();
        let to_boundary = lit(3, 4u32) - line.low(2).zero_extend(3);
        let now = if self.wanted_splits.val() { to_boundary } else { lines };
        let less_one = now - 1;
        discard(less_one.high(1), "at most four lines");
        self.sends.next = self.picked.val() || self.wanted.val();
        self.read.valid.next = self.wanted.val();
        self.read.data.next = cat(&[less_one.low(LENGTH_BITS), line]);
        let goes_on = self.read.ready.val() && self.wanted_splits.val();
        if !self.wanted.val() {
            self.wanted.next = self.picked.val();
            self.wanted_line.next = self.picked_line.val();
            self.wanted_lines.next = self.picked_lines.val();
            self.wanted_splits.next = crosses_boundary(self.picked_line.val(), self.picked_lines.val());
        } else if goes_on {
            self.wanted_line.next = cat(&[line.high(line.width() - 2) + 1, lit(2, 0u32)]);
            self.wanted_lines.next = lines - to_boundary;
            self.wanted_splits.next = 0;
        } else if self.read.ready.val() {
            self.wanted.next = 0;
        }
        self.splits.next = self.wanted.val() && goes_on;
    }
}

/// One bit: so many lines, at most four, from this one on lie on both sides of a boundary of 4 KiB, which is 256 lines.
#[kernel]
pub(super) fn crosses_boundary(line: Bits, lines: Bits) -> Bits {
    let is_end = line.slice(2, 6).all();
    let end = line.low(2).zero_extend(3) + lines.zero_extend(3);
    is_end && end > 4
}
