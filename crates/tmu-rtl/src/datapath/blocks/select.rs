//! Choices and tables: what all decoders are made of.

use super::TEXELS;
use tmu_hdl::prelude::*;
use tmu_hdl::records::Part;

/// The value of a code: a tree of two-to-one choices, so that a LUT chooses between four. Codes without a value take any.
pub(in crate::datapath) fn choose(code: Bits, values: &[Option<Bits>]) -> Option<Bits> {
    chosen(code, values.len().ilog2() as usize, values)
}

/// The value of the low bits of a code.
#[kernel]
fn chosen(code: Bits, bits: usize, values: &[Option<Bits>]) -> Option<Bits> {
    if bits == 0 {
        return values[0];
    }
    let (low, high) = values.split_at(values.len() / 2);
    match (chosen(code, bits - 1, low), chosen(code, bits - 1, high)) {
        (Some(low), Some(high)) => Some(code.bit(bits - 1).mux(high, low)),
        (low, high) => low.or(high),
    }
}

/// What a word has for a texel.
#[kernel]
pub(super) fn of_texel(word: Bits, texel: Bits) -> Bits {
    let width = word.width() / TEXELS;
    let all: Vec<Option<Bits>> = (0..TEXELS).map(|number| Some(word.slice(number * width, width))).collect();
    choose(texel, &all).unwrap_or(word)
}

/// A word with something for each texel, zeros below it where it is narrower.
#[kernel]
pub(super) fn for_texels(width: usize, of: impl Fn(usize) -> Bits) -> Bits {
    stack((0..TEXELS).map(|texel| aligned(of(texel), width)))
}

/// A value at the top of so many bits.
#[kernel]
pub(super) fn aligned(value: Bits, width: usize) -> Bits {
    match width - value.width() {
        0 => value,
        missing => cat(&[value, lit(missing, 0u32)]),
    }
}

/// A function of up to six bits: a LUT for each bit of the result.
#[kernel]
pub(in crate::datapath) fn table(index: Bits, width: usize, of: impl Fn(u64) -> u64) -> Bits {
    let entries = 1u64 << index.width();
    let bit = |place: usize| {
        let ones = (0..entries).fold(0u64, |ones, entry| ones | (of(entry) >> place & 1) << entry);
        lit(entries as usize, ones).at(index)
    };
    stack((0..width).map(bit))
}

/// A channel of four bits and more at 8 bits, its upper bits repeated below.
#[kernel]
pub(super) fn expand(channel: Bits) -> Bits {
    let missing = 8 - channel.width();
    if missing == 0 { channel } else { cat(&[channel, channel.high(missing)]) }
}

/// The bytes in reverse: the first one is on top, as the blocks of ETC2 and EAC are read.
#[kernel]
pub(super) fn first_byte_on_top(bytes: Bits) -> Bits {
    let bytes: Vec<Bits> = (0..bytes.width() / 8).map(|byte| bytes.slice(8 * byte, 8)).collect();
    cat(&bytes)
}

/// The bits `high` to `low`.
#[kernel]
pub(super) fn range(word: Bits, high: usize, low: usize) -> Bits {
    word.slice(low, high + 1 - low)
}

/// A step of a division: the digit of the quotient, and what remains, of a remainder with the next digit below it. The bits
/// above tell which divisor counts.
#[kernel]
fn digit(number: Bits, [digit_bits, remainder_bits]: [usize; 2], divisors: &[u64]) -> [Bits; 2] {
    let own = |entry: u64| entry & ((1 << (digit_bits + remainder_bits)) - 1);
    let divisor = |entry: u64| divisors[(entry >> (digit_bits + remainder_bits)) as usize];
    let quotient = table(number, digit_bits, |entry| own(entry) / divisor(entry));
    let rest = table(number, remainder_bits, |entry| own(entry) % divisor(entry));
    [quotient, rest]
}

/// Division by a constant, digit by digit, exactly and without a carry chain: each bit of quotient and remainder is a LUT, since
/// digits are as wide as a LUT has inputs for beside the remainder. Of two divisors `which` tells the one that counts.
///
/// The top of the dividend, as wide as the remainder, is below the divisor.
#[kernel]
pub(in crate::datapath) fn divide(dividend: Bits, divisors: &[u64], which: Option<Bits>) -> Bits {
    let remainder_bits = divisors.iter().max().map_or(0, |most| most.ilog2() as usize + 1);
    let most_bits = 6 - remainder_bits - usize::from(which.is_some());
    let mut left = dividend.width() - remainder_bits;
    let mut remainder = dividend.high(remainder_bits);
    let mut digits = vec![];
    while left > 0 {
        let digit_bits = most_bits.min(left);
        left -= digit_bits;
        let parts: Vec<Bits> =
            which.into_iter().chain([remainder, dividend.slice(left, digit_bits)]).collect();
        let [quotient, rest] = digit(cat(&parts), [digit_bits, remainder_bits], divisors);
        remainder = rest;
        digits.push(quotient);
    }
    cat(&digits)
}

/// The value that counts, of those that there are, each with the bit that says so; the last one where none does.
#[kernel]
pub(super) fn merged(values: impl IntoIterator<Item = (Bits, Option<Bits>)>) -> Bits {
    let present = values.into_iter().filter_map(|(own, value)| Some((own, value?)));
    let mut present: Vec<(Bits, Bits)> = present.collect();
    let Some((_, last)) = present.pop() else { return lit(1, 0u32) };
    present.into_iter().rev().fold(last, |others, (own, value)| own.mux(value, others))
}

/// A record of zeros.
pub(super) fn nothing<R: Record<Item = Width>>(shape: &R) -> R::Of<Bits> {
    shape.map(&Part::root(), &mut |_, width| lit(width.value_bits(), 0u32))
}

/// A value times a digit of two bits, in as many bits as the value has: it brings its sign and two bits to spare.
///
/// The value itself is always added, and to it what is missing: so one operand of the sum is a register, and a LUT a bit is enough.
#[kernel]
pub(super) fn times(value: Bits, digit: Bits) -> Bits {
    let is_none = digit == 0;
    let once_or_less = if digit.bit(0) { lit(value.width(), 0u32) } else { !value };
    let twice_or_more = if digit.bit(0) { value << 1 } else { value };
    let missing = if digit.bit(1) { twice_or_more } else { once_or_less };
    sum(value, missing, is_none)
}

/// A sum with a carry into it, in as many bits as the operands have.
#[kernel]
pub(in crate::datapath) fn sum(one: Bits, other: Bits, carry: Bits) -> Bits {
    let sum = cat(&[one, carry]) + cat(&[other, carry]);
    discard(sum.low(1), "it makes the carry");
    sum.high(one.width())
}
