//! Fields of a binding of the general numerics, by words of 32 bits.
//!
//! Made from the table of fields: `UPDATE_DRIVERS=1 cargo test -p tmu-package` writes it anew.

use crate::binding::Field;

/// Beats of a binding.
pub const BEATS: usize = 5;
/// Words in each beat.
pub const WORDS_PER_BEAT: usize = 4;

/// byte address of the texture in the texture window, a multiple of 16.
pub const BASE: Field = Field { word: 0, shift: 0, mask: 0x7fff_ffff };

/// code of the format.
pub const FORMAT: Field = Field { word: 1, shift: 12, mask: 0x000f_f000 };

/// 1: the cache drops what it holds first, since memory has changed.
pub const DROP_CACHE: Field = Field { word: 1, shift: 30, mask: 0x4000_0000 };

/// width in texels, less one.
pub const WIDTH: Field = Field { word: 2, shift: 0, mask: 0x0000_0fff };

/// height in texels, less one.
pub const HEIGHT: Field = Field { word: 2, shift: 12, mask: 0x00ff_f000 };

/// levels, less one.
pub const LEVELS: Field = Field { word: 2, shift: 24, mask: 0x0f00_0000 };

/// code of the kind: 0 1d, 1 2d, 2 3d, 3 cube, 4 2d_array.
pub const KIND: Field = Field { word: 2, shift: 28, mask: 0x7000_0000 };

/// slices of a volume or layers of an array, less one.
pub const DEPTH: Field = Field { word: 3, shift: 0, mask: 0x0000_0fff };

/// what R shows: 0 to 3 R, G, B, A of the texel, 4 zero, 5 all ones.
pub const SWIZZLE_R: Field = Field { word: 3, shift: 12, mask: 0x0000_7000 };

/// what G shows.
pub const SWIZZLE_G: Field = Field { word: 3, shift: 15, mask: 0x0003_8000 };

/// what B shows.
pub const SWIZZLE_B: Field = Field { word: 3, shift: 18, mask: 0x001c_0000 };

/// what A shows.
pub const SWIZZLE_A: Field = Field { word: 3, shift: 21, mask: 0x00e0_0000 };

/// 1: colours are sRGB-coded.
pub const SRGB: Field = Field { word: 3, shift: 24, mask: 0x0100_0000 };

/// 1: footprints of a cube go on across edges.
pub const SEAMLESS: Field = Field { word: 3, shift: 25, mask: 0x0200_0000 };

/// 1: depths are compared.
pub const COMPARES: Field = Field { word: 3, shift: 26, mask: 0x0400_0000 };

/// 0 never, 1 less, 2 equal, 3 lequal, 4 greater, 5 notequal, 6 gequal, 7 always.
pub const COMPARE: Field = Field { word: 3, shift: 27, mask: 0x3800_0000 };

/// address mode of u: 0 wrap, 1 clamp, 2 mirror, 3 border, 4 mirror_once.
pub const ADDRESS_U: Field = Field { word: 4, shift: 0, mask: 0x0000_0007 };

/// address mode of v.
pub const ADDRESS_V: Field = Field { word: 4, shift: 3, mask: 0x0000_0038 };

/// address mode of w.
pub const ADDRESS_W: Field = Field { word: 4, shift: 6, mask: 0x0000_01c0 };

/// filter where a texel covers less than a pixel: 0 nearest, 1 linear.
pub const MIN: Field = Field { word: 4, shift: 9, mask: 0x0000_0200 };

/// filter where a texel covers more than a pixel.
pub const MAG: Field = Field { word: 4, shift: 10, mask: 0x0000_0400 };

/// filter of levels: 0 none, 1 nearest, 2 linear, 3 the nearest along each axis of a ripmap.
pub const MIP: Field = Field { word: 4, shift: 11, mask: 0x0000_1800 };

