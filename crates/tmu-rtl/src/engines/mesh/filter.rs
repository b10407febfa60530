//! `filter`: from the four texels under a pixel to the texture's colour there, bilinear.
//!
//! Interpolates along both rows, then between them: `64·a + f·(b - a)` twice. Nothing is rounded in between, so that the sum is
//! that of the four products out of 4096; it is rounded to the nearest, ties to even. A tap of weight 0 does not count,
//! whatever its texel is.
//!
//! All items move together, whenever the stage behind takes what is offered to it or might: `ready` passes straight through,
//! and comes from a register of `shade`.
//!
//! Latency: the stages of [`Stage`], initiation interval 1. Three pairs of multipliers of 7 x 6 bits with sign, three multipliers of
//! 13 x 6 bits: six DSP slices.

use super::colors::{Color, FilteredWord, NARROW_BITS, color, filtered_word, round_half_even};
use super::words::{FRACTION_BITS, TAPS, TapsWord, taps_word};
use Stage::{Across, Between, Down, Entry, Exit, Round, Sum};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{DualMultiplier, Multiplier, Operand};

/// Bits of the difference of two components, with sign.
const DIFFERENCE_BITS: usize = super::colors::GREEN_BITS + 1;
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
    rows: [DualMultiplier; 3],
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
            rows: [(); 3].map(|()| DualMultiplier::new(signed(DIFFERENCE_BITS), FRACTION_BITS)),
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
        let is_end = pipe.put(Entry, "is_end", taps.is_end);
        let fx = pipe.put(Entry, "fx", taps.fx);
        let fy = pipe.put(Entry, "fy", taps.fy);
        let color = self.color(&pipe, &taps, &fx, &fy);
        self.output.valid.next = valid.at(Exit);
        self.output.data.next = filtered_word().pack(&FilteredWord {
            color: color.at(Exit),
            place: place.at(Exit),
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
        // Components by colour, then by tap, all as wide as green.
        let part = |of: &dyn Fn(&Color) -> Bits| texels.each_ref().map(|texel| of(texel).zero_extend(6));
        let parts = [part(&|c| c.blue), part(&|c| c.green), part(&|c| c.red)];
        /// # Along rows
        let steps = parts.map(|[a, b, c, d]| [difference(b, a), difference(d, c)]);
        let steps = pipe.put(Entry, "step", steps);
        let left = pipe.put(Entry, "left", parts.map(|[a, _, c, _]| [a, c]));
        let across = steps.at(Across).map(|steps| (steps, fx.at(Across)));
        let across = pipe.through(Across, "across", &self.rows, across).at(Between);
        let left = left.at(Between);
        let row = |number: usize| [0, 1].map(|side| toward(left[number][side], across[number][side]));
        let rows = pipe.put(Between, "row", [row(0), row(1), row(2)]);
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
}
