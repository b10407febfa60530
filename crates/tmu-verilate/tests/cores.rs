//! Cores that a build script verilates: the folder it is given, what it leaves, and the example, built as a user would.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use common::counter;
use tmu_verilate::{Clocks, CoreBuild, Error, Model, ModelOptions, OptimizeFor, Tools};

/// A folder with the counter as `tmugen generate` would write it, and a test bench beside it.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let source = counter();
    fs::write(folder.path().join("counter.v"), &source.files[0].text).unwrap();
    fs::write(folder.path().join("counter_tb.sv"), "no Verilog at all").unwrap();
    let ports = source.ports.iter().map(|port| {
        let direction = if port.name == "total" { "out" } else { "in" };
        serde_json::json!({ "name": port.name, "direction": direction, "width_bits": port.width_bits })
    });
    let manifest = serde_json::json!({
        "top": "counter",
        "files": ["counter.v", "counter_tb.sv"],
        "clocks": [{ "port": "clk", "mhz": 250 }],
        "ports": ports.collect::<Vec<_>>(),
    });
    fs::write(folder.path().join("manifest.json"), manifest.to_string()).unwrap();
    folder
}

#[test]
fn what_a_build_leaves_is_a_model_and_its_type() {
    if Tools::are_missing() {
        return;
    }
    let (core, out) = (folder(), tempfile::tempdir().unwrap());
    let options = ModelOptions { optimize: OptimizeFor::BuildTime, ..ModelOptions::default() };
    let built = CoreBuild::new(core.path()).options(options).build(out.path()).unwrap();
    assert_eq!(built.model, out.path().join("counter"));
    assert_eq!(built.inputs, [core.path().join("counter.v")], "the test bench is no part of the hardware");
    assert_eq!(built.warnings, "");
    let rust = fs::read_to_string(&built.rust).unwrap();
    let parts = [
        "pub struct Counter {",
        "pub struct CounterEdges {",
        "    pub clk: bool,",
        "pub fn set_rst(&mut self, value: bool)",
        "pub fn set_by(&mut self, value: u8)",
        "assert!(value >> 4 == 0, \"by has 4 bits: {value:#x}\")",
        "pub fn total(&self) -> u8",
        "&[(\"clk\", 250)]",
    ];
    for part in parts {
        assert!(rust.contains(part), "{part} is not in\n{rust}");
    }
    // It needs nothing of the folder that it came from.
    drop(core);
    let model = Model::open(&built.model).unwrap();
    assert_eq!(model.source(), &counter());
    let mut instance = model.instance().unwrap();
    let mut clocks = Clocks::new(&model, &[("clk", 250)]).unwrap();
    let [rst, by, total] = ["rst", "by", "total"].map(|name| model.port(name).unwrap());
    let mut totals = Vec::new();
    for step in 0..4 {
        assert_eq!(clocks.advance(&mut instance).unwrap(), 1);
        totals.push(instance.get(total));
        assert_eq!(instance.time(), 2000 + 4000 * step - 1, "in front of an edge");
        clocks.rise(&mut instance).unwrap();
        assert_eq!(instance.time(), 2000 + 4000 * step);
        instance.set(rst, 0);
        instance.set(by, 5);
    }
    assert_eq!(totals, [0, 0, 5, 10]);
}

#[test]
fn clocks_keep_their_ratio_and_rise_by_themselves() {
    if Tools::are_missing() {
        return;
    }
    let model = Model::build(&counter(), &ModelOptions::default()).unwrap();
    let mut instance = model.instance().unwrap();
    let mut clocks = Clocks::new(&model, &[("clk", 480)]).unwrap();
    for _ in 0..480 {
        clocks.advance(&mut instance).unwrap();
    }
    // The last of 480 rising edges in a microsecond is half a period before its end.
    assert_eq!(instance.time(), 1_000_000 - 1_000_000 / 960 - 2);
    for (wrong, mhz) in [("rst", 100), ("clk", 0), ("clock", 100)] {
        assert!(matches!(Clocks::new(&model, &[(wrong, mhz)]), Err(Error::Usage(_))), "{wrong} {mhz}");
    }
}

#[test]
fn a_folder_without_a_core_is_named_with_what_fills_it() {
    let folder = tempfile::tempdir().unwrap();
    let message = |folder: &Path| CoreBuild::new(folder).build(folder).unwrap_err().to_string();
    let missing = message(folder.path());
    let command =
        format!("`tmugen generate --preset fury-single --out {}` writes one", folder.path().display());
    assert!(missing.contains("manifest.json cannot be read") && missing.contains(&command), "{missing}");
    fs::write(folder.path().join("manifest.json"), "{}").unwrap();
    assert!(message(folder.path()).contains("manifest.json is not what tmugen writes"));
}

/// A copy of `examples/verilated` outside the workspace.
struct Example {
    folder: tempfile::TempDir,
    target: PathBuf,
}

impl Example {
    const PACKAGE: &str = "verilated-texture-unit";

    fn copy() -> Self {
        let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
        let (from, folder) = (repository.join("examples/verilated"), tempfile::tempdir().unwrap());
        fs::create_dir(folder.path().join("src")).unwrap();
        for name in ["Cargo.toml", "build.rs", "src/main.rs", "src/bench.rs"] {
            let text = fs::read_to_string(from.join(name)).unwrap();
            // What a user changes, too: where tmugen and the core are.
            let text = text.replace("../..", repository.to_str().unwrap());
            fs::write(folder.path().join(name), text).unwrap();
        }
        // The same versions as here, which are at hand without a network.
        fs::copy(repository.join("Cargo.lock"), folder.path().join("Cargo.lock")).unwrap();
        // What it depends on is compiled once and stays.
        Self { folder, target: Path::new(env!("CARGO_TARGET_TMPDIR")).join("verilated") }
    }

    fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO"));
        command.args(arguments).args(["--offline", "--quiet"]).current_dir(self.folder.path());
        command.env("CARGO_TARGET_DIR", &self.target).env("CARGO_PROFILE_DEV_DEBUG", "0");
        command
    }
}

impl Drop for Example {
    /// Each copy has its own place and so its own build, of which none is used again.
    fn drop(&mut self) {
        let _ = self.cargo(&["clean", "--package", Self::PACKAGE]).output();
    }
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr].concat()).into_owned()
}

/// The example draws its texture; and where Verilator is not to be found, its build says how to get it.
#[test]
fn the_example_builds_and_runs_outside_the_workspace() {
    if Tools::are_missing() {
        return;
    }
    let example = Example::copy();
    let run = example.cargo(&["run"]).output().unwrap();
    assert!(run.status.success(), "{}", text(&run));
    assert!(text(&run).contains("every texel is as it was put into memory"), "{}", text(&run));
    assert_eq!(text(&run).matches("quad ").count(), 4);

    let nothing = tempfile::tempdir().unwrap();
    let mut without = example.cargo(&["build"]);
    without.env("PATH", nothing.path()).env("TMUGEN_CACHE_DIR", nothing.path());
    // Without a path cargo does not find its compiler, either.
    without.env("RUSTC", Path::new(env!("CARGO")).with_file_name("rustc"));
    let without = without.output().unwrap();
    assert!(!without.status.success());
    for part in [
        "Verilator 5 is not installed",
        "apt-get install verilator",
        "hdl-out/fury-single cannot be verilated",
    ] {
        assert!(text(&without).contains(part), "{part} is not in\n{}", text(&without));
    }
}
