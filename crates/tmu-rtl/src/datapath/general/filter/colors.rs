//! Colours between colours: four channels of 8 bits, two in a DSP slice, or of 16 bits, a slice each.

use super::Stage;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{LerpPair, LerpSingle};

/// Bits of a weight of 256ths.
pub(super) const WEIGHT_BITS: usize = LerpPair::WEIGHT_BITS;
const _: () =
    assert!(LerpSingle::WEIGHT_BITS == WEIGHT_BITS && LerpSingle::LATENCY_CLOCKS == LerpPair::LATENCY_CLOCKS);

/// What channels are called.
pub(super) const CHANNELS: [&str; 4] = ["red", "green", "blue", "alpha"];

/// One interpolation of four channels.
#[derive(Bundle)]
pub(super) struct Lerp {
    red_green: Optional<LerpPair>,
    blue_alpha: Optional<LerpPair>,
    red: Optional<LerpSingle>,
    green: Optional<LerpSingle>,
    blue: Optional<LerpSingle>,
    alpha: Optional<LerpSingle>,
}

impl Lerp {
    /// That of channels of so many bits.
    pub(super) fn new(channel_bits: usize) -> Lerp {
        let pair = || Optional::new(channel_bits == 8, LerpPair::new);
        let single = || Optional::new(channel_bits == LerpSingle::CHANNEL_BITS, LerpSingle::new);
        Lerp {
            red_green: pair(),
            blue_alpha: pair(),
            red: single(),
            green: single(),
            blue: single(),
            alpha: single(),
        }
    }
}

/// A colour on its way.
pub(super) enum Colors<'a> {
    /// Red and green, then blue and alpha.
    Pairs([Payload<'a, Stage, [Bits; 2]>; 2]),
    /// Each channel.
    Single([Payload<'a, Stage, Bits>; 4]),
}

/// The colour between two, by the weight of the second one.
#[kernel]
pub(super) fn between<'a>(
    pipe: &Run<'a, Stage>,
    stage: Stage,
    name: &str,
    lerp: &Lerp,
    [first, second]: [Bits; 2],
    weight: Bits,
) -> Colors<'a> {
    let half = |part: &str, pair: &LerpPair, lo: usize| {
        let channels = |color: Bits| [color.slice(lo, 8), color.slice(lo + 8, 8)];
        let input = (channels(first), channels(second), weight);
        pipe.through(stage, &format!("{name}_{part}"), pair, input)
    };
    if let (Some(red_green), Some(blue_alpha)) = (lerp.red_green.as_ref(), lerp.blue_alpha.as_ref()) {
        return Colors::Pairs([half("red_green", red_green, 0), half("blue_alpha", blue_alpha, 16)]);
    }
    let single = |number: usize, channel: &Optional<LerpSingle>| {
        let Some(channel) = channel.as_ref() else { panic!("channels have 8 or 16 bits") };
        let own = |color: Bits| color.slice(LerpSingle::CHANNEL_BITS * number, LerpSingle::CHANNEL_BITS);
        let name = format!("{name}_{}", CHANNELS[number]);
        pipe.through(stage, &name, channel, (own(first), own(second), weight))
    };
    Colors::Single([
        single(0, &lerp.red),
        single(1, &lerp.green),
        single(2, &lerp.blue),
        single(3, &lerp.alpha),
    ])
}

/// A colour on its way, at a stage.
#[kernel]
pub(super) fn color(colors: &Colors<'_>, stage: Stage) -> Bits {
    match colors {
        Colors::Pairs(colors) => {
            let [red_green, blue_alpha] = [colors[0].at(stage), colors[1].at(stage)];
            cat(&[stack(blue_alpha), stack(red_green)])
        }
        Colors::Single(channels) => stack(channels.iter().map(|channel| channel.at(stage))),
    }
}
