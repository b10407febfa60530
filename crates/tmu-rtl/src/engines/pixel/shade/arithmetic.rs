//! `arithmetic`: an instruction for a pixel, or two of a pair, in every clock.
//!
//! Colour and alpha have sources, modifiers and operations of their own, which are the same where there is no pair. A channel has
//! a multiplier; `dp3` and `dp4` add up those of all, `bem` uses two of them for red and two for green. What is added behind the product, or
//! stands instead of it, is worked out meanwhile. Sums are exact up to the rounding of products, as the contract has it.
//!
//! Contract: nothing stops; a result leaves [`LATENCY_CLOCKS`] after its instruction. Texture instructions give a result that means nothing.
//!
//! Latency: the steps up to `EXIT`, initiation interval 1. Four multipliers of 16 × 17 bits.

mod result;

use super::operand::{asked, biased, limited, negated, scaled, selected};
use super::words::{ArithmeticWord, CHANNEL_BITS, CHANNEL_FRACTION_BITS, CHANNELS, OperationWord, SOURCES};
use crate::engines::pixel::step::{Step, WHOLE};
use result::{Range, range, shifted, within};
use tmu_hdl::pipe::Registered;
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{Multiplier, Operand};
use tmu_shader::Operation;

/// Bits of a difference of two channels.
const DIFFERENCE_BITS: usize = CHANNEL_BITS + 1;
/// Bits of a product.
const PRODUCT_BITS: usize = CHANNEL_BITS + DIFFERENCE_BITS;
/// Bits of the sum of four.
const SUM_BITS: usize = PRODUCT_BITS + 2;
/// Bits of a result before it is shifted.
pub(super) const RESULT_BITS: usize = SUM_BITS + 2 - CHANNEL_FRACTION_BITS;

/// Channels are selected.
const BIAS: Step = Step::ENTRY.after(1);
/// Biased.
const SCALE: Step = BIAS.after(1);
/// Scaled.
const NEGATE: Step = SCALE.after(1);
/// Negated.
const LIMIT: Step = NEGATE.after(1);
/// Operands stand there.
const OPERANDS: Step = LIMIT.after(1);
/// Factors, and sums of two operands.
const FACTORS: Step = OPERANDS.after(1);
/// Products.
const PRODUCTS: Step = FACTORS.after(WHOLE);
/// Sums of two products.
const SUMS: Step = PRODUCTS.after(1);
/// What is rounded.
const ROUND: Step = SUMS.after(1);
/// It is rounded.
const ADD: Step = ROUND.after(1);
/// The result before it is shifted.
const SHIFT: Step = ADD.after(1);
/// It is shifted.
const RANGE: Step = SHIFT.after(1);
/// Where it lies is known.
const WITHIN: Step = RANGE.after(1);
/// It leaves.
const EXIT: Step = WITHIN.after(1);

/// Clocks from an instruction to its result.
pub const LATENCY_CLOCKS: usize = EXIT.clocks();

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Arithmetic {
    /// The clock.
    pub clocks: Clocks,
    /// The instruction and what it reads.
    pub input: ArithmeticWord<Field<In>>,
    /// What goes into the register.
    pub result: [Net<Out>; CHANNELS],
    pipe: Pipe<Step>,
    products: [Multiplier; CHANNELS],
}

impl Arithmetic {
    /// The block.
    #[must_use]
    pub fn new() -> Arithmetic {
        let product = || Multiplier::new(Operand::signed(CHANNEL_BITS), Operand::signed(DIFFERENCE_BITS));
        let arithmetic = Arithmetic {
            clocks: Clocks::without_reset(),
            input: ArithmeticWord::shape().nets(),
            result: [(); CHANNELS].map(|()| Net::new(CHANNEL_BITS)),
            pipe: Pipe::with(EXIT.all()).keep_in(Keep::ShiftRegisters),
            products: [(); CHANNELS].map(|()| product()),
        };
        arithmetic.pipe.plan(&arithmetic.clocks, || arithmetic.logic());
        arithmetic
    }
}

impl Default for Arithmetic {
    fn default() -> Arithmetic {
        Arithmetic::new()
    }
}

/// What is done in a channel, beside its operation.
#[derive(Clone, Debug, Record)]
struct Manner<T = Bits> {
    /// There is a product, or a sum of some.
    multiplies: T,
    /// The second factor is less the third operand.
    subtracts: T,
    /// It is the sum of products.
    is_dot: T,
    /// Alpha is among them.
    has_alpha: T,
    /// It is one of `bem`.
    is_bem: T,
    shift: T,
    saturates: T,
}

