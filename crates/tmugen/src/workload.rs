//! What `bench` and `explore` send through a unit: named patterns, lists of quads, and frames of scenes.

mod frame;

use crate::choices::classic_format_parser;
use crate::engine::not_built;
use crate::files::Files;
use crate::list::{self, List, ListParser};
use crate::problem::{Failure, Rule};
use crate::quads::read_quads;
use clap::builder::PossibleValue;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tmu_assets::load;
use tmu_problem::{Problem, Problems};
use tmu_sim::engines::sampler::contents::TextureMemory;
use tmu_sim::engines::sampler::throughput::{Pattern, Workload, pattern};
use tmu_spec::{Binding, Config, Format, Quad, Sampler, Texture};

/// Quads with a valid pixel that each unit needs of a list.
const LEAST_QUADS: u64 = 64;

/// Side of a pattern's picture where none is given.
const DEFAULT_SIZE: u32 = 256;

/// Quads that a list may have: one for every two pixels of the largest picture.
const MOST_QUADS: usize = 1 << 25;

/// Which quads are timed.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct WorkloadArgs {
    /// Patterns, parted by commas [default: all that the configuration builds, or none with --quads or --frame]
    #[arg(long, value_name = "PATTERN", value_parser = pattern_parser())]
    pattern: Vec<List<Pattern>>,
    /// A list of quads, as `sample` takes them
    #[arg(long, value_name = "Q.csv")]
    quads: Option<PathBuf>,
    /// The texture of those quads [default: one of --size and --format]
    #[arg(long, value_name = "T.toml", requires = "quads")]
    texture: Option<PathBuf>,
    /// Scenes, parted by commas: the quads of a frame, each texture by itself
    #[arg(long, value_name = "SCENE.toml", value_delimiter = ',')]
    frame: Vec<PathBuf>,
    /// Side of a pattern's picture in pixels, and of its texture in texels: a power of two
    #[arg(long, value_name = "PIXELS", default_value_t = DEFAULT_SIZE, value_parser = parse_size)]
    size: u32,
    /// Format of a pattern's texture [default: rgba8 where it is built]
    #[arg(long, value_parser = classic_format_parser())]
    format: Option<Format>,
}

/// Accepts names of patterns.
fn pattern_parser() -> ListParser<Pattern> {
    let values = Pattern::ALL.map(|pattern| PossibleValue::new(pattern.name()).help(pattern.about()));
    list::names(values, Pattern::from_name)
}

fn parse_size(text: &str) -> Result<u32, String> {
    let sides = pattern::SIDES_LOG2;
    let fits = |side: &u32| side.is_power_of_two() && sides.contains(&side.ilog2());
    let rule = || format!("use a power of two of {} to {}", 1 << sides.start(), 1 << sides.end());
    text.parse().ok().filter(fits).ok_or_else(rule)
}

impl WorkloadArgs {
    /// Whether any of it is named.
    pub(crate) fn is_asked_for(&self) -> bool {
        let has_default_size = self.size == DEFAULT_SIZE;
        let is_plain = self.pattern.is_empty() && self.quads.is_none() && self.frame.is_empty();
        !is_plain || self.format.is_some() || !has_default_size
    }

    /// Side of a pattern's picture in pixels.
    pub(crate) const fn size(&self) -> u32 {
        self.size
    }

    /// The format of patterns' textures.
    pub(crate) fn format(&self, config: &Config) -> Format {
        self.format.or_else(|| config.features().formats().next()).unwrap_or(Format::Rgba8)
    }

    /// The arguments that name one workload again.
    pub(crate) fn arguments(&self, workload: &Workload) -> String {
        let one = match Pattern::from_name(&workload.name) {
            Some(pattern) => WorkloadArgs {
                pattern: vec![List(vec![pattern])],
                quads: None,
                texture: None,
                frame: Vec::new(),
                ..self.clone()
            },
            None => WorkloadArgs { pattern: Vec::new(), ..self.clone() },
        };
        one.all_arguments()
    }

    /// The arguments that name all of this again.
    pub(crate) fn all_arguments(&self) -> String {
        let mut text = String::new();
        if !self.pattern.is_empty() {
            let names: Vec<_> = List::flat(&self.pattern).iter().map(|pattern| pattern.name()).collect();
            text += &format!(" --pattern {}", names.join(","));
        }
        for (flag, path) in [("--quads", &self.quads), ("--texture", &self.texture)] {
            if let Some(path) = path {
                text += &format!(" {flag} {}", path.display());
            }
        }
        if !self.frame.is_empty() {
            let names: Vec<_> = self.frame.iter().map(|path| path.display().to_string()).collect();
            text += &format!(" --frame {}", names.join(","));
        }
        text += &format!(" --size {}", self.size);
        if let Some(format) = self.format {
            text += &format!(" --format {format}");
        }
        text
    }

    /// The files that are read.
    pub(crate) fn declare(&self, files: &mut Files) {
        files.read_all(&self.quads, "--quads");
        if let Some(texture) = &self.texture {
            files.read_texture(texture);
        }
        files.read_all(&self.frame, "a scene of --frame");
    }

