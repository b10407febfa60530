//! The record of a triangle that is seen, and its vertices.
//!
//! Cost: one triangle at a time: twice the latency of memory, and what `state_load` needs for its state.

use super::words::{DataWord, StateWord};
use crate::engine::memory::LINE_BITS;
use crate::engines::pixel::reads::{AskWord, CameWord, next_number};
use crate::engines::pixel::records::{BYTE_BITS, has_reserved, line_of, value, vertex_line};
use crate::engines::pixel::shade::words::ShadeShape;
use crate::engines::pixel::tile_fetch::words::FaultWord;
use crate::engines::pixel::words::{LINE_NUMBER_BITS, RECORD_LINES_BITS, SINGLE_BITS};
use tmu_hdl::prelude::*;
use tmu_spec::LINE_BYTES;
use tmu_spec::pixel::FaultCode;
use tmu_spec::pixel::record::{Triangle as TriangleRecord, VertexColors};

/// Corners of a triangle.
pub(super) const CORNERS: usize = 3;
/// Lines of a triangle's record.
const RECORD_LINES: usize = TriangleRecord::BYTES / LINE_BYTES as usize;

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HardwareEnum)]
enum State {
    /// Nothing.
    Idle,
    /// The record is asked for.
    AskRecord,
    /// It comes.
    Record,
    /// The state is looked for.
    Look,
    /// It is found, or loaded.
    Load,
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
    /// A state is looked for.
    pub(super) looks: Net<Out>,
    /// The line of its record.
    pub(super) state_address: Net<Out>,
    /// It is there, and what it says.
    pub(super) found: Net<In>,
    pub(super) own: StateWord<Field<In>>,
    /// Its slot.
    pub(super) slot: Net<In>,
    /// The check of its program is wrong.
    pub(super) program_fails: Net<In>,
    /// The line of its program.
    pub(super) program_line: Net<In>,
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
    /// The line of a read that comes next.
    number: Reg,
    /// The corner that is asked for.
    asked: Reg,
    corner_came: Reg,
    /// The colours that came break a rule: those of this corner.
    has_bad_colors: Reg,
    bad_corner: Reg,
    /// The line that came could not be read: this one.
    lacks_line: Reg,
    lacking_line: Reg,
    found_fault: FaultWord<FieldReg>,
    _shape: ShadeShape,
}

impl Fetch {
    pub(super) fn new(shape: &ShadeShape) -> Fetch {
        let clocks = Clocks::new();
        let register = |width| Reg::new(&clocks, width);
        let flag = || Reg::with_reset(&clocks, 1, 0);
        Fetch {
            wanted: StreamIn::new(LINE_NUMBER_BITS),
            ask: StreamOut::new(AskWord::shape().width()),
            came: CameWord::shape().nets(),
            read_fails: Net::bit(),
            failed_line: Net::new(LINE_NUMBER_BITS),
            looks: Net::bit(),
            state_address: Net::new(LINE_NUMBER_BITS),
            found: Net::bit(),
            own: StateWord::shape().nets(),
            slot: Net::new(shape.slots_log2),
            program_fails: Net::bit(),
            program_line: Net::new(LINE_NUMBER_BITS),
            vertex_valid: Net::bit(),
            corner: Net::new(2),
            vertex_line: Net::new(RECORD_LINES_BITS),
            line: Net::new(LINE_BITS),
            start: Net::bit(),
            inverse: Net::new(SINGLE_BITS),
            made: Net::bit(),
            count: Net::new(super::words::COUNT_BITS),
            has_rhw: Net::bit(),
            data: StreamOut::new(DataWord::of(shape.slots_log2).width()),
            fault: FaultWord::shape().nets(),
            state: EnumReg::with_reset(&clocks, State::Idle),
            record: register(LINE_NUMBER_BITS),
            lines: Reg::array(RECORD_LINES, &clocks, LINE_BITS),
            number: Reg::with_reset(&clocks, RECORD_LINES_BITS, 0),
            asked: register(2),
            corner_came: register(2),
            has_bad_colors: flag(),
            bad_corner: register(2),
            lacks_line: flag(),
            lacking_line: register(LINE_NUMBER_BITS),
            found_fault: FaultWord::shape().registers(&clocks),
            clocks,
            _shape: *shape,
        }
    }

    fn record_lines(&self) -> Vec<Bits> {
        self.lines.iter().map(Reg::val).collect()
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
        self.colors();
        self.say();
        self.states();
        self.faults();
    }

    /// One bit: a line of a vertex comes.
    fn comes_vertex(&self) -> Bits {
        (self.is(State::AskVertices) || self.is(State::Vertices)) && self.came.valid.val()
    }

    /// One bit: the last line of the last vertex comes.
    fn ends_vertices(&self) -> Bits {
        self.came.valid.val() && self.came.ends.val() && self.corner_came.val().bit(1)
    }

