//! What weights on an odd axis of s texels are made from: `R = 2^20 / s`, and so often as the level has texels, `(s - 1) / 2 · R`.
//!
//! A bit of the quotient a clock. With the remainder r, `2^20 = R·s + r`, so that the latter is `(2^20 - r - R) / 2` without a
//! multiplication. 23 clocks from `start` to `done`; an even side is not divided by, and `done` comes in the next clock.

use crate::engines::loader::words::{RECIPROCAL_BITS, SIDE_BITS};
use tmu_hdl::prelude::*;

/// Bits of the number of bits that are left.
const LEFT_BITS: usize = 5;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Reciprocal {
    /// Clock and reset.
    pub clocks: Clocks,
    /// A side comes.
    pub start: Net<In>,
    /// The side.
    pub side: Net<In>,
    /// The results are there, from this clock on.
    pub done: Net<Out>,
    /// `2^20 / s`.
    pub reciprocal: Net<Out>,
    /// `(s - 1) / 2` times that.
    pub whole: Net<Out>,
    is_running: Reg,
    /// The dividend's one is next.
    is_first: Reg,
    is_last: Reg,
    is_done: Reg,
    divisor: Reg,
    left: Reg,
    remainder: Reg,
    quotient: Reg,
    whole_made: Reg,
}

impl Reciprocal {
    /// The block.
    #[must_use]
    pub fn new() -> Reciprocal {
        let clocks = Clocks::new();
        let flag = || Reg::with_reset(&clocks, 1, 0);
        Reciprocal {
            start: Net::bit(),
            side: Net::new(SIDE_BITS),
            done: Net::bit(),
            reciprocal: Net::new(RECIPROCAL_BITS),
            whole: Net::new(RECIPROCAL_BITS),
            is_running: flag(),
            is_first: flag(),
            is_last: flag(),
            is_done: flag(),
            divisor: Reg::new(&clocks, SIDE_BITS),
            left: Reg::new(&clocks, LEFT_BITS),
            remainder: Reg::new(&clocks, SIDE_BITS),
            quotient: Reg::new(&clocks, RECIPROCAL_BITS),
            whole_made: Reg::new(&clocks, RECIPROCAL_BITS),
            clocks,
        }
    }
}

impl Default for Reciprocal {
    fn default() -> Reciprocal {
        Reciprocal::new()
    }
}

/// The reciprocal of a side.
#[kernel]
impl Reciprocal {
    fn module_name(&self) -> String {
        "loader_reciprocal".into()
    }

    fn logic(&self) {
        self.is_first.next = self.start.val();
        /// One subtraction, whose sign says whether the side fits. The dividend is a one and 20 zeros.
        let with_next = cat(&[self.remainder.val(), self.is_first.val()]).zero_extend(SIDE_BITS + 2);
        let less = with_next - self.divisor.val().zero_extend(SIDE_BITS + 2);
        let fits = !less.high(1);
        let remainder = if fits { less } else { with_next };
        discard(remainder.high(2), "what is left is below the side");
        let is_odd = self.side.val().bit(0) && self.side.val().high(SIDE_BITS - 1).any();
        if self.start.val() {
            self.is_running.next = is_odd;
            self.is_last.next = !is_odd;
            self.divisor.next = self.side.val();
            self.left.next = lit(LEFT_BITS, RECIPROCAL_BITS as u32);
            self.remainder.next = 0;
            self.quotient.next = 0;
        } else if self.is_running.val() {
            self.is_running.next = self.left.val().any();
            self.is_last.next = !self.left.val().any();
            self.left.next = self.left.val() - 1;
            self.remainder.next = remainder.low(SIDE_BITS);
            self.quotient.next = cat(&[self.quotient.val().low(RECIPROCAL_BITS - 1), fits]);
        } else {
            self.is_last.next = 0;
        }
        self.is_done.next = self.is_last.val();
        self.done.next = self.is_done.val();
        self.reciprocal.next = self.quotient.val();
        let bits = RECIPROCAL_BITS + 1;
        let rest = self.remainder.val().zero_extend(bits) + self.quotient.val().zero_extend(bits);
        let twice = lit(bits, 1u32 << RECIPROCAL_BITS) - rest;
        discard(twice.bit(0), "it is even");
        self.whole_made.next = twice.high(RECIPROCAL_BITS);
        self.whole.next = self.whole_made.val();
    }
}
