//! `address`: from footprints to the tiles that hold their texels.
//!
//! The two tile columns and two tile rows of a footprint are sorted by parity, so that each of the four banks
//! of the cache is asked for at most one tile. Taps without weight ask for nothing. A bank that is asked for the
//! tile of the time before need not look it up; a slot that looks into a set that one of the slots just before may
//! still change is marked, so that the tags can settle first. The entries of a colour table are the texels of a row
//! of 16 tiles.
//!
//! Latency 8 slots, initiation interval 1. No RAM, no multiplier.

use super::cache::lookup::UNSETTLED_SLOTS;
use super::coordinate::Place;
use super::delay::Delay;
use super::words::{TileRequest, footprint_layout, tap_layout};
use crate::bundles::{Layout, has_rgb, line_bits};
use tmu_hdl::prelude::*;
use tmu_spec::Config;
use tmu_spec::tile::BANKS;

/// Slots from a footprint to its tiles.
pub const LATENCY_SLOTS: usize = 8;

/// Bits of a tile's number inside its level.
const TILE_BITS: usize = 18;
/// Bits of a tile's column or row.
const COLUMN_BITS: usize = 9;
const BANK_COUNT: usize = BANKS as usize;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Address {
    /// Clock and reset.
    pub clocks: Clocks,
    /// All slots move on at the next edge.
    pub advance: Net<In>,
    /// There is something in the slot.
    pub active: Net<In>,
    /// The slot, see [`footprint_layout`].
    pub footprint: Net<In>,
    /// Of the binding that came last.
    pub place: Place<In>,
    /// The cache is being emptied.
    pub dropping: Net<In>,
    /// The tiles.
    pub tiles: TileRequest<Out>,
    entry: Optional<Reg>,
    waiting: Delay,
    binds: Delay,
    drops: Delay,
    taps: Delay,
    used: Delay,
    kinds: Delay,
    columns: Vec<Delay>,
    rows: Vec<Reg>,
    tiles_log2: Reg,
    offset: Delay,
    row_tiles: Vec<Reg>,
    sets: Vec<Delay>,
    level_tiles: Vec<Reg>,
    is_rgb: Optional<Reg>,
    is_indexed: Optional<Reg>,
    first_line: Reg,
    row_lines: Vec<Reg>,
    column_lines: Vec<Delay>,
    bases: Vec<Reg>,
    lines: Vec<Delay>,
    nears: Delay,
    last_valid: Reg,
    last_line: Vec<Reg>,
    last_kind: Vec<Reg>,
    last_set: Vec<Reg>,
    repeats: Delay,
    is_near: Reg,
    _config: Config,
    _footprint: Layout,
    _tap: Layout,
}

/// Bits of a tile's or column's first line inside its level.
const ROW_LINE_BITS: usize = TILE_BITS + 3;
const COLUMN_LINE_BITS: usize = COLUMN_BITS + 2;

