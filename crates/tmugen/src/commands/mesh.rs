//! `tmugen mesh`: jobs of the engine `mesh` to pictures.

use crate::args::{MESH_PRESET, check_hardware, load_mesh, preset_parser};
use crate::choices::check_picture_name_or;
use crate::console::{Summary, Verbosity};
use crate::engine::{Engine, MeshRtlEngine};
use crate::files::kind::Kind;
use crate::files::{Files, ForceArgs};
use crate::problem::{Failure, Rule};
use crate::progress;
use serde_json::json;
use std::path::{Path, PathBuf};
use tmu_assets::{encode_animation, is_rgb565};
use tmu_scene::{Golden565, MeshCounts, MeshEngine, MeshJob, MeshStatistics, Picture565, draw_mesh_job};
use tmu_spec::Config;

/// Draw a textured mesh of rectangles as the engine `mesh` does
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A job names the engine's settings, a texture, the points of the mesh, and maybe a frame buffer to draw on, or several steps \
that change some of them. docs/reference/mesh.md describes its keys; scenes/mesh/ holds examples. Pictures are rounded to RGB565; \
.rgb565 files are read and written bit for bit. Several pictures become OUT_0.png and so on, or one animated picture if the \
name ends in .apng.

Examples:
  tmugen mesh scenes/mesh/rotozoom.toml -o rotozoom.png
  tmugen mesh scenes/mesh/warp.toml -o warp.rgb565 --stats warp.json
  tmugen mesh scenes/mesh/echo.toml -o echo.apng")]
pub(crate) struct Args {
    /// The job
    #[arg(value_name = "JOB.toml")]
    job: PathBuf,
    /// The picture to write; its ending says which kind: .png, .jpg, .tga, .bmp, .rgb565 for the pixels alone, or .apng
    #[arg(short, long, value_name = "OUT.png")]
    output: PathBuf,
    /// What draws: the golden model or the hardware in simulation
    #[arg(long, value_enum, default_value_t)]
    engine: Engine,
    /// A configuration with the engine that ships with tmugen
    #[arg(long, value_name = "P", default_value = MESH_PRESET, value_parser = preset_parser())]
    preset: String,
    /// A configuration file with the engine
    #[arg(long, value_name = "FILE", conflicts_with = "preset")]
    config: Option<PathBuf>,
    /// Where to write what the job has cost: pixels, lines, and of the hardware clocks
    #[arg(long, value_name = "S.json")]
    stats: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
    #[command(flatten)]
    pub(crate) verbosity: Verbosity,
}

impl Args {
    pub(crate) fn run(&self) -> Result<Summary, Failure> {
        if !self.is_animation() && !is_rgb565(&self.output) {
            check_picture_name_or(
                &self.output,
                ", in .rgb565 for the pixels alone, or in .apng for an animation",
            )?;
        }
        let config = load_mesh(&self.preset, self.config.as_deref())?;
        if self.engine == Engine::Rtl {
            check_hardware(&config)?;
        }
        let job = MeshJob::load(&self.job)?;
        let outputs = self.outputs(&job);
        let mut files = Files::new(self.force);
        files.read(&self.job, "the job");
        files.read_all(job.files(), "a file of the job");
        files.read_all(&self.config, "the configuration");
        let kind = if is_rgb565(&self.output) { Kind::Pixels } else { Kind::Picture };
        files.write_all(&outputs, "-o", kind);
        files.write_all(&self.stats, "--stats", Kind::MeshStatistics);
        files.check()?;
        let (pictures, statistics) = self.draw(&job, &config)?;
        let encoded = self.encode(&pictures, &outputs, job.delay_ms())?;
        let stats = serde_json::to_string_pretty(&statistics).expect("numbers and names") + "\n";
        let mut contents: Vec<(&Path, &[u8])> =
            outputs.iter().zip(&encoded).map(|(path, bytes)| (path.as_path(), bytes.as_slice())).collect();
        contents.extend(self.stats.as_deref().map(|path| (path, stats.as_bytes())));
        files.put(&contents)?;
        Ok(self.summary(&job, &outputs, pictures.len(), &statistics))
    }

