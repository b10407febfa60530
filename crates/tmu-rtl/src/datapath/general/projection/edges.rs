//! The edges of a quad's footprint, and which of its pixels they need. Wires and subtractions.

use crate::datapath::general::words::{AXES, EDGE_BITS, PIXELS};
use tmu_hdl::prelude::*;

/// The row lies between the lower pixels, and the column between the right ones.
#[kernel]
fn far(valid: Bits) -> [Bits; 2] {
    [valid.bit(2) && valid.bit(3), valid.bit(1) && valid.bit(3)]
}

/// Signed differences along the row, then along the column, of u, of v and of w.
#[kernel]
pub(super) fn edges(valid: Bits, places: &[[Bits; 2]]) -> [[Bits; AXES]; 2] {
    let [row_is_far, column_is_far] = far(valid);
    let of = |axis: usize, pixel: usize| places[pixel][axis].sign_extend(EDGE_BITS);
    let row = |axis: usize| {
        let [to, from] = if row_is_far { [of(axis, 3), of(axis, 2)] } else { [of(axis, 1), of(axis, 0)] };
        to - from
    };
    let column = |axis: usize| {
        let [to, from] = if column_is_far { [of(axis, 3), of(axis, 1)] } else { [of(axis, 2), of(axis, 0)] };
        to - from
    };
    let none = || lit(EDGE_BITS, 0u32);
    [[row(0), row(1), none()], [column(0), column(1), none()]]
}

/// The face of the first valid pixel, of the last one where none is.
#[kernel]
pub(super) fn first_face(valid: Bits, faces: &[Bits; PIXELS]) -> Bits {
    let upper = if valid.bit(2) { faces[2] } else { faces[3] };
    let lower = if valid.bit(1) { faces[1] } else { upper };
    if valid.bit(0) { faces[0] } else { lower }
}

/// The pixels at ends of edges that show another face than the first one, a bit each.
#[kernel]
pub(super) fn extra_pixels(valid: Bits, faces: &[Bits; PIXELS]) -> Bits {
    let [row_is_far, column_is_far] = far(valid);
    let first = first_face(valid, faces);
    let ends = [
        !row_is_far || !column_is_far,
        !row_is_far || column_is_far,
        row_is_far || !column_is_far,
        row_is_far || column_is_far,
    ];
    stack((0..PIXELS).map(|pixel| ends[pixel] && faces[pixel] != first))
}
