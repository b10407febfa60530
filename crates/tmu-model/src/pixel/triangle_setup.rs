//! `triangle_setup`: from the values of three vertices to the plane that goes through them.
//!
//! Every step is a single one, in the order in which the rules have them.

use super::single::{add, mul, sub};
use tmu_spec::pixel::{Position, SUBPIXEL_BITS};

/// A value over the screen: `E·x + (F·y + G)`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Plane {
    /// What it grows by along a row.
    pub e: f32,
    /// What it grows by from row to row.
    pub f: f32,
    /// What it is at the corner of the screen.
    pub g: f32,
}

impl Plane {
    /// The term that all pixels of a row share.
    #[inline]
    #[must_use]
    pub fn row(&self, y: f32) -> f32 {
        add(mul(self.f, y), self.g)
    }

    /// The value at a place of a row.
    #[inline]
    #[must_use]
    pub fn at(&self, x: f32, row: f32) -> f32 {
        add(mul(self.e, x), row)
    }
}

/// What the planes of a triangle share.
#[derive(Debug, Clone, Copy)]
pub struct Corners {
    x1: f32,
    y1: f32,
    /// x1 − x2, y1 − y2.
    back: [f32; 2],
    /// x1 − x0, y1 − y0.
    forth: [f32; 2],
    c: f32,
    inverse: f32,
}

/// A coordinate of a vertex in pixels; its bits all fit.
fn pixels(place: i32) -> f32 {
    place as f32 / (1 << SUBPIXEL_BITS) as f32
}

impl Corners {
    /// Of three places and what the host hands over as 1/C.
    #[must_use]
    pub fn new(places: &[Position; 3], inverse: f32) -> Self {
        let [x0, x1, x2] = places.map(|place| pixels(place.x));
        let [y0, y1, y2] = places.map(|place| pixels(place.y));
        let (back, forth) = ([sub(x1, x2), sub(y1, y2)], [sub(x1, x0), sub(y1, y0)]);
        let c = sub(mul(back[0], forth[1]), mul(back[1], forth[0]));
        Self { x1, y1, back, forth, c, inverse }
    }

    /// The plane of a value.
    #[must_use]
    pub fn plane(&self, [k0, k1, k2]: [f32; 3]) -> Plane {
        let (forth, back) = (sub(k1, k0), sub(k1, k2));
        let a = sub(mul(self.back[1], forth), mul(back, self.forth[1]));
        let b = sub(mul(back, self.forth[0]), mul(self.back[0], forth));
        let d = -add(add(mul(a, self.x1), mul(b, self.y1)), mul(self.c, k1));
        Plane { e: mul(-a, self.inverse), f: mul(-b, self.inverse), g: mul(-d, self.inverse) }
    }
}
