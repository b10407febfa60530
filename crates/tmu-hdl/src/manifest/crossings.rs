//! Where data changes clocks: the clock of either side and the registers at both ends.
//!
//! Found in the elaborated design, so that none can be forgotten: the design checks refuse data that changes clocks
//! outside a primitive which declares it.

use super::instance_path;
use crate::check::clock_crossing::Clocks;
use crate::crossing::CrossingRule;
use crate::dependencies::{Dependencies, dependencies};
use crate::design::Design;
use crate::diagnostic::RuleCode;
use crate::primitive::{CrossingKind, ResourceKind};
use crate::record::AtomId;
use crate::verilog::Modules;
use serde::Serialize;
use std::collections::BTreeSet;

/// A clock crossing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Crossing {
    /// Instance path of the primitive.
    pub instance: String,
    /// How the data crosses.
    pub kind: CrossingKind,
    /// Clock port of the top that the data comes from; empty for what is caught without a clock.
    pub from_clock: String,
    /// Clock port of the top that it goes to.
    pub to_clock: String,
    /// Registers that it comes from, with their instance paths. A memory's own cells are not named.
    pub from_registers: Vec<String>,
    /// The first register behind the crossing, with its instance path.
    pub to_register: String,
    /// Bits that cross.
    pub width_bits: usize,
}

/// What a module declares about a crossing, with its reason: what the check of crossings believes without having seen it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CrossingDeclaration {
    /// The module whose source says so.
    pub module: String,
    /// The net, as the module sees it.
    pub net: String,
    /// The rule that it satisfies or sets aside, by its code.
    pub rule: String,
    /// Why that is safe.
    pub reason: String,
    /// Instance paths of the module; the top's own is empty.
    pub instances: Vec<String>,
}

/// All declarations with a reason, each once for each module, in the order of the blocks.
pub(super) fn declarations(design: &Design, modules: &Modules) -> Vec<CrossingDeclaration> {
    let mut found: Vec<CrossingDeclaration> = vec![];
    for (index, block) in design.blocks.iter().enumerate() {
        let waivers = block.body.crossing_waivers.iter().map(|w| (w.net, w.rule, &w.reason));
        let codes = block.nets.iter().filter_map(|net| {
            let reason = net.declared.one_bit_at_a_time.as_ref()?;
            Some((net.id, CrossingRule::UnsteadyBus, reason))
        });
        for (net, rule, reason) in waivers.chain(codes) {
            let (module, net) = (modules.module_of[&index].clone(), design.name_in(index, net));
            let (rule, reason) = (rule.code().to_owned(), reason.clone());
            let instance = instance_path(design, modules, index);
            let known = found.iter_mut().find(|d| d.module == module && d.net == net && d.rule == rule);
            match known {
                Some(known) => known.instances.push(instance),
                None => {
                    found.push(CrossingDeclaration { module, net, rule, reason, instances: vec![instance] });
                }
            }
        }
    }
    found
}

/// All crossings of a design, in the order of its blocks.
pub(super) fn crossings(design: &Design, modules: &Modules) -> Vec<Crossing> {
    let clocks = Clocks::new(design);
    let graph = dependencies(design);
    let mut found = vec![];
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
        let origins = registers_behind(design, &graph, from.id);
        let is_memory = declared.kind == CrossingKind::StableData;
        // What a memory gives belongs to its write clock, wherever the words were made.
        let write_clock = primitive.clocked.iter().find(|(port, _)| *port == declared.from);
        let write_clock = write_clock.and_then(|(_, clock)| block.port(clock)).map(|net| net.id);
        let from_clock = write_clock
            .or_else(|| origins.iter().find_map(|&net| Some(design.net(net).register()?.clock)))
            // An input of the top that is declared to belong to a clock.
            .or_else(|| clocks.origins(from.id).map(|(clock, _)| clock).next());
        let clock_name = |clock: AtomId| design.net(clocks.root(clock)).name.clone();
        let register = |&id: &AtomId| {
            format!("{}/{}", instance_path(design, modules, design.block_of(id)), design.net(id).name)
        };
        found.push(Crossing {
            kind: declared.kind,
            from_clock: from_clock.map(clock_name).unwrap_or_default(),
            to_clock: clock_name(to_clock.id),
            from_registers: if is_memory { vec![] } else { origins.iter().map(register).collect() },
            to_register: format!("{instance}/{}", declared.first_register),
            width_bits: declared.width,
            instance,
        });
    }
    found
}

/// The registers whose values reach a net within one clock.
fn registers_behind(design: &Design, graph: &Dependencies, net: AtomId) -> BTreeSet<AtomId> {
    let (mut registers, mut seen, mut stack) = (BTreeSet::new(), BTreeSet::new(), vec![net]);
    while let Some(net) = stack.pop() {
        if design.net(net).register().is_some() {
            registers.insert(net);
        } else if seen.insert(net) {
            stack.extend(graph.get(&net).into_iter().flatten());
        }
    }
    registers
}
