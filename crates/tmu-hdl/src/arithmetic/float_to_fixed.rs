//! A number of single precision as a fixed-point one.

use super::count::is_above;
use super::delay::Delay;
use super::fixed::Rounding;
use super::fixed_format::FixedFormat;
use super::float::{EXPONENT_BITS, FLOAT_BITS, FRACTION_BITS, parts};
use crate::kernel::timing;
use crate::prelude::*;
use crate::primitives::Operand;

/// Bits of a significand.
const SIGNIFICAND_BITS: usize = FRACTION_BITS + 1;
/// Bits behind the last place once the significand is in place: a half and a quarter.
const SPARE_BITS: usize = 2;

/// Bits of the distance that are gone in a step of their own.
const FINE_BITS: usize = 3;

/// A number of single precision as a fixed-point one, rounded and saturated.
///
/// What is too large or too small becomes the largest or smallest number of the format, infinities too; what is no
/// number becomes 0. [`Rounding::Floor`] and [`Rounding::HalfUp`] go by the number and not by its magnitude.
///
/// All registers move in a clock with `enable` high and hold in any other. Latency 6 enabled clocks, II 1.
#[derive(Debug, LogicBlock)]
pub struct FloatToFixed {
    /// The clock.
    pub clocks: Clocks,
    /// High to move all registers.
    pub enable: Net<In>,
    /// The number of single precision.
    pub single: Net<In>,
    /// The same number, rounded and saturated, of six enabled clocks before.
    pub fixed: Net<Out>,
    measured: Measured,
    is_nothing: Delay,
    moved: Placed,
    moved_distance: Reg,
    placed: Placed,
    rounded: Rounded,
    signed: Signed,
    result: Reg,
    _format: FixedFormat,
    _rounding: Rounding,
}

/// The significand, and how far it has to go down from the top of the result.
#[derive(Debug, Bundle)]
struct Measured {
    sign: Reg,
    is_zero: Reg,
    is_top: Reg,
    has_fraction: Reg,
    is_too_large: Reg,
    significand: Reg,
    distance: Reg,
}

/// The significand in place.
#[derive(Debug, Bundle)]
struct Placed {
    sign: Reg,
    is_too_large: Reg,
    value: Reg,
    rest: Reg,
}

/// The rounded magnitude.
#[derive(Debug, Bundle)]
struct Rounded {
    sign: Reg,
    is_too_large: Reg,
    value: Reg,
}

/// The rounded number with its sign.
#[derive(Debug, Bundle)]
struct Signed {
    sign: Reg,
    is_too_large: Reg,
    /// Below zero, and the bits above those of the format's magnitudes say one: only the least number is not too large.
    is_at_limit: Reg,
    /// A bit of the format's magnitudes is set.
    has_low: Reg,
    value: Reg,
}

impl FloatToFixed {
    /// Enabled clocks from the operand to the result.
    pub const LATENCY_CLOCKS: u32 = 6;

    /// To numbers of this format, at most 64 bits wide, of which `fraction_bits`, at most 126, are behind the point.
    #[track_caller]
    pub fn new(format: Operand, fraction_bits: usize, rounding: Rounding) -> FloatToFixed {
        let format = FixedFormat::new(format, fraction_bits);
        let width = format.width();
        let clocks = Clocks::without_reset();
        let register = |width| Reg::new(&clocks, width);
        let placed = || Placed {
            sign: register(1),
            is_too_large: register(1),
            value: register(placed_bits(width)),
            rest: register(1),
        };
        FloatToFixed {
            enable: Net::bit(),
            single: Net::new(FLOAT_BITS),
            fixed: Net::new(width),
            measured: Measured {
                sign: register(1),
                is_zero: register(1),
                is_top: register(1),
                has_fraction: register(1),
                is_too_large: register(1),
                significand: register(SIGNIFICAND_BITS),
                distance: register(distance_bits(width)),
            },
            is_nothing: Delay::new(&clocks, 1, (FloatToFixed::LATENCY_CLOCKS - 2) as usize),
            moved: placed(),
            moved_distance: register(distance_bits(width).min(FINE_BITS)),
            placed: placed(),
            rounded: Rounded { sign: register(1), is_too_large: register(1), value: register(width + 1) },
            signed: Signed {
                sign: register(1),
                is_too_large: register(1),
                is_at_limit: register(1),
                has_low: register(1),
                value: register(width),
            },
            result: register(width),
            _format: format,
            _rounding: rounding,
            clocks,
        }
    }
}

/// Bits of the significand in place.
fn placed_bits(width: usize) -> usize {
    width.max(SIGNIFICAND_BITS) + SPARE_BITS
}

/// Bits of the distance, which goes up to one more than the result's width.
fn distance_bits(width: usize) -> usize {
    (width + 1).ilog2() as usize + 1
}

/// Single precision to fixed point.
#[kernel]
impl FloatToFixed {
    fn module_name(&self) -> String {
        let rounding = match self._rounding {
            Rounding::Floor => "floor",
            Rounding::HalfUp => "half_up",
            Rounding::NearestEven => "nearest_even",
        };
        format!("float_to_fixed_{}_{rounding}", self._format)
    }

    fn logic(&self) {
        timing(FloatToFixed::LATENCY_CLOCKS, 1);
        let enable = self.enable.val();
        /// Zero, denormals and what is no number become 0 at the end, whatever the stages between make of them.
        let from = &self.measured;
        let is_nan = from.is_top.val() & from.has_fraction.val();
        let is_nothing = self.is_nothing.of(from.is_zero.val() | is_nan, enable);
        if enable {
            self.measure();
            self.place_by_eights();
            self.place();
            self.round();
            self.give_sign();
            self.saturate(is_nothing);
        }
        self.fixed.next = self.result.val();
    }

