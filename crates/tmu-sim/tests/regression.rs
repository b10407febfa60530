//! The hardware of many configurations: generated, linted, and compared with the golden model over random requests.
//!
//! | variable | default | |
//! | --- | --- | --- |
//! | `TMUGEN_QUADS` | 1,500,000 | quads over all configurations |
//! | `TMUGEN_CONFIGS` | 14 | configurations |
//! | `TMUGEN_SEED` | 1 | what everything random follows from |

mod support;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::fmt::Write as _;
use support::{arguments, unless_missing};
use tmu_sim::engines::mesh::{self, Mesher};
use tmu_sim::engines::sampler::coverage::{Asked, Coverage, Cross};
use tmu_sim::engines::sampler::general::comparison::{Comparison, compare};
use tmu_sim::engines::sampler::regression::shrink::report;
use tmu_sim::engines::sampler::regression::{Regression, Report, run};
use tmu_sim::engines::sampler::sweep;
use tmu_sim::kit::error::Failure;
use tmu_sim::kit::memory::Bytes;
use tmu_sim::kit::pauses::Pauses;
use tmu_sim::kit::rtl::Rtl;
use tmu_sim::kit::system::SystemOptions;
use tmu_spec::presets::{PRESETS, classic};
use tmu_spec::{Config, Preset};
use tmu_testing::{check_committed, repository, setting};
use tmu_verilate::{CoreBuild, Model, ModelOptions, OptimizeFor, lint_with_all};

/// All quads in parts: each preset gets some, the other configurations share the rest.
const PARTS: u64 = 25;
const PARTS_OF_A_PRESET: u64 = 5;

/// The share of all quads that one of `count` configurations gets, the presets first.
fn share(quads: u64, position: usize, count: usize) -> u64 {
    let presets = classic().count() as u64;
    let others = (count as u64).saturating_sub(presets);
    if others == 0 {
        quads / count as u64
    } else if position < classic().count() {
        quads * PARTS_OF_A_PRESET / PARTS
    } else {
        quads * (PARTS - presets * PARTS_OF_A_PRESET) / PARTS / others
    }
}

/// Quads from which on a preset must have reached everything.
const ENOUGH_QUADS: u64 = 290_000;

/// Runs that have every memory latency, pauses, bad input and resets among them.
fn runs(seed: u64, quads: u64) -> Vec<Regression> {
    let plan = [
        (1, 0, false, false),
        (20, 0, false, false),
        (20, 10, false, false),
        (100, 0, false, false),
        (20, 5, true, false),
        (1, 40, true, true),
        (20, 0, false, true),
        (100, 10, true, true),
    ];
    let weights = [3, 3, 3, 1, 3, 1, 1, 1];
    let total: u64 = weights.iter().sum();
    let run = |number: usize| {
        let ((latency_clocks, pauses, errors, resets), weight) = (plan[number], weights[number]);
        Regression {
            pauses: Pauses::percent(pauses),
            errors,
            resets,
            ..Regression::new(seed * 1000 + number as u64, quads * weight / total + 1, latency_clocks)
        }
    };
    (0..plan.len()).map(run).collect()
}

/// Quads from which on a fast model is worth its longer build.
const MANY_QUADS: u64 = 20_000;

/// The hardware and its model; none without Verilator, which a test of `tmu-verilate` reports.
fn built(config: &Config, quads: u64) -> Option<(Rtl, Model)> {
    let optimize = if quads < MANY_QUADS { OptimizeFor::BuildTime } else { OptimizeFor::Speed };
    support::built(config, &ModelOptions { optimize, ..ModelOptions::default() })
}

/// What four readers say about the hardware: nothing.
fn lint(rtl: &Rtl) {
    let config = &rtl.config;
    if let Some(found) = unless_missing(lint_with_all(&rtl.source), config) {
        assert_eq!(found, [], "{}:\n{}", config.name(), config.canonical_toml());
    }
}

/// A short case of a run that failed, with the command that repeats it.
fn short_case(model: &Model, rtl: &Rtl, failing: &Regression, failure: &Failure) -> String {
    report(model, rtl, failing, failure, &arguments(&rtl.config))
}

