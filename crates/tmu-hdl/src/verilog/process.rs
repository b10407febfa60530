//! From the statements of a kernel to processes: what becomes an `assign`, an `always @(*)`, an
//! `always @(posedge clk)` or the connection of a sub-block, and in which order.

use super::fault::{Fault, is_planted};
use crate::dependencies::{Dependencies, reaches};
use crate::design::{BlockDesign, Design, NetKind, for_each_drive};
use crate::record::{AtomId, Body, NodeId, Statement};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// One process, with the nets that it drives.
#[derive(Debug)]
pub(crate) enum Process {
    /// A continuous assignment.
    Assign {
        /// The wire or port.
        target: AtomId,
        /// The value.
        value: NodeId,
    },
    /// Wires that depend on conditions together.
    Combinational {
        /// The wires.
        targets: BTreeSet<AtomId>,
    },
    /// Registers of one clock, one reset and one section.
    Clocked {
        /// The registers.
        targets: BTreeSet<AtomId>,
        /// Their clock.
        clock: AtomId,
        /// Their reset, for registers with a reset value.
        reset: Option<AtomId>,
    },
    /// A sub-block.
    Instance {
        /// Its place in the design.
        block: usize,
    },
    /// Deliberately unused bits.
    Discard {
        /// The unused value.
        value: NodeId,
        /// Why.
        reason: String,
    },
    /// A comment that stands alone.
    Comment(String),
    /// The beginning of a stage.
    Banner(String),
}

/// The plan of a module.
pub(crate) struct Plan {
    /// In printing order.
    pub(crate) processes: Vec<Process>,
    /// Inputs of sub-blocks that are connected to an expression directly.
    pub(crate) connections: FxHashMap<AtomId, NodeId>,
    /// Every net that the kernel drives.
    pub(crate) driven: BTreeSet<AtomId>,
    /// Every net that the kernel reads, as far as what is read is used.
    pub(crate) read: BTreeSet<AtomId>,
    /// Comments that stand before a process, by their position among the statements.
    placed_comments: BTreeSet<usize>,
}

/// Orders the work of a kernel by where the source first mentions it; `dependencies` are those of the whole design.
pub(crate) fn plan(design: &Design, index: usize, dependencies: &Dependencies) -> Plan {
    let block = &design.blocks[index];
    let statements = &block.body.statements;
    let groups = wire_groups(design, block, dependencies);
    let mut planner = Planner {
        design,
        index,
        section: 0,
        clocked: BTreeMap::new(),
        plan: Plan {
            processes: vec![],
            connections: FxHashMap::default(),
            driven: BTreeSet::new(),
            read: read_nets(block),
            placed_comments: BTreeSet::new(),
        },
    };
    let mut comment = None;
    for (i, statement) in statements.iter().enumerate() {
        let text = comment.take();
        match statement {
            Statement::Banner(text) => {
                planner.section += 1;
                planner.plan.processes.push(Process::Banner(text.clone()));
            }
            Statement::Comment(text) => comment = Some(text),
            // They stand at the end of the module.
            Statement::Property(_) => {}
            Statement::Discard { .. } | Statement::Drive { .. } | Statement::If { .. } => {
                if planner.commented(text, statement, &groups) {
                    planner.plan.placed_comments.insert(i - 1);
                }
            }
        }
    }
    for &child in &block.children {
        planner.instance(child);
    }
    planner.plan
}

struct Planner<'a> {
    design: &'a Design,
    index: usize,
    section: usize,
    /// Position of the clocked process of a section, a clock and a reset.
    clocked: BTreeMap<(usize, AtomId, Option<AtomId>), usize>,
    plan: Plan,
}

impl Planner<'_> {
    /// Plans a statement under its comment. False where the comment has no process to stand before, since the
    /// statement only adds to those that are there.
    fn commented(
        &mut self,
        text: Option<&String>,
        statement: &Statement,
        groups: &FxHashMap<AtomId, BTreeSet<AtomId>>,
    ) -> bool {
        self.plan.processes.extend(text.map(|text| Process::Comment(text.clone())));
        let before = (self.plan.processes.len(), self.plan.connections.len());
        match statement {
            Statement::Discard { value, reason } => {
                self.plan.processes.push(Process::Discard { value: *value, reason: reason.clone() });
            }
            _ => self.drive(statement, groups),
        }
        let placed = before != (self.plan.processes.len(), self.plan.connections.len());
        if text.is_some() && !placed {
            self.plan.processes.pop();
        }
        text.is_some() && placed
    }

    fn drive(&mut self, statement: &Statement, groups: &FxHashMap<AtomId, BTreeSet<AtomId>>) {
        let mut targets = vec![];
        for_each_drive(std::slice::from_ref(statement), &mut |site| targets.push((site.target, site.value)));
        for (target, value) in targets {
            if !self.plan.driven.insert(target) {
                continue;
            }
            let owner = self.design.block_of(target);
            if let NetKind::Register(register) = self.design.net(target).kind {
                self.register(target, register.clock, register.reset);
            } else if let Some(group) = groups.get(&target) {
                self.plan.driven.extend(group);
                self.plan.processes.push(Process::Combinational { targets: group.clone() });
            } else if owner == self.index || self.plan.read.contains(&target) {
                self.plan.processes.push(Process::Assign { target, value });
            } else {
                self.plan.connections.insert(target, value);
            }
            if owner != self.index && self.last_input_planned(owner) {
                self.instance(owner);
            }
        }
    }

    fn register(&mut self, target: AtomId, clock: AtomId, reset: Option<AtomId>) {
        let key = (self.section, clock, reset.filter(|_| !is_planted(Fault::MergedReset)));
        let next = self.plan.processes.len();
        let position = *self.clocked.entry(key).or_insert(next);
        if position == next {
            self.plan.processes.push(Process::Clocked { targets: BTreeSet::new(), clock, reset });
        }
        if let Process::Clocked { targets, .. } = &mut self.plan.processes[position] {
            targets.insert(target);
        }
    }

    /// An instance stands where its last input is known, so that it reads after what it needs.
    fn last_input_planned(&self, child: usize) -> bool {
        let mut inputs = self.design.blocks[child].nets.iter().filter(|n| n.kind == NetKind::Input);
        inputs.all(|n| self.plan.driven.contains(&n.id))
    }

    fn instance(&mut self, child: usize) {
        let done =
            self.plan.processes.iter().any(|p| matches!(p, Process::Instance { block } if *block == child));
        if !done {
            self.plan.processes.push(Process::Instance { block: child });
        }
    }
}

