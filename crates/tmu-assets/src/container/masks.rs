//! Formats by masks: which bits of a texel are which channel.
//!
//! One rule for all of them. Where a format of ours has channels in just these bits, a swizzle says which of them is which. Where none
//! has, the channels go into the smallest format that loses nothing: one with as many bits for each or a multiple of them, which
//! stands for the same number, or with 16.

use super::formats::{Change, Stored};
use tmu_spec::Format;
use tmu_spec::choice::Choice;
use tmu_spec::format::{Channel, Packing, Texel};
use tmu_spec::general::Swizzle;
use tmu_spec::general::texture::Component;

/// What the bits of a texel are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bits {
    Rgb,
    Luminance,
    Alpha,
}

/// The most bits of a channel.
const MOST_BITS: u32 = 16;

/// The format of texels of so many bits with masks of R, G, B and A, of which those that it does not have are 0; luminance is in R.
/// None if masks overlap, are torn, lie outside of the texel, or have more bits than a channel of ours.
pub(super) fn of_masks(bits: Bits, count: u32, masks: [u32; 4]) -> Option<Stored> {
    if !matches!(count, 8 | 16 | 24 | 32) {
        return None;
    }
    let all = u32::MAX >> (32 - count);
    let [r, g, b, a] = masks;
    // Programs leave the mask of what is there alone out, or write it into those of G and B, too.
    let masks = match bits {
        Bits::Rgb => [r, g, b, a],
        Bits::Luminance => [if r == 0 { all & !a } else { r }, 0, 0, a],
        Bits::Alpha => [0, 0, 0, if a == 0 { all } else { a }],
    };
    let used = masks.iter().fold(0, |used, mask| used | mask);
    let bits_of_all: u32 = masks.iter().map(|mask| mask.count_ones()).sum();
    let is_empty = used == 0 || (bits == Bits::Luminance && masks[0] == 0);
    if is_empty || used & !all != 0 || used.count_ones() != bits_of_all {
        return None;
    }
    let mut places = [NOTHING; 4];
    for (place, mask) in places.iter_mut().zip(masks) {
        *place = place_of(mask)?;
    }
    let is_grey = bits == Bits::Luminance;
    in_place(count, places, is_grey).or_else(|| moved(count, places, is_grey))
}

/// A channel that is not there.
const NOTHING: Channel = Channel { lo: 0, bits: 0 };

/// The bits of a mask, which lie side by side.
fn place_of(mask: u32) -> Option<Channel> {
    if mask == 0 {
        return Some(NOTHING);
    }
    let (lo, bits) = (mask.trailing_zeros(), mask.count_ones());
    let is_whole = mask >> lo == u32::MAX >> (32 - bits);
    (is_whole && bits <= MOST_BITS).then_some(Channel { lo, bits })
}

/// Formats of packed colours, the smallest first.
fn colors() -> Vec<(Format, Packing)> {
    let packing = |format: Format| match format.texel() {
        Texel::Color(packing) => Some((format, packing)),
        _ => None,
    };
    let mut colors: Vec<_> = Format::ALL.into_iter().filter_map(packing).collect();
    colors.sort_by_key(|(_, packing)| packing.bytes);
    colors
}

/// The format that has the channels in just these bits.
fn in_place(count: u32, places: [Channel; 4], is_grey: bool) -> Option<Stored> {
    let sized = colors().into_iter().filter(|(_, packing)| 8 * packing.bytes == count);
    sized.into_iter().find_map(|(format, packing)| {
        let mut holders = [None; 4];
        for (holder, place) in holders.iter_mut().zip(places).filter(|(_, place)| place.bits > 0) {
            *holder = Some(packing.channels.iter().position(|channel| *channel == place)?);
        }
        let swizzle = swizzle_of(&packing, holders, is_grey, false);
        Some(Stored::of(format).shown(swizzle.0))
    })
}

/// The smallest format that loses nothing of the channels, each in its own place if that is free.
fn moved(count: u32, places: [Channel; 4], is_grey: bool) -> Option<Stored> {
    let keeps = |place: Channel, channel: Channel| {
        channel.bits == MOST_BITS || (channel.bits > 0 && channel.bits.is_multiple_of(place.bits))
    };
    colors().into_iter().find_map(|(format, packing)| {
        let mut holders = [None; 4];
        let mut sources = [NOTHING; 4];
        for (number, place) in places.into_iter().enumerate().filter(|(_, place)| place.bits > 0) {
            let is_free =
                |&channel: &usize| sources[channel].bits == 0 && keeps(place, packing.channels[channel]);
            let channel = std::iter::once(number).chain(0..4).find(is_free)?;
            sources[channel] = place;
            holders[number] = Some(channel);
        }
        let swizzle = swizzle_of(&packing, holders, is_grey, true);
        let change = Change::Moved(Packing { bytes: count / 8, channels: sources });
        Some(Stored::of(format).shown(swizzle.0).changed(change))
    })
}

