//! `triangle_setup`: from the values of three vertices to the plane that goes through them.
//!
//! Differences of places are exact in integers and in singles; everything behind them is singles, each operation rounded by itself in
//! the order that the contract writes down. The operations of an item share four units, which begin one of them in each clock: which one
//! when is worked out where the hardware is made (`schedule`). C of the triangle is worked out with every value.
//!
//! Contract: an item holds until it is taken, as in any stream. Planes leave in the order of their values, with the tag that came with them.
//!
//! All operations move together while the FIFO at the exit has room.
//!
//! Latency: up to seven clocks until an item begins, those of the schedule and two more, initiation interval 8. Two multipliers of two DSP slices each, an adder
//! and a conversion of singles.

mod schedule;

use super::step::Step;
use super::words::SINGLE_BITS;
use crate::system::memory_port::select;
use schedule::{INTERVAL, Operand, Placed, Unit, schedule};
use tmu_hdl::arithmetic::{FixedToFloat, FloatAdd, FloatMultiply};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{Operand as Format, SyncFifo};
use tmu_spec::pixel::{PLACE_BITS, SUBPIXEL_BITS};

/// Bits of a coordinate of a place.
const COORDINATE_BITS: usize = PLACE_BITS as usize;
/// Bits of a difference of coordinates.
const DIFFERENCE_BITS: usize = COORDINATE_BITS + 1;
/// Bits of what goes along with a value.
pub const TAG_BITS: usize = 6;
/// Bits of the number of a clock of an interval.
const TURN_BITS: usize = INTERVAL.ilog2() as usize;
/// Planes that wait at the exit.
const EXIT_DEPTH: usize = 8;

/// The clock in which an item is taken.
const TAKEN: Step = Step::ENTRY.after(INTERVAL - 1);

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
    turn: Reg,
    /// The item of this interval has begun.
    has_item: Reg,
    /// Two coordinates, and how far they are apart.
    coordinates: [Reg; 2],
    difference: Reg,
    convert: FixedToFloat,
    terms: [Reg; 2],
    subtracts: Reg,
    add: FloatAdd,
    factors: Vec<[Reg; 2]>,
    multiply: Vec<FloatMultiply>,
    exit: SyncFifo,
}

impl TriangleSetup {
    /// The stage.
    #[must_use]
    pub fn new() -> TriangleSetup {
        let clocks = Clocks::new();
        let two = |width: usize| [(); 2].map(|()| Reg::new(&clocks, width));
        let products = 0..Unit::Multiply.count();
        let setup = TriangleSetup {
            input: StreamIn::new(SetupWord::shape().width()),
            output: StreamOut::new(PlaneWord::shape().width()),
            pipe: Pipe::with(exit(&schedule()).all()).keep_in(Keep::ShiftRegisters),
            turn: Reg::with_reset(&clocks, TURN_BITS, 0),
            has_item: Reg::with_reset(&clocks, 1, 0),
            coordinates: two(COORDINATE_BITS),
            difference: Reg::new(&clocks, DIFFERENCE_BITS),
            convert: FixedToFloat::new(Format::signed(DIFFERENCE_BITS), SUBPIXEL_BITS as usize),
            terms: two(SINGLE_BITS),
            subtracts: Reg::new(&clocks, 1),
            add: FloatAdd::new(),
            factors: products.clone().map(|_| two(SINGLE_BITS)).collect(),
            multiply: products.map(|_| FloatMultiply::new()).collect(),
            exit: SyncFifo::new(EXIT_DEPTH, PlaneWord::shape().width()),
            clocks,
        };
        setup.pipe.plan(&setup.clocks, || setup.logic());
        setup
    }
}

/// So many clocks behind the one in which an item begins.
fn step(clocks: usize) -> Step {
    Step::ENTRY.after(clocks)
}

/// The clock in which a plane leaves.
fn exit(plan: &[Placed]) -> Step {
    step(plan.iter().map(Placed::end).max().unwrap_or(0))
}

impl Default for TriangleSetup {
    fn default() -> TriangleSetup {
        TriangleSetup::new()
    }
}

/// What later operations read of an item and of those before.
struct Known<'a> {
    item: SetupWord,
    /// What is read of the item when it has been taken.
    kept: Vec<(Operand, Payload<'a, Step, Bits>)>,
    results: Vec<(&'static str, Payload<'a, Step, Bits>)>,
}

