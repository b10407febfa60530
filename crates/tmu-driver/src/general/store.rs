//! Entries of the parameter store: textures with their samplers that a unit keeps.

use super::codes::Kind;
use super::field::{DROP_CACHE, ENABLES, ENTRY, SECONDARY, SETS_ENABLES, STORES, WORDS_PER_BEAT};
use super::texture::{Sampler, Texture, beat_of_binding, packet, set};
use crate::{Bus, Error, Refusal, Tmu};

/// What binds an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Use {
    /// The entry.
    pub entry: u32,
    /// Its targets that are enabled from now on, see [`enables`]; they stay as they are without.
    pub enables: Option<u8>,
    /// Drop what the unit's cache holds first: memory has changed.
    pub drop_cache: bool,
    /// It is the secondary texture of indirect look-ups.
    pub is_secondary: bool,
}

impl Use {
    /// One of the targets that are enabled.
    #[must_use]
    pub const fn new(entry: u32) -> Self {
        Self { entry, enables: None, drop_cache: false, is_secondary: false }
    }
}

/// The target of an entry at which textures of these kinds stand, a bit each: rows, pictures and arrays, volumes, cubes. Of those that
/// are enabled the cube holds before the volume before the picture before the row; where none is, results are zeros without an error.
#[must_use]
pub fn enables(kinds: &[Kind]) -> u8 {
    let bit = |kind: &Kind| match kind {
        Kind::D1 => 1,
        Kind::D2 | Kind::D2Array => 2,
        Kind::D3 => 4,
        Kind::Cube => 8,
    };
    kinds.iter().fold(0, |enables, kind| enables | bit(kind))
}

/// Says which entry, and which of its targets are enabled.
fn name(words: &mut [u32], entry: u32, enables: Option<u8>) {
    set(words, &ENTRY, entry);
    enable(words, enables);
}

/// Says which targets of an entry are enabled.
pub(super) fn enable(words: &mut [u32], enables: Option<u8>) {
    set(words, &ENABLES, enables.unwrap_or(0).into());
    set(words, &SETS_ENABLES, enables.is_some().into());
}

impl<B: Bus> Tmu<B> {
    pub(super) fn check_entry(&self, unit: u32, entry: u32) -> Result<(), Error<B::Error>> {
        self.check_general(unit)?;
        if entry < self.built.store_entries() { Ok(()) } else { Err(Error::Refused(Refusal::Entry)) }
    }

    /// Queues a texture for an entry, where it stands at the target of its kind. What is bound stays as it is. False: the stream is
    /// full, try again.
    ///
    /// # Errors
    /// If there is no such entry, or the core would refuse the binding; nothing is sent then.
    pub fn store_general(
        &mut self,
        unit: u32,
        entry: u32,
        enables: Option<u8>,
        texture: &Texture,
        sampler: &Sampler,
    ) -> Result<bool, Error<B::Error>> {
        self.check_entry(unit, entry)?;
        texture.check(sampler, self.capabilities(), self.built).map_err(Error::Refused)?;
        let mut words = texture.words(sampler);
        set(&mut words, &STORES, 1);
        name(&mut words, entry, enables);
        Ok(self.bus().send(unit, &packet(&words))?)
    }

    /// Queues what binds an entry for all quads behind it. False: the stream is full, try again.
    ///
    /// # Errors
    /// If there is no such entry; nothing is sent then.
    pub fn use_entry(&mut self, unit: u32, of: &Use) -> Result<bool, Error<B::Error>> {
        self.check_entry(unit, of.entry)?;
        if of.is_secondary && !self.built.has_indirect() {
            return Err(Error::Refused(Refusal::Indirect));
        }
        let mut words = [0; WORDS_PER_BEAT];
        name(&mut words, of.entry, of.enables);
        set(&mut words, &DROP_CACHE, of.drop_cache.into());
        set(&mut words, &SECONDARY, of.is_secondary.into());
        Ok(self.bus().send(unit, &[beat_of_binding(&words, true)])?)
    }
}
