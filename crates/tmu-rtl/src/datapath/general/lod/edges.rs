//! `edges`: from the edges of a footprint to the logarithm of the longer one.
//!
//! Edges are scaled to texels, shifted together so that the highest bit of the largest one is at the top of 17 bits, and squared. The
//! numerics shift only down, but a shift up is the same: it makes a square an even power of two as large, and its logarithm an even
//! number larger, exactly. So squared lengths are 2^32 to 2^35, and a ROM turns the upper bits of one into half its logarithm.
//!
//! A shift is a product with a power of two. Where all edges are below 2^16 the lower half of their bits takes the place of the
//! upper one.
//!
//! A volume's quad comes twice, see `turns`. What is largest goes on through both turns, so that the components of the first one wait
//! for it a place longer; the squares of the first turn are kept until those of the second one come.

use super::sides::{self, Kinds, SIDE_BITS};
use super::turns::{Moves, Turn};
use super::{Items, Place, Step, has_volumes};
use crate::datapath::general::words::{EDGE_BITS, ProjectedItem, has_parts};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{Contents, Multiplier, Operand, Rom};
use tmu_hdl::value::Value;
use tmu_spec::Config;
use tmu_spec::general::tables::LOG2;

/// Bits of a size of either sign.
const FACTOR_BITS: usize = SIDE_BITS + 2;
/// Bits of the lower part of an edge.
const LOW_BITS: usize = 26;
/// Bits of an edge in texels, before it is limited.
const TEXEL_BITS: usize = 49;
/// Bits of an edge in texels that are not too many.
const MOST_BITS: usize = 33;
/// Bits of an edge that are squared.
const SQUARED_BITS: usize = 17;
/// Bits below those of a large edge.
const BELOW_BITS: usize = MOST_BITS - SQUARED_BITS;
/// Bits of the length of an edge along two axes, squared. Along three it has one more.
pub(super) const LENGTH_BITS: usize = 2 * SQUARED_BITS + 1;
/// Bits below those that tell its logarithm: 8 behind the lowest one that the highest one may be.
const BELOW_ADDRESS_BITS: usize = 24;
/// Bits of half a logarithm above 32, in 1/256.
pub(super) const LOGARITHM_BITS: usize = 9;
/// Bits of a shift, of -20 to 12 levels.
pub(super) const SHIFT_BITS: usize = 6;
/// What the shift of an edge of 2^16 units is less than a level of detail: an edge of 2^20 is a texel.
const SHIFT_OF_2_TO_16: i64 = -4;

/// Registers and multipliers.
#[derive(Bundle)]
pub(super) struct Edges {
    pub(super) sides_less_one: Vec<Reg>,
    pub(super) sides: Vec<Reg>,
    pub(super) kinds: Kinds,
    low: Multiplier,
    high: Multiplier,
    largest: Reg,
    largest_is_above: Reg,
    power: Reg,
    is_above: Reg,
    joined: Optional<Joined>,
    shift_above: Multiplier,
    shift_below: Multiplier,
    square: Multiplier,
    squares: Optional<Squares>,
    logarithm: Rom,
}

/// What was found before the last turn that was measured.
#[derive(Bundle)]
struct Joined {
    /// Components that go into the multipliers are those of a first turn.
    goes_on: Reg,
    power: Reg,
    is_above: Reg,
}

/// Squared lengths of edges: along u and v, and where the longer one is wanted in the end with w.
#[derive(Bundle)]
struct Squares {
    row: Reg,
    column: Reg,
}

/// The turn of a quad on its way.
pub(super) type Turns<'a> = Option<Payload<'a, Place, Turn>>;

/// What the largest component tells of a footprint.
pub(super) struct Footprint<'a> {
    /// It is a point.
    pub(super) is_point: Items<'a>,
    /// What its shift adds to the level of detail, in levels.
    pub(super) shift: Items<'a>,
}

