//! `examples/ulx3s` as a user builds it: the whole board in simulation, and in the long run the bitstream.

use std::path::Path;
use std::process::{Command, Output};

/// Patterns of the kit, a line each.
const LINES: usize = 5;

/// Runs the example's script; none without the tools, of which tests of `tmu-verilate` say which are missing.
fn build(work: &Path, arguments: &[&str]) -> Option<String> {
    tmu_verilate::Tools::verilator().ok()?;
    let output = Command::new("python3")
        .arg(tmu_testing::repository().join("examples/ulx3s/build.py"))
        .args(["--tmugen", env!("CARGO_BIN_EXE_tmugen"), "--work"])
        .arg(work)
        .args(arguments)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .expect("Python starts");
    let said = text(&output);
    assert!(output.status.success(), "{said}");
    Some(said)
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// What the board sends, by the bench that the script has left.
fn sent(work: &Path) -> Vec<String> {
    let mut bench = Command::new(work.join("verilated/Vtb"));
    let output = bench.arg(format!("+lines={LINES}")).current_dir(work).output().expect("the bench starts");
    assert!(output.status.success(), "{}", text(&output));
    text(&output).lines().take(LINES).map(str::to_owned).collect()
}

#[test]
#[ignore = "simulates a whole board for a minute"]
fn the_board_sends_what_the_golden_model_says() {
    let work = tempfile::tempdir().expect("a directory");
    let Some(said) = build(work.path(), &["--simulate"]) else { return };
    let right = sent(work.path());
    assert!(right.len() == LINES && right.iter().all(|line| said.contains(line)), "{right:?}\n{said}");

    // Another texel in the middle of level 0, which `constant` does not see.
    let path = work.path().join("texture.mem");
    let mut texture: Vec<String> =
        std::fs::read_to_string(&path).expect("a texture").lines().map(str::to_owned).collect();
    let line = &mut texture[3000];
    let other = if line.starts_with('0') { "1" } else { "0" };
    line.replace_range(..1, other);
    std::fs::write(&path, texture.join("\n")).expect("a file of the test");
    let wrong = sent(work.path());
    assert_eq!(wrong[0], right[0]);
    assert!(std::iter::zip(&wrong[1..], &right[1..]).any(|(wrong, right)| wrong != right), "{wrong:?}");
}

#[test]
#[ignore = "places and routes a device for minutes; scripts/test-long runs it"]
fn a_bitstream_is_made() {
    if tmu_verilate::Tools::yosys().is_err() || tmu_verilate::Tools::nextpnr_ecp5().is_err() {
        return;
    }
    let work = tempfile::tempdir().expect("a directory");
    let Some(said) = build(work.path(), &[]) else { return };
    let file = std::fs::read(work.path().join("ulx3s_top.bit")).expect("a bitstream");
    // What loaders look for: the preamble of a configuration.
    assert!(file.windows(4).any(|word| word == [0xff, 0xff, 0xbd, 0xb3]), "{} bytes\n{said}", file.len());
}
