//! Random values: reads, constants, every operator, `if`s that make values.

use super::{Generator, NAMES, net_width, pattern};
use crate::program::{Operation, Place, Relation, Side, Step};
use rand::{Rng, RngCore};

use rand::seq::IndexedRandom;
use tmu_hdl::value::MAX_WIDTH_BITS;

impl<R: RngCore> Generator<'_, R> {
    pub(super) fn push(&mut self, step: Step, width: usize) -> usize {
        self.steps.push(step);
        self.values.push(width);
        self.values.len() - 1
    }

    fn compute(&mut self, operation: Operation, operands: Vec<usize>, width: usize) -> usize {
        let name = if self.rng.random_ratio(1, 6) { NAMES.choose(self.rng).copied() } else { None };
        self.push(Step::Compute { operation, operands, name }, width)
    }

    /// Some value.
    pub(super) fn any(&mut self) -> usize {
        if !self.values.is_empty() && self.rng.random_ratio(3, 4) {
            return self.rng.random_range(0..self.values.len());
        }
        if self.rng.random_ratio(1, 12) {
            let width = net_width(self.rng);
            return self.constant(width);
        }
        let (place, width) = *self.readable.choose(self.rng).unwrap_or(&(Place::Reset, 1));
        self.push(Step::Read(place), width)
    }

    fn constant(&mut self, width: usize) -> usize {
        let value = pattern(self.rng, width);
        let name = if self.rng.random_ratio(1, 4) { NAMES.choose(self.rng).copied() } else { None };
        self.push(Step::Constant(value, name), width)
    }

    /// Some value of this width.
    pub(super) fn value(&mut self, width: usize) -> usize {
        if self.rng.random_ratio(1, 4) {
            return self.tree(width, 3);
        }
        let fitting: Vec<usize> = (0..self.values.len()).filter(|&i| self.values[i] == width).collect();
        match fitting.choose(self.rng) {
            Some(&slot) if self.rng.random_ratio(3, 4) => slot,
            _ if self.rng.random_ratio(1, 10) => self.constant(width),
            _ => {
                let slot = self.any();
                self.adapt(slot, width)
            }
        }
    }

    /// An expression of this width whose parts have no other use, so that it is printed as one.
    fn tree(&mut self, width: usize, depth: usize) -> usize {
        use Operation as O;
        if depth == 0 || self.rng.random_ratio(1, 5) {
            let (place, from) = *self.readable.choose(self.rng).unwrap_or(&(Place::Reset, 1));
            let slot = self.push(Step::Read(place), from);
            return self.adapt(slot, width);
        }
        let relation = self.relation();
        let (operation, widths) = match self.rng.random_range(0..12) {
            0 | 1 if width == 1 => {
                let both = net_width(self.rng).min(40);
                let signed = self.rng.random();
                (if signed { O::CompareSigned(relation) } else { O::Compare(relation) }, vec![both; 2])
            }
            2 if width == 1 => (O::AndAlso, vec![1, 1]),
            3 if width == 1 => (O::OrElse, vec![1, 1]),
            4 if width == 1 => (O::At, vec![8, 4]),
            5 if width > 1 => {
                let low = self.rng.random_range(1..width);
                (O::Cat, vec![width - low, low])
            }
            6 => (O::Not, vec![width]),
            7 => (O::Mux, vec![1, width, width]),
            8 => ([O::Shl, O::Shr, O::ShrSigned][self.rng.random_range(0..3)], vec![width, 3]),
            kind => {
                let operations = [O::And, O::Or, O::Xor, O::Add, O::Sub, O::AddSigned, O::SubSigned];
                (operations[(kind + self.rng.random_range(0..7)) % 7], vec![width; 2])
            }
        };
        let operands = widths.into_iter().map(|width| self.tree(width, depth - 1)).collect();
        self.push(Step::Compute { operation, operands, name: None }, width)
    }

    /// The value cut or extended to this width.
    pub(super) fn adapt(&mut self, slot: usize, width: usize) -> usize {
        let from = self.values[slot];
        let operation = match self.rng.random_range(0..3) {
            _ if from == width => return slot,
            0 if width == 1 => Operation::Parity,
            1 if width == 1 => Operation::Any,
            _ if from > width => Operation::Slice { lo: self.rng.random_range(0..=from - width), width },
            0 => Operation::ZeroExtend(width),
            1 if width.is_multiple_of(from) => Operation::Repeat(width / from),
            _ => Operation::SignExtend(width),
        };
        self.compute(operation, vec![slot], width)
    }

    pub(super) fn expressions(&mut self, count: usize) {
        for _ in 0..count {
            if self.rng.random_ratio(1, 8) {
                self.choose();
            } else {
                self.expression();
            }
        }
    }

    fn choose(&mut self) {
        let condition = self.value(1);
        let widths = [self.any(), self.any()].map(|slot| self.values[slot]);
        let sides = [(); 2].map(|()| {
            let mut results = [0; 2];
            let steps = self.inside(|g| {
                g.expression();
                results = widths.map(|width| g.value(width));
            });
            Side { steps, results }
        });
        self.steps.push(Step::Choose { condition, sides });
        self.values.extend(widths);
    }

    fn relation(&mut self) -> Relation {
        use Relation::*;
        *[Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual].choose(self.rng).unwrap_or(&Equal)
    }

    /// One operation over random values.
    fn expression(&mut self) -> usize {
        use Operation as O;
        let a = self.any();
        let width = self.values[a];
        let number = self.rng.random::<u64>() & 0xff & (u64::MAX >> (64 - width.min(63)));
        let relation = self.relation();
        match self.rng.random_range(0..32) {
            0 => self.compute(O::Not, vec![a], width),
            1 => self.compute(O::Negate, vec![a], width),
            kind @ 2..=4 => {
                let operation = [O::Any, O::All, O::Parity][kind - 2];
                self.compute(operation, vec![a], 1)
            }
            kind @ 5..=11 => {
                let operations = [O::And, O::Or, O::Xor, O::Add, O::Sub, O::AddSigned, O::SubSigned];
                let b = self.value(width);
                self.compute(operations[kind - 5], vec![a, b], width)
            }
            12 if width < MAX_WIDTH_BITS => {
                let b = self.value(width);
                self.compute(O::AddWide, vec![a, b], width + 1)
            }
            13 => self.compute(O::AddNumber(number), vec![a], width),
            14 => self.compute(O::SubNumber(number), vec![a], width),
            15 => self.compute(O::AndNumber(number), vec![a], width),
            kind @ 16..=18 => {
                let b = self.value(width);
                let signed = if kind == 16 { O::Compare(relation) } else { O::CompareSigned(relation) };
                self.compute(signed, vec![a, b], 1)
            }
            19 => self.compute(O::CompareNumber(relation, number), vec![a], 1),
            kind @ 20..=21 => {
                let (a, b) = (self.value(1), self.value(1));
                self.compute(if kind == 20 { O::AndAlso } else { O::OrElse }, vec![a, b], 1)
            }
            kind @ 22..=23 => self.product(a, kind == 22),
            kind @ 24..=25 => self.shift(a, kind == 24),
            26 => {
                let b = self.any();
                self.compute(O::At, vec![a, b], 1)
            }
            27 => self.concatenation(),
            28 => {
                let (condition, b) = (self.value(1), self.value(width));
                self.compute(O::Mux, vec![condition, a, b], width)
            }
            _ => {
                let wanted = net_width(self.rng);
                self.adapt(a, wanted)
            }
        }
    }

    fn product(&mut self, a: usize, signed: bool) -> usize {
        let b = self.any();
        let width = self.values[a] + self.values[b];
        if width > MAX_WIDTH_BITS {
            return a;
        }
        self.compute(if signed { Operation::MulSigned } else { Operation::Mul }, vec![a, b], width)
    }

    fn shift(&mut self, a: usize, by_number: bool) -> usize {
        use Operation as O;
        let width = self.values[a];
        let kind = self.rng.random_range(0..3);
        if by_number {
            let amount = self.rng.random_range(0..=width + 1);
            let operation = [O::ShlBy(amount), O::ShrBy(amount), O::ShrSignedBy(amount)][kind];
            return self.compute(operation, vec![a], width);
        }
        // Mostly amounts that leave something of the value.
        let bits = if self.rng.random_ratio(3, 4) { width.ilog2() as usize + 1 } else { net_width(self.rng) };
        let amount = self.value(bits);
        self.compute([O::Shl, O::Shr, O::ShrSigned][kind], vec![a, amount], width)
    }

    fn concatenation(&mut self) -> usize {
        let parts: Vec<usize> = (0..self.rng.random_range(2..=4)).map(|_| self.any()).collect();
        let width = parts.iter().map(|&p| self.values[p]).sum();
        if width > MAX_WIDTH_BITS {
            return parts[0];
        }
        self.compute(Operation::Cat, parts, width)
    }
}
