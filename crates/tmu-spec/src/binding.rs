//! Bindings: texture and sampler state as the bits of one request beat.
//!
//! | bits | field |
//! | --- | --- |
//! | 30:0 | base, bytes, a multiple of 16 |
//! | 35:32, 39:36 | width_log2, height_log2 |
//! | 43:40 | max_lod |
//! | 51:44 | format |
//! | 52, 53 | bilinear, mipmapped |
//! | 57:56, 59:58 | address mode of u, of v |
//! | 62 | drop what the cache holds first |
//! | all others, up to the top of `tdata` | 0 |
//!
//! A texture must end within the texture window.

use crate::features::Features;
use crate::format::Format;
use crate::quad::RequestBeat;
use crate::texture::{AddressMode, Texture};
use crate::{LINE_BYTES, TEXTURE_ADDRESS_BITS};

/// Bits of a binding that must be 0, among its low 64.
pub const RESERVED_BITS: u64 = 1 << 31 | 1 << 54 | 1 << 55 | 1 << 60 | 1 << 61 | 1 << 63;

const WIDTH_SHIFT: u32 = 32;
const HEIGHT_SHIFT: u32 = 36;
const MAX_LOD_SHIFT: u32 = 40;
const FORMAT_SHIFT: u32 = 44;
const BILINEAR_SHIFT: u32 = 52;
const MIPMAPPED_SHIFT: u32 = 53;
const ADDRESS_U_SHIFT: u32 = 56;
const ADDRESS_V_SHIFT: u32 = 58;
const DROP_CACHE_SHIFT: u32 = 62;

/// A rule that a binding breaks. The codes are what the hardware's status register holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, thiserror::Error)]
#[repr(u8)]
pub enum BindingRule {
    /// A bit is set that is kept for later.
    #[error("a reserved bit is set; bits 31, 54, 55, 60, 61 and 63 upwards must be 0")]
    ReservedBits = 1,
    /// The format's code is reserved or the format is not built.
    #[error("the format is reserved or not built; use a format that the configuration enables")]
    Format = 2,
    /// A side is over 2048 texels or over the largest size built.
    #[error("width_log2 or height_log2 is over 11 or over the largest size built; use a smaller texture")]
    Size = 3,
    /// The smallest level to sample lies beyond the texture's chain.
    #[error("max_lod is over max(width_log2, height_log2); use a level that the texture has")]
    MaxLod = 4,
    /// The texture does not start on a line of the texture window.
    #[error("the base is not a multiple of 16 bytes below 2^31; move the texture")]
    Base = 5,
    /// An address mode's code is reserved or the mode is not built.
    #[error("an address mode is reserved or not built; use a mode that the configuration enables")]
    AddressMode = 6,
    /// Bilinear filtering or mipmapping is asked for and not built.
    #[error("bilinear filtering or mipmapping is asked for and not built; clear the bit")]
    Feature = 7,
    /// The texture reaches past the end of the texture window.
    #[error("the texture ends behind 2^31, past the texture window; lower the base or use a smaller texture")]
    Window = 8,
}

impl BindingRule {
    /// Every rule, by rising code.
    pub const ALL: [BindingRule; 8] = [
        BindingRule::ReservedBits,
        BindingRule::Format,
        BindingRule::Size,
        BindingRule::MaxLod,
        BindingRule::Base,
        BindingRule::AddressMode,
        BindingRule::Feature,
        BindingRule::Window,
    ];

    /// The stable code, from 1; a status of 0 means that no rule was broken.
    #[must_use]
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The rule with a code.
    #[must_use]
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|rule| rule.code() == code)
    }

    /// The bit that stands for this rule where several are held at once: bit 0 for code 1 and so on.
    #[must_use]
    pub const fn mask(self) -> u8 {
        1 << (self as u8 - 1)
    }
}

/// How a texture is read. Any combination is legal, so the fields are open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Sampler {
    /// Four weighted taps a pixel instead of one.
    pub bilinear: bool,
    /// Choose the level by the footprint instead of always level 0.
    pub mipmapped: bool,
    /// Address mode of u.
    pub address_u: AddressMode,
    /// Address mode of v.
    pub address_v: AddressMode,
}

