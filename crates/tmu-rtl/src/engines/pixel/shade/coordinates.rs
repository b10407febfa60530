//! `coordinates`: a texture instruction for a pixel in every clock: where `texld` looks, what `texcrd` gives, what `texkill` and `texdepth` find.
//!
//! A source is a set of coordinates, or a register turned into singles, which is exact. `_dz` and `_dw` multiply the first two by the
//! rounded reciprocal of the third or fourth; divided by zero they are 1.0. `texdepth` divides the first by the second in the same way.
//!
//! Contract: nothing stops; a result leaves [`LATENCY_CLOCKS`] after its instruction.
//!
//! Latency: the steps up to `EXIT`, initiation interval 1. Two multipliers of two DSP slices each, a reciprocal of four and a block RAM.

use super::words::{CHANNEL_BITS, CHANNEL_FRACTION_BITS, CHANNELS, COMPONENTS};
use crate::engines::pixel::step::{MULTIPLY, RECIPROCAL, Step, TO_FIXED, TO_FLOAT};
use crate::engines::pixel::words::{EXPONENT_BITS, FRACTION_BITS, SINGLE_BITS};
use tmu_hdl::arithmetic::{FixedToFloat, FloatMultiply, FloatReciprocal, FloatToFixed, Rounding};
use tmu_hdl::pipe::Registered;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::Operand;

/// What is no number.
const NAN: u32 = 0x7fc0_0000;
/// Components are singles.
const SINGLES: Step = Step::ENTRY.after(TO_FLOAT);
/// Denormals are zeros.
const CHOOSE: Step = SINGLES.after(1);
/// It is known by what is divided.
const DIVIDE: Step = CHOOSE.after(1);
/// The reciprocal is there.
const PRODUCTS: Step = DIVIDE.after(RECIPROCAL);
/// Quotients are there.
const QUOTIENTS: Step = PRODUCTS.after(MULTIPLY);
/// What is not divided, or by zero, is as it is.
const CONVERT: Step = QUOTIENTS.after(1);
/// It leaves.
const EXIT: Step = CONVERT.after(TO_FIXED);

/// Clocks from an instruction to its result.
pub const LATENCY_CLOCKS: usize = EXIT.clocks();

/// A texture instruction and what it reads.
#[derive(Clone, Debug, Record)]
pub struct TextureWord<T = Bits> {
    /// The source is a register of r.
    pub is_register: T,
    /// The third component is the fourth of the source.
    pub takes_fourth: T,
    /// The first two are divided by the third of the source.
    pub divides_by_third: T,
    /// The same, by the fourth.
    pub divides_by_fourth: T,
    /// The first is divided by the second: `texdepth`.
    pub divides_by_second: T,
    /// A set of coordinates.
    pub set: [T; CHANNELS],
    /// A register.
    pub register: [T; CHANNELS],
}

impl TextureWord<Width> {
    /// Its shape.
    #[must_use]
    pub fn shape() -> TextureWord<Width> {
        let bit = Width::bits(1);
        TextureWord {
            is_register: bit,
            takes_fourth: bit,
            divides_by_third: bit,
            divides_by_fourth: bit,
            divides_by_second: bit,
            set: [Width::bits(SINGLE_BITS); CHANNELS],
            register: [Width::bits(CHANNEL_BITS); CHANNELS],
        }
    }
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Coordinates {
    /// The clock.
    pub clocks: Clocks,
    /// The instruction and what it reads.
    pub input: TextureWord<Field<In>>,
    /// Where a texture is looked at; the first component is the depth of `texdepth`.
    pub place: [Net<Out>; COMPONENTS],
    /// The same as registers hold it.
    pub register: [Net<Out>; COMPONENTS],
    /// One of the first three components of the source is below zero.
    pub is_killed: Net<Out>,
    pipe: Pipe<Step>,
    singles: [FixedToFloat; CHANNELS],
    reciprocal: FloatReciprocal,
    quotients: [FloatMultiply; 2],
    registers: [FloatToFixed; COMPONENTS],
}

impl Coordinates {
    /// The block.
    #[must_use]
    pub fn new() -> Coordinates {
        let register = Operand::signed(CHANNEL_BITS);
        let fixed = || FloatToFixed::new(register, CHANNEL_FRACTION_BITS, Rounding::HalfUp);
        let coordinates = Coordinates {
            clocks: Clocks::without_reset(),
            input: TextureWord::shape().nets(),
            place: [(); COMPONENTS].map(|()| Net::new(SINGLE_BITS)),
            register: [(); COMPONENTS].map(|()| Net::new(CHANNEL_BITS)),
            is_killed: Net::bit(),
            pipe: Pipe::with(EXIT.all()).keep_in(Keep::ShiftRegisters),
            singles: [(); CHANNELS].map(|()| FixedToFloat::new(register, CHANNEL_FRACTION_BITS)),
            reciprocal: FloatReciprocal::new(),
            quotients: [(); 2].map(|()| FloatMultiply::new()),
            registers: [(); COMPONENTS].map(|()| fixed()),
        };
        coordinates.pipe.plan(&coordinates.clocks, || coordinates.logic());
        coordinates
    }
}

impl Default for Coordinates {
    fn default() -> Coordinates {
        Coordinates::new()
    }
}

/// Whether a single is zero or denormal.
#[kernel]
fn is_zero(single: Bits) -> Bits {
    !single.slice(FRACTION_BITS, EXPONENT_BITS).any()
}

/// What is denormal is the zero of its sign.
#[kernel]
fn flushed(single: Bits) -> Bits {
    let keeps = !is_zero(single);
    cat(&[single.high(1), single.low(SINGLE_BITS - 1) & keeps.repeat(SINGLE_BITS - 1)])
}

/// Whether a single is no number.
#[kernel]
fn is_nan(single: Bits) -> Bits {
    single.slice(FRACTION_BITS, EXPONENT_BITS).all() && single.low(FRACTION_BITS).any()
}

/// A single as arithmetic would give it: what is denormal is zero, and what is no number has one form.
#[kernel]
pub(in crate::engines::pixel) fn canonical(single: Bits) -> Bits {
    if is_nan(single) { lit(SINGLE_BITS, NAN) } else { flushed(single) }
}

/// One bit: below zero, and a number.
#[kernel]
fn is_below(single: Bits) -> Bits {
    single.high(1) && !is_zero(single) && !is_nan(single)
}

/// Sources to places.
#[kernel]
impl Coordinates {
    fn module_name(&self) -> String {
        "shade_coordinates".into()
    }

