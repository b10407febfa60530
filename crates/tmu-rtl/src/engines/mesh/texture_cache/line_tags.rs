//! `line_tags`: which lines the cache holds, before their texels are needed.
//!
//! A footprint lies in two rows of texels, and in each of them in a line or in two that follow each other. So lines are sorted into four
//! banks by the parities of their row and of their number in the row, and a footprint never needs two lines of a bank. Each bank has a
//! line a set. The set is the row's bits against the bits of the line's number in reverse, so that a walk along either axis visits
//! every set.
//!
//! A look-up reads the tag of its set and writes its own in the same clock: whatever stood there, it is the line's place from now on. So
//! the next item finds it settled, and no item ever waits for another. The number of the item that looked last stands beside the
//! tag: `line_fill` does not write over texels that it still waits for.
//!
//! The end of a job empties the tags, a set a clock: the texture may be another one in the next job.
//!
//! Latency: the stages of [`Stage`], initiation interval 1. Four RAMs of the bank's sets x (tag, number, valid bit).

use super::words::{
    AGE_BITS, BANKS, CacheShape, FILL_COUNT_BITS, ItemWord, LINE_PAIR_BITS, MissWord, PARITIES, QueueWord,
    ROW_PAIR_BITS, RowSelect, SEQUENCE_BITS, item_word, miss_word, queue_word,
};
use crate::engines::mesh::words::{FootprintWord, footprint_word};
use Stage::{Compare, Entry, Exit, Miss, Set};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{RamShape, RamSimpleDualPort, RamStyle};

