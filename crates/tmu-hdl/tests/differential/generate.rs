//! Random programs: every operation at every width, nested conditions, registers, sub-blocks.
//!
//! Nets are driven in an order in which each depends only on earlier ones, registers and inputs, so that no
//! program has a combinational loop; then the groups of statements are shuffled, since a net is a wire wherever
//! it is driven.

use super::program::{Operation, Place, Program, Register, Relation, Side, Step};
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;
use tmu_hdl::value::{MAX_WIDTH_BITS, Value};

/// The widest net.
const NET_BITS: usize = 300;
/// Names of `let`s: ordinary ones, keywords, and names that nets and instances have.
const NAMES: [&str; 12] = [
    "sum",
    "next",
    "value",
    "carry",
    "reg",
    "priority",
    "logic",
    "begin",
    "inputs_0",
    "wires_0",
    "children_0",
    "clk",
];

/// The program with this number.
pub(crate) fn program(seed: u64, number: u64) -> Arc<Program> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(number);
    let name = format!("k{number}");
    let mut children = vec![];
    if rng.random_ratio(1, 4) {
        let child = Generator::new(&mut rng, format!("{name}_child"), vec![], 2).program();
        // Two of a kind share a module.
        children = vec![child; rng.random_range(1..=2)];
    }
    let groups = rng.random_range(1..=4);
    Generator::new(&mut rng, name, children, groups).program()
}

/// A value with patterns that find faults: all zeros, all ones, a lone bit, noise.
pub(crate) fn pattern(rng: &mut impl RngCore, width: usize) -> Value {
    let ones = Value::from_limbs(width, &[u64::MAX; MAX_WIDTH_BITS / 64]);
    let lone = |at: usize| {
        let mut value = Value::zero(width);
        value.set_bit(at, true);
        value
    };
    match rng.random_range(0..10) {
        0 => Value::zero(width),
        1 => ones,
        2 => lone(rng.random_range(0..width)),
        3 => lone(width - 1),
        4 => Value::from_u128(width, rng.random_range(0..4)),
        _ => Value::from_bits((0..width).map(|_| rng.random())),
    }
}

fn net_width(rng: &mut impl RngCore) -> usize {
    match rng.random_range(0..10) {
        0..=2 => 1,
        3..=5 => rng.random_range(2..=9),
        6..=7 => rng.random_range(10..=66),
        8 => *[31, 32, 33, 63, 64, 65, 127, 128, 129, 256].choose(rng).unwrap_or(&64),
        _ => rng.random_range(67..=NET_BITS),
    }
}

struct Generator<'a, R: RngCore> {
    rng: &'a mut R,
    program: Program,
    groups: usize,
    /// Nets that may be read, with their widths.
    readable: Vec<(Place, usize)>,
    /// Widths of the values made so far.
    values: Vec<usize>,
    /// The list that takes steps.
    steps: Vec<Step>,
}

impl<'a, R: RngCore> Generator<'a, R> {
    fn new(rng: &'a mut R, name: String, children: Vec<Arc<Program>>, groups: usize) -> Self {
        let widths = |rng: &mut R, most: usize| -> Vec<usize> {
            (0..rng.random_range(1..=most)).map(|_| net_width(rng)).collect()
        };
        let input_bits = widths(rng, 4);
        let registers = widths(rng, 3)
            .into_iter()
            .map(|width| {
                let init = pattern(rng, width);
                let reset = rng.random_ratio(1, 2).then(|| pattern(rng, width.min(60)).low_u64());
                Register { init, reset }
            })
            .collect();
        let program = Program {
            name,
            input_bits,
            output_bits: vec![],
            wire_bits: widths(rng, 5),
            registers,
            children,
            steps: vec![],
        };
        Generator { rng, program, groups, readable: vec![], values: vec![], steps: vec![] }
    }

