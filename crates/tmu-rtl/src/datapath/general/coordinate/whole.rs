//! Texels that are asked for by their numbers: signed integers of 32 bits, in all levels and slices. What lies outside is no texel.

use super::Kinds;
use super::Stage::{self, Entry, Side, Tiles};
use crate::datapath::general::axis::{SIZE_BITS, TEXEL_BITS};
use crate::datapath::general::words::{
    AXES, NUMBER_BITS, PLACE_BITS, Probe, has_fetch, has_third_axis, slice_bits,
};
use tmu_hdl::prelude::*;
use tmu_spec::Config;

/// A texel that is asked for by its number along each axis.
pub(super) struct Whole<'a> {
    /// It is asked for so.
    pub(super) is_fetch: Payload<'a, Stage, Bits>,
    /// Column, row and slice.
    pub(super) texels: Payload<'a, Stage, [Bits; AXES]>,
    /// There is none.
    pub(super) is_void: Payload<'a, Stage, Bits>,
}

/// The texel that a probe asks for, in a level with these sides and slices.
#[kernel]
pub(super) fn whole<'a>(
    config: &Config,
    pipe: &Run<'a, Stage>,
    probe: &Probe,
    sizes: &[Bits; AXES],
    kinds: &Payload<'_, Stage, Kinds>,
) -> Option<Whole<'a>> {
    if !has_fetch(config) {
        return None;
    }
    /// # Texels by their numbers
    let numbers = [probe.u, probe.v, probe.w].map(|number| number.low(NUMBER_BITS));
    if !has_third_axis(config) {
        discard(probe.w.high(PLACE_BITS - NUMBER_BITS), "a number has 32 bits");
    }
    let bits = [TEXEL_BITS, TEXEL_BITS, slice_bits(config).max(1)];
    let is_far = [0, 1, 2].map(|axis: usize| numbers[axis].high(NUMBER_BITS - bits[axis]).any());
    let is_far = pipe.put(Entry, "is_far", is_far).at(Side);
    let texels = pipe.put(Entry, "whole", [0, 1, 2].map(|axis: usize| numbers[axis].low(bits[axis])));
    let own = texels.at(Side);
    let is_outside = [0, 1, 2].map(|axis: usize| {
        let is_past = own[axis].zero_extend(SIZE_BITS) >= sizes[axis];
        is_far[axis] || is_past
    });
    let [x, y, slice] = pipe.put(Side, "is_outside", is_outside).at(Tiles);
    /// Some axes do not count.
    let Kinds { is_row, is_volume, is_cube, is_array } = kinds.at(Tiles);
    let has_slices = is_volume || is_cube || is_array;
    let is_outside = x || (y && !is_row) || (slice && has_slices);
    let is_fetch = pipe.put(Entry, "is_fetch", probe.look_up.is_fetch);
    let has_no_level = pipe.put(Entry, "has_no_level", probe.look_up.is_outside).at(Tiles);
    let is_void = is_fetch.at(Tiles) && (is_outside || has_no_level);
    let is_void = pipe.put(Tiles, "is_void", is_void);
    Some(Whole { is_fetch, texels, is_void })
}
