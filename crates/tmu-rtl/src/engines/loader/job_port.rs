//! `job_port`: jobs that come as packets, beside those that a processor starts by the registers.
//!
//! A packet is what is written to the registers of a job, one behind the other. It is kept until its end. When no job is at work and
//! nobody accesses a register, its words are written to those registers, and the job is started; what the processor accesses
//! meanwhile waits, for at most [`WRITE_CLOCKS`]. Each packet is answered, in order: with the end of its job, or, if it has the wrong length and nothing was
//! started, with that.
//!
//! Contract: `is_busy` is high from two clocks behind the write that started a job at the latest until `ends`, which comes three clocks behind
//! that write at the earliest. An answer is taken before the next packet comes.
//!
//! Latency: a clock for each word, [`WRITE_CLOCKS`] to the start of the job. LUT RAM of 16 words.

use super::job::{ADDRESS_BITS, CODE_BITS};
use super::words::{LINE_ADDRESS_BITS, RESPONSE_BITS};
use tmu_hdl::bus::{RegisterPort, RegisterRequest};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::DistributedRam;
use tmu_spec::loader::job_port::{WORDS, WRONG_LENGTH};

/// Bits of a register, and of a beat of a packet.
pub const WORD_BITS: usize = 32;
/// Bits of the number of a word.
const NUMBER_BITS: usize = WORDS.ilog2() as usize + 1;
/// Clocks without an access and without a job before registers are written: a job that was just started shows by then.
const FREE_CLOCKS: usize = 4;
/// Clocks from the first write to the last one at most: each takes three, and a clock lies between them.
pub const WRITE_CLOCKS: usize = 4 * (WORDS + 1);

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HardwareEnum)]
enum State {
    /// Words of a packet come.
    Collect,
    /// It is whole.
    Wait,
    /// A register is written.
    Write,
    /// It has been.
    Pause,
    /// The job has been started.
    Started,
    /// It is at work.
    Run,
    /// It has ended.
    Tell,
}

/// How a job has ended.
#[derive(Clone, Debug, Record)]
pub struct EndWord<T = Bits> {
    /// As `STATUS` shows it, or [`WRONG_LENGTH`].
    pub code: T,
    /// How an access has failed.
    pub response: T,
    /// The line.
    pub line: T,
}

impl EndWord<Width> {
    /// Its shape.
    #[must_use]
    pub fn shape() -> EndWord<Width> {
        EndWord {
            code: Width::bits(CODE_BITS),
            response: Width::bits(RESPONSE_BITS),
            line: Width::bits(LINE_ADDRESS_BITS),
        }
    }
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct JobPort {
    /// Clock and reset.
    pub clocks: Clocks,
    /// Words of packets, and above them that one is the last.
    pub packet: StreamIn,
    /// How jobs have ended, see [`EndWord`].
    pub end: StreamOut,
    /// The control port's side.
    pub registers: RegisterPort,
    /// The registers' side.
    pub written: RegisterRequest,
    /// A job is at work.
    pub is_busy: Net<In>,
    /// A job ends in this clock.
    pub ends: Net<In>,
    /// How.
    pub ended: EndWord<Field<In>>,
    state: EnumReg<State>,
    /// The registers are written here.
    owns: Reg,
    /// Of the last clocks: nothing was under way.
    free: Reg,
    number: Reg,
    words: DistributedRam,
    told: EndWord<FieldReg>,
}

impl JobPort {
    /// The stage.
    #[must_use]
    pub fn new() -> JobPort {
        let clocks = Clocks::new();
        JobPort {
            packet: StreamIn::new(WORD_BITS + 1),
            end: StreamOut::new(EndWord::shape().width()),
            registers: RegisterPort::new(ADDRESS_BITS),
            written: RegisterRequest::new(ADDRESS_BITS),
            is_busy: Net::bit(),
            ends: Net::bit(),
            ended: EndWord::shape().nets(),
            state: EnumReg::with_reset(&clocks, State::Collect),
            owns: Reg::with_reset(&clocks, 1, 0),
            free: Reg::with_reset(&clocks, FREE_CLOCKS, 0),
            number: Reg::with_reset(&clocks, NUMBER_BITS, 0),
            words: DistributedRam::new(1 << NUMBER_BITS, WORD_BITS),
            told: EndWord::shape().registers(&clocks),
            clocks,
        }
    }
}

impl Default for JobPort {
    fn default() -> JobPort {
        JobPort::new()
    }
}

/// Packets to registers.
#[kernel]
impl JobPort {
    fn module_name(&self) -> String {
        "loader_job_port".into()
    }

