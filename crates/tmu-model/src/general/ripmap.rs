//! `ripmap`: of a quad of a ripmap its level along u and its level along v.
//!
//! Each axis has a level of detail of its own, as if nothing changed along the other one.

use super::lod::{Lod, MAX_EDGE, SQUARED_BITS, edges, half_log2};
use super::projection::Position;
use super::request::Bound;
use tmu_spec::general::{Operation, Quad};

/// The levels of a quad, with what its request gives: a level of detail, or a bias.
pub(super) fn of_quad(bound: &Bound, quad: &Quad, positions: &[Position; 4], given: i32) -> Lod {
    let sampler = bound.sampler();
    let limited = |lod: i32| (lod + sampler.lod_bias).clamp(sampler.min_lod, sampler.max_lod);
    let [width, height, _] = bound.level(0).of_ripmap([0; 2]).size;
    let sides = [width, height];
    let edges = edges(bound, quad, positions);
    let lods: [i32; 2] = std::array::from_fn(|axis| match quad.operation {
        Operation::Lod => limited(given),
        _ => edges
            .and_then(|edges| lod_along(edges.map(|edge| edge[axis]), sides[axis]))
            .map_or(sampler.min_lod, |lod| limited(lod + given)),
    });
    let level = |axis: usize| ((lods[axis] + 128) >> 8).clamp(0, sides[axis].ilog2() as i32) as u32;
    Lod {
        filter: if lods.iter().all(|lod| *lod <= 0) { sampler.mag } else { sampler.min },
        level: 0,
        fraction: 0,
        ripmap: Some([level(0), level(1)]),
        probes_log2: 0,
        axis: [0; 2],
    }
}

/// The level of detail along one axis of a ripmap, of which its largest level has `side` texels: that of the longer one of the two
/// edges along it. None of a point.
fn lod_along(edges: [i64; 2], side: u32) -> Option<i32> {
    let texels = edges.map(|edge| (edge.unsigned_abs() * u64::from(side)).min(MAX_EDGE));
    let longest = texels.into_iter().max().filter(|longest| *longest > 0)?;
    let shift = (longest.ilog2() + 1).saturating_sub(SQUARED_BITS);
    Some(half_log2((longest >> shift).pow(2), shift))
}
