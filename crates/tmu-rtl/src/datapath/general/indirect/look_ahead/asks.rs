//! `asks`: the first passes of `look_ahead`, a row a clock.
//!
//! A row is either the places of a value for all pixels, or those of all values of a pixel (`row`). Row n stands askew, so that what comes
//! back fits into the RAMs of `kept` as it is: the first pixel or value in lane n, the next one in the lane behind it, and so on round.
//! From a value's row to the next one, each lane takes over what the lane before it has, and adds the offset. In a row of a pixel each
//! lane adds to its place as many offsets as its value has a number; those are -1, 0 or 1 there.
//!
//! Cost: a row is there two clocks behind its quad at the soonest. Eight sums of 32 bits.

use super::row::{self, NUMBER_BITS as ROW_BITS};
use super::{AXES, Coming, OFFSET_BITS, Row, VALUE_BITS};
use crate::datapath::general::indirect::fields::Choice;
use crate::datapath::general::words::{NUMBER_BITS, PIXELS};
use crate::datapath::words::by_parity;
use tmu_hdl::prelude::*;

/// What a quad asks for.
#[derive(Clone, Debug, Record)]
struct Asked<T = Bits> {
    offsets: [T; AXES],
    more: T,
    choice: Choice<T>,
    valid: T,
    is_of_pixel: T,
    places: [[T; AXES]; PIXELS],
}

impl Asked<Width> {
    fn shape() -> Asked<Width> {
        Asked {
            offsets: [Width::bits(OFFSET_BITS); AXES],
            more: Width::bits(VALUE_BITS),
            choice: Choice::shape(),
            valid: Width::bits(PIXELS),
            is_of_pixel: Width::bits(1),
            places: [[Width::bits(NUMBER_BITS); AXES]; PIXELS],
        }
    }
}

/// A row, and what goes along with it.
#[derive(Clone, Debug, Record)]
pub(super) struct AskedRow<T = Bits> {
    pub(super) row: Row<T>,
    pub(super) is_last: T,
    pub(super) more: T,
    pub(super) choice: Choice<T>,
    /// Lanes that count.
    pub(super) valid: T,
    pub(super) places: [[T; AXES]; PIXELS],
}

impl AskedRow<Width> {
    fn shape() -> AskedRow<Width> {
        let Asked { more, choice, valid, places, .. } = Asked::shape();
        AskedRow { row: Row::shape(), is_last: Width::bits(1), more, choice, valid, places }
    }
}

/// First passes.
#[derive(Bundle)]
pub(super) struct Asks {
    /// Rows are still to be made.
    is_busy: Reg,
    asked: Asked<FieldReg>,
    /// Nothing of it has been made.
    begins: Reg,
    /// The next row.
    number: Reg,
    /// What each lane adds for that.
    steps: Vec<[Reg; AXES]>,
    /// Where a row is of a pixel, the pixel's place.
    chosen: [Reg; AXES],
    has_row: Reg,
    row: AskedRow<FieldReg>,
}

impl Asks {
    pub(super) fn new(clocks: &Clocks) -> Asks {
        let step = || Reg::new(clocks, OFFSET_BITS);
        Asks {
            is_busy: Reg::with_reset(clocks, 1, 0),
            asked: Asked::shape().registers(clocks),
            begins: Reg::new(clocks, 1),
            number: Reg::new(clocks, ROW_BITS),
            steps: (0..PIXELS).map(|_| [step(), step()]).collect(),
            chosen: std::array::from_fn(|_| Reg::new(clocks, NUMBER_BITS)),
            has_row: Reg::with_reset(clocks, 1, 0),
            row: AskedRow::shape().registers(clocks),
        }
    }

    /// One bit: rows are still to be made.
    pub(super) fn is_busy(&self) -> Bits {
        self.is_busy.val()
    }

    /// One bit: a row is there.
    pub(super) fn has_row(&self) -> Bits {
        self.has_row.val()
    }

    /// The row.
    pub(super) fn row(&self) -> AskedRow {
        self.row.val()
    }
}

/// Takes an indirect quad, while none is busy.
#[kernel]
pub(super) fn take(asks: &Asks, takes: Bits, coming: &Coming) {
    /// # Quads whose first pass is to be made
    let integers = |place: &[Bits; AXES]| [place[0].low(NUMBER_BITS), place[1].low(NUMBER_BITS)];
    if takes {
        asks.asked.next = Asked {
            offsets: coming.offsets,
            more: coming.marks.more,
            choice: coming.choice.clone(),
            valid: coming.valid,
            is_of_pixel: coming.row.is_of_pixel,
            places: std::array::from_fn(|pixel| integers(&coming.places[pixel])),
        };
    }
}

