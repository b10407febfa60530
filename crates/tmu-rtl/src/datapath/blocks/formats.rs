//! The compressed formats, and which of them are built.

use tmu_hdl::prelude::*;
use tmu_spec::Format;
use tmu_spec::Format::{Bc1, Bc2, Bc3, Bc4, Bc5, Bc7, EacR11, EacRg11, Etc2Rgb8, Etc2Rgb8a1, Etc2Rgba8};

/// Bits of a code that tell these formats apart.
pub const CODE_BITS: usize = 5;

/// What a compressed format has that others have not.
pub trait Compressed: Copy {
    /// Bits of a block.
    fn block_bits(self) -> usize;

    /// Two end points and what lies between them are the colours.
    fn has_palette(self) -> bool;

    /// Colours are those of ETC2.
    fn is_etc2(self) -> bool;

    /// Colours are those of BC7.
    fn is_bc7(self) -> bool;

    /// The low half of a block has values between two end points.
    fn has_between(self) -> bool;

    /// The low half of a block has a base and modifiers.
    fn has_modifiers(self) -> bool;

    /// The low half of a block has values as they are.
    fn is_raw(self) -> bool;

    /// The low half of a block has values.
    fn has_values(self) -> bool;

    /// So has the high half.
    fn is_pair(self) -> bool;

    /// The values are channels from R on; otherwise they are alpha.
    fn is_value(self) -> bool;

    /// Values have 11 bits.
    fn is_eleven(self) -> bool;

    /// Blocks may have three colours, and transparent black.
    fn may_have_three(self) -> bool;

    /// Blocks may have transparent black in place of a colour.
    fn may_be_punched(self) -> bool;

    /// Texels may be transparent black. Those of BC7 are in its reserved mode.
    fn may_have_holes(self) -> bool;
}

impl Compressed for Format {
    fn block_bits(self) -> usize {
        self.tile_bytes() as usize * 8
    }

    fn has_palette(self) -> bool {
        matches!(self, Bc1 | Bc2 | Bc3)
    }

    fn is_etc2(self) -> bool {
        matches!(self, Etc2Rgb8 | Etc2Rgb8a1 | Etc2Rgba8)
    }

    fn is_bc7(self) -> bool {
        matches!(self, Bc7)
    }

    fn has_between(self) -> bool {
        matches!(self, Bc3 | Bc4 | Bc5)
    }

    fn has_modifiers(self) -> bool {
        matches!(self, Etc2Rgba8 | EacR11 | EacRg11)
    }

    fn is_raw(self) -> bool {
        matches!(self, Bc2)
    }

    fn has_values(self) -> bool {
        self.has_between() || self.has_modifiers() || self.is_raw()
    }

    fn is_pair(self) -> bool {
        matches!(self, Bc5 | EacRg11)
    }

    fn is_value(self) -> bool {
        matches!(self, Bc4 | Bc5 | EacR11 | EacRg11)
    }

    fn is_eleven(self) -> bool {
        matches!(self, EacR11 | EacRg11)
    }

    fn may_have_three(self) -> bool {
        matches!(self, Bc1)
    }

    fn may_be_punched(self) -> bool {
        matches!(self, Etc2Rgb8a1)
    }

    fn may_have_holes(self) -> bool {
        self.may_have_three() || self.may_be_punched() || self.is_bc7()
    }
}

/// Formats that are built, at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockFormats(Vec<Format>);

impl BlockFormats {
    /// These formats.
    ///
    /// # Panics
    /// Without any.
    pub fn new(formats: &[Format]) -> BlockFormats {
        assert!(!formats.is_empty(), "decoders of no format");
        BlockFormats(Format::BLOCKS.into_iter().filter(|format| formats.contains(format)).collect())
    }

    /// Those that are built, by code.
    pub fn iter(&self) -> impl Iterator<Item = Format> + '_ {
        self.0.iter().copied()
    }

    /// Any of them is so.
    pub fn any(&self, is_so: impl Fn(Format) -> bool) -> bool {
        self.iter().any(is_so)
    }

    /// All of them are so.
    pub fn all(&self, is_so: impl Fn(Format) -> bool) -> bool {
        self.iter().all(is_so)
    }

    /// Bits of the largest block.
    pub fn block_bits(&self) -> usize {
        self.iter().map(Format::block_bits).max().unwrap_or_default()
    }

    /// Several are built, so that a code has to tell which one it is.
    pub fn has_code(&self) -> bool {
        self.0.len() > 1
    }

    /// Bits of a texel's index of a colour, or of the second channel's value; none if there is no such index.
    pub(super) fn index_bits(&self) -> usize {
        let bits = |format: Format| match format {
            Bc7 => 4,
            _ if format.is_pair() => 3,
            _ if format.has_palette() || format.is_etc2() => 2,
            _ => 0,
        };
        self.iter().map(bits).max().unwrap_or_default()
    }

    /// Bits of a texel's other index: of the first channel's value, of alpha, or the number of its end points.
    pub(super) fn second_bits(&self) -> usize {
        let bits = |format: Format| match format {
            Bc2 => 4,
            _ if format.has_values() || format.is_bc7() => 3,
            _ => 0,
        };
        self.iter().map(bits).max().unwrap_or_default()
    }

    /// A bit that tells whether a format is so; none where all are alike.
    pub(super) fn told(&self, is_so: impl Fn(Format) -> bool) -> Width {
        if self.all(&is_so) { Width::constant(1, 1) } else { Width::bits(1).when(self.any(is_so)) }
    }

    /// One bit: the format of this code, if it is built, is so.
    #[kernel]
    pub(super) fn flag(&self, code: Bits, is_so: impl Fn(Format) -> bool) -> Bits {
        if self.all(&is_so) {
            return lit(1, 1u32);
        }
        let tells = |bit: &usize| self.all(|format| (format.code() >> bit & 1 == 1) == is_so(format));
        match (0..CODE_BITS).find(tells) {
            Some(bit) => code.bit(bit),
            None => self
                .iter()
                .filter(|format| is_so(*format))
                .fold(lit(1, 0u32), |any, format| any || code == u64::from(format.code())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_bindings() {
        let codes: Vec<u8> = Format::BLOCKS.into_iter().map(Format::code).collect();
        assert_eq!(codes, (13..=23).collect::<Vec<u8>>());
        assert!(codes.iter().all(|code| u32::from(*code) >> CODE_BITS == 0));
    }
}
