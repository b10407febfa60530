//! Operators: their typing rule and their meaning, in one place each.
//!
//! [`Op::result_width`] is what the kernel and the back end agree on;
//! [`Op::eval`] is the meaning in Rust simulation. Verilog is printed so that it means the same.

use crate::value::{MAX_WIDTH_BITS, Value};
use std::cmp::Ordering;

/// An operator over values of run-time width. Operands are unsigned unless the name says signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// Bitwise complement.
    Not,
    /// Two's complement negation, same width.
    Neg,
    /// Bitwise and of equal widths.
    And,
    /// Bitwise or of equal widths.
    Or,
    /// Bitwise exclusive or of equal widths.
    Xor,
    /// Sum of equal widths, wrapping.
    Add,
    /// Difference of equal widths, wrapping.
    Sub,
    /// Full product: as wide as both operands together.
    Mul,
    /// Full signed product.
    MulSigned,
    /// Equality of equal widths, one bit.
    Eq,
    /// Inequality of equal widths, one bit.
    Ne,
    /// Less than.
    Lt,
    /// Less than or equal.
    Le,
    /// Greater than.
    Gt,
    /// Greater than or equal.
    Ge,
    /// Signed less than.
    LtSigned,
    /// Signed less than or equal.
    LeSigned,
    /// Signed greater than.
    GtSigned,
    /// Signed greater than or equal.
    GeSigned,
    /// `&&` of single bits.
    LogicalAnd,
    /// `||` of single bits.
    LogicalOr,
    /// Shift left by a run-time amount; zero when the amount reaches the width.
    Shl,
    /// Shift right by a run-time amount, filling with zeros.
    Shr,
    /// Shift right by a run-time amount, filling with the sign.
    ShrSigned,
    /// One bit: any bit set.
    Any,
    /// One bit: all bits set.
    All,
    /// One bit: an odd number of bits set.
    Parity,
    /// `width` bits from bit `lo` up.
    Slice {
        /// Lowest bit taken.
        lo: usize,
        /// Bits taken.
        width: usize,
    },
    /// One bit at a run-time position; zero past the top.
    Index,
    /// Concatenation, most significant first.
    Concat,
    /// The operand this many times in a row.
    Repeat(usize),
    /// Zero extension to this width.
    ZeroExtend(usize),
    /// Sign extension to this width.
    SignExtend(usize),
    /// `cond ? then : otherwise`.
    Mux,
}

/// Why operands do not fit an operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WidthRule {
    /// Both must be of one width.
    Equal,
    /// Operand number (from 0) must be one bit.
    OneBit(usize),
    /// A slice must end inside its operand.
    SliceInside,
    /// An extension must not be narrower than its operand.
    ExtensionNotNarrower,
    /// No result is wider than [`MAX_WIDTH_BITS`], none is empty.
    InRange,
}

impl Op {
    /// The bits of the operands, as operand and bit, that bit `bit` of the result depends on. `amount` is the second
    /// operand where that is a constant.
    pub(crate) fn operand_bits(
        self,
        widths: &[usize],
        amount: Option<Value>,
        bit: usize,
    ) -> Vec<(usize, usize)> {
        let up_to = |bit: usize| -> Vec<(usize, usize)> {
            (0..widths.len()).flat_map(|i| (0..=bit.min(widths[i] - 1)).map(move |b| (i, b))).collect()
        };
        match self {
            Op::Not | Op::And | Op::Or | Op::Xor => (0..widths.len()).map(|i| (i, bit)).collect(),
            Op::Neg | Op::Add | Op::Sub | Op::Mul => up_to(bit),
            Op::Mux => vec![(0, 0), (1, bit), (2, bit)],
            Op::Slice { lo, .. } => vec![(0, lo + bit)],
            Op::Repeat(_) => vec![(0, bit % widths[0])],
            Op::ZeroExtend(_) if bit >= widths[0] => vec![],
            Op::ZeroExtend(_) => vec![(0, bit)],
            Op::SignExtend(_) => vec![(0, bit.min(widths[0] - 1))],
            Op::Concat => {
                let mut low = 0;
                for i in (0..widths.len()).rev() {
                    if bit < low + widths[i] {
                        return vec![(i, bit - low)];
                    }
                    low += widths[i];
                }
                vec![]
            }
            Op::Shl | Op::Shr | Op::ShrSigned => {
                let Some(amount) = amount else { return up_to(usize::MAX) };
                let amount = amount.to_u64().and_then(|amount| usize::try_from(amount).ok());
                let amount = amount.unwrap_or(usize::MAX);
                match bit.saturating_add(amount) {
                    _ if self == Op::Shl => bit.checked_sub(amount).map(|b| (0, b)).into_iter().collect(),
                    from if from < widths[0] => vec![(0, from)],
                    _ if self == Op::ShrSigned => vec![(0, widths[0] - 1)],
                    _ => vec![],
                }
            }
            _ => up_to(usize::MAX),
        }
    }

