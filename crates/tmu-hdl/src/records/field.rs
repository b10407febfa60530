//! Nets and registers of the parts of records.

use super::{Part, Width};
use crate::bits::{Bits, lit};
use crate::clock::Clocks;
use crate::diagnostic::Source;
use crate::net::{Driven, Net};
use crate::register::Reg;
use rust_hdl_core::direction::Direction;
use rust_hdl_core::prelude::*;

/// What can be read and driven.
pub trait Signal {
    /// The settled value.
    #[track_caller]
    fn value(&self) -> Bits;
    /// Drives it.
    #[track_caller]
    fn take(&self, value: Bits);
}

impl<D: Direction> Signal for Net<D> {
    fn value(&self) -> Bits {
        self.val()
    }
    fn take(&self, value: Bits) {
        self.drive(value);
    }
}

impl Signal for Reg {
    fn value(&self) -> Bits {
        self.val()
    }
    fn take(&self, value: Bits) {
        self.drive(value);
    }
}

/// The net of a part of a record. A part that takes no bits has no net: it reads as its constant, and driving it does
/// nothing.
#[derive(Debug)]
pub struct Field<D: Direction> {
    net: Option<Net<D>>,
    width: Width,
}

/// The register of a part of a record, as [`Field`].
#[derive(Debug)]
pub struct FieldReg {
    reg: Option<Reg>,
    width: Width,
}

impl<D: Direction> Field<D> {
    pub(super) fn new(part: &Part, width: Width, source: Source) -> Field<D> {
        let present = width.packed_bits() > 0;
        let net = || {
            let net = Net::new(width.value_bits()).made_at(source);
            let net = if let Some(names) = part.names() { net.codes_named(names) } else { net };
            if let Some(name) = width.name { net.width_named(name) } else { net }
        };
        Field { net: present.then(net), width }
    }
}

impl FieldReg {
    pub(super) fn new(clocks: &Clocks, part: &Part, width: Width, source: Source) -> FieldReg {
        let present = width.packed_bits() > 0;
        let reg = || {
            let reg = Reg::new(clocks, width.value_bits()).made_at(source);
            let reg = if let Some(names) = part.names() { reg.codes_named(names) } else { reg };
            if let Some(name) = width.name { reg.width_named(name) } else { reg }
        };
        FieldReg { reg: present.then(reg), width }
    }
}

impl<D: Direction> Field<D> {
    /// Width of the value in bits.
    pub fn width(&self) -> usize {
        self.width.value_bits()
    }

    /// The settled value.
    #[track_caller]
    pub fn val(&self) -> Bits {
        match (&self.net, self.width.constant) {
            (Some(net), _) => net.val(),
            (None, value) => lit(self.width(), value.unwrap_or(0)),
        }
    }

    /// Drives it: what `part.next = value` stands for.
    #[track_caller]
    pub fn drive(&self, value: impl Driven) {
        if let Some(net) = &self.net {
            net.drive(value);
        }
    }
}

impl<D: Direction> Signal for Field<D> {
    fn value(&self) -> Bits {
        self.val()
    }
    fn take(&self, value: Bits) {
        self.drive(value);
    }
}

impl<D: Direction> Logic for Field<D> {
    fn update(&mut self) {}
}

impl<D: Direction> Block for Field<D> {
    fn connect_all(&mut self) {}

    fn update_all(&mut self) {
        if let Some(net) = &mut self.net {
            net.update_all();
        }
    }

    fn has_changed(&self) -> bool {
        self.net.as_ref().is_some_and(Block::has_changed)
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        if let Some(net) = &self.net {
            net.accept(name, probe);
        }
    }
}

impl FieldReg {
    /// Width of the value in bits.
    pub fn width(&self) -> usize {
        self.width.value_bits()
    }

    /// The settled value.
    #[track_caller]
    pub fn val(&self) -> Bits {
        match (&self.reg, self.width.constant) {
            (Some(reg), _) => reg.val(),
            (None, value) => lit(self.width(), value.unwrap_or(0)),
        }
    }

    /// Drives it: what `part.next = value` stands for.
    #[track_caller]
    pub fn drive(&self, value: impl Driven) {
        if let Some(reg) = &self.reg {
            reg.drive(value);
        }
    }
}

impl Signal for FieldReg {
    fn value(&self) -> Bits {
        self.val()
    }
    fn take(&self, value: Bits) {
        self.drive(value);
    }
}

impl Logic for FieldReg {
    fn update(&mut self) {}
}

impl Block for FieldReg {
    fn connect_all(&mut self) {}

    fn update_all(&mut self) {
        if let Some(reg) = &mut self.reg {
            reg.update_all();
        }
    }

    fn has_changed(&self) -> bool {
        self.reg.as_ref().is_some_and(Block::has_changed)
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        if let Some(reg) = &self.reg {
            reg.accept(name, probe);
        }
    }
}
