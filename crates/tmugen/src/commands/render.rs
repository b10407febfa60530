//! `tmugen render`: a scene through the texture unit.

use super::recording::{Recorder, Recording};
use crate::args::ConfigArgs;
use crate::choices::check_picture_name;
use crate::console::{Summary, Verbosity};
use crate::engine::{Engine, RtlEngine, not_built};
use crate::files::kind::Kind;
use crate::files::{Files, ForceArgs};
use crate::problem::{Failure, Rule};
use crate::progress;
use serde_json::json;
use std::path::{Path, PathBuf};
use tmu_assets::{Ignored, encode_rgb};
use tmu_problem::{Problem, Problems};
use tmu_scene::{Frame, GoldenEngine, ImageSize, Scene, Statistics, render};
use tmu_spec::Config;

/// Draw a scene through the texture unit
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A scene names a camera, textures with samplers, and meshes: OBJ and glTF files, a floor to the horizon, cubes, spheres \
and rectangles on the screen. docs/reference/scene.md describes its keys and the statistics; scenes/ holds examples.

Examples:
  tmugen render scenes/horizon-floor.toml -o floor.png
  tmugen render scenes/cube-photo.toml -o cube.png --size 320x180 --stats cube.json
  tmugen render scenes/sphere-palette.toml -o spheres.tga --config my_tmu.toml
  tmugen render scenes/cube-photo.toml -o cube.png --engine rtl --compare difference.png
  tmugen render scenes/cube-photo.toml -o cube.png --record-quads paving.csv --record-texture paving
  tmugen bench --quads paving.csv --texture paving.toml")]
pub(crate) struct Args {
    /// The scene
    #[arg(value_name = "SCENE.toml")]
    scene: PathBuf,
    /// The picture to write; its ending says which kind: .png, .jpg, .tga or .bmp
    #[arg(short, long, value_name = "OUT.png")]
    output: PathBuf,
    #[command(flatten)]
    config: ConfigArgs,
    /// What samples: the golden model or the hardware in simulation
    #[arg(long, value_enum, default_value_t)]
    engine: Engine,
    /// Size of the picture in pixels [default: that of the scene]
    #[arg(long, value_name = "WxH")]
    size: Option<ImageSize>,
    /// Draw with the other engine too, write where the two pictures differ, and fail if they do: channels that differ
    /// are at full brightness, all others black
    #[arg(long, value_name = "DIFF.png")]
    compare: Option<PathBuf>,
    /// Where to write what the frame cost: quads, samples, lines touched, hit rate
    #[arg(long, value_name = "S.json")]
    stats: Option<PathBuf>,
    /// Where to write the quads of the frame, in the order in which they are sampled, as sample, bench and explore read
    /// them; their texture goes beside them, into Q.toml and Q.bin
    #[arg(long, value_name = "Q.csv")]
    record_quads: Option<PathBuf>,
    /// The texture whose quads are recorded, by its name in the scene [default: the only one]
    #[arg(long, value_name = "NAME", requires = "record_quads")]
    record_texture: Option<String>,
    #[command(flatten)]
    force: ForceArgs,
    #[command(flatten)]
    pub(crate) verbosity: Verbosity,
}

impl Args {
    pub(crate) fn run(&self) -> Result<Summary, Failure> {
        check_picture_name(&self.output)?;
        self.compare.as_deref().map(check_picture_name).transpose()?;
        let mut declared = self.files();
        let config = self.config.load_classic()?;
        let scene = Scene::load(&self.scene)?;
        declared.read_all(scene.files(), "a file of the scene");
        declared.check()?;
        self.check_bindings(&scene, &config)?;
        let mut recording = self.recording(&scene)?;
        let (frame, statistics) = self.draw(self.engine, &scene, &config, recording.as_mut())?;
        let compared = match &self.compare {
            Some(path) => {
                let (other, _) = self.draw(self.engine.other(), &scene, &config, None)?;
                Some((path.as_path(), Difference::between(frame.rgb(), other.rgb())))
            }
            None => None,
        };
        let size = frame.size();
        let encode = |rgb, path| encode_rgb(size.width(), size.height(), rgb, path);
        let picture = encode(frame.into_rgb(), &self.output)?;
        let difference =
            compared.as_ref().map(|(path, found)| encode(found.rgb.clone(), path)).transpose()?;
        let stats = serde_json::to_string_pretty(&statistics).expect("numbers and names") + "\n";
        let mut files = vec![(self.output.as_path(), picture.as_slice())];
        files.extend(self.stats.as_deref().map(|path| (path, stats.as_bytes())));
        files.extend(self.compare.as_deref().zip(difference.as_deref()));
        let recorded = recording.as_ref().map(Recording::files).unwrap_or_default();
        files.extend(recorded.iter().map(|(path, bytes)| (path.as_path(), bytes.as_slice())));
        declared.put(&files)?;
        let differing_pixels = compared.map(|(path, found)| found.verdict(path)).transpose()?;
        Ok(self.summary(
            &statistics,
            differing_pixels,
            recording.as_ref().map(Recording::len),
            scene.ignored(),
        ))
    }

    /// What is known of the files before the scene is read.
    fn files(&self) -> Files {
        let mut files = Files::new(self.force);
        files.read(&self.scene, "the scene");
        files.read_all(self.config.file(), "the configuration");
        files.write(&self.output, "-o", Kind::Picture);
        files.write_all(&self.compare, "--compare", Kind::Picture);
        files.write_all(&self.stats, "--stats", Kind::Statistics);
        if let Some(quads) = &self.record_quads {
            files.write(quads, "--record-quads", Kind::Quads);
            files.write(quads.with_extension("toml"), "the texture beside --record-quads", Kind::Descriptor);
            files.write(quads.with_extension("bin"), "the texture beside --record-quads", Kind::Memory);
        }
        files
    }

