//! Values of a channel put together: two to four unsigned numbers of a channel's bits, or as many singles.

use crate::single::flush;
use tmu_spec::general::indirect::Aggregate;

/// What every NaN becomes.
const NAN: u32 = 0x7fc0_0000;

/// Unsigned numbers of `bits` bits put together; the first one alone with [`Aggregate::None`].
///
/// # Panics
/// If there are no values.
#[must_use]
pub fn of_unorms(operation: Aggregate, values: &[u32], bits: u32) -> u32 {
    let most = (1u64 << bits) - 1;
    let sum = || values.iter().map(|value| u64::from(*value)).sum::<u64>();
    let count = values.len() as u64;
    let put = |by: fn(u32, u32) -> u32| values.iter().copied().reduce(by);
    let put = match operation {
        Aggregate::None => values.first().copied(),
        Aggregate::Sum => Some(sum().min(most) as u32),
        Aggregate::Product => values.iter().copied().reduce(|a, b| {
            // Rounded to the nearest; the divisor is odd, so there is no half.
            ((u64::from(a) * u64::from(b) + most / 2) / most) as u32
        }),
        Aggregate::Average => Some(((sum() + count / 2) / count) as u32),
        Aggregate::Min => put(u32::min),
        Aggregate::Max => put(u32::max),
    };
    put.expect("a pixel has values")
}

/// Singles put together, each operation rounded by itself; the first one alone, as it is, with [`Aggregate::None`].
///
/// # Panics
/// If there are no values.
#[must_use]
pub fn of_floats(operation: Aggregate, values: &[u32]) -> u32 {
    let singles = values.iter().map(|bits| flush(f32::from_bits(*bits)));
    let add = |a: f32, b: f32| f32::from_bits(settled(a + b));
    let put = match operation {
        Aggregate::None => return values[0],
        Aggregate::Sum => singles.reduce(add),
        Aggregate::Product => singles.reduce(|a, b| f32::from_bits(settled(a * b))),
        Aggregate::Average => singles.reduce(add).map(|sum| sum * (1.0 / values.len() as f32)),
        Aggregate::Min => singles.reduce(|a, b| chosen(a, b, ordered(b) < ordered(a))),
        Aggregate::Max => singles.reduce(|a, b| chosen(a, b, ordered(b) > ordered(a))),
    };
    settled(put.expect("a pixel has values"))
}

/// What becomes of a number that comes out.
fn settled(single: f32) -> u32 {
    if single.is_nan() { NAN } else { flush(single).to_bits() }
}

/// The second of two numbers if it is taken, or the one that is a number where the other is not.
const fn chosen(first: f32, second: f32, takes_second: bool) -> f32 {
    if first.is_nan() || (takes_second && !second.is_nan()) { second } else { first }
}

