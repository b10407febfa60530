//! A scene of the general numerics: every kind of texture and filter, and what happens at a pixel.
//!
//! Contract: a frame is that of `tmugen render` of the scene where nothing is changed, bit for bit. Levels, probes, taps and tiles are
//! told by the golden model while it samples.
//!
//! Cost: a copy of the scene for each change, and the frame itself; a pixel costs its tile of the picture and the quads that cover it.

mod looking;
mod settings;
mod told;

use crate::job::{Compared, Draw, differing_pixels};
use crate::place::Question;
use crate::problem::Refusal;
use looking::{LookingEngine, QuadNumbers};
use serde_json::{Value, json};
use settings::Chosen;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tmu_problem::{Problem, Problems};
use tmu_scene::{
    Engine, Frame, General, GeneralGoldenEngine, NO_QUAD, Scene, Statistics, layers_at, render, render_seen,
};
use tmu_spec::Config;
use tmu_spec::choice::Choice;
use tmu_spec::general::Filter;
use tmu_spec::general::sampler::ANISOTROPIES;

pub use settings::GeneralSettings;
use settings::MIP_FILTERS;

/// What simulates the unit that draws a scene, and knows what it builds.
pub trait GeneralWorkbench: Send + Sync + 'static {
    /// Everything that the scene needs and the unit does not build.
    fn not_built(&self, scene: &Scene<General>) -> Vec<Problem>;

    /// The tool without which nothing can be simulated here, or why there is no hardware.
    fn missing(&self) -> Option<Problem>;

    /// Hardware over memory from texture address 0 on; `progress` is told how many quads are done.
    ///
    /// # Errors
    /// If it cannot be simulated.
    fn hardware(
        &self,
        memory: &[u8],
        progress: Box<dyn FnMut(u64)>,
    ) -> Result<Box<dyn Engine<General>>, Vec<Problem>>;
}

/// What all requests share.
pub struct GeneralSession {
    scene: Scene<General>,
    about: String,
    config: Config,
    workbench: Arc<dyn GeneralWorkbench>,
    /// The scene as it was changed last, and how.
    changed: Mutex<Option<(Chosen, Arc<Scene<General>>)>>,
}

/// A frame by the golden model.
#[derive(Debug)]
pub struct DrawnScene {
    /// The frame.
    pub frame: Frame,
    /// What it cost.
    pub statistics: Statistics,
    /// What each texture is and how it is read, with its probes.
    bindings: Vec<Value>,
    /// Of each pixel: level of detail in 1/256 levels, lowest byte first; probes; number of the binding. All ones where nothing is drawn.
    pub(crate) pixels: Vec<u8>,
    /// What it took.
    pub elapsed: Duration,
}

impl GeneralSession {
    /// A session with a scene, what the page says of it in a line, and the unit that draws it.
    pub fn new(
        scene: Scene<General>,
        about: String,
        config: Config,
        workbench: Arc<dyn GeneralWorkbench>,
    ) -> Self {
        GeneralSession { scene, about, config, workbench, changed: Mutex::new(None) }
    }

    pub(crate) fn workbench(&self) -> &dyn GeneralWorkbench {
        &*self.workbench
    }

    /// What the page starts with.
    #[must_use]
    pub fn first_settings(&self) -> GeneralSettings {
        GeneralSettings::of(self.scene.size())
    }

