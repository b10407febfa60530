//! `divider`: exact quotients of magnitudes, and of them coordinates.
//!
//! A bit of the quotient a step, without restoring; [so many](Parts::steps) steps stand in a ring. A coordinate that lies on its face
//! takes [a round or two](Parts::short_rounds): the dividend is at most the divisor, so the quotient has one bit in front of the point
//! and 19 behind it. Others may be larger, and take [more](Parts::long_rounds). Then the remainder says how a negative quotient is rounded down. Quotients of singles leave as digits.
//!
//! Contract: divisions of one length leave in the order in which they came. Initiation interval: as many divisions as there are
//! steps in the clocks of their rounds. Latency a clock a step in each round, and the stages of [`Stage`].

use super::number::{HIGHEST_BITS, is_limited, is_low_zero, signed};
use super::shapes::{DIGITS, Division, MAGNITUDE_BITS, Mark, Parts, Quotient};
use tmu_hdl::prelude::*;

/// Bits of the number of rounds that are left.
const ROUND_BITS: usize = 3;
/// Bits behind the point of a coordinate on a face before half of the face is added.
const FRACTION_BITS: usize = 19;

/// How long divisions are.
#[derive(Clone, Copy, Debug)]
struct Lengths {
    /// Bits of a divisor.
    divisor: usize,
    /// Bits of a dividend.
    dividend: usize,
    /// Bits of the dividend that are shifted in behind the first step of a long division: those that remain when as many as all rounds
    /// have steps, less the first one and less the bits behind the point, have gone. None where dividend and divisor are significands.
    tail: usize,
    /// Bits of a quotient that is not over every limit.
    quotient: usize,
}

impl Lengths {
    fn of(parts: Parts) -> Lengths {
        let most = parts.long_rounds() as usize * parts.steps();
        Lengths {
            divisor: parts.divisor_bits(),
            dividend: parts.dividend_bits(),
            tail: if parts.floats { 0 } else { most - 1 - FRACTION_BITS },
            quotient: if parts.floats { DIGITS } else { MAGNITUDE_BITS - 1 },
        }
    }

    /// Bits of a remainder: below the divisor on either side of 0. A significand is below twice another one.
    fn remainder(self) -> usize {
        self.divisor + 1
    }
}

/// What is kept of a division in front of a step.
#[derive(Clone, Debug, Record)]
struct Slot<T = Bits> {
    mark: Mark<T>,
    is_cube: T,
    is_negative: T,
    is_behind: T,
    rounds: T,
    remainder: T,
    divisor: T,
    /// It has registers of its own, see [`Divider`].
    tail: T,
    quotient: T,
    down: T,
    /// The quotient is over every limit.
    is_over: T,
}

impl Slot<Width> {
    fn of(parts: Parts) -> Slot<Width> {
        let (bit, lengths) = (Width::bits(1), Lengths::of(parts));
        let Division { mark, is_cube, is_negative, is_behind, down, .. } = Division::of(parts);
        Slot {
            mark,
            is_cube,
            is_negative,
            is_behind,
            rounds: Width::bits(ROUND_BITS),
            remainder: Width::bits(lengths.remainder()),
            divisor: Width::bits(lengths.divisor),
            tail: Width::bits(lengths.tail.max(1)).when(false),
            quotient: Width::bits(lengths.quotient),
            down,
            is_over: bit,
        }
    }
}

/// Where a division is behind the ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
enum Stage {
    /// It leaves the ring; its remainder is made positive.
    Leave,
    /// The remainder is looked at.
    Remainder,
    /// The quotient is compared with the limits.
    Limit,
    /// It gets its sign, and half the face is added.
    Sign,
    /// It leaves.
    Exit,
}

/// The stages of quotients that leave as digits.
const DIGIT_STAGES: [Stage; 3] = [Stage::Leave, Stage::Remainder, Stage::Exit];

/// See the module's documentation.
#[derive(LogicBlock)]
pub(super) struct Divider {
    /// Clock and reset.
    pub(super) clocks: Clocks,
    /// All divisions move on at the next edge.
    pub(super) advance: Net<In>,
    /// There is a division.
    pub(super) in_valid: Net<In>,
    /// The division.
    pub(super) division: Division<Field<In>>,
    /// It is taken at the next edge, if that moves.
    pub(super) takes: Net<Out>,
    /// There is a quotient.
    pub(super) out_valid: Net<Out>,
    /// The quotient.
    pub(super) quotient: Quotient<Field<Out>>,
    valid: Vec<Reg>,
    /// The last division has rounds to go.
    returns: Reg,
    slots: Vec<Slot<FieldReg>>,
    /// The tails of the slots. Only their reset keeps synthesis from making shift registers of LUTs of them, out of which no sum
    /// of a step could come in a clock.
    tails: Vec<Reg>,
    pipe: Pipe<Stage>,
    _parts: Parts,
}

