//! `tmugen check`: is this configuration legal, what follows from it, and how it fits a device.

#[cfg(feature = "full")]
mod device;
#[cfg(feature = "full")]
mod fit;
#[cfg(feature = "full")]
mod rates;

use crate::args::{load_config, load_preset, preset_parser};
use crate::console::{Summary, Verbosity};
use crate::problem::Failure;
#[cfg(feature = "full")]
use crate::problem::Rule;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use tmu_problem::Problems;
use tmu_spec::choice::Choice;
use tmu_spec::config::CacheKind;
use tmu_spec::general::{General, Kind};
use tmu_spec::latency::{WIDTH, hidden_latency_clocks};
use tmu_spec::tile::BANKS;
use tmu_spec::{AddressMode, Config, Format};

/// Check configurations and show what follows from them
#[derive(Debug, clap::Args)]
#[command(after_help = "\
--device compares what the core takes with what a device has. RAM and multipliers are counted as they are emitted; LUTs and \
flip-flops are known of presets, and otherwise come from Yosys (--luts) or from an estimate (--area). docs/reference/devices.md \
lists the devices and says what each line means.

Examples:
  tmugen check my_tmu.toml
  tmugen check my_tmu.toml four_units.toml --json
  tmugen check --preset stream --device ZU3EG
  tmugen check my_tmu.toml --device K26 --luts --tmu-mhz 250 --memory-mb-s 8500")]
pub(crate) struct Args {
    /// Configuration files; - is standard input
    #[arg(value_name = "CONFIG", required_unless_present = "preset")]
    configs: Vec<PathBuf>,
    /// A configuration that ships with tmugen; may be given several times
    #[arg(long, value_name = "P", value_parser = preset_parser())]
    preset: Vec<String>,
    #[cfg(feature = "full")]
    #[command(flatten)]
    device: device::DeviceArgs,
    #[command(flatten)]
    pub(crate) verbosity: Verbosity,
}

impl Args {
    pub(crate) fn run(&self) -> Result<Summary, Failure> {
        let mut configs = Vec::new();
        let mut problems = Vec::new();
        for path in &self.configs {
            match load_config(path) {
                Ok(config) => configs.push((path.clone(), config)),
                Err(failure) => problems.extend(failure.problems),
            }
        }
        Problems::check(problems)?;
        for name in &self.preset {
            configs.push((PathBuf::from(name), load_preset(name)?));
        }
        let (mut text, mut data) = (String::new(), Vec::new());
        #[cfg(feature = "full")]
        let on_device = self.on_device(&configs)?;
        #[cfg(not(feature = "full"))]
        let on_device: Vec<Option<(String, Value)>> = Vec::new();
        for (number, (path, config)) in configs.iter().enumerate() {
            text += &describe(path, config);
            let mut facts = facts(path, config);
            if let Some(Some((more, device))) = on_device.get(number) {
                text += more;
                facts["device"] = device.clone();
            }
            data.push(facts);
        }
        Ok(Summary::note(text, json!({ "configs": data })))
    }

    /// What is said of each configuration on the device, where one is named.
    #[cfg(feature = "full")]
    fn on_device(&self, configs: &[(PathBuf, Config)]) -> Result<Vec<Option<(String, Value)>>, Failure> {
        if configs.len() > 1 && self.device.area().is_some() {
            let message = format!(
                "--area: the estimate is of one core, and there are {} configurations",
                configs.len()
            );
            return Err(Failure::new(Rule::Usage, message, "name one configuration, or leave --area out"));
        }
        let Some(device) = self.device.find()? else { return Ok(Vec::new()) };
        configs
            .iter()
            .map(|(_, config)| self.device.describe(config, device, self.verbosity).map(Some))
            .collect()
    }
}

fn formats(config: &Config) -> Vec<&'static str> {
    config.features().formats().map(Format::name).collect()
}

fn address_modes(config: &Config) -> Vec<&'static str> {
    config.features().address_modes().map(AddressMode::name).collect()
}

