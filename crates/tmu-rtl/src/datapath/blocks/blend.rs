//! Colours of texels: a base, and a distance from it.
//!
//! The base is one of two colours, those of a pair of end points. The distance is of BC7 a product of their difference with a weight,
//! rounded; of ETC2 a step of brightness, or two products of differences with column and row. Palettes have none. All is
//! `base + distance` or `base - distance`, one sum a channel.
//!
//! Weights of BC7 are at most 30 of 64, since a texel that is nearer to the second end point counts from there. A weight is made of
//! digits of which each adds a difference, or one that is shifted, or none: three sums make a product.

use super::record::{Header, THIRD_CHANNEL_BITS};
use super::select::{choose, expand, merged, sum, times};
use super::texel::Stage;
use super::{BlockFormats, Compressed, bc7, etc2};
use tmu_hdl::prelude::*;
use tmu_spec::Format;

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
    /// What differences are multiplied by.
    digits: Payload<'a, Stage, Digits>,
    /// What ETC2 has in place of a weight.
    paint: Option<Paint<'a>>,
    /// Colours may have weights.
    has_weight: bool,
}

/// How ETC2 paints a texel.
struct Paint<'a> {
    is_etc2: Payload<'a, Stage, Bits>,
    is_plane: Payload<'a, Stage, Bits>,
    /// How much brighter or darker.
    brightness: Payload<'a, Stage, Bits>,
}

/// What differences are multiplied by: those to the second end point by the weight, in the digits of [`bc7::weights`], or by the
/// column in a plane, those downwards by the row.
#[derive(Clone, Debug, Record)]
struct Digits<T = Bits> {
    units: T,
    fours: T,
    sixteens: T,
    row: T,
}

/// End points, or base colours, of a channel, and the difference downwards in a plane.
struct Ends {
    pair: [Bits; 2],
    down: Option<Bits>,
}

/// The colour of a texel, by the indices of [`Stage::Pick`].
#[kernel]
pub(super) fn color(
    pipe: &Run<'_, Stage>,
    formats: &BlockFormats,
    header: &Payload<'_, Stage, Header>,
    texel: Bits,
    [index, second]: [Bits; 2],
) -> Color {
    let own = header.at(Stage::Pick);
    let (is_bc7, is_etc2) = (own.class.is_bc7, own.class.is_etc2);
    let [high, low] = [index.high(1), index.high(2).low(1)];
    let is_hole = own.has_holes & (is_bc7 | (high & (low ^ is_etc2)));
    let is_hole = pipe.put(Stage::Pick, "is_hole", is_hole).at(Stage::Limit);
    /// # Base colours
    let has_bc7 = formats.any(Format::is_bc7);
    let has_etc2 = formats.any(Format::is_etc2);
    let number = if has_bc7 { bc7::pair_number(&own.blend, second) & is_bc7.repeat(2) } else { lit(2, 0u32) };
    let is_palette = !is_bc7 & !is_etc2;
    let in_second_pair = number.bit(0) | (is_palette & high);
    let pair = [0, 1].map(|end| {
        let two = if in_second_pair { own.ends[1][end] } else { own.ends[0][end] };
        if has_bc7 { number.bit(1).mux(third(own.third[end]), two) } else { two }
    });
    if !has_bc7 && !has_etc2 {
        let color = if low { pair[1] } else { pair[0] };
        let color = pipe.put(Stage::Pick, "palette_color", color).at(Stage::Limit);
        return Color { rgb: [0, 8, 16].map(|low| color.slice(low, 8)), alpha: None, is_hole };
    }
    let texel = pipe.put(Stage::Entry, "place", texel).at(Stage::Pick);
    let control = etc2::control(&own.paint, [is_etc2, own.has_holes], texel, index.high(2));
    let nearer = if is_palette { low } else { high };
    let is_second = if is_etc2 { control.is_second } else { nearer };
    let weights = if has_bc7 { bc7::weights(&own.blend, index, second) } else { [lit(6, 0u32); 2] };
    let way = Way {
        is_second: pipe.put(Stage::Pick, "is_second", is_second),
        subtracts: pipe.put(Stage::Pick, "darkens", if is_etc2 { control.subtracts } else { is_second }),
        digits: pipe.put(Stage::Pick, "digits", digits(weights[0], control.is_plane & is_etc2, texel)),
        paint: has_etc2.then(|| paint(pipe, is_etc2, &control)),
        has_weight: has_bc7,
    };
    let of_color = |number: usize, name: &str| {
        let part = |color: Bits| color.slice(8 * number, 8);
        let down = has_etc2.then(|| cat(&[own.paint.down_signs.bit(number), part(own.ends[1][1])]));
        channel(pipe, name, &way, Ends { pair: pair.map(part), down })
    };
    let rgb = [of_color(0, "red"), of_color(1, "green"), of_color(2, "blue")];
    let alpha = has_bc7.then(|| {
        let is_second = if own.blend.is_dual { second.high(1) } else { high };
        let digits = digits(weights[1], lit(1, 0u32), texel);
        alpha(pipe, &own, [number.bit(0), is_second], digits)
    });
    Color { rgb, alpha, is_hole }
}

