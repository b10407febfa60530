//! `job`: the registers, the start of a frame and its end.
//!
//! Whatever ends a frame stops the reads; when memory is quiet and all that was to be written has been answered, `clear` empties all stages, and the frame
//! ends. A write that failed was before any other fault.
//!
//! Cost: three counters of 32 bits; 300 clocks and more behind the last pixel.

use super::records::BYTE_BITS;
use super::registers::{GUARDED, IDENTITY, RESET_CODE, TABLE};
use super::tile_fetch::words::{ADDRESS_BITS as BYTE_ADDRESS_BITS, CODE_BITS, FaultWord};
use super::words::LINE_NUMBER_BITS;
use crate::system::register_guard::RegisterGuard;
use crate::system::registers::{ENGINE_STRIDE_BYTES, REGISTER_BYTES, records};
use tmu_hdl::bus::{RegisterBank, RegisterPort};
use tmu_hdl::prelude::*;
use tmu_spec::pixel::FaultCode;

/// Bits of the number of a register.
pub const ADDRESS_BITS: usize = (ENGINE_STRIDE_BYTES / REGISTER_BYTES).ilog2() as usize;
/// Bits of the clocks in which all is cleared.
const CLEAR_BITS: usize = 4;
/// Bits of a counter.
const COUNTER_BITS: usize = 32;

/// What becomes of the frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HardwareEnum)]
enum State {
    /// There is none.
    Idle,
    /// Its address is looked at.
    Check,
    /// It starts.
    Start,
    /// It is drawn.
    Run,
    /// Memory is to become quiet.
    Drain,
    /// Everything is emptied.
    Clear,
    /// The end is made known.
    Finish,
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Job {
    /// Clock and reset.
    pub clocks: Clocks,
    /// The registers.
    pub registers: RegisterPort,
    /// A frame has ended, and that interrupts.
    pub interrupt: Net<Out>,
    /// A frame starts, for this clock.
    pub start: Net<Out>,
    /// The line of its record.
    pub address: Net<Out>,
    /// Nothing more is to be asked for.
    pub stops: Net<Out>,
    /// All stages are emptied.
    pub clear: Net<Out>,
    /// The frame has been drawn as far as it goes.
    pub finished: Net<In>,
    /// With a fault.
    pub has_failed: Net<In>,
    /// Which.
    pub fault: FaultWord<Field<In>>,
    /// Nothing is to come from memory, and nothing has for a while.
    pub is_quiet: Net<In>,
    /// All that was to be written has been answered.
    pub is_written: Net<In>,
    /// A write has failed.
    pub write_failed: Net<In>,
    /// Which.
    pub write_fault: FaultWord<Field<In>>,
    /// A line comes.
    pub reads: Net<In>,
    /// A line is written.
    pub writes: Net<In>,
    guard: RegisterGuard,
    bank: RegisterBank,
    state: EnumReg<State>,
    busy: Reg,
    clears: Reg,
    is_reset: Reg,
    is_over: Reg,
    code: Reg,
    fault_address: Reg,
    interrupting: Reg,
    counters: [Reg; 3],
}

impl Job {
    /// The stage.
    #[must_use]
    pub fn new() -> Job {
        let clocks = Clocks::new();
        let flag = || Reg::with_reset(&clocks, 1, 0);
        let counter = || Reg::with_reset(&clocks, COUNTER_BITS, 0);
        Job {
            registers: RegisterPort::new(ADDRESS_BITS),
            interrupt: Net::bit(),
            start: Net::bit(),
            address: Net::new(LINE_NUMBER_BITS),
            stops: Net::bit(),
            clear: Net::bit(),
            finished: Net::bit(),
            has_failed: Net::bit(),
            fault: FaultWord::shape().nets(),
            is_quiet: Net::bit(),
            is_written: Net::bit(),
            write_failed: Net::bit(),
            write_fault: FaultWord::shape().nets(),
            reads: Net::bit(),
            writes: Net::bit(),
            guard: RegisterGuard::new(ADDRESS_BITS, &GUARDED),
            bank: RegisterBank::new(ADDRESS_BITS, &records(TABLE)),
            state: EnumReg::with_reset(&clocks, State::Idle),
            busy: flag(),
            clears: Reg::new(&clocks, CLEAR_BITS),
            is_reset: flag(),
            is_over: flag(),
            code: Reg::with_reset(&clocks, CODE_BITS, 0),
            fault_address: Reg::with_reset(&clocks, BYTE_ADDRESS_BITS, 0),
            interrupting: flag(),
            counters: [counter(), counter(), counter()],
            clocks,
        }
    }

