//! `tmugen bringup`: what the bring-up kit of a core should say, by the golden model.

use crate::args::{ConfigArgs, with_units};
use crate::choices::choice_parser;
use crate::commands::sample::{SamplerArgs, problems};
use crate::console::{Summary, Verbosity};
use crate::files::kind::Kind;
use crate::files::{Files, ForceArgs};
use crate::problem::{Failure, Rule};
use crate::requests::Requests;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use tmu_assets::{AnyImage, load_any};
use tmu_model::bring_up::quad_generator::{general_quads, quads};
use tmu_model::bring_up::result_crc::ResultCrc;
use tmu_model::general::unit::Unit;
use tmu_model::{MemoryImage, TextureUnit};
use tmu_problem::Problem;
use tmu_spec::bring_up::{Pattern, Walk};
use tmu_spec::choice::Choice as _;
use tmu_spec::general::packet::{Extras, of_binding, of_quad};
use tmu_spec::general::{self, Filter, General, MipFilter, Operation};
use tmu_spec::latency::{Needs, needs};
use tmu_spec::{Binding, Config, LINE_BYTES, RequestBeat, Sampler, TEXTURE_ADDRESS_BITS};

/// Bits of a word of a binding, as drivers write it.
const WORD_BYTES: usize = 4;

/// What a core's bring-up kit should say of a texture: the CRC of each pattern
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A core with control.bring_up = true makes quads itself and says a CRC of its results. This command says which CRC is right, \
by the golden model, and what a driver has to write: the words of the binding, and the walk of each pattern. The texture \
must stand in memory as packed, at --base from the start of the texture window. The binding lets the cache drop what it holds, \
since memory has changed.

--requests writes the binding and the quads as a file that `tmugen sim --replay` sends to hardware in simulation.
--latency says which axi.outstanding_reads and cache.queue_depth hide so many clocks of memory.

Examples:
  tmugen bringup --texture coffee.toml
  tmugen bringup --preset quad --texture coffee.toml --base 0x100000 --pattern random --quads 100000
  tmugen bringup --preset stream --texture coffee.toml --pattern scan --requests scan.txt
  tmugen bringup --preset quad --texture coffee.toml --latency 180")]
pub(crate) struct Args {
    /// The texture's descriptor
    #[arg(long, value_name = "T.toml")]
    texture: PathBuf,
    /// Where the texture stands, in bytes from the start of the texture window
    #[arg(long, value_name = "ADDRESS", default_value = "0", value_parser = address)]
    base: u32,
    /// One pattern instead of all
    #[arg(long, value_name = "NAME", value_parser = choice_parser::<Pattern>())]
    pattern: Option<Pattern>,
    /// Quads of a run
    #[arg(long, value_name = "N", default_value_t = 1024)]
    quads: u32,
    /// Quads of a row
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u16).range(1..))]
    row: u16,
    /// Where to write the requests of the pattern
    #[arg(long, value_name = "FILE", requires = "pattern")]
    requests: Option<PathBuf>,
    /// Clocks of memory's latency to hide
    #[arg(long, value_name = "CLOCKS", value_parser = clap::value_parser!(u32).range(0..=60_000))]
    latency: Option<u32>,
    #[command(flatten)]
    config: ConfigArgs,
    #[command(flatten)]
    sampler: SamplerArgs,
    #[command(flatten)]
    force: ForceArgs,
    #[command(flatten)]
    pub(crate) verbosity: Verbosity,
}

fn address(text: &str) -> Result<u32, String> {
    let digits = text.strip_prefix("0x");
    let number = digits.map_or_else(|| text.parse().ok(), |digits| u32::from_str_radix(digits, 16).ok());
    number
        .filter(|number| number % LINE_BYTES == 0 && number >> TEXTURE_ADDRESS_BITS == 0)
        .ok_or_else(|| "use a multiple of 16 below 2^31, like 4096 or 0x1000".to_owned())
}

/// A texture that is bound.
enum Bound {
    Classic(Binding),
    General(general::Binding, Extras),
}