/// All runs of one configuration.
fn test(config: &Config, seed: u64, quads: u64) -> Option<Report> {
    let (rtl, model) = built(config, quads)?;
    let warnings = model.warnings();
    assert_eq!(warnings, "", "Verilator warns of {}", config.name());
    lint(&rtl);
    let mut all = Report::default();
    for regression in runs(seed, quads) {
        match run(&model, &rtl, &regression, |_| ()) {
            Ok(done) => all.add(&done),
            Err(failure) => panic!("{}", short_case(&model, &rtl, &regression, &failure)),
        }
    }
    Some(all)
}

/// Initial values that each preset is started from.
const INITIAL_VALUES: u64 = 8;

/// Registers and memories without an initial value begin with anything, which no run may show.
#[test]
fn presets_start_from_any_initial_values() {
    for (_, config) in classic() {
        let Some((rtl, model)) = built(&config, MANY_QUADS) else { return };
        for seed in 0..INITIAL_VALUES {
            // Each run draws its initial values, clocks and quads from its own seed.
            let regression = Regression { pauses: Pauses::percent(10), ..Regression::new(seed, 300, 20) };
            if let Err(failure) = run(&model, &rtl, &regression, |_| ()) {
                panic!("{}", short_case(&model, &rtl, &regression, &failure))
            }
        }
    }
}

/// A few jobs of the engine of a preset without texture units.
fn draw_meshes(model: &Model, config: &Config) {
    let memory = || Bytes::new(mesh::jobs::BASE.into(), Vec::new());
    let mut mesher = Mesher::new(model, config, &SystemOptions::new(config, 20), memory()).unwrap();
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..10 {
        let (job, before) = mesh::jobs::random(&mut random, &mesh::jobs::SMALL);
        let mut expected = before.clone();
        job.run(mesh::jobs::BASE, &mut expected).unwrap();
        mesher.set_memory(Bytes::new(mesh::jobs::BASE.into(), before));
        assert_eq!(mesher.run(&job).unwrap().code, 0, "{job:x?}");
        assert!(mesher.bytes() == expected, "{job:x?}");
    }
}

/// A preset as it is committed, built as a build script of a user's crate builds it.
fn work_through_the_build_script_door(preset: &Preset) {
    let config = preset.config().unwrap_or_else(|errors| panic!("{errors}"));
    let out = tempfile::tempdir().unwrap();
    let core = CoreBuild::new(repository().join("hdl-out").join(preset.name()));
    let Some(core) = unless_missing(core.build(out.path()), &config) else { return };
    let model = Model::open(&core.model).unwrap_or_else(|error| panic!("{error}"));
    if config.units() == 0 {
        return draw_meshes(&model, &config);
    }
    let rtl = Rtl { source: model.source().clone(), config };
    if rtl.config.features().general().is_some() {
        let (latency_clocks, pauses) = (20, Pauses::percent(10));
        let comparison = Comparison { seed: 1, quads: 2000, latency_clocks, pauses, errors: true };
        compare(&model, &rtl, &comparison).unwrap_or_else(|failure| panic!("{failure}"));
        return;
    }
    let regression = Regression { pauses: Pauses::percent(10), errors: true, ..Regression::new(1, 2000, 20) };
    if let Err(failure) = run(&model, &rtl, &regression, |_| ()) {
        panic!("{}", short_case(&model, &rtl, &regression, &failure))
    }
}

/// A small preset of each kind: compiling a model is what takes the time.
const QUICK_PRESETS: [&str; 3] = ["fury-single", "multi-lite", "mesh"];

#[test]
fn committed_presets_work() {
    let presets = QUICK_PRESETS.map(|name| Preset::find(name).expect("it is one"));
    presets.into_iter().for_each(work_through_the_build_script_door);
}

#[test]
#[ignore = "compiles the models of all presets; scripts/test-long runs it"]
fn all_committed_presets_work() {
    PRESETS.iter().for_each(work_through_the_build_script_door);
}

