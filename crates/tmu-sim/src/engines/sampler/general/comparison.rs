//! A run of random bindings and quads through the hardware; every result must be that of the golden model, to the last bit.

use super::sampling::General;
use super::traffic::Traffic;
use crate::engines::sampler::bench::{Bench, BenchOptions};
use crate::engines::sampler::contents::{SharedMemory, TextureMemory};
use crate::engines::sampler::sampling::Numerics as _;
use crate::engines::sampler::streams::request::{Breakage, Packet, Request};
use crate::engines::sampler::streams::result::ResultBeat;
use crate::kit::domain::Domain;
use crate::kit::error::{Cause, Failure, Result};
use crate::kit::pauses::Pauses;
use crate::kit::rtl::Rtl;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;
use std::sync::Arc;
use tmu_model::general::unit::Unit;
use tmu_spec::general::binding::Words;
use tmu_spec::general::field::{ALL, WORDS};
use tmu_spec::general::indirect::{IndirectQuad, Setup};
use tmu_spec::general::packet::of_binding;
use tmu_spec::general::store::{Use, is_stored, stored};
use tmu_spec::general::{Binding, Quad, QuadResult, binding};
use tmu_spec::quad::MOST_TDATA_BYTES;
use tmu_spec::{Features, Record, RequestBeat};
use tmu_verilate::Model;

/// Beats that are kept queued.
pub(super) const QUEUE_BEATS: usize = 64;

/// Which run.
#[derive(Debug, Clone, Copy)]
pub struct Comparison {
    /// Everything random follows from it.
    pub seed: u64,
    /// Quads that are answered.
    pub quads: u64,
    /// Clocks of memory from address to data.
    pub latency_clocks: u32,
    /// Pauses of streams and memory.
    pub pauses: Pauses,
    /// Bindings that break rules, packets of the wrong length, lines that cannot be read.
    pub errors: bool,
}

/// What a run came to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Quads that were compared.
    pub quads: u64,
    /// Those that look up indirectly.
    pub indirect: u64,
    /// Those answered with the error bit.
    pub errors: u64,
    /// Valid pixels.
    pub pixels: u64,
    /// Clocks of the unit.
    pub tmu_clocks: u64,
}

/// What is asked for.
#[derive(Debug, Clone)]
pub(super) enum Asked {
    Direct(Quad),
    Indirect(IndirectQuad, Setup),
}

impl Asked {
    pub(super) fn said(&self) -> String {
        match self {
            Asked::Direct(quad) => format!("{quad:?}"),
            Asked::Indirect(quad, setup) => format!("{quad:?}, {setup:?}"),
        }
    }
}

/// What results may be beside those of the golden model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Excuse {
    /// Nothing.
    #[default]
    Nothing,
    /// Those of quads that have failed, where they need the line of which a read was made to fail.
    FailedRead,
    /// Those of quads that have failed.
    All,
}

/// What must come.
#[derive(Debug, Clone)]
pub(super) struct Owed {
    pub(super) asked: Asked,
    expected: QuadResult,
    is_last: bool,
    pub(super) bound: Bound,
}

/// What is bound: the texture, and the secondary one of indirect look-ups.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Bound {
    pub(super) primary: Option<Binding>,
    pub(super) secondary: Option<Binding>,
}

/// What one unit is sent, and must answer.
pub(super) struct Lane {
    pub(super) golden: Unit<SharedMemory>,
    pub(super) owed: VecDeque<Owed>,
    bound: Bound,
    pub(super) left_of_binding: u32,
}

impl Lane {
    /// Nothing is bound, and nothing under way.
    pub(super) fn new(contents: &Arc<TextureMemory>, features: Features) -> Lane {
        let golden = Unit::new(SharedMemory(Arc::clone(contents)), features);
        Lane { golden, owed: VecDeque::new(), bound: Bound::default(), left_of_binding: 0 }
    }
}

