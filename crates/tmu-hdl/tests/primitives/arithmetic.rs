//! Arithmetic without a clock: every function and operator against what whole numbers of Rust say.

use crate::harness::{Case, prove_for};
use crate::subject::Subject;
use tmu_hdl::arithmetic::*;
use tmu_hdl::prelude::*;

/// Bits of each operand.
const OPERAND_BITS: usize = 11;
/// Clocks that the functions run for.
const CLOCKS: usize = 20_000;

/// A function of hardware, and of the numbers that stand for its operands as unsigned ones.
struct Function {
    name: &'static str,
    hardware: fn(Bits, Bits) -> Bits,
    numbers: fn(i128, i128) -> i128,
}

/// All functions side by side.
#[derive(LogicBlock)]
struct Functions {
    clocks: Clocks,
    a: Net<In>,
    b: Net<In>,
    result: Vec<Net<Out>>,
    tick: Reg,
    ticks: Net<Out>,
    _functions: Vec<Function>,
}

impl Functions {
    fn new(functions: Vec<Function>) -> Functions {
        let clocks = Clocks::without_reset();
        let zero = || lit(OPERAND_BITS, 0);
        Functions {
            a: Net::new(OPERAND_BITS),
            b: Net::new(OPERAND_BITS),
            result: functions.iter().map(|f| Net::new((f.hardware)(zero(), zero()).width())).collect(),
            tick: Reg::new(&clocks, 1),
            ticks: Net::bit(),
            _functions: functions,
            clocks,
        }
    }
}

#[kernel]
impl Functions {
    fn logic(&self) {
        self.tick.next = !self.tick.val();
        self.ticks.next = self.tick.val();
        discard(cat(&[self.a.val(), self.b.val()]), "some tables of functions read one operand only");
        for (net, function) in self.result.iter().zip(&self._functions) {
            net.next = (function.hardware)(self.a.val(), self.b.val());
        }
    }
}

/// The number that an operand stands for in two's complement.
fn signed(number: i128) -> i128 {
    if number >> (OPERAND_BITS - 1) & 1 == 1 { number - (1 << OPERAND_BITS) } else { number }
}

/// `number / 2^bits`, rounded, by definition.
fn rounded(number: i128, bits: usize, rounding: Rounding) -> i128 {
    let unit = 1 << bits;
    let (below, left) = (number.div_euclid(unit), number.rem_euclid(unit));
    let up = match rounding {
        Rounding::Floor => false,
        Rounding::HalfUp => 2 * left >= unit,
        Rounding::NearestEven => 2 * left > unit || 2 * left == unit && below % 2 != 0,
    };
    below + i128::from(up)
}

macro_rules! function {
    ($name:literal, |$a:ident, $b:ident| $hardware:expr, $numbers:expr) => {{
        #[kernel]
        #[allow(unused_variables, reason = "some functions have one operand")]
        fn hardware($a: Bits, $b: Bits) -> Bits {
            $hardware
        }
        Function { name: $name, hardware, numbers: $numbers }
    }};
}

