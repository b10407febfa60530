//! `pixel`: frames of triangles with programs, drawn tile by tile.

use super::Channels;
use crate::config::setting::{GroupDoc, KeyDoc, Reader, Setting, group};
use crate::config::value::{Limit, Value};
use toml::de::DeTable;

/// What it does.
pub const ABOUT: &str = "Draws frames of triangles: removes hidden surfaces tile by tile, shades each pixel that is seen with a pixel shader 1.4, samples \
                         textures with a texture unit of its own, which the tables `texture` to `cache` describe, and writes the picture. Started by a \
                         register, with an interrupt at the end.";

/// Lists, data of triangles, bindings and texels are read; pictures are written.
pub const CHANNELS: Channels = Channels { reads: 4, writes: 1 };

group! {
    /// The engine `pixel`, where `engines` lists it. It needs the general numerics with `request.numbers = "fp32"`, `request.beats_per_quad = 1`,
    /// `result.numbers = "unorm16"` and a parameter store.
    Settings, "pixel", "pixel." {
        /// Pixels of a side of a tile: the one that frames are to have.
        tile_side: u64 = 32, Limit::OneOf(&[16, 32]);
        /// Pixels of a row in which hidden surfaces are looked for in a clock: fewer than a tile has.
        surface_pixels_per_clock: u64 = 16, Limit::OneOf(&[4, 8, 16]);
        /// Pixels that the shader takes through an arithmetic instruction in a clock.
        shade_pixels_per_clock: u64 = 4, Limit::OneOf(&[1, 4]);
    }
}

impl Settings {
    /// The side of a tile, and the pixels of a row that are looked at in a clock.
    pub(in crate::config) const fn surfaces(&self) -> [&Setting<u64>; 2] {
        [&self.tile_side, &self.surface_pixels_per_clock]
    }
}

/// What the engine was configured to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Config {
    tile_side: u32,
    surface_pixels_per_clock: u32,
    shade_pixels_per_clock: u32,
}

impl From<&Settings> for Config {
    fn from(settings: &Settings) -> Self {
        Self {
            tile_side: settings.tile_side.value as u32,
            surface_pixels_per_clock: settings.surface_pixels_per_clock.value as u32,
            shade_pixels_per_clock: settings.shade_pixels_per_clock.value as u32,
        }
    }
}

impl Config {
    /// Pixels of a side of a tile: a power of two.
    #[must_use]
    pub const fn tile_side(&self) -> u32 {
        self.tile_side
    }

    /// Pixels of a row in which hidden surfaces are looked for in a clock: a power of two.
    #[must_use]
    pub const fn surface_pixels_per_clock(&self) -> u32 {
        self.surface_pixels_per_clock
    }

    /// Pixels that the shader takes through an arithmetic instruction in a clock.
    #[must_use]
    pub const fn shade_pixels_per_clock(&self) -> u32 {
        self.shade_pixels_per_clock
    }
}

#[cfg(test)]
mod tests {
    use crate::Config;
    use crate::config::EngineKind;

    #[test]
    fn the_example_is_a_system_of_this_engine_alone() {
        let config = Config::from_toml(EngineKind::Pixel.example().unwrap()).unwrap();
        assert_eq!((config.engines(), config.units()), (&[EngineKind::Pixel][..], 0));
        assert_eq!((config.channels().reads, config.channels().writes), (4, 1));
        assert_eq!(config.check_hardware(), Ok(()));
        let pixel = config.engine_configs().pixel();
        let all = [pixel.tile_side(), pixel.surface_pixels_per_clock(), pixel.shade_pixels_per_clock()];
        assert_eq!(all, [32, 16, 4]);
        let again = Config::from_toml(config.canonical_toml()).unwrap();
        assert_eq!(again, config);
    }

    /// All at once, each with its remedy.
    #[test]
    fn mistakes_are_told_with_their_remedy() {
        let example = EngineKind::Pixel.example().unwrap();
        let changes = [
            ("numbers = \"fp32\"", "numbers = \"s16.16\"", "set request.numbers = \"fp32\""),
            ("beats_per_quad = 1", "beats_per_quad = 2", "set request.beats_per_quad = 1"),
            ("numbers = \"unorm16\"", "numbers = \"unorm8\"", "set result.numbers = \"unorm16\""),
            ("store_entries = 64", "store_entries = 0", "set texture.store_entries = 64"),
            ("tile_side = 32", "tile_side = 16", "set pixel.surface_pixels_per_clock = 8"),
        ];
        let mut text = example.to_owned();
        for (from, to, _) in changes {
            assert_eq!(text.matches(from).count(), 1, "{from}");
            text = text.replace(from, to);
        }
        let errors = Config::from_toml(&text).unwrap_err().to_string();
        for (_, _, remedy) in changes {
            assert!(errors.contains(remedy), "{remedy} in {errors}");
        }
    }
}