impl Address {
    /// The stage for a configuration.
    pub fn new(config: &Config) -> Address {
        let clocks = Clocks::new();
        let (footprint, tap) = (footprint_layout(config), tap_layout(config));
        let (line_bits, set_bits) = (line_bits(config), config.cache().bank_set_bits() as usize);
        let has_table = config.features().has_color_table();
        let delay = |steps: usize, width: usize| Delay::new(&clocks, steps, width);
        Address {
            advance: Net::bit(),
            active: Net::bit(),
            footprint: Net::new(footprint.width()),
            place: Place::new(config),
            dropping: Net::bit(),
            tiles: TileRequest::new(config),
            entry: Optional::new(has_table, || Reg::new(&clocks, 8)),
            waiting: Delay::flag(&clocks, LATENCY_SLOTS),
            binds: Delay::flag(&clocks, 3),
            drops: Delay::flag(&clocks, LATENCY_SLOTS - 3),
            taps: delay(LATENCY_SLOTS, tap.width()),
            used: delay(LATENCY_SLOTS + UNSETTLED_SLOTS - 3, BANK_COUNT),
            kinds: delay(LATENCY_SLOTS - 3, 2),
            columns: (0..2).map(|_| delay(3, COLUMN_BITS)).collect(),
            rows: Reg::array(2, &clocks, COLUMN_BITS),
            tiles_log2: Reg::new(&clocks, 4),
            offset: delay(2, TILE_BITS),
            row_tiles: Reg::array(2, &clocks, TILE_BITS),
            sets: (0..BANK_COUNT).map(|_| delay(LATENCY_SLOTS - 1 + UNSETTLED_SLOTS - 3, set_bits)).collect(),
            level_tiles: Reg::array(2, &clocks, TILE_BITS + 1),
            is_rgb: Optional::new(has_rgb(config), || Reg::new(&clocks, 1)),
            is_indexed: Optional::new(has_table, || Reg::new(&clocks, 1)),
            first_line: Reg::new(&clocks, line_bits),
            row_lines: Reg::array(2, &clocks, ROW_LINE_BITS),
            column_lines: (0..2).map(|_| delay(2, COLUMN_LINE_BITS)).collect(),
            bases: Reg::array(2, &clocks, line_bits),
            lines: (0..BANK_COUNT).map(|_| delay(3, line_bits)).collect(),
            nears: delay(2, BANK_COUNT),
            last_valid: Reg::with_reset(&clocks, BANK_COUNT, 0),
            last_line: Reg::array(BANK_COUNT, &clocks, line_bits),
            last_kind: Reg::array(BANK_COUNT, &clocks, 2),
            last_set: Reg::array(BANK_COUNT, &clocks, set_bits),
            repeats: delay(2, BANK_COUNT),
            is_near: Reg::new(&clocks, 1),
            clocks,
            _config: config.clone(),
            _footprint: footprint,
            _tap: tap,
        }
    }
}

/// The tiles of each footprint, one for each bank.
#[kernel]
impl Address {
    fn logic(&self) {
        timing(LATENCY_SLOTS as u32, 1);
        self.taps();
        self.columns_and_rows();
        self.tile();
        self.bind();
        self.lines();
        self.near();
        self.repeat();
        self.leave();
    }

    fn field(&self, name: &str) -> Bits {
        self._footprint.get(self.footprint.val(), name)
    }

    fn taps(&self) {
        /// # Slots
        let advance = self.advance.val();
        let is_binding = self.field("is_binding");
        let is_table = self.field("is_table");
        let starts = self.active.val() && is_binding && !self.field("number").any();
        let entry = self.entry.as_ref().map_or_else(|| lit(8, 0u32), |reg| reg.val());
        if let Some(reg) = self.entry.as_ref() {
            if starts && advance {
                reg.next = 0;
            } else if self.active.val() && is_table && advance {
                reg.next = reg.val() + 1;
            }
        }
        let low = |name: &str| self.field(name).low(3);
        let x0 = if is_table { cat(&[entry.bit(4), entry.low(2)]) } else { low("x0") };
        let y0 = if is_table { cat(&[lit(1, 0u32), entry.slice(2, 2)]) } else { low("y0") };
        let tap = self._tap.pack(&[
            ("is_table", is_table),
            ("is_indexed", lit(1, 0u32)),
            ("number", self.field("number")),
            ("is_valid", self.field("is_valid")),
            ("is_failed", self.field("is_failed")),
            ("x0", x0),
            ("x1", low("x1")),
            ("y0", y0),
            ("y1", low("y1")),
            ("weight_x", self.field("weight_x")),
            ("weight_y", self.field("weight_y")),
        ]);
        self.waiting.take(self.active.val() && !is_binding, advance);
        self.binds.take(starts, advance);
        self.taps.take(tap, advance);
    }

