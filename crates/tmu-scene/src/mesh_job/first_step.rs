//! The first step of a job by itself, to be changed and drawn again: registers and points, and the files that draw the same.
//!
//! Contract: the job file that it writes, beside the CSV file of its points and the pictures of the first one, is drawn as the
//! step itself.

use std::fmt::Write as _;
use std::sync::Arc;

use super::draw::{MeshCounts, MeshEngine, run};
use super::load::{MeshJob, Step};
use super::picture::Picture565;
use super::points::Points;
use crate::engine::EngineError;
use serde::Serialize;
use tmu_model::engines::mesh::Job;

/// The first step of a job.
#[derive(Debug, Clone)]
pub struct MeshStep(Step);

impl MeshJob {
    /// The first step. It depends on no other one.
    #[must_use]
    pub fn first_step(&self) -> MeshStep {
        MeshStep(self.steps[0].clone())
    }

    /// Steps that the file lists.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.steps.len()
    }
}

impl MeshStep {
    /// Its registers; the addresses in them do not count, nor does the size of the texture.
    #[must_use]
    pub const fn job(&self) -> &Job {
        &self.0.job
    }

    /// Width and height of the texture.
    #[must_use]
    pub fn texture_size(&self) -> [u32; 2] {
        self.0.texture.as_ref().map_or([0; 2], |texture| texture.size())
    }

    /// The points of the mesh, row by row: column and row in the texture, of which 6 bits are behind the point.
    #[must_use]
    pub fn points(&self) -> &[[i32; 2]] {
        &self.0.points.words
    }

    /// The same pictures with other registers and points.
    ///
    /// # Panics
    /// If the mesh, the frame buffer or the number of points is not that of this step.
    #[must_use]
    pub fn with(&self, job: Job, words: Vec<[i32; 2]>) -> Self {
        let sizes = |job: &Job| [job.hmeshlast, job.vmeshlast, job.frame_width, job.frame_height];
        assert_eq!((sizes(&job), words.len()), (sizes(self.job()), self.points().len()));
        let points = Arc::new(Points { columns: self.0.points.columns, words });
        Self(Step { job, points, ..self.0.clone() })
    }

    /// Draws it once.
    ///
    /// # Errors
    /// Only if the engine itself breaks.
    pub fn draw(&self, engine: &mut dyn MeshEngine) -> Result<(Picture565, MeshCounts), EngineError> {
        run(&self.0, None, engine)
    }

    /// The CSV file of the points.
    #[must_use]
    pub fn points_file(&self) -> String {
        let mut text = "x,y,u,v\n".to_owned();
        for (number, [u, v]) in (0..).zip(self.points()) {
            let (x, y) = (number % self.0.points.columns, number / self.0.points.columns);
            let _ = writeln!(text, "{x},{y},{u},{v}");
        }
        text
    }

    /// The job file that draws this step with the points in a file of that name.
    #[must_use]
    pub fn job_file(&self, vertices: &str) -> String {
        let job = self.job();
        let [texture_width, texture_height] = self.texture_size();
        let keys = File {
            texture: self.0.texture_name.as_deref().unwrap_or_default(),
            frame: self.0.frame_name.as_deref(),
            vertices,
            hmeshlast: job.hmeshlast,
            vmeshlast: job.vmeshlast,
            rectangle_width: job.rectangle_width,
            rectangle_height: job.rectangle_height,
            x_offset: job.x_offset,
            y_offset: job.y_offset,
            texture_width,
            texture_height,
            frame_width: job.frame_width,
            frame_height: job.frame_height,
            mask_x: job.mask_x,
            mask_y: job.mask_y,
            brightness: job.brightness,
            chroma_key_enable: job.chroma_key_enable,
            chroma_key: job.chroma_key,
            alpha: job.alpha,
            additive: job.additive,
        };
        toml::to_string(&keys).expect("numbers and texts")
    }
}

/// The keys of the file, in its order.
#[derive(Serialize)]
struct File<'t> {
    texture: &'t str,
    #[serde(skip_serializing_if = "Option::is_none")]
    frame: Option<&'t str>,
    vertices: &'t str,
    hmeshlast: u32,
    vmeshlast: u32,
    rectangle_width: u32,
    rectangle_height: u32,
    x_offset: i32,
    y_offset: i32,
    texture_width: u32,
    texture_height: u32,
    frame_width: u32,
    frame_height: u32,
    mask_x: u32,
    mask_y: u32,
    brightness: u32,
    chroma_key_enable: bool,
    chroma_key: u16,
    alpha: u32,
    additive: bool,
}
