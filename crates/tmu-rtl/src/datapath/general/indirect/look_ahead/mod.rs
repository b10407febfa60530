//! `look_ahead` of indirect look-ups: keeps quads in order while the places of those behind are looked up.
//!
//! An indirect quad takes two passes through the stages behind: one that fetches where its values are, and one that fetches these. The
//! first pass is made as the quad comes, in rows of values or of pixels (`asks`). Then it waits in order, with direct quads and registers
//! of bindings, until its turn comes and its places have come back (`kept`). So a quad waits for memory only where nothing is left to
//! look ahead to.
//!
//! First passes need the binding that their quad comes behind: they wait until its registers have left. No register comes in while one is
//! still to be made.
//!
//! Contract: items leave in the order in which they came, but for first passes, which leave in their own order, as early as they may.
//! Places come back in the order in which first passes left, whenever they do, and find room. A quad with a place that failed has as
//! many values as any other, and they are marked. `output` depends on no clock's `input`, nor `input.ready` on `output.ready`.
//!
//! Cost: latency 4 clocks, initiation interval 1 for what is direct; an indirect quad of n values takes n clocks of the output, and as
//! many or as few as it has valid pixels for its first pass; nothing comes behind it while rows of that are to be made. Block RAM for 64
//! quads, and for their places. 1048 LUTs where 40 bits more belong to an item, as Yosys 0.70 estimates them for UltraScale+.

mod asks;
mod kept;
mod row;

pub use self::row::{Row, are_near, first_row};

use self::asks::Asks;
use self::kept::Kept;
use super::aggregate::Marks;
use super::fields::Choice;
use super::{FIELD_BITS, OFFSET_BITS};
use crate::datapath::general::words::{PIXELS, PLACE_BITS};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{RamStyle, SyncFifo};
use tmu_spec::general::indirect::MAX_VALUES;

/// Axes of a place.
const AXES: usize = 2;
/// Quads that wait.
const QUADS: usize = 64;
/// Bits of the number of registers of bindings that wait.
const BINDINGS_BITS: usize = QUADS.ilog2() as usize + 1;
/// Bits of the number of a value.
const VALUE_BITS: usize = MAX_VALUES.ilog2() as usize;

/// What comes.
#[derive(Clone, Debug, Record)]
pub struct Coming<T = Bits> {
    /// It is a register of a binding.
    pub is_binding: T,
    /// It is an indirect quad; else it goes on as it is.
    pub is_indirect: T,
    /// What becomes of its values.
    pub marks: Marks<T>,
    /// Texels from the place of a value to that of the next one, signed.
    pub offsets: [T; AXES],
    /// Pixels that count.
    pub valid: T,
    /// Of an indirect quad its [`first_row`].
    pub row: Row<T>,
    /// What of the texels of its first pass are places.
    pub choice: Choice<T>,
    /// Where the pixels are: of an indirect quad the integers x and y of the first value, in the low bits.
    pub places: [[T; AXES]; PIXELS],
    /// What else belongs to it.
    pub rest: T,
}

/// What leaves.
#[derive(Clone, Debug, Record)]
pub struct Going<T = Bits> {
    /// It is a register of a binding.
    pub is_binding: T,
    /// A first pass: its texels are places.
    pub is_first_pass: T,
    /// A second pass: its texels are values.
    pub is_second_pass: T,
    /// It is the last one of its pass.
    pub ends_pass: T,
    /// It is to read nothing and to fail.
    pub is_failed: T,
    /// What becomes of its values; of what is direct there is one. Of a first pass only how many there are.
    pub marks: Marks<T>,
    /// Of a first pass which row it is.
    pub row: Row<T>,
    /// Of a first pass what of its texels are places.
    pub choice: Choice<T>,
    /// Pixels that count; of a row of a pixel values. Row n of a first pass stands askew: the first of them in lane n, and so on round.
    pub valid: T,
    /// Where the pixels are, or the values.
    pub places: [[T; AXES]; PIXELS],
    /// What else belongs to it. Of a first pass it means nothing.
    pub rest: T,
}

/// What comes back from a first pass.
#[derive(Clone, Debug, Record)]
pub struct Back<T = Bits> {
    /// The stored integers that are coordinates, of the pixels of a value or of the values of a pixel, askew as they left.
    pub fields: [[T; AXES]; PIXELS],
    /// Which row of the first pass it was.
    pub row: Row<T>,
    /// Values of the quad less one.
    pub more: T,
    /// They could not be read.
    pub fails: T,
    /// They are the last ones of their quad.
    pub ends_pass: T,
}

