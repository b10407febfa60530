//! Bugs planted by hand in the sources of the hardware, and how long the quick tests take to find each.
//!
//! Unlike the mutants of `mutants.rs` these go through everything: a copy of the workspace with one of the bugs of
//! `bugs.toml` is built, and its tests run until the first one fails. Tests that compare what is emitted with a copy in
//! the repository would find any change of it, and are left out. `TMUGEN_BUGS=memory_port` plants only those in files of that name.

use serde::Deserialize;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;
use tmu_testing::{UPDATE_MEASURED, is_set, repository};

/// The page, from the repository's root.
const PAGE: &str = "docs/reference/bugs.md";

/// Variables of the environment.
type Settings = &'static [(&'static str, &'static str)];

/// Tests that look at what the hardware does, with settings, from those that take the least time to those that take the most: stages
/// by themselves in the Rust simulator first. Of the runs of the regression the first one has the first quads that presets get in
/// the second one: what it finds, that one would.
const RUNS: [(Settings, &[&str]); 6] = [
    (&[], &["-p", "tmu-stages", "--test", "each_stage", "-E", "not test(verilog)"]),
    (&[], &["-p", "tmu-sim", "--test", "bad_input"]),
    (&[], &["-p", "tmu-formal"]),
    (
        &[("TMUGEN_QUADS", "40000"), ("TMUGEN_CONFIGS", "4")],
        &["-p", "tmu-sim", "--test", "regression", "random_quads"],
    ),
    (&[], &["-p", "tmu-sim", "--test", "regression"]),
    (
        &[],
        &["-p", "tmu-sim", "-p", "tmu-mutate", "-p", "tmugen", "-E", "not (test(committed) or test(bugs))"],
    ),
];

/// Bugs that may stay unfound.
const UNFOUND: usize = 1;

/// Bugs in the list.
const BUGS: usize = 20;

