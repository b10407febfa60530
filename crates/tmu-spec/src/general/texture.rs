//! Textures of every kind and size, and where each texel stands in memory.
//!
//! A level is stored as tiles of 4 x 4 texels, row by row, as many as cover it. Slices of a `3d` texture, faces of a `cube` and
//! layers of an array stand one after the other, each a whole number of lines of 16 bytes. A `1d` texture fills its tiles along
//! x: 16 texels each. Levels may stand anywhere; [`Texture::packed`] puts them one behind the other, the largest first.

use crate::choice::{Choice, impl_choice};
use crate::{Format, LINE_BYTES, TEXTURE_ADDRESS_BITS, tile};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Longest side of a texture in texels.
pub const MAX_SIZE: u32 = 4096;
/// Most layers of an array.
pub const MAX_LAYERS: u32 = 2048;
/// Most levels: from 4096 texels down to one.
pub const MAX_LEVELS: u32 = 13;
/// Faces of a cube: +x, -x, +y, -y, +z, -z.
pub const FACES: u32 = 6;

/// How many axes a texture has, and what its slices are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[repr(u8)]
pub enum Kind {
    /// A row of texels.
    #[serde(rename = "1d")]
    D1 = 0,
    /// A picture.
    #[default]
    #[serde(rename = "2d")]
    D2 = 1,
    /// A volume: slices, of which each level has half as many.
    #[serde(rename = "3d")]
    D3 = 2,
    /// Six pictures around a point.
    #[serde(rename = "cube")]
    Cube = 3,
    /// Pictures, as many in each level.
    #[serde(rename = "2d_array")]
    D2Array = 4,
}

impl_choice!(Kind, "a kind of texture", D1 = "1d", D2 = "2d", D3 = "3d", Cube = "cube", D2Array = "2d_array");

impl Kind {
    /// The code in a binding.
    #[must_use]
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// Axes along which its texels are filtered.
    #[must_use]
    pub const fn axes(self) -> usize {
        match self {
            Kind::D1 => 1,
            Kind::D2 | Kind::Cube | Kind::D2Array => 2,
            Kind::D3 => 3,
        }
    }

    /// Whether the slices are the same in each level: faces or layers.
    #[must_use]
    pub const fn has_layers(self) -> bool {
        matches!(self, Kind::Cube | Kind::D2Array)
    }
}

/// What a channel of a result shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Component {
    /// Red of the texel.
    R = 0,
    /// Green of the texel.
    G = 1,
    /// Blue of the texel.
    B = 2,
    /// Alpha of the texel.
    A = 3,
    /// Nothing.
    Zero = 4,
    /// All.
    One = 5,
}

impl_choice!(Component, "a component", R = "r", G = "g", B = "b", A = "a", Zero = "0", One = "1");

/// What the four channels of a result show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Swizzle(pub [Component; 4]);

impl Swizzle {
    /// Each channel shows itself.
    pub const NONE: Swizzle = Swizzle([Component::R, Component::G, Component::B, Component::A]);
}

impl Default for Swizzle {
    fn default() -> Self {
        Self::NONE
    }
}

impl fmt::Display for Swizzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text: String = self.0.iter().map(|component| component.name()).collect();
        f.pad(&text)
    }
}

/// A text that is no swizzle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a swizzle is four of r, g, b, a, 0 and 1, like \"bgra\" or \"rrr1\"")]
pub struct SwizzleError;

impl FromStr for Swizzle {
    type Err = SwizzleError;

    fn from_str(text: &str) -> Result<Self, SwizzleError> {
        let of = |letter: char| Component::CHOICES.iter().copied().find(|c| c.name().starts_with(letter));
        let components: Option<Vec<_>> = text.chars().map(of).collect();
        components.and_then(|components| components.try_into().ok()).map(Swizzle).ok_or(SwizzleError)
    }
}

