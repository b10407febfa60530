//! Builds Verilator and Icarus models of emitted Verilog and drives them from Rust.
