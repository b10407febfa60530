//! `places`: where the parts of long footprints lie that are in a row.
//!
//! Part i of N lies `(d × (2i + 1 − N)) >> (log2 N + 1)` beside its pixel, d being a difference of the longer edge: with h = d × 16 / N
//! that is `((2i + 1 − N)·h) >> 5`. Four parts of a pixel lie h and 3h to either side of their middle, which is beside the pixel by a
//! multiple of 4h: by nothing where there are four parts, by h × 4 to either side of eight, by h × 4 and h × 12 to either side
//! of sixteen. Two parts lie h to either side of the pixel. So h and 3h are made once of an item, the middle for each row, and each
//! lane adds or subtracts one of them.
//!
//! Cost: a clock. For each axis the sum 3h, that of the middle and one for each lane.

use super::words::{LANES, Row};
use crate::datapath::general::axis::COORDINATE_BITS;
use crate::datapath::general::probes::parts::{HALF_BITS, half_step};
use crate::datapath::general::probes::{Next, first_if, first_of};
use crate::datapath::general::words::{LeveledItem, PARTS_LOG2_BITS, PIXELS, Place, SPREAD_BITS};
use tmu_hdl::prelude::*;
use tmu_spec::Config;

/// Bits of the number of a row of a pixel.
const NUMBER_BITS: usize = 2;
/// Bits of a sum of h behind those of a coordinate.
const BEHIND_BITS: usize = 5;
/// Bits of a place with so many behind it.
const SUM_BITS: usize = COORDINATE_BITS + BEHIND_BITS;
/// Bits of 4h behind those of a coordinate.
const MIDDLE_BEHIND_BITS: usize = BEHIND_BITS - 2;
/// Bits of a place with so many behind it.
const MIDDLE_BITS: usize = COORDINATE_BITS + MIDDLE_BEHIND_BITS;

/// How far parts lie beside each other along an axis.
#[derive(Clone, Debug, Record)]
pub(super) struct Steps<T = Bits> {
    /// Half a step, h.
    half: T,
    /// 3h.
    triple: T,
}

impl Steps<Width> {
    fn shape() -> Steps<Width> {
        Steps { half: Width::bits(HALF_BITS), triple: Width::bits(SUM_BITS) }
    }
}

/// A row whose lanes are still to find their places.
#[derive(Clone, Debug, Record)]
struct Start<T = Bits> {
    row: Row<T>,
    /// The middle of the parts of its first pixel, along u and v.
    middles: [T; 2],
    /// Where pixels 1 to 3 are.
    others: [[T; 2]; PIXELS - 1],
    steps: [Steps<T>; 2],
    /// For each lane but the first: the pixel beside which it lies, or none: the middle.
    pixels: [T; LANES - 1],
    /// All lanes belong to one pixel.
    is_whole: T,
    parts_log2: T,
}

impl Start<Width> {
    fn of(config: &Config) -> Start<Width> {
        let place = LeveledItem::of(config).places[0].u;
        let two = Width::bits(2);
        Start {
            row: Row::of(config).without_places(),
            middles: [Width::bits(MIDDLE_BITS); 2],
            others: [[place; 2]; PIXELS - 1],
            steps: [Steps::shape(), Steps::shape()],
            pixels: [Width::bits(1), two, two],
            is_whole: Width::bits(1),
            parts_log2: Width::bits(PARTS_LOG2_BITS),
        }
    }
}

/// The rows that a pixel has, and the clock in which lanes get their places.
#[derive(Bundle)]
pub(super) struct Parts {
    /// Rows of a pixel behind the present one.
    left: Reg,
    /// Rows behind the first one of each pixel.
    behind_first: Reg,
    is_last: Reg,
    /// log2 of the lanes that a pixel of the item has. A register of a binding has them all.
    pub(super) spread: Reg,
    /// The item's pixels that rows are counted by.
    pub(super) pixels: Reg,
    steps: [Steps<FieldReg>; 2],
    has_row: Reg,
    start: Start<FieldReg>,
}

impl Parts {
    pub(super) fn new(clocks: &Clocks, config: &Config) -> Parts {
        let steps = || Steps::shape().registers(clocks);
        Parts {
            left: Reg::new(clocks, NUMBER_BITS),
            behind_first: Reg::new(clocks, NUMBER_BITS),
            is_last: Reg::new(clocks, 1),
            spread: Reg::new(clocks, SPREAD_BITS),
            pixels: Reg::new(clocks, PIXELS),
            steps: [steps(), steps()],
            has_row: Reg::with_reset(clocks, LANES, 0),
            start: Start::of(config).registers(clocks),
        }
    }
}

