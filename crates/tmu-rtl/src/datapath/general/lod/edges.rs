//! `edges`: from the edges of a footprint to the logarithm of the longer one.
//!
//! Edges are scaled to texels, shifted together so that the highest bit of the largest one is at the top of 17 bits, and squared. The
//! numerics shift only down, but a shift up is the same: it makes a square an even power of two as large, and its logarithm an even
//! number larger, exactly. So squared lengths are 2^32 to 2^35, and a ROM turns the upper bits of one into half its logarithm.
//!
//! A shift is a product with a power of two. Where all edges are below 2^16 the lower half of their bits takes the place of the
//! upper one.

use super::{INTERVAL_CLOCKS, Items, Moves, Place, Step};
use crate::datapath::general::words::{EDGE_BITS, ProjectedItem, field_of, has_field};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::{Contents, Multiplier, Operand, Rom};
use tmu_hdl::value::Value;
use tmu_spec::general::field::{HEIGHT, REGISTER_BITS, WIDTH};
use tmu_spec::general::tables::LOG2;

/// Bits of a side less one.
const SIDE_BITS: usize = WIDTH.bits as usize;
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
/// Bits of the length of an edge, squared.
const LENGTH_BITS: usize = 2 * SQUARED_BITS + 1;
/// Bits of it that tell its logarithm: 8 behind the lowest of the three that the highest one may be.
const ADDRESS_BITS: usize = 11;
/// Bits of half a logarithm above 32, in 1/256.
pub(super) const LOGARITHM_BITS: usize = 9;
/// Bits of a shift, of -20 to 12 levels.
pub(super) const SHIFT_BITS: usize = 6;
/// What the shift of an edge of 2^16 units is less than a level of detail: an edge of 2^20 is a texel.
const SHIFT_OF_2_TO_16: i64 = -4;

/// Registers and multipliers.
#[derive(Bundle)]
pub(super) struct Edges {
    sides_less_one: [Reg; 2],
    sides: [Reg; 2],
    low: Multiplier,
    high: Multiplier,
    largest: Reg,
    largest_is_above: Reg,
    power: Reg,
    is_above: Reg,
    shift_above: Multiplier,
    shift_below: Multiplier,
    square: Multiplier,
    logarithm: Rom,
}

/// What the largest component tells of a footprint.
pub(super) struct Footprint<'a> {
    /// It is a point.
    pub(super) is_point: Items<'a>,
    /// What its shift adds to the level of detail, in levels.
    pub(super) shift: Items<'a>,
}

impl Edges {
    pub(super) fn new(clocks: &Clocks) -> Edges {
        let sides = |bits| [Reg::new(clocks, bits), Reg::new(clocks, bits)];
        let factor = Operand::signed(FACTOR_BITS);
        let squared = || Operand::unsigned(SQUARED_BITS);
        Edges {
            sides_less_one: sides(SIDE_BITS),
            sides: sides(SIDE_BITS + 1),
            low: Multiplier::new(Operand::unsigned(LOW_BITS), factor),
            high: Multiplier::new(Operand::signed(EDGE_BITS - LOW_BITS), factor),
            largest: Reg::new(clocks, SQUARED_BITS),
            largest_is_above: Reg::new(clocks, 1),
            power: Reg::new(clocks, SQUARED_BITS),
            is_above: Reg::new(clocks, 1),
            shift_above: Multiplier::new(squared(), squared()),
            shift_below: Multiplier::new(Operand::unsigned(BELOW_BITS), squared()),
            square: Multiplier::new(squared(), squared()),
            logarithm: Rom::new(Contents::in_file("half_logarithm", half_logarithms()), true),
        }
    }
}

/// Half the logarithm of a squared length less 2^32, in 1/256, for each of its upper bits. Of lengths below it is 0: the other edge
/// is longer.
fn half_logarithms() -> Vec<Value> {
    let entry = |address: u32| {
        let above = (address >> 8).checked_ilog2()?;
        Some(128 * above + u32::from(LOG2[(address >> above & 0xff) as usize] >> 1))
    };
    let word = |address| Value::from_u128(LOGARITHM_BITS, entry(address).unwrap_or(0).into());
    (0..1 << ADDRESS_BITS).map(word).collect()
}

/// Keeps the sides of a binding that stands in front of the stage: the width in the first phase, the height in the last one. One
/// adder does for both.
#[kernel]
pub(super) fn keep_sides(edges: &Edges, item: &ProjectedItem, in_valid: Bits, phase: Bits) {
    /// # Sides of level 0
    // Slices of the item, not of a net between, whose unread bits would be in the Verilog.
    let less_one = [WIDTH, HEIGHT].map(|of| field_of(item.places[0].u.low(REGISTER_BITS as usize), of));
    let one_of_them = if phase.bit(1) { less_one[1] } else { less_one[0] };
    let side = one_of_them.zero_extend(SIDE_BITS + 1) + 1;
    let keeps = in_valid && has_field(&item.head, WIDTH);
    for (axis, in_phase) in [0, INTERVAL_CLOCKS - 1].into_iter().enumerate() {
        if keeps && phase == in_phase as u64 {
            edges.sides_less_one[axis].next = less_one[axis];
            edges.sides[axis].next = side;
        }
    }
}

