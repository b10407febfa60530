//! Units of the general numerics against the golden model: random textures, samplers and quads.

mod support;

use rayon::prelude::*;
use support::built;
use tmu_sim::engines::sampler::general::changes::clocks_for_a_quad;
use tmu_sim::engines::sampler::general::comparison::{Comparison, Outcome, compare};
use tmu_sim::engines::sampler::general::rates::{Memory, Rate, Walk, measure};
use tmu_sim::engines::sampler::general::writes::compare_while_written;
use tmu_sim::kit::pauses::Pauses;
use tmu_spec::general::texture::Shape;
use tmu_spec::general::{Binding, Filter, Kind, Operation, Pixel, Quad, Sampler, Swizzle, Texture};
use tmu_spec::{Config, Format, Preset};
use tmu_testing::setting;
use tmu_verilate::{ModelOptions, OptimizeFor};

/// Quads of each run; the variable asks for others.
const QUADS: u64 = 12_000;
/// Quads of each run of the preset `indirect`, of which half look up indirectly.
const INDIRECT_QUADS: u64 = 100_000;
/// As many are worth the longest build of a model.
const MANY_QUADS: u64 = 700_000;
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
    run_quads(config, runs, QUADS)
}

/// As [`run`], with other quads where the variable asks for none.
fn run_quads(config: &Config, runs: &[(u32, Pauses, bool)], quads: u64) -> Vec<Outcome> {
    run_so_many(config, runs, setting("TMUGEN_GENERAL_QUADS").unwrap_or(quads))
}

/// How a model of so many quads is built: fewer are not worth a long build.
fn options(quads: u64) -> ModelOptions {
    let optimize = match quads {
        0..QUADS => OptimizeFor::BuildTime,
        QUADS..MANY_QUADS => OptimizeFor::Both,
        _ => OptimizeFor::Speed,
    };
    ModelOptions { optimize, ..ModelOptions::default() }
}

fn run_so_many(config: &Config, runs: &[(u32, Pauses, bool)], quads: u64) -> Vec<Outcome> {
    config.check_hardware().unwrap_or_else(|problems| panic!("{}: {problems:?}", config.name()));
    let seed = setting(SEED_VARIABLE).unwrap_or(1);
    let Some((rtl, model)) = built(config, &options(quads)) else { return vec![] };
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

/// What a store needs to be written over the control port and loaded from memory.
const WAYS: (&str, &str) = ("[control]", "[control]\nstore_port = true\nstore_table = true");

/// The preset without cubes, with a parameter store.
fn flat() -> Config {
    changed("flat", &[("kinds = [\"2d\", \"cube\"]", "kinds = [\"2d\"]\nstore_entries = 64"), WAYS])
}

/// What only some configurations leave out, or have beside; this one, and some of those below, a parameter store.
#[test]
fn other_configurations() {
    run(&flat(), &RUNS[..2]);
}

/// A configuration with these lines in its sections, and a prefetching cache of a pixel a clock.
fn with(name: &str, texture: &str, request: &str, numbers: &str, channel_bits: u32) -> Config {
    let text = format!(
        "name = \"{name}\"\nunits = 1\n[texture]\nbilinear = true\nmipmaps = true\nsizes = \"any\"\nmax_size_log2 = 12\n\
         {texture}\n[request]\n{request}\n[result]\nnumbers = \"{numbers}\"\nfifo_depth = 128\n[datapath]\npixels_per_clock = 1\n\
         [filter]\nchannel_bits = {channel_bits}\n[cache]\nkind = \"prefetch\"\nways = 2\nsets = 256\nqueue_depth = 512\n\
         replacement = \"round_robin\"\ndata_ram = \"block\"\n[axi]\noutstanding_reads = 64\n"
    );
    Config::from_toml(&text).unwrap_or_else(|problems| panic!("{name}: {problems:?}"))
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
    Config::from_toml(&text).unwrap_or_else(|problems| panic!("{name}: {problems:?}"))
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
        "kinds = [\"1d\", \"2d\", \"3d\", \"cube\", \"2d_array\"]\ntrilinear = true\nripmaps = true\nmax_anisotropy = 16\n{FORMATS}\n{MODES}\n{COLORS}"
    );
    let request = "operations = [\"sample\", \"lod\", \"bias\", \"fetch\", \"gather\"]\nnumbers = \"fp32\"\nprojective = true";
    run(&with("everything", &texture, request, "fp32", 16), &RUNS[..2]);
}