/// What is known of an item that comes.
pub(super) struct Comes {
    /// It has probes.
    has_probes: Bits,
    /// Its pixels that rows are counted by, if it has probes.
    pixels: Bits,
    /// The first of them, or none if it has no probes.
    pub(super) first: Next,
    /// Rows behind the first one of a pixel.
    behind_first: Bits,
}

/// What is known of an item.
#[kernel]
pub(super) fn comes(item: &LeveledItem, has_probes: Bits) -> Comes {
    /// # What comes
    let [one, two, four] = [0, 1, 2].map(|bit| item.parts_log2.bit(bit));
    let (is_whole, is_pair) = (two || four, one && !two && !four);
    let pixel = |number: usize| item.valid.bit(number);
    let (upper, lower) = (pixel(0) || pixel(1), pixel(2) || pixel(3));
    let any_upper = if is_pair { upper } else { upper || lower };
    let pixels = [
        if is_whole { pixel(0) } else { any_upper },
        is_whole && pixel(1),
        if is_whole { pixel(2) } else { is_pair && lower },
        is_whole && pixel(3),
    ];
    // The first of these, but found in less time.
    let none = lit(1, 0u32);
    let has_both = is_pair && upper && lower;
    let of_pairs = Next {
        pixel: cat(&[is_pair && !upper && lower, none]),
        is_valid: item.valid.any(),
        left: cat(&[none, has_both, none]),
        is_last: !has_both,
    };
    let first = if is_whole { first_of(item.valid) } else { of_pairs };
    let first = first_if(!item.head.is_binding && !item.is_failed, first);
    let behind_first = cat(&[four, (one && two) || four]) & has_probes.repeat(NUMBER_BITS);
    Comes { has_probes, pixels: stack(pixels), first, behind_first }
}

/// Keeps what an item that comes has for all its rows. An item without probes lies where its first pixel is.
#[kernel]
pub(super) fn keep(parts: &Parts, is_free: Bits, item: &LeveledItem, comes: &Comes) {
    /// # Steps of the item
    let [one, two, four] = [0, 1, 2].map(|bit| item.parts_log2.bit(bit));
    let (is_whole, is_pair) = (two || four, one && !two && !four);
    let has_parts = comes.has_probes && item.parts_log2.any();
    let spread = cat(&[is_whole, is_pair]) & comes.has_probes.repeat(SPREAD_BITS);
    if is_free {
        parts.spread.next = cat(&[spread.bit(1) || item.head.is_binding, spread.bit(0)]);
        parts.pixels.next = comes.pixels & comes.has_probes.repeat(PIXELS);
    }
    for (kept, delta) in parts.steps.iter().zip(item.deltas) {
        let half = half_step(delta, item.parts_log2);
        let triple = cat(&[half, lit(1, 0u32)]).sign_extend(SUM_BITS) + half.sign_extend(SUM_BITS);
        if is_free {
            kept.half.next = if has_parts { half } else { lit(HALF_BITS, 0u32) };
            kept.triple.next = if has_parts { triple } else { lit(SUM_BITS, 0u32) };
        }
    }
}

/// One bit: the present row is the last one of its pixel in its level.
#[kernel]
pub(super) fn is_last(parts: &Parts) -> Bits {
    parts.is_last.val()
}

/// Counts the rows of a pixel. What comes next begins an item, or a level, or neither.
#[kernel]
pub(super) fn count(parts: &Parts, moves: Bits, [begins, begins_level]: [Bits; 2], comes: &Comes) {
    /// # Parts
    let (left, behind_first) = (parts.left.val(), parts.behind_first.val());
    let in_item = if begins_level { behind_first } else { left - 1 };
    let in_item_ends = if begins_level { !behind_first.bit(0) } else { left == 1 };
    if moves {
        parts.left.next = if begins { comes.behind_first } else { in_item };
        parts.is_last.next = if begins { !comes.behind_first.bit(0) } else { in_item_ends };
    }
    if moves && begins {
        parts.behind_first.next = comes.behind_first;
    }
}

/// The pixel of each lane; `first` is that of the first one.
#[kernel]
pub(super) fn pixels(spread: Bits, first: Bits) -> [Bits; LANES] {
    let (is_single, is_pair, is_whole) = (!spread.any(), spread.bit(0), spread.bit(1));
    let (column, row) = (first.bit(0), first.bit(1));
    [
        first,
        cat(&[row, column || is_single]),
        cat(&[row || is_single, column || is_pair]),
        cat(&[row || is_single, column || !is_whole]),
    ]
}

