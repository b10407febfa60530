//! The fields of a binding of the general numerics: five words of 128 bits, a beat each.
//!
//! Fields of the first word that the classic binding has too stand where they stand there. A register is a quarter of a word: 32 bits,
//! in which each field lies whole.

use super::features::General;
use super::texture::MAX_LEVELS;
use crate::binding::field::{BASE, DROP_CACHE, FORMAT, Field, WORD_BITS};

/// Words of a record.
pub const WORDS: usize = 5;
/// Bits of a register.
pub const REGISTER_BITS: u32 = 32;
/// Registers of a word.
pub const WORD_REGISTERS: u32 = WORD_BITS / REGISTER_BITS;
/// Registers of a record.
pub const REGISTERS: u32 = WORDS as u32 * WORD_REGISTERS;

/// The width less one.
pub const WIDTH: Field = Field::new("width", 0, 64, 12, "width in texels, less one");
/// The height less one.
pub const HEIGHT: Field = Field::new("height", 0, 76, 12, "height in texels, less one");
/// The number of levels less one.
pub const LEVELS: Field = Field::new("levels", 0, 88, 4, "levels, less one");
/// The code of the kind.
pub const KIND: Field =
    Field::new("kind", 0, 92, 3, "code of the kind: 0 1d, 1 2d, 2 3d, 3 cube, 4 2d_array");
/// Slices or layers less one.
pub const DEPTH: Field = Field::new("depth", 0, 96, 12, "slices of a volume or layers of an array, less one");
/// What the channels of a sample show.
pub const SWIZZLE: [Field; 4] = [
    Field::new("swizzle_r", 0, 108, 3, "what R shows: 0 to 3 R, G, B, A of the texel, 4 zero, 5 all ones"),
    Field::new("swizzle_g", 0, 111, 3, "what G shows"),
    Field::new("swizzle_b", 0, 114, 3, "what B shows"),
    Field::new("swizzle_a", 0, 117, 3, "what A shows"),
];
/// Colours are sRGB-coded.
pub const SRGB: Field = Field::new("srgb", 0, 120, 1, "1: colours are sRGB-coded");
/// Footprints of a cube go on across edges.
pub const SEAMLESS: Field = Field::new("seamless", 0, 121, 1, "1: footprints of a cube go on across edges");
/// Depths are compared.
pub const COMPARES: Field = Field::new("compares", 0, 122, 1, "1: depths are compared");
/// How.
pub const COMPARE: Field = Field::new(
    "compare",
    0,
    123,
    3,
    "0 never, 1 less, 2 equal, 3 lequal, 4 greater, 5 notequal, 6 gequal, 7 always",
);

/// Address modes of u, v and w.
pub const ADDRESS: [Field; 3] = [
    Field::new("address_u", 1, 0, 3, "address mode of u: 0 wrap, 1 clamp, 2 mirror, 3 border, 4 mirror_once"),
    Field::new("address_v", 1, 3, 3, "address mode of v"),
    Field::new("address_w", 1, 6, 3, "address mode of w"),
];
/// The filter where a texel covers less than a pixel.
pub const MIN: Field =
    Field::new("min", 1, 9, 1, "filter where a texel covers less than a pixel: 0 nearest, 1 linear");
/// The filter where a texel covers more than a pixel.
pub const MAG: Field = Field::new("mag", 1, 10, 1, "filter where a texel covers more than a pixel");
/// The filter of levels.
pub const MIP: Field = Field::new(
    "mip",
    1,
    11,
    2,
    "filter of levels: 0 none, 1 nearest, 2 linear, 3 the nearest along each axis of a ripmap",
);
/// log2 of the most probes of a footprint.
pub const ANISOTROPY: Field =
    Field::new("anisotropy_log2", 1, 13, 3, "log2 of the most probes of a footprint: 0 to 4");
/// What is added to the level of detail.
pub const LOD_BIAS: Field =
    Field::new("lod_bias", 1, 16, 16, "added to the level of detail, signed, in 1/256 of a level");
/// The least level of detail.
pub const MIN_LOD: Field =
    Field::new("min_lod", 1, 32, 16, "least level of detail, signed, in 1/256 of a level");
/// The most level of detail.
pub const MAX_LOD: Field =
    Field::new("max_lod", 1, 48, 16, "most level of detail, signed, in 1/256 of a level");
/// What lies around the texture.
pub const BORDER: Field = Field::new("border", 1, 64, 32, "colour around the texture, R lowest");
/// The register of level 0's offset. The offsets of the levels behind it stand in the registers behind it.
pub const FIRST_OFFSET_REGISTER: u32 = 7;
/// Offsets of levels from the base.
pub const LEVEL_OFFSETS: [Field; MAX_LEVELS as usize] = level_offsets();

const fn level_offsets() -> [Field; MAX_LEVELS as usize] {
    const NAMES: [&str; MAX_LEVELS as usize] = [
        "level_0", "level_1", "level_2", "level_3", "level_4", "level_5", "level_6", "level_7", "level_8",
        "level_9", "level_10", "level_11", "level_12",
    ];
    let mut fields = [BASE; MAX_LEVELS as usize];
    let mut level = 0;
    while level < NAMES.len() {
        let register = FIRST_OFFSET_REGISTER + level as u32;
        let (word, shift) = (register / WORD_REGISTERS, register % WORD_REGISTERS * REGISTER_BITS);
        let doc =
            "byte offset of the level from the base, a multiple of 16; means nothing beyond the last level";
        fields[level] = Field::new(NAMES[level], word as usize, shift, BASE.bits, doc);
        level += 1;
    }
    fields
}

