//! `edges`: from the edges of a footprint to the logarithm of the longer one, in one lane: a component behind the other.
//!
//! What is done with each component says `component`; squared lengths and their logarithm are in `length`. A volume's quad comes
//! twice, see `turns`. What is largest goes on through both turns, so that the components of the first one wait for it a place
//! longer; the squares of the first turn are kept until those of the second one come.

use super::Items;
use super::component::{self, Component, Path, SHIFT_BITS, SQUARED_BITS, Shift};
use super::length::{self, BELOW_ADDRESS_BITS, LENGTH_BITS, length_bits};
use super::sides::{self, Sides};
use super::steps::{Place, Step, has_volumes};
use super::turns::{Moves, Turn};
use crate::datapath::general::words::{ProjectedItem, has_parts};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::Rom;
use tmu_spec::Config;

/// Registers and multipliers.
#[derive(Bundle)]
pub(super) struct Edges {
    pub(super) sides: Flat<Sides>,
    component: Flat<Component>,
    largest: Reg,
    largest_is_above: Reg,
    power: Reg,
    is_above: Reg,
    joined: Optional<Joined>,
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
        let kept_bits = length_bits(has_volumes && has_parts);
        Edges {
            sides: Flat(Sides::new(clocks, config)),
            component: Flat(Component::new()),
            largest: Reg::new(clocks, SQUARED_BITS),
            largest_is_above: Reg::new(clocks, 1),
            power: Reg::new(clocks, SQUARED_BITS),
            is_above: Reg::new(clocks, 1),
            joined: Optional::new(has_volumes, || Joined {
                goes_on: Reg::new(clocks, 1),
                power: Reg::new(clocks, SQUARED_BITS),
                is_above: Reg::new(clocks, 1),
            }),
            squares: Optional::new(has_volumes || has_parts, || Squares {
                row: Reg::new(clocks, kept_bits),
                column: Reg::new(clocks, kept_bits),
            }),
            logarithm: length::half_logarithms(length_bits(has_volumes)),
        }
    }

    /// The way of all components.
    fn path<'a, 'b>(&'b self, steps: &'b Run<'a, Step>) -> Path<'a, 'b> {
        Path { component: &self.component, steps, name: "" }
    }
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
    let path = edges.path(steps);
    let texels = texels(edges, &path, item, moves.phase, is_w);
    /// # Largest component
    let texels = component::split(texels);
    let component::Texels { has_above, mantissa, is_too_large, .. } = texels;
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
        edges.power.next = component::power_of_shift(largest);
        edges.is_above.next = largest_is_above;
    }
    join(edges, is_first, turns);
    /// # Shift
    let texels = component::send(&path, &texels);
    component::shift(&path, &texels, joined(edges))
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
fn joined(edges: &Edges) -> Shift {
    let (power, is_above) = (edges.power.val(), edges.is_above.val());
    let Some(before) = edges.joined.as_ref() else { return Shift { power, is_above } };
    let goes_on = before.goes_on.val();
    Shift {
        power: if goes_on { power } else { before.power.val() },
        is_above: if goes_on { is_above } else { before.is_above.val() },
    }
}

/// The magnitude of a component in texels.
#[kernel]
fn texels(
    edges: &Edges,
    path: &Path<'_, '_>,
    item: &ProjectedItem,
    phase: Bits,
    is_w: Bits,
) -> component::Scaled {
    /// # Edges in texels
    let (is_column, is_v) = (phase.bit(1), phase.bit(0));
    let [row, column] = &item.edges;
    let in_row = along(row, is_v, is_w);
    let in_column = along(column, is_v, is_w);
    let edge = if is_column { in_column } else { in_row };
    let [less_one, side] = [&edges.sides.sides_less_one, &edges.sides.sides].map(|sides| {
        let sides: Vec<Bits> = sides.iter().map(|side| side.val()).collect();
        along(&sides, is_v, is_w)
    });
    let is_missing = sides::is_line(&edges.sides) && is_v;
    component::texels(path, edge, (less_one, side), is_missing)
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
    let shift = component::shift_in_levels(Shift { power, is_above }) & counts.repeat(SHIFT_BITS);
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
    let square = component::square(&edges.path(steps), shifted);
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
