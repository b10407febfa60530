//! Depth and area of what is emitted, as Yosys estimates them for UltraScale+.
//!
//! Only Yosys 0.70 gives these figures: another version maps otherwise, and then nothing is compared.

mod support;

use support::unless_missing;
use tmu_sim::Rtl;
use tmu_spec::{Config, Preset};
use tmu_verilate::{Family, Synthesis, synthesize};

/// Most LUTs and carry chains in a row between two registers.
const DEPTH: u32 = 5;

/// The version that the limits were measured with.
const YOSYS: &str = "Yosys 0.70";

fn synthesis(config: &Config) -> Option<Synthesis> {
    let rtl = Rtl::generate(config).unwrap_or_else(|found| panic!("{}: {found:?}", config.name()));
    let done = unless_missing(synthesize(&rtl.source, Family::UltraScalePlus), config)?;
    done.yosys_version.starts_with(YOSYS).then_some(done)
}

fn assert_depth(config: &Config) -> Option<Synthesis> {
    let done = synthesis(config)?;
    let path = &done.depth.register_to_register;
    assert!(done.depth.depth() <= DEPTH, "{}: {path:#?}", config.name());
    assert_eq!((done.depth.loops_cut, done.counts.latches), (0, 0), "{}", config.name());
    Some(done)
}

/// A preset stays within the depth and these figures: LUTs, those used as memory included, flip-flops, block RAM of
/// 36 Kb, UltraRAM, DSP slices.
fn assert_within(preset: &str, most: [f64; 5]) {
    let config = Preset::find(preset).expect("the preset ships").config().expect("presets are legal");
    let Some(Synthesis { counts, .. }) = assert_depth(&config) else { return };
    let used = [
        counts.lut_total() as f64,
        counts.ff as f64,
        counts.bram36(),
        counts.uram288 as f64,
        counts.dsp48 as f64,
    ];
    for (number, what) in ["LUTs", "flip-flops", "BRAM36", "URAM", "DSP"].into_iter().enumerate() {
        assert!(
            used[number] <= most[number],
            "{preset}: {} {what}, at most {}: {counts:#?}",
            used[number],
            most[number]
        );
    }
}

#[test]
fn four_units_stay_within_depth_and_area() {
    assert_within("fury", [7_150.0, 18_000.0, 18.0, 8.0, 20.0]);
}

#[test]
fn a_streaming_unit_stays_within_depth_and_area() {
    assert_within("stream", [3_000.0, 11_000.0, 30.0, 0.0, 13.0]);
}

#[test]
fn a_unit_that_takes_quads_stays_within_depth_and_area() {
    assert_within("quad", [7_200.0, 23_500.0, 36.0, 0.0, 40.0]);
}

/// Configurations in which other paths are the longest: many ways, a memory port with a clock of its
/// own and quads of one beat; one way and everything off that can be.
const OTHERS: [&str; 2] = [
    "name = \"own_clock\"\nclock = { memory_mhz = 300 }\nunits = 2\nrequest = { beats_per_quad = 1 }\n\
     axi = { clock = \"own\" }\ncache = { ways = 8, sets = 64, replacement = \"round_robin\" }",
    "name = \"least\"\ntexture = { formats = [\"rgb8\"], address_modes = [\"wrap\"], bilinear = false, mipmaps = false, \
     max_size_log2 = 2 }\nrequest = { beats_per_quad = 1, fifo_depth = 4 }\nresult = { fifo_depth = 4 }\n\
     cache = { ways = 1, sets = 16, tag_ram = \"distributed\", data_ram = \"distributed\" }\n\
     axi = { address_bits = 32, id_bits = 1 }\ncontrol = { port = false, counters = false }",
];

#[test]
fn other_configurations_stay_within_depth() {
    let single = Preset::find("fury-single").expect("the preset ships").toml();
    for text in [single].into_iter().chain(OTHERS) {
        let config = Config::from_toml(text).unwrap_or_else(|errors| panic!("{text}\n{errors}"));
        assert_depth(&config);
    }
}
