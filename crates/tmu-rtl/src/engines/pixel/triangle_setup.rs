//! `triangle_setup`: from the values of three vertices to the plane that goes through them, a value a clock.
//!
//! Differences of places are exact in integers and in singles; everything behind them is singles, each operation rounded by itself in
//! the order that the contract writes down. C of a triangle is the A of the plane of −x, to the bit, the sign of a zero included: an
//! item `opens` a triangle, has no values and stands for that; its C is kept for the items behind it.
//!
//! Contract: the first item of a triangle opens it and gives no plane; places and 1/C are those of the triangle with every item. Planes
//! leave in the order of their values, with the tag that came with them.
//!
//! All items move together while the FIFO at the exit has room.
//!
//! Latency: the steps up to `EXIT` and two clocks, initiation interval 1. Ten multipliers of two DSP slices each and seven adders of singles.

use super::step::{ADD, MULTIPLY, Step, TO_FLOAT};
use super::words::SINGLE_BITS;
use tmu_hdl::arithmetic::{FixedToFloat, FloatAdd, FloatMultiply};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{Operand, SyncFifo};
use tmu_spec::pixel::{PLACE_BITS, SUBPIXEL_BITS};

/// Bits of a coordinate of a place.
const COORDINATE_BITS: usize = PLACE_BITS as usize;
/// Bits of what goes along with a value.
pub const TAG_BITS: usize = 6;
/// Planes that wait at the exit.
const EXIT_DEPTH: usize = 8;

/// Differences of places stand there.
const CONVERT: Step = Step::ENTRY.after(1);
/// Differences of values are there, and those of places in singles.
const CHOOSE: Step = Step::ENTRY.after(ADD);
/// The factors are chosen: in the clock of the multipliers' first stage that would be too deep.
const PRODUCTS: Step = CHOOSE.after(1);
/// Products of differences.
const DIFFERENCES: Step = PRODUCTS.after(MULTIPLY);
/// A and B.
const SLOPES: Step = DIFFERENCES.after(ADD);
/// A · x1, B · y1 and C · k1.
const OFFSETS: Step = SLOPES.after(MULTIPLY);
/// The sum of the first two.
const OFFSET: Step = OFFSETS.after(ADD);
/// −D.
const SCALE: Step = OFFSET.after(ADD);
/// The plane leaves.
const EXIT: Step = SCALE.after(MULTIPLY);

/// A place.
#[derive(Clone, Debug, Record)]
pub struct PlaceWord<T = Bits> {
    /// In 1/16 of a pixel, two's complement.
    pub x: T,
    /// Downwards.
    pub y: T,
}

/// A value of a triangle.
#[derive(Clone, Debug, Record)]
pub struct SetupWord<T = Bits> {
    /// It opens a triangle and has no values.
    pub opens: T,
    /// Of the three vertices.
    pub places: [PlaceWord<T>; 3],
    /// 1/C.
    pub inverse: T,
    /// The value at the three vertices.
    pub values: [T; 3],
    /// What goes along.
    pub tag: T,
}

impl SetupWord<Width> {
    /// Its shape.
    #[must_use]
    pub fn shape() -> SetupWord<Width> {
        let (coordinate, single) = (Width::bits(COORDINATE_BITS), Width::bits(SINGLE_BITS));
        let place = || PlaceWord { x: coordinate, y: coordinate };
        SetupWord {
            opens: Width::bits(1),
            places: [place(), place(), place()],
            inverse: single,
            values: [single; 3],
            tag: Width::bits(TAG_BITS),
        }
    }
}

/// A value over the screen: `E·x + (F·y + G)`.
#[derive(Clone, Debug, Record)]
pub struct PlaneWord<T = Bits> {
    /// What it grows by along a row.
    pub e: T,
    /// What it grows by from row to row.
    pub f: T,
    /// What it is at the corner of the screen.
    pub g: T,
    /// What came along.
    pub tag: T,
}

