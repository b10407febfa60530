//! `address`: from the tiles under a slot to their lines and sets.
//!
//! Each of the four banks of the cache is asked for at most one tile. A bank that is asked for the tile of the time before
//! need not look it up; a slot that looks into a set that one of the slots just before may still change is marked, so that
//! the tags can settle first.
//!
//! Latency: the stages of [`Stage`], initiation interval 1. Two multipliers of 9 x 12 bits find the rows of tiles, a pair
//! of 9 x 3 bits the columns.

use super::cache::lookup::UNSETTLED_SLOTS;
use super::words::{
    BindingPlace, COLUMN_BITS, KIND_BITS, Kind, LEVEL_LINE_BITS, PART_BITS, TILE_LINE_BITS, TileRequest,
    TileSpan, tap_layout, tile_lines,
};
use crate::bundles::{line_bits, same_parts};
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

/// Where a slot is on its way.
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
    /// All slots move on at the next edge.
    pub advance: Net<In>,
    /// There is something in the slot.
    pub active: Net<In>,
    /// The slot, see [`TileSpan`].
    pub span: Net<In>,
    /// The cache is being emptied.
    pub dropping: Net<In>,
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
            active: Net::bit(),
            span: Net::new(TileSpan::of(config).width()),
            dropping: Net::bit(),
            tiles: TileRequest::of(config).nets(),
            pipe: Pipe::new(),
            kind: Kind::of(config).registers(&clocks),
            next_first_line: Reg::new(&clocks, line_bits).width_named("LINE_NUMBER_BITS"),
            first_line: Reg::new(&clocks, line_bits).width_named("LINE_NUMBER_BITS"),
            row_lines: [(); 2].map(|()| Multiplier::new(factor(COLUMN_BITS), factor(ROW_LINE_BITS))),
            column_lines: DualMultiplier::new(factor(COLUMN_BITS), TILE_LINE_BITS),
            last_valid: Reg::with_reset(&clocks, BANK_COUNT, 0),
            last: Reg::array(BANK_COUNT, &clocks, set_bits + line_bits + KIND_BITS),
            clocks,
            _config: config.clone(),
        };
        address.pipe.plan(&address.clocks, || address.logic());
        address
    }
}

/// Lines and sets of the tiles of each slot, one for each bank.
#[kernel]
impl Address {
    fn logic(&self) {
        let pipe = self.pipe.run(&self.clocks, self.advance.val());
        pipe.timing();
        /// # Slots
        let span = TileSpan::of(&self._config).unpack(self.span.val());
        let waiting = pipe.flag(Entry, "waiting", self.active.val() && !span.is_binding);
        let sides = pipe.put(Entry, "sides", span.sides);
        let used = pipe.put(Entry, "used", span.used);
        let kind = self.kind.val();
        let has_table = self._config.features().has_color_table();
        let tap = if has_table { cat(&[kind.is_indexed, span.tap]) } else { span.tap };
        let tap = pipe.put(Entry, "tap", tap);
        /// # Binding
        let place = BindingPlace::of(&self._config).unpack(span.place);
        let starts = self.active.val() && span.carries;
        let drops = pipe.flag(Entry, "drops", starts && place.drops);
        let binds = pipe.flag(Entry, "binds", starts).at(Level);
        if starts && self.advance.val() {
            self.kind.next = &place.kind;
            self.next_first_line.next = place.line;
        }
        /// The slots in front of the binding are still to be added to the line before.
        if binds && self.advance.val() {
            self.first_line.next = self.next_first_line.val();
        }
        let sets = self.sets(&pipe, &span);
        let lines = self.lines(&pipe, &span, &kind);
        let kind = pipe.put(Entry, "kind", cat(&[kind.is_rgb, kind.is_indexed]));
        let [repeats, is_near] = self.marks(&pipe, [&used, &kind, &drops], [&sets, &lines]);
        /// # Tiles
        self.tiles.next = TileRequest {
            active: waiting.at(Exit),
            drops: drops.at(Exit),
            used: used.at(Exit),
            repeats: repeats.at(Exit),
            is_near: is_near.at(Exit),
            line: lines.at(Exit),
            set: sets.at(Exit),
            kind: kind.at(Exit),
            sides: sides.at(Exit),
            tap: tap.at(Exit),
        };
    }

