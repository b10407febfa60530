//! A binding of the general numerics: a texture at a base and how it is read, as five words of a packet.

use super::features::General;
use super::field::{self, WORDS};
use super::rule::is_ripmap;
use super::sampler::{Filter, MipFilter, Sampler};
use super::texture::{Component, Kind, Shape, Swizzle, Texture};
use crate::binding::BindingRule;
use crate::binding::field::{BASE, DROP_CACHE, FORMAT, Field};
use crate::choice::Choice;
use crate::features::Features;
use crate::format::Format;
use crate::texture::AddressMode;
use crate::{LINE_BYTES, TEXTURE_ADDRESS_BITS};

/// The words of a binding, a beat each.
pub type Words = [u128; WORDS];

/// Texture and sampler state for the quads behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Binding {
    /// Byte address of the texture in the texture window.
    pub base: u32,
    /// The texture.
    pub texture: Texture,
    /// How it is read.
    pub sampler: Sampler,
    /// The cache drops what it holds first.
    pub drop_cache: bool,
}

/// The same words with another value of a field.
#[must_use]
pub const fn with(mut words: Words, field: Field, value: u32) -> Words {
    let word = &mut words[field.word];
    *word = *word & !field.mask() | (value as u128) << field.shift & field.mask();
    words
}

/// A field's value.
#[must_use]
pub const fn get(words: &Words, field: Field) -> u32 {
    ((words[field.word] & field.mask()) >> field.shift) as u32
}

/// Whether words bind the secondary texture of indirect look-ups, in a unit that has these.
#[must_use]
pub const fn is_secondary(words: &Words, general: &General) -> bool {
    general.indirect && get(words, field::SECONDARY) == 1
}

fn signed(words: &Words, field: Field) -> i32 {
    i32::from(get(words, field) as u16 as i16)
}

fn choice<T: Choice + Copy>(code: u32) -> Option<T> {
    T::CHOICES.get(code as usize).copied()
}

impl Binding {
    /// Its words.
    #[must_use]
    pub fn words(&self) -> Words {
        let (shape, sampler) = (self.texture.shape(), &self.sampler);
        let mut fields = vec![
            (BASE, self.base),
            (FORMAT, shape.format.code().into()),
            (DROP_CACHE, self.drop_cache.into()),
            (field::WIDTH, shape.width - 1),
            (field::HEIGHT, shape.height - 1),
            (field::LEVELS, shape.levels - 1),
            (field::KIND, shape.kind.code().into()),
            (field::DEPTH, shape.depth - 1),
            (field::SRGB, self.texture.is_srgb().into()),
            (field::SEAMLESS, sampler.cube_seamless.into()),
            (field::COMPARES, sampler.compare.is_some().into()),
            (field::COMPARE, sampler.compare.map_or(0, |op| op as u32)),
            (field::MIN, sampler.min as u32),
            (field::MAG, sampler.mag as u32),
            (field::MIP, sampler.mip as u32),
            (field::ANISOTROPY, sampler.max_anisotropy.ilog2()),
            (field::LOD_BIAS, sampler.lod_bias as u32),
            (field::MIN_LOD, sampler.min_lod as u32),
            (field::MAX_LOD, sampler.max_lod as u32),
            (field::BORDER, u32::from_le_bytes(sampler.border)),
        ];
        fields.extend(field::SWIZZLE.into_iter().zip(self.texture.swizzle().0.map(|shown| shown as u32)));
        fields.extend(field::ADDRESS.into_iter().zip(sampler.address.map(|mode| mode.code().into())));
        fields.extend(field::LEVEL_OFFSETS.into_iter().zip(self.texture.level_offsets().iter().copied()));
        fields.into_iter().fold([0; WORDS], |words, (field, value)| with(words, field, value))
    }

    /// Its words as those of the secondary texture of indirect look-ups.
    #[must_use]
    pub fn secondary_words(&self) -> Words {
        with(self.words(), field::SECONDARY, 1)
    }

