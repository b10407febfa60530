//! Formats of texels.
//!
//! Made from the table of formats: `UPDATE_DRIVERS=1 cargo test -p tmu-package` writes it anew.

/// How texels lie in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Format {
    /// R, G, B, A at rising addresses, 4 bytes.
    Rgba8 = 0,
    /// R, G, B packed, 3 bytes; alpha is 255. Some texels lie across two lines.
    Rgb8 = 1,
    /// 8-bit index into 256 colours of 4 bytes.
    I8Rgba8 = 2,
    /// 8-bit index into 256 colours of 3 bytes; alpha is 255.
    I8Rgb8 = 3,
    /// R, 1 byte.
    R8 = 4,
    /// R, G, 2 bytes.
    Rg8 = 5,
    /// R in bits 15:11, G in 10:5, B in 4:0 of 2 bytes; alpha is 255.
    Rgb565 = 6,
    /// R in bits 15:11, G in 10:6, B in 5:1, A in bit 0 of 2 bytes.
    Rgba5551 = 7,
    /// R in bits 15:12, G in 11:8, B in 7:4, A in 3:0 of 2 bytes.
    Rgba4444 = 8,
    /// R, G, B of 10 bits from the lowest up, A of 2 bits, 4 bytes.
    Rgb10a2 = 9,
    /// R of 16 bits.
    R16 = 10,
    /// R, G of 16 bits.
    Rg16 = 11,
    /// R, G, B, A of 16 bits.
    Rgba16 = 12,
    /// Blocks of 8 bytes: two colours of 565 and what lies between; one bit of alpha (S3TC DXT1).
    Bc1 = 13,
    /// Blocks of 16 bytes: colours as BC1, alpha of 4 bits (DXT3).
    Bc2 = 14,
    /// Blocks of 16 bytes: colours as BC1, interpolated alpha (DXT5).
    Bc3 = 15,
    /// Blocks of 8 bytes: interpolated R (RGTC1).
    Bc4 = 16,
    /// Blocks of 16 bytes: interpolated R and G (RGTC2).
    Bc5 = 17,
    /// Blocks of 8 bytes: ETC2 colours.
    Etc2Rgb8 = 18,
    /// Blocks of 8 bytes: ETC2 colours, some of them transparent black.
    Etc2Rgb8a1 = 19,
    /// Blocks of 16 bytes: ETC2 colours, EAC alpha.
    Etc2Rgba8 = 20,
    /// Blocks of 8 bytes: R of 11 bits.
    EacR11 = 21,
    /// Blocks of 16 bytes: R and G of 11 bits.
    EacRg11 = 22,
    /// Blocks of 16 bytes: BPTC colours with alpha.
    Bc7 = 23,
    /// Depth of 16 bits.
    D16 = 32,
    /// Depth of 24 bits, the lowest of 4 bytes.
    D24 = 33,
    /// Depth as an IEEE single.
    D32f = 34,
    /// R as an IEEE single.
    R32f = 40,
    /// R, G as IEEE singles.
    Rg32f = 41,
    /// R, G, B, A as IEEE singles.
    Rgba32f = 42,
    /// R as an IEEE half.
    R16f = 43,
    /// R, G as IEEE halves.
    Rg16f = 44,
    /// R, G, B, A as IEEE halves.
    Rgba16f = 45,
}

impl Format {
    /// Every format, by rising code.
    #[rustfmt::skip]
    pub const ALL: [Format; 33] = [Format::Rgba8, Format::Rgb8, Format::I8Rgba8, Format::I8Rgb8, Format::R8, Format::Rg8, Format::Rgb565, Format::Rgba5551, Format::Rgba4444, Format::Rgb10a2, Format::R16, Format::Rg16, Format::Rgba16, Format::Bc1, Format::Bc2, Format::Bc3, Format::Bc4, Format::Bc5, Format::Etc2Rgb8, Format::Etc2Rgb8a1, Format::Etc2Rgba8, Format::EacR11, Format::EacRg11, Format::Bc7, Format::D16, Format::D24, Format::D32f, Format::R32f, Format::Rg32f, Format::Rgba32f, Format::R16f, Format::Rg16f, Format::Rgba16f];

