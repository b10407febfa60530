//! Everything the toolkit refuses, as data: which rule, where in the design, where in the source, what to do.

#[cfg(test)]
mod examples;
mod explanation;

pub use explanation::Explanation;
pub use tmu_problem::{Problem, Problems, RuleCode};

use crate::crossing::CrossingRule;
use std::panic::Location;
use tmu_problem::Place;

/// A place in the Rust source that describes the hardware.
pub type Source = &'static Location<'static>;

/// A width for a message.
pub(crate) fn bits(width: usize) -> String {
    if width == 1 { "1 bit".into() } else { format!("{width} bits") }
}

/// The rule that a design breaks. Codes are stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rule {
    /// Operands, slices or targets whose widths do not fit.
    Width,
    /// A net that is read or leaves the block and has no driver.
    Unconnected,
    /// A net with more than one driver.
    DoublyDriven,
    /// A combinational loop.
    CombinationalLoop,
    /// A net that keeps its value on some path through a kernel.
    Latch,
    /// Data that passes between clocks outside a crossing primitive.
    ClockCrossing,
    /// How data gets to a crossing primitive, or what belongs to which clock.
    Crossing(CrossingRule),
    /// Names that cannot stand in Verilog as they are and may not be changed.
    NameCollision,
    /// Something that Verilog, or this back end, cannot express.
    Unsupported,
    /// A register whose value nothing sees.
    DeadRegister,
    /// An input that its block does not read.
    UnusedInput,
}

impl Rule {
    /// All rules, in the order of their codes; those under [`Rule::ClockCrossing`] are in [`CrossingRule::ALL`].
    pub const ALL: [Rule; 10] = [
        Rule::Width,
        Rule::Unconnected,
        Rule::DoublyDriven,
        Rule::CombinationalLoop,
        Rule::Latch,
        Rule::ClockCrossing,
        Rule::NameCollision,
        Rule::Unsupported,
        Rule::DeadRegister,
        Rule::UnusedInput,
    ];
}

impl RuleCode for Rule {
    /// `H001` and up.
    fn code(self) -> &'static str {
        match self {
            Rule::Width => "H001",
            Rule::Unconnected => "H002",
            Rule::DoublyDriven => "H003",
            Rule::CombinationalLoop => "H004",
            Rule::Latch => "H005",
            Rule::ClockCrossing => "H006",
            Rule::Crossing(rule) => rule.code(),
            Rule::NameCollision => "H007",
            Rule::Unsupported => "H008",
            Rule::DeadRegister => "H009",
            Rule::UnusedInput => "H010",
        }
    }
}

/// A refusal in the block at a path, `top.unit_0.lod`: what is wrong, with names and widths, the things involved, each
/// with its place in the source, and what to do.
pub(crate) fn refusal(
    rule: Rule,
    block: &str,
    message: impl Into<String>,
    places: impl IntoIterator<Item = (String, Source)>,
    remedy: &str,
) -> Problem {
    let problem = Problem::new(rule, message, remedy).note(format!("in {block}"), Place::default());
    places.into_iter().fold(problem, |problem, (what, source)| problem.note(what, source))
}
