//! Bindings: texture and sampler state as a record of bits, one to five words of 128 bits.
//!
//! The bits stand in [`field`], what a binding must keep to in [`BindingRule`]. A texture must end within the texture window.

pub mod field;
mod record;
mod rule;

use crate::features::Features;
use crate::format::Format;
use crate::texture::{AddressMode, Texture};
use crate::{LINE_BYTES, TEXTURE_ADDRESS_BITS};
use field::{
    ADDRESS_U, ADDRESS_V, BASE, BILINEAR, DROP_CACHE, FORMAT, HEIGHT_LOG2, MAX_LOD, MIPMAPPED, WIDTH_LOG2,
};
pub use record::Record;
pub use rule::BindingRule;

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
    /// [`BindingRule::Base`] if the base is not a multiple of 16 below 2^31, [`BindingRule::AddressMode`] for a mode that
    /// classic units do not have, [`BindingRule::Window`] if the texture reaches past the window from there.
    pub fn new(base: u32, texture: Texture, sampler: Sampler) -> Result<Self, BindingRule> {
        if !base.is_multiple_of(LINE_BYTES) || base >> TEXTURE_ADDRESS_BITS != 0 {
            return Err(BindingRule::Base);
        }
        if [sampler.address_u, sampler.address_v].iter().any(|mode| !AddressMode::CLASSIC.contains(mode)) {
            return Err(BindingRule::AddressMode);
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

    /// The binding's bits.
    #[must_use]
    pub fn record(&self) -> Record {
        let (texture, sampler) = (&self.texture, self.sampler);
        Record::default()
            .with(BASE, self.base)
            .with(WIDTH_LOG2, texture.width_log2())
            .with(HEIGHT_LOG2, texture.height_log2())
            .with(MAX_LOD, texture.max_lod())
            .with(FORMAT, texture.format().code().into())
            .with(BILINEAR, sampler.bilinear.into())
            .with(MIPMAPPED, sampler.mipmapped.into())
            .with(ADDRESS_U, sampler.address_u.code().into())
            .with(ADDRESS_V, sampler.address_v.code().into())
            .with(DROP_CACHE, self.drop_cache.into())
    }

    /// Reads a binding from its bits, for a unit that has every feature.
    ///
    /// # Errors
    /// Every rule that the bits break, by rising code.
    pub fn decode(record: Record) -> Result<Self, Vec<BindingRule>> {
        Self::decode_for(record, &Features::ALL)
    }

    /// Reads a binding from its bits, for a unit that has only `features`.
    ///
    /// # Errors
    /// Every rule that the bits break, by rising code; [`BindingRule::Window`] only by itself, since the other rules say
    /// whether there is a texture that could end anywhere.
    pub fn decode_for(record: Record, features: &Features) -> Result<Self, Vec<BindingRule>> {
        let (base, max_lod) = (record.get(BASE), record.get(MAX_LOD));
        let (width_log2, height_log2) = (record.get(WIDTH_LOG2), record.get(HEIGHT_LOG2));
        let format =
            Format::from_code(record.get(FORMAT) as u8).filter(|format| features.has_format(*format));
        let mode = |field| {
            AddressMode::from_code(record.get(field) as u8).filter(|mode| features.has_address_mode(*mode))
        };
        let (address_u, address_v) = (mode(ADDRESS_U), mode(ADDRESS_V));
        let (bilinear, mipmapped) = (record.is_set(BILINEAR), record.is_set(MIPMAPPED));
        let size_log2 = width_log2.max(height_log2);

        let rules = [
            (BindingRule::ReservedBits, record.has_reserved_bits()),
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
                Ok(binding.with_drop_cache(record.is_set(DROP_CACHE)))
            }
            _ => Err(broken),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_binding() -> impl Strategy<Value = Binding> {
        let texture = (prop::sample::select(&Format::CLASSIC[..]), 0..=11u32, 0..=11u32, 0..=11u32)
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
            prop_assert_eq!(Binding::decode(binding.record()), Ok(binding));
        }

        /// Whatever decodes was made of legal bits only, and encodes to the same bits.
        #[test]
        fn decoding_loses_no_bit(bits in any::<u128>(), mask in any::<u128>()) {
            for bits in [bits, bits & mask & 0x0f3f_0fff_7fff_fff0, bits & 0x433f_1bbb_7fff_fff0] {
                let record = Record::from_first_word(bits);
                if let Ok(binding) = Binding::decode(record) {
                    prop_assert_eq!(binding.record(), record);
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
        assert_eq!(binding.record(), Record::from_first_word(0x4610_394b_7fff_0010));
        assert_eq!((binding.base(), binding.drop_cache()), (0x7fff_0010, true));
        assert!(!binding.with_drop_cache(false).drop_cache());
    }

    #[test]
    fn each_rule_alone() {
        let good = hand_made().record().words()[0];
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
            assert_eq!(Binding::decode(Record::from_first_word(bits)), Err(expected), "bits {bits:#x}");
        }
    }

    #[test]
    fn what_is_not_built_is_refused() {
        let features = Features::new(&[Format::Rgba8], &[AddressMode::Wrap], false, false, 8);
        let got = Binding::decode_for(hand_made().record(), &features);
        let expected =
            [BindingRule::Format, BindingRule::Size, BindingRule::AddressMode, BindingRule::Feature];
        assert_eq!(got, Err(expected.to_vec()));
        let plain =
            Binding::new(16, Texture::new(Format::Rgba8, 8, 8, 8).unwrap(), Sampler::default()).unwrap();
        assert_eq!(Binding::decode_for(plain.record(), &features), Ok(plain));
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
        for format in Format::CLASSIC {
            for (width_log2, height_log2) in
                (0..12).flat_map(|width| (0..12).map(move |height| (width, height)))
            {
                let texture = Texture::new(format, width_log2, height_log2, 0).unwrap();
                let last = Binding::last_base(&texture);
                assert_eq!(u64::from(last) + u64::from(texture.bytes()), 1 << 31, "{texture:?}");
                let fits = Binding::new(last, texture, Sampler::default()).unwrap();
                let record = fits.record();
                let moved = |bytes: u32| Binding::decode(record.with(BASE, last + bytes));
                assert_eq!(Binding::decode(record), Ok(fits));
                assert_eq!(Binding::new(last + 16, texture, Sampler::default()), Err(BindingRule::Window));
                assert_eq!(moved(16), Err(vec![BindingRule::Window]), "{texture:?}");
                // Another rule comes first.
                assert_eq!(moved(17), Err(vec![BindingRule::Base]));
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
