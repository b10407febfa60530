//! `lanes`: the pixels of a group: inside or not, their depths, and whether these pass.
//!
//! The centres of the tile's columns are made while depths are cleared, and stand in RAMs of LUTs.
//!
//! Nothing stops here. A depth is read five clocks before what takes its place is written, so that whoever comes again to a group does
//! so no sooner than six clocks later.
//!
//! Latency: the steps up to [`EXIT`], initiation interval 1.

use super::multiple_bits;
use super::words::{Common, DEPTH_BITS, DepthPlane, EDGE_BITS, PIXEL_BITS, TileWord};
use crate::engines::pixel::step::{ADD, COMPARE, MULTIPLY, Step, TO_FLOAT};
use crate::engines::pixel::words::{FRACTION_BITS, FoundWord, SINGLE_BITS, TileShape};
use tmu_hdl::arithmetic::{FixedToFloat, FloatAdd, FloatCompare, FloatMultiply};
use tmu_hdl::pipe::Registered;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{DistributedRam, Operand};

/// Signs of edge functions.
const SIGNS: Step = Step::ENTRY.after(1);
/// The row's centre is a single, or while depths are cleared that of a column.
const ROW_FACTOR: Step = Step::ENTRY.after(TO_FLOAT);
/// F · y.
const ROW_PRODUCT: Step = ROW_FACTOR.after(MULTIPLY);
/// The row's term, and E · x.
const TERMS: Step = ROW_PRODUCT.after(ADD);
/// Depths.
const DEPTHS: Step = TERMS.after(ADD);
/// Depths have been compared.
const COMPARED: Step = DEPTHS.after(COMPARE);
/// What is found leaves, and is kept.
const EXIT: Step = COMPARED.after(1);
/// The columns' centres are singles.
const COLUMN_FACTORS: Step = Step::ENTRY.after(TO_FLOAT + ADD);
/// They are read.
const COLUMNS: Step = Step::ENTRY.after(TO_FLOAT + ADD - 1);
/// What is there is read.
const READ: Step = TERMS.after(ADD - 1);

/// Bits of the single of a centre that are 0 in all of them, below the others: it has a bit behind the point, and no sign.
const EMPTY_BITS: usize = FRACTION_BITS - PIXEL_BITS;
/// Bits of a centre that are kept.
const CENTRE_BITS: usize = SINGLE_BITS - 1 - EMPTY_BITS;

/// See the module's documentation.
#[derive(LogicBlock)]
pub(super) struct Lanes {
    pub(super) clocks: Clocks,
    pub(super) tile: TileWord<Field<In>>,
    /// A group is looked at.
    pub(super) step_valid: Net<In>,
    /// An end comes instead.
    pub(super) step_ends: Net<In>,
    /// Row and group.
    pub(super) step_place: Net<In>,
    pub(super) common: Common<Field<In>>,
    /// Edge functions at the group's first pixel.
    pub(super) values: Vec<Net<In>>,
    /// Odd multiples of what they grow by along a row.
    pub(super) multiples: Vec<Net<In>>,
    pub(super) clear: Net<In>,
    pub(super) clear_depth: Net<In>,
    pub(super) is_clearing: Net<Out>,
    pub(super) put_valid: Net<In>,
    pub(super) put_place: Net<In>,
    pub(super) put_mask: Net<In>,
    pub(super) put_depths: Net<In>,
    pub(super) found_valid: Net<Out>,
    pub(super) found: FoundWord<Field<Out>>,
    pub(super) found_depths: Net<Out>,
    pub(super) done: Net<Out>,
    pipe: Pipe<Step>,
    centre: FixedToFloat,
    row_slope: FloatMultiply,
    row_sum: FloatAdd,
    /// Of each lane the centres of its columns, and that of its group.
    columns: Vec<DistributedRam>,
    column: Vec<Reg>,
    slopes: Vec<FloatMultiply>,
    sums: Vec<FloatAdd>,
    compares: Vec<FloatCompare>,
    depths: Vec<DistributedRam>,
    there: Vec<Reg>,
    clears: Reg,
    clear_place: Reg,
    kept: Kept,
    _shape: TileShape,
}

/// Bits of a number that is counted through while depths are cleared: one for each group, and more where a tile has fewer of them than it takes
/// clocks to convert the centres of all columns.
fn clear_bits(shape: &TileShape) -> usize {
    shape.place_bits().max((shape.width() + TO_FLOAT).ilog2() as usize + 1)
}

/// What is written.
#[derive(Bundle)]
struct Kept {
    mask: Reg,
    place: Reg,
    depths: Vec<Reg>,
}

