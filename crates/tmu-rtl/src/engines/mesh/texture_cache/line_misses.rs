//! `line_misses`: from items that miss to reads of memory.
//!
//! Asks for the lines that an item lacks one after the other, each by a read of its own, as soon as there is room for it behind. They lie
//! anywhere: in a walk along a column of texels no two of them are neighbours.
//!
//! Latency 5 clocks from a miss to its first read, initiation interval a clock a line. One FIFO of 32 steps in block RAM. The memory
//! port's `ready` comes from a register.

use super::words::{BANKS, CacheShape, FillWord, MARGIN, MISS_DEPTH, MissWord, fill_word, miss_word};
use crate::engines::mesh::words::LINE_ADDRESS_BITS;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{RamStyle, SyncFifo};

/// Bits of the number of lines of a read, less one: it is 0.
pub const LENGTH_BITS: usize = 1;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct LineMisses {
    /// Clock and reset.
    pub clocks: Clocks,
    /// An item misses.
    pub misses: Net<In>,
    /// See [`MissWord`].
    pub miss: Net<In>,
    /// The queue can take all that is under way.
    pub has_room: Net<Out>,
    /// One more line may be asked for.
    pub may_fetch: Net<In>,
    /// A line is asked for.
    pub asks: Net<Out>,
    /// See [`FillWord`].
    pub fill: Net<Out>,
    /// A read waits to be taken.
    pub sends: Net<Out>,
    /// Lines wanted from memory: the line, and above it their number less one, which is 0.
    pub read: StreamOut,
    queue: SyncFifo,
    room: Reg,
    head_full: Reg,
    head: MissWord<FieldReg>,
    left: Reg,
    /// One is left.
    is_last: Reg,
    asking: Reg,
    asking_fill: FillWord<FieldReg>,
    wanted: Reg,
    wanted_line: Reg,
    wanted_next: Reg,
    _shape: CacheShape,
}

impl LineMisses {
    /// For a cache of this size.
    pub fn new(shape: CacheShape) -> LineMisses {
        let clocks = Clocks::new();
        let (miss_bits, fill_bits) = (miss_word(shape).width(), fill_word(shape).width());
        LineMisses {
            misses: Net::bit(),
            miss: Net::new(miss_bits),
            has_room: Net::bit(),
            may_fetch: Net::bit(),
            asks: Net::bit(),
            fill: Net::new(fill_bits),
            sends: Net::bit(),
            read: StreamOut::new(LINE_ADDRESS_BITS + LENGTH_BITS),
            queue: SyncFifo::with_style(MISS_DEPTH, miss_bits, RamStyle::Block).with_late_level(),
            room: Reg::with_reset(&clocks, 1, 0),
            head_full: Reg::with_reset(&clocks, 1, 0),
            head: head_shape(shape).registers(&clocks),
            left: Reg::with_reset(&clocks, BANKS, 0),
            is_last: Reg::new(&clocks, 1),
            asking: Reg::with_reset(&clocks, 1, 0),
            asking_fill: asking_shape(shape).registers(&clocks),
            wanted: Reg::with_reset(&clocks, 1, 0),
            wanted_line: Reg::new(&clocks, LINE_ADDRESS_BITS),
            wanted_next: Reg::new(&clocks, 1),
            clocks,
            _shape: shape,
        }
    }
}

/// The item whose lines are asked for; those that are left stand beside it.
fn head_shape(shape: CacheShape) -> MissWord<Width> {
    let word = miss_word(shape);
    MissWord { misses: word.misses.when(false), ..word }
}

/// What goes to `line_fill` beside the line, which is that of the read.
fn asking_shape(shape: CacheShape) -> FillWord<Width> {
    let word = fill_word(shape);
    FillWord { line: word.line.when(false), ..word }
}

/// Reads of the lines that are missing.
#[kernel]
impl LineMisses {
    fn logic(&self) {
        timing(5, 1);
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
        /// # One line after the other
        let (word, left) = (self.head.val(), self.left.val());
        /// The lowest bank comes first.
        let chosen: Vec<Bits> = (0..BANKS)
            .map(|bank| (0..bank).fold(left.bit(bank), |own, lower| own && !left.bit(lower)))
            .collect();
        let chosen = stack(chosen);
        let row_is_odd = !left.bit(0) && !left.bit(1);
        let line_is_odd = if row_is_odd { !left.bit(2) } else { !left.bit(0) };
        let pick = |banks: &[Bits; BANKS]| {
            let odd = if line_is_odd { banks[3] } else { banks[2] };
            let even = if line_is_odd { banks[1] } else { banks[0] };
            if row_is_odd { odd } else { even }
        };
        /// The line of the left tap, or the next one, which has the other parity. It is counted up a clock later, which is faster.
        let is_lower = row_is_odd ^ word.row_is_odd;
        let first = if is_lower { word.lines[1] } else { word.lines[0] };
        let first_is_odd = if is_lower { word.line_is_odd[1] } else { word.line_is_odd[0] };
        let is_next = line_is_odd ^ first_is_odd;
        let is_free = !self.wanted.val() || self.read.ready.val();
        let goes = self.may_fetch.val() && is_free;
        let loads = self.head_full.val() && goes;
        let next = miss_word(self._shape).unpack(self.queue.output.data.val());
        let takes = !self.head_full.val() || (goes && self.is_last.val());
        self.queue.output.ready.next = takes;
        if takes {
            self.head_full.next = self.queue.output.valid.val();
            self.left.next = next.misses;
            self.is_last.next = next.misses.count_ones() == 1;
            self.head.next = next;
        } else if loads {
            self.left.next = left & !chosen;
            self.is_last.next = left.count_ones() == 2;
        }
        if is_free {
            self.wanted.next = loads;
            self.wanted_line.next = first;
            self.wanted_next.next = is_next;
        }
        self.asking.next = loads;
        self.asking_fill.next = FillWord {
            row_is_odd,
            line_is_odd,
            set: pick(&word.sets),
            line: lit(LINE_ADDRESS_BITS, 0u32),
            last_reader: pick(&word.last_readers),
            sequence: word.sequence,
        };
    }

    fn read(&self) {
        /// # Read
        self.sends.next = self.wanted.val();
        self.read.valid.next = self.wanted.val();
        let line = self.wanted_line.val() + self.wanted_next.val().zero_extend(LINE_ADDRESS_BITS);
        self.read.data.next = cat(&[lit(LENGTH_BITS, 0u32), line]);
        /// What is asked for goes to `line_fill` in its first clock here, whether memory takes it or not.
        self.asks.next = self.asking.val();
        self.fill.next = fill_word(self._shape).pack(&FillWord { line, ..self.asking_fill.val() });
    }
}
