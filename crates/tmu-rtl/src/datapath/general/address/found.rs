//! Taps across the edges of a cube.

use crate::datapath::general::cube_edge::{CubeEdge, Texel};
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
    let own = pipe.put(entry, &name("item"), item.clone()).at(exit);
    let Some(cube_edge) = cube_edge else { return own };
    let faces = cube_edge.face_bits();
    let texel = Texel { face: item.slice.low(faces), x: item.x[0], y: item.y[0] };
    let beside = if item.edge.is_row { item.x[1] } else { item.y[1] };
    let taps = (texel, item.edge, beside, item.last);
    let found = pipe.through(entry, &name("across"), cube_edge, taps).at(across);
    let found = pipe.put(across, &name("texel"), found).at(exit);
    // Slices of other kinds have more bits than faces.
    let more = item.slice.width() - faces;
    let slice = if more > 0 {
        let upper = pipe.put(entry, &name("upper_slice"), item.slice.high(more)).at(exit);
        cat(&[upper, found.texel.face])
    } else {
        found.texel.face
    };
    let (x, y) = (found.texel.x, found.texel.y);
    if cube_edge.beside.is_none() {
        return TapItem { slice, x: [x, own.x[1]], y: [y, own.y[1]], ..own };
    }
    let (in_row, in_column) = (found.in_row, found.in_column);
    let is_pair = own.uses_second_x || own.uses_second_y;
    TapItem {
        slice,
        x: [x, if in_row { found.beside } else { own.x[1] }],
        y: [y, if in_column { found.beside } else { own.y[1] }],
        uses_second_x: if in_row || in_column { is_pair && in_row } else { own.uses_second_x },
        uses_second_y: if in_row || in_column { is_pair && in_column } else { own.uses_second_y },
        ..own
    }
}
