//! Depth and area of the stages of the general numerics that are built for the preset `multi-lite`, as Yosys estimates them for
//! UltraScale+.

use crate::readers::assert_no_reader_warns;
use crate::support::configs;
use crate::{general_decode, general_tags, general_texels, store_port, store_switch};
use std::thread;
use tmu_cosim::source;
use tmu_hdl::elaborate::{elaborate, elaborate_large};
use tmu_hdl::prelude::Block;
use tmu_rtl::cache::prefetch::data_stage::DataStage;
use tmu_rtl::cache::prefetch::fill::Fill;
use tmu_rtl::cache::prefetch::miss_queue::MissQueue;
use tmu_rtl::cache::prefetch::tag_stage::TagStage;
use tmu_rtl::datapath::general::address::Address;
use tmu_rtl::datapath::general::compare::Compare;
use tmu_rtl::datapath::general::coordinate::Coordinate;
use tmu_rtl::datapath::general::decode::Decode;
use tmu_rtl::datapath::general::filter::Filter;
use tmu_rtl::datapath::general::filter::lanes::FilterLanes;
use tmu_rtl::datapath::general::footprint::FootprintStage;
use tmu_rtl::datapath::general::group::GroupStage;
use tmu_rtl::datapath::general::indirect::aggregate::Aggregate;
use tmu_rtl::datapath::general::indirect::fields::Fields;
use tmu_rtl::datapath::general::indirect::look_ahead::LookAhead;
use tmu_rtl::datapath::general::indirect::places::Places;
use tmu_rtl::datapath::general::request::Request;
use tmu_rtl::datapath::general::result::lanes::ResultLanes;
use tmu_rtl::datapath::general::result::{ResultStage, is_built};
use tmu_rtl::sampler::general::GeneralSampler;
use tmu_rtl::sampler::store_port::StorePort;
use tmu_rtl::sampler::store_switch::StoreSwitch;
use tmu_spec::{Config, Preset};
use tmu_verilate::{Family, ModelSource, Tools, synthesize};

/// Most LUTs and carry chains in a row between two registers.
const DEPTH: u32 = 5;

/// The version that the limits were measured with.
const YOSYS: &str = "Yosys 0.70";

/// A stage's Verilog, and the most LUTs and DSP slices of it.
pub(crate) type Limited = (ModelSource, usize, usize);

pub(crate) fn verilog(name: &str, block: &impl Block) -> ModelSource {
    let design = elaborate(name, block).unwrap_or_else(|refused| panic!("{refused}"));
    source(&design, &["clk"])
}

/// The same of stages that have every format.
fn stages_of_every_format() -> Vec<Limited> {
    let stored = configs::multi_lite_stored();
    vec![
        (verilog("decode", &Decode::new(&general_decode::everything_but_large_blocks())), 4300, 0),
        (verilog("decode", &Decode::new(&general_decode::everything_but_blocks())), 2100, 0),
        (verilog("decode", &Decode::new(&stored)), 1450, 0),
        (verilog("fill", &Fill::new(&stored)), 620, 0),
    ]
}

/// The Verilog of the stages.
fn stages() -> Vec<Limited> {
    let config = configs::multi_lite();
    vec![
        (verilog("request", &Request::new(&config)), 500, 1),
        (verilog("coordinate", &Coordinate::new(&config)), 700, 4),
        (verilog("footprint", &FootprintStage::new(&config)), 400, 0),
        (verilog("address", &Address::new(&config)), 900, 4),
        (verilog("tag_stage", &TagStage::new(&config)), 280, 0),
        (verilog("miss_queue", &MissQueue::new(&config)), 135, 0),
        (verilog("fill", &Fill::new(&config)), 820, 0),
        (verilog("data_stage", &DataStage::new(&config)), 65, 0),
        (verilog("decode", &Decode::new(&config)), 1380, 0),
        (verilog("filter", &Filter::new(&config)), 430, 8),
    ]
}

/// Those behind the cache, of everything in one lane.
fn stages_of_everything() -> Vec<Limited> {
    let config = configs::multi_pixel(&[]);
    vec![
        (verilog("compare", &Compare::new(&config)), 430, 1),
        (verilog("filter_of_samples", &Filter::new(&config)), 1500, 16),
        (verilog("result_stage", &ResultStage::new(&config)), 480, 0),
    ]
}

/// Those behind the texels of four lanes, and of as many of the preset.
fn stages_behind_lanes() -> Vec<Limited> {
    let (lite, everything) = (configs::multi_lite_quad(&[]), configs::multi_quad());
    vec![
        (verilog("filter_lanes", &FilterLanes::new(&lite)), 1640, 32),
        (verilog("filter_of_quads", &FilterLanes::new(&everything)), 6050, 64),
        (verilog("result_lanes", &ResultLanes::new(&everything)), 1870, 0),
    ]
}

