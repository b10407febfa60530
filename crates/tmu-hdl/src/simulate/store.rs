//! Where values live: limbs that the engine and the nets of the block share.
//!
//! A net of a block under simulation reads its settled value straight from here, and an input writes it here, so
//! that nothing is copied between the two. Atomics make that possible without `unsafe`; all are relaxed, which
//! costs nothing on the machines at hand.

use crate::value::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// A place of `width` bits, least significant limb first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    pub(crate) offset: u32,
    pub(crate) width: u32,
}

impl Slot {
    pub(crate) fn limbs(self) -> usize {
        self.width.div_ceil(64) as usize
    }

    pub(crate) fn is_wide(self) -> bool {
        self.width > 64
    }
}

/// The limbs of all values.
#[derive(Debug)]
pub(crate) struct Store {
    limbs: Box<[AtomicU64]>,
    /// A bit for each input that was driven since the engine looked.
    touched: Box<[AtomicU64]>,
    any_touched: AtomicBool,
}

impl Store {
    pub(super) fn new(limbs: usize, inputs: usize) -> Store {
        let zeros = |count: usize| (0..count).map(|_| AtomicU64::new(0)).collect();
        Store {
            limbs: zeros(limbs),
            touched: zeros(inputs.div_ceil(64)),
            any_touched: AtomicBool::new(false),
        }
    }

    #[inline(always)]
    pub(super) fn get(&self, offset: u32) -> u64 {
        self.limbs[offset as usize].load(Relaxed)
    }

    #[inline(always)]
    pub(super) fn set(&self, offset: u32, limb: u64) {
        self.limbs[offset as usize].store(limb, Relaxed);
    }

    pub(super) fn value(&self, slot: Slot) -> Value {
        let mut limbs = [0; super::code::MAX_LIMBS];
        for (i, limb) in limbs.iter_mut().enumerate().take(slot.limbs()) {
            *limb = self.get(slot.offset + i as u32);
        }
        Value::from_limbs(slot.width as usize, &limbs)
    }

    /// True where it changed.
    pub(super) fn put(&self, slot: Slot, limbs: &[u64]) -> bool {
        let mut changed = false;
        for (i, &limb) in limbs.iter().enumerate().take(slot.limbs()) {
            let offset = slot.offset + i as u32;
            changed |= self.get(offset) != limb;
            self.set(offset, limb);
        }
        changed
    }

    /// Drives an input.
    pub(super) fn drive(&self, input: u32, slot: Slot, value: &Value) {
        if self.put(slot, value.limbs()) {
            self.touched[input as usize / 64].fetch_or(1 << (input % 64), Relaxed);
            self.any_touched.store(true, Relaxed);
        }
    }

    /// Calls `f` for every input driven since the last call.
    pub(super) fn take_touched(&self, mut f: impl FnMut(usize)) {
        if !self.any_touched.swap(false, Relaxed) {
            return;
        }
        for (word, bits) in self.touched.iter().enumerate() {
            let mut bits = bits.swap(0, Relaxed);
            while bits != 0 {
                f(word * 64 + bits.trailing_zeros() as usize);
                bits &= bits - 1;
            }
        }
    }
}

/// What a net of a block under simulation holds: its place among the values.
#[derive(Clone, Debug)]
pub(crate) struct Wire {
    pub(super) store: Arc<Store>,
    pub(super) slot: Slot,
    /// Its number among the inputs, for those.
    pub(super) input: Option<u32>,
}

impl Wire {
    pub(crate) fn value(&self) -> Value {
        self.store.value(self.slot)
    }

    /// Drives it. False where it is no input of the block under simulation.
    pub(crate) fn drive(&self, value: &Value) -> bool {
        if let Some(input) = self.input {
            self.store.drive(input, self.slot, value);
        }
        self.input.is_some()
    }
}
