//! Where texels stand in the cache as they do in memory: from their words to channels, and the border among them.
//!
//! Numbers that take a sum are made in one stage and chosen from in the next, while sRGB-coded bytes are looked up: a block RAM serves
//! two of them. Singles of halves take a stage more in between. Last the border takes the places that show it, and places without a texel are 0.

use super::scale::{needs_sum, scaled};
use super::singles::{Byte, Half, byte, half, turns};
use super::sources::{Piece, Source, Sources, code_of};
use super::{CHANNELS, Decode, NAMES, Stage};
use crate::datapath::blocks::select::choose;
use crate::datapath::general::words::{ProbeTap, TAPS};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{Contents, RamShape, RamStyle, RamTrueDualPort};
use tmu_hdl::value::Value;
use tmu_spec::general::tables::srgb_to_linear;
use tmu_spec::{AddressMode, Config};

/// Bits of linear light.
const LINEAR_BITS: usize = 16;
/// Channels of a texel that may be sRGB-coded.
const CODED: usize = 3;
/// Codes of sRGB.
const CODES: usize = 256;

/// Linear light of sRGB-coded bytes, for two of them at once each.
#[derive(Bundle)]
pub(super) struct Linear {
    tables: Vec<RamTrueDualPort>,
}

impl Linear {
    pub(super) fn new() -> Linear {
        let table = || {
            let words =
                (0..CODES).map(|code| Value::from_u128(LINEAR_BITS, srgb_to_linear(code as u8).into()));
            let contents = Contents::in_file("linear_light", words.collect());
            let shape = RamShape::new(CODES, LINEAR_BITS).style(RamStyle::Block);
            RamTrueDualPort::new(shape.output_register(true).contents(contents))
        };
        Linear { tables: (0..TAPS * CODED / 2).map(|_| table()).collect() }
    }

    /// The words that two addresses were looked up for two clocks before.
    #[kernel]
    fn read(&self, clocks: &Clocks, addresses: &[Bits]) -> Vec<Bits> {
        let mut words = vec![];
        for (table, pair) in self.tables.iter().zip(addresses.chunks(2)) {
            table.clocks.follow(clocks);
            for (port, address) in [&table.a, &table.b].into_iter().zip(pair) {
                port.enable.next = 1;
                port.write_enable.next = 0;
                port.address.next = *address;
                port.write_data.next = lit(LINEAR_BITS, 0u32);
                if let Some(output_enable) = port.output_enable.as_ref() {
                    output_enable.next = 1;
                }
                words.push(port.read_data.val());
            }
        }
        words
    }
}

/// The sources of texels.
fn of_texels(config: &Config) -> Sources {
    Sources::new(config, Piece::of_texel)
}

/// Whether anything becomes a single: halves, or the border of floats.
pub(super) fn has_singles(config: &Config) -> bool {
    let has = |sources: &Sources| sources.all().iter().any(|source| matches!(source, Source::Single { .. }));
    let has_border = config.features().has_address_mode(AddressMode::Border);
    has(&of_texels(config)) || (has_border && has(&of_border(config)))
}

/// The sources of the border.
fn of_border(config: &Config) -> Sources {
    Sources::new(config, Piece::of_border)
}

/// What has been made of a word so far.
struct Word {
    bits: Bits,
    sums: Vec<(Source, Bits)>,
    singles: Vec<(usize, Bits)>,
}

