//! `tmugen sample`: quads from a CSV file through a texture unit, of the classic or of the general numerics.

mod classic;
mod general;
mod indirect;
mod sampler;

pub(super) use general::{problems, problems_of_pair};
use indirect::IndirectArgs;
pub(super) use sampler::SamplerArgs;

use crate::args::{ConfigArgs, with_units};
use crate::choices::choice_parser;
use crate::console::{Summary, Verbosity};
use crate::engine::Engine;
use crate::files::kind::Kind;
use crate::files::{Files, ForceArgs};
use crate::problem::{Failure, Rule};
use serde_json::json;
use std::path::{Path, PathBuf};
use tmu_assets::load_any;
use tmu_spec::Config;
use tmu_spec::choice::Choice as _;
use tmu_spec::general::{Numbers, ResultNumbers};
use toml::{Table, Value};

/// Quads that are sampled and written together.
const CHUNK_QUADS: usize = 4096;

/// Sample quads of a texture: Q.csv in, R.csv out
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Q.csv has the columns u0,v0,u1,v1,u2,v2,u3,v3,valid, in any order: for each pixel of a quad (upper left, upper right, lower left, \
lower right) its coordinates as s16.16 in decimal integers, 65536 being the full extent of the texture, and the valid \
bits as a number of 0 to 15, bit i for pixel i. A v that is left out is 0.
R.csv has the header rgba0,rgba1,rgba2,rgba3,valid,error: colours as hex digits RRGGBBAA, the valid bits, and 1 where \
the unit reports an error.

A preset of the general numerics (multi, multi-lite) has more columns: u0 v0 w0 q0 d0 to \
u3 v3 w3 q3 d3, valid and lod. All but u0 to u3 and valid may be left out; then they are 0, and q is 1. With --numbers \
fp32 coordinates and q are decimal floats; d (the reference of --compare) and lod always are; coordinates of --op fetch \
are always integers. Results other than unorm8 have the columns r0,g0,b0,a0,r1 and so on, in hex digits of their bits.

With --indirect (presets indirect and multi) u and v are integers: the texel of --texture there is the place of \
a texel in the second texture, which is the sample. With --operation none each of --values is a row of its own, led \
by the columns index,value: the number of the quad and of the value, from 0.

Examples:
  tmugen sample --texture coffee.toml --quads quads.csv -o samples.csv
  tmugen sample --texture coffee.toml --quads quads.csv -o samples.csv --filter nearest --mipmaps off
  tmugen sample --texture coffee.toml --quads quads.csv -o samples.csv --address-u clamp --address-v mirror --max-lod 4
  tmugen sample --preset multi-lite --texture coffee.toml --quads quads.csv -o samples.csv --mip linear --engine rtl
  tmugen sample --texture coffee.toml --quads quads.csv -o -
  tmugen sample --preset multi --texture coffee.toml --quads quads.csv -o wide.csv --numbers s16.16 --mip linear
  tmugen sample --preset multi --texture coffee.toml --quads quads.csv -o samples.csv --numbers s16.16 --anisotropy 16 \
--result unorm8
  tmugen pack emblem.png -o places.bin --kind 2d --format rgba8
  tmugen sample --preset indirect --texture places.toml --indirect coffee.toml --quads quads.csv -o found.csv
  tmugen sample --preset indirect --texture places.toml --indirect coffee.toml --quads quads.csv -o mean.csv --operation average \
--values 4 --offset-u 1 --fields gb")]
pub(crate) struct Args {
    /// The texture's descriptor
    #[arg(long, value_name = "T.toml")]
    texture: PathBuf,
    /// The quads to sample; - is standard input
    #[arg(long, value_name = "Q.csv")]
    quads: PathBuf,
    /// The samples to write; - is standard output
    #[arg(short, long, value_name = "R.csv")]
    output: PathBuf,
    #[command(flatten)]
    config: ConfigArgs,
    /// What samples: the golden model or the hardware in simulation
    #[arg(long, value_enum, default_value_t)]
    engine: Engine,
    #[command(flatten)]
    sampler: SamplerArgs,
    #[command(flatten)]
    indirect: IndirectArgs,
    /// The form of coordinates and q, instead of the configuration's
    #[arg(long, value_name = "FORM", value_parser = choice_parser::<Numbers>())]
    numbers: Option<Numbers>,
    /// The form of results, instead of the configuration's
    #[arg(long, value_name = "FORM", value_parser = choice_parser::<ResultNumbers>())]
    result: Option<ResultNumbers>,
    #[command(flatten)]
    force: ForceArgs,
    #[command(flatten)]
    pub(crate) verbosity: Verbosity,
}

impl Args {
    pub(crate) fn run(&self) -> Result<Summary, Failure> {
        let mut files = Files::new(self.force);
        files.read_all(self.config.file(), "the configuration");
        files.read_texture(&self.texture);
        if let Some(secondary) = &self.indirect.secondary {
            files.read_texture(secondary);
        }
        files.read(&self.quads, "--quads");
        files.write(&self.output, "-o", Kind::Samples);
        files.check()?;
        self.sampler.check()?;
        let config = self.with_numbers(with_units(self.config.load()?, &self.config.name())?)?;
        let image = load_any(&self.texture)?;
        let quads = match (config.features().general(), &self.indirect.secondary) {
            (None, Some(_)) => return Err(Failure::input(vec![indirect::not_built(&self.config.name())])),
            (None, None) => self.sample_classic(&files, image, &config)?,
            (Some(general), None) => self.sample_general(&files, &image.into_general(), &config, general)?,
            (Some(general), Some(_)) => {
                self.sample_indirect(&files, &image.into_general(), &config, general)?
            }
        };
        let output = self.output.display().to_string();
        let text = format!("{output}: {quads} quads of {} sampled\n", self.texture.display());
        Ok(Summary::note(text, json!({ "file": output, "quads": quads, "engine": self.engine.name() })))
    }

    /// The configuration with the forms of numbers that were asked for.
    fn with_numbers(&self, config: Config) -> Result<Config, Failure> {
        let asked =
            [("request", self.numbers.map(Numbers::name)), ("result", self.result.map(ResultNumbers::name))];
        let mut table: Table = config.canonical_toml().parse().expect("the canonical text is TOML");
        for (group, form) in asked {
            if let Some(form) = form {
                let group = table.entry(group).or_insert_with(|| Value::Table(Table::new()));
                let Value::Table(group) = group else { unreachable!("groups are tables") };
                group.insert("numbers".to_owned(), Value::String(form.to_owned()));
            }
        }
        Ok(Config::from_toml(&table.to_string())?)
    }
}

fn unreadable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::in_file(Rule::Read, path, format!("the quads cannot be read: {error}"), "check the path")
}