/// All expressions that statements use.
pub(crate) fn roots(statements: &[Statement]) -> Vec<NodeId> {
    let mut out = vec![];
    for statement in statements {
        match statement {
            Statement::Drive { value, .. } | Statement::Discard { value, .. } => out.push(*value),
            Statement::If { condition, then, otherwise } => {
                out.push(*condition);
                out.extend(roots(then));
                out.extend(roots(otherwise));
            }
            Statement::Property(property) => out.push(property.condition),
            Statement::Comment(_) | Statement::Banner(_) => {}
        }
    }
    out
}

fn read_nets(block: &BlockDesign) -> BTreeSet<AtomId> {
    let mut read = BTreeSet::new();
    for root in roots(&block.body.statements) {
        block.body.for_each_net(root, &mut |net| {
            read.insert(net);
        });
    }
    read
}

/// Wires that need a process, each with the wires that share it.
///
/// A wire with one unconditional drive needs none. Wires under one `if` share a process, unless one of them
/// depends on another, be it through other wires or a sub-block: a process must not read what follows from what it
/// drives, since it may not see the change.
fn wire_groups(
    design: &Design,
    block: &BlockDesign,
    dependencies: &Dependencies,
) -> FxHashMap<AtomId, BTreeSet<AtomId>> {
    let is_wire = |net: AtomId| design.net(net).register().is_none();
    let mut conditional: BTreeSet<AtomId> = BTreeSet::new();
    for_each_drive(&block.body.statements, &mut |site| {
        if !site.conditions.is_empty() && is_wire(site.target) {
            conditional.insert(site.target);
        }
    });
    let mut group_of: BTreeMap<AtomId, usize> =
        conditional.iter().enumerate().map(|(i, &n)| (n, i)).collect();
    for statement in &block.body.statements {
        let mut together: Vec<usize> = vec![];
        for_each_drive(std::slice::from_ref(statement), &mut |site| {
            together.extend(group_of.get(&site.target))
        });
        if let Some(&first) = together.first() {
            group_of.values_mut().filter(|g| together.contains(g)).for_each(|g| *g = first);
        }
    }
    let mut members: BTreeMap<usize, BTreeSet<AtomId>> = BTreeMap::new();
    for (&net, &group) in &group_of {
        members.entry(group).or_default().insert(net);
    }
    let mut out = FxHashMap::default();
    for group in members.values() {
        // A wire alone would be a loop, which is refused.
        let apart =
            group.len() > 1 && reaches(dependencies, group.iter().copied(), |net| group.contains(&net));
        for &net in group {
            out.insert(net, if apart { BTreeSet::from([net]) } else { group.clone() });
        }
    }
    out
}

/// The part of the kernel's statements that drives `targets`.
pub(crate) fn project(body: &Body, plan: &Plan, targets: &BTreeSet<AtomId>) -> Vec<Statement> {
    part(&body.statements, &plan.placed_comments, targets)
}

/// Comments stay where something follows them, but for those that are `placed` elsewhere.
fn part(statements: &[Statement], placed: &BTreeSet<usize>, targets: &BTreeSet<AtomId>) -> Vec<Statement> {
    let mut out: Vec<Statement> = vec![];
    let mut comment = None;
    for (i, statement) in statements.iter().enumerate() {
        let kept = match statement {
            Statement::Drive { target, .. } if targets.contains(target) => Some(statement.clone()),
            Statement::If { condition, then, otherwise } => {
                let inside = |side: &[Statement]| part(side, &BTreeSet::new(), targets);
                let (then, otherwise) = (inside(then), inside(otherwise));
                let any = !(then.is_empty() && otherwise.is_empty());
                any.then_some(Statement::If { condition: *condition, then, otherwise })
            }
            Statement::Comment(_) => {
                comment = (!placed.contains(&i)).then(|| statement.clone());
                continue;
            }
            _ => None,
        };
        let comment = comment.take();
        if let Some(kept) = kept {
            out.extend(comment);
            out.push(kept);
        }
    }
    out
}
