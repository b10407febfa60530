//! Places: where in an expression a term stands.

use super::error::Made;
use super::names::{Names, Thing};
use super::term::Term;
use crate::op::Op;
use crate::record::{Body, NodeId, NodeKind};
use crate::value::Value;

/// A term whose names have been found.
#[derive(Clone, Debug)]
pub(super) enum Found {
    Number(u128),
    Thing(Thing),
    Bits(Thing, usize, usize),
    Unary(Op, Box<Found>),
    Equal(Box<Found>, Box<Found>),
}

impl Found {
    /// Finds the names of a term.
    pub(super) fn of(term: &Term, names: &Names) -> Made<Found> {
        let inside = |term: &Term| Found::of(term, names).map(Box::new);
        Ok(match term {
            Term::Number(number) => Found::Number(*number),
            Term::Name(name) => Found::Thing(names.find(name)?),
            Term::Bits(name, lo, width) => Found::Bits(names.find(name)?, *lo, *width),
            Term::Not(term) => Found::Unary(Op::Not, inside(term)?),
            Term::Any(term) => Found::Unary(Op::Any, inside(term)?),
            Term::All(term) => Found::Unary(Op::All, inside(term)?),
            Term::Equal(left, right) => Found::Equal(inside(left)?, inside(right)?),
        })
    }

    /// Whether a node is what the term says.
    fn is(&self, body: &Body, id: NodeId) -> bool {
        let node = body.node(id);
        let is_thing = |thing: &Thing, id: NodeId| match thing {
            Thing::Net(net) => matches!(body.node(id).kind, NodeKind::Net(read) if read == *net),
            Thing::Node(named) => *named == id,
        };
        match (self, &node.kind) {
            (Found::Number(number), NodeKind::Literal(value)) => {
                fits(*number, node.width) && *value == Value::from_u128(node.width, *number)
            }
            (Found::Thing(thing), _) => is_thing(thing, id),
            (Found::Bits(thing, lo, width), NodeKind::Op(op, args)) => {
                *op == Op::Slice { lo: *lo, width: *width } && is_thing(thing, args[0])
            }
            (Found::Unary(wanted, inside), NodeKind::Op(op, args)) => {
                op == wanted && inside.is(body, args[0])
            }
            (Found::Equal(left, right), NodeKind::Op(Op::Eq, args)) => {
                left.is(body, args[0]) && right.is(body, args[1])
            }
            _ => false,
        }
    }
}

/// Whether a number is one of so many bits.
pub(super) const fn fits(number: u128, width: usize) -> bool {
    width >= 128 || number >> width == 0
}

/// The way from the root of an expression to a part of it: which operand, and of that which, and so on.
pub(super) type Way = Vec<usize>;

/// Every place from `root` down where the term stands, from left to right. What has a name of its own is a place and is
/// not looked into.
pub(super) fn places(body: &Body, root: NodeId, term: &Found) -> Vec<Way> {
    fn walk(body: &Body, id: NodeId, term: &Found, way: &mut Way, found: &mut Vec<Way>) {
        if term.is(body, id) {
            found.push(way.clone());
        }
        let node = body.node(id);
        let NodeKind::Op(_, args) = &node.kind else { return };
        if node.name.is_some() {
            return;
        }
        for (position, &arg) in args.iter().enumerate() {
            way.push(position);
            walk(body, arg, term, way, found);
            way.pop();
        }
    }
    let mut found = vec![];
    walk(body, root, term, &mut vec![], &mut found);
    found
}

/// The node at the end of a way.
pub(super) fn at_way(body: &Body, root: NodeId, way: &[usize]) -> NodeId {
    way.iter().fold(root, |id, &position| match &body.node(id).kind {
        NodeKind::Op(_, args) => args[position],
        _ => id,
    })
}
