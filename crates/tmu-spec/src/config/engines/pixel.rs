//! `pixel`: frames of triangles with programs, drawn tile by tile.

use super::Channels;
use crate::config::setting::{GroupDoc, KeyDoc, Reader, Setting, group};
use crate::config::value::{Limit, Value};
use crate::pixel::TileSize;
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
        tile_side: u64 = 32, Limit::OneOf(&[16, 32, 64]);
        /// Rows of a tile where it is no square: 4, of 32 pixels. 0 of a square.
        tile_rows: u64 = 0, Limit::OneOf(&[0, 4]);
        /// Pixels of a row in which hidden surfaces are looked for in a clock: fewer than a tile has.
        surface_pixels_per_clock: u64 = 16, Limit::OneOf(&[4, 8, 16]);
        /// Pixels that the shader takes through an arithmetic instruction in a clock.
        shade_pixels_per_clock: u64 = 4, Limit::OneOf(&[1, 4]);
    }
}

impl Settings {
    /// The side of a tile, and its rows where it is no square.
    pub(in crate::config) const fn tile(&self) -> [&Setting<u64>; 2] {
        [&self.tile_side, &self.tile_rows]
    }

    /// The side of a tile, and the pixels of a row that are looked at in a clock.
    pub(in crate::config) const fn surfaces(&self) -> [&Setting<u64>; 2] {
        [&self.tile_side, &self.surface_pixels_per_clock]
    }
}

/// What the engine was configured to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Config {
    tile_size: TileSize,
    surface_pixels_per_clock: u32,
    shade_pixels_per_clock: u32,
}

impl From<&Settings> for Config {
    fn from(settings: &Settings) -> Self {
        let side = settings.tile_side.value as u32;
        let rows = if settings.tile_rows.value == 0 { side } else { settings.tile_rows.value as u32 };
        Self {
            // The rules refuse other ones.
            tile_size: TileSize::of([side, rows]).unwrap_or_default(),
            surface_pixels_per_clock: settings.surface_pixels_per_clock.value as u32,
            shade_pixels_per_clock: settings.shade_pixels_per_clock.value as u32,
        }
    }
}

impl Config {
    /// Pixels of a tile.
    #[must_use]
    pub const fn tile_size(&self) -> TileSize {
        self.tile_size
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
    use crate::pixel::TileSize;

    #[test]
    fn the_example_is_a_system_of_this_engine_alone() {
        let config = Config::from_toml(EngineKind::Pixel.example().unwrap()).unwrap();
        assert_eq!((config.engines(), config.units()), (&[EngineKind::Pixel][..], 0));
        assert_eq!((config.channels().reads, config.channels().writes), (4, 1));
        assert_eq!(config.check_hardware(), Ok(()));
        let pixel = config.engine_configs().pixel();
        let all = [pixel.surface_pixels_per_clock(), pixel.shade_pixels_per_clock()];
        assert_eq!((pixel.tile_size(), all), (TileSize::Square32, [16, 4]));
        let again = Config::from_toml(config.canonical_toml()).unwrap();
        assert_eq!(again, config);
    }

    /// What stands in the place of the example's side, and the tiles that there are then; none where it is refused.
    #[test]
    fn tiles_are_those_of_frames() {
        let example = EngineKind::Pixel.example().unwrap();
        for (keys, expected) in [
            ("tile_side = 64", Some(TileSize::Square64)),
            ("tile_side = 32\ntile_rows = 4", Some(TileSize::Row32)),
            ("tile_side = 64\ntile_rows = 4", None),
            ("tile_side = 32\ntile_rows = 8", None),
        ] {
            let found = Config::from_toml(&example.replace("tile_side = 32", keys));
            let found = found.ok().map(|config| config.engine_configs().pixel().tile_size());
            assert_eq!(found, expected, "{keys}");
        }
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
