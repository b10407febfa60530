//! `address` of the general numerics: from the taps of an item to their tiles, lines and sets.
//!
//! Each of the four banks of tags is asked for at most one tile. Its bank is the parity of a tile's row and of its column; of tiles
//! of 8 bytes, of which two share a line, it is the parity of the line in its row that counts. Taps across the edge of a cube find
//! their face first. Items wait for each other as those of the classic [`address`](crate::datapath::address::pipelined) do.
//!
//! Of several lanes those of a [`group`](super::group) come together, with the tiles of their banks. Each of these has a column, a row
//! and a slice of its own. Each bank remembers its last tiles, so that groups that ask for them again never wait: see `remembered`.
//!
//! Latency: the stages of [`Stage`], three less for groups and without cubes, one less with cubes; initiation interval 1. Two multipliers
//! of 10 x 14 bits find the rows of tiles, a pair of 10 x 4 bits the columns, one of 3 x 23 bits the face, of 12 x 23 bits where there are
//! volumes or arrays; for groups four, two pairs, four.

pub(super) mod found;
mod remembered;
pub(super) mod taps;
pub(super) mod tiles;

use super::coordinate::{LevelPlace, row_half_bits, slice_line_bits};
use super::cube_edge::CubeEdge;
use super::footprint::TapItem;
use super::group::Group;
use super::tile::{TILE_BITS, may_be_wide, part_halves, tile_half_bits, tile_row};
use super::words::{ProbeTap, RowTap, TAPS, WordSelect, face_bits, has_rows, slice_bits};
use crate::datapath::address::hazards::{Hazards, hazards};
use crate::datapath::address::pipelined::folded;
use crate::datapath::words::TileRequest;
use Stage::{Compare, Count, Entry, Exit, Found, Line, Mark, Product, Sorted, Tile};
use found::found;
use remembered::{Remembered, Wanted, remembered};
use taps::{tap, word_select};
use tiles::{sides, tiles};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{DualMultiplier, Multiplier, Operand};
use tmu_spec::Config;
use tmu_spec::tile::BANKS;

const BANK_COUNT: usize = BANKS as usize;
/// Parts of a tile that are brought together as they are compared: inputs of a LUT.
const PARTS_TOGETHER: usize = 6;

/// Where an item is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
pub enum Stage {
    /// It comes in.
    Entry,
    /// Across an edge, its face is known.
    Turn,
    /// So is its texel.
    Across,
    /// Its texels are sorted by parity.
    Found,
    /// Tiles go into the multipliers.
    Sorted,
    /// They are in the multipliers.
    Factors,
    /// They are multiplied.
    Multiply,
    /// Half lines in front of rows and columns, and lines in front of the face, are there.
    Product,
    /// Both are added: the lines of its tiles. So are its sets.
    Line,
    /// Its sets are compared with those just before.
    Tile,
    /// Its tiles are compared with those of the time before.
    Compare,
    /// Both comparisons are summed up.
    Mark,
    /// It is known how long it waits; of groups alone.
    Count,
    /// It leaves.
    Exit,
}

/// The stages without cubes.
const FLAT: [Stage; 11] =
    [Entry, Found, Sorted, Stage::Factors, Stage::Multiply, Product, Line, Tile, Compare, Mark, Exit];
/// Those of groups.
const OF_GROUPS: [Stage; 11] =
    [Found, Sorted, Stage::Factors, Stage::Multiply, Product, Line, Tile, Compare, Mark, Count, Exit];
/// Those in which sets are compared; the last one of groups alone.
const OF_SETS: [Stage; 4] = [Tile, Compare, Mark, Count];

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Address {
    /// Clock and reset.
    pub clocks: Clocks,
    /// All items move on at the next edge.
    pub advance: Net<In>,
    /// There is an item.
    pub in_valid: Net<In>,
    /// The item, see [`TapItem`]; of several lanes [`Group`].
    pub item: Net<In>,
    /// The cache is being emptied.
    pub invalidating: Net<In>,
    /// The tiles.
    pub tiles: TileRequest<Field<Out>>,
    pipe: Pipe<Stage>,
    hazards: Optional<Hazards>,
    remembered: Optional<Remembered>,
    cube_edge: Optional<CubeEdge>,
    rows: Vec<Multiplier>,
    columns: DualMultiplier,
    other_columns: Optional<DualMultiplier>,
    slices: Optional<Multiplier>,
    other_slices: Vec<Multiplier>,
    _config: Config,
}