impl Edges {
    pub(super) fn new(clocks: &Clocks, config: &Config) -> Edges {
        let (has_volumes, has_parts) = (has_volumes(config), has_parts(config));
        let axes = if has_volumes { 3 } else { 2 };
        let sides = |bits| (0..axes).map(|_| Reg::new(clocks, bits)).collect();
        let factor = Operand::signed(FACTOR_BITS);
        let squared = || Operand::unsigned(SQUARED_BITS);
        let kept_bits = length_bits(has_volumes && has_parts);
        Edges {
            sides_less_one: sides(SIDE_BITS),
            sides: sides(SIDE_BITS + 1),
            low: Multiplier::new(Operand::unsigned(LOW_BITS), factor),
            high: Multiplier::new(Operand::signed(EDGE_BITS - LOW_BITS), factor),
            kinds: Kinds::new(clocks, config),
            largest: Reg::new(clocks, SQUARED_BITS),
            largest_is_above: Reg::new(clocks, 1),
            power: Reg::new(clocks, SQUARED_BITS),
            is_above: Reg::new(clocks, 1),
            joined: Optional::new(has_volumes, || Joined {
                goes_on: Reg::new(clocks, 1),
                power: Reg::new(clocks, SQUARED_BITS),
                is_above: Reg::new(clocks, 1),
            }),
            shift_above: Multiplier::new(squared(), squared()),
            shift_below: Multiplier::new(Operand::unsigned(BELOW_BITS), squared()),
            square: Multiplier::new(squared(), squared()),
            squares: Optional::new(has_volumes || has_parts, || Squares {
                row: Reg::new(clocks, kept_bits),
                column: Reg::new(clocks, kept_bits),
            }),
            logarithm: Rom::new(
                Contents::in_file("half_logarithm", half_logarithms(length_bits(has_volumes))),
                true,
            ),
        }
    }
}

/// Bits of the length of an edge, squared.
fn length_bits(has_volumes: bool) -> usize {
    LENGTH_BITS + usize::from(has_volumes)
}

/// Half the logarithm of a squared length less 2^32, in 1/256, for each of its upper bits. Of lengths below it is 0: the other edge
/// is longer.
fn half_logarithms(length_bits: usize) -> Vec<Value> {
    let entry = |address: u32| {
        let above = (address >> 8).checked_ilog2()?;
        Some(128 * above + u32::from(LOG2[(address >> above & 0xff) as usize] >> 1))
    };
    let word = |address| Value::from_u128(LOGARITHM_BITS, entry(address).unwrap_or(0).into());
    (0..1 << (length_bits - BELOW_ADDRESS_BITS)).map(word).collect()
}

/// An edge in texels, shifted. The component in front of it is that of the axis before.
#[kernel]
pub(super) fn shifted<'a>(
    edges: &Edges,
    steps: &Run<'a, Step>,
    item: &ProjectedItem,
    moves: &Moves,
    turns: &Turns<'_>,
) -> Payload<'a, Step, Bits> {
    let is_w = turns.as_ref().map_or(lit(1, 0u32), |turn| turn.at(Place::Entry).is_second);
    let texels = texels(edges, steps, item, moves.phase, is_w);
    /// # Largest component
    let is_too_large = texels.high(TEXEL_BITS - MOST_BITS).any();
    let above = texels.high(TEXEL_BITS - BELOW_BITS);
    let has_above = above.any();
    let mantissa = if has_above { above.low(SQUARED_BITS) } else { texels.low(SQUARED_BITS) };
    /// What is below counts only while nothing is above.
    let is_first = moves.phase == 0;
    let (largest, largest_is_above) = (edges.largest.val(), edges.largest_is_above.val());
    let goes_on = turns.as_ref().map_or(lit(1, 0u32), |turn| turn.at(Place::Scale).is_second);
    let begins = is_first && !goes_on;
    let stays = !begins && (largest_is_above || !has_above);
    let counts = begins || has_above || !largest_is_above;
    let any = (largest & stays.repeat(SQUARED_BITS)) | (mantissa & counts.repeat(SQUARED_BITS));
    if moves.all {
        edges.largest.next = cat(&[any.high(1) || is_too_large, any.low(SQUARED_BITS - 1)]);
        edges.largest_is_above.next = has_above || (largest_is_above && !begins);
    }
    if is_first {
        edges.power.next = power_of_shift(largest);
        edges.is_above.next = largest_is_above;
    }
    join(edges, is_first, turns);
    /// # Shift
    let mantissa = steps.put(Step::Texels, "mantissa", mantissa).at(Step::Factors);
    let below = steps.put(Step::Texels, "below", texels.low(BELOW_BITS)).at(Step::Factors);
    let has_above = steps.put(Step::Texels, "has_above", has_above).at(Step::Factors);
    let is_too_large = steps.put(Step::Texels, "is_too_large", is_too_large).at(Step::Shifted);
    let (power, is_above) = joined(edges);
    let upper = steps.through(Step::Factors, "upper", &edges.shift_above, (mantissa, power));
    let lower = steps.through(Step::Factors, "lower", &edges.shift_below, (below, power));
    let has_upper = steps.put(Step::Factors, "has_upper", has_above || !is_above).at(Step::Shifted);
    let has_lower = steps.put(Step::Factors, "has_lower", is_above).at(Step::Shifted);
    let (upper, lower) = (upper.at(Step::Shifted), lower.at(Step::Shifted));
    discard(upper.high(SQUARED_BITS), "no component is larger than the largest");
    discard(lower.low(BELOW_BITS), "what is shifted out");
    let upper = upper.low(SQUARED_BITS) & has_upper.repeat(SQUARED_BITS);
    let lower = lower.high(SQUARED_BITS) & has_lower.repeat(SQUARED_BITS);
    steps.put(Step::Shifted, "shifted", upper | lower | is_too_large.repeat(SQUARED_BITS))
}

