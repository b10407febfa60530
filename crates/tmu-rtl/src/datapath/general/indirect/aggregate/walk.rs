//! `aggregate_walk`: what takes a channel a clock: floats, products and thirds.
//!
//! Contract: the channels of a quad come by rising numbers, one in each clock, and leave so. A channel may come again sixteen clocks
//! later, when what was made of it is held. With `divides` there is no value: of floats what is held goes times the single nearest to a
//! part of one, of unsigned numbers a third is made of it. Results of floats are those of [`tmu_hdl::arithmetic`].
//!
//! A product of numbers of C bits over 2^C − 1 is `t + (t >> C)` without its low C bits, t being the product and half of 2^C. A third
//! of s is `(s + 1) · 87381` without its low 18 bits, exactly for all s of 18 bits but the last one.
//!
//! Cost: latency 13 clocks, without floats 8; initiation interval 1. Two DSP slices for floats, one for unsigned numbers.

use super::{ALL_CHANNELS, CARRY_BITS, Marks, NUMBER_BITS, Operation, held_bits};
use crate::datapath::general::result::{has_floats, lane_bits};
use crate::datapath::general::words::general;
use crate::datapath::words::by_parity;
use tmu_hdl::arithmetic::{FloatAdd, FloatMultiply};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{Multiplier, Operand};
use tmu_spec::Config;

/// Bits of a single's fraction.
const FRACTION_BITS: usize = 23;
/// Bits of a single's exponent.
const EXPONENT_BITS: usize = 8;
/// What every NaN becomes.
const NAN: u32 = 0x7fc0_0000;
/// A third of 2^18, rounded down.
const THIRD: u32 = 87381;
/// Bits of that.
const THIRD_BITS: usize = 17;
/// Bits that are cut off a product with it.
const THIRD_SHIFT: usize = 18;

/// Where a channel is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
pub(super) enum Stage {
    /// It comes in.
    Entry,
    /// Both numbers are made ready; of floats it is seen which are denormal.
    Prepare,
    /// These become zeros.
    Flush,
    /// Both numbers are in the adder and the multipliers, or get their order.
    Factors,
    /// They are compared.
    Order,
    /// One of them is taken.
    Choose,
    /// The product of unsigned numbers is there.
    Product,
    /// It is rounded.
    Round,
    /// Floats are on their way.
    Sixth,
    /// As before.
    Seventh,
    /// Their product is there.
    Eighth,
    /// As before.
    Ninth,
    /// Their sum is there, and one result is chosen.
    Select,
    /// It leaves.
    Exit,
}

/// What comes.
#[derive(Clone, Debug, Record)]
pub(super) struct Factors<T = Bits> {
    /// The number of the channel.
    pub(super) number: T,
    pub(super) marks: Marks<T>,
    pub(super) are_floats: T,
    /// What is held is divided by the number of values.
    pub(super) divides: T,
    pub(super) held: T,
    pub(super) value: T,
}

impl Factors<Width> {
    fn of(config: &Config) -> Factors<Width> {
        Factors {
            number: Width::bits(NUMBER_BITS),
            marks: Marks::shape(),
            are_floats: Width::bits(1),
            divides: Width::bits(1),
            held: Width::bits(held_bits(config)),
            value: Width::bits(lane_bits(config)),
        }
    }
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub(super) struct Walk {
    pub(super) clocks: Clocks,
    pub(super) in_valid: Net<In>,
    pub(super) factors: Factors<Field<In>>,
    /// What was made of a channel leaves.
    pub(super) out_valid: Net<Out>,
    /// The number of the channel.
    pub(super) out_number: Net<Out>,
    /// It.
    pub(super) put: Net<Out>,
    /// It is the last one of a quad.
    pub(super) ends: Net<Out>,
    floats: Optional<Floats>,
    product: Multiplier,
    pipe: Pipe<Stage>,
    _config: Config,
}

/// The arithmetic of floats.
#[derive(Bundle)]
struct Floats {
    sum: FloatAdd,
    product: FloatMultiply,
}

/// The stages without floats.
const WHOLE: [Stage; 9] = [
    Stage::Entry,
    Stage::Prepare,
    Stage::Factors,
    Stage::Order,
    Stage::Choose,
    Stage::Product,
    Stage::Round,
    Stage::Select,
    Stage::Exit,
];

impl Walk {
    pub(super) fn new(config: &Config) -> Walk {
        let clocks = Clocks::new();
        let has_floats = has_floats(config);
        let sum_bits = general(config).channel_bits as usize + CARRY_BITS;
        let walk = Walk {
            in_valid: Net::bit(),
            factors: Factors::of(config).nets(),
            out_valid: Net::bit(),
            out_number: Net::new(NUMBER_BITS),
            put: Net::new(held_bits(config)),
            ends: Net::bit(),
            floats: Optional::new(has_floats, || Floats {
                sum: FloatAdd::new(),
                product: FloatMultiply::new(),
            }),
            product: Multiplier::new(Operand::unsigned(sum_bits), Operand::unsigned(THIRD_BITS)),
            pipe: if has_floats { Pipe::new() } else { Pipe::with(&WHOLE) },
            clocks,
            _config: config.clone(),
        };
        walk.pipe.plan(&walk.clocks, || walk.logic());
        walk
    }
}

/// What goes for a channel on its way.
#[derive(Clone, Debug, Record)]
struct Way<T = Bits> {
    operation: T,
    are_floats: T,
    divides: T,
}

/// Both numbers by the order of what they stand for.
#[derive(Clone, Debug, Record)]
struct Keys<T = Bits> {
    /// The one that is less where the second number is taken.
    less: T,
    more: T,
    /// The numbers themselves.
    numbers: [T; 2],
    are_nan: [T; 2],
}

/// Channels to what becomes of them.
#[kernel]
impl Walk {
    fn module_name(&self) -> String {
        "aggregate_walk".into()
    }

