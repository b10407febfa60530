//! The records of a triangle that is seen, its state and program where they are not loaded yet, and its vertices.
//!
//! States are loaded into slots, one after the other round; a slot is free when no quad of its state is on its way.
//!
//! Cost: one triangle at a time: twice the latency of memory; where its state is new three times more, and a clock for each line of
//! both.

use super::check::{CHECK_BITS, START, of_check, of_line};
use super::words::{DataWord, StateWord, TestWord};
use crate::engine::memory::LINE_BITS;
use crate::engines::pixel::reads::{AskWord, CameWord};
use crate::engines::pixel::records::{BYTE_BITS, has_reserved, line_of, of_program, value, vertex_line};
use crate::engines::pixel::shade::words::{LineKind, LoadWord, ShadeShape};
use crate::engines::pixel::tile_fetch::words::FaultWord;
use crate::engines::pixel::words::{LINE_NUMBER_BITS, RECORD_LINES_BITS, SINGLE_BITS};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::SyncFifo;
use tmu_shader::MOST_INSTRUCTIONS;
use tmu_spec::LINE_BYTES;
use tmu_spec::pixel::record::{State as StateRecord, Triangle as TriangleRecord, VertexColors};
use tmu_spec::pixel::{FaultCode, SETS};

/// Corners of a triangle.
pub(super) const CORNERS: usize = 3;
/// Lines of a triangle's record.
const RECORD_LINES: usize = TriangleRecord::BYTES / LINE_BYTES as usize;
/// Lines of a state.
const STATE_LINES: u32 = StateRecord::BYTES as u32 / LINE_BYTES;
/// Lines of a program's header.
const HEADER_LINES: u32 = tmu_shader::HEADER_BYTES as u32 / LINE_BYTES;
/// Bits of the number of an instruction.
const INSTRUCTION_BITS: usize = MOST_INSTRUCTIONS.ilog2() as usize + 1;
/// Clocks in which `slot_is_used` may not know yet of a quad that has gone to `shade`.
const LEFT_CLOCKS: u32 = 7;
/// Bits of their number.
const LEFT_BITS: usize = 3;
/// Lines that wait to be loaded.
const LOADS: usize = 16;

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HardwareEnum)]
enum State {
    /// Nothing.
    Idle,
    /// The record is asked for.
    AskRecord,
    /// It comes.
    Record,
    /// The state is looked for in the slots.
    Look,
    /// It is known whether it is there.
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
    /// The slot is its own.
    Keep,
    /// What the slot holds is read.
    Read,
    /// Vertices are asked for.
    AskVertices,
    /// They come.
    Vertices,
    /// Planes are made.
    Planes,
    /// The triangle may be shaded.
    Tell,
    /// There is a fault.
    Fail,
    /// Nothing more.
    Stopped,
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub(super) struct Fetch {
    pub(super) clocks: Clocks,
    /// Lines of records of triangles.
    pub(super) wanted: StreamIn,
    /// Reads, see [`AskWord`].
    pub(super) ask: StreamOut,
    pub(super) came: CameWord<Field<In>>,
    pub(super) read_fails: Net<In>,
    pub(super) failed_line: Net<In>,
    /// See [`LoadWord`].
    pub(super) load: StreamOut,
    /// Slots that quads of are on their way.
    pub(super) slot_is_used: Net<In>,
    /// The slot of the triangle whose quads are handed on.
    pub(super) current: Net<In>,
    /// There is one.
    pub(super) has_current: Net<In>,
    /// A line of a vertex comes.
    pub(super) vertex_valid: Net<Out>,
    /// Of which corner.
    pub(super) corner: Net<Out>,
    /// Which line of it.
    pub(super) vertex_line: Net<Out>,
    /// It.
    pub(super) line: Net<Out>,
    /// All are there: planes may be made.
    pub(super) start: Net<Out>,
    /// 1/C.
    pub(super) inverse: Net<Out>,
    /// What the state says.
    pub(super) state_word: StateWord<Field<Out>>,
    /// Planes have been made.
    pub(super) made: Net<In>,
    /// How many.
    pub(super) count: Net<In>,
    /// RHW is among them.
    pub(super) has_rhw: Net<In>,
    /// Triangles that may be shaded, see [`DataWord`].
    pub(super) data: StreamOut,
    /// The first fault.
    pub(super) fault: FaultWord<Field<Out>>,
    state: EnumReg<State>,
    record: Reg,
    /// The last line that came is the highest.
    lines: Vec<Reg>,
    state_line: Reg,
    /// Of each slot the line of its state.
    slots: Vec<Reg>,
    slot_valid: Reg,
    hits: Reg,
    slot: Reg,
    next: Reg,
    next_is_free: Reg,
    /// The slot that was the current one a clock ago, and the one before it, for as long as its last quad may not be counted yet.
    last_current: Reg,
    left_slot: Reg,
    left_for: Reg,
    /// What slots hold.
    kept: Vec<Reg>,
    program: Reg,
    header: Reg,
    /// The line of a read that comes next.
    number: Reg,
    /// The corner that is asked for.
    asked: Reg,
    corner_came: Reg,
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
    /// The colours that came break a rule: those of this corner.
    has_bad_colors: Reg,
    bad_corner: Reg,
    /// What is to be loaded, a clock before it goes into the FIFO.
    load_comes: Reg,
    load_word: LoadWord<FieldReg>,
    loads: SyncFifo,
    own: StateWord<FieldReg>,
    found: FaultWord<FieldReg>,
    _shape: ShadeShape,
}

impl Fetch {
    pub(super) fn new(shape: &ShadeShape) -> Fetch {
        let clocks = Clocks::new();
        let register = |width| Reg::new(&clocks, width);
        let slots = shape.slots();
        Fetch {
            wanted: StreamIn::new(LINE_NUMBER_BITS),
            ask: StreamOut::new(AskWord::shape().width()),
            came: CameWord::shape().nets(),
            read_fails: Net::bit(),
            failed_line: Net::new(LINE_NUMBER_BITS),
            load: StreamOut::new(LoadWord::of(shape).width()),
            slot_is_used: Net::new(slots),
            current: Net::new(shape.slots_log2),
            has_current: Net::bit(),
            vertex_valid: Net::bit(),
            corner: Net::new(2),
            vertex_line: Net::new(RECORD_LINES_BITS),
            line: Net::new(LINE_BITS),
            start: Net::bit(),
            inverse: Net::new(SINGLE_BITS),
            state_word: StateWord::shape().nets(),
            made: Net::bit(),
            count: Net::new(super::words::COUNT_BITS),
            has_rhw: Net::bit(),
            data: StreamOut::new(DataWord::of(shape.slots_log2).width()),
            fault: FaultWord::shape().nets(),
            state: EnumReg::with_reset(&clocks, State::Idle),
            record: register(LINE_NUMBER_BITS),
            lines: Reg::array(RECORD_LINES, &clocks, LINE_BITS),
            state_line: register(LINE_BITS),
            slots: Reg::array(slots, &clocks, LINE_NUMBER_BITS),
            slot_valid: Reg::with_reset(&clocks, slots, 0),
            hits: register(slots),
            slot: register(shape.slots_log2),
            next: Reg::with_reset(&clocks, shape.slots_log2, 0),
            next_is_free: Reg::with_reset(&clocks, 1, 0),
            last_current: register(shape.slots_log2),
            left_slot: register(shape.slots_log2),
            left_for: Reg::with_reset(&clocks, LEFT_BITS, 0),
            kept: Reg::array(slots, &clocks, StateWord::shape().width()),
            program: register(LINE_NUMBER_BITS),
            header: register(LINE_BITS),
            number: Reg::with_reset(&clocks, RECORD_LINES_BITS, 0),
            asked: register(2),
            corner_came: register(2),
            instruction: register(INSTRUCTION_BITS),
            left: register(INSTRUCTION_BITS + 1),
            ends_program: register(1),
            check: register(CHECK_BITS),
            has_added: Reg::with_reset(&clocks, 1, 0),
            added: register(CHECK_BITS),
            trailer: register(CHECK_BITS),
            is_alone: register(1),
            has_bad_colors: Reg::with_reset(&clocks, 1, 0),
            bad_corner: register(2),
            load_comes: Reg::with_reset(&clocks, 1, 0),
            load_word: LoadWord::of(shape).registers(&clocks),
            loads: SyncFifo::new(LOADS, LoadWord::of(shape).width()),
            own: StateWord::shape().registers(&clocks),
            found: FaultWord::shape().registers(&clocks),
            clocks,
            _shape: *shape,
        }
    }

