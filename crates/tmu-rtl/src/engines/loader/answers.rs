//! `answers`: from lines that memory gives to the ring, and what is wrong with them.
//!
//! Lines come in the order in which they were asked for, and there is room for all of them. What was asked for is kept in a FIFO, so that an
//! answer of another length is seen. After a fault the job ends: `is_quiet` comes when nothing is under way any more and
//! nothing has come for a while, see [`memory_port`](crate::system::memory_port).
//!
//! Latency of a line 1 clock. A FIFO of reads in LUT RAM, with room for as many as may be under way.

use super::regions::MOST_READS;
use super::words::{FaultWord, LINE_ADDRESS_BITS, RESPONSE_BITS, ROW_LINES_BITS, fault_word};
use crate::engine::memory::{FAULT_BITS, LINE_BITS, QUIET_BITS};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::SyncFifo;

/// The response of a fault that stands for an answer of the wrong length.
const WRONG_LENGTH: u32 = 1;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Answers {
    /// Clock and reset.
    pub clocks: Clocks,
    /// Nothing more is asked for.
    pub stops: Net<In>,
    /// Reads, as they are made: the first line, and above it the number of lines less one.
    pub asked: StreamIn,
    /// Reads, as they go to memory.
    pub read: StreamOut,
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
    /// A line is written into the ring.
    pub writes: Net<Out>,
    /// Where.
    pub place: Net<Out>,
    /// The line.
    pub line: Net<Out>,
    /// Nothing is under way, and nothing has come for a while.
    pub is_quiet: Net<Out>,
    /// How a read has failed: bit 0 with SLVERR, bit 1 with DECERR, bit 2 with an answer of the wrong length.
    pub port_fault: Net<Out>,
    /// Which line.
    pub port_fault_line: Net<Out>,
    /// The same for the job.
    pub fault: FaultWord<Field<Out>>,
    reads: SyncFifo,
    taken: Reg,
    taken_line: Reg,
    taken_response: Reg,
    taken_last: Reg,
    taken_unexpected: Reg,
    next_place: Reg,
    in_read: Reg,
    quiet: Reg,
    fault_seen: Reg,
    fault_line_seen: Reg,
    happens: Reg,
}

impl Answers {
    /// For a ring of so many lines, whose places have so many bits.
    #[must_use]
    pub fn new(place_bits: usize) -> Answers {
        let clocks = Clocks::new();
        let flag = || Reg::with_reset(&clocks, 1, 0);
        let read_bits = LINE_ADDRESS_BITS + ROW_LINES_BITS;
        Answers {
            stops: Net::bit(),
            asked: StreamIn::new(read_bits),
            read: StreamOut::new(read_bits),
            line_valid: Net::bit(),
            line_data: Net::new(LINE_BITS),
            line_response: Net::new(RESPONSE_BITS),
            line_last: Net::bit(),
            unexpected: Net::bit(),
            outstanding: Net::bit(),
            writes: Net::bit(),
            place: Net::new(place_bits),
            line: Net::new(LINE_BITS),
            is_quiet: Net::bit(),
            port_fault: Net::new(FAULT_BITS),
            port_fault_line: Net::new(LINE_ADDRESS_BITS),
            fault: fault_word().nets(),
            reads: SyncFifo::new(MOST_READS, read_bits),
            taken: flag(),
            taken_line: Reg::new(&clocks, LINE_BITS),
            taken_response: Reg::new(&clocks, RESPONSE_BITS),
            taken_last: Reg::new(&clocks, 1),
            taken_unexpected: flag(),
            next_place: Reg::with_reset(&clocks, place_bits, 0),
            in_read: Reg::with_reset(&clocks, ROW_LINES_BITS, 0),
            quiet: Reg::with_reset(&clocks, QUIET_BITS, 0),
            fault_seen: Reg::with_reset(&clocks, FAULT_BITS, 0),
            fault_line_seen: Reg::new(&clocks, LINE_ADDRESS_BITS),
            happens: flag(),
            clocks,
        }
    }
}

/// Lines from memory into the ring.
#[kernel]
impl Answers {
    fn module_name(&self) -> String {
        "loader_answers".into()
    }

    fn logic(&self) {
        self.ask();
        self.take();
        self.faults();
        self.quiet();
    }

    fn ask(&self) {
        /// # Reads
        let (asked, kept) = (&self.asked, &self.reads.input);
        self.reads.clocks.follow(&self.clocks);
        discard(self.reads.level.val(), "ready says enough");
        self.read.valid.next = asked.valid.val() && kept.ready.val();
        self.read.data.next = asked.data.val();
        kept.valid.next = asked.valid.val() && self.read.ready.val();
        kept.data.next = asked.data.val();
        asked.ready.next = self.read.ready.val() && kept.ready.val();
    }

    /// One bit: the line is the last one that its read asked for.
    fn ends_read(&self) -> Bits {
        self.in_read.val() == self.reads.output.data.val().high(ROW_LINES_BITS)
    }

    fn take(&self) {
        /// # Lines
        self.taken.next = self.line_valid.val();
        self.taken_line.next = self.line_data.val();
        self.taken_response.next = self.line_response.val();
        self.taken_last.next = self.line_last.val();
        self.taken_unexpected.next = self.unexpected.val();
        self.writes.next = self.taken.val();
        self.place.next = self.next_place.val();
        self.line.next = self.taken_line.val();
        let taken = self.taken.val();
        if taken {
            self.next_place.next = self.next_place.val() + 1;
            self.in_read.next =
                if self.ends_read() { lit(ROW_LINES_BITS, 0u32) } else { self.in_read.val() + 1 };
        }
        self.reads.output.ready.next = taken && self.ends_read();
        discard(self.reads.output.valid.val(), "lines come for reads alone, and others are unexpected");
    }

    fn faults(&self) {
        /// # Faults
        let taken = self.taken.val();
        let is_wrong = (taken && (self.taken_last.val() ^ self.ends_read())) || self.taken_unexpected.val();
        let response = self.taken_response.val();
        let fails = taken && response.bit(1);
        self.fault_seen.next = cat(&[is_wrong, fails && response.bit(0), fails && !response.bit(0)]);
        let first = self.reads.output.data.val().low(LINE_ADDRESS_BITS);
        self.fault_line_seen.next = first + self.in_read.val().zero_extend(LINE_ADDRESS_BITS);
        self.happens.next = is_wrong || fails;
        let (seen, line) = (self.fault_seen.val(), self.fault_line_seen.val());
        self.port_fault.next = seen;
        self.port_fault_line.next = line;
        self.fault.next = FaultWord {
            happened: self.happens.val(),
            response: if seen.bit(2) {
                lit(RESPONSE_BITS, WRONG_LENGTH)
            } else {
                cat(&[lit(1, 1u32), seen.bit(1)])
            },
            line,
        };
    }

    fn quiet(&self) {
        /// # Quiet
        let comes = self.line_valid.val()
            || self.unexpected.val()
            || self.outstanding.val()
            || self.asked.valid.val();
        if !self.stops.val() || comes {
            self.quiet.next = 0;
        } else if !self.quiet.val().all() {
            self.quiet.next = self.quiet.val() + 1;
        }
        self.is_quiet.next = self.quiet.val().all();
    }
}
