//! A memory that is written on one clock and read on another.

use super::memory::{ReadPort, Words, is_high};
use super::{EdgeDetector, ModelState, RamShape, RamStyle, ecp5};
use crate::behaviour::Behaviour;
use crate::kernel::timing;
use crate::prelude::*;
use crate::primitive::{Crossing, CrossingKind, Primitive, describe};
use crate::verilog::text::range;

/// A memory that is written on one clock and read on another: the storage of an asynchronous FIFO.
///
/// `read_data` shows the word at `read_address` one clock after `read_enable` was high, and keeps it. With the
/// output register it shows it one clock after `output_enable` was high behind that. II 1 on both sides.
///
/// Data changes clocks here. Whoever uses it makes sure that a word is not read while, or shortly after, it is
/// written: the crossing is declared as stable data.
#[derive(Debug, LogicBlock)]
pub struct DualClockRam {
    /// The clock of the write port.
    pub write: Clocks,
    /// The clock of the read port.
    pub read: Clocks,
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
    /// High to move the word that was read to the output register, where there is one.
    pub output_enable: Optional<Net<In>>,
    /// The word.
    pub read_data: Net<Out>,
    shape: ModelState<RamShape>,
    write_edge: EdgeDetector,
    read_edge: EdgeDetector,
    words: ModelState<Words>,
    port: ModelState<ReadPort>,
}

impl DualClockRam {
    /// A memory of this shape, in LUT RAM or block RAM.
    #[track_caller]
    pub fn new(shape: RamShape) -> DualClockRam {
        shape.refuse_lanes();
        assert!(shape.style != RamStyle::Ultra, "UltraRAM has one clock");
        let write = Clocks::named_without_reset("write");
        let read = Clocks::named_without_reset("read");
        DualClockRam {
            write_enable: Net::bit(),
            write_address: Net::new(shape.address_bits()),
            write_data: Net::new(shape.width),
            read_enable: Net::bit(),
            read_address: Net::new(shape.address_bits()),
            output_enable: Optional::new(shape.output_register, Net::bit),
            read_data: Net::new(shape.width),
            write_edge: EdgeDetector::new(&write),
            read_edge: EdgeDetector::new(&read),
            words: ModelState::new(shape.words()),
            port: ModelState::new(ReadPort::new(&shape)),
            shape: ModelState::new(shape),
            write,
            read,
        }
    }

    fn verilog(&self) -> String {
        let range = range(self.shape.width);
        let memory = self.shape.declaration("ram_style");
        let output = self.shape.output("read_clk", "");
        format!(
            "{memory}reg {range}read_latch;\n\
             \n\
             always @(posedge write_clk) begin\n\
             \x20   if (write_enable) memory[write_address] <= write_data;\n\
             end\n\
             always @(posedge read_clk) begin\n\
             \x20   if (read_enable) read_latch <= memory[read_address];\n\
             end\n\
             {output}"
        )
    }
}

impl Logic for DualClockRam {
    fn update(&mut self) {
        let (written, read) = (self.write_edge.rose(), self.read_edge.rose());
        if read {
            let word = is_high(&self.read_enable).then(|| self.words.read(&self.read_address));
            self.port.clock(word, self.output_enable.as_ref());
        }
        if written && is_high(&self.write_enable) {
            self.words.write(&self.write_address, &self.write_data);
        }
        self.read_data.drive(Bits::constant(self.port.value()));
    }

    fn hdl(&self) -> Verilog {
        let mut clocked =
            self.shape.clocked("write_clk", &["write_enable", "write_address", "write_data"], &[]);
        let read_ports = &["read_enable", "read_address", "read_data"];
        clocked.extend(self.shape.clocked("read_clk", read_ports, &["output_enable"]));
        let mut behaviour = Behaviour::default();
        let words = self.shape.memory(&mut behaviour);
        let write = (self.write_enable.val(), self.write_address.val(), self.write_data.val());
        behaviour.write(words, &self.write, write.0, write.1, write.2);
        let read = (self.read_enable.val(), self.read_address.val());
        let word = self.shape.read_port(&mut behaviour, words, &self.read, read, self.output_enable.as_ref());
        behaviour.output(&self.read_data, word);
        describe(Primitive {
            behaviour: Some(behaviour),
            module: format!("dual_clock_ram_{}", self.shape.name()),
            docs: "Memory written on one clock and read on another; a word is stable while it is read."
                .into(),
            verilog: self.verilog(),
            ecp5: ecp5::crossing_ram(&self.shape),
            clocked,
            resource: self.shape.resource(),
            memory_files: self.shape.memory_files(),
            crossing: Some(Crossing {
                kind: CrossingKind::StableData,
                from: "write_data",
                to_clock: "read_clk",
                first_register: "read_latch",
                width: self.shape.width,
            }),
            ..Primitive::default()
        });
        timing(self.shape.latency_clocks(), 1);
        Verilog::Empty
    }
}