    fn record_lines(&self) -> Vec<Bits> {
        self.lines.iter().map(Reg::val).collect()
    }

    fn state_address(&self) -> Bits {
        line_of(TriangleRecord::FIELDS, "state", 0, &self.record_lines())
    }

    fn of_state(&self, name: &str) -> Bits {
        value(StateRecord::FIELDS, name, 0, &[self.state_line.val()])
    }
}

/// A triangle's data.
#[kernel]
impl Fetch {
    fn module_name(&self) -> String {
        "triangle_data_fetch".into()
    }

    /// One bit: this is done.
    fn is(&self, state: State) -> Bits {
        self.state.val() == state
    }

    fn logic(&self) {
        self.reads();
        self.lines();
        self.load();
        self.slots();
        self.check();
        self.colors();
        self.say();
        self.states();
        self.faults();
    }

    /// One bit: a line of what is asked for comes.
    fn comes(&self, state: State) -> Bits {
        self.is(state) && self.came.valid.val()
    }

    /// One bit: all lines that came are loaded.
    fn is_loaded(&self) -> Bits {
        !self.load_comes.val() && !self.loads.level.val().any()
    }

    fn reads(&self) {
        /// # Reads
        let is_record = self.is(State::AskRecord);
        let is_state = self.is(State::AskSettings) && self.next_is_free.val();
        let is_header = self.is(State::AskHeader);
        let is_more = self.is(State::AskMore) && self.is_loaded();
        let is_vertex = self.is(State::AskVertices);
        self.ask.valid.next = is_record || is_state || is_header || is_more || is_vertex;
        let asked = self.asked.val();
        let vertex = vertex_line(&self.record_lines(), asked);
        let chunk = self.left.val();
        let is_long = chunk.high(INSTRUCTION_BITS + 1 - RECORD_LINES_BITS).any();
        let own = self.own.val();
        let sized = [
            (is_record, self.record.val(), lit(RECORD_LINES_BITS, RECORD_LINES as u32 - 1)),
            (is_state, self.state_address(), lit(RECORD_LINES_BITS, STATE_LINES - 1)),
            (is_header, self.program.val(), lit(RECORD_LINES_BITS, HEADER_LINES - 1)),
            (is_more, self.program.val(), chunk.low(RECORD_LINES_BITS) | is_long.repeat(RECORD_LINES_BITS)),
            (is_vertex, vertex, own.sets + own.has_colors.zero_extend(RECORD_LINES_BITS)),
        ];
        let words: Vec<Bits> = sized
            .into_iter()
            .map(|(is_own, line, more)| {
                let word = AskWord::shape().pack(&AskWord { line, more });
                word & is_own.repeat(word.width())
            })
            .collect();
        self.ask.data.next = words[0] | words[1] | words[2] | words[3] | words[4];
        let goes = self.ask.ready.val();
        if self.is(State::Known) {
            self.asked.next = 0;
        } else if is_vertex && goes {
            self.asked.next = asked + 1;
        }
        /// The line behind what is asked for of the program, and how many lines are left, less one.
        if self.is(State::Settings) {
            self.program.next = line_of(StateRecord::FIELDS, "program", 0, &[self.state_line.val()]);
        } else if is_header && goes {
            self.program.next = self.program.val() + u64::from(HEADER_LINES);
        } else if is_more && goes {
            self.program.next = self.program.val() + (1u64 << RECORD_LINES_BITS);
        }
        let header = self.header.val();
        let counts = [of_program("header.first", header), of_program("header.second", header)];
        let count = counts[0].low(INSTRUCTION_BITS + 1) + counts[1].low(INSTRUCTION_BITS + 1);
        let too_many = counts.map(|count| count.high(count.width() - INSTRUCTION_BITS - 1));
        discard(cat(&too_many), "lists have none with so many");
        if self.is(State::Header) {
            self.left.next = count;
        } else if is_more && goes {
            self.left.next = chunk - (1u64 << RECORD_LINES_BITS);
        }
    }

