//! `result`: from the samples of a quad to its result: components in their places, numbers in the form of the unit's results.
//!
//! A sample comes at most once a clock, so each is made ready on its way to its place in the row. v / 65535 is v over and over behind
//! the point, to the base 65536: so of a sample as a single, the significand is what repeats, moved up to its highest bit, and never
//! half way between two singles. v · 255 / 65535 is a difference.
//!
//! Contract: samples as [`Sample`] says. What leaves is the result of a quad: four pixels, pixel 0 lowest, R lowest in each, above them
//! the valid bits and the error. Pixels that are not valid, and all of a quad that failed, are 0.
//!
//! Cost: initiation interval 1. Latency 2 clocks; where components are chosen 1 more, with singles of fixed-point numbers 2 more, with
//! fixed-point numbers of floats 4 more and a DSP slice a channel, with 8 bits of 16 none. No RAM.
//! 467 LUTs for singles of 16 bits or floats with swizzles, as Yosys 0.70 estimates them for UltraScale+.

use super::decode::FilterTap;
use super::row::{self, Row};
use super::unit_number::{self, Class};
use super::words::{
    COMPONENT_BITS, NUMBER_BITS, PIXELS, SHOWN_BITS, TexelUse, general, has_fetch, has_gather,
};
use crate::datapath::words::by_parity;
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

/// Bits of a result: four pixels, valid bits, error.
pub fn result_bits(config: &Config) -> usize {
    config.result_tdata_bits() as usize + PIXELS + 1
}

/// Whether a configuration has the stage: where results are not just the channels of samples.
pub fn is_built(config: &Config) -> bool {
    let general = general(config);
    let is_plain = general.channel_bits == 8 && general.result == ResultNumbers::Unorm8;
    !is_plain || has_choice(config) || has_fetch(config) || has_floats(config)
}

/// Whether channels of a result show other ones than their own.
fn has_choice(config: &Config) -> bool {
    general(config).swizzle || has_gather(config)
}

