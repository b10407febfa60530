//! Time from a preset to its Verilog, with every check on: the kernels run on single sides, the rules of the design.
//!
//! `cargo bench -p tmu-rtl --bench elaboration`

use divan::Bencher;
use tmu_rtl::outputs::Hardware;
use tmu_spec::presets::PRESETS;

const NAMES: [&str; 3] = ["fury-single", "stream", "quad"];

fn main() {
    divan::main();
}

/// Elaboration, checks, emission and the text of the Verilog.
#[divan::bench(args = NAMES)]
fn preset(bencher: Bencher, name: &str) {
    let preset = PRESETS.iter().find(|preset| preset.name() == name).expect("the preset exists");
    let config = preset.config().expect("presets are legal");
    bencher.bench_local(|| {
        let hardware = Hardware::new(&config).expect("presets keep every rule");
        hardware.verilog_files()
    });
}
