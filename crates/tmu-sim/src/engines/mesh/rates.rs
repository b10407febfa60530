//! Pixels a clock of whole frames, against what memory allows.
//!
//! Each frame has 640 x 480 pixels, drawn from a texture of 512 x 512. Memory gives a line and takes a line in a clock, so a frame takes at
//! least as many clocks as it has pixels, as it reads lines and as it writes lines. Which lines are read is as the engine counts
//! them; the least that any cache could read, each line once, stands beside it.

use super::jobs::BASE;
use super::{Done, Mesher};
use crate::kit::error::{Cause, Result};
use crate::kit::memory::{Bytes, MemoryTiming};
use crate::kit::pauses::Pauses;
use crate::kit::system::SystemOptions;
use tmu_model::engines::mesh::Job;
use tmu_model::engines::mesh::vertices::point_address;
use tmu_spec::Config;
use tmu_verilate::Model;

/// Room for the points of a mesh.
const POINT_BYTES: u32 = 128 * 128 * 8;
/// Side of the texture, and the bytes that it takes.
const SIDE: u32 = 512;
const TEXTURE_BYTES: u32 = 2 * SIDE * SIDE;
/// No mask, and one that lets the texture repeat.
const NONE: u32 = 0x3_ffff;
const REPEAT: u32 = SIDE * 64 - 1;
/// One that lets its first 32 x 32 texels repeat.
const SMALL: u32 = 32 * 64 - 1;

/// A frame whose rate is measured.
#[derive(Debug, Clone, Copy)]
pub struct FrameKind {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it draws.
    pub about: &'static str,
    /// Share of the bound that it reaches at least.
    pub least_share: f64,
    alpha: u32,
    mask: u32,
    /// Where a pixel of the frame lies in the texture, in texels.
    place: fn(f64, f64) -> [f64; 2],
}

const fn opaque(
    name: &'static str,
    about: &'static str,
    mask: u32,
    place: fn(f64, f64) -> [f64; 2],
) -> FrameKind {
    FrameKind { name, about, least_share: 0.97, alpha: 63, mask, place }
}

const fn blended(frame: FrameKind, name: &'static str, about: &'static str) -> FrameKind {
    FrameKind { name, about, least_share: 0.90, alpha: 31, ..frame }
}

/// Cosine and sine of 30 degrees.
const TURN: [f64; 2] = [0.866_025_403_784_438_6, 0.5];

const HITS: FrameKind = FrameKind {
    least_share: 0.98,
    ..opaque("hits", "32 x 32 texels again and again", SMALL, |x, y| [x + 0.5, y + 0.5])
};
const COPY: FrameKind = opaque("copy", "a texel a pixel", NONE, |x, y| [x, y]);
const TURNED: FrameKind = opaque("turn", "a turn by 90 degrees", NONE, |x, y| [y, 511.0 - x]);
const ZOOM_IN: FrameKind =
    opaque("zoom-in", "four pixels a texel, each way", NONE, |x, y| [100.0 + x / 4.0, 100.0 + y / 4.0]);
const ROTOZOOM: FrameKind = opaque("rotozoom", "turned by 30 degrees, repeated", REPEAT, |x, y| {
    [TURN[0] * x - TURN[1] * y, TURN[1] * x + TURN[0] * y]
});

/// The frames, in the order in which they are shown.
pub const FRAMES: [FrameKind; 11] = [
    HITS,
    COPY,
    TURNED,
    ROTOZOOM,
    ZOOM_IN,
    opaque("zoom-out", "nearly two texels a pixel, each way", REPEAT, |x, y| [1.9 * x, 1.9 * y]),
    blended(HITS, "hits-blended", "32 x 32 texels, alpha 31"),
    blended(COPY, "copy-blended", "a texel a pixel, alpha 31"),
    blended(TURNED, "turn-blended", "a turn by 90 degrees, alpha 31"),
    blended(ROTOZOOM, "rotozoom-blended", "turned by 30 degrees, alpha 31"),
    blended(ZOOM_IN, "zoom-in-blended", "four pixels a texel, alpha 31"),
];

