//! `address`: from the tiles under an item to their lines and sets.
//!
//! Each of the four banks of the cache is asked for at most one tile. A bank that is asked for the tile of the time before
//! need not look it up; an item that looks into a set that one of the items just before may still change is marked, so that
//! the tags can settle first.
//!
//! Latency: the stages of [`Stage`], initiation interval 1. Two multipliers of 9 x 12 bits find the rows of tiles, a pair
//! of 9 x 3 bits the columns.

use crate::cache::prefetch::tag_stage::UNSETTLED_STEPS;
use crate::datapath::bundles::{line_bits, same_parts};
use crate::datapath::format::{Kind, tile_lines};
use crate::datapath::words::{
    BindingPlace, COLUMN_BITS, LEVEL_LINE_BITS, PART_BITS, ScheduledTiles, TILE_LINE_BITS, TileRequest,
    kind_bits, kind_word, tap_layout,
};
use Stage::{Compare, Entry, Exit, Level, Mark, Row, Set, Tile};
use std::array;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{DualMultiplier, Multiplier, Operand};
use tmu_spec::Config;
use tmu_spec::tile::BANKS;

const BANK_COUNT: usize = BANKS as usize;
/// Bits of the lines in front of a column of tiles.
const COLUMN_LINE_BITS: usize = COLUMN_BITS + 2;
/// Bits of the lines of a row of tiles: four for each of up to 512.
const ROW_LINE_BITS: usize = 12;

/// Where an item is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
pub enum Stage {
    /// It comes in, and columns and rows go into the multipliers.
    Entry,
    /// Its sets are found.
    Set,
    /// The first line of its level is found.
    Level,
    /// The multipliers are done: the first lines of rows of tiles are found.
    Row,
    /// The first lines of its tiles are found. Its sets are compared with those just before.
    Tile,
    /// Its tiles are compared with those of the time before.
    Compare,
    /// Both comparisons are summed up.
    Mark,
    /// It leaves.
    Exit,
}

type Carried<'a, W = Bits> = Payload<'a, Stage, W>;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Address {
    /// Clock and reset.
    pub clocks: Clocks,
    /// All items move on at the next edge.
    pub advance: Net<In>,
    /// There is something in the item.
    pub in_valid: Net<In>,
    /// The item, see [`ScheduledTiles`].
    pub in_tiles: Net<In>,
    /// The cache is being emptied.
    pub invalidating: Net<In>,
    /// The tiles.
    pub tiles: TileRequest<Field<Out>>,
    pipe: Pipe<Stage>,
    kind: Kind<FieldReg>,
    next_first_line: Reg,
    first_line: Reg,
    row_lines: [Multiplier; 2],
    column_lines: DualMultiplier,
    last_valid: Reg,
    last: Vec<Reg>,
    _config: Config,
}

impl Address {
    /// The stage for a configuration.
    pub fn new(config: &Config) -> Address {
        let (clocks, factor) = (Clocks::new(), Operand::unsigned);
        let (line_bits, set_bits) = (line_bits(config), config.cache().bank_set_bits() as usize);
        let address = Address {
            advance: Net::bit(),
            in_valid: Net::bit(),
            in_tiles: Net::new(ScheduledTiles::of(config).width()),
            invalidating: Net::bit(),
            tiles: TileRequest::of(config).nets(),
            pipe: Pipe::new(),
            kind: Kind::of(config).registers(&clocks),
            next_first_line: Reg::new(&clocks, line_bits).width_named("LINE_NUMBER_BITS"),
            first_line: Reg::new(&clocks, line_bits).width_named("LINE_NUMBER_BITS"),
            row_lines: [(); 2].map(|()| Multiplier::new(factor(COLUMN_BITS), factor(ROW_LINE_BITS))),
            column_lines: DualMultiplier::new(factor(COLUMN_BITS), TILE_LINE_BITS),
            last_valid: Reg::with_reset(&clocks, BANK_COUNT, 0),
            last: Reg::array(BANK_COUNT, &clocks, set_bits + line_bits + kind_bits(config)),
            clocks,
            _config: config.clone(),
        };
        address.pipe.plan(&address.clocks, || address.logic());
        address
    }
}

