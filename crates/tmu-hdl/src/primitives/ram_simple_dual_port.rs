//! A memory with one write port and one read port on one clock.

use super::memory::{ReadPort, Words, is_high};
use super::{EdgeDetector, ModelState, RamShape, ecp5};
use crate::behaviour::Behaviour;
use crate::kernel::timing;
use crate::prelude::*;
use crate::primitive::{Primitive, describe};
use crate::verilog::text::range;

/// A memory with one write port and one read port on one clock.
///
/// `read_data` shows the word at `read_address` one clock after `read_enable` was high, and keeps it until the
/// next read. With the output register it shows it one clock after `output_enable` was high behind that: two
/// enables, so that each stage of a stalled pipeline can hold. A read of the address that is being written
/// gives the old word. With [lanes](RamShape::lanes) each lane has its own bit of `write_enable`. II 1. One RAMB18E2 holds up to 512 × 36, one RAMB36E2 512 × 72.
#[derive(Debug, LogicBlock)]
pub struct RamSimpleDualPort {
    /// The clock of both ports.
    pub clocks: Clocks,
    /// High to write, one bit a lane.
    pub write_enable: Net<In>,
    /// Where to write.
    pub write_address: Net<In>,
    /// The word to write.
    pub write_data: Net<In>,
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

impl RamSimpleDualPort {
    /// A memory of this shape.
    #[track_caller]
    pub fn new(shape: RamShape) -> RamSimpleDualPort {
        let clocks = Clocks::without_reset();
        RamSimpleDualPort {
            write_enable: Net::new(shape.write_enable_bits()),
            write_address: Net::new(shape.address_bits()),
            write_data: Net::new(shape.width),
            read_enable: Net::bit(),
            read_address: Net::new(shape.address_bits()),
            output_enable: Optional::new(shape.output_register, Net::bit),
            read_data: Net::new(shape.width),
            clock_edge: EdgeDetector::new(&clocks),
            words: ModelState::new(shape.words()),
            port: ModelState::new(ReadPort::new(&shape)),
            shape: ModelState::new(shape),
            clocks,
        }
    }

    /// What [`RamShape::reads_apart`] promises.
    fn assert_promise(&self) {
        let value = |net: &Net<In>| net.val().value().low_u64();
        let meets = value(&self.write_enable) != 0
            && is_high(&self.read_enable)
            && value(&self.read_address) == value(&self.write_address);
        assert!(!(self.shape.reads_apart && meets), "a word is read while it is written");
    }

    fn verilog(&self) -> String {
        let range = range(self.shape.width);
        let memory = self.shape.declaration("ram_style");
        let output = self.shape.output("clk", "");
        let write = self.shape.write("    ", "write_address");
        format!(
            "{memory}reg {range}read_latch;\n\
             \n\
             always @(posedge clk) begin\n\
             {write}\
             \x20   if (read_enable) read_latch <= memory[read_address];\n\
             end\n\
             {output}"
        )
    }
}

impl Logic for RamSimpleDualPort {
    fn update(&mut self) {
        if self.clock_edge.rose() {
            self.assert_promise();
            let word = is_high(&self.read_enable).then(|| self.words.read(&self.read_address));
            self.port.clock(word, self.output_enable.as_ref());
            self.words.write_lanes(&self.write_address, &self.write_data, &self.write_enable);
        }
        self.read_data.drive(Bits::constant(self.port.value()));
    }

    fn hdl(&self) -> Verilog {
        let mut behaviour = Behaviour::default();
        let words = self.shape.memory(&mut behaviour);
        let write = (self.write_enable.val(), self.write_address.val(), self.write_data.val());
        self.shape.write_port(&mut behaviour, words, &self.clocks, write);
        let read = (self.read_enable.val(), self.read_address.val());
        let word =
            self.shape.read_port(&mut behaviour, words, &self.clocks, read, self.output_enable.as_ref());
        behaviour.output(&self.read_data, word);
        describe(Primitive {
            behaviour: Some(behaviour),
            module: format!("ram_simple_dual_port_{}", self.shape.name()),
            docs: "Memory with a write port and a read port. A read of the address being written gives the old word.".into(),
            verilog: self.verilog(),
            ecp5: ecp5::simple_ram(&self.shape),
            clocked: self.shape.clocked("clk", PORTS, &["output_enable"]),
            resource: self.shape.resource(),
            memory_files: self.shape.memory_files(),
            ..Primitive::default()
        });
        timing(self.shape.latency_clocks(), 1);
        Verilog::Empty
    }
}

const PORTS: &[&str] =
    &["write_enable", "write_address", "write_data", "read_enable", "read_address", "read_data"];
