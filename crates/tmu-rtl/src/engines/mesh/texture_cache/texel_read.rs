//! `texel_read`: items wait here for their lines, then read their texels.
//!
//! Texels stand in four banks by the parities of their row and of their place in the line. The four taps of a footprint lie in two rows
//! and in two neighbouring places of each, so that each bank gives one of them, at any width and any base. A word has the four texels of
//! a line that have one parity; a line is written into both banks of its row at once.
//!
//! An item goes when as many lines have been written as were asked for up to it. The queue in front is as long as memory's latency. The
//! stages behind the queue move together with `filter` and `shade`: one register, at the end of `shade`, lets them all go on.
//!
//! Latency 8 clocks from an item to its texels where the queue is empty and its lines are there, initiation interval 1. Four RAMs; the
//! queue is in block RAM.

use super::words::{
    AGE_BITS, CacheShape, FILL_COUNT_BITS, ItemWord, MARGIN, PARITIES, QUEUE_DEPTH, QueueWord, RowSelect,
    SEQUENCE_BITS, item_word, queue_word,
};
use crate::engine::memory::LINE_BITS;
use crate::engines::mesh::words::{COLOR_BITS, IN_LINE_BITS, TAPS, TapsWord, taps_word};
use Stage::{Give, Issue, Sort};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{RamShape, RamSimpleDualPort, RamStyle, SyncFifo};

/// Bits of a word: the texels of a line in places of one parity.
const WORD_BITS: usize = LINE_BITS / PARITIES;
/// Bits of a texel's number in a word.
const IN_WORD_BITS: usize = IN_LINE_BITS - 1;

/// Where an item is on its way behind the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
pub enum Stage {
    /// It goes, and its words are read.
    Issue,
    /// They are in the latches of the RAMs.
    Latch,
    /// They are there, and a texel of each is chosen.
    Choose,
    /// The four texels are brought in order.
    Sort,
    /// It leaves.
    Give,
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct TexelRead {
    /// Clock and reset.
    pub clocks: Clocks,
    /// An item comes.
    pub in_valid: Net<In>,
    /// See [`QueueWord`].
    pub queue_entry: Net<In>,
    /// The queue can take all that is under way.
    pub has_room: Net<Out>,
    /// A line is written, one bit for each parity of its row.
    pub writes: Net<In>,
    /// Where.
    pub write_address: Net<In>,
    /// The line.
    pub write_data: Net<In>,
    /// Lines written.
    pub fills: Net<In>,
    /// Number of the next item to be read.
    pub next_read: Net<Out>,
    /// Number of the item read last.
    pub last_read: Net<Out>,
    /// The item whose turn it is waits for memory.
    pub stalls: Net<Out>,
    /// Texels, see [`TapsWord`].
    pub taps: StreamOut,
    queue: SyncFifo,
    room: Reg,
    head_full: Reg,
    head_ready: Reg,
    head: QueueWord<FieldReg>,
    next: Reg,
    last: Reg,
    waits: Reg,
    pipe: Pipe<Stage>,
    ram: [RamSimpleDualPort; TAPS],
    _shape: CacheShape,
}

impl TexelRead {
    /// For a cache of this size.
    pub fn new(shape: CacheShape) -> TexelRead {
        let clocks = Clocks::new();
        let word = queue_word(shape);
        let ones = (1u128 << AGE_BITS) - 1;
        let ram = RamShape::new(1 << shape.word_bits(), WORD_BITS).style(RamStyle::Block);
        let ram = || RamSimpleDualPort::new(ram.clone().output_register(true));
        let read = TexelRead {
            in_valid: Net::bit(),
            queue_entry: Net::new(word.width()),
            has_room: Net::bit(),
            writes: Net::new(PARITIES),
            write_address: Net::new(shape.word_bits()),
            write_data: Net::new(LINE_BITS),
            fills: Net::new(FILL_COUNT_BITS),
            next_read: Net::new(SEQUENCE_BITS),
            last_read: Net::new(AGE_BITS),
            stalls: Net::bit(),
            taps: StreamOut::new(taps_word().width()),
            queue: SyncFifo::with_style(QUEUE_DEPTH, word.width(), RamStyle::Block).with_late_level(),
            room: Reg::with_reset(&clocks, 1, 0),
            head_full: Reg::with_reset(&clocks, 1, 0),
            head_ready: Reg::with_reset(&clocks, 1, 0),
            head: word.registers(&clocks),
            next: Reg::with_reset(&clocks, AGE_BITS, 0),
            last: Reg::with_reset(&clocks, AGE_BITS, ones),
            waits: Reg::with_reset(&clocks, 1, 0),
            pipe: Pipe::new(),
            ram: [(); TAPS].map(|()| ram()),
            clocks,
            _shape: shape,
        };
        read.pipe.plan(&read.clocks, || read.logic());
        read
    }
}

/// Items wait for their lines, then read their texels.
#[kernel]
impl TexelRead {
    fn logic(&self) {
        timing(8, 1);
        let advance = self.taps.ready.val();
        let issues = self.head_ready.val() && advance;
        self.queue();
        self.head(issues);
        let head = self.head.val();
        let words = self.read(&head, advance);
        let pipe = self.pipe.run(&self.clocks, advance);
        let is_item = pipe.flag(Issue, "is_item", self.head_ready.val());
        let item = pipe.put(Issue, "item", item_word().pack(&head.item));
        let in_line = pipe.put(Issue, "in_line", head.rows.each_ref().map(|row| row.in_line));
        let [even, odd] = head.rows.each_ref().map(|row| row.in_line.bit(0));
        let is_odd = head.item.row_is_odd;
        let left_is_odd = [if is_odd { odd } else { even }, if is_odd { even } else { odd }];
        let left_is_odd = pipe.put(Issue, "left_is_odd", left_is_odd);
        /// # Texels
        let places = in_line.at(Stage::Choose);
        let texels = (0..TAPS).map(|bank| texel(words[bank], places[bank >> 1], bank & 1 == 1));
        let texels = pipe.put(Stage::Choose, "texel", texels.collect::<Vec<_>>());
        let taps = self.sort(&texels.at(Sort), &left_is_odd.at(Sort), item.at(Sort));
        let taps = pipe.put(Sort, "tap", taps).at(Give);
        let ItemWord { row_is_odd, fx, fy, place, opens_line, is_end } = item_word().unpack(item.at(Give));
        discard(row_is_odd, "the texels are in order");
        let texels = [taps[0], taps[1], taps[2], taps[3]];
        self.taps.valid.next = is_item.at(Give);
        self.taps.data.next = taps_word().pack(&TapsWord { texels, fx, fy, place, opens_line, is_end });
    }

