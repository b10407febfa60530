//! `extent`: whether a texture reaches past the end of the texture window.
//!
//! A texture's tiles, all levels together, are counted without adding: with sides of 2^a and 2^b tiles, a at least b, the
//! levels that have more than one row of tiles have 2^(a+b), 2^(a+b-2) … tiles down to 2^(a-b+2), and those behind them
//! 2^(a-b), 2^(a-b-1) … 1, and 1 twice more, for sides of two texels and one. The last line is what counts, so the
//! count is one less: a bit for each of the first ones, and bit a-b+1 for all the others.
//!
//! Latency 4 clocks from a binding's fields to the answer; they must stay until then. Initiation interval 1. No RAM.

use crate::datapath::format::Kind;
use crate::engine::memory::LINE_BITS;
use tmu_hdl::prelude::*;
use tmu_spec::{Config, Format, LINE_BYTES, TEXTURE_ADDRESS_BITS};

/// Bits of the number of a line of the window.
const WINDOW_LINE_BITS: usize = TEXTURE_ADDRESS_BITS as usize - LINE_BYTES.ilog2() as usize;
/// Bits of the number of a tile of a texture.
const TILE_BITS: usize = 19;
/// Bits of the number of a line of a texture: no more than four lines a tile.
const TEXTURE_LINE_BITS: usize = TILE_BITS + 2;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Extent {
    /// Clock.
    pub clocks: Clocks,
    /// The line that the texture begins with.
    pub first_line: Net<In>,
    /// log2 of the width in texels.
    pub width_log2: Net<In>,
    /// log2 of the height in texels.
    pub height_log2: Net<In>,
    /// What its texels are.
    pub kind: Kind<Field<In>>,
    /// The texture's last line lies behind the window; meant only for a format and sides that there are.
    pub is_past: Net<Out>,
    difference: Reg,
    sum: Reg,
    has_three_levels: Reg,
    has_two_levels: Reg,
    last_tile: Reg,
    last_line: Reg,
    past: Reg,
}

impl Extent {
    /// The block of a configuration.
    pub fn new(config: &Config) -> Extent {
        let clocks = Clocks::without_reset();
        Extent {
            first_line: Net::new(WINDOW_LINE_BITS),
            width_log2: Net::new(4),
            height_log2: Net::new(4),
            kind: Kind::of(config).nets(),
            is_past: Net::bit(),
            difference: Reg::new(&clocks, 4),
            sum: Reg::new(&clocks, 5),
            has_three_levels: Reg::new(&clocks, 1),
            has_two_levels: Reg::new(&clocks, 1),
            last_tile: Reg::new(&clocks, TILE_BITS),
            last_line: Reg::new(&clocks, TEXTURE_LINE_BITS),
            past: Reg::new(&clocks, 1),
            clocks,
        }
    }
}

/// Whether a texture reaches past the end of the texture window.
#[kernel]
impl Extent {
    fn logic(&self) {
        timing(4, 1);
        self.sides();
        self.tiles();
        self.lines();
        self.end();
    }

    fn sides(&self) {
        /// # Sides in tiles
        let (width_log2, height_log2) = (self.width_log2.val(), self.height_log2.val());
        /// log2 of a side in tiles: two less, or none, since a side under four texels is stored as four. Written bit by bit,
        /// which saves a carry chain in front of those of the difference.
        let tiles_log2 = |size_log2: Bits| {
            let is_long = size_log2.high(2).any();
            let (bit_0, bit_1) = (size_log2.bit(0), size_log2.bit(1));
            cat(&[
                size_log2.bit(3) && (size_log2.bit(2) || bit_1),
                (size_log2.bit(2) && bit_1) || (size_log2.bit(3) && !size_log2.bit(2) && !bit_1),
                is_long && !bit_1,
                (is_long || bit_1) && bit_0,
            ])
        };
        let (columns, rows) = (tiles_log2(width_log2), tiles_log2(height_log2));
        self.difference.next = if columns > rows { columns - rows } else { rows - columns };
        self.sum.next = columns.zero_extend(5) + rows.zero_extend(5);
        let is_long = width_log2.high(3).any() || height_log2.high(3).any();
        self.has_three_levels.next = is_long;
        self.has_two_levels.next = !is_long && (width_log2.bit(0) || height_log2.bit(0));
    }

    fn tiles(&self) {
        /// # The last tile, counted from the first
        let (difference, sum) = (self.difference.val(), self.sum.val());
        let tile_bit = |bit: usize| {
            let bit = bit as u64;
            match bit {
                0 => self.has_two_levels.val(),
                1 => difference == 0 && self.has_three_levels.val(),
                _ => {
                    let has_parity = if bit & 1 == 1 { difference.bit(0) } else { !difference.bit(0) };
                    /// No texture has so long a side that the difference would not fit.
                    let rest = bit - 1;
                    let (is_less, is_rest) = if rest >> difference.width() == 0 {
                        (difference < rest, difference == rest)
                    } else {
                        (lit(1, 1u32), lit(1, 0u32))
                    };
                    (sum >= bit && is_less && has_parity) || is_rest
                }
            }
        };
        let tile_bits: Vec<Bits> = (0..TILE_BITS).rev().map(tile_bit).collect();
        self.last_tile.next = cat(&tile_bits);
    }

    fn lines(&self) {
        /// # The last line, counted from the first
        let last_tile = self.last_tile.val();
        let bits = TEXTURE_LINE_BITS;
        let kind = self.kind.val();
        let is_packed = kind.packing.any();
        let is_rgba = !kind.is_rgb && !kind.is_indexed && !is_packed;
        let tiles = last_tile.zero_extend(bits);
        /// Four lines a tile, or two.
        let two = if is_packed { cat(&[last_tile, lit(1, 1u32)]).zero_extend(bits) } else { tiles };
        let own = if is_rgba { cat(&[last_tile, lit(2, 3u32)]) } else { two };
        /// Three lines a tile: twice the tiles once more, and two. The number is even, unless it is 1.
        let twice = cat(&[
            lit(1, 0u32),
            last_tile.high(TILE_BITS - 2),
            last_tile.bit(1) || last_tile.bit(0),
            !last_tile.bit(0),
            lit(1, 0u32),
        ]);
        let table = |format: Format| lit(bits, format.color_table_bytes() / LINE_BYTES);
        let entries = if kind.is_rgb { table(Format::I8Rgb8) } else { table(Format::I8Rgba8) };
        let without = if is_rgba || is_packed { lit(bits, 0u32) } else { twice };
        self.last_line.next = own + if kind.is_indexed { entries } else { without };
    }

    fn end(&self) {
        /// # The end of the window
        let first_line = self.first_line.val();
        let below = first_line.low(TEXTURE_LINE_BITS).zero_extend(TEXTURE_LINE_BITS + 1);
        let end = below + self.last_line.val().zero_extend(TEXTURE_LINE_BITS + 1);
        discard(end.low(TEXTURE_LINE_BITS), "only whether there is such a line counts");
        self.past.next = first_line.high(WINDOW_LINE_BITS - TEXTURE_LINE_BITS).all() && end.high(1);
        self.is_past.next = self.past.val();
    }
}

const _: () = assert!(LINE_BITS == 8 * LINE_BYTES as usize, "a tile of four bytes a texel has four lines");
