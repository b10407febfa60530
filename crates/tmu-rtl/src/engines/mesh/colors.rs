//! What passes between the stages of the mesh engine that work on colours, from `filter` to `write_combiner`; and what a colour is.

use super::words::{COLOR_BITS, PLACE_BITS, RESPONSE_BITS};
use crate::engine::memory::LINE_BITS;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{Multiplier, Operand};

/// Bits of red and blue.
pub const NARROW_BITS: usize = 5;
/// Bits of green.
pub const GREEN_BITS: usize = 6;

/// The components of a colour.
#[derive(Clone, Debug, Record)]
pub struct Color<T = Bits> {
    /// Blue, in the lowest bits.
    pub blue: T,
    /// Green.
    pub green: T,
    /// Red, in the highest bits.
    pub red: T,
}

/// Shape of a [`Color`]: RGB565, as in memory.
pub fn color() -> Color<Width> {
    Color { blue: Width::bits(NARROW_BITS), green: Width::bits(GREEN_BITS), red: Width::bits(NARROW_BITS) }
}

/// From `filter` to `shade`: the texture's colour at a pixel.
#[derive(Clone, Debug, Record)]
pub struct FilteredWord<T = Bits> {
    /// RGB565.
    pub color: T,
    /// See [`PixelWord`](super::words::PixelWord).
    pub place: T,
    /// The same.
    pub opens_line: T,
    /// The end of the job, and no pixel.
    pub is_end: T,
}

/// Shape of a [`FilteredWord`].
pub fn filtered_word() -> FilteredWord<Width> {
    FilteredWord {
        color: Width::bits(COLOR_BITS),
        place: Width::bits(PLACE_BITS),
        opens_line: Width::bits(1),
        is_end: Width::bits(1),
    }
}

/// From `shade` to `blend` and on to `write_combiner`: a pixel as it is drawn.
///
/// Pixels that are left out go on to the end: `frame_reader` has asked for their lines too, and lines and pixels stay in step.
#[derive(Clone, Debug, Record)]
pub struct ShadedWord<T = Bits> {
    /// RGB565.
    pub color: T,
    /// See [`PixelWord`](super::words::PixelWord).
    pub place: T,
    /// The same.
    pub opens_line: T,
    /// The pixel is drawn; otherwise it is left out.
    pub is_drawn: T,
    /// The end of the job, and no pixel: it is not drawn.
    pub is_end: T,
}

/// Shape of a [`ShadedWord`].
pub fn shaded_word() -> ShadedWord<Width> {
    ShadedWord {
        color: Width::bits(COLOR_BITS),
        place: Width::bits(PLACE_BITS),
        opens_line: Width::bits(1),
        is_drawn: Width::bits(1),
        is_end: Width::bits(1),
    }
}

/// From `frame_reader` to `blend`: a line of the frame buffer.
#[derive(Clone, Debug, Record)]
pub struct FrameLine<T = Bits> {
    /// Its pixels, the first one in the lowest bits.
    pub pixels: T,
    /// 0, or why it could not be read, see [`RESPONSE_BITS`].
    pub response: T,
}

/// Shape of a [`FrameLine`].
pub fn frame_line() -> FrameLine<Width> {
    FrameLine { pixels: Width::bits(LINE_BITS), response: Width::bits(RESPONSE_BITS) }
}

/// A number cut off behind so many bits, rounded to the nearest, of two as near to the even one. One bit more than what is
/// left holds the result.
#[kernel]
pub(super) fn round_half_even(sum: Bits, fraction_bits: usize) -> Bits {
    let whole_bits = sum.width() - fraction_bits;
    let whole = sum.high(whole_bits);
    let fraction = sum.low(fraction_bits);
    let is_above = fraction.low(fraction_bits - 1).any() || whole.bit(0);
    let goes_up = fraction.bit(fraction_bits - 1) && is_above;
    whole.zero_extend(whole_bits + 1) + goes_up.zero_extend(whole_bits + 1)
}

/// A multiplier for the sum of two products, `a·m + b·n`, of narrow components with factors of so many bits: of
/// `(a + b·2^s)·(n + m·2^s)` it is the middle part. Neither it nor the lower part, `a·n`, may have more than s bits, `sum_bits`.
pub(super) fn pair_multiplier(factor_bits: usize, sum_bits: usize) -> Multiplier {
    Multiplier::new(Operand::unsigned(NARROW_BITS + sum_bits), Operand::unsigned(factor_bits + sum_bits))
}

/// What goes into such a multiplier: components a and b, and their factors m and n.
#[kernel]
pub(super) fn pair_factors([a, b]: [Bits; 2], [m, n]: [Bits; 2], sum_bits: usize) -> (Bits, Bits) {
    (cat(&[b, a.zero_extend(sum_bits)]), cat(&[m, n.zero_extend(sum_bits)]))
}

/// The sum in the product.
#[kernel]
pub(super) fn pair_sum(product: Bits, sum_bits: usize) -> Bits {
    discard(
        cat(&[product.high(product.width() - 2 * sum_bits), product.low(sum_bits)]),
        "products that do not belong together",
    );
    product.slice(sum_bits, sum_bits)
}
