//! `look_ahead` of indirect look-ups: keeps quads in order while the places of those behind are looked up.
//!
//! An indirect quad takes two passes through the stages behind: one that fetches where its values are, and one that fetches these. The
//! first pass is made as the quad comes, in rows of values or of pixels (`row`). Then it waits in order, with direct quads and registers of bindings, until its turn comes and
//! its places have come back. So a quad waits for memory only where nothing is left to look ahead to.
//!
//! First passes need the binding that their quad comes behind: they wait until its registers have left.
//!
//! Contract: items leave in the order in which they came, but for first passes, which leave in their own order, as early as they may.
//! Places come back in the order in which first passes left, whenever they do, and find room (`kept`). A quad with a place that failed has as
//! many values as any other, and they are marked. `output` depends on no clock's `input`; `input.ready` depends on `output.ready`.
//!
//! Cost: latency 3 clocks, initiation interval 1 for what is direct; an indirect quad of n values takes n clocks of the output, and as
//! many or as few as it has valid pixels for its first pass. LUT RAM for 64 quads, and block RAM for their places. 1075 LUTs where 40 bits more belong to an item, as Yosys 0.70 estimates them for
//! UltraScale+.

mod kept;
mod row;

pub use self::row::{Row, first_row};

use self::kept::Kept;
use super::aggregate::Marks;
use super::{FIELD_BITS, OFFSET_BITS};
use crate::datapath::general::words::{PIXELS, PLACE_BITS};
use crate::datapath::words::by_parity;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::SyncFifo;
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
    /// Pixels that count.
    pub valid: T,
    /// Of an indirect quad its [`first_row`].
    pub row: Row<T>,
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
    /// What becomes of its values; of what is direct there is one.
    pub marks: Marks<T>,
    /// Of a first pass which row it is.
    pub row: Row<T>,
    /// Pixels that count; of a row of a pixel values.
    pub valid: T,
    /// Where the pixels are, or the values.
    pub places: [[T; AXES]; PIXELS],
    /// What else belongs to it.
    pub rest: T,
}

