//! `divider`: exact coordinates on the face of a cube, `floor((s / m + 1) / 2 * 2^20)`, limited to what a coordinate can be.
//!
//! A bit of the quotient a step, without restoring; [`STEPS`] steps stand in a ring. A coordinate that lies on its face takes two
//! rounds: s is at most m, so the quotient has one bit in front of the point and 19 behind it. One beside it takes four: 21 bits in
//! front. Then the remainder says how a negative quotient is rounded down.
//!
//! Contract: divisions of one length leave in the order in which they came. Initiation interval: as many divisions as there are
//! steps in the clocks of their rounds. Latency 20 or 40 clocks, and 5.

use super::face::{Division, Mark};
use crate::datapath::general::words::{NUMBER_BITS, PLACE_BITS};
use tmu_hdl::prelude::*;

/// Steps of the ring.
const STEPS: usize = 10;
/// Rounds of a division, and of one whose quotient may be large.
const ROUNDS: u32 = 2;
const LONG_ROUNDS: u32 = 4;
/// Bits of the number of rounds that are left.
const ROUND_BITS: usize = 2;
/// Bits of the dividend that are shifted in behind the first step of a long division: those that remain when as many as all rounds
/// have steps, less the first one and less the bits behind the point, have gone.
const TAIL_BITS: usize = LONG_ROUNDS as usize * STEPS - 1 - FRACTION_BITS;
/// Bits behind the point of a quotient: the coordinate is half of it, and a half.
const FRACTION_BITS: usize = 19;
/// Bits of a remainder: below the divisor on either side of 0.
const REMAINDER_BITS: usize = NUMBER_BITS + 1;
/// Bits of a quotient that is no limit.
const QUOTIENT_BITS: usize = PLACE_BITS - 1;

/// What is kept of a division in front of a step.
#[derive(Clone, Debug, Record)]
struct Slot<T = Bits> {
    mark: Mark<T>,
    is_negative: T,
    is_behind: T,
    rounds: T,
    remainder: T,
    divisor: T,
    tail: T,
    quotient: T,
    /// The quotient is over every limit.
    is_over: T,
}

impl Slot<Width> {
    fn shape() -> Slot<Width> {
        let bit = Width::bits(1);
        Slot {
            mark: Mark::shape(),
            is_negative: bit,
            is_behind: bit,
            rounds: Width::bits(ROUND_BITS),
            remainder: Width::bits(REMAINDER_BITS),
            divisor: Width::bits(NUMBER_BITS),
            tail: Width::bits(TAIL_BITS),
            quotient: Width::bits(QUOTIENT_BITS),
            is_over: bit,
        }
    }
}

/// A coordinate on a face.
#[derive(Clone, Debug, Record)]
pub(super) struct Coordinate<T = Bits> {
    /// Which one.
    pub(super) mark: Mark<T>,
    /// Its value, s16.20.
    pub(super) value: T,
    /// The pixel does not lie in front of the face.
    pub(super) is_behind: T,
}

impl Coordinate<Width> {
    pub(super) fn shape() -> Coordinate<Width> {
        Coordinate { mark: Mark::shape(), value: Width::bits(PLACE_BITS), is_behind: Width::bits(1) }
    }
}

/// Where a division is behind the ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
enum Stage {
    /// It leaves the ring; its remainder is made positive.
    Leave,
    /// The remainder is looked at.
    Remainder,
    /// The quotient gets its sign, and half the face is added.
    Sign,
    /// It is limited.
    Limit,
    /// It leaves.
    Exit,
}

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
    /// There is a coordinate.
    pub(super) out_valid: Net<Out>,
    /// The coordinate.
    pub(super) coordinate: Coordinate<Field<Out>>,
    valid: Vec<Reg>,
    /// The last division has rounds to go.
    returns: Reg,
    slots: Vec<Slot<FieldReg>>,
    pipe: Pipe<Stage>,
}

impl Divider {
    pub(super) fn new() -> Divider {
        let clocks = Clocks::new();
        let divider = Divider {
            advance: Net::bit(),
            in_valid: Net::bit(),
            division: Division::shape().nets(),
            takes: Net::bit(),
            out_valid: Net::bit(),
            coordinate: Coordinate::shape().nets(),
            valid: (0..STEPS).map(|_| Reg::with_reset(&clocks, 1, 0)).collect(),
            returns: Reg::with_reset(&clocks, 1, 0),
            slots: (0..STEPS).map(|_| Slot::shape().registers(&clocks)).collect(),
            pipe: Pipe::new(),
            clocks,
        };
        divider.pipe.plan(&divider.clocks, || divider.logic());
        divider
    }
}

/// Divisions to coordinates.
#[kernel]
impl Divider {
    fn logic(&self) {
        timing(2 * STEPS as u32 + 4, 2);
        self.ring();
        self.leave();
    }

    fn ring(&self) {
        /// # Ring
        let advance = self.advance.val();
        let last = self.slots[STEPS - 1].val();
        let returns = self.returns.val();
        let before = self.slots[STEPS - 2].val();
        if advance {
            self.returns.next = self.valid[STEPS - 2].val() && before.rounds.any();
        }
        self.takes.next = !returns;
        let entry = self.entry(&last, returns);
        let comes = returns || self.in_valid.val();
        if advance {
            self.valid[0].next = comes;
            self.slots[0].next = first_step(&entry, returns);
        }
        for number in 1..STEPS {
            let before = self.slots[number - 1].val();
            if advance {
                self.valid[number].next = self.valid[number - 1].val();
                self.slots[number].next =
                    step(&before, cat(&[before.remainder.low(REMAINDER_BITS - 1), before.tail.high(1)]));
            }
        }
    }

