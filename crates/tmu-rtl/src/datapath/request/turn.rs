//! Whose turn it is: which pixels of a quad have an item, one after the other, with one pixel a clock.
//!
//! The valid ones have; where there are fewer than a quad's least items, one beside them that is not valid, see
//! [`least_items`]. A binding has the item of the pixel in whose place it stands, a row of a colour table all four.
//!
//! Costs about 15 LUTs.

use crate::datapath::words::{LANES_OF_QUAD, binding_pixel, least_items};
use tmu_hdl::prelude::*;
use tmu_spec::Config;

/// The pixels whose turn is to come.
#[derive(Bundle)]
pub(super) struct Turn {
    /// Those of the packet that stands in front of the items, a bit each.
    due: Reg,
    /// Those of the quad in the items behind the present one, a bit each but for the first pixel, which is never behind one.
    left: Reg,
    /// The present one.
    pub(super) pixel: Reg,
    /// It is the last one.
    pub(super) is_last: Reg,
}

impl Turn {
    pub(super) fn new(clocks: &Clocks) -> Turn {
        Turn {
            due: Reg::new(clocks, LANES_OF_QUAD),
            left: Reg::new(clocks, LANES_OF_QUAD - 1),
            pixel: Reg::new(clocks, 2),
            is_last: Reg::new(clocks, 1),
        }
    }
}

/// A packet comes to stand in front of the items.
#[kernel]
pub(super) fn stand(turn: &Turn, config: &Config, valid: Bits, is_binding: Bits) {
    let binding = lit(LANES_OF_QUAD, 1u32 << binding_pixel(config));
    turn.due.next = if is_binding { binding } else { with_least(config, valid) };
}

/// The next item: the first one of the packet that stands there, or of a row of entries, otherwise that of the next pixel.
#[kernel]
pub(super) fn step(turn: &Turn, begins: Bits, is_row: Bits) {
    let first = turn.due.val() | is_row.repeat(LANES_OF_QUAD);
    let left = if begins { first } else { cat(&[turn.left.val(), lit(1, 0u32)]) };
    let bit = |pixel: usize| left.bit(pixel);
    let (upper, first_three) = (bit(0) || bit(1), bit(0) || bit(1) || bit(2));
    turn.pixel.next = cat(&[!upper, !bit(0) && (bit(1) || !bit(2))]);
    turn.left.next = cat(&[first_three && bit(3), upper && bit(2), bit(0) && bit(1)]);
    turn.is_last.next = !((bit(0) && bit(1)) || (upper && bit(2)) || (first_three && bit(3)));
}

/// The valid pixels, and beside them as many as the least items of a quad take: of one that is alone the other one of its row,
/// of none the first ones.
#[kernel]
fn with_least(config: &Config, valid: Bits) -> Bits {
    let (least_of_none, least_of_one) = (least_items(config, 0), least_items(config, 1));
    let has_turn = |pixel: usize| {
        let (own, beside) = (valid.bit(pixel), valid.bit(pixel ^ 1));
        let others = if pixel < 2 { valid.high(2) } else { valid.low(2) };
        let is_beside = if least_of_one > 1 { beside && !others.any() } else { lit(1, 0u32) };
        let is_first = if pixel < least_of_none { !valid.any() } else { lit(1, 0u32) };
        own || is_beside || is_first
    };
    stack((0..LANES_OF_QUAD).map(has_turn))
}