/// Texture and sampler state that holds for the quads after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Binding {
    base: u32,
    texture: Texture,
    sampler: Sampler,
    drop_cache: bool,
}

impl Binding {
    /// Binds `texture` at byte address `base` of the texture window. The cache keeps what it holds.
    ///
    /// # Errors
    /// [`BindingRule::Base`] if the base is not a multiple of 16 below 2^31, [`BindingRule::Window`] if the texture
    /// reaches past the window from there.
    pub fn new(base: u32, texture: Texture, sampler: Sampler) -> Result<Self, BindingRule> {
        if !base.is_multiple_of(LINE_BYTES) || base >> TEXTURE_ADDRESS_BITS != 0 {
            return Err(BindingRule::Base);
        }
        if base > Self::last_base(&texture) {
            return Err(BindingRule::Window);
        }
        Ok(Self { base, texture, sampler, drop_cache: false })
    }

    /// The highest base from which a texture ends within the texture window.
    #[must_use]
    pub fn last_base(texture: &Texture) -> u32 {
        // A texture has whole lines, and fewer of them than the window.
        (1 << TEXTURE_ADDRESS_BITS) - texture.bytes()
    }

    /// The same binding, with or without dropping first what the cache holds: needed after memory has changed.
    #[must_use]
    pub const fn with_drop_cache(mut self, drop_cache: bool) -> Self {
        self.drop_cache = drop_cache;
        self
    }

    /// Byte address of the texture in the texture window.
    #[must_use]
    pub const fn base(&self) -> u32 {
        self.base
    }

    /// Format, size and layout.
    #[must_use]
    pub const fn texture(&self) -> &Texture {
        &self.texture
    }

    /// Filters and address modes.
    #[must_use]
    pub const fn sampler(&self) -> Sampler {
        self.sampler
    }

    /// Whether the cache drops what it holds before the next quad.
    #[must_use]
    pub const fn drop_cache(&self) -> bool {
        self.drop_cache
    }

    /// The low 64 bits of the binding's beat; all others are 0.
    #[must_use]
    pub fn encode(&self) -> u64 {
        let (texture, sampler) = (&self.texture, self.sampler);
        u64::from(self.base)
            | u64::from(texture.width_log2()) << WIDTH_SHIFT
            | u64::from(texture.height_log2()) << HEIGHT_SHIFT
            | u64::from(texture.max_lod()) << MAX_LOD_SHIFT
            | u64::from(texture.format().code()) << FORMAT_SHIFT
            | u64::from(sampler.bilinear) << BILINEAR_SHIFT
            | u64::from(sampler.mipmapped) << MIPMAPPED_SHIFT
            | u64::from(sampler.address_u.code()) << ADDRESS_U_SHIFT
            | u64::from(sampler.address_v.code()) << ADDRESS_V_SHIFT
            | u64::from(self.drop_cache) << DROP_CACHE_SHIFT
    }

    /// Reads a binding from its bits, for a unit that has every feature.
    ///
    /// # Errors
    /// Every rule that the bits break, by rising code.
    pub fn decode(bits: u128) -> Result<Self, Vec<BindingRule>> {
        Self::decode_for(bits, &Features::ALL)
    }

