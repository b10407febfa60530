//! Everything the toolkit refuses, as data: which rule, where in the design, where in the source, what to do.

#[cfg(test)]
mod examples;
mod explanation;

pub use explanation::Explanation;

use crate::crossing::CrossingRule;
use std::fmt;
use std::panic::Location;

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

    /// The stable code, `H001` and up.
    pub fn code(self) -> String {
        if let Rule::Crossing(rule) = self {
            return rule.code();
        }
        let index = Rule::ALL.iter().position(|&r| r == self).map_or(0, |i| i + 1);
        format!("H{index:03}")
    }
}

/// One refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The rule broken.
    pub rule: Rule,
    /// The path of the block, `top.unit_0.lod`.
    pub block: String,
    /// What is wrong, with names and widths.
    pub message: String,
    /// The things involved, each with its place in the source.
    pub places: Vec<(String, Source)>,
    /// What to do about it.
    pub remedy: &'static str,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error[{}]: {}\n  in {}", self.rule.code(), self.message, self.block)?;
        for (what, source) in &self.places {
            write!(f, "\n  {what}: {}:{}:{}", source.file(), source.line(), source.column())?;
        }
        write!(f, "\n  remedy: {}", self.remedy)
    }
}

/// Every refusal that one elaboration found; never empty.
#[derive(Clone, Debug)]
pub struct Diagnostics(pub Vec<Diagnostic>);

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<String> = self.0.iter().map(Diagnostic::to_string).collect();
        f.write_str(&texts.join("\n"))
    }
}

impl std::error::Error for Diagnostics {}
