//! The same rows through the interpreter, the kernels themselves, Verilator and Icarus.

use std::collections::BTreeMap;
use tmu_hdl::clock::Clocks;
use tmu_hdl::design::{Design, NetKind};
use tmu_hdl::rust_hdl::core::prelude::Block;
use tmu_hdl::simulate::{KernelSimulator, Simulator};
use tmu_hdl::value::Value;
use tmu_hdl::verilog::{Header, emit};
use tmu_verilate::{
    Batch, IcarusModel, Initial, Model, ModelOptions, ModelSource, OptimizeFor, Port, Rows, Schedule, Tools,
};

/// A module with what goes in and what must come out.
pub(crate) struct Case {
    pub(crate) source: ModelSource,
    pub(crate) inputs: Rows,
    pub(crate) expected: Rows,
    /// What the kernels themselves say, run on numbers.
    pub(crate) kernels: Rows,
}

/// What went wrong with which case.
pub(crate) type Mismatches = BTreeMap<usize, String>;

/// True when the tools are not there; the tests of `tmu-verilate` say which and how to get them.
pub(crate) fn tools_are_missing() -> bool {
    !Tools::missing().is_empty()
}

/// The Verilog of a design whose clocks are the ports called `clk`.
pub(crate) fn source(design: &Design) -> ModelSource {
    let ports = design.blocks[0].nets.iter().filter_map(|net| {
        let width = u32::try_from(net.width).unwrap_or(u32::MAX);
        match net.kind {
            NetKind::Input if net.name == "clk" => Some(Port::clock(&net.name)),
            NetKind::Input => Some(Port::input(&net.name, width)),
            NetKind::Output => Some(Port::output(&net.name, width)),
            NetKind::Wire | NetKind::Register(_) => None,
        }
    });
    let text = emit(design).to_file(&Header::default());
    ModelSource::single(&design.blocks[0].name, text, ports.collect())
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

/// A value as words of a row.
pub(crate) fn words(value: &Value) -> Vec<u32> {
    let halves = value.limbs().iter().flat_map(|&limb| [limb as u32, (limb >> 32) as u32]);
    halves.take(value.width().div_ceil(32)).collect()
}

/// The value in words of a row.
pub(crate) fn value(words: &[u32], width: usize) -> Value {
    let limbs: Vec<u64> = words
        .chunks(2)
        .map(|pair| u64::from(pair[0]) | pair.get(1).map_or(0, |&high| u64::from(high) << 32))
        .collect();
    Value::from_limbs(width, &limbs)
}

/// Runs the cases in both simulators and says which differ from what is expected.
///
/// # Errors
/// What a tool says when it refuses the Verilog.
pub(crate) fn compare(cases: &[Case]) -> tmu_verilate::Result<Mismatches> {
    let mut found = compare_with_verilator(cases)?;
    let (batch, inputs) = joined(cases)?;
    let outputs = IcarusModel::build(batch.source(), SCHEDULE)?.run(&inputs)?;
    for (i, outputs) in batch.split_four_state(&outputs).iter().enumerate() {
        note(&mut found, i, "Icarus", outputs.first_difference(&cases[i].expected));
    }
    Ok(found)
}

/// Runs the cases in Verilator and says which differ from what is expected.
///
/// # Errors
/// What Verilator says when it refuses the Verilog.
pub(crate) fn compare_with_verilator(cases: &[Case]) -> tmu_verilate::Result<Mismatches> {
    let (batch, inputs) = joined(cases)?;
    let mut found = Mismatches::new();
    for (i, case) in cases.iter().enumerate() {
        note(&mut found, i, "kernels", case.kernels.first_difference(&case.expected));
    }
    let options = ModelOptions {
        optimize: OptimizeFor::BuildTime,
        keep: false,
        verilator_arguments: vec!["-fno-const-bit-op-tree".into()],
        ..ModelOptions::default()
    };
    let verilated = Model::build(batch.source(), &options)?;
    let outputs = verilated.instance_with(Initial::Ones)?.run(SCHEDULE, &inputs)?;
    for (i, outputs) in batch.split(&outputs).iter().enumerate() {
        note(&mut found, i, "Verilator", outputs.first_difference(&cases[i].expected));
    }
    Ok(found)
}

const SCHEDULE: Schedule = Schedule::Cycles;

fn joined(cases: &[Case]) -> tmu_verilate::Result<(Batch, Rows)> {
    let batch = Batch::new(cases.iter().map(|case| case.source.clone()).collect())?;
    let inputs: Vec<Rows> = cases.iter().map(|case| case.inputs.clone()).collect();
    let inputs = batch.join(SCHEDULE, &inputs)?;
    Ok((batch, inputs))
}

fn note(found: &mut Mismatches, case: usize, tool: &str, difference: Option<tmu_verilate::Difference>) {
    if let Some(difference) = difference {
        found.entry(case).or_default().push_str(&format!("{tool}: {difference}\n"));
    }
}
