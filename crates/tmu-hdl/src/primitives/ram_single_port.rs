//! A memory with one port that reads and writes.

use super::memory::{ReadPort, Words, is_high};
use super::{EdgeDetector, ModelState, RamShape};
use crate::behaviour::Behaviour;
use crate::kernel::timing;
use crate::prelude::*;
use crate::primitive::{Primitive, describe};
use crate::verilog::text::range;

/// A memory with one port that reads and writes.
///
/// In a clock with `enable` high it writes, where `write_enable` is high, and reads: `read_data` shows the word
/// that `address` held before, one clock later, and keeps it until the next clock with `enable` high. With the
/// output register it shows it one clock after `output_enable` was high behind that: two enables, so that each
/// stage of a stalled pipeline can hold. With [lanes](RamShape::lanes) each lane has its own bit of `write_enable`. II 1.
/// One RAMB18E2 holds up to 1024 × 18, one RAMB36E2 1024 × 36.
#[derive(Debug, LogicBlock)]
pub struct RamSinglePort {
    /// The clock.
    pub clocks: Clocks,
    /// High to read and, where asked, to write.
    pub enable: Net<In>,
    /// High to write, one bit a lane.
    pub write_enable: Net<In>,
    /// Where to read and write.
    pub address: Net<In>,
    /// The word to write.
    pub write_data: Net<In>,
    /// High to move the word that was read to the output register, where there is one.
    pub output_enable: Optional<Net<In>>,
    /// The word.
    pub read_data: Net<Out>,
    shape: ModelState<RamShape>,
    clock_edge: EdgeDetector,
    words: ModelState<Words>,
    port: ModelState<ReadPort>,
}

impl RamSinglePort {
    /// A memory of this shape.
    #[track_caller]
    pub fn new(shape: RamShape) -> RamSinglePort {
        let clocks = Clocks::without_reset();
        RamSinglePort {
            enable: Net::bit(),
            write_enable: Net::new(shape.write_enable_bits()),
            address: Net::new(shape.address_bits()),
            write_data: Net::new(shape.width),
            output_enable: Optional::new(shape.output_register, Net::bit),
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
        let memory = self.shape.declaration("ram_style");
        let output = self.shape.output("clk", "");
        let write = self.shape.write("        ", "address");
        format!(
            "{memory}reg {range}read_latch;\n\
             \n\
             always @(posedge clk) begin\n\
             \x20   if (enable) begin\n\
             {write}\
             \x20       read_latch <= memory[address];\n\
             \x20   end\n\
             end\n\
             {output}"
        )
    }
}

impl Logic for RamSinglePort {
    fn update(&mut self) {
        if self.clock_edge.rose() {
            let enabled = is_high(&self.enable);
            let word = enabled.then(|| self.words.read(&self.address));
            self.port.clock(word, self.output_enable.as_ref());
            if enabled {
                self.words.write_lanes(&self.address, &self.write_data, &self.write_enable);
            }
        }
        self.read_data.drive(Bits::constant(self.port.value()));
    }

    fn hdl(&self) -> Verilog {
        let mut behaviour = Behaviour::default();
        let words = self.shape.memory(&mut behaviour);
        let (enable, address) = (self.enable.val(), self.address.val());
        let write_enables = self.write_enable.val();
        let write_enables = enable.mux(write_enables, lit(write_enables.width(), 0u32));
        let write = (write_enables, address, self.write_data.val());
        self.shape.write_port(&mut behaviour, words, &self.clocks, write);
        let (read, output) = ((enable, address), self.output_enable.as_ref());
        let word = self.shape.read_port(&mut behaviour, words, &self.clocks, read, output);
        behaviour.output(&self.read_data, word);
        describe(Primitive {
            behaviour: Some(behaviour),
            module: format!("ram_single_port_{}", self.shape.name()),
            docs: "Memory with one port. A clock that writes also reads the word that was there before."
                .into(),
            verilog: self.verilog(),
            clocked: self.shape.clocked("clk", PORTS, &["output_enable"]),
            resource: self.shape.resource(),
            memory_files: self.shape.memory_files(),
            ..Primitive::default()
        });
        timing(self.shape.latency_clocks(), 1);
        Verilog::Empty
    }
}

const PORTS: &[&str] = &["enable", "write_enable", "address", "write_data", "read_data"];
