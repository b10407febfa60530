//! `edges`: the edge functions of a triangle, exact in integers, at the first pixel of a tile that it may cover.
//!
//! Bounds come first: rows and groups of pixels in the tile whose centres may lie inside. An edge function there is
//! `dx·(y − y0) − dy·(x − x0)`. The sum of all three is twice the area, whose sign says how the vertices follow each other on the screen;
//! of a triangle that runs counter-clockwise each edge is turned round. A centre on an edge that is neither a top nor a left one is outside:
//! its function is one less.
//!
//! Contract: a triangle without area, one that is culled and one outside the tile do not leave; an end does.
//!
//! Latency: the steps up to [`EXIT`] and two clocks, initiation interval 1. Six multipliers of 18 × 19 bits.

use super::words::{
    COORDINATE_BITS, Common, DIFFERENCE_BITS, EDGE_BITS, EdgeWord, FRACTION_BITS, ScanWord, SurfaceWord,
    TileWord,
};
use crate::engines::pixel::step::{Step, WHOLE};
use crate::engines::pixel::triangle_setup::PlaceWord;
use crate::engines::pixel::words::TileShape;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{Multiplier, Operand, SyncFifo};
use tmu_spec::pixel::Cull;

/// Triangles that wait at the exit.
const EXIT_DEPTH: usize = 8;

/// The least and the most of two vertices.
const ALL_THREE: Step = Step::ENTRY.after(1);
/// Of all three.
const IN_TILE: Step = ALL_THREE.after(1);
/// Seen from the tile.
const BOUNDS: Step = IN_TILE.after(1);
/// Bounds.
const CORNER: Step = BOUNDS.after(1);
/// Differences.
const FACTORS: Step = CORNER.after(1);
/// Products without the lowest bit of a factor.
const PRODUCTS: Step = FACTORS.after(WHOLE);
/// Whole products.
const FUNCTIONS: Step = PRODUCTS.after(1);
/// Edge functions.
const TWO: Step = FUNCTIONS.after(1);
/// The sum of two.
const AREA: Step = TWO.after(1);
/// The sum of all.
const VERDICT: Step = AREA.after(1);
/// Whether it is drawn, and turned round.
const TURN: Step = VERDICT.after(1);
/// It leaves.
const EXIT: Step = TURN.after(1);

/// See the module's documentation.
#[derive(LogicBlock)]
pub(super) struct Edges {
    pub(super) clocks: Clocks,
    /// Triangles, see [`SurfaceWord`].
    pub(super) input: StreamIn,
    pub(super) tile: TileWord<Field<In>>,
    /// Triangles that are looked at, see [`ScanWord`].
    pub(super) output: StreamOut,
    pipe: Pipe<Step>,
    products: [Multiplier; 6],
    exit: SyncFifo,
    _shape: TileShape,
}

impl Edges {
    pub(super) fn new(shape: &TileShape) -> Edges {
        let half = || Multiplier::new(Operand::signed(DIFFERENCE_BITS - 1), Operand::signed(DIFFERENCE_BITS));
        let width = ScanWord::of(shape).width();
        let edges = Edges {
            clocks: Clocks::new(),
            input: StreamIn::new(SurfaceWord::of(shape).width()),
            tile: TileWord::of(shape).nets(),
            output: StreamOut::new(width),
            pipe: Pipe::with(EXIT.all()).keep_in(Keep::ShiftRegisters),
            products: [(); 6].map(|()| half()),
            exit: SyncFifo::new(EXIT_DEPTH, width),
            _shape: *shape,
        };
        edges.pipe.plan(&edges.clocks, || edges.logic());
        edges
    }
}

/// Along an axis, the first pixel and the last one that may be covered, and whether there are none.
#[derive(Clone, Debug, Record)]
struct Bounds<T = Bits> {
    first: T,
    last: T,
    is_empty: T,
}

/// Of two numbers with sign the lesser one and the other.
#[kernel]
fn in_order(a: Bits, b: Bits) -> [Bits; 2] {
    let is_less = a.signed() < b.signed();
    [if is_less { a } else { b }, if is_less { b } else { a }]
}

/// A difference of numbers with sign.
#[kernel]
fn difference(a: Bits, b: Bits) -> Bits {
    a.signed().sub_wide(b.signed()).bits()
}

/// What each edge runs by, to the right and downwards.
type Sides = [[Bits; 2]; 3];
/// The functions of the edges, with sign.
type Functions = [Bits; 3];

/// Triangles to edge functions.
#[kernel]
impl Edges {
    fn module_name(&self) -> String {
        "hidden_surfaces_edges".into()
    }