/// Values of vertices to planes.
#[kernel]
impl TriangleSetup {
    fn logic(&self) {
        let advance = self.exit.input.ready.val();
        let pipe = self.pipe.run(&self.clocks, advance);
        timing(
            INTERVAL as u32 - 1 + self.pipe.latency_clocks() + self.exit.latency_clocks(),
            INTERVAL as u32,
        );
        let plan = schedule();
        /// # Items
        let turn = self.turn.val();
        let item = SetupWord::shape().unpack(self.input.data.val());
        let begins = self.input.valid.val() && !turn.any();
        if advance {
            self.turn.next = turn + 1;
            if !turn.any() {
                self.has_item.next = self.input.valid.val();
            }
        }
        self.input.ready.next = advance && self.has_item.val() && turn.all();
        let valid = pipe.flag(Step::ENTRY, "valid", begins);
        let tag = pipe.put(TAKEN, "tag", item.tag);
        let known = Known {
            kept: kept(&pipe, &plan, &item),
            results: plan.iter().map(|placed| self.result(&pipe, placed)).collect(),
            item,
        };
        self.convert(&plan, &known, advance);
        self.add(&plan, &known, advance);
        self.multiply(&plan, &known, advance);
        /// # Exit
        let exit = exit(&plan);
        let [e, f, g] = ["e", "f", "g"].map(|name: &str| result_of(&known, name).at(exit));
        let tag = tag.at(exit);
        self.exit.clocks.follow(&self.clocks);
        self.exit.input.valid.next = valid.at(exit);
        self.exit.input.data.next = PlaneWord::shape().pack(&PlaneWord { e, f, g, tag });
        discard(self.exit.level.val(), "ready says enough");
        self.output.forward(&self.exit.output);
    }

    /// What an operation gives, by its name, from its last clock on.
    fn result<'a>(&self, pipe: &Run<'a, Step>, placed: &Placed) -> (&'static str, Payload<'a, Step, Bits>) {
        let result = match placed.operation.unit {
            Unit::Convert => self.convert.single.val(),
            Unit::Add => self.add.result.val(),
            Unit::Multiply => self.multiply[placed.number].result.val(),
        };
        let gives = placed.operation.gives;
        (gives, pipe.put(step(placed.end()), gives, result))
    }

    fn convert(&self, plan: &[Placed], known: &Known, advance: Bits) {
        /// # Differences of places
        let turn = self.turn.val();
        let [first, second] =
            [0, 1].map(|operand: usize| chosen(plan, known, (Unit::Convert, 0), operand, turn));
        let [minuend, subtrahend] = self.coordinates.each_ref().map(Reg::val);
        if advance {
            self.coordinates[0].next = first;
            self.coordinates[1].next = second;
            self.difference.next = minuend.signed().sub_wide(subtrahend.signed()).bits();
        }
        self.convert.clocks.follow(&self.clocks);
        self.convert.enable.next = advance;
        self.convert.fixed.next = self.difference.val();
    }

    fn add(&self, plan: &[Placed], known: &Known, advance: Bits) {
        /// # Sums
        let turn = self.turn.val();
        let [first, second] = [0, 1].map(|operand: usize| chosen(plan, known, (Unit::Add, 0), operand, turn));
        if advance {
            self.terms[0].next = first;
            self.terms[1].next = second;
            self.subtracts.next = subtracts(plan, turn);
        }
        self.add.clocks.follow(&self.clocks);
        self.add.enable.next = advance;
        self.add.a.next = self.terms[0].val();
        self.add.b.next = self.terms[1].val();
        self.add.subtract.next = self.subtracts.val();
    }

    fn multiply(&self, plan: &[Placed], known: &Known, advance: Bits) {
        /// # Products
        let turn = self.turn.val();
        for (number, (unit, factors)) in self.multiply.iter().zip(&self.factors).enumerate() {
            let [first, second] =
                [0, 1].map(|operand: usize| chosen(plan, known, (Unit::Multiply, number), operand, turn));
            if advance {
                factors[0].next = first;
                factors[1].next = second;
            }
            unit.clocks.follow(&self.clocks);
            unit.enable.next = advance;
            unit.a.next = factors[0].val();
            unit.b.next = factors[1].val();
        }
    }
}

