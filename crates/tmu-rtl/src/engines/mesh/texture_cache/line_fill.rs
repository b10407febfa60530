//! `line_fill`: from lines that memory answers to their places.
//!
//! Lines come in the order in which they were asked for and are written as soon as no item waits for the texels that they replace: the
//! last item that looked into the set has been read, or it is the turn of the item that asked.
//!
//! Each answer has one line, with RLAST. Where it has not, or a line comes that nobody asked for, all lines that have been asked for
//! fail, as if they had come and could not be read. What memory still gives is dropped, and nothing more is asked for until all has
//! come and it has been quiet for a while; see [`memory_port`](crate::system::memory_port). Lines that fail are written as they are: the
//! job's pixels do not count any more.
//!
//! Latency 5 clocks from a line to its place, initiation interval 1. Two FIFOs in block RAM: lines, and where they go.

use super::words::{
    AGE_BITS, CacheShape, FILL_COUNT_BITS, FillWord, MOST_LINES, PARITIES, SEQUENCE_BITS, fill_word,
};
use crate::engine::memory::{FAULT_BITS, LINE_BITS, QUIET_BITS};
use crate::engines::mesh::words::{FaultWord, LINE_ADDRESS_BITS, RESPONSE_BITS, fault_word};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{RamStyle, SyncFifo};

/// Reads that may begin between the count that leaves no room and its effect.
const LAG: usize = 4;
/// The response of a fault that stands for an answer of the wrong length.
const WRONG_LENGTH: u32 = 1;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct LineFill {
    /// Clock and reset.
    pub clocks: Clocks,
    /// A job starts: the next fault is its first.
    pub start: Net<In>,
    /// A line is asked for.
    pub asks: Net<In>,
    /// See [`FillWord`].
    pub fill: Net<In>,
    /// One more line may be asked for.
    pub may_fetch: Net<Out>,
    /// A line comes.
    pub line_valid: Net<In>,
    /// The line.
    pub line_data: Net<In>,
    /// Its response.
    pub line_response: Net<In>,
    /// It is the last one of its read, as memory says.
    pub line_last: Net<In>,
    /// A line came that was not asked for.
    pub unexpected: Net<In>,
    /// Lines are to come.
    pub outstanding: Net<In>,
    /// A read waits to be asked for.
    pub sends: Net<In>,
    /// Number of the next item to be read.
    pub next_read: Net<In>,
    /// Number of the item read last.
    pub last_read: Net<In>,
    /// A line is written, one bit for each parity of its row.
    pub writes: Net<Out>,
    /// Where: the parity of its number above its set.
    pub write_address: Net<Out>,
    /// The line.
    pub write_data: Net<Out>,
    /// Lines written, modulo its width.
    pub fills: Net<Out>,
    /// A line could not be read: bit 0 with SLVERR, bit 1 with DECERR, bit 2 for an answer of the wrong length.
    pub port_fault: Net<Out>,
    /// Which line.
    pub port_fault_line: Net<Out>,
    /// The first of a job, see [`FaultWord`].
    pub fault: FaultWord<Field<Out>>,
    lines: SyncFifo,
    places: SyncFifo,
    pending: Reg,
    room: Reg,
    current_full: Reg,
    current: FillWord<FieldReg>,
    /// Why the line that comes, and the one that stays, may be replaced: see `reasons`.
    next_safe: Reg,
    same_safe: Reg,
    changed: Reg,
    taken: Reg,
    taken_line: Reg,
    taken_response: Reg,
    taken_ends: Reg,
    taken_place: FillWord<FieldReg>,
    failing: Reg,
    quiet: Reg,
    done: Reg,
    fault_seen: Reg,
    /// Any bit of it, found out a clock before, which is faster.
    happens: Reg,
    fault_line_seen: Reg,
    has_failed: Reg,
    takes: Net<Local>,
    is_wrong: Net<Local>,
    _shape: CacheShape,
}

