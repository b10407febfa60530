//! Random programs: every operation at every width, nested conditions, registers, sub-blocks.
//!
//! Nets are driven in an order in which each depends only on earlier ones, registers and inputs, so that no
//! program has a combinational loop; then the groups of statements are shuffled, since a net is a wire wherever
//! it is driven.

mod expression;

use crate::program::{Place, Program, Register, Step};
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
}
