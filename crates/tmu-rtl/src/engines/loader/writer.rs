//! `writer`: from lines of a level to bursts of writes, and when all of them are written.
//!
//! A texture is written from its first line to its last one, level after level, so that a line's place is a count. A burst has up to
//! [`BURST_LINES`], ends in front of 4 KiB and with the level, and is asked for when all of its lines are there. `finished` is high for a clock
//! when the end of a level has come and all writes have been answered. While `stops` is high lines are dropped; what has been asked for is
//! written.
//!
//! `has_room` is high only while there is room for all that may be under way in front. FIFOs: 128 lines in block RAM, 32 bursts, and 32 that
//! are not answered.

use super::words::{FaultWord, LINE_ADDRESS_BITS, RESPONSE_BITS, fault_word};
use crate::engine::memory::{LINE_BITS, LINE_BYTES, WriteShape};
use crate::system::write_port::STROBED_BITS;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{RamStyle, SyncFifo};

/// Lines of a burst, at most.
pub const BURST_LINES: usize = 1 << LENGTH_BITS;
/// Bits of the number of lines of a burst, less one.
const LENGTH_BITS: usize = 4;
/// Bits of a line's place between two boundaries of 4 KiB.
const PAGE_BITS: usize = 8;
/// Lines that may wait to be written.
const LINES: usize = 128;
/// Lines that may be under way when there is no more room: one a stage in front.
const MARGIN: usize = 48;
/// Bursts that may wait to be asked for.
const BURSTS: usize = 128;
/// Writes that may be without an answer.
const MOST_WRITES: usize = 32;
/// Bits of the number of bursts that are not answered, wherever they are.
const OPEN_BITS: usize = (BURSTS + 2 * MOST_WRITES).ilog2() as usize + 1;

