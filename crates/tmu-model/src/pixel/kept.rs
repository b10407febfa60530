//! What is read once for a frame and kept, by its address: states.
//!
//! Contract: what a tile has used is told with the lines of it, read for this tile or for one before; so what is told does not depend on
//! which tiles are drawn together. [`UsedBefore`](super::UsedBefore) counts it once for a frame.

use super::fault::Fault;
use super::records::Records;
use crate::memory::Memory;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// What was read and is kept.
#[derive(Debug)]
pub(super) struct Kept<T> {
    all: HashMap<u32, One<T>>,
    used: Used,
    /// How often [`Kept::take_used`] was called.
    turn: u32,
}

#[derive(Debug)]
struct One<T> {
    value: T,
    /// Lines that it took to read it.
    lines: u64,
    /// The turn in which it was used last.
    turn: u32,
}

/// Where that stands which a tile has used, and the lines of it.
pub(super) type Used = Vec<(u32, u64)>;

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self { all: HashMap::new(), used: Used::new(), turn: 1 }
    }
}

impl<T: Clone> Kept<T> {
    /// What stands at an address. `read` reads it if nobody has asked for it before.
    pub(super) fn get<M: Memory>(
        &mut self,
        memory: &M,
        address: u32,
        read: impl FnOnce(&mut Records<'_, M>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let one = match self.all.entry(address) {
            Entry::Occupied(kept) => kept.into_mut(),
            Entry::Vacant(free) => {
                let mut records = Records::new(memory);
                let value = read(&mut records)?;
                free.insert(One { value, lines: records.lines, turn: 0 })
            }
        };
        if one.turn != self.turn {
            one.turn = self.turn;
            self.used.push((address, one.lines));
        }
        Ok(one.value.clone())
    }

    /// What was asked for since this was called last.
    pub(super) fn take_used(&mut self) -> Used {
        self.turn += 1;
        std::mem::take(&mut self.used)
    }
}