/// A rule that the numbers of a texture break. Sides go by the names of a descriptor's keys.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TextureRule {
    /// A side has no texels or too many.
    #[error("{side} is {texels}, but a side has 1 to {MAX_SIZE} texels")]
    Side {
        /// The key.
        side: &'static str,
        /// The value.
        texels: u32,
    },
    /// An array has too many layers.
    #[error("depth is {0}, but an array has at most {MAX_LAYERS} layers")]
    Layers(u32),
    /// The kind lacks an axis that has more than one texel.
    #[error("{side} is {texels}, but must be 1 in a texture of kind {kind}")]
    MissingAxis {
        /// The key.
        side: &'static str,
        /// The value.
        texels: u32,
        /// The kind.
        kind: Kind,
    },
    /// A cube's faces are not square.
    #[error("height is {height} and width is {width}, but the faces of a cube are square")]
    CubeSides {
        /// The width.
        width: u32,
        /// The height.
        height: u32,
    },
    /// There are no levels, or more than down to one texel.
    #[error("levels is {levels}, but must be 1 to {most} for this size")]
    Levels {
        /// The value.
        levels: u32,
        /// As many as there may be.
        most: u32,
    },
    /// There are not as many offsets as levels.
    #[error("level_offsets has {offsets} entries, but must have one for each of the {levels} levels")]
    OffsetCount {
        /// Entries.
        offsets: usize,
        /// Levels.
        levels: u32,
    },
    /// A level does not start on a line.
    #[error(
        "level_offsets has {offset} for level {level}, but a level starts at a multiple of {LINE_BYTES} bytes"
    )]
    OffsetLine {
        /// The level.
        level: u32,
        /// Its offset.
        offset: u32,
    },
    /// A level starts inside the colour table.
    #[error(
        "level_offsets has {offset} for level {level}, but the colour table takes the first {table} bytes"
    )]
    OffsetTable {
        /// The level.
        level: u32,
        /// Its offset.
        offset: u32,
        /// Bytes of the table.
        table: u32,
    },
    /// A level ends past the texture window.
    #[error("level {level} ends at byte {end}, past the texture window of 2^{TEXTURE_ADDRESS_BITS} bytes")]
    Window {
        /// The level.
        level: u32,
        /// Where it ends.
        end: u64,
    },
    /// A kind has no compressed blocks.
    #[error("format is {format}, but a texture of kind {kind} has no block formats")]
    Block {
        /// The format.
        format: Format,
        /// The kind.
        kind: Kind,
    },
    /// The format's colours are never sRGB-coded.
    #[error("srgb is true, but texels of format {0} are not sRGB-coded")]
    Srgb(Format),
}

impl TextureRule {
    /// The key of a descriptor whose value breaks it.
    #[must_use]
    pub const fn key(&self) -> &'static str {
        match self {
            TextureRule::Side { side, .. } | TextureRule::MissingAxis { side, .. } => side,
            TextureRule::Layers(_) => "depth",
            TextureRule::CubeSides { .. } => "height",
            TextureRule::Levels { .. } => "levels",
            TextureRule::OffsetCount { .. }
            | TextureRule::OffsetLine { .. }
            | TextureRule::OffsetTable { .. }
            | TextureRule::Window { .. } => "level_offsets",
            TextureRule::Block { .. } => "format",
            TextureRule::Srgb(_) => "srgb",
        }
    }
}

/// What a texture is, but where its levels stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    /// Its kind.
    pub kind: Kind,
    /// Texels along x.
    pub width: u32,
    /// Texels along y.
    pub height: u32,
    /// Slices of a `3d` texture, layers of an array, 1 otherwise.
    pub depth: u32,
    /// Levels.
    pub levels: u32,
    /// How texels are stored.
    pub format: Format,
}

impl Shape {
    /// As many levels as there may be: down to one texel.
    #[must_use]
    pub fn most_levels(&self) -> u32 {
        let depth = if self.kind == Kind::D3 { self.depth } else { 1 };
        self.width.max(self.height).max(depth).max(1).ilog2() + 1
    }

    /// Width, height and slices of a level. Layers and faces are slices.
    #[must_use]
    pub const fn level_size(&self, level: u32) -> [u32; 3] {
        let slices = match self.kind {
            Kind::D1 | Kind::D2 => 1,
            Kind::D3 => halved(self.depth, level),
            Kind::Cube => FACES,
            Kind::D2Array => self.depth,
        };
        [halved(self.width, level), halved(self.height, level), slices]
    }

