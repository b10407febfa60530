//! glTF 2.0 files, text and binary, read by the crate `gltf`.
//!
//! All triangles of the default scene become one mesh, under their nodes' transforms. Materials, cameras, skins,
//! morph targets and animations are ignored. The crate checks the document but not that accessors stay within
//! their buffers, that nodes form a tree, or that a binary file's length makes sense, and trusts some indices: all of
//! that is done here.

use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use glam::{DMat4, DVec2, DVec4, Mat4};
use gltf::accessor::{DataType, Dimensions};
use gltf::mesh::Mode;
use gltf::{Accessor, Document, Semantic};

use super::{MAX_TRIANGLES, Mesh, Vertex, read_limited};
use crate::problem::Rule;
use tmu_problem::Report;

/// Nodes that are visited before a file counts as wrong: nodes that contain themselves never end.
const MAX_NODES: usize = 1 << 16;

/// Bytes of a binary file's header, which the length in it includes.
const GLB_HEADER_BYTES: u32 = 12;

const REMEDY: &str = "export the mesh again, uncompressed, with triangles and texture coordinates";

/// Reads a glTF file and the buffers it names, which are relative to `path`.
pub(super) fn read(bytes: &[u8], path: &Path, report: &mut Report, files: &mut Vec<PathBuf>) -> Mesh {
    let mesh = parse(bytes, report).and_then(|gltf| {
        let mut blob = gltf.blob;
        let buffers = gltf.document.buffers();
        let buffers: Option<Vec<Vec<u8>>> =
            buffers.map(|buffer| load_buffer(&buffer, &mut blob, path, report, files)).collect();
        match collect(&gltf.document, &buffers?) {
            Ok(mesh) => Some(mesh),
            Err(wrong) => {
                report.add(Rule::Mesh, None, wrong, REMEDY);
                None
            }
        }
    });
    mesh.unwrap_or_default()
}

fn parse(bytes: &[u8], report: &mut Report) -> Option<gltf::Gltf> {
    if bytes.starts_with(b"glTF") {
        let length = bytes.get(8..12).and_then(|field| field.try_into().ok()).map_or(0, u32::from_le_bytes);
        if length < GLB_HEADER_BYTES {
            report.add(Rule::Mesh, None, "the length in the header is shorter than the header", REMEDY);
            return None;
        }
    }
    let validated = gltf::Gltf::from_slice_without_validation(bytes).and_then(|gltf| {
        let root = gltf.document.into_json();
        match missing_accessor(&root) {
            Some(index) => Ok(Err(format!("a primitive names accessor {index} of {}", root.accessors.len()))),
            None => Ok(Ok(gltf::Gltf { document: Document::from_json(root)?, blob: gltf.blob })),
        }
    });
    let (line, wrong) = match validated {
        Ok(Ok(gltf)) => return Some(gltf),
        Ok(Err(wrong)) => (None, wrong),
        Err(gltf::Error::Deserialize(error)) => {
            (Some(error.line()).filter(|&line| line > 0), error.to_string())
        }
        Err(error) => (None, error.to_string()),
    };
    report.add(Rule::Mesh, line, format!("the file is not a glTF 2.0 file: {wrong}"), REMEDY);
    None
}

/// An accessor that a primitive names and that is not there. The crate's validation follows these without a look.
fn missing_accessor(root: &gltf::json::Root) -> Option<usize> {
    let primitives = root.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let mut named = primitives.flat_map(|primitive| primitive.attributes.values().map(|index| index.value()));
    named.find(|&index| index >= root.accessors.len())
}

/// The bytes of a buffer: the binary chunk, a data URI or a file.
fn load_buffer(
    buffer: &gltf::Buffer<'_>,
    blob: &mut Option<Vec<u8>>,
    path: &Path,
    report: &mut Report,
    files: &mut Vec<PathBuf>,
) -> Option<Vec<u8>> {
    let bytes = match buffer.source() {
        gltf::buffer::Source::Bin => blob.take().ok_or("the file has no binary chunk".to_owned()),
        gltf::buffer::Source::Uri(uri) => match uri.strip_prefix("data:") {
            Some(data) => match data.split_once(";base64,") {
                Some((_, text)) => {
                    BASE64.decode(text).map_err(|error| format!("its data are not base64: {error}"))
                }
                None => Err("its data URI is not base64".to_owned()),
            },
            None if uri.contains(':') => Err(format!("it is at {uri:?}, which is not a path")),
            None => match percent_encoding::percent_decode_str(uri).decode_utf8() {
                Ok(relative) => {
                    let file = path.with_file_name("").join(&*relative);
                    let bytes = read_limited(&file, report);
                    files.push(file);
                    Ok(bytes?)
                }
                Err(_) => Err(format!("its path {uri:?} is not UTF-8")),
            },
        },
    };
    let wrong = match bytes {
        Ok(bytes) if bytes.len() >= buffer.length() => return Some(bytes),
        Ok(bytes) => format!("it has {} bytes and should have {}", bytes.len(), buffer.length()),
        Err(wrong) => wrong,
    };
    report.add(Rule::Mesh, None, format!("buffer {}: {wrong}", buffer.index()), REMEDY);
    None
}

