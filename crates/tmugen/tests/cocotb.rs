//! `examples/cocotb` as a user runs it: bus models that are not ours, golden samples, and a four-state simulation in which
//! no X or Z may reach an output after reset.

use std::process::Command;

/// A Python interpreter with cocotb: the system's, or that of the environment that `scripts/setup` makes.
fn python() -> Option<String> {
    let cache = tmu_verilate::cache_directory().ok()?;
    let candidates = [cache.join("python/bin/python3").display().to_string(), "python3".to_owned()];
    candidates.into_iter().find(|python| {
        let found = Command::new(python).args(["-c", "import cocotb, cocotbext.axi"]).output();
        found.is_ok_and(|output| output.status.success())
    })
}

/// Runs the example on a preset; everything without an initial value begins as X.
fn assert_draws(preset: &str) {
    // The tests of `tmu-verilate` say which simulators are missing.
    if tmu_verilate::Tools::vvp().is_err() {
        return;
    }
    let python = python().expect("cocotb and cocotbext-axi are not installed; run scripts/setup");
    let example = tmu_testing::repository().join("examples/cocotb");
    let work = tempfile::tempdir().expect("a directory");
    let output = Command::new(python)
        .arg(example.join("run.py"))
        .args(["--tmugen", env!("CARGO_BIN_EXE_tmugen"), "--preset", preset, "--quads", "100", "--work"])
        .arg(work.path())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .expect("Python starts");
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    assert!(text.contains(&format!("cocotb: {preset}, 1 tests, 0 failed, 100 quads")), "{text}");
}

#[test]
fn one_unit_draws_from_unknown_state() {
    assert_draws("fury-single");
}

#[test]
fn four_units_draw_from_unknown_state() {
    assert_draws("fury");
}

#[test]
fn a_streaming_unit_draws_from_unknown_state() {
    assert_draws("stream");
}

#[test]
fn a_unit_that_takes_quads_draws_from_unknown_state() {
    assert_draws("quad");
}
