//! The hardware for ECP5 as synthesis reads it, with models of the device's sites, against the golden model: simulation
//! reads another form of it otherwise.

mod support;

use rayon::prelude::*;
use support::unless_missing;
use tmu_sim::engines::sampler::regression::{Regression, run};
use tmu_sim::kit::pauses::Pauses;
use tmu_sim::kit::rtl::Rtl;
use tmu_spec::Config;
use tmu_spec::presets::OTHER_FAMILIES;
use tmu_verilate::{Model, ModelOptions, OptimizeFor, SourceFile};

/// Models of the sites, which have been compared with the primitives one by one.
const SITES: [(&str, &str); 2] = [
    ("dp16kd.v", include_str!("../../tmu-hdl/tests/primitives/dp16kd.v")),
    ("mult18x18d.v", include_str!("../../tmu-hdl/tests/primitives/mult18x18d.v")),
];

/// The hardware of a configuration in the form that is synthesised.
fn as_synthesised(config: &Config) -> Rtl {
    let mut rtl = Rtl::generate(config).unwrap_or_else(|found| panic!("{}: {found:?}", config.name()));
    for site in ["DP16KD #(", "MULT18X18D #("] {
        assert!(rtl.verilog().contains(site), "{} has no {site}", config.name());
    }
    rtl.verilog_mut().insert_str(0, "`define SYNTHESIS\n");
    rtl.source.files.extend(SITES.map(|(name, text)| SourceFile::new(name, text)));
    rtl
}

/// What a memory gives in the clock in which the same word is written is wrong in the model of its site, so that a result which it
/// reaches is wrong, too.
#[test]
fn what_is_synthesised_is_the_golden_model() {
    OTHER_FAMILIES.par_iter().for_each(|preset| {
        let config = preset.config().expect("presets are legal");
        let rtl = as_synthesised(&config);
        // A slower model for a shorter build: few quads tell.
        let options = ModelOptions { optimize: OptimizeFor::BuildTime, ..ModelOptions::default() };
        let Some(model) = unless_missing(Model::build(&rtl.source, &options), &config) else { return };
        for (seed, latency_clocks, pauses, bad_input) in
            [(1, 20, 0, false), (2, 1, 40, false), (3, 100, 10, true)]
        {
            let regression = Regression {
                pauses: Pauses::percent(pauses),
                errors: bad_input,
                resets: bad_input,
                ..Regression::new(seed, 1500, latency_clocks)
            };
            if let Err(failure) = run(&model, &rtl, &regression, |_| ()) {
                panic!("{}, seed {seed}: {failure}", config.name());
            }
        }
    });
}
