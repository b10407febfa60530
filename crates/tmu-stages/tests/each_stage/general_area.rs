//! Depth and area of the stages of the general numerics, as Yosys estimates them for UltraScale+.

use tmu_cosim::source;
use tmu_hdl::elaborate::elaborate;
use tmu_hdl::prelude::Block;
use tmu_rtl::datapath::general::lod::Lod;
use tmu_rtl::datapath::general::probes::Probes;
use tmu_spec::Preset;
use tmu_verilate::{Family, Synthesis, Tools, lint_with_all, synthesize};

/// Most LUTs and carry chains in a row between two registers.
const DEPTH: u32 = 5;

fn within(name: &str, block: &impl Block, most_luts: usize) {
    if Tools::are_missing() {
        return;
    }
    let design = elaborate(name, block).unwrap_or_else(|refused| panic!("{refused}"));
    let stage = source(&design, &["clk"]);
    let found = lint_with_all(&stage).unwrap_or_else(|refused| panic!("{refused}"));
    assert!(found.is_empty(), "{name}: {found:#?}");
    let Synthesis { counts, depth, .. } =
        synthesize(&stage, Family::UltraScalePlus).unwrap_or_else(|refused| panic!("{refused}"));
    println!("{name}: {counts:#?} {depth:#?}");
    let from_inputs = depth.input_to_register.as_ref().map_or(0, |path| path.weight.weight);
    let levels = depth.depth().max(from_inputs);
    let luts = counts.lut_total();
    assert!(luts <= most_luts && levels <= DEPTH, "{name}: {luts} LUTs of {most_luts}, {levels} levels");
}

#[test]
#[ignore = "a minute of synthesis"]
fn lod() {
    let config = Preset::find("multi-lite").expect("the preset is there").config().expect("it is legal");
    within("general_lod", &Lod::new(&config), 0);
}

#[test]
#[ignore = "a minute of synthesis"]
fn probes() {
    let config = Preset::find("multi-lite").expect("the preset is there").config().expect("it is legal");
    within("general_probes", &Probes::new(&config), 0);
}
