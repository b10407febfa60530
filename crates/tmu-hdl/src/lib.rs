//! RTL toolkit on rust-hdl: run-time widths, primitives, design checks and a typed Verilog back end.
//!
//! A block is a rust-hdl block: a struct of nets, registers and other blocks under `#[derive(LogicBlock)]`. New are
//! its nets, whose widths are numbers and not types, its kernel language, and everything that happens to it
//! afterwards. Who knows rust-hdl finds in the table what became of what; the rest of this page walks through a block.
//!
//! | rust-hdl | here |
//! | --- | --- |
//! | `Signal<In, Bits<8>>` | [`Net<In>`](net::Net), made by `Net::new(8)` |
//! | `DFF<Bits<8>>` with `dff_setup!` | [`Reg`](register::Reg), made by `Reg::new(&clocks, 8)` or `Reg::with_reset(&clocks, 8, 0)` |
//! | `Signal<In, Clock>` | [`Clocks`](clock::Clocks): a clock and, where wanted, a reset |
//! | `Constant<Bits<8>>` | [`lit(8, 200u32)`](bits::lit), with [`named`](bits::Bits::named) if the Verilog shall keep the name |
//! | `#[hdl_gen] fn update(&mut self)` | `#[kernel] impl Block { fn logic(&self) { … } }` |
//! | `bit_cast::<16, 8>(x)`, `x.get_bits::<4>(2)` | `x.zero_extend(16)`, `x.slice(2, 4)` |
//! | `generate_verilog(&top)` | [`elaborate`](elaborate::elaborate), then [`emit`](verilog::emit) |
//!
//! # A block
//!
//! ```
//! use tmu_hdl::{elaborate::elaborate, prelude::*, simulate::Simulator, verilog::{Header, emit}};
//!
//! /// The sum of all items of a stream, item by item.
//! #[derive(LogicBlock)]
//! struct Accumulate {
//!     clocks: Clocks,
//!     input: StreamIn,
//!     output: StreamOut,
//!     full: Reg,
//!     sum: Reg,
//! }
//!
//! impl Accumulate {
//!     fn new(width: usize) -> Accumulate {
//!         let clocks = Clocks::new();
//!         Accumulate {
//!             input: StreamIn::new(width),
//!             output: StreamOut::new(width),
//!             full: Reg::with_reset(&clocks, 1, 0),
//!             sum: Reg::with_reset(&clocks, width, 0),
//!             clocks,
//!         }
//!     }
//! }
//!
//! /// Adds up a stream.
//! #[kernel]
//! impl Accumulate {
//!     fn logic(&self) {
//!         timing(1, 1);
//!         /// # Handshake
//!         let moves = !self.full.val() || self.output.ready.val();
//!         self.input.ready.next = moves;
//!         if moves {
//!             self.full.next = self.input.valid.val();
//!         }
//!         self.output.valid.next = self.full.val();
//!
//!         /// # Sum
//!         if moves && self.input.valid.val() {
//!             /// Wraps, as every sum does that is not widened.
//!             self.sum.next = self.sum.val() + self.input.data.val();
//!         }
//!         self.output.data.next = self.sum.val();
//!     }
//! }
//!
//! # fn main() -> Result<(), tmu_hdl::diagnostic::Problems> {
//! // Simulation in Rust: drive inputs, give clocks, read outputs.
//! let mut simulator = Simulator::new("accumulate", Accumulate::new(12))?;
//! simulator.block.output.ready.drive(1);
//! simulator.block.input.valid.drive(1);
//! for item in [1000, 2000, 3000] {
//!     simulator.block.input.data.drive(item);
//!     simulator.tick(|block| &block.clocks);
//! }
//! assert_eq!(simulator.block.output.data.val().to_u64(), 6000 % 4096);
//!
//! // Verilog of any width, from the same struct.
//! let design = elaborate("accumulate_12", &Accumulate::new(12))?;
//! let text = emit(&design).to_file(&Header::default());
//! assert!(text.contains("input  wire [11:0] input_data"));
//! assert!(text.contains(
//! "    always @(posedge clk) begin
//!         if (rst) begin
//!             sum <= 12'd0;
//!         end else if (moves && input_valid) begin
//!             // Wraps, as every sum does that is not widened.
//!             sum <= sum + input_data;
//!         end
//!     end"));
//! # Ok(())
//! # }
//! ```
//!
//! # Nets and registers
//!
//! A [`Net`](net::Net) is a wire. Reading it gives its settled value, wherever in the kernel it is driven, so the
//! order of statements does not matter; of two drives of one net the later one counts, which makes defaults easy. A
//! wire must be driven on every path. A [`Reg`](register::Reg) reads as its output and drives its input, and holds its value
//! where it is not driven: that `if` is its clock enable. It knows its clock, its reset and both their values from its
//! constructor; synchronous reset comes before enable. [`Net::attribute`](net::Net::attribute) and
//! [`Reg::attribute`](register::Reg::attribute) put `keep`, `ASYNC_REG` and the like into the Verilog.
//!
//! # Widths
//!
//! Every value has a width, and nothing is cut or extended silently. Sums, bitwise operators and comparisons take two
//! values of one width; a plain number takes the width of the other side and must fit. `a * b` is as wide as both
//! together, [`add_wide`](bits::Bits::add_wide) keeps the carry, [`signed`](bits::Bits::signed) gives the view for signed
//! comparison, product, shift and extension. A mistake names both sides and where they come from:
//!
//! ```text
//! error[H001]: operands of `+` are 8 and 5 bits wide
//!   in top.unit_0.lod
//!   written: src/lod.rs:81:9
//!   operand 0, `base`, 8 bits: src/lod.rs:40:13
//!   operand 1, `half`, 5 bits: src/lod.rs:79:13
//!   help: make both of one width: zero_extend, sign_extend, slice or low
//! ```
//!
//! # The kernel language
//!
//! A kernel is Rust that runs: on numbers in simulation, and once under a recorder while a design is elaborated.
//! [`#[kernel]`](prelude::kernel) rewrites only what Rust fixes for itself; see [`kernel`] for the list.
//!
//! - `if` on one bit becomes hardware, as a statement or as a value. `if` on a `bool` is decided at elaboration.
//! - Functions: `#[kernel] fn leading_zeros(value: Bits) -> Bits { … }` on a plain function, called like any other.
//! - Loops over arrays: a field `Vec<Net<In>>` or `Vec<Stage>`, an ordinary `for`, iterators, closures.
//! - Optional parts: a field [`Optional<Stage>`](bundle::Optional) that a configuration may leave out; what is absent
//!   leaves nothing behind. [`Numbered`](bundle::Numbered) parts are called `port0`, `port1`.
//! - Bundles: a struct of nets under `#[derive(Bundle)]`, such as [`StreamIn`](bundle::StreamIn) and
//!   [`StreamOut`](bundle::StreamOut), whose names start with the field's; those of a [`Flat`](bundle::Flat) one do not.
//! - Records: a struct under `#[derive(Record)]` is shape, value, ports and registers of a word of named parts, see
//!   [`records`].
//! - Enums: an enum under `#[derive(HardwareEnum)]` in a net or register, with `match`, see [`enums`]. A `match` on bits
//!   has numbers as its patterns. Other `match`es are those of Rust.
//! - Pipes: values put in at one named stage and asked for at another, see [`pipe`]: registers and latency follow.
//! - Sub-blocks: drive their inputs and read their outputs; `child.clocks.follow(&self.clocks)` clocks them.
//!
//! # Names, comments, banners
//!
//! Names are those of the source: fields, `let`s, [named constants](bits::Bits::named). An array of equal nets is one
//! vector, of registers, wires and ports alike: item 2 of `words`, eight bits each, is `words[2*8 +: 8]`, of bits
//! `ready[2]`. Registers that each get the one before them print as one row, `words <= {words[3*8-1:0], input};`. Items
//! keep names of their own, with their position at the end, where they have different widths, processes or attributes, or
//! follow from each other within a clock, which many tools take for a loop of the vector; so do the ports of the top, which
//! others connect to, and instances. Where a `let` stands for several wires, since a function is called more than once or a loop goes round, each
//! wire gets as much of where it comes from as tells it apart: `let red = blend(a, b)` makes the `sum` in `blend` a
//! `red_sum`, `for lane in 0..2` makes a `lane_0_sum` and a `lane_1_sum`. A wire beside a net of its name ends in `_value`,
//! and a keyword of Verilog or SystemVerilog in `_`; those of the top module are refused instead, since others rely on
//! them. What still meets is counted, and [`Module::declarations`](verilog::Module::declarations) tells such a number from a
//! position. `/// text` before a statement is a comment in the Verilog, `/// # text` a banner, the docs
//! of the `impl` block stand above the module. [`discard`](kernel::discard) says that bits are deliberately unused,
//! [`timing`](kernel::timing) declares latency and initiation interval.
//!
//! # Clocks
//!
//! A block has as many [`Clocks`](clock::Clocks) as it needs, [named](clock::Clocks::named) where there are several.
//! Data passes from one to another only inside a primitive that declares the crossing; anything else is refused, and
//! the [`manifest`] lists every crossing with its registers, from which constraints are made. What feeds such a primitive
//! is looked at too; [`crossing`] has the rules, and how a design declares, with a reason, what they cannot see.
//!
//! # Arithmetic and buses
//!
//! [`arithmetic`] has rounding, saturation, counting and adder trees as functions, and pipelined blocks for exact division
//! and single precision. [`bus`] has AXI4 masters, AXI4-Lite and Wishbone, and banks of registers from a table. Numbers
//! may stand on either side of an operator, and be negative beside a signed value: `3 + x`, `x.signed() < -3`, `lit(8, -3)`.
//!
//! # Primitives
//!
//! [`primitives`] holds memories, synchronisers, FIFOs, the arbiter and multipliers, each a Rust model and Verilog text
//! that were compared over 50,000 random clocks and more, with the cells that Yosys infers counted by a test.
//! [`primitive::describe`] makes one of your own. [`streams`] holds parts that streams are put together from.
//!
//! # Checks
//!
//! [`elaborate`](elaborate::elaborate) returns a design that kept every rule, or all that is wrong with it. Codes are
//! stable.
//!
//! | code | rule |
//! | --- | --- |
//! | H001 | widths fit |
//! | H002 | what is read, and every input of a sub-block, has a driver |
//! | H003 | and only one |
//! | H004 | no combinational loop: no bit depends on itself, though its net may |
//! | H005 | no latch: a wire has a value on every path |
//! | H006 | no data between clocks outside a crossing primitive |
//! | H006.1 | an input of the top is sampled on one clock, unless it is declared |
//! | H006.2 | a register is reset by a reset of its own clock |
//! | H006.3 | bits that crossed apart do not meet |
//! | H006.4 | several bits through one synchroniser are a code of which one changes at a time |
//! | H006.5 | a synchroniser is fed straight from a register |
//! | H006.6 | and from one clock that is not its own |
//! | H006.7 | a clock is not read as data |
//! | H007 | names that others rely on can stand as they are |
//! | H008 | nothing that hardware, or this back end, cannot express |
//! | H009 | the value of a register reaches an output, a memory or a property |
//! | H010 | an input is read by its block; clocks and resets need not be |
//!
//! What breaks H009 or H010 deliberately is named, with the reason, by [`discard`](kernel::discard).
//!
//! # What is refused
//!
//! - Blocks in rust-hdl's own kernel language, `#[hdl_gen]`, its widgets among them, each by name with the part that takes
//!   its place: its syntax tree has no widths, and rust-hdl's printer
//!   gives Verilog that means something else for eight of the fifteen small kernels in `tests/differential/probes.rs`.
//! - A Rust value that changes under a hardware `if` and is seen behind it, in whatever way it changes; leaving such an
//!   `if` early; asking a signal for its number: hardware has both sides of an `if` and no numbers yet. What changes and
//!   is not seen again is fine. Each kernel is run on single sides of its `if`s, `&&` and `||`, as simulation runs it, and
//!   what it drives must be what its graph says.
//! - A kernel that does not do the same each time it runs, by a counter, a static or an order by chance.
//! - Values that travel from block to block without a port.
//!
//! # Simulation in Rust
//!
//! [`simulate::Simulator`] runs a block through its fields, [`simulate::Interpreter`] a design by the names of its ports:
//! the recorded graph, levelised, a whole texture unit at ten thousand clocks a second and more. VCD waveforms, unknown
//! bits where nothing was written, and the properties that kernels state come with it. `tmu-cosim` compares a block with
//! its Verilog under Verilator and Icarus in one call.
//!
//! # Properties
//!
//! [`property::assert`], [`property::assume`] and [`property::cover`] in a kernel are checked in Rust simulation, stand in
//! the Verilog for simulators and provers that define `TMUGEN_PROPERTIES`, and are proved by `tmu-formal`.
//!
//! # Verilog
//!
//! Verilog-2001, one module per block, identical ones shared, the same bytes each time. Verilator, Icarus, Yosys and
//! slang read it with all warnings on and without one. [`verilog::emit_with_places`] adds the place in the source to each
//! assignment. Thousands of random kernels of all operators, 1 to 300 bits wide,
//! run in Rust, Verilator and Icarus alike. Tests plant 36 faults in the back end and see each one found: 32 by what the
//! Verilog does, one by its readers, and lost attributes in a netlist.
//!
//! Elaborating, checking, printing and describing a design of 200 different modules takes 80 ms (median of 100 runs on
//! a busy 2-core machine, the fastest 42 ms): `cargo bench -p tmu-hdl`.
//!
//! # The way through the crate
//!
//! [`net`], [`register`], [`clock`], [`bundle`], [`records`], [`enums`], [`pipe`] and [`bits`] are what blocks are written with, [`kernel`]
//! is what their kernels become.
//! [`record`] keeps what a kernel does as a graph of [`op`]erators, [`elaborate`] makes a [`design`] of it, `check` looks
//! it over, [`verilog`] prints it and [`manifest`] describes it, [`connections`] says who drives whom. [`mutate`] plants faults in it, by the names of the source. [`simulate`] runs it on [`value`]s; what a [`primitive`]
//! computes says its [`behaviour`].

