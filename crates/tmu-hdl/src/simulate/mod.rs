//! Rust simulation: a levelised interpreter of the recorded graph.
//!
//! [`Simulator`] elaborates a block, checks it, and runs what was recorded. Inputs are driven and outputs read
//! through the fields of the block; every net and register inside may be read too. [`Interpreter`] runs a
//! [`Design`] by the names of its ports.
//!
//! All blocks become one graph without ports (`graph`), equal expressions become one (`values`), and each operation
//! one instruction over limbs of 64 bits, in the order of dependency (`program`, `code`). Clocks are what their
//! root is, so all registers of a clock move at once, whatever wires lie between. [`Interpreter::settle`] runs the
//! instructions whose operands have changed, once each: no loop looks for a fixed point (`engine`).
//!
//! Clocks a second follow activity: a whole texture unit runs some ten thousand (`cargo bench -p tmu-rtl`).
//!
//! # Unknown bits
//!
//! Asked for with [`Unknown`], memory words and registers start unknown, which spreads as in Verilog but for an `if`
//! whose condition is unknown: it gives what both sides agree on. [`Interpreter::unknown_outputs`] says where such
//! bits leave the design.
//!
//! # Properties
//!
//! Assertions and assumptions of kernels ([`crate::property`]) are checked at each edge, covers counted.
//!
//! # The witness
//!
//! [`KernelSimulator`] runs the kernels themselves on numbers, and the Rust models of primitives, under rust-hdl's
//! settling loop. It is a hundred times slower and more, and knows nothing of the recorded graph, so that tests can
//! show that recording and interpreter say the same as the source.

mod code;
mod engine;
mod graph;
mod kernels;
mod memory;
mod program;
pub(crate) mod store;
mod unknown;
mod unravel;
mod values;
mod waveform;

pub use kernels::KernelSimulator;

use crate::atom::{Attached, attach};
use crate::clock::Clocks;
use crate::design::{Design, NetKind};
use crate::diagnostic::{Problems, Source};
use crate::elaborate::elaborate;
use crate::property::PropertyKind;
use crate::record::AtomId;
use crate::value::Value;
use engine::Engine;
use graph::{Graph, GraphProperty};
use program::Program;
use rust_hdl_core::prelude::{Atom, Block, Probe};
use std::fmt;
use std::io;
use store::{Slot, Wire};
use waveform::Waveform;

/// What is unknown at start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unknown {
    /// Nothing: memories and registers start with zeros where they have no value of their own.
    #[default]
    Never,
    /// What the Verilog leaves undefined: words of memories without contents, and the registers behind them.
    Memories,
    /// Also registers without reset, whatever value configuration gives them.
    MemoriesAndRegisters,
}

/// A property that did not hold.
#[derive(Clone, Debug)]
pub struct Failure {
    /// An assertion or an assumption.
    pub kind: PropertyKind,
    /// Path of the block.
    pub block: String,
    /// What it means, in words.
    pub text: String,
    /// Where it was written.
    pub source: Source,
    /// Which edge of its clock, from 1.
    pub edge: u64,
}

impl Failure {
    fn new(property: &GraphProperty, edge: u64) -> Failure {
        let GraphProperty { kind, path, text, source, .. } = property;
        Failure { kind: *kind, block: path.clone(), text: text.clone(), source, edge }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Failure { kind, block, text, source, edge } = self;
        let kind = kind.keyword();
        write!(f, "{kind} does not hold in {block} at clock edge {edge}: \"{text}\" (written: {source})")
    }
}

impl std::error::Error for Failure {}

/// A cover point and how often it was met.
#[derive(Clone, Debug)]
pub struct Cover {
    /// Path of the block.
    pub block: String,
    /// What it means, in words.
    pub text: String,
    /// Edges that met it.
    pub count: u64,
}

/// A port of an [`Interpreter`].
#[derive(Clone, Copy, Debug)]
pub struct Port {
    slot: Slot,
    input: Option<u32>,
}

impl Port {
    /// Width in bits.
    pub fn width(self) -> usize {
        self.slot.width as usize
    }
}

/// A design under simulation.
#[derive(Debug)]
pub struct Interpreter {
    design: Design,
    engine: Engine,
    waveform: Option<Waveform>,
    time_ps: u64,
    period_ps: u64,
}