/// Walks the nodes of the default scene, or of the first.
fn collect(document: &Document, buffers: &[Vec<u8>]) -> Result<Mesh, String> {
    let scene = document.default_scene().or_else(|| document.scenes().next());
    let scene = scene.ok_or("the file has no scene, so no mesh is placed in it")?;
    let mut mesh = Mesh::default();
    let mut nodes: Vec<_> = scene.nodes().map(|node| (node, DMat4::IDENTITY)).collect();
    // A stack gives the nodes back to front.
    nodes.reverse();
    let mut visited = 0;
    while let Some((node, parent)) = nodes.pop() {
        visited += 1;
        if visited > MAX_NODES {
            return Err(format!("the scene has more than {MAX_NODES} nodes, or a node that contains itself"));
        }
        let transform = parent * Mat4::from_cols_array_2d(&node.transform().matrix()).as_dmat4();
        for primitive in node.mesh().iter().flat_map(gltf::Mesh::primitives) {
            append(&mut mesh, &primitive, transform, buffers).map_err(|wrong| {
                format!("node {}, primitive {}: {wrong}", node.index(), primitive.index())
            })?;
        }
        let first_child = nodes.len();
        nodes.extend(node.children().map(|child| (child, transform)));
        nodes[first_child..].reverse();
    }
    Ok(mesh)
}

/// Adds the triangles of a primitive; points and lines have none.
fn append(
    mesh: &mut Mesh,
    primitive: &gltf::Primitive<'_>,
    to_scene: DMat4,
    buffers: &[Vec<u8>],
) -> Result<(), String> {
    if !matches!(primitive.mode(), Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan) {
        return Ok(());
    }
    let positions = primitive.get(&Semantic::Positions).ok_or("it has no positions")?;
    let texcoords =
        primitive.get(&Semantic::TexCoords(0)).ok_or("it has no texture coordinates (TEXCOORD_0)")?;
    let positions = numbers::<3>(&positions, buffers).map_err(|wrong| format!("its positions {wrong}"))?;
    let texcoords = numbers::<2>(&texcoords, buffers).map_err(|wrong| format!("its TEXCOORD_0 {wrong}"))?;
    let indices: Vec<u32> = match primitive.indices() {
        Some(accessor) => {
            let indices = numbers::<1>(&accessor, buffers).map_err(|wrong| format!("its indices {wrong}"))?;
            indices.into_iter().map(|[index]| index as u32).collect()
        }
        None => (0..positions.len() as u32).collect(),
    };
    let count = positions.len().min(texcoords.len());
    if let Some(index) = indices.iter().find(|&&index| index as usize >= count) {
        return Err(format!("it names vertex {index} of {count}"));
    }
    let first = mesh.vertices.len() as u32;
    let is_mirrored = to_scene.determinant() < 0.0;
    mesh.vertices.extend(positions.iter().zip(&texcoords).map(|(&[x, y, z], &[u, v])| Vertex {
        position: to_scene * DVec4::new(x, y, z, 1.0),
        uv: DVec2::new(u, v),
    }));
    mesh.triangles.extend(triangles(primitive.mode(), &indices).map(|[a, b, c]| {
        let [b, c] = if is_mirrored { [c, b] } else { [b, c] };
        [first + a, first + b, first + c]
    }));
    if mesh.triangles.len() > MAX_TRIANGLES {
        return Err(format!(
            "the scene has more than {MAX_TRIANGLES} triangles up to here, the most that are drawn"
        ));
    }
    Ok(())
}

