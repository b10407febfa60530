//! `places` of indirect look-ups: from integer places of a quad to texels of level 0, by the address modes.
//!
//! A place is an integer of 32 bits with sign. With y for a place that is not negative, and its complement for one that is, all modes
//! look at y and the sign, and at the quotient and the rest of y by the side. A step of a division makes both: within two sides the
//! only one, of y without its lowest bit and that bit; beyond 31 of them, which all places of the quad make at once. What wraps in front
//! of the texture, and what is mirrored with an odd quotient, is the last texel less the rest.
//!
//! Contract: quads leave in the order in which they came, with what came along. Of a quad that is looked up texels are their numbers, and one outside, which
//! only the border has, has the sign of an integer of 32 bits, whatever else; places of any other one leave as they came. Pixels that do not count
//! may have any places and texels. Where the texture has one row, rows mean nothing.
//!
//! Quads leave through a FIFO, and come in while it has room for all that are on their way: `input.ready` depends on no input, and
//! what can be taken behind does not reach in front.
//!
//! Cost: latency 5 clocks, initiation interval 1; a quad with a place beyond two sides that repeats takes 32 clocks more. No multipliers.
//! 834 LUTs, and in a unit of the preset `indirect` 192 as memory of the FIFO, as Yosys 0.70 estimates them for UltraScale+.

use crate::datapath::bundles::is_mode;
use crate::datapath::general::axis::{MODE_BITS, TEXEL_BITS};
use crate::datapath::general::words::{NUMBER_BITS, PIXELS, PLACE_BITS};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::SyncFifo;
use tmu_spec::Config;
use tmu_spec::texture::AddressMode;

/// Axes of a place.
const AXES: usize = 2;
/// Bits of a place without its sign.
const MAGNITUDE_BITS: usize = NUMBER_BITS - 1;
/// Bits of what is within two sides: a rest and one bit of y.
const NEAR_BITS: usize = TEXEL_BITS + 1;
/// Bits of the number of a step of a division.
const STEP_BITS: usize = 5;
/// Bits of a place above a texel's number.
const ABOVE_BITS: usize = PLACE_BITS - TEXEL_BITS;

/// Where a quad is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
pub enum Stage {
    /// It comes in; places get their complements.
    Entry,
    /// It is found which places lie beyond two sides.
    Compare,
    /// Places get their rests. Long divisions are waited for.
    Reduce,
    /// They are turned round, and it goes into the FIFO.
    Turn,
}

/// What is looked up along an axis.
#[derive(Clone, Debug, Record)]
pub struct Extent<T = Bits> {
    /// Number of the last texel.
    pub last: T,
    /// The address mode.
    pub mode: T,
}

impl Extent<Width> {
    /// Its shape.
    pub fn shape() -> Extent<Width> {
        Extent { last: Width::bits(TEXEL_BITS), mode: Width::bits(MODE_BITS) }
    }
}

/// A quad of places.
#[derive(Clone, Debug, Record)]
pub struct QuadPlaces<T = Bits> {
    /// It is looked up. Otherwise it only goes along.
    pub is_pass: T,
    /// Pixels that count.
    pub valid: T,
    /// The places, x and y: of what is looked up integers in the low bits.
    pub places: [[T; AXES]; PIXELS],
    /// What they are looked up in.
    pub extents: [Extent<T>; AXES],
    /// The texture has one row.
    pub is_row: T,
    /// What comes along.
    pub along: T,
}

impl QuadPlaces<Width> {
    /// The shape with so many bits that come along.
    pub fn of(along_bits: usize) -> QuadPlaces<Width> {
        QuadPlaces {
            is_pass: Width::bits(1),
            valid: Width::bits(PIXELS),
            places: [[Width::bits(PLACE_BITS); AXES]; PIXELS],
            extents: [Extent::shape(), Extent::shape()],
            is_row: Width::bits(1),
            along: Width::bits(along_bits),
        }
    }
}

/// A quad of texels.
#[derive(Clone, Debug, Record)]
pub struct QuadTexels<T = Bits> {
    /// The texels, column and row, or places that only went along.
    pub texels: [[T; AXES]; PIXELS],
    /// What came along.
    pub along: T,
}

