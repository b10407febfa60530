//! `aggregate_walk`: what of `aggregate` takes a channel a clock: floats, products and thirds.
//!
//! What is held of a channel is in LUT RAM. The first value of a quad is held as it is; each other one is put to it; what comes of the last
//! one is a result, and waits in a FIFO.
//!
//! Contract: a value stays until it is over, after 16 clocks; the next one may come then, since what was made of a channel is held before
//! it comes again. Of two quads at most results wait. A task that divides has no value: of floats what is held goes times the single
//! nearest to a part of one. Of three unsigned numbers the average is asked for: with the last one a third of their sum is made. Results of
//! floats are those of [`tmu_hdl::arithmetic`].
//!
//! A product of numbers of C bits over 2^C - 1 is `t + (t >> C)` without its low C bits, t being the product and half of 2^C. A third
//! of s is `(s + 1) · 87381` without its low 18 bits, exactly for all s of 18 bits but the last one.
//!
//! Cost: latency 12 clocks, without floats 7, and that of a FIFO; a value takes 16 clocks. Two DSP slices for floats, one for unsigned
//! numbers.

use super::order::Task;
use super::{ALL_CHANNELS, CARRY_BITS, NUMBER_BITS, Operation, PLACE_BITS, held_bits};
use crate::datapath::general::result::{has_floats, lane_bits};
use crate::datapath::general::words::general;
use crate::datapath::words::by_parity;
use tmu_hdl::arithmetic::{FloatAdd, FloatMultiply};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{DistributedRam, Multiplier, Operand, SyncFifo};
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
/// Results that wait: those of two quads.
const PUTS: usize = 2 * ALL_CHANNELS;

/// Where a channel is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
pub(super) enum Stage {
    /// It and what is held of it are chosen.
    Entry,
    /// Both numbers are made ready.
    Prepare,
    /// Both numbers are in the adder and the multipliers, or are compared.
    Factors,
    /// It is found which one is less.
    Order,
    /// One of them is taken.
    Choose,
    /// The product of unsigned numbers is there.
    Product,
    /// It is rounded.
    Round,
    /// Floats are on their way.
    Fifth,
    /// As before.
    Sixth,
    /// Their product is there.
    Seventh,
    /// As before.
    Eighth,
    /// Their sum is there, and one result is chosen.
    Select,
    /// It is held, or waits.
    Exit,
}

/// The stages without floats.
const WHOLE: [Stage; 8] = [
    Stage::Entry,
    Stage::Prepare,
    Stage::Factors,
    Stage::Order,
    Stage::Choose,
    Stage::Product,
    Stage::Round,
    Stage::Exit,
];

/// A result of a channel.
#[derive(Clone, Debug, Record)]
pub(super) struct WalkPut<T = Bits> {
    /// Where it is to be written.
    pub(super) place: T,
    /// The number of the channel.
    pub(super) number: T,
    pub(super) value: T,
}

