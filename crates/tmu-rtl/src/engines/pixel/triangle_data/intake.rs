//! Orders and the quads that they are for, in one row, and the records of the triangles whose quads come.
//!
//! Cost: a clock a quad, three more for the first one of a triangle, two an order. A block RAM with the line of each triangle's record, of two
//! sets of numbers.

use super::words::ItemWord;
use crate::engines::pixel::tile_fetch::words::{Order, OrderWord};
use crate::engines::pixel::words::{LINE_NUMBER_BITS, QuadWord, TileShape};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{RamShape, RamSimpleDualPort, RamStyle, SyncFifo};

/// Quads that wait for their triangles.
const ITEMS: usize = 64;
/// Triangles that wait to be read.
const WANTED: usize = 8;

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HardwareEnum)]
enum State {
    /// An order is waited for.
    Orders,
    /// Quads are.
    Quads,
    /// The record of a triangle is looked up.
    LookUp,
    /// It comes, and there is room for it.
    Comes,
    /// It is there.
    There,
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub(super) struct Intake {
    pub(super) clocks: Clocks,
    /// A triangle gets a number.
    pub(super) names: Net<In>,
    /// The number, and above it which set of them.
    pub(super) number: Net<In>,
    /// The line of its record.
    pub(super) record: Net<In>,
    /// See [`OrderWord`].
    pub(super) orders: StreamIn,
    /// See [`QuadWord`].
    pub(super) quads: StreamIn,
    /// All quads of an order are looked up.
    pub(super) taken: Net<Out>,
    /// See [`ItemWord`].
    pub(super) items: StreamOut,
    /// Lines of records of triangles, in the order in which quads of them come.
    pub(super) wanted: StreamOut,
    records: RamSimpleDualPort,
    state: EnumReg<State>,
    /// Which set of numbers the quads have.
    set: Reg,
    item_fifo: SyncFifo,
    wanted_fifo: SyncFifo,
    _shape: TileShape,
}

impl Intake {
    pub(super) fn new(shape: &TileShape) -> Intake {
        let clocks = Clocks::new();
        let records = RamShape::new(2 << shape.number_bits, LINE_NUMBER_BITS).style(RamStyle::Block);
        Intake {
            names: Net::bit(),
            number: Net::new(shape.number_bits + 1),
            record: Net::new(LINE_NUMBER_BITS),
            orders: StreamIn::new(OrderWord::of(shape).width()),
            quads: StreamIn::new(QuadWord::of(shape).width()),
            taken: Net::bit(),
            items: StreamOut::new(ItemWord::of(shape).width()),
            wanted: StreamOut::new(LINE_NUMBER_BITS),
            records: RamSimpleDualPort::new(records.output_register(true)),
            state: EnumReg::with_reset(&clocks, State::Orders),
            set: Reg::with_reset(&clocks, 1, 0),
            item_fifo: SyncFifo::new(ITEMS, ItemWord::of(shape).width()),
            wanted_fifo: SyncFifo::new(WANTED, LINE_NUMBER_BITS),
            clocks,
            _shape: *shape,
        }
    }
}

/// Orders and quads to items.
#[kernel]
impl Intake {
    fn module_name(&self) -> String {
        "triangle_data_intake".into()
    }

    /// One bit: this is done.
    fn is(&self, state: State) -> Bits {
        self.state.val() == state
    }

    fn logic(&self) {
        /// # Records
        let (items, wanted) = (&self.item_fifo, &self.wanted_fifo);
        let quad = QuadWord::of(&self._shape).unpack(self.quads.data.val());
        let records = &self.records;
        records.clocks.follow(&self.clocks);
        records.write_enable.next = self.names.val();
        records.write_address.next = self.number.val();
        records.write_data.next = self.record.val();
        records.read_enable.next = 1;
        records.read_address.next = cat(&[self.set.val(), quad.number]);
        if let Some(enable) = records.output_enable.as_ref() {
            enable.next = 1;
        }
        /// # Items
        let order = OrderWord::of(&self._shape).unpack(self.orders.data.val());
        let tile = &order.tile;
        discard(cat(&[tile.last_column, tile.last_row]), "quads say which pixels are seen");
        let is_batch = order.order == Order::Batch as u64;
        let room = items.input.ready.val();
        let (in_quads, is_there) = (self.is(State::Quads), self.is(State::There));
        let has_quad = self.quads.valid.val();
        let is_end = in_quads && has_quad && quad.is_end;
        let plain = in_quads && !quad.starts && !quad.is_end;
        let is_quad = has_quad && (plain || is_there);
        let (goes, ends) = (is_quad && room, is_end && room);
        let passes = self.is(State::Orders) && self.orders.valid.val() && !is_batch;
        self.quads.ready.next = room && (plain || is_there || (in_quads && quad.is_end));
        self.orders.ready.next = room && ((self.is(State::Orders) && !is_batch) || is_end);
        items.clocks.follow(&self.clocks);
        items.input.valid.next = is_quad || is_end || passes;
        items.input.data.next = ItemWord::of(&self._shape).pack(&ItemWord {
            is_quad,
            order: order.order,
            part: order.part,
            starts: quad.starts,
            column: cat(&[tile.column, quad.column]),
            row: cat(&[tile.row, quad.row]),
            mask: quad.mask,
        });
        wanted.clocks.follow(&self.clocks);
        wanted.input.valid.next = is_there && has_quad && room;
        wanted.input.data.next = records.read_data.val();
        for fifo in [items, wanted] {
            discard(fifo.level.val(), "ready says enough");
        }
        self.items.forward(&items.output);
        self.wanted.forward(&wanted.output);
        self.taken.next = ends;
        if ends {
            self.set.next = !self.set.val();
        }
        match self.state.val() {
            State::Orders => {
                if self.orders.valid.val() && is_batch {
                    self.state.next = State::Quads;
                }
            }
            State::Quads => {
                if ends {
                    self.state.next = State::Orders;
                } else if has_quad && quad.starts && !quad.is_end {
                    self.state.next = State::LookUp;
                }
            }
            State::LookUp => self.state.next = State::Comes,
            State::Comes => {
                // Nothing else fills it: there is room until the triangle goes.
                if wanted.input.ready.val() {
                    self.state.next = State::There;
                }
            }
            State::There => {
                if goes {
                    self.state.next = State::Quads;
                }
            }
        }
    }
}
