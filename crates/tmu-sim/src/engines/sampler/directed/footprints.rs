//! Quads whose footprints lie on both sides of every length at which the level of detail changes, or a bit of it is lost.
//!
//! Random edges hardly ever have the one length that tells two comparisons apart. Here the other edge is none, and an edge
//! along u or v, of a row or a column, has each power of two as its length in 1/65536 of the texture and in 1/32 texel, each
//! √2 times a power of two of those, where the level rises, and the lengths just below and above.
//!
//! Cost: about 570 quads for a pair of sizes, 23 pairs where textures have up to 2048 texels a side.

use crate::engines::sampler::contents::TextureMemory;
use crate::engines::sampler::throughput::{Workload, sampler};
use std::collections::BTreeSet;
use std::sync::Arc;
use tmu_spec::fixed::{COORDINATE, FOOTPRINT};
use tmu_spec::{Config, Quad, Texture};

/// Where pixels are that an edge leaves from, unless it is too long: anywhere, so that neighbouring texels differ.
const START: i32 = i32::MIN + 0x1234_5678;

/// The quads for textures of which one side is the longest that is built and the other side any; none without mipmaps.
#[must_use]
pub fn workloads(config: &Config) -> Vec<Workload> {
    let features = config.features();
    let largest = features.max_size_log2();
    let (Some(format), true) = (features.formats().next(), features.mipmaps()) else { return vec![] };
    let sampler = sampler(features, false, true);
    let memory = Arc::new(TextureMemory::noise(1));
    let sizes: BTreeSet<_> = (0..=largest).flat_map(|other| [[other, largest], [largest, other]]).collect();
    let workload = |sizes_log2: [u32; 2]| {
        let Ok(texture) = Texture::new(format, sizes_log2[0], sizes_log2[1], largest) else {
            unreachable!("the texture is within its limits")
        };
        let name = format!("footprints {sizes_log2:?}");
        Workload::new(name, texture, sampler, Arc::clone(&memory), quads(sizes_log2))
    };
    sizes.into_iter().map(workload).collect()
}

fn quads(sizes_log2: [u32; 2]) -> Vec<Quad> {
    let edges =
        [0, 1].into_iter().flat_map(|axis| lengths(sizes_log2[axis]).map(move |length| (axis, length)));
    edges.flat_map(|(axis, length)| [0b10, 0b01].map(|direction| quad(axis, length, direction))).collect()
}

/// A quad with one edge along an axis. Pixels of which the number has the bit of `direction` lie at its far end.
fn quad(axis: usize, length: u32, direction: usize) -> Quad {
    let near = START.min(i32::MAX.wrapping_sub_unsigned(length));
    let uv = [0, 1, 2, 3].map(|pixel: usize| {
        let mut uv = [START; 2];
        uv[axis] = if pixel & direction == 0 { near } else { near.wrapping_add_unsigned(length) };
        uv
    });
    Quad::new(uv, 0b1111)
}

/// Lengths of an edge along an axis of `2^size_log2` texels, with the coordinates' fraction bits.
fn lengths(size_log2: u32) -> impl Iterator<Item = u32> {
    // An edge of the footprint is the difference so many bits down.
    let dropped = COORDINATE.frac_bits() - FOOTPRINT.frac_bits() - size_log2;
    let powers = (0..=32).map(|bit| 1u64 << bit);
    let edges = (0..=FOOTPRINT.bits()).flat_map(|bit| {
        let power = 1u64 << bit;
        [power, (2 * power * power).isqrt() + 1]
    });
    let limits = powers.chain(edges.map(move |edge| edge << dropped));
    let lengths: BTreeSet<u32> = limits
        .flat_map(|limit| [limit - 1, limit, limit + 1])
        .filter_map(|length| length.try_into().ok())
        .collect();
    lengths.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tmu_model::datapath::lod;

    #[test]
    fn edges_have_their_lengths() {
        for (length, direction) in [(0, 1), (1, 2), (u32::MAX, 1), (1 << 31, 2)] {
            let quad = quad(1, length, direction);
            let [u, v] = [0, 1].map(|axis| quad.uv().map(|uv| uv[axis]));
            assert_eq!(u, [START; 4]);
            assert_eq!(v[0].abs_diff(v[3]), length);
            assert_eq!(v[0].abs_diff(v[direction]), length);
            assert_eq!(v[0], v[3 - direction]);
        }
    }

    #[test]
    fn every_level_begins_between_two_lengths() {
        for size_log2 in 0..=11 {
            let levels: Vec<_> = lengths(size_log2)
                .map(|length| (length, lod::level(u64::from(lod::footprint(length, size_log2)).pow(2), 15)))
                .collect();
            for pair in levels.windows(2).filter(|pair| pair[0].1 != pair[1].1) {
                assert_eq!((pair[1].0, pair[1].1), (pair[0].0 + 1, pair[0].1 + 1), "2^{size_log2} texels");
            }
            assert_eq!(levels.last().map(|last| last.1), Some(12), "2^{size_log2} texels");
        }
    }
}
