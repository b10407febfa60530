//! A primitive under test: the Rust model that runs rows, and the source that the Verilog tools read.

use crate::ports::{PortList, Ports};
use tmu_hdl::design::{BlockDesign, NetKind};
use tmu_hdl::elaborate::elaborate;
use tmu_hdl::prelude::*;
use tmu_hdl::simulate::Simulator;
use tmu_hdl::value::Value;
use tmu_hdl::verilog::emit;
use tmu_verilate::{Column, Direction, ModelSource, Port, RowLayout, Rows, Schedule, SourceFile};

/// The Rust model: inputs in, outputs out.
type Run = Box<dyn FnMut(Schedule, &Rows) -> Rows>;

/// A primitive under test.
pub(crate) struct Subject {
    /// What the Verilog tools read.
    pub(crate) source: ModelSource,
    run: Run,
}

impl Subject {
    /// The block under the name `name`.
    pub(crate) fn new<B: Block + Ports + 'static>(name: &str, block: B) -> Subject {
        let source = source(name, &block);
        let mut simulator = Simulator::new(name, block).unwrap_or_else(|e| panic!("{name}: {e}"));
        let to_run = source.clone();
        let run = move |schedule, rows: &Rows| run(&mut simulator, &to_run, schedule, rows);
        Subject { source, run: Box::new(run) }
    }

    /// Name of the top module.
    pub(crate) fn name(&self) -> &str {
        &self.source.top
    }

    /// Runs the Rust model from where it is; the rows mean what they mean to a verilated model.
    pub(crate) fn run(&mut self, schedule: Schedule, rows: &Rows) -> Rows {
        (self.run)(schedule, rows)
    }
}

/// The emitted Verilog, one file for each module.
fn source(name: &str, block: &dyn Block) -> ModelSource {
    let design = elaborate(name, block).unwrap_or_else(|e| panic!("{name}: {e}"));
    let modules = emit(&design);
    let texts = modules.modules.iter().map(|m| {
        let text = format!("`default_nettype none\n{}`default_nettype wire\n", m.text);
        SourceFile::new(format!("{}.v", m.name), text)
    });
    let memories = modules.memory_files.iter().map(|(name, text)| SourceFile::new(name, text.as_str()));
    ModelSource { top: name.into(), ports: ports(&design.blocks[0]), files: texts.chain(memories).collect() }
}

fn ports(top: &BlockDesign) -> Vec<Port> {
    let port = |net: &tmu_hdl::design::NetDesign| match net.kind {
        NetKind::Output => Port::output(&net.name, net.width as u32),
        _ if net.name.ends_with("clk") => Port::clock(&net.name),
        _ => Port::input(&net.name, net.width as u32),
    };
    top.nets.iter().filter(|net| net.is_port()).map(port).collect()
}

fn run<B: Block + Ports>(
    simulator: &mut Simulator<B>,
    source: &ModelSource,
    schedule: Schedule,
    inputs: &Rows,
) -> Rows {
    let places = Places::new(source, inputs.layout());
    let mut outputs = Rows::zeros(RowLayout::outputs(source), inputs.len());
    let recorded: Vec<Column> = outputs.layout().columns().to_vec();
    for row in 0..inputs.len() {
        let apply = |simulator: &mut Simulator<B>, columns: &[(usize, Column)]| {
            let list = list(&simulator.block);
            for (place, column) in columns {
                list.inputs[*place].drive(bits(inputs.value(row, column), column.width_bits as usize));
            }
        };
        let clock = |simulator: &mut Simulator<B>, level: u64| {
            let list = list(&simulator.block);
            places.undriven_clocks.iter().for_each(|&place| list.inputs[place].drive(level));
        };
        apply(simulator, &places.data);
        clock(simulator, 0);
        simulator.settle();
        if schedule == Schedule::Evaluations {
            apply(simulator, &places.clocks);
            simulator.settle();
        }
        for (net, column) in list(&simulator.block).outputs.iter().zip(&recorded) {
            to_words(net.val().value(), outputs.value_mut(row, column));
        }
        clock(simulator, 1);
        simulator.settle();
    }
    outputs
}

fn list<B: Ports>(block: &B) -> PortList<'_> {
    let mut list = PortList::default();
    block.list(&mut list);
    list
}

/// Where the columns of the rows stand in the list of inputs.
struct Places {
    data: Vec<(usize, Column)>,
    clocks: Vec<(usize, Column)>,
    /// Clocks that the run drives itself.
    undriven_clocks: Vec<usize>,
}

impl Places {
    fn new(source: &ModelSource, layout: &RowLayout) -> Places {
        let mut places = Places { data: vec![], clocks: vec![], undriven_clocks: vec![] };
        let inputs = source.ports.iter().filter(|p| p.direction != Direction::Output);
        for (place, port) in inputs.enumerate() {
            match (layout.column(&port.name).cloned(), port.direction) {
                (Some(column), Direction::Clock) => places.clocks.push((place, column)),
                (Some(column), _) => places.data.push((place, column)),
                (None, _) => places.undriven_clocks.push(place),
            }
        }
        places
    }
}

fn bits(words: &[u32], width: usize) -> Bits {
    let limb = |pair: &[u32]| u64::from(pair[0]) | u64::from(pair.get(1).copied().unwrap_or(0)) << 32;
    let limbs: Vec<u64> = words.chunks(2).map(limb).collect();
    Bits::constant(Value::from_limbs(width, &limbs))
}

fn to_words(value: Value, words: &mut [u32]) {
    for (i, word) in words.iter_mut().enumerate() {
        *word = (value.limbs()[i / 2] >> (i % 2 * 32)) as u32;
    }
}
