//! The manifest: what was emitted, for machines.
//!
//! Made from the same design as the Verilog, so that constraints, reports and packaging need not read Verilog.
//! Instances are named by their path in the Verilog, `unit_0/request_fifo`. The order is fixed.

use crate::check::clock_crossing::{Clocks, clocked_ports};
use crate::check::combinational_loop::dependencies;
use crate::design::{BlockDesign, Design, NetDesign, NetKind, for_each_drive};
use crate::primitive::{CrossingKind, Resource, ResourceKind};
use crate::record::AtomId;
use crate::verilog::Modules;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Everything about a design that its users ask for.
#[derive(Debug, Clone, Serialize)]
pub struct Manifest {
    /// Name of the top module.
    pub top: String,
    /// Clock ports of the top.
    pub clocks: Vec<String>,
    /// Modules, the top first.
    pub modules: Vec<ModuleEntry>,
    /// Memories and multipliers, instance by instance.
    pub resources: Vec<ResourceEntry>,
    /// How many sites of each kind, by kind.
    pub totals: BTreeMap<String, usize>,
    /// Flip-flops that the design describes.
    pub register_bits: usize,
    /// Where data changes clocks.
    pub crossings: Vec<CrossingEntry>,
}

/// A module.
#[derive(Debug, Clone, Serialize)]
pub struct ModuleEntry {
    /// Its name.
    pub name: String,
    /// How often it stands in the design.
    pub instances: usize,
    /// Its ports in order.
    pub ports: Vec<PortEntry>,
    /// Flip-flops of the module itself.
    pub register_bits: usize,
    /// Clocks from an accepted input to its output, where it declares them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latency_clocks: Option<u32>,
    /// Clocks between two accepted inputs, where it declares them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initiation_interval_clocks: Option<u32>,
}

/// A port.
#[derive(Debug, Clone, Serialize)]
pub struct PortEntry {
    /// Its name.
    pub name: String,
    /// `input` or `output`.
    pub direction: &'static str,
    /// Width in bits.
    pub width: usize,
    /// The clock at the top that it belongs to; absent for clocks and for what no register takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<String>,
}

/// A memory or a multiplier.
#[derive(Debug, Clone, Serialize)]
pub struct ResourceEntry {
    /// Path of the instance.
    pub instance: String,
    /// Its module.
    pub module: String,
    /// Kind, depth in words, width in bits.
    #[serde(flatten)]
    pub resource: Resource,
}

/// A clock crossing.
#[derive(Debug, Clone, Serialize)]
pub struct CrossingEntry {
    /// Path of the instance in which the data crosses.
    pub instance: String,
    /// How it crosses.
    pub kind: CrossingKind,
    /// The clock that it comes from, at the top; absent for what is caught without a clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_clock: Option<String>,
    /// The clock that it goes to, at the top.
    pub to_clock: String,
    /// Bits that cross together.
    pub width: usize,
    /// Path of the register that they come from, where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_register: Option<String>,
    /// Path of the first register behind the crossing.
    pub first_register: String,
}

/// Describes an emitted design.
pub fn manifest(design: &Design, modules: &Modules) -> Manifest {
    let domains = Domains::new(design);
    let resources = resources(design, modules);
    let mut totals = BTreeMap::new();
    for entry in &resources {
        *totals.entry(kind_name(entry.resource.kind)).or_insert(0) += 1;
    }
    Manifest {
        top: design.blocks[0].name.clone(),
        clocks: domains.top_clocks(),
        modules: modules
            .modules
            .iter()
            .map(|module| module_entry(design, modules, &domains, module.block))
            .collect(),
        resources,
        totals,
        register_bits: design.blocks.iter().map(register_bits).sum(),
        crossings: crossings(design, &domains),
    }
}

fn kind_name(kind: ResourceKind) -> String {
    match kind {
        ResourceKind::BlockRam => "block_ram",
        ResourceKind::UltraRam => "ultra_ram",
        ResourceKind::DistributedRam => "distributed_ram",
        ResourceKind::Rom => "rom",
        ResourceKind::Multiplier => "multiplier",
    }
    .into()
}

fn register_bits(block: &BlockDesign) -> usize {
    block.nets.iter().filter(|net| net.register().is_some()).map(|net| net.width).sum()
}

/// `unit_0/cache`: the path without the top, as constraints spell it; empty for the top.
fn instance_path(block: &BlockDesign) -> String {
    block.path.split_once('.').map(|(_, rest)| rest.replace('.', "/")).unwrap_or_default()
}

