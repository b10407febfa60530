//! A triangle of a list: its record, the places of its vertices, and the first lines of its state and program, as far as they say
//! whether it may be drawn.
//!
//! What states say is kept, for as many as the memory has places; the lowest bits of the line's number say which.
//!
//! Cost: reads of two lines and of three times one; of states that are not kept two more. A RAM of LUTs for what is kept.

use super::words::{FaultWord, PART_BITS, TEXTURES_BITS};
use crate::engine::memory::LINE_BITS;
use crate::engines::pixel::reads::{AskWord, CameWord};
use crate::engines::pixel::records::{
    has_reserved, has_reserved_of_program, is_misaligned, line_of, of_program, value, vertex_line,
};
use crate::engines::pixel::triangle_setup::{PlaceWord, SetupWord, TAG_BITS as TAG};
use crate::engines::pixel::words::{LINE_NUMBER_BITS, RECORD_LINES_BITS};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::DistributedRam;
use tmu_shader::{MAGIC, MOST_INSTRUCTIONS};
use tmu_spec::general::CompareOp;
use tmu_spec::pixel::record::{Position, State as StateRecord, Triangle as TriangleRecord};
use tmu_spec::pixel::{Blend, Cull, FaultCode, Part, SETS};

/// States that are kept, as a power of two.
const KEPT_LOG2: usize = 5;
/// Bits of a line's number that are kept with a state.
const TAG_BITS: usize = LINE_NUMBER_BITS - KEPT_LOG2;
/// Corners of a triangle.
const CORNERS: usize = 3;
/// Lines of the record.
const LINES: usize = TriangleRecord::BYTES / tmu_spec::LINE_BYTES as usize;

/// Bits of the number of instructions that a header counts.
const COUNT_BITS: usize = 9;

/// Bits of a coordinate of a place.
const COORDINATE_BITS: usize = tmu_spec::pixel::PLACE_BITS as usize;

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HardwareEnum)]
enum State {
    /// Nothing.
    Idle,
    /// All that is kept is forgotten.
    Forget,
    /// The record is asked for.
    AskRecord,
    /// Its lines come.
    Record,
    /// Its rules, and whether the state is kept.
    Look,
    /// The same is known.
    Known,
    /// The first line of the state is asked for.
    AskSettings,
    /// It comes.
    Settings,
    /// Its rules.
    LookSettings,
    /// The first line of the program is asked for.
    AskProgram,
    /// It comes.
    Program,
    /// Its rules, and those of the textures.
    LookProgram,
    /// They are kept.
    Keep,
    /// Whether the state fits the part of the list.
    Fit,
    /// The vertices are asked for.
    AskPlaces,
    /// They come.
    Places,
    /// The triangle is there.
    Tell,
    /// There is a fault.
    Fail,
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub(super) struct Triangle {
    /// Clock and reset.
    pub clocks: Clocks,
    /// A frame begins: what is kept of states is forgotten, and `is_idle` is low until then.
    pub forget: Net<In>,
    /// Nothing is done.
    pub is_idle: Net<Out>,
    /// A triangle is wanted.
    pub start: Net<In>,
    /// The line of its record.
    pub address: Net<In>,
    /// Its part of the list.
    pub part: Net<In>,
    /// Textures of the store.
    pub texture_count: Net<In>,
    /// Reads, see [`AskWord`].
    pub ask: StreamOut,
    /// What comes.
    pub came: CameWord<Field<In>>,
    /// It is there.
    pub done: Net<Out>,
    /// Its places, depths and 1/C.
    pub setup: SetupWord<Field<Out>>,
    /// How its depth is compared.
    pub compare: Net<Out>,
    /// How it is culled.
    pub cull: Net<Out>,
    /// There is a fault instead.
    pub fails: Net<Out>,
    /// Which.
    pub fault: FaultWord<Field<Out>>,
    state: EnumReg<State>,
    /// The last line that came is the highest.
    lines: Vec<Reg>,
    state_line: Reg,
    program: Reg,
    positions: Vec<Reg>,
    /// The corner that is asked for, and lines that came.
    asked: Reg,
    arrived: Reg,
    kept: DistributedRam,
    forgotten: Reg,
    /// Something is kept in the place of this state, and both halves of its tag are the same.
    holds_one: Reg,
    same: [Reg; 2],
    may_let_go: Reg,
    breaks_triangle: Reg,
    breaks_state: Reg,
    breaks_program: Reg,
    lacks_texture: Reg,
    found: FaultWord<FieldReg>,
}

impl Triangle {
    /// The block.
    #[must_use]
    pub(super) fn new() -> Triangle {
        let clocks = Clocks::new();
        let bit = || Reg::new(&clocks, 1);
        Triangle {
            forget: Net::bit(),
            is_idle: Net::bit(),
            start: Net::bit(),
            address: Net::new(LINE_NUMBER_BITS),
            part: Net::new(PART_BITS),
            texture_count: Net::new(TEXTURES_BITS),
            ask: StreamOut::new(AskWord::shape().width()),
            came: CameWord::shape().nets(),
            done: Net::bit(),
            setup: SetupWord::shape().nets(),
            compare: Net::new(3),
            cull: Net::new(2),
            fails: Net::bit(),
            fault: FaultWord::shape().nets(),
            state: EnumReg::with_reset(&clocks, State::Idle),
            lines: Reg::array(LINES, &clocks, LINE_BITS),
            state_line: Reg::new(&clocks, LINE_BITS),
            program: Reg::new(&clocks, LINE_BITS),
            positions: Reg::array(CORNERS, &clocks, LINE_BITS),
            asked: Reg::new(&clocks, 2),
            arrived: Reg::new(&clocks, 2),
            kept: DistributedRam::new(1 << KEPT_LOG2, TAG_BITS + 2),
            forgotten: Reg::new(&clocks, KEPT_LOG2),
            holds_one: bit(),
            same: [bit(), bit()],
            may_let_go: bit(),
            breaks_triangle: bit(),
            breaks_state: bit(),
            breaks_program: bit(),
            lacks_texture: bit(),
            found: FaultWord::shape().registers(&clocks),
            clocks,
        }
    }

