//! Faults of every kind, one by one, in the middle of random bindings and quads.
//!
//! A trial is: load on every unit, a fault in the middle of it, more load, a judgement when nothing is under way any more, and then
//! good requests that must be served as if nothing had been. A fault of memory meets a read of the second load, which is asked for again. The
//! judgement asks the hardware which errors it has seen: those of the fault, and no others. A quad that needs a line of which a read
//! failed, by the golden model, may have failed as a whole; behind an answer of the wrong length any quad may until nothing is under way.
//! Everything else is what the golden model says, to the last bit.

use super::comparison::{
    Asked, Comparison, Excuse, Lane, Outcome, Owed, QUEUE_BEATS, Run, changed, ended, repeated,
};
use crate::engines::sampler::bench::{BenchOptions, Resets};
use crate::engines::sampler::contents::TextureMemory;
use crate::engines::sampler::regression::campaign::unmapped;
use crate::engines::sampler::regression::disturbances::Disturbances;
use crate::engines::sampler::regression::fault::{FaultKind, Tallies, some_length};
use crate::engines::sampler::regression::player::shaken;
use crate::engines::sampler::streams::request::{Breakage, Packet, Request};
use crate::kit::domain::Domain;
use crate::kit::error::{Cause, Result};
use crate::kit::memory::{Fault, MemoryTiming};
use crate::kit::pauses::Pauses;
use crate::kit::rtl::Rtl;
use rand::seq::SliceRandom as _;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;
use tmu_rtl::system::registers;
use tmu_spec::general::Binding;
use tmu_spec::general::binding::{Words, with};
use tmu_spec::general::field::{ALL, WORDS};
use tmu_spec::general::packet::of_binding;
use tmu_spec::general::store::is_stored;
use tmu_spec::{Config, RequestBeat};
use tmu_verilate::Model;

/// Most quads of a unit on either side of a fault.
const MOST_QUADS: u32 = 16;

/// Most clocks that pass between load and fault.
const MOST_CLOCKS: u64 = 600;

/// Most beats that a binding has too many.
const MOST_BEATS_TOO_MANY: usize = 8;

/// Which run.
#[derive(Debug, Clone, Copy)]
pub struct Trials {
    /// Everything random follows from it.
    pub seed: u64,
    /// Faults that take place.
    pub faults: u64,
    /// Clocks of memory from address to data.
    pub latency_clocks: u32,
    /// Pauses of streams and memory.
    pub pauses: Pauses,
}

/// What became of the faults, and what was compared meanwhile.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// Faults by kind.
    pub faults: Tallies,
    /// Quads, and clocks of the unit.
    pub outcome: Outcome,
}

/// Runs trial after trial.
///
/// # Errors
/// The first quad that is not as it must be, an error that is not reported or that was none; whatever else ends a simulation, as
/// standing still does.
///
/// # Panics
/// If the configuration is none of the general numerics.
pub fn inject(model: &Model, rtl: &Rtl, trials: &Trials) -> Result<Report> {
    let Trials { seed, faults, latency_clocks, pauses } = *trials;
    let comparison = Comparison { seed, quads: 0, latency_clocks, pauses, errors: false };
    let plain =
        BenchOptions { stream_pauses: pauses, seed, ..BenchOptions::collecting(&rtl.config, latency_clocks) };
    let plain = BenchOptions { memory_timing: MemoryTiming { pauses, ..plain.memory_timing }, ..plain };
    let options = shaken(plain, &mut ChaCha8Rng::seed_from_u64(seed));
    let mut campaign = Campaign {
        run: Run::on(model, rtl, options, &comparison, TextureMemory::noise(seed))?,
        config: &rtl.config,
        left: Vec::new(),
        disturbances: Disturbances::new(&rtl.config),
        faults: Tallies::default(),
    };
    campaign.run.bench.start()?;
    while campaign.faults.total().injected < faults {
        campaign.trial()?;
    }
    let mut outcome = campaign.run.outcome;
    outcome.tmu_clocks = campaign.run.bench.clocks(Domain::Tmu);
    Ok(Report { faults: campaign.faults, outcome })
}

struct Campaign<'a> {
    run: Run,
    config: &'a Config,
    /// Kinds that are still to come before each comes again.
    left: Vec<FaultKind>,
    disturbances: Disturbances,
    faults: Tallies,
}