/// What is largest in all turns of a quad: that of a first turn is known when the second one is measured.
#[kernel]
fn join(edges: &Edges, is_first: Bits, turns: &Turns<'_>) {
    let (Some(joined), Some(turn)) = (edges.joined.as_ref(), turns) else { return };
    if is_first {
        joined.goes_on.next = turn.at(Place::Join).is_first;
        joined.power.next = edges.power.val();
        joined.is_above.next = edges.is_above.val();
    }
}

/// The shift of the components that go into the multipliers, and whether it is one of their upper halves: what was found last for a
/// first turn, what was found before for others.
#[kernel]
fn joined(edges: &Edges) -> (Bits, Bits) {
    let (power, is_above) = (edges.power.val(), edges.is_above.val());
    let Some(before) = edges.joined.as_ref() else { return (power, is_above) };
    let goes_on = before.goes_on.val();
    (if goes_on { power } else { before.power.val() }, if goes_on { is_above } else { before.is_above.val() })
}

/// The magnitude of a component in texels with 20 bits behind the point. The size has the sign of the component, so that the
/// product has none.
#[kernel]
fn texels(edges: &Edges, steps: &Run<'_, Step>, item: &ProjectedItem, phase: Bits, is_w: Bits) -> Bits {
    /// # Edges in texels
    let (is_column, is_v) = (phase.bit(1), phase.bit(0));
    let [row, column] = &item.edges;
    let in_row = along(row, is_v, is_w);
    let in_column = along(column, is_v, is_w);
    let edge = if is_column { in_column } else { in_row };
    let [less_one, side] = [&edges.sides_less_one, &edges.sides].map(|sides| {
        let sides: Vec<Bits> = sides.iter().map(|side| side.val()).collect();
        along(&sides, is_v, is_w)
    });
    let negated = !less_one.zero_extend(FACTOR_BITS);
    let is_missing = sides::is_line(edges) && is_v;
    let factor = if edge.high(1) { negated } else { side.zero_extend(FACTOR_BITS) };
    let factor = factor & (!is_missing).repeat(FACTOR_BITS);
    let high = (edge.high(EDGE_BITS - LOW_BITS), factor);
    let high = steps.through(Step::Entry, "high", &edges.high, high).at(Step::Scaled);
    let low = steps.through(Step::Entry, "low", &edges.low, (edge.low(LOW_BITS), factor)).at(Step::Scaled);
    const HIGH_BITS: usize = TEXEL_BITS - LOW_BITS;
    discard(high.high(high.width() - HIGH_BITS), "an edge has at most 2^48 units");
    let carried = low.high(low.width() - LOW_BITS).sign_extend(HIGH_BITS);
    let texels = [low.low(LOW_BITS), high.low(HIGH_BITS) + carried];
    let [low, high] = steps.put(Step::Scaled, "texels", texels).at(Step::Texels);
    cat(&[high, low])
}

/// That of u, of v, or of w where there is one.
#[kernel]
fn along(axes: &[Bits], is_v: Bits, is_w: Bits) -> Bits {
    if is_w {
        axes[axes.len() - 1]
    } else if is_v {
        axes[1]
    } else {
        axes[0]
    }
}