impl FrameKind {
    /// The frame of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        FRAMES.into_iter().find(|frame| frame.name == name)
    }

    /// Its job, and the memory that it works in, which begins at [`BASE`].
    #[must_use]
    pub fn job(&self) -> (Job, Vec<u8>) {
        let job = Job {
            hmeshlast: 40,
            vmeshlast: 30,
            vertices: BASE,
            texture: BASE + POINT_BYTES,
            frame: BASE + POINT_BYTES + TEXTURE_BYTES,
            mask_x: self.mask,
            mask_y: self.mask,
            alpha: self.alpha,
            ..Job::default()
        };
        let bytes = POINT_BYTES + TEXTURE_BYTES + 2 * job.frame_width * job.frame_height;
        let mut memory: Vec<u8> = (0..bytes).map(|at| (at.wrapping_mul(0x9e37_79b1) >> 21) as u8).collect();
        for y in 0..=job.vmeshlast {
            for x in 0..=job.hmeshlast {
                let pixel = [x * job.rectangle_width, y * job.rectangle_height].map(f64::from);
                for (word, texels) in (self.place)(pixel[0], pixel[1]).into_iter().enumerate() {
                    let at = point_address(0, x, y) as usize + 4 * word;
                    memory[at..at + 4].copy_from_slice(&((texels * 64.0).round() as i32).to_le_bytes());
                }
            }
        }
        (job, memory)
    }
}

/// How fast a frame was drawn.
#[derive(Debug, Clone, Copy)]
pub struct FrameRate {
    /// Pixels a clock, from the start to the interrupt.
    pub pixels_per_clock: f64,
    /// What memory allows of it, at most 1, for the lines that were read and written.
    pub bound: f64,
    /// Bytes read a pixel.
    pub bytes_read_per_pixel: f64,
    /// The same, had each line that is needed been read once.
    pub least_bytes_read_per_pixel: f64,
}

impl FrameRate {
    /// Share of the bound that is reached.
    #[must_use]
    pub fn share(&self) -> f64 {
        self.pixels_per_clock / self.bound
    }
}

/// Draws a frame by the hardware in simulation, with memory of 16 bytes a clock, compares it with the golden model, and gives its rate.
///
/// # Errors
/// If the hardware breaks a rule or draws something else.
pub fn measure(
    model: &Model,
    config: &Config,
    frame: &FrameKind,
    latency_clocks: u32,
    pauses: Pauses,
) -> Result<FrameRate> {
    let (job, mut expected) = frame.job();
    let options = SystemOptions {
        memory_timing: MemoryTiming { pauses, ..MemoryTiming::latency(latency_clocks.max(1)) },
        ..SystemOptions::new(config, 1)
    };
    let mut mesher = Mesher::new(model, config, &options, Bytes::new(BASE.into(), expected.clone()))?;
    let done = mesher.run(&job)?;
    let check = |what: String, mesher: &mut Mesher| Err(mesher.system().failure(Cause::Check(what)));
    let lines = job.lines(BASE, &mut expected);
    let (Ok(lines), Ok(_)) = (lines, job.run(BASE, &mut expected)) else {
        return check(format!("the frame {} is refused", frame.name), &mut mesher);
    };
    if done.code != 0 || mesher.bytes() != expected {
        let what = format!("the frame {} is not the golden model's; its code is {}", frame.name, done.code);
        return check(what, &mut mesher);
    }
    Ok(rate(&job, done, lines.texture, lines.frame))
}

fn rate(job: &Job, done: Done, texture_lines: u64, frame_lines: u64) -> FrameRate {
    let pixels = job.pixels() as f64;
    let points = u64::from((job.hmeshlast + 1) * (job.vmeshlast + 1)).div_ceil(2);
    let own = points + if job.reads_frame() { frame_lines } else { 0 };
    let read = done.texture_lines + own;
    FrameRate {
        pixels_per_clock: pixels / done.clocks as f64,
        bound: (pixels / read.max(frame_lines) as f64).min(1.0),
        bytes_read_per_pixel: 16.0 * read as f64 / pixels,
        least_bytes_read_per_pixel: 16.0 * (texture_lines + own) as f64 / pixels,
    }
}
