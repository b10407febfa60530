//! What `#[kernel]` turns Rust into.
//!
//! The attribute rewrites the few forms whose meaning Rust fixes for itself; everything else in a kernel is
//! plain Rust that runs as it stands:
//!
//! | written | becomes | for hardware values |
//! | --- | --- | --- |
//! | `a == b`, `a < b` … | [`HwEq`], [`HwOrd`] | one bit |
//! | `a && b`, `a \|\| b` | [`HwAnd`], [`HwOr`] | one bit |
//! | `if c { … } else { … }` | [`Branch`] | both sides recorded under the condition |
//! | `let x = if c { a } else { b };` | [`Select`] | a multiplexer |
//! | `net.next = value;` | `net.drive(value)` | one driver of the net |
//! | `let sum = a + b;` | [`NameBits`] | a wire called `sum` |
//! | `/// text` before a statement | [`comment`] | a comment; `/// # text` is a stage banner |
//!
//! Numbers, `bool`s and everything else known at elaboration keep their Rust meaning, so an `if` on a
//! configuration switch leaves no hardware behind. Assigning a Rust variable under a hardware condition has no
//! meaning in hardware and is refused.

use crate::bits::{Bits, lit};
use crate::diagnostic::Rule;
use crate::op::Op;
use crate::record::{self, Statement};
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

/// `&&` in a kernel. The right side is evaluated only where it matters, as in Rust.
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
                Bits::apply(Op::$op, &[self, other()], Location::caller())
            }
        }
        impl $trait<bool> for Bits {
            type Output = Bits;
            #[track_caller]
            fn $method(self, other: impl FnOnce() -> bool) -> Bits {
                Bits::apply(Op::$op, &[self, bit(other())], Location::caller())
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

/// A condition of an `if` statement.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no condition: a kernel branches on `bool` or on one bit"
)]
pub trait Branch {
    /// Opens the branch.
    #[track_caller]
    fn open(self) -> OpenBranch;
}

/// An `if` statement being run: in simulation one side runs, under the recorder both do.
///
/// Dropping it without [`OpenBranch::end`] says that the kernel left the `if` by another way than its end.
#[must_use]
pub struct OpenBranch {
    then: bool,
    otherwise: bool,
}

impl OpenBranch {
    /// Whether the `then` side runs.
    pub fn then(&self) -> bool {
        self.then
    }

    /// Whether the `else` side runs; ends the `then` side.
    pub fn otherwise(&self) -> bool {
        record::turn_branch();
        self.otherwise
    }

    /// Ends the `if` after both sides.
    pub fn end(self) {
        record::finish_branch();
    }
}

impl Drop for OpenBranch {
    fn drop(&mut self) {
        record::close_branch();
    }
}

impl Branch for bool {
    fn open(self) -> OpenBranch {
        record::open_branch(None, Location::caller());
        OpenBranch { then: self, otherwise: !self }
    }
}

impl Branch for Bits {
    fn open(self) -> OpenBranch {
        let source = Location::caller();
        let one_bit = self.width() == 1;
        if !one_bit && !self.is_poison() {
            let places = vec![("written".into(), source), self.describe("condition", source)];
            let message = format!("a condition is one bit, not {}", self.width());
            record::refuse(
                Rule::Width,
                message,
                places,
                "compare with a number, or reduce with any() or all()",
            );
        }
        if self.without_name().node.is_none() {
            return self.value.bit(0).open();
        }
        record::open_branch(if one_bit { self.as_node(source) } else { None }, source);
        OpenBranch { then: true, otherwise: true }
    }
}

/// `if` as a value, on a condition known at elaboration.
pub trait Select {
    /// Runs one side.
    fn hw_select<T>(self, then: impl FnOnce() -> T, otherwise: impl FnOnce() -> T) -> T;
}

impl Select for bool {
    fn hw_select<T>(self, then: impl FnOnce() -> T, otherwise: impl FnOnce() -> T) -> T {
        let branch = self.open();
        let value = if branch.then() { then() } else { otherwise() };
        branch.end();
        value
    }
}

/// `if` as a value, on a hardware condition.
pub trait SelectBits {
    /// Runs both sides under the recorder and joins their values.
    #[track_caller]
    fn hw_select<T: Mux>(self, then: impl FnOnce() -> T, otherwise: impl FnOnce() -> T) -> T;
}