fn has_floats(config: &Config) -> bool {
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

/// What a configuration has of the stage.
#[derive(Clone, Copy, Debug)]
struct Parts {
    numbers: ResultNumbers,
    channel_bits: usize,
    /// Components are chosen.
    choice: bool,
    floats: bool,
    /// Some show 0 or 1.
    constants: bool,
}

impl Parts {
    fn of(config: &Config) -> Parts {
        let general = general(config);
        Parts {
            numbers: general.result,
            channel_bits: general.channel_bits as usize,
            choice: has_choice(config),
            floats: has_floats(config),
            constants: general.swizzle || has_fetch(config),
        }
    }

    /// Floats become fixed-point numbers.
    fn has_fixed(self) -> bool {
        self.floats && self.numbers != ResultNumbers::Fp32
    }

    /// Bits of a number of the result.
    fn number_bits(self) -> usize {
        self.numbers.channel_bits() as usize
    }

    fn has(self, stage: &Stage) -> bool {
        use Stage::{Difference, Entry, Exit, Factors, Fine, Limit, Multiply, Place, Product, Round, Shown};
        match stage {
            Entry | Place | Exit => true,
            Shown => self.choice,
            Fine | Round => self.numbers == ResultNumbers::Fp32,
            Factors | Multiply | Product | Difference | Limit => self.has_fixed(),
        }
    }

    /// Where components are chosen.
    fn shown(self) -> Stage {
        if self.choice { Stage::Shown } else { Stage::Entry }
    }

    /// Where numbers are there.
    fn last(self) -> Stage {
        match self.numbers {
            ResultNumbers::Fp32 => Stage::Round,
            _ if self.has_fixed() => Stage::Limit,
            _ => self.shown(),
        }
    }
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
    pub result: Net<Out>,
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
        let stages: Vec<Stage> = Stage::ALL.iter().copied().filter(|stage| parts.has(stage)).collect();
        let products = if parts.has_fixed() { CHANNELS } else { 0 };
        let result = ResultStage {
            in_valid: Net::bit(),
            sample: Net::new(Sample::of(config).width()),
            done: Net::bit(),
            result: Net::new(result_bits(config)),
            products: (0..products).map(|_| unit_number::multiplier(parts.number_bits())).collect(),
            row: Flat(Row::new(&clocks, CHANNELS * parts.number_bits())),
            pipe: Pipe::with(&stages),
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
        let channel = |number: usize| self.number(&pipe, &sample, &in_sample, number);
        let numbers = [channel(0), channel(1), channel(2), channel(3)];
        /// # Places of samples
        let Sample { pixel, is_valid, ends_quad, fails, .. } = sample.at(Stage::Place);
        let marks = row::Marks { pixel, is_valid, ends_quad, fails };
        let is_last = row::place(&self.row, &marks, is_sample.at(Stage::Place), stack(numbers));
        /// # Results
        self.done.next = pipe.flag(Stage::Place, "is_last", is_last).at(Stage::Exit);
        let Sample { valid, fails, .. } = sample.at(Stage::Exit);
        self.result.next = cat(&[fails, valid, row::samples(&self.row)]);
    }

    /// A channel of the result, at [`Stage::Place`].
    fn number(
        &self,
        pipe: &Run<'_, Stage>,
        sample: &Payload<'_, Stage, Sample>,
        in_sample: &Sample,
        number: usize,
    ) -> Bits {
        let parts = self._parts;
        let name = |part: &str| format!("{}_{part}", NAMES[number]);
        let Shown { channel, .. } = &in_sample.shown[number];
        let lane = if parts.choice {
            let shown = by_parity(channel.bit(0), channel.bit(1), &in_sample.channels);
            pipe.put(Stage::Entry, &name("shown"), shown).at(Stage::Shown)
        } else {
            in_sample.channels[number]
        };
        let value = match parts.numbers {
            ResultNumbers::Fp32 => self.single(pipe, &name, sample, lane),
            _ => self.fixed(pipe, &name, sample, lane, number),
        };
        let last = parts.last();
        let Shown { is_constant, is_one, .. } = &sample.at(last).shown[number];
        let value = if parts.constants {
            let one = match parts.numbers {
                ResultNumbers::Fp32 => lit(NUMBER_BITS, 1f32.to_bits()),
                _ => !lit(parts.number_bits(), 0u32),
            };
            let constant = if *is_one { one } else { lit(parts.number_bits(), 0u32) };
            if *is_constant { constant } else { value }
        } else {
            value
        };
        pipe.put(last, &name("number"), value).at(Stage::Place)
    }

    /// A single, at [`Stage::Round`].
    fn single(
        &self,
        pipe: &Run<'_, Stage>,
        name: &dyn Fn(&str) -> String,
        sample: &Payload<'_, Stage, Sample>,
        lane: Bits,
    ) -> Bits {
        let (bits, first) = (self._parts.channel_bits, self._parts.shown());
        let value = lane.low(bits);
        let (coarse, moved) = moved_by_fours(value);
        let coarse = pipe.put(first, &name("fours"), coarse).at(Stage::Fine);
        let moved = pipe.put(first, &name("moved"), moved).at(Stage::Fine);
        let (fine, moved) = moved_by_ones(moved);
        let places = pipe.put(Stage::Fine, &name("places"), cat(&[coarse, fine])).at(Stage::Round);
        let repeated = pipe.put(Stage::Fine, &name("repeated"), moved).at(Stage::Round);
        let digits = repeated.repeat(NUMBER_BITS / bits);
        let is_some = digits.high(1);
        let exponent = exponent(places, is_some);
        let own = cat(&[exponent, digits.slice(8, FRACTION_BITS)]);
        discard(digits.low(7), "never half of the last place together with the bit above");
        let round = digits.bit(7);
        if !self._parts.floats {
            return cat(&[lit(1, 0u32), own + round.zero_extend(own.width())]);
        }
        let float = pipe.put(first, &name("float"), lane).at(Stage::Round);
        let are_floats = sample.at(Stage::Round).are_floats;
        let own = if are_floats { float.low(NUMBER_BITS - 1) } else { own };
        let round = round && !are_floats;
        cat(&[float.high(1) && are_floats, own + round.zero_extend(own.width())])
    }

    /// A fixed-point number, where numbers are there.
    fn fixed(
        &self,
        pipe: &Run<'_, Stage>,
        name: &dyn Fn(&str) -> String,
        sample: &Payload<'_, Stage, Sample>,
        lane: Bits,
        number: usize,
    ) -> Bits {
        let parts = self._parts;
        let (bits, first) = (parts.number_bits(), parts.shown());
        let own = resized(lane.low(parts.channel_bits), bits);
        if !parts.has_fixed() {
            return own;
        }
        let own = pipe.put(first, &name("own"), own).at(Stage::Limit);
        let (factors, class) = unit_number::factors(lane, bits);
        let product = pipe.through(first, &name("product"), &self.products[number], factors);
        let class = pipe.put(first, &name("class"), class);
        let product = product.at(Stage::Product);
        let scaled = unit_number::scaled(product, &class.at(Stage::Product), bits, None);
        let scaled = pipe.put(Stage::Product, &name("scaled"), scaled).at(Stage::Difference);
        let rounded = unit_number::rounded(&scaled, bits, None);
        let rounded = pipe.put(Stage::Difference, &name("rounded"), rounded).at(Stage::Limit);
        let Class { is_over, .. } = class.at(Stage::Limit);
        let of_float = rounded | is_over.repeat(bits);
        if sample.at(Stage::Limit).are_floats { of_float } else { own }
    }
}

/// What channels are called.
const NAMES: [&str; CHANNELS] = ["red", "green", "blue", "alpha"];

/// Bits of a single's fraction.
const FRACTION_BITS: usize = 23;
/// The exponent of singles from one half to 1.
const HALF_EXPONENT: u32 = 126;
/// Bits that are looked at together.
const FOUR: usize = 4;

/// An unsigned number of 8 or 16 bits as one of so many, rounded.
#[kernel]
fn resized(value: Bits, bits: usize) -> Bits {
    match (value.width(), bits) {
        (8, 16) => cat(&[value, value]),
        (16, 8) => {
            /// v · 255 + 32895, of which the upper bits are the quotient by 65535, rounded.
            let wide = cat(&[value, lit(8, 0x7fu32)]);
            let less_half = cat(&[!value.high(1), value.low(15)]).sign_extend(24);
            let quotient = wide - less_half;
            discard(quotient.low(16), "what is cut off");
            quotient.high(8)
        }
        _ => value,
    }
}

/// A value turned up by fours until one of the highest four is set, and how often. What leaves on top comes in below.
#[kernel]
fn moved_by_fours(value: Bits) -> (Bits, Bits) {
    let count = value.width() / FOUR;
    let turned = |fours: usize| match fours * FOUR {
        0 => value,
        places => cat(&[value.low(value.width() - places), value.high(places)]),
    };
    let is_set = |four: usize| value.slice(value.width() - FOUR * (four + 1), FOUR).any();
    if count == 2 {
        let moves = !is_set(0);
        return (moves, if moves { turned(1) } else { value });
    }
    let (first, second, third) = (is_set(0), is_set(1), is_set(2));
    let by_two = !first && !second;
    let by_one = !first && (second || !third);
    let moved = by_parity(by_one, by_two, &[turned(0), turned(1), turned(2), turned(3)]);
    (cat(&[by_two, by_one]), moved)
}

/// The same by ones, until the highest one is set.
#[kernel]
fn moved_by_ones(value: Bits) -> (Bits, Bits) {
    let turned = |places: usize| match places {
        0 => value,
        places => cat(&[value.low(value.width() - places), value.high(places)]),
    };
    let [first, second, third] = [1, 2, 3].map(|below: usize| value.bit(value.width() - below));
    let by_two = !first && !second;
    let by_one = !first && (second || !third);
    let moved = by_parity(by_one, by_two, &[turned(0), turned(1), turned(2), turned(3)]);
    (cat(&[by_two, by_one]), moved)
}

/// The exponent of a single below 1 whose highest bit stands so many places lower than a half; 0 for 0.
#[kernel]
fn exponent(places: Bits, is_some: Bits) -> Bits {
    let entries = 1u64 << places.width();
    let bit = |number: usize| {
        let of = |place: u64| (u64::from(HALF_EXPONENT) - place) >> number & 1;
        let ones = (0..entries).fold(0u64, |ones, place| ones | of(place) << place);
        lit(entries as usize, ones).at(places) && is_some
    };
    stack((0..8).map(bit))
}
