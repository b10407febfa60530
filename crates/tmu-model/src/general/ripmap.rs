//! `ripmap`: of a quad of a ripmap its level along u and its level along v.
//!
//! Each axis has a level of detail of its own, as if nothing changed along the other one.

use super::length::{half_log2, shift, texels};
use super::request::Bound;

/// Texels of the largest level along u and along v.
fn sides(bound: &Bound) -> [u32; 2] {
    let [width, height, _] = bound.level(0).of_ripmap([0; 2]).size;
    [width, height]
}

/// The levels of detail along u and v: those of the longer one of the two edges, row and column, along each. None of a point.
pub(super) fn lods(bound: &Bound, edges: [[i64; 3]; 2]) -> [Option<i32>; 2] {
    let sides = sides(bound);
    std::array::from_fn(|axis| {
        let lengths = edges.map(|edge| texels(edge[axis], sides[axis]));
        let longest = lengths.into_iter().max().filter(|longest| *longest > 0)?;
        let shift = shift(longest);
        Some(half_log2((longest >> shift).pow(2), shift))
    })
}

/// The numbers of the levels along u and v, for levels of detail.
pub(super) fn levels(bound: &Bound, lods: [i32; 2]) -> [u32; 2] {
    let sides = sides(bound);
    std::array::from_fn(|axis| ((lods[axis] + 128) >> 8).clamp(0, sides[axis].ilog2() as i32) as u32)
}