impl SelectBits for Bits {
    fn hw_select<T: Mux>(self, then: impl FnOnce() -> T, otherwise: impl FnOnce() -> T) -> T {
        if self.without_name().node.is_none() && self.width() == 1 {
            return self.value.bit(0).hw_select(then, otherwise);
        }
        let branch = self.open();
        let then = then();
        branch.otherwise();
        let otherwise = otherwise();
        branch.end();
        // What is wrong with a condition has been said when it was opened.
        T::mux(if self.width() == 1 { self } else { Bits::poison(1) }, then, otherwise)
    }
}

/// Values that a hardware `if` can choose between.
#[diagnostic::on_unimplemented(message = "a hardware `if` cannot choose between two `{Self}`")]
pub trait Mux {
    /// `condition ? then : otherwise`
    #[track_caller]
    fn mux(condition: Bits, then: Self, otherwise: Self) -> Self;
}

impl Mux for () {
    fn mux(_: Bits, (): (), (): ()) {}
}

impl Mux for Bits {
    fn mux(condition: Bits, then: Bits, otherwise: Bits) -> Bits {
        condition.mux(then, otherwise)
    }
}

impl Mux for Signed {
    fn mux(condition: Bits, then: Signed, otherwise: Signed) -> Signed {
        Signed(condition.mux(then.0, otherwise.0))
    }
}

impl<A: Mux, B: Mux> Mux for (A, B) {
    fn mux(condition: Bits, then: Self, otherwise: Self) -> Self {
        (A::mux(condition, then.0, otherwise.0), B::mux(condition, then.1, otherwise.1))
    }
}

impl<A: Mux, const N: usize> Mux for [A; N] {
    fn mux(condition: Bits, then: Self, otherwise: Self) -> Self {
        let mut others = otherwise.into_iter();
        then.map(|a| match others.next() {
            Some(b) => A::mux(condition, a, b),
            None => a,
        })
    }
}

/// Refuses a change of a Rust variable under one of the `levels` innermost hardware conditions.
#[track_caller]
pub fn assign_local(name: &str, levels: usize) {
    if record::is_recording() && record::in_hardware_branch(levels) {
        record::refuse(
            Rule::Unsupported,
            format!("the variable `{name}` changes under a condition that only hardware knows"),
            vec![("changed".into(), Location::caller())],
            "write `name = if condition { … } else { name };`, or drive a net",
        );
    }
}

/// Gives hardware values the name of their `let`.
pub trait NameBits {
    /// Names the wire that holds the value.
    fn name_value(&self, name: &str);
}

impl NameBits for Bits {
    fn name_value(&self, name: &str) {
        if let Some(node) = self.node {
            record::name_node(node, name);
        }
    }
}

impl NameBits for Signed {
    fn name_value(&self, name: &str) {
        self.0.name_value(name);
    }
}

impl NameBits for Vec<Bits> {
    fn name_value(&self, name: &str) {
        for (i, bits) in self.iter().enumerate() {
            bits.name_value(&format!("{name}_{i}"));
        }
    }
}

impl<const N: usize> NameBits for [Bits; N] {
    fn name_value(&self, name: &str) {
        for (i, bits) in self.iter().enumerate() {
            bits.name_value(&format!("{name}_{i}"));
        }
    }
}

/// The fallback for everything that is not a hardware value: method lookup finds it one reference later.
pub trait NameOther {
    /// Does nothing.
    fn name_value(&self, _: &str) {}
}

impl<T> NameOther for &T {}

/// Keeps a comment of the source in the Verilog.
pub fn comment(text: &str) {
    if record::is_recording() {
        record::statement(Statement::Comment(text.into()));
    }
}

/// Starts a stage of the kernel: a banner in the Verilog.
pub fn banner(text: &str) {
    if record::is_recording() {
        record::statement(Statement::Banner(text.into()));
    }
}

/// States that `value` is deliberately not used, and why; keeps lint quiet about it.
#[track_caller]
pub fn discard(value: Bits, reason: &str) {
    if record::is_recording()
        && let Some(value) = value.as_node(Location::caller())
    {
        record::statement(Statement::Discard { value, reason: reason.into() });
    }
}

/// Declares the latency and the initiation interval of the block, in clocks, for the manifest.
pub fn timing(latency_clocks: u32, initiation_interval_clocks: u32) {
    record::with_body(|body| {
        body.latency_clocks = Some(latency_clocks);
        body.initiation_interval_clocks = Some(initiation_interval_clocks);
    });
}

/// Lays the type and the docs of a kernel beside what it records. Called by the code that `#[kernel]` writes.
pub fn describe(type_name: &str, docs: &str) {
    record::with_body(|body| {
        body.type_name = type_name.into();
        body.docs = docs.into();
    });
}
