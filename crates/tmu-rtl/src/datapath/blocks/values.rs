//! Channels of values: those of BC3's alpha, BC4 and BC5, those of EAC, and BC2's alpha, on one way.
//!
//! All are `base + factor * step`, with something behind it: BC divides the product, EAC subtracts it as well and limits the sum.
//! A multiplier of four by eight bits is made of three rows of LUTs with carry; the division needs no carry.

use super::header::{Flags, Stage as HeaderStage};
use super::record::Values;
use super::select::{divide, for_texels, merged, nothing, table};
use super::texel::Stage;
use super::{BlockFormat, BlockFormats, bc};
use tmu_hdl::prelude::*;

/// Steps between the end points of a block: two values of their own beside them, or none.
const DIVISORS: [u64; 2] = [5, 7];

/// A channel: what its registers are called, and which formats have it.
pub(super) struct Channel {
    pub(super) name: &'static str,
    pub(super) has: fn(BlockFormat) -> bool,
}

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
        let base = halves.iter().map(|half| (half.is_own, Some(half.base)));
        let step = halves.iter().map(|half| (half.is_own, Some(half.step)));
        /// Alpha that is not there is full.
        let absent = formats.any(|format| !(self.has)(format));
        let none = |number: u32| (lit(1, 1u32), absent.then(|| lit(8, number)));
        values.base = merged(base.chain([none(255)]));
        values.step = merged(step.chain([none(0)]));
        values.is_raw = own.is_raw;
        let indices = halves.iter().map(|half| (half.is_own, Some(half.indices)));
        (values, Some(merged(indices)))
    }

    /// The value of a texel: `index` has the highest bit on top. At the last stage but one.
    #[kernel]
    pub(super) fn of_texel(
        &self,
        pipe: &Run<'_, Stage>,
        formats: &BlockFormats,
        values: &Payload<'_, Stage, Values>,
        index: Bits,
    ) -> Bits {
        /// # Factor
        let own = values.at(Stage::Pick);
        let index = index.high(if self.any(formats, BlockFormat::is_raw) { 4 } else { 3 });
        let place = index.high(3);
        let factor = between_factor(own.is_falling, place);
        let factor = if self.any(formats, BlockFormat::is_raw) {
            merged([(own.is_raw, Some(index)), (lit(1, 1u32), Some(factor.zero_extend(4)))])
        } else {
            factor
        };
        /// The last two of eight values stand for the least and the greatest, where only four lie between.
        let is_limit = !own.is_falling && !own.is_raw && place.slice(1, 2).all();
        let is_limit = pipe.put(Stage::Pick, &format!("{}_is_limit", self.name), is_limit);
        let limit = pipe.put(Stage::Pick, &format!("{}_limit", self.name), place.bit(0));
        let factor = pipe.put(Stage::Pick, &format!("{}_factor", self.name), factor).at(Stage::Choose);
        /// # Product
        let product = product(factor, values.at(Stage::Choose).step);
        let product = pipe.put(Stage::Choose, &format!("{}_product", self.name), product).at(Stage::Rows);
        /// # Division
        let own = values.at(Stage::Rows);
        let quotient = divide(product.low(11), &DIVISORS, Some(own.is_falling));
        let distance = if own.is_raw { product.low(8) } else { quotient };
        let distance = pipe.put(Stage::Rows, &format!("{}_distance", self.name), distance).at(Stage::Sum);
        /// # Sum
        let sum = values.at(Stage::Sum).base + distance;
        let limited = if is_limit.at(Stage::Sum) { limit.at(Stage::Sum).repeat(8) } else { sum };
        pipe.put(Stage::Sum, self.name, limited).at(Stage::Limit)
    }
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

/// The product of a factor of three or four bits, of two rows of two bits each.
#[kernel]
fn product(factor: Bits, step: Bits) -> Bits {
    let width = 8 + factor.width();
    let row = |bit: usize| (step & factor.bit(bit).repeat(8)).zero_extend(10);
    let low = row(0) + (row(1) << 1);
    let high = if factor.width() > 3 { row(2) + (row(3) << 1) } else { row(2) };
    let sum = low.high(8).zero_extend(width - 2) + high.zero_extend(width - 2);
    cat(&[sum, low.low(2)])
}
