//! Quads with what they are shaded with: to `shade` where they are, to `interpolation` the planes of their values.
//!
//! Contract: an order leaves as an end, in its turn. Behind a fault nothing leaves but that.
//!
//! Cost: a clock for each plane of a quad, and at least one; two more for the first quad of a triangle, or an order.

use super::planes::FIRST_COLOR;
use super::words::{AlongWord, COUNT_BITS, DataWord, ItemWord};
use crate::engines::pixel::interpolation::ValueWord;
use crate::engines::pixel::shade::words::{ShadeQuadWord, ShadeShape};
use crate::engines::pixel::tile_fetch::words::Order;
use crate::engines::pixel::triangle_setup::{PlaneWord, TAG_BITS};
use crate::engines::pixel::words::TileShape;
use tmu_hdl::prelude::*;

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, HardwareEnum)]
enum State {
    /// Something is waited for.
    Take,
    /// An order leaves.
    Order,
    /// A quad and its values leave.
    Quad,
    /// A fault leaves.
    Fault,
    /// Nothing more.
    Stopped,
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub(super) struct Emit {
    pub(super) clocks: Clocks,
    /// See [`ItemWord`].
    pub(super) items: StreamIn,
    /// See [`DataWord`].
    pub(super) data: StreamIn,
    /// See [`ShadeQuadWord`].
    pub(super) quads: StreamOut,
    /// See [`ValueWord`].
    pub(super) values: StreamOut,
    /// The plane that is wanted: bank and number.
    pub(super) place: Net<Out>,
    /// It.
    pub(super) plane: Net<In>,
    /// The bank that is filled.
    pub(super) bank: Net<Out>,
    pub(super) current: Net<Out>,
    pub(super) has_current: Net<Out>,
    /// What could not be read ends the frame.
    pub(super) has_failed: Net<Out>,
    state: EnumReg<State>,
    own: DataWord<FieldReg>,
    has_own: Reg,
    /// The data of the quad's triangle are there.
    is_ready: Reg,
    /// The bank that is read.
    read_bank: Reg,
    /// The quad that leaves.
    quad: ItemWord<FieldReg>,
    quad_left: Reg,
    values_left: Reg,
    number: Reg,
    /// The value that is next is the last one.
    is_last: Reg,
    value_valid: Reg,
    value: ValueWord<FieldReg>,
    _tile: TileShape,
    _shade: ShadeShape,
}

impl Emit {
    pub(super) fn new(tile: &TileShape, shade: &ShadeShape) -> Emit {
        let clocks = Clocks::new();
        let flag = || Reg::with_reset(&clocks, 1, 0);
        Emit {
            items: StreamIn::new(ItemWord::of(tile).width()),
            data: StreamIn::new(DataWord::of(shade.slots_log2).width()),
            quads: StreamOut::new(ShadeQuadWord::of(shade).width()),
            values: StreamOut::new(ValueWord::shape().width()),
            place: Net::new(COUNT_BITS + 1),
            plane: Net::new(PlaneWord::shape().width()),
            bank: Net::bit(),
            current: Net::new(shade.slots_log2),
            has_current: Net::bit(),
            has_failed: Net::bit(),
            state: EnumReg::with_reset(&clocks, State::Take),
            own: DataWord::of(shade.slots_log2).registers(&clocks),
            has_own: flag(),
            is_ready: flag(),
            read_bank: Reg::with_reset(&clocks, 1, 1),
            quad: ItemWord::of(tile).registers(&clocks),
            quad_left: flag(),
            values_left: flag(),
            number: Reg::new(&clocks, COUNT_BITS),
            is_last: Reg::new(&clocks, 1),
            value_valid: flag(),
            value: ValueWord::shape().registers(&clocks),
            clocks,
            _tile: *tile,
            _shade: *shade,
        }
    }
}

/// Items to quads and values.
#[kernel]
impl Emit {
    fn module_name(&self) -> String {
        "triangle_data_emit".into()
    }

    /// One bit: this is done.
    fn is(&self, state: State) -> Bits {
        self.state.val() == state
    }

