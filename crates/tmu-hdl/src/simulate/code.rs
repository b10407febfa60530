//! Instructions: one operation each over limbs of the store.
//!
//! Values of up to 64 bits are one limb, and each of their operations is one instruction with its constants beside
//! it. Wider ones are several limbs; moves of bits, multiplexers and bitwise operations work limb by limb, the few
//! others through [`Op::eval`].

use super::store::{Slot, Store};
use crate::op::Op;
use crate::value::{MAX_WIDTH_BITS, Value};

/// Limbs of the widest value.
pub(super) const MAX_LIMBS: usize = MAX_WIDTH_BITS / 64;

/// What an instruction computes. `a`, `b` … are offsets of operands in the store.
#[derive(Clone, Copy, Debug)]
pub(super) enum Code {
    Not {
        a: u32,
        mask: u64,
    },
    Neg {
        a: u32,
        mask: u64,
    },
    And {
        a: u32,
        b: u32,
    },
    Or {
        a: u32,
        b: u32,
    },
    Xor {
        a: u32,
        b: u32,
    },
    Add {
        a: u32,
        b: u32,
        mask: u64,
    },
    Sub {
        a: u32,
        b: u32,
        mask: u64,
    },
    Mul {
        a: u32,
        b: u32,
    },
    MulSigned {
        a: u32,
        b: u32,
        a_unused: u8,
        b_unused: u8,
        mask: u64,
    },
    Eq {
        a: u32,
        b: u32,
    },
    Ne {
        a: u32,
        b: u32,
    },
    Lt {
        a: u32,
        b: u32,
    },
    Le {
        a: u32,
        b: u32,
    },
    LtSigned {
        a: u32,
        b: u32,
        unused: u8,
    },
    LeSigned {
        a: u32,
        b: u32,
        unused: u8,
    },
    Shl {
        a: u32,
        b: u32,
        width: u8,
        mask: u64,
    },
    Shr {
        a: u32,
        b: u32,
        width: u8,
    },
    ShrSigned {
        a: u32,
        b: u32,
        unused: u8,
        mask: u64,
    },
    Any {
        a: u32,
    },
    All {
        a: u32,
        mask: u64,
    },
    Parity {
        a: u32,
    },
    Slice {
        a: u32,
        lo: u8,
        mask: u64,
    },
    /// A slice that lies in one or two limbs of a wide value.
    SliceTwo {
        a: u32,
        lo: u8,
        mask: u64,
    },
    Index {
        a: u32,
        b: u32,
        width: u8,
    },
    Join {
        high: u32,
        low: u32,
        shift: u8,
    },
    /// Parts in the table, most significant first, each with its place.
    JoinMany {
        first: u32,
        count: u32,
    },
    Fill {
        a: u32,
        mask: u64,
    },
    SignExtend {
        a: u32,
        unused: u8,
        mask: u64,
    },
    Mux {
        c: u32,
        a: u32,
        b: u32,
    },
    /// The word of a memory.
    Read {
        memory: u32,
        address: u32,
    },
    /// An entry of the table of wide operations.
    Wide(u32),
}

/// A run of bits that moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) from: u32,
    pub(super) from_bit: u32,
    pub(super) width: u32,
    pub(super) to_bit: u32,
}

/// An operation with an operand or a result of more than 64 bits.
#[derive(Clone, Debug)]
pub(super) enum Wide {
    Move(Vec<Part>),
    Mux { c: u32, a: u32, b: u32 },
    Not { a: u32 },
    And { a: u32, b: u32 },
    Or { a: u32, b: u32 },
    Xor { a: u32, b: u32 },
    Equal { a: u32, b: u32, limbs: u32, negated: bool },
    Any { a: u32, limbs: u32 },
    General(Op, Vec<Slot>),
}

