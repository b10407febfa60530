//! Rust's operators on [`Bits`] and [`Signed`].
//!
//! Either side may be a number, which takes the width of the other side and must fit it, read as that side is
//! read: `200 + x` for 8 bits, `x.signed() - 3`. Comparison and the logical operators are not here, since Rust fixes their result to `bool`: see [`crate::kernel`].

use crate::bits::{Bits, Reading, lit, literal};
use crate::op::Op;
use crate::signed::Signed;
use std::ops;
use std::panic::Location;

macro_rules! same_width {
    ($($trait:ident :: $method:ident => $op:ident),*) => {$(
        impl ops::$trait for Bits {
            type Output = Bits;
            #[track_caller]
            fn $method(self, other: Bits) -> Bits {
                Bits::apply(Op::$op, &[self, other], Location::caller())
            }
        }
        impl ops::$trait<u64> for Bits {
            type Output = Bits;
            #[track_caller]
            fn $method(self, number: u64) -> Bits {
                Bits::apply(Op::$op, &[self, lit(self.width(), number)], Location::caller())
            }
        }
        impl ops::$trait<Bits> for u64 {
            type Output = Bits;
            #[track_caller]
            fn $method(self, other: Bits) -> Bits {
                Bits::apply(Op::$op, &[lit(other.width(), self), other], Location::caller())
            }
        }
    )*};
}
same_width!(BitAnd::bitand => And, BitOr::bitor => Or, BitXor::bitxor => Xor, Add::add => Add, Sub::sub => Sub);

impl ops::Not for Bits {
    type Output = Bits;
    #[track_caller]
    fn not(self) -> Bits {
        Bits::apply(Op::Not, &[self], Location::caller())
    }
}

/// Two's complement negation in the same width: what is added to the operand to make zero.
impl ops::Neg for Bits {
    type Output = Bits;
    #[track_caller]
    fn neg(self) -> Bits {
        Bits::apply(Op::Neg, &[self], Location::caller())
    }
}

/// The full product, as wide as both operands together.
impl ops::Mul for Bits {
    type Output = Bits;
    #[track_caller]
    fn mul(self, other: Bits) -> Bits {
        Bits::apply(Op::Mul, &[self, other], Location::caller())
    }
}

/// Shifts by a run-time amount of any width.
impl ops::Shl for Bits {
    type Output = Bits;
    #[track_caller]
    fn shl(self, amount: Bits) -> Bits {
        Bits::apply(Op::Shl, &[self, amount], Location::caller())
    }
}

impl ops::Shr for Bits {
    type Output = Bits;
    #[track_caller]
    fn shr(self, amount: Bits) -> Bits {
        Bits::apply(Op::Shr, &[self, amount], Location::caller())
    }
}

/// Shifts by a fixed amount keep the width, as in Verilog.
impl ops::Shl<usize> for Bits {
    type Output = Bits;
    #[track_caller]
    fn shl(self, amount: usize) -> Bits {
        Bits::apply(Op::Shl, &[self, lit(32, amount as u128)], Location::caller())
    }
}

impl ops::Shr<usize> for Bits {
    type Output = Bits;
    #[track_caller]
    fn shr(self, amount: usize) -> Bits {
        Bits::apply(Op::Shr, &[self, lit(32, amount as u128)], Location::caller())
    }
}

macro_rules! signed {
    ($($trait:ident :: $method:ident => $op:ident),*) => {$(
        impl ops::$trait for Signed {
            type Output = Signed;
            #[track_caller]
            fn $method(self, other: Signed) -> Signed {
                Signed(Bits::apply(Op::$op, &[self.0, other.0], Location::caller()))
            }
        }
    )*};
}
signed!(Add::add => Add, Sub::sub => Sub, Mul::mul => MulSigned);

macro_rules! signed_numbers {
    ($($trait:ident :: $method:ident => $op:ident),*) => {$(
        impl ops::$trait<i64> for Signed {
            type Output = Signed;
            #[track_caller]
            fn $method(self, number: i64) -> Signed {
                let number = literal(self.width(), number, Reading::Signed);
                Signed(Bits::apply(Op::$op, &[self.0, number], Location::caller()))
            }
        }
        impl ops::$trait<Signed> for i64 {
            type Output = Signed;
            #[track_caller]
            fn $method(self, other: Signed) -> Signed {
                let number = literal(other.width(), self, Reading::Signed);
                Signed(Bits::apply(Op::$op, &[number, other.0], Location::caller()))
            }
        }
    )*};
}
signed_numbers!(Add::add => Add, Sub::sub => Sub);

impl ops::Neg for Signed {
    type Output = Signed;
    #[track_caller]
    fn neg(self) -> Signed {
        Signed(Bits::apply(Op::Neg, &[self.0], Location::caller()))
    }
}

/// Shifts right, filling with the sign.
impl ops::Shr<Bits> for Signed {
    type Output = Signed;
    #[track_caller]
    fn shr(self, amount: Bits) -> Signed {
        Signed(Bits::apply(Op::ShrSigned, &[self.0, amount], Location::caller()))
    }
}

impl ops::Shr<usize> for Signed {
    type Output = Signed;
    #[track_caller]
    fn shr(self, amount: usize) -> Signed {
        Signed(Bits::apply(Op::ShrSigned, &[self.0, lit(32, amount as u128)], Location::caller()))
    }
}

/// Shifts left keep the width: bits that leave it, the sign among them, are lost.
impl ops::Shl<Bits> for Signed {
    type Output = Signed;
    #[track_caller]
    fn shl(self, amount: Bits) -> Signed {
        Signed(Bits::apply(Op::Shl, &[self.0, amount], Location::caller()))
    }
}

impl ops::Shl<usize> for Signed {
    type Output = Signed;
    #[track_caller]
    fn shl(self, amount: usize) -> Signed {
        Signed(Bits::apply(Op::Shl, &[self.0, lit(32, amount as u128)], Location::caller()))
    }
}