impl QuadTexels<Width> {
    /// The shape with so many bits that come along.
    pub fn of(along_bits: usize) -> QuadTexels<Width> {
        QuadTexels { texels: [[Width::bits(PLACE_BITS); AXES]; PIXELS], along: Width::bits(along_bits) }
    }
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Places {
    /// Clock and reset.
    pub clocks: Clocks,
    /// [`QuadPlaces`].
    pub input: StreamIn,
    /// [`QuadTexels`].
    pub output: StreamOut,
    /// Of each place, x and y of one pixel beside each other, the rest so far and the next bit of y.
    rests: Vec<Reg>,
    digits: Vec<Reg>,
    /// Whether there is a long division, the bit of y that is looked for, of each byte that bit, of the bit before which byte has it, and how many clocks
    /// pass until the first one is there.
    step: Reg,
    bytes: Vec<Reg>,
    byte: Reg,
    begins: Reg,
    is_dividing: Reg,
    /// Quads that leave, and whether one more may come in.
    leaving: SyncFifo,
    has_room: Reg,
    advance: Net<Local>,
    pipe: Pipe<Stage>,
    _along_bits: usize,
    _config: Config,
}

impl Places {
    /// The stage for a configuration, with so many bits that come along.
    pub fn new(config: &Config, along_bits: usize) -> Places {
        let clocks = Clocks::new();
        let places = Places {
            input: StreamIn::new(QuadPlaces::of(along_bits).width()),
            output: StreamOut::new(QuadTexels::of(along_bits).width()),
            rests: Reg::array(AXES * PIXELS, &clocks, TEXEL_BITS),
            digits: Reg::array(AXES * PIXELS, &clocks, 1),
            step: Reg::with_reset(&clocks, STEP_BITS, FIRST_STEP.into()),
            bytes: Reg::array(AXES * PIXELS, &clocks, BYTES),
            byte: Reg::new(&clocks, BYTES.ilog2() as usize),
            begins: Reg::with_reset(&clocks, BEGIN_CLOCKS, 0),
            is_dividing: Reg::with_reset(&clocks, 1, 0),
            leaving: SyncFifo::new(LEAVING, QuadTexels::of(along_bits).width()),
            has_room: Reg::with_reset(&clocks, 1, 0),
            advance: Net::bit(),
            pipe: Pipe::new(),
            clocks,
            _along_bits: along_bits,
            _config: config.clone(),
        };
        places.pipe.plan(&places.clocks, || places.logic());
        places
    }
}

/// Quads that the FIFO holds.
const LEAVING: usize = 16;
/// No more of them come in while it holds more than these: the stages hold others, and it is known two clocks later.
const MOST_LEAVING: u64 = (LEAVING - Stage::ALL.len() - 2) as u64;
/// The highest bit of y, with which a division begins.
const FIRST_STEP: u64 = MAGNITUDE_BITS as u64 - 1;
/// Bytes of a place.
const BYTES: usize = NUMBER_BITS / BYTE_BITS;
/// Bits of a byte.
const BYTE_BITS: usize = 8;
/// Clocks until a division has its first bit.
const BEGIN_CLOCKS: usize = 2;

/// What an axis is: its last texel, and what the mode makes of places.
#[derive(Clone, Debug, Record)]
struct Manner<T = Bits> {
    last: T,
    wraps: T,
    mirrors: T,
    clamps: T,
    has_border: T,
    /// Nothing repeats.
    limits: T,
}

/// A place on its way.
struct Lane {
    /// The low bits of y, at [`Stage::Compare`].
    near: Bits,
    /// It as it came, at [`Stage::Reduce`].
    place: Bits,
    /// y is at least two sides.
    is_far: Bits,
    /// It has to be divided in several steps, at [`Stage::Compare`].
    divides: Bits,
}

/// What a step of a division makes.
struct Stepped {
    rest: Bits,
    /// The next bit of the quotient is 0.
    is_below: Bits,
}

/// A place that has its rest.
#[derive(Clone, Debug, Record)]
struct Reduced<T = Bits> {
    /// The rest, or the low bits of what only goes along.
    number: T,
    /// What only goes along has these above.
    above: T,
    is_outside: T,
    /// The texel at an edge, whatever the number.
    is_edge: T,
    /// It is the last texel less the number.
    turns: T,
    last: T,
}

/// Names of the axes of the pixels.
const NAMES: [[&str; AXES]; PIXELS] = [["x_0", "y_0"], ["x_1", "y_1"], ["x_2", "y_2"], ["x_3", "y_3"]];

/// Integer places to texels.
#[kernel]
impl Places {
    fn module_name(&self) -> String {
        "indirect_places".into()
    }