fn operators() -> Vec<Function> {
    vec![
        function!("3 + a", |a, b| 3 + a, |a, _| 3 + a),
        function!("2000 - a", |a, b| 2000 - a, |a, _| 2000 - a),
        function!("85 & a", |a, b| 85 & a, |a, _| 85 & a),
        function!("1030 | a", |a, b| 1030 | a, |a, _| 1030 | a),
        function!("7 ^ a", |a, b| 7 ^ a, |a, _| 7 ^ a),
        function!("-a", |a, b| -a, |a, _| -a),
        function!("-a signed", |a, b| (-a.signed()).bits(), |a, _| -a),
        function!("a signed + -5", |a, b| (a.signed() + -5).bits(), |a, _| a - 5),
        function!("-5 - a signed", |a, b| (-5 - a.signed()).bits(), |a, _| -5 - a),
        function!("100 < a", |a, b| 100 < a, |a, _| i128::from(100 < a)),
        function!("100 == b", |a, b| 100 == b, |_, b| i128::from(100 == b)),
        function!("a signed < 3", |a, b| a.signed() < 3, |a, _| i128::from(signed(a) < 3)),
        function!("a signed >= -3", |a, b| a.signed() >= -3, |a, _| i128::from(signed(a) >= -3)),
        function!("-1024 < a signed", |a, b| -1024 < a.signed(), |a, _| i128::from(-1024 < signed(a))),
        function!("-1 == a signed", |a, b| -1 == a.signed(), |a, _| i128::from(signed(a) == -1)),
        function!("lit(11, -3)", |a, b| a & lit(OPERAND_BITS, -3), |a, _| a & -3),
        function!("a >> 10", |a, b| a >> 10, |a, _| a >> 10),
        function!("a >> 11", |a, b| a >> 11, |_, _| 0),
        function!("a << 3", |a, b| a << 3, |a, _| a << 3),
        function!("a signed >> 10", |a, b| (a.signed() >> 10).bits(), |a, _| signed(a) >> 10),
        function!("a signed >> 9", |a, b| (a.signed() >> 9).bits(), |a, _| signed(a) >> 9),
        function!("a signed << 4", |a, b| (a.signed() << 4).bits(), |a, _| a << 4),
        function!("a << b", |a, b| a << b.low(4), |a, b| a << (b % 16)),
        function!("a >> b", |a, b| a >> b.low(4), |a, b| a >> (b % 16)),
        function!("a signed >> b", |a, b| (a.signed() >> b.low(4)).bits(), |a, b| signed(a) >> (b % 16)),
        function!("a signed << b", |a, b| (a.signed() << b.low(4)).bits(), |a, b| a << (b % 16)),
        function!("add_wide", |a, b| a.signed().add_wide(b.signed()).bits(), |a, b| signed(a) + signed(b)),
        function!("sub_wide", |a, b| a.signed().sub_wide(b.signed()).bits(), |a, b| signed(a) - signed(b)),
        function!("magnitude", |a, b| a.signed().magnitude(), |a, _| signed(a).abs()),
    ]
}

fn fixed_point() -> Vec<Function> {
    use Rounding as R;
    vec![
        function!("floor 4", |a, b| round(a, 4, R::Floor), |a, _| rounded(a, 4, R::Floor)),
        function!("half up 4", |a, b| round(a, 4, R::HalfUp), |a, _| rounded(a, 4, R::HalfUp)),
        function!("nearest even 4", |a, b| round(a, 4, R::NearestEven), |a, _| rounded(a, 4, R::NearestEven)),
        function!("nearest even 1", |a, b| round(a, 1, R::NearestEven), |a, _| rounded(a, 1, R::NearestEven)),
        function!("nothing dropped", |a, b| round(a, 0, R::HalfUp), |a, _| a),
        function!("half up, all", |a, b| round(a, 11, R::HalfUp), |a, _| rounded(a, 11, R::HalfUp)),
        function!("even, all", |a, b| round(a, 11, R::NearestEven), |a, _| rounded(a, 11, R::NearestEven)),
        function!("half up, past all", |a, b| round(a, 13, R::HalfUp), |a, _| rounded(a, 13, R::HalfUp)),
        function!("signed floor 3", |a, b| round_signed(a.signed(), 3, R::Floor).bits(), |a, _| rounded(
            signed(a),
            3,
            R::Floor
        )),
        function!("signed half up 3", |a, b| round_signed(a.signed(), 3, R::HalfUp).bits(), |a, _| rounded(
            signed(a),
            3,
            R::HalfUp
        )),
        function!(
            "signed even 3",
            |a, b| round_signed(a.signed(), 3, R::NearestEven).bits(),
            |a, _| rounded(signed(a), 3, R::NearestEven)
        ),
        function!("signed even 12", |a, b| round_signed(a.signed(), 12, R::NearestEven).bits(), |a, _| {
            rounded(signed(a), 12, R::NearestEven)
        }),
        function!("saturate 6", |a, b| saturate(a, 6), |a, _| a.min(63)),
        function!("saturate 13", |a, b| saturate(a, 13), |a, _| a),
        function!("saturate signed 6", |a, b| saturate_signed(a.signed(), 6).bits(), |a, _| signed(a)
            .clamp(-32, 31)),
        function!("saturate signed 10", |a, b| saturate_signed(a.signed(), 10).bits(), |a, _| signed(a)
            .clamp(-512, 511)),
        function!("saturate signed 1", |a, b| saturate_signed(a.signed(), 1).bits(), |a, _| signed(a)
            .clamp(-1, 0)),
        function!("saturate signed 14", |a, b| saturate_signed(a.signed(), 14).bits(), |a, _| signed(a)),
        function!("saturate to unsigned 5", |a, b| saturate_to_unsigned(a.signed(), 5), |a, _| signed(a)
            .clamp(0, 31)),
        function!("saturate to unsigned 12", |a, b| saturate_to_unsigned(a.signed(), 12), |a, _| signed(a)
            .max(0)),
    ]
}

