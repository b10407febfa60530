//! Colours of texels: a base, and a distance from it.
//!
//! The base is one of two colours, those of a pair of end points. The distance is of BC7 a product of their difference with a weight,
//! rounded; of ETC2 a step of brightness, or two products of differences with column and row. Palettes have none. All is
//! `base + distance` or `base - distance`, one sum a channel.
//!
//! Weights of BC7 are at most 30 of 64, since a texel that is nearer to the second end point counts from there.

use super::record::{Header, THIRD_CHANNEL_BITS};
use super::select::{choose, expand, merged, times};
use super::texel::Stage;
use super::{BlockFormat, BlockFormats, bc7, etc2};
use tmu_hdl::prelude::*;

/// Bits of a distance with its sign.
const DISTANCE_BITS: usize = 10;

/// A texel's colour at [`Stage::Limit`].
pub(super) struct Color {
    /// R, G and B.
    pub(super) rgb: [Bits; 3],
    /// Alpha, of formats that blend it.
    pub(super) alpha: Option<Bits>,
    /// The texel is transparent black.
    pub(super) is_hole: Bits,
}

impl Color {
    /// A channel, R first. `value` is alpha of formats that have it as a value.
    #[kernel]
    pub(super) fn channel(&self, header: &Header, channel: usize, value: Option<Bits>) -> Bits {
        let own = match (channel, self.alpha) {
            (3, Some(alpha)) => {
                let rotation = header.blend.rotation;
                let exchanged: Vec<Option<Bits>> = [alpha].into_iter().chain(self.rgb).map(Some).collect();
                let blended = choose(rotation, &exchanged).unwrap_or(alpha);
                if header.class.is_bc7 { blended } else { value.unwrap_or_else(|| lit(8, 255u32)) }
            }
            (3, None) => value.unwrap_or_else(|| lit(8, 255u32)),
            (_, Some(alpha)) => {
                if header.blend.rotation == channel as u64 + 1 {
                    alpha
                } else {
                    self.rgb[channel]
                }
            }
            (_, None) => self.rgb[channel],
        };
        if self.is_hole { lit(8, 0u32) } else { own }
    }
}

/// What says how far from which base a channel is, on its way.
struct Way<'a> {
    /// The second end point is the base.
    is_second: Payload<'a, Stage, Bits>,
    /// The distance is subtracted.
    subtracts: Payload<'a, Stage, Bits>,
    /// The weight of BC7, five bits.
    weight: Option<Payload<'a, Stage, Bits>>,
    /// What ETC2 has in its place.
    paint: Option<Paint<'a>>,
}

/// How ETC2 paints a texel.
struct Paint<'a> {
    is_etc2: Payload<'a, Stage, Bits>,
    is_plane: Payload<'a, Stage, Bits>,
    /// Column and row.
    texel: Payload<'a, Stage, Bits>,
    /// How much brighter or darker.
    brightness: Payload<'a, Stage, Bits>,
}

/// End points, or base colours, of a channel, and the third colour of a plane.
struct Ends {
    pair: [Bits; 2],
    below: Option<Bits>,
}

