//! `level`: from a quad's valid bits to the ends of its edges, and from their squared lengths to a level. Wires only.

use tmu_hdl::prelude::*;

/// Bits of a squared length below those that tell a level: lengths below one and a half texels are level 0.
const BITS_OF_LEVEL_0: usize = 11;

/// The ends of an edge. Only its length counts, so one end may always be the first or the last pixel and the other one the second
/// or the third.
pub(super) struct Ends {
    /// One end is the last pixel, not the first.
    pub(super) has_last: Bits,
    /// The other one is the third, not the second.
    pub(super) has_third: Bits,
}

/// The ends of the row and of the column of a quad with these valid bits.
#[kernel]
pub(super) fn ends(valid: Bits) -> [Ends; 2] {
    discard(valid.bit(0), "the first pixel is the far end of neither edge");
    let lower_row = valid.bit(2) && valid.bit(3);
    let right_column = valid.bit(1) && valid.bit(3);
    [
        Ends { has_last: lower_row, has_third: lower_row },
        Ends { has_last: right_column, has_third: !right_column },
    ]
}

/// A bit for each level, the first one on top: a squared length reaches it, but not the level behind it. The level rises with
/// every second bit of the length.
#[kernel]
pub(super) fn reached(squared_length: Bits, levels: usize) -> Bits {
    discard(squared_length.low(BITS_OF_LEVEL_0), "lengths below one and a half texels are level 0");
    let reaches = |level: usize| {
        let lo = BITS_OF_LEVEL_0 + 2 * (level - 1);
        if level < levels {
            squared_length.slice(lo, 2).any()
        } else {
            squared_length.high(squared_length.width() - lo).any()
        }
    };
    stack((1..=levels).map(reaches))
}

/// The number of the highest level of so many for which `is_at_least` holds: each bit counts the steps that toggle it.
#[kernel]
pub(super) fn highest(levels: usize, is_at_least: impl Fn(usize) -> Bits) -> Bits {
    let at_least = |level: usize| if level > levels { lit(1, 0u32) } else { is_at_least(level) };
    let bit = |weight: usize| {
        let steps = (1..=levels / weight).filter(|step| step % 2 == 1);
        let spans = steps.map(|step| at_least(step * weight) && !at_least((step + 1) * weight));
        spans.fold(lit(1, 0u32), |any, span| any || span)
    };
    cat(&[bit(8), bit(4), bit(2), bit(1)])
}
