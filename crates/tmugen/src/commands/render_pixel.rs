//! `tmugen render --pipeline pixel`: a scene through the golden model of the pixel pipeline, or its hardware in simulation.

use super::render::Args;
use super::sample::problems_of_pair;
use crate::args::{ConfigArgs, check_hardware, load_preset, with_engine};
use crate::choices::{check_picture_name, picture_name};
use crate::console::Summary;
use crate::engine::{Engine, PixelRtlEngine, drawing};
use crate::files::standard::is_standard;
use crate::problem::{Failure, Rule};
use serde_json::json;
use std::path::Path;
use tmu_assets::encode_rgb;
use tmu_model::pixel::Build;
use tmu_problem::Problems;
use tmu_scene::{PixelDrawn, PixelScene, PixelStatistics, draw_pixel, pixel_tile, put_pixel};
use tmu_spec::Config;
use tmu_spec::config::EngineKind;
use tmu_spec::pixel::TileSize;

/// The pipeline that draws where none is named.
const PRESET: &str = "pixel";
/// The most pixels of a side of a frame.
const MOST_PIXELS: u32 = tmu_spec::pixel::MAX_FRAME_SIDE;

/// The pipeline that draws: what is named, or the preset.
pub(super) fn pixel_config(args: &ConfigArgs) -> Result<Config, Failure> {
    if !args.is_named() {
        return load_preset(PRESET);
    }
    with_engine(EngineKind::Pixel, args.load()?, &args.name())
}

/// Refuses a scene whose programs sample what a texture and its sampler contradict or a configuration does not build.
pub(super) fn check_textures(
    scene: &PixelScene,
    path: &Path,
    config: &Config,
    args: &ConfigArgs,
) -> Result<(), Failure> {
    let name = if args.is_named() { args.name() } else { PRESET.to_owned() };
    let features = config.features();
    let general = features.general().expect("the engine's rules ask for the general numerics");
    let mut found = Vec::new();
    for entry in scene.bindings() {
        let Some(line) = entry.line else { continue };
        let names = [&entry.texture, &entry.sampler].map(String::as_str);
        let broken = problems_of_pair(names, &entry.binding, features, general, &name);
        found.extend(broken.into_iter().map(|problem| problem.in_file(path).at(line, None)));
    }
    Ok(Problems::check(found)?)
}

/// What textures a pipeline takes, and its tiles.
pub(super) fn pixel_built(config: &Config) -> (Build, TileSize) {
    let build = Build::of(config).expect("the engine's rules ask for the general numerics");
    (build, config.engine_configs().pixel().tile_size())
}

impl Args {
    /// Refuses what the pixel pipeline has not.
    fn check_pixel(&self) -> Result<(), Failure> {
        let others = [
            ("--compare", self.compare.is_some(), "--engine rtl compares with the golden model by itself"),
            (
                "--record-quads",
                self.record_quads.is_some(),
                "--pipeline pixel draws without streams of quads",
            ),
        ];
        if let Some((option, _, why)) = others.iter().find(|(_, is_there, _)| *is_there) {
            return Err(Failure::new(
                Rule::Usage,
                format!("{option} is not for this: {why}"),
                "leave it out",
            ));
        }
        if is_standard(&self.scene) {
            let message = "--pipeline pixel reads its scene from a file, beside which its programs stand";
            return Err(Failure::new(Rule::Usage, message, "save the scene and name it"));
        }
        Ok(())
    }

    pub(super) fn run_pixel(&self) -> Result<Summary, Failure> {
        check_picture_name(&self.output)?;
        self.check_pixel()?;
        let mut declared = self.files();
        let config = pixel_config(&self.config)?;
        if self.engine == Engine::Rtl {
            check_hardware(&config)?;
        }
        let scene = PixelScene::load(&self.scene)?;
        declared.read_all(scene.files(), "a file of the scene");
        declared.check()?;
        check_textures(&scene, &self.scene, &config, &self.config)?;
        // That of the scene is none too large.
        let size = self.size.unwrap_or(scene.size());
        if size.width().max(size.height()) > MOST_PIXELS {
            let message =
                format!("{size} is over {MOST_PIXELS} pixels a side, the most of the pixel pipeline");
            return Err(Failure::new(Rule::Usage, message, "give a smaller --size"));
        }
        let broke = |error: &dyn std::fmt::Display, help: &str| {
            Failure::in_file(Rule::Engine, &self.scene, format!("the frame was not drawn: {error}"), help)
        };
        let (build, tile) = pixel_built(&config);
        let put = put_pixel(&scene, size, pixel_tile(tile))
            .map_err(|error| broke(&error, "use fewer meshes or a smaller --size"))?;
        let report = "report this together with the scene";
        let PixelDrawn { picture: bytes, statistics, .. } =
            draw_pixel(&put, &build).map_err(|error| broke(&error, report))?;
        let clocks = match self.engine {
            Engine::Golden => None,
            Engine::Rtl => {
                let mut engine = PixelRtlEngine::new(&config, &drawing(size), self.verbosity)?;
                let (drawn, clocks) = engine.draw(&put).map_err(|error| broke(&error, report))?;
                if drawn != bytes {
                    return Err(broke(&"the hardware's picture is not that of the golden model", report));
                }
                Some(clocks)
            }
        };
        let frame = put.rgb(&bytes);
        let picture = encode_rgb(size.width(), size.height(), frame.into_rgb(), picture_name(&self.output))?;
        let stats = serde_json::to_string_pretty(&statistics).expect("numbers") + "\n";
        let mut files = vec![(self.output.as_path(), picture.as_slice())];
        files.extend(self.stats.as_deref().map(|path| (path, stats.as_bytes())));
        declared.put(&files)?;
        Ok(self.summary_pixel(&statistics, clocks))
    }

    fn summary_pixel(&self, statistics: &PixelStatistics, clocks: Option<u64>) -> Summary {
        let output = self.output.display().to_string();
        let mut text = format!(
            "{output}: {} x {}, {} triangles, {:.1} a tile and at most {}\n  overdraw {:.2} before and {:.2} after hidden-surface removal\n  \
             {} bytes read and {} written, {:.2} of an immediate renderer's\n",
            statistics.width,
            statistics.height,
            statistics.triangles,
            statistics.triangles_per_tile,
            statistics.most_triangles_per_tile,
            statistics.overdraw_before,
            statistics.overdraw_after,
            statistics.bytes_read,
            statistics.bytes_written,
            statistics.bytes_ratio,
        );
        if let Some(clocks) = clocks {
            let pixels = f64::from(statistics.width) * f64::from(statistics.height);
            text += &format!(
                "  {clocks} clocks of the pipeline, {:.2} for each pixel; equal to the golden model\n",
                clocks as f64 / pixels
            );
        }
        let data = json!({
            "file": output,
            "engine": self.engine.name(),
            "pipeline": "pixel",
            "statistics": statistics,
            "clocks": clocks,
        });
        Summary::note(text, data)
    }
}
