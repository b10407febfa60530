//! `job`: the registers, the rules of a job, its levels, its start and its end, and what has failed.
//!
//! A level is set up in a few clocks while nothing moves ([`level`]), then started; when its last line has been answered the next one is
//! set up. What fails stops the reads; when memory is quiet, `clear` empties all other stages, and the job ends.
//!
//! Cost: three counters of 32 bits, a sequential divider, one DSP slice.

pub mod level;
pub mod reciprocal;
pub mod rules;

use super::job_port::EndWord;
use super::registers::{GUARDED, IDENTITY, TABLE, code};
use super::words::{
    AXES, FaultWord, LINE_ADDRESS_BITS, LevelWord, RESPONSE_BITS, SIDE_BITS, fault_word, level_word,
};
use crate::system::register_guard::RegisterGuard;
use crate::system::registers::{ENGINE_STRIDE_BYTES, REGISTER_BYTES, records};
use level::{Prepared, prepared};
use reciprocal::Reciprocal;
use tmu_hdl::bus::{RegisterBank, RegisterPort};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{Multiplier, Operand};
use tmu_spec::general::texture::MAX_LEVELS;

/// Bits of the number of a register.
pub const ADDRESS_BITS: usize = (ENGINE_STRIDE_BYTES / REGISTER_BYTES).ilog2() as usize;
/// Bits of a code of an end.
pub const CODE_BITS: usize = 4;
/// Bits of the number of a level.
pub(super) const LEVEL_BITS: usize = 4;
/// Bits of the clocks in which a level's numbers settle, and in which all is cleared.
const SETTLE_BITS: usize = 4;
/// Bits of a counter.
const COUNTER_BITS: usize = 32;

/// What becomes of the job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HardwareEnum)]
pub enum State {
    /// There is none.
    Idle,
    /// Its rules are looked at.
    Measure,
    /// They are known.
    Check,
    /// The numbers of a level settle.
    Settle,
    /// An odd axis is to be divided by.
    Ask,
    /// It is divided.
    Divide,
    /// The level starts.
    Start,
    /// It is made.
    Run,
    /// Something has failed, and memory is to become quiet.
    Drain,
    /// Everything is emptied.
    Clear,
    /// The next level is smaller.
    Next,
    /// The end is made known.
    Finish,
}

