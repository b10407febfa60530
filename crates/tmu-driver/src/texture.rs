//! Textures, and bindings as beats.

use crate::Capabilities;
use crate::beat::Beat;
use crate::binding::{self, BEAT_BYTES, BEATS, WORDS_PER_BEAT};
use crate::formats::Format;
use crate::general::codes::AddressMode;

/// Texels of a tile.
const TILE_TEXELS: u64 = 16;

/// A texture in memory and how it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Texture {
    /// Bytes from the start of the texture window, a multiple of 16. All of the texture must lie below 2^31.
    pub base: u32,
    /// How texels lie in memory.
    pub format: Format,
    /// Log2 of the width in texels.
    pub width_log2: u8,
    /// Log2 of the height in texels.
    pub height_log2: u8,
    /// The smallest level that may be sampled.
    pub max_lod: u8,
    /// Four weighted texels a pixel instead of one.
    pub bilinear: bool,
    /// Choose the level by the footprint instead of always level 0.
    pub mipmapped: bool,
    /// Address mode of u.
    pub address_u: AddressMode,
    /// Address mode of v.
    pub address_v: AddressMode,
    /// Drop what the unit's cache holds first: memory has changed.
    pub drop_cache: bool,
}

/// Why a core would refuse a binding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The format is not built.
    Format,
    /// A side is longer than the core was built for, has no texels, or does not fit the kind.
    Size,
    /// `max_lod` is over max(width_log2, height_log2).
    MaxLod,
    /// The base is not a multiple of 16 below 2^31, or that of a level is none, or lies in the colour table.
    Base,
    /// An address mode is not built.
    AddressMode,
    /// Bilinear filtering, mipmapping or weighting of two levels is not built.
    Filter,
    /// The texture reaches past the texture window: its last byte lies behind 2^31.
    Window,
    /// The core follows other numerics than the binding, or was not opened as one of the general numerics.
    Numerics,
    /// There are no levels, or more than down to one texel.
    Levels,
    /// The kind of the texture is not built.
    Kind,
    /// The anisotropy is none of 1, 2, 4, 8 and 16, or over the largest one built.
    Anisotropy,
    /// Comparison is not built, or texels are no depths.
    Compare,
    /// sRGB decoding is not built, or the format's colours are never sRGB-coded.
    Srgb,
    /// Swizzles are not built.
    Swizzle,
    /// Floats are not weighted.
    Float,
    /// The least level of detail is over the most.
    LodOrder,
    /// Textures of the kind have no block formats.
    Block,
    /// There is no such entry of the parameter store, or no store.
    Entry,
    /// Indirect look-ups are not built, or the two textures and the set-up do not allow one: both are `1d` or `2d`, texels of the
    /// primary one hold whole numbers with the components that are places, and a pixel has 1 to 4 values.
    Indirect,
    /// Ripmaps are not built, or the texture is none: it is `2d`, has one level and sides of two texels or more that are powers of
    /// two, and is read without anisotropy.
    Ripmap,
}

impl Texture {
    /// Whether a core takes the binding.
    pub(crate) fn check(&self, core: Capabilities) -> Result<(), Refusal> {
        let longest = self.width_log2.max(self.height_log2);
        let modes = [self.address_u, self.address_v];
        let filters = [(self.bilinear, core.has_bilinear()), (self.mipmapped, core.has_mipmaps())];
        if core.is_general() {
            Err(Refusal::Numerics)
        } else if !core.has_format(self.format) {
            Err(Refusal::Format)
        } else if u32::from(longest) > core.max_size_log2() {
            Err(Refusal::Size)
        } else if self.max_lod > longest {
            Err(Refusal::MaxLod)
        } else if !self.base.is_multiple_of(16) || self.base >> 31 != 0 {
            Err(Refusal::Base)
        } else if modes.into_iter().any(|mode| !core.has_address_mode(mode)) {
            Err(Refusal::AddressMode)
        } else if filters.into_iter().any(|(asked, built)| asked && !built) {
            Err(Refusal::Filter)
        } else if u64::from(self.base) + self.bytes() > 1 << 31 {
            Err(Refusal::Window)
        } else {
            Ok(())
        }
    }

    /// Bytes of the colour table and of all levels down to a single texel, each stored in whole tiles of 4 x 4 texels.
    fn bytes(&self) -> u64 {
        let stored_log2 = |size_log2: u8, level: u8| size_log2.saturating_sub(level).max(2);
        let levels = 0..=self.width_log2.max(self.height_log2);
        let texels = levels
            .map(|level| 1 << (stored_log2(self.width_log2, level) + stored_log2(self.height_log2, level)))
            .sum::<u64>();
        self.format.table_bytes() + texels / TILE_TEXELS * self.format.tile_bytes()
    }

    /// The words of the binding, lowest bits first.
    pub fn words(&self) -> [u32; BEATS * WORDS_PER_BEAT] {
        let mut words = [0u32; BEATS * WORDS_PER_BEAT];
        let fields = [
            (binding::BASE, self.base),
            (binding::WIDTH_LOG2, self.width_log2.into()),
            (binding::HEIGHT_LOG2, self.height_log2.into()),
            (binding::MAX_LOD, self.max_lod.into()),
            (binding::FORMAT, self.format as u32),
            (binding::BILINEAR, self.bilinear.into()),
            (binding::MIPMAPPED, self.mipmapped.into()),
            (binding::ADDRESS_U, self.address_u as u32),
            (binding::ADDRESS_V, self.address_v as u32),
            (binding::DROP_CACHE, self.drop_cache.into()),
        ];
        for (field, value) in fields {
            words[field.word] |= value << field.shift & field.mask;
        }
        words
    }

    /// The binding's packet.
    pub(crate) fn to_beats(self) -> [Beat; BEATS] {
        let words = self.words();
        core::array::from_fn(|number| {
            let mut tdata = [0; BEAT_BYTES];
            let own = &words[number * WORDS_PER_BEAT..][..WORDS_PER_BEAT];
            for (bytes, word) in tdata.chunks_exact_mut(4).zip(own) {
                bytes.copy_from_slice(&word.to_le_bytes());
            }
            Beat { tdata, is_binding: true, last: number + 1 == BEATS }
        })
    }
}