/// The next row; `leaves`: that which is there goes; `waits`: a register of a binding is still to leave. `takes`: a quad comes.
#[kernel]
pub(super) fn make(asks: &Asks, [leaves, waits, takes]: [Bits; 3], coming: &Coming) {
    /// # Rows of first passes
    let Asked { offsets, more, choice, valid, is_of_pixel, .. } = asks.asked.val();
    let number = asks.number.val();
    let makes = asks.is_busy.val() && !waits && (!asks.has_row.val() || leaves);
    let is_above = |pixel: usize| number < pixel as u64;
    let is_last_pixel = !stack((0..PIXELS).map(|pixel| valid.bit(pixel) && is_above(pixel))).any();
    let is_last = if is_of_pixel { is_last_pixel } else { number == more };
    let next = if is_of_pixel { row::following(valid, is_above) } else { number + 1 };
    asks.is_busy.next = takes || (asks.is_busy.val() && !(makes && is_last));
    asks.has_row.next = makes || (asks.has_row.val() && !leaves);
    let (is_busy, coming_row) = (asks.is_busy.val(), &coming.row);
    let of_next = Step {
        number: if is_busy { next } else { coming_row.number },
        is_of_pixel: if is_busy { is_of_pixel } else { coming_row.is_of_pixel },
        begins: !is_busy,
    };
    if takes || makes {
        asks.begins.next = of_next.begins;
        asks.number.next = of_next.number;
    }
    for axis in 0..AXES {
        /// Chosen a clock before it is added to: both in one clock are too deep.
        let own = asks.asked.val().places.map(|place| place[axis]);
        let own = by_parity(next.bit(0), next.bit(1), &own);
        let first = [0, 1, 2, 3].map(|pixel: usize| coming.places[pixel][axis].low(NUMBER_BITS));
        let first = by_parity(coming_row.number.bit(0), coming_row.number.bit(1), &first);
        if takes || makes {
            asks.chosen[axis].next = if is_busy { own } else { first };
        }
        let offset = if is_busy { offsets[axis] } else { coming.offsets[axis] };
        for (lane, steps) in asks.steps.iter().enumerate() {
            let step = step(&of_next, offset, lane);
            if takes || makes {
                steps[axis].next = step;
            }
        }
    }
    if makes {
        asks.row.next = AskedRow {
            row: Row { is_of_pixel, number },
            is_last,
            more,
            choice,
            valid: lanes_that_count(asks),
            places: std::array::from_fn(|lane| places(asks, lane)),
        };
    }
}

/// What a row is to begin with.
struct Step {
    number: Bits,
    is_of_pixel: Bits,
    /// It is the first one of its quad.
    begins: Bits,
}

/// What a lane adds for a row.
#[kernel]
fn step(of: &Step, offset: Bits, lane: usize) -> Bits {
    let value = lit(ROW_BITS, lane as u32) - of.number;
    // Of -1, 0 and 1 the bits above these two are all the same, times whatever value.
    let (one, sign) = (offset.bit(0), offset.bit(1));
    let zero = lit(1, 0u32);
    let low = [cat(&[zero, zero]), offset.low(2), cat(&[one, zero]), cat(&[one && !sign, one])];
    let of_pixel = by_parity(value.bit(0), value.bit(1), &low);
    let low = if of.is_of_pixel { of_pixel } else { offset.low(2) };
    let is_none = if of.is_of_pixel { !value.any() } else { of.begins };
    if is_none { lit(OFFSET_BITS, 0u32) } else { cat(&[offset.high(OFFSET_BITS - 2), low]) }
}

/// The places of the next row in a lane.
#[kernel]
fn places(asks: &Asks, lane: usize) -> [Bits; AXES] {
    let Asked { is_of_pixel, places, .. } = asks.asked.val();
    let before = asks.row.val().places[(lane + PIXELS - 1) % PIXELS];
    [0, 1].map(|axis: usize| {
        let chosen = asks.chosen[axis].val();
        let of_value = if asks.begins.val() { places[lane][axis] } else { before[axis] };
        asks.steps[lane][axis].val().sign_extend(NUMBER_BITS) + if is_of_pixel { chosen } else { of_value }
    })
}

/// Lanes of the next row that count: those of valid pixels, or of a valid pixel those of its values.
#[kernel]
fn lanes_that_count(asks: &Asks) -> Bits {
    let Asked { more, valid, is_of_pixel, .. } = asks.asked.val();
    let (number, before) = (asks.number.val(), asks.row.val().valid);
    let pixels = [valid.bit(0), valid.bit(1), valid.bit(2), valid.bit(3)];
    let is_valid = by_parity(number.bit(0), number.bit(1), &pixels);
    let lane = |lane: usize| {
        let value = lit(ROW_BITS, lane as u32) - number;
        let of_value =
            if asks.begins.val() { valid.bit(lane) } else { before.bit((lane + PIXELS - 1) % PIXELS) };
        if is_of_pixel { is_valid && more >= value } else { of_value }
    };
    stack((0..PIXELS).map(lane))
}