    fn sets<'a>(&self, pipe: &Run<'a, Stage>, span: &TileSpan) -> Carried<'a, Vec<Bits>> {
        /// # Sets
        /// The column's bits, and against them the row's in reverse, so that a walk along either visits them
        /// all, and a square of tiles too.
        let set_bits = self._config.cache().bank_set_bits() as usize;
        let half = |tile: Bits| tile.slice(1, set_bits.min(COLUMN_BITS - 1));
        let whole = |half: Bits| half.zero_extend(set_bits);
        let columns = pipe.put(Entry, "column", span.column.map(half)).at(Set).map(whole);
        let rows = pipe.put(Entry, "row", span.row.map(half)).at(Set).map(whole);
        let rows = rows.map(|row| stack((0..set_bits).rev().map(|number| row.bit(number))));
        pipe.put(Set, "set", (0..BANK_COUNT).map(|bank| columns[bank & 1] ^ rows[bank >> 1]).collect())
    }

    fn lines<'a>(&self, pipe: &Run<'a, Stage>, span: &TileSpan, kind: &Kind) -> Carried<'a, Vec<Bits>> {
        /// # First line of each tile
        let line = |value: Bits| value.zero_extend(self.first_line.width());
        let tile_lines = tile_lines(kind.is_rgb, kind.is_indexed);
        /// The colour table has no levels.
        let is_level = !tap_layout(&self._config).get(span.tap, "is_table");
        let level_lines = if is_level { span.level_lines } else { lit(LEVEL_LINE_BITS, 0u32) };
        let level_lines = pipe.put(Entry, "level_lines", level_lines).at(Level);
        let level_line = pipe.put(Level, "level_line", self.first_line.val() + line(level_lines)).at(Row);
        let row_lines = tile_lines.zero_extend(ROW_LINE_BITS) << span.tiles_log2;
        let rows = pipe.through(Entry, "row_lines", &self.row_lines, span.row.map(|row| (row, row_lines)));
        let rows = pipe.put(Row, "row_line", rows.at(Row).map(|lines| level_line + line(lines)));
        let columns =
            pipe.through(Entry, "column_lines", &self.column_lines, (span.column, tile_lines)).at(Row);
        discard(stack(columns.map(|lines| lines.bit(COLUMN_LINE_BITS))), "a tile has at most four lines");
        let columns = pipe.put(Row, "column_line", columns.map(|lines| lines.low(COLUMN_LINE_BITS)));
        let tile = |bank: usize| rows.at(Tile)[bank >> 1] + line(columns.at(Tile)[bank & 1]);
        pipe.put(Tile, "line", (0..BANK_COUNT).map(tile).collect())
    }

    /// The banks that were asked for the same tile the time before, and whether another one's set is unsettled.
    fn marks<'a>(
        &self,
        pipe: &Run<'a, Stage>,
        [used, kind, drops]: [&Carried<'_>; 3],
        [sets, lines]: [&Carried<'_, Vec<Bits>>; 2],
    ) -> [Carried<'a>; 2] {
        /// # Sets just before
        let meets = array::from_fn::<_, UNSETTLED_SLOTS, _>(|number| {
            let pairs = sets.before(Tile, number + 1).into_iter().zip(sets.at(Tile));
            pairs.map(|(other, own)| stack(same_parts(other, own, PART_BITS))).collect::<Vec<_>>()
        });
        let meets = pipe.put(Tile, "meets", meets).at(Compare);
        let near = |bank: usize| {
            let is_used = |before: usize| used.before(Compare, before).bit(bank);
            let near = |number: usize| is_used(number + 1) && meets[number][bank].all();
            is_used(0) && stack((0..UNSETTLED_SLOTS).map(near)).any()
        };
        let nears = pipe.put(Compare, "nears", stack((0..BANK_COUNT).map(near)));
        /// # The tile of the time before
        let (used, advance) = (used.at(Compare), self.advance.val());
        let known = used & self.last_valid.val();
        /// The set tells apart a tile of another texture that starts with the same line.
        let key = |bank: usize| cat(&[sets.at(Compare)[bank], lines.at(Compare)[bank], kind.at(Compare)]);
        let key: Vec<Bits> = (0..BANK_COUNT).map(key).collect();
        let same = |(bank, last): (usize, &Reg)| {
            if used.bit(bank) && advance {
                last.next = key[bank];
            }
            stack(same_parts(key[bank], last.val(), PART_BITS).into_iter().chain([known.bit(bank)]))
        };
        let same: Vec<Bits> = self.last.iter().enumerate().map(same).collect();
        let same = pipe.put(Compare, "same_parts", same).at(Mark);
        let forgets = self.dropping.val() || (drops.at(Compare) && advance);
        if forgets {
            self.last_valid.next = 0;
        } else if advance {
            self.last_valid.next = self.last_valid.val() | used;
        }
        let repeats = stack(same.into_iter().map(Bits::all));
        [pipe.put(Mark, "repeats", repeats), pipe.put(Mark, "is_near", (nears.at(Mark) & !repeats).any())]
    }
}
