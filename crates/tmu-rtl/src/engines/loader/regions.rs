//! `regions`: from a level to the reads that bring its regions, in the order in which they are walked over.
//!
//! Regions come slice by slice, row of tiles by row of tiles, from left to right. A region is asked for when the ring has room for
//! all its lines: row by row, each row as one read, or two where it crosses 4 KiB. Rows below the last one are the last one, as
//! padding has it.
//!
//! Three clocks a read, six more a region: reads have six lines and more but at the end of rows, so that memory is never waited for.

use super::words::{
    GROUP_BITS, LINE_ADDRESS_BITS, LevelWord, REGION_LINES_BITS, ROW_LINES_BITS, RegionWord, SIDE_BITS,
    TILES_BITS, level_word, region_word,
};
use crate::engine::memory::ReadShape;
use tmu_hdl::prelude::*;
use tmu_spec::Config;

/// Bits of a line's place between two boundaries of 4 KiB.
const PAGE_BITS: usize = 8;
/// Bits of the lines of a row of texels or tiles.
const ROW_BITS: usize = SIDE_BITS + 1;
/// Reads that may be under way.
pub const MOST_READS: usize = 32;

/// What the channel asks for.
#[must_use]
pub fn read_shape(config: &Config) -> ReadShape {
    ReadShape {
        line_bits: crate::engine::memory::line_bits(config),
        length_bits: ROW_LINES_BITS,
        most_reads: MOST_READS,
        most_lines: config.engine_configs().loader().buffer_lines() as usize,
        is_windowed: false,
        reports_faults: true,
    }
}

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HardwareEnum)]
pub enum State {
    /// Nothing.
    Idle,
    /// How many lines are left of the row.
    Rest,
    /// How many of them a row of the region has.
    Row,
    /// How many lines it has in all.
    Lines,
    /// Room for them.
    Room,
    /// Where a row begins.
    Place,
    /// Where it must be cut.
    Limit,
    /// It is asked for.
    Ask,
    /// The region behind it.
    Next,
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Regions {
    /// Clock and reset.
    pub clocks: Clocks,
    /// A level starts.
    pub start: Net<In>,
    /// Nothing more is to be asked for.
    pub stops: Net<In>,
    /// What holds for it.
    pub level: LevelWord<Field<In>>,
    /// A region has been walked over: its lines, for this clock.
    pub freed: Net<In>,
    /// Lines wanted from memory: the first, and above it their number less one.
    pub read: StreamOut,
    /// Regions whose reads begin, see [`RegionWord`].
    pub region: StreamOut,
    state: EnumReg<State>,
    /// Lines of the ring that nothing is asked for.
    free: Reg,
    /// The region fits into them, found out a clock before.
    fits: Reg,
    /// Lines that are reserved, a clock later.
    reserved: Reg,
    /// The region ends a row of tiles; its row is the last one of a slice, and the slice the last one.
    ends_row: Reg,
    is_last_row: Reg,
    is_last_slice: Reg,
    /// Lines of a row of a region that is not cut off.
    whole: Reg,
    slice_line: Reg,
    /// Where what is behind begins: found while the place stands still, for two clocks at least.
    next_slice_line: Reg,
    next_row_line: Reg,
    next_slice_row: Reg,
    next_cursor: Reg,
    row_line: Reg,
    /// Rows below the first one of the row of tiles.
    rows_below: Reg,
    /// Lines of a row in front of the region.
    offset: Reg,
    /// Tiles of the row, rows of tiles and slices that are left, less one.
    tiles_left: Reg,
    rows_left: Reg,
    slices_left: Reg,
    rest: Reg,
    length: Reg,
    lines: Reg,
    /// The row that is asked for.
    slice_row: Reg,
    cursor: Reg,
    below: Reg,
    row: Reg,
    slice: Reg,
    address: Reg,
    left: Reg,
    count: Reg,
    /// A read is asked for that is the last one of its row.
    ends_read: Reg,
}

impl Regions {
    /// For a configuration.
    #[must_use]
    pub fn new(config: &Config) -> Regions {
        let clocks = Clocks::new();
        let line = || Reg::new(&clocks, LINE_ADDRESS_BITS);
        let shape = read_shape(config);
        let free_bits = shape.most_lines.ilog2() as usize + 1;
        Regions {
            start: Net::bit(),
            stops: Net::bit(),
            level: level_word().nets(),
            freed: Net::new(REGION_LINES_BITS),
            read: StreamOut::new(LINE_ADDRESS_BITS + ROW_LINES_BITS),
            region: StreamOut::new(region_word().width()),
            state: EnumReg::with_reset(&clocks, State::Idle),
            free: Reg::with_reset(&clocks, free_bits, shape.most_lines as u128),
            fits: Reg::with_reset(&clocks, 1, 0),
            reserved: Reg::with_reset(&clocks, REGION_LINES_BITS, 0),
            ends_row: Reg::new(&clocks, 1),
            is_last_row: Reg::new(&clocks, 1),
            is_last_slice: Reg::new(&clocks, 1),
            whole: Reg::new(&clocks, ROW_LINES_BITS),
            slice_line: line(),
            next_slice_line: line(),
            next_row_line: line(),
            next_slice_row: line(),
            next_cursor: line(),
            row_line: line(),
            rows_below: Reg::new(&clocks, SIDE_BITS),
            offset: Reg::new(&clocks, ROW_BITS),
            tiles_left: Reg::new(&clocks, TILES_BITS),
            rows_left: Reg::new(&clocks, TILES_BITS),
            slices_left: Reg::new(&clocks, SIDE_BITS),
            rest: Reg::new(&clocks, ROW_BITS),
            length: Reg::new(&clocks, ROW_LINES_BITS),
            lines: Reg::new(&clocks, REGION_LINES_BITS),
            slice_row: line(),
            cursor: line(),
            below: Reg::new(&clocks, SIDE_BITS),
            row: Reg::new(&clocks, 3),
            slice: Reg::new(&clocks, 2),
            address: line(),
            left: Reg::new(&clocks, ROW_LINES_BITS),
            count: Reg::new(&clocks, ROW_LINES_BITS),
            ends_read: Reg::with_reset(&clocks, 1, 0),
            clocks,
        }
    }
}

/// From a level to reads.
#[kernel]
impl Regions {
    fn module_name(&self) -> String {
        "loader_regions".into()
    }

