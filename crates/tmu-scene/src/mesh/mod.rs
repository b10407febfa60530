//! Triangles with texture coordinates: the built-in shapes and mesh files.
//!
//! Coordinates are right-handed with y up; front faces are counter-clockwise. v grows downwards in the picture, as
//! it does in glTF and in the texture unit; OBJ files, in which it grows upwards, are turned over on reading.

mod gltf;
mod obj;
mod shapes;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use glam::{DVec2, DVec3, DVec4};

use crate::problem::Rule;
pub(crate) use shapes::{cube, floor, plane, rectangle, sky, sphere};
use tmu_problem::{Problems, Report};

/// Triangles that one scene may have. While a frame is drawn some 190 bytes are kept for each and 48 for each vertex:
/// 28 to 45 MB at the limit.
pub(crate) const MAX_TRIANGLES: usize = 1 << 17;

/// Size of a mesh file, and of each buffer of a glTF file.
const MAX_FILE_BYTES: u64 = 16 << 20;

/// Largest coordinate of a position or texture coordinate in a mesh file.
const MAX_COORDINATE: f64 = 1.0e9;

/// Cosine of the angle between triangles beyond which their common edge is sharp: that of 45°.
const CREASE_COSINE: f64 = 0.707;

/// Triangles around a place beyond which each faces as it does by itself.
const MAX_AROUND: usize = 512;

/// Part of a mesh's extent by which places are told apart.
const PLACE_PARTS: f64 = 1.0e6;

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

/// Reads the content of a mesh file as scenes do, and gives the number of its triangles. `path` tells its kind and
/// where its buffers are.
///
/// # Errors
/// Everything that is wrong with it.
pub fn count_triangles(content: &[u8], path: &Path) -> Result<usize, Problems> {
    Mesh::parse(content, path, Report::new(path), &mut Vec::new()).map(|mesh| mesh.triangles.len())
}

impl Mesh {
    /// Reads a mesh file, by its name's ending an OBJ, glTF or binary glTF file. Whatever files are read go to `files`.
    pub(crate) fn load(path: &Path, files: &mut Vec<PathBuf>) -> Result<Self, Problems> {
        files.push(path.to_path_buf());
        let mut report = Report::new(path);
        let Some(bytes) = read_limited(path, &mut report) else { return report.finish(Self::default()) };
        Self::parse(&bytes, path, report, files)
    }

    /// Reads the content of a mesh file; `path` tells its kind and where its buffers are.
    fn parse(
        bytes: &[u8],
        path: &Path,
        mut report: Report,
        files: &mut Vec<PathBuf>,
    ) -> Result<Self, Problems> {
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
        let mesh = read(bytes, path, &mut report, files);
        mesh.check(&mut report);
        report.finish(mesh)
    }

