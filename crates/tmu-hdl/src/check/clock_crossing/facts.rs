//! What is known of each net within one clock: which clocks its data comes from, and what else it carries.
//!
//! Facts start at registers, ports and synchronisers and spread along wires, each net visited again only when it
//! learns something new: time grows with the connections of a design and the facts on them.

use super::wiring::Wiring;
use crate::crossing::Belongs;
use crate::dependencies::dependencies;
use crate::design::{BlockDesign, Design, NetKind};
use crate::primitive::CrossingKind;
use crate::record::AtomId;
use rustc_hash::FxHashMap;
use std::collections::{BTreeSet, VecDeque};

/// Something that a net carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fact {
    /// Data of this clock.
    Clock(AtomId),
    /// Data of this input of the top, which belongs to no clock.
    Asynchronous(AtomId),
    /// Data of this input of the top, of which nothing is declared.
    Input(AtomId),
    /// The clock itself.
    IsClock(AtomId),
    /// A bit that came through the synchroniser which is this block.
    Synchronised(usize),
}

/// Clocks, and the facts of every net.
pub(crate) struct Clocks<'a> {
    design: &'a Design,
    /// The net behind each net that is driven with nothing but another net.
    driver: FxHashMap<AtomId, AtomId>,
    /// In order; beside each fact the register or port at which it started.
    facts: FxHashMap<AtomId, Vec<(Fact, AtomId)>>,
}

impl<'a> Clocks<'a> {
    pub(crate) fn new(design: &'a Design) -> Clocks<'a> {
        Clocks::with_wiring(design, &Wiring::new(design))
    }

    pub(super) fn with_wiring(design: &'a Design, wiring: &Wiring<'a>) -> Clocks<'a> {
        // A clock that is chosen or computed is a clock of its own.
        let mut clocks = Clocks { design, driver: wiring.plain_drivers(), facts: FxHashMap::default() };
        let started = clocks.start();
        clocks.spread(started, &wiring.copies());
        clocks
    }

    /// The clock at the top, or wherever it is made.
    pub(crate) fn root(&self, mut clock: AtomId) -> AtomId {
        // A clock that drives itself is a combinational loop and refused as such; it must only not hang here.
        for _ in 0..self.driver.len() {
            let Some(&next) = self.driver.get(&clock) else { break };
            clock = next;
        }
        clock
    }

    /// The clocks that a net's data comes from, each with a register or port on it as an example.
    pub(crate) fn origins(&self, net: AtomId) -> impl Iterator<Item = (AtomId, &AtomId)> {
        self.facts(net).iter().filter_map(|(fact, example)| match fact {
            Fact::Clock(clock) => Some((*clock, example)),
            _ => None,
        })
    }

    pub(super) fn facts(&self, net: AtomId) -> &[(Fact, AtomId)] {
        self.facts.get(&net).map_or(&[], Vec::as_slice)
    }

    /// Adds a fact; false where it is known.
    fn add(&mut self, net: AtomId, fact: Fact, example: AtomId) -> bool {
        let known = self.facts.entry(net).or_default();
        match known.binary_search_by_key(&fact, |(fact, _)| *fact) {
            Ok(_) => false,
            Err(place) => {
                known.insert(place, (fact, example));
                true
            }
        }
    }

    /// Lays down what is known at the start, and returns the nets with facts.
    fn start(&mut self) -> Vec<AtomId> {
        let design = self.design;
        let mut started = vec![];
        let mut roots = BTreeSet::new();
        for (index, block) in design.blocks.iter().enumerate() {
            for net in &block.nets {
                if let Some(register) = net.register() {
                    let clock = self.root(register.clock);
                    roots.insert(clock);
                    self.add(net.id, Fact::Clock(clock), net.id);
                    started.push(net.id);
                }
            }
            for (port, clock) in clocked_ports(block, NetKind::Output) {
                let clock = self.root(clock);
                roots.insert(clock);
                self.add(port, Fact::Clock(clock), port);
                if index > 0 && is_synchroniser(block) {
                    self.add(port, Fact::Synchronised(index), port);
                }
                started.push(port);
            }
            roots.extend(clocked_ports(block, NetKind::Input).iter().map(|(_, clock)| self.root(*clock)));
        }
        // A register that is also a clock, as in a divider, is data by nature.
        for clock in roots {
            if !self.facts.contains_key(&clock) {
                self.add(clock, Fact::IsClock(clock), clock);
                started.push(clock);
            }
        }
        started.extend(self.start_inputs());
        started
    }

    fn start_inputs(&mut self) -> Vec<AtomId> {
        let inputs = self.design.blocks[0].nets.iter().filter(|net| net.kind == NetKind::Input);
        let mut started = vec![];
        for net in inputs {
            if self.facts.contains_key(&net.id) {
                continue;
            }
            let fact = match net.declared.belongs {
                Belongs::Undeclared => Fact::Input(net.id),
                Belongs::IsClock => Fact::IsClock(net.id),
                Belongs::To(clock) => Fact::Clock(self.root(clock)),
                Belongs::Asynchronous => Fact::Asynchronous(net.id),
            };
            self.add(net.id, fact, net.id);
            started.push(net.id);
        }
        started
    }

    /// Follows wires until nothing changes. What came through a synchroniser also follows registers that only copy.
    fn spread(&mut self, started: Vec<AtomId>, copies: &FxHashMap<AtomId, Vec<AtomId>>) {
        let mut users: FxHashMap<AtomId, Vec<AtomId>> = FxHashMap::default();
        for (target, from) in dependencies(self.design) {
            for net in from {
                users.entry(net).or_default().push(target);
            }
        }
        let mut waiting = VecDeque::from(started);
        while let Some(net) = waiting.pop_front() {
            let facts = self.facts(net).to_vec();
            for &user in users.get(&net).into_iter().flatten() {
                let mut learns = false;
                for &(fact, example) in &facts {
                    learns |= self.add(user, fact, example);
                }
                if learns {
                    waiting.push_back(user);
                }
            }
            for &register in copies.get(&net).into_iter().flatten() {
                let mut learns = false;
                for &(fact, example) in facts.iter().filter(|(fact, _)| matches!(fact, Fact::Synchronised(_)))
                {
                    learns |= self.add(register, fact, example);
                }
                if learns {
                    waiting.push_back(register);
                }
            }
        }
    }
}

fn is_synchroniser(block: &BlockDesign) -> bool {
    let crossing = block.body.primitive.as_ref().and_then(|primitive| primitive.crossing.as_ref());
    crossing.is_some_and(|crossing| crossing.kind == CrossingKind::Synchroniser)
}

/// The clocked ports of a primitive in one direction, each with its clock.
pub(crate) fn clocked_ports(block: &BlockDesign, direction: NetKind) -> Vec<(AtomId, AtomId)> {
    let clocked = block.body.primitive.iter().flat_map(|primitive| &primitive.clocked);
    clocked
        .filter_map(|(port, clock)| {
            let (port, clock) = (block.port(port)?, block.port(clock)?);
            (port.kind == direction).then_some((port.id, clock.id))
        })
        .collect()
}