/// The color of a texel, by the indices of [`Stage::Pick`].
#[kernel]
pub(super) fn color(
    pipe: &Run<'_, Stage>,
    formats: &BlockFormats,
    header: &Payload<'_, Stage, Header>,
    texel: Bits,
    [index, second]: [Bits; 2],
) -> Color {
    let built = |is_so: fn(BlockFormat) -> bool| formats.any(is_so);
    let own = header.at(Stage::Pick);
    let (is_bc7, is_etc2) = (own.class.is_bc7, own.class.is_etc2);
    let [high, low] = [index.high(1), index.high(2).low(1)];
    let is_hole = own.has_holes & (is_bc7 | (high & (low ^ is_etc2)));
    let is_hole = pipe.put(Stage::Pick, "is_hole", is_hole).at(Stage::Limit);
    /// # Base colors
    let number = if built(BlockFormat::is_bc7) {
        bc7::pair_number(&own.blend, second) & is_bc7.repeat(2)
    } else {
        lit(2, 0u32)
    };
    let is_palette = !is_bc7 & !is_etc2;
    let in_second_pair = number.bit(0) | (is_palette & high);
    let pick = |end: usize| {
        let third =
            stack((0..3).map(|at| expand(own.third[end].slice(THIRD_CHANNEL_BITS * at, THIRD_CHANNEL_BITS))));
        let two = if in_second_pair { own.ends[1][end] } else { own.ends[0][end] };
        if built(BlockFormat::is_bc7) { if number.bit(1) { third } else { two } } else { two }
    };
    let pair = [pick(0), pick(1)];
    let below = built(BlockFormat::is_etc2).then(|| own.ends[1][1]);
    let texel = pipe.put(Stage::Entry, "place", texel);
    let control = etc2::control(&own.paint, [is_etc2, own.has_holes], texel.at(Stage::Pick), index.high(2));
    let is_second = if is_etc2 { control.is_second } else { if is_palette { low } else { high } };
    if !built(BlockFormat::is_bc7) && !built(BlockFormat::is_etc2) {
        let color = if is_second { pair[1] } else { pair[0] };
        let color = pipe.put(Stage::Pick, "palette_color", color).at(Stage::Limit);
        return Color { rgb: [0, 8, 16].map(|low| color.slice(low, 8)), alpha: None, is_hole };
    }
    let subtracts = if is_etc2 { control.subtracts } else { is_second };
    let step = pipe.put(Stage::Pick, "step", control.step).at(Stage::Rows);
    let paint = built(BlockFormat::is_etc2).then(|| Paint {
        is_etc2: pipe.put(Stage::Pick, "is_etc2", is_etc2),
        is_plane: pipe.put(Stage::Pick, "is_plane", control.is_plane & is_etc2),
        texel,
        brightness: pipe.put(Stage::Rows, "brightness", etc2::brightness(step)),
    });
    let weights = built(BlockFormat::is_bc7).then(|| bc7::weights(&own.blend, index, second));
    let weight =
        |name: &str, number: usize| weights.map(|weights| pipe.put(Stage::Pick, name, weights[number]));
    let way = Way {
        is_second: pipe.put(Stage::Pick, "is_second", is_second),
        subtracts: pipe.put(Stage::Pick, "darkens", subtracts),
        weight: weight("weight", 0),
        paint,
    };
    let rgb = ["red", "green", "blue"].into_iter().enumerate().map(|(number, name)| {
        let part = |color: Bits| color.slice(8 * number, 8);
        channel(pipe, name, &way, Ends { pair: pair.map(part), below: below.map(part) })
    });
    let rgb: Vec<Bits> = rgb.collect();
    let alpha = built(BlockFormat::is_bc7).then(|| {
        let pair =
            [0, 1].map(|end| if number.bit(0) { expand(own.second_alphas[end]) } else { own.alphas[end] });
        let is_second = if own.blend.is_dual { second.high(1) } else { high };
        let way = Way {
            is_second: pipe.put(Stage::Pick, "alpha_is_second", is_second),
            subtracts: pipe.put(Stage::Pick, "alpha_darkens", is_second),
            weight: weight("alpha_weight", 1),
            paint: None,
        };
        channel(pipe, "alpha", &way, Ends { pair, below: None })
    });
    Color { rgb: [rgb[0], rgb[1], rgb[2]], alpha, is_hole }
}

