//! `grouping`: from the triangle that is seen at each pixel of a tile to quads, triangle by triangle.
//!
//! Triangles come in the order in which they first appear in the tile, row by row; the quads of each row by row. So the data of a
//! triangle are needed once a tile.
//!
//! Cost: the pixels of the tile.

use super::hidden_surfaces::Area;

/// No triangle is seen at a pixel.
pub const NONE: u32 = u32::MAX;

/// Four pixels of a triangle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quad {
    /// Column and row of the first pixel, both even.
    pub corner: [u32; 2],
    /// Bit i is set if pixel i is seen; pixels stand in Z order.
    pub mask: u8,
}

impl Quad {
    /// A pixel of it.
    #[inline]
    #[must_use]
    pub const fn pixel(&self, number: usize) -> [u32; 2] {
        [self.corner[0] + number as u32 % 2, self.corner[1] + number as u32 / 2]
    }

    /// The pixels that are seen: number, column and row.
    pub fn seen(self) -> impl Iterator<Item = (usize, [u32; 2])> {
        (0..4)
            .filter(move |number| self.mask >> number & 1 == 1)
            .map(move |number| (number, self.pixel(number)))
    }
}

/// The quads of each triangle that is seen in an area, whose first corner is even; `count` is the number of triangles.
#[must_use]
pub fn group(area: &Area, seen: &[u32], count: usize) -> Vec<(u32, Vec<Quad>)> {
    let mut places = vec![NONE; count];
    let mut groups: Vec<(u32, Vec<Quad>)> = Vec::new();
    for triangle in seen.iter().copied().filter(|triangle| *triangle != NONE) {
        let place = &mut places[triangle as usize];
        if *place == NONE {
            *place = groups.len() as u32;
            groups.push((triangle, Vec::new()));
        }
    }
    for y in (area.start[1]..area.end[1]).step_by(2) {
        for x in (area.start[0]..area.end[0]).step_by(2) {
            let whole = Quad { corner: [x, y], mask: 15 };
            for (number, [x, y]) in whole.seen().filter(|(_, [x, y])| *x < area.end[0] && *y < area.end[1]) {
                let triangle = seen[area.index(x, y)];
                if triangle != NONE {
                    let quads = &mut groups[places[triangle as usize] as usize].1;
                    match quads.last_mut().filter(|quad| quad.corner == whole.corner) {
                        Some(quad) => quad.mask |= 1 << number,
                        None => quads.push(Quad { mask: 1 << number, ..whole }),
                    }
                }
            }
        }
    }
    groups
}
