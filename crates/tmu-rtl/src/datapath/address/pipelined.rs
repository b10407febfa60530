//! `address`: from the tiles under an item to their lines and sets.
//!
//! Each of the four banks of the cache is asked for at most one tile. A bank that is asked for the tile of the time before
//! need not look it up; an item that looks into a set that one of the items just before may still change waits at the exit
//! until that one has settled, as many clocks as it takes from the nearest of them.
//!
//! Latency: the stages of [`Stage`], initiation interval 1. Two multipliers of 9 x 12 bits find the rows of tiles, a pair
//! of 9 x 3 bits the columns.

use crate::datapath::address::hazards::{Hazards, hazards};
use crate::datapath::bundles::line_bits;
use crate::datapath::format::{Kind, tile_lines};
use crate::datapath::words::{
    BindingPlace, COLUMN_BITS, LEVEL_LINE_BITS, ScheduledTiles, TILE_LINE_BITS, TileRequest, kind_word,
    tap_layout,
};
use Stage::{Compare, Entry, Exit, Level, Mark, Row, Tile};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{DualMultiplier, Multiplier, Operand};
use tmu_spec::Config;
use tmu_spec::tile::{BANKS, SET_FOLD_BITS};

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
    /// Columns and rows are in the multipliers.
    Factors,
    /// The first line of its level is found.
    Level,
    /// The multipliers are done: the first lines of rows of tiles are found. So are its sets.
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
    hazards: Flat<Hazards>,
    _config: Config,
}

impl Address {
    /// The stage for a configuration.
    pub fn new(config: &Config) -> Address {
        let (clocks, factor) = (Clocks::new(), Operand::unsigned);
        let line_bits = line_bits(config);
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
            hazards: Flat(Hazards::new(config, &clocks)),
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
        let starts = self.in_valid.val() && in_tiles.is_binding;
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
        let level_line = self.level_line(&pipe, &in_tiles);
        let sets = self.sets(&pipe, &in_tiles, &level_line);
        let lines = self.lines(&pipe, &in_tiles, &kind, &level_line);
        let kind = pipe.put(Entry, "kind", kind_word(&self._config, &kind));
        let forgets = [self.invalidating.val(), self.advance.val()];
        let items = [&needed, &kind, &invalidates];
        let same_tile =
            hazards(&self.hazards, &pipe, [Tile, Compare, Mark], forgets, items, [&sets, &lines], 1);
        /// # Tiles
        self.tiles.next = TileRequest {
            valid: waiting.at(Exit),
            invalidates: invalidates.at(Exit),
            needed: needed.at(Exit),
            same_tile: same_tile.at(Exit),
            remembered: vec![lit(1, 0u32); BANK_COUNT],
            waits: self.hazards.waits.val(),
            line: lines.at(Exit),
            set: sets.at(Exit),
            kind: kind.at(Exit),
            word_selects: word_selects.at(Exit),
            tap: tap.at(Exit),
        };
    }

    fn level_line<'a>(&self, pipe: &Run<'a, Stage>, in_tiles: &ScheduledTiles) -> Carried<'a> {
        /// # First line of the level
        /// The colour table has no levels.
        let is_level = !tap_layout(&self._config).get(in_tiles.tap, "is_table");
        let level_lines = if is_level { in_tiles.level_lines } else { lit(LEVEL_LINE_BITS, 0u32) };
        let level_lines = pipe.put(Entry, "level_lines", level_lines).at(Level);
        let level_lines = level_lines.zero_extend(self.first_line.width());
        pipe.put(Level, "level_line", self.first_line.val() + level_lines)
    }

    fn sets<'a>(
        &self,
        pipe: &Run<'a, Stage>,
        in_tiles: &ScheduledTiles,
        level_line: &Carried<'_>,
    ) -> Carried<'a, Vec<Bits>> {
        /// # Sets
        /// The column's bits, the row's in reverse and the folded line of the level against each other.
        let set_bits = self._config.cache().bank_set_bits() as usize;
        let half = |tile: Bits| tile.slice(1, set_bits.min(COLUMN_BITS - 1));
        let whole = |half: Bits| half.zero_extend(set_bits);
        let columns = pipe.put(Entry, "column", in_tiles.column.map(half)).at(Row).map(whole);
        let rows = pipe.put(Entry, "row", in_tiles.row.map(half)).at(Row).map(whole);
        let rows = rows.map(|row| stack((0..set_bits).rev().map(|number| row.bit(number))));
        let folded = folded(level_line.at(Row), set_bits);
        let set = |bank: usize| columns[bank & 1] ^ rows[bank >> 1] ^ folded;
        pipe.put(Row, "set", (0..BANK_COUNT).map(set).collect())
    }

    fn lines<'a>(
        &self,
        pipe: &Run<'a, Stage>,
        in_tiles: &ScheduledTiles,
        kind: &Kind,
        level_line: &Carried<'_>,
    ) -> Carried<'a, Vec<Bits>> {
        /// # First line of each tile
        let line = |value: Bits| value.zero_extend(self.first_line.width());
        let tile_lines = tile_lines(&self._config, kind);
        let level_line = level_line.at(Row);
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
}

/// The pieces of the number of a line against each other.
#[kernel]
pub(crate) fn folded(line: Bits, set_bits: usize) -> Bits {
    let piece_bits = SET_FOLD_BITS as usize;
    let bit = |number: usize| {
        let own = (number..line.width()).step_by(piece_bits).map(|number| line.bit(number));
        own.reduce(|folded, bit| folded ^ bit).unwrap_or_else(|| lit(1, 0u32))
    };
    stack((0..piece_bits.min(set_bits)).map(bit)).zero_extend(set_bits)
}
