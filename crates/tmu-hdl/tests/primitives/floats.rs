//! Single precision: against the Verilog, against the host's own arithmetic, and the reciprocal against whole numbers.
//!
//! The host computes with operands whose denormals were made zeros, and the denormals of its result are made zeros:
//! that is what the blocks promise, bit for bit.

use crate::harness::{Case, prove_for};
use crate::multipliers::pipeline;
use crate::stimulus::{generator, repeat};
use crate::subject::Subject;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use tmu_hdl::arithmetic::*;
use tmu_hdl::primitives::Operand;
use tmu_testing::setting;
use tmu_verilate::{Batch, Model, ModelOptions, RowLayout, Rows, Schedule, Tools};

/// Clocks that each block runs for in Rust, Verilator and Icarus.
const CLOCKS: usize = 3_000;
/// Random operands of the test command; `TMUGEN_FLOATS` asks for more.
const QUICK: u64 = 200_000;
/// Operands in one call.
const CHUNK: usize = 50_000;

/// What is no number.
const NAN: u32 = 0x7fc0_0000;
/// The largest finite number.
const LARGEST: u32 = 0x7f7f_ffff;

/// Formats of fixed point: width, sign, fraction bits, rounding.
const FORMATS: [(usize, bool, usize, Rounding); 6] = [
    (32, true, 16, Rounding::NearestEven),
    (16, false, 8, Rounding::HalfUp),
    (24, true, 23, Rounding::Floor),
    (64, true, 0, Rounding::NearestEven),
    (8, false, 0, Rounding::Floor),
    (40, true, 126, Rounding::HalfUp),
];

fn flushed(number: f32) -> f32 {
    if number.is_subnormal() { 0f32.copysign(number) } else { number }
}

fn operand(bits: u32) -> f32 {
    flushed(f32::from_bits(bits))
}

fn result(number: f32) -> u64 {
    u64::from(if number.is_nan() { NAN } else { flushed(number).to_bits() })
}

fn sum(a: u32, b: u32, subtract: bool) -> u64 {
    result(if subtract { operand(a) - operand(b) } else { operand(a) + operand(b) })
}

fn product(a: u32, b: u32) -> u64 {
    result(operand(a) * operand(b))
}

/// By whole numbers: the significand nearest to 2^47 / m, which is never halfway.
fn reciprocal(a: u32) -> u64 {
    let (sign, exponent, fraction) = (a & 0x8000_0000, a >> 23 & 255, a & 0x7f_ffff);
    let magnitude = match (exponent, fraction) {
        (255, 1..) => return u64::from(NAN),
        (255, 0) => 0,
        (0, _) => LARGEST,
        _ => {
            let significand = u64::from(fraction | 0x80_0000);
            let (below, left) = ((1u64 << 47) / significand, (1u64 << 47) % significand);
            let nearest = below + u64::from(2 * left > significand);
            // 2^24 is a one in front, and an exponent that is one more.
            let (up, nearest) = if nearest == 1 << 24 { (1, 1 << 23) } else { (0, nearest) };
            let exponent = 253 + up - exponent as i32;
            if exponent <= 0 { 0 } else { (exponent as u32) << 23 | nearest as u32 & 0x7f_ffff }
        }
    };
    u64::from(sign | magnitude)
}

/// The bits of a fixed-point number as a whole number.
fn whole(bits: u64, width: usize, is_signed: bool) -> i128 {
    let number = i128::from(bits);
    if is_signed && bits >> (width - 1) & 1 == 1 { number - (1 << width) } else { number }
}

/// A whole number over 2^fraction_bits. Rust rounds the whole number to nearest even; the rest is exact.
fn to_float(bits: u64, format: (usize, bool, usize, Rounding)) -> u64 {
    let (width, is_signed, fraction_bits, _) = format;
    let scale = f64::from(2f32).powi(-(fraction_bits as i32));
    let number = whole(bits, width, is_signed) as f32;
    u64::from(((f64::from(number) * scale) as f32).to_bits())
}

