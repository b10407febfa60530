//! ETC2: two base colours and a step of brightness a texel, or, where the second colour would overflow, one of three other modes.
//!
//! In all modes but that of a plane a texel is one of two base colours, brighter or darker by a step of its own, with limits. In
//! that of a plane it is the first colour with as many differences to the others as the texel has columns and rows.

use super::header::{Colors, Stage};
use super::record::Paint;
use super::select::{expand, first_byte_on_top, for_texels, range, table};
use tmu_hdl::prelude::*;
use tmu_spec::blocks::{ETC2_DISTANCES, ETC2_STEPS};

/// Modes, as headers have them.
const T: u64 = 1;
const H: u64 = 2;
const PLANE: u64 = 3;

/// Bits `high` to `low` one behind the other, the first ones on top.
type Places = &'static [(usize, usize)];

/// Where the channels of the colours stand in each mode.
const INDIVIDUAL: [[Places; 3]; 2] =
    [[&[(63, 60)], &[(55, 52)], &[(47, 44)]], [&[(59, 56)], &[(51, 48)], &[(43, 40)]]];
const DIFFERENTIAL: [Places; 3] = [&[(63, 59)], &[(55, 51)], &[(47, 43)]];
const OF_T: [[Places; 3]; 2] =
    [[&[(60, 59), (57, 56)], &[(55, 52)], &[(51, 48)]], [&[(47, 44)], &[(43, 40)], &[(39, 36)]]];
const OF_H: [[Places; 3]; 2] =
    [[&[(62, 59)], &[(58, 56), (52, 52)], &[(51, 51), (49, 47)]], [&[(46, 43)], &[(42, 39)], &[(38, 35)]]];
const OF_PLANE: [[Places; 3]; 3] = [
    [&[(62, 57)], &[(56, 56), (54, 49)], &[(48, 48), (44, 43), (41, 39)]],
    [&[(38, 34), (32, 32)], &[(31, 25)], &[(24, 19)]],
    [&[(18, 13)], &[(12, 6)], &[(5, 0)]],
];

/// Bits put together.
#[kernel]
fn gathered(bits: Bits, places: Places) -> Bits {
    let parts: Vec<Bits> = places.iter().map(|&(high, low)| range(bits, high, low)).collect();
    cat(&parts)
}

/// A colour of 8 bits a channel, R lowest.
#[kernel]
fn color(bits: Bits, places: [Places; 3]) -> Bits {
    stack(places.map(|places| expand(gathered(bits, places))))
}

/// What eight bytes say of colours and modes.
#[kernel]
pub(super) fn header(
    pipe: &Run<'_, Stage>,
    [half, may_be_punched]: [Bits; 2],
    index_bits: usize,
) -> (Colors, Paint) {
    /// # Modes of ETC2
    let bits = first_byte_on_top(half);
    let sum = |channel: usize| {
        let base = range(bits, 63 - 8 * channel, 59 - 8 * channel).zero_extend(6);
        base + range(bits, 58 - 8 * channel, 56 - 8 * channel).sign_extend(6)
    };
    let sums = [sum(0), sum(1), sum(2)];
    let is_individual = !bits.bit(33) & !may_be_punched;
    let overflows = sums.map(|sum| sum.bit(5) & !is_individual);
    let is_t = overflows[0];
    let is_h = !overflows[0] & overflows[1];
    let is_plane = !overflows[0] & !overflows[1] & overflows[2];
    let raw = |color: [Places; 3]| {
        let channels: Vec<Bits> = color.iter().map(|places| gathered(bits, places)).collect();
        cat(&channels)
    };
    let is_ordered = raw(OF_H[0]) >= raw(OF_H[1]);
    let holes = may_be_punched & !bits.bit(33) & !is_plane;
    let modes = [is_individual, is_t, is_h, is_plane];
    let [origin, below] = [0, 2].map(|corner| OF_PLANE[corner].map(|places| expand(gathered(bits, places))));
    let down = [0, 1, 2].map(|channel| below[channel].zero_extend(9) - origin[channel].zero_extend(9));
    let down = pipe.put(Stage::Parts, "down", down).at(Stage::Ends);
    let second = stack(sums.map(|sum| expand(sum.low(5))));
    let bits = pipe.put(Stage::Parts, "paint_bits", bits).at(Stage::Ends);
    discard(bits.bit(33), "the modes have it");
    let modes = pipe.put(Stage::Parts, "paint_modes", modes).at(Stage::Ends);
    let second = pipe.put(Stage::Parts, "paint_second", second).at(Stage::Ends);
    let is_ordered = pipe.put(Stage::Parts, "is_ordered", is_ordered).at(Stage::Ends);
    let has_holes = pipe.put(Stage::Parts, "paint_holes", holes).at(Stage::Ends);
    let indices = for_texels(index_bits, |texel| {
        /// Texels go column by column.
        let place = 4 * (texel % 4) + texel / 4;
        cat(&[bits.bit(16 + place), bits.bit(place)])
    });
    let base = [base(bits, modes, 0, color(bits, DIFFERENTIAL)), base(bits, modes, 1, second)];
    let colors = Colors {
        ends: [base.map(Some), [None, Some(stack(down.map(|down| down.low(8))))]],
        indices,
        has_holes,
    };
    (colors, Paint { down_signs: stack(down.map(|down| down.high(1))), ..paint(bits, modes, is_ordered) })
}

