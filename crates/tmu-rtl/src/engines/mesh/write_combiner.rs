//! `write_combiner`: gathers pixels into lines with strobes and lines into bursts, and says when all of them are written.
//!
//! Pixels in a row that lie in one line become one write of it; lines that follow each other become one burst, up to
//! [`BURST_LINES`] and up to the next boundary of 4 KiB. A line ends with the first pixel of another one and with the end
//! of the job, a burst with the first line that does not follow; so nothing waits for ever, since the end always comes. Only
//! bytes of drawn pixels have strobes.
//!
//! Contract: nothing stops on its way from the input to the FIFOs. `ready` comes from a register that is high only while both
//! FIFOs have room for what may still come (`MARGIN`). A write is asked for when all of its lines are in the FIFO. `finished` is
//! high for one clock, after the end of the job has come and all writes have been answered. A write that failed is told, the
//! first one of a job, with its first line. While `cancelled` is high pixels count as left out.
//!
//! Latency from the last pixel of a burst to the request 7 clocks; a pixel a clock. FIFOs: 32 lines and 16 bursts to be asked for in block RAM,
//! 32 that are not answered in LUT RAM, which is there before the soonest answer.

use super::colors::shaded_word;
use super::words::{COLOR_BITS, FaultWord, IN_LINE_BITS, LINE_ADDRESS_BITS, RESPONSE_BITS, fault_word};
use crate::engine::count::counted;
use crate::engine::memory::{LINE_BITS, LINE_BYTES, WriteShape};
use crate::system::write_port::STROBED_BITS;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{RamStyle, SyncFifo};

/// Pixels of a line.
const PIXELS: usize = 1 << IN_LINE_BITS;
/// Lines of a burst, at most.
pub const BURST_LINES: usize = 1 << LENGTH_BITS;
/// Bits of the number of lines of a burst, less one.
const LENGTH_BITS: usize = 3;
/// Bits of a line's place between two boundaries of 4 KiB.
const PAGE_BITS: usize = 8;
/// Lines that may wait to be written.
const LINES: usize = 32;
/// Bursts that may wait to be asked for.
const BURSTS: usize = 16;
/// Lines, and bursts, that may come after the one that leaves no more room until pixels are held back.
const MARGIN: usize = 6;
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
pub struct WriteCombiner {
    /// Clock and reset.
    pub clocks: Clocks,
    /// Pixels are dropped.
    pub cancelled: Net<In>,
    /// Pixels, see [`ShadedWord`](super::colors::ShadedWord).
    pub input: StreamIn,
    /// Lines to be written: the first, and above it their number less one.
    pub write: StreamOut,
    /// The lines, with a strobe for each byte above them.
    pub line: StreamOut,
    /// A write has been answered.
    pub write_done: Net<In>,
    /// Its response.
    pub write_response: Net<In>,
    /// The end of the job has come and all its writes have been answered.
    pub finished: Net<Out>,
    /// A write has failed.
    pub fault: FaultWord<Field<Out>>,
    /// A pixel was drawn.
    pub draws: Net<Out>,
    /// A pixel was left out.
    pub leaves_out: Net<Out>,
    ready: Reg,
    draws_seen: Reg,
    leaves_out_seen: Reg,
    /// The line that is being gathered: its number, which pixels are drawn, and the pixels.
    gathered_line: Reg,
    gathered_drawn: Reg,
    gathered: Vec<Reg>,
    /// The same of a line that is whole.
    whole_valid: Reg,
    whole_line: Reg,
    whole_drawn: Reg,
    whole: Reg,
    /// The end of the job has come.
    ends: Reg,
    /// It is behind the last line.
    ends_line: Reg,
    /// It comes to the bursts, behind the last line.
    ends_burst: Reg,
    /// A line comes to the bursts: its number, and whether it is the next one in its page behind the line before.
    counted_valid: Reg,
    counted_line: Reg,
    is_next: Reg,
    burst_valid: Reg,
    first: Reg,
    /// Where a line that follows begins; not before a boundary.
    following: Reg,
    length: Reg,
    has_ended: Reg,
    open: Reg,
    lines: SyncFifo,
    bursts: SyncFifo,
    asked: SyncFifo,
    finished_seen: Reg,
    has_failed: Reg,
    fails: Reg,
    failed_response: Reg,
    failed_line: Reg,
}

