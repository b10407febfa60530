//! States and their programs into the slots of `shade`.
//!
//! The state of a triangle is looked for in the slots; where no slot has it, it is loaded with its program.
//!
//! Contract: behind each `looks` comes `found` or `fails`; `address` holds until then, and what is said of a state that was found until the next
//! one is looked for. Behind a line that could not be read neither comes.
//!
//! Cost: 4 clocks for a state that a slot has; else three times the latency of memory more, and a clock for each line of both. A FIFO in LUT RAM.

use super::check::{CHECK_BITS, START, of_check, of_line};
use super::slots::Slots;
use super::words::{StateWord, TestWord};
use crate::engine::memory::LINE_BITS;
use crate::engines::pixel::reads::{AskWord, CameWord, next_number};
use crate::engines::pixel::records::{BYTE_BITS, line_of, of_program, value};
use crate::engines::pixel::shade::words::{LineKind, LoadWord, ShadeShape};
use crate::engines::pixel::words::{LINE_NUMBER_BITS, RECORD_LINES_BITS};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::SyncFifo;
use tmu_shader::MOST_INSTRUCTIONS;
use tmu_spec::LINE_BYTES;
use tmu_spec::pixel::SETS;
use tmu_spec::pixel::record::State as StateRecord;

/// Lines of a state.
const STATE_LINES: u32 = StateRecord::BYTES as u32 / LINE_BYTES;
/// Lines of a program's header.
const HEADER_LINES: u32 = tmu_shader::HEADER_BYTES as u32 / LINE_BYTES;
/// Bits of the number of an instruction.
const INSTRUCTION_BITS: usize = MOST_INSTRUCTIONS.ilog2() as usize + 1;
/// Lines that wait to be loaded.
const LOADS: usize = 16;

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HardwareEnum)]
enum State {
    /// Nothing.
    Idle,
    /// It is known whether a slot has the state.
    Known,
    /// A free slot is waited for; then the state is asked for.
    AskSettings,
    /// It comes.
    Settings,
    /// The header of the program is asked for.
    AskHeader,
    /// It comes.
    Header,
    /// Some instructions are asked for.
    AskMore,
    /// They come.
    More,
    /// The check at the end.
    Check,
    /// It is known whether it is right.
    Checked,
    /// The slot is its own.
    Keep,
    /// What the slot holds is read.
    Read,
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub(super) struct StateLoad {
    pub(super) clocks: Clocks,
    /// A state is looked for.
    pub(super) looks: Net<In>,
    /// The line of its record.
    pub(super) address: Net<In>,
    /// Its slot is there, and what it says.
    pub(super) found: Net<Out>,
    pub(super) slot: Net<Out>,
    pub(super) own: StateWord<Field<Out>>,
    /// The check of its program is wrong.
    pub(super) fails: Net<Out>,
    /// The line of its program.
    pub(super) program_line: Net<Out>,
    /// Reads, see [`AskWord`].
    pub(super) ask: StreamOut,
    pub(super) came: CameWord<Field<In>>,
    /// See [`LoadWord`].
    pub(super) load: StreamOut,
    /// Slots that quads of are on their way.
    pub(super) slot_is_used: Net<In>,
    /// The slot of the triangle whose quads are handed on.
    pub(super) current: Net<In>,
    /// There is one.
    pub(super) has_current: Net<In>,
    state: EnumReg<State>,
    slots: Slots,
    state_line: Reg,
    header: Reg,
    /// The line of the program that is asked for next.
    program: Reg,
    /// The line of a read that comes next.
    number: Reg,
    instruction: Reg,
    left: Reg,
    /// What is asked for of the program is its end.
    ends_program: Reg,
    /// The check of the lines before; what a line adds to it, a clock before; and what stands at the end of a program.
    check: Reg,
    has_added: Reg,
    added: Reg,
    trailer: Reg,
    /// Behind it nothing stands.
    is_alone: Reg,
    is_right: Reg,
    has_found: Reg,
    has_failed: Reg,
    /// What is to be loaded, a clock before it goes into the FIFO.
    load_comes: Reg,
    load_word: LoadWord<FieldReg>,
    loads: SyncFifo,
    _shape: ShadeShape,
}

impl StateLoad {
    pub(super) fn new(shape: &ShadeShape) -> StateLoad {
        let clocks = Clocks::new();
        let register = |width| Reg::new(&clocks, width);
        let flag = || Reg::with_reset(&clocks, 1, 0);
        StateLoad {
            looks: Net::bit(),
            address: Net::new(LINE_NUMBER_BITS),
            found: Net::bit(),
            slot: Net::new(shape.slots_log2),
            own: StateWord::shape().nets(),
            fails: Net::bit(),
            program_line: Net::new(LINE_NUMBER_BITS),
            ask: StreamOut::new(AskWord::shape().width()),
            came: CameWord::shape().nets(),
            load: StreamOut::new(LoadWord::of(shape).width()),
            slot_is_used: Net::new(shape.slots()),
            current: Net::new(shape.slots_log2),
            has_current: Net::bit(),
            state: EnumReg::with_reset(&clocks, State::Idle),
            slots: Slots::new(shape),
            state_line: register(LINE_BITS),
            header: register(LINE_BITS),
            program: register(LINE_NUMBER_BITS),
            number: Reg::with_reset(&clocks, RECORD_LINES_BITS, 0),
            instruction: register(INSTRUCTION_BITS),
            left: register(INSTRUCTION_BITS + 1),
            ends_program: register(1),
            check: register(CHECK_BITS),
            has_added: flag(),
            added: register(CHECK_BITS),
            trailer: register(CHECK_BITS),
            is_alone: register(1),
            is_right: register(1),
            has_found: flag(),
            has_failed: flag(),
            load_comes: flag(),
            load_word: LoadWord::of(shape).registers(&clocks),
            loads: SyncFifo::new(LOADS, LoadWord::of(shape).width()),
            clocks,
            _shape: *shape,
        }
    }

