//! Fifteen kernels for which a printer without types goes wrong, as rust-hdl's own does for most of them: it takes
//! Rust's precedence for Verilog's, sizes literals at 32 bits, and loses the width of casts and the sign of slices.
//! One and two operands are run over all of their values, three over all values of two.

use crate::harness::{Case, compare, source};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tmu_cosim::Differences;
use tmu_hdl::elaborate::elaborate;
use tmu_hdl::prelude::*;
use tmu_hdl::simulate::Simulator;
use tmu_verilate::{RowLayout, Rows, Schedule, Tools};

/// All values of two operands of eight bits.
const ROWS: usize = 1 << 16;

/// A kernel, and what it means in Rust's own numbers.
#[derive(Clone, Copy)]
struct Probe {
    name: &'static str,
    operands: usize,
    result_bits: usize,
    kernel: fn([Bits; 3]) -> Bits,
    meaning: fn([u8; 3]) -> u16,
}

const fn probe(
    name: &'static str,
    (operands, result_bits): (usize, usize),
    kernel: fn([Bits; 3]) -> Bits,
    meaning: fn([u8; 3]) -> u16,
) -> Probe {
    Probe { name, operands, result_bits, kernel, meaning }
}

/// A number with its sign, in the low bits of an unsigned one.
const fn two_s_complement(number: i16) -> u16 {
    number as u16
}

const PROBES: [Probe; 15] = [
    probe("probe_and_binds_stronger_than_equal", (3, 1), and_then_equal, |[a, b, c]| u16::from(a & b == c)),
    probe("probe_extended_sum_has_no_carry", (2, 16), extended_sum, |[a, b, _]| a.wrapping_add(b).into()),
    probe("probe_sum_with_number_wraps", (2, 1), sum_with_number, |[a, b, _]| {
        u16::from(a.wrapping_add(1) == b)
    }),
    probe("probe_shifted_sum_has_no_carry", (2, 8), shifted_sum, |[a, b, _]| {
        (a.wrapping_add(b).wrapping_add(1) >> 1).into()
    }),
    probe("probe_complement_beside_number", (1, 1), complement_beside_number, |[a, ..]| u16::from(!a > 3)),
    probe("probe_extension_with_sign", (1, 16), extension_with_sign, |[s, ..]| {
        two_s_complement((s as i8).into())
    }),
    probe("probe_signed_parts_compare_at_their_width", (2, 1), signed_parts, |[s, t, _]| {
        u16::from((s << 4) as i8 >> 4 == (t << 4) as i8 >> 4)
    }),
    probe("probe_difference_wraps_before_it_is_compared", (3, 1), compared_difference, |[a, b, c]| {
        u16::from(a.wrapping_sub(b) > c)
    }),
    probe("probe_signed_sum_wraps_before_it_is_extended", (2, 16), extended_signed_sum, |[s, t, _]| {
        two_s_complement((s as i8).wrapping_add(t as i8).into())
    }),
    probe("probe_slice_of_signed", (1, 4), slice_of_signed, |[s, ..]| (s >> 2 & 0xf).into()),
    probe("probe_difference_shifted_by_a_slice", (3, 8), shifted_difference, |[a, b, c]| {
        (a.wrapping_sub(b) >> (c & 7)).into()
    }),
    probe("probe_signed_comparison", (2, 1), signed_comparison, |[s, t, _]| u16::from((s as i8) < (t as i8))),
    probe("probe_complement_before_extension", (1, 16), extended_complement, |[a, ..]| (!a).into()),
    probe("probe_shift_before_extension", (1, 16), extended_shift, |[a, ..]| (a << 4).into()),
    probe("probe_negation_wraps_before_it_is_extended", (1, 16), extended_negation, |[s, ..]| {
        two_s_complement((s as i8).wrapping_neg().into())
    }),
];

#[kernel]
fn and_then_equal([a, b, c]: [Bits; 3]) -> Bits {
    a & b == c
}

#[kernel]
fn extended_sum([a, b, _]: [Bits; 3]) -> Bits {
    (a + b).zero_extend(16)
}

#[kernel]
fn sum_with_number([a, b, _]: [Bits; 3]) -> Bits {
    a + 1 == b
}

#[kernel]
fn shifted_sum([a, b, _]: [Bits; 3]) -> Bits {
    (a + b + 1) >> 1
}

#[kernel]
fn complement_beside_number([a, ..]: [Bits; 3]) -> Bits {
    !a > 3
}

