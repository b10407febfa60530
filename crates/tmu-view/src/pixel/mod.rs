//! A frame of the pixel pipeline: its tiles, and what happens at a pixel.
//!
//! Contract: a frame is that of `tmugen render --pipeline pixel` of the scene, bit for bit. All that is said of tiles and pixels the golden
//! model counts and tells itself while it draws.
//!
//! Cost: a frame is put into memory once for each size of it and its tiles, and the last one kept; a pixel costs its tile.

mod settings;
mod told;

use crate::job::{Compared, Draw, differing_pixels};
use crate::place::Question;
use crate::problem::{Refusal, Rule};
use serde_json::{Value, json};
use settings::Chosen;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tmu_model::pixel::{Build, Counts};
use tmu_problem::Problem;
use tmu_scene::{
    EngineError, Frame, PixelDrawn, PixelError, PixelFrame, PixelScene, PixelStatistics, draw_pixel,
    pixel_tile, put_pixel, trace_pixel,
};
use tmu_spec::LINE_BYTES;
use tmu_spec::choice::Choice;
use tmu_spec::pixel::{FaultCode, TileSize};

pub use settings::PixelSettings;

/// The pipeline in simulation.
pub trait PixelEngine {
    /// Draws a frame. Gives the bytes of the picture and the clocks that it took.
    ///
    /// # Errors
    /// If the simulation breaks down or the frame ends with a fault.
    fn draw(&mut self, frame: &PixelFrame) -> Result<(Vec<u8>, u64), EngineError>;
}

/// What simulates the pipeline.
pub trait PixelWorkbench: Send + Sync + 'static {
    /// The tool without which nothing can be simulated here, if one is missing.
    fn missing(&self) -> Option<Problem>;

    /// The pipeline in simulation.
    ///
    /// # Errors
    /// If it cannot be simulated.
    fn hardware(&self) -> Result<Box<dyn PixelEngine>, Vec<Problem>>;
}

/// A pipeline as it was built.
#[derive(Debug, Clone, Copy)]
pub struct PixelBuild {
    /// What its textures may be.
    pub build: Build,
    /// Its tiles.
    pub tile: TileSize,
}

/// What all requests share.
pub struct PixelSession {
    scene: PixelScene,
    about: String,
    built: PixelBuild,
    workbench: Arc<dyn PixelWorkbench>,
    /// The frame that was put last, and for what.
    put: Mutex<Option<(Chosen, Arc<PixelFrame>)>>,
}

/// A frame by the golden model.
#[derive(Debug)]
pub struct DrawnPixels {
    /// The frame.
    pub frame: Frame,
    /// What it cost.
    pub statistics: PixelStatistics,
    /// What each tile took, row by row.
    pub(crate) tiles: Vec<Counts>,
    /// Pixels of a row and rows of a tile.
    tile: [u32; 2],
    /// What it took.
    pub elapsed: Duration,
}

/// What was wrong with a frame.
fn broken(error: &PixelError) -> Refusal {
    let (rule, help) = match error {
        PixelError::Driver(_) => (Rule::Setting, "use a smaller size, or a scene of fewer meshes"),
        PixelError::Fault(fault) if fault.code == FaultCode::Texture => {
            (Rule::Setting, "start tmugen view with a pipeline that builds what the scene's textures ask for")
        }
        PixelError::Fault(_) => (Rule::Internal, "report this together with the scene"),
    };
    Refusal::new(rule, format!("the frame was not drawn: {error}"), help)
}

impl PixelSession {
    /// A session with a scene, what the page says of it in a line, and the pipeline that draws it.
    pub fn new(
        scene: PixelScene,
        about: String,
        built: PixelBuild,
        workbench: Arc<dyn PixelWorkbench>,
    ) -> Self {
        PixelSession { scene, about, built, workbench, put: Mutex::new(None) }
    }

    pub(crate) fn workbench(&self) -> &dyn PixelWorkbench {
        &*self.workbench
    }

    /// What the page starts with.
    #[must_use]
    pub fn first_settings(&self) -> PixelSettings {
        let size = self.scene.size();
        PixelSettings { width: size.width(), height: size.height(), tile: self.built.tile.to_string() }
    }

