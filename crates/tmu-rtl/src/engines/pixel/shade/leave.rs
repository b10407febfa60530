//! `shade_leave`: quads leave in the order in which they came, a pixel a clock.
//!
//! r0 is limited to 0 … 1 and becomes eight bits a channel, `(v·255 + 2^11) >> 12`. What went along waits here, and so do depths and fates. Ends leave
//! as quads do. A slot is used while quads of it are in the ring or in the queue in front of it.
//!
//! Contract: all items move together while the FIFO at the exit has room.
//!
//! Latency: five clocks a quad, three more and those of the FIFO. LUT RAM only.

use super::way::{FateWord, ROW_BITS, numbered, pixel_place};
use super::words::{CHANNEL_BITS, CHANNEL_FRACTION_BITS, CHANNELS, COLOR_BITS, ShadeShape, ShadedQuadWord};
use crate::engines::pixel::step::Step;
use crate::engines::pixel::words::{PIXELS, SINGLE_BITS};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{RamShape, RamSimpleDualPort, RamStyle, SyncFifo};

/// r0 is there.
const ROW: Step = Step::ENTRY.after(1);
/// It is limited.
const RAISE: Step = ROW.after(1);
/// Half of what is dropped is added to it times 256.
const SCALE: Step = RAISE.after(1);
/// It is a colour.
const EXIT: Step = SCALE.after(1);
/// Quads that wait at the exit.
const EXIT_DEPTH: usize = 4;
/// Bits of the number of a pixel.
const PIXEL_BITS: usize = 2;
/// Bits of 0 … 1 in a register.
const LIMITED_BITS: usize = CHANNEL_FRACTION_BITS + 1;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct ShadeLeave {
    /// Clock and reset.
    pub clocks: Clocks,
    /// A quad or an end has come.
    pub comes: Net<In>,
    /// The place in the ring that it gets, with the bit above it.
    pub head: Net<In>,
    /// It is an end.
    pub is_end: Net<In>,
    /// Its slot.
    pub slot: Net<In>,
    /// What goes along.
    pub along: Net<In>,
    /// A quad joins the queue in front of the ring.
    pub queued: Net<In>,
    /// Its slot.
    pub queued_slot: Net<In>,
    /// A quad ends.
    pub finishes: Net<In>,
    /// Which.
    pub finished: Net<In>,
    /// What becomes of it.
    pub fate: FateWord<Field<In>>,
    /// Whether its r0 holds a colour, and an alpha.
    pub holds: Net<In>,
    /// Depths of a quad are there.
    pub has_depths: Net<In>,
    /// Which.
    pub depth_quad: Net<In>,
    /// They.
    pub depths: Net<In>,
    /// The place in the ring of what leaves next, with the bit above it.
    pub tail: Net<Out>,
    /// The pixel whose r0 is read.
    pub place: Net<Out>,
    /// It is.
    pub reads: Net<Out>,
    /// r0 of its pixels, a clock later.
    pub left: Vec<Net<In>>,
    /// Of each slot: quads of it are on their way.
    pub slot_is_used: Net<Out>,
    /// What has become of quads, see [`ShadedQuadWord`].
    pub shaded: StreamOut,
    done: Vec<Reg>,
    leaving: Leaving,
    arrives: Passing,
    frees: Passing,
    used: Vec<Reg>,
    colors: Vec<Reg>,
    along_words: RamSimpleDualPort,
    fate_words: RamSimpleDualPort,
    depth_words: RamSimpleDualPort,
    exit: SyncFifo,
    pipe: Pipe<Step>,
    _shape: ShadeShape,
}

/// The quad that leaves.
#[derive(Bundle)]
struct Leaving {
    tail: Reg,
    valid: Reg,
    pixel: Reg,
}

/// A quad of a slot has come, or left.
#[derive(Bundle)]
struct Passing {
    valid: Reg,
    slot: Reg,
}

/// What waits of a quad from the beginning on.
#[derive(Clone, Debug, Record)]
struct AlongWord<T = Bits> {
    is_end: T,
    slot: T,
    along: T,
}

/// What waits of it at the end.
#[derive(Clone, Debug, Record)]
struct EndWord<T = Bits> {
    fate: FateWord<T>,
    holds: T,
}

fn along_word(shape: &ShadeShape) -> AlongWord<Width> {
    AlongWord {
        is_end: Width::bits(1),
        slot: Width::bits(shape.slots_log2),
        along: Width::bits(shape.along_bits),
    }
}

fn end_word() -> EndWord<Width> {
    EndWord { fate: FateWord::shape(), holds: Width::bits(2) }
}

