//! `store`: bindings that are kept, and which of them an entry stands for.
//!
//! Contract: what [`tmu_spec::general::store`] says of packets. Cost: an entry that was written takes 400 bytes.

use std::collections::BTreeMap;
use tmu_spec::binding::BindingRule;
use tmu_spec::general::binding::{Words, get};
use tmu_spec::general::field::{ENABLES, ENTRY, KIND, SECONDARY, SETS_ENABLES};
use tmu_spec::general::store::{NEVER_WRITTEN, TARGET_OF_KIND, TARGETS, Use, target_of};

/// What a target holds.
#[derive(Debug, Clone, Copy, Default)]
enum Target {
    #[default]
    NeverWritten,
    /// The binding breaks a rule.
    Broken,
    Kept(Words),
}

#[derive(Debug, Clone, Copy, Default)]
struct Entry {
    is_written: bool,
    enables: u8,
    targets: [Target; TARGETS],
}

/// The entries of a unit.
#[derive(Debug, Clone, Default)]
pub struct Store {
    entries: BTreeMap<u32, Entry>,
}

/// What an entry stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// No target is enabled.
    Nothing,
    /// A binding that breaks a rule, as was told when it was written.
    Broken,
    /// A binding.
    Kept(Words),
}

impl Store {
    /// Keeps a binding, which may break a rule, at the target of its kind.
    pub fn write(&mut self, words: &Words, is_good: bool) {
        let entry = self.entries.entry(get(words, ENTRY)).or_default();
        entry.is_written = true;
        if get(words, SETS_ENABLES) == 1 {
            entry.enables = get(words, ENABLES) as u8;
        }
        let target = TARGET_OF_KIND[get(words, KIND) as usize];
        // Whether it is that of a secondary texture says the use.
        let mut plain = *words;
        plain[SECONDARY.word] &= !SECONDARY.mask();
        entry.targets[usize::from(target)] = if is_good { Target::Kept(plain) } else { Target::Broken };
    }

    /// What an entry stands for, after its enables have become those of the use.
    ///
    /// # Errors
    /// If it, or the target that is enabled, was never written.
    pub fn find(&mut self, of: &Use) -> Result<Found, BindingRule> {
        let entry = self.entries.entry(of.entry).or_default();
        entry.enables = of.enables.unwrap_or(entry.enables);
        if !entry.is_written {
            return Err(NEVER_WRITTEN);
        }
        let Some(target) = target_of(entry.enables) else { return Ok(Found::Nothing) };
        match entry.targets[target] {
            Target::NeverWritten => Err(NEVER_WRITTEN),
            Target::Broken => Ok(Found::Broken),
            Target::Kept(words) => Ok(Found::Kept(words)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tmu_spec::general::field::WORDS;
    use tmu_spec::general::store::stored;

    /// Words of a kind with a mark.
    fn words(kind: u32, mark: u128) -> Words {
        let mut words = tmu_spec::general::binding::with([0; WORDS], KIND, kind);
        words[4] = mark;
        words
    }

    fn mark(found: Result<Found, BindingRule>) -> Option<u128> {
        match found {
            Ok(Found::Kept(words)) => Some(words[4]),
            _ => None,
        }
    }

    #[test]
    fn the_cube_comes_before_the_volume_before_the_picture_before_the_row() {
        let mut store = Store::default();
        for kind in 0..4 {
            store.write(&stored(words(kind, 10 + u128::from(kind)), 7, None), true);
        }
        let mut with = |enables: u8| store.find(&Use { entry: 7, enables: Some(enables), ..Use::default() });
        assert_eq!(with(0), Ok(Found::Nothing));
        assert_eq!(
            [1, 2, 3, 4, 7, 8, 15].map(|enables| mark(with(enables))),
            [Some(10), Some(11), Some(11), Some(12), Some(12), Some(13), Some(13)]
        );
    }

    #[test]
    fn what_was_never_written_is_a_broken_rule() {
        let mut store = Store::default();
        let of = |enables: Option<u8>| Use { entry: 1, enables, ..Use::default() };
        assert_eq!(store.find(&of(Some(0))), Err(NEVER_WRITTEN));
        store.write(&stored(words(1, 5), 1, None), true);
        // The enables of the use before hold.
        assert_eq!(store.find(&of(None)), Ok(Found::Nothing));
        assert_eq!(store.find(&of(Some(8))), Err(NEVER_WRITTEN));
        assert_eq!(mark(store.find(&of(Some(2)))), Some(5));
        assert_eq!(mark(store.find(&of(None))), Some(5));
        // Arrays stand where pictures do.
        store.write(&stored(words(4, 6), 1, None), true);
        assert_eq!(mark(store.find(&of(None))), Some(6));
        store.write(&stored(words(1, 6), 1, None), false);
        assert_eq!(store.find(&of(None)), Ok(Found::Broken));
    }
}