    fn program(mut self) -> Arc<Program> {
        let inputs = self.program.input_bits.iter().enumerate().map(|(i, &w)| (Place::Input(i), w));
        let registers =
            self.program.registers.iter().enumerate().map(|(i, r)| (Place::Register(i), r.init.width()));
        self.readable = inputs.chain(registers).chain([(Place::Reset, 1)]).collect();
        self.expressions(3);
        let shared = std::mem::take(&mut self.steps);
        let mut groups = self.groups();
        groups.shuffle(self.rng);
        groups.push(self.mirrors());
        self.program.steps = shared;
        for group in groups {
            if self.rng.random_ratio(1, 5) {
                self.program.steps.push(Step::Banner("Next".into()));
            } else if self.rng.random_ratio(1, 5) {
                self.program.steps.push(Step::Comment("What follows belongs together.".into()));
            }
            self.program.steps.push(Step::Scope(group));
        }
        Arc::new(self.program)
    }

    /// Groups of statements that drive every wire, register and child input once.
    fn groups(&mut self) -> Vec<Vec<Step>> {
        let mut wires: Vec<_> =
            self.program.wire_bits.iter().enumerate().map(|(i, &w)| (Place::Wire(i), w)).collect();
        let mut registers: Vec<_> = self
            .program
            .registers
            .iter()
            .enumerate()
            .map(|(i, r)| (Place::Register(i), r.init.width()))
            .collect();
        registers.shuffle(self.rng);
        let mut groups = vec![];
        let mut children = 0..self.program.children.len();
        for left in (0..self.groups).rev() {
            let child = if left == 0 || self.rng.random() { children.next() } else { None };
            groups.extend(child.map(|child| self.child(child)));
            let share = |len: usize| if left == 0 { len } else { len.div_ceil(left + 1) };
            let mut targets: Vec<_> = wires.drain(..share(wires.len())).collect();
            targets.extend(registers.drain(..share(registers.len())));
            groups.push(self.group(&targets));
            self.readable.extend(targets.iter().filter(|t| matches!(t.0, Place::Wire(_))));
        }
        groups.extend(children.map(|child| self.child(child)).collect::<Vec<_>>());
        groups
    }

    fn child(&mut self, child: usize) -> Vec<Step> {
        let widths = self.program.children[child].input_bits.clone();
        let inputs: Vec<_> =
            widths.into_iter().enumerate().map(|(i, w)| (Place::ChildInput(child, i), w)).collect();
        let mut group = self.group(&inputs);
        group.push(Step::Follow(child));
        let outputs = self.program.children[child].output_bits.iter().enumerate();
        self.readable.extend(outputs.map(|(i, &w)| (Place::ChildOutput(child, i), w)));
        self.readable.extend(inputs);
        group
    }

    /// Steps that drive all of `targets`, computed from what may be read.
    fn group(&mut self, targets: &[(Place, usize)]) -> Vec<Step> {
        self.inside(|g| {
            let count = g.rng.random_range(2..=6);
            g.expressions(count);
            g.drive_all(targets, 3);
            for &target in targets.iter().filter(|t| matches!(t.0, Place::Register(_))) {
                g.drive_when_reset(target);
            }
        })
    }

    /// Drives a register under a condition that is never a constant, so that it has a driver for certain.
    fn drive_when_reset(&mut self, register: (Place, usize)) {
        let scope = self.inside(|g| {
            let condition = g.push(Step::Read(Place::Reset), 1);
            let then = g.inside(|g| g.drive(register, &[]));
            g.steps.push(Step::If { condition, then, otherwise: vec![] });
        });
        self.steps.push(Step::Scope(scope));
    }

    /// Runs `f` with a fresh list of steps; the values that it makes are gone behind it.
    fn inside(&mut self, f: impl FnOnce(&mut Self)) -> Vec<Step> {
        let (count, outer) = (self.values.len(), std::mem::take(&mut self.steps));
        f(self);
        self.values.truncate(count);
        std::mem::replace(&mut self.steps, outer)
    }