/// Words to channels.
impl Decode {
    /// The texels of the places at [`Stage::Exit`], of their words and whether there are any at [`Stage::Route`].
    #[kernel]
    pub(super) fn channels(
        &self,
        pipe: &Run<'_, Stage>,
        tap: &Payload<'_, Stage, ProbeTap>,
        words: [Bits; TAPS],
        brings: Bits,
    ) -> Vec<Bits> {
        /// # Channels
        let sources = of_texels(&self._config);
        let ProbeTap { format, texels, .. } = tap.at(Stage::Route);
        let (code, compares) = (code_of(format), texels.compares);
        let numbers = pipe.put(Stage::Route, "source", sources.numbers(code, compares)).at(Stage::Select);
        let presence = pipe.put(Stage::Route, "presence", sources.presence(code, compares)).at(Stage::Select);
        let brings = pipe.put(Stage::Route, "brought", brings).at(Stage::Select);
        let words: Vec<Payload<'_, Stage, Bits>> = (0..TAPS)
            .map(|place| pipe.put(Stage::Route, &format!("word_{}", NAMES[place]), words[place]))
            .collect();
        let linear = self.linear(&words);
        let is_linear = tap.at(Stage::Border).texels.is_srgb;
        let border = self.border(pipe, tap);
        let texel = |place: usize| {
            let name = |part: &str| format!("{part}_{}", NAMES[place]);
            let word = self.word(pipe, &sources, place, &words[place]);
            let chosen = |piece: usize| word.piece(&sources, piece, numbers[piece]);
            let chosen: Vec<Bits> = (0..sources.pieces()).map(chosen).collect();
            let chosen = pipe.put(Stage::Select, &name("chosen"), chosen).at(Stage::Border);
            let shows: Vec<Bits> = presence.iter().map(|present| *present && brings.bit(place)).collect();
            let shows = pipe.put(Stage::Select, &name("shows"), shows).at(Stage::Border);
            let piece = |number: usize| {
                let own = match linear.get(CODED * place + number) {
                    Some(linear) if number < CODED => is_linear.mux(*linear, chosen[number]),
                    _ => chosen[number],
                };
                let own = own & shows[number].repeat(own.width());
                match &border {
                    Some((is_border, colors)) => is_border.bit(place).mux(colors[number], own),
                    None => own,
                }
            };
            let texel = stack((0..sources.pieces()).map(piece));
            pipe.put(Stage::Border, &name("color"), texel).at(Stage::Exit)
        };
        (0..TAPS).map(texel).collect()
    }

