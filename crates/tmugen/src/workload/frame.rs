//! The quads of a scene's frame, as the rasteriser asks for them: a workload for each texture.

use crate::problem::{Failure, Rule};
use std::path::Path;
use std::sync::Arc;
use tmu_scene::{Batch, Engine, EngineError, EngineStatistics, GoldenEngine, Scene, render};
use tmu_sim::engines::sampler::contents::TextureMemory;
use tmu_sim::engines::sampler::throughput::Workload;
use tmu_spec::{Binding, Config, Quad, QuadResult};

/// The golden model, which keeps the quads of each binding.
struct Recorder<'m> {
    engine: GoldenEngine<'m>,
    quads: Vec<Vec<Quad>>,
}

impl Engine for Recorder<'_> {
    fn sample(&mut self, batch: &Batch<'_>, results: &mut Vec<QuadResult>) -> Result<(), EngineError> {
        for run in batch.runs {
            self.quads[run.binding].extend(&batch.quads[run.quads.clone()]);
        }
        self.engine.sample(batch, results)
    }

    fn statistics(&self) -> EngineStatistics {
        self.engine.statistics()
    }
}

/// The frame of a scene with its own size, a workload for each binding that has `least` quads or more: named
/// `frame:SCENE/TEXTURE`. `config` is that of the unit that draws it, of which nothing but the features counts.
pub(super) fn workloads(path: &Path, config: &Config, least: usize) -> Result<Vec<Workload>, Failure> {
    let scene = Scene::load(path)?;
    let bindings: Vec<Binding> = scene.bindings().copied().collect();
    let mut recorder = Recorder {
        engine: GoldenEngine::new(scene.memory(), config),
        quads: vec![Vec::new(); bindings.len()],
    };
    render(&scene, scene.size(), &mut recorder, &mut |_, _| {}).map_err(|error| {
        Failure::in_file(Rule::Read, path, format!("the scene cannot be drawn: {error}"), "check the scene")
    })?;
    let mut memory = TextureMemory::empty();
    memory.place(0, scene.memory().to_vec());
    let memory = Arc::new(memory);
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let of_binding = |(number, quads): (usize, Vec<Quad>)| Workload {
        name: format!("frame:{stem}/{}", scene.texture_names()[scene.texture_of(number)]),
        binding: bindings[number],
        memory: Arc::clone(&memory),
        quads: quads.into(),
        warm_up_quads: 0,
    };
    let timed = recorder.quads.into_iter().enumerate().filter(|(_, quads)| quads.len() >= least);
    Ok(timed.map(of_binding).collect())
}
