//! Answers of memory of the wrong length under random traffic. What becomes of the quads is judged in `bad_input`; here
//! every request is answered, whatever memory does.

use std::path::Path;
use std::sync::Arc;
use tmu_sim::engines::sampler::bench::{Bench, BenchOptions};
use tmu_sim::engines::sampler::contents::TextureMemory;
use tmu_sim::engines::sampler::regression::{COVERAGE_AT_END, COVERAGE_AT_START};
use tmu_sim::engines::sampler::streams::request::Request;
use tmu_sim::engines::sampler::traffic::{Traffic, TrafficOptions};
use tmu_sim::kit::error::Result;
use tmu_sim::kit::memory::LengthFault;
use tmu_sim::kit::rtl::Rtl;
use tmu_verilate::Model;

/// Every kind of wrong answer, in turn.
const FAULTS: [LengthFault; 5] = [
    LengthFault::Early,
    LengthFault::EarlyAndDue,
    LengthFault::Late(1),
    LengthFault::Late(7),
    LengthFault::Absent,
];

/// Times that each kind comes.
const ROUNDS: u64 = 6;

/// Packets for each unit between two wrong answers.
const PACKETS: usize = 24;

/// Edges of any clock in which a wrong answer has gone by.
const QUIET_EDGES: usize = 4_000;

/// Breaks answers of memory, and writes what that covers to a directory.
pub(crate) fn run(model: &Model, rtl: &Rtl, seed: u64, directory: &Path) -> Result<()> {
    let options = BenchOptions { patience_clocks: 20_000, seed, ..BenchOptions::collecting(&rtl.config, 20) };
    let bench = Bench::new(model, rtl, options, Arc::new(TextureMemory::noise(seed)));
    let mut bench = bench.unwrap_or_else(|error| panic!("{error}"));
    let write = |bench: &mut Bench, name: &str| {
        bench.write_coverage(&directory.join(name)).unwrap_or_else(|error| panic!("{error}"));
    };
    bench.start()?;
    write(&mut bench, COVERAGE_AT_START);
    let traffic = |unit: usize| Traffic::new(&rtl.config, TrafficOptions::default(), seed + unit as u64);
    let mut traffic: Vec<_> = (0..bench.units()).map(traffic).collect();
    let mut quads = vec![0; traffic.len()];
    for _ in 0..ROUNDS {
        for fault in FAULTS {
            bench.break_answers(fault, 1);
            for (unit, traffic) in traffic.iter_mut().enumerate() {
                for _ in 0..PACKETS {
                    let packet = traffic.packet();
                    quads[unit] += usize::from(matches!(packet.request, Request::Sample(_)));
                    bench.send(unit, packet);
                }
            }
            bench.run_until_idle()?;
            for _ in 0..QUIET_EDGES {
                bench.step()?;
            }
        }
    }
    assert!(bench.broken_answers() > ROUNDS, "{} answers were wrong", bench.broken_answers());
    for (unit, &quads) in quads.iter().enumerate() {
        assert_eq!(bench.take_results(unit).len(), quads, "answers of unit {unit}");
    }
    write(&mut bench, COVERAGE_AT_END);
    Ok(())
}
