//! `parts`: into how many parts a long footprint is cut, and what that takes from its level of detail.
//!
//! The squared lengths of both edges are compared once, so that the longer one is known. Then its length is compared with the other
//! one, a fourth of it, a sixteenth and a 64th, a clock each: while it is longer, its level of detail is above 0 and the sampler lets
//! it, the parts are doubled and a level goes. Bits that are shifted out count as one below the others.

use super::Items;
use super::bias::SUM_BITS;
use super::length::LENGTH_BITS;
use super::steps::Place;
use super::turns::Moves;
use crate::datapath::general::words::FRACTION_BITS;
use crate::datapath::general::words::{ItemHead, PARTS_LOG2_BITS, field_of, has_field};
use tmu_hdl::prelude::*;
use tmu_spec::general::field::ANISOTROPY;

/// Bits of a footprint's level of detail before any bias.
pub(super) const OF_EDGE_BITS: usize = super::component::SHIFT_BITS + FRACTION_BITS;

/// Registers.
#[derive(Bundle)]
pub(super) struct Parts {
    /// log2 of the most parts that the binding lets a footprint have.
    pub(super) most_of_binding: Reg,
    /// The row is the longer edge.
    is_row: Reg,
    /// The longer edge's squared length, shifted, and below it what was shifted out.
    long: Reg,
    /// The other one's.
    short: Reg,
    /// In the clock before it was shorter.
    was_shorter: Reg,
    /// All terms of the level of detail but the logarithm.
    terms: Reg,
    /// What is taken from level by level: the level of detail, the same with its biases, and how often that was done.
    of_edge: Reg,
    lod: Reg,
    parts_log2: Reg,
    /// How often it may be done.
    most: Reg,
    /// What came of the quad in [`Place::Limit`].
    found_log2: Reg,
}

/// A footprint that may be cut.
pub(super) struct Cut<'a, 'b> {
    pub(super) parts: &'a Parts,
    /// Texture and operation let it.
    pub(super) may_be_cut: Items<'b>,
    /// Row and column, along u and v.
    pub(super) edges: Items<'b, [[Bits; 2]; 2]>,
}

impl Parts {
    pub(super) fn new(clocks: &Clocks) -> Parts {
        let parts = || Reg::new(clocks, PARTS_LOG2_BITS);
        Parts {
            most_of_binding: parts(),
            is_row: Reg::new(clocks, 1),
            long: Reg::new(clocks, LENGTH_BITS + 1),
            short: Reg::new(clocks, LENGTH_BITS),
            was_shorter: Reg::new(clocks, 1),
            terms: Reg::new(clocks, SUM_BITS),
            of_edge: Reg::new(clocks, OF_EDGE_BITS),
            lod: Reg::new(clocks, SUM_BITS),
            parts_log2: parts(),
            most: parts(),
            found_log2: parts(),
        }
    }
}

/// Keeps what a register of a binding has of it.
#[kernel]
pub(super) fn keep_most(most_of_binding: &Reg, (head, register): (ItemHead, Bits)) {
    /// # Most parts
    if has_field(&head, ANISOTROPY) {
        most_of_binding.next = field_of(register, ANISOTROPY);
    }
}

/// Compares the squared lengths of row and column, which are there in the last phase. The row is the longer one if both are alike.
#[kernel]
pub(super) fn compare(parts: &Parts, squares: Option<[Bits; 2]>, moves: &Moves) {
    /// # Longer edge
    let Some([row, column]) = squares else { return };
    let is_row = row >= column;
    let (long, short) = (parts.long.val(), parts.short.val());
    // Footprints that are cut have two components.
    let [row, column] = [row.low(LENGTH_BITS), column.low(LENGTH_BITS)];
    if moves.items {
        parts.is_row.next = is_row;
        parts.long.next = cat(&[if is_row { row } else { column }, lit(1, 0u32)]);
        parts.short.next = if is_row { column } else { row };
    } else if moves.all {
        parts.long.next = fourth(long);
    }
    if moves.all {
        parts.was_shorter.next = is_shorter(short, long);
    }
}

/// A fourth of a squared length that has a bit more below, for what was shifted out.
#[kernel]
pub(super) fn fourth(long: Bits) -> Bits {
    cat(&[long.high(long.width() - 3), long.low(3).any()]).zero_extend(long.width())
}

/// One bit: a squared length is below that of such a longer one.
#[kernel]
pub(super) fn is_shorter(short: Bits, long: Bits) -> Bits {
    cat(&[short, lit(1, 0u32)]) < long
}

/// One bit: the row is the longer edge of the quad in [`Place::Parts`].
#[kernel]
pub(super) fn is_row(parts: &Parts) -> Bits {
    parts.is_row.val()
}

/// The longer edge of the quad in [`Place::Parts`].
#[kernel]
pub(super) fn longer_edge(cut: &Cut<'_, '_>) -> [Bits; 2] {
    longer(cut.edges.at(Place::Parts), is_row(cut.parts))
}

/// The edge along the row or along the column.
#[kernel]
pub(super) fn longer([row, column]: [[Bits; 2]; 2], is_row: Bits) -> [Bits; 2] {
    [0, 1].map(|axis: usize| if is_row { row[axis] } else { column[axis] })
}

/// The level of detail with its biases: terms that are there in phase 2, and the logarithm of phase 0.
#[kernel]
pub(super) fn add(cut: &Cut<'_, '_>, terms: Bits, logarithm: Bits, phase: Bits) -> Bits {
    if phase == 2 {
        cut.parts.terms.next = terms;
    }
    cut.parts.terms.val() + logarithm.zero_extend(SUM_BITS)
}

/// Takes levels from the level of detail of a footprint, before and after biases.
#[kernel]
pub(super) fn take_levels(cut: &Cut<'_, '_>, last: &Reg, (of_edge, lod): (Bits, Bits), moves: &Moves) {
    /// # Parts
    let parts = cut.parts;
    let (present, parts_log2) = (parts.of_edge.val(), parts.parts_log2.val());
    let is_above = !present.high(1) && present.any();
    let takes = parts.was_shorter.val() && is_above && parts_log2 < parts.most.val();
    // Whether a level goes is known late.
    let less = |lod: Bits| {
        let levels = lod.high(lod.width() - FRACTION_BITS);
        cat(&[if takes { levels - 1 } else { levels }, lod.low(FRACTION_BITS)])
    };
    let left = less(parts.lod.val());
    let taken = parts_log2 + takes.zero_extend(PARTS_LOG2_BITS);
    if moves.phase == 0 {
        last.next = left;
        parts.found_log2.next = taken;
        parts.of_edge.next = of_edge;
        parts.lod.next = lod;
        parts.parts_log2.next = 0;
        parts.most.next =
            parts.most_of_binding.val() & cut.may_be_cut.at(Place::Parts).repeat(PARTS_LOG2_BITS);
    } else if moves.all {
        parts.of_edge.next = less(present);
        parts.lod.next = left;
        parts.parts_log2.next = taken;
    }
}

/// What came of the quad in [`Place::Limit`].
#[kernel]
pub(super) fn found(parts: &Parts) -> Bits {
    parts.found_log2.val()
}
