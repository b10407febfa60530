//! `look_ahead` of indirect look-ups: keeps quads in order while the places of those behind are looked up.
//!
//! An indirect quad takes two passes through the stages behind: one that fetches where its values are, and one that fetches these. The
//! first pass is made as the quad comes. Then it waits in order, with direct quads and registers of bindings, until its turn comes and
//! its places have come back. So a quad waits for memory only where nothing is left to look ahead to.
//!
//! First passes need the binding that their quad comes behind: they wait until its registers have left.
//!
//! Contract: items leave in the order in which they came, but for first passes, which leave in their own order, as early as they may.
//! Places come back in the order in which first passes left, whenever they do, and find room. A quad with a place that failed has as
//! many values as any other, and they are marked. `output` depends on no clock's `input`; `input.ready` depends on `output.ready`.
//!
//! Cost: latency 3 clocks, initiation interval 1 for what is direct; an indirect quad of n values takes 2n clocks of the output. LUT RAM
//! for 64 quads, and block RAM for their places. 1075 LUTs where 40 bits more belong to an item, as Yosys 0.70 estimates them for
//! UltraScale+.

use super::aggregate::Marks;
use super::{FIELD_BITS, OFFSET_BITS};
use crate::datapath::general::words::{NUMBER_BITS, PIXELS};
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
/// Bits of what three offsets are together.
const MOVED_BITS: usize = OFFSET_BITS + VALUE_BITS;

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
    /// Where the pixels are: of an indirect quad the integers x and y of the first value.
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
    /// What becomes of its values; of what is direct there is one.
    pub marks: Marks<T>,
    /// Where the pixels are.
    pub places: [[T; AXES]; PIXELS],
    /// What else belongs to it.
    pub rest: T,
}

/// What comes back from a first pass.
#[derive(Clone, Debug, Record)]
pub struct Back<T = Bits> {
    /// The stored integers that are coordinates.
    pub fields: [[T; AXES]; PIXELS],
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
            places: [[Width::bits(NUMBER_BITS); AXES]; PIXELS],
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
            places: [[Width::bits(NUMBER_BITS); AXES]; PIXELS],
            rest: Width::bits(rest_bits),
        }
    }
}

impl Back<Width> {
    /// Its shape.
    pub fn shape() -> Back<Width> {
        Back {
            fields: [[Width::bits(FIELD_BITS); AXES]; PIXELS],
            fails: Width::bits(1),
            ends_pass: Width::bits(1),
        }
    }
}

/// An item that waits. Of an indirect quad the places have gone.
#[derive(Clone, Debug, Record)]
struct Waiting<T = Bits> {
    is_binding: T,
    is_indirect: T,
    marks: Marks<T>,
    places: [[T; AXES]; PIXELS],
    rest: T,
}

impl Waiting<Width> {
    fn of(rest_bits: usize) -> Waiting<Width> {
        let Coming { is_binding, is_indirect, marks, places, rest, .. } = Coming::of(rest_bits);
        Waiting { is_binding, is_indirect, marks, places, rest }
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
    /// Places of quads that wait: each has room for all of its own.
    places: SyncFifo,
    /// Of each quad whose places are all there, whether one of them failed.
    verdicts: SyncFifo,
    has_failed: Reg,
    /// Registers of bindings that wait.
    bindings: Reg,
    /// There is one.
    waits: Reg,
    /// The next value of the first pass, and how far its place lies from the first one's.
    first_number: Reg,
    moved: Vec<Reg>,
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
        let number = || Reg::with_reset(&clocks, VALUE_BITS, 0);
        LookAhead {
            input: StreamIn::new(Coming::of(rest_bits).width()),
            output: StreamOut::new(Going::of(rest_bits).width()),
            back_valid: Net::bit(),
            back: Back::shape().nets(),
            waiting: SyncFifo::new(QUADS, Waiting::of(rest_bits).width()),
            places: SyncFifo::with_style(
                MAX_VALUES as usize * QUADS,
                back_without_end().width(),
                RamStyle::Block,
            ),
            verdicts: SyncFifo::new(QUADS, 1),
            has_failed: Reg::with_reset(&clocks, 1, 0),
            bindings: Reg::with_reset(&clocks, BINDINGS_BITS, 0),
            waits: Reg::with_reset(&clocks, 1, 0),
            first_number: number(),
            moved: (0..AXES).map(|_| Reg::with_reset(&clocks, MOVED_BITS, 0)).collect(),
            second_number: number(),
            full: Reg::with_reset(&clocks, 1, 0),
            out: Going::of(rest_bits).registers(&clocks),
            clocks,
            _rest_bits: rest_bits,
        }
    }
}

/// What waits of what comes back.
fn back_without_end() -> Back<Width> {
    let none = Width::bits(1).when(false);
    Back { fails: none, ends_pass: none, ..Back::shape() }
}

/// What leaves in a clock, if anything does.
struct Turn {
    leaves: Bits,
    going: Going,
}

/// Quads in order, and their first passes ahead of them.
#[kernel]
impl LookAhead {
    fn module_name(&self) -> String {
        "look_ahead".into()
    }

