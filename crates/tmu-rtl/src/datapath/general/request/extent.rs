//! `level_extent`: whether a level of a texture reaches past the end of the texture window, or is none that the texture can have.
//!
//! Keeps the sides of the level whose turn it is: they are halved with each level that comes. Flows freely: latency [`Stage`],
//! initiation interval 1. A multiplier of 11 x 11 bits.

use crate::datapath::general::tile::{SIDE_TILE_BITS, TILE_HALF_BITS, side_tiles};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{Multiplier, Operand};
use tmu_spec::{Config, LINE_BYTES, TEXTURE_ADDRESS_BITS};

/// Bits of a side: 1 to 4096 texels.
const SIDE_BITS: usize = 13;
/// Bits of the number of a line of the window.
pub(super) const WINDOW_LINE_BITS: usize = TEXTURE_ADDRESS_BITS as usize - LINE_BYTES.ilog2() as usize;
/// Bits of the number of the line behind a level, from the start of the window: the sum of three numbers of fewer bits.
const END_BITS: usize = WINDOW_LINE_BITS + 2;
/// Bits of the tiles of a slice, and of their half lines.
const TILE_BITS: usize = 2 * SIDE_TILE_BITS;
const HALF_BITS: usize = TILE_BITS + TILE_HALF_BITS - 1;

/// Where a level is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
pub(super) enum Stage {
    /// Its offset comes in.
    Entry,
    /// Its sides in tiles go into the multiplier.
    Tiles,
    /// They are in the multiplier.
    Factors,
    /// They are multiplied.
    Multiply,
    /// The tiles of a slice are there.
    Slice,
    /// Half lines of a slice.
    Halves,
    /// Lines of a slice.
    Lines,
    /// Lines of all slices.
    Slices,
    /// The line behind the level, from the texture's base.
    End,
    /// The same from the start of the window.
    Exit,
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub(super) struct LevelExtent {
    /// Clock and reset.
    pub clocks: Clocks,
    /// The sides of level 0 come.
    pub loads: Net<In>,
    /// Width less one.
    pub width: Net<In>,
    /// Height less one.
    pub height: Net<In>,
    /// A level comes, the next smaller one each time.
    pub in_valid: Net<In>,
    /// The texture has the level.
    pub counts: Net<In>,
    /// Its first line, from the texture's base.
    pub offset_line: Net<In>,
    /// The texture's first line.
    pub base_line: Net<In>,
    /// Half lines of a tile.
    pub half_lines: Net<In>,
    /// Each level has six slices.
    pub is_cube: Net<In>,
    /// For one clock: the level is behind one of a single texel.
    pub is_beyond: Net<Out>,
    /// For one clock: the level ends past the window.
    pub is_past: Net<Out>,
    sides: Vec<Reg>,
    is_least: Reg,
    pipe: Pipe<Stage>,
    tiles: Multiplier,
}

impl LevelExtent {
    /// Clocks from a level to the answer.
    pub(super) const LATENCY_CLOCKS: usize = Stage::ALL.len() - 1;

    /// The block of a configuration.
    pub(super) fn new(_config: &Config) -> LevelExtent {
        let clocks = Clocks::new();
        let side = Operand::unsigned(SIDE_TILE_BITS);
        let extent = LevelExtent {
            loads: Net::bit(),
            width: Net::new(SIDE_BITS - 1),
            height: Net::new(SIDE_BITS - 1),
            in_valid: Net::bit(),
            counts: Net::bit(),
            offset_line: Net::new(WINDOW_LINE_BITS),
            base_line: Net::new(WINDOW_LINE_BITS),
            half_lines: Net::new(TILE_HALF_BITS),
            is_cube: Net::bit(),
            is_beyond: Net::bit(),
            is_past: Net::bit(),
            sides: Reg::array(2, &clocks, SIDE_BITS),
            is_least: Reg::new(&clocks, 1),
            pipe: Pipe::new(),
            tiles: Multiplier::new(side, side),
            clocks,
        };
        extent.pipe.plan(&extent.clocks, || extent.logic());
        extent
    }
}

/// Levels to whether they are where they may be.
#[kernel]
impl LevelExtent {
    fn logic(&self) {
        let pipe = self.pipe.run(&self.clocks, lit(1, 1u32));
        pipe.timing();
        self.halve();
        let comes = self.in_valid.val() && self.counts.val();
        self.is_beyond.next = comes && self.is_least.val();
        let counts = pipe.flag(Stage::Entry, "counts", comes);
        /// # Lines of a slice
        let tiles =
            pipe.put(Stage::Entry, "tiles", [0, 1].map(|side: usize| side_tiles(self.sides[side].val())));
        let [columns, rows] = tiles.at(Stage::Tiles);
        let slice = pipe.through(Stage::Tiles, "slice", &self.tiles, (columns, rows)).at(Stage::Slice);
        let half_lines = self.half_lines.val();
        let times = |place: usize| {
            let shifted = slice.zero_extend(HALF_BITS) << lit(2, place as u32);
            shifted & half_lines.bit(place).repeat(HALF_BITS)
        };
        let halves = pipe.put(Stage::Slice, "halves", (times(0) | times(1) | times(3)) + times(2));
        let rounded = halves.at(Stage::Halves) + 1;
        discard(rounded.low(1), "a slice is whole lines");
        let lines = pipe.put(Stage::Halves, "lines", rounded.high(HALF_BITS - 1)).at(Stage::Lines);
        let twice = cat(&[lines, lit(1, 0u32)]).zero_extend(END_BITS);
        let four_times = cat(&[lines, lit(2, 0u32)]).zero_extend(END_BITS);
        let is_cube = self.is_cube.val();
        let first = if is_cube { twice } else { lines.zero_extend(END_BITS) };
        let slices = pipe.put(Stage::Lines, "slices", first + (four_times & is_cube.repeat(END_BITS)));
        /// # The line behind the level
        let offset = pipe.put(Stage::Entry, "offset", self.offset_line.val()).at(Stage::Slices);
        let end = pipe.put(Stage::Slices, "end", slices.at(Stage::Slices) + offset.zero_extend(END_BITS));
        let end = end.at(Stage::End) + self.base_line.val().zero_extend(END_BITS);
        let over = end.high(END_BITS - WINDOW_LINE_BITS).any();
        let is_more = over && (end.high(1) || end.low(WINDOW_LINE_BITS).any());
        self.is_past.next = pipe.put(Stage::End, "is_past", is_more && counts.at(Stage::End)).at(Stage::Exit);
    }

    fn halve(&self) {
        /// # Sides
        let given = [self.width.val(), self.height.val()];
        for (side, given) in self.sides.iter().zip(given) {
            let half = side.val().high(SIDE_BITS - 1);
            if self.loads.val() {
                side.next = given.zero_extend(SIDE_BITS) + 1;
            } else if self.in_valid.val() {
                side.next = cat(&[lit(1, 0u32), half.high(SIDE_BITS - 2), half.low(1) | !half.any()]);
            }
        }
        let is_one = |side: &Reg| side.val() == 1;
        if self.loads.val() {
            self.is_least.next = 0;
        } else if self.in_valid.val() {
            self.is_least.next = is_one(&self.sides[0]) && is_one(&self.sides[1]);
        }
    }
}
