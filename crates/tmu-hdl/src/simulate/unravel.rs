//! Nets that depend on themselves, though none of their bits does, are computed bit by bit.
//!
//! The design checks let a carry ripple through the bits of one net. Evaluation goes node by node, so each node of
//! such a knot is taken apart: its bit is the operator applied to operands of which only those bits are real that the
//! bit depends on. That costs one operation for each bit, and an ordinary design has no knot.

use super::graph::{Graph, GraphNode, Kind, NodeIndex};
use crate::op::Op;
use crate::value::Value;
use rustc_hash::FxHashMap;

/// Takes all knots of a graph apart.
pub(super) fn unravel(graph: &mut Graph) {
    let knot = knot(graph);
    if knot.is_empty() {
        return;
    }
    let zero = graph.push(Kind::Constant(Value::zero(1)), 1);
    let mut bits: FxHashMap<NodeIndex, Vec<NodeIndex>> = FxHashMap::default();
    for &node in &knot {
        let of_node = (0..graph.nodes[node].width).map(|_| graph.push(Kind::Constant(Value::zero(1)), 1));
        bits.insert(node, of_node.collect());
    }
    for &node in &knot {
        let GraphNode { kind, width } = graph.nodes[node].clone();
        for bit in 0..width {
            let needed = needed(graph, &kind, bit);
            let mut masked = |operand: usize, from: NodeIndex| {
                let from = graph.resolve(from);
                let Some(of_operand) = bits.get(&from) else { return from };
                let real = |&(b, at): &(usize, NodeIndex)| needed.contains(&(operand, b)).then_some(at);
                let parts: Vec<NodeIndex> =
                    of_operand.iter().copied().enumerate().rev().map(|p| real(&p).unwrap_or(zero)).collect();
                graph.push(Kind::Operation(Op::Concat, parts), of_operand.len())
            };
            let whole = match &kind {
                Kind::Operation(op, args) => {
                    Kind::Operation(*op, args.iter().enumerate().map(|(i, &arg)| masked(i, arg)).collect())
                }
                Kind::Read { memory, address } => {
                    Kind::Read { memory: *memory, address: masked(0, *address) }
                }
                other => other.clone(),
            };
            let whole = graph.push(whole, width);
            graph.nodes[bits[&node][bit]].kind =
                Kind::Operation(Op::Slice { lo: bit, width: 1 }, vec![whole]);
        }
    }
    for (node, bits) in bits {
        graph.nodes[node].kind = Kind::Operation(Op::Concat, bits.into_iter().rev().collect());
    }
}

/// The bits of the operands that a bit of the result depends on.
fn needed(graph: &Graph, kind: &Kind, bit: usize) -> Vec<(usize, usize)> {
    let width = |node: NodeIndex| graph.nodes[graph.resolve(node)].width;
    match kind {
        Kind::Operation(op, args) => {
            let widths: Vec<usize> = args.iter().map(|&arg| width(arg)).collect();
            let amount = args.get(1).and_then(|&amount| match graph.nodes[graph.resolve(amount)].kind {
                Kind::Constant(value) => Some(value),
                _ => None,
            });
            op.operand_bits(&widths, amount, bit)
        }
        Kind::Read { address, .. } => (0..width(*address)).map(|bit| (0, bit)).collect(),
        _ => vec![],
    }
}

/// What a node is computed from.
fn operands(graph: &Graph, node: NodeIndex) -> Vec<NodeIndex> {
    match &graph.nodes[node].kind {
        Kind::Operation(_, args) => args.iter().map(|&arg| graph.resolve(arg)).collect(),
        Kind::Read { address, .. } => vec![graph.resolve(*address)],
        Kind::Constant(_) | Kind::Input | Kind::Register(_) | Kind::Net(_) => vec![],
    }
}

/// The nodes on loops and between them, in their order.
fn knot(graph: &Graph) -> Vec<NodeIndex> {
    let mut users: Vec<Vec<NodeIndex>> = vec![vec![]; graph.nodes.len()];
    let sources: Vec<Vec<NodeIndex>> = (0..graph.nodes.len()).map(|node| operands(graph, node)).collect();
    for (node, sources) in sources.iter().enumerate() {
        sources.iter().for_each(|&source| users[source].push(node));
    }
    let behind = tied(&sources, &users);
    let before = tied(&users, &sources);
    (0..graph.nodes.len()).filter(|&node| behind[node] && before[node]).collect()
}

/// What is left when nodes without anything in front of them are taken away again and again.
fn tied(sources: &[Vec<NodeIndex>], users: &[Vec<NodeIndex>]) -> Vec<bool> {
    let mut waiting: Vec<usize> = sources.iter().map(Vec::len).collect();
    let mut free: Vec<NodeIndex> = (0..sources.len()).filter(|&node| waiting[node] == 0).collect();
    let mut tied = vec![true; sources.len()];
    while let Some(node) = free.pop() {
        tied[node] = false;
        for &user in &users[node] {
            waiting[user] -= 1;
            if waiting[user] == 0 {
                free.push(user);
            }
        }
    }
    tied
}
