//! `interpolation`: from the planes of a triangle to what the pixels of a quad bring to the program, a value a clock.
//!
//! Each item is a plane and a quad. The first one of a quad is RHW: its reciprocals are kept and multiply the coordinates behind it.
//! Colours are not multiplied; they leave as registers hold them. All four pixels are worked out, seen or not, since levels of detail
//! follow differences.
//!
//! `floor(c·4096 / 255)` is `floor(floor(c·4096) / 255)`, since multiples of 255/4096 have no more than twelve fraction bits. A whole number
//! m of at most 255·4096 over 255 is `(m + 1 + ((m + 1 + (m >> 8)) >> 8)) >> 8`: true of all of them, as counting them has shown.
//!
//! Reciprocals of RHW are worked out once a quad, a pixel a clock, by one unit (`reciprocals`): `shade` takes five clocks for any quad, and four for each
//! texture instruction of it. Values are not: `shade` takes one in a clock, and an instruction of four clocks with one lane may read eight, so that values that
//! came more seldom would hold it up.
//!
//! Contract: RHW comes first in each quad that has coordinates, and gives no result. The highest bit of a tag says of any other value that it is the last one of
//! its quad. What goes along with a value leaves with it.
//!
//! All items move together while the FIFO at the exit has room.
//!
//! Latency: the steps up to `EXIT` and two clocks, initiation interval 1, but four clocks for a quad with RHW at least. Eight multipliers of singles, of which
//! four take one DSP slice each and four two; six adders, four conversions to fixed point, a reciprocal.

mod centre;
mod reciprocals;

use super::step::{ADD, MULTIPLY, Step, TO_FIXED};
use super::triangle_setup::PlaneWord;
use super::words::{PIXELS, SINGLE_BITS};
use centre::{CENTRE_BITS, Centre};
use reciprocals::Reciprocals;
use tmu_hdl::arithmetic::{FloatAdd, FloatMultiply, FloatToFixed, Rounding};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{Operand, SyncFifo};
use tmu_spec::pixel::MAX_FRAME_SIDE;

/// Bits of a column or row of a quad, in quads.
pub const QUAD_BITS: usize = MAX_FRAME_SIDE.ilog2() as usize - 1;
/// Bits of a colour with its fraction.
const COLOR_BITS: usize = 20;
/// Bits behind the point of a colour.
const COLOR_FRACTION_BITS: usize = 12;
/// Bits of a colour in a register, 0 to 4096.
pub const REGISTER_BITS: usize = 13;
/// Results that wait at the exit.
const EXIT_DEPTH: usize = 8;

/// Centres are singles.
const CENTRES: Step = Step::ENTRY.after(centre::LATENCY_CLOCKS as usize);
/// E · x and F · y.
const ROWS: Step = CENTRES.after(MULTIPLY);
/// The terms of rows.
const PLACES: Step = ROWS.after(ADD);
/// The values.
const VALUES: Step = PLACES.after(ADD);
/// Reciprocals are kept; coordinates are multiplied by those of their quad.
const FACTORS: Step = VALUES.after(reciprocals::CLOCKS);
/// The result leaves.
const EXIT: Step = FACTORS.after(MULTIPLY);
/// Clocks from the single of a colour to what leaves.
const COLOR_CLOCKS: usize = TO_FIXED + 3;
/// Colours become fixed-point numbers: so late that they wait as coordinates do, and not behind it.
const FIXED: Step = VALUES.after(EXIT.clocks() - VALUES.clocks() - COLOR_CLOCKS);
/// They are limited.
const LIMIT: Step = FIXED.after(TO_FIXED);
/// They are divided by 255.
const DIVIDE: Step = LIMIT.after(1);
/// What is carried is there.
const COLORS: Step = DIVIDE.after(1);

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
    /// RHW has come one, two, three clocks before.
    recent: Reg,
    pipe: Pipe<Step>,
    centres: [Centre; 4],
    slopes: [FloatMultiply; 4],
    rows: [FloatAdd; 2],
    values: [FloatAdd; PIXELS],
    reciprocals: Reciprocals,
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
            centres: [(); 4].map(|()| Centre::new()),
            slopes: [(); 4].map(|()| FloatMultiply::by(CENTRE_BITS)),
            rows: [(); 2].map(|()| FloatAdd::new()),
            values: [(); PIXELS].map(|()| FloatAdd::new()),
            reciprocals: Reciprocals::new(&clocks),
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
    sum_and_one(number.zero_extend(bits), number.high(number.width() - 8).zero_extend(bits))
}

/// `floor(m / 255)` of a number m, with [`carried`] of it: `(m + 1 + (carried >> 8)) >> 8`.
#[kernel]
fn over_255(number: Bits, carried: Bits) -> Bits {
    let bits = carried.width();
    let sum = sum_and_one(number.zero_extend(bits), carried.high(bits - 8).zero_extend(bits));
    discard(cat(&[carried.low(8), sum.low(8)]), "what is cut off");
    sum.high(bits - 8)
}

/// `a + b + 1`, as one carry chain: the complement of b is -b - 1.
#[kernel]
fn sum_and_one(a: Bits, b: Bits) -> Bits {
    a - !b
}

/// What comes.
struct Items<'a> {
    valid: Payload<'a, Step, Bits>,
    is_rhw: Payload<'a, Step, Bits>,
    word: Payload<'a, Step, ValueWord>,
}

type Pixels = [Bits; PIXELS];

