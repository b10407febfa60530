//! `texels`: the ring of lines, and the bytes of a piece out of it.
//!
//! Lines stand in two memories by the parity of their number, so that a piece is read in one clock wherever it begins. Two lines
//! are then shifted to its first byte, and of level 0 texels beyond the edge become the last one in front of it.
//!
//! Latency: the stages of [`Stage`], initiation interval 1. Two memories of half the ring in block RAM.

use super::pieces::{PieceWord, TapWord, piece_word, tap_word};
use super::words::{TEXEL_BYTES, chosen};
use crate::engine::memory::{LINE_BITS, LINE_BYTES};
use Stage::{Coarse, Edge, Entry, Exit, Fine, Order};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{RamShape, RamSimpleDualPort, RamStyle};

/// Texels of a row of a tile.
const SIDE: usize = 4;

/// Where a piece is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
pub enum Stage {
    /// Its lines are asked for.
    Entry,
    /// They are in the memory.
    Read,
    /// They are there.
    Order,
    /// They are in order, and shifted by multiples of four bytes.
    Coarse,
    /// By the rest.
    Fine,
    /// The edge is repeated.
    Edge,
    /// It leaves.
    Exit,
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Texels {
    /// Clock and reset.
    pub clocks: Clocks,
    /// A bit for each texel size.
    pub bytes: Net<In>,
    /// Level 0 is made.
    pub is_copy: Net<In>,
    /// A line is written.
    pub writes: Net<In>,
    /// Where.
    pub place: Net<In>,
    /// The line.
    pub line: Net<In>,
    /// A piece comes.
    pub valid: Net<In>,
    /// See [`PieceWord`].
    pub piece: PieceWord<Field<In>>,
    /// Its bytes are there.
    pub texel_valid: Net<Out>,
    /// Sixteen bytes, from its first one on.
    pub data: Net<Out>,
    /// What it is for.
    pub tap: TapWord<Field<Out>>,
    banks: [RamSimpleDualPort; 2],
    pipe: Pipe<Stage>,
}

impl Texels {
    /// For a ring whose places have so many bits.
    #[must_use]
    pub fn new(ring_bits: usize) -> Texels {
        let bank = || {
            let shape = RamShape::new(1 << (ring_bits - 1), LINE_BITS);
            RamSimpleDualPort::new(shape.style(RamStyle::Block).output_register(true).reads_apart())
        };
        let texels = Texels {
            clocks: Clocks::new(),
            bytes: Net::new(TEXEL_BYTES.len()),
            is_copy: Net::bit(),
            writes: Net::bit(),
            place: Net::new(ring_bits),
            line: Net::new(LINE_BITS),
            valid: Net::bit(),
            piece: piece_word(ring_bits).nets(),
            texel_valid: Net::bit(),
            data: Net::new(LINE_BITS),
            tap: tap_word().nets(),
            banks: [bank(), bank()],
            pipe: Pipe::new(),
        };
        texels.pipe.plan(&texels.clocks, || texels.logic());
        texels
    }
}

/// Bytes of two lines from a byte on, of which there are as many choices as `count` has numbers.
#[kernel]
fn shifted(bytes: Bits, count: Bits, step_bytes: usize, kept_bytes: usize) -> Bits {
    let at = |number: usize| bytes.slice(8 * number * step_bytes, 8 * kept_bytes);
    let near = if count.bit(0) { at(1) } else { at(0) };
    let far = if count.bit(0) { at(3) } else { at(2) };
    if count.bit(1) { far } else { near }
}

/// The byte of a row of a tile that takes the place of one, where texels have so many bytes and the last one of the row has this number:
/// of a texel behind the last one, the same byte of the last one.
fn source(number: usize, texel_bytes: usize, last: usize) -> usize {
    let texels = (LINE_BYTES / texel_bytes).min(SIDE);
    let (texel, part) = (number / texel_bytes, number % texel_bytes);
    if texel < texels { texel.min(last) * texel_bytes + part } else { number }
}

/// The bytes that [`source`] may name.
fn sources(number: usize) -> Vec<usize> {
    let mut found = Vec::new();
    for texel_bytes in TEXEL_BYTES {
        found.extend((0..SIDE).map(|last| source(number, texel_bytes as usize, last)));
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// For each byte, a bit for each of its [`sources`]: the one that it comes from.
#[kernel]
fn are_sources(bytes: Bits, last: Bits) -> Vec<Bits> {
    let is_chosen = |number: usize, wanted: usize| {
        let mut found = lit(1, 0u32);
        for (index, texel_bytes) in TEXEL_BYTES.into_iter().enumerate() {
            for end in 0..SIDE {
                if source(number, texel_bytes as usize, end) == wanted {
                    found = found || (bytes.bit(index) && last == end as u64);
                }
            }
        }
        found
    };
    let of_byte = |number: usize| stack(sources(number).into_iter().map(|wanted| is_chosen(number, wanted)));
    (0..LINE_BYTES).map(of_byte).collect()
}

/// The texels of a row of a tile, those behind the last one as that one.
#[kernel]
fn edge(data: Bits, is_source: &[Bits]) -> Bits {
    let of_byte = |number: usize| {
        let sources = sources(number);
        chosen(is_source[number], 8, |index| data.slice(8 * sources[index], 8))
    };
    stack((0..LINE_BYTES).map(of_byte))
}

/// The ring of lines, and pieces out of it.
#[kernel]
impl Texels {
    fn module_name(&self) -> String {
        "loader_texels".into()
    }

    fn logic(&self) {
        let pipe = self.pipe.run(&self.clocks, lit(1, 1u32));
        pipe.timing();
        /// # Lines
        let piece = self.piece.val();
        let valid = pipe.flag(Entry, "valid", self.valid.val());
        let half = self.place.width() - 1;
        let is_odd = piece.line.bit(0);
        let upper = piece.line.high(half);
        let lines = [0, 1].map(|parity: usize| {
            let bank = &self.banks[parity];
            let is_own = self.place.val().bit(0) == parity as u64;
            bank.clocks.follow(&self.clocks);
            bank.write_enable.next = self.writes.val() && is_own;
            bank.write_address.next = self.place.val().high(half);
            bank.write_data.next = self.line.val();
            bank.read_enable.next = self.valid.val();
            /// Of an odd line the one behind it is the next even one.
            bank.read_address.next = if parity == 0 { upper + is_odd.zero_extend(half) } else { upper };
            if let Some(enable) = bank.output_enable.as_ref() {
                enable.next = 1;
            }
            bank.read_data.val()
        });
        let [even, odd] = pipe.put(Order, "lines", lines).at(Order);
        let is_odd = pipe.put(Entry, "is_odd", is_odd);
        let ordered = if is_odd.at(Order) { cat(&[even, odd]) } else { cat(&[odd, even]) };
        /// # Bytes
        let [word, byte] = [("word", piece.byte.high(2)), ("byte", piece.byte.low(2))]
            .map(|(name, of)| pipe.put(Entry, name, of));
        /// A texel that begins in the last byte of the first line ends before the last one of the second.
        discard(ordered.high(8), "as said");
        let ordered = pipe.put(Order, "ordered", ordered.low(8 * (2 * LINE_BYTES - 1))).at(Coarse);
        let coarse = shifted(ordered, word.at(Coarse), 4, LINE_BYTES + 3);
        let coarse = pipe.put(Coarse, "coarse", coarse).at(Fine);
        let fine = shifted(coarse, byte.at(Fine), 1, LINE_BYTES);
        let fine = pipe.put(Fine, "fine", fine).at(Edge);
        /// Of smaller levels texels beyond the edge have been taken from in front of it.
        let last = if self.is_copy.val() { piece.last } else { lit(2, (SIDE - 1) as u32) };
        let last = pipe.put(Entry, "last", last).at(Fine);
        let is_source = pipe.put(Fine, "is_source", are_sources(self.bytes.val(), last)).at(Edge);
        self.data.next = pipe.put(Edge, "data", edge(fine, &is_source)).at(Exit);
        self.texel_valid.next = valid.at(Exit);
        self.tap.next = pipe.put(Entry, "tap", piece.tap).at(Exit);
    }
}
