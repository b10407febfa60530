//! Sum and difference of two numbers of single precision.

use super::count::{add_or_subtract, highest_one, is_above};
use super::float::{
    EXPONENT_BITS, Exact, FLOAT_BITS, FRACTION_BITS, Finish, KIND_BITS, STORED_EXPONENT_BITS, kind, parts,
};
use crate::kernel::timing;
use crate::prelude::*;

/// Bits of a significand.
const SIGNIFICAND_BITS: usize = FRACTION_BITS + 1;
/// Bits of the smaller significand once it is in place: two bits below the larger one's last.
const PLACED_BITS: usize = SIGNIFICAND_BITS + 2;
/// Bits of the sum: those, a bit for all that lies below, and a carry.
const SUM_BITS: usize = PLACED_BITS + 2;
/// Bits of the distance between the exponents, as far as it matters.
const DISTANCE_BITS: usize = 5;
/// Bits of the smaller significand that are looked at together for a set one that leaves it: with the distance no more than two
/// LUTs deep, and no more groups than a LUT has inputs.
const LOST_BITS: usize = 4;
/// Bits of the sum that are looked at first, and after that the only ones that may hold its highest bit.
const GROUP_BITS: usize = 16;
/// Bits of a place in a group.
const PLACE_BITS: usize = 4;

/// Sum and difference of two numbers of single precision, correctly rounded to nearest even.
///
/// A sum below the normal numbers is exact, so that nothing rounds up to one of them.
///
/// See [the module](super) for denormals and for what is no number. A sum of exactly zero is +0 unless both operands are
/// -0; infinity less infinity is no number.
///
/// All registers move in a clock with `enable` high and hold in any other. Latency 9 enabled clocks, II 1.
#[derive(Debug, LogicBlock)]
pub struct FloatAdd {
    /// The clock.
    pub clocks: Clocks,
    /// High to move all registers.
    pub enable: Net<In>,
    /// The first operand.
    pub a: Net<In>,
    /// The second operand.
    pub b: Net<In>,
    /// High for `a - b`.
    pub subtract: Net<In>,
    /// The sum or difference of nine enabled clocks before.
    pub result: Net<Out>,
    compared: Compared,
    ordered: Ordered,
    placed: Placed,
    added: Added,
    grouped: Added,
    is_low: Reg,
    counted: Added,
    counted_is_low: Reg,
    count: Reg,
    normal: Normal,
    finish: Finish,
}

/// The operands beside what was found out about them.
#[derive(Debug, Bundle)]
struct Compared {
    a: Reg,
    b: Reg,
    b_is_larger: Reg,
    a_is_zero: Reg,
    b_is_zero: Reg,
    a_above_b: Reg,
    b_above_a: Reg,
    a_is_top: Reg,
    b_is_top: Reg,
    a_has_fraction: Reg,
    b_has_fraction: Reg,
}

/// What every stage behind carries along.
#[derive(Debug, Bundle)]
struct Carried {
    sign: Reg,
    zero_sign: Reg,
    exponent: Reg,
    kind: Reg,
}

/// The larger operand and the smaller one.
#[derive(Debug, Bundle)]
struct Ordered {
    of: Carried,
    larger: Reg,
    smaller: Reg,
    distance: Reg,
    subtracts: Reg,
}

/// The smaller significand at the larger one's exponent, and which groups of its bits lost a set one.
#[derive(Debug, Bundle)]
struct Placed {
    of: Carried,
    larger: Reg,
    smaller: Reg,
    lost: Reg,
    subtracts: Reg,
}

/// The sum.
#[derive(Debug, Bundle)]
struct Added {
    of: Carried,
    sum: Reg,
}

/// The sum with a one in front.
#[derive(Debug, Bundle)]
struct Normal {
    sign: Reg,
    exponent: Reg,
    kind: Reg,
    fraction: Reg,
    half: Reg,
    rest: Reg,
}

impl Carried {
    fn new(clocks: &Clocks) -> Carried {
        Carried {
            sign: Reg::new(clocks, 1),
            zero_sign: Reg::new(clocks, 1),
            exponent: Reg::new(clocks, STORED_EXPONENT_BITS),
            kind: Reg::new(clocks, KIND_BITS),
        }
    }

    /// Takes what the stage before has.
    fn take(&self, before: &Carried) {
        self.sign.drive(before.sign.val());
        self.zero_sign.drive(before.zero_sign.val());
        self.exponent.drive(before.exponent.val());
        self.kind.drive(before.kind.val());
    }
}

impl FloatAdd {
    /// Enabled clocks from the operands to the result.
    pub const LATENCY_CLOCKS: u32 = 7 + Finish::LATENCY_CLOCKS;

