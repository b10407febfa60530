//! `interpolate`: the coordinates of every pixel, from the edges of the rectangles.
//!
//! ```text
//! edges, axis by axis -> divide by the height -> rows -> divide by the width -> pixels
//! ```
//!
//! Rectangles come in the order of their right edges, the rows of each from top to bottom, its pixels from left to right. Behind the last
//! pixel comes the end of the job. A job that is cancelled ends behind the pixel that is offered.
//!
//! One pixel a clock where a row has three pixels at least; with two the right edge of a rectangle costs a clock. An edge takes four clocks. Latency 24 clocks. Four multipliers.

pub mod divide;
pub mod pixels;
pub mod rows;
mod walk;

use super::words::{AXES, EdgeWord, POSITION_BITS, edge_word, position_word};
use divide::{Divide, Steps, steps};
use pixels::{Pixels, RowSlope};
use rows::{EdgeSlope, RowEnds, Rows, edge_slope};
use tmu_hdl::prelude::*;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Interpolate {
    /// Clock and reset.
    pub clocks: Clocks,
    /// A job starts: what is left of one that was cancelled is forgotten.
    pub start: Net<In>,
    /// A job ends before its last pixel.
    pub cancelled: Net<In>,
    /// Width and height of a rectangle.
    pub size: [Steps<Field<In>>; AXES],
    /// Where the first pixel of the mesh is in the frame buffer.
    pub offset: [Net<In>; AXES],
    /// An [`EdgeWord`].
    pub input: StreamIn,
    /// A [`PositionWord`](super::words::PositionWord).
    pub output: StreamOut,
    is_second: Reg,
    down: Divide,
    edge_valid: Reg,
    side: EdgeSlope<FieldReg>,
    rows: Rows,
    across: Divide,
    pixels: Pixels,
}

impl Interpolate {
    /// The stage.
    pub fn new() -> Interpolate {
        let clocks = Clocks::new();
        Interpolate {
            start: Net::bit(),
            cancelled: Net::bit(),
            size: [steps().nets(), steps().nets()],
            offset: [Net::new(POSITION_BITS), Net::new(POSITION_BITS)],
            input: StreamIn::new(edge_word().width()),
            output: StreamOut::new(position_word().width()),
            is_second: Reg::with_reset(&clocks, 1, 0),
            down: Divide::new(2),
            edge_valid: Reg::with_reset(&clocks, 1, 0),
            side: edge_slope().registers(&clocks),
            rows: Rows::new(),
            across: Divide::new(POSITION_BITS + 1),
            pixels: Pixels::new(),
            clocks,
        }
    }
}

impl Default for Interpolate {
    fn default() -> Interpolate {
        Interpolate::new()
    }
}

/// The coordinates of every pixel.
#[kernel]
impl Interpolate {
    fn module_name(&self) -> String {
        "interpolate".into()
    }

    fn logic(&self) {
        self.down();
        self.rows();
        self.across();
        self.pixels();
    }

    fn down(&self) {
        /// # Edges, axis by axis
        let down = &self.down;
        down.clocks.follow(&self.clocks);
        let EdgeWord { upper, lower, is_first, is_last } = edge_word().unpack(self.input.data.val());
        let is_second = self.is_second.val();
        let moves = !down.out_valid.val() || !self.edge_valid.val();
        down.advance.next = moves;
        down.steps.next = self.size[1].val();
        down.in_valid.next = self.input.valid.val() && !self.cancelled.val();
        down.from.next = if is_second { upper[1] } else { upper[0] };
        down.to.next = if is_second { lower[1] } else { lower[0] };
        down.in_rest.next = cat(&[is_first, is_last]);
        self.input.ready.next = moves && is_second;
        if self.start.val() || self.cancelled.val() {
            self.is_second.next = 0;
        } else if moves && self.input.valid.val() {
            self.is_second.next = !is_second;
        }
        /// A register between the divider and the rows: it is filled when it is empty, so that no stage waits for the one behind the next.
        let is_empty = !self.edge_valid.val();
        if is_empty {
            self.side.next = EdgeSlope {
                upper: down.start.val(),
                slope: down.slope.val(),
                is_first: down.out_rest.val().bit(1),
                is_last: down.out_rest.val().bit(0),
            };
        }
        self.edge_valid.next = if is_empty { down.out_valid.val() } else { !self.rows.edge_ready.val() };
    }

    fn rows(&self) {
        /// # Rows
        let rows = &self.rows;
        rows.clocks.follow(&self.clocks);
        rows.start.next = self.start.val();
        rows.cancelled.next = self.cancelled.val();
        for axis in 0..AXES {
            rows.size[axis].next = self.size[axis].count.val();
            rows.offset[axis].next = self.offset[axis].val();
        }
        rows.edge_valid.next = self.edge_valid.val();
        rows.side.next = self.side.val();
    }

    fn across(&self) {
        /// # Rows, axis by axis
        let (rows, across) = (&self.rows, &self.across);
        across.clocks.follow(&self.clocks);
        let moves = !across.out_valid.val() || self.pixels.row_ready.val();
        across.advance.next = moves;
        across.steps.next = self.size[0].val();
        let RowEnds { left, right, position, is_last } = rows.row.val();
        across.in_valid.next = rows.row_valid.val();
        across.from.next = left;
        across.to.next = right;
        across.in_rest.next = cat(&[is_last, position]);
        rows.row_ready.next = moves;
    }

    fn pixels(&self) {
        /// # Pixels
        let (across, pixels) = (&self.across, &self.pixels);
        pixels.clocks.follow(&self.clocks);
        pixels.start.next = self.start.val();
        pixels.cancelled.next = self.cancelled.val();
        pixels.width.next = self.size[0].count.val();
        pixels.row_valid.next = across.out_valid.val();
        pixels.row.next = RowSlope {
            start: across.start.val(),
            slope: across.slope.val(),
            position: across.out_rest.val().low(POSITION_BITS),
            is_last: across.out_rest.val().high(1),
        };
        self.output.forward(&pixels.output);
    }
}