    fn logic(&self) {
        let pipe = self.pipe.run(&self.clocks, lit(1, 1u32));
        pipe.timing();
        let Factors { number, marks, are_floats, divides, held, value } = self.factors.val();
        self.out_valid.next = pipe.flag(Stage::Entry, "valid", self.in_valid.val()).at(Stage::Exit);
        let is_last = self.in_valid.val() && number.all();
        self.ends.next = pipe.flag(Stage::Entry, "is_last", is_last).at(Stage::Exit);
        self.out_number.next = pipe.put(Stage::Entry, "number", number).at(Stage::Exit);
        let way = Way { operation: marks.operation, are_floats, divides };
        let way = pipe.put(Stage::Entry, "way", way);
        let [held, value] = [("held", held), ("value", value)]
            .map(|(name, number)| pipe.put(Stage::Entry, name, number).at(Stage::Prepare));
        let whole = self.whole(&pipe, &way, held, value);
        let put = match self.floats.as_ref() {
            Some(floats) => {
                let more = pipe.put(Stage::Entry, "more", marks.more).at(Stage::Prepare);
                let own = self.singles(&pipe, floats, &way, more, [held, value]);
                if way.at(Stage::Select).are_floats { own } else { whole }
            }
            None => {
                discard(Marks::shape().pack(&marks), "there are products and thirds only");
                discard(are_floats, "as above");
                whole
            }
        };
        self.put.next = pipe.put(Stage::Select, "put", put).at(Stage::Exit);
    }

    /// A product of unsigned numbers, or a third, at [`Stage::Select`].
    fn whole(&self, pipe: &Run<'_, Stage>, way: &Payload<'_, Stage, Way>, held: Bits, value: Bits) -> Bits {
        /// # Unsigned numbers
        let bits = general(&self._config).channel_bits as usize;
        let divides = way.at(Stage::Prepare).divides;
        let sum_bits = bits + CARRY_BITS;
        let first = held.low(sum_bits) + divides.zero_extend(sum_bits);
        let second = value.low(bits).zero_extend(THIRD_BITS);
        let second = if divides { lit(THIRD_BITS, THIRD) } else { second };
        let first = pipe.put(Stage::Prepare, "first", first).at(Stage::Factors);
        let second = pipe.put(Stage::Prepare, "second", second).at(Stage::Factors);
        let product = pipe.through(Stage::Factors, "product", &self.product, (first, second));
        let product = product.at(Stage::Product);
        let half = product.low(2 * bits) + lit(2 * bits, 1u64 << (bits - 1));
        let third = product.slice(THIRD_SHIFT, bits);
        discard(product.high(1), "a third has no more bits than its sum less two");
        if 2 * bits < THIRD_SHIFT {
            discard(product.slice(2 * bits, THIRD_SHIFT - 2 * bits), "what is cut off a third");
        }
        let half = pipe.put(Stage::Product, "half", half).at(Stage::Round);
        let third = pipe.put(Stage::Product, "third", third).at(Stage::Round);
        let rounded = half + half.high(bits).zero_extend(2 * bits);
        discard(rounded.low(bits), "what is cut off");
        let own = if way.at(Stage::Round).divides { third } else { rounded.high(bits) };
        pipe.put(Stage::Round, "whole", own).at(Stage::Select).zero_extend(held_bits(&self._config))
    }

