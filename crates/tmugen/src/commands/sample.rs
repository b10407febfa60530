//! `tmugen sample`: quads from a CSV file through a texture unit.

use crate::args::ConfigArgs;
use crate::choices::choice_parser;
use crate::console::{Summary, Verbosity};
use crate::engine::{Engine, QuadEngine, not_built};
use crate::files::kind::Kind;
use crate::files::kind::SAMPLE_HEADER;
use crate::files::{Files, ForceArgs};
use crate::problem::{Failure, Rule};
use crate::progress;
use crate::quads::{read_quads, write_sample};
use serde_json::json;
use std::fs::File;
use std::path::{Path, PathBuf};
use tmu_assets::{TextureImage, load};
use tmu_problem::Problem;
use tmu_spec::{AddressMode, Binding, Config, Features, Quad, Sampler, Texture};

/// Quads that are sampled and written together.
const CHUNK_QUADS: usize = 4096;

/// Sample quads of a texture: Q.csv in, R.csv out
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Q.csv has the header u0,v0,u1,v1,u2,v2,u3,v3,valid: for each pixel of a quad (upper left, upper right, lower left, \
lower right) its coordinates as s16.16 in decimal integers, 65536 being the full extent of the texture, and the valid \
bits as a number of 0 to 15, bit i for pixel i.
R.csv has the header rgba0,rgba1,rgba2,rgba3,valid,error: colours as hex digits RRGGBBAA, the valid bits, and 1 where \
the unit reports an error.

Examples:
  tmugen sample --texture coffee.toml --quads quads.csv -o samples.csv
  tmugen sample --texture coffee.toml --quads quads.csv -o samples.csv --filter nearest --mipmaps off
  tmugen sample --texture coffee.toml --quads quads.csv -o samples.csv --address-u clamp --address-v mirror --max-lod 4")]
pub(crate) struct Args {
    /// The texture's descriptor
    #[arg(long, value_name = "T.toml")]
    texture: PathBuf,
    /// The quads to sample
    #[arg(long, value_name = "Q.csv")]
    quads: PathBuf,
    /// The samples to write
    #[arg(short, long, value_name = "R.csv")]
    output: PathBuf,
    #[command(flatten)]
    config: ConfigArgs,
    /// What samples: the golden model or the hardware in simulation
    #[arg(long, value_enum, default_value_t)]
    engine: Engine,
    /// Weigh four texels or take the nearest [default: bilinear where it is built]
    #[arg(long, value_enum)]
    filter: Option<Filter>,
    /// Choose the level by the footprint or always level 0 [default: on where it is built]
    #[arg(long, value_enum)]
    mipmaps: Option<Switch>,
    /// What happens to u outside the texture
    #[arg(long, value_name = "MODE", default_value = "wrap", value_parser = choice_parser::<AddressMode>())]
    address_u: AddressMode,
    /// What happens to v outside the texture
    #[arg(long, value_name = "MODE", default_value = "wrap", value_parser = choice_parser::<AddressMode>())]
    address_v: AddressMode,
    /// The smallest level to sample [default: that of the descriptor]
    #[arg(long, value_name = "N")]
    max_lod: Option<u32>,
    #[command(flatten)]
    force: ForceArgs,
    #[command(flatten)]
    pub(crate) verbosity: Verbosity,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Filter {
    Nearest,
    Bilinear,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Switch {
    On,
    Off,
}

impl Args {
    pub(crate) fn run(&self) -> Result<Summary, Failure> {
        let mut files = Files::new(self.force);
        files.read_all(self.config.file(), "the configuration");
        files.read_texture(&self.texture);
        files.read(&self.quads, "--quads");
        files.write(&self.output, "-o", Kind::Samples);
        files.check()?;
        let config = self.config.load_units()?;
        let image = load(&self.texture)?;
        let sampler = self.sampler(config.features());
        let texture = self.bound_texture(image.texture(), sampler, &config)?;
        let binding = Binding::new(0, texture, sampler).expect("address 0 is aligned");
        let quads = self.sample(&files, &image, &binding, &config)?;
        let output = self.output.display().to_string();
        let text = format!("{output}: {quads} quads of {} sampled\n", self.texture.display());
        Ok(Summary::note(text, json!({ "file": output, "quads": quads, "engine": self.engine.name() })))
    }

    /// What was asked for, or what is built where nothing was.
    fn sampler(&self, features: &Features) -> Sampler {
        Sampler {
            bilinear: self.filter.map_or(features.bilinear(), |filter| filter == Filter::Bilinear),
            mipmapped: self.mipmaps.map_or(features.mipmaps(), |mipmaps| mipmaps == Switch::On),
            address_u: self.address_u,
            address_v: self.address_v,
        }
    }

    /// The texture with the max-lod that was asked for, if the unit can sample it like this.
    fn bound_texture(&self, texture: Texture, sampler: Sampler, config: &Config) -> Result<Texture, Failure> {
        let mut problems = not_built(texture, sampler, config, &self.config.name());
        let max_lod = self.max_lod.unwrap_or(texture.max_lod());
        let bound = Texture::new(texture.format(), texture.width_log2(), texture.height_log2(), max_lod);
        if bound.is_err() {
            let last = texture.levels() - 1;
            let message = format!("--max-lod is {max_lod}, but the last level of the texture is {last}");
            let help = format!("use 0 to {last}");
            problems.push(Problem::new(Rule::MaxLod, message, help).in_file(&self.texture));
        }
        match bound {
            Ok(bound) if problems.is_empty() => Ok(bound),
            _ => Err(Failure::input(problems)),
        }
    }

    /// Samples all quads and writes the results.
    fn sample(
        &self,
        files: &Files,
        image: &TextureImage,
        binding: &Binding,
        config: &Config,
    ) -> Result<u64, Failure> {
        let mut engine = QuadEngine::new(self.engine, config, image.memory(), self.verbosity)?;
        let source = File::open(&self.quads).map_err(|error| unreadable(&self.quads, &error))?;
        let bytes = source.metadata().map_or(0, |metadata| metadata.len());
        let bar = progress::bar(self.verbosity, bytes, "bytes");
        bar.set_message("sampling");
        let mut output = files.begin(&self.output)?;
        output.write_all(SAMPLE_HEADER.as_bytes())?;
        let mut chunk = Vec::with_capacity(CHUNK_QUADS);
        let mut write = |chunk: &mut Vec<Quad>| {
            let mut rows = String::new();
            for result in engine.sample(binding, chunk)? {
                write_sample(&mut rows, &result);
            }
            chunk.clear();
            output.write_all(rows.as_bytes())
        };
        let quads = read_quads(bar.wrap_read(source), &self.quads, |quad| {
            chunk.push(quad);
            if chunk.len() == CHUNK_QUADS { write(&mut chunk) } else { Ok(()) }
        })?;
        write(&mut chunk)?;
        output.commit()?;
        bar.finish_and_clear();
        Ok(quads)
    }
}

fn unreadable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::in_file(Rule::Read, path, format!("the quads cannot be read: {error}"), "check the path")
}
