//! Faults, thousands of them: injected one by one under load into every preset and more, each judged, and good requests behind
//! each. The figures of the long run are a page of the documentation.
//!
//! | variable | default | |
//! | --- | --- | --- |
//! | `TMUGEN_FAULTS` | 500 | faults over all configurations |
//! | `TMUGEN_SEED` | 1 | what everything random follows from |

mod support;

use rayon::prelude::*;
use std::fmt::Write as _;
use support::arguments;
use tmu_sim::engines::sampler::regression::fault::{FaultKind, Tallies, Tally};
use tmu_sim::engines::sampler::regression::shrink::report;
use tmu_sim::engines::sampler::regression::{Regression, run};
use tmu_sim::engines::sampler::scoreboard::{Mismatch, Unasked};
use tmu_sim::engines::sampler::sweep;
use tmu_sim::kit::error::Kind;
use tmu_sim::kit::pauses::Pauses;
use tmu_spec::Config;
use tmu_spec::presets::classic;
use tmu_testing::{repository, setting, write_measured};
use tmu_verilate::ModelOptions;

/// Faults of a run; each run has its own clocks, memory and pauses.
const FAULTS_A_RUN: u64 = 50;

/// Faults of the run whose figures the documentation has.
const DOCUMENTED: u64 = 10_000;

/// Configurations of which the memory port has its own clock; no preset has that.
const WITH_OWN_CLOCK: [&str; 2] = ["own_clock", "ahead"];

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
            Kind::Wrong(Mismatch::PIXELS) | Kind::Wrong(Mismatch::ERROR_BIT) => self.silent += 1,
            Kind::Wrong(Mismatch::VALID_BITS) | Kind::Wrong(Unasked::KIND) => self.lost += 1,
            _ => self.others += 1,
        }
    }
}

/// What became of everything.
#[derive(Default)]
struct Outcome {
    faults: Vec<(Config, Tallies)>,
    quads: u64,
    tmu_clocks: u64,
    failures: Failures,
    reports: Vec<String>,
}

/// The presets, and configurations with what they have not.
fn configurations() -> Vec<Config> {
    let presets = classic().map(|(_, config)| config);
    let of_sweep = sweep::configurations(SWEPT, 1).into_iter();
    presets.chain(of_sweep.filter(|config| WITH_OWN_CLOCK.contains(&config.name()))).collect()
}

/// Configurations among which those with an own clock are.
const SWEPT: usize = 14;

/// The runs of one configuration.
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

/// All runs of all configurations; none without Verilator, which a test of `tmu-verilate` reports.
fn campaign(seed: u64, faults: u64) -> Option<Outcome> {
    let mut built = Vec::new();
    for config in configurations() {
        built.push(support::built(&config, &ModelOptions::default())?);
    }
    let share = faults.div_ceil(built.len() as u64);
    let jobs: Vec<_> = (0..built.len())
        .flat_map(|position| regressions(seed, share).into_iter().map(move |run| (position, run)))
        .collect();
    let faults = built.iter().map(|(rtl, _)| (rtl.config.clone(), Tallies::default())).collect();
    let mut outcome = Outcome { faults, ..Outcome::default() };
    let play = |(position, regression): &(usize, Regression)| {
        let (rtl, model) = &built[*position];
        let result = run(model, rtl, regression, |_| ());
        let said = |failure| report(model, rtl, regression, failure, &arguments(&rtl.config));
        let said = result.as_ref().err().map(said);
        (*position, result, said)
    };
    let played: Vec<_> = jobs.par_iter().with_max_len(1).map(play).collect();
    for (position, result, said) in played {
        match result {
            Ok(done) => {
                outcome.faults[position].1.add(&done.faults);
                outcome.quads += done.quads;
                outcome.tmu_clocks += done.tmu_clocks;
            }
            Err(failure) => outcome.failures.count(&failure.cause.kind()),
        }
        outcome.reports.extend(said);
    }
    Some(outcome)
}

fn row(page: &mut String, what: &str, tally: Tally, is_reported: bool) {
    let Tally { injected, reported, recovered, excused_quads } = tally;
    let reported = if is_reported { reported.to_string() } else { "no error".to_owned() };
    let excused = if excused_quads > 0 { excused_quads.to_string() } else { String::new() };
    let _ = writeln!(page, "| {what} | {injected} | {reported} | {excused} | {recovered} |");
}

