//! Textures and samplers, and bindings as words and beats.

use super::codes::{
    AddressMode, CompareOp, Component, Filter, Kind, LOD_STEPS, MAX_LEVELS, MAX_LOD, MipFilter,
};
use super::field::{self, BEATS, WORDS_PER_BEAT};
use crate::beat::Beat;
use crate::binding::{BEAT_BYTES, Field};
use crate::formats::Format;

/// Words of 32 bits of a binding.
pub const WORDS: usize = BEATS * WORDS_PER_BEAT;
/// Bytes of a line, which levels are whole numbers of.
const LINE_BYTES: u64 = 16;
/// Texels along a side of a tile.
const TILE_SIDE: u32 = 4;
const CUBE_FACES: u32 = 6;

/// A texture in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Texture {
    /// Bytes from the start of the texture window, a multiple of 16.
    pub base: u32,
    /// How many axes it has.
    pub kind: Kind,
    /// How texels lie in memory.
    pub format: Format,
    /// Texels along x.
    pub width: u32,
    /// Texels along y; 1 of a `1d` texture.
    pub height: u32,
    /// Slices of a volume, layers of an array, 1 otherwise.
    pub depth: u32,
    /// Levels.
    pub levels: u32,
    /// Byte offset of each level from the base, a multiple of 16. Those beyond the last level mean nothing.
    pub level_offsets: [u32; MAX_LEVELS],
    /// What the channels of a result show.
    pub swizzle: [Component; 4],
    /// Colours are sRGB-coded.
    pub srgb: bool,
    /// Drop what the unit's cache holds first: memory has changed.
    pub drop_cache: bool,
}

/// How a texture is read. Levels of detail count in 1/256 of a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sampler {
    /// Filter where a texel covers less than a pixel.
    pub min: Filter,
    /// Filter where a texel covers more than a pixel.
    pub mag: Filter,
    /// Which levels are taken where a texel covers less than a pixel.
    pub mip: MipFilter,
    /// What is added to the level of detail.
    pub lod_bias: i16,
    /// Least level of detail.
    pub min_lod: i16,
    /// Most level of detail.
    pub max_lod: i16,
    /// Most probes along the longer axis of a footprint: 1, 2, 4, 8 or 16.
    pub max_anisotropy: u32,
    /// Footprints of a cube go on across edges.
    pub cube_seamless: bool,
    /// Address modes of u, v and w.
    pub address: [AddressMode; 3],
    /// R, G, B, A outside the texture, with address mode `border`.
    pub border: [u8; 4],
    /// Depths are compared with the pixel's reference.
    pub compare: Option<CompareOp>,
}

impl Default for Sampler {
    /// The nearest texel of level 0, repeated.
    fn default() -> Self {
        Self {
            min: Filter::Nearest,
            mag: Filter::Nearest,
            mip: MipFilter::None,
            lod_bias: 0,
            min_lod: -MAX_LOD,
            max_lod: MAX_LOD,
            max_anisotropy: 1,
            cube_seamless: true,
            address: [AddressMode::Wrap; 3],
            border: [0; 4],
            compare: None,
        }
    }
}

impl Sampler {
    /// A level of detail in the unit of its fields.
    #[must_use]
    pub const fn lod(levels: i16) -> i16 {
        levels.saturating_mul(LOD_STEPS)
    }
}

/// A side of a level.
const fn halved(size: u32, level: u32) -> u32 {
    let size = size >> level;
    if size == 0 { 1 } else { size }
}

impl Texture {
    /// No swizzle: each channel shows itself.
    pub const NO_SWIZZLE: [Component; 4] = [Component::R, Component::G, Component::B, Component::A];

    /// A `2d` texture of one level at the start of the window. Change what is otherwise, then call [`Texture::packed`].
    #[must_use]
    pub const fn new(format: Format, [width, height]: [u32; 2]) -> Self {
        Self {
            base: 0,
            kind: Kind::D2,
            format,
            width,
            height,
            depth: 1,
            levels: 1,
            level_offsets: [0; MAX_LEVELS],
            swizzle: Self::NO_SWIZZLE,
            srgb: false,
            drop_cache: false,
        }
    }

    /// The same with levels one behind the other, behind the colour table if there is one, the largest first.
    #[must_use]
    pub fn packed(mut self) -> Self {
        let mut offset = self.format.table_bytes();
        for (level, own) in (0..self.levels).zip(&mut self.level_offsets) {
            // One that is cut off lies behind the window, which is refused.
            *own = u32::try_from(offset).unwrap_or(!(LINE_BYTES as u32 - 1));
            offset += Self { level_offsets: [0; MAX_LEVELS], ..self }.level_bytes(level);
        }
        self
    }

