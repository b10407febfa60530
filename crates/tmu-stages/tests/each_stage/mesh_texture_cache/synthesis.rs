//! Depth and area of the cache and of `address` in front of it, as Yosys estimates them for UltraScale+, and what linters say.

use crate::readers::assert_no_reader_warns;
use tmu_cosim::source;
use tmu_hdl::elaborate::elaborate;
use tmu_hdl::prelude::Block;
use tmu_rtl::engines::mesh::address::Address;
use tmu_rtl::engines::mesh::texture_cache::TextureCache;
use tmu_rtl::engines::mesh::texture_cache::words::CacheShape;
use tmu_verilate::{Family, ModelSource, Tools, synthesize};

/// Most LUTs and carry chains in a row between two registers.
const DEPTH: u32 = 5;
/// Most LUTs of both.
const LUTS: usize = 1300;
/// The version that the limits were measured with.
const YOSYS: &str = "Yosys 0.70";

fn stages() -> [ModelSource; 2] {
    let cache = TextureCache::new(CacheShape::of_kib(32));
    [emitted("mesh_address", &Address::new()), emitted("mesh_texture_cache", &cache)]
}

fn emitted(name: &str, block: &impl Block) -> ModelSource {
    let design = elaborate(name, block).unwrap_or_else(|refused| panic!("{refused}"));
    source(&design, &["clk"])
}

#[test]
fn no_linter_warns() {
    assert_no_reader_warns(stages().map(|stage| ("", stage)));
}

#[test]
#[ignore = "a minute of synthesis"]
#[allow(clippy::print_stderr, reason = "the figures of the run")]
fn cache_stays_within_depth_and_area() {
    if Tools::yosys().map_or(true, |tool| !tool.version().starts_with(YOSYS)) {
        return;
    }
    let mut luts = 0;
    for stage in stages() {
        let made = synthesize(&stage, Family::UltraScalePlus).unwrap_or_else(|refused| panic!("{refused}"));
        let (counts, depth) = (made.counts, made.depth);
        let from_inputs = depth.input_to_register.as_ref().map_or(0, |path| path.weight.weight);
        let levels = depth.depth().max(from_inputs);
        eprintln!("{}: {levels} levels, {counts:?}", stage.top);
        assert!(levels <= DEPTH, "{}: {levels} levels, {:?}", stage.top, depth);
        assert_eq!(depth.loops_cut + counts.latches, 0, "{}", stage.top);
        luts += counts.lut_total();
    }
    assert!(luts <= LUTS, "{luts} LUTs");
}