    fn logic(&self) {
        let shape = &self._shape;
        let advance = self.exit.input.ready.val();
        let pipe = self.pipe.run(&self.clocks, advance);
        timing(self.pipe.latency_clocks() + self.exit.latency_clocks(), 1);
        self.input.ready.next = advance;
        let item = SurfaceWord::of(shape).unpack(self.input.data.val());
        let valid = pipe.flag(Step::ENTRY, "valid", self.input.valid.val());
        let is_end = pipe.put(Step::ENTRY, "is_end", item.is_end);
        let SurfaceWord { number, compare, keeps, depth, cull, places, .. } = item;
        let common = pipe.put(Step::ENTRY, "common", Common { number, compare, keeps, depth });
        let cull = pipe.put(Step::ENTRY, "cull", cull);
        let places = pipe.put(Step::ENTRY, "places", places);
        let tile = self.tile.val();
        let columns = places.at(Step::ENTRY).map(|place| place.x);
        let rows = places.at(Step::ENTRY).map(|place| place.y);
        let columns = self.bounds(&pipe, "column", columns, tile.column, tile.last_column);
        let rows = self.bounds(&pipe, "row", rows, tile.row, tile.last_row);
        let (along, functions) = self.functions(&pipe, &places, [&columns, &rows]);
        let (turns, draws) = verdict(&pipe, &functions, &cull);
        let edges = turned(&pipe, turns, &along, &functions);
        /// # Exit
        let is_outside = columns.at(EXIT).is_empty || rows.at(EXIT).is_empty;
        let group = |of: Bits| of.high(shape.group_bits());
        self.exit.clocks.follow(&self.clocks);
        self.exit.input.valid.next = valid.at(EXIT) && (is_end.at(EXIT) || (draws.at(EXIT) && !is_outside));
        self.exit.input.data.next = ScanWord::of(shape).pack(&ScanWord {
            is_end: is_end.at(EXIT),
            common: common.at(EXIT),
            edges: edges.at(EXIT),
            groups: [group(columns.at(EXIT).first), group(columns.at(EXIT).last)],
            rows: [rows.at(EXIT).first, rows.at(EXIT).last],
        });
        discard(columns.at(EXIT).first.low(shape.lanes_log2), "groups are looked at");
        discard(columns.at(EXIT).last.low(shape.lanes_log2), "as above");
        discard(self.exit.level.val(), "ready says enough");
        self.output.forward(&self.exit.output);
    }

    fn bounds<'a>(
        &self,
        pipe: &Run<'a, Step>,
        axis: &str,
        [a, b, c]: [Bits; 3],
        tile: Bits,
        last: Bits,
    ) -> Payload<'a, Step, Bounds> {
        /// # Bounds
        let name = |what: &str| format!("{axis}_{what}");
        let two = pipe.put(Step::ENTRY, &name("of_two"), in_order(a, b)).at(ALL_THREE);
        let third = pipe.put(Step::ENTRY, &name("third"), c).at(ALL_THREE);
        let [least, _] = in_order(two[0], third);
        let [_, most] = in_order(two[1], third);
        let [least, most] = pipe.put(ALL_THREE, &name("of_all"), [least, most]).at(IN_TILE);
        /// The centre of the first pixel.
        let bits = last.width();
        let half = lit(FRACTION_BITS, 1u32 << (FRACTION_BITS - 1));
        let centre = cat(&[lit(2, 0u32), tile, lit(bits, 0u32), half]);
        let from = difference(least, centre);
        let up_to = difference(most, centre);
        let from = pipe.put(IN_TILE, &name("from"), from).at(BOUNDS);
        let up_to = pipe.put(IN_TILE, &name("up_to"), up_to).at(BOUNDS);
        /// Rounded up, and down.
        let rounded = from + ((1u64 << FRACTION_BITS) - 1);
        let whole = |of: Bits| of.high(of.width() - FRACTION_BITS);
        discard(cat(&[rounded.low(FRACTION_BITS), up_to.low(FRACTION_BITS)]), "pixels are counted");
        let (first, behind) = (whole(rounded), whole(up_to));
        let starts_before = first.high(1);
        let ends_before = behind.high(1);
        let starts_behind = !starts_before && first > last.zero_extend(first.width());
        let ends_inside = behind.signed() <= last.zero_extend(behind.width()).signed();
        let bounds = Bounds {
            first: if starts_before { lit(bits, 0u32) } else { first.low(bits) },
            last: if ends_inside { behind.low(bits) } else { last },
            is_empty: starts_behind || ends_before || first.signed() > behind.signed(),
        };
        pipe.put(BOUNDS, &name("bounds"), bounds)
    }

    /// What each edge runs by, and its function at the first pixel.
    fn functions<'a>(
        &self,
        pipe: &Run<'a, Step>,
        places: &Payload<'a, Step, [PlaceWord; 3]>,
        [columns, rows]: [&Payload<'a, Step, Bounds>; 2],
    ) -> (Payload<'a, Step, Sides>, Payload<'a, Step, Functions>) {
        /// # Differences
        let shape = &self._shape;
        let tile = self.tile.val();
        let centre = lit(FRACTION_BITS, 1u32 << (FRACTION_BITS - 1));
        let group = columns.at(CORNER).first.high(shape.group_bits());
        let x = cat(&[lit(2, 0u32), tile.column, group, lit(shape.lanes_log2, 0u32), centre]);
        let y = cat(&[lit(2, 0u32), tile.row, rows.at(CORNER).first, centre]);
        let places = places.at(CORNER);
        let from_to = [0, 1, 2].map(|edge: usize| (&places[edge], &places[(edge + 1) % 3]));
        let along = from_to.map(|(from, to)| [difference(to.x, from.x), difference(to.y, from.y)]);
        let distances = from_to.map(|(from, _)| [difference(x, from.x), difference(y, from.y)]);
        let along = pipe.put(CORNER, "along", along);
        let distances = pipe.put(CORNER, "distance", distances);
        /// # Products
        let (sides, far) = (along.at(FACTORS), distances.at(FACTORS));
        let factors = |edge: usize, side: usize| (sides[edge][side], far[edge][1 - side]);
        let pairs = [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)].map(|(edge, side)| factors(edge, side));
        let halves = pairs.map(|(a, b)| (a.high(DIFFERENCE_BITS - 1), b));
        let products = pipe.through(FACTORS, "product", &self.products, halves).at(PRODUCTS);
        let (sides, far) = (along.at(PRODUCTS), distances.at(PRODUCTS));
        let whole = |edge: usize, side: usize| {
            let (a, b) = (sides[edge][side], far[edge][1 - side]);
            let twice = cat(&[products[2 * edge + side], lit(1, 0u32)]);
            twice + (b & a.bit(0).repeat(b.width())).sign_extend(twice.width())
        };
        let whole = [0, 1, 2].map(|edge: usize| [whole(edge, 0), whole(edge, 1)]);
        let products = pipe.put(PRODUCTS, "whole", whole).at(FUNCTIONS);
        let functions = products.map(|[a, b]| difference(a, b).sign_extend(EDGE_BITS));
        (along, pipe.put(FUNCTIONS, "function", functions))
    }
}