    fn of_state(&self, name: &str) -> Bits {
        value(StateRecord::FIELDS, name, 0, &[self.state_line.val()])
    }
}

/// States to slots of `shade`.
#[kernel]
impl StateLoad {
    fn module_name(&self) -> String {
        "triangle_data_state_load".into()
    }

    /// One bit: this is done.
    fn is(&self, state: State) -> Bits {
        self.state.val() == state
    }

    /// One bit: a line of what is asked for comes.
    fn comes(&self, state: State) -> Bits {
        self.is(state) && self.came.valid.val()
    }

    /// One bit: the last line of a read comes.
    fn ends(&self) -> Bits {
        self.came.valid.val() && self.came.ends.val()
    }

    /// One bit: all lines that came are loaded.
    fn is_loaded(&self) -> Bits {
        !self.load_comes.val() && !self.loads.level.val().any()
    }

    /// One bit: at most as many instructions are left as a read has lines.
    fn has_short_rest(&self) -> Bits {
        !self.left.val().high(INSTRUCTION_BITS + 1 - RECORD_LINES_BITS).any()
    }

    /// One bit: the line that comes is the last one of the program.
    fn is_trailer(&self) -> Bits {
        self.came.ends.val() && self.ends_program.val()
    }

    fn logic(&self) {
        self.slots();
        self.reads();
        self.lines();
        self.load();
        self.check();
        self.states();
    }

