//! `tmugen view`: a page on which a picture goes through the texture unit, a scene or a frame of the pixel pipeline is looked into, or a
//! mesh is drawn, live.

use super::render::Pipeline;
use super::{view_general, view_pixel};
use crate::args::{ConfigArgs, check_hardware};
use crate::console::{Summary, Verbosity, announce};
use crate::engine::{MeshRtlEngine, RtlEngine, model_failure, not_built};
use crate::files;
use crate::problem::{Exit, Failure, Rule};
use serde_json::json;
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tmu_assets::Ignored;
use tmu_problem::{Problem, RuleCode};
use tmu_scene::{MeshEngine, MeshJob};
use tmu_spec::presets;
use tmu_spec::{Binding, Config};
use tmu_verilate::{ModelOptions, Tools};
use tmu_view::{
    Choice, HardwareCounts, HardwareEngine, Limits, MeshSession, MeshWorkbench, Orbit, Server, Session,
    Settings, Shape, Site, Workbench,
};

/// Frames of each shape that --measure draws.
const MEASURED_FRAMES: usize = 24;

/// Show a page on which a picture or a scene goes through the texture unit, or a mesh or a frame of the pixel pipeline is drawn, live
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Open the address that is printed in a browser of this machine, load a picture, and choose format, filter, address modes and \
levels. The golden model draws while the camera moves; the hardware draws on demand, which needs Verilator. Beside the frames \
stand the lines of the texture that were looked up, the hit rate and the clocks. Nothing is written but what the browser \
saves; Ctrl-C ends it.

Of a scene, as `tmugen render` draws it, it shows the frame by a unit of the general numerics, multi unless another is named: \
filters, levels, bias and anisotropy are changed and the camera is turned on the page; maps show the level of detail and the \
probes of every pixel; and a pixel that is clicked tells its quad, levels, probes, texels with their weights, and tiles.

Of a job of `tmugen mesh` the page shows the first step: drag points of its mesh, change its colours, and save points and job.

Of a scene of `tmugen render --pipeline pixel` it shows the frame with its tiles: overdraw, triangles, instructions, texture \
look-ups and bytes of each, and of a pixel that is clicked its triangles, values, program step by step, and texels.

Examples:
  tmugen view
  tmugen view coffee.jpg --preset stream
  tmugen view scenes/sky-lake.toml
  tmugen view scenes/mesh/warp.toml
  tmugen view scenes/pixel/courtyard.toml --pipeline pixel
  tmugen view --config my_tmu.toml
  tmugen view --measure")]
pub(crate) struct Args {
    /// The picture to begin with, where others can be loaded on the page; or a scene; or a job of `tmugen mesh`
    #[arg(value_name = "PICTURE|SCENE.toml|JOB.toml")]
    picture: Option<PathBuf>,
    #[command(flatten)]
    config: ConfigArgs,
    /// What the page shows: a texture unit or the engine of a job, or a scene in the pixel pipeline
    #[arg(long, value_enum, default_value_t)]
    pipeline: Pipeline,
    /// The port to listen on; 0 takes one that is free
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// The address to listen on: 127.0.0.1 or ::1, since the page has no password
    #[arg(long, default_value_t = Ipv4Addr::LOCALHOST.into())]
    address: IpAddr,
    /// The largest picture file that is taken, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..=1024))]
    max_upload_mib: u32,
    /// The most texels that a picture may have, in millions
    #[arg(long, value_name = "MILLIONS", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=64))]
    max_megapixels: u32,
    /// Show no page, but how long frames of 640 x 480 take here
    #[arg(long)]
    measure: bool,
    #[command(flatten)]
    pub(crate) verbosity: Verbosity,
}