/// Bugs that a stage by itself shows, at least.
const BY_STAGES: usize = 16;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Bugs {
    bug: Vec<Bug>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Bug {
    /// In the sources of `tmu-rtl`.
    file: PathBuf,
    what: String,
    right: String,
    wrong: String,
}

/// What the tests said of a bug.
struct Found {
    /// Number of the run and the test that failed, if any did.
    by: Option<(usize, String)>,
    seconds: f64,
}

impl Found {
    /// A stage by itself showed it.
    fn is_by_stage(&self) -> bool {
        self.by.as_ref().is_some_and(|(run, _)| *run == 0)
    }
}

fn bugs() -> Vec<Bug> {
    let list: Bugs =
        toml::from_str(include_str!("../bugs.toml")).unwrap_or_else(|error| panic!("bugs.toml: {error}"));
    list.bug
}

impl Bug {
    /// The file, in a workspace.
    fn path(&self, workspace: &Path) -> PathBuf {
        workspace.join("crates/tmu-rtl/src").join(&self.file)
    }

    /// The file with the bug in it.
    fn planted(&self) -> String {
        let path = self.path(&repository());
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(
            text.matches(&self.right).count(),
            1,
            "bugs.toml: {:?} stands once in {}",
            self.right,
            self.file.display()
        );
        text.replace(&self.right, &self.wrong)
    }

    /// Runs the tests of a copy of the workspace with the bug in it, and takes the bug out again.
    fn run(&self, copy: &Path) -> Found {
        let path = self.path(copy);
        let right = fs::read(&path).unwrap();
        fs::write(&path, self.planted()).unwrap();
        let start = Instant::now();
        let by = first_failure(copy);
        fs::write(&path, right).unwrap();
        Found { by, seconds: start.elapsed().as_secs_f64() }
    }
}

/// The first test that fails in a workspace, and the number of its run.
fn first_failure(workspace: &Path) -> Option<(usize, String)> {
    (0..RUNS.len()).find_map(|run| Some((run, failing_test(workspace, run)?)))
}

/// The first test of a run that fails.
fn failing_test(workspace: &Path, run: usize) -> Option<String> {
    let (settings, arguments) = RUNS[run];
    let mut command = Command::new("cargo");
    command.args(["nextest", "run", "--locked", "--fail-fast", "--color", "never"]).args(arguments);
    // Sizes of the long run are not for these.
    let sizes = std::env::vars()
        .map(|(name, _)| name)
        .filter(|name| name.starts_with("TMUGEN_") || name == "UPDATE_MEASURED");
    sizes.for_each(|name| {
        command.env_remove(name);
    });
    command.envs(settings.iter().copied());
    command.env("CARGO_TARGET_DIR", workspace.join("target")).current_dir(workspace);
    let output = command.output().unwrap_or_else(|error| panic!("cargo nextest: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    if output.status.success() {
        return None;
    }
    // "FAIL [  12.345s] (3/9) tmu-sim::regression presets"
    let mut failing = said.lines().filter_map(|line| line.trim_start().strip_prefix("FAIL ["));
    let name = failing.find_map(|line| Some(line.split_once(") ")?.1.trim().to_owned()));
    Some(name.unwrap_or_else(|| panic!("no test ran:\n{said}")))
}

/// What is built, and what git keeps.
fn is_no_source(name: &OsStr) -> bool {
    name == "target" || name == ".git"
}

/// Makes a directory like another one, but for what is no source. Files that are the same stay as they are, so that cargo
/// does not build them again.
fn mirror(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for gone in fs::read_dir(to).unwrap().map(Result::unwrap) {
        match gone.file_type().unwrap() {
            _ if is_no_source(&gone.file_name()) || from.join(gone.file_name()).exists() => {}
            kind if kind.is_dir() => fs::remove_dir_all(gone.path()).unwrap(),
            _ => fs::remove_file(gone.path()).unwrap(),
        }
    }
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (source, copy) = (entry.path(), to.join(entry.file_name()));
        if is_no_source(&entry.file_name()) {
            continue;
        }
        if source.is_dir() {
            mirror(&source, &copy);
        } else if fs::read(&copy).ok() != Some(fs::read(&source).unwrap()) {
            fs::copy(&source, &copy).unwrap();
        }
    }
}

fn page(bugs: &[Bug], found: &[Found]) -> String {
    let count = found.iter().filter(|found| found.by.is_some()).count();
    let by_stages = found.iter().filter(|found| found.is_by_stage()).count();
    let mean = found.iter().map(|found| found.seconds).sum::<f64>() / found.len() as f64;
    let mut text = format!(
        "<!-- Made by UPDATE_MEASURED=1 cargo test -p tmu-mutate --test bugs -- --include-ignored. -->\n\n# Planted bugs\n\n\
         Bugs that a designer may make, planted by hand in the Rust sources of the hardware (`crates/tmu-mutate/bugs.toml`), one at a\n\
         time. The quick tests find {count} of {}, {by_stages} of them by a stage that runs by itself, in {mean:.0} s on average. Tests\n\
         that compare the emitted Verilog with a copy in the repository would find all, and were left out. Seconds count from the\n\
         change to the first test that fails, on 2 cores, with building and sometimes with other work beside it. The tests of stages\n\
         were written after the list of bugs.\n\n\
         | file | bug | found by | seconds |\n| --- | --- | --- | --- |\n",
        bugs.len()
    );
    for (bug, found) in bugs.iter().zip(found) {
        let by =
            found.by.as_ref().map_or_else(|| "**not found**".to_owned(), |(_, test)| format!("`{test}`"));
        let _ = writeln!(text, "| `{}` | {} | {by} | {:.0} |", bug.file.display(), bug.what, found.seconds);
    }
    text
}

#[test]
fn every_bug_can_be_planted() {
    assert_eq!(bugs().len(), BUGS);
    bugs().iter().for_each(|bug| assert!(bug.planted().contains(&bug.wrong)));
}

/// With `UPDATE_MEASURED` set, and all bugs planted, the page is written.
#[test]
#[ignore = "builds the hardware twenty times, takes some minutes, and an hour where stages by themselves do not show the bugs"]
fn the_quick_tests_find_the_bugs() {
    let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bugs");
    mirror(&repository(), &copy);
    // What is built once is not counted.
    assert_eq!(failing_test(&copy, 0), None, "fails before anything is changed");
    let mut bugs = bugs();
    let chosen = std::env::var("TMUGEN_BUGS").ok();
    if let Some(name) = &chosen {
        bugs.retain(|bug| bug.file.to_string_lossy().contains(name));
    }
    let found: Vec<_> = bugs.iter().map(|bug| bug.run(&copy)).collect();
    // A test that fails anyway would seem to find whatever it is given.
    let used: BTreeSet<usize> = found.iter().filter_map(|found| Some(found.by.as_ref()?.0)).collect();
    for run in used {
        assert_eq!(failing_test(&copy, run), None, "fails when nothing is changed any more");
    }
    if chosen.is_none() && is_set(UPDATE_MEASURED) {
        fs::write(repository().join(PAGE), page(&bugs, &found)).unwrap();
    }
    let unfound: Vec<_> =
        bugs.iter().zip(&found).filter(|(_, found)| found.by.is_none()).map(|(bug, _)| &bug.what).collect();
    assert!(unfound.len() <= UNFOUND, "not found: {unfound:?}");
    let elsewhere: Vec<_> =
        bugs.iter().zip(&found).filter(|(_, found)| !found.is_by_stage()).map(|(bug, _)| &bug.what).collect();
    assert!(elsewhere.len() <= BUGS - BY_STAGES, "no stage by itself shows {elsewhere:?}");
}
