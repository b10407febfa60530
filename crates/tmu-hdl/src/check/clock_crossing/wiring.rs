//! What stands behind a net when only wires are followed: selections and concatenations are wires, all else is logic.

use crate::design::{Design, NetKind, for_each_drive};
use crate::op::Op;
use crate::record::{AtomId, NodeId, NodeKind};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Where wires end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum End {
    /// At a register.
    Register(AtomId),
    /// At the registered output of a primitive.
    Port(AtomId),
    /// At an input of the top.
    Input(AtomId),
    /// At logic that drives this net.
    Logic(AtomId),
}

#[derive(Clone, Copy)]
enum Drive {
    /// Driven once and on no condition, in this block.
    Plain(usize, NodeId),
    Otherwise,
}

/// How every net of a design is driven.
pub(super) struct Wiring<'a> {
    design: &'a Design,
    drives: FxHashMap<AtomId, Drive>,
}

impl<'a> Wiring<'a> {
    pub(super) fn new(design: &'a Design) -> Wiring<'a> {
        let mut drives = FxHashMap::default();
        for (index, block) in design.blocks.iter().enumerate() {
            for_each_drive(&block.body.statements, &mut |site| {
                let again = drives.contains_key(&site.target);
                let plain = site.conditions.is_empty() && !again;
                let drive = if plain { Drive::Plain(index, site.value) } else { Drive::Otherwise };
                drives.insert(site.target, drive);
            });
        }
        Wiring { design, drives }
    }

    /// The net behind each net that is driven with nothing but another net.
    pub(super) fn plain_drivers(&self) -> FxHashMap<AtomId, AtomId> {
        let driver = |(&target, drive): (&AtomId, &Drive)| match drive {
            Drive::Plain(block, value) => match self.design.blocks[*block].body.node(*value).kind {
                NodeKind::Net(net) => Some((target, net)),
                _ => None,
            },
            Drive::Otherwise => None,
        };
        // A register holds what it is driven with; it is not the same net.
        let wires = self.drives.iter().filter(|(target, _)| self.design.net(**target).register().is_none());
        wires.filter_map(driver).collect()
    }

    /// For each net the registers that do nothing but take it, or parts of it, at every edge.
    pub(super) fn copies(&self) -> FxHashMap<AtomId, Vec<AtomId>> {
        let mut copies: FxHashMap<AtomId, Vec<AtomId>> = FxHashMap::default();
        for block in &self.design.blocks {
            for register in block.nets.iter().filter(|net| net.register().is_some()) {
                let Some(Drive::Plain(block, value)) = self.drives.get(&register.id) else { continue };
                if let Some(nets) = self.wires_of(*block, *value) {
                    for net in nets {
                        copies.entry(net).or_default().push(register.id);
                    }
                }
            }
        }
        copies
    }

    /// The nets of an expression that is nothing but wires.
    fn wires_of(&self, block: usize, value: NodeId) -> Option<BTreeSet<AtomId>> {
        let body = &self.design.blocks[block].body;
        let (mut nets, mut stack) = (BTreeSet::new(), vec![value]);
        while let Some(id) = stack.pop() {
            match &body.node(id).kind {
                NodeKind::Literal(_) => {}
                NodeKind::Net(net) => {
                    nets.insert(*net);
                }
                NodeKind::Op(op, args) => match op {
                    Op::Slice { .. } | Op::Concat | Op::Repeat(_) | Op::ZeroExtend(_) | Op::SignExtend(_) => {
                        stack.extend(args);
                    }
                    _ => return None,
                },
            }
        }
        Some(nets)
    }

    /// Where the wires behind a net end; nowhere for a constant.
    pub(super) fn ends(&self, net: AtomId) -> BTreeSet<End> {
        let (mut ends, mut seen, mut stack) = (BTreeSet::new(), BTreeSet::new(), vec![net]);
        while let Some(net) = stack.pop() {
            if !seen.insert(net) {
                continue;
            }
            if self.design.net(net).register().is_some() {
                ends.insert(End::Register(net));
                continue;
            }
            match self.drives.get(&net) {
                Some(Drive::Plain(block, value)) => match self.wires_of(*block, *value) {
                    Some(nets) => stack.extend(nets),
                    None => {
                        ends.insert(End::Logic(net));
                    }
                },
                Some(Drive::Otherwise) => {
                    ends.insert(End::Logic(net));
                }
                None => ends.extend(self.end_without_drive(net)),
            }
        }
        ends
    }

    fn end_without_drive(&self, net: AtomId) -> Option<End> {
        let index = self.design.block_of(net);
        let block = &self.design.blocks[index];
        let (kind, name) = (&self.design.net(net).kind, &self.design.net(net).name);
        if index == 0 && *kind == NetKind::Input {
            return Some(End::Input(net));
        }
        let primitive = block.body.primitive.as_ref()?;
        let clocked = primitive.clocked.iter().any(|(port, _)| port == name);
        let passes = primitive.paths.iter().any(|(_, to)| to == name);
        Some(if clocked && !passes { End::Port(net) } else { End::Logic(net) })
    }
}
