//! `result`: from the samples of a quad to its result: components in their places, numbers in the form of the unit's results.
//!
//! A sample comes at most once a clock, so each is made ready on its way to its place in the row. v / 65535 is v over and over behind
//! the point, to the base 65536: so of a sample as a single, the significand is what repeats, moved up to its highest bit, and never
//! half way between two singles. v · 255 / 65535 is a difference.
//!
//! A unit of several lanes has [`lanes`] instead.
//!
//! Contract: samples as [`Sample`] says. What leaves is the result of a quad: four pixels, pixel 0 lowest, R lowest in each, above them
//! the valid bits and the error. Pixels that are not valid, and all of a quad that failed, are 0.
//!
//! Cost: initiation interval 1. Latency 2 clocks; where components are chosen 1 more, with singles of fixed-point numbers 2 more, with
//! fixed-point numbers of floats 4 more and a DSP slice a channel, with 8 bits of 16 none. No RAM.
//! 467 LUTs for singles of 16 bits or floats with swizzles, as Yosys 0.70 estimates them for UltraScale+.

pub mod lanes;
mod number;

use super::decode::FilterTap;
use super::row::{self, Row};
use super::unit_number;
use super::words::{
    COMPONENT_BITS, NUMBER_BITS, PIXELS, SHOWN_BITS, TexelUse, general, has_fetch, has_gather, has_indirect,
};
use crate::datapath::words::by_parity;
use number::{NAMES, Parts};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::Multiplier;
use tmu_spec::general::ResultNumbers;
use tmu_spec::{Config, Format};

/// Where a sample is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
pub enum Stage {
    /// It comes in, and components are chosen.
    Entry,
    /// They are there.
    Shown,
    /// Singles: the highest bit comes into the highest four.
    Fine,
    /// Its place is found.
    Round,
    /// Fixed-point numbers of floats: these are in the multiplier.
    Factors,
    /// As before.
    Multiply,
    /// They have their places.
    Product,
    /// They are rounded.
    Difference,
    /// They are there.
    Limit,
    /// The sample is ready, and finds its place.
    Place,
    /// Its quad leaves.
    Exit,
}

/// Channels of a sample.
const CHANNELS: usize = 4;

/// What a channel of a result shows.
#[derive(Clone, Debug, Record)]
pub struct Shown<T = Bits> {
    /// The number of a channel of the sample.
    pub channel: T,
    /// It shows 0 or 1 instead.
    pub is_constant: T,
    /// It is 1.
    pub is_one: T,
}

/// What `filter` hands to `result`: the sample of a pixel.
#[derive(Clone, Debug, Record)]
pub struct Sample<T = Bits> {
    /// Its pixel.
    pub pixel: T,
    /// It counts.
    pub is_valid: T,
    /// It is the last one of its quad.
    pub ends_quad: T,
    /// The valid bits of the quad.
    pub valid: T,
    /// Its quad has failed up to it.
    pub fails: T,
    /// A channel each: a float, or an unsigned number in the low bits.
    pub channels: [T; CHANNELS],
    /// Channels are floats.
    pub are_floats: T,
    /// What the channels of the result show.
    pub shown: [Shown<T>; CHANNELS],
}

/// What `filter` hands to `result` in a unit of several lanes: the samples of a quad.
#[derive(Clone, Debug, Record)]
pub struct QuadSample<T = Bits> {
    /// The valid bits of the quad. Samples of other pixels may be anything.
    pub valid: T,
    /// The quad has failed.
    pub fails: T,
    /// Channels are floats.
    pub are_floats: T,
    /// No other result of the quad follows. Only with indirect look-ups, where a quad may have several.
    pub is_last: T,
    /// Samples of the pixels.
    pub pixels: [PixelSample<T>; PIXELS],
}

/// A sample of several.
#[derive(Clone, Debug, Record)]
pub struct PixelSample<T = Bits> {
    /// A channel each: a float, or an unsigned number in the low bits.
    pub channels: [T; CHANNELS],
    /// What the channels of the result show.
    pub shown: [Shown<T>; CHANNELS],
}

impl QuadSample<Width> {
    /// The shape of a configuration.
    pub fn of(config: &Config) -> QuadSample<Width> {
        let Sample { valid, fails, are_floats, channels, shown, .. } = Sample::of(config);
        let pixel = || PixelSample { channels, shown: shown.clone() };
        let is_last = Width::bits(1).when(has_indirect(config));
        QuadSample { valid, fails, are_floats, is_last, pixels: [pixel(), pixel(), pixel(), pixel()] }
    }
}

impl Sample<Width> {
    /// The shape of a configuration.
    pub fn of(config: &Config) -> Sample<Width> {
        let (bit, general) = (Width::bits(1), general(config));
        let shown = || Shown {
            channel: Width::bits(COMPONENT_BITS).when(has_choice(config)),
            is_constant: bit.when(general.swizzle || has_fetch(config)),
            is_one: bit.when(general.swizzle),
        };
        Sample {
            pixel: Width::bits(2),
            is_valid: bit,
            ends_quad: bit,
            valid: Width::bits(PIXELS),
            fails: bit,
            channels: [Width::bits(lane_bits(config)); CHANNELS],
            are_floats: bit.when(has_floats(config)),
            shown: [shown(), shown(), shown(), shown()],
        }
    }
}

/// Bits of a channel of a sample.
pub fn lane_bits(config: &Config) -> usize {
    if has_floats(config) { NUMBER_BITS } else { general(config).channel_bits as usize }
}