    /// Tiles in a row of a level, and rows of tiles.
    #[must_use]
    pub const fn level_tiles(&self, level: u32) -> [u32; 2] {
        let [width, height, _] = self.level_size(level);
        match self.kind {
            Kind::D1 => [width.div_ceil(tile::COLUMNS * tile::ROWS), 1],
            _ => [width.div_ceil(tile::COLUMNS), height.div_ceil(tile::ROWS)],
        }
    }

    /// Bytes of one slice of a level: whole lines.
    #[must_use]
    pub const fn slice_bytes(&self, level: u32) -> u32 {
        let [columns, rows] = self.level_tiles(level);
        (columns * rows * self.format.tile_bytes()).next_multiple_of(LINE_BYTES)
    }

    /// Bytes of a level.
    #[must_use]
    pub const fn level_bytes(&self, level: u32) -> u64 {
        self.slice_bytes(level) as u64 * self.level_size(level)[2] as u64
    }

    /// Every rule that its numbers break.
    #[must_use]
    pub fn broken_rules(&self) -> Vec<TextureRule> {
        let mut broken = Vec::new();
        let sides = [("width", self.width), ("height", self.height), ("depth", self.depth)];
        for (side, texels) in sides {
            if !(1..=MAX_SIZE).contains(&texels) {
                broken.push(TextureRule::Side { side, texels });
            }
        }
        let kind = self.kind;
        if kind == Kind::D2Array && (MAX_LAYERS + 1..=MAX_SIZE).contains(&self.depth) {
            broken.push(TextureRule::Layers(self.depth));
        }
        let missing = [(kind == Kind::D1, sides[1]), (!matches!(kind, Kind::D3 | Kind::D2Array), sides[2])];
        for (is_missing, (side, texels)) in missing {
            if is_missing && (2..=MAX_SIZE).contains(&texels) {
                broken.push(TextureRule::MissingAxis { side, texels, kind });
            }
        }
        if kind == Kind::Cube && self.width != self.height {
            broken.push(TextureRule::CubeSides { width: self.width, height: self.height });
        }
        if !(1..=self.most_levels()).contains(&self.levels) {
            broken.push(TextureRule::Levels { levels: self.levels, most: self.most_levels() });
        }
        if self.format.is_block() && matches!(kind, Kind::D1 | Kind::D3) {
            broken.push(TextureRule::Block { format: self.format, kind });
        }
        broken
    }
}

/// A side of a level, of however small a one.
const fn halved(size: u32, level: u32) -> u32 {
    match size.checked_shr(level) {
        None | Some(0) => 1,
        Some(size) => size,
    }
}

/// A texture of any kind and size, with its layout in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Texture {
    shape: Shape,
    /// Byte offset of each level from the base; 0 beyond the last one.
    level_offsets: [u32; MAX_LEVELS as usize],
    swizzle: Swizzle,
    is_srgb: bool,
}

impl Texture {
    /// A texture whose levels stand at these offsets from its base.
    ///
    /// # Errors
    /// Every [`TextureRule`] that is broken.
    pub fn new(
        shape: Shape,
        level_offsets: &[u32],
        swizzle: Swizzle,
        is_srgb: bool,
    ) -> Result<Self, Vec<TextureRule>> {
        let mut broken = shape.broken_rules();
        let sizes_are_sound = broken.is_empty();
        if level_offsets.len() != shape.levels as usize {
            broken.push(TextureRule::OffsetCount { offsets: level_offsets.len(), levels: shape.levels });
        }
        let table = shape.format.color_table_bytes();
        for (level, &offset) in (0..MAX_LEVELS).zip(level_offsets) {
            if !offset.is_multiple_of(LINE_BYTES) {
                broken.push(TextureRule::OffsetLine { level, offset });
            }
            if offset < table {
                broken.push(TextureRule::OffsetTable { level, offset, table });
            }
            let end = u64::from(offset) + if sizes_are_sound { shape.level_bytes(level) } else { 0 };
            if end > 1 << TEXTURE_ADDRESS_BITS {
                broken.push(TextureRule::Window { level, end });
            }
        }
        if is_srgb && !shape.format.can_be_srgb() {
            broken.push(TextureRule::Srgb(shape.format));
        }
        if !broken.is_empty() {
            return Err(broken);
        }
        let mut offsets = [0; MAX_LEVELS as usize];
        offsets[..level_offsets.len()].copy_from_slice(level_offsets);
        Ok(Self { shape, level_offsets: offsets, swizzle, is_srgb })
    }

