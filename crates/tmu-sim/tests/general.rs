//! Units of the general numerics against the golden model: random textures, samplers and quads.

mod support;

use rayon::prelude::*;
use support::built;
use tmu_sim::engines::sampler::general::comparison::{Comparison, Outcome, compare};
use tmu_sim::engines::sampler::general::rates::{Memory, Rate, Walk, measure};
use tmu_sim::kit::pauses::Pauses;
use tmu_spec::{Config, Preset};
use tmu_testing::setting;
use tmu_verilate::{ModelOptions, OptimizeFor};

/// Quads of each run; the variable asks for others.
const QUADS: u64 = 20_000;
const QUADS_VARIABLE: &str = "TMUGEN_GENERAL_QUADS";
const SEED_VARIABLE: &str = "TMUGEN_GENERAL_SEED";

fn preset() -> Config {
    Preset::find("multi-lite").expect("the preset ships").config().expect("presets are legal")
}

/// The preset with other keys.
fn changed(name: &str, changes: &[(&str, &str)]) -> Config {
    let mut text = preset().canonical_toml().to_owned();
    for (from, to) in changes {
        assert!(text.contains(from), "{from} is in\n{text}");
        text = text.replace(from, to);
    }
    let text = text.replace("name = \"multi_lite\"", &format!("name = \"{name}\""));
    Config::from_toml(&text).unwrap_or_else(|problems| panic!("{name}: {problems:?}"))
}

fn run(config: &Config, runs: &[(u32, Pauses, bool)]) -> Vec<Outcome> {
    let seed = setting(SEED_VARIABLE).unwrap_or(1);
    let quads = setting(QUADS_VARIABLE).unwrap_or(QUADS);
    // Few quads are not worth a long build.
    let optimize = if quads < QUADS { OptimizeFor::BuildTime } else { OptimizeFor::Speed };
    let options = ModelOptions { optimize, ..ModelOptions::default() };
    let Some((rtl, model)) = built(config, &options) else { return vec![] };
    let outcome = |(number, &(latency_clocks, pauses, errors)): (usize, &(u32, Pauses, bool))| {
        let seed = seed + number as u64;
        let comparison = Comparison { seed, quads, latency_clocks, pauses, errors };
        compare(&model, &rtl, &comparison).unwrap_or_else(|problem| {
            panic!(
                "{}, {comparison:?}: {problem}\nrepeat with\n{SEED_VARIABLE}={seed} cargo nextest run -p tmu-sim --test general",
                config.name()
            )
        })
    };
    runs.par_iter().enumerate().map(outcome).collect()
}

/// Latency of memory, pauses, and whether there are errors.
const RUNS: [(u32, Pauses, bool); 3] =
    [(1, Pauses::NONE, false), (20, Pauses::percent(25), true), (60, Pauses::NONE, true)];

#[test]
fn multi_lite() {
    let outcomes = run(&preset(), &RUNS);
    assert!(outcomes.iter().skip(1).all(|outcome| outcome.errors > 0), "{outcomes:?}");
}

/// What only some configurations leave out.
#[test]
fn other_configurations() {
    let flat = changed("flat", &[("kinds = [\"2d\", \"cube\"]", "kinds = [\"2d\"]")]);
    run(&flat, &RUNS[..2]);
}

/// A configuration with these lines in its sections, and a prefetching cache of a pixel a clock.
fn with(name: &str, texture: &str, request: &str, numbers: &str, channel_bits: u32) -> Config {
    let text = format!(
        "name = \"{name}\"\nunits = 1\n[texture]\nbilinear = true\nmipmaps = true\nsizes = \"any\"\nmax_size_log2 = 12\n\
         {texture}\n[request]\n{request}\n[result]\nnumbers = \"{numbers}\"\nfifo_depth = 128\n[datapath]\npixels_per_clock = 1\n\
         [filter]\nchannel_bits = {channel_bits}\n[cache]\nkind = \"prefetch\"\nways = 2\nsets = 256\nqueue_depth = 512\n\
         replacement = \"round_robin\"\ndata_ram = \"block\"\n[axi]\noutstanding_reads = 64\n"
    );
    let config = Config::from_toml(&text).unwrap_or_else(|problems| panic!("{name}: {problems:?}"));
    config.check_hardware().unwrap_or_else(|problems| panic!("{name}: {problems:?}"));
    config
}