    /// A float, at [`Stage::Select`].
    fn singles(
        &self,
        pipe: &Run<'_, Stage>,
        floats: &Floats,
        way: &Payload<'_, Stage, Way>,
        more: Bits,
        numbers: [Bits; 2],
    ) -> Bits {
        /// # Floats
        let are_normal = numbers.map(|single| single.slice(FRACTION_BITS, EXPONENT_BITS).any());
        let are_normal = pipe.put(Stage::Prepare, "are_normal", are_normal).at(Stage::Flush);
        let given = pipe.put(Stage::Prepare, "given", numbers).at(Stage::Flush);
        let [first, second] = [0, 1].map(|number: usize| flushed(given[number], are_normal[number]));
        let part = |of: f32| lit(second.width(), (1.0 / of).to_bits());
        let two_or_three = if more.bit(0) { part(2.0) } else { part(3.0) };
        let part = if more.all() { part(4.0) } else { two_or_three };
        let part = pipe.put(Stage::Prepare, "part", part).at(Stage::Flush);
        let second = if way.at(Stage::Flush).divides { part } else { second };
        let numbers = pipe.put(Stage::Flush, "numbers", [first, second]);
        let [first, second] = numbers.at(Stage::Factors);
        let sum = pipe.through(Stage::Factors, "sum", &floats.sum, (first, second)).at(Stage::Select);
        let product = pipe.through(Stage::Factors, "float_product", &floats.product, (first, second));
        let is_max = way.at(Stage::Factors).operation == Operation::Max as u64;
        let keys = pipe.put(Stage::Factors, "keys", keys(first, second, is_max)).at(Stage::Order);
        let is_less = pipe.put(Stage::Order, "is_less", keys.less < keys.more).at(Stage::Choose);
        let both = pipe.put(Stage::Order, "both", keys.numbers).at(Stage::Choose);
        let [first_is_nan, second_is_nan] = pipe.put(Stage::Order, "are_nan", keys.are_nan).at(Stage::Choose);
        let takes_second = first_is_nan || (is_less && !second_is_nan);
        let one = if takes_second { both[1] } else { both[0] };
        let one = if first_is_nan && second_is_nan { lit(one.width(), NAN) } else { one };
        let one = pipe.put(Stage::Choose, "one", one).at(Stage::Select);
        let Way { operation, divides, .. } = way.at(Stage::Select);
        let is_product = divides || operation == Operation::Product as u64;
        let is_one = operation == Operation::Min as u64 || operation == Operation::Max as u64;
        let of_both = if is_product { product.at(Stage::Select) } else { sum };
        if is_one { one } else { of_both }
    }
}

/// What is not normal is the zero of its sign.
#[kernel]
fn flushed(single: Bits, is_normal: Bits) -> Bits {
    let rest = single.low(FRACTION_BITS + EXPONENT_BITS);
    cat(&[single.high(1), rest & is_normal.repeat(rest.width())])
}

/// Numbers that rise with what singles stand for, -0 just below +0. Of a NaN they mean nothing.
#[kernel]
fn keys(first: Bits, second: Bits, is_max: Bits) -> Keys {
    let key = |single: Bits| {
        let is_negative = single.high(1);
        cat(&[!is_negative, single.low(single.width() - 1) ^ is_negative.repeat(single.width() - 1)])
    };
    let is_nan =
        |single: Bits| single.slice(FRACTION_BITS, EXPONENT_BITS).all() && single.low(FRACTION_BITS).any();
    let (own, other) = (key(first), key(second));
    Keys {
        less: if is_max { own } else { other },
        more: if is_max { other } else { own },
        numbers: [first, second],
        are_nan: [is_nan(first), is_nan(second)],
    }
}

/// The number of a channel that has its turn.
#[kernel]
pub(super) fn chosen(number: Bits, channels: impl Iterator<Item = Bits>) -> Bits {
    let channels: Vec<Bits> = channels.collect();
    let four = |of: &[Bits]| by_parity(number.bit(0), number.bit(1), of);
    let fours: Vec<Bits> = channels.chunks(4).map(four).collect();
    by_parity(number.bit(2), number.bit(3), &fours)
}

const _: () = assert!(1 << NUMBER_BITS == ALL_CHANNELS);