/// What comes back from a first pass.
#[derive(Clone, Debug, Record)]
pub struct Back<T = Bits> {
    /// The stored integers that are coordinates, of the pixels of a value or of the values of a pixel.
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

/// An item that waits. Of an indirect quad the places have gone.
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
    /// Places of quads that wait: each has room for all of its own.
    kept: Kept,
    /// Registers of bindings that wait.
    bindings: Reg,
    /// There is one.
    waits: Reg,
    /// The first pass has begun; its next value or pixel, and how far the place of that value lies from the first one's.
    has_begun: Reg,
    next_number: Reg,
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
            kept: Kept::new(&clocks),
            bindings: Reg::with_reset(&clocks, BINDINGS_BITS, 0),
            waits: Reg::with_reset(&clocks, 1, 0),
            has_begun: Reg::with_reset(&clocks, 1, 0),
            next_number: number(),
            moved: (0..AXES).map(|_| Reg::with_reset(&clocks, MOVED_BITS, 0)).collect(),
            second_number: number(),
            full: Reg::with_reset(&clocks, 1, 0),
            out: Going::of(rest_bits).registers(&clocks),
            clocks,
            _rest_bits: rest_bits,
        }
    }
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
        kept::keep(&self.kept, &self.clocks, self.back_valid.val(), &self.back.val());
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
        let waiting = &self.waiting;
        let asks =
            self.input.valid.val() && item.is_indirect && !self.waits.val() && waiting.input.ready.val();
        let leaves = asks && is_free;
        let is_of_pixel = item.row.is_of_pixel;
        let number = if self.has_begun.val() { self.next_number.val() } else { item.row.number };
        let is_above = |pixel: usize| number < pixel as u64;
        let is_last_pixel = !stack((0..PIXELS).map(|pixel| item.valid.bit(pixel) && is_above(pixel))).any();
        let is_last = if is_of_pixel { is_last_pixel } else { number == item.marks.more };
        let next = if is_of_pixel { row::following(item.valid, is_above) } else { number + 1 };
        let enters = self.input.valid.val() && !item.is_indirect || leaves && is_last;
        self.input.ready.next = waiting.input.ready.val() && (!item.is_indirect || leaves && is_last);
        if leaves {
            self.has_begun.next = !is_last;
            self.next_number.next = next;
        }
        waiting.clocks.follow(&self.clocks);
        waiting.input.valid.next = enters;
        let Coming { is_binding, is_indirect, marks, valid, places, rest, .. } = item.clone();
        waiting.input.data.next = Waiting::of(self._rest_bits).pack(&Waiting {
            is_binding,
            is_indirect,
            marks,
            valid,
            places,
            rest,
        });
        discard(waiting.level.val(), "its ready says enough");
        let is_first = |value: usize| item.marks.more >= value as u64;
        let values = stack((0..PIXELS).map(is_first)) & chosen(number, item.valid).repeat(PIXELS);
        let going = Going {
            is_binding: lit(1, 0u32),
            is_first_pass: lit(1, 1u32),
            is_second_pass: lit(1, 0u32),
            ends_pass: is_last,
            is_failed: lit(1, 0u32),
            marks: item.marks.clone(),
            row: Row { is_of_pixel, number },
            valid: if is_of_pixel { values } else { item.valid },
            places: self.places_of_row(&item, number, leaves, is_last),
            rest: item.rest,
        };
        Turn { leaves, going }
    }

    /// Where the texels of a row of a first pass are.
    fn places_of_row(
        &self,
        item: &Coming,
        number: Bits,
        leaves: Bits,
        is_last: Bits,
    ) -> [[Bits; AXES]; PIXELS] {
        /// # Places of a first pass
        let is_of_pixel = item.row.is_of_pixel;
        let place = |lane: usize, axis: usize| {
            let pixel = if is_of_pixel { number } else { lit(number.width(), lane as u32) };
            let places = item.places.map(|place| place[axis]);
            let offset = item.offsets[axis].sign_extend(MOVED_BITS);
            let twice = cat(&[item.offsets[axis].sign_extend(MOVED_BITS - 1), lit(1, 0u32)]);
            let of_value = match lane {
                0 => lit(MOVED_BITS, 0u32),
                1 => offset,
                2 => twice,
                _ => offset + twice,
            };
            let moved = if is_of_pixel { of_value } else { self.moved[axis].val() };
            by_parity(pixel.bit(0), pixel.bit(1), &places) + moved.sign_extend(PLACE_BITS)
        };
        for (moved, offset) in self.moved.iter().zip(&item.offsets) {
            let next = moved.val() + offset.sign_extend(MOVED_BITS);
            if leaves {
                moved.next = if is_last { lit(MOVED_BITS, 0u32) } else { next };
            }
        }
        std::array::from_fn(|lane| std::array::from_fn(|axis| place(lane, axis)))
    }

    fn head(&self, is_free: Bits) -> Turn {
        /// # What is next in order
        let waiting = &self.waiting;
        let item = Waiting::of(self._rest_bits).unpack(waiting.output.data.val());
        let is_value = waiting.output.valid.val() && item.is_indirect && is_free;
        let found = kept::found(&self.kept, is_value);
        let leaves = is_free && waiting.output.valid.val() && (!item.is_indirect || found.is_there);
        let number = self.second_number.val();
        let is_last = !item.is_indirect || number == item.marks.more;
        waiting.output.ready.next = leaves && is_last;
        if leaves && item.is_indirect {
            self.second_number.next = if is_last { lit(VALUE_BITS, 0u32) } else { number + 1 };
        }
        let place = |pixel: usize, axis: usize| {
            let found = found.places[pixel][axis].zero_extend(PLACE_BITS);
            if item.is_indirect { found } else { item.places[pixel][axis] }
        };
        let going = Going {
            is_binding: item.is_binding,
            is_first_pass: lit(1, 0u32),
            is_second_pass: item.is_indirect,
            ends_pass: is_last,
            is_failed: item.is_indirect && found.fails,
            marks: item.marks.clone(),
            row: Row { is_of_pixel: lit(1, 0u32), number },
            valid: item.valid,
            places: std::array::from_fn(|pixel| std::array::from_fn(|axis| place(pixel, axis))),
            rest: item.rest,
        };
        Turn { leaves, going }
    }
}

/// A bit of a word.
#[kernel]
fn chosen(number: Bits, bits: Bits) -> Bits {
    let bits = [bits.bit(0), bits.bit(1), bits.bit(2), bits.bit(3)];
    by_parity(number.bit(0), number.bit(1), &bits)
}
