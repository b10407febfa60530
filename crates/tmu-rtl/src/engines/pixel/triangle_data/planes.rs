//! The planes of a triangle's values: RHW where coordinates are read, then the components and channels that the program reads.
//!
//! Cost: a clock for each component and channel that there may be, or eight for each that is read, whichever is more, and the latency of
//! `triangle_setup`. Vertices and planes stand in RAMs of LUTs, planes in two banks; a FIFO of values in LUT RAM.

use super::fetch::CORNERS;
use super::words::{COUNT_BITS, MOST_VALUES, StateWord};
use crate::engine::memory::LINE_BITS;
use crate::engines::pixel::records::{nth, value};
use crate::engines::pixel::step::{Step, TO_FLOAT};
use crate::engines::pixel::triangle_setup::{PlaceWord, PlaneWord, SetupWord, TAG_BITS, TriangleSetup};
use crate::engines::pixel::words::{RECORD_LINES_BITS, SINGLE_BITS};
use tmu_hdl::arithmetic::FixedToFloat;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{DistributedRam, Operand, SyncFifo};
use tmu_spec::pixel::SETS;
use tmu_spec::pixel::record::Position;

/// Components of a coordinate set, channels of a colour.
const FOUR: usize = 4;
/// Bits of a channel.
const CHANNEL_BITS: usize = 8;
/// The first value that is a channel of a colour.
pub(super) const FIRST_COLOR: usize = SETS * FOUR;
/// Components and channels.
const VALUES: usize = MOST_VALUES - 1;

/// Values that wait for `triangle_setup`.
const WAITING: usize = 4;

/// Lines are read.
const LINES: Step = Step::ENTRY.after(1);
/// Values are chosen.
const CONVERT: Step = LINES.after(1);
/// Colours are singles.
const EXIT: Step = CONVERT.after(TO_FLOAT);

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HardwareEnum)]
enum State {
    /// Nothing.
    Idle,
    /// It is found out what is read.
    Begin,
    /// RHW.
    Rhw,
    /// Components and channels.
    Values,
    /// Their planes come.
    Wait,
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub(super) struct Planes {
    pub(super) clocks: Clocks,
    /// A line of a vertex.
    pub(super) vertex_valid: Net<In>,
    pub(super) corner: Net<In>,
    pub(super) vertex_line: Net<In>,
    pub(super) line: Net<In>,
    /// All vertices are there.
    pub(super) start: Net<In>,
    pub(super) inverse: Net<In>,
    pub(super) state_word: StateWord<Field<In>>,
    /// The bank that is filled.
    pub(super) bank: Net<In>,
    /// It is.
    pub(super) made: Net<Out>,
    pub(super) count: Net<Out>,
    pub(super) has_rhw: Net<Out>,
    /// A plane of the other bank, or of this one: bank and number.
    pub(super) place: Net<In>,
    /// It, see [`PlaneWord`].
    pub(super) plane: Net<Out>,
    vertices: Vec<DistributedRam>,
    places: Vec<Reg>,
    state: EnumReg<State>,
    /// Values that are left, the next one lowest.
    left: Reg,
    number: Reg,
    needs_rhw: Reg,
    asked: Reg,
    /// As many have come as were asked for: known a clock late.
    has_come: Reg,
    came: Reg,
    pipe: Pipe<Step>,
    colors: [FixedToFloat; CORNERS],
    waiting: SyncFifo,
    setup: TriangleSetup,
    planes: DistributedRam,
}

impl Planes {
    pub(super) fn new() -> Planes {
        let clocks = Clocks::new();
        let PlaceWord { x, y } = SetupWord::shape().places[0].clone();
        let place_bits = x.value_bits() + y.value_bits();
        let SetupWord { values, .. } = SetupWord::shape();
        let value_bits = CORNERS * values[0].value_bits() + TAG_BITS;
        let vertices = || DistributedRam::new(1 << RECORD_LINES_BITS, LINE_BITS);
        let planes = Planes {
            vertex_valid: Net::bit(),
            corner: Net::new(2),
            vertex_line: Net::new(RECORD_LINES_BITS),
            line: Net::new(LINE_BITS),
            start: Net::bit(),
            inverse: Net::new(SINGLE_BITS),
            state_word: StateWord::shape().nets(),
            bank: Net::bit(),
            made: Net::bit(),
            count: Net::new(COUNT_BITS),
            has_rhw: Net::bit(),
            place: Net::new(COUNT_BITS + 1),
            plane: Net::new(PlaneWord::shape().width()),
            vertices: (0..CORNERS).map(|_| vertices()).collect(),
            places: Reg::array(CORNERS, &clocks, place_bits),
            state: EnumReg::with_reset(&clocks, State::Idle),
            left: Reg::new(&clocks, VALUES),
            number: Reg::new(&clocks, COUNT_BITS),
            needs_rhw: Reg::new(&clocks, 1),
            asked: Reg::new(&clocks, COUNT_BITS),
            has_come: Reg::with_reset(&clocks, 1, 0),
            came: Reg::new(&clocks, COUNT_BITS),
            pipe: Pipe::with(EXIT.all()),
            colors: [(); CORNERS].map(|()| FixedToFloat::new(Operand::unsigned(CHANNEL_BITS), 0)),
            waiting: SyncFifo::new(WAITING, value_bits),
            setup: TriangleSetup::new(),
            planes: DistributedRam::new(2 << COUNT_BITS, PlaneWord::shape().width()),
            clocks,
        };
        planes.pipe.plan(&planes.clocks, || planes.logic());
        planes
    }
}

/// Vertices to planes.
#[kernel]
impl Planes {
    fn module_name(&self) -> String {
        "triangle_data_planes".into()
    }