    fn logic(&self) {
        timing(3, 1);
        let is_free = !self.full.val() || self.output.ready.val();
        let first = self.first_pass(is_free);
        self.come_back();
        let head = self.head(is_free && !first.leaves);
        self.count_bindings(head.leaves && head.going.is_binding);
        /// # Leave
        if is_free {
            self.full.next = first.leaves || head.leaves;
        }
        if first.leaves {
            self.out.next = &first.going;
        } else if head.leaves {
            self.out.next = &head.going;
        }
        self.output.valid.next = self.full.val();
        self.output.data.next = Going::of(self._rest_bits).pack(&self.out.val());
    }

    fn count_bindings(&self, goes: Bits) {
        /// # Registers of bindings
        let coming = Coming::of(self._rest_bits).unpack(self.input.data.val());
        let comes = self.input.valid.val() && self.waiting.input.ready.val() && coming.is_binding;
        let bindings = self.bindings.val();
        if comes && !goes {
            self.bindings.next = bindings + 1;
        } else if goes && !comes {
            self.bindings.next = bindings - 1;
        }
        /// Known a clock later than it might be, but never later that one waits.
        self.waits.next = comes || bindings.any();
    }

    fn first_pass(&self, is_free: Bits) -> Turn {
        /// # First passes
        let item = Coming::of(self._rest_bits).unpack(self.input.data.val());
        let (number, waiting) = (self.first_number.val(), &self.waiting);
        let asks =
            self.input.valid.val() && item.is_indirect && !self.waits.val() && waiting.input.ready.val();
        let leaves = asks && is_free;
        let is_last = number == item.marks.more;
        let enters = self.input.valid.val() && !item.is_indirect || leaves && is_last;
        self.input.ready.next = waiting.input.ready.val() && (!item.is_indirect || leaves && is_last);
        if leaves {
            self.first_number.next = if is_last { lit(VALUE_BITS, 0u32) } else { number + 1 };
        }
        for (moved, offset) in self.moved.iter().zip(&item.offsets) {
            let next = moved.val() + offset.sign_extend(MOVED_BITS);
            if leaves {
                moved.next = if is_last { lit(MOVED_BITS, 0u32) } else { next };
            }
        }
        waiting.clocks.follow(&self.clocks);
        waiting.input.valid.next = enters;
        let Coming { is_binding, is_indirect, marks, places, rest, .. } = item.clone();
        waiting.input.data.next =
            Waiting::of(self._rest_bits).pack(&Waiting { is_binding, is_indirect, marks, places, rest });
        discard(waiting.level.val(), "its ready says enough");
        let place = |pixel: usize, axis: usize| {
            item.places[pixel][axis] + self.moved[axis].val().sign_extend(NUMBER_BITS)
        };
        let going = Going {
            is_binding: lit(1, 0u32),
            is_first_pass: lit(1, 1u32),
            is_second_pass: lit(1, 0u32),
            ends_pass: is_last,
            is_failed: lit(1, 0u32),
            marks: item.marks.clone(),
            places: std::array::from_fn(|pixel| std::array::from_fn(|axis| place(pixel, axis))),
            rest: item.rest,
        };
        Turn { leaves, going }
    }

    fn come_back(&self) {
        /// # Places
        let (back, comes) = (self.back.val(), self.back_valid.val());
        let fails = back.fails || self.has_failed.val();
        if comes {
            self.has_failed.next = fails && !back.ends_pass;
        }
        let (places, verdicts) = (&self.places, &self.verdicts);
        places.clocks.follow(&self.clocks);
        places.input.valid.next = comes;
        places.input.data.next = back_without_end().pack(&back);
        verdicts.clocks.follow(&self.clocks);
        verdicts.input.valid.next = comes && back.ends_pass;
        verdicts.input.data.next = fails;
        for fifo in [places, verdicts] {
            discard(fifo.input.ready.val(), "quads that wait have room for their places");
            discard(fifo.level.val(), "as above");
        }
    }

    fn head(&self, is_free: Bits) -> Turn {
        /// # What is next in order
        let (waiting, places, verdicts) = (&self.waiting, &self.places, &self.verdicts);
        let item = Waiting::of(self._rest_bits).unpack(waiting.output.data.val());
        let is_there = places.output.valid.val() && verdicts.output.valid.val();
        let leaves = is_free && waiting.output.valid.val() && (!item.is_indirect || is_there);
        let number = self.second_number.val();
        let is_last = !item.is_indirect || number == item.marks.more;
        waiting.output.ready.next = leaves && is_last;
        places.output.ready.next = leaves && item.is_indirect;
        verdicts.output.ready.next = leaves && item.is_indirect && is_last;
        if leaves && item.is_indirect {
            self.second_number.next = if is_last { lit(VALUE_BITS, 0u32) } else { number + 1 };
        }
        let found = back_without_end().unpack(places.output.data.val()).fields;
        let place = |pixel: usize, axis: usize| {
            let found = found[pixel][axis].zero_extend(NUMBER_BITS);
            if item.is_indirect { found } else { item.places[pixel][axis] }
        };
        let going = Going {
            is_binding: item.is_binding,
            is_first_pass: lit(1, 0u32),
            is_second_pass: item.is_indirect,
            ends_pass: is_last,
            is_failed: item.is_indirect && verdicts.output.data.val(),
            marks: item.marks.clone(),
            places: std::array::from_fn(|pixel| std::array::from_fn(|axis| place(pixel, axis))),
            rest: item.rest,
        };
        Turn { leaves, going }
    }
}
