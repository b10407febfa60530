//! Bundles of nets: valid/ready streams, and parts of a block that a configuration may leave out.

use crate::bits::Bits;
use crate::net::Net;
use rust_hdl_core::direction::Direction;
use rust_hdl_core::prelude::*;
use std::ops::Deref;

/// The receiving end of a stream: data moves on a clock edge where `valid` and `ready` are both high.
#[derive(Debug, tmu_hdl_macros::Bundle)]
pub struct StreamIn {
    /// High while `data` holds an item; must not wait for `ready`.
    pub valid: Net<In>,
    /// High when an item is taken at the next edge.
    pub ready: Net<Out>,
    /// The item.
    pub data: Net<In>,
}

/// The sending end of a stream.
#[derive(Debug, tmu_hdl_macros::Bundle)]
pub struct StreamOut {
    /// High while `data` holds an item, until it is taken.
    pub valid: Net<Out>,
    /// High when an item is taken at the next edge.
    pub ready: Net<In>,
    /// The item.
    pub data: Net<Out>,
}

impl StreamIn {
    /// A stream of items of `width` bits.
    #[track_caller]
    pub fn new(width: usize) -> StreamIn {
        StreamIn { valid: Net::bit(), ready: Net::bit(), data: Net::new(width) }
    }

    /// Tells tools that draw block diagrams that the ports are the AXI4-Stream interface `name`.
    pub fn axi_stream(self, name: &str) -> StreamIn {
        let StreamIn { valid, ready, data } = self;
        StreamIn {
            valid: axi_stream_port(valid, name, "TVALID"),
            ready: axi_stream_port(ready, name, "TREADY"),
            data: axi_stream_port(data, name, "TDATA"),
        }
    }

    /// One bit: an item moves at the next edge.
    #[track_caller]
    pub fn moves(&self) -> Bits {
        self.valid.val() & self.ready.val()
    }

    /// Feeds this end, of a sub-block, from the sending end of another sub-block.
    #[track_caller]
    pub fn take_from(&self, from: &StreamOut) {
        self.valid.drive(from.valid.val());
        self.data.drive(from.data.val());
        from.ready.drive(self.ready.val());
    }

    /// Feeds this end, of a sub-block, from the receiving end of the block around it.
    #[track_caller]
    pub fn forward(&self, outer: &StreamIn) {
        self.valid.drive(outer.valid.val());
        self.data.drive(outer.data.val());
        outer.ready.drive(self.ready.val());
    }
}

impl StreamOut {
    /// A stream of items of `width` bits.
    #[track_caller]
    pub fn new(width: usize) -> StreamOut {
        StreamOut { valid: Net::bit(), ready: Net::bit(), data: Net::new(width) }
    }

    /// Tells tools that draw block diagrams that the ports are the AXI4-Stream interface `name`.
    pub fn axi_stream(self, name: &str) -> StreamOut {
        let StreamOut { valid, ready, data } = self;
        StreamOut {
            valid: axi_stream_port(valid, name, "TVALID"),
            ready: axi_stream_port(ready, name, "TREADY"),
            data: axi_stream_port(data, name, "TDATA"),
        }
    }

    /// One bit: an item moves at the next edge.
    #[track_caller]
    pub fn moves(&self) -> Bits {
        self.valid.val() & self.ready.val()
    }

    /// Feeds this end, of the block around, from the sending end of a sub-block.
    #[track_caller]
    pub fn forward(&self, inner: &StreamOut) {
        self.valid.drive(inner.valid.val());
        self.data.drive(inner.data.val());
        inner.ready.drive(self.ready.val());
    }
}

/// Tells Vivado what a port is to an interface.
fn axi_stream_port<D: Direction>(net: Net<D>, interface: &str, signal: &str) -> Net<D> {
    net.attribute(&format!("X_INTERFACE_INFO = \"xilinx.com:interface:axis:1.0 {interface} {signal}\""))
}

/// Parts of a block whose names end in their number, `stream0`, `stream1`, where others rely on such names.
#[derive(Debug)]
pub struct Numbered<B>(pub Vec<B>);

impl<B> Deref for Numbered<B> {
    type Target = Vec<B>;
    fn deref(&self) -> &Vec<B> {
        &self.0
    }
}

impl<B: Block> Logic for Numbered<B> {
    fn update(&mut self) {}
}

impl<B: Block> Block for Numbered<B> {
    fn connect_all(&mut self) {}

    fn update_all(&mut self) {
        self.0.update_all();
    }

    fn has_changed(&self) -> bool {
        self.0.has_changed()
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        for (number, part) in self.0.iter().enumerate() {
            part.accept(&format!("{name}{number}"), probe);
        }
    }
}

/// What a bundle is made of; comes with `#[derive(Bundle)]`.
pub trait Parts {
    /// Shows the parts, each by its own name.
    fn accept_parts(&self, probe: &mut dyn Probe);
}

/// A bundle whose parts have the names that they would have if they stood in the block itself: what several blocks have in
/// common is declared once, and their Verilog does not show it.
#[derive(Debug)]
pub struct Flat<B>(pub B);

impl<B> Deref for Flat<B> {
    type Target = B;
    fn deref(&self) -> &B {
        &self.0
    }
}

impl<B: Block> Logic for Flat<B> {
    fn update(&mut self) {}
}

impl<B: Block + Parts> Block for Flat<B> {
    fn connect_all(&mut self) {}

    fn update_all(&mut self) {
        self.0.update_all();
    }

    fn has_changed(&self) -> bool {
        self.0.has_changed()
    }

    fn accept(&self, _name: &str, probe: &mut dyn Probe) {
        self.0.accept_parts(probe);
    }
}

/// A sub-block or bundle that a configuration may leave out; a part that is absent leaves nothing behind.
#[derive(Debug)]
pub struct Optional<B>(Option<B>);

impl<B> Optional<B> {
    /// The part, where `present`.
    pub fn new(present: bool, make: impl FnOnce() -> B) -> Optional<B> {
        Optional(present.then(make))
    }
}

impl<B> Deref for Optional<B> {
    type Target = Option<B>;
    fn deref(&self) -> &Option<B> {
        &self.0
    }
}

impl<B: Block> Logic for Optional<B> {
    fn update(&mut self) {}
}

impl<B: Block> Block for Optional<B> {
    fn connect_all(&mut self) {}

    fn update_all(&mut self) {
        if let Some(block) = &mut self.0 {
            block.update_all();
        }
    }

    fn has_changed(&self) -> bool {
        self.0.as_ref().is_some_and(Block::has_changed)
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        if let Some(block) = &self.0 {
            block.accept(name, probe);
        }
    }
}
