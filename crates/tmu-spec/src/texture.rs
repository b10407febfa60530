//! Textures: address modes, sizes, and where each texel stands in memory.
//!
//! A texture in memory is its colour table, if it has one, and then its levels, smallest first, each in 4 × 4
//! tiles. Every offset here counts bytes from the texture's base unless its name says otherwise. All lookups
//! are constant time.

use crate::choice::{Choice, impl_choice};
use crate::format::Format;
use crate::level_offset::{self, MAX_SIZE_LOG2, level_count, level_tiles, stored_size_log2};
use serde::{Deserialize, Serialize};

/// What happens to coordinates outside the texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum AddressMode {
    /// The texture repeats.
    #[default]
    Wrap = 0,
    /// The edge texels go on.
    Clamp = 1,
    /// The texture repeats, every other time reversed.
    Mirror = 2,
    /// A colour of the sampler lies around the texture.
    Border = 3,
    /// The texture and its mirror image, and then the edge texels go on.
    MirrorOnce = 4,
}

impl AddressMode {
    /// Every address mode, by rising code.
    pub const ALL: [AddressMode; 5] = [
        AddressMode::Wrap,
        AddressMode::Clamp,
        AddressMode::Mirror,
        AddressMode::Border,
        AddressMode::MirrorOnce,
    ];

    /// The address modes that units of the classic numerics may have.
    pub const CLASSIC: [AddressMode; 3] = [AddressMode::Wrap, AddressMode::Clamp, AddressMode::Mirror];

    /// The code in a binding.
    #[must_use]
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The address mode of a binding's code; none if the code is reserved.
    #[must_use]
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }

    /// The name in scenes, configurations and command lines.
    #[must_use]
    pub fn name(self) -> &'static str {
        Choice::name(self)
    }
}

impl_choice!(
    AddressMode,
    "an address mode",
    Wrap = "wrap",
    Clamp = "clamp",
    Mirror = "mirror",
    Border = "border",
    MirrorOnce = "mirror_once",
);

/// A rule that the numbers of a texture break.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TextureRule {
    /// Classic textures have no such format.
    #[error(
        "format is {0}, which textures of powers of two do not have; use one of rgba8, rgb8, i8_rgba8, i8_rgb8 and rgb565"
    )]
    Format(Format),
    /// The width is over 2048 texels.
    #[error("width_log2 is {0}, over the limit of {MAX_SIZE_LOG2} (2048 texels); use a narrower picture")]
    Width(u32),
    /// The height is over 2048 texels.
    #[error("height_log2 is {0}, over the limit of {MAX_SIZE_LOG2} (2048 texels); use a lower picture")]
    Height(u32),
    /// The smallest level to sample lies beyond the chain.
    #[error("max_lod is {max_lod}, over {last}, the last level of this size; use 0 to {last}")]
    MaxLod {
        /// The value refused.
        max_lod: u32,
        /// The last level that there is: max(width_log2, height_log2).
        last: u32,
    },
}

/// A texture's format and size, and with them its layout in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Texture {
    format: Format,
    width_log2: u32,
    height_log2: u32,
    max_lod: u32,
}

impl Texture {
    /// A texture of `2^width_log2 × 2^height_log2` texels whose levels 0 to `max_lod` may be sampled.
    ///
    /// # Errors
    /// Every [`TextureRule`] that the numbers break.
    pub fn new(
        format: Format,
        width_log2: u32,
        height_log2: u32,
        max_lod: u32,
    ) -> Result<Self, Vec<TextureRule>> {
        let mut broken = Vec::new();
        if !Format::CLASSIC.contains(&format) {
            broken.push(TextureRule::Format(format));
        }
        if width_log2 > MAX_SIZE_LOG2 {
            broken.push(TextureRule::Width(width_log2));
        }
        if height_log2 > MAX_SIZE_LOG2 {
            broken.push(TextureRule::Height(height_log2));
        }
        let last = width_log2.max(height_log2);
        if max_lod > last {
            broken.push(TextureRule::MaxLod { max_lod, last });
        }
        if broken.is_empty() { Ok(Self { format, width_log2, height_log2, max_lod }) } else { Err(broken) }
    }

    /// How texels are stored.
    #[must_use]
    pub const fn format(&self) -> Format {
        self.format
    }

    /// Log2 of the width of level 0 in texels.
    #[must_use]
    pub const fn width_log2(&self) -> u32 {
        self.width_log2
    }

    /// Log2 of the height of level 0 in texels.
    #[must_use]
    pub const fn height_log2(&self) -> u32 {
        self.height_log2
    }

    /// The smallest level that may be sampled.
    #[must_use]
    pub const fn max_lod(&self) -> u32 {
        self.max_lod
    }

    /// Levels in memory, down to 1 × 1, whatever `max_lod` is.
    #[must_use]
    pub const fn levels(&self) -> u32 {
        level_count(self.width_log2, self.height_log2)
    }

    /// Width of a level in texels that may be sampled.
    #[must_use]
    pub const fn width(&self, level: u32) -> u32 {
        1 << self.width_log2.saturating_sub(level)
    }

    /// Height of a level in texels that may be sampled.
    #[must_use]
    pub const fn height(&self, level: u32) -> u32 {
        1 << self.height_log2.saturating_sub(level)
    }

    /// Log2 of the width in texels with which a level is stored, at least 2.
    #[must_use]
    pub const fn stored_width_log2(&self, level: u32) -> u32 {
        stored_size_log2(self.width_log2, level)
    }