impl WriteCombiner {
    /// The stage, for a memory port in which a line's number has so many bits.
    #[must_use]
    pub fn new(line_bits: usize) -> WriteCombiner {
        let clocks = Clocks::new();
        let flag = || Reg::with_reset(&clocks, 1, 0);
        let fifo = |depth, width| SyncFifo::with_style(depth, width, RamStyle::Block);
        WriteCombiner {
            cancelled: Net::bit(),
            input: StreamIn::new(shaded_word().width()),
            write: StreamOut::new(line_bits + LENGTH_BITS),
            line: StreamOut::new(STROBED_BITS),
            write_done: Net::bit(),
            write_response: Net::new(RESPONSE_BITS),
            finished: Net::bit(),
            fault: fault_word().nets(),
            draws: Net::bit(),
            leaves_out: Net::bit(),
            ready: flag(),
            draws_seen: flag(),
            leaves_out_seen: flag(),
            gathered_line: Reg::new(&clocks, LINE_ADDRESS_BITS),
            gathered_drawn: Reg::with_reset(&clocks, PIXELS, 0),
            gathered: (0..PIXELS).map(|_| Reg::new(&clocks, COLOR_BITS)).collect(),
            whole_valid: flag(),
            whole_line: Reg::new(&clocks, LINE_ADDRESS_BITS),
            whole_drawn: Reg::new(&clocks, PIXELS),
            whole: Reg::new(&clocks, LINE_BITS),
            ends: flag(),
            ends_line: flag(),
            ends_burst: flag(),
            counted_valid: flag(),
            counted_line: Reg::new(&clocks, LINE_ADDRESS_BITS),
            is_next: Reg::new(&clocks, 1),
            burst_valid: flag(),
            first: Reg::new(&clocks, LINE_ADDRESS_BITS),
            following: Reg::new(&clocks, PAGE_BITS),
            length: Reg::new(&clocks, LENGTH_BITS),
            has_ended: flag(),
            open: Reg::with_reset(&clocks, OPEN_BITS, 0),
            lines: fifo(LINES, PIXELS + LINE_BITS),
            bursts: fifo(BURSTS, LENGTH_BITS + LINE_ADDRESS_BITS),
            asked: SyncFifo::new(MOST_WRITES, LINE_ADDRESS_BITS),
            finished_seen: flag(),
            has_failed: flag(),
            fails: flag(),
            failed_response: Reg::new(&clocks, RESPONSE_BITS),
            failed_line: Reg::new(&clocks, LINE_ADDRESS_BITS),
            clocks,
        }
    }
}

/// Pixels to lines, lines to bursts.
#[kernel]
impl WriteCombiner {
    fn logic(&self) {
        self.gather();
        self.combine();
        self.give();
        self.finish();
        self.faults();
    }

    fn gather(&self) {
        /// # Pixels
        let item = shaded_word().unpack(self.input.data.val());
        let moves = self.input.valid.val() && self.ready.val();
        let draws = moves && item.is_drawn && !self.cancelled.val();
        self.input.ready.next = self.ready.val();
        self.draws_seen.next = draws;
        self.leaves_out_seen.next = moves && !draws && !item.is_end;
        self.draws.next = self.draws_seen.val();
        self.leaves_out.next = self.leaves_out_seen.val();
        /// # Lines
        let (place, line) = (item.place.low(IN_LINE_BITS), item.place.high(LINE_ADDRESS_BITS));
        let is_here = |number: usize| draws && place == number as u64;
        let here = stack((0..PIXELS).map(is_here));
        let is_new = item.opens_line || item.is_end;
        let before = self.gathered_drawn.val() & (!is_new).repeat(PIXELS);
        if moves {
            self.gathered_drawn.next = before | here;
            self.gathered_line.next = line;
        }
        for (number, pixel) in self.gathered.iter().enumerate() {
            if here.bit(number) {
                pixel.next = item.color;
            }
        }
        if moves && is_new {
            self.whole_line.next = self.gathered_line.val();
            self.whole_drawn.next = self.gathered_drawn.val();
            self.whole.next = stack(self.gathered.iter().map(Reg::val));
        }
        self.whole_valid.next = moves && is_new && self.gathered_drawn.val().any();
        self.ends.next = moves && item.is_end;
    }

