//! Channels of values: those of BC3's alpha, BC4 and BC5, those of EAC, and BC2's alpha, on one way.
//!
//! All are `base + factor * step`, with something behind the product: BC divides it, EAC subtracts it as well and limits the sum.
//! Raw values come in behind it. A product of four by eight bits is made of two rows of two bits each; the division needs no carry.

use super::header::{Flags, Stage as HeaderStage};
use super::record::{Header, Values};
use super::select::{divide, expand, for_texels, merged, nothing, sum, table, times};
use super::texel::Stage;
use super::{BlockFormats, Compressed, bc, eac};
use tmu_hdl::prelude::*;
use tmu_spec::Format;

/// Steps between the end points of a block: two values of their own beside them, or none.
const DIVISORS: [u64; 2] = [5, 7];

/// A channel: what its registers are called, and which formats have it.
#[derive(Clone, Copy)]
pub(super) struct Channel {
    name: &'static str,
    /// Its place in headers.
    number: usize,
    has: fn(Format) -> bool,
}

/// R, or alpha of formats with colours.
pub(super) const FIRST: Channel = Channel { name: "first", number: 0, has: Format::has_values };
/// G.
pub(super) const SECOND: Channel = Channel { name: "second", number: 1, has: Format::is_pair };

/// What eight bytes of a format say: whether they are of it, base, step and each texel's index.
struct Half {
    is_own: Bits,
    base: Bits,
    step: Option<Bits>,
    indices: Bits,
}