/// What the banks are asked for.
struct Asked<'a> {
    in_valid: Carried<'a>,
    invalidates: Carried<'a>,
    kind: Carried<'a>,
    needed: Carried<'a>,
    /// Packed, where they leave.
    word_selects: Bits,
    tap: Bits,
    level: LevelPlace,
    tiles: Tiles,
}

/// What is said of an item where it leaves: see [`TileRequest`].
struct Marks {
    same_tile: Bits,
    remembered: Vec<Bits>,
    waits: Bits,
    sets: Vec<Bits>,
}

/// The tiles of an item, at [`Stage::Found`].
struct Tiles {
    /// Rows of entries: that of each parity, or of each bank.
    row: Vec<Bits>,
    /// Columns: the first and the second one, or that of each bank.
    column: Vec<Bits>,
    /// Of two columns, a bit for each bank: it has the tile of the second one.
    takes_second: Option<Bits>,
    /// Slices: that of all banks, or of each one.
    slice: Vec<Bits>,
}

impl Address {
    /// The stage for a configuration.
    pub fn new(config: &Config) -> Address {
        let (clocks, factor) = (Clocks::new(), Operand::unsigned);
        let has_rows = has_rows(config);
        let has_cube = face_bits(config) > 0 && !has_rows;
        let slice_bits = slice_bits(config);
        let of_slice = || Multiplier::new(factor(slice_bits), factor(slice_line_bits(config)));
        let of_columns = || DualMultiplier::new(factor(TILE_BITS), tile_half_bits(config));
        let of_row = || Multiplier::new(factor(TILE_BITS), factor(row_half_bits(config)));
        let item = if has_rows { Group::of(config).width() } else { TapItem::of(config).width() };
        let other_slices = if has_rows && slice_bits > 0 { BANK_COUNT - 1 } else { 0 };
        let has_sets = !config.cache().is_associative();
        let stages = match (has_rows, has_cube) {
            (true, _) => &OF_GROUPS[..],
            (false, true) => Stage::ALL,
            (false, false) => &FLAT[..],
        };
        let is_built =
            |stage: &Stage| (has_sets || !OF_SETS.contains(stage)) && (has_rows || *stage != Count);
        let stages: Vec<Stage> = stages.iter().copied().filter(is_built).collect();
        let address = Address {
            advance: Net::bit(),
            in_valid: Net::bit(),
            item: Net::new(item),
            invalidating: Net::bit(),
            tiles: TileRequest::of(config).nets(),
            pipe: Pipe::with(&stages),
            hazards: Optional::new(has_sets && !has_rows, || Hazards::new(config, &clocks)),
            remembered: Optional::new(has_sets && has_rows, || Remembered::new(config, &clocks)),
            cube_edge: Optional::new(has_cube, || CubeEdge::new(config)),
            rows: (0..if has_rows { BANK_COUNT } else { 2 }).map(|_| of_row()).collect(),
            columns: of_columns(),
            other_columns: Optional::new(has_rows, of_columns),
            slices: Optional::new(slice_bits > 0, of_slice),
            other_slices: (0..other_slices).map(|_| of_slice()).collect(),
            clocks,
            _config: config.clone(),
        };
        address.pipe.plan(&address.clocks, || address.logic());
        address
    }

