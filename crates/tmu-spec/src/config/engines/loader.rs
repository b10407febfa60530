//! `loader`: pictures in memory to textures in memory.

use super::Channels;
use crate::config::setting::{GroupDoc, KeyDoc, Reader, Setting, group};
use crate::config::value::{Limit, Value};
use toml::de::DeTable;

/// What it does.
pub const ABOUT: &str = "Makes textures of pictures: reads rows of texels, of 8 to 128 bits each, writes tiles, and makes the smaller levels. \
                         Started by a register or a packet, with an interrupt at the end.";

/// One for reads, one for writes.
pub const CHANNELS: Channels = Channels { reads: 1, writes: 1 };

group! {
    /// The engine `loader`, where `engines` lists it.
    Settings, "loader", "loader." {
        /// Lines of texels that are read ahead: more of them wait out memory that answers later.
        buffer_lines: u64 = 512, Limit::OneOf(&[512, 1024, 2048]);
        /// Jobs come as packets, too, on `s_axis_job`, and how they have ended leaves on `m_axis_done`.
        job_port: bool = false, Limit::Any;
    }
}

/// What the engine was configured to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Config {
    buffer_lines: u32,
    job_port: bool,
}

impl From<&Settings> for Config {
    fn from(settings: &Settings) -> Self {
        Self { buffer_lines: settings.buffer_lines.value as u32, job_port: settings.job_port.value }
    }
}

impl Config {
    /// Lines of texels that are read ahead: a power of two.
    #[must_use]
    pub const fn buffer_lines(&self) -> u32 {
        self.buffer_lines
    }

    /// Bits of the number of one of them.
    #[must_use]
    pub const fn buffer_bits(&self) -> u32 {
        self.buffer_lines.ilog2()
    }

    /// Jobs come as packets, too.
    #[must_use]
    pub const fn job_port(&self) -> bool {
        self.job_port
    }
}

#[cfg(test)]
mod tests {
    use crate::Config;
    use crate::config::EngineKind;

    #[test]
    fn the_example_is_a_system_of_this_engine_alone() {
        let config = Config::from_toml(EngineKind::Loader.example().unwrap()).unwrap();
        assert_eq!((config.engines(), config.units()), (&[EngineKind::Loader][..], 0));
        assert_eq!((config.channels().reads, config.channels().writes), (1, 1));
        let loader = config.engine_configs().loader();
        assert_eq!((loader.buffer_lines(), loader.buffer_bits()), (512, 9));
        let again = Config::from_toml(config.canonical_toml()).unwrap();
        assert_eq!(again, config);
    }

    #[test]
    fn mistakes_are_told_with_their_remedy() {
        let errors = Config::from_toml("engines = [\"loader\"]\n[loader]\nbuffer_lines = 256").unwrap_err();
        let expected = "3:16: error[E0004]: loader.buffer_lines = 256: must be 512, 1024, 2048\n  help: use 512";
        assert_eq!(errors.to_string(), expected);
    }
}
