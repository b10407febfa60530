//! `decode` of the general numerics against the decoders of `tmu_model`: texels of every format and place, lines side by side and on
//! top of one another, lines that cannot be read, taps that come from other banks, corners, the border, depths that are compared.

use crate::blocks::directed;
use crate::general_support::in_four_lanes;
use crate::support::{configs, is_high, number};
use rand::Rng;
use std::rc::Rc;
use tmu_hdl::prelude::*;
use tmu_hdl::value::Value;
use tmu_model::datapath::fetch::SliceSource;
use tmu_model::general::Channels;
use tmu_model::general::decode::{BlockMemo, Decoder};
use tmu_model::{LineError, Memory};
use tmu_rtl::cache::prefetch::fill::block_half;
use tmu_rtl::datapath::general::decode::{Decode, FilterTap};
use tmu_rtl::datapath::general::words::{
    BLOCKS, ProbeTap, TAPS, TexelUse, channels_bits, has_indirect, has_pairs, has_stored_texels,
};
use tmu_spec::format::Texel;
use tmu_spec::general::texture;
use tmu_spec::general::{Kind, Swizzle, Texture};
use tmu_spec::{AddressMode, Config, Format, LINE_BYTES};
use tmu_stages::{Check, Flow, Rig};

#[test]
pub(crate) fn multi_lite() {
    decode("general_decode", &configs::multi_lite(), 6000);
}

/// Without compressed formats, and with those whose decoders have no place for other colours.
#[test]
fn other_formats() {
    for formats in [
        "\"rgba8\", \"rgb565\"",
        "\"rgba8\", \"bc1\"",
        "\"rgba8\", \"bc2\"",
        "\"rgb565\", \"bc4\", \"bc7\"",
        "\"rgba8\", \"bc1\", \"bc3\", \"bc4\", \"etc2_rgba8\", \"bc7\"",
    ] {
        decode(formats, &configs::multi_lite_of(formats), 1200);
    }
}

/// Formats of colours, and compressed ones, of which none are floats.
const COLORS: &str = "\"rgba8\", \"rgb8\", \"r8\", \"rg8\", \"rgb565\", \"rgba5551\", \"rgba4444\", \"rgb10a2\", \"r16\", \"rg16\", \"rgba16\"";
const BLOCK_FORMATS: &str = "\"bc1\", \"bc2\", \"bc3\", \"bc4\", \"bc5\", \"etc2_rgb8\", \"etc2_rgb8a1\", \"etc2_rgba8\", \"eac_r11\", \"eac_rg11\", \"bc7\"";
const DEPTHS: &str = "\"d16\", \"d24\"";
const FLOATS: &str = "\"d32f\", \"r32f\", \"rg32f\", \"rgba32f\", \"r16f\", \"rg16f\", \"rgba16f\"";

/// What a texture may be beside its formats.
const BORDER: (&str, &str) = ("\"mirror\"]", "\"mirror\", \"border\"]");
const SIXTEEN: (&str, &str) = ("[cache]", "[filter]\nchannel_bits = 16\n[cache]");
const SRGB: (&str, &str) = ("trilinear = true", "trilinear = true\nsrgb = true");
const INDIRECT: (&str, &str) = ("trilinear = true", "trilinear = true\nindirect = true");
const COMPARE: (&str, &str) = ("bilinear = true", "bilinear = true\ncompare = true");

/// The preset with these formats, and changed.
fn config(formats: &str, changes: &[(&str, &str)]) -> Config {
    let all = "\"rgba8\", \"rgb8\", \"rgb565\", \"rgba5551\", \"rgba4444\", \"bc1\", \"bc2\", \"bc3\"";
    let changes: Vec<_> = [(all, formats)].into_iter().chain(changes.iter().copied()).collect();
    configs::multi_lite_with(&changes)
}

/// Each group of formats by itself at 8 bits a channel, then with others.
#[test]
fn formats_at_8_bits() {
    for formats in [
        COLORS,
        DEPTHS,
        "\"r8\"",
        "\"rgb10a2\", \"eac_r11\"",
        "\"eac_rg11\"",
        "\"rgba8\", \"bc3\", \"eac_rg11\", \"etc2_rgba8\"",
        "\"r16f\", \"rgba8\"",
        "\"rgba16\"",
        "\"rgba32f\", \"rgba8\", \"bc1\"",
        &[COLORS, BLOCK_FORMATS, DEPTHS].join(", "),
    ] {
        decode(formats, &config(formats, &[]), 1500);
    }
}

