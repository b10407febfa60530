//! `format`: what the formats of the table mean to the stages: flags of a binding's code, lines of a tile, colours of texels.
//!
//! Colours of three and four bytes are channels as they stand. Colours of two bytes are packed: how, is a number that texels take
//! along, from 1 for the first such format that is built; 0 stands for bytes. Where texels stand in the cache as they do in memory the
//! number tells those of two bytes and of one byte. The texels of a compressed tile come out of a decoder of their own. Wires and
//! LUTs: latency 0.

use crate::datapath::blocks::select::choose;
use crate::datapath::general::words::{has_blocks, has_stored_texels};
use tmu_hdl::prelude::*;
use tmu_spec::format::{Channel, Packing};
use tmu_spec::{Config, Format};

/// Bytes of a texel that has a packed colour.
const PACKED_BYTES: u32 = 2;
/// Bits of a texel that has a packed colour.
pub const PACKED_BITS: usize = 8 * PACKED_BYTES as usize;
/// Bits of a colour.
pub const COLOR_BITS: usize = 32;

/// What a texture's texels are.
#[derive(Clone, Debug, Record)]
pub struct Kind<T = Bits> {
    /// Colours have three bytes.
    pub is_rgb: T,
    /// Texels are indices into the colour table.
    pub is_indexed: T,
    /// How texels of one or two bytes are packed, from 1; 0: they are words, or three bytes.
    pub packing: T,
    /// Tiles are compressed.
    pub is_block: T,
}

impl Kind<Width> {
    /// The shape of a configuration.
    pub fn of(config: &Config) -> Kind<Width> {
        Kind {
            is_rgb: if all_are_rgb(config) {
                Width::constant(1, 1)
            } else {
                Width::bits(1).when(has_rgb(config))
            },
            is_indexed: Width::bits(1).when(has_indices(config)),
            packing: Width::bits(packing_bits(config)).when(has_packed(config)),
            is_block: Width::bits(1).when(has_blocks(config)),
        }
    }
}

/// Whether tiles of indices are told from others. In the general numerics they are texels of one byte as others are.
pub fn has_indices(config: &Config) -> bool {
    config.features().has_color_table() && config.features().general().is_none()
}

/// The formats of tiles: in the general numerics a colour table is a texture of its colours.
pub fn formats(config: &Config) -> Vec<Format> {
    let built: Vec<Format> = config.features().formats().collect();
    let of_colors = built.iter().map(|format| format.of_colors());
    let more = of_colors.filter(|format| config.features().general().is_some() && !built.contains(format));
    built.iter().copied().chain(more).collect()
}

/// Whether colours of a format have three bytes.
fn is_rgb_format(config: &Config, format: Format) -> bool {
    let is_index = format.has_color_table() && !has_indices(config);
    !is_index && format.packing().is_some_and(|packing| packing.bytes == 3)
}

/// Whether any format that is built has three bytes a colour.
pub fn has_rgb(config: &Config) -> bool {
    formats(config).into_iter().any(|format| is_rgb_format(config, format))
}

/// Whether all formats that are built have three bytes a colour.
pub fn all_are_rgb(config: &Config) -> bool {
    formats(config).into_iter().all(|format| is_rgb_format(config, format))
}

/// Texels that take less than a word.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Packed {
    /// Bytes of a texel.
    bytes: u32,
    /// How they become colours of 8 bits a channel; none where they stay as they are.
    colors: Option<Packing>,
}

impl Packed {
    /// Those of a format, where texels stand in the cache as they do in memory or not.
    fn of(are_stored: bool, format: Format) -> Option<Packed> {
        if are_stored {
            let bytes = format.bytes_per_texel();
            let is_short = matches!(bytes, 1 | PACKED_BYTES);
            return is_short.then_some(Packed { bytes, colors: None });
        }
        let packing = format.packing().filter(|packing| !packing.is_bytes())?;
        Some(Packed { bytes: packing.bytes, colors: Some(*packing) })
    }
}

/// How the texels of formats that are built are packed, by the number less one.
fn packed(config: &Config) -> Vec<Packed> {
    let mut all: Vec<Packed> = vec![];
    let are_stored = has_stored_texels(config);
    for packed in config.features().formats().filter_map(|format| Packed::of(are_stored, format)) {
        if !all.contains(&packed) {
            all.push(packed);
        }
    }
    all
}

/// The formats with packed texels that are built, and the number of each.
fn numbers(config: &Config) -> Vec<(Format, u32)> {
    let (all, are_stored) = (packed(config), has_stored_texels(config));
    let number = |format: Format| {
        let own = Packed::of(are_stored, format)?;
        Some((format, all.iter().position(|packed| *packed == own)? as u32 + 1))
    };
    config.features().formats().filter_map(number).collect()
}

/// Whether any format that is built has packed texels.
pub fn has_packed(config: &Config) -> bool {
    !packed(config).is_empty()
}

