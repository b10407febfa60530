//! The third axis: which slice a probe reads, and how many slices its level has.
//!
//! A cube has six faces in each level, an array as many layers in each level, a volume fewer slices in smaller levels. Between two
//! slices of a volume a probe is weighted; the layer of an array is the nearest one.

use super::Stage::{self, Entry, Exit, Large, Line, Side, Slice, TileFactors, Tiles};
use super::whole::Whole;
use super::{Coordinate, Kinds};
use crate::datapath::general::axis::{AxisInput, COORDINATE_BITS, SIZE_BITS, TEXEL_BITS, WEIGHT_BITS};
use crate::datapath::general::words::{
    LEVEL_BITS, PLACE_BITS, Probe, SLICE_BITS, face_bits, has_fetch, slice_bits,
};
use tmu_hdl::prelude::*;
use tmu_spec::general::texture::FACES;

/// Bits behind the point of a coordinate, less one, for rounding.
const HALF_SHIFT: usize = 19;
/// Bits of a layer before it is limited, with sign.
const LAYER_BITS: usize = PLACE_BITS - HALF_SHIFT;

/// The slices of a probe, see [`Footprint`](super::Footprint).
pub(super) struct Third {
    /// The first one.
    pub(super) slice: Bits,
    /// The second one of a volume.
    pub(super) second_slice: Bits,
    /// Its weight.
    pub(super) slice_weight: Bits,
    /// They lie outside.
    pub(super) slice_is_outside: [Bits; 2],
}

impl Third {
    fn only(slice: Bits) -> Third {
        Third {
            slice,
            second_slice: lit(slice.width(), 0u32),
            slice_weight: lit(WEIGHT_BITS, 0u32),
            slice_is_outside: [lit(1, 0u32), lit(1, 0u32)],
        }
    }
}

/// How many slices the level has, at [`Stage::Side`].
#[kernel]
pub(super) fn slices(block: &Coordinate, pipe: &Run<'_, Stage>, probe: &Probe) -> Bits {
    let faces = lit(SIZE_BITS, FACES);
    let Some(depth) = block.depth.as_ref() else { return faces };
    /// # Slices of the level
    /// Those of a volume are fewer in smaller levels.
    let level = probe.level & block.kinds(probe).is_volume.repeat(LEVEL_BITS);
    let upper = pipe.put(Entry, "upper_slice_level", level.high(2)).at(Line);
    let near = pipe.put(Entry, "near_slices", depth.val() >> level.low(2)).at(Line);
    let far = pipe.put(Line, "far_slices", near >> cat(&[upper, lit(2, 0u32)])).at(Large);
    let own = cat(&[far.high(SIZE_BITS - 1), far.low(1) | !far.any()]);
    let is_cube = pipe.put(Entry, "has_faces", block.kinds(probe).is_cube).at(Large);
    pipe.put(Large, "slices", if is_cube { faces } else { own }).at(Side)
}

/// The slices of a probe, at [`Stage::Exit`].
#[kernel]
pub(super) fn third(
    block: &Coordinate,
    pipe: &Run<'_, Stage>,
    probe: &Probe,
    slices: Bits,
    is_linear: Bits,
    whole: Option<&Whole<'_>>,
    kinds: &Payload<'_, Stage, Kinds>,
) -> Third {
    let bits = slice_bits(&block._config);
    if bits == 0 || (bits == face_bits(&block._config) && !has_fetch(&block._config)) {
        return Third::only(pipe.put(Entry, "slice", probe.face).at(Exit));
    }
    /// # Slice
    let Kinds { is_volume, is_cube, is_array, .. } = kinds.at(Slice);
    let face = pipe.put(Entry, "face", probe.face).at(Slice).zero_extend(bits) & is_cube.repeat(bits);
    let slice = match layer(block, pipe, probe, slices) {
        Some(layer) => {
            if is_array {
                layer
            } else {
                face
            }
        }
        None => face,
    };
    let asked = |own: Bits| match whole {
        Some(whole) => {
            let has_slices = is_volume || is_cube || is_array;
            let [_, _, slice] = whole.texels.at(Slice);
            let slice = slice & has_slices.repeat(bits);
            if whole.is_fetch.at(Slice) { slice } else { own }
        }
        None => own,
    };
    let Some(z) = block.axes.get(2) else {
        return Third::only(pipe.put(Slice, "slice", asked(slice)).at(Exit));
    };
    let coordinate = pipe.put(Entry, "third", probe.w.sign_extend(COORDINATE_BITS)).at(Side);
    let input = AxisInput {
        coordinate,
        size: slices,
        mode: pipe.put(Entry, "mode_2", block.modes[2].val()).at(Side),
        is_linear,
        is_seamless: lit(1, 0u32),
    };
    let z = pipe.through(Side, "z", z, input).at(Slice);
    let is_fetch = whole.map_or_else(|| lit(1, 0u32), |whole| whole.is_fetch.at(Slice));
    let is_between = is_volume && !is_fetch;
    let first = asked(if is_volume { z.first } else { slice });
    let is_outside = [z.first_is_outside && is_between, z.second_is_outside && is_between];
    let weight = z.weight & is_between.repeat(WEIGHT_BITS);
    Third {
        slice: pipe.put(Slice, "slice", first).at(Exit),
        second_slice: pipe.put(Slice, "second_slice", z.second).at(Exit),
        slice_weight: pipe.put(Slice, "slice_weight", weight).at(Exit),
        slice_is_outside: pipe.put(Slice, "slice_is_outside", is_outside).at(Exit),
    }
}

/// The layer of an array, at [`Stage::Slice`].
#[kernel]
fn layer(block: &Coordinate, pipe: &Run<'_, Stage>, probe: &Probe, slices: Bits) -> Option<Bits> {
    block.is_array.as_ref()?;
    /// # Layer
    discard(probe.w.low(HALF_SHIFT), "a layer is the nearest one");
    let halves = probe.w.high(LAYER_BITS).sign_extend(LAYER_BITS + 1) + 1;
    discard(halves.low(1), "rounded");
    let layer = pipe.put(Entry, "rounded_layer", halves.high(LAYER_BITS)).at(Tiles);
    let last = slices - 1;
    discard(last.high(1), "a layer's number is below 4096");
    let last = pipe.put(Side, "last_layer", last.low(TEXEL_BITS));
    let wide = last.at(Tiles).zero_extend(LAYER_BITS);
    let is_past = pipe.put(Tiles, "is_past", layer.signed() > wide.signed()).at(TileFactors);
    let near = layer.low(TEXEL_BITS) & (!layer.high(1)).repeat(TEXEL_BITS);
    let near = pipe.put(Tiles, "near_layer", near).at(TileFactors);
    let layer = if is_past { last.at(TileFactors) } else { near };
    Some(pipe.put(TileFactors, "layer", layer).at(Slice))
}

const _: () = assert!(SLICE_BITS == TEXEL_BITS);
