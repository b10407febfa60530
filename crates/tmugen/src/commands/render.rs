//! `tmugen render`: a scene through the texture unit.

use super::recording::{Listener, Recorder, Recording};
use super::sample;
use crate::args::{ConfigArgs, check_hardware, with_units};
use crate::choices::{check_picture_name, picture_name};
use crate::console::{Summary, Verbosity};
use crate::engine::{Engine, RtlEngine, drawing, not_built};
use crate::files::kind::Kind;
use crate::files::standard::{is_standard, read_text};
use crate::files::{Files, ForceArgs};
use crate::problem::{Failure, Rule};
use crate::progress;
use serde_json::json;
use std::path::{Path, PathBuf};
use tmu_assets::{Ignored, encode_rgb};
use tmu_problem::{Problem, Problems};
use tmu_scene::{
    AnyScene, Classic, Frame, General, GeneralGoldenEngine, GoldenEngine, ImageSize, MAX_SCENE_BYTES,
    Numerics, Scene, Statistics, render,
};
use tmu_spec::Config;
use tmu_verilate::ModelOptions;

/// What draws a scene.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Pipeline {
    /// The renderer, with colours from a texture unit
    #[default]
    Texture,
    /// The pixel pipeline: triangles in tiles, hidden surfaces removed, programs
    Pixel,
}

/// Draw a scene through the texture unit
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A scene names a camera, textures with samplers, and meshes: OBJ and glTF files, a floor to the horizon, cubes, spheres \
and rectangles on the screen. docs/reference/scene.md describes its keys and the statistics; scenes/ holds examples. A scene of \
the general numerics needs a configuration of them (multi, multi-lite), which also draws all others.

Examples:
  tmugen render scenes/horizon-floor.toml -o floor.png
  tmugen render scenes/cube-photo.toml -o cube.png --size 320x180 --stats cube.json
  tmugen render scenes/sphere-palette.toml -o spheres.tga --config my_tmu.toml
  tmugen render scenes/cube-photo.toml -o cube.png --engine rtl --compare difference.png
  tmugen render scenes/shadow-map.toml -o shadow.png --preset multi
  tmugen render scenes/sky-lake.toml -o lake.png --preset multi-lite --engine rtl --size 160x90
  tmugen render scenes/pixel/light-mapped-level.toml -o level.png --pipeline pixel
  tmugen render scenes/cube-photo.toml -o cube.png --record-quads paving.csv --record-texture paving
  tmugen bench --quads paving.csv --texture paving.toml")]