/// Units and their golden models side by side.
pub(super) struct Run {
    pub(super) traffic: Traffic,
    numerics: General,
    pub(super) bench: Bench,
    pub(super) rng: ChaCha8Rng,
    pub(super) lanes: Vec<Lane>,
    errors: bool,
    /// The entries that the stream names, where others write the rest.
    pub(super) named: Option<[u32; 2]>,
    /// A binding was refused.
    pub(super) broke_a_rule: bool,
    pub(super) excuse: Excuse,
    /// Quads that have failed with an excuse, with their units.
    pub(super) excused: Vec<(usize, Owed)>,
    pub(super) contents: Arc<TextureMemory>,
    pub(super) outcome: Outcome,
}

/// Runs a comparison.
///
/// # Errors
/// The first result that differs, with its quad and binding; whatever else ends a simulation.
///
/// # Panics
/// If the configuration is none of the general numerics.
pub fn compare(model: &Model, rtl: &Rtl, comparison: &Comparison) -> Result<Outcome> {
    let mut contents = TextureMemory::noise(comparison.seed);
    if comparison.errors {
        contents.fail_one_in(3000);
    }
    let mut run = Run::new(model, rtl, comparison, contents)?;
    run.all(comparison.quads)?;
    run.outcome.tmu_clocks = run.bench.clocks(Domain::Tmu);
    Ok(run.outcome)
}

impl Run {
    /// A run over memory that holds this, before its first clock.
    pub(super) fn new(
        model: &Model,
        rtl: &Rtl,
        comparison: &Comparison,
        contents: TextureMemory,
    ) -> Result<Run> {
        let mut options = BenchOptions {
            stream_pauses: comparison.pauses,
            seed: comparison.seed,
            ..BenchOptions::collecting(&rtl.config, comparison.latency_clocks)
        };
        options.memory_timing.pauses = comparison.pauses;
        Run::on(model, rtl, options, comparison, contents)
    }

    /// The same with a bench of its own.
    pub(super) fn on(
        model: &Model,
        rtl: &Rtl,
        options: BenchOptions,
        comparison: &Comparison,
        contents: TextureMemory,
    ) -> Result<Run> {
        let config = &rtl.config;
        let contents = Arc::new(contents);
        let bench = Bench::new(model, rtl, options, Arc::clone(&contents)).map_err(Failure::at_start)?;
        let lane = |_| Lane::new(&contents, *config.features());
        Ok(Run {
            traffic: Traffic::new(config).expect("the configuration is one of the general numerics"),
            numerics: General::of(config),
            lanes: (0..bench.units()).map(lane).collect(),
            bench,
            rng: ChaCha8Rng::seed_from_u64(comparison.seed),
            errors: comparison.errors,
            named: None,
            broke_a_rule: false,
            excuse: Excuse::default(),
            excused: Vec::new(),
            contents,
            outcome: Outcome::default(),
        })
    }

    fn all(&mut self, quads: u64) -> Result<()> {
        self.bench.start()?;
        let mut sent = 0;
        while self.outcome.quads < quads {
            sent += self.step(quads - sent)?;
        }
        Ok(())
    }

    /// Fills the queues with so many quads at most, and lets some clocks pass. How many quads were sent.
    pub(super) fn step(&mut self, most: u64) -> Result<u64> {
        let mut sent = 0;
        for unit in 0..self.lanes.len() {
            while sent < most && self.bench.queued_beats(unit) < QUEUE_BEATS {
                sent += u64::from(self.send(unit));
            }
        }
        self.bench.run_clocks(QUEUE_BEATS as u64 / 2)?;
        self.collect()?;
        Ok(sent)
    }

    /// Compares all results that have come.
    pub(super) fn collect(&mut self) -> Result<()> {
        for unit in 0..self.lanes.len() {
            for beat in self.bench.take_results(unit) {
                self.check(unit, beat)?;
            }
        }
        Ok(())
    }

