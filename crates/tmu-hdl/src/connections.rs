//! Who gives data to whom among the blocks inside a block: the arrows of a drawing of it.
//!
//! Contract: [`connections`] follows what was recorded, from each input of a sub-block, and each output of the block itself,
//! back through the wires and registers of the block to outputs of sub-blocks and to inputs of the block itself. Only values
//! count, not conditions, and nets with few bits do not, which are handshakes and flags; so do clocks and resets not.

use crate::check::clock_crossing::clocked_ports;
use crate::design::{Design, NetDesign, NetKind, for_each_drive};
use crate::record::{AtomId, NodeId};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// An end of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum End {
    /// The block itself: one of its ports.
    Outside,
    /// A sub-block, by its position in the design.
    Block(usize),
}

/// What goes from one end to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connection {
    /// Where it comes from.
    pub from: End,
    /// Where it goes.
    pub to: End,
    /// Names of the ports that it comes from: outputs of a sub-block, or inputs of the block itself.
    pub from_ports: BTreeSet<String>,
    /// Names of the ports that it goes to: inputs of a sub-block, or outputs of the block itself.
    pub to_ports: BTreeSet<String>,
    /// Bits of the ports that it goes to.
    pub width_bits: usize,
}

/// The connections inside a block by nets of at least so many bits, by where they come from and go to.
#[must_use]
pub fn connections(design: &Design, block: usize, least_bits: usize) -> Vec<Connection> {
    let inside = Inside::new(design, block, least_bits);
    let mut found: BTreeMap<(End, End), Connection> = BTreeMap::new();
    for &target in inside.drives.keys() {
        let Some(to) = inside.sink(target) else { continue };
        let mut sources = BTreeSet::new();
        inside.sources(target, &mut BTreeSet::new(), &mut sources);
        let net = design.net(target);
        let from: BTreeSet<End> = sources.iter().map(|(end, _)| *end).filter(|end| *end != to).collect();
        for from in from {
            let new = || Connection {
                from,
                to,
                from_ports: BTreeSet::new(),
                to_ports: BTreeSet::new(),
                width_bits: 0,
            };
            let connection = found.entry((from, to)).or_insert_with(new);
            connection.width_bits += net.width;
            connection.to_ports.insert(net.name.clone());
            let of_end = sources.iter().filter(|(end, _)| *end == from);
            connection.from_ports.extend(of_end.map(|(_, name)| name.clone()));
        }
    }
    found.into_values().collect()
}

/// What the kernel of a block drives.
struct Inside<'d> {
    design: &'d Design,
    block: usize,
    least_bits: usize,
    timing: BTreeSet<AtomId>,
    /// For each net, the values that drive it.
    drives: FxHashMap<AtomId, Vec<NodeId>>,
}

