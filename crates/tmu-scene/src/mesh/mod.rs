//! Triangles with texture coordinates: the built-in shapes and mesh files.
//!
//! Coordinates are right-handed with y up; front faces are counter-clockwise. v grows downwards in the picture, as
//! it does in glTF and in the texture unit; OBJ files, in which it grows upwards, are turned over on reading.

mod gltf;
mod obj;
mod shapes;

use std::path::Path;

use glam::{DVec2, DVec4};

use crate::problem::{Problems, Report, Rule};
pub(crate) use shapes::{cube, floor, rectangle, sphere};

/// Triangles that one scene may have. Some 256 bytes are kept for each, so a scene at the limit takes 32 MiB.
pub(crate) const MAX_TRIANGLES: usize = 1 << 17;

/// Size of a mesh file, and of each buffer of a glTF file.
const MAX_FILE_BYTES: u64 = 16 << 20;

/// Largest coordinate of a position or texture coordinate in a mesh file.
const MAX_COORDINATE: f64 = 1.0e9;

/// A corner of triangles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Vertex {
    /// Homogeneous: w is 1, or 0 for a direction (a point at infinity).
    pub(crate) position: DVec4,
    /// u and v, scaled by w as the position is: for a direction, their growth along it.
    pub(crate) uv: DVec2,
}

/// Triangles over shared vertices. All indices are valid.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Mesh {
    pub(crate) vertices: Vec<Vertex>,
    pub(crate) triangles: Vec<[u32; 3]>,
}

impl Mesh {
    /// Reads a mesh file, by its name's ending an OBJ, glTF or binary glTF file.
    pub(crate) fn load(path: &Path) -> Result<Self, Problems> {
        let mut report = Report::new(path);
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        let read = match ending.as_deref() {
            Some("obj") => obj::read,
            Some("gltf" | "glb") => gltf::read,
            _ => {
                report.add(
                    Rule::Mesh,
                    None,
                    "a mesh file ends in .obj, .gltf or .glb",
                    "convert the mesh to one of these formats",
                );
                return report.finish(Self::default());
            }
        };
        let Some(bytes) = read_limited(path, &mut report) else { return report.finish(Self::default()) };
        let mesh = read(&bytes, path, &mut report);
        mesh.check(&mut report);
        report.finish(mesh)
    }

    /// Checks what both kinds of file must keep.
    fn check(&self, report: &mut Report) {
        if !report.is_empty() {
            return;
        }
        if self.triangles.is_empty() {
            report.add(Rule::Mesh, None, "the file holds no triangles", "export the mesh with its faces");
        }
        if self.triangles.len() > MAX_TRIANGLES {
            report.add(
                Rule::Limit,
                None,
                format!("the file holds {} triangles; a scene may have {MAX_TRIANGLES}", self.triangles.len()),
                "simplify the mesh",
            );
        }
        let is_fine = |value: f64| value.abs() <= MAX_COORDINATE;
        for (index, vertex) in self.vertices.iter().enumerate() {
            let values = vertex.position.to_array().into_iter().chain(vertex.uv.to_array());
            if let Some(value) = values.into_iter().find(|&value| !is_fine(value)) {
                report.add(
                    Rule::Mesh,
                    None,
                    format!("vertex {index} has the coordinate {value}; coordinates lie within ±{MAX_COORDINATE:e}"),
                    "export the mesh again, or scale it down",
                );
                return;
            }
        }
    }
}

/// The bytes of a file no larger than [`MAX_FILE_BYTES`].
fn read_limited(path: &Path, report: &mut Report) -> Option<Vec<u8>> {
    match std::fs::metadata(path) {
        Ok(metadata) if metadata.len() > MAX_FILE_BYTES => {
            report.add(
                Rule::Limit,
                None,
                format!("{} has {} bytes; mesh files may have {MAX_FILE_BYTES}", path.display(), metadata.len()),
                "simplify the mesh",
            );
            return None;
        }
        _ => {}
    }
    match std::fs::read(path) {
        Ok(bytes) => Some(bytes),
        Err(error) => {
            report.add(
                Rule::File,
                None,
                format!("{} cannot be read: {error}", path.display()),
                "correct the path, which is relative to the file that names it",
            );
            None
        }
    }
}
