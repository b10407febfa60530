//! What it costs to change between two entries of the parameter store: quads of a texture that the cache holds, timed.

use super::sampling::General;
use super::traffic::Traffic;
use crate::engines::sampler::bench::{Bench, BenchOptions};
use crate::engines::sampler::contents::{SharedMemory, TextureMemory};
use crate::engines::sampler::sampling::Numerics as _;
use crate::engines::sampler::streams::request::{Packet, Request};
use crate::kit::domain::Domain;
use crate::kit::error::{Cause, Failure, Result};
use crate::kit::rtl::Rtl;
use std::sync::Arc;
use tmu_model::general::unit::Unit;
use tmu_spec::general::packet::of_binding;
use tmu_spec::general::store::{Use, enables_of, stored};
use tmu_spec::general::{Binding, Quad};
use tmu_spec::{Record, RequestBeat};
use tmu_verilate::Model;

/// Clocks of memory from address to data.
const LATENCY_CLOCKS: u32 = 20;
/// Beats that are kept queued.
const QUEUE_BEATS: usize = 64;
/// Clocks between two looks at the queues.
const STEP_CLOCKS: u64 = 16;

/// Clocks for each quad, where an entry is named in front of every so many quads, of two in turn; never without.
///
/// # Errors
/// A result that is not the golden model's; whatever else ends a simulation.
///
/// # Panics
/// If the configuration has no parameter store, or a binding breaks a rule.
pub fn clocks_for_a_quad(
    model: &Model,
    rtl: &Rtl,
    bindings: &[Binding; 2],
    quads: &[Quad],
    every: Option<usize>,
) -> Result<f64> {
    let config = &rtl.config;
    let traffic = Traffic::new(config).expect("the configuration is one of the general numerics");
    let numerics = General::of(config);
    let contents = Arc::new(TextureMemory::noise(7));
    let options = BenchOptions::collecting(config, LATENCY_CLOCKS);
    let mut bench = Bench::new(model, rtl, options, Arc::clone(&contents)).map_err(Failure::at_start)?;
    let mut golden = Unit::new(SharedMemory(contents), *config.features());
    bench.start()?;
    let bind = |beats: Vec<RequestBeat>| Packet { beats, request: Request::Bind(Record::default()) };
    for (entry, binding) in (0..).zip(bindings) {
        let words = stored(binding.words(), entry, Some(enables_of(binding.texture.kind())));
        golden.take_binding(&words).expect("the unit builds it");
        bench.send(0, bind(of_binding(&words)));
    }
    let name = |entry: usize| Use { entry: entry as u32, ..Use::default() };
    let (mut sent, mut expected, mut answered, mut start) = (0, vec![], 0, (0, 0));
    while answered < quads.len() {
        while sent < quads.len() && bench.queued_beats(0) < QUEUE_BEATS {
            let change = sent == 0 || every.is_some_and(|every| sent % every == 0);
            if change {
                let named = name(every.map_or(0, |every| sent / every % 2));
                golden.take_use(named.word()).expect("it was written");
                bench.send(0, bind(vec![named.packet()]));
            }
            expected.push(golden.sample(&quads[sent]));
            let beats = traffic.beats(&quads[sent]);
            bench.send(0, Packet { beats, request: Request::Sample(tmu_spec::Quad::default()) });
            sent += 1;
        }
        bench.run_clocks(STEP_CLOCKS)?;
        for beat in bench.take_results(0) {
            if numerics.result(beat) != expected[answered] {
                let said = format!("quad {answered} is not that of the golden model");
                return Err(bench.failure(Cause::Check(said)));
            }
            answered += 1;
        }
        // The cache holds all of it after the first half.
        if start.1 == 0 && answered >= quads.len() / 2 {
            start = (bench.clocks(Domain::Tmu), answered);
        }
    }
    Ok((bench.clocks(Domain::Tmu) - start.0) as f64 / (answered - start.1) as f64)
}