/// Those of indirect look-ups.
fn stages_of_indirect() -> Vec<Limited> {
    let (config, bytes) = (configs::indirect(), configs::multi_lite_quad(&[]));
    vec![
        (verilog("look_ahead", &LookAhead::new(40)), 1220, 0),
        (verilog("places", &Places::new(&config, 9)), 1130, 0),
        (verilog("fields", &Fields::new(&config)), 135, 0),
        (verilog("aggregate", &Aggregate::new(&config, 80)), 2900, 3),
        (verilog("aggregate_of_bytes", &Aggregate::new(&bytes, 80)), 830, 1),
    ]
}

/// What writes parameter stores beside packets of the stream.
fn stages_of_stores() -> Vec<Limited> {
    let switch = |name, one_beat| verilog(name, &StoreSwitch::new(&store_switch::config(one_beat)));
    let port = |name, units, entries, table| {
        verilog(name, &StorePort::new(&store_port::config(units, entries, table)))
    };
    vec![
        (switch("store_switch", false), 300, 0),
        (switch("store_switch_of_beats", true), 1100, 0),
        (port("store_port", 1, 64, false), 500, 0),
        (port("store_port_of_units", 16, 128, false), 600, 0),
        (port("store_port_with_table", 1, 128, true), 800, 0),
    ]
}

/// Those of four lanes that look up tags together.
fn stages_of_lanes() -> Vec<Limited> {
    let config = general_texels::in_lanes();
    let han = Preset::find("han").expect("the preset ships").config().expect("presets are legal");
    vec![
        (verilog("group", &GroupStage::new(&config)), 1330, 0),
        (verilog("address_of_lanes", &Address::new(&config)), 960, 10),
        (verilog("tag_stage_of_lanes", &TagStage::new(&config)), 290, 0),
        // 256 tags of 32 bits are compared in each clock.
        (verilog("address_of_han", &Address::new(&han)), 340, 10),
        (verilog("tag_stage_of_han", &TagStage::new(&han)), 8700, 0),
        (verilog("data_stage_of_lanes", &DataStage::new(&config)), 180, 0),
    ]
}

/// The same with less: turns of levels, and none.
fn others_of_lanes() -> Vec<ModelSource> {
    let verilog_of = |(name, config): &(&str, Config)| {
        let name = |stage: &str| format!("{stage}_{name}");
        [
            verilog(&name("group"), &GroupStage::new(config)),
            verilog(&name("address"), &Address::new(config)),
            verilog(&name("tag_stage"), &TagStage::new(config)),
        ]
    };
    general_tags::configs().iter().flat_map(verilog_of).collect()
}

/// Others of them.
fn stages_of_some() -> Vec<ModelSource> {
    let wide = ("[cache]\n", "[filter]\nchannel_bits = 16\n\n[cache]\n");
    let floats = ("[\"rgba8\",", "[\"rgba8\", \"rgba16f\", \"d24\",");
    let more = ("bilinear = true", "bilinear = true\nswizzle = true\ncompare = true");
    let fetch = ("\"bias\"]", "\"bias\", \"fetch\"]");
    let word = ("fifo_depth = 64", "fifo_depth = 64\nnumbers = \"unorm16\"");
    let volumes = ("[\"2d\", \"cube\"]", "[\"2d\", \"3d\"]");
    let gather = ("\"bias\"]", "\"bias\", \"gather\"]");
    let nearest = ("bilinear = true", "bilinear = false");
    let long = ("bilinear = true", "bilinear = true\nmax_anisotropy = 2");
    let lanes = [
        configs::multi_lite_quad(&[wide, fetch]),
        configs::multi_lite_quad(&[floats, more, word]),
        configs::multi_lite_quad(&[volumes, gather]),
        configs::multi_lite_quad(&[nearest, floats]),
        configs::multi_lite_quad(&[long]),
    ];
    let of_lanes = lanes.iter().flat_map(|config| {
        let result = is_built(config).then(|| verilog("result_lanes_some", &ResultLanes::new(config)));
        std::iter::once(verilog("filter_lanes_some", &FilterLanes::new(config))).chain(result)
    });
    let narrow = configs::multi_lite_with(&[floats, more, word]);
    let wide = configs::multi_lite_with(&[wide, fetch]);
    let of_one = vec![
        verilog("compare_narrow", &Compare::new(&narrow)),
        verilog("filter_narrow", &Filter::new(&narrow)),
        verilog("result_narrow", &ResultStage::new(&narrow)),
        verilog("filter_wide", &Filter::new(&wide)),
        verilog("result_wide", &ResultStage::new(&wide)),
    ];
    of_one.into_iter().chain(of_lanes).collect()
}

/// No reader has anything to say.
#[test]
fn no_linter_warns() {
    let limited = [
        stages(),
        stages_of_everything(),
        stages_behind_lanes(),
        stages_of_every_format(),
        stages_of_lanes(),
        stages_of_indirect(),
        stages_of_stores(),
    ]
    .concat();
    let others = stages_of_some().into_iter().chain(others_of_lanes());
    let all = limited.into_iter().map(|(stage, ..)| stage).chain(others);
    assert_no_reader_warns(all.map(|stage| ("", stage)));
}