/// The same with four lanes.
fn with_lanes(one_lane: &Config) -> Config {
    let name = format!("{}_lanes", one_lane.name());
    let text = one_lane.canonical_toml();
    let changes = [
        ("pixels_per_clock = 1", "pixels_per_clock = 4".to_owned()),
        ("beats_per_quad = 2", "beats_per_quad = 1".to_owned()),
        (&format!("name = \"{}\"", one_lane.name()), format!("name = \"{name}\"")),
        ("fifo_depth = 64", "fifo_depth = 128".to_owned()),
        // The streams carry a quad a clock.
        ("core_mhz = 400", "core_mhz = 480".to_owned()),
    ];
    let text = changes.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to));
    let config = Config::from_toml(&text).unwrap_or_else(|problems| panic!("{name}: {problems:?}"));
    config.check_hardware().unwrap_or_else(|problems| panic!("{name}: {problems:?}"));
    config
}

/// All formats.
const FORMATS: &str = r#"formats = [
    "rgba8", "rgb8", "i8_rgba8", "i8_rgb8", "r8", "rg8", "rgb565", "rgba5551", "rgba4444", "rgb10a2", "r16", "rg16",
    "bc1", "bc2", "bc3", "bc4", "bc5", "bc7", "etc2_rgb8", "etc2_rgb8a1", "etc2_rgba8", "eac_r11", "eac_rg11",
    "d16", "d24", "d32f", "r32f", "r16f", "rg16f", "rgba16", "rg32f", "rgba32f", "rgba16f",
]"#;
const MODES: &str = r#"address_modes = ["wrap", "clamp", "mirror", "border", "mirror_once"]"#;
const COLORS: &str = "compare = true\nsrgb = true\nswizzle = true";

/// Everything that there is hardware for, in single floats.
#[test]
fn everything() {
    let texture = format!(
        "kinds = [\"1d\", \"2d\", \"3d\", \"cube\", \"2d_array\"]\ntrilinear = true\nmax_anisotropy = 16\n{FORMATS}\n{MODES}\n{COLORS}"
    );
    let request = "operations = [\"sample\", \"lod\", \"bias\", \"fetch\", \"gather\"]\nnumbers = \"fp32\"\nprojective = true";
    run(&with("everything", &texture, request, "fp32", 16), &RUNS[..2]);
}

/// Some of it in integers, without compressed formats, cubes and trilinear filtering, each quad in one beat.
#[test]
fn something() {
    let texture = format!(
        "kinds = [\"1d\", \"3d\", \"2d_array\"]\ntrilinear = false\nmax_anisotropy = 4\nformats = [\"rgba8\", \"r8\", \"d16\", \"rgb565\"]\n{MODES}\ncompare = true"
    );
    let request = "operations = [\"sample\", \"fetch\", \"gather\"]\nprojective = true\nbeats_per_quad = 1";
    run(&with("something", &texture, request, "unorm16", 8), &RUNS[..2]);
}

/// Four lanes of what `multi-lite` does.
#[test]
fn lanes_of_multi_lite() {
    run(&with_lanes(&preset()), &RUNS);
}

/// Four lanes of nearly everything.
fn lanes_of_nearly_everything() -> Config {
    let texture = format!(
        "kinds = [\"1d\", \"2d\", \"3d\", \"cube\", \"2d_array\"]\ntrilinear = true\nmax_anisotropy = 16\n\
         formats = [\"rgba8\", \"rgb8\", \"rg16\", \"bc1\", \"d24\", \"r16f\", \"rgba16\", \"rgba32f\"]\n{MODES}\n{COLORS}"
    );
    let request = "operations = [\"sample\", \"lod\", \"bias\", \"fetch\", \"gather\"]\nnumbers = \"fp32\"\nprojective = true";
    with_lanes(&with("nearly_everything", &texture, request, "fp32", 16))
}

#[test]
fn lanes() {
    run(&lanes_of_nearly_everything(), &RUNS[..2]);
}

/// Four lanes of colour tables and wide texels.
#[test]
fn lanes_of_tables() {
    let texture = "kinds = [\"2d\"]\nformats = [\"rgba8\", \"i8_rgba8\", \"i8_rgb8\", \"rgba16\"]\n\
                   address_modes = [\"wrap\", \"mirror\"]\ntrilinear = true";
    run(&with_lanes(&with("tables", texture, "operations = [\"sample\"]", "fp32", 16)), &RUNS[1..2]);
}

