//! The sides of a probe's level: of a mipmap both are shifted by its level, of a ripmap each by its own.

use super::Stage::{self, Entry, Large, Line, Side};
use super::{Coordinate, TABLE_SIDES};
use crate::datapath::general::axis::{SIZE_BITS, TEXEL_BITS};
use crate::datapath::general::words::{Probe, general};
use tmu_hdl::prelude::*;

/// The sides of a probe's level.
pub(super) struct Sizes<'a> {
    /// In texels.
    pub(super) sides: [Bits; 2],
    /// Those that its rows of tiles have: in a ripmap the whole picture's.
    pub(super) rows_of: [Bits; 2],
    /// The column and the row at which it begins in a ripmap.
    pub(super) origin: Option<Payload<'a, Stage, [Bits; 2]>>,
}

/// The sides of the level in texels, as they go into the axes, and where it begins in a ripmap.
#[kernel]
pub(super) fn sizes<'a>(block: &Coordinate, pipe: &Run<'a, Stage>, probe: &Probe) -> Sizes<'a> {
    /// # Sides of the level
    let wholes = [0, 1].map(|axis: usize| {
        let of_table = lit(SIZE_BITS, TABLE_SIDES[axis]);
        let side = block.own_or_second(probe, block.sides[axis].val(), |second| second.sides[axis]);
        if probe.is_table { of_table } else { side }
    });
    let has_ripmaps = general(&block._config).ripmaps;
    let of_axis = |axis: usize| {
        if has_ripmaps { probe.level | probe.look_up.ripmap[axis] } else { probe.level }
    };
    let levels = [of_axis(0), of_axis(1)];
    let upper = |axis: usize| {
        let name = if has_ripmaps { format!("upper_level_{axis}") } else { "upper_level".to_owned() };
        pipe.put(Entry, &name, levels[axis].high(2)).at(Line)
    };
    let first_upper = upper(0);
    let uppers = [first_upper, if has_ripmaps { upper(1) } else { first_upper }];
    let sides = [0, 1].map(|axis: usize| {
        let name = |part: &str| format!("{part}_{axis}");
        let side = wholes[axis] >> levels[axis].low(2);
        let side = pipe.put(Entry, &name("near_side"), side).at(Line);
        let side = side >> cat(&[uppers[axis], lit(2, 0u32)]);
        let side = pipe.put(Line, &name("far_side"), side).at(Large);
        let side = cat(&[side.high(SIZE_BITS - 1), side.low(1) | !side.any()]);
        pipe.put(Large, &name("side"), side).at(Side)
    });
    if !has_ripmaps {
        return Sizes { sides, rows_of: sides, origin: None };
    }
    /// # Place in a ripmap
    /// A level stands in the picture behind all larger ones, each of which has half of what the one before has.
    let is_ripmap = pipe.put(Entry, "is_ripmap", probe.look_up.ripmap[0].any());
    let width = pipe.put(Entry, "picture_width", wholes[0]).at(Side);
    let height = pipe.put(Entry, "picture_height", wholes[1].low(TEXEL_BITS)).at(Side);
    /// A picture has one slice, so its rows of tiles do not count.
    let rows_of = [if is_ripmap.at(Side) { width } else { sides[0] }, sides[1]];
    let origin = [width.low(TEXEL_BITS), height].into_iter().zip(sides).map(|(side, own)| {
        let twice = cat(&[own.low(TEXEL_BITS - 1), lit(1, 0u32)]);
        (side - twice) & is_ripmap.at(Side).repeat(TEXEL_BITS)
    });
    let origin: Vec<Bits> = origin.collect();
    let origin = [origin[0], origin[1]];
    Sizes { sides, rows_of, origin: Some(pipe.put(Side, "origin", origin)) }
}
