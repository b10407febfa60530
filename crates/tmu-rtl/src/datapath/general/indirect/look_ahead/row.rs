//! `row`: what of a first pass goes together. Part of `look_ahead`.
//!
//! A row of a first pass is either the places of a value for all pixels, or those of all values of a pixel. Values whose places lie
//! side by side are in one tile or two, wherever the pixels are: then the second way takes one look-up of the tags a pixel.

use crate::datapath::general::words::PIXELS;
use tmu_hdl::prelude::*;
use tmu_spec::general::indirect::MAX_VALUES;

/// Bits of the number of a pixel or a value.
pub(super) const NUMBER_BITS: usize = PIXELS.ilog2() as usize;

const _: () = assert!(PIXELS == MAX_VALUES as usize, "rows of both sorts fill all lanes");

/// Which row of a first pass it is.
#[derive(Clone, Debug, Record)]
pub struct Row<T = Bits> {
    /// It has the values of a pixel, not the pixels of a value.
    pub is_of_pixel: T,
    /// The number of that pixel, or of that value.
    pub number: T,
}

impl Row<Width> {
    /// Its shape.
    pub fn shape() -> Row<Width> {
        Row { is_of_pixel: Width::bits(1), number: Width::bits(NUMBER_BITS) }
    }
}

/// One bit: the values of each pixel lie side by side.
#[kernel]
pub fn are_near(offsets: &[Bits]) -> Bits {
    let is_near = |offset: &Bits| {
        let high = offset.high(offset.width() - 1);
        !high.any() || (high.all() && offset.bit(0))
    };
    stack(offsets.iter().map(is_near)).all()
}

/// The first row of a quad: of a pixel, if the values of each lie side by side and there are no more valid pixels than values.
#[kernel]
pub fn first_row(valid: Bits, more: Bits, are_near: Bits) -> Row {
    /// # First row
    let pixels = (0..PIXELS)
        .fold(lit(NUMBER_BITS + 1, 0u32), |sum, pixel| sum + valid.bit(pixel).zero_extend(NUMBER_BITS + 1));
    let values = more.zero_extend(NUMBER_BITS + 1) + 1;
    let is_of_pixel = are_near && pixels <= values;
    let first = following(valid, |_| lit(1, 1u32));
    Row { is_of_pixel, number: if is_of_pixel { first } else { lit(NUMBER_BITS, 0u32) } }
}

/// The number of the lowest valid pixel of those that may be; 0 where there is none.
#[kernel]
pub(super) fn following(valid: Bits, may_be: impl Fn(usize) -> Bits) -> Bits {
    (0..PIXELS).rev().fold(lit(NUMBER_BITS, 0u32), |next, pixel| {
        let number = lit(NUMBER_BITS, pixel as u32);
        if valid.bit(pixel) && may_be(pixel) { number } else { next }
    })
}
