//! The built-in shapes. All show a picture upright and unmirrored to a viewer outside (for the floor: above).

use std::f64::consts::{PI, TAU};

use glam::{DVec2, DVec3, DVec4};

use super::{Mesh, Vertex};

/// The plane y = 0 in all directions to the horizon. One repeat is one unit: u runs with x, v with z.
///
/// Four triangles from the origin to pairs of points at infinity, so there is no border to be seen.
pub(crate) fn floor() -> Mesh {
    let vertex = |x: f64, z: f64, weight: f64| Vertex {
        position: DVec4::new(x, 0.0, z, weight),
        uv: DVec2::new(x, z),
    };
    let ends = [(1.0, 0.0), (0.0, -1.0), (-1.0, 0.0), (0.0, 1.0)].map(|(x, z)| vertex(x, z, 0.0));
    let vertices = std::iter::once(vertex(0.0, 0.0, 1.0)).chain(ends).collect();
    Mesh { vertices, triangles: vec![[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1]] }
}

/// The cube from -0.5 to 0.5 with the whole picture on each face.
pub(crate) fn cube() -> Mesh {
    // Of each face the direction outwards and the direction of u as seen from outside.
    let faces = [
        (DVec3::Z, DVec3::X),
        (DVec3::X, DVec3::NEG_Z),
        (DVec3::NEG_Z, DVec3::NEG_X),
        (DVec3::NEG_X, DVec3::Z),
        (DVec3::Y, DVec3::X),
        (DVec3::NEG_Y, DVec3::X),
    ];
    let mut mesh = Mesh::default();
    for (outwards, right) in faces {
        let down = right.cross(outwards);
        let first = mesh.vertices.len() as u32;
        for (u, v) in [(0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, 0.0)] {
            let position = outwards * 0.5 + right * (u - 0.5) + down * (v - 0.5);
            mesh.vertices.push(Vertex { position: position.extend(1.0), uv: DVec2::new(u, v) });
        }
        mesh.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    }
    mesh
}

/// The square from -0.5 to 0.5 in the plane y = 0, with the whole picture, u along x and v along z.
pub(crate) fn plane() -> Mesh {
    let vertex =
        |u: f64, v: f64| Vertex { position: DVec4::new(u - 0.5, 0.0, v - 0.5, 1.0), uv: DVec2::new(u, v) };
    let vertices = vec![vertex(0.0, 0.0), vertex(0.0, 1.0), vertex(1.0, 1.0), vertex(1.0, 0.0)];
    Mesh { vertices, triangles: vec![[0, 1, 2], [0, 2, 3]] }
}

/// The inside of a cube from -1 to 1, without texture coordinates.
pub(crate) fn sky() -> Mesh {
    let mut mesh = cube();
    for vertex in &mut mesh.vertices {
        *vertex = Vertex { position: (vertex.position.truncate() * 2.0).extend(1.0), uv: DVec2::ZERO };
    }
    mesh.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
    mesh
}

/// The sphere of diameter 1. u runs once eastwards from the -z axis, v from the north pole (+y) to the south pole.
///
/// `segments` around and half as many from pole to pole.
pub(crate) fn sphere(segments: u32) -> Mesh {
    let rings = segments / 2;
    let mut mesh = Mesh::default();
    for ring in 0..=rings {
        let v = f64::from(ring) / f64::from(rings);
        let (radius, height) = libm::sincos(PI * v);
        for segment in 0..=segments {
            // At the poles each triangle has its own corner, in the middle of its segment.
            let middle = if ring == 0 || ring == rings { 0.5 } else { 0.0 };
            let u = (f64::from(segment) + middle) / f64::from(segments);
            let (east, north) = libm::sincos(TAU * u);
            let position = DVec4::new(-0.5 * radius * east, 0.5 * height, -0.5 * radius * north, 1.0);
            mesh.vertices.push(Vertex { position, uv: DVec2::new(u, v) });
        }
    }
    for ring in 0..rings {
        for segment in 0..segments {
            let upper = ring * (segments + 1) + segment;
            let lower = upper + segments + 1;
            if ring + 1 < rings {
                mesh.triangles.push([upper, lower, lower + 1]);
                if ring > 0 {
                    mesh.triangles.push([upper, lower + 1, upper + 1]);
                }
            } else {
                mesh.triangles.push([upper, lower, upper + 1]);
            }
        }
    }
    mesh
}