/// What shows the channels by those that hold them. One that has none is 0, alpha 1; `is_filled` if that is stored where there is
/// room for it.
fn swizzle_of(packing: &Packing, mut holders: [Option<usize>; 4], is_grey: bool, is_filled: bool) -> Swizzle {
    if is_grey {
        holders = [holders[0], holders[0], holders[0], holders[3]];
    }
    let component = |number: usize| Component::CHOICES[number];
    let shown = |number: usize, is_own: bool| match holders[number] {
        Some(holder) => component(holder),
        None if is_own => component(number),
        None if number == 3 => Component::One,
        None => Component::Zero,
    };
    // Channels that show themselves stay if that makes an order of the four, as in bgra for a format without alpha.
    let is_own = |number: usize| {
        let is_empty = packing.channels[number].bits == 0;
        is_empty || (is_filled && !holders.contains(&Some(number)))
    };
    let order: [Component; 4] = std::array::from_fn(|number| shown(number, is_own(number)));
    if (0..4).all(|number| order.contains(&component(number))) {
        return Swizzle(order);
    }
    Swizzle(std::array::from_fn(|number| shown(number, false)))
}

#[cfg(test)]
mod tests {
    use super::Bits::{Alpha, Luminance, Rgb};
    use super::*;

    /// What the texels are, their bits, the masks, the format, the swizzle, and whether texels are changed.
    type Case = (Bits, u32, [u32; 4], &'static str, &'static str, bool);

    const CASES: [Case; 43] = [
        (Rgb, 32, [0xff, 0xff00, 0xff_0000, 0xff00_0000], "rgba8", "rgba", false),
        (Rgb, 32, [0xff, 0xff00, 0xff_0000, 0], "rgba8", "rgb1", false),
        (Rgb, 32, [0xff_0000, 0xff00, 0xff, 0xff00_0000], "rgba8", "bgra", false),
        (Rgb, 32, [0xff_0000, 0xff00, 0xff, 0], "rgba8", "bgr1", false),
        (Rgb, 32, [0xff00_0000, 0xff_0000, 0xff00, 0xff], "rgba8", "abgr", false),
        (Rgb, 32, [0xff00, 0xff_0000, 0xff00_0000, 0xff], "rgba8", "gbar", false),
        (Rgb, 32, [0xff00_0000, 0xff_0000, 0xff00, 0], "rgba8", "abg1", false),
        (Rgb, 32, [0xff00, 0, 0, 0], "rgba8", "g001", false),
        (Rgb, 24, [0xff, 0xff00, 0xff_0000, 0], "rgb8", "rgba", false),
        (Rgb, 24, [0xff_0000, 0xff00, 0xff, 0], "rgb8", "bgra", false),
        (Rgb, 24, [0xff00, 0xff, 0xff_0000, 0], "rgb8", "grba", false),
        (Rgb, 32, [0x3ff, 0xf_fc00, 0x3ff0_0000, 0xc000_0000], "rgb10a2", "rgba", false),
        (Rgb, 32, [0x3ff0_0000, 0xf_fc00, 0x3ff, 0xc000_0000], "rgb10a2", "bgra", false),
        (Rgb, 32, [0x3ff, 0xf_fc00, 0x3ff0_0000, 0], "rgb10a2", "rgb1", false),
        (Rgb, 32, [0xffc0_0000, 0x3f_f000, 0xffc, 3], "rgb10a2", "rgba", true),
        (Rgb, 32, [0xffff, 0xffff_0000, 0, 0], "rg16", "rgba", false),
        (Rgb, 32, [0xffff_0000, 0xffff, 0, 0], "rg16", "grba", false),
        (Rgb, 32, [0xffff, 0, 0, 0xffff_0000], "rg16", "r00g", false),
        (Rgb, 16, [0xf800, 0x7e0, 0x1f, 0], "rgb565", "rgba", false),
        (Rgb, 16, [0x1f, 0x7e0, 0xf800, 0], "rgb565", "bgra", false),
        (Rgb, 16, [0xf800, 0x7c0, 0x3e, 1], "rgba5551", "rgba", false),
        (Rgb, 16, [0x3e, 0x7c0, 0xf800, 1], "rgba5551", "bgra", false),
        (Rgb, 16, [0xf800, 0x7c0, 0x3e, 0], "rgba5551", "rgb1", false),
        (Rgb, 16, [0x7c00, 0x3e0, 0x1f, 0x8000], "rgba5551", "rgba", true),
        (Rgb, 16, [0x1f, 0x3e0, 0x7c00, 0x8000], "rgba5551", "rgba", true),
        (Rgb, 16, [0x7c00, 0x3e0, 0x1f, 0], "rgba5551", "rgba", true),
        (Rgb, 16, [0xf000, 0xf00, 0xf0, 0xf], "rgba4444", "rgba", false),
        (Rgb, 16, [0xf00, 0xf0, 0xf, 0xf000], "rgba4444", "gbar", false),
        (Rgb, 16, [0xf, 0xf0, 0xf00, 0xf000], "rgba4444", "abgr", false),
        (Rgb, 16, [0xf00, 0xf0, 0xf, 0], "rgba4444", "gba1", false),
        (Rgb, 16, [0xff, 0xff00, 0, 0], "rg8", "rgba", false),
        (Rgb, 16, [0xff00, 0xff, 0, 0], "rg8", "grba", false),
        (Rgb, 16, [0xffff, 0, 0, 0], "r16", "rgba", false),
        (Rgb, 8, [0xff, 0, 0, 0], "r8", "rgba", false),
        (Rgb, 8, [0xe0, 0x1c, 3, 0], "rgba16", "rgba", true),
        (Luminance, 8, [0xff, 0xff, 0xff, 0], "r8", "rrr1", false),
        (Luminance, 8, [0, 0, 0, 0], "r8", "rrr1", false),
        (Luminance, 16, [0xffff, 0, 0, 0], "r16", "rrr1", false),
        (Luminance, 16, [0xff, 0, 0, 0xff00], "rg8", "rrrg", false),
        (Luminance, 16, [0xff00, 0, 0, 0xff], "rg8", "gggr", false),
        (Luminance, 8, [0xf, 0, 0, 0xf0], "rg8", "rrrg", true),
        (Alpha, 8, [0, 0, 0, 0xff], "r8", "000r", false),
        (Alpha, 16, [0, 0, 0, 0xffff], "r16", "000r", false),
    ];

