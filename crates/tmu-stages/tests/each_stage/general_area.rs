//! What readers of Verilog say of stages of the general numerics, and their depth and area, as Yosys estimates them for UltraScale+.

use crate::general_support::in_four_lanes;
use crate::general_texels::{everything, features};
use crate::readers::assert_no_reader_warns;
use crate::{general_lod, general_probes, general_projection};
use tmu_cosim::source;
use tmu_hdl::elaborate::elaborate;
use tmu_hdl::prelude::Block;
use tmu_rtl::datapath::general::footprint::row::FootprintRow;
use tmu_rtl::datapath::general::lod::Lod;
use tmu_rtl::datapath::general::probes::Probes;
use tmu_rtl::datapath::general::probes::rows::ProbeRows;
use tmu_rtl::datapath::general::projection::Projection;
use tmu_rtl::datapath::general::ripmap::Ripmap;
use tmu_spec::{Config, Preset};
use tmu_verilate::{Family, ModelSource, Synthesis, Tools, synthesize};

/// Most LUTs and carry chains in a row between two registers.
const DEPTH: u32 = 5;

/// The version that the limits were measured with.
const YOSYS: &str = "Yosys 0.70";

/// Most LUTs of `projection`, for some configurations of its test and numbers of lanes.
const PROJECTION_LUTS: [(&str, u32, usize); 3] =
    [("multi-lite", 1, 1400), ("everything", 1, 2480), ("everything", 4, 7510)];

/// Most LUTs, DSP slices and flip-flops of `lod` with four lanes, for some configurations of its test.
const LOD_OF_FOUR_LANES: [(&str, [usize; 3]); 2] =
    [("general_lod", [880, 21, 4200]), ("general_lod_all", [1500, 21, 8600])];

fn verilog(name: &str, block: &impl Block) -> ModelSource {
    let design = elaborate(name, block).unwrap_or_else(|refused| panic!("{refused}"));
    source(&design, &["clk"])
}

fn stages(config: &Config) -> Vec<ModelSource> {
    let has_ripmaps = config.features().general().is_some_and(|general| general.ripmaps);
    let mut stages =
        vec![verilog("general_lod", &Lod::new(config)), verilog("general_probes", &Probes::new(config))];
    stages.extend(has_ripmaps.then(|| verilog("ripmap", &Ripmap::new(config))));
    stages
}

/// No reader has anything to say, whatever is left out.
#[test]
fn no_linter_warns() {
    let configs = general_lod::configs().into_iter().chain(general_probes::configs());
    assert_no_reader_warns(
        configs.flat_map(|(name, config)| stages(&config).into_iter().map(move |stage| (name, stage))),
    );
}

/// As above, for `lod` with four lanes.
#[test]
fn no_linter_warns_of_lod_with_four_lanes() {
    assert_no_reader_warns(general_lod::configs().into_iter().map(|(name, config)| {
        (name, verilog("general_lod", &Lod::new(&general_lod::of_four_lanes(&config))))
    }));
}

/// As above, for `projection`.
#[test]
fn no_linter_warns_of_projection() {
    let configs =
        general_projection::configs().into_iter().chain(general_projection::configs_of_four_lanes());
    assert_no_reader_warns(
        configs.map(|(name, config)| (name, verilog("general_projection", &Projection::new(&config)))),
    );
}

/// As above, for rows of four lanes.
#[test]
fn no_linter_warns_of_rows() {
    let rows = general_probes::rows::row_configs().into_iter();
    let rows = rows.map(|(name, config)| (name, verilog("general_rows", &ProbeRows::new(&config))));
    let footprint = |config: &Config| verilog("footprint_row", &FootprintRow::new(&in_four_lanes(config)));
    let others = features().into_iter().chain([("everything", everything())]);
    let others = others.map(|(name, config)| (name.to_owned(), footprint(&config)));
    assert_no_reader_warns(rows.chain(others));
}