/// Some of it in integers, without compressed formats, cubes and trilinear filtering, each quad in one beat.
#[test]
#[ignore = "between `multi_lite` and `everything`; scripts/test-long runs it"]
fn something() {
    let texture = format!(
        "kinds = [\"1d\", \"3d\", \"2d_array\"]\ntrilinear = false\nmax_anisotropy = 4\nformats = [\"rgba8\", \"r8\", \"d16\", \"rgb565\"]\n{MODES}\ncompare = true\nstore_entries = 64"
    );
    let request = "operations = [\"sample\", \"fetch\", \"gather\"]\nprojective = true\nbeats_per_quad = 1";
    run(&with("something", &texture, request, "unorm16", 8), &RUNS[..2]);
}

/// Four lanes of what `multi-lite` does.
#[test]
#[ignore = "between `lanes` and the preset; scripts/test-long runs it"]
fn lanes_of_multi_lite() {
    run(&with_lanes(&preset()), &RUNS);
}

/// Four lanes of nearly everything.
fn lanes_of_nearly_everything() -> Config {
    let texture = format!(
        "kinds = [\"1d\", \"2d\", \"3d\", \"cube\", \"2d_array\"]\ntrilinear = true\nindirect = true\nripmaps = true\nmax_anisotropy = 16\n\
         formats = [\"rgba8\", \"rgb8\", \"rg16\", \"bc1\", \"d24\", \"r16f\", \"rgba16\", \"rgba32f\"]\n{MODES}\n{COLORS}\nstore_entries = 64"
    );
    let request = "operations = [\"sample\", \"lod\", \"bias\", \"fetch\", \"gather\"]\nnumbers = \"fp32\"\nprojective = true";
    with_lanes(&with("nearly_everything", &texture, request, "fp32", 16))
}

#[test]
fn lanes() {
    run(&lanes_of_nearly_everything(), &RUNS[..2]);
}

/// Four lanes of colour tables and wide texels, of indirect look-ups too.
#[test]
fn lanes_of_tables() {
    let texture = "kinds = [\"2d\"]\nformats = [\"rgba8\", \"i8_rgba8\", \"i8_rgb8\", \"rgba16\"]\n\
                   address_modes = [\"wrap\", \"mirror\"]\ntrilinear = true\nindirect = true\nsrgb = true\nswizzle = true\nstore_entries = 128";
    let request = "operations = [\"sample\", \"fetch\"]";
    run(&with_lanes(&with("tables", texture, request, "fp32", 16)), &RUNS[1..]);
}

/// Units whose stores are written over the control port and loaded from memory while quads of other entries are answered: as comes, with pauses
/// and with all that can go wrong, with quads of two beats and of one.
#[test]
fn stores_are_written_meanwhile() {
    const ROUNDS: u32 = 6;
    const QUADS_A_ROUND: u64 = 500;
    let at_once = changed(
        "written_at_once",
        &[
            ("[texture]", "[texture]\nstore_entries = 64"),
            WAYS,
            ("units = 1", "units = 2"),
            ("beats_per_quad = 2", "beats_per_quad = 1"),
        ],
    );
    [flat(), at_once].par_iter().for_each(|config| {
        let Some((rtl, model)) = built(config, &options(QUADS)) else { return };
        for (number, (latency_clocks, pauses, errors)) in RUNS.into_iter().enumerate() {
            let seed = setting(SEED_VARIABLE).unwrap_or(1) + number as u64;
            let comparison = Comparison { seed, quads: QUADS_A_ROUND, latency_clocks, pauses, errors };
            let (outcome, written) = compare_while_written(&model, &rtl, &comparison, ROUNDS)
                .unwrap_or_else(|problem| panic!("{}, {comparison:?}: {problem}", config.name()));
            assert_eq!(outcome.quads, u64::from(ROUNDS) * QUADS_A_ROUND);
            assert!(written.sent >= 5 && written.loaded >= 5, "{written:?}");
            assert_eq!(written.failed > 0, errors, "{written:?}");
        }
    });
}

/// The preset `multi`: everything, in four lanes.
#[test]
#[ignore = "minutes of compiling; scripts/test-long runs it"]
fn multi() {
    let preset = Preset::find("multi").expect("the preset ships").config().expect("presets are legal");
    run(&preset, &RUNS[..2]);
}

