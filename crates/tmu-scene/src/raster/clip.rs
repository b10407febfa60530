//! Clipping in homogeneous pixel coordinates, before the division.
//!
//! A triangle is cut at the near plane, so that everything left lies before the camera, and at a guard band far
//! outside the picture, so that the snapped coordinates of what is left fit the edge functions. Triangles that
//! touch neither, nearly all, pass through unchanged.
//!
//! Two triangles with a common edge stay watertight: a cut point is always computed from the kept end towards the
//! lost end, so both triangles compute the same bits for it.

use arrayvec::ArrayVec;
use glam::DVec3;

/// How far outside the picture's upper left corner, in pixels, a corner may lie before it is cut off; also how far
/// right of and below the largest picture.
pub(crate) const GUARD_BAND_PIXELS: f64 = 16384.0;

/// A triangle cut by five planes has at most eight corners.
pub(crate) const MAX_CORNERS: usize = 8;

/// The corners of a clipped triangle, convex and in the triangle's order.
pub(crate) type Polygon = ArrayVec<Corner, MAX_CORNERS>;

/// A corner on its way to the screen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Corner {
    /// x and y in pixels, times w; and w, the distance along the view axis.
    pub(crate) position: DVec3,
    /// What the homogeneous position was scaled with: 1 for points, 0 for directions (points at infinity).
    pub(crate) weight: f64,
}

/// What is kept of the space before the camera.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClipVolume {
    /// Smallest distance along the view axis, or none for shapes that live on the screen.
    pub(crate) near: Option<f64>,
    /// Right and lower border of the guard band, in pixels.
    pub(crate) right_pixels: f64,
    pub(crate) bottom_pixels: f64,
}

impl ClipVolume {
    /// Cuts a triangle to the volume. Returns no corners where nothing is left.
    pub(crate) fn clip(&self, triangle: [Corner; 3]) -> Polygon {
        let mut polygon = Polygon::from_iter(triangle);
        for plane in self.planes().into_iter().flatten() {
            if polygon.iter().all(|corner| plane.distance(corner) >= 0.0) {
                continue;
            }
            polygon = plane.cut(&polygon);
        }
        // Holds by the planes but for rounding: nothing divides by what is not before the camera.
        if polygon.iter().any(|corner| corner.position.z.is_nan() || corner.position.z <= 0.0) {
            polygon.clear();
        }
        polygon
    }

    fn planes(&self) -> [Option<Plane>; 5] {
        let plane = |x: f64, y: f64, w: f64| Some(Plane { position: DVec3::new(x, y, w), weight: 0.0 });
        [
            self.near.map(|near| Plane { position: DVec3::Z, weight: -near }),
            plane(1.0, 0.0, GUARD_BAND_PIXELS),
            plane(-1.0, 0.0, self.right_pixels),
            plane(0.0, 1.0, GUARD_BAND_PIXELS),
            plane(0.0, -1.0, self.bottom_pixels),
        ]
    }
}

/// A half-space: the corners whose distance is not negative.
struct Plane {
    position: DVec3,
    weight: f64,
}

impl Plane {
    fn distance(&self, corner: &Corner) -> f64 {
        self.position.dot(corner.position) + self.weight * corner.weight
    }

    /// One step of Sutherland and Hodgman (1974).
    fn cut(&self, polygon: &Polygon) -> Polygon {
        let mut kept = Polygon::new();
        for (index, corner) in polygon.iter().enumerate() {
            let next = &polygon[(index + 1) % polygon.len()];
            let (here, there) = (self.distance(corner), self.distance(next));
            // A polygon that rounding made slightly hollow could cross a plane more than twice: what does not fit
            // is beyond the guard band or the near plane, where nothing is seen.
            if here >= 0.0 {
                let _ = kept.try_push(*corner);
                if there < 0.0 {
                    let _ = kept.try_push(between(corner, next, here / (here - there)));
                }
            } else if there >= 0.0 {
                let _ = kept.try_push(between(next, corner, there / (there - here)));
            }
        }
        kept
    }
}