    /// An entry for a packet of the stream, with its enables.
    fn entry(&mut self) -> (u32, Option<u8>) {
        let (entry, enables) = self.traffic.entry(&mut self.rng);
        let named = self.named.map_or(entry, |named| named[usize::from(entry % 2 == 1)]);
        (named, enables)
    }

    /// Compares a result of a unit with what it owes.
    fn check(&mut self, unit: usize, beat: ResultBeat) -> Result<()> {
        let wrong = |run: &Self, said| Err(run.bench.failure(Cause::Check(said)));
        let Some(owed) = self.lanes[unit].owed.pop_front() else {
            return wrong(self, format!("unit {unit}: a result comes that nothing asked for"));
        };
        let result = self.numerics.result(beat);
        let Owed { asked, expected, is_last, bound } = &owed;
        let (is_last, expected) = (*is_last, *expected);
        let is_right = result == expected && beat.last == is_last;
        let has_failed = result == QuadResult::failed(expected.valid) && beat.last == is_last;
        let is_excused = has_failed && self.excuse != Excuse::Nothing;
        if !(is_right || is_excused) {
            let number = self.outcome.quads;
            let said = format!(
                "unit {unit}, quad {number} of all: expected {expected:x?}, last {is_last}, got {result:x?}, last {}\n{}\n{bound:?}",
                beat.last,
                asked.said()
            );
            return wrong(self, said);
        }
        self.outcome.quads += u64::from(is_last);
        self.outcome.indirect += u64::from(is_last && matches!(asked, Asked::Indirect(..)));
        self.outcome.errors += u64::from(is_last && result.error);
        self.outcome.pixels += u64::from(is_last) * u64::from(expected.valid.count_ones());
        if !is_right {
            self.excused.push((unit, owed));
        }
        Ok(())
    }

    /// Sends a unit a packet. Whether it is a quad.
    pub(super) fn send(&mut self, unit: usize) -> bool {
        if self.lanes[unit].left_of_binding == 0 {
            let most = if self.traffic.has_store() { 24 } else { 80 };
            self.lanes[unit].left_of_binding = self.rng.random_range(1..most);
            self.bind(unit);
            return false;
        }
        let lane = &mut self.lanes[unit];
        lane.left_of_binding -= 1;
        let bound = lane.bound.primary.unwrap_or_else(|| self.traffic.binding(&mut self.rng));
        if self.traffic.has_indirect() && self.rng.random_range(0..2) == 0 {
            self.look_up(unit, &bound);
            return true;
        }
        let quad = self.traffic.quad(&mut self.rng, &bound);
        let beats = self.traffic.beats(&quad);
        if self.errors && self.rng.random_range(0..40) == 0 && 2 * beats.len() > self.traffic.most_beats() {
            // More than a quad has.
            let beats = repeated(&beats, 2 * beats.len());
            self.bench.send(unit, Packet { beats, request: Request::Broken(Breakage::QuadTooLong) });
            return false;
        }
        let expected = lane.golden.sample(&quad);
        lane.owed.push_back(Owed { asked: Asked::Direct(quad), expected, is_last: true, bound: lane.bound });
        self.bench.send(unit, Packet { beats, request: Request::Sample(tmu_spec::Quad::default()) });
        true
    }

    /// Sends a quad of an indirect look-up.
    fn look_up(&mut self, unit: usize, primary: &Binding) {
        let (quad, setup) = self.traffic.indirect(&mut self.rng, primary);
        let lane = &mut self.lanes[unit];
        let results = lane.golden.look_up_by(Ok(setup), &quad);
        let last = results.as_slice().len() - 1;
        for (number, expected) in results.as_slice().iter().enumerate() {
            let asked = Asked::Indirect(quad, setup);
            let is_last = number == last;
            lane.owed.push_back(Owed { asked, expected: *expected, is_last, bound: lane.bound });
        }
        let beats = self.traffic.indirect_beats(&quad, &setup);
        self.bench.send(unit, Packet { beats, request: Request::Sample(tmu_spec::Quad::default()) });
    }

