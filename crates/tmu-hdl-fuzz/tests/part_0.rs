//! The first fifth of the random programs; see `programs`.

#[path = "../../tmu-hdl/tests/differential/bench.rs"]
#[allow(dead_code)]
mod bench;
#[path = "../../tmu-hdl/tests/differential/harness.rs"]
#[allow(dead_code)]
mod harness;
#[allow(dead_code)]
mod programs;

programs::part!("/part_0.rs");

#[test]
fn without_the_comparison_refused_programs_are_wrong_hardware() {
    programs::refused_programs_are_wrong_hardware(&part::PART);
}
