//! `hidden_surfaces`: which pixels of a tile a triangle covers, and at which of them its depth passes.
//!
//! Coverage is exact: edge functions in integers of 1/16 of a pixel at the pixels' centres. A centre on an edge belongs to the triangle
//! whose edge is a top or a left one.
//!
//! Cost: the pixels of the triangle's bounds in the tile.

use super::triangle_setup::Plane;
use crate::general::compare::holds;
use tmu_spec::general::CompareOp;
use tmu_spec::pixel::{Cull, Position, SUBPIXEL_BITS};

/// A pixel in 1/16.
const PIXEL: i64 = 1 << SUBPIXEL_BITS;

/// Pixels of the frame, from the first corner up to the second one, which is outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Area {
    /// The first column and row.
    pub start: [u32; 2],
    /// The column and row behind the last.
    pub end: [u32; 2],
}

impl Area {
    /// Pixels of a row.
    #[must_use]
    pub const fn width(&self) -> u32 {
        self.end[0] - self.start[0]
    }

    /// Rows.
    #[must_use]
    pub const fn height(&self) -> u32 {
        self.end[1] - self.start[1]
    }

    /// The number of a pixel, row by row.
    #[inline]
    #[must_use]
    pub const fn index(&self, x: u32, y: u32) -> usize {
        ((y - self.start[1]) * self.width() + x - self.start[0]) as usize
    }

    /// Column and row of a pixel by its number.
    #[inline]
    #[must_use]
    pub const fn place(&self, index: usize) -> [u32; 2] {
        let index = index as u32;
        [self.start[0] + index % self.width(), self.start[1] + index / self.width()]
    }
}

/// An edge function: inside where it is not below 0.
#[derive(Debug, Clone, Copy)]
struct Edge {
    step: [i64; 2],
    offset: i64,
}

impl Edge {
    /// The edge from one place to the next of a clockwise triangle, y downwards.
    const fn new([x0, y0]: [i64; 2], [x1, y1]: [i64; 2]) -> Self {
        let [dx, dy] = [x1 - x0, y1 - y0];
        // Clockwise and y downwards: a top edge runs to the right, a left one upwards.
        let is_top_left = dy < 0 || (dy == 0 && dx > 0);
        let bias = if is_top_left { 0 } else { -1 };
        Self { step: [-dy, dx], offset: dy * x0 - dx * y0 + bias }
    }

    const fn at(&self, [x, y]: [i64; 2]) -> i64 {
        self.step[0] * x + self.step[1] * y + self.offset
    }
}

/// The pixels of a triangle.
#[derive(Debug, Clone, Copy)]
pub struct Coverage {
    edges: [Edge; 3],
    least: [i64; 2],
    most: [i64; 2],
}

impl Coverage {
    /// Of a triangle; none if it has no area or is culled.
    #[must_use]
    pub fn new(places: &[Position; 3], cull: Cull) -> Option<Self> {
        let [a, b, c] = places.map(|place| [i64::from(place.x), i64::from(place.y)]);
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
        let culled = match cull {
            Cull::None => false,
            Cull::Clockwise => area > 0,
            Cull::CounterClockwise => area < 0,
        };
        if area == 0 || culled {
            return None;
        }
        let [b, c] = if area > 0 { [b, c] } else { [c, b] };
        let bound = |axis: usize| [a, b, c].map(|place| place[axis]);
        let [x, y] = [bound(0), bound(1)];
        Some(Self {
            edges: [Edge::new(a, b), Edge::new(b, c), Edge::new(c, a)],
            least: [x[0].min(x[1]).min(x[2]), y[0].min(y[1]).min(y[2])],
            most: [x[0].max(x[1]).max(x[2]), y[0].max(y[1]).max(y[2])],
        })
    }

    /// The pixels of an area in the triangle's bounds, from the least place to the most.
    #[must_use]
    pub fn bounds(&self, area: &Area) -> Area {
        let limited =
            |pixel: i64, axis: usize| pixel.clamp(area.start[axis].into(), area.end[axis].into()) as u32;
        // Pixels count by their centres.
        let first = |axis: usize| (self.least[axis] - PIXEL / 2 + PIXEL - 1).div_euclid(PIXEL);
        let behind = |axis: usize| (self.most[axis] - PIXEL / 2).div_euclid(PIXEL) + 1;
        Area {
            start: [0, 1].map(|axis| limited(first(axis), axis)),
            end: [0, 1].map(|axis| limited(behind(axis), axis)),
        }
    }

    /// Gives the covered pixels of an area, row by row.
    pub fn for_each(&self, area: &Area, mut found: impl FnMut(u32, u32)) {
        let bounds = self.bounds(area);
        for y in bounds.start[1]..bounds.end[1] {
            let centre = [bounds.start[0], y].map(|pixel| i64::from(pixel) * PIXEL + PIXEL / 2);
            let mut values = self.edges.map(|edge| edge.at(centre));
            for x in bounds.start[0]..bounds.end[0] {
                if values.iter().all(|value| *value >= 0) {
                    found(x, y);
                }
                for (value, edge) in values.iter_mut().zip(&self.edges) {
                    *value += edge.step[0] * PIXEL;
                }
            }
        }
    }
}

/// The centre of a pixel along an axis.
#[inline]
#[must_use]
pub fn centre(pixel: u32) -> f32 {
    // A frame has at most 4096 pixels a side.
    pixel as f32 + 0.5
}

/// Gives the covered pixels of an area whose depth passes against the depths of the area, with that depth; and how many are covered.
pub fn passing(
    coverage: &Coverage,
    z: &Plane,
    compare: CompareOp,
    area: &Area,
    depths: &mut [f32],
    mut found: impl FnMut(usize, f32, &mut f32),
) -> u64 {
    let mut row = (u32::MAX, 0.0);
    let mut covered = 0;
    coverage.for_each(area, |x, y| {
        covered += 1;
        if row.0 != y {
            row = (y, z.row(centre(y)));
        }
        let depth = z.at(centre(x), row.1);
        let index = area.index(x, y);
        let number = |value: f32| (!value.is_nan()).then_some(value);
        if holds(compare, number(depth), number(depths[index])) {
            found(index, depth, &mut depths[index]);
        }
    });
    covered
}
