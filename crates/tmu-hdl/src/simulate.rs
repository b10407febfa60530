//! Rust simulation of a block: the kernels run on numbers.
//!
//! Slow beside Verilator (some 100,000 clocks a second for a small block), but it needs no tool, and it is the
//! reference that the emitted Verilog is compared with. A design is elaborated and checked before it runs, so
//! that a width mistake is a diagnostic and not a panic.

use crate::bits::Bits;
use crate::clock::Clocks;
use crate::diagnostic::Diagnostics;
use crate::elaborate::elaborate;
use crate::value::Value;
use rust_hdl_core::prelude::{Block, simulate};

/// Longest combinational path, in nets, that settles.
const SETTLE_ROUNDS: usize = 10_000;

/// A block under simulation. Inputs are driven and outputs read through its fields.
pub struct Simulator<B> {
    /// The block: `simulator.block.input.valid.drive(true)`.
    pub block: B,
}

impl<B: Block> Simulator<B> {
    /// Checks the block and settles it with all inputs at zero.
    ///
    /// # Errors
    /// What elaboration refuses.
    pub fn new(name: &str, block: B) -> Result<Simulator<B>, Diagnostics> {
        elaborate(name, &block)?;
        let mut simulator = Simulator { block };
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
