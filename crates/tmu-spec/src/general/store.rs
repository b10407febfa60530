//! The parameter store: bindings that a unit keeps, and packets of one beat that name them.
//!
//! An entry has four targets, as a texture unit of OpenGL has: `1d`, `2d` (with arrays), `3d` and `cube`, each with a binding, and a bit
//! each that enables them. A packet is one of two:
//!
//! - a binding with [`STORES`] set is kept at the target of its kind, and nothing that is bound changes;
//! - a binding of one beat, a [`Use`], binds what an entry holds: of the enabled targets the cube before the volume before the picture
//!   before the row. Where none is enabled, the quads behind it are answered with zeros and without an error.
//!
//! Both may say which targets are enabled from then on. What is bound stays as it is when its entry is written: another use takes it
//! up, between two quads. A use of what was never written breaks [`NEVER_WRITTEN`].
//!
//! Entries are also written over the control port, and loaded from a table in memory: the hardware makes [`written`] packets of both,
//! and of an entry that could not be read the packet [`unreadable`].

use super::binding::{Words, get, with};
use super::features::General;
use super::field::{ENABLES, ENTRY, RESERVED, SECONDARY, SETS_ENABLES, STORES, WORDS, entry_mask};
use super::texture::Kind;
use crate::binding::BindingRule;
use crate::binding::field::{DROP_CACHE, Field};
use crate::quad::{PacketError, RequestBeat};
use crate::{LINE_BYTES, TEXTURE_ADDRESS_BITS};

/// The rule that a use breaks of an entry that was never written, or whose enabled target was not.
pub const NEVER_WRITTEN: BindingRule = BindingRule::Feature;

/// Targets of an entry.
pub const TARGETS: usize = 4;

/// The target at which a binding is kept, by the code of its kind. Codes of no kind have one too, since a binding that breaks a rule
/// takes the place of what was there.
pub const TARGET_OF_KIND: [u8; 8] = [0, 1, 2, 3, 1, 1, 2, 3];

/// Fields of the packet of a use. All other bits of its word must be 0.
#[must_use]
pub const fn use_reserved(general: &General) -> u128 {
    let fields = ENABLES.mask() | SETS_ENABLES.mask() | DROP_CACHE.mask() | entry_mask(general);
    !(if general.indirect { fields | SECONDARY.mask() } else { fields })
}

/// The target that holds, of those whose bits are set.
#[must_use]
pub const fn target_of(enables: u8) -> Option<usize> {
    match enables & 0xf {
        0 => None,
        some => Some(some.ilog2() as usize),
    }
}

/// The target at which textures of a kind are kept.
#[must_use]
pub const fn target(kind: Kind) -> usize {
    TARGET_OF_KIND[kind.code() as usize] as usize
}

/// The enables of an entry whose only target is that of a kind.
#[must_use]
pub const fn enables_of(kind: Kind) -> u8 {
    1 << target(kind)
}

/// What a packet does that names an entry for the quads behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Use {
    /// The entry.
    pub entry: u32,
    /// Its enables from now on, a bit for each target; they stay as they are without.
    pub enables: Option<u8>,
    /// The cache drops what it holds first.
    pub drop_cache: bool,
    /// The entry is the secondary texture of indirect look-ups.
    pub is_secondary: bool,
}

impl Use {
    /// The word of its packet.
    #[must_use]
    pub fn word(&self) -> u128 {
        let fields = [
            (ENTRY, self.entry),
            (ENABLES, self.enables.unwrap_or(0).into()),
            (SETS_ENABLES, self.enables.is_some().into()),
            (DROP_CACHE, self.drop_cache.into()),
            (SECONDARY, self.is_secondary.into()),
        ];
        fields.into_iter().fold([0; WORDS], |words, (field, value)| with(words, field, value))[0]
    }

    /// Its packet.
    #[must_use]
    pub fn packet(&self) -> RequestBeat {
        RequestBeat::new(&self.word().to_le_bytes(), true, true)
    }