    /// The frame in memory.
    fn put(&self, chosen: Chosen) -> Result<Arc<PixelFrame>, Refusal> {
        let mut last = self.put.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, put)) = last.as_ref().filter(|(of, _)| *of == chosen) {
            return Ok(Arc::clone(put));
        }
        let put = put_pixel(&self.scene, chosen.size, pixel_tile(chosen.tile))
            .map_err(|error| broken(&PixelError::Driver(error)))?;
        let put = Arc::new(put);
        *last = Some((chosen, Arc::clone(&put)));
        Ok(put)
    }

    /// The pipeline, built for the tiles that were chosen.
    fn build(&self, chosen: Chosen) -> Build {
        self.built.build.with_tile(chosen.tile)
    }

    /// Draws by the golden model.
    ///
    /// # Errors
    /// Settings that are out of range, and what the pipeline does not build.
    pub fn draw(&self, settings: &PixelSettings) -> Result<DrawnPixels, Refusal> {
        let begin = Instant::now();
        let chosen = settings.chosen()?;
        let put = self.put(chosen)?;
        let drawn = draw_pixel(&put, &self.build(chosen)).map_err(|error| broken(&error))?;
        let PixelDrawn { picture, statistics, tiles } = drawn;
        let tile = [chosen.tile.width(), chosen.tile.height()];
        Ok(DrawnPixels { frame: put.rgb(&picture), statistics, tiles, tile, elapsed: begin.elapsed() })
    }

    /// What happens at a pixel.
    ///
    /// # Errors
    /// A pixel outside the frame; as [`PixelSession::draw`].
    pub(crate) fn pixel(&self, question: &Question<PixelSettings>) -> Result<Value, Refusal> {
        let chosen = question.settings().chosen()?;
        let place = question.place(chosen.size)?;
        let put = self.put(chosen)?;
        let trace = trace_pixel(&put, &self.build(chosen), place).map_err(|error| broken(&error))?;
        Ok(told::told(&trace, place))
    }

    /// What draws by both engines. How many quads are done it does not say.
    ///
    /// # Errors
    /// Settings that are out of range, and tiles that the hardware does not have.
    pub(crate) fn drawing(&self, settings: &PixelSettings) -> Result<(u64, Draw<ComparedPixels>), Refusal> {
        let chosen = settings.chosen()?;
        if chosen.tile != self.built.tile {
            let message =
                format!("the hardware is built for tiles of {}, not of {}", self.built.tile, chosen.tile);
            return Err(Refusal::new(Rule::Setting, message, "choose its tiles, or another configuration"));
        }
        let (put, build) = (self.put(chosen)?, self.build(chosen));
        let workbench = Arc::clone(&self.workbench);
        let draw = move |_| {
            let mut engine = workbench.hardware().map_err(Refusal::input)?;
            let golden = draw_pixel(&put, &build).map_err(|error| broken(&error))?.picture;
            let (hardware, clocks) = engine.draw(&put).map_err(Refusal::internal)?;
            Ok(ComparedPixels { golden: put.rgb(&golden), hardware: put.rgb(&hardware), clocks })
        };
        Ok((0, Box::new(draw)))
    }

    /// What the page has to know before it shows anything.
    pub(crate) fn options(&self) -> Value {
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "about": self.about,
            "tiles": TileSize::CHOICES.iter().map(|tile| tile.name()).collect::<Vec<_>>(),
            "settings": self.first_settings(),
        })
    }
}

impl DrawnPixels {
    /// What the page says beside the frame: what it cost, and of each tile what it took.
    pub(crate) fn data(&self) -> Value {
        let each = |count: fn(&Counts) -> u64| self.tiles.iter().map(count).collect::<Vec<_>>();
        json!({
            "width": self.statistics.width,
            "height": self.statistics.height,
            "tile": self.tile,
            "statistics": self.statistics,
            "tiles": {
                "triangles": each(|tile| tile.triangles),
                "covered": each(|tile| tile.covered),
                "passed": each(|tile| tile.passed),
                "shaded": each(|tile| tile.shaded),
                "quads": each(|tile| tile.quads),
                "instructions": each(|tile| tile.instructions),
                "look_ups": each(|tile| tile.sampled_quads),
                "bytes_read": each(|tile| tile.lines_read * u64::from(LINE_BYTES)),
                "bytes_written": each(|tile| tile.bytes_written),
            },
            "milliseconds": self.elapsed.as_secs_f64() * 1000.0,
        })
    }
}

/// A frame by both engines.
pub(crate) struct ComparedPixels {
    golden: Frame,
    hardware: Frame,
    clocks: u64,
}

impl Compared for ComparedPixels {
    fn data(&self, number: u64, time: Duration) -> Value {
        let size = self.golden.size();
        json!({
            "number": number,
            "width": size.width(),
            "height": size.height(),
            "differing_pixels": differing_pixels(self.golden.rgb(), self.hardware.rgb()),
            "clocks": self.clocks,
            "seconds": time.as_secs_f64(),
        })
    }

    fn pictures(&self) -> [&[u8]; 2] {
        [self.golden.rgb(), self.hardware.rgb()]
    }
}

#[cfg(test)]
mod tests;
