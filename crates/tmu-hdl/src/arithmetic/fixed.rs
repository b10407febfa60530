//! Fixed point: dropping fraction bits, and keeping numbers inside a width.
//!
//! A fixed-point number is a whole one that its user reads with a binary point; only rounding and saturation differ
//! from what [`Bits`] and [`Signed`] do already.

use crate::prelude::*;
use crate::value::Value;

/// What becomes of the fraction bits that are dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// The next number down, towards negative infinity.
    Floor,
    /// The nearest number, of two the upper one.
    HalfUp,
    /// The nearest number, of two the even one.
    NearestEven,
}

/// `value` without its low `dropped_bits`, rounded.
///
/// One bit wider than what remains, so that rounding up never wraps; where nothing remains, the result is the one
/// bit. Costs an incrementer, and nothing with [`Rounding::Floor`].
#[track_caller]
pub fn round(value: Bits, dropped_bits: usize, rounding: Rounding) -> Bits {
    let value = value.zero_extend(value.width().max(dropped_bits) + 1);
    round_extended(value, dropped_bits, rounding)
}

/// `value` without its low `dropped_bits`, rounded, as [`round`] does it of unsigned numbers.
#[track_caller]
pub fn round_signed(value: Signed, dropped_bits: usize, rounding: Rounding) -> Signed {
    let value = value.extend(value.width().max(dropped_bits) + 1);
    round_extended(value.bits(), dropped_bits, rounding).signed()
}

/// The same of a value whose upper two bits are equal, or whose upper bit is zero.
#[kernel]
fn round_extended(value: Bits, dropped_bits: usize, rounding: Rounding) -> Bits {
    let kept = value.high(value.width() - dropped_bits);
    if dropped_bits == 0 || matches!(rounding, Rounding::Floor) {
        return kept;
    }
    let half = value.bit(dropped_bits - 1);
    let up = match rounding {
        Rounding::NearestEven if dropped_bits == 1 => half & kept.bit(0),
        Rounding::NearestEven => half & (kept.bit(0) | value.low(dropped_bits - 1).any()),
        _ => half,
    };
    kept + up.zero_extend(kept.width())
}

/// The nearest unsigned number of `width` bits.
#[kernel]
pub fn saturate(value: Bits, width: usize) -> Bits {
    if width >= value.width() {
        return value.zero_extend(width);
    }
    let overflows = value.high(value.width() - width).any();
    value.low(width) | overflows.repeat(width)
}

/// The nearest signed number of `width` bits, sign included.
#[kernel]
pub fn saturate_signed(value: Signed, width: usize) -> Signed {
    if width >= value.width() {
        return value.extend(width);
    }
    let bits = value.bits();
    let top = bits.high(value.width() - width + 1);
    let fits = top.all() | !top.any();
    // A nearest number has the sign of the value above bits that all differ from it.
    let sign = value.is_negative();
    let nearest = if width == 1 { sign } else { cat(&[sign, (!sign).repeat(width - 1)]) };
    fits.mux(bits.low(width), nearest).signed()
}

/// The nearest unsigned number of `width` bits: 0 for what is below it.
#[kernel]
pub fn saturate_to_unsigned(value: Signed, width: usize) -> Bits {
    let positive = value.bits() & !value.is_negative().repeat(value.width());
    if value.width() == 1 {
        return Bits::constant(Value::zero(width));
    }
    saturate(positive.low(value.width() - 1), width)
}
