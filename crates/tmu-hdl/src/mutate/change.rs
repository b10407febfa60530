//! Makes one mutation in one block.

use super::drives::{conditions, isolate, values};
use super::error::{Made, Refusal};
use super::expression::{Builder, around, fitting, is_same, shown};
use super::names::{Names, Thing};
use super::operator::{With, neighbour};
use super::place::{Found, Way, at_way, places};
use super::term::{Term, number};
use super::{Mutation, Operator, Part};
use crate::design::{Design, NetKind};
use crate::op::Op;
use crate::record::{AtomId, NodeId, NodeKind};
use crate::value::Value;
use crate::verilog::literal;

const NAME_OPERAND: &str = "name an operand of such an operator with `at`";

/// Makes the mutation in the block at `block`.
pub(super) fn make(design: &mut Design, block: usize, mutation: &Mutation) -> Made<()> {
    if design.blocks[block].body.primitive.is_some() {
        let what = format!("`{}` is a primitive, whose Verilog is written by hand", mutation.stage);
        return Err(Refusal::new(what, vec![], "name a node of a block around it"));
    }
    let names = Names::of(design, block);
    let thing = names.find(&mutation.node)?;
    let with = With::of(mutation, &names)?;
    if matches!(mutation.part, Part::Reset | Part::Initial) {
        return constant(design, thing, mutation, &with);
    }
    let mut change = Change { builder: Builder { design, block }, names, mutation, thing, with };
    change.make()
}

/// What the operator puts at the place.
#[derive(Clone)]
enum Given {
    Nothing,
    Number(i128),
    Term(Found),
}

impl With {
    /// What a mutation says.
    fn of(mutation: &Mutation, names: &Names) -> Made<Given> {
        let operator = mutation.operator;
        let wanted = match operator.with() {
            With::Nothing => "nothing",
            With::Number => "a number",
            With::Signed => "a number with its sign, as +1",
            With::Term => "a term",
            With::MaybeBit => "a term of one bit, or nothing",
        };
        let refused = || {
            let what = format!("`with` of {operator} is {wanted}");
            Refusal::new(what, vec![], "say that with `with`")
        };
        let text = mutation.with.as_deref();
        let unsigned = |text: &str| number(text).and_then(|number| i128::try_from(number).ok());
        match (operator.with(), text) {
            (With::Nothing | With::MaybeBit, None) => Ok(Given::Nothing),
            (With::Number, Some(text)) => unsigned(text).map(Given::Number).ok_or_else(refused),
            (With::Signed, Some(text)) => text.parse().map(Given::Number).map_err(|_| refused()),
            (With::Term | With::MaybeBit, Some(text)) => {
                Ok(Given::Term(Found::of(&Term::read(text)?, names)?))
            }
            _ => Err(refused()),
        }
    }
}

/// Changes what a register gets in reset, or holds after configuration.
fn constant(design: &mut Design, thing: Thing, mutation: &Mutation, with: &Given) -> Made<()> {
    let part = mutation.part;
    let none = || {
        let what = format!("`{}` has no value of the part {}", mutation.node, part.name());
        Refusal::new(what, vec![], "take a register, with a reset where that is what changes")
    };
    let Thing::Net(net) = thing else { return Err(none()) };
    let (block, position) = design.places[&net];
    let NetKind::Register(details) = &mut design.blocks[block].nets[position].kind else {
        return Err(none());
    };
    let old = if part == Part::Initial { details.init } else { details.reset_value.ok_or_else(none)? };
    let new = match (mutation.operator, with) {
        (Operator::StuckAt, Given::Number(number)) => fitting(number.unsigned_abs(), old.width())?,
        (Operator::Offset, Given::Number(offset)) => sum(old, *offset),
        (Operator::Negate, _) => Op::Not.eval(&[old]),
        (operator, _) => {
            let what = format!("{operator} does not change constants");
            return Err(Refusal::new(what, vec![], "take stuck-at, offset or negate"));
        }
    };
    if new == old {
        return Err(unchanged(literal(&old)));
    }
    match part {
        Part::Initial => details.init = new,
        _ => (details.reset_value, details.reset_name) = (Some(new), None),
    }
    Ok(())
}

fn sum(value: Value, offset: i128) -> Value {
    let offset = Value::from_u128(128, offset as u128).sign_resized(value.width().max(128));
    Op::Add.eval(&[value, offset.resized(value.width())])
}

fn unchanged(shown: String) -> Refusal {
    Refusal::new(
        "it changes nothing",
        vec![format!("`{shown}`")],
        "take an operator or a place that changes it",
    )
}

struct Change<'a> {
    builder: Builder<'a>,
    names: Names,
    mutation: &'a Mutation,
    thing: Thing,
    with: Given,
}

