//! [`Word`]: values made of parts, whatever their shape.

use super::Part;
use crate::bits::{Bits, lit};
use crate::kernel::{HwEq, NameBits};
use crate::signed::Signed;

/// A value made of hardware values: a [`Bits`], a record of them, `Vec`s and arrays of either.
pub trait Word: Clone {
    /// Calls `f` for every part in order and puts what it returns in its place.
    fn map_parts(&self, at: &Part, f: &mut dyn FnMut(&Part, Bits) -> Bits) -> Self;
}

impl Word for Bits {
    fn map_parts(&self, at: &Part, f: &mut dyn FnMut(&Part, Bits) -> Bits) -> Self {
        f(at, *self)
    }
}

impl Word for Signed {
    fn map_parts(&self, at: &Part, f: &mut dyn FnMut(&Part, Bits) -> Bits) -> Self {
        Signed(f(at, self.0))
    }
}

impl<W: Word> Word for Vec<W> {
    fn map_parts(&self, at: &Part, f: &mut dyn FnMut(&Part, Bits) -> Bits) -> Self {
        self.iter().enumerate().map(|(index, word)| word.map_parts(&at.index(index), f)).collect()
    }
}

impl<W: Word, const N: usize> Word for [W; N] {
    fn map_parts(&self, at: &Part, f: &mut dyn FnMut(&Part, Bits) -> Bits) -> Self {
        std::array::from_fn(|index| self[index].map_parts(&at.index(index), f))
    }
}

/// The parts of a value, with their names behind `name`.
pub(crate) fn parts_of(word: &impl Word, name: &str) -> Vec<(Part, Bits)> {
    let mut parts = vec![];
    word.map_parts(&Part::named(name), &mut |part, value| {
        parts.push((part.clone(), value));
        value
    });
    parts
}

/// The parts of a value, without names.
fn values_of(word: &impl Word) -> Vec<Bits> {
    let mut values = vec![];
    word.map_parts(&Part::nameless(), &mut |_, value| {
        values.push(value);
        value
    });
    values
}

/// `then` where the condition is set, `otherwise` where not, part by part.
///
/// # Panics
/// When arrays of the two differ in length.
#[track_caller]
pub fn choose<W: Word>(condition: Bits, then: &W, otherwise: &W) -> W {
    let others = values_of(otherwise);
    let mut count = 0;
    let chosen = then.map_parts(&Part::nameless(), &mut |_, value| {
        count += 1;
        others.get(count - 1).map_or(value, |other| condition.mux(value, *other))
    });
    assert_eq!(count, others.len(), "a choice between values of {count} and {} parts", others.len());
    chosen
}

/// The value of an `if` of which one side was run, part by part; see [`Mux::chosen`](crate::kernel::Mux::chosen).
pub fn chosen<W: Word>(word: &W) -> W {
    word.map_parts(&Part::nameless(), &mut |_, value| crate::kernel::Mux::chosen(value))
}

/// One bit: all parts are equal.
///
/// # Panics
/// When arrays of the two differ in length.
#[track_caller]
pub fn equal<W: Word>(one: &W, other: &W) -> Bits {
    let (ones, others) = (values_of(one), values_of(other));
    assert_eq!(ones.len(), others.len(), "a comparison of values of so many parts");
    let pairs = ones.iter().zip(&others);
    let same = pairs.map(|(one, other)| one.hw_eq(*other));
    same.reduce(|all, part| all & part).unwrap_or_else(|| lit(1, 1u32))
}

/// Names the wires of a value after the variable that holds it.
pub fn name_parts(word: &impl Word, name: &str) {
    for (part, value) in parts_of(word, name) {
        value.name_value(part.marked_name());
    }
}