    fn logic(&self) {
        let pipe = self.pipe.run(&self.clocks, self.advance.val());
        timing((Stage::ALL.len() - 1) as u32 + self.leaving.latency_clocks(), 1);
        let quad = QuadPlaces::of(self._along_bits).unpack(self.input.data.val());
        let is_quad = pipe.flag(Stage::Entry, "is_quad", self.input.valid.val() && self.has_room.val());
        let is_pass = pipe.put(Stage::Entry, "is_pass", quad.is_pass);
        let along = pipe.put(Stage::Entry, "along", quad.along).at(Stage::Turn);
        let [columns, rows] = quad.extents.clone();
        let own = [
            self.manner(&columns, quad.is_pass, lit(1, 0u32)),
            self.manner(&rows, quad.is_pass, quad.is_row),
        ];
        let [columns, rows] = own.clone();
        let manners = [pipe.put(Stage::Entry, "columns", columns), pipe.put(Stage::Entry, "rows", rows)];
        let lane = |at: usize| {
            let (pixel, axis) = (at / AXES, at % AXES);
            /// What does not count is not divided.
            let counts = (own[axis].wraps || own[axis].mirrors) && quad.valid.bit(pixel);
            self.lane(&pipe, &manners[axis], [quad.places[pixel][axis], counts], at)
        };
        let lanes: Vec<Lane> = (0..AXES * PIXELS).map(lane).collect();
        let divides = stack(lanes.iter().map(|lane| lane.divides)).any() && is_quad.at(Stage::Compare);
        self.count(divides);
        let is_dividing = self.is_dividing.val();
        self.advance.next = !is_dividing;
        self.input.ready.next = self.has_room.val() && !is_dividing;
        let is_pass = is_pass.at(Stage::Reduce);
        let texel = |pixel: usize, axis: usize| {
            let at = AXES * pixel + axis;
            let reduced = self.reduce(&pipe, &manners[axis], &lanes[at], [is_pass, is_dividing], at);
            turned(reduced)
        };
        let pixel = |pixel: usize| [texel(pixel, 0), texel(pixel, 1)];
        let texels = [pixel(0), pixel(1), pixel(2), pixel(3)];
        self.leave(is_quad.at(Stage::Turn) && !is_dividing, QuadTexels { texels, along });
    }

    fn leave(&self, leaves: Bits, quad: QuadTexels) {
        /// # Quads that leave
        let leaving = &self.leaving;
        leaving.clocks.follow(&self.clocks);
        leaving.input.valid.next = leaves;
        leaving.input.data.next = QuadTexels::of(self._along_bits).pack(&quad);
        discard(leaving.input.ready.val(), "it has room for all that came in");
        self.has_room.next = leaving.level.val() <= MOST_LEAVING;
        self.output.forward(&leaving.output);
    }

    fn manner(&self, extent: &Extent, is_pass: Bits, has_one: Bits) -> Manner {
        /// # Modes
        let is = |mode: AddressMode| is_mode(&self._config, extent.mode, mode);
        let counts = is_pass && !has_one;
        let (wraps, mirrors) = (is(AddressMode::Wrap), is(AddressMode::Mirror));
        Manner {
            last: extent.last,
            wraps: wraps && counts,
            mirrors: mirrors && counts,
            clamps: is(AddressMode::Clamp) && counts,
            has_border: is(AddressMode::Border) && counts,
            limits: counts && !wraps && !mirrors,
        }
    }

    /// A place on its way.
    fn lane(
        &self,
        pipe: &Run<'_, Stage>,
        manner: &Payload<'_, Stage, Manner>,
        [place, counts]: [Bits; 2],
        at: usize,
    ) -> Lane {
        /// # Places
        let name = |part: &str| format!("{part}_{}", NAMES[at / AXES][at % AXES]);
        let is_negative = place.bit(MAGNITUDE_BITS);
        let y = place.low(MAGNITUDE_BITS) ^ is_negative.repeat(MAGNITUDE_BITS);
        let near = pipe.put(Stage::Entry, &name("near"), y.low(NEAR_BITS)).at(Stage::Compare);
        let is_beyond = y.high(MAGNITUDE_BITS - NEAR_BITS).any();
        let is_beyond = pipe.put(Stage::Entry, &name("is_beyond"), is_beyond).at(Stage::Compare);
        let place = pipe.put(Stage::Entry, &name("place"), place);
        let counts = pipe.put(Stage::Entry, &name("counts"), counts).at(Stage::Compare);
        let Manner { last, .. } = manner.at(Stage::Compare);
        // The carry chain takes this bit too.
        let is_far = cat(&[is_beyond, near.high(TEXEL_BITS)]) > last.zero_extend(TEXEL_BITS + 1);
        Lane {
            near,
            place: place.at(Stage::Reduce),
            is_far: pipe.put(Stage::Compare, &name("is_far"), is_far).at(Stage::Reduce),
            divides: is_far && counts,
        }
    }

