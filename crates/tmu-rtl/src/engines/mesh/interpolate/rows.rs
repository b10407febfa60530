//! `rows`: the ends of each row of each rectangle, from the slopes of its edges.
//!
//! An item is an axis: u and v take turns. The right edge of a rectangle becomes the left one of the next. Where both axes are goes
//! round, so that there is one adder an edge. What they go by stands still: it moves on with each edge that is taken, and the adder's own
//! LUTs choose between the axes. Remainders go round all the same, since their way is the longest.
//!
//! Two clocks a row, and two more for the first edge of a row of rectangles.

use super::divide::{Slope, slope};
use super::walk::{Stride, Walk, start, step, stride, walk};
use crate::engines::mesh::words::{AXES, POINT_BITS, POSITION_BITS, SIZE_BITS};
use tmu_hdl::prelude::*;

/// An edge along one axis.
#[derive(Clone, Debug, Record)]
pub(super) struct EdgeSlope<T = Bits> {
    /// Its upper end.
    pub(super) upper: T,
    /// How it goes down.
    pub(super) slope: Slope<T>,
    /// The first of a row of rectangles.
    pub(super) is_first: T,
    /// The last of the mesh.
    pub(super) is_last: T,
}

/// Shape of an [`EdgeSlope`].
pub(super) fn edge_slope() -> EdgeSlope<Width> {
    EdgeSlope {
        upper: Width::bits(POINT_BITS),
        slope: slope(),
        is_first: Width::bits(1),
        is_last: Width::bits(1),
    }
}

/// A row of a rectangle along one axis.
#[derive(Clone, Debug, Record)]
pub(super) struct RowEnds<T = Bits> {
    /// Where its left edge is.
    pub(super) left: T,
    /// Where its right edge is.
    pub(super) right: T,
    /// With u the column of its first pixel in the frame buffer, with v its row.
    pub(super) position: T,
    /// The last row of the mesh.
    pub(super) is_last: T,
}

