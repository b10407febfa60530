//! `blend`: mixes what is drawn with what is in the frame buffer.
//!
//! `((alpha + 1)·c + (63 - alpha)·d)`, or additive `((alpha + 1)·c + 64·d)`, out of 64, rounded to the nearest, ties to even, and
//! limited to the component's largest value. At alpha 63 without adding d counts nothing, whatever it is: that is c as it is.
//!
//! Where the job reads the frame buffer, a pixel that opens a line waits at the entry until its line is there; pixels behind it
//! in that line find it held. A line that could not be read is a fault of the job, told once, and no pixel from there
//! on is drawn.
//!
//! `ready` and `valid` meet only in registers: whether a pixel waits is known from what stands at the entry. What is behind it moves
//! while `write_combiner` has room.
//!
//! Latency: a clock and the stages of [`Stage`], initiation interval 1. Two multipliers of 17 x 19 bits, each of which makes the sum of two
//! products, and two of 6 x 7 bits: four DSP slices. 260 flip-flops hold a line and the next one.

use super::colors::{
    Color, FrameLine, GREEN_BITS, NARROW_BITS, ShadedWord, color, frame_line, pair_factors, pair_multiplier,
    pair_sum, round_half_even, shaded_word,
};
use super::words::{
    BlendSettings, COLOR_BITS, FaultWord, IN_LINE_BITS, LINE_ADDRESS_BITS, RESPONSE_BITS, SHARE_BITS,
    blend_settings, fault_word,
};
use Stage::{Exit, Factors, Meet, Round, Select, Sum};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{Multiplier, Operand};

/// Bits of a share, 0 to 64.
const FACTOR_BITS: usize = SHARE_BITS + 1;
/// Bits of a narrow component's two shares, at most 31 * 64 each.
const MIXED_BITS: usize = NARROW_BITS + FACTOR_BITS;

/// Where an item is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
pub enum Stage {
    /// Its line is there.
    Meet,
    /// Its pixel of the line is selected.
    Select,
    /// Both colours go into the multipliers.
    Factors,
    /// They are in the multipliers.
    Multiply,
    /// They are multiplied.
    Product,
    /// Their shares are added.
    Sum,
    /// The sums are rounded and limited.
    Round,
    /// It leaves.
    Exit,
}

type Carried<'a, W = Bits> = Payload<'a, Stage, W>;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Blend {
    /// Clock and reset.
    pub clocks: Clocks,
    /// Of the job.
    pub settings: BlendSettings<Field<In>>,
    /// What is drawn, see [`ShadedWord`].
    pub input: StreamIn,
    /// Lines of the frame buffer, see [`FrameLine`].
    pub lines: StreamIn,
    /// Pixels as they are written, see [`ShadedWord`].
    pub output: StreamOut,
    /// A line could not be read.
    pub fault: FaultWord<Field<Out>>,
    waits_valid: Reg,
    waits: ShadedWord<FieldReg>,
    /// There is an item, and it needs a line.
    wants_line: Reg,
    next_valid: Reg,
    next: FrameLine<FieldReg>,
    held: Reg,
    has_failed: Reg,
    fails: Reg,
    failed_response: Reg,
    failed_line: Reg,
    pipe: Pipe<Stage>,
    narrow: [Multiplier; 2],
    green: [Multiplier; 2],
}

impl Blend {
    /// The stage.
    #[must_use]
    pub fn new() -> Blend {
        let (clocks, unsigned) = (Clocks::new(), Operand::unsigned);
        let blend = Blend {
            settings: blend_settings().nets(),
            input: StreamIn::new(shaded_word().width()),
            lines: StreamIn::new(frame_line().width()),
            output: StreamOut::new(shaded_word().width()),
            fault: fault_word().nets(),
            waits_valid: Reg::with_reset(&clocks, 1, 0),
            waits: shaded_word().registers(&clocks),
            wants_line: Reg::with_reset(&clocks, 1, 0),
            next_valid: Reg::with_reset(&clocks, 1, 0),
            next: frame_line().registers(&clocks),
            held: Reg::new(&clocks, crate::engine::memory::LINE_BITS),
            has_failed: Reg::with_reset(&clocks, 1, 0),
            fails: Reg::with_reset(&clocks, 1, 0),
            failed_response: Reg::new(&clocks, RESPONSE_BITS),
            failed_line: Reg::new(&clocks, LINE_ADDRESS_BITS),
            pipe: Pipe::new(),
            narrow: [(); 2].map(|()| pair_multiplier(FACTOR_BITS, MIXED_BITS)),
            green: [(); 2].map(|()| Multiplier::new(unsigned(GREEN_BITS), unsigned(FACTOR_BITS))),
            clocks,
        };
        blend.pipe.plan(&blend.clocks, || blend.logic());
        blend
    }
}

impl Default for Blend {
    fn default() -> Blend {
        Blend::new()
    }
}