impl Change<'_> {
    fn make(&mut self) -> Made<()> {
        if let (Thing::Net(net), Part::Condition) = (self.thing, self.mutation.part) {
            isolate(&mut self.builder.body_mut().statements, net);
        }
        let roots = self.roots()?;
        let mut places = vec![];
        for (number, &root) in roots.iter().enumerate() {
            places.extend(self.places(root)?.into_iter().map(|way| (number, way)));
        }
        let mut unchanged_yet = true;
        for (number, way) in self.chosen(places, &roots)? {
            let old = roots[number];
            let new = self.changed(old, &way)?;
            self.check_width(old, new)?;
            unchanged_yet &= is_same(self.builder.body(), old, new);
            match self.thing {
                Thing::Node(id) => {
                    let body = self.builder.body_mut();
                    body.nodes[id.index()].kind = body.nodes[new.index()].kind.clone();
                }
                Thing::Net(net) => {
                    let part = self.mutation.part;
                    let statements = &mut self.builder.body_mut().statements;
                    *slots(statements, net, part)[number] = new;
                }
            }
        }
        if unchanged_yet {
            return Err(unchanged(self.shown(roots[0])));
        }
        super::order::restore(self.builder.body_mut())
    }

    /// The expressions that may change.
    fn roots(&mut self) -> Made<Vec<NodeId>> {
        let Mutation { node, part, .. } = self.mutation;
        match (self.thing, part) {
            (Thing::Net(net), _) => {
                let statements = &mut self.builder.body_mut().statements;
                let found: Vec<NodeId> =
                    slots(statements, net, *part).into_iter().map(|slot| *slot).collect();
                if found.is_empty() {
                    let what = match part {
                        Part::Condition => format!("no `if` stands around a drive of `{node}`"),
                        _ => format!("this block does not drive `{node}`"),
                    };
                    return Err(Refusal::new(
                        what,
                        vec![],
                        "take a node that it drives, or the block that does",
                    ));
                }
                Ok(found)
            }
            (Thing::Node(id), Part::Value) => {
                // The original stands in the copy that takes its place.
                let body = self.builder.body_mut();
                let mut copy = body.node(id).clone();
                copy.name = None;
                body.nodes.push(copy);
                Ok(vec![id.at(body.nodes.len() - 1)])
            }
            (Thing::Node(_), _) => {
                let what = format!("`{node}` is a `let`, which stands under no condition");
                Err(Refusal::new(what, vec![], "leave `part` out, or take a net"))
            }
        }
    }

    /// The places in an expression.
    fn places(&self, root: NodeId) -> Made<Vec<Way>> {
        let Some(at) = &self.mutation.at else { return Ok(vec![vec![]]) };
        let term = Found::of(&Term::read(at)?, &self.names)?;
        Ok(places(self.builder.body(), root, &term))
    }

    /// The places that the mutation means.
    fn chosen(&self, places: Vec<(usize, Way)>, roots: &[NodeId]) -> Made<Vec<(usize, Way)>> {
        let Mutation { at, which, part, operator, .. } = self.mutation;
        let shown = || roots.iter().map(|&root| format!("`{}`", self.shown(root))).collect();
        match (which, places.len()) {
            (_, 0) => {
                let what = format!("`{}` does not stand there", at.as_deref().unwrap_or_default());
                Err(Refusal::new(what, shown(), "take a term that stands in the expression"))
            }
            (None, 1) => Ok(places),
            // A whole value is all that is driven into the node.
            (None, _) if at.is_none() && *part == Part::Value && !operator.acts_around() => Ok(places),
            (Some(which), count) if *which < count => Ok(vec![places[*which].clone()]),
            (_, count) => Err(Refusal::new(
                format!("there are {count} such places"),
                shown(),
                "say with `which` the one that is meant, from 0",
            )),
        }
    }

    fn shown(&self, root: NodeId) -> String {
        shown(self.builder.design, self.builder.block, &self.names, root)
    }

    /// A changed expression is as wide as before.
    fn check_width(&self, old: NodeId, new: NodeId) -> Made<()> {
        let body = self.builder.body();
        let (width, was) = (body.node(new).width, body.node(old).width);
        if width != was {
            let what = format!("it would be {width} bits wide, not {was}");
            return Err(Refusal::new(
                what,
                vec![format!("`{}`", self.shown(old))],
                "take a term of the width",
            ));
        }
        Ok(())
    }

    /// The expression with the operator at work at its place.
    fn changed(&mut self, root: NodeId, way: &[usize]) -> Made<NodeId> {
        if self.mutation.operator.acts_around() {
            return self.around(root, way);
        }
        let here = at_way(self.builder.body(), root, way);
        let width = self.builder.body().node(here).width;
        let new = match (self.mutation.operator, &self.with.clone()) {
            (Operator::StuckAt, Given::Number(number)) => {
                let value = fitting(number.unsigned_abs(), width)?;
                self.builder.literal(value, here)
            }
            (Operator::Replace, Given::Term(term)) => self.builder.term(term, width, here)?,
            (operator @ (Operator::AndWith | Operator::OrWith), Given::Term(term)) => {
                let op = match (operator, width) {
                    (Operator::AndWith, 1) => Op::LogicalAnd,
                    (Operator::AndWith, _) => Op::And,
                    (_, 1) => Op::LogicalOr,
                    _ => Op::Or,
                };
                let term = self.builder.term(term, width, here)?;
                self.builder.op(op, vec![here, term], here)?
            }
            (Operator::Offset, Given::Number(offset)) => {
                let offset = *offset;
                self.offset(here, offset)?
            }
            (Operator::Hold, given) => {
                let own = self.held(here)?;
                match given {
                    Given::Term(term) => {
                        let condition = self.builder.term(term, 1, here)?;
                        self.builder.op(Op::Mux, vec![condition, own, here], here)?
                    }
                    _ => own,
                }
            }
            _ => self.builder.op(Op::Not, vec![here], here)?,
        };
        self.builder.with_part(root, way, new)
    }

    /// The value of the register that is to be held.
    fn held(&mut self, like: NodeId) -> Made<NodeId> {
        let register = |net: &AtomId| self.builder.design.net(*net).register().is_some();
        match self.thing {
            Thing::Net(net) if register(&net) && self.mutation.part == Part::Value => {
                Ok(self.builder.net(net, like))
            }
            _ => {
                let what = format!("`{}` is no register, which alone keeps its value", self.mutation.node);
                Err(Refusal::new(what, vec![], "take a register and its value, or another operator"))
            }
        }
    }

    fn offset(&mut self, here: NodeId, offset: i128) -> Made<NodeId> {
        let refused = |shown| {
            let what = "no such offset there";
            Refusal::new(
                what,
                vec![format!("`{shown}`")],
                "name a constant or bits, and stay within the bits there are",
            )
        };
        match self.builder.body().node(here).kind.clone() {
            NodeKind::Literal(value) => Ok(self.builder.literal(sum(value, offset), here)),
            NodeKind::Op(Op::Slice { lo, width }, args) => {
                let lo = i128::try_from(lo).unwrap_or(i128::MAX) + offset;
                let of = self.builder.body().node(args[0]).width;
                match usize::try_from(lo).ok().filter(|lo| lo + width <= of) {
                    Some(lo) => self.builder.op(Op::Slice { lo, width }, args, here),
                    None => Err(refused(self.shown(here))),
                }
            }
            _ => Err(refused(self.shown(here))),
        }
    }

    /// What becomes of the operator around the place; of the whole where no place is named.
    fn around(&mut self, root: NodeId, way: &[usize]) -> Made<NodeId> {
        let operator = self.mutation.operator;
        let whole = match &self.builder.body().node(root).kind {
            NodeKind::Op(op, args) if self.mutation.at.is_none() && operator.acts_on_whole() => {
                Some((root, *op, args.clone(), 0))
            }
            _ => None,
        };
        let found = whole.or_else(|| around(self.builder.body(), root, way));
        let shown = self.shown(root);
        let refused = || {
            let what = format!("{operator} does not apply there");
            Refusal::new(what, vec![format!("`{shown}`")], NAME_OPERAND)
        };
        let (id, op, mut args, position) = found.ok_or_else(refused)?;
        let new = match operator {
            Operator::DropOperand => match (op, position) {
                (Op::Sub, 0) => self.builder.op(Op::Neg, vec![args[1]], id)?,
                (Op::And | Op::Or | Op::Xor | Op::Add | Op::Sub | Op::LogicalAnd | Op::LogicalOr, _) => {
                    args[1 - position]
                }
                _ => return Err(refused()),
            },
            Operator::KeepOperand => {
                let width = |id| self.builder.body().node(id).width;
                let kept = args[position];
                if width(kept) == width(id) { kept } else { return Err(refused()) }
            }
            Operator::SwapOperands if args.len() > 1 => {
                let last = args.len() - 1;
                args.swap(last - 1, last);
                self.builder.op(op, args, id)?
            }
            Operator::OtherOperator => {
                let other = neighbour(op).ok_or_else(refused)?;
                self.builder.op(other, args, id)?
            }
            _ => return Err(refused()),
        };
        let before = way.split_last().map_or(&[][..], |(_, before)| before);
        self.builder.with_part(root, before, new)
    }
}

/// The places in statements that hold an expression of a node.
fn slots(statements: &mut [crate::record::Statement], net: AtomId, part: Part) -> Vec<&mut NodeId> {
    if part == Part::Condition { conditions(statements, net) } else { values(statements, net) }
}