    /// Lines and sets of what the banks are asked for.
    fn find(&self, pipe: &Run<'_, Stage>, asked: &Asked<'_>) {
        let base = self.base(pipe, asked);
        let lines = self.lines(pipe, asked, &base);
        let marks = if self._config.cache().is_associative() {
            discard(self.invalidating.val(), "nothing is remembered");
            Marks {
                same_tile: lit(BANK_COUNT, 0u32),
                remembered: vec![lit(1, 0u32); BANK_COUNT],
                waits: lit(1, 0u32),
                sets: vec![lit(1, 0u32); BANK_COUNT],
            }
        } else {
            self.compare(pipe, asked, &base, &lines)
        };
        self.leave(TileRequest {
            valid: asked.in_valid.at(Exit),
            invalidates: asked.invalidates.at(Exit),
            needed: asked.needed.at(Exit),
            same_tile: marks.same_tile,
            remembered: marks.remembered,
            waits: marks.waits,
            line: lines.at(Exit),
            set: marks.sets,
            kind: asked.kind.at(Exit),
            word_selects: asked.word_selects,
            tap: asked.tap,
        });
    }

    /// What is said of an item beside those just before.
    fn compare<'a>(
        &self,
        pipe: &Run<'a, Stage>,
        asked: &Asked<'a>,
        base: &[Carried<'_>],
        lines: &Carried<'a, Vec<Bits>>,
    ) -> Marks {
        let Asked { invalidates, kind, needed, .. } = asked;
        let sets = self.sets(pipe, asked, base);
        let forgets = [self.invalidating.val(), self.advance.val()];
        let none = || vec![lit(1, 0u32); BANK_COUNT];
        let (same_tile, remembered, waits) = if let Some(held) = self.hazards.as_ref() {
            let items = [needed, kind, invalidates];
            let same_tile =
                hazards(held, pipe, [Tile, Compare, Mark], forgets, items, [&sets, lines], PARTS_TOGETHER);
            (same_tile, none(), &held.waits)
        } else {
            let held = self.remembered.as_ref().expect("either of the two");
            let wanted = Wanted { needed, invalidates, kind, sets: &sets, lines };
            let ways = self._config.cache().ways() as usize;
            let marks = remembered(held, pipe, OF_SETS, forgets, &wanted, ways);
            (marks.same_tile, marks.remembered.at(Exit), &held.is_waiting)
        };
        Marks { same_tile: same_tile.at(Exit), remembered, waits: waits.val(), sets: sets.at(Exit) }
    }
}

type Carried<'a, W = Bits> = Payload<'a, Stage, W>;

/// Lines and sets of the tiles of each item, one for each bank.
#[kernel]
impl Address {
    fn logic(&self) {
        let pipe = self.pipe.run(&self.clocks, self.advance.val());
        pipe.timing();
        if has_rows(&self._config) {
            self.groups(&pipe);
        } else {
            self.items(&pipe);
        }
    }

    fn leave(&self, tiles: TileRequest) {
        /// # Tiles
        self.tiles.next = tiles;
    }

    fn items(&self, pipe: &Run<'_, Stage>) {
        /// # Items
        let item = TapItem::of(&self._config).unpack(self.item.val());
        let is_valid = self.in_valid.val() && !item.invalidates;
        let in_valid = pipe.flag(Entry, "in_valid", is_valid);
        let invalidates = pipe.flag(Entry, "invalidates", self.in_valid.val() && item.invalidates);
        let stages = [Entry, Stage::Across, Found];
        let item = found(pipe, stages, self.cube_edge.as_ref(), str::to_owned, item);
        let kind = pipe.put(Found, "kind", item.level.kind);
        let texels = [sides(item.x, item.uses_second_x, 3), sides(item.y, item.uses_second_y, 2)];
        let word_selects = pipe.put(Found, "word_selects", word_select(&item, &texels));
        let tap = pipe.put(Found, "tap", tap(&self._config, &item, &texels));
        let reads = in_valid.at(Found) && item.ends.is_valid && !item.reads_nothing;
        let tiles = tiles(&item, reads);
        let needed = pipe.put(Found, "needed", tiles.needed);
        let asked = Asked {
            in_valid,
            invalidates,
            kind,
            needed,
            word_selects: WordSelect::shape().pack(&word_selects.at(Exit)),
            tap: ProbeTap::of(&self._config).pack(&tap.at(Exit)),
            level: item.level,
            tiles: Tiles {
                row: tiles.row.to_vec(),
                column: tiles.column.to_vec(),
                takes_second: Some(tiles.takes_second),
                slice: vec![item.slice],
            },
        };
        self.find(pipe, &asked);
    }

