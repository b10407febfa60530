//! Faults planted in the presets: what the runs find, and the list of what they do not.
//!
//! | variable | default | |
//! | --- | --- | --- |
//! | `TMUGEN_MUTANTS` | 200 | mutants of each preset |
//! | `TMUGEN_SEED` | 1 | which ones, and what everything random follows from |

use tmu_mutate::page::{Score, page, reasons};
use tmu_mutate::runs::{Runs, RunsError};
use tmu_mutate::survivors::{Survivor, list};
use tmu_mutate::{draw, mutants};
use tmu_sim::kit::rtl::Rtl;
use tmu_spec::presets::Preset;
use tmu_testing::{UPDATE_MEASURED, check_committed, is_set, repository, setting};
use tmu_verilate::Error;

/// The page, from the repository's root.
const PAGE: &str = "docs/reference/mutants.md";

/// Part of the mutants not known to be equivalent that has to be killed, of all that there are.
const KILLED_PART: f64 = 0.95;

/// The least part of so many drawn mutants that leaves this likely: three standard deviations below it.
fn least_killed_part(drawn: usize) -> f64 {
    KILLED_PART - 3.0 * (KILLED_PART * (1.0 - KILLED_PART) / drawn.max(1) as f64).sqrt()
}

/// Presets of the long test: every module is in one of them, but for the arbiters of several units, which are proved.
const PRESETS: [&str; 3] = ["fury-single", "stream", "quad"];

fn hardware(preset: &str) -> Rtl {
    let preset = Preset::find(preset).unwrap_or_else(|| panic!("no preset {preset}"));
    let config = preset.config().unwrap_or_else(|errors| panic!("{errors}"));
    Rtl::generate(&config).unwrap_or_else(|found| panic!("{found}"))
}

fn explained() -> Vec<Survivor> {
    list().unwrap_or_else(|error| panic!("survivors.toml: {error}"))
}

/// Hunts some mutants of a preset; none without Verilator, which a test of `tmu-verilate` reports.
fn runs(preset: &str, count: u64) -> Option<Score> {
    let (rtl, seed) = (hardware(preset), setting("TMUGEN_SEED").unwrap_or(1));
    let all = mutants(rtl.verilog());
    let possible = all.len();
    let drawn = draw(all, count as usize, seed);
    let runs = match Runs::new(rtl, &drawn, seed) {
        Ok(runs) => runs,
        Err(RunsError::Tool(Error::MissingTool(_))) => return None,
        Err(error) => panic!("{preset}: {error}"),
    };
    let fates = runs.fates().unwrap_or_else(|error| panic!("{preset}: {error}"));
    Some(Score::new(preset, possible, &drawn, &fates, &explained()))
}

/// What is wrong with a score: too few killed, or survivors that the list does not explain.
fn complaint(score: &Score) -> Option<String> {
    let part = score.killed_part();
    if score.unexplained.is_empty() && part >= least_killed_part(score.drawn) {
        return None;
    }
    let lines: Vec<_> = score.unexplained.iter().map(ToString::to_string).collect();
    Some(format!(
        "{}: {:.1} % of the mutants that are not equivalent are killed; survivors that survivors.toml does not explain:\n{}\n\
         repeat with: TMUGEN_SEED={} TMUGEN_MUTANTS={} cargo test --release -p tmu-mutate -- --include-ignored\n",
        score.preset,
        100.0 * part,
        lines.join("\n"),
        setting("TMUGEN_SEED").unwrap_or(1),
        score.drawn,
    ))
}

/// With `UPDATE_MEASURED` set the page is written.
#[test]
#[ignore = "takes some minutes"]
fn mutants_of_all_presets_are_killed() {
    let count = setting("TMUGEN_MUTANTS").unwrap_or(200);
    let scores: Vec<_> = PRESETS.iter().filter_map(|preset| runs(preset, count)).collect();
    if is_set(UPDATE_MEASURED) && scores.len() == PRESETS.len() {
        std::fs::write(repository().join(PAGE), page(&scores, &explained())).unwrap();
    }
    let complaints: Vec<_> = scores.iter().filter_map(complaint).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn every_line_of_the_list_speaks_of_a_mutant() {
    let all: Vec<_> = PRESETS.iter().flat_map(|preset| mutants(hardware(preset).verilog())).collect();
    for line in explained() {
        assert!(all.iter().any(|mutant| line.covers(mutant)), "survivors.toml: no mutant is {line:?}");
    }
}

/// The list stands behind the figures, which are the long run's; it is that of `survivors.toml` at any time.
#[test]
fn page_has_the_list() {
    let written = std::fs::read_to_string(repository().join(PAGE)).unwrap_or_default();
    let list = reasons(&explained());
    let heading = list.trim_start().lines().next().unwrap_or_default();
    let figures = written.split(heading).next().unwrap_or_default().trim_end();
    let page = format!("{figures}\n\n{}", list.trim_start());
    check_committed(PAGE, &page, "UPDATE_DOCS", "cargo test -p tmu-mutate --test mutants");
}
