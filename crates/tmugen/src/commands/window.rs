//! `tmugen window`: a picture whose texels are what windows of texels make together, by indirect look-ups.

use crate::args::{check_hardware, load_with_units, preset_parser};
use crate::choices::{check_picture_name, picture_name};
use crate::console::{Summary, Verbosity};
use crate::engine::{Engine, built, built_over_memory, simulation_failure};
use crate::files::kind::Kind;
use crate::files::{Files, ForceArgs};
use crate::problem::{Failure, Rule};
use crate::progress;
use serde_json::json;
use std::path::PathBuf;
use tmu_assets::Picture;
use tmu_model::general::indirect::Broken;
use tmu_problem::Problem;
use tmu_sim::engines::sampler::general::look_ups::{LookUps, Step};
use tmu_spec::Config;
use tmu_spec::general::indirect::Aggregate;
use tmu_spec::general::{QuadResult, ResultNumbers};
use tmu_trace::window::{MAX_PICTURE, MAX_WINDOW, Pass, Texels, filtered};
use tmu_verilate::ModelOptions;

/// What becomes of the texels of a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Operation {
    /// Their mean: the picture blurs
    Average,
    /// The largest of each channel: what is bright grows
    Max,
    /// The least of each channel: what is dark grows
    Min,
    /// Their sum, at most the largest value
    Sum,
    /// Their product
    Product,
}

impl Operation {
    const fn aggregate(self) -> Aggregate {
        match self {
            Operation::Average => Aggregate::Average,
            Operation::Max => Aggregate::Max,
            Operation::Min => Aggregate::Min,
            Operation::Sum => Aggregate::Sum,
            Operation::Product => Aggregate::Product,
        }
    }
}

/// Filter a picture by windows of texels, looked up indirectly
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Each texel becomes what the texels of a window around it make together: an average blurs, max dilates, min erodes. A map of the \
picture is the primary texture of indirect look-ups, the picture the secondary one; a window goes along x in one pass and along y \
in the next. With --engine rtl the hardware draws all passes; they must be those of the golden model, and its clocks are printed.

Examples:
  tmugen window assets/chelsea.png -o blurred.png --times 3
  tmugen window assets/chelsea.png -o dilated.png --operation max --side 3
  tmugen window assets/chelsea.png -o dilated.png --operation max --engine rtl --force")]
pub(crate) struct Args {
    /// The picture: PNG, JPEG, TGA or BMP, at most 4096 pixels a side; - is standard input
    #[arg(value_name = "PICTURE")]
    picture: PathBuf,
    /// The picture to write; its ending says which kind: .png, .jpg, .tga or .bmp; - is standard output, PNG
    #[arg(short, long, value_name = "OUT.png")]
    output: PathBuf,
    /// What becomes of the texels of a window
    #[arg(long, value_enum, default_value_t = Operation::Average)]
    operation: Operation,
    /// Texels along a side of the window, 1 to 4; one of an even side reaches farther to the right and down
    #[arg(long, value_name = "N", default_value_t = MAX_WINDOW, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_WINDOW)))]
    side: u32,
    /// How often, one time after the other
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    times: u32,
    /// A configuration with indirect look-ups that ships with tmugen
    #[arg(long, value_name = "P", default_value = super::trace::PRESET, value_parser = preset_parser())]
    preset: String,
    /// A configuration file with indirect look-ups
    #[arg(long, value_name = "FILE", conflicts_with = "preset")]
    config: Option<PathBuf>,
    /// What looks texels up; rtl is the hardware in simulation, beside the golden model, and needs Verilator
    #[arg(long, value_enum, default_value_t)]
    engine: Engine,
    /// With --engine rtl: clocks of the memory port from an address to its data
    #[arg(long, value_name = "CLOCKS", default_value_t = 60, value_parser = clap::value_parser!(u32).range(0..=10_000))]
    latency: u32,
    #[command(flatten)]
    force: ForceArgs,
    #[command(flatten)]
    pub(crate) verbosity: Verbosity,
}

