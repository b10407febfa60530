//! The reciprocal of a number of single precision.

use super::delay::Delay;
use super::float::{BIAS, FLOAT_BITS, FRACTION_BITS, STORED_EXPONENT_BITS, TOP_EXPONENT, parts};
use crate::kernel::timing;
use crate::prelude::*;
use crate::primitives::{Contents, Multiplier, Operand, Rom};
use crate::value::Value;

/// Bits of a significand.
const SIGNIFICAND_BITS: usize = FRACTION_BITS + 1;
/// Bits of the fraction that choose the segment of the curve.
const SEGMENT_BITS: usize = 8;
/// Bits of the fraction that say where in the segment.
const PLACE_BITS: usize = FRACTION_BITS - SEGMENT_BITS;
/// Bits below the last one of the reciprocal's significand that the curve is computed with.
const SPARE_BITS: usize = 4;
/// Bits of the three coefficients of a segment.
const CONSTANT_BITS: usize = SIGNIFICAND_BITS + 1 + SPARE_BITS;
const SLOPE_BITS: usize = 21;
const CURVATURE_BITS: usize = 14;
/// Fraction bits of the slope; those of the product of curvature and place are as many, once its low bits are cut.
const SLOPE_FRACTION_BITS: usize = SPARE_BITS + PLACE_BITS;
/// Bits of the remainder: it lies within two divisors of zero.
const REMAINDER_BITS: usize = SIGNIFICAND_BITS + 2;
/// Bits of a factor that one multiplier takes.
const LOW_BITS: usize = 17;
/// Clocks of the ROM with its output register.
const ROM_CLOCKS: usize = 2;
/// Clocks of a multiplier.
const PRODUCT_CLOCKS: usize = Multiplier::LATENCY_CLOCKS as usize;
/// Clocks until the slope at the place stands in its register, until the estimate does, and until the remainder does.
const SLOPE_CLOCKS: usize = ROM_CLOCKS + PRODUCT_CLOCKS + 1;
const ESTIMATE_CLOCKS: usize = SLOPE_CLOCKS + PRODUCT_CLOCKS + 1;
const REMAINDER_CLOCKS: usize = ESTIMATE_CLOCKS + PRODUCT_CLOCKS + 1;

/// The reciprocal of a number of single precision, correctly rounded to nearest even.
///
/// Of ±0 it is ± the largest finite number, of what is denormal too; of ±infinity and of numbers whose reciprocal is
/// denormal it is ±0. What is no number has none. See [the module](super).
///
/// A parabola for each of 256 segments gives an estimate of the significand that is off by less than one in its last
/// place. The remainder of the division then tells which of the estimate and its two neighbours is nearest, so the
/// result does not depend on how good the parabola is otherwise. Exact ties do not exist: 2^48 has no odd divisor.
///
/// All registers move in a clock with `enable` high and hold in any other. Latency 16 enabled clocks, II 1. Four DSP48E2,
/// one RAMB36E2.
#[derive(Debug, LogicBlock)]
pub struct FloatReciprocal {
    /// The clock.
    pub clocks: Clocks,
    /// High to move all registers.
    pub enable: Net<In>,
    /// What is divided by.
    pub a: Net<In>,
    /// The reciprocal of sixteen enabled clocks before.
    pub result: Net<Out>,
    segments: Rom,
    curve: Multiplier,
    rise: Multiplier,
    low_product: Multiplier,
    high_product: Multiplier,
    early: Early,
    middle: Middle,
    late: Late,
}

/// Up to the slope.
#[derive(Debug, Bundle)]
struct Early {
    place_to_curve: Delay,
    place_to_rise: Delay,
    slope_to_sum: Delay,
    constant_to_sum: Delay,
    slope: Reg,
}

/// Up to the remainder.
#[derive(Debug, Bundle)]
struct Middle {
    estimate: Reg,
    fraction_to_product: Delay,
    fraction_to_choice: Delay,
    estimate_to_choice: Delay,
    product: Reg,
}