fn module_entry(design: &Design, modules: &Modules, domains: &Domains<'_>, index: usize) -> ModuleEntry {
    let block = &design.blocks[index];
    let name = modules.module_of[&index].clone();
    let port = |net: &NetDesign| PortEntry {
        name: net.name.clone(),
        direction: if net.kind == NetKind::Input { "input" } else { "output" },
        width: net.width,
        clock: domains.clock_of(net.id),
    };
    ModuleEntry {
        instances: modules.module_of.values().filter(|module| **module == name).count(),
        ports: block.nets.iter().filter(|net| net.is_port()).map(port).collect(),
        register_bits: register_bits(block),
        latency_clocks: block.body.latency_clocks,
        initiation_interval_clocks: block.body.initiation_interval_clocks,
        name,
    }
}

fn resources(design: &Design, modules: &Modules) -> Vec<ResourceEntry> {
    let entry = |(index, block): (usize, &BlockDesign)| {
        let resource = block.body.primitive.as_ref()?.resource.clone()?;
        Some(ResourceEntry {
            instance: instance_path(block),
            module: modules.module_of[&index].clone(),
            resource,
        })
    };
    design.blocks.iter().enumerate().filter_map(entry).collect()
}

fn crossings(design: &Design, domains: &Domains<'_>) -> Vec<CrossingEntry> {
    let mut out = vec![];
    for block in &design.blocks {
        let Some(crossing) = block.body.primitive.as_ref().and_then(|p| p.crossing.as_ref()) else {
            continue;
        };
        let id = |name: &str| block.nets.iter().find(|net| net.name == name).map(|net| net.id);
        let (Some(from), Some(to_clock)) = (id(crossing.from), id(crossing.to_clock)) else { continue };
        let path = instance_path(block);
        let origin = domains.clocks.origins(from).next();
        let register = origin.map(|(_, &net)| design.net(net)).filter(|net| net.register().is_some());
        let owner = origin.map(|(_, &net)| instance_path(&design.blocks[design.block_of(net)]));
        out.push(CrossingEntry {
            kind: crossing.kind,
            from_clock: origin.map(|(clock, _)| domains.name(clock)),
            to_clock: domains.name(domains.clocks.root(to_clock)),
            width: crossing.width,
            from_register: register.zip(owner).map(|(net, owner)| join(&owner, &net.name)),
            first_register: join(&path, crossing.first_register),
            instance: path,
        });
    }
    out
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.into() } else { format!("{path}/{name}") }
}

/// The clock of each net: of the registers behind an output, of the registers that take an input.
struct Domains<'a> {
    design: &'a Design,
    clocks: Clocks<'a>,
    /// Clocks of the registers that take a net, at the top.
    takers: HashMap<AtomId, BTreeSet<AtomId>>,
    all: BTreeSet<AtomId>,
}

impl<'a> Domains<'a> {
    fn new(design: &'a Design) -> Domains<'a> {
        let mut domains =
            Domains { design, clocks: Clocks::new(design), takers: HashMap::new(), all: BTreeSet::new() };
        domains.begin();
        domains.spread();
        domains
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
            for (port, clock) in clocked_ports(block, NetKind::Input) {
                self.takers.entry(port).or_default().insert(self.clocks.root(clock));
            }
        }
    }

    /// Follows wires backwards until nothing changes.
    fn spread(&mut self) {
        let graph = dependencies(self.design);
        loop {
            let mut changed = false;
            for (target, from) in &graph {
                let Some(clocks) = self.takers.get(target).cloned() else { continue };
                for net in from {
                    let known = self.takers.entry(*net).or_default();
                    let before = known.len();
                    known.extend(&clocks);
                    changed |= known.len() > before;
                }
            }
            if !changed {
                return;
            }
        }
    }

    fn name(&self, clock: AtomId) -> String {
        self.design.net(clock).name.clone()
    }

    fn top_clocks(&self) -> Vec<String> {
        let nets = self.design.blocks[0].nets.iter();
        nets.filter(|net| self.all.contains(&net.id)).map(|net| net.name.clone()).collect()
    }

    /// The one clock that a net belongs to.
    fn clock_of(&self, net: AtomId) -> Option<String> {
        if self.all.contains(&self.clocks.root(net)) {
            return None;
        }
        let behind: BTreeSet<AtomId> = self.clocks.origins(net).map(|(clock, _)| clock).collect();
        let clocks = if behind.is_empty() { self.takers.get(&net)?.clone() } else { behind };
        match clocks.iter().collect::<Vec<_>>().as_slice() {
            [clock] => Some(self.name(**clock)),
            _ => None,
        }
    }
}
