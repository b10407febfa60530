//! `writes`: lines of tiles to writes of memory, and when all of them are written.
//!
//! Lines that follow each other become one write, up to [`WRITE_LINES`] and up to the next boundary of 4 KiB. A line waits until it is known whether the next
//! one follows it, or for [`PATIENCE_CLOCKS`]. Whether its number is the one behind that before it is found out as it comes; a clock later it is the next one of a
//! write or the first one of another.
//!
//! Contract: a write is asked for when all of its lines are there, and answered two clocks later at the earliest. What has been asked for is written whatever becomes
//! of the frame. The first write that failed is told with its first line.
//!
//! Cost: a clock a line. FIFOs: 64 lines in block RAM, writes and those that are not answered in LUT RAM.

use super::tile_fetch::words::FaultWord;
use super::words::LINE_NUMBER_BITS;
use super::write_back::LineWord;
use crate::engine::count::counted;
use crate::engine::memory::{LINE_BITS, LINE_BYTES, WriteShape};
use crate::system::write_port::STROBED_BITS;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{RamStyle, SyncFifo};
use tmu_spec::pixel::FaultCode;

/// Lines of a write at most.
pub const WRITE_LINES: usize = 1 << LENGTH_BITS;
/// Clocks that a line waits for one that follows it.
pub const PATIENCE_CLOCKS: usize = 1 << PATIENCE_BITS;
const PATIENCE_BITS: usize = 4;
/// Bits of the number of lines of a write, less one.
const LENGTH_BITS: usize = 3;
/// Bits of a line's place between two boundaries of 4 KiB.
const PAGE_BITS: usize = 8;
/// Lines that wait.
const LINES: usize = 64;
/// Writes that wait, and that may be without an answer.
const WRITES: usize = 16;
/// Bits of the number of those that are not answered.
const OPEN_BITS: usize = 6;
/// Bits of a response.
const RESPONSE_BITS: usize = 2;