/// From one rising edge to the next, in waveforms, unless [`Interpreter::set_period`] says otherwise.
const PERIOD_PS: u64 = 10_000;

impl Interpreter {
    /// A design, settled with all inputs at zero.
    ///
    /// # Errors
    /// Primitives that do not say what they compute.
    pub fn new(design: Design, unknown: Unknown) -> Result<Interpreter, Problems> {
        let graph = Graph::new(&design)?;
        let program = Program::new(&design, &graph);
        let mut engine = Engine::new(program, unknown);
        engine.settle();
        Ok(Interpreter { design, engine, waveform: None, time_ps: 0, period_ps: PERIOD_PS })
    }

    /// The design.
    pub fn design(&self) -> &Design {
        &self.design
    }

    /// Operations that one clock runs at most, for those who wonder about speed.
    pub fn instruction_count(&self) -> usize {
        self.engine.program.instructions.len()
    }

    /// The port of the top of this name.
    pub fn port(&self, name: &str) -> Option<Port> {
        self.design.blocks[0].port(name).map(|net| self.net(net.id))
    }

    /// Names of the inputs of the top that are clocks.
    pub fn clocks(&self) -> Vec<&str> {
        let program = &self.engine.program;
        let inputs = self.design.blocks[0].nets.iter().filter(|net| net.kind == NetKind::Input);
        let clocks = inputs.filter(|net| program.domains.iter().any(|d| d.clock == program.nets[&net.id]));
        clocks.map(|net| net.name.as_str()).collect()
    }

    /// Any net of the design, by the path of its block and its name.
    pub fn net_at(&self, block: &str, name: &str) -> Option<Port> {
        let block = self.design.blocks.iter().find(|b| b.path == block)?;
        block.nets.iter().find(|net| net.name == name).map(|net| self.net(net.id))
    }

    fn net(&self, net: AtomId) -> Port {
        let input = self.engine.program.inputs.iter().position(|input| input.net == net);
        Port { slot: self.engine.program.nets[&net], input: input.map(|input| input as u32) }
    }

    /// Drives an input; what follows from it shows after the next [`Interpreter::settle`] or tick.
    ///
    /// # Panics
    /// When the port is no input, or the value not as wide as it: faults of the bench.
    pub fn set(&mut self, port: Port, value: &Value) {
        let Some(input) = port.input else { panic!("only inputs of the top are driven from outside") };
        assert_eq!(value.width(), port.width(), "width of a value driven into an input");
        self.engine.store.drive(input, port.slot, value);
    }

    /// The settled value of a port.
    pub fn get(&self, port: Port) -> Value {
        self.engine.store.value(port.slot)
    }

    /// Which bits of a port are unknown.
    pub fn unknown_bits(&self, port: Port) -> Value {
        let unknowns = self.engine.unknowns.as_ref();
        unknowns.map_or(Value::zero(port.width()), |unknowns| unknowns.value(port.slot))
    }

    /// Outputs of the top with unknown bits, by name.
    pub fn unknown_outputs(&self) -> Vec<&str> {
        let outputs = self.design.blocks[0].nets.iter().filter(|net| net.kind == NetKind::Output);
        let unknown = outputs.filter(|net| !self.unknown_bits(self.net(net.id)).is_zero());
        unknown.map(|net| net.name.as_str()).collect()
    }

    /// Lets everything follow from the inputs. Clocks that were driven high since the last time give an edge.
    ///
    /// # Errors
    /// The first property that did not hold.
    pub fn settle(&mut self) -> Result<(), Failure> {
        self.engine.settle();
        if let Some(waveform) = &mut self.waveform {
            waveform.sample(self.time_ps, &self.engine);
        }
        self.verdict()
    }

    /// Settles, then gives a rising and a falling edge to all of these clocks at once.
    ///
    /// # Errors
    /// The first property that did not hold.
    ///
    /// # Panics
    /// When one of them is not an input, or is driven by one: a fault of the bench.
    pub fn tick(&mut self, clocks: &[Port]) -> Result<(), Failure> {
        self.settle()?;
        for level in [1, 0] {
            for clock in clocks {
                let inputs = &self.engine.program.inputs;
                let Some(input) = inputs.iter().position(|i| i.slot.offset == clock.slot.offset) else {
                    panic!("only clocks that come from an input of the top are driven from outside")
                };
                self.engine.drive_bit(input, level);
            }
            self.time_ps += self.period_ps / 2;
            self.settle()?;
        }
        Ok(())
    }

