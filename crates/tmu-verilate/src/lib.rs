//! Builds Verilator and Icarus models of Verilog and drives them from Rust; lints and synthesizes it, too.
//!
//! The crate knows Verilog by its text and its list of ports, nothing of what it computes. It serves tests that
//! compare a Rust description with its Verilog, and simulations of a whole unit of any configuration.
//!
//! ```no_run
//! use tmu_verilate::{IcarusModel, Model, ModelOptions, ModelSource, Port, RowLayout, Rows, Schedule};
//!
//! # fn main() -> tmu_verilate::Result<()> {
//! let verilog = "module inc(input wire clk, input wire [7:0] a, output reg [7:0] y);
//!   always @(posedge clk) y <= a + 8'd1;
//! endmodule";
//! let ports = vec![Port::clock("clk"), Port::input("a", 8), Port::output("y", 8)];
//! let source = ModelSource::single("inc", verilog, ports);
//!
//! // Step by step, under Verilator.
//! let model = Model::build(&source, &ModelOptions::default())?;
//! let [a, y] = [model.port("a")?, model.port("y")?];
//! let mut inc = model.instance()?;
//! inc.set(a, 41);
//! inc.step_cycles(1)?;
//! assert_eq!(inc.get(y), 42);
//!
//! // The same rows in both simulators.
//! let mut inputs = Rows::zeros(RowLayout::inputs(&source, Schedule::Cycles), 100);
//! inputs.set(7, "a", 3);
//! let verilated = model.instance()?.run(Schedule::Cycles, &inputs)?;
//! let interpreted = IcarusModel::build(&source, Schedule::Cycles)?.run(&inputs)?;
//! println!("{:?}", interpreted.first_difference(&verilated)); // row 0, y: expected 'h00, got 'bxxxxxxxx
//! # Ok(())
//! # }
//! ```
//!
//! # The way through the crate
//!
//! 1. [`ModelSource`] is Verilog with its ports, [`Batch`] joins many into one.
//! 2. [`Model::build`] runs Verilator and a C++ compiler (`build`), keeps the result (`cache`), and loads it (`ffi`).
//!    [`CoreBuild`] does the same for a crate's build script, and [`Model::open`] loads what it left.
//! 3. [`Instance`] is one running model, [`Clocks`] drive it; [`Rows`] carry stimulus and response, for it and for [`IcarusModel`].
//! 4. [`CoverageCounts`] are what instances of a model built for it have covered, read and added up.
//! 5. [`verilator_lint`], [`icarus_lint`], [`yosys_lint`] and [`slang_lint`] give four readers' findings;
//!    [`synthesize`] counts cells ([`CellCounts`]) and measures [`depth()`]; [`gates()`] gives the netlist to be simulated; [`mod@route`] places
//!    and routes on ECP5.
//!
//! [`Tools`] finds the programs. Without them everything compiles, and each use is an error that says what to
//! install.
//!
//! # Cost
//!
//! A small module costs about a second to build, and nothing once it is in the cache. A hundred random modules as
//! one [`Batch`] built [for build time](OptimizeFor::BuildTime) cost about 25 ms each. A loaded model is native code:
//! an evaluation of a small one takes 10 ns in [`Instance::run`] and 20 ns step by step (`cargo bench`).
//!
//! # Why not a published crate
//!
//! None fits Verilator 5, several clocks and modules that are known only at run time; ARCHITECTURE.md has them one by one. What
//! is left to write once they are set aside is one C++ file (`sim/model_shim.cpp`), and a cache.
//!
//! # What the C++ side takes care of
//!
//! - Each entry makes the instance's context the thread's own. Instances of one thread otherwise use each other's.
//! - The context has one thread before the model exists: Verilator 5.006 starts workers otherwise.
//! - A failed assertion is recorded and returned, a fatal error is thrown and caught; neither ends the process.
//! - Clocks are low before the first evaluation, whatever their level in it, so that the first edge counts.
//! - The list of C++ files is the one that Verilator writes; it runs inside its output directory with relative names,
//!   so coverage data and messages do not depend on the place.
//! - Each library hides its symbols and binds to its own, so that many are loaded at once. None is ever unloaded.
//! - Port *i* is called `p<i>` in a wrapper around the top module: no tool mangles that.
//! - Files that Verilog reads by relative name are found beside the model, not in the working directory.
#![deny(unsafe_code)]

mod batch;
mod build;
mod cache;
mod clocks;
mod cores;
mod coverage;
mod depth;
mod digests;
mod error;
mod ffi;
mod gates;
mod icarus;
mod instance;
mod lint;
mod model;
mod netlist;
pub mod route;
mod rows;
mod source;
mod synth;
mod tools;

pub use batch::Batch;
pub use build::{ModelOptions, OptimizeFor};
pub use cache::{CACHE_VARIABLE, Key, cache_directory};
pub use clocks::Clocks;
pub use cores::{BuiltCore, CoreBuild};
pub use coverage::{CoverageCounts, CoverageKind, CoveragePoint};
pub use depth::{Depth, Path, PathWeight, depth};
pub use error::{Error, Result};
pub use gates::{Cells, gates};
pub use icarus::IcarusModel;
pub use instance::{Initial, Instance};
pub use lint::{
    Diagnostic, Severity, WAIVERS, icarus_lint, lint_with_all, slang_lint, verilator_lint, yosys_lint,
};
pub use model::{Model, PortId};
pub use netlist::{CellCounts, Netlist};
pub use rows::{Column, Difference, FourStateRows, RowLayout, Rows, Schedule};
pub use source::{Direction, MAX_PORT_WIDTH_BITS, ModelSource, Port, SourceFile};
pub use synth::{Family, Synthesis, read_netlist, synthesize};
pub use tools::{MissingTool, Tool, Tools};