impl Lanes {
    pub(super) fn new(shape: &TileShape) -> Lanes {
        let clocks = Clocks::new();
        let lanes = shape.lanes();
        let depths_bits = lanes * DEPTH_BITS;
        let lanes = Lanes {
            tile: TileWord::of(shape).nets(),
            step_valid: Net::bit(),
            step_ends: Net::bit(),
            step_place: Net::new(shape.place_bits()),
            common: Common::of(shape).nets(),
            values: Net::array(3, EDGE_BITS),
            multiples: Net::array(3 * lanes / 2, multiple_bits(shape)),
            clear: Net::bit(),
            clear_depth: Net::new(DEPTH_BITS),
            is_clearing: Net::bit(),
            put_valid: Net::bit(),
            put_place: Net::new(shape.place_bits()),
            put_mask: Net::new(lanes),
            put_depths: Net::new(depths_bits),
            found_valid: Net::bit(),
            found: FoundWord::of(shape).nets(),
            found_depths: Net::new(depths_bits),
            done: Net::bit(),
            pipe: Pipe::with(EXIT.all()).keep_in(Keep::ShiftRegisters),
            centre: FixedToFloat::new(Operand::unsigned(PIXEL_BITS + 1), 1),
            row_slope: FloatMultiply::new(),
            row_sum: FloatAdd::new(),
            columns: (0..lanes).map(|_| DistributedRam::new(1 << shape.group_bits(), CENTRE_BITS)).collect(),
            column: Reg::array(lanes, &clocks, CENTRE_BITS),
            slopes: (0..lanes).map(|_| FloatMultiply::by(PIXEL_BITS + 1)).collect(),
            sums: (0..lanes).map(|_| FloatAdd::new()).collect(),
            compares: (0..lanes).map(|_| FloatCompare::new()).collect(),
            depths: (0..lanes).map(|_| DistributedRam::new(1 << shape.place_bits(), DEPTH_BITS)).collect(),
            there: Reg::array(lanes, &clocks, DEPTH_BITS),
            clears: Reg::with_reset(&clocks, 1, 0),
            clear_place: Reg::new(&clocks, clear_bits(shape)),
            kept: Kept {
                mask: Reg::with_reset(&clocks, lanes, 0),
                place: Reg::new(&clocks, shape.place_bits()),
                depths: Reg::array(lanes, &clocks, DEPTH_BITS),
            },
            clocks,
            _shape: *shape,
        };
        lanes.pipe.plan(&lanes.clocks, || lanes.logic());
        lanes
    }
}

/// One bit: a comparison holds, by the number of a [`CompareOp`](tmu_spec::general::CompareOp): a bit each for less, equal and greater.
/// What is no number is neither less nor greater than any, and not equal either.
#[kernel]
fn holds(op: Bits, [is_less, is_equal, is_unordered]: [Bits; 3]) -> Bits {
    let ordered = if is_equal { op.bit(1) } else { op.bit(2) };
    let ordered = if is_less { op.bit(0) } else { ordered };
    if is_unordered { op.bit(0) && op.bit(2) } else { ordered }
}

/// Groups to pixels that are found.
#[kernel]
impl Lanes {
    fn module_name(&self) -> String {
        "hidden_surfaces_lanes".into()
    }

    fn logic(&self) {
        let moves = lit(1, 1u32);
        let pipe = self.pipe.run(&self.clocks, moves);
        timing(self.pipe.latency_clocks(), 1);
        let valid = pipe.flag(Step::ENTRY, "valid", self.step_valid.val());
        self.done.next = pipe.flag(Step::ENTRY, "ends", self.step_ends.val()).at(EXIT);
        let place = pipe.put(Step::ENTRY, "place", self.step_place.val());
        let common = pipe.put(Step::ENTRY, "common", self.common.val());
        let inside = self.inside(&pipe, &place);
        let depths = self.depths(&pipe, &place, &common);
        self.read(place.at(READ));
        /// # Comparison
        let op = common.at(COMPARED).compare;
        let own = depths.at(DEPTHS);
        let passes = self.compares.iter().zip(&self.there).zip(own).map(|((compare, there), depth)| {
            holds(op, compare.connect(&self.clocks, moves, (depth, there.val())))
        });
        let passes: Vec<Bits> = passes.collect();
        let mask = stack(passes) & inside.at(COMPARED) & valid.at(COMPARED).repeat(self._shape.lanes());
        let mask = pipe.flag(COMPARED, "mask", mask).at(EXIT);
        self.found_valid.next = mask.any();
        self.found.next = FoundWord { number: common.at(EXIT).number, place: place.at(EXIT), mask };
        let found = depths.at(EXIT);
        self.found_depths.next = stack(found.iter().copied());
        self.keep(mask & common.at(EXIT).keeps.repeat(self._shape.lanes()), place.at(EXIT), &found);
    }

    fn inside<'a>(&self, pipe: &Run<'a, Step>, place: &Payload<'a, Step, Bits>) -> Payload<'a, Step, Bits> {
        /// # Coverage
        let shape = &self._shape;
        let in_group = shape.lanes() / 2;
        let sign = |lane: usize, edge: usize| {
            let value = self.values[edge].val();
            if lane == 0 {
                return value.high(1);
            }
            let twos = lane.trailing_zeros() as usize;
            let multiple = self.multiples[edge * in_group + (lane >> twos) / 2].val();
            let sum = value + (multiple << twos).sign_extend(EDGE_BITS);
            discard(sum.low(EDGE_BITS - 1), "the sign says it");
            sum.high(1)
        };
        let signs: Vec<Bits> =
            (0..shape.lanes()).map(|lane| stack((0..3).map(|edge| sign(lane, edge)))).collect();
        let signs = pipe.put(Step::ENTRY, "signs", signs).at(SIGNS);
        let last = self.tile.last_column.val();
        discard(self.tile.last_row.val(), "no step is behind it");
        let group = place.at(SIGNS).low(shape.group_bits());
        let inside = signs.iter().enumerate().map(|(lane, signs)| {
            let column = cat(&[group, lit(shape.lanes_log2, lane as u32)]);
            !signs.any() && column <= last
        });
        let inside = stack(inside.collect::<Vec<_>>());
        pipe.put(SIGNS, "inside", inside)
    }

