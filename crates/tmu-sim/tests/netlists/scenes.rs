//! Scenes of the repository as small pictures, by the hardware and by the golden model.

use tmu_scene::{
    AnyScene, Batch, Engine, EngineError, EngineStatistics, Frame, GeneralGoldenEngine, GoldenEngine,
    ImageSize, Scene, render,
};
use tmu_sim::engines::sampler::contents::TextureMemory;
use tmu_sim::engines::sampler::general::sampling::General;
use tmu_sim::engines::sampler::sampling::{Classic, Numerics, Run, Sampler};
use tmu_sim::kit::rtl::Rtl;
use tmu_testing::repository;
use tmu_verilate::Model;

const SIZE: [u32; 2] = [64, 48];
const LATENCY_CLOCKS: u32 = 20;

/// What every unit of the classic numerics draws, and of the general ones `multi`.
const CLASSIC: [&str; 3] = ["horizon-floor", "cube-photo", "sphere-palette"];
/// What `multi-lite` draws.
const LITE: [&str; 2] = ["sky-lake", "cube-photo"];
const EVERY: [&str; 6] =
    ["sky-lake", "solid-stone", "shadow-map", "anisotropic-floor", "environment-mipmapped", "sphere-palette"];

struct Hardware<N: Numerics>(Sampler<N>);

impl<N: Numerics> Hardware<N> {
    /// Hardware over the memory of a scene.
    fn new(model: &Model, rtl: &Rtl, memory: &[u8]) -> Self {
        let mut contents = TextureMemory::empty();
        contents.place(0, memory.to_vec());
        Self(Sampler::new(model, rtl, contents, LATENCY_CLOCKS).expect("an instance of the model"))
    }

    fn answer(
        &mut self,
        bindings: &[N::Binding],
        runs: &[tmu_scene::Run],
        quads: &[N::Quad],
        results: &mut Vec<N::QuadResult>,
    ) -> Result<(), EngineError> {
        let run =
            |run: &tmu_scene::Run| Run { binding: &bindings[run.binding], quads: &quads[run.quads.clone()] };
        let runs: Vec<_> = runs.iter().map(run).collect();
        Ok(self.0.sample(&runs, results, &mut |_| ())?)
    }
}

impl Engine for Hardware<Classic> {
    fn sample(
        &mut self,
        batch: &Batch<'_>,
        results: &mut Vec<tmu_spec::QuadResult>,
    ) -> Result<(), EngineError> {
        self.answer(batch.bindings, batch.runs, batch.quads, results)
    }

    fn statistics(&self) -> EngineStatistics {
        EngineStatistics::default()
    }
}

impl Engine<tmu_scene::General> for Hardware<General> {
    fn sample(
        &mut self,
        batch: &Batch<'_, tmu_scene::General>,
        results: &mut Vec<tmu_spec::general::QuadResult>,
    ) -> Result<(), EngineError> {
        self.answer(batch.bindings, batch.runs, batch.quads, results)
    }

    fn statistics(&self) -> EngineStatistics {
        EngineStatistics::default()
    }
}

/// The picture of a scene by an engine. One of which nothing is seen would tell nothing.
fn picture<N: tmu_scene::Numerics>(scene: &Scene<N>, engine: &mut dyn Engine<N>, name: &str) -> Frame {
    let size = ImageSize::new(SIZE[0], SIZE[1]).expect("a size");
    let (frame, statistics) =
        render(scene, size, engine, &mut |_, _| ()).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(statistics.requests.quads > 100, "{name}: {statistics:?}");
    frame
}

/// Draws the scenes that a unit can draw; gives how many.
pub(crate) fn draw(model: &Model, rtl: &Rtl) -> usize {
    let config = &rtl.config;
    let names: &[&str] = match config.name() {
        "multi_lite" => &LITE,
        _ if config.features().general().is_some() => &EVERY,
        _ => &CLASSIC,
    };
    for name in names {
        let path = repository().join(format!("scenes/{name}.toml"));
        let scene = AnyScene::load(&path).unwrap_or_else(|problems| panic!("{name}: {problems:?}"));
        let what = format!("{}, {name}", config.name());
        let (drawn, golden) = if let Some(general) = config.features().general() {
            let scene = scene.into_general(general);
            let mut hardware = Hardware::<General>::new(model, rtl, scene.memory());
            let mut golden = GeneralGoldenEngine::new(scene.memory(), config);
            (picture(&scene, &mut hardware, &what), picture(&scene, &mut golden, &what))
        } else {
            let scene = scene.into_classic(&path).expect("the scene is of the classic numerics");
            let mut hardware = Hardware::<Classic>::new(model, rtl, scene.memory());
            let mut golden = GoldenEngine::new(scene.memory(), config);
            (picture(&scene, &mut hardware, &what), picture(&scene, &mut golden, &what))
        };
        assert!(drawn == golden, "{what}: the pictures differ");
    }
    names.len()
}
