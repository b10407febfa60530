//! What a failure says: hardware with a fault planted into its Verilog fails, and the report names quad, pixel and
//! the stage that errs.

mod support;

use support::unless_missing;
use tmu_sim::engines::sampler::regression::{Regression, run};
use tmu_sim::engines::sampler::scoreboard::Mismatch;
use tmu_sim::kit::rtl::Rtl;
use tmu_spec::Config;
use tmu_verilate::{Model, ModelOptions};

const CONFIG: &str = "name = \"planted\"\ntexture = { formats = [\"rgba8\"], max_size_log2 = 6 }\n\
     cache = { sets = 16 }\ncontrol = { port = false, counters = false }";

/// The same features in a unit that takes quads.
const QUADS: &str = "name = \"planted_quads\"\ntexture = { formats = [\"rgba8\"], max_size_log2 = 6 }\n\
     request = { beats_per_quad = 1 }\nresult = { fifo_depth = 32 }\ndatapath = { pixels_per_clock = 4 }\n\
     cache = { kind = \"prefetch\", sets = 16 }\naxi = { outstanding_reads = 8 }\n\
     control = { port = false, counters = false }";

/// Random runs in which a wrong pixel must come first at least once.
const SEEDS: u64 = 20;

/// The report of hardware in whose Verilog one text stands for another; none without Verilator.
fn report(config: &str, right: &str, wrong: &str) -> Option<String> {
    let rtl = Rtl::generate(&Config::from_toml(config).unwrap()).unwrap().with_fault(right, wrong);
    let model = unless_missing(Model::build(&rtl.source, &ModelOptions::default()), &rtl.config)?;
    // What is wrong may show itself first in a read that nothing needs; with other traffic it is a pixel.
    let mut failures =
        (1..=SEEDS).map(|seed| run(&model, &rtl, &Regression::new(seed, 3000, 3), |_| ()).unwrap_err());
    let failure = failures.find(|failure| failure.cause.wrong::<Mismatch>().is_some());
    Some(failure.unwrap_or_else(|| panic!("no run of {SEEDS} ends with a wrong pixel")).to_string())
}

/// Plants a fault and looks for what the report must say.
fn names(config: &str, right: &str, wrong: &str, suspect: &str) {
    let Some(report) = report(config, right, wrong) else { return };
    for part in ["unit 0, quad ", "binding ", "s16.16 coordinates", "pixel ", "  <--", suspect] {
        assert!(report.contains(part), "{part:?} is not in\n{report}");
    }
}

#[test]
fn a_level_that_is_wrong() {
    names(
        CONFIG,
        "output_data = {level, quad}",
        "output_data = {level & 4'b1110, quad}",
        "suspect: lod: level ",
    );
}

#[test]
fn weights_that_are_exchanged() {
    names(
        CONFIG,
        "weight[1*8 +: 8], weight[0*8 +: 8],",
        "weight[0*8 +: 8], weight[1*8 +: 8],",
        "suspect: coordinate: the weights are exchanged",
    );
}

#[test]
fn results_that_are_not_rounded() {
    for config in [CONFIG, QUADS] {
        let [right, wrong] = ["80", "00"].map(|half| format!("~x_delayed[7:0], 8'h{half}}}"));
        names(config, &right, &wrong, "suspect: filter: channels are off by 1");
    }
}
