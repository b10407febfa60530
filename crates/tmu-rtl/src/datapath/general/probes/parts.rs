//! `parts`: where the parts of a long footprint lie.
//!
//! Part i of N lies `(d × (2i + 1 − N)) >> (log2 N + 1)` beside its pixel, d being a difference of the longer edge. With h = d × 16 / N
//! that is `((2i + 1)·h − 16·d) >> 5`, so that what the pixel's place needs is `(2·u − d + (((2i + 1)·h) >> 4)) >> 1`: of a pixel's first
//! part h, of each part behind it 2h more.
//!
//! Cost: a clock. A subtraction of a difference and two sums for each axis.

use crate::datapath::general::axis::COORDINATE_BITS;
use crate::datapath::general::words::{EDGE_BITS, LeveledItem, PARTS_LOG2_BITS, Probe};
use tmu_hdl::prelude::*;
use tmu_spec::Config;

/// log2 of the most parts.
const MOST_LOG2: usize = 4;
/// Bits of the number of a part.
const NUMBER_BITS: usize = MOST_LOG2;
/// Bits of half a step: of two parts 8 times a difference.
pub(super) const HALF_BITS: usize = EDGE_BITS + MOST_LOG2 - 1;
/// Bits of a sum of halves: up to 31 times a difference.
const SUM_BITS: usize = EDGE_BITS + MOST_LOG2 + 1;
/// Bits of a place with a bit behind those of a coordinate.
const START_BITS: usize = COORDINATE_BITS + 1;

/// The parts that have a probe, and the step in which probes get theirs.
#[derive(Bundle)]
pub(super) struct Parts {
    /// Parts behind the present one.
    left: Reg,
    /// Parts behind the first one of each pixel.
    behind_first: Reg,
    is_first: Reg,
    is_last: Reg,
    /// What the part before lies behind the first place, along u and v; 0 for the first part.
    sums: [Reg; 2],
    has_probe: Reg,
    /// A probe whose u and v are those of the first place, less half a difference.
    probe: Probe<FieldReg>,
    /// How far its part lies behind it.
    rises: [Reg; 2],
    parts_log2: Reg,
}

impl Parts {
    pub(super) fn new(clocks: &Clocks, config: &Config) -> Parts {
        let sum = || Reg::with_reset(clocks, SUM_BITS, 0);
        let rise = || Reg::new(clocks, START_BITS);
        let start = Width::bits(START_BITS);
        Parts {
            left: Reg::new(clocks, NUMBER_BITS),
            behind_first: Reg::new(clocks, NUMBER_BITS),
            is_first: Reg::new(clocks, 1),
            is_last: Reg::new(clocks, 1),
            sums: [sum(), sum()],
            has_probe: Reg::with_reset(clocks, 1, 0),
            probe: Probe { u: start, v: start, ..Probe::of(config) }.registers(clocks),
            rises: [rise(), rise()],
            parts_log2: Reg::new(clocks, PARTS_LOG2_BITS),
        }
    }
}

/// An item with one part and no edge where it has no probes.
#[kernel]
pub(super) fn kept(item: &LeveledItem, has_probes: Bits) -> LeveledItem {
    let parts_log2 = if has_probes { item.parts_log2 } else { lit(PARTS_LOG2_BITS, 0u32) };
    let has_parts = has_probes && item.parts_log2.any();
    let deltas = item.deltas.map(|delta| if has_parts { delta } else { lit(EDGE_BITS, 0u32) });
    LeveledItem { parts_log2, deltas, ..item.clone() }
}

/// One bit: the present part is the last one.
#[kernel]
pub(super) fn is_last(parts: &Parts) -> Bits {
    parts.is_last.val()
}

/// What comes next, if it is not the part behind the present one.
pub(super) struct Begins {
    /// An item that has so many parts.
    pub(super) item: Bits,
    /// The first part of a pixel in a level, of whichever item.
    pub(super) pixel: Bits,
}

/// Counts parts. `parts_log2` are those of an item that begins, if it has probes.
#[kernel]
pub(super) fn count(parts: &Parts, moves: Bits, begins: &Begins, parts_log2: Bits, has_probes: Bits) {
    /// # Parts
    let (left, behind_first) = (parts.left.val(), parts.behind_first.val());
    // One less than a power of two. What begins is known late.
    let [one, two, four] = [0, 1, 2].map(|bit| parts_log2.bit(bit));
    let of_item = stack([one || two || four, two || four, (one && two) || four, four]);
    let of_item = of_item & has_probes.repeat(NUMBER_BITS);
    let in_pixel = left - 1;
    let (in_pixel_ends, has_one) = (left == 1, !behind_first.bit(0));
    let in_item = if begins.pixel { behind_first } else { in_pixel };
    let in_item_ends = if begins.pixel { has_one } else { in_pixel_ends };
    if moves {
        parts.left.next = if begins.item { of_item } else { in_item };
        parts.is_last.next = if begins.item { !of_item.bit(0) } else { in_item_ends };
        parts.is_first.next = begins.pixel;
    }
    if moves && begins.item {
        parts.behind_first.next = of_item;
    }
}

/// A place less half a difference, in half units.
#[kernel]
pub(super) fn start(place: Bits, delta: Bits) -> Bits {
    cat(&[place, lit(1, 0u32)]).sign_extend(START_BITS) - delta.sign_extend(START_BITS)
}

/// Takes a probe whose place is a [`start`], and how far its part lies behind.
#[kernel]
pub(super) fn take(parts: &Parts, item: &LeveledItem, probe: Probe, has_probe: Bits, advance: Bits) {
    /// # Place of a part
    for axis in 0..2 {
        let half = half_step(item.deltas[axis], item.parts_log2);
        let whole = cat(&[half, lit(1, 0u32)]).sign_extend(SUM_BITS);
        let step = if parts.is_first.val() { half.sign_extend(SUM_BITS) } else { whole };
        let sum = parts.sums[axis].val() + step;
        if advance {
            parts.rises[axis].next = sum.high(START_BITS);
        }
        if advance && has_probe {
            parts.sums[axis].next = if parts.is_last.val() { lit(SUM_BITS, 0u32) } else { sum };
        }
    }
    if advance {
        parts.has_probe.next = has_probe;
        parts.parts_log2.next = item.parts_log2;
        parts.probe.next = probe;
    }
}

/// A difference times 16, over the number of parts. That of an item with one part is 0.
#[kernel]
pub(super) fn half_step(delta: Bits, parts_log2: Bits) -> Bits {
    let [of_two, of_four, of_eight, of_sixteen] =
        [3, 2, 1, 0].map(|shift| delta.sign_extend(HALF_BITS) << shift);
    let of_odd = if parts_log2.bit(1) { of_eight } else { of_two };
    let of_even = if parts_log2.bit(1) { of_four } else { of_sixteen };
    if parts_log2.bit(0) { of_odd } else { of_even }
}

/// The probe that was taken before, in its place, and with its part of the weight.
#[kernel]
pub(super) fn placed(parts: &Parts) -> (Bits, Probe) {
    let probe = parts.probe.val();
    let [rise_u, rise_v] = [parts.rises[0].val(), parts.rises[1].val()];
    let (u, v) = (probe.u + rise_u, probe.v + rise_v);
    discard(u.bit(0), "half a unit");
    discard(v.bit(0), "half a unit");
    let weight = probe.weight >> parts.parts_log2.val();
    (parts.has_probe.val(), Probe { u: u.high(COORDINATE_BITS), v: v.high(COORDINATE_BITS), weight, ..probe })
}
