//! `[[mesh]]`: the shapes of a scene, in the order in which they are drawn.

use std::path::Path;

use glam::{DMat4, DVec2, DVec3};

use super::definition::{Bindings, Definitions, find};
use super::general::Projectors;
use super::view::{DEFAULT_NEAR, MAX_PLACE};
use crate::camera::Camera;
use crate::document::{Document, Section, Value};
use crate::mapping::Mapping;
use crate::mesh::{self, MAX_TRIANGLES, Mesh};
use crate::problem::Rule;
use crate::raster::Cull;

/// Meshes that a scene may have.
pub(super) const MAX_MESHES: usize = 1024;

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

/// Distance of the sky: beyond every place of a scene.
const SKY: f64 = 4.0 * MAX_PLACE;

/// What becomes of the colours that a mesh covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Blend {
    /// They are gone.
    Replace,
    /// They are multiplied by what is sampled.
    Multiply {
        /// How much what is sampled counts, in 1/255.
        strength: u8,
    },
}

/// A `[[mesh]]`, ready to be drawn.
#[derive(Debug, Clone)]
pub(crate) struct Draw {
    pub(crate) mesh: Mesh,
    pub(crate) space: Space,
    /// Index of the binding its quads need.
    pub(crate) binding: usize,
    pub(crate) mapping: Mapping,
    /// Where each corner of the triangles faces; empty if the mapping does not need it.
    pub(crate) normals: Vec<[DVec3; 3]>,
    pub(crate) cull: Cull,
    /// Texels with less alpha are not drawn.
    pub(crate) alpha_threshold: Option<u8>,
    pub(crate) blend: Blend,
    pub(crate) casts_shadow: bool,
}

/// What the meshes of a scene stand in.
pub(super) struct Surroundings<'s> {
    pub(super) directory: &'s Path,
    pub(super) camera: Option<&'s Camera>,
    /// None in a scene of the classic numerics.
    pub(super) projectors: Option<&'s Projectors>,
}

/// How what is sampled falls onto a mesh.
struct Surface {
    mapping: Mapping,
    blend: Blend,
    casts_shadow: bool,
}

/// Reads all `[[mesh]]` tables and the mesh files that they name.
pub(super) fn draws<'t, N: Definitions>(
    document: &mut Document<'t>,
    root: &mut Section<'t>,
    surroundings: &Surroundings<'_>,
    bindings: &mut Bindings<'_, N>,
) -> Vec<Draw> {
    let mut draws: Vec<Draw> = Vec::new();
    let mut triangles = 0;
    for mut section in document.tables(root, "mesh", MAX_MESHES) {
        let draw = draw(document, &mut section, surroundings, bindings);
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

fn draw<'t, N: Definitions>(
    document: &mut Document<'t>,
    section: &mut Section<'t>,
    surroundings: &Surroundings<'_>,
    bindings: &mut Bindings<'_, N>,
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
    let is_shape = |name: &str| file.is_none() && shape.as_ref().is_some_and(|shape| shape.value == name);
    let is_sky = surroundings.projectors.is_some() && is_shape("sky");
    let is_rectangle = is_shape("rectangle");
    let surface = match surroundings.projectors {
        Some(projectors) => surface(document, section, projectors, uv_scale, is_sky),
        None => Some(Surface::plain(uv_scale)),
    };
    if is_rectangle && surface.as_ref().is_some_and(|surface| surface.mapping.has_more()) {
        let message =
            format!("{} has `coordinates` other than \"uv\", but lies on the screen", section.label);
        let remedy = "leave `coordinates` out, or use a shape in the scene";
        document.report.add(Rule::Conflict, section.line, message, remedy);
    }
    let (mesh, space) = if is_rectangle {
        let near = surroundings.camera.map_or(DEFAULT_NEAR, |camera| camera.near);
        rectangle(document, section, bindings, binding, near)?
    } else if is_sky {
        let eye = surroundings.camera.map_or(DVec3::ZERO, |camera| camera.position);
        let to_scene = DMat4::from_translation(eye) * DMat4::from_scale(DVec3::splat(SKY));
        (mesh::sky(), Space::World(to_scene))
    } else {
        let shapes = match surroundings.projectors {
            Some(_) => "floor, cube, sphere, rectangle, sky",
            None => "floor, cube, sphere, rectangle",
        };
        let mesh = world_mesh(document, section, surroundings.directory, (shape, file), shapes);
        let transform = transform(document, section);
        mesh.zip(transform.map(Space::World))?
    };
    let Surface { mapping, blend, casts_shadow } = surface?;
    let normals = if mapping.needs_normals() { mesh.corner_normals() } else { Vec::new() };
    Some(Draw {
        mesh,
        space,
        binding: binding?,
        mapping,
        normals,
        cull: cull.unwrap_or(Cull::Back),
        alpha_threshold: alpha_threshold.map(|threshold| threshold as u8),
        blend,
        casts_shadow: casts_shadow && !is_sky,
    })
}

impl Surface {
    /// That of a scene of the classic numerics.
    fn plain(uv_scale: [f64; 2]) -> Self {
        let mapping = Mapping::Uv { scale: DVec2::from_array(uv_scale), w: 0.0 };
        Self { mapping, blend: Blend::Replace, casts_shadow: true }
    }
}

/// Names of what coordinates may come from.
const COORDINATES: [&str; 6] = ["uv", "position", "direction", "normal", "reflection", "projected"];

/// The keys of a mesh that only scenes of the general numerics have.
fn surface<'t>(
    document: &mut Document<'t>,
    section: &mut Section<'t>,
    projectors: &Projectors,
    uv_scale: [f64; 2],
    is_sky: bool,
) -> Option<Surface> {
    let name = document.choice(section, "coordinates", |name| {
        let found = COORDINATES.into_iter().find(|known| *known == name);
        let known = COORDINATES.join(", ");
        found.ok_or_else(|| format!("{name:?} is nothing that coordinates come from; use one of {known}"))
    });
    let mapping = match name.unwrap_or(if is_sky { "direction" } else { "uv" }) {
        "position" => {
            let mut vector = |key| document.vector::<3>(section, key, -1.0e6..=1.0e6);
            let (scale, offset) = (vector("coordinate_scale"), vector("coordinate_offset"));
            Some(Mapping::Position {
                scale: DVec3::from_array(scale.unwrap_or([1.0; 3])),
                offset: DVec3::from_array(offset.unwrap_or_default()),
            })
        }
        "direction" => Some(Mapping::Direction),
        "normal" => Some(Mapping::Normal),
        "reflection" => Some(Mapping::Reflection),
        "projected" => projected(document, section, projectors),
        _ => {
            let w = document.number(section, "w", -1.0e6..=1.0e6).unwrap_or_default();
            Some(Mapping::Uv { scale: DVec2::from_array(uv_scale), w })
        }
    };
    let multiplies = document.choice(section, "blend", |name| match name {
        "replace" => Ok(false),
        "multiply" => Ok(true),
        _ => Err(format!("{name:?} is not a way to blend; use one of replace, multiply")),
    });
    let blend = if multiplies == Some(true) {
        let strength = document.number(section, "strength", 0.0..=1.0).unwrap_or(1.0);
        Blend::Multiply { strength: (strength * 255.0).round() as u8 }
    } else {
        Blend::Replace
    };
    let casts_shadow = document.flag(section, "casts_shadow").unwrap_or(true);
    Some(Surface { mapping: mapping?, blend, casts_shadow })
}

