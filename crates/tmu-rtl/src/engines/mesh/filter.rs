//! `filter`: from the four texels under a pixel to the texture's colour there, bilinear.
//!
//! Interpolates along both rows, then between them: `64·a + f·(b - a)` twice, or for blue and red along rows `(64 - f)·a + f·b`, which a
//! multiplier makes without an adder beside it. Nothing is rounded in between, so that the sum is
//! that of the four products out of 4096; it is rounded to the nearest, ties to even. A tap of weight 0 does not count,
//! whatever its texel is.
//!
//! All items move together, whenever the stage behind takes what is offered to it or might: `ready` passes straight through,
//! and comes from a register of `shade`.
//!
//! Latency: the stages of [`Stage`], initiation interval 1. A pair of multipliers of 7 x 6 bits with sign, four of 16 x 18 bits,
//! three of 13 x 6 bits: eight DSP slices.

use super::colors::{
    Color, FilteredWord, NARROW_BITS, color, filtered_word, pair_factors, pair_multiplier, pair_sum,
    round_half_even,
};
use super::words::{FRACTION_BITS, TAPS, TapsWord, taps_word};
use Stage::{Across, Between, Down, Entry, Exit, Round, Sum};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{DualMultiplier, Multiplier, Operand};

/// Bits of the difference of two components, with sign.
const DIFFERENCE_BITS: usize = super::colors::GREEN_BITS + 1;
/// Bits of a weight, 0 to 64.
const WEIGHT_BITS: usize = FRACTION_BITS + 1;
/// Bits of a narrow component between two texels of a row: at most 31 * 64.
const NARROW_ROW_BITS: usize = NARROW_BITS + FRACTION_BITS;
/// Bits of a component between two texels of a row, of 64.
const ROW_BITS: usize = super::colors::GREEN_BITS + FRACTION_BITS;
/// Bits of a component between the rows, of 4096.
const SUM_BITS: usize = ROW_BITS + FRACTION_BITS;
/// Bits behind the point of the sum.
const SUM_FRACTION_BITS: usize = 2 * FRACTION_BITS;

/// Where an item is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
pub enum Stage {
    /// It comes in, and the differences along rows are found.
    Entry,
    /// They go into the multipliers.
    Across,
    /// They are in the multipliers.
    AcrossFactors,
    /// They are joined.
    AcrossJoin,
    /// They are multiplied.
    AcrossMultiply,
    /// Rows are interpolated.
    Between,
    /// The differences between rows are found.
    Down,
    /// They go into the multipliers.
    DownFactors,
    /// They are in the multipliers.
    DownMultiply,
    /// They are multiplied.
    DownProduct,
    /// The sums are found.
    Sum,
    /// They are rounded.
    Round,
    /// It leaves.
    Exit,
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Filter {
    /// Clock and reset.
    pub clocks: Clocks,
    /// Texels and weights, see [`TapsWord`].
    pub input: StreamIn,
    /// Colours, see [`FilteredWord`].
    pub output: StreamOut,
    pipe: Pipe<Stage>,
    green_rows: DualMultiplier,
    narrow_rows: [Multiplier; 4],
    columns: [Multiplier; 3],
}

impl Filter {
    /// The stage.
    #[must_use]
    pub fn new() -> Filter {
        let signed = Operand::signed;
        let filter = Filter {
            clocks: Clocks::new(),
            input: StreamIn::new(taps_word().width()),
            output: StreamOut::new(filtered_word().width()),
            pipe: Pipe::new(),
            green_rows: DualMultiplier::new(signed(DIFFERENCE_BITS), FRACTION_BITS),
            narrow_rows: [(); 4].map(|()| pair_multiplier(WEIGHT_BITS, NARROW_ROW_BITS)),
            columns: [(); 3]
                .map(|()| Multiplier::new(signed(ROW_BITS + 1), Operand::unsigned(FRACTION_BITS))),
        };
        filter.pipe.plan(&filter.clocks, || filter.logic());
        filter
    }
}

impl Default for Filter {
    fn default() -> Filter {
        Filter::new()
    }
}

/// `64·from + product`, where the product is a weight's with the difference to another number of as many bits as `from`: it lies
/// between 64 times the two, so that its sign is not needed.
#[kernel]
fn toward(from: Bits, product: Bits) -> Bits {
    let upper_bits = from.width();
    let upper = from + product.slice(FRACTION_BITS, upper_bits);
    discard(product.high(product.width() - FRACTION_BITS - upper_bits), "the sum is not negative");
    cat(&[upper, product.low(FRACTION_BITS)])
}

/// `to - from`, with sign.
#[kernel]
fn difference(to: Bits, from: Bits) -> Bits {
    let bits = to.width() + 1;
    to.zero_extend(bits) - from.zero_extend(bits)
}

/// The four texels under a pixel, by their weights.
#[kernel]
impl Filter {
    fn logic(&self) {
        let advance = self.output.ready.val();
        let pipe = self.pipe.run(&self.clocks, advance);
        pipe.timing();
        self.input.ready.next = advance;
        /// # Items
        let taps = taps_word().unpack(self.input.data.val());
        let valid = pipe.flag(Entry, "valid", self.input.valid.val());
        let place = pipe.put(Entry, "place", taps.place);
        let opens_line = pipe.put(Entry, "opens_line", taps.opens_line);
        let is_end = pipe.put(Entry, "is_end", taps.is_end);
        let fx = pipe.put(Entry, "fx", taps.fx);
        let fy = pipe.put(Entry, "fy", taps.fy);
        let color = self.color(&pipe, &taps, &fx, &fy);
        self.output.valid.next = valid.at(Exit);
        self.output.data.next = filtered_word().pack(&FilteredWord {
            color: color.at(Exit),
            place: place.at(Exit),
            opens_line: opens_line.at(Exit),
            is_end: is_end.at(Exit),
        });
    }

