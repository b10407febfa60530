//! Faults, thousands of them: injected one by one under load into every preset, each judged, and good requests behind
//! each. The figures of the long run are a page of the documentation.
//!
//! | variable | default | |
//! | --- | --- | --- |
//! | `TMUGEN_FAULTS` | 500 | faults over all presets |
//! | `TMUGEN_SEED` | 1 | what everything random follows from |

use std::fmt::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use tmu_sim::campaign::{FaultKind, Tallies, Tally};
use tmu_sim::error::Kind;
use tmu_sim::pauses::Pauses;
use tmu_sim::regression::{Regression, run};
use tmu_sim::shrink::report;
use tmu_sim::{SetupError, build};
use tmu_spec::Preset;
use tmu_spec::presets::PRESETS;
use tmu_verilate::{Error, ModelOptions};

/// Faults of a run; each run has its own clocks, memory and pauses.
const FAULTS_A_RUN: u64 = 50;

/// Faults of the run whose figures the documentation has.
const DOCUMENTED: u64 = 10_000;

fn number(variable: &str, default: u64) -> u64 {
    let set = std::env::var(variable).ok();
    set.map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{variable} = {text} is no number")))
}

/// What must never be.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Failures {
    hangs: u64,
    /// Wrong pixels without the error bit.
    silent: u64,
    /// Quads lost or made up.
    lost: u64,
    others: u64,
}

impl Failures {
    fn count(&mut self, kind: &Kind) {
        match kind {
            Kind::Hang => self.hangs += 1,
            Kind::Pixels | Kind::ErrorBit => self.silent += 1,
            Kind::ValidBits | Kind::Unasked => self.lost += 1,
            _ => self.others += 1,
        }
    }
}

/// What became of everything.
#[derive(Default)]
struct Outcome {
    faults: Vec<(&'static str, Tallies)>,
    quads: u64,
    tmu_clocks: u64,
    failures: Failures,
    reports: Vec<String>,
}

/// The runs of one preset.
fn regressions(seed: u64, faults: u64) -> Vec<Regression> {
    let surroundings = [(1, 0), (20, 0), (20, 10), (100, 0), (1, 40), (60, 5)];
    let runs = faults.div_ceil(FAULTS_A_RUN);
    let regression = |number: u64| {
        let (latency_clocks, pauses) = surroundings[number as usize % surroundings.len()];
        Regression {
            pauses: Pauses::percent(pauses),
            faults: FAULTS_A_RUN.min(faults - number * FAULTS_A_RUN),
            ..Regression::new(seed * 10_000 + number, 0, latency_clocks)
        }
    };
    (0..runs).map(regression).collect()
}

/// All runs of all presets; none without Verilator, which a test of `tmu-verilate` reports.
fn campaign(seed: u64, faults: u64) -> Option<Outcome> {
    let mut built = Vec::new();
    for preset in PRESETS {
        let config = preset.config().unwrap_or_else(|errors| panic!("{errors}"));
        match build(&config, &ModelOptions::default()) {
            Ok(hardware) => built.push((preset, hardware)),
            Err(SetupError::Model(Error::MissingTool(_))) => return None,
            Err(error) => panic!("{}: {error}", config.name()),
        }
    }
    let share = faults.div_ceil(PRESETS.len() as u64);
    let jobs: Vec<_> = (0..built.len())
        .flat_map(|preset| regressions(seed, share).into_iter().map(move |regression| (preset, regression)))
        .collect();
    let faults = PRESETS.iter().map(|preset| (preset.name(), Tallies::default())).collect();
    let outcome = Mutex::new(Outcome { faults, ..Outcome::default() });
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((preset, regression)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let (named, (rtl, model)) = &built[*preset];
                    let result = run(model, rtl, regression, |_| ());
                    let config = format!("--preset {}", named.name());
                    let said = |failure| report(model, rtl, regression, failure, &config);
                    let said = result.as_ref().err().map(said);
                    let mut outcome = outcome.lock().unwrap();
                    match result {
                        Ok(done) => {
                            outcome.faults[*preset].1.add(&done.faults);
                            outcome.quads += done.quads;
                            outcome.tmu_clocks += done.tmu_clocks;
                        }
                        Err(failure) => outcome.failures.count(&failure.cause.kind()),
                    }
                    outcome.reports.extend(said);
                }
            });
        }
    });
    Some(outcome.into_inner().unwrap())
}

fn row(page: &mut String, what: &str, tally: Tally, is_reported: bool) {
    let Tally { injected, reported, recovered, .. } = tally;
    let reported = if is_reported { reported.to_string() } else { "no error".to_owned() };
    let _ = writeln!(page, "| {what} | {injected} | {reported} | {recovered} |");
}

fn page(outcome: &Outcome, seed: u64) -> String {
    let mut all = Tallies::default();
    outcome.faults.iter().for_each(|(_, faults)| all.add(faults));
    let Failures { hangs, silent, lost, others } = outcome.failures;
    let mut page = format!("TODO {seed} {hangs} {silent} {lost} {others} {}\n", all.total().injected);
    for (kind, tally) in all.iter() {
        row(&mut page, kind.name(), tally, kind.is_reported());
    }
    page
}

#[test]
fn faults_are_reported_and_got_over() {
    let (faults, seed) = (number("TMUGEN_FAULTS", 500), number("TMUGEN_SEED", 1));
    let Some(outcome) = campaign(seed, faults) else { return };
    eprintln!("{}\n{} quads {} clocks", page(&outcome, seed), outcome.quads, outcome.tmu_clocks);
    assert_eq!(outcome.failures, Failures::default(), "{}", outcome.reports.join("\n\n"));
    for (preset, faults) in &outcome.faults {
        let config = Preset::find(preset).unwrap().config().unwrap();
        for kind in FaultKind::ALL.into_iter().filter(|kind| kind.fits(&config)) {
            let tally = faults.iter().find(|(other, _)| *other == kind).map(|(_, tally)| tally).unwrap();
            assert_eq!(tally.recovered, tally.injected, "{preset}: {}", kind.name());
        }
    }
}
