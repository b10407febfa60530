//! The same rows through the interpreter, the kernels themselves, Verilator and Icarus.

use super::program::{Machine, Program};
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use std::sync::Arc;
use tmu_hdl::bits::Bits;
use tmu_hdl::design::{Design, NetKind};
use tmu_hdl::elaborate::elaborate;
use tmu_hdl::simulate::{KernelSimulator, Simulator};
use tmu_hdl::value::Value;
use tmu_hdl::verilog::{Header, emit};
use tmu_verilate::{
    Batch, IcarusModel, Initial, Model, ModelOptions, ModelSource, OptimizeFor, Port, RowLayout, Rows,
    Schedule, Tools,
};

/// Clock cycles of each kernel.
const CYCLES: usize = 40;

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

/// A random program with random inputs and what Rust simulation makes of them.
pub(crate) fn case(program: &Arc<Program>, seed: u64) -> Case {
    let design = elaborate(&program.name, &Machine::new(program));
    let source = source(&design.unwrap_or_else(|e| panic!("{} is refused: {e}", program.name)));
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut inputs = Rows::zeros(RowLayout::inputs(&source, Schedule::Cycles), CYCLES);
    for row in 0..CYCLES {
        for column in inputs.layout().clone().columns() {
            let value = match column.name.as_str() {
                "rst" => Value::from_bool(rng.next_u32().is_multiple_of(8)),
                _ => super::generate::pattern(&mut rng, column.width_bits as usize),
            };
            inputs.value_mut(row, column).copy_from_slice(&words(&value));
        }
    }
    let interpreter = Simulator::new(&program.name, Machine::new(program));
    let interpreter = interpreter.unwrap_or_else(|e| panic!("{} is refused: {e}", program.name));
    let kernels = KernelSimulator::new(&program.name, Machine::new(program));
    let kernels = kernels.unwrap_or_else(|e| panic!("{} is refused: {e}", program.name));
    let expected = simulate(interpreter, &source, &inputs);
    let kernels = simulate(kernels, &source, &inputs);
    Case { source, inputs, expected, kernels }
}

/// The two ways to run a machine in Rust.
trait Runs {
    fn machine(&self) -> &Machine;
    fn settle(&mut self);
    fn tick(&mut self);
}

macro_rules! runs {
    ($($type:ident),*) => {$(
        impl Runs for $type<Machine> {
            fn machine(&self) -> &Machine {
                &self.block
            }
            fn settle(&mut self) {
                $type::settle(self);
            }
            fn tick(&mut self) {
                $type::tick(self, |machine| &machine.clocks);
            }
        }
    )*};
}
runs!(Simulator, KernelSimulator);

fn simulate(mut simulator: impl Runs, source: &ModelSource, inputs: &Rows) -> Rows {
    let mut outputs = Rows::zeros(RowLayout::outputs(source), inputs.len());
    for row in 0..inputs.len() {
        let machine = simulator.machine();
        let value = |name: &str| {
            let column = inputs.layout().column(name).unwrap_or_else(|| panic!("no column {name}"));
            Bits::constant(self::value(inputs.value(row, column), column.width_bits as usize))
        };
        machine.clocks.rst.iter().for_each(|rst| rst.drive(value("rst")));
        for (i, input) in machine.inputs.iter().enumerate() {
            input.drive(value(&format!("inputs_{i}")));
        }
        simulator.settle();
        for (i, output) in simulator.machine().outputs.iter().enumerate() {
            let column = outputs.layout().columns()[i].clone();
            outputs.value_mut(row, &column).copy_from_slice(&words(&output.val().value()));
        }
        simulator.tick();
    }
    outputs
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
    let schedule = Schedule::Cycles;
    let batch = Batch::new(cases.iter().map(|case| case.source.clone()).collect())?;
    let inputs: Vec<Rows> = cases.iter().map(|case| case.inputs.clone()).collect();
    let inputs = batch.join(schedule, &inputs)?;
    let mut found = Mismatches::new();
    for (i, case) in cases.iter().enumerate() {
        if let Some(difference) = case.kernels.first_difference(&case.expected) {
            found.entry(i).or_default().push_str(&format!("kernels: {difference}\n"));
        }
    }
    let mut note = |case: usize, tool: &str, difference: Option<tmu_verilate::Difference>| {
        if let Some(difference) = difference {
            found.entry(case).or_default().push_str(&format!("{tool}: {difference}\n"));
        }
    };
    let options = ModelOptions {
        optimize: OptimizeFor::BuildTime,
        keep: false,
        verilator_arguments: vec!["-fno-const-bit-op-tree".into()],
        ..ModelOptions::default()
    };
    let verilated = Model::build(batch.source(), &options)?;
    let outputs = verilated.instance_with(Initial::Ones)?.run(schedule, &inputs)?;
    for (i, outputs) in batch.split(&outputs).iter().enumerate() {
        note(i, "Verilator", outputs.first_difference(&cases[i].expected));
    }
    let outputs = IcarusModel::build(batch.source(), schedule)?.run(&inputs)?;
    for (i, outputs) in batch.split_four_state(&outputs).iter().enumerate() {
        note(i, "Icarus", outputs.first_difference(&cases[i].expected));
    }
    Ok(found)
}
