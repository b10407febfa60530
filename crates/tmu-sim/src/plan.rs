//! What a random run does: an endless list of numbered items, packets and disturbances.
//!
//! The list follows from the configuration, the seed, and from which kinds of item are asked for; never from what the
//! hardware does. So an item keeps its number and its contents when others are left out, which is what makes a short
//! case of a long run.

use crate::bench::Domain;
use crate::bus::control::Access;
use crate::bus::memory::LengthFault;
use crate::bus::request::{Packet, Request};
use crate::campaign::{Campaign, FaultKind, some_length};
use crate::contents::Fault;
use crate::regression::Regression;
use crate::scoreboard::binding_text;
use crate::traffic::{Traffic, TrafficOptions};
use rand::seq::{IndexedRandom as _, SliceRandom as _};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;
use std::fmt::Write as _;
use tmu_spec::Config;

/// Most packets, over all units, from one disturbance to the next.
const MOST_BETWEEN: u32 = 600;

/// Most packets, over all units, from an answer of the wrong length until every quad must be right again.
const MOST_UNTIL_MENDED: u32 = 200;

/// Packets of each unit before a disturbance for which caches are emptied: more than wait to be sent, which are taken back.
const READING: u32 = 32;

/// Resets asserted one after another and released one after another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resets {
    /// In the order in which they are asserted, each with the clock edges that pass behind it.
    pub asserted: Vec<(Domain, u32)>,
    /// Clocks of `core_aclk` for which they are held at least.
    pub held_clocks: u64,
    /// In the order in which they are released, likewise.
    pub released: Vec<(Domain, u32)>,
}

/// Something to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Queue a packet for a unit.
    Send {
        /// The unit.
        unit: usize,
        /// The packet.
        packet: Packet,
    },
    /// Let some clock edges pass.
    Pass(u32),
    /// Reset some sides.
    Reset(Resets),
    /// Reset by command.
    SoftReset,
    /// Invalidate the caches by command.
    Invalidate,
    /// Access a register that there is not.
    Access(Access),
    /// Make the next read fail that memory could answer.
    FailRead(Fault),
    /// Make the next answer of memory of the wrong length that can be.
    BreakAnswer(LengthFault),
    /// Wait until nothing is under way, and ask the hardware what it makes of the fault.
    Judge,
    /// Wait until nothing is under way, and find everything as if there had been no fault.
    Recovered,
}

/// An item of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// What it does.
    pub action: Action,
    /// The fault that it is, where faults are counted.
    pub fault: Option<FaultKind>,
}

impl Item {
    /// An item that is no fault.
    #[must_use]
    pub const fn new(action: Action) -> Self {
        Self { action, fault: None }
    }

    /// Whether it is a quad to be answered.
    #[must_use]
    pub const fn is_quad(&self) -> bool {
        matches!(self.action, Action::Send { packet: Packet { request: Request::Sample(_), .. }, .. })
    }

    /// In words.
    #[must_use]
    pub fn text(&self, config: &Config) -> String {
        match &self.action {
            Action::Send { unit, packet: Packet { request, beats } } => match request {
                Request::Bind(bits) => {
                    format!("unit {unit}: {}", binding_text(Some(*bits), config.features()))
                }
                Request::Sample(quad) => {
                    format!("unit {unit}: quad, valid {:04b}, at {:?}", quad.valid(), quad.uv())
                }
                Request::Broken(breakage) => {
                    format!("unit {unit}: {}, {} beats", breakage.name(), beats.len())
                }
            },
            Action::Pass(steps) => format!("{steps} clock edges"),
            Action::Reset(Resets { asserted, held_clocks, released }) => {
                let mut text = "reset of ".to_owned();
                for (number, (domain, _)) in asserted.iter().enumerate() {
                    let _ = write!(text, "{}{domain:?}", if number == 0 { "" } else { ", " });
                }
                let released: Vec<_> = released.iter().map(|(domain, _)| format!("{domain:?}")).collect();
                let _ = write!(text, ", {held_clocks} clocks, released {}", released.join(", "));
                text
            }
            Action::SoftReset => "soft reset".to_owned(),
            Action::Invalidate => "invalidation".to_owned(),
            Action::Access(access) => format!("{access:x?}"),
            Action::FailRead(fault) => format!("a read fails, response {}", fault.response()),
            Action::BreakAnswer(fault) => fault.name().to_owned(),
            Action::Judge | Action::Recovered => "wait until idle".to_owned(),
        }
    }
}

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
        let faults = LengthFault::KINDS.into_iter().filter(|fault| fault.can_meet(config)).collect();
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

/// What can be done to a unit in the middle of everything.
#[derive(Debug, Clone)]
pub(crate) struct Disturbances {
    domains: &'static [Domain],
    has_control: bool,
}

impl Disturbances {
    fn new(config: &Config) -> Self {
        Self { domains: Domain::of(config), has_control: config.control().port() }
    }

    /// The clocks that there are.
    pub(crate) fn domains(&self) -> &[Domain] {
        self.domains
    }

    fn draw(&self, random: &mut ChaCha8Rng) -> Action {
        match random.random_range(0..if self.has_control { 5 } else { 3 }) {
            0..3 => {
                let chosen = random.random_range(1..1u32 << self.domains.len());
                let some = self.domains.iter().enumerate().filter(|(at, _)| chosen >> at & 1 == 1);
                let some: Vec<_> = some.map(|(_, domain)| *domain).collect();
                Action::Reset(Self::resets(&some, random))
            }
            3 => Action::SoftReset,
            _ => Action::Invalidate,
        }
    }

    /// Asserts some resets in some order and releases them in another.
    pub(crate) fn resets(domains: &[Domain], random: &mut ChaCha8Rng) -> Resets {
        let mut in_some_order = || {
            let mut order: Vec<_> = domains.to_vec();
            order.shuffle(random);
            order.into_iter().map(|domain| (domain, random.random_range(0..40))).collect()
        };
        let (asserted, released) = (in_some_order(), in_some_order());
        let held_clocks = random.random_range(0..100);
        Resets { asserted, held_clocks, released }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
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

    #[test]
    fn resets_come_alone_and_together_in_every_order() {
        let config = Config::from_toml("axi = { clock = \"own\" }\nclock = { memory_mhz = 300 }").unwrap();
        let disturbances = Disturbances::new(&config);
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut orders = HashSet::new();
        for _ in 0..5000 {
            if let Action::Reset(resets) = disturbances.draw(&mut random) {
                let order = |domains: &[(Domain, u32)]| {
                    domains.iter().map(|(domain, _)| *domain as usize).collect::<Vec<_>>()
                };
                orders.insert((order(&resets.asserted), order(&resets.released)));
            }
        }
        // Three by themselves, three pairs in two orders twice, and all in six orders twice.
        assert_eq!(orders.len(), 3 + 3 * 4 + 36);
    }
}