    /// One bit: this is done.
    fn is(&self, state: State) -> Bits {
        self.state.val() == state
    }

    fn logic(&self) {
        let level = self.level.val();
        for (unused, why) in [
            (level.layout, "what texels are does not matter here"),
            (cat(&[level.is_srgb, level.last_x, level.last_y]), "as above"),
            (cat(&level.is_odd), "the sizes of regions follow from it"),
            (cat(&level.is_single), "as above"),
            (cat(&level.reciprocal), "nothing is averaged here"),
            (cat(&level.whole), "as above"),
            (level.bytes, "as above"),
        ] {
            discard(unused, why);
        }
        self.room(&level);
        self.walk(&level);
        self.rows(&level);
        self.ask();
        self.states();
    }

    fn room(&self, level: &LevelWord) {
        /// # Room
        self.rest.next = level.row_lines - self.offset.val();
        let rest = self.rest.val();
        self.whole.next = level.step + level.extra;
        let whole = self.whole.val();
        self.length.next = if whole.zero_extend(ROW_BITS) < rest { whole } else { rest.low(ROW_LINES_BITS) };
        discard(rest.high(ROW_BITS - ROW_LINES_BITS), "it is used where it is small");
        let (length, rows) = (self.length.val().zero_extend(REGION_LINES_BITS), level.region_rows);
        let times = |bit: usize| {
            let shifted =
                if bit == 0 { length } else { cat(&[length.low(REGION_LINES_BITS - bit), lit(bit, 0u32)]) };
            shifted & rows.bit(bit).repeat(REGION_LINES_BITS)
        };
        self.lines.next = (times(0) + times(1)) + (times(2) + times(3));
        let width = self.free.width();
        let fits = self.lines.val().zero_extend(width) <= self.free.val();
        self.fits.next = self.is(State::Room) && fits && !self.takes_room();
        let reserves = self.is(State::Room) && self.takes_room();
        self.reserved.next = self.lines.val() & reserves.repeat(REGION_LINES_BITS);
        let freed = self.freed.val().zero_extend(width);
        self.free.next = self.free.val() + freed - self.reserved.val().zero_extend(width);
        self.region.valid.next = reserves;
        self.ends_row.next = self.tiles_left.val() < level.group.zero_extend(TILES_BITS);
        let ends_row = self.ends_row.val();
        let last = if ends_row { self.tiles_left.val().low(GROUP_BITS) } else { level.group - 1 };
        discard(last.high(1), "a group has at most 32 tiles");
        self.region.data.next = region_word().pack(&RegionWord {
            row: self.length.val(),
            lines: self.lines.val(),
            last_tile: last.low(GROUP_BITS - 1),
            ends_row,
        });
    }

    /// One bit: there is room for the region.
    fn takes_room(&self) -> Bits {
        self.fits.val() && self.region.ready.val() && !self.stops.val()
    }