impl Args {
    pub(crate) fn run(&self) -> Result<Summary, Failure> {
        let mut files = Files::new(self.force);
        files.read_all(self.config.file(), "the configuration");
        files.read(&self.texture, "the texture");
        files.write_all(&self.requests, "--requests", Kind::Requests);
        files.check()?;
        self.sampler.check()?;
        let config = with_units(self.config.load()?, &self.config.name())?;
        let image = load_any(&self.texture)?;
        let bound = self.bound(&image, &config)?;
        let packet = bound.packet();
        let words: Vec<u32> = packet.iter().flat_map(words).collect();
        let size = match &image {
            AnyImage::Classic(image) => [image.texture().width(0), image.texture().height(0)],
            AnyImage::General(image) => [image.texture().shape().width, image.texture().shape().height],
        };
        let mut text = format!("{}: what the bring-up kit should say\n  binding:", self.config.name());
        for (number, word) in words.iter().enumerate() {
            let parting = if number % 8 == 0 { "\n   " } else { "" };
            let _ = write!(text, "{parting} 0x{word:08x}");
        }
        text.push('\n');
        let mut data = Vec::new();
        let chosen =
            Pattern::CHOICES.iter().filter(|pattern| self.pattern.is_none_or(|one| one == **pattern));
        for pattern in chosen {
            let walk = pattern.walk(size, self.quads, self.row);
            let crc = bound.crc(&config, memory(&image), self.base, &walk);
            let _ = writeln!(
                text,
                "  {:<9} CRC 0x{:08x} of {} results, {} failed",
                pattern.name(),
                crc.crc(),
                crc.results(),
                crc.failed()
            );
            data.push(json!({
                "pattern": pattern.name(),
                "crc": format!("0x{:08x}", crc.crc()),
                "results": crc.results(),
                "failed": crc.failed(),
                "random": walk.is_random,
                "first": walk.first,
                "across": walk.across.map(u32::cast_signed),
                "down": walk.down.map(u32::cast_signed),
            }));
            if let Some(path) = &self.requests {
                let packets = std::iter::once(packet.clone()).chain(bound.quads(&config, &walk)).collect();
                let requests = Requests { packets, ..Requests::default() };
                let requests =
                    requests.with_memory(self.base, beside(path, &self.texture.with_extension("bin")));
                files.put(&[(path, requests.text(config.request_tdata_bits()).as_bytes())])?;
            }
        }
        let needed = self.needs(&config, &mut text);
        let data = json!({
            "configuration": self.config.name(),
            "binding": words.iter().map(|word| format!("0x{word:08x}")).collect::<Vec<_>>(),
            "quads": self.quads,
            "row_quads": self.row,
            "patterns": data,
            "needs": needed,
        });
        Ok(Summary::note(text, data))
    }

    /// What hides the latency, if that is asked for.
    fn needs(&self, config: &Config, text: &mut String) -> Value {
        let Some(clocks) = self.latency else { return Value::Null };
        let Needs { outstanding_reads, queue_depth } =
            needs(clocks, config.units(), config.datapath().pixels_per_clock());
        let _ = writeln!(
            text,
            "  to hide {clocks} clocks of memory: axi.outstanding_reads = {outstanding_reads}, cache.queue_depth = {queue_depth} (it has {} and {})",
            config.axi().outstanding_reads(),
            config.cache().queue_depth()
        );
        json!({ "latency": clocks, "outstanding_reads": outstanding_reads, "queue_depth": queue_depth })
    }

