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

/// A channel as it is stored: a value of so many bits, 1 to 16.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Code {
    pub(crate) value: u16,
    pub(crate) bits: u32,
}

impl Code {
    /// Nothing.
    pub(crate) const ZERO: Code = Code { value: 0, bits: 1 };
    /// All.
    pub(crate) const ONE: Code = Code { value: 1, bits: 1 };

    /// What a format stands for that lacks the channel.
    pub(crate) fn missing(channel: usize) -> Code {
        if channel == ALPHA { Code::ONE } else { Code::ZERO }
    }

    /// The nearest of another number of bits.
    pub(crate) fn scaled(self, bits: u32) -> u64 {
        scaled(self.value.into(), self.bits, bits)
    }

    fn most(self) -> u16 {
        ((1u32 << self.bits) - 1) as u16
    }
}

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
    encode_codes(format, texel.map(|value| Code { value, bits }))
}

/// The same of channels of any numbers of bits, each rounded once.
///
/// # Panics
/// If texels of the format stand in blocks.
pub(crate) fn encode_codes(format: Format, texel: [Code; 4]) -> [u8; MAX_BYTES] {
    let mut stored = [0; MAX_BYTES];
    let mut put =
        |number: usize, bytes: &[u8]| stored[number * bytes.len()..][..bytes.len()].copy_from_slice(bytes);
    let single = |code: Code| (f32::from(code.value) / f32::from(code.most())).to_le_bytes();
    let half = |code: Code| f16::from_f64(f64::from(code.value) / f64::from(code.most())).to_le_bytes();
    match format.texel() {
        Texel::Color(packing) | Texel::Index(packing) => put(0, &packed(&packing, texel).to_le_bytes()),
        Texel::Depth { bits, .. } => put(0, &(texel[0].scaled(bits) as u32).to_le_bytes()),
        Texel::DepthFloat => put(0, &single(texel[0])),
        Texel::Floats { bits, channels } => {
            for (number, &code) in texel[..channels as usize].iter().enumerate() {
                if bits == 16 { put(number, &half(code)) } else { put(number, &single(code)) }
            }
        }
        Texel::Block(_) => unreachable!("texels of {format} stand in blocks"),
    }
    stored
}

fn packed(packing: &Packing, texel: [Code; 4]) -> u64 {
    let channels = packing.channels.iter().zip(texel).filter(|(channel, _)| channel.bits > 0);
    channels
        .map(|(channel, code)| code.scaled(channel.bits) << channel.lo)
        .fold(0, |color, part| color | part)
}

/// The channels of a packed colour as they are stored.
pub(crate) fn codes(packing: &Packing, color: u64) -> [Code; 4] {
    std::array::from_fn(|number| match packing.channels[number] {
        Channel { bits: 0, .. } => Code::missing(number),
        Channel { lo, bits } => Code { value: (color >> lo & ((1 << bits) - 1)) as u16, bits },
    })
}

/// The bytes of a packed colour as one number.
pub(crate) fn word(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

/// The channels of a stored texel, of [`raster_bits`] each. Floats are limited to 0 to 1; NaN is 0.
///
/// # Panics
/// If texels of the format stand in blocks, or there are fewer bytes than a texel has.
pub(crate) fn decode(format: Format, stored: &[u8]) -> [u16; 4] {
    let word = |number: usize, bytes: usize| word(&stored[number * bytes..][..bytes]);
    let wide = |float: f64| (float.clamp(0.0, 1.0) * 65535.0 + 0.5) as u16;
    match format.texel() {
        Texel::Color(packing) | Texel::Index(packing) => {
            let bits = raster_bits(format);
            codes(&packing, word(0, packing.bytes as usize)).map(|code| code.scaled(bits) as u16)
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

/// A channel that a format lacks.
fn missing(channel: usize, bits: u32) -> u16 {
    Code::missing(channel).scaled(bits) as u16
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