    /// Reads a binding from its bits, for a unit that has only `features`.
    ///
    /// # Errors
    /// Every rule that the bits break, by rising code; [`BindingRule::Window`] only by itself, since the other rules say
    /// whether there is a texture that could end anywhere.
    pub fn decode_for(bits: u128, features: &Features) -> Result<Self, Vec<BindingRule>> {
        let field = |shift: u32, width: u32| (bits >> shift) as u32 & ((1 << width) - 1);
        let flag = |shift: u32| field(shift, 1) != 0;
        let base = field(0, TEXTURE_ADDRESS_BITS);
        let (width_log2, height_log2) = (field(WIDTH_SHIFT, 4), field(HEIGHT_SHIFT, 4));
        let max_lod = field(MAX_LOD_SHIFT, 4);
        let format =
            Format::from_code(field(FORMAT_SHIFT, 8) as u8).filter(|format| features.has_format(*format));
        let mode = |shift: u32| {
            AddressMode::from_code(field(shift, 2) as u8).filter(|mode| features.has_address_mode(*mode))
        };
        let (address_u, address_v) = (mode(ADDRESS_U_SHIFT), mode(ADDRESS_V_SHIFT));
        let (bilinear, mipmapped) = (flag(BILINEAR_SHIFT), flag(MIPMAPPED_SHIFT));
        let size_log2 = width_log2.max(height_log2);

        let rules = [
            (BindingRule::ReservedBits, bits & u128::from(RESERVED_BITS) != 0 || bits >> 64 != 0),
            (BindingRule::Format, format.is_none()),
            (BindingRule::Size, size_log2 > features.max_size_log2()),
            (BindingRule::MaxLod, max_lod > size_log2),
            (BindingRule::Base, !base.is_multiple_of(LINE_BYTES)),
            (BindingRule::AddressMode, address_u.is_none() || address_v.is_none()),
            (BindingRule::Feature, bilinear && !features.bilinear() || mipmapped && !features.mipmaps()),
        ];
        let broken: Vec<_> = rules.iter().filter(|(_, broken)| *broken).map(|(rule, _)| *rule).collect();
        let texture = format.and_then(|format| Texture::new(format, width_log2, height_log2, max_lod).ok());
        match (texture, address_u, address_v) {
            (Some(texture), Some(address_u), Some(address_v)) if broken.is_empty() => {
                let sampler = Sampler { bilinear, mipmapped, address_u, address_v };
                let binding = Self::new(base, texture, sampler).map_err(|rule| vec![rule])?;
                Ok(binding.with_drop_cache(flag(DROP_CACHE_SHIFT)))
            }
            _ => Err(broken),
        }
    }

