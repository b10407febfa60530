//! Faults that tests plant in the printer, to see that the differential test finds them.
//!
//! Normal builds know no planted fault: there [`is_planted`] is `false` for the compiler, and nothing of this is
//! left.

/// One fault, in one place of the printer.
#[cfg_attr(not(any(test, feature = "planted-faults")), allow(dead_code))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Operands stand without the parentheses that they need.
    NoParentheses,
    /// Literals have lost their highest bit.
    NarrowLiteral,
    /// Extensions with the sign fill with zeros.
    ZeroForSign,
    /// Both sides of a multiplexer are swapped.
    SwappedChoice,
    /// Registers have no reset.
    NoReset,
    /// `<=` is printed as `<`.
    LessForLessOrEqual,
    /// Selections start one bit lower.
    SliceBound,
    /// A sum that is extended keeps its carry.
    CarryLeak,
    /// Arithmetic shifts fill with zeros.
    ShiftKind,
    /// The `else` of an `if` is missing.
    NoElse,
    /// Signed comparisons are unsigned.
    UnsignedComparison,
    /// Concatenations are turned round.
    ReversedConcatenation,
}

impl Fault {
    /// All faults.
    pub const ALL: [Fault; 12] = [
        Fault::NoParentheses,
        Fault::NarrowLiteral,
        Fault::ZeroForSign,
        Fault::SwappedChoice,
        Fault::NoReset,
        Fault::LessForLessOrEqual,
        Fault::SliceBound,
        Fault::CarryLeak,
        Fault::ShiftKind,
        Fault::NoElse,
        Fault::UnsignedComparison,
        Fault::ReversedConcatenation,
    ];
}

#[cfg(any(test, feature = "planted-faults"))]
mod planted {
    use super::Fault;
    use std::cell::Cell;

    thread_local! {
        static PLANTED: Cell<Option<Fault>> = const { Cell::new(None) };
    }

    /// Plants a fault in what this thread prints from now on, or takes it out.
    pub fn plant(fault: Option<Fault>) {
        PLANTED.set(fault);
    }

    pub(in crate::verilog) fn is_planted(fault: Fault) -> bool {
        PLANTED.get() == Some(fault)
    }
}

#[cfg(any(test, feature = "planted-faults"))]
pub(super) use planted::is_planted;
#[cfg(any(test, feature = "planted-faults"))]
pub use planted::plant;

#[cfg(not(any(test, feature = "planted-faults")))]
pub(super) const fn is_planted(_: Fault) -> bool {
    false
}
