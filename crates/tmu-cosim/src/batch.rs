//! Many blocks at once, each with rows of its own and what must come out of it: one model in Verilator for all of them, one
//! run of Icarus.
//!
//! Cost: one build rather than one for each block; what that takes stands at [`Batch::MEMBERS`].
//! What differs is told as it is, not made shorter.

use std::collections::BTreeMap;
use tmu_verilate::{
    Batch, Difference, IcarusModel, Initial, Model, ModelOptions, ModelSource, Result, Rows, Schedule,
};

/// A block with its rows, clock by clock.
#[derive(Clone, Copy, Debug)]
pub struct Member<'a> {
    /// What the tools read.
    pub source: &'a ModelSource,
    /// What goes in.
    pub inputs: &'a Rows,
    /// What must come out, before each edge.
    pub expected: &'a Rows,
}

/// What differs, by the number of the member.
pub type Differences = BTreeMap<usize, String>;

/// Blocks that run together.
#[derive(Debug)]
pub struct Members<'a> {
    members: &'a [Member<'a>],
    batch: Batch,
    inputs: Rows,
}

const SCHEDULE: Schedule = Schedule::Cycles;

impl<'a> Members<'a> {
    /// These blocks. All have the same number of rows.
    ///
    /// # Errors
    /// If two of them have different modules of one name, or rows that do not fit.
    pub fn new(members: &'a [Member<'a>]) -> Result<Members<'a>> {
        let batch = Batch::new(members.iter().map(|member| member.source.clone()).collect())?;
        let rows: Vec<Rows> = members.iter().map(|member| member.inputs.clone()).collect();
        let inputs = batch.join(SCHEDULE, &rows)?;
        Ok(Members { members, batch, inputs })
    }

    /// Which differ in Verilator, where everything without a value starts with ones.
    ///
    /// # Errors
    /// What Verilator says when it refuses the Verilog.
    pub fn in_verilator(&self, options: &ModelOptions) -> Result<Differences> {
        let model = Model::build(self.batch.source(), options)?;
        let outputs = model.instance_with(Initial::Ones)?.run(SCHEDULE, &self.inputs)?;
        let rows = self.batch.split(&outputs);
        let found = rows.iter().zip(self.members).map(|(got, member)| got.first_difference(member.expected));
        Ok(told("Verilator", found))
    }

    /// Which differ in Icarus, an unknown bit being one that does.
    ///
    /// # Errors
    /// What Icarus says when it refuses the Verilog.
    pub fn in_icarus(&self) -> Result<Differences> {
        let outputs = IcarusModel::build(self.batch.source(), SCHEDULE)?.run(&self.inputs)?;
        let rows = self.batch.split_four_state(&outputs);
        let found = rows.iter().zip(self.members).map(|(got, member)| got.first_difference(member.expected));
        Ok(told("Icarus", found))
    }
}

fn told(tool: &str, found: impl Iterator<Item = Option<Difference>>) -> Differences {
    let found = found.enumerate().filter_map(|(number, difference)| Some((number, difference?)));
    found.map(|(number, difference)| (number, format!("{tool}: {difference}\n"))).collect()
}