    #[test]
    fn masks_lead_to_a_format_and_a_swizzle() {
        for (bits, count, masks, format, swizzle, is_changed) in CASES {
            let stored = of_masks(bits, count, masks).unwrap_or_else(|| panic!("{bits:?} {masks:x?}"));
            let found = (stored.format.name(), stored.swizzle.to_string(), stored.bytes);
            assert_eq!(found, (format, swizzle.to_owned(), count / 8), "{bits:?} {masks:x?}");
            assert_eq!(stored.notes().last().is_some_and(|note| note.contains("converted")), is_changed);
        }
    }

    #[test]
    fn masks_that_cannot_be_are_refused() {
        for (bits, count, masks) in [
            (Rgb, 16, [0, 0, 0, 0]),
            (Rgb, 16, [0xff, 0xff, 0, 0]),
            (Rgb, 16, [0xff, 0xff_0000, 0, 0]),
            (Rgb, 16, [0xf0f, 0, 0, 0]),
            (Rgb, 32, [u32::MAX, 0, 0, 0]),
            (Rgb, 12, [0xf, 0xf0, 0xf00, 0]),
            (Rgb, 0, [0xff, 0, 0, 0]),
            (Luminance, 16, [0xff, 0, 0, 0xff]),
            (Luminance, 16, [0, 0, 0, 0xf0]),
            (Luminance, 8, [0, 0, 0, 0xff]),
            (Alpha, 32, [0, 0, 0, 0]),
        ] {
            assert_eq!(of_masks(bits, count, masks), None, "{bits:?} {count} {masks:x?}");
        }
    }

    /// All numbers that channels of up to six bits can be, moved: just those of the file, by the rule of formats.
    #[test]
    fn moved_channels_lose_nothing() {
        let table = [
            (Rgb, 16, [0x1f, 0x3e0, 0x7c00, 0x8000]),
            (Rgb, 16, [0x7c00, 0x3e0, 0x1f, 0]),
            (Rgb, 8, [0xe0, 0x1c, 3, 0]),
            (Rgb, 16, [0xe0, 0x1c, 3, 0xff00]),
            (Rgb, 24, [0x3f, 0xfc0, 0x3_f000, 0xfc_0000]),
            (Luminance, 8, [0xf, 0, 0, 0xf0]),
        ];
        for (bits, count, masks) in table {
            let stored = of_masks(bits, count, masks).unwrap();
            for word in (0..1u32 << count.min(16)).map(|word| word.wrapping_mul(0x0101_0101)) {
                let bytes = &word.to_le_bytes()[..count as usize / 8];
                let packing = *stored.format.packing().unwrap();
                let texel = stored.texel(bytes, 0);
                let codes =
                    crate::texel::codes(&packing, crate::texel::word(&texel[..packing.bytes as usize]));
                let wide = |mask: u32, missing: u64| match place_of(mask).unwrap() {
                    NOTHING => missing,
                    Channel { lo, bits } => crate::raster::scaled(u64::from(word & mask) >> lo, bits, 16),
                };
                let [r, g, b] = [0, 1, 2].map(|number| wide(masks[number], 0));
                let expected = match bits {
                    Luminance => [r, r, r, wide(masks[3], 0xffff)],
                    _ => [r, g, b, wide(masks[3], 0xffff)],
                };
                let shown = stored.swizzle.0.map(|component| match component {
                    Component::Zero => 0,
                    Component::One => 0xffff,
                    held => codes[held as usize].scaled(16),
                });
                assert_eq!(shown, expected, "{masks:x?} {word:x}");
            }
        }
    }
}
