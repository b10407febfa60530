//! `copier`: the hardware of the engine `copy`.
//!
//! A job goes burst by burst: as many lines as are left, as a burst may have, and as lie in front of the next boundary of
//! 4 KiB on either side. They are read into a FIFO, and written when all of them have come. The first and the last line of a
//! job are written in part, by strobes. A burst that could not be read is not written and ends the job.
//!
//! Latency of a burst of n lines: that of memory and 2 n + 9 clocks. One FIFO of a burst in LUT RAM.

use super::registers::{GUARDED, LENGTH_BITS, TABLE};
use super::{read_shape, write_shape};
use crate::engine::memory::{FAULT_BITS, LINE_BITS, LINE_BYTES, QUIET_BITS};
use crate::system::register_guard::RegisterGuard;
use crate::system::registers::{ENGINE_STRIDE_BYTES, REGISTER_BYTES, records};
use crate::system::write_port::STROBED_BITS;
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

/// Ends of jobs, as `STATUS` shows them.
const LENGTH_OF_ZERO: u32 = 1;
const DIFFERENT_PLACES: u32 = 2;
const PAST_THE_END: u32 = 3;
const READ_FAILED: u32 = 4;
const WRITE_FAILED: u32 = 5;
const WRONG_LENGTH: u32 = 6;

