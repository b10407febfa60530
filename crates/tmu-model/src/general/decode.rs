//! `decode`: from the bytes of a tile to the channels of a texel, by way of the colour table or of a block's decoder.

use super::channels::Channels;
use super::compare;
use crate::datapath::address::{line_of, texture_address};
use crate::datapath::blocks::{bc, bc7, eac, etc2};
use crate::datapath::fetch::TexelSource;
use crate::memory::{LineError, Memory};
use tmu_spec::format::{Channel, Packing, Texel};
use tmu_spec::general::tables::srgb_to_linear;
use tmu_spec::general::{CompareOp, Texture};
use tmu_spec::{Format, LINE_BYTES};

/// Alpha.
const ALPHA: usize = 3;

/// An unsigned number of `bits` bits as one of `wanted` bits: rounded to the nearest.
#[inline]
#[must_use]
pub const fn widened(value: u32, bits: u32, wanted: u32) -> u32 {
    let (most, wanted_most) = ((1u64 << bits) - 1, (1u64 << wanted) - 1);
    match (bits, wanted) {
        (8, 16) => value * 257,
        _ if bits == wanted => value,
        _ => ((2 * value as u64 * wanted_most + most) / (2 * most)) as u32,
    }
}

/// An IEEE half as a single, exactly.
#[must_use]
pub const fn single_of_half(half: u32) -> u32 {
    let (sign, exponent, fraction) = (half >> 15 & 1, half >> 10 & 0x1f, half & 0x3ff);
    let magnitude = match exponent {
        0x1f => 0xff << 23 | fraction << 13,
        0 if fraction == 0 => 0,
        // Denormal: the highest bit set becomes the hidden one.
        0 => {
            let shift = fraction.leading_zeros() - 21;
            (127 - 14 - shift) << 23 | (fraction << shift & 0x3ff) << 13
        }
        _ => (exponent + 127 - 15) << 23 | fraction << 13,
    };
    sign << 31 | magnitude
}

/// A depth as it is stored.
pub type Depth = u32;

/// How the texels of a texture become channels.
#[derive(Debug, Clone)]
pub struct Decoder {
    format: Format,
    texels: Texels,
    channel_bits: u32,
    is_srgb: bool,
}

#[derive(Debug, Clone)]
enum Texels {
    /// `rgba8` and nothing to be done.
    Bytes,
    Packed(Packing),
    Indexed(Box<ColorTable>),
    Block,
    Other,
}

/// The colour table of a texture: entries that could not be read are none.
#[derive(Debug, Clone)]
struct ColorTable([Option<Channels>; Format::COLOR_TABLE_ENTRIES as usize]);

/// The blocks that were decoded last: texels of a footprint share them.
#[derive(Debug, Default)]
pub struct BlockMemo([Option<(u32, [Channels; 16])>; 4]);

impl Decoder {
    /// That of a texture at a base; reads the colour table.
    #[must_use]
    pub fn new<M: Memory>(texture: &Texture, base: u32, channel_bits: u32, memory: &M) -> Self {
        let (format, is_srgb) = (texture.format(), texture.is_srgb());
        let mut decoder = Self { format, texels: Texels::Other, channel_bits, is_srgb };
        decoder.texels = match format.texel() {
            Texel::Color(_) if format == Format::Rgba8 && !is_srgb => Texels::Bytes,
            Texel::Color(packing) => Texels::Packed(packing),
            Texel::Index(packing) => Texels::Indexed(Box::new(decoder.color_table(&packing, base, memory))),
            Texel::Block(_) => Texels::Block,
            Texel::Depth { .. } | Texel::DepthFloat | Texel::Floats { .. } => Texels::Other,
        };
        decoder
    }

    /// Bits of a channel where texels are four bytes, and each byte is widened and nothing else; none otherwise.
    #[inline]
    #[must_use]
    pub const fn bytes_bits(&self) -> Option<u32> {
        match self.texels {
            Texels::Bytes => Some(self.channel_bits),
            _ => None,
        }
    }