impl Channel {
    /// Some format that is built has the channel, and is so.
    pub(super) fn any(&self, formats: &BlockFormats, is_so: fn(Format) -> bool) -> bool {
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
        discard(bits, "each format looks at other bits");
        let mut halves = vec![];
        if self.any(formats, Format::is_raw) {
            let indices = for_texels(index_bits, |texel| bits.slice(4 * texel, 4));
            halves.push(Half { is_own: own.is_raw, base: lit(8, 0u32), step: None, indices });
        }
        if self.any(formats, Format::has_between) {
            let between = bc::between(pipe, self.name, half.at(HeaderStage::Parts));
            let indices = for_texels(index_bits, |texel| bits.slice(16 + 3 * texel, 3));
            /// Alpha that is not there has no values of their own.
            values.is_falling = between.is_falling | !own.has_between;
            halves.push(Half {
                is_own: own.has_between,
                base: between.base,
                step: Some(between.step),
                indices,
            });
        }
        if self.any(formats, Format::has_modifiers) {
            let modified = eac::modified(bits, index_bits);
            values.modifiers = modified.modifiers;
            values.is_fine = modified.multiplier == 0 && own.class.is_eleven;
            let (base, step) = (bits.low(8), modified.multiplier.zero_extend(8));
            halves.push(Half {
                is_own: own.has_modifiers,
                base,
                step: Some(step),
                indices: modified.indices,
            });
        }
        let base = halves.iter().map(|half| (half.is_own, Some(half.base)));
        let step = halves.iter().map(|half| (half.is_own, half.step));
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

    /// What an index means, its highest bit on top.
    #[kernel]
    fn meaning(&self, formats: &BlockFormats, own: &Values, index: Bits) -> Meaning {
        /// # Factor
        let has = |is_so: fn(Format) -> bool| self.any(formats, is_so);
        let place = index.high(3);
        let modifier = has(Format::has_modifiers).then(|| eac::magnitude(own.modifiers, place));
        let bits = if modifier.is_some() { 4 } else { 3 };
        let steps = has(Format::has_between).then(|| between_factor(own.is_falling, place).zero_extend(bits));
        let none = lit(1, 0u32);
        /// The last two of eight values stand for the least and the greatest, where only four lie between.
        let is_limit = match steps {
            Some(_) => !own.is_falling && !own.is_raw && !own.is_modified && place.high(2).all(),
            None => none,
        };
        let of_modifier = modifier.map(|_| place.bit(2));
        Meaning {
            factor: merged([(own.is_modified, modifier), (lit(1, 1u32), steps)]),
            raw: if has(Format::is_raw) { index.high(4) } else { lit(4, 0u32) },
            subtracts: of_modifier.map_or(none, |adds| own.is_modified & !adds),
            is_limit,
            limit: merged([(own.is_modified, of_modifier), (lit(1, 1u32), steps.map(|_| place.bit(0)))]),
        }
    }

    /// The value of a texel whose index has its highest bit on top, from [`Stage::Limit`] on: 8 bits, or 11 where any format has so
    /// many.
    #[kernel]
    pub(super) fn of_texel(
        &self,
        pipe: &Run<'_, Stage>,
        formats: &BlockFormats,
        header: &Payload<'_, Stage, Header>,
        index: Bits,
    ) -> Bits {
        let name = |part: &str| format!("{}_{part}", self.name);
        let has = |is_so: fn(Format) -> bool| self.any(formats, is_so);
        let values = |stage: Stage| header.at(stage).values[self.number].clone();
        let meaning = self.meaning(formats, &values(Stage::Pick), index);
        let meaning = pipe.put(Stage::Pick, &name("meaning"), meaning);
        let has_product = has(|format| !format.is_raw());
        let product = has_product.then(|| product(pipe, self.name, &meaning, values));
        /// # Distance from the base
        let (own, then) = (values(Stage::Sum), meaning.at(Stage::Sum));
        let quotient = product
            .filter(|_| has(Format::has_between))
            .map(|product| divide(product, &DIVISORS, Some(own.is_falling)));
        let whole = product.filter(|_| has(Format::has_modifiers)).map(|product| product.low(8));
        if let (Some(product), None) = (product, quotient) {
            discard(product.high(3), "only products that are divided are so large");
        }
        let none = (!has_product).then(|| lit(8, 0u32));
        let distance = merged([
            (own.is_raw, has(Format::is_raw).then(|| expand(then.raw))),
            (own.is_modified, whole),
            (lit(1, 1u32), quotient.or(none)),
        ]);
        let is_eleven = has(Format::is_eleven);
        let fraction = is_eleven.then(|| {
            let fraction = fraction(own.is_fine, then.subtracts, then.factor);
            pipe.put(Stage::Sum, &name("fraction"), fraction).at(Stage::Add)
        });
        let fine = is_eleven.then(|| (own.is_fine & then.factor.high(1)).zero_extend(8));
        let distance = distance | fine.unwrap_or_else(|| lit(8, 0u32));
        let distance = pipe.put(Stage::Sum, &name("distance"), distance).at(Stage::Add);
        /// # Sum
        let Meaning { subtracts, is_limit, limit, .. } = meaning.at(Stage::Add);
        let carry = fraction.map_or(subtracts, |fraction| fraction.high(1));
        let addend = (distance ^ subtracts.repeat(8)).zero_extend(9);
        let total = sum(values(Stage::Add).base.zero_extend(9), addend, carry);
        let is_beyond = if has(Format::has_modifiers) {
            is_limit | (total.high(1) ^ subtracts)
        } else {
            discard(total.high(1), "no sum is beyond the limits");
            is_limit
        };
        let fine = fraction.map(|fraction| (fraction.low(3), header.at(Stage::Add).class.is_eleven));
        let value = limited(total.low(8), fine, is_beyond, limit);
        pipe.put(Stage::Add, &name("value"), value).at(Stage::Limit)
    }
}

/// A value, or where it is beyond the limits one of them. With `fine` bits below it has 11 bits where the flag says so, and
/// otherwise the low 8 of 11.
#[kernel]
fn limited(value: Bits, fine: Option<(Bits, Bits)>, is_beyond: Bits, limit: Bits) -> Bits {
    let Some((below, is_eleven)) = fine else {
        return is_beyond.mux(limit.repeat(8), value);
    };
    let limits = if is_eleven { limit.repeat(11) } else { limit.repeat(8).zero_extend(11) };
    let value = if is_eleven { cat(&[value, below]) } else { value.zero_extend(11) };
    if is_beyond { limits } else { value }
}

/// What an index of a value means.
#[derive(Clone, Debug, Record)]
struct Meaning<T = Bits> {
    /// How many steps, or multipliers, from the base.
    factor: T,
    /// The value of four bits.
    raw: T,
    /// Downwards.
    subtracts: T,
    /// The value is the least or the greatest.
    is_limit: T,
    /// The greatest, of such a value and of a sum beyond the limits.
    limit: T,
}

/// The product of factor and step at [`Stage::Sum`], 11 bits: none is over 7 * 255.
#[kernel]
fn product(
    pipe: &Run<'_, Stage>,
    channel: &str,
    meaning: &Payload<'_, Stage, Meaning>,
    values: impl Fn(Stage) -> Values,
) -> Bits {
    /// # Product
    let name = |part: &str| format!("{channel}_{part}");
    let factor = meaning.at(Stage::Choose).factor;
    let step = values(Stage::Choose).step.zero_extend(10);
    let low = pipe.put(Stage::Choose, &name("low_row"), times(step, factor.low(2))).at(Stage::Rows);
    let high = if factor.width() > 3 {
        let high = times(step, factor.high(2));
        discard(high.high(1), "factors over seven have small steps");
        pipe.put(Stage::Choose, &name("high_row"), high.low(9)).at(Stage::Rows)
    } else {
        let top = pipe.put(Stage::Choose, &name("top"), factor.high(1)).at(Stage::Rows);
        (values(Stage::Rows).step & top.repeat(8)).zero_extend(9)
    };
    let product = cat(&[low.high(8).zero_extend(9) + high, low.low(2)]);
    pipe.put(Stage::Rows, &name("product"), product).at(Stage::Sum)
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
