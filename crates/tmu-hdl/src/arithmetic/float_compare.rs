//! Comparison of two numbers of single precision.

use super::float::{FLOAT_BITS, parts};
use crate::kernel::timing;
use crate::prelude::*;

/// Comparison of two numbers of single precision.
///
/// `a` is greater where none of the three outputs is high. Zeros are equal, whatever their signs; denormals are zeros.
///
/// All registers move in a clock with `enable` high and hold in any other. Latency 2 enabled clocks, II 1.
#[derive(Debug, LogicBlock)]
pub struct FloatCompare {
    /// The clock.
    pub clocks: Clocks,
    /// High to move all registers.
    pub enable: Net<In>,
    /// The left operand.
    pub a: Net<In>,
    /// The right operand.
    pub b: Net<In>,
    /// High where a < b.
    pub less: Net<Out>,
    /// High where a = b.
    pub equal: Net<Out>,
    /// High where one of them is no number.
    pub unordered: Net<Out>,
    compared: Compared,
    order: Order,
}

#[derive(Debug, Bundle)]
struct Compared {
    a_sign: Reg,
    b_sign: Reg,
    both_zero: Reg,
    is_unordered: Reg,
    magnitude_is_less: Reg,
    magnitude_is_equal: Reg,
}

#[derive(Debug, Bundle)]
struct Order {
    less: Reg,
    equal: Reg,
    unordered: Reg,
}

impl FloatCompare {
    /// Enabled clocks from the operands to the result.
    pub const LATENCY_CLOCKS: u32 = 2;

    /// A comparator.
    #[track_caller]
    pub fn new() -> FloatCompare {
        let clocks = Clocks::without_reset();
        let flag = || Reg::new(&clocks, 1);
        FloatCompare {
            enable: Net::bit(),
            a: Net::new(FLOAT_BITS),
            b: Net::new(FLOAT_BITS),
            less: Net::bit(),
            equal: Net::bit(),
            unordered: Net::bit(),
            compared: Compared {
                a_sign: flag(),
                b_sign: flag(),
                both_zero: flag(),
                is_unordered: flag(),
                magnitude_is_less: flag(),
                magnitude_is_equal: flag(),
            },
            order: Order { less: flag(), equal: flag(), unordered: flag() },
            clocks,
        }
    }
}

impl Default for FloatCompare {
    fn default() -> Self {
        FloatCompare::new()
    }
}

/// Comparison of two numbers of single precision.
#[kernel]
impl FloatCompare {
    fn logic(&self) {
        timing(FloatCompare::LATENCY_CLOCKS, 1);
        let (a, b) = (self.a.val(), self.b.val());
        let (a_parts, b_parts) = (parts(a), parts(b));
        let compared = &self.compared;
        let (a_magnitude, b_magnitude) = (a.low(FLOAT_BITS - 1), b.low(FLOAT_BITS - 1));
        let (a_sign, b_sign) = (compared.a_sign.val(), compared.b_sign.val());
        let is_less = compared.magnitude_is_less.val();
        let is_equal = compared.magnitude_is_equal.val();
        let is_greater = !is_less & !is_equal;
        let (both_zero, is_unordered) = (compared.both_zero.val(), compared.is_unordered.val());
        let is_ordered = !is_unordered;
        /// Of two negative numbers the one of the larger magnitude is less.
        let same_sign_less = a_sign.mux(is_greater, is_less);
        let less = (a_sign ^ b_sign).mux(a_sign, same_sign_less);
        if self.enable.val() {
            compared.a_sign.next = a_parts.sign;
            compared.b_sign.next = b_parts.sign;
            compared.both_zero.next = a_parts.is_zero & b_parts.is_zero;
            compared.is_unordered.next = a_parts.is_nan | b_parts.is_nan;
            compared.magnitude_is_less.next = a_magnitude < b_magnitude;
            compared.magnitude_is_equal.next = a_magnitude == b_magnitude;
            self.order.less.next = less & !both_zero & is_ordered;
            self.order.equal.next = (both_zero | (is_equal & !(a_sign ^ b_sign))) & is_ordered;
            self.order.unordered.next = is_unordered;
        }
        self.less.next = self.order.less.val();
        self.equal.next = self.order.equal.val();
        self.unordered.next = self.order.unordered.val();
    }
}