/// Colours that are drawn, mixed with those of the frame buffer.
#[kernel]
impl Blend {
    fn logic(&self) {
        let advance = self.output.ready.val();
        let pipe = self.pipe.run(&self.clocks, advance);
        timing(self.pipe.latency_clocks() + 1, 1);
        let (leaves, item) = self.entry(advance);
        /// # Items
        let valid = pipe.flag(Meet, "valid", leaves);
        let drawn = pipe.put(Meet, "color", item.color);
        let place = pipe.put(Meet, "place", item.place);
        let opens_line = pipe.put(Meet, "opens_line", item.opens_line);
        let is_drawn = pipe.put(Meet, "asks_to_be_drawn", item.is_drawn).at(Select);
        let is_drawn = pipe.put(Select, "is_drawn", is_drawn && !self.has_failed.val());
        let is_end = pipe.put(Meet, "is_end", item.is_end);
        /// # Pixel of the line
        let in_line = place.at(Select).low(IN_LINE_BITS);
        let pixels: Vec<Bits> =
            (0..1 << IN_LINE_BITS).map(|n| self.held.val().slice(COLOR_BITS * n, COLOR_BITS)).collect();
        let there = pipe.put(Select, "there", select(&pixels, in_line));
        let mixed = self.mix(&pipe, [drawn.at(Factors), there.at(Factors)]);
        self.output.valid.next = valid.at(Exit);
        self.output.data.next = shaded_word().pack(&ShadedWord {
            color: mixed.at(Exit),
            place: place.at(Exit),
            opens_line: opens_line.at(Exit),
            is_drawn: is_drawn.at(Exit),
            is_end: is_end.at(Exit),
        });
    }

    /// Whether an item goes from the entry into the pipe, if that advances, and the item.
    fn entry(&self, advance: Bits) -> (Bits, ShadedWord) {
        /// # Entry
        let item = self.waits.val();
        let (wants_line, has_next) = (self.wants_line.val(), self.next_valid.val());
        let is_stuck = wants_line && !has_next;
        let is_free = advance && !is_stuck;
        self.input.ready.next = is_free;
        if is_free {
            let comes = shaded_word().unpack(self.input.data.val());
            self.waits_valid.next = self.input.valid.val();
            self.wants_line.next =
                self.input.valid.val() && comes.opens_line && self.settings.reads_frame.val();
            self.waits.next = comes;
        }
        let leaves = self.waits_valid.val() && !is_stuck;
        /// # Lines
        let takes = advance && wants_line && has_next;
        let next_is_free = !has_next || (advance && wants_line);
        self.lines.ready.next = next_is_free;
        if next_is_free {
            self.next_valid.next = self.lines.valid.val();
            self.next.next = frame_line().unpack(self.lines.data.val());
        }
        if takes {
            self.held.next = self.next.pixels.val();
        }
        /// # Faults
        let response = self.next.response.val();
        let fails = takes && response.any() && !self.has_failed.val();
        if advance && leaves && item.is_end {
            self.has_failed.next = 0;
        } else if fails {
            self.has_failed.next = 1;
        }
        self.fails.next = fails;
        self.failed_response.next = response;
        self.failed_line.next = item.place.high(LINE_ADDRESS_BITS);
        self.fault.next = FaultWord {
            happened: self.fails.val(),
            response: self.failed_response.val(),
            line: self.failed_line.val(),
        };
        (leaves, item)
    }

    fn mix<'a>(&self, pipe: &Run<'a, Stage>, colors: [Bits; 2]) -> Carried<'a> {
        /// # Shares
        let settings = self.settings.val();
        let share = settings.alpha.zero_extend(FACTOR_BITS) + 1;
        let rest = (!settings.alpha).zero_extend(FACTOR_BITS);
        let rest = if settings.is_additive { lit(FACTOR_BITS, 1u32 << SHARE_BITS) } else { rest };
        let shares = [share, rest];
        let colors = colors.map(|word| color().unpack(word));
        let narrow = [[colors[0].blue, colors[1].blue], [colors[0].red, colors[1].red]];
        let narrow = narrow.map(|of| pair_factors(of, shares, MIXED_BITS));
        let green = [0, 1].map(|n| (colors[n].green, shares[n]));
        let narrow = pipe.through(Factors, "narrow", &self.narrow, narrow).at(Sum);
        let [c_green, d_green] = pipe.through(Factors, "green", &self.green, green).at(Sum);
        let [blue, red] = narrow.map(|product| pair_sum(product, MIXED_BITS));
        let sums = [blue, c_green + d_green, red];
        let sums = pipe.put(Sum, "sum", sums).at(Round);
        /// # Rounding
        let [blue, green, red] = sums.map(limited);
        pipe.put(Round, "mixed", color().pack(&Color { blue, green, red }))
    }
}

/// A sum of two shares out of 64, rounded and limited to the component.
#[kernel]
fn limited(sum: Bits) -> Bits {
    let bits = sum.width() - FACTOR_BITS;
    let rounded = round_half_even(sum, SHARE_BITS);
    discard(rounded.high(1), "below twice the largest component and one");
    rounded.low(bits) | rounded.bit(bits).repeat(bits)
}

/// One of eight.
#[kernel]
fn select(from: &[Bits], number: Bits) -> Bits {
    match from {
        [one] => *one,
        _ => {
            let (low, high) = from.split_at(from.len() / 2);
            let bit = from.len().ilog2() as usize - 1;
            if number.bit(bit) { select(high, number) } else { select(low, number) }
        }
    }
}