    fn groups(&self, pipe: &Run<'_, Stage>) {
        /// # Groups
        let group = Group::of(&self._config).unpack(self.item.val());
        let in_valid = pipe.flag(Found, "in_valid", self.in_valid.val() && !group.invalidates);
        let invalidates = pipe.flag(Found, "invalidates", self.in_valid.val() && group.invalidates);
        let kind = pipe.put(Found, "kind", group.level.kind);
        let selects = stack(group.word_selects.iter().map(|select| WordSelect::shape().pack(select)));
        let word_selects = pipe.put(Found, "word_selects", selects).at(Exit);
        let tap = pipe.put(Found, "tap", RowTap::of(&self._config).pack(&group.tap)).at(Exit);
        let needed = pipe.put(Found, "needed", group.needed & self.in_valid.val().repeat(BANK_COUNT));
        let tiles = Tiles {
            row: group.row.to_vec(),
            column: group.column.to_vec(),
            takes_second: None,
            slice: group.slice.to_vec(),
        };
        let level = group.level;
        self.find(pipe, &Asked { in_valid, invalidates, kind, needed, word_selects, tap, level, tiles });
    }

    /// The first line of the slice, or of that of each bank.
    fn base<'a>(&self, pipe: &Run<'a, Stage>, asked: &Asked<'_>) -> Vec<Carried<'a>> {
        /// # First line of the slice
        let level = pipe.put(Found, "level_line", asked.level.line).at(Product);
        let multipliers: Vec<&Multiplier> =
            self.slices.as_ref().into_iter().chain(&self.other_slices).collect();
        if multipliers.is_empty() {
            return vec![pipe.put(Product, "base_line", level)];
        }
        let several = multipliers.len() > 1;
        let base = |(number, (multiplier, slice)): (usize, (&Multiplier, &Bits))| {
            let name = |name: &str| if several { format!("{name}_{number}") } else { name.into() };
            let slice = pipe.put(Found, &name("slice"), [*slice, asked.level.slice_lines]).at(Sorted);
            let factors = (slice[0], slice[1]);
            let lines = pipe.through(Sorted, &name("slice_line"), multiplier, factors).at(Product);
            let bits = level.width();
            if lines.width() > bits {
                discard(lines.high(lines.width() - bits), "no texture has so many lines");
            }
            let line = level + (if lines.width() < bits { lines.zero_extend(bits) } else { lines.low(bits) });
            pipe.put(Product, &name("base_line"), line)
        };
        multipliers.into_iter().zip(&asked.tiles.slice).enumerate().map(base).collect()
    }

