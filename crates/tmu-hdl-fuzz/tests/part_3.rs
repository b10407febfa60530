//! The fourth fifth of the random programs; see `programs`.

#[path = "../../tmu-hdl/tests/differential/bench.rs"]
#[allow(dead_code)]
mod bench;
#[path = "../../tmu-hdl/tests/differential/harness.rs"]
#[allow(dead_code)]
mod harness;
#[allow(dead_code)]
mod programs;

programs::part!("/part_3.rs");