/// Alpha of BC7: of the second pair of end points or the first, from the second end point or the first.
#[kernel]
fn alpha(
    pipe: &Run<'_, Stage>,
    own: &Header,
    [in_second_pair, is_second]: [Bits; 2],
    digits: Digits,
) -> Bits {
    let pair = [0, 1].map(|end| {
        let small = expand(own.second_alphas[end]);
        if in_second_pair { small } else { own.alphas[end] }
    });
    let way = Way {
        is_second: pipe.put(Stage::Pick, "alpha_is_second", is_second),
        subtracts: pipe.put(Stage::Pick, "alpha_darkens", is_second),
        digits: pipe.put(Stage::Pick, "alpha_digits", digits),
        paint: None,
        has_weight: true,
    };
    channel(pipe, "alpha", &way, Ends { pair, down: None })
}

/// A colour of five bits a channel at eight.
#[kernel]
fn third(color: Bits) -> Bits {
    stack((0..3).map(|at| expand(color.slice(THIRD_CHANNEL_BITS * at, THIRD_CHANNEL_BITS))))
}

#[kernel]
fn digits(weight: Bits, is_plane: Bits, texel: Bits) -> Digits {
    Digits {
        units: if is_plane { texel.low(2) } else { weight.low(2) },
        fours: weight.slice(2, 2),
        sixteens: weight.high(2),
        row: texel.high(2) & is_plane.repeat(2),
    }
}

#[kernel]
fn paint<'a>(pipe: &Run<'a, Stage>, is_etc2: Bits, control: &etc2::Control) -> Paint<'a> {
    let step = pipe.put(Stage::Pick, "step", control.step).at(Stage::Rows);
    Paint {
        is_etc2: pipe.put(Stage::Pick, "is_etc2", is_etc2),
        is_plane: pipe.put(Stage::Pick, "is_plane", control.is_plane & is_etc2),
        brightness: pipe.put(Stage::Rows, "brightness", etc2::brightness(step)),
    }
}