#[kernel]
fn manner(of: &OperationWord) -> Manner {
    let is = |operation: Operation| of.operation == operation as u64;
    let is_dot = is(Operation::Dp3) || is(Operation::Dp4);
    let adds = is(Operation::Mad) || is(Operation::Lrp);
    Manner {
        multiplies: is(Operation::Mul) || is_dot || adds || is(Operation::Bem),
        subtracts: is(Operation::Lrp),
        is_dot,
        has_alpha: is(Operation::Dp4),
        is_bem: is(Operation::Bem),
        shift: of.shift,
        saturates: of.saturates,
    }
}

/// Which half a channel belongs to.
const fn half_of(channel: usize) -> usize {
    if channel + 1 == CHANNELS { 1 } else { 0 }
}

/// All channels.
const ALL: [usize; CHANNELS] = [0, 1, 2, 3];

/// The operands of each channel.
type Operands = [[Bits; SOURCES]; CHANNELS];

/// Registers to what goes into one.
#[kernel]
impl Arithmetic {
    fn module_name(&self) -> String {
        "shade_arithmetic".into()
    }

    fn logic(&self) {
        let pipe = self.pipe.run(&self.clocks, lit(1, 1u32));
        pipe.timing();
        let word = self.input.val();
        let manners = [0, 1].map(|half: usize| manner(&word.halves[half]));
        let manners = pipe.put(Step::ENTRY, "manner", manners);
        let operations = [0, 1].map(|half: usize| word.halves[half].operation);
        let operations = pipe.put(Step::ENTRY, "operation", operations);
        let operands = self.operands(&pipe, &word);
        let operands = pipe.put(LIMIT, "operand", operands);
        let sum = self.products(&pipe, &word, &manners, operands.at(OPERANDS));
        let other = others(&pipe, &operations, operands.at(OPERANDS));
        /// # Result
        let rounded = ALL.map(|channel: usize| {
            let sum = sum.at(ROUND)[channel].sign_extend(SUM_BITS + 1);
            let half = lit(SUM_BITS + 1, 1u32 << (CHANNEL_FRACTION_BITS - 1));
            let rounded = sum + half;
            discard(rounded.low(CHANNEL_FRACTION_BITS), "it is rounded");
            let kept = rounded.high(SUM_BITS + 1 - CHANNEL_FRACTION_BITS).sign_extend(RESULT_BITS);
            kept & manners.at(ROUND)[half_of(channel)].multiplies.repeat(RESULT_BITS)
        });
        let rounded = pipe.put(ROUND, "rounded", rounded).at(ADD);
        let results =
            ALL.map(|channel: usize| rounded[channel] + other.at(ADD)[channel].sign_extend(RESULT_BITS));
        let results = pipe.put(ADD, "result", results).at(SHIFT);
        let moved =
            ALL.map(|channel: usize| shifted(results[channel], manners.at(SHIFT)[half_of(channel)].shift));
        let moved = pipe.put(SHIFT, "shifted", moved);
        let ranges: Vec<Range> = moved.at(RANGE).iter().map(|value| range(*value)).collect();
        let ranges = pipe.put(RANGE, "range", ranges).at(WITHIN);
        let kept = ALL.map(|channel: usize| {
            let saturates = manners.at(WITHIN)[half_of(channel)].saturates;
            within(moved.at(WITHIN)[channel], &ranges[channel], saturates)
        });
        let kept = pipe.put(WITHIN, "kept", kept).at(EXIT);
        for (net, value) in self.result.iter().zip(kept) {
            net.next = value;
        }
    }

    /// What each channel reads, at [`LIMIT`].
    fn operands(&self, pipe: &Run<'_, Step>, word: &ArithmeticWord) -> Operands {
        /// # Operands
        let asked = [0, 1].map(|half: usize| {
            [0, 1, 2].map(|source: usize| asked(word.halves[half].sources[source].modifier))
        });
        let asked = pipe.put(Step::ENTRY, "asked", asked);
        let each = |value: &dyn Fn(usize, usize) -> Bits| {
            ALL.map(|channel| [0, 1, 2].map(|source| value(channel, source)))
        };
        let chosen = each(&|channel, source| {
            let half = half_of(channel);
            let selector = word.halves[half].sources[source].selector;
            selected(selector, channel, &word.registers[half][source])
        });
        let chosen = pipe.put(Step::ENTRY, "chosen", chosen).at(BIAS);
        let biased = each(&|channel, source| {
            biased(&asked.at(BIAS)[half_of(channel)][source], chosen[channel][source])
        });
        let biased = pipe.put(BIAS, "biased", biased).at(SCALE);
        let scaled = each(&|channel, source| {
            scaled(&asked.at(SCALE)[half_of(channel)][source], biased[channel][source])
        });
        let scaled = pipe.put(SCALE, "scaled", scaled).at(NEGATE);
        let negated = each(&|channel, source| {
            negated(asked.at(NEGATE)[half_of(channel)][source].negates, scaled[channel][source])
        });
        let negated = pipe.put(NEGATE, "negated", negated).at(LIMIT);
        each(&|channel, source| limited(negated[channel][source]))
    }

