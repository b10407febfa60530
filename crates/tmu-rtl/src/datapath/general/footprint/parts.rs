//! What the items of a probe are.

use super::Stage::{self, Entry, Look};
use crate::datapath::general::axis::{AxisTaps, TEXEL_BITS};
use crate::datapath::general::coordinate::Footprint;
use crate::datapath::general::tile::is_wide;
use crate::datapath::general::words::{TAPS, has_border, has_pairs};
use tmu_hdl::prelude::*;
use tmu_spec::Config;

/// Bits of a texel's number that lie inside a tile.
const INNER_BITS: usize = 2;

/// What a probe's items are.
#[derive(Clone, Debug, Record)]
pub(super) struct Parts<T = Bits> {
    /// An item for each tap.
    pub(super) is_single: T,
    /// An item for each row.
    pub(super) is_by_row: T,
    /// Over an edge of a cube: an item for each column, and for each row.
    pub(super) over_edge: [T; 2],
    /// The items, by the place of their first tap.
    pub(super) items: T,
    /// The tap over a corner, which is the mean of the others.
    pub(super) has_corner: T,
    /// The tap over a corner, which is the texel there.
    pub(super) has_own_corner: T,
    /// Its place.
    pub(super) corner: T,
    /// Taps that show the border.
    pub(super) border_taps: T,
    /// All of them do.
    pub(super) is_border: T,
}

/// What is seen of an axis.
#[derive(Clone, Debug, Record)]
struct Seen<T = Bits> {
    /// The second texel has weight, or is asked for without.
    uses_second: T,
    /// It cannot be read together with the first one.
    clashes: T,
    /// They lie in different tiles.
    straddles: T,
    /// A texel with weight lies outside.
    is_outside: T,
    /// The first texel lies outside.
    first_is_outside: T,
    /// The second one has weight and lies outside.
    second_is_outside: T,
    /// No texel with weight lies inside.
    are_outside: T,
}