/// What the job port is told of a job.
#[derive(Bundle)]
pub struct EndPorts {
    /// There is one.
    pub is_busy: Net<Out>,
    /// It ends in this clock.
    pub happens: Net<Out>,
    /// How.
    pub word: EndWord<Field<Out>>,
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Job {
    /// Clock and reset.
    pub clocks: Clocks,
    /// The registers.
    pub registers: RegisterPort,
    /// A job has ended, and that interrupts.
    pub interrupt: Net<Out>,
    /// A level starts, for this clock.
    pub start: Net<Out>,
    /// Nothing more is to be asked for.
    pub stops: Net<Out>,
    /// All stages are emptied.
    pub clear: Net<Out>,
    /// The first line of the level.
    pub texture: Net<Out>,
    /// The job's first level starts.
    pub starts_job: Net<Out>,
    /// What holds for the level.
    pub level: LevelWord<Field<Out>>,
    /// The line behind the last one that was written.
    pub next_line: Net<In>,
    /// A level has been written and answered, for this clock.
    pub finished: Net<In>,
    /// Nothing is to come from memory, and has not been for a while.
    pub is_quiet: Net<In>,
    /// All that was to be written has been answered.
    pub is_written: Net<In>,
    /// A read has failed.
    pub read_fault: FaultWord<Field<In>>,
    /// A write has failed.
    pub write_fault: FaultWord<Field<In>>,
    /// A line comes.
    pub reads: Net<In>,
    /// A line is written.
    pub writes: Net<In>,
    /// What the job port is told.
    pub end: Optional<EndPorts>,
    guard: RegisterGuard,
    bank: RegisterBank,
    state: EnumReg<State>,
    busy: Reg,
    settle: Reg,
    pub(super) sides: [Reg; AXES],
    pub(super) number: Reg,
    /// First line of the level, and of the one above it.
    pub(super) first: Reg,
    pub(super) above: Reg,
    pub(super) prepared: Prepared<FieldReg>,
    pub(super) slice_lines: Multiplier,
    axis: Reg,
    divider: Reciprocal,
    pub(super) reciprocals: [Reg; AXES],
    pub(super) wholes: [Reg; AXES],
    pub(super) any_side: Reg,
    /// For each level whether a side is large enough for it, first from its bit and the three above it, then from all.
    pub(super) reaches_near: Reg,
    pub(super) reaches: Reg,
    is_last_level: Reg,
    is_refused: Reg,
    pub(super) looked: rules::Looked<FieldReg>,
    pub(super) broken: Reg,
    code: Reg,
    response: Reg,
    fault_line: Reg,
    /// `RESET` was written while the job is at work.
    is_reset: Reg,
    happened: Reg,
    found: Reg,
    found_response: Reg,
    found_line: Reg,
    interrupting: Reg,
    counters: [Reg; 3],
}

impl Job {
    /// The stage, with a job port beside its registers or without.
    #[must_use]
    pub fn new(has_job_port: bool) -> Job {
        let clocks = Clocks::new();
        let flag = || Reg::with_reset(&clocks, 1, 0);
        let side = || Reg::new(&clocks, SIDE_BITS);
        let quotient = || Reg::new(&clocks, super::words::RECIPROCAL_BITS);
        let counter = || Reg::with_reset(&clocks, COUNTER_BITS, 0);
        Job {
            registers: RegisterPort::new(ADDRESS_BITS),
            interrupt: Net::bit(),
            start: Net::bit(),
            stops: Net::bit(),
            clear: Net::bit(),
            texture: Net::new(LINE_ADDRESS_BITS),
            starts_job: Net::bit(),
            level: level_word().nets(),
            next_line: Net::new(LINE_ADDRESS_BITS),
            finished: Net::bit(),
            is_quiet: Net::bit(),
            is_written: Net::bit(),
            read_fault: fault_word().nets(),
            write_fault: fault_word().nets(),
            reads: Net::bit(),
            writes: Net::bit(),
            end: Optional::new(has_job_port, || EndPorts {
                is_busy: Net::bit(),
                happens: Net::bit(),
                word: EndWord::shape().nets(),
            }),
            guard: RegisterGuard::new(ADDRESS_BITS, &GUARDED),
            bank: RegisterBank::new(ADDRESS_BITS, &records(TABLE)),
            state: EnumReg::with_reset(&clocks, State::Idle),
            busy: flag(),
            settle: Reg::new(&clocks, SETTLE_BITS),
            sides: [side(), side(), side()],
            number: Reg::new(&clocks, LEVEL_BITS),
            first: Reg::new(&clocks, LINE_ADDRESS_BITS),
            above: Reg::new(&clocks, LINE_ADDRESS_BITS),
            prepared: prepared().registers(&clocks),
            slice_lines: Multiplier::new(
                Operand::unsigned(level::PITCH_BITS),
                Operand::unsigned(super::words::TILES_BITS),
            ),
            axis: Reg::new(&clocks, 2),
            divider: Reciprocal::new(),
            reciprocals: [quotient(), quotient(), quotient()],
            wholes: [quotient(), quotient(), quotient()],
            any_side: Reg::new(&clocks, SIDE_BITS),
            reaches_near: Reg::new(&clocks, SIDE_BITS),
            reaches: Reg::new(&clocks, MAX_LEVELS as usize),
            is_last_level: Reg::new(&clocks, 1),
            is_refused: Reg::new(&clocks, 1),
            looked: rules::looked().registers(&clocks),
            broken: Reg::new(&clocks, rules::RULES),
            code: Reg::with_reset(&clocks, CODE_BITS, 0),
            response: Reg::with_reset(&clocks, RESPONSE_BITS, 0),
            fault_line: Reg::with_reset(&clocks, LINE_ADDRESS_BITS, 0),
            is_reset: flag(),
            happened: flag(),
            found: Reg::new(&clocks, CODE_BITS),
            found_response: Reg::new(&clocks, RESPONSE_BITS),
            found_line: Reg::new(&clocks, LINE_ADDRESS_BITS),
            interrupting: flag(),
            counters: [counter(), counter(), counter()],
            clocks,
        }
    }

    /// What a register says of the job.
    pub(super) fn setting(&self, register: &str, field: &str) -> Bits {
        self.bank.output.of(register, field).val()
    }
}

/// The registers, the rules of a job, its levels, its start and its end.
#[kernel]
impl Job {
    fn module_name(&self) -> String {
        "loader_job".into()
    }

    /// One bit: the job is in this state.
    pub(super) fn is(&self, state: State) -> Bits {
        self.state.val() == state
    }

    fn logic(&self) {
        self.register();
        rules::look(self);
        level::prepare(self);
        self.states();
        self.divide();
        self.faults();
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
        bank.input.of("STATUS", "RESPONSE").next = self.response.val();
        bank.input.of("FAULT_ADDRESS", "ADDRESS").next =
            cat(&[self.fault_line.val(), lit(32 - LINE_ADDRESS_BITS, 0u32)]);
        for (counter, name) in self.counters.iter().zip(["LINES_READ", "LINES_WRITTEN", "BUSY_CLOCKS"]) {
            bank.input.of(name, "COUNT").next = counter.val();
        }
        self.interrupting.next =
            self.setting("INTERRUPT", "DONE") && self.setting("INTERRUPT_ENABLE", "DONE");
        self.interrupt.next = self.interrupting.val();
        if let Some(end) = self.end.as_ref() {
            end.is_busy.next = self.busy.val();
            end.happens.next = self.is(State::Finish);
            end.word.next =
                EndWord { code: self.code.val(), response: self.response.val(), line: self.fault_line.val() };
        }
    }