    fn lines(&self) {
        /// # Lines
        let came = self.came.val();
        if came.valid {
            self.number.next = if came.ends { lit(RECORD_LINES_BITS, 0u32) } else { self.number.val() + 1 };
        }
        let is_first = !self.number.val().any();
        if self.is(State::Idle) && self.wanted.valid.val() {
            self.record.next = self.wanted.data.val();
        }
        self.wanted.ready.next = self.is(State::Idle);
        if self.comes(State::Record) {
            self.lines[0].next = self.lines[1].val();
            self.lines[1].next = came.line;
        }
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
        let goes = self.is(State::AskMore) && self.is_loaded() && self.ask.ready.val();
        if goes {
            self.ends_program.next = !self.left.val().high(INSTRUCTION_BITS + 1 - RECORD_LINES_BITS).any();
        }
        if self.is(State::Known) {
            self.corner_came.next = 0;
        } else if self.comes_vertex() && came.ends {
            self.corner_came.next = self.corner_came.val() + 1;
        }
        self.vertex_valid.next = self.comes_vertex();
        self.corner.next = self.corner_came.val();
        self.vertex_line.next = self.number.val();
        self.line.next = came.line;
    }

    /// One bit: a line of a vertex comes.
    fn comes_vertex(&self) -> Bits {
        self.comes(State::AskVertices) || self.comes(State::Vertices)
    }

