//! Pipes: against their Verilog, and against what they promise.

use crate::harness::{Case, prove};
use crate::streams::{Counts, buffer};
use crate::subject::Subject;
use rand::Rng;
use std::collections::VecDeque;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{Multiplier, Operand};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
enum Stage {
    Entry,
    Factor,
    Multiply,
    Add,
    Compare,
    Exit,
}
use Stage::{Add, Compare, Entry, Exit};

/// Rows in front, half of them with reset.
const RESET_ROWS: usize = 16;

/// `a * b + offset`, whether something came in with it, and whether the one before gave the same.
#[derive(LogicBlock)]
struct MultiplyAdd {
    clocks: Clocks,
    advance: Net<In>,
    active: Net<In>,
    a: Net<In>,
    b: Net<In>,
    leaves: Net<Out>,
    sum: Net<Out>,
    repeats: Net<Out>,
    product: Multiplier,
    pipe: Pipe<Stage>,
}

impl MultiplyAdd {
    fn new(keep: Keep) -> MultiplyAdd {
        let factor = Operand::unsigned(7);
        let block = MultiplyAdd {
            clocks: Clocks::new(),
            advance: Net::bit(),
            active: Net::bit(),
            a: Net::new(7),
            b: Net::new(7),
            leaves: Net::bit(),
            sum: Net::new(14),
            repeats: Net::bit(),
            product: Multiplier::new(factor, factor),
            pipe: Pipe::new().keep_in(keep),
        };
        block.pipe.plan(&block.clocks, || block.logic());
        block
    }
}

#[kernel]
impl MultiplyAdd {
    fn logic(&self) {
        let pipe = self.pipe.run(&self.clocks, self.advance.val());
        pipe.timing();
        let active = pipe.flag(Entry, "active", self.active.val());
        let offset = pipe.put(Entry, "offset", self.b.val());
        let product = pipe.through(Entry, "product", &self.product, (self.a.val(), self.b.val()));
        let sum = pipe.put(Add, "sum", product.at(Add) + offset.at(Add).zero_extend(14));
        let same = active.before(Compare, 1) && sum.at(Compare) == sum.before(Compare, 1);
        self.leaves.next = active.at(Exit);
        self.sum.next = sum.at(Exit);
        self.repeats.next = pipe.put(Compare, "same", same).at(Exit);
    }
}

/// All stages move together: what leaves is what came in as many moves before.
fn multiply_add(name: &str, keep: Keep) -> Case {
    let case = Case::new(Subject::new(name, MultiplyAdd::new(keep)));
    let mut row_of_run = 0;
    let case = case.fix(|rng, rows, row| {
        // Few different factors, so that some sums come twice in a row.
        if rng.random_ratio(1, 2) {
            rows.set(row, "a", 1);
            rows.set(row, "b", 2);
        }
        rows.set(row, "rst", 0);
    });
    let case = case.warm_up(RESET_ROWS, move |_, rows, row| {
        // What was under way during the reset has left when outputs are compared.
        rows.set(row, "rst", u64::from(row_of_run < RESET_ROWS / 2));
        rows.set(row, "advance", 1);
        row_of_run += 1;
    });
    let mut under_way: VecDeque<(u64, u64)> = VecDeque::new();
    let mut seen = 0;
    let mut before = (0, 0);
    let mut repeats = 0;
    case.check(move |inputs, outputs| {
        for row in 0..inputs.len() {
            let input = |name: &str| inputs.get(row, name);
            if seen >= RESET_ROWS && under_way.len() == 5 {
                let (active, sum) = under_way[4];
                assert_eq!(outputs.get(row, "leaves"), active, "row {row}");
                assert_eq!(outputs.get(row, "sum"), sum, "row {row}");
                let same = u64::from(before.0 == 1 && before.1 == sum);
                assert_eq!(outputs.get(row, "repeats"), same, "row {row}");
                repeats += same;
            }
            if input("advance") == 1 {
                let active = if input("rst") == 1 { 0 } else { input("active") };
                under_way.push_front((active, input("a") * input("b") + input("b")));
                if under_way.len() > 5 {
                    before = under_way.pop_back().unwrap_or_default();
                }
            }
            seen += 1;
        }
        assert!(repeats > 10, "too few sums come twice");
    })
}

/// A stream through four stages that move one by one.
#[derive(LogicBlock)]
struct Elastic {
    clocks: Clocks,
    input: StreamIn,
    output: StreamOut,
    pipe: Pipe<Stage>,
}

impl Elastic {
    fn new(width: usize) -> Elastic {
        let block = Elastic {
            clocks: Clocks::new(),
            input: StreamIn::new(width),
            output: StreamOut::new(width),
            pipe: Pipe::with(&[Entry, Add, Compare, Exit]),
        };
        block.pipe.plan(&block.clocks, || block.logic());
        block
    }
}

#[kernel]
impl Elastic {
    fn logic(&self) {
        let pipe = self.pipe.flow(&self.clocks, self.input.valid.val(), self.output.ready.val());
        let item = pipe.put(Entry, "item", self.input.data.val());
        // Twice the complement is the item again.
        let turned = pipe.put(Add, "turned", !item.at(Add));
        self.input.ready.next = pipe.ready();
        self.output.valid.next = pipe.valid();
        self.output.data.next = !turned.at(Exit);
    }
}

#[test]
fn pipes() {
    prove(
        "pipes",
        vec![
            multiply_add("multiply_add", Keep::FlipFlops),
            multiply_add("multiply_add_in_luts", Keep::ShiftRegisters),
            buffer(Subject::new("elastic", Elastic::new(9)), 3, Counts::Exactly),
        ],
    );
}