impl ShadeLeave {
    /// The part for a shape.
    #[must_use]
    pub fn new(shape: &ShadeShape) -> ShadeLeave {
        let clocks = Clocks::new();
        let low = |width: usize| Reg::with_reset(&clocks, width, 0);
        let ram = |width: usize| {
            RamSimpleDualPort::new(RamShape::new(shape.quads(), width).style(RamStyle::Distributed))
        };
        let quad = shape.quads_log2;
        let leave = ShadeLeave {
            comes: Net::bit(),
            head: Net::new(quad + 1),
            is_end: Net::bit(),
            slot: Net::new(shape.slots_log2),
            along: Net::new(shape.along_bits),
            queued: Net::bit(),
            queued_slot: Net::new(shape.slots_log2),
            finishes: Net::bit(),
            finished: Net::new(quad),
            fate: FateWord::shape().nets(),
            holds: Net::new(2),
            has_depths: Net::bit(),
            depth_quad: Net::new(quad),
            depths: Net::new(PIXELS * SINGLE_BITS),
            tail: Net::new(quad + 1),
            place: Net::new(quad + shape.turn_bits()),
            reads: Net::bit(),
            left: Net::array(shape.lanes, ROW_BITS),
            slot_is_used: Net::new(shape.slots()),
            shaded: StreamOut::new(ShadedQuadWord::of(shape).width()),
            done: (0..shape.quads()).map(|_| low(1)).collect(),
            leaving: Leaving { tail: low(quad + 1), valid: low(1), pixel: low(PIXEL_BITS) },
            arrives: Passing { valid: low(1), slot: Reg::new(&clocks, shape.slots_log2) },
            frees: Passing { valid: low(1), slot: Reg::new(&clocks, shape.slots_log2) },
            used: (0..shape.slots()).map(|_| low(quad + 2)).collect(),
            colors: Reg::array(PIXELS - 1, &clocks, CHANNELS * COLOR_BITS),
            along_words: ram(along_word(shape).width()),
            fate_words: ram(end_word().width()),
            depth_words: ram(PIXELS * SINGLE_BITS),
            exit: SyncFifo::new(EXIT_DEPTH, ShadedQuadWord::of(shape).width()),
            pipe: Pipe::with(EXIT.all()),
            clocks,
            _shape: *shape,
        };
        leave.pipe.plan(&leave.clocks, || leave.logic());
        leave
    }
}

/// A channel limited to 0 … 1.
#[kernel]
fn limited(channel: Bits) -> Bits {
    let is_negative = channel.high(1);
    let is_one = channel.slice(CHANNEL_FRACTION_BITS, CHANNEL_BITS - 1 - CHANNEL_FRACTION_BITS).any();
    let one = lit(LIMITED_BITS, 1u32 << CHANNEL_FRACTION_BITS);
    let above = if is_one { one } else { channel.low(LIMITED_BITS) };
    above & (!is_negative).repeat(LIMITED_BITS)
}

/// `v·256 + 2^11`, without the eight bits that are 0.
#[kernel]
fn raised(limited: Bits) -> Bits {
    limited + (1u64 << (CHANNEL_FRACTION_BITS - 1 - COLOR_BITS))
}

/// `(v·255 + 2^11) >> 12`, of v and of what is raised.
#[kernel]
fn scaled(limited: Bits, raised: Bits) -> Bits {
    let many = cat(&[raised, lit(COLOR_BITS, 0u32)]);
    let product = many - limited.zero_extend(LIMITED_BITS + COLOR_BITS);
    discard(product.low(CHANNEL_FRACTION_BITS), "it is rounded");
    discard(product.high(1), "1.0 is 255");
    product.slice(CHANNEL_FRACTION_BITS, COLOR_BITS)
}

/// Quads to what has become of them.
#[kernel]
impl ShadeLeave {
    fn module_name(&self) -> String {
        "shade_leave".into()
    }