/// What becomes of the job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HardwareEnum)]
enum State {
    /// There is none.
    Idle,
    /// Its ends are being found out.
    Measure,
    /// Its rules are looked at.
    Check,
    /// The limits of a burst are found out.
    Limit,
    /// The smallest of them is.
    Plan,
    /// The burst is to be read.
    Ask,
    /// Its lines come.
    Fill,
    /// It is to be written.
    Offer,
    /// Its lines are given.
    Give,
    /// Nothing more of a broken answer must come.
    Drain,
    /// Writes are to be answered.
    Await,
    /// The end is made known.
    Finish,
}

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
        self.job();
        self.burst();
        self.fill();
        self.give();
        self.faults();
        self.count();
    }

    fn register(&self) {
        /// # Registers
        let (guard, bank) = (&self.guard, &self.bank);
        guard.clocks.follow(&self.clocks);
        bank.clocks.follow(&self.clocks);
        let (inner, outer) = (&guard.port, &self.registers);
        inner.valid.next = outer.valid.val();
        inner.is_write.next = outer.is_write.val();
        inner.address.next = outer.address.val();
        inner.write_data.next = outer.write_data.val();
        inner.strobes.next = outer.strobes.val();
        outer.done.next = inner.done.val();
        outer.failed.next = inner.failed.val();
        outer.read_data.next = inner.read_data.val();
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

    /// An address from its registers.
    fn address(&self, low: &str, high: &str) -> Bits {
        let output = &self.bank.output;
        let bits = self._config.axi().address_bits() as usize;
        let (low, high) = (output.of(low, "ADDRESS").val(), output.of(high, "ADDRESS").val());
        // An address has 32 bits at least.
        match bits - 32 {
            0 => {
                discard(high, "the memory port has no such bits");
                low
            }
            32 => cat(&[high, low]),
            more => {
                discard(high.high(32 - more), "the memory port has no such bits");
                cat(&[high.low(more), low])
            }
        }
    }

    /// One bit: so many bytes from an address on end past the address space.
    fn is_past(&self, address: Bits, length: Bits) -> Bits {
        let bits = address.width();
        let end = address.zero_extend(bits + 1) + length.zero_extend(bits + 1);
        end.high(1) && end.low(bits).any()
    }

    fn job(&self) {
        /// # Job
        let source = self.address("SOURCE_LOW", "SOURCE_HIGH");
        let destination = self.address("DESTINATION_LOW", "DESTINATION_HIGH");
        let length = self.bank.output.of("LENGTH", "BYTES").val();
        let line_bits = self.source.width();
        let (first, same) = (source.low(BYTE_BITS), source.low(BYTE_BITS) == destination.low(BYTE_BITS));
        self.source_past.next = self.is_past(source, length);
        self.destination_past.next = self.is_past(destination, length);
        self.end.next = first.zero_extend(LENGTH_BITS + 1) + length.zero_extend(LENGTH_BITS + 1);
        let last = self.end.val().low(BYTE_BITS);
        let has_part = last.any();
        let is_refused = !length.any() || !same || self.source_past.val() || self.destination_past.val();
        let refusal = if !length.any() {
            lit(4, LENGTH_OF_ZERO)
        } else if !same {
            lit(4, DIFFERENT_PLACES)
        } else {
            lit(4, PAST_THE_END)
        };
        let state = self.state.val();
        if state == State::Check {
            self.source.next = source.high(line_bits);
            self.destination.next = destination.high(line_bits);
            let whole = self.end.val().high(LINES_BITS);
            self.left.next = whole + has_part.zero_extend(LINES_BITS);
            let bytes = || (0..LINE_BYTES as u64).rev();
            self.head.next = cat(&bytes().map(|byte| first <= byte).collect::<Vec<_>>());
            self.tail.next = cat(&bytes().map(|byte| !has_part || last > byte).collect::<Vec<_>>());
            self.is_first.next = 1;
            self.is_broken.next = 0;
            self.code.next = if is_refused { refusal } else { lit(4, 0u32) };
        }
        match state {
            State::Idle => {
                if self.bank.output.of("CONTROL", "START").val() {
                    self.busy.next = 1;
                    self.state.next = State::Measure;
                }
            }
            State::Measure => self.state.next = State::Check,
            State::Check => {
                if is_refused {
                    self.state.next = State::Finish;
                } else {
                    self.state.next = State::Limit;
                }
            }
            State::Limit => self.state.next = State::Plan,
            State::Plan => self.state.next = State::Ask,
            State::Ask => {
                if self.read.ready.val() {
                    self.state.next = State::Fill;
                }
            }
            State::Fill => {
                if self.is_wrong() || self.is_broken.val() {
                    self.state.next = State::Drain;
                } else if self.fills() {
                    if self.code.val().any() || self.fails() {
                        self.state.next = State::Await;
                    } else {
                        self.state.next = State::Offer;
                    }
                }
            }
            State::Offer => {
                if self.write.ready.val() {
                    self.state.next = State::Give;
                }
            }
            State::Give => {
                if self.gives() {
                    if self.is_broken.val() {
                        self.state.next = State::Drain;
                    } else if self.is_last_burst() || self.code.val().any() {
                        self.state.next = State::Await;
                    } else {
                        self.state.next = State::Limit;
                    }
                }
            }
            State::Drain => {
                if self.quiet.val().all() {
                    self.state.next = State::Await;
                }
            }
            State::Await => {
                if !self.unanswered.val().any() && !self.lines.level.val().any() {
                    self.state.next = State::Finish;
                }
            }
            State::Finish => {
                self.busy.next = 0;
                self.state.next = State::Idle;
            }
        }
    }

    fn burst(&self) {
        /// # Burst
        let (source, destination) = (self.source.val(), self.destination.val());
        let length_bits = self.burst.width();
        let left = self.left.val() - 1;
        let has_more = left.high(LINES_BITS - length_bits).any();
        self.longest.next = left.low(length_bits) | has_more.repeat(length_bits);
        let (ahead, behind) = (!source.low(PAGE_BITS), !destination.low(PAGE_BITS));
        self.in_page.next = if ahead < behind { ahead } else { behind };
        let longest = self.longest.val().zero_extend(PAGE_BITS);
        let in_page = self.in_page.val();
        let burst = if longest < in_page { longest } else { in_page };
        discard(burst.high(PAGE_BITS - length_bits), "a burst is as long as it may be");
        if self.state.val() == State::Plan {
            self.burst.next = burst.low(length_bits);
        }
        self.read.valid.next = self.state.val() == State::Ask;
        self.read.data.next = cat(&[self.burst.val(), source]);
        self.write.valid.next = self.state.val() == State::Offer;
        self.write.data.next = cat(&[self.burst.val(), destination]);
        let count = self.burst.val().zero_extend(self.source.width()) + 1;
        if self.gives() {
            self.source.next = source + count;
            self.destination.next = destination + count;
            self.left.next = self.left.val() - (self.burst.val().zero_extend(LINES_BITS) + 1);
            self.is_first.next = 0;
        }
    }

    /// One bit: what goes wrong counts for the job. Until its rules have been looked at it has asked for nothing, and what
    /// comes is not its own.
    fn is_at_work(&self) -> Bits {
        self.busy.val() && self.state.val() != State::Check
    }

    /// One bit: the burst is the job's last one.
    fn is_last_burst(&self) -> Bits {
        self.left.val() == self.burst.val().zero_extend(LINES_BITS) + 1
    }

    /// One bit: a line comes that belongs to the burst.
    fn comes(&self) -> Bits {
        self.line_valid.val() && self.state.val() == State::Fill
    }

    /// One bit: the last line of the burst comes.
    fn fills(&self) -> Bits {
        self.comes() && self.place.val() == self.burst.val()
    }

    /// One bit: a line comes that could not be read.
    fn fails(&self) -> Bits {
        self.comes() && self.line_response.val().bit(1)
    }

    /// One bit: an answer ends too early or too late.
    fn is_wrong(&self) -> Bits {
        self.comes() && (self.line_last.val() ^ self.fills())
    }

    /// One bit: the last line of the burst is given.
    fn gives(&self) -> Bits {
        self.line.moves() && self.place.val() == self.burst.val()
    }

    fn fill(&self) {
        /// # Lines that come
        let lines = &self.lines;
        lines.clocks.follow(&self.clocks);
        lines.input.valid.next = self.comes();
        lines.input.data.next = self.line_data.val();
        discard(lines.input.ready.val(), "there is room for a burst");
        if self.fills() || self.gives() || self.state.val() == State::Drain {
            self.place.next = 0;
        } else if self.comes() || self.line.moves() {
            self.place.next = self.place.val() + 1;
        }
        if self.unexpected.val() && self.is_at_work() {
            self.is_broken.next = 1;
        }
        let is_quiet = !self.outstanding.val() && !self.line_valid.val() && !self.unexpected.val();
        if is_quiet && self.state.val() == State::Drain {
            self.quiet.next = self.quiet.val() + 1;
        } else {
            self.quiet.next = 0;
        }
    }

    fn give(&self) {
        /// # Lines that are given
        let output = &self.lines.output;
        let gives = self.state.val() == State::Give;
        let drops = self.state.val() == State::Drain || self.state.val() == State::Await;
        output.ready.next = (gives && self.line.ready.val()) || drops;
        self.line.valid.next = gives && output.valid.val();
        let is_head = self.is_first.val() && !self.place.val().any();
        let is_tail = self.is_last_burst() && self.place.val() == self.burst.val();
        let head = self.head.val() | (!is_head).repeat(LINE_BYTES);
        let tail = self.tail.val() | (!is_tail).repeat(LINE_BYTES);
        self.line.data.next = cat(&[head & tail, output.data.val()]);
        let starts = self.write.moves();
        let width = self.unanswered.width();
        let ends = self.write_done.val();
        let change = cat(&[(ends && !starts).repeat(width - 1), ends ^ starts]);
        self.unanswered.next = self.unanswered.val() + change;
    }

    fn faults(&self) {
        /// # Faults
        let response = self.line_response.val();
        let is_wrong = self.is_wrong() || self.unexpected.val();
        self.fault_seen.next =
            cat(&[is_wrong, self.fails() && response.bit(0), self.fails() && !response.bit(0)]);
        self.fault_line_seen.next = self.source.val() + self.place.val().zero_extend(self.source.width());
        self.fault.next = self.fault_seen.val();
        self.fault_line.next = self.fault_line_seen.val();
        /// What has failed first is told.
        let write_fails = self.write_done.val() && self.write_response.val().bit(1);
        discard(self.write_response.val().bit(0), "the port tells one failure from the other");
        if self.is_at_work() && !self.code.val().any() {
            if is_wrong {
                self.code.next = u64::from(WRONG_LENGTH);
            } else if self.fails() {
                self.code.next = u64::from(READ_FAILED);
            } else if write_fails {
                self.code.next = u64::from(WRITE_FAILED);
            }
        }
    }

    fn count(&self) {
        /// # Counters
        for (counter, event) in [
            (&self.lines_read, self.comes()),
            (&self.lines_written, self.line.moves()),
            (&self.busy_clocks, self.busy.val()),
        ] {
            if event && !counter.val().all() {
                counter.next = counter.val() + 1;
            }
        }
    }
}