/// The triangles of a list, strip or fan, all counter-clockwise.
fn triangles(mode: Mode, indices: &[u32]) -> impl Iterator<Item = [u32; 3]> + '_ {
    let (step, count) = match mode {
        Mode::Triangles => (3, indices.len() / 3),
        _ => (1, indices.len().saturating_sub(2)),
    };
    (0..count).map(move |number| {
        let [a, b, c] = [0, 1, 2].map(|corner| indices[number * step + corner]);
        match mode {
            Mode::TriangleStrip if number % 2 == 1 => [b, a, c],
            Mode::TriangleFan => [indices[0], b, c],
            _ => [a, b, c],
        }
    })
}

/// The elements of an accessor with `N` components, as numbers; integer components of vectors are normalised to
/// 0 … 1.
fn numbers<const N: usize>(accessor: &Accessor<'_>, buffers: &[Vec<u8>]) -> Result<Vec<[f64; N]>, String> {
    let components = match accessor.dimensions() {
        Dimensions::Scalar => 1,
        Dimensions::Vec2 => 2,
        Dimensions::Vec3 => 3,
        _ => 0,
    };
    if components != N {
        return Err(format!("have {components} components where {N} are needed"));
    }
    let data_type = accessor.data_type();
    let read: fn(&[u8]) -> f64 = match (data_type, N) {
        (DataType::F32, 2 | 3) => |bytes| f64::from(f32::from_le_bytes(bytes.try_into().unwrap_or_default())),
        (DataType::U8, 1) => |bytes| f64::from(bytes[0]),
        (DataType::U16, 1) => |bytes| f64::from(u16::from_le_bytes(bytes.try_into().unwrap_or_default())),
        (DataType::U32, 1) => |bytes| f64::from(u32::from_le_bytes(bytes.try_into().unwrap_or_default())),
        (DataType::U8, 2) => |bytes| f64::from(bytes[0]) / 255.0,
        (DataType::U16, 2) => {
            |bytes| f64::from(u16::from_le_bytes(bytes.try_into().unwrap_or_default())) / 65535.0
        }
        (other, _) => return Err(format!("are of the type {other:?}, which does not fit")),
    };
    let size = data_type.size();
    let elements = element_bytes(accessor, size * N, buffers)?;
    Ok(elements.map(|bytes| std::array::from_fn(|index| read(&bytes[index * size..][..size]))).collect())
}

