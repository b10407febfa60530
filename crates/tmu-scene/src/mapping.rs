//! Where the coordinates of a pixel come from.
//!
//! Of each corner a few values are interpolated, exact in perspective; what a pixel is sampled with is worked out of them
//! at the pixel. So directions are right everywhere, not only at corners.

use glam::{DMat3, DMat4, DVec2, DVec3, DVec4};

use crate::mesh::Vertex;
use crate::numerics::Coordinates;
use crate::raster::{MORE, Values};

/// Where the coordinates of a mesh come from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Mapping {
    /// u and v of the mesh, times a scale, and a third coordinate that is the same everywhere.
    Uv {
        /// Factors of u and v.
        scale: DVec2,
        /// The third coordinate.
        w: f64,
    },
    /// The place in the mesh's own space.
    Position {
        /// Factors along its axes.
        scale: DVec3,
        /// Added then.
        offset: DVec3,
    },
    /// The direction from the camera.
    Direction,
    /// The direction in which the surface faces.
    Normal,
    /// The direction from the camera, reflected by the surface.
    Reflection,
    /// The place in a projector's picture, and the depth before it.
    Projected {
        /// Rows that give u, v, q and depth of a place of the scene.
        rows: [DVec4; 4],
        /// The third coordinate.
        w: f64,
    },
}

/// What corners are seen from and how they are placed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Placement {
    pub(crate) to_scene: DMat4,
    /// Takes what faces in the mesh to where it faces in the scene.
    normals_to_scene: DMat3,
    /// Place of the camera.
    eye: DVec3,
}

impl Placement {
    pub(crate) fn new(to_scene: DMat4, eye: DVec3) -> Self {
        let normals_to_scene = DMat3::from_mat4(to_scene).inverse().transpose();
        Self { to_scene, normals_to_scene, eye }
    }

    /// Where a surface faces in the scene that faces so in the mesh; of length 1, or 0.
    pub(crate) fn facing(&self, normal: DVec3) -> DVec3 {
        (self.normals_to_scene * normal).normalize_or_zero()
    }
}

impl Mapping {
    /// Whether corners need to know where they face.
    pub(crate) fn needs_normals(&self) -> bool {
        matches!(self, Mapping::Normal | Mapping::Reflection)
    }

    /// Whether there are values beyond two.
    pub(crate) fn has_more(&self) -> bool {
        !matches!(self, Mapping::Uv { .. })
    }

    /// The values of a corner, scaled by its weight as positions are: the first two, and those beyond.
    pub(crate) fn values(
        &self,
        vertex: &Vertex,
        normal: DVec3,
        placement: &Placement,
    ) -> (DVec2, [f64; MORE]) {
        let weight = vertex.position.w;
        let place = || placement.to_scene * vertex.position;
        let from_eye = || place().truncate() - placement.eye * weight;
        let facing = || placement.facing(normal) * weight;
        let of_three = |place: DVec3| (place.truncate(), [place.z, 0.0, 0.0, 0.0]);
        match *self {
            Mapping::Uv { scale, .. } => (vertex.uv * scale, [0.0; MORE]),
            Mapping::Position { scale, offset } => {
                of_three(vertex.position.truncate() * scale + offset * weight)
            }
            Mapping::Direction => of_three(from_eye()),
            Mapping::Normal => of_three(facing()),
            Mapping::Reflection => {
                let (ahead, DVec3 { x, y, z }) = (from_eye(), facing());
                (ahead.truncate(), [ahead.z, x, y, z])
            }
            Mapping::Projected { rows, .. } => {
                let [u, v, q, d] = rows.map(|row| row.dot(place()));
                (DVec2::new(u, v), [q, d, 0.0, 0.0])
            }
        }
    }

    /// What a pixel with these values is sampled with.
    pub(crate) fn coordinates(&self, [u, v, a, b, c, d]: Values) -> Coordinates {
        let of = |place: DVec3| Coordinates { u: place.x, v: place.y, w: place.z, q: 1.0, d: 0.0 };
        match *self {
            Mapping::Uv { w, .. } => Coordinates { u, v, w, q: 1.0, d: 0.0 },
            Mapping::Position { .. } | Mapping::Direction | Mapping::Normal => of(DVec3::new(u, v, a)),
            Mapping::Reflection => {
                let (ahead, facing) = (DVec3::new(u, v, a), DVec3::new(b, c, d).normalize_or_zero());
                of(ahead - 2.0 * ahead.dot(facing) * facing)
            }
            Mapping::Projected { w, .. } => Coordinates { u, v, w, q: a, d: b },
        }
    }
}
