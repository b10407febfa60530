//! The fields of a binding: which bits of its record mean what. Hardware, model, drivers and documentation are made from
//! this table.

/// Bits of a word of the record. A word is a beat of the binding's packet.
pub const WORD_BITS: u32 = 128;

/// Words that a record may grow to.
pub const MOST_WORDS: usize = 5;

/// Some bits of the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// Its name, in the manner of a Rust variable.
    pub name: &'static str,
    /// The word that it stands in, from 0.
    pub word: usize,
    /// Its lowest bit in the word.
    pub shift: u32,
    /// Its width.
    pub bits: u32,
    /// What it says.
    pub doc: &'static str,
}

impl Field {
    pub(crate) const fn new(
        name: &'static str,
        word: usize,
        shift: u32,
        bits: u32,
        doc: &'static str,
    ) -> Field {
        Field { name, word, shift, bits, doc }
    }

    /// Its bits in its word.
    #[must_use]
    pub const fn mask(&self) -> u128 {
        (u128::MAX >> (WORD_BITS - self.bits)) << self.shift
    }
}

/// Byte address of the texture in the texture window.
pub const BASE: Field =
    Field::new("base", 0, 0, 31, "byte address of the texture in the texture window, a multiple of 16");
/// log2 of the width in texels.
pub const WIDTH_LOG2: Field = Field::new("width_log2", 0, 32, 4, "log2 of the width in texels");
/// log2 of the height in texels.
pub const HEIGHT_LOG2: Field = Field::new("height_log2", 0, 36, 4, "log2 of the height in texels");
/// The smallest level that may be sampled.
pub const MAX_LOD: Field =
    Field::new("max_lod", 0, 40, 4, "number of the smallest level that may be sampled");
/// The code of the format.
pub const FORMAT: Field = Field::new("format", 0, 44, 8, "code of the format");
/// Four weighted taps a pixel instead of one.
pub const BILINEAR: Field =
    Field::new("bilinear", 0, 52, 1, "1: four weighted taps a pixel; 0: the nearest texel");
/// The level follows the footprint.
pub const MIPMAPPED: Field =
    Field::new("mipmapped", 0, 53, 1, "1: the level follows the footprint; 0: level 0");
/// Address mode of u.
pub const ADDRESS_U: Field =
    Field::new("address_u", 0, 56, 2, "address mode of u: 0 wrap, 1 clamp, 2 mirror");
/// Address mode of v.
pub const ADDRESS_V: Field = Field::new("address_v", 0, 58, 2, "address mode of v");
/// The cache drops what it holds first.
pub const DROP_CACHE: Field =
    Field::new("drop_cache", 0, 62, 1, "1: the cache drops what it holds first, since memory has changed");

/// Every field, by rising bits. All other bits of a record are reserved and must be 0.
pub const ALL: [Field; 10] =
    [BASE, WIDTH_LOG2, HEIGHT_LOG2, MAX_LOD, FORMAT, BILINEAR, MIPMAPPED, ADDRESS_U, ADDRESS_V, DROP_CACHE];

/// Words of a record: as many as its fields take.
pub const WORDS: usize = {
    let (mut words, mut number) = (1, 0);
    while number < ALL.len() {
        if ALL[number].word >= words {
            words = ALL[number].word + 1;
        }
        number += 1;
    }
    words
};

/// The bits of each word that no field has.
pub const RESERVED: [u128; WORDS] = {
    let (mut reserved, mut number) = ([u128::MAX; WORDS], 0);
    while number < ALL.len() {
        reserved[ALL[number].word] &= !ALL[number].mask();
        number += 1;
    }
    reserved
};

#[cfg(test)]
mod tests {
    use super::*;

    /// Fields have bits of their own, rise, and lie in one register of 32 bits, as drivers write them.
    #[test]
    fn fields_stand_side_by_side() {
        let mut taken = [0u128; WORDS];
        for field in ALL {
            assert_eq!(taken[field.word] & field.mask(), 0, "{}", field.name);
            assert_eq!(field.shift / 32, (field.shift + field.bits - 1) / 32, "{}", field.name);
            assert!(field.mask() > taken[field.word], "{} does not rise", field.name);
            taken[field.word] |= field.mask();
        }
        assert_eq!(taken.map(|taken| !taken), RESERVED);
        const { assert!(WORDS <= MOST_WORDS) };
    }

    #[test]
    fn reserved_bits_by_hand() {
        let low = 1 << 31 | 1 << 54 | 1 << 55 | 1 << 60 | 1 << 61 | 1 << 63;
        assert_eq!(RESERVED[0], low | u128::MAX << 64);
    }
}
