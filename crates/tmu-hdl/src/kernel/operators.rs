//! Comparison and logic, whose results Rust fixes to `bool`.

use super::branch::{OpenBranch, open_on_bit};
use crate::bits::{Bits, Reading, lit, literal};
use crate::diagnostic::Source;
use crate::op::Op;
use crate::record::{self, NodeKind, Shortcut};
use crate::signed::Signed;
use crate::value::Value;
use std::panic::Location;

/// Equality in a kernel.
#[diagnostic::on_unimplemented(
    message = "a kernel cannot compare `{Self}` with `{R}`",
    note = "hardware values compare with values of their own kind or with numbers; use `matches!` or `.eq()` for Rust types"
)]
pub trait HwEq<R> {
    /// `bool` at elaboration, one bit in hardware.
    type Output;
    /// `==`
    #[track_caller]
    fn hw_eq(self, other: R) -> Self::Output;
    /// `!=`
    #[track_caller]
    fn hw_ne(self, other: R) -> Self::Output;
}

/// Order in a kernel.
#[diagnostic::on_unimplemented(message = "a kernel cannot order `{Self}` and `{R}`")]
pub trait HwOrd<R> {
    /// `bool` at elaboration, one bit in hardware.
    type Output;
    /// `<`
    #[track_caller]
    fn hw_lt(self, other: R) -> Self::Output;
    /// `<=`
    #[track_caller]
    fn hw_le(self, other: R) -> Self::Output;
    /// `>`
    #[track_caller]
    fn hw_gt(self, other: R) -> Self::Output;
    /// `>=`
    #[track_caller]
    fn hw_ge(self, other: R) -> Self::Output;
}

macro_rules! hardware_compare {
    ($type:ty, $other:ty, |$this:ident, $that:ident| $a:expr, $b:expr, $trait:ident { $($method:ident => $op:ident),* }) => {
        impl $trait<$other> for $type {
            type Output = Bits;
            $(#[track_caller]
            fn $method(self, other: $other) -> Bits {
                let ($this, $that) = (self, other);
                Bits::apply(Op::$op, &[$a, $b], Location::caller())
            })*
        }
    };
}
hardware_compare!(Bits, Bits, |a, b| a, b, HwEq { hw_eq => Eq, hw_ne => Ne });
hardware_compare!(Bits, u64, |a, n| a, lit(a.width(), n), HwEq { hw_eq => Eq, hw_ne => Ne });
hardware_compare!(Bits, Bits, |a, b| a, b, HwOrd { hw_lt => Lt, hw_le => Le, hw_gt => Gt, hw_ge => Ge });
hardware_compare!(Bits, u64, |a, n| a, lit(a.width(), n), HwOrd { hw_lt => Lt, hw_le => Le, hw_gt => Gt, hw_ge => Ge });
hardware_compare!(Signed, Signed, |a, b| a.0, b.0, HwEq { hw_eq => Eq, hw_ne => Ne });
hardware_compare!(Signed, Signed, |a, b| a.0, b.0,
    HwOrd { hw_lt => LtSigned, hw_le => LeSigned, hw_gt => GtSigned, hw_ge => GeSigned });

// A number takes the width of the other side and must fit it as that side is read.
hardware_compare!(u64, Bits, |n, a| lit(a.width(), n), a, HwEq { hw_eq => Eq, hw_ne => Ne });
hardware_compare!(u64, Bits, |n, a| lit(a.width(), n), a, HwOrd { hw_lt => Lt, hw_le => Le, hw_gt => Gt, hw_ge => Ge });
hardware_compare!(Signed, i64, |a, n| a.0, literal(a.width(), n, Reading::Signed), HwEq { hw_eq => Eq, hw_ne => Ne });
hardware_compare!(Signed, i64, |a, n| a.0, literal(a.width(), n, Reading::Signed),
    HwOrd { hw_lt => LtSigned, hw_le => LeSigned, hw_gt => GtSigned, hw_ge => GeSigned });
hardware_compare!(i64, Signed, |n, a| literal(a.width(), n, Reading::Signed), a.0, HwEq { hw_eq => Eq, hw_ne => Ne });
hardware_compare!(i64, Signed, |n, a| literal(a.width(), n, Reading::Signed), a.0,
    HwOrd { hw_lt => LtSigned, hw_le => LeSigned, hw_gt => GtSigned, hw_ge => GeSigned });

