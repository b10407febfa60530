//! Channels of values: those of BC3's alpha, BC4 and BC5, those of EAC, and BC2's alpha, on one way.
//!
//! All are `base + factor * step`, with something behind it: BC divides the product, EAC subtracts it as well and limits the sum.
//! A multiplier of four by eight bits is made of three rows of LUTs with carry; the division needs no carry.

use super::header::{Flags, Stage as HeaderStage};
use super::record::{Header, Values};
use super::select::{divide, for_texels, merged, nothing, table, times};
use super::texel::Stage;
use super::{BlockFormat, BlockFormats, bc, eac};
use tmu_hdl::prelude::*;

/// Steps between the end points of a block: two values of their own beside them, or none.
const DIVISORS: [u64; 2] = [5, 7];

/// A channel: what its registers are called, and which formats have it.
#[derive(Clone, Copy)]
pub(super) struct Channel {
    name: &'static str,
    /// Its place in headers.
    number: usize,
    has: fn(BlockFormat) -> bool,
}

/// R, or alpha of formats with colours.
pub(super) const FIRST: Channel = Channel { name: "first", number: 0, has: BlockFormat::has_values };
/// G.
pub(super) const SECOND: Channel = Channel { name: "second", number: 1, has: BlockFormat::is_pair };

/// What eight bytes of a format say: whether they are of it, base, step and each texel's index.
struct Half {
    is_own: Bits,
    base: Bits,
    step: Bits,
    indices: Bits,
}

impl Channel {
    /// Some format that is built has the channel, and is so.
    pub(super) fn any(&self, formats: &BlockFormats, is_so: fn(BlockFormat) -> bool) -> bool {
        formats.any(|format| (self.has)(format) && is_so(format))
    }

    /// The channel of eight bytes, and the word of its indices.
    #[kernel]
    pub(super) fn of_half(
        &self,
        pipe: &Run<'_, HeaderStage>,
        flags: &Payload<'_, HeaderStage, Flags>,
        formats: &BlockFormats,
        half: Bits,
        index_bits: usize,
    ) -> (Values, Option<Bits>) {
        let mut values = nothing(&Values::of(formats, self.has));
        if !self.any(formats, |_| true) {
            return (values, None);
        }
        let own = flags.at(HeaderStage::Ends);
        let half = pipe.put(HeaderStage::Entry, &format!("{}_half", self.name), half);
        let bits = half.at(HeaderStage::Ends);
        let mut halves = vec![];
        if self.any(formats, BlockFormat::is_raw) {
            let indices = for_texels(index_bits, |texel| bits.slice(4 * texel, 4));
            halves.push(Half { is_own: own.is_raw, base: lit(8, 0u32), step: lit(8, 17u32), indices });
        }
        if self.any(formats, BlockFormat::has_between) {
            let between = bc::between(pipe, self.name, half.at(HeaderStage::Parts));
            let indices = for_texels(index_bits, |texel| bits.slice(16 + 3 * texel, 3));
            /// Alpha that is not there has no values of their own.
            values.is_falling = between.is_falling | !own.has_between;
            halves.push(Half { is_own: own.has_between, base: between.base, step: between.step, indices });
        }
        if self.any(formats, BlockFormat::has_modifiers) {
            let modified = eac::modified(bits, index_bits);
            values.modifiers = modified.modifiers;
            values.is_fine = modified.multiplier == 0 && own.class.is_eleven;
            let (base, step) = (bits.low(8), modified.multiplier.zero_extend(8));
            halves.push(Half { is_own: own.has_modifiers, base, step, indices: modified.indices });
        }
        let base = halves.iter().map(|half| (half.is_own, Some(half.base)));
        let step = halves.iter().map(|half| (half.is_own, Some(half.step)));
        /// Alpha that is not there is full.
        let absent = formats.any(|format| !(self.has)(format));
        let none = |number: u32| (lit(1, 1u32), absent.then(|| lit(8, number)));
        values.base = merged(base.chain([none(255)]));
        values.step = merged(step.chain([none(0)]));
        values.is_raw = own.is_raw;
        values.is_modified = own.has_modifiers;
        let indices = halves.iter().map(|half| (half.is_own, Some(half.indices)));
        (values, Some(merged(indices)))
    }

