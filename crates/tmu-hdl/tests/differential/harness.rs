//! The same rows through the interpreter, the kernels themselves, Verilator and Icarus.

use tmu_cosim::{Differences, Member, Members, ports};
use tmu_hdl::clock::Clocks;
use tmu_hdl::design::Design;
use tmu_hdl::rust_hdl::core::prelude::Block;
use tmu_hdl::simulate::{KernelSimulator, Simulator};
use tmu_hdl::verilog::{Header, emit};
use tmu_verilate::{ModelOptions, ModelSource, OptimizeFor, Rows};

/// A module with what goes in and what must come out.
pub(crate) struct Case {
    pub(crate) source: ModelSource,
    pub(crate) inputs: Rows,
    pub(crate) expected: Rows,
    /// What the kernels themselves say, run on numbers.
    pub(crate) kernels: Rows,
}

impl Case {
    fn member(&self) -> Member<'_> {
        Member { source: &self.source, inputs: &self.inputs, expected: &self.expected }
    }
}

/// The Verilog of a design whose clocks are the ports called `clk`.
pub(crate) fn source(design: &Design) -> ModelSource {
    let text = emit(design).to_file(&Header::default());
    ModelSource::single(&design.blocks[0].name, text, ports(design, &["clk"]))
}

/// The two ways to run a block in Rust: its graph, and the kernels themselves.
pub(crate) trait Runs<B> {
    /// What is run.
    fn block(&self) -> &B;
    /// See [`Simulator::settle`].
    fn settle(&mut self);
    /// See [`Simulator::tick`].
    fn tick(&mut self, clocks: fn(&B) -> &Clocks);
}

macro_rules! runs {
    ($($type:ident),*) => {$(
        impl<B: Block> Runs<B> for $type<B> {
            fn block(&self) -> &B {
                &self.block
            }
            fn settle(&mut self) {
                $type::settle(self);
            }
            fn tick(&mut self, clocks: fn(&B) -> &Clocks) {
                $type::tick(self, clocks);
            }
        }
    )*};
}
runs!(Simulator, KernelSimulator);

/// Runs the cases in both simulators and says which differ from what is expected.
///
/// # Errors
/// What a tool says when it refuses the Verilog.
pub(crate) fn compare(cases: &[Case]) -> tmu_verilate::Result<Differences> {
    compare_in(cases, true)
}

/// Runs the cases in Verilator, and in Icarus where asked for, and says which differ from what is expected.
///
/// # Errors
/// What a tool says when it refuses the Verilog.
pub(crate) fn compare_in(cases: &[Case], in_icarus: bool) -> tmu_verilate::Result<Differences> {
    let members: Vec<Member<'_>> = cases.iter().map(Case::member).collect();
    let members = Members::new(&members)?;
    let mut found = Differences::new();
    for (i, case) in cases.iter().enumerate() {
        if let Some(difference) = case.kernels.first_difference(&case.expected) {
            found.insert(i, format!("kernels: {difference}\n"));
        }
    }
    let options = ModelOptions {
        optimize: OptimizeFor::BuildTime,
        keep: false,
        verilator_arguments: vec!["-fno-const-bit-op-tree".into()],
        ..ModelOptions::default()
    };
    let verilated = members.in_verilator(&options)?;
    let four_state = if in_icarus { members.in_icarus()? } else { Differences::new() };
    for (i, text) in verilated.into_iter().chain(four_state) {
        found.entry(i).or_default().push_str(&text);
    }
    Ok(found)
}