/// Where an item is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
pub enum Stage {
    /// It comes in, and its rows are sorted by parity.
    Entry,
    /// The sets of its lines are found.
    Sort,
    /// Its tags are read and written.
    Set,
    /// They are in the RAM's latch.
    Latch,
    /// They are compared.
    Compare,
    /// Its misses are counted.
    Miss,
    /// It leaves.
    Exit,
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct LineTags {
    /// Clock and reset.
    pub clocks: Clocks,
    /// Footprints, see [`FootprintWord`].
    pub footprint: StreamIn,
    /// The queues behind can take all that is under way.
    pub has_room: Net<In>,
    /// An item misses.
    pub misses: Net<Out>,
    /// See [`MissWord`].
    pub miss: Net<Out>,
    /// An item leaves.
    pub out_valid: Net<Out>,
    /// See [`QueueWord`].
    pub queue_entry: Net<Out>,
    /// Look-ups of this clock that hit: 0 to 4.
    pub hits: Net<Out>,
    pipe: Pipe<Stage>,
    tags: [RamSimpleDualPort; BANKS],
    is_open: Reg,
    clear_pending: Reg,
    clearing: Reg,
    clear_set: Reg,
    number: Reg,
    fill_count: Reg,
    hit_banks: Reg,
    hit_count: Reg,
    _shape: CacheShape,
}

impl LineTags {
    /// The tags of a cache of this size.
    pub fn new(shape: CacheShape) -> LineTags {
        let clocks = Clocks::new();
        let ram = RamShape::new(shape.sets(), shape.tag_bits() + AGE_BITS + 1).style(RamStyle::Block);
        let ram = || RamSimpleDualPort::new(ram.clone().output_register(true));
        let tags = LineTags {
            footprint: StreamIn::new(footprint_word().width()),
            has_room: Net::bit(),
            misses: Net::bit(),
            miss: Net::new(miss_word(shape).width()),
            out_valid: Net::bit(),
            queue_entry: Net::new(queue_word(shape).width()),
            hits: Net::new(3),
            pipe: Pipe::new(),
            tags: [(); BANKS].map(|()| ram()),
            is_open: Reg::with_reset(&clocks, 1, 0),
            clear_pending: Reg::with_reset(&clocks, 1, 1),
            clearing: Reg::with_reset(&clocks, 1, 0),
            clear_set: Reg::with_reset(&clocks, shape.set_bits, 0),
            number: Reg::with_reset(&clocks, AGE_BITS, 0),
            fill_count: Reg::with_reset(&clocks, FILL_COUNT_BITS, 0),
            hit_banks: Reg::with_reset(&clocks, BANKS, 0),
            hit_count: Reg::with_reset(&clocks, 3, 0),
            clocks,
            _shape: shape,
        };
        tags.pipe.plan(&tags.clocks, || tags.logic());
        tags
    }
}

/// What a bank looks up.
#[derive(Clone, Debug, Record)]
struct LookUp<T = Bits> {
    /// Where the line is.
    set: T,
    /// What tells it apart from others there.
    tag: T,
}

/// A row of taps, sorted by the parity of the row.
#[derive(Clone, Debug, Record)]
struct SortedRow<T = Bits> {
    /// The row without its parity.
    pair: T,
    /// Number of the line with the left tap.
    line_number: T,
    /// Place of the left tap in its line.
    in_line: T,
    /// The item needs the line with the left tap.
    needed: T,
    /// It needs the next one, too.
    next_needed: T,
}

/// Four banks of tags, looked up ahead of the texels.
#[kernel]
impl LineTags {
    fn logic(&self) {
        let pipe = self.pipe.run(&self.clocks, lit(1, 1u32));
        pipe.timing();
        /// # Items
        let footprint = footprint_word().unpack(self.footprint.data.val());
        self.footprint.ready.next = self.is_open.val();
        let accepted = self.footprint.valid.val() && self.is_open.val();
        self.clear(accepted && footprint.is_end);
        let is_item = pipe.flag(Entry, "is_item", accepted);
        let rows = self.sort(&footprint);
        let rows = pipe.put(Entry, "row", rows);
        let sorted = rows.at(Stage::Sort);
        let is_taken = is_item.at(Stage::Sort);
        let look_ups: Vec<LookUp> = (0..BANKS).map(|bank| self.look_up(bank, &sorted[bank >> 1])).collect();
        let look_ups = pipe.put(Stage::Sort, "look_up", look_ups);
        let needed: Vec<Bits> =
            (0..BANKS).map(|bank| is_taken && is_needed(bank, &sorted[bank >> 1])).collect();
        let needed = pipe.flag(Stage::Sort, "needed", needed);
        if is_item.at(Set) {
            self.number.next = self.number.val() + 1;
        }
        let sweeps = pipe.flag(Stage::Sort, "sweeps", self.clearing.val()).at(Set);
        let entries = self.exchange(&look_ups.at(Set), &needed.at(Set), sweeps);
        /// # Misses
        let (wanted, needed) = (look_ups.at(Compare), needed.at(Compare));
        let found = |bank: usize| {
            let entry = entries[bank];
            entry.high(1) && entry.low(wanted[bank].tag.width()) == wanted[bank].tag
        };
        let missed: Vec<Bits> = (0..BANKS).map(|bank| needed[bank] && !found(bank)).collect();
        let hits: Vec<Bits> = (0..BANKS).map(|bank| needed[bank] && found(bank)).collect();
        self.hit_banks.next = stack(hits);
        self.hit_count.next = self.hit_banks.val().count_ones();
        self.hits.next = self.hit_count.val();
        let readers: Vec<Bits> =
            entries.iter().map(|entry| entry.slice(self._shape.tag_bits(), AGE_BITS)).collect();
        let missed = pipe.flag(Compare, "missed", stack(missed));
        let readers = pipe.put(Compare, "last_reader", readers);
        let number = pipe.put(Set, "number", self.number.val().low(SEQUENCE_BITS));
        let row_is_odd = pipe.put(Entry, "row_is_odd", footprint.rows[0].row.bit(0));
        let line_is_odd = footprint.rows.each_ref().map(|row| row.line_number.bit(0));
        let line_is_odd = pipe.put(Entry, "line_is_odd", line_is_odd);
        let lines = pipe.put(Entry, "line", footprint.rows.each_ref().map(|row| row.line));
        let sets = |look_ups: Vec<LookUp>| [0, 1, 2, 3].map(|bank| look_ups[bank].set);
        let last_readers = readers.at(Miss);
        self.misses.next = missed.at(Miss).any();
        self.miss.next = miss_word(self._shape).pack(&MissWord {
            misses: missed.at(Miss),
            lines: lines.at(Miss),
            line_is_odd: line_is_odd.at(Miss),
            row_is_odd: row_is_odd.at(Miss),
            sets: sets(look_ups.at(Miss)),
            last_readers: [0, 1, 2, 3].map(|bank| last_readers[bank]),
            sequence: number.at(Miss),
        });
        let count = missed.at(Miss).count_ones();
        self.fill_count.next = self.fill_count.val() + count.zero_extend(FILL_COUNT_BITS);
        /// # Words to read
        let places = sets(look_ups.at(Miss));
        let sorted = rows.at(Miss);
        let selects: Vec<RowSelect> =
            (0..PARITIES).map(|row| row_select(&sorted[row], places[2 * row], places[2 * row + 1])).collect();
        let selects = pipe.put(Miss, "select", selects).at(Exit);
        let item = ItemWord {
            row_is_odd: footprint.rows[0].row.bit(0),
            fx: footprint.fx,
            fy: footprint.fy,
            place: footprint.place,
            opens_line: footprint.opens_line,
            is_end: footprint.is_end,
        };
        let item = pipe.put(Entry, "item", item_word().pack(&item));
        self.out_valid.next = is_item.at(Exit);
        self.queue_entry.next = queue_word(self._shape).pack(&QueueWord {
            fills: self.fill_count.val(),
            item: item_word().unpack(item.at(Exit)),
            rows: [selects[0].clone(), selects[1].clone()],
        });
    }

