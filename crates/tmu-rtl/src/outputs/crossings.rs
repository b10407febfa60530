//! Where data changes clocks: the clock of either side and the registers at both ends.
//!
//! Found in the elaborated design, so that none can be forgotten: the design checks refuse data that changes clocks
//! outside a primitive which declares it.

use serde::Serialize;
use std::collections::{BTreeSet, HashMap};
use tmu_hdl::design::{Design, for_each_drive};
use tmu_hdl::primitive::{CrossingKind, ResourceKind};
use tmu_hdl::record::AtomId;
use tmu_hdl::verilog::Modules;

/// A clock crossing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Crossing {
    /// Instance path of the primitive below the top, with `/`.
    pub instance: String,
    /// How the data crosses.
    pub kind: CrossingKind,
    /// Clock port of the top that the data comes from.
    pub from_clock: String,
    /// Clock port of the top that it goes to.
    pub to_clock: String,
    /// Registers that it comes from, instance paths below the top. A memory's own cells are not named.
    pub from_registers: Vec<String>,
    /// The first register behind the crossing, an instance path below the top.
    pub to_register: String,
    /// Bits that cross.
    pub width_bits: usize,
}

/// All crossings of a design, in the order of its blocks.
pub(super) fn crossings(design: &Design, modules: &Modules) -> Vec<Crossing> {
    let wires = Wires::new(design);
    let mut found = Vec::new();
    for (index, block) in design.blocks.iter().enumerate() {
        let Some(primitive) = &block.body.primitive else { continue };
        let Some(declared) = &primitive.crossing else { continue };
        // A block RAM has both clocks inside one cell; there is no path to constrain.
        if primitive.resource.as_ref().is_some_and(|resource| resource.kind == ResourceKind::BlockRam) {
            continue;
        }
        let (Some(from), Some(to_clock)) = (block.port(declared.from), block.port(declared.to_clock)) else {
            continue;
        };
        let instance = instance_path(design, modules, index);
        let origins = wires.origins(from.id);
        let is_memory = declared.kind == CrossingKind::StableData;
        // What a memory gives belongs to its write clock, wherever the words were made.
        let write_clock = primitive.clocked.iter().find(|(port, _)| *port == declared.from);
        let write_clock = write_clock.and_then(|(_, clock)| block.port(clock)).map(|net| wires.root(net.id));
        let from_clock = write_clock
            .or_else(|| origins.iter().find_map(|net| Some(wires.root(design.net(*net).register()?.clock))));
        let name = |id: AtomId| design.net(id).name.clone();
        let register = |id: AtomId| {
            format!("{}/{}", instance_path(design, modules, design.block_of(id)), design.net(id).name)
        };
        found.push(Crossing {
            kind: declared.kind,
            from_clock: from_clock.map(name).unwrap_or_default(),
            to_clock: name(wires.root(to_clock.id)),
            from_registers: if is_memory { Vec::new() } else { origins.into_iter().map(register).collect() },
            to_register: format!("{instance}/{}", declared.first_register),
            width_bits: declared.width,
            instance,
        });
    }
    found
}

/// Instance names from the top down to a block, without the top's own.
pub(super) fn instance_path(design: &Design, modules: &Modules, mut block: usize) -> String {
    let mut parts = Vec::new();
    while let Some(parent) = design.blocks[block].parent {
        parts.push(modules.instance_of.get(&block).map_or("", String::as_str));
        block = parent;
    }
    parts.reverse();
    parts.join("/")
}

/// What drives each wire.
struct Wires<'a> {
    design: &'a Design,
    /// Nets that each wire or port depends on.
    drivers: HashMap<AtomId, BTreeSet<AtomId>>,
}

impl<'a> Wires<'a> {
    fn new(design: &'a Design) -> Self {
        let mut drivers: HashMap<AtomId, BTreeSet<AtomId>> = HashMap::new();
        for block in &design.blocks {
            for_each_drive(&block.body.statements, &mut |site| {
                let from = drivers.entry(site.target).or_default();
                for root in site.conditions.iter().chain([&site.value]) {
                    block.body.for_each_net(*root, &mut |net| {
                        from.insert(net);
                    });
                }
            });
        }
        Self { design, drivers }
    }

    /// The clock at the top behind a clock port of a block.
    fn root(&self, mut clock: AtomId) -> AtomId {
        while self.design.block_of(clock) != 0 {
            let Some(driver) = self.drivers.get(&clock).and_then(BTreeSet::first) else { break };
            clock = *driver;
        }
        clock
    }

    /// The registers whose values reach a net within one clock.
    fn origins(&self, net: AtomId) -> BTreeSet<AtomId> {
        let (mut origins, mut seen, mut stack) = (BTreeSet::new(), BTreeSet::new(), vec![net]);
        while let Some(net) = stack.pop() {
            if !seen.insert(net) {
                continue;
            }
            if self.design.net(net).register().is_some() {
                origins.insert(net);
            } else if let Some(drivers) = self.drivers.get(&net) {
                stack.extend(drivers);
            }
        }
        origins
    }
}