    fn is_animation(&self) -> bool {
        self.output.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("apng"))
    }

    /// The files to write.
    fn outputs(&self, job: &MeshJob) -> Vec<PathBuf> {
        let count = job.outputs();
        if count == 1 || self.is_animation() {
            return vec![self.output.clone()];
        }
        let name = self.output.file_stem().unwrap_or_default().to_string_lossy();
        let ending = self.output.extension().unwrap_or_default().to_string_lossy();
        // As many digits as the last one has, so that the order of names is that of pictures.
        let digits = (count - 1).to_string().len();
        let numbered = |number| format!("{name}_{number:0digits$}.{ending}");
        (0..count).map(|number| self.output.with_file_name(numbered(number))).collect()
    }

    fn draw(&self, job: &MeshJob, config: &Config) -> Result<(Vec<Picture565>, MeshStatistics), Failure> {
        let mut engine: Box<dyn MeshEngine> = match self.engine {
            Engine::Golden => Box::new(Golden565),
            Engine::Rtl => Box::new(MeshRtlEngine::new(config, self.verbosity)?),
        };
        let bar = progress::bar(self.verbosity, job.runs(), "jobs");
        bar.set_message("drawing");
        let drawn = draw_mesh_job(job, engine.as_mut(), &mut |done| bar.set_position(done));
        bar.finish_and_clear();
        drawn.map_err(|error| {
            let help = "report this together with the job";
            Failure::in_file(Rule::Engine, &self.job, format!("the engine broke: {error}"), help)
        })
    }

    /// What goes into the files.
    fn encode(
        &self,
        pictures: &[Picture565],
        outputs: &[PathBuf],
        delay_ms: u16,
    ) -> Result<Vec<Vec<u8>>, Failure> {
        if !self.is_animation() {
            let encoded = pictures.iter().zip(outputs).map(|(picture, path)| picture.encode(path));
            return Ok(encoded.collect::<Result<_, _>>()?);
        }
        let size = pictures[0].size();
        if let Some(other) = pictures.iter().find(|picture| picture.size() != size) {
            let ([width, height], [other_width, other_height]) = (size, other.size());
            let message = format!(
                "pictures of {width} x {height} and {other_width} x {other_height} pixels make no animation"
            );
            let help = "give all steps one size, or write numbered pictures: -o OUT.png";
            return Err(Failure::in_file(Rule::OutputName, &self.output, message, help));
        }
        let rgb: Vec<_> = pictures.iter().map(Picture565::rgb).collect();
        Ok(vec![encode_animation(size, &rgb, delay_ms, &self.output)?])
    }

    fn summary(
        &self,
        job: &MeshJob,
        outputs: &[PathBuf],
        pictures: usize,
        statistics: &MeshStatistics,
    ) -> Summary {
        let first = outputs[0].display().to_string();
        let of = match outputs {
            [_, .., last] => format!("{first} to {}", last.display()),
            _ => first.clone(),
        };
        let MeshCounts { pixels_drawn, pixels_left_out, texture_lines, frame_lines, .. } = statistics.total;
        let mut text = format!(
            "{of}: {pictures} {}, {pixels_drawn} pixels drawn, {pixels_left_out} left out\n  {texture_lines} lines of the \
             texture and {frame_lines} of the frame buffer touched\n",
            if pictures == 1 { "picture" } else { "pictures" },
        );
        if let Some(clocks) = statistics.total.clocks {
            text += &format!("  {clocks} clocks of the engine\n");
        }
        for (path, ignored) in job.ignored() {
            text += &format!("  of {}: {ignored}\n", path.display());
        }
        let mut data = json!({ "file": first, "engine": self.engine.name(), "statistics": statistics });
        if outputs.len() > 1 {
            data["files"] = outputs.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().into();
        }
        Summary::note(text, data)
    }
}