    fn reads(&self) {
        /// # Reads
        let is_vertex = self.is(State::AskVertices);
        self.ask.valid.next = self.is(State::AskRecord) || is_vertex;
        let (asked, own) = (self.asked.val(), self.own.val());
        let vertex = AskWord {
            line: vertex_line(&self.record_lines(), asked),
            more: own.sets + own.has_colors.zero_extend(RECORD_LINES_BITS),
        };
        let record =
            AskWord { line: self.record.val(), more: lit(RECORD_LINES_BITS, RECORD_LINES as u32 - 1) };
        self.ask.data.next = AskWord::shape().pack(&if is_vertex { vertex } else { record });
        if self.is(State::Look) {
            self.asked.next = 0;
        } else if is_vertex && self.ask.ready.val() {
            self.asked.next = asked + 1;
        }
        let test = own.test;
        discard(cat(&[own.reads, test.blend, test.alpha_compare, test.alpha_reference]), "told as a whole");
    }

    fn lines(&self) {
        /// # Lines
        let came = self.came.val();
        let comes_vertex = self.comes_vertex();
        self.number.next = next_number(self.number.val(), &came);
        if self.is(State::Idle) && self.wanted.valid.val() {
            self.record.next = self.wanted.data.val();
        }
        self.wanted.ready.next = self.is(State::Idle);
        if self.is(State::Record) && came.valid {
            self.lines[0].next = self.lines[1].val();
            self.lines[1].next = came.line;
        }
        if self.is(State::Look) {
            self.corner_came.next = 0;
        } else if comes_vertex && came.ends {
            self.corner_came.next = self.corner_came.val() + 1;
        }
        self.vertex_valid.next = comes_vertex;
        self.corner.next = self.corner_came.val();
        self.vertex_line.next = self.number.val();
        self.line.next = came.line;
    }

    /// Whether the colours of a vertex break a rule is known a clock later: a line has too many bits for what hangs on it.
    fn colors(&self) {
        /// # Colours of a vertex
        let is_colors = self.comes_vertex() && self.own.has_colors.val() && self.number.val() == 1;
        let is_wrong = has_reserved(VertexColors::FIELDS, 0, self.came.line.val());
        self.has_bad_colors.next = is_colors && is_wrong && !self.read_fails.val();
        self.bad_corner.next = self.corner_came.val();
    }

    fn say(&self) {
        /// # Triangle
        self.looks.next = self.is(State::Look);
        self.state_address.next = line_of(TriangleRecord::FIELDS, "state", 0, &self.record_lines());
        self.start.next = self.is(State::Vertices) && self.ends_vertices();
        self.inverse.next = value(TriangleRecord::FIELDS, "inverse_area", 0, &self.record_lines());
        let tells = self.is(State::Tell);
        self.data.valid.next = tells || self.is(State::Fail);
        self.data.data.next = DataWord::of(self._shape.slots_log2).pack(&DataWord {
            fails: !tells,
            slot: self.slot.val(),
            count: self.count.val(),
            has_rhw: self.has_rhw.val(),
            test: self.own.test.val(),
        });
        let addresses = self.lines[0].val();
        discard(cat(&[0, 1, 2, 3].map(|word: usize| addresses.slice(32 * word, BYTE_BITS))), "they are 0");
        let record = self.lines[1].val();
        for name in ["compare", "cull"] {
            discard(value(TriangleRecord::FIELDS, name, 0, &[record, record]), "it was seen");
        }
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
            State::Look => self.state.next = State::Load,
            State::Load => {
                if self.found.val() {
                    self.state.next = State::AskVertices;
                }
            }
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
        if self.fails() {
            self.state.next = State::Fail;
        }
    }

    /// One bit: there is a fault, and none before it.
    fn fails(&self) -> Bits {
        let is_over = self.is(State::Fail) || self.is(State::Stopped) || self.is(State::Tell);
        (self.lacks_line.val() || self.has_bad_colors.val() || self.program_fails.val()) && !is_over
    }

    fn faults(&self) {
        /// # Faults
        self.lacks_line.next = self.read_fails.val();
        self.lacking_line.next = self.failed_line.val();
        let vertex = vertex_line(&self.record_lines(), self.bad_corner.val());
        let of_record = if self.has_bad_colors.val() {
            FaultWord::at(FaultCode::Vertex, vertex)
        } else {
            FaultWord::at(FaultCode::Program, self.program_line.val())
        };
        if self.fails() {
            self.found_fault.next = if self.lacks_line.val() {
                FaultWord::at(FaultCode::Read, self.lacking_line.val())
            } else {
                of_record
            };
        }
        self.fault.next = self.found_fault.val();
    }
}