    /// Counts the bits of y. `divides`: what comes to be reduced has to be divided.
    fn count(&self, divides: Bits) {
        /// # Long divisions
        let (step, begins) = (self.step.val(), self.begins.val());
        if self.advance.val() {
            self.step.next = FIRST_STEP;
            self.begins.next = !lit(BEGIN_CLOCKS, 0u32);
            self.is_dividing.next = divides;
        } else if self.is_dividing.val() {
            self.step.next = step - 1;
            self.begins.next = begins.high(1).zero_extend(BEGIN_CLOCKS);
            // A clock behind the one that looks for the last bit.
            self.is_dividing.next = !step.all();
        }
        self.byte.next = step.high(STEP_BITS - BYTE_BITS.ilog2() as usize);
    }

    /// A step of a division: the rest so far and the next bit of y, less the side where they are not below it.
    fn stepped(&self, last: Bits, at: usize) -> Stepped {
        let next = cat(&[self.rests[at].val(), self.digits[at].val()]);
        let wide = NEAR_BITS + 1;
        // What is added is all but the last texel, and so takes one more away.
        let less = next.zero_extend(wide) + !last.zero_extend(wide);
        let is_below = less.high(1);
        discard(less.slice(TEXEL_BITS, NEAR_BITS - TEXEL_BITS), "a rest is below the side");
        let rest = if is_below { next.low(TEXEL_BITS) } else { less.low(TEXEL_BITS) };
        Stepped { rest, is_below }
    }

    /// A place with its rest, at [`Stage::Turn`].
    fn reduce(
        &self,
        pipe: &Run<'_, Stage>,
        manner: &Payload<'_, Stage, Manner>,
        lane: &Lane,
        [is_pass, is_dividing]: [Bits; 2],
        at: usize,
    ) -> Reduced {
        /// # Rests
        let Manner { last, wraps, mirrors, clamps, has_border, limits } = manner.at(Stage::Reduce);
        let Stepped { rest, is_below } = self.stepped(last, at);
        let is_negative = lane.place.bit(MAGNITUDE_BITS);
        let (own, digit, step) = (&self.rests[at], &self.digits[at], self.step.val());
        let place = lane.place.low(NUMBER_BITS);
        let bit = step.low(BYTE_BITS.ilog2() as usize);
        let in_byte = |byte: usize| place.slice(byte * BYTE_BITS, BYTE_BITS).at(bit);
        self.bytes[at].next = stack((0..BYTES).map(in_byte));
        if self.advance.val() {
            own.next = lane.near.high(TEXEL_BITS);
            digit.next = lane.near.bit(0);
        } else if is_dividing && !limits {
            own.next = if self.begins.val().bit(0) { lit(TEXEL_BITS, 0u32) } else { rest };
            digit.next = self.bytes[at].val().at(self.byte.val()) ^ is_negative;
        }
        let is_past = lane.is_far || !is_below;
        let is_before = clamps && is_negative;
        let turns = (wraps && is_negative) || (mirrors && !is_below) || (limits && is_past && !is_before);
        let number = if is_pass { rest } else { lane.place.low(TEXEL_BITS) };
        let above = if is_pass { lit(ABOVE_BITS, 0u32) } else { lane.place.high(ABOVE_BITS) };
        let reduced = Reduced {
            number,
            above,
            is_outside: has_border && (is_negative || is_past),
            is_edge: limits && (is_past || is_before),
            turns,
            last,
        };
        pipe.put(Stage::Reduce, &format!("reduced_{}", NAMES[at / AXES][at % AXES]), reduced).at(Stage::Turn)
    }
}

/// The texel, at [`Stage::Turn`].
#[kernel]
fn turned(reduced: Reduced) -> Bits {
    /// # Texels
    let Reduced { number, above, is_outside, is_edge, turns, last } = reduced;
    let number = number & (!is_edge).repeat(TEXEL_BITS);
    let last = last & turns.repeat(TEXEL_BITS);
    // The last texel less the number, or the number: one below the lowest bit makes a complement of all bits the negative number.
    let sum = cat(&[last, turns]) + cat(&[number ^ turns.repeat(TEXEL_BITS), turns]);
    discard(sum.bit(0), "it carries one into the others");
    let sign = MAGNITUDE_BITS - TEXEL_BITS;
    let is_negative = above.bit(sign) || is_outside;
    let over = above.high(ABOVE_BITS - sign - 1);
    cat(&[over, is_negative, above.low(sign), sum.high(TEXEL_BITS)])
}
