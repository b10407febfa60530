//! The triangles of a scene: corners that they share, each with the colour of its mesh, by 16-bit numbers.
//!
//! A mesh has one colour, the mean of its texture's smallest level.

use crate::grid::{Grid, Lists};
use crate::ray::{Corner, Triangle};
use glam::DVec3;
use std::collections::HashMap;
use std::path::Path;
use tmu_model::MemoryImage;
use tmu_model::general::unit::Unit;
use tmu_problem::Problems;
use tmu_scene::{Eye, General, ImageSize, Rule, Scene, Solid};
use tmu_spec::Features;
use tmu_spec::general::{Binding, Operation, Pixel, Quad};

/// Most corners: as many as 16-bit numbers tell apart.
pub const MAX_CORNERS: usize = 1 << 16;
/// Most triangles of all lists of the grid.
pub const MAX_ELEMENTS: usize = 1 << 21;
/// Longest side of a picture: rays are textures.
pub const MAX_SIDE: u32 = 2048;
/// Part of the grid's diagonal that rays to the lamp begin off their surface.
const LIFT: f64 = 1e-4;

/// Everything that rays may meet, and where they come from.
#[derive(Debug, Clone)]
pub struct World {
    /// Where rays begin.
    pub eye: Eye,
    /// The picture's size.
    pub size: ImageSize,
    /// R, G, B where rays meet nothing.
    pub background: [u8; 3],
    /// Corners, all different.
    pub corners: Vec<Corner>,
    /// Triangles by the numbers of their corners.
    pub triangles: Vec<[u16; 3]>,
    /// The grid around them.
    pub grid: Grid,
    /// What is in its boxes.
    pub lists: Lists,
}

impl World {
    /// The world of a scene, for a picture of `size` pixels. `path` is for messages.
    ///
    /// # Errors
    /// What of the scene cannot be traced.
    pub fn new(scene: &Scene<General>, path: &Path, size: ImageSize) -> Result<Self, Problems> {
        let refused = |rule, message: String, remedy| Err(Problems::one(rule, path, message, remedy));
        if size.width().max(size.height()) > MAX_SIDE {
            let message =
                format!("the picture has {size} pixels, but a traced one has at most {MAX_SIDE} a side");
            return refused(Rule::Limit, message, "use --size with fewer");
        }
        let (eye, solids) = scene.solids(path, size)?;
        let bindings: Vec<_> = scene.bindings().collect();
        let (corners, triangles) = merged(&solids, |binding| mean_color(scene.memory(), bindings[binding]));
        if triangles.is_empty() {
            return refused(Rule::Untraceable, "the scene has no triangles".into(), "add a [[mesh]]");
        }
        if corners.len() > MAX_CORNERS {
            let message = format!(
                "the scene has {} corners, but 16-bit numbers tell {MAX_CORNERS} apart",
                corners.len()
            );
            return refused(Rule::Untraceable, message, "simplify the meshes, or leave some out");
        }
        let grid = Grid::around(&corners, triangles.len());
        let places: Vec<_> =
            triangles.iter().map(|of| of.map(|corner| place(corners[corner as usize]))).collect();
        let Some(lists) = grid.lists(&places, MAX_ELEMENTS) else {
            let message = format!("the lists of the grid have more than {MAX_ELEMENTS} triangles");
            return refused(Rule::Untraceable, message, "simplify the meshes, or leave some out");
        };
        let narrow = |of: [u32; 3]| of.map(|corner| corner as u16);
        Ok(Self {
            eye,
            size,
            background: scene.background(),
            corners,
            triangles: triangles.into_iter().map(narrow).collect(),
            grid,
            lists,
        })
    }

    /// A triangle.
    #[must_use]
    pub fn triangle(&self, number: u32) -> Triangle {
        Triangle(self.triangles[number as usize].map(|corner| self.corners[usize::from(corner)]))
    }

    /// How far rays to the lamp begin off their surface.
    #[must_use]
    pub fn lift(&self) -> f64 {
        self.grid.diagonal() * LIFT
    }
}

fn place([x, y, z, _]: Corner) -> DVec3 {
    DVec3::new(x.into(), y.into(), z.into())
}

/// Corners of meshes as singles, each once, and the triangles by their numbers.
fn merged(solids: &[Solid], color: impl Fn(usize) -> f32) -> (Vec<Corner>, Vec<[u32; 3]>) {
    let (mut corners, mut triangles, mut numbers) = (Vec::new(), Vec::new(), HashMap::new());
    for solid in solids {
        let color = color(solid.binding);
        let mut number = |index: u32| {
            let place = solid.corners[index as usize].to_array().map(|value| value as f32);
            let corner = [place[0], place[1], place[2], color];
            *numbers.entry(corner.map(f32::to_bits)).or_insert_with(|| {
                corners.push(corner);
                corners.len() as u32 - 1
            })
        };
        triangles.extend(solid.triangles.iter().map(|triangle| triangle.map(&mut number)));
    }
    (corners, triangles)
}

/// The mean of a texture's smallest level as one number; white where it cannot be read.
fn mean_color(memory: &[u8], binding: &Binding) -> f32 {
    let mut unit = Unit::new(MemoryImage::new(0, memory), Features::GENERAL);
    // What breaks a rule is answered with errors.
    let _ = unit.bind(&binding.texture, binding.base, &binding.sampler);
    let level = binding.texture.levels() - 1;
    let [width, height, _] = binding.texture.shape().level_size(level);
    let mut sum = DVec3::ZERO;
    for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
        let pixel = Pixel { u: x, v: y, ..Pixel::default() };
        let pixels = [pixel, Pixel::default(), Pixel::default(), Pixel::default()];
        let quad = Quad { pixels, valid: 1, lod: (level as f32).to_bits(), operation: Operation::Fetch };
        let result = unit.sample(&quad);
        let [r, g, b, _] = result.channels[0].map(|bits| f64::from(f32::from_bits(bits)));
        sum += if result.error { DVec3::ONE } else { DVec3::new(r, g, b) };
    }
    let mean = sum / f64::from(width * height);
    // Floats may be anything; what is no number casts to 0.
    let [r, g, b] = mean.to_array().map(|channel| (channel.clamp(0.0, 1.0) * 255.0).round() as u32);
    (r << 16 | g << 8 | b) as f32
}
