//! The kernels themselves on numbers, under rust-hdl's settling loop: the witness beside the interpreter.
//!
//! Nothing of it goes through the recorder: `if`s take one side, operators compute, primitives run their Rust
//! models. What it cannot do: a clock that reaches its registers through a local wire comes late here.

use crate::bits::Bits;
use crate::clock::Clocks;
use crate::diagnostic::Diagnostics;
use crate::elaborate::elaborate;
use crate::value::Value;
use rust_hdl::core::prelude::{Block, simulate};

/// Longest combinational path, in nets, that settles.
const SETTLE_ROUNDS: usize = 10_000;

/// A block whose kernels run. Inputs are driven and outputs read through its fields.
#[derive(Debug)]
pub struct KernelSimulator<B> {
    /// The block: `simulator.block.input.valid.drive(true)`.
    pub block: B,
}

impl<B: Block> KernelSimulator<B> {
    /// Checks the block and settles it with all inputs at zero.
    ///
    /// # Errors
    /// What elaboration refuses.
    pub fn new(name: &str, block: B) -> Result<KernelSimulator<B>, Diagnostics> {
        elaborate(name, &block)?;
        let mut simulator = KernelSimulator { block };
        simulator.settle();
        Ok(simulator)
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
