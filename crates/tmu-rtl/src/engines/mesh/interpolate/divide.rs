//! `divide`: the slope between two coordinates, for a number of steps that is the same for a whole job.
//!
//! The difference of two coordinates, to 17 bits, is divided by the number of steps n: the quotient is what each step goes at least, the
//! remainder what is left over. The division is a product with the reciprocal m of n, `ceil(2^s / n)`, where s is 26 below 512 steps and 28
//! from there on: then `m n - 2^s`, which is below n, times a difference of 17 bits is below `2^s`, and the product shifted by s is the exact
//! quotient. A second product gives the remainder.
//!
//! Latency 9 clocks, II 1, two multipliers.

use crate::engines::mesh::words::{POINT_BITS, SIZE_BITS};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{Multiplier, Operand};

/// Bits of a difference of two coordinates.
pub const DIFFERENCE_BITS: usize = 17;
/// Bits of a reciprocal.
pub const RECIPROCAL_BITS: usize = 26;
/// Bits behind the point of a reciprocal below [`MANY_STEPS`].
pub const SHIFT_BITS: usize = 26;
/// The same from there on.
pub const LONG_SHIFT_BITS: usize = 28;
/// Steps from which on a reciprocal has more bits behind the point: a power of two.
pub const MANY_STEPS: usize = 512;

/// How a coordinate goes on with each step.
#[derive(Clone, Debug, Record)]
pub struct Slope<T = Bits> {
    /// Whole part of the difference by the steps.
    pub quotient: T,
    /// What is left.
    pub remainder: T,
    /// It goes down.
    pub is_negative: T,
}

/// Shape of a [`Slope`].
pub fn slope() -> Slope<Width> {
    Slope {
        quotient: Width::bits(DIFFERENCE_BITS),
        remainder: Width::bits(SIZE_BITS),
        is_negative: Width::bits(1),
    }
}

/// The number of steps of a job, which stands still.
#[derive(Clone, Debug, Record)]
pub struct Steps<T = Bits> {
    /// How many: 1 to 2047.
    pub count: T,
    /// The reciprocal of that; with one step it is of no use.
    pub reciprocal: T,
}

/// Shape of [`Steps`].
pub fn steps() -> Steps<Width> {
    Steps { count: Width::bits(SIZE_BITS), reciprocal: Width::bits(RECIPROCAL_BITS) }
}

/// Where a division is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
enum Stage {
    /// Both coordinates come in, and are subtracted.
    Entry,
    /// The sign is taken off the difference.
    Magnitude,
    /// It is in the multiplier.
    Factors,
    /// It is multiplied.
    Multiply,
    /// The quotient is there.
    Quotient,
    /// It is in the multiplier.
    BackFactors,
    /// It is multiplied.
    BackMultiply,
    /// The remainder is found.
    Remainder,
    /// The slope leaves.
    Exit,
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Divide {
    /// Clock and reset.
    pub clocks: Clocks,
    /// All stages move.
    pub advance: Net<In>,
    /// Steps.
    pub steps: Steps<Field<In>>,
    /// Something comes in.
    pub in_valid: Net<In>,
    /// First coordinate.
    pub from: Net<In>,
    /// Last coordinate.
    pub to: Net<In>,
    /// What goes along.
    pub in_rest: Net<In>,
    /// A slope leaves.
    pub out_valid: Net<Out>,
    /// The first coordinate.
    pub start: Net<Out>,
    /// How it goes on.
    pub slope: Slope<Field<Out>>,
    /// What went along.
    pub out_rest: Net<Out>,
    product: Multiplier,
    back: Multiplier,
    pipe: Pipe<Stage>,
}

impl Divide {
    /// With `rest_bits` that go along.
    pub fn new(rest_bits: usize) -> Divide {
        let difference = || Operand::unsigned(DIFFERENCE_BITS);
        let divide = Divide {
            clocks: Clocks::new(),
            advance: Net::bit(),
            steps: steps().nets(),
            in_valid: Net::bit(),
            from: Net::new(POINT_BITS),
            to: Net::new(POINT_BITS),
            in_rest: Net::new(rest_bits),
            out_valid: Net::bit(),
            start: Net::new(POINT_BITS),
            slope: slope().nets(),
            out_rest: Net::new(rest_bits),
            product: Multiplier::new(Operand::unsigned(RECIPROCAL_BITS), difference()),
            back: Multiplier::new(difference(), Operand::unsigned(SIZE_BITS)),
            pipe: Pipe::new(),
        };
        divide.pipe.plan(&divide.clocks, || divide.logic());
        divide
    }
}

/// The slope between two coordinates.
#[kernel]
impl Divide {
    fn module_name(&self) -> String {
        format!("divide_{}", self.in_rest.width())
    }

    fn logic(&self) {
        let pipe = self.pipe.run(&self.clocks, self.advance.val());
        pipe.timing();
        let steps = self.steps.val();
        let valid = pipe.flag(Stage::Entry, "valid", self.in_valid.val());
        let rest = pipe.put(Stage::Entry, "rest", self.in_rest.val());
        let start = pipe.put(Stage::Entry, "start", self.from.val());
        /// # Difference
        let difference = self.to.val().signed().sub_wide(self.from.val().signed()).bits();
        let sign = pipe.put(Stage::Entry, "is_negative", difference.high(1));
        discard(difference.bit(DIFFERENCE_BITS), "differences are taken to 17 bits");
        let difference = pipe.put(Stage::Entry, "difference", difference.low(DIFFERENCE_BITS));
        let is_negative = sign.at(Stage::Magnitude);
        let flipped = difference.at(Stage::Magnitude) ^ is_negative.repeat(DIFFERENCE_BITS);
        let magnitude = flipped + is_negative.zero_extend(DIFFERENCE_BITS);
        let low = pipe.put(Stage::Magnitude, "low", magnitude.low(SIZE_BITS));
        /// # Quotient
        let factors = (steps.reciprocal, magnitude);
        let product = pipe.through(Stage::Magnitude, "product", &self.product, factors).at(Stage::Quotient);
        let has_many = steps.count.high(SIZE_BITS - MANY_STEPS.ilog2() as usize).any();
        discard(product.low(SHIFT_BITS), "behind the point");
        let few = product.slice(SHIFT_BITS, DIFFERENCE_BITS);
        let many = product.high(RECIPROCAL_BITS + DIFFERENCE_BITS - LONG_SHIFT_BITS);
        let quotient = if has_many { many.zero_extend(DIFFERENCE_BITS) } else { few };
        /// # Remainder
        let factors = (quotient, steps.count);
        let back = pipe.through(Stage::Quotient, "back", &self.back, factors).at(Stage::Remainder);
        discard(back.high(DIFFERENCE_BITS), "the remainder is below the number of steps");
        let quotient = pipe.put(Stage::Quotient, "quotient", quotient);
        let remainder = low.at(Stage::Remainder) - back.low(SIZE_BITS);
        let remainder = pipe.put(Stage::Remainder, "remainder", remainder);
        self.out_valid.next = valid.at(Stage::Exit);
        self.start.next = start.at(Stage::Exit);
        self.out_rest.next = rest.at(Stage::Exit);
        self.slope.next = Slope {
            quotient: quotient.at(Stage::Exit),
            remainder: remainder.at(Stage::Exit),
            is_negative: sign.at(Stage::Exit),
        };
    }
}