    fn record(&self) -> Vec<Bits> {
        self.lines.iter().map(Reg::val).collect()
    }

    /// The line of its state, and of the state's program.
    fn state_address(&self) -> Bits {
        line_of(TriangleRecord::FIELDS, "state", 0, &self.record())
    }

    fn program_address(&self) -> Bits {
        line_of(StateRecord::FIELDS, "program", 0, &[self.state_line.val()])
    }

    fn of_state(&self, name: &str, number: usize) -> Bits {
        value(StateRecord::FIELDS, name, number, &[self.state_line.val()])
    }
}

/// A triangle.
#[kernel]
impl Triangle {
    fn module_name(&self) -> String {
        "tile_fetch_triangle".into()
    }

    /// One bit: this is done.
    fn is(&self, state: State) -> Bits {
        self.state.val() == state
    }

    fn logic(&self) {
        self.reads();
        self.rules();
        self.keep();
        self.states();
        self.faults();
        self.say();
    }

    fn reads(&self) {
        /// # Reads
        let places = self.is(State::AskPlaces);
        let asks_program = self.is(State::AskProgram) && !self.breaks_state.val();
        let asks = self.is(State::AskRecord) || self.is(State::AskSettings) || asks_program;
        self.ask.valid.next = asks || places;
        let asked = self.asked.val();
        let place = vertex_line(&self.record(), asked);
        let other = if self.is(State::AskSettings) { self.state_address() } else { self.program_address() };
        let single = if places { place } else { other };
        self.ask.data.next = AskWord::shape().pack(&AskWord {
            line: if self.is(State::AskRecord) { self.address.val() } else { single },
            more: self.is(State::AskRecord).zero_extend(RECORD_LINES_BITS),
        });
        self.asked.next =
            if places { asked + (places && self.ask.ready.val()).zero_extend(2) } else { lit(2, 0u32) };
        let came = self.came.val();
        if self.is(State::Record) && came.valid {
            self.lines[0].next = self.lines[1].val();
            self.lines[1].next = came.line;
        }
        if self.is(State::Settings) && came.valid {
            self.state_line.next = came.line;
        }
        if self.is(State::Program) && came.valid {
            self.program.next = came.line;
        }
        if self.is(State::Fit) {
            self.arrived.next = 0;
        } else if self.comes_place() {
            self.arrived.next = self.arrived.val() + 1;
            for (number, position) in self.positions.iter().enumerate() {
                position.next =
                    if number + 1 == CORNERS { came.line } else { self.positions[number + 1].val() };
            }
        }
    }