impl Divider {
    pub(super) fn new(parts: Parts) -> Divider {
        let clocks = Clocks::new();
        let tail_bits = Lengths::of(parts).tail;
        let divider = Divider {
            advance: Net::bit(),
            in_valid: Net::bit(),
            division: Division::of(parts).nets(),
            takes: Net::bit(),
            out_valid: Net::bit(),
            quotient: Quotient::of(parts).nets(),
            valid: (0..parts.steps()).map(|_| Reg::with_reset(&clocks, 1, 0)).collect(),
            returns: Reg::with_reset(&clocks, 1, 0),
            slots: (0..parts.steps()).map(|_| Slot::of(parts).registers(&clocks)).collect(),
            tails: (0..if tail_bits > 0 { parts.steps() } else { 0 })
                .map(|_| Reg::with_reset(&clocks, tail_bits, 0))
                .collect(),
            pipe: if parts.floats { Pipe::with(&DIGIT_STAGES) } else { Pipe::new() },
            _parts: parts,
            clocks,
        };
        divider.pipe.plan(&divider.clocks, || divider.logic());
        divider
    }
}

/// Divisions to quotients.
#[kernel]
impl Divider {
    fn logic(&self) {
        let lengths = Lengths::of(self._parts);
        let rounds = self._parts.short_rounds();
        timing(rounds * self._parts.steps() as u32 + self.pipe.latency_clocks(), rounds);
        self.ring(lengths);
        self.leave(lengths);
    }

    fn ring(&self, lengths: Lengths) {
        /// # Ring
        let advance = self.advance.val();
        let steps = self._parts.steps();
        let last = self.slot(steps - 1);
        let returns = self.returns.val();
        let before = self.slots[steps - 2].val();
        if advance {
            self.returns.next = self.valid[steps - 2].val() && before.rounds.any();
        }
        self.takes.next = !returns;
        let entry = self.entry(lengths, &last, returns);
        let comes = returns || self.in_valid.val();
        if advance {
            self.valid[0].next = comes;
            self.keep(0, first_step(lengths, &entry, returns));
        }
        for number in 1..steps {
            let before = self.slot(number - 1);
            if advance {
                self.valid[number].next = self.valid[number - 1].val();
                let next = stepped(lengths, &before, shifted(lengths, &before), before.remainder.high(1));
                self.keep(number, next);
            }
        }
    }

    fn slot(&self, number: usize) -> Slot {
        let slot = self.slots[number].val();
        let tail = self.tails.get(number).map_or(slot.tail, Reg::val);
        Slot { tail, ..slot }
    }

    fn keep(&self, number: usize, slot: Slot) {
        if let Some(tail) = self.tails.get(number) {
            tail.next = slot.tail;
        }
        self.slots[number].next = slot;
    }

    /// What goes into the first step: a division that has rounds to go, or a new one.
    fn entry(&self, lengths: Lengths, last: &Slot, returns: Bits) -> Slot {
        let division = self.division.val();
        let is_long = division.is_long;
        let [long, short] =
            [self._parts.long_rounds(), self._parts.short_rounds()].map(|rounds| lit(ROUND_BITS, rounds - 1));
        let rounds = if is_long { long } else { short };
        let whole = division.dividend.zero_extend(lengths.remainder().max(lengths.dividend));
        let (remainder, tail) = if lengths.tail == 0 {
            (whole, lit(1, 0u32))
        } else {
            let digits = division.dividend.zero_extend(lengths.tail.max(lengths.dividend));
            let above = digits.width() - lengths.tail;
            let head = if above > 0 { digits.high(above) } else { lit(1, 0u32) };
            let begins = if is_long { head.zero_extend(whole.width()) } else { whole };
            (begins, digits.low(lengths.tail) & is_long.repeat(lengths.tail))
        };
        let new = Slot {
            mark: division.mark,
            is_cube: division.is_cube,
            is_negative: division.is_negative,
            is_behind: division.is_behind,
            rounds,
            remainder: remainder.low(lengths.remainder()),
            divisor: division.divisor,
            tail,
            quotient: lit(lengths.quotient, 0u32),
            down: division.down,
            is_over: division.is_over,
        };
        let again = Slot { rounds: last.rounds - 1, ..last.clone() };
        if returns { again } else { new }
    }

