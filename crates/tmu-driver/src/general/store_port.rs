//! Entries of the parameter store that are written over the control port, or loaded from a table in memory.
//!
//! Only cores with `control.store_port` have the registers, and only those with `control.store_table` load: others answer SLVERR, which is
//! the platform's failure. Both begin here and go on by themselves; [`Tmu::wait_for_entries`] waits for their end. Packets that are sent
//! behind that find the entries written. One that was sent before may find what was there before, or not: who must know waits for
//! its results first.

use super::check::is_line;
use super::field::BEATS;
use super::store::enable;
use super::texture::{Sampler, Texture, WORDS};
use crate::{Bus, Error, MAX_POLLS, Refusal, Tmu, registers as map};

/// Bytes of an entry of a table in memory.
pub const ENTRY_BYTES: usize = 16 * BEATS;

impl Texture {
    /// The texture as an entry of a table in memory. The entry's enables become these or stay as they are. A table begins at a multiple of 16
    /// bytes in the texture window, and its entries follow each other.
    #[must_use]
    pub fn entry_bytes(&self, sampler: &Sampler, enables: Option<u8>) -> [u8; ENTRY_BYTES] {
        let mut bytes = [0; ENTRY_BYTES];
        for (place, word) in bytes.chunks_exact_mut(4).zip(self.entry_words(sampler, enables)) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    fn entry_words(&self, sampler: &Sampler, enables: Option<u8>) -> [u32; WORDS] {
        let mut words = self.words(sampler);
        enable(&mut words, enables);
        words
    }
}

impl<B: Bus> Tmu<B> {
    /// Whether nothing is at work, for these units, a bit each.
    fn check_free(&mut self, units: u32) -> Result<(), Error<B::Error>> {
        let beyond = units >> self.capabilities().units();
        if beyond != 0 {
            return Err(Error::Unit(31 - units.leading_zeros()));
        }
        if self.entries_are_busy()? { Err(Error::Busy) } else { Ok(()) }
    }

    /// Whether entries are being written or loaded.
    ///
    /// # Errors
    /// If the platform fails.
    pub fn entries_are_busy(&mut self) -> Result<bool, Error<B::Error>> {
        Ok(self.bus().read(map::STORE_STATUS)? & map::STORE_STATUS_BUSY_MASK != 0)
    }

    /// Waits until all that was begun is written.
    ///
    /// # Errors
    /// If a unit does not take it, as long as its results are not taken, or the platform fails.
    pub fn wait_for_entries(&mut self) -> Result<(), Error<B::Error>> {
        for _ in 0..MAX_POLLS {
            if !self.entries_are_busy()? {
                return Ok(());
            }
        }
        Err(Error::Time)
    }

    /// Begins to write a texture to an entry of the stores of these units, a bit each, at the target of its kind. What is bound stays as it is.
    ///
    /// # Errors
    /// If there is no such unit or entry, the core would refuse the binding, or something is at work; nothing is written then.
    pub fn write_entry(
        &mut self,
        units: u32,
        entry: u32,
        enables: Option<u8>,
        texture: &Texture,
        sampler: &Sampler,
    ) -> Result<(), Error<B::Error>> {
        self.check_entry(0, entry)?;
        texture.check(sampler, self.capabilities(), self.built).map_err(Error::Refused)?;
        self.check_free(units)?;
        for (number, word) in (0..).zip(texture.entry_words(sampler, enables)) {
            self.bus().write(map::STORE_BINDING_0 + 4 * number, word)?;
        }
        self.begin(&[
            (map::STORE_UNITS, units),
            (map::STORE_ENTRY, entry),
            (map::STORE_CONTROL, map::STORE_CONTROL_SEND_MASK),
        ])
    }

    /// Begins to load entries of the stores of these units, a bit each, from a table at an address in the texture window: so many from the first
    /// one on, each to the entry that has its place. What the table says is not checked here: a binding that breaks a rule is told in the errors,
    /// and quads that it is bound for fail.
    ///
    /// # Errors
    /// If there is no such unit, not all entries are there, the address is none of a table, or something is at work; nothing is loaded then.
    pub fn load_entries(
        &mut self,
        units: u32,
        table: u32,
        first: u32,
        count: u32,
    ) -> Result<(), Error<B::Error>> {
        self.check_entry(0, first)?;
        let room = self.built.store_entries() - first;
        if count > room {
            return Err(Error::Refused(Refusal::Entry));
        }
        if !is_line(table) {
            return Err(Error::Refused(Refusal::Base));
        }
        self.check_free(units)?;
        self.begin(&[
            (map::STORE_UNITS, units),
            (map::STORE_ENTRY, first),
            (map::STORE_COUNT, count),
            (map::STORE_TABLE, table),
            (map::STORE_LOAD, map::STORE_LOAD_LOAD_MASK),
        ])
    }

    fn begin(&mut self, registers: &[(u32, u32)]) -> Result<(), Error<B::Error>> {
        for (register, value) in registers {
            self.bus().write(*register, *value)?;
        }
        Ok(())
    }

    /// The first entry that could not be read since loading was begun: its quads fail until it is written again.
    ///
    /// # Errors
    /// If the platform fails.
    pub fn failed_entry(&mut self) -> Result<Option<u32>, Error<B::Error>> {
        let loaded = self.bus().read(map::STORE_LOADED)?;
        let entry = (loaded & map::STORE_LOADED_ENTRY_MASK) >> map::STORE_LOADED_ENTRY_SHIFT;
        Ok((loaded & map::STORE_LOADED_FAILED_MASK != 0).then_some(entry))
    }
}