impl Campaign<'_> {
    fn trial(&mut self) -> Result<()> {
        if self.left.is_empty() {
            self.left = FaultKind::ALL.into_iter().filter(|kind| kind.fits(self.config)).collect();
            self.left.shuffle(&mut self.run.rng);
        }
        let kind = self.left.pop().expect("a binding that breaks a rule fits any hardware");
        let [before, behind] = [(); 2].map(|()| self.run.rng.random_range(1..=MOST_QUADS));
        self.run.load(before)?;
        let clocks = self.run.rng.random_range(0..MOST_CLOCKS);
        if clocks < MOST_CLOCKS / 2 {
            self.run.bench.run_clocks(clocks)?;
        }
        let memory_faults = self.run.bench.excuse_none()?.0;
        self.inject(kind)?;
        let again = self.run.rng.clone();
        self.run.load(behind)?;
        let Some(excused) = self.judge(kind, memory_faults)? else {
            self.left.insert(0, kind);
            return Ok(());
        };
        if kind.is_of_memory() {
            self.run.rng = again;
        }
        self.run.load(behind)?;
        self.run.settle()?;
        let tally = self.faults.of_mut(kind);
        tally.injected += 1;
        tally.recovered += 1;
        tally.reported += u64::from(self.run.bench.has_control() && kind.is_reported());
        tally.excused_quads += excused;
        Ok(())
    }

    fn inject(&mut self, kind: FaultKind) -> Result<()> {
        let run = &mut self.run;
        run.bench.note(kind.name());
        if kind.is_of_memory() {
            // Reads that were asked for before belong to the load in front, which must be right.
            run.settle()?;
        }
        if let Some(fault) = kind.length_fault() {
            run.excuse = Excuse::All;
            run.bench.break_next_answer(some_length(fault, &mut run.rng));
            return Ok(());
        }
        let domains = self.disturbances.domains();
        match kind {
            FaultKind::ReadSlverr => run.fail_next_read(Fault::Subordinate),
            FaultKind::ReadDecerr => run.fail_next_read(Fault::Decode),
            FaultKind::CoreReset => return self.reset(&domains[..1]),
            FaultKind::TmuReset => return self.reset(&domains[1..2]),
            FaultKind::MemoryReset => return self.reset(&domains[2..]),
            FaultKind::SeveralResets => return self.reset(domains),
            FaultKind::SoftReset => {
                run.bench.reach_registers()?;
                run.bench.soft_reset()?;
                run.forget()?;
            }
            FaultKind::Invalidation => {
                run.bench.reach_registers()?;
                run.bench.invalidate()?;
            }
            FaultKind::UnmappedAccess => {
                let access = unmapped(self.config, &mut run.rng);
                run.bench.access_nothing(access)?;
            }
            _ => self.send_broken(kind),
        }
        Ok(())
    }

    /// Resets some sides, and forgets what was under way.
    fn reset(&mut self, domains: &[Domain]) -> Result<()> {
        let resets: Resets = Disturbances::resets(domains, &mut self.run.rng);
        self.run.bench.reset(&resets)?;
        self.run.forget()
    }

    /// A packet of which something is wrong, for a unit.
    fn send_broken(&mut self, kind: FaultKind) {
        let run = &mut self.run;
        let unit = run.rng.random_range(0..run.lanes.len());
        let bound = run.traffic.binding(&mut run.rng);
        let quad = run.traffic.quad(&mut run.rng, &bound);
        let of_quad = run.traffic.beats(&quad);
        let of_binding = of_binding(&bound.words());
        let (beats, breakage) = match kind {
            FaultKind::IllegalBinding => {
                let words = self.illegal();
                return self.run.send_binding(unit, &words);
            }
            FaultKind::PacketOfBothSorts => {
                let beats = if of_quad.len() > 1 && run.rng.random() { of_quad } else { of_binding };
                let from = run.rng.random_range(1..beats.len());
                (with_tuser_turned(&beats, from), Breakage::BothSorts)
            }
            FaultKind::BindingTooShort => {
                // A beat alone names an entry of a store.
                let left = run.rng.random_range(2..WORDS);
                (ended(&of_binding[..left]), Breakage::BindingTooShort)
            }
            FaultKind::BindingTooLong => {
                let length = WORDS + run.rng.random_range(1..=MOST_BEATS_TOO_MANY);
                (repeated(&of_binding, length), Breakage::BindingTooLong)
            }
            FaultKind::QuadTooShort => (ended(&of_quad[..1]), Breakage::QuadTooShort),
            FaultKind::QuadTooLong => {
                let length = run.traffic.most_beats() + run.rng.random_range(1..=MOST_BEATS_TOO_MANY);
                (repeated(&of_quad, length), Breakage::QuadTooLong)
            }
            _ => unreachable!("{kind:?} is no packet"),
        };
        run.bench.send(unit, Packet { beats, request: Request::Broken(breakage) });
    }

    /// Words of a binding that breaks a rule.
    fn illegal(&mut self) -> Words {
        let Run { traffic, rng, .. } = &mut self.run;
        loop {
            // One for the store is refused when it is named.
            let words = traffic.binding(rng).words();
            let field = ALL[rng.random_range(0..ALL.len())];
            let words = with(words, field, rng.random());
            if Binding::decode_for(&words, traffic.features()).is_err()
                && !is_stored(&words, traffic.general())
            {
                return words;
            }
        }
    }

    /// Compares what the hardware has seen with what was done to it; how many quads were excused, or none where nothing was read
    /// that could fail.
    fn judge(&mut self, kind: FaultKind, memory_faults: u64) -> Result<Option<u64>> {
        let run = &mut self.run;
        run.settle()?;
        let took_place = run.bench.excuse_none()?.0 > memory_faults;
        let excused = run.excuse_none()?;
        let broke_a_rule = std::mem::take(&mut run.broke_a_rule);
        let due = if kind.is_of_memory() && !took_place { 0 } else { kind.error_bits() };
        let of_rules = if broke_a_rule { registers::ERROR_BINDING_RULES.mask() } else { 0 };
        run.bench.check_errors(kind.name(), due, of_rules)?;
        Ok((took_place || !kind.is_of_memory()).then_some(excused))
    }
}

