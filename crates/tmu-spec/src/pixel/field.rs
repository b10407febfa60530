//! The bits of a record: which of them mean what, and the values that stand in them.
//!
//! A record is some lines of 16 bytes, little-endian, counted in words of 32 bits. No value crosses a word. Bits that no field has are
//! reserved and must be 0.

use crate::choice::Choice;
use crate::general::CompareOp;

/// Some bits of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// Its name, in the manner of a Rust variable.
    pub name: &'static str,
    /// The word of its first value, from 0.
    pub word: usize,
    /// Its lowest bit there.
    pub bit: u32,
    /// Bits of a value.
    pub bits: u32,
    /// Values, one behind the other.
    pub count: usize,
    /// What it says.
    pub doc: &'static str,
}

impl Field {
    /// Word and lowest bit of a value.
    #[must_use]
    pub const fn place(&self, number: usize) -> (usize, u32) {
        let from_start = self.word as u32 * u32::BITS + self.bit + number as u32 * self.bits;
        ((from_start / u32::BITS) as usize, from_start % u32::BITS)
    }

    /// The bits of a value, at the bottom of a word.
    #[must_use]
    pub const fn mask(&self) -> u32 {
        u32::MAX >> (u32::BITS - self.bits)
    }

    pub(super) fn get(&self, words: &[u32], number: usize) -> u32 {
        let (word, bit) = self.place(number);
        words[word] >> bit & self.mask()
    }

    pub(super) fn set(&self, words: &mut [u32], number: usize, value: u32) {
        let (word, bit) = self.place(number);
        words[word] = words[word] & !(self.mask() << bit) | (value & self.mask()) << bit;
    }
}

/// Bits that are no record: a field with a code that stands for nothing, or reserved bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Misfit {
    /// The field holds no value.
    #[error("`{0}` holds a code that stands for nothing")]
    Code(&'static str),
    /// A bit is set that no field has.
    #[error("a reserved bit of word {0} is set")]
    Reserved(usize),
}

/// A value of a field.
pub trait Scalar: Copy {
    /// The value of some bits.
    fn from_bits(bits: u32, width: u32) -> Option<Self>;

    /// Its bits; those above the field's width are dropped.
    fn to_bits(self) -> u32;
}

impl Scalar for u32 {
    fn from_bits(bits: u32, _: u32) -> Option<Self> {
        Some(bits)
    }

    fn to_bits(self) -> u32 {
        self
    }
}

impl Scalar for u8 {
    fn from_bits(bits: u32, _: u32) -> Option<Self> {
        u8::try_from(bits).ok()
    }

    fn to_bits(self) -> u32 {
        self.into()
    }
}

impl Scalar for i16 {
    fn from_bits(bits: u32, _: u32) -> Option<Self> {
        u16::try_from(bits).ok().map(|bits| bits as i16)
    }

    fn to_bits(self) -> u32 {
        self as u32
    }
}

/// Two's complement of the field's width.
impl Scalar for i32 {
    fn from_bits(bits: u32, width: u32) -> Option<Self> {
        let above = u32::BITS - width;
        Some((bits << above) as i32 >> above)
    }

    fn to_bits(self) -> u32 {
        self as u32
    }
}

impl Scalar for f32 {
    fn from_bits(bits: u32, _: u32) -> Option<Self> {
        Some(f32::from_bits(bits))
    }

    fn to_bits(self) -> u32 {
        f32::to_bits(self)
    }
}

impl Scalar for bool {
    fn from_bits(bits: u32, _: u32) -> Option<Self> {
        Some(bits != 0)
    }

    fn to_bits(self) -> u32 {
        self.into()
    }
}

impl Scalar for CompareOp {
    fn from_bits(bits: u32, _: u32) -> Option<Self> {
        CompareOp::CHOICES.get(bits as usize).copied()
    }

    fn to_bits(self) -> u32 {
        self as u32
    }
}

/// What a field of a record holds: a value, or some in a row.
pub trait Value: Sized {
    /// How many.
    const COUNT: usize;

    /// Reads them, unless one is none.
    fn get(words: &[u32], field: &Field) -> Option<Self>;

    /// Writes them.
    fn set(&self, words: &mut [u32], field: &Field);
}

impl<T: Scalar> Value for T {
    const COUNT: usize = 1;

    fn get(words: &[u32], field: &Field) -> Option<Self> {
        T::from_bits(field.get(words, 0), field.bits)
    }

    fn set(&self, words: &mut [u32], field: &Field) {
        field.set(words, 0, self.to_bits());
    }
}

impl<T: Scalar, const N: usize> Value for [T; N] {
    const COUNT: usize = N;

    fn get(words: &[u32], field: &Field) -> Option<Self> {
        let values: Option<Vec<T>> =
            (0..N).map(|number| T::from_bits(field.get(words, number), field.bits)).collect();
        values?.try_into().ok()
    }

    fn set(&self, words: &mut [u32], field: &Field) {
        for (number, value) in self.iter().enumerate() {
            field.set(words, number, value.to_bits());
        }
    }
}

/// The bits of a word that no field has.
#[must_use]
pub fn reserved(fields: &[Field], word: usize) -> u32 {
    let used =
        fields.iter().flat_map(|field| (0..field.count).map(|number| (field.place(number), field.mask())));
    used.filter(|((place, _), _)| *place == word)
        .fold(u32::MAX, |free, ((_, bit), mask)| free & !(mask << bit))
}
