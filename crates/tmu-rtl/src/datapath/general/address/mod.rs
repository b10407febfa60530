//! `address` of the general numerics: from the taps of an item to their tiles, lines and sets.
//!
//! Each of the four banks of tags is asked for at most one tile. Its bank is the parity of a tile's row and of its column; of tiles
//! of 8 bytes, of which two share a line, it is the parity of the line in its row that counts. Taps across the edge of a cube find
//! their face first. Items wait for each other as those of the classic [`address`](crate::datapath::address::pipelined) do.
//!
//! Latency: the stages of [`Stage`], two less without cubes; initiation interval 1. Two multipliers of 10 x 14 bits find the rows of
//! tiles, a pair of 10 x 4 bits the columns, one of 3 x 23 bits the face, of 12 x 23 bits where there are volumes or arrays.

mod tiles;

use super::axis::TEXEL_BITS;
use super::coordinate::{ROW_HALF_BITS, SLICE_LINE_BITS};
use super::cube_edge::{CubeEdge, Texel};
use super::footprint::TapItem;
use super::tile::TILE_HALF_BITS;
use super::words::{ODD_WEIGHT_BITS, ProbeTap, TAPS, TexelUse, WordSelect, face_bits, slice_bits};
use crate::datapath::address::hazards::{Hazards, hazards};
use crate::datapath::address::pipelined::folded;
use crate::datapath::words::TileRequest;
use Stage::{Compare, Entry, Exit, Found, Line, Mark, Product, Sorted, Tile};
use tiles::{Sides, Tiles, block_tile, blocks_by_row, parity, sides, tiles};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{DualMultiplier, Multiplier, Operand};
use tmu_spec::Config;
use tmu_spec::tile::BANKS;

/// Bits of the number of a tile in its row, and of a row.
const TILE_BITS: usize = TEXEL_BITS - 2;
/// Bits of the half lines in front of a tile in its slice.
const FRONT_BITS: usize = TILE_BITS + ROW_HALF_BITS;

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
    /// It leaves.
    Exit,
}

/// The stages without cubes.
const FLAT: [Stage; 11] =
    [Entry, Found, Sorted, Stage::Factors, Stage::Multiply, Product, Line, Tile, Compare, Mark, Exit];

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Address {
    /// Clock and reset.
    pub clocks: Clocks,
    /// All items move on at the next edge.
    pub advance: Net<In>,
    /// There is an item.
    pub in_valid: Net<In>,
    /// The item, see [`TapItem`].
    pub item: Net<In>,
    /// The cache is being emptied.
    pub invalidating: Net<In>,
    /// The tiles.
    pub tiles: TileRequest<Field<Out>>,
    pipe: Pipe<Stage>,
    hazards: Hazards,
    cube_edge: Optional<CubeEdge>,
    rows: [Multiplier; 2],
    columns: DualMultiplier,
    slices: Optional<Multiplier>,
    _config: Config,
}

impl Address {
    /// The stage for a configuration.
    pub fn new(config: &Config) -> Address {
        let (clocks, factor) = (Clocks::new(), Operand::unsigned);
        let has_cube = face_bits(config) > 0;
        let slice_bits = slice_bits(config);
        let address = Address {
            advance: Net::bit(),
            in_valid: Net::bit(),
            item: Net::new(TapItem::of(config).width()),
            invalidating: Net::bit(),
            tiles: TileRequest::of(config).nets(),
            pipe: if has_cube { Pipe::new() } else { Pipe::with(&FLAT) },
            hazards: Hazards::new(config, &clocks),
            cube_edge: Optional::new(has_cube, || CubeEdge::new(config)),
            rows: [(); 2].map(|()| Multiplier::new(factor(TILE_BITS), factor(ROW_HALF_BITS))),
            columns: DualMultiplier::new(factor(TILE_BITS), TILE_HALF_BITS),
            slices: Optional::new(slice_bits > 0, || {
                Multiplier::new(factor(slice_bits), factor(SLICE_LINE_BITS))
            }),
            clocks,
            _config: config.clone(),
        };
        address.pipe.plan(&address.clocks, || address.logic());
        address
    }
}

type Carried<'a, W = Bits> = Payload<'a, Stage, W>;

