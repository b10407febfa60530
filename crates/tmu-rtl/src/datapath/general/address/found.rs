//! Taps across the edges of a cube.

use crate::datapath::general::cube_edge::{CubeEdge, Texel};
use crate::datapath::general::footprint::TapItem;
use tmu_hdl::prelude::*;

/// The item with the texel that its only tap has across an edge. Stages: it comes in, the texel across is there, it leaves. `name`
/// makes the item's own of what is called after it.
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
    let found = pipe.through(entry, &name("across"), cube_edge, (texel, item.edge, item.last)).at(across);
    let found = pipe.put(across, &name("texel"), found).at(exit);
    // Slices of other kinds have more bits than faces.
    let more = item.slice.width() - faces;
    let slice = if more > 0 {
        let upper = pipe.put(entry, &name("upper_slice"), item.slice.high(more)).at(exit);
        cat(&[upper, found.face])
    } else {
        found.face
    };
    TapItem { slice, x: [found.x, own.x[1]], y: [found.y, own.y[1]], ..own }
}
