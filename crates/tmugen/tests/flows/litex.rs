//! `examples/litex`: a core as a module of LiteX.

use crate::support::{TMUGEN, example, printed, python, succeed};
use std::fmt::Write as _;
use std::process::Command;
use tmu_rtl::system::registers::{map, of_engine};
use tmu_spec::Preset;
use tmu_spec::config::EngineKind;

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

/// The registers of the mesh engine on Wishbone are not in the register map: the module lists them.
#[test]
fn the_registers_of_the_mesh_engine_in_python_are_the_table() {
    if Command::new("python3").arg("--version").output().is_err() {
        return;
    }
    let code = "import mesh\nfor name, offset in mesh.REGISTERS.items():\n  print(name, offset)";
    let mut command = Command::new("python3");
    let found = succeed(command.args(["-B", "-c", code]).env("PYTHONPATH", example("litex/tmugen_litex")));
    let base = of_engine(EngineKind::Mesh).map(|placed| placed.address).min().unwrap();
    let mut expected = String::new();
    for placed in of_engine(EngineKind::Mesh) {
        let _ = writeln!(expected, "{} {}", placed.register.name, placed.address - base);
    }
    assert_eq!(found, expected);
}

/// In `scripts/test-long`.
#[test]
#[ignore = "compiles a SoC for half a minute"]
fn a_soc_samples_through_its_bus_what_the_golden_model_says() {
    passes("litex, pythondata_misc_tapcfg", "litex/sim.py", &["--quads", "50"]);
}

/// Registers and points on Wishbone, texture and frame buffer behind the SoC's bus and behind a port of LiteDRAM.
#[test]
#[ignore = "compiles two SoCs for half a minute each"]
fn a_soc_with_the_mesh_engine_on_wishbone_draws_what_the_golden_model_says() {
    for memory in ["bus", "litedram"] {
        passes("litex, litedram, pythondata_misc_tapcfg", "litex/sim_mesh.py", &["--memory", memory]);
    }
}

/// A simulation must say that it has passed; where its packages or Verilator are not there it is skipped.
fn passes(packages: &str, program: &str, arguments: &[&str]) {
    let Some(python) = python(packages) else { return };
    if tmu_verilate::Tools::verilator().is_err() {
        return;
    }
    let work = tempfile::tempdir().unwrap();
    let mut command = Command::new(python);
    command.arg("-B").arg(example(program)).args(["--tmugen", TMUGEN, "--work"]).arg(work.path());
    let output = printed(&command.args(arguments).output().expect("Python starts"));
    let is_passed = |line: &str| line.starts_with("litex: ") && line.contains(": passed");
    assert!(output.lines().any(is_passed), "{program} {arguments:?}\n{output}");
}
