//! `tmugen view SCENE.toml`: a scene, and the texture unit that draws it.

use super::render::Drawn;
use super::view::{SILENT, missing_tool};
use crate::args::{ConfigArgs, check_hardware, load_preset, with_units};
use crate::problem::{Failure, Rule};
use std::path::Path;
use std::sync::Arc;
use tmu_problem::Problem;
use tmu_scene::{AnyScene, Engine, General, MAX_SCENE_BYTES, Scene};
use tmu_spec::Config;
use tmu_verilate::ModelOptions;
use tmu_view::{GeneralSession, GeneralWorkbench};

/// The preset of which the page takes a scene's unit where none is named.
const USUAL_PRESET: &str = "multi";

/// The unit that draws: what is named, or the preset that builds everything.
fn config(args: &ConfigArgs) -> Result<(Config, String), Failure> {
    if !args.is_named() {
        return Ok((load_preset(USUAL_PRESET)?, USUAL_PRESET.to_owned()));
    }
    let name = args.name();
    let config = with_units(args.load()?, &name)?;
    if config.features().general().is_none() {
        let message =
            format!("{name} follows the classic numerics, and the page of a scene shows the general ones");
        return Err(Failure::new(
            Rule::NotBuilt,
            message,
            "leave it out, or use a preset like multi or multi-lite",
        ));
    }
    Ok((config, name))
}

/// Whether a TOML file is a scene: it has a table for its picture, which a job of `tmugen mesh` has not. What cannot be read is none.
pub(super) fn is_scene(path: &Path) -> bool {
    let text = tmu_assets::read_text(path, MAX_SCENE_BYTES).ok();
    let table = text.and_then(|text| text.parse::<toml::Table>().ok());
    table.is_some_and(|table| table.contains_key("image"))
}

/// What the page shows of a scene, which has been drawn once; and what its pictures say of their colours and is passed over.
pub(super) fn session(path: &Path, args: &ConfigArgs) -> Result<(GeneralSession, Vec<String>), Failure> {
    let (config, name) = config(args)?;
    let general = config.features().general().expect("the unit follows the general numerics");
    let scene = AnyScene::load(path)?.into_general(general);
    let notes = scene.ignored().iter().map(|(path, ignored)| format!("of {}: {ignored}", path.display()));
    let notes = notes.collect();
    let about = format!(
        "{} through the texture unit of {name}: levels, probes and textures of the frame, and what happens at a pixel, by the \
         golden model; the hardware draws on demand.",
        path.file_name().unwrap_or_default().display(),
    );
    let simulator = Arc::new(Simulator { config: config.clone(), name });
    let session = GeneralSession::new(scene, about, config, simulator);
    session.draw(&session.first_settings())?;
    Ok((session, notes))
}

/// What simulates the unit of a configuration.
struct Simulator {
    config: Config,
    name: String,
}

impl GeneralWorkbench for Simulator {
    fn not_built(&self, scene: &Scene<General>) -> Vec<Problem> {
        General::not_built(scene, &self.config, &self.name)
    }

    fn missing(&self) -> Option<Problem> {
        let not_built = check_hardware(&self.config).err();
        not_built.and_then(|failure| failure.problems.into_iter().next()).or_else(missing_tool)
    }

    fn hardware(
        &self,
        memory: &[u8],
        progress: Box<dyn FnMut(u64)>,
    ) -> Result<Box<dyn Engine<General>>, Vec<Problem>> {
        General::rtl(&self.config, memory, &ModelOptions::default(), SILENT, progress)
            .map_err(|failure| failure.problems)
    }
}
