//! Faults that tests plant in the printer, to see that the tests find them by what the Verilog does.
//!
//! Normal builds know no planted fault: there [`is_planted`] is `false` for the compiler, and nothing of this is
//! left.

/// One fault, in one place of the printer or of what it is told.
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
    /// A logical shift by one less than the width shifts by one bit less.
    ShortShift,
    /// An arithmetic shift by one less than the width shifts by one bit less.
    ShortArithmeticShift,
    /// Decimal digits stand behind `'h`.
    WrongRadix,
    /// A bit at a run-time position past the top is some other bit.
    UnguardedIndex,
    /// A repetition is one short.
    ShortRepeat,
    /// Signed factors are extended with zeros.
    UnsignedProduct,
    /// Both sides of a difference are swapped.
    SwappedDifference,
    /// A parity is printed as `any`.
    WrongReduction,
    /// The statements of an `always @(*)` are turned round.
    ReversedStatements,
    /// An `if` of which only the `else` drives anything has its condition as it was.
    LostNegation,
    /// The arm of a `case` before its `default` is missing.
    LostArm,
    /// Registers take their value whatever the condition.
    DroppedEnable,
    /// Registers are driven with `=`.
    BlockingAssignment,
    /// Registers without a reset take the falling edge.
    WrongEdge,
    /// Resets give zero.
    WrongResetValue,
    /// Registers begin at zero.
    WrongInitialValue,
    /// Registers without a reset stand under the reset of others.
    MergedReset,
    /// Modules of one type are shared though their texts differ.
    SharedModules,
    /// The first two inputs of a sub-block that are equally wide are swapped.
    SwappedConnection,
    /// Vectors that are connected with a port have their items turned round.
    ReversedVector,
    /// A row of registers moves the other way.
    ReversedRow,
    /// Parts of the items of a vector start at the item.
    PartOfItem,
    /// Two things of one name keep it.
    NameCollision,
    /// A memory that is read where it is written gives the new word.
    WriteFirst,
    /// Synchronisers have lost `ASYNC_REG`.
    LostAsyncReg,
    /// Wires and registers have lost their attributes.
    LostNetAttributes,
    /// Ports have lost their attributes.
    LostPortAttributes,
}

impl Fault {
    /// All faults.
    pub const ALL: [Fault; 39] = [
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
        Fault::ShortShift,
        Fault::ShortArithmeticShift,
        Fault::WrongRadix,
        Fault::UnguardedIndex,
        Fault::ShortRepeat,
        Fault::UnsignedProduct,
        Fault::SwappedDifference,
        Fault::WrongReduction,
        Fault::ReversedStatements,
        Fault::LostNegation,
        Fault::LostArm,
        Fault::DroppedEnable,
        Fault::BlockingAssignment,
        Fault::WrongEdge,
        Fault::WrongResetValue,
        Fault::WrongInitialValue,
        Fault::MergedReset,
        Fault::SharedModules,
        Fault::SwappedConnection,
        Fault::ReversedVector,
        Fault::ReversedRow,
        Fault::PartOfItem,
        Fault::NameCollision,
        Fault::WriteFirst,
        Fault::LostAsyncReg,
        Fault::LostNetAttributes,
        Fault::LostPortAttributes,
    ];

    /// Those that change what no simulation shows: they are found in the netlist that a reader makes of the text.
    pub const WITHOUT_BEHAVIOUR: [Fault; 3] =
        [Fault::LostAsyncReg, Fault::LostNetAttributes, Fault::LostPortAttributes];

    /// Those that readers refuse.
    pub const REFUSED: [Fault; 1] = [Fault::NameCollision];
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