impl PlaneWord<Width> {
    /// Its shape.
    #[must_use]
    pub fn shape() -> PlaneWord<Width> {
        let single = Width::bits(SINGLE_BITS);
        PlaneWord { e: single, f: single, g: single, tag: Width::bits(TAG_BITS) }
    }
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct TriangleSetup {
    /// Clock and reset.
    pub clocks: Clocks,
    /// Values, see [`SetupWord`].
    pub input: StreamIn,
    /// Planes, see [`PlaneWord`].
    pub output: StreamOut,
    pipe: Pipe<Step>,
    places: [FixedToFloat; 2],
    differences: [FixedToFloat; 4],
    steps: [FloatAdd; 2],
    products: [FloatMultiply; 4],
    slopes: [FloatAdd; 2],
    offsets: [FloatMultiply; 3],
    first_sum: FloatAdd,
    second_sum: FloatAdd,
    scale: [FloatMultiply; 3],
    /// C of the triangle.
    area: Reg,
    exit: SyncFifo,
}

impl TriangleSetup {
    /// The stage.
    #[must_use]
    pub fn new() -> TriangleSetup {
        let clocks = Clocks::new();
        let convert =
            |more: usize| FixedToFloat::new(Operand::signed(COORDINATE_BITS + more), SUBPIXEL_BITS as usize);
        let setup = TriangleSetup {
            input: StreamIn::new(SetupWord::shape().width()),
            output: StreamOut::new(PlaneWord::shape().width()),
            pipe: Pipe::with(EXIT.all()).keep_in(Keep::ShiftRegisters),
            places: [(); 2].map(|()| convert(0)),
            differences: [(); 4].map(|()| convert(1)),
            steps: [(); 2].map(|()| FloatAdd::new()),
            products: [(); 4].map(|()| FloatMultiply::new()),
            slopes: [(); 2].map(|()| FloatAdd::new()),
            offsets: [(); 3].map(|()| FloatMultiply::new()),
            first_sum: FloatAdd::new(),
            second_sum: FloatAdd::new(),
            scale: [(); 3].map(|()| FloatMultiply::new()),
            area: Reg::new(&clocks, SINGLE_BITS),
            exit: SyncFifo::new(EXIT_DEPTH, PlaneWord::shape().width()),
            clocks,
        };
        setup.pipe.plan(&setup.clocks, || setup.logic());
        setup
    }
}

impl Default for TriangleSetup {
    fn default() -> TriangleSetup {
        TriangleSetup::new()
    }
}

/// What is subtracted is added with the other sign.
#[kernel]
pub(super) fn negative(single: Bits) -> Bits {
    cat(&[!single.high(1), single.low(single.width() - 1)])
}

/// Values of vertices to planes.
#[kernel]
impl TriangleSetup {
    fn logic(&self) {
        let advance = self.exit.input.ready.val();
        let pipe = self.pipe.run(&self.clocks, advance);
        timing(self.pipe.latency_clocks() + self.exit.latency_clocks(), 1);
        self.input.ready.next = advance;
        /// # Places
        let item = SetupWord::shape().unpack(self.input.data.val());
        let valid = pipe.flag(Step::ENTRY, "valid", self.input.valid.val());
        let opens = pipe.put(Step::ENTRY, "opens", item.opens);
        let [zeroth, first, second] = item.places;
        let less = |of: Bits, other: Bits| of.signed().sub_wide(other.signed()).bits();
        let differences = [
            less(first.x, second.x),
            less(first.y, second.y),
            less(first.x, zeroth.x),
            less(first.y, zeroth.y),
        ];
        let places = pipe.put(Step::ENTRY, "place", [first.x, first.y]).at(CONVERT);
        let differences = pipe.put(Step::ENTRY, "difference", differences).at(CONVERT);
        let places = pipe.through(CONVERT, "place_single", &self.places, places);
        let differences = pipe.through(CONVERT, "difference_single", &self.differences, differences);
        /// # A and B
        let [back_x, _, forth_x, _] = differences.at(CHOOSE);
        let [k0, k1, k2] = item.values;
        let steps = [(k1, negative(k0)), (k1, negative(k2))];
        let [forth, back] = pipe.through(Step::ENTRY, "step", &self.steps, steps).at(CHOOSE);
        let is_area = opens.at(CHOOSE);
        let forth = if is_area { negative(forth_x) } else { forth };
        let back = if is_area { negative(back_x) } else { back };
        let [forth, back] = pipe.put(CHOOSE, "factor", [forth, back]).at(PRODUCTS);
        let [back_x, back_y, forth_x, forth_y] = differences.at(PRODUCTS);
        let factors = [(back_y, forth), (back, forth_y), (back, forth_x), (back_x, forth)];
        let products = pipe.through(PRODUCTS, "product", &self.products, factors);
        let [p0, p1, p2, p3] = products.at(DIFFERENCES);
        let terms = [(p0, negative(p1)), (p2, negative(p3))];
        let slopes = pipe.through(DIFFERENCES, "slope", &self.slopes, terms);
        /// # D
        let [a, b] = slopes.at(SLOPES);
        if advance && opens.at(SLOPES) && valid.at(SLOPES) {
            self.area.next = a;
        }
        let [x1, y1] = places.at(SLOPES);
        let middle = pipe.put(Step::ENTRY, "middle", k1).at(SLOPES);
        let offsets = [(a, x1), (b, y1), (self.area.val(), middle)];
        let offsets = pipe.through(SLOPES, "offset", &self.offsets, offsets);
        let [of_x, of_y, _] = offsets.at(OFFSETS);
        let sum = pipe.through(OFFSETS, "first_sum", &self.first_sum, (of_x, of_y)).at(OFFSET);
        let [_, _, of_area] = offsets.at(OFFSET);
        let offset = pipe.through(OFFSET, "second_sum", &self.second_sum, (sum, of_area)).at(SCALE);
        /// # E, F and G: D is the negative of the sum, so that −D is the sum
        let inverse = pipe.put(Step::ENTRY, "inverse", item.inverse).at(SCALE);
        let [a, b] = slopes.at(SCALE);
        let planes = [(negative(a), inverse), (negative(b), inverse), (offset, inverse)];
        let [e, f, g] = pipe.through(SCALE, "scaled", &self.scale, planes).at(EXIT);
        let tag = pipe.put(Step::ENTRY, "tag", item.tag).at(EXIT);
        /// # Exit
        self.exit.clocks.follow(&self.clocks);
        self.exit.input.valid.next = valid.at(EXIT) && !opens.at(EXIT);
        self.exit.input.data.next = PlaneWord::shape().pack(&PlaneWord { e, f, g, tag });
        discard(self.exit.level.val(), "ready says enough");
        self.output.forward(&self.exit.output);
    }
}

const _: () = assert!(TO_FLOAT < ADD, "places are there when differences of values are");