/// An edge in texels, shifted. The component in front of it is that of the axis before.
#[kernel]
pub(super) fn shifted<'a>(
    edges: &Edges,
    steps: &Run<'a, Step>,
    item: &ProjectedItem,
    moves: &Moves,
) -> Payload<'a, Step, Bits> {
    let texels = texels(edges, steps, item, moves.phase);
    /// # Largest component
    let is_too_large = texels.high(TEXEL_BITS - MOST_BITS).any();
    let above = texels.high(TEXEL_BITS - BELOW_BITS);
    let has_above = above.any();
    let mantissa = if has_above { above.low(SQUARED_BITS) } else { texels.low(SQUARED_BITS) };
    /// What is below counts only while nothing is above.
    let is_first = moves.phase == 0;
    let (largest, largest_is_above) = (edges.largest.val(), edges.largest_is_above.val());
    let stays = !is_first && (largest_is_above || !has_above);
    let counts = is_first || has_above || !largest_is_above;
    let any = (largest & stays.repeat(SQUARED_BITS)) | (mantissa & counts.repeat(SQUARED_BITS));
    if moves.all {
        edges.largest.next = cat(&[any.high(1) || is_too_large, any.low(SQUARED_BITS - 1)]);
        edges.largest_is_above.next = has_above || (largest_is_above && !is_first);
    }
    if is_first {
        edges.power.next = power_of_shift(largest);
        edges.is_above.next = largest_is_above;
    }
    /// # Shift
    let mantissa = steps.put(Step::Texels, "mantissa", mantissa).at(Step::Factors);
    let below = steps.put(Step::Texels, "below", texels.low(BELOW_BITS)).at(Step::Factors);
    let has_above = steps.put(Step::Texels, "has_above", has_above).at(Step::Factors);
    let is_too_large = steps.put(Step::Texels, "is_too_large", is_too_large).at(Step::Shifted);
    let power = edges.power.val();
    let upper = steps.through(Step::Factors, "upper", &edges.shift_above, (mantissa, power));
    let lower = steps.through(Step::Factors, "lower", &edges.shift_below, (below, power));
    let is_above = edges.is_above.val();
    let has_upper = steps.put(Step::Factors, "has_upper", has_above || !is_above).at(Step::Shifted);
    let has_lower = steps.put(Step::Factors, "has_lower", is_above).at(Step::Shifted);
    let (upper, lower) = (upper.at(Step::Shifted), lower.at(Step::Shifted));
    discard(upper.high(SQUARED_BITS), "no component is larger than the largest");
    discard(lower.low(BELOW_BITS), "what is shifted out");
    let upper = upper.low(SQUARED_BITS) & has_upper.repeat(SQUARED_BITS);
    let lower = lower.high(SQUARED_BITS) & has_lower.repeat(SQUARED_BITS);
    steps.put(Step::Shifted, "shifted", upper | lower | is_too_large.repeat(SQUARED_BITS))
}

/// The magnitude of a component in texels with 20 bits behind the point. The size has the sign of the component, so that the
/// product has none.
#[kernel]
fn texels(edges: &Edges, steps: &Run<'_, Step>, item: &ProjectedItem, phase: Bits) -> Bits {
    /// # Edges in texels
    let (is_column, is_v) = (phase.bit(1), phase.bit(0));
    let [row, column] = &item.edges;
    let in_row = if is_v { row[1] } else { row[0] };
    let in_column = if is_v { column[1] } else { column[0] };
    let edge = if is_column { in_column } else { in_row };
    let [less_one, side] = [&edges.sides_less_one, &edges.sides].map(|sides| {
        let [width, height] = [sides[0].val(), sides[1].val()];
        if is_v { height } else { width }
    });
    let negated = !less_one.zero_extend(FACTOR_BITS);
    let factor = if edge.high(1) { negated } else { side.zero_extend(FACTOR_BITS) };
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
) -> Logarithms {
    /// # Squared lengths
    let side = shifted.at(Step::Shifted);
    let square = steps.through(Step::Shifted, "square", &edges.square, (side, side));
    let [this, before] = [Step::Squared, Step::Read].map(|step| square.at(step).zero_extend(LENGTH_BITS));
    let length = this + before;
    discard(length.low(LENGTH_BITS - ADDRESS_BITS), "a logarithm has 8 bits behind the point");
    let address = length.high(ADDRESS_BITS);
    let logarithm = steps.through(Step::Squared, "logarithm", &edges.logarithm, address);
    Logarithms { this: logarithm.at(Step::Logarithm), before: logarithm.at(Step::Limit) }
}
