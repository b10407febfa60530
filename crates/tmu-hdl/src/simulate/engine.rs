//! The engine: evaluates what changed, in order, and moves registers and memories at clock edges.
//!
//! A bit for each instruction and register says that an operand has changed. Instructions stand in the order of
//! their dependencies, so one pass over the bits settles everything. A register takes part in an edge only where its
//! next value has changed since the last one. Cost follows activity, not size.

use super::code::{Code, MAX_LIMBS, run_narrow, run_wide};
use super::memory::Memories;
use super::program::{Program, Users};
use super::store::Store;
use super::unknown::Unknowns;
use super::{Failure, Unknown};
use crate::property::PropertyKind;
use std::sync::Arc;

/// A running program.
#[derive(Debug)]
pub(super) struct Engine {
    pub(super) program: Program,
    pub(super) store: Arc<Store>,
    changed: Vec<u64>,
    memories: Memories,
    /// Level of each domain's clock at the last look.
    levels: Vec<bool>,
    /// Edges of each domain so far.
    pub(super) edges: Vec<u64>,
    /// Registers that move at an edge, with their new limbs in a row.
    moving: Vec<u32>,
    moved: Vec<u64>,
    pub(super) unknowns: Option<Unknowns>,
    pub(super) failures: Vec<Failure>,
    /// How often each cover of each domain was met.
    pub(super) covered: Vec<Vec<u64>>,
}

impl Engine {
    pub(super) fn new(program: Program, unknown: Unknown) -> Engine {
        let store = Store::new(program.limbs, program.inputs.len());
        for (slot, value) in &program.constants {
            store.put(*slot, value.limbs());
        }
        for register in program.registers.iter().flatten() {
            store.put(register.output, register.init.limbs());
        }
        let words = (program.register_base + program.registers.len()).div_ceil(64);
        let mut engine = Engine {
            memories: Memories::new(&program.memories),
            changed: vec![0; words],
            levels: vec![false; program.domains.len()],
            edges: vec![0; program.domains.len()],
            moving: vec![],
            moved: vec![],
            unknowns: (unknown != Unknown::Never).then(|| Unknowns::new(&program, unknown)),
            failures: vec![],
            covered: program.domains.iter().map(|domain| vec![0; domain.watches.len()]).collect(),
            store: Arc::new(store),
            program,
        };
        engine.look_at_everything();
        engine
    }

    fn look_at_everything(&mut self) {
        for bit in 0..self.program.instructions.len() {
            set_bit(&mut self.changed, bit);
        }
        for (i, register) in self.program.registers.iter().enumerate() {
            if register.is_some() {
                set_bit(&mut self.changed, self.program.register_base + i);
            }
        }
    }

    /// Takes driven inputs, lets everything follow, and gives the edges of the clocks that rose.
    pub(super) fn settle(&mut self) {
        let (store, program, changed) = (&self.store, &self.program, &mut self.changed);
        let mut touched = vec![];
        store.take_touched(|input| touched.push(input));
        for &input in &touched {
            mark(changed, &program.users, program.inputs[input].users);
            if let Some(unknowns) = &mut self.unknowns {
                unknowns.forget(program.inputs[input].slot);
            }
        }
        loop {
            self.propagate();
            if self.set_without_clock() {
                continue;
            }
            let risen = self.risen();
            if risen.is_empty() {
                return;
            }
            self.edge(&risen);
        }
    }

    /// Drives an input of one bit.
    pub(super) fn drive_bit(&mut self, input: usize, level: u64) {
        let input = &self.program.inputs[input];
        self.store.set(input.slot.offset, level);
        mark(&mut self.changed, &self.program.users, input.users);
    }

    fn propagate(&mut self) {
        if self.unknowns.is_some() {
            return self.propagate_unknown();
        }
        let words = self.program.register_base / 64;
        let (program, store) = (&self.program, &*self.store);
        for word in 0..words {
            while self.changed[word] != 0 {
                let bits = self.changed[word];
                self.changed[word] = bits & (bits - 1);
                let instruction = &program.instructions[word * 64 + bits.trailing_zeros() as usize];
                let offset = instruction.result.offset;
                let differs = match &instruction.code {
                    Code::Wide(entry) => {
                        let mut out = [0; MAX_LIMBS];
                        run_wide(&program.wide[*entry as usize], store, instruction.result, &mut out);
                        store.put(instruction.result, &out)
                    }
                    Code::Read { memory, address } => {
                        let word = self.memories.read(*memory as usize, store.get(*address));
                        store.put(instruction.result, word)
                    }
                    code => {
                        let value = run_narrow(code, store, &program.parts);
                        let differs = store.get(offset) != value;
                        store.set(offset, value);
                        differs
                    }
                };
                if differs {
                    mark(&mut self.changed, &program.users, instruction.users);
                }
            }
        }
    }

