//! What Verilator, and in the long run Icarus, Yosys and slang, say about the emitted Verilog with all their warnings on: nothing.

use tmu_rtl::outputs::{Hardware, TopPort};
use tmu_spec::choice::Choice;
use tmu_spec::config::EngineKind;
use tmu_spec::{
    Config,
    presets::{MODELLED, OTHER_FAMILIES, PRESETS},
};
use tmu_testing::setting;
use tmu_verilate::{
    ModelSource, Port, SourceFile, Tools, WAIVERS, icarus_lint, lint_with_all, verilator_lint,
};

/// What the presets leave out: a memory port with a clock of its own, the other replacement, no control port,
/// everything off that can be, the streaming unit with one tap a pixel, the bring-up kit, and the ways to write parameter stores. The examples of engines come with them.
const OTHERS: [&str; 11] = [
    "name = \"own_clock\"\nclock = { memory_mhz = 300 }\nunits = 2\nrequest = { beats_per_quad = 1 }\n\
     axi = { clock = \"own\" }\ncache = { ways = 8, sets = 64, replacement = \"round_robin\" }",
    "name = \"bare\"\ncontrol = { port = false, counters = false }",
    "name = \"least\"\ntexture = { formats = [\"rgb8\"], address_modes = [\"wrap\"], bilinear = false, mipmaps = false, \
     max_size_log2 = 2 }\nrequest = { beats_per_quad = 1, fifo_depth = 4 }\nresult = { fifo_depth = 4 }\n\
     cache = { ways = 1, sets = 16, tag_ram = \"distributed\", data_ram = \"distributed\" }\n\
     axi = { address_bits = 32, id_bits = 1 }\ncontrol = { port = false, counters = false }",
    "name = \"ahead_nearest\"\ntexture = { bilinear = false }\ncache = { kind = \"prefetch\", sets = 64 }\n\
     axi = { outstanding_reads = 16 }",
    "name = \"ahead_least\"\ntexture = { formats = [\"rgb8\"], address_modes = [\"clamp\"], bilinear = false, \
     mipmaps = false }\ncache = { kind = \"prefetch\", ways = 1, sets = 64 }\naxi = { outstanding_reads = 16 }\n\
     control = { port = false, counters = false }",
    "name = \"quads_nearest\"\ntexture = { formats = [\"rgb8\", \"i8_rgb8\"], bilinear = false }\n\
     request = { beats_per_quad = 1 }\nresult = { fifo_depth = 64 }\ndatapath = { pixels_per_clock = 4 }\n\
     cache = { kind = \"prefetch\", ways = 4 }\naxi = { outstanding_reads = 16 }",
    "name = \"quads_least\"\ntexture = { formats = [\"rgba8\"], address_modes = [\"clamp\"], mipmaps = false }\n\
     request = { beats_per_quad = 1 }\nresult = { fifo_depth = 64 }\ndatapath = { pixels_per_clock = 4 }\n\
     cache = { kind = \"prefetch\", ways = 1, sets = 64 }\naxi = { outstanding_reads = 16 }\n\
     control = { port = false, counters = false }",
    "name = \"kit\"\nunits = 2\ncontrol = { bring_up = true }",
    "name = \"kit_quads\"\nrequest = { beats_per_quad = 1 }\nresult = { fifo_depth = 64 }\n\
     datapath = { pixels_per_clock = 4 }\ncache = { kind = \"prefetch\", sets = 64 }\n\
     axi = { outstanding_reads = 16 }\ncontrol = { bring_up = true }",
    "name = \"stores\"\nunits = 3\ntexture = { sizes = \"any\", store_entries = 64 }\nrequest = { fifo_depth = 32 }\n\
     result = { fifo_depth = 128 }\ncache = { kind = \"prefetch\" }\naxi = { outstanding_reads = 64 }\n\
     control = { store_port = true, bring_up = true }",
    "name = \"tables\"\ntexture = { sizes = \"any\", store_entries = 128 }\n\
     request = { beats_per_quad = 1, fifo_depth = 32 }\ndatapath = { pixels_per_clock = 4 }\nresult = { fifo_depth = 128 }\n\
     cache = { kind = \"prefetch\" }\naxi = { outstanding_reads = 64, clock = \"own\" }\nclock = { memory_mhz = 300 }\n\
     control = { store_port = true, store_table = true }",
];

/// The presets that have hardware, of all families.
fn presets() -> impl Iterator<Item = Config> {
    let presets = PRESETS.iter().chain(OTHER_FAMILIES);
    presets.map(|preset| preset.config().unwrap_or_else(|e| panic!("{e}")))
}

fn source(config: &Config) -> ModelSource {
    let hardware = Hardware::new(config).unwrap_or_else(|e| panic!("{e}"));
    let port = |port: TopPort| match (port.is_clock(), port.is_input) {
        (true, _) => Port::clock(&port.name),
        (_, true) => Port::input(&port.name, port.width_bits),
        (_, false) => Port::output(&port.name, port.width_bits),
    };
    let files = hardware.verilog_files().into_iter().map(|file| SourceFile::new(file.name, file.text));
    ModelSource {
        top: hardware.top().to_owned(),
        ports: hardware.ports().map(port).collect(),
        files: files.collect(),
    }
}

#[test]
fn no_reader_warns_of_what_is_emitted() {
    // The tests of `tmu-verilate` say which tools are missing and how to get them.
    if Tools::are_missing() {
        return;
    }
    let others = OTHERS.iter().map(|toml| Config::from_toml(toml).unwrap_or_else(|e| panic!("{e}")));
    let engines = EngineKind::CHOICES.iter().filter_map(|kind| kind.example());
    let engines = engines.map(|toml| Config::from_toml(toml).unwrap_or_else(|e| panic!("{e}")));
    presets().chain(others).chain(engines).for_each(no_reader_warns_of);
}

#[test]
#[ignore = "more than a minute; scripts/test-long runs it"]
fn no_reader_warns_of_the_largest_units() {
    if !Tools::are_missing() {
        ["indirect", "multi"].map(modelled).into_iter().for_each(no_reader_warns_of);
    }
}

/// The configuration of a preset whose Verilog does not ship.
fn modelled(name: &str) -> Config {
    let preset = MODELLED.iter().find(|preset| preset.name() == name).expect("there is such a preset");
    preset.config().unwrap_or_else(|e| panic!("{e}"))
}

fn no_reader_warns_of(config: Config) {
    let source = source(&config);
    let asks_all = setting("TMUGEN_ALL_READERS").is_some();
    let found = if asks_all { lint_with_all(&source) } else { verilator_lint(&source, WAIVERS) };
    let found: Vec<String> =
        found.unwrap_or_else(|e| panic!("{e}")).iter().map(ToString::to_string).collect();
    assert!(found.is_empty(), "{}:\n{}", config.name(), found.join("\n"));
}

/// Modules and ROM files of one core never stand in the way of another's: all presets are read as one project.
#[test]
fn all_presets_compile_together() {
    if Tools::are_missing() {
        return;
    }
    let sources: Vec<_> = presets().map(|config| source(&config)).collect();
    for top in &sources {
        let files = sources.iter().flat_map(|source| source.files.clone()).collect();
        let project = ModelSource { files, ..top.clone() };
        let found = icarus_lint(&project).unwrap_or_else(|e| panic!("{e}"));
        let found: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert!(found.is_empty(), "{}:\n{}", top.top, found.join("\n"));
    }
}