impl Args {
    pub(crate) fn run(&self) -> Result<Summary, Failure> {
        check_picture_name(&self.output)?;
        let mut files = Files::new(self.force);
        files.read(&self.picture, "the picture");
        files.read_all(&self.config, "the configuration");
        files.write(&self.output, "-o", Kind::Picture);
        files.check()?;
        let (config, name) = load_with_units(&self.preset, self.config.as_deref())?;
        let picture = self.texels(&name)?;
        let features = config.features();
        let refused = |broken: Broken| {
            let message = format!("{name} cannot filter pictures: {broken}");
            let help = "it needs texture.indirect, the kind 2d, any size, the formats rg16 and rgba8, and the address mode clamp, as the \
                        preset indirect has them";
            Failure::input(vec![Problem::new(Rule::NotBuilt, message, help)])
        };
        let golden = self.drawn(&config, picture.clone(), |pass| pass.golden(features).map_err(refused))?;
        let clocks = match self.engine {
            Engine::Golden => None,
            Engine::Rtl => Some(self.by_hardware(&config, picture, &golden)?),
        };
        let [width, height] = [golden.width, golden.height];
        let picture = Picture::from_texels(width as usize, height as usize, golden.rgba);
        files.put(&[(self.output.as_path(), &picture.encode(picture_name(&self.output))?)])?;
        Ok(self.summary([width, height], clocks))
    }

    fn texels(&self, name: &str) -> Result<Texels, Failure> {
        let picture = Picture::open(&self.picture)?;
        let [width, height] = [picture.width(), picture.height()].map(|side| side as u32);
        let texels = Texels { width, height, rgba: picture.texels().to_vec() };
        if texels.is_legal() {
            return Ok(texels);
        }
        let message = format!("{name} does not build a texture of {width} x {height} texels");
        let help = format!("make the picture smaller, at most {MAX_PICTURE} pixels a side");
        Err(Failure::in_file(Rule::NotBuilt, &self.picture, message, help))
    }

    /// The picture after all passes.
    fn drawn(
        &self,
        config: &Config,
        picture: Texels,
        mut look_up: impl FnMut(&Pass) -> Result<Vec<QuadResult>, Failure>,
    ) -> Result<Texels, Failure> {
        let numbers = config.features().general().map_or(ResultNumbers::Unorm8, |general| general.result);
        (0..self.times).try_fold(picture, |texels, _| {
            filtered(&texels, self.operation.aggregate(), self.side, numbers, &mut look_up)
        })
    }

    /// Draws the same by the hardware. Gives its clocks.
    fn by_hardware(&self, config: &Config, picture: Texels, golden: &Texels) -> Result<u64, Failure> {
        check_hardware(config)?;
        let (rtl, model) = built(config, &ModelOptions::default(), self.verbosity)?;
        let bar = progress::bar(self.verbosity, u64::from(2 * self.times), "passes");
        bar.set_message("drawing by the hardware");
        let mut clocks = 0;
        let drawn = self.drawn(config, picture, |pass| {
            let mut hardware = built_over_memory(&rtl, &model, &pass.memory, self.latency, LookUps::new)?;
            let bound = [Step::Bind(&pass.map), Step::BindSecondary(&pass.picture)];
            let asked = pass.quads.iter().map(|quad| Step::LookUp(quad, &pass.setup));
            let steps: Vec<_> = bound.into_iter().chain(asked).collect();
            let results = hardware.run(&steps).map_err(simulation_failure)?;
            clocks += hardware.tmu_clocks();
            bar.inc(1);
            Ok(results.into_iter().map(|own| own[0]).collect())
        })?;
        bar.finish_and_clear();
        if drawn == *golden {
            return Ok(clocks);
        }
        let message = "the hardware draws another picture than the golden model";
        let help = "report it with the picture and the configuration";
        Err(Failure::in_file(Rule::Difference, &self.picture, message, help))
    }

    fn summary(&self, [width, height]: [u32; 2], clocks: Option<u64>) -> Summary {
        let output = self.output.display().to_string();
        let pixels = u64::from(width) * u64::from(height) * u64::from(2 * self.times);
        let (side, times) = (self.side, self.times);
        let operation = self.operation.aggregate();
        let mut text = format!(
            "{output}: {width} x {height}, {operation} of {side} x {side} texels, {times} times; {pixels} indirect look-ups\n"
        );
        if let Some(clocks) = clocks {
            let rate = pixels as f64 / clocks as f64;
            text += &format!(
                "  {clocks} clocks of the unit, {rate:.3} pixels a clock, latency {}\n",
                self.latency
            );
        }
        let data = json!({
            "file": output,
            "width": width,
            "height": height,
            "look_ups": pixels,
            "clocks": clocks,
        });
        Summary::note(text, data)
    }
}
