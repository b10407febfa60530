//! The readings of one block.

use crate::source::source;
use crate::{Error, KERNEL_ROWS};
use std::collections::HashMap;
use std::fmt;
use tmu_hdl::design::Design;
use tmu_hdl::elaborate::elaborate;
use tmu_hdl::rust_hdl::core::prelude::Block;
use tmu_hdl::simulate::{Interpreter, KernelSimulator, Unknown};
use tmu_hdl::value::Value;
use tmu_verilate::{
    FourStateRows, IcarusModel, Initial, Model, ModelOptions, ModelSource, RowLayout, Rows, Schedule, Tools,
};

/// What a block is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// The kernels themselves on numbers.
    Kernels,
    /// The emitted Verilog in Verilator, with random values in what has none.
    Verilator,
    /// The emitted Verilog in Icarus, with unknown bits.
    Icarus,
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reading::Kernels => "the kernel itself",
            Reading::Verilator => "Verilator",
            Reading::Icarus => "Icarus",
        })
    }
}

/// Runs the kernels over rows from the start.
type Kernels<'a> = Box<dyn Fn(&Rows, RowLayout) -> Result<Rows, Error> + 'a>;

/// All readings of a block, built once.
pub struct Engines<'a> {
    pub(crate) name: String,
    design: Design,
    source: ModelSource,
    clocks: Vec<String>,
    kernels: Kernels<'a>,
    verilator: Option<Model>,
    icarus: Option<IcarusModel>,
}

impl fmt::Debug for Engines<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Engines({})", self.name)
    }
}

impl<'a> Engines<'a> {
    /// The readings of the block that `make` makes, with `change` made to each file of its Verilog.
    ///
    /// # Errors
    /// What elaboration or a tool refuses.
    pub fn new<B: Block>(
        name: &str,
        make: impl Fn() -> B + 'a,
        change: impl Fn(String) -> String,
    ) -> Result<Engines<'a>, Error> {
        let design = elaborate(name, &make())?;
        let interpreter = Interpreter::new(design.clone(), Unknown::Never)?;
        let clocks: Vec<String> = interpreter.clocks().into_iter().map(Into::into).collect();
        let names: Vec<&str> = clocks.iter().map(String::as_str).collect();
        let mut source = source(&design, &names);
        for file in source.files.iter_mut().filter(|file| file.is_verilog()) {
            file.text = change(std::mem::take(&mut file.text));
        }
        let present = !Tools::are_missing();
        let verilator = present.then(|| Model::build(&source, &ModelOptions::default())).transpose()?;
        let icarus = present.then(|| IcarusModel::build(&source, Schedule::Cycles)).transpose()?;
        let (to_run, of_kernels) = (name.to_string(), clocks.clone());
        let kernels: Kernels<'a> =
            Box::new(move |inputs, layout| run_kernels(&to_run, make(), &of_kernels, inputs, layout));
        Ok(Engines { name: name.into(), design, source, clocks, kernels, verilator, icarus })
    }

    /// How rows of inputs are laid out.
    #[must_use]
    pub fn input_layout(&self) -> RowLayout {
        RowLayout::inputs(&self.source, Schedule::Cycles)
    }

    pub(crate) fn missing_tools(&self) -> Vec<String> {
        Tools::missing().iter().map(ToString::to_string).collect()
    }

    /// The readings that can run.
    #[must_use]
    pub fn readings(&self) -> Vec<Reading> {
        let mut readings = vec![Reading::Kernels];
        if self.verilator.is_some() {
            readings.extend([Reading::Verilator, Reading::Icarus]);
        }
        readings
    }

    /// What the interpreter makes of the rows, from the start, with what is not defined.
    ///
    /// # Errors
    /// A property that does not hold.
    pub fn interpreter(&self, inputs: &Rows) -> Result<FourStateRows, Error> {
        let mut interpreter = Interpreter::new(self.design.clone(), Unknown::Memories)?;
        let layout = RowLayout::outputs(&self.source);
        let port = |name: &String| interpreter.port(name).ok_or_else(|| Error::Tool(no_port(name)));
        let clocks = self.clocks.iter().map(port).collect::<Result<Vec<_>, Error>>()?;
        let of = |layout: &RowLayout| {
            let columns = layout.columns().iter();
            columns.map(|column| Ok((column.clone(), port(&column.name)?))).collect::<Result<Vec<_>, Error>>()
        };
        let (inputs_at, outputs_at) = (of(inputs.layout())?, of(&layout)?);
        let mut value = Rows::zeros(layout.clone(), inputs.len());
        let mut unknown = Rows::zeros(layout, inputs.len());
        for row in 0..inputs.len() {
            for (column, port) in &inputs_at {
                interpreter.set(*port, &to_value(inputs.value(row, column), column.width_bits as usize));
            }
            interpreter.settle()?;
            for (column, port) in &outputs_at {
                let bits = interpreter.unknown_bits(*port);
                // X, as the rows write it, has its bit set.
                let shown = tmu_hdl::op::Op::Or.eval(&[interpreter.get(*port), bits]);
                from_value(&shown, value.value_mut(row, column));
                from_value(&bits, unknown.value_mut(row, column));
            }
            interpreter.tick(&clocks)?;
        }
        Ok(FourStateRows { value, unknown })
    }

    /// What a reading makes of the rows, from the start.
    ///
    /// # Errors
    /// What the tool says.
    pub fn run(&mut self, reading: Reading, inputs: &Rows) -> Result<FourStateRows, Error> {
        let known = |value: Rows| {
            let unknown = Rows::zeros(value.layout().clone(), value.len());
            FourStateRows { value, unknown }
        };
        Ok(match (reading, &self.verilator, &self.icarus) {
            (Reading::Verilator, Some(model), _) => {
                let mut instance = model.instance_with(Initial::Random(20_260_101))?;
                known(instance.run(Schedule::Cycles, inputs)?)
            }
            (Reading::Icarus, _, Some(model)) => model.run(inputs)?,
            _ => {
                let first = first_rows(inputs, KERNEL_ROWS);
                known((self.kernels)(&first, RowLayout::outputs(&self.source))?)
            }
        })
    }
}