    /// Reads a use from its word, for a unit with a store.
    ///
    /// # Errors
    /// If a bit is set that no field has.
    pub fn from_word(word: u128, general: &General) -> Result<Self, BindingRule> {
        if word & use_reserved(general) != 0 {
            return Err(BindingRule::ReservedBits);
        }
        let words = &[word, 0, 0, 0, 0];
        let has = |field: Field| get(words, field) == 1;
        Ok(Self {
            entry: get(words, ENTRY),
            enables: if has(SETS_ENABLES) { Some(get(words, ENABLES) as u8) } else { None },
            drop_cache: has(DROP_CACHE),
            is_secondary: has(SECONDARY),
        })
    }
}

/// Whether a packet is a use.
///
/// # Errors
/// If it is none, in which way.
pub fn use_from_beats(beats: &[RequestBeat]) -> Result<u128, PacketError> {
    match beats {
        [beat] if beat.last() && beat.is_binding() => Ok(beat.word()),
        [beat, ..] if !beat.is_binding() => Err(PacketError::Quad),
        _ => Err(PacketError::Length { expected: 1, got: beats.len() }),
    }
}

/// The words of a binding that is kept in an entry.
#[must_use]
pub fn stored(words: Words, entry: u32, enables: Option<u8>) -> Words {
    let fields = [
        (ENTRY, entry),
        (STORES, 1),
        (ENABLES, enables.unwrap_or(0).into()),
        (SETS_ENABLES, enables.is_some().into()),
    ];
    fields.into_iter().fold(words, |words, (field, value)| with(words, field, value))
}

/// Bytes of an entry of a table in memory: the words of its binding, the lowest byte of the first one first.
pub const ENTRY_BYTES: u32 = WORDS as u32 * LINE_BYTES;

/// The line of the texture window that has a word of an entry of the table at an address. A table over the end of the window goes on at its
/// beginning.
#[must_use]
pub const fn line_of_entry(table: u32, entry: u32, word: u32) -> u32 {
    let line = table / LINE_BYTES + entry * WORDS as u32 + word;
    line & ((1 << TEXTURE_ADDRESS_BITS) / LINE_BYTES - 1)
}

/// An entry of a table, whose enables become these or stay as they are. Where it stands says which entry it is.
#[must_use]
pub fn entry_bytes(words: &Words, enables: Option<u8>) -> [u8; ENTRY_BYTES as usize] {
    let mut bytes = [0; ENTRY_BYTES as usize];
    for (line, word) in bytes.chunks_mut(LINE_BYTES as usize).zip(stored(*words, 0, enables)) {
        line.copy_from_slice(&word.to_le_bytes());
    }
    bytes
}

/// The packet that an entry is written by over the control port, or from a table: the words as they are, but for the number of the entry and
/// that they are kept. Whether and how enables change is theirs.
#[must_use]
pub const fn written(words: Words, entry: u32) -> Words {
    with(with(words, STORES, 1), ENTRY, entry)
}

/// A bit of the first word that must be 0 in every unit.
pub const UNREADABLE: u32 = {
    let used = SECONDARY.mask() | STORES.mask() | ENTRY.mask() | ENABLES.mask() | SETS_ENABLES.mask();
    (RESERVED[0] & !used).trailing_zeros()
};

/// The packet that an entry is written by that could not be read from its table: it breaks the first rule at the target `1d`, which is enabled
/// alone.
#[must_use]
pub fn unreadable(entry: u32) -> Words {
    stored([1 << UNREADABLE, 0, 0, 0, 0], entry, Some(enables_of(Kind::D1)))
}

