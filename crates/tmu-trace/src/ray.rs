//! Rays, triangles, and where they meet. Data are singles, as textures hold them; arithmetic is of doubles.

use glam::DVec3;
use std::cmp::Ordering;

/// Light that a surface has which faces away from the lamp or lies in shadow.
const AMBIENT: f64 = 0.3;

/// A line from a point on. What is rounded to singles is looked up as it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ray {
    /// Where it begins.
    pub origin: DVec3,
    /// Where it goes; of any length.
    pub direction: DVec3,
}

impl Ray {
    /// A ray whose numbers are singles.
    #[must_use]
    pub fn rounded(origin: DVec3, direction: DVec3) -> Self {
        let round = |vector: DVec3| DVec3::from_array(vector.to_array().map(|value| f64::from(value as f32)));
        Self { origin: round(origin), direction: round(direction) }
    }

    /// The point at a distance, in lengths of the direction.
    #[must_use]
    pub fn at(&self, distance: f64) -> DVec3 {
        self.origin + self.direction * distance
    }
}

/// A corner of a triangle: x, y, z and a colour, R·65536 + G·256 + B, which a single holds exactly.
pub type Corner = [f32; 4];

fn place([x, y, z, _]: Corner) -> DVec3 {
    DVec3::new(x.into(), y.into(), z.into())
}

/// Three corners.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Triangle(pub [Corner; 3]);

impl Triangle {
    /// Where a ray meets it from either side, in lengths of the ray's direction; none behind the ray's origin.
    #[must_use]
    pub fn met_by(&self, ray: &Ray) -> Option<f64> {
        let [a, b, c] = self.0.map(place);
        let (to_b, to_c) = (b - a, c - a);
        let across = ray.direction.cross(to_c);
        let determinant = to_b.dot(across);
        if determinant == 0.0 {
            return None;
        }
        let from_a = ray.origin - a;
        let u = from_a.dot(across) / determinant;
        let aside = from_a.cross(to_b);
        let v = ray.direction.dot(aside) / determinant;
        let distance = to_c.dot(aside) / determinant;
        (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && distance > 0.0).then_some(distance)
    }

    /// The direction in which the side faces that a ray meets, 1 long.
    #[must_use]
    pub fn normal(&self, ray: &Ray) -> DVec3 {
        let [a, b, c] = self.0.map(place);
        let normal = (b - a).cross(c - a).normalize_or_zero();
        if normal.dot(ray.direction) > 0.0 { -normal } else { normal }
    }

    /// R, G and B.
    fn color(&self) -> [u8; 3] {
        let [_, r, g, b] = (self.0[0][3] as u32).to_be_bytes();
        [r, g, b]
    }

    /// A fixed order, for triangles that a ray meets at the same place.
    fn order(&self, other: &Self) -> Ordering {
        let bits = |triangle: &Self| triangle.0.map(|corner| corner.map(f32::to_bits));
        bits(self).cmp(&bits(other))
    }
}

/// Where a ray ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// How far it went, in lengths of its direction.
    pub distance: f64,
    /// What it met.
    pub triangle: Triangle,
}

impl Hit {
    /// The nearer one of what was met so far and a triangle; among equals always the same one, whatever comes first.
    #[must_use]
    pub fn nearer(met: Option<Hit>, ray: &Ray, triangle: Triangle) -> Option<Hit> {
        let Some(distance) = triangle.met_by(ray) else { return met };
        let hit = Hit { distance, triangle };
        match met {
            Some(met) => {
                let order = met.distance.total_cmp(&distance);
                Some(if order.then_with(|| met.triangle.order(&triangle)).is_le() { met } else { hit })
            }
            None => Some(hit),
        }
    }

    /// The ray from here to the lamp, which begins a little off the surface.
    #[must_use]
    pub fn to_lamp(&self, ray: &Ray, lift: f64) -> Ray {
        Ray::rounded(ray.at(self.distance) + self.triangle.normal(ray) * lift, lamp())
    }

    /// What is seen here.
    #[must_use]
    pub fn shade(&self, ray: &Ray, is_lit: bool) -> [u8; 3] {
        let facing = self.triangle.normal(ray).dot(lamp()).max(0.0);
        let light = AMBIENT + (1.0 - AMBIENT) * if is_lit { facing } else { 0.0 };
        self.triangle.color().map(|channel| (f64::from(channel) * light).round() as u8)
    }
}

/// The direction of the lamp, which is far away: above, to the right and in front. 1 long.
fn lamp() -> DVec3 {
    DVec3::new(2.0, 6.0, 3.0) / 7.0
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRIANGLE: Triangle =
        Triangle([[0.0, 0.0, 0.0, 255.0], [4.0, 0.0, 0.0, 255.0], [0.0, 4.0, 0.0, 255.0]]);

    #[test]
    fn rays_meet_triangles_from_either_side() {
        let ray = |x, y, z: f64| Ray { origin: DVec3::new(x, y, z), direction: DVec3::Z * -z.signum() };
        assert_eq!(TRIANGLE.met_by(&ray(1.0, 1.0, 5.0)), Some(5.0));
        assert_eq!(TRIANGLE.met_by(&ray(1.0, 1.0, -3.0)), Some(3.0));
        assert_eq!(TRIANGLE.normal(&ray(1.0, 1.0, -3.0)), DVec3::NEG_Z);
        // On an edge, beside one, behind, and along the plane.
        assert_eq!(TRIANGLE.met_by(&ray(2.0, 2.0, 1.0)), Some(1.0));
        assert_eq!(TRIANGLE.met_by(&ray(2.1, 2.0, 1.0)), None);
        assert_eq!(TRIANGLE.met_by(&Ray { origin: DVec3::ONE, direction: DVec3::Z }), None);
        assert_eq!(TRIANGLE.met_by(&Ray { origin: DVec3::NEG_X, direction: DVec3::X }), None);
    }

    #[test]
    fn the_nearer_hit_does_not_hang_on_the_order() {
        let ray = Ray { origin: DVec3::new(1.0, 1.0, 5.0), direction: DVec3::NEG_Z };
        let mut other = TRIANGLE;
        other.0.rotate_left(1);
        for [first, second] in [[TRIANGLE, other], [other, TRIANGLE]] {
            let met = Hit::nearer(Hit::nearer(None, &ray, first), &ray, second);
            assert_eq!(met, Some(Hit { distance: 5.0, triangle: TRIANGLE }));
        }
    }

    #[test]
    fn light_by_hand() {
        let ray = Ray { origin: DVec3::new(1.0, 1.0, 5.0), direction: DVec3::NEG_Z };
        let hit = Hit::nearer(None, &ray, TRIANGLE).unwrap();
        // The normal is +z, of which the lamp has 3/7.
        assert_eq!(hit.shade(&ray, true), [0, 0, 153]);
        assert_eq!(hit.shade(&ray, false), [0, 0, 77]);
        assert_eq!(hit.to_lamp(&ray, 0.25).origin, DVec3::new(1.0, 1.0, 0.25));
    }
}