    fn columns_and_rows(&self) {
        /// # Columns and rows by parity
        let advance = self.advance.val();
        let is_table = self.field("is_table");
        let tile = |name: &str| {
            let texel = self.field(name);
            texel.high(texel.width() - 2).zero_extend(COLUMN_BITS)
        };
        let entry = self.entry.as_ref().map_or_else(|| lit(8, 0u32), |reg| reg.val());
        let entry_column = entry.high(4).zero_extend(COLUMN_BITS);
        let first_column = if is_table { entry_column } else { tile("x0") };
        let first_row = if is_table { lit(COLUMN_BITS, 0u32) } else { tile("y0") };
        let (second_column, second_row) = (tile("x1"), tile("y1"));
        let needs_second_column = self.field("weight_x").any() && !is_table;
        let needs_second_row = self.field("weight_y").any() && !is_table;
        let is_read = self.field("is_valid") && !self.field("is_failed");
        let reads = self.active.val() && !self.field("is_binding") && (is_table || is_read);
        let mut used_columns = vec![];
        let mut used_rows = vec![];
        for parity in 0..2usize {
            let is_own = |tile: Bits| if parity == 1 { tile.bit(0) } else { !tile.bit(0) };
            let column = if is_own(first_column) { first_column } else { second_column };
            let row = if is_own(first_row) { first_row } else { second_row };
            used_columns.push(is_own(first_column) || (needs_second_column && is_own(second_column)));
            used_rows.push(is_own(first_row) || (needs_second_row && is_own(second_row)));
            self.columns[parity].take(column, advance);
            if advance {
                self.rows[parity].next = row;
            }
        }
        let used: Vec<Bits> = (0..BANK_COUNT)
            .rev()
            .map(|bank| reads && used_columns[bank & 1] && used_rows[bank >> 1])
            .collect();
        self.used.take(cat(&used), advance);
        let level_offset = self.field("level_offset") & (!is_table).repeat(TILE_BITS);
        self.offset.take(level_offset, advance);
        if advance {
            self.tiles_log2.next = self.field("tiles_log2");
        }
    }

    fn tile(&self) {
        /// # Tile in the texture
        let advance = self.advance.val();
        for parity in 0..2usize {
            if advance {
                self.row_tiles[parity].next =
                    self.rows[parity].val().zero_extend(TILE_BITS) << self.tiles_log2.val();
                self.level_tiles[parity].next = self.row_tiles[parity].val().add_wide(self.offset.last());
            }
        }
        /// Sets: the column's bits, and against them the row's in reverse, so that a walk along either visits them
        /// all, and a square of tiles too.
        let set_bits = self._config.cache().bank_set_bits() as usize;
        for bank in 0..BANK_COUNT {
            let (column, row) = (self.columns[bank & 1].after(1), self.rows[bank >> 1].val());
            let bit = |tile: Bits, number: usize| {
                if number + 1 < COLUMN_BITS { tile.bit(number + 1) } else { lit(1, 0u32) }
            };
            let set: Vec<Bits> = (0..set_bits)
                .rev()
                .map(|number| bit(column, number) ^ bit(row, set_bits - 1 - number))
                .collect();
            self.sets[bank].take(cat(&set), advance);
        }
    }

    fn bind(&self) {
        /// # Binding
        let advance = self.advance.val();
        let binds = self.binds.last() && advance;
        if binds {
            self.first_line.next = self.place.line.val();
        }
        for (reg, value) in [(&self.is_rgb, self.place.is_rgb.val()), (&self.is_indexed, self.place.is_indexed.val())] {
            if let Some(reg) = reg.as_ref() {
                if binds {
                    reg.next = value;
                }
            } else {
                discard(value, "no format has it");
            }
        }
        self.drops.take(self.binds.last() && self.place.drops.val(), advance);
        self.kinds.take(cat(&[self.is_rgb(), self.is_indexed()]), advance);
    }

    /// One bit: colours have three bytes.
    fn is_rgb(&self) -> Bits {
        let only = !crate::bundles::has_rgba(&self._config);
        self.is_rgb.as_ref().map_or_else(|| lit(1, 0u32), |reg| if only { lit(1, 1u32) } else { reg.val() })
    }

    fn is_indexed(&self) -> Bits {
        self.is_indexed.as_ref().map_or_else(|| lit(1, 0u32), |reg| reg.val())
    }

    fn lines(&self) {
        /// # First line of each tile
        let advance = self.advance.val();
        for parity in 0..2usize {
            let row_lines = self.lines_of(self.level_tiles[parity].val(), ROW_LINE_BITS);
            let column_lines = self.lines_of(self.columns[parity].last(), COLUMN_LINE_BITS);
            self.column_lines[parity].take(column_lines, advance);
            let line_bits = self.first_line.width();
            if advance {
                self.row_lines[parity].next = row_lines;
                self.bases[parity].next =
                    self.first_line.val() + self.row_lines[parity].val().zero_extend(line_bits);
            }
        }
        for bank in 0..BANK_COUNT {
            let base = self.bases[bank >> 1].val();
            let line = base + self.column_lines[bank & 1].last().zero_extend(base.width());
            self.lines[bank].take(line, advance);
        }
    }

