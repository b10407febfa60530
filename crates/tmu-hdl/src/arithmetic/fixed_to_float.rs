//! A fixed-point number as one of single precision.

use super::count::{highest_one, is_above, priority};
use super::delay::Delay;
use super::fixed_format::FixedFormat;
use super::float::{EXPONENT_BITS, Exact, FINITE, FLOAT_BITS, FRACTION_BITS, Finish, KIND_BITS, ZERO};
use crate::kernel::timing;
use crate::prelude::*;
use crate::primitives::Operand;

/// A fixed-point number as one of single precision, rounded to nearest even.
///
/// Every number has one: with at most 64 bits, 126 of them behind the point, none is too large or denormal. Zero is +0.
///
/// The highest bit comes to the top in three steps: its group of sixteen, its four of the group, and by single places.
///
/// All registers move in a clock with `enable` high and hold in any other. Latency 7 enabled clocks, II 1.
#[derive(Debug, LogicBlock)]
pub struct FixedToFloat {
    /// The clock.
    pub clocks: Clocks,
    /// High to move all registers.
    pub enable: Net<In>,
    /// The fixed-point number.
    pub fixed: Net<In>,
    /// The same number, rounded, of seven enabled clocks before.
    pub single: Net<Out>,
    magnitude: Reg,
    held: Reg,
    fours: Vec<Reg>,
    grouped: Reg,
    group: Reg,
    four: Reg,
    moved: Reg,
    zeros: Reg,
    kind: Delay,
    sign: Delay,
    normal: Normal,
    finish: Finish,
    _format: FixedFormat,
}

/// Bits of a group, one of which holds the highest bit.
const GROUP_BITS: usize = 16;
/// Bits that are looked at together in a group.
const FOUR: usize = 4;
/// Bits of the number of a four in its group, and of a place in a four.
const FOUR_NUMBER_BITS: usize = 2;
/// Bits of a group's number.
const GROUP_NUMBER_BITS: usize = 2;

/// Bits of whole groups, and at least a fraction, a bit behind it, and one behind that.
fn padded_bits(width: usize) -> usize {
    width.max(FRACTION_BITS + 3).next_multiple_of(GROUP_BITS)
}

/// `value` with zeros below it, in so many bits.
#[kernel]
fn padded(value: Bits, bits: usize) -> Bits {
    if bits > value.width() { cat(&[value, lit(bits - value.width(), 0)]) } else { value }
}

/// The number with a one in front.
#[derive(Debug, Bundle)]
struct Normal {
    exponent: Reg,
    fraction: Reg,
    half: Reg,
    rest: Reg,
}

impl FixedToFloat {
    /// Enabled clocks from the operand to the result.
    pub const LATENCY_CLOCKS: u32 = 5 + Finish::LATENCY_CLOCKS;

    /// From numbers of this format, at most 64 bits wide, of which `fraction_bits`, at most 126, are behind the point.
    #[track_caller]
    pub fn new(format: Operand, fraction_bits: usize) -> FixedToFloat {
        let format = FixedFormat::new(format, fraction_bits);
        let width = format.width();
        let clocks = Clocks::without_reset();
        let register = |width| Reg::new(&clocks, width);
        FixedToFloat {
            enable: Net::bit(),
            fixed: Net::new(width),
            single: Net::new(FLOAT_BITS),
            magnitude: register(width),
            held: register(width),
            fours: Reg::array(width.div_ceil(GROUP_BITS), &clocks, FOUR_NUMBER_BITS + 1),
            grouped: register(padded_bits(width)),
            group: register(GROUP_NUMBER_BITS),
            four: register(FOUR_NUMBER_BITS + 1),
            moved: register(padded_bits(width)),
            zeros: register(GROUP_NUMBER_BITS + FOUR_NUMBER_BITS),
            kind: Delay::new(&clocks, KIND_BITS, 2),
            sign: Delay::new(&clocks, 1, 5),
            normal: Normal {
                exponent: register(EXPONENT_BITS),
                fraction: register(FRACTION_BITS),
                half: register(1),
                rest: register(1),
            },
            finish: Finish::new(&clocks),
            _format: format,
            clocks,
        }
    }
}