#[test]
fn formats_at_16_bits() {
    for formats in [
        COLORS,
        BLOCK_FORMATS,
        DEPTHS,
        FLOATS,
        "\"rgba8\"",
        "\"rgba8\", \"bc1\", \"rgb565\"",
        "\"r32f\"",
        "\"d24\", \"bc1\"",
        "\"rgba16\", \"bc3\"",
        "\"rgba16f\"",
        "\"rg32f\", \"rgba32f\"",
        &[COLORS, BLOCK_FORMATS, DEPTHS].join(", "),
    ] {
        decode(formats, &config(formats, &[SIXTEEN]), 1500);
    }
}

#[test]
fn linear_light() {
    for formats in
        ["\"rgba8\", \"rgb8\", \"rgb565\"", "\"rgba8\", \"bc1\", \"bc7\", \"etc2_rgb8\", \"eac_r11\""]
    {
        decode(formats, &config(formats, &[SIXTEEN, SRGB]), 2000);
    }
}

#[test]
fn border() {
    let plain = "\"rgba8\", \"rgb565\", \"rgba4444\"";
    let some = "\"rgba8\", \"rgb8\", \"bc1\", \"bc3\"";
    let all = [COLORS, BLOCK_FORMATS, DEPTHS, FLOATS].join(", ");
    for formats in [plain, some, &all] {
        decode(formats, &config(formats, &[BORDER]), 2000);
        decode(formats, &config(formats, &[BORDER, SIXTEEN]), 2000);
    }
}

#[test]
fn compared_depths() {
    let all = [COLORS, DEPTHS, FLOATS].join(", ");
    for formats in [DEPTHS, "\"d16\"", "\"d32f\", \"rgba8\"", &all] {
        decode(formats, &config(formats, &[COMPARE]), 1500);
        decode(formats, &config(formats, &[COMPARE, SIXTEEN, BORDER]), 1500);
    }
}

/// All of it together.
#[test]
pub(crate) fn everything() {
    decode("general_decode_everything", &everything_config(), 12000);
}

/// All but compressed formats.
pub(crate) fn everything_but_blocks() -> Config {
    config(&[COLORS, DEPTHS, FLOATS].join(", "), &[BORDER, SIXTEEN, SRGB, COMPARE])
}

/// All but BC7 and the colours of ETC2.
pub(crate) fn everything_but_large_blocks() -> Config {
    let blocks = "\"bc1\", \"bc2\", \"bc3\", \"bc4\", \"bc5\", \"eac_r11\", \"eac_rg11\"";
    config(&[COLORS, blocks, DEPTHS, FLOATS].join(", "), &[BORDER, SIXTEEN, SRGB, COMPARE])
}

/// All of it.
pub(crate) fn everything_config() -> Config {
    let all = [COLORS, BLOCK_FORMATS, DEPTHS, FLOATS].join(", ");
    config(&all, &[BORDER, SIXTEEN, SRGB, COMPARE])
}

/// A line of compressed tiles, or texels that are not compressed: of each bank two, with whether they failed.
#[derive(Clone, Debug)]
enum Words {
    Lines([([u8; 16], bool); BLOCKS]),
    Texels([[(u32, bool); 2]; TAPS]),
}

/// What goes in.
#[derive(Clone, Debug)]
struct Case {
    format: Format,
    words: Words,
    is_valid: bool,
    brings: u64,
    /// The banks of taps that are told by their places, of the outer places and of the inner ones.
    sources: Option<[u64; 2]>,
    column_bit1: [u64; 2],
    row_bit1: [u64; 2],
    weights: [u64; 2],
    corner: Option<u64>,
    blocks_by_row: bool,
    upper_half: [u64; BLOCKS],
    is_srgb: bool,
    compares: bool,
    border_taps: u64,
    border: [u8; 4],
    /// It is an entry of the colour table.
    is_table: bool,
    /// The colour table is that of the secondary texture.
    is_secondary: bool,
    /// The colour table.
    table: Rc<Table>,
    /// What goes along as it is.
    rest: [u64; 9],
}