    /// One bit: the burst that is open has its last line.
    fn closes(&self) -> Bits {
        self.burst_valid.val() && (self.ends_burst.val() || (self.counted_valid.val() && !self.follows()))
    }

    /// One bit: the line that comes goes on in the burst that is open.
    fn follows(&self) -> Bits {
        self.is_next.val() && !self.length.val().all()
    }

    fn combine(&self) {
        /// # Order of lines
        let (line, before) = (self.whole_line.val(), self.counted_line.val());
        let pages = LINE_ADDRESS_BITS - PAGE_BITS;
        let is_here = line.low(PAGE_BITS) == self.following.val() && self.following.val().any();
        self.is_next.next = is_here && line.high(pages) == before.high(pages);
        self.counted_valid.next = self.whole_valid.val();
        if self.whole_valid.val() {
            self.counted_line.next = line;
            self.following.next = line.low(PAGE_BITS) + 1;
        }
        self.ends_line.next = self.ends.val();
        self.ends_burst.next = self.ends_line.val();
        /// # Bursts
        if self.counted_valid.val() {
            self.burst_valid.next = 1;
            if self.burst_valid.val() && self.follows() {
                self.length.next = self.length.val() + 1;
            } else {
                self.length.next = 0;
                self.first.next = before;
            }
        } else if self.ends_burst.val() {
            self.burst_valid.next = 0;
        }
        self.lines.clocks.follow(&self.clocks);
        self.lines.input.valid.next = self.whole_valid.val();
        self.lines.input.data.next = cat(&[self.whole_drawn.val(), self.whole.val()]);
        discard(self.lines.input.ready.val(), "pixels are held back before");
        self.bursts.clocks.follow(&self.clocks);
        self.bursts.input.valid.next = self.closes();
        self.bursts.input.data.next = cat(&[self.length.val(), self.first.val()]);
        discard(self.bursts.input.ready.val(), "as above");
        let has_lines = self.lines.level.val() < (LINES - MARGIN) as u64;
        self.ready.next = has_lines && self.bursts.level.val() < (BURSTS - MARGIN) as u64;
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
        let drawn = line.data.val().high(PIXELS);
        let bytes = LINE_BYTES / PIXELS;
        let strobes = stack((0..LINE_BYTES).map(|byte| drawn.bit(byte / bytes)));
        self.line.valid.next = line.valid.val();
        self.line.data.next = cat(&[strobes, line.data.val().low(LINE_BITS)]);
        line.ready.next = self.line.ready.val();
    }

    fn finish(&self) {
        /// # End
        self.open.next = counted(self.open.val(), self.closes(), self.write_done.val());
        let finishes = self.has_ended.val() && !self.open.val().any();
        if self.ends_burst.val() {
            self.has_ended.next = 1;
        } else if finishes {
            self.has_ended.next = 0;
        }
        self.finished_seen.next = finishes;
        self.finished.next = self.finished_seen.val();
    }

    fn faults(&self) {
        /// # Faults
        let asked = &self.asked.output;
        discard(asked.valid.val(), "there is one for each write without an answer");
        discard(self.asked.level.val(), "ready says enough");
        asked.ready.next = self.write_done.val();
        let fails = self.write_done.val() && self.write_response.val().bit(1);
        self.fails.next = fails && !self.has_failed.val();
        if self.finished_seen.val() {
            self.has_failed.next = 0;
        } else if fails {
            self.has_failed.next = 1;
        }
        self.failed_response.next = self.write_response.val();
        self.failed_line.next = asked.data.val();
        self.fault.next = FaultWord {
            happened: self.fails.val(),
            response: self.failed_response.val(),
            line: self.failed_line.val(),
        };
    }
}
