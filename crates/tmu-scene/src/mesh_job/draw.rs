//! A job step after step: pictures and points into memory, the engine, the frame buffer out of it.

use std::sync::Arc;

use super::load::{MeshJob, Step};
use super::picture::Picture565;
use super::points::Points;
use crate::engine::EngineError;
use serde::Serialize;
use tmu_model::engines::mesh::Job;
use tmu_model::engines::mesh::vertices::point_address;

/// Where memory begins: points, the texture and the frame buffer, one behind the other.
pub const MEMORY_BASE: u32 = 0x1000_0000;
/// Bytes of the points of the largest mesh.
const POINT_BYTES: u32 = 128 * 128 * 8;
/// What pictures in memory begin at.
const ALIGNMENT: u32 = 64;

/// What draws a job.
pub trait MeshEngine {
    /// Does a job in a memory that begins at [`MEMORY_BASE`]. The job keeps the rules, and stays within.
    ///
    /// # Errors
    /// Only if the engine itself breaks.
    fn run(&mut self, job: &Job, memory: &mut Vec<u8>) -> Result<MeshCounts, EngineError>;
}

/// What a run has cost. Of the golden model there are no clocks, and nothing of the cache.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct MeshCounts {
    /// Pixels drawn.
    pub pixels_drawn: u64,
    /// Pixels left out: outside the frame buffer, or of the key's colour.
    pub pixels_left_out: u64,
    /// Lines of 16 bytes of the texture that are needed, each once.
    pub texture_lines: u64,
    /// Lines of the frame buffer under the pixels, each once.
    pub frame_lines: u64,
    /// Clocks from the start to the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clocks: Option<u64>,
    /// Lines of the texture that were read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub texture_lines_read: Option<u64>,
    /// Look-ups of the texture cache that found their line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub texture_hits: Option<u64>,
    /// Clocks in which a pixel waited for the texture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clocks_stalled: Option<u64>,
}

impl MeshCounts {
    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let both = |one: Option<u64>, two: Option<u64>| one.zip(two).map(|(one, two)| one + two);
        Self {
            pixels_drawn: self.pixels_drawn + other.pixels_drawn,
            pixels_left_out: self.pixels_left_out + other.pixels_left_out,
            texture_lines: self.texture_lines + other.texture_lines,
            frame_lines: self.frame_lines + other.frame_lines,
            clocks: both(self.clocks, other.clocks),
            texture_lines_read: both(self.texture_lines_read, other.texture_lines_read),
            texture_hits: both(self.texture_hits, other.texture_hits),
            clocks_stalled: both(self.clocks_stalled, other.clocks_stalled),
        }
    }
}

/// What a whole job has cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MeshStatistics {
    /// Of all runs together.
    pub total: MeshCounts,
    /// Run by run.
    pub runs: Vec<MeshCounts>,
}

/// The golden model.
#[derive(Debug, Clone, Copy, Default)]
pub struct Golden565;

impl MeshEngine for Golden565 {
    fn run(&mut self, job: &Job, memory: &mut Vec<u8>) -> Result<MeshCounts, EngineError> {
        let refused = |refusal| format!("the job is refused: {refusal:?}");
        let lines = job.lines(MEMORY_BASE, memory).map_err(refused)?;
        let counts = job.run(MEMORY_BASE, memory).map_err(refused)?;
        Ok(MeshCounts {
            pixels_drawn: counts.drawn,
            pixels_left_out: counts.left_out,
            texture_lines: lines.texture,
            frame_lines: lines.frame,
            ..MeshCounts::default()
        })
    }
}

/// Does all steps of a job. Gives the pictures that are to be written; `on_run` is told how many runs are done.
///
/// # Errors
/// Only if the engine itself breaks.
pub fn draw_mesh_job(
    of: &MeshJob,
    engine: &mut dyn MeshEngine,
    on_run: &mut dyn FnMut(u64),
) -> Result<(Vec<Picture565>, MeshStatistics), EngineError> {
    let (mut pictures, mut runs) = (Vec::with_capacity(of.outputs()), Vec::new());
    let mut previous: Option<Arc<Picture565>> = None;
    for step in &of.steps {
        for _ in 0..step.repeat {
            let (picture, counts) = run(step, previous.as_ref(), engine)?;
            runs.push(counts);
            on_run(runs.len() as u64);
            if step.is_output {
                pictures.push(picture.clone());
            }
            previous = Some(Arc::new(picture));
        }
    }
    let total = runs.iter().copied().reduce(MeshCounts::plus).unwrap_or_default();
    Ok((pictures, MeshStatistics { total, runs }))
}

/// One run of a step.
pub(super) fn run(
    step: &Step,
    previous: Option<&Arc<Picture565>>,
    engine: &mut dyn MeshEngine,
) -> Result<(Picture565, MeshCounts), EngineError> {
    let or_previous = |own: &Option<Arc<Picture565>>, is_previous: bool| match previous {
        Some(previous) if is_previous => Some(previous.clone()),
        _ => own.clone(),
    };
    let texture = or_previous(&step.texture, step.texture_is_previous).ok_or("there is no texture")?;
    let [width, height] = [step.job.frame_width, step.job.frame_height];
    let frame = or_previous(&step.frame, step.frame_is_previous);
    let frame = frame.unwrap_or_else(|| Arc::new(Picture565::black(width, height)));
    let (job, mut memory) = laid_out(&step.job, &step.points, &texture, &frame);
    let counts = engine.run(&job, &mut memory)?;
    let start = (job.frame - MEMORY_BASE) as usize;
    let bytes = &memory[start..start + 2 * (width * height) as usize];
    Ok((Picture565::from_bytes(width, height, bytes), counts))
}

/// A job with its addresses, and the memory that it works in: a whole number of lines.
fn laid_out(job: &Job, points: &Points, texture: &Picture565, frame: &Picture565) -> (Job, Vec<u8>) {
    let texture_start = POINT_BYTES;
    let aligned = |bytes: u32| bytes.next_multiple_of(ALIGNMENT);
    let frame_start = texture_start + aligned(2 * texture.width() * texture.height());
    let end = frame_start + aligned(2 * frame.width() * frame.height());
    let job = Job {
        vertices: MEMORY_BASE,
        texture: MEMORY_BASE + texture_start,
        texture_width: texture.width(),
        texture_height: texture.height(),
        frame: MEMORY_BASE + frame_start,
        frame_width: frame.width(),
        frame_height: frame.height(),
        ..job.clone()
    };
    let mut memory = vec![0; end as usize];
    let mut place = |start: u32, bytes: &[u8]| memory[start as usize..][..bytes.len()].copy_from_slice(bytes);
    for (number, [u, v]) in (0..).zip(&points.words) {
        let start = point_address(0, number % points.columns, number / points.columns);
        place(start, &u.to_le_bytes());
        place(start + 4, &v.to_le_bytes());
    }
    place(texture_start, &texture.bytes());
    place(frame_start, &frame.bytes());
    (job, memory)
}