    /// The scene with what was chosen, if the unit builds that.
    fn changed(&self, chosen: Chosen) -> Result<Arc<Scene<General>>, Refusal> {
        let mut last = self.changed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, scene)) = last.as_ref().filter(|(of, _)| *of == chosen) {
            return Ok(Arc::clone(scene));
        }
        let scene = self
            .scene
            .clone()
            .looking(chosen.right_degrees, chosen.up_degrees, chosen.zoom)
            .with_samplers(|texture, sampler| chosen.change(texture, sampler));
        Problems::check(self.workbench.not_built(&scene))?;
        let scene = Arc::new(scene);
        *last = Some((chosen, Arc::clone(&scene)));
        Ok(scene)
    }

    /// Draws by the golden model.
    ///
    /// # Errors
    /// Settings that are out of range, and what the unit does not build.
    pub fn draw(&self, settings: &GeneralSettings) -> Result<DrawnScene, Refusal> {
        let begin = Instant::now();
        let chosen = settings.chosen()?;
        let scene = self.changed(chosen)?;
        let mut engine = LookingEngine::new(GeneralGoldenEngine::new(scene.memory(), &self.config));
        let (frame, statistics, seen) =
            render_seen(&scene, chosen.size, &mut engine).map_err(Refusal::internal)?;
        let pixels = pixels(&seen, &engine.numbers, chosen.size.width());
        let mut probes = vec![[0u64; 2]; scene.bindings().len()];
        for numbers in &engine.numbers {
            let of = &mut probes[usize::from(numbers.binding)];
            of[0] += numbers.probes.iter().map(|probes| u64::from(*probes)).sum::<u64>();
            of[1] += numbers.probes.iter().filter(|probes| **probes != 0).count() as u64;
        }
        let bindings =
            scene.bindings().enumerate().zip(probes).map(|((number, binding), [probes, samples])| {
                let mut told = told::texture(&scene, number, binding);
                (told["probes"], told["samples"]) = (probes.into(), samples.into());
                told
            });
        let bindings = bindings.collect();
        Ok(DrawnScene { frame, statistics, bindings, pixels, elapsed: begin.elapsed() })
    }

    /// What happens at a pixel.
    ///
    /// # Errors
    /// A pixel outside the frame; as [`GeneralSession::draw`].
    pub(crate) fn pixel(&self, question: &Question<GeneralSettings>) -> Result<Value, Refusal> {
        let chosen = question.settings().chosen()?;
        let place = question.place(chosen.size)?;
        let scene = self.changed(chosen)?;
        let mut engine = GeneralGoldenEngine::new(scene.memory(), &self.config);
        let layers = layers_at(&scene, chosen.size, place, &mut engine).map_err(Refusal::internal)?;
        let bindings: Vec<_> = scene.bindings().collect();
        let told = layers.iter().map(|layer| {
            let trace = engine.unit(layer.binding).and_then(|unit| unit.trace(&layer.quad));
            told::layer(scene.numerics(), bindings[layer.binding], layer, trace.as_ref())
        });
        let color = layers.iter().rev().find_map(|layer| layer.drawn);
        Ok(json!({
            "pixel": place,
            "color": color.unwrap_or_else(|| scene.background()),
            "layers": told.collect::<Vec<_>>(),
        }))
    }

    /// What draws by both engines, and how many quads there are.
    ///
    /// # Errors
    /// As [`GeneralSession::draw`].
    pub(crate) fn drawing(&self, settings: &GeneralSettings) -> Result<(u64, Draw<ComparedScene>), Refusal> {
        let chosen = settings.chosen()?;
        let scene = self.changed(chosen)?;
        let mut golden = GeneralGoldenEngine::new(scene.memory(), &self.config);
        let (golden, statistics) =
            render(&scene, chosen.size, &mut golden, &mut |_, _| {}).map_err(Refusal::internal)?;
        let quads = statistics.requests.quads;
        let workbench = Arc::clone(&self.workbench);
        let draw = move |done: Arc<AtomicU64>| {
            let progress = Box::new(move |quads| done.store(quads, Ordering::Relaxed));
            let mut engine = workbench.hardware(scene.memory(), progress).map_err(Refusal::input)?;
            let (hardware, statistics) =
                render(&scene, chosen.size, &mut *engine, &mut |_, _| {}).map_err(Refusal::internal)?;
            Ok(ComparedScene { golden, hardware, statistics })
        };
        Ok((quads, Box::new(draw)))
    }

    /// What the page has to know before it shows anything.
    pub(crate) fn options(&self) -> Value {
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "about": self.about,
            "filters": Filter::CHOICES.iter().map(|filter| filter.name()).collect::<Vec<_>>(),
            "mips": MIP_FILTERS.map(Choice::name),
            "anisotropies": ANISOTROPIES,
            "settings": self.first_settings(),
        })
    }
}

/// What is told of each pixel, in four bytes.
fn pixels(seen: &[u32], numbers: &[QuadNumbers], width: u32) -> Vec<u8> {
    let of = |(at, quad): (usize, &u32)| {
        if *quad == NO_QUAD {
            return [u8::MAX; 4];
        }
        let QuadNumbers { lod, binding, probes } = numbers[*quad as usize];
        let [x, y] = [at % width as usize, at / width as usize];
        let [low, high] = lod.to_le_bytes();
        [low, high, probes[x % 2 + y % 2 * 2], binding]
    };
    seen.iter().enumerate().flat_map(of).collect()
}

impl DrawnScene {
    /// What the page says beside the frame.
    pub(crate) fn data(&self) -> Value {
        json!({
            "width": self.statistics.width,
            "height": self.statistics.height,
            "statistics": self.statistics,
            "bindings": self.bindings,
            "milliseconds": self.elapsed.as_secs_f64() * 1000.0,
        })
    }
}

/// A frame by both engines.
pub(crate) struct ComparedScene {
    golden: Frame,
    hardware: Frame,
    statistics: Statistics,
}

impl Compared for ComparedScene {
    fn data(&self, number: u64, time: Duration) -> Value {
        json!({
            "number": number,
            "width": self.statistics.width,
            "height": self.statistics.height,
            "differing_pixels": differing_pixels(self.golden.rgb(), self.hardware.rgb()),
            "clocks": self.statistics.clocks,
            "quads": self.statistics.requests.quads,
            "samples": self.statistics.requests.samples,
            "seconds": time.as_secs_f64(),
        })
    }

    fn pictures(&self) -> [&[u8]; 2] {
        [self.golden.rgb(), self.hardware.rgb()]
    }
}

#[cfg(test)]
mod tests;