    /// Lines of so many tiles: four, three or one each.
    fn lines_of(&self, tiles: Bits, width: usize) -> Bits {
        let (is_rgb, is_indexed) = (self.is_rgb(), self.is_indexed());
        let tiles = tiles.zero_extend(width);
        let twice = tiles << 1;
        let colors = if is_rgb { twice } else { tiles << 2 };
        let first = if is_indexed { tiles } else { colors };
        let second = if is_rgb && !is_indexed { tiles } else { lit(width, 0u32) };
        first + second
    }

    fn near(&self) {
        /// # Sets just before
        let own = LATENCY_SLOTS - 4;
        let nears: Vec<Bits> = (0..BANK_COUNT)
            .rev()
            .map(|bank| {
                let sets = &self.sets[bank];
                let meets = |before: usize| {
                    self.used.after(own + 1 + before).bit(bank) && sets.after(own + before) == sets.after(own)
                };
                let any = (1..=UNSETTLED_SLOTS).fold(lit(1, 0u32), |any, before| any || meets(before));
                self.used.after(own + 1).bit(bank) && any
            })
            .collect();
        self.nears.take(cat(&nears), self.advance.val());
    }

    fn repeat(&self) {
        /// # The tile of the time before
        let advance = self.advance.val();
        let used = self.used.after(LATENCY_SLOTS - 2);
        let kind = self.kinds.after(LATENCY_SLOTS - 5);
        let mut repeats = vec![];
        for bank in 0..BANK_COUNT {
            let line = self.lines[bank].after(1);
            let (last_line, last_kind) = (&self.last_line[bank], &self.last_kind[bank]);
            /// The set tells apart a tile of another texture that starts with the same line.
            let (set, last_set) = (self.sets[bank].after(LATENCY_SLOTS - 3), &self.last_set[bank]);
            let is_same = cat(&[set, line, kind]) == cat(&[last_set.val(), last_line.val(), last_kind.val()]);
            repeats.push(used.bit(bank) && self.last_valid.val().bit(bank) && is_same);
            if used.bit(bank) && advance {
                last_line.next = line;
                last_kind.next = kind;
                last_set.next = set;
            }
        }
        repeats.reverse();
        self.repeats.take(cat(&repeats), advance);
        let forgets = self.dropping.val() || (self.drops.after(LATENCY_SLOTS - 5) && advance);
        if forgets {
            self.last_valid.next = 0;
        } else if advance {
            self.last_valid.next = self.last_valid.val() | used;
        }
        if advance {
            self.is_near.next = (self.nears.last() & !self.repeats.after(1)).any();
        }
    }

    fn leave(&self) {
        /// # Tiles
        let tiles = &self.tiles;
        let kind = self.kinds.last();
        tiles.active.next = self.waiting.last();
        tiles.drops.next = self.drops.last();
        tiles.used.next = self.used.after(LATENCY_SLOTS);
        tiles.repeats.next = self.repeats.last();
        tiles.is_near.next = self.is_near.val();
        tiles.is_rgb.next = kind.bit(1);
        for bank in 0..BANK_COUNT {
            tiles.line[bank].next = self.lines[bank].last();
            tiles.set[bank].next = self.sets[bank].after(LATENCY_SLOTS - 1);
        }
        tiles.tap.next = self.with_kind(self.taps.last(), kind.bit(0));
    }

    /// The tap word, with what only the binding here knew.
    fn with_kind(&self, tap: Bits, is_indexed: Bits) -> Bits {
        let fields = [
            "is_table", "number", "is_valid", "is_failed", "x0", "x1", "y0", "y1", "weight_x", "weight_y",
        ];
        let mut values: Vec<(&str, Bits)> =
            fields.iter().map(|name| (*name, self._tap.get(tap, name))).collect();
        values.push(("is_indexed", is_indexed));
        self._tap.pack(&values)
    }
}