    /// What a register says of the frame.
    fn setting(&self, register: &str, field: &str) -> Bits {
        self.bank.output.of(register, field).val()
    }
}

impl Default for Job {
    fn default() -> Job {
        Job::new()
    }
}

/// The registers, the start of a frame and its end.
#[kernel]
impl Job {
    fn module_name(&self) -> String {
        "pixel_job".into()
    }

    /// One bit: the frame is in this state.
    fn is(&self, state: State) -> Bits {
        self.state.val() == state
    }

    fn logic(&self) {
        self.register();
        self.states();
        self.end();
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
        bank.input.of("IDENTITY", "VALUE").next = lit(32, IDENTITY);
        bank.input.of("INTERRUPT", "DONE").next = self.is(State::Finish);
        bank.input.of("STATUS", "BUSY").next = self.busy.val();
        bank.input.of("STATUS", "ERROR").next = self.code.val().any();
        bank.input.of("STATUS", "CODE").next = self.code.val();
        bank.input.of("FAULT_ADDRESS", "ADDRESS").next = self.fault_address.val();
        for (counter, name) in self.counters.iter().zip(["LINES_READ", "LINES_WRITTEN", "BUSY_CLOCKS"]) {
            bank.input.of(name, "COUNT").next = counter.val();
        }
        self.interrupting.next =
            self.setting("INTERRUPT", "DONE") && self.setting("INTERRUPT_ENABLE", "DONE");
        self.interrupt.next = self.interrupting.val();
    }

    /// One bit: the frame's record cannot stand at its address.
    fn is_refused(&self) -> Bits {
        self.setting("FRAME", "ADDRESS").low(BYTE_BITS).any()
    }

    fn states(&self) {
        /// # States
        match self.state.val() {
            State::Idle => {
                if self.setting("CONTROL", "START") {
                    self.busy.next = 1;
                    self.state.next = State::Check;
                }
            }
            State::Check => {
                if self.is_refused() {
                    self.state.next = State::Finish;
                } else {
                    self.state.next = State::Start;
                }
            }
            State::Start => self.state.next = State::Run,
            State::Run => {
                if self.is_over.val() {
                    self.state.next = State::Drain;
                }
            }
            State::Drain => {
                if self.is_quiet.val() && self.is_written.val() {
                    self.state.next = State::Clear;
                }
            }
            State::Clear => {
                if self.clears.val().all() {
                    self.state.next = State::Finish;
                }
            }
            State::Finish => {
                self.busy.next = 0;
                self.state.next = State::Idle;
            }
        }
        self.clears.next = if self.is(State::Clear) { self.clears.val() + 1 } else { lit(CLEAR_BITS, 0u32) };
        self.start.next = self.is(State::Start);
        self.address.next = self.setting("FRAME", "ADDRESS").high(LINE_NUMBER_BITS);
        self.stops.next = self.is(State::Drain) || self.is(State::Clear);
        self.clear.next = self.is(State::Clear);
    }

    fn end(&self) {
        /// # End
        self.is_reset.next = (self.setting("RESET", "END") || self.is_reset.val()) && self.busy.val();
        self.is_over.next = self.finished.val() || self.write_failed.val() || self.is_reset.val();
        let (fault, write_fault) = (self.fault.val(), self.write_fault.val());
        let ends = self.is(State::Run) && self.is_over.val();
        if self.is(State::Check) {
            let refused = self.is_refused();
            let code = lit(CODE_BITS, FaultCode::Frame as u32);
            self.code.next = code & refused.repeat(CODE_BITS);
            self.fault_address.next = self.setting("FRAME", "ADDRESS") & refused.repeat(BYTE_ADDRESS_BITS);
        } else if self.is(State::Drain) && self.write_failed.val() {
            self.code.next = write_fault.code;
            self.fault_address.next = write_fault.address;
        } else if ends && self.has_failed.val() {
            self.code.next = fault.code;
            self.fault_address.next = fault.address;
        } else if ends && self.is_reset.val() {
            self.code.next = lit(CODE_BITS, RESET_CODE);
        }
    }

    fn count(&self) {
        /// # Counters
        let events = [self.reads.val(), self.writes.val(), self.busy.val()];
        for (counter, event) in self.counters.iter().zip(events) {
            if self.is(State::Idle) && self.setting("CONTROL", "START") {
                counter.next = 0;
            } else if event && !counter.val().all() {
                counter.next = counter.val() + 1;
            }
        }
    }
}
