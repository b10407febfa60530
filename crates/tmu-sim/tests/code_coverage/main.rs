//! How much of the emitted Verilog random traffic executes: lines, branches, choices and bits.
//!
//! | variable | default | |
//! | --- | --- | --- |
//! | `TMUGEN_COVERAGE_QUADS` | 20,000 | quads for each configuration of the long test |
//!
//! What no run meets is listed in `coverage-holes.toml` with its reason. The long test meets everything else, by the
//! presets and by mixes of settings, and keeps `docs/reference/code-coverage.md`; the quick one lets those presets run that
//! differ in more than sizes, without counting bits.

mod choices;
mod control;
mod holes;
mod lengths;
mod page;
mod points;
#[path = "../support/mod.rs"]
mod support;

use holes::Table;
use points::Covered;
use rayon::prelude::*;
use std::path::Path;
use support::unless_missing;
use tmu_sim::engines::sampler::regression::{COVERAGE_AT_END, COVERAGE_AT_START, Regression, run};
use tmu_sim::engines::sampler::sweep;
use tmu_sim::kit::pauses::Pauses;
use tmu_sim::kit::rtl::Rtl;
use tmu_spec::Config;
use tmu_spec::presets::classic;
use tmu_testing::{setting, write_measured};
use tmu_verilate::{CoverageCounts, Model, ModelOptions, OptimizeFor};

/// Quads for each preset of the quick test.
const QUICK_QUADS: u64 = 6_000;

/// Its presets, of both caches; `quad` has four of some modules, and takes as long to compile as both.
const QUICK_PRESETS: [&str; 2] = ["fury_single", "stream"];

/// Quads for each configuration of the long test, whose shares the page has.
const LONG_QUADS: u64 = 20_000;

/// The presets and the mixes of settings behind them.
const CONFIGURATIONS: usize = 14;

/// What no mix has: two units that read ahead and keep memory busy.
const PAIR: &str = "name = \"pair\"\nunits = 2\ncache = { kind = \"prefetch\", ways = 2, sets = 256 }\n\
                    axi = { outstanding_reads = 64 }\n";

/// What everything random follows from.
const SEED: u64 = 1;

/// Of lines and of branches, in each preset.
const LEAST_PERCENT: u64 = 98;

/// The runs of one configuration: every kind of memory, pauses, bad input and resets.
fn runs(quads: u64) -> Vec<Regression> {
    let plan = [(1, 40, true, true), (20, 0, false, false), (20, 5, true, false), (100, 10, true, true)];
    let run = |(number, (latency_clocks, pauses, errors, resets))| Regression {
        pauses: Pauses::percent(pauses),
        errors,
        resets,
        ..Regression::new(SEED * 1000 + number, quads / plan.len() as u64, latency_clocks)
    };
    (0..).zip(plan).map(run).collect()
}

/// A configuration and what its runs have covered.
pub(crate) struct Measured {
    pub(crate) config: Config,
    pub(crate) covered: Covered,
}

/// Runs a configuration; nothing without Verilator, which a test of `tmu-verilate` reports.
fn measure(config: &Config, quads: u64, toggles: bool) -> Option<Measured> {
    let mut rtl = Rtl::generate(config).unwrap_or_else(|faults| panic!("{faults}"));
    let text = choices::expose(rtl.verilog());
    rtl.verilog_mut().clone_from(&text);
    let options = ModelOptions {
        line_coverage: true,
        toggle_coverage: toggles,
        optimize: if toggles { OptimizeFor::Speed } else { OptimizeFor::BuildTime },
        ..ModelOptions::default()
    };
    let model = unless_missing(Model::build(&rtl.source, &options), config)?;
    let mut counts = CoverageCounts::default();
    for regression in runs(quads) {
        let directory = tempfile::tempdir().unwrap();
        let regression = Regression { code_coverage: Some(directory.path().to_owned()), ..regression };
        if let Err(failure) = run(&model, &rtl, &regression, |_| ()) {
            panic!("{failure}\n{regression:?} of\n{}", config.canonical_toml());
        }
        counts.add(&behind_reset(directory.path()));
    }
    if config.control().port() {
        let directory = tempfile::tempdir().unwrap();
        if let Err(failure) = control::run(&model, &rtl, SEED, directory.path()) {
            panic!("{failure}\nregister accesses to\n{}", config.canonical_toml());
        }
        counts.add(&behind_reset(directory.path()));
    }
    let directory = tempfile::tempdir().unwrap();
    if let Err(failure) = lengths::run(&model, &rtl, SEED, directory.path()) {
        panic!("{failure}\nanswers of the wrong length to\n{}", config.canonical_toml());
    }
    counts.add(&behind_reset(directory.path()));
    Some(Measured { config: config.clone(), covered: Covered::new(&text, &rtl.source.top, &counts) })
}

/// What a run has covered behind its first reset.
fn behind_reset(directory: &Path) -> CoverageCounts {
    let read = |name: &str| CoverageCounts::read(directory.join(name)).unwrap();
    read(COVERAGE_AT_END).since(&read(COVERAGE_AT_START))
}

/// Runs configurations on all processors; in their order.
fn measure_all(configs: &[Config], quads: u64, toggles: bool) -> Option<Vec<Measured>> {
    configs.par_iter().with_max_len(1).map(|config| measure(config, quads, toggles)).collect()
}

/// Holds lines and branches of each preset against the least, and all points against the table.
fn check(measured: &[Measured], everything: bool) {
    let mut faults = Table::read().faults(&points::all(measured), everything);
    for Measured { config, covered } in measured.iter().take(classic().count()) {
        let total = covered.total();
        for (what, share) in [("lines", total.lines), ("branches", total.branches)] {
            if !share.is_at_least(LEAST_PERCENT) {
                let points::Share { covered: met, all } = share;
                let unmet: String = covered.unmet_branches().map(|point| format!("\n  {point:?}")).collect();
                faults.push(format!(
                    "{}: {met} of {all} {what}, less than {LEAST_PERCENT} %; not met:{unmet}",
                    config.name()
                ));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_presets_execute_their_lines_branches_and_choices() {
    let mut configs = sweep::configurations(classic().count(), SEED);
    configs.retain(|config| QUICK_PRESETS.contains(&config.name()));
    assert_eq!(configs.len(), QUICK_PRESETS.len());
    if let Some(measured) = measure_all(&configs, QUICK_QUADS, false) {
        check(&measured, false);
    }
}

#[test]
#[ignore = "counts every bit of the presets, and runs the mixes of the sweep: minutes"]
fn all_that_is_emitted_is_executed_and_the_page_says_by_what() {
    let quads = setting("TMUGEN_COVERAGE_QUADS").unwrap_or(LONG_QUADS);
    let mut configs = sweep::configurations(CONFIGURATIONS, SEED);
    configs.push(Config::from_toml(PAIR).unwrap_or_else(|errors| panic!("{errors}")));
    let (presets, mixes) = configs.split_at(classic().count());
    let Some(mut measured) = measure_all(presets, quads, true) else { return };
    measured.extend(measure_all(mixes, quads, false).into_iter().flatten());
    check(&measured, true);
    let table = Table::read();
    let idle = table.idle_reasons(&points::all(&measured[..classic().count()]));
    assert!(idle.is_empty(), "{}", idle.join("\n"));
    // The page has the figures of the long run; others have no place there.
    if quads == LONG_QUADS {
        let page = page::page(&table, &measured, quads);
        write_measured("docs/reference/code-coverage.md", &page);
    }
}