/// Fixed point to single precision.
#[kernel]
impl FixedToFloat {
    fn module_name(&self) -> String {
        format!("fixed_to_float_{}", self._format)
    }

    fn logic(&self) {
        timing(FixedToFloat::LATENCY_CLOCKS, 1);
        let enable = self.enable.val();
        let fixed = self.fixed.val();
        let is_signed = self._format.is_signed();
        let sign = if is_signed { fixed.high(1) } else { lit(1, 0) };
        if enable {
            self.magnitude.next = if is_signed { fixed.signed().magnitude() } else { fixed };
            self.find();
            self.group();
            self.shift();
            self.normalise();
        }
        /// A group is zero only where there is nothing else.
        let is_zero = self.four.val().high(1);
        let kind = is_zero.mux(lit(KIND_BITS, ZERO), lit(KIND_BITS, FINITE));
        let normal = &self.normal;
        let exact = Exact {
            sign: self.sign.of(sign, enable),
            kind: self.kind.of(kind, enable),
            exponent: normal.exponent.val(),
            fraction: normal.fraction.val(),
            half: normal.half.val(),
            rest: normal.rest.val(),
        };
        self.single.next = self.finish.of(exact, enable);
    }

    fn find(&self) {
        /// # Find
        /// In each group the highest four that is not zero, and whether all are.
        let magnitude = padded(self.magnitude.val(), GROUP_BITS * self.fours.len());
        for (group, found) in self.fours.iter().enumerate() {
            let place = magnitude.width() - GROUP_BITS * (group + 1);
            let any: Vec<Bits> = (0..GROUP_BITS / FOUR)
                .rev()
                .map(|four| magnitude.slice(place + FOUR * four, FOUR).any())
                .collect();
            let (is_zero, four) = highest_one(cat(&any));
            found.next = cat(&[is_zero, four]);
        }
        self.held.next = self.magnitude.val();
    }

    fn group(&self) {
        /// # Group
        /// The highest group that is not zero moves to the top; the lowest one if all are.
        let held = padded(self.held.val(), padded_bits(self._format.width()));
        let moved_by = |group: usize| {
            let number = lit(GROUP_NUMBER_BITS, group);
            cat(&[number, self.fours[group].val(), held << (GROUP_BITS * group)])
        };
        let last = self.fours.len() - 1;
        let choices: Vec<(Bits, Bits)> =
            (0..last).map(|group| (!self.fours[group].val().high(1), moved_by(group))).collect();
        let grouped = priority(&choices, moved_by(last));
        self.group.next = grouped.high(GROUP_NUMBER_BITS);
        self.four.next = grouped.slice(held.width(), FOUR_NUMBER_BITS + 1);
        self.grouped.next = grouped.low(held.width());
    }

    fn shift(&self) {
        /// # Shift, by fours
        let four = self.four.val().low(FOUR_NUMBER_BITS);
        self.moved.next = self.grouped.val() << cat(&[four, lit(FOUR_NUMBER_BITS, 0)]);
        self.zeros.next = cat(&[self.group.val(), four]);
    }

    fn normalise(&self) {
        /// # Normalise
        let to = &self.normal;
        let moved = self.moved.val();
        let (is_zero, place) = highest_one(moved.high(FOUR));
        discard(is_zero, "set only where the whole number is zero, which is known");
        let zeros = cat(&[self.zeros.val(), place]).zero_extend(EXPONENT_BITS);
        to.exponent.next = lit(EXPONENT_BITS, self._format.top_exponent()) - zeros;
        let normal = moved << place;
        let below = normal.width() - 2 - FRACTION_BITS;
        discard(normal.high(1), "the one in front");
        discard(normal.low(below), "what the rest is found of before the shift");
        to.fraction.next = normal.slice(below + 1, FRACTION_BITS);
        to.half.next = normal.bit(below);
        /// Beside the shift: what stays below the half however far it goes, and what does if it goes less far.
        let mut rest = vec![moved.low(below - (FOUR - 1)).any()];
        for up in 0..FOUR - 1 {
            rest.push(moved.bit(below - 1 - up) & !is_above(place, up));
        }
        to.rest.next = cat(&rest).any();
    }
}
