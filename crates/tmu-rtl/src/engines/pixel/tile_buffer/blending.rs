//! A channel that is blended with what is there. Wires only, in the steps that the stage has registers between.

use super::CHANNEL_BITS;
use tmu_hdl::prelude::*;
use tmu_spec::pixel::Blend;

/// The largest value of a channel.
const MOST: u64 = 255;
/// Bits of what is divided by 255.
const SUM_BITS: usize = 2 * CHANNEL_BITS + 2;
/// Half of 255, rounded down: what rounds.
const HALF: u64 = MOST / 2;

/// How a quad is blended.
#[derive(Clone, Debug, Record)]
pub(super) struct Manner<T = Bits> {
    /// Alpha multiplies.
    by_alpha: T,
    /// It multiplies the colour too.
    of_both: T,
    /// Both are multiplied.
    is_product: T,
    /// The colour is added, or stands alone.
    adds_source: T,
    /// What is there is added.
    adds_there: T,
}

#[kernel]
pub(super) fn manner(blend: Bits) -> Manner {
    let is = |own: Blend| blend == own as u64;
    let is_premultiplied = is(Blend::Premultiplied);
    Manner {
        by_alpha: is(Blend::Alpha) || is_premultiplied,
        of_both: is(Blend::Alpha),
        is_product: is(Blend::Multiply),
        adds_source: is(Blend::None) || is_premultiplied || is(Blend::Additive),
        adds_there: is(Blend::Additive),
    }
}

/// What a channel is made of.
#[derive(Clone, Debug, Record)]
pub(super) struct Blended<T = Bits> {
    /// A factor, with sign.
    pub(super) first: T,
    /// The other one.
    pub(super) second: T,
    /// What is added to their product.
    pub(super) base: T,
    /// What is added behind the division.
    pub(super) more: T,
}

/// Of a colour s, of what is there, and of the colour's alpha.
#[kernel]
pub(super) fn factors(manner: &Manner, source: Bits, there: Bits, alpha: Bits) -> Blended {
    let bits = CHANNEL_BITS + 1;
    let only = |value: Bits, counts: Bits| value.zero_extend(bits) & counts.repeat(bits);
    let difference = only(source, manner.of_both || manner.is_product) - only(there, manner.by_alpha);
    /// 255 times what is there, less what the product takes of it, and what rounds.
    let kept = there & manner.by_alpha.repeat(CHANNEL_BITS);
    let wide = kept.zero_extend(SUM_BITS);
    let more = only(source, manner.adds_source) + only(there, manner.adds_there);
    let second = if manner.is_product { there } else { alpha };
    let counts = manner.by_alpha || manner.is_product;
    Blended {
        first: difference,
        second: second & counts.repeat(CHANNEL_BITS),
        base: (wide << CHANNEL_BITS) - wide + HALF,
        more,
    }
}

/// The sum that is divided by 255.
#[kernel]
pub(super) fn sums(product: Bits, base: Bits) -> Bits {
    let sum = base + product.sign_extend(SUM_BITS);
    discard(sum.high(SUM_BITS - 2 * CHANNEL_BITS), "it lies within 0 and 65152");
    sum.low(2 * CHANNEL_BITS)
}

/// Over 255.
#[kernel]
pub(super) fn divided(sum: Bits) -> Bits {
    let bits = sum.width();
    let whole = sum + sum.high(CHANNEL_BITS).zero_extend(bits) + 1;
    discard(whole.low(CHANNEL_BITS), "what is cut off");
    whole.high(CHANNEL_BITS)
}

/// With what is added, limited.
#[kernel]
pub(super) fn added(quotient: Bits, more: Bits) -> Bits {
    let bits = CHANNEL_BITS + 2;
    let sum = quotient.zero_extend(bits) + more.zero_extend(bits);
    let is_over = sum.high(bits - CHANNEL_BITS).any();
    sum.low(CHANNEL_BITS) | is_over.repeat(CHANNEL_BITS)
}

/// One bit: alpha compares so with the reference, by the number of a [`CompareOp`](tmu_spec::general::CompareOp): a bit each for less,
/// equal and greater.
#[kernel]
pub(super) fn stays(op: Bits, alpha: Bits, reference: Bits) -> Bits {
    let other = if alpha == reference { op.bit(1) } else { op.bit(2) };
    if alpha < reference { op.bit(0) } else { other }
}
