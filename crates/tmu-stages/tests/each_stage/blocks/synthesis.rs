//! What readers of Verilog say of both stages, and their depth and area, as Yosys estimates them for UltraScale+.

use super::*;
use crate::readers::assert_no_reader_warns;
use tmu_cosim::source;
use tmu_hdl::elaborate::elaborate;
use tmu_verilate::{Family, ModelSource, Synthesis, Tools, synthesize};

/// Most LUTs and carry chains in a row between two registers.
const DEPTH: u32 = 5;

/// The version that the limits were measured with.
const YOSYS: &str = "Yosys 0.70";

/// Formats, and the most LUTs of a header and of a texel. The documentation of the stages says what was measured.
const LIMITS: [(&str, &[Format], [usize; 2]); 10] = [
    ("BC1", &[Bc1], [150, 41]),
    ("BC1 to BC3", &[Bc1, Bc2, Bc3], [290, 145]),
    ("BC4 and BC5", &[Bc4, Bc5], [53, 165]),
    ("EAC", &[EacR11, EacRg11], [4, 165]),
    ("BC1 to BC5, EAC", &[Bc1, Bc2, Bc3, Bc4, Bc5, EacR11, EacRg11], [375, 305]),
    ("ETC2 without alpha", &[Etc2Rgb8, Etc2Rgb8a1], [156, 246]),
    ("ETC2", &[Etc2Rgb8, Etc2Rgb8a1, Etc2Rgba8], [222, 316]),
    ("BC7", &[Bc7], [760, 390]),
    ("BC1 to BC5, BC7", &[Bc1, Bc2, Bc3, Bc4, Bc5, Bc7], [1200, 562]),
    ("all", &Format::BLOCKS, [1445, 740]),
];

/// The Verilog of a stage.
fn verilog(name: &str, block: &impl tmu_hdl::prelude::Block) -> ModelSource {
    let design = elaborate(name, block).unwrap_or_else(|refused| panic!("{refused}"));
    source(&design, &["clk"])
}

/// That of both stages.
fn stages(formats: &[Format]) -> [ModelSource; 2] {
    let built = BlockFormats::new(formats);
    let header = verilog("block_header", &BlockHeader::new(&built));
    [header, verilog("block_texel", &BlockTexel::new(&built))]
}

/// No reader has anything to say, whatever is left out.
#[test]
fn no_linter_warns() {
    let some: [&[Format]; 4] = [&[Bc1, Bc2, Bc3], &[Bc4], &[Etc2Rgb8, EacRg11], &Format::BLOCKS];
    let all =
        some.into_iter().flat_map(|formats| stages(formats).map(|stage| (format!("{formats:?}"), stage)));
    assert_no_reader_warns(all);
}

#[test]
#[ignore = "minutes of synthesis"]
fn stages_stay_within_depth_and_area() {
    if Tools::yosys().map_or(true, |tool| !tool.version().starts_with(YOSYS)) {
        return;
    }
    let mut found = vec![];
    for (name, formats, most) in LIMITS {
        let stages = stages(formats).map(|stage| {
            synthesize(&stage, Family::UltraScalePlus).unwrap_or_else(|refused| panic!("{refused}"))
        });
        for (Synthesis { counts, depth, .. }, most) in stages.iter().zip(most) {
            let from_inputs = depth.input_to_register.as_ref().map_or(0, |path| path.weight.weight);
            let levels = depth.depth().max(from_inputs);
            let faults = depth.loops_cut + counts.latches;
            if counts.lut_total() > most || levels > DEPTH || faults > 0 {
                let lut = counts.lut_total();
                found.push(format!("{name}: {lut} LUTs of {most}, {levels} levels, {faults} faults"));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
