//! Random jobs, and the memory that they work in.

use rand::Rng;
use rand::seq::IndexedRandom;
use tmu_model::engines::loader::{Job, Settings};
use tmu_spec::Format;
use tmu_spec::general::Kind;
use tmu_spec::general::texture::{FACES, Shape};
use tmu_spec::loader::{has_means, loads};

/// Where memory of jobs begins.
pub const BASE: u32 = 0x2345_6000;
/// Bytes around picture and texture, which nothing may change.
const ROOM_BYTES: u32 = 4096;

/// A side, which often is a small one, or one beside a power of two.
fn side(random: &mut impl Rng, most: u32) -> u32 {
    let side = match random.random_range(0..4) {
        0 => random.random_range(1..=9),
        1 => {
            (1u32 << random.random_range(0..=most.ilog2())).saturating_add_signed(random.random_range(-1..=1))
        }
        _ => random.random_range(1..=most),
    };
    side.clamp(1, most)
}

/// A shape of up to so many texels along a side.
fn shape(random: &mut impl Rng, most: u32) -> Shape {
    let formats: Vec<_> = Format::ALL.into_iter().filter(|format| loads(*format)).collect();
    let format = *formats.choose(random).expect("there are some");
    let kind = *[Kind::D2, Kind::D2, Kind::D3, Kind::Cube, Kind::D2Array].choose(random).expect("five");
    let [width, height] = [side(random, most), side(random, most)];
    let (width, height, depth) = match kind {
        Kind::D3 => (width.min(most / 2), height.min(most / 2), side(random, 12)),
        Kind::Cube => (width.min(most / 2), width.min(most / 2), 1),
        Kind::D2Array => (width.min(most / 2), height.min(most / 2), random.random_range(1..=5)),
        _ => (width, height, 1),
    };
    let all = Shape { kind, width, height, depth, levels: 1, format };
    let levels = match random.random_range(0..3) {
        0 => random.random_range(1..=all.most_levels()),
        _ => all.most_levels(),
    };
    Shape { levels: if has_means(format) { levels } else { 1 }, ..all }
}

/// A job of a shape and its memory, which begins at [`BASE`], with random bytes in it.
pub fn of_shape(random: &mut impl Rng, shape: Shape, is_srgb: bool) -> (Job, Vec<u8>) {
    let slices = shape.level_size(0)[2];
    let row = (shape.width * shape.format.bytes_per_texel()).next_multiple_of(16);
    let pitch = row + if random.random_bool(0.5) { 16 * random.random_range(0..20) } else { 0 };
    let slice_pitch = pitch * shape.height + 16 * random.random_range(0..20);
    let mut room = || 16 * random.random_range(1..ROOM_BYTES / 16);
    let picture = BASE + room();
    let texture = picture + slices * slice_pitch + room();
    let bytes: u64 = (0..shape.levels).map(|level| shape.level_bytes(level)).sum();
    let end = texture + bytes as u32 + ROOM_BYTES;
    let memory = (0..end - BASE).map(|_| random.random()).collect();
    (Job { picture, pitch, slice_pitch, texture, shape, is_srgb }, memory)
}

/// A random job, and its memory.
pub fn random(random: &mut impl Rng, most: u32) -> (Job, Vec<u8>) {
    let shape = shape(random, most);
    let is_srgb = shape.format.can_be_srgb() && random.random_bool(0.5);
    of_shape(random, shape, is_srgb)
}

/// Faces, slices or layers of a job, as its registers count them.
#[must_use]
pub const fn slices(kind: Kind, depth: u32) -> u32 {
    if matches!(kind, Kind::Cube) { FACES } else { depth }
}

/// A job with registers that may be anything, often of a good job.
pub fn wild(random: &mut impl Rng, good: &Settings) -> Settings {
    let mut job = *good;
    for _ in 0..random.random_range(1..=2) {
        match random.random_range(0..11) {
            0 => job.width = *[0, 4097, 8192, 65535].choose(random).expect("four"),
            1 => job.height = *[0, 4097, 5000, 40_960].choose(random).expect("four"),
            2 => job.depth = *[0, 2, 5, 7, 2049, 4096].choose(random).expect("six"),
            3 => job.kind = random.random_range(0..8),
            4 => job.format = random.random(),
            5 => job.levels = random.random_range(0..=255),
            6 => job.is_srgb = !job.is_srgb,
            7 => job.picture += random.random_range(1..16),
            8 => job.texture += random.random_range(1..16),
            9 => job.slice_pitch += random.random_range(1..16),
            _ => job.pitch = random.random_range(0..job.pitch + 1),
        }
    }
    job
}