    /// The even and the odd row of a footprint.
    fn sort(&self, footprint: &FootprintWord) -> Vec<SortedRow> {
        /// # Rows by parity
        let [upper, lower] = &footprint.rows;
        let is_pixel = !footprint.is_end;
        let has_right = footprint.fx.any();
        let taps = |row: &crate::engines::mesh::words::TapRow, needed: Bits| SortedRow {
            pair: row.row.high(ROW_PAIR_BITS),
            line_number: row.line_number,
            in_line: row.in_line,
            needed,
            next_needed: needed && has_right && row.in_line.all(),
        };
        let (upper, lower) = (taps(upper, is_pixel), taps(lower, is_pixel && footprint.fy.any()));
        discard(footprint.rows[1].row.bit(0), "the lower row has the other parity");
        let is_odd = footprint.rows[0].row.bit(0);
        let even = if is_odd { lower.clone() } else { upper.clone() };
        let odd = if is_odd { upper } else { lower };
        vec![even, odd]
    }

    /// What a bank looks up for a row; while the tags are emptied, every set in turn.
    fn look_up(&self, bank: usize, row: &SortedRow) -> LookUp {
        /// # Sets
        let set_bits = self._shape.set_bits;
        let is_odd = row.line_number.bit(0);
        let pair = row.line_number.high(LINE_PAIR_BITS);
        /// In an odd bank the line of the left tap or the next one, both have one number there; in an even one the next one where
        /// the left tap's is odd.
        let line = if bank & 1 == 1 { pair } else { pair + is_odd.zero_extend(LINE_PAIR_BITS) };
        let bit = |number: usize| {
            let own = (number < ROW_PAIR_BITS).then(|| row.pair.bit(number));
            let reversed = set_bits - 1 - number;
            let line = (reversed < LINE_PAIR_BITS).then(|| line.bit(reversed));
            let both = own.into_iter().chain(line).reduce(|one, other| one ^ other);
            both.unwrap_or_else(|| lit(1, 0u32))
        };
        let clearing = self.clearing.val();
        let set = stack((0..set_bits).map(bit));
        let rest = ROW_PAIR_BITS.saturating_sub(set_bits);
        LookUp {
            set: if clearing { self.clear_set.val() } else { set },
            tag: if rest > 0 { cat(&[row.pair.high(rest), line]) } else { line },
        }
    }

    /// Reads the tags of a clock's sets, and writes its own.
    fn exchange(&self, look_ups: &[LookUp], needed: &[Bits], sweeps: Bits) -> Vec<Bits> {
        /// # Tags
        let mut entries = vec![];
        for ((ram, look_up), needed) in self.tags.iter().zip(look_ups).zip(needed) {
            ram.clocks.follow(&self.clocks);
            ram.write_enable.next = *needed || sweeps;
            ram.write_address.next = look_up.set;
            ram.write_data.next = cat(&[!sweeps, self.number.val(), look_up.tag]);
            ram.read_enable.next = 1;
            ram.read_address.next = look_up.set;
            if let Some(enable) = ram.output_enable.as_ref() {
                enable.next = 1;
            }
            entries.push(ram.read_data.val());
        }
        entries
    }

    fn clear(&self, ends: Bits) {
        /// # Sweep
        let is_last = self.clearing.val() && self.clear_set.val().all();
        let waits = ends || (self.clear_pending.val() && !is_last);
        self.clear_pending.next = waits;
        self.is_open.next = self.has_room.val() && !waits;
        /// One clock behind the last item: then none comes any more.
        self.clearing.next = self.clear_pending.val() && !is_last;
        if self.clearing.val() {
            self.clear_set.next = self.clear_set.val() + 1;
        }
    }
}

/// One bit: a bank has a line that a row of taps needs.
#[kernel]
fn is_needed(bank: usize, row: &SortedRow) -> Bits {
    let has_first = if bank & 1 == 1 { row.line_number.bit(0) } else { !row.line_number.bit(0) };
    if has_first { row.needed } else { row.next_needed }
}

/// Where the two taps of a row are: of those in even places, and of those in odd places.
#[kernel]
fn row_select(row: &SortedRow, even_set: Bits, odd_set: Bits) -> RowSelect {
    discard(row.line_number.high(LINE_PAIR_BITS), "the sets follow from it");
    let is_odd = row.line_number.bit(0);
    let word = |is_odd: Bits| cat(&[is_odd, if is_odd { odd_set } else { even_set }]);
    // Only the tap behind the last place of a line lies in the next one, in its first place.
    RowSelect { words: [word(is_odd ^ row.in_line.all()), word(is_odd)], in_line: row.in_line }
}
