//! Each stage by itself against its counterpart in the golden model, or against a few lines where it is about time.

mod address;
mod blocks;
mod cache;
mod coordinate;
mod control_registers;
mod counters;
mod data_stage;
mod decode;
mod fill;
mod filter;
mod general_area;
mod general_axis;
mod general_lod;
mod general_probes;
mod lod;
mod memory_port;
mod miss_queue;
mod quad_scheduler;
mod replacer;
mod request;
mod reset;
mod support;
mod tag_stage;
mod verilog;
