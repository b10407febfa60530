//! The camera: from the scene to homogeneous pixels.

use glam::{DVec3, DVec4};

use crate::raster::Corner;

/// A pinhole camera. Its direction and up are not parallel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Camera {
    pub(crate) position: DVec3,
    pub(crate) target: DVec3,
    pub(crate) up: DVec3,
    /// Vertical field of view in radians.
    pub(crate) vertical_fov: f64,
    /// Nearest distance along the view axis that is drawn.
    pub(crate) near: f64,
}

/// The camera looks at least this far away from straight up and straight down.
const MOST_ELEVATION_DEGREES: f64 = 89.0;

impl Camera {
    /// The camera at the same place, turned to the right and up.
    pub(crate) fn turned(self, right_degrees: f64, up_degrees: f64) -> Self {
        if right_degrees == 0.0 && up_degrees == 0.0 {
            return self;
        }
        let (ahead, up) = (self.target - self.position, self.up.normalize());
        let most = MOST_ELEVATION_DEGREES.to_radians();
        let elevation = libm::asin(ahead.normalize().dot(up).clamp(-1.0, 1.0)) + up_degrees.to_radians();
        let elevation = elevation.clamp(-most, most);
        let level = ahead.reject_from_normalized(up).normalize();
        let (sine, cosine) = libm::sincos(right_degrees.to_radians());
        let level = level * cosine + level.cross(up) * sine;
        let (sine, cosine) = libm::sincos(elevation);
        Self { target: self.position + (level * cosine + up * sine) * ahead.length(), ..self }
    }

    /// The camera with a field of view whose extent is so many times smaller.
    pub(crate) fn zoomed(self, times: f64) -> Self {
        if times == 1.0 {
            return self;
        }
        Self { vertical_fov: 2.0 * libm::atan(libm::tan(self.vertical_fov / 2.0) / times), ..self }
    }

    /// The camera's view on a picture of `width` × `height` pixels.
    pub(crate) fn projection(&self, width: u32, height: u32) -> Projection {
        let forward = (self.target - self.position).normalize();
        let right = forward.cross(self.up).normalize();
        let (half_width, half_height) = (f64::from(width) / 2.0, f64::from(height) / 2.0);
        let focal_pixels = half_height / libm::tan(self.vertical_fov / 2.0);
        let row = |axis: DVec3| axis.extend(-axis.dot(self.position));
        let depth = row(forward);
        Projection {
            x: row(right) * focal_pixels + depth * half_width,
            y: row(forward.cross(right)) * focal_pixels + depth * half_height,
            depth,
        }
    }
}

/// Three rows of a matrix that takes homogeneous scene coordinates to homogeneous pixels, y downwards.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Projection {
    x: DVec4,
    y: DVec4,
    depth: DVec4,
}

impl Projection {
    /// For shapes that live on the screen: x and y are pixels, and all is at one distance.
    pub(crate) fn screen(distance: f64) -> Self {
        Self { x: DVec4::X * distance, y: DVec4::Y * distance, depth: DVec4::W * distance }
    }

    /// Its rows: x, y and distance.
    pub(crate) fn rows(&self) -> [DVec4; 3] {
        [self.x, self.y, self.depth]
    }

    pub(crate) fn project(&self, position: DVec4) -> Corner {
        let row = |row: DVec4| row.dot(position);
        Corner { position: DVec3::new(row(self.x), row(self.y), row(self.depth)), weight: position.w }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_turns_about_its_place() {
        let camera = Camera {
            position: DVec3::new(1.0, 2.0, 3.0),
            target: DVec3::new(1.0, 2.0, -2.0),
            up: DVec3::new(0.0, 3.0, 0.0),
            vertical_fov: std::f64::consts::FRAC_PI_2,
            near: 0.1,
        };
        let half = std::f64::consts::FRAC_1_SQRT_2 * 5.0;
        let cases = [
            ([90.0, 0.0], [6.0, 2.0, 3.0]),
            ([-90.0, 0.0], [-4.0, 2.0, 3.0]),
            ([0.0, 45.0], [1.0, 2.0 + half, 3.0 - half]),
            ([180.0, -45.0], [1.0, 2.0 - half, 3.0 + half]),
        ];
        for ([right, up], target) in cases {
            let turned = camera.turned(right, up);
            assert!((turned.target - DVec3::from_array(target)).length() < 1e-9, "{right} {up}: {turned:?}");
            assert_eq!(turned.position, camera.position);
        }
        // Not beyond what is straight up.
        let most = camera.turned(0.0, 500.0).target - camera.position;
        assert!(most.y < 5.0 && most.z < 0.0 && most.y / 5.0 > 0.9998, "{most}");
        assert_eq!((camera.turned(0.0, 0.0), camera.zoomed(1.0)), (camera, camera));
        assert!((libm::tan(camera.zoomed(2.0).vertical_fov / 2.0) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn points_land_on_their_pixels() {
        // A right angle of view: a point 10 ahead and 10 up is at the upper border, half the height from the middle.
        let camera = Camera {
            position: DVec3::new(1.0, 2.0, 3.0),
            target: DVec3::new(1.0, 2.0, -5.0),
            up: DVec3::Y,
            vertical_fov: std::f64::consts::FRAC_PI_2,
            near: 0.1,
        };
        let projection = camera.projection(640, 360);
        let cases = [
            ("ahead", DVec4::new(1.0, 2.0, -7.0, 1.0), [320.0, 180.0, 10.0]),
            ("up", DVec4::new(1.0, 12.0, -7.0, 1.0), [320.0, 0.0, 10.0]),
            ("right", DVec4::new(11.0, 2.0, -7.0, 1.0), [500.0, 180.0, 10.0]),
            ("down left", DVec4::new(-4.0, -3.0, -7.0, 1.0), [230.0, 270.0, 10.0]),
            ("direction ahead", DVec4::new(0.0, 0.0, -4.0, 0.0), [320.0, 180.0, 4.0]),
        ];
        for (name, position, [x, y, w]) in cases {
            let corner = projection.project(position);
            let got = [
                corner.position.x / corner.position.z,
                corner.position.y / corner.position.z,
                corner.position.z,
            ];
            for (got, expected) in got.into_iter().zip([x, y, w]) {
                assert!((got - expected).abs() < 1e-9, "{name}: got {got}, expected {expected}");
            }
            assert_eq!(corner.weight, position.w, "{name}");
        }
    }

    #[test]
    fn screen_pixels_stay_where_they_are() {
        let corner = Projection::screen(4.0).project(DVec4::new(7.5, 9.25, 0.0, 1.0));
        assert_eq!(corner, Corner { position: DVec3::new(30.0, 37.0, 4.0), weight: 1.0 });
    }
}