/// The power of two that moves the highest bit set to the top: bit i where the i-th bit from the top is the highest one. None if no
/// bit is set.
#[kernel]
fn power_of_shift(largest: Bits) -> Bits {
    const GROUP_BITS: usize = 5;
    let from_top = |place: usize| largest.bit(SQUARED_BITS - 1 - place);
    let mut is_any_before = lit(1, 0u32);
    let mut power = vec![];
    for first in (0..SQUARED_BITS).step_by(GROUP_BITS) {
        let mut is_any = lit(1, 0u32);
        for place in first..SQUARED_BITS.min(first + GROUP_BITS) {
            power.push(from_top(place) && !is_any && !is_any_before);
            is_any = is_any || from_top(place);
        }
        is_any_before = is_any_before || is_any;
    }
    stack(power)
}

/// What the largest component tells.
#[kernel]
pub(super) fn footprint<'a>(
    edges: &Edges,
    places: &Run<'a, Place>,
    is_explicit: &Items<'a>,
) -> Footprint<'a> {
    /// # Shift in levels
    let (power, is_above) = (edges.power.val(), edges.is_above.val());
    let counts = !is_explicit.at(Place::Measure);
    let shift_of = |place: usize| (SQUARED_BITS - 1 - place) as i64 + SHIFT_OF_2_TO_16;
    let is_any = |is_in: &dyn Fn(i64) -> bool| {
        let bits = (0..SQUARED_BITS).filter(|place| is_in(shift_of(*place))).map(|place| power.bit(place));
        stack(bits).any()
    };
    let low = stack((0..SHIFT_BITS - 2).map(|bit| is_any(&|shift| shift >> bit & 1 == 1)));
    /// Without anything above the shift is 16 levels less.
    let is_negative = is_any(&|shift| shift < 0);
    let high = cat(&[is_negative || !is_above, is_negative == is_above]);
    let shift = cat(&[high, low]) & counts.repeat(SHIFT_BITS);
    Footprint {
        is_point: places.put(Place::Measure, "is_point", !power.any() && counts),
        shift: places.put(Place::Measure, "shift", shift),
    }
}

/// Half the logarithms of both edges, of squared lengths above 2^32.
pub(super) struct Logarithms {
    /// What comes: that of the row, and two clocks later that of the column.
    pub(super) this: Bits,
    /// What came two clocks before.
    pub(super) before: Bits,
}

/// Half the logarithms of both edges.
#[kernel]
pub(super) fn logarithms(
    edges: &Edges,
    steps: &Run<'_, Step>,
    shifted: &Payload<'_, Step, Bits>,
    phase: Bits,
    turns: &Turns<'_>,
) -> Logarithms {
    /// # Squared lengths
    let side = shifted.at(Step::Shifted);
    let square = steps.through(Step::Shifted, "square", &edges.square, (side, side));
    let length_bits = length_bits(turns.is_some());
    let [this, before] = [Step::Squared, Step::Read].map(|step| square.at(step).zero_extend(length_bits));
    let length = this + other_square(edges, before, phase, turns);
    keep_squares(edges, length, phase);
    discard(length.low(BELOW_ADDRESS_BITS), "a logarithm has 8 bits behind the point");
    let address = length.high(length_bits - BELOW_ADDRESS_BITS);
    let logarithm = steps.through(Step::Squared, "logarithm", &edges.logarithm, address);
    Logarithms { this: logarithm.at(Step::Logarithm), before: logarithm.at(Step::Limit) }
}

/// What is added to a component's square: that of the component before, or that of u and v in the turn before. The component before
/// is the same one in a second turn.
#[kernel]
fn other_square(edges: &Edges, before: Bits, phase: Bits, turns: &Turns<'_>) -> Bits {
    let (Some(Squares { row, column }), Some(turn)) = (edges.squares.as_ref(), turns) else { return before };
    let is_second = turn.at(Place::Square).is_second;
    let [row, column] = [row, column].map(|kept| kept.val().low(LENGTH_BITS));
    let kept = if phase.bit(1) { column } else { row };
    if is_second { kept.zero_extend(before.width()) } else { before }
}

/// Keeps the squared lengths of both edges: they are there in the last phase.
#[kernel]
fn keep_squares(edges: &Edges, length: Bits, phase: Bits) {
    let Some(Squares { row, column }) = edges.squares.as_ref() else { return };
    for (kept, in_phase) in [(row, 0u64), (column, 2)] {
        if phase == in_phase {
            kept.next = length.low(kept.width());
        }
    }
}

/// The squared lengths of row and column, in the last phase.
#[kernel]
pub(super) fn squares(edges: &Edges) -> Option<[Bits; 2]> {
    let Squares { row, column } = edges.squares.as_ref()?;
    Some([row.val(), column.val()])
}