    /// One bit: this is done.
    fn is(&self, state: State) -> Bits {
        self.state.val() == state
    }

    fn logic(&self) {
        self.vertices();
        self.states();
        self.values();
        self.planes();
    }

    fn vertices(&self) {
        /// # Vertices
        let line = self.line.val();
        let is_first = !self.vertex_line.val().any();
        for (corner, vertices) in self.vertices.iter().enumerate() {
            let is_own = self.vertex_valid.val() && self.corner.val() == corner as u64;
            vertices.clocks.follow(&self.clocks);
            vertices.write_enable.next = is_own;
            vertices.write_address.next = self.vertex_line.val();
            vertices.write_data.next = line;
            if is_own && is_first {
                let of = |name: &str| value(Position::FIELDS, name, 0, &[line]);
                self.places[corner].next = cat(&[of("y"), of("x")]);
            }
        }
    }

    fn states(&self) {
        /// # States
        let reads = self.state_word.reads.val();
        let advance = self.waiting.input.ready.val();
        if self.is(State::Begin) {
            self.left.next = reads;
            self.number.next = 0;
            self.needs_rhw.next = reads.low(FIRST_COLOR).any();
        } else if self.is(State::Values) && advance {
            self.left.next = cat(&[lit(1, 0u32), self.left.val().high(VALUES - 1)]);
            self.number.next = self.number.val() + 1;
        }
        let is_last = self.number.val() == (VALUES - 1) as u64;
        let waits = self.is(State::Wait);
        self.has_come.next = waits && self.came.val() == self.asked.val();
        let has_come = self.has_come.val();
        match self.state.val() {
            State::Idle => {
                if self.start.val() {
                    self.state.next = State::Begin;
                }
            }
            State::Begin => self.state.next = State::Rhw,
            State::Rhw => {
                if advance {
                    self.state.next = State::Values;
                }
            }
            State::Values => {
                if is_last && advance {
                    self.state.next = State::Wait;
                }
            }
            State::Wait => {
                if has_come {
                    self.state.next = State::Idle;
                }
            }
        }
        self.made.next = waits && has_come;
        self.count.next = self.came.val();
        self.has_rhw.next = self.needs_rhw.val();
    }