/// The bank of a tap by itself, or those of two beside each other along an edge of a cube.
fn sources(check: &mut Check, config: &Config, format: Format) -> [u64; 2] {
    let outer = check.rng.random_range(0..4);
    let is_pair = has_pairs(config) && !is_wide(format) && check.one_in(2);
    [outer, if is_pair { outer ^ check.pick(&[1, 2]) } else { outer }]
}

/// Lines of blocks that are made for something.
type Lines = Vec<(Format, Vec<[u8; 16]>)>;

impl Case {
    fn any(check: &mut Check, config: &Config, lines: &Lines) -> Case {
        let formats: Vec<Format> = config.features().formats().collect();
        let format = check.pick(&formats);
        let words = match lines.iter().find(|(own, _)| *own == format) {
            Some((_, blocks)) => {
                Words::Lines([(); BLOCKS].map(|()| (line(check, format, blocks), check.one_in(8))))
            }
            None => Words::Texels(
                [(); TAPS].map(|()| [(); 2].map(|()| (texel(check, config, format), check.one_in(8)))),
            ),
        };
        let words = if is_wide(format) { of_lines(words) } else { words };
        let sources = check.one_in(3).then(|| sources(check, config, format));
        let brings = match sources {
            Some([outer, inner]) if outer != inner => check.pick(&[0b0011, 0b1100, 0b0101, 0b1010]),
            Some(_) => 1 << check.rng.random_range(0..4),
            None => check.rng.random_range(0..16),
        };
        let mut bits = || [check.rng.random_range(0..2), check.rng.random_range(0..2)];
        let (column_bit1, row_bit1, upper_half) = (bits(), bits(), bits());
        let weights = [(); 2].map(|()| match check.rng.random_range(0..4) {
            0 => check.pick(&[0, 256]),
            _ => check.rng.random_range(0..=256),
        });
        let is_pair = sources.is_some_and(|[outer, inner]| outer != inner);
        let corner = (!is_pair && check.one_in(3)).then(|| check.rng.random_range(0..4));
        let rest = check.rng.random();
        let general = config.features().general().expect("it is general");
        let has_border = config.features().has_address_mode(AddressMode::Border) && corner.is_none();
        let border_taps =
            if has_border && check.one_in(2) { check.rng.random_range(0..16) & !brings } else { 0 };
        let border = [(); 4].map(|()| match check.rng.random_range(0..3) {
            0 => check.pick(&[0, 1, 2, 127, 128, 254, 255]),
            _ => check.rng.random(),
        });
        let is_srgb = general.srgb && format.can_be_srgb() && check.one_in(2);
        let compares = general.compare && format.is_depth() && check.one_in(2);
        let (is_valid, blocks_by_row) = (!check.one_in(6), check.one_in(2));
        Case {
            format,
            words,
            is_valid,
            brings,
            sources,
            column_bit1,
            row_bit1,
            weights,
            corner,
            blocks_by_row,
            upper_half,
            is_srgb,
            compares,
            border_taps,
            border,
            is_table: false,
            is_secondary: false,
            table: Rc::default(),
            rest,
        }
    }

    /// An entry of the colour table, in a bank.
    fn of_entry(self, format: Format, word: u32, failed: bool, bank: usize) -> Case {
        let mut texels = [[(0, true); 2]; TAPS];
        texels[bank][self.column_bit1[bank & 1] as usize] = (word, failed);
        Case {
            format,
            words: Words::Texels(texels),
            is_valid: true,
            brings: 1 << bank,
            sources: None,
            corner: None,
            compares: false,
            border_taps: 0,
            is_table: true,
            ..self
        }
    }

