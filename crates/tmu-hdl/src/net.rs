//! Nets of run-time width under rust-hdl's `Block`, `Logic` and `Atom`.
//!
//! Reading a net with `val()` gives its settled value, wherever in the kernel it is driven: a net is a wire.
//! Driving it is `net.next = value` under [`crate::kernel`].

use crate::atom::{AtomDetails, Attached, atom, lay_details, take_attached};
use crate::bits::Bits;
use crate::clock::{Clocks, Level};
use crate::crossing::{Belongs, Declared};
use crate::diagnostic::{Rule, Source, bits};
use crate::enums::Names;
use crate::record::{self, AtomId, NodeKind, Statement};
use crate::simulate::store::Wire;
use crate::value::{MAX_WIDTH_BITS, Value};
use rust_hdl_core::direction::Direction;
use rust_hdl_core::prelude::*;
use rust_hdl_core::signal::get_signal_id;
use std::cell::Cell;
use std::marker::PhantomData;
use std::panic::Location;
use std::sync::{Arc, OnceLock};

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

/// A width that a net can have, and the one that was asked for where that is another: elaboration refuses it, since
/// only there the net has a path.
pub(crate) fn checked_width(width: usize) -> (usize, Option<usize>) {
    let possible = width.clamp(1, MAX_WIDTH_BITS);
    (possible, (possible != width).then_some(width))
}

/// Records `target.next = value`, or refuses it where the widths differ.
pub(crate) fn record_drive(target: AtomId, width: usize, declared: Source, value: Bits, source: Source) {
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

/// What a net or register is read as: its value, or under the recorder itself.
pub(crate) fn read(id: AtomId, value: Value, refused: bool, wire: Option<&Wire>, source: Source) -> Bits {
    if !record::is_recording() {
        return Bits::constant(wire.map_or(value, Wire::value));
    }
    if refused {
        return Bits::poison(value.width());
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
    declared: Declared,
    width_name: Option<&'static str>,
    code_names: Option<Names>,
    level: Option<Arc<Level>>,
    /// The width that was asked for, where no net can have it.
    refused_width: Option<usize>,
    /// Where its value is while the interpreter runs the block.
    wire: OnceLock<Wire>,
    direction: PhantomData<D>,
}

impl<D: Direction> Net<D> {
    /// A net of `width` bits, 1 to [`MAX_WIDTH_BITS`]; elaboration refuses others.
    #[track_caller]
    pub fn new(width: usize) -> Self {
        let (width, refused_width) = checked_width(width);
        let zero = Value::zero(width);
        Net {
            val: zero,
            next: Cell::new(zero),
            changed: false,
            driven: Cell::new(false),
            id: get_signal_id(),
            source: Location::caller(),
            attributes: vec![],
            declared: Declared::default(),
            width_name: None,
            code_names: None,
            level: None,
            refused_width,
            wire: OnceLock::new(),
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

    /// Names its width: a `localparam` of the module, by which the Verilog declares the wire. Ports have their number:
    /// they stand before what a module declares.
    pub fn width_named(mut self, name: &'static str) -> Self {
        self.width_name = Some(name);
        self
    }

    /// Names its codes, for waveforms.
    pub(crate) fn codes_named(mut self, names: Names) -> Self {
        self.code_names = Some(names);
        self
    }

    /// Adds a Verilog attribute, for example `keep = "true"`.
    pub fn attribute(mut self, text: &str) -> Self {
        self.attributes.push(text.into());
        self
    }

    /// Says that it was made elsewhere than where it was called for.
    pub(crate) fn made_at(mut self, source: Source) -> Self {
        self.source = source;
        self
    }

    pub(crate) fn belonging(mut self, belongs: Belongs) -> Self {
        self.declared.belongs = belongs;
        self
    }

    pub(crate) fn marked_as_reset(mut self) -> Self {
        self.declared.is_reset = true;
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
        read(self.id, self.val, self.refused_width.is_some(), self.wire.get(), Location::caller())
    }

    /// Drives the net: what `net.next = value` stands for.
    #[track_caller]
    pub fn drive(&self, value: impl Driven) {
        let value =
            if self.refused_width.is_some() { Bits::poison(1) } else { value.into_bits(self.width()) };
        self.driven.set(true);
        if record::is_recording() {
            if self.refused_width.is_none() {
                record_drive(self.id, self.width(), self.source, value, Location::caller());
            }
            return;
        }
        assert_eq!(
            value.width(),
            self.width(),
            "width of the value driven into the net made at {}",
            self.source
        );
        if let Some(wire) = self.wire.get() {
            assert!(wire.drive(&value.value), "the net made at {} is no input of the top", self.source);
            return;
        }
        self.next.set(value.value);
        if let Some(level) = &self.level {
            level.drive(value.value.bit(0));
        }
    }
}

impl Net<In> {
    /// Declares that the input belongs to a clock, for a block that is the top: registers of other clocks must not
    /// take it. An input without a declaration belongs to the one clock that samples it.
    pub fn on_clock(self, clocks: &Clocks) -> Self {
        self.belonging(Belongs::To(clocks.clk.id()))
    }

    /// Declares that the input belongs to no clock, for a block that is the top: only synchronisers may take it. Its bits
    /// have nothing to do with each other, as those of buttons.
    pub fn asynchronous(self) -> Self {
        self.belonging(Belongs::Asynchronous)
    }

    /// Declares that no two bits of this input ever change at once, and why: a gray code from outside.
    pub fn one_bit_at_a_time(mut self, reason: &str) -> Self {
        self.declared.one_bit_at_a_time = Some(reason.into());
        self
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
        lay_details(AtomDetails {
            source: self.source,
            attributes: self.attributes.clone(),
            declared: self.declared.clone(),
            register: None,
            refused_width: self.refused_width,
            level: self.level.clone(),
            width_name: self.width_name,
            code_names: self.code_names,
        });
        probe.visit_atom(name, self);
        match take_attached() {
            // A block is simulated once: its nets keep the first place that they get.
            Some(Attached::Wire(wire)) => {
                self.wire.get_or_init(|| wire);
            }
            Some(Attached::Drive(value)) => self.drive(Bits::constant(value)),
            None => {}
        }
    }
}
atom!(Net<D>, [D: Direction], val, D::KIND, |net| net.driven.get());