    /// The texture as the configuration binds it.
    fn bound(&self, image: &AnyImage, config: &Config) -> Result<Bound, Failure> {
        let name = self.config.name();
        let of_any = match image {
            AnyImage::Classic(image) => general::Texture::from(image.texture()),
            AnyImage::General(image) => *image.texture(),
        };
        let features = config.features();
        let sampler = self.sampler.sampler(features, &of_any);
        let general = features.general().copied();
        let mut found = problems(&of_any, &sampler, features, &general.unwrap_or(General::LEAST), &name);
        if self.sampler.operation != Operation::Sample {
            let help = "leave --op out";
            found.push(Problem::new(Rule::NotBuilt, "the bring-up kit asks for samples only", help));
        }
        let past = u64::from(self.base) + u64::from(of_any.bytes()) > 1 << TEXTURE_ADDRESS_BITS;
        if past {
            let message = format!("the texture reaches past the texture window from 0x{:08x}", self.base);
            found.push(Problem::new(Rule::NotBuilt, message, "use a smaller --base").in_file(&self.texture));
        }
        let bound = match (image, general) {
            (_, Some(general)) => {
                let binding =
                    general::Binding { base: self.base, texture: of_any, sampler, drop_cache: true };
                Some(Bound::General(binding, Extras::of(&general)))
            }
            (AnyImage::Classic(image), None) => {
                let [address_u, address_v, _] = sampler.address;
                let sampler = Sampler {
                    bilinear: sampler.min == Filter::Linear,
                    mipmapped: sampler.mip != MipFilter::None,
                    address_u,
                    address_v,
                };
                let binding = Binding::new(self.base, image.texture(), sampler).ok();
                binding.map(|binding| Bound::Classic(binding.with_drop_cache(true)))
            }
            (AnyImage::General(_), None) => {
                let message = "the texture is one of the general numerics";
                let help = "use a preset of them, like multi-lite, or pack the picture without --kind";
                found.push(Problem::new(Rule::NotBuilt, message, help).in_file(&self.texture));
                None
            }
        };
        match bound {
            Some(bound) if found.is_empty() => Ok(bound),
            _ => Err(Failure::input(found)),
        }
    }
}

/// The bytes of a texture.
fn memory(image: &AnyImage) -> &[u8] {
    match image {
        AnyImage::Classic(image) => image.memory(),
        AnyImage::General(image) => image.memory(),
    }
}

/// The path of a file as one beside it has it: the name alone where both are in one folder.
fn beside(path: &Path, file: &Path) -> PathBuf {
    match file.file_name() {
        Some(name) if path.parent() == file.parent() => name.into(),
        _ => file.to_path_buf(),
    }
}

/// The words of a beat of a binding.
fn words(beat: &RequestBeat) -> Vec<u32> {
    let chunks = beat.low_bytes(4 * WORD_BYTES).chunks(WORD_BYTES);
    chunks.map(|word| u32::from_le_bytes(std::array::from_fn(|byte| word[byte]))).collect()
}

impl Bound {
    fn packet(&self) -> Vec<RequestBeat> {
        match self {
            Bound::Classic(binding) => binding.record().to_beats(),
            Bound::General(binding, _) => of_binding(&binding.words()),
        }
    }

    fn quads(&self, config: &Config, walk: &Walk) -> Vec<Vec<RequestBeat>> {
        let beats = config.request().beats_per_quad();
        match self {
            Bound::Classic(_) => quads(walk).map(|quad| quad.to_beats(beats)).collect(),
            Bound::General(_, extras) => {
                general_quads(walk).map(|quad| of_quad(&quad, *extras, beats)).collect()
            }
        }
    }

    fn crc(&self, config: &Config, bytes: &[u8], base: u32, walk: &Walk) -> ResultCrc {
        let mut crc = ResultCrc::default();
        let memory = MemoryImage::new(base, bytes);
        match self {
            Bound::Classic(binding) => {
                let mut unit = TextureUnit::with_features(memory, *config.features());
                // What is refused fails, in the hardware as here.
                let _ = unit.bind(binding);
                quads(walk).for_each(|quad| crc.add(&unit.sample(&quad)));
            }
            Bound::General(general::Binding { texture, sampler, .. }, _) => {
                let mut unit = Unit::new(memory, *config.features());
                let _ = unit.bind(texture, base, sampler);
                let numbers = config.features().general().map(|general| general.result).unwrap_or_default();
                general_quads(walk).for_each(|quad| crc.add_general(numbers, &unit.sample(&quad)));
            }
        }
        crc
    }
}
