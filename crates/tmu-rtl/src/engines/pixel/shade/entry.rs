//! `shade_entry`: takes quads and their values, and sends them on their way.
//!
//! A quad gets a place in a ring, in whose order it leaves again. Colours that do not come are 1.0 for v0 and 0 for v1: they are written
//! first, and what comes is written over them. Which coordinates have come is kept beside them.
//!
//! Contract: values of a quad come behind it, the last one is marked. A quad starts when it has all of them.
//!
//! Latency: a clock for the quad or the end, one for each value and at least one; coordinates 2 clocks behind their place, colours 1. Eight block RAMs.

use super::way::{FateWord, TEMPORARIES, WayWord};
use super::words::{CHANNELS, ShadeQuadWord, ShadeShape};
use crate::engines::pixel::interpolation::{PixelsWord, REGISTER_BITS as COLOR_BITS};
use crate::engines::pixel::words::{PIXELS, SINGLE_BITS};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{RamShape, RamSimpleDualPort, RamStyle};

/// Registers v0 and v1.
pub(super) const COLORS: usize = 2;
/// Bits of both of a pixel.
pub(super) const COLORS_BITS: usize = COLORS * CHANNELS * COLOR_BITS;
/// Bits of the number of a set of coordinates.
pub(super) const SET_BITS: usize = 3;
/// Values of coordinates of a quad.
pub(super) const COORDINATES: usize = TEMPORARIES * CHANNELS;
/// Bits of the number of a value.
const NUMBER_BITS: usize = 5;
/// 1.0 in a colour.
const ONE: u32 = 1 << 12;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct ShadeEntry {
    /// Clock and reset.
    pub clocks: Clocks,
    /// Quads, see [`ShadeQuadWord`].
    pub quads: StreamIn,
    /// Their values, see [`PixelsWord`]: in the tag the number, and above it that it is the last one.
    pub values: StreamIn,
    /// The place in the ring of the quad that leaves next, with a bit above it that changes from round to round.
    pub tail: Net<In>,
    /// The place in the ring that is given next, in the same way.
    pub head: Net<Out>,
    /// Of each slot: a line of it is being kept.
    pub is_loading: Net<In>,
    /// Of each slot: its program has no instruction.
    pub is_empty: Net<In>,
    /// Of each slot: its program begins with an instruction that reads coordinates.
    pub begins_with_texture: Net<In>,
    /// Quads that begin with arithmetic, see [`WayWord`].
    pub to_arithmetic: StreamOut,
    /// Quads that begin with a texture instruction.
    pub to_texture: StreamOut,
    /// The quad whose colours are read.
    pub color_quad: Net<In>,
    /// Of each pixel v0 and v1, a clock later.
    pub colors: Vec<Net<Out>>,
    /// The set of coordinates that is read: quad and number.
    pub set_place: Net<In>,
    /// It is read.
    pub set_reads: Net<In>,
    /// What was read leaves.
    pub set_leaves: Net<In>,
    /// Of each pixel the four components.
    pub sets: Vec<Net<Out>>,
    /// Which components have come; the others mean 0.
    pub set_is_there: Net<Out>,
    fill: Fill,
    came: Reg,
    color_words: Vec<RamSimpleDualPort>,
    set_words: Vec<RamSimpleDualPort>,
    came_words: RamSimpleDualPort,
    is_there: Reg,
    _shape: ShadeShape,
}

/// The quad whose values come.
#[derive(Bundle)]
struct Fill {
    head: Reg,
    valid: Reg,
    has_values: Reg,
    quad: Reg,
    round: Reg,
    slot: Reg,
    is_end: Reg,
    /// The ring has a place for the next one.
    has_place: Reg,
    /// Queues have room.
    has_room: Reg,
    /// Its slot is being loaded.
    waits: Reg,
    is_done: Reg,
    is_texture: Reg,
}