/// A key that grows with the number: of all singles that are numbers, -0 just below +0.
const fn ordered(single: f32) -> i32 {
    let bits = single.to_bits() as i32;
    // Negative numbers fall as their magnitude grows.
    if bits < 0 { bits ^ i32::MAX } else { bits }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Aggregate::{Average, Max, Min, None, Product, Sum};
    use proptest::prelude::*;
    use tmu_spec::choice::Choice;

    #[test]
    fn whole_numbers_by_hand() {
        let table: [(_, &[u32], _, _); 16] = [
            (None, &[7, 9], 8, 7),
            (Sum, &[100, 155], 8, 255),
            (Sum, &[100, 156], 8, 255),
            (Sum, &[65535; 4], 16, 65535),
            (Sum, &[1, 2, 3, 4], 16, 10),
            (Product, &[255, 200], 8, 200),
            (Product, &[128, 128], 8, 64),
            (Product, &[128, 128, 128], 8, 32),
            (Product, &[65535, 65535, 1], 16, 1),
            (Average, &[1, 2], 8, 2),
            (Average, &[0, 1, 1], 8, 1),
            (Average, &[0, 0, 1], 8, 0),
            (Average, &[1, 1, 0, 0], 8, 1),
            (Average, &[65535; 4], 16, 65535),
            (Min, &[3, 2, 9], 8, 2),
            (Max, &[3, 2, 9], 8, 9),
        ];
        for (operation, values, bits, expected) in table {
            assert_eq!(of_unorms(operation, values, bits), expected, "{operation} of {values:?}");
        }
    }

    const ONE: u32 = 0x3f80_0000;
    const TWO: u32 = 0x4000_0000;
    const MINUS_ZERO: u32 = 1 << 31;
    const INFINITY: u32 = 0x7f80_0000;
    const LEAST: u32 = 0x0080_0000;

    #[test]
    fn floats_by_hand() {
        let table: [(_, &[u32], _); 24] = [
            (None, &[0x7f80_0001, 0], 0x7f80_0001),
            (Sum, &[ONE, ONE], TWO),
            (Sum, &[MINUS_ZERO, MINUS_ZERO], MINUS_ZERO),
            (Sum, &[MINUS_ZERO, 0], 0),
            (Sum, &[INFINITY, INFINITY | MINUS_ZERO], NAN),
            (Sum, &[0xffff_ffff, ONE], NAN),
            // 2^24 + 1 + 1: each addition is rounded, to even.
            (Sum, &[0x4b80_0000, ONE, ONE], 0x4b80_0000),
            (Sum, &[ONE, ONE, 0x4b80_0000], 0x4b80_0001),
            // Denormals that go in are zeros.
            (Sum, &[0x007f_ffff, 0x007f_ffff], 0),
            (Sum, &[0x807f_ffff, 0x8000_0001], MINUS_ZERO),
            // 1.5 times the least normal number less it comes out denormal.
            (Sum, &[0x00c0_0000, LEAST | MINUS_ZERO], 0),
            (Product, &[TWO, TWO, ONE], 0x4080_0000),
            (Product, &[LEAST, 0x3f00_0000], 0),
            (Product, &[LEAST | MINUS_ZERO, 0x3f00_0000], MINUS_ZERO),
            (Product, &[INFINITY, 0x0000_0001], NAN),
            (Product, &[0x7f00_0000, 0x7f00_0000], INFINITY),
            (Average, &[ONE, TWO], 0x3fc0_0000),
            // (1 + 1 + 1) times the single nearest to a third is 1 after rounding.
            (Average, &[ONE, ONE, ONE], ONE),
            (Average, &[LEAST, 0], 0),
            (Min, &[0, MINUS_ZERO], MINUS_ZERO),
            (Max, &[MINUS_ZERO, 0, 0x8000_0001], 0),
            (Min, &[0x7f80_0001, TWO, ONE], ONE),
            (Max, &[INFINITY | MINUS_ZERO, 0xffc0_0000], INFINITY | MINUS_ZERO),
            (Max, &[0x7f80_0001, 0xffc0_0000], NAN),
        ];
        for (operation, values, expected) in table {
            let found = of_floats(operation, values);
            assert_eq!(found, expected, "{operation} of {values:x?}: {found:x}");
        }
    }

    /// A double rounded to a single: sums and products of two singles are rounded once, since doubles have more than twice the bits.
    fn rounded(exact: f64) -> f64 {
        let single = exact as f32;
        let is_denormal = single != 0.0 && single.abs() < f32::MIN_POSITIVE;
        f64::from(if is_denormal { 0f32.copysign(single) } else { single })
    }

    /// The same in doubles.
    fn plain(operation: Aggregate, values: &[u32]) -> f64 {
        let given: Vec<f64> = values.iter().map(|bits| rounded(f32::from_bits(*bits).into())).collect();
        let in_order = |by: fn(f64, f64) -> f64| given[1..].iter().fold(given[0], |a, b| rounded(by(a, *b)));
        let numbers = || given.iter().copied().filter(|given| !given.is_nan());
        match operation {
            None => given[0],
            Sum => in_order(|a, b| a + b),
            Product => in_order(|a, b| a * b),
            Average => rounded(in_order(|a, b| a + b) * rounded(1.0 / given.len() as f64)),
            Min => numbers().min_by(f64::total_cmp).unwrap_or(f64::NAN),
            Max => numbers().max_by(f64::total_cmp).unwrap_or(f64::NAN),
        }
    }

    /// Singles of every sort: any bits, close to each other, and at the edges.
    fn single() -> impl Strategy<Value = u32> {
        let edges = vec![0, 1, LEAST, LEAST - 1, ONE, INFINITY, NAN, 0x7f7f_ffff, 0x7f80_0001];
        let edge = (prop::sample::select(edges), any::<bool>())
            .prop_map(|(bits, is_negative)| if is_negative { bits | MINUS_ZERO } else { bits });
        prop_oneof![any::<u32>(), (-4f32..4.0).prop_map(f32::to_bits), 0..0x0180_0000u32, edge]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]

        #[test]
        fn floats_are_those_of_doubles(
            operation in prop::sample::select(&Aggregate::CHOICES[1..]),
            values in prop::collection::vec(single(), 2..=4),
        ) {
            let (found, expected) = (of_floats(operation, &values), plain(operation, &values));
            let expected = if expected.is_nan() { NAN } else { (expected as f32).to_bits() };
            prop_assert_eq!(found, expected, "{} of {:x?}: {:x}, not {:x}", operation, values, found, expected);
        }

        #[test]
        fn whole_numbers_are_those_of_wide_ones(
            operation in prop::sample::select(&Aggregate::CHOICES[1..]),
            bits in prop::sample::select(vec![8u32, 16]),
            values in prop::collection::vec(any::<u16>(), 2..=4),
        ) {
            let values: Vec<u32> = values.into_iter().map(|value| u32::from(value) >> (16 - bits)).collect();
            let most = f64::from((1u32 << bits) - 1);
            let given = || values.iter().map(|value| f64::from(*value));
            let sum: f64 = given().sum();
            let expected = match operation {
                None => f64::from(values[0]),
                Sum => sum.min(most),
                Product => given().reduce(|a, b| (a * b / most).round()).unwrap(),
                Average => ((sum + (values.len() / 2) as f64) / values.len() as f64).floor(),
                Min => given().fold(most, f64::min),
                Max => given().fold(0.0, f64::max),
            };
            prop_assert_eq!(f64::from(of_unorms(operation, &values, bits)), expected);
        }
    }
}
