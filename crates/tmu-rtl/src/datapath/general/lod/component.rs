//! `component`: from a component of an edge, a difference of coordinates, to its square in texels.
//!
//! Edges are scaled to texels, shifted together so that the highest bit of the largest one is at the top of 17 bits, and squared. The
//! numerics shift only down, but a shift up is the same: it makes a square an even power of two as large, and its logarithm an even
//! number larger, exactly. So squared lengths are 2^32 to 2^35, of three components up to 2^36.
//!
//! A shift is a product with a power of two. Where all edges are below 2^16 the lower half of their bits takes the place of the
//! upper one.

use super::steps::Step;
use crate::datapath::general::words::EDGE_BITS;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{Multiplier, Operand};
use tmu_spec::general::field::WIDTH;

/// Bits of a side less one.
pub(super) const SIDE_BITS: usize = WIDTH.bits as usize;
/// Bits of a size of either sign.
const FACTOR_BITS: usize = SIDE_BITS + 2;
/// Bits of the lower part of an edge.
const LOW_BITS: usize = 26;
/// Bits of an edge in texels, before it is limited.
const TEXEL_BITS: usize = 49;
/// Bits of an edge in texels that are not too many.
const MOST_BITS: usize = 33;
/// Bits of an edge that are squared.
pub(super) const SQUARED_BITS: usize = 17;
/// Bits below those of a large edge.
const BELOW_BITS: usize = MOST_BITS - SQUARED_BITS;
/// Bits that are looked at together: inputs of a LUT.
const BITS_TOGETHER: usize = 6;
/// Bits of a shift, of -20 to 12 levels.
pub(super) const SHIFT_BITS: usize = 6;
/// What the shift of an edge of 2^16 units is less than a level of detail: an edge of 2^20 is a texel.
const SHIFT_OF_2_TO_16: i64 = -4;

/// The multipliers of a component.
#[derive(Bundle)]
pub(super) struct Component {
    low: Multiplier,
    high: Multiplier,
    shift_above: Multiplier,
    shift_below: Multiplier,
    square: Multiplier,
}

/// A component on its way through the steps.
pub(super) struct Path<'a, 'b> {
    pub(super) component: &'b Component,
    pub(super) steps: &'b Run<'a, Step>,
    /// What the names of its values end with.
    pub(super) name: &'b str,
}

/// A component in texels, its lower and its upper bits, and of those that tell its size those that are set, a few together in each bit.
pub(super) struct Scaled {
    low: Bits,
    high: Bits,
    /// Of the upper half.
    above: Bits,
    /// Of those beyond.
    beyond: Bits,
}

/// The magnitude of a component in texels.
pub(super) struct Texels {
    pub(super) is_too_large: Bits,
    pub(super) has_above: Bits,
    /// Its upper half where that has anything, else its lower one.
    pub(super) mantissa: Bits,
    /// The bits below the upper half.
    below: Bits,
}

/// The same on its way.
pub(super) struct TexelsOnWay<'a> {
    pub(super) mantissa: Payload<'a, Step, Bits>,
    below: Payload<'a, Step, Bits>,
    pub(super) has_above: Payload<'a, Step, Bits>,
    pub(super) is_too_large: Payload<'a, Step, Bits>,
}

/// By how much all components are shifted.
#[derive(Clone, Copy, Debug, Record)]
pub(super) struct Shift<T = Bits> {
    /// A power of two. None if all components are nothing.
    pub(super) power: T,
    /// It is one of the upper halves.
    pub(super) is_above: T,
}

impl Component {
    pub(super) fn new() -> Component {
        let factor = Operand::signed(FACTOR_BITS);
        let squared = || Operand::unsigned(SQUARED_BITS);
        Component {
            low: Multiplier::new(Operand::unsigned(LOW_BITS), factor),
            high: Multiplier::new(Operand::signed(EDGE_BITS - LOW_BITS), factor),
            shift_above: Multiplier::new(squared(), squared()),
            shift_below: Multiplier::new(Operand::unsigned(BELOW_BITS), squared()),
            square: Multiplier::new(squared(), squared()),
        }
    }
}

/// The magnitude of a component in texels with 20 bits behind the point, at [`Step::Texels`]. The size, which comes less one too, has
/// the sign of the component, so that the product has none.
#[kernel]
pub(super) fn texels(
    path: &Path<'_, '_>,
    edge: Bits,
    (less_one, side): (Bits, Bits),
    is_missing: Bits,
) -> Scaled {
    let Path { component, steps, name } = path;
    let negated = !less_one.zero_extend(FACTOR_BITS);
    let factor = if edge.high(1) { negated } else { side.zero_extend(FACTOR_BITS) };
    let factor = factor & (!is_missing).repeat(FACTOR_BITS);
    let high = (edge.high(EDGE_BITS - LOW_BITS), factor);
    let high = steps.through(Step::Entry, &format!("high{name}"), &component.high, high).at(Step::Scaled);
    let low = (edge.low(LOW_BITS), factor);
    let low = steps.through(Step::Entry, &format!("low{name}"), &component.low, low).at(Step::Scaled);
    const HIGH_BITS: usize = TEXEL_BITS - LOW_BITS;
    discard(high.high(high.width() - HIGH_BITS), "an edge has at most 2^48 units");
    let carried = low.high(low.width() - LOW_BITS).sign_extend(HIGH_BITS);
    let texels = [low.low(LOW_BITS), high.low(HIGH_BITS) + carried];
    /// Which bits are set is half found here: behind it too much waits for the answer.
    let upper = cat(&[texels[1], texels[0].high(LOW_BITS - BELOW_BITS)]);
    let set = [upper.low(SQUARED_BITS), upper.high(TEXEL_BITS - MOST_BITS)].map(any_together);
    let [low, high] = steps.put(Step::Scaled, &format!("texels{name}"), texels).at(Step::Texels);
    let [above, beyond] = steps.put(Step::Scaled, &format!("set{name}"), set).at(Step::Texels);
    Scaled { low, high, above, beyond }
}