/// The bytes of each element of an accessor, all within its view and its buffer.
fn element_bytes<'b>(
    accessor: &Accessor<'_>,
    element_bytes: usize,
    buffers: &'b [Vec<u8>],
) -> Result<impl Iterator<Item = &'b [u8]>, String> {
    if accessor.sparse().is_some() {
        return Err("are a sparse accessor, which is not supported".to_owned());
    }
    let view = accessor.view().ok_or("have no data (they may be compressed by an extension)")?;
    let buffer = buffers.get(view.buffer().index()).ok_or("name a buffer that is not there")?;
    let count = accessor.count();
    if count > 3 * MAX_TRIANGLES {
        return Err(format!("have {count} elements; {} are the most", 3 * MAX_TRIANGLES));
    }
    let stride = view.stride().unwrap_or(element_bytes);
    let within = || {
        let data = buffer.get(view.offset()..view.offset().checked_add(view.length())?)?;
        let data = data.get(accessor.offset()..)?;
        let last = stride.checked_mul(count.saturating_sub(1))?.checked_add(element_bytes)?;
        (count == 0 || last <= data.len()).then_some(data)
    };
    let data = within().ok_or("reach past the end of their buffer")?;
    Ok((0..count).map(move |index| &data[index * stride..][..element_bytes]))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A triangle with its data in the file. `replace` changes the document to make it wrong.
    pub(crate) fn document(replace: &[(&str, &str)]) -> String {
        let floats: Vec<u8> = [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0, 0.0]
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .chain([0, 1, 2, 0])
            .collect();
        let mut text = format!(
            r#"{{"asset": {{"version": "2.0"}}, "scene": 0, "scenes": [{{"nodes": [0]}}],
            "nodes": [{{"children": [1], "translation": [0, 0, 5]}}, {{"mesh": 0, "scale": [2, 2, 2]}}],
            "meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0, "TEXCOORD_0": 1}}, "indices": 2}}]}}],
            "accessors": [
              {{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]}},
              {{"bufferView": 0, "byteOffset": 36, "componentType": 5126, "count": 3, "type": "VEC2"}},
              {{"bufferView": 0, "byteOffset": 60, "componentType": 5121, "count": 3, "type": "SCALAR"}}],
            "bufferViews": [{{"buffer": 0, "byteLength": 64}}],
            "buffers": [{{"byteLength": 64, "uri": "data:application/octet-stream;base64,{}"}}]}}"#,
            BASE64.encode(floats)
        );
        for (from, to) in replace {
            assert!(text.contains(from), "{from:?} is not in the document");
            text = text.replacen(from, to, 1);
        }
        text
    }

    fn parse(text: &str) -> Result<Mesh, String> {
        let mut report = Report::new(Path::new("m.gltf"));
        let mesh = read(text.as_bytes(), Path::new("m.gltf"), &mut report, &mut Vec::new());
        report.finish(mesh).map_err(|problems| problems.as_slice()[0].message.clone())
    }

    #[test]
    fn a_triangle_comes_out_under_its_nodes_transforms() {
        let mesh = parse(&document(&[])).unwrap();
        assert_eq!(mesh.triangles, [[0, 1, 2]]);
        let positions: Vec<_> = mesh.vertices.iter().map(|vertex| vertex.position.to_array()).collect();
        assert_eq!(positions, [[0.0, 0.0, 5.0, 1.0], [2.0, 0.0, 5.0, 1.0], [0.0, 2.0, 5.0, 1.0]]);
        assert_eq!(mesh.vertices[1].uv, DVec2::new(1.0, 1.0));
    }

    #[test]
    fn a_mirroring_transform_keeps_the_front_in_front() {
        let mesh = parse(&document(&[(r#""scale": [2, 2, 2]"#, r#""scale": [-2, 2, 2]"#)])).unwrap();
        assert_eq!(mesh.triangles, [[0, 2, 1]]);
    }

    #[test]
    fn strips_and_fans_turn_one_way() {
        let indices = [10, 11, 12, 13, 14];
        let of = |mode| triangles(mode, &indices).collect::<Vec<_>>();
        assert_eq!(of(Mode::Triangles), [[10, 11, 12]]);
        assert_eq!(of(Mode::TriangleStrip), [[10, 11, 12], [12, 11, 13], [12, 13, 14]]);
        assert_eq!(of(Mode::TriangleFan), [[10, 11, 12], [10, 12, 13], [10, 13, 14]]);
        assert_eq!(triangles(Mode::TriangleStrip, &[1]).count(), 0);
    }

    #[test]
    fn what_is_wrong_is_said() {
        let at = "node 1, primitive 0:";
        let cases = [
            (
                r#""byteOffset": 60"#,
                r#""byteOffset": 62"#,
                format!("{at} its indices reach past the end of their buffer"),
            ),
            (
                r#""count": 3"#,
                r#""count": 6"#,
                format!("{at} its positions reach past the end of their buffer"),
            ),
            (
                r#""count": 3"#,
                r#""count": 9000000000000000000"#,
                format!("{at} its positions have 9000000000000000000 elements; 393216 are the most"),
            ),
            (
                r#""byteOffset": 60, "componentType": 5121"#,
                r#""byteOffset": 40, "componentType": 5123"#,
                format!("{at} it names vertex 16256 of 3"),
            ),
            (r#", "TEXCOORD_0": 1"#, "", format!("{at} it has no texture coordinates (TEXCOORD_0)")),
            (
                r#""children": [1]"#,
                r#""children": [0]"#,
                "the scene has more than 65536 nodes, or a node that contains itself".to_owned(),
            ),
            (
                r#""byteLength": 64, "uri""#,
                r#""byteLength": 65, "uri""#,
                "buffer 0: it has 64 bytes and should have 65".to_owned(),
            ),
            (
                "base64,",
                "base64,!",
                "buffer 0: its data are not base64: Invalid symbol 33, offset 0.".to_owned(),
            ),
            ("data:application", "http:application", "buffer 0: it is at \"http:application".to_owned()),
            (
                r#""POSITION": 0"#,
                r#""POSITION": 3"#,
                "the file is not a glTF 2.0 file: a primitive names accessor 3 of 3".to_owned(),
            ),
            (r#""VEC2""#, r#""VEC4""#, format!("{at} its TEXCOORD_0 have 0 components where 2 are needed")),
            (
                r#""scene": 0, "scenes": [{"nodes": [0]}],"#,
                "",
                "the file has no scene, so no mesh is placed in it".to_owned(),
            ),
        ];
        for (from, to, expected) in cases {
            let got = parse(&document(&[(from, to)])).unwrap_err();
            assert!(got.starts_with(&expected), "{from} -> {to}\n     got {got}\nexpected {expected}");
        }
        let short = parse("glTF\x02\0\0\0\x01\0\0\0").unwrap_err();
        assert_eq!(short, "the length in the header is shorter than the header");
    }
}