    /// Where each corner of each triangle faces: the mean of the triangles around it, larger ones weighing more, but for those
    /// beyond a sharp edge. Not of length 1.
    pub(crate) fn corner_normals(&self) -> Vec<[DVec3; 3]> {
        let position = |index: u32| self.vertices[index as usize].position;
        let extent =
            self.vertices.iter().map(|vertex| vertex.position.abs().max_element()).fold(0.0, f64::max);
        let place = |index: u32| {
            position(index).to_array().map(|value| (value / extent * PLACE_PARTS).round() as i64)
        };
        let facing: Vec<_> = self.triangles.iter().map(|corners| facing(corners.map(position))).collect();
        let mut around: HashMap<[i64; 4], Vec<u32>> = HashMap::new();
        for (number, corners) in (0..).zip(&self.triangles) {
            for corner in corners {
                around.entry(place(*corner)).or_default().push(number);
            }
        }
        let normal = |own: DVec3, corner: u32| {
            let around = &around[&place(corner)];
            if around.len() > MAX_AROUND {
                return own;
            }
            let is_smooth = |other: &DVec3| {
                other.dot(own) >= CREASE_COSINE * (other.length_squared() * own.length_squared()).sqrt()
            };
            around.iter().map(|number| facing[*number as usize]).filter(is_smooth).sum()
        };
        std::iter::zip(&self.triangles, &facing)
            .map(|(corners, own)| corners.map(|corner| normal(*own, corner)))
            .collect()
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
                format!(
                    "the file holds {} triangles; a scene may have {MAX_TRIANGLES}",
                    self.triangles.len()
                ),
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

/// The direction in which a triangle faces, as long as its area; corners may be at infinity.
fn facing([a, b, c]: [DVec4; 3]) -> DVec3 {
    let side = |from: DVec4, to: DVec4, weight: f64| from.truncate().cross(to.truncate()) * weight;
    if a.w == b.w && b.w == c.w {
        return (b - a).truncate().cross((c - a).truncate());
    }
    side(b, c, a.w) + side(c, a, b.w) + side(a, b, c.w)
}

/// The bytes of a file no larger than [`MAX_FILE_BYTES`].
fn read_limited(path: &Path, report: &mut Report) -> Option<Vec<u8>> {
    let error = match tmu_assets::read_whole(path, MAX_FILE_BYTES) {
        Ok(bytes) => return Some(bytes),
        Err(error) => error,
    };
    let shown = path.display();
    if error.kind() == std::io::ErrorKind::FileTooLarge {
        let length = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
        let length = if length > 0 { format!("{length}") } else { format!("over {MAX_FILE_BYTES}") };
        let message = format!("{shown} has {length} bytes; mesh files may have {MAX_FILE_BYTES}");
        report.add(Rule::Limit, None, message, "simplify the mesh");
    } else {
        let remedy = "correct the path, which is relative to the file that names it";
        report.add(Rule::File, None, format!("{shown} cannot be read: {error}"), remedy);
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Small files of every kind that are right, to be damaged.
    fn corpus() -> [(&'static str, Vec<u8>); 3] {
        let document = gltf::tests::document(&[]);
        let obj = "o a\nv 0 0 0\nv 1 0 0\nv 1 1 0 2\nv 0 1 0\nvt 0 0\nvt 1 0\nvn 0 0 1\nusemtl m\n\
                   f 1/1/1 2/2/1 -2/-1/-1 4/1/1\nl 1 2\ng b\nf -4/1 -3/2 -2/1\n";
        let mut json = document.clone().into_bytes();
        json.resize(json.len().next_multiple_of(4), b' ');
        let mut glb = b"glTF\x02\0\0\0".to_vec();
        glb.extend((json.len() as u32 + 20).to_le_bytes());
        glb.extend((json.len() as u32).to_le_bytes());
        glb.extend(b"JSON");
        glb.extend(json);
        [("m.obj", obj.into()), ("m.gltf", document.into_bytes()), ("m.glb", glb)]
    }

    fn parse(name: &str, bytes: &[u8]) -> Result<Mesh, Problems> {
        Mesh::parse(bytes, Path::new(name), Report::new(Path::new(name)), &mut Vec::new())
    }

    #[test]
    fn round_shapes_face_outwards_evenly_and_edges_stay_sharp() {
        for (name, mesh, most_off) in [("sphere", sphere(32), 0.04), ("floor", floor(), 1e-12)] {
            let normals = mesh.corner_normals();
            for (triangle, normals) in mesh.triangles.iter().zip(&normals) {
                for (corner, normal) in std::iter::zip(triangle, normals) {
                    let outwards = match name {
                        "floor" => DVec3::Y,
                        _ => mesh.vertices[*corner as usize].position.truncate() * 2.0,
                    };
                    let off = (normal.normalize() - outwards).length();
                    assert!(off < most_off, "{name} {triangle:?}: {off}");
                }
            }
        }
        let cube = cube();
        for (triangle, normals) in cube.triangles.iter().zip(cube.corner_normals()) {
            let own = facing(triangle.map(|corner| cube.vertices[corner as usize].position)).normalize();
            assert!(normals.iter().all(|normal| (normal.normalize() - own).length() < 1e-12), "{triangle:?}");
        }
    }

    #[test]
    fn the_corpus_is_right() {
        for (name, bytes) in corpus() {
            let mesh = parse(name, &bytes).unwrap_or_else(|problems| panic!("{problems}"));
            assert_eq!(mesh.triangles.len(), if name == "m.obj" { 3 } else { 1 }, "{name}");
        }
    }

    proptest! {
        /// Damaged bytes end in a mesh with valid indices or in problems.
        #[test]
        fn no_damaged_bytes_panic(
            file in 0..3_usize,
            damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
            end in any::<prop::sample::Index>(),
            is_cut in any::<bool>(),
        ) {
            let (name, mut bytes) = corpus()[file].clone();
            for (place, byte) in damage {
                let place = place.index(bytes.len());
                bytes[place] = byte;
            }
            if is_cut {
                bytes.truncate(end.index(bytes.len()));
            }
            if let Ok(mesh) = parse(name, &bytes) {
                prop_assert!(mesh.triangles.as_flattened().iter().all(|&index| (index as usize) < mesh.vertices.len()));
            }
        }

        /// Numbers of any size at any place of the text end the same.
        #[test]
        fn no_numbers_panic(
            file in 0..2_usize,
            place in any::<prop::sample::Index>(),
            number in prop_oneof![
                any::<i64>().prop_map(i128::from),
                any::<u64>().prop_map(i128::from),
                (-6..6_i32).prop_map(i128::from),
            ],
        ) {
            let (name, bytes) = corpus()[file].clone();
            let text = String::from_utf8(bytes).expect("text");
            let digits: Vec<_> = text.char_indices().filter(|(_, char)| char.is_ascii_digit()).collect();
            let (start, _) = digits[place.index(digits.len())];
            let text = format!("{}{number}{}", &text[..start], &text[start + 1..]);
            if let Ok(mesh) = parse(name, text.as_bytes()) {
                prop_assert!(mesh.triangles.as_flattened().iter().all(|&index| (index as usize) < mesh.vertices.len()));
            }
        }
    }
}