/// The first or the second colour.
#[kernel]
fn base(bits: Bits, modes: [Bits; 4], number: usize, differential: Bits) -> Bits {
    let [is_individual, is_t, is_h, is_plane] = modes;
    let of_halves = if is_individual { color(bits, INDIVIDUAL[number]) } else { differential };
    let painted = if is_t { color(bits, OF_T[number]) } else { color(bits, OF_H[number]) };
    let others = if is_plane { color(bits, OF_PLANE[number]) } else { painted };
    if is_t | is_h | is_plane { others } else { of_halves }
}

/// How base colours become others.
#[kernel]
fn paint(bits: Bits, modes: [Bits; 4], is_ordered: Bits) -> Paint {
    let [_, is_t, is_h, is_plane] = modes;
    let of_t = gathered(bits, &[(35, 34), (32, 32)]);
    let of_h = cat(&[bits.bit(34), bits.bit(32), is_ordered]);
    let distance = if is_t { of_t } else { of_h };
    let step = |of_half: Bits| if is_t | is_h { distance } else { of_half };
    Paint {
        mode: cat(&[is_h | is_plane, is_t | is_plane]),
        is_flipped: bits.bit(32),
        down_signs: lit(3, 0u32),
        steps: [step(range(bits, 39, 37)), step(range(bits, 36, 34))],
    }
}

/// What a texel's index means.
pub(super) struct Control {
    /// The second base colour counts.
    pub(super) is_second: Bits,
    /// It becomes darker.
    pub(super) subtracts: Bits,
    /// The texel lies in a plane.
    pub(super) is_plane: Bits,
    /// The entry of the table of steps.
    pub(super) step: Bits,
}

/// What the index of a texel means; `texel` has the row above the column. Colours of other formats have no step.
#[kernel]
pub(super) fn control(paint: &Paint, [is_etc2, has_holes]: [Bits; 2], texel: Bits, index: Bits) -> Control {
    /// # Paint
    let [is_t, is_h, is_plane] = [T, H, PLANE].map(|mode| paint.mode == mode);
    let is_halves = paint.mode == 0;
    let is_far = if paint.is_flipped { texel.bit(3) } else { texel.bit(1) };
    let (low, high) = (index.bit(0), index.bit(1));
    let is_second = (is_halves & is_far) | (is_t & index.any()) | (is_h & high);
    let is_none = (is_t & !low) | (is_halves & has_holes & !index.any());
    let number = if is_far { paint.steps[1] } else { paint.steps[0] };
    Control {
        is_second,
        subtracts: if is_h { low } else { high & !is_plane },
        is_plane,
        step: cat(&[is_none | !is_etc2, is_t | is_h, low, number]),
    }
}

/// How much brighter or darker.
#[kernel]
pub(super) fn brightness(step: Bits) -> Bits {
    let of = |entry: u64| {
        let number = (entry & 7) as usize;
        let (is_none, is_distance, is_large) = (entry >> 5 == 1, entry >> 4 & 1 == 1, entry >> 3 & 1);
        let distance =
            if is_distance { ETC2_DISTANCES[number] } else { ETC2_STEPS[number][is_large as usize] };
        if is_none { 0 } else { distance.unsigned_abs().into() }
    };
    table(step, 8, of)
}