    fn propagate_unknown(&mut self) {
        let Some(unknowns) = &mut self.unknowns else { return };
        for word in 0..self.program.register_base / 64 {
            while self.changed[word] != 0 {
                let bits = self.changed[word];
                self.changed[word] = bits & (bits - 1);
                let index = word * 64 + bits.trailing_zeros() as usize;
                if unknowns.evaluate(&self.program, index, &self.store, &self.memories) {
                    mark(&mut self.changed, &self.program.users, self.program.instructions[index].users);
                }
            }
        }
    }

    /// Registers that are set without a clock. True where one changed.
    fn set_without_clock(&mut self) -> bool {
        let mut any = false;
        for &(bit, set) in &self.program.sets {
            let Some(register) = &self.program.registers[bit - self.program.register_base] else { continue };
            if self.store.get(set.offset) == 0 {
                continue;
            }
            let ones: Vec<u64> = (0..register.output.limbs())
                .map(|i| super::code::mask(register.output.width as usize - i * 64))
                .collect();
            let mut changed = self.store.put(register.output, &ones);
            if let Some(unknowns) = &mut self.unknowns {
                changed |= unknowns.forget(register.output);
            }
            if changed {
                mark(&mut self.changed, &self.program.users, register.users);
                // Its next value may be what it was before it was set.
                set_bit(&mut self.changed, bit);
                any = true;
            }
        }
        any
    }

    fn risen(&mut self) -> Vec<usize> {
        let mut risen = vec![];
        for (i, domain) in self.program.domains.iter().enumerate() {
            let level = self.store.get(domain.clock.offset) != 0;
            if level && !self.levels[i] {
                risen.push(i);
            }
            self.levels[i] = level;
        }
        risen
    }

    /// One edge of all these clocks: everything is sampled before anything moves.
    fn edge(&mut self, risen: &[usize]) {
        for &domain in risen {
            self.edges[domain] += 1;
            self.check(domain);
            self.sample(domain);
        }
        for &domain in risen {
            for write in &self.program.domains[domain].writes {
                let wrote = match &mut self.unknowns {
                    Some(unknowns) => unknowns.write(write, &self.store, &mut self.memories),
                    None => self.memories.write(write, &self.store),
                };
                if wrote {
                    for &reader in &self.program.readers[write.memory] {
                        set_bit(&mut self.changed, reader as usize);
                    }
                }
            }
        }
        self.commit();
    }

    /// Takes down the next values of registers whose next value has changed.
    fn sample(&mut self, domain: usize) {
        let bits = &self.program.domains[domain].bits;
        for word in bits.start / 64..bits.end / 64 {
            let mut changed = std::mem::take(&mut self.changed[word]);
            while changed != 0 {
                let index = word * 64 + changed.trailing_zeros() as usize - self.program.register_base;
                changed &= changed - 1;
                let Some(register) = &self.program.registers[index] else { continue };
                self.moving.push(index as u32);
                for limb in 0..register.next.limbs() as u32 {
                    self.moved.push(self.store.get(register.next.offset + limb));
                    if let Some(unknowns) = &self.unknowns {
                        self.moved.push(unknowns.get(register.next.offset + limb));
                    }
                }
            }
        }
    }

    fn commit(&mut self) {
        let mut at = 0;
        for &index in &self.moving {
            let Some(register) = &self.program.registers[index as usize] else { continue };
            let mut differs = false;
            for limb in 0..register.output.limbs() as u32 {
                let offset = register.output.offset + limb;
                let value = self.moved[at];
                at += 1;
                differs |= self.store.get(offset) != value;
                self.store.set(offset, value);
                if let Some(unknowns) = &mut self.unknowns {
                    differs |= unknowns.set(offset, self.moved[at]);
                    at += 1;
                }
            }
            if differs {
                mark(&mut self.changed, &self.program.users, register.users);
            }
        }
        self.moving.clear();
        self.moved.clear();
    }

    fn check(&mut self, domain: usize) {
        let number = self.edges[domain];
        for (i, watch) in self.program.domains[domain].watches.iter().enumerate() {
            let level = |slot: super::store::Slot| {
                let known = self.unknowns.as_ref().is_none_or(|unknowns| unknowns.get(slot.offset) == 0);
                (known, self.store.get(slot.offset) != 0)
            };
            let (active, condition) = (level(watch.active), level(watch.condition));
            let reached = active == (true, true);
            match watch.property.kind {
                PropertyKind::Cover => {
                    self.covered[domain][i] += u64::from(reached && condition == (true, true))
                }
                // A condition that is not known to hold does not hold.
                _ if (active.1 || !active.0) && condition != (true, true) => {
                    self.failures.push(Failure::new(&watch.property, number));
                }
                _ => {}
            }
        }
    }
}

#[inline(always)]
fn set_bit(words: &mut [u64], bit: usize) {
    words[bit / 64] |= 1 << (bit % 64);
}

#[inline(always)]
fn mark(changed: &mut [u64], users: &[u32], range: Users) {
    for &user in &users[range.first as usize..(range.first + range.count) as usize] {
        set_bit(changed, user as usize);
    }
}
