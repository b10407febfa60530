//! Builds Verilator and Icarus models of emitted Verilog and drives them from Rust.
#![deny(unsafe_code)]

mod batch;
mod build;
mod cache;
mod depth;
mod error;
mod ffi;
mod icarus;
mod instance;
mod lint;
mod model;
mod netlist;
mod rows;
mod source;
mod synth;
mod tools;

pub use batch::Batch;
pub use build::{ModelOptions, OptimizeFor};
pub use cache::{CACHE_VARIABLE, cache_directory};
pub use depth::{Depth, Path, PathWeight, depth};
pub use error::{Error, Result};
pub use icarus::IcarusModel;
pub use instance::{Initial, Instance};
pub use lint::{
    Diagnostic, Severity, WAIVERS, icarus_lint, lint_with_all, slang_lint, verilator_lint, yosys_lint,
};
pub use model::{Model, PortId};
pub use netlist::{CellCounts, Netlist};
pub use rows::{Column, Difference, FourStateRows, RowLayout, Rows, Schedule};
pub use source::{Direction, MAX_PORT_WIDTH_BITS, ModelSource, Port, SourceFile};
pub use synth::{Family, Synthesis, synthesize};
pub use tools::{MissingTool, Tool, Tools};