/// Bits of a result: four pixels, valid bits, error, and with indirect look-ups whether it is the last one of its quad.
pub fn result_bits(config: &Config) -> usize {
    config.result_tdata_bits() as usize + PIXELS + 1 + usize::from(has_indirect(config))
}

/// Whether a configuration has the stage: where results are not just the channels of samples.
pub fn is_built(config: &Config) -> bool {
    let general = general(config);
    let is_plain = general.channel_bits == 8 && general.result == ResultNumbers::Unorm8;
    !is_plain || has_choice(config) || has_fetch(config) || has_floats(config) || has_indirect(config)
}

/// Whether channels of a result show other ones than their own.
pub(in crate::datapath::general) fn has_choice(config: &Config) -> bool {
    general(config).swizzle || has_gather(config)
}

/// Whether some channels of a result show 0 or 1.
pub(in crate::datapath::general) fn has_constants(config: &Config) -> bool {
    general(config).swizzle || has_fetch(config)
}

/// Whether channels of a sample may be floats.
pub(in crate::datapath::general) fn has_floats(config: &Config) -> bool {
    config.features().formats().any(Format::is_float)
}

/// One bit: the texels of an item are floats.
#[kernel]
pub(super) fn are_floats(config: &Config, tap: &FilterTap) -> Bits {
    let floats = config.features().formats().filter(|format| format.is_float());
    let is_float = floats.fold(lit(1, 0u32), |any, format| any || tap.format == u64::from(format.code()));
    is_float && !tap.texels.compares
}

/// What the channels of a result show. Of a gather, the channels of the sample are the texels by their places.
#[kernel]
pub(super) fn shown(config: &Config, texels: &TexelUse) -> [Shown; CHANNELS] {
    let own = [0, 1, 2, 3].map(|number: usize| {
        if general(config).swizzle {
            texels.swizzle.slice(SHOWN_BITS * number, SHOWN_BITS)
        } else {
            lit(SHOWN_BITS, number)
        }
    });
    /// Of a constant the upper bit tells that it is one, the lowest which.
    let constants = own.map(|shows| cat(&[shows.bit(2), shows.bit(0)]));
    let of_component = by_parity(texels.component.bit(0), texels.component.bit(1), &constants);
    let [x, y] = texels.first_is_odd;
    let places = [cat(&[!y, x]), cat(&[!y, !x]), cat(&[y, !x]), cat(&[y, x])];
    [0, 1, 2, 3].map(|number: usize| {
        let constant = if texels.is_gather { of_component } else { constants[number] };
        Shown {
            channel: if texels.is_gather { places[number] } else { own[number].low(COMPONENT_BITS) },
            is_constant: constant.bit(1) || texels.is_void,
            is_one: constant.all(),
        }
    })
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct ResultStage {
    /// Clock and reset.
    pub clocks: Clocks,
    /// A sample comes.
    pub in_valid: Net<In>,
    /// The sample, see [`Sample`].
    pub sample: Net<In>,
    /// A result, for one clock.
    pub done: Net<Out>,
    /// Numbers of pixels, valid bits, error.
    pub quad_result: Net<Out>,
    products: Vec<Multiplier>,
    row: Flat<Row>,
    pipe: Pipe<Stage>,
    _parts: Parts,
    _config: Config,
}

impl ResultStage {
    /// The stage for a configuration.
    pub fn new(config: &Config) -> ResultStage {
        let clocks = Clocks::new();
        let parts = Parts::of(config);
        let products = if parts.has_fixed() { CHANNELS } else { 0 };
        let result = ResultStage {
            in_valid: Net::bit(),
            sample: Net::new(Sample::of(config).width()),
            done: Net::bit(),
            quad_result: Net::new(result_bits(config)),
            products: (0..products).map(|_| unit_number::multiplier(parts.number_bits())).collect(),
            row: Flat(Row::new(&clocks, CHANNELS * parts.number_bits())),
            pipe: Pipe::with(&parts.stages()),
            clocks,
            _parts: parts,
            _config: config.clone(),
        };
        result.pipe.plan(&result.clocks, || result.logic());
        result
    }

    /// Clocks from the last sample of a quad to its result.
    pub fn latency_clocks(&self) -> u32 {
        self.pipe.latency_clocks()
    }
}

/// Samples to results.
#[kernel]
impl ResultStage {
    fn module_name(&self) -> String {
        "result".into()
    }

    fn logic(&self) {
        let pipe = self.pipe.run(&self.clocks, lit(1, 1u32));
        pipe.timing();
        let in_sample = Sample::of(&self._config).unpack(self.sample.val());
        let is_sample = pipe.flag(Stage::Entry, "is_sample", self.in_valid.val());
        let sample = pipe.put(Stage::Entry, "sample", in_sample.clone());
        let channel = |number: usize| {
            let (name, product) = (NAMES[number], self.products.get(number));
            number::number(&pipe, self._parts, product, name, &sample, &in_sample, number)
        };
        let numbers = [channel(0), channel(1), channel(2), channel(3)];
        /// # Places of samples
        let Sample { pixel, is_valid, ends_quad, fails, .. } = sample.at(Stage::Place);
        let marks = row::Marks { pixel, is_valid, ends_quad, fails };
        let is_last = row::place(&self.row, &marks, is_sample.at(Stage::Place), stack(numbers));
        /// # Results
        self.done.next = pipe.flag(Stage::Place, "is_last", is_last).at(Stage::Exit);
        let Sample { valid, fails, .. } = sample.at(Stage::Exit);
        self.quad_result.next = cat(&[fails, valid, row::samples(&self.row)]);
    }
}