/// The choice, and what waits for it.
#[derive(Debug, Bundle)]
struct Late {
    is_too_low: Reg,
    is_too_high: Reg,
    estimate: Reg,
    sign: Delay,
    exponent: Delay,
    is_exact: Delay,
    is_largest: Delay,
    is_zero: Delay,
    is_nan: Delay,
    result: Reg,
}

impl FloatReciprocal {
    /// Enabled clocks from the operand to the result.
    pub const LATENCY_CLOCKS: u32 = REMAINDER_CLOCKS as u32 + 2;

    /// A reciprocal.
    #[track_caller]
    pub fn new() -> FloatReciprocal {
        let clocks = Clocks::without_reset();
        let register = |width| Reg::new(&clocks, width);
        let delay = |width, steps| Delay::new(&clocks, width, steps);
        let waits = |width| delay(width, REMAINDER_CLOCKS + 1);
        let multiplier = |a, b| Multiplier::new(Operand::unsigned(a), Operand::unsigned(b));
        FloatReciprocal {
            enable: Net::bit(),
            a: Net::new(FLOAT_BITS),
            result: Net::new(FLOAT_BITS),
            segments: Rom::new(Contents::in_file("reciprocal_segments", segments()), true),
            curve: multiplier(CURVATURE_BITS, PLACE_BITS),
            rise: multiplier(SLOPE_BITS, PLACE_BITS),
            low_product: multiplier(SIGNIFICAND_BITS, LOW_BITS),
            high_product: multiplier(REMAINDER_BITS - LOW_BITS, SIGNIFICAND_BITS - LOW_BITS),
            early: Early {
                place_to_curve: delay(PLACE_BITS, ROM_CLOCKS),
                place_to_rise: delay(PLACE_BITS, SLOPE_CLOCKS - ROM_CLOCKS),
                slope_to_sum: delay(SLOPE_BITS, PRODUCT_CLOCKS),
                constant_to_sum: delay(CONSTANT_BITS, ESTIMATE_CLOCKS - 1 - ROM_CLOCKS),
                slope: register(SLOPE_BITS),
            },
            middle: Middle {
                estimate: register(SIGNIFICAND_BITS),
                fraction_to_product: delay(FRACTION_BITS, ESTIMATE_CLOCKS),
                fraction_to_choice: delay(FRACTION_BITS, REMAINDER_CLOCKS - ESTIMATE_CLOCKS),
                estimate_to_choice: delay(SIGNIFICAND_BITS, REMAINDER_CLOCKS - ESTIMATE_CLOCKS),
                product: register(REMAINDER_BITS),
            },
            late: Late {
                is_too_low: register(1),
                is_too_high: register(1),
                estimate: register(SIGNIFICAND_BITS),
                sign: waits(1),
                exponent: waits(STORED_EXPONENT_BITS),
                is_exact: waits(1),
                is_largest: waits(1),
                is_zero: waits(1),
                is_nan: waits(1),
                result: register(FLOAT_BITS),
            },
            clocks,
        }
    }
}

impl Default for FloatReciprocal {
    fn default() -> Self {
        FloatReciprocal::new()
    }
}

