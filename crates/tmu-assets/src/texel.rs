//! Texels that do not stand in blocks, as bytes.
//!
//! Contract: a channel of n bits is the nearest to what it was; a float is what it was over its largest value, rounded to the
//! nearest. Missing colours are 0, missing alpha is full. Indices are no texels here.

use crate::raster::scaled;
use half::f16;
use tmu_spec::Format;
use tmu_spec::format::{Channel, Packing, Texel};

/// The bytes of the longest texel.
pub(crate) const MAX_BYTES: usize = 16;

/// Alpha.
const ALPHA: usize = 3;

/// Bits of a channel in which all that a format stores is kept, depths of 24 bits and floats aside.
#[must_use]
pub fn raster_bits(format: Format) -> u32 {
    let is_narrow = match format.texel() {
        Texel::Color(packing) | Texel::Index(packing) => {
            packing.channels.iter().all(|channel| channel.bits <= 8)
        }
        Texel::Block(block) => block.channel_bits <= 8,
        Texel::Depth { .. } | Texel::DepthFloat | Texel::Floats { .. } => false,
    };
    if is_narrow { 8 } else { 16 }
}

/// Which of R, G, B, A a format stores.
#[must_use]
pub fn stored_channels(format: Format) -> [bool; 4] {
    let first = |count: u32| std::array::from_fn(|channel| channel < count as usize);
    match format.texel() {
        Texel::Color(packing) | Texel::Index(packing) => packing.channels.map(|channel| channel.bits > 0),
        Texel::Block(block) => first(block.channels),
        Texel::Depth { .. } | Texel::DepthFloat => first(1),
        Texel::Floats { channels, .. } => first(channels),
    }
}

/// A texel of channels of so many bits as it is stored; zeros behind it.
///
/// # Panics
/// If texels of the format stand in blocks.
pub(crate) fn encode(format: Format, texel: [u16; 4], bits: u32) -> [u8; MAX_BYTES] {
    let mut stored = [0; MAX_BYTES];
    let mut put =
        |number: usize, bytes: &[u8]| stored[number * bytes.len()..][..bytes.len()].copy_from_slice(bytes);
    let most = (1u32 << bits) - 1;
    match format.texel() {
        Texel::Color(packing) | Texel::Index(packing) => put(0, &packed(&packing, texel, bits).to_le_bytes()),
        Texel::Depth { bits: depth_bits, .. } => {
            put(0, &(scaled(texel[0].into(), bits, depth_bits) as u32).to_le_bytes());
        }
        Texel::DepthFloat => put(0, &(f32::from(texel[0]) / most as f32).to_le_bytes()),
        Texel::Floats { bits: float_bits, channels } => {
            for (number, &code) in texel[..channels as usize].iter().enumerate() {
                match float_bits {
                    16 => put(number, &f16::from_f64(f64::from(code) / f64::from(most)).to_le_bytes()),
                    _ => put(number, &(f32::from(code) / most as f32).to_le_bytes()),
                }
            }
        }
        Texel::Block(_) => unreachable!("texels of {format} stand in blocks"),
    }
    stored
}

fn packed(packing: &Packing, texel: [u16; 4], bits: u32) -> u64 {
    let channels = packing.channels.iter().zip(texel).filter(|(channel, _)| channel.bits > 0);
    let place = |(channel, code): (&Channel, u16)| scaled(code.into(), bits, channel.bits) << channel.lo;
    channels.map(place).fold(0, |color, part| color | part)
}

/// The channels of a stored texel, of [`raster_bits`] each. Floats are limited to 0 to 1; NaN is 0.
///
/// # Panics
/// If texels of the format stand in blocks, or there are fewer bytes than a texel has.
pub(crate) fn decode(format: Format, stored: &[u8]) -> [u16; 4] {
    let word = |number: usize, bytes: usize| {
        let bytes = &stored[number * bytes..][..bytes];
        bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
    };
    let wide = |float: f64| (float.clamp(0.0, 1.0) * 65535.0 + 0.5) as u16;
    match format.texel() {
        Texel::Color(packing) | Texel::Index(packing) => {
            unpacked(&packing, word(0, packing.bytes as usize), raster_bits(format))
        }
        Texel::Depth { bytes, bits } => {
            let depth = word(0, bytes as usize) & ((1 << bits) - 1);
            [scaled(depth, bits, 16) as u16, 0, 0, 0xffff]
        }
        Texel::DepthFloat => [wide(f32::from_bits(word(0, 4) as u32).into()), 0, 0, 0xffff],
        Texel::Floats { bits, channels } => std::array::from_fn(|number| match bits {
            _ if number >= channels as usize => missing(number, 16),
            16 => wide(f16::from_bits(word(number, 2) as u16).into()),
            _ => wide(f32::from_bits(word(number, 4) as u32).into()),
        }),
        Texel::Block(_) => unreachable!("texels of {format} stand in blocks"),
    }
}

