//! OBJ files, read by the crate `tobj`.
//!
//! `tobj` says what is wrong but not where, and its index arithmetic trusts the file. So faces are looked over
//! first: every index is checked against what stands above it, and problems carry their line.

use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use glam::{DVec2, DVec4};

use super::{Mesh, Vertex};
use crate::problem::Rule;
use tmu_problem::Report;

/// Faces of one file that are worth listing.
const MAX_LISTED: usize = 20;

/// Reads an OBJ file. All its objects and groups become one mesh; materials are ignored.
pub(super) fn read(bytes: &[u8], _path: &Path, report: &mut Report, _files: &mut Vec<PathBuf>) -> Mesh {
    let Ok(text) = std::str::from_utf8(bytes) else {
        report.add(Rule::Mesh, None, "the file is not UTF-8 text", "export the mesh as a plain OBJ file");
        return Mesh::default();
    };
    check_faces(text, report);
    if !report.is_empty() {
        return Mesh::default();
    }
    let options =
        tobj::LoadOptions { triangulate: true, single_index: true, ignore_points: true, ignore_lines: true };
    let mut lines = LineCounter { inner: BufReader::new(bytes), line: 0 };
    match tobj::load_obj_buf(&mut lines, &options, |_| Ok(Default::default())) {
        Ok((models, _)) => {
            let mut mesh = Mesh::default();
            models.iter().for_each(|model| append(&mut mesh, &model.mesh));
            mesh
        }
        Err(error) => {
            report.add(
                Rule::Mesh,
                lines.line,
                format!("the line cannot be read: {error}"),
                "export the mesh again",
            );
            Mesh::default()
        }
    }
}

/// Adds a model whose vertices all have texture coordinates.
fn append(mesh: &mut Mesh, model: &tobj::Mesh) {
    let first = mesh.vertices.len() as u32;
    let (positions, _) = model.positions.as_chunks::<3>();
    let (texcoords, _) = model.texcoords.as_chunks::<2>();
    mesh.vertices.extend(positions.iter().zip(texcoords).map(|(position, uv)| {
        let [x, y, z] = position.map(f64::from);
        let [u, v] = uv.map(f64::from);
        Vertex { position: DVec4::new(x, y, z, 1.0), uv: DVec2::new(u, 1.0 - v) }
    }));
    let (triangles, _) = model.indices.as_chunks::<3>();
    mesh.triangles.extend(triangles.iter().map(|triangle| triangle.map(|index| first + index)));
}

/// How many positions, texture coordinates and normals stand above a line.
#[derive(Default)]
struct Defined([i64; 3]);

const KINDS: [&str; 3] = ["position", "texture coordinate", "normal"];

/// Notes every face or line element that names something the file does not define above it, and every face without
/// texture coordinates.
fn check_faces(text: &str, report: &mut Report) {
    let mut defined = Defined::default();
    let mut listed = 0;
    for (index, line) in text.lines().enumerate() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => defined.0[0] += 1,
            Some("vt") => defined.0[1] += 1,
            Some("vn") => defined.0[2] += 1,
            Some(element @ ("f" | "l")) => {
                let wrong = words.find_map(|corner| defined.check(corner, element == "f").err());
                let Some(wrong) = wrong else { continue };
                listed += 1;
                if listed > MAX_LISTED {
                    return;
                }
                report.add(
                    Rule::Mesh,
                    index + 1,
                    wrong,
                    "export the mesh with texture coordinates, or correct the face",
                );
            }
            _ => {}
        }
    }
}

impl Defined {
    /// Checks a corner such as `3/2/1` or `-1/-1`.
    fn check(&self, corner: &str, needs_uv: bool) -> Result<(), String> {
        let parts: Vec<&str> = corner.split('/').collect();
        if parts.len() > 3 {
            return Err(format!("the corner {corner:?} has more than three indices"));
        }
        if needs_uv && parts.get(1).is_none_or(|part| part.is_empty()) {
            return Err(format!("the corner {corner:?} has no texture coordinate"));
        }
        for ((part, kind), &count) in parts.iter().zip(KINDS).zip(&self.0) {
            if part.is_empty() && kind != KINDS[0] {
                continue;
            }
            let number: i64 =
                part.parse().map_err(|_| format!("{part:?} in the corner {corner:?} is not an index"))?;
            if !(1..=count).contains(&number) && !(-count..=-1).contains(&number) {
                return Err(format!("the corner {corner:?} names {kind} {number}; {count} stand above it"));
            }
        }
        Ok(())
    }
}

