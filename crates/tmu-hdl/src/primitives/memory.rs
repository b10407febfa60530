//! What all memories share: shape, style, contents, the words of the Rust model, the declaration in Verilog.
//!
//! Words and output registers power up undefined in Verilog, unless contents are given, so that simulation
//! shows a design that reads what it never wrote; the Rust model powers up with zeros. An address at or past
//! the depth must not be used: the Rust model reads zero there and ignores the write.

use crate::behaviour::{Behaviour, MemoryId};
use crate::bits::{Bits, cat};
use crate::clock::Clocks;
use crate::net::Net;
use crate::primitive::{Resource, ResourceKind};
use crate::value::Value;
use crate::verilog::literal;
use crate::verilog::text::{range, select};
use rust_hdl_core::prelude::In;

/// Where the device keeps a memory: the attribute `ram_style`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RamStyle {
    /// The tool decides.
    #[default]
    Auto,
    /// Block RAM: RAMB18E2, RAMB36E2.
    Block,
    /// LUT RAM, with a flip-flop for each output bit.
    Distributed,
    /// URAM288; contents cannot be given.
    Ultra,
}

impl RamStyle {
    fn attribute(self, key: &str) -> String {
        let style = match self {
            RamStyle::Auto => return String::new(),
            RamStyle::Block => "block",
            RamStyle::Distributed => "distributed",
            RamStyle::Ultra => "ultra",
        };
        format!("(* {key} = \"{style}\" *) ")
    }

    fn resource_kind(self) -> ResourceKind {
        match self {
            RamStyle::Auto | RamStyle::Block => ResourceKind::BlockRam,
            RamStyle::Distributed => ResourceKind::DistributedRam,
            RamStyle::Ultra => ResourceKind::UltraRam,
        }
    }
}

/// The words that a memory holds after configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    words: Vec<Value>,
    file: Option<String>,
}

impl Contents {
    /// Words, all of one width, that the Verilog reads from the file `NAME.mem` beside it with `$readmemh`.
    pub fn in_file(name: &str, words: Vec<Value>) -> Contents {
        Contents { words, file: Some(format!("{name}.mem")) }
    }

    /// Words, all of one width, that stand in the Verilog one by one: for a few of them.
    pub fn inline(words: Vec<Value>) -> Contents {
        Contents { words, file: None }
    }

    /// The words.
    pub fn words(&self) -> &[Value] {
        &self.words
    }

    /// The file that the Verilog reads, name and text.
    pub(crate) fn memory_file(&self) -> Option<(String, String)> {
        let name = self.file.clone()?;
        let line = |w: &Value| format!("{:0>digits$}\n", format!("{w:x}"), digits = w.width().div_ceil(4));
        Some((name, self.words.iter().map(line).collect()))
    }

    fn verilog(&self) -> String {
        match &self.file {
            Some(file) => format!("initial $readmemh(\"{file}\", memory);\n"),
            None => {
                let word = |(i, w): (usize, &Value)| format!("    memory[{i}] = {};\n", literal(w));
                let words: String = self.words.iter().enumerate().map(word).collect();
                format!("initial begin\n{words}end\n")
            }
        }
    }
}

/// Depth, width and make of a memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RamShape {
    pub(crate) depth: usize,
    pub(crate) width: usize,
    pub(crate) style: RamStyle,
    pub(crate) output_register: bool,
    pub(crate) contents: Option<Contents>,
    /// Whether no word is read in the clock in which it is written.
    pub(crate) reads_apart: bool,
    lane_bits: Option<usize>,
}

impl RamShape {
    /// `depth` words, at least 2, of `width` bits; the tool decides where, no output register, no contents.
    pub fn new(depth: usize, width: usize) -> RamShape {
        assert!(depth >= 2, "a memory has at least 2 words, not {depth}");
        RamShape {
            depth,
            width,
            style: RamStyle::Auto,
            output_register: false,
            contents: None,
            reads_apart: false,
            lane_bits: None,
        }
    }

    /// Chooses where the device keeps it.
    pub fn style(mut self, style: RamStyle) -> RamShape {
        self.style = style;
        self
    }

    /// Adds the memory's own output register, with a clock enable.
    pub fn output_register(mut self, present: bool) -> RamShape {
        self.output_register = present;
        self
    }

