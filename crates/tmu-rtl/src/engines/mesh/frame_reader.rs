//! `frame_reader`: asks for the lines of the frame buffer that `blend` will need, as soon as the places of pixels are known.
//!
//! Stands between `coordinate` and `address`. Pixels pass through it as they are, and where the job reads the frame buffer a line
//! is asked for once for each run of pixels in it. So a line is on its way while its pixels wait for their texels, and waits
//! for them in a FIFO. Each pixel of a job is drawn once: what a line holds where a pixel is blended is what was there before the
//! job, and no read has to wait for a write, even where the same line is written again and again.
//!
//! Contract: lines leave in the order of the runs, one for each. A line that could not be read carries its response and says so to
//! `blend`, which knows the pixel. Pixels are held back while there is no room for the lines that they might need; an offer is
//! never taken back, since `passes` only falls as a pixel moves.
//!
//! An answer of the wrong length cannot be told from the ones behind it. The lines that are owed then fail at once, no pixel
//! passes, and what memory still gives is dropped until nothing has come for [`QUIET_CLOCKS`](crate::engine::memory::QUIET_CLOCKS).
//!
//! Latency of pixels 0, from a pixel to its read 4 clocks, from an answer to `blend` 3; initiation interval 1. A FIFO of 64 lines in two
//! block RAMs, one of 16 addresses in half a one.

use super::colors::{FrameLine, frame_line};
use super::words::{IN_LINE_BITS, LINE_ADDRESS_BITS, RESPONSE_BITS, pixel_word};
use crate::engine::count::counted;
use crate::engine::memory::{LINE_BITS, QUIET_BITS, ReadShape};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{RamStyle, SyncFifo};

/// Lines that may be on their way, or wait for their pixels.
const LINES: usize = 64;
/// Lines that may wait to be asked for.
const ASKS: usize = 16;
/// Runs that may begin between the one that leaves no more room and the clock in which pixels are held back.
const MARGIN: usize = 6;
/// Bits of the length of a read, less one: it is always 0, since runs are of one line.
const LENGTH_BITS: usize = 1;
/// Response of a line that came, or did not, in an answer of the wrong length.
const WRONG_LENGTH: u32 = 1;

