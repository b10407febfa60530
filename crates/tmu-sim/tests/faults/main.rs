//! Faults, thousands of them: injected one by one under load into presets and more, each judged, and good requests behind
//! each. The figures of the long run are a page of the documentation.
//!
//! | variable | default | |
//! | --- | --- | --- |
//! | `TMUGEN_FAULTS` | 500 | faults over all configurations of the classic numerics, and of the general ones 100, or as many |
//! | `TMUGEN_SEED` | 1 | what everything random follows from |

mod classic;
mod general;
mod page;
#[path = "../support/mod.rs"]
mod support;

use rayon::prelude::*;
use tmu_sim::engines::sampler::regression::fault::{FaultKind, Tallies};
use tmu_sim::engines::sampler::scoreboard::{Mismatch, Unasked};
use tmu_sim::kit::error::Kind;
use tmu_sim::kit::rtl::Rtl;
use tmu_spec::Config;
use tmu_testing::{repository, setting, write_measured};
use tmu_verilate::Model;

/// Faults of a run; each run has its own memory and pauses.
const FAULTS_A_RUN: u64 = 50;

/// Faults of the run whose figures the documentation has.
const DOCUMENTED: u64 = 10_000;

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

/// A run of some faults, by its number among those of a configuration.
#[derive(Debug, Clone, Copy)]
struct Part {
    number: u64,
    faults: u64,
}

/// What became of a run that passed.
struct Done {
    faults: Tallies,
    quads: u64,
    tmu_clocks: u64,
}

/// Plays all runs, with an equal share of the faults for each configuration.
fn campaign(
    built: &[(Rtl, Model)],
    faults: u64,
    play: impl Fn(&Rtl, &Model, Part) -> Result<Done, (Kind, String)> + Sync,
) -> Outcome {
    let share = faults.div_ceil(built.len() as u64);
    let runs = share.div_ceil(FAULTS_A_RUN);
    let part = |number| Part { number, faults: FAULTS_A_RUN.min(share - number * FAULTS_A_RUN) };
    let jobs: Vec<(usize, Part)> =
        (0..built.len()).flat_map(|position| (0..runs).map(move |number| (position, part(number)))).collect();
    let play = |(position, part): &(usize, Part)| {
        let (rtl, model) = &built[*position];
        (*position, play(rtl, model, *part))
    };
    let played: Vec<_> = jobs.par_iter().with_max_len(1).map(play).collect();
    let faults = built.iter().map(|(rtl, _)| (rtl.config.clone(), Tallies::default())).collect();
    let mut outcome = Outcome { faults, ..Outcome::default() };
    for (position, result) in played {
        match result {
            Ok(done) => {
                outcome.faults[position].1.add(&done.faults);
                outcome.quads += done.quads;
                outcome.tmu_clocks += done.tmu_clocks;
            }
            Err((kind, said)) => {
                outcome.failures.count(&kind);
                outcome.reports.push(said);
            }
        }
    }
    outcome
}

/// Every fault that fits a configuration was done to it, reported as it must be, and got over.
fn check(outcome: &Outcome) {
    assert_eq!(outcome.failures, Failures::default(), "{}", outcome.reports.join("\n\n"));
    for (config, faults) in &outcome.faults {
        for kind in FaultKind::ALL.into_iter().filter(|kind| kind.fits(config)) {
            let tally = faults.iter().find(|(other, _)| *other == kind).map(|(_, tally)| tally);
            let tally = tally.unwrap_or_else(|| panic!("{}: there was no {}", config.name(), kind.name()));
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
}

/// The documentation has the figures of the long run; a shorter one of the same seed only finds that they are there.
fn check_page(outcomes: &[Outcome; 2], faults: u64, seed: u64) {
    let file = "docs/reference/regression.md";
    if faults == DOCUMENTED && seed == 1 {
        write_measured(file, &page::page(outcomes, seed));
    }
    let committed = std::fs::read_to_string(repository().join(file)).unwrap();
    for (kind, _) in outcomes.iter().flat_map(|outcome| &outcome.faults).flat_map(|(_, faults)| faults.iter())
    {
        assert!(committed.contains(&format!("| {} | ", kind.name())), "{} is not in {file}", kind.name());
    }
}

/// Without Verilator there is nothing to see here, which a test of `tmu-verilate` reports.
#[test]
fn faults_are_reported_and_got_over() {
    let (faults, seed) = (setting("TMUGEN_FAULTS"), setting("TMUGEN_SEED").unwrap_or(1));
    let Some(classic) = classic::campaign(seed, faults.unwrap_or(500)) else { return };
    let Some(general) = general::campaign(seed, faults.unwrap_or(general::QUICK)) else { return };
    let outcomes = [classic, general];
    outcomes.iter().for_each(check);
    check_page(&outcomes, faults.unwrap_or(0), seed);
}
