//! The platform of both drivers: registers, requests and results of a core in simulation.

use std::collections::VecDeque;
use tmu_driver::{Beat, Bus, RESULT_WORDS, ResultBeat};
use tmu_sim::engines::sampler::bench::Bench;
use tmu_sim::engines::sampler::streams::request::{Packet, Request};
use tmu_sim::kit::control::{Access, Answer};
use tmu_sim::kit::error::Failure;
use tmu_spec::{BeatsPerQuad, Config, Quad, Record, RequestBeat};

/// Beats that wait for the core at most, so that drivers meet a full stream.
const QUEUE_BEATS: usize = 8;

/// Clocks of `core_aclk` that pass while a driver finds a stream full or no result there.
const POLL_CLOCKS: u64 = 8;

/// How an access fails: the core breaks a rule or stands still, or the response is not OKAY.
#[derive(Debug)]
pub(crate) struct BusError(#[expect(dead_code, reason = "shown by the test that fails")] String);

impl From<Failure> for BusError {
    fn from(failure: Failure) -> Self {
        BusError(failure.to_string())
    }
}

impl BusError {
    fn response(response: u8) -> Self {
        BusError(format!("the response is {response}"))
    }
}

/// A core in simulation as a driver sees it.
#[derive(Debug)]
pub(crate) struct SimBus {
    pub(crate) bench: Bench,
    beats_per_quad: BeatsPerQuad,
    beat_bytes: usize,
    is_general: bool,
    result_words: usize,
    results: Vec<VecDeque<ResultBeat>>,
    /// Packets that were taken.
    pub(crate) packets: u64,
    /// Times that a stream was full.
    pub(crate) refusals: u64,
}

impl SimBus {
    pub(crate) fn new(bench: Bench, config: &Config) -> Self {
        let (beats_per_quad, is_general) =
            (config.request().beats_per_quad(), config.features().general().is_some());
        let beat_bytes = config.request_tdata_bits() as usize / 8;
        let results = (0..bench.units()).map(|_| VecDeque::new()).collect();
        let result_words = config.result_tdata_bits() as usize / 32;
        Self { bench, beats_per_quad, beat_bytes, is_general, result_words, results, packets: 0, refusals: 0 }
    }

    fn packet(&self, beats: &[Beat]) -> Packet {
        let bytes = self.beat_bytes;
        let of_core = |beat: &Beat| {
            assert!(beat.tdata[bytes..].iter().all(|byte| *byte == 0), "bits over the stream's width");
            RequestBeat::new(&beat.tdata[..bytes], beat.is_binding, beat.last)
        };
        let beats: Vec<_> = beats.iter().map(of_core).collect();
        if self.is_general {
            // Nobody but the core looks into them.
            let quad = || Request::Sample(Quad::default());
            let request = if beats[0].is_binding() { Request::Bind(Record::default()) } else { quad() };
            return Packet { beats, request };
        }
        let request = if beats[0].is_binding() {
            Record::from_beats(&beats).map(Request::Bind)
        } else {
            Quad::from_beats(&beats, self.beats_per_quad).map(Request::Sample)
        };
        let request = request.unwrap_or_else(|error| panic!("the driver sends a broken packet: {error}"));
        Packet { beats, request }
    }
}

impl Bus for SimBus {
    type Error = BusError;

    fn read(&mut self, address: u32) -> Result<u32, BusError> {
        match self.bench.access(Access::Read { address })? {
            Answer { data, response: 0 } => Ok(data),
            Answer { response, .. } => Err(BusError::response(response)),
        }
    }

    fn write(&mut self, address: u32, data: u32) -> Result<(), BusError> {
        match self.bench.access(Access::Write { address, data, strobe: 15 })? {
            Answer { response: 0, .. } => Ok(()),
            Answer { response, .. } => Err(BusError::response(response)),
        }
    }

    fn send(&mut self, unit: u32, beats: &[Beat]) -> Result<bool, BusError> {
        if self.bench.queued_beats(unit as usize) + beats.len() > QUEUE_BEATS {
            self.bench.run_clocks(POLL_CLOCKS)?;
            self.refusals += 1;
            return Ok(false);
        }
        let packet = self.packet(beats);
        self.bench.send(unit as usize, packet);
        self.packets += 1;
        Ok(true)
    }

    fn receive(&mut self, unit: u32) -> Result<Option<ResultBeat>, BusError> {
        let arrived = &mut self.results[unit as usize];
        if arrived.is_empty() {
            self.bench.run_clocks(POLL_CLOCKS)?;
            arrived.extend(self.bench.take_results(unit as usize).iter().map(|beat| {
                // What is over the stream's width is not looked at.
                let mut tdata = [u32::MAX; RESULT_WORDS];
                let beats = [beat.tdata, beat.above[0], beat.above[1], beat.above[2]];
                for (number, word) in tdata[..self.result_words].iter_mut().enumerate() {
                    *word = (beats[number / 4] >> (32 * (number % 4))) as u32;
                }
                ResultBeat { tdata, tuser: beat.tuser, last: beat.last }
            }));
        }
        Ok(arrived.pop_front())
    }
}
