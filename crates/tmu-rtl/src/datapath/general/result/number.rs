//! A channel of a sample to a number of a result: what a unit with one lane and one of several have in common.

use super::{CHANNELS, Sample, Shown, Stage, has_choice, has_constants, has_floats};
use crate::datapath::general::unit_number::{self, Class};
use crate::datapath::general::words::{NUMBER_BITS, general};
use crate::datapath::words::by_parity;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::Multiplier;
use tmu_spec::Config;
use tmu_spec::general::ResultNumbers;

/// What a configuration has of the stage.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    pub(super) numbers: ResultNumbers,
    pub(super) channel_bits: usize,
    /// Components are chosen.
    pub(super) choice: bool,
    pub(super) floats: bool,
    /// Some show 0 or 1.
    pub(super) constants: bool,
}

impl Parts {
    pub(super) fn of(config: &Config) -> Parts {
        let general = general(config);
        Parts {
            numbers: general.result,
            channel_bits: general.channel_bits as usize,
            choice: has_choice(config),
            floats: has_floats(config),
            constants: has_constants(config),
        }
    }

    /// Floats become fixed-point numbers.
    pub(super) fn has_fixed(self) -> bool {
        self.floats && self.numbers != ResultNumbers::Fp32
    }

    /// Bits of a number of the result.
    pub(super) fn number_bits(self) -> usize {
        self.numbers.channel_bits() as usize
    }

    /// The stages.
    pub(super) fn stages(self) -> Vec<Stage> {
        Stage::ALL.iter().copied().filter(|stage| self.has(stage)).collect()
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

/// Channel `number` of the result, at [`Stage::Place`]. What is on its way is called after `of`.
#[kernel]
pub(super) fn number(
    pipe: &Run<'_, Stage>,
    parts: Parts,
    product: Option<&Multiplier>,
    of: &str,
    sample: &Payload<'_, Stage, Sample>,
    in_sample: &Sample,
    number: usize,
) -> Bits {
    let name = |part: &str| format!("{of}_{part}");
    let Shown { channel, .. } = &in_sample.shown[number];
    let lane = if parts.choice {
        let shown = by_parity(channel.bit(0), channel.bit(1), &in_sample.channels);
        pipe.put(Stage::Entry, &name("shown"), shown).at(Stage::Shown)
    } else {
        in_sample.channels[number]
    };
    let value = match parts.numbers {
        ResultNumbers::Fp32 => single(pipe, parts, &name, sample, lane),
        _ => fixed(pipe, parts, product, &name, sample, lane),
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
#[kernel]
fn single(
    pipe: &Run<'_, Stage>,
    parts: Parts,
    name: &dyn Fn(&str) -> String,
    sample: &Payload<'_, Stage, Sample>,
    lane: Bits,
) -> Bits {
    let (bits, first) = (parts.channel_bits, parts.shown());
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
    if !parts.floats {
        return cat(&[lit(1, 0u32), own + round.zero_extend(own.width())]);
    }
    let float = pipe.put(first, &name("float"), lane).at(Stage::Round);
    let are_floats = sample.at(Stage::Round).are_floats;
    let own = if are_floats { float.low(NUMBER_BITS - 1) } else { own };
    let round = round && !are_floats;
    cat(&[float.high(1) && are_floats, own + round.zero_extend(own.width())])
}

/// A fixed-point number, where numbers are there.
#[kernel]
fn fixed(
    pipe: &Run<'_, Stage>,
    parts: Parts,
    product: Option<&Multiplier>,
    name: &dyn Fn(&str) -> String,
    sample: &Payload<'_, Stage, Sample>,
    lane: Bits,
) -> Bits {
    let (bits, first) = (parts.number_bits(), parts.shown());
    let own = resized(lane.low(parts.channel_bits), bits);
    let Some(product) = product else { return own };
    let own = pipe.put(first, &name("own"), own).at(Stage::Limit);
    let (factors, class) = unit_number::factors(lane, bits);
    let product = pipe.through(first, &name("product"), product, factors);
    let class = pipe.put(first, &name("class"), class);
    let product = product.at(Stage::Product);
    let scaled = unit_number::scaled(product, &class.at(Stage::Product), bits, None);
    let scaled = pipe.put(Stage::Product, &name("scaled"), scaled).at(Stage::Difference);
    let rounded = unit_number::rounded(&unit_number::begun(&scaled, bits, None), bits, None);
    let rounded = pipe.put(Stage::Difference, &name("rounded"), rounded).at(Stage::Limit);
    let Class { is_over, .. } = class.at(Stage::Limit);
    let of_float = rounded | is_over.repeat(bits);
    if sample.at(Stage::Limit).are_floats { of_float } else { own }
}

/// What channels are called.
pub(super) const NAMES: [&str; CHANNELS] = ["red", "green", "blue", "alpha"];

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
