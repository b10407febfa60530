//! The interpreter of the recorded graph against the verilated model of the emitted text: whole presets under random
//! traffic, every output after every clock edge.

mod support;

use std::sync::Arc;
use tmu_hdl::elaborate::elaborate_large;
use tmu_hdl::simulate::{Interpreter, Unknown};
use tmu_rtl::system::top::Top;
use tmu_sim::engines::sampler::bench::{Bench, BenchOptions};
use tmu_sim::engines::sampler::contents::TextureMemory;
use tmu_sim::engines::sampler::traffic::{Traffic, TrafficOptions};
use tmu_sim::kit::pauses::Pauses;
use tmu_sim::kit::tape::Tape;
use tmu_spec::Config;
use tmu_spec::presets::PRESETS;
use tmu_verilate::{Initial, ModelOptions};

/// Clocks of the units' clock that are compared.
const CLOCKS: u64 = 6_000;

fn preset(name: &str) -> Config {
    PRESETS.iter().find(|preset| preset.name() == name).unwrap().config().unwrap()
}

/// A recorded run; none without Verilator.
fn tape(config: &Config) -> Option<Tape> {
    let (rtl, model) = support::built(config, &ModelOptions::default())?;
    let options = BenchOptions {
        initial: Initial::Zeros,
        stream_pauses: Pauses::NONE,
        seed: 7,
        ..BenchOptions::new(config, 12)
    };
    let mut bench = Bench::new(&model, &rtl, options, Arc::new(TextureMemory::noise(1))).unwrap();
    bench.record();
    bench.start().unwrap();
    let options = TrafficOptions { faults_one_in: 40, quads_per_binding: 100 };
    let mut traffic: Vec<Traffic> =
        (0..config.units()).map(|unit| Traffic::new(config, options, u64::from(unit))).collect();
    while bench.clocks(tmu_sim::kit::domain::Domain::Tmu) < CLOCKS {
        for (unit, traffic) in traffic.iter_mut().enumerate() {
            while bench.queued_beats(unit) < 64 {
                bench.send(unit, traffic.packet());
            }
        }
        bench.run_clocks(16).unwrap();
    }
    Some(bench.take_tape())
}

/// One preset of each kind of cache.
#[test]
fn the_interpreter_runs_presets_as_the_verilated_model_does() {
    for name in ["fury-single", "stream"] {
        let config = preset(name);
        let Some(tape) = tape(&config) else { return };
        assert!(tape.output_changes() > 150, "{name}: only {} changes", tape.output_changes());
        let design = elaborate_large("top", || Top::new(&config)).unwrap();
        let mut interpreter = Interpreter::new(design, Unknown::Never).unwrap();
        assert_eq!(tape.compare(&mut interpreter), Ok(()), "{name}");
    }
}

/// Resets define everything that the outputs show: what starts unknown never reaches a handshake.
#[test]
fn nothing_undefined_reaches_a_handshake_of_a_preset() {
    let config = preset("fury-single");
    let Some(tape) = tape(&config) else { return };
    let design = elaborate_large("top", || Top::new(&config)).unwrap();
    let mut interpreter = Interpreter::new(design, Unknown::Memories).unwrap();
    let mut step = 0;
    tape.play(&mut interpreter, |interpreter| {
        let unknown = interpreter.unknown_outputs();
        let handshakes: Vec<&&str> =
            unknown.iter().filter(|name| name.ends_with("valid") || name.ends_with("ready")).collect();
        assert!(handshakes.is_empty(), "step {step}: {handshakes:?}");
        step += 1;
        step < 1_500
    });
}