impl ShadeEntry {
    /// The part for a shape.
    #[must_use]
    pub fn new(shape: &ShadeShape) -> ShadeEntry {
        let clocks = Clocks::new();
        let low = |width: usize| Reg::with_reset(&clocks, width, 0);
        let way = || StreamOut::new(WayWord::of(shape).width());
        let (quad, pixels) = (shape.quads_log2, PIXELS * SINGLE_BITS);
        let set = || {
            let words = RamShape::new(1 << (quad + SET_BITS), pixels).style(RamStyle::Block);
            RamSimpleDualPort::new(words.output_register(true))
        };
        let small = |width: usize| {
            RamSimpleDualPort::new(RamShape::new(shape.quads(), width).style(RamStyle::Distributed))
        };
        ShadeEntry {
            quads: StreamIn::new(ShadeQuadWord::of(shape).width()),
            values: StreamIn::new(PixelsWord::shape().width()),
            tail: Net::new(quad + 1),
            head: Net::new(quad + 1),
            is_loading: Net::new(shape.slots()),
            is_empty: Net::new(shape.slots()),
            begins_with_texture: Net::new(shape.slots()),
            to_arithmetic: way(),
            to_texture: way(),
            color_quad: Net::new(quad),
            colors: Net::array(PIXELS, COLORS_BITS),
            set_place: Net::new(quad + SET_BITS),
            set_reads: Net::bit(),
            set_leaves: Net::bit(),
            sets: Net::array(PIXELS, CHANNELS * SINGLE_BITS),
            set_is_there: Net::new(CHANNELS),
            fill: Fill {
                head: low(quad + 1),
                valid: low(1),
                has_values: low(1),
                quad: Reg::new(&clocks, quad),
                round: Reg::new(&clocks, 1),
                slot: Reg::new(&clocks, shape.slots_log2),
                is_end: low(1),
                has_place: low(1),
                has_room: low(1),
                waits: low(1),
                is_done: low(1),
                is_texture: low(1),
            },
            came: Reg::new(&clocks, COORDINATES),
            color_words: (0..COLORS * CHANNELS).map(|_| small(PIXELS * COLOR_BITS)).collect(),
            set_words: (0..CHANNELS).map(|_| set()).collect(),
            came_words: small(COORDINATES),
            is_there: Reg::new(&clocks, CHANNELS),
            clocks,
            _shape: *shape,
        }
    }
}

/// What is done in a clock.
struct Moves {
    takes: Bits,
    value: Bits,
    /// The quad has all of its values.
    starts: Bits,
}

/// Quads and values to quads on their way.
#[kernel]
impl ShadeEntry {
    fn module_name(&self) -> String {
        "shade_entry".into()
    }

    fn logic(&self) {
        /// # Quads
        let fill = &self.fill;
        let (head, tail) = (fill.head.val(), self.tail.val());
        self.head.next = head;
        let ring = self._shape.quads_log2;
        /// A clock lies between quads, so that what was so in the clock before still holds.
        let is_full = head.low(ring) == tail.low(ring) && head.high(1) != tail.high(1);
        fill.has_place.next = !is_full;
        fill.has_room.next = self.to_arithmetic.ready.val() && self.to_texture.ready.val();
        let takes_quads = !fill.valid.val() && fill.has_place.val();
        self.quads.ready.next = takes_quads;
        let quad = ShadeQuadWord::of(&self._shape).unpack(self.quads.data.val());
        let takes = takes_quads && self.quads.valid.val();
        if takes {
            fill.head.next = head + 1;
            fill.quad.next = head.low(ring);
            fill.round.next = head.high(1);
            fill.slot.next = quad.slot;
            fill.has_values.next = quad.has_values && !quad.is_end;
            fill.is_end.next = quad.is_end;
        }
        discard(quad.along, "it waits where quads leave");
        /// What the slot says, once all of its lines are kept.
        let slot = if fill.valid.val() { fill.slot.val() } else { quad.slot };
        let is_empty = self.is_empty.val().at(slot);
        fill.waits.next = self.is_loading.val().at(slot);
        fill.is_done.next = is_empty;
        fill.is_texture.next = self.begins_with_texture.val().at(slot) && !is_empty;
        /// # Values
        let fills = fill.valid.val() && fill.has_room.val() && !fill.waits.val();
        self.values.ready.next = fills && fill.has_values.val();
        let value = PixelsWord::shape().unpack(self.values.data.val());
        let comes = fills && fill.has_values.val() && self.values.valid.val();
        let is_whole = fills && (!fill.has_values.val() || (comes && value.tag.bit(NUMBER_BITS)));
        let starts = is_whole && !fill.is_end.val();
        fill.valid.next = takes || (fill.valid.val() && !is_whole);
        let moves = Moves { takes, value: comes, starts };
        self.start(&moves);
        self.keep_colors(&moves, head.low(ring), &value);
        self.keep_sets(&moves, &value);
    }

