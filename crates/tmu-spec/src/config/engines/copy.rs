//! `copy`: bytes of memory to another place in memory.

use super::Channels;
use crate::config::setting::{GroupDoc, KeyDoc, Reader, Setting, group};
use crate::config::value::{Limit, Value};
use toml::de::DeTable;

/// What it does.
pub const ABOUT: &str = "Copies bytes from one place in memory to another, started by a register, with an interrupt at the end. \
                         Source and destination lie in the same place of a line of 16 bytes, and do not overlap.";

/// One for reads, one for writes.
pub const CHANNELS: Channels = Channels { reads: 1, writes: 1 };

group! {
    /// The engine `copy`, where `engines` lists it.
    Settings, "copy", "copy." {
        /// Most lines of a burst, read and written; as many are kept in between.
        burst_lines: u64 = 16, Limit::OneOf(&[4, 16, 64]);
    }
}

/// What the engine was configured to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Config {
    burst_lines: u32,
}

impl From<&Settings> for Config {
    fn from(settings: &Settings) -> Self {
        Self { burst_lines: settings.burst_lines.value as u32 }
    }
}

impl Config {
    /// Most lines of a burst: a power of two.
    #[must_use]
    pub const fn burst_lines(&self) -> u32 {
        self.burst_lines
    }

    /// Bits of the number of lines of a burst, less one.
    #[must_use]
    pub const fn length_bits(&self) -> u32 {
        self.burst_lines.ilog2()
    }
}

#[cfg(test)]
mod tests {
    use crate::Config;
    use crate::config::EngineKind;

    #[test]
    fn the_example_is_a_system_of_this_engine_alone() {
        let config = Config::from_toml(EngineKind::Copy.example().unwrap()).unwrap();
        assert_eq!((config.engines(), config.units()), (&[EngineKind::Copy][..], 0));
        assert_eq!((config.channels().reads, config.channels().writes), (1, 1));
        let again = Config::from_toml(config.canonical_toml()).unwrap();
        assert_eq!(again, config);
    }

    #[test]
    fn a_file_without_engines_is_what_it_was() {
        let config = Config::from_toml("units = 2").unwrap();
        assert_eq!((config.engines(), config.units()), (&[EngineKind::Sampler][..], 2));
        assert!(!config.canonical_toml().contains("engines") && !config.canonical_toml().contains("[copy]"));
        assert_eq!(Config::from_toml("units = 2\nengines = [\"sampler\"]").unwrap(), config);
    }

    #[test]
    fn mistakes_are_told_with_their_remedy() {
        for (toml, expected) in [
            (
                "engines = [\"copier\"]",
                "1:12: error[E0006]: engines = \"copier\": is not an engine\n  help: use one of sampler, copy, mesh, loader, pixel",
            ),
            (
                "[copy]\nburst_lines = 4",
                "1:2: error[E0002]: copy: is not a setting where engines does not list \"copy\"\n  help: remove the table, or add \
                 \"copy\" to engines",
            ),
            (
                "engines = [\"copy\"]\n[copy]\nburst_lines = 5",
                "3:15: error[E0004]: copy.burst_lines = 5: must be 4, 16, 64\n  help: use 4",
            ),
            (
                "engines = [\"copy\"]\n[control]\nport = false\ncounters = false",
                "1:11: error[E0010]: engines = [\"copy\"]: \"copy\" is not built without the control port, which it is \
                 told by what to do\n  help: set control.port = true, or leave \"copy\" out",
            ),
            (
                "engines = [\"copy\"]\n[clock]\nmemory_mhz = 300\n[axi]\nclock = \"own\"",
                "1:11: error[E0010]: engines = [\"copy\"]: \"copy\" writes memory, which is not built with axi.clock = \
                 \"own\"\n  help: set axi.clock = \"tmu\", or leave \"copy\" out",
            ),
            (
                "units = 16\nengines = [\"sampler\", \"copy\"]",
                "error[E0013]: axi.id_bits = 4: must tell 17 channels of all engines apart\n  help: use 5 or more",
            ),
        ] {
            let errors = Config::from_toml(toml).unwrap_err();
            assert_eq!(errors.to_string(), expected);
        }
    }
}
