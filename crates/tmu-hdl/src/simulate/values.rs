//! The values that a design computes, each once: wires resolved, constants folded, equal expressions joined.
//!
//! Values are numbered so that operands come before their users, which is the order of evaluation.

use super::graph::{Graph, Kind, NodeIndex};
use crate::op::Op;
use crate::value::Value;
use rustc_hash::FxHashMap;

/// Position of a value in [`Values`].
pub(super) type ValueId = u32;

/// How a value comes about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Origin {
    Constant(Value),
    Input,
    Register(usize),
    Read { memory: usize, address: ValueId },
    Operation(Op, Vec<ValueId>),
}

/// All values.
#[derive(Debug, Default)]
pub(super) struct Values {
    pub(super) origins: Vec<Origin>,
    pub(super) widths: Vec<usize>,
    known: FxHashMap<Origin, ValueId>,
    /// Value of each node that was asked for.
    of_node: Vec<Option<ValueId>>,
}

impl Values {
    /// The value of a node, with everything that it needs.
    pub(super) fn of(&mut self, graph: &Graph, root: NodeIndex) -> ValueId {
        self.of_node.resize(graph.nodes.len(), None);
        let root = graph.resolve(root);
        // Without recursion: expressions may be many thousand operators deep.
        let mut stack = vec![root];
        while let Some(&node) = stack.last() {
            if self.of_node[node].is_some() {
                stack.pop();
                continue;
            }
            let operands: Vec<NodeIndex> = match &graph.nodes[node].kind {
                Kind::Operation(_, args) => args.iter().map(|&arg| graph.resolve(arg)).collect(),
                Kind::Read { address, .. } => vec![graph.resolve(*address)],
                _ => vec![],
            };
            let before = stack.len();
            stack.extend(operands.iter().filter(|&&operand| self.of_node[operand].is_none()));
            if stack.len() > before {
                continue;
            }
            let ids: Vec<ValueId> = operands.iter().filter_map(|&operand| self.of_node[operand]).collect();
            let width = graph.nodes[node].width;
            let id = match &graph.nodes[node].kind {
                Kind::Constant(value) => self.constant(*value),
                Kind::Input => self.fresh(Origin::Input, width),
                Kind::Register(register) => self.fresh(Origin::Register(*register), width),
                Kind::Read { memory, .. } => {
                    self.joined(Origin::Read { memory: *memory, address: ids[0] }, width)
                }
                Kind::Operation(op, _) => self.operation(*op, ids, width),
                Kind::Net(_) => unreachable!("nets are resolved"),
            };
            self.of_node[node] = Some(id);
            stack.pop();
        }
        self.of_node[root].unwrap_or_default()
    }

    /// The value of a node that has been asked for before.
    pub(super) fn known(&self, graph: &Graph, node: NodeIndex) -> Option<ValueId> {
        self.of_node.get(graph.resolve(node)).copied().flatten()
    }

    fn fresh(&mut self, origin: Origin, width: usize) -> ValueId {
        self.origins.push(origin);
        self.widths.push(width);
        (self.origins.len() - 1) as ValueId
    }

    fn joined(&mut self, origin: Origin, width: usize) -> ValueId {
        if let Some(&id) = self.known.get(&origin) {
            return id;
        }
        let id = self.fresh(origin.clone(), width);
        self.known.insert(origin, id);
        id
    }

    fn constant(&mut self, value: Value) -> ValueId {
        self.joined(Origin::Constant(value), value.width())
    }

    fn as_constant(&self, id: ValueId) -> Option<Value> {
        match self.origins[id as usize] {
            Origin::Constant(value) => Some(value),
            _ => None,
        }
    }

    fn operation(&mut self, op: Op, args: Vec<ValueId>, width: usize) -> ValueId {
        let constants: Vec<Value> = args.iter().filter_map(|&arg| self.as_constant(arg)).collect();
        if constants.len() == args.len() {
            return self.constant(op.eval(&constants));
        }
        match op {
            Op::Slice { lo, width } => self.slice(args[0], lo, width),
            Op::ZeroExtend(width) | Op::SignExtend(width) if width == self.widths[args[0] as usize] => {
                args[0]
            }
            Op::Mux if args[1] == args[2] => args[1],
            Op::Mux => match self.as_constant(args[0]) {
                Some(condition) => args[if condition.bit(0) { 1 } else { 2 }],
                None => self.joined(Origin::Operation(op, args), width),
            },
            // On single bits these are the same, and so are the comparisons with their sides exchanged.
            Op::LogicalAnd => self.joined(Origin::Operation(Op::And, args), width),
            Op::LogicalOr => self.joined(Origin::Operation(Op::Or, args), width),
            Op::Gt => self.joined(Origin::Operation(Op::Lt, vec![args[1], args[0]]), width),
            Op::Ge => self.joined(Origin::Operation(Op::Le, vec![args[1], args[0]]), width),
            Op::GtSigned => self.joined(Origin::Operation(Op::LtSigned, vec![args[1], args[0]]), width),
            Op::GeSigned => self.joined(Origin::Operation(Op::LeSigned, vec![args[1], args[0]]), width),
            _ => self.joined(Origin::Operation(op, args), width),
        }
    }

    /// A slice, taken from the part of a concatenation that holds it: words that stages pass on are put together
    /// and taken apart again, and only the parts matter.
    fn slice(&mut self, mut from: ValueId, mut lo: usize, width: usize) -> ValueId {
        loop {
            match &self.origins[from as usize] {
                Origin::Operation(Op::Slice { lo: base, .. }, args) => (from, lo) = (args[0], lo + base),
                Origin::Operation(Op::Concat, args) => {
                    let mut bottom = self.widths[from as usize];
                    let part = args.iter().find_map(|&part| {
                        let top = bottom;
                        bottom -= self.widths[part as usize];
                        (lo >= bottom && lo + width <= top).then(|| (part, lo - bottom))
                    });
                    let Some(part) = part else { break };
                    (from, lo) = part;
                }
                Origin::Operation(Op::ZeroExtend(_) | Op::SignExtend(_), args)
                    if lo + width <= self.widths[args[0] as usize] =>
                {
                    from = args[0];
                }
                Origin::Constant(value) => {
                    let part = Op::Slice { lo, width }.eval(&[*value]);
                    return self.constant(part);
                }
                _ => break,
            }
        }
        if lo == 0 && width == self.widths[from as usize] {
            return from;
        }
        self.joined(Origin::Operation(Op::Slice { lo, width }, vec![from]), width)
    }
}