/// What the channel asks for; a line's number has so many bits.
#[must_use]
pub const fn read_shape(line_bits: usize) -> ReadShape {
    ReadShape {
        line_bits,
        length_bits: LENGTH_BITS,
        most_reads: LINES,
        most_lines: LINES,
        is_windowed: false,
        reports_faults: true,
    }
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct FrameReader {
    /// Clock and reset.
    pub clocks: Clocks,
    /// The job reads the frame buffer.
    pub reads_frame: Net<In>,
    /// Pixels, see [`PixelWord`](super::words::PixelWord).
    pub input: StreamIn,
    /// The same.
    pub output: StreamOut,
    /// Lines wanted from memory: the first, and above it their number less one.
    pub read: StreamOut,
    /// A line has come.
    pub line_valid: Net<In>,
    /// The line.
    pub line_data: Net<In>,
    /// Its response.
    pub line_response: Net<In>,
    /// It is the last one of its answer.
    pub line_last: Net<In>,
    /// A line has come that was not asked for.
    pub unexpected: Net<In>,
    /// Lines are to come.
    pub outstanding: Net<In>,
    /// Lines for `blend`, see [`FrameLine`].
    pub lines: StreamOut,
    passes: Reg,
    has_room: Reg,
    /// A pixel that opens a line has passed, and its line.
    opens: Reg,
    line: Reg,
    asks: SyncFifo,
    /// Lines that are asked for and not taken by `blend`.
    used: Reg,
    /// Lines that are asked for and have not come.
    owed: Reg,
    is_broken: Reg,
    fails: Reg,
    quiet: Reg,
    fifo: SyncFifo,
}

impl FrameReader {
    /// The stage, for a memory port in which a line's number has so many bits.
    #[must_use]
    pub fn new(line_bits: usize) -> FrameReader {
        let clocks = Clocks::new();
        let count_bits = LINES.ilog2() as usize + 1;
        FrameReader {
            reads_frame: Net::bit(),
            input: StreamIn::new(pixel_word().width()),
            output: StreamOut::new(pixel_word().width()),
            read: StreamOut::new(line_bits + LENGTH_BITS),
            line_valid: Net::bit(),
            line_data: Net::new(LINE_BITS),
            line_response: Net::new(RESPONSE_BITS),
            line_last: Net::bit(),
            unexpected: Net::bit(),
            outstanding: Net::bit(),
            lines: StreamOut::new(frame_line().width()),
            passes: Reg::with_reset(&clocks, 1, 0),
            has_room: Reg::with_reset(&clocks, 1, 0),
            opens: Reg::with_reset(&clocks, 1, 0),
            line: Reg::new(&clocks, LINE_ADDRESS_BITS),
            asks: SyncFifo::with_style(ASKS, LINE_ADDRESS_BITS, RamStyle::Block),
            used: Reg::with_reset(&clocks, count_bits, 0),
            owed: Reg::with_reset(&clocks, count_bits, 0),
            is_broken: Reg::with_reset(&clocks, 1, 0),
            fails: Reg::with_reset(&clocks, 1, 0),
            quiet: Reg::with_reset(&clocks, QUIET_BITS, 0),
            fifo: SyncFifo::with_style(LINES, frame_line().width(), RamStyle::Block),
            clocks,
        }
    }
}

/// Lines of the frame buffer, ahead of the pixels that are blended with them.
#[kernel]
impl FrameReader {
    fn logic(&self) {
        timing(0, 1);
        self.pass();
        self.ask();
        self.fill();
        self.drain();
    }

    fn pass(&self) {
        /// # Pixels
        let passes = self.passes.val();
        self.output.valid.next = self.input.valid.val() && passes;
        self.output.data.next = self.input.data.val();
        self.input.ready.next = self.output.ready.val() && passes;
        let moves = self.output.moves();
        if moves || !passes {
            self.passes.next = self.has_room.val() && !self.is_broken.val();
        }
        /// # Runs
        let pixel = pixel_word().unpack(self.input.data.val());
        let rest = cat(&[pixel.u, pixel.v, pixel.place.low(IN_LINE_BITS), pixel.is_end]);
        discard(rest, "`address` needs them");
        self.opens.next = moves && self.reads_frame.val() && pixel.opens_line;
        self.line.next = pixel.place.high(LINE_ADDRESS_BITS);
    }

    fn ask(&self) {
        /// # Reads
        self.asks.clocks.follow(&self.clocks);
        self.asks.input.valid.next = self.opens.val();
        self.asks.input.data.next = self.line.val();
        discard(self.asks.input.ready.val(), "pixels are held back before");
        self.asks.output.ready.next = self.read.ready.val();
        self.read.valid.next = self.asks.output.valid.val();
        self.read.data.next = self.asks.output.data.val().zero_extend(self.read.data.width());
        let few_asks = self.asks.level.val() < (ASKS - MARGIN) as u64;
        self.has_room.next = few_asks && self.used.val() < (LINES - MARGIN) as u64;
    }

    fn fill(&self) {
        /// # Lines
        let comes = self.line_valid.val() && !self.is_broken.val();
        let is_wrong = comes && !self.line_last.val();
        /// Each second clock, so that what is owed is counted meanwhile.
        let fails = self.fails.val();
        self.fails.next = self.is_broken.val() && self.owed.val().any() && !fails;
        if is_wrong || self.unexpected.val() {
            self.is_broken.next = 1;
        } else if self.quiet.val().all() {
            self.is_broken.next = 0;
        }
        let response = self.line_response.val() & self.line_response.val().bit(1).repeat(RESPONSE_BITS);
        let is_wrong = fails || !self.line_last.val();
        let line = FrameLine {
            pixels: self.line_data.val(),
            response: if is_wrong { lit(RESPONSE_BITS, WRONG_LENGTH) } else { response },
        };
        let fifo = &self.fifo;
        fifo.clocks.follow(&self.clocks);
        fifo.input.valid.next = comes || fails;
        fifo.input.data.next = frame_line().pack(&line);
        discard(fifo.input.ready.val(), "there is room for what is asked for");
        discard(fifo.level.val(), "as above");
        self.lines.forward(&fifo.output);
        self.owed.next = counted(self.owed.val(), self.opens.val(), comes || fails);
        self.used.next = counted(self.used.val(), self.opens.val(), fifo.output.moves());
    }

    fn drain(&self) {
        /// # Answers of the wrong length
        let comes = self.line_valid.val() || self.unexpected.val() || self.outstanding.val();
        let is_waited_for = self.asks.output.valid.val() || self.opens.val() || self.owed.val().any();
        if self.is_broken.val() && !comes && !is_waited_for {
            self.quiet.next = self.quiet.val() + 1;
        } else {
            self.quiet.next = 0;
        }
    }
}
