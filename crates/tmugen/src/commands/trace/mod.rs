//! `tmugen trace`: a scene by rays whose every look at their data goes through the texture unit.

mod hardware;

use super::render::load_scene;
use crate::args::{check_hardware, load_with_units, preset_parser};
use crate::choices::{check_picture_name, picture_name};
use crate::console::{Summary, Verbosity};
use crate::engine::Engine;
use crate::files::kind::Kind;
use crate::files::standard::is_standard;
use crate::files::{Files, ForceArgs};
use crate::problem::{Failure, Rule};
use crate::progress;
use crate::table::Table;
use hardware::Hardware;
use serde_json::json;
use std::path::PathBuf;
use tmu_assets::encode_rgb;
use tmu_problem::Problem;
use tmu_scene::ImageSize;
use tmu_spec::Config;
use tmu_spec::general::General;
use tmu_trace::store::Store;
use tmu_trace::unit::{Counts, Missing};
use tmu_trace::{Traced, Way, World, trace_by};

/// The configuration where none is named.
pub(super) const PRESET: &str = "indirect";

/// Draw a scene by rays, with and without indirect look-ups
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Rays, a grid around all triangles, its lists and the corners of triangles are textures, and every look at them is a texture \
operation. The scene is drawn twice, without and with indirect look-ups; both pictures must be the same, and what each has \
cost is printed. With --engine rtl the hardware draws both again; they must be those of the golden model. Meshes have one colour each and cast shadows; floors to the horizon, skies and rectangles on the screen \
cannot be traced. docs/reference/trace.md says what is counted.

Examples:
  tmugen trace scenes/trace/torus.toml -o torus.png
  tmugen trace scenes/sphere-palette.toml -o spheres.png --size 160x90 --json
  tmugen trace scenes/trace/torus.toml -o torus.png --size 32x18 --engine rtl --force
  tmugen trace scenes/trace/torus.toml -o torus.png --size 160x90 --preset multi --force")]
pub(crate) struct Args {
    /// The scene, as of `tmugen render`; - is standard input, and the files it names are looked for from here
    #[arg(value_name = "SCENE.toml")]
    scene: PathBuf,
    /// The picture to write; its ending says which kind: .png, .jpg, .tga or .bmp; - is standard output, PNG
    #[arg(short, long, value_name = "OUT.png")]
    output: PathBuf,
    /// A configuration with indirect look-ups that ships with tmugen
    #[arg(long, value_name = "P", default_value = PRESET, value_parser = preset_parser())]
    preset: String,
    /// A configuration file with indirect look-ups
    #[arg(long, value_name = "FILE", conflicts_with = "preset")]
    config: Option<PathBuf>,
    /// Size of the picture in pixels, at most 2048 a side [default: that of the scene]
    #[arg(long, value_name = "WxH")]
    size: Option<ImageSize>,
    /// What looks textures up; rtl is the hardware in simulation, beside the golden model, and needs Verilator
    #[arg(long, value_enum, default_value_t)]
    engine: Engine,
    /// With --engine rtl: clocks of the memory port from an address to its data
    #[arg(long, value_name = "CLOCKS", default_value_t = 60, value_parser = clap::value_parser!(u32).range(0..=10_000))]
    latency: u32,
    /// With --engine rtl: quads of rays that are on their way at once
    #[arg(long, value_name = "QUADS", default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..=65536))]
    in_flight: u32,
    #[command(flatten)]
    force: ForceArgs,
    #[command(flatten)]
    pub(crate) verbosity: Verbosity,
}

impl Args {
    pub(crate) fn run(&self) -> Result<Summary, Failure> {
        check_picture_name(&self.output)?;
        let mut files = Files::new(self.force);
        files.read(&self.scene, "the scene");
        files.read_all(&self.config, "the configuration");
        files.write(&self.output, "-o", Kind::Picture);
        if is_standard(&self.scene) {
            // Standard input is read once: what else it should be is refused before.
            files.check()?;
        }
        let (config, name) = load_with_units(&self.preset, self.config.as_deref())?;
        let scene = load_scene(&self.scene)?;
        files.read_all(scene.files(), "a file of the scene");
        files.check()?;
        let scene = scene.into_general(&General::ALL);
        let world = World::new(&scene, &self.scene, self.size.unwrap_or(scene.size()))?;
        let direct = self.traced(&world, &config, &name, Way::Direct)?;
        let indirect = self.traced(&world, &config, &name, Way::Indirect)?;
        if direct.picture != indirect.picture {
            let message = "the pictures without and with indirect look-ups differ";
            return Err(Failure::in_file(Rule::Difference, &self.scene, message, "report it with the scene"));
        }
        let drawn = match self.engine {
            Engine::Golden => [direct, indirect],
            Engine::Rtl => self.by_hardware(&world, &config, [&direct, &indirect])?,
        };
        let [direct, indirect] = &drawn;
        let size = world.size;
        let picture =
            encode_rgb(size.width(), size.height(), direct.picture.rgb.clone(), picture_name(&self.output))?;
        files.put(&[(self.output.as_path(), picture.as_slice())])?;
        Ok(self.summary(&world, direct, indirect))
    }

