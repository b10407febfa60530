//! LUT RAM that is read without a clock.

use super::memory::{Words, is_high};
use super::{Contents, EdgeDetector, ModelState, RamShape, RamStyle};
use crate::behaviour::Behaviour;
use crate::kernel::timing;
use crate::prelude::*;
use crate::primitive::{Primitive, describe};

/// LUT RAM: written on the clock, read without one.
///
/// `read_data` follows `read_address` in the same clock; a write shows from the next clock on. II 1. Costs about
/// width / 14 LUTRAM slices of eight LUTs for each 32 words, and from 64 words on a multiplexer behind them.
#[derive(Debug, LogicBlock)]
pub struct DistributedRam {
    /// The clock of the write port.
    pub clocks: Clocks,
    /// High to write.
    pub write_enable: Net<In>,
    /// Where to write.
    pub write_address: Net<In>,
    /// The word to write.
    pub write_data: Net<In>,
    /// Where to read.
    pub read_address: Net<In>,
    /// The word.
    pub read_data: Net<Out>,
    shape: ModelState<RamShape>,
    clock_edge: EdgeDetector,
    words: ModelState<Words>,
}

impl DistributedRam {
    /// `depth` words of `width` bits.
    #[track_caller]
    pub fn new(depth: usize, width: usize) -> DistributedRam {
        DistributedRam::of(RamShape::new(depth, width))
    }

    /// A memory that starts with these words, all of one width.
    #[track_caller]
    pub fn with_contents(contents: Contents) -> DistributedRam {
        let words = contents.words();
        assert!(words.len() >= 2, "a memory has at least 2 words, not {}", words.len());
        DistributedRam::of(RamShape::new(words.len(), words[0].width()).contents(contents))
    }

    #[track_caller]
    fn of(shape: RamShape) -> DistributedRam {
        let shape = shape.style(RamStyle::Distributed);
        let clocks = Clocks::without_reset();
        DistributedRam {
            write_enable: Net::bit(),
            write_address: Net::new(shape.address_bits()),
            write_data: Net::new(shape.width),
            read_address: Net::new(shape.address_bits()),
            read_data: Net::new(shape.width),
            clock_edge: EdgeDetector::new(&clocks),
            words: ModelState::new(shape.words()),
            shape: ModelState::new(shape),
            clocks,
        }
    }
}

impl Logic for DistributedRam {
    fn update(&mut self) {
        if self.clock_edge.rose() && is_high(&self.write_enable) {
            self.words.write(&self.write_address, &self.write_data);
        }
        self.read_data.drive(Bits::constant(self.words.read(&self.read_address)));
    }

    fn hdl(&self) -> Verilog {
        let memory = self.shape.declaration("ram_style");
        let mut behaviour = Behaviour::default();
        let words = self.shape.memory(&mut behaviour);
        let write = (self.write_enable.val(), self.write_address.val(), self.write_data.val());
        behaviour.write(words, &self.clocks, write.0, write.1, write.2);
        let word = behaviour.read(words, self.read_address.val());
        behaviour.output(&self.read_data, word);
        describe(Primitive {
            behaviour: Some(behaviour),
            module: format!("distributed_ram_{}", self.shape.name()),
            docs: "LUT RAM: written on the clock, read without one.".into(),
            verilog: format!(
                "{memory}\n\
                 always @(posedge clk) begin\n\
                 \x20   if (write_enable) memory[write_address] <= write_data;\n\
                 end\n\
                 assign read_data = memory[read_address];\n"
            ),
            paths: vec![("read_address", "read_data")],
            clocked: self.shape.clocked(
                "clk",
                &["write_enable", "write_address", "write_data", "read_data"],
                &[],
            ),
            resource: self.shape.resource(),
            memory_files: self.shape.memory_files(),
            ..Primitive::default()
        });
        timing(0, 1);
        Verilog::Empty
    }
}
