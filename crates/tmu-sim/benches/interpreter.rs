//! Clocks a second of whole presets: the interpreter under recorded traffic, and the kernels themselves, run idle.
//!
//! `cargo bench -p tmu-sim --bench interpreter`

use divan::{Bencher, counter::ItemsCount};
use std::sync::Arc;
use tmu_hdl::elaborate::elaborate_large;
use tmu_hdl::simulate::{Interpreter, KernelSimulator, Unknown};
use tmu_rtl::system::top::Top;
use tmu_sim::engines::sampler::bench::{Bench, BenchOptions};
use tmu_sim::engines::sampler::contents::TextureMemory;
use tmu_sim::engines::sampler::traffic::{Traffic, TrafficOptions};
use tmu_sim::kit::domain::Domain;
use tmu_sim::kit::rtl::build;
use tmu_sim::kit::tape::Tape;
use tmu_spec::Config;
use tmu_spec::presets::PRESETS;
use tmu_verilate::{Initial, ModelOptions};

/// Clocks of the units that the interpreter runs.
const CLOCKS: u64 = 10_000;
/// Clocks that the kernels run: each takes a hundred times as long.
const KERNEL_CLOCKS: u64 = 50;

const NAMES: [&str; 3] = ["fury-single", "stream", "quad"];

fn main() {
    divan::main();
}

fn config(name: &str) -> Config {
    let preset = PRESETS.iter().find(|preset| preset.name() == name).expect("the preset exists");
    preset.config().expect("presets are legal")
}

/// Random traffic with as many requests as the units take.
fn tape(config: &Config) -> Tape {
    let (rtl, model) = build(config, &ModelOptions::default()).expect("Verilator is installed");
    let options = BenchOptions { initial: Initial::Zeros, ..BenchOptions::new(config, 12) };
    let contents = Arc::new(TextureMemory::noise(1));
    let mut bench = Bench::new(&model, &rtl, options, contents).expect("the model has its ports");
    bench.record();
    bench.start().expect("resets are legal");
    // Long runs under one binding keep the stages busy.
    let options = TrafficOptions { quads_per_binding: 500, ..TrafficOptions::default() };
    let traffic = |unit| Traffic::new(config, options, u64::from(unit));
    let mut traffic: Vec<Traffic> = (0..config.units()).map(traffic).collect();
    while bench.clocks(Domain::Tmu) < CLOCKS {
        for (unit, traffic) in traffic.iter_mut().enumerate() {
            while bench.queued_beats(unit) < 64 {
                bench.send(unit, traffic.packet());
            }
        }
        bench.run_clocks(16).expect("the traffic is legal");
    }
    bench.take_tape()
}

/// The interpreter under traffic; an item is a clock of the units.
#[divan::bench(args = NAMES, sample_count = 5, sample_size = 1)]
fn interpreter(bencher: Bencher, name: &str) {
    let config = config(name);
    let tape = tape(&config);
    let clocks = tape.clocks("tmu_aclk");
    bencher
        .counter(ItemsCount::new(clocks))
        .with_inputs(|| {
            let design = elaborate_large("top", || Top::new(&config)).expect("presets keep every rule");
            Interpreter::new(design, Unknown::Never).expect("primitives say what they compute")
        })
        .bench_local_values(|mut interpreter| tape.play(&mut interpreter, |_| true));
}

/// The kernels on numbers; an item is a clock of the units.
#[divan::bench(args = NAMES, sample_count = 2, sample_size = 1)]
fn kernels(bencher: Bencher, name: &str) {
    let config = config(name);
    bencher
        .counter(ItemsCount::new(KERNEL_CLOCKS))
        .with_inputs(|| KernelSimulator::new("top", Top::new(&config)).expect("presets keep every rule"))
        .bench_local_values(|mut simulator| {
            simulator.block.core_aresetn.drive(1);
            simulator.block.tmu_aresetn.drive(1);
            for _ in 0..KERNEL_CLOCKS {
                for level in [1, 0] {
                    simulator.block.core_aclk.drive(level);
                    simulator.block.tmu_aclk.drive(level);
                    simulator.settle();
                }
            }
        });
}
