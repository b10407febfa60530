//! `interpolation`: from the planes of a triangle to what the pixels of a quad bring to the program, a value a clock.
//!
//! Each item is a plane and a quad. The first one of a quad is RHW: its reciprocals are kept and multiply the coordinates behind it.
//! Colours are not multiplied; they leave as registers hold them. All four pixels are worked out, seen or not, since levels of detail
//! follow differences.
//!
//! `floor(c·4096 / 255)` is `floor(floor(c·4096) / 255)`, since multiples of 255/4096 have no more than twelve fraction bits. A whole number
//! m of at most 255·4096 over 255 is `(m + 1 + ((m + 1 + (m >> 8)) >> 8)) >> 8`: true of all of them, as counting them has shown.
//!
//! Centres of pixels and reciprocals of RHW are worked out once a quad, one pixel a clock, by one unit each ([`in_turn`]): `shade` takes five clocks for
//! any quad, and four for each texture instruction of it. Values are not: `shade` takes one in a clock, and an instruction of four clocks with one lane may
//! read eight, so that values that came more seldom would hold it up.
//!
//! Contract: RHW comes first in each quad that has coordinates, and gives no result. The highest bit of a tag says of any other value that it is the last one of
//! its quad. What goes along with a value leaves with it.
//!
//! All items move together while the FIFO at the exit has room.
//!
//! Latency: the steps up to `EXIT` and two clocks, initiation interval 1, but four clocks for a quad at least. Eight multipliers of singles, of which four
//! take one DSP slice each and four two; six adders, a conversion to singles and four from them, a reciprocal.

mod in_turn;

use super::reciprocal::{self, Reciprocal};
use super::step::{ADD, MULTIPLY, Step, TO_FIXED, TO_FLOAT};
use super::triangle_setup::PlaneWord;
use super::words::{FRACTION_BITS, PIXELS, SINGLE_BITS};
use in_turn::{InTurn, Turns};
use tmu_hdl::arithmetic::{FixedToFloat, FloatAdd, FloatMultiply, FloatToFixed, Rounding};
use tmu_hdl::pipe::Registered;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{Operand, SyncFifo};
use tmu_spec::pixel::MAX_FRAME_SIDE;

/// Bits of a column or row of a quad, in quads.
pub const QUAD_BITS: usize = MAX_FRAME_SIDE.ilog2() as usize - 1;
/// Bits of the centre of a pixel, of which one is behind the point.
const CENTRE_BITS: usize = QUAD_BITS + 2;
/// Bits of the single of a centre that are 0 in all of them, below the others: it has a one in front, and no sign.
const EMPTY_BITS: usize = FRACTION_BITS + 1 - CENTRE_BITS;
/// Bits of it that are kept.
const KEPT_BITS: usize = SINGLE_BITS - 1 - EMPTY_BITS;
/// Bits of a colour with its fraction.
const COLOR_BITS: usize = 20;
/// Bits behind the point of a colour.
const COLOR_FRACTION_BITS: usize = 12;
/// The brightest colour.
const MOST_COLOR: u32 = 255 << COLOR_FRACTION_BITS;
/// Bits of a colour in a register, 0 to 4096.
pub const REGISTER_BITS: usize = 13;
/// Results that wait at the exit.
const EXIT_DEPTH: usize = 8;

/// Centres of the quad are singles.
const CENTRES: Step = Step::ENTRY.after(in_turn::clocks(TO_FLOAT));
/// E · x and F · y.
const ROWS: Step = CENTRES.after(MULTIPLY);
/// The terms of rows.
const PLACES: Step = ROWS.after(ADD);
/// The values.
const VALUES: Step = PLACES.after(ADD);
/// Colours are fixed-point numbers.
const LIMIT: Step = VALUES.after(TO_FIXED);
/// They are limited.
const DIVIDE: Step = LIMIT.after(1);
/// What is carried is there.
const COLORS: Step = DIVIDE.after(1);
/// Reciprocals are kept; coordinates are multiplied by those of their quad.
const FACTORS: Step = VALUES.after(in_turn::clocks(reciprocal::LATENCY_CLOCKS as usize));
/// The result leaves.
const EXIT: Step = FACTORS.after(MULTIPLY);

/// Which value of its quad an item is. One of both flags may be set, else it is a coordinate.
#[derive(Clone, Debug, Record)]
pub struct ValueWord<T = Bits> {
    /// RHW.
    pub is_rhw: T,
    /// A channel of a colour.
    pub is_color: T,
    /// Column of the quad, in quads.
    pub column: T,
    /// Its row.
    pub row: T,
    /// The plane and what goes along.
    pub plane: PlaneWord<T>,
}