    /// Linear light of the first channels of each word, if any may be sRGB-coded, at [`Stage::Border`].
    #[kernel]
    fn linear(&self, words: &[Payload<'_, Stage, Bits>]) -> Vec<Bits> {
        /// # Linear light
        let Some(linear) = self.linear.as_ref() else { return vec![] };
        /// They are there two stages later.
        let first = if has_singles(&self._config) { Stage::Shift } else { Stage::Scale };
        let mut codes = vec![];
        for word in words {
            let word = word.at(first);
            codes.extend((0..CODED).map(|channel| word.slice(8 * channel, 8)));
        }
        linear.read(&self.clocks, &codes)
    }

    /// What takes a sum, or a shift, of the word of a place.
    #[kernel]
    fn word(
        &self,
        pipe: &Run<'_, Stage>,
        sources: &Sources,
        place: usize,
        bits: &Payload<'_, Stage, Bits>,
    ) -> Word {
        let word = bits.at(Stage::Scale);
        discard(word, "not all formats have all bits");
        let (mut sums, mut singles) = (vec![], vec![]);
        for source in sources.all() {
            match source {
                Source::Scaled { lo, bits } if needs_sum(bits, sources.piece_bits()) => {
                    let name = format!("scaled_{}_{bits}_from_{lo}", NAMES[place]);
                    let value = scaled(word.slice(lo, bits), sources.piece_bits());
                    sums.push((source, pipe.put(Stage::Scale, &name, value).at(Stage::Select)));
                }
                Source::Single { number, lo: 0 } => {
                    let name = format!("half_{}_{}", CHANNELS[number], NAMES[place]);
                    let parts: Half =
                        pipe.put(Stage::Scale, &name, half(word.slice(16 * number, 16))).at(Stage::Shift);
                    let single = pipe.put(Stage::Shift, &format!("{name}_single"), parts.single());
                    singles.push((number, single.at(Stage::Select)));
                }
                _ => {}
            }
        }
        Word { bits: bits.at(Stage::Select), sums, singles }
    }

    /// Places that show the border, and its pieces, at [`Stage::Border`].
    #[kernel]
    fn border(&self, pipe: &Run<'_, Stage>, tap: &Payload<'_, Stage, ProbeTap>) -> Option<(Bits, Vec<Bits>)> {
        if !self._config.features().has_address_mode(AddressMode::Border) {
            return None;
        }
        /// # Border
        let sources = of_border(&self._config);
        let ProbeTap { format, texels, .. } = tap.at(Stage::Route);
        let (code, compares) = (code_of(format), texels.compares);
        let numbers =
            pipe.put(Stage::Route, "border_source", sources.numbers(code, compares)).at(Stage::Select);
        let presence = sources.presence(code, compares);
        let presence = pipe.put(Stage::Route, "border_presence", presence).at(Stage::Select);
        let mut singles: Vec<Bits> = vec![];
        for (number, channel) in CHANNELS.into_iter().enumerate() {
            let is_asked =
                |source: &Source| matches!(source, Source::Single { number: own, .. } if *own == number);
            if sources.all().iter().any(is_asked) {
                let value = |stage: Stage| tap.at(stage).texels.border.slice(8 * number, 8);
                let name = format!("border_{channel}");
                let turns = turns(value(Stage::Route));
                let turns = pipe.put(Stage::Route, &format!("{name}_turns"), turns).at(Stage::Scale);
                let parts = byte(value(Stage::Scale), turns);
                let parts: Byte = pipe.put(Stage::Scale, &name, parts).at(Stage::Shift);
                let single = pipe.put(Stage::Shift, &format!("{name}_single"), parts.single());
                singles.push(single.at(Stage::Select));
            }
        }
        let colors = tap.at(Stage::Select).texels.border;
        let bits_of = |source: Source| match source {
            Source::Single { number, lo } => singles[number].slice(lo, sources.piece_bits()),
            other => plain(other, colors, sources.piece_bits()),
        };
        let piece = |piece: usize| {
            let own = chosen(&sources, piece, numbers[piece], bits_of);
            own & presence[piece].repeat(own.width())
        };
        let pieces: Vec<Bits> = (0..sources.pieces()).map(piece).collect();
        let pieces = pipe.put(Stage::Select, "border_piece", pieces).at(Stage::Border);
        Some((tap.at(Stage::Border).texels.border_taps, pieces))
    }
}

impl Word {
    /// A piece of the texel at [`Stage::Select`], of the source with a number.
    #[kernel]
    fn piece(&self, sources: &Sources, piece: usize, number: Bits) -> Bits {
        let bits_of = |source: Source| {
            let sum = self.sums.iter().find(|(own, _)| own.eq(&source));
            let is_own = |number: usize| move |(own, _): &&(usize, Bits)| own.eq(&number);
            match (sum, source) {
                (Some((_, sum)), _) => *sum,
                (None, Source::Single { number, lo }) => match self.singles.iter().find(is_own(number)) {
                    Some((_, single)) => single.slice(lo, sources.piece_bits()),
                    None => unreachable!("every single has a lowest piece"),
                },
                (None, other) => plain(other, self.bits, sources.piece_bits()),
            }
        };
        chosen(sources, piece, number, bits_of)
    }
}

/// A piece of the source with a number.
#[kernel]
fn chosen(sources: &Sources, piece: usize, number: Bits, of: impl Fn(Source) -> Bits) -> Bits {
    let all: Vec<Option<Bits>> =
        sources.of_piece(piece).into_iter().map(|source| Some(of(source?))).collect();
    choose(number, &all).unwrap_or_else(|| lit(sources.piece_bits(), 0u32))
}

/// Bits of a word that take no sum.
#[kernel]
fn plain(source: Source, word: Bits, piece_bits: usize) -> Bits {
    match source {
        Source::Stored { lo, bits } => word.slice(lo, bits).zero_extend(piece_bits),
        Source::Scaled { lo, bits } => scaled(word.slice(lo, bits), piece_bits),
        Source::Constant(bits) => lit(piece_bits, bits),
        Source::Nothing | Source::Single { .. } => lit(piece_bits, 0u32),
    }
}