/// Rows of products of a channel: those of the low and of the next two bits of the weight.
#[kernel]
fn rows<'a>(
    pipe: &Run<'a, Stage>,
    name: &str,
    way: &Way<'_>,
    ends: Ends,
) -> ([Payload<'a, Stage, Bits>; 2], Payload<'a, Stage, Bits>) {
    let wide = |value: Bits| value.zero_extend(9);
    let [first, second] = ends.pair;
    let of = |part: &str| format!("{name}_{part}");
    /// To the second colour, and to the one that the other product is of.
    let across = wide(second) - wide(first);
    let other = match (ends.below, &way.paint, &way.weight) {
        (Some(below), Some(paint), Some(_)) => {
            let to = if paint.is_plane.at(Stage::Choose) { below } else { second };
            wide(to) - wide(first)
        }
        (Some(below), ..) => wide(below) - wide(first),
        _ => across,
    };
    let across = pipe.put(Stage::Choose, &of("across"), across);
    let other = pipe.put(Stage::Choose, &of("other"), other).at(Stage::Rows);
    let digit = |low: usize| {
        let place = way.paint.as_ref().map(|paint| paint.texel.at(Stage::Rows).slice(low, 2));
        let weight = way.weight.as_ref().map(|weight| weight.at(Stage::Rows).slice(low, 2));
        let is_plane = way.paint.as_ref().map_or(lit(1, 0u32), |paint| paint.is_plane.at(Stage::Rows));
        merged([(is_plane, place), (lit(1, 1u32), weight)])
    };
    let row = |value: Bits, low: usize| times(value.sign_extend(11), digit(low));
    let low = pipe.put(Stage::Rows, &of("low_row"), row(across.at(Stage::Rows), 0));
    let next = pipe.put(Stage::Rows, &of("next_row"), row(other, 2));
    ([low, next], across)
}

/// A channel of 8 bits at [`Stage::Limit`]; the end points are those of [`Stage::Choose`].
#[kernel]
fn channel(pipe: &Run<'_, Stage>, name: &str, way: &Way<'_>, ends: Ends) -> Bits {
    let of = |part: &str| format!("{name}_{part}");
    let pair = pipe.put(Stage::Pick, &of("ends"), ends.pair);
    let below = ends.below.map(|below| pipe.put(Stage::Pick, &of("below"), below).at(Stage::Choose));
    let ([low, next], across) = rows(pipe, name, way, Ends { pair: pair.at(Stage::Choose), below });
    let [low, next] = [low, next].map(|row| row.at(Stage::Sum));
    let weight = way.weight.as_ref().map(|weight| weight.at(Stage::Sum));
    let is_plane = way.paint.as_ref().map(|paint| paint.is_plane.at(Stage::Sum));
    /// # Distance
    let top = weight.map(|weight| {
        let across = cat(&[across.at(Stage::Sum), lit(2, 0u32)]).sign_extend(12);
        across & weight.bit(4).repeat(12)
    });
    let added = merged([
        (is_plane.unwrap_or_else(|| lit(1, 0u32)), is_plane.map(|_| low.sign_extend(12))),
        (lit(1, 1u32), top),
    ]);
    /// The upper bits of the weight, or both products of a plane.
    let upper = next.sign_extend(12) + added;
    let blended = weight.map(|_| low.high(9).sign_extend(12) + upper);
    let zero = lit(1, 0u32);
    let whole = |value: Bits| value.sign_extend(DISTANCE_BITS);
    let brightness =
        way.paint.as_ref().map(|paint| paint.brightness.at(Stage::Sum).zero_extend(DISTANCE_BITS));
    let is_etc2 = way.paint.as_ref().map_or(zero, |paint| paint.is_etc2.at(Stage::Sum));
    let in_plane = is_plane.map(|_| upper.high(DISTANCE_BITS));
    let is_plane = is_plane.unwrap_or(zero);
    let distance = merged([
        (is_plane, in_plane),
        (is_etc2, brightness),
        (lit(1, 1u32), blended.map(|blended| whole(blended.high(8)))),
    ]);
    let subtracts = way.subtracts.at(Stage::Sum);
    /// What is below a whole: of a plane a half and more counts, of a step nothing.
    let half = merged([
        (is_plane, in_plane.map(|_| upper.bit(1))),
        (is_etc2, brightness.map(|_| subtracts)),
        (lit(1, 1u32), blended.map(|blended| blended.bit(3))),
    ]);
    let rest = blended.map(|blended| cat(&[blended.low(3), low.low(2)]).any() & !is_etc2);
    let half = pipe.put(Stage::Sum, &of("half"), half).at(Stage::Add);
    let rest = rest.map(|rest| pipe.put(Stage::Sum, &of("rest"), rest).at(Stage::Add));
    let distance = distance ^ subtracts.repeat(DISTANCE_BITS);
    let distance = pipe.put(Stage::Sum, &of("distance"), distance).at(Stage::Add);
    /// # Sum
    let [first, second] = pair.at(Stage::Add);
    let base = if way.is_second.at(Stage::Add) { second } else { first };
    let carry = carry(way, half, rest);
    let sum = cat(&[distance, carry]) + cat(&[base.zero_extend(DISTANCE_BITS), carry]);
    let sum = sum.high(DISTANCE_BITS);
    let limited = if way.paint.is_some() {
        let is_negative = sum.bit(9);
        (sum.low(8) | sum.bit(8).repeat(8)) & !is_negative.repeat(8)
    } else {
        sum.low(8)
    };
    pipe.put(Stage::Add, name, limited).at(Stage::Limit)
}

/// Into the sum of base and distance: what is rounded up. A product that is subtracted is rounded down from above a half, so that
/// the sum is rounded up from a half on.
#[kernel]
fn carry(way: &Way<'_>, half: Bits, rest: Option<Bits>) -> Bits {
    let Some(rest) = rest else { return half };
    let is_etc2 = way.paint.as_ref().map_or(lit(1, 0u32), |paint| paint.is_etc2.at(Stage::Add));
    let rounds_down = way.subtracts.at(Stage::Add) & !is_etc2;
    if rounds_down { !(half & rest) } else { half }
}