/// The parabola of each segment: constant, slope and curvature, the constant uppermost.
///
/// Through the curve at both ends and in the middle of the segment, in whole numbers alone, so that every machine
/// makes the same table. The curve is 2^24 / x for 1 <= x < 2.
fn segments() -> Vec<Value> {
    // Fraction bits of what is computed with.
    const FINE_BITS: usize = 60;
    let width = 1i128 << PLACE_BITS;
    let at = |significand: i128| (1i128 << (2 * FRACTION_BITS + 1 + FINE_BITS)) / significand;
    let rounded = |value: i128, dropped: usize| (value + (1 << (dropped - 1))) >> dropped;
    let segment = |number: i128| {
        let start = (1i128 << FRACTION_BITS) + number * width;
        let (first, middle, last) = (at(start), at(start + width / 2), at(start + width));
        // In powers of place / width: first - rise * t + bend * t * t.
        let bend = 2 * (first - 2 * middle + last);
        let rise = first - last + bend;
        let half = 1i128 << (FINE_BITS - 1);
        let constant = rounded(first + half, FINE_BITS - SPARE_BITS);
        let slope = rounded(rise, FINE_BITS + PLACE_BITS - SLOPE_FRACTION_BITS);
        let curvature = rounded(bend, FINE_BITS + 2 * PLACE_BITS - SLOPE_FRACTION_BITS - PLACE_BITS);
        let field = |number: i128, bits: usize| {
            assert!((0..1 << bits).contains(&number), "a coefficient of segment {number} has {bits} bits");
            number as u128
        };
        let low = field(slope, SLOPE_BITS) << CURVATURE_BITS | field(curvature, CURVATURE_BITS);
        let all = field(constant, CONSTANT_BITS) << (SLOPE_BITS + CURVATURE_BITS) | low;
        Value::from_u128(CONSTANT_BITS + SLOPE_BITS + CURVATURE_BITS, all)
    };
    (0..1 << SEGMENT_BITS).map(segment).collect()
}

/// The reciprocal of a number of single precision.
#[kernel]
impl FloatReciprocal {
    fn logic(&self) {
        timing(FloatReciprocal::LATENCY_CLOCKS, 1);
        let enable = self.enable.val();
        let a = parts(self.a.val());
        self.estimate(a.fraction, enable);
        self.remainder(a.fraction, enable);

        /// # Round
        let late = &self.late;
        let sign = late.sign.of(a.sign, enable);
        /// 2^(e - 127) becomes 2^(127 - e) where the fraction is zero, and else half of that, times more than one.
        let exact = !a.fraction.any();
        let exponent = (2 * BIAS as u64 - 1) - a.exponent + exact.zero_extend(STORED_EXPONENT_BITS);
        let exponent = late.exponent.of(exponent, enable);
        let is_exact = late.is_exact.of(exact, enable);
        let is_largest = late.is_largest.of(a.is_zero, enable);
        let is_nan = late.is_nan.of(a.is_nan, enable);
        let is_tiny = (a.exponent >= 2 * BIAS as u64) | ((a.exponent == 2 * BIAS as u64 - 1) & !exact);
        let is_zero = late.is_zero.of(is_tiny, enable);
        let (is_too_low, is_too_high) = (late.is_too_low.val(), late.is_too_high.val());
        /// One more, one less, or neither.
        let change = is_too_high.repeat(FRACTION_BITS - 1);
        let change = cat(&[change, is_too_low | is_too_high]);
        let nearest = late.estimate.val().low(FRACTION_BITS) + change;
        discard(late.estimate.val().high(1), "the one in front");
        let has_fraction = !(is_exact | is_zero | is_largest | is_nan);
        let is_all_ones = is_largest & !is_nan;
        let fraction = nearest & has_fraction.repeat(FRACTION_BITS) | is_all_ones.repeat(FRACTION_BITS);
        let quiet = is_nan.zero_extend(FRACTION_BITS) << (FRACTION_BITS - 1);
        let top = is_nan.mux(lit(8, TOP_EXPONENT), lit(8, TOP_EXPONENT - 1));
        let special = (is_nan | is_largest).mux(top, lit(8, 0));
        let exponent = (is_nan | is_largest | is_zero).mux(special, exponent);
        if enable {
            late.result.next = cat(&[sign & !is_nan, exponent, fraction | quiet]);
        }
        self.result.next = late.result.val();
    }