fn describe(path: &Path, config: &Config) -> String {
    let (features, clocks) = (config.features(), config.clocks());
    let mut text = String::new();
    let _ = writeln!(text, "{}: {} is a legal configuration", path.display(), config.name());
    let _ = writeln!(text, "  units         {}", config.units());
    let _ = writeln!(text, "  clocks        core {} MHz, tmu {} MHz", clocks.core_mhz(), clocks.tmu_mhz());
    let _ = writeln!(text, "  formats       {}", formats(config).join(", "));
    let _ = writeln!(text, "  address modes {}", address_modes(config).join(", "));
    let most = 1u32 << features.max_size_log2();
    let filter = if features.bilinear() { "bilinear and nearest" } else { "nearest only" };
    let levels = match (features.mipmaps(), features.max_size_log2()) {
        (true, last) => format!("mipmaps, levels 0 to {last}"),
        (false, _) => "no mipmaps, level 0 only".to_owned(),
    };
    let _ = writeln!(text, "  sampling      {filter}; {levels}; textures up to {most} x {most}");
    if let Some(general) = features.general() {
        let _ = writeln!(text, "  numerics      general: {}", general_line(general));
        if config.check_hardware().is_err() {
            let _ = writeln!(text, "  hardware      none yet: sampled by the golden model only");
        }
    }
    let _ = writeln!(text, "  cache         {}", cache_line(config));
    if let Some(clocks) = hidden_latency_clocks(config) {
        let _ = writeln!(
            text,
            "  latency       {clocks} clocks of memory are hidden at 1:1, {WIDTH} pixels wide, 16 bytes a clock"
        );
    }
    let _ = writeln!(text, "  hash          {}", config.short_hash());
    text
}

/// What a unit of the general numerics has beside.
fn general_line(general: &General) -> String {
    let kinds: Vec<_> = general.kinds().map(Kind::name).collect();
    let mut parts = vec![
        format!("kinds {}", kinds.join(", ")),
        format!("{} in, {} bits a channel, {} out", general.numbers, general.channel_bits, general.result),
    ];
    if general.trilinear {
        parts.push("trilinear".to_owned());
    }
    if general.ripmaps {
        parts.push("ripmaps".to_owned());
    }
    if general.max_anisotropy > 1 {
        parts.push(format!("anisotropy up to {}", general.max_anisotropy));
    }
    let others =
        [(general.compare, "comparison"), (general.srgb, "sRGB"), (general.projective, "projection")];
    parts.extend(others.into_iter().filter(|(is_built, _)| *is_built).map(|(_, what)| what.to_owned()));
    parts.join("; ")
}

/// What the cache of a unit holds.
fn cache_line(config: &Config) -> String {
    let cache = config.cache();
    let (ways, sets) = (cache.ways(), cache.sets());
    match cache.kind() {
        CacheKind::Blocking => format!(
            "{ways} ways x {sets} sets x {} bytes = {} a unit; tags of {} bits",
            cache.line_bytes(),
            size(cache.data_bytes()),
            cache.tag_bits()
        ),
        CacheKind::Prefetch if cache.is_associative() => format!(
            "{ways} lines of {} tiles of 4 x 4 texels, a tile in any line = {} tiles a unit; tags looked up ahead, {} reads in flight",
            BANKS,
            cache.lines(),
            config.axi().outstanding_reads()
        ),
        CacheKind::Prefetch => format!(
            "{ways} ways x {sets} sets of tiles of 4 x 4 texels = {} tiles a unit; tags looked up ahead, {} reads in flight",
            cache.lines(),
            config.axi().outstanding_reads()
        ),
    }
}

/// A size in KiB where it is a whole number of them.
fn size(bytes: u32) -> String {
    if bytes.is_multiple_of(1024) { format!("{} KiB", bytes / 1024) } else { format!("{bytes} bytes") }
}

fn facts(path: &Path, config: &Config) -> Value {
    let (cache, features) = (config.cache(), config.features());
    json!({
        "file": path.display().to_string(),
        "name": config.name(),
        "hash": config.hash(),
        "units": config.units(),
        "formats": formats(config),
        "address_modes": address_modes(config),
        "bilinear": features.bilinear(),
        "mipmaps": features.mipmaps(),
        "levels": if features.mipmaps() { features.max_size_log2() + 1 } else { 1 },
        "max_size_log2": features.max_size_log2(),
        "cache": {
            "ways": cache.ways(),
            "sets": cache.sets(),
            "line_bytes": cache.line_bytes(),
            "tag_bits": cache.tag_bits(),
        },
        "has_hardware": config.check_hardware().is_ok(),
        "hidden_latency_clocks": hidden_latency_clocks(config),
    })
}
