//! `reads`: reads of records, and what is wrong with the answers.
//!
//! Lines come in the order in which they were asked for, and are taken as they come. What was asked for is kept in a FIFO, so that an
//! answer of another length is seen. What crosses 4 KiB is asked for in two reads. After a fault everything stops; `is_quiet` comes when nothing is under way any more and nothing has come
//! for a while.
//!
//! Latency of a line 2 clocks; a read takes one clock more, or two. A FIFO of reads in LUT RAM.

use super::words::{LINE_NUMBER_BITS, RECORD_LINES_BITS};
use crate::engine::memory::{FAULT_BITS, LINE_BITS, QUIET_BITS, ReadShape};
use crate::engine::read_ports::LinePorts;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::SyncFifo;

/// Reads that may be under way.
pub const MOST_READS: usize = 4;

/// Bits of a line's place between two boundaries of 4 KiB.
const PAGE_BITS: usize = 8;
/// Bits of a response.
const RESPONSE_BITS: usize = 2;

/// What the channel asks for, with so many bits for the number of a line.
#[must_use]
pub const fn read_shape(line_bits: usize) -> ReadShape {
    ReadShape {
        line_bits,
        length_bits: RECORD_LINES_BITS,
        most_reads: MOST_READS,
        most_lines: MOST_READS << RECORD_LINES_BITS,
        is_windowed: false,
        reports_faults: true,
    }
}

/// What is asked for.
#[derive(Clone, Debug, Record)]
pub struct AskWord<T = Bits> {
    /// The first line.
    pub line: T,
    /// Lines, less one.
    pub more: T,
}

impl AskWord<Width> {
    /// Its shape.
    #[must_use]
    pub fn shape() -> AskWord<Width> {
        AskWord { line: Width::bits(LINE_NUMBER_BITS), more: Width::bits(RECORD_LINES_BITS) }
    }
}

/// A line that has come.
#[derive(Clone, Debug, Record)]
pub struct CameWord<T = Bits> {
    /// One has come.
    pub valid: T,
    /// What it holds.
    pub line: T,
    /// It is the last one of its read.
    pub ends: T,
}

impl CameWord<Width> {
    /// Its shape.
    #[must_use]
    pub fn shape() -> CameWord<Width> {
        CameWord { valid: Width::bits(1), line: Width::bits(LINE_BITS), ends: Width::bits(1) }
    }
}

