//! Division: against its Verilog, and against division by definition.

use crate::harness::{Case, prove_for};
use crate::multipliers::pipeline;
use crate::subject::Subject;
use rand::Rng;
use tmu_hdl::arithmetic::Divider;

/// Clocks that each divider runs for.
const CLOCKS: usize = 4_000;

fn divider(dividend_bits: usize, divisor_bits: usize) -> Case {
    let block = Divider::new(dividend_bits, divisor_bits);
    let latency = block.latency_clocks() as usize;
    let subject = Subject::new(&format!("divider_{dividend_bits}_{divisor_bits}"), block);
    let mask = |bits: usize| u64::MAX >> (64 - bits);
    let case = pipeline(subject, latency, move |inputs, row| {
        let (dividend, divisor) = (inputs.get(row, "dividend"), inputs.get(row, "divisor"));
        let quotient = dividend.checked_div(divisor).unwrap_or(mask(dividend_bits));
        let remainder = dividend.checked_rem(divisor).unwrap_or(dividend & mask(divisor_bits));
        vec![("quotient", quotient), ("remainder", remainder)]
    });
    case.fix(move |rng, rows, row| {
        // Divisors of all sizes, and dividends beside a multiple of them.
        let divisor = rows.get(row, "divisor") >> rng.random_range(0..divisor_bits);
        rows.set(row, "divisor", divisor);
        if rng.random_ratio(1, 2) {
            let dividend = rows.get(row, "dividend");
            let near = dividend - dividend.checked_rem(divisor).unwrap_or(0);
            rows.set(row, "dividend", near.wrapping_sub(rng.random_range(0..2)) & mask(dividend_bits));
        }
    })
}

#[test]
fn dividers() {
    let shapes = [(1, 1), (2, 3), (7, 7), (8, 1), (5, 12), (32, 32), (33, 16), (64, 24), (48, 64)];
    prove_for("dividers", shapes.map(|(dividend, divisor)| divider(dividend, divisor)).into(), CLOCKS);
}

/// Every dividend by every divisor, also by zero.
#[test]
fn small_dividers_are_exact_for_all_operands() {
    use tmu_verilate::{RowLayout, Rows, Schedule};
    for (dividend_bits, divisor_bits) in [(5, 3), (4, 4), (3, 5)] {
        let block = Divider::new(dividend_bits, divisor_bits);
        let latency = block.latency_clocks() as usize;
        let mut subject = Subject::new("divider", block);
        let count = 1 << (dividend_bits + divisor_bits);
        let layout = RowLayout::inputs(&subject.source, Schedule::Cycles);
        let mut inputs = Rows::zeros(layout, count + latency);
        for row in 0..count {
            inputs.set(row, "dividend", row as u64 >> divisor_bits);
            inputs.set(row, "divisor", row as u64 % (1 << divisor_bits));
        }
        for row in 0..inputs.len() {
            inputs.set(row, "enable", 1);
        }
        let outputs = subject.run(Schedule::Cycles, &inputs);
        for row in 0..count {
            let [dividend, divisor] = ["dividend", "divisor"].map(|name| inputs.get(row, name));
            let quotient = dividend.checked_div(divisor).unwrap_or((1 << dividend_bits) - 1);
            let remainder = dividend.checked_rem(divisor).unwrap_or(dividend % (1 << divisor_bits));
            let got = ["quotient", "remainder"].map(|name| outputs.get(row + latency, name));
            assert_eq!(got, [quotient, remainder], "{dividend} / {divisor}");
        }
    }
}
