//! Random jobs, and the memory that they work in.

use rand::Rng;
use std::ops::RangeInclusive;
use tmu_model::engines::mesh::Job;
use tmu_model::engines::mesh::vertices::point_address;

/// Where memory of jobs begins.
pub const BASE: u32 = 0x2345_6000;
/// Bytes of the points of the largest mesh, and of the room in front of each picture.
const POINT_BYTES: u32 = 128 * 128 * 8;
const ROOM_BYTES: u32 = 4096;

/// What jobs are like.
#[derive(Debug, Clone)]
pub struct Shape {
    /// Sides of textures and frame buffers.
    pub sides: RangeInclusive<u32>,
    /// Sides of rectangles.
    pub rectangles: RangeInclusive<u32>,
    /// Most rectangles across and down.
    pub most_rectangles: u32,
    /// Most pixels of a job, whether they lie in the frame buffer or not.
    pub most_pixels: u64,
}

/// Jobs of small pictures, drawn often.
pub const SMALL: Shape =
    Shape { sides: 1..=64, rectangles: 1..=24, most_rectangles: 6, most_pixels: 64 * 64 };

/// Jobs of any resolution, mask and alignment.
pub const ANY: Shape =
    Shape { sides: 1..=2047, rectangles: 1..=2047, most_rectangles: 127, most_pixels: 20_000 };

/// A random number, often one of the ends of its range or near one.
fn edgy(random: &mut impl Rng, range: RangeInclusive<u32>) -> u32 {
    let (low, high) = (*range.start(), *range.end());
    match random.random_range(0..6) {
        0 => low,
        1 => high,
        2 => random.random_range(low..=high.min(low.saturating_add(16))),
        _ => random.random_range(low..=high),
    }
}

/// A mask: none, a power of two less 1, or any bits.
fn mask(random: &mut impl Rng) -> u32 {
    match random.random_range(0..4) {
        0 => (1 << random.random_range(0..=18)) - 1,
        1 => random.random_range(0..1 << 18),
        _ => 0x3_ffff,
    }
}

/// A share of 0 to 63, which often is 63.
fn share(random: &mut impl Rng) -> u32 {
    if random.random_bool(0.5) { 63 } else { random.random_range(0..64) }
}

/// A job of a shape and its memory, which begins at [`BASE`], with random bytes in it.
pub fn random(random: &mut impl Rng, shape: &Shape) -> (Job, Vec<u8>) {
    let side = |random: &mut _| edgy(random, shape.sides.clone());
    let mut job = Job {
        chroma_key_enable: random.random_bool(0.3),
        additive: random.random_bool(0.3),
        hmeshlast: edgy(random, 1..=shape.most_rectangles),
        vmeshlast: edgy(random, 1..=shape.most_rectangles),
        brightness: share(random),
        chroma_key: random.random(),
        texture_width: side(random),
        texture_height: side(random),
        mask_x: mask(random),
        mask_y: mask(random),
        frame_width: side(random),
        frame_height: side(random),
        rectangle_width: edgy(random, shape.rectangles.clone()),
        rectangle_height: edgy(random, shape.rectangles.clone()),
        alpha: share(random),
        ..Job::default()
    };
    while job.pixels() > shape.most_pixels {
        let sides =
            [&mut job.hmeshlast, &mut job.vmeshlast, &mut job.rectangle_width, &mut job.rectangle_height];
        let largest = sides.into_iter().max().expect("four sides");
        *largest = (*largest / 2).max(1);
    }
    job.x_offset = offset(random, job.frame_width, job.hmeshlast * job.rectangle_width);
    job.y_offset = offset(random, job.frame_height, job.vmeshlast * job.rectangle_height);
    let memory = memory(random, &mut job);
    (job, memory)
}

/// An offset at which some of a mesh lies in the frame buffer, or rarely none.
fn offset(random: &mut impl Rng, frame: u32, mesh: u32) -> i32 {
    match random.random_range(0..12) {
        0 => random.random(),
        1..6 => 0,
        _ => random.random_range(-(mesh as i32)..=frame as i32),
    }
}

/// Places points and pictures, each at any address that it may have, and gives their memory.
fn memory(random: &mut impl Rng, job: &mut Job) -> Vec<u8> {
    let mut end = BASE;
    let mut place = |bytes: u32, alignment: u32| {
        let start = end + random.random_range(0..ROOM_BYTES / alignment) * alignment;
        end = (start + bytes).next_multiple_of(16);
        start
    };
    job.vertices = place(POINT_BYTES, 8);
    job.texture = place(2 * job.texture_width * job.texture_height, 2);
    job.frame = place(2 * job.frame_width * job.frame_height, 2);
    let mut bytes = vec![0; (end - BASE) as usize];
    random.fill_bytes(&mut bytes);
    // Few colours, so that the key is met.
    let texture = (job.texture - BASE) as usize;
    if job.chroma_key_enable {
        let key = job.chroma_key.to_le_bytes();
        let end = texture + 2 * (job.texture_width * job.texture_height) as usize;
        for texel in bytes[texture..end].chunks_mut(2) {
            if random.random_bool(0.5) {
                texel.copy_from_slice(&key);
            }
        }
    }
    points(random, job, &mut bytes);
    bytes
}

/// Fills in the points of a mesh: anywhere, or a walk through the texture.
fn points(random: &mut impl Rng, job: &Job, bytes: &mut [u8]) {
    let is_anywhere = random.random_bool(0.3);
    let mut slope = |side: u32| random.random_range(-(side as i32) * 32..=side as i32 * 32);
    let (along, down) = (
        [slope(job.texture_width), slope(job.texture_height)],
        [slope(job.texture_width), slope(job.texture_height)],
    );
    let start = [slope(job.texture_width), slope(job.texture_height)];
    for y in 0..=job.vmeshlast {
        for x in 0..=job.hmeshlast {
            for axis in 0..2 {
                let word: u32 = if is_anywhere {
                    random.random()
                } else {
                    (start[axis] + along[axis] * x as i32 + down[axis] * y as i32) as u32
                };
                let at = (point_address(job.vertices, x, y) - BASE) as usize + 4 * axis;
                bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
            }
        }
    }
}
