//! What is not weighted: floats, of which one tap counts, and a component of each tap.
//!
//! Components of the four taps become the four channels of the sample by their places; `result` puts them in order. They take along
//! what the four taps have, beside the probe: a lane of 32 bits each where there are floats, else of a channel.

use super::{Parts, Stage};
use crate::datapath::general::decode::FilterTap;
use crate::datapath::general::words::{COMPONENT_BITS, SHOWN_BITS, TAPS};
use crate::datapath::words::by_parity;
use tmu_hdl::prelude::*;

/// What is chosen of each tap.
#[derive(Clone, Debug, Record)]
pub(super) struct Choice<T = Bits> {
    /// A component of each tap, not a tap.
    is_gather: T,
    /// Which channel.
    channel: T,
    /// Which one of floats; 0 of others.
    float: T,
}

impl Choice {
    /// Where a tap is all that counts.
    pub(super) fn none() -> Choice {
        let none = || lit(COMPONENT_BITS, 0u32);
        Choice { is_gather: lit(1, 0u32), channel: none(), float: none() }
    }
}

impl Choice<Width> {
    /// The shape of a configuration: without floats nothing but a channel is chosen.
    pub(super) fn of(parts: Parts) -> Choice<Width> {
        let component = Width::bits(COMPONENT_BITS);
        Choice {
            is_gather: Width::bits(1).when(parts.floats),
            channel: component,
            float: component.when(parts.floats),
        }
    }
}

/// What is chosen of the taps of an item.
#[kernel]
pub(super) fn choice(parts: Parts, in_tap: &FilterTap, are_floats: Bits) -> Choice {
    /// # Without weights
    let own = &in_tap.texels;
    let of_component = [0, 1, 2, 3].map(|place: usize| own.swizzle.slice(SHOWN_BITS * place, 2));
    let channel = if parts.swizzle {
        by_parity(own.component.bit(0), own.component.bit(1), &of_component)
    } else {
        own.component
    };
    Choice { is_gather: own.is_gather, channel, float: channel & are_floats.repeat(2) }
}

/// The channel of a texel, as a lane.
#[kernel]
fn picked(parts: Parts, texel: Bits, choice: &Choice) -> Bits {
    let four = |of: Bits, bits: usize, lo: usize, width: usize| {
        [0, 1, 2, 3].map(|number: usize| of.slice(bits * number + lo, width))
    };
    let chosen = |code: Bits, values: &[Bits; 4]| by_parity(code.bit(0), code.bit(1), values);
    let bits = parts.channel_bits;
    let channel = chosen(choice.channel, &four(texel, bits, 0, bits));
    if !parts.floats {
        return channel;
    }
    let [_, second, third, fourth] = four(texel, parts.lane_bits(), 0, bits);
    let low = chosen(choice.float, &[channel, second, third, fourth]);
    let rest = parts.lane_bits() - bits;
    cat(&[chosen(choice.channel, &four(texel, parts.lane_bits(), bits, rest)), low])
}

/// The lanes of a sample that is not weighted, where lanes end. `last` is the colour of the last tap where a corner may be it;
/// with `counts`, of other samples all is zero.
#[kernel]
pub(super) fn straight(
    pipe: &Run<'_, Stage>,
    parts: Parts,
    choice: &Choice,
    tap: &Payload<'_, Stage, FilterTap>,
    taps: &[Bits],
    last: Bits,
    counts: Option<&Payload<'_, Stage, Bits>>,
) -> [Bits; TAPS] {
    let choice = pipe.put(Stage::Entry, "choice", choice.clone());
    let chosen = choice.at(Stage::Gathered);
    /// A tap that is not brought is zero: of floats there is one.
    let any = taps[0] | taps[1] | taps[2] | taps[3];
    let bits = parts.lane_bits();
    let lane = |number: usize| {
        if !parts.gather {
            return any.slice(bits * number, bits);
        }
        let component = picked(parts, taps[number], &chosen);
        if !parts.floats {
            return component;
        }
        if chosen.is_gather { component } else { any.slice(bits * number, bits) }
    };
    let counted = |number: usize| match counts {
        Some(counts) => {
            let nothing = lit(bits, 0u32);
            if counts.at(Stage::Gathered) { lane(number) } else { nothing }
        }
        None => lane(number),
    };
    let lanes = pipe.put(Stage::Gathered, "straight", [counted(0), counted(1), counted(2), counted(3)]);
    if !parts.gather || !parts.corner {
        return lanes.at(parts.lane_end());
    }
    /// A corner is there later.
    let [first, second, third, fourth] = lanes.at(Stage::Rows);
    let color = parts.channel_bits;
    let of_last = [0, 1, 2, 3].map(|number: usize| last.slice(color * number, color));
    let channel = choice.at(Stage::Rows).channel;
    let of_corner = by_parity(channel.bit(0), channel.bit(1), &of_last);
    let is_corner = tap.at(Stage::Rows).has_corner;
    let is_corner = match counts {
        Some(counts) => is_corner && counts.at(Stage::Rows),
        None => is_corner,
    };
    let low = if is_corner { of_corner } else { fourth.low(color) };
    let fourth = if parts.floats { cat(&[fourth.high(bits - color), low]) } else { low };
    pipe.put(Stage::Rows, "lanes", [first, second, third, fourth]).at(parts.lane_end())
}
