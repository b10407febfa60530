//! `cube`: the texel across an edge of a face.

/// Axis and sign of what a face looks along, of its s and of its t, by the table of the OpenGL specification.
const FACES: [[(usize, i32); 3]; 6] = [
    [(0, 1), (2, -1), (1, -1)],
    [(0, -1), (2, 1), (1, -1)],
    [(1, 1), (0, 1), (2, 1)],
    [(1, -1), (0, 1), (2, -1)],
    [(2, 1), (0, 1), (1, -1)],
    [(2, -1), (0, -1), (1, -1)],
];

/// Face and texel of a texel that lies one step outside a face of `size` texels a side, on one axis.
///
/// The cube has sides of `2 * size`, so that middles of texels are whole numbers. Folded over the edge, the step outside becomes a
/// step back from the edge along what the face looks along.
#[must_use]
pub fn across(face: u32, x: i32, y: i32, size: u32) -> (u32, u32, u32) {
    let size = size as i32;
    let [along, s, t] = FACES[face as usize];
    let mut middle = [0; 3];
    let on_edge = |texel: i32| (2 * texel + 1 - size).clamp(-size, size);
    middle[along.0] = along.1 * (size - 1);
    middle[s.0] = s.1 * on_edge(x);
    middle[t.0] = t.1 * on_edge(y);
    let is_reached = |[(axis, sign), ..]: &[(usize, i32); 3]| middle[*axis] == sign * size;
    let reached = FACES.iter().position(is_reached).expect("the texel lies across an edge");
    let [_, s, t] = FACES[reached];
    let texel = |(axis, sign): (usize, i32)| ((sign * middle[axis] + size - 1) / 2) as u32;
    (reached as u32, texel(s), texel(t))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Face and outside texel of 4 x 4, and what lies there, looked up on a paper cube.
    #[test]
    fn edges_by_hand() {
        let table = [
            // +z: left is the right column of -x, right the left column of +x, above the lowest row of +y.
            (4, -1, 1, (1, 3, 1)),
            (4, 4, 2, (0, 0, 2)),
            (4, 1, -1, (2, 1, 3)),
            (4, 1, 4, (3, 1, 0)),
            // +x: above it the right column of +y, bottom up; below it the right column of -y, top down.
            (0, 0, -1, (2, 3, 3)),
            (0, 3, -1, (2, 3, 0)),
            (0, 1, 4, (3, 3, 1)),
            // -z stands upside down above +y.
            (2, 1, -1, (5, 2, 0)),
            (5, 2, -1, (2, 1, 0)),
            (3, 0, 4, (5, 3, 3)),
        ];
        for (face, x, y, expected) in table {
            assert_eq!(across(face, x, y, 4), expected, "face {face}, ({x}, {y})");
        }
    }

    /// Whatever lies across an edge has this texel across one of its own.
    #[test]
    fn the_way_back_is_the_same() {
        for size in [1, 2, 3, 8] {
            let last = size as i32 - 1;
            for (face, along) in (0..6).flat_map(|face| (0..size as i32).map(move |along| (face, along))) {
                for (x, y) in [(-1, along), (last + 1, along), (along, -1), (along, last + 1)] {
                    let here = (face, x.clamp(0, last) as u32, y.clamp(0, last) as u32);
                    let (there, i, j) = across(face, x, y, size);
                    let (i, j) = (i as i32, j as i32);
                    let steps = [(-1, j), (last + 1, j), (i, -1), (i, last + 1)].into_iter();
                    let outside = steps.filter(|(x, y)| {
                        let step = (x - i).abs() + (y - j).abs();
                        step == 1
                    });
                    let mut back = outside.map(|(x, y)| across(there, x, y, size));
                    assert!(back.any(|texel| texel == here), "{here:?} of {size}, over ({x}, {y})");
                }
            }
        }
    }
}
