//! `filter_lane`: what the filter of several lanes has in each: the taps of a probe to the probe, weighted where pixels have sums, or
//! to the sample where they have none.
//!
//! Contract: items as those of [`FilterLanes`](super::lanes::FilterLanes), in which this lane may have none. What leaves counts where a
//! probe has ended. Of what is not weighted the weight is 0, and of others `straight` is.
//!
//! Cost: initiation interval 1. The multipliers of [`filter`](super) and one a channel for sums.

use super::bilinear::Bilinear;
use super::straight::{Choice, straight};
use super::sum::{CHANNELS, Pair, multipliers, of_own_pair, products, total_bits};
use super::{Parts, Stage, taps};
use crate::datapath::general::decode::FilterTap;
use crate::datapath::general::words::{TAPS, TexelUse, channels_bits};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::Multiplier;
use tmu_spec::Config;

/// See the module's documentation.
#[derive(LogicBlock)]
pub(super) struct Lane {
    /// Clock and reset.
    pub(super) clocks: Clocks,
    /// There is a row.
    pub(super) in_valid: Net<In>,
    /// What belongs to the lane, see [`shape`].
    pub(super) tap: Net<In>,
    /// What is chosen of taps that are not weighted.
    pub(super) choice: Optional<Net<In>>,
    /// They are not.
    pub(super) is_straight: Optional<Net<In>>,
    /// Colours of the taps that it brings; 0 of others.
    pub(super) colors: Vec<Net<In>>,
    /// The weighted probe, or the sample.
    pub(super) sample: Net<Out>,
    /// The channels of what is not weighted.
    pub(super) straight: Optional<Net<Out>>,
    taps: Vec<Reg>,
    bilinear: Optional<Bilinear>,
    pair: Optional<Pair>,
    products: Vec<Multiplier>,
    pipe: Pipe<Stage>,
    _parts: Parts,
    _config: Config,
}

/// What a lane has to know of an item.
pub(super) fn shape(config: &Config) -> FilterTap<Width> {
    let (parts, tap, none) = (Parts::of(config), FilterTap::of(config), Width::bits(1).when(false));
    let nothing = TexelUse {
        border_taps: none,
        border: none,
        is_void: none,
        is_srgb: none,
        compares: none,
        compare: none,
        reference: none,
        swizzle: none,
        is_gather: none,
        component: none,
        first_is_odd: [none; 2],
    };
    FilterTap {
        pixel: none,
        is_valid: none,
        is_failed: none,
        ends_probe: tap.ends_probe.when(parts.pair || parts.spread),
        ends_pixel: none,
        ends_quad: none,
        spread: none,
        valid: none,
        texels: nothing,
        format: none,
        ..tap
    }
}

impl Lane {
    /// The lane for a configuration.
    pub(super) fn new(config: &Config) -> Lane {
        let clocks = Clocks::new();
        let parts = Parts::of(config);
        let texel_bits = channels_bits(config);
        let stages = parts.stages();
        let own = stages.iter().take_while(|stage| **stage != parts.lane_end()).count() + 1;
        let sample_bits = if parts.sum { total_bits(parts.channel_bits) } else { parts.channel_bits };
        let lane = Lane {
            in_valid: Net::bit(),
            tap: Net::new(shape(config).width()),
            choice: Optional::new(parts.gather, || Net::new(Choice::of(parts).width())),
            is_straight: Optional::new(parts.straight(), Net::bit),
            colors: Net::array(TAPS, texel_bits),
            sample: Net::new(CHANNELS * sample_bits),
            straight: Optional::new(parts.straight(), || Net::new(CHANNELS * parts.lane_bits())),
            taps: Reg::array(TAPS, &clocks, texel_bits),
            bilinear: Optional::new(parts.bilinear, || Bilinear::new(parts.channel_bits)),
            pair: Optional::new(parts.pair, || Pair::new(&clocks, parts.channel_bits, 1)),
            products: if parts.sum { multipliers(parts.channel_bits) } else { vec![] },
            pipe: Pipe::with(&stages[..own]),
            clocks,
            _parts: parts,
            _config: config.clone(),
        };
        lane.pipe.plan(&lane.clocks, || lane.logic());
        lane
    }
}

/// Taps of a lane to a probe, or to a sample.
#[kernel]
impl Lane {
    fn module_name(&self) -> String {
        "filter_lane".into()
    }

    fn logic(&self) {
        let pipe = self.pipe.run(&self.clocks, lit(1, 1u32));
        pipe.timing();
        let parts = self._parts;
        let in_valid = self.in_valid.val();
        let in_tap = shape(&self._config).unpack(self.tap.val());
        taps::gather(&self.taps, &self.colors, in_valid, &in_tap);
        let tap = pipe.put(Stage::Entry, "tap", in_tap.clone());
        let taps: Vec<Bits> = self.taps.iter().map(|tap| tap.val()).collect();
        let colors: Vec<Bits> = taps.iter().map(|tap| taps::color_of(parts, *tap)).collect();
        if !parts.bilinear {
            let FilterTap { odd_weight_x, odd_weight_y, .. } = tap.at(Stage::Gathered);
            for weight in [odd_weight_x, odd_weight_y] {
                discard(weight.low(weight.width() - 1), "one tap has all the weight");
            }
        }
        let of_taps = taps::probe(&pipe, parts, &self.bilinear, &tap, &colors);
        let (probe, last) = of_taps;
        let is_straight = self.is_straight.as_ref().map(|of| pipe.put(Stage::Entry, "is_straight", of.val()));
        let ends = in_valid && in_tap.ends_probe;
        self.sample.next = if let Some(pair) = self.pair.as_ref() {
            let is_probe = pipe.flag(Stage::Entry, "is_probe", ends);
            of_own_pair(&pipe, pair, &tap, &is_probe, probe)
        } else if parts.sum {
            let is_probe = parts.spread.then(|| pipe.put(Stage::Entry, "is_probe", ends).at(Stage::Gathered));
            let is_plain = is_straight.as_ref().map(|of| !of.at(Stage::Gathered));
            let counts = is_probe.into_iter().chain(is_plain).reduce(|all, own| all & own);
            self.weighted(&pipe, tap.at(Stage::Gathered).weight, counts, probe)
        } else {
            probe
        };
        if let Some(out) = self.straight.as_ref() {
            let choice = match self.choice.as_ref() {
                Some(choice) => Choice::of(parts).unpack(choice.val()),
                None => Choice::none(),
            };
            out.next = stack(straight(&pipe, parts, &choice, &tap, &taps, last, is_straight.as_ref()));
        }
    }

    /// The channels of a probe times its weight, where it counts.
    fn weighted(&self, pipe: &Run<'_, Stage>, weight: Bits, counts: Option<Bits>, probe: Bits) -> Bits {
        /// # Weighted probe
        let weight = match counts {
            Some(counts) => {
                let nothing = lit(weight.width(), 0u32);
                if counts { weight } else { nothing }
            }
            None => weight,
        };
        let weight = pipe.put(Stage::Gathered, "weight", weight).at(Stage::Probe);
        let parts = self._parts;
        let products = products(pipe, &self.products, weight, probe, parts.lane_end());
        let channel = |number: usize| {
            discard(products[number].high(1), "weights are 65536 together");
            products[number].low(total_bits(parts.channel_bits))
        };
        stack([channel(0), channel(1), channel(2), channel(3)])
    }
}