/// The point at `part` of the way from `kept` to `lost`.
fn between(kept: &Corner, lost: &Corner, part: f64) -> Corner {
    Corner {
        position: kept.position + (lost.position - kept.position) * part,
        weight: kept.weight + (lost.weight - kept.weight) * part,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VOLUME: ClipVolume = ClipVolume { near: Some(0.5), right_pixels: 20000.0, bottom_pixels: 20000.0 };

    /// A point at pixel (`x`, `y`) and distance `w`.
    fn point(x: f64, y: f64, w: f64) -> Corner {
        Corner { position: DVec3::new(x * w, y * w, w), weight: 1.0 }
    }

    /// A direction through the pixel (`x`, `y`).
    fn direction(x: f64, y: f64) -> Corner {
        Corner { position: DVec3::new(x, y, 1.0), weight: 0.0 }
    }

    #[test]
    fn a_triangle_inside_is_returned_unchanged() {
        let triangle = [point(0.0, 0.0, 1.0), point(10.0, 0.0, 2.0), point(0.0, 10.0, 3.0)];
        assert_eq!(VOLUME.clip(triangle).as_slice(), triangle);
    }

    #[test]
    fn corners_kept_by_each_cut() {
        let far = 1.0e6;
        let behind = Corner { position: DVec3::new(1.0, 1.0, -1.0), weight: 1.0 };
        let cases: [(&str, [Corner; 3], usize); 9] = [
            ("one behind", [point(0.0, 0.0, 1.0), point(9.0, 0.0, 1.0), behind], 4),
            ("two behind", [point(0.0, 0.0, 1.0), behind, behind], 3),
            ("all behind", [behind, behind, behind], 0),
            ("on the near plane", [point(0.0, 0.0, 0.5), point(9.0, 0.0, 0.5), point(0.0, 9.0, 0.5)], 3),
            ("far left", [point(0.0, 0.0, 1.0), point(0.0, 9.0, 1.0), point(-far, 5.0, 1.0)], 4),
            ("far right", [point(0.0, 0.0, 1.0), point(0.0, 9.0, 1.0), point(far, 5.0, 1.0)], 4),
            ("far up", [point(0.0, 0.0, 1.0), point(9.0, 0.0, 1.0), point(5.0, -far, 1.0)], 4),
            ("far down", [point(0.0, 0.0, 1.0), point(9.0, 0.0, 1.0), point(5.0, far, 1.0)], 4),
            ("to the horizon", [point(0.0, 0.0, 1.0), direction(0.0, 5.0), direction(9.0, 5.0)], 3),
        ];
        for (name, triangle, corners) in cases {
            let polygon = VOLUME.clip(triangle);
            assert_eq!(polygon.len(), corners, "{name}: {polygon:?}");
            for corner in &polygon {
                let (x, y) = (corner.position.x / corner.position.z, corner.position.y / corner.position.z);
                assert!(corner.position.z >= 0.5 * corner.weight - 1e-12, "{name}: {corner:?}");
                assert!((-GUARD_BAND_PIXELS - 1e-6..=20000.0 + 1e-6).contains(&x), "{name}: {corner:?}");
                assert!((-GUARD_BAND_PIXELS - 1e-6..=20000.0 + 1e-6).contains(&y), "{name}: {corner:?}");
            }
        }
    }

    #[test]
    fn neighbours_share_the_cut_points_to_the_bit() {
        let (a, b) = (point(3.1, 7.7, 0.9), Corner { position: DVec3::new(5.3, -2.9, -0.7), weight: 1.0 });
        let left = VOLUME.clip([a, b, point(-4.0, 3.0, 1.3)]);
        let right = VOLUME.clip([b, a, point(12.0, 3.0, 0.8)]);
        let shared = left.iter().filter(|corner| right.contains(corner)).count();
        assert_eq!(shared, 2, "the kept end and the cut point: {left:?} {right:?}");
    }

    #[test]
    fn numbers_that_are_none_leave_nothing() {
        let broken = Corner { position: DVec3::new(0.0, f64::NAN, f64::NAN), weight: 1.0 };
        assert!(VOLUME.clip([broken, point(0.0, 0.0, 1.0), point(1.0, 0.0, 1.0)]).is_empty());
    }
}
