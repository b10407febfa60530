//! `pixels`: the pixels of each row, from the slopes of both axes, and the end of the job behind the last.
//!
//! The slope of u waits in registers for that of v, so that the next row is there when the last pixel of this one leaves: one pixel a
//! clock from two pixels a row on.

use super::divide::{Slope, slope};
use super::walk::{Stride, Walk, start, step, stride, walk};
use crate::engines::mesh::words::{AXES, POINT_BITS, POSITION_BITS, PositionWord, SIZE_BITS, position_word};
use tmu_hdl::prelude::*;

/// A row along one axis.
#[derive(Clone, Debug, Record)]
pub(super) struct RowSlope<T = Bits> {
    /// Its first pixel.
    pub(super) start: T,
    /// How it goes on.
    pub(super) slope: Slope<T>,
    /// With u the column of the first pixel in the frame buffer, with v the row.
    pub(super) position: T,
    /// The last row of the mesh.
    pub(super) is_last: T,
}

/// Shape of a [`RowSlope`].
pub(super) fn row_slope() -> RowSlope<Width> {
    RowSlope {
        start: Width::bits(POINT_BITS),
        slope: slope(),
        position: Width::bits(POSITION_BITS),
        is_last: Width::bits(1),
    }
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Pixels {
    /// Clock and reset.
    pub clocks: Clocks,
    /// A job starts.
    pub start: Net<In>,
    /// A job ends before its last pixel: rows are dropped.
    pub cancelled: Net<In>,
    /// Pixels of a row.
    pub width: Net<In>,
    /// A row along an axis has come; it stays until it is taken.
    pub row_valid: Net<In>,
    /// Its parts.
    pub(super) row: RowSlope<Field<In>>,
    /// It is taken.
    pub row_ready: Net<Out>,
    /// Pixels, and behind them the end: a [`PositionWord`].
    pub output: StreamOut,
    has_first: Reg,
    first: RowSlope<FieldReg>,
    is_running: Reg,
    walks: [Walk<FieldReg>; AXES],
    strides: [Stride<FieldReg>; AXES],
    x: Reg,
    y: Reg,
    left: Reg,
    is_last_pixel: Reg,
    is_last_row: Reg,
    is_ending: Reg,
    has_ended: Reg,
}

impl Pixels {
    /// The block.
    pub fn new() -> Pixels {
        let clocks = Clocks::new();
        let flag = || Reg::with_reset(&clocks, 1, 0);
        Pixels {
            start: Net::bit(),
            cancelled: Net::bit(),
            width: Net::new(SIZE_BITS),
            row_valid: Net::bit(),
            row: row_slope().nets(),
            row_ready: Net::bit(),
            output: StreamOut::new(position_word().width()),
            has_first: flag(),
            first: RowSlope { is_last: Width::constant(1, 0), ..row_slope() }.registers(&clocks),
            is_running: flag(),
            walks: [walk().registers(&clocks), walk().registers(&clocks)],
            strides: [stride().registers(&clocks), stride().registers(&clocks)],
            x: Reg::new(&clocks, POSITION_BITS),
            y: Reg::new(&clocks, POSITION_BITS),
            left: Reg::new(&clocks, SIZE_BITS),
            is_last_pixel: Reg::new(&clocks, 1),
            is_last_row: Reg::new(&clocks, 1),
            is_ending: flag(),
            has_ended: Reg::with_reset(&clocks, 1, 1),
            clocks,
        }
    }
}

impl Default for Pixels {
    fn default() -> Pixels {
        Pixels::new()
    }
}

/// The pixels of each row.
#[kernel]
impl Pixels {
    fn module_name(&self) -> String {
        "mesh_pixels".into()
    }

    fn logic(&self) {
        let (cancelled, has_first) = (self.cancelled.val(), self.has_first.val());
        /// # Pixels
        let leaves = self.is_running.val() && self.output.ready.val();
        let ends_row = self.is_last_pixel.val() || cancelled;
        let is_free = !self.is_running.val() || (leaves && ends_row);
        let loads = is_free && has_first && self.row_valid.val() && !cancelled;
        self.row_ready.next = !has_first || is_free;
        self.row(loads, leaves);
        if loads {
            self.is_running.next = 1;
        } else if leaves && ends_row {
            self.is_running.next = 0;
        }
        /// # First axis
        if !has_first {
            self.first.next = self.row.val();
        }
        if self.start.val() || cancelled || loads {
            self.has_first.next = 0;
        } else if self.row_valid.val() {
            self.has_first.next = 1;
        }
        /// # End
        let comes_to_end = leaves && ends_row && (self.is_last_row.val() || cancelled);
        let is_cut = cancelled && !self.is_running.val() && !self.has_ended.val() && !self.is_ending.val();
        let end_leaves = self.is_ending.val() && self.output.ready.val();
        if comes_to_end || is_cut {
            self.is_ending.next = 1;
        } else if end_leaves {
            self.is_ending.next = 0;
            self.has_ended.next = 1;
        }
        if self.start.val() {
            self.has_ended.next = 0;
        }
        self.output.valid.next = self.is_running.val() || self.is_ending.val();
        self.output.data.next = position_word().pack(&PositionWord {
            u: self.walks[0].at.val(),
            v: self.walks[1].at.val(),
            x: self.x.val(),
            y: self.y.val(),
            is_end: self.is_ending.val(),
        });
    }

    /// Along a row, or on to the next one.
    fn row(&self, loads: Bits, leaves: Bits) {
        let width = self.width.val();
        let (first, second) = (self.first.val(), self.row.val());
        if loads {
            for (axis, row) in [&first, &second].into_iter().enumerate() {
                let Slope { quotient, remainder, is_negative } = row.slope.clone();
                self.walks[axis].next = start(row.start, remainder, width);
                self.strides[axis].next = Stride { quotient, is_negative };
            }
            self.x.next = first.position;
            self.y.next = second.position;
            self.left.next = width - 1;
            self.is_last_pixel.next = !width.high(SIZE_BITS - 1).any();
            self.is_last_row.next = second.is_last;
        } else if leaves {
            for (axis, stride) in self.walks.iter().zip(&self.strides) {
                let walk = axis.val();
                axis.next = step(&walk, &stride.val(), width);
            }
            self.x.next = self.x.val() + 1;
            self.left.next = self.left.val() - 1;
            self.is_last_pixel.next = self.left.val() == 1;
        }
    }
}