fn no_port(name: &str) -> tmu_verilate::Error {
    tmu_verilate::Error::Usage(format!("the block has no port called {name}"))
}

fn run_kernels<B: Block>(
    name: &str,
    block: B,
    clocks: &[String],
    inputs: &Rows,
    layout: RowLayout,
) -> Result<Rows, Error> {
    let mut kernels = KernelSimulator::new(name, block)?;
    let mut outputs = Rows::zeros(layout.clone(), inputs.len());
    let level = |level| clocks.iter().map(move |clock| (clock.as_str(), Value::from_bool(level)));
    for row in 0..inputs.len() {
        let columns = inputs.layout().columns().iter();
        let values = columns.map(|column| {
            (column.name.as_str(), to_value(inputs.value(row, column), column.width_bits as usize))
        });
        kernels.set(&values.chain(level(false)).collect::<HashMap<_, _>>());
        kernels.settle();
        let ports = kernels.ports();
        for column in layout.columns() {
            if let Some(value) = ports.get(column.name.as_str()) {
                from_value(value, outputs.value_mut(row, column));
            }
        }
        kernels.set(&level(true).collect());
        kernels.settle();
    }
    Ok(outputs)
}

/// The first `count` rows.
pub(crate) fn first_rows(rows: &Rows, count: usize) -> Rows {
    let mut out = Rows::zeros(rows.layout().clone(), rows.len().min(count));
    for row in 0..out.len() {
        out.row_mut(row).copy_from_slice(rows.row(row));
    }
    out
}

/// Row and output of the first bit that the interpreter knows and the other reading says otherwise.
pub(crate) fn difference(expected: &FourStateRows, got: &FourStateRows) -> Option<(usize, String)> {
    (0..got.value.len()).find_map(|row| {
        let columns = expected.value.layout().columns().iter();
        let differs = |column: &&tmu_verilate::Column| {
            (0..column.words).any(|word| {
                let of = |rows: &Rows| rows.value(row, column)[word];
                let wrong = (of(&expected.value) ^ of(&got.value)) | of(&got.unknown);
                wrong & !of(&expected.unknown) != 0
            })
        };
        columns.into_iter().find(differs).map(|column| (row, column.name.clone()))
    })
}

pub(crate) fn defined_bits(rows: &FourStateRows) -> u64 {
    let layout = rows.value.layout();
    let bits: u64 = layout.columns().iter().map(|column| u64::from(column.width_bits)).sum();
    let unknown = (0..rows.unknown.len()).flat_map(|row| rows.unknown.row(row));
    bits * rows.value.len() as u64 - unknown.map(|word| u64::from(word.count_ones())).sum::<u64>()
}

/// The value in words of a row.
pub fn to_value(words: &[u32], width: usize) -> Value {
    let limb = |pair: &[u32]| u64::from(pair[0]) | pair.get(1).map_or(0, |&high| u64::from(high) << 32);
    let limbs: Vec<u64> = words.chunks(2).map(limb).collect();
    Value::from_limbs(width, &limbs)
}

/// A value as words of a row.
pub fn from_value(value: &Value, words: &mut [u32]) {
    for (i, word) in words.iter_mut().enumerate() {
        *word = (value.limbs()[i / 2] >> (i % 2 * 32)) as u32;
    }
}
