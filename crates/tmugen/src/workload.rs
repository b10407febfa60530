//! What `bench` and `explore` send through a unit: named patterns, and lists of quads.

use crate::args::choice_parser;
use crate::engine::not_built;
use crate::problem::{Failure, Problem, Rule};
use crate::quads::read_quads;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tmu_assets::load;
use tmu_sim::TextureMemory;
use tmu_sim::throughput::{Pattern, Workload, pattern};
use tmu_spec::{Binding, Config, Format, Sampler, Texture};

/// Quads with a valid pixel that each unit needs of a list.
const LEAST_QUADS: u64 = 64;

/// Which quads are timed.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct WorkloadArgs {
    /// Patterns, parted by commas [default: all that the configuration builds, or none with --quads]
    #[arg(long, value_name = "PATTERN", value_delimiter = ',', value_parser = pattern_parser())]
    pattern: Vec<Pattern>,
    /// A list of quads, as `sample` takes them
    #[arg(long, value_name = "Q.csv")]
    quads: Option<PathBuf>,
    /// The texture of those quads [default: one of --size and --format]
    #[arg(long, value_name = "T.toml", requires = "quads")]
    texture: Option<PathBuf>,
    /// Side of a pattern's picture in pixels, and of its texture in texels: a power of two
    #[arg(long, value_name = "PIXELS", default_value = "256", value_parser = parse_size)]
    size: u32,
    /// Format of a pattern's texture [default: rgba8 where it is built]
    #[arg(long, value_parser = choice_parser::<Format>())]
    format: Option<Format>,
}

/// Accepts the names of patterns.
fn pattern_parser() -> impl TypedValueParser<Value = Pattern> {
    let values = Pattern::ALL.map(|pattern| PossibleValue::new(pattern.name()).help(pattern.about()));
    PossibleValuesParser::new(values)
        .map(|name| Pattern::from_name(&name).expect("the parser lets only patterns pass"))
}

fn parse_size(text: &str) -> Result<u32, String> {
    let sides = pattern::SIDES_LOG2;
    let fits = |side: &u32| side.is_power_of_two() && sides.contains(&side.ilog2());
    let rule = || format!("use a power of two of {} to {}", 1 << sides.start(), 1 << sides.end());
    text.parse().ok().filter(fits).ok_or_else(rule)
}

impl WorkloadArgs {
    /// Side of a pattern's picture in pixels.
    pub(crate) const fn size(&self) -> u32 {
        self.size
    }

    /// The format of patterns' textures.
    pub(crate) fn format(&self, config: &Config) -> Format {
        let built = |format: &Format| config.features().has_format(*format);
        self.format.or_else(|| Format::ALL.into_iter().find(built)).unwrap_or(Format::Rgba8)
    }

    /// The arguments that name one workload again.
    pub(crate) fn arguments(&self, workload: &Workload) -> String {
        let one = match Pattern::from_name(&workload.name) {
            Some(pattern) => {
                WorkloadArgs { pattern: vec![pattern], quads: None, texture: None, ..self.clone() }
            }
            None => WorkloadArgs { pattern: Vec::new(), ..self.clone() },
        };
        one.all_arguments()
    }

    /// The arguments that name all of this again.
    pub(crate) fn all_arguments(&self) -> String {
        let mut text = String::new();
        if !self.pattern.is_empty() {
            let names: Vec<_> = self.pattern.iter().map(|pattern| pattern.name()).collect();
            text += &format!(" --pattern {}", names.join(","));
        }
        for (flag, path) in [("--quads", &self.quads), ("--texture", &self.texture)] {
            if let Some(path) = path {
                text += &format!(" {flag} {}", path.display());
            }
        }
        text += &format!(" --size {}", self.size);
        if let Some(format) = self.format {
            text += &format!(" --format {format}");
        }
        text
    }

    /// What was asked for, for a configuration that the user calls `name`.
    pub(crate) fn workloads(&self, config: &Config, name: &str) -> Result<Vec<Workload>, Failure> {
        let side_log2 = self.size.ilog2();
        let format = self.format(config);
        let built = |pattern: &Pattern| config.features().mipmaps() || !pattern.is_mipmapped();
        let patterns: Vec<Pattern> = match (self.pattern.is_empty(), &self.quads) {
            (false, _) => self.pattern.clone(),
            (true, Some(_)) => Vec::new(),
            (true, None) => Pattern::ALL.into_iter().filter(built).collect(),
        };
        let mut problems = Vec::new();
        for pattern in patterns.iter().filter(|pattern| !built(pattern)) {
            let message = format!("{name} does not build mipmapping, which pattern {} needs", pattern.name());
            let help = "change texture.mipmaps in the configuration, or leave the pattern out";
            problems.push(Problem::new(Rule::NotBuilt, message, help));
        }
        let mut workloads: Vec<_> =
            patterns.into_iter().map(|pattern| pattern.workload(config, format, side_log2)).collect();
        if let Some(quads) = &self.quads {
            workloads.push(self.listed(quads, config)?);
        }
        for workload in &workloads {
            let binding = &workload.binding;
            for problem in not_built(*binding.texture(), binding.sampler(), config, name) {
                if !problems.contains(&problem) {
                    problems.push(problem);
                }
            }
        }
        if problems.is_empty() { Ok(workloads) } else { Err(Failure::input(problems)) }
    }

    /// The list of quads, sampled with the best filter that is built.
    fn listed(&self, path: &Path, config: &Config) -> Result<Workload, Failure> {
        let (texture, memory) = match &self.texture {
            Some(texture) => {
                let image = load(texture)?;
                let mut memory = TextureMemory::empty();
                memory.place(0, image.memory().to_vec());
                (image.texture(), memory)
            }
            None => {
                let side_log2 = self.size.ilog2().min(config.features().max_size_log2());
                let texture = Texture::new(self.format(config), side_log2, side_log2, side_log2);
                (texture.expect("a side of at most 512"), TextureMemory::noise(1))
            }
        };
        let features = config.features();
        let sampler =
            Sampler { bilinear: features.bilinear(), mipmapped: features.mipmaps(), ..Sampler::default() };
        let unreadable = |error| {
            Failure::in_file(Rule::Read, path, format!("the quads cannot be read: {error}"), "check the path")
        };
        let mut quads = Vec::new();
        read_quads(File::open(path).map_err(unreadable)?, path, |quad| {
            quads.push(quad);
            Ok(())
        })?;
        let needed = LEAST_QUADS * u64::from(config.units());
        let counting = quads.iter().filter(|quad| quad.valid() != 0).count() as u64;
        if counting < needed {
            let message = format!("{counting} of the quads have a valid pixel, but {needed} are needed");
            let help = format!("list {needed} quads or more: {LEAST_QUADS} for each unit");
            return Err(Failure::in_file(Rule::TooFewQuads, path, message, help));
        }
        let name = path.file_name().map_or_else(|| "quads".to_owned(), |name| name.to_string_lossy().into());
        let binding = Binding::new(0, texture, sampler).expect("address 0 is aligned");
        Ok(Workload { name, binding, memory: Arc::new(memory), quads, warm_up_quads: 0 })
    }
}
