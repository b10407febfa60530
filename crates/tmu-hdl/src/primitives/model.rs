//! What the Rust models of hand-written primitives are made of.
//!
//! rust-hdl settles a design in rounds. In each round a block's `update` runs before its own nets take their
//! new values, and the block around it, which drives both clock and data, has run before that. So in the round
//! in which [`EdgeDetector::rose`] is true, `val()` of every input is still what it was before the edge:
//! a model computes its new state from `val()` there and drives its outputs from the state at once.

use crate::clock::{Clocks, Level};
use rust_hdl_core::prelude::*;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// Finds the rising edges of a clock for a Rust model.
#[derive(Debug)]
pub struct EdgeDetector {
    clock: Arc<Level>,
    before: bool,
}

impl EdgeDetector {
    /// Watches the clock of `clocks`.
    pub fn new(clocks: &Clocks) -> EdgeDetector {
        EdgeDetector { clock: clocks.clock_level(), before: false }
    }

    /// True once for each rising edge. To be called in every `update`, before anything else.
    pub fn rose(&mut self) -> bool {
        let level = self.clock.driven();
        let rose = level && !self.before;
        self.before = level;
        rose
    }
}

/// A field of a primitive that belongs to its Rust model and leaves no trace in the hardware.
#[derive(Debug, Default)]
pub struct ModelState<T>(T);

impl<T> ModelState<T> {
    /// The state at start.
    pub fn new(state: T) -> ModelState<T> {
        ModelState(state)
    }
}

impl<T> Deref for ModelState<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for ModelState<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

macro_rules! no_hardware {
    ($type:ty, [$($generics:tt)*]) => {
        impl<$($generics)*> Logic for $type {
            fn update(&mut self) {}
        }
        impl<$($generics)*> Block for $type {
            fn connect_all(&mut self) {}
            fn update_all(&mut self) {}
            /// The outputs that show a change of the state say so themselves.
            fn has_changed(&self) -> bool {
                false
            }
            fn accept(&self, _: &str, _: &mut dyn Probe) {}
        }
    };
}
no_hardware!(EdgeDetector, []);
no_hardware!(ModelState<T>, [T]);