/// Zeros above the highest bit set of the low `bits` bits.
fn zeros_above(number: i128, bits: u32) -> i128 {
    let number = (number & ((1 << bits) - 1)) as u128;
    i128::from(number.leading_zeros()) - i128::from(u128::BITS - bits)
}

/// Splits an operand in cases of a condition and a value, and a value for no case.
#[kernel]
fn choose(a: Bits, b: Bits) -> Bits {
    let cases: Vec<(Bits, Bits)> = (0..7).map(|i| (a.bit(i), b ^ lit(OPERAND_BITS, 100 * i))).collect();
    priority(&cases, b)
}

fn counting() -> Vec<Function> {
    vec![
        function!("leading zeros of 1", |a, b| leading_zeros(a.low(1)), |a, _| zeros_above(a, 1)),
        function!("leading zeros of 2", |a, b| leading_zeros(a.low(2)), |a, _| zeros_above(a, 2)),
        function!("leading zeros of 3", |a, b| a.low(3).leading_zeros(), |a, _| zeros_above(a, 3)),
        function!("leading zeros of 8", |a, b| leading_zeros(a.low(8)), |a, _| zeros_above(a, 8)),
        function!("leading zeros of 11", |a, b| leading_zeros(a & b), |a, b| zeros_above(a & b, 11)),
        function!("count ones of 11", |a, b| count_ones(a), |a, _| i128::from(a.count_ones())),
        function!("count ones of 8", |a, b| a.low(8).count_ones(), |a, _| i128::from((a & 255).count_ones())),
        function!("count ones of 1", |a, b| count_ones(a.low(1)), |a, _| a & 1),
        function!("sum of 5", |a, b| adder_tree(&[a, b, a, a.low(3), b]), |a, b| 2 * a + 2 * b + (a & 7)),
        function!("sum of 1", |a, b| adder_tree(&[a]), |a, _| a),
        function!(
            "signed sum of 3",
            |a, b| adder_tree_signed(&[a.signed(), b.signed(), a.signed()]).bits(),
            |a, b| 2 * signed(a) + signed(b)
        ),
        function!("priority of 7", |a, b| choose(a, b), |a, b| {
            let case = a.trailing_zeros().min(7);
            if case == 7 { b } else { b ^ i128::from(100 * case) }
        }),
        function!("priority of none", |a, b| priority(&[], b), |_, b| b),
    ]
}

/// A case that checks every output against whole numbers.
fn case(name: &str, functions: fn() -> Vec<Function>) -> Case {
    let all = functions();
    let block = Functions::new(functions());
    let widths: Vec<usize> = block.result.iter().map(Net::width).collect();
    Case::new(Subject::new(name, block)).check(move |inputs, outputs| {
        for row in 0..inputs.len() {
            let [a, b] = ["a", "b"].map(|name| i128::from(inputs.get(row, name)));
            for (i, (function, width)) in all.iter().zip(&widths).enumerate() {
                let expected = (function.numbers)(a, b) & ((1 << width) - 1);
                let got = i128::from(outputs.get(row, &format!("result_{i}")));
                assert_eq!(got, expected, "{}, a = {a}, b = {b}", function.name);
            }
        }
    })
}

#[test]
fn functions_and_operators() {
    let cases =
        vec![case("operators", operators), case("fixed_point", fixed_point), case("counting", counting)];
    prove_for("functions_and_operators", cases, CLOCKS);
}

/// Widths hold every sum: terms W bits wide make W and the logarithm of their number.
#[test]
fn sums_are_as_wide_as_they_must_be() {
    for count in 1..=33 {
        let terms = vec![lit(7, 127); count];
        let sum = adder_tree(&terms);
        assert_eq!(sum.to_u64(), 127 * count as u64, "{count} terms");
        assert_eq!(sum.width(), 7 + count.next_power_of_two().ilog2() as usize, "width of {count} terms");
    }
}