/// For each few bits whether one of them is set.
#[kernel]
fn any_together(bits: Bits) -> Bits {
    let parts = (0..bits.width()).step_by(BITS_TOGETHER);
    stack(parts.map(|first| bits.slice(first, BITS_TOGETHER.min(bits.width() - first)).any()))
}

/// What of it tells its size.
#[kernel]
pub(super) fn split(Scaled { low, high, above, beyond }: Scaled) -> Texels {
    let is_too_large = beyond.any();
    let has_above = cat(&[beyond, above]).any();
    let upper = low.high(LOW_BITS - BELOW_BITS);
    let above = cat(&[high.low(SQUARED_BITS - upper.width()), upper]);
    discard(high.high(TEXEL_BITS - MOST_BITS), "only whether one of them is set counts");
    let mantissa = if has_above { above } else { low.low(SQUARED_BITS) };
    Texels { is_too_large, has_above, mantissa, below: low.low(BELOW_BITS) }
}

/// Sends it on its way, from [`Step::Texels`] on.
#[kernel]
pub(super) fn send<'a>(path: &Path<'a, '_>, texels: &Texels) -> TexelsOnWay<'a> {
    let Path { steps, name, .. } = path;
    TexelsOnWay {
        mantissa: steps.put(Step::Texels, &format!("mantissa{name}"), texels.mantissa),
        below: steps.put(Step::Texels, &format!("below{name}"), texels.below),
        has_above: steps.put(Step::Texels, &format!("has_above{name}"), texels.has_above),
        is_too_large: steps.put(Step::Texels, &format!("is_too_large{name}"), texels.is_too_large),
    }
}

/// The component shifted, from [`Step::Shifted`] on.
#[kernel]
pub(super) fn shift<'a>(path: &Path<'a, '_>, texels: &TexelsOnWay<'a>, by: Shift) -> Payload<'a, Step, Bits> {
    let Path { component, steps, name } = path;
    let Shift { power, is_above } = by;
    let mantissa = texels.mantissa.at(Step::Factors);
    let below = texels.below.at(Step::Factors);
    let has_above = texels.has_above.at(Step::Factors);
    let is_too_large = texels.is_too_large.at(Step::Shifted);
    let named = |value: &str| format!("{value}{name}");
    let upper = steps.through(Step::Factors, &named("upper"), &component.shift_above, (mantissa, power));
    let lower = steps.through(Step::Factors, &named("lower"), &component.shift_below, (below, power));
    let has_upper = steps.put(Step::Factors, &named("has_upper"), has_above || !is_above).at(Step::Shifted);
    let has_lower = steps.put(Step::Factors, &named("has_lower"), is_above).at(Step::Shifted);
    let (upper, lower) = (upper.at(Step::Shifted), lower.at(Step::Shifted));
    discard(upper.high(SQUARED_BITS), "no component is larger than the largest");
    discard(lower.low(BELOW_BITS), "what is shifted out");
    let upper = upper.low(SQUARED_BITS) & has_upper.repeat(SQUARED_BITS);
    let lower = lower.high(SQUARED_BITS) & has_lower.repeat(SQUARED_BITS);
    steps.put(Step::Shifted, &named("shifted"), upper | lower | is_too_large.repeat(SQUARED_BITS))
}

/// The square of a shifted component, from [`Step::Squared`] on.
#[kernel]
pub(super) fn square<'a>(path: &Path<'a, '_>, shifted: &Payload<'a, Step, Bits>) -> Payload<'a, Step, Bits> {
    let side = shifted.at(Step::Shifted);
    let name = format!("square{}", path.name);
    path.steps.through(Step::Shifted, &name, &path.component.square, (side, side))
}

/// The power of two that moves the highest bit set to the top: bit i where the i-th bit from the top is the highest one. None if no
/// bit is set.
#[kernel]
pub(super) fn power_of_shift(largest: Bits) -> Bits {
    const GROUP_BITS: usize = 5;
    let from_top = |place: usize| largest.bit(SQUARED_BITS - 1 - place);
    let mut is_any_before = lit(1, 0u32);
    let mut power = vec![];
    for first in (0..SQUARED_BITS).step_by(GROUP_BITS) {
        let mut is_any = lit(1, 0u32);
        for place in first..SQUARED_BITS.min(first + GROUP_BITS) {
            power.push(from_top(place) && !is_any && !is_any_before);
            is_any = is_any || from_top(place);
        }
        is_any_before = is_any_before || is_any;
    }
    stack(power)
}

/// What a shift adds to the level of detail, in levels.
#[kernel]
pub(super) fn shift_in_levels(shift: Shift) -> Bits {
    let Shift { power, is_above } = shift;
    let shift_of = |place: usize| (SQUARED_BITS - 1 - place) as i64 + SHIFT_OF_2_TO_16;
    let is_any = |is_in: &dyn Fn(i64) -> bool| {
        let bits = (0..SQUARED_BITS).filter(|place| is_in(shift_of(*place))).map(|place| power.bit(place));
        stack(bits).any()
    };
    let low = stack((0..SHIFT_BITS - 2).map(|bit| is_any(&|shift| shift >> bit & 1 == 1)));
    /// Without anything above the shift is 16 levels less.
    let is_negative = is_any(&|shift| shift < 0);
    let high = cat(&[is_negative || !is_above, is_negative == is_above]);
    cat(&[high, low])
}