/// Lines and sets of the tiles of each item, one for each bank.
#[kernel]
impl Address {
    fn logic(&self) {
        let pipe = self.pipe.run(&self.clocks, self.advance.val());
        pipe.timing();
        /// # Items
        let in_tiles = ScheduledTiles::of(&self._config).unpack(self.in_tiles.val());
        let waiting = pipe.flag(Entry, "waiting", self.in_valid.val() && !in_tiles.is_binding);
        let word_selects = pipe.put(Entry, "word_selects", in_tiles.word_selects);
        let needed = pipe.put(Entry, "needed", in_tiles.needed);
        let kind = self.kind.val();
        let has_table = self._config.features().has_color_table();
        let tap = if has_table { cat(&[kind.is_indexed, in_tiles.tap]) } else { in_tiles.tap };
        let tap = pipe.put(Entry, "tap", tap);
        /// # Binding
        let place = BindingPlace::of(&self._config).unpack(in_tiles.place);
        let starts = self.in_valid.val() && in_tiles.has_binding_bits;
        let invalidates = pipe.flag(Entry, "invalidates", starts && place.invalidates);
        let binds = pipe.flag(Entry, "binds", starts).at(Level);
        if starts && self.advance.val() {
            self.kind.next = &place.kind;
            self.next_first_line.next = place.line;
        }
        /// The items in front of the binding are still to be added to the line before.
        if binds && self.advance.val() {
            self.first_line.next = self.next_first_line.val();
        }
        let sets = self.sets(&pipe, &in_tiles);
        let lines = self.lines(&pipe, &in_tiles, &kind);
        let kind = pipe.put(Entry, "kind", kind_word(&self._config, &kind));
        let [same_tile, has_set_hazard] =
            self.hazards(&pipe, [&needed, &kind, &invalidates], [&sets, &lines]);
        /// # Tiles
        self.tiles.next = TileRequest {
            valid: waiting.at(Exit),
            invalidates: invalidates.at(Exit),
            needed: needed.at(Exit),
            same_tile: same_tile.at(Exit),
            has_set_hazard: has_set_hazard.at(Exit),
            line: lines.at(Exit),
            set: sets.at(Exit),
            kind: kind.at(Exit),
            word_selects: word_selects.at(Exit),
            tap: tap.at(Exit),
        };
    }