/// Which line of its read comes next.
#[kernel]
pub(super) fn next_number(number: Bits, came: &CameWord) -> Bits {
    let behind = if came.ends { lit(RECORD_LINES_BITS, 0u32) } else { number + 1 };
    if came.valid { behind } else { number }
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Reads {
    /// Clock and reset.
    pub clocks: Clocks,
    /// Nothing more is asked for.
    pub stops: Net<In>,
    /// Reads, see [`AskWord`].
    pub asked: StreamIn,
    /// The channel.
    pub memory: LinePorts,
    /// A line.
    pub came: CameWord<Field<Out>>,
    /// It could not be read; no line before it could not.
    pub fails: Net<Out>,
    /// Its number.
    pub failed_line: Net<Out>,
    /// That is since memory has answered out of step: lines that nobody has asked for, or too few.
    pub breaks: Net<Out>,
    /// Nothing is under way, and nothing has come for a while.
    pub is_quiet: Net<Out>,
    has_ask: Reg,
    ask: AskWord<FieldReg>,
    reads: SyncFifo,
    taken: Reg,
    taken_line: Reg,
    taken_last: Reg,
    taken_response: Reg,
    taken_unexpected: Reg,
    in_read: Reg,
    kept: Reg,
    kept_line: Reg,
    kept_ends: Reg,
    faults: Reg,
    fault_line: Reg,
    quiet: Reg,
}

impl Reads {
    /// With so many bits for the number of a line of memory.
    #[must_use]
    pub fn new(line_bits: usize) -> Reads {
        let clocks = Clocks::new();
        let flag = || Reg::with_reset(&clocks, 1, 0);
        Reads {
            stops: Net::bit(),
            asked: StreamIn::new(AskWord::shape().width()),
            memory: LinePorts::new(&read_shape(line_bits)),
            came: CameWord::shape().nets(),
            fails: Net::bit(),
            failed_line: Net::new(LINE_NUMBER_BITS),
            breaks: Net::bit(),
            is_quiet: Net::bit(),
            has_ask: flag(),
            ask: AskWord::shape().registers(&clocks),
            reads: SyncFifo::new(MOST_READS, AskWord::shape().width() + 1),
            taken: flag(),
            taken_line: Reg::new(&clocks, LINE_BITS),
            taken_last: Reg::new(&clocks, 1),
            taken_response: Reg::new(&clocks, RESPONSE_BITS),
            taken_unexpected: flag(),
            in_read: Reg::with_reset(&clocks, RECORD_LINES_BITS, 0),
            kept: flag(),
            kept_line: Reg::new(&clocks, LINE_BITS),
            kept_ends: Reg::new(&clocks, 1),
            faults: Reg::with_reset(&clocks, FAULT_BITS, 0),
            fault_line: Reg::new(&clocks, LINE_NUMBER_BITS),
            quiet: Reg::with_reset(&clocks, QUIET_BITS, 0),
            clocks,
        }
    }
}

/// Reads and their lines.
#[kernel]
impl Reads {
    fn module_name(&self) -> String {
        "pixel_reads".into()
    }

    fn logic(&self) {
        self.ask();
        self.take();
        self.quiet();
    }

    fn ask(&self) {
        /// # Reads
        let (asked, kept, memory) = (&self.asked, &self.reads.input, &self.memory);
        self.reads.clocks.follow(&self.clocks);
        discard(self.reads.level.val(), "ready says enough");
        let AskWord { line, more } = self.ask.val();
        let page = line.low(PAGE_BITS).zero_extend(PAGE_BITS + 1);
        let last = page + more.zero_extend(PAGE_BITS + 1);
        let crosses = last.high(1);
        /// Lines up to the boundary, less one.
        let near = !line.low(RECORD_LINES_BITS);
        let offers = self.has_ask.val() && !self.stops.val();
        let goes = offers && memory.read.ready.val() && kept.ready.val();
        memory.read.valid.next = offers && kept.ready.val();
        let count = if crosses { near } else { more };
        memory.read.data.next = cat(&[count, line.zero_extend(memory.fault_line.width())]);
        kept.valid.next = offers && memory.read.ready.val();
        kept.data.next = cat(&[crosses, AskWord::shape().pack(&AskWord { line, more: count })]);
        asked.ready.next = !self.has_ask.val();
        if asked.valid.val() && !self.has_ask.val() {
            self.has_ask.next = 1;
            self.ask.next = AskWord::shape().unpack(asked.data.val());
        } else if goes {
            self.has_ask.next = crosses;
            self.ask.line.next = cat(&[line.high(LINE_NUMBER_BITS - PAGE_BITS) + 1, lit(PAGE_BITS, 0u32)]);
            self.ask.more.next = last.low(RECORD_LINES_BITS);
        } else if self.stops.val() {
            self.has_ask.next = 0;
        }
        discard(last.slice(RECORD_LINES_BITS, PAGE_BITS - RECORD_LINES_BITS), "reads are short");
    }

    fn take(&self) {
        /// # Lines
        let memory = &self.memory;
        self.taken.next = memory.line_valid.val();
        self.taken_line.next = memory.line_data.val();
        self.taken_last.next = memory.line_last.val();
        self.taken_response.next = memory.line_response.val();
        self.taken_unexpected.next = memory.unexpected.val();
        let read = self.reads.output.data.val();
        let AskWord { line: first, more } = AskWord::shape().unpack(read.low(AskWord::shape().width()));
        let goes_on = read.high(1);
        let (taken, in_read) = (self.taken.val(), self.in_read.val());
        let ends = in_read == more;
        if taken {
            self.in_read.next = if ends { lit(RECORD_LINES_BITS, 0u32) } else { in_read + 1 };
        }
        self.reads.output.ready.next = taken && ends;
        discard(self.reads.output.valid.val(), "lines come for reads alone, and others are unexpected");
        /// # Faults
        let is_wrong = (taken && (self.taken_last.val() ^ ends)) || self.taken_unexpected.val();
        let response = self.taken_response.val();
        let fails = taken && response.bit(1);
        self.faults.next = cat(&[is_wrong, fails && response.bit(0), fails && !response.bit(0)]);
        self.fault_line.next = first + in_read.zero_extend(LINE_NUMBER_BITS);
        self.kept.next = taken;
        self.kept_line.next = self.taken_line.val();
        self.kept_ends.next = ends && !goes_on;
        self.came.next =
            CameWord { valid: self.kept.val(), line: self.kept_line.val(), ends: self.kept_ends.val() };
        self.fails.next = self.faults.val().any();
        self.failed_line.next = self.fault_line.val();
        self.breaks.next = self.faults.val().high(1);
        memory.fault.next = self.faults.val();
        memory.fault_line.next = self.fault_line.val().zero_extend(memory.fault_line.width());
    }

    fn quiet(&self) {
        /// # Quiet
        let memory = &self.memory;
        let comes = memory.line_valid.val()
            || memory.unexpected.val()
            || memory.outstanding.val()
            || self.has_ask.val();
        if !self.stops.val() || comes {
            self.quiet.next = 0;
        } else if !self.quiet.val().all() {
            self.quiet.next = self.quiet.val() + 1;
        }
        self.is_quiet.next = self.quiet.val().all();
    }
}