/// log2 of the most probes of a footprint: 0 to 4.
pub const ANISOTROPY_LOG2: Field = Field { word: 4, shift: 13, mask: 0x0000_e000 };

/// added to the level of detail, signed, in 1/256 of a level.
pub const LOD_BIAS: Field = Field { word: 4, shift: 16, mask: 0xffff_0000 };

/// least level of detail, signed, in 1/256 of a level.
pub const MIN_LOD: Field = Field { word: 5, shift: 0, mask: 0x0000_ffff };

/// most level of detail, signed, in 1/256 of a level.
pub const MAX_LOD: Field = Field { word: 5, shift: 16, mask: 0xffff_0000 };

/// colour around the texture, R lowest.
pub const BORDER: Field = Field { word: 6, shift: 0, mask: 0xffff_ffff };

/// byte offset of the level from the base, a multiple of 16; means nothing beyond the last level.
pub const LEVEL_0: Field = Field { word: 7, shift: 0, mask: 0x7fff_ffff };

/// byte offset of the level from the base, a multiple of 16; means nothing beyond the last level.
pub const LEVEL_1: Field = Field { word: 8, shift: 0, mask: 0x7fff_ffff };

/// byte offset of the level from the base, a multiple of 16; means nothing beyond the last level.
pub const LEVEL_2: Field = Field { word: 9, shift: 0, mask: 0x7fff_ffff };

/// byte offset of the level from the base, a multiple of 16; means nothing beyond the last level.
pub const LEVEL_3: Field = Field { word: 10, shift: 0, mask: 0x7fff_ffff };

/// byte offset of the level from the base, a multiple of 16; means nothing beyond the last level.
pub const LEVEL_4: Field = Field { word: 11, shift: 0, mask: 0x7fff_ffff };

/// byte offset of the level from the base, a multiple of 16; means nothing beyond the last level.
pub const LEVEL_5: Field = Field { word: 12, shift: 0, mask: 0x7fff_ffff };

/// byte offset of the level from the base, a multiple of 16; means nothing beyond the last level.
pub const LEVEL_6: Field = Field { word: 13, shift: 0, mask: 0x7fff_ffff };

/// byte offset of the level from the base, a multiple of 16; means nothing beyond the last level.
pub const LEVEL_7: Field = Field { word: 14, shift: 0, mask: 0x7fff_ffff };

/// byte offset of the level from the base, a multiple of 16; means nothing beyond the last level.
pub const LEVEL_8: Field = Field { word: 15, shift: 0, mask: 0x7fff_ffff };

/// byte offset of the level from the base, a multiple of 16; means nothing beyond the last level.
pub const LEVEL_9: Field = Field { word: 16, shift: 0, mask: 0x7fff_ffff };

/// byte offset of the level from the base, a multiple of 16; means nothing beyond the last level.
pub const LEVEL_10: Field = Field { word: 17, shift: 0, mask: 0x7fff_ffff };

/// byte offset of the level from the base, a multiple of 16; means nothing beyond the last level.
pub const LEVEL_11: Field = Field { word: 18, shift: 0, mask: 0x7fff_ffff };

/// byte offset of the level from the base, a multiple of 16; means nothing beyond the last level.
pub const LEVEL_12: Field = Field { word: 19, shift: 0, mask: 0x7fff_ffff };

/// 1: the binding is that of the secondary texture; with indirect look-ups only.
pub const SECONDARY: Field = Field { word: 1, shift: 31, mask: 0x8000_0000 };

/// number of an entry of the parameter store.
pub const ENTRY: Field = Field { word: 1, shift: 0, mask: 0x0000_007f };

/// 1: the binding is kept in the entry, at the target of its kind, and what is bound stays.
pub const STORES: Field = Field { word: 1, shift: 7, mask: 0x0000_0080 };

/// targets of the entry that are enabled: bit 0 1d, 1 2d, 2 3d, 3 cube.
pub const ENABLES: Field = Field { word: 1, shift: 8, mask: 0x0000_0f00 };

