//! RTL toolkit on rust-hdl: run-time widths, primitives, design checks and a typed Verilog back end.
