//! Where each piece of a decoded texel comes from: a table of formats, from that of `tmu_spec`.
//!
//! A decoded texel is channels of C bits, R lowest, or IEEE singles of 32 bits, R lowest. A piece is C bits of it. Its sources are the
//! bytes of a texel, zeros above them up to four, or the bytes of the border's colour.

use crate::datapath::general::words::{FORMAT_BITS, channels_bits, general};
use tmu_hdl::prelude::*;
use tmu_spec::format::Texel;
use tmu_spec::{Config, Format};

/// Number of alpha among channels.
const ALPHA: usize = 3;
/// Bits of a single.
const SINGLE_BITS: usize = 32;
/// Bits of a channel of the border.
const BORDER_CHANNEL_BITS: usize = 8;
/// Bits of a code that tell formats apart.
pub(super) const CODE_BITS: usize = 6;

/// What a piece is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// Zeros.
    Nothing,
    /// The same bits always.
    Constant(u64),
    /// Bits as they are.
    Stored {
        /// The lowest one.
        lo: usize,
        /// How many.
        bits: usize,
    },
    /// A number of so many bits in as many bits as a piece has.
    Scaled {
        /// The lowest bit.
        lo: usize,
        /// Bits of the number.
        bits: usize,
    },
    /// A part of the single of a half, or of the border's channel.
    Single {
        /// Which half or channel.
        number: usize,
        /// The lowest bit.
        lo: usize,
    },
}

/// A piece of a texel.
#[derive(Clone, Copy)]
pub(super) struct Piece {
    /// Its bits.
    pub(super) bits: usize,
    /// Its number.
    pub(super) number: usize,
}

impl Piece {
    /// The bits of a number of so many bits that the piece has, if that stands lowest: the first, and how many.
    fn part(self, bits: usize) -> Option<(usize, usize)> {
        let lo = self.bits * self.number;
        (lo < bits).then(|| (lo, self.bits.min(bits - lo)))
    }

    fn one(self) -> Source {
        Source::Constant((1 << self.bits) - 1)
    }

    /// A number in as many bits as the piece has.
    fn scaled(self, lo: usize, bits: usize) -> Source {
        if bits == self.bits { Source::Stored { lo, bits } } else { Source::Scaled { lo, bits } }
    }

    /// A channel of a float format: its single, of which it says where it comes from.
    fn single(self, channels: usize, of: impl Fn(usize, usize) -> Source) -> Source {
        let place = self.bits * self.number;
        let (channel, lo) = (place / SINGLE_BITS, place % SINGLE_BITS);
        let one = u64::from(1.0f32.to_bits()) >> lo & ((1 << self.bits) - 1);
        match channel {
            _ if channel < channels => of(channel, lo),
            ALPHA if one > 0 => Source::Constant(one),
            _ => Source::Nothing,
        }
    }

    /// Alpha that is not there is full, colours are not.
    fn missing(self) -> Source {
        if self.number == ALPHA { self.one() } else { Source::Nothing }
    }

    /// Where it comes from in a texel that is compared or not.
    pub(super) fn of_texel(self, format: Format, is_compared: bool) -> Source {
        match format.texel() {
            Texel::Depth { bits, .. } if is_compared => {
                self.part(bits as usize).map_or(Source::Nothing, |(lo, bits)| Source::Stored { lo, bits })
            }
            Texel::DepthFloat => self
                .single(1, |channel, lo| Source::Stored { lo: SINGLE_BITS * channel + lo, bits: self.bits }),
            Texel::Floats { bits, channels } => self.single(channels as usize, |channel, lo| match bits {
                16 => Source::Single { number: channel, lo },
                _ => Source::Stored { lo: SINGLE_BITS * channel + lo, bits: self.bits },
            }),
            _ if self.number > ALPHA => Source::Nothing,
            Texel::Depth { bits, .. } if self.number == 0 => self.scaled(0, bits as usize),
            Texel::Depth { .. } => self.missing(),
            Texel::Block(block) => match block.channel_bits as usize {
                8 => self.scaled(8 * self.number, 8),
                bits if self.number < block.channels as usize => self.scaled(bits * self.number, bits),
                _ => self.missing(),
            },
            Texel::Color(packing) | Texel::Index(packing) => {
                let channel = packing.channels[self.number];
                match channel.bits as usize {
                    // Texels of three bytes come with their alpha.
                    0 if packing.bytes == 3 => self.scaled(8 * ALPHA, 8),
                    0 => self.missing(),
                    bits => self.scaled(channel.lo as usize, bits),
                }
            }
        }
    }

    /// Where it comes from in the border.
    pub(super) fn of_border(self, format: Format, is_compared: bool) -> Source {
        let byte = |channel: usize| self.scaled(BORDER_CHANNEL_BITS * channel, BORDER_CHANNEL_BITS);
        let stored =
            |channels: u32| if self.number < channels as usize { byte(self.number) } else { self.missing() };
        match format.texel() {
            // Red as an integer is itself over and over.
            Texel::Depth { bits, .. } if is_compared => match self.part(bits as usize) {
                Some((_, BORDER_CHANNEL_BITS)) => Source::Stored { lo: 0, bits: BORDER_CHANNEL_BITS },
                Some(_) => byte(0),
                None => Source::Nothing,
            },
            Texel::DepthFloat => self.single(1, |number, lo| Source::Single { number, lo }),
            Texel::Floats { channels, .. } => {
                self.single(channels as usize, |number, lo| Source::Single { number, lo })
            }
            _ if self.number > ALPHA => Source::Nothing,
            Texel::Depth { .. } => stored(1),
            Texel::Block(block) => stored(block.channels),
            Texel::Color(packing) | Texel::Index(packing) => match packing.channels[self.number].bits {
                0 => self.missing(),
                _ => byte(self.number),
            },
        }
    }
}

