//! A fixed-point number as one of single precision.

use super::count::{leading_zeros, priority};
use super::delay::Delay;
use super::float::{BIAS, EXPONENT_BITS, Exact, FINITE, FLOAT_BITS, FRACTION_BITS, Finish, KIND_BITS, ZERO};
use crate::kernel::timing;
use crate::prelude::*;
use crate::primitives::Operand;

/// The widest number that is converted.
pub(super) const MOST_BITS: usize = 64;
/// The most fraction bits of one: its last place is still a normal number.
pub(super) const MOST_FRACTION_BITS: usize = 126;

/// A fixed-point number as one of single precision, rounded to nearest even.
///
/// Every number has one: with at most 64 bits, 126 of them behind the point, none is too large or denormal. Zero is +0.
///
/// The highest bit is found in two steps, its group of sixteen first.
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
    pub float: Net<Out>,
    magnitude: Reg,
    grouped: Reg,
    group: Reg,
    counted: Reg,
    counted_group: Reg,
    count: Reg,
    moved: Reg,
    exponent: Delay,
    kind: Delay,
    sign: Delay,
    normal: Normal,
    finish: Finish,
    _format: Operand,
    _fraction_bits: usize,
}

/// Bits of a group, one of which holds the highest bit.
const GROUP_BITS: usize = 16;
/// Bits of a group's number.
const GROUP_NUMBER_BITS: usize = 2;

/// Bits of whole groups, and at least a fraction, a bit behind it, and one behind that.
fn padded_bits(width: usize) -> usize {
    width.max(FRACTION_BITS + 3).next_multiple_of(GROUP_BITS)
}

/// The number with a one in front.
#[derive(Debug, Bundle)]
struct Normal {
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
        let width = format.width();
        assert!(
            width <= MOST_BITS,
            "a fixed-point number of {width} bits, at most {MOST_BITS} are converted"
        );
        assert!(
            fraction_bits <= MOST_FRACTION_BITS,
            "{fraction_bits} fraction bits, at most {MOST_FRACTION_BITS} have a normal last place"
        );
        let clocks = Clocks::without_reset();
        let register = |width| Reg::new(&clocks, width);
        FixedToFloat {
            enable: Net::bit(),
            fixed: Net::new(width),
            float: Net::new(FLOAT_BITS),
            magnitude: register(width),
            grouped: register(padded_bits(width)),
            group: register(GROUP_NUMBER_BITS),
            counted: register(padded_bits(width)),
            counted_group: register(GROUP_NUMBER_BITS),
            count: register(GROUP_BITS.ilog2() as usize + 1),
            moved: register(padded_bits(width)),
            exponent: Delay::new(&clocks, EXPONENT_BITS, 2),
            kind: Delay::new(&clocks, KIND_BITS, 2),
            sign: Delay::new(&clocks, 1, 5),
            normal: Normal { fraction: register(FRACTION_BITS), half: register(1), rest: register(1) },
            finish: Finish::new(&clocks),
            _format: format,
            _fraction_bits: fraction_bits,
            clocks,
        }
    }
}

/// Fixed point to single precision.
#[kernel]
impl FixedToFloat {
    fn module_name(&self) -> String {
        let sign = if self._format.is_signed() { "s" } else { "u" };
        format!("fixed_to_float_{sign}{}_{}", self._format.width(), self._fraction_bits)
    }

    fn logic(&self) {
        timing(FixedToFloat::LATENCY_CLOCKS, 1);
        let enable = self.enable.val();
        let fixed = self.fixed.val();
        let width = fixed.width();
        let is_signed = self._format.is_signed();
        let sign = if is_signed { fixed.high(1) } else { lit(1, 0) };
        let magnitude = if is_signed { fixed.signed().magnitude() } else { fixed };

        /// # Group
        /// The highest group that is not zero moves to the top; the lowest one if all are.
        let (held, bits) = (self.magnitude.val(), padded_bits(width));
        let padded = if bits > width { cat(&[held, lit(bits - width, 0)]) } else { held };
        let groups = width.div_ceil(GROUP_BITS);
        let moved_by = |group: usize| cat(&[lit(GROUP_NUMBER_BITS, group), padded << (GROUP_BITS * group)]);
        let is_first = |group: usize| {
            let top = held.width() - GROUP_BITS * group;
            (held.slice(top - GROUP_BITS, GROUP_BITS).any(), moved_by(group))
        };
        let choices: Vec<(Bits, Bits)> = (0..groups - 1).map(is_first).collect();
        let grouped = priority(&choices, moved_by(groups - 1));

        /// # Normalise
        let count = self.count.val();
        let is_zero = count == GROUP_BITS as u64;
        /// The exponent of the highest bit.
        let most = lit(EXPONENT_BITS, (BIAS + width - 1) as i64 - self._fraction_bits as i64);
        let zeros = cat(&[self.counted_group.val(), count.low(GROUP_BITS.ilog2() as usize)]);
        let exponent = most - zeros.zero_extend(EXPONENT_BITS);
        let kind = is_zero.mux(lit(KIND_BITS, ZERO), lit(KIND_BITS, FINITE));
        let (exponent, kind) = (self.exponent.of(exponent, enable), self.kind.of(kind, enable));

        let moved = self.moved.val();
        let below = bits - 2 - FRACTION_BITS;
        discard(moved.high(1), "the one in front");
        if enable {
            self.magnitude.next = magnitude;
            self.grouped.next = grouped.low(bits);
            self.group.next = grouped.high(GROUP_NUMBER_BITS);
            self.counted.next = self.grouped.val();
            self.counted_group.next = self.group.val();
            self.count.next = leading_zeros(self.grouped.val().high(GROUP_BITS));
            self.moved.next = self.counted.val() << count.low(GROUP_BITS.ilog2() as usize);
            self.normal.fraction.next = moved.slice(below + 1, FRACTION_BITS);
            self.normal.half.next = moved.bit(below);
            self.normal.rest.next = moved.low(below).any();
        }
        let exact = Exact {
            sign: self.sign.of(sign, enable),
            kind,
            exponent,
            fraction: self.normal.fraction.val(),
            half: self.normal.half.val(),
            rest: self.normal.rest.val(),
        };
        self.float.next = self.finish.of(exact, enable);
    }
}
