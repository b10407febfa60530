//! Depth and area of what is emitted, as Yosys estimates them for UltraScale+.
//!
//! Only Yosys 0.70 gives these figures: another version maps otherwise, and then nothing is compared.

mod support;

use support::unless_missing;
use tmu_sim::kit::rtl::Rtl;
use tmu_spec::{Config, Preset};
use tmu_testing::repository;
use tmu_verilate::{Family, Synthesis, synthesize};

/// Most LUTs and carry chains in a row between two registers.
const DEPTH: u32 = 5;

/// The version that the limits were measured with.
const YOSYS: &str = "Yosys 0.70";

fn config_of(preset: &str) -> Config {
    Preset::find(preset).expect("the preset ships").config().expect("presets are legal")
}

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

/// By which part of it a figure of the README may be off.
const MARGIN: f64 = 0.02;

/// Rows of the README's tables of area; UltraRAM only where there is any.
const ROWS: [&str; 5] = ["LUT, ", "flip-flops", "block RAM, 36 Kb", "UltraRAM", "DSP slices"];

/// What the README says a preset takes: the figure in each row of the table of area that has its column.
fn in_readme(preset: &str) -> [Option<f64>; 5] {
    let readme = std::fs::read_to_string(repository().join("README.md")).unwrap();
    let rows = |table: &str| -> Vec<Vec<String>> {
        let cells = |line: &str| line.split('|').map(|cell| cell.trim().to_owned()).collect();
        table.lines().map(cells).collect()
    };
    let named = |row: &[String], name: &str| row.get(1).is_some_and(|cell| cell.starts_with(name));
    let found = readme.split("\n\n").map(rows).find_map(|table| {
        let column = table.first()?.iter().position(|cell| *cell == format!("`{preset}`"))?;
        table.iter().any(|row| named(row, ROWS[0])).then_some((table, column))
    });
    let (table, column) = found.unwrap_or_else(|| panic!("README.md has no table of area with {preset}"));
    ROWS.map(|name| {
        let figure = &table.iter().find(|row| named(row, name))?[column];
        let number = figure.replace(',', "").parse();
        Some(number.unwrap_or_else(|_| panic!("README.md, {preset}, {name}: {figure}")))
    })
}

/// A preset stays within the depth and these figures: LUTs, those used as memory included, flip-flops, block RAM of
/// 36 Kb, UltraRAM, DSP slices. The README says what it takes.
fn assert_within(preset: &str, most: [f64; 5]) {
    let Some(Synthesis { counts, .. }) = assert_depth(&config_of(preset)) else { return };
    let used = [
        counts.lut_total() as f64,
        counts.ff as f64,
        counts.bram36(),
        counts.uram288 as f64,
        counts.dsp48 as f64,
    ];
    for (((row, used), most), quoted) in ROWS.iter().zip(used).zip(most).zip(in_readme(preset)) {
        assert!(used <= most, "{preset}: {used} {row}, at most {most}: {counts:#?}");
        let quoted = quoted.unwrap_or(0.0);
        let least = quoted * (1.0 - MARGIN);
        assert!(
            (least..=quoted * (1.0 + MARGIN)).contains(&used),
            "{preset}, {row}: {used}, README.md says {quoted}"
        );
    }
}

#[test]
#[ignore = "four of the same unit, for a minute of synthesis"]
fn four_units_stay_within_depth_and_area() {
    assert_within("fury", [7_700.0, 18_400.0, 18.0, 8.0, 20.0]);
}

#[test]
#[ignore = "most of its stages are those of `quad`, for half a minute of synthesis"]
fn a_streaming_unit_stays_within_depth_and_area() {
    assert_within("stream", [3_040.0, 11_100.0, 30.0, 0.0, 14.0]);
}

#[test]
#[ignore = "a minute of synthesis"]
fn a_unit_that_takes_quads_stays_within_depth_and_area() {
    assert_within("quad", [7_200.0, 23_500.0, 36.0, 0.0, 40.0]);
}

#[test]
#[ignore = "half a minute of synthesis"]
fn the_mesh_engine_stays_within_depth_and_area() {
    assert_within("mesh", [3_200.0, 11_900.0, 27.0, 0.0, 40.0]);
}

#[test]
#[ignore = "half a minute of synthesis"]
fn the_loader_engine_stays_within_depth_and_area() {
    assert_within("loader", [6_000.0, 9_300.0, 9.5, 0.0, 17.0]);
}

#[test]
#[ignore = "the unit of `quad` with longer queues, for half a minute of synthesis"]
fn a_unit_for_far_memory_stays_within_depth_and_area() {
    assert_within("quad-far", [7_200.0, 23_500.0, 40.0, 0.0, 40.0]);
}

/// Whole units of the general numerics: not one stage after the other, but where they meet, too.
#[test]
#[ignore = "a minute of synthesis"]
fn a_unit_of_the_general_numerics_stays_within_depth() {
    assert_depth(&config_of("multi-lite"));
}

#[test]
#[ignore = "five minutes of synthesis"]
fn a_unit_of_indirect_look_ups_stays_within_depth() {
    assert_depth(&config_of("indirect"));
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
#[ignore = "most of a minute of synthesis"]
fn other_configurations_stay_within_depth() {
    let single = Preset::find("fury-single").expect("the preset ships").toml();
    for text in [single].into_iter().chain(OTHERS) {
        let config = Config::from_toml(text).unwrap_or_else(|errors| panic!("{text}\n{errors}"));
        assert_depth(&config);
    }
}
