//! Records as words, and the memory that they go to.

use super::error::Error;

/// Bytes of a line: records are whole lines.
pub(super) const LINE_BYTES: usize = 16;

/// Some bits of a record.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field {
    pub(super) word: usize,
    pub(super) bit: u32,
    pub(super) bits: u32,
}

/// A record of so many words.
#[derive(Debug, Clone, Copy)]
pub(super) struct Record<const WORDS: usize>([u32; WORDS]);

impl<const WORDS: usize> Record<WORDS> {
    pub(super) const fn new() -> Self {
        Self([0; WORDS])
    }

    /// The same with a value of a field, the first of them 0, of which the bits count that the field has.
    pub(super) const fn with(mut self, field: Field, number: usize, value: u32) -> Self {
        let from_start = field.word as u32 * 32 + field.bit + number as u32 * field.bits;
        let (word, bit) = ((from_start / 32) as usize, from_start % 32);
        let mask = (u32::MAX >> (32 - field.bits)) << bit;
        self.0[word] = self.0[word] & !mask | value << bit & mask;
        self
    }

    pub(super) const fn words(&self) -> &[u32; WORDS] {
        &self.0
    }
}

/// Memory that is filled from its start.
#[derive(Debug)]
pub(super) struct Arena<'m> {
    bytes: &'m mut [u8],
    base: u32,
    used: usize,
}

impl<'m> Arena<'m> {
    /// Memory whose first byte the pipeline sees at `base`.
    pub(super) const fn new(bytes: &'m mut [u8], base: u32) -> Self {
        Self { bytes, base, used: 0 }
    }

    pub(super) const fn used(&self) -> usize {
        self.used
    }

    /// Takes whole lines of zeros; gives their address.
    pub(super) fn take(&mut self, bytes: usize) -> Result<u32, Error> {
        let bytes = bytes.next_multiple_of(LINE_BYTES);
        let end = self.used.checked_add(bytes).filter(|end| *end <= self.bytes.len()).ok_or(Error::Memory)?;
        // The last byte has an address, too.
        let last = u32::try_from(end).ok().and_then(|end| self.base.checked_add(end)).ok_or(Error::Memory)?;
        self.bytes[self.used..end].fill(0);
        self.used = end;
        Ok(last - bytes as u32)
    }

    /// Writes a word at an address that was taken.
    pub(super) fn set(&mut self, address: u32, word: u32) {
        let start = (address - self.base) as usize;
        self.bytes[start..start + 4].copy_from_slice(&word.to_le_bytes());
    }

    /// Puts words behind all that was taken; gives their address.
    pub(super) fn put(&mut self, words: &[u32]) -> Result<u32, Error> {
        let address = self.take(4 * words.len())?;
        for (at, word) in (address..).step_by(4).zip(words) {
            self.set(at, *word);
        }
        Ok(address)
    }
}
