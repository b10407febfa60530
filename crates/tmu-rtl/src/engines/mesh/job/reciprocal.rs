//! The reciprocal of a number of steps, `ceil(2^s / n)`, a bit a clock: see [`divide`](crate::engines::mesh::interpolate::divide).
//!
//! It is `(2^s - 1) div n + 1`, and the bits of `2^s - 1` are all ones. 29 or 31 clocks from `start` to `done`.

use crate::engines::mesh::interpolate::divide::{LONG_SHIFT_BITS, MANY_STEPS, RECIPROCAL_BITS, SHIFT_BITS};
use crate::engines::mesh::words::SIZE_BITS;
use tmu_hdl::prelude::*;

/// Bits of the number of bits that are left.
const LEFT_BITS: usize = 5;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Reciprocal {
    /// Clock and reset.
    pub clocks: Clocks,
    /// The number of steps comes.
    pub start: Net<In>,
    /// The number of steps.
    pub count: Net<In>,
    /// The reciprocal is there, for this clock.
    pub done: Net<Out>,
    /// The reciprocal.
    pub result: Net<Out>,
    is_running: Reg,
    is_done: Reg,
    divisor: Reg,
    left: Reg,
    remainder: Reg,
    quotient: Reg,
}

impl Reciprocal {
    /// The block.
    pub fn new() -> Reciprocal {
        let clocks = Clocks::new();
        let flag = || Reg::with_reset(&clocks, 1, 0);
        Reciprocal {
            start: Net::bit(),
            count: Net::new(SIZE_BITS),
            done: Net::bit(),
            result: Net::new(RECIPROCAL_BITS),
            is_running: flag(),
            is_done: flag(),
            divisor: Reg::new(&clocks, SIZE_BITS),
            left: Reg::new(&clocks, LEFT_BITS),
            remainder: Reg::new(&clocks, SIZE_BITS),
            quotient: Reg::new(&clocks, RECIPROCAL_BITS),
            clocks,
        }
    }
}

impl Default for Reciprocal {
    fn default() -> Reciprocal {
        Reciprocal::new()
    }
}

/// The reciprocal of a number of steps.
#[kernel]
impl Reciprocal {
    fn module_name(&self) -> String {
        "mesh_reciprocal".into()
    }

    fn logic(&self) {
        let count = self.count.val();
        let has_many = count.high(SIZE_BITS - MANY_STEPS.ilog2() as usize).any();
        let (many, few) = (LONG_SHIFT_BITS as u32 - 1, SHIFT_BITS as u32 - 1);
        /// One subtraction, whose sign says whether the count fits.
        let with_next = cat(&[self.remainder.val(), lit(1, 1u32)]).zero_extend(SIZE_BITS + 2);
        let less = with_next - self.divisor.val().zero_extend(SIZE_BITS + 2);
        let fits = !less.high(1);
        let remainder = if fits { less } else { with_next };
        discard(remainder.high(2), "what is left is below the count");
        if self.start.val() {
            self.is_running.next = 1;
            self.divisor.next = count;
            self.left.next = if has_many { lit(LEFT_BITS, many) } else { lit(LEFT_BITS, few) };
            self.remainder.next = 0;
            self.quotient.next = 0;
        } else if self.is_running.val() {
            self.is_running.next = self.left.val().any();
            self.left.next = self.left.val() - 1;
            self.remainder.next = remainder.low(SIZE_BITS);
            self.quotient.next = cat(&[self.quotient.val().low(RECIPROCAL_BITS - 1), fits]);
        }
        self.is_done.next = self.is_running.val() && !self.left.val().any();
        self.done.next = self.is_done.val();
        self.result.next = self.quotient.val() + 1;
    }
}
