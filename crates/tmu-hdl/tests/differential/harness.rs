//! The same rows through Rust simulation, Verilator and Icarus.

use std::collections::BTreeMap;
use tmu_hdl::design::{Design, NetKind};
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