    /// Reads a binding from its words, for a unit that has only `features`: [`is_secondary`] says for which texture.
    ///
    /// # Errors
    /// Every rule that the words break, by rising code; [`BindingRule::Window`] only by itself, since the other rules say whether
    /// there is a texture that could end anywhere.
    pub fn decode_for(words: &Words, features: &Features) -> Result<Self, Vec<BindingRule>> {
        let general = features.general().copied().unwrap_or(General::LEAST);
        let of = |field| get(words, field);
        let format = Format::from_code(of(FORMAT) as u8).filter(|format| features.has_format(*format));
        let kind = choice::<Kind>(of(field::KIND)).filter(|kind| general.has_kind(*kind));
        let swizzle = field::SWIZZLE.map(|shown| choice::<Component>(of(shown)));
        let modes = field::ADDRESS.map(|mode| AddressMode::from_code(of(mode) as u8));
        let shape = Shape {
            kind: kind.unwrap_or_default(),
            width: of(field::WIDTH) + 1,
            height: of(field::HEIGHT) + 1,
            depth: of(field::DEPTH) + 1,
            levels: of(field::LEVELS) + 1,
            format: format.unwrap_or(Format::Rgba8),
        };
        let sampler = Sampler {
            min: if of(field::MIN) == 1 { Filter::Linear } else { Filter::Nearest },
            mag: if of(field::MAG) == 1 { Filter::Linear } else { Filter::Nearest },
            mip: choice(of(field::MIP)).unwrap_or(MipFilter::None),
            lod_bias: signed(words, field::LOD_BIAS),
            min_lod: signed(words, field::MIN_LOD),
            max_lod: signed(words, field::MAX_LOD),
            max_anisotropy: 1 << of(field::ANISOTROPY),
            cube_seamless: of(field::SEAMLESS) == 1,
            address: modes.map(|mode| mode.unwrap_or_default()),
            border: of(field::BORDER).to_le_bytes(),
            compare: (of(field::COMPARES) == 1).then(|| choice(of(field::COMPARE))).flatten(),
        };
        let offsets = field::LEVEL_OFFSETS.map(of);
        let offsets = &offsets[..shape.levels.min(offsets.len() as u32) as usize];
        let base = of(BASE);
        let axes = if shape.kind == Kind::Cube { 0 } else { shape.kind.axes() };
        let is_mode = |mode: &Option<AddressMode>| mode.is_some_and(|mode| features.has_address_mode(mode));
        let misfits = kind.is_none()
            || choice::<MipFilter>(of(field::MIP)).is_none()
            || of(field::ANISOTROPY) > 4
            || swizzle.contains(&None)
            || has_misfit(&shape, &sampler, swizzle, of(field::SRGB) == 1, features, &general);
        let unaligned = offsets.iter().chain([&base]).any(|byte| !byte.is_multiple_of(LINE_BYTES));
        let in_table = offsets.iter().any(|offset| *offset < shape.format.color_table_bytes());
        let rules = [
            (
                BindingRule::ReservedBits,
                words.iter().zip(field::reserved(&general)).any(|(word, reserved)| word & reserved != 0),
            ),
            (BindingRule::Format, format.is_none()),
            (BindingRule::Size, has_wrong_size(&shape, features, &general)),
            (BindingRule::MaxLod, shape.levels > shape.most_levels()),
            (BindingRule::Base, unaligned || in_table),
            (BindingRule::AddressMode, !modes[..axes].iter().all(is_mode)),
            (BindingRule::Feature, misfits),
        ];
        let broken: Vec<_> = rules.iter().filter(|(_, broken)| *broken).map(|(rule, _)| *rule).collect();
        if !broken.is_empty() {
            return Err(broken);
        }
        let end =
            |level: u32| u64::from(base) + u64::from(offsets[level as usize]) + shape.level_bytes(level);
        if (0..shape.levels).any(|level| end(level) > 1 << TEXTURE_ADDRESS_BITS) {
            return Err(vec![BindingRule::Window]);
        }
        let swizzle = Swizzle(swizzle.map(|shown| shown.unwrap_or(Component::Zero)));
        let texture = Texture::new(shape, offsets, swizzle, of(field::SRGB) == 1)
            .map_err(|_| vec![BindingRule::Feature])?;
        Ok(Self { base, texture, sampler, drop_cache: of(DROP_CACHE) == 1 })
    }
}

/// Sides that there are not, or that the unit was not built for.
fn has_wrong_size(shape: &Shape, features: &Features, general: &General) -> bool {
    use super::features::Sizes;
    let most = 1 << features.max_size_log2();
    let sides = [shape.width, shape.height, shape.depth];
    let filtered = &sides[..shape.kind.axes()];
    let is_fitting = |side: &u32| *side <= most && (general.sizes == Sizes::Any || side.is_power_of_two());
    let has_slices = matches!(shape.kind, Kind::D3 | Kind::D2Array);
    !filtered.iter().all(is_fitting)
        || (shape.kind == Kind::Cube && shape.width != shape.height)
        || (shape.kind == Kind::D1 && shape.height != 1)
        || (!has_slices && shape.depth != 1)
        || (shape.kind == Kind::D2Array && shape.depth > super::texture::MAX_LAYERS)
}