    /// The symbol or name for messages.
    pub fn symbol(self) -> &'static str {
        match self {
            Op::Not => "!",
            Op::Neg | Op::Sub => "-",
            Op::And => "&",
            Op::Or => "|",
            Op::Xor => "^",
            Op::Add => "+",
            Op::Mul | Op::MulSigned => "*",
            Op::Eq => "==",
            Op::Ne => "!=",
            Op::Lt | Op::LtSigned => "<",
            Op::Le | Op::LeSigned => "<=",
            Op::Gt | Op::GtSigned => ">",
            Op::Ge | Op::GeSigned => ">=",
            Op::LogicalAnd => "&&",
            Op::LogicalOr => "||",
            Op::Shl => "<<",
            Op::Shr | Op::ShrSigned => ">>",
            Op::Any => "any",
            Op::All => "all",
            Op::Parity => "parity",
            Op::Slice { .. } => "slice",
            Op::Index => "at",
            Op::Concat => "cat",
            Op::Repeat(_) => "repeat",
            Op::ZeroExtend(_) => "zero_extend",
            Op::SignExtend(_) => "sign_extend",
            Op::Mux => "if",
        }
    }

    /// The width of the result, in bits, or the rule that the operand widths break.
    pub fn result_width(self, widths: &[usize]) -> Result<usize, WidthRule> {
        let equal = |a: usize, b: usize| if widths[a] == widths[b] { Ok(()) } else { Err(WidthRule::Equal) };
        let one_bit = |i: usize| if widths[i] == 1 { Ok(()) } else { Err(WidthRule::OneBit(i)) };
        let width = match self {
            Op::Not | Op::Neg | Op::Shl | Op::Shr | Op::ShrSigned => widths[0],
            Op::And | Op::Or | Op::Xor | Op::Add | Op::Sub => {
                equal(0, 1)?;
                widths[0]
            }
            Op::Mul | Op::MulSigned => widths[0] + widths[1],
            Op::Eq
            | Op::Ne
            | Op::Lt
            | Op::Le
            | Op::Gt
            | Op::Ge
            | Op::LtSigned
            | Op::LeSigned
            | Op::GtSigned
            | Op::GeSigned => {
                equal(0, 1)?;
                1
            }
            Op::LogicalAnd | Op::LogicalOr => {
                one_bit(0)?;
                one_bit(1)?;
                1
            }
            Op::Any | Op::All | Op::Parity | Op::Index => 1,
            Op::Slice { lo, width } => {
                if lo + width > widths[0] {
                    return Err(WidthRule::SliceInside);
                }
                width
            }
            Op::Concat => widths.iter().sum(),
            Op::Repeat(times) => widths[0] * times,
            Op::ZeroExtend(width) | Op::SignExtend(width) => {
                if width < widths[0] {
                    return Err(WidthRule::ExtensionNotNarrower);
                }
                width
            }
            Op::Mux => {
                one_bit(0)?;
                equal(1, 2)?;
                widths[1]
            }
        };
        if (1..=MAX_WIDTH_BITS).contains(&width) { Ok(width) } else { Err(WidthRule::InRange) }
    }

    /// The meaning. Operand widths must satisfy [`Op::result_width`].
    pub fn eval(self, args: &[Value]) -> Value {
        let a = args[0];
        let b = || args[1];
        let flag = Value::from_bool;
        match self {
            Op::Not => a.zip_limbs(a, 0, |x, _, _| (!x, 0)),
            Op::Neg => Op::Sub.eval(&[Value::zero(a.width()), a]),
            Op::And => a.zip_limbs(b(), 0, |x, y, _| (x & y, 0)),
            Op::Or => a.zip_limbs(b(), 0, |x, y, _| (x | y, 0)),
            Op::Xor => a.zip_limbs(b(), 0, |x, y, _| (x ^ y, 0)),
            Op::Add => a.zip_limbs(b(), 0, add_with_carry),
            Op::Sub => a.zip_limbs(b(), 1, |x, y, carry| add_with_carry(x, !y, carry)),
            Op::Mul => product(a, b(), |v, width| v.resized(width)),
            Op::MulSigned => product(a, b(), |v, width| v.sign_resized(width)),
            Op::Eq => flag(a == b()),
            Op::Ne => flag(a != b()),
            Op::Lt => flag(a < b()),
            Op::Le => flag(a <= b()),
            Op::Gt => flag(a > b()),
            Op::Ge => flag(a >= b()),
            Op::LtSigned => flag(signed_cmp(a, b()).is_lt()),
            Op::LeSigned => flag(signed_cmp(a, b()).is_le()),
            Op::GtSigned => flag(signed_cmp(a, b()).is_gt()),
            Op::GeSigned => flag(signed_cmp(a, b()).is_ge()),
            Op::LogicalAnd => flag(a.bit(0) && b().bit(0)),
            Op::LogicalOr => flag(a.bit(0) || b().bit(0)),
            Op::Shl => a.shifted_left(shift_amount(b(), a.width())),
            Op::Shr => a.shifted_right(shift_amount(b(), a.width())),
            Op::ShrSigned => shifted_right_signed(a, shift_amount(b(), a.width())),
            Op::Any => flag(!a.is_zero()),
            Op::All => flag(Op::Not.eval(&[a]).is_zero()),
            Op::Parity => flag(a.limbs().iter().map(|l| l.count_ones()).sum::<u32>() % 2 == 1),
            Op::Slice { lo, width } => a.slice(lo, width),
            Op::Index => flag(b().to_u64().is_some_and(|i| a.bit(usize::try_from(i).unwrap_or(usize::MAX)))),
            Op::Concat => concat(args),
            Op::Repeat(times) => concat(&vec![a; times]),
            Op::ZeroExtend(width) => a.resized(width),
            Op::SignExtend(width) => a.sign_resized(width),
            Op::Mux => {
                if a.bit(0) {
                    args[1]
                } else {
                    args[2]
                }
            }
        }
    }
}