/// By definition: every number of single precision is a whole number over 2^150, or a multiple of one.
fn to_fixed(bits: u32, format: (usize, bool, usize, Rounding)) -> u64 {
    let (width, is_signed, fraction_bits, rounding) = format;
    let number = operand(bits);
    let (least, most) = if is_signed {
        (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1)
    } else {
        (0, (1i128 << width) - 1)
    };
    if number.is_nan() {
        return 0;
    }
    let scaled = f64::from(number) * f64::from(2f32).powi(fraction_bits as i32);
    let nearest = match rounding {
        Rounding::Floor => scaled.floor(),
        Rounding::HalfUp => {
            // `scaled + 0.5` might round.
            let floor = scaled.floor();
            if scaled - floor >= 0.5 { floor + 1.0 } else { floor }
        }
        Rounding::NearestEven => scaled.round_ties_even(),
    };
    // The conversion of Rust saturates at the ends of `i128`.
    (nearest as i128).clamp(least, most) as u64 & (u64::MAX >> (64 - width))
}

/// Fractions where rounding and carries turn.
const CORNERS: [u32; 8] = [0, 1, 2, 0x3f_ffff, 0x40_0000, 0x40_0001, 0x7f_fffe, 0x7f_ffff];

fn float(sign: bool, exponent: u32, fraction: u32) -> u32 {
    u32::from(sign) << 31 | (exponent & 255) << 23 | fraction & 0x7f_ffff
}

/// A pair of operands: anything, near each other, far enough apart that bits are rounded away, products halfway between
/// two numbers, exponents at both ends, and what is not finite.
fn pair(rng: &mut ChaCha8Rng) -> (u32, u32) {
    let (signs, exponent): (u32, u32) = (rng.random(), rng.random());
    let mut fraction = || match rng.random_range(0..4) {
        0 => CORNERS[rng.random_range(0..CORNERS.len())],
        // Few bits set, so that sums and products are often exact or halfway.
        1 => 1 << rng.random_range(0..23) | 1 << rng.random_range(0..23),
        2 => rng.random::<u32>() << rng.random_range(8..20),
        _ => rng.random(),
    };
    let (a, b) = (fraction(), fraction());
    let a = float(signs & 1 == 1, exponent, a);
    let sign = signs & 2 == 2;
    let b = match rng.random_range(0..8) {
        0 | 1 => float(sign, exponent + rng.random_range(0..4) + 254, b),
        2 | 3 => float(sign, exponent + rng.random_range(20..30), b),
        // The product's exponent at either end.
        4 => float(sign, rng.random_range(124..131) + 256 - (exponent & 255), b),
        5 => float(sign, (rng.random_range(379..385) - (exponent as i32 & 255)).clamp(0, 255) as u32, b),
        6 => float(
            sign,
            [0, 0, 1, 254, 255, 255][rng.random_range(0..6)],
            b & [0, 0x7f_ffff][rng.random_range(0..2)],
        ),
        _ => rng.random(),
    };
    if rng.random_ratio(1, 2) { (a, b) } else { (b, a) }
}

/// Every pair of exponents with some pairs of fractions, all signs in turn: number `number` of [`directed_count`].
fn directed(number: u64) -> (u32, u32) {
    let fractions = number >> 16;
    let (first, second) = (fractions / 8 % 8, fractions % 8);
    let signs = number ^ number >> 8 ^ fractions;
    let a = float(signs & 1 == 1, (number & 255) as u32, CORNERS[first as usize]);
    let b = float(signs & 2 == 2, (number >> 8 & 255) as u32, CORNERS[second as usize]);
    (a, b)
}

/// All pairs of corner fractions in the long run, four of them in the test command.
fn directed_count(is_long: bool) -> u64 {
    (if is_long { 64 } else { 4 }) << 16
}