impl ValueWord<Width> {
    /// Its shape.
    #[must_use]
    pub fn shape() -> ValueWord<Width> {
        let (bit, quad) = (Width::bits(1), Width::bits(QUAD_BITS));
        ValueWord { is_rhw: bit, is_color: bit, column: quad, row: quad, plane: PlaneWord::shape() }
    }
}

/// A value at the pixels of a quad.
#[derive(Clone, Debug, Record)]
pub struct PixelsWord<T = Bits> {
    /// What came along.
    pub tag: T,
    /// Singles, or colours in the low bits and anything above; in Z order.
    pub pixels: [T; PIXELS],
}

impl PixelsWord<Width> {
    /// Its shape.
    #[must_use]
    pub fn shape() -> PixelsWord<Width> {
        PixelsWord { tag: PlaneWord::shape().tag, pixels: [Width::bits(SINGLE_BITS); PIXELS] }
    }
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Interpolation {
    /// Clock and reset.
    pub clocks: Clocks,
    /// Planes and quads, see [`ValueWord`].
    pub input: StreamIn,
    /// What pixels bring, see [`PixelsWord`].
    pub output: StreamOut,
    /// The next value is the first one of a quad.
    is_first: Reg,
    /// A quad has begun one, two, three clocks before.
    recent: Reg,
    pipe: Pipe<Step>,
    to_float: FixedToFloat,
    centres: InTurn,
    slopes: [FloatMultiply; 4],
    rows: [FloatAdd; 2],
    values: [FloatAdd; PIXELS],
    reciprocal: Reciprocal,
    factors: InTurn,
    coordinates: [FloatMultiply; PIXELS],
    colors: [FloatToFixed; PIXELS],
    exit: SyncFifo,
}

impl Interpolation {
    /// The stage.
    #[must_use]
    pub fn new() -> Interpolation {
        let clocks = Clocks::new();
        let color = || FloatToFixed::new(Operand::unsigned(COLOR_BITS), COLOR_FRACTION_BITS, Rounding::Floor);
        let interpolation = Interpolation {
            input: StreamIn::new(ValueWord::shape().width()),
            output: StreamOut::new(PixelsWord::shape().width()),
            pipe: Pipe::with(EXIT.all()).keep_in(Keep::ShiftRegisters),
            is_first: Reg::with_reset(&clocks, 1, 1),
            recent: Reg::with_reset(&clocks, PIXELS - 1, 0),
            to_float: FixedToFloat::new(Operand::unsigned(CENTRE_BITS), 1),
            centres: InTurn::new(&clocks, CENTRE_BITS, KEPT_BITS),
            slopes: [(); 4].map(|()| FloatMultiply::by(CENTRE_BITS)),
            rows: [(); 2].map(|()| FloatAdd::new()),
            values: [(); PIXELS].map(|()| FloatAdd::new()),
            reciprocal: Reciprocal::new(),
            factors: InTurn::new(&clocks, SINGLE_BITS, SINGLE_BITS),
            coordinates: [(); PIXELS].map(|()| FloatMultiply::new()),
            colors: [(); PIXELS].map(|()| color()),
            exit: SyncFifo::new(EXIT_DEPTH, PixelsWord::shape().width()),
            clocks,
        };
        interpolation.pipe.plan(&interpolation.clocks, || interpolation.logic());
        interpolation
    }
}

impl Default for Interpolation {
    fn default() -> Interpolation {
        Interpolation::new()
    }
}

/// `m + 1 + (m >> 8)`
#[kernel]
fn carried(number: Bits) -> Bits {
    let bits = number.width() + 1;
    number.zero_extend(bits) + number.high(number.width() - 8).zero_extend(bits) + 1
}

/// `floor(m / 255)` of a number m, with [`carried`] of it: `(m + 1 + (carried >> 8)) >> 8`.
#[kernel]
fn over_255(number: Bits, carried: Bits) -> Bits {
    let bits = carried.width();
    let sum = number.zero_extend(bits) + carried.high(bits - 8).zero_extend(bits) + 1;
    discard(cat(&[carried.low(8), sum.low(8)]), "what is cut off");
    sum.high(bits - 8)
}

/// Planes to values at pixels.
#[kernel]
impl Interpolation {
    fn logic(&self) {
        let advance = self.exit.input.ready.val();
        let pipe = self.pipe.run(&self.clocks, advance);
        timing(self.pipe.latency_clocks() + self.exit.latency_clocks(), 1);
        /// # Quads
        let item = ValueWord::shape().unpack(self.input.data.val());
        let (is_first, recent) = (self.is_first.val(), self.recent.val());
        let takes = !(is_first && recent.any());
        self.input.ready.next = advance && takes;
        let comes = self.input.valid.val() && takes;
        let begins = comes && is_first;
        if advance {
            self.recent.next = cat(&[recent.low(PIXELS - 2), begins]);
            if comes {
                self.is_first.next = item.plane.tag.high(1) && !item.is_rhw;
            }
        }
        let valid = pipe.flag(Step::ENTRY, "valid", comes);
        let begins = pipe.flag(Step::ENTRY, "begins", begins);
        let is_rhw = pipe.flag(Step::ENTRY, "is_rhw", comes && item.is_rhw);
        let is_color = pipe.put(Step::ENTRY, "is_color", item.is_color);
        let column = pipe.put(Step::ENTRY, "quad_column", item.column);
        let row = pipe.put(Step::ENTRY, "quad_row", item.row);
        let plane = pipe.put(Step::ENTRY, "plane", item.plane);
        /// # Centres of pixels
        let centre = |number: usize, step: Step| {
            let quad = if number < 2 { column.at(step) } else { row.at(step) };
            cat(&[quad, lit(1, number as u32 % 2), lit(1, 1u32)])
        };
        let turns = Turns { begins: &begins, start: Step::ENTRY, value: centre };
        let to_float = |centre: Bits| {
            let single = self.to_float.connect(&self.clocks, advance, centre);
            discard(cat(&[single.high(1), single.low(EMPTY_BITS)]), "they are 0");
            single.slice(EMPTY_BITS, KEPT_BITS)
        };
        let centres = in_turn::run(&self.centres, &turns, advance, TO_FLOAT, to_float);
        let [left, right, upper, lower] =
            centres.map(|centre| cat(&[lit(1, 0u32), centre, lit(EMPTY_BITS, 0u32)]));
        /// # Values
        let PlaneWord { e, f, .. } = plane.at(CENTRES);
        let slopes = [(e, left), (e, right), (f, upper), (f, lower)];
        let slopes = pipe.through(CENTRES, "slope", &self.slopes, slopes);
        let [_, _, upper, lower] = slopes.at(ROWS);
        let g = plane.at(ROWS).g;
        let rows = pipe.through(ROWS, "row", &self.rows, [(upper, g), (lower, g)]).at(PLACES);
        let [left, right, _, _] = slopes.at(PLACES);
        let places = [(left, rows[0]), (right, rows[0]), (left, rows[1]), (right, rows[1])];
        let values = pipe.through(PLACES, "value", &self.values, places);
        let color = self.color(&pipe, values.at(VALUES));
        /// # Coordinates
        let turns = Turns {
            begins: &is_rhw,
            start: VALUES,
            value: |number: usize, step: Step| values.at(step)[number],
        };
        let reciprocal = |rhw: Bits| self.reciprocal.connect(&self.clocks, advance, rhw);
        let reciprocals =
            in_turn::run(&self.factors, &turns, advance, reciprocal::LATENCY_CLOCKS as usize, reciprocal);
        let values = values.at(FACTORS);
        let factors = [0, 1, 2, 3].map(|pixel: usize| (values[pixel], reciprocals[pixel]));
        let coordinates = pipe.through(FACTORS, "coordinate", &self.coordinates, factors).at(EXIT);
        /// # Exit
        let colors = color.at(EXIT);
        let pixels = [0, 1, 2, 3].map(|pixel: usize| {
            let single = coordinates[pixel];
            let low = if is_color.at(EXIT) { colors[pixel] } else { single.low(REGISTER_BITS) };
            cat(&[single.high(SINGLE_BITS - REGISTER_BITS), low])
        });
        let tag = plane.at(EXIT).tag;
        self.exit.clocks.follow(&self.clocks);
        self.exit.input.valid.next = valid.at(EXIT) && !is_rhw.at(EXIT);
        self.exit.input.data.next = PixelsWord::shape().pack(&PixelsWord { tag, pixels });
        discard(self.exit.level.val(), "ready says enough");
        self.output.forward(&self.exit.output);
    }

    fn color<'a>(&self, pipe: &Run<'a, Step>, values: [Bits; PIXELS]) -> Payload<'a, Step, [Bits; PIXELS]> {
        /// # Colours
        let fixed = pipe.through(VALUES, "fixed", &self.colors, values).at(LIMIT);
        let limited = fixed.map(|color| {
            let is_over = color > u64::from(MOST_COLOR);
            if is_over { lit(COLOR_BITS, MOST_COLOR) } else { color }
        });
        let limited = pipe.put(LIMIT, "limited", limited).at(DIVIDE);
        let carried = pipe.put(DIVIDE, "carried", limited.map(carried)).at(COLORS);
        let limited = pipe.put(DIVIDE, "kept", limited).at(COLORS);
        let colors = [0, 1, 2, 3].map(|pixel: usize| over_255(limited[pixel], carried[pixel]));
        pipe.put(COLORS, "color", colors)
    }
}
