//! `level_extent`: whether a level of a texture reaches past the end of the texture window, or is none that the texture can have.
//!
//! Keeps the sides of the level whose turn it is: they are halved with each level that comes. Flows freely: latency [`Stage`],
//! initiation interval 1. A multiplier of 11 x 11 bits; with volumes or arrays one of 24 x 13 bits.

use crate::datapath::general::tile::{SIDE_TILE_BITS, side_tiles, tile_half_bits};
use crate::datapath::general::words::{general, has_third_axis};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{Multiplier, Operand};
use tmu_spec::general::Kind;
use tmu_spec::general::texture::FACES;
use tmu_spec::{Config, LINE_BYTES, TEXTURE_ADDRESS_BITS};

/// Bits of a side: 1 to 4096 texels.
const SIDE_BITS: usize = 13;
/// Bits of the number of a line of the window.
pub(super) const WINDOW_LINE_BITS: usize = TEXTURE_ADDRESS_BITS as usize - LINE_BYTES.ilog2() as usize;
/// Bits of the number of the line behind a level, from the start of the window: the sum of three numbers of fewer bits.
const END_BITS: usize = WINDOW_LINE_BITS + 2;
/// Bits that are looked at together: inputs of a LUT.
const BITS_TOGETHER: usize = 6;
/// Bits of the tiles of a slice.
const TILE_BITS: usize = 2 * SIDE_TILE_BITS;

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
    /// With volumes or arrays: they and the slices are in the multiplier.
    SliceFactors,
    /// They are multiplied.
    SliceMultiply,
    /// Lines of all slices.
    Slices,
    /// The line behind the level, from the texture's base.
    End,
    /// The same from the start of the window, as far as it counts.
    Sum,
    /// Whether it is past the window.
    Exit,
}

/// The stages that a configuration has.
fn stages(config: &Config) -> Vec<Stage> {
    let has = |stage: &Stage| {
        has_third_axis(config) || !matches!(stage, Stage::SliceFactors | Stage::SliceMultiply)
    };
    Stage::ALL.iter().copied().filter(has).collect()
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
    /// Texels fill tiles along x.
    pub is_row: Optional<Net<In>>,
    /// The depth of level 0 comes.
    pub depth_loads: Optional<Net<In>>,
    /// Slices or layers less one.
    pub depth: Optional<Net<In>>,
    /// Slices are halved from level to level.
    pub is_volume: Optional<Net<In>>,
    /// For one clock: the level is behind one of a single texel.
    pub is_beyond: Net<Out>,
    /// For one clock: the level ends past the window.
    pub is_past: Net<Out>,
    sides: Vec<Reg>,
    depth_side: Optional<Reg>,
    is_least: Reg,
    pipe: Pipe<Stage>,
    tiles: Multiplier,
    slices: Optional<Multiplier>,
}

impl LevelExtent {
    /// Clocks from a level to the answer.
    pub(super) fn latency_clocks(config: &Config) -> usize {
        stages(config).len() - 1
    }

