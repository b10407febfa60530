//! `[[mesh]]`: the shapes of a scene, in the order in which they are drawn.

use std::path::Path;

use glam::{DMat4, DVec2, DVec3};

use super::texture::Bindings;
use super::view::MAX_PLACE;
use crate::document::{Document, Section, Value};
use crate::mesh::{self, MAX_TRIANGLES, Mesh};
use crate::problem::Rule;
use crate::raster::Cull;

/// Meshes that a scene may have.
const MAX_MESHES: usize = 1024;

/// Segments around a sphere: the default and the most.
const DEFAULT_SEGMENTS: u32 = 64;
const MAX_SEGMENTS: u32 = 256;

/// Smallest scale, so that a transform can be undone.
const MIN_SCALE: f64 = 1.0e-6;

/// Where a shape lives.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Space {
    /// In the scene, under this transform.
    World(DMat4),
    /// On the screen, at this distance for the depth test.
    Screen {
        /// As a distance from the camera.
        distance: f64,
    },
}

/// A `[[mesh]]`, ready to be drawn.
#[derive(Debug)]
pub(crate) struct Draw {
    pub(crate) mesh: Mesh,
    pub(crate) space: Space,
    /// Index of the binding its quads need.
    pub(crate) binding: usize,
    pub(crate) uv_scale: DVec2,
    pub(crate) cull: Cull,
    /// Texels with less alpha are not drawn.
    pub(crate) alpha_threshold: Option<u8>,
}

/// Reads all `[[mesh]]` tables and the mesh files that they name. `near` is the camera's nearest distance.
pub(super) fn draws<'t>(
    document: &mut Document<'t>,
    root: &mut Section<'t>,
    directory: &Path,
    bindings: &mut Bindings<'_>,
    near: f64,
) -> Vec<Draw> {
    let mut draws: Vec<Draw> = Vec::new();
    let mut triangles = 0;
    for mut section in document.tables(root, "mesh", MAX_MESHES) {
        let draw = draw(document, &mut section, directory, bindings, near);
        let count = draw.as_ref().map_or(0, |draw| draw.mesh.triangles.len());
        if triangles <= MAX_TRIANGLES && triangles + count > MAX_TRIANGLES {
            let message = format!("the scene has over {MAX_TRIANGLES} triangles with {}", section.label);
            document.report.add(Rule::Limit, section.line, message, "leave out or simplify meshes");
        }
        triangles += count;
        // What exceeds the limit is not kept: the scene will not be drawn.
        draws.extend(draw.filter(|_| triangles <= MAX_TRIANGLES));
        document.finish(section);
    }
    draws
}

fn draw<'t>(
    document: &mut Document<'t>,
    section: &mut Section<'t>,
    directory: &Path,
    bindings: &mut Bindings<'_>,
    near: f64,
) -> Option<Draw> {
    let binding = bindings.take(document, section);
    let uv_scale = document.vector::<2>(section, "uv_scale", -1.0e6..=1.0e6).unwrap_or([1.0, 1.0]);
    let alpha_threshold = document.integer(section, "alpha_threshold", 0..=255);
    let cull = document.choice(section, "cull", |name| match name {
        "back" => Ok(Cull::Back),
        "none" => Ok(Cull::None),
        _ => Err(format!("{name:?} is not a way to cull; use one of back, none")),
    });
    let shape = document.optional::<String>(section, "shape");
    let file = document.optional::<String>(section, "file");
    let placed = match (&shape, &file) {
        (Some(shape), None) if shape.value == "rectangle" => {
            rectangle(document, section, bindings, binding, near)
        }
        _ => {
            let mesh = world_mesh(document, section, directory, shape, file);
            let transform = transform(document, section);
            mesh.zip(transform.map(Space::World))
        }
    };
    let (mesh, space) = placed?;
    Some(Draw {
        mesh,
        space,
        binding: binding?,
        uv_scale: DVec2::from_array(uv_scale),
        cull: cull.unwrap_or(Cull::Back),
        alpha_threshold: alpha_threshold.map(|threshold| threshold as u8),
    })
}

