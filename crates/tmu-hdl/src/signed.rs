//! [`Signed`]: a [`Bits`] read as two's complement, so that comparison, product, shift and extension are signed.

use crate::bits::Bits;
use crate::op::Op;
use std::panic::Location;

/// A two's complement view of a value.
#[derive(Clone, Copy)]
pub struct Signed(pub(crate) Bits);

impl Signed {
    /// Width in bits, sign included.
    pub fn width(self) -> usize {
        self.0.width()
    }

    /// The same bits, unsigned.
    pub fn bits(self) -> Bits {
        self.0
    }

    /// Extends with the sign to `width`, which must not be narrower.
    #[track_caller]
    pub fn extend(self, width: usize) -> Signed {
        Signed(Bits::apply(Op::SignExtend(width), &[self.0], Location::caller()))
    }

    /// The sum, one bit wider than the operands, so that it never wraps.
    #[track_caller]
    pub fn add_wide(self, other: Signed) -> Signed {
        let width = self.width().max(other.width()) + 1;
        let extend = |x: Signed| Bits::apply(Op::SignExtend(width), &[x.0], Location::caller());
        Signed(Bits::apply(Op::Add, &[extend(self), extend(other)], Location::caller()))
    }

    /// The difference, one bit wider than the operands, so that it never wraps.
    #[track_caller]
    pub fn sub_wide(self, other: Signed) -> Signed {
        let width = self.width().max(other.width()) + 1;
        let extend = |x: Signed| Bits::apply(Op::SignExtend(width), &[x.0], Location::caller());
        Signed(Bits::apply(Op::Sub, &[extend(self), extend(other)], Location::caller()))
    }

    /// The number without its sign. The least number's fits too, since the result is unsigned.
    #[track_caller]
    pub fn magnitude(self) -> Bits {
        let negated = Bits::apply(Op::Neg, &[self.0], Location::caller());
        Bits::apply(Op::Mux, &[self.is_negative(), negated, self.0], Location::caller())
    }

    /// One bit: below zero.
    #[track_caller]
    pub fn is_negative(self) -> Bits {
        self.0.high(1)
    }
}
