//! `quad_generator`: the quads of a walk.

use tmu_spec::Quad;
use tmu_spec::bring_up::Walk;
use tmu_spec::general::{Operation, Pixel, Quad as GeneralQuad};
use tmu_spec::quad::PIXELS;

/// u and v of the pixels of each quad.
pub fn coordinates(walk: &Walk) -> impl Iterator<Item = [[u32; 2]; PIXELS]> {
    let walk = *walk;
    let mut seeds = walk.first;
    (0..walk.quads).map(move |number| {
        let row_quads = u32::from(walk.row_quads).max(1);
        let [column, row] = [number % row_quads, number / row_quads];
        let at = |axis: usize, x: u32, y: u32| {
            let steps = x.wrapping_mul(walk.across[axis]).wrapping_add(y.wrapping_mul(walk.down[axis]));
            steps.wrapping_add(if walk.is_random { seeds[axis] } else { walk.first[axis] })
        };
        let [left, top] = if walk.is_random { [0, 0] } else { [2 * column, row.wrapping_mul(2)] };
        let pixel = |x: u32, y: u32| [0, 1].map(|axis| at(axis, left.wrapping_add(x), top.wrapping_add(y)));
        let quad = [pixel(0, 0), pixel(1, 0), pixel(0, 1), pixel(1, 1)];
        seeds = seeds.map(next);
        quad
    })
}

/// Marsaglia's xorshift with 32 bits.
const fn next(mut state: u32) -> u32 {
    state ^= state << 13;
    state ^= state >> 17;
    state ^ state << 5
}

/// The quads of a classic unit.
pub fn quads(walk: &Walk) -> impl Iterator<Item = Quad> {
    let valid = walk.valid;
    coordinates(walk).map(move |uv| Quad::new(uv.map(|pixel| pixel.map(u32::cast_signed)), valid))
}

/// Those of a unit of the general numerics: samples, with divisors of one.
pub fn general_quads(walk: &Walk) -> impl Iterator<Item = GeneralQuad> {
    let valid = walk.valid;
    coordinates(walk).map(move |uv| GeneralQuad {
        pixels: uv.map(|[u, v]| Pixel { u, v, w: 0, q: 1 << 16, d: 0 }),
        valid,
        lod: 0,
        operation: Operation::Sample,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tmu_spec::bring_up::Pattern;

    #[test]
    fn a_scan_goes_row_by_row() {
        let walk = Pattern::Scan.walk([8, 4], 3, 2);
        let [u, v] = [0x2000, 0x4000];
        let quad = |x: u32, y: u32| {
            [[0, 0], [1, 0], [0, 1], [1, 1]].map(|[i, j]| [(x + i) * u + u / 2, (y + j) * v + v / 2])
        };
        assert_eq!(coordinates(&walk).collect::<Vec<_>>(), [quad(0, 0), quad(2, 0), quad(0, 2)]);
    }

    #[test]
    fn random_quads_are_those_of_xorshift() {
        let first: Vec<u32> = std::iter::successors(Some(1), |state| Some(next(*state))).take(4).collect();
        // The sequence that Marsaglia's paper begins with for a seed of 1.
        assert_eq!(first, [1, 270_369, 67_634_689, 2_647_435_461]);
        let walk = Pattern::Random.walk([16, 16], 50, 1);
        let quads: Vec<_> = coordinates(&walk).collect();
        assert!(quads.windows(2).all(|pair| pair[0][0] != pair[1][0]));
        assert!(quads.iter().all(|quad| quad[3][0] == quad[0][0].wrapping_add(0x1000)));
    }
}