    /// One bit: a vertex comes.
    fn comes_place(&self) -> Bits {
        (self.is(State::AskPlaces) || self.is(State::Places)) && self.came.valid.val()
    }

    fn rules(&self) {
        /// # Rules
        let lines = self.record();
        let of = |name: &str| value(TriangleRecord::FIELDS, name, 0, &lines);
        let misaligned: Vec<Bits> = (0..CORNERS)
            .map(|number| is_misaligned(TriangleRecord::FIELDS, "vertices", number, &lines))
            .chain([is_misaligned(TriangleRecord::FIELDS, "state", 0, &lines)])
            .collect();
        self.breaks_triangle.next = stack(misaligned).any()
            || has_reserved(TriangleRecord::FIELDS, 1, lines[1])
            || of("cull") > Cull::CounterClockwise as u64;
        let state = self.state_line.val();
        self.breaks_state.next = has_reserved(StateRecord::FIELDS, 0, state)
            || self.of_state("blend", 0) > Blend::Multiply as u64
            || self.of_state("sets", 0) > SETS as u64
            || is_misaligned(StateRecord::FIELDS, "program", 0, &[state]);
        let program = self.program.val();
        let counts = [of_program("header.first", program), of_program("header.second", program)];
        let count = counts[0].zero_extend(COUNT_BITS) + counts[1].zero_extend(COUNT_BITS);
        let is_long = count > MOST_INSTRUCTIONS as u64;
        self.breaks_program.next = of_program("header.magic", program) != u64::from(MAGIC)
            || has_reserved_of_program(program)
            || is_long;
        let sampled = of_program("header.textures", program);
        let count = self.texture_count.val();
        let lacking: Vec<Bits> = (0..SETS)
            .map(|stage| {
                let number = self.of_state("textures", stage).zero_extend(TEXTURES_BITS);
                sampled.bit(stage) && number >= count
            })
            .collect();
        self.lacks_texture.next = stack(lacking).any();
    }

    fn keep(&self) {
        /// # States that are kept
        let kept = &self.kept;
        kept.clocks.follow(&self.clocks);
        let address = self.state_address();
        let (place, tag) = (address.low(KEPT_LOG2), address.high(TAG_BITS));
        let forgets = self.is(State::Forget);
        kept.read_address.next = place;
        kept.write_enable.next = forgets || self.is(State::Keep);
        kept.write_address.next = if forgets { self.forgotten.val() } else { place };
        let is_tested = self.of_state("alpha_compare", 0) != CompareOp::Always as u64;
        let may_let_go = is_tested || of_program("header.punch_through", self.program.val());
        kept.write_data.next = cat(&[!forgets, may_let_go, tag]);
        let there = kept.read_data.val();
        if self.is(State::Look) {
            self.holds_one.next = there.bit(TAG_BITS + 1);
            let (own, half) = (there.low(TAG_BITS), TAG_BITS / 2);
            self.same[0].next = own.low(half) == tag.low(half);
            self.same[1].next = own.high(TAG_BITS - half) == tag.high(TAG_BITS - half);
        }
        if self.is(State::Keep) {
            self.may_let_go.next = may_let_go;
        } else if self.is(State::Look) {
            self.may_let_go.next = there.bit(TAG_BITS);
        }
        self.forgotten.next = if forgets { self.forgotten.val() + 1 } else { lit(KEPT_LOG2, 0u32) };
    }