/// Whether any format that is built has texels of one byte that are no indices.
pub fn has_single_bytes(config: &Config) -> bool {
    packed(config).iter().any(|packed| packed.bytes == 1)
}

/// Bits of the number of a packing, at least one.
pub fn packing_bits(config: &Config) -> usize {
    (packed(config).len() + 1).next_power_of_two().ilog2().max(1) as usize
}

/// What the code of a format says. Codes of formats that are not built may be taken for any.
#[kernel]
pub fn kind_of_code(config: &Config, code: Bits) -> Kind {
    let width = packing_bits(config);
    let mut packing = lit(width, 0u32);
    for (format, number) in numbers(config) {
        let number = lit(width, number);
        packing = packing | (number & (code == u64::from(format.code())).repeat(width));
    }
    Kind {
        is_rgb: flag(config, code, |format| is_rgb_format(config, format)),
        is_indexed: if has_indices(config) {
            flag(config, code, Format::has_color_table)
        } else {
            lit(1, 0u32)
        },
        packing,
        is_block: if has_blocks(config) { flag(config, code, Format::is_block) } else { lit(1, 0u32) },
    }
}

/// One bit: the format of this code is so. A single bit of the code often tells.
#[kernel]
fn flag(config: &Config, code: Bits, is_so: impl Fn(Format) -> bool) -> Bits {
    let formats = || formats(config).into_iter();
    let tells = |bit: &usize| formats().all(|format| (format.code() >> bit & 1 == 1) == is_so(format));
    match (0..code.width()).find(tells) {
        Some(bit) => code.bit(bit),
        None => formats()
            .filter(|format| is_so(*format))
            .fold(lit(1, 0u32), |any, format| any || code == u64::from(format.code())),
    }
}

/// Lines of a tile, 1 to 4: four where texels have four bytes, one where they are indices. Compressed tiles come by the line, one
/// of 16 bytes or two of 8.
#[kernel]
pub fn tile_lines(config: &Config, kind: &Kind) -> Bits {
    let is_packed = kind.packing.any();
    let is_byte = is_single_byte(config, kind);
    cat(&[
        !kind.is_rgb && !kind.is_indexed && !is_packed && !kind.is_block,
        (kind.is_rgb && !kind.is_indexed) || (is_packed && !is_byte),
        kind.is_rgb || kind.is_indexed || kind.is_block || is_byte,
    ])
}

/// One bit: texels have one byte and are no indices.
#[kernel]
pub fn is_single_byte(config: &Config, kind: &Kind) -> Bits {
    let all = packed(config);
    if all.iter().all(|packed| packed.bytes == 1) {
        return kind.packing.any();
    }
    match all.iter().position(|packed| packed.bytes == 1) {
        Some(before) => kind.packing == before as u64 + 1,
        None => lit(1, 0u32),
    }
}

/// One bit: texels have three bytes.
#[kernel]
pub fn is_three_bytes(kind: &Kind) -> Bits {
    kind.is_rgb && !kind.is_indexed
}

/// The word of a texel that is packed as the kind says: its colour, R in the lowest byte, or its bytes with zeros above; one that is not
/// packed as it is. `texel` has it as so many bytes.
#[kernel]
pub fn unpack(config: &Config, packing: Bits, whole: Bits, texel: impl Fn(u32) -> Bits) -> Bits {
    let of_packing = |packed: Packed| {
        let texel = texel(packed.bytes);
        match packed.colors {
            Some(packing) => channels(packing, texel),
            None => texel.zero_extend(COLOR_BITS),
        }
    };
    let mut words = vec![Some(whole)];
    words.extend(packed(config).into_iter().map(|packed| Some(of_packing(packed))));
    words.resize(words.len().next_power_of_two(), None);
    choose(packing, &words).unwrap_or(whole)
}

/// The four channels of a packed colour at 8 bits each.
#[kernel]
fn channels(packing: Packing, texel: Bits) -> Bits {
    let channel = |(number, place): (usize, &Channel)| {
        if place.bits == 0 {
            return lit(8, if number == 3 { 255u32 } else { 0 });
        }
        widen(texel.slice(place.lo as usize, place.bits as usize))
    };
    let channels: Vec<Bits> = packing.channels.iter().enumerate().map(channel).rev().collect();
    cat(&channels)
}

/// A channel of up to 8 bits at 8 bits, rounded to nearest: each bit of the result is a table of the channel's bits, one LUT.
#[kernel]
fn widen(channel: Bits) -> Bits {
    let width = channel.width();
    if width == 8 {
        return channel;
    }
    let most = (1u64 << width) - 1;
    let widened = |value: u64| (2 * 255 * value + most) / (2 * most);
    let bit = |place: u32| {
        let ones = (0..=most).filter(|value| widened(*value) >> place & 1 == 1);
        ones.fold(lit(1, 0u32), |any, value| any || channel == value)
    };
    let bits: Vec<Bits> = (0..8).rev().map(bit).collect();
    cat(&bits)
}