    fn depths<'a>(
        &self,
        pipe: &Run<'a, Step>,
        place: &Payload<'a, Step, Bits>,
        common: &Payload<'a, Step, Common>,
    ) -> Payload<'a, Step, Vec<Bits>> {
        /// # Depth
        let (shape, tile) = (&self._shape, self.tile.val());
        let half = lit(1, 1u32);
        let row = cat(&[tile.row, place.at(Step::ENTRY).high(shape.height_log2), half]);
        let column = self.clear_place.val().low(shape.width_log2);
        let centre = if self.clears.val() { cat(&[tile.column, column, half]) } else { row };
        let centre = pipe.through(Step::ENTRY, "centre", &self.centre, centre).at(ROW_FACTOR);
        self.columns(pipe, column, centre, place.at(COLUMNS).low(shape.group_bits()));
        let DepthPlane { f, .. } = common.at(ROW_FACTOR).depth;
        let row = pipe.through(ROW_FACTOR, "row_slope", &self.row_slope, (f, centre)).at(ROW_PRODUCT);
        let DepthPlane { g, .. } = common.at(ROW_PRODUCT).depth;
        let row = pipe.through(ROW_PRODUCT, "row_sum", &self.row_sum, (row, g)).at(TERMS);
        let DepthPlane { e, .. } = common.at(COLUMN_FACTORS).depth;
        let moves = lit(1, 1u32);
        let lanes = self.column.iter().zip(&self.slopes).zip(&self.sums);
        let depths = lanes.map(|((column, slope), sum)| {
            let column = cat(&[lit(1, 0u32), column.val(), lit(EMPTY_BITS, 0u32)]);
            let product = slope.connect(&self.clocks, moves, (e, column));
            sum.connect(&self.clocks, moves, (product, row))
        });
        let depths: Vec<Bits> = depths.collect();
        pipe.put(DEPTHS, "depth", depths)
    }

    /// Centres of columns: those that come while depths are cleared are kept, those of the group are read.
    fn columns(&self, pipe: &Run<'_, Step>, column: Bits, centre: Bits, group: Bits) {
        /// # Columns
        let shape = &self._shape;
        let comes = pipe.flag(Step::ENTRY, "converts", self.clears.val()).at(ROW_FACTOR);
        let column = pipe.put(Step::ENTRY, "column", column).at(ROW_FACTOR);
        discard(cat(&[centre.high(1), centre.low(EMPTY_BITS)]), "they are 0");
        for (lane, (columns, register)) in self.columns.iter().zip(&self.column).enumerate() {
            columns.clocks.follow(&self.clocks);
            columns.write_enable.next = comes && column.low(shape.lanes_log2) == lane as u64;
            columns.write_address.next = column.high(shape.group_bits());
            columns.write_data.next = centre.slice(EMPTY_BITS, CENTRE_BITS);
            columns.read_address.next = group;
            register.next = columns.read_data.val();
        }
    }

    fn read(&self, place: Bits) {
        /// # What is there
        for (depths, there) in self.depths.iter().zip(&self.there) {
            depths.clocks.follow(&self.clocks);
            depths.read_address.next = place;
            there.next = depths.read_data.val();
        }
    }

    fn keep(&self, mask: Bits, place: Bits, found: &[Bits]) {
        /// # What is kept
        let clears = self.clears.val();
        let clear_place = self.clear_place.val();
        if self.clear.val() {
            self.clears.next = 1;
            self.clear_place.next = 0;
        } else if clears {
            self.clears.next = !clear_place.all();
            self.clear_place.next = clear_place + 1;
        }
        self.is_clearing.next = clears;
        let puts = self.put_valid.val();
        let lanes = self._shape.lanes();
        let Kept { mask: kept_mask, place: kept_place, depths: kept } = &self.kept;
        kept_mask.next = clears.repeat(lanes) | (puts.repeat(lanes) & self.put_mask.val()) | mask;
        let of_put = if puts { self.put_place.val() } else { place };
        kept_place.next = if clears { clear_place.low(self._shape.place_bits()) } else { of_put };
        for (lane, register) in kept.iter().enumerate() {
            let put = self.put_depths.val().slice(lane * DEPTH_BITS, DEPTH_BITS);
            let own = if puts { put } else { found[lane] };
            register.next = if clears { self.clear_depth.val() } else { own };
            let depths = &self.depths[lane];
            depths.write_enable.next = kept_mask.val().bit(lane);
            depths.write_address.next = kept_place.val();
            depths.write_data.next = register.val();
        }
    }
}
