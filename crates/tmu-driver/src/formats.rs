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
    /// R in bits 15:11, G in 10:5, B in 4:0 of 2 bytes; alpha is 255.
    Rgb565 = 6,
}

impl Format {
    /// Every format, by rising code.
    #[rustfmt::skip]
    pub const ALL: [Format; 5] = [Format::Rgba8, Format::Rgb8, Format::I8Rgba8, Format::I8Rgb8, Format::Rgb565];

    /// Bytes of a texel.
    #[must_use]
    pub const fn texel_bytes(self) -> u64 {
        match self {
            Format::Rgba8 => 4,
            Format::Rgb8 => 3,
            Format::I8Rgba8 => 1,
            Format::I8Rgb8 => 1,
            Format::Rgb565 => 2,
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
            Format::Rgb565 => 0,
        }
    }
}