    fn walk(&self, level: &LevelWord) {
        /// # From region to region
        let ends_row = self.ends_row.val();
        let ends_slice = ends_row && !self.rows_left.val().any();
        let shifted = |bits: usize| cat(&[level.pitch.low(LINE_ADDRESS_BITS - bits), lit(bits, 0u32)]);
        let rows_further = if level.is_copy { shifted(2) } else { shifted(1) };
        let rows = if level.is_copy { lit(SIDE_BITS, 4u32) } else { lit(SIDE_BITS, 2u32) };
        let twice = cat(&[level.slice_pitch.low(LINE_ADDRESS_BITS - 1), lit(1, 0u32)]);
        let slice_further = if level.is_volume { twice } else { level.slice_pitch };
        self.next_slice_line.next = self.slice_line.val() + slice_further;
        self.next_row_line.next = self.row_line.val() + rows_further;
        let next_slice = self.next_slice_line.val();
        if self.start.val() {
            self.slice_line.next = level.source;
            self.row_line.next = level.source;
            self.rows_below.next = level.last_row;
            self.offset.next = 0;
            self.tiles_left.next = level.last_column;
            self.rows_left.next = level.last_tile_row;
            self.slices_left.next = level.last_slice;
        } else if self.is(State::Next) {
            if ends_row {
                self.offset.next = 0;
                self.tiles_left.next = level.last_column;
            } else {
                self.offset.next = self.offset.val() + level.step.zero_extend(ROW_BITS);
                self.tiles_left.next = self.tiles_left.val() - level.group.zero_extend(TILES_BITS);
            }
            if ends_slice {
                self.slice_line.next = next_slice;
                self.row_line.next = next_slice;
                self.rows_below.next = level.last_row;
                self.rows_left.next = level.last_tile_row;
                self.slices_left.next = self.slices_left.val() - 1;
            } else if ends_row {
                self.row_line.next = self.next_row_line.val();
                self.rows_below.next = self.rows_below.val() - rows;
                self.rows_left.next = self.rows_left.val() - 1;
            }
        }
    }

    /// One bit: the row has been asked for.
    fn row_ends(&self) -> Bits {
        self.ends_read.val() && self.read.ready.val()
    }

    fn rows(&self, level: &LevelWord) {
        /// # Rows of a region
        self.is_last_row.next = self.row.val() + 1 == level.rows;
        self.is_last_slice.next = self.slice.val() + 1 == level.slices;
        let is_last = self.is_last_row.val();
        self.next_slice_row.next = self.slice_row.val() + level.slice_pitch;
        self.next_cursor.next = self.cursor.val() + level.pitch;
        let next_slice = self.next_slice_row.val();
        if self.is(State::Room) {
            self.slice_row.next = self.row_line.val();
            self.cursor.next = self.row_line.val();
            self.below.next = self.rows_below.val();
            self.row.next = 0;
            self.slice.next = 0;
        } else if self.row_ends() {
            if is_last {
                self.slice_row.next = next_slice;
                self.cursor.next = next_slice;
                self.below.next = self.rows_below.val();
                self.row.next = 0;
                self.slice.next = self.slice.val() + 1;
            } else {
                if self.below.val().any() {
                    self.cursor.next = self.next_cursor.val();
                    self.below.next = self.below.val() - 1;
                }
                self.row.next = self.row.val() + 1;
            }
        }
    }

    fn ask(&self) {
        /// # Reads
        /// A row has fewer lines than the 32 before a boundary, so that their numbers decide.
        let place = self.address.val().low(ROW_LINES_BITS);
        let is_near = self.address.val().slice(ROW_LINES_BITS, PAGE_BITS - ROW_LINES_BITS).all();
        let end = self.left.val().zero_extend(ROW_LINES_BITS + 1) + place.zero_extend(ROW_LINES_BITS + 1);
        let fits = !is_near || end <= 1u64 << ROW_LINES_BITS;
        let page_left = lit(ROW_LINES_BITS, 0u32) - place;
        if self.is(State::Place) {
            self.address.next = self.cursor.val() + self.offset.val().zero_extend(LINE_ADDRESS_BITS);
            self.left.next = self.length.val();
        } else if self.is(State::Ask) && self.read.ready.val() {
            self.address.next = self.address.val() + self.count.val().zero_extend(LINE_ADDRESS_BITS);
            self.left.next = self.left.val() - self.count.val();
        }
        if self.is(State::Limit) {
            self.count.next = if fits { self.left.val() } else { page_left };
            self.ends_read.next = fits;
        } else if self.row_ends() {
            self.ends_read.next = 0;
        }
        self.read.valid.next = self.is(State::Ask);
        self.read.data.next = cat(&[self.count.val() - 1, self.address.val()]);
    }

    fn states(&self) {
        /// # States
        let ends_level = self.ends_row.val() && !self.rows_left.val().any() && !self.slices_left.val().any();
        let is_last_row = self.is_last_row.val() && self.is_last_slice.val();
        match self.state.val() {
            State::Idle => {
                if self.start.val() {
                    self.state.next = State::Rest;
                }
            }
            State::Rest => self.state.next = State::Row,
            State::Row => self.state.next = State::Lines,
            State::Lines => self.state.next = State::Room,
            State::Room => {
                if self.takes_room() {
                    self.state.next = State::Place;
                }
            }
            State::Place => self.state.next = State::Limit,
            State::Limit => self.state.next = State::Ask,
            State::Ask => {
                if self.read.ready.val() {
                    if self.stops.val() {
                        self.state.next = State::Idle;
                    } else if !self.ends_read.val() {
                        self.state.next = State::Limit;
                    } else if is_last_row {
                        self.state.next = State::Next;
                    } else {
                        self.state.next = State::Place;
                    }
                }
            }
            State::Next => {
                if ends_level {
                    self.state.next = State::Idle;
                } else {
                    self.state.next = State::Rest;
                }
            }
        }
    }
}
