//! Builds Verilator and Icarus models of emitted Verilog and drives them from Rust.
#![deny(unsafe_code)]

mod batch;
mod build;
mod cache;
mod error;
mod ffi;
mod icarus;
mod instance;
mod model;
mod rows;
mod source;
mod tools;

pub use batch::Batch;
pub use build::{ModelOptions, OptimizeFor};
pub use cache::{CACHE_VARIABLE, cache_directory};
pub use error::{Error, Result};
pub use icarus::IcarusModel;
pub use instance::{Initial, Instance};
pub use model::{Model, PortId};
pub use rows::{Column, Difference, FourStateRows, RowLayout, Rows, Schedule};
pub use source::{Direction, MAX_PORT_WIDTH_BITS, ModelSource, Port, SourceFile};
pub use tools::{MissingTool, Tool, Tools};