    /// Drives every wire on every path, and registers on some.
    fn drive_all(&mut self, targets: &[(Place, usize)], depth: usize) {
        let direct = |g: &mut Self| {
            for (i, &target) in targets.iter().enumerate() {
                if !matches!(target.0, Place::Register(_)) || g.rng.random_ratio(1, 2) {
                    g.drive(target, &targets[..i]);
                }
            }
        };
        match self.rng.random_range(0..4) {
            0 | 1 if depth > 0 => {
                let condition = self.value(1);
                let then = self.inside(|g| g.drive_all(targets, depth - 1));
                let otherwise = self.inside(|g| g.drive_all(targets, depth - 1));
                self.steps.push(Step::If { condition, then, otherwise });
            }
            2 if depth > 0 => {
                direct(self);
                for _ in 0..self.rng.random_range(1..=2) {
                    self.drive_some(targets, depth - 1);
                }
            }
            _ => direct(self),
        }
    }

    /// An `if` that drives some of the targets.
    fn drive_some(&mut self, targets: &[(Place, usize)], depth: usize) {
        let condition = self.value(1);
        let then = self.inside(|g| g.drive_few(targets, depth));
        let otherwise = self.rng.random_ratio(1, 2);
        let otherwise = self.inside(|g| {
            if otherwise {
                g.drive_few(targets, depth)
            }
        });
        self.steps.push(Step::If { condition, then, otherwise });
    }

    fn drive_few(&mut self, targets: &[(Place, usize)], depth: usize) {
        if self.rng.random_ratio(1, 3) {
            self.expressions(1);
        }
        for (i, &target) in targets.iter().enumerate() {
            if self.rng.random_ratio(1, 2) {
                self.drive(target, &targets[..i]);
            }
        }
        if depth > 0 && self.rng.random_ratio(1, 2) {
            self.drive_some(targets, depth - 1);
        }
    }

    /// Drives a target, now and then from one that the same group drives.
    fn drive(&mut self, (place, width): (Place, usize), before: &[(Place, usize)]) {
        let wires: Vec<_> = before.iter().filter(|b| matches!(b.0, Place::Wire(_))).copied().collect();
        if let Some(&wire) = wires.choose(self.rng)
            && self.rng.random_ratio(1, 5)
        {
            let steps = self.inside(|g| {
                let slot = g.push(Step::Read(wire.0), wire.1);
                let slot = g.adapt(slot, width);
                g.steps.push(Step::Drive(place, slot));
            });
            self.steps.push(Step::Scope(steps));
            return;
        }
        let value = self.value(width);
        self.steps.push(Step::Drive(place, value));
    }

    /// Outputs that show every net.
    fn mirrors(&mut self) -> Vec<Step> {
        let shown: Vec<_> = self
            .readable
            .iter()
            .filter(|(p, _)| !matches!(p, Place::Input(_) | Place::Reset))
            .copied()
            .collect();
        self.inside(|g| {
            for (place, width) in shown {
                let output = Place::Output(g.program.output_bits.len());
                g.program.output_bits.push(width);
                let value = g.push(Step::Read(place), width);
                g.steps.push(Step::Drive(output, value));
            }
            if g.rng.random_ratio(1, 4) {
                let unused = g.any();
                g.steps.push(Step::Discard(unused));
            }
        })
    }

    fn push(&mut self, step: Step, width: usize) -> usize {
        self.steps.push(step);
        self.values.push(width);
        self.values.len() - 1
    }

    fn compute(&mut self, operation: Operation, operands: Vec<usize>, width: usize) -> usize {
        let name = if self.rng.random_ratio(1, 6) { NAMES.choose(self.rng).copied() } else { None };
        self.push(Step::Compute { operation, operands, name }, width)
    }

    /// Some value.
    fn any(&mut self) -> usize {
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
    fn value(&mut self, width: usize) -> usize {
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
    fn adapt(&mut self, slot: usize, width: usize) -> usize {
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

    fn expressions(&mut self, count: usize) {
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