/// Planes to values at pixels.
#[kernel]
impl Interpolation {
    fn logic(&self) {
        let advance = self.exit.input.ready.val();
        let pipe = self.pipe.run(&self.clocks, advance);
        timing(self.pipe.latency_clocks() + self.exit.latency_clocks(), 1);
        let items = self.items(&pipe, advance);
        let values = self.values(&pipe, &items);
        let colors = self.color(&pipe, values.at(FIXED)).at(EXIT);
        let coordinates = self.coordinates(&pipe, &items, &values, advance);
        /// # Exit
        let ValueWord { is_color, plane, .. } = items.word.at(EXIT);
        let pixels = [0, 1, 2, 3].map(|pixel: usize| {
            let single = coordinates[pixel];
            let low = if is_color { colors[pixel] } else { single.low(REGISTER_BITS) };
            cat(&[single.high(SINGLE_BITS - REGISTER_BITS), low])
        });
        self.exit.clocks.follow(&self.clocks);
        self.exit.input.valid.next = items.valid.at(EXIT) && !items.is_rhw.at(EXIT);
        self.exit.input.data.next = PixelsWord::shape().pack(&PixelsWord { tag: plane.tag, pixels });
        discard(self.exit.level.val(), "ready says enough");
        self.output.forward(&self.exit.output);
    }

    fn items<'a>(&self, pipe: &Run<'a, Step>, advance: Bits) -> Items<'a> {
        /// # Items
        let word = ValueWord::shape().unpack(self.input.data.val());
        let (is_first, recent) = (self.is_first.val(), self.recent.val());
        // The first value of a quad may be RHW: it waits until the reciprocals of the last one are under way.
        let takes = !(is_first && recent.any());
        self.input.ready.next = advance && takes;
        let comes = self.input.valid.val() && takes;
        let is_rhw = comes && word.is_rhw;
        if advance {
            self.recent.next = cat(&[recent.low(PIXELS - 2), is_rhw]);
            if comes {
                self.is_first.next = word.plane.tag.high(1) && !word.is_rhw;
            }
        }
        Items {
            valid: pipe.flag(Step::ENTRY, "valid", comes),
            is_rhw: pipe.flag(Step::ENTRY, "is_rhw", is_rhw),
            word: pipe.put(Step::ENTRY, "item", word),
        }
    }

    /// Values at pixels, from [`VALUES`] on.
    fn values<'a>(&self, pipe: &Run<'a, Step>, items: &Items<'a>) -> Payload<'a, Step, Pixels> {
        /// # Centres of pixels
        let ValueWord { column, row, .. } = items.word.at(Step::ENTRY);
        let centres = |quad: Bits| [0, 1].map(|odd: u32| cat(&[quad, lit(1, odd), lit(1, 1u32)]));
        let ([left, right], [upper, lower]) = (centres(column), centres(row));
        let centres = [left, right, upper, lower];
        let [left, right, upper, lower] =
            pipe.through(Step::ENTRY, "centre", &self.centres, centres).at(CENTRES);
        /// # Values
        // Three clocks are few enough for registers, which are there in plenty.
        let PlaneWord { e, f, .. } = items.word.at(Step::ENTRY).plane;
        let [e, f] = pipe.put_in(Keep::FlipFlops, Step::ENTRY, "growth", [e, f]).at(CENTRES);
        let slopes = [(e, left), (e, right), (f, upper), (f, lower)];
        let slopes = pipe.through(CENTRES, "slope", &self.slopes, slopes);
        let [_, _, upper, lower] = slopes.at(ROWS);
        let PlaneWord { g, .. } = items.word.at(ROWS).plane;
        let rows = pipe.through(ROWS, "row", &self.rows, [(upper, g), (lower, g)]).at(PLACES);
        let [left, right, _, _] = slopes.at(PLACES);
        let places = [(left, rows[0]), (right, rows[0]), (left, rows[1]), (right, rows[1])];
        pipe.through(PLACES, "value", &self.values, places)
    }

    /// Values times the reciprocals of RHW: at [`EXIT`].
    fn coordinates<'a>(
        &self,
        pipe: &Run<'a, Step>,
        items: &Items<'a>,
        values: &Payload<'a, Step, Pixels>,
        advance: Bits,
    ) -> Pixels {
        /// # Coordinates
        let moves = (&self.clocks, advance);
        let reciprocals = reciprocals::kept(&self.reciprocals, moves, &items.is_rhw, values, VALUES);
        let values = values.at(FACTORS);
        let factors = [0, 1, 2, 3].map(|pixel: usize| (values[pixel], reciprocals[pixel]));
        pipe.through(FACTORS, "coordinate", &self.coordinates, factors).at(EXIT)
    }

    fn color<'a>(&self, pipe: &Run<'a, Step>, values: Pixels) -> Payload<'a, Step, Pixels> {
        /// # Colours
        let fixed = pipe.through(FIXED, "fixed", &self.colors, values).at(LIMIT);
        // 255 and what is more begin with ones; without what is behind the point both are 255.
        let limited = fixed.map(|color| {
            let (whole, fraction) =
                (color.high(COLOR_BITS - COLOR_FRACTION_BITS), color.low(COLOR_FRACTION_BITS));
            cat(&[whole, fraction & !whole.all().repeat(COLOR_FRACTION_BITS)])
        });
        let limited = pipe.put(LIMIT, "limited", limited).at(DIVIDE);
        let carried = pipe.put(DIVIDE, "carried", limited.map(carried)).at(COLORS);
        let limited = pipe.put(DIVIDE, "kept", limited).at(COLORS);
        let colors = [0, 1, 2, 3].map(|pixel: usize| over_255(limited[pixel], carried[pixel]));
        pipe.put(COLORS, "color", colors)
    }
}
