//! A primitive under test: the interpreter that runs rows, the Rust model beside it, and the source that the Verilog
//! tools read.

use std::collections::HashMap;
use tmu_cosim::{from_value, to_value};
use tmu_hdl::elaborate::elaborate;
use tmu_hdl::prelude::*;
use tmu_hdl::primitive::Fabric;
use tmu_hdl::simulate::{Interpreter, KernelSimulator, Port, Unknown};
use tmu_hdl::value::Value;
use tmu_verilate::{Column, Direction, ModelSource, RowLayout, Rows, Schedule, SourceFile};

/// Rows that the Rust model, which is a hundred times slower, runs along.
const MODEL_ROWS: usize = 2_000;

/// One evaluation: takes values of inputs by name, gives those of all ports.
type Evaluate = Box<dyn FnMut(&HashMap<&str, Value>) -> HashMap<String, Value>>;

/// A primitive under test.
pub(crate) struct Subject {
    /// What the Verilog tools read.
    pub(crate) source: ModelSource,
    clocks: Vec<String>,
    interpreter: Interpreter,
    model: Evaluate,
    /// Rows so far.
    rows: usize,
}

impl Subject {
    /// The block under the name `name`.
    pub(crate) fn new<B: Block + 'static>(name: &str, block: B) -> Subject {
        Subject::on(Fabric::Inferred, name, block)
    }

    /// The block as it is synthesised for ECP5, with models of the device's cells.
    pub(crate) fn on_ecp5<B: Block + 'static>(name: &str, block: B) -> Subject {
        let mut subject = Subject::on(Fabric::Ecp5, name, block);
        let files = &mut subject.source.files;
        files.insert(0, SourceFile::new("a_synthesis.v", "`define SYNTHESIS\n"));
        files.push(SourceFile::new("mult18x18d.v", include_str!("mult18x18d.v")));
        files.push(SourceFile::new("dp16kd.v", include_str!("dp16kd.v")));
        subject
    }

    fn on<B: Block + 'static>(fabric: Fabric, name: &str, block: B) -> Subject {
        let mut design = elaborate(name, &block).unwrap_or_else(|e| panic!("{name}: {e}"));
        design.fabric = fabric;
        let interpreter =
            Interpreter::new(design.clone(), Unknown::Never).unwrap_or_else(|e| panic!("{name}: {e}"));
        let clocks = interpreter.clocks();
        let source = tmu_cosim::source(&design, &clocks);
        let clocks = clocks.into_iter().map(Into::into).collect();
        let mut kernels = KernelSimulator::new(name, block).unwrap_or_else(|e| panic!("{name}: {e}"));
        let model = Box::new(move |inputs: &HashMap<&str, Value>| {
            kernels.set(inputs);
            kernels.settle();
            kernels.ports().into_iter().map(|(name, value)| (name.to_string(), value)).collect()
        });
        Subject { source, clocks, interpreter, model, rows: 0 }
    }

    /// Name of the top module.
    pub(crate) fn name(&self) -> &str {
        &self.source.top
    }

    /// Runs the interpreter from where it is; the rows mean what they mean to a verilated model. The Rust model runs
    /// along at the beginning and must say the same.
    pub(crate) fn run(&mut self, schedule: Schedule, inputs: &Rows) -> Rows {
        let mut outputs = Rows::zeros(RowLayout::outputs(&self.source), inputs.len());
        let recorded = self.places(outputs.layout().columns().to_vec());
        let columns = inputs.layout().columns().to_vec();
        let (clocks, data): (Vec<Column>, Vec<Column>) =
            columns.into_iter().partition(|column| self.clocks.contains(&column.name));
        let (clocks, data) = (self.places(clocks), self.places(data));
        let own_clocks: Vec<Port> = match schedule {
            Schedule::Cycles => self.clocks.iter().map(|clock| self.port(clock)).collect(),
            Schedule::Evaluations => vec![],
        };
        for row in 0..inputs.len() {
            self.drive(&data, inputs, row);
            self.level(&own_clocks, false);
            self.settle();
            if schedule == Schedule::Evaluations {
                self.drive(&clocks, inputs, row);
                self.settle();
            }
            for (column, port) in &recorded {
                from_value(&self.interpreter.get(*port), outputs.value_mut(row, column));
            }
            if schedule == Schedule::Cycles {
                self.level(&own_clocks, true);
                self.settle();
            }
            self.rows += 1;
        }
        outputs
    }

    fn port(&self, name: &str) -> Port {
        self.interpreter.port(name).unwrap_or_else(|| panic!("no port {name}"))
    }

    fn places(&self, columns: Vec<Column>) -> Vec<(Column, Port)> {
        columns.into_iter().map(|column| (column.clone(), self.port(&column.name))).collect()
    }

    fn drive(&mut self, columns: &[(Column, Port)], inputs: &Rows, row: usize) {
        for (column, port) in columns {
            self.interpreter.set(*port, &to_value(inputs.value(row, column), port.width()));
        }
    }

    fn level(&mut self, clocks: &[Port], level: bool) {
        clocks.iter().for_each(|&clock| self.interpreter.set(clock, &Value::from_bool(level)));
    }

    fn settle(&mut self) {
        self.interpreter.settle().unwrap_or_else(|e| panic!("{}: {e}", self.source.top));
        if self.rows >= MODEL_ROWS {
            return;
        }
        let inputs = self.source.ports.iter().filter(|port| port.direction != Direction::Output);
        let inputs: HashMap<&str, Value> =
            inputs.map(|p| (p.name.as_str(), self.interpreter.get(self.port(&p.name)))).collect();
        for (name, expected) in (self.model)(&inputs) {
            let (got, row) = (self.interpreter.get(self.port(&name)), self.rows);
            assert_eq!(got, expected, "{}, row {row}: `{name}` in the interpreter", self.source.top);
        }
    }
}