    /// What goes into the first step: a division that has rounds to go, or a new one.
    fn entry(&self, last: &Slot, returns: Bits) -> Slot {
        let division = self.division.val();
        let is_long = division.mark.is_extra;
        let rounds = if is_long { lit(ROUND_BITS, LONG_ROUNDS - 1) } else { lit(ROUND_BITS, ROUNDS - 1) };
        let head = division.dividend.high(NUMBER_BITS - TAIL_BITS).zero_extend(REMAINDER_BITS);
        let whole = division.dividend.zero_extend(REMAINDER_BITS);
        let new = Slot {
            mark: division.mark,
            is_negative: division.is_negative,
            is_behind: division.is_behind,
            rounds,
            remainder: if is_long { head } else { whole },
            divisor: division.divisor,
            tail: division.dividend.low(TAIL_BITS) & is_long.repeat(TAIL_BITS),
            quotient: lit(QUOTIENT_BITS, 0u32),
            is_over: lit(1, 0u32),
        };
        let again = Slot { rounds: last.rounds - 1, ..last.clone() };
        if returns { again } else { new }
    }

    fn leave(&self) {
        /// # Rounding and limits
        let pipe = self.pipe.run(&self.clocks, self.advance.val());
        let last = self.slots[STEPS - 1].val();
        let leaves = self.valid[STEPS - 1].val() && !last.rounds.any();
        let out_valid = pipe.flag(Stage::Leave, "leaves", leaves);
        let mark = pipe.put(Stage::Leave, "mark", last.mark);
        let is_behind = pipe.put(Stage::Leave, "is_behind", last.is_behind);
        let is_negative = pipe.put(Stage::Leave, "is_negative", last.is_negative);
        let is_over = pipe.put(Stage::Leave, "is_over", last.is_over);
        let quotient = pipe.put(Stage::Leave, "quotient", last.quotient);
        let missing =
            last.divisor.zero_extend(REMAINDER_BITS) & last.remainder.high(1).repeat(REMAINDER_BITS);
        let remainder = pipe.put(Stage::Leave, "remainder", last.remainder + missing).at(Stage::Remainder);
        let is_exact = pipe.put(Stage::Remainder, "is_exact", !remainder.any()).at(Stage::Sign);
        discard(last.tail, "all of it has been shifted in");
        /// A negative quotient is rounded away from 0: its complement, and one more where it is exact.
        let sign = is_negative.at(Stage::Sign);
        let signed = cat(&[lit(2, 0u32), quotient.at(Stage::Sign)]) ^ sign.repeat(QUOTIENT_BITS + 2);
        let half = lit(QUOTIENT_BITS + 2, 1u32 << FRACTION_BITS);
        let sum = cat(&[signed, lit(1, 1u32)]) + cat(&[half, sign && is_exact]);
        discard(sum.low(1), "it only carries in");
        let sum = pipe.put(Stage::Sign, "sum", sum.high(QUOTIENT_BITS + 2)).at(Stage::Limit);
        let is_low = is_negative.at(Stage::Limit);
        let is_high = !is_low && sum.bit(QUOTIENT_BITS);
        let most = cat(&[is_low, (!is_low).repeat(QUOTIENT_BITS)]);
        let value = if is_over.at(Stage::Limit) || is_high { most } else { sum.low(PLACE_BITS) };
        discard(sum.high(1), "the sign stands below");
        self.out_valid.next = out_valid.at(Stage::Exit);
        self.coordinate.next = Coordinate {
            mark: mark.at(Stage::Exit),
            value: pipe.put(Stage::Limit, "value", value).at(Stage::Exit),
            is_behind: is_behind.at(Stage::Exit),
        };
    }
}

/// A step with what is left of the dividend already shifted. The sign of the remainder says whether the divisor is taken away or given
/// back, the sign of what comes of it is the next bit of the quotient.
#[kernel]
fn step(slot: &Slot, shifted: Bits) -> Slot {
    stepped(slot, shifted, slot.remainder.high(1))
}

/// The first step of a round; that of a new division begins with the dividend as it is.
#[kernel]
fn first_step(slot: &Slot, returns: Bits) -> Slot {
    let again = cat(&[slot.remainder.low(REMAINDER_BITS - 1), slot.tail.high(1)]);
    let shifted = if returns { again } else { slot.remainder };
    let next = stepped(slot, shifted, slot.remainder.high(1) && returns);
    let tail = if returns { next.tail } else { slot.tail };
    Slot { tail, ..next }
}

#[kernel]
fn stepped(slot: &Slot, shifted: Bits, gives_back: Bits) -> Slot {
    let divisor = slot.divisor.zero_extend(REMAINDER_BITS);
    let remainder = if gives_back { shifted + divisor } else { shifted - divisor };
    Slot {
        remainder,
        tail: cat(&[slot.tail.low(TAIL_BITS - 1), lit(1, 0u32)]),
        quotient: cat(&[slot.quotient.low(QUOTIENT_BITS - 1), !remainder.high(1)]),
        is_over: slot.is_over || slot.quotient.high(1),
        ..slot.clone()
    }
}