    fn states(&self) {
        /// # States
        let came = self.came.val();
        let ready = self.ask.ready.val();
        match self.state.val() {
            State::Idle => {
                if self.forget.val() {
                    self.state.next = State::Forget;
                } else if self.start.val() {
                    self.state.next = State::AskRecord;
                }
            }
            State::Forget => {
                if self.forgotten.val().all() {
                    self.state.next = State::Idle;
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
                if self.breaks_triangle.val() {
                    self.state.next = State::Fail;
                } else if self.is_kept() {
                    self.state.next = State::Fit;
                } else {
                    self.state.next = State::AskSettings;
                }
            }
            State::AskSettings => {
                if ready {
                    self.state.next = State::Settings;
                }
            }
            State::Settings => {
                if came.valid {
                    self.state.next = State::LookSettings;
                }
            }
            State::LookSettings => self.state.next = State::AskProgram,
            State::AskProgram => {
                if self.breaks_state.val() {
                    self.state.next = State::Fail;
                } else if ready {
                    self.state.next = State::Program;
                }
            }
            State::Program => {
                if came.valid {
                    self.state.next = State::LookProgram;
                }
            }
            State::LookProgram => self.state.next = State::Keep,
            State::Keep => {
                if self.breaks_program.val() || self.lacks_texture.val() {
                    self.state.next = State::Fail;
                } else {
                    self.state.next = State::Fit;
                }
            }
            State::Fit => {
                if self.misfits() {
                    self.state.next = State::Fail;
                } else {
                    self.state.next = State::AskPlaces;
                }
            }
            State::AskPlaces => {
                if self.breaks_place() {
                    self.state.next = State::Fail;
                } else if ready && self.asked.val().bit(1) {
                    self.state.next = State::Places;
                }
            }
            State::Places => {
                if self.breaks_place() {
                    self.state.next = State::Fail;
                } else if self.comes_place() && self.arrived.val().bit(1) {
                    self.state.next = State::Tell;
                }
            }
            State::Tell => self.state.next = State::Idle,
            State::Fail => self.state.next = State::Idle,
        }
    }

    /// One bit: the state is kept.
    fn is_kept(&self) -> Bits {
        self.holds_one.val() && self.same[0].val() && self.same[1].val()
    }

    /// One bit: an opaque triangle's state may let pixels go.
    fn misfits(&self) -> Bits {
        self.may_let_go.val() && self.part.val() == Part::Opaque as u64
    }

    /// One bit: a vertex that comes breaks a rule.
    fn breaks_place(&self) -> Bits {
        self.comes_place() && has_reserved(Position::FIELDS, 0, self.came.line.val())
    }

    fn faults(&self) {
        /// # Faults
        let own = self.address.val();
        let found = &self.found;
        if self.is(State::Known) {
            found.next = FaultWord::at(FaultCode::Triangle, own);
        }
        if self.is(State::AskProgram) {
            found.next = FaultWord::at(FaultCode::State, self.state_address());
        }
        if self.is(State::Keep) {
            found.next = FaultWord::at(FaultCode::State, self.state_address());
            if self.breaks_program.val() {
                found.next = FaultWord::at(FaultCode::Program, self.program_address());
            }
        }
        if self.is(State::Fit) {
            found.next = FaultWord::at(FaultCode::Part, own);
        }
        if self.breaks_place() {
            let vertex = vertex_line(&self.record(), self.arrived.val());
            found.next = FaultWord::at(FaultCode::Vertex, vertex);
        }
        self.fails.next = self.is(State::Fail);
        self.fault.next = found.val();
    }

    fn say(&self) {
        /// # Triangle
        let lines = self.record();
        let positions: Vec<Bits> = self.positions.iter().map(Reg::val).collect();
        let of = |corner: usize, name: &str| value(Position::FIELDS, name, 0, &[positions[corner]]);
        self.setup.next = SetupWord {
            places: [0, 1, 2].map(|corner: usize| PlaceWord { x: of(corner, "x"), y: of(corner, "y") }),
            inverse: value(TriangleRecord::FIELDS, "inverse_area", 0, &lines),
            values: [0, 1, 2].map(|corner: usize| of(corner, "z")),
            tag: lit(TAG, 0u32),
        };
        for position in positions {
            discard(value(Position::FIELDS, "rhw", 0, &[position]), "hidden surfaces need it not");
            let above = COORDINATE_BITS..32;
            let reserved = [0, 32].map(|word: usize| position.slice(word + above.start, above.len()));
            discard(cat(&reserved), "they are 0");
        }
        for name in ["alpha_reference", "has_colors"] {
            discard(self.of_state(name, 0), "pixels are shaded with it");
        }
        for name in ["header.reads", "header.marker", "header.defined"] {
            discard(of_program(name, self.program.val()), "as above");
        }
        self.compare.next = value(TriangleRecord::FIELDS, "compare", 0, &lines);
        self.cull.next = value(TriangleRecord::FIELDS, "cull", 0, &lines);
        self.done.next = self.is(State::Tell);
        self.is_idle.next = self.is(State::Idle);
    }
}
