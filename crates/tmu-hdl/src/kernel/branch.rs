//! `if`: decided at elaboration on a `bool`, hardware on one bit.

use crate::bits::Bits;
use crate::diagnostic::{Rule, Source};
use crate::op::Op;
use crate::record::{self, Condition, NodeKind};
use crate::signed::Signed;
use crate::value::Value;
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

/// An `if` statement being run: in simulation one side runs, in the run that hardware is made from both do.
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
        record::open_decided_branch(Location::caller());
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
        open_on_bit(self, one_bit, source, false)
    }
}

/// Opens a branch on a condition whose width has been looked at.
pub(super) fn open_on_bit(bit: Bits, one_bit: bool, source: Source, is_operator: bool) -> OpenBranch {
    let condition = match bit.without_name().node {
        None if record::is_recording() => Some(Condition::Constant(bit.value.bit(0))),
        None => return bit.value.bit(0).open(),
        Some(_) if one_bit => bit.as_node(source).map(Condition::Node),
        Some(_) => None,
    };
    let Some(condition) = condition else {
        record::open_decided_branch(source);
        return OpenBranch { then: true, otherwise: true };
    };
    let (then, otherwise) = record::open_branch(condition, source, is_operator);
    OpenBranch { then, otherwise }
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
        // Both sides are closures of their own at every place, so what does not call them is compiled once, elsewhere.
        let select = OpenSelect { condition: self, branch: self.open() };
        let then = if select.branch.then() { Some(then()) } else { None };
        match (then, select.branch.otherwise()) {
            (Some(then), true) => select.both(then, otherwise()),
            (Some(then), false) => select.one(then),
            (None, _) => select.one(otherwise()),
        }
    }
}

/// An `if` as a value, on a hardware condition, being run.
struct OpenSelect {
    condition: Bits,
    branch: OpenBranch,
}

impl OpenSelect {
    /// The value where one side ran.
    fn one<T: Mux>(self, value: T) -> T {
        self.branch.end();
        if self.condition.without_name().node.is_none() { value } else { value.chosen() }
    }

    /// The value where both sides ran.
    #[track_caller]
    fn both<T: Mux>(self, then: T, otherwise: T) -> T {
        self.branch.end();
        // What is wrong with a condition has been said when it was opened.
        let condition = if self.condition.width() == 1 { self.condition } else { Bits::poison(1) };
        T::mux(condition, then, otherwise)
    }
}

/// Values that a hardware `if` can choose between.
#[diagnostic::on_unimplemented(message = "a hardware `if` cannot choose between two `{Self}`")]
pub trait Mux {
    /// `condition ? then : otherwise`
    #[track_caller]
    fn mux(condition: Bits, then: Self, otherwise: Self) -> Self;

    /// The value of an `if` of which one side was run, while a kernel is compared with its graph. Keeps what was a
    /// constant on that side from being computed with at once, since beyond the `if` it is none: calls itself on every
    /// part that is hardware.
    fn chosen(self) -> Self
    where
        Self: Sized,
    {
        self
    }
}

impl Mux for () {
    fn mux(_: Bits, (): (), (): ()) {}
}

impl Mux for Bits {
    fn mux(condition: Bits, then: Bits, otherwise: Bits) -> Bits {
        condition.mux(then, otherwise)
    }

    fn chosen(self) -> Bits {
        let source = Location::caller();
        match self.as_node(source) {
            Some(node) if record::is_recording() => {
                // The recorder keeps no other repetition of one.
                let kind = NodeKind::Op(Op::Repeat(1), vec![node]);
                Bits { value: Value::zero(self.width()), node: record::node(kind, self.width(), source) }
            }
            _ => self,
        }
    }
}

impl Mux for Signed {
    fn mux(condition: Bits, then: Signed, otherwise: Signed) -> Signed {
        Signed(condition.mux(then.0, otherwise.0))
    }

    fn chosen(self) -> Signed {
        Signed(self.0.chosen())
    }
}

impl<A: Mux, B: Mux> Mux for (A, B) {
    fn mux(condition: Bits, then: Self, otherwise: Self) -> Self {
        (A::mux(condition, then.0, otherwise.0), B::mux(condition, then.1, otherwise.1))
    }

    fn chosen(self) -> Self {
        (self.0.chosen(), self.1.chosen())
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

    fn chosen(self) -> Self {
        self.map(A::chosen)
    }
}

/// Notes a change of a Rust variable under one of the `levels` innermost hardware conditions, so that a message can
/// name it if the change turns out to matter.
#[track_caller]
pub fn assign_local(name: &str, levels: usize) {
    if record::is_recording() {
        record::note_change(name, Location::caller(), levels);
    }
}
