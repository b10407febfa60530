//! The product of two numbers of single precision.

use super::delay::Delay;
use super::float::{
    BIAS, EXPONENT_BITS, Exact, FLOAT_BITS, FRACTION_BITS, Finish, KIND_BITS, STORED_EXPONENT_BITS, kind,
    parts,
};
use crate::kernel::timing;
use crate::prelude::*;
use crate::primitives::{Multiplier, Operand};

/// Bits of a significand.
const SIGNIFICAND_BITS: usize = FRACTION_BITS + 1;
/// Bits of the factor that one multiplier takes.
const LOW_BITS: usize = 17;
/// Bits of the factor that the other one takes.
const HIGH_BITS: usize = SIGNIFICAND_BITS - LOW_BITS;
/// What is known of a factor before it is multiplied.
const CLASSES: usize = 3;
/// Bits of the product above those that nothing is added to.
const UPPER_BITS: usize = 2 * SIGNIFICAND_BITS - LOW_BITS;

/// The product of two numbers of single precision, correctly rounded to nearest even.
///
/// See [the module](super) for denormals and for what is no number; zero times infinity is none.
///
/// All registers move in a clock with `enable` high and hold in any other. Latency 7 enabled clocks, II 1. Two DSP48E2, or one
/// where the second factor is [short](FloatMultiply::by).
#[derive(Debug, LogicBlock)]
pub struct FloatMultiply {
    /// The clock.
    pub clocks: Clocks,
    /// High to move all registers.
    pub enable: Net<In>,
    /// A factor.
    pub a: Net<In>,
    /// The other factor.
    pub b: Net<In>,
    /// The product of seven enabled clocks before.
    pub result: Net<Out>,
    low_product: Optional<Multiplier>,
    high_product: Multiplier,
    exponents: Reg,
    exponent: Delay,
    /// The exponent is 0.
    is_below_normal: Delay,
    sign: Delay,
    /// Of both factors, whether they are infinite, zero, no number.
    classes: Vec<Reg>,
    kind: Delay,
    product: Reg,
    product_rest: Reg,
    normal: Normal,
    finish: Finish,
}

/// The product with a one in front.
#[derive(Debug, Bundle)]
struct Normal {
    exponent: Reg,
    fraction: Reg,
    half: Reg,
    rest: Reg,
}

impl FloatMultiply {
    /// Enabled clocks from the factors to the product.
    pub const LATENCY_CLOCKS: u32 = Multiplier::LATENCY_CLOCKS + 2 + Finish::LATENCY_CLOCKS;

    /// A multiplier.
    #[track_caller]
    pub fn new() -> FloatMultiply {
        FloatMultiply::by(SIGNIFICAND_BITS)
    }

    /// A multiplier by numbers whose significands have only so many bits; those below are zeros. More than 7; up to 17 take one multiplier.
    #[track_caller]
    pub fn by(significand_bits: usize) -> FloatMultiply {
        assert!(
            (HIGH_BITS + 1..=SIGNIFICAND_BITS).contains(&significand_bits),
            "a significand has 8 to 24 bits, not {significand_bits}"
        );
        let is_short = significand_bits <= LOW_BITS;
        let high_bits = if is_short { significand_bits } else { HIGH_BITS };
        let clocks = Clocks::without_reset();
        let register = |width| Reg::new(&clocks, width);
        let multiplier = |bits| Multiplier::new(Operand::unsigned(SIGNIFICAND_BITS), Operand::unsigned(bits));
        let to_finish = (FloatMultiply::LATENCY_CLOCKS - Finish::LATENCY_CLOCKS) as usize;
        FloatMultiply {
            enable: Net::bit(),
            a: Net::new(FLOAT_BITS),
            b: Net::new(FLOAT_BITS),
            result: Net::new(FLOAT_BITS),
            low_product: Optional::new(!is_short, || multiplier(LOW_BITS)),
            high_product: multiplier(high_bits),
            exponents: register(STORED_EXPONENT_BITS + 1),
            exponent: Delay::new(&clocks, EXPONENT_BITS, Multiplier::LATENCY_CLOCKS as usize),
            is_below_normal: Delay::new(&clocks, 1, Multiplier::LATENCY_CLOCKS as usize),
            sign: Delay::new(&clocks, 1, to_finish),
            classes: Reg::array(2 * CLASSES, &clocks, 1),
            kind: Delay::new(&clocks, KIND_BITS, to_finish - 1),
            product: register(UPPER_BITS),
            product_rest: register(1),
            normal: Normal {
                exponent: register(EXPONENT_BITS),
                fraction: register(FRACTION_BITS),
                half: register(1),
                rest: register(1),
            },
            finish: Finish::new(&clocks),
            clocks,
        }
    }
}

