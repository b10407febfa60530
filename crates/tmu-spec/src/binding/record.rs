//! The bits of a binding.

use super::field::{Field, RESERVED, WORDS};
use crate::quad::{PacketError, RequestBeat};
use std::fmt;

/// The bits of a binding: [`WORDS`] words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Record {
    words: [u128; WORDS],
}

impl Record {
    /// A record of this first word, legal or not; words above it are 0.
    #[must_use]
    pub const fn from_first_word(word: u128) -> Record {
        let mut words = [0; WORDS];
        words[0] = word;
        Record { words }
    }

    /// Its words, the first one first.
    #[must_use]
    pub const fn words(&self) -> &[u128; WORDS] {
        &self.words
    }

    /// A field's value.
    #[must_use]
    pub const fn get(&self, field: Field) -> u32 {
        ((self.words[field.word] & field.mask()) >> field.shift) as u32
    }

    /// Whether a field of one bit is set.
    #[must_use]
    pub const fn is_set(&self, field: Field) -> bool {
        self.get(field) != 0
    }

    /// The same record with another value of a field, of which the bits count that the field has.
    #[must_use]
    pub const fn with(mut self, field: Field, value: u32) -> Record {
        let word = &mut self.words[field.word];
        *word = *word & !field.mask() | (value as u128) << field.shift & field.mask();
        self
    }

    /// The same record with one word changed, legal or not.
    #[must_use]
    pub fn with_word(mut self, number: usize, change: impl FnOnce(u128) -> u128) -> Record {
        self.words[number] = change(self.words[number]);
        self
    }

    /// Whether a bit is set that no field has.
    #[must_use]
    pub fn has_reserved_bits(&self) -> bool {
        self.words.iter().zip(RESERVED).any(|(word, reserved)| word & reserved != 0)
    }

    /// Its packet: a beat a word, the first one first.
    #[must_use]
    pub fn to_beats(&self) -> Vec<RequestBeat> {
        let last = WORDS - 1;
        let beat =
            |(number, word): (usize, &u128)| RequestBeat::new(&word.to_le_bytes(), true, number == last);
        self.words.iter().enumerate().map(beat).collect()
    }

    /// Reads a record from its packet. Bits of a beat above its word are folded into the word's highest, which is as
    /// reserved as they are.
    ///
    /// # Errors
    /// The first way in which the packet is not a binding's.
    pub fn from_beats(beats: &[RequestBeat]) -> Result<Record, PacketError> {
        let got = beats.iter().position(RequestBeat::last).map_or(beats.len(), |last| last + 1);
        if got != beats.len() || got != WORDS || !beats[got - 1].last() {
            return Err(PacketError::Length { expected: WORDS as u32, got });
        }
        if !beats[0].is_binding() {
            return Err(PacketError::Quad);
        }
        let mut words = [0; WORDS];
        for (word, beat) in words.iter_mut().zip(beats) {
            *word = beat.word();
        }
        Ok(Record { words })
    }
}

impl fmt::LowerHex for Record {
    /// As one number, the first word lowest.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let used = self.words.iter().rposition(|word| *word != 0).unwrap_or(0);
        fmt::LowerHex::fmt(&self.words[used], f)?;
        self.words[..used].iter().rev().try_for_each(|word| write!(f, "_{word:032x}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::binding::field::ALL;

    #[test]
    fn a_field_changes_alone() {
        for field in ALL {
            let all = Record { words: [u128::MAX; WORDS] };
            let cleared = all.with(field, 0);
            assert_eq!(cleared.words()[field.word], !field.mask(), "{}", field.name);
            assert_eq!(cleared.get(field), 0);
            // More than the field's own bits do not reach its neighbours.
            assert_eq!(cleared.with(field, u32::MAX), all, "{}", field.name);
            assert!(all.is_set(field));
        }
    }

    #[test]
    fn packets_round_trip() {
        let record = Record::from_first_word(0x1234_5678_9abc_def0_0123_4567_89ab_cdef);
        let beats = record.to_beats();
        assert_eq!(beats.len(), WORDS);
        assert_eq!(Record::from_beats(&beats), Ok(record));
        let more = [beats.clone(), beats.clone()].concat();
        assert_eq!(Record::from_beats(&more), Err(PacketError::Length { expected: 1, got: 1 }));
        assert_eq!(Record::from_beats(&[]), Err(PacketError::Length { expected: 1, got: 0 }));
        let quad = RequestBeat::new(&[1], false, true);
        assert_eq!(Record::from_beats(&[quad]), Err(PacketError::Quad));
    }

    #[test]
    fn bits_above_a_word_are_kept() {
        for byte in 16..33 {
            let mut tdata = [0; 33];
            tdata[byte] = 1;
            let record = Record::from_beats(&[RequestBeat::new(&tdata, true, true)]).unwrap();
            assert_eq!(record.words()[0], 1 << 127, "byte {byte}");
            assert!(record.has_reserved_bits());
        }
    }

    #[test]
    fn records_print_as_one_number() {
        let record = Record::from_first_word(0x4610_394b_7fff_0010);
        assert_eq!(format!("{record:#x}"), "0x4610394b7fff0010");
        assert_eq!(format!("{:#x}", Record::default()), "0x0");
    }
}
