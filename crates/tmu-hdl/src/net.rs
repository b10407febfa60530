//! Nets and registers of run-time width under rust-hdl's `Block`, `Logic` and `Atom`.
//!
//! Reading a net with `val()` gives its settled value, wherever in the kernel it is driven: a net is a wire.
//! Driving it is `net.next = value` under [`crate::kernel`]. A register reads as its output and drives its
//! input; it knows its clock from the [`Clocks`] it was made with.

use crate::bits::Bits;
use crate::clock::{Clocks, Level};
use crate::diagnostic::{Rule, Source, bits};
use crate::record::{self, AtomId, NodeKind, Statement};
use crate::value::{MAX_WIDTH_BITS, Value};
use rust_hdl::core::direction::Direction;
use rust_hdl::core::prelude::*;
use rust_hdl::core::signal::get_signal_id;
use std::cell::{Cell, RefCell};
use std::marker::PhantomData;
use std::panic::Location;
use std::sync::Arc;

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
}

/// What rust-hdl's `Atom` has no place for; laid beside each visit of an atom of this crate.
#[derive(Clone, Debug)]
pub struct AtomDetails {
    /// Where the net was made.
    pub source: Source,
    /// Verilog attributes, `keep = "true"`.
    pub attributes: Vec<String>,
    /// Set for registers.
    pub register: Option<RegisterDetails>,
}

thread_local! {
    static DETAILS: RefCell<Option<AtomDetails>> = const { RefCell::new(None) };
}

/// Takes the details of the atom being visited; rust-hdl's own signals have none.
pub(crate) fn take_details() -> Option<AtomDetails> {
    DETAILS.take()
}

/// What may be driven into a net: a value of its width, or a number that fits it.
pub trait Driven {
    /// The value for a net of `width` bits.
    #[track_caller]
    fn into_bits(self, width: usize) -> Bits;
}

impl Driven for Bits {
    fn into_bits(self, _: usize) -> Bits {
        self
    }
}

impl Driven for crate::signed::Signed {
    fn into_bits(self, _: usize) -> Bits {
        self.0
    }
}

impl Driven for u64 {
    #[track_caller]
    fn into_bits(self, width: usize) -> Bits {
        crate::bits::lit(width, self)
    }
}

impl Driven for bool {
    #[track_caller]
    fn into_bits(self, width: usize) -> Bits {
        crate::bits::lit(width, u128::from(self))
    }
}

#[track_caller]
fn checked_width(width: usize) -> usize {
    assert!((1..=MAX_WIDTH_BITS).contains(&width), "a net is 1 to {MAX_WIDTH_BITS} bits wide, not {width}");
    width
}

/// Records `target.next = value`, or refuses it where the widths differ.
fn record_drive(target: AtomId, width: usize, declared: Source, value: Bits, source: Source) {
    if value.width() != width && !value.is_poison() {
        let name = record::net_place(target).map_or("a net".into(), |place| format!("`{}`", place.path));
        let (width, given) = (bits(width), bits(value.width()));
        let mut places = vec![("driven".to_string(), source), (format!("target, {width}"), declared)];
        places.push(value.describe("value", source));
        record::refuse(
            Rule::Width,
            format!("{name} of {width} is driven with a value of {given}"),
            places,
            "extend or cut the value explicitly, or change the net",
        );
    } else if let Some(value) = value.as_node(source) {
        record::statement(Statement::Drive { target, value, source });
    }
}

fn read(id: AtomId, value: Value, source: Source) -> Bits {
    if !record::is_recording() {
        return Bits::constant(value);
    }
    let node = record::node(NodeKind::Net(id), value.width(), source);
    Bits { value: Value::zero(value.width()), node }
}

/// A wire or port.
#[derive(Debug)]
pub struct Net<D: Direction> {
    val: Value,
    next: Cell<Value>,
    changed: bool,
    driven: Cell<bool>,
    id: AtomId,
    source: Source,
    attributes: Vec<String>,
    level: Option<Arc<Level>>,
    direction: PhantomData<D>,
}

impl<D: Direction> Net<D> {
    /// A net of `width` bits, 1 to [`MAX_WIDTH_BITS`].
    #[track_caller]
    pub fn new(width: usize) -> Self {
        let zero = Value::zero(checked_width(width));
        Net {
            val: zero,
            next: Cell::new(zero),
            changed: false,
            driven: Cell::new(false),
            id: get_signal_id(),
            source: Location::caller(),
            attributes: vec![],
            level: None,
            direction: PhantomData,
        }
    }

    /// A net of one bit.
    #[track_caller]
    pub fn bit() -> Self {
        Net::new(1)
    }

    /// `count` nets of `width` bits.
    #[track_caller]
    pub fn array(count: usize, width: usize) -> Vec<Self> {
        let source = Location::caller();
        (0..count).map(|_| Net { source, ..Net::new(width) }).collect()
    }

    /// Adds a Verilog attribute, for example `keep = "true"`.
    pub fn attribute(mut self, text: &str) -> Self {
        self.attributes.push(text.into());
        self
    }