    /// All ones, or 1.0 of floats.
    const fn one(&self, is_float: bool) -> u32 {
        if is_float { 1.0f32.to_bits() } else { (1 << self.channel_bits) - 1 }
    }

    /// Reads the colour table. A line that cannot be read spoils the entries in it.
    fn color_table<M: Memory>(&self, packing: &Packing, base: u32, memory: &M) -> ColorTable {
        let mut bytes = Vec::new();
        for offset in (0..self.format.color_table_bytes()).step_by(LINE_BYTES as usize) {
            match memory.read_line(line_of(texture_address(base, offset))) {
                Ok(line) => bytes.extend(line.map(Some)),
                Err(LineError) => bytes.extend([None; LINE_BYTES as usize]),
            }
        }
        let entry_bytes = packing.bytes as usize;
        ColorTable(std::array::from_fn(|entry| {
            let stored = bytes[entry * entry_bytes..][..entry_bytes].iter().rev();
            let color = stored.copied().try_fold(0, |bits, byte| Some(bits << 8 | u64::from(byte?)));
            Some(self.packed(packing, color?))
        }))
    }

    /// A channel of a colour of 8 bits, which may be sRGB-coded.
    #[inline]
    fn of_byte(&self, byte: u32, channel: usize) -> u32 {
        if self.is_srgb && channel != ALPHA {
            srgb_to_linear(byte as u8)
        } else {
            widened(byte, 8, self.channel_bits)
        }
    }

    fn packed(&self, packing: &Packing, color: u64) -> Channels {
        std::array::from_fn(|channel| match packing.channels[channel] {
            Channel { bits: 0, .. } if channel == ALPHA => self.one(false),
            Channel { bits: 0, .. } => 0,
            Channel { lo, bits } => {
                let value = (color >> lo & ((1 << bits) - 1)) as u32;
                if bits == 8 { self.of_byte(value, channel) } else { widened(value, bits, self.channel_bits) }
            }
        })
    }

    /// The stored bits of a texel of up to 8 bytes.
    #[inline]
    fn stored<S: TexelSource>(&self, source: &mut S, tile: u32, texel: u32) -> Result<u64, LineError> {
        let bytes = self.format.bytes_per_texel();
        let offset = tile + texel * bytes;
        Ok(match bytes {
            1 => u64::from(source.bytes::<1>(offset)?[0]),
            2 => u64::from(u16::from_le_bytes(source.bytes(offset)?)),
            3 => {
                let [r, g, b] = source.bytes(offset)?;
                u64::from(u32::from_le_bytes([r, g, b, 0]))
            }
            4 => u64::from(u32::from_le_bytes(source.bytes(offset)?)),
            _ => u64::from_le_bytes(source.bytes(offset)?),
        })
    }

    /// The components of a texel of whole numbers as they are stored, by the offset of its tile and its number in it; 0 where the
    /// format lacks one.
    ///
    /// # Errors
    /// [`LineError`] if it cannot be read.
    pub fn integers<S: TexelSource>(
        &self,
        source: &mut S,
        tile: u32,
        texel: u32,
    ) -> Result<[u32; 4], LineError> {
        let Texel::Color(packing) = self.format.texel() else { return Ok([0; 4]) };
        let stored = self.stored(source, tile, texel)?;
        Ok(packing.channels.map(|Channel { lo, bits }| (stored >> lo & ((1 << bits) - 1)) as u32))
    }

