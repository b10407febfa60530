//! `mesh`: textured meshes of rectangles into a frame buffer.

use super::Channels;
use crate::choice::impl_choice;
use crate::config::setting::{GroupDoc, KeyDoc, Reader, Setting, group};
use crate::config::value::{Limit, Value};
use toml::de::DeTable;

/// What it does.
pub const ABOUT: &str = "Draws a mesh of rectangles from a texture into a frame buffer, both RGB565 and linear in memory: scales, turns and \
                         warps pictures, with filter, fade, chroma key and blending. Started by a register, with an interrupt at the end.";

/// For reads vertices, texture and frame buffer; for writes the frame buffer.
pub const CHANNELS: Channels = Channels { reads: 3, writes: 1 };

/// What registers and vertices are reached by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MeshBus {
    /// The control port, and the memory port.
    Axi,
    /// A Wishbone slave, and a Wishbone master.
    Wishbone,
}

impl_choice!(MeshBus, "a bus", Axi = "axi", Wishbone = "wishbone");

group! {
    /// The engine `mesh`, where `engines` lists it.
    Settings, "mesh", "mesh." {
        /// What its registers and the points of a mesh are reached by: `axi`, the control port and the memory port; or `wishbone`, a
        /// slave and a master of Wishbone B4 with classic cycles. Texture and frame buffer are behind the memory port either way.
        bus: MeshBus = MeshBus::Axi, Limit::Any;
        /// Size of the texture cache in KiB.
        cache_kib: u64 = 32, Limit::OneOf(&[8, 16, 32, 64]);
    }
}

/// What the engine was configured to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Config {
    bus: MeshBus,
    cache_kib: u32,
}

impl From<&Settings> for Config {
    fn from(settings: &Settings) -> Self {
        Self {
            bus: settings.bus.value,
            cache_kib: settings.cache_kib.value as u32,
        }
    }
}

impl Config {
    /// What registers and vertices are reached by.
    #[must_use]
    pub const fn bus(&self) -> MeshBus {
        self.bus
    }

    /// Whether that is Wishbone.
    #[must_use]
    pub const fn is_wishbone(&self) -> bool {
        matches!(self.bus, MeshBus::Wishbone)
    }

    /// Size of the texture cache in KiB: a power of two.
    #[must_use]
    pub const fn cache_kib(&self) -> u32 {
        self.cache_kib
    }
}

#[cfg(test)]
mod tests {
    use super::MeshBus;
    use crate::Config;
    use crate::config::EngineKind;

    #[test]
    fn the_example_is_a_system_of_this_engine_alone() {
        let config = Config::from_toml(EngineKind::Mesh.example().unwrap()).unwrap();
        assert_eq!((config.engines(), config.units()), (&[EngineKind::Mesh][..], 0));
        assert_eq!((config.channels().reads, config.channels().writes), (3, 1));
        let mesh = config.engine_configs().mesh();
        assert_eq!((mesh.bus(), mesh.cache_kib()), (MeshBus::Axi, 32));
        let again = Config::from_toml(config.canonical_toml()).unwrap();
        assert_eq!(again, config);
    }

    #[test]
    fn mistakes_are_told_with_their_remedy() {
        for (toml, expected) in [
            (
                "engines = [\"mesh\"]\n[mesh]\nbus = \"apb\"",
                "3:7: error[E0006]: mesh.bus = \"apb\": is not a bus\n  help: use one of axi, wishbone",
            ),
            (
                "engines = [\"mesh\"]\n[mesh]\ncache_kib = 24",
                "3:13: error[E0004]: mesh.cache_kib = 24: must be 8, 16, 32, 64\n  help: use 16",
            ),
        ] {
            let errors = Config::from_toml(toml).unwrap_err();
            assert_eq!(errors.to_string(), expected);
        }
    }
}
