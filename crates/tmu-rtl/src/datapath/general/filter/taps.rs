//! The taps of a probe, and what becomes of them: what a unit with one lane and a lane of several have in common.

use super::bilinear::{Bilinear, bilinear};
use super::{Parts, Stage};
use crate::datapath::general::decode::FilterTap;
use crate::datapath::words::by_parity;
use tmu_hdl::prelude::*;

/// Takes the taps that an item brings to their places.
#[kernel]
pub(super) fn gather(taps: &[Reg], colors: &[Net<In>], in_valid: Bits, tap: &FilterTap) {
    /// # Taps of a probe
    for (place, (held, color)) in taps.iter().zip(colors).enumerate() {
        /// A tap that is not brought is zero, so that the first item clears it.
        if in_valid && (tap.starts_probe || tap.brings.bit(place)) {
            held.next = color.val();
        }
    }
}

/// The part of a texel that a colour has.
pub(super) fn color_of(parts: Parts, texel: Bits) -> Bits {
    let bits = parts.color_bits();
    if texel.width() > bits { texel.low(bits) } else { texel }
}

/// The probe where it is there, and the last tap where all taps are there.
#[kernel]
pub(super) fn probe(
    pipe: &Run<'_, Stage>,
    parts: Parts,
    of: &Optional<Bilinear>,
    tap: &Payload<'_, Stage, FilterTap>,
    taps: &[Bits],
) -> (Bits, Bits) {
    let Some(of) = of.as_ref() else {
        /// # The only tap
        let own = tap.at(Stage::Gathered);
        let (x, y) = (own.odd_weight_x.high(1), own.odd_weight_y.high(1));
        let only = pipe.put(Stage::Gathered, "only_tap", by_parity(x, y, taps)).at(parts.probe());
        return (only, taps[3]);
    };
    /// # Along the rows
    bilinear(pipe, parts, of, tap, taps)
}