    fn traced(&self, world: &World, config: &Config, name: &str, way: Way) -> Result<Traced, Failure> {
        let message = match way {
            Way::Direct => "without indirect look-ups",
            Way::Indirect => "with indirect look-ups",
        };
        let spinner = progress::spinner(self.verbosity, message);
        let traced = tmu_trace::trace(world, config, way);
        spinner.finish_and_clear();
        let traced = traced.map_err(|missing| {
            let problem = |Missing { what, help }| {
                Problem::new(Rule::NotBuilt, format!("{name} cannot trace: {what}"), help)
            };
            Failure::input(missing.into_iter().map(problem).collect())
        })?;
        if traced.has_error {
            let help = "report this together with the scene";
            let message = "a look-up was answered with an error";
            return Err(Failure::in_file(Rule::Engine, &self.scene, message, help));
        }
        Ok(traced)
    }

    /// The same pictures by the hardware, and what they cost there.
    fn by_hardware(
        &self,
        world: &World,
        config: &Config,
        golden: [&Traced; 2],
    ) -> Result<[Traced; 2], Failure> {
        check_hardware(config)?;
        let hardware = Hardware::new(config, self.latency, self.verbosity)?;
        let drawn = golden.map(|golden| {
            let quads = golden.cost.all.quads;
            let bar = progress::bar(self.verbosity, quads, "looks");
            bar.set_message("drawing by the hardware");
            let progress = |looks: u64| bar.inc(looks);
            let in_flight = self.in_flight as usize;
            let new = |store: &Store| hardware.textures(store, &progress);
            let traced = trace_by(world, config, golden.cost.way, in_flight, new);
            bar.finish_and_clear();
            let traced = traced?;
            let counts = |traced: &Traced| (traced.cost.all, traced.cost.triangles, traced.rays);
            if traced.picture != golden.picture || counts(&traced) != counts(golden) {
                let message = "the hardware draws another picture than the golden model";
                let help = "report it with the scene and the configuration";
                return Err(Failure::in_file(Rule::Difference, &self.scene, message, help));
            }
            Ok(traced)
        });
        let [direct, indirect] = drawn;
        Ok([direct?, indirect?])
    }

    fn summary(&self, world: &World, direct: &Traced, indirect: &Traced) -> Summary {
        let output = self.output.display().to_string();
        let size = world.size;
        let (triangles, rays) = (world.triangles.len(), direct.rays);
        let to_lamp = rays - u64::from(size.width()) * u64::from(size.height());
        let [x, y, z] = world.grid.boxes();
        let mut table = Table::new(
            2,
            ["look-ups", "of", "operations", "quads", "round trips", "bytes out", "bytes back", "bytes"],
        );
        for (way, traced) in [("direct", direct), ("indirect", indirect)] {
            for (of, counts) in [("all", traced.cost.all), ("triangles", traced.cost.triangles)] {
                let Counts { operations, quads, round_trips, request_bytes, result_bytes } = counts;
                let figures = [operations, quads, round_trips, request_bytes, result_bytes, counts.bytes()];
                let names = [way, of].map(str::to_owned);
                table.push(names.into_iter().chain(figures.map(|figure| figure.to_string())));
            }
        }
        let indented = table.text().lines().map(|line| format!("  {line}\n")).collect::<String>();
        let clocks = match (direct.cost.clocks, indirect.cost.clocks) {
            (Some(before), Some(after)) => format!(
                "  clocks of the unit, {} quads of rays in flight, latency {}: {before} direct, {after} indirect, {:.3} of it\n",
                self.in_flight,
                self.latency,
                after as f64 / before as f64,
            ),
            _ => String::new(),
        };
        let text = format!(
            "{output}: {} x {}, {triangles} triangles in {x} x {y} x {z} boxes, {rays} rays, {to_lamp} of them to the lamp; the \
             same picture both ways\n{indented}{clocks}",
            size.width(),
            size.height(),
        );
        let data = json!({
            "file": output,
            "width": size.width(),
            "height": size.height(),
            "triangles": triangles,
            "corners": world.corners.len(),
            "boxes": [x, y, z],
            "list_triangles": world.lists.triangles.len(),
            "rays": rays,
            "ways": [direct.cost, indirect.cost],
        });
        Summary::note(text, data)
    }
}
