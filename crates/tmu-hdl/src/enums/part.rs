//! Enums as parts of records, `Enum<State, T>`, and as values on their way through pipes.

use super::{Enum, HardwareEnum};
use crate::bits::Bits;
use crate::records::{Part, Record, Signal, Width, Word};
use rust_hdl_core::prelude::*;
use std::fmt;

impl<E: HardwareEnum, T> Record for Enum<E, T> {
    type Item = T;
    type Of<U> = Enum<E, U>;

    fn map<U>(&self, at: &Part, f: &mut dyn FnMut(&Part, &T) -> U) -> Enum<E, U> {
        Enum::new(f(&at.with_names(E::NAMES), &self.code))
    }

    fn zip<U, V>(&self, other: &Enum<E, U>, at: &Part, f: &mut dyn FnMut(&Part, &T, &U) -> V) -> Enum<E, V> {
        Enum::new(f(&at.with_names(E::NAMES), &self.code, &other.code))
    }
}

impl<E: HardwareEnum> Word for Enum<E> {
    fn map_parts(&self, at: &Part, f: &mut dyn FnMut(&Part, Bits) -> Bits) -> Self {
        self.map(at, &mut |at, code| f(at, *code))
    }
}

impl<E, T: fmt::Debug> fmt::Debug for Enum<E, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.code.fmt(f)
    }
}

impl<E: HardwareEnum> Enum<E, Width> {
    /// The part in the shape of a record.
    pub const fn shape() -> Self {
        Enum { code: Width::of::<E>(), variants: std::marker::PhantomData }
    }
}

impl<E: HardwareEnum, T: Signal> Enum<E, T> {
    /// Drives the net or register of a part: what `record.state.next = value` stands for.
    #[track_caller]
    pub fn drive(&self, value: impl Into<Enum<E>>) {
        self.code.take(value.into().code);
    }
}

as_its_net!(Enum<E, T>, [E: HardwareEnum, T: Block], code);

impl Width {
    /// A part that holds a code of `E` as plain bits; a kernel reads it with [`Enum::of`].
    pub const fn of<E: HardwareEnum>() -> Width {
        Width::bits(E::WIDTH_BITS)
    }
}