/// Counts the lines that the parser has taken.
struct LineCounter<R> {
    inner: R,
    line: usize,
}

impl<R: Read> Read for LineCounter<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.inner.read(buffer)
    }
}

impl<R: BufRead> BufRead for LineCounter<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.inner.consume(amount);
    }

    fn read_line(&mut self, line: &mut String) -> io::Result<usize> {
        self.line += 1;
        self.inner.read_line(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tmu_problem::Problem;

    fn parse(text: &str) -> Result<Mesh, String> {
        let mut report = Report::new(Path::new("m.obj"));
        let mesh = read(text.as_bytes(), Path::new("m.obj"), &mut report, &mut Vec::new());
        let line = |p: &Problem| format!("{}: {}: {}; {}", p.place, p.code, p.message, p.help);
        report.finish(mesh).map_err(|found| found.as_slice().iter().map(line).collect::<Vec<_>>().join("\n"))
    }

    const SQUARE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n";

    #[test]
    fn a_square_becomes_two_triangles_with_v_turned_over() {
        let mesh = parse(&format!("{SQUARE}f 1/1 2/2 3/3 4/4\n")).unwrap();
        assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(mesh.vertices[2].position, DVec4::new(1.0, 1.0, 0.0, 1.0));
        assert_eq!(mesh.vertices.iter().map(|vertex| vertex.uv.y).collect::<Vec<_>>(), [1.0, 1.0, 0.0, 0.0]);
    }

    #[test]
    fn objects_and_relative_indices_are_joined() {
        let relative = parse(&format!("o a\n{SQUARE}f 1/1 2/2 3/3\no b\nf -4/-4 -2/-2 -1/-1\n")).unwrap();
        assert_eq!(relative.triangles, [[0, 1, 2], [3, 4, 5]]);
        assert_eq!(relative.vertices[4].position, DVec4::new(1.0, 1.0, 0.0, 1.0));
    }

    #[test]
    fn problems_name_their_line() {
        let remedy = "export the mesh with texture coordinates, or correct the face";
        let cases = [
            (
                "f 1/1 2/2 3/9\n",
                "m.obj:9: E0311: the corner \"3/9\" names texture coordinate 9; 4 stand above it",
            ),
            ("f 1/1 2/2 0/1\n", "m.obj:9: E0311: the corner \"0/1\" names position 0; 4 stand above it"),
            ("f 1/1 2/2 -5/1\n", "m.obj:9: E0311: the corner \"-5/1\" names position -5; 4 stand above it"),
            ("f 1/1 2/2 3\n", "m.obj:9: E0311: the corner \"3\" has no texture coordinate"),
            ("f 1/1/1 2/2 3/3\n", "m.obj:9: E0311: the corner \"1/1/1\" names normal 1; 0 stand above it"),
            ("f 1/1 2/2 3/3/1/1\n", "m.obj:9: E0311: the corner \"3/3/1/1\" has more than three indices"),
            ("\nf 1/1 2/2 x/3\n", "m.obj:10: E0311: \"x\" in the corner \"x/3\" is not an index"),
            ("l 1 9\n", "m.obj:9: E0311: the corner \"9\" names position 9; 4 stand above it"),
        ];
        for (face, expected) in cases {
            let problems = parse(&format!("{SQUARE}{face}")).unwrap_err();
            assert_eq!(problems, format!("{expected}; {remedy}"), "{face:?}");
        }
        let both = parse(&format!("{SQUARE}f 1/1 2/2 9/9\nf 1 2 3\n")).unwrap_err();
        assert_eq!(both.lines().count(), 2, "two problems are listed: {both}");
        assert_eq!(
            parse("v 0 0 0\nv 1 zero 0\n").unwrap_err(),
            "m.obj:2: E0311: the line cannot be read: position parse error; export the mesh again"
        );
    }
}
