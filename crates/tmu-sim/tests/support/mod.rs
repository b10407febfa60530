//! What the tests share.
#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::io::Write as _;
use std::path::Path;
use tmu_sim::kit::rtl::{Rtl, SetupError, build};
use tmu_spec::presets::PRESETS;
use tmu_spec::{Config, Preset};
use tmu_verilate::{Error, Model, ModelOptions};

/// What no preset is: a memory port with its own clock, two units without mipmaps, quads in one beat, features left out,
/// a small cache, a window that does not start at 0.
pub(crate) const OWN_CLOCK: &str = "name = \"own\"\nunits = 2\nclock = { memory_mhz = 300 }\n\
     texture = { formats = [\"rgba8\", \"i8_rgb8\"], address_modes = [\"wrap\", \"clamp\"], mipmaps = false, \
     max_size_log2 = 8 }\nrequest = { beats_per_quad = 1 }\ncache = { ways = 2, sets = 16 }\n\
     axi = { clock = \"own\", window_base = 0x1_4000_0000 }";

/// What a tool has made of a configuration; none without the tool, which a test of `tmu-verilate` reports.
pub(crate) fn unless_missing<T>(made: Result<T, Error>, config: &Config) -> Option<T> {
    match made {
        Ok(made) => Some(made),
        Err(Error::MissingTool(_)) => None,
        Err(error) => panic!("{}: {error}", config.name()),
    }
}

/// The hardware of a configuration and its model; none without Verilator.
pub(crate) fn built(config: &Config, options: &ModelOptions) -> Option<(Rtl, Model)> {
    match build(config, options) {
        Ok(built) => Some(built),
        Err(SetupError::Model(error)) => unless_missing(Err(error), config),
        Err(error) => panic!("{}: {error}", config.name()),
    }
}

/// What names a configuration to `tmugen sim`. One that is no preset goes to a file beside what is built, whole.
pub(crate) fn arguments(config: &Config) -> String {
    let is_preset = |preset: &&Preset| preset.config().is_ok_and(|of_preset| of_preset == *config);
    if let Some(preset) = PRESETS.iter().find(is_preset) {
        return format!("--preset {}", preset.name());
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join(format!("failing-{}.toml", config.name()));
    let mut file = tempfile::NamedTempFile::new_in(folder).unwrap();
    file.write_all(config.canonical_toml().as_bytes()).unwrap();
    file.persist(&path).unwrap();
    format!("--config {}", path.display())
}