    fn sets<'a>(&self, pipe: &Run<'a, Stage>, in_tiles: &ScheduledTiles) -> Carried<'a, Vec<Bits>> {
        /// # Sets
        /// The column's bits, and against them the row's in reverse, so that a walk along either visits them
        /// all, and a square of tiles too.
        let set_bits = self._config.cache().bank_set_bits() as usize;
        let half = |tile: Bits| tile.slice(1, set_bits.min(COLUMN_BITS - 1));
        let whole = |half: Bits| half.zero_extend(set_bits);
        let columns = pipe.put(Entry, "column", in_tiles.column.map(half)).at(Set).map(whole);
        let rows = pipe.put(Entry, "row", in_tiles.row.map(half)).at(Set).map(whole);
        let rows = rows.map(|row| stack((0..set_bits).rev().map(|number| row.bit(number))));
        pipe.put(Set, "set", (0..BANK_COUNT).map(|bank| columns[bank & 1] ^ rows[bank >> 1]).collect())
    }

    fn lines<'a>(
        &self,
        pipe: &Run<'a, Stage>,
        in_tiles: &ScheduledTiles,
        kind: &Kind,
    ) -> Carried<'a, Vec<Bits>> {
        /// # First line of each tile
        let line = |value: Bits| value.zero_extend(self.first_line.width());
        let tile_lines = tile_lines(kind);
        /// The colour table has no levels.
        let is_level = !tap_layout(&self._config).get(in_tiles.tap, "is_table");
        let level_lines = if is_level { in_tiles.level_lines } else { lit(LEVEL_LINE_BITS, 0u32) };
        let level_lines = pipe.put(Entry, "level_lines", level_lines).at(Level);
        let level_line = pipe.put(Level, "level_line", self.first_line.val() + line(level_lines)).at(Row);
        let row_lines = tile_lines.zero_extend(ROW_LINE_BITS) << in_tiles.tiles_log2;
        let rows =
            pipe.through(Entry, "row_lines", &self.row_lines, in_tiles.row.map(|row| (row, row_lines)));
        let rows = pipe.put(Row, "row_line", rows.at(Row).map(|lines| level_line + line(lines)));
        let columns =
            pipe.through(Entry, "column_lines", &self.column_lines, (in_tiles.column, tile_lines)).at(Row);
        discard(stack(columns.map(|lines| lines.bit(COLUMN_LINE_BITS))), "a tile has at most four lines");
        let columns = pipe.put(Row, "column_line", columns.map(|lines| lines.low(COLUMN_LINE_BITS)));
        let tile = |bank: usize| rows.at(Tile)[bank >> 1] + line(columns.at(Tile)[bank & 1]);
        pipe.put(Tile, "line", (0..BANK_COUNT).map(tile).collect())
    }

    /// The banks that were asked for the same tile the time before, and whether another one's set is unsettled.
    fn hazards<'a>(
        &self,
        pipe: &Run<'a, Stage>,
        [needed, kind, invalidates]: [&Carried<'_>; 3],
        [sets, lines]: [&Carried<'_, Vec<Bits>>; 2],
    ) -> [Carried<'a>; 2] {
        /// # Sets just before
        let same_sets = array::from_fn::<_, UNSETTLED_STEPS, _>(|number| {
            let pairs = sets.before(Tile, number + 1).into_iter().zip(sets.at(Tile));
            pairs.map(|(other, own)| stack(same_parts(other, own, PART_BITS))).collect::<Vec<_>>()
        });
        let same_sets = pipe.put(Tile, "same_sets", same_sets).at(Compare);
        let near = |bank: usize| {
            let is_used = |before: usize| needed.before(Compare, before).bit(bank);
            let near = |number: usize| is_used(number + 1) && same_sets[number][bank].all();
            is_used(0) && stack((0..UNSETTLED_STEPS).map(near)).any()
        };
        let set_hazards = pipe.put(Compare, "set_hazards", stack((0..BANK_COUNT).map(near)));
        /// # The tile of the time before
        let (needed, advance) = (needed.at(Compare), self.advance.val());
        let known = needed & self.last_valid.val();
        /// The set tells apart a tile of another texture that starts with the same line.
        let key = |bank: usize| cat(&[sets.at(Compare)[bank], lines.at(Compare)[bank], kind.at(Compare)]);
        let key: Vec<Bits> = (0..BANK_COUNT).map(key).collect();
        let same = |(bank, last): (usize, &Reg)| {
            if needed.bit(bank) && advance {
                last.next = key[bank];
            }
            stack(same_parts(key[bank], last.val(), PART_BITS).into_iter().chain([known.bit(bank)]))
        };
        let same: Vec<Bits> = self.last.iter().enumerate().map(same).collect();
        let same = pipe.put(Compare, "same_parts", same).at(Mark);
        let forgets = self.invalidating.val() || (invalidates.at(Compare) && advance);
        if forgets {
            self.last_valid.next = 0;
        } else if advance {
            self.last_valid.next = self.last_valid.val() | needed;
        }
        let same_tile = stack(same.into_iter().map(Bits::all));
        [
            pipe.put(Mark, "same_tile", same_tile),
            pipe.put(Mark, "has_set_hazard", (set_hazards.at(Mark) & !same_tile).any()),
        ]
    }
}