    /// The reciprocal of the significand, off by less than one.
    fn estimate(&self, fraction: Bits, enable: Bits) {
        /// # Estimate
        let early = &self.early;
        for multiplier in [&self.curve, &self.rise] {
            multiplier.clocks.follow(&self.clocks);
            multiplier.enable.next = enable;
        }
        self.segments.clocks.follow(&self.clocks);
        self.segments.read_enable.next = enable;
        if let Some(output_enable) = self.segments.output_enable.as_ref() {
            output_enable.next = enable;
        }
        self.segments.read_address.next = fraction.high(SEGMENT_BITS);
        let segment = self.segments.read_data.val();
        let constant = segment.high(CONSTANT_BITS);
        let slope = segment.slice(CURVATURE_BITS, SLOPE_BITS);
        let place = early.place_to_curve.of(fraction.low(PLACE_BITS), enable);
        self.curve.a.next = segment.low(CURVATURE_BITS);
        self.curve.b.next = place;
        let bend = self.curve.product.val().high(CURVATURE_BITS);
        discard(self.curve.product.val().low(PLACE_BITS), "less than the slope is known by");
        self.rise.a.next = early.slope.val();
        self.rise.b.next = early.place_to_rise.of(place, enable);
        let rise = self.rise.product.val().high(SLOPE_BITS);
        discard(self.rise.product.val().low(PLACE_BITS), "less than the estimate is known by");
        let slope = early.slope_to_sum.of(slope, enable);
        let constant = early.constant_to_sum.of(constant, enable);
        let estimate = constant - rise.zero_extend(CONSTANT_BITS);
        discard(estimate.low(SPARE_BITS), "what rounding leaves");
        discard(estimate.high(1), "only the reciprocal of one, which is exact, has this bit");
        if enable {
            early.slope.next = slope - bend.zero_extend(SLOPE_BITS);
            self.middle.estimate.next = estimate.slice(SPARE_BITS, SIGNIFICAND_BITS);
        }
    }

    /// The product of estimate and operand, of which only what lies around 2^47 matters, against half the operand.
    fn remainder(&self, fraction: Bits, enable: Bits) {
        /// # Remainder
        let middle = &self.middle;
        let estimate = middle.estimate.val();
        let fraction = middle.fraction_to_product.of(fraction, enable);
        let divisor = cat(&[lit(1, 1), fraction]);
        for multiplier in [&self.low_product, &self.high_product] {
            multiplier.clocks.follow(&self.clocks);
            multiplier.enable.next = enable;
        }
        self.low_product.a.next = estimate;
        self.low_product.b.next = divisor.low(LOW_BITS);
        self.high_product.a.next = estimate.low(REMAINDER_BITS - LOW_BITS);
        self.high_product.b.next = divisor.high(SIGNIFICAND_BITS - LOW_BITS);
        let (low, high) = (self.low_product.product.val(), self.high_product.product.val());
        let high_low = high.low(REMAINDER_BITS - LOW_BITS);
        discard(high.high(high.width() - high_low.width()), "a multiple of 2^26");
        discard(low.high(low.width() - REMAINDER_BITS), "a multiple of 2^26");
        let sum = low.slice(LOW_BITS, REMAINDER_BITS - LOW_BITS) + high_low;
        let product = cat(&[sum, low.low(LOW_BITS)]);
        let divisor = cat(&[lit(1, 1), middle.fraction_to_choice.of(fraction, enable)]);
        let divisor = divisor.zero_extend(REMAINDER_BITS + 1).signed();
        /// How far estimate times divisor is above 2^47, which is a multiple of 2^26 itself.
        let excess = cat(&[middle.product.val(), lit(1, 0)]).signed();
        let (below, above) = ((excess + divisor).bits(), (divisor - excess).bits());
        discard(below.low(REMAINDER_BITS), "only the sign matters");
        discard(above.low(REMAINDER_BITS), "only the sign matters");
        let waiting = middle.estimate_to_choice.of(estimate, enable);
        if enable {
            middle.product.next = product;
            self.late.is_too_low.next = below.high(1);
            self.late.is_too_high.next = above.high(1);
            self.late.estimate.next = waiting;
        }
    }
}