    fn values(&self) {
        /// # Values
        let advance = self.waiting.input.ready.val();
        let pipe = self.pipe.run(&self.clocks, advance);
        let is_rhw = self.is(State::Rhw) && self.needs_rhw.val();
        let is_value = self.is(State::Values) && self.left.val().bit(0);
        let valid = pipe.flag(Step::ENTRY, "valid", is_rhw || is_value);
        if self.is(State::Begin) {
            self.asked.next = 0;
        } else if (is_rhw || is_value) && advance {
            self.asked.next = self.asked.val() + 1;
        }
        let number = self.number.val();
        let is_color = number >= FIRST_COLOR as u64;
        let set = number.slice(2, RECORD_LINES_BITS);
        let has_colors = self.state_word.has_colors.val().zero_extend(RECORD_LINES_BITS);
        let of_set = set + has_colors + 1;
        let of_value = if is_color { lit(RECORD_LINES_BITS, 1u32) } else { of_set };
        let line = of_value & (!self.is(State::Rhw)).repeat(RECORD_LINES_BITS);
        let word = self.state_word.val();
        let test = word.test;
        discard(
            cat(&[word.sets, test.blend, test.alpha_compare, test.alpha_reference]),
            "nothing of it is a plane",
        );
        let lines: Vec<Bits> = self
            .vertices
            .iter()
            .map(|vertices| {
                vertices.read_address.next = line;
                vertices.read_data.val()
            })
            .collect();
        let lines = pipe.put(Step::ENTRY, "line", lines).at(LINES);
        let component = number.low(2) | self.is(State::Rhw).repeat(2);
        let component = pipe.put(Step::ENTRY, "component", component).at(LINES);
        let is_second = pipe.put(Step::ENTRY, "is_second", set.bit(0)).at(LINES);
        let chosen = [0, 1, 2].map(|corner: usize| nth(lines[corner], FOUR, component));
        let singles = pipe.put(LINES, "single", chosen).at(EXIT);
        let channels = [0, 1, 2].map(|corner: usize| {
            let colors = lines[corner].slice(0, 2 * FOUR * CHANNEL_BITS);
            let color =
                if is_second { colors.high(FOUR * CHANNEL_BITS) } else { colors.low(FOUR * CHANNEL_BITS) };
            nth(color, FOUR, component)
        });
        let channels = pipe.put(LINES, "channel", channels).at(CONVERT);
        let colors = pipe.through(CONVERT, "color", &self.colors, channels).at(EXIT);
        let takes_color = pipe.put(Step::ENTRY, "is_color", is_color && !self.is(State::Rhw)).at(EXIT);
        let is_last = !self.left.val().high(VALUES - 1).any();
        let tag = pipe.put(Step::ENTRY, "tag", cat(&[is_last, number.low(TAG_BITS - 1)])).at(EXIT);
        let values =
            [0, 1, 2].map(|corner: usize| if takes_color { colors[corner] } else { singles[corner] });
        /// # Set-up
        let (setup, waiting) = (&self.setup, &self.waiting);
        waiting.clocks.follow(&self.clocks);
        waiting.input.valid.next = valid.at(EXIT);
        waiting.input.data.next = cat(&[tag, values[2], values[1], values[0]]);
        discard(waiting.level.val(), "ready says enough");
        setup.clocks.follow(&self.clocks);
        let places = [0, 1, 2].map(|corner: usize| {
            let place = self.places[corner].val();
            let bits = place.width() / 2;
            PlaceWord { x: place.low(bits), y: place.high(bits) }
        });
        let value = waiting.output.data.val();
        setup.input.valid.next = waiting.output.valid.val();
        waiting.output.ready.next = setup.input.ready.val();
        setup.input.data.next = SetupWord::shape().pack(&SetupWord {
            places,
            inverse: self.inverse.val(),
            values: [0, 1, 2].map(|corner: usize| value.slice(corner * SINGLE_BITS, SINGLE_BITS)),
            tag: value.high(TAG_BITS),
        });
    }

    fn planes(&self) {
        /// # Planes
        let (output, planes) = (&self.setup.output, &self.planes);
        output.ready.next = 1;
        planes.clocks.follow(&self.clocks);
        planes.write_enable.next = output.valid.val();
        planes.write_address.next = cat(&[self.bank.val(), self.came.val()]);
        planes.write_data.next = output.data.val();
        planes.read_address.next = self.place.val();
        self.plane.next = planes.read_data.val();
        if self.is(State::Begin) {
            self.came.next = 0;
        } else if output.valid.val() {
            self.came.next = self.came.val() + 1;
        }
    }
}