impl LineFill {
    /// For a cache of this size.
    pub fn new(shape: CacheShape) -> LineFill {
        let clocks = Clocks::new();
        let word = fill_word(shape);
        let flag = || Reg::with_reset(&clocks, 1, 0);
        let fifo = |width: usize| SyncFifo::with_style(MOST_LINES, width, RamStyle::Block).with_late_level();
        LineFill {
            start: Net::bit(),
            asks: Net::bit(),
            fill: Net::new(word.width()),
            may_fetch: Net::bit(),
            line_valid: Net::bit(),
            line_data: Net::new(LINE_BITS),
            line_response: Net::new(RESPONSE_BITS),
            line_last: Net::bit(),
            unexpected: Net::bit(),
            outstanding: Net::bit(),
            sends: Net::bit(),
            next_read: Net::new(SEQUENCE_BITS),
            last_read: Net::new(AGE_BITS),
            writes: Net::new(PARITIES),
            write_address: Net::new(shape.word_bits()),
            write_data: Net::new(LINE_BITS),
            fills: Net::new(FILL_COUNT_BITS),
            port_fault: Net::new(FAULT_BITS),
            port_fault_line: Net::new(LINE_ADDRESS_BITS),
            fault: fault_word().nets(),
            lines: fifo(LINE_BITS + RESPONSE_BITS + 1),
            places: fifo(word.width()),
            pending: Reg::with_reset(&clocks, MOST_LINES.ilog2() as usize + 1, 0),
            room: flag(),
            current_full: flag(),
            current: word.registers(&clocks),
            next_safe: Reg::with_reset(&clocks, 2, 0),
            same_safe: Reg::with_reset(&clocks, 2, 0),
            changed: flag(),
            taken: flag(),
            taken_line: Reg::new(&clocks, LINE_BITS),
            taken_response: Reg::new(&clocks, RESPONSE_BITS),
            taken_ends: Reg::new(&clocks, 1),
            taken_place: taken_shape(shape).registers(&clocks),
            failing: flag(),
            quiet: Reg::with_reset(&clocks, QUIET_BITS, 0),
            done: Reg::with_reset(&clocks, FILL_COUNT_BITS, 0),
            fault_seen: Reg::with_reset(&clocks, FAULT_BITS, 0),
            happens: flag(),
            fault_line_seen: Reg::new(&clocks, LINE_ADDRESS_BITS),
            has_failed: flag(),
            takes: Net::bit(),
            is_wrong: Net::bit(),
            clocks,
            _shape: shape,
        }
    }
}

/// What stays of a line's place when it has been taken.
fn taken_shape(shape: CacheShape) -> FillWord<Width> {
    let word = fill_word(shape);
    FillWord { last_reader: word.last_reader.when(false), sequence: word.sequence.when(false), ..word }
}

/// Lines from memory to their places.
#[kernel]
impl LineFill {
    fn logic(&self) {
        timing(5, 1);
        self.queues();
        self.turn();
        self.take();
        self.lengths();
        self.place();
        self.faults();
    }

    fn queues(&self) {
        /// # Queues
        let (lines, places) = (&self.lines, &self.places);
        lines.clocks.follow(&self.clocks);
        lines.input.valid.next = self.line_valid.val();
        lines.input.data.next = cat(&[self.line_last.val(), self.line_response.val(), self.line_data.val()]);
        discard(lines.input.ready.val(), "no more lines are asked for than there is room for");
        discard(lines.level.val(), "as above");
        places.clocks.follow(&self.clocks);
        places.input.valid.next = self.asks.val();
        places.input.data.next = self.fill.val();
        discard(places.input.ready.val(), "as above");
        discard(places.level.val(), "as above");
        let width = self.pending.width();
        let (begins, ends) = (self.asks.val(), self.taken.val());
        let change = cat(&[(ends && !begins).repeat(width - 1), begins ^ ends]);
        self.pending.next = self.pending.val() + change;
        let most = lit(width, MOST_LINES - LAG).named("LINES_WITH_ROOM");
        self.room.next = self.pending.val() < most && !self.failing.val();
        self.may_fetch.next = self.room.val();
    }

