//! `walk`: over the texels of regions, in the order in which the level stands in memory.
//!
//! Of level 0 a **piece** is up to 16 bytes of a row of a tile. Of a smaller level it is two texels side by side, under one texel of the
//! level: `taps` of them, two rows of one pair where all axes are even, are read one after the other. Texels beyond the edge of the level are those at the edge.
//!
//! A region is walked over when all its lines have come, a piece a clock, as long as there is room for what comes out; what is
//! under way then always has room. Two clocks between regions. Latency of a piece 5 clocks.

use super::pieces::{BYTE_BITS, PieceWord, TapWord, piece_word};
use super::words::{
    AXES, GROUP_BITS, LevelWord, PLACE_BITS, REGION_LINES_BITS, ROW_LINES_BITS, SIDE_BITS, TILES_BITS,
    level_word, nearest, region_word, times_bytes,
};
use Stage::{Bytes, Clamp, Entry, Exit, Rows, Sum};
use tmu_hdl::prelude::*;

/// Bits of a number of a texel of a region, counted in texels: along a row of texels, or of tiles.
const NUMBER_BITS: usize = 9;
/// Bits of a place in a row of a region, in bytes.
const COLUMN_BITS: usize = 13;

/// Where a piece is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
pub enum Stage {
    /// Its numbers are known.
    Entry,
    /// Those beyond the edge are the edge's.
    Clamp,
    /// Row and column are found.
    Rows,
    /// In bytes.
    Bytes,
    /// They are added up.
    Sum,
    /// It leaves.
    Exit,
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Walk {
    /// Clock and reset.
    pub clocks: Clocks,
    /// A level starts.
    pub start: Net<In>,
    /// What holds for it.
    pub level: LevelWord<Field<In>>,
    /// Regions that are asked for.
    pub region: StreamIn,
    /// A line is written into the ring.
    pub arrives: Net<In>,
    /// There is room for what comes out.
    pub has_room: Net<In>,
    /// Lines of a region that has been walked over, for this clock.
    pub freed: Net<Out>,
    /// A piece, for this clock.
    pub valid: Net<Out>,
    /// See [`PieceWord`].
    pub piece: PieceWord<Field<Out>>,
    /// A region is walked over; it has ended, and what follows from that has two clocks until the next one.
    walks: Reg,
    has_ended: Reg,
    arrived: Reg,
    /// Lines of a region that is taken, and whether all of the next one are there.
    taken: Reg,
    has_all: Reg,
    base: Reg,
    row: Reg,
    lines: Reg,
    last_tile: Reg,
    ends_row: Reg,
    thrice: Reg,
    slice: Reg,
    freed_seen: Reg,
    /// Numbers of tile, row and column in it, and of taps.
    tile: Reg,
    y: Reg,
    x: Reg,
    tap: [Reg; AXES],
    /// The last tap of each axis, and the last piece or texel of a row of a tile: they hold for the level.
    last_tap: [Reg; AXES],
    last_piece: Reg,
    /// Each is at its last number; all taps are; the last row of the last tile is walked over. Found a clock ahead.
    ends_tap: [Reg; AXES],
    ends_x: Reg,
    ends_y: Reg,
    ends_taps: Reg,
    ends_region: Reg,
    /// Place of the region: tiles of a row in front of it, rows of tiles, slices.
    first_tile: Reg,
    tile_row: Reg,
    level_slice: Reg,
    /// What follows from the place while it stands still: the row of tiles is the last one, and the tile behind the region.
    is_last_row: Reg,
    behind: Reg,
    pipe: Pipe<Stage>,
    _ring_bits: usize,
}

impl Walk {
    /// For a ring whose places have so many bits.
    #[must_use]
    pub fn new(ring_bits: usize) -> Walk {
        let clocks = Clocks::new();
        let counter = |bits: usize| Reg::with_reset(&clocks, bits, 0);
        let walk = Walk {
            start: Net::bit(),
            level: level_word().nets(),
            region: StreamIn::new(region_word().width()),
            arrives: Net::bit(),
            has_room: Net::bit(),
            freed: Net::new(REGION_LINES_BITS),
            valid: Net::bit(),
            piece: piece_word(ring_bits).nets(),
            walks: counter(1),
            has_ended: counter(1),
            arrived: counter(ring_bits + 1),
            taken: counter(REGION_LINES_BITS),
            has_all: counter(1),
            base: counter(ring_bits),
            row: Reg::new(&clocks, ROW_LINES_BITS),
            lines: Reg::new(&clocks, REGION_LINES_BITS),
            last_tile: Reg::new(&clocks, GROUP_BITS - 1),
            ends_row: Reg::new(&clocks, 1),
            thrice: Reg::new(&clocks, REGION_LINES_BITS),
            slice: Reg::new(&clocks, REGION_LINES_BITS),
            freed_seen: counter(REGION_LINES_BITS),
            tile: counter(GROUP_BITS - 1),
            y: counter(2),
            x: counter(2),
            tap: [counter(2), counter(2), counter(2)],
            last_tap: [counter(2), counter(2), counter(2)],
            last_piece: counter(2),
            ends_tap: [counter(1), counter(1), counter(1)],
            ends_x: counter(1),
            ends_y: counter(1),
            ends_taps: counter(1),
            ends_region: counter(1),
            first_tile: Reg::new(&clocks, TILES_BITS),
            tile_row: Reg::new(&clocks, TILES_BITS),
            level_slice: Reg::new(&clocks, SIDE_BITS),
            is_last_row: Reg::new(&clocks, 1),
            behind: Reg::new(&clocks, TILES_BITS),
            pipe: Pipe::new(),
            clocks,
            _ring_bits: ring_bits,
        };
        walk.pipe.plan(&walk.clocks, || walk.logic());
        walk
    }
}

/// Numbers of a piece, where those beyond the edge are the edge's.
struct Kept<'a> {
    /// Column in its tile.
    x: Payload<'a, Stage, Bits>,
    /// How many columns of the level are behind it, there.
    last: Payload<'a, Stage, Bits>,
    /// Row of what the level is made from.
    row: Payload<'a, Stage, Bits>,
    /// Place of the texel that is made.
    place: Payload<'a, Stage, [Bits; AXES]>,
}

