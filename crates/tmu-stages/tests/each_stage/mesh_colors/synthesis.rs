//! What readers of Verilog say of the stages, and their depth and area, as Yosys estimates them for UltraScale+.

use super::LINE_BITS;
use crate::readers::assert_no_reader_warns;
use tmu_cosim::source;
use tmu_hdl::elaborate::elaborate;
use tmu_hdl::prelude::Block;
use tmu_rtl::engines::mesh::blend::Blend;
use tmu_rtl::engines::mesh::filter::Filter;
use tmu_rtl::engines::mesh::frame_reader::FrameReader;
use tmu_rtl::engines::mesh::shade::Shade;
use tmu_rtl::engines::mesh::write_combiner::WriteCombiner;
use tmu_verilate::{Family, ModelSource, Tools, synthesize};

/// Most LUTs and carry chains in a row between two registers.
const DEPTH: u32 = 5;

/// The version that the limits were measured with.
const YOSYS: &str = "Yosys 0.70";

fn verilog(name: &str, block: &impl Block) -> ModelSource {
    let design = elaborate(name, block).unwrap_or_else(|refused| panic!("{refused}"));
    source(&design, &["clk"])
}

/// The stages, and the most LUTs and DSP slices of each.
fn stages() -> Vec<(ModelSource, usize, usize)> {
    vec![
        (verilog("filter", &Filter::new()), 220, 6),
        (verilog("shade", &Shade::new()), 100, 2),
        (verilog("frame_reader", &FrameReader::new(LINE_BITS)), 200, 0),
        (verilog("blend", &Blend::new()), 180, 4),
        (verilog("write_combiner", &WriteCombiner::new(LINE_BITS)), 260, 0),
    ]
}

#[test]
fn no_linter_warns() {
    assert_no_reader_warns(stages().into_iter().map(|(stage, ..)| ("", stage)));
}

#[test]
#[ignore = "a minute of synthesis"]
fn stages_stay_within_depth_and_area() {
    if Tools::yosys().map_or(true, |tool| !tool.version().starts_with(YOSYS)) {
        return;
    }
    let mut found = vec![];
    for (stage, most_luts, most_dsps) in stages() {
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
