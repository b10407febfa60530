//! Random programs in Rust simulation.

use crate::harness::{Case, Runs, source};
use crate::program::{Machine, Program};
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;
use tmu_cosim::{from_value, to_value};
use tmu_hdl::bits::Bits;
use tmu_hdl::elaborate::elaborate;
use tmu_hdl::simulate::{KernelSimulator, Simulator};
use tmu_hdl::value::Value;
use tmu_verilate::{ModelSource, RowLayout, Rows, Schedule};

/// Clock cycles of each kernel.
const CYCLES: usize = 40;

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
            from_value(&value, inputs.value_mut(row, column));
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

fn simulate(mut simulator: impl Runs<Machine>, source: &ModelSource, inputs: &Rows) -> Rows {
    let mut outputs = Rows::zeros(RowLayout::outputs(source), inputs.len());
    for row in 0..inputs.len() {
        let machine = simulator.block();
        let input = |name: &str| {
            let column = inputs.layout().column(name).unwrap_or_else(|| panic!("no column {name}"));
            Bits::constant(to_value(inputs.value(row, column), column.width_bits as usize))
        };
        machine.clocks.rst.iter().for_each(|rst| rst.drive(input("rst")));
        for (i, port) in machine.inputs.iter().enumerate() {
            port.drive(input(&format!("inputs_{i}")));
        }
        simulator.settle();
        for (i, output) in simulator.block().outputs.iter().enumerate() {
            let column = outputs.layout().columns()[i].clone();
            from_value(&output.val().value(), outputs.value_mut(row, &column));
        }
        simulator.tick(|machine| &machine.clocks);
    }
    outputs
}
