//! Pixels a clock of whole frames, by latency, against what memory allows.

use crate::{mesher, runs};
use tmu_model::engines::mesh::Job;
use tmu_model::engines::mesh::vertices::point_address;
use tmu_sim::engines::mesh::jobs::BASE;
use tmu_sim::kit::memory::MemoryTiming;
use tmu_sim::kit::pauses::Pauses;

/// Room for the points of a mesh.
const POINT_BYTES: u32 = 128 * 128 * 8;

/// A frame of 640 x 480 from a texture of 512 x 512, whose points are at these places, in 64ths of a texel for a pixel of
/// the frame; and how many of its pixels are drawn.
fn frame(alpha: u32, mask: u32, place: impl Fn(f64, f64) -> [f64; 2]) -> (Job, Vec<u8>) {
    let texture_bytes = 2 * 512 * 512;
    let job = Job {
        hmeshlast: 40,
        vmeshlast: 30,
        vertices: BASE,
        texture: BASE + POINT_BYTES,
        frame: BASE + POINT_BYTES + texture_bytes,
        mask_x: mask,
        mask_y: mask,
        alpha,
        ..Job::default()
    };
    let mut memory: Vec<u8> = (0..POINT_BYTES + texture_bytes + 2 * 640 * 480)
        .map(|at: u32| (at.wrapping_mul(0x9e37_79b1) >> 21) as u8)
        .collect();
    for y in 0..=job.vmeshlast {
        for x in 0..=job.hmeshlast {
            let point = place(f64::from(16 * x), f64::from(16 * y));
            for (word, value) in point.into_iter().enumerate() {
                let at = (point_address(0, x, y)) as usize + 4 * word;
                memory[at..at + 4].copy_from_slice(&((value * 64.0).round() as i32).to_le_bytes());
            }
        }
    }
    (job, memory)
}

/// Every frame is drawn at nearly a pixel a clock, or as fast as the lines that it needs can be read and written.
#[test]
fn whole_frames_are_drawn_at_the_rate_that_memory_allows() {
    let (cosine, sine) = (30_f64.to_radians().cos(), 30_f64.to_radians().sin());
    let all = 0x3_ffff;
    let frames: [(&str, (Job, Vec<u8>), f64); 6] = [
        ("copy", frame(63, all, |x, y| [x, y]), 0.97),
        ("90 degrees", frame(63, all, |x, y| [y, 511.0 - x]), 0.97),
        ("rotozoom", frame(63, 0x7fff, |x, y| [cosine * x - sine * y, sine * x + cosine * y]), 0.97),
        ("zoom in", frame(63, all, |x, y| [100.0 + 0.25 * x, 100.0 + 0.25 * y]), 0.97),
        ("zoom out", frame(63, 0x7fff, |x, y| [1.9 * x, 1.9 * y]), 0.97),
        ("copy, blended", frame(31, all, |x, y| [x, y]), 0.90),
    ];
    for latency in [0, 20, 60] {
        let Some(mut mesher) = mesher(MemoryTiming::latency(latency.max(1)), Pauses::NONE, 1) else { return };
        for (name, (job, memory), least) in &frames {
            let mut copy = memory.clone();
            let lines = job.lines(BASE, &mut copy).unwrap();
            let done = runs(&mut mesher, job, memory.clone(), name);
            let read = done.texture_lines + if job.reads_frame() { lines.frame } else { 0 };
            let bound = (job.pixels() as f64 / read.max(lines.frame) as f64).min(1.0);
            let rate = job.pixels() as f64 / done.clocks as f64;
            println!(
                "{name}, latency {latency}: {rate:.3} pixels a clock, of {bound:.3}; {} lines read",
                read
            );
            assert!(rate >= least * bound, "{name}, latency {latency}: {rate:.3} of {bound:.3}");
        }
    }
}
