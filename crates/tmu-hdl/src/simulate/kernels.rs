//! The kernels themselves on numbers, under rust-hdl's settling loop: the witness beside the interpreter.
//!
//! Nothing of it goes through the recorder: `if`s take one side, operators compute, primitives run their Rust
//! models. A clock that reaches its registers through wires moves them together with those of the clock that it comes from.

use crate::atom::{Attached, attach};
use crate::bits::Bits;
use crate::clock::{Clocks, join_clocks};
use crate::diagnostic::Problems;
use crate::elaborate::elaborate;
use crate::record::AtomId;
use crate::value::Value;
use rust_hdl_core::prelude::{Atom, Block, Probe, VCDValue, simulate};
use std::collections::HashMap;

/// Longest combinational path, in nets, that settles.
const SETTLE_ROUNDS: usize = 10_000;

/// A block whose kernels run. Inputs are driven and outputs read through its fields.
#[derive(Debug)]
pub struct KernelSimulator<B> {
    /// The block: `simulator.block.input.valid.drive(true)`.
    pub block: B,
    ports: Vec<(String, AtomId)>,
}

impl<B: Block> KernelSimulator<B> {
    /// Checks the block and settles it with all inputs at zero.
    ///
    /// # Errors
    /// What elaboration refuses.
    pub fn new(name: &str, block: B) -> Result<KernelSimulator<B>, Problems> {
        let design = elaborate(name, &block)?;
        join_clocks(&design, &block);
        let ports = design.blocks[0].nets.iter().filter(|net| net.is_port());
        let ports = ports.map(|net| (net.name.clone(), net.id)).collect();
        let mut simulator = KernelSimulator { block, ports };
        simulator.settle();
        Ok(simulator)
    }

    /// Drives inputs by their names; every one costs a walk through the block.
    pub fn set(&self, inputs: &HashMap<&str, Value>) {
        let of = |(name, id): &(String, AtomId)| Some((*id, *inputs.get(name.as_str())?));
        let mut drive = Drive(self.ports.iter().filter_map(of).collect());
        self.block.accept("", &mut drive);
    }

    /// The settled values of all ports by name.
    pub fn ports(&self) -> HashMap<&str, Value> {
        let mut read = Read(HashMap::new());
        self.block.accept("", &mut read);
        self.ports.iter().filter_map(|(name, id)| Some((name.as_str(), *read.0.get(id)?))).collect()
    }

    /// Lets every wire take its value.
    ///
    /// # Panics
    /// When it does not settle, which the check for combinational loops excludes.
    pub fn settle(&mut self) {
        assert!(simulate(&mut self.block, SETTLE_ROUNDS), "the block does not settle");
    }

    /// Settles, then gives one rising and one falling edge to a clock.
    pub fn tick(&mut self, clocks: impl Fn(&B) -> &Clocks) {
        self.settle();
        for level in [true, false] {
            clocks(&self.block).clk.drive(Bits::constant(Value::from_bool(level)));
            self.settle();
        }
    }
}

/// Drives nets.
struct Drive(HashMap<AtomId, Value>);

impl Probe for Drive {
    fn visit_atom(&mut self, _: &str, atom: &dyn Atom) {
        if let Some(value) = self.0.get(&atom.id()) {
            attach(Attached::Drive(*value));
        }
    }
}

/// Reads nets.
struct Read(HashMap<AtomId, Value>);

impl Probe for Read {
    fn visit_atom(&mut self, _: &str, atom: &dyn Atom) {
        // The only form in which an atom shows more than 128 bits.
        let VCDValue::String(digits) = atom.vcd() else { return };
        let digits: Vec<char> = digits.chars().rev().collect();
        let limb = |digits: &[char]| {
            digits.iter().rev().fold(0, |limb, digit| limb << 4 | u64::from(digit.to_digit(16).unwrap_or(0)))
        };
        let limbs: Vec<u64> = digits.chunks(16).map(limb).collect();
        self.0.insert(atom.id(), Value::from_limbs(atom.bits(), &limbs));
    }
}
