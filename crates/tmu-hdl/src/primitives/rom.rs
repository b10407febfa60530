//! A block RAM that is only read.

use super::memory::{Contents, ReadPort, Words, is_high};
use super::{EdgeDetector, ModelState, RamShape, RamStyle, ecp5};
use crate::behaviour::Behaviour;
use crate::kernel::timing;
use crate::prelude::*;
use crate::primitive::{Primitive, Resource, ResourceKind, describe};
use crate::verilog::text::range;

/// A block RAM that is only read.
///
/// `read_data` shows the word at `read_address` one clock after `read_enable` was high, and keeps it. With the
/// output register it shows it one clock after `output_enable` was high behind that. II 1. A block ROM of
/// 4096 × 9 takes one RAMB36E2.
#[derive(Debug, LogicBlock)]
pub struct Rom {
    /// The clock.
    pub clocks: Clocks,
    /// High to read.
    pub read_enable: Net<In>,
    /// Where to read.
    pub read_address: Net<In>,
    /// High to move the word that was read to the output register, where there is one.
    pub output_enable: Optional<Net<In>>,
    /// The word.
    pub read_data: Net<Out>,
    shape: ModelState<RamShape>,
    clock_edge: EdgeDetector,
    words: ModelState<Words>,
    port: ModelState<ReadPort>,
}

impl Rom {
    /// A ROM with these words, all of one width.
    #[track_caller]
    pub fn new(contents: Contents, output_register: bool) -> Rom {
        let words = contents.words();
        assert!(words.len() >= 2, "a ROM has at least 2 words, not {}", words.len());
        let shape = RamShape::new(words.len(), words[0].width());
        let shape = shape.style(RamStyle::Block).output_register(output_register).contents(contents);
        let clocks = Clocks::without_reset();
        Rom {
            read_enable: Net::bit(),
            read_address: Net::new(shape.address_bits()),
            output_enable: Optional::new(output_register, Net::bit),
            read_data: Net::new(shape.width),
            clock_edge: EdgeDetector::new(&clocks),
            words: ModelState::new(shape.words()),
            port: ModelState::new(ReadPort::new(&shape)),
            shape: ModelState::new(shape),
            clocks,
        }
    }

    fn verilog(&self) -> String {
        let range = range(self.shape.width);
        let memory = self.shape.declaration("rom_style");
        let output = self.shape.output("clk", "");
        format!(
            "{memory}reg {range}read_latch;\n\
             \n\
             always @(posedge clk) begin\n\
             \x20   if (read_enable) read_latch <= memory[read_address];\n\
             end\n\
             {output}"
        )
    }
}

impl Logic for Rom {
    fn update(&mut self) {
        if self.clock_edge.rose() {
            let word = is_high(&self.read_enable).then(|| self.words.read(&self.read_address));
            self.port.clock(word, self.output_enable.as_ref());
        }
        self.read_data.drive(Bits::constant(self.port.value()));
    }

    fn hdl(&self) -> Verilog {
        let (depth, width) = (self.shape.depth, self.shape.width);
        let mut behaviour = Behaviour::default();
        let words = self.shape.memory(&mut behaviour);
        let read = (self.read_enable.val(), self.read_address.val());
        let word =
            self.shape.read_port(&mut behaviour, words, &self.clocks, read, self.output_enable.as_ref());
        behaviour.output(&self.read_data, word);
        describe(Primitive {
            behaviour: Some(behaviour),
            module: format!("rom_{}", self.shape.name()),
            docs: "Read-only memory.".into(),
            verilog: self.verilog(),
            ecp5: ecp5::rom(&self.shape),
            clocked: self.shape.clocked(
                "clk",
                &["read_enable", "read_address", "read_data"],
                &["output_enable"],
            ),
            resource: Some(Resource { kind: ResourceKind::Rom, depth, width }),
            memory_files: self.shape.memory_files(),
            ..Primitive::default()
        });
        timing(self.shape.latency_clocks(), 1);
        Verilog::Empty
    }
}