extern crate self as tmu_hdl;

pub mod arithmetic;
mod atom;
pub mod behaviour;
pub mod bits;
pub mod bundle;
pub mod bus;
pub mod check;
pub mod clock;
pub mod connections;
pub mod crossing;
mod dependencies;
pub mod design;
pub mod diagnostic;
pub mod elaborate;
pub mod enums;
mod foreign;
pub mod kernel;
pub mod manifest;
#[cfg(test)]
mod misuse;
#[cfg(test)]
mod regressions;
pub mod mutate;
pub mod net;
pub mod op;
mod operators;
pub mod pipe;
pub mod primitive;
pub mod primitives;
pub mod property;
pub mod record;
pub mod records;
pub mod register;
pub mod signed;
mod simplify;
pub mod simulate;
#[cfg(not(any(test, feature = "planted-faults")))]
mod soundness;
#[cfg(any(test, feature = "planted-faults"))]
pub mod soundness;
pub mod streams;
#[cfg(test)]
mod testing;
pub mod value;
pub mod verilog;

pub use record::is_recording;

/// What of rust-hdl is used, for macros and for code that implements its traits: its core, with `Block`, `Logic`, `Probe`
/// and `Atom`.
pub mod rust_hdl {
    pub use rust_hdl_core as core;
}

/// What a file that describes hardware needs.
pub mod prelude {
    pub use crate::bits::{Bits, cat, lit, stack};
    pub use crate::bundle::{Flat, Numbered, Optional, StreamIn, StreamOut};
    pub use crate::clock::Clocks;
    pub use crate::crossing::{CrossingRule, crossing_waiver};
    pub use crate::enums::{Enum, EnumNet, EnumReg, HardwareEnum};
    pub use crate::kernel::{discard, timing};
    pub use crate::net::Net;
    pub use crate::pipe::{Keep, Payload, Pipe, Run, Stages};
    pub use crate::property::{assert, assert_on, assume, assume_on, cover, cover_on};
    pub use crate::records::{Field, FieldReg, Record, Shape, Signals, Width, Word};
    pub use crate::register::Reg;
    pub use crate::signed::Signed;
    pub use rust_hdl_core::prelude::{
        Block, In, Local, Logic, LogicBlock, Out, Probe, Verilog, block, logic, probe,
    };
    pub use tmu_hdl_macros::{Bundle, HardwareEnum, Record, Stages, kernel};
}