/// The place of a pixel.
#[kernel]
pub(super) fn place_of(item: &LeveledItem, pixel: Bits) -> Place {
    let [first, second, third, fourth] = item.places.clone();
    let upper = if pixel.bit(0) { second } else { first };
    let lower = if pixel.bit(0) { fourth } else { third };
    if pixel.bit(1) { lower } else { upper }
}

/// Takes a row, whose first lane has this pixel.
#[kernel]
pub(super) fn take(parts: &Parts, item: &LeveledItem, pixel: Bits, [has_row, advance]: [Bits; 2], row: Row) {
    /// # Middle of a row
    let (left, behind_first) = (parts.left.val(), parts.behind_first.val());
    // Of sixteen parts the first and the last row are farther away.
    let is_far = behind_first.bit(1) && left.bit(0) == left.bit(1);
    let is_in_front = if behind_first.bit(1) { left.bit(1) } else { left.bit(0) };
    let place = place_of(item, pixel);
    let steps = [0, 1].map(|axis: usize| parts.steps[axis].val());
    let middles = [place.u, place.v].into_iter().zip(&steps).map(|(place, steps)| {
        let near = steps.half.sign_extend(MIDDLE_BITS) & behind_first.bit(0).repeat(MIDDLE_BITS);
        let beside = if is_far { steps.triple.low(MIDDLE_BITS) } else { near };
        let place = cat(&[place, lit(MIDDLE_BEHIND_BITS, 0u32)]).sign_extend(MIDDLE_BITS);
        moved(place, beside, is_in_front)
    });
    let middles: Vec<Bits> = middles.collect();
    let spread = parts.spread.val();
    let (is_single, is_whole) = (!spread.any(), spread.bit(1));
    let of_lower = |lane: usize| row.lanes[lane].pixel & (!is_whole).repeat(2);
    let start = Start {
        middles: [middles[0], middles[1]],
        others: [1, 2, 3].map(|pixel: usize| [item.places[pixel].u, item.places[pixel].v]),
        steps,
        pixels: [is_single, of_lower(2), of_lower(3)],
        is_whole,
        parts_log2: item.parts_log2,
        row,
    };
    if advance {
        parts.has_row.next = has_row;
        parts.start.next = start;
    }
}

/// A place moved to one side, or to the other one.
#[kernel]
fn moved(place: Bits, beside: Bits, is_in_front: Bits) -> Bits {
    // One below the lowest bit makes a complement of all bits the negative number.
    let beside = beside ^ is_in_front.repeat(beside.width());
    let sum = cat(&[place, lit(1, 1u32)]) + cat(&[beside, is_in_front]);
    discard(sum.bit(0), "it carries one into the others");
    sum.high(place.width())
}

/// The row that was taken before, with its lanes' places and with their part of the weight.
#[kernel]
pub(super) fn placed(parts: &Parts) -> (Bits, Row) {
    /// # Places of a row
    let Start { row, middles, others, steps, pixels, is_whole, parts_log2 } = parts.start.val();
    let along = |axis: usize| {
        let Steps { half, triple } = steps[axis].clone();
        let half = half.sign_extend(SUM_BITS);
        let middle = cat(&[middles[axis], lit(BEHIND_BITS - MIDDLE_BEHIND_BITS, 0u32)]);
        let other =
            |pixel: usize| cat(&[others[pixel - 1][axis], lit(BEHIND_BITS, 0u32)]).sign_extend(SUM_BITS);
        let [second, third, fourth] = pixels;
        let second = if second { other(1) } else { middle };
        let upper = |pixel: Bits| if pixel.bit(0) { other(1) } else { middle };
        let of_third = if third.bit(0) { other(3) } else { other(2) };
        let third = if third.bit(1) { of_third } else { upper(third) };
        let fourth = if fourth.bit(1) { other(3) } else { upper(fourth) };
        let outer = if is_whole { triple } else { half };
        let lanes =
            [middle - outer, moved(second, half, is_whole), moved(third, half, !is_whole), fourth + outer];
        lanes.map(|place| {
            discard(place.low(BEHIND_BITS), "less than a unit");
            place.high(COORDINATE_BITS)
        })
    };
    let [u, v] = [along(0), along(1)];
    let mut row = row;
    for (lane, (u, v)) in row.lanes.iter_mut().zip(u.into_iter().zip(v)) {
        (lane.u, lane.v) = (u, v);
    }
    row.weight = row.weight >> parts_log2;
    (parts.has_row.val(), row)
}
