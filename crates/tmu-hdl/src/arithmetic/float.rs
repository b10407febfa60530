//! What the blocks of single precision share: taking numbers apart, rounding, putting them together.

use crate::prelude::*;

/// Bits of a number.
pub(super) const FLOAT_BITS: usize = 32;
/// Bits of the significand without the one in front.
pub(super) const FRACTION_BITS: usize = 23;
/// Bits of the exponent, as it is stored.
pub(super) const STORED_EXPONENT_BITS: usize = 8;
/// Bits of an exponent that is being computed, in two's complement, biased as the stored one.
pub(super) const EXPONENT_BITS: usize = 10;
/// What an exponent is stored with.
pub(super) const BIAS: usize = 127;
/// The stored exponent of infinities and of what is no number.
pub(super) const TOP_EXPONENT: usize = 255;

/// A finite number that the arithmetic gives.
pub(super) const FINITE: u32 = 0;
/// Zero, whatever the arithmetic gives.
pub(super) const ZERO: u32 = 1;
/// Infinity, whatever the arithmetic gives.
pub(super) const INFINITE: u32 = 2;
/// No number, whatever the arithmetic gives.
pub(super) const NAN: u32 = 3;
/// Bits of one of the four.
pub(super) const KIND_BITS: usize = 2;

/// A number taken apart.
#[derive(Clone, Copy)]
pub(super) struct Parts {
    pub(super) sign: Bits,
    pub(super) exponent: Bits,
    pub(super) fraction: Bits,
    /// Zero or denormal, which is the same here.
    pub(super) is_zero: Bits,
    pub(super) is_infinite: Bits,
    pub(super) is_nan: Bits,
}

/// Takes a number apart.
#[kernel]
pub(super) fn parts(number: Bits) -> Parts {
    let exponent = number.slice(FRACTION_BITS, STORED_EXPONENT_BITS);
    let fraction = number.low(FRACTION_BITS);
    let is_top = exponent.all();
    let has_fraction = fraction.any();
    Parts {
        sign: number.high(1),
        exponent,
        fraction,
        is_zero: !exponent.any(),
        is_infinite: is_top & !has_fraction,
        is_nan: is_top & has_fraction,
    }
}

/// One of the four kinds.
#[kernel]
pub(super) fn kind(is_nan: Bits, is_infinite: Bits, is_zero: Bits) -> Bits {
    let plain = is_zero.mux(lit(KIND_BITS, ZERO), lit(KIND_BITS, FINITE));
    is_nan.mux(lit(KIND_BITS, NAN), is_infinite.mux(lit(KIND_BITS, INFINITE), plain))
}

/// The last two stages of every block: rounding to nearest even, and putting the number together.
#[derive(Debug, Bundle)]
pub(super) struct Finish {
    /// Exponent above fraction, so that a fraction that overflows counts the exponent up.
    rounded: Reg,
    sign: Reg,
    kind: Reg,
    result: Reg,
}

/// What comes before rounding.
#[derive(Clone, Copy)]
pub(super) struct Exact {
    pub(super) sign: Bits,
    pub(super) kind: Bits,
    /// Biased, in two's complement.
    pub(super) exponent: Bits,
    /// The bits of the significand behind the one in front.
    pub(super) fraction: Bits,
    /// The bit behind the fraction. Set, too, where the exponent is 0 and the number may round to the least normal one: IEEE rounds
    /// a number just below that at one bit less. Only if all bits of its fraction are set does it become that one, which
    /// adding one to the fraction finds; else it is denormal, which is zero here.
    pub(super) half: Bits,
    /// Any bit behind that; set where `half` is for such an exponent.
    pub(super) rest: Bits,
}

impl Finish {
    pub(super) const LATENCY_CLOCKS: u32 = 2;

    pub(super) fn new(clocks: &Clocks) -> Finish {
        Finish {
            rounded: Reg::new(clocks, EXPONENT_BITS + FRACTION_BITS),
            sign: Reg::new(clocks, 1),
            kind: Reg::new(clocks, KIND_BITS),
            result: Reg::new(clocks, FLOAT_BITS),
        }
    }

    /// The result, two enabled clocks later.
    pub(super) fn of(&self, exact: Exact, enable: Bits) -> Bits {
        finish(self, exact, enable)
    }
}

#[kernel]
fn finish(stage: &Finish, exact: Exact, enable: Bits) -> Bits {
    let up = exact.half & (exact.rest | exact.fraction.bit(0));
    let packed = cat(&[exact.exponent, exact.fraction]);
    if enable {
        stage.rounded.next = packed + up.zero_extend(packed.width());
        stage.sign.next = exact.sign;
        stage.kind.next = exact.kind;
        stage.result.next = put_together(stage.rounded.val(), stage.sign.val(), stage.kind.val());
    }
    stage.result.val()
}

/// The bits of a number whose exponent may lie outside what can be stored.
#[kernel]
fn put_together(rounded: Bits, sign: Bits, kind: Bits) -> Bits {
    let exponent = rounded.high(EXPONENT_BITS);
    let is_negative = exponent.high(1);
    let low = exponent.low(STORED_EXPONENT_BITS);
    let overflows = !is_negative & (exponent.bit(STORED_EXPONENT_BITS) | low.all());
    let underflows = is_negative | !exponent.any();
    let is_nan = kind == u64::from(NAN);
    let is_finite = kind == u64::from(FINITE);
    let is_infinite = (kind == u64::from(INFINITE)) | (is_finite & overflows);
    let is_zero = (kind == u64::from(ZERO)) | (is_finite & underflows);
    let is_top = is_nan | is_infinite;
    let exponent = low & !is_zero.repeat(STORED_EXPONENT_BITS) | is_top.repeat(STORED_EXPONENT_BITS);
    let keeps_fraction = !(is_top | is_zero);
    let fraction = rounded.low(FRACTION_BITS) & keeps_fraction.repeat(FRACTION_BITS);
    let quiet = is_nan.zero_extend(FRACTION_BITS) << (FRACTION_BITS - 1);
    cat(&[sign & !is_nan, exponent, fraction | quiet])
}