/// Quads of `han` in the quick run: its cache is small, so few quads fill it many times.
const HAN_QUADS: u64 = 4000;

/// The preset `han`: a fully associative cache, and a parameter store with enables.
#[test]
fn han() {
    let preset = Preset::find("han").expect("the preset ships").config().expect("presets are legal");
    let outcomes = run_quads(&preset, &RUNS, HAN_QUADS);
    assert!(outcomes.iter().skip(1).all(|outcome| outcome.errors > 0), "{outcomes:?}");
}

/// The preset `indirect`: quads of one texture and of two, through both passes.
#[test]
fn indirect() {
    let preset = Preset::find("indirect").expect("the preset ships").config().expect("presets are legal");
    let quads = setting("TMUGEN_INDIRECT_QUADS").unwrap_or(INDIRECT_QUADS);
    let outcomes = run_so_many(&preset, &RUNS, quads);
    let is_mixed = |outcome: &Outcome| {
        let share = outcome.indirect as f64 / outcome.quads as f64;
        (0.45..0.55).contains(&share)
    };
    assert!(outcomes.iter().all(is_mixed), "{outcomes:?}");
}

/// Walks of indirect look-ups: least pixels a clock. One value in two clocks a quad, three and a half where texels lie anywhere; numbers
/// are multiplied one after the other.
const RATES_OF_INDIRECT: [(Walk, f64); 5] = [
    (Walk::IndirectOne, 1.9),
    (Walk::IndirectFour, 0.48),
    (Walk::IndirectAnywhere, 0.3),
    (Walk::IndirectAverage, 0.48),
    (Walk::IndirectProduct, 0.12),
];

#[test]
fn rates_of_indirect_look_ups() {
    let preset = Preset::find("indirect").expect("the preset ships").config().expect("presets are legal");
    check_rates(&preset, INDIRECT_QUADS, &RATES_OF_INDIRECT, "pixels", |rate| rate.samples_per_clock);
}

/// Holds walks at each latency to the least of a rate, by the model that so many quads are run with.
fn check_rates(config: &Config, quads: u64, walks: &[(Walk, f64)], of_what: &str, rate_of: fn(&Rate) -> f64) {
    let Some((rtl, model)) = built(config, &options(quads)) else { return };
    let of = |(walk, least): &(Walk, f64)| {
        let at = |latency_clocks: u32| {
            let memory = Memory { latency_clocks, bytes_per_clock: 16, pauses: Pauses::NONE };
            measure(&model, &rtl, *walk, memory)
                .unwrap_or_else(|problem| panic!("{}: {problem}", walk.name()))
        };
        let rates = [1, 20, 60].map(at);
        let slow = rates.iter().find(|rate| rate_of(rate) < *least)?;
        Some(format!("{}: {slow}, at least {least} {of_what} a clock", walk.name()))
    };
    let slow: Vec<String> = walks.par_iter().filter_map(of).collect();
    assert!(slow.is_empty(), "{}", slow.join("\n"));
}

/// Walks of four lanes: least probes a clock, of four.
const RATES_OF_LANES: [(Walk, f64); 15] = [
    (Walk::Hits, 3.9),
    (Walk::GatherHits, 3.9),
    (Walk::Straight, 3.85),
    (Walk::Diagonal, 2.7),
    (Walk::Turned, 3.85),
    (Walk::Bc1, 3.1),
    (Walk::OddSize, 3.5),
    (Walk::TrilinearHits, 3.9),
    (Walk::TrilinearSlanted, 3.9),
    (Walk::VolumeHits, 3.9),
    (Walk::VolumeSlanted, 1.65),
    (Walk::AnisotropicSlanted, 3.9),
    (Walk::CubeHits, 2.28),
    (Walk::EightBytes, 1.98),
    (Walk::SixteenBytes, 3.9),
];

#[test]
fn rates_of_lanes() {
    check_rates(&lanes_of_nearly_everything(), QUADS, &RATES_OF_LANES, "probes", |rate| {
        rate.probes_per_clock
    });
}