/// What is added to a base, or subtracted from it: whole numbers, whether a half is left or more, and whether there is more. The
/// end points are those of [`Stage::Choose`], the difference downwards of [`Stage::Rows`], the result is that of [`Stage::Sum`].
#[kernel]
fn distance(pipe: &Run<'_, Stage>, name: &str, way: &Way<'_>, ends: Ends) -> [Bits; 3] {
    let of = |part: &str| format!("{name}_{part}");
    let [first, second] = ends.pair.map(|end| end.zero_extend(9));
    /// # Differences
    let across = pipe.put(Stage::Choose, &of("across"), second - first);
    /// # Products
    let digits = way.digits.at(Stage::Rows);
    let difference = across.at(Stage::Rows);
    let units = times(difference.sign_extend(11), digits.units).sign_extend(13);
    /// Fours are none, one, two or one less than none.
    let fours = cat(&[difference, lit(2, 0u32)]).sign_extend(13);
    let is_less = digits.fours.all();
    let some_fours = if digits.fours.bit(1) { fours << 1 } else { fours & digits.fours.bit(0).repeat(13) };
    let fours = if is_less { !fours } else { some_fours };
    let rows = ends.down.map(|down| times(down.sign_extend(11), digits.row).sign_extend(13));
    let addend = match rows {
        Some(rows) if way.has_weight => fours | rows,
        Some(rows) => rows,
        None => fours,
    };
    let is_less = if way.has_weight { is_less } else { lit(1, 0u32) };
    let product = sum(units, addend, is_less);
    let product = pipe.put(Stage::Rows, &of("product"), product).at(Stage::Sum);
    if !way.has_weight {
        discard(cat(&[product.high(1), product.low(1)]), "a quarter is cut off, and there is no weight");
    }
    let weighted = way.has_weight.then(|| {
        let digits = way.digits.at(Stage::Sum).sixteens;
        let difference = across.at(Stage::Sum).sign_extend(10);
        let once = difference & digits.bit(0).repeat(10);
        let twice = (difference << 1) & digits.bit(1).repeat(10);
        product.high(9).sign_extend(10) + (once | twice)
    });
    /// # Distance
    let none = || lit(1, 0u32);
    let Some(paint) = &way.paint else {
        let all = weighted.map_or(product.high(10), |weighted| weighted);
        return [all.high(8), all.bit(1), cat(&[all.low(1), product.low(4)]).any()];
    };
    let (is_plane, is_etc2) = (paint.is_plane.at(Stage::Sum), paint.is_etc2.at(Stage::Sum));
    let brightness = paint.brightness.at(Stage::Sum).zero_extend(DISTANCE_BITS);
    let whole = weighted.map(|weighted| weighted.high(8).sign_extend(DISTANCE_BITS));
    let half = weighted.map(|weighted| weighted.bit(1));
    [
        merged([
            (is_plane, Some(product.slice(2, DISTANCE_BITS))),
            (is_etc2, Some(brightness)),
            (lit(1, 1u32), whole),
        ]),
        merged([(is_plane, Some(product.bit(1))), (is_etc2, Some(none())), (lit(1, 1u32), half)]),
        weighted.map_or(none(), |all| cat(&[all.low(1), product.low(4)]).any() & !is_etc2),
    ]
}

/// A channel of 8 bits at [`Stage::Limit`]; the end points are those of [`Stage::Pick`].
///
/// Both a sum and a difference are a sum, since `a - b = !(!a + b)`. What is left of a distance is rounded to nearest, a half
/// upwards: of a difference that is a carry from above a half on.
#[kernel]
fn channel(pipe: &Run<'_, Stage>, name: &str, way: &Way<'_>, ends: Ends) -> Bits {
    let of = |part: &str| format!("{name}_{part}");
    let pair = pipe.put(Stage::Pick, &of("ends"), ends.pair);
    let down = ends.down.map(|down| pipe.put(Stage::Pick, &of("down"), down).at(Stage::Rows));
    let left = distance(pipe, name, way, Ends { pair: pair.at(Stage::Choose), down });
    let [whole, half, rest] = pipe.put(Stage::Sum, &of("distance"), left).at(Stage::Add);
    /// # Sum
    let subtracts = way.subtracts.at(Stage::Add);
    let [first, second] = pair.at(Stage::Add);
    let base = if way.is_second.at(Stage::Add) { second } else { first };
    let carry = half & (rest | !subtracts);
    let width = whole.width();
    let addend = base.zero_extend(width) ^ subtracts.repeat(width);
    let sum = sum(whole, addend, carry);
    if way.paint.is_none() {
        let sum = pipe.put(Stage::Add, name, sum).at(Stage::Limit);
        return sum ^ way.subtracts.at(Stage::Limit).repeat(8);
    }
    /// Below and above the limits are told apart by the sign.
    let sum = sum ^ subtracts.repeat(width);
    let limited = (sum.low(8) | sum.bit(8).repeat(8)) & !sum.bit(9).repeat(8);
    pipe.put(Stage::Add, name, limited).at(Stage::Limit)
}
