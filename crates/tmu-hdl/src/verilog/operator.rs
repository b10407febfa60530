//! Operators: how each is written, and when its operands need parentheses.
//!
//! Parentheses stand where the tree needs them, and where a reader or a strict elaborator would have to think.

use super::arrays::whole_vector;
use super::expression::{Expressions, literal};
use super::fault::{Fault, is_planted};
use super::text;
use crate::op::Op;
use crate::record::{NodeId, NodeKind};
use crate::value::Value;

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

impl Expressions<'_> {
    pub(super) fn render_op(&mut self, op: Op, args: &[NodeId], width: usize) -> (String, Strength) {
        match op {
            Op::Not | Op::Neg | Op::Any | Op::All | Op::Parity => self.unary(op, args[0], width),
            Op::Mul | Op::MulSigned => self.product(op, args, width),
            Op::LtSigned | Op::LeSigned | Op::GtSigned | Op::GeSigned => self.signed_comparison(op, args),
            Op::Shl | Op::Shr | Op::ShrSigned => self.shift(op, args, width),
            Op::Slice { lo, width } => {
                let name = self.name_of(args[0]);
                let lo = lo - usize::from(lo > 0 && is_planted(Fault::SliceBound));
                (name.select(lo, width), Strength::Primary)
            }
            Op::Index => self.bit_at(args[0], args[1]),
            Op::Concat | Op::Repeat(_) | Op::ZeroExtend(_) | Op::SignExtend(_) => {
                (self.joined(op, args), Strength::Primary)
            }
            Op::Mux => self.choice(args),
            _ => self.infix(op, args),
        }
    }

    fn unary(&mut self, op: Op, arg: NodeId, width: usize) -> (String, Strength) {
        let text = self.operand(arg, Strength::Primary);
        let sign = match op {
            Op::Not if width == 1 => '!',
            Op::Not => '~',
            Op::Neg => '-',
            Op::Any => '|',
            Op::All => '&',
            Op::Parity if is_planted(Fault::WrongReduction) => '|',
            _ => '^',
        };
        match op {
            Op::Not | Op::Neg => (format!("{sign}{text}"), Strength::Unary),
            // In parentheses, since `a | |b` reads badly and `a && &b` worse.
            _ => (format!("({sign}{text})"), Strength::Primary),
        }
    }

    fn signed_comparison(&mut self, op: Op, args: &[NodeId]) -> (String, Strength) {
        let signed = if is_planted(Fault::UnsignedComparison) { "" } else { "$signed" };
        let a = self.operand(args[0], Strength::Choice);
        let b = self.operand(args[1], Strength::Choice);
        (format!("{signed}({a}) {} {signed}({b})", op.symbol()), Strength::Relation)
    }

    fn shift(&mut self, op: Op, args: &[NodeId], width: usize) -> (String, Strength) {
        if op != Op::ShrSigned {
            let left = self.operand(args[0], Strength::Unary);
            let amount = self.amount(args[1], width);
            let amount = if op == Op::Shr { shortened(amount, width, Fault::ShortShift) } else { amount };
            return (format!("{left} {} {amount}", op.symbol()), Strength::Shift);
        }
        let left = self.operand(args[0], Strength::Choice);
        let arrow = if is_planted(Fault::ShiftKind) { ">>" } else { ">>>" };
        // A shift by one less than the width leaves nothing but the sign, as one by the width does.
        let amount = shortened(self.amount(args[1], width - 1), width, Fault::ShortArithmeticShift);
        (format!("$unsigned($signed({left}) {arrow} {amount})"), Strength::Primary)
    }

    /// A bit at a run-time position: past the top it is unknown in Verilog, and zero here.
    fn bit_at(&mut self, vector: NodeId, index: NodeId) -> (String, Strength) {
        let [width, index_width] = [vector, index].map(|id| self.body.node(id).width);
        let name = self.name_of(vector);
        if width == 1 {
            return (format!("{name} & ~{}", self.bool_any(index)), Strength::And);
        }
        // As wide as the vector asks for, so that no linter has to guess.
        let wanted_width = (width - 1).ilog2() as usize + 1;
        if index_width < usize::BITS as usize && 1usize << index_width <= width {
            let index = self.operand(index, Strength::Choice);
            return match wanted_width - index_width {
                0 => (name.bit_at(&index, wanted_width), Strength::Primary),
                missing => {
                    let index = format!("{{{}, {index}}}", text::zeros(missing));
                    (name.bit_at(&index, wanted_width), Strength::Primary)
                }
            };
        }
        let index = self.name_of(index);
        let end = literal(&Value::from_u128(index_width, width as u128));
        let low = if index_width > wanted_width { index.select(0, wanted_width) } else { index.to_string() };
        let bit = name.bit_at(&low, wanted_width);
        if is_planted(Fault::UnguardedIndex) {
            return (bit, Strength::Primary);
        }
        (format!("{index} < {end} && {bit}"), Strength::LogicalAnd)
    }

    /// A concatenation, and what is one in Verilog.
    fn joined(&mut self, op: Op, args: &[NodeId]) -> String {
        let width = self.body.node(args[0]).width;
        match op {
            Op::Repeat(times) => {
                let times = times - usize::from(is_planted(Fault::ShortRepeat));
                format!("{{{times}{{{}}}}}", self.operand(args[0], Strength::Choice))
            }
            Op::ZeroExtend(to) => {
                let part = self.operand(args[0], Strength::Choice);
                let zeros = text::zeros(to - width);
                if is_planted(Fault::CarryLeak) { part } else { format!("{{{zeros}, {part}}}") }
            }
            Op::SignExtend(to) => {
                let name = self.name_of(args[0]);
                let sign = if width == 1 { name.to_string() } else { name.select(width - 1, 1) };
                let sign = if is_planted(Fault::ZeroForSign) { "1'b0".into() } else { sign };
                format!("{{{}, {name}}}", text::repeated(to - width, &sign))
            }
            _ => {
                let names: Vec<_> = args.iter().rev().map(|&a| self.known_name(a)).collect();
                if let Some(vector) = whole_vector(&names) {
                    return vector;
                }
                let mut parts: Vec<String> =
                    args.iter().map(|&a| self.operand(a, Strength::Choice)).collect();
                if is_planted(Fault::ReversedConcatenation) {
                    parts.reverse();
                }
                format!("{{{}}}", parts.join(", "))
            }
        }
    }

    fn choice(&mut self, args: &[NodeId]) -> (String, Strength) {
        let sides = if is_planted(Fault::SwappedChoice) { [2, 1] } else { [1, 2] };
        // `a + b ? …` would mean the same as `(a + b) ? …`, but nobody reads it so.
        let computes = Strength::Shift..=Strength::Product;
        let stands_alone = |s: Strength| s >= Strength::LogicalOr && !computes.contains(&s);
        let condition = self.operand_where(args[0], stands_alone);
        let then = self.operand(args[sides[0]], Strength::LogicalOr);
        let otherwise = self.operand(args[sides[1]], Strength::Choice);
        (format!("{condition} ? {then} : {otherwise}"), Strength::Choice)
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
        let swapped = op == Op::Sub && is_planted(Fault::SwappedDifference);
        let args = if swapped { [args[1], args[0]] } else { [args[0], args[1]] };
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
            let sign = if own == 1 { name.to_string() } else { name.select(own - 1, 1) };
            match signed && !is_planted(Fault::UnsignedProduct) {
                true => as_signed(format!("{{{}, {name}}}", text::repeated(width - own, &sign))),
                false => format!("{{{}, {name}}}", text::zeros(width - own)),
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
        let node = self.body.node(id);
        match &node.kind {
            NodeKind::Literal(value) if node.name.is_none() => {
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

/// A planted fault: an amount that is one less than the width comes out one smaller.
fn shortened(amount: String, width: usize, fault: Fault) -> String {
    let most = amount == (width - 1).to_string();
    if most && is_planted(fault) { (width - 2).to_string() } else { amount }
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