    fn queue(&self) {
        /// # Queue
        let queue = &self.queue;
        queue.clocks.follow(&self.clocks);
        queue.input.valid.next = self.in_valid.val();
        queue.input.data.next = self.queue_entry.val();
        discard(queue.input.ready.val(), "no item comes when there is no room");
        self.room.next = queue.level.val() < (QUEUE_DEPTH - MARGIN) as u64;
        self.has_room.next = self.room.val();
    }

    fn head(&self, issues: Bits) {
        /// # The item whose turn it is
        let free = !self.head_full.val() || issues;
        let output = &self.queue.output;
        let next = queue_word(self._shape).unpack(output.data.val());
        output.ready.next = free;
        /// It goes when as many lines have been written as were asked for up to it; found out for both that it may
        /// be, which is faster than for one of them.
        let (next_filled, filled) = (self.is_filled(next.fills), self.is_filled(self.head.fills.val()));
        self.head_ready.next =
            if free { output.valid.val() && next_filled } else { self.head_full.val() && filled };
        if free {
            self.head_full.next = output.valid.val();
            self.head.next = next;
        }
        if issues {
            self.next.next = self.next.val() + 1;
            self.last.next = self.next.val();
        }
        self.next_read.next = self.next.val().low(SEQUENCE_BITS);
        self.last_read.next = self.last.val();
        self.waits.next = self.head_full.val() && !self.head_ready.val();
        self.stalls.next = self.waits.val();
    }

    /// One bit: so many lines are there.
    fn is_filled(&self, fills: Bits) -> Bits {
        let more = self.fills.val() - fills;
        discard(more.low(FILL_COUNT_BITS - 1), "only the sign counts");
        !more.high(1)
    }

    /// The word of each bank: by the parity of the row, and below it that of the place.
    fn read(&self, head: &QueueWord, advance: Bits) -> Vec<Bits> {
        /// # Words
        let line = self.write_data.val();
        let texel = |place: usize| line.slice(COLOR_BITS * place, COLOR_BITS);
        let mut words = vec![];
        for (bank, ram) in self.ram.iter().enumerate() {
            let (row, parity) = (bank / PARITIES, bank % PARITIES);
            let RowSelect { words: addresses, .. } = &head.rows[row];
            ram.clocks.follow(&self.clocks);
            ram.write_enable.next = self.writes.val().bit(row);
            ram.write_address.next = self.write_address.val();
            ram.write_data.next =
                stack((0..1 << IN_WORD_BITS).map(|number| texel(PARITIES * number + parity)));
            ram.read_enable.next = advance;
            ram.read_address.next = addresses[parity];
            if let Some(enable) = ram.output_enable.as_ref() {
                enable.next = advance;
            }
            words.push(ram.read_data.val());
        }
        words
    }

    /// The taps in order: each comes from the bank of its row and place. `left_is_odd` is that of the upper row and of the lower one, so that
    /// a bit of a tap is one LUT.
    fn sort(&self, texels: &[Bits], left_is_odd: &[Bits; PARITIES], item: Bits) -> Vec<Bits> {
        let row_is_odd = item_word().unpack(item).row_is_odd;
        (0..TAPS)
            .map(|tap| {
                let left_is_odd = left_is_odd[tap >> 1];
                let place_is_odd = if tap & 1 == 1 { !left_is_odd } else { left_is_odd };
                let of_row = |row: usize| if place_is_odd { texels[2 * row + 1] } else { texels[2 * row] };
                let is_odd = if tap >> 1 == 1 { !row_is_odd } else { row_is_odd };
                if is_odd { of_row(1) } else { of_row(0) }
            })
            .collect()
    }
}

/// The texel of a word that is the left tap at a place in a line, or the right one.
#[kernel]
fn texel(word: Bits, in_line: Bits, is_odd: bool) -> Bits {
    let number = in_line.high(IN_WORD_BITS);
    /// In an even place is the left tap itself, or the one behind an odd place.
    let number = if is_odd { number } else { number + in_line.bit(0).zero_extend(IN_WORD_BITS) };
    let texel = |number: usize| word.slice(COLOR_BITS * number, COLOR_BITS);
    let (odd, upper) = (number.bit(0), number.bit(1));
    let high = if odd { texel(3) } else { texel(2) };
    let low = if odd { texel(1) } else { texel(0) };
    if upper { high } else { low }
}