/// Writes operands into a row of inputs.
type SetOperands = dyn Fn(&mut Rows, usize, Operands);
/// What the ports show for a row of inputs.
type ExpectedPorts = dyn Fn(&Rows, usize) -> Vec<(&'static str, u64)>;

/// A block in the batch: how its inputs are set, and what comes out.
struct Member {
    subject: Subject,
    latency: usize,
    set: Box<SetOperands>,
    expected: Box<ExpectedPorts>,
}

/// What a row is about; every block takes what it needs.
#[derive(Clone, Copy, Debug)]
struct Operands {
    a: u32,
    b: u32,
    subtract: bool,
}

impl Operands {
    /// A fixed-point number of all sizes.
    fn fixed(self, width: usize) -> u64 {
        let bits = u64::from(self.a) << 32 | u64::from(self.b);
        let number = (bits as i64 >> (self.a.wrapping_mul(0x9e37_79b9) >> 26)) as u64;
        number & (u64::MAX >> (64 - width))
    }
}

/// A multiplier by numbers whose significands have so many bits, 24 at most.
fn multiply(bits: usize) -> Member {
    let cut = u32::MAX << (24 - bits);
    Member {
        subject: Subject::new(&format!("multiply_by_{bits}"), FloatMultiply::by(bits)),
        latency: FloatMultiply::LATENCY_CLOCKS as usize,
        set: Box::new(move |rows, row, o| {
            rows.set(row, "a", u64::from(o.a));
            rows.set(row, "b", u64::from(o.b & cut));
        }),
        expected: Box::new(|rows, row| {
            let [a, b] = ["a", "b"].map(|port| rows.get(row, port) as u32);
            vec![("result", product(a, b))]
        }),
    }
}

fn members() -> Vec<Member> {
    let two = |rows: &mut Rows, row: usize, o: Operands| {
        rows.set(row, "a", u64::from(o.a));
        rows.set(row, "b", u64::from(o.b));
    };
    let a = |rows: &Rows, row: usize| rows.get(row, "a") as u32;
    let b = |rows: &Rows, row: usize| rows.get(row, "b") as u32;
    let is = |flag: bool| u64::from(flag);
    let mut members = vec![
        Member {
            subject: Subject::new("add", FloatAdd::new()),
            latency: FloatAdd::LATENCY_CLOCKS as usize,
            set: Box::new(move |rows, row, o| {
                two(rows, row, o);
                rows.set(row, "subtract", u64::from(o.subtract));
            }),
            expected: Box::new(move |rows, row| {
                vec![("result", sum(a(rows, row), b(rows, row), rows.get(row, "subtract") == 1))]
            }),
        },
        multiply(24),
        multiply(17),
        multiply(13),
        multiply(8),
        Member {
            subject: Subject::new("compare", FloatCompare::new()),
            latency: FloatCompare::LATENCY_CLOCKS as usize,
            set: Box::new(two),
            expected: Box::new(move |rows, row| {
                let order = operand(a(rows, row)).partial_cmp(&operand(b(rows, row)));
                vec![
                    ("less", is(order.is_some_and(|o| o.is_lt()))),
                    ("equal", is(order.is_some_and(|o| o.is_eq()))),
                    ("unordered", is(order.is_none())),
                ]
            }),
        },
        Member {
            subject: Subject::new("reciprocal", FloatReciprocal::new()),
            latency: FloatReciprocal::LATENCY_CLOCKS as usize,
            set: Box::new(|rows, row, o| rows.set(row, "a", u64::from(o.a))),
            expected: Box::new(move |rows, row| vec![("result", reciprocal(a(rows, row)))]),
        },
    ];
    for format in FORMATS {
        let (width, is_signed, fraction_bits, rounding) = format;
        let kind = if is_signed { Operand::signed(width) } else { Operand::unsigned(width) };
        members.push(Member {
            subject: Subject::new(&format!("from_fixed_{width}"), FixedToFloat::new(kind, fraction_bits)),
            latency: FixedToFloat::LATENCY_CLOCKS as usize,
            set: Box::new(move |rows, row, o| rows.set(row, "fixed", o.fixed(width))),
            expected: Box::new(move |rows, row| vec![("single", to_float(rows.get(row, "fixed"), format))]),
        });
        // Often near the ends of the format: its exponent comes from the operand's lowest bits.
        let near = move |o: Operands| match o.b % 4 {
            0 => o.a,
            _ => {
                let highest = 129 + width as u32;
                let below = fraction_bits as u32 + (o.b >> 2) % (width as u32 + 6);
                o.a & 0x807f_ffff | highest.saturating_sub(below) << 23
            }
        };
        members.push(Member {
            subject: Subject::new(
                &format!("to_fixed_{width}"),
                FloatToFixed::new(kind, fraction_bits, rounding),
            ),
            latency: FloatToFixed::LATENCY_CLOCKS as usize,
            set: Box::new(move |rows, row, o| rows.set(row, "single", u64::from(near(o)))),
            expected: Box::new(move |rows, row| {
                vec![("fixed", to_fixed(rows.get(row, "single") as u32, format))]
            }),
        });
    }
    members
}

/// Runs `count` operands through all blocks under Verilator.
fn run_all(test: &str, members: &[Member], count: u64, mut next: impl FnMut(u64) -> Operands) {
    let batch = Batch::new(members.iter().map(|m| m.subject.source.clone()).collect());
    let batch = batch.unwrap_or_else(|e| panic!("{e}"));
    let model = Model::build(batch.source(), &ModelOptions::default()).unwrap_or_else(|e| panic!("{e}"));
    let mut instance = model.instance().unwrap_or_else(|e| panic!("{e}"));
    let longest = members.iter().map(|m| m.latency).max().unwrap_or_default();
    let mut done = 0;
    while done < count {
        let some = CHUNK.min((count - done) as usize);
        let operands: Vec<Operands> = (0..some as u64).map(|i| next(done + i)).collect();
        let inputs: Vec<Rows> = members
            .iter()
            .map(|member| {
                let layout = RowLayout::inputs(&member.subject.source, Schedule::Cycles);
                let mut rows = Rows::zeros(layout, some + longest);
                for row in 0..some + longest {
                    rows.set(row, "enable", 1);
                    (member.set)(&mut rows, row, operands[row.min(some - 1)]);
                }
                rows
            })
            .collect();
        let joined = batch.join(Schedule::Cycles, &inputs).unwrap_or_else(|e| panic!("{e}"));
        let outputs = instance.run(Schedule::Cycles, &joined).unwrap_or_else(|e| panic!("{e}"));
        for ((member, given), rows) in members.iter().zip(&inputs).zip(batch.split(&outputs)) {
            for (row, &o) in operands.iter().enumerate() {
                for (port, expected) in (member.expected)(given, row) {
                    let got = rows.get(row + member.latency, port);
                    let name = member.subject.name();
                    assert_eq!(
                        got,
                        expected,
                        "{name}: {port} is {got:x}, not {expected:x}, for {o:x?}, number {}; {}",
                        done + row as u64,
                        repeat(test)
                    );
                }
            }
        }
        done += some as u64;
    }
}

/// Random operands, 200,000 or as many as `TMUGEN_FLOATS` says.
#[test]
fn floats_are_the_hosts_bit_for_bit() {
    if Tools::are_missing() {
        return;
    }
    let count = setting("TMUGEN_FLOATS").unwrap_or(QUICK);
    let mut rng = generator("floats");
    run_all("floats_are_the_hosts_bit_for_bit", &members(), count, |_| {
        let (a, b) = pair(&mut rng);
        Operands { a, b, subtract: rng.random() }
    });
}

/// All pairs of exponents with fractions at the corners.
#[test]
fn floats_at_all_exponents_and_corners() {
    if Tools::are_missing() {
        return;
    }
    let is_long = setting("TMUGEN_FLOATS").is_some();
    run_all("floats_at_all_exponents_and_corners", &members(), directed_count(is_long), |number| {
        let (a, b) = directed(number);
        Operands { a, b, subtract: number % 3 == 1 }
    });
}

/// Of all fractions in the long run, of every 64th in the test command: the fraction alone decides what is rounded.
#[test]
fn reciprocals_of_all_fractions() {
    if Tools::are_missing() {
        return;
    }
    let step = if setting("TMUGEN_FLOATS").is_some() { 1 } else { 64 };
    let members: Vec<Member> = members().into_iter().filter(|m| m.subject.name() == "reciprocal").collect();
    run_all("reciprocals_of_all_fractions", &members, (1 << 23) / step, |number| {
        let fraction = (number * step + number % step) as u32;
        Operands { a: float(number % 2 == 1, 1 + number as u32 % 254, fraction), b: 0, subtract: false }
    });
}

/// The golden side by hand: results that are written down here and not computed.
#[test]
fn the_reference_says_what_the_standard_says() {
    let table = [
        ("1 + 1", sum(0x3f80_0000, 0x3f80_0000, false), 0x4000_0000),
        ("1 - 1", sum(0x3f80_0000, 0x3f80_0000, true), 0),
        ("-0 + -0", sum(0x8000_0000, 0x8000_0000, false), 0x8000_0000),
        ("inf - inf", sum(0x7f80_0000, 0x7f80_0000, true), 0x7fc0_0000),
        ("1 + 2^-24, a tie", sum(0x3f80_0000, 0x3380_0000, false), 0x3f80_0000),
        ("denormal + denormal", sum(0x0040_0000, 0x0040_0000, false), 0),
        ("largest + largest", sum(LARGEST, LARGEST, false), 0x7f80_0000),
        ("least normal × (1 - 2^-24)", product(0x0080_0000, 0x3f7f_ffff), 0x0080_0000),
        ("least normal × (1 - 2^-23)", product(0x0080_0000, 0x3f7f_fffe), 0),
        ("0 × inf", product(0, 0xff80_0000), 0x7fc0_0000),
        ("1 / 3", reciprocal(0x4040_0000), 0x3eaa_aaab),
        ("1 / -0", reciprocal(0x8000_0000), 0xff7f_ffff),
        ("1 / denormal", reciprocal(0x0000_0001), 0x7f7f_ffff),
        ("1 / -inf", reciprocal(0xff80_0000), 0x8000_0000),
        ("1 / 2^126", reciprocal(0x7e80_0000), 0x0080_0000),
        ("1 / 2^127", reciprocal(0x7f00_0000), 0),
        ("1 / 1", reciprocal(0x3f80_0000), 0x3f80_0000),
    ];
    for (name, got, expected) in table {
        assert_eq!(got, expected, "{name}: {got:x}, not {expected:x}");
    }
    // Where the host's own division gives the reciprocal, it agrees.
    let mut rng = generator("reciprocals");
    for _ in 0..100_000 {
        let bits = float(rng.random(), rng.random_range(1..254), rng.random());
        assert_eq!(reciprocal(bits), result(1.0 / operand(bits)), "1 / {bits:x}");
    }
}

/// The same blocks in Rust and Icarus, with an enable that comes and goes.
#[test]
fn floats_hold_while_they_are_not_enabled() {
    let cases: Vec<Case> = members()
        .into_iter()
        .map(|member| {
            let Member { subject, latency, set, expected } = member;
            let case = pipeline(subject, latency, expected);
            case.fix(move |rng, rows, row| {
                let (a, b) = pair(rng);
                set(rows, row, Operands { a, b, subtract: rng.random() });
            })
        })
        .collect();
    prove_for("floats_hold_while_they_are_not_enabled", cases, CLOCKS);
}