/// LUTs of rows of four lanes, with everything and with the least.
#[test]
#[ignore = "minutes of synthesis"]
fn rows_stay_within_depth_and_area() {
    if Tools::yosys().map_or(true, |tool| !tool.version().starts_with(YOSYS)) {
        return;
    }
    let rows = general_probes::rows::row_configs();
    let of = |name: &str| &rows.iter().find(|(of, _)| of == name).expect("a configuration").1;
    let stages = [
        (verilog("general_rows_all", &ProbeRows::new(of("general_rows_all"))), 1200),
        (verilog("general_rows", &ProbeRows::new(of("general_rows"))), 130),
        (verilog("footprint_row", &FootprintRow::new(&in_four_lanes(&everything()))), 730),
    ];
    let mut found = vec![];
    for (stage, most) in stages {
        let Synthesis { counts, depth, .. } =
            synthesize(&stage, Family::UltraScalePlus).unwrap_or_else(|refused| panic!("{refused}"));
        let from_inputs = depth.input_to_register.as_ref().map_or(0, |path| path.weight.weight);
        let levels = depth.depth().max(from_inputs);
        let (luts, faults) = (counts.lut_total(), depth.loops_cut + counts.latches);
        if luts > most || levels > DEPTH || faults > 0 {
            let paths = (&depth.register_to_register, &depth.input_to_register);
            found.push(format!(
                "{}: {luts} LUTs of {most}, {levels} levels, {faults} faults: {paths:?}",
                stage.top
            ));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
#[ignore = "a minute of synthesis"]
fn stages_stay_within_depth_and_area() {
    if Tools::yosys().map_or(true, |tool| !tool.version().starts_with(YOSYS)) {
        return;
    }
    let multi_lite = Preset::find("multi-lite").expect("the preset is there").config().expect("it is legal");
    // Of probes, whose configuration with everything has what `lod` asks for too.
    let everything = general_probes::configs().pop().expect("configurations").1;
    let mut found = vec![];
    for (config, most) in [(multi_lite, [395, 112]), (everything, [740, 600])] {
        for (stage, most) in stages(&config).into_iter().zip(most) {
            let Synthesis { counts, depth, .. } =
                synthesize(&stage, Family::UltraScalePlus).unwrap_or_else(|refused| panic!("{refused}"));
            let from_inputs = depth.input_to_register.as_ref().map_or(0, |path| path.weight.weight);
            let levels = depth.depth().max(from_inputs);
            let (luts, faults) = (counts.lut_total(), depth.loops_cut + counts.latches);
            if luts > most || levels > DEPTH || faults > 0 {
                let paths = (&depth.register_to_register, &depth.input_to_register);
                found.push(format!(
                    "{}: {luts} LUTs of {most}, {levels} levels, {faults} faults: {paths:?}",
                    stage.top
                ));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// LUTs, DSP slices and flip-flops of `lod` with four lanes.
#[test]
#[ignore = "a minute of synthesis"]
fn lod_of_four_lanes_stays_within_depth_and_area() {
    if Tools::yosys().map_or(true, |tool| !tool.version().starts_with(YOSYS)) {
        return;
    }
    let mut found = vec![];
    for (name, config) in general_lod::configs() {
        let Some((_, most)) = LOD_OF_FOUR_LANES.iter().find(|(of, _)| *of == name) else { continue };
        let stage = verilog("general_lod", &Lod::new(&general_lod::of_four_lanes(&config)));
        let Synthesis { counts, depth, .. } =
            synthesize(&stage, Family::UltraScalePlus).unwrap_or_else(|refused| panic!("{refused}"));
        let from_inputs = depth.input_to_register.as_ref().map_or(0, |path| path.weight.weight);
        let levels = depth.depth().max(from_inputs);
        let area = [counts.lut_total(), counts.dsp48, counts.ff];
        let faults = depth.loops_cut + counts.latches;
        if area.iter().zip(most).any(|(of, most)| of > most) || levels > DEPTH || faults > 0 {
            let paths = (&depth.register_to_register, &depth.input_to_register);
            found.push(format!("{name}: {area:?} of {most:?}, {levels} levels, {faults} faults: {paths:?}"));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// LUTs of `projection`, by what it does.
#[test]
#[ignore = "minutes of synthesis"]
fn projection_stays_within_depth_and_area() {
    if Tools::yosys().map_or(true, |tool| !tool.version().starts_with(YOSYS)) {
        return;
    }
    let mut found = vec![];
    for (name, lanes, most) in PROJECTION_LUTS {
        let configs = match lanes {
            1 => general_projection::configs(),
            _ => general_projection::configs_of_four_lanes(),
        };
        let (_, config) = configs.into_iter().find(|(of, _)| *of == name).expect("the test has it");
        let stage = verilog("general_projection", &Projection::new(&config));
        let Synthesis { counts, depth, .. } =
            synthesize(&stage, Family::UltraScalePlus).unwrap_or_else(|refused| panic!("{refused}"));
        let from_inputs = depth.input_to_register.as_ref().map_or(0, |path| path.weight.weight);
        let levels = depth.depth().max(from_inputs);
        let (luts, faults) = (counts.lut_total(), depth.loops_cut + counts.latches);
        if luts > most || levels > DEPTH || faults > 0 {
            found.push(format!(
                "{name}, lanes: {lanes}, {luts} LUTs of {most}, {levels} levels, {faults} faults"
            ));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