pub(crate) struct Args {
    /// The scene; - is standard input, and the files it names are looked for from here
    #[arg(value_name = "SCENE.toml")]
    pub(super) scene: PathBuf,
    /// The picture to write; its ending says which kind: .png, .jpg, .tga or .bmp; - is standard output, PNG
    #[arg(short, long, value_name = "OUT.png")]
    pub(super) output: PathBuf,
    #[command(flatten)]
    pub(super) config: ConfigArgs,
    /// What draws: a texture unit behind the renderer, or the pixel pipeline with the scene's programs
    #[arg(long, value_enum, default_value_t)]
    pipeline: Pipeline,
    /// What samples: the golden model or the hardware in simulation
    #[arg(long, value_enum, default_value_t)]
    pub(super) engine: Engine,
    /// Size of the picture in pixels [default: that of the scene]
    #[arg(long, value_name = "WxH")]
    pub(super) size: Option<ImageSize>,
    /// Draw with the other engine too, write where the two pictures differ, and fail if they do: channels that differ
    /// are at full brightness, all others black
    #[arg(long, value_name = "DIFF.png")]
    pub(super) compare: Option<PathBuf>,
    /// Where to write what the frame cost: quads, samples, lines touched, hit rate
    #[arg(long, value_name = "S.json")]
    pub(super) stats: Option<PathBuf>,
    /// Where to write the quads of the frame, in the order in which they are sampled, as sample, bench and explore read
    /// them; their texture goes beside them, into Q.toml and Q.bin
    #[arg(long, value_name = "Q.csv")]
    pub(super) record_quads: Option<PathBuf>,
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
        if self.pipeline == Pipeline::Pixel {
            return self.run_pixel();
        }
        check_picture_name(&self.output)?;
        self.compare.as_deref().map(check_picture_name).transpose()?;
        let mut declared = self.files();
        if is_standard(&self.scene) {
            // Standard input is read once: what else it should be is refused before.
            declared.check()?;
        }
        let config = with_units(self.config.load()?, &self.config.name())?;
        if self.engine == Engine::Rtl || self.compare.is_some() {
            check_hardware(&config)?;
        }
        let scene = load_scene(&self.scene)?;
        declared.read_all(scene.files(), "a file of the scene");
        declared.check()?;
        match config.features().general() {
            None => {
                let scene = scene.into_classic(&self.scene)?;
                self.check_bindings(&scene, &config)?;
                let mut recording = self.recording(&scene)?;
                let mut add =
                    recording.as_mut().map(|recording| |batch: &tmu_scene::Batch<'_>| recording.add(batch));
                let listener = add.as_mut().map(|add| add as Listener<'_, Classic>);
                let drawn = self.drawn(&scene, &config, listener)?;
                self.finish(&declared, drawn, recording.as_ref(), scene.ignored())
            }
            Some(general) => {
                if self.record_quads.is_some() {
                    let message = "--record-quads writes lists of quads of the classic numerics";
                    let help = format!(
                        "leave it out, or use a classic preset like fury-single instead of {}",
                        self.config.name()
                    );
                    return Err(Failure::new(Rule::NotBuilt, message, help));
                }
                let scene = scene.into_general(general);
                self.check_bindings(&scene, &config)?;
                let drawn = self.drawn(&scene, &config, None)?;
                self.finish(&declared, drawn, None, scene.ignored())
            }
        }
    }

    /// Draws by the engine that is asked for, and by the other one where they are compared.
    fn drawn<N: Drawn>(
        &self,
        scene: &Scene<N>,
        config: &Config,
        listener: Option<Listener<'_, N>>,
    ) -> Result<Outcome, Failure> {
        let (frame, statistics) = self.draw(self.engine, scene, config, listener)?;
        let difference = match &self.compare {
            Some(_) => {
                let (other, _) = self.draw(self.engine.other(), scene, config, None)?;
                Some(Difference::between(frame.rgb(), other.rgb()))
            }
            None => None,
        };
        Ok(Outcome { frame, statistics, difference, tmu_mhz: config.clocks().tmu_mhz() })
    }

    /// Writes what was drawn.
    fn finish(
        &self,
        declared: &Files,
        drawn: Outcome,
        recording: Option<&Recording<'_>>,
        ignored: &[(PathBuf, Ignored)],
    ) -> Result<Summary, Failure> {
        let Outcome { frame, statistics, difference, tmu_mhz } = drawn;
        let compared = self.compare.as_deref().zip(difference);
        let size = frame.size();
        let encode = |rgb, path| encode_rgb(size.width(), size.height(), rgb, picture_name(path));
        let picture = encode(frame.into_rgb(), &self.output)?;
        let difference =
            compared.as_ref().map(|(path, found)| encode(found.rgb.clone(), path)).transpose()?;
        let stats = serde_json::to_string_pretty(&statistics).expect("numbers and names") + "\n";
        let mut files = vec![(self.output.as_path(), picture.as_slice())];
        files.extend(self.stats.as_deref().map(|path| (path, stats.as_bytes())));
        files.extend(self.compare.as_deref().zip(difference.as_deref()));
        let recorded = recording.map(Recording::files).unwrap_or_default();
        files.extend(recorded.iter().map(|(path, bytes)| (path.as_path(), bytes.as_slice())));
        declared.put(&files)?;
        let differing_pixels = compared.map(|(path, found)| found.verdict(path)).transpose()?;
        let speed = statistics.clocks.map(|clocks| Speed { clocks, tmu_mhz });
        Ok(self.summary(&statistics, speed, differing_pixels, recording.map(Recording::len), ignored))
    }

    /// What is known of the files before the scene is read.
    pub(super) fn files(&self) -> Files {
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
    fn check_bindings<N: Drawn>(&self, scene: &Scene<N>, config: &Config) -> Result<(), Failure> {
        let mut problems: Vec<Problem> = Vec::new();
        for problem in N::not_built(scene, config, &self.config.name()) {
            let problem = problem.in_file(&self.scene);
            if !problems.contains(&problem) {
                problems.push(problem);
            }
        }
        Ok(Problems::check(problems)?)
    }

    fn draw<N: Drawn>(
        &self,
        engine: Engine,
        scene: &Scene<N>,
        config: &Config,
        listener: Option<Listener<'_, N>>,
    ) -> Result<(Frame, Statistics), Failure> {
        let size = self.size.unwrap_or(scene.size());
        let bar = progress::bar(self.verbosity, 1, "rows of tiles");
        bar.set_message("drawing");
        let engine = match engine {
            Engine::Golden => N::golden(scene.memory(), config),
            Engine::Rtl => {
                let bar = bar.clone();
                let progress = Box::new(move |quads| bar.set_message(format!("{quads} quads simulated")));
                N::rtl(config, scene.memory(), &drawing(size), self.verbosity, progress)?
            }
        };
        let mut recorder = Recorder { engine, listener };
        let drawn = render(scene, size, &mut recorder, &mut |done, rows| {
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
        speed: Option<Speed>,
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
        let mut data = json!({ "file": output, "engine": self.engine.name(), "statistics": statistics });
        if let Some(speed @ Speed { clocks, tmu_mhz }) = speed {
            let frames = speed.frames_per_second();
            text += &format!(
                "  {clocks} clocks of the texture unit: {frames:.1} frames a second at {tmu_mhz} MHz\n"
            );
            data["frames_per_second"] = frames.into();
        }
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

/// A scene from its file or from standard input.
pub(super) fn load_scene(path: &Path) -> Result<AnyScene, Failure> {
    if !is_standard(path) {
        return Ok(AnyScene::load(path)?);
    }
    let text = read_text(path, MAX_SCENE_BYTES).map_err(|error| {
        let message = format!("the scene cannot be read: {error}");
        Failure::in_file(Rule::Read, path, message, "give it a scene file")
    })?;
    Ok(AnyScene::parse(path, &text)?)
}

/// How fast a frame was drawn.
#[derive(Debug, Clone, Copy)]
struct Speed {
    clocks: u64,
    tmu_mhz: u32,
}

impl Speed {
    fn frames_per_second(self) -> f64 {
        f64::from(self.tmu_mhz) * 1e6 / self.clocks as f64
    }
}

/// What was drawn.
struct Outcome {
    frame: Frame,
    statistics: Statistics,
    /// Where the other engine's picture differs, if it was drawn.
    difference: Option<Difference>,
    /// Clock of the texture unit.
    tmu_mhz: u32,
}

/// Numerics of which there are engines.
pub(super) trait Drawn: Numerics {
    /// Everything that a scene needs and a configuration, which the user calls `name`, does not build.
    fn not_built(scene: &Scene<Self>, config: &Config, name: &str) -> Vec<Problem>;

    /// The golden model over the memory of a scene.
    fn golden<'m>(memory: &'m [u8], config: &Config) -> Box<dyn tmu_scene::Engine<Self> + 'm>;

    /// The hardware in simulation over the memory of a scene.
    fn rtl(
        config: &Config,
        memory: &[u8],
        options: &ModelOptions,
        verbosity: Verbosity,
        progress: Box<dyn FnMut(u64)>,
    ) -> Result<Box<dyn tmu_scene::Engine<Self>>, Failure>;
}

impl Drawn for Classic {
    fn not_built(scene: &Scene, config: &Config, name: &str) -> Vec<Problem> {
        let of = |binding: &tmu_spec::Binding| not_built(*binding.texture(), binding.sampler(), config, name);
        scene.bindings().flat_map(of).collect()
    }

    fn golden<'m>(memory: &'m [u8], config: &Config) -> Box<dyn tmu_scene::Engine + 'm> {
        Box::new(GoldenEngine::new(memory, config))
    }

    fn rtl(
        config: &Config,
        memory: &[u8],
        options: &ModelOptions,
        verbosity: Verbosity,
        progress: Box<dyn FnMut(u64)>,
    ) -> Result<Box<dyn tmu_scene::Engine>, Failure> {
        Ok(Box::new(RtlEngine::<tmu_sim::engines::sampler::sampling::Classic>::new(
            config, memory, options, verbosity, progress,
        )?))
    }
}

impl Drawn for General {
    fn not_built(scene: &Scene<General>, config: &Config, name: &str) -> Vec<Problem> {
        let Some(general) = config.features().general() else { return Vec::new() };
        let bindings = scene.bindings().enumerate();
        let of = |(number, binding): (usize, &tmu_spec::general::Binding)| {
            let texture = &scene.texture_names()[scene.texture_of(number)];
            let sampler = scene.sampler_of(number);
            sample::problems_of_pair([texture, sampler], binding, config.features(), general, name)
        };
        bindings.flat_map(of).collect()
    }

    fn golden<'m>(memory: &'m [u8], config: &Config) -> Box<dyn tmu_scene::Engine<General> + 'm> {
        Box::new(GeneralGoldenEngine::new(memory, config))
    }

    fn rtl(
        config: &Config,
        memory: &[u8],
        options: &ModelOptions,
        verbosity: Verbosity,
        progress: Box<dyn FnMut(u64)>,
    ) -> Result<Box<dyn tmu_scene::Engine<General>>, Failure> {
        Ok(Box::new(RtlEngine::<tmu_sim::engines::sampler::general::sampling::General>::new(
            config, memory, options, verbosity, progress,
        )?))
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
