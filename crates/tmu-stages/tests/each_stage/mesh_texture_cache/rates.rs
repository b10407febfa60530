//! Pixels a clock, where memory gives a line a clock and nobody pauses: as many as it has lines for, at most one.

use super::memory::{Manner, Memory};
use super::twin::Tags;
use crate::mesh_address::{Pixel, Texture, footprint_bits};
use crate::support::is_high;
use tmu_rtl::engines::mesh::texture_cache::TextureCache;
use tmu_rtl::engines::mesh::texture_cache::words::CacheShape;
use tmu_stages::{Check, Rig};

/// The share of what memory allows, in hundredths.
const LEAST_PERCENT: u64 = 97;

/// A picture drawn by a walk through the texture.
struct Picture {
    name: &'static str,
    size: [i64; 2],
    /// From column to column, and from row to row: u and v, 11.6.
    across: [i64; 2],
    down: [i64; 2],
    start: [i64; 2],
}

const PICTURES: [Picture; 6] = [
    Picture { name: "copy", size: [320, 6], across: [64, 0], down: [0, 64], start: [0, 0] },
    Picture { name: "90 degrees", size: [320, 9], across: [0, 64], down: [64, 0], start: [20, 40] },
    Picture { name: "diagonal", size: [200, 10], across: [45, 45], down: [-45, 45], start: [4000, 10] },
    Picture { name: "zoom in", size: [320, 6], across: [20, 0], down: [0, 20], start: [9, 9] },
    Picture { name: "zoom out", size: [250, 8], across: [256, 0], down: [0, 256], start: [30, 30] },
    Picture { name: "zoom far out", size: [100, 20], across: [1300, 0], down: [0, 1300], start: [30, 30] },
];

impl Picture {
    fn pixels(&self) -> Vec<Pixel> {
        let [width, height] = self.size;
        let pixel = |x: i64, y: i64| {
            let at = |axis: usize| {
                (self.start[axis] + x * self.across[axis] + y * self.down[axis]).cast_unsigned()
            };
            Pixel { u: at(0), v: at(1), place: 0, is_end: false }
        };
        (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| pixel(x, y)).collect()
    }
}

#[test]
pub(crate) fn latency_20() {
    PICTURES.iter().for_each(|picture| rate(picture, 20));
}

#[test]
pub(crate) fn latency_60() {
    PICTURES.iter().for_each(|picture| rate(picture, 60));
}

#[allow(clippy::print_stderr, reason = "the figures of the run")]
fn rate(picture: &Picture, latency_clocks: u64) {
    const KIB: u64 = 32;
    let mut check = Check::new("mesh_texture_cache rate");
    let mut rig = Rig::new("mesh_texture_cache", TextureCache::new(CacheShape::of_kib(KIB as usize)));
    let texture = Texture { base: 1003, width: 2047, height: 2047 };
    let manner = Manner { latency_clocks, pauses: 0, failures: 0, wrong_lengths: 0 };
    let (mut tags, mut memory) = (Tags::new(KIB), Memory::default());
    let pixels = picture.pixels();
    let lines: usize = pixels.iter().map(|pixel| tags.misses(&texture, *pixel).len()).sum();
    let (mut sent, mut taken, mut clocks) = (0, 0, 0u64);
    while taken < pixels.len() {
        rig.footprint.valid.drive(sent < pixels.len());
        if let Some(pixel) = pixels.get(sent) {
            rig.footprint.data.drive(footprint_bits(&texture, *pixel));
        }
        rig.taps.ready.drive(true);
        memory.drive(&mut check, &rig, &manner, 0);
        rig.settle();
        sent += usize::from(sent < pixels.len() && is_high(rig.footprint.ready.val()));
        taken += usize::from(is_high(rig.taps.valid.val()));
        // What comes before the first texels is the latency, and no rate.
        clocks += u64::from(taken > 0);
        memory.take(&mut check, &rig, &manner);
        rig.tick();
        check.holds(clocks < 20 * pixels.len() as u64, "it goes on");
    }
    let least_clocks = pixels.len().max(lines) as u64;
    let name = picture.name;
    eprintln!("{name}, latency {latency_clocks}: {} pixels, {lines} lines, {clocks} clocks", pixels.len());
    check.holds(
        LEAST_PERCENT * clocks <= 100 * least_clocks,
        format_args!("{name}, latency {latency_clocks}: {clocks} clocks where {least_clocks} would do"),
    );
}