    fn recording<'s>(&'s self, scene: &'s Scene) -> Result<Option<Recording<'s>>, Failure> {
        let recording = |path| Recording::new(scene, &self.scene, path, self.record_texture.as_deref());
        self.record_quads.as_deref().map(recording).transpose()
    }

    /// Refuses a scene that needs what the configuration does not build.
    fn check_bindings(&self, scene: &Scene, config: &Config) -> Result<(), Failure> {
        let mut problems: Vec<Problem> = Vec::new();
        for binding in scene.bindings() {
            for problem in not_built(*binding.texture(), binding.sampler(), config, &self.config.name()) {
                let problem = problem.in_file(&self.scene);
                if !problems.contains(&problem) {
                    problems.push(problem);
                }
            }
        }
        Ok(Problems::check(problems)?)
    }

    fn draw(
        &self,
        engine: Engine,
        scene: &Scene,
        config: &Config,
        recording: Option<&mut Recording<'_>>,
    ) -> Result<(Frame, Statistics), Failure> {
        let bar = progress::bar(self.verbosity, 1, "rows of tiles");
        bar.set_message("drawing");
        let engine: Box<dyn tmu_scene::Engine> = match engine {
            Engine::Golden => Box::new(GoldenEngine::new(scene.memory(), config)),
            Engine::Rtl => {
                let bar = bar.clone();
                let progress = Box::new(move |quads| bar.set_message(format!("{quads} quads simulated")));
                Box::new(RtlEngine::new(config, scene.memory(), self.verbosity, progress)?)
            }
        };
        let mut recorder = Recorder { engine, recording };
        let drawn = render(scene, self.size.unwrap_or(scene.size()), &mut recorder, &mut |done, rows| {
            bar.set_length(rows.into());
            bar.set_position(done.into());
        });
        bar.finish_and_clear();
        drawn.map_err(|error| {
            let help = "report this together with the scene";
            Failure::in_file(Rule::Engine, &self.scene, format!("the engine broke: {error}"), help)
        })
    }

    fn summary(
        &self,
        statistics: &Statistics,
        differing_pixels: Option<usize>,
        recorded_quads: Option<usize>,
        ignored: &[(PathBuf, Ignored)],
    ) -> Summary {
        let output = self.output.display().to_string();
        let mut text = format!(
            "{output}: {} x {}, {} triangles, {} quads, {} samples\n",
            statistics.width,
            statistics.height,
            statistics.triangles,
            statistics.requests.quads,
            statistics.requests.samples,
        );
        if let Some(cache) = &statistics.cache {
            text += &format!(
                "  {} lines touched, {:.2} % of {} lookups without memory\n",
                cache.counts.lines_touched,
                100.0 * cache.hit_rate,
                cache.counts.lookups,
            );
        }
        if let Some(clocks) = statistics.clocks {
            text += &format!("  {clocks} clocks of the texture unit\n");
        }
        let mut data = json!({ "file": output, "engine": self.engine.name(), "statistics": statistics });
        if let Some(pixels) = differing_pixels {
            text += "  the other engine draws the same, to the last bit\n";
            data["differing_pixels"] = pixels.into();
        }
        if let (Some(quads), Some(path)) = (recorded_quads, &self.record_quads) {
            let (path, texture) = (path.display(), path.with_extension("toml"));
            text += &format!("  {path}: {quads} quads; {} describes their texture\n", texture.display());
            data["recorded_quads"] = quads.into();
        }
        for (path, ignored) in ignored {
            text += &format!("  of {}: {ignored}\n", path.display());
        }
        Summary::note(text, data)
    }
}

/// Where two pictures of one size differ.
struct Difference {
    /// 255 in each channel that differs, otherwise 0.
    rgb: Vec<u8>,
    pixels: usize,
}

impl Difference {
    fn between(one: &[u8], other: &[u8]) -> Self {
        let rgb: Vec<u8> =
            std::iter::zip(one, other).map(|(a, b)| if a == b { 0 } else { u8::MAX }).collect();
        let pixels = rgb.chunks(3).filter(|pixel| pixel.iter().any(|channel| *channel != 0)).count();
        Self { rgb, pixels }
    }

    /// The number of pixels that differ, which is 0.
    fn verdict(&self, path: &Path) -> Result<usize, Failure> {
        if self.pixels == 0 {
            return Ok(0);
        }
        let message =
            format!("{} pixels of the golden model's picture and the hardware's differ", self.pixels);
        let help =
            "run tmugen sim with the same configuration to find the stage, and report it with the scene";
        Err(Failure::in_file(Rule::Difference, path, message, help))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_that_differ_are_shown_and_refused() {
        let one = [1, 2, 3, 4, 5, 6, 7, 8, 9];
        let mut other = one;
        assert_eq!(Difference::between(&one, &other).verdict(Path::new("d.png")), Ok(0));
        (other[3], other[5], other[8]) = (0, 7, 10);
        let difference = Difference::between(&one, &other);
        assert_eq!(difference.rgb, [0, 0, 0, 255, 0, 255, 0, 0, 255]);
        let failure = difference.verdict(Path::new("d.png")).unwrap_err();
        assert_eq!(failure.exit, Rule::Difference.exit());
        assert!(failure.problems[0].message.starts_with("2 pixels "), "{failure:?}");
    }
}
