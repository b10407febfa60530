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
    whole: Option<&Whole<'_>>,
    kinds: &Payload<'_, Stage, Kinds>,
    has_row: bool,
) -> [AxisTaps; 2] {
    let last = if has_row { Rounded } else { Exit };
    let [x, y] = match whole {
        None => own.map(|taps| taps.at(last)),
        Some(whole) => {
            /// # Texels or numbers
            let ([x, y], is_fetch) = (own.map(|taps| taps.at(Slice)), whole.is_fetch.at(Slice));
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