#[test]
fn random_quads_are_those_of_the_golden_model() {
    let quads = setting("TMUGEN_QUADS").unwrap_or(1_500_000);
    let count = setting("TMUGEN_CONFIGS").unwrap_or(14) as usize;
    let seed = setting("TMUGEN_SEED").unwrap_or(1);
    let configs = sweep::configurations(count, seed);
    // One after the other is begun, the first ones, which take longest, before all others.
    let report = |(position, config)| Some((position, test(config, seed, share(quads, position, count))?));
    let reports: Vec<_> = configs.iter().enumerate().par_bridge().filter_map(report).collect();
    let done: u64 = reports.iter().map(|(_, report)| report.quads).sum();
    if reports.is_empty() {
        return;
    }
    assert!(done >= quads * 99 / 100, "only {done} of {quads} quads were compared");
    assert_coverage(&configs, &reports);
}

/// What can be reached follows from the configurations, not from the runs.
#[test]
fn the_page_has_what_presets_can_reach() {
    let page = coverage_page(&sweep::configurations(classic().count(), 1));
    let command = "cargo test -p tmu-sim --test regression";
    check_committed("docs/reference/coverage.md", &page, "UPDATE_DOCS", command);
}

/// Presets reach everything that they can reach, and the others, with far fewer quads, nine tenths of it.
fn assert_coverage(configs: &[Config], reports: &[(usize, Report)]) {
    for (position, report) in reports {
        let config = &configs[*position];
        let bins = report.coverage.bins(config, Asked::ALL).count();
        let holes = report.coverage.holes(config, Asked::ALL);
        let may_miss = match (*position < classic().count(), report.quads) {
            (true, quads) if quads >= ENOUGH_QUADS => 0,
            (false, quads) if quads >= MANY_QUADS => bins / 10,
            // A run of a few quads cannot see much.
            _ => bins,
        };
        assert!(
            holes.len() <= may_miss,
            "{}, {} quads: {} of {bins} bins were not reached:\n{}",
            config.name(),
            report.quads,
            holes.len(),
            holes.join("\n")
        );
    }
}

/// Crosses and how many of their bins each preset can reach, as a page of the documentation.
fn coverage_page(configs: &[Config]) -> String {
    let nothing = Coverage::default();
    let names: Vec<_> = configs.iter().map(|config| format!("`{}`", config.name())).collect();
    let mut page =
        format!("{COVERAGE}| cross | {} |\n| --- |{}\n", names.join(" | "), " --- |".repeat(configs.len()));
    for cross in Cross::ALL {
        let of = |config| nothing.bins(config, Asked::ALL).filter(|bin| bin.cross == cross).count();
        let counts: Vec<_> = configs.iter().map(|config| of(config).to_string()).collect();
        let _ = writeln!(page, "| {} | {} |", cross.name(), counts.join(" | "));
    }
    let of = |config| nothing.bins(config, Asked::ALL).count().to_string();
    let _ = writeln!(page, "| all | {} |", configs.iter().map(of).collect::<Vec<_>>().join(" | "));
    page + COVERAGE_END
}

const COVERAGE: &str = "<!-- UPDATE_DOCS=1 cargo test -p tmu-sim --test regression writes this anew. -->\n\n\
     # Functional coverage\n\n\
     Random runs count what they exercise in bins. A bin is one value of each axis of a cross: `format x filter x level` has \
     one for bilinear RGB8 at level 3. A configuration can reach some of them, and the random runs of `scripts/test` reach, of every \
     preset, each one that it can; the test fails otherwise and names the holes. Other configurations have fewer quads there and \
     must reach nine tenths.\n\n\
     Bins that each preset can reach, and does:\n\n";

const COVERAGE_END: &str = "\n\
     - A look-up is what the cycle-free model of the cache makes of it: a repeat of the one before, a hit, a miss. Look-ups are \
     those of the quad that a footprint belongs to.\n\
     - A footprint's columns and rows are one texel, two of a tile of 4 x 4, of two tiles, or around the texture's edge.\n\
     - Packets of the wrong length, rules that bindings break, reads that fail, answers of the wrong length and disturbances are the faults. Those that are \
     injected and judged one by one have [a page of their own](regression.md).\n\
     - Bins of one configuration, with their counts: `tmugen sim --errors --resets --coverage bins.csv`.\n";