pub(super) fn mask(width: usize) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// The code of an operation whose operands and result are at most 64 bits wide.
pub(super) fn narrow(op: Op, args: &[Slot], width: usize, parts: &mut Vec<(u32, u8)>) -> Code {
    let at = |i: usize| args[i].offset;
    let unused = |i: usize| (64 - args[i].width) as u8;
    let (a, b) = (at(0), args.get(1).map_or(0, |arg| arg.offset));
    let mask = mask(width);
    match op {
        Op::Not => Code::Not { a, mask },
        Op::Neg => Code::Neg { a, mask },
        Op::And | Op::LogicalAnd => Code::And { a, b },
        Op::Or | Op::LogicalOr => Code::Or { a, b },
        Op::Xor => Code::Xor { a, b },
        Op::Add => Code::Add { a, b, mask },
        Op::Sub => Code::Sub { a, b, mask },
        Op::Mul => Code::Mul { a, b },
        Op::MulSigned => Code::MulSigned { a, b, a_unused: unused(0), b_unused: unused(1), mask },
        Op::Eq => Code::Eq { a, b },
        Op::Ne => Code::Ne { a, b },
        Op::Lt => Code::Lt { a, b },
        Op::Le => Code::Le { a, b },
        Op::Gt => Code::Lt { a: b, b: a },
        Op::Ge => Code::Le { a: b, b: a },
        Op::LtSigned => Code::LtSigned { a, b, unused: unused(0) },
        Op::LeSigned => Code::LeSigned { a, b, unused: unused(0) },
        Op::GtSigned => Code::LtSigned { a: b, b: a, unused: unused(0) },
        Op::GeSigned => Code::LeSigned { a: b, b: a, unused: unused(0) },
        Op::Shl => Code::Shl { a, b, width: width as u8, mask },
        Op::Shr => Code::Shr { a, b, width: width as u8 },
        Op::ShrSigned => Code::ShrSigned { a, b, unused: unused(0), mask },
        Op::Any => Code::Any { a },
        Op::All => Code::All { a, mask: self::mask(args[0].width as usize) },
        Op::Parity => Code::Parity { a },
        Op::Slice { lo, .. } => Code::Slice { a, lo: lo as u8, mask },
        Op::Index => Code::Index { a, b, width: args[0].width as u8 },
        Op::Concat if args.len() == 2 => Code::Join { high: a, low: b, shift: args[1].width as u8 },
        Op::Repeat(_) if args[0].width == 1 => Code::Fill { a, mask },
        Op::Concat => join_many(args.iter().copied(), width, parts),
        Op::Repeat(times) => join_many(std::iter::repeat_n(args[0], times), width, parts),
        // Unused high bits are zero, so this is the operand itself; see `program`.
        Op::ZeroExtend(_) => Code::Or { a, b: a },
        Op::SignExtend(_) => Code::SignExtend { a, unused: unused(0), mask },
        Op::Mux => Code::Mux { c: a, a: b, b: at(2) },
    }
}

fn join_many(args: impl Iterator<Item = Slot>, width: usize, parts: &mut Vec<(u32, u8)>) -> Code {
    let first = parts.len() as u32;
    let mut top = width as u32;
    for arg in args {
        top -= arg.width;
        parts.push((arg.offset, top as u8));
    }
    Code::JoinMany { first, count: parts.len() as u32 - first }
}

/// The code of an operation with something wide about it.
pub(super) fn wide(op: Op, args: &[Slot], result: Slot, table: &mut Vec<Wide>) -> Code {
    let (a, b) = (args[0].offset, args.get(1).map_or(0, |arg| arg.offset));
    let limbs = args[0].limbs() as u32;
    let moved = |slots: &mut dyn Iterator<Item = Slot>| {
        let mut top = result.width;
        let parts = slots.map(|slot| {
            top -= slot.width;
            Part { from: slot.offset, from_bit: 0, width: slot.width, to_bit: top }
        });
        Wide::Move(parts.collect())
    };
    let entry = match op {
        Op::Slice { lo, width } if width <= 64 => {
            let a = a + (lo / 64) as u32;
            let code = if lo % 64 + width <= 64 {
                Code::Slice { a, lo: (lo % 64) as u8, mask: mask(width) }
            } else {
                Code::SliceTwo { a, lo: (lo % 64) as u8, mask: mask(width) }
            };
            return code;
        }
        Op::Slice { lo, width } => {
            Wide::Move(vec![Part { from: a, from_bit: lo as u32, width: width as u32, to_bit: 0 }])
        }
        Op::ZeroExtend(_) => Wide::Move(vec![Part { from: a, from_bit: 0, width: args[0].width, to_bit: 0 }]),
        Op::Concat => moved(&mut args.iter().copied()),
        Op::Repeat(times) if args[0].width > 1 => moved(&mut std::iter::repeat_n(args[0], times)),
        Op::Mux => Wide::Mux { c: a, a: b, b: args[2].offset },
        Op::Not => Wide::Not { a },
        Op::And => Wide::And { a, b },
        Op::Or => Wide::Or { a, b },
        Op::Xor => Wide::Xor { a, b },
        Op::Eq | Op::Ne => Wide::Equal { a, b, limbs, negated: op == Op::Ne },
        Op::Any => Wide::Any { a, limbs },
        _ => Wide::General(op, args.to_vec()),
    };
    table.push(entry);
    Code::Wide(table.len() as u32 - 1)
}

/// Runs a wide operation; the result goes into `out`.
pub(super) fn run_wide(entry: &Wide, store: &Store, result: Slot, out: &mut [u64; MAX_LIMBS]) {
    let limbs = result.limbs();
    let each = |out: &mut [u64; MAX_LIMBS], a: u32, b: u32, f: fn(u64, u64) -> u64| {
        for (i, limb) in (0..).zip(&mut out[..limbs]) {
            *limb = f(store.get(a + i), store.get(b + i));
        }
    };
    match entry {
        Wide::Move(parts) => {
            out[..limbs].fill(0);
            parts.iter().for_each(|part| move_bits(store, part, out));
        }
        Wide::Mux { c, a, b } => {
            let from = if store.get(*c) != 0 { *a } else { *b };
            each(out, from, from, |x, _| x);
        }
        Wide::Not { a } => {
            each(out, *a, *a, |x, _| !x);
            out[limbs - 1] &= mask(result.width as usize - (limbs - 1) * 64);
        }
        Wide::And { a, b } => each(out, *a, *b, |x, y| x & y),
        Wide::Or { a, b } => each(out, *a, *b, |x, y| x | y),
        Wide::Xor { a, b } => each(out, *a, *b, |x, y| x ^ y),
        Wide::Equal { a, b, limbs, negated } => {
            let equal = (0..*limbs).all(|i| store.get(a + i) == store.get(b + i));
            out[0] = u64::from(equal != *negated);
        }
        Wide::Any { a, limbs } => out[0] = u64::from((0..*limbs).any(|i| store.get(a + i) != 0)),
        Wide::General(op, args) => {
            let values: Vec<Value> = args.iter().map(|&arg| store.value(arg)).collect();
            out[..limbs].copy_from_slice(op.eval(&values).limbs());
        }
    }
}

