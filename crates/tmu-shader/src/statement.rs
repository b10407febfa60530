//! What the readers hand to the checker: statements, each with its place.

use crate::program::Instruction;
use crate::{Problem, Rule};

/// Where a statement stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Where {
    /// A line of text, from 1.
    Line(usize),
    /// A byte of a file that is no text.
    Byte(usize),
}

impl Where {
    /// A problem at this place.
    pub(crate) fn problem(self, rule: Rule, message: impl Into<String>, help: impl Into<String>) -> Problem {
        match self {
            Where::Line(line) => Problem::new(rule, message, help).at(line, None),
            Where::Byte(byte) => Problem::new(rule, format!("at byte {byte}: {}", message.into()), help),
        }
    }
}

/// A statement of a program.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Statement {
    /// `def cN, …`
    Constant(u8, [f32; 4]),
    /// `phase`
    Phase,
    /// Anything that takes slots.
    Instruction(Instruction),
}

/// Statements in their order.
pub(crate) type Statements = Vec<(Where, Statement)>;