/// Over the texels of regions.
#[kernel]
impl Walk {
    fn module_name(&self) -> String {
        "loader_walk".into()
    }

    fn logic(&self) {
        let level = self.level.val();
        for unused in [
            level.layout,
            level.is_srgb,
            level.source,
            level.pitch,
            level.slice_pitch,
            level.row_lines,
            level.last_row,
            level.last_column,
            level.step,
            level.extra,
            level.group,
            level.slices,
            level.region_rows,
            level.is_volume,
            cat(&level.reciprocal),
            cat(&level.whole),
        ] {
            discard(unused, "regions are as large as they say");
        }
        self.regions(&level);
        let ends = self.count(&level);
        self.places(&level, ends);
        self.piece(&level);
    }

    /// One bit: a piece is read.
    fn goes(&self) -> Bits {
        self.walks.val() && self.has_room.val()
    }

    fn regions(&self, level: &LevelWord) {
        /// # Regions
        let next = region_word().unpack(self.region.data.val());
        let width = self.arrived.width();
        let has_all = self.region.valid.val() && self.arrived.val() >= next.lines.zero_extend(width);
        let takes = !self.walks.val() && !self.has_ended.val() && self.has_all.val();
        self.has_all.next = has_all && !self.walks.val() && !takes;
        self.region.ready.next = takes;
        self.taken.next = next.lines & takes.repeat(REGION_LINES_BITS);
        let arrives = self.arrives.val().zero_extend(width);
        self.arrived.next = self.arrived.val() + arrives - self.taken.val().zero_extend(width);
        if takes {
            self.walks.next = 1;
            self.row.next = next.row;
            self.lines.next = next.lines;
            self.last_tile.next = next.last_tile;
            self.ends_row.next = next.ends_row;
        }
        let row = self.row.val().zero_extend(REGION_LINES_BITS);
        let twice = cat(&[row.low(REGION_LINES_BITS - 1), lit(1, 0u32)]);
        let thrice = row + twice;
        self.thrice.next = thrice;
        discard(level.rows.high(2), "of smaller levels there are two or three");
        self.slice.next = if level.rows.bit(0) { thrice } else { twice };
    }

    /// A number goes on, and back to 0 behind its last one; `ends` says that it is there. It is 0 between regions. Gives what `ends` says next.
    fn step(&self, number: &Reg, ends: &Reg, moves: Bits, last: Bits) -> Bits {
        let behind = number.val() + 1;
        if moves {
            number.next = if ends.val() { lit(number.width(), 0u32) } else { behind };
        }
        let (waits, is_single) = (!self.walks.val(), !last.any());
        let moved = if ends.val() || waits { is_single } else { behind == last };
        let next = if moves || waits { moved } else { ends.val() };
        ends.next = next;
        next
    }