    fn start(&self, moves: &Moves) {
        /// # Start
        let slot = self.fill.slot.val();
        let (is_done, is_texture) = (self.fill.is_done.val(), self.fill.is_texture.val());
        let zeros = |bits: usize| lit(bits, 0u32);
        let shape = WayWord::of(&self._shape);
        let way = shape.pack(&WayWord {
            quad: self.fill.quad.val(),
            round: self.fill.round.val(),
            slot,
            index: zeros(shape.index.value_bits()),
            is_done,
            colors: zeros(TEMPORARIES),
            alphas: zeros(TEMPORARIES),
            fate: FateWord { killed: zeros(PIXELS), has_depth: zeros(1), error: zeros(1) },
        });
        self.to_texture.valid.next = moves.starts && is_texture;
        self.to_texture.data.next = way;
        self.to_arithmetic.valid.next = moves.starts && !is_texture;
        self.to_arithmetic.data.next = way;
    }

    fn keep_colors(&self, moves: &Moves, next: Bits, value: &PixelsWord) {
        /// # Colours
        let number = value.tag.low(NUMBER_BITS);
        let defaults = [ONE, 0].map(|value: u32| lit(COLOR_BITS, value));
        let came = value.pixels.map(|pixel| pixel.low(COLOR_BITS));
        let mut read = vec![];
        for (place, words) in self.color_words.iter().enumerate() {
            let default = defaults[place / CHANNELS];
            let pixels = came.map(|own| if moves.takes { default } else { own });
            words.clocks.follow(&self.clocks);
            words.write_enable.next = moves.takes || (moves.value && number == (COORDINATES + place) as u64);
            words.write_address.next = if moves.takes { next } else { self.fill.quad.val() };
            words.write_data.next = stack(pixels);
            words.read_enable.next = 1;
            words.read_address.next = self.color_quad.val();
            read.push(words.read_data.val());
        }
        for (pixel, net) in self.colors.iter().enumerate() {
            net.next = stack(read.iter().map(|word| word.slice(pixel * COLOR_BITS, COLOR_BITS)));
        }
    }

    fn keep_sets(&self, moves: &Moves, value: &PixelsWord) {
        /// # Coordinates
        let number = value.tag.low(NUMBER_BITS);
        let (set, component) = (number.high(SET_BITS), number.low(NUMBER_BITS - SET_BITS));
        let own = stack((0..COORDINATES as u64).map(|own| moves.value && number == own));
        let came = self.came.val() | own;
        if moves.takes {
            self.came.next = 0;
        } else {
            self.came.next = came;
        }
        let place = self.set_place.val();
        let mut read = vec![];
        for (channel, words) in self.set_words.iter().enumerate() {
            words.clocks.follow(&self.clocks);
            words.write_enable.next = moves.value && component == channel as u64;
            words.write_address.next = cat(&[self.fill.quad.val(), set]);
            words.write_data.next = stack(value.pixels);
            words.read_enable.next = self.set_reads.val();
            words.read_address.next = place;
            if let Some(enable) = &*words.output_enable {
                enable.next = self.set_leaves.val();
            }
            read.push(words.read_data.val());
        }
        /// Which components of the set are there.
        let words = &self.came_words;
        words.clocks.follow(&self.clocks);
        words.write_enable.next = moves.starts;
        words.write_address.next = self.fill.quad.val();
        words.write_data.next = came;
        words.read_enable.next = self.set_reads.val();
        words.read_address.next = place.high(self._shape.quads_log2);
        let came = words.read_data.val();
        let sets: Vec<Bits> = (0..TEMPORARIES).map(|set| came.slice(set * CHANNELS, CHANNELS)).collect();
        if self.set_leaves.val() {
            self.is_there.next = super::way::numbered(&sets, place.low(SET_BITS));
        }
        self.set_is_there.next = self.is_there.val();
        for (pixel, net) in self.sets.iter().enumerate() {
            net.next = stack(read.iter().map(|word| word.slice(pixel * SINGLE_BITS, SINGLE_BITS)));
        }
    }
}
