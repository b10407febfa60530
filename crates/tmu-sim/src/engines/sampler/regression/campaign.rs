//! A run that injects faults one by one and looks at what becomes of each.
//!
//! A trial is: load on every unit, a fault in the middle of it, more load, a judgement when nothing is under way
//! any more, and then good requests that must be served as if nothing had been. The judgement asks the hardware which
//! errors it has seen: those of the fault and no others.

use crate::engines::sampler::regression::action::{Action, Item};
use crate::engines::sampler::regression::disturbances::Disturbances;
use crate::engines::sampler::regression::fault::{FaultKind, some_length};
use crate::engines::sampler::streams::request::{Breakage, Packet, Request};
use crate::engines::sampler::traffic::Traffic;
use crate::kit::control::Access;
use crate::kit::memory::Fault;
use crate::kit::memory::LengthFault;
use rand::Rng;
use rand::seq::IndexedRandom as _;
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;
use tmu_rtl::system::registers;
use tmu_spec::binding::field::DROP_CACHE;
use tmu_spec::{BeatsPerQuad, Config};

/// Trials without end.
#[derive(Debug)]
pub(crate) struct Campaign {
    kinds: Vec<FaultKind>,
    traffic: Vec<Traffic>,
    disturbances: Disturbances,
    random: ChaCha8Rng,
    config: Config,
}

impl Campaign {
    pub(crate) fn new(
        config: &Config,
        traffic: Vec<Traffic>,
        disturbances: Disturbances,
        random: ChaCha8Rng,
    ) -> Self {
        let kinds = FaultKind::ALL.into_iter().filter(|kind| kind.fits(config)).collect();
        Self { kinds, traffic, disturbances, random, config: config.clone() }
    }

    /// The next trial.
    pub(crate) fn trial(&mut self, items: &mut VecDeque<Item>) {
        let kind = *self.kinds.choose(&mut self.random).unwrap_or(&FaultKind::IllegalBinding);
        // Only a read that there is can fail, so the caches are emptied.
        let reads = kind.is_of_memory();
        let quads = self.random.random_range(1..24);
        self.load(quads, true, reads, items);
        if self.random.random_ratio(1, 2) {
            items.push_back(Item::new(Action::Pass(self.random.random_range(0..2000))));
        }
        let action = self.fault(kind);
        items.push_back(Item { action, fault: Some(kind) });
        // Behind a reset nothing is bound, and quads without a binding are answered, too.
        let binds = reads || self.random.random_ratio(1, 2);
        let quads = self.random.random_range(1..24);
        self.load(quads, binds, reads, items);
        items.push_back(Item::new(Action::Judge));
        if reads {
            // The same requests again, so that they find the line where it failed.
            let again: Vec<_> = items.iter().filter_map(Self::again).collect();
            items.extend(again);
        } else {
            let quads = self.random.random_range(2..8);
            self.load(quads, true, false, items);
        }
        items.push_back(Item::new(Action::Recovered));
    }

    /// A request once more; a binding that leaves the cache as it is.
    fn again(item: &Item) -> Option<Item> {
        let Action::Send { unit, packet } = &item.action else { return None };
        let packet = match packet.request {
            Request::Bind(record) => Packet::bind(record.with(DROP_CACHE, 0)),
            _ => packet.clone(),
        };
        Some(Item::new(Action::Send { unit: *unit, packet }))
    }

    /// Quads for every unit in turn.
    fn load(&mut self, quads: u32, binds: bool, drops_cache: bool, items: &mut VecDeque<Item>) {
        let mut send = |unit, packet| items.push_back(Item::new(Action::Send { unit, packet }));
        for number in 0..quads {
            for (unit, traffic) in self.traffic.iter_mut().enumerate() {
                if binds && (number == 0 || self.random.random_ratio(1, 8)) {
                    send(unit, traffic.binding(drops_cache));
                }
                send(unit, traffic.quad());
            }
        }
    }

    fn fault(&mut self, kind: FaultKind) -> Action {
        let random = &mut self.random;
        let unit = random.random_range(0..self.traffic.len());
        let traffic = &mut self.traffic[unit];
        let domains = self.disturbances.domains();
        let reset = |domain: usize, random: &mut ChaCha8Rng| {
            Action::Reset(Disturbances::resets(&domains[domain..=domain], random))
        };
        let packet = match kind {
            FaultKind::ReadSlverr => return Action::FailRead(Fault::Subordinate),
            FaultKind::ReadDecerr => return Action::FailRead(Fault::Decode),
            FaultKind::AnswerTooShort
            | FaultKind::RlastTwice
            | FaultKind::AnswerTooLong
            | FaultKind::NoRlast => {
                let fault = kind.length_fault().unwrap_or(LengthFault::Absent);
                return Action::BreakAnswer(some_length(fault, random));
            }
            FaultKind::CoreReset => return reset(0, random),
            FaultKind::TmuReset => return reset(1, random),
            FaultKind::MemoryReset => return reset(2, random),
            FaultKind::SeveralResets => {
                // All, or all but one.
                let left_out = random.random_range(0..=domains.len());
                let some = domains.iter().enumerate().filter(|(at, _)| domains.len() < 3 || *at != left_out);
                let some: Vec<_> = some.map(|(_, domain)| *domain).collect();
                return Action::Reset(Disturbances::resets(&some, random));
            }
            FaultKind::SoftReset => return Action::SoftReset,
            FaultKind::Invalidation => return Action::Invalidate,
            FaultKind::UnmappedAccess => return Action::Access(unmapped(&self.config, random)),
            FaultKind::QuadTooShort => traffic.broken(Breakage::QuadTooShort),
            FaultKind::QuadTooLong => traffic.broken(Breakage::QuadTooLong),
            FaultKind::BindingTooLong => traffic.broken(Breakage::BindingTooLong),
            FaultKind::BindingTooShort | FaultKind::PacketOfBothSorts => {
                unreachable!("{kind:?} needs a binding of several beats")
            }
            FaultKind::TuserChanges => traffic.quad().with_tuser_turned(BeatsPerQuad::Two),
            FaultKind::IllegalBinding => traffic.illegal_binding(),
        };
        Action::Send { unit, packet }
    }
}

/// An access where there is no register: behind those that there are once, or behind those of the last unit.
pub(crate) fn unmapped(config: &Config, random: &mut ChaCha8Rng) -> Access {
    let behind_core = registers::CORE.len() as u32 * registers::REGISTER_BYTES..registers::UNIT_BASE_BYTES;
    let behind_units = registers::UNIT_BASE_BYTES + config.units() * registers::UNIT_STRIDE_BYTES
        ..1 << registers::ADDRESS_BITS;
    let address = loop {
        let range = if random.random_ratio(1, 2) { behind_core.clone() } else { behind_units.clone() };
        let address = random.random_range(range) / registers::REGISTER_BYTES * registers::REGISTER_BYTES;
        // A parameter store has registers there.
        if registers::map(config).iter().all(|register| register.address != address) {
            break address;
        }
    };
    if random.random_ratio(1, 2) {
        Access::Read { address }
    } else {
        Access::Write { address, data: random.random(), strobe: 15 }
    }
}
