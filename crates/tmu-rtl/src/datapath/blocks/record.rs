//! What passes from `block_header` to `block_texel`, and what leaves.

use super::{BlockFormats, Compressed, TEXELS};
use tmu_hdl::prelude::*;
use tmu_spec::Format;

/// Bits of a colour without alpha.
pub(super) const RGB_BITS: usize = 24;
/// Bits of a channel of the third pair of end points.
pub(super) const THIRD_CHANNEL_BITS: usize = 5;
/// Bits of the alpha of the second pair of end points.
pub(super) const SECOND_ALPHA_BITS: usize = 6;

/// A decoded header: what the texels of a tile have in common.
#[derive(Clone, Debug, Record)]
pub struct Header<T = Bits> {
    /// Which formats it is of.
    pub class: Class<T>,
    /// Colours of 8 bits a channel, R lowest: the four of a palette, the first two pairs of end points of BC7, the two base
    /// colours of ETC2, or those of a plane at the origin and to the right and, last, from the origin to what is below.
    pub ends: [[T; 2]; 2],
    /// The third pair of end points, 5 bits a channel.
    pub third: [T; 2],
    /// Alpha of the first pair of end points.
    pub alphas: [T; 2],
    /// Alpha of the second pair, 6 bits.
    pub second_alphas: [T; 2],
    /// For each texel its index among colours, or of the second channel's value, the highest bit of each on top.
    pub indices: T,
    /// For each texel another index, in the same way: of the first channel's value, or BC7's second one or number of end points.
    pub seconds: T,
    /// How colours lie between end points.
    pub blend: Blend<T>,
    /// How base colours become others.
    pub paint: Paint<T>,
    /// Texels may be transparent black.
    pub has_holes: T,
    /// The values of the first and the second channel.
    pub values: [Values<T>; 2],
}

/// Which formats a tile is of. Colours of none of them are a palette.
#[derive(Clone, Debug, Record)]
pub struct Class<T = Bits> {
    /// Of BC7.
    pub is_bc7: T,
    /// Of ETC2.
    pub is_etc2: T,
    /// Of BC4, BC5 or EAC: there are values in place of colours.
    pub is_value: T,
    /// They have two channels.
    pub is_pair: T,
    /// They have 11 bits.
    pub is_eleven: T,
}

/// How a BC7 colour lies between end points.
#[derive(Clone, Debug, Record)]
pub struct Blend<T = Bits> {
    /// Bits of a colour's index less one.
    pub index_bits: T,
    /// Alpha has indices of its own; otherwise the second indices are numbers of end points.
    pub is_dual: T,
    /// Alpha's indices have three bits rather than two.
    pub has_long_alpha: T,
    /// The channel that is exchanged with alpha, R from 1; 0: none.
    pub rotation: T,
}

/// How ETC2 makes colours of two.
#[derive(Clone, Debug, Record)]
pub struct Paint<T = Bits> {
    /// Its mode: each half of the texels has a colour, T, H, plane.
    pub mode: T,
    /// Halves lie above each other.
    pub is_flipped: T,
    /// The signs of a plane's differences downwards, of R lowest.
    pub down_signs: T,
    /// Steps of brightness of the halves; of T and H the distance, twice.
    pub steps: [T; 2],
}

/// A channel of values: those on a line from a base, or modified ones.
#[derive(Clone, Debug, Record)]
pub struct Values<T = Bits> {
    /// The lower end point, or the base.
    pub base: T,
    /// From there to the other end point, or the multiplier.
    pub step: T,
    /// Six values lie between rather than four, the first end point is the upper one.
    pub is_falling: T,
    /// Modified values.
    pub is_modified: T,
    /// Values are indices of four bits.
    pub is_raw: T,
    /// Which modifiers.
    pub modifiers: T,
    /// The multiplier is an eighth.
    pub is_fine: T,
}

