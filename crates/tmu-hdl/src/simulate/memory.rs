//! The words of all memories, as limbs in a row.

use super::program::Write;
use super::store::Store;
use crate::behaviour::Memory;

#[derive(Debug)]
pub(super) struct Memories {
    memories: Vec<Words>,
}

#[derive(Debug)]
pub(super) struct Words {
    depth: u64,
    pub(super) limbs_each: usize,
    limbs: Vec<u64>,
    zero: Vec<u64>,
}

impl Words {
    fn new(memory: &Memory) -> Words {
        let limbs_each = memory.width.div_ceil(64);
        let mut limbs = vec![0; memory.depth * limbs_each];
        for (to, word) in limbs.chunks_mut(limbs_each).zip(memory.words.iter().flatten()) {
            to.copy_from_slice(word.limbs());
        }
        Words { depth: memory.depth as u64, limbs_each, limbs, zero: vec![0; limbs_each] }
    }

    /// Where a word begins, for an address inside.
    pub(super) fn place(&self, address: u64) -> Option<usize> {
        (address < self.depth).then(|| address as usize * self.limbs_each)
    }
}

impl Memories {
    pub(super) fn new(memories: &[Memory]) -> Memories {
        Memories { memories: memories.iter().map(Words::new).collect() }
    }

    pub(super) fn of(&self, memory: usize) -> &Words {
        &self.memories[memory]
    }

    pub(super) fn read(&self, memory: usize, address: u64) -> &[u64] {
        let words = &self.memories[memory];
        words.place(address).map_or(&words.zero, |at| &words.limbs[at..at + words.limbs_each])
    }

    /// Sets every word to zero.
    pub(super) fn clear(&mut self, memory: usize) {
        self.memories[memory].limbs.fill(0);
    }

    /// Writes the word that begins at `at`.
    pub(super) fn put_word(&mut self, memory: usize, at: usize, word: &[u64]) {
        self.memories[memory].limbs[at..at + word.len()].copy_from_slice(word);
    }

    /// Writes where it is enabled; true where a word changed.
    pub(super) fn write(&mut self, write: &Write, store: &Store) -> bool {
        if store.get(write.enable.offset) == 0 {
            return false;
        }
        let words = &mut self.memories[write.memory];
        let Some(at) = words.place(store.get(write.address.offset)) else { return false };
        let mut changed = false;
        for limb in 0..words.limbs_each {
            let value = store.get(write.data.offset + limb as u32);
            changed |= words.limbs[at + limb] != value;
            words.limbs[at + limb] = value;
        }
        changed
    }
}