    fn logic(&self) {
        let advance = self.exit.input.ready.val();
        let pipe = self.pipe.run(&self.clocks, advance);
        self.follow(advance);
        /// # Quads that leave
        let leaving = &self.leaving;
        let quad = leaving.tail.val().low(self._shape.quads_log2);
        let valid = pipe.flag(Step::ENTRY, "valid", leaving.valid.val());
        let pixel = pipe.put(Step::ENTRY, "pixel", leaving.pixel.val());
        let turn = if self._shape.turns() > 1 { Some(leaving.pixel.val()) } else { None };
        self.place.next = pixel_place(quad, turn);
        self.reads.next = advance;
        let along = along_word(&self._shape).unpack(self.keep(advance, quad));
        let end = end_word().unpack(self.fate_words.read_data.val());
        let depths = self.depth_words.read_data.val();
        /// # Colours
        let rows: Vec<Bits> = self.left.iter().map(Net::val).collect();
        let row = numbered(&rows, pixel.at(ROW));
        let channels = [0, 1, 2, 3].map(|channel: usize| {
            let holds = if channel + 1 == CHANNELS { end.holds.bit(1) } else { end.holds.bit(0) };
            limited(row.slice(channel * CHANNEL_BITS, CHANNEL_BITS)) & holds.repeat(LIMITED_BITS)
        });
        let channels = pipe.put(ROW, "limited", channels);
        let more = pipe.put(RAISE, "raised", channels.at(RAISE).map(raised)).at(SCALE);
        let own = channels.at(SCALE);
        let color = stack((0..CHANNELS).map(|channel| scaled(own[channel], more[channel])));
        let color = pipe.put(SCALE, "color", color).at(EXIT);
        if advance {
            for (number, kept) in self.colors.iter().enumerate() {
                kept.next = self.colors.get(number + 1).map_or(color, Reg::val);
            }
        }
        /// # Exit
        let is_last = valid.at(ROW) && pixel.at(ROW).all();
        self.frees.valid.next = advance && is_last && !along.is_end;
        self.frees.slot.next = along.slot;
        self.count();
        let is_last = pipe.flag(ROW, "is_last", is_last);
        let fate = end.fate;
        let depths = depths & fate.has_depth.repeat(PIXELS * SINGLE_BITS);
        let fate = pipe.put(ROW, "fate", fate).at(EXIT);
        let depths = pipe.put(ROW, "depths", depths).at(EXIT);
        let along = pipe.put(ROW, "along", along).at(EXIT);
        self.exit.clocks.follow(&self.clocks);
        self.exit.input.valid.next = is_last.at(EXIT);
        let colors = [0, 1, 2, 3].map(|pixel: usize| self.colors.get(pixel).map_or(color, Reg::val));
        self.exit.input.data.next = ShadedQuadWord::of(&self._shape).pack(&ShadedQuadWord {
            is_end: along.is_end,
            along: along.along,
            error: fate.error,
            killed: fate.killed,
            has_depth: fate.has_depth,
            colors,
            depths: [0, 1, 2, 3].map(|pixel: usize| depths.slice(pixel * SINGLE_BITS, SINGLE_BITS)),
        });
        discard(self.exit.level.val(), "ready says enough");
        self.shaded.forward(&self.exit.output);
    }

    /// Which quads are done, and which one leaves.
    fn follow(&self, advance: Bits) {
        /// # Order
        let leaving = &self.leaving;
        let ring = self._shape.quads_log2;
        let (head, tail) = (self.head.val(), leaving.tail.val());
        self.tail.next = tail;
        for (quad, done) in self.done.iter().enumerate() {
            let comes = self.comes.val() && head.low(ring) == quad as u64;
            let finishes = self.finishes.val() && self.finished.val() == quad as u64;
            done.next = if comes { self.is_end.val() } else { done.val() || finishes };
        }
        let done: Vec<Bits> = self.done.iter().map(Reg::val).collect();
        let starts = numbered(&done, tail.low(ring)) && head != tail && !leaving.valid.val();
        let ends = advance && leaving.valid.val() && leaving.pixel.val().all();
        leaving.valid.next = starts || (leaving.valid.val() && !ends);
        if advance && leaving.valid.val() {
            leaving.pixel.next = leaving.pixel.val() + 1;
        }
        if ends {
            leaving.tail.next = tail + 1;
        }
    }

    /// What waits; gives what went along.
    fn keep(&self, advance: Bits, quad: Bits) -> Bits {
        /// # What waits
        for words in [&self.along_words, &self.fate_words, &self.depth_words] {
            words.clocks.follow(&self.clocks);
            words.read_enable.next = advance;
            words.read_address.next = quad;
        }
        let along = &self.along_words;
        along.write_enable.next = self.comes.val();
        along.write_address.next = self.head.val().low(self._shape.quads_log2);
        along.write_data.next = along_word(&self._shape).pack(&AlongWord {
            is_end: self.is_end.val(),
            slot: self.slot.val(),
            along: self.along.val(),
        });
        self.fate_words.write_enable.next = self.finishes.val();
        self.fate_words.write_address.next = self.finished.val();
        let end = EndWord { fate: self.fate.val(), holds: self.holds.val() };
        self.fate_words.write_data.next = end_word().pack(&end);
        self.depth_words.write_enable.next = self.has_depths.val();
        self.depth_words.write_address.next = self.depth_quad.val();
        self.depth_words.write_data.next = self.depths.val();
        along.read_data.val()
    }

    fn count(&self) {
        /// # Slots
        let (arrives, frees) = (&self.arrives, &self.frees);
        arrives.valid.next = self.queued.val();
        arrives.slot.next = self.queued_slot.val();
        let is_of = |passing: &Passing, slot: usize| passing.valid.val() && passing.slot.val() == slot as u64;
        let used = self.used.iter().enumerate();
        self.slot_is_used.next = stack(used.map(|(slot, used)| used.val().any() || is_of(arrives, slot)));
        for (slot, used) in self.used.iter().enumerate() {
            let (more, less) = (is_of(arrives, slot), is_of(frees, slot));
            let count = used.val();
            let (up, down) = (count + 1, count - 1);
            if more && !less {
                used.next = up;
            } else if less && !more {
                used.next = down;
            }
        }
    }
}