    /// An adder.
    #[track_caller]
    pub fn new() -> FloatAdd {
        let clocks = Clocks::without_reset();
        let register = |width| Reg::new(&clocks, width);
        let added = || Added { of: Carried::new(&clocks), sum: register(SUM_BITS) };
        FloatAdd {
            enable: Net::bit(),
            a: Net::new(FLOAT_BITS),
            b: Net::new(FLOAT_BITS),
            subtract: Net::bit(),
            result: Net::new(FLOAT_BITS),
            compared: Compared {
                a: register(FLOAT_BITS),
                b: register(FLOAT_BITS),
                b_is_larger: register(1),
                a_is_zero: register(1),
                b_is_zero: register(1),
                a_above_b: register(STORED_EXPONENT_BITS),
                b_above_a: register(STORED_EXPONENT_BITS),
                a_is_top: register(1),
                b_is_top: register(1),
                a_has_fraction: register(1),
                b_has_fraction: register(1),
            },
            ordered: Ordered {
                of: Carried::new(&clocks),
                larger: register(SIGNIFICAND_BITS),
                smaller: register(SIGNIFICAND_BITS),
                distance: register(DISTANCE_BITS),
                subtracts: register(1),
            },
            placed: Placed {
                of: Carried::new(&clocks),
                larger: register(SIGNIFICAND_BITS),
                smaller: register(PLACED_BITS),
                lost: register(SIGNIFICAND_BITS.div_ceil(LOST_BITS)),
                subtracts: register(1),
            },
            added: added(),
            grouped: added(),
            is_low: register(1),
            counted: added(),
            counted_is_low: register(1),
            count: register(PLACE_BITS + 1),
            normal: Normal {
                sign: register(1),
                exponent: register(EXPONENT_BITS),
                kind: register(KIND_BITS),
                fraction: register(FRACTION_BITS),
                half: register(1),
                rest: register(1),
            },
            finish: Finish::new(&clocks),
            clocks,
        }
    }
}

impl Default for FloatAdd {
    fn default() -> Self {
        FloatAdd::new()
    }
}

/// Sum and difference of two numbers of single precision.
#[kernel]
impl FloatAdd {
    fn logic(&self) {
        timing(FloatAdd::LATENCY_CLOCKS, 1);
        let enable = self.enable.val();
        if enable {
            self.compare();
            self.order();
            self.place();
            self.add();
            self.group();
            self.count();
            self.normalise();
        }
        let normal = &self.normal;
        let exact = Exact {
            sign: normal.sign.val(),
            kind: normal.kind.val(),
            exponent: normal.exponent.val(),
            fraction: normal.fraction.val(),
            half: normal.half.val(),
            rest: normal.rest.val(),
        };
        self.result.next = self.finish.of(exact, enable);
    }

    fn compare(&self) {
        /// # Compare
        let to = &self.compared;
        let a = self.a.val();
        let b = cat(&[self.b.val().high(1) ^ self.subtract.val(), self.b.val().low(FLOAT_BITS - 1)]);
        let (a_parts, b_parts) = (parts(a), parts(b));
        to.a.next = a;
        to.b.next = b;
        to.b_is_larger.next = a.low(FLOAT_BITS - 1) < b.low(FLOAT_BITS - 1);
        to.a_is_zero.next = a_parts.is_zero;
        to.b_is_zero.next = b_parts.is_zero;
        to.a_above_b.next = a_parts.exponent - b_parts.exponent;
        to.b_above_a.next = b_parts.exponent - a_parts.exponent;
        to.a_is_top.next = a_parts.exponent.all();
        to.b_is_top.next = b_parts.exponent.all();
        to.a_has_fraction.next = a_parts.fraction.any();
        to.b_has_fraction.next = b_parts.fraction.any();
    }