impl Run {
    /// Sends each unit a binding and so many quads, with other bindings between them.
    fn load(&mut self, quads: u32) -> Result<()> {
        self.lanes.iter_mut().for_each(|lane| lane.left_of_binding = 0);
        for _ in 0..quads {
            for unit in 0..self.lanes.len() {
                while !self.send(unit) {}
                while self.bench.queued_beats(unit) >= QUEUE_BEATS {
                    self.bench.run_clocks(QUEUE_BEATS as u64 / 2)?;
                }
            }
            self.collect()?;
        }
        Ok(())
    }

    /// Waits until nothing is under way, and compares what has come.
    fn settle(&mut self) -> Result<()> {
        if self.excuse == Excuse::All {
            self.bench.settle_reads()?
        } else {
            self.bench.settle()?
        }
        self.collect()?;
        match self.lanes.iter().position(|lane| !lane.owed.is_empty()) {
            None => Ok(()),
            Some(unit) => {
                let said = format!("unit {unit} still owes {} results", self.lanes[unit].owed.len());
                Err(self.bench.failure(Cause::Check(said)))
            }
        }
    }

    fn fail_next_read(&mut self, fault: Fault) {
        self.excuse = Excuse::FailedRead;
        self.bench.fail_next_read(fault);
    }

    /// Forgets what is bound and under way, as the hardware does behind a reset; a result that is offered is still due.
    fn forget(&mut self) -> Result<()> {
        self.collect()?;
        for (unit, lane) in self.lanes.iter_mut().enumerate() {
            let offered = usize::from(self.bench.offers_left_over(unit));
            let owed = lane.owed.drain(..).take(offered).collect();
            *lane = Lane::new(&self.contents, *self.traffic.features());
            lane.owed = owed;
        }
        Ok(())
    }

    /// From now on every quad must be right. How many have failed with an excuse.
    ///
    /// # Errors
    /// If one of them does not need the line that could not be read.
    fn excuse_none(&mut self) -> Result<u64> {
        let excuse = std::mem::take(&mut self.excuse);
        let excused = std::mem::take(&mut self.excused);
        if excuse == Excuse::FailedRead {
            let failed = self.bench.failed_read();
            if let Some((unit, owed)) = excused.iter().find(|(unit, owed)| !self.needs(*unit, owed, failed)) {
                let said = format!(
                    "unit {unit}: a quad fails that needs nothing of {failed:x?}: {}\n{:?}",
                    owed.asked.said(),
                    owed.bound
                );
                return Err(self.bench.failure(Cause::Check(said)));
            }
        }
        Ok(excused.len() as u64)
    }

    /// Whether a quad of a unit fails where this line of this unit cannot be read, by the golden model.
    fn needs(&self, unit: usize, owed: &Owed, failed: Option<(usize, u32)>) -> bool {
        let Some((_, line)) = failed.filter(|(of, _)| *of == unit) else { return false };
        let mut contents = TextureMemory::clone(&self.contents);
        contents.fail(line, Fault::Decode);
        let mut golden = Lane::new(&Arc::new(contents), *self.traffic.features()).golden;
        let words = [
            owed.bound.primary.map(|bound| bound.words()),
            owed.bound.secondary.map(|bound| bound.secondary_words()),
        ];
        for words in words.into_iter().flatten() {
            golden.take_binding(&words).expect("what was bound is legal");
        }
        match &owed.asked {
            Asked::Direct(quad) => golden.sample(quad).error,
            Asked::Indirect(quad, setup) => {
                golden.look_up_by(Ok(*setup), quad).as_slice().iter().any(|result| result.error)
            }
        }
    }
}

/// The beats with `tuser` turned round from one of them on.
fn with_tuser_turned(beats: &[RequestBeat], from: usize) -> Vec<RequestBeat> {
    changed(beats, |number, beat| (beat.is_binding() ^ (number >= from), beat.last()))
}
