//! `tmugen check`: is this configuration legal, and what follows from it.

use crate::args::load_config;
use crate::console::{Summary, Verbosity};
use crate::problem::Failure;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use tmu_problem::Problems;
use tmu_spec::choice::Choice;
use tmu_spec::config::CacheKind;
use tmu_spec::general::{General, Kind};
use tmu_spec::latency::{WIDTH, hidden_latency_clocks};
use tmu_spec::{AddressMode, Config, Format};

/// Check configurations and show what follows from them
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tmugen check my_tmu.toml
  tmugen check my_tmu.toml four_units.toml --json")]
pub(crate) struct Args {
    /// Configuration files; - is standard input
    #[arg(value_name = "CONFIG", required = true)]
    configs: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) verbosity: Verbosity,
}

impl Args {
    pub(crate) fn run(&self) -> Result<Summary, Failure> {
        let (mut text, mut data, mut problems) = (String::new(), Vec::new(), Vec::new());
        for path in &self.configs {
            match load_config(path) {
                Ok(config) => {
                    text += &describe(path, &config);
                    data.push(facts(path, &config));
                }
                Err(failure) => problems.extend(failure.problems),
            }
        }
        Problems::check(problems)?;
        Ok(Summary::note(text, json!({ "configs": data })))
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
