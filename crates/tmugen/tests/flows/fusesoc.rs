//! `examples/fusesoc`: a design whose core file asks tmugen for its texture unit.

use crate::support::{TMUGEN, example, printed};
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

/// Parameters in place of the example's, and what is said of them.
#[test]
fn a_design_is_told_what_is_wrong_with_what_it_asks_for() {
    if !is_installed() {
        return;
    }
    let work = tempfile::tempdir().unwrap();
    let cores = work.path().join("cores");
    fs::create_dir(&cores).unwrap();
    for name in ["tmugen/tmugen.core", "tmugen/tmugen_generator.py", "design/flag.v", "design/flag_tb.sv"] {
        let name = Path::new(name);
        fs::copy(example("fusesoc").join(name), cores.join(name.file_name().unwrap())).unwrap();
    }
    let core = fs::read_to_string(example("fusesoc/design/flag.core")).unwrap();
    let start = core.find("      configuration:").unwrap();
    let end = core.find("\ntargets:").unwrap();
    let keys = &core[start..end];
    for (asked, tmugen, said) in [
        ("      presets: fury\n", TMUGEN, "there is no parameter presets"),
        (
            "      preset: fury\n      config: a.toml\n",
            TMUGEN,
            "exactly one of preset, config, configuration",
        ),
        ("      preset: furry\n", TMUGEN, "furry"),
        ("      configuration: {cache: {ways: 3}}\n", TMUGEN, "cache.ways"),
        ("      configuration: {cache: {ways: {a: 1}}}\n", TMUGEN, "configuration.cache.ways is"),
        ("      config: no.toml\n", TMUGEN, "no.toml"),
        (keys, "no_tmugen", "no_tmugen is not there"),
    ] {
        fs::write(cores.join("flag.core"), format!("{}{asked}{}", &core[..start], &core[end..])).unwrap();
        let output = run(&cores, work.path(), "lint", tmugen);
        let text = printed(&output);
        assert!(!output.status.success() && text.contains(said), "{asked}{text}");
    }
    // A file beside the core file, as the keys say.
    let file =
        "name = \"flag_unit\"\n[texture]\nmax_size_log2 = 4\n[control]\nport = false\ncounters = false\n";
    fs::write(cores.join("unit.toml"), file).unwrap();
    let asked = "      config: unit.toml\n";
    fs::write(cores.join("flag.core"), format!("{}{asked}{}", &core[..start], &core[end..])).unwrap();
    let output = run(&cores, work.path(), "sim", TMUGEN);
    assert!(printed(&output).lines().any(|line| line == "passed"), "{}", printed(&output));
}
