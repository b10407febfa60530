//! A channel of a source, modified. Wires only, in the steps that the arithmetic has registers between.

use super::words::{CHANNEL_BITS, CHANNEL_FRACTION_BITS, CHANNELS};
use tmu_hdl::arithmetic::saturate_signed;
use tmu_hdl::prelude::*;

/// Bits of a channel with the bias on it.
const BIASED_BITS: usize = CHANNEL_BITS + 1;
/// 1.0.
pub(super) const ONE: u32 = 1 << CHANNEL_FRACTION_BITS;

/// The channel that is read: its own, or another one for all.
#[kernel]
pub(super) fn selected(selector: Bits, own: usize, registers: &[Bits; CHANNELS]) -> Bits {
    let one = selector.low(2) - 1;
    let low = if one.bit(0) { registers[1] } else { registers[0] };
    let high = if one.bit(0) { registers[3] } else { registers[2] };
    let replicated = if one.bit(1) { high } else { low };
    if selector.any() { replicated } else { registers[own] }
}

/// What a modifier asks for, by its number: none, −, bias, −bias, bx2, −bx2, 1−, x2, −x2.
#[derive(Clone, Debug, Record)]
pub(super) struct Asked<T = Bits> {
    /// 0.5 less.
    biases: T,
    /// 1.0 less it.
    inverts: T,
    /// Twice.
    doubles: T,
    /// The negative.
    pub(super) negates: T,
}

#[kernel]
pub(super) fn asked(modifier: Bits) -> Asked {
    let is = |numbers: &[u64]| {
        let found: Vec<Bits> = numbers.iter().map(|number| modifier == *number).collect();
        cat(&found).any()
    };
    Asked {
        biases: is(&[2, 3, 4, 5]),
        inverts: is(&[6]),
        doubles: is(&[4, 5, 7, 8]),
        negates: is(&[1, 3, 5, 8]),
    }
}

/// `v`, `v − 0.5` or `1 − v`.
#[kernel]
pub(super) fn biased(asked: &Asked, channel: Bits) -> Bits {
    let channel = channel.sign_extend(BIASED_BITS) ^ asked.inverts.repeat(BIASED_BITS);
    let bias = if asked.biases { lit(BIASED_BITS, -i64::from(ONE / 2)) } else { lit(BIASED_BITS, 0u32) };
    channel + if asked.inverts { lit(BIASED_BITS, ONE + 1) } else { bias }
}

/// Once or twice, limited.
#[kernel]
pub(super) fn scaled(asked: &Asked, biased: Bits) -> Bits {
    let once = biased.sign_extend(BIASED_BITS + 1);
    let twice = cat(&[biased, lit(1, 0u32)]);
    let value = if asked.doubles { twice } else { once };
    saturate_signed(value.signed(), CHANNEL_BITS).bits()
}

/// The number or its negative, which has a bit more.
#[kernel]
pub(super) fn negated(negates: Bits, value: Bits) -> Bits {
    let value = value.sign_extend(BIASED_BITS) ^ negates.repeat(BIASED_BITS);
    value + negates.zero_extend(BIASED_BITS)
}

/// Limited.
#[kernel]
pub(super) fn limited(value: Bits) -> Bits {
    saturate_signed(value.signed(), CHANNEL_BITS).bits()
}