    /// One bit: this is done.
    fn is(&self, state: State) -> Bits {
        self.state.val() == state
    }

    fn logic(&self) {
        self.collect();
        self.write();
        self.tell();
        self.states();
    }

    /// One bit: the last word of a packet comes.
    fn is_last(&self) -> Bits {
        self.packet.moves() && self.packet.data.val().high(1)
    }

    fn collect(&self) {
        /// # Packets
        let (packet, words, number) = (&self.packet, &self.words, self.number.val());
        let collects = self.is(State::Collect);
        packet.ready.next = collects;
        let is_over = number == WORDS as u64;
        words.clocks.follow(&self.clocks);
        words.write_enable.next = packet.moves() && !is_over;
        words.write_address.next = number;
        words.write_data.next = packet.data.val().low(WORD_BITS);
        words.read_address.next = number;
        let counts = if collects { packet.moves() && !is_over } else { self.is(State::Pause) };
        if self.is_last() || self.is(State::Started) {
            self.number.next = 0;
        } else if counts {
            self.number.next = number + 1;
        }
    }

    fn write(&self) {
        /// # Registers
        let (outer, inner, owns) = (&self.registers, &self.written, self.owns.val());
        let starts = self.number.val() == WORDS as u64;
        // The command that starts a job stands in front of its registers.
        let register = if starts { lit(NUMBER_BITS, 0u32) } else { self.number.val() + 1 };
        let word = if starts { lit(WORD_BITS, 1u32) } else { self.words.read_data.val() };
        let address = register.zero_extend(ADDRESS_BITS);
        inner.valid.next = if owns { self.is(State::Write) } else { outer.valid.val() };
        inner.is_write.next = owns || outer.is_write.val();
        inner.address.next = if owns { address } else { outer.address.val() };
        inner.write_data.next = if owns { word } else { outer.write_data.val() };
        inner.strobes.next = outer.strobes.val() | owns.repeat(outer.strobes.width());
        outer.done.next = inner.done.val() && !owns;
        // What is written here is never refused: no job is at work.
        outer.failed.next = inner.failed.val() && !owns;
        outer.read_data.next = inner.read_data.val();
        let is_free = !outer.valid.val() && !self.is_busy.val();
        self.free.next = cat(&[self.free.val().low(FREE_CLOCKS - 1), is_free]);
    }

    fn tell(&self) {
        /// # Ends
        let shape = EndWord::shape();
        if self.is(State::Collect) {
            self.told.next = EndWord {
                code: lit(CODE_BITS, u32::from(WRONG_LENGTH)),
                response: lit(RESPONSE_BITS, 0u32),
                line: lit(LINE_ADDRESS_BITS, 0u32),
            };
        } else if self.is(State::Run) && self.ends.val() {
            self.told.next = self.ended.val();
        }
        self.end.valid.next = self.is(State::Tell);
        self.end.data.next = shape.pack(&self.told.val());
    }

    fn states(&self) {
        /// # States
        let is_whole = self.number.val() == (WORDS - 1) as u64;
        let starts = self.number.val() == WORDS as u64;
        match self.state.val() {
            State::Collect => {
                if self.is_last() {
                    if is_whole {
                        self.state.next = State::Wait;
                    } else {
                        self.state.next = State::Tell;
                    }
                }
            }
            State::Wait => {
                if self.free.val().all() && !self.registers.valid.val() {
                    self.owns.next = 1;
                    self.state.next = State::Write;
                }
            }
            State::Write => {
                if self.written.done.val() {
                    if starts {
                        self.state.next = State::Started;
                    } else {
                        self.state.next = State::Pause;
                    }
                }
            }
            State::Pause => self.state.next = State::Write,
            State::Started => {
                self.owns.next = 0;
                self.state.next = State::Run;
            }
            State::Run => {
                if self.ends.val() {
                    self.state.next = State::Tell;
                }
            }
            State::Tell => {
                if self.end.ready.val() {
                    self.state.next = State::Collect;
                }
            }
        }
    }
}