    /// The value of a texel whose index has its highest bit on top, from the stage of [`Stage::Limit`] on.
    #[kernel]
    pub(super) fn of_texel(
        &self,
        pipe: &Run<'_, Stage>,
        formats: &BlockFormats,
        header: &Payload<'_, Stage, Header>,
        index: Bits,
    ) -> Bits {
        let name = |part: &str| format!("{}_{part}", self.name);
        let has = |is_so: fn(BlockFormat) -> bool| self.any(formats, is_so);
        let values = |stage: Stage| header.at(stage).values[self.number].clone();
        /// # Factor
        let own = values(Stage::Pick);
        let place = index.high(3);
        let raw = has(BlockFormat::is_raw).then(|| index.high(4));
        let modifier = has(BlockFormat::has_modifiers).then(|| eac::magnitude(own.modifiers, place));
        let factor_bits = if raw.is_some() || modifier.is_some() { 4 } else { 3 };
        let steps = has(BlockFormat::has_between)
            .then(|| between_factor(own.is_falling, place).zero_extend(factor_bits));
        let factor = merged([(own.is_raw, raw), (own.is_modified, modifier), (lit(1, 1u32), steps)]);
        let factor = pipe.put(Stage::Pick, &name("factor"), factor);
        let subtracts = own.is_modified & !place.bit(2);
        let subtracts = pipe.put(Stage::Pick, &name("subtracts"), subtracts);
        /// The last two of eight values stand for the least and the greatest, where only four lie between.
        let is_limit = !own.is_falling && !own.is_raw && !own.is_modified && place.high(2).all();
        let is_limit = if steps.is_some() { is_limit } else { lit(1, 0u32) };
        let is_limit = pipe.put(Stage::Pick, &name("is_limit"), is_limit).at(Stage::Add);
        let limit = if own.is_modified { place.bit(2) } else { place.bit(0) };
        let limit = pipe.put(Stage::Pick, &name("limit"), limit).at(Stage::Add);
        /// # Product
        let step = values(Stage::Choose).step.zero_extend(10);
        let digits = factor.at(Stage::Choose);
        let low = pipe.put(Stage::Choose, &name("low_row"), times(step, digits.low(2))).at(Stage::Rows);
        let high = if factor_bits > 3 {
            times(step, digits.high(2)).low(9)
        } else {
            step.low(9) & digits.bit(2).repeat(9)
        };
        let high = pipe.put(Stage::Choose, &name("high_row"), high).at(Stage::Rows);
        /// None is over 7 * 255.
        let product = cat(&[low.high(8).zero_extend(9) + high, low.low(2)]);
        let product = pipe.put(Stage::Rows, &name("product"), product).at(Stage::Sum);
        /// # Distance from the base
        let own = values(Stage::Sum);
        let quotient = steps.map(|_| divide(product, &DIVISORS, Some(own.is_falling)));
        let is_whole = own.is_raw | own.is_modified;
        let distance = merged([(is_whole, Some(product.low(8))), (lit(1, 1u32), quotient)]);
        let subtracts_then = subtracts.at(Stage::Sum);
        let fraction = fraction(own.is_fine, subtracts_then, factor.at(Stage::Sum));
        let fraction = pipe.put(Stage::Sum, &name("fraction"), fraction).at(Stage::Add);
        let distance = if has(BlockFormat::is_eleven) {
            distance | (own.is_fine & factor.at(Stage::Sum).high(1)).zero_extend(8)
        } else {
            distance
        };
        let distance = pipe.put(Stage::Sum, &name("distance"), distance).at(Stage::Add);
        let subtracts = subtracts.at(Stage::Add);
        let sum = added(values(Stage::Add).base, distance, subtracts, fraction.bit(3));
        /// # Limits
        let is_beyond = is_limit | (sum.bit(8) ^ subtracts);
        let value = sum.low(8);
        let value = if has(BlockFormat::is_eleven) {
            let is_eleven = header.at(Stage::Add).class.is_eleven;
            let limits = if is_eleven { limit.repeat(11) } else { limit.repeat(8).zero_extend(11) };
            let value = if is_eleven { cat(&[value, fraction.low(3)]) } else { value.zero_extend(11) };
            if is_beyond { limits } else { value }
        } else {
            if is_beyond { limit.repeat(8) } else { value }
        };
        pipe.put(Stage::Add, &name("value"), value).at(Stage::Limit)
    }
}

/// The three bits below a base of EAC, which are a half, with the low bits of a fine distance; above them the carry into the
/// base, or no borrow from it.
#[kernel]
fn fraction(is_fine: Bits, subtracts: Bits, factor: Bits) -> Bits {
    let of = |entry: u64| {
        let distance = if entry >> 4 == 1 { entry & 7 } else { 0 };
        if entry >> 3 & 1 == 1 { 8 + 4 - distance } else { 4 + distance }
    };
    table(cat(&[is_fine, subtracts, factor.low(3)]), 4, of)
}

/// Sum or difference, with a carry, or without a borrow; on top the carry out of it.
#[kernel]
fn added(base: Bits, distance: Bits, subtracts: Bits, carry: Bits) -> Bits {
    let distance = distance ^ subtracts.repeat(8);
    let zero = lit(1, 0u32);
    let sum = cat(&[zero, base, carry]) + cat(&[zero, distance, carry]);
    sum.high(9)
}

/// Steps from the lower end point to the value of an index: the first index is the upper one of falling end points, the lower one of
/// others, the second the other one.
#[kernel]
fn between_factor(is_falling: Bits, index: Bits) -> Bits {
    let steps = |entry: u64| match (entry >> 3 == 1, entry & 7) {
        (true, 0) => 7,
        (true, 1) => 0,
        (true, index) => 8 - index,
        (false, 0) => 0,
        (false, 1) => 5,
        (false, index) => index - 1,
    };
    table(cat(&[is_falling, index]), 3, steps)
}