    /// A texture whose levels stand one behind the other, behind the colour table if there is one, the largest first.
    ///
    /// # Errors
    /// Every [`TextureRule`] that is broken.
    pub fn packed(shape: Shape, swizzle: Swizzle, is_srgb: bool) -> Result<Self, Vec<TextureRule>> {
        let broken = shape.broken_rules();
        if !broken.is_empty() {
            return Err(broken);
        }
        let mut offset = u64::from(shape.format.color_table_bytes());
        let mut offsets = Vec::new();
        for level in 0..shape.levels {
            // Where that is cut off, the level's end is past the window.
            offsets.push(u32::try_from(offset).unwrap_or(u32::MAX - (LINE_BYTES - 1)));
            offset += shape.level_bytes(level);
        }
        Self::new(shape, &offsets, swizzle, is_srgb)
    }

    /// What it is, but where its levels stand.
    #[must_use]
    pub const fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Its kind.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.shape.kind
    }

    /// How texels are stored.
    #[must_use]
    pub const fn format(&self) -> Format {
        self.shape.format
    }

    /// Levels.
    #[must_use]
    pub const fn levels(&self) -> u32 {
        self.shape.levels
    }

    /// Byte offset of each level from the base.
    #[must_use]
    pub fn level_offsets(&self) -> &[u32] {
        &self.level_offsets[..self.shape.levels as usize]
    }

    /// What the channels of a sample show.
    #[must_use]
    pub const fn swizzle(&self) -> Swizzle {
        self.swizzle
    }

    /// Whether colours are sRGB-coded.
    #[must_use]
    pub const fn is_srgb(&self) -> bool {
        self.is_srgb
    }

    /// Where the tile of a texel starts, in bytes from the texture's base, and the texel's number in it. `texel` is x, y and
    /// slice, inside the level.
    ///
    /// # Panics
    /// If the texture has no such level.
    #[must_use]
    pub fn tile_of(&self, level: u32, [x, y, slice]: [u32; 3]) -> (u32, u32) {
        let shape = &self.shape;
        let (tile_number, texel) = match shape.kind {
            Kind::D1 => (x >> 4, x & 15),
            _ => ((y >> 2) * shape.level_tiles(level)[0] + (x >> 2), (y & 3) << 2 | (x & 3)),
        };
        let offset = self.level_offsets()[level as usize] + slice * shape.slice_bytes(level);
        (offset + tile_number * shape.format.tile_bytes(), texel)
    }

    /// Bytes from the base to the end of the last line of its colour table and levels.
    #[must_use]
    pub fn bytes(&self) -> u32 {
        let end = |level| self.level_offsets[level as usize] + self.shape.level_bytes(level) as u32;
        let table = self.shape.format.color_table_bytes();
        (0..self.levels()).map(end).max().unwrap_or(0).max(table)
    }
}

impl From<crate::Texture> for Texture {
    /// The same texture; its levels down to the smallest that may be sampled.
    fn from(texture: crate::Texture) -> Self {
        let shape = Shape {
            kind: Kind::D2,
            width: texture.width(0),
            height: texture.height(0),
            depth: 1,
            levels: texture.max_lod() + 1,
            format: texture.format(),
        };
        let offsets: Vec<_> = (0..shape.levels).map(|level| texture.level_byte_offset(level)).collect();
        Self::new(shape, &offsets, Swizzle::NONE, false).expect("a classic texture keeps every rule")
    }
}
