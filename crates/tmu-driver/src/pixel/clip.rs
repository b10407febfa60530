//! What of a triangle lies in front of the eye and inside the guard band.
//!
//! Places go to 8191 pixels either side of the screen's corner, so that they have 18 bits; the screen itself is not clipped to, since
//! the pipeline draws nothing outside the frame.

use super::transform::Viewport;

/// Coordinate sets of a corner.
const SETS: usize = 6;
/// The farthest place, in pixels.
const GUARD: f32 = 8191.0;
/// The least w: in front of the eye.
const LEAST_W: f32 = 1.0e-6;
/// Corners of a triangle that is clipped by [`PLANES`] planes.
pub(super) const MOST: usize = 3 + PLANES;
const PLANES: usize = 6;

/// A corner of a triangle, transformed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Corner {
    /// x, y, z and w: on the screen where x / w and y / w lie in −1 to 1; z / w is the depth, from 0.
    pub place: [f32; 4],
    /// Red, green, blue and alpha of v0 and v1, 0 to 255.
    pub colors: [[f32; 4]; 2],
    /// Texture coordinates; only the sets of the state count.
    pub coordinates: [[f32; 4]; SETS],
}

impl Default for Corner {
    fn default() -> Self {
        Self { place: [0.0; 4], colors: [[255.0; 4], [0.0; 4]], coordinates: [[0.0; 4]; SETS] }
    }
}

/// Corners of a convex shape.
#[derive(Debug, Clone, Copy)]
pub(super) struct Polygon {
    corners: [Corner; MOST],
    count: usize,
}

impl Polygon {
    pub(super) fn corners(&self) -> &[Corner] {
        &self.corners[..self.count]
    }

    /// The part of it where a function of the place, linear, is not below 0.
    fn clipped(&self, inside: impl Fn(&[f32; 4]) -> f32) -> Polygon {
        let mut clipped = Polygon { corners: [Corner::default(); MOST], count: 0 };
        let corners = self.corners();
        for (number, to) in corners.iter().enumerate() {
            let from = &corners[(number + corners.len() - 1) % corners.len()];
            let (before, behind) = (inside(&from.place), inside(&to.place));
            if (before >= 0.0) != (behind >= 0.0) {
                clipped.push(between(from, to, before / (before - behind)));
            }
            if behind >= 0.0 {
                clipped.push(*to);
            }
        }
        clipped
    }

    /// A plane adds at most one corner to a convex shape; rounding that makes it another one loses a corner, not a frame.
    fn push(&mut self, corner: Corner) {
        if let Some(place) = self.corners.get_mut(self.count) {
            *place = corner;
            self.count += 1;
        }
    }
}

/// A corner on the way from one to another.
fn between(from: &Corner, to: &Corner, part: f32) -> Corner {
    fn four(from: [f32; 4], to: [f32; 4], part: f32) -> [f32; 4] {
        [0, 1, 2, 3].map(|at: usize| from[at] + (to[at] - from[at]) * part)
    }
    let mut corner = Corner { place: four(from.place, to.place, part), ..*from };
    for (at, color) in corner.colors.iter_mut().enumerate() {
        *color = four(from.colors[at], to.colors[at], part);
    }
    for (at, set) in corner.coordinates.iter_mut().enumerate() {
        *set = four(from.coordinates[at], to.coordinates[at], part);
    }
    corner
}

/// The part of a triangle that can be drawn, its places in homogeneous pixels. Nothing if none of it is on the screen.
pub(super) fn clip(triangle: &[Corner; 3], viewport: &Viewport) -> Polygon {
    let mut polygon = Polygon { corners: [Corner::default(); MOST], count: 0 };
    for corner in triangle {
        polygon.push(Corner { place: viewport.pixels(corner.place), ..*corner });
    }
    let right = viewport.corner[0] + viewport.size[0];
    let bottom = viewport.corner[1] + viewport.size[1];
    let [left, top] = viewport.corner;
    let corners = polygon.corners();
    let all = |is_beyond: &dyn Fn(&[f32; 4]) -> bool| corners.iter().all(|corner| is_beyond(&corner.place));
    let is_beside = all(&|[x, _, _, w]| *x < left * w)
        || all(&|[x, _, _, w]| *x > right * w)
        || all(&|[_, y, _, w]| *y < top * w)
        || all(&|[_, y, _, w]| *y > bottom * w);
    let is_finite = corners.iter().flat_map(|corner| corner.place).all(f32::is_finite);
    if is_beside || !is_finite {
        return Polygon { count: 0, ..polygon };
    }
    polygon
        .clipped(|[_, _, z, _]| *z)
        .clipped(|[_, _, _, w]| w - LEAST_W)
        .clipped(|[x, _, _, w]| x + GUARD * w)
        .clipped(|[x, _, _, w]| GUARD * w - x)
        .clipped(|[_, y, _, w]| y + GUARD * w)
        .clipped(|[_, y, _, w]| GUARD * w - y)
}
