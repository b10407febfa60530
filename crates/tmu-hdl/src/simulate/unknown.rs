//! Unknown bits: a second store says which bits of each value nobody has defined yet.
//!
//! Operators pass on what Verilog's do: `0 & x` is 0, a comparison of values that differ in a known bit is known,
//! arithmetic on anything unknown is unknown throughout. A multiplexer and an `if` whose condition is unknown give
//! the bits on which both sides agree, where Verilog's `if` would take its `else` side: nothing is known too early.
//! A write to an unknown address makes the whole memory unknown. An unknown bit reads as 0 in the other store.

use super::Unknown;
use super::memory::Memories;
use super::program::{Meaning, Program, Write};
use super::store::{Slot, Store};
use crate::op::Op;
use crate::value::Value;

/// Which bits are unknown.
#[derive(Debug)]
pub(super) struct Unknowns {
    /// As the store, a set bit for each unknown one.
    masks: Vec<u64>,
    /// As the words of each memory.
    memories: Vec<Vec<u64>>,
}

fn ones(width: usize) -> Value {
    Op::Not.eval(&[Value::zero(width)])
}

impl Unknowns {
    pub(super) fn new(program: &Program, unknown: Unknown) -> Unknowns {
        let memory = |memory: &crate::behaviour::Memory| {
            let word = match memory.words {
                Some(_) => Value::zero(memory.width),
                None => ones(memory.width),
            };
            word.limbs().repeat(memory.depth)
        };
        let memories = program.memories.iter().map(memory).collect();
        let mut unknowns = Unknowns { masks: vec![0; program.limbs], memories };
        for register in program.registers.iter().flatten() {
            let without_reset = !register.has_reset && !register.is_primitive;
            if register.starts_undefined || unknown == Unknown::MemoriesAndRegisters && without_reset {
                unknowns.put(register.output, &ones(register.output.width as usize));
            }
        }
        unknowns
    }

    pub(super) fn get(&self, offset: u32) -> u64 {
        self.masks[offset as usize]
    }

    /// True where it changed.
    pub(super) fn set(&mut self, offset: u32, mask: u64) -> bool {
        std::mem::replace(&mut self.masks[offset as usize], mask) != mask
    }

    /// Notes that all bits are known now; true where some were not.
    pub(super) fn forget(&mut self, slot: Slot) -> bool {
        self.put(slot, &Value::zero(slot.width as usize))
    }

    pub(super) fn value(&self, slot: Slot) -> Value {
        let first = slot.offset as usize;
        Value::from_limbs(slot.width as usize, &self.masks[first..first + slot.limbs()])
    }

    fn put(&mut self, slot: Slot, mask: &Value) -> bool {
        let mut changed = false;
        for (i, &limb) in mask.limbs().iter().enumerate() {
            changed |= self.set(slot.offset + i as u32, limb);
        }
        changed
    }

    /// Computes the value of an instruction and its unknown bits; true where either changed.
    pub(super) fn evaluate(
        &mut self,
        program: &Program,
        index: usize,
        store: &Store,
        memories: &Memories,
    ) -> bool {
        let result = program.instructions[index].result;
        let (value, mask) = match &program.meanings[index] {
            Meaning::Operation(op, args) => {
                let args: Vec<(Value, Value)> =
                    args.iter().map(|&arg| (store.value(arg), self.value(arg))).collect();
                operation(*op, &args)
            }
            Meaning::Read { memory, address } => self.read(*memory, *address, result, store, memories),
        };
        let changed = store.put(result, value.limbs());
        self.put(result, &mask) | changed
    }

    fn read(
        &self,
        memory: usize,
        address: Slot,
        result: Slot,
        store: &Store,
        memories: &Memories,
    ) -> (Value, Value) {
        let width = result.width as usize;
        if self.get(address.offset) != 0 {
            return (Value::zero(width), ones(width));
        }
        let address = store.get(address.offset);
        let words = memories.of(memory);
        let mask = match words.place(address) {
            Some(at) => Value::from_limbs(width, &self.memories[memory][at..at + words.limbs_each]),
            None => Value::zero(width),
        };
        (Value::from_limbs(width, memories.read(memory, address)), mask)
    }