    /// One bit: the line that comes is the last one of the program.
    fn is_trailer(&self) -> Bits {
        self.came.ends.val() && self.ends_program.val()
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
            slot: self.slot.val(),
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

    fn slots(&self) {
        /// # Slots
        let shape = &self._shape;
        let (slot_bits, slots) = (shape.slots_log2, shape.slots());
        let address = self.state_address();
        let same = self.slots.iter().map(|slot| slot.val() == address).collect::<Vec<_>>();
        self.hits.next = stack(same) & self.slot_valid.val();
        let hits = self.hits.val();
        let next = self.next.val();
        let is_next = |number: usize| next == number as u64;
        let used: Vec<Bits> =
            (0..slots).map(|number| self.slot_is_used.val().bit(number) && is_next(number)).collect();
        let is_current = self.has_current.val() && self.current.val() == next;
        // A quad that `shade` has just taken is not among those that `slot_is_used` knows.
        let last = self.last_current.val();
        self.last_current.next = self.current.val();
        if self.current.val() != last {
            self.left_slot.next = last;
            self.left_for.next = lit(LEFT_BITS, LEFT_CLOCKS);
        } else if self.left_for.val().any() {
            self.left_for.next = self.left_for.val() - 1;
        }
        let was_left = self.left_for.val().any() && self.left_slot.val() == next;
        let was_current = self.has_current.val() && last == next;
        self.next_is_free.next =
            !stack(used).any() && !is_current && !was_current && !was_left && self.is_loaded();
        let takes = self.is(State::AskSettings) && self.next_is_free.val() && self.ask.ready.val();
        if takes {
            self.next.next = next + 1;
            self.slot.next = next;
        } else if self.is(State::AskSettings) && is_current {
            // Its quads may have left, but what they wait for behind them is this one.
            self.next.next = next + 1;
        } else if self.is(State::Known) {
            let index: Vec<Bits> = (0..slot_bits)
                .map(|bit| {
                    stack((0..slots).filter(|slot| slot >> bit & 1 == 1).map(|slot| hits.bit(slot))).any()
                })
                .collect();
            self.slot.next = stack(index);
        }
        let keeps = self.is(State::Keep) && self.is_loaded();
        let valid: Vec<Bits> = (0..slots)
            .map(|number| {
                let is_own = self.slot.val() == number as u64;
                let there = self.slot_valid.val().bit(number) && !(takes && is_next(number));
                there || (keeps && is_own)
            })
            .collect();
        self.slot_valid.next = stack(valid);
        /// # What states say
        let (sets, header) = (self.of_state("sets"), self.header.val());
        let has_colors = self.of_state("has_colors");
        let there: Vec<Bits> = (0..SETS).map(|set| (sets > set as u64).repeat(4)).collect();
        let there = cat(&[has_colors.repeat(8), stack(there)]);
        let word = StateWord::shape().pack(&StateWord {
            reads: of_program("header.reads", header) & there,
            sets,
            has_colors,
            test: TestWord {
                blend: self.of_state("blend"),
                alpha_compare: self.of_state("alpha_compare"),
                alpha_reference: self.of_state("alpha_reference"),
            },
        });
        for number in 0..slots {
            if keeps && self.slot.val() == number as u64 {
                self.slots[number].next = address;
                self.kept[number].next = word;
            }
        }
        if self.is(State::Read) {
            let kept: Vec<Bits> = (0..slots)
                .map(|number| {
                    let kept = self.kept[number].val();
                    kept & (self.slot.val() == number as u64).repeat(kept.width())
                })
                .collect();
            let kept = kept.into_iter().reduce(|a, b| a | b).expect("there are slots");
            self.own.next = StateWord::shape().unpack(kept);
        }
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
    }

    fn say(&self) {
        /// # Triangle
        let own = self.own.val();
        self.start.next = self.is(State::Vertices) && self.ends_vertices();
        self.inverse.next = value(TriangleRecord::FIELDS, "inverse_area", 0, &self.record_lines());
        let tells = self.is(State::Tell);
        self.data.valid.next = tells || self.is(State::Fail);
        self.data.data.next = DataWord::of(self._shape.slots_log2).pack(&DataWord {
            fails: !tells,
            slot: self.slot.val(),
            count: self.count.val(),
            has_rhw: self.has_rhw.val(),
            test: own.test.clone(),
        });
        self.state_word.next = own;
        let addresses = self.lines[0].val();
        discard(cat(&[0, 1, 2, 3].map(|word: usize| addresses.slice(32 * word, BYTE_BITS))), "they are 0");
        let (state, header) = (self.state_line.val(), self.header.val());
        let rest = [
            state.slice(53, LINE_BITS - 53),
            state.bit(51),
            state.bit(39),
            state.bit(35),
            state.low(BYTE_BITS),
        ];
        discard(cat(&rest), "`shade` is told of textures; what is left is 0");
        discard(cat(&[header.slice(56, 40), header.low(32)]), "it was looked at");
        let record = self.lines[1].val();
        for name in ["compare", "cull"] {
            discard(value(TriangleRecord::FIELDS, name, 0, &[record, record]), "it was seen");
        }
    }

    /// One bit: the last line of the last vertex comes.
    fn ends_vertices(&self) -> Bits {
        self.came.valid.val() && self.came.ends.val() && self.corner_came.val().bit(1)
    }

    /// Whether the colours of a vertex break a rule is known a clock later: a line has too many bits for what hangs on it.
    fn colors(&self) {
        /// # Colours of a vertex
        let is_colors = self.comes_vertex() && self.own.has_colors.val() && self.number.val() == 1;
        let is_wrong = has_reserved(VertexColors::FIELDS, 0, self.came.line.val());
        self.has_bad_colors.next =
            is_colors && is_wrong && !self.fails_to_read() && !self.has_bad_colors.val();
        self.bad_corner.next = self.corner_came.val();
    }

    fn states(&self) {
        /// # States
        let came = self.came.val();
        let ready = self.ask.ready.val();
        match self.state.val() {
            State::Idle => {
                if self.wanted.valid.val() {
                    self.state.next = State::AskRecord;
                }
            }
            State::AskRecord => {
                if ready {
                    self.state.next = State::Record;
                }
            }
            State::Record => {
                if came.valid && came.ends {
                    self.state.next = State::Look;
                }
            }
            State::Look => self.state.next = State::Known,
            State::Known => {
                if self.hits.val().any() {
                    self.state.next = State::Read;
                } else {
                    self.state.next = State::AskSettings;
                }
            }
            State::AskSettings => {
                if ready && self.next_is_free.val() {
                    self.state.next = State::Settings;
                }
            }
            State::Settings => {
                if came.valid && came.ends {
                    self.state.next = State::AskHeader;
                }
            }
            State::AskHeader => {
                if ready {
                    self.state.next = State::Header;
                }
            }
            State::Header => {
                if came.valid && came.ends {
                    self.state.next = State::AskMore;
                }
            }
            State::AskMore => {
                if ready && self.is_loaded() {
                    self.state.next = State::More;
                }
            }
            State::More => {
                if came.valid && came.ends {
                    if self.ends_program.val() {
                        self.state.next = State::Check;
                    } else {
                        self.state.next = State::AskMore;
                    }
                }
            }
            State::Check => {
                // What the last line but one adds is in the check by now.
                if self.is_alone.val() && self.trailer.val() == !self.check.val() {
                    self.state.next = State::Keep;
                } else {
                    self.state.next = State::Fail;
                }
            }
            State::Keep => {
                if self.is_loaded() {
                    self.state.next = State::Read;
                }
            }
            State::Read => self.state.next = State::AskVertices,
            State::AskVertices => {
                if ready && self.asked.val().bit(1) {
                    self.state.next = State::Vertices;
                }
            }
            State::Vertices => {
                if self.ends_vertices() {
                    self.state.next = State::Planes;
                }
            }
            State::Planes => {
                if self.made.val() {
                    self.state.next = State::Tell;
                }
            }
            State::Tell => {
                if self.data.ready.val() {
                    self.state.next = State::Idle;
                }
            }
            State::Fail => {
                if self.data.ready.val() {
                    self.state.next = State::Stopped;
                }
            }
            State::Stopped => self.state.next = State::Stopped,
        }
        if self.has_bad_colors.val() || self.fails_to_read() {
            self.state.next = State::Fail;
        }
    }

    /// One bit: a line that is waited for could not be read.
    fn fails_to_read(&self) -> Bits {
        let is_over = self.is(State::Fail) || self.is(State::Stopped) || self.is(State::Tell);
        self.read_fails.val() && !is_over && !self.has_bad_colors.val()
    }

    fn faults(&self) {
        /// # Faults
        let found = &self.found;
        if self.is(State::Check) {
            let program = line_of(StateRecord::FIELDS, "program", 0, &[self.state_line.val()]);
            found.next = FaultWord::at(FaultCode::Program, program);
        }
        if self.has_bad_colors.val() {
            let vertex = vertex_line(&self.record_lines(), self.bad_corner.val());
            found.next = FaultWord::at(FaultCode::Vertex, vertex);
        }
        if self.fails_to_read() {
            found.next = FaultWord::at(FaultCode::Read, self.failed_line.val());
        }
        self.fault.next = found.val();
    }
}