/// Shape of [`RowEnds`].
pub(super) fn row_ends() -> RowEnds<Width> {
    RowEnds {
        left: Width::bits(POINT_BITS),
        right: Width::bits(POINT_BITS),
        position: Width::bits(POSITION_BITS),
        is_last: Width::bits(1),
    }
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Rows {
    /// Clock and reset.
    pub clocks: Clocks,
    /// A job starts.
    pub start: Net<In>,
    /// A job ends before its last pixel: edges are dropped, and no row leaves.
    pub cancelled: Net<In>,
    /// Size of a rectangle.
    pub size: [Net<In>; AXES],
    /// Where the first pixel of the mesh is in the frame buffer.
    pub offset: [Net<In>; AXES],
    /// An edge along an axis has come; it stays until it is taken.
    pub edge_valid: Net<In>,
    /// Its parts.
    pub(super) side: EdgeSlope<Field<In>>,
    /// It is taken.
    pub edge_ready: Net<Out>,
    /// A row along an axis leaves.
    pub row_valid: Net<Out>,
    /// Its parts.
    pub(super) row: RowEnds<Field<Out>>,
    /// It is taken.
    pub row_ready: Net<In>,
    /// Whether it is the turn of v.
    is_second: Reg,
    has_rectangle: Reg,
    /// There is none, or it has its last row and is not the last of the mesh.
    needs_edge: Reg,
    has_last: Reg,
    has_begun: Reg,
    left: [Walk<FieldReg>; AXES],
    right: [Walk<FieldReg>; AXES],
    left_strides: [Stride<FieldReg>; AXES],
    right_strides: [Stride<FieldReg>; AXES],
    right_upper: [Reg; AXES],
    rows_left: Reg,
    is_last_row: Reg,
    /// The turn of v takes an edge that moves `x`. Behind the last rectangle it does not matter.
    moves_x: Reg,
    /// It takes the first edge of a row of rectangles, or comes behind the last.
    begins_row: Reg,
    x: Reg,
    y: Reg,
    y_of_row: Reg,
}

impl Rows {
    /// The block.
    pub fn new() -> Rows {
        let clocks = Clocks::new();
        let flag = || Reg::with_reset(&clocks, 1, 0);
        let walks = || [walk().registers(&clocks), walk().registers(&clocks)];
        let strides = || [stride().registers(&clocks), stride().registers(&clocks)];
        let position = || Reg::new(&clocks, POSITION_BITS);
        let upper = || Reg::new(&clocks, POINT_BITS);
        Rows {
            start: Net::bit(),
            cancelled: Net::bit(),
            size: [Net::new(SIZE_BITS), Net::new(SIZE_BITS)],
            offset: [Net::new(POSITION_BITS), Net::new(POSITION_BITS)],
            edge_valid: Net::bit(),
            side: edge_slope().nets(),
            edge_ready: Net::bit(),
            row_valid: Net::bit(),
            row: row_ends().nets(),
            row_ready: Net::bit(),
            is_second: flag(),
            has_rectangle: flag(),
            needs_edge: Reg::with_reset(&clocks, 1, 1),
            has_last: flag(),
            has_begun: flag(),
            left: walks(),
            right: walks(),
            left_strides: strides(),
            right_strides: strides(),
            right_upper: [upper(), upper()],
            rows_left: Reg::new(&clocks, SIZE_BITS),
            is_last_row: Reg::new(&clocks, 1),
            moves_x: flag(),
            begins_row: flag(),
            x: position(),
            y: position(),
            y_of_row: position(),
            clocks,
        }
    }
}

impl Default for Rows {
    fn default() -> Rows {
        Rows::new()
    }
}

/// The ends of each row of each rectangle.
#[kernel]
impl Rows {
    fn module_name(&self) -> String {
        "mesh_rows".into()
    }

    fn logic(&self) {
        let has_rectangle = self.has_rectangle.val();
        /// # Turns
        let is_last_row = self.is_last_row.val();
        let loads = !has_rectangle || is_last_row;
        let is_last = has_rectangle && is_last_row && self.has_last.val();
        let needs_edge = self.needs_edge.val();
        let has_edge = !needs_edge || self.edge_valid.val();
        let is_free = !has_rectangle || self.row_ready.val();
        /// While the job is cancelled it moves too: what it makes is not shown, and forgotten.
        let moves = has_edge && is_free;
        self.edge_ready.next = (needs_edge && is_free) || self.cancelled.val();
        self.row_valid.next = has_rectangle && has_edge && !self.cancelled.val();
        let position = if self.is_second.val() { self.y.val() } else { self.x.val() };
        let (left, right) = (self.left[0].val(), self.right[0].val());
        self.row.next = RowEnds { left: left.at, right: right.at, position, is_last };
        self.edges(moves, needs_edge, &left, &right);
        self.turn(moves, loads, needs_edge);
    }

    /// Goes down both edges, or on to the next rectangle.
    fn edges(&self, moves: Bits, needs_edge: Bits, left: &Walk, right: &Walk) {
        /// # Edges
        let height = self.size[1].val();
        let EdgeSlope { upper, slope: Slope { quotient, remainder, is_negative }, .. } = self.side.val();
        let is_second = self.is_second.val();
        let of_axis = |strides: &[Stride<FieldReg>; AXES]| {
            let [u, v] = [strides[0].val(), strides[1].val()];
            let choose = |of_u, of_v| if is_second { of_v } else { of_u };
            Stride {
                quotient: choose(u.quotient, v.quotient),
                is_negative: choose(u.is_negative, v.is_negative),
            }
        };
        if moves {
            let next_left = if needs_edge {
                start(self.right_upper[0].val(), right.remainder, height)
            } else {
                step(left, &of_axis(&self.left_strides), height)
            };
            let next_right = if needs_edge {
                start(upper, remainder, height)
            } else {
                step(right, &of_axis(&self.right_strides), height)
            };
            self.left[1].next = next_left;
            self.right[1].next = next_right;
            self.left[0].next = self.left[1].val();
            self.right[0].next = self.right[1].val();
        }
        /// Both axes of an edge are taken one behind the other: they shift those of the right edge to the left one.
        if moves && needs_edge {
            self.left_strides[0].next = self.left_strides[1].val();
            self.left_strides[1].next = self.right_strides[0].val();
            self.right_strides[0].next = self.right_strides[1].val();
            self.right_strides[1].next = Stride { quotient, is_negative };
            self.right_upper[0].next = self.right_upper[1].val();
            self.right_upper[1].next = upper;
        }
    }

    /// What changes when both axes have had their turn.
    fn turn(&self, moves: Bits, loads: Bits, needs_edge: Bits) {
        /// # Rectangles
        let (width, height) = (self.size[0].val().zero_extend(POSITION_BITS), self.size[1].val());
        let (rows_left, below) = (self.rows_left.val(), self.y.val() + 1);
        let is_first = self.side.is_first.val();
        let is_second = self.is_second.val();
        if moves {
            self.is_second.next = !is_second;
            self.moves_x.next = loads && (is_first || self.has_rectangle.val());
            self.begins_row.next = loads && is_first;
        }
        if moves && is_second && self.moves_x.val() {
            self.x.next = if is_first { self.offset[0].val() } else { self.x.val() + width };
        }
        if moves && is_second && self.begins_row.val() {
            self.has_begun.next = 1;
            self.y_of_row.next = if self.has_begun.val() { below } else { self.offset[1].val() };
        }
        if moves && is_second {
            if loads {
                let (has_one_row, is_last) = (!height.high(SIZE_BITS - 1).any(), self.side.is_last.val());
                let has_rectangle = needs_edge && !is_first;
                self.rows_left.next = height - 1;
                self.is_last_row.next = has_one_row;
                self.has_rectangle.next = has_rectangle;
                self.has_last.next = is_last;
                self.needs_edge.next = !has_rectangle || (has_one_row && !is_last);
                self.y.next = self.y_of_row.val();
            } else {
                self.rows_left.next = rows_left - 1;
                let has_one_row = rows_left == 1;
                self.is_last_row.next = has_one_row;
                self.needs_edge.next = has_one_row && !self.has_last.val();
                self.y.next = below;
            }
        }
        if self.start.val() || self.cancelled.val() {
            self.is_second.next = 0;
            self.has_rectangle.next = 0;
            self.needs_edge.next = 1;
            self.has_begun.next = 0;
        }
    }
}
