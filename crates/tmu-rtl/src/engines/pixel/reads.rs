//! `reads`: reads of records, and what is wrong with the answers.
//!
//! Lines come in the order in which they were asked for, and are taken as they come. What was asked for is kept in a FIFO, so that an
//! answer of another length is seen. After a fault everything stops; `is_quiet` comes when nothing is under way any more and nothing has come
//! for a while.
//!
//! Latency of a line 2 clocks. A FIFO of reads in LUT RAM.

use super::words::{LINE_NUMBER_BITS, RECORD_LINES_BITS};
use crate::engine::memory::{FAULT_BITS, LINE_BITS, QUIET_BITS, ReadShape};
use crate::engine::read_ports::LinePorts;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::SyncFifo;

/// Reads that may be under way.
pub const MOST_READS: usize = 4;

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
    /// Lines, less one. A read does not cross 4 KiB.
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
    /// Nothing is under way, and nothing has come for a while.
    pub is_quiet: Net<Out>,
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
            is_quiet: Net::bit(),
            reads: SyncFifo::new(MOST_READS, AskWord::shape().width()),
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
        let goes = asked.valid.val() && !self.stops.val();
        let AskWord { line, more } = AskWord::shape().unpack(asked.data.val());
        let line_bits = memory.fault_line.width();
        memory.read.valid.next = goes && kept.ready.val();
        memory.read.data.next = cat(&[more, line.zero_extend(line_bits)]);
        kept.valid.next = goes && memory.read.ready.val();
        kept.data.next = asked.data.val();
        asked.ready.next = (memory.read.ready.val() && kept.ready.val()) || self.stops.val();
    }

    fn take(&self) {
        /// # Lines
        let memory = &self.memory;
        self.taken.next = memory.line_valid.val();
        self.taken_line.next = memory.line_data.val();
        self.taken_last.next = memory.line_last.val();
        self.taken_response.next = memory.line_response.val();
        self.taken_unexpected.next = memory.unexpected.val();
        let AskWord { line: first, more } = AskWord::shape().unpack(self.reads.output.data.val());
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
        self.kept_ends.next = ends;
        self.came.next =
            CameWord { valid: self.kept.val(), line: self.kept_line.val(), ends: self.kept_ends.val() };
        self.fails.next = self.faults.val().any();
        self.failed_line.next = self.fault_line.val();
        memory.fault.next = self.faults.val();
        memory.fault_line.next = self.fault_line.val().zero_extend(memory.fault_line.width());
    }

    fn quiet(&self) {
        /// # Quiet
        let memory = &self.memory;
        let comes = memory.line_valid.val()
            || memory.unexpected.val()
            || memory.outstanding.val()
            || self.asked.valid.val();
        if !self.stops.val() || comes {
            self.quiet.next = 0;
        } else if !self.quiet.val().all() {
            self.quiet.next = self.quiet.val() + 1;
        }
        self.is_quiet.next = self.quiet.val().all();
    }
}
