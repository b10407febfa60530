//! Multipliers: against their Verilog, and against the product by definition.

use crate::harness::{Case, prove};
use crate::subject::Subject;
use std::collections::VecDeque;
use tmu_hdl::primitives::*;
use tmu_verilate::Rows;

/// Enabled rows at the start beyond the latency, after which every register holds something that is defined.
const FILL_ROWS: usize = 3;

/// Outputs, by name, follow from the inputs of so many enabled clocks before.
pub(crate) fn pipeline(
    subject: Subject,
    latency: usize,
    outputs_of: impl Fn(&Rows, usize) -> Vec<(&'static str, u64)> + 'static,
) -> Case {
    let name = subject.name().to_string();
    let case = Case::new(subject).warm_up(latency + FILL_ROWS, |_, rows, row| rows.set(row, "enable", 1));
    let mut under_way: VecDeque<Vec<(&'static str, u64)>> = VecDeque::new();
    case.check(move |inputs, outputs| {
        for row in 0..inputs.len() {
            if under_way.len() == latency {
                for (port, expected) in &under_way[0] {
                    assert_eq!(outputs.get(row, port), *expected, "{name}: {port} in row {row}");
                }
            }
            if inputs.get(row, "enable") == 1 {
                if under_way.len() == latency {
                    under_way.pop_front();
                }
                under_way.push_back(outputs_of(inputs, row));
            }
        }
    })
}

/// The number that an operand stands for.
fn number(operand: Operand, bits: u64) -> i128 {
    let negative = operand.is_signed() && bits >> (operand.width() - 1) & 1 == 1;
    i128::from(bits) - if negative { 1 << operand.width() } else { 0 }
}

fn low_bits(number: i128, width: usize) -> u64 {
    (number & ((1 << width) - 1)) as u64
}

fn multiplier(subject: Subject, [a, b]: [Operand; 2]) -> Case {
    pipeline(subject, Multiplier::LATENCY_CLOCKS as usize, move |inputs, row| {
        let product = number(a, inputs.get(row, "a")) * number(b, inputs.get(row, "b"));
        vec![("product", low_bits(product, a.width() + b.width()))]
    })
}

fn dual_multiplier(subject: Subject, a: Operand, b_bits: usize) -> Case {
    let latency = DualMultiplier::new(a, b_bits).latency_clocks() as usize;
    let least = 1u64 << (a.width() - 1);
    let case = pipeline(subject, latency, move |inputs, row| {
        let product = |port| number(a, inputs.get(row, port)) * i128::from(inputs.get(row, "b"));
        let bits = |port| low_bits(product(port), a.width() + b_bits);
        vec![("p0", bits("a0")), ("p1", bits("a1"))]
    });
    case.fix(move |_, rows, row| {
        let full = a.is_signed() && 2 * a.width() + b_bits == 27;
        if full && rows.get(row, "a1") == least {
            rows.set(row, "a1", least + 1);
        }
    })
}

fn lerp_pair(subject: Subject) -> Case {
    let case = pipeline(subject, LerpPair::LATENCY_CLOCKS as usize, |inputs, row| {
        let get = |port| inputs.get(row, port) as i64;
        let a = get("weight");
        let lerp = |x: i64, y: i64| ((256 * x - a * x + a * y + 128) >> 8) as u64;
        vec![("result0", lerp(get("x0"), get("y0"))), ("result1", lerp(get("x1"), get("y1")))]
    });
    case.fix(|_, rows, row| {
        let weight = rows.get(row, "weight");
        rows.set(row, "weight", weight.min(256));
    })
}

fn lerp_single(subject: Subject) -> Case {
    let latency = LerpSingle::LATENCY_CLOCKS as usize;
    let case = pipeline(subject, latency, |inputs, row| {
        let [x, y, a] = ["x", "y", "weight"].map(|port| inputs.get(row, port) as i64);
        vec![("result", ((256 * x - a * x + a * y + 128) >> 8) as u64)]
    });
    case.fix(|_, rows, row| {
        let weight = rows.get(row, "weight");
        rows.set(row, "weight", weight.min(256));
    })
}

/// Factors of a multiplier, in the shapes that print differently.
fn factors() -> Vec<[Operand; 2]> {
    use Operand as O;
    vec![
        [O::signed(1), O::signed(1)],
        [O::unsigned(1), O::unsigned(2)],
        [O::signed(27), O::signed(18)],
        [O::unsigned(26), O::unsigned(17)],
        [O::signed(25), O::unsigned(17)],
        [O::unsigned(9), O::signed(7)],
        [O::unsigned(17), O::unsigned(17)],
        [O::signed(33), O::unsigned(31)],
        [O::signed(18), O::signed(18)],
        [O::unsigned(18), O::unsigned(18)],
        [O::signed(18), O::unsigned(18)],
    ]
}

/// The same of a dual multiplier.
fn dual_factors() -> Vec<(Operand, usize)> {
    use Operand as O;
    vec![
        (O::unsigned(8), 8),
        (O::unsigned(8), 10),
        (O::unsigned(1), 1),
        (O::signed(9), 9),
        (O::signed(9), 8),
        (O::signed(8), 8),
        (O::signed(2), 1),
    ]
}

fn name_of(operand: Operand) -> String {
    format!("{}{}", if operand.is_signed() { "s" } else { "u" }, operand.width())
}

/// Every multiplier on a fabric.
macro_rules! all_on {
    ($subject:path, $prefix:literal) => {{
        let mut cases = vec![
            lerp_pair($subject(concat!($prefix, "lerp_pair_8"), LerpPair::new())),
            lerp_single($subject(concat!($prefix, "lerp_single_16"), LerpSingle::new())),
        ];
        for [a, b] in factors() {
            let name = format!("{}multiplier_{}_{}", $prefix, name_of(a), name_of(b));
            cases.push(multiplier($subject(&name, Multiplier::new(a, b)), [a, b]));
        }
        for (a, b_bits) in dual_factors() {
            let name = format!("{}dual_multiplier_{}_u{b_bits}", $prefix, name_of(a));
            cases.push(dual_multiplier($subject(&name, DualMultiplier::new(a, b_bits)), a, b_bits));
        }
        cases
    }};
}

#[test]
fn multipliers() {
    prove("multipliers", all_on!(Subject::new, ""));
}

/// What is instantiated for ECP5, around a model of the site, computes the same in every clock.
#[test]
fn multipliers_of_ecp5() {
    prove("multipliers_of_ecp5", all_on!(Subject::on_ecp5, "ecp5_"));
}

/// All weights with all pairs of values at the edges, in one pass through one slice.
#[test]
fn a_lerp_hits_both_ends_and_never_mixes_its_channels() {
    use tmu_verilate::{RowLayout, Schedule};
    let ends = [0u64, 1, 127, 128, 254, 255];
    let mut subject = Subject::new("lerp", LerpPair::new());
    let mut tuples = vec![];
    for weight in 0..=256 {
        for x in ends {
            for y in ends {
                tuples.push((weight, x, y, 255 - x, 255 - y));
            }
        }
    }
    let latency = LerpPair::LATENCY_CLOCKS as usize;
    let layout = RowLayout::inputs(&subject.source, Schedule::Cycles);
    let mut inputs = Rows::zeros(layout, tuples.len() + latency);
    for row in 0..inputs.len() {
        let (weight, x0, y0, x1, y1) = tuples[row.min(tuples.len() - 1)];
        let values = [("enable", 1), ("weight", weight), ("x0", x0), ("y0", y0), ("x1", x1), ("y1", y1)];
        values.iter().for_each(|(name, value)| inputs.set(row, name, *value));
    }
    let outputs = subject.run(Schedule::Cycles, &inputs);
    for (row, &(weight, x0, y0, x1, y1)) in tuples.iter().enumerate() {
        let lerp = |x: u64, y: u64| (256 * x - weight * x + weight * y + 128) >> 8;
        let got = ["result0", "result1"].map(|port| outputs.get(row + latency, port));
        assert_eq!(got, [lerp(x0, y0), lerp(x1, y1)], "weight {weight}, x {x0} {x1}, y {y0} {y1}");
    }
}