    fn leave(&self, lengths: Lengths) {
        /// # Rounding and limits
        let parts = self._parts;
        let pipe = self.pipe.run(&self.clocks, self.advance.val());
        let steps = parts.steps();
        let last = self.slots[steps - 1].val();
        let leaves = self.valid[steps - 1].val() && !last.rounds.any();
        let out_valid = pipe.flag(Stage::Leave, "leaves", leaves);
        let mark = pipe.put(Stage::Leave, "mark", last.mark);
        let is_behind = pipe.put(Stage::Leave, "is_behind", last.is_behind);
        let is_negative = pipe.put(Stage::Leave, "is_negative", last.is_negative);
        let is_over = pipe.put(Stage::Leave, "is_over", last.is_over);
        let is_cube = pipe.put(Stage::Leave, "is_cube", last.is_cube);
        let quotient = pipe.put(Stage::Leave, "quotient", last.quotient);
        let down = pipe.put(Stage::Leave, "down", last.down);
        let width = lengths.remainder();
        let missing = last.divisor.zero_extend(width) & last.remainder.high(1).repeat(width);
        let remainder = pipe.put(Stage::Leave, "remainder", last.remainder + missing).at(Stage::Remainder);
        let is_exact = pipe.put(Stage::Remainder, "is_exact", !remainder.any());
        if let Some(tail) = self.tails.last() {
            discard(tail.val(), "all of it has been shifted in");
        }
        let coordinate = if parts.floats {
            quotient.at(Stage::Exit)
        } else {
            let highest = cat(&[is_over.at(Stage::Limit), quotient.at(Stage::Limit).high(HIGHEST_BITS - 1)]);
            let sign = is_negative.at(Stage::Limit);
            let on_face = parts.cube.then(|| is_cube.at(Stage::Limit));
            let limited = pipe.put(Stage::Limit, "is_limited", is_limited(highest, sign, on_face));
            let flags = [&limited, &is_negative, &is_exact, &is_cube].map(|of| of.at(Stage::Sign));
            let low = pipe.put(Stage::Limit, "is_low_zero", is_low_zero(quotient.at(Stage::Limit)));
            let coordinate = signed(quotient.at(Stage::Sign), low.at(Stage::Sign), flags);
            pipe.put(Stage::Sign, "coordinate", coordinate).at(Stage::Exit)
        };
        self.out_valid.next = out_valid.at(Stage::Exit);
        self.quotient.next = Quotient {
            mark: mark.at(Stage::Exit),
            is_behind: is_behind.at(Stage::Exit),
            quotient: coordinate,
            is_cube: is_cube.at(Stage::Exit),
            is_negative: is_negative.at(Stage::Exit),
            is_exact: is_exact.at(Stage::Exit),
            down: down.at(Stage::Exit),
            is_over: is_over.at(Stage::Exit),
        };
    }
}

/// What is left of a dividend, a bit further.
#[kernel]
fn shifted(lengths: Lengths, slot: &Slot) -> Bits {
    cat(&[slot.remainder.low(lengths.remainder() - 1), slot.tail.high(1)])
}

/// The first step of a round; that of a new division begins with the dividend as it is.
#[kernel]
fn first_step(lengths: Lengths, slot: &Slot, returns: Bits) -> Slot {
    let begun = if returns { shifted(lengths, slot) } else { slot.remainder };
    let next = stepped(lengths, slot, begun, slot.remainder.high(1) && returns);
    let tail = if returns { next.tail } else { slot.tail };
    Slot { tail, ..next }
}

/// A step with what is left of the dividend already shifted. The sign of the remainder says whether the divisor is taken away or given
/// back, the sign of what comes of it is the next bit of the quotient.
#[kernel]
fn stepped(lengths: Lengths, slot: &Slot, shifted: Bits, gives_back: Bits) -> Slot {
    let takes = !gives_back;
    let divisor = slot.divisor.zero_extend(lengths.remainder()) ^ takes.repeat(lengths.remainder());
    let sum = cat(&[shifted, lit(1, 1u32)]) + cat(&[divisor, takes]);
    discard(sum.low(1), "it only carries in");
    let remainder = sum.high(lengths.remainder());
    if lengths.tail == 0 {
        discard(slot.quotient.high(1), "a long division has as many digits");
    }
    let tail =
        if lengths.tail > 1 { cat(&[slot.tail.low(lengths.tail - 1), lit(1, 0u32)]) } else { slot.tail };
    Slot {
        remainder,
        tail,
        quotient: cat(&[slot.quotient.low(lengths.quotient - 1), !remainder.high(1)]),
        is_over: if lengths.tail == 0 { slot.is_over } else { slot.is_over || slot.quotient.high(1) },
        ..slot.clone()
    }
}
