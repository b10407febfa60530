//! What Verilator, Icarus, Yosys and slang say about the emitted Verilog with all their warnings on: nothing.

use tmu_rtl::outputs::{Hardware, TopPort};
use tmu_spec::{Config, presets::PRESETS};
use tmu_verilate::{ModelSource, Port, SourceFile, Tools, lint_with_all};

/// What the presets leave out: the other replacement, a memory port of its own clock, no control port.
const OTHERS: [&str; 2] = [
    "name = \"own_clock\"\nunits = 2\n[clock]\nmemory_mhz = 300\n[axi]\nclock = \"own\"",
    "name = \"bare\"\n[control]\nport = false\ncounters = false",
];

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
    if !Tools::missing().is_empty() {
        return;
    }
    let presets = PRESETS.iter().map(|preset| preset.config().unwrap_or_else(|e| panic!("{e}")));
    let others = OTHERS.iter().map(|toml| Config::from_toml(toml).unwrap_or_else(|e| panic!("{e}")));
    for config in presets.chain(others) {
        let found = lint_with_all(&source(&config)).unwrap_or_else(|e| panic!("{e}"));
        let found: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert!(found.is_empty(), "{}:\n{}", config.name(), found.join("\n"));
    }
}