/// Coordinates in a projector's picture, whose depth is that before it less a bias.
fn projected<'t>(
    document: &mut Document<'t>,
    section: &mut Section<'t>,
    projectors: &Projectors,
) -> Option<Mapping> {
    let projector = find(document, section, "projector", "projector", &projectors.names);
    let w = document.number(section, "w", -1.0e6..=1.0e6).unwrap_or_default();
    let bias = document.number(section, "depth_bias", -1.0..=1.0).unwrap_or_default();
    let [u, v, q, depth] = projectors.list[projector?].rows();
    Some(Mapping::Projected { rows: [u, v, q, depth - glam::DVec4::W * bias], w })
}

/// A finite shape, or the mesh of a file, for who draws nothing to the horizon.
pub(super) fn shape_or_file<'t>(
    document: &mut Document<'t>,
    section: &mut Section<'t>,
    directory: &Path,
) -> Option<Mesh> {
    let shape = document.optional::<String>(section, "shape");
    let file = document.optional::<String>(section, "file");
    let named = shape.as_ref().filter(|_| file.is_none());
    match named.map(|shape| (shape.value.as_str(), shape.line)) {
        Some(("plane", _)) => Some(mesh::plane()),
        Some(("sky", _)) => Some(mesh::sky()),
        Some(("floor", line)) => {
            let message = format!("{} is a floor to the horizon, which has no end", section.label);
            document.report.add(Rule::OutOfRange, line, message, "use a plane and scale it");
            None
        }
        _ => world_mesh(document, section, directory, (shape, file), "plane, cube, sphere, sky"),
    }
}

/// `segments` of a sphere.
fn segments<'t>(document: &mut Document<'t>, section: &mut Section<'t>) -> u32 {
    document.integer(section, "segments", 4..=MAX_SEGMENTS).unwrap_or(DEFAULT_SEGMENTS)
}

/// A shape in the scene, or the mesh of a file. Where another shape is named the user is told of `shapes`.
fn world_mesh<'t>(
    document: &mut Document<'t>,
    section: &mut Section<'t>,
    directory: &Path,
    (shape, file): (Option<Value<String>>, Option<Value<String>>),
    shapes: &str,
) -> Option<Mesh> {
    match (shape, file) {
        (Some(shape), None) => match shape.value.as_str() {
            "floor" => Some(mesh::floor()),
            "cube" => Some(mesh::cube()),
            "sphere" => Some(mesh::sphere(segments(document, section))),
            other => {
                let message = format!("{} `shape`: {other:?} is not a shape", section.label);
                let remedy = format!("use one of {shapes}");
                document.report.add(Rule::OutOfRange, shape.line, message, remedy);
                // It may have been meant for a sphere.
                segments(document, section);
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
            segments(document, section);
            None
        }
    }
}

/// Scale, then rotation about x, y and z, then translation.
pub(super) fn transform<'t>(document: &mut Document<'t>, section: &mut Section<'t>) -> Option<DMat4> {
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
fn rectangle<'t, N: Definitions>(
    document: &mut Document<'t>,
    section: &mut Section<'t>,
    bindings: &Bindings<'_, N>,
    binding: Option<usize>,
    near: f64,
) -> Option<(Mesh, Space)> {
    let corner = document.vector::<2>(section, "corner", -16384.0..=16384.0).unwrap_or_default();
    let extent = document.vector::<2>(section, "extent", 0.0..=16384.0);
    let distance = document.number(section, "distance", 1.0e-4..=MAX_PLACE).unwrap_or(near);
    let extent = extent.or_else(|| binding.map(|binding| bindings.texture_size(binding)))?;
    Some((mesh::rectangle(corner, extent), Space::Screen { distance }))
}