    /// As many levels as there may be: down to one texel.
    #[must_use]
    pub fn most_levels(&self) -> u32 {
        let depth = if self.kind == Kind::D3 { self.depth } else { 1 };
        self.width.max(self.height).max(depth).max(1).ilog2() + 1
    }

    /// Bytes of a level, below [`MAX_LEVELS`], with all its slices.
    #[must_use]
    pub fn level_bytes(&self, level: u32) -> u64 {
        let [width, height] = [self.width, self.height].map(|side| halved(side, level));
        let tiles = |side: u32| u64::from(side.div_ceil(TILE_SIDE));
        let slice_tiles = match self.kind {
            Kind::D1 => u64::from(width.div_ceil(TILE_SIDE * TILE_SIDE)),
            _ => tiles(width) * tiles(height),
        };
        let slices = match self.kind {
            Kind::D1 | Kind::D2 => 1,
            Kind::D3 => halved(self.depth, level),
            Kind::Cube => CUBE_FACES,
            Kind::D2Array => self.depth,
        };
        (slice_tiles * self.format.tile_bytes()).next_multiple_of(LINE_BYTES) * u64::from(slices)
    }

    /// The words of the binding, whether a core takes it or not.
    #[must_use]
    pub fn words(&self, sampler: &Sampler) -> [u32; WORDS] {
        let mut words = [0; WORDS];
        let fields = [
            (field::BASE, self.base),
            (field::FORMAT, self.format as u32),
            (field::DROP_CACHE, self.drop_cache.into()),
            (field::WIDTH, self.width.wrapping_sub(1)),
            (field::HEIGHT, self.height.wrapping_sub(1)),
            (field::LEVELS, self.levels.wrapping_sub(1)),
            (field::KIND, self.kind as u32),
            (field::DEPTH, self.depth.wrapping_sub(1)),
            (field::SWIZZLE_R, self.swizzle[0] as u32),
            (field::SWIZZLE_G, self.swizzle[1] as u32),
            (field::SWIZZLE_B, self.swizzle[2] as u32),
            (field::SWIZZLE_A, self.swizzle[3] as u32),
            (field::SRGB, self.srgb.into()),
            (field::SEAMLESS, sampler.cube_seamless.into()),
            (field::COMPARES, sampler.compare.is_some().into()),
            (field::COMPARE, sampler.compare.map_or(0, |op| op as u32)),
            (field::ADDRESS_U, sampler.address[0] as u32),
            (field::ADDRESS_V, sampler.address[1] as u32),
            (field::ADDRESS_W, sampler.address[2] as u32),
            (field::MIN, sampler.min as u32),
            (field::MAG, sampler.mag as u32),
            (field::MIP, sampler.mip as u32),
            (field::ANISOTROPY_LOG2, sampler.max_anisotropy.max(1).ilog2()),
            (field::LOD_BIAS, sampler.lod_bias as u32),
            (field::MIN_LOD, sampler.min_lod as u32),
            (field::MAX_LOD, sampler.max_lod as u32),
            (field::BORDER, u32::from_le_bytes(sampler.border)),
        ];
        for (field, value) in fields {
            set(&mut words, &field, value);
        }
        // Offsets have a word each, one behind the other.
        let offsets = self.level_offsets.iter().take(self.levels as usize);
        for (word, offset) in words[field::LEVEL_0.word..].iter_mut().zip(offsets) {
            *word |= offset << field::LEVEL_0.shift & field::LEVEL_0.mask;
        }
        words
    }

    /// The binding's packet.
    pub(super) fn to_beats(self, sampler: &Sampler) -> [Beat; BEATS] {
        packet(&self.words(sampler))
    }
}

/// The packet of a binding of these words.
pub(super) fn packet(words: &[u32; WORDS]) -> [Beat; BEATS] {
    core::array::from_fn(|number| {
        let own = &words[number * WORDS_PER_BEAT..][..WORDS_PER_BEAT];
        beat_of_binding(own, number + 1 == BEATS)
    })
}

/// A beat of a packet that binds.
pub(super) fn beat_of_binding(words: &[u32], last: bool) -> Beat {
    let mut tdata = [0; BEAT_BYTES];
    for (bytes, word) in tdata.chunks_exact_mut(4).zip(words) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    Beat { tdata, is_binding: true, last }
}

/// Sets a field of words in which it is 0.
pub(super) fn set(words: &mut [u32], field: &Field, value: u32) {
    words[field.word] |= value << field.shift & field.mask;
}
