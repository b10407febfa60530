//! A memory with two ports that both read and write.

use super::memory::{ReadPort, Words, is_high};
use super::{EdgeDetector, ModelState, RamShape};
use crate::behaviour::Behaviour;
use crate::kernel::timing;
use crate::prelude::*;
use crate::primitive::{Primitive, describe};
use crate::verilog::text::range;

/// One port of a [`RamTrueDualPort`].
#[derive(Debug, Bundle)]
pub struct RamPort {
    /// High to read and, where asked, to write.
    pub enable: Net<In>,
    /// High to write.
    pub write_enable: Net<In>,
    /// Where to read and write.
    pub address: Net<In>,
    /// The word to write.
    pub write_data: Net<In>,
    /// High to move the word that was read to the output register, where there is one.
    pub output_enable: Optional<Net<In>>,
    /// The word.
    pub read_data: Net<Out>,
}

impl RamPort {
    #[track_caller]
    fn new(shape: &RamShape) -> RamPort {
        RamPort {
            enable: Net::bit(),
            write_enable: Net::bit(),
            address: Net::new(shape.address_bits()),
            write_data: Net::new(shape.width),
            output_enable: Optional::new(shape.output_register, Net::bit),
            read_data: Net::new(shape.width),
        }
    }

    fn word(&self, words: &Words) -> Option<crate::value::Value> {
        is_high(&self.enable).then(|| words.read(&self.address))
    }

    fn write(&self, words: &mut Words) {
        if is_high(&self.enable) && is_high(&self.write_enable) {
            words.write(&self.address, &self.write_data);
        }
    }
}

/// A memory with two ports that both read and write, on one clock.
///
/// In a clock with its `enable` high a port writes, where its `write_enable` is high, and reads: its `read_data`
/// shows the word that its address held before, one clock later, and keeps it until its next clock with
/// `enable` high. With the output register it shows it one clock after `output_enable` was high behind that.
/// A port that reads what the other writes gets the old word. Both must not write one address in the same
/// clock. II 1 on both ports. One RAMB18E2 holds up to 1024 × 18, one RAMB36E2 1024 × 36; other sites do not
/// have two write ports.
#[derive(Debug, LogicBlock)]
pub struct RamTrueDualPort {
    /// The clock of both ports.
    pub clocks: Clocks,
    /// One port.
    pub a: RamPort,
    /// The other port.
    pub b: RamPort,
    shape: ModelState<RamShape>,
    clock_edge: EdgeDetector,
    words: ModelState<Words>,
    ports: ModelState<[ReadPort; 2]>,
}

impl RamTrueDualPort {
    /// A memory of this shape.
    #[track_caller]
    pub fn new(shape: RamShape) -> RamTrueDualPort {
        shape.refuse_lanes();
        let clocks = Clocks::without_reset();
        RamTrueDualPort {
            a: RamPort::new(&shape),
            b: RamPort::new(&shape),
            clock_edge: EdgeDetector::new(&clocks),
            words: ModelState::new(shape.words()),
            ports: ModelState::new([ReadPort::new(&shape), ReadPort::new(&shape)]),
            shape: ModelState::new(shape),
            clocks,
        }
    }

    fn verilog(&self) -> String {
        let port = |p: &str| {
            format!(
                "\nreg {range}{p}_read_latch;\n\
                 always @(posedge clk) begin\n\
                 \x20   if ({p}_enable) begin\n\
                 \x20       if ({p}_write_enable) memory[{p}_address] <= {p}_write_data;\n\
                 \x20       {p}_read_latch <= memory[{p}_address];\n\
                 \x20   end\n\
                 end\n\
                 {output}",
                range = range(self.shape.width),
                output = self.shape.output("clk", &format!("{p}_")),
            )
        };
        format!("{}{}{}", self.shape.declaration("ram_style"), port("a"), port("b"))
    }
}

impl Logic for RamTrueDualPort {
    fn update(&mut self) {
        if self.clock_edge.rose() {
            let read = [self.a.word(&self.words), self.b.word(&self.words)];
            for (i, port) in [&self.a, &self.b].into_iter().enumerate() {
                self.ports[i].clock(read[i], port.output_enable.as_ref());
                port.write(&mut self.words);
            }
        }
        self.a.read_data.drive(Bits::constant(self.ports[0].value()));
        self.b.read_data.drive(Bits::constant(self.ports[1].value()));
    }

    fn hdl(&self) -> Verilog {
        let mut behaviour = Behaviour::default();
        let words = self.shape.memory(&mut behaviour);
        for port in [&self.a, &self.b] {
            let (enable, address) = (port.enable.val(), port.address.val());
            let write_enable = enable & port.write_enable.val();
            behaviour.write(words, &self.clocks, write_enable, address, port.write_data.val());
            let (read, output) = ((enable, address), port.output_enable.as_ref());
            let word = self.shape.read_port(&mut behaviour, words, &self.clocks, read, output);
            behaviour.output(&port.read_data, word);
        }
        describe(Primitive {
            behaviour: Some(behaviour),
            module: format!("ram_true_dual_port_{}", self.shape.name()),
            docs: "Memory with two ports that read and write. A read of an address being written gives the old word."
                .into(),
            verilog: self.verilog(),
            clocked: self.shape.clocked("clk", PORTS, &["a_output_enable", "b_output_enable"]),
            resource: self.shape.resource(),
            memory_files: self.shape.memory_files(),
            ..Primitive::default()
        });
        timing(self.shape.latency_clocks(), 1);
        Verilog::Empty
    }
}

#[rustfmt::skip]
const PORTS: &[&str] = &[
    "a_enable", "a_write_enable", "a_address", "a_write_data", "a_read_data",
    "b_enable", "b_write_enable", "b_address", "b_write_data", "b_read_data",
];
