//! Features: which formats, filters, modes and sizes a unit was built with.

use crate::format::Format;
use crate::general::{self, General};
use crate::level_offset::MAX_SIZE_LOG2;
use crate::texture::AddressMode;

/// What a unit was built to do. A binding that asks for more is an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Features {
    /// A bit for each code.
    formats: u64,
    address_modes: u8,
    bilinear: bool,
    mipmaps: bool,
    max_size_log2: u32,
    /// None in a unit of the classic numerics.
    general: Option<General>,
}

impl Features {
    /// Everything that a unit of the classic numerics may have.
    pub const ALL: Features = Features {
        formats: {
            let (mut mask, mut number) = (0, 0);
            while number < Format::CLASSIC.len() {
                mask |= 1 << Format::CLASSIC[number].code();
                number += 1;
            }
            mask
        },
        address_modes: (1 << AddressMode::CLASSIC.len()) - 1,
        bilinear: true,
        mipmaps: true,
        max_size_log2: MAX_SIZE_LOG2,
        general: None,
    };

    /// Everything that there is, in a unit of the general numerics.
    pub const GENERAL: Features = Features {
        formats: {
            let (mut mask, mut number) = (0, 0);
            while number < Format::ALL.len() {
                mask |= 1 << Format::ALL[number].code();
                number += 1;
            }
            mask
        },
        address_modes: (1 << AddressMode::ALL.len()) - 1,
        bilinear: true,
        mipmaps: true,
        max_size_log2: general::texture::MAX_SIZE.ilog2(),
        general: Some(General::ALL),
    };

    /// Only what is listed; sides of at most `2^max_size_log2` texels, which is capped at 2048.
    #[must_use]
    pub fn new(
        formats: &[Format],
        address_modes: &[AddressMode],
        bilinear: bool,
        mipmaps: bool,
        max_size_log2: u32,
    ) -> Self {
        Self {
            formats: formats.iter().fold(0, |mask, format| mask | 1 << format.code()),
            address_modes: address_modes.iter().fold(0, |mask, mode| mask | 1 << mode.code()),
            bilinear,
            mipmaps,
            max_size_log2: max_size_log2.min(MAX_SIZE_LOG2),
            general: None,
        }
    }

    /// The same in a unit of the general numerics; sides of at most `2^max_size_log2` texels, which is capped at 4096.
    #[must_use]
    pub fn with_general(self, general: General, max_size_log2: u32) -> Self {
        let max_size_log2 = max_size_log2.min(general::texture::MAX_SIZE.ilog2());
        Self { max_size_log2, general: Some(general), ..self }
    }

    /// What a unit of the general numerics was built to do beside; none in one of the classic numerics.
    #[must_use]
    pub const fn general(&self) -> Option<&General> {
        self.general.as_ref()
    }

    /// Whether textures of this format can be sampled.
    #[must_use]
    pub const fn has_format(&self, format: Format) -> bool {
        self.formats >> format.code() & 1 != 0
    }

    /// Whether texels of one texture are the places of those in another.
    #[must_use]
    pub fn has_indirect(&self) -> bool {
        self.general().is_some_and(|general| general.indirect)
    }

    /// A bit for each format that can be sampled, by its code.
    #[must_use]
    pub const fn format_mask(&self) -> u64 {
        self.formats
    }

    /// The formats that can be sampled, in the order of [`Format::ALL`].
    pub fn formats(&self) -> impl Iterator<Item = Format> {
        Format::ALL.into_iter().filter(|format| self.has_format(*format))
    }

    /// Whether any format with a colour table can be sampled.
    #[must_use]
    pub fn has_color_table(&self) -> bool {
        self.formats().any(Format::has_color_table)
    }

    /// Whether this address mode is built.
    #[must_use]
    pub const fn has_address_mode(&self, mode: AddressMode) -> bool {
        self.address_modes >> mode.code() & 1 != 0
    }

    /// The address modes that are built, in the order of [`AddressMode::ALL`].
    pub fn address_modes(&self) -> impl Iterator<Item = AddressMode> {
        AddressMode::ALL.into_iter().filter(|mode| self.has_address_mode(*mode))
    }

    /// Whether bilinear filtering is built.
    #[must_use]
    pub const fn bilinear(&self) -> bool {
        self.bilinear
    }

    /// Whether levels beyond 0 can be chosen.
    #[must_use]
    pub const fn mipmaps(&self) -> bool {
        self.mipmaps
    }

    /// Log2 of the longest side of a texture in texels.
    #[must_use]
    pub const fn max_size_log2(&self) -> u32 {
        self.max_size_log2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_what_was_listed() {
        let formats = [Format::Rgb8, Format::I8Rgb8];
        let features = Features::new(&formats, &[AddressMode::Mirror], true, false, 12);
        assert_eq!(features.formats().collect::<Vec<_>>(), formats);
        assert_eq!(features.format_mask(), 0b1010);
        assert_eq!(AddressMode::CLASSIC.map(|mode| features.has_address_mode(mode)), [false, false, true]);
        assert_eq!(features.formats().collect::<Vec<_>>(), formats);
        assert_eq!(features.address_modes().collect::<Vec<_>>(), [AddressMode::Mirror]);
        assert!(features.bilinear() && !features.mipmaps() && features.has_color_table());
        assert_eq!(features.max_size_log2(), 11);
        assert!(!Features::new(&[Format::Rgba8], &[], false, false, 4).has_color_table());
        assert_eq!(Features::new(&Format::CLASSIC, &AddressMode::CLASSIC, true, true, 11), Features::ALL);
    }
}