    fn order(&self) {
        /// # Order
        let (from, to) = (&self.compared, &self.ordered);
        let (a, b) = (from.a.val(), from.b.val());
        let swaps = from.b_is_larger.val();
        /// What is denormal has no one in front, and no fraction either.
        let significand = |number: Bits, is_zero: Bits| {
            cat(&[lit(1, 1), number.low(FRACTION_BITS)]) & !is_zero.repeat(SIGNIFICAND_BITS)
        };
        let a_significand = significand(a, from.a_is_zero.val());
        let b_significand = significand(b, from.b_is_zero.val());
        to.larger.next = swaps.mux(b_significand, a_significand);
        to.smaller.next = swaps.mux(a_significand, b_significand);
        /// Farther than 31 is as far.
        let distance = swaps.mux(from.b_above_a.val(), from.a_above_b.val());
        let is_far = distance.high(STORED_EXPONENT_BITS - DISTANCE_BITS).any();
        to.distance.next = distance.low(DISTANCE_BITS) | is_far.repeat(DISTANCE_BITS);
        let (a_sign, b_sign) = (a.high(1), b.high(1));
        to.subtracts.next = a_sign ^ b_sign;
        to.of.sign.next = swaps.mux(b_sign, a_sign);
        to.of.zero_sign.next = a_sign & b_sign;
        let exponent = |number: Bits| number.slice(FRACTION_BITS, STORED_EXPONENT_BITS);
        /// With a carry the sum's exponent is one more than the larger operand's.
        to.of.exponent.next = swaps.mux(exponent(b), exponent(a)) + 1;
        let (a_is_top, b_is_top) = (from.a_is_top.val(), from.b_is_top.val());
        let is_nan = (a_is_top & from.a_has_fraction.val()) | (b_is_top & from.b_has_fraction.val());
        let cancels = a_is_top & b_is_top & (a_sign ^ b_sign);
        to.of.kind.next = kind(is_nan | cancels, a_is_top | b_is_top, lit(1, 0));
    }

    fn place(&self) {
        /// # Place
        let (from, to) = (&self.ordered, &self.placed);
        to.of.take(&from.of);
        to.larger.next = from.larger.val();
        to.subtracts.next = from.subtracts.val();
        let (smaller, distance) = (from.smaller.val(), from.distance.val());
        let spare = PLACED_BITS - SIGNIFICAND_BITS;
        to.smaller.next = cat(&[smaller, lit(spare, 0)]) >> distance;
        let leaves: Vec<Bits> =
            (0..SIGNIFICAND_BITS).map(|i| smaller.bit(i) & is_above(distance, i + spare)).collect();
        let lost: Vec<Bits> = leaves.chunks(LOST_BITS).map(|group| cat(group).any()).collect();
        to.lost.next = cat(&lost);
    }

    fn add(&self) {
        /// # Add
        let (from, to) = (&self.placed, &self.added);
        to.of.take(&from.of);
        let larger = from.larger.val();
        let larger = cat(&[lit(1, 0), larger, lit(PLACED_BITS + 1 - SIGNIFICAND_BITS, 0)]);
        /// What was lost is less than the last place, however much of it: one bit below says so.
        let smaller = cat(&[lit(1, 0), from.smaller.val(), from.lost.val().any()]);
        /// The larger one comes first, so that the difference is never below zero.
        to.sum.next = add_or_subtract(larger, smaller, from.subtracts.val());
    }

    fn group(&self) {
        /// # Group
        let (from, to) = (&self.added, &self.grouped);
        to.of.take(&from.of);
        let sum = from.sum.val();
        let is_low = !sum.high(GROUP_BITS).any();
        let moved = cat(&[sum.low(SUM_BITS - GROUP_BITS), lit(GROUP_BITS, 0)]);
        to.sum.next = is_low.mux(moved, sum);
        self.is_low.next = is_low;
    }

    fn count(&self) {
        /// # Count
        let (from, to) = (&self.grouped, &self.counted);
        to.of.take(&from.of);
        to.sum.next = from.sum.val();
        self.counted_is_low.next = self.is_low.val();
        let (is_zero, zeros) = highest_one(from.sum.val().high(GROUP_BITS));
        self.count.next = cat(&[is_zero, zeros]);
    }

    fn normalise(&self) {
        /// # Normalise
        let (from, to) = (&self.counted, &self.normal);
        let count = self.count.val();
        let moved = from.sum.val() << count.low(PLACE_BITS);
        /// Sixteen zeros at the top are left only where there is nothing else.
        let is_zero = count.high(1);
        let exponent = from.of.exponent.val().zero_extend(EXPONENT_BITS);
        let zeros = cat(&[self.counted_is_low.val(), count.low(PLACE_BITS)]).zero_extend(EXPONENT_BITS);
        to.exponent.next = exponent - zeros;
        to.fraction.next = moved.slice(SUM_BITS - 1 - FRACTION_BITS, FRACTION_BITS);
        to.half.next = moved.bit(SUM_BITS - 2 - FRACTION_BITS);
        to.rest.next = moved.low(SUM_BITS - 2 - FRACTION_BITS).any();
        discard(moved.high(1), "the one in front");
        let kind = from.of.kind.val();
        to.kind.next = cat(&[kind.high(1), kind.bit(0) | (is_zero & !kind.high(1))]);
        to.sign.next = (is_zero & !kind.high(1)).mux(from.of.zero_sign.val(), from.of.sign.val());
    }
}