    fn slots(&self) {
        /// # Slots
        let slots = &self.slots;
        slots.clocks.follow(&self.clocks);
        slots.address.next = self.address.val();
        slots.uses.next = self.is(State::Known);
        slots.waits.next = self.is(State::AskSettings);
        slots.is_loaded.next = self.is_loaded();
        slots.takes.next = self.is(State::AskSettings) && slots.is_free.val() && self.ask.ready.val();
        slots.keeps.next = self.is(State::Keep) && self.is_loaded();
        slots.reads.next = self.is(State::Read);
        slots.slot_is_used.next = self.slot_is_used.val();
        slots.current.next = self.current.val();
        slots.has_current.next = self.has_current.val();
        self.slot.next = slots.slot.val();
        self.own.next = slots.own.val();
        /// # What the state says
        let (sets, header) = (self.of_state("sets"), self.header.val());
        let has_colors = self.of_state("has_colors");
        let there: Vec<Bits> = (0..SETS).map(|set| (sets > set as u64).repeat(4)).collect();
        let there = cat(&[has_colors.repeat(8), stack(there)]);
        slots.said.next = StateWord {
            reads: of_program("header.reads", header) & there,
            sets,
            has_colors,
            test: TestWord {
                blend: self.of_state("blend"),
                alpha_compare: self.of_state("alpha_compare"),
                alpha_reference: self.of_state("alpha_reference"),
            },
        };
        let state = self.state_line.val();
        let rest = [
            state.slice(53, LINE_BITS - 53),
            state.bit(51),
            state.bit(39),
            state.bit(35),
            state.low(BYTE_BITS),
        ];
        discard(cat(&rest), "`shade` is told of textures; what is left is 0");
        discard(cat(&[header.slice(56, 40), header.low(32)]), "it was looked at");
    }

    fn reads(&self) {
        /// # Reads
        let is_state = self.is(State::AskSettings) && self.slots.is_free.val();
        let is_header = self.is(State::AskHeader);
        let is_more = self.is(State::AskMore) && self.is_loaded();
        self.ask.valid.next = is_state || is_header || is_more;
        let (program, left) = (self.program.val(), self.left.val());
        let short = left.low(RECORD_LINES_BITS) | (!self.has_short_rest()).repeat(RECORD_LINES_BITS);
        let of_header = lit(RECORD_LINES_BITS, HEADER_LINES - 1);
        let in_program = if is_header { of_header } else { short };
        let of_state = self.is(State::AskSettings);
        self.ask.data.next = AskWord::shape().pack(&AskWord {
            line: if of_state { self.address.val() } else { program },
            more: if of_state { lit(RECORD_LINES_BITS, STATE_LINES - 1) } else { in_program },
        });
        /// The line behind what is asked for of the program, and how many lines are left, less one.
        let goes = self.ask.ready.val();
        if self.is(State::Settings) {
            self.program.next = self.line_of_program();
        } else if is_header && goes {
            self.program.next = program + u64::from(HEADER_LINES);
        } else if is_more && goes {
            self.program.next = program + (1u64 << RECORD_LINES_BITS);
        }
        let header = self.header.val();
        let counts = [of_program("header.first", header), of_program("header.second", header)];
        let count = counts[0].low(INSTRUCTION_BITS + 1) + counts[1].low(INSTRUCTION_BITS + 1);
        let too_many = counts.map(|count| count.high(count.width() - INSTRUCTION_BITS - 1));
        discard(cat(&too_many), "lists have none with so many");
        if self.is(State::Header) {
            self.left.next = count;
        } else if is_more && goes {
            self.left.next = left - (1u64 << RECORD_LINES_BITS);
        }
        if is_more && goes {
            self.ends_program.next = self.has_short_rest();
        }
    }

    fn line_of_program(&self) -> Bits {
        line_of(StateRecord::FIELDS, "program", 0, &[self.state_line.val()])
    }

    fn lines(&self) {
        /// # Lines
        let came = self.came.val();
        let number = self.number.val();
        self.number.next = next_number(number, &came);
        let is_first = !number.any();
        if self.comes(State::Settings) && is_first {
            self.state_line.next = came.line;
        }
        if self.comes(State::Header) && is_first {
            self.header.next = came.line;
        }
        if self.is(State::AskHeader) {
            self.instruction.next = 0;
        } else if self.comes(State::More) {
            self.instruction.next = self.instruction.val() + 1;
        }
    }

