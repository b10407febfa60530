//! `edges`: from the edges of a footprint to half the logarithm of the longer one.

use super::{Marks, Turns};
use crate::datapath::general::lod::component::{
    self, Component, Path, SHIFT_BITS, SQUARED_BITS, Shift, TexelsOnWay,
};
use crate::datapath::general::lod::length::{self, BELOW_ADDRESS_BITS, LENGTH_BITS, length_bits};
use crate::datapath::general::lod::sides::{self, Sides};
use crate::datapath::general::lod::steps::{Step, has_volumes};
use crate::datapath::general::lod::turns::Turn;
use crate::datapath::general::words::{AXES, has_parts};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::Rom;
use tmu_spec::Config;

/// What the names of a component's values end with.
const NAMES: [&str; 4] = ["_row_u", "_row_v", "_column_u", "_column_v"];

/// Registers and multipliers.
#[derive(Bundle)]
pub(super) struct Edges {
    pub(super) sides: Flat<Sides>,
    components: Vec<Component>,
    /// Squared lengths; in a second turn those of the first one are added to.
    row: Reg,
    column: Reg,
    logarithm: Rom,
}

/// What the edges tell.
pub(super) struct Measured<'a> {
    /// The footprint is a point.
    pub(super) is_point: Payload<'a, Step, Bits>,
    /// What its shift adds to the level of detail, in levels.
    pub(super) shift: Payload<'a, Step, Bits>,
    /// Half the logarithm of the longer edge.
    pub(super) logarithm: Payload<'a, Step, Bits>,
    /// The row is the longer edge.
    pub(super) is_row: Payload<'a, Step, Bits>,
    /// Where footprints are cut: the squared length of the longer edge, then of the other one. Those of volumes do not count.
    pub(super) lengths: Option<Payload<'a, Step, [Bits; 2]>>,
}

impl Edges {
    pub(super) fn new(clocks: &Clocks, config: &Config) -> Edges {
        let length_bits = length_bits(has_volumes(config));
        Edges {
            sides: Flat(Sides::new(clocks, config)),
            components: NAMES.iter().map(|_| Component::new()).collect(),
            row: Reg::new(clocks, length_bits),
            column: Reg::new(clocks, length_bits),
            logarithm: length::half_logarithms(length_bits),
        }
    }
}

/// Measures the edges of a footprint.
#[kernel]
pub(super) fn measure<'a>(
    edges: &Edges,
    steps: &Run<'a, Step>,
    of_quad: &[[Bits; AXES]; 2],
    turns: &Turns<'a>,
    marks: &Marks<'a>,
    config: &Config,
) -> Measured<'a> {
    let paths: Vec<Path<'a, '_>> = (edges.components.iter().zip(NAMES))
        .map(|(component, name)| Path { component, steps, name })
        .collect();
    let texels = texels(edges, &paths, of_quad, turns);
    /// # Largest component
    let largest = steps.put(Step::Largest, "largest", largest(&texels));
    let largest = match turns {
        Some(turns) => steps.put(Step::Together, "together", together(&largest, turns)).at(Step::Highest),
        None => largest.at(Step::Highest),
    };
    let power = component::power_of_shift(largest.power);
    let shift = Shift { power, is_above: largest.is_above };
    let shift = steps.put(Step::Highest, "shift", shift).at(Step::Factors);
    let counts = !marks.is_explicit.at(Step::Factors);
    let is_point = !shift.power.any() && counts;
    let levels = component::shift_in_levels(shift) & counts.repeat(SHIFT_BITS);
    /// # Shift
    let squares: Vec<Bits> = (paths.iter().zip(&texels))
        .map(|(path, texels)| {
            let shifted = component::shift(path, texels, shift);
            component::square(path, &shifted).at(Step::Squared)
        })
        .collect();
    add_squares(edges, &squares, turns);
    let Longer { logarithm, is_row, lengths } = longer(edges, steps, config);
    Measured {
        is_point: steps.put(Step::Factors, "is_point", is_point),
        shift: steps.put(Step::Factors, "levels_of_shift", levels),
        logarithm,
        is_row,
        lengths,
    }
}