/// What the items of a probe are.
#[kernel]
pub(super) fn parts<'a>(
    config: &Config,
    pipe: &Run<'a, Stage>,
    footprint: &Footprint,
) -> Payload<'a, Stage, Parts> {
    /// # What is seen
    let [x, y] = [&footprint.x, &footprint.y];
    let is_gather = footprint.ends.is_gather;
    let rows_differ = footprint.is_row && x.weight.any() && y.first.low(2) != y.second.low(2);
    let rows_differ = pipe.put(Entry, "rows_differ", rows_differ).at(Look);
    let is_valid = pipe.put(Entry, "is_valid", footprint.ends.is_valid && !footprint.invalidates).at(Look);
    let is_block = pipe.put(Entry, "is_block", footprint.level.is_block).at(Look);
    let is_wide = is_wide(footprint.level.tile_halves);
    // The last texel of 8 bytes stands in the row of banks of the first one, and not in the same word.
    let meet = !x.first.bit(1) && x.first.high(TEXEL_BITS - INNER_BITS).any();
    let wide_wraps = pipe.put(Entry, "wide_wraps", is_wide && meet && wraps(x, is_gather)).at(Look);
    let has_two_rows = uses_second(y, is_gather) && (y.first.bit(0) ^ y.second.bit(0));
    let has_wide_rows = pipe.put(Entry, "has_wide_rows", is_wide && has_two_rows).at(Look);
    let is_wide = pipe.put(Entry, "is_wide", is_wide).at(Look);
    let x = pipe.put(Entry, "x", seen(x, is_gather, true)).at(Look);
    let y = pipe.put(Entry, "y", seen(y, is_gather, false)).at(Look);
    let are_floats = pipe.put(Entry, "are_floats", footprint.are_floats).at(Look);
    let shows_border = if has_border(config) { !footprint.is_cube } else { lit(1, 0u32) };
    let shows_border = pipe.put(Entry, "shows_border", shows_border).at(Look);
    let slice_is_outside =
        pipe.put(Entry, "slice_is_outside", footprint.slice_is_outside[0]).at(Look) && shows_border;
    /// # What becomes of it
    let needed = cat(&[x.uses_second && y.uses_second, y.uses_second, x.uses_second, lit(1, 1u32)]);
    let is_beyond = |place: usize| {
        let beyond_x = if place & 1 == 1 { x.second_is_outside } else { x.first_is_outside };
        let beyond_y = if place >> 1 == 1 { y.second_is_outside } else { y.first_is_outside };
        needed.bit(place) && shows_border && (beyond_x || beyond_y || slice_is_outside)
    };
    let border_taps = stack((0..TAPS).map(is_beyond));
    let is_border = shows_border && (x.are_outside || y.are_outside || slice_is_outside);
    let is_outside = x.is_outside || y.is_outside;
    let clashes = x.clashes || y.clashes || wide_wraps;
    let is_apart = (clashes || is_outside || rows_differ) && is_valid && !is_border;
    /// Two texels beside each other along an edge lie so on both faces. Wide ones come by rows.
    let over_edge = if has_pairs(config) {
        let may_pair = is_apart && !shows_border && !is_wide;
        [
            may_pair && x.is_outside && !y.is_outside && !y.clashes,
            may_pair && y.is_outside && !x.is_outside && !x.clashes,
        ]
    } else {
        [lit(1, 0u32), lit(1, 0u32)]
    };
    let is_single = is_apart && !over_edge[0] && !over_edge[1];
    let has_rows = (is_block && x.straddles && y.straddles) || has_wide_rows;
    let is_by_row = has_rows && !is_apart && is_valid && !is_border;
    let has_corner = x.is_outside && y.is_outside && is_valid && !shows_border;
    let has_own_corner = has_corner && are_floats;
    let has_corner = has_corner && !are_floats;
    let corner = cat(&[y.second_is_outside, x.second_is_outside]);
    let is_corner = |place: u64| has_corner && corner == place;
    let corners = stack((0..TAPS as u64).map(is_corner));
    let (columns, rows) = (lit(TAPS, 0b0011u32), lit(TAPS, 0b0101u32));
    let some = if is_by_row { rows } else { lit(TAPS, 1u32) };
    let of_edge = needed & (if over_edge[0] { columns } else { rows });
    let alone = if over_edge[0] || over_edge[1] { of_edge } else { needed & !corners & !border_taps };
    let items = if is_apart { alone } else { some };
    let parts = Parts {
        is_single,
        is_by_row,
        over_edge,
        items,
        has_corner,
        has_own_corner,
        corner,
        border_taps: border_taps | is_border.repeat(TAPS),
        is_border,
    };
    pipe.put(Look, "parts", parts)
}

/// One bit: the second texel has weight, or is asked for without.
#[kernel]
fn uses_second(taps: &AxisTaps, is_gather: Bits) -> Bits {
    taps.weight.any() || is_gather
}

/// One bit: it is in front of the first one.
#[kernel]
fn wraps(taps: &AxisTaps, is_gather: Bits) -> Bits {
    uses_second(taps, is_gather) && !taps.second.any() && taps.first.any()
}

/// What is seen of an axis. Two texels of which the second is in front of the first wrap round: they can be read together if they
/// have different parities, and their tiles too or are the same; along x, where two compressed tiles may share a line, it is asked
/// for more than would do. Two that are the same texel stand in the same bank, and a gather wants both.
#[kernel]
fn seen(taps: &AxisTaps, is_gather: Bits, is_x: bool) -> Seen {
    let uses_second = uses_second(taps, is_gather);
    let wraps = wraps(taps, is_gather);
    let tile = |texel: Bits| texel.high(TEXEL_BITS - INNER_BITS);
    let first = tile(taps.first);
    /// The first one is the last of its side then.
    let is_fitting = if is_x {
        !first.high(TEXEL_BITS - INNER_BITS - 1).any() || first.low(2).all()
    } else {
        !first.any() || first.bit(0)
    };
    let second_is_outside = uses_second && taps.second_is_outside;
    Seen {
        uses_second,
        clashes: (wraps && !(taps.first.bit(0) && is_fitting)) || (is_gather && taps.first == taps.second),
        straddles: uses_second && first != tile(taps.second),
        is_outside: taps.first_is_outside || second_is_outside,
        first_is_outside: taps.first_is_outside,
        second_is_outside,
        are_outside: taps.first_is_outside && (!uses_second || taps.second_is_outside),
    }
}
