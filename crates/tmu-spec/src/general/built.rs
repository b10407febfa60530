//! What a unit of the general numerics was built to do, as one word of 32 bits: what programs tell their driver, beside what the
//! registers of the core say.

use super::features::{OperationName, Sizes};
use crate::binding::field::Field;
use crate::choice::Choice;
use crate::features::Features;

/// The kinds of textures, by code.
pub const KINDS: Field = Field::new("kinds", 0, 0, 5, "bit n: textures of the kind of code n are sampled");
/// The operations, by code.
pub const OPERATIONS: Field =
    Field::new("operations", 0, 5, 5, "bit n: a request may ask for the operation of code n");
/// The address modes, by code.
pub const ADDRESS_MODES: Field =
    Field::new("address_modes", 0, 10, 5, "bit n: the address mode of code n is built");
/// Sides need not be powers of two.
pub const ANY_SIZE: Field = Field::new("any_size", 0, 15, 1, "sides need not be powers of two");
/// Two levels are weighted.
pub const TRILINEAR: Field = Field::new("trilinear", 0, 16, 1, "two levels are weighted");
/// log2 of the most probes of a footprint.
pub const ANISOTROPY: Field =
    Field::new("anisotropy_log2", 0, 17, 3, "log2 of the most probes of a footprint");
/// Depths are compared.
pub const COMPARE: Field = Field::new("compare", 0, 20, 1, "depths are compared");
/// sRGB-coded colours are decoded.
pub const SRGB: Field = Field::new("srgb", 0, 21, 1, "sRGB-coded colours are decoded");
/// Channels of a result show any component.
pub const SWIZZLE: Field = Field::new("swizzle", 0, 22, 1, "channels of a result show any component");
/// The form of coordinates.
pub const NUMBERS: Field = Field::new("numbers", 0, 23, 1, "form of coordinates: 0 s16.16, 1 fp32");
/// Coordinates are divided by q.
pub const PROJECTIVE: Field = Field::new("projective", 0, 24, 1, "coordinates are divided by q");
/// Bits of a channel in the filter.
pub const WIDE_CHANNELS: Field =
    Field::new("wide_channels", 0, 25, 1, "channels have 16 bits in the filter instead of 8");
/// The form of results.
pub const RESULT: Field = Field::new("result", 0, 26, 2, "form of results: 0 unorm8, 1 unorm16, 2 fp32");
/// Indirect look-ups are built.
pub const INDIRECT: Field = Field::new("indirect", 0, 28, 1, "indirect look-ups are built");
/// The size of the parameter store.
pub const STORE: Field =
    Field::new("store", 0, 29, 2, "entries of the parameter store: 0 none, 1 64 of them, 2 128");

/// Ripmaps are sampled.
pub const RIPMAPS: Field = Field::new("ripmaps", 0, 31, 1, "ripmaps are sampled");

/// Every field, by rising bits. All other bits are 0.
pub const ALL: [Field; 16] = [
    KINDS,
    OPERATIONS,
    ADDRESS_MODES,
    ANY_SIZE,
    TRILINEAR,
    ANISOTROPY,
    COMPARE,
    SRGB,
    SWIZZLE,
    NUMBERS,
    PROJECTIVE,
    WIDE_CHANNELS,
    RESULT,
    INDIRECT,
    STORE,
    RIPMAPS,
];

/// The word of a unit; 0 for one of the classic numerics.
#[must_use]
pub fn word(features: &Features) -> u32 {
    let Some(general) = features.general() else { return 0 };
    let operations = OperationName::CHOICES.iter().filter(|operation| general.has_operation(**operation));
    let fields = [
        (KINDS, general.kinds().fold(0, |mask, kind| mask | 1 << kind.code())),
        (OPERATIONS, operations.fold(0, |mask, operation| mask | 1 << *operation as u32)),
        (ADDRESS_MODES, features.address_modes().fold(0, |mask, mode| mask | 1 << mode.code())),
        (ANY_SIZE, (general.sizes == Sizes::Any).into()),
        (TRILINEAR, general.trilinear.into()),
        (ANISOTROPY, general.max_anisotropy.ilog2()),
        (COMPARE, general.compare.into()),
        (SRGB, general.srgb.into()),
        (SWIZZLE, general.swizzle.into()),
        (NUMBERS, general.numbers.code().into()),
        (PROJECTIVE, general.projective.into()),
        (WIDE_CHANNELS, (general.channel_bits == 16).into()),
        (RESULT, general.result.code().into()),
        (INDIRECT, general.indirect.into()),
        (STORE, general.store_entries / 64),
        (RIPMAPS, general.ripmaps.into()),
    ];
    fields.into_iter().fold(0, |word, (field, value)| word | value << field.shift)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Preset;
    use crate::general::Kind;

    #[test]
    fn fields_stand_side_by_side() {
        let mut taken = 0;
        for field in ALL {
            assert_eq!((field.word, field.mask() & taken), (0, 0), "{}", field.name);
            assert!(field.mask() > taken && field.mask() <= u32::MAX.into(), "{}", field.name);
            taken |= field.mask();
        }
        assert_eq!(Kind::CHOICES.len() as u32, KINDS.bits);
        assert_eq!(OperationName::CHOICES.len() as u32, OPERATIONS.bits);
        assert_eq!(crate::AddressMode::ALL.len() as u32, ADDRESS_MODES.bits);
    }

    #[test]
    fn words_by_hand() {
        assert_eq!(word(&Features::ALL), 0);
        let multi =
            1 << 31 | 1 << 28 | 2 << 26 | 7 << 23 | 7 << 20 | 4 << 17 | 3 << 15 | 31 << 10 | 31 << 5 | 31;
        assert_eq!(word(&Features::GENERAL), 2 << 29 | multi);
        let of = |name: &str| word(Preset::find(name).unwrap().config().unwrap().features());
        // 2D and cubes; sample, lod and bias; wrap, clamp and mirror; any size; trilinear.
        assert_eq!(of("multi-lite"), 3 << 15 | 7 << 10 | 7 << 5 | 0b01010);
        assert_eq!(of("multi"), multi);
    }
}