    /// The product of each channel, or the sum of some, at [`ROUND`].
    fn products<'a>(
        &self,
        pipe: &Run<'a, Step>,
        word: &ArithmeticWord,
        manners: &Payload<'a, Step, [Manner; 2]>,
        operands: Operands,
    ) -> Payload<'a, Step, [Bits; CHANNELS]> {
        /// # Products
        let bump = pipe.put(Step::ENTRY, "bump", word.bump).at(OPERANDS);
        let [m00, m01, m10, m11] = bump;
        let wide = |value: Bits| value.sign_extend(DIFFERENCE_BITS);
        let (red, green) = (operands[0][1], operands[1][1]);
        let turned = [(m00, red), (m10, green), (m01, red), (m11, green)];
        let factors = ALL.map(|channel: usize| {
            let manner = &manners.at(OPERANDS)[half_of(channel)];
            let [a, b, c] = operands[channel];
            let less = c & manner.subtracts.repeat(CHANNEL_BITS);
            let second = wide(b) - wide(less);
            let (factor, of) = turned[channel];
            [if manner.is_bem { factor } else { a }, if manner.is_bem { wide(of) } else { second }]
        });
        let factors = pipe.put(OPERANDS, "factor", factors).at(FACTORS);
        let factors = factors.map(|[first, second]| (first, second));
        let products = pipe.through(FACTORS, "product", &self.products, factors);
        let [red, green, blue, alpha] = products.at(PRODUCTS);
        let color = &manners.at(PRODUCTS)[0];
        let takes_alpha = color.has_alpha || color.is_bem;
        let alpha = alpha & takes_alpha.repeat(PRODUCT_BITS);
        let add = |a: Bits, b: Bits| a.signed().add_wide(b.signed()).bits();
        let sums = pipe.put(PRODUCTS, "sums", [add(red, green), add(blue, alpha)]).at(SUMS);
        let dot = add(sums[0], sums[1]);
        let chosen = ALL.map(|channel: usize| {
            let manner = &manners.at(SUMS)[half_of(channel)];
            let product = products.at(SUMS)[channel].sign_extend(SUM_BITS);
            let own = if channel < 2 {
                if manner.is_bem { sums[channel].sign_extend(SUM_BITS) } else { product }
            } else {
                product
            };
            if manner.is_dot { dot } else { own }
        });
        pipe.put(SUMS, "sum", chosen)
    }
}

/// What is added to the product of each channel, or stands instead.
#[kernel]
fn others<'a>(
    pipe: &Run<'a, Step>,
    operations: &Payload<'a, Step, [Bits; 2]>,
    operands: Operands,
) -> Payload<'a, Step, [Bits; CHANNELS]> {
    /// # Sums and choices
    let wide = |value: Bits| value.sign_extend(DIFFERENCE_BITS);
    let sums = ALL.map(|channel: usize| {
        let operation = operations.at(OPERANDS)[half_of(channel)];
        let [a, b, c] = operands[channel];
        let subtracts = operation == Operation::Sub as u64;
        let turned = wide(b) ^ subtracts.repeat(DIFFERENCE_BITS);
        let sum = wide(a) + turned + subtracts.zero_extend(DIFFERENCE_BITS);
        let above_half = !a.high(1) && a > 1u64 << (CHANNEL_FRACTION_BITS - 1);
        let takes = if operation == Operation::Cmp as u64 { !a.high(1) } else { above_half };
        [sum, wide(if takes { b } else { c }), wide(a), wide(c)]
    });
    let sums = pipe.put(OPERANDS, "choices", sums).at(FACTORS);
    let others = ALL.map(|channel: usize| {
        let operation = operations.at(FACTORS)[half_of(channel)];
        let is = |numbers: &[Operation]| {
            let found: Vec<Bits> = numbers.iter().map(|own| operation == *own as u64).collect();
            cat(&found).any()
        };
        let [sum, chosen, first, third] = sums[channel];
        let only = |value: Bits, counts: Bits| value & counts.repeat(DIFFERENCE_BITS);
        only(sum, is(&[Operation::Add, Operation::Sub]))
            | only(chosen, is(&[Operation::Cmp, Operation::Cnd]))
            | only(first, is(&[Operation::Mov, Operation::Bem]))
            | only(third, is(&[Operation::Mad, Operation::Lrp]))
    });
    pipe.put(FACTORS, "other", others)
}

impl Registered for Arithmetic {
    type Input = ArithmeticWord;
    type Output = [Bits; CHANNELS];
    fn moves(&self) -> usize {
        LATENCY_CLOCKS
    }
    /// Nothing stops it.
    fn connect(&self, clocks: &Clocks, _advance: Bits, input: ArithmeticWord) -> [Bits; CHANNELS] {
        self.clocks.follow(clocks);
        self.input.drive(input);
        self.result.each_ref().map(Net::val)
    }
}