    fn turn(&self) {
        /// # The line whose turn it is
        let free = !self.current_full.val() || self.takes.val();
        let next = fill_word(self._shape).unpack(self.places.output.data.val());
        let comes = self.places.output.valid.val();
        self.places.output.ready.next = free;
        /// Whether the texels that it replaces have been read; found out for both that may be the current one, and chosen
        /// a clock later, which is faster.
        self.next_safe.next = self.reasons(&next) & comes.repeat(2);
        self.same_safe.next = self.reasons(&self.current.val());
        self.changed.next = free;
        if free {
            self.current_full.next = comes;
            self.current.next = next;
        }
    }

    /// Two bits, of which one is enough: no item waits for the texels that the line replaces.
    fn reasons(&self, place: &FillWord) -> Bits {
        let since = self.last_read.val() - place.last_reader;
        discard(since.low(SEQUENCE_BITS), "how long it waits does not matter");
        // An item that waits is less than a queue behind the one read last.
        let waits = since.high(AGE_BITS - SEQUENCE_BITS).all();
        cat(&[!waits, place.sequence == self.next_read.val()])
    }

    fn take(&self) {
        /// # Lines
        let is_safe = if self.changed.val() { self.next_safe.val() } else { self.same_safe.val() }.any();
        let output = &self.lines.output;
        /// Lines that fail wait for nothing to come; what comes is dropped.
        let failing = self.failing.val();
        let has_line = if failing { self.current_full.val() } else { output.valid.val() };
        output.ready.next = is_safe || failing;
        self.takes.next = has_line && is_safe;
        let word = output.data.val();
        self.taken.next = self.takes.val();
        self.taken_line.next = word.low(LINE_BITS);
        self.taken_response.next = word.slice(LINE_BITS, RESPONSE_BITS);
        self.taken_ends.next = word.high(1);
        let FillWord { row_is_odd, line_is_odd, set, line, .. } = self.current.val();
        let none = taken_shape(self._shape);
        self.taken_place.next = FillWord {
            row_is_odd,
            line_is_odd,
            set,
            line,
            last_reader: lit(none.last_reader.value_bits(), 0u32),
            sequence: lit(none.sequence.value_bits(), 0u32),
        };
    }

    fn lengths(&self) {
        /// # Answers of the wrong length
        let failing = self.failing.val();
        self.is_wrong.next = self.taken.val() && !failing && !self.taken_ends.val();
        let is_quiet = self.quiet.val().all();
        if self.is_wrong.val() || self.unexpected.val() {
            self.failing.next = 1;
        } else if is_quiet && !self.pending.val().any() {
            self.failing.next = 0;
        }
        let line_comes = self.line_valid.val() || self.unexpected.val();
        if !failing || line_comes || self.outstanding.val() || self.sends.val() {
            self.quiet.next = 0;
        } else if !is_quiet {
            self.quiet.next = self.quiet.val() + 1;
        }
    }

    fn place(&self) {
        /// # Place
        let place = self.taken_place.val();
        let taken = self.taken.val();
        self.writes.next = cat(&[taken && place.row_is_odd, taken && !place.row_is_odd]);
        self.write_address.next = cat(&[place.line_is_odd, place.set]);
        self.write_data.next = self.taken_line.val();
        if taken {
            self.done.next = self.done.val() + 1;
        }
        self.fills.next = self.done.val();
    }

    fn faults(&self) {
        /// # Faults
        let response = self.taken_response.val();
        let failing = self.failing.val();
        let fails = self.taken.val() && !failing && response.bit(1);
        let is_length = self.is_wrong.val() || (self.taken.val() && failing) || self.unexpected.val();
        self.fault_seen.next = cat(&[is_length, fails && response.bit(0), fails && !response.bit(0)]);
        self.fault_line_seen.next = self.taken_place.line.val();
        let (seen, line) = (self.fault_seen.val(), self.fault_line_seen.val());
        self.port_fault.next = seen;
        self.port_fault_line.next = line;
        /// The first one of a job.
        self.happens.next = is_length || fails;
        let happens = self.happens.val();
        if self.start.val() {
            self.has_failed.next = 0;
        } else if happens {
            self.has_failed.next = 1;
        }
        let length = lit(RESPONSE_BITS, WRONG_LENGTH);
        self.fault.next = FaultWord {
            happened: happens && !self.has_failed.val(),
            response: if seen.bit(2) { length } else { cat(&[lit(1, 1u32), seen.bit(1)]) },
            line,
        };
    }
}