impl Coming<Width> {
    /// The shape with so many bits of what else belongs to an item.
    pub fn of(rest_bits: usize) -> Coming<Width> {
        Coming {
            is_binding: Width::bits(1),
            is_indirect: Width::bits(1),
            marks: Marks::shape(),
            offsets: [Width::bits(OFFSET_BITS); AXES],
            valid: Width::bits(PIXELS),
            row: Row::shape(),
            choice: Choice::shape(),
            places: [[Width::bits(PLACE_BITS); AXES]; PIXELS],
            rest: Width::bits(rest_bits),
        }
    }
}

impl Going<Width> {
    /// The shape with so many bits of what else belongs to an item.
    pub fn of(rest_bits: usize) -> Going<Width> {
        let bit = Width::bits(1);
        Going {
            is_binding: bit,
            is_first_pass: bit,
            is_second_pass: bit,
            ends_pass: bit,
            is_failed: bit,
            marks: Marks::shape(),
            row: Row::shape(),
            choice: Choice::shape(),
            valid: Width::bits(PIXELS),
            places: [[Width::bits(PLACE_BITS); AXES]; PIXELS],
            rest: Width::bits(rest_bits),
        }
    }
}

impl Back<Width> {
    /// Its shape.
    pub fn shape() -> Back<Width> {
        Back {
            fields: [[Width::bits(FIELD_BITS); AXES]; PIXELS],
            row: Row::shape(),
            more: Width::bits(VALUE_BITS),
            fails: Width::bits(1),
            ends_pass: Width::bits(1),
        }
    }
}

/// An item that waits. Of an indirect quad the places mean nothing any more.
#[derive(Clone, Debug, Record)]
struct Waiting<T = Bits> {
    is_binding: T,
    is_indirect: T,
    marks: Marks<T>,
    valid: T,
    places: [[T; AXES]; PIXELS],
    rest: T,
}

impl Waiting<Width> {
    fn of(rest_bits: usize) -> Waiting<Width> {
        let Coming { is_binding, is_indirect, marks, valid, places, rest, .. } = Coming::of(rest_bits);
        Waiting { is_binding, is_indirect, marks, valid, places, rest }
    }
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct LookAhead {
    /// Clock and reset.
    pub clocks: Clocks,
    /// [`Coming`].
    pub input: StreamIn,
    /// [`Going`].
    pub output: StreamOut,
    /// Something comes back from a first pass.
    pub back_valid: Net<In>,
    /// It.
    pub back: Back<Field<In>>,
    waiting: SyncFifo,
    /// First passes that are made.
    asks: Asks,
    /// Places of quads that wait: each has room for all of its own.
    kept: Kept,
    /// Registers of bindings that wait, and the one that has left.
    bindings: Reg,
    binding_leaves: Reg,
    /// There is one.
    waits: Reg,
    /// The next value of the second pass.
    second_number: Reg,
    full: Reg,
    out: Going<FieldReg>,
    _rest_bits: usize,
}

impl LookAhead {
    /// The stage, with so many bits of what else belongs to an item.
    pub fn new(rest_bits: usize) -> LookAhead {
        let clocks = Clocks::new();
        LookAhead {
            input: StreamIn::new(Coming::of(rest_bits).width()),
            output: StreamOut::new(Going::of(rest_bits).width()),
            back_valid: Net::bit(),
            back: Back::shape().nets(),
            waiting: SyncFifo::with_style(QUADS, Waiting::of(rest_bits).width(), RamStyle::Block),
            asks: Asks::new(&clocks),
            kept: Kept::new(&clocks),
            bindings: Reg::with_reset(&clocks, BINDINGS_BITS, 0),
            binding_leaves: Reg::with_reset(&clocks, 1, 0),
            waits: Reg::with_reset(&clocks, 1, 0),
            second_number: Reg::with_reset(&clocks, VALUE_BITS, 0),
            full: Reg::with_reset(&clocks, 1, 0),
            out: Going::of(rest_bits).registers(&clocks),
            clocks,
            _rest_bits: rest_bits,
        }
    }
}

/// What is next in order.
struct Head {
    leaves: Bits,
    item: Waiting,
    is_last: Bits,
    found: [[Bits; AXES]; PIXELS],
    fails: Bits,
}

/// Quads in order, and their first passes ahead of them.
#[kernel]
impl LookAhead {
    fn module_name(&self) -> String {
        "look_ahead".into()
    }

