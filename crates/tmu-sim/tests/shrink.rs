//! Hardware with a fault planted into its Verilog: the run that fails shrinks to a few items that fail in the same way.

use tmu_sim::error::Kind;
use tmu_sim::pauses::Pauses;
use tmu_sim::regression::{Regression, run};
use tmu_sim::shrink::{Shrunk, shrink};
use tmu_sim::{Failure, Rtl};
use tmu_spec::Config;
use tmu_verilate::{Error, Model, ModelOptions};

const BLOCKING: &str = "name = \"planted\"\nunits = 2\ntexture = { formats = [\"rgba8\"], max_size_log2 = 6 }\n\
     cache = { sets = 16 }\ncontrol = { port = false, counters = false }";

/// Hardware in whose Verilog one text stands for another, and its model; none without Verilator.
fn planted(config: &str, right: &str, wrong: &str) -> Option<(Rtl, Model)> {
    let mut rtl = Rtl::generate(&Config::from_toml(config).unwrap()).unwrap();
    let verilog = &mut rtl.source.files.iter_mut().find(|file| file.is_verilog()).unwrap().text;
    assert_eq!(verilog.matches(right).count(), 1, "{right} has one place in the Verilog");
    *verilog = verilog.replace(right, wrong);
    match Model::build(&rtl.source, &ModelOptions::default()) {
        Ok(model) => Some((rtl, model)),
        Err(Error::MissingTool(_)) => None,
        Err(error) => panic!("{error}"),
    }
}

/// Runs everything at once until it fails, and shrinks that.
fn shrunk(rtl: &Rtl, model: &Model) -> (Failure, Shrunk) {
    let failing = Regression {
        pauses: Pauses::percent(10),
        errors: true,
        resets: true,
        ..Regression::new(1, 20_000, 20)
    };
    let failure = run(model, rtl, &failing, |_| ()).unwrap_err();
    let shrunk = shrink(model, rtl, &failing, |_, _| ()).unwrap();
    eprintln!(
        "{} -> {} items, {} runs: {}\n{}",
        shrunk.items_before,
        shrunk.items(),
        shrunk.runs,
        shrunk.regression,
        shrunk.listing
    );
    (failure, shrunk)
}

#[test]
fn a_wrong_pixel_needs_a_binding_and_a_quad() {
    let [right, wrong] = ["80", "00"].map(|half| format!("~x_inverted_2[7:0], 8'h{half}}}"));
    let Some((rtl, model)) = planted(BLOCKING, &right, &wrong) else { return };
    let (failure, shrunk) = shrunk(&rtl, &model);
    assert_eq!(failure.cause.kind(), Kind::Pixels);
    assert_eq!(shrunk.items(), 2, "{}", shrunk.listing);
    let Regression { latency_clocks, pauses, errors, resets, plain, .. } = shrunk.regression.clone();
    assert_eq!((latency_clocks, pauses, errors, resets, plain), (1, Pauses::NONE, false, false, true));
    let again = run(&model, &rtl, &shrunk.regression, |_| ()).unwrap_err();
    assert_eq!(again.to_string(), shrunk.failure.to_string());
}
