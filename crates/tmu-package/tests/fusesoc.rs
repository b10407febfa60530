//! The FuseSoC package of presets, and of what they leave out: lint without a warning, and a simulation that passes. Every preset in
//! `scripts/test-long`.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use tmu_rtl::outputs::Hardware;
use tmu_spec::config::EngineKind;
use tmu_spec::{Config, Preset, presets::PRESETS};
use tmu_verilate::Tools;

const OTHERS: [&str; 2] = [
    "name = \"own_clock\"\nunits = 2\n[texture]\nformats = [\"i8_rgb8\"]\naddress_modes = [\"mirror\"]\n[request]\n\
     beats_per_quad = 1\n[clock]\nmemory_mhz = 300\n[axi]\nclock = \"own\"",
    "name = \"bare\"\n[texture]\nformats = [\"rgb8\"]\n[control]\nport = false\ncounters = false",
];

/// `multi-lite` with divisors and each quad in one beat.
fn at_once() -> Config {
    let preset = Preset::find("multi-lite").unwrap().config().unwrap();
    let text = preset
        .canonical_toml()
        .replace("multi_lite", "at_once")
        .replace("beats_per_quad = 2", "beats_per_quad = 1\nprojective = true");
    let config = Config::from_toml(&text).unwrap();
    assert_eq!(config.request_tdata_bits(), 648);
    config
}

/// A preset of each kind of unit.
const QUICK: [&str; 4] = ["fury", "stream", "quad", "multi-lite"];

/// The other presets with texture units, which the package's bench drives.
fn other_presets() -> Vec<Config> {
    let others = PRESETS.iter().filter(|preset| !QUICK.contains(&preset.name()));
    others.map(|preset| preset.config().unwrap()).filter(|config| config.units() > 0).collect()
}

/// The search path with the tools that FuseSoC calls by name.
fn search_path() -> Option<std::ffi::OsString> {
    let tools = [Tools::verilator().ok()?, Tools::iverilog().ok()?, Tools::vvp().ok()?];
    let folders = tools.iter().filter_map(|tool| tool.program.parent().map(PathBuf::from));
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths(folders.chain(std::env::split_paths(&path))).ok()
}

/// Lints and simulates packages, and fails unless each says that it has passed and nothing warns.
fn check(configurations: &[Config]) {
    let (Ok(fusesoc), Some(path)) = (Tools::fusesoc(), search_path()) else { return };
    for config in configurations {
        let folder = tempfile::tempdir().unwrap();
        let name = config.name();
        for file in tmu_package::files(&Hardware::new(config).unwrap()) {
            fs::write(folder.path().join(file.name), file.text).unwrap();
        }
        for target in ["lint", "sim"] {
            let output = Command::new(&fusesoc.program)
                .args(["--cores-root", ".", "run", "--target", target, &format!("tmugen:tmu:{name}")])
                .current_dir(folder.path())
                .env("PATH", &path)
                .output()
                .unwrap();
            let text = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
            let text = text.concat();
            assert!(output.status.success(), "{name} {target}\n{text}");
            assert!(!text.to_lowercase().contains("warning"), "{name} {target}\n{text}");
            assert_eq!(text.lines().any(|line| line == "passed"), target == "sim", "{name} {target}\n{text}");
        }
    }
}

#[test]
fn units_of_each_kind_are_linted_and_simulated_as_packages() {
    let presets = QUICK.map(|name| Preset::find(name).unwrap().config().unwrap());
    let others = OTHERS.map(|toml| Config::from_toml(toml).unwrap());
    check(&presets.into_iter().chain(others).chain([at_once()]).collect::<Vec<_>>());
}

/// In `scripts/test-long`.
#[test]
#[ignore = "lints and simulates for two minutes"]
fn every_other_preset_is_linted_and_simulated_as_a_package() {
    check(&other_presets());
}

/// A system without texture units.
#[test]
fn the_mesh_engine_is_linted_and_simulated_as_a_package() {
    check(&[Config::from_toml(EngineKind::Mesh.example().unwrap()).unwrap()]);
}

/// In `scripts/test-long`.
#[test]
#[ignore = "lints and simulates for a minute"]
fn other_systems_of_engines_are_linted_and_simulated_as_packages() {
    let mesh = EngineKind::Mesh.example().unwrap();
    let wishbone = mesh.replace("\"axi\"", "\"wishbone\"");
    let beside_a_unit = mesh.replace("[\"mesh\"]", "[\"sampler\", \"mesh\"]");
    let copy = EngineKind::Copy.example().unwrap();
    check(&[copy, &wishbone, &beside_a_unit].map(|toml| Config::from_toml(toml).unwrap()));
}