/// Lines and sets of the tiles of each item, one for each bank.
#[kernel]
impl Address {
    fn logic(&self) {
        let pipe = self.pipe.run(&self.clocks, self.advance.val());
        pipe.timing();
        /// # Items
        let item = TapItem::of(&self._config).unpack(self.item.val());
        let is_valid = self.in_valid.val() && !item.invalidates;
        let in_valid = pipe.flag(Entry, "in_valid", is_valid);
        let invalidates = pipe.flag(Entry, "invalidates", self.in_valid.val() && item.invalidates);
        let item = self.found(&pipe, item);
        let kind = pipe.put(Found, "kind", item.level.kind);
        let texels = [sides(item.x, item.uses_second_x, 3), sides(item.y, item.uses_second_y, 2)];
        let word_selects = pipe.put(Found, "word_selects", self.word_select(&item, &texels));
        let tap = pipe.put(Found, "tap", self.tap(&item, &texels));
        let reads = in_valid.at(Found) && item.ends.is_valid && !item.reads_nothing;
        let tiles = tiles(&item, reads);
        let needed = pipe.put(Found, "needed", tiles.needed);
        let base = self.base(&pipe, &item);
        let sets = self.sets(&pipe, &item, &tiles, &base);
        let lines = self.lines(&pipe, &item, &tiles, &base);
        let forgets = [self.invalidating.val(), self.advance.val()];
        let items = [&needed, &kind, &invalidates];
        let same_tile = hazards(&self.hazards, &pipe, [Tile, Compare, Mark], forgets, items, [&sets, &lines]);
        /// # Tiles
        self.tiles.next = TileRequest {
            valid: in_valid.at(Exit),
            invalidates: invalidates.at(Exit),
            needed: needed.at(Exit),
            same_tile: same_tile.at(Exit),
            waits: self.hazards.waits.val(),
            line: lines.at(Exit),
            set: sets.at(Exit),
            kind: kind.at(Exit),
            word_selects: WordSelect::shape().pack(&word_selects.at(Exit)),
            tap: ProbeTap::of(&self._config).pack(&tap.at(Exit)),
        };
    }

    /// The item with the texel that its only tap has across an edge.
    fn found(&self, pipe: &Run<'_, Stage>, item: TapItem) -> TapItem {
        /// # Across edges
        let own = pipe.put(Entry, "item", item.clone()).at(Found);
        let Some(cube_edge) = self.cube_edge.as_ref() else { return own };
        let faces = face_bits(&self._config);
        let texel = Texel { face: item.slice.low(faces), x: item.x[0], y: item.y[0] };
        let found = pipe.through(Entry, "across", cube_edge, (texel, item.edge, item.last)).at(Stage::Across);
        let found = pipe.put(Stage::Across, "texel", found).at(Found);
        // Slices of other kinds have more bits than faces.
        let more = item.slice.width() - faces;
        let slice = if more > 0 {
            let upper = pipe.put(Entry, "upper_slice", item.slice.high(more)).at(Found);
            cat(&[upper, found.face])
        } else {
            found.face
        };
        TapItem { slice, x: [found.x, own.x[1]], y: [found.y, own.y[1]], ..own }
    }

    /// Which words of the banks of texels are read.
    fn word_select(&self, item: &TapItem, [columns, rows]: &[Sides; 2]) -> WordSelect {
        /// # Words
        let by_row = blocks_by_row(item);
        let bank = |place: usize| {
            let plain = cat(&[rows.tile_bit(place >> 1), columns.tile_bit(place & 1)]);
            let (row, column) = block_tile(item, place & 1, by_row, [columns, rows]);
            let of_block = cat(&[row, parity(item, column, row)]);
            if item.level.is_block { of_block } else { plain }
        };
        WordSelect {
            banks: [0, 1, 2, 3].map(bank),
            upper_row: [0, 1].map(|parity: usize| rows.of(parity).bit(0) && !item.level.is_block),
        }
    }

    /// What goes on to the filter.
    fn tap(&self, item: &TapItem, [columns, rows]: &[Sides; 2]) -> ProbeTap {
        /// # Taps
        let ends = item.ends.clone();
        let is_valid = ends.is_valid;
        let brings_any = is_valid && !item.reads_nothing;
        let brings = |place: usize| {
            let own = columns.has(place & 1) && rows.has(place >> 1);
            (if item.is_single { item.place == place as u64 } else { own }) && brings_any
        };
        let by_row = blocks_by_row(item);
        let upper_half = |slot: usize| {
            let (row, column) = block_tile(item, slot, by_row, [columns, rows]);
            discard(column.bit(1), "which line it is in does not matter");
            column.bit(0) ^ (row && item.level.is_odd)
        };
        let odd_weight = |texels: [Bits; 2], weight: Bits, is_turned: Bits| {
            let (is_odd, differs) = (texels[0].bit(0), texels[0].bit(0) ^ texels[1].bit(0));
            let is_odd = (is_odd || is_turned) && !item.is_single;
            let counts = differs || item.is_single || is_turned;
            let of_second = weight & counts.repeat(weight.width());
            (of_second ^ is_odd.repeat(weight.width())).zero_extend(ODD_WEIGHT_BITS)
                + is_odd.zero_extend(ODD_WEIGHT_BITS)
        };
        ProbeTap {
            pixel: ends.pixel,
            is_valid,
            is_failed: ends.is_failed,
            starts_probe: item.starts_probe,
            ends_probe: item.ends_probe,
            ends_pixel: ends.ends_pixel && item.ends_probe,
            ends_quad: ends.ends_quad && item.ends_probe,
            spread: ends.spread,
            valid: ends.valid,
            brings: stack([0, 1, 2, 3].map(brings)),
            is_single: item.is_single,
            source: cat(&[item.y[0].bit(0), item.x[0].bit(0)]),
            column_bit1: [0, 1].map(|parity: usize| columns.of(parity).bit(0)),
            row_bit1: [0, 1].map(|parity: usize| rows.of(parity).bit(0)),
            odd_weight_x: odd_weight(item.x, item.weight_x, lit(1, 0u32)),
            odd_weight_y: odd_weight(item.y, item.weight_y, item.is_by_row),
            has_corner: item.has_corner,
            corner: item.corner,
            weight: ends.weight,
            texels: texel_use(item),
            format: item.level.format,
            is_block: item.level.is_block,
            blocks_by_row: by_row,
            upper_half: [0, 1].map(upper_half),
        }
    }