/// What the pieces of texels, or of the border, are made of, of all formats that are built.
pub(super) struct Sources {
    uses: Vec<(Format, bool)>,
    /// For each piece what each of the uses makes it of.
    of_uses: Vec<Vec<Source>>,
    piece_bits: usize,
}

impl Sources {
    /// Those of a configuration.
    pub(super) fn new(config: &Config, of: impl Fn(Piece, Format, bool) -> Source) -> Sources {
        let bits = general(config).channel_bits as usize;
        let compares = general(config).compare;
        let uses = config.features().formats().flat_map(|format| {
            let compared = (compares && format.is_depth()).then_some((format, true));
            [Some((format, false)), compared].into_iter().flatten()
        });
        let uses: Vec<(Format, bool)> = uses.collect();
        let of_piece = |number: usize| {
            let piece = Piece { bits, number };
            uses.iter().map(|(format, is_compared)| of(piece, *format, *is_compared)).collect()
        };
        let of_uses = (0..channels_bits(config) / bits).map(of_piece).collect();
        Sources { uses, of_uses, piece_bits: bits }
    }

    /// Pieces of a texel.
    pub(super) fn pieces(&self) -> usize {
        self.of_uses.len()
    }

    /// Bits of a piece.
    pub(super) fn piece_bits(&self) -> usize {
        self.piece_bits
    }

    /// What a piece may be made of but nothing, by its number in this list, whose length is a power of two.
    pub(super) fn of_piece(&self, piece: usize) -> Vec<Option<Source>> {
        let uses = self.of_uses[piece].iter().copied();
        let mut sources = listed(uses.filter(|source| *source != Source::Nothing));
        sources.resize(sources.len().next_power_of_two(), None);
        sources
    }

    /// What any piece may be made of.
    pub(super) fn all(&self) -> Vec<Source> {
        listed((0..self.pieces()).flat_map(|piece| self.of_piece(piece)).flatten())
            .into_iter()
            .flatten()
            .collect()
    }

    /// For each piece the number of what it is made of.
    #[kernel]
    pub(super) fn numbers(&self, code: Bits, is_compared: Bits) -> Vec<Bits> {
        let number = |piece: usize| {
            let sources = self.of_piece(piece);
            let bits = sources.len().ilog2() as usize;
            let number = |source: Source| sources.iter().position(|own| own.eq(&Some(source))).unwrap_or(0);
            let bit =
                |place: usize| self.told(piece, code, is_compared, |source| number(source) >> place & 1 == 1);
            stack((0..bits.max(1)).map(bit))
        };
        (0..self.pieces()).map(number).collect()
    }

    /// For each piece whether it is made of anything.
    #[kernel]
    pub(super) fn presence(&self, code: Bits, is_compared: Bits) -> Vec<Bits> {
        let is_there =
            |piece: usize| self.told(piece, code, is_compared, |source| source.ne(&Source::Nothing));
        (0..self.pieces()).map(is_there).collect()
    }

    /// One bit: what a piece is made of is so. A LUT for texels that are compared, and one for others.
    #[kernel]
    fn told(&self, piece: usize, code: Bits, is_compared: Bits, is_so: impl Fn(Source) -> bool) -> Bits {
        let of = |compared: bool| {
            let uses =
                || self.uses.iter().zip(&self.of_uses[piece]).filter(move |((_, own), _)| *own == compared);
            let ones = uses().filter(|(_, source)| is_so(**source));
            let ones = ones.fold(0u64, |ones, ((format, _), _)| ones | 1 << format.code());
            let all = uses().fold(0u64, |all, ((format, _), _)| all | 1 << format.code());
            (ones, all)
        };
        let ((plain, built), (compared, depths)) = (of(false), of(true));
        let lookup = |ones: u64, all: u64| {
            if ones == all || ones == 0 {
                lit(1, u32::from(ones > 0))
            } else {
                lit(1 << CODE_BITS, ones).at(code)
            }
        };
        discard(code, "what is there does not depend on all of it");
        let plain_bit = lookup(plain, built);
        if plain & depths == compared {
            return plain_bit;
        }
        if is_compared { lookup(compared, depths) } else { plain_bit }
    }
}

/// Each source once.
fn listed(sources: impl Iterator<Item = Source>) -> Vec<Option<Source>> {
    sources.fold(vec![], |mut all, source| {
        if !all.contains(&Some(source)) {
            all.push(Some(source));
        }
        all
    })
}

/// The bits of a code that tell formats apart.
#[kernel]
pub(super) fn code_of(format: Bits) -> Bits {
    discard(format.high(FORMAT_BITS - CODE_BITS), "no code is so high");
    format.low(CODE_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_told_apart() {
        assert!(Format::ALL.into_iter().all(|format| u32::from(format.code()) >> CODE_BITS == 0));
    }
}
