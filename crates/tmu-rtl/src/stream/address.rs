//! `address`: from the tiles under a slot to their lines and sets.
//!
//! Each of the four banks of the cache is asked for at most one tile. A bank that is asked for the tile of the time before
//! need not look it up; a slot that looks into a set that one of the slots just before may still change is marked, so that
//! the tags can settle first.
//!
//! Latency 7 slots, initiation interval 1. Two multipliers of 9 x 12 bits find the rows of tiles, a pair of 9 x 3 bits the
//! columns.

use super::cache::lookup::UNSETTLED_SLOTS;
use super::delay::Delay;
use super::words::{
    COLUMN_BITS, KIND_BITS, LEVEL_LINE_BITS, PART_BITS, TILE_LINE_BITS, TileRequest, place_layout,
    sides_layout, span_layout, tap_layout, tile_lines,
};
use crate::bundles::{Layout, has_rgb, has_rgba, line_bits, parts, same_parts};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{DualMultiplier, Multiplier, Operand};
use tmu_spec::Config;
use tmu_spec::tile::BANKS;

/// Slots from the tiles under a slot to their lines.
pub const LATENCY_SLOTS: usize = 7;

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
    /// The slot, see [`span_layout`].
    pub span: Net<In>,
    /// The cache is being emptied.
    pub dropping: Net<In>,
    /// The tiles.
    pub tiles: TileRequest<Out>,
    waiting: Delay,
    binds: Delay,
    drops: Delay,
    sides: Delay,
    taps: Delay,
    used: Delay,
    is_rgb: Optional<Reg>,
    is_indexed: Optional<Reg>,
    next_first_line: Reg,
    first_line: Reg,
    kinds: Delay,
    columns: Vec<Reg>,
    rows: Vec<Reg>,
    sets: Vec<Delay>,
    row_lines: Vec<Multiplier>,
    level_lines: Vec<Reg>,
    level_line: Reg,
    column_products: DualMultiplier,
    column_lines: Vec<Delay>,
    bases: Vec<Reg>,
    lines: Vec<Delay>,
    meets: Vec<Reg>,
    nears: Reg,
    last_valid: Reg,
    last: Vec<Reg>,
    same_parts: Vec<Reg>,
    repeats: Reg,
    is_near: Reg,
    _config: Config,
    _span: Layout,
    _place: Layout,
}

/// Bits of the lines in front of a column of tiles.
const COLUMN_LINE_BITS: usize = COLUMN_BITS + 2;
/// Bits of the lines of a row of tiles: four for each of up to 512.
const ROW_LINE_BITS: usize = 12;

impl Address {
    /// The stage for a configuration.
    pub fn new(config: &Config) -> Address {
        let clocks = Clocks::new();
        let span = span_layout(config);
        let (line_bits, set_bits) = (line_bits(config), config.cache().bank_set_bits() as usize);
        let has_table = config.features().has_color_table();
        let key_bits = set_bits + line_bits + KIND_BITS;
        let delay = |steps: usize, width: usize| Delay::new(&clocks, steps, width);
        let factor = Operand::unsigned;
        Address {
            advance: Net::bit(),
            active: Net::bit(),
            span: Net::new(span.width()),
            dropping: Net::bit(),
            tiles: TileRequest::new(config),
            waiting: Delay::flag(&clocks, LATENCY_SLOTS),
            binds: Delay::flag(&clocks, 2),
            drops: Delay::flag(&clocks, LATENCY_SLOTS),
            sides: delay(LATENCY_SLOTS, sides_layout(config).width()),
            taps: delay(LATENCY_SLOTS, tap_layout(config).width()),
            used: delay(LATENCY_SLOTS + UNSETTLED_SLOTS - 2, BANK_COUNT),
            is_rgb: Optional::new(has_rgb(config) && has_rgba(config), || Reg::new(&clocks, 1)),
            is_indexed: Optional::new(has_table, || Reg::new(&clocks, 1)),
            next_first_line: Reg::new(&clocks, line_bits),
            first_line: Reg::new(&clocks, line_bits),
            kinds: delay(LATENCY_SLOTS, KIND_BITS),
            columns: Reg::array(2, &clocks, set_bits.min(COLUMN_BITS - 1)),
            rows: Reg::array(2, &clocks, set_bits.min(COLUMN_BITS - 1)),
            sets: (0..BANK_COUNT).map(|_| delay(LATENCY_SLOTS - 1 + UNSETTLED_SLOTS - 3, set_bits)).collect(),
            row_lines: (0..2).map(|_| Multiplier::new(factor(COLUMN_BITS), factor(ROW_LINE_BITS))).collect(),
            level_lines: Reg::array(2, &clocks, LEVEL_LINE_BITS),
            level_line: Reg::new(&clocks, line_bits),
            column_products: DualMultiplier::new(factor(COLUMN_BITS), TILE_LINE_BITS),
            column_lines: (0..2).map(|_| delay(1, COLUMN_LINE_BITS)).collect(),
            bases: Reg::array(2, &clocks, line_bits),
            lines: (0..BANK_COUNT).map(|_| delay(3, line_bits)).collect(),
            meets: Reg::array(BANK_COUNT, &clocks, UNSETTLED_SLOTS * parts(set_bits, PART_BITS)),
            nears: Reg::new(&clocks, BANK_COUNT),
            last_valid: Reg::with_reset(&clocks, BANK_COUNT, 0),
            last: Reg::array(BANK_COUNT, &clocks, key_bits),
            same_parts: Reg::array(BANK_COUNT, &clocks, 1 + parts(key_bits, PART_BITS)),
            repeats: Reg::new(&clocks, BANK_COUNT),
            is_near: Reg::new(&clocks, 1),
            clocks,
            _config: config.clone(),
            _span: span,
            _place: place_layout(config),
        }
    }
}