    /// The block of a configuration.
    pub(super) fn new(config: &Config) -> LevelExtent {
        let clocks = Clocks::new();
        let (has_rows, has_third) = (general(config).has_kind(Kind::D1), has_third_axis(config));
        let line_bits = TILE_BITS + tile_half_bits(config) - 2;
        let factors = (Operand::unsigned(line_bits), Operand::unsigned(SIDE_BITS));
        let side = Operand::unsigned(SIDE_TILE_BITS);
        let extent = LevelExtent {
            loads: Net::bit(),
            width: Net::new(SIDE_BITS - 1),
            height: Net::new(SIDE_BITS - 1),
            in_valid: Net::bit(),
            counts: Net::bit(),
            offset_line: Net::new(WINDOW_LINE_BITS),
            base_line: Net::new(WINDOW_LINE_BITS),
            half_lines: Net::new(tile_half_bits(config)),
            is_cube: Net::bit(),
            is_row: Optional::new(has_rows, Net::bit),
            depth_loads: Optional::new(has_third, Net::bit),
            depth: Optional::new(has_third, || Net::new(SIDE_BITS - 1)),
            is_volume: Optional::new(has_third, Net::bit),
            is_beyond: Net::bit(),
            is_past: Net::bit(),
            sides: Reg::array(2, &clocks, SIDE_BITS),
            depth_side: Optional::new(has_third, || Reg::new(&clocks, SIDE_BITS)),
            is_least: Reg::new(&clocks, 1),
            pipe: Pipe::with(&stages(config)),
            tiles: Multiplier::new(side, side),
            slices: Optional::new(has_third, || Multiplier::new(factors.0, factors.1)),
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
        let [columns, rows] = [0, 1].map(|side: usize| side_tiles(self.sides[side].val()));
        let columns = match self.is_row.as_ref() {
            Some(is_row) => {
                let of_row = side_tiles(columns.zero_extend(SIDE_BITS));
                if is_row.val() { of_row } else { columns }
            }
            None => columns,
        };
        let tiles = pipe.put(Stage::Entry, "tiles", [columns, rows]);
        let [columns, rows] = tiles.at(Stage::Tiles);
        let slice = pipe.through(Stage::Tiles, "slice", &self.tiles, (columns, rows)).at(Stage::Slice);
        let half_lines = self.half_lines.val();
        let half_bits = TILE_BITS + half_lines.width() - 1;
        let times = |place: usize| {
            let shifted = slice.zero_extend(half_bits) << place;
            shifted & half_lines.bit(place).repeat(half_bits)
        };
        /// Six half lines is the only number of two bits.
        let single = (3..half_lines.width()).fold(times(0) | times(1), |single, place| single | times(place));
        let halves = pipe.put(Stage::Slice, "halves", single + times(2));
        let rounded = halves.at(Stage::Halves) + 1;
        discard(rounded.low(1), "a slice is whole lines");
        let lines = pipe.put(Stage::Halves, "lines", rounded.high(half_bits - 1)).at(Stage::Lines);
        let slices = self.all_slices(&pipe, lines);
        /// # The line behind the level
        let offset = pipe.put(Stage::Entry, "offset", self.offset_line.val()).at(Stage::Slices);
        let end = pipe.put(Stage::Slices, "end", slices + offset.zero_extend(END_BITS));
        let end = end.at(Stage::End) + self.base_line.val().zero_extend(END_BITS);
        /// The window's end is just not past it, so that what is below counts too: a bit for a few bits of it.
        let low = (0..WINDOW_LINE_BITS).step_by(BITS_TOGETHER);
        let low = low.map(|first| end.slice(first, BITS_TOGETHER.min(WINDOW_LINE_BITS - first)).any());
        let high = end.high(END_BITS - WINDOW_LINE_BITS);
        let [high, low] = pipe.put(Stage::End, "sum", [high, stack(low.collect::<Vec<_>>())]).at(Stage::Sum);
        let is_more = high.any() && (high.high(1) || low.any()) && counts.at(Stage::Sum);
        self.is_past.next = pipe.put(Stage::Sum, "is_past", is_more).at(Stage::Exit);
    }

    /// The lines of all slices, at [`Stage::Slices`].
    fn all_slices(&self, pipe: &Run<'_, Stage>, lines: Bits) -> Bits {
        let is_cube = self.is_cube.val();
        let (Some(slices), Some(depth)) = (self.slices.as_ref(), self.depth_side.as_ref()) else {
            let twice = cat(&[lines, lit(1, 0u32)]).zero_extend(END_BITS);
            let four_times = cat(&[lines, lit(2, 0u32)]).zero_extend(END_BITS);
            let first = if is_cube { twice } else { lines.zero_extend(END_BITS) };
            let all = first + (four_times & is_cube.repeat(END_BITS));
            return pipe.put(Stage::Lines, "slices", all).at(Stage::Slices);
        };
        /// # Lines of all slices
        let count = if is_cube { lit(SIDE_BITS, FACES) } else { depth.val() };
        let count = pipe.put(Stage::Entry, "count", count).at(Stage::Lines);
        let all = pipe.through(Stage::Lines, "slices", slices, (lines, count)).at(Stage::Slices);
        /// More than all of the window is as much as can be told.
        let is_over = all.high(all.width() - END_BITS + 2).any();
        cat(&[lit(1, 0u32), is_over, all.low(END_BITS - 2)])
    }

    fn halve(&self) {
        /// # Sides
        if let (Some(side), Some(loads), Some(given), Some(is_volume)) = (
            self.depth_side.as_ref(),
            self.depth_loads.as_ref(),
            self.depth.as_ref(),
            self.is_volume.as_ref(),
        ) {
            let half = side.val().high(SIDE_BITS - 1);
            if loads.val() {
                side.next = given.val().zero_extend(SIDE_BITS) + 1;
            } else if self.in_valid.val() && is_volume.val() {
                side.next = cat(&[lit(1, 0u32), half.high(SIDE_BITS - 2), half.low(1) | !half.any()]);
            }
        }
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
            let is_flat = match (self.depth_side.as_ref(), self.is_volume.as_ref()) {
                (Some(side), Some(is_volume)) => !is_volume.val() || is_one(side),
                _ => lit(1, 1u32),
            };
            self.is_least.next = is_one(&self.sides[0]) && is_one(&self.sides[1]) && is_flat;
        }
    }
}
