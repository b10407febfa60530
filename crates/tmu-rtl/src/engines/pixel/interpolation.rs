//! `interpolation`: from the planes of a triangle to what the pixels of a quad bring to the program, a value a clock.
//!
//! Each item is a plane and a quad. The first one of a quad is RHW: its reciprocals are kept and multiply the coordinates behind it.
//! Colours are not multiplied; they leave as registers hold them. All four pixels are worked out, seen or not, since levels of detail
//! follow differences.
//!
//! `floor(c·4096 / 255)` is `floor(floor(c·4096) / 255)`, since multiples of 255/4096 have no more than twelve fraction bits. A whole number
//! m of at most 255·4096 over 255 is `(m + 1 + ((m + 1 + (m >> 8)) >> 8)) >> 8`: true of all of them, as counting them has shown.
//!
//! Contract: RHW comes first in each quad and gives no result; what goes along with the others leaves with them.
//!
//! All items move together while the FIFO at the exit has room.
//!
//! Latency: the steps up to `EXIT` and two clocks, initiation interval 1. Eight multipliers and six adders of singles, four reciprocals.

use super::reciprocal::{self, Reciprocal};
use super::step::{ADD, MULTIPLY, Step, TO_FIXED, TO_FLOAT};
use super::triangle_setup::PlaneWord;
use super::words::{PIXELS, SINGLE_BITS};
use tmu_hdl::arithmetic::{FixedToFloat, FloatAdd, FloatMultiply, FloatToFixed, Rounding};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{Operand, SyncFifo};
use tmu_spec::pixel::MAX_FRAME_SIDE;

/// Bits of a column or row of a quad, in quads.
pub const QUAD_BITS: usize = MAX_FRAME_SIDE.ilog2() as usize - 1;
/// Bits of the centre of a pixel, of which one is behind the point.
const CENTRE_BITS: usize = QUAD_BITS + 2;
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

/// Centres are singles.
const CENTRES: Step = Step::ENTRY.after(TO_FLOAT);
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
const FACTORS: Step = VALUES.after(reciprocal::LATENCY_CLOCKS as usize);
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
    /// Singles, or colours in the low bits; in Z order.
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
    pipe: Pipe<Step>,
    centres: [FixedToFloat; 4],
    slopes: [FloatMultiply; 4],
    rows: [FloatAdd; 2],
    values: [FloatAdd; PIXELS],
    reciprocals: [Reciprocal; PIXELS],
    factors: Vec<Reg>,
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
            centres: [(); 4].map(|()| FixedToFloat::new(Operand::unsigned(CENTRE_BITS), 1)),
            slopes: [(); 4].map(|()| FloatMultiply::new()),
            rows: [(); 2].map(|()| FloatAdd::new()),
            values: [(); PIXELS].map(|()| FloatAdd::new()),
            reciprocals: [(); PIXELS].map(|()| Reciprocal::new()),
            factors: Reg::array(PIXELS, &clocks, SINGLE_BITS),
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
        self.input.ready.next = advance;
        let item = ValueWord::shape().unpack(self.input.data.val());
        let valid = pipe.flag(Step::ENTRY, "valid", self.input.valid.val());
        let is_rhw = pipe.put(Step::ENTRY, "is_rhw", item.is_rhw);
        let is_color = pipe.put(Step::ENTRY, "is_color", item.is_color);
        let plane = pipe.put(Step::ENTRY, "plane", item.plane);
        /// # Centres of pixels
        let centres = |quad: Bits| [0, 1].map(|odd: u32| cat(&[quad, lit(1, odd), lit(1, 1u32)]));
        let ([left, right], [upper, lower]) = (centres(item.column), centres(item.row));
        let centres = [left, right, upper, lower];
        let [left, right, upper, lower] =
            pipe.through(Step::ENTRY, "centre", &self.centres, centres).at(CENTRES);
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
        let reciprocals = pipe.through(VALUES, "reciprocal", &self.reciprocals, values.at(VALUES));
        let reciprocals = reciprocals.at(FACTORS);
        if advance && valid.at(FACTORS) && is_rhw.at(FACTORS) {
            for (factor, reciprocal) in self.factors.iter().zip(reciprocals) {
                factor.next = reciprocal;
            }
        }
        let values = values.at(FACTORS);
        let factors = [0, 1, 2, 3].map(|pixel: usize| (values[pixel], self.factors[pixel].val()));
        let coordinates = pipe.through(FACTORS, "coordinate", &self.coordinates, factors).at(EXIT);
        /// # Exit
        let colors = color.at(EXIT);
        let pixels = [0, 1, 2, 3].map(|pixel: usize| {
            let color = colors[pixel].zero_extend(SINGLE_BITS);
            if is_color.at(EXIT) { color } else { coordinates[pixel] }
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