    /// A write with whatever is unknown about it; true where a word or what is known of it changed.
    pub(super) fn write(&mut self, write: &Write, store: &Store, memories: &mut Memories) -> bool {
        let enable_is_known = self.get(write.enable.offset) == 0;
        if enable_is_known && store.get(write.enable.offset) == 0 {
            return false;
        }
        if self.get(write.address.offset) != 0 {
            let whole = ones(write.data.width as usize);
            let masks = &mut self.memories[write.memory];
            let count = masks.len() / whole.limbs().len();
            *masks = whole.limbs().repeat(count);
            memories.clear(write.memory);
            return true;
        }
        let address = store.get(write.address.offset);
        let words = memories.of(write.memory);
        let Some(at) = words.place(address) else { return false };
        let width = write.data.width as usize;
        let old = Value::from_limbs(width, memories.read(write.memory, address));
        let old_mask = Value::from_limbs(width, &self.memories[write.memory][at..at + words.limbs_each]);
        let (value, mask) = match enable_is_known {
            true => (store.value(write.data), self.value(write.data)),
            // Written or not: what both agree on is known.
            false => {
                let condition = (Value::zero(1), ones(1));
                let new = (store.value(write.data), self.value(write.data));
                operation(Op::Mux, &[condition, new, (old, old_mask)])
            }
        };
        let each = words.limbs_each;
        self.memories[write.memory][at..at + each].copy_from_slice(mask.limbs());
        memories.put_word(write.memory, at, value.limbs());
        (value, mask) != (old, old_mask)
    }
}

/// An operator over values and their unknown bits.
fn operation(op: Op, args: &[(Value, Value)]) -> (Value, Value) {
    let values: Vec<Value> = args.iter().map(|arg| arg.0).collect();
    let masks: Vec<Value> = args.iter().map(|arg| arg.1).collect();
    let result = op.eval(&values);
    let width = result.width();
    if masks.iter().all(Value::is_zero) {
        return (result, Value::zero(width));
    }
    let and = |a: Value, b: Value| Op::And.eval(&[a, b]);
    let or = |a: Value, b: Value| Op::Or.eval(&[a, b]);
    let not = |a: Value| Op::Not.eval(&[a]);
    // Unknown bits of values are zero, so these are the bits known to be 0.
    let zeros = |i: usize| not(or(values[i], masks[i]));
    let either = || or(masks[0], masks[1]);
    let flag = |known: bool| if known { Value::zero(1) } else { ones(1) };
    let mask = match op {
        Op::Not => masks[0],
        Op::And | Op::LogicalAnd => and(either(), not(or(zeros(0), zeros(1)))),
        Op::Or | Op::LogicalOr => and(either(), not(or(values[0], values[1]))),
        Op::Xor => either(),
        Op::Mux if masks[0].is_zero() => masks[if values[0].bit(0) { 1 } else { 2 }],
        Op::Mux => or(Op::Xor.eval(&values[1..]), or(masks[1], masks[2])),
        Op::Slice { .. } | Op::Concat | Op::Repeat(_) | Op::ZeroExtend(_) | Op::SignExtend(_) => {
            op.eval(&masks)
        }
        Op::Shl | Op::Shr | Op::ShrSigned | Op::Index if masks[1].is_zero() => {
            op.eval(&[masks[0], values[1]])
        }
        Op::Eq | Op::Ne => flag(!and(Op::Xor.eval(&values), not(either())).is_zero()),
        Op::Any => flag(!values[0].is_zero()),
        Op::All => flag(!zeros(0).is_zero()),
        _ => ones(width),
    };
    (and(result_of(op, result), not(mask)), mask)
}

/// What a comparison with something unknown is where it is known: sides that differ.
fn result_of(op: Op, result: Value) -> Value {
    match op {
        Op::Eq => Value::zero(1),
        Op::Ne => ones(1),
        _ => result,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads `01x`.
    fn bits(text: &str) -> (Value, Value) {
        let of = |wanted: char| {
            let text: Vec<bool> = text.chars().rev().map(|c| c == wanted).collect();
            Value::from_bits(text.into_iter())
        };
        (of('1'), of('x'))
    }

    #[test]
    fn operators_know_what_verilog_knows() {
        let table: [(Op, &[&str], &str); 17] = [
            (Op::Not, &["01x"], "10x"),
            (Op::And, &["01x01x", "000xxx"], "0000xx"),
            (Op::Or, &["01x01x", "111xxx"], "111x1x"),
            (Op::Xor, &["01x", "0xx"], "0xx"),
            (Op::Add, &["0001", "000x"], "xxxx"),
            (Op::Eq, &["1x0", "0x0"], "0"),
            (Op::Eq, &["1x0", "110"], "x"),
            (Op::Ne, &["1x0", "0x0"], "1"),
            (Op::Lt, &["0x", "10"], "x"),
            (Op::Any, &["0x1"], "1"),
            (Op::Any, &["0x0"], "x"),
            (Op::All, &["0x1"], "0"),
            (Op::All, &["1x1"], "x"),
            (Op::Mux, &["x", "10x1", "1101"], "1xx1"),
            (Op::Mux, &["1", "10x1", "1101"], "10x1"),
            (Op::SignExtend(4), &["x1"], "xxx1"),
            (Op::Index, &["0x1", "0x"], "x"),
        ];
        for (op, args, expected) in table {
            let args: Vec<(Value, Value)> = args.iter().map(|arg| bits(arg)).collect();
            assert_eq!(operation(op, &args), bits(expected), "{op:?} {args:?}");
        }
    }
}
