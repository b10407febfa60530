//! `color_lerp`: between two colours of four channels, two channels in a DSP slice.
//!
//! Latency that of [`LerpPair`]. Initiation interval 1.

use tmu_hdl::prelude::*;
use tmu_hdl::primitives::LerpPair;

/// Clocks of one interpolation.
pub(super) const LERP_CLOCKS: usize = LerpPair::LATENCY_CLOCKS as usize;

/// The colour between two, by the weight of the second one. Red and green go through the first pair, blue and alpha through the
/// other.
#[kernel]
pub(super) fn color_lerp(
    clocks: &Clocks,
    pairs: [&LerpPair; 2],
    first: Bits,
    second: Bits,
    weight: Bits,
) -> Bits {
    for (pair, lo) in pairs.into_iter().zip([0, 16]) {
        pair.clocks.follow(clocks);
        pair.enable.next = 1;
        pair.x0.next = first.slice(lo, 8);
        pair.x1.next = first.slice(lo + 8, 8);
        pair.y0.next = second.slice(lo, 8);
        pair.y1.next = second.slice(lo + 8, 8);
        pair.weight.next = weight;
    }
    let [red_green, blue_alpha] = pairs;
    cat(&[
        blue_alpha.result1.val(),
        blue_alpha.result0.val(),
        red_green.result1.val(),
        red_green.result0.val(),
    ])
}
