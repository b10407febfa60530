//! `if`: decided at elaboration on a `bool`, hardware on one bit.

use crate::bits::Bits;
use crate::diagnostic::Rule;
use crate::record;
use crate::signed::Signed;
use std::panic::Location;

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