    fn tap(&self, config: &Config) -> ProbeTap {
        let shape = ProbeTap::of(config);
        let of = |width: Width, value: u64| number(width.value_bits(), value);
        let bit = |value: u64| number(1, value);
        let [pixel, is_failed, starts_probe, ends_probe, ends_pixel, ends_quad, valid, any_corner, weight] =
            self.rest;
        ProbeTap {
            pixel: of(shape.pixel, pixel & 3),
            is_valid: bit(self.is_valid.into()),
            is_failed: bit(is_failed & 1),
            is_table: bit(self.is_table.into()),
            is_secondary: bit(self.is_secondary.into()),
            starts_probe: bit(starts_probe & 1),
            ends_probe: bit(ends_probe & 1),
            ends_pixel: bit(ends_pixel & 1),
            ends_quad: bit(ends_quad & 1),
            spread: of(shape.spread, 0),
            valid: of(shape.valid, valid & 15),
            brings: of(shape.brings, self.brings),
            is_by_place: bit(self.sources.is_some().into()),
            sources: self.any_sources(any_corner).map(|source| number(2, source)),
            column_bit1: self.column_bit1.map(bit),
            row_bit1: self.row_bit1.map(bit),
            odd_weight_x: of(shape.odd_weight_x, self.weights[0]),
            odd_weight_y: of(shape.odd_weight_y, self.weights[1]),
            has_corner: bit(self.corner.is_some().into()),
            corner: of(shape.corner, self.corner.unwrap_or(any_corner >> 2 & 3)),
            weight: of(shape.weight, weight & 0x1_ffff),
            texels: TexelUse {
                border_taps: number(TAPS, self.border_taps),
                border: number(32, u32::from_le_bytes(self.border)),
                is_srgb: bit(self.is_srgb.into()),
                compares: bit(self.compares.into()),
                compare: of(shape.texels.compare, weight & 7),
                reference: of(shape.texels.reference, weight >> 32),
                ..TexelUse::plain()
            },
            format: of(shape.format, self.format.code().into()),
            is_block: bit(self.format.is_block().into()),
            blocks_by_row: bit(self.blocks_by_row.into()),
            upper_half: self.upper_half.map(bit),
        }
    }

    /// Where no tap is told by its place they are anything.
    fn any_sources(&self, any: u64) -> [u64; 2] {
        self.sources.unwrap_or([any & 3, any >> 4 & 3])
    }

    /// The bank of a tap.
    fn source(&self, place: usize) -> usize {
        self.sources.map_or(place, |sources| sources[(place ^ place >> 1) & 1] as usize)
    }

    /// The words of the banks.
    fn banks(&self) -> [Bits; TAPS] {
        let texel = |(bits, failed): (u32, bool)| cat(&[number(1, failed), number(32, bits)]);
        std::array::from_fn(|bank| match &self.words {
            Words::Texels(texels) => stack(texels[bank].map(texel)),
            Words::Lines(lines) => {
                let (row, column) = (bank >> 1, bank & 1);
                let (line, failed) = lines[column];
                let part =
                    |at: usize| u32::from_le_bytes(std::array::from_fn(|byte| line[8 * row + 4 * at + byte]));
                let half = u64::from(part(1)) << 32 | u64::from(part(0));
                let words = [[0, 1], [1, 0]].map(|order| stack(order.map(|at| texel((part(at), failed)))));
                let is_own = |word: &&Bits| block_half(**word, row, column).to_u64() == half;
                *words.iter().find(is_own).expect("a word that has the half")
            }
        })
    }

    fn decoder(&self, config: &Config) -> Decoder {
        let shape =
            texture::Shape { kind: Kind::D2, width: 4, height: 4, depth: 1, levels: 1, format: self.format };
        let offsets = [self.format.color_table_bytes()];
        let texture =
            Texture::new(shape, &offsets, Swizzle::NONE, self.is_srgb).expect("the texture is legal");
        let bits = config.features().general().expect("it is general").channel_bits;
        Decoder::new(&texture, 0, bits, &*self.table)
    }

    /// The texel with a number in a tile, as it leaves.
    fn texel(&self, config: &Config, bytes: &[u8], number: u32) -> Value {
        let (decoder, mut source) = (self.decoder(config), SliceSource(bytes));
        let read = "the source has it";
        if self.compares {
            return self.depth(config, decoder.depth(&mut source, 0, number).expect(read));
        }
        self.packed(config, decoder.texel(&mut source, &mut BlockMemo::default(), 0, number).expect(read))
    }