    fn measure(&self) {
        /// # Measure
        let to = &self.measured;
        let width = self._format.width();
        let float = parts(self.single.val());
        let highest = self._format.top_exponent();
        let distance = (lit(EXPONENT_BITS, highest) - float.exponent.zero_extend(EXPONENT_BITS)).signed();
        let most = width + 1;
        /// Found beside the difference, and not behind it: the distance is more than one more than the width.
        let exponent = float.exponent.zero_extend(EXPONENT_BITS).signed();
        let is_far = exponent < highest - most as i64;
        let high_bits = EXPONENT_BITS - 1 - distance_bits(width);
        discard(distance.bits().slice(distance_bits(width), high_bits), "more than the width is far");
        let near = distance.bits().low(distance_bits(width));
        to.distance.next = is_far.mux(lit(near.width(), most), near);
        to.is_too_large.next = distance.is_negative();
        to.sign.next = float.sign;
        to.is_zero.next = float.is_zero;
        to.is_top.next = float.exponent.all();
        to.has_fraction.next = float.fraction.any();
        to.significand.next = cat(&[lit(1, 1), float.fraction]);
    }

    fn place_by_eights(&self) {
        /// # Place, by eights
        let (from, to) = (&self.measured, &self.moved);
        let significand = from.significand.val();
        let spare = to.value.width() - SIGNIFICAND_BITS;
        let distance = from.distance.val();
        let top = cat(&[significand, lit(spare, 0)]);
        let fine_bits = self.moved_distance.width();
        self.moved_distance.next = distance.low(fine_bits);
        to.sign.next = from.sign.val();
        to.is_too_large.next = from.is_too_large.val();
        if distance.width() == fine_bits {
            to.value.next = top;
            to.rest.next = 0;
            return;
        }
        let eights = distance.high(distance.width() - fine_bits);
        to.value.next = top >> cat(&[eights, lit(fine_bits, 0)]);
        /// What leaves at the low end.
        let most = (self._format.width() + 1) >> fine_bits;
        let lost: Vec<Bits> = (0..SIGNIFICAND_BITS)
            .filter(|i| (i + spare) >> fine_bits < most)
            .map(|i| significand.bit(i) & is_above(eights, (i + spare) >> fine_bits))
            .collect();
        to.rest.next = if lost.is_empty() { lit(1, 0) } else { cat(&lost).any() };
    }

    fn place(&self) {
        /// # Place
        let (from, to) = (&self.moved, &self.placed);
        let (value, distance) = (from.value.val(), self.moved_distance.val());
        to.value.next = value >> distance;
        let lost: Vec<Bits> = (0..(1 << distance.width()) - 1)
            .map(|place| value.bit(place) & is_above(distance, place))
            .collect();
        to.rest.next = cat(&lost).any() | from.rest.val();
        to.sign.next = from.sign.val();
        to.is_too_large.next = from.is_too_large.val();
    }

    fn round(&self) {
        /// # Round
        let (from, to) = (&self.placed, &self.rounded);
        let width = self._format.width();
        let value = from.value.val();
        let whole = value.high(width);
        let half = value.bit(value.width() - width - 1);
        let rest = value.low(value.width() - width - 1).any() | from.rest.val();
        let sign = from.sign.val();
        /// Towards the magnitude that is one more.
        let up = match self._rounding {
            Rounding::Floor if !self._format.is_signed() => {
                discard(cat(&[half, rest]), "what is below zero becomes 0, however it is rounded");
                lit(1, 0)
            }
            Rounding::Floor => sign & (half | rest),
            Rounding::HalfUp => half & (!sign | rest),
            Rounding::NearestEven => half & (rest | whole.bit(0)),
        };
        to.value.next = whole.zero_extend(width + 1) + up.zero_extend(width + 1);
        to.sign.next = sign;
        to.is_too_large.next = from.is_too_large.val();
    }

    fn give_sign(&self) {
        /// # Sign
        let (from, to) = (&self.rounded, &self.signed);
        let width = self._format.width();
        let (magnitude, sign) = (from.value.val(), from.sign.val());
        let is_signed = self._format.is_signed();
        let limit_bits = if is_signed { width - 1 } else { width };
        let above = magnitude.high(width + 1 - limit_bits);
        /// Of negative numbers one more fits, where there are any.
        let is_at_limit = if is_signed { sign & (above == 1) } else { lit(1, 0) };
        let is_past = if is_signed { above.any() & !is_at_limit } else { above & !sign };
        to.is_too_large.next = from.is_too_large.val() | is_past;
        to.is_at_limit.next = is_at_limit;
        to.has_low.next = if limit_bits == 0 { lit(1, 0) } else { magnitude.low(limit_bits).any() };
        to.sign.next = sign;
        let low = magnitude.low(width);
        to.value.next = if is_signed {
            (low ^ sign.repeat(width)) + sign.zero_extend(width)
        } else {
            low & !sign.repeat(width)
        };
    }

    fn saturate(&self, is_nothing: Bits) {
        /// # Saturate
        let from = &self.signed;
        let width = self._format.width();
        let sign = from.sign.val();
        let limit = if self._format.is_signed() {
            if width == 1 { sign } else { cat(&[sign, (!sign).repeat(width - 1)]) }
        } else {
            (!sign).repeat(width)
        };
        let is_too_large = from.is_too_large.val() | (from.is_at_limit.val() & from.has_low.val());
        self.result.next = is_too_large.mux(limit, from.value.val()) & !is_nothing.repeat(width);
    }
}
