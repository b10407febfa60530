//! Columns and rows of texels as they leave: where they lie in tiles.

use super::Kinds;
use super::Stage::{self, Exit, Rounded, Slice};
use super::whole::Whole;
use crate::datapath::general::axis::{AxisTaps, TEXEL_BITS, WEIGHT_BITS};
use tmu_hdl::prelude::*;

/// Columns and rows as they leave: of texels that are asked for by their numbers these, of a row texture where they lie in tiles.
#[kernel]
pub(super) fn placed(
    pipe: &Run<'_, Stage>,
    own: [Payload<'_, Stage, AxisTaps>; 2],
    (whole, origin): (Option<&Whole<'_>>, Option<Payload<'_, Stage, [Bits; 2]>>),
    kinds: &Payload<'_, Stage, Kinds>,
    has_row: bool,
) -> [AxisTaps; 2] {
    let last = if has_row { Rounded } else { Exit };
    let [x, y] = match whole {
        None if origin.is_none() => own.map(|taps| taps.at(last)),
        None => pipe.put(Slice, "in_picture", in_picture(own, origin)).at(last),
        Some(whole) => {
            /// # Texels or numbers
            let ([x, y], is_fetch) = (in_picture(own, origin), whole.is_fetch.at(Slice));
            let [u, v, _] = whole.texels.at(Slice);
            let x = if is_fetch { only(u) } else { x };
            let y = if is_fetch { only(v) } else { y };
            pipe.put(Slice, "own_or_whole", [x, y]).at(last)
        }
    };
    if !has_row {
        return [x, y];
    }
    /// # Rows of tiles
    let is_row = kinds.at(Rounded).is_row;
    let column = |texel: Bits| cat(&[texel.high(TEXEL_BITS - 4), texel.low(2)]).zero_extend(TEXEL_BITS);
    let row = |texel: Bits| texel.slice(2, 2).zero_extend(TEXEL_BITS);
    let rows = AxisTaps { second: row(x.second), ..only(row(x.first)) };
    let columns = AxisTaps { first: column(x.first), second: column(x.second), ..x.clone() };
    let x = if is_row { columns } else { x };
    let y = if is_row { rows } else { y };
    pipe.put(Rounded, "places", [x, y]).at(Exit)
}

/// Columns and rows at [`Stage::Slice`]: of a ripmap those of its picture, in which the level begins at `origin`.
#[kernel]
fn in_picture(
    own: [Payload<'_, Stage, AxisTaps>; 2],
    origin: Option<Payload<'_, Stage, [Bits; 2]>>,
) -> [AxisTaps; 2] {
    let own = own.map(|taps| taps.at(Slice));
    let Some(origin) = origin else { return own };
    /// # Ripmap
    let origin = origin.at(Slice);
    let moved = |axis: usize| {
        let taps = own[axis].clone();
        AxisTaps { first: taps.first + origin[axis], second: taps.second + origin[axis], ..taps }
    };
    [moved(0), moved(1)]
}

/// A texel without another one.
#[kernel]
fn only(texel: Bits) -> AxisTaps {
    let none = lit(1, 0u32);
    AxisTaps {
        first: texel,
        second: texel,
        weight: lit(WEIGHT_BITS, 0u32),
        first_is_outside: none,
        second_is_outside: none,
    }
}
