//! The netlists that synthesis makes of the presets, of UltraScale+'s cells and of ECP5's, with Yosys's models of the cells, against
//! the golden models: random traffic, and the scenes as small pictures. Minutes for each preset, so `scripts/test-long` runs them.
//!
//! Yosys has only the ports of block RAM, UltraRAM and multipliers; models of these stand in `cells`, those of ECP5 in the tests of `tmu-hdl`.

#[path = "../support/mod.rs"]
mod support;

mod mesh;
mod scenes;

use std::time::Instant;
use support::unless_missing;
use tmu_sim::engines::sampler::general::comparison::{Comparison, compare};
use tmu_sim::engines::sampler::regression::{Regression, run};
use tmu_sim::kit::pauses::Pauses;
use tmu_sim::kit::rtl::Rtl;
use tmu_spec::Preset;
use tmu_testing::setting;
use tmu_verilate::{Cells, Error, Model, ModelOptions, ModelSource, OptimizeFor, Port, SourceFile, gates};

/// Quads of each run of random traffic.
const QUADS: u64 = 1500;

/// Latency of memory in clocks, pauses, and whether there are bad requests, failing reads and resets.
const RUNS: [(u32, u8, bool); 3] = [(20, 0, false), (1, 40, false), (100, 10, true)];

fn sites(cells: Cells) -> Vec<SourceFile> {
    match cells {
        Cells::UltraScalePlus => vec![
            SourceFile::new("block_ram.v", include_str!("cells/block_ram.v")),
            SourceFile::new("dsp_and_uram.v", include_str!("cells/dsp_and_uram.v")),
        ],
        Cells::Ecp5 => vec![
            SourceFile::new("dp16kd.v", include_str!("../../../tmu-hdl/tests/primitives/dp16kd.v")),
            SourceFile::new("mult18x18d.v", include_str!("../../../tmu-hdl/tests/primitives/mult18x18d.v")),
        ],
    }
}

/// The netlist of a preset as hardware to be simulated; none without the tools.
#[allow(clippy::print_stdout, reason = "a test of minutes says what they are spent on")]
fn netlist(preset: &str, cells: Cells) -> Option<(Rtl, Model)> {
    let config = Preset::find(preset).expect("the preset ships").config().expect("presets are legal");
    let mut rtl = Rtl::generate(&config).unwrap_or_else(|found| panic!("{preset}: {found:?}"));
    let start = Instant::now();
    let emitted = rtl.verilog().to_owned();
    rtl.source = unless_missing(gates(&rtl.source, cells, &sites(cells)), &config)?;
    assert_ne!(rtl.verilog(), emitted);
    let synthesised = start.elapsed();
    // A netlist runs for seconds and would take the compiler minutes to optimise.
    let options = ModelOptions { optimize: OptimizeFor::BuildTime, ..ModelOptions::default() };
    let model = unless_missing(Model::build(&rtl.source, &options), &config)?;
    let compiled = start.elapsed() - synthesised;
    println!(
        "{preset}: netlist in {:.0} s, model in {:.0} s",
        synthesised.as_secs_f32(),
        compiled.as_secs_f32()
    );
    Some((rtl, model))
}

fn traffic(model: &Model, rtl: &Rtl) {
    let quads = setting("TMUGEN_NETLIST_QUADS").unwrap_or(QUADS);
    for (number, (latency_clocks, pauses, bad_input)) in RUNS.into_iter().enumerate() {
        let (seed, pauses, name) = (number as u64 + 1, Pauses::percent(pauses), rtl.config.name());
        if rtl.config.features().general().is_some() {
            let comparison = Comparison { seed, quads, latency_clocks, pauses, errors: bad_input };
            compare(model, rtl, &comparison)
                .unwrap_or_else(|problem| panic!("{name}, {comparison:?}: {problem}"));
        } else {
            let regression = Regression {
                pauses,
                errors: bad_input,
                resets: bad_input,
                ..Regression::new(seed, quads, latency_clocks)
            };
            run(model, rtl, &regression, |_| ())
                .unwrap_or_else(|failure| panic!("{name}, seed {seed}: {failure}"));
        }
    }
}

/// The netlist of a preset answers random traffic and draws scenes as the golden model does.
#[allow(clippy::print_stdout, reason = "a test of minutes says what they are spent on")]
fn draws(preset: &str, cells: Cells) {
    let Some((rtl, model)) = netlist(preset, cells) else { return };
    let start = Instant::now();
    traffic(&model, &rtl);
    let drawn = scenes::draw(&model, &rtl);
    println!("{preset}: traffic and {drawn} scenes in {:.0} s", start.elapsed().as_secs_f32());
}

/// What a model of a site leaves out ends a simulation, as a failure.
#[test]
fn sites_refuse_what_is_not_modelled() {
    let uses = [
        ("URAM288 #(.RST_MODE_A(\"ASYNC\")) site (.CLK(clock), .RST_A(set))", "no asynchronous reset"),
        ("DSP48E2 site (.OPMODE(9'h005), .A({30{set}}))", "a product without registers"),
        (
            "RAMB18E2 #(.WRITE_MODE_A(\"NO_CHANGE\"), .WRITE_MODE_B(\"READ_FIRST\")) site (.CLKARDCLK(clock))",
            "no other mode than READ_FIRST",
        ),
    ];
    for (site, why) in uses {
        let text = format!("module top (input wire clock, input wire set);\n  {site};\nendmodule\n");
        let mut source = ModelSource::single("top", text, vec![Port::clock("clock"), Port::input("set", 1)]);
        source.files.extend(sites(Cells::UltraScalePlus));
        let options = ModelOptions { optimize: OptimizeFor::BuildTime, ..ModelOptions::default() };
        let model = match Model::build(&source, &options) {
            Ok(model) => model,
            Err(Error::MissingTool(_)) => return,
            Err(error) => panic!("{site}: {error}"),
        };
        let mut instance = model.instance().expect("an instance");
        instance.set(model.port("set").expect("the port"), 1);
        let error = instance.step_cycles(1).expect_err(site).to_string();
        assert!(error.contains(why), "{error}");
    }
}

macro_rules! netlists {
    ($($test:ident: $preset:literal of $cells:ident;)*) => {$(
        #[test]
        #[ignore = "minutes of synthesis and simulation; scripts/test-long runs it"]
        fn $test() {
            draws($preset, Cells::$cells);
        }
    )*};
}

netlists! {
    fury: "fury" of UltraScalePlus;
    fury_single: "fury-single" of UltraScalePlus;
    stream: "stream" of UltraScalePlus;
    quad: "quad" of UltraScalePlus;
    quad_far: "quad-far" of UltraScalePlus;
    multi_lite: "multi-lite" of UltraScalePlus;
    multi: "multi" of UltraScalePlus;
    indirect: "indirect" of UltraScalePlus;
    stream_ecp5: "stream-ecp5" of Ecp5;
    quad_ecp5: "quad-ecp5" of Ecp5;
}
