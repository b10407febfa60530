//! `bias`: what is added to a footprint's level of detail: the sampler's bias, and a level of detail or a bias of the request.
//!
//! A float is turned into an integer by a product: its significand with the power of two that its exponent tells, and with its
//! sign. So the sum of the product's upper bits and the bit below them is rounded as it must be, halves upwards.

use super::Items;
use super::level::Limits;
use super::steps::Place;
use super::turns::Moves;
use crate::datapath::general::words::{ItemHead, NUMBER_BITS, QuadMarks, field_of, general, has_field};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{Multiplier, Operand};
use tmu_spec::Config;
use tmu_spec::general::features::OperationName;
use tmu_spec::general::field::LOD_BIAS;
use tmu_spec::general::sampler::{LOD_STEPS, MAX_LOD};

/// Bits of a sum of levels of detail, in 1/256 of a level.
pub(super) const SUM_BITS: usize = 17;
/// Bits of a float behind the leading one of its significand.
const FRACTION_BITS: usize = 23;
/// Bits of its exponent.
const EXPONENT_BITS: usize = 8;
/// The exponent of 32 levels, from which on they are limited.
const FAR_EXPONENT: u32 = 127 + MAX_LOD.ilog2();
/// Exponents below, down to half a step, below which a float rounds to 0.
const NEAR_EXPONENTS: u32 = MAX_LOD.ilog2() + LOD_STEPS.ilog2() + 1;
/// Bits of a power of two of either sign.
const POWER_BITS: usize = NEAR_EXPONENTS as usize + 1;
/// Bits of the product behind the point.
const POINT_BITS: usize = FRACTION_BITS + 1;

/// The multiplier.
#[derive(Bundle)]
pub(super) struct Bias {
    pub(super) product: Multiplier,
}

/// A float as far as it counts.
#[derive(Clone, Debug, Record)]
pub(super) struct Float<T = Bits> {
    is_negative: T,
    /// It is past 32 levels, or no number.
    is_far: T,
    /// It is no number, if it is far.
    is_nan: T,
    /// It is below, and does not round to 0.
    is_near: T,
    /// The low bits of its exponent.
    exponent: T,
    fraction: T,
}

/// Whether a request gives a level of detail, a level or a bias.
pub(super) fn is_given(config: &Config) -> bool {
    let giving = [OperationName::Lod, OperationName::Bias, OperationName::Fetch];
    giving.iter().any(|operation| general(config).has_operation(*operation))
}

impl Bias {
    pub(super) fn new() -> Bias {
        let significand = Operand::unsigned(FRACTION_BITS + 1);
        Bias { product: Multiplier::new(significand, Operand::signed(POWER_BITS)) }
    }
}

/// What is added to the level of detail of each quad; of a fetch only what the request gives.
#[kernel]
pub(super) fn bias<'a>(
    bias: Option<&Bias>,
    limits: &Limits,
    places: &Run<'a, Place>,
    (marks, is_fetch): (&QuadMarks, &Items<'a>),
    clocks: &Clocks,
    moves: &Moves,
    passes: &dyn Fn(Place) -> (ItemHead, Bits),
) -> Items<'a> {
    /// # Bias
    let place = if bias.is_some() { Place::Scale } else { Place::Square };
    let of_sampler = of_sampler(limits, &passes(place));
    let Some(bias) = bias else {
        discard(marks.lod, "no operation counts with it");
        return places.put(place, "bias", of_sampler);
    };
    let asked = (marks.operation, marks.lod);
    let float = places.put(Place::Entry, "float", float(asked, is_fetch.at(Place::Entry))).at(Place::Scale);
    bias.product.clocks.follow(clocks);
    bias.product.enable.next = moves.all;
    let (significand, power) = factors(&float);
    bias.product.a.next = significand;
    bias.product.b.next = power;
    let product = bias.product.product.val();
    let of_sampler = of_sampler & (!is_fetch.at(Place::Scale)).repeat(SUM_BITS);
    places.put(place, "bias", sum(product, &float, of_sampler))
}

/// The bias of the sampler, which is kept when its register passes.
#[kernel]
pub(super) fn of_sampler(limits: &Limits, (head, register): &(ItemHead, Bits)) -> Bits {
    if has_field(head, LOD_BIAS) {
        limits.bias.next = field_of(*register, LOD_BIAS);
    }
    limits.bias.val().sign_extend(SUM_BITS)
}

/// The factors of the product that a float is.
#[kernel]
pub(super) fn factors(float: &Float) -> (Bits, Bits) {
    (cat(&[lit(1, 1u32), float.fraction]), power(float))
}

/// What the request gives, which is a product, and the sampler's bias as far as it counts.
#[kernel]
pub(super) fn sum(product: Bits, float: &Float, of_sampler: Bits) -> Bits {
    discard(product.low(POINT_BITS - 1), "less than half");
    let near = product.high(product.width() - POINT_BITS).sign_extend(SUM_BITS);
    let most = MAX_LOD * LOD_STEPS;
    let far = if float.is_negative { lit(SUM_BITS, -most) } else { lit(SUM_BITS, most) };
    let given = if float.is_far && !float.is_nan { far } else { near };
    /// A bit below carries the rounding in. Of a float that is far the product is nothing.
    let rounds_up = product.bit(POINT_BITS - 1);
    let sum = cat(&[of_sampler, lit(1, 1u32)]) + cat(&[given, rounds_up]);
    discard(sum.bit(0), "as above");
    sum.high(SUM_BITS)
}

/// What of the float of a request counts: nothing where it gives none, or no number.
#[kernel]
pub(super) fn float((operation, lod): (Bits, Bits), is_fetch: Bits) -> Float {
    let gives = operation == OperationName::Lod as u64 || operation == OperationName::Bias as u64 || is_fetch;
    let exponent = lod.slice(FRACTION_BITS, EXPONENT_BITS);
    let fraction = lod.low(FRACTION_BITS);
    let is_nan = exponent.all() && fraction.any();
    let is_far = exponent >= u64::from(FAR_EXPONENT);
    let is_near = !is_far && exponent >= u64::from(FAR_EXPONENT - NEAR_EXPONENTS);
    Float {
        is_negative: lod.bit(NUMBER_BITS - 1),
        is_far: gives && is_far,
        is_nan,
        is_near: gives && is_near,
        exponent: exponent.low(4),
        fraction,
    }
}

/// The power of two by which the significand is multiplied, with the float's sign: 2^0 for half a step.
#[kernel]
fn power(float: &Float) -> Bits {
    let mut is_below = lit(1, 0u32);
    let mut bits = vec![];
    for place in 0..POWER_BITS as u32 {
        // Fewer than 16 exponents are near, so that four bits tell which it is.
        let is_here = if place < NEAR_EXPONENTS {
            float.exponent == u64::from((FAR_EXPONENT - NEAR_EXPONENTS + place) % 16)
        } else {
            lit(1, 0u32)
        };
        bits.push(float.is_near && (is_here || (is_below && float.is_negative)));
        is_below = is_below || is_here;
    }
    stack(bits)
}
