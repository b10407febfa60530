//! Fields of a binding, by words of 32 bits.
//!
//! Made from the table of fields: `UPDATE_DRIVERS=1 cargo test -p tmu-package` writes it anew.

/// Beats of a binding.
pub const BEATS: usize = 1;
/// Words in each beat.
pub const WORDS_PER_BEAT: usize = 4;
/// Most bytes of a beat of requests.
pub const BEAT_BYTES: usize = 97;

/// Some bits of a word.
pub struct Field {
    /// Number of the word, from the first of the first beat.
    pub word: usize,
    /// Lowest bit.
    pub shift: u32,
    /// All bits.
    pub mask: u32,
}

/// byte address of the texture in the texture window, a multiple of 16.
pub const BASE: Field = Field { word: 0, shift: 0, mask: 0x7fff_ffff };

/// log2 of the width in texels.
pub const WIDTH_LOG2: Field = Field { word: 1, shift: 0, mask: 0x0000_000f };

/// log2 of the height in texels.
pub const HEIGHT_LOG2: Field = Field { word: 1, shift: 4, mask: 0x0000_00f0 };

/// number of the smallest level that may be sampled.
pub const MAX_LOD: Field = Field { word: 1, shift: 8, mask: 0x0000_0f00 };

/// code of the format.
pub const FORMAT: Field = Field { word: 1, shift: 12, mask: 0x000f_f000 };

/// 1: four weighted taps a pixel; 0: the nearest texel.
pub const BILINEAR: Field = Field { word: 1, shift: 20, mask: 0x0010_0000 };

/// 1: the level follows the footprint; 0: level 0.
pub const MIPMAPPED: Field = Field { word: 1, shift: 21, mask: 0x0020_0000 };

/// address mode of u: 0 wrap, 1 clamp, 2 mirror.
pub const ADDRESS_U: Field = Field { word: 1, shift: 24, mask: 0x0300_0000 };

/// address mode of v.
pub const ADDRESS_V: Field = Field { word: 1, shift: 26, mask: 0x0c00_0000 };

/// 1: the cache drops what it holds first, since memory has changed.
pub const DROP_CACHE: Field = Field { word: 1, shift: 30, mask: 0x4000_0000 };