/// The figures as a page of the documentation.
fn page(outcome: &Outcome, seed: u64) -> String {
    let mut all = Tallies::default();
    outcome.faults.iter().for_each(|(_, faults)| all.add(faults));
    let Failures { hangs, silent, lost, others } = outcome.failures;
    let total = all.total().injected;
    let mut page = format!(
        "{INTRODUCTION}\n```\nTMUGEN_SEED={seed} TMUGEN_FAULTS={DOCUMENTED} cargo test -p tmu-sim --test faults\n```\n"
    );
    let _ = write!(
        page,
        "\n{total} faults, {} quads answered, {} clocks of `tmu_aclk`:\n\n| what must never be | times |\n| --- | --- |\n\
         | hangs | {hangs} |\n| wrong pixels or a wrong error bit | {silent} |\n| quads lost or made up | {lost} |\n\
         | anything else: a broken rule of a bus, an error that is not reported or that was none | {others} |\n\n{TABLE}",
        outcome.quads, outcome.tmu_clocks
    );
    for (kind, tally) in all.iter() {
        row(&mut page, kind.name(), tally, kind.is_reported());
    }
    let _ = writeln!(page, "\n| configuration | injected | recovered |\n| --- | --- | --- |");
    for (config, faults) in &outcome.faults {
        let Tally { injected, recovered, .. } = faults.total();
        let _ = writeln!(page, "| `{}` | {injected} | {recovered} |", config.name());
    }
    page + SHRINKING
}

const INTRODUCTION: &str = "<!-- Measured in simulation. TMUGEN_FAULTS=10000 UPDATE_MEASURED=1 cargo test -p tmu-sim --test faults writes it \
     anew. -->\n\n\
     # Faults, and random runs that fail\n\n\
     Faults are injected one by one, in simulation, into each preset and into two configurations of which the memory port has its own \
     clock. Around each there is load on every unit: quads \
     are under way when it comes, and more follow. When nothing is under way any more the register `ERROR` is \
     read: it must show the fault, if it is an error, and nothing else. Then every unit gets a binding and quads that must \
     be answered as if nothing had been. Every result is compared with the golden model; a quad that needs a line of which a read \
     failed may come back with the error bit and zeros, but not with wrong pixels. Behind an answer of memory of the wrong length that \
     holds for the line that was asked for, and where the cache reads ahead for all that its unit reads until nothing is under way. Clocks, jitter, latency, order of memory's answers \
     and pauses differ from run to run of 50 faults.\n";

const TABLE: &str = "| fault | injected | reported | quads with the error bit for it | recovered |\n| --- | --- | --- | --- | --- |\n";

const SHRINKING: &str = "\n\
     Invalidations and most resets need no report: nothing is wrong. Access to a register that there is not is reported by \
     its answer. A preset of which quads come in one beat has no `tlast` that is early and no `tuser` that changes: the \
     first beat of a packet says what it is.\n\n\
     ## A run that fails\n\n\
     A random run is a list of numbered items: bindings, quads, packets of the wrong length, resets, commands, reads that fail or are answered with the wrong length. \
     `tmugen sim` and the tests look for a short case of each failure: no pauses, plain clocks and memory, latency 1, and as \
     few items as fail in the same way, by delta debugging. It ends with a command like\n\n\
     ```\ntmugen sim --preset fury --seed 1 --latency 1 --plain --only 36,42\n```\n\n\
     which does those items and no others.\n";

/// The documentation has the figures of the long run; a shorter one of the same seed only finds that they are there.
fn check_page(outcome: &Outcome, faults: u64, seed: u64) {
    let file = "docs/reference/regression.md";
    if faults == DOCUMENTED && seed == 1 {
        write_measured(file, &page(outcome, seed));
    }
    let committed = std::fs::read_to_string(repository().join(file)).unwrap();
    for (kind, _) in outcome.faults.iter().flat_map(|(_, faults)| faults.iter()) {
        assert!(committed.contains(&format!("| {} | ", kind.name())), "{} is not in {file}", kind.name());
    }
}

#[test]
fn faults_are_reported_and_got_over() {
    let (faults, seed) = (setting("TMUGEN_FAULTS").unwrap_or(500), setting("TMUGEN_SEED").unwrap_or(1));
    let Some(outcome) = campaign(seed, faults) else { return };
    assert_eq!(outcome.failures, Failures::default(), "{}", outcome.reports.join("\n\n"));
    assert_eq!(outcome.faults.len(), classic().count() + WITH_OWN_CLOCK.len());
    for (config, faults) in &outcome.faults {
        for kind in FaultKind::ALL.into_iter().filter(|kind| kind.fits(config)) {
            let tally = faults.iter().find(|(other, _)| *other == kind).map(|(_, tally)| tally).unwrap();
            let due = if kind.is_reported() { tally.injected } else { 0 };
            assert_eq!(
                (tally.recovered, tally.reported),
                (tally.injected, due),
                "{}: {}",
                config.name(),
                kind.name()
            );
        }
    }
    check_page(&outcome, faults, seed);
}
