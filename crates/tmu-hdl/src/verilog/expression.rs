//! Expressions: from the typed graph to text.
//!
//! The rule that makes the text mean what the graph means: wherever Verilog lets the context decide a width
//! (arithmetic, bitwise operators, multiplexers, the left side of a shift), graph typing has already made all
//! widths equal, so the context decides nothing. Products, arithmetic shifts and selections of something that
//! is not a name break that rule or the grammar; they get a wire of their own.

use super::fault::{Fault, is_planted};
use super::names::Names;
use super::text;
use crate::op::Op;
use crate::record::{AtomId, Body, NodeId, NodeKind};
use crate::value::Value;
use std::collections::HashMap;

/// The widest product that Verilator multiplies with signs.
const WIDEST_SIGNED_PRODUCT_BITS: usize = 512;

/// Binding strength of Verilog's operators, strongest first (IEEE 1364-2005 table 5-4).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Strength {
    Choice,
    LogicalOr,
    LogicalAnd,
    Or,
    Xor,
    And,
    Equality,
    Relation,
    Shift,
    Sum,
    Product,
    Unary,
    Primary,
}

/// Prints the expressions of one module.
pub(crate) struct Expressions<'a> {
    body: &'a Body,
    net_names: HashMap<AtomId, String>,
    names: Names,
    /// How often each node is used by what will be printed.
    uses: Vec<u32>,
    /// Nodes that have a wire already.
    wires: HashMap<NodeId, String>,
    /// Wire declarations that must stand before the statement being printed.
    pending: Vec<String>,
    /// What unnamed wires are called after.
    target: String,
}

