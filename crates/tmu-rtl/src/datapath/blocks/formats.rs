//! The compressed formats, and which of them are built.

use tmu_hdl::prelude::*;

/// A compressed format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockFormat {
    /// Colours, or three of them and transparent black.
    Bc1,
    /// Colours, and four bits of alpha.
    Bc2,
    /// Colours, and alpha as values.
    Bc3,
    /// Values.
    Bc4,
    /// Values of two channels.
    Bc5,
    /// Colours.
    Etc2Rgb8,
    /// Colours, or transparent black.
    Etc2Rgb8A1,
    /// Colours, and alpha of modified values.
    Etc2Rgba8,
    /// Modified values of 11 bits.
    EacR11,
    /// Modified values of 11 bits, of two channels.
    EacRg11,
    /// Colours with and without alpha, in eight modes.
    Bc7,
}

use BlockFormat::{Bc1, Bc2, Bc3, Bc4, Bc5, Bc7, EacR11, EacRg11, Etc2Rgb8, Etc2Rgb8A1, Etc2Rgba8};

/// Bits of a code.
pub const CODE_BITS: usize = 5;
/// The code of the first format; the others follow.
const FIRST_CODE: u8 = 13;

impl BlockFormat {
    /// All of them, by code.
    pub const ALL: [BlockFormat; 11] =
        [Bc1, Bc2, Bc3, Bc4, Bc5, Etc2Rgb8, Etc2Rgb8A1, Etc2Rgba8, EacR11, EacRg11, Bc7];

    /// The code of bindings.
    pub const fn code(self) -> u8 {
        FIRST_CODE + self as u8
    }

    /// Bits of a block.
    pub const fn block_bits(self) -> usize {
        if matches!(self, Bc1 | Bc4 | Etc2Rgb8 | Etc2Rgb8A1 | EacR11) { 64 } else { 128 }
    }

    /// Two end points and what lies between them are the colours.
    pub(super) const fn has_palette(self) -> bool {
        matches!(self, Bc1 | Bc2 | Bc3)
    }

    /// Colours are those of ETC2.
    pub(super) const fn is_etc2(self) -> bool {
        matches!(self, Etc2Rgb8 | Etc2Rgb8A1 | Etc2Rgba8)
    }

    pub(super) const fn is_bc7(self) -> bool {
        matches!(self, Bc7)
    }

    /// The low half of a block has values between two end points.
    pub(super) const fn has_between(self) -> bool {
        matches!(self, Bc3 | Bc4 | Bc5)
    }

    /// The low half of a block has a base and modifiers.
    pub(super) const fn has_modifiers(self) -> bool {
        matches!(self, Etc2Rgba8 | EacR11 | EacRg11)
    }

    /// The low half of a block has values as they are.
    pub(super) const fn is_raw(self) -> bool {
        matches!(self, Bc2)
    }

    /// The low half of a block has values.
    pub(super) const fn has_values(self) -> bool {
        self.has_between() || self.has_modifiers() || self.is_raw()
    }

    /// So has the high half.
    pub(super) const fn is_pair(self) -> bool {
        matches!(self, Bc5 | EacRg11)
    }

    /// The values are channels from R on; otherwise they are alpha.
    pub(super) const fn is_value(self) -> bool {
        matches!(self, Bc4 | Bc5 | EacR11 | EacRg11)
    }

    /// Values have 11 bits.
    pub(super) const fn is_eleven(self) -> bool {
        matches!(self, EacR11 | EacRg11)
    }

    /// Blocks may have three colours, and transparent black.
    pub(super) const fn may_have_three(self) -> bool {
        matches!(self, Bc1)
    }

    /// Blocks may have transparent black in place of a colour.
    pub(super) const fn may_be_punched(self) -> bool {
        matches!(self, Etc2Rgb8A1)
    }

    /// Texels may be transparent black. Those of BC7 are in its reserved mode.
    pub(super) const fn may_have_holes(self) -> bool {
        self.may_have_three() || self.may_be_punched() || self.is_bc7()
    }
}

/// Formats that are built, at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockFormats(Vec<BlockFormat>);

impl BlockFormats {
    /// These formats.
    ///
    /// # Panics
    /// Without any.
    pub fn new(formats: &[BlockFormat]) -> BlockFormats {
        assert!(!formats.is_empty(), "decoders of no format");
        BlockFormats(BlockFormat::ALL.into_iter().filter(|format| formats.contains(format)).collect())
    }

    /// Those that are built, by code.
    pub fn iter(&self) -> impl Iterator<Item = BlockFormat> + '_ {
        self.0.iter().copied()
    }

    /// Any of them is so.
    pub fn any(&self, is_so: impl Fn(BlockFormat) -> bool) -> bool {
        self.iter().any(is_so)
    }

    /// All of them are so.
    pub fn all(&self, is_so: impl Fn(BlockFormat) -> bool) -> bool {
        self.iter().all(is_so)
    }

    /// Bits of the largest block.
    pub fn block_bits(&self) -> usize {
        self.iter().map(BlockFormat::block_bits).max().unwrap_or_default()
    }

    /// Several are built, so that a code has to tell which one it is.
    pub fn has_code(&self) -> bool {
        self.0.len() > 1
    }

    /// Bits of a texel's index of a colour, or of the second channel's value; none if there is no such index.
    pub(super) fn index_bits(&self) -> usize {
        let bits = |format: BlockFormat| match format {
            Bc7 => 4,
            _ if format.is_pair() => 3,
            _ if format.has_palette() || format.is_etc2() => 2,
            _ => 0,
        };
        self.iter().map(bits).max().unwrap_or_default()
    }

    /// Bits of a texel's other index: of the first channel's value, of alpha, or the number of its end points.
    pub(super) fn second_bits(&self) -> usize {
        let bits = |format: BlockFormat| match format {
            Bc2 => 4,
            _ if format.has_values() || format.is_bc7() => 3,
            _ => 0,
        };
        self.iter().map(bits).max().unwrap_or_default()
    }

    /// A bit that tells whether a format is so; none where all are alike.
    pub(super) fn told(&self, is_so: impl Fn(BlockFormat) -> bool) -> Width {
        if self.all(&is_so) { Width::constant(1, 1) } else { Width::bits(1).when(self.any(is_so)) }
    }

    /// One bit: the format of this code, if it is built, is so.
    #[kernel]
    pub(super) fn flag(&self, code: Bits, is_so: impl Fn(BlockFormat) -> bool) -> Bits {
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
        let codes: Vec<u8> = BlockFormat::ALL.into_iter().map(BlockFormat::code).collect();
        assert_eq!(codes, (13..=23).collect::<Vec<u8>>());
        assert!(codes.iter().all(|code| u32::from(*code) >> CODE_BITS == 0));
    }
}