fn add_with_carry(x: u64, y: u64, carry: u64) -> (u64, u64) {
    let sum = u128::from(x) + u128::from(y) + u128::from(carry);
    (sum as u64, (sum >> 64) as u64)
}

fn signed_cmp(a: Value, b: Value) -> Ordering {
    b.is_negative().cmp(&a.is_negative()).then(a.cmp(&b))
}

fn shift_amount(amount: Value, width: usize) -> usize {
    amount.to_u64().and_then(|n| usize::try_from(n).ok()).map_or(width, |n| n.min(width))
}

fn shifted_right_signed(a: Value, amount: usize) -> Value {
    let wide = a.sign_resized((a.width() * 2).min(MAX_WIDTH_BITS));
    if wide.width() == a.width() * 2 {
        return wide.shifted_right(amount).resized(a.width());
    }
    let mut out = a.shifted_right(amount);
    for i in a.width() - amount..a.width() {
        out.set_bit(i, a.is_negative());
    }
    out
}

/// Schoolbook product; `extend` widens an operand with zeros or with its sign.
fn product(a: Value, b: Value, extend: impl Fn(Value, usize) -> Value) -> Value {
    let width = a.width() + b.width();
    let (a, b) = (extend(a, width), extend(b, width));
    let mut limbs = vec![0u64; a.limbs().len()];
    for (i, &x) in a.limbs().iter().enumerate() {
        let mut carry = 0u128;
        for (j, &y) in b.limbs().iter().enumerate().take(limbs.len() - i) {
            let sum = u128::from(x) * u128::from(y) + u128::from(limbs[i + j]) + carry;
            limbs[i + j] = sum as u64;
            carry = sum >> 64;
        }
    }
    Value::from_limbs(width, &limbs)
}

fn concat(parts: &[Value]) -> Value {
    let mut out = Value::zero(parts.iter().map(Value::width).sum());
    let mut lo = 0;
    for part in parts.iter().rev() {
        out.place(lo, part);
        lo += part.width();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn v(width: usize, number: i128) -> Value {
        Value::from_u128(width, number as u128)
    }

    #[test]
    fn meanings_by_hand() {
        let wide = Op::Sub.eval(&[Value::zero(200), v(200, 1)]);
        assert_eq!(wide, Op::Not.eval(&[Value::zero(200)]), "borrow runs through every limb");
        let table = [
            (Op::Add, vec![v(8, 200), v(8, 100)], v(8, 44)),
            (Op::Mul, vec![v(8, 255), v(4, 15)], v(12, 3825)),
            (Op::MulSigned, vec![v(8, -128), v(4, -8)], v(12, 1024)),
            (Op::LtSigned, vec![v(8, -1), v(8, 1)], v(1, 1)),
            (Op::Lt, vec![v(8, -1), v(8, 1)], v(1, 0)),
            (Op::ShrSigned, vec![v(8, -128), v(3, 3)], v(8, -16)),
            (Op::ShrSigned, vec![v(8, -128), v(8, 200)], v(8, -1)),
            (Op::Shl, vec![v(8, 1), v(64, -1)], v(8, 0)),
            (Op::Index, vec![v(5, 0b10000), v(3, 4)], v(1, 1)),
            (Op::Index, vec![v(5, 0b10000), v(3, 7)], v(1, 0)),
            (Op::Concat, vec![v(4, 0xa), v(8, 0x5b)], v(12, 0xa5b)),
            (Op::Repeat(3), vec![v(2, 1)], v(6, 0b010101)),
            (Op::Slice { lo: 4, width: 4 }, vec![v(12, 0xabc)], v(4, 0xb)),
            (Op::SignExtend(6), vec![v(3, -2)], v(6, -2)),
            (Op::All, vec![v(65, -1)], v(1, 1)),
            (Op::Parity, vec![v(9, 0b111)], v(1, 1)),
            (Op::Mux, vec![v(1, 1), v(2, 2), v(2, 3)], v(2, 2)),
        ];
        for (op, args, expected) in table {
            let widths: Vec<usize> = args.iter().map(Value::width).collect();
            assert_eq!(op.result_width(&widths), Ok(expected.width()), "width of {op:?} {args:?}");
            assert_eq!(op.eval(&args), expected, "{op:?} {args:?}");
        }
    }
}
