//! `examples/fusesoc`: a design whose core file asks tmugen for its texture unit.

use crate::support::{TMUGEN, example, printed, python};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tmu_verilate::Tools;

const CORE: &str = "example:flag:flag";

fn run(cores: &Path, work: &Path, target: &str, tmugen: &str) -> Output {
    let tools = [Tools::verilator(), Tools::iverilog(), Tools::vvp()];
    let folders: Vec<_> = tools.iter().flatten().filter_map(|tool| tool.program.parent()).collect();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = folders.into_iter().map(Path::to_path_buf).chain(std::env::split_paths(&path));
    Command::new(&Tools::fusesoc().expect("FuseSoC is installed").program)
        .args(["--cores-root", &cores.display().to_string(), "run", "--target", target, CORE])
        .current_dir(work)
        .env("PATH", std::env::join_paths(folders).expect("a path"))
        .env("TMUGEN", tmugen)
        .output()
        .expect("FuseSoC starts")
}

fn is_installed() -> bool {
    ![Tools::fusesoc(), Tools::verilator(), Tools::iverilog(), Tools::vvp()].iter().any(Result::is_err)
}

#[test]
fn a_design_asks_for_its_texture_unit() {
    if !is_installed() {
        return;
    }
    let work = tempfile::tempdir().unwrap();
    for target in ["lint", "sim"] {
        let output = run(&example("fusesoc"), work.path(), target, TMUGEN);
        let text = printed(&output);
        assert!(output.status.success() && !text.to_lowercase().contains("warning"), "{target}\n{text}");
        assert_eq!(text.lines().any(|line| line == "passed"), target == "sim", "{target}\n{text}");
    }
}

/// What FuseSoC hands to the generator, by itself: parameters, the program, and what is said of them.
#[test]
fn a_design_is_told_what_is_wrong_with_what_it_asks_for() {
    let Some(python) = python("yaml") else { return };
    let work = tempfile::tempdir().unwrap();
    let work = work.path();
    let file =
        "name = \"few_texels\"\n[texture]\nmax_size_log2 = 4\n[control]\nport = false\ncounters = false\n";
    fs::write(work.join("unit.toml"), file).unwrap();
    let generate = |parameters: &str, tmugen: &str| {
        let root = work.display();
        let request = format!(
            "files_root: {root}\ngapi: '1.0'\nvlnv: example:flag:flag-unit:1.0\nparameters: {parameters}\n"
        );
        fs::write(work.join("request.yml"), request).unwrap();
        let mut command = Command::new(&python);
        command.arg(example("fusesoc/tmugen/tmugen_generator.py")).arg("request.yml");
        command.current_dir(work).env("TMUGEN", tmugen).output().expect("Python starts")
    };
    for (parameters, tmugen, said) in [
        ("{presets: fury}", TMUGEN, "there is no parameter presets"),
        ("{preset: fury, config: a.toml}", TMUGEN, "exactly one of preset, config, configuration"),
        ("{}", TMUGEN, "exactly one of preset, config, configuration"),
        ("{preset: furry}", TMUGEN, "furry"),
        ("{configuration: {cache: {ways: 3}}}", TMUGEN, "cache.ways"),
        ("{configuration: {cache: {ways: {a: 1}}}}", TMUGEN, "configuration.cache.ways is"),
        ("{configuration: fury}", TMUGEN, "configuration is no mapping"),
        ("{config: no.toml}", TMUGEN, "no.toml"),
        ("{preset: fury}", "no_tmugen", "no_tmugen is not there"),
    ] {
        let output = generate(parameters, tmugen);
        let text = printed(&output);
        assert!(output.status.code() == Some(1) && text.contains(said), "{parameters}\n{text}");
        assert!(!text.contains("Traceback"), "{parameters}\n{text}");
        assert!(!work.join("flag-unit.core").exists(), "{parameters}");
    }
    let output = generate("{config: unit.toml}", TMUGEN);
    assert!(output.status.success(), "{}", printed(&output));
    let core = fs::read_to_string(work.join("flag-unit.core")).unwrap();
    assert!(core.contains("\"example:flag:flag-unit:1.0\"") && core.contains("hdl/few_texels.v"), "{core}");
    assert!(!work.join("hdl/few_texels.core").exists());
}
