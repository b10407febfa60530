//! `hidden_surfaces`: which pixels of a tile a triangle covers, and at which of them its depth passes.
//!
//! `edges` makes edge functions, exact in integers, at the first pixel that a triangle may cover. From there rows are gone through, in each
//! the groups that the bounds leave, a group a clock; a pixel's edge functions are those of its group's first one and a multiple of a step.
//! Depth is `E·x + (F·y + G)` in singles; it is compared with what is there and, where the triangle keeps its depths, takes its place.
//!
//! Contract: triangles are looked at in their order. What is found leaves with its depths, at least one pixel at a time, and nothing
//! holds it up. `done` is high for a clock when the end of some triangles has come and everything before it was found and kept. While
//! `clear` is at work, from its clock on as long as `is_clearing` is high, and while depths are put from outside, no triangle is looked at.
//!
//! `tile` is the one that is cleared for when `clear` comes: centres of its columns are made meanwhile.
//!
//! Cost: a triangle takes 5 clocks and one for each group between its bounds in the tile. For each pixel of a group: two multipliers of
//! a DSP slice each, an adder and a comparator of singles, and its depths in LUT RAM.

mod edges;
mod lanes;
mod words;

pub use words::{DepthPlane, SurfaceWord, TileWord};

use super::words::{FoundWord, TileShape};
use edges::Edges;
use lanes::Lanes;
use tmu_hdl::prelude::*;
use words::{Common, DEPTH_BITS, DIFFERENCE_BITS, EDGE_BITS, ScanWord};