impl Default for FloatMultiply {
    fn default() -> Self {
        FloatMultiply::new()
    }
}

/// The product of two numbers of single precision.
#[kernel]
impl FloatMultiply {
    fn module_name(&self) -> String {
        match &*self.low_product {
            Some(_) => "float_multiply".into(),
            None => format!("float_multiply_by_{}", self.high_product.b.width()),
        }
    }

    fn logic(&self) {
        timing(FloatMultiply::LATENCY_CLOCKS, 1);
        let enable = self.enable.val();
        let (a, b) = (parts(self.a.val()), parts(self.b.val()));

        /// # Multiply
        let significand = |fraction: Bits| cat(&[lit(1, 1), fraction]);
        let factor = significand(b.fraction);
        let high_bits = self.high_product.b.width();
        let mut products = vec![(&self.high_product, factor.high(high_bits))];
        if let Some(low_product) = &*self.low_product {
            products.push((low_product, factor.low(LOW_BITS)));
        } else {
            discard(factor.low(SIGNIFICAND_BITS - high_bits), "they are zeros");
        }
        for (multiplier, bits) in products {
            multiplier.clocks.follow(&self.clocks);
            multiplier.enable.next = enable;
            multiplier.a.next = significand(a.fraction);
            multiplier.b.next = bits;
        }
        if enable {
            self.exponents.next = a.exponent.add_wide(b.exponent);
        }
        let exponents = self.exponents.val();
        let exponent = self.exponent.of(exponents.zero_extend(EXPONENT_BITS) - BIAS as u64, enable);
        let is_below_normal = self.is_below_normal.of(exponents == BIAS as u64, enable);
        let sign = self.sign.of(a.sign ^ b.sign, enable);
        let factors = [a.is_infinite, a.is_zero, a.is_nan, b.is_infinite, b.is_zero, b.is_nan];
        if enable {
            for (class, is_it) in self.classes.iter().zip(factors) {
                class.next = is_it;
            }
        }
        let either = |class: usize| self.classes[class].val() | self.classes[CLASSES + class].val();
        let (is_infinite, is_zero) = (either(0), either(1));
        let is_nan = either(2) | (is_infinite & is_zero);
        let kind = self.kind.of(kind(is_nan, is_infinite, is_zero), enable);

        /// # Add
        let high = self.high_product.product.val();
        let (upper, below) = match &*self.low_product {
            Some(low_product) => {
                let low = low_product.product.val();
                let carried = low.high(low.width() - LOW_BITS);
                (high + carried.zero_extend(UPPER_BITS), low.low(LOW_BITS))
            }
            None => (high.high(UPPER_BITS), high.low(high.width() - UPPER_BITS)),
        };
        let rest = below.any();

        /// # Normalise
        let product = self.product.val();
        let is_two_or_more = product.high(1);
        let twice = cat(&[product.low(UPPER_BITS - 1), lit(1, 0)]);
        let moved = is_two_or_more.mux(product, twice);
        let below = UPPER_BITS - 2 - FRACTION_BITS;
        /// A product of two or more is 2^-21 below four at least, too far to be rounded up to it.
        let is_below_normal = is_below_normal & !is_two_or_more;
        if enable {
            self.product.next = upper;
            self.product_rest.next = rest;
            self.normal.exponent.next = exponent + is_two_or_more.zero_extend(EXPONENT_BITS);
            self.normal.fraction.next = moved.slice(below + 1, FRACTION_BITS);
            self.normal.half.next = moved.bit(below) | is_below_normal;
            self.normal.rest.next = moved.low(below).any() | self.product_rest.val() | is_below_normal;
        }
        discard(moved.high(1), "the one in front");

        let normal = &self.normal;
        let exact = Exact {
            sign,
            kind,
            exponent: normal.exponent.val(),
            fraction: normal.fraction.val(),
            half: normal.half.val(),
            rest: normal.rest.val(),
        };
        self.result.next = self.finish.of(exact, enable);
    }
}