#[test]
#[ignore = "minutes of synthesis"]
fn stages_stay_within_depth_and_area() {
    stay_within_depth_and_area(stages());
}

#[test]
#[ignore = "minutes of synthesis"]
fn stages_of_everything_stay_within_depth_and_area() {
    stay_within_depth_and_area(stages_of_everything());
}

#[test]
#[ignore = "minutes of synthesis"]
fn stages_behind_lanes_stay_within_depth_and_area() {
    stay_within_depth_and_area(stages_behind_lanes());
}

#[test]
#[ignore = "minutes of synthesis"]
fn stages_of_every_format_stay_within_depth_and_area() {
    stay_within_depth_and_area(stages_of_every_format());
}

#[test]
#[ignore = "minutes of synthesis"]
fn stages_of_lanes_stay_within_depth_and_area() {
    stay_within_depth_and_area(stages_of_lanes());
}

#[test]
#[ignore = "minutes of synthesis"]
fn stages_of_indirect_stay_within_depth_and_area() {
    stay_within_depth_and_area(stages_of_indirect());
}

#[test]
#[ignore = "minutes of synthesis"]
fn stages_of_stores_stay_within_depth_and_area() {
    stay_within_depth_and_area(stages_of_stores());
}

/// A unit whose store is written over the control port, too, has no longer path than one whose store is written by packets alone.
#[test]
#[ignore = "minutes of synthesis"]
fn written_stores_make_no_path_longer() {
    if Tools::yosys().map_or(true, |tool| !tool.version().starts_with(YOSYS)) {
        return;
    }
    let depth = |config: Config| {
        let design = elaborate_large("unit", || GeneralSampler::new(&config));
        let design = design.unwrap_or_else(|refused| panic!("{refused}"));
        let made = synthesize(&source(&design, &["clk"]), Family::UltraScalePlus);
        made.unwrap_or_else(|refused| panic!("{refused}")).depth.depth()
    };
    let with = store_switch::config(false);
    let text = with.canonical_toml().replace("store_port = true", "store_port = false");
    let without = Config::from_toml(&text).unwrap_or_else(|refused| panic!("{refused}"));
    let [with, without] = [with, without].map(depth);
    assert!(with <= without, "{with} levels, without {without}");
}

/// Most of the LUTs of everything that indirect look-ups add, in hundredths, and most DSP slices.
const MOST_OF_INDIRECT: (usize, usize) = (8, 4);

/// What the key `texture.indirect` adds to a unit of the preset `multi`.
#[test]
#[ignore = "half an hour of synthesis"]
#[allow(clippy::print_stdout, reason = "what is measured is wanted even if it is within its limit")]
fn indirect_look_ups_add_little_to_everything() {
    if Tools::yosys().map_or(true, |tool| !tool.version().starts_with(YOSYS)) {
        return;
    }
    let counts = |config: Config| {
        let design = elaborate_large("unit", || GeneralSampler::new(&config));
        let design = design.unwrap_or_else(|refused| panic!("{refused}"));
        let made = synthesize(&source(&design, &["clk"]), Family::UltraScalePlus);
        let counts = made.unwrap_or_else(|refused| panic!("{refused}")).counts;
        (counts.lut_total(), counts.dsp48)
    };
    let ((luts, dsps), (luts_with, dsps_with)) = thread::scope(|scope| {
        let without = scope.spawn(|| counts(configs::multi_quad_direct()));
        let with = counts(configs::multi_quad());
        (without.join().unwrap(), with)
    });
    println!("{luts} LUTs and {dsps} DSP slices without, {luts_with} and {dsps_with} with indirect look-ups");
    let (hundredths, slices) = MOST_OF_INDIRECT;
    assert!(
        100 * luts_with <= (100 + hundredths) * luts && dsps_with <= dsps + slices,
        "more than {hundredths} % of the LUTs or {slices} DSP slices"
    );
}

pub(crate) fn stay_within_depth_and_area(stages: Vec<Limited>) {
    if Tools::yosys().map_or(true, |tool| !tool.version().starts_with(YOSYS)) {
        return;
    }
    let mut found = vec![];
    for (stage, most_luts, most_dsps) in stages {
        let made = synthesize(&stage, Family::UltraScalePlus).unwrap_or_else(|refused| panic!("{refused}"));
        let (counts, depth) = (made.counts, made.depth);
        let from_inputs = depth.input_to_register.as_ref().map_or(0, |path| path.weight.weight);
        let levels = depth.depth().max(from_inputs);
        let (luts, dsps, name) = (counts.lut_total(), counts.dsp48, &stage.top);
        if luts > most_luts || dsps > most_dsps || levels > DEPTH || depth.loops_cut + counts.latches > 0 {
            let path = depth.register_to_register.or(depth.input_to_register);
            let path = path.map_or_else(String::new, |path| {
                format!(", {} to {} through {}", path.from, path.to, path.through.join(", "))
            });
            found.push(format!(
                "{name}: {luts} LUTs of {most_luts}, {dsps} DSP slices, {levels} levels{path}"
            ));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
