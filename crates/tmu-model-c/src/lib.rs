//! The golden model for programs that are not in Rust: a C library, and a SystemVerilog package over DPI-C.
//!
//! | module | holds |
//! | --- | --- |
//! | [`memory`] | texture memory in pages, of which only what was written can be read |
//! | [`golden`] | a unit of a configuration: beats of the request stream in, beats of the result stream out |
//! | [`boundary`] | the functions that C calls, the only unsafe code |
//!
//! `include/tmu_golden.h` declares the functions for C and C++, `dpi/tmu_golden_dpi.sv` for SystemVerilog; tests compile both and
//! hold them to [`boundary`].

pub mod boundary;
pub mod golden;
pub mod memory;
