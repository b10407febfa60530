//! `triangle_data`: all that the pixels of a triangle are shaded with, out of memory: its state and program, and the planes of its values.
//!
//! ```text
//! intake -> fetch -> planes
//!    |        |        |
//!    |    state_load   |
//!    +------ emit -----+
//! ```
//!
//! While quads of a triangle are handed on, the next one is read. States with their programs stay loaded, as many as `shade` has slots.
//!
//! Contract: nothing is read of triangles that are seen nowhere. A fault leaves as an order, behind the quads of the triangles before, and
//! nothing behind it; its words hold from then on. Orders leave behind the quads that were before them.

mod check;
mod emit;
mod fetch;
mod intake;
mod planes;
mod slots;
mod state_load;
pub mod words;

use super::interpolation::ValueWord;
use super::reads::{AskWord, CameWord};
use super::shade::words::{LoadWord, ShadeQuadWord, ShadeShape};
use super::tile_fetch::words::{FaultWord, OrderWord};
use super::words::{LINE_NUMBER_BITS, QuadWord, TileShape};
use emit::Emit;
use fetch::Fetch;
use intake::Intake;
use planes::Planes;
use state_load::StateLoad;
use tmu_hdl::prelude::*;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct TriangleData {
    /// Clock and reset.
    pub clocks: Clocks,
    /// A triangle gets a number.
    pub names: Net<In>,
    /// The number, and above it which of two sets of them.
    pub number: Net<In>,
    /// The line of its record.
    pub record: Net<In>,
    /// Orders, see [`OrderWord`].
    pub orders: StreamIn,
    /// All quads of an order have come and are looked up: their numbers may name other triangles.
    pub taken: Net<Out>,
    /// Quads, see [`QuadWord`].
    pub quads: StreamIn,
    /// Reads, see [`AskWord`].
    pub ask: StreamOut,
    /// What comes.
    pub came: CameWord<Field<In>>,
    /// A line could not be read.
    pub read_fails: Net<In>,
    /// Its number.
    pub failed_line: Net<In>,
    /// Lines of states and programs for `shade`, see [`LoadWord`].
    pub load: StreamOut,
    /// Slots that quads are on their way of.
    pub slot_is_used: Net<In>,
    /// Quads and orders for `shade`, see [`ShadeQuadWord`].
    pub shade: StreamOut,
    /// Planes of values for `interpolation`, see [`ValueWord`].
    pub values: StreamOut,
    /// The fault that has left is this one, not that of the lists.
    pub has_failed: Net<Out>,
    /// Which.
    pub fault: FaultWord<Field<Out>>,
    intake: Intake,
    fetch: Fetch,
    state_load: StateLoad,
    planes: Planes,
    emit: Emit,
}

impl TriangleData {
    /// The stage.
    #[must_use]
    pub fn new(tile: &TileShape, shade: &ShadeShape) -> TriangleData {
        TriangleData {
            clocks: Clocks::new(),
            names: Net::bit(),
            number: Net::new(tile.number_bits + 1),
            record: Net::new(LINE_NUMBER_BITS),
            orders: StreamIn::new(OrderWord::of(tile).width()),
            taken: Net::bit(),
            quads: StreamIn::new(QuadWord::of(tile).width()),
            ask: StreamOut::new(AskWord::shape().width()),
            came: CameWord::shape().nets(),
            read_fails: Net::bit(),
            failed_line: Net::new(LINE_NUMBER_BITS),
            load: StreamOut::new(LoadWord::of(shade).width()),
            slot_is_used: Net::new(shade.slots()),
            shade: StreamOut::new(ShadeQuadWord::of(shade).width()),
            values: StreamOut::new(ValueWord::shape().width()),
            has_failed: Net::bit(),
            fault: FaultWord::shape().nets(),
            intake: Intake::new(tile),
            fetch: Fetch::new(shade),
            state_load: StateLoad::new(shade),
            planes: Planes::new(),
            emit: Emit::new(tile, shade),
        }
    }
}

/// Quads of triangles to quads with their values.
#[kernel]
impl TriangleData {
    fn module_name(&self) -> String {
        "triangle_data".into()
    }

    fn logic(&self) {
        let TriangleData { intake, fetch, state_load, planes, emit, .. } = self;
        for clocks in [&intake.clocks, &fetch.clocks, &state_load.clocks, &planes.clocks, &emit.clocks] {
            clocks.follow(&self.clocks);
        }
        /// # Intake
        intake.names.next = self.names.val();
        intake.number.next = self.number.val();
        intake.record.next = self.record.val();
        intake.orders.forward(&self.orders);
        intake.quads.forward(&self.quads);
        self.taken.next = intake.taken.val();
        /// # Fetch
        fetch.wanted.take_from(&intake.wanted);
        fetch.came.next = self.came.val();
        fetch.read_fails.next = self.read_fails.val();
        fetch.failed_line.next = self.failed_line.val();
        fetch.found.next = state_load.found.val();
        fetch.own.next = state_load.own.val();
        fetch.slot.next = state_load.slot.val();
        fetch.program_fails.next = state_load.fails.val();
        fetch.program_line.next = state_load.program_line.val();
        fetch.made.next = planes.made.val();
        fetch.count.next = planes.count.val();
        fetch.has_rhw.next = planes.has_rhw.val();
        self.fault.next = fetch.fault.val();
        /// # State and program
        state_load.looks.next = fetch.looks.val();
        state_load.address.next = fetch.state_address.val();
        state_load.came.next = self.came.val();
        self.load.forward(&state_load.load);
        state_load.slot_is_used.next = self.slot_is_used.val();
        state_load.current.next = emit.current.val();
        state_load.has_current.next = emit.has_current.val();
        /// # Reads, one of the two at a time
        self.ask.valid.next = fetch.ask.valid.val() || state_load.ask.valid.val();
        self.ask.data.next =
            if state_load.ask.valid.val() { state_load.ask.data.val() } else { fetch.ask.data.val() };
        fetch.ask.ready.next = self.ask.ready.val();
        state_load.ask.ready.next = self.ask.ready.val();
        /// # Planes
        planes.vertex_valid.next = fetch.vertex_valid.val();
        planes.corner.next = fetch.corner.val();
        planes.vertex_line.next = fetch.vertex_line.val();
        planes.line.next = fetch.line.val();
        planes.start.next = fetch.start.val();
        planes.inverse.next = fetch.inverse.val();
        planes.state_word.next = state_load.own.val();
        planes.bank.next = emit.bank.val();
        planes.place.next = emit.place.val();
        /// # Quads
        emit.items.take_from(&intake.items);
        emit.data.take_from(&fetch.data);
        emit.plane.next = planes.plane.val();
        self.shade.forward(&emit.quads);
        self.values.forward(&emit.values);
        self.has_failed.next = emit.has_failed.val();
    }
}