/// The preset `multi`, everything in four lanes, but for indirect look-ups, with a result FIFO that is deep enough for its hardware.
#[test]
#[ignore = "minutes of compiling; scripts/test-long runs it"]
fn multi() {
    let preset = Preset::find("multi").expect("the preset ships").config().expect("presets are legal");
    let text = preset.canonical_toml().replace("fifo_depth = 64", "fifo_depth = 128");
    let text = text.replace("indirect = true", "indirect = false");
    let config = Config::from_toml(&text).unwrap_or_else(|problems| panic!("{problems:?}"));
    config.check_hardware().unwrap_or_else(|problems| panic!("{problems:?}"));
    run(&config, &RUNS[..2]);
}

/// The preset `indirect`: quads of one texture and of two, through both passes.
#[test]
fn indirect() {
    let preset = Preset::find("indirect").expect("the preset ships").config().expect("presets are legal");
    let outcomes = run(&preset, &RUNS);
    let is_mixed =
        |outcome: &Outcome| 5 * outcome.indirect > outcome.quads && outcome.indirect < outcome.quads;
    assert!(outcomes.iter().all(is_mixed), "{outcomes:?}");
}

/// Walks of four lanes: least probes a clock, of four.
const RATES_OF_LANES: [(Walk, f64); 14] = [
    (Walk::Hits, 3.9),
    (Walk::Straight, 3.85),
    (Walk::Diagonal, 2.7),
    (Walk::Turned, 3.85),
    (Walk::Bc1, 3.1),
    (Walk::OddSize, 2.75),
    (Walk::TrilinearHits, 3.9),
    (Walk::TrilinearSlanted, 3.9),
    (Walk::VolumeHits, 3.9),
    (Walk::VolumeSlanted, 1.65),
    (Walk::AnisotropicSlanted, 2.2),
    (Walk::CubeHits, 1.9),
    (Walk::EightBytes, 1.98),
    (Walk::SixteenBytes, 3.9),
];

#[test]
fn rates_of_lanes() {
    let Some((rtl, model)) = built(&lanes_of_nearly_everything(), &ModelOptions::default()) else { return };
    let of = |(walk, least): &(Walk, f64)| {
        let at = |latency_clocks: u32| {
            let memory = Memory { latency_clocks, bytes_per_clock: 16, pauses: Pauses::NONE };
            measure(&model, &rtl, *walk, memory)
                .unwrap_or_else(|problem| panic!("{}: {problem}", walk.name()))
        };
        let rates = [1, 20, 60].map(at);
        let is_slow = |rate: &Rate| rate.probes_per_clock < *least;
        let slow = rates.iter().find(|rate| is_slow(rate))?;
        Some(format!("{}: {slow}, at least {least} probes a clock", walk.name()))
    };
    let slow: Vec<String> = RATES_OF_LANES.par_iter().filter_map(of).collect();
    assert!(slow.is_empty(), "{}", slow.join("\n"));
}

/// Walks: least samples a clock at a latency of 1, most bytes a sample at 20.
const RATES: [(Walk, f64, f64); 9] = [
    (Walk::Hits, 0.98, 0.05),
    (Walk::Straight, 0.98, 4.2),
    (Walk::Diagonal, 0.97, 5.6),
    (Walk::Turned, 0.98, 4.2),
    (Walk::Trilinear, 0.48, 7.8),
    (Walk::Bc1, 0.93, 0.55),
    (Walk::Bc3, 0.93, 1.1),
    (Walk::Cube, 0.2, 12.8),
    (Walk::OddSize, 0.87, 4.2),
];

/// Of the rate without latency as much must be left at 20 and 60 clocks.
const OF_ZERO_LATENCY: f64 = 0.97;

#[test]
fn rates() {
    let Some((rtl, model)) = built(&preset(), &ModelOptions::default()) else { return };
    let of = |walk: Walk, latency: u32| {
        let memory = Memory { latency_clocks: latency, bytes_per_clock: 16, pauses: Pauses::NONE };
        measure(&model, &rtl, walk, memory).unwrap_or_else(|problem| panic!("{}: {problem}", walk.name()))
    };
    let rows: Vec<_> =
        RATES.par_iter().map(|row| (row, [1, 20, 60].map(|latency| of(row.0, latency)))).collect();
    for ((walk, least, most_bytes), [zero, near, far]) in rows {
        let what = walk.name();
        assert!(zero.samples_per_clock >= *least, "{what}: {zero}, at least {least}");
        assert!(near.bytes_per_sample <= *most_bytes, "{what}: {near}, at most {most_bytes}");
        for (latency, rate) in [(20, near), (60, far)] {
            let part = rate.samples_per_clock / zero.samples_per_clock;
            assert!(part >= OF_ZERO_LATENCY, "{what} at {latency}: {rate}, without latency {zero}");
        }
    }
}