    /// Gives the words after configuration, one for each address.
    pub fn contents(mut self, contents: Contents) -> RamShape {
        let count = contents.words.len();
        assert!(count == self.depth, "contents of {count} words for a memory of {}", self.depth);
        for (address, word) in contents.words.iter().enumerate() {
            let (width, expected) = (word.width(), self.width);
            assert!(width == expected, "word {address} has {width} bits in a memory of {expected}");
        }
        self.contents = Some(contents);
        self
    }

    /// Gives each `lane_bits` bits of a word their own bit of the write enable, the lowest first: 8 for byte enables. The
    /// device's block RAM has them for 8 and 9 bits, UltraRAM too; LUT RAM for any.
    ///
    /// Only memories whose documentation says so take such a shape.
    pub fn lanes(mut self, lane_bits: usize) -> RamShape {
        let whole = lane_bits > 0 && self.width.is_multiple_of(lane_bits);
        assert!(whole, "words of {} bits have no whole lanes of {lane_bits} bits", self.width);
        self.lane_bits = Some(lane_bits);
        self
    }

    /// Promises that no word is read in the clock in which it is written; the Rust model panics where one is. Devices whose block
    /// RAM does not say what is read then need nothing beside it.
    pub fn reads_apart(mut self) -> RamShape {
        self.reads_apart = true;
        self
    }

    /// Whether it may be kept in block RAM.
    pub(crate) fn is_block(&self) -> bool {
        matches!(self.style, RamStyle::Auto | RamStyle::Block)
    }

    /// Bits of the write enable.
    pub(crate) fn write_enable_bits(&self) -> usize {
        self.width / self.lane_bits.unwrap_or(self.width)
    }

    /// Refuses a shape with lanes, for a memory that has none.
    #[track_caller]
    pub(crate) fn refuse_lanes(&self) {
        assert!(self.lane_bits.is_none(), "this memory writes whole words, its shape asks for lanes");
    }

    /// Verilog that writes what `write_enable` says, in a clocked process, indented by `indent`.
    pub(crate) fn write(&self, indent: &str, address: &str) -> String {
        let lanes = self.write_enable_bits();
        if lanes == 1 {
            return format!("{indent}if (write_enable) memory[{address}] <= write_data;\n");
        }
        let bits = self.width / lanes;
        let lane = |lane: usize| {
            let range = select(lane * bits, bits);
            format!("{indent}if (write_enable[{lane}]) memory[{address}]{range} <= write_data{range};\n")
        };
        (0..lanes).map(lane).collect()
    }

    /// Bits of an address.
    pub fn address_bits(&self) -> usize {
        self.depth.next_power_of_two().ilog2() as usize
    }

    /// Clocks from an address to its word.
    pub fn latency_clocks(&self) -> u32 {
        1 + u32::from(self.output_register)
    }

    /// `512x72`, for module names.
    pub(crate) fn name(&self) -> String {
        let lanes = self.lane_bits.map(|bits| format!("_lanes_{bits}")).unwrap_or_default();
        format!("{}x{}{lanes}", self.depth, self.width)
    }

    /// Declares `memory` with its contents; `key` is the attribute that holds the style.
    pub(crate) fn declaration(&self, key: &str) -> String {
        let attribute = self.style.attribute(key);
        let range = range(self.width);
        let contents = self.contents.as_ref().map(Contents::verilog).unwrap_or_default();
        format!("{attribute}reg {range}memory [0:{}];\n{contents}", self.depth - 1)
    }

    /// Verilog behind a word that was read into `PREFIXread_latch`: the output register where there is one.
    pub(crate) fn output(&self, clock: &str, prefix: &str) -> String {
        if !self.output_register {
            return format!("assign {prefix}read_data = {prefix}read_latch;\n");
        }
        let range = range(self.width);
        format!(
            "\nreg {range}{prefix}read_output;\n\
             always @(posedge {clock}) begin\n\
             \x20   if ({prefix}output_enable) {prefix}read_output <= {prefix}read_latch;\n\
             end\n\
             assign {prefix}read_data = {prefix}read_output;\n"
        )
    }