    fn shown_border(&self, config: &Config) -> Value {
        let decoder = self.decoder(config);
        if self.compares {
            return self.depth(config, decoder.border_depth(self.border[0]));
        }
        self.packed(config, decoder.border(self.border))
    }

    /// Channels as they leave.
    fn packed(&self, config: &Config, channels: Channels) -> Value {
        let bits = config.features().general().expect("it is general").channel_bits;
        let bits = if self.format.is_float() { 32 } else { bits };
        let word = channels.iter().rev().fold(0, |word: u128, channel| word << bits | u128::from(*channel));
        Value::from_u128(channels_bits(config), word)
    }

    /// A depth as it leaves; of a single alpha comes with it.
    fn depth(&self, config: &Config, depth: u32) -> Value {
        if self.format.is_float() {
            return self.packed(config, [depth, 0, 0, 1.0f32.to_bits()]);
        }
        Value::from_u128(channels_bits(config), depth.into())
    }

    /// The texel of a bank, and whether it failed.
    fn bank(&self, config: &Config, bank: usize) -> (Value, bool) {
        let (row, column) = (bank >> 1, bank & 1);
        match &self.words {
            Words::Texels(texels) if is_wide(self.format) => {
                let column_bit1 = self.column_bit1[column] as usize;
                let words = match self.format.bytes_per_texel() {
                    8 => vec![(2 * column_bit1, column), (2 * column_bit1 + 1, column)],
                    _ => [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(of, slot)| (2 * column + of, slot)).to_vec(),
                };
                let bytes = words.iter().flat_map(|(bank, slot)| texels[*bank][*slot].0.to_le_bytes());
                let bytes: Vec<u8> = bytes.collect();
                (self.texel(config, &bytes, 0), texels[words[0].0][0].1)
            }
            Words::Texels(texels) => {
                let (word, failed) = texels[bank][self.column_bit1[column] as usize];
                let failed = failed || (self.format.has_color_table() && self.table.0[word as usize & 255].1);
                if has_stored_texels(config) {
                    (self.texel(config, &word.to_le_bytes(), 0), failed)
                } else {
                    (Value::from_u128(channels_bits(config), word.into()), failed)
                }
            }
            Words::Lines(lines) => {
                let number = if self.blocks_by_row { row } else { column };
                let (mut line, failed) = lines[number];
                if self.format.tile_bytes() == 8 && self.upper_half[number] == 1 {
                    line.copy_within(8.., 0);
                }
                let texel = [self.row_bit1[row] as usize, row, self.column_bit1[column] as usize, column];
                let texel = texel.into_iter().fold(0, |number, bit| number << 1 | bit as u32);
                (self.texel(config, &line, texel), failed)
            }
        }
    }

    /// How places are exchanged.
    fn turn(&self) -> usize {
        self.corner.map_or(0, |corner| 3 ^ corner as usize)
    }

    fn colors(&self, config: &Config) -> [Value; TAPS] {
        std::array::from_fn(|place| {
            let own = place ^ self.turn();
            let bank = self.source(own);
            match (self.border_taps >> place & 1, self.brings >> own & 1) {
                (1, _) => self.shown_border(config),
                (_, 1) => self.bank(config, bank).0,
                _ => Value::from_u128(channels_bits(config), 0),
            }
        })
    }

    fn fails(&self, config: &Config) -> bool {
        let brought = (0..TAPS).filter(|place| self.brings >> place & 1 == 1);
        self.is_valid && brought.map(|place| self.source(place)).any(|bank| self.bank(config, bank).1)
    }

    fn out_tap(&self, config: &Config) -> Bits {
        let tap = self.tap(config);
        let turn = self.turn();
        let brings = (0..TAPS).map(|place| (self.brings >> (place ^ turn) | self.border_taps >> place) & 1);
        let weight =
            |axis: usize| if turn >> axis & 1 == 1 { 256 - self.weights[axis] } else { self.weights[axis] };
        let shape = FilterTap::of(config);
        shape.pack(&FilterTap {
            pixel: tap.pixel,
            is_valid: tap.is_valid,
            is_failed: tap.is_failed,
            starts_probe: tap.starts_probe,
            ends_probe: tap.ends_probe,
            ends_pixel: tap.ends_pixel,
            ends_quad: tap.ends_quad,
            spread: tap.spread,
            valid: tap.valid,
            brings: stack(brings.map(|bit| number(1, bit))),
            odd_weight_x: number(shape.odd_weight_x.value_bits(), weight(0)),
            odd_weight_y: number(shape.odd_weight_y.value_bits(), weight(1)),
            has_corner: tap.has_corner,
            weight: tap.weight,
            texels: tap.texels,
            format: tap.format,
        })
    }
}

