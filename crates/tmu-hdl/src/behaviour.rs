//! What a hand-written primitive computes, as data: memories, registers and expressions.
//!
//! A primitive brings its own Verilog. [`Behaviour`] says the same in the expressions of kernels, so that the
//! interpreter of [`crate::simulate`] runs the primitive among everything else, with unknown bits where that is
//! asked for. It is written in `Logic::hdl`, where ports read as recorded values:
//!
//! ```
//! use tmu_hdl::{behaviour::Behaviour, prelude::*, primitive::{Primitive, describe}, simulate::Simulator};
//!
//! /// A register with an enable, in Verilog of its own.
//! #[derive(LogicBlock)]
//! struct Hold {
//!     clocks: Clocks,
//!     enable: Net<In>,
//!     data: Net<In>,
//!     held: Net<Out>,
//! }
//!
//! impl Logic for Hold {
//!     fn update(&mut self) {}
//!     fn hdl(&self) -> Verilog {
//!         let mut behaviour = Behaviour::default();
//!         let held = behaviour.hold(&self.clocks, self.enable.val(), self.data.val());
//!         behaviour.output(&self.held, held);
//!         describe(Primitive {
//!             module: "hold".into(),
//!             verilog: "reg [7:0] q;\nalways @(posedge clk) if (enable) q <= data;\nassign held = q;\n".into(),
//!             clocked: vec![("enable", "clk"), ("data", "clk"), ("held", "clk")],
//!             behaviour: Some(behaviour),
//!             ..Primitive::default()
//!         });
//!         Verilog::Empty
//!     }
//! }
//!
//! # fn main() -> Result<(), tmu_hdl::diagnostic::Problems> {
//! let clocks = Clocks::without_reset();
//! let hold = Hold { clocks, enable: Net::bit(), data: Net::new(8), held: Net::new(8) };
//! let mut simulator = Simulator::new("hold", hold)?;
//! simulator.block.enable.drive(1);
//! simulator.block.data.drive(42);
//! simulator.tick(|block| &block.clocks);
//! assert_eq!(simulator.block.held.val().to_u64(), 42);
//! # Ok(())
//! # }
//! ```
//!
//! The Rust model in `Logic::update` and the Verilog are written independently of it; tests compare all three.

use crate::bits::Bits;
use crate::clock::Clocks;
use crate::net::Net;
use crate::record::{self, AtomId, Node, NodeId, NodeKind};
use crate::value::Value;
use rust_hdl_core::prelude::Out;
use rust_hdl_core::signal::get_signal_id;
use std::panic::Location;

/// What a primitive computes.
#[derive(Clone, Debug, Default)]
pub struct Behaviour {
    /// Its expressions; [`crate::primitive::describe`] moves them here.
    pub(crate) nodes: Vec<Node>,
    pub(crate) registers: Vec<Register>,
    pub(crate) memories: Vec<Memory>,
    pub(crate) reads: Vec<Read>,
    pub(crate) writes: Vec<Write>,
    pub(crate) outputs: Vec<(AtomId, NodeId)>,
}

/// A register of a primitive.
#[derive(Clone, Debug)]
pub(crate) struct Register {
    pub(crate) id: AtomId,
    pub(crate) width: usize,
    pub(crate) clock: AtomId,
    /// Undefined at start where there is none.
    pub(crate) init: Option<Value>,
    /// Holds where there is none.
    pub(crate) next: Option<NodeId>,
    /// Sets all bits while it is high, without a clock.
    pub(crate) set: Option<NodeId>,
}

/// The words of a primitive.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    pub(crate) depth: usize,
    pub(crate) width: usize,
    /// Undefined at start where there are none.
    pub(crate) words: Option<Vec<Value>>,
}

/// A read of a memory without a clock.
#[derive(Clone, Debug)]
pub(crate) struct Read {
    pub(crate) memory: usize,
    pub(crate) address: NodeId,
    pub(crate) word: AtomId,
}

/// A write of a memory at a clock edge.
#[derive(Clone, Debug)]
pub(crate) struct Write {
    pub(crate) memory: usize,
    pub(crate) clock: AtomId,
    pub(crate) enable: NodeId,
    pub(crate) address: NodeId,
    pub(crate) data: NodeId,
}

/// A memory of a [`Behaviour`].
#[derive(Clone, Copy, Debug)]
pub struct MemoryId(usize);

/// A register of a [`Behaviour`].
#[derive(Clone, Copy, Debug)]
pub struct RegisterId(usize);

impl Behaviour {
    /// A memory of `depth` words of `width` bits, which start with `words` or undefined. Reads past the depth give
    /// zero, writes there are lost.
    pub fn memory(&mut self, depth: usize, width: usize, words: Option<Vec<Value>>) -> MemoryId {
        self.memories.push(Memory { depth, width, words });
        MemoryId(self.memories.len() - 1)
    }

    /// The word at `address`, without a clock; a write shows after its edge.
    #[track_caller]
    pub fn read(&mut self, memory: MemoryId, address: Bits) -> Bits {
        let word = get_signal_id();
        if let Some(address) = address.as_node(Location::caller()) {
            self.reads.push(Read { memory: memory.0, address, word });
        }
        inside(word, self.memories[memory.0].width)
    }

    /// Writes `data` at each edge with `enable` high.
    #[track_caller]
    pub fn write(&mut self, memory: MemoryId, clocks: &Clocks, enable: Bits, address: Bits, data: Bits) {
        let source = Location::caller();
        let nodes = (enable.as_node(source), address.as_node(source), data.as_node(source));
        if let (Some(enable), Some(address), Some(data)) = nodes {
            self.writes.push(Write { memory: memory.0, clock: clocks.clk.id(), enable, address, data });
        }
    }

    /// A register of `width` bits that starts with `init` or undefined, and holds until [`Behaviour::set_next`].
    pub fn register(&mut self, clocks: &Clocks, width: usize, init: Option<Value>) -> RegisterId {
        let id = get_signal_id();
        self.registers.push(Register { id, width, clock: clocks.clk.id(), init, next: None, set: None });
        RegisterId(self.registers.len() - 1)
    }

    /// The output of a register.
    #[track_caller]
    pub fn value(&self, register: RegisterId) -> Bits {
        let register = &self.registers[register.0];
        inside(register.id, register.width)
    }

    /// What a register takes at each edge.
    #[track_caller]
    pub fn set_next(&mut self, register: RegisterId, next: Bits) {
        self.registers[register.0].next = next.as_node(Location::caller());
    }

    /// Sets all bits of a register while `set` is high, without a clock.
    #[track_caller]
    pub fn set_without_clock(&mut self, register: RegisterId, set: Bits) {
        self.registers[register.0].set = set.as_node(Location::caller());
    }

    /// `data` of the last edge with `enable` high: a register that starts undefined.
    #[track_caller]
    pub fn hold(&mut self, clocks: &Clocks, enable: Bits, data: Bits) -> Bits {
        let register = self.register(clocks, data.width(), None);
        let value = self.value(register);
        self.set_next(register, enable.mux(data, value));
        value
    }

    /// Drives an output port.
    #[track_caller]
    pub fn output(&mut self, port: &Net<Out>, value: Bits) {
        if let Some(value) = value.as_node(Location::caller()) {
            self.outputs.push((port.id(), value));
        }
    }
}

/// A value that the behaviour makes.
#[track_caller]
fn inside(id: AtomId, width: usize) -> Bits {
    Bits { value: Value::zero(width), node: record::node(NodeKind::Net(id), width, Location::caller()) }
}