    /// Log2 of the height in texels with which a level is stored, at least 2.
    #[must_use]
    pub const fn stored_height_log2(&self, level: u32) -> u32 {
        stored_size_log2(self.height_log2, level)
    }

    /// Where a level starts behind the colour table, in units of 16 texels (tiles).
    ///
    /// # Panics
    /// If the texture has no such level.
    #[must_use]
    pub fn level_offset(&self, level: u32) -> u32 {
        assert!(level < self.levels(), "level {level} of a texture with {} levels", self.levels());
        level_offset::TABLE[level_offset::index(self.width_log2, self.height_log2, level)]
    }

    /// Where a level starts, in bytes from the texture's base, colour table included.
    ///
    /// # Panics
    /// If the texture has no such level.
    #[must_use]
    pub fn level_byte_offset(&self, level: u32) -> u32 {
        self.format.color_table_bytes() + self.level_offset(level) * 16 * self.format.bytes_per_texel()
    }

    /// Bytes that a level takes.
    #[must_use]
    pub const fn level_bytes(&self, level: u32) -> u32 {
        level_tiles(self.width_log2, self.height_log2, level) * 16 * self.format.bytes_per_texel()
    }

    /// Number of a texel within its level in the order of storage: tile by tile, row by row.
    #[must_use]
    pub const fn texel_index(&self, level: u32, x: u32, y: u32) -> u32 {
        let tiles_per_row_log2 = self.stored_width_log2(level) - level_offset::TILE_LOG2;
        let tile = ((y >> 2) << tiles_per_row_log2) + (x >> 2);
        tile << 4 | (y & 3) << 2 | (x & 3)
    }

    /// Where a texel starts, in bytes from the texture's base. `x` and `y` must lie in the stored level.
    ///
    /// # Panics
    /// If the texture has no such level.
    #[must_use]
    pub fn texel_byte_offset(&self, level: u32, x: u32, y: u32) -> u32 {
        self.level_byte_offset(level) + self.texel_index(level, x, y) * self.format.bytes_per_texel()
    }

    /// Bytes of the whole texture: colour table and all levels.
    #[must_use]
    pub fn bytes(&self) -> u32 {
        self.level_byte_offset(0) + self.level_bytes(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_codes_round_trip() {
        for (code, mode) in (0..).zip(AddressMode::ALL) {
            assert_eq!(mode.code(), code);
            assert_eq!(AddressMode::from_code(code), Some(mode));
            assert_eq!(mode.name().parse(), Ok(mode));
            assert_eq!(serde_json::to_string(&mode).unwrap(), format!("\"{mode}\""));
        }
        assert!((5..=255).all(|code| AddressMode::from_code(code).is_none()));
    }

    #[test]
    fn levels_halve_down_to_one_texel() {
        let texture = Texture::new(Format::Rgba8, 5, 3, 5).unwrap();
        let sizes = [0, 1, 3, 4, 5].map(|level| (texture.width(level), texture.height(level)));
        assert_eq!(sizes, [(32, 8), (16, 4), (4, 1), (2, 1), (1, 1)]);
    }

    #[test]
    fn every_broken_rule_is_reported() {
        let broken = Texture::new(Format::Rgb8, 12, 13, 14).unwrap_err();
        assert_eq!(
            broken,
            [TextureRule::Width(12), TextureRule::Height(13), TextureRule::MaxLod { max_lod: 14, last: 13 }]
        );
        assert!(Texture::new(Format::Rgb8, 11, 0, 11).is_ok());
    }

    #[test]
    fn layout_by_hand() {
        // 8 x 2 rgb8 behind nothing: levels 3, 2, 1 take a tile of 48 bytes each, level 0 two of them.
        let texture = Texture::new(Format::Rgb8, 3, 1, 3).unwrap();
        assert_eq!([3, 2, 1, 0].map(|level| texture.level_byte_offset(level)), [0, 48, 96, 144]);
        assert_eq!(texture.bytes(), 240);
        // x = 5, y = 1: tile 1, row 1, column 1.
        assert_eq!(texture.texel_byte_offset(0, 5, 1), 144 + (16 + 5) * 3);
        // Indexed: one tile is 16 bytes, and the table comes first.
        let texture = Texture::new(Format::I8Rgb8, 2, 2, 0).unwrap();
        assert_eq!(texture.level_byte_offset(0), 768 + 32);
        assert_eq!(texture.bytes(), 768 + 48);
        // One texel of the largest texture.
        let texture = Texture::new(Format::Rgba8, 11, 11, 11).unwrap();
        assert_eq!(texture.texel_byte_offset(0, 2047, 2047) + 4, texture.bytes());
        assert_eq!(texture.bytes(), (4u32.pow(10) - 1) / 3 * 64 + 128);
    }

    #[test]
    fn every_texel_of_small_textures_has_its_own_bytes() {
        for format in Format::CLASSIC {
            for size in 0..64 {
                let texture = Texture::new(format, size / 8, size % 8, 0).unwrap();
                let mut taken = vec![false; texture.bytes() as usize];
                taken[..format.color_table_bytes() as usize].fill(true);
                for level in 0..texture.levels() {
                    for y in 0..1 << texture.stored_height_log2(level) {
                        for x in 0..1 << texture.stored_width_log2(level) {
                            let start = texture.texel_byte_offset(level, x, y) as usize;
                            for byte in &mut taken[start..start + format.bytes_per_texel() as usize] {
                                assert!(!*byte, "{texture:?} level {level} ({x}, {y}) overlaps");
                                *byte = true;
                            }
                        }
                    }
                }
                assert!(taken.iter().all(|byte| *byte), "{texture:?} has holes");
            }
        }
    }
}