    /// The first line of the slice.
    fn base<'a>(&self, pipe: &Run<'a, Stage>, item: &TapItem) -> Carried<'a> {
        /// # First line of the slice
        let level = pipe.put(Found, "level_line", item.level.line).at(Product);
        let line = match self.slices.as_ref() {
            Some(multiplier) => {
                let slice = pipe.put(Found, "slice", [item.slice, item.level.slice_lines]).at(Sorted);
                let factors = (slice[0], slice[1]);
                let lines = pipe.through(Sorted, "slice_line", multiplier, factors).at(Product);
                let bits = level.width();
                if lines.width() > bits {
                    discard(lines.high(lines.width() - bits), "no texture has so many lines");
                }
                level + (if lines.width() < bits { lines.zero_extend(bits) } else { lines.low(bits) })
            }
            None => level,
        };
        pipe.put(Product, "base_line", line)
    }

    fn sets<'a>(
        &self,
        pipe: &Run<'a, Stage>,
        item: &TapItem,
        tiles: &Tiles,
        base: &Carried<'_>,
    ) -> Carried<'a, Vec<Bits>> {
        /// # Sets
        /// The column's bits, the row's in reverse and the folded line of the slice against each other.
        let set_bits = self._config.cache().bank_set_bits() as usize;
        let upper =
            |tile: Bits, lo: usize| tile.slice(lo, set_bits.min(TILE_BITS - lo)).zero_extend(set_bits);
        let is_half = item.level.tile_halves.bit(0);
        let columns = tiles.column.map(|column| if is_half { upper(column, 2) } else { upper(column, 1) });
        let columns = pipe.put(Found, "set_columns", columns).at(Line);
        let rows = pipe.put(Found, "set_rows", tiles.row.map(|row| upper(row, 1))).at(Line);
        let takes_second = pipe.put(Found, "sets_take_second", tiles.takes_second).at(Line);
        let folded = folded(base.at(Line), set_bits);
        let set = |bank: usize| {
            let row = rows[bank >> 1];
            let row = stack((0..set_bits).rev().map(|number| row.bit(number)));
            let column = if takes_second.bit(bank) { columns[1] } else { columns[0] };
            column ^ row ^ folded
        };
        pipe.put(Line, "set", (0..BANKS as usize).map(set).collect())
    }

    fn lines<'a>(
        &self,
        pipe: &Run<'a, Stage>,
        item: &TapItem,
        tiles: &Tiles,
        base: &Carried<'_>,
    ) -> Carried<'a, Vec<Bits>> {
        /// # First line of each tile
        let [row_halves, tile_halves] =
            pipe.put(Found, "halves", [item.level.row_halves, item.level.tile_halves]).at(Sorted);
        let rows = pipe.put(Found, "row", tiles.row).at(Sorted).map(|row| (row, row_halves));
        let rows = pipe.through(Sorted, "row_halves", &self.rows, rows).at(Product);
        let columns = (pipe.put(Found, "column", tiles.column).at(Sorted), tile_halves);
        let columns = pipe.through(Sorted, "column_halves", &self.columns, columns).at(Product);
        let takes_second = pipe.put(Found, "takes_second", tiles.takes_second).at(Product);
        let front = |bank: usize| {
            let column = if takes_second.bit(bank) { columns[1] } else { columns[0] };
            rows[bank >> 1] + column.zero_extend(FRONT_BITS)
        };
        let front = pipe.put(Product, "front", (0..BANKS as usize).map(front).collect::<Vec<_>>()).at(Line);
        let line = |front: Bits| {
            let line = base.at(Line);
            discard(front.bit(0), "a tile of half a line shares it");
            line + front.high(FRONT_BITS - 1).zero_extend(line.width())
        };
        pipe.put(Line, "line", front.into_iter().map(line).collect())
    }
}

/// What becomes of the texels of an item's probe.
#[kernel]
fn texel_use(item: &TapItem) -> TexelUse {
    let (ends, bound) = (&item.ends, &item.texels);
    let is_single = item.is_single;
    TexelUse {
        border_taps: item.border_taps,
        border: bound.border,
        is_void: item.is_void,
        is_srgb: bound.is_srgb,
        compares: bound.compares,
        compare: bound.compare,
        reference: ends.reference,
        swizzle: bound.swizzle,
        is_gather: ends.is_gather,
        component: ends.component,
        first_is_odd: [item.x[0].bit(0) && !is_single, (item.y[0].bit(0) || item.is_by_row) && !is_single],
    }
}

const _: () = assert!(TAPS == BANKS as usize);
