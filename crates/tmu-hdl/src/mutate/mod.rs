//! Mutations: faults in a design, named by stage, node and operator, for tests and proofs that must notice them.
//!
//! A [`Mutation`] changes one expression of the recorded graph before anything is printed: it does not know the text of
//! the Verilog. It says
//!
//! - the *stage*: the type of a block, which is the name of its module without the top's before it;
//! - the *node* in its source: a net, a register, a port of a sub-block as `queue.input_valid`, a `let`, a named constant.
//!   Where several have one name, names of scopes stand before it: `lane_3.of_second`. A `let` beside a net of its name
//!   ends in `_value`, as in the Verilog;
//! - the *part* of it: its value, the conditions of the `if`s around its drives, its value in reset, its initial value;
//! - the *operator*, see [`Operator`];
//! - the *place* in it, `at`: a term such as `!full` that stands in the expression; without it the whole. Where the term
//!   stands several times, `which` counts from 0, from left to right; without a place it counts the drives or conditions.
//!
//! A name that does not exist, a place that is not there or not the only one, an operator that does not apply and a
//! mutation that changes nothing are errors, which say what there is.
//!
//! ```
//! use tmu_hdl::{elaborate::elaborate, mutate::{Mutation, Operator}, primitives::SkidBuffer, verilog::emit};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut design = elaborate("skid", &SkidBuffer::new(8))?;
//! let mutation = Mutation {
//!     at: Some("skid_valid".into()),
//!     ..Mutation::new("skid_buffer_8", "valid", Operator::DropOperand)
//! };
//! mutation.apply(&mut design, |_| true)?;
//! assert!(emit(&design).modules[0].text.contains("valid <= taken;"));
//! # Ok(())
//! # }
//! ```

mod change;
mod drives;
mod error;
mod expression;
mod names;
mod operator;
mod order;
mod place;
mod term;
mod wire;
#[cfg(test)]
mod tests;

pub use error::MutationError;
pub use operator::Operator;
pub use wire::wire;

use crate::check::combinational_loop;
use crate::design::Design;
use error::{Made, Refusal};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fmt;

/// What of a node changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// What it is driven with, or what a `let` stands for.
    #[default]
    Value,
    /// The conditions of the `if`s around its drives; other nets that they drive keep theirs.
    Condition,
    /// What a register gets in reset.
    Reset,
    /// What a register holds after configuration.
    Initial,
}

impl Part {
    /// What tables call it.
    const fn name(self) -> &'static str {
        match self {
            Part::Value => "value",
            Part::Condition => "condition",
            Part::Reset => "reset",
            Part::Initial => "initial",
        }
    }
}

/// One fault.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Mutation {
    /// The type of the block, as its module is called.
    pub stage: String,
    /// The node in its source.
    pub node: String,
    /// What of it changes.
    #[serde(default)]
    pub part: Part,
    /// What becomes of it.
    pub operator: Operator,
    /// The place in the expression; the whole where there is none.
    #[serde(default)]
    pub at: Option<String>,
    /// Which one, where there are several.
    #[serde(default)]
    pub which: Option<usize>,
    /// What the operator puts there.
    #[serde(default)]
    pub with: Option<String>,
}

impl Mutation {
    /// A mutation of a whole value.
    #[must_use]
    pub fn new(stage: &str, node: &str, operator: Operator) -> Mutation {
        let (stage, node) = (stage.into(), node.into());
        Mutation { stage, node, part: Part::Value, operator, at: None, which: None, with: None }
    }

    /// Makes the change in every block of the stage among those that `within` keeps.
    ///
    /// # Errors
    /// If it does not say exactly one change, or that changes nothing.
    pub fn apply(&self, design: &mut Design, within: impl Fn(usize) -> bool) -> Result<(), MutationError> {
        self.change(design, within).map_err(|refusal| error::of(format!("mutation of {self}"), refusal))
    }

    fn change(&self, design: &mut Design, within: impl Fn(usize) -> bool) -> Made<()> {
        let kept: Vec<usize> = (0..design.blocks.len()).filter(|&block| within(block)).collect();
        let type_of = |&block: &usize| design.blocks[block].body.type_name.as_str();
        let (found, others): (Vec<usize>, Vec<usize>) =
            kept.into_iter().partition(|block| type_of(block) == self.stage);
        if found.is_empty() {
            let types: BTreeSet<_> = others.iter().map(type_of).collect();
            return Err(Refusal::new(
                format!("there is no stage `{}`", self.stage),
                types.into_iter().map(|name| format!("`{name}`")).collect(),
                "take the type of a block, as its module is called without the top's name",
            ));
        }
        for block in found {
            change::make(design, block, self)?;
        }
        if combinational_loop::check(design).is_empty() {
            return Ok(());
        }
        let what = "it makes a combinational loop";
        Err(Refusal::new(what, vec![], "take a term that does not follow from the node within a clock"))
    }
}

impl fmt::Display for Mutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` of `{}`", self.node, self.stage)?;
        if self.part != Part::Value {
            write!(f, ", {}", self.part.name())?;
        }
        write!(f, ": {}", self.operator)?;
        self.at.iter().try_for_each(|at| write!(f, " at `{at}`"))?;
        self.which.iter().try_for_each(|which| write!(f, " number {which}"))?;
        self.with.iter().try_for_each(|with| write!(f, " with `{with}`"))
    }
}