/// Lines and sets of the tiles of each slot, one for each bank.
#[kernel]
impl Address {
    fn logic(&self) {
        timing(LATENCY_SLOTS as u32, 1);
        self.taps();
        self.bind();
        self.columns_and_rows();
        self.sets();
        self.rows();
        self.lines();
        self.near();
        self.repeat();
        self.leave();
    }

    fn field(&self, name: &str) -> Bits {
        self._span.get(self.span.val(), name)
    }

    fn taps(&self) {
        /// # Slots
        let advance = self.advance.val();
        self.waiting.take(self.active.val() && !self.field("is_binding"), advance);
        self.sides.take(self.field("sides"), advance);
        let tap = self.field("tap");
        let is_indexed = self.is_indexed.as_ref().map(|reg| reg.val());
        let parts: Vec<Bits> = is_indexed.into_iter().chain([tap]).collect();
        self.taps.take(cat(&parts), advance);
    }

    fn columns_and_rows(&self) {
        /// # Columns and rows by parity
        let advance = self.advance.val();
        for (parity, name) in ["column0", "column1"].iter().enumerate() {
            let (column, row) = (&self.columns[parity], &self.rows[parity]);
            if advance {
                column.next = self.field(name).slice(1, column.width());
                row.next = self.row(parity).slice(1, row.width());
            }
        }
        self.used.take(self.field("used"), advance);
    }

    fn row(&self, parity: usize) -> Bits {
        self.field(["row0", "row1"][parity])
    }

    fn bind(&self) {
        /// # Binding
        let advance = self.advance.val();
        let place = self.field("place");
        let of_place = |name: &str| self._place.get(place, name);
        let starts = self.active.val() && self.field("carries");
        self.binds.take(starts, advance);
        let binds = starts && advance;
        for (reg, name) in [(&self.is_rgb, "is_rgb"), (&self.is_indexed, "is_indexed")] {
            if let Some(reg) = reg.as_ref() {
                if binds {
                    reg.next = of_place(name);
                }
            }
        }
        if binds {
            self.next_first_line.next = of_place("line");
        }
        /// The slots in front of the binding are still to be added to the line before.
        let passes = self.binds.last() && advance;
        if passes {
            self.first_line.next = self.next_first_line.val();
        }
        self.drops.take(starts && of_place("drops"), advance);
        self.kinds.take(cat(&[self.is_rgb(), self.is_indexed()]), advance);
    }

    /// One bit: colours have three bytes.
    fn is_rgb(&self) -> Bits {
        self.is_rgb.as_ref().map_or_else(|| lit(1, u32::from(has_rgb(&self._config))), |reg| reg.val())
    }

    fn is_indexed(&self) -> Bits {
        self.is_indexed.as_ref().map_or_else(|| lit(1, 0u32), |reg| reg.val())
    }

    /// Lines of a tile: four, three or one.
    fn tile_lines(&self) -> Bits {
        tile_lines(self.is_rgb(), self.is_indexed())
    }

    fn sets(&self) {
        /// # Sets
        /// The column's bits, and against them the row's in reverse, so that a walk along either visits them
        /// all, and a square of tiles too.
        let set_bits = self._config.cache().bank_set_bits() as usize;
        for bank in 0..BANK_COUNT {
            let (column, row) = (self.columns[bank & 1].val(), self.rows[bank >> 1].val());
            let bit = |tile: Bits, number: usize| {
                if number < tile.width() { tile.bit(number) } else { lit(1, 0u32) }
            };
            let set: Vec<Bits> = (0..set_bits)
                .rev()
                .map(|number| bit(column, number) ^ bit(row, set_bits - 1 - number))
                .collect();
            self.sets[bank].take(cat(&set), self.advance.val());
        }
    }