    /// Reads the list of quads and its texture, if they were named.
    pub(crate) fn load(&self) -> Result<Workloads<'_>, Failure> {
        let listed = match &self.quads {
            Some(path) => Some(Listed::read(path, self.texture.as_deref())?),
            None => None,
        };
        Ok(Workloads { args: self, listed })
    }
}

/// The workloads of any configuration.
pub(crate) struct Workloads<'a> {
    args: &'a WorkloadArgs,
    listed: Option<Listed>,
}

/// A list of quads, with its texture if it has one of its own.
struct Listed {
    path: PathBuf,
    quads: Arc<[Quad]>,
    texture: Option<(Texture, Arc<TextureMemory>)>,
}

impl Workloads<'_> {
    /// What was asked for, for a configuration that the user calls `name`.
    pub(crate) fn of(&self, config: &Config, name: &str) -> Result<Vec<Workload>, Failure> {
        let WorkloadArgs { pattern, quads, frame, size, .. } = self.args;
        let format = self.args.format(config);
        let built = |pattern: &Pattern| config.features().mipmaps() || !pattern.is_mipmapped();
        let patterns: Vec<Pattern> = match (pattern.is_empty(), quads.is_some() || !frame.is_empty()) {
            (false, _) => List::flat(pattern),
            (true, true) => Vec::new(),
            (true, false) => Pattern::ALL.into_iter().filter(built).collect(),
        };
        let mut problems = Vec::new();
        for pattern in patterns.iter().filter(|pattern| !built(pattern)) {
            let message = format!("{name} does not build mipmapping, which pattern {} needs", pattern.name());
            let help = "change texture.mipmaps in the configuration, or leave the pattern out";
            problems.push(Problem::new(Rule::NotBuilt, message, help));
        }
        let patterns = patterns.into_iter().map(|pattern| pattern.workload(config, format, size.ilog2()));
        let mut workloads: Vec<_> = patterns.collect();
        if let Some(listed) = &self.listed {
            workloads.push(listed.workload(config, format, size.ilog2())?);
        }
        let least = LEAST_QUADS as usize * config.units() as usize;
        for path in frame {
            workloads.extend(frame::workloads(path, config, least)?);
        }
        for workload in &workloads {
            let binding = &workload.binding;
            for problem in not_built(*binding.texture(), binding.sampler(), config, name) {
                if !problems.contains(&problem) {
                    problems.push(problem);
                }
            }
        }
        Problems::check(problems)?;
        Ok(workloads)
    }
}

impl Listed {
    fn read(path: &Path, texture: Option<&Path>) -> Result<Self, Failure> {
        let texture = match texture {
            Some(texture) => {
                let image = load(texture)?;
                let mut memory = TextureMemory::empty();
                memory.place(0, image.memory().to_vec());
                Some((image.texture(), Arc::new(memory)))
            }
            None => None,
        };
        let unreadable = |error| {
            Failure::in_file(Rule::Read, path, format!("the quads cannot be read: {error}"), "check the path")
        };
        let mut quads = Vec::new();
        read_quads(File::open(path).map_err(unreadable)?, path, |quad| {
            if quads.len() == MOST_QUADS {
                let message = format!("the list has more than {MOST_QUADS} quads, which are all kept");
                return Err(Failure::in_file(Rule::Read, path, message, "time a part of the list"));
            }
            quads.push(quad);
            Ok(())
        })?;
        Ok(Listed { path: path.to_path_buf(), quads: quads.into(), texture })
    }

    /// The quads, sampled with the best filter that is built, of a texture of `2^side_log2` texels squared if they
    /// have none of their own.
    fn workload(&self, config: &Config, format: Format, side_log2: u32) -> Result<Workload, Failure> {
        let features = config.features();
        let (texture, memory) = self.texture.clone().unwrap_or_else(|| {
            let side_log2 = side_log2.min(features.max_size_log2());
            let texture = Texture::new(format, side_log2, side_log2, side_log2);
            (texture.expect("a side of at most 512"), Arc::new(TextureMemory::noise(1)))
        });
        let sampler =
            Sampler { bilinear: features.bilinear(), mipmapped: features.mipmaps(), ..Sampler::default() };
        let needed = LEAST_QUADS * u64::from(config.units());
        let counting = self.quads.iter().filter(|quad| quad.valid() != 0).count() as u64;
        if counting < needed {
            let message = format!("{counting} of the quads have a valid pixel, but {needed} are needed");
            let help = format!("list {needed} quads or more: {LEAST_QUADS} for each unit");
            return Err(Failure::in_file(Rule::TooFewQuads, &self.path, message, help));
        }
        let name = self.path.file_name().map_or_else(|| "quads".into(), |name| name.to_string_lossy());
        let binding = Binding::new(0, texture, sampler).expect("address 0 is aligned");
        Ok(Workload {
            name: name.into_owned(),
            binding,
            memory,
            quads: Arc::clone(&self.quads),
            warm_up_quads: 0,
        })
    }
}