    /// Sends a packet that names an entry of the parameter store.
    fn name_entry(&mut self, unit: usize) {
        let (entry, enables) = self.entry();
        let is_secondary = self.traffic.has_indirect() && self.rng.random_range(0..3) == 0;
        let of = Use { entry, enables, drop_cache: self.rng.random_range(0..8) == 0, is_secondary };
        let is_broken = self.errors && self.rng.random_range(0..16) == 0;
        let word = if is_broken { of.word() ^ 1 << self.rng.random_range(0..128) } else { of.word() };
        let lane = &mut self.lanes[unit];
        // What breaks a rule leaves nothing bound.
        self.broke_a_rule |= lane.golden.take_use(word).is_err();
        lane.bound.primary = lane.golden.bound().map(|bound| Binding {
            base: bound.base(),
            texture: *bound.texture(),
            sampler: *bound.sampler(),
            drop_cache: false,
        });
        let beats = vec![RequestBeat::new(&word.to_le_bytes(), true, true)];
        self.bench.send(unit, Packet { beats, request: Request::Bind(Record::default()) });
    }

    fn bind(&mut self, unit: usize) {
        if self.traffic.has_store() && self.rng.random_range(0..2) == 0 {
            return self.name_entry(unit);
        }
        let binding = self.traffic.binding(&mut self.rng);
        let is_second = self.traffic.has_indirect() && self.rng.random_range(0..2) == 0;
        let mut words = if is_second { binding.secondary_words() } else { binding.words() };
        if self.errors && self.rng.random_range(0..6) == 0 {
            let field = ALL[self.rng.random_range(0..ALL.len())];
            words = binding::with(words, field, self.rng.random());
        } else if self.errors && self.rng.random_range(0..12) == 0 {
            words[self.rng.random_range(0..WORDS)] ^= 1 << self.rng.random_range(0..128);
        }
        if self.traffic.has_store() && self.rng.random_range(0..3) > 0 {
            let (entry, enables) = self.entry();
            words = stored(words, entry, enables);
        }
        self.send_binding(unit, &words);
    }

    /// Sends a unit a binding, legal or not.
    pub(super) fn send_binding(&mut self, unit: usize, words: &Words) {
        let lane = &mut self.lanes[unit];
        let bound = Binding::decode_for(words, self.traffic.features()).ok();
        // What breaks a rule leaves nothing bound.
        let is_taken = lane.golden.take_binding(words).is_ok();
        assert_eq!(is_taken, bound.is_some(), "what decodes is legal");
        self.broke_a_rule |= !is_taken;
        let is_second = binding::is_secondary(words, self.traffic.general());
        if !is_stored(words, self.traffic.general()) {
            *(if is_second { &mut lane.bound.secondary } else { &mut lane.bound.primary }) = bound;
        }
        self.bench.send(unit, Packet { beats: of_binding(words), request: Request::Bind(Record::default()) });
    }
}

/// The beats as a packet, which ends with them.
pub(super) fn ended(beats: &[RequestBeat]) -> Vec<RequestBeat> {
    let last = beats.len() - 1;
    changed(beats, |number, beat| (beat.is_binding(), number == last))
}

/// So many beats, the given ones again and again, as a packet.
pub(super) fn repeated(beats: &[RequestBeat], length: usize) -> Vec<RequestBeat> {
    let all: Vec<RequestBeat> = beats.iter().cycle().take(length).copied().collect();
    ended(&all)
}

/// The same `tdata` with other `tuser` and `tlast`.
pub(super) fn changed(
    beats: &[RequestBeat],
    to: impl Fn(usize, &RequestBeat) -> (bool, bool),
) -> Vec<RequestBeat> {
    let own = |(number, beat): (usize, &RequestBeat)| {
        let (is_binding, last) = to(number, beat);
        RequestBeat::new(beat.low_bytes(MOST_TDATA_BYTES), is_binding, last)
    };
    beats.iter().enumerate().map(own).collect()
}