    /// Lets registers watch this net as a clock or reset.
    pub(crate) fn watched_by(mut self, level: Arc<Level>) -> Self {
        self.level = Some(level);
        self
    }

    /// Width in bits.
    pub fn width(&self) -> usize {
        self.val.width()
    }

    /// The net's identity in the design.
    pub fn id(&self) -> AtomId {
        self.id
    }

    /// The settled value.
    #[track_caller]
    pub fn val(&self) -> Bits {
        read(self.id, self.val, Location::caller())
    }

    /// Drives the net: what `net.next = value` stands for.
    #[track_caller]
    pub fn drive(&self, value: impl Driven) {
        let value = value.into_bits(self.width());
        self.driven.set(true);
        if record::is_recording() {
            return record_drive(self.id, self.width(), self.source, value, Location::caller());
        }
        assert_eq!(
            value.width(),
            self.width(),
            "width of the value driven into the net made at {}",
            self.source
        );
        self.next.set(value.value);
        if let Some(level) = &self.level {
            level.drive(value.value.bit(0));
        }
    }
}

impl<D: Direction> Logic for Net<D> {
    fn update(&mut self) {}
    fn connect(&mut self) {
        self.driven.set(true);
    }
}

impl<D: Direction> Block for Net<D> {
    fn connect_all(&mut self) {}

    fn update_all(&mut self) {
        if let Some(level) = &self.level {
            level.settle(self.val.bit(0));
        }
        self.changed = self.val != self.next.get();
        self.val = self.next.get();
    }

    fn has_changed(&self) -> bool {
        self.changed
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        let details =
            AtomDetails { source: self.source, attributes: self.attributes.clone(), register: None };
        DETAILS.set(Some(details));
        probe.visit_atom(name, self);
    }
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
    id: AtomId,
}

impl Reg {
    /// A register of `width` bits on the clock of `clocks`, zero after configuration, without reset.
    #[track_caller]
    pub fn new(clocks: &Clocks, width: usize) -> Self {
        let zero = Value::zero(checked_width(width));
        let register = RegisterDetails { clock: clocks.clk.id(), reset: None, reset_value: None, init: zero };
        Reg {
            q: zero,
            d: Cell::new(None),
            changed: false,
            clock_before: false,
            clock: clocks.clock_level(),
            reset: clocks.reset_level(),
            details: AtomDetails { source: Location::caller(), attributes: vec![], register: Some(register) },
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
        let value = Value::from_u128(width, number);
        assert_eq!(value.low_u128(), number, "the reset value {number} does not fit {width} bits");
        let Some(reset) = clocks.rst.as_ref() else { panic!("a register with reset on clocks without one") };
        reg.details.register = Some(RegisterDetails {
            clock: clocks.clk.id(),
            reset: Some(reset.id()),
            reset_value: Some(value),
            init: value,
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
    pub fn init(mut self, value: Value) -> Self {
        self.q = value.resized(self.q.width());
        if let Some(register) = &mut self.details.register {
            register.init = self.q;
        }
        self
    }

    /// Adds a Verilog attribute, for example `ASYNC_REG = "TRUE"`.
    pub fn attribute(mut self, text: &str) -> Self {
        self.details.attributes.push(text.into());
        self
    }

    /// Width in bits.
    pub fn width(&self) -> usize {
        self.q.width()
    }

    /// The register's identity in the design.
    pub fn id(&self) -> AtomId {
        self.id
    }

    /// The output.
    #[track_caller]
    pub fn val(&self) -> Bits {
        read(self.id, self.q, Location::caller())
    }

    /// Drives the input: what `reg.next = value` stands for.
    #[track_caller]
    pub fn drive(&self, value: impl Driven) {
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
        DETAILS.set(Some(self.details.clone()));
        probe.visit_atom(name, self);
    }
}

/// The parts of `Atom` that do not depend on the kind of net.
macro_rules! atom {
    ($type:ty, [$($generics:tt)*], $value:ident, $kind:expr, $connected:expr) => {
        impl<$($generics)*> Atom for $type {
            fn bits(&self) -> usize {
                self.$value.width()
            }
            fn connected(&self) -> bool {
                let connected: fn(&Self) -> bool = $connected;
                connected(self)
            }
            fn changed(&self) -> bool {
                self.changed
            }
            fn kind(&self) -> AtomKind {
                $kind
            }
            fn descriptor(&self) -> TypeDescriptor {
                let width = self.$value.width();
                TypeDescriptor { name: format!("Bits::<{width}>"), kind: TypeKind::Bits(width) }
            }
            fn vcd(&self) -> VCDValue {
                VCDValue::String(format!("{:x}", self.$value))
            }
            fn id(&self) -> usize {
                self.id
            }
            fn verilog(&self) -> VerilogLiteral {
                self.$value.low_u128().into()
            }
            fn constraints(&self) -> Vec<PinConstraint> {
                vec![]
            }
        }
    };
}

atom!(Net<D>, [D: Direction], val, D::KIND, |net| net.driven.get());
atom!(Reg, [], q, AtomKind::LocalSignal, |_| true);