    /// Bytes of a tile of 4 x 4 texels.
    #[must_use]
    pub const fn tile_bytes(self) -> u64 {
        match self {
            Format::Rgba8 => 64,
            Format::Rgb8 => 48,
            Format::I8Rgba8 => 16,
            Format::I8Rgb8 => 16,
            Format::R8 => 16,
            Format::Rg8 => 32,
            Format::Rgb565 => 32,
            Format::Rgba5551 => 32,
            Format::Rgba4444 => 32,
            Format::Rgb10a2 => 64,
            Format::R16 => 32,
            Format::Rg16 => 64,
            Format::Rgba16 => 128,
            Format::Bc1 => 8,
            Format::Bc2 => 16,
            Format::Bc3 => 16,
            Format::Bc4 => 8,
            Format::Bc5 => 16,
            Format::Etc2Rgb8 => 8,
            Format::Etc2Rgb8a1 => 8,
            Format::Etc2Rgba8 => 16,
            Format::EacR11 => 8,
            Format::EacRg11 => 16,
            Format::Bc7 => 16,
            Format::D16 => 32,
            Format::D24 => 64,
            Format::D32f => 64,
            Format::R32f => 64,
            Format::Rg32f => 128,
            Format::Rgba32f => 256,
            Format::R16f => 32,
            Format::Rg16f => 64,
            Format::Rgba16f => 128,
        }
    }

    /// Bytes of the colour table, 0 without one.
    #[must_use]
    pub const fn table_bytes(self) -> u64 {
        match self {
            Format::Rgba8 => 0,
            Format::Rgb8 => 0,
            Format::I8Rgba8 => 1024,
            Format::I8Rgb8 => 768,
            Format::R8 => 0,
            Format::Rg8 => 0,
            Format::Rgb565 => 0,
            Format::Rgba5551 => 0,
            Format::Rgba4444 => 0,
            Format::Rgb10a2 => 0,
            Format::R16 => 0,
            Format::Rg16 => 0,
            Format::Rgba16 => 0,
            Format::Bc1 => 0,
            Format::Bc2 => 0,
            Format::Bc3 => 0,
            Format::Bc4 => 0,
            Format::Bc5 => 0,
            Format::Etc2Rgb8 => 0,
            Format::Etc2Rgb8a1 => 0,
            Format::Etc2Rgba8 => 0,
            Format::EacR11 => 0,
            Format::EacRg11 => 0,
            Format::Bc7 => 0,
            Format::D16 => 0,
            Format::D24 => 0,
            Format::D32f => 0,
            Format::R32f => 0,
            Format::Rg32f => 0,
            Format::Rgba32f => 0,
            Format::R16f => 0,
            Format::Rg16f => 0,
            Format::Rgba16f => 0,
        }
    }

    /// Texels stand in compressed blocks.
    #[must_use]
    #[rustfmt::skip]
    pub const fn is_block(self) -> bool {
        matches!(self, Format::Bc1 | Format::Bc2 | Format::Bc3 | Format::Bc4 | Format::Bc5 | Format::Etc2Rgb8 | Format::Etc2Rgb8a1 | Format::Etc2Rgba8 | Format::EacR11 | Format::EacRg11 | Format::Bc7)
    }

    /// Texels are depths.
    #[must_use]
    #[rustfmt::skip]
    pub const fn is_depth(self) -> bool {
        matches!(self, Format::D16 | Format::D24 | Format::D32f)
    }

    /// Texels are floats.
    #[must_use]
    #[rustfmt::skip]
    pub const fn is_float(self) -> bool {
        matches!(self, Format::D32f | Format::R32f | Format::Rg32f | Format::Rgba32f | Format::R16f | Format::Rg16f | Format::Rgba16f)
    }

    /// Colours may be sRGB-coded.
    #[must_use]
    #[rustfmt::skip]
    pub const fn can_be_srgb(self) -> bool {
        matches!(self, Format::Rgba8 | Format::Rgb8 | Format::I8Rgba8 | Format::I8Rgb8 | Format::Bc1 | Format::Bc2 | Format::Bc3 | Format::Etc2Rgb8 | Format::Etc2Rgb8a1 | Format::Etc2Rgba8 | Format::Bc7)
    }

    /// Texels may be places of an indirect look-up.
    #[must_use]
    #[rustfmt::skip]
    pub const fn holds_places(self) -> bool {
        matches!(self, Format::Rgba8 | Format::Rgb8 | Format::R8 | Format::Rg8 | Format::R16 | Format::Rg16 | Format::Rgba16)
    }

    /// They have G.
    #[must_use]
    #[rustfmt::skip]
    pub const fn holds_green(self) -> bool {
        matches!(self, Format::Rgba8 | Format::Rgb8 | Format::Rg8 | Format::Rg16 | Format::Rgba16)
    }

    /// They have B.
    #[must_use]
    #[rustfmt::skip]
    pub const fn holds_blue(self) -> bool {
        matches!(self, Format::Rgba8 | Format::Rgb8 | Format::Rgba16)
    }

    /// They have A.
    #[must_use]
    #[rustfmt::skip]
    pub const fn holds_alpha(self) -> bool {
        matches!(self, Format::Rgba8 | Format::Rgba16)
    }
}
