//! Which pixels of a quad are the ends of its edges, and which faces they show. Wires.

use crate::datapath::general::words::{EDGE_BITS, PIXELS};
use tmu_hdl::prelude::*;

/// The row lies between the lower pixels, and the column between the right ones.
#[kernel]
pub(super) fn far(valid: Bits) -> [Bits; 2] {
    [valid.bit(2) && valid.bit(3), valid.bit(1) && valid.bit(3)]
}

/// What a pixel is for: with the one before it the row, with the one before that the column. Either way it is less the other one.
#[kernel]
pub(super) fn ends_of(valid: Bits, pixel: Bits) -> [Bits; 2] {
    let [row_is_far, column_is_far] = far(valid);
    let (is_last, is_first) = (pixel == 3, pixel == 1);
    let is_third = pixel == 2;
    let to_row = if row_is_far { is_last } else { is_first };
    let to_column = if column_is_far { is_last } else { is_third };
    [to_row, to_column]
}

/// The pixels at ends of edges, a bit each.
#[kernel]
pub(super) fn ends(valid: Bits) -> [Bits; PIXELS] {
    let [row_is_far, column_is_far] = far(valid);
    [
        !row_is_far || !column_is_far,
        !row_is_far || column_is_far,
        row_is_far || !column_is_far,
        row_is_far || column_is_far,
    ]
}

/// An edge of which the lower half is known: what is taken from what above it.
#[derive(Clone, Debug, Record)]
pub(super) struct Begun<T = Bits> {
    low: T,
    borrows: T,
    more: T,
    less: T,
}

/// Bits of the lower half.
const LOW_BITS: usize = EDGE_BITS / 2;

impl Begun<Width> {
    pub(super) fn shape() -> Begun<Width> {
        let high = Width::bits(EDGE_BITS - LOW_BITS);
        Begun { low: Width::bits(LOW_BITS), borrows: Width::bits(1), more: high, less: high }
    }
}

/// One value less the other one, of four pixels along the row and along the column, which lie as [`far`] says. A sum of all places is
/// the longest path of a unit of four lanes: the upper half follows in [`ended`].
#[kernel]
pub(super) fn begun([row_is_far, column_is_far]: [Bits; 2], values: &[Bits; PIXELS]) -> [Begun; 2] {
    let [p0, p1, p2, p3] = *values;
    let row = [if row_is_far { p3 } else { p1 }, if row_is_far { p2 } else { p0 }];
    let column = [if column_is_far { p3 } else { p2 }, if column_is_far { p1 } else { p0 }];
    let low = |end: Bits| end.low(LOW_BITS).zero_extend(LOW_BITS + 1);
    let high = |end: Bits| end.high(end.width() - LOW_BITS).sign_extend(EDGE_BITS - LOW_BITS);
    [row, column].map(|[more, less]| {
        let lower = low(more) - low(less);
        Begun { low: lower.low(LOW_BITS), borrows: lower.high(1), more: high(more), less: high(less) }
    })
}

/// The whole edge.
#[kernel]
pub(super) fn ended(begun: &Begun) -> Bits {
    let upper = cat(&[begun.more, lit(1, 0u32)]) - cat(&[begun.less, begun.borrows]);
    discard(upper.low(1), "it makes the borrow");
    cat(&[upper.high(EDGE_BITS - LOW_BITS), begun.low])
}

/// One bit: a pixel is at an end of an edge.
#[kernel]
pub(super) fn is_end(valid: Bits, pixel: Bits) -> Bits {
    let [p0, p1, p2, p3] = ends(valid);
    let upper = if pixel.bit(0) { p1 } else { p0 };
    let lower = if pixel.bit(0) { p3 } else { p2 };
    if pixel.bit(1) { lower } else { upper }
}

/// One bit: both edges go without the first pixel.
#[kernel]
pub(super) fn skips_first(valid: Bits) -> Bits {
    valid.high(PIXELS - 1).all()
}

/// The face of the first valid pixel, of the last one where none is.
#[kernel]
pub(super) fn first_face(valid: Bits, faces: &[Bits; PIXELS]) -> Bits {
    let upper = if valid.bit(2) { faces[2] } else { faces[3] };
    let lower = if valid.bit(1) { faces[1] } else { upper };
    if valid.bit(0) { faces[0] } else { lower }
}

/// One bit: a pixel at an end of an edge shows another face than the first one.
#[kernel]
pub(super) fn crosses(valid: Bits, first: Bits, faces: &[Bits; PIXELS]) -> Bits {
    let ends = ends(valid);
    stack((0..PIXELS).map(|pixel| ends[pixel] && faces[pixel] != first)).any()
}

/// One bit: a pixel at an end of an edge lies far from the first one's face. `are_near` says of each pixel whether it lies near a face
/// along x, y and z.
#[kernel]
pub(super) fn reaches_far(valid: Bits, first: Bits, are_near: &[[Bits; 3]; PIXELS]) -> Bits {
    let ends = ends(valid);
    let is_near = |[x, y, z]: [Bits; 3]| {
        let below = if first.bit(1) { y } else { x };
        if first.bit(2) { z } else { below }
    };
    stack((0..PIXELS).map(|pixel| ends[pixel] && !is_near(are_near[pixel]))).any()
}