    /// The channels of a texel by the offset of its tile and its number in it.
    ///
    /// # Errors
    /// [`LineError`] if it cannot be read.
    #[inline]
    pub fn texel<S: TexelSource>(
        &self,
        source: &mut S,
        memo: &mut BlockMemo,
        tile: u32,
        texel: u32,
    ) -> Result<Channels, LineError> {
        match &self.texels {
            Texels::Bytes => {
                let bytes: [u8; 4] = source.bytes(tile + 4 * texel)?;
                Ok(bytes.map(|byte| widened(u32::from(byte), 8, self.channel_bits)))
            }
            Texels::Packed(packing) => Ok(self.packed(packing, self.stored(source, tile, texel)?)),
            Texels::Indexed(table) => {
                let index = self.stored(source, tile, texel)?;
                table.0[index as usize].ok_or(LineError)
            }
            Texels::Block => {
                let kept = &mut memo.0[(tile / LINE_BYTES % 4) as usize];
                match kept {
                    Some((of, texels)) if *of == tile => Ok(texels[texel as usize]),
                    _ => {
                        let (_, texels) = kept.insert((tile, self.block(source, tile)?));
                        Ok(texels[texel as usize])
                    }
                }
            }
            Texels::Other => self.other(source, tile, texel),
        }
    }

    /// Depths and floats.
    fn other<S: TexelSource>(&self, source: &mut S, tile: u32, texel: u32) -> Result<Channels, LineError> {
        let one = self.one(self.format.is_float());
        match self.format.texel() {
            Texel::Depth { bits, .. } => {
                let depth = self.depth(source, tile, texel)?;
                Ok([widened(depth, bits, self.channel_bits), 0, 0, one])
            }
            Texel::Floats { bits: 16, channels } => {
                let stored = self.stored(source, tile, texel)?;
                let half = |number: usize| single_of_half((stored >> (16 * number) & 0xffff) as u32);
                Ok(with_missing(channels, one, half))
            }
            Texel::Floats { channels: 4, .. } => {
                let bytes: [u8; 16] = source.bytes(tile + 16 * texel)?;
                Ok(std::array::from_fn(|number| {
                    u32::from_le_bytes(std::array::from_fn(|byte| bytes[4 * number + byte]))
                }))
            }
            Texel::Floats { channels, .. } => {
                let stored = self.stored(source, tile, texel)?;
                Ok(with_missing(channels, one, |number| (stored >> (32 * number)) as u32))
            }
            _ => Ok([self.depth(source, tile, texel)?, 0, 0, one]),
        }
    }

    /// The depth of a texel as it is stored: an integer of 16 or 24 bits, or a single.
    ///
    /// # Errors
    /// [`LineError`] if it cannot be read.
    pub fn depth<S: TexelSource>(&self, source: &mut S, tile: u32, texel: u32) -> Result<Depth, LineError> {
        let stored = self.stored(source, tile, texel)? as u32;
        Ok(match self.format.texel() {
            Texel::Depth { bits, .. } => stored & ((1 << bits) - 1),
            _ => stored,
        })
    }

    /// What a depth is worth in a comparison: true is 1 in red, alpha is 1.
    #[must_use]
    pub fn compared(&self, op: CompareOp, reference: u32, depth: Depth) -> Channels {
        let holds = match self.format.texel() {
            Texel::Depth { bits, .. } => compare::holds(op, compare::reference(reference, bits), Some(depth)),
            _ => compare::holds(op, Some(f32::from_bits(reference)), Some(f32::from_bits(depth))),
        };
        let one = self.one(false);
        [if holds { one } else { 0 }, 0, 0, one]
    }

    /// What lies around the texture: channels that the format lacks are those of its texels.
    #[must_use]
    pub fn border(&self, rgba: [u8; 4]) -> Channels {
        let is_float = self.format.is_float();
        let stored = match self.format.texel() {
            Texel::Color(packing) | Texel::Index(packing) => {
                packing.channels.map(|channel| channel.bits != 0)
            }
            Texel::Block(block) => std::array::from_fn(|number| number < block.channels as usize),
            Texel::Depth { .. } | Texel::DepthFloat => [true, false, false, false],
            Texel::Floats { channels, .. } => std::array::from_fn(|number| number < channels as usize),
        };
        std::array::from_fn(|number| match (stored[number], is_float) {
            (false, _) if number == ALPHA => self.one(is_float),
            (false, _) => 0,
            (true, false) => widened(u32::from(rgba[number]), 8, self.channel_bits),
            (true, true) => (f32::from(rgba[number]) / 255.0).to_bits(),
        })
    }

