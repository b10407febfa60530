//! The clock of each port: of the registers behind an output, of the registers that take an input.

use crate::check::clock_crossing::{Clocks, clocked_ports};
use crate::dependencies::dependencies;
use crate::design::{BlockDesign, Design, NetDesign, NetKind, for_each_drive};
use crate::record::AtomId;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Which clocks take and give each net.
pub(super) struct PortClocks<'a> {
    design: &'a Design,
    clocks: Clocks<'a>,
    /// Clocks of the registers that take a net, at the top.
    takers: FxHashMap<AtomId, BTreeSet<AtomId>>,
    all: BTreeSet<AtomId>,
}

impl<'a> PortClocks<'a> {
    pub(super) fn new(design: &'a Design) -> PortClocks<'a> {
        let mut clocks = PortClocks {
            design,
            clocks: Clocks::new(design),
            takers: FxHashMap::default(),
            all: BTreeSet::new(),
        };
        clocks.begin();
        clocks.spread();
        clocks
    }

    /// What registers and clocked inputs of primitives take directly.
    fn begin(&mut self) {
        for block in &self.design.blocks {
            for_each_drive(&block.body.statements, &mut |site| {
                let Some(register) = self.design.net(site.target).register() else { return };
                let clock = self.clocks.root(register.clock);
                for &root in site.conditions.iter().chain([&site.value]) {
                    block.body.for_each_net(root, &mut |net| {
                        self.takers.entry(net).or_default().insert(clock);
                    });
                }
            });
            for register in block.nets.iter().filter_map(NetDesign::register) {
                let clock = self.clocks.root(register.clock);
                self.all.insert(clock);
                if let Some(reset) = register.reset {
                    self.takers.entry(reset).or_default().insert(clock);
                }
            }
            for direction in [NetKind::Input, NetKind::Output] {
                let is_input = direction == NetKind::Input;
                for (port, clock) in clocked_ports(block, direction) {
                    let clock = self.clocks.root(clock);
                    self.all.insert(clock);
                    if is_input {
                        self.takers.entry(port).or_default().insert(clock);
                    }
                }
            }
        }
    }

    /// Follows wires backwards until nothing changes.
    fn spread(&mut self) {
        let graph = dependencies(self.design);
        let mut waiting: Vec<AtomId> = self.takers.keys().copied().collect();
        while let Some(target) = waiting.pop() {
            let clocks = self.takers[&target].clone();
            for &net in graph.get(&target).into_iter().flatten() {
                let known = self.takers.entry(net).or_default();
                let before = known.len();
                known.extend(&clocks);
                if known.len() > before {
                    waiting.push(net);
                }
            }
        }
    }

    /// The clock port of a block that one of its ports belongs to, if it is one and known.
    pub(super) fn clock_of(&self, block: &BlockDesign, port: AtomId) -> Option<String> {
        let clock = self.one_clock_of(port)?;
        let mut ports = block.nets.iter().filter(|net| net.is_port() && self.clocks.root(net.id) == clock);
        // The same clock may come in through two ports.
        ports.next().filter(|_| ports.next().is_none()).map(|net| net.name.clone())
    }

    /// The one clock that a net belongs to, at the top.
    fn one_clock_of(&self, net: AtomId) -> Option<AtomId> {
        if self.all.contains(&self.clocks.root(net)) {
            return None;
        }
        let behind: BTreeSet<AtomId> = self.clocks.origins(net).map(|(clock, _)| clock).collect();
        let clocks = if behind.is_empty() { self.takers.get(&net)?.clone() } else { behind };
        match clocks.iter().collect::<Vec<_>>().as_slice() {
            [clock] => Some(**clock),
            _ => None,
        }
    }
}