fn move_bits(store: &Store, part: &Part, out: &mut [u64; MAX_LIMBS]) {
    let mut done = 0;
    while done < part.width {
        let count = (part.width - done).min(64);
        let (from, shift) = (part.from_bit + done, (part.from_bit + done) % 64);
        let offset = part.from + from / 64;
        let mut bits = store.get(offset) >> shift;
        if shift > 0 && shift + count > 64 {
            bits |= store.get(offset + 1) << (64 - shift);
        }
        bits &= mask(count as usize);
        let to = part.to_bit + done;
        let (limb, shift) = ((to / 64) as usize, to % 64);
        out[limb] |= bits << shift;
        if shift > 0 && shift + count > 64 {
            out[limb + 1] |= bits >> (64 - shift);
        }
        done += count;
    }
}

/// Two's complement of a number that leaves `unused` high bits of its limb.
fn signed(limb: u64, unused: u8) -> i64 {
    (limb << unused) as i64 >> unused
}

/// Runs an operation of one limb. Memories and wide operations are the engine's.
#[inline(always)]
pub(super) fn run_narrow(code: &Code, s: &Store, parts: &[(u32, u8)]) -> u64 {
    let flag = u64::from;
    match *code {
        Code::Not { a, mask } => !s.get(a) & mask,
        Code::Neg { a, mask } => s.get(a).wrapping_neg() & mask,
        Code::And { a, b } => s.get(a) & s.get(b),
        Code::Or { a, b } => s.get(a) | s.get(b),
        Code::Xor { a, b } => s.get(a) ^ s.get(b),
        Code::Add { a, b, mask } => s.get(a).wrapping_add(s.get(b)) & mask,
        Code::Sub { a, b, mask } => s.get(a).wrapping_sub(s.get(b)) & mask,
        Code::Mul { a, b } => s.get(a).wrapping_mul(s.get(b)),
        Code::MulSigned { a, b, a_unused, b_unused, mask } => {
            (signed(s.get(a), a_unused).wrapping_mul(signed(s.get(b), b_unused))) as u64 & mask
        }
        Code::Eq { a, b } => flag(s.get(a) == s.get(b)),
        Code::Ne { a, b } => flag(s.get(a) != s.get(b)),
        Code::Lt { a, b } => flag(s.get(a) < s.get(b)),
        Code::Le { a, b } => flag(s.get(a) <= s.get(b)),
        Code::LtSigned { a, b, unused } => flag(signed(s.get(a), unused) < signed(s.get(b), unused)),
        Code::LeSigned { a, b, unused } => flag(signed(s.get(a), unused) <= signed(s.get(b), unused)),
        Code::Shl { a, b, width, mask } => match s.get(b) {
            amount if amount < u64::from(width) => s.get(a) << amount & mask,
            _ => 0,
        },
        Code::Shr { a, b, width } => match s.get(b) {
            amount if amount < u64::from(width) => s.get(a) >> amount,
            _ => 0,
        },
        Code::ShrSigned { a, b, unused, mask } => {
            (signed(s.get(a), unused) >> s.get(b).min(63)) as u64 & mask
        }
        Code::Any { a } => flag(s.get(a) != 0),
        Code::All { a, mask } => flag(s.get(a) == mask),
        Code::Parity { a } => u64::from(s.get(a).count_ones() & 1),
        Code::Slice { a, lo, mask } => s.get(a) >> lo & mask,
        Code::SliceTwo { a, lo, mask } => (s.get(a) >> lo | s.get(a + 1) << (64 - lo)) & mask,
        Code::Index { a, b, width } => match s.get(b) {
            index if index < u64::from(width) => s.get(a) >> index & 1,
            _ => 0,
        },
        Code::Join { high, low, shift } => s.get(high) << shift | s.get(low),
        Code::JoinMany { first, count } => {
            let parts = &parts[first as usize..(first + count) as usize];
            parts.iter().fold(0, |joined, &(part, shift)| joined | s.get(part) << shift)
        }
        Code::Fill { a, mask } => {
            if s.get(a) != 0 {
                mask
            } else {
                0
            }
        }
        Code::SignExtend { a, unused, mask } => signed(s.get(a), unused) as u64 & mask,
        Code::Mux { c, a, b } => {
            let from = if s.get(c) != 0 { a } else { b };
            s.get(from)
        }
        Code::Read { .. } | Code::Wide(_) => 0,
    }
}