impl Args {
    pub(crate) fn run(&self) -> Result<Summary, Failure> {
        let (site, notes) = match &self.picture {
            _ if self.pipeline == Pipeline::Pixel => {
                let session = view_pixel::session(self.picture.as_deref(), &self.config)?;
                if self.measure {
                    let settings = session.first_settings();
                    return measured("pixel", || Ok(session.draw(&settings)?.elapsed));
                }
                (Site::from(session), Vec::new())
            }
            Some(scene) if is_toml(scene) && view_general::is_scene(scene) => {
                let (session, notes) = view_general::session(scene, &self.config)?;
                if self.measure {
                    let settings = session.first_settings();
                    return measured("scene", || Ok(session.draw(&settings)?.elapsed));
                }
                (Site::from(session), notes)
            }
            Some(job) if is_toml(job) => {
                let (session, notes) = self.mesh_session(job)?;
                if self.measure {
                    let settings = session.first_settings();
                    return measured("mesh", || Ok(session.draw(&settings)?.elapsed));
                }
                (Site::from(session), notes)
            }
            _ => {
                let (session, ignored) = self.session()?;
                if self.measure {
                    return self.measured(&session);
                }
                let notes =
                    if ignored.is_empty() { Vec::new() } else { vec![format!("of the picture: {ignored}")] };
                (Site::from(session), notes)
            }
        };
        self.serve(site, &notes)
    }

    /// Serves a page, and says where it is and what there is to note.
    fn serve(&self, site: Site, notes: &[String]) -> Result<Summary, Failure> {
        let server = Server::bind(self.address, self.port, site).map_err(|refusal| {
            let is_usage = refusal.problems.iter().any(|p| p.code == tmu_view::Rule::Address.code());
            let exit = if is_usage { Exit::Usage } else { Exit::Input };
            Failure { exit, ..refusal.into() }
        })?;
        let url = server.url();
        let mut text = format!("{url}\n  open this address in a browser of this machine; Ctrl-C ends it\n");
        for note in notes {
            text += &format!("  {note}\n");
        }
        let broken = |error: std::io::Error| {
            Failure::new(Rule::Engine, format!("the page cannot be served: {error}"), "see the message")
        };
        // A signal ends the page, and what is unfinished then goes.
        files::heed_signals();
        announce(self.verbosity, Summary::needed(text, json!({ "url": url }))).map_err(broken)?;
        server.run(std::future::pending()).map_err(broken)?;
        Ok(Summary::nothing())
    }

    /// The first step of a job, and what its pictures say of their colours and is passed over.
    fn mesh_session(&self, path: &Path) -> Result<(MeshSession, Vec<String>), Failure> {
        let config = self.config.load_mesh()?;
        check_hardware(&config)?;
        let job = MeshJob::load(path)?;
        let step = job.first_step();
        let of = match job.steps() {
            1 => String::new(),
            steps => format!(", the first of {steps} steps"),
        };
        let ([width, height], drawn) = (step.texture_size(), step.job());
        let about = format!(
            "{}{of}: {} x {} rectangles from a texture of {width} x {height} into a frame of {} x {}. The golden model draws \
             while points are dragged, the hardware on demand.",
            path.file_name().unwrap_or_default().display(),
            drawn.hmeshlast,
            drawn.vmeshlast,
            drawn.frame_width,
            drawn.frame_height,
        );
        let notes = job.ignored().iter().map(|(path, ignored)| format!("of {}: {ignored}", path.display()));
        Ok((MeshSession::new(step, about, Arc::new(MeshSimulator(config))), notes.collect()))
    }

    fn session(&self) -> Result<(Session, Ignored), Failure> {
        let config = self.config.load_classic()?;
        let about = if self.config.file().is_some() { "from your file" } else { "" };
        let mut choices = vec![Choice { name: self.config.name(), about: about.to_owned(), config }];
        for (preset, config) in presets::classic() {
            match choices.iter_mut().find(|choice| choice.name == preset.name()) {
                Some(choice) => choice.about = preset.about().to_owned(),
                None => choices.push(Choice {
                    name: preset.name().to_owned(),
                    about: preset.about().to_owned(),
                    config,
                }),
            }
        }
        let limits = Limits {
            upload_bytes: (self.max_upload_mib as usize) << 20,
            texels: u64::from(self.max_megapixels) * 1_000_000,
        };
        let session = Session::new(choices, limits, Arc::new(Simulator));
        if let Some(path) = &self.picture {
            let max_bytes = u64::from(self.max_upload_mib) << 20;
            let bytes = tmu_assets::read_whole(path, max_bytes).map_err(|error| {
                let message = format!("the picture cannot be read: {error}");
                Failure::in_file(Rule::Read, path, message, "check the path")
            })?;
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let ignored = session.load(&name, &bytes)?;
            return Ok((session, ignored));
        }
        Ok((session, Ignored::default()))
    }

