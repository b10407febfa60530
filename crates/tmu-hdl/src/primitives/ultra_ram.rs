//! UltraRAM with one write port and one read port.

use super::memory::{Words, is_high};
use super::{EdgeDetector, ModelState, RamShape, RamStyle};
use crate::behaviour::Behaviour;
use crate::kernel::timing;
use crate::prelude::*;
use crate::primitive::{Primitive, describe};
use crate::value::Value;
use crate::verilog::text::range;

/// UltraRAM (URAM288, 4096 × 72 each) with one write port and one read port on one clock.
///
/// `read_data` shows the word at `read_address` after 1 + output registers clocks. The read latch has the
/// enable `read_enable`, output register n the enable `output_enable[n]`, so that each stage of a stalled
/// pipeline can hold. One output register is the site's own; more let the tool pipeline a deep or wide array.
/// A read of the address that is being written gives the old word. II 1. Contents cannot be given: the device
/// starts with zeros. Costs ceil(depth / 4096) × ceil(width / 72) URAM288.
#[derive(Debug, LogicBlock)]
pub struct UltraRam {
    /// The clock of both ports.
    pub clocks: Clocks,
    /// High to write.
    pub write_enable: Net<In>,
    /// Where to write.
    pub write_address: Net<In>,
    /// The word to write.
    pub write_data: Net<In>,
    /// High to read.
    pub read_enable: Net<In>,
    /// Where to read.
    pub read_address: Net<In>,
    /// One enable for each output register, in the order in which the word passes them.
    pub output_enable: Vec<Net<In>>,
    /// The word.
    pub read_data: Net<Out>,
    shape: ModelState<RamShape>,
    clock_edge: EdgeDetector,
    words: ModelState<Words>,
    /// The read latch and the output registers.
    stages: ModelState<Vec<Value>>,
}

impl UltraRam {
    /// `depth` words of `width` bits behind `output_registers` registers, at least one.
    #[track_caller]
    pub fn new(depth: usize, width: usize, output_registers: usize) -> UltraRam {
        assert!(output_registers > 0, "UltraRAM needs an output register to be fast");
        let clocks = Clocks::without_reset();
        let shape = RamShape::new(depth, width).style(RamStyle::Ultra);
        UltraRam {
            write_enable: Net::bit(),
            write_address: Net::new(shape.address_bits()),
            write_data: Net::new(width),
            read_enable: Net::bit(),
            read_address: Net::new(shape.address_bits()),
            output_enable: Net::array(output_registers, 1),
            read_data: Net::new(width),
            clock_edge: EdgeDetector::new(&clocks),
            words: ModelState::new(shape.words()),
            stages: ModelState::new(vec![Value::zero(width); 1 + output_registers]),
            shape: ModelState::new(shape),
            clocks,
        }
    }

    /// Clocks from an address to its word.
    pub fn latency_clocks(&self) -> u32 {
        self.stages.len() as u32
    }

    fn verilog(&self) -> String {
        let range = range(self.shape.width);
        let count = self.output_enable.len();
        let registers: String = (0..count).map(|n| format!("reg {range}read_output_{n};\n")).collect();
        let moves: String = (0..count)
            .map(|n| {
                let from = if n == 0 { "read_latch".into() } else { format!("read_output_{}", n - 1) };
                format!("    if (output_enable_{n}) read_output_{n} <= {from};\n")
            })
            .collect();
        format!(
            "{memory}reg {range}read_latch;\n\
             {registers}\n\
             always @(posedge clk) begin\n\
             \x20   if (write_enable) memory[write_address] <= write_data;\n\
             \x20   if (read_enable) read_latch <= memory[read_address];\n\
             {moves}\
             end\n\
             assign read_data = read_output_{last};\n",
            memory = self.shape.declaration("ram_style"),
            last = count - 1,
        )
    }
}

impl Logic for UltraRam {
    fn update(&mut self) {
        if self.clock_edge.rose() {
            for n in (0..self.output_enable.len()).rev() {
                if is_high(&self.output_enable[n]) {
                    self.stages[n + 1] = self.stages[n];
                }
            }
            if is_high(&self.read_enable) {
                self.stages[0] = self.words.read(&self.read_address);
            }
            if is_high(&self.write_enable) {
                self.words.write(&self.write_address, &self.write_data);
            }
        }
        self.read_data.drive(Bits::constant(self.stages[self.output_enable.len()]));
    }

    fn hdl(&self) -> Verilog {
        let mut behaviour = Behaviour::default();
        let words = self.shape.memory(&mut behaviour);
        let write = (self.write_enable.val(), self.write_address.val(), self.write_data.val());
        behaviour.write(words, &self.clocks, write.0, write.1, write.2);
        let word = behaviour.read(words, self.read_address.val());
        let latch = behaviour.hold(&self.clocks, self.read_enable.val(), word);
        let word = self
            .output_enable
            .iter()
            .fold(latch, |word, enable| behaviour.hold(&self.clocks, enable.val(), word));
        behaviour.output(&self.read_data, word);
        describe(Primitive {
            behaviour: Some(behaviour),
            module: format!("ultra_ram_{}", self.shape.name()),
            docs: "UltraRAM with a write port and a read port. A read of the address being written gives the old word."
                .into(),
            verilog: self.verilog(),
            clocked: self.shape.clocked("clk", PORTS, &[]),
            resource: self.shape.resource(),
            ..Primitive::default()
        });
        timing(self.latency_clocks(), 1);
        Verilog::Empty
    }
}

const PORTS: &[&str] =
    &["write_enable", "write_address", "write_data", "read_enable", "read_address", "read_data"];
