//! What the tests of random runs share.

use std::io::Write as _;
use std::path::Path;
use tmu_spec::presets::PRESETS;
use tmu_spec::{Config, Preset};

/// A number from the environment.
pub(crate) fn number(variable: &str, default: u64) -> u64 {
    let set = std::env::var(variable).ok();
    set.map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{variable} = {text} is no number")))
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