    fn logic(&self) {
        timing(4, 1);
        let is_free = !self.full.val() || self.output.ready.val();
        let asks = is_free && self.asks.has_row();
        self.arrive(asks);
        kept::keep(&self.kept, &self.clocks, self.back_valid.val(), &self.back.val());
        let head = self.head(is_free && !asks);
        self.binding_leaves.next = head.leaves && head.item.is_binding;
        self.count_bindings();
        self.leave(&head, is_free, asks);
    }

    /// What comes; `asks`: a row of a first pass leaves.
    fn arrive(&self, asks: Bits) {
        /// # What comes
        let coming = Coming::of(self._rest_bits).unpack(self.input.data.val());
        let waiting = &self.waiting;
        let is_stopped = self.is_stopped(coming.is_binding);
        let takes = self.input.valid.val() && !is_stopped;
        self.input.ready.next = waiting.input.ready.val() && !is_stopped;
        waiting.clocks.follow(&self.clocks);
        waiting.input.valid.next = takes;
        let begins = takes && waiting.input.ready.val() && coming.is_indirect;
        asks::take(&self.asks, begins, &coming);
        asks::make(&self.asks, [asks, self.waits.val(), begins], &coming);
        discard(waiting.level.val(), "its ready says enough");
        let Coming { is_binding, is_indirect, marks, valid, places, rest, .. } = coming;
        waiting.input.data.next = Waiting::of(self._rest_bits).pack(&Waiting {
            is_binding,
            is_indirect,
            marks,
            valid,
            places,
            rest,
        });
    }

    /// One bit: what comes waits for first passes that are still to be made, a register of a binding for those that are to leave too.
    fn is_stopped(&self, is_binding: Bits) -> Bits {
        self.asks.is_busy() || (is_binding && self.asks.has_row())
    }

    fn count_bindings(&self) {
        /// # Registers of bindings
        let coming = Coming::of(self._rest_bits).unpack(self.input.data.val());
        let takes = self.input.valid.val() && self.waiting.input.ready.val();
        let comes = takes && coming.is_binding && !self.is_stopped(coming.is_binding);
        let (bindings, goes) = (self.bindings.val(), self.binding_leaves.val());
        if comes && !goes {
            self.bindings.next = bindings + 1;
        } else if goes && !comes {
            self.bindings.next = bindings - 1;
        }
        /// Known a clock later than it might be, but never later that one waits: a first pass is made a clock behind its quad.
        self.waits.next = comes || bindings.any();
    }

    fn head(&self, is_free: Bits) -> Head {
        /// # What is next in order
        let waiting = &self.waiting;
        let item = Waiting::of(self._rest_bits).unpack(waiting.output.data.val());
        let number = self.second_number.val();
        let is_last = !item.is_indirect || number == item.marks.more;
        let is_value = waiting.output.valid.val() && item.is_indirect && is_free && self.kept.is_there();
        let found = kept::found(&self.kept, is_value, is_value && is_last, number);
        let leaves = is_free && waiting.output.valid.val() && (!item.is_indirect || self.kept.is_there());
        waiting.output.ready.next = leaves && is_last;
        if leaves && item.is_indirect {
            self.second_number.next = if is_last { lit(VALUE_BITS, 0u32) } else { number + 1 };
        }
        let fails = item.is_indirect && found.fails;
        Head { leaves, item, is_last, found: found.places, fails }
    }

    fn leave(&self, head: &Head, is_free: Bits, asks: Bits) {
        /// # What leaves
        let row = self.asks.row();
        // Nothing leaves where it is not free.
        let asks_next = self.asks.has_row();
        let item = &head.item;
        let place = |lane: usize, axis: usize| {
            let found = head.found[lane][axis].zero_extend(PLACE_BITS);
            let of_head = if item.is_indirect { found } else { item.places[lane][axis] };
            if asks_next { row.places[lane][axis].zero_extend(PLACE_BITS) } else { of_head }
        };
        if is_free {
            self.full.next = asks || head.leaves;
            self.out.next = Going {
                is_binding: item.is_binding && !asks_next,
                is_first_pass: asks_next,
                is_second_pass: item.is_indirect && !asks_next,
                ends_pass: if asks_next { row.is_last } else { head.is_last },
                is_failed: head.fails && !asks_next,
                marks: Marks {
                    operation: item.marks.operation,
                    more: if asks_next { row.more } else { item.marks.more },
                },
                row: row.row.clone(),
                choice: row.choice.clone(),
                valid: if asks_next { row.valid } else { item.valid },
                places: std::array::from_fn(|lane| std::array::from_fn(|axis| place(lane, axis))),
                rest: item.rest,
            };
        }
        self.output.valid.next = self.full.val();
        self.output.data.next = Going::of(self._rest_bits).pack(&self.out.val());
    }
}