#[kernel]
fn extension_with_sign([s, ..]: [Bits; 3]) -> Bits {
    s.signed().extend(16).bits()
}

#[kernel]
fn signed_parts([s, t, _]: [Bits; 3]) -> Bits {
    s.low(4).signed() == t.low(4).signed()
}

#[kernel]
fn compared_difference([a, b, c]: [Bits; 3]) -> Bits {
    a - b > c
}

#[kernel]
fn extended_signed_sum([s, t, _]: [Bits; 3]) -> Bits {
    (s.signed() + t.signed()).extend(16).bits()
}

#[kernel]
fn slice_of_signed([s, ..]: [Bits; 3]) -> Bits {
    s.signed().bits().slice(2, 4)
}

#[kernel]
fn shifted_difference([a, b, c]: [Bits; 3]) -> Bits {
    (a - b) >> c.low(3)
}

#[kernel]
fn signed_comparison([s, t, _]: [Bits; 3]) -> Bits {
    s.signed() < t.signed()
}

#[kernel]
fn extended_complement([a, ..]: [Bits; 3]) -> Bits {
    (!a).zero_extend(16)
}

#[kernel]
fn extended_shift([a, ..]: [Bits; 3]) -> Bits {
    (a << 4).zero_extend(16)
}

#[kernel]
fn extended_negation([s, ..]: [Bits; 3]) -> Bits {
    (-s.signed()).extend(16).bits()
}

/// The block around a probe.
#[derive(LogicBlock)]
struct Probed {
    operands: Vec<Net<In>>,
    result: Net<Out>,
    _probe: Probe,
}

impl Probed {
    fn new(probe: Probe) -> Probed {
        Probed { operands: Net::array(probe.operands, 8), result: Net::new(probe.result_bits), _probe: probe }
    }
}

#[kernel]
impl Probed {
    fn module_name(&self) -> String {
        self._probe.name.into()
    }

    fn logic(&self) {
        let operand = |i: usize| self.operands.get(i).map_or(lit(8, 0u32), Net::val);
        self.result.next = (self._probe.kernel)([operand(0), operand(1), operand(2)]);
    }
}

/// Operands of a row: all pairs, and a third one that is near what the other two make.
fn operands(row: usize, rng: &mut ChaCha8Rng) -> [u8; 3] {
    let [a, b] = [row as u8, (row >> 8) as u8];
    let near = [a & b, a.wrapping_sub(b), a.wrapping_sub(b).wrapping_sub(1), 0, u8::MAX];
    [a, b, if rng.random() { rng.random() } else { near.choose(rng).copied().unwrap_or(0) }]
}

fn case(probe: Probe) -> Case {
    let design = elaborate(probe.name, &Probed::new(probe)).unwrap_or_else(|e| panic!("{e}"));
    let source = source(&design);
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut inputs = Rows::zeros(RowLayout::inputs(&source, Schedule::Cycles), ROWS);
    let mut expected = Rows::zeros(RowLayout::outputs(&source), ROWS);
    let mut simulator = Simulator::new(probe.name, Probed::new(probe)).unwrap_or_else(|e| panic!("{e}"));
    let columns = inputs.layout().columns().to_vec();
    let different_rows = ROWS.min(1 << (8 * probe.operands));
    for row in 0..ROWS {
        let operands = operands(row, &mut rng);
        for ((net, column), operand) in simulator.block.operands.iter().zip(&columns).zip(operands) {
            net.drive(u64::from(operand));
            inputs.set(row, &column.name, operand.into());
        }
        let meant = u64::from((probe.meaning)(operands));
        if row < different_rows {
            simulator.settle();
            let result = simulator.block.result.val();
            assert_eq!(result.to_u64(), meant, "{}: Rust simulation of {operands:?}", probe.name);
        }
        expected.set(row, "result", meant);
    }
    Case { source, inputs, kernels: expected.clone(), expected }
}

#[test]
fn the_fifteen_probes_mean_the_same_in_rust_and_in_verilog() {
    if Tools::are_missing() {
        return;
    }
    let cases = PROBES.map(case);
    let found: Differences = compare(&cases).unwrap_or_else(|e| panic!("{e}"));
    let found: Vec<String> = found
        .iter()
        .map(|(&i, text)| format!("{}:\n{text}{}", PROBES[i].name, cases[i].source.files[0].text))
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}
