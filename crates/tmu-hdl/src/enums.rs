//! Enums of the hardware: values that are one of a few names, with `match`.
//!
//! ```
//! use tmu_hdl::{elaborate::elaborate, prelude::*, verilog::{Header, emit}};
//!
//! #[derive(HardwareEnum, Clone, Copy, Debug, PartialEq)]
//! enum State {
//!     Idle,
//!     Load,
//!     Run,
//! }
//!
//! /// Loads a number and counts it down.
//! #[derive(LogicBlock)]
//! struct CountDown {
//!     clocks: Clocks,
//!     start: Net<In>,
//!     number: Net<In>,
//!     is_idle: Net<Out>,
//!     state: EnumReg<State>,
//!     left: Reg,
//! }
//!
//! #[kernel]
//! impl CountDown {
//!     fn logic(&self) {
//!         match self.state.val() {
//!             State::Idle => {
//!                 if self.start.val() {
//!                     self.state.next = State::Load;
//!                 }
//!             }
//!             State::Load => {
//!                 self.left.next = self.number.val();
//!                 self.state.next = State::Run;
//!             }
//!             State::Run => {
//!                 self.left.next = self.left.val() - 1;
//!                 if self.left.val() == 0 {
//!                     self.state.next = State::Idle;
//!                 }
//!             }
//!         }
//!         self.is_idle.next = self.state.val() == State::Idle;
//!     }
//! }
//!
//! # fn main() -> Result<(), tmu_hdl::diagnostic::Problems> {
//! # let clocks = Clocks::new();
//! # let block = CountDown {
//! #     start: Net::bit(), number: Net::new(8), is_idle: Net::bit(),
//! #     state: EnumReg::with_reset(&clocks, State::Idle), left: Reg::new(&clocks, 8), clocks,
//! # };
//! let text = emit(&elaborate("count_down", &block)?).to_file(&Header::default());
//! assert!(text.contains("localparam [1:0] STATE_IDLE = 2'd0;"));
//! assert!(text.contains("case (state)\n"));
//! assert!(text.contains("STATE_LOAD: begin"));
//! # Ok(())
//! # }
//! ```
//!
//! In simulation a waveform has a text beside each net and register of an enum, `state$name`, that says the variant.
//!
//! Contract: variants have no fields. Their codes are their numbers, 0 and up, or those that the enum gives them
//! (`Okay = 0, SlaveError = 2`), in as many bits as the largest needs; under `#[hardware_enum(one_hot)]` each has a bit of
//! its own. `==` compares codes. A [`match`](crate::kernel) asks, as Rust does, for an arm for every variant. A code that no
//! variant has, which only an input or a register without reset can bring, takes the last arm; it is equal to no variant.
//! An arm with `return`, `break`, `continue` or `?`, or with a guard, makes a `match` one of Rust alone, which takes no value
//! of the hardware.
//!
//! Cost: what the `if`s would cost that compare with the codes.

use crate::bits::Bits;
use crate::clock::Clocks;
use crate::diagnostic::{Rule, Source, bits};
use crate::kernel::{HwEq, Mux, NameBits};
use crate::net::{Driven, Net};
use crate::op::Op;
use crate::record;
use crate::register::Reg;
use crate::value::Value;
use rust_hdl_core::direction::Direction;
use rust_hdl_core::prelude::*;
use std::fmt;
use std::marker::PhantomData;
use std::panic::Location;

/// Codes with what they are called.
pub type Names = &'static [(u64, &'static str)];

/// An enum under `#[derive(HardwareEnum)]`.
pub trait HardwareEnum: Copy + 'static {
    /// All variants, in their order.
    const ALL: &'static [Self];
    /// The code and the name of each.
    const NAMES: Names;
    /// Bits of a code.
    const WIDTH_BITS: usize;

    /// The code of a variant.
    fn code(&self) -> u64;

    /// What a variant is called in the Verilog: `STATE_IDLE`.
    fn name(&self) -> &'static str;

    /// The variant as a value of the hardware, where both sides of an `if` must be one.
    fn value(self) -> Enum<Self> {
        let code = Value::from_u128(Self::WIDTH_BITS, u128::from(self.code()));
        Enum::new(Bits::constant(code).named(self.name()))
    }
}

/// A value that is one of the variants of `E`. As a part of a record, `Enum<E, T>`, it is what stands in its place: the
/// value, its width, its net or its register.
pub struct Enum<E, T = Bits> {
    code: T,
    variants: PhantomData<E>,
}

impl<E, T> Enum<E, T> {
    fn new(code: T) -> Self {
        Enum { code, variants: PhantomData }
    }
}

impl<E, T: Clone> Clone for Enum<E, T> {
    fn clone(&self) -> Self {
        Enum::new(self.code.clone())
    }
}

impl<E, T: Copy> Copy for Enum<E, T> {}

impl<E: HardwareEnum> Enum<E> {
    /// The variant that has this code. Parts of records are bits; this reads one.
    #[track_caller]
    pub fn of(code: Bits) -> Enum<E> {
        let fits = code.width() == E::WIDTH_BITS;
        if !fits && !code.is_poison() {
            let source = Location::caller();
            record::refuse(
                Rule::Width,
                format!("a code of {} is read from {}", bits(E::WIDTH_BITS), bits(code.width())),
                vec![("written".into(), source), code.describe("code", source)],
                "make the net or the part as wide as the enum: `State::WIDTH_BITS`, `Width::of::<State>()`",
            );
        }
        Enum::new(if fits { code } else { Bits::poison(E::WIDTH_BITS) })
    }

