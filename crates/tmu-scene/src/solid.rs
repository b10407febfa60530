//! What a tracer of rays wants of a scene: triangles in the scene's own coordinates, and the way of a ray through a pixel.
//!
//! Cost: a copy of all corners.

use std::path::Path;

use glam::{DVec3, DVec4};
use tmu_problem::{Problems, Report};

use crate::camera::Camera;
use crate::numerics::Numerics;
use crate::problem::Rule;
use crate::scene::{Draw, ImageSize, MAX_PLACE, Scene, Space};

/// A mesh where it stands in the scene.
#[derive(Debug, Clone, PartialEq)]
pub struct Solid {
    /// The corners of its triangles.
    pub corners: Vec<DVec3>,
    /// Indices of corners, counter-clockwise as seen from the front.
    pub triangles: Vec<[u32; 3]>,
    /// The binding that its texture is in.
    pub binding: usize,
}

/// Where the rays of a picture begin, and where they go.
#[derive(Debug, Clone, Copy)]
pub struct Eye {
    position: DVec3,
    forward: DVec3,
    right: DVec3,
    down: DVec3,
    middle: [f64; 2],
}

impl Eye {
    fn new(camera: &Camera, size: ImageSize) -> Self {
        let forward = (camera.target - camera.position).normalize();
        let right = forward.cross(camera.up).normalize();
        let middle = [size.width(), size.height()].map(|side| f64::from(side) / 2.0);
        let pixel = libm::tan(camera.vertical_fov / 2.0) / middle[1];
        let down = forward.cross(right) * pixel;
        Self { position: camera.position, forward, right: right * pixel, down, middle }
    }

    /// Where all rays begin.
    #[must_use]
    pub const fn position(&self) -> DVec3 {
        self.position
    }

    /// The direction of the ray through the middle of a pixel, 1 long along the line of sight.
    #[must_use]
    pub fn through(&self, x: u32, y: u32) -> DVec3 {
        let [x, y] = [f64::from(x) + 0.5 - self.middle[0], f64::from(y) + 0.5 - self.middle[1]];
        self.forward + self.right * x + self.down * y
    }
}

impl<N: Numerics> Scene<N> {
    /// The meshes of the scene and the eye, for a picture of `size` pixels. `path` is for messages.
    ///
    /// # Errors
    /// [`Rule::Untraceable`] of every shape that has no place in the scene, or none that ends.
    pub fn solids(&self, path: &Path, size: ImageSize) -> Result<(Eye, Vec<Solid>), Problems> {
        let mut report = Report::new(path);
        let mut solids = Vec::new();
        for (number, draw) in (1..).zip(self.draws()) {
            match solid(draw) {
                Ok(solid) => solids.push(solid),
                Err(what) => {
                    let message = format!("mesh {number} {what}, where rays have nothing to hit");
                    let remedy = "leave it out; cubes, spheres and meshes from files can be traced";
                    report.add(Rule::Untraceable, None, message, remedy);
                }
            }
        }
        // A scene with shapes in the world has a camera, and one without any has nothing to look at.
        match self.camera() {
            Some(camera) => report.finish((Eye::new(camera, size), solids)),
            None if report.is_empty() => {
                let message = "the scene has no [camera]";
                Err(Problems::one(Rule::MissingKey, path, message, "say where it is looked at from"))
            }
            None => Err(report.finish(()).expect_err("there are problems")),
        }
    }
}

fn solid(draw: &Draw) -> Result<Solid, &'static str> {
    let Space::World(to_scene) = draw.space else { return Err("lies on the screen") };
    let vertices = &draw.mesh.vertices;
    if vertices.iter().any(|vertex| vertex.position.w == 0.0) {
        return Err("reaches to the horizon");
    }
    let corner = |position: DVec4| to_scene * position;
    let corners: Vec<_> = vertices.iter().map(|vertex| corner(vertex.position).truncate()).collect();
    if corners.iter().any(|corner| corner.abs().max_element() > MAX_PLACE) {
        return Err("reaches beyond every place of a scene");
    }
    Ok(Solid { corners, triangles: draw.mesh.triangles.clone(), binding: draw.binding })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scene;

    fn scene(meshes: &str) -> Scene {
        let text = format!(
            "[image]\nwidth = 64\nheight = 48\n[camera]\nposition = [0, 0, 5]\ntarget = [0, 0, 0]\n\
             vertical_fov_degrees = 90\n[[texture]]\nname = \"t\"\nfile = \"emblem.png\"\n[[sampler]]\nname = \"s\"\n\
             {meshes}"
        );
        let path = tmu_testing::repository().join("assets/scene.toml");
        Scene::parse(&path, &text).unwrap_or_else(|problems| panic!("{problems}"))
    }

    #[test]
    fn meshes_stand_where_they_are_drawn() {
        let scene = scene(
            "[[mesh]]\nshape = \"cube\"\ntexture = \"t\"\nsampler = \"s\"\nscale = [2, 4, 6]\ntranslate = [1, 0, 0]\n",
        );
        let (eye, solids) = scene.solids(Path::new("s"), scene.size()).unwrap();
        let [solid] = &solids[..] else { panic!("{solids:?}") };
        assert_eq!((solid.triangles.len(), solid.binding), (12, 0));
        let farthest = solid.corners.iter().map(|corner| (*corner - DVec3::X).abs()).reduce(DVec3::max);
        assert_eq!(farthest, Some(DVec3::new(1.0, 2.0, 3.0)));
        // Every ray lands on its pixel.
        let projection = scene.camera().unwrap().projection(64, 48);
        for [x, y] in [[0, 0], [63, 47], [31, 24], [5, 40]] {
            let seen = projection.project((eye.position() + eye.through(x, y) * 3.0).extend(1.0)).position;
            let off = [seen.x / seen.z - f64::from(x) - 0.5, seen.y / seen.z - f64::from(y) - 0.5];
            assert!(off.iter().all(|off| off.abs() < 1e-9), "{x} {y}: {off:?}");
        }
    }

    #[test]
    fn what_has_no_end_is_refused() {
        let scene = scene(
            "[[mesh]]\nshape = \"floor\"\ntexture = \"t\"\nsampler = \"s\"\n\
             [[mesh]]\nshape = \"rectangle\"\ntexture = \"t\"\nsampler = \"s\"\n",
        );
        let problems = scene.solids(Path::new("s.toml"), scene.size()).unwrap_err().to_string();
        for part in ["mesh 1 reaches to the horizon", "mesh 2 lies on the screen", "E0316"] {
            assert!(problems.contains(part), "no {part:?}: {problems}");
        }
    }
}