/// Whether a triangle is turned round, at [`TURN`], and whether it is drawn.
#[kernel]
fn verdict<'a>(
    pipe: &Run<'a, Step>,
    functions: &Payload<'a, Step, Functions>,
    cull: &Payload<'a, Step, Bits>,
) -> (Bits, Payload<'a, Step, Bits>) {
    /// # Area
    let [first, second, _] = functions.at(TWO);
    let two = pipe.put(TWO, "of_two", first.signed().add_wide(second.signed()).bits()).at(AREA);
    let area = two.signed().add_wide(functions.at(AREA)[2].signed()).bits();
    let area = pipe.put(AREA, "area", area).at(VERDICT);
    let is_turned = area.high(1);
    let cull = cull.at(VERDICT);
    let is_culled =
        if is_turned { cull == Cull::CounterClockwise as u64 } else { cull == Cull::Clockwise as u64 };
    let draws = pipe.put(VERDICT, "draws", area.any() && !is_culled);
    (pipe.put(VERDICT, "turns", is_turned).at(TURN), draws)
}

/// The edges of a triangle that runs clockwise; whose centres are outside is one less.
#[kernel]
fn turned<'a>(
    pipe: &Run<'a, Step>,
    turns: Bits,
    along: &Payload<'a, Step, Sides>,
    functions: &Payload<'a, Step, Functions>,
) -> Payload<'a, Step, [EdgeWord; 3]> {
    /// # Top and left edges
    let flags = along.at(FACTORS).map(|[dx, dy]| {
        let (is_left, is_level) = (dy.high(1), !dy.any());
        let (runs_left, runs) = (dx.high(1), dx.any());
        let is_own = is_left || (is_level && runs && !runs_left);
        let is_own_turned = (!is_left && !is_level) || (is_level && runs_left);
        [is_own, is_own_turned]
    });
    let flags = pipe.put(FACTORS, "is_top_left", flags).at(TURN);
    let (values, sides) = (functions.at(TURN), along.at(TURN));
    let edges = [0, 1, 2].map(|edge: usize| {
        let [is_own, is_own_turned] = flags[edge];
        let value = values[edge] ^ turns.repeat(EDGE_BITS);
        /// The negative is one more than the complement.
        let more = turns && is_own_turned;
        let less = !turns && !is_own;
        let [dx, dy] = sides[edge];
        let turned = |of: Bits, is_turned: Bits| {
            let turn = is_turned.repeat(of.width());
            (of ^ turn) + is_turned.zero_extend(of.width())
        };
        EdgeWord {
            value: value + cat(&[less.repeat(EDGE_BITS - 1), more || less]),
            along: turned(dy, !turns),
            down: turned(dx, turns),
        }
    });
    pipe.put(TURN, "edges", edges)
}

const _: () = assert!(COORDINATE_BITS == DIFFERENCE_BITS - 1);