    fn rows(&self) {
        /// # First line of each row of tiles
        let advance = self.advance.val();
        let lines = self.tile_lines();
        let tiles_log2 = self.field("tiles_log2");
        /// Lines of a row of tiles: four, three or one a tile.
        let row_lines: Vec<Bits> = (0..ROW_LINE_BITS)
            .rev()
            .map(|bit| {
                let place = |shift: usize| {
                    if bit >= shift { tiles_log2 == (bit - shift) as u64 } else { lit(1, 0u32) }
                };
                (lines.bit(0) && place(0)) || (lines.bit(1) && place(1)) || (lines.bit(2) && place(2))
            })
            .collect();
        for (parity, product) in self.row_lines.iter().enumerate() {
            product.clocks.follow(&self.clocks);
            product.enable.next = advance;
            product.a.next = self.row(parity);
            product.b.next = cat(&row_lines);
        }
        let line_bits = self.first_line.width();
        /// The colour table has no levels.
        let is_level = !tap_layout(&self._config).get(self.field("tap"), "is_table");
        let [level_lines, level_lines_after] = [&self.level_lines[0], &self.level_lines[1]];
        if advance {
            if is_level {
                level_lines.next = self.field("level_lines");
            } else {
                level_lines.next = 0;
            }
            level_lines_after.next = level_lines.val();
            self.level_line.next = self.first_line.val() + level_lines_after.val().zero_extend(line_bits);
            for (base, product) in self.bases.iter().zip(&self.row_lines) {
                base.next = self.level_line.val() + product.product.val().zero_extend(line_bits);
            }
        }
    }

    fn lines(&self) {
        /// # First line of each tile
        let advance = self.advance.val();
        let products = &self.column_products;
        products.clocks.follow(&self.clocks);
        products.enable.next = advance;
        products.a0.next = self.field("column0");
        products.a1.next = self.field("column1");
        products.b.next = self.tile_lines();
        for (lines, product) in self.column_lines.iter().zip([products.p0.val(), products.p1.val()]) {
            discard(product.high(product.width() - COLUMN_LINE_BITS), "a tile has at most four lines");
            lines.take(product.low(COLUMN_LINE_BITS), advance);
        }
        for bank in 0..BANK_COUNT {
            let base = self.bases[bank >> 1].val();
            let line = base + self.column_lines[bank & 1].last().zero_extend(base.width());
            self.lines[bank].take(line, advance);
        }
    }

    fn near(&self) {
        /// # Sets just before
        // Sets stand one slot behind what came with them.
        let own = LATENCY_SLOTS - 4;
        let advance = self.advance.val();
        let mut nears = vec![];
        for bank in 0..BANK_COUNT {
            let sets = &self.sets[bank];
            let is_used = |age: usize| self.used.after(age).bit(bank);
            let mut meets = vec![];
            let mut any = lit(1, 0u32);
            let own_parts = parts(sets.after(own).width(), PART_BITS);
            for before in 1..=UNSETTLED_SLOTS {
                meets.extend(same_parts(sets.after(own + before), sets.after(own), PART_BITS));
                let same = self.meets[bank].val().slice((UNSETTLED_SLOTS - before) * own_parts, own_parts);
                any = any || (is_used(own + 2 + before) && same.all());
            }
            nears.push(is_used(own + 2) && any);
            if advance {
                self.meets[bank].next = cat(&meets);
            }
        }
        nears.reverse();
        if advance {
            self.nears.next = cat(&nears);
        }
    }

    fn repeat(&self) {
        /// # The tile of the time before
        let advance = self.advance.val();
        let used = self.used.after(LATENCY_SLOTS - 2);
        let kind = self.kinds.after(LATENCY_SLOTS - 2);
        let mut repeats = vec![];
        for bank in 0..BANK_COUNT {
            /// The set tells apart a tile of another texture that starts with the same line.
            let set = self.sets[bank].after(LATENCY_SLOTS - 3);
            let key = cat(&[set, self.lines[bank].after(1), kind]);
            let last = &self.last[bank];
            let is_known = used.bit(bank) && self.last_valid.val().bit(bank);
            let mut same = vec![is_known];
            same.extend(same_parts(key, last.val(), PART_BITS));
            let same_parts = &self.same_parts[bank];
            repeats.push(same_parts.val().all());
            if advance {
                same_parts.next = cat(&same);
            }
            if used.bit(bank) && advance {
                last.next = key;
            }
        }
        repeats.reverse();
        let repeats = cat(&repeats);
        let forgets = self.dropping.val() || (self.drops.after(LATENCY_SLOTS - 2) && advance);
        if forgets {
            self.last_valid.next = 0;
        } else if advance {
            self.last_valid.next = self.last_valid.val() | used;
        }
        if advance {
            self.repeats.next = repeats;
            self.is_near.next = (self.nears.val() & !repeats).any();
        }
    }

    fn leave(&self) {
        /// # Tiles
        let tiles = &self.tiles;
        tiles.active.next = self.waiting.last();
        tiles.drops.next = self.drops.last();
        tiles.used.next = self.used.after(LATENCY_SLOTS);
        tiles.repeats.next = self.repeats.val();
        tiles.is_near.next = self.is_near.val();
        tiles.kind.next = self.kinds.last();
        for bank in 0..BANK_COUNT {
            tiles.line[bank].next = self.lines[bank].last();
            tiles.set[bank].next = self.sets[bank].after(LATENCY_SLOTS - 1);
        }
        tiles.sides.next = self.sides.last();
        tiles.tap.next = self.taps.last();
    }
}