impl<'d> Inside<'d> {
    fn new(design: &'d Design, block: usize, least_bits: usize) -> Inside<'d> {
        let mut drives: FxHashMap<AtomId, Vec<NodeId>> = FxHashMap::default();
        for_each_drive(&design.blocks[block].body.statements, &mut |site| {
            drives.entry(site.target).or_default().push(site.value);
        });
        Inside { design, block, least_bits, timing: timing(design), drives }
    }

    /// Where a driven net leads out of the kernel.
    fn sink(&self, id: AtomId) -> Option<End> {
        let (owner, net) = (self.design.block_of(id), self.design.net(id));
        if self.timing.contains(&id) || net.width < self.least_bits {
            return None;
        }
        match net.kind {
            NetKind::Input if owner != self.block => Some(End::Block(owner)),
            NetKind::Output if owner == self.block => Some(End::Outside),
            _ => None,
        }
    }

    /// Adds the ports that the values of a net come from.
    fn sources(&self, net: AtomId, seen: &mut BTreeSet<AtomId>, found: &mut BTreeSet<(End, String)>) {
        for root in self.drives.get(&net).into_iter().flatten() {
            self.design.blocks[self.block].body.for_each_net(*root, &mut |id| {
                let (owner, read) = (self.design.block_of(id), self.design.net(id));
                if read.width < self.least_bits {
                    return;
                }
                if owner != self.block {
                    found.insert((End::Block(owner), read.name.clone()));
                } else if read.kind == NetKind::Input {
                    found.insert((End::Outside, read.name.clone()));
                } else if seen.insert(id) {
                    self.sources(id, seen, found);
                }
            });
        }
    }
}

/// Clocks and resets of all registers, and what they are made of.
fn timing(design: &Design) -> BTreeSet<AtomId> {
    let mut timing = BTreeSet::new();
    // Children stand behind their parents, so that this meets what drives a clock after those whose clock it is.
    for block in design.blocks.iter().rev() {
        for register in block.nets.iter().filter_map(NetDesign::register) {
            timing.extend([Some(register.clock), register.reset].into_iter().flatten());
        }
        timing.extend(clocked_ports(block, NetKind::Input).into_iter().map(|(_, clock)| clock));
        let mut has_grown = true;
        while std::mem::take(&mut has_grown) {
            for_each_drive(&block.body.statements, &mut |site| {
                if timing.contains(&site.target) && design.net(site.target).register().is_none() {
                    block.body.for_each_net(site.value, &mut |net| has_grown |= timing.insert(net));
                }
            });
        }
    }
    timing
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elaborate::elaborate;
    use crate::prelude::*;

    /// Passes a word on a clock later.
    #[derive(LogicBlock)]
    struct Stage {
        clocks: Clocks,
        word_in: Net<In>,
        word_out: Net<Out>,
        is_first: Net<In>,
        word: Reg,
    }

    impl Stage {
        fn new() -> Stage {
            let clocks = Clocks::new();
            Stage {
                word: Reg::with_reset(&clocks, 12, 0),
                word_in: Net::new(12),
                word_out: Net::new(12),
                is_first: Net::bit(),
                clocks,
            }
        }
    }

    #[kernel]
    impl Stage {
        fn logic(&self) {
            if self.is_first.val() {
                self.word.next = self.word_in.val();
            }
            self.word_out.next = self.word.val();
        }
    }

    /// Two stages, by way of a wire and of a register.
    #[derive(LogicBlock)]
    struct Chain {
        clocks: Clocks,
        given: Net<In>,
        taken: Net<Out>,
        between: Net<Local>,
        kept: Reg,
        stages: Vec<Stage>,
    }

    impl Chain {
        fn new() -> Chain {
            let clocks = Clocks::new();
            Chain {
                kept: Reg::with_reset(&clocks, 12, 0),
                given: Net::new(12),
                taken: Net::new(12),
                between: Net::new(12),
                stages: vec![Stage::new(), Stage::new()],
                clocks,
            }
        }
    }

    #[kernel]
    impl Chain {
        fn logic(&self) {
            for stage in &self.stages {
                stage.clocks.follow(&self.clocks);
            }
            self.stages[0].word_in.next = self.given.val();
            self.stages[0].is_first.next = self.stages[1].word_out.val().bit(0);
            self.kept.next = self.stages[0].word_out.val();
            self.between.next = self.kept.val() + 1;
            self.stages[1].word_in.next = self.between.val();
            self.stages[1].is_first.next = 1;
            self.taken.next = self.stages[1].word_out.val();
        }
    }

    /// Ends by name, and bits.
    fn found(least_bits: usize) -> Vec<String> {
        let design = elaborate("chain", &Chain::new()).unwrap();
        let end = |end: &End| match end {
            End::Outside => "outside",
            End::Block(block) => &design.blocks[*block].name,
        };
        let all = connections(&design, 0, least_bits);
        let ports = |ports: &BTreeSet<String>| ports.iter().cloned().collect::<Vec<_>>().join(" ");
        let shown = |c: &Connection| {
            let (from, to) = (end(&c.from), end(&c.to));
            format!("{from}.{} {to}.{} {}", ports(&c.from_ports), ports(&c.to_ports), c.width_bits)
        };
        all.iter().map(shown).collect()
    }

    #[test]
    fn words_are_followed_through_wires_and_registers() {
        let words = [
            "outside.given stages_0.word_in 12",
            "stages_0.word_out stages_1.word_in 12",
            "stages_1.word_out outside.taken 12",
        ];
        assert_eq!(found(12), words);
        // What is too narrow is none: the flag that comes back, and no clock at any width.
        let all = [words[0], words[1], words[2], "stages_1.word_out stages_0.is_first 1"];
        assert_eq!(found(1), all);
        assert!(found(13).is_empty());
    }
}
