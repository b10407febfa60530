//! Loops bit by bit: a net may depend on itself as long as no bit does.
//!
//! The search goes through the bits of nets and of expressions. It costs as much as the expressions have bits, and runs
//! only on nets that form a loop as wholes, of which an ordinary design has none.

use crate::design::{Design, for_each_drive};
use crate::op::Op;
use crate::record::{AtomId, Node, NodeId, NodeKind};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// A bit of a net, or of an expression of a block.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Bit {
    Net(AtomId, usize),
    Node(usize, NodeId, usize),
}

/// The loops among `nets`, as lists of nets from users to sources.
pub(super) fn loops(design: &Design, nets: &BTreeSet<AtomId>) -> Vec<Vec<AtomId>> {
    let search = Search::new(design, nets);
    let mut state: FxHashMap<Bit, bool> = FxHashMap::default();
    let mut found: Vec<Vec<AtomId>> = vec![];
    for &net in nets {
        for bit in 0..design.net(net).width {
            if let Some(path) = search.find(Bit::Net(net, bit), &mut state) {
                let mut nets: Vec<AtomId> = vec![];
                let on_path = path.iter().filter_map(|bit| match bit {
                    Bit::Net(net, _) => Some(*net),
                    Bit::Node(..) => None,
                });
                nets.extend(on_path);
                nets.dedup();
                if nets.len() > 1 && nets.first() == nets.last() {
                    nets.pop();
                }
                // The bits of one loop of vectors are one mistake.
                let members: BTreeSet<AtomId> = nets.iter().copied().collect();
                if !found.iter().any(|known| known.iter().copied().collect::<BTreeSet<_>>() == members) {
                    found.push(nets);
                }
            }
        }
    }
    found
}

struct Search<'a> {
    design: &'a Design,
    nets: &'a BTreeSet<AtomId>,
    /// Block and expressions that each net is driven with or under.
    drives: BTreeMap<AtomId, Vec<(usize, NodeId, bool)>>,
    /// Inputs with a path to an output inside a primitive.
    paths: BTreeMap<AtomId, Vec<AtomId>>,
}

impl<'a> Search<'a> {
    fn new(design: &'a Design, nets: &'a BTreeSet<AtomId>) -> Search<'a> {
        let mut drives: BTreeMap<AtomId, Vec<(usize, NodeId, bool)>> = BTreeMap::new();
        let mut paths: BTreeMap<AtomId, Vec<AtomId>> = BTreeMap::new();
        for (index, block) in design.blocks.iter().enumerate() {
            for_each_drive(&block.body.statements, &mut |site| {
                if nets.contains(&site.target) {
                    let from = drives.entry(site.target).or_default();
                    from.extend(site.conditions.iter().map(|&condition| (index, condition, true)));
                    from.push((index, site.value, false));
                }
            });
            for (input, output) in block.body.primitive.iter().flat_map(|p| &p.paths) {
                if let (Some(input), Some(output)) = (block.port(input), block.port(output)) {
                    paths.entry(output.id).or_default().push(input.id);
                }
            }
        }
        Search { design, nets, drives, paths }
    }

    /// Depth first from `start`; `state` holds `false` for bits on the path and `true` for finished ones.
    fn find(&self, start: Bit, state: &mut FxHashMap<Bit, bool>) -> Option<Vec<Bit>> {
        if state.contains_key(&start) {
            return None;
        }
        let mut path = vec![(start, self.sources(start).into_iter())];
        state.insert(start, false);
        while let Some((bit, sources)) = path.last_mut() {
            let Some(from) = sources.next() else {
                state.insert(*bit, true);
                path.pop();
                continue;
            };
            match state.get(&from) {
                None => {
                    state.insert(from, false);
                    path.push((from, self.sources(from).into_iter()));
                }
                Some(false) => {
                    let bits: Vec<Bit> = path.iter().map(|p| p.0).collect();
                    bits.iter().for_each(|&bit| {
                        state.insert(bit, true);
                    });
                    let begin = bits.iter().position(|&bit| bit == from).unwrap_or(0);
                    return Some(bits[begin..].to_vec());
                }
                Some(true) => {}
            }
        }
        None
    }

    fn sources(&self, bit: Bit) -> Vec<Bit> {
        match bit {
            Bit::Net(net, bit) => {
                let drives = self.drives.get(&net).into_iter().flatten();
                let expressions = drives.map(|&(block, node, is_condition)| {
                    Bit::Node(block, node, if is_condition { 0 } else { bit })
                });
                let inputs = self.paths.get(&net).into_iter().flatten().filter(|n| self.nets.contains(n));
                let inputs = inputs.flat_map(|&n| (0..self.design.net(n).width).map(move |i| Bit::Net(n, i)));
                expressions.chain(inputs).collect()
            }
            Bit::Node(block, node, bit) => match &self.node(block, node).kind {
                NodeKind::Literal(_) => vec![],
                NodeKind::Net(net) if self.nets.contains(net) => vec![Bit::Net(*net, bit)],
                NodeKind::Net(_) => vec![],
                NodeKind::Op(op, args) => self.operands(block, *op, args, bit),
            },
        }
    }

    fn node(&self, block: usize, node: NodeId) -> &'a Node {
        self.design.blocks[block].body.node(node)
    }

    /// The bits of the operands that bit `bit` of the result depends on.
    fn operands(&self, block: usize, op: Op, args: &[NodeId], bit: usize) -> Vec<Bit> {
        let widths: Vec<usize> = args.iter().map(|&arg| self.node(block, arg).width).collect();
        let amount = args.get(1).and_then(|&amount| match &self.node(block, amount).kind {
            NodeKind::Literal(value) => Some(*value),
            _ => None,
        });
        let of = |(operand, bit): (usize, usize)| Bit::Node(block, args[operand], bit);
        op.operand_bits(&widths, amount, bit).into_iter().map(of).collect()
    }
}
