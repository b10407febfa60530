//! Rewrites that keep the emitted text plain: what an engineer would not have written out.
//!
//! Only shapes that elaboration itself produces are touched: a fold that starts from a constant, a slice of a
//! slice or of a concatenation, an extension to the same width, and what is constant whatever the operand is,
//! which linters refuse. Each rewrite keeps the meaning exactly; the differential tests run through it.

use crate::bits::Bits;
use crate::diagnostic::Source;
use crate::op::Op;
use crate::record::{self, NodeId, NodeKind};
use crate::value::Value;

/// The widest shift amount that Verilator takes.
const WIDEST_AMOUNT_BITS: usize = 32;

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
        Op::Shl | Op::Shr | Op::ShrSigned | Op::Index if args[1].width() > WIDEST_AMOUNT_BITS => {
            Some(Bits::apply(op, &[args[0], narrowed_amount(args[1], source)], source))
        }
        Op::Shl | Op::Shr if is_shifted_out(args) => Some(Bits::constant(Value::zero(args[0].width()))),
        Op::Index if args[1].node.is_none() => Some(simplify_index(args[0], args[1].value, source)),
        Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::LtSigned | Op::LeSigned | Op::GtSigned | Op::GeSigned => {
            decided_comparison(op, args).map(|holds| Bits::constant(Value::from_bool(holds)))
        }
        Op::ZeroExtend(width) | Op::SignExtend(width) if width == args[0].width() => Some(args[0]),
        Op::Repeat(1) => Some(args[0]),
        Op::Any | Op::All | Op::Parity if args[0].width() == 1 => Some(args[0]),
        Op::Concat if args.len() == 1 => Some(args[0]),
        Op::Slice { lo, width } => simplify_slice(args[0], lo, width, source),
        _ => None,
    }
}

/// An amount that shifts as far: larger ones shift everything out, as all ones do.
fn narrowed_amount(amount: Bits, source: Source) -> Bits {
    let slice = |lo, width| Bits::apply(Op::Slice { lo, width }, &[amount], source);
    let high = slice(WIDEST_AMOUNT_BITS, amount.width() - WIDEST_AMOUNT_BITS);
    let out = Bits::constant(Op::Not.eval(&[Value::zero(WIDEST_AMOUNT_BITS)]));
    Bits::apply(Op::Any, &[high], source).mux(out, slice(0, WIDEST_AMOUNT_BITS))
}

/// True for a constant amount that leaves nothing of the operand.
fn is_shifted_out(args: &[Bits]) -> bool {
    args[1].node.is_none() && args[1].value.to_u64().is_none_or(|amount| amount >= args[0].width() as u64)
}

fn simplify_index(arg: Bits, index: Value, source: Source) -> Bits {
    match index.to_u64().map(usize::try_from) {
        Some(Ok(lo)) if lo < arg.width() => Bits::apply(Op::Slice { lo, width: 1 }, &[arg], source),
        _ => Bits::constant(Value::zero(1)),
    }
}

/// What a comparison with the least or the greatest number says about every other number.
fn decided_comparison(op: Op, args: &[Bits]) -> Option<bool> {
    let constant = |i: usize| args[i].node.is_none().then_some(args[i].value);
    let width = args[0].width();
    let ones = Op::Not.eval(&[Value::zero(width)]);
    let mut top = Value::zero(width);
    top.set_bit(width - 1, true);
    let (least, greatest) = match op {
        Op::LtSigned | Op::LeSigned | Op::GtSigned | Op::GeSigned => (top, Op::Xor.eval(&[top, ones])),
        _ => (Value::zero(width), ones),
    };
    let decides = |left, right| constant(0) == Some(left) || constant(1) == Some(right);
    match op {
        Op::Lt | Op::LtSigned if decides(greatest, least) => Some(false),
        Op::Ge | Op::GeSigned if decides(greatest, least) => Some(true),
        Op::Gt | Op::GtSigned if decides(least, greatest) => Some(false),
        Op::Le | Op::LeSigned if decides(least, greatest) => Some(true),
        _ => None,
    }
}

fn simplify_slice(arg: Bits, lo: usize, width: usize, source: Source) -> Option<Bits> {
    if lo == 0 && width == arg.width() {
        return Some(arg);
    }
    let (inner, operands) = record::look_up(arg.node?, |node| match &node.kind {
        NodeKind::Op(inner, operands) if node.name.is_none() => Some((*inner, operands.clone())),
        _ => None,
    })??;
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
    record::look_up(id, |node| match node.kind {
        NodeKind::Literal(value) => Bits::constant(value),
        _ => Bits { value: Value::zero(node.width), node: Some(id) },
    })
}