/// What does not go together, or is not built: all of [`super::Rule`] that is no size, format or address mode.
fn has_misfit(
    shape: &Shape,
    sampler: &Sampler,
    swizzle: [Option<Component>; 4],
    is_srgb: bool,
    features: &Features,
    general: &General,
) -> bool {
    let is_linear = sampler.min == Filter::Linear || sampler.mag == Filter::Linear;
    let is_float = shape.format.is_float() && sampler.compare.is_none();
    let not_built = (is_linear && !features.bilinear())
        || (sampler.mip != MipFilter::None && !features.mipmaps())
        || (sampler.mip == MipFilter::Linear && !general.trilinear)
        || (sampler.mip == MipFilter::Ripmap && !(general.ripmaps && is_ripmap(shape, sampler)))
        || sampler.max_anisotropy > general.max_anisotropy
        || (sampler.compare.is_some() && !general.compare)
        || (is_srgb && !(general.srgb && general.channel_bits == 16 && shape.format.can_be_srgb()))
        || (!general.swizzle && swizzle != Swizzle::NONE.0.map(Some));
    not_built
        || (is_float && sampler.is_weighted())
        || (sampler.compare.is_some() && !shape.format.is_depth())
        || sampler.min_lod > sampler.max_lod
        || (shape.format.is_block() && matches!(shape.kind, Kind::D1 | Kind::D3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube() -> Binding {
        let shape =
            Shape { kind: Kind::Cube, width: 100, height: 100, depth: 1, levels: 3, format: Format::Bc1 };
        let sampler = Sampler {
            min: Filter::Linear,
            mip: MipFilter::Linear,
            lod_bias: -300,
            min_lod: -8192,
            max_lod: 8192,
            address: [AddressMode::Mirror, AddressMode::Clamp, AddressMode::Wrap],
            ..Sampler::default()
        };
        let texture = Texture::packed(shape, Swizzle::NONE, false).unwrap();
        Binding { base: 0x1230, texture, sampler, drop_cache: true }
    }

    fn features() -> Features {
        *crate::Preset::find("multi-lite").unwrap().config().unwrap().features()
    }

    #[test]
    fn words_round_trip() {
        let binding = cube();
        assert_eq!(Binding::decode_for(&binding.words(), &features()), Ok(binding));
    }

    #[test]
    fn each_rule_alone() {
        let good = cube().words();
        let with = |field, value| with(good, field, value);
        let mut reserved = good;
        reserved[0] |= 1 << 127;
        let table = [
            (reserved, BindingRule::ReservedBits),
            (with(FORMAT, 23), BindingRule::Format),
            (with(field::WIDTH, 98), BindingRule::Size),
            (with(field::DEPTH, 1), BindingRule::Size),
            (with(field::LEVELS, 7), BindingRule::MaxLod),
            (with(BASE, 8), BindingRule::Base),
            (with(field::LEVEL_OFFSETS[2], 8), BindingRule::Base),
            (with(field::KIND, 2), BindingRule::Feature),
            (with(field::KIND, 7), BindingRule::Feature),
            (with(field::MIP, 3), BindingRule::Feature),
            (with(field::ANISOTROPY, 1), BindingRule::Feature),
            (with(field::SRGB, 1), BindingRule::Feature),
            (with(field::COMPARES, 1), BindingRule::Feature),
            (with(field::SWIZZLE[0], 1), BindingRule::Feature),
            (with(field::MIN_LOD, 8193), BindingRule::Feature),
            (with(BASE, 0x7fff_f000), BindingRule::Window),
            (with(field::LEVEL_OFFSETS[1], 0x7fff_fff0), BindingRule::Window),
        ];
        for (number, (words, rule)) in table.into_iter().enumerate() {
            assert_eq!(Binding::decode_for(&words, &features()), Err(vec![rule]), "case {number}");
        }
        // A cube has no address mode, offsets beyond its levels mean nothing.
        assert!(Binding::decode_for(&with(field::ADDRESS[0], 7), &features()).is_ok());
        assert!(Binding::decode_for(&with(field::LEVEL_OFFSETS[5], 8), &features()).is_ok());
        let flat = super::with(with(field::KIND, 1), field::ADDRESS[0], 3);
        assert_eq!(Binding::decode_for(&flat, &features()), Err(vec![BindingRule::AddressMode]));
    }
}
