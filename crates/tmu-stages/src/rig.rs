//! A block under the interpreter.

use crate::tape::{self, Tape};
use std::ops::Deref;
use tmu_hdl::prelude::Block;
use tmu_hdl::simulate::{Port, Simulator};
use tmu_hdl::value::Value;

/// See the crate's documentation. The fields of the block are those of the rig.
#[derive(Debug)]
pub struct Rig<B: Block> {
    simulator: Simulator<B>,
    clocks: Vec<Port>,
    tape: Option<Tape>,
}

impl<B: Block> Deref for Rig<B> {
    type Target = B;
    fn deref(&self) -> &B {
        &self.simulator.block
    }
}

impl<B: Block> Rig<B> {
    /// The block, after a clock of reset with all other inputs at zero.
    ///
    /// # Panics
    /// When the block keeps not every rule.
    pub fn new(name: &str, block: B) -> Rig<B> {
        let simulator = Simulator::new(name, block).unwrap_or_else(|refused| panic!("{name}: {refused}"));
        let interpreter = &simulator.interpreter;
        let clocks = interpreter.clocks().into_iter().filter_map(|clock| interpreter.port(clock)).collect();
        let tape = tape::is_recording().then(|| Tape::new(interpreter));
        let mut rig = Rig { simulator, clocks, tape };
        rig.reset();
        rig
    }

    /// A clock of reset.
    pub fn reset(&mut self) {
        self.drive("rst", 1);
        self.tick();
        self.drive("rst", 0);
    }

    /// Drives an input by its name, where there is one.
    pub fn drive(&mut self, name: &str, value: u64) {
        if let Some(port) = self.simulator.interpreter.port(name) {
            self.simulator.interpreter.set(port, &Value::from_u128(port.width(), value.into()));
        }
    }

    /// Lets outputs follow from inputs.
    pub fn settle(&mut self) {
        self.simulator.settle();
    }

    /// Settles, then a clock of each of its clocks.
    ///
    /// # Panics
    /// When a property of the block does not hold.
    pub fn tick(&mut self) {
        self.settle();
        if let Some(tape) = &mut self.tape {
            tape.row(&self.simulator.interpreter);
        }
        if let Err(failure) = self.simulator.interpreter.tick(&self.clocks) {
            panic!("{failure}");
        }
    }
}