/// The result of an operation.
fn result_of<'k, 'a>(known: &'k Known<'a>, name: &str) -> &'k Payload<'a, Step, Bits> {
    let result = known.results.iter().find(|(gives, _)| *gives == name);
    &result.expect("an operation of the schedule").1
}

/// An operand of what a unit begins in this clock.
fn chosen(plan: &[Placed], known: &Known, (unit, number): (Unit, usize), operand: usize, turn: Bits) -> Bits {
    let own = plan.iter().filter(|placed| placed.operation.unit == unit && placed.number == number);
    let operands = own.map(|placed| {
        let value = read(known, placed.operation.operands[operand], placed.start);
        let changes_sign = unit == Unit::Multiply && operand == 0 && placed.operation.negative;
        (placed.turn(), if changes_sign { negative(value) } else { value })
    });
    in_turn(&operands.collect::<Vec<_>>(), turn)
}

/// One bit: the sum that begins in this clock is a difference.
fn subtracts(plan: &[Placed], turn: Bits) -> Bits {
    let own = plan.iter().filter(|placed| placed.operation.unit == Unit::Add);
    in_turn(&own.map(|placed| (placed.turn(), lit(1, placed.operation.negative))).collect::<Vec<_>>(), turn)
}

/// An operand, so many clocks behind its item.
fn read(known: &Known, operand: Operand, clocks: usize) -> Bits {
    match operand {
        Operand::Of(name) => result_of(known, name).at(step(clocks)),
        _ if clocks < INTERVAL => of_item(&known.item, operand),
        _ => {
            let kept = known.kept.iter().find(|(own, _)| *own == operand);
            kept.expect("it is kept for this").1.at(step(clocks))
        }
    }
}

/// What an item brings.
fn of_item(item: &SetupWord, operand: Operand) -> Bits {
    match operand {
        Operand::X(vertex) => item.places[vertex].x,
        Operand::Y(vertex) => item.places[vertex].y,
        Operand::Zero => lit(COORDINATE_BITS, 0u32),
        Operand::Value(vertex) => item.values[vertex],
        Operand::Inverse => item.inverse,
        Operand::Of(name) => unreachable!("`{name}` is a result"),
    }
}

/// What an operand is called in the hardware.
fn name(operand: Operand) -> String {
    match operand {
        Operand::X(vertex) => format!("x{vertex}"),
        Operand::Y(vertex) => format!("y{vertex}"),
        Operand::Zero => "zero".into(),
        Operand::Value(vertex) => format!("value{vertex}"),
        Operand::Inverse => "inverse".into(),
        Operand::Of(name) => name.into(),
    }
}

/// Of an item what operations read when it has been taken.
fn kept<'a>(
    pipe: &Run<'a, Step>,
    plan: &[Placed],
    item: &SetupWord,
) -> Vec<(Operand, Payload<'a, Step, Bits>)> {
    let mut kept: Vec<(Operand, Payload<'a, Step, Bits>)> = vec![];
    for placed in plan.iter().filter(|placed| placed.start >= INTERVAL) {
        for operand in placed.operation.operands {
            let is_new = kept.iter().all(|(own, _)| *own != operand);
            if !matches!(operand, Operand::Of(_)) && is_new {
                kept.push((operand, pipe.put(TAKEN, &name(operand), of_item(item, operand))));
            }
        }
    }
    kept
}

/// Of values for some clocks of an interval the one of this clock, and any of them in other clocks: the one that makes the choice smallest.
fn in_turn(values: &[(usize, Bits)], turn: Bits) -> Bits {
    let of = |wanted: usize| values.iter().find(|(own, _)| *own == wanted).map(|(_, value)| *value);
    let nearest =
        |own: usize| (0..INTERVAL).find_map(|apart| of(own ^ apart)).expect("a unit begins something");
    select(&(0..INTERVAL).map(nearest).collect::<Vec<_>>(), turn)
}

/// What is subtracted is added with the other sign.
#[kernel]
fn negative(single: Bits) -> Bits {
    cat(&[!single.high(1), single.low(single.width() - 1)])
}