/// A shape in the scene, or the mesh of a file.
fn world_mesh<'t>(
    document: &mut Document<'t>,
    section: &mut Section<'t>,
    directory: &Path,
    shape: Option<Value<String>>,
    file: Option<Value<String>>,
) -> Option<Mesh> {
    match (shape, file) {
        (Some(shape), None) => match shape.value.as_str() {
            "floor" => Some(mesh::floor()),
            "cube" => Some(mesh::cube()),
            "sphere" => {
                let segments =
                    document.integer(section, "segments", 4..=MAX_SEGMENTS).unwrap_or(DEFAULT_SEGMENTS);
                Some(mesh::sphere(segments))
            }
            other => {
                let message = format!("{} `shape`: {other:?} is not a shape", section.label);
                let remedy = "use one of floor, cube, sphere, rectangle";
                document.report.add(Rule::OutOfRange, shape.line, message, remedy);
                None
            }
        },
        (None, Some(file)) => match Mesh::load(&directory.join(&file.value), &mut document.files) {
            Ok(mesh) => Some(mesh),
            Err(problems) => {
                let message =
                    format!("{} names the file {:?}, which cannot be used", section.label, file.value);
                document.report.add(Rule::Mesh, file.line, message, "see the problems of that file below");
                document.report.absorb(problems);
                None
            }
        },
        (shape, _) => {
            let message = match shape {
                Some(_) => format!("{} has both `shape` and `file`", section.label),
                None => format!("{} has neither `shape` nor `file`", section.label),
            };
            let rule = if shape.is_some() { Rule::Conflict } else { Rule::MissingKey };
            let remedy = "give it either `shape = \"cube\"` or `file = \"mesh.obj\"`";
            document.report.add(rule, section.line, message, remedy);
            None
        }
    }
}

/// Scale, then rotation about x, y and z, then translation.
fn transform<'t>(document: &mut Document<'t>, section: &mut Section<'t>) -> Option<DMat4> {
    let scale = document.vector::<3>(section, "scale", -1.0e6..=1.0e6);
    let rotate = document.vector::<3>(section, "rotate_degrees", -36000.0..=36000.0).unwrap_or_default();
    let translate = document.vector::<3>(section, "translate", -MAX_PLACE..=MAX_PLACE).unwrap_or_default();
    let scale = scale.unwrap_or([1.0; 3]);
    if scale.iter().any(|factor| factor.abs() < MIN_SCALE) {
        let message = format!("{} `scale` has a part that is nearer to 0 than {MIN_SCALE}", section.label);
        document.report.add(Rule::OutOfRange, section.line, message, "give a larger scale");
        return None;
    }
    let [x, y, z] = rotate.map(f64::to_radians);
    let rotation = DMat4::from_rotation_z(z) * DMat4::from_rotation_y(y) * DMat4::from_rotation_x(x);
    Some(
        DMat4::from_translation(DVec3::from_array(translate))
            * rotation
            * DMat4::from_scale(DVec3::from_array(scale)),
    )
}

/// A rectangle on the screen; as large as its texture unless it says otherwise.
fn rectangle<'t>(
    document: &mut Document<'t>,
    section: &mut Section<'t>,
    bindings: &Bindings<'_>,
    binding: Option<usize>,
    near: f64,
) -> Option<(Mesh, Space)> {
    let corner = document.vector::<2>(section, "corner", -16384.0..=16384.0).unwrap_or_default();
    let extent = document.vector::<2>(section, "extent", 0.0..=16384.0);
    let distance = document.number(section, "distance", 1.0e-4..=MAX_PLACE).unwrap_or(near);
    let extent = extent.or_else(|| binding.map(|binding| bindings.texture_size(binding)))?;
    Some((mesh::rectangle(corner, extent), Space::Screen { distance }))
}