/// Clocks between two triangles: multiples of their steps are made, and what the one before keeps is kept.
const SETTLE_CLOCKS: usize = 5;
/// Bits of a multiple of a step: in 1/16 of a pixel, up to all pixels of a group.
const fn multiple_bits(shape: &TileShape) -> usize {
    DIFFERENCE_BITS + words::FRACTION_BITS + shape.lanes_log2 + 1
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct HiddenSurfaces {
    /// Clock and reset.
    pub clocks: Clocks,
    /// Triangles, see [`SurfaceWord`].
    pub triangles: StreamIn,
    /// Which tile they are in.
    pub tile: TileWord<Field<In>>,
    /// All depths are to be those of a frame where nothing is drawn.
    pub clear: Net<In>,
    /// What these are.
    pub clear_depth: Net<In>,
    /// They are not yet.
    pub is_clearing: Net<Out>,
    /// Depths are put: where, which of the group, and what.
    pub put_valid: Net<In>,
    /// Row and group, the group below.
    pub put_place: Net<In>,
    /// Which pixels of the group.
    pub put_mask: Net<In>,
    /// Their depths.
    pub put_depths: Net<In>,
    /// Pixels are found.
    pub found_valid: Net<Out>,
    /// Which.
    pub found: FoundWord<Field<Out>>,
    /// Their depths, pixel by pixel.
    pub found_depths: Net<Out>,
    /// An end has come.
    pub done: Net<Out>,
    edges: Edges,
    scan: Scan,
    lanes: Lanes,
    _shape: TileShape,
}

/// The triangle that is looked at, and where.
#[derive(Bundle)]
struct Scan {
    is_busy: Reg,
    /// A bit for each clock since it came.
    settles: Reg,
    steps: Reg,
    is_end: Reg,
    common: Common<FieldReg>,
    /// Of each edge: at the first pixel of the row, at that of the group.
    row_values: Vec<Reg>,
    values: Vec<Reg>,
    along: Vec<Reg>,
    down: Vec<Reg>,
    /// Odd multiples of a step along a row, in pixels: 1, 3, 5 …
    multiples: Vec<Reg>,
    first_group: Reg,
    last_group: Reg,
    last_row: Reg,
    group: Reg,
    row: Reg,
}

impl HiddenSurfaces {
    /// The stage for tiles of a shape.
    #[must_use]
    pub fn new(shape: &TileShape) -> HiddenSurfaces {
        let clocks = Clocks::new();
        let low = || Reg::with_reset(&clocks, 1, 0);
        let (group, row) = (shape.group_bits(), shape.height_log2);
        let register = |width| Reg::new(&clocks, width);
        let depths_bits = shape.lanes() * DEPTH_BITS;
        HiddenSurfaces {
            triangles: StreamIn::new(SurfaceWord::of(shape).width()),
            tile: TileWord::of(shape).nets(),
            clear: Net::bit(),
            clear_depth: Net::new(DEPTH_BITS),
            is_clearing: Net::bit(),
            put_valid: Net::bit(),
            put_place: Net::new(shape.place_bits()),
            put_mask: Net::new(shape.lanes()),
            put_depths: Net::new(depths_bits),
            found_valid: Net::bit(),
            found: FoundWord::of(shape).nets(),
            found_depths: Net::new(depths_bits),
            done: Net::bit(),
            edges: Edges::new(shape),
            scan: Scan {
                is_busy: low(),
                settles: Reg::with_reset(&clocks, SETTLE_CLOCKS - 1, 0),
                steps: low(),
                is_end: register(1),
                common: Common::of(shape).registers(&clocks),
                row_values: Reg::array(3, &clocks, EDGE_BITS),
                values: Reg::array(3, &clocks, EDGE_BITS),
                along: Reg::array(3, &clocks, DIFFERENCE_BITS),
                down: Reg::array(3, &clocks, DIFFERENCE_BITS),
                multiples: Reg::array(3 * shape.lanes() / 2, &clocks, multiple_bits(shape)),
                first_group: register(group),
                last_group: register(group),
                last_row: register(row),
                group: register(group),
                row: register(row),
            },
            lanes: Lanes::new(shape),
            clocks,
            _shape: *shape,
        }
    }
}

/// Triangles to pixels that are seen.
#[kernel]
impl HiddenSurfaces {
    fn module_name(&self) -> String {
        "hidden_surfaces".into()
    }

    fn logic(&self) {
        /// # Edge functions
        let shape = &self._shape;
        self.edges.clocks.follow(&self.clocks);
        self.edges.input.forward(&self.triangles);
        self.edges.tile.next = self.tile.val();
        let scan = &self.scan;
        let takes = self.edges.output.valid.val() && !scan.is_busy.val();
        self.edges.output.ready.next = !scan.is_busy.val();
        let item = ScanWord::of(shape).unpack(self.edges.output.data.val());
        self.walk(takes, &item);
        self.multiply();
        self.steps();
        /// # What is found
        let lanes = &self.lanes;
        lanes.tile.next = self.tile.val();
        lanes.clear.next = self.clear.val();
        lanes.clear_depth.next = self.clear_depth.val();
        self.is_clearing.next = lanes.is_clearing.val();
        lanes.put_valid.next = self.put_valid.val();
        lanes.put_place.next = self.put_place.val();
        lanes.put_mask.next = self.put_mask.val();
        lanes.put_depths.next = self.put_depths.val();
        self.found_valid.next = lanes.found_valid.val();
        self.found.next = lanes.found.val();
        self.found_depths.next = lanes.found_depths.val();
        self.done.next = lanes.done.val();
    }

    fn walk(&self, takes: Bits, item: &ScanWord) {
        /// # Rows and groups
        let scan = &self.scan;
        let steps = scan.steps.val();
        let ends_row = scan.group.val() == scan.last_group.val();
        let ends = steps && (scan.is_end.val() || (ends_row && scan.row.val() == scan.last_row.val()));
        scan.is_busy.next = (scan.is_busy.val() && !ends) || takes;
        let settles = scan.settles.val();
        scan.settles.next = cat(&[settles.low(SETTLE_CLOCKS - 2), takes]);
        scan.steps.next = (steps && !ends) || settles.high(1);
        if takes {
            scan.is_end.next = item.is_end;
            scan.common.next = &item.common;
            scan.first_group.next = item.groups[0];
            scan.last_group.next = item.groups[1];
            scan.last_row.next = item.rows[1];
            scan.group.next = item.groups[0];
            scan.row.next = item.rows[0];
            for edge in 0..3 {
                let EdgeTaken { value, along, down } = taken(item, edge);
                scan.values[edge].next = value;
                scan.row_values[edge].next = value;
                scan.along[edge].next = along;
                scan.down[edge].next = down;
            }
        } else if steps {
            scan.group.next = if ends_row { scan.first_group.val() } else { scan.group.val() + 1 };
            if ends_row {
                scan.row.next = scan.row.val() + 1;
            }
            for edge in 0..3 {
                let pixel = |step: Bits| cat(&[step, lit(words::FRACTION_BITS, 0u32)]);
                let down = pixel(scan.down[edge].val()).sign_extend(EDGE_BITS);
                let along = cat(&[pixel(scan.along[edge].val()), lit(self._shape.lanes_log2, 0u32)]);
                let next_row = scan.row_values[edge].val() + down;
                let next_group = scan.values[edge].val() + along.sign_extend(EDGE_BITS);
                scan.values[edge].next = if ends_row { next_row } else { next_group };
                if ends_row {
                    scan.row_values[edge].next = next_row;
                }
            }
        }
    }

    fn multiply(&self) {
        /// # Multiples of steps
        let bits = multiple_bits(&self._shape);
        let in_group = self._shape.lanes() / 2;
        for edge in 0..3 {
            let step = self.scan.along[edge].val();
            let step = cat(&[step, lit(words::FRACTION_BITS, 0u32)]).sign_extend(bits);
            let own = &self.scan.multiples[edge * in_group..(edge + 1) * in_group];
            let times = |log2: usize| step << log2;
            for (place, multiple) in own.iter().enumerate() {
                multiple.next = match 2 * place + 1 {
                    1 => step,
                    3 => step + times(1),
                    5 => step + times(2),
                    7 => times(3) - step,
                    9 => times(3) + step,
                    11 => times(3) + own[1].val(),
                    13 => times(3) + own[2].val(),
                    _ => times(4) - step,
                };
            }
        }
    }

    fn steps(&self) {
        /// # Pixels
        let (scan, lanes) = (&self.scan, &self.lanes);
        lanes.clocks.follow(&self.clocks);
        lanes.step_valid.next = scan.steps.val() && !scan.is_end.val();
        lanes.step_ends.next = scan.steps.val() && scan.is_end.val();
        lanes.step_place.next = cat(&[scan.row.val(), scan.group.val()]);
        lanes.common.next = scan.common.val();
        let in_group = self._shape.lanes() / 2;
        for edge in 0..3 {
            lanes.values[edge].next = scan.values[edge].val();
            for place in 0..in_group {
                lanes.multiples[edge * in_group + place].next = scan.multiples[edge * in_group + place].val();
            }
        }
    }
}

/// An edge of what comes.
struct EdgeTaken {
    value: Bits,
    along: Bits,
    down: Bits,
}

fn taken(item: &ScanWord, edge: usize) -> EdgeTaken {
    let words::EdgeWord { value, along, down } = &item.edges[edge];
    EdgeTaken { value: *value, along: *along, down: *down }
}