    /// Counts, innermost first: taps, texels or pieces, rows, tiles. Gives whether the region ends.
    fn count(&self, level: &LevelWord) -> Bits {
        /// # Numbers
        let is_copy = level.is_copy;
        let pieces = cat(&[level.bytes.bit(5), level.bytes.bit(5) || level.bytes.bit(4)]);
        self.last_piece.next = if is_copy { pieces } else { lit(2, 3u32) };
        for axis in 0..AXES {
            let odd = if axis == 0 { lit(2, 1u32) } else { lit(2, 2u32) };
            let even = if axis == 0 { lit(2, 0u32) } else { lit(2, 1u32) };
            let of_mean = if level.is_odd[axis] { odd } else { even };
            let is_alone = is_copy || level.is_single[axis];
            self.last_tap[axis].next = if is_alone { lit(2, 0u32) } else { of_mean };
        }
        let goes = self.goes();
        let [tap_x, tap_y, _] = self.ends_tap.each_ref().map(|ends| ends.val());
        let last = self.last_tap.each_ref().map(|last| last.val());
        let moves = [goes, goes && tap_x, goes && tap_x && tap_y];
        let ends_tap = [0, 1, 2]
            .map(|axis: usize| self.step(&self.tap[axis], &self.ends_tap[axis], moves[axis], last[axis]));
        self.ends_taps.next = cat(&ends_tap).all();
        let ends_texel = goes && self.ends_taps.val();
        self.step(&self.x, &self.ends_x, ends_texel, self.last_piece.val());
        let ends_row = ends_texel && self.ends_x.val();
        let ends_rows = self.step(&self.y, &self.ends_y, ends_row, lit(2, 3u32));
        /// A tile has four rows, so that it stands when its last one begins.
        self.ends_region.next = ends_rows && self.tile.val() == self.last_tile.val();
        let ends = ends_row && self.ends_region.val();
        if ends {
            self.tile.next = 0;
        } else if ends_row && self.ends_y.val() {
            self.tile.next = self.tile.val() + 1;
        }
        ends
    }

    fn places(&self, level: &LevelWord, ends: Bits) {
        /// # Places
        let ends_row = self.ends_row.val();
        self.is_last_row.next = self.tile_row.val() == level.last_tile_row;
        let is_last_row = self.is_last_row.val();
        self.behind.next = self.first_tile.val() + self.last_tile.val().zero_extend(TILES_BITS) + 1;
        if ends {
            self.walks.next = 0;
        }
        self.has_ended.next = ends;
        let ends = self.has_ended.val();
        self.freed_seen.next = self.lines.val() & ends.repeat(REGION_LINES_BITS);
        self.freed.next = self.freed_seen.val();
        if ends {
            self.base.next = self.base.val() + self.lines.val().zero_extend(self._ring_bits);
        }
        if self.start.val() {
            self.first_tile.next = 0;
            self.tile_row.next = 0;
            self.level_slice.next = 0;
        } else if ends {
            self.first_tile.next = if ends_row { lit(TILES_BITS, 0u32) } else { self.behind.val() };
            if ends_row {
                self.tile_row.next =
                    if is_last_row { lit(TILES_BITS, 0u32) } else { self.tile_row.val() + 1 };
                if is_last_row {
                    self.level_slice.next = self.level_slice.val() + 1;
                }
            }
        }
    }

    fn piece(&self, level: &LevelWord) {
        /// # Pieces
        let pipe = self.pipe.run(&self.clocks, lit(1, 1u32));
        pipe.timing();
        let valid = pipe.flag(Entry, "valid", self.goes());
        let taps = self.tap.each_ref().map(|tap| tap.val());
        let number = pipe.put(Entry, "number", taps);
        let first = taps.iter().fold(lit(1, 1u32), |none, tap| none && !tap.any());
        let is_first = pipe.put(Entry, "is_first", first);
        let is_last = pipe.put(Entry, "is_last", self.ends_taps.val());
        let tile = pipe.put(Entry, "tile", self.tile.val());
        let is_last_slice = self.level_slice.val() == level.last_slice;
        let ends = self.ends_taps.val() && self.ends_x.val() && self.ends_region.val() && self.ends_row.val();
        let is_end = pipe.put(Entry, "is_end", ends && self.is_last_row.val() && is_last_slice);
        let Kept { x, last, row, place } = self.kept(&pipe, level, number.at(Clamp));
        let before = self.lines_before(&pipe, level, row.at(Rows), number.at(Rows)[2]);
        /// Texels in front of the piece, in its row of texels or of tiles.
        let pair = x.at(Rows).zero_extend(3) + number.at(Rows)[0].zero_extend(3);
        let of_pair = cat(&[tile.at(Rows), lit(1, 0u32)]).zero_extend(7) + pair.high(2).zero_extend(7);
        let of_mean = cat(&[of_pair, row.at(Rows).low(2), pair.bit(0), lit(1, 0u32)]);
        let of_copy = cat(&[tile.at(Rows), x.at(Rows)]);
        discard(
            of_mean.high(of_mean.width() - NUMBER_BITS),
            "a group of a smaller level has at most 8 tiles",
        );
        let texels = if level.is_copy { of_copy.zero_extend(NUMBER_BITS) } else { of_mean.low(NUMBER_BITS) };
        let texels = pipe.put(Rows, "texels", texels);
        let column = times_bytes(texels.at(Bytes), level.bytes, COLUMN_BITS);
        let column = pipe.put(Bytes, "column", column).at(Sum);
        discard(column.high(COLUMN_BITS - BYTE_BITS - ROW_LINES_BITS), "a row has at most 24 lines");
        let in_row = column.slice(BYTE_BITS, ROW_LINES_BITS).zero_extend(self._ring_bits);
        let line = pipe.put(Sum, "line", before.at(Sum) + in_row);
        let byte = pipe.put(Sum, "byte", column.low(BYTE_BITS));
        self.valid.next = valid.at(Exit);
        self.piece.next = PieceWord {
            line: line.at(Exit),
            byte: byte.at(Exit),
            last: last.at(Exit),
            tap: TapWord {
                place: place.at(Exit),
                number: number.at(Exit),
                is_first: is_first.at(Exit),
                is_last: is_last.at(Exit),
                is_end: is_end.at(Exit),
            },
        };
    }

