//! Rewrites that keep the emitted text plain: what an engineer would not have written out.
//!
//! Only shapes that elaboration itself produces are touched: a fold that starts from a constant, a slice of a
//! slice or of a concatenation, an extension to the same width. Each rewrite keeps the meaning exactly; the
//! differential tests run through it.

use crate::bits::Bits;
use crate::diagnostic::Source;
use crate::op::Op;
use crate::record::{self, NodeId, NodeKind};
use crate::value::Value;

/// A simpler equal of `op` over `args`, if there is one.
pub(crate) fn simplify(op: Op, args: &[Bits], source: Source) -> Option<Bits> {
    let is = |i: usize, value: Value| args[i].node.is_none() && args[i].value == value;
    let zero = |i: usize| is(i, Value::zero(args[i].width()));
    let ones = |i: usize| is(i, Op::Not.eval(&[Value::zero(args[i].width())]));
    match op {
        Op::Or | Op::Xor | Op::Add if zero(0) => Some(args[1]),
        Op::Or | Op::Xor | Op::Add | Op::Sub | Op::Shl | Op::Shr | Op::ShrSigned if zero(1) => Some(args[0]),
        Op::And if ones(0) => Some(args[1]),
        Op::And if ones(1) => Some(args[0]),
        Op::And if zero(0) => Some(args[0]),
        Op::And if zero(1) => Some(args[1]),
        Op::LogicalAnd if ones(0) => Some(args[1]),
        Op::LogicalAnd if ones(1) => Some(args[0]),
        Op::LogicalAnd if zero(0) => Some(args[0]),
        Op::LogicalAnd if zero(1) => Some(args[1]),
        Op::LogicalOr if zero(0) => Some(args[1]),
        Op::LogicalOr if zero(1) => Some(args[0]),
        Op::LogicalOr if ones(0) => Some(args[0]),
        Op::LogicalOr if ones(1) => Some(args[1]),
        Op::Mux if args[0].node.is_none() => Some(if args[0].value.bit(0) { args[1] } else { args[2] }),
        Op::Mux if args[1].node.is_none() && args[2].node.is_none() && args[1].value == args[2].value => {
            Some(args[1])
        }
        Op::ZeroExtend(width) | Op::SignExtend(width) if width == args[0].width() => Some(args[0]),
        Op::Repeat(1) => Some(args[0]),
        Op::Any | Op::All | Op::Parity if args[0].width() == 1 => Some(args[0]),
        Op::Concat if args.len() == 1 => Some(args[0]),
        Op::Slice { lo, width } => simplify_slice(args[0], lo, width, source),
        _ => None,
    }
}

fn simplify_slice(arg: Bits, lo: usize, width: usize, source: Source) -> Option<Bits> {
    if lo == 0 && width == arg.width() {
        return Some(arg);
    }
    let node = record::lookup(arg.node?)?;
    if node.name.is_some() {
        return None;
    }
    let NodeKind::Op(inner, operands) = node.kind else { return None };
    match inner {
        Op::Slice { lo: base, .. } => {
            Some(Bits::apply(Op::Slice { lo: base + lo, width }, &[recorded(operands[0])?], source))
        }
        Op::Concat => {
            let mut top = arg.width();
            for &operand in &operands {
                let part = recorded(operand)?;
                let bottom = top - part.width();
                if lo >= bottom && lo + width <= top {
                    return Some(Bits::apply(Op::Slice { lo: lo - bottom, width }, &[part], source));
                }
                top = bottom;
            }
            None
        }
        Op::ZeroExtend(_) | Op::SignExtend(_) => {
            let part = recorded(operands[0])?;
            let inside = lo + width <= part.width();
            inside.then(|| Bits::apply(Op::Slice { lo, width }, &[part], source))
        }
        _ => None,
    }
}

/// The value behind a recorded node.
fn recorded(id: NodeId) -> Option<Bits> {
    let node = record::lookup(id)?;
    Some(match node.kind {
        NodeKind::Literal(value) => Bits::constant(value),
        _ => Bits { value: Value::zero(node.width), node: Some(id) },
    })
}
