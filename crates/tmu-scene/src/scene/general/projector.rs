//! `[[projector]]`: lamps and slide projectors, whose pictures fall onto meshes.

use glam::DVec4;

use super::super::definition::{MAX_DEFINITIONS, definition_name};
use super::super::view::{MAX_PLACE, point_of_view};
use crate::camera::Camera;
use crate::document::{Document, Section};
use crate::problem::Rule;

/// Farthest depth where a projector names none.
const DEFAULT_FAR: f64 = 100.0;

/// A point of view whose picture is square.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Projector {
    pub(crate) camera: Camera,
    /// Distance along the axis at which depth is 1.
    far: f64,
}

impl Projector {
    /// Rows that take a homogeneous place of the scene to u, v, q and depth.
    pub(crate) fn rows(&self) -> [DVec4; 4] {
        let [u, v, distance] = self.camera.projection(1, 1).rows();
        let near = self.camera.near;
        let depth = (distance - DVec4::W * near) / (self.far - near);
        [u, v, distance, depth]
    }

    /// The depth at a distance along the axis.
    pub(crate) fn depth(&self, distance: f64) -> f64 {
        (distance - self.camera.near) / (self.far - self.camera.near)
    }
}

/// The projectors of a scene, by name.
#[derive(Debug, Default)]
pub(in crate::scene) struct Projectors {
    pub(in crate::scene) names: Vec<String>,
    pub(in crate::scene) list: Vec<Projector>,
}

/// Reads all `[[projector]]` tables.
pub(in crate::scene) fn projectors<'t>(document: &mut Document<'t>, root: &mut Section<'t>) -> Projectors {
    let mut projectors = Projectors::default();
    for mut section in document.tables(root, "projector", MAX_DEFINITIONS) {
        let name = definition_name(document, &mut section, &projectors.names);
        let camera = point_of_view(document, &mut section, "the projector");
        let far = document.number(&mut section, "far", 1.0e-4..=MAX_PLACE).unwrap_or(DEFAULT_FAR);
        if far <= camera.near {
            let message =
                format!("{} `far` is {far}, not beyond `near`, which is {}", section.label, camera.near);
            document.report.add(Rule::Conflict, section.line, message, "raise `far` or lower `near`");
        }
        projectors.names.push(name);
        projectors.list.push(Projector { camera, far });
        document.finish(section);
    }
    projectors
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    #[test]
    fn the_corners_of_its_picture_are_0_and_1() {
        let camera = Camera {
            position: DVec3::new(0.0, 5.0, 0.0),
            target: DVec3::ZERO,
            up: DVec3::NEG_Z,
            vertical_fov: std::f64::consts::FRAC_PI_2,
            near: 1.0,
        };
        let projector = Projector { camera, far: 9.0 };
        // Five units below a right angle is five units wide on either side; x is to the right, -z up.
        for (place, [u, v, depth]) in [
            (DVec4::new(0.0, 0.0, 0.0, 1.0), [0.5, 0.5, 0.5]),
            (DVec4::new(-5.0, 0.0, -5.0, 1.0), [0.0, 0.0, 0.5]),
            (DVec4::new(5.0, 0.0, 5.0, 1.0), [1.0, 1.0, 0.5]),
            (DVec4::new(0.0, 4.0, 1.0, 1.0), [0.5, 1.0, 0.0]),
        ] {
            let [x, y, q, d] = projector.rows().map(|row| row.dot(place));
            let got = [x / q, y / q, d];
            let is_near =
                std::iter::zip(got, [u, v, depth]).all(|(got, wanted)| (got - wanted).abs() < 1e-12);
            assert!(is_near, "{place}: {got:?}");
            assert!((projector.depth(q) - depth).abs() < 1e-12);
        }
    }
}
