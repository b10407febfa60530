//! Expressions: as text for messages, whether two are the same, and copies with a part replaced.

use super::error::{Made, Refusal};
use super::names::{Names, Thing};
use super::place::{Found, at_way, fits};
use crate::design::Design;
use crate::op::Op;
use crate::record::{Body, Node, NodeId, NodeKind};
use crate::value::Value;
use crate::verilog::literal;

const WIDTHS: &str = "take a term of the width of its place";

/// Adds nodes to the kernel of a block.
pub(super) struct Builder<'a> {
    pub(super) design: &'a mut Design,
    pub(super) block: usize,
}

impl Builder<'_> {
    pub(super) fn body(&self) -> &Body {
        &self.design.blocks[self.block].body
    }

    pub(super) fn body_mut(&mut self) -> &mut Body {
        &mut self.design.blocks[self.block].body
    }

    /// Adds a node that stands where `like` does.
    fn add(&mut self, kind: NodeKind, width: usize, like: NodeId) -> NodeId {
        let body = self.body_mut();
        let Node { scope, source, .. } = *body.node(like);
        body.nodes.push(Node { kind, width, name: None, scope, source });
        like.at(body.nodes.len() - 1)
    }

    pub(super) fn literal(&mut self, value: Value, like: NodeId) -> NodeId {
        self.add(NodeKind::Literal(value), value.width(), like)
    }

    pub(super) fn net(&mut self, net: crate::record::AtomId, like: NodeId) -> NodeId {
        let width = self.design.net(net).width;
        self.add(NodeKind::Net(net), width, like)
    }

    pub(super) fn op(&mut self, op: Op, args: Vec<NodeId>, like: NodeId) -> Made<NodeId> {
        let widths: Vec<usize> = args.iter().map(|&arg| self.body().node(arg).width).collect();
        let refused = |_| {
            let widths = widths.iter().map(|width| format!("{width} bits")).collect();
            Refusal::new(format!("`{}` does not take operands of these widths", op.symbol()), widths, WIDTHS)
        };
        let width = op.result_width(&widths).map_err(refused)?;
        Ok(self.add(NodeKind::Op(op, args), width, like))
    }

    /// Adds what a term says; numbers are `width` bits wide.
    pub(super) fn term(&mut self, term: &Found, width: usize, like: NodeId) -> Made<NodeId> {
        let thing = |builder: &mut Self, thing: &Thing| match thing {
            Thing::Net(net) => builder.net(*net, like),
            Thing::Node(node) => *node,
        };
        match term {
            Found::Number(number) => {
                let value = fitting(*number, width)?;
                Ok(self.literal(value, like))
            }
            Found::Thing(named) => Ok(thing(self, named)),
            Found::Bits(named, lo, width) => {
                let of = thing(self, named);
                self.op(Op::Slice { lo: *lo, width: *width }, vec![of], like)
            }
            Found::Unary(op, inside) => {
                let inside = self.term(inside, width, like)?;
                self.op(*op, vec![inside], like)
            }
            Found::Equal(left, right) => {
                let left = self.term(left, width, like)?;
                let width = self.body().node(left).width;
                let right = self.term(right, width, like)?;
                self.op(Op::Eq, vec![left, right], like)
            }
        }
    }

    /// A copy of the expression with `new` at the end of `way`. Parts that others use too stay as they are.
    pub(super) fn with_part(&mut self, root: NodeId, way: &[usize], new: NodeId) -> Made<NodeId> {
        let Some((&position, rest)) = way.split_first() else { return Ok(new) };
        let node = self.body().node(root);
        let (scope, source) = (node.scope, node.source);
        let NodeKind::Op(op, mut args) = node.kind.clone() else { return Ok(new) };
        args[position] = self.with_part(args[position], rest, new)?;
        let copy = self.op(op, args, root)?;
        let node = &mut self.body_mut().nodes[copy.index()];
        (node.scope, node.source) = (scope, source);
        Ok(copy)
    }
}

/// A number as a value of so many bits.
pub(super) fn fitting(number: u128, width: usize) -> Made<Value> {
    if !fits(number, width) {
        let what = format!("{number} does not fit into {width} bits");
        return Err(Refusal::new(what, vec![], "take a number that fits its place"));
    }
    Ok(Value::from_u128(width, number))
}

/// Whether two expressions are the same, node for node.
pub(super) fn is_same(body: &Body, one: NodeId, other: NodeId) -> bool {
    if one == other {
        return true;
    }
    match (&body.node(one).kind, &body.node(other).kind) {
        (NodeKind::Literal(one), NodeKind::Literal(other)) => one == other,
        (NodeKind::Net(one), NodeKind::Net(other)) => one == other,
        (NodeKind::Op(op, args), NodeKind::Op(other, others)) => {
            op == other
                && args.len() == others.len()
                && args.iter().zip(others).all(|(&arg, &other)| is_same(body, arg, other))
        }
        _ => false,
    }
}

/// An expression for messages, down to its first named parts.
pub(super) fn shown(design: &Design, block: usize, names: &Names, root: NodeId) -> String {
    if let Some(name) = names.of_node(root) {
        return name.to_string();
    }
    let node = design.blocks[block].body.node(root);
    let (op, args) = match &node.kind {
        NodeKind::Literal(value) => return literal(value),
        NodeKind::Net(net) => return design.name_in(block, *net),
        NodeKind::Op(op, args) => (op, args),
    };
    let parts: Vec<String> = args.iter().map(|&arg| shown(design, block, names, arg)).collect();
    let grouped = |part: &String| if part.contains(' ') { format!("({part})") } else { part.clone() };
    match (op, parts.as_slice()) {
        (Op::Slice { lo, width: 1 }, [part]) => format!("{}[{lo}]", grouped(part)),
        (Op::Slice { lo, width }, [part]) => format!("{}[{}:{lo}]", grouped(part), lo + width - 1),
        (Op::Not | Op::Neg, [part]) => format!("{}{}", op.symbol(), grouped(part)),
        (Op::Mux, [condition, then, otherwise]) => {
            format!("{} ? {} : {}", grouped(condition), grouped(then), grouped(otherwise))
        }
        (Op::Concat, parts) => format!("{{{}}}", parts.join(", ")),
        (Op::ZeroExtend(_) | Op::SignExtend(_) | Op::Repeat(_) | Op::Any | Op::All | Op::Parity, [part]) => {
            format!("{}({part})", op.symbol())
        }
        (_, parts) => parts.iter().map(grouped).collect::<Vec<_>>().join(&format!(" {} ", op.symbol())),
    }
}

/// The operator around a place, with its operands and the position of the place among them.
pub(super) fn around(body: &Body, root: NodeId, way: &[usize]) -> Option<(NodeId, Op, Vec<NodeId>, usize)> {
    let (&position, before) = way.split_last()?;
    let id = at_way(body, root, before);
    match &body.node(id).kind {
        NodeKind::Op(op, args) => Some((id, *op, args.clone(), position)),
        _ => None,
    }
}
