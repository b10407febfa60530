//! `tmugen render`: a scene through the texture unit.

use crate::args::ConfigArgs;
use crate::commands::sample::{Engine, not_built};
use crate::console::{Summary, Verbosity};
use crate::output::write_files;
use crate::problem::{Failure, Problem, Rule};
use crate::progress;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{DynamicImage, ImageFormat, RgbImage};
use serde_json::json;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use tmu_scene::{Frame, GoldenEngine, ImageSize, Scene, Statistics};
use tmu_spec::Config;

/// Draw a scene through the texture unit
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A scene names a camera, textures with samplers, and meshes: OBJ and glTF files, a floor to the horizon, cubes, spheres \
and rectangles on the screen. docs/reference/scene.md describes its keys and the statistics; scenes/ holds examples.

Examples:
  tmugen render scenes/horizon-floor.toml -o floor.png
  tmugen render scenes/cube-photo.toml -o cube.png --size 1920x1080 --stats cube.json
  tmugen render scene.toml -o picture.png --config my_tmu.toml")]
pub(crate) struct Args {
    /// The scene
    #[arg(value_name = "SCENE.toml")]
    scene: PathBuf,
    /// The picture to write; its ending says which kind: .png, .jpg, .tga or .bmp
    #[arg(short, long, value_name = "OUT.png")]
    output: PathBuf,
    #[command(flatten)]
    config: ConfigArgs,
    /// What samples: the golden model or the hardware in simulation (not in this build yet)
    #[arg(long, value_enum, default_value_t)]
    engine: Engine,
    /// Size of the picture in pixels [default: that of the scene]
    #[arg(long, value_name = "WxH")]
    size: Option<ImageSize>,
    /// Where to write statistics: quads, samples, lines touched, hit rate
    #[arg(long, value_name = "S.json")]
    stats: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) verbosity: Verbosity,
}

impl Args {
    pub(crate) fn run(&self) -> Result<Summary, Failure> {
        self.engine.require_golden()?;
        let format = picture_format(&self.output)?;
        let config = self.config.load()?;
        let scene = Scene::load(&self.scene)?;
        self.check_features(&scene, &config)?;
        let (frame, statistics) = self.draw(&scene, &config)?;
        let picture = encode(frame, format);
        let report = json!(statistics);
        let text = format!("{report:#}\n");
        let mut files = vec![(self.output.as_path(), picture.as_slice())];
        files.extend(self.stats.as_deref().map(|path| (path, text.as_bytes())));
        write_files(&files)?;
        Ok(self.summary(&statistics))
    }

    /// Everything that the scene asks for and the configuration does not build.
    fn check_features(&self, scene: &Scene, config: &Config) -> Result<(), Failure> {
        let mut problems: Vec<Problem> = Vec::new();
        for binding in scene.bindings() {
            let found =
                not_built(*binding.texture(), binding.sampler(), config.features(), &self.config.name());
            let found = found.into_iter().map(|problem| problem.in_file(&self.scene));
            found.for_each(|problem| {
                if !problems.contains(&problem) {
                    problems.push(problem);
                }
            });
        }
        if problems.is_empty() { Ok(()) } else { Err(Failure::input(problems)) }
    }

    fn draw(&self, scene: &Scene, config: &Config) -> Result<(Frame, Statistics), Failure> {
        let mut engine = GoldenEngine::new(scene.memory(), config);
        let bar = progress::bar(self.verbosity, 0, "rows of tiles");
        bar.set_message("drawing");
        let mut show = |done: u32, all: u32| {
            bar.set_length(all.into());
            bar.set_position(done.into());
        };
        let drawn = tmu_scene::render(scene, self.size.unwrap_or(scene.size()), &mut engine, &mut show);
        bar.finish_and_clear();
        Ok(drawn.expect("the golden model does not break"))
    }

    fn summary(&self, statistics: &Statistics) -> Summary {
        let output = self.output.display().to_string();
        let Statistics { width, height, requests, .. } = statistics;
        let mut text =
            format!("{output}: {width} x {height}, {} quads, {} samples", requests.quads, requests.samples);
        if let Some(cache) = statistics.cache {
            let percent = cache.hit_rate * 100.0;
            text += &format!(", {} lines touched, {percent:.2} % of lookups hit", cache.counts.lines_touched);
        }
        Summary::note(text + "\n", json!({ "file": output, "engine": "golden", "statistics": statistics }))
    }
}

/// The kind of picture that the ending of the output's name says.
fn picture_format(path: &Path) -> Result<ImageFormat, Failure> {
    let known = [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Tga, ImageFormat::Bmp];
    ImageFormat::from_path(path).ok().filter(|format| known.contains(format)).ok_or_else(|| {
        let message = "the ending is not that of a kind of picture that is written";
        Failure::in_file(Rule::OutputName, path, message, "let the name end in .png, .jpg, .tga or .bmp")
    })
}

/// A picture file.
fn encode(frame: Frame, format: ImageFormat) -> Vec<u8> {
    let size = frame.size();
    let image =
        RgbImage::from_raw(size.width(), size.height(), frame.into_rgb()).expect("three bytes a pixel");
    let image = DynamicImage::from(image);
    let mut bytes = Cursor::new(Vec::new());
    let encoded = match format {
        // Half the size of the crate's own choice, and still fast.
        ImageFormat::Png => {
            let (compression, filter) = (CompressionType::Default, FilterType::Adaptive);
            image.write_with_encoder(PngEncoder::new_with_quality(&mut bytes, compression, filter))
        }
        _ => image.write_to(&mut bytes, format),
    };
    encoded.expect("RGB of 8 bits fits every kind, and memory does not fail");
    bytes.into_inner()
}
