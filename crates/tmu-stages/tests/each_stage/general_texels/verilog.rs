//! What readers of Verilog say of the stages with other features, and their depth and area, as Yosys estimates them for UltraScale+.

use super::{everything, features};
use crate::readers::assert_no_reader_warns;
use tmu_cosim::source;
use tmu_hdl::elaborate::elaborate;
use tmu_hdl::prelude::Block;
use tmu_rtl::datapath::general::address::Address;
use tmu_rtl::datapath::general::coordinate::Coordinate;
use tmu_rtl::datapath::general::footprint::FootprintStage;
use tmu_spec::Config;
use tmu_verilate::{Family, ModelSource, Tools, synthesize};

/// Most LUTs and carry chains in a row between two registers.
const DEPTH: u32 = 5;

/// The version that the limits were measured with.
const YOSYS: &str = "Yosys 0.70";

/// The Verilog of the stages.
fn stages(config: &Config) -> [ModelSource; 3] {
    fn verilog(name: &str, block: &impl Block) -> ModelSource {
        let design = elaborate(name, block).unwrap_or_else(|refused| panic!("{refused}"));
        source(&design, &["clk"])
    }
    [
        verilog("coordinate", &Coordinate::new(config)),
        verilog("footprint", &FootprintStage::new(config)),
        verilog("address", &Address::new(config)),
    ]
}

/// No reader has anything to say, whatever is left out.
#[test]
fn no_linter_warns() {
    let configs = features().into_iter().chain([("everything", everything())]);
    assert_no_reader_warns(
        configs.flat_map(|(name, config)| stages(&config).into_iter().map(move |stage| (name, stage))),
    );
}

#[test]
#[ignore = "minutes of synthesis"]
fn stages_of_everything_stay_within_depth_and_area() {
    if Tools::yosys().map_or(true, |tool| !tool.version().starts_with(YOSYS)) {
        return;
    }
    let mut found = vec![];
    for (stage, (most_luts, most_dsps)) in
        stages(&everything()).into_iter().zip([(960, 5), (190, 1), (810, 4)])
    {
        let made = synthesize(&stage, Family::UltraScalePlus).unwrap_or_else(|refused| panic!("{refused}"));
        let (counts, depth) = (made.counts, made.depth);
        let from_inputs = depth.input_to_register.as_ref().map_or(0, |path| path.weight.weight);
        let levels = depth.depth().max(from_inputs);
        let (luts, dsps, name) = (counts.lut_total(), counts.dsp48, &stage.top);
        if luts > most_luts || dsps > most_dsps || levels > DEPTH || depth.loops_cut + counts.latches > 0 {
            found.push(format!("{name}: {luts} LUTs of {most_luts}, {dsps} DSP slices, {levels} levels"));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