/// Compressed texels from memory that gives a byte a clock, which is what four lanes wait for: as much of it as is used.
#[test]
fn lanes_use_all_that_slow_memory_gives() {
    let Some((rtl, model)) = built(&lanes_of_nearly_everything(), &options(QUADS)) else { return };
    for latency_clocks in [1, 20, 60] {
        let memory = Memory { latency_clocks, bytes_per_clock: 1, pauses: Pauses::NONE };
        let rate = measure(&model, &rtl, Walk::Bc1, memory).unwrap_or_else(|problem| panic!("{problem}"));
        let of_memory = rate.bytes_per_clock();
        assert!(
            of_memory >= OF_SLOW_MEMORY,
            "latency {latency_clocks}: {rate}, {of_memory:.3} bytes a clock"
        );
    }
}

/// Of memory that is slower than the unit as much must be used.
const OF_SLOW_MEMORY: f64 = 0.97;

/// Walks of `han`: least samples a clock. A tile that is in any place of its bank is found, so turned walks are as fast as straight ones.
const RATES_OF_HAN: [(Walk, f64); 4] =
    [(Walk::Hits, 3.9), (Walk::Diagonal, 3.7), (Walk::Bc1, 3.1), (Walk::Trilinear, 1.75)];

#[test]
fn rates_of_han() {
    let preset = Preset::find("han").expect("the preset ships").config().expect("presets are legal");
    let Some((rtl, model)) = built(&preset, &options(HAN_QUADS)) else { return };
    let memory = Memory { latency_clocks: 20, bytes_per_clock: 16, pauses: Pauses::NONE };
    let of = |(walk, least): &(Walk, f64)| {
        let rate = measure(&model, &rtl, *walk, memory).unwrap_or_else(|problem| panic!("{problem}"));
        (rate.samples_per_clock < *least).then(|| format!("{}: {rate}, at least {least}", walk.name()))
    };
    let slow: Vec<String> = RATES_OF_HAN.par_iter().filter_map(of).collect();
    assert!(slow.is_empty(), "{}", slow.join("\n"));
}

/// How often an entry is named, in quads, and most clocks for each quad, of single levels and of whole chains.
const CLOCKS_OF_CHANGES: [(Option<usize>, [f64; 2]); 4] =
    [(None, [1.01, 1.01]), (Some(16), [1.33, 1.46]), (Some(4), [2.3, 2.8]), (Some(1), [6.1, 8.1])];

/// Quads of two entries of the parameter store in turn, of textures that the cache holds.
#[test]
fn changes_of_entries() {
    const COUNT: u32 = 2000;
    let Some((rtl, model)) = built(&lanes_of_nearly_everything(), &options(QUADS)) else { return };
    let binding = |base: u32, levels: u32| {
        let shape = Shape { kind: Kind::D2, width: 16, height: 16, depth: 1, levels, format: Format::Rgba8 };
        let texture = Texture::packed(shape, Swizzle::NONE, false).expect("the texture is legal");
        let sampler = Sampler { min: Filter::Linear, mag: Filter::Linear, ..Sampler::default() };
        Binding { base, texture, sampler, drop_cache: false }
    };
    let quad = |number: u32| {
        let place = |at: u32| (at as f32 / 16.0).to_bits();
        let pixel = |pixel: u32| Pixel {
            u: place(2 * number + (pixel & 1)),
            v: place(number / 8 * 2 + (pixel >> 1)),
            q: 1f32.to_bits(),
            ..Pixel::default()
        };
        Quad { pixels: [0, 1, 2, 3].map(pixel), valid: 15, lod: 0, operation: Operation::Sample }
    };
    let quads: Vec<Quad> = (0..COUNT).map(quad).collect();
    let of = |(every, most): &(Option<usize>, [f64; 2])| {
        // Of one level, and of two chains of which one is short.
        let pairs = [[binding(0, 1), binding(0x1_0000, 1)], [binding(0, 5), binding(0x1_0000, 3)]];
        let clocks = pairs.map(|pair| {
            clocks_for_a_quad(&model, &rtl, &pair, &quads, *every)
                .unwrap_or_else(|problem| panic!("{problem}"))
        });
        let is_slow = clocks.iter().zip(most).any(|(clocks, most)| clocks > most);
        is_slow.then(|| format!("every {every:?}: {clocks:.3?} clocks a quad, at most {most:?}"))
    };
    let slow: Vec<String> = CLOCKS_OF_CHANGES.par_iter().filter_map(of).collect();
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
    let Some((rtl, model)) = built(&preset(), &options(QUADS)) else { return };
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
