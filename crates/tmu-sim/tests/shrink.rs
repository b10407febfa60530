//! Hardware with a fault planted into its Verilog: the run that fails shrinks to a few items that fail in the same way.

mod support;

use support::unless_missing;
use tmu_sim::engines::sampler::regression::shrink::{Shrunk, shrink};
use tmu_sim::engines::sampler::regression::{Regression, run};
use tmu_sim::engines::sampler::scoreboard::Mismatch;
use tmu_sim::kit::error::Kind;
use tmu_sim::kit::pauses::Pauses;
use tmu_sim::kit::rtl::Rtl;
use tmu_spec::Config;
use tmu_verilate::{Model, ModelOptions, OptimizeFor};

const BLOCKING: &str = "name = \"planted\"\nunits = 2\ntexture = { formats = [\"rgba8\"], max_size_log2 = 6 }\n\
     cache = { sets = 16 }\ncontrol = { port = false, counters = false }";

/// Hardware in whose Verilog one text stands for another, and its model; none without Verilator.
fn planted(config: &str, right: &str, wrong: &str) -> Option<(Rtl, Model)> {
    let rtl = Rtl::generate(&Config::from_toml(config).unwrap()).unwrap().with_fault(right, wrong);
    let options = ModelOptions { optimize: OptimizeFor::BuildTime, ..ModelOptions::default() };
    let model = unless_missing(Model::build(&rtl.source, &options), &rtl.config)?;
    Some((rtl, model))
}

/// A unit that takes quads, and quads in one beat.
const QUADS: &str = "name = \"planted_quads\"\nunits = 2\ntexture = { formats = [\"rgba8\"], max_size_log2 = 6 }\n\
     request = { beats_per_quad = 1 }\nresult = { fifo_depth = 32 }\ndatapath = { pixels_per_clock = 4 }\n\
     cache = { kind = \"prefetch\", sets = 16 }\naxi = { outstanding_reads = 8 }";

/// Everything at once.
fn everything() -> Regression {
    Regression { pauses: Pauses::percent(10), errors: true, resets: true, ..Regression::new(1, 20_000, 20) }
}

/// A short case of a run, which must fail like the run itself, and whenever it is repeated.
fn short_case(rtl: &Rtl, model: &Model, failing: &Regression, kind: &Kind) -> Shrunk {
    let failure = run(model, rtl, failing, |_| ()).unwrap_err();
    assert_eq!(failure.cause.kind(), *kind, "{failure}");
    let short = shrink(model, rtl, failing, |_, _| ()).unwrap();
    assert_eq!(short.failure.cause.kind(), *kind, "{}", short.failure);
    let again = run(model, rtl, &short.regression, |_| ()).unwrap_err();
    assert_eq!(again.to_string(), short.failure.to_string());
    short
}

/// Nothing but items is left: no pauses, errors or resets, plain clocks and memory.
fn is_plain(run: &Regression) -> bool {
    let Regression { latency_clocks, pauses, resets, plain, .. } = *run;
    latency_clocks == 1 && pauses == Pauses::NONE && !resets && plain
}

#[test]
fn a_wrong_pixel_needs_a_binding_and_a_quad() {
    let [right, wrong] = ["80", "00"].map(|half| format!("~x_delayed[7:0], 8'h{half}}}"));
    let Some((rtl, model)) = planted(BLOCKING, &right, &wrong) else { return };
    let short = short_case(&rtl, &model, &everything(), &Kind::Wrong(Mismatch::PIXELS));
    assert!(is_plain(&short.regression) && !short.regression.errors, "{}", short.regression);
    assert_eq!(short.items(), 2, "{}", short.listing);
    assert!(short.listing.contains("bilinear") && short.listing.contains("quad, valid"), "{}", short.listing);
}

#[test]
fn a_hang_behind_a_broken_packet_needs_the_packet_and_a_quad() {
    let right = "skipping <= !last && (skipping || !fits);";
    let wrong = "skipping <= skipping || (!last && !fits);";
    let Some((rtl, model)) = planted(BLOCKING, right, wrong) else { return };
    // A reset ends the hang: it shows where none comes soon enough.
    let mut runs = (1..=20).map(|seed| Regression { seed, ..everything() });
    let failing = runs.find(|failing| run(&model, &rtl, failing, |_| ()).is_err()).unwrap();
    let short = short_case(&rtl, &model, &failing, &Kind::Hang);
    assert!(is_plain(&short.regression) && short.regression.errors, "{}", short.regression);
    assert_eq!(short.items(), 2, "{}", short.listing);
    assert!(short.listing.contains("of several beats") || short.listing.contains("of too many beats"));
}

#[test]
fn an_error_that_is_not_reported_needs_the_fault_and_its_judgement() {
    let Some((rtl, model)) =
        planted(QUADS, "assign packet_dropped = dropped;", "assign packet_dropped = 1'b0;")
    else {
        return;
    };
    let failing = Regression { faults: 200, ..Regression::new(1, 0, 20) };
    let short = short_case(&rtl, &model, &failing, &Kind::Check("register ERROR is".to_owned()));
    assert_eq!(short.items(), 2, "{}", short.listing);
    assert!(is_plain(&short.regression) && short.listing.contains("beats"), "{}", short.listing);
}

/// The line stays in the cache as one that could not be read.
#[test]
fn a_fault_that_is_not_got_over_is_found() {
    let Some((rtl, model)) = planted(
        QUADS,
        "invalidate_reg <= invalidate_cache || (|fault);",
        "invalidate_reg <= invalidate_cache;",
    ) else {
        return;
    };
    let failing = Regression { faults: 400, ..Regression::new(1, 0, 20) };
    let short = short_case(&rtl, &model, &failing, &Kind::Wrong(Mismatch::ERROR_BIT));
    let of_memory = ["a read fails", "RLAST", "an answer of memory"];
    let is_of_memory = of_memory.iter().any(|fault| short.listing.contains(fault));
    assert!(is_of_memory && short.items() <= 8, "{}", short.listing);
}