    /// The binding's packet: one beat.
    #[must_use]
    pub fn to_beat(&self) -> RequestBeat {
        RequestBeat::binding(u128::from(self.encode()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_binding() -> impl Strategy<Value = Binding> {
        let texture = (prop::sample::select(&Format::ALL[..]), 0..=11u32, 0..=11u32, 0..=11u32)
            .prop_map(|(format, w, h, max_lod)| Texture::new(format, w, h, max_lod.min(w.max(h))).unwrap());
        let mode = || (0..3u8).prop_map(|code| AddressMode::from_code(code).unwrap());
        let sampler = (any::<bool>(), any::<bool>(), mode(), mode()).prop_map(
            |(bilinear, mipmapped, address_u, address_v)| Sampler {
                bilinear,
                mipmapped,
                address_u,
                address_v,
            },
        );
        (0..1u32 << 27, texture, sampler, any::<bool>()).prop_map(|(line, texture, sampler, drop)| {
            let base = (line * 16).min(Binding::last_base(&texture));
            Binding::new(base, texture, sampler).unwrap().with_drop_cache(drop)
        })
    }

    proptest! {
        #[test]
        fn bits_round_trip(binding in any_binding()) {
            prop_assert_eq!(Binding::decode(u128::from(binding.encode())), Ok(binding));
        }

        /// Whatever decodes was made of legal bits only, and encodes to the same bits.
        #[test]
        fn decoding_loses_no_bit(bits in any::<u128>(), mask in any::<u128>()) {
            for bits in [bits, bits & mask & 0x0f3f_0fff_7fff_fff0, bits & 0x433f_1bbb_7fff_fff0] {
                if let Ok(binding) = Binding::decode(bits) {
                    prop_assert_eq!(u128::from(binding.encode()), bits);
                }
            }
        }
    }

    fn hand_made() -> Binding {
        let texture = Texture::new(Format::I8Rgb8, 11, 4, 9).unwrap();
        let sampler = Sampler {
            bilinear: true,
            mipmapped: false,
            address_u: AddressMode::Mirror,
            address_v: AddressMode::Clamp,
        };
        Binding::new(0x7fff_0010, texture, sampler).unwrap().with_drop_cache(true)
    }

    #[test]
    fn bits_by_hand() {
        // 62 drop; 59:58 = 1, 57:56 = 2; 52 bilinear; format 3; max_lod 9, height 4, width 11; base.
        let binding = hand_made();
        assert_eq!(binding.encode(), 0x4610_394b_7fff_0010);
        assert_eq!((binding.base(), binding.drop_cache()), (0x7fff_0010, true));
        assert!(!binding.with_drop_cache(false).drop_cache());
    }

    #[test]
    fn each_rule_alone() {
        let good = u128::from(hand_made().encode());
        let mut cases = vec![
            (good | 0x30 << 44, vec![BindingRule::Format]),
            (good | 0x80 << 44, vec![BindingRule::Format]),
            (good | 12 << 36, vec![BindingRule::Size]),
            (good & !(15 << 32) | 12 << 32, vec![BindingRule::Size]),
            (good | 15 << 40, vec![BindingRule::MaxLod]),
            (good | 1, vec![BindingRule::Base]),
            (good | 8, vec![BindingRule::Base]),
            (good | 3 << 56, vec![BindingRule::AddressMode]),
            (good | 3 << 58, vec![BindingRule::AddressMode]),
            // All ones: max_lod is 15 and so are the sizes, which breaks one rule, not two.
            (
                u128::MAX,
                vec![
                    BindingRule::ReservedBits,
                    BindingRule::Format,
                    BindingRule::Size,
                    BindingRule::Base,
                    BindingRule::AddressMode,
                ],
            ),
        ];
        for bit in [31, 54, 55, 60, 61].into_iter().chain(63..128) {
            cases.push((good | 1 << bit, vec![BindingRule::ReservedBits]));
        }
        for (bits, expected) in cases {
            assert_eq!(Binding::decode(bits), Err(expected), "bits {bits:#x}");
        }
    }

    #[test]
    fn what_is_not_built_is_refused() {
        let features = Features::new(&[Format::Rgba8], &[AddressMode::Wrap], false, false, 8);
        let got = Binding::decode_for(u128::from(hand_made().encode()), &features);
        let expected =
            [BindingRule::Format, BindingRule::Size, BindingRule::AddressMode, BindingRule::Feature];
        assert_eq!(got, Err(expected.to_vec()));
        let plain =
            Binding::new(16, Texture::new(Format::Rgba8, 8, 8, 8).unwrap(), Sampler::default()).unwrap();
        assert_eq!(Binding::decode_for(u128::from(plain.encode()), &features), Ok(plain));
    }

    #[test]
    fn rule_codes_are_stable() {
        let codes: Vec<_> = BindingRule::ALL.map(BindingRule::code).to_vec();
        assert_eq!(codes, [1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(BindingRule::ALL.map(BindingRule::mask), [1, 2, 4, 8, 16, 32, 64, 128]);
        for rule in BindingRule::ALL {
            assert_eq!(BindingRule::from_code(rule.code()), Some(rule));
        }
        assert_eq!(BindingRule::from_code(0), None);
    }

    /// Of each format and size: the highest base that fits, and the next one.
    #[test]
    fn a_texture_past_the_window_is_refused() {
        for format in Format::ALL {
            for (width_log2, height_log2) in
                (0..12).flat_map(|width| (0..12).map(move |height| (width, height)))
            {
                let texture = Texture::new(format, width_log2, height_log2, 0).unwrap();
                let last = Binding::last_base(&texture);
                assert_eq!(u64::from(last) + u64::from(texture.bytes()), 1 << 31, "{texture:?}");
                let fits = Binding::new(last, texture, Sampler::default()).unwrap();
                let bits = u128::from(fits.encode());
                assert_eq!(Binding::decode(bits), Ok(fits));
                assert_eq!(Binding::new(last + 16, texture, Sampler::default()), Err(BindingRule::Window));
                assert_eq!(Binding::decode(bits + 16), Err(vec![BindingRule::Window]), "{texture:?}");
                // Another rule comes first.
                assert_eq!(Binding::decode(bits + 17), Err(vec![BindingRule::Base]));
            }
        }
    }

    #[test]
    fn bases_off_the_lines_or_the_window_are_refused() {
        let texture = Texture::new(Format::Rgba8, 0, 0, 0).unwrap();
        for base in [1, 15, 17, 1 << 31, u32::MAX] {
            assert_eq!(Binding::new(base, texture, Sampler::default()), Err(BindingRule::Base), "{base}");
        }
    }
}
