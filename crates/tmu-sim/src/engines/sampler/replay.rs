//! Requests as they were captured, once more: through the hardware and through the golden model, result by result. What the hardware
//! reads from memory is compared with reads that were captured beside the requests.
//!
//! A unit that begins with empty caches reads the same lines in the same order, whatever memory's latency is. So reads are compared
//! where the first binding lets the caches drop what they hold, and no read fails: what is read anew then is a matter of time.

use super::general::sampling::General;
use super::sampling::{Classic, Numerics as _};
use crate::engines::sampler::bench::{Bench, BenchOptions, UnitRead};
use crate::engines::sampler::contents::{SharedMemory, TextureMemory};
use crate::engines::sampler::streams::request::{Breakage, Packet, Request};
use crate::engines::sampler::streams::result::ResultBeat;
use crate::kit::domain::Domain;
use crate::kit::error::{Cause, Failure, Result};
use crate::kit::pauses::Pauses;
use crate::kit::rtl::Rtl;
use std::collections::VecDeque;
use std::sync::Arc;
use tmu_model::TextureUnit;
use tmu_model::bring_up::result_crc::ResultCrc;
use tmu_model::general::unit::Unit;
use tmu_spec::general::packet::{AnyQuad, any_quad_from_beats, words_from_beats};
use tmu_spec::general::store::use_from_beats;
use tmu_spec::general::{Binding, General as Features, QuadResult as GeneralResult};
use tmu_spec::{Binding as ClassicBinding, Config, LINE_BYTES, Quad, QuadResult, Record, RequestBeat};
use tmu_verilate::Model;

/// Beats that are kept queued.
const QUEUE_BEATS: usize = 64;
/// Clocks in which a result that nothing asked for would come.
const TAIL_CLOCKS: u64 = 1000;

/// How requests are sent once more.
#[derive(Debug, Clone, Copy)]
pub struct Replay {
    /// Clocks of memory from address to data.
    pub latency_clocks: u32,
    /// Pauses of streams and memory.
    pub pauses: Pauses,
    /// Drives the pauses.
    pub seed: u64,
}

/// What a run came to.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// Bindings.
    pub bindings: u64,
    /// Those that broke a rule.
    pub refused: u64,
    /// Packets of the wrong length.
    pub dropped: u64,
    /// The results: how many, how many with the error bit, and their CRC.
    pub results: ResultCrc,
    /// Clocks of the unit.
    pub tmu_clocks: u64,
    /// How many of the captured reads were compared; none where they cannot be.
    pub reads: Option<usize>,
}

/// The unit of a configuration in the golden model.
enum Golden {
    Classic(Box<TextureUnit<SharedMemory>>),
    General(Box<Unit<SharedMemory>>, Features),
}

/// What must come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Expected {
    Classic(QuadResult),
    General(GeneralResult),
}

/// A packet in the golden model's words.
enum Step {
    Bound,
    Refused,
    Dropped,
    Sampled(Vec<Expected>),
}

impl Golden {
    fn new(config: &Config, memory: SharedMemory) -> Self {
        let features = *config.features();
        match features.general() {
            Some(general) => Golden::General(Box::new(Unit::new(memory, features)), *general),
            None => Golden::Classic(Box::new(TextureUnit::with_features(memory, features))),
        }
    }

    fn step(&mut self, config: &Config, beats: &[RequestBeat]) -> Step {
        let beats_per_quad = config.request().beats_per_quad();
        let is_binding = beats.first().is_some_and(RequestBeat::is_binding);
        match self {
            Golden::Classic(unit) if is_binding => match Record::from_beats(beats) {
                Err(_) => Step::Dropped,
                Ok(record) => unit.bind_record(record).map_or(Step::Refused, |()| Step::Bound),
            },
            Golden::Classic(unit) => {
                // Only the first beat says what a packet is.
                let tdata_bytes = beats_per_quad.tdata_bytes();
                let of_quad =
                    |beat: &RequestBeat| RequestBeat::new(beat.low_bytes(tdata_bytes), false, beat.last());
                let beats: Vec<_> = beats.iter().map(of_quad).collect();
                match Quad::from_beats(&beats, beats_per_quad) {
                    Err(_) => Step::Dropped,
                    Ok(quad) => Step::Sampled(vec![Expected::Classic(unit.sample(&quad))]),
                }
            }
            Golden::General(unit, general) if is_binding => {
                if general.has_store()
                    && let Ok(word) = use_from_beats(beats)
                {
                    return unit.take_use(word).map_or(Step::Refused, |()| Step::Bound);
                }
                let Ok(words) = words_from_beats(beats) else { return Step::Dropped };
                unit.take_binding(&words).map_or(Step::Refused, |()| Step::Bound)
            }
            Golden::General(unit, general) => match any_quad_from_beats(beats, general, beats_per_quad) {
                Err(_) => Step::Dropped,
                Ok(AnyQuad::Direct(quad)) => Step::Sampled(vec![Expected::General(unit.sample(&quad))]),
                Ok(AnyQuad::Indirect(quad, setup)) => {
                    let results = unit.look_up_by(setup, &quad);
                    Step::Sampled(results.as_slice().iter().copied().map(Expected::General).collect())
                }
            },
        }
    }
}

