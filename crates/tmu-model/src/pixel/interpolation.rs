//! `interpolation`: from the planes of a triangle to what its pixels bring to the program.
//!
//! Pixels of a quad that the triangle does not cover are worked out like all others, since levels of detail follow differences.
//!
//! Cost: the values that the state has and the program reads, four pixels each, and all colours.

use super::grouping::Quad;
use super::hidden_surfaces::centre;
use super::reciprocal;
use super::single::mul;
use super::tile_fetch::Triangle;
use super::triangle_data::{TriangleData, Vertex};
use super::triangle_setup::{Corners, Plane};
use crate::shader::{Channels, Pixel};

/// The planes of the values of a triangle.
#[derive(Debug, Clone)]
pub struct Planes {
    rhw: Plane,
    /// Of each component that is worked out its set, its number and its plane.
    coordinates: Vec<(usize, usize, Plane)>,
    colors: Option<[[Plane; 4]; 2]>,
}

/// The plane of depth alone, which is all that hidden surfaces need.
#[must_use]
pub fn depth(triangle: &Triangle) -> Plane {
    let corners = Corners::new(&triangle.positions, triangle.record.inverse_area);
    corners.plane(triangle.positions.map(|position| position.z))
}

impl Planes {
    /// Those of a triangle, but for its depth.
    #[must_use]
    pub fn new(data: &TriangleData) -> Self {
        let TriangleData { triangle, vertices, state } = data;
        let corners = Corners::new(&triangle.positions, triangle.record.inverse_area);
        let plane = |value: &dyn Fn(&Vertex) -> f32| corners.plane(vertices.each_ref().map(value));
        let components = (0..state.record.sets as usize).flat_map(|set| (0..4).map(move |part| (set, part)));
        let color = |number: usize| {
            [0, 1, 2, 3].map(|channel: usize| plane(&|vertex| f32::from(vertex.colors[number][channel])))
        };
        Self {
            rhw: corners.plane(triangle.positions.map(|position| position.rhw)),
            coordinates: components
                .filter(|(set, part)| state.reads >> (4 * set + part) & 1 == 1)
                .map(|(set, part)| (set, part, plane(&|vertex| vertex.coordinates[set][part])))
                .collect(),
            colors: state.record.has_colors.then(|| [color(0), color(1)]),
        }
    }

    /// RHW at a pixel.
    #[must_use]
    pub fn rhw(&self, [x, y]: [u32; 2]) -> f32 {
        self.rhw.at(centre(x), self.rhw.row(centre(y)))
    }

    /// What the pixels of a quad bring along.
    #[must_use]
    pub fn pixels(&self, quad: &Quad) -> [Pixel; 4] {
        let [x, y] = quad.corner.map(|first| [centre(first), centre(first + 1)]);
        let four = |plane: &Plane| {
            let [upper, lower] = y.map(|y| plane.row(y));
            [plane.at(x[0], upper), plane.at(x[1], upper), plane.at(x[0], lower), plane.at(x[1], lower)]
        };
        let factors = four(&self.rhw).map(reciprocal::of_rhw);
        let mut pixels = [Pixel { coordinates: [[0.0; 4]; 6], colors: [[4096; 4], [0; 4]] }; 4];
        for (set, part, plane) in &self.coordinates {
            for ((pixel, value), factor) in pixels.iter_mut().zip(four(plane)).zip(factors) {
                pixel.coordinates[*set][*part] = mul(value, factor);
            }
        }
        for (number, planes) in self.colors.iter().flatten().enumerate() {
            for (channel, plane) in planes.iter().enumerate() {
                for (pixel, value) in pixels.iter_mut().zip(four(plane)) {
                    pixel.colors[number][channel] = color(value);
                }
            }
        }
        pixels
    }
}

/// A colour of 0 … 255 as a register holds it; what is no number is 0.
#[inline]
#[must_use]
pub fn color(value: f32) -> <Channels as IntoIterator>::Item {
    // Exact: a power of two rounds nothing, and a fraction that is cut off in front of the division changes no whole quotient.
    ((value.clamp(0.0, 255.0) * 4096.0) as i32 / 255) as i16
}
