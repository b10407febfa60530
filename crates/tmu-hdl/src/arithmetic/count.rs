//! Counting bits, adding many terms, and choosing the first of many.
//!
//! All are balanced trees, so that their depth grows with the logarithm of what they are given.

use crate::prelude::*;

/// The number of zeros above the highest bit set, 0 to the width.
///
/// As many bits as the width itself takes.
#[kernel]
pub fn leading_zeros(value: Bits) -> Bits {
    let width = value.width();
    let tree_width = width.next_power_of_two();
    let count_bits = width.ilog2() as usize + 1;
    let (is_zero, count) = leading_zeros_of(value, tree_width);
    let Some(count) = count else { return is_zero };
    if width < tree_width {
        return count.low(count_bits);
    }
    // Where no bit is set all bits of `count` are.
    cat(&[is_zero, count & !is_zero.repeat(count.width())])
}

/// Whether no bit of `value` is set, and the number of zeros above the highest that is, all ones where none is.
///
/// For widths that are a power of two, at least two. Unlike [`leading_zeros`] it leaves the count as it is where no bit is
/// set, which spares a gate behind each of its bits.
#[kernel]
pub(super) fn highest_one(value: Bits) -> (Bits, Bits) {
    let (is_zero, count) = leading_zeros_of(value, value.width());
    (is_zero, count.unwrap_or(is_zero))
}

/// Whether no bit is set of `tree_width`, a power of two, of which the upper ones are those of `value` and the others
/// ones; and the number of zeros above the highest bit set, all ones where none is.
#[kernel]
fn leading_zeros_of(value: Bits, tree_width: usize) -> (Bits, Option<Bits>) {
    let width = value.width();
    if tree_width == 1 {
        return (!value, None);
    }
    let half = tree_width / 2;
    let (high_is_zero, high) = leading_zeros_of(value.high(width.min(half)), half);
    if width <= half {
        // Ones follow: the count ends there.
        let count =
            high.map_or(high_is_zero, |high| cat(&[high_is_zero, high & !high_is_zero.repeat(high.width())]));
        return (lit(1, 0), Some(count));
    }
    let (low_is_zero, low) = leading_zeros_of(value.low(width - half), half);
    let count = match (high, low) {
        (Some(high), Some(low)) => cat(&[high_is_zero, high_is_zero.mux(low, high)]),
        _ => high_is_zero,
    };
    (high_is_zero & low_is_zero, Some(count))
}

/// `a + b`, or `a - b` where `subtracts` is high, as wide as both are: one carry chain, a LUT a bit.
///
/// Written as a subtraction: of the operands of a sum, a tool may lead either into the chain directly, and the one that
/// is complemented takes a LUT more a bit for that, and a level.
#[kernel]
pub(super) fn add_or_subtract(a: Bits, b: Bits, subtracts: Bits) -> Bits {
    let width = a.width();
    let adds = !subtracts;
    let taken = b ^ adds.repeat(width);
    // `a + b` is `a - !b - 1`; that one is borrowed by a bit below.
    let result = cat(&[a, lit(1, 0)]) - cat(&[taken, adds]);
    discard(result.bit(0), "where the borrow came from");
    result.high(width)
}

/// `value > number`, without the carry chain that a comparison becomes: for a few bits.
#[kernel]
pub(super) fn is_above(value: Bits, number: usize) -> Bits {
    let mut is_above = lit(1, 0);
    for bit in 0..value.width() {
        let own = value.bit(bit);
        is_above = if number >> bit & 1 == 1 { own & is_above } else { own | is_above };
    }
    is_above
}

/// The number of bits set, 0 to the width, in as many bits as the width itself takes.
#[kernel]
pub fn count_ones(value: Bits) -> Bits {
    let bits: Vec<Bits> = (0..value.width()).map(|i| value.bit(i)).collect();
    adder_tree(&bits).low(value.width().ilog2() as usize + 1)
}

/// The sum of all terms, wide enough for any: for N terms of W bits W + log2 N, rounded up.
///
/// Terms may differ in width. Of none the sum is one bit of zero. Costs N - 1 adders in log2 N layers.
#[kernel]
pub fn adder_tree(terms: &[Bits]) -> Bits {
    match terms {
        [] => lit(1, 0),
        [term] => *term,
        _ => {
            let (first, second) = terms.split_at(terms.len().div_ceil(2));
            let (first, second) = (adder_tree(first), adder_tree(second));
            let width = first.width().max(second.width());
            first.zero_extend(width).add_wide(second.zero_extend(width))
        }
    }
}

/// The sum of all terms in two's complement, as [`adder_tree`].
#[kernel]
pub fn adder_tree_signed(terms: &[Signed]) -> Signed {
    match terms {
        [] => lit(1, 0).signed(),
        [term] => *term,
        _ => {
            let (first, second) = terms.split_at(terms.len().div_ceil(2));
            adder_tree_signed(first).add_wide(adder_tree_signed(second))
        }
    }
}

/// The value of the first case whose condition holds; `otherwise` where none does.
///
/// A chain of `if` and `else if` says the same, but its last case passes as many multiplexers as there are cases;
/// here it passes the logarithm of that.
#[kernel]
pub fn priority(cases: &[(Bits, Bits)], otherwise: Bits) -> Bits {
    match first_of(cases) {
        Some((found, value)) => found.mux(value, otherwise),
        None => otherwise,
    }
}

/// Whether a condition holds, and the value of the first that does.
#[kernel]
fn first_of(cases: &[(Bits, Bits)]) -> Option<(Bits, Bits)> {
    match cases {
        [] => None,
        [case] => Some(*case),
        _ => {
            let (first, second) = cases.split_at(cases.len().div_ceil(2));
            let ((found, value), (other_found, other)) = (first_of(first)?, first_of(second)?);
            Some((found | other_found, found.mux(value, other)))
        }
    }
}
