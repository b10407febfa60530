//! The operators: what may be wrong with an expression, one fault at a time.

use crate::op::Op;
use serde::Deserialize;
use std::fmt;

/// What a mutation does to the expression at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operator {
    /// A constant takes its place.
    StuckAt,
    /// Its complement takes its place.
    Negate,
    /// An operand is missing from its operator.
    DropOperand,
    /// An operand takes the place of its operator.
    KeepOperand,
    /// The last two operands change places.
    SwapOperands,
    /// Another operator takes the place of the one around it.
    OtherOperator,
    /// Something else takes its place.
    Replace,
    /// One more condition.
    AndWith,
    /// One more way to be set.
    OrWith,
    /// A constant, or the position of bits, is off.
    Offset,
    /// A register keeps its value.
    Hold,
}

/// What `with` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum With {
    /// Nothing.
    Nothing,
    /// A number.
    Number,
    /// A number with its sign.
    Signed,
    /// A term.
    Term,
    /// A term of one bit, or nothing.
    MaybeBit,
}

impl Operator {
    /// All operators.
    pub const ALL: [Operator; 11] = [
        Operator::StuckAt,
        Operator::Negate,
        Operator::DropOperand,
        Operator::KeepOperand,
        Operator::SwapOperands,
        Operator::OtherOperator,
        Operator::Replace,
        Operator::AndWith,
        Operator::OrWith,
        Operator::Offset,
        Operator::Hold,
    ];

    /// What tables call it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Operator::StuckAt => "stuck-at",
            Operator::Negate => "negate",
            Operator::DropOperand => "drop-operand",
            Operator::KeepOperand => "keep-operand",
            Operator::SwapOperands => "swap-operands",
            Operator::OtherOperator => "other-operator",
            Operator::Replace => "replace",
            Operator::AndWith => "and-with",
            Operator::OrWith => "or-with",
            Operator::Offset => "offset",
            Operator::Hold => "hold",
        }
    }

    /// What it does, in a sentence.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Operator::StuckAt => {
                "what stands at the place is the constant `with`; of a condition 1 takes the branch always, 0 never"
            }
            Operator::Negate => "what stands at the place is its complement",
            Operator::DropOperand => {
                "the operand at the place is missing from the and, or, exclusive or, sum or difference around it"
            }
            Operator::KeepOperand => {
                "the operand at the place takes the place of the operator around it: one side of a choice is always \
                 taken, a negation is lost"
            }
            Operator::SwapOperands => {
                "the last two operands of the operator around the place, or of the whole, change places: the sides \
                 of a choice or of a difference, the two last parts of a concatenation"
            }
            Operator::OtherOperator => {
                "the operator around the place, or of the whole, is its neighbour: and for or, sum for difference, \
                 `==` for `!=`, `<` for `<=`, any for all, and the other way round"
            }
            Operator::Replace => "the term `with` stands at the place, another net for example",
            Operator::AndWith => "what stands at the place is joined with the term `with` by and",
            Operator::OrWith => "what stands at the place is joined with the term `with` by or",
            Operator::Offset => {
                "the constant at the place is larger by `with`, or the bits at the place are taken from so many \
                 bits higher"
            }
            Operator::Hold => {
                "a register keeps its value instead of what stands at the place, always or while `with` is set"
            }
        }
    }

    /// What its `with` must be.
    pub(super) const fn with(self) -> With {
        match self {
            Operator::StuckAt => With::Number,
            Operator::Offset => With::Signed,
            Operator::Replace | Operator::AndWith | Operator::OrWith => With::Term,
            Operator::Hold => With::MaybeBit,
            _ => With::Nothing,
        }
    }

    /// True where `at` names an operand and the operator around it changes.
    pub(super) const fn acts_around(self) -> bool {
        matches!(
            self,
            Operator::DropOperand | Operator::KeepOperand | Operator::SwapOperands | Operator::OtherOperator
        )
    }
}

impl Operator {
    /// True where, without `at`, the operator of the whole changes.
    pub(super) const fn acts_on_whole(self) -> bool {
        matches!(self, Operator::SwapOperands | Operator::OtherOperator)
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The operator that is easily taken for this one.
pub(super) const fn neighbour(op: Op) -> Option<Op> {
    Some(match op {
        Op::And => Op::Or,
        Op::Or | Op::Xor => Op::And,
        Op::LogicalAnd => Op::LogicalOr,
        Op::LogicalOr => Op::LogicalAnd,
        Op::Add => Op::Sub,
        Op::Sub => Op::Add,
        Op::Eq => Op::Ne,
        Op::Ne => Op::Eq,
        Op::Lt => Op::Le,
        Op::Le => Op::Lt,
        Op::Gt => Op::Ge,
        Op::Ge => Op::Gt,
        Op::LtSigned => Op::LeSigned,
        Op::LeSigned => Op::LtSigned,
        Op::GtSigned => Op::GeSigned,
        Op::GeSigned => Op::GtSigned,
        Op::Any => Op::All,
        Op::All => Op::Any,
        Op::Shl => Op::Shr,
        Op::Shr => Op::Shl,
        _ => return None,
    })
}
