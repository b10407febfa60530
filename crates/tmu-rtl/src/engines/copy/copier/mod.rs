//! `copier`: the hardware of the engine `copy`.
//!
//! A job goes burst by burst: as many lines as are left, as a burst may have, and as lie in front of the next boundary of
//! 4 KiB on either side. They are read into a FIFO, and written when all of them have come. The first and the last line of a
//! job are written in part, by strobes. A burst that could not be read is not written and ends the job.
//!
//! Latency of a burst of n lines: that of memory and 2 n + 9 clocks. One FIFO of a burst in LUT RAM.

mod job;
mod lines;

use super::registers::{GUARDED, LENGTH_BITS, TABLE};
use super::{read_shape, write_shape};
use crate::engine::memory::{FAULT_BITS, LINE_BITS, LINE_BYTES, QUIET_BITS};
use crate::system::register_guard::RegisterGuard;
use crate::system::registers::{ENGINE_STRIDE_BYTES, REGISTER_BYTES, records};
use crate::system::write_port::STROBED_BITS;
use job::State;
use tmu_hdl::bus::{RegisterBank, RegisterPort};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::SyncFifo;
use tmu_spec::Config;

/// Bits of an address in a line.
const BYTE_BITS: usize = LINE_BYTES.ilog2() as usize;
/// Bits of a line's place between two boundaries of 4 KiB.
const PAGE_BITS: usize = 8;
/// Bits of a number of lines of a job.
const LINES_BITS: usize = LENGTH_BITS - BYTE_BITS + 1;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Copier {
    /// Clock and reset.
    pub clocks: Clocks,
    /// Its registers.
    pub registers: RegisterPort,
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
    /// A read has failed: with SLVERR, with DECERR, with an answer of the wrong length.
    pub fault: Net<Out>,
    /// Which line.
    pub fault_line: Net<Out>,
    /// Lines to be written: the first, and above it their number less one.
    pub write: StreamOut,
    /// The lines, with a strobe for each byte.
    pub line: StreamOut,
    /// A write has been answered.
    pub write_done: Net<In>,
    /// Its response.
    pub write_response: Net<In>,
    /// A job has ended, and that interrupts.
    pub interrupt: Net<Out>,
    guard: RegisterGuard,
    bank: RegisterBank,
    lines: SyncFifo,
    state: EnumReg<State>,
    busy: Reg,
    source: Reg,
    destination: Reg,
    source_past: Reg,
    destination_past: Reg,
    end: Reg,
    left: Reg,
    head: Reg,
    tail: Reg,
    is_first: Reg,
    longest: Reg,
    in_page: Reg,
    burst: Reg,
    place: Reg,
    unanswered: Reg,
    quiet: Reg,
    is_broken: Reg,
    code: Reg,
    fault_seen: Reg,
    fault_line_seen: Reg,
    interrupting: Reg,
    lines_read: Reg,
    lines_written: Reg,
    busy_clocks: Reg,
    pub(super) _config: Config,
}

impl Copier {
    /// For a configuration.
    pub fn new(config: &Config) -> Copier {
        let clocks = Clocks::new();
        let (reads, writes) = (read_shape(config), write_shape(config));
        let line_bits = reads.line_bits;
        let address_bits = (ENGINE_STRIDE_BYTES / REGISTER_BYTES).ilog2() as usize;
        let flag = || Reg::with_reset(&clocks, 1, 0);
        let count = || Reg::with_reset(&clocks, 32, 0);
        Copier {
            registers: RegisterPort::new(address_bits),
            read: StreamOut::new(line_bits + reads.length_bits),
            line_valid: Net::bit(),
            line_data: Net::new(LINE_BITS),
            line_response: Net::new(2),
            line_last: Net::bit(),
            unexpected: Net::bit(),
            outstanding: Net::bit(),
            fault: Net::new(FAULT_BITS),
            fault_line: Net::new(line_bits),
            write: StreamOut::new(line_bits + writes.length_bits),
            line: StreamOut::new(STROBED_BITS),
            write_done: Net::bit(),
            write_response: Net::new(2),
            interrupt: Net::bit(),
            guard: RegisterGuard::new(address_bits, &GUARDED),
            bank: RegisterBank::new(address_bits, &records(TABLE)),
            lines: SyncFifo::new(reads.most_lines, LINE_BITS),
            state: EnumReg::with_reset(&clocks, State::Idle),
            busy: flag(),
            source: Reg::new(&clocks, line_bits),
            destination: Reg::new(&clocks, line_bits),
            source_past: Reg::new(&clocks, 1),
            destination_past: Reg::new(&clocks, 1),
            end: Reg::new(&clocks, LENGTH_BITS + 1),
            left: Reg::new(&clocks, LINES_BITS),
            head: Reg::new(&clocks, LINE_BYTES),
            tail: Reg::new(&clocks, LINE_BYTES),
            is_first: Reg::new(&clocks, 1),
            longest: Reg::new(&clocks, reads.length_bits),
            in_page: Reg::new(&clocks, PAGE_BITS),
            burst: Reg::new(&clocks, reads.length_bits),
            place: Reg::with_reset(&clocks, reads.length_bits, 0),
            unanswered: Reg::with_reset(&clocks, writes.most_writes.ilog2() as usize + 2, 0),
            quiet: Reg::with_reset(&clocks, QUIET_BITS, 0),
            is_broken: flag(),
            code: Reg::with_reset(&clocks, 4, 0),
            fault_seen: Reg::with_reset(&clocks, FAULT_BITS, 0),
            fault_line_seen: Reg::new(&clocks, line_bits),
            interrupting: flag(),
            lines_read: count(),
            lines_written: count(),
            busy_clocks: count(),
            clocks,
            _config: config.clone(),
        }
    }
}

/// Copies bytes, burst by burst.
#[kernel]
impl Copier {
    fn logic(&self) {
        self.register();
        job::job(self);
        job::burst(self);
        lines::fill(self);
        lines::give(self);
        lines::faults(self);
        self.count();
    }

    fn register(&self) {
        /// # Registers
        let (guard, bank) = (&self.guard, &self.bank);
        guard.clocks.follow(&self.clocks);
        bank.clocks.follow(&self.clocks);
        guard.port.forward(&self.registers);
        bank.port.serve(&guard.bank);
        guard.busy.next = self.busy.val();
        bank.input.of("STATUS", "BUSY").next = self.busy.val();
        bank.input.of("STATUS", "CODE").next = self.code.val();
        bank.input.of("INTERRUPT", "DONE").next = self.state.val() == State::Finish;
        bank.input.of("LINES_READ", "COUNT").next = self.lines_read.val();
        bank.input.of("LINES_WRITTEN", "COUNT").next = self.lines_written.val();
        bank.input.of("BUSY_CLOCKS", "COUNT").next = self.busy_clocks.val();
        let pending = bank.output.of("INTERRUPT", "DONE").val();
        self.interrupting.next = pending && bank.output.of("INTERRUPT_ENABLE", "DONE").val();
        self.interrupt.next = self.interrupting.val();
    }

    fn count(&self) {
        /// # Counters
        for (counter, event) in [
            (&self.lines_read, lines::comes(self)),
            (&self.lines_written, self.line.moves()),
            (&self.busy_clocks, self.busy.val()),
        ] {
            if event && !counter.val().all() {
                counter.next = counter.val() + 1;
            }
        }
    }
}