impl Header<Width> {
    /// The shape for formats that are built.
    pub fn of(formats: &BlockFormats) -> Header<Width> {
        let any = |is_so: fn(Format) -> bool| formats.any(is_so);
        let (has_bc7, has_etc2) = (any(Format::is_bc7), any(Format::is_etc2));
        let has_palette = any(Format::has_palette);
        let bits = |width: usize, present: bool| Width::bits(width).when(present);
        let word = |width: usize| bits(TEXELS * width.max(1), width > 0);
        let first = bits(RGB_BITS, has_palette || has_etc2 || has_bc7);
        Header {
            class: Class {
                is_bc7: formats.told(Format::is_bc7),
                is_etc2: formats.told(Format::is_etc2),
                is_value: formats.told(Format::is_value),
                is_pair: formats.told(Format::is_pair),
                is_eleven: formats.told(Format::is_eleven),
            },
            ends: [[first; 2], [bits(RGB_BITS, has_palette || has_bc7), first]],
            third: [bits(3 * THIRD_CHANNEL_BITS, has_bc7); 2],
            alphas: [bits(8, has_bc7); 2],
            second_alphas: [bits(SECOND_ALPHA_BITS, has_bc7); 2],
            indices: word(formats.index_bits()),
            seconds: word(formats.second_bits()),
            blend: Blend {
                index_bits: bits(2, has_bc7),
                is_dual: bits(1, has_bc7),
                has_long_alpha: bits(1, has_bc7),
                rotation: bits(2, has_bc7),
            },
            paint: Paint {
                mode: bits(2, has_etc2),
                is_flipped: bits(1, has_etc2),
                down_signs: bits(3, has_etc2),
                steps: [bits(3, has_etc2); 2],
            },
            has_holes: bits(1, any(Format::may_have_holes)),
            values: [Values::of(formats, Format::has_values), Values::of(formats, Format::is_pair)],
        }
    }
}

impl Values<Width> {
    /// The shape of the channel that some formats have.
    pub(super) fn of(formats: &BlockFormats, has: fn(Format) -> bool) -> Values<Width> {
        let any = |is_so: fn(Format) -> bool| formats.any(|format| has(format) && is_so(format));
        let bits = |width: usize, is_so: fn(Format) -> bool| Width::bits(width).when(any(is_so));
        // Without others there is nothing to tell; alpha that is not there has a multiplier of none.
        let has_others = formats.any(|format| has(format) && !format.has_modifiers());
        let is_modified = if has_others {
            bits(1, Format::has_modifiers)
        } else {
            Width::constant(1, u64::from(any(Format::has_modifiers)))
        };
        let is_raw = formats.told(|format| has(format) && format.is_raw());
        let has_steps = any(|format| !format.is_raw());
        Values {
            base: bits(8, |_| true),
            step: Width::bits(8).when(has_steps),
            is_falling: bits(1, Format::has_between),
            is_modified,
            is_raw,
            modifiers: bits(4, Format::has_modifiers),
            is_fine: bits(1, Format::is_eleven),
        }
    }
}

/// The channels of a texel.
#[derive(Clone, Debug, Record)]
pub struct BlockColor<T = Bits> {
    /// R, G, B and A, each in the low bits. Colours that a format has not are 0, alpha that it has not is 255.
    pub channels: [T; 4],
    /// R and G have 11 bits rather than 8.
    pub is_eleven: T,
}

impl BlockColor<Width> {
    /// The shape for formats that are built.
    pub fn of(formats: &BlockFormats) -> BlockColor<Width> {
        let has = |is_so: fn(Format) -> bool| formats.any(is_so);
        let has_pairs = formats.any(|format| format.is_pair() && format.is_eleven());
        let bits = |is_eleven: bool| if is_eleven { 11 } else { 8 };
        let has_colors = !formats.all(Format::is_value);
        let alpha = if has_colors { Width::bits(8) } else { Width::constant(8, 255) };
        BlockColor {
            channels: [
                Width::bits(bits(has(Format::is_eleven))),
                Width::bits(bits(has_pairs)).when(has_colors || has(Format::is_pair)),
                Width::bits(8).when(has_colors),
                alpha,
            ],
            is_eleven: formats.told(Format::is_eleven),
        }
    }

    /// The shape where colours that are not compressed come the same way: all channels may be there.
    pub(super) fn with_plain(formats: &BlockFormats) -> BlockColor<Width> {
        let [red, green, ..] =
            BlockColor::of(formats).channels.map(|channel| Width::bits(channel.value_bits()));
        let any_eleven = formats.any(Format::is_eleven);
        BlockColor {
            channels: [red, green, Width::bits(8), Width::bits(8)],
            is_eleven: if any_eleven { Width::bits(1) } else { Width::constant(1, 0) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Format::{Bc1, Bc2, Bc3, Bc4, Bc7};

    /// What the documentation of the stages says.
    #[test]
    fn headers_have_so_many_bits() {
        let cases: [(&[Format], usize); 5] =
            [(&[Bc1], 129), (&[Bc1, Bc2, Bc3], 211), (&[Bc4], 65), (&[Bc7], 273), (&Format::BLOCKS, 353)];
        for (formats, bits) in cases {
            assert_eq!(Header::of(&BlockFormats::new(formats)).width(), bits, "{formats:?}");
        }
    }
}
