//! Every primitive: its Rust model against its Verilog, what it promises, what the tools say and infer.

mod harness;
mod memories;
mod multipliers;
mod ports;
mod stimulus;
mod streams;
mod subject;