    fn states(&self) {
        /// # States
        let has_settled = self.settle.val().all();
        let is_last_axis = self.axis.val() == (AXES - 1) as u64;
        let levels = self.setting("LEVELS", "COUNT").low(LEVEL_BITS);
        self.is_last_level.next = self.number.val() + 1 == levels;
        self.is_refused.next = self.broken.val().any();
        match self.state.val() {
            State::Idle => {
                if self.setting("CONTROL", "START") {
                    self.busy.next = 1;
                    self.state.next = State::Measure;
                }
            }
            State::Measure => {
                if has_settled {
                    self.state.next = State::Check;
                }
            }
            State::Check => {
                if self.is_refused.val() {
                    self.state.next = State::Finish;
                } else {
                    self.state.next = State::Settle;
                }
            }
            State::Settle => {
                if self.happened.val() {
                    self.state.next = State::Drain;
                } else if has_settled {
                    self.state.next = State::Ask;
                }
            }
            State::Ask => self.state.next = State::Divide,
            State::Divide => {
                if self.divider.done.val() {
                    if is_last_axis {
                        self.state.next = State::Start;
                    } else {
                        self.state.next = State::Ask;
                    }
                }
            }
            State::Start => self.state.next = State::Run,
            State::Run => {
                if self.happened.val() {
                    self.state.next = State::Drain;
                } else if self.finished.val() {
                    self.state.next = State::Next;
                }
            }
            State::Drain => {
                if self.is_quiet.val() && self.is_written.val() {
                    self.state.next = State::Clear;
                }
            }
            State::Clear => {
                if has_settled {
                    self.state.next = State::Finish;
                }
            }
            State::Next => {
                if self.is_last_level.val() {
                    self.state.next = State::Finish;
                } else {
                    self.state.next = State::Settle;
                }
            }
            State::Finish => {
                self.busy.next = 0;
                self.state.next = State::Idle;
            }
        }
        if self.is(State::Measure) || self.is(State::Settle) || self.is(State::Clear) {
            self.settle.next = self.settle.val() + 1;
        } else {
            self.settle.next = 0;
        }
        self.start.next = self.is(State::Start);
        self.starts_job.next = self.is(State::Start) && !self.number.val().any();
        self.stops.next = self.is(State::Drain) || self.is(State::Clear);
        self.clear.next = self.is(State::Clear);
    }

    fn divide(&self) {
        /// # Odd axes
        let divider = &self.divider;
        divider.clocks.follow(&self.clocks);
        divider.start.next = self.is(State::Ask);
        let [x, y, z] = self.sides.each_ref().map(Reg::val);
        let (is_y, is_z) = (self.axis.val().bit(0), self.axis.val().bit(1));
        let plane = if is_y { y } else { x };
        divider.side.next = if is_z { z } else { plane };
        let is_made = self.is(State::Divide) && divider.done.val();
        if is_made {
            self.axis.next = self.axis.val() + 1;
        } else if self.is(State::Settle) {
            self.axis.next = 0;
        }
        for axis in 0..AXES {
            if is_made && self.axis.val() == axis as u64 {
                self.reciprocals[axis].next = divider.reciprocal.val();
                self.wholes[axis].next = divider.whole.val();
            }
        }
    }

    fn faults(&self) {
        /// # Faults
        let (read, write) = (self.read_fault.val(), self.write_fault.val());
        self.is_reset.next = (self.setting("RESET", "END") || self.is_reset.val()) && self.busy.val();
        self.happened.next = read.happened || write.happened || self.is_reset.val();
        let other =
            if write.happened { lit(CODE_BITS, code::WRITE_FAULT) } else { lit(CODE_BITS, code::RESET) };
        self.found.next = if read.happened { lit(CODE_BITS, code::READ_FAULT) } else { other };
        let is_access = read.happened || write.happened;
        let response = if read.happened { read.response } else { write.response };
        self.found_response.next = response & is_access.repeat(RESPONSE_BITS);
        let line = if read.happened { read.line } else { write.line };
        self.found_line.next = line & is_access.repeat(LINE_ADDRESS_BITS);
        let has_code = self.code.val().any();
        let is_at_work = self.is(State::Settle) || self.is(State::Run) || self.is(State::Drain);
        if self.is(State::Check) {
            self.code.next = rules::refusal(self);
            self.response.next = 0;
            self.fault_line.next = 0;
        } else if self.happened.val() && !has_code && is_at_work {
            self.code.next = self.found.val();
            self.response.next = self.found_response.val();
            self.fault_line.next = self.found_line.val();
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
