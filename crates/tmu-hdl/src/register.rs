//! Registers of run-time width under rust-hdl's `Block`, `Logic` and `Atom`.
//!
//! A register reads as its output and drives its input; it knows its clock from the [`Clocks`] it was made with.

use crate::atom::{AtomDetails, Attached, atom, lay_details, take_attached};
use crate::bits::Bits;
use crate::clock::{Clocks, Level};
use crate::crossing::Declared;
use crate::diagnostic::Source;
use crate::enums::Names;
use crate::net::{Driven, checked_width, read, record_drive};
use crate::record::{self, AtomId};
use crate::simulate::store::Wire;
use crate::value::Value;
use rust_hdl_core::prelude::*;
use rust_hdl_core::signal::get_signal_id;
use std::cell::Cell;
use std::panic::Location;
use std::sync::{Arc, OnceLock};

/// What a register adds to a net.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RegisterDetails {
    /// Its clock.
    pub clock: AtomId,
    /// Its active-high synchronous reset, where it has a reset value.
    pub reset: Option<AtomId>,
    /// The value that reset gives it.
    pub reset_value: Option<Value>,
    /// The value after configuration.
    pub init: Value,
    /// What the reset value is called, where it is the code of a variant.
    pub reset_name: Option<&'static str>,
}
/// A register: `val()` is its output, `next` its input. It holds its value where it is not driven.
#[derive(Debug)]
pub struct Reg {
    q: Value,
    d: Cell<Option<Value>>,
    changed: bool,
    clock_before: bool,
    clock: Arc<Level>,
    reset: Option<Arc<Level>>,
    details: AtomDetails,
    /// Where its value is while the interpreter runs the block.
    wire: OnceLock<Wire>,
    id: AtomId,
}

impl Reg {
    /// A register of `width` bits on the clock of `clocks`, zero after configuration, without reset.
    #[track_caller]
    pub fn new(clocks: &Clocks, width: usize) -> Self {
        let (width, refused_width) = checked_width(width);
        let zero = Value::zero(width);
        let register = RegisterDetails {
            clock: clocks.clk.id(),
            reset: None,
            reset_value: None,
            init: zero,
            reset_name: None,
        };
        Reg {
            q: zero,
            d: Cell::new(None),
            changed: false,
            clock_before: false,
            clock: clocks.clock_level(),
            reset: clocks.reset_level(),
            details: AtomDetails {
                source: Location::caller(),
                attributes: vec![],
                declared: Declared::default(),
                register: Some(register),
                refused_width,
                level: None,
                width_name: None,
                code_names: None,
            },
            wire: OnceLock::new(),
            id: get_signal_id(),
        }
    }

    /// A register that the synchronous reset of its clock sets to `number`, which it also holds at start.
    ///
    /// # Panics
    /// When `clocks` has no reset, or the number does not fit: both are faults of the block's constructor.
    #[track_caller]
    pub fn with_reset(clocks: &Clocks, width: usize, number: u128) -> Self {
        let mut reg = Reg::new(clocks, width);
        let value = Value::from_u128(reg.width(), number);
        let fits = value.low_u128() == number || reg.is_refused();
        assert!(fits, "the reset value {number} does not fit {width} bits");
        let Some(reset) = clocks.rst.as_ref() else { panic!("a register with reset on clocks without one") };
        reg.details.register = Some(RegisterDetails {
            clock: clocks.clk.id(),
            reset: Some(reset.id()),
            reset_value: Some(value),
            init: value,
            reset_name: None,
        });
        reg.q = value;
        reg
    }

    /// `count` registers alike.
    #[track_caller]
    pub fn array(count: usize, clocks: &Clocks, width: usize) -> Vec<Self> {
        let source = Location::caller();
        let made = (0..count).map(|_| Reg::new(clocks, width));
        made.map(|mut reg| {
            reg.details.source = source;
            reg
        })
        .collect()
    }

    /// Sets the value after configuration.
    ///
    /// # Panics
    /// When it is not as wide as the register: a fault of the block's constructor.
    #[track_caller]
    pub fn init(mut self, value: Value) -> Self {
        if self.is_refused() {
            return self;
        }
        assert_eq!(value.width(), self.width(), "width of the initial value of a register");
        self.q = value;
        if let Some(register) = &mut self.details.register {
            register.init = self.q;
        }
        self
    }

    /// Names its width: a `localparam` of the module, by which the Verilog declares the register.
    pub fn width_named(mut self, name: &'static str) -> Self {
        self.details.width_name = Some(name);
        self
    }

    /// Names its codes, for waveforms.
    pub(crate) fn codes_named(mut self, names: Names) -> Self {
        self.details.code_names = Some(names);
        self
    }

    /// Adds a Verilog attribute, for example `ASYNC_REG = "TRUE"`.
    pub fn attribute(mut self, text: &str) -> Self {
        self.details.attributes.push(text.into());
        self
    }

    /// Names the value that reset gives.
    pub(crate) fn reset_named(mut self, name: &'static str) -> Self {
        if let Some(register) = &mut self.details.register {
            register.reset_name = Some(name);
        }
        self
    }

    /// Says that it was made elsewhere than where it was called for.
    pub(crate) fn made_at(mut self, source: Source) -> Self {
        self.details.source = source;
        self
    }

    /// Declares that no two bits of this register ever change at once while another clock looks, and why: such a code
    /// may pass through a synchroniser, bit by bit. The check of clock crossings believes it.
    pub fn one_bit_at_a_time(mut self, reason: &str) -> Self {
        self.details.declared.one_bit_at_a_time = Some(reason.into());
        self
    }

    /// Width in bits.
    pub fn width(&self) -> usize {
        self.q.width()
    }

    /// True where the width that was asked for is refused when the design is elaborated.
    fn is_refused(&self) -> bool {
        self.details.refused_width.is_some()
    }

    /// The register's identity in the design.
    pub fn id(&self) -> AtomId {
        self.id
    }

    /// The output.
    #[track_caller]
    pub fn val(&self) -> Bits {
        read(self.id, self.q, self.is_refused(), self.wire.get(), Location::caller())
    }

    /// Drives the input: what `reg.next = value` stands for.
    #[track_caller]
    pub fn drive(&self, value: impl Driven) {
        if self.is_refused() {
            return;
        }
        let value = value.into_bits(self.width());
        if record::is_recording() {
            return record_drive(self.id, self.width(), self.details.source, value, Location::caller());
        }
        assert_eq!(
            value.width(),
            self.width(),
            "width of the value driven into the register made at {}",
            self.details.source
        );
        self.d.set(Some(value.value));
    }
}

impl Logic for Reg {
    fn update(&mut self) {}
}

impl Block for Reg {
    fn connect_all(&mut self) {}

    fn update_all(&mut self) {
        let clock = self.clock.driven();
        let edge = clock && !self.clock_before;
        self.clock_before = clock;
        let before = self.q;
        let d = self.d.take();
        if edge {
            let reset_value = self.details.register.and_then(|r| r.reset_value);
            let in_reset = self.reset.as_ref().is_some_and(|r| r.settled());
            self.q = reset_value.filter(|_| in_reset).or(d).unwrap_or(self.q);
        }
        self.changed = self.q != before;
    }

    fn has_changed(&self) -> bool {
        self.changed
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        lay_details(self.details.clone());
        probe.visit_atom(name, self);
        if let Some(Attached::Wire(wire)) = take_attached() {
            self.wire.get_or_init(|| wire);
        }
    }
}
atom!(Reg, [], q, AtomKind::LocalSignal, |_| true);