    fn logic(&self) {
        let item = ItemWord::of(&self._tile).unpack(self.items.data.val());
        let needs = item.is_quad && item.starts && !self.is_ready.val();
        let comes = self.items.valid.val();
        let takes = self.is(State::Take) && comes;
        let loads = takes && needs && self.data.valid.val();
        let is_free = self.is(State::Take) || (self.is(State::Quad) && self.ends());
        let begins = is_free && comes && item.is_quad && !needs;
        let data = DataWord::of(self._shade.slots_log2).unpack(self.data.data.val());
        /// # Triangle
        self.data.ready.next = takes && needs;
        if loads {
            self.own.next = data.clone();
            self.has_own.next = 1;
            self.is_ready.next = 1;
            self.read_bank.next = !self.read_bank.val();
        } else if begins {
            self.is_ready.next = 0;
        }
        let own = self.own.val();
        self.bank.next = !self.read_bank.val();
        self.current.next = own.slot;
        self.has_current.next = self.has_own.val();
        self.quad(&item, begins);
        self.values(begins);
        self.items.ready.next = begins || (self.is(State::Order) && self.quads.ready.val());
        self.states(&item, loads, data.fails, begins);
    }

    fn quad(&self, item: &ItemWord, begins: Bits) {
        /// # Quad
        let own = self.own.val();
        if begins {
            self.quad.next = item;
            self.quad_left.next = 1;
        } else if self.quads.ready.val() {
            self.quad_left.next = 0;
        }
        let is_order = self.is(State::Order) || self.is(State::Fault);
        let in_quad = self.is(State::Quad) && self.quad_left.val();
        self.quads.valid.next = is_order || in_quad;
        let order = if self.is(State::Fault) { lit(2, Order::Fault as u32) } else { item.order };
        let quad = self.quad.val();
        discard(cat(&[quad.is_quad, quad.order, quad.starts]), "it is a quad of the triangle that is there");
        let columns = self._tile.width_log2 - 1;
        let rows = self._tile.height_log2 - 1;
        let along = AlongWord {
            order,
            part: if is_order { item.part } else { quad.part },
            place: cat(&[quad.row.low(rows), quad.column.low(columns)]),
            mask: quad.mask,
            test: own.test.clone(),
        };
        self.quads.data.next = ShadeQuadWord::of(&self._shade).pack(&ShadeQuadWord {
            is_end: is_order,
            slot: own.slot,
            has_values: own.count.any(),
            along: AlongWord::of(&self._tile).pack(&along),
        });
    }

    fn values(&self, begins: Bits) {
        /// # Values
        let (own, quad) = (self.own.val(), self.quad.val());
        let number = self.number.val();
        self.place.next = cat(&[self.read_bank.val(), number]);
        let plane = PlaneWord::shape().unpack(self.plane.val());
        let goes = self.value_goes();
        if self.value_moves() {
            self.value_valid.next = goes;
        }
        let is_rhw = own.has_rhw && !number.any();
        if goes {
            self.value.next = ValueWord {
                is_rhw,
                is_color: plane.tag.low(TAG_BITS - 1) >= FIRST_COLOR as u64 && !is_rhw,
                column: quad.column,
                row: quad.row,
                plane,
            };
        }
        if begins {
            self.number.next = 0;
            self.values_left.next = own.count.any();
            self.is_last.next = own.count == 1;
        } else if goes {
            self.number.next = number + 1;
            self.values_left.next = !self.is_last.val();
            self.is_last.next = number + 2 == own.count;
        }
        self.values.valid.next = self.value_valid.val();
        self.values.data.next = ValueWord::shape().pack(&self.value.val());
    }

    /// One bit: the value that stands at the exit leaves, or there is none.
    fn value_moves(&self) -> Bits {
        !self.value_valid.val() || self.values.ready.val()
    }

    /// One bit: the next value of the quad follows it.
    fn value_goes(&self) -> Bits {
        self.is(State::Quad) && self.values_left.val() && self.value_moves()
    }

    /// One bit: the last of a quad leaves.
    fn ends(&self) -> Bits {
        let sends_all = !self.quad_left.val() || self.quads.ready.val();
        let goes_last = self.is_last.val() && self.value_moves();
        sends_all && (!self.values_left.val() || goes_last)
    }

    fn states(&self, item: &ItemWord, loads: Bits, fails: Bits, begins: Bits) {
        /// # States
        match self.state.val() {
            State::Take => {
                if loads && fails {
                    self.state.next = State::Fault;
                } else if begins {
                    self.state.next = State::Quad;
                } else if self.items.valid.val() && !item.is_quad {
                    self.state.next = State::Order;
                }
            }
            State::Order => {
                if self.quads.ready.val() {
                    self.state.next = State::Take;
                }
            }
            State::Quad => {
                if self.ends() && !begins {
                    self.state.next = State::Take;
                }
            }
            State::Fault => {
                if self.quads.ready.val() {
                    self.state.next = State::Stopped;
                }
            }
            State::Stopped => self.state.next = State::Stopped,
        }
        self.has_failed.next = self.has_own.val() && self.own.fails.val();
    }
}
