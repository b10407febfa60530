//! A mesh that is drawn and changed: the first step of a job of the engine `mesh`, its points dragged on the page.
//!
//! Contract: a frame is that of `tmugen mesh` of the two files that the page offers, bit for bit.
//!
//! Cost: a copy of texture, frame buffer and points, and the frame itself, each time.

mod settings;

use crate::job::{Compared, Draw, differing_pixels};
use crate::problem::Refusal;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tmu_problem::Problem;
use tmu_scene::{Golden565, MeshCounts, MeshEngine, MeshStep, Picture565};

pub use settings::MeshSettings;

/// The name of the file of points that the page offers.
pub(crate) const POINTS_NAME: &str = "view.csv";

/// What simulates the engine.
pub trait MeshWorkbench: Send + Sync + 'static {
    /// The tool without which nothing can be simulated here, if one is missing.
    fn missing(&self) -> Option<Problem>;

    /// The engine in simulation.
    ///
    /// # Errors
    /// If it cannot be simulated.
    fn hardware(&self) -> Result<Box<dyn MeshEngine>, Vec<Problem>>;
}

/// What all requests share.
pub struct MeshSession {
    /// As the file has it.
    step: MeshStep,
    about: String,
    workbench: Arc<dyn MeshWorkbench>,
}

/// A frame by the golden model.
#[derive(Debug)]
pub struct DrawnMesh {
    /// The frame.
    pub picture: Picture565,
    /// What it cost.
    pub counts: MeshCounts,
    /// What it took.
    pub elapsed: Duration,
}

impl MeshSession {
    /// A session with a step of a job, and what the page says of it in a line.
    pub fn new(step: MeshStep, about: String, workbench: Arc<dyn MeshWorkbench>) -> Self {
        MeshSession { step, about, workbench }
    }

    pub(crate) fn workbench(&self) -> &dyn MeshWorkbench {
        &*self.workbench
    }

    /// What the page starts with.
    #[must_use]
    pub fn first_settings(&self) -> MeshSettings {
        MeshSettings::of(&self.step)
    }

    /// Draws by the golden model.
    ///
    /// # Errors
    /// Points of another mesh.
    pub fn draw(&self, settings: &MeshSettings) -> Result<DrawnMesh, Refusal> {
        let begin = Instant::now();
        let (picture, counts) =
            settings.changed(&self.step)?.draw(&mut Golden565).map_err(Refusal::internal)?;
        Ok(DrawnMesh { picture, counts, elapsed: begin.elapsed() })
    }

    /// The files that draw what the settings say.
    ///
    /// # Errors
    /// Points of another mesh.
    pub(crate) fn files(&self, settings: &MeshSettings) -> Result<Value, Refusal> {
        let step = settings.changed(&self.step)?;
        let about = "A job as drawn by `tmugen view`; it stands beside the one that was looked at, and so do its points.";
        let job = format!("# {about}\n\n{}", step.job_file(POINTS_NAME));
        Ok(json!({ "points": step.points_file(), "job": job }))
    }

    /// What draws by both engines. How many quads there are and are done it does not say.
    ///
    /// # Errors
    /// Points of another mesh.
    pub(crate) fn drawing(&self, settings: &MeshSettings) -> Result<(u64, Draw<ComparedMesh>), Refusal> {
        let (step, workbench) = (settings.changed(&self.step)?, Arc::clone(&self.workbench));
        let draw = move |_| {
            let mut engine = workbench.hardware().map_err(Refusal::input)?;
            let (golden, _) = step.draw(&mut Golden565).map_err(Refusal::internal)?;
            let (hardware, counts) = step.draw(&mut *engine).map_err(Refusal::internal)?;
            Ok(ComparedMesh { size: golden.size(), golden: golden.rgb(), hardware: hardware.rgb(), counts })
        };
        Ok((0, Box::new(draw)))
    }

    /// What the page has to know before it shows anything.
    pub(crate) fn options(&self) -> Value {
        let job = self.step.job();
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "about": self.about,
            "rectangles": [job.hmeshlast, job.vmeshlast],
            "rectangle": [job.rectangle_width, job.rectangle_height],
            "texture": self.step.texture_size(),
            "points_name": POINTS_NAME,
            "settings": self.first_settings(),
        })
    }
}

/// A frame by both engines.
pub(crate) struct ComparedMesh {
    size: [u32; 2],
    golden: Vec<u8>,
    hardware: Vec<u8>,
    counts: MeshCounts,
}

impl Compared for ComparedMesh {
    fn data(&self, number: u64, time: Duration) -> Value {
        let [width, height] = self.size;
        json!({
            "number": number,
            "width": width,
            "height": height,
            "differing_pixels": differing_pixels(&self.golden, &self.hardware),
            "counts": self.counts,
            "seconds": time.as_secs_f64(),
        })
    }

    fn pictures(&self) -> [&[u8]; 2] {
        [&self.golden, &self.hardware]
    }
}