/// A colour table: words as the cache has them, bytes of an entry in memory, and whether the entry could not be read.
#[derive(Debug)]
struct Table(Vec<(u32, bool)>, usize);

impl Default for Table {
    fn default() -> Table {
        Table(vec![(0, false); Format::COLOR_TABLE_ENTRIES as usize], 4)
    }
}

/// All lines of the table can be read: which entries could not is asked of the table itself.
impl Memory for Table {
    fn read_line(&self, line: u32) -> Result<[u8; LINE_BYTES as usize], LineError> {
        let first = (line * LINE_BYTES) as usize;
        let byte = |at: usize| self.0.get(at / self.1).map_or(0, |(word, _)| word.to_le_bytes()[at % self.1]);
        Ok(std::array::from_fn(|place| byte(first + place)))
    }
}

/// Whether a texel takes more than a word.
const fn is_wide(format: Format) -> bool {
    format.bytes_per_texel() > 4
}

/// Words of which those of a row of banks stand in one line, which could be read or not.
fn of_lines(words: Words) -> Words {
    let Words::Texels(texels) = words else { return words };
    let of = |bank: usize| texels[bank].map(|(word, _)| (word, texels[bank & 2][0].1));
    Words::Texels([of(0), of(1), of(2), of(3)])
}

/// A word of a texel as the cache has it. Numbers are often next to those that are rounded the other way, halves often denormal or special.
fn texel(check: &mut Check, config: &Config, format: Format) -> u32 {
    let any: u32 = check.rng.random();
    if !has_stored_texels(config) {
        return any;
    }
    let is_near = check.one_in(2);
    let near = |check: &mut Check, bits: u32| {
        let kept =
            if bits > 12 { check.pick(&[8, 16]).min(bits - 1) } else { check.rng.random_range(1..bits) };
        let cut = bits - kept;
        let middle = (check.rng.random_range(0..1u64 << kept) << cut) + (1 << (cut - 1));
        let turn = middle * ((1 << cut) - 1) / ((1 << bits) - 1);
        ((middle + turn + check.rng.random_range(0..4)).saturating_sub(2) & ((1 << bits) - 1)) as u32
    };
    match format.texel() {
        Texel::Color(packing) if is_near && packing.channels[0].bits > 8 => {
            let mut word = 0;
            for channel in packing.channels.iter().filter(|channel| channel.bits > 0 && channel.lo < 32) {
                word |= near(check, channel.bits.max(2)) << channel.lo;
            }
            word
        }
        Texel::Depth { bits, .. } if is_near => near(check, bits) | if bits == 24 { any << 24 } else { 0 },
        Texel::Floats { bits: 16, channels } => {
            let half = |check: &mut Check| match check.rng.random_range(0..4) {
                0 => check.rng.random_range(0..0x400u32) >> check.rng.random_range(0..11) | any & 0x8000,
                1 => check.pick(&[0, 0x8000, 0x7c00, 0xfc00, 0x7e01, 0x400, 0x3ff, 0x7bff, 1]),
                _ => check.rng.random_range(0..=0xffff),
            };
            half(check) | if channels > 1 { half(check) << 16 } else { 0 }
        }
        _ => match format.bytes_per_texel() {
            3 => any | 0xff00_0000,
            4.. => any,
            bytes => any & ((1 << (8 * bytes)) - 1),
        },
    }
}

/// A line with one block or two.
fn line(check: &mut Check, format: Format, blocks: &[[u8; 16]]) -> [u8; 16] {
    let (first, second) = (check.pick(blocks), check.pick(blocks));
    match check.rng.random_range(0..3) {
        0 => check.rng.random(),
        _ if format.tile_bytes() == 8 => {
            std::array::from_fn(|byte| if byte < 8 { first[byte] } else { second[byte - 8] })
        }
        _ => first,
    }
}

