//! The sums of the four pixels, in a unit of several lanes: lanes of a pixel are added, and what belongs to it grows its sum.

use super::sum::{CHANNELS, POINT_BITS, total_bits};
use super::Stage;
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

/// The sums of four channels each, of which the second one counts where a bit is set.
#[kernel]
fn sum_with(first: Bits, second: Bits, counts: Bits) -> Bits {
    let sum = |number: usize| {
        let second = channel(second, number);
        channel(first, number) + (second & counts.repeat(second.width()))
    };
    stack([sum(0), sum(1), sum(2), sum(3)])
}

/// What comes to each pixel at [`Stage::Add`], of the weighted probes of the lanes. A lane without one has the weight 0.
#[kernel]
pub(super) fn addends(
    pipe: &Run<'_, Stage>,
    spread: &Payload<'_, Stage, Bits>,
    lanes: [Bits; PIXELS],
) -> [Bits; PIXELS] {
    /// # Lanes of a pixel
    let [first, second, third, fourth] = lanes;
    let has_two = spread.at(Stage::Pairs).any();
    let pairs = [sum_with(first, second, has_two), sum_with(third, fourth, has_two)];
    let pairs = pipe.put(Stage::Pairs, "pairs", pairs);
    let others = pipe.put(Stage::Pairs, "others", [second, third, fourth]).at(Stage::Add);
    let [lower, upper] = pairs.at(Stage::Fours);
    let most = sum_with(lower, upper, spread.at(Stage::Fours).bit(1));
    let most = pipe.put(Stage::Fours, "most", most).at(Stage::Add);
    /// Of two lanes a pixel the first pair is here too.
    let [_, upper] = pairs.at(Stage::Add);
    let spread = spread.at(Stage::Add);
    let (is_two, is_four) = (spread.bit(0), spread.bit(1));
    let odd = |own: Bits| {
        let less = if is_two { upper } else { own };
        if is_four { most } else { less }
    };
    [most, odd(others[0]), if is_two || is_four { most } else { others[1] }, odd(others[2])]
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
        let high = |number: usize| {
            let total = channel(total, number);
            total.high(total.width() - POINT_BITS)
        };
        stack([high(0), high(1), high(2), high(3)])
    };
    [sample(0), sample(1), sample(2), sample(3)]
}
