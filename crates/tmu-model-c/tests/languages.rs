//! The header and the package in their own languages: compiled, held to each other and to the functions, and used.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use tmu_testing::repository;

fn file(name: &str) -> PathBuf {
    repository().join("crates/tmu-model-c").join(name)
}

fn read(name: &str) -> String {
    std::fs::read_to_string(file(name)).unwrap()
}

/// The folder of `libtmu_golden.so`, which cargo leaves beside the tests.
fn library() -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    let folder = tests.parent().unwrap();
    assert!(folder.join("libtmu_golden.so").exists(), "{} has no libtmu_golden.so", folder.display());
    folder.to_owned()
}

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}\n{text}");
    text
}

/// Names of functions in a text: what begins with `tmu_golden_` and is followed by a parenthesis.
fn functions(text: &str) -> BTreeSet<String> {
    let pieces = text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '(');
    let named = pieces.filter_map(|piece| piece.split_once('('));
    named.map(|(name, _)| name.to_owned()).filter(|name| name.starts_with("tmu_golden_")).collect()
}

#[test]
fn header_and_package_declare_what_there_is() {
    let code: String = read("src/boundary.rs")
        .lines()
        .filter(|line| line.contains("extern \"C\" fn"))
        .map(|line| format!("{line}\n"))
        .collect();
    let (code, header) = (functions(&code), functions(&read("include/tmu_golden.h")));
    assert!(code.len() > 10, "{code:?}");
    assert_eq!(code, header);
    // SystemVerilog writes lines.
    let package = functions(&read("dpi/tmu_golden_dpi.sv"));
    let missing: Vec<_> = header.difference(&package).collect();
    assert_eq!(missing, ["tmu_golden_write"]);
    assert!(package.is_subset(&header), "{package:?}");
}

#[test]
fn numbers_are_the_same_in_all_languages() {
    let status = |text: &str| -> Vec<String> {
        let of = |line: &str| line.trim().trim_end_matches(',').replace(' ', "");
        let lines = text.lines().map(of).filter(|line| line.starts_with("TMU_GOLDEN_") && line.contains('='));
        lines.collect()
    };
    let (header, package) = (read("include/tmu_golden.h"), read("dpi/tmu_golden_dpi.sv"));
    assert_eq!(status(&header).len(), 8);
    assert_eq!(status(&header), status(&package));
    let code = read("src/boundary.rs");
    for line in status(&header) {
        let (name, number) = line.strip_prefix("TMU_GOLDEN_").unwrap().split_once('=').unwrap();
        let (first, rest) = name.split_at(1);
        let variant = format!("    {first}{} = {number},", rest.to_lowercase());
        assert!(code.contains(&variant), "{variant}");
    }
    let words =
        [("REQUEST", tmu_golden::golden::REQUEST_WORDS), ("RESULT", tmu_golden::golden::RESULT_WORDS)];
    for (name, words) in words {
        assert!(header.contains(&format!("#define TMU_GOLDEN_{name}_WORDS {words}\n")), "{name}");
        let bits = package.split(&format!("TMU_GOLDEN_{name}_BITS = ")).nth(1).unwrap();
        let bits: usize = bits.split(';').next().unwrap().parse().unwrap();
        assert_eq!(bits.div_ceil(32), words, "{name}");
    }
}

fn compiled(compiler: &str, standard: &str, source: &str, to: &Path) {
    let library = library();
    run(Command::new(compiler)
        .args([standard, "-pedantic", "-Wall", "-Wextra", "-Werror", "-x", source, "-I"])
        .arg(file("include"))
        .arg(file("tests/draw.c"))
        .args(["-x", "none", "-o"])
        .arg(to)
        .arg("-L")
        .arg(&library)
        .args(["-ltmu_golden", &format!("-Wl,-rpath,{}", library.display())]));
}

#[test]
fn programs_in_c_and_cpp_draw() {
    let folder = tempfile::tempdir().unwrap();
    for (compiler, standard, source) in [("gcc", "-std=c99", "c"), ("g++", "-std=c++11", "c++")] {
        let program = folder.path().join(source.replace('+', "p"));
        compiled(compiler, standard, source, &program);
        assert_eq!(run(&mut Command::new(&program)), "classic 804020ff, general 804020ff\n", "{compiler}");
    }
}

/// The example's bench of a preset, as `examples/dpi/run.sh` builds it.
struct Bench {
    preset: &'static str,
    build: tempfile::TempDir,
}

impl Bench {
    /// None where there is no Verilator; tests of `tmu-verilate` say so.
    fn new(preset: &'static str) -> Option<Self> {
        tmu_verilate::Tools::verilator().ok()?;
        let bench = Self { preset, build: tempfile::tempdir().unwrap() };
        run(&mut bench.script(&["+quads=1"]));
        Some(bench)
    }

    fn script(&self, arguments: &[&str]) -> Command {
        let mut script = Command::new(repository().join("examples/dpi/run.sh"));
        script.args(arguments).env("PRESET", self.preset).env("GOLDEN", library());
        script.env("BUILD", self.build.path());
        script
    }

    /// The program that the script has left, to be run where its ROM contents are.
    fn program(&self, arguments: &[&str]) -> Command {
        let mut program = Command::new(self.build.path().join("Vtb"));
        program.args(arguments).current_dir(repository().join("hdl-out").join(self.preset));
        program
    }
}

#[test]
fn a_bench_in_system_verilog_compares_every_quad() {
    let Some(bench) = Bench::new("fury-single") else { return };
    let text = run(&mut bench.program(&["+seed=1", "+quads=2000"]));
    assert!(text.contains("passed: 2000 quads") && !text.contains(" 0 of them"), "{text}");
    // One bit of memory that the hardware reads and the model does not.
    let planted = bench.program(&["+seed=1", "+quads=2000", "+plant=50"]).output().unwrap();
    let text = String::from_utf8_lossy(&planted.stdout);
    assert!(!planted.status.success() && text.contains(" of seed 1: expected "), "{text}");
}

#[test]
#[ignore = "compiles another core and draws for long"]
fn a_bench_in_system_verilog_compares_every_quad_of_a_streaming_unit() {
    let Some(bench) = Bench::new("stream") else { return };
    for seed in ["+seed=2", "+seed=3"] {
        let text = run(&mut bench.program(&[seed, "+quads=100000"]));
        assert!(text.contains("passed: 100000 quads"), "{text}");
    }
}