impl WalkPut<Width> {
    fn of(config: &Config) -> WalkPut<Width> {
        WalkPut {
            place: Width::bits(PLACE_BITS),
            number: Width::bits(NUMBER_BITS),
            value: Width::bits(lane_bits(config)),
        }
    }
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub(super) struct Walk {
    pub(super) clocks: Clocks,
    /// There is a value.
    pub(super) in_valid: Net<In>,
    pub(super) task: Task<Field<In>>,
    /// The place of the value.
    pub(super) place: Net<In>,
    /// Its channels.
    pub(super) values: Net<In>,
    /// Its last channel goes, or the one before.
    pub(super) is_over: Net<Out>,
    pub(super) will_be_over: Net<Out>,
    /// There is a result.
    pub(super) put_valid: Net<Out>,
    pub(super) put: WalkPut<Field<Out>>,
    /// It is taken.
    pub(super) put_ready: Net<In>,
    number: Reg,
    held: DistributedRam,
    puts: SyncFifo,
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

impl Walk {
    pub(super) fn new(config: &Config) -> Walk {
        let clocks = Clocks::new();
        let has_floats = has_floats(config);
        let sum_bits = general(config).channel_bits as usize + CARRY_BITS;
        let walk = Walk {
            in_valid: Net::bit(),
            task: Task::of(config).nets(),
            place: Net::new(PLACE_BITS),
            values: Net::new(ALL_CHANNELS * lane_bits(config)),
            is_over: Net::bit(),
            will_be_over: Net::bit(),
            put_valid: Net::bit(),
            put: WalkPut::of(config).nets(),
            put_ready: Net::bit(),
            number: Reg::with_reset(&clocks, NUMBER_BITS, 0),
            held: DistributedRam::new(ALL_CHANNELS, held_bits(config)),
            puts: SyncFifo::new(PUTS, WalkPut::of(config).width()),
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

/// What a channel's task says on its way.
#[derive(Clone, Debug, Record)]
struct Way<T = Bits> {
    are_floats: T,
    /// What is held is not looked at.
    is_first: T,
    divides: T,
    /// Numbers are multiplied, but for the first one.
    is_product: T,
    is_max: T,
    /// The lesser or the larger one is taken.
    is_one: T,
    /// Unsigned numbers are added to have a third of their sum, and that is made.
    is_average: T,
    is_third: T,
    more: T,
}

/// What is found out about two numbers that are compared.
#[derive(Clone, Debug, Record)]
struct Compared<T = Bits> {
    /// The magnitude of the first one is less.
    is_less: T,
    are_negative: [T; 2],
    are_nan: [T; 2],
    are_normal: [T; 2],
}

/// Channels to what becomes of them.
#[kernel]
impl Walk {
    fn module_name(&self) -> String {
        "aggregate_walk".into()
    }

    fn logic(&self) {
        let pipe = self.pipe.run(&self.clocks, lit(1, 1u32));
        let task = self.task.val();
        let (number, is_there) = (self.number.val(), self.in_valid.val());
        if is_there {
            self.number.next = number + 1;
        }
        self.is_over.next = number.all();
        self.will_be_over.next = number == (ALL_CHANNELS - 2) as u64;
        let lane_bits = lane_bits(&self._config);
        let value = chosen(number, self.values.val(), lane_bits);
        let held = &self.held;
        held.clocks.follow(&self.clocks);
        held.read_address.next = number;
        let way = way(&task);
        /// The first value is put to nothing.
        let first = if way.is_first { lit(held_bits(&self._config), 0u32) } else { held.read_data.val() };
        let numbers = [("held", first), ("value", value)]
            .map(|(name, number)| pipe.put(Stage::Entry, name, number).at(Stage::Prepare));
        let way = pipe.put(Stage::Entry, "way", way);
        let whole = self.whole(&pipe, &way, numbers);
        let put = match self.floats.as_ref() {
            Some(floats) => self.singles(&pipe, floats, &way, numbers, whole),
            None => {
                discard(task.are_floats, "there are none");
                discard(task.divides, "as above");
                discard(task.more, "as above");
                pipe.put(Stage::Round, "put", whole).at(Stage::Exit)
            }
        };
        discard(task.walks, "it does");
        discard(task.ends, "as above");
        discard(task.is_sum, "it is for what does not");
        discard(task.rounds, "as above");
        discard(task.compares, "as above");
        /// # Results
        let valid = pipe.flag(Stage::Entry, "valid", is_there).at(Stage::Exit);
        let number = pipe.put(Stage::Entry, "number", number).at(Stage::Exit);
        let place = pipe.put(Stage::Entry, "place", self.place.val()).at(Stage::Exit);
        let is_last = pipe.put(Stage::Entry, "is_last", task.is_last).at(Stage::Exit);
        held.write_enable.next = valid;
        held.write_address.next = number;
        held.write_data.next = put;
        let puts = &self.puts;
        puts.clocks.follow(&self.clocks);
        puts.input.valid.next = valid && is_last;
        puts.input.data.next =
            WalkPut::of(&self._config).pack(&WalkPut { place, number, value: put.low(lane_bits) });
        discard(puts.input.ready.val(), "results of two quads have room");
        discard(puts.level.val(), "as above");
        puts.output.ready.next = self.put_ready.val();
        self.put_valid.next = puts.output.valid.val();
        self.put.next = WalkPut::of(&self._config).unpack(puts.output.data.val());
    }

    /// What becomes of unsigned numbers, at [`Stage::Round`].
    fn whole(&self, pipe: &Run<'_, Stage>, way: &Payload<'_, Stage, Way>, [held, value]: [Bits; 2]) -> Bits {
        /// # Unsigned numbers
        let bits = general(&self._config).channel_bits as usize;
        let sum_bits = bits + CARRY_BITS;
        let Way { is_product, is_average, is_third, .. } = way.at(Stage::Prepare);
        let value = value.low(bits);
        let added = (value & (!is_product).repeat(bits)).zero_extend(sum_bits);
        // One below the lowest bit carries one into the others, with the second value half of three, with the third one what a third is
        // made of one more of.
        let sum = cat(&[held.low(sum_bits), is_average]) + cat(&[added, is_average]);
        discard(sum.bit(0), "what carries");
        let sum = pipe.put(Stage::Prepare, "whole_sum", sum.high(sum_bits));
        let second = if is_third { lit(THIRD_BITS, THIRD) } else { value.zero_extend(THIRD_BITS) };
        let second = pipe.put(Stage::Prepare, "second", second).at(Stage::Factors);
        let product =
            pipe.through(Stage::Factors, "product", &self.product, (sum.at(Stage::Factors), second));
        let product = product.at(Stage::Product);
        // What is below the half that is added is as it was.
        let below = pipe.put(Stage::Product, "below", product.low(bits - 1)).at(Stage::Round);
        let half = product.slice(bits - 1, bits + 1) + 1;
        let third = product.slice(THIRD_SHIFT, bits);
        discard(product.high(1), "a third has no more bits than its sum less two");
        if 2 * bits < THIRD_SHIFT {
            discard(product.slice(2 * bits, THIRD_SHIFT - 2 * bits), "what is cut off a third");
        }
        let half = pipe.put(Stage::Product, "half", half).at(Stage::Round);
        let third = pipe.put(Stage::Product, "third", third).at(Stage::Round);
        let rounded = cat(&[half, below]) + half.high(bits).zero_extend(2 * bits);
        discard(rounded.low(bits), "what is cut off");
        let Way { is_product, is_third, .. } = way.at(Stage::Round);
        let own = if is_third { third } else { rounded.high(bits) };
        let own = if is_product || is_third { own.zero_extend(sum_bits) } else { sum.at(Stage::Round) };
        own.zero_extend(held_bits(&self._config))
    }

    /// What becomes of floats, or of unsigned numbers, at [`Stage::Exit`].
    fn singles(
        &self,
        pipe: &Run<'_, Stage>,
        floats: &Floats,
        way: &Payload<'_, Stage, Way>,
        numbers: [Bits; 2],
        whole: Bits,
    ) -> Bits {
        /// # Floats
        let [first, second] = numbers;
        let Way { divides, more, .. } = way.at(Stage::Prepare);
        let part = |of: f32| lit(second.width(), (1.0 / of).to_bits());
        let two_or_three = if more.bit(0) { part(2.0) } else { part(3.0) };
        let part = if more.all() { part(4.0) } else { two_or_three };
        let second = if divides { part } else { second };
        let numbers = pipe.put(Stage::Prepare, "numbers", [first, second]);
        let [first, second] = numbers.at(Stage::Factors);
        let sum = pipe.through(Stage::Factors, "sum", &floats.sum, (first, second)).at(Stage::Select);
        let product = pipe.through(Stage::Factors, "float_product", &floats.product, (first, second));
        let compared = pipe.put(Stage::Factors, "compared", compared(first, second)).at(Stage::Order);
        let one = self.one(pipe, way, &numbers, &compared);
        let whole = pipe.put(Stage::Round, "whole", whole);
        let one = pipe.put(Stage::Choose, "one", one);
        let Way { are_floats, is_first, divides, is_product, is_one, .. } = way.at(Stage::Select);
        let of_both = if is_product || divides { product.at(Stage::Select) } else { sum };
        let early = if are_floats { one.at(Stage::Select) } else { whole.at(Stage::Select) };
        let is_early = is_one || is_first || !are_floats;
        pipe.put(Stage::Select, "put", if is_early { early } else { of_both }).at(Stage::Exit)
    }

    /// The first float as it is, or the lesser or larger one of both, at [`Stage::Choose`].
    fn one(
        &self,
        pipe: &Run<'_, Stage>,
        way: &Payload<'_, Stage, Way>,
        numbers: &Payload<'_, Stage, [Bits; 2]>,
        compared: &Compared,
    ) -> Bits {
        /// # One of both
        let Way { is_first, is_max, .. } = way.at(Stage::Order);
        let [first_is_negative, second_is_negative] = compared.are_negative;
        let [first_is_nan, second_is_nan] = compared.are_nan;
        // -0 is less than +0. Of numbers that are the same either is taken.
        let magnitude_is_less = compared.is_less ^ first_is_negative;
        let signs_differ = first_is_negative ^ second_is_negative;
        let is_less = if signs_differ { first_is_negative } else { magnitude_is_less };
        let takes_second = is_first || first_is_nan || ((is_less ^ !is_max) && !second_is_nan);
        let [first_is_normal, second_is_normal] = compared.are_normal;
        let is_normal = if takes_second { second_is_normal } else { first_is_normal };
        let is_nan = first_is_nan && second_is_nan && !is_first;
        let takes_second = pipe.put(Stage::Order, "takes_second", takes_second).at(Stage::Choose);
        // What is not normal is the zero of its sign.
        let keeps = pipe.put(Stage::Order, "keeps", is_normal || is_first).at(Stage::Choose);
        let is_nan = pipe.put(Stage::Order, "is_nan", is_nan).at(Stage::Choose);
        let [first, second] = numbers.at(Stage::Choose);
        let one = if takes_second { second } else { first };
        let rest = one.low(one.width() - 1) & keeps.repeat(one.width() - 1);
        if is_nan { lit(one.width(), NAN) } else { cat(&[one.high(1), rest]) }
    }
}

/// What a task says on its way.
#[kernel]
fn way(task: &Task) -> Way {
    let is = |of: Operation| task.operation == of as u64;
    Way {
        are_floats: task.are_floats,
        is_first: task.is_first,
        divides: task.divides,
        is_product: is(Operation::Product) && !task.is_first,
        is_max: is(Operation::Max),
        is_one: is(Operation::Min) || is(Operation::Max),
        is_average: is(Operation::Average) && !task.is_first,
        is_third: is(Operation::Average) && task.is_last,
        more: task.more,
    }
}

/// What is found out about two singles.
#[kernel]
fn compared(first: Bits, second: Bits) -> Compared {
    let both = [first, second];
    let exponent = |single: Bits| single.slice(FRACTION_BITS, EXPONENT_BITS);
    let magnitude = |single: Bits| single.low(FRACTION_BITS + EXPONENT_BITS);
    Compared {
        is_less: magnitude(first) < magnitude(second),
        are_negative: both.map(|single| single.high(1)),
        are_nan: both.map(|single| exponent(single).all() && single.low(FRACTION_BITS).any()),
        are_normal: both.map(|single| exponent(single).any()),
    }
}

/// The channel of a value that has its turn.
#[kernel]
fn chosen(number: Bits, values: Bits, bits: usize) -> Bits {
    let channels: Vec<Bits> = (0..ALL_CHANNELS).map(|channel| values.slice(channel * bits, bits)).collect();
    let four = |of: &[Bits]| by_parity(number.bit(0), number.bit(1), of);
    let fours: Vec<Bits> = channels.chunks(4).map(four).collect();
    by_parity(number.bit(2), number.bit(3), &fours)
}

const _: () = assert!(1 << NUMBER_BITS == ALL_CHANNELS);