macro_rules! elaboration_compare {
    ($($type:ty),*) => {$(
        impl HwEq<$type> for $type {
            type Output = bool;
            fn hw_eq(self, other: $type) -> bool {
                self == other
            }
            fn hw_ne(self, other: $type) -> bool {
                self != other
            }
        }
        impl HwOrd<$type> for $type {
            type Output = bool;
            fn hw_lt(self, other: $type) -> bool {
                self < other
            }
            fn hw_le(self, other: $type) -> bool {
                self <= other
            }
            fn hw_gt(self, other: $type) -> bool {
                self > other
            }
            fn hw_ge(self, other: $type) -> bool {
                self >= other
            }
        }
    )*};
}
elaboration_compare!(usize, u8, u16, u32, u64, u128, i32, i64, bool, &str);

/// `&&` in a kernel. What the right side does, other than computing, happens only where it matters, as in Rust.
pub trait HwAnd<R> {
    /// `bool` at elaboration, one bit in hardware.
    type Output;
    /// `&&`
    #[track_caller]
    fn hw_and(self, other: impl FnOnce() -> R) -> Self::Output;
}

/// `||` in a kernel.
pub trait HwOr<R> {
    /// `bool` at elaboration, one bit in hardware.
    type Output;
    /// `||`
    #[track_caller]
    fn hw_or(self, other: impl FnOnce() -> R) -> Self::Output;
}

fn bit(flag: bool) -> Bits {
    Bits::constant(Value::from_bool(flag))
}

/// `&&` or `||` of hardware values being run: the right side is a side of a branch on the left one.
///
/// The right side is a closure of its own at every place, so all that does not call it stands here and is compiled once.
struct OpenOperator {
    op: Op,
    left: Bits,
    source: Source,
    /// None where the left side is refused: then the right side runs under no branch.
    branch: Option<OpenBranch>,
    runs_right: bool,
}

impl OpenOperator {
    fn new(op: Op, left: Bits, source: Source) -> OpenOperator {
        if left.width() != 1 || left.is_poison() {
            return OpenOperator { op, left, source, branch: None, runs_right: true };
        }
        let branch = open_on_bit(left, true, source, true);
        let runs_right = if op == Op::LogicalAnd { branch.then() } else { branch.otherwise() };
        OpenOperator { op, left, source, branch: Some(branch), runs_right }
    }

    /// The result, with the right side where it ran.
    fn end(self, right: Option<Bits>) -> Bits {
        let OpenOperator { op, left, source, branch, .. } = self;
        let is_and = op == Op::LogicalAnd;
        if let Some(branch) = &branch
            && is_and
        {
            branch.otherwise();
        }
        let result = match right {
            Some(right) => Bits::apply(op, &[left, right], source),
            // The left side has decided.
            None => match (left.without_name().node, record::known_shortcut()) {
                (None, _) | (_, Some(Shortcut::Left)) => left,
                (_, Some(Shortcut::Constant(value))) => bit(value),
                (Some(node), None) => {
                    let kind = NodeKind::Op(op, vec![node, node]);
                    Bits { value: Value::zero(1), node: record::node(kind, 1, source) }
                }
            },
        };
        let Some(branch) = branch else { return result };
        record::note_shortcut(match result.without_name().node {
            None => Some(Shortcut::Constant(result.value.bit(0))),
            node if node == left.node => Some(Shortcut::Left),
            _ => None,
        });
        branch.end();
        result
    }
}

macro_rules! logical {
    ($trait:ident :: $method:ident, $op:ident, $rust:tt, $decided:expr) => {
        impl $trait<bool> for bool {
            type Output = bool;
            fn $method(self, other: impl FnOnce() -> bool) -> bool {
                self $rust other()
            }
        }
        impl $trait<Bits> for Bits {
            type Output = Bits;
            #[track_caller]
            fn $method(self, other: impl FnOnce() -> Bits) -> Bits {
                let operator = OpenOperator::new(Op::$op, self, Location::caller());
                let right = if operator.runs_right { Some(other()) } else { None };
                operator.end(right)
            }
        }
        impl $trait<bool> for Bits {
            type Output = Bits;
            #[track_caller]
            fn $method(self, other: impl FnOnce() -> bool) -> Bits {
                let operator = OpenOperator::new(Op::$op, self, Location::caller());
                let right = if operator.runs_right { Some(bit(other())) } else { None };
                operator.end(right)
            }
        }
        impl $trait<Bits> for bool {
            type Output = Bits;
            fn $method(self, other: impl FnOnce() -> Bits) -> Bits {
                if self == $decided { bit(self) } else { other() }
            }
        }
    };
}
logical!(HwAnd::hw_and, LogicalAnd, &&, false);
logical!(HwOr::hw_or, LogicalOr, ||, true);