/// A rectangle of the screen, in pixels with y downwards, with the whole picture on it: the texture's upper left
/// corner lies at (`left`, `top`).
pub(crate) fn rectangle([left, top]: [f64; 2], [width, height]: [f64; 2]) -> Mesh {
    let vertex = |u: f64, v: f64| Vertex {
        position: DVec4::new(left + u * width, top + v * height, 0.0, 1.0),
        uv: DVec2::new(u, v),
    };
    let vertices = vec![vertex(0.0, 0.0), vertex(0.0, 1.0), vertex(1.0, 1.0), vertex(1.0, 0.0)];
    Mesh { vertices, triangles: vec![[0, 1, 2], [0, 2, 3]] }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corner(mesh: &Mesh, triangle: [u32; 3]) -> [Vertex; 3] {
        triangle.map(|index| mesh.vertices[index as usize])
    }

    /// The direction in which a triangle faces, its corners being counter-clockwise.
    fn facing(mesh: &Mesh, triangle: [u32; 3]) -> DVec3 {
        let [a, b, c] = corner(mesh, triangle);
        if a.position.w == b.position.w {
            return (b.position - a.position).truncate().cross((c.position - a.position).truncate());
        }
        b.position.truncate().cross(c.position.truncate())
    }

    #[test]
    fn every_triangle_faces_outwards_and_has_an_area() {
        for (name, mesh) in [("cube", cube()), ("sphere 4", sphere(4)), ("sphere 64", sphere(64))] {
            for &triangle in &mesh.triangles {
                let centre: DVec3 =
                    corner(&mesh, triangle).iter().map(|vertex| vertex.position.truncate()).sum();
                let outwards = facing(&mesh, triangle).dot(centre);
                assert!(outwards > 1e-6, "{name} {triangle:?}: {outwards}");
            }
        }
        for &triangle in &floor().triangles {
            assert!(facing(&floor(), triangle).y > 0.5, "floor {triangle:?}");
        }
    }

    #[test]
    fn a_closed_shape_uses_each_edge_once_in_each_direction() {
        for (name, mesh) in [("cube", cube()), ("sphere 8", sphere(8))] {
            let place = |index: u32| {
                mesh.vertices[index as usize].position.to_array().map(|value| (value * 1e6).round() as i64)
            };
            let mut edges: Vec<_> = mesh
                .triangles
                .iter()
                .flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)])
                .map(|(from, to)| (place(from), place(to)))
                .collect();
            edges.sort_unstable();
            let count = edges.len();
            edges.dedup();
            assert_eq!(edges.len(), count, "{name}: an edge is used twice in one direction");
            for (from, to) in &edges {
                assert!(
                    edges.binary_search(&(*to, *from)).is_ok(),
                    "{name}: edge {from:?} {to:?} has one side"
                );
            }
        }
    }

    #[test]
    fn pictures_stand_upright_and_unmirrored() {
        // Seen from outside, u grows to the right and v downwards: (du, dv, outwards) is right, down, out.
        for (name, mesh) in [("cube", cube()), ("sphere", sphere(16))] {
            for &triangle in &mesh.triangles {
                let [a, b, c] = corner(&mesh, triangle);
                let (first, second) = (b.uv - a.uv, c.uv - a.uv);
                assert!(first.perp_dot(second) < 0.0, "{name} {triangle:?} is mirrored");
            }
        }
        let front = cube().vertices[0];
        assert_eq!((front.position, front.uv), (DVec4::new(-0.5, 0.5, 0.5, 1.0), DVec2::ZERO));
        let north_west = sphere(4).vertices[0];
        assert_eq!((north_west.position.y, north_west.uv.y), (0.5, 0.0));
    }
}