    fn logic(&self) {
        let pipe = self.pipe.run(&self.clocks, lit(1, 1u32));
        pipe.timing();
        /// # Source
        let word = self.input.val();
        let is_register = pipe.put(Step::ENTRY, "is_register", word.is_register).at(SINGLES);
        let takes_fourth = pipe.put(Step::ENTRY, "takes_fourth", word.takes_fourth).at(CHOOSE);
        let by = [word.divides_by_third, word.divides_by_fourth, word.divides_by_second];
        let by = pipe.put(Step::ENTRY, "divides", by);
        let set = pipe.put(Step::ENTRY, "set", word.set).at(SINGLES);
        let registers = pipe.through(Step::ENTRY, "single", &self.singles, word.register).at(SINGLES);
        let source = [0, 1, 2, 3].map(|at: usize| if is_register { registers[at] } else { flushed(set[at]) });
        let source = pipe.put(SINGLES, "source", source);
        let [x, y, z, w] = source.at(CHOOSE);
        let below = pipe.put(CHOOSE, "below", [is_below(x), is_below(y), is_below(z)]);
        let is_killed = cat(&below.at(PRODUCTS)).any();
        self.is_killed.next = pipe.put(PRODUCTS, "is_killed", is_killed).at(EXIT);
        /// # Quotients
        let [by_third, by_fourth, by_second] = by.at(CHOOSE);
        let by_z_or_w = if by_fourth { w } else { z };
        let divisor = pipe.put(CHOOSE, "divisor", if by_second { y } else { by_z_or_w }).at(DIVIDE);
        let is_infinite = pipe.put(DIVIDE, "by_zero", is_zero(divisor)).at(QUOTIENTS);
        let divides = pipe.put(CHOOSE, "divides_now", by_third || by_fourth || by_second).at(QUOTIENTS);
        let third = pipe.put(CHOOSE, "third", if takes_fourth { w } else { z }).at(QUOTIENTS);
        let reciprocal = pipe.through(DIVIDE, "reciprocal", &self.reciprocal, divisor).at(PRODUCTS);
        let [x, y, _, _] = source.at(PRODUCTS);
        let factors = [(x, reciprocal), (y, reciprocal)];
        let quotients = pipe.through(PRODUCTS, "quotient", &self.quotients, factors).at(QUOTIENTS);
        let [x, y, _, _] = source.at(QUOTIENTS);
        let one = lit(SINGLE_BITS, 1f32.to_bits());
        let first = [(x, quotients[0]), (y, quotients[1])].map(|(own, quotient)| {
            let divided = if is_infinite { one } else { quotient };
            if divides { divided } else { own }
        });
        let place = pipe.put(QUOTIENTS, "place", [first[0], first[1], third]);
        /// # Registers
        let registers = pipe.through(CONVERT, "register", &self.registers, place.at(CONVERT)).at(EXIT);
        for (net, value) in self.place.iter().zip(place.at(EXIT)) {
            net.next = value;
        }
        for (net, value) in self.register.iter().zip(registers) {
            net.next = value;
        }
    }
}

/// What a texture instruction gives for a pixel.
#[derive(Clone, Debug, Record)]
pub struct PlaceWord<T = Bits> {
    /// Where a texture is looked at.
    pub place: [T; COMPONENTS],
    /// The same as registers hold it.
    pub register: [T; COMPONENTS],
    /// One of the components of the source is below zero.
    pub is_killed: T,
}

impl Registered for Coordinates {
    type Input = TextureWord;
    type Output = PlaceWord;
    fn moves(&self) -> usize {
        LATENCY_CLOCKS
    }
    /// Nothing stops it.
    fn connect(&self, clocks: &Clocks, _advance: Bits, input: TextureWord) -> PlaceWord {
        self.clocks.follow(clocks);
        self.input.drive(input);
        PlaceWord {
            place: self.place.each_ref().map(Net::val),
            register: self.register.each_ref().map(Net::val),
            is_killed: self.is_killed.val(),
        }
    }
}
