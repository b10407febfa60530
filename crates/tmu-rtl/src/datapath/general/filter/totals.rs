//! The sums of the four pixels, in a unit of several lanes: lanes of a pixel are added, and what belongs to it grows its sum.

use super::Stage;
use super::sum::{CHANNELS, POINT_BITS, total_bits};
use crate::datapath::general::words::PIXELS;
use tmu_hdl::prelude::*;

/// Sums of pixels.
#[derive(Bundle)]
pub(super) struct Totals {
    /// Four channels each.
    totals: Vec<Reg>,
    /// Those that have begun, a bit each.
    begun: Reg,
}

impl Totals {
    pub(super) fn new(clocks: &Clocks, channel_bits: usize) -> Totals {
        Totals {
            totals: Reg::array(PIXELS, clocks, CHANNELS * total_bits(channel_bits)),
            begun: Reg::with_reset(clocks, PIXELS, 0),
        }
    }
}

/// A channel of four.
#[kernel]
fn channel(of: Bits, number: usize) -> Bits {
    let bits = of.width() / CHANNELS;
    of.slice(bits * number, bits)
}

/// The sums of four channels each, of which the second one counts where a bit is set. `instead` comes where both are 0.
#[kernel]
fn sum_with(first: Bits, second: Bits, counts: Bits, instead: Option<Bits>) -> Bits {
    let sum = |number: usize| {
        let second = channel(second, number);
        let second = second & counts.repeat(second.width());
        channel(first, number) + instead.map_or(second, |instead| second | channel(instead, number))
    };
    stack([sum(0), sum(1), sum(2), sum(3)])
}

/// Channels that are not weighted, as what comes to a sum.
#[kernel]
pub(super) fn whole(of: Bits) -> Bits {
    let raised = |number: usize| cat(&[channel(of, number), lit(POINT_BITS, 0u32)]);
    stack([raised(0), raised(1), raised(2), raised(3)])
}

/// What comes to each pixel at [`Stage::Add`], of the weighted probes of the lanes. A lane without one has the weight 0. What is not
/// weighted comes instead.
#[kernel]
pub(super) fn addends(
    pipe: &Run<'_, Stage>,
    spread: &Payload<'_, Stage, Bits>,
    lanes: [Bits; PIXELS],
    straight: Option<&Payload<'_, Stage, [Bits; PIXELS]>>,
) -> [Bits; PIXELS] {
    /// # Lanes of a pixel
    let [first, second, third, fourth] = lanes;
    let has_two = spread.at(Stage::Pairs).any();
    let pairs = [sum_with(first, second, has_two, None), sum_with(third, fourth, has_two, None)];
    let pairs = pipe.put(Stage::Pairs, "pairs", pairs);
    let others = pipe.put(Stage::Pairs, "others", [second, third, fourth]).at(Stage::Add);
    let [lower, upper] = pairs.at(Stage::Fours);
    let own = straight.map(|straight| whole(straight.at(Stage::Fours)[0]));
    let most = sum_with(lower, upper, spread.at(Stage::Fours).bit(1), own);
    let most = pipe.put(Stage::Fours, "most", most).at(Stage::Add);
    /// Of two lanes a pixel the first pair is here too.
    let [_, upper] = pairs.at(Stage::Add);
    let spread = spread.at(Stage::Add);
    let (is_two, is_four) = (spread.bit(0), spread.bit(1));
    let odd = |own: Bits| {
        let less = if is_two { upper } else { own };
        if is_four { most } else { less }
    };
    let even = if is_two || is_four { most } else { others[1] };
    let grown = [most, odd(others[0]), even, odd(others[2])];
    let Some(straight) = straight else { return grown };
    let [_, second, third, fourth] = straight.at(Stage::Add);
    [grown[0], grown[1] | whole(second), grown[2] | whole(third), grown[3] | whole(fourth)]
}

/// The samples of the pixels at [`Stage::Quad`], in quads that have ended. `is_grown` has a bit for each pixel to which something
/// comes.
#[kernel]
pub(super) fn grow(
    totals: &Totals,
    addends: [Bits; PIXELS],
    is_grown: Bits,
    ends_quad: Bits,
) -> [Bits; PIXELS] {
    /// # Weighted sums
    let begun = totals.begun.val();
    totals.begun.next = if ends_quad { lit(PIXELS, 0u32) } else { begun | is_grown };
    for (place, (held, addend)) in totals.totals.iter().zip(addends).enumerate() {
        let total = |number: usize| {
            let so_far = channel(held.val(), number);
            /// The first probe finds a half, so that what is cut off rounds.
            let so_far =
                if begun.bit(place) { so_far } else { lit(so_far.width(), 1u32 << (POINT_BITS - 1)) };
            channel(addend, number) + so_far
        };
        if is_grown.bit(place) {
            held.next = stack([total(0), total(1), total(2), total(3)]);
        }
    }
    let sample = |place: usize| {
        let total = totals.totals[place].val();
        let bits = total.width() / CHANNELS;
        let high = |number: usize| total.slice(bits * number + POINT_BITS, bits - POINT_BITS);
        stack([high(0), high(1), high(2), high(3)])
    };
    [sample(0), sample(1), sample(2), sample(3)]
}