    fn load(&self) {
        /// # What is loaded
        let loads = &self.loads;
        loads.clocks.follow(&self.clocks);
        let (number, came) = (self.number.val(), self.came.val());
        /// What kind the line would be, whether it comes or not.
        let (is_state, is_header, is_instruction) =
            (self.is(State::Settings), self.is(State::Header), self.is(State::More));
        let kind = |kind: LineKind| lit(3, kind as u32);
        let constants = kind(LineKind::Constants);
        let of_state = if number.bit(2) { constants } else { kind(LineKind::Bump) };
        let of_state = if number.any() { of_state } else { kind(LineKind::State) };
        let of_header = if number.any() { constants } else { kind(LineKind::Header) };
        let before = number - 1;
        let defined = of_program("header.defined", self.header.val());
        let pair = |number: usize| defined.slice(2 * number, 2);
        let [low, high] =
            [0, 1].map(|half: usize| if before.bit(0) { pair(2 * half + 1) } else { pair(2 * half) });
        let own = if before.bit(1) { high } else { low };
        let wide = |bits: Bits| bits.zero_extend(6);
        let of_constants = if number.bit(2) { number.low(2) } else { before.low(2) };
        let in_state = wide(of_constants);
        let of_lines = if is_header { wide(before.low(2)) } else { in_state };
        discard(before.bit(2), "a header has four lines of constants");
        let is_loaded = is_state || is_header || (is_instruction && !self.is_trailer());
        self.load_comes.next = came.valid && is_loaded;
        self.load_word.next = LoadWord {
            slot: self.slots.slot.val(),
            kind: if is_instruction {
                kind(LineKind::Instruction)
            } else {
                if is_header { of_header } else { of_state }
            },
            number: if is_instruction { wide(self.instruction.val()) } else { of_lines },
            enables: own | is_state.repeat(2),
            line: came.line,
        };
        loads.input.valid.next = self.load_comes.val();
        loads.input.data.next = LoadWord::of(&self._shape).pack(&self.load_word.val());
        discard(loads.input.ready.val(), "there is room for what is asked for");
        self.load.forward(&loads.output);
    }

    fn check(&self) {
        /// # Check of the program
        let line = self.came.line.val();
        self.added.next = of_line(line);
        self.has_added.next = self.comes(State::Header) || (self.comes(State::More) && !self.is_trailer());
        if self.is(State::AskHeader) {
            self.check.next = lit(CHECK_BITS, START);
        } else if self.has_added.val() {
            self.check.next = of_check(self.check.val()) ^ self.added.val();
        }
        if self.is(State::More) {
            self.trailer.next = line.low(CHECK_BITS);
            self.is_alone.next = !line.high(LINE_BITS - CHECK_BITS).any();
        }
        /// What the last line but one adds is in the check when the last one has come.
        self.is_right.next = self.is_alone.val() && self.trailer.val() == !self.check.val();
        self.has_found.next = self.is(State::Read);
        self.found.next = self.has_found.val();
        self.has_failed.next = self.is(State::Checked) && !self.is_right.val();
        self.fails.next = self.has_failed.val();
        self.program_line.next = self.line_of_program();
    }

    fn states(&self) {
        /// # States
        let goes = self.ask.ready.val();
        match self.state.val() {
            State::Idle => {
                if self.looks.val() {
                    self.state.next = State::Known;
                }
            }
            State::Known => {
                if self.slots.is_there.val() {
                    self.state.next = State::Read;
                } else {
                    self.state.next = State::AskSettings;
                }
            }
            State::AskSettings => {
                if goes && self.slots.is_free.val() {
                    self.state.next = State::Settings;
                }
            }
            State::Settings => {
                if self.ends() {
                    self.state.next = State::AskHeader;
                }
            }
            State::AskHeader => {
                if goes {
                    self.state.next = State::Header;
                }
            }
            State::Header => {
                if self.ends() {
                    self.state.next = State::AskMore;
                }
            }
            State::AskMore => {
                if goes && self.is_loaded() {
                    self.state.next = State::More;
                }
            }
            State::More => {
                if self.ends() {
                    if self.ends_program.val() {
                        self.state.next = State::Check;
                    } else {
                        self.state.next = State::AskMore;
                    }
                }
            }
            State::Check => self.state.next = State::Checked,
            State::Checked => {
                if self.is_right.val() {
                    self.state.next = State::Keep;
                } else {
                    self.state.next = State::Idle;
                }
            }
            State::Keep => {
                if self.is_loaded() {
                    self.state.next = State::Read;
                }
            }
            State::Read => self.state.next = State::Idle,
        }
    }
}
