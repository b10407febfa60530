//! The texture unit: one file per stage in data-flow order.

pub mod bundles;

pub mod request;
pub mod extent;
pub mod lod;
mod level_offsets;
pub mod coordinate;
pub mod address;
pub mod cache;
pub mod replacement;
pub mod decode;
pub mod filter;
pub mod result_register;
pub mod unit_ports;
pub mod unit;

pub mod stream;

pub mod memory_port;

pub mod registers;
pub mod counters;
pub mod control;
pub mod control_registers;
pub mod reset;

pub mod top;

pub mod outputs;