/// Every field, by rising bits. All other bits of a record are reserved and must be 0.
pub const ALL: [Field; FIELDS] = all();

const FIELDS: usize = 3 + HEAD.len() + MAX_LEVELS as usize;
const HEAD: [Field; 24] = [
    WIDTH, HEIGHT, LEVELS, KIND, DEPTH, SWIZZLE[0], SWIZZLE[1], SWIZZLE[2], SWIZZLE[3], SRGB, SEAMLESS,
    COMPARES, COMPARE, ADDRESS[0], ADDRESS[1], ADDRESS[2], MIN, MAG, MIP, ANISOTROPY, LOD_BIAS, MIN_LOD,
    MAX_LOD, BORDER,
];

const fn all() -> [Field; FIELDS] {
    let mut all = [BASE; FIELDS];
    all[1] = FORMAT;
    all[2] = DROP_CACHE;
    let mut number = 0;
    while number < HEAD.len() {
        all[3 + number] = HEAD[number];
        number += 1;
    }
    number = 0;
    while number < LEVEL_OFFSETS.len() {
        all[3 + HEAD.len() + number] = LEVEL_OFFSETS[number];
        number += 1;
    }
    all
}

/// What is bound is the secondary texture of indirect look-ups. Only units that have these have the field; in others its bit is reserved.
pub const SECONDARY: Field = Field::new(
    "secondary",
    0,
    63,
    1,
    "1: the binding is that of the secondary texture; with indirect look-ups only",
);

/// The sizes that a parameter store may have, 0 for none.
pub const STORE_ENTRIES: [u64; 3] = [0, 64, 128];
/// The entry of the parameter store that a packet names.
pub const ENTRY: Field = Field::new("entry", 0, 32, 7, "number of an entry of the parameter store");
/// A binding is kept, not bound.
pub const STORES: Field = Field::new(
    "stores",
    0,
    39,
    1,
    "1: the binding is kept in the entry, at the target of its kind, and what is bound stays",
);
/// The targets of the entry that are enabled.
pub const ENABLES: Field =
    Field::new("enables", 0, 40, 4, "targets of the entry that are enabled: bit 0 1d, 1 2d, 2 3d, 3 cube");
/// The packet says which targets of its entry are enabled.
pub const SETS_ENABLES: Field =
    Field::new("sets_enables", 0, 52, 1, "1: the entry's enables become these; 0: they stay");

/// Fields of the first word that only units with a parameter store have; in others their bits are reserved. In a binding that is not
/// kept they mean nothing.
pub const OF_STORE: [Field; 4] = [ENTRY, STORES, ENABLES, SETS_ENABLES];

/// The bits of each word that must be 0 in a unit.
#[must_use]
pub const fn reserved(general: &General) -> [u128; WORDS] {
    let mut reserved = RESERVED;
    if general.indirect {
        reserved[SECONDARY.word] &= !SECONDARY.mask();
    }
    if general.has_store() {
        reserved[0] &= !(STORES.mask() | ENABLES.mask() | SETS_ENABLES.mask() | entry_mask(general));
    }
    reserved
}

/// The bits of an entry's number in a unit with a parameter store.
#[must_use]
pub const fn entry_mask(general: &General) -> u128 {
    (general.store_entries as u128 - 1) << ENTRY.shift
}

/// The register that a field lies in, and its lowest bit there.
#[must_use]
pub const fn place(field: Field) -> (u32, u32) {
    (field.word as u32 * WORD_REGISTERS + field.shift / REGISTER_BITS, field.shift % REGISTER_BITS)
}

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

    /// Fields have bits of their own, rise, and lie in one register of 32 bits.
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
        for field in OF_STORE.iter().chain([&SECONDARY]) {
            assert_eq!((field.word, taken[0] & field.mask()), (0, 0), "{}", field.name);
            taken[0] |= field.mask();
        }
        assert!(STORE_ENTRIES.iter().all(|entries| *entries == 0 || *entries <= 1 << ENTRY.bits));
        assert_eq!(reserved(&General::LEAST), RESERVED);
        let with_secondary = reserved(&General::LEAST.with_indirect(true));
        assert_eq!(with_secondary[0] ^ RESERVED[0], 1 << 63);
        assert_eq!(with_secondary[1..], RESERVED[1..]);
        for (entries, entry_bits) in [(64, 6), (128, 7)] {
            let with_store = reserved(&General::LEAST.with_store(entries));
            let own = ((1 << entry_bits) - 1) << 32 | 0x1f << 39 | 1 << 52;
            assert_eq!(with_store[0] ^ RESERVED[0], own);
            assert_eq!(with_store[1..], RESERVED[1..]);
        }
    }

    #[test]
    fn places_by_hand() {
        assert_eq!(place(WIDTH), (2, 0));
        assert_eq!(place(MIN_LOD), (5, 0));
        assert_eq!(place(LEVEL_OFFSETS[0]), (FIRST_OFFSET_REGISTER, 0));
        assert_eq!(place(LEVEL_OFFSETS[12]), (REGISTERS - 1, 0));
    }
}
