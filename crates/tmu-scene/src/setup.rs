//! The triangles of a mesh to what the tile walk takes.

use glam::DVec3;

use crate::camera::Projection;
use crate::mapping::Placement;
use crate::raster::{PrimitiveList, ShadedCorner};
use crate::scene::{Draw, Space};

/// Adds the triangles of a mesh as a projection shows them; `eye` is what directions come from.
pub(crate) fn add(
    primitives: &mut PrimitiveList,
    number: u32,
    draw: &Draw,
    projection: &Projection,
    eye: DVec3,
    near: Option<f64>,
) {
    let to_scene = match draw.space {
        Space::World(to_scene) => to_scene,
        Space::Screen { .. } => glam::DMat4::IDENTITY,
    };
    let is_mirrored = to_scene.determinant() < 0.0;
    let placement = Placement::new(to_scene, eye);
    for (triangle, corners) in draw.mesh.triangles.iter().enumerate() {
        let order = if is_mirrored { [0, 2, 1] } else { [0, 1, 2] };
        let shaded = order.map(|corner: usize| {
            let vertex = &draw.mesh.vertices[corners[corner] as usize];
            let normal = draw.normals.get(triangle).map_or(DVec3::ZERO, |normals| normals[corner]);
            let (uv, more) = draw.mapping.values(vertex, normal, &placement);
            (ShadedCorner { corner: projection.project(to_scene * vertex.position), uv }, more)
        });
        let more = draw.mapping.has_more().then(|| shaded.map(|(_, more)| more));
        primitives.push(number, shaded.map(|(corner, _)| corner), more.as_ref(), near, draw.cull);
    }
}
