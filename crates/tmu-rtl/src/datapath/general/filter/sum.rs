//! Probes to a sample: interpolation of two, or a weighted sum of any number.
//!
//! Of the sums of the four pixels one is looked up and grows each clock, so that probes may come in any order.

use super::Stage;
use super::colors::{Lerp, WEIGHT_BITS, between, color};
use crate::datapath::general::decode::FilterTap;
use crate::datapath::general::words::{PIXELS, PROBE_WEIGHT_BITS};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{DistributedRam, Multiplier, Operand};

/// Bits of a probe's weight below 256ths.
const WEIGHT_SHIFT: usize = 8;
/// Bits behind the point of a weighted sum.
pub(super) const POINT_BITS: usize = PROBE_WEIGHT_BITS - 1;
/// Channels of a colour.
pub(super) const CHANNELS: usize = 4;

/// Two probes to a sample.
#[derive(Bundle)]
pub(super) struct Pair {
    before: Vec<Reg>,
    lerp: Lerp,
}

impl Pair {
    /// Of probes of so many pixels.
    pub(super) fn new(clocks: &Clocks, channel_bits: usize, pixels: usize) -> Pair {
        Pair { before: Reg::array(pixels, clocks, CHANNELS * channel_bits), lerp: Lerp::new(channel_bits) }
    }
}

/// Any number of probes to a sample.
#[derive(Bundle)]
pub(super) struct Sum {
    products: Vec<Multiplier>,
    /// Four channels of a pixel's sum in a word.
    totals: DistributedRam,
    /// Pixels whose sums have begun, a bit each.
    begun: Reg,
}

impl Sum {
    pub(super) fn new(clocks: &Clocks, channel_bits: usize) -> Sum {
        Sum {
            products: multipliers(channel_bits),
            totals: DistributedRam::new(PIXELS, CHANNELS * total_bits(channel_bits)),
            begun: Reg::with_reset(clocks, PIXELS, 0),
        }
    }
}

/// Those of the channels of a probe and its weight.
pub(super) fn multipliers(channel_bits: usize) -> Vec<Multiplier> {
    let factor = Operand::unsigned;
    let product = || Multiplier::new(factor(channel_bits), factor(PROBE_WEIGHT_BITS));
    (0..CHANNELS).map(|_| product()).collect()
}

/// Bits of a weighted sum of channels.
pub(super) fn total_bits(channel_bits: usize) -> usize {
    channel_bits + POINT_BITS
}

/// The sample at [`Stage::Sample`], at the second one of two probes of a pixel, or at the only one.
#[kernel]
pub(super) fn of_pair(
    pipe: &Run<'_, Stage>,
    pair: &Pair,
    tap: &Payload<'_, Stage, FilterTap>,
    is_probe: &Payload<'_, Stage, Bits>,
    probe: Bits,
) -> Bits {
    let Pair { before, lerp } = pair;
    /// # Between two probes
    let pixel = tap.at(Stage::Probe).pixel;
    for (place, held) in before.iter().enumerate() {
        if is_probe.at(Stage::Probe) && pixel == place as u64 {
            held.next = probe;
        }
    }
    let [first, second, third, fourth] = [0, 1, 2, 3].map(|place: usize| before[place].val());
    let upper = if pixel.bit(0) { second } else { first };
    let lower = if pixel.bit(0) { fourth } else { third };
    let sample_before = if pixel.bit(1) { lower } else { upper };
    between_probes(pipe, lerp, tap, sample_before, probe)
}

/// The same in a lane that has all probes of its pixel.
#[kernel]
pub(super) fn of_own_pair(
    pipe: &Run<'_, Stage>,
    pair: &Pair,
    tap: &Payload<'_, Stage, FilterTap>,
    is_probe: &Payload<'_, Stage, Bits>,
    probe: Bits,
) -> Bits {
    /// # Between two probes
    let before = &pair.before[0];
    if is_probe.at(Stage::Probe) {
        before.next = probe;
    }
    between_probes(pipe, &pair.lerp, tap, before.val(), probe)
}

/// A probe against the one before.
#[kernel]
fn between_probes(
    pipe: &Run<'_, Stage>,
    lerp: &Lerp,
    tap: &Payload<'_, Stage, FilterTap>,
    sample_before: Bits,
    probe: Bits,
) -> Bits {
    let weight = tap.at(Stage::Probe).weight;
    discard(weight.low(WEIGHT_SHIFT), "weights are 256ths");
    let weight = weight.high(WEIGHT_BITS);
    color(&between(pipe, Stage::Probe, "sample", lerp, [sample_before, probe], weight), Stage::Sample)
}

/// The channels of a probe times its weight, where they are there.
#[kernel]
pub(super) fn products(
    pipe: &Run<'_, Stage>,
    multipliers: &[Multiplier],
    weight: Bits,
    probe: Bits,
    at: Stage,
) -> [Bits; CHANNELS] {
    let bits = probe.width() / CHANNELS;
    let product = |number: usize| {
        let channel = probe.slice(bits * number, bits);
        let name = format!("product_{}", super::colors::CHANNELS[number]);
        pipe.through(Stage::Probe, &name, &multipliers[number], (channel, weight)).at(at)
    };
    [product(0), product(1), product(2), product(3)]
}

/// The sample at [`Stage::Sample`], at the last probe of a pixel.
#[kernel]
pub(super) fn of_all(
    pipe: &Run<'_, Stage>,
    clocks: &Clocks,
    sum: &Sum,
    tap: &Payload<'_, Stage, FilterTap>,
    is_probe: &Payload<'_, Stage, Bits>,
    probe: Bits,
) -> Bits {
    /// # Weighted sum
    let bits = probe.width() / CHANNELS;
    let products = products(pipe, &sum.products, tap.at(Stage::Probe).weight, probe, Stage::Add);
    let FilterTap { pixel, ends_pixel, .. } = tap.at(Stage::Add);
    let is_probe = is_probe.at(Stage::Add);
    let begun = sum.begun.val();
    let has_begun = begun.at(pixel);
    let own = stack((0..PIXELS).map(|place| is_probe && pixel == place as u64));
    sum.begun.next = if ends_pixel { begun & !own } else { begun | own };
    /// The first probe finds a half, so that what is cut off rounds.
    let total_bits = total_bits(bits);
    let totals = sum.totals.read_data.val();
    let total = |number: usize| {
        let so_far = totals.slice(total_bits * number, total_bits);
        let so_far = if has_begun { so_far } else { lit(total_bits, 1u32 << (POINT_BITS - 1)) };
        discard(products[number].high(1), "weights are 65536 together");
        so_far + products[number].low(total_bits)
    };
    let next = [total(0), total(1), total(2), total(3)];
    sum.totals.clocks.follow(clocks);
    sum.totals.read_address.next = pixel;
    sum.totals.write_address.next = pixel;
    sum.totals.write_enable.next = is_probe;
    sum.totals.write_data.next = stack(next);
    let sample = stack(next.map(|total| total.high(bits)));
    pipe.put(Stage::Add, "sample", sample).at(Stage::Sample)
}