    /// What is left of numbers where those beyond the edge are the edge's.
    fn kept<'a>(&self, pipe: &Run<'a, Stage>, level: &LevelWord, number: [Bits; AXES]) -> Kept<'a> {
        /// # Edge
        let is_last_tile = self.ends_row.val() && self.tile.val() == self.last_tile.val();
        let all = lit(2, 3u32);
        let last_x = pipe.put(Entry, "last_x", if is_last_tile { level.last_x } else { all }).at(Clamp);
        let last_y =
            pipe.put(Entry, "last_y", if self.is_last_row.val() { level.last_y } else { all }).at(Clamp);
        let x = pipe.put(Entry, "x", self.x.val()).at(Clamp);
        let y = pipe.put(Entry, "y", self.y.val()).at(Clamp);
        let column = self.first_tile.val() + self.tile.val().zero_extend(TILES_BITS);
        discard(column.high(1), "there are at most 1024 tiles of a row");
        let column = pipe.put(Entry, "tile_column", column.low(PLACE_BITS - 2));
        let tile_row = pipe.put(Entry, "tile_row", self.tile_row.val().low(PLACE_BITS - 2));
        let depth = pipe.put(Entry, "depth", self.level_slice.val().low(PLACE_BITS));
        /// Pieces of texels of 8 bytes begin at every second texel, of 16 at each; of others there is one.
        let doubled = cat(&[x.bit(0), lit(1, 0u32)]);
        let in_row = if level.bytes.bit(4) { doubled } else { x };
        let of_x = if level.is_copy { in_row } else { x };
        let kept_x = nearest(of_x, last_x);
        let kept_y = nearest(y, last_y);
        /// Rows of what the level is made from: of level 0 the row, of smaller ones the rows below twice the texel's.
        let twice = cat(&[kept_y, lit(1, 0u32)]).zero_extend(4) + number[1].zero_extend(4);
        let row = if level.is_copy { y.zero_extend(4) } else { twice };
        let place_x = cat(&[column.at(Clamp), nearest(x, last_x)]);
        let place = [place_x, cat(&[tile_row.at(Clamp), kept_y]), depth.at(Clamp)];
        Kept {
            x: pipe.put(Clamp, "kept_x", kept_x),
            last: pipe.put(Clamp, "last", last_x - kept_x),
            row: pipe.put(Clamp, "source_row", row),
            place: pipe.put(Clamp, "place", place),
        }
    }

    /// Where a row of texels or of tiles begins in the ring.
    fn lines_before<'a>(
        &self,
        pipe: &Run<'a, Stage>,
        level: &LevelWord,
        source: Bits,
        tap: Bits,
    ) -> Payload<'a, Stage, Bits> {
        /// # Rows
        let (row, thrice) = (self.row.val().zero_extend(REGION_LINES_BITS), self.thrice.val());
        let twice = cat(&[row.low(REGION_LINES_BITS - 1), lit(1, 0u32)]);
        let number = if level.is_copy { source.low(2) } else { source.high(2) };
        let none = lit(REGION_LINES_BITS, 0u32);
        let upper = if number.bit(0) { thrice } else { twice };
        let lower = if number.bit(0) { row } else { none };
        let in_slice = if number.bit(1) { upper } else { lower };
        let slice = self.slice.val();
        let two_slices = cat(&[slice.low(REGION_LINES_BITS - 1), lit(1, 0u32)]);
        let one = if tap.bit(0) { slice } else { none };
        let slices = if tap.bit(1) { two_slices } else { one };
        let [in_slice, slices] = pipe.put(Rows, "before", [in_slice, slices]).at(Bytes);
        let ring = self._ring_bits;
        let base = pipe.put(Entry, "base", self.base.val()).at(Bytes);
        pipe.put(Bytes, "first", base + in_slice.zero_extend(ring) + slices.zero_extend(ring))
    }
}
