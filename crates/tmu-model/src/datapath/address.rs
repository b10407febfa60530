//! Texel addresses: from a texel of a level to its bytes in memory, and the lines that these lie in.
//!
//! A texel's number within its level is the sum of a part that depends on its column and a part that depends
//! on its row, so the four taps of a pixel take two of each. Constant time, integers only.

use tmu_spec::{LINE_BYTES, TEXTURE_ADDRESS_BITS, Texture};

/// One level of a texture, ready to be addressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Level {
    start_bytes: u32,
    width_log2: u32,
    height_log2: u32,
    tiles_per_row_log2: u32,
}

impl Level {
    /// Finds a level of a texture.
    ///
    /// # Panics
    /// If the texture has no such level.
    #[must_use]
    pub fn new(texture: &Texture, level: u32) -> Self {
        Self {
            start_bytes: texture.level_byte_offset(level),
            width_log2: texture.width_log2().saturating_sub(level),
            height_log2: texture.height_log2().saturating_sub(level),
            tiles_per_row_log2: texture.stored_width_log2(level) - 2,
        }
    }

    /// Log2 of width and height that may be sampled, in texels.
    #[inline]
    #[must_use]
    pub const fn sizes_log2(&self) -> [u32; 2] {
        [self.width_log2, self.height_log2]
    }

    /// What the column adds to a texel's number.
    #[inline]
    #[must_use]
    pub const fn column(&self, x: u32) -> u32 {
        (x >> 2) << 4 | (x & 3)
    }

    /// What the row adds to a texel's number.
    #[inline]
    #[must_use]
    pub const fn row(&self, y: u32) -> u32 {
        (y >> 2) << (self.tiles_per_row_log2 + 4) | (y & 3) << 2
    }

    /// Where a texel starts, in bytes from the texture's base.
    #[inline]
    #[must_use]
    pub const fn texel_offset(&self, column: u32, row: u32, bytes_per_texel: u32) -> u32 {
        self.start_bytes + (column + row) * bytes_per_texel
    }
}

/// The texture address `offset` bytes from `base`. A texture ends within the texture window, so the sum does, too.
#[inline]
#[must_use]
pub const fn texture_address(base: u32, offset: u32) -> u32 {
    let address = base + offset;
    debug_assert!(address >> TEXTURE_ADDRESS_BITS == 0);
    address
}

/// Number of the line that an address lies in.
#[inline]
#[must_use]
pub const fn line_of(address: u32) -> u32 {
    address / LINE_BYTES
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tmu_spec::Format;

    #[test]
    fn addresses_by_hand() {
        // 16 x 8 rgb8: levels 4 to 1 take 1, 1, 1 and 2 tiles of 48 bytes, level 0 is 4 x 2 tiles.
        let texture = Texture::new(Format::Rgb8, 4, 3, 4).unwrap();
        let level = Level::new(&texture, 0);
        // (9, 6): tile 1 * 4 + 2, row 2, column 1.
        let offset = level.texel_offset(level.column(9), level.row(6), 3);
        assert_eq!(offset, 5 * 48 + (6 * 16 + 2 * 4 + 1) * 3);
        assert_eq!(texture_address(0x100, offset), 0x100 + 555);
        assert_eq!(line_of(texture_address(0x100, offset)), 16 + 34);
        // Its last byte lies in the next line: 555 % 16 = 11, bytes 11 to 13 do not; texel (10, 6) is 558.
        assert_eq!(line_of(555 + 2), line_of(555));
        assert_ne!(line_of(558 + 2), line_of(558));
    }

    proptest! {
        /// The layout of the specification crate is written in another way.
        #[test]
        fn agrees_with_the_layout(
            format in prop::sample::select(&Format::CLASSIC[..]), width in 0..12u32, height in 0..12u32, level in 0..12u32, x in 0..2048u32, y in 0..2048u32,
        ) {
            let texture = Texture::new(format, width, height, 0).unwrap();
            let number = level % texture.levels();
            let (x, y) = (x % texture.width(number), y % texture.height(number));
            let level = Level::new(&texture, number);
            let bytes = texture.format().bytes_per_texel();
            let offset = level.texel_offset(level.column(x), level.row(y), bytes);
            prop_assert_eq!(offset, texture.texel_byte_offset(number, x, y));
            let sizes = [texture.width(number), texture.height(number)];
            prop_assert_eq!(level.sizes_log2().map(|size_log2| 1 << size_log2), sizes);
        }
    }
}
