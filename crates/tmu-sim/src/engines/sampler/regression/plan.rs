//! What a random run does: an endless list of numbered items, packets and disturbances.
//!
//! The list follows from the configuration, the seed, and from which kinds of item are asked for; never from what the
//! hardware does. So an item keeps its number and its contents when others are left out, which is what makes a short
//! case of a long run.

use crate::engines::sampler::lengths::can_meet;
use crate::engines::sampler::regression::action::{Action, Item};
use crate::engines::sampler::regression::campaign::Campaign;
use crate::engines::sampler::regression::disturbances::Disturbances;
use crate::engines::sampler::regression::fault::some_length;
use crate::engines::sampler::regression::options::Regression;
use crate::engines::sampler::traffic::{Traffic, TrafficOptions};
use crate::kit::memory::LengthFault;
use rand::seq::IndexedRandom as _;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;
use tmu_spec::Config;

/// Most packets, over all units, from one disturbance to the next.
const MOST_BETWEEN: u32 = 600;

/// Most packets, over all units, from an answer of the wrong length until every quad must be right again.
const MOST_UNTIL_MENDED: u32 = 200;

/// Packets of each unit before a disturbance for which caches are emptied: more than wait to be sent, which are taken back.
const READING: u32 = 32;

/// See the module's documentation.
#[derive(Debug)]
pub struct Plan {
    source: Source,
    waiting: VecDeque<Item>,
}

/// Where the items come from.
#[derive(Debug)]
enum Source {
    Mixed(Box<Mixed>),
    Faults(Box<Campaign>),
}

/// Packets for all units in turn, with disturbances at random moments.
#[derive(Debug)]
struct Mixed {
    traffic: Vec<Traffic>,
    random: ChaCha8Rng,
    next_unit: usize,
    disturbances: Disturbances,
    /// Packets before the next disturbance, if there are any.
    left: Option<u32>,
    /// Answers of memory of the wrong length, if there are any.
    lengths: Option<Lengths>,
    /// What comes before all else.
    waiting: VecDeque<Action>,
}

/// Answers of memory of the wrong length, each followed by a while in which quads are excused for it.
#[derive(Debug)]
struct Lengths {
    /// Those that the hardware can meet.
    faults: Vec<LengthFault>,
    /// Of its own, so that the packets are the same without them.
    random: ChaCha8Rng,
    /// Packets before the next one, or before the end of the last one.
    left: u32,
    is_broken: bool,
}

impl Plan {
    /// The items of a run.
    #[must_use]
    pub fn new(config: &Config, run: &Regression) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(run.seed ^ 0x6974_656d);
        let faults_one_in = if run.errors { 60 } else { 0 };
        let options = TrafficOptions { faults_one_in, ..TrafficOptions::default() };
        let traffic = |_| Traffic::new(config, options, random.random());
        let traffic: Vec<_> = (0..config.units()).map(traffic).collect();
        let disturbances = Disturbances::new(config);
        let source = if run.faults > 0 {
            Source::Faults(Box::new(Campaign::new(config, traffic, disturbances, random)))
        } else {
            let left = run.resets.then(|| random.random_range(1..MOST_BETWEEN));
            let lengths = run.errors.then(|| Lengths::new(config, run.seed));
            let (next_unit, waiting) = (0, VecDeque::new());
            let mixed = Mixed { traffic, random, next_unit, disturbances, left, lengths, waiting };
            Source::Mixed(Box::new(mixed))
        };
        Self { source, waiting: VecDeque::new() }
    }
}

impl Iterator for Plan {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        match &mut self.source {
            Source::Mixed(mixed) => return Some(Item::new(mixed.next())),
            Source::Faults(campaign) if self.waiting.is_empty() => campaign.trial(&mut self.waiting),
            Source::Faults(_) => {}
        }
        self.waiting.pop_front()
    }
}

impl Mixed {
    fn next(&mut self) -> Action {
        if let Some(action) = self.waiting.pop_front() {
            return action;
        }
        match self.lengths.as_mut().and_then(Lengths::next) {
            Some(Action::Judge) => return self.mended(),
            Some(action) => return action,
            None => {}
        }
        match &mut self.left {
            Some(0) => {
                self.left = Some(self.random.random_range(1..MOST_BETWEEN));
                let action = self.disturbances.draw(&mut self.random);
                // Mostly quads of a unit that was reset have a binding; those that have none come back failed.
                if self.random.random_ratio(3, 4) {
                    self.traffic.iter_mut().for_each(Traffic::bind_next);
                }
                return action;
            }
            Some(left) => {
                // Half of all disturbances find reads under way, however much the caches hold.
                if *left == READING * self.traffic.len() as u32 && self.random.random_ratio(1, 2) {
                    self.traffic.iter_mut().for_each(Traffic::read_next);
                }
                *left -= 1;
            }
            None => {}
        }
        let unit = self.next_unit;
        self.next_unit = (unit + 1) % self.traffic.len();
        Action::Send { unit, packet: self.traffic[unit].packet() }
    }

    /// A judgement, the first part of it. The answer to a quad says that a colour table has been read to its end; and as
    /// that may have failed, all units are bound anew.
    fn mended(&mut self) -> Action {
        let quads = self.traffic.iter_mut().enumerate();
        self.waiting.extend(quads.map(|(unit, traffic)| Action::Send { unit, packet: traffic.quad() }));
        self.waiting.push_back(Action::Judge);
        self.traffic.iter_mut().for_each(Traffic::bind_next);
        self.waiting.pop_front().unwrap_or(Action::Judge)
    }
}

impl Lengths {
    fn new(config: &Config, seed: u64) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed ^ 0x6c65_6e67);
        let faults = LengthFault::KINDS.into_iter().filter(|fault| can_meet(*fault, config)).collect();
        let left = random.random_range(1..MOST_BETWEEN);
        Self { faults, random, left, is_broken: false }
    }

    /// A fault or the end of one, when its time has come.
    fn next(&mut self) -> Option<Action> {
        if self.left > 0 {
            self.left -= 1;
            return None;
        }
        self.is_broken = !self.is_broken;
        let most = if self.is_broken { MOST_UNTIL_MENDED } else { MOST_BETWEEN };
        self.left = self.random.random_range(1..most);
        if !self.is_broken {
            return Some(Action::Judge);
        }
        let fault = *self.faults.choose(&mut self.random)?;
        Some(Action::BreakAnswer(some_length(fault, &mut self.random)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tmu_spec::Preset;

    #[test]
    fn the_same_items_come_again() {
        let config = Preset::find("fury").unwrap().config().unwrap();
        for run in [
            Regression { errors: true, resets: true, ..Regression::new(5, 0, 1) },
            Regression { faults: 1, ..Regression::new(5, 0, 1) },
        ] {
            let items = |run: &Regression| Plan::new(&config, run).take(3000).collect::<Vec<_>>();
            assert_eq!(items(&run), items(&Regression { latency_clocks: 50, plain: true, ..run.clone() }));
            assert_ne!(items(&run), items(&Regression { seed: 6, ..run.clone() }));
        }
    }
}