    /// Draws every shape from all around and says how long the frames took.
    fn measured(&self, session: &Session) -> Result<Summary, Failure> {
        let (mut text, mut data) = (String::new(), Vec::new());
        for shape in Shape::ALL {
            let mut frame = 0;
            let name = serde_json::to_value(shape).unwrap_or_default();
            let name = name.as_str().unwrap_or_default();
            let (line, times) = timed(name, || {
                let first = Settings::first(&self.config.name());
                let yaw_degrees = 360.0 * f64::from(frame) / MEASURED_FRAMES as f64;
                frame += 1;
                let settings = Settings { shape, camera: Orbit { yaw_degrees, ..first.camera }, ..first };
                Ok(session.draw(&settings)?.elapsed)
            })?;
            text += &line;
            data.push(times);
        }
        Ok(Summary::note(text, json!({ "frames": MEASURED_FRAMES, "shapes": data })))
    }
}

fn is_toml(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "toml")
}

/// Draws what a page begins with and says how long the frames took.
fn measured(name: &str, draw: impl FnMut() -> Result<Duration, Failure>) -> Result<Summary, Failure> {
    let (text, times) = timed(name, draw)?;
    Ok(Summary::note(text, json!({ "frames": MEASURED_FRAMES, "shapes": [times] })))
}

/// Draws frames and says how long they took, in a line and as data.
fn timed(
    name: &str,
    mut draw: impl FnMut() -> Result<Duration, Failure>,
) -> Result<(String, serde_json::Value), Failure> {
    let mut times: Vec<_> = (0..MEASURED_FRAMES).map(|_| draw()).collect::<Result<_, _>>()?;
    times.sort();
    let [median, worst] = [times[MEASURED_FRAMES / 2], times[MEASURED_FRAMES - 1]]
        .map(|time: Duration| time.as_secs_f64() * 1000.0);
    let line = format!("{name:8} {median:6.1} ms a frame, {worst:6.1} ms the slowest of {MEASURED_FRAMES}\n");
    Ok((line, json!({ "shape": name, "median_ms": median, "worst_ms": worst })))
}

/// The tool without which nothing can be simulated here.
pub(super) fn missing_tool() -> Option<Problem> {
    let missing = Tools::verilator().and(Tools::cxx()).err()?;
    model_failure(&tmu_verilate::Error::MissingTool(missing)).problems.pop()
}

/// What the page knows of configurations and hardware.
struct Simulator;

/// Progress is shown on the page.
pub(super) const SILENT: Verbosity = Verbosity { quiet: true, json: false };

impl Workbench for Simulator {
    fn not_built(&self, binding: &Binding, config: &Config, name: &str) -> Vec<Problem> {
        not_built(*binding.texture(), binding.sampler(), config, name)
    }

    fn missing(&self) -> Option<Problem> {
        missing_tool()
    }

    fn hardware(
        &self,
        config: &Config,
        memory: &[u8],
        progress: Box<dyn FnMut(u64)>,
    ) -> Result<Box<dyn HardwareEngine>, Vec<Problem>> {
        let engine = RtlEngine::new(config, memory, &ModelOptions::default(), SILENT, progress)
            .map_err(|failure| failure.problems)?;
        Ok(Box::new(engine))
    }
}

impl HardwareEngine for RtlEngine {
    fn counts(&mut self) -> Result<Option<HardwareCounts>, Vec<Problem>> {
        let counts = self.lookup_counts().map_err(|failure| failure.problems)?;
        Ok(counts.map(|counts| HardwareCounts {
            lookups: counts.lookups,
            misses: counts.misses,
            hit_rate: counts.hit_rate(),
        }))
    }
}

/// What simulates the engine `mesh` of a configuration.
struct MeshSimulator(Config);

impl MeshWorkbench for MeshSimulator {
    fn missing(&self) -> Option<Problem> {
        missing_tool()
    }

    fn hardware(&self) -> Result<Box<dyn MeshEngine>, Vec<Problem>> {
        let engine = MeshRtlEngine::new(&self.0, SILENT).map_err(|failure| failure.problems)?;
        Ok(Box::new(engine))
    }
}
