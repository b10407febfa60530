//! Configurations: any text is refused or becomes a configuration that its canonical text gives back.
#![no_main]

use tmu_spec::Config;

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Ok(config) = Config::from_toml(text) {
        assert_eq!(Config::from_toml(config.canonical_toml()).as_ref(), Ok(&config));
    }
});
