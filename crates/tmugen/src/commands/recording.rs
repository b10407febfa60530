//! The quads of one texture of a scene, kept while the scene is drawn, and written as what `sample`, `bench` and
//! `explore` read: a list of quads, and the texture beside it.

use crate::files::kind::QUAD_COLUMNS;
use crate::problem::{Failure, Rule};
use crate::quads::write_quad;
use std::path::{Path, PathBuf};
use tmu_assets::descriptor;
use tmu_scene::{Batch, Engine, EngineError, EngineStatistics, Numerics, Scene};
use tmu_spec::{Quad, Texture};

/// What is recorded, and where it goes.
pub(super) struct Recording<'s> {
    scene: &'s Scene,
    /// Index of the texture's name.
    texture: usize,
    path: &'s Path,
    quads: Vec<Quad>,
}

impl<'s> Recording<'s> {
    /// Records the quads of the texture with a name, which may be left out where the scene samples a single one.
    pub(super) fn new(
        scene: &'s Scene,
        scene_path: &Path,
        path: &'s Path,
        texture: Option<&str>,
    ) -> Result<Self, Failure> {
        if path.extension().is_none_or(|extension| extension != "csv") {
            let help = format!("use {}", path.with_extension("csv").display());
            return Err(Failure::in_file(
                Rule::OutputName,
                path,
                "the name of a list of quads ends in .csv",
                help,
            ));
        }
        let names = scene.texture_names();
        let sampled: Vec<_> = (0..names.len())
            .filter(|texture| {
                (0..scene.bindings().len()).any(|binding| scene.texture_of(binding) == *texture)
            })
            .collect();
        let found = match texture {
            Some(name) => sampled.iter().find(|texture| names[**texture] == name),
            None => sampled.first().filter(|_| sampled.len() == 1),
        };
        match found {
            Some(texture) => Ok(Self { scene, texture: *texture, path, quads: Vec::new() }),
            None => {
                let sampled: Vec<_> = sampled.iter().map(|texture| names[*texture].as_str()).collect();
                let message = match texture {
                    Some(name) => format!("the scene samples no texture named {name:?}"),
                    None => {
                        format!("the scene samples {} textures, but a list of quads is of one", sampled.len())
                    }
                };
                let help = format!("use --record-texture with one of {}", sampled.join(", "));
                Err(Failure::in_file(Rule::RecordTexture, scene_path, message, help))
            }
        }
    }

    /// Keeps what a batch asks of the texture.
    pub(super) fn add(&mut self, batch: &Batch<'_>) {
        let runs = batch.runs.iter().filter(|run| self.scene.texture_of(run.binding) == self.texture);
        self.quads.extend(runs.flat_map(|run| &batch.quads[run.quads.clone()]));
    }

    /// How many quads there are.
    pub(super) fn len(&self) -> usize {
        self.quads.len()
    }

    /// The list of quads, and descriptor and memory of the texture, with their paths.
    pub(super) fn files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut rows = QUAD_COLUMNS.join(",") + "\n";
        self.quads.iter().for_each(|quad| write_quad(&mut rows, quad));
        let mut files = vec![(self.path.to_path_buf(), rows.into_bytes())];
        if let Some((texture, memory)) = self.texture() {
            files.push((self.path.with_extension("toml"), descriptor(texture).into_bytes()));
            files.push((self.path.with_extension("bin"), memory.to_vec()));
        }
        files
    }

    fn texture(&self) -> Option<(Texture, &[u8])> {
        let mut bindings = self.scene.bindings().enumerate();
        let (_, binding) = bindings.find(|(number, _)| self.scene.texture_of(*number) == self.texture)?;
        let (first, bytes) = (binding.base() as usize, binding.texture().bytes() as usize);
        Some((*binding.texture(), self.scene.memory().get(first..first + bytes)?))
    }
}

/// Is told what is asked.
pub(super) type Listener<'r, N> = &'r mut dyn FnMut(&Batch<'_, N>);

/// An engine that also tells what it is asked.
pub(super) struct Recorder<'e, 'r, N: Numerics> {
    pub(super) engine: Box<dyn Engine<N> + 'e>,
    pub(super) listener: Option<Listener<'r, N>>,
}

impl<N: Numerics> Engine<N> for Recorder<'_, '_, N> {
    fn sample(&mut self, batch: &Batch<'_, N>, results: &mut Vec<N::QuadResult>) -> Result<(), EngineError> {
        if let Some(listener) = &mut self.listener {
            listener(batch);
        }
        self.engine.sample(batch, results)
    }

    fn statistics(&self) -> EngineStatistics {
        self.engine.statistics()
    }
}
