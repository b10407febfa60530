//! `lod`: the quad's level of detail, and into how many probes a long footprint is cut.
//!
//! The level of detail counts in 1/256 of a level.

use super::length::{half_log2, shift, texels};
use super::projection::{Position, direction, on_face};
use super::request::Bound;
use super::ripmap;
use tmu_spec::general::sampler::lod_steps;
use tmu_spec::general::{Filter, Kind, MipFilter, Operation, Quad};

/// Which texels of which levels the pixels of a quad take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lod {
    /// How many texels of a level.
    pub filter: Filter,
    /// The larger of its levels.
    pub level: u32,
    /// Of a ripmap, the level along u and along v.
    pub ripmap: Option<[u32; 2]>,
    /// The weight of the next smaller level, of 256; 0 if it is not taken.
    pub fraction: u32,
    /// Log2 of the number of probes along the longer axis of the footprint.
    pub probes_log2: u32,
    /// The longer axis of the footprint, of which probes are parts.
    pub axis: [i64; 2],
}

impl Lod {
    /// The levels that are taken, the larger one first, and the weight of each, of 256.
    pub fn levels(&self) -> impl Iterator<Item = (u32, u32)> + use<> {
        let next = (self.fraction != 0).then_some((self.level + 1, self.fraction));
        std::iter::once((self.level, 256 - self.fraction)).chain(next)
    }
}

/// What the edges of a footprint say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Footprint {
    /// It is a point.
    Point,
    /// It lies in part behind the face of a cube.
    Behind,
    /// It has an extent.
    Extent {
        /// Level of detail.
        lod: i32,
        /// Squared lengths of row and column in one unit.
        squares: [u64; 2],
        /// Signed edges: row and column.
        edges: [[i64; 3]; 2],
    },
}

/// Pixels whose difference is the row, and those of the column.
const fn corners(quad: &Quad) -> [[usize; 2]; 2] {
    let row = if quad.is_valid(2) && quad.is_valid(3) { [3, 2] } else { [1, 0] };
    let column = if quad.is_valid(1) && quad.is_valid(3) { [3, 1] } else { [2, 0] };
    [row, column]
}

/// The signed edges, row and column; none if a pixel lies behind the face of the first one that counts.
#[must_use]
pub fn edges(bound: &Bound, quad: &Quad, positions: &[Position; 4]) -> Option<[[i64; 3]; 2]> {
    let (kind, numbers) = (bound.texture().kind(), bound.general().numbers);
    let face = positions[(quad.valid & 0xf).trailing_zeros().min(3) as usize].slice;
    let place = |pixel: usize| {
        // Pixels on the face of the first one are where they are looked up.
        if kind != Kind::Cube || positions[pixel].slice == face {
            return Some(positions[pixel].uvw);
        }
        let [u, v] = on_face(direction(&quad.pixels[pixel], numbers), face)?;
        Some([u, v, 0])
    };
    let edge = |[to, from]: [usize; 2]| {
        let (to, from) = (place(to)?, place(from)?);
        Some(std::array::from_fn(|axis| to[axis] - from[axis]))
    };
    let [row, column] = corners(quad);
    Some([edge(row)?, edge(column)?])
}

fn footprint(bound: &Bound, quad: &Quad, positions: &[Position; 4]) -> Footprint {
    let Some(edges) = edges(bound, quad, positions) else { return Footprint::Behind };
    let (axes, sizes) = (bound.texture().kind().axes(), bound.level(0).size);
    let lengths = edges.map(|edge| {
        std::array::from_fn::<u64, 3, _>(|axis| if axis < axes { texels(edge[axis], sizes[axis]) } else { 0 })
    });
    let largest = lengths.as_flattened().iter().copied().max().unwrap_or(0);
    if largest == 0 {
        return Footprint::Point;
    }
    let shift = shift(largest);
    let squares: [u64; 2] = lengths.map(|edge| edge.iter().map(|length| (length >> shift).pow(2)).sum());
    Footprint::Extent { lod: half_log2(squares[0].max(squares[1]), shift), squares, edges }
}