/// A table for texels of a format, some entries of which could not be read.
fn table(check: &mut Check, format: Format) -> Rc<Table> {
    let bytes = format.color_table_entry_bytes() as usize;
    let word = |any: u32| if bytes == 3 { any | 0xff00_0000 } else { any };
    let entries = Format::COLOR_TABLE_ENTRIES;
    Rc::new(Table((0..entries).map(|_| (word(check.rng.random()), check.one_in(20))).collect(), bytes))
}

/// Items of formats with and without colour tables, behind the entries of a table.
#[test]
fn color_tables() {
    let formats = "\"i8_rgba8\", \"i8_rgb8\", \"rgb565\"";
    let all = "\"i8_rgba8\", \"i8_rgb8\", \"rgba16\", \"bc1\", \"rgba8\"";
    let everything = config(all, &[BORDER, SIXTEEN, SRGB]);
    let both = in_four_lanes(&config(all, &[SIXTEEN, INDIRECT]));
    for config in [config(formats, &[]), config("\"i8_rgb8\"", &[SIXTEEN]), everything, both] {
        decode("general_decode of colour tables", &config, 3000);
    }
}

fn decode(name: &str, config: &Config, items: usize) {
    let mut check = Check::new(name);
    // Stages of different configurations are different modules in Verilog.
    let is_wide = config.features().general().is_some_and(|general| general.channel_bits > 8);
    let name = if is_wide { "decode_of_everything" } else { "decode" };
    let mut rig = Rig::new(name, Decode::new(config));
    let blocks = config.features().formats().filter(|format| format.is_block());
    let lines: Lines = blocks.map(|format| (format, directed::blocks(format, &mut check))).collect();
    let mut owed: Flow<Case> = Flow::default();
    let tables: Vec<Format> = config.features().formats().filter(|format| format.has_color_table()).collect();
    // Of the primary and the secondary texture; whose entries come, and how many.
    let roles = 1 + usize::from(has_indirect(config));
    let mut bound: [Option<(Format, Rc<Table>)>; 2] = [None, None];
    let (mut loaded, mut entries) = (0, 0);
    for item in 0..items + 20 {
        let mut comes = item < items && !check.one_in(5);
        let mut case = Case::any(&mut check, config, &lines);
        let role = if entries > 0 { loaded } else { check.rng.random_range(0..roles) };
        if entries == 0 && !tables.is_empty() && check.one_in(800) | bound[role].is_none() {
            let format = check.pick(&tables);
            bound[role] = Some((format, table(&mut check, format)));
            (loaded, entries) = (role, Format::COLOR_TABLE_ENTRIES as usize);
        }
        case.is_secondary = role == 1;
        if let Some((format, table)) = &bound[role] {
            // Texels of other tables are not there.
            comes &= entries > 0 || !case.format.has_color_table() || case.format == *format;
            case.table = Rc::clone(table);
            if comes && entries > 0 {
                let (word, failed) = table.0[table.0.len() - entries];
                case = case.of_entry(*format, word, failed, check.rng.random_range(0..TAPS));
                entries -= 1;
            }
        }
        rig.in_valid.drive(comes);
        rig.tap.drive(ProbeTap::of(config).pack(&case.tap(config)));
        rig.words.iter().zip(case.banks()).for_each(|(net, word)| net.drive(word));
        rig.settle();
        if is_high(rig.out_valid.val()) {
            let case = owed.next(&mut check);
            check.same(
                format_args!("what goes along with {case:x?}"),
                rig.out_tap.val().value(),
                case.out_tap(config).value(),
            );
            check.same(format_args!("error of {case:x?}"), is_high(rig.error.val()), case.fails(config));
            let got: Vec<Value> = rig.colors.iter().map(|color| color.val().value()).collect();
            check.same(format_args!("texels of {case:x?}"), got, case.colors(config).to_vec());
        }
        rig.tick();
        if comes && !case.is_table {
            owed.put(case);
        }
    }
    owed.is_done(&mut check);
    // Entries of colour tables, and texels of others, are not compared.
    check.at_least(items as u64 / 2);
}