/// Whether words are those of a binding that is kept, in a unit that has a store or not.
#[must_use]
pub const fn is_stored(words: &Words, general: &General) -> bool {
    general.has_store() && get(words, STORES) == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::Choice;

    #[test]
    fn targets_by_kind_and_by_rank() {
        let targets: Vec<usize> = Kind::CHOICES.iter().map(|kind| target(*kind)).collect();
        assert_eq!(targets, [0, 1, 2, 3, 1]);
        let of = |enables: u8| target_of(enables);
        assert_eq!(
            [0, 1, 2, 3, 4, 7, 8, 15].map(of),
            [None, Some(0), Some(1), Some(1), Some(2), Some(2), Some(3), Some(3)]
        );
        assert_eq!([Kind::D1, Kind::D2Array, Kind::Cube].map(enables_of), [1, 2, 8]);
    }

    #[test]
    fn uses_round_trip_and_are_what_is_written() {
        let general = General::LEAST.with_store(64).with_indirect(true);
        let all = Use { entry: 5, enables: Some(9), drop_cache: true, is_secondary: true };
        assert_eq!(all.word(), 5 << 32 | 9 << 40 | 1 << 52 | 1 << 62 | 1 << 63);
        for one in [all, Use::default(), Use { entry: 63, ..Use::default() }] {
            assert_eq!(Use::from_word(one.word(), &general), Ok(one));
            assert_eq!(use_from_beats(&[one.packet()]), Ok(one.word()));
        }
        for bit in [0, 31, 38, 39, 44, 53, 61, 64, 127] {
            let refused = Use::from_word(1 << bit, &general);
            assert_eq!(refused, Err(BindingRule::ReservedBits), "bit {bit}");
        }
        let no_secondary = General::LEAST.with_store(128);
        assert!(Use::from_word(1 << 38, &no_secondary).is_ok());
        assert!(Use::from_word(1 << 63, &no_secondary).is_err());
    }

    #[test]
    fn other_packets_are_no_uses() {
        let one = Use::default().packet();
        let quad = RequestBeat::new(&[0; 16], false, true);
        assert_eq!(use_from_beats(&[quad]), Err(PacketError::Quad));
        assert_eq!(use_from_beats(&[one, one]), Err(PacketError::Length { expected: 1, got: 2 }));
        assert_eq!(use_from_beats(&[]), Err(PacketError::Length { expected: 1, got: 0 }));
    }

    #[test]
    fn entries_of_tables_are_words_that_say_where_they_are_kept() {
        let words = [1, 2, 3, 4, 5 << 120];
        let bytes = entry_bytes(&words, Some(2));
        assert_eq!(bytes[..16], (1u128 | 1 << 39 | 2 << 40 | 1 << 52).to_le_bytes());
        assert_eq!([bytes[16], bytes[79]], [2, 5]);
        assert_eq!(written([7, 2, 3, 4, 5], 9), [7 | 9 << 32 | 1 << 39, 2, 3, 4, 5]);
        assert_eq!(written(stored(words, 3, Some(1)), 9), stored(words, 9, Some(1)));
        assert_eq!(
            [line_of_entry(64, 0, 1), line_of_entry(64, 3, 4), line_of_entry(0x7fff_fff0, 1, 0)],
            [5, 23, 4]
        );
    }

    #[test]
    fn what_could_not_be_read_breaks_a_rule_in_every_unit() {
        for general in [General::LEAST.with_store(64), General::ALL] {
            let words = unreadable(5);
            assert!(is_stored(&words, &general));
            assert_ne!(words[0] & super::super::field::reserved(&general)[0], 0);
            assert_eq!([get(&words, ENTRY), get(&words, ENABLES), get(&words, SETS_ENABLES)], [5, 1, 1]);
        }
    }

    #[test]
    fn stored_words_say_so_to_units_with_a_store() {
        let words = stored([0; WORDS], 3, Some(2));
        assert_eq!(words, [3 << 32 | 1 << 39 | 2 << 40 | 1 << 52, 0, 0, 0, 0]);
        assert_eq!(stored([0; WORDS], 3, None)[0], 3 << 32 | 1 << 39);
        assert!(is_stored(&words, &General::LEAST.with_store(64)) && !is_stored(&words, &General::LEAST));
    }
}
