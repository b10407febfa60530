//! What the examples are run with.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tmu_testing::repository;

pub(crate) const TMUGEN: &str = env!("CARGO_BIN_EXE_tmugen");

/// Four configurations on a small picture.
pub(crate) const SMALL: [&str; 8] =
    ["--vary", "cache.ways=1,2", "--vary", "cache.sets=16,64", "--pattern", "scan", "--size", "32"];

pub(crate) fn example(name: &str) -> PathBuf {
    repository().join("examples").join(name)
}

/// Everything that a command has printed.
pub(crate) fn printed(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text)).concat()
}

/// Runs a command that has to succeed.
pub(crate) fn succeed(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}\n{}", printed(&output));
    printed(&output)
}

/// Writes a program.
pub(crate) fn write_program(path: &Path, text: &str) {
    fs::write(path, text).expect("a program is written");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("a program may be run");
}

/// The results of the small sweep, done at once, in the order of its jobs.
pub(crate) fn whole(folder: &Path) -> String {
    let results = folder.join("whole.jsonl");
    succeed(Command::new(TMUGEN).arg("explore").args(SMALL).arg("--results").arg(&results));
    let all = folder.join("whole_all.jsonl");
    succeed(Command::new(TMUGEN).args(["explore", "merge", "--complete", "-o"]).args([&all, &results]));
    fs::read_to_string(all).expect("the results are there")
}

/// A Python interpreter that has some packages: that of the environment that `scripts/setup` makes, or the system's. Says what
/// is skipped where there is none.
#[allow(clippy::print_stderr, reason = "a test that is skipped says so")]
pub(crate) fn python(packages: &str) -> Option<PathBuf> {
    let cache = tmu_verilate::cache_directory().ok()?;
    let candidates = [cache.join("python/bin/python3"), PathBuf::from("python3")];
    let found = candidates.into_iter().find(|python| {
        let imported = Command::new(python).args(["-c", &format!("import {packages}")]).output();
        imported.is_ok_and(|output| output.status.success())
    });
    if found.is_none() {
        eprintln!("skipped: no Python has {packages}; `scripts/setup --flows` installs it");
    }
    found
}