/// Sends packets to unit 0, over memory with some contents. Captured reads are compared as far as they and those of the run go.
///
/// # Errors
/// The first result or read that differs; whatever else ends a simulation.
pub fn replay(
    model: &Model,
    rtl: &Rtl,
    contents: TextureMemory,
    packets: &[Vec<RequestBeat>],
    captured: &[UnitRead],
    how: &Replay,
) -> Result<Outcome> {
    let config = &rtl.config;
    let contents = Arc::new(contents);
    let mut options = BenchOptions {
        stream_pauses: how.pauses,
        seed: how.seed,
        ..BenchOptions::collecting(config, how.latency_clocks)
    };
    options.memory_timing.pauses = how.pauses;
    let mut bench = Bench::new(model, rtl, options, Arc::clone(&contents)).map_err(Failure::at_start)?;
    let mut golden = Golden::new(config, SharedMemory(contents));
    let mut outcome = Outcome::default();
    let mut owed = VecDeque::new();
    bench.start()?;
    for (number, beats) in packets.iter().enumerate() {
        while bench.queued_beats(0) + beats.len() > QUEUE_BEATS && bench.queued_beats(0) > 0 {
            bench.run_clocks(QUEUE_BEATS as u64 / 2)?;
            take(&mut bench, config, &mut owed, &mut outcome)?;
        }
        let request = match golden.step(config, beats) {
            Step::Dropped => {
                outcome.dropped += 1;
                Request::Broken(Breakage::QuadTooLong)
            }
            step @ (Step::Bound | Step::Refused) => {
                outcome.bindings += 1;
                outcome.refused += u64::from(matches!(step, Step::Refused));
                Request::Bind(Record::default())
            }
            Step::Sampled(expected) => {
                owed.extend(expected.into_iter().map(|expected| (number, expected)));
                Request::Sample(Quad::default())
            }
        };
        bench.send(0, Packet { beats: beats.clone(), request });
    }
    while !owed.is_empty() || bench.queued_beats(0) > 0 {
        bench.run_clocks(QUEUE_BEATS as u64)?;
        take(&mut bench, config, &mut owed, &mut outcome)?;
    }
    outcome.tmu_clocks = bench.clocks(Domain::Tmu);
    bench.run_clocks(TAIL_CLOCKS)?;
    take(&mut bench, config, &mut owed, &mut outcome)?;
    if begins_empty(config, packets) && outcome.results.failed() == 0 {
        outcome.reads = Some(compare_reads(&mut bench, captured)?);
    }
    Ok(outcome)
}

/// Whether the first packet is a binding that lets the caches drop what they hold.
fn begins_empty(config: &Config, packets: &[Vec<RequestBeat>]) -> bool {
    let Some(first) = packets.first().filter(|beats| beats[0].is_binding()) else { return false };
    let features = config.features();
    if features.general().is_some() {
        let words = words_from_beats(first).ok();
        words
            .and_then(|words| Binding::decode_for(&words, features).ok())
            .is_some_and(|bound| bound.drop_cache)
    } else {
        let record = Record::from_beats(first).ok();
        let bound = record.and_then(|record| ClassicBinding::decode_for(record, features).ok());
        bound.is_some_and(|bound| bound.drop_cache())
    }
}

/// Compares captured reads with those of the run, one by one, as far as both go. Gives how many.
fn compare_reads(bench: &mut Bench, captured: &[UnitRead]) -> Result<usize> {
    let reads = bench.take_reads(0);
    let mut pairs = captured.iter().zip(&reads);
    if let Some(number) = pairs.position(|(captured, own)| captured != own) {
        let said = |read: &UnitRead| {
            let [from, bytes] = [read.line, read.lines].map(|lines| lines * LINE_BYTES);
            format!("{bytes} bytes from 0x{from:08x} on")
        };
        let (expected, own) = (said(&captured[number]), said(&reads[number]));
        let text =
            format!("read {number}, counted from 0: captured were {expected}, the hardware reads {own}");
        return Err(bench.failure(Cause::Check(text)));
    }
    Ok(captured.len().min(reads.len()))
}

/// Compares the results that have come with those that are owed.
fn take(
    bench: &mut Bench,
    config: &Config,
    owed: &mut VecDeque<(usize, Expected)>,
    outcome: &mut Outcome,
) -> Result<()> {
    for beat in bench.take_results(0) {
        let Some((number, expected)) = owed.pop_front() else {
            return Err(bench.failure(Cause::Check("a result comes that nothing asked for".to_owned())));
        };
        let came = came(config, beat);
        if came != expected {
            let said = format!("packet {number}, counted from 0: expected {expected:x?}, got {came:x?}");
            return Err(bench.failure(Cause::Check(said)));
        }
        match came {
            Expected::Classic(result) => outcome.results.add(&result),
            Expected::General(result) => {
                let numbers = config.features().general().map(|general| general.result).unwrap_or_default();
                outcome.results.add_general(numbers, &result);
            }
        }
    }
    Ok(())
}

fn came(config: &Config, beat: ResultBeat) -> Expected {
    match config.features().general() {
        Some(_) => Expected::General(General::of(config).result(beat)),
        None => Expected::Classic(Classic::of(config).result(beat)),
    }
}