/// What the channel asks for.
#[must_use]
pub const fn write_shape() -> WriteShape {
    WriteShape { length_bits: LENGTH_BITS, most_writes: MOST_WRITES }
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Writer {
    /// Clock and reset.
    pub clocks: Clocks,
    /// The first level of a job starts.
    pub start: Net<In>,
    /// The first line of its texture.
    pub texture: Net<In>,
    /// Lines are dropped.
    pub stops: Net<In>,
    /// A line comes.
    pub line_valid: Net<In>,
    /// The line.
    pub line_data: Net<In>,
    /// It is the last one of the level.
    pub line_ends: Net<In>,
    /// There is room for what may come.
    pub has_room: Net<Out>,
    /// The line behind the last one that came.
    pub next_line: Net<Out>,
    /// Lines to be written: the first, and above it their number less one.
    pub write: StreamOut,
    /// The lines, with a strobe for each byte above them.
    pub line: StreamOut,
    /// A write has been answered.
    pub write_done: Net<In>,
    /// Its response.
    pub write_response: Net<In>,
    /// The level is written.
    pub finished: Net<Out>,
    /// All writes have been answered.
    pub is_written: Net<Out>,
    /// A write has failed.
    pub fault: FaultWord<Field<Out>>,
    room: Reg,
    next: Reg,
    /// A line that has come: the line, its place, whether it is the last one in front of 4 KiB, and of the level.
    came: Reg,
    came_data: Reg,
    came_line: Reg,
    came_at_page_end: Reg,
    came_last: Reg,
    first: Reg,
    length: Reg,
    /// One line more makes the burst a whole one.
    is_full: Reg,
    has_ended: Reg,
    open: Reg,
    lines: SyncFifo,
    bursts: SyncFifo,
    asked: SyncFifo,
    finished_seen: Reg,
    written: Reg,
    fails: Reg,
    failed_response: Reg,
    failed_line: Reg,
}

impl Writer {
    /// The stage, for a memory port in which a line's number has so many bits.
    #[must_use]
    pub fn new(line_bits: usize) -> Writer {
        let clocks = Clocks::new();
        let flag = || Reg::with_reset(&clocks, 1, 0);
        Writer {
            start: Net::bit(),
            texture: Net::new(LINE_ADDRESS_BITS),
            stops: Net::bit(),
            line_valid: Net::bit(),
            line_data: Net::new(LINE_BITS),
            line_ends: Net::bit(),
            has_room: Net::bit(),
            next_line: Net::new(LINE_ADDRESS_BITS),
            write: StreamOut::new(line_bits + LENGTH_BITS),
            line: StreamOut::new(STROBED_BITS),
            write_done: Net::bit(),
            write_response: Net::new(RESPONSE_BITS),
            finished: Net::bit(),
            is_written: Net::bit(),
            fault: fault_word().nets(),
            room: flag(),
            next: Reg::new(&clocks, LINE_ADDRESS_BITS),
            came: flag(),
            came_data: Reg::new(&clocks, LINE_BITS),
            came_line: Reg::new(&clocks, LINE_ADDRESS_BITS),
            came_at_page_end: Reg::new(&clocks, 1),
            came_last: Reg::new(&clocks, 1),
            first: Reg::new(&clocks, LINE_ADDRESS_BITS),
            length: Reg::with_reset(&clocks, LENGTH_BITS, 0),
            is_full: flag(),
            has_ended: flag(),
            open: Reg::with_reset(&clocks, OPEN_BITS, 0),
            lines: SyncFifo::with_style(LINES, LINE_BITS, RamStyle::Block),
            bursts: SyncFifo::with_style(BURSTS, LENGTH_BITS + LINE_ADDRESS_BITS, RamStyle::Block),
            asked: SyncFifo::new(MOST_WRITES, LINE_ADDRESS_BITS),
            finished_seen: flag(),
            written: flag(),
            fails: flag(),
            failed_response: Reg::new(&clocks, RESPONSE_BITS),
            failed_line: Reg::new(&clocks, LINE_ADDRESS_BITS),
            clocks,
        }
    }
}

/// Lines to bursts.
#[kernel]
impl Writer {
    fn module_name(&self) -> String {
        "loader_writer".into()
    }

    fn logic(&self) {
        self.combine();
        self.give();
        self.finish();
        self.faults();
    }

    /// One bit: a line has come.
    fn comes(&self) -> Bits {
        self.came.val()
    }

    /// One bit: it is the last one of its burst.
    fn closes(&self) -> Bits {
        self.came.val() && (self.is_full.val() || self.came_at_page_end.val() || self.came_last.val())
    }

    fn combine(&self) {
        /// # Lines
        let comes = self.line_valid.val() && !self.stops.val();
        if self.start.val() {
            self.next.next = self.texture.val();
        } else if comes {
            self.next.next = self.next.val() + 1;
        }
        self.next_line.next = self.next.val();
        self.came.next = comes;
        self.came_data.next = self.line_data.val();
        self.came_line.next = self.next.val();
        self.came_at_page_end.next = self.next.val().low(PAGE_BITS).all();
        self.came_last.next = self.line_ends.val();
        /// # Bursts
        let is_first = !self.length.val().any();
        let first = if is_first { self.came_line.val() } else { self.first.val() };
        if self.comes() {
            self.first.next = first;
            let closes = self.closes();
            self.length.next = if closes { lit(LENGTH_BITS, 0u32) } else { self.length.val() + 1 };
            self.is_full.next = !closes && self.length.val() == (BURST_LINES - 2) as u64;
        }
        self.lines.clocks.follow(&self.clocks);
        self.lines.input.valid.next = self.comes();
        self.lines.input.data.next = self.came_data.val();
        discard(self.lines.input.ready.val(), "pieces are held back before");
        self.bursts.clocks.follow(&self.clocks);
        self.bursts.input.valid.next = self.closes();
        self.bursts.input.data.next = cat(&[self.length.val(), first]);
        discard(self.bursts.input.ready.val(), "there are no more than lines");
        discard(self.bursts.level.val(), "as above");
        self.room.next = self.lines.level.val() < (LINES - MARGIN) as u64;
        self.has_room.next = self.room.val();
    }

    fn give(&self) {
        /// # Writes
        let (burst, asked) = (&self.bursts.output, &self.asked.input);
        let first = burst.data.val().low(LINE_ADDRESS_BITS);
        let line_bits = self.write.data.width() - LENGTH_BITS;
        self.write.valid.next = burst.valid.val() && asked.ready.val();
        self.write.data.next = cat(&[burst.data.val().high(LENGTH_BITS), first.zero_extend(line_bits)]);
        burst.ready.next = self.write.ready.val() && asked.ready.val();
        self.asked.clocks.follow(&self.clocks);
        asked.valid.next = burst.valid.val() && self.write.ready.val();
        asked.data.next = first;
        let line = &self.lines.output;
        self.line.valid.next = line.valid.val();
        self.line.data.next = cat(&[lit(1, 1u32).repeat(LINE_BYTES), line.data.val()]);
        line.ready.next = self.line.ready.val();
    }

    fn finish(&self) {
        /// # End
        let (begins, ends) = (self.closes(), self.write_done.val());
        let change = cat(&[(ends && !begins).repeat(OPEN_BITS - 1), begins ^ ends]);
        self.open.next = self.open.val() + change;
        let is_answered = !self.open.val().any();
        let finishes = self.has_ended.val() && is_answered;
        if self.comes() && self.came_last.val() {
            self.has_ended.next = 1;
        } else if finishes {
            self.has_ended.next = 0;
        }
        self.finished_seen.next = finishes;
        self.finished.next = self.finished_seen.val();
        self.written.next = is_answered;
        self.is_written.next = self.written.val();
    }

    fn faults(&self) {
        /// # Faults
        let asked = &self.asked.output;
        discard(asked.valid.val(), "there is one for each write without an answer");
        discard(self.asked.level.val(), "ready says enough");
        asked.ready.next = self.write_done.val();
        self.fails.next = self.write_done.val() && self.write_response.val().bit(1);
        self.failed_response.next = self.write_response.val();
        self.failed_line.next = asked.data.val();
        self.fault.next = FaultWord {
            happened: self.fails.val(),
            response: self.failed_response.val(),
            line: self.failed_line.val(),
        };
    }
}