/// 1: the entry's enables become these; 0: they stay.
pub const SETS_ENABLES: Field = Field { word: 1, shift: 20, mask: 0x0010_0000 };

/// The set-up of an indirect look-up, a word of 64 bits.
pub mod setup {
    use crate::binding::Field;

    /// 0 none, 1 sum, 2 product, 3 average, 4 min, 5 max.
    pub const OPERATION: Field = Field { word: 0, shift: 0, mask: 0x0000_0007 };

    /// values of a pixel, less one.
    pub const VALUES: Field = Field { word: 0, shift: 3, mask: 0x0000_0018 };

    /// component that is the first coordinate: 0 to 3 for R, G, B, A.
    pub const U_FIELD: Field = Field { word: 0, shift: 5, mask: 0x0000_0060 };

    /// component that is the second coordinate.
    pub const V_FIELD: Field = Field { word: 0, shift: 7, mask: 0x0000_0180 };

    /// texels between values along u, signed.
    pub const OFFSET_U: Field = Field { word: 1, shift: 0, mask: 0x0000_ffff };

    /// texels between values along v, signed.
    pub const OFFSET_V: Field = Field { word: 1, shift: 16, mask: 0xffff_0000 };
}

/// What the units were built to do: the constant `BUILT` of a core's registers.
pub mod built {
    use crate::binding::Field;

    /// bit n: textures of the kind of code n are sampled.
    pub const KINDS: Field = Field { word: 0, shift: 0, mask: 0x0000_001f };

    /// bit n: a request may ask for the operation of code n.
    pub const OPERATIONS: Field = Field { word: 0, shift: 5, mask: 0x0000_03e0 };

    /// bit n: the address mode of code n is built.
    pub const ADDRESS_MODES: Field = Field { word: 0, shift: 10, mask: 0x0000_7c00 };

    /// sides need not be powers of two.
    pub const ANY_SIZE: Field = Field { word: 0, shift: 15, mask: 0x0000_8000 };

    /// two levels are weighted.
    pub const TRILINEAR: Field = Field { word: 0, shift: 16, mask: 0x0001_0000 };

    /// log2 of the most probes of a footprint.
    pub const ANISOTROPY_LOG2: Field = Field { word: 0, shift: 17, mask: 0x000e_0000 };

    /// depths are compared.
    pub const COMPARE: Field = Field { word: 0, shift: 20, mask: 0x0010_0000 };

    /// sRGB-coded colours are decoded.
    pub const SRGB: Field = Field { word: 0, shift: 21, mask: 0x0020_0000 };

    /// channels of a result show any component.
    pub const SWIZZLE: Field = Field { word: 0, shift: 22, mask: 0x0040_0000 };

    /// form of coordinates: 0 s16.16, 1 fp32.
    pub const NUMBERS: Field = Field { word: 0, shift: 23, mask: 0x0080_0000 };

    /// coordinates are divided by q.
    pub const PROJECTIVE: Field = Field { word: 0, shift: 24, mask: 0x0100_0000 };

    /// channels have 16 bits in the filter instead of 8.
    pub const WIDE_CHANNELS: Field = Field { word: 0, shift: 25, mask: 0x0200_0000 };

    /// form of results: 0 unorm8, 1 unorm16, 2 fp32.
    pub const RESULT: Field = Field { word: 0, shift: 26, mask: 0x0c00_0000 };

    /// indirect look-ups are built.
    pub const INDIRECT: Field = Field { word: 0, shift: 28, mask: 0x1000_0000 };

    /// entries of the parameter store: 0 none, 1 64 of them, 2 128.
    pub const STORE: Field = Field { word: 0, shift: 29, mask: 0x6000_0000 };

    /// ripmaps are sampled.
    pub const RIPMAPS: Field = Field { word: 0, shift: 31, mask: 0x8000_0000 };
}
