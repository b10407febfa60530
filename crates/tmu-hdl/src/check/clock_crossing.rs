//! Data passes between clocks only inside a primitive that declares a crossing.

use crate::design::{Design, for_each_drive};
use crate::diagnostic::{Diagnostic, Rule};
use crate::record::{AtomId, NodeKind};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Registers and clocked ports of primitives that see data of another clock.
pub(crate) fn check(design: &Design) -> Vec<Diagnostic> {
    let clocks = Clocks::new(design);
    let mut found = vec![];
    for (index, block) in design.blocks.iter().enumerate() {
        let mut refuse = |sink: AtomId, sink_clock: AtomId, origin: AtomId, origin_clock: AtomId| {
            let path = |id| format!("{}.{}", design.blocks[design.block_of(id)].path, design.net(id).name);
            let mut places = vec![];
            for (what, id) in [("from", origin), ("to", sink)] {
                places
                    .extend(design.net(id).source.map(|s| (format!("{what} `{}`", design.net(id).name), s)));
            }
            found.push(Diagnostic {
                rule: Rule::ClockCrossing,
                block: design.blocks[index].path.clone(),
                message: format!(
                    "`{}` on clock {} takes data of `{}` on clock {}",
                    path(sink),
                    path(sink_clock),
                    path(origin),
                    path(origin_clock)
                ),
                places,
                remedy: "cross with a synchroniser or an asynchronous FIFO",
            });
        };
        let mut sinks: BTreeMap<AtomId, (AtomId, BTreeSet<AtomId>)> = BTreeMap::new();
        for_each_drive(&block.body.statements, &mut |site| {
            let Some(register) = design.net(site.target).register() else { return };
            let clock = clocks.root(register.clock);
            let sources = &mut sinks.entry(site.target).or_insert((clock, BTreeSet::new())).1;
            for &root in site.conditions.iter().chain([&site.value]) {
                block.body.for_each_net(root, &mut |net| {
                    sources.insert(net);
                });
            }
        });
        for net in &block.nets {
            if let Some((clock, reset)) = net.register().and_then(|r| Some((r.clock, r.reset?))) {
                sinks.entry(net.id).or_insert((clocks.root(clock), BTreeSet::new())).1.insert(reset);
            }
        }
        if let Some(primitive) = &block.body.primitive {
            for (port, clock) in &primitive.clocked {
                let id = |name: &str| block.nets.iter().find(|n| n.name == name);
                if let (Some(port), Some(clock)) = (id(port), id(clock))
                    && port.kind == crate::design::NetKind::Input
                {
                    sinks.insert(port.id, (clocks.root(clock.id), BTreeSet::from([port.id])));
                }
            }
        }
        for (sink, (sink_clock, sources)) in sinks {
            let origins: BTreeMap<AtomId, AtomId> = sources
                .iter()
                .flat_map(|&net| clocks.origins(net))
                .map(|(clock, origin)| (clock, *origin))
                .collect();
            if let Some((&origin_clock, &origin)) = origins.iter().find(|(clock, _)| **clock != sink_clock) {
                refuse(sink, sink_clock, origin, origin_clock);
            }
        }
    }
    found
}

/// Which clocks each net's data comes from.
struct Clocks<'a> {
    design: &'a Design,
    /// The net that drives a clock port of a sub-block.
    driver: HashMap<AtomId, AtomId>,
    /// For each net: clock of origin, and a register or port on it as an example.
    origins: HashMap<AtomId, BTreeMap<AtomId, AtomId>>,
}

impl<'a> Clocks<'a> {
    fn new(design: &'a Design) -> Clocks<'a> {
        let mut driver = HashMap::new();
        for block in &design.blocks {
            for_each_drive(&block.body.statements, &mut |site| {
                if let NodeKind::Net(net) = block.body.node(site.value).kind {
                    driver.insert(site.target, net);
                }
            });
        }
        let mut clocks = Clocks { design, driver, origins: HashMap::new() };
        clocks.start();
        clocks.spread();
        clocks
    }

    /// The clock at the top, or wherever it is made.
    fn root(&self, mut clock: AtomId) -> AtomId {
        while let Some(&next) = self.driver.get(&clock) {
            clock = next;
        }
        clock
    }

    fn origins(&self, net: AtomId) -> impl Iterator<Item = (AtomId, &AtomId)> {
        self.origins.get(&net).into_iter().flatten().map(|(&clock, origin)| (clock, origin))
    }

    /// Registers and clocked outputs of primitives are where data begins.
    fn start(&mut self) {
        for block in &self.design.blocks {
            for net in &block.nets {
                if let Some(register) = net.register() {
                    let clock = self.root(register.clock);
                    self.origins.insert(net.id, BTreeMap::from([(clock, net.id)]));
                }
            }
            let Some(primitive) = &block.body.primitive else { continue };
            for (port, clock) in &primitive.clocked {
                let id = |name: &str| block.nets.iter().find(|n| n.name == name);
                if let (Some(port), Some(clock)) = (id(port), id(clock))
                    && port.kind == crate::design::NetKind::Output
                {
                    let clock = self.root(clock.id);
                    self.origins.insert(port.id, BTreeMap::from([(clock, port.id)]));
                }
            }
        }
    }

    /// Follows wires until nothing changes; each round reaches at least one net further.
    fn spread(&mut self) {
        let graph = super::combinational_loop::dependencies(self.design);
        loop {
            let mut changed = false;
            for (target, from) in &graph {
                let gathered: Vec<(AtomId, AtomId)> =
                    from.iter().flat_map(|&net| self.origins(net)).map(|(c, o)| (c, *o)).collect();
                let known = self.origins.entry(*target).or_default();
                for (clock, origin) in gathered {
                    changed |= known.insert(clock, origin).is_none();
                }
            }
            if !changed {
                return;
            }
        }
    }
}
