//! `examples/litex`: a core as a module of LiteX.

use crate::support::{TMUGEN, example, printed, python, succeed};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use tmu_rtl::system::registers::map;
use tmu_spec::Preset;

/// The module reads the emitted register map: every register at its address, every field in its place.
#[test]
fn the_register_map_of_python_is_the_table() {
    if Command::new("python3").arg("--version").output().is_err() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    succeed(Command::new(TMUGEN).args(["generate", "--preset", "fury", "--out"]).arg(folder.path()));
    let code = "import sys, registers\nfor r in registers.Registers(sys.argv[1]):\n  \
                print(r.name, r.address, *(f'{f.name}:{f.low}:{f.bits}' for f in r.fields.values()))";
    let mut command = Command::new("python3");
    command.args(["-B", "-c", code]).arg(folder.path().join("fury_registers.xml"));
    let found = succeed(command.env("PYTHONPATH", example("litex/tmugen_litex")));
    let config = Preset::find("fury").unwrap().config().unwrap();
    let mut expected = String::new();
    for placed in map(&config) {
        let fields = placed.register.fields.iter();
        let fields = fields.map(|field| format!(" {}:{}:{}", field.name, field.shift, field.width_bits));
        let _ = writeln!(expected, "{} {}{}", placed.full_name(), placed.address, fields.collect::<String>());
    }
    assert_eq!(found, expected);
}

/// In `scripts/test-long`.
#[test]
#[ignore = "compiles a SoC for half a minute"]
fn a_soc_samples_through_its_bus_what_the_golden_model_says() {
    let Some(python) = python("litex, pythondata_misc_tapcfg") else { return };
    if tmu_verilate::Tools::verilator().is_err() {
        return;
    }
    let work = tempfile::tempdir().unwrap();
    let output = run(&python, work.path());
    assert!(output.contains("litex: 50 quads, seed 1: passed"), "{output}");
}

fn run(python: &Path, work: &Path) -> String {
    let mut command = Command::new(python);
    command.arg("-B").arg(example("litex/sim.py")).args(["--quads", "50", "--tmugen", TMUGEN, "--work"]);
    printed(&command.arg(work).output().expect("Python starts"))
}