/// The components in texels. In a second turn those along u are along w, and those along v nothing.
#[kernel]
fn texels<'a>(
    edges: &Edges,
    paths: &[Path<'a, '_>],
    of_quad: &[[Bits; AXES]; 2],
    turns: &Turns<'a>,
) -> Vec<TexelsOnWay<'a>> {
    /// # Edges in texels
    let is_w = turns.as_ref().map_or(lit(1, 0u32), |turn| turn.at(Step::Entry).is_second);
    let [less_one, sides] = [&edges.sides.sides_less_one, &edges.sides.sides]
        .map(|sides| sides.iter().map(|side| side.val()).collect::<Vec<Bits>>());
    let without_v = sides::is_line(&edges.sides) || is_w;
    let along = |axes: &[Bits], axis: usize| {
        if axis == 0 && axes.len() == AXES { if is_w { axes[2] } else { axes[0] } } else { axes[axis] }
    };
    let mut texels = vec![];
    for (number, path) in paths.iter().enumerate() {
        let axis = number % 2;
        let edge = along(&of_quad[number / 2], axis);
        let size = (along(&less_one, axis), along(&sides, axis));
        let is_missing = if axis == 1 { without_v } else { lit(1, 0u32) };
        let component = component::texels(path, edge, size, is_missing);
        texels.push(component::send(path, &component::split(component)));
    }
    texels
}

/// The bits of all components. What is below counts only where nothing is above.
#[kernel]
fn largest(texels: &[TexelsOnWay<'_>]) -> Shift {
    let is_above = stack(texels.iter().map(|component| component.has_above.at(Step::Largest))).any();
    let is_too_large = stack(texels.iter().map(|component| component.is_too_large.at(Step::Largest))).any();
    let mut any = lit(SQUARED_BITS, 0u32);
    for component in texels {
        let counts = component.has_above.at(Step::Largest) || !is_above;
        any = any | (component.mantissa.at(Step::Largest) & counts.repeat(SQUARED_BITS));
    }
    Shift { power: cat(&[any.high(1) || is_too_large, any.low(SQUARED_BITS - 1)]), is_above }
}

/// The bits of the components of both turns.
#[kernel]
fn together(largest: &Payload<'_, Step, Shift>, turns: &Payload<'_, Step, Turn>) -> Shift {
    let Turn { is_first, is_second } = turns.at(Step::Together);
    let this = largest.at(Step::Together);
    let (behind, before) = (largest.at(Step::Behind), largest.before(Step::Together, 1));
    let is_behind_above = is_first && behind.is_above;
    let is_before_above = is_second && before.is_above;
    let is_above = this.is_above || is_behind_above || is_before_above;
    let counted = |bits: Bits, counts: Bits| bits & counts.repeat(SQUARED_BITS);
    let power = counted(this.power, this.is_above || !is_above)
        | counted(behind.power, is_first && (behind.is_above || !is_above))
        | counted(before.power, is_second && (before.is_above || !is_above));
    Shift { power, is_above }
}

/// The squared lengths of both edges.
#[kernel]
fn add_squares(edges: &Edges, squares: &[Bits], turns: &Turns<'_>) {
    /// # Squared lengths
    let is_second = turns.as_ref().map_or(lit(1, 0u32), |turn| turn.at(Step::Squared).is_second);
    for (length, pair) in [&edges.row, &edges.column].into_iter().zip(squares.chunks(2)) {
        let bits = length.width();
        let before = length.val() & is_second.repeat(bits);
        length.next = pair[0].zero_extend(bits) + (pair[1].zero_extend(bits) | before);
    }
}

/// What the squared lengths tell.
struct Longer<'a> {
    logarithm: Payload<'a, Step, Bits>,
    is_row: Payload<'a, Step, Bits>,
    lengths: Option<Payload<'a, Step, [Bits; 2]>>,
}

/// Compares the squared lengths, as far as they count. The row is the longer edge if both are alike.
#[kernel]
fn longer<'a>(edges: &Edges, steps: &Run<'a, Step>, config: &Config) -> Longer<'a> {
    /// # Longer edge
    let address_bits = edges.row.width() - BELOW_ADDRESS_BITS;
    let [row, column] = [&edges.row, &edges.column].map(|length| {
        if has_parts(config) {
            return length.val();
        }
        discard(length.val().low(BELOW_ADDRESS_BITS), "a logarithm has 8 bits behind the point");
        length.val().high(address_bits)
    });
    let is_row = steps.put(Step::Compared, "is_row", row >= column);
    let [row, column] = steps.put(Step::Compared, "lengths", [row, column]).at(Step::Longer);
    let is_row_longer = is_row.at(Step::Longer);
    let address = if is_row_longer { row.high(address_bits) } else { column.high(address_bits) };
    let logarithm = steps.through(Step::Longer, "logarithm", &edges.logarithm, address);
    let lengths = has_parts(config).then(|| {
        let [row, column] = [row.low(LENGTH_BITS), column.low(LENGTH_BITS)];
        let long = if is_row_longer { row } else { column };
        let short = if is_row_longer { column } else { row };
        steps.put(Step::Longer, "long_and_short", [long, short])
    });
    Longer { logarithm, is_row, lengths }
}