/// What the channel asks for.
#[must_use]
pub const fn write_shape() -> WriteShape {
    WriteShape { length_bits: LENGTH_BITS, most_writes: WRITES }
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Writes {
    /// Clock and reset.
    pub clocks: Clocks,
    /// Lines, see [`LineWord`].
    pub lines: StreamIn,
    /// Writes wanted: the first line, and above it their number less one.
    pub write: StreamOut,
    /// Their lines, with a strobe for each byte above them.
    pub line: StreamOut,
    /// A write has been answered.
    pub write_done: Net<In>,
    /// Its response.
    pub write_response: Net<In>,
    /// All that came has been written.
    pub is_written: Net<Out>,
    /// A write has failed.
    pub has_failed: Net<Out>,
    /// Which, the first one.
    pub fault: FaultWord<Field<Out>>,
    kept: SyncFifo,
    waiting: SyncFifo,
    under_way: SyncFifo,
    /// The number behind that of the last line that came.
    next: Reg,
    /// A line has come: its number, and whether it lies behind the one before it, within 4 KiB.
    has_come: Reg,
    came: Reg,
    is_behind: Reg,
    /// A write that is not known to end yet: its first line, and its last one less the first.
    has_first: Reg,
    first: Reg,
    more: Reg,
    patience: Reg,
    open: Reg,
    failed: Reg,
    failed_line: Reg,
}

impl Writes {
    /// With so many bits for the number of a line of memory.
    #[must_use]
    pub fn new(line_bits: usize) -> Writes {
        let clocks = Clocks::new();
        let flag = || Reg::with_reset(&clocks, 1, 0);
        Writes {
            lines: StreamIn::new(LineWord::shape().width()),
            write: StreamOut::new(line_bits + LENGTH_BITS),
            line: StreamOut::new(STROBED_BITS),
            write_done: Net::bit(),
            write_response: Net::new(RESPONSE_BITS),
            is_written: Net::bit(),
            has_failed: Net::bit(),
            fault: FaultWord::shape().nets(),
            kept: SyncFifo::with_style(LINES, STROBED_BITS, RamStyle::Block),
            waiting: SyncFifo::new(WRITES, LINE_NUMBER_BITS + LENGTH_BITS),
            under_way: SyncFifo::new(WRITES, LINE_NUMBER_BITS),
            next: Reg::new(&clocks, LINE_NUMBER_BITS),
            has_come: flag(),
            came: Reg::new(&clocks, LINE_NUMBER_BITS),
            is_behind: Reg::new(&clocks, 1),
            has_first: flag(),
            first: Reg::new(&clocks, LINE_NUMBER_BITS),
            more: Reg::new(&clocks, LENGTH_BITS),
            patience: Reg::new(&clocks, PATIENCE_BITS),
            open: Reg::with_reset(&clocks, OPEN_BITS, 0),
            failed: flag(),
            failed_line: Reg::new(&clocks, LINE_NUMBER_BITS),
            clocks,
        }
    }
}

/// Lines to writes.
#[kernel]
impl Writes {
    fn module_name(&self) -> String {
        "writes".into()
    }

    fn logic(&self) {
        let word = LineWord::shape().unpack(self.lines.data.val());
        self.take(&word);
        self.gather();
        self.ask();
        self.answers();
    }

    /// Both steps of a line move where there is room for one more write.
    fn moves(&self) -> Bits {
        self.waiting.input.ready.val()
    }

    fn take(&self, word: &LineWord) {
        /// # Lines
        let kept = &self.kept;
        let room = kept.input.ready.val() && self.moves();
        let takes = self.lines.valid.val() && room;
        self.lines.ready.next = room;
        kept.clocks.follow(&self.clocks);
        kept.input.valid.next = self.lines.valid.val() && self.moves();
        kept.input.data.next = cat(&[word.strobes, word.bytes]);
        discard(kept.level.val(), "ready says enough");
        let crosses = !word.line.low(PAGE_BITS).any();
        if takes {
            self.next.next = word.line + 1;
            self.came.next = word.line;
            self.is_behind.next = word.line == self.next.val() && !crosses;
        }
        if self.moves() {
            self.has_come.next = takes;
        }
        self.line.forward(&kept.output);
    }

    fn gather(&self) {
        /// # Gathered
        let waiting = &self.waiting;
        let (comes, has_first) = (self.has_come.val(), self.has_first.val());
        let follows = has_first && self.is_behind.val() && !self.more.val().all();
        let is_late = self.patience.val().all();
        let closes = self.moves() && has_first && (if comes { !follows } else { is_late });
        if self.moves() && comes {
            self.has_first.next = 1;
            self.patience.next = 0;
            self.more.next = if follows { self.more.val() + 1 } else { lit(LENGTH_BITS, 0u32) };
            if !follows {
                self.first.next = self.came.val();
            }
        } else if closes {
            self.has_first.next = 0;
        } else if !is_late {
            self.patience.next = self.patience.val() + 1;
        }
        waiting.clocks.follow(&self.clocks);
        waiting.input.valid.next = closes;
        waiting.input.data.next = cat(&[self.more.val(), self.first.val()]);
        discard(waiting.level.val(), "ready says enough");
        self.open.next = counted(self.open.val(), closes, self.write_done.val());
        let is_empty = !has_first && !comes && !self.lines.valid.val();
        self.is_written.next = is_empty && !self.open.val().any();
    }

    fn ask(&self) {
        /// # Writes
        let (waiting, under_way) = (&self.waiting, &self.under_way);
        let write = waiting.output.data.val();
        let line_bits = self.write.data.width() - LENGTH_BITS;
        let first = write.low(LINE_NUMBER_BITS);
        self.write.valid.next = waiting.output.valid.val() && under_way.input.ready.val();
        self.write.data.next = cat(&[write.high(LENGTH_BITS), first.zero_extend(line_bits)]);
        waiting.output.ready.next = self.write.ready.val() && under_way.input.ready.val();
        under_way.clocks.follow(&self.clocks);
        under_way.input.valid.next = waiting.output.valid.val() && self.write.ready.val();
        under_way.input.data.next = first;
        under_way.output.ready.next = self.write_done.val();
        discard(cat(&[under_way.level.val(), under_way.output.valid.val()]), "what is answered was asked");
    }

    fn answers(&self) {
        /// # Answers
        let fails = self.write_done.val() && self.write_response.val().bit(1);
        discard(self.write_response.val().bit(0), "either is a fault");
        if fails && !self.failed.val() {
            self.failed.next = 1;
            self.failed_line.next = self.under_way.output.data.val();
        }
        self.has_failed.next = self.failed.val();
        self.fault.next = FaultWord::at(FaultCode::Write, self.failed_line.val());
    }
}

const _: () = assert!(LINE_BITS == 8 * LINE_BYTES, "a line has a strobe for each byte");