impl<'a> Expressions<'a> {
    pub(crate) fn new(body: &'a Body, names: Names, roots: &[NodeId]) -> Expressions<'a> {
        let mut expressions = Expressions {
            body,
            net_names: HashMap::new(),
            names,
            uses: vec![0; body.nodes.len()],
            wires: HashMap::new(),
            pending: vec![],
            target: String::new(),
        };
        for &root in roots {
            expressions.count(root);
        }
        expressions
    }

    fn count(&mut self, root: NodeId) {
        let mut stack = vec![root];
        while let Some(id) = stack.pop() {
            self.uses[id.index()] += 1;
            if self.uses[id.index()] == 1
                && let NodeKind::Op(_, args) = &self.body.node(id).kind
            {
                stack.extend(args);
            }
        }
    }

    pub(crate) fn set_net_name(&mut self, net: AtomId, name: String) {
        self.net_names.insert(net, name);
    }

    pub(crate) fn net_name(&self, net: AtomId) -> String {
        self.net_names[&net].clone()
    }

    pub(crate) fn take_name(&mut self, wanted: &str) -> String {
        self.names.take(wanted)
    }

    /// Keeps a name from being given to anything.
    pub(crate) fn reserve_name(&mut self, name: &str) {
        self.names.reserve(name);
    }

    /// Wire declarations that the last expressions need, oldest first.
    pub(crate) fn take_pending(&mut self) -> Vec<String> {
        std::mem::take(&mut self.pending)
    }

    /// The right side of an assignment to `target`, which is exactly as wide as the expression.
    pub(crate) fn right_side(&mut self, id: NodeId, target: &str) -> String {
        self.target = target.into();
        if self.wires.contains_key(&id) || self.body.node(id).name.is_some() {
            return self.name_of(id);
        }
        self.render(id, true).0
    }

    /// A one-bit condition.
    pub(crate) fn condition(&mut self, id: NodeId, target: &str) -> String {
        self.target = target.into();
        self.operand(id, Strength::Choice)
    }

    /// True for what reads well as a port connection: names, constants and selections of names.
    pub(crate) fn is_plain(&self, id: NodeId) -> bool {
        let node = self.body.node(id);
        match &node.kind {
            NodeKind::Literal(_) | NodeKind::Net(_) => true,
            NodeKind::Op(Op::Slice { .. }, args) => self.has_name(args[0]),
            NodeKind::Op(..) => self.has_name(id),
        }
    }

    /// True when the node is printed as a name without asking for a new wire.
    fn has_name(&self, id: NodeId) -> bool {
        let node = self.body.node(id);
        matches!(node.kind, NodeKind::Net(_)) || node.name.is_some() || self.wires.contains_key(&id)
    }

    /// A name that holds the value: the net itself or a wire, made where there is none.
    fn name_of(&mut self, id: NodeId) -> String {
        let node = self.body.node(id);
        if let NodeKind::Net(net) = node.kind {
            return self.net_name(net);
        }
        if let Some(name) = self.wires.get(&id) {
            return name.clone();
        }
        let wanted = match (&node.name, &node.kind) {
            (Some(name), _) => name.clone(),
            (None, NodeKind::Op(op, _)) => format!("{}_{}", self.target, role(*op)),
            (None, _) => format!("{}_constant", self.target),
        };
        let text = self.render(id, true).0;
        let name = self.names.take(&wanted);
        self.pending.push(format!("wire {}{name} = {text};", text::range(node.width)));
        self.wires.insert(id, name.clone());
        name
    }

    /// The expression as an operand that must bind at least as strongly as `least`.
    fn operand(&mut self, id: NodeId, least: Strength) -> String {
        let planted = least < Strength::Unary && is_planted(Fault::NoParentheses);
        self.operand_where(id, |strength| strength >= least || planted)
    }

    /// The expression as an operand, in parentheses unless it `stands_alone` with its strength.
    fn operand_where(&mut self, id: NodeId, stands_alone: impl Fn(Strength) -> bool) -> String {
        let node = self.body.node(id);
        let shared = self.uses[id.index()] > 1 && !self.is_cheap(id);
        if matches!(node.kind, NodeKind::Net(_)) || node.name.is_some() || shared || needs_wire(&node.kind) {
            return self.name_of(id);
        }
        let (text, strength) = self.render(id, false);
        if stands_alone(strength) { text } else { format!("({text})") }
    }

    /// Selections of names, extensions of them and constants are repeated rather than given a wire.
    fn is_cheap(&self, id: NodeId) -> bool {
        match &self.body.node(id).kind {
            NodeKind::Literal(_) | NodeKind::Net(_) => true,
            NodeKind::Op(Op::Slice { .. } | Op::Not | Op::Any | Op::All, args) => self.has_name(args[0]),
            NodeKind::Op(Op::Index, args) => self.has_name(args[0]) && self.has_name(args[1]),
            NodeKind::Op(..) => false,
        }
    }

    /// Text and strength; `whole` says that the expression is a whole right side.
    fn render(&mut self, id: NodeId, whole: bool) -> (String, Strength) {
        let node = self.body.node(id);
        match &node.kind {
            NodeKind::Literal(value) => (literal(value), Strength::Primary),
            NodeKind::Net(net) => (self.net_name(*net), Strength::Primary),
            NodeKind::Op(op, args) => {
                debug_assert!(whole || !needs_wire(&node.kind));
                self.render_op(*op, args, node.width)
            }
        }
    }

    fn render_op(&mut self, op: Op, args: &[NodeId], width: usize) -> (String, Strength) {
        let arg_width = self.body.node(args[0]).width;
        match op {
            Op::Not => {
                let sign = if width == 1 { '!' } else { '~' };
                (format!("{sign}{}", self.operand(args[0], Strength::Primary)), Strength::Unary)
            }
            Op::Neg => (format!("-{}", self.operand(args[0], Strength::Primary)), Strength::Unary),
            Op::Any | Op::All | Op::Parity => {
                let sign = match op {
                    Op::Any => '|',
                    Op::All => '&',
                    _ => '^',
                };
                // In parentheses, since `a | |b` reads badly and `a && &b` worse.
                (format!("({sign}{})", self.operand(args[0], Strength::Primary)), Strength::Primary)
            }
            Op::Mul | Op::MulSigned => self.product(op, args, width),
            Op::LtSigned | Op::LeSigned | Op::GtSigned | Op::GeSigned => {
                let (a, b) =
                    (self.operand(args[0], Strength::Choice), self.operand(args[1], Strength::Choice));
                if is_planted(Fault::UnsignedComparison) {
                    return (format!("({a}) {} ({b})", op.symbol()), Strength::Relation);
                }
                (format!("$signed({a}) {} $signed({b})", op.symbol()), Strength::Relation)
            }
            Op::Shl | Op::Shr => {
                let left = self.operand(args[0], Strength::Unary);
                (format!("{left} {} {}", op.symbol(), self.amount(args[1], width)), Strength::Shift)
            }
            Op::ShrSigned => {
                let left = self.operand(args[0], Strength::Choice);
                let arrow = if is_planted(Fault::ShiftKind) { ">>" } else { ">>>" };
                // A shift by one less than the width leaves nothing but the sign, as one by the width does.
                let amount = self.amount(args[1], width - 1);
                (format!("$unsigned($signed({left}) {arrow} {amount})"), Strength::Primary)
            }
            Op::Slice { lo, width } => {
                let name = self.name_of(args[0]);
                let lo = lo - usize::from(lo > 0 && is_planted(Fault::SliceBound));
                (format!("{name}{}", text::select(lo, width)), Strength::Primary)
            }
            Op::Index => {
                let index_width = self.body.node(args[1]).width;
                let name = self.name_of(args[0]);
                if arg_width == 1 {
                    return (format!("{name} & ~{}", self.bool_any(args[1])), Strength::And);
                }
                // As wide as the vector asks for, so that no linter has to guess.
                let wanted_width = (arg_width - 1).ilog2() as usize + 1;
                if index_width < usize::BITS as usize && 1usize << index_width <= arg_width {
                    let index = self.operand(args[1], Strength::Choice);
                    return match wanted_width - index_width {
                        0 => (format!("{name}[{index}]"), Strength::Primary),
                        missing => (format!("{name}[{{{missing}'d0, {index}}}]"), Strength::Primary),
                    };
                }
                // A selection past the top is unknown in Verilog, and zero here.
                let index = self.name_of(args[1]);
                let end = literal(&Value::from_u128(index_width, arg_width as u128));
                let low =
                    if index_width > wanted_width { text::select(0, wanted_width) } else { String::new() };
                (format!("{index} < {end} && {name}[{index}{low}]"), Strength::LogicalAnd)
            }
            Op::Concat => {
                let mut parts: Vec<String> =
                    args.iter().map(|&a| self.operand(a, Strength::Choice)).collect();
                if is_planted(Fault::ReversedConcatenation) {
                    parts.reverse();
                }
                (format!("{{{}}}", parts.join(", ")), Strength::Primary)
            }
            Op::Repeat(times) => {
                (format!("{{{times}{{{}}}}}", self.operand(args[0], Strength::Choice)), Strength::Primary)
            }
            Op::ZeroExtend(to) => {
                let part = self.operand(args[0], Strength::Choice);
                if is_planted(Fault::CarryLeak) {
                    return (part, Strength::Choice);
                }
                (format!("{{{}'d0, {part}}}", to - arg_width), Strength::Primary)
            }
            Op::SignExtend(to) => {
                let name = self.name_of(args[0]);
                let sign = if arg_width == 1 { name.clone() } else { format!("{name}[{}]", arg_width - 1) };
                if is_planted(Fault::ZeroForSign) {
                    return (format!("{{{}'d0, {name}}}", to - arg_width), Strength::Primary);
                }
                (format!("{{{{{}{{{sign}}}}}, {name}}}", to - arg_width), Strength::Primary)
            }
            Op::Mux => {
                let sides = if is_planted(Fault::SwappedChoice) { [2, 1] } else { [1, 2] };
                // `a + b ? …` would mean the same as `(a + b) ? …`, but nobody reads it so.
                let computes = Strength::Shift..=Strength::Product;
                let stands_alone = |s: Strength| s >= Strength::LogicalOr && !computes.contains(&s);
                let condition = self.operand_where(args[0], stands_alone);
                let then = self.operand(args[sides[0]], Strength::LogicalOr);
                let otherwise = self.operand(args[sides[1]], Strength::Choice);
                (format!("{condition} ? {then} : {otherwise}"), Strength::Choice)
            }
            _ => self.infix(op, args),
        }
    }

    fn infix(&mut self, op: Op, args: &[NodeId]) -> (String, Strength) {
        let strength = match op {
            Op::Add | Op::Sub => Strength::Sum,
            Op::Lt | Op::Le | Op::Gt | Op::Ge => Strength::Relation,
            Op::Eq | Op::Ne => Strength::Equality,
            Op::And => Strength::And,
            Op::Xor => Strength::Xor,
            Op::Or => Strength::Or,
            Op::LogicalAnd => Strength::LogicalAnd,
            _ => Strength::LogicalOr,
        };
        let is_same = |id: NodeId| matches!(&self.body.node(id).kind, NodeKind::Op(inner, _) if *inner == op);
        let [left_is_same, right_is_same] = [args[0], args[1]].map(is_same);
        let (left_least, right_least) = match strength {
            // A row of one operator needs none, whichever way it was grouped.
            Strength::LogicalAnd | Strength::LogicalOr | Strength::Or | Strength::Xor | Strength::And => {
                let least = |is_same| if is_same { strength } else { least_beside(strength) };
                (least(left_is_same), least(right_is_same))
            }
            // `a < b < c` would mean the same as `(a < b) < c`, but nobody reads it so.
            Strength::Relation | Strength::Equality => (stronger(strength), stronger(strength)),
            _ => (strength, stronger(strength)),
        };
        let symbol = match op {
            Op::Le if is_planted(Fault::LessForLessOrEqual) => Op::Lt.symbol(),
            _ => op.symbol(),
        };
        let left = self.operand(args[0], left_least);
        (format!("{left} {symbol} {}", self.operand(args[1], right_least)), strength)
    }

    /// Operands are extended by hand, so that no tool has to guess whether the widening is meant.
    fn product(&mut self, op: Op, args: &[NodeId], width: usize) -> (String, Strength) {
        let signed = op == Op::MulSigned;
        // The low bits of a product do not depend on signs, so wide ones can do without.
        let as_signed = |text: String| {
            if signed && width <= WIDEST_SIGNED_PRODUCT_BITS { format!("$signed({text})") } else { text }
        };
        let mut factor = |id: NodeId| {
            if let NodeKind::Literal(value) = &self.body.node(id).kind {
                let value = if signed { value.sign_resized(width) } else { value.resized(width) };
                return as_signed(literal(&value));
            }
            let own = self.body.node(id).width;
            let name = self.name_of(id);
            let sign = if own == 1 { name.clone() } else { format!("{name}[{}]", own - 1) };
            match signed {
                true => as_signed(format!("{{{{{}{{{sign}}}}}, {name}}}", width - own)),
                false => format!("{{{}'d0, {name}}}", width - own),
            }
        };
        let (a, b) = (factor(args[0]), factor(args[1]));
        if signed && width <= WIDEST_SIGNED_PRODUCT_BITS {
            return (format!("$unsigned({a} * {b})"), Strength::Primary);
        }
        (format!("{a} * {b}"), Strength::Product)
    }

    /// A shift amount. Constants are plain numbers, no larger than `most`.
    fn amount(&mut self, id: NodeId, most: usize) -> String {
        match &self.body.node(id).kind {
            NodeKind::Literal(value) => {
                value.to_u64().map_or(most as u64, |n| n.min(most as u64)).to_string()
            }
            _ => self.operand(id, Strength::Unary),
        }
    }

    fn bool_any(&mut self, id: NodeId) -> String {
        let text = self.operand(id, Strength::Primary);
        if self.body.node(id).width == 1 { text } else { format!("(|{text})") }
    }
}

/// Products and arithmetic shifts take their width or sign from the context, so they stand alone.
fn needs_wire(kind: &NodeKind) -> bool {
    matches!(kind, NodeKind::Op(Op::Mul | Op::MulSigned | Op::ShrSigned, _))
}

/// What may stand without parentheses beside a logical or bitwise operator that is not its own: no other operator
/// of its kind, and no comparison beside a bitwise one. Their order is what readers and strict elaborators mistrust.
fn least_beside(strength: Strength) -> Strength {
    match strength {
        Strength::LogicalAnd | Strength::LogicalOr => Strength::Or,
        _ => Strength::Shift,
    }
}

fn stronger(strength: Strength) -> Strength {
    match strength {
        Strength::Equality => Strength::Relation,
        Strength::Relation => Strength::Shift,
        Strength::Shift => Strength::Sum,
        Strength::Sum => Strength::Product,
        _ => Strength::Unary,
    }
}

/// What an unnamed wire is called after, behind the name of its target.
fn role(op: Op) -> &'static str {
    match op {
        Op::Add | Op::Sub | Op::Neg => "sum",
        Op::Mul | Op::MulSigned => "product",
        Op::Shl | Op::Shr | Op::ShrSigned => "shifted",
        Op::Mux => "choice",
        Op::Concat | Op::Repeat(_) | Op::ZeroExtend(_) | Op::SignExtend(_) => "joined",
        Op::Slice { .. } | Op::Index => "part",
        _ => "term",
    }
}

/// A sized literal: binary for one bit, decimal below ten, hexadecimal above.
pub(crate) fn literal(value: &Value) -> String {
    let lost_bits = usize::from(value.width() > 1 && is_planted(Fault::NarrowLiteral));
    let value = value.resized(value.width() - lost_bits);
    let width = value.width();
    match value.to_u64() {
        Some(number) if width == 1 => format!("1'b{number}"),
        Some(number) if number < 10 => format!("{width}'d{number}"),
        _ => format!("{width}'h{value:x}"),
    }
}
