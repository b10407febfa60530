//! What the loader engine and all that agrees with it share: which rules a job keeps, and how light is coded again.
//!
//! A job makes a texture of pictures in memory: their texels as tiles, and the smaller levels behind them. It is the contract of the
//! engine, of its golden model and of the packer's filter `exact`; each has its own arithmetic.
//!
//! # A smaller level
//!
//! Each level is made from the stored texels of the one above it, channel by channel, as they are coded. Of an axis of s texels, of
//! which the smaller level has n = max(1, ⌊s / 2⌋), texel i is made from
//!
//! | s | texels | weights of 256 |
//! | --- | --- | --- |
//! | 1, and the layers of an array or a cube | i | 256 |
//! | even | 2i, 2i + 1 | 128, 128 |
//! | odd | 2i, 2i + 1, 2i + 2 | a, 256 − a − c, c |
//!
//! with `a = ((n − i)·R + 2048) >> 12`, `c = ((i + 1)·R + 2048) >> 12` and `R = ⌊2^20 / s⌋`: what each texel is covered of by the
//! larger one, in 256 parts. A channel becomes `(Σ wx·wy·wz·v + 2^23) >> 24`. Of even sides that is `⌊(Σ v + n / 2) / n⌋` with n the
//! number of texels. Vulkan's blit takes two texels on an odd axis; here every texel counts, and nothing moves.
//!
//! Colours of an sRGB texture are averaged as light: [`srgb_to_linear`] first, and then the code whose light is the nearest, the larger
//! one of two, by [`srgb_thresholds`]. Alpha is never coded so. Depths and floats have one level.

pub mod job_port;

use crate::Format;
use crate::format::Texel;
use crate::general::tables::srgb_to_linear;

/// Why a job is refused, with the code that `STATUS` shows. Where several rules are broken the first one counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, thiserror::Error)]
#[repr(u8)]
pub enum Refusal {
    /// A side that no texture has.
    #[error("WIDTH, HEIGHT and DEPTH are 1 to 4096, and a 2d_array has at most 2048 layers")]
    Size = 1,
    /// A kind that is not built, or sides that it does not have.
    #[error("KIND is 2d, 3d, cube or 2d_array; DEPTH is 1 for 2d and 6 for cube, whose faces are square")]
    Kind = 2,
    /// A format that the engine does not load.
    #[error("FORMAT is a code of a format without colour table and blocks")]
    Format = 3,
    /// No levels, or more than down to one texel.
    #[error("LEVELS is 1 to as many as there are down to one texel")]
    Levels = 4,
    /// Levels of what has no mean.
    #[error("LEVELS is 1 for depths and floats")]
    LevelsOfFormat = 5,
    /// A format whose colours are never sRGB-coded.
    #[error("SRGB is for rgba8 and rgb8")]
    Srgb = 6,
    /// An address or a distance that is not a whole line.
    #[error("PICTURE, PITCH, SLICE_PITCH and TEXTURE are multiples of 16")]
    Alignment = 7,
    /// Rows that overlap.
    #[error("PITCH is at least the bytes of a row")]
    Pitch = 8,
}

impl Refusal {
    /// All of them, by rising code.
    pub const ALL: [Refusal; 8] = [
        Refusal::Size,
        Refusal::Kind,
        Refusal::Format,
        Refusal::Levels,
        Refusal::LevelsOfFormat,
        Refusal::Srgb,
        Refusal::Alignment,
        Refusal::Pitch,
    ];

    /// What `STATUS` shows.
    #[must_use]
    pub const fn code(self) -> u8 {
        self as u8
    }
}

/// Whether the engine loads texels of a format.
#[must_use]
pub const fn loads(format: Format) -> bool {
    !matches!(format.texel(), Texel::Index(_) | Texel::Block(_))
}

/// Whether it makes smaller levels of them.
#[must_use]
pub const fn has_means(format: Format) -> bool {
    matches!(format.texel(), Texel::Color(_))
}

/// The least light, of 65535, that each sRGB code stands for: that of code c lies halfway from c - 1 to c, rounded up.
#[must_use]
pub fn srgb_thresholds() -> &'static [u16; 256] {
    static TABLE: std::sync::LazyLock<[u16; 256]> = std::sync::LazyLock::new(|| {
        std::array::from_fn(|code| match code as u8 {
            0 => 0,
            code => (srgb_to_linear(code - 1) + srgb_to_linear(code)).div_ceil(2) as u16,
        })
    });
    &TABLE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_of_both_sorts() {
        let count = |of: fn(Format) -> bool| Format::ALL.iter().filter(|format| of(**format)).count();
        assert_eq!((count(loads), count(has_means)), (20, 11));
        assert!(Format::ALL.iter().all(|format| loads(*format) || !has_means(*format)));
    }

    /// Each code's own light lies in its range, and ranges are in order.
    #[test]
    fn light_goes_back_to_its_code() {
        let table = srgb_thresholds();
        for code in 0..=255u8 {
            let light = srgb_to_linear(code) as u16;
            assert!(table[usize::from(code)] <= light, "{code}");
            assert!(table.get(usize::from(code) + 1).is_none_or(|next| light < *next), "{code}");
        }
        assert_eq!((table[0], table[1], table[2]), (0, 10, 30));
    }
}
