//! Taps across the edges of a cube.

use crate::datapath::general::cube_edge::{CubeEdge, Found, Texel};
use crate::datapath::general::footprint::TapItem;
use tmu_hdl::prelude::*;

/// The item with the texels that its taps have across an edge: its only one, or two beside each other along the edge. Stages: it comes
/// in, the texels across are there, it leaves. `name` makes the item's own of what is called after it.
#[kernel]
pub(in crate::datapath::general) fn found<S: Stages>(
    pipe: &Run<'_, S>,
    [entry, across, exit]: [S; 3],
    cube_edge: Option<&CubeEdge>,
    name: impl Fn(&str) -> String,
    item: TapItem,
) -> TapItem {
    /// # Across edges
    let Some(cube_edge) = cube_edge else { return pipe.put(entry, &name("item"), item).at(exit) };
    let faces = cube_edge.face_bits();
    let texel = Texel { face: item.slice.low(faces), x: item.x[0], y: item.y[0] };
    let beside = if item.edge.is_row { item.x[1] } else { item.y[1] };
    let taps = (texel, item.edge.clone(), beside, item.last);
    // Slices of other kinds have more bits than faces.
    let more = item.slice.width() - faces;
    let upper = (more > 0).then(|| pipe.put(entry, &name("upper_slice"), item.slice.high(more)).at(exit));
    let own = pipe.put(entry, &name("item"), item);
    let found = pipe.through(entry, &name("across"), cube_edge, taps).at(across);
    let texel = pipe.put(across, &name("texel"), found.texel.clone()).at(exit);
    let slice = upper.map_or(texel.face, |upper| cat(&[upper, texel.face]));
    let first = own.at(exit);
    let second = if cube_edge.beside.is_some() {
        pipe.put(across, &name("second"), second(&own.at(across), &found)).at(exit)
    } else {
        let TapItem { x, y, uses_second_x, uses_second_y, .. } = first.clone();
        Second { texels: [x[1], y[1]], is_used: [uses_second_x, uses_second_y] }
    };
    let ([x, y], [uses_second_x, uses_second_y]) = (second.texels, second.is_used);
    TapItem { slice, x: [texel.x, x], y: [texel.y, y], uses_second_x, uses_second_y, ..first }
}

/// The second column and the second row of an item.
#[derive(Clone, Debug, Record)]
struct Second<T = Bits> {
    texels: [T; 2],
    is_used: [T; 2],
}

/// Those of an item: of two taps beside each other along an edge the other one lies in a row of the other face, or in a column.
#[kernel]
fn second(own: &TapItem, found: &Found) -> Second {
    let Found { beside, in_row, in_column, .. } = found.clone();
    let is_pair = own.uses_second_x || own.uses_second_y;
    let is_crossed = in_row || in_column;
    Second {
        texels: [if in_row { beside } else { own.x[1] }, if in_column { beside } else { own.y[1] }],
        is_used: [
            if is_crossed { is_pair && in_row } else { own.uses_second_x },
            if is_crossed { is_pair && in_column } else { own.uses_second_y },
        ],
    }
}
