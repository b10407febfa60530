//! What the settings build: the features of a configuration, and which numerics it follows.

use super::settings::Settings;
use crate::general::General;
use crate::level_offset::MAX_SIZE_LOG2;
use crate::{AddressMode, Features, Format};

/// The features of settings that break no rule.
pub(super) fn of(settings: &Settings) -> Features {
    let texture = &settings.texture;
    let max_size_log2 = texture.max_size_log2.value as u32;
    let classic = Features::new(
        &texture.formats.value,
        &texture.address_modes.value,
        texture.bilinear.value,
        texture.mipmaps.value,
        max_size_log2,
    );
    let general = general(settings);
    let is_classic = general == General::LEAST
        && max_size_log2 <= MAX_SIZE_LOG2
        && texture.formats.value.iter().all(|format| Format::CLASSIC.contains(format))
        && texture.address_modes.value.iter().all(|mode| AddressMode::CLASSIC.contains(mode));
    if is_classic { classic } else { classic.with_general(general, max_size_log2) }
}

/// What the classic numerics do not have.
fn general(settings: &Settings) -> General {
    let Settings { texture, request, result, filter, .. } = settings;
    let mut general =
        General::LEAST.with_kinds(&texture.kinds.value).with_operations(&request.operations.value);
    general.sizes = texture.sizes.value;
    general.trilinear = texture.trilinear.value;
    general.ripmaps = texture.ripmaps.value;
    general.max_anisotropy = texture.max_anisotropy.value as u32;
    general.compare = texture.compare.value;
    general.srgb = texture.srgb.value;
    general.swizzle = texture.swizzle.value;
    general.indirect = texture.indirect.value;
    general.store_entries = texture.store_entries.value as u32;
    general.numbers = request.numbers.value;
    general.projective = request.projective.value;
    general.channel_bits = filter.channel_bits.value as u32;
    general.result = result.numbers.value;
    general
}