    /// The border's red as a depth.
    #[must_use]
    pub fn border_depth(&self, red: u8) -> Depth {
        match self.format.texel() {
            Texel::Depth { bits, .. } => widened(u32::from(red), 8, bits),
            _ => (f32::from(red) / 255.0).to_bits(),
        }
    }

    /// All texels of a block.
    fn block<S: TexelSource>(&self, source: &mut S, tile: u32) -> Result<[Channels; 16], LineError> {
        let one = self.one(false);
        let rgba = |texels: [[u8; 4]; 16]| {
            texels.map(|texel| std::array::from_fn(|number| self.of_byte(u32::from(texel[number]), number)))
        };
        let red = |value: u32, bits| widened(value, bits, self.channel_bits);
        Ok(match self.format {
            Format::Bc1 => rgba(bc::bc1(source.bytes(tile)?)),
            Format::Bc2 => rgba(bc::bc2(source.bytes(tile)?)),
            Format::Bc3 => rgba(bc::bc3(source.bytes(tile)?)),
            Format::Bc4 => bc::bc4(source.bytes(tile)?).map(|r| [red(r.into(), 8), 0, 0, one]),
            Format::Bc5 => {
                bc::bc5(source.bytes(tile)?).map(|[r, g]| [red(r.into(), 8), red(g.into(), 8), 0, one])
            }
            Format::Etc2Rgb8 => rgba(etc2::rgb8(source.bytes(tile)?)),
            Format::Etc2Rgb8a1 => rgba(etc2::rgb8a1(source.bytes(tile)?)),
            Format::Etc2Rgba8 => rgba(etc2::rgba8(source.bytes(tile)?)),
            Format::EacR11 => eac::r11(source.bytes(tile)?).map(|r| [red(r.into(), 11), 0, 0, one]),
            Format::EacRg11 => {
                eac::rg11(source.bytes(tile)?).map(|[r, g]| [red(r.into(), 11), red(g.into(), 11), 0, one])
            }
            _ => rgba(bc7::bc7(source.bytes(tile)?)),
        })
    }
}

/// Channels of which the first few are stored.
fn with_missing(channels: u32, one: u32, stored: impl Fn(usize) -> u32) -> Channels {
    std::array::from_fn(|number| match number {
        _ if number < channels as usize => stored(number),
        ALPHA => one,
        _ => 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_by_hand() {
        let table = [
            (31, 5, 8, 255),
            (3, 5, 8, 25),
            (1, 1, 16, 65535),
            (5, 4, 16, 21845),
            (2, 2, 8, 170),
            (1023, 10, 16, 65535),
            (512, 10, 8, 128),
            (32768, 16, 8, 128),
            (1 << 23, 24, 16, 32768),
            (2047, 11, 8, 255),
            (200, 8, 16, 51400),
        ];
        for (value, bits, wanted, expected) in table {
            assert_eq!(widened(value, bits, wanted), expected, "{value} of {bits} bits to {wanted}");
        }
    }

    /// Every half is the value that its parts make.
    #[test]
    fn halves_are_widened_exactly() {
        for half in 0..=0xffffu32 {
            let (exponent, fraction) = (half >> 10 & 0x1f, half & 0x3ff);
            let magnitude = match exponent {
                0 => f64::from(fraction) * 2f64.powi(-24),
                0x1f if fraction == 0 => f64::INFINITY,
                0x1f => f64::NAN,
                _ => f64::from(0x400 | fraction) * 2f64.powi(exponent as i32 - 25),
            };
            let got = f32::from_bits(single_of_half(half));
            let expected = if half >> 15 == 0 { magnitude } else { -magnitude };
            assert!(
                f64::from(got) == expected || got.is_nan() && expected.is_nan(),
                "{half:#x}: {got} for {expected}"
            );
            assert_eq!(got.is_sign_negative(), half >> 15 != 0, "{half:#x}");
        }
    }
}