fn unpacked(packing: &Packing, color: u64, wanted_bits: u32) -> [u16; 4] {
    std::array::from_fn(|number| match packing.channels[number] {
        Channel { bits: 0, .. } => missing(number, wanted_bits),
        Channel { lo, bits } => scaled(color >> lo & ((1 << bits) - 1), bits, wanted_bits) as u16,
    })
}

/// A channel that a format lacks.
fn missing(channel: usize, bits: u32) -> u16 {
    if channel == ALPHA { ((1u32 << bits) - 1) as u16 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texels_by_hand() {
        let table: [(Format, [u16; 4], u32, &[u8]); 14] = [
            (Format::Rgba8, [1, 2, 3, 4], 8, &[1, 2, 3, 4]),
            (Format::Rg8, [1, 2, 3, 4], 8, &[1, 2]),
            (Format::Rgb565, [255, 0, 8, 0], 8, &[1, 0xf8]),
            (Format::Rgba5551, [0, 255, 0, 255], 8, &[0xc1, 0x07]),
            (Format::Rgba4444, [255, 0, 17, 34], 8, &[0x12, 0xf0]),
            (Format::Rgb10a2, [255, 0, 0, 255], 8, &[0xff, 3, 0, 0xc0]),
            (Format::R16, [0x1234, 0, 0, 0], 16, &[0x34, 0x12]),
            (Format::R16, [0x12, 0, 0, 0], 8, &[0x12, 0x12]),
            (Format::D16, [0x1234, 0, 0, 0], 16, &[0x34, 0x12]),
            (Format::D24, [255, 0, 0, 0], 8, &[0xff, 0xff, 0xff, 0]),
            (Format::D32f, [255, 0, 0, 0], 8, &[0, 0, 0x80, 0x3f]),
            (Format::R16f, [255, 0, 0, 0], 8, &[0, 0x3c]),
            (Format::Rg16f, [0, 255, 0, 0], 8, &[0, 0, 0, 0x3c]),
            (Format::Rg32f, [0, 0xffff, 0, 0], 16, &[0, 0, 0, 0, 0, 0, 0x80, 0x3f]),
        ];
        for (format, texel, bits, expected) in table {
            let stored = encode(format, texel, bits);
            assert_eq!(&stored[..expected.len()], expected, "{format}");
            assert!(stored[expected.len()..].iter().all(|&byte| byte == 0), "{format}");
            assert_eq!(format.bytes_per_texel() as usize, expected.len(), "{format}");
        }
    }

    #[test]
    fn what_is_stored_comes_back() {
        for format in Format::ALL.into_iter().filter(|format| !format.is_block()) {
            let bits = raster_bits(format);
            let most = (1u32 << bits) - 1;
            for code in (0..=most).step_by(if bits == 8 { 1 } else { 37 }) {
                let texel = [code, most - code, code / 2, code].map(|code| code as u16);
                let stored = encode(format, texel, bits);
                let back = decode(format, &stored);
                // Once lost, nothing more is lost.
                assert_eq!(encode(format, back, bits), stored, "{format} {texel:?}");
                for (channel, is_stored) in stored_channels(format).into_iter().enumerate() {
                    let off = back[channel].abs_diff(texel[channel]);
                    assert!(
                        !is_stored
                            || matches!(
                                format,
                                Format::Rgb10a2 | Format::Rgb565 | Format::Rgba5551 | Format::Rgba4444
                            )
                            || off <= 16,
                        "{format} {texel:?} {back:?}"
                    );
                    assert!(is_stored || back[channel] == missing(channel, bits), "{format}");
                }
            }
        }
        assert_eq!(decode(Format::R32f, &f32::NAN.to_le_bytes()), [0, 0, 0, 0xffff]);
        assert_eq!(decode(Format::R32f, &7.5f32.to_le_bytes()), [0xffff, 0, 0, 0xffff]);
        assert_eq!(decode(Format::R32f, &(-1.0f32).to_le_bytes()), [0, 0, 0, 0xffff]);
    }
}