    fn sets<'a>(
        &self,
        pipe: &Run<'a, Stage>,
        Asked { level, tiles, .. }: &Asked<'_>,
        base: &[Carried<'_>],
    ) -> Carried<'a, Vec<Bits>> {
        /// # Sets
        /// The column's bits, the row's in reverse and the folded line of the slice against each other.
        let set_bits = self._config.cache().bank_set_bits() as usize;
        let upper =
            |tile: Bits, lo: usize| tile.slice(lo, set_bits.min(tile.width() - lo)).zero_extend(set_bits);
        let is_half = level.tile_halves.bit(0);
        let column = |column: &Bits| if is_half { upper(*column, 2) } else { upper(*column, 1) };
        let columns = tiles.column.iter().map(column).collect::<Vec<_>>();
        let columns = pipe.put(Found, "set_columns", columns).at(Line);
        let rows =
            pipe.put(Found, "set_rows", tiles.row.iter().map(|row| upper(*row, 1)).collect::<Vec<_>>());
        let rows = rows.at(Line);
        let takes_second =
            tiles.takes_second.map(|second| pipe.put(Found, "sets_take_second", second).at(Line));
        let folded = base.iter().map(|base| folded(base.at(Line), set_bits)).collect::<Vec<_>>();
        let set = |bank: usize| {
            let row = of_bank(&rows, bank);
            let row = stack((0..set_bits).rev().map(|number| row.bit(number)));
            let column = column_of(&columns, takes_second, bank);
            column ^ row ^ of_bank(&folded, bank)
        };
        pipe.put(Line, "set", (0..BANK_COUNT).map(set).collect())
    }

    fn lines<'a>(
        &self,
        pipe: &Run<'a, Stage>,
        Asked { level, tiles, .. }: &Asked<'_>,
        base: &[Carried<'_>],
    ) -> Carried<'a, Vec<Bits>> {
        /// # First line of each tile
        let [row_halves, tile_halves] =
            pipe.put(Found, "halves", [level.row_halves, level.tile_halves]).at(Sorted);
        let tile_rows: Vec<Bits> = tiles.row.iter().map(|row| tile_row(*row, level.tile_halves)).collect();
        let rows = pipe.put(Found, "row", tile_rows).at(Sorted).into_iter().enumerate();
        let of_row = |(number, row): (usize, Bits)| {
            let name = format!("row_halves_{number}");
            pipe.through(Sorted, &name, &self.rows[number], (row, row_halves)).at(Product)
        };
        let rows = rows.map(of_row).collect::<Vec<_>>();
        let columns = pipe.put(Found, "column", tiles.column.clone()).at(Sorted);
        let first = ([columns[0], columns[1]], tile_halves);
        let halves = pipe.through(Sorted, "column_halves", &self.columns, first).at(Product);
        let mut column_halves = halves.to_vec();
        if let Some(multiplier) = self.other_columns.as_ref() {
            let others = ([columns[2], columns[3]], tile_halves);
            column_halves.extend(pipe.through(Sorted, "other_halves", multiplier, others).at(Product));
        }
        let takes_second =
            tiles.takes_second.map(|second| pipe.put(Found, "takes_second", second).at(Product));
        let parts = may_be_wide(level.tile_halves).then(|| {
            let of_row = |row: &Bits| part_halves(*row, level.tile_halves);
            pipe.put(Found, "part", tiles.row.iter().map(of_row).collect::<Vec<_>>()).at(Product)
        });
        let front_bits = rows[0].width();
        let front = |bank: usize| {
            let column = column_of(&column_halves, takes_second, bank).zero_extend(front_bits);
            /// The parts of a tile are fewer than its half lines, which are a power of two then.
            let column = match parts.as_ref() {
                Some(parts) => column | of_bank(parts, bank).zero_extend(front_bits),
                None => column,
            };
            of_bank(&rows, bank) + column
        };
        let front = pipe.put(Product, "front", (0..BANK_COUNT).map(front).collect::<Vec<_>>()).at(Line);
        let line = |(bank, front): (usize, Bits)| {
            let line = base[bank * base.len() / BANK_COUNT].at(Line);
            discard(front.bit(0), "a tile of half a line shares it");
            line + front.high(front_bits - 1).zero_extend(line.width())
        };
        pipe.put(Line, "line", front.into_iter().enumerate().map(line).collect())
    }
}

/// A bank's own of what each bank has, each row of banks, or all of them together.
fn of_bank(values: &[Bits], bank: usize) -> Bits {
    values[bank * values.len() / BANK_COUNT]
}

/// A bank's own of a column for each bank, or of two.
#[kernel]
fn column_of(columns: &[Bits], takes_second: Option<Bits>, bank: usize) -> Bits {
    let Some(takes_second) = takes_second else { return columns[bank] };
    if takes_second.bit(bank) { columns[1] } else { columns[0] }
}

const _: () = assert!(TAPS == BANK_COUNT);