    /// How long one [`Interpreter::tick`] lasts in waveforms.
    pub fn set_period(&mut self, period_ps: u64) {
        self.period_ps = period_ps;
    }

    /// Lets time pass in waveforms.
    pub fn advance(&mut self, time_ps: u64) {
        self.time_ps += time_ps;
    }

    /// Writes a waveform of every net from now on, as VCD.
    ///
    /// # Errors
    /// What the writer says.
    pub fn record_waveform(&mut self, to: impl io::Write + Send + 'static) -> io::Result<()> {
        let mut waveform = Waveform::new(Box::new(to), &self.design, &self.engine)?;
        waveform.sample(self.time_ps, &self.engine);
        self.waveform = Some(waveform);
        Ok(())
    }

    /// Ends the waveform.
    ///
    /// # Errors
    /// What the writer said at any time.
    pub fn finish_waveform(&mut self) -> io::Result<()> {
        self.waveform.take().map_or(Ok(()), Waveform::finish)
    }

    /// All cover points with their counts.
    pub fn covers(&self) -> Vec<Cover> {
        let domains = self.engine.program.domains.iter().zip(&self.engine.covered);
        let watches = domains.flat_map(|(domain, counts)| domain.watches.iter().zip(counts));
        let covers = watches.filter(|(watch, _)| watch.property.kind == PropertyKind::Cover);
        covers
            .map(|(watch, &count)| Cover {
                block: watch.property.path.clone(),
                text: watch.property.text.clone(),
                count,
            })
            .collect()
    }

    fn verdict(&mut self) -> Result<(), Failure> {
        if self.engine.failures.is_empty() { Ok(()) } else { Err(self.engine.failures.remove(0)) }
    }
}

/// A block under simulation. Inputs are driven and outputs read through its fields.
#[derive(Debug)]
pub struct Simulator<B> {
    /// The block: `simulator.block.input.valid.drive(true)`.
    pub block: B,
    /// What runs it.
    pub interpreter: Interpreter,
}

impl<B: Block> Simulator<B> {
    /// Checks the block and settles it with all inputs at zero.
    ///
    /// # Errors
    /// What elaboration refuses, and primitives that do not say what they compute.
    pub fn new(name: &str, block: B) -> Result<Simulator<B>, Problems> {
        Simulator::with_unknown(name, block, Unknown::Never)
    }

    /// The same with unknown bits at start.
    ///
    /// # Errors
    /// As [`Simulator::new`].
    pub fn with_unknown(name: &str, block: B, unknown: Unknown) -> Result<Simulator<B>, Problems> {
        let interpreter = Interpreter::new(elaborate(name, &block)?, unknown)?;
        block.accept(name, &mut Attach { interpreter: &interpreter });
        Ok(Simulator { block, interpreter })
    }

    /// Lets every wire take its value.
    ///
    /// # Panics
    /// When a property does not hold; [`Interpreter::settle`] returns it instead.
    pub fn settle(&mut self) {
        if let Err(failure) = self.interpreter.settle() {
            panic!("{failure}");
        }
    }

    /// Settles, then gives one rising and one falling edge to a clock.
    ///
    /// # Panics
    /// When a property does not hold; [`Simulator::try_tick`] returns it instead.
    pub fn tick(&mut self, clocks: impl Fn(&B) -> &Clocks) {
        if let Err(failure) = self.try_tick(clocks) {
            panic!("{failure}");
        }
    }

    /// As [`Simulator::tick`].
    ///
    /// # Errors
    /// The first property that did not hold.
    pub fn try_tick(&mut self, clocks: impl Fn(&B) -> &Clocks) -> Result<(), Failure> {
        let clock = self.interpreter.net(clocks(&self.block).clk.id());
        self.interpreter.tick(&[clock])
    }
}

/// Shows each net and register of a block its place among the values.
struct Attach<'a> {
    interpreter: &'a Interpreter,
}

impl Probe for Attach<'_> {
    fn visit_atom(&mut self, _: &str, atom: &dyn Atom) {
        let engine = &self.interpreter.engine;
        if engine.program.nets.contains_key(&atom.id()) {
            let Port { slot, input } = self.interpreter.net(atom.id());
            attach(Attached::Wire(Wire { store: engine.store.clone(), slot, input }));
        }
    }
}