/// Log2 of the number of probes of a footprint.
fn probes_log2(lod: i32, squares: [u64; 2], max_anisotropy: u32) -> u32 {
    let (long, short) = (squares[0].max(squares[1]), squares[0].min(squares[1]));
    let of_level = (lod as u32).div_ceil(256);
    let most = max_anisotropy.ilog2().min(of_level);
    (0..most).find(|log2| short << (2 * log2) >= long).unwrap_or(most)
}

/// The level of detail of a quad, whose pixels are at these positions, and what follows from it.
#[must_use]
pub fn of_quad(bound: &Bound, quad: &Quad, positions: &[Position; 4]) -> Lod {
    let sampler = bound.sampler();
    let given = if quad.operation == Operation::Sample { 0 } else { lod_steps(f32::from_bits(quad.lod)) };
    let limited = |lod: i32| (lod + sampler.lod_bias).clamp(sampler.min_lod, sampler.max_lod);
    if bound.is_ripmap() {
        let lods = match quad.operation {
            Operation::Lod => [limited(given); 2],
            _ => edges(bound, quad, positions)
                .map_or([None; 2], |edges| ripmap::lods(bound, edges))
                .map(|lod| lod.map_or(sampler.min_lod, |lod| limited(lod + given))),
        };
        return of_ripmap(bound, lods);
    }
    if quad.operation == Operation::Lod {
        return of_steps(bound, limited(given), 0, [0; 2]);
    }
    match footprint(bound, quad, positions) {
        Footprint::Point => of_steps(bound, sampler.min_lod, 0, [0; 2]),
        Footprint::Behind => of_steps(bound, sampler.max_lod, 0, [0; 2]),
        Footprint::Extent { lod, squares, edges } => {
            let has_probes = matches!(bound.texture().kind(), Kind::D1 | Kind::D2 | Kind::D2Array);
            let log2 =
                if has_probes && lod > 0 { probes_log2(lod, squares, sampler.max_anisotropy) } else { 0 };
            let [u, v, _] = if squares[0] >= squares[1] { edges[0] } else { edges[1] };
            of_steps(bound, limited(lod - 256 * log2 as i32 + given), log2, [u, v])
        }
    }
}

/// Filter and levels of a ripmap, for levels of detail along u and v.
fn of_ripmap(bound: &Bound, lods: [i32; 2]) -> Lod {
    let sampler = bound.sampler();
    Lod {
        filter: if lods.iter().all(|lod| *lod <= 0) { sampler.mag } else { sampler.min },
        level: 0,
        fraction: 0,
        ripmap: Some(ripmap::levels(bound, lods)),
        probes_log2: 0,
        axis: [0; 2],
    }
}

/// Filter and levels of a level of detail.
fn of_steps(bound: &Bound, lod: i32, probes_log2: u32, axis: [i64; 2]) -> Lod {
    let sampler = bound.sampler();
    let last = bound.texture().levels() as i32 - 1;
    let is_magnified = lod <= 0;
    let steps = match sampler.mip {
        _ if is_magnified => 0,
        MipFilter::None | MipFilter::Ripmap => 0,
        MipFilter::Nearest => ((lod + 128) >> 8).clamp(0, last) << 8,
        MipFilter::Linear => lod.clamp(0, 256 * last),
    };
    Lod {
        filter: if is_magnified { sampler.mag } else { sampler.min },
        level: (steps >> 8) as u32,
        fraction: (steps & 255) as u32,
        ripmap: None,
        probes_log2,
        axis,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probes_by_hand() {
        let table = [
            // As wide as long; twice, a little more than twice, and 16 times as long.
            (2000, [100, 100], 16, 0),
            (2000, [400, 100], 16, 1),
            (2000, [100, 401], 16, 2),
            (2000, [25600, 100], 16, 4),
            (2000, [25600, 100], 4, 2),
            (2000, [25600, 0], 8, 3),
            // No more than bring the level of detail down to 0.
            (1, [25600, 100], 16, 1),
            (256, [25600, 100], 16, 1),
            (257, [25600, 100], 16, 2),
            (2000, [25600, 100], 1, 0),
        ];
        for (lod, squares, most, expected) in table {
            assert_eq!(probes_log2(lod, squares, most), expected, "{lod} {squares:?} {most}");
        }
    }
}
