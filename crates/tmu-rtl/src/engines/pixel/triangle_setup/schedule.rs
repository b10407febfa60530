//! Which operation of `triangle_setup` begins when, and in which unit. Nothing of this is hardware.
//!
//! Items come every [`INTERVAL`] clocks, so that a unit may begin one operation in each clock of an interval. Operations are placed in the order of
//! their table, each as soon as what it reads is there and a unit of its kind is free.

use crate::engines::pixel::step::{ADD, MULTIPLY, TO_FLOAT};

/// Clocks from an item to the next one.
pub(super) const INTERVAL: usize = 8;

/// A kind of unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// A difference of coordinates, as a single.
    Convert,
    /// A sum of singles, or a difference.
    Add,
    /// A product of singles.
    Multiply,
}

impl Unit {
    /// How many there are.
    pub(super) const fn count(self) -> usize {
        match self {
            Unit::Convert | Unit::Add => 1,
            Unit::Multiply => 2,
        }
    }

    /// Clocks from the choice of operands, which are kept for a clock, to the result.
    const fn latency_clocks(self) -> usize {
        match self {
            // The difference is kept, too.
            Unit::Convert => 2 + TO_FLOAT,
            Unit::Add => 1 + ADD,
            Unit::Multiply => 1 + MULTIPLY,
        }
    }
}

/// What an operation reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operand {
    /// The column of a vertex.
    X(usize),
    /// Its row.
    Y(usize),
    /// Zero.
    Zero,
    /// The value at a vertex.
    Value(usize),
    /// 1/C.
    Inverse,
    /// What an operation gives.
    Of(&'static str),
}

/// An operation on two operands. Where it is `negative`, sums have the second one with the other sign, and products have the other sign.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operation {
    pub(super) gives: &'static str,
    pub(super) unit: Unit,
    pub(super) operands: [Operand; 2],
    pub(super) negative: bool,
}

/// An operation with its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    pub(super) operation: Operation,
    /// Which unit of its kind.
    pub(super) number: usize,
    /// The clock in which operands are chosen, behind that in which the item comes.
    pub(super) start: usize,
}

impl Placed {
    /// The clock in which the result is there.
    pub(super) fn end(&self) -> usize {
        self.start + self.operation.unit.latency_clocks()
    }

    /// The clock of an interval in which it begins.
    pub(super) fn turn(&self) -> usize {
        self.start % INTERVAL
    }
}

/// All operations, each behind those that it reads. Back is vertex 1 less vertex 2, forth is vertex 1 less vertex 0.
fn table() -> Vec<Operation> {
    use Operand::{Inverse, Of, Value, X, Y, Zero};
    let of = |unit, negative| {
        move |gives, first, second| Operation { gives, unit, operands: [first, second], negative }
    };
    let place = of(Unit::Convert, true);
    let (sum, difference) = (of(Unit::Add, false), of(Unit::Add, true));
    let (product, negative_product) = (of(Unit::Multiply, false), of(Unit::Multiply, true));
    vec![
        place("back_y", Y(1), Y(2)),
        place("forth_y", Y(1), Y(0)),
        place("forth_x", X(1), X(0)),
        place("back_x", X(1), X(2)),
        place("x", X(1), Zero),
        place("y", Y(1), Zero),
        difference("forth", Value(1), Value(0)),
        difference("back", Value(1), Value(2)),
        product("a_first", Of("back_y"), Of("forth")),
        product("a_second", Of("back"), Of("forth_y")),
        product("b_first", Of("back"), Of("forth_x")),
        product("b_second", Of("back_x"), Of("forth")),
        product("c_first", Of("back_x"), Of("forth_y")),
        product("c_second", Of("back_y"), Of("forth_x")),
        difference("a", Of("a_first"), Of("a_second")),
        difference("b", Of("b_first"), Of("b_second")),
        difference("c", Of("c_first"), Of("c_second")),
        product("along", Of("a"), Of("x")),
        product("down", Of("b"), Of("y")),
        product("up", Of("c"), Value(1)),
        sum("in_place", Of("along"), Of("down")),
        // D is the negative of it.
        sum("offset", Of("in_place"), Of("up")),
        product("g", Of("offset"), Inverse),
        negative_product("e", Of("a"), Inverse),
        negative_product("f", Of("b"), Inverse),
    ]
}

/// The place of each operation.
pub(super) fn schedule() -> Vec<Placed> {
    let mut placed: Vec<Placed> = vec![];
    for operation in table() {
        let first = operation.operands.map(|operand| ready(&placed, operand)).into_iter().max().unwrap_or(0);
        let units = (first..).flat_map(|start| {
            (0..operation.unit.count()).map(move |number| Placed { operation, number, start })
        });
        placed.extend(units.into_iter().find(|place| placed.iter().all(|other| !is_same_unit(place, other))));
    }
    placed
}

/// The first clock in which an operand is there.
fn ready(placed: &[Placed], operand: Operand) -> usize {
    let Operand::Of(gives) = operand else { return 0 };
    let before = placed.iter().find(|placed| placed.operation.gives == gives);
    before.expect("an operation stands behind those that it reads").end()
}

/// Whether two operations begin in a unit in the same clock of an interval.
fn is_same_unit(a: &Placed, b: &Placed) -> bool {
    a.operation.unit == b.operation.unit && a.number == b.number && a.turn() == b.turn()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_begin_one_operation_a_clock_and_read_what_is_there() {
        let placed = schedule();
        assert_eq!(placed.len(), table().len());
        for (number, own) in placed.iter().enumerate() {
            assert!(placed[number + 1..].iter().all(|other| !is_same_unit(own, other)), "{own:?}");
            for operand in own.operation.operands {
                assert!(ready(&placed, operand) <= own.start, "{own:?} reads {operand:?} too early");
            }
        }
    }
}