    /// `ports` and, where there is an output register, its enable: all on `clock`.
    pub(crate) fn clocked(
        &self,
        clock: &'static str,
        ports: &[&'static str],
        output_enables: &[&'static str],
    ) -> Vec<(&'static str, &'static str)> {
        let enables = if self.output_register { output_enables } else { &[] };
        ports.iter().chain(enables).map(|&port| (port, clock)).collect()
    }

    pub(crate) fn memory_files(&self) -> Vec<(String, String)> {
        self.contents.iter().filter_map(Contents::memory_file).collect()
    }

    pub(crate) fn resource(&self) -> Option<Resource> {
        Some(Resource { kind: self.style.resource_kind(), depth: self.depth, width: self.width })
    }

    /// The memory in a primitive's behaviour.
    pub(crate) fn memory(&self, behaviour: &mut Behaviour) -> MemoryId {
        behaviour.memory(self.depth, self.width, self.contents.as_ref().map(|c| c.words.clone()))
    }

    /// A write port in a primitive's behaviour. Lanes that are not enabled are written with what they hold.
    pub(crate) fn write_port(
        &self,
        behaviour: &mut Behaviour,
        memory: MemoryId,
        clocks: &Clocks,
        (enables, address, data): (Bits, Bits, Bits),
    ) {
        let lanes = self.write_enable_bits();
        if lanes == 1 {
            return behaviour.write(memory, clocks, enables, address, data);
        }
        let (held, bits) = (behaviour.read(memory, address), self.width / lanes);
        let lane = |lane: usize| {
            let (new, old) = (data.slice(lane * bits, bits), held.slice(lane * bits, bits));
            enables.bit(lane).mux(new, old)
        };
        let data: Vec<Bits> = (0..lanes).rev().map(lane).collect();
        behaviour.write(memory, clocks, enables.any(), address, cat(&data));
    }

    /// A read port in a primitive's behaviour: the latch of the memory and, where there is one, the output
    /// register.
    pub(crate) fn read_port(
        &self,
        behaviour: &mut Behaviour,
        memory: MemoryId,
        clocks: &Clocks,
        (enable, address): (Bits, Bits),
        output_enable: Option<&Net<In>>,
    ) -> Bits {
        let word = behaviour.read(memory, address);
        let latch = behaviour.hold(clocks, enable, word);
        output_enable.map_or(latch, |enable| behaviour.hold(clocks, enable.val(), latch))
    }

    /// Words of the Rust model.
    pub(crate) fn words(&self) -> Words {
        let zero = Value::zero(self.width);
        let given = self.contents.as_ref().map(|c| c.words.clone());
        Words { words: given.unwrap_or_else(|| vec![zero; self.depth]), zero }
    }
}

/// The words of a Rust model.
#[derive(Debug)]
pub(crate) struct Words {
    words: Vec<Value>,
    zero: Value,
}

impl Words {
    pub(crate) fn read(&self, address: &Net<In>) -> Value {
        let address = address.val().value().low_u64() as usize;
        self.words.get(address).copied().unwrap_or(self.zero)
    }

    pub(crate) fn write(&mut self, address: &Net<In>, data: &Net<In>) {
        let address = address.val().value().low_u64() as usize;
        if let Some(word) = self.words.get_mut(address) {
            *word = data.val().value();
        }
    }

    /// Writes the lanes whose bit of `enables` is set.
    pub(crate) fn write_lanes(&mut self, address: &Net<In>, data: &Net<In>, enables: &Net<In>) {
        let (enables, data) = (enables.val().value(), data.val().value());
        let address = address.val().value().low_u64() as usize;
        let Some(word) = self.words.get_mut(address) else { return };
        if enables.width() == 1 {
            *word = if enables.bit(0) { data } else { *word };
            return;
        }
        let lane_bits = data.width() / enables.width();
        for bit in 0..data.width() {
            if enables.bit(bit / lane_bits) {
                word.set_bit(bit, data.bit(bit));
            }
        }
    }
}

/// One read port of a Rust model: the latch of the memory and the output register.
#[derive(Debug)]
pub(crate) struct ReadPort {
    latch: Value,
    output: Value,
    output_register: bool,
}

impl ReadPort {
    pub(crate) fn new(shape: &RamShape) -> ReadPort {
        let zero = Value::zero(shape.width);
        ReadPort { latch: zero, output: zero, output_register: shape.output_register }
    }

    /// One clock edge: `word` is what the memory read, if it read.
    pub(crate) fn clock(&mut self, word: Option<Value>, output_enable: Option<&Net<In>>) {
        if output_enable.is_some_and(is_high) {
            self.output = self.latch;
        }
        self.latch = word.unwrap_or(self.latch);
    }

    pub(crate) fn value(&self) -> Value {
        if self.output_register { self.output } else { self.latch }
    }
}

/// The settled level of a one-bit input of a Rust model.
pub(crate) fn is_high(net: &Net<In>) -> bool {
    net.val().value().bit(0)
}
