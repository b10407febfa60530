//! `tmugen view --pipeline pixel`: a scene, and the pipeline that draws it.

use super::render_pixel::{check_textures, pixel_built, pixel_config};
use super::view::{SILENT, missing_tool};
use crate::args::{ConfigArgs, check_hardware};
use crate::engine::PixelRtlEngine;
use crate::files::standard::is_standard;
use crate::problem::{Failure, Rule};
use std::path::Path;
use std::sync::Arc;
use tmu_problem::Problem;
use tmu_scene::{EngineError, PixelFrame, PixelScene};
use tmu_spec::Config;
use tmu_verilate::ModelOptions;
use tmu_view::{PixelBuild, PixelEngine, PixelSession, PixelWorkbench};

/// What the page shows of a scene, which has been drawn once.
pub(super) fn session(scene: Option<&Path>, args: &ConfigArgs) -> Result<PixelSession, Failure> {
    let Some(path) = scene.filter(|path| !is_standard(path)) else {
        let message = "--pipeline pixel shows a scene, which it reads from a file";
        return Err(Failure::new(Rule::Usage, message, "name one, such as scenes/pixel/courtyard.toml"));
    };
    let config = pixel_config(args)?;
    let scene = PixelScene::load(path)?;
    check_textures(&scene, path, &config, args)?;
    let about = format!(
        "{} through the pipeline of {}: its tiles and what they took, and what happens at a pixel, by the golden model; the \
         hardware draws on demand.",
        path.file_name().unwrap_or_default().display(),
        config.name(),
    );
    let (build, tile) = pixel_built(&config);
    let session = PixelSession::new(scene, about, PixelBuild { build, tile }, Arc::new(Simulator(config)));
    session.draw(&session.first_settings())?;
    Ok(session)
}

/// What simulates the pipeline of a configuration.
struct Simulator(Config);

impl PixelWorkbench for Simulator {
    fn missing(&self) -> Option<Problem> {
        let not_built = check_hardware(&self.0).err();
        not_built.and_then(|failure| failure.problems.into_iter().next()).or_else(missing_tool)
    }

    fn hardware(&self) -> Result<Box<dyn PixelEngine>, Vec<Problem>> {
        let engine = PixelRtlEngine::new(&self.0, &ModelOptions::default(), SILENT)
            .map_err(|failure| failure.problems)?;
        Ok(Box::new(engine))
    }
}

impl PixelEngine for PixelRtlEngine {
    fn draw(&mut self, frame: &PixelFrame) -> Result<(Vec<u8>, u64), EngineError> {
        PixelRtlEngine::draw(self, frame)
    }
}