    /// The code.
    pub fn bits(self) -> Bits {
        self.code
    }

    /// The variant, in simulation; `None` for a code that none has.
    #[track_caller]
    pub fn variant(self) -> Option<E> {
        let code = self.code.value();
        E::ALL.iter().copied().find(|variant| Some(variant.code()) == code.to_u64())
    }
}

impl<E: HardwareEnum> fmt::Debug for Enum<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let code = self.code.value;
        match E::ALL.iter().find(|variant| Some(variant.code()) == code.to_u64()) {
            _ if self.code.without_name().node.is_some() => f.write_str("a signal"),
            Some(variant) => f.write_str(variant.name()),
            None => write!(f, "code {code:x}"),
        }
    }
}

impl<E: HardwareEnum> From<E> for Enum<E> {
    fn from(variant: E) -> Enum<E> {
        variant.value()
    }
}

impl<E: HardwareEnum> Driven for Enum<E> {
    fn into_bits(self, _: usize) -> Bits {
        self.code
    }
}

macro_rules! compare {
    ($other:ty) => {
        impl<E: HardwareEnum> HwEq<$other> for Enum<E> {
            type Output = Bits;
            #[track_caller]
            fn hw_eq(self, other: $other) -> Bits {
                Bits::apply(Op::Eq, &[self.code, Enum::<E>::from(other).code], Location::caller())
            }
            #[track_caller]
            fn hw_ne(self, other: $other) -> Bits {
                Bits::apply(Op::Ne, &[self.code, Enum::<E>::from(other).code], Location::caller())
            }
        }
    };
}
compare!(E);
compare!(Enum<E>);

impl<E: HardwareEnum> Mux for Enum<E> {
    fn mux(condition: Bits, then: Self, otherwise: Self) -> Self {
        Enum::new(condition.mux(then.code, otherwise.code))
    }

    fn chosen(self) -> Self {
        Enum::new(self.code.chosen())
    }
}

impl<E: HardwareEnum> NameBits for Enum<E> {
    fn name_value(&self, name: &str) {
        self.code.name_value(name);
    }
}

/// A wire or port that holds one of the variants of `E`.
#[derive(Debug)]
pub struct EnumNet<E, D: Direction> {
    net: Net<D>,
    variants: PhantomData<E>,
}

impl<E: HardwareEnum, D: Direction> EnumNet<E, D> {
    /// A net as wide as the codes.
    #[track_caller]
    #[allow(clippy::new_without_default, reason = "no net has a default")]
    pub fn new() -> Self {
        EnumNet { net: Net::new(E::WIDTH_BITS).codes_named(E::NAMES), variants: PhantomData }
    }

    /// The settled value.
    #[track_caller]
    pub fn val(&self) -> Enum<E> {
        Enum::of(self.net.val())
    }

    /// Drives the net: what `net.next = value` stands for.
    #[track_caller]
    pub fn drive(&self, value: impl Into<Enum<E>>) {
        self.net.drive(value.into().code);
    }
}

/// A register that holds one of the variants of `E`.
#[derive(Debug)]
pub struct EnumReg<E> {
    reg: Reg,
    variants: PhantomData<E>,
}

impl<E: HardwareEnum> EnumReg<E> {
    /// A register that the synchronous reset of its clock sets to `variant`, which it also holds at start.
    ///
    /// # Panics
    /// When `clocks` has no reset.
    #[track_caller]
    pub fn with_reset(clocks: &Clocks, variant: E) -> Self {
        let source: Source = Location::caller();
        let reg = Reg::with_reset(clocks, E::WIDTH_BITS, u128::from(variant.code()));
        let reg = reg.made_at(source).reset_named(variant.name()).codes_named(E::NAMES);
        EnumReg { reg, variants: PhantomData }
    }

    /// Adds a Verilog attribute, for example `fsm_encoding = "none"`.
    pub fn attribute(self, text: &str) -> Self {
        EnumReg { reg: self.reg.attribute(text), ..self }
    }

    /// The settled value.
    #[track_caller]
    pub fn val(&self) -> Enum<E> {
        Enum::of(self.reg.val())
    }

    /// Drives its input: what `reg.next = value` stands for.
    #[track_caller]
    pub fn drive(&self, value: impl Into<Enum<E>>) {
        self.reg.drive(value.into().code);
    }
}

macro_rules! as_its_net {
    ($type:ty, [$($generics:tt)*], $field:ident) => {
        impl<$($generics)*> Logic for $type {
            fn update(&mut self) {}
        }

        impl<$($generics)*> Block for $type {
            fn connect_all(&mut self) {
                self.$field.connect_all();
            }

            fn update_all(&mut self) {
                self.$field.update_all();
            }

            fn has_changed(&self) -> bool {
                self.$field.has_changed()
            }

            fn accept(&self, name: &str, probe: &mut dyn Probe) {
                self.$field.accept(name, probe);
            }
        }
    };
}
as_its_net!(EnumNet<E, D>, [E: HardwareEnum, D: Direction], net);
as_its_net!(EnumReg<E>, [E: HardwareEnum], reg);

mod part;
#[cfg(test)]
mod tests;