    fn color<'a>(
        &self,
        pipe: &Run<'a, Stage>,
        taps: &TapsWord,
        fx: &Payload<'a, Stage, Bits>,
        fy: &Payload<'a, Stage, Bits>,
    ) -> Payload<'a, Stage, Bits> {
        let texels: [Color; TAPS] = taps.texels.each_ref().map(|texel| color().unpack(*texel));
        /// # Along rows
        let [a, b, c, d] = texels.each_ref().map(|texel| texel.green);
        let steps = pipe.put(Entry, "step", [difference(b, a), difference(d, c)]);
        let left = pipe.put(Entry, "left", [a, c]).at(Between);
        let across = (steps.at(Across), fx.at(Across));
        let across = pipe.through(Across, "across", &self.green_rows, across).at(Between);
        let green = [0, 1].map(|side| toward(left[side], across[side]));
        let [blue, red] = self.narrow_rows(pipe, &texels, fx);
        let rows = pipe.put(Between, "row", [blue, green, red]);
        /// # Between rows
        let steps = rows.at(Down).map(|[upper, lower]| difference(lower, upper));
        let steps = pipe.put(Down, "row_step", steps);
        let down = steps.at(Stage::DownFactors).map(|step| (step, fy.at(Stage::DownFactors)));
        let down = pipe.through(Stage::DownFactors, "down", &self.columns, down).at(Sum);
        let upper = rows.at(Sum).map(|[upper, _]| upper);
        let sum = |number: usize| toward(upper[number], down[number]);
        /// With a reset, so that no tool makes a shift register of it and the fraction's delay: a slow start of a path.
        let sums = pipe.flag(Sum, "sum", [sum(0), sum(1), sum(2)]);
        /// # Rounding
        let [blue, green, red] = sums.at(Round).map(|sum| {
            let rounded = round_half_even(sum, SUM_FRACTION_BITS);
            discard(rounded.high(1), "the sum is at most 63 * 4096");
            rounded.low(SUM_BITS - SUM_FRACTION_BITS)
        });
        discard(cat(&[red.high(1), blue.high(1)]), "red and blue are narrower than green");
        let narrow = |part: Bits| part.low(NARROW_BITS);
        let rounded = Color { blue: narrow(blue), green, red: narrow(red) };
        pipe.put(Round, "color", color().pack(&rounded))
    }

    /// Blue and red in both rows: a multiplier makes both products of a row and their sum.
    fn narrow_rows(
        &self,
        pipe: &Run<'_, Stage>,
        texels: &[Color; TAPS],
        fx: &Payload<'_, Stage, Bits>,
    ) -> [[Bits; 2]; 2] {
        /// # Blue and red
        let [blue, red] =
            [texels.each_ref().map(|texel| texel.blue), texels.each_ref().map(|texel| texel.red)];
        let pairs = [[blue[0], blue[1]], [blue[2], blue[3]], [red[0], red[1]], [red[2], red[3]]];
        let pairs = pipe.put(Entry, "pair", pairs).at(Across);
        let right = fx.at(Entry).zero_extend(WEIGHT_BITS);
        let left = pipe.put(Entry, "left_weight", lit(WEIGHT_BITS, 1u32 << FRACTION_BITS) - right).at(Across);
        let weights = [left, fx.at(Across).zero_extend(WEIGHT_BITS)];
        let factors = pairs.map(|pair| pair_factors(pair, weights, NARROW_ROW_BITS));
        let sums = pipe.through(Across, "narrow_across", &self.narrow_rows, factors).at(Between);
        let sums = sums.map(|product| pair_sum(product, NARROW_ROW_BITS).zero_extend(ROW_BITS));
        [[sums[0], sums[1]], [sums[2], sums[3]]]
    }
}
