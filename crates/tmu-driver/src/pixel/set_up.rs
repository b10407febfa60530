//! What the pipeline is handed of a triangle: places in 1/16 of a pixel, and 1/C.

use super::clip::Corner;

/// Parts of a pixel.
const PARTS: f32 = 16.0;
/// The farthest place: 18 bits.
const MOST: i32 = (1 << 17) - 1;

/// A corner on the screen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Placed {
    /// In 1/16 of a pixel, y downwards.
    pub(super) place: [i32; 2],
    pub(super) z: f32,
    pub(super) rhw: f32,
}

/// A number rounded to an integer, halves upwards.
fn rounded(value: f32) -> i32 {
    let moved = value + 0.5;
    let cut = moved as i32;
    if cut as f32 > moved { cut.saturating_sub(1) } else { cut }
}

impl Placed {
    /// A corner in homogeneous pixels, inside the guard band.
    pub(super) fn new(corner: &Corner) -> Self {
        let [x, y, z, w] = corner.place;
        let rhw = 1.0 / w;
        let place = [x, y].map(|value| rounded(value * rhw * PARTS).clamp(-MOST - 1, MOST));
        Self { place, z: z * rhw, rhw }
    }
}

/// Twice the area, exactly; above 0 of a clockwise triangle.
pub(super) fn area(places: &[[i32; 2]; 3]) -> i64 {
    let [[x0, y0], [x1, y1], [x2, y2]] = places.map(|place| place.map(i64::from));
    (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)
}

/// 1/C by the steps that the pipeline takes. Where they lose C, that of the exact area, which is not 0.
pub(super) fn inverse_area(places: &[[i32; 2]; 3]) -> f32 {
    let [[x0, y0], [x1, y1], [x2, y2]] = places.map(|place| place.map(|value| value as f32 / PARTS));
    let c = (x1 - x2) * (y1 - y0) - (y1 - y2) * (x1 - x0);
    if c == 0.0 { PARTS * PARTS / area(places) as f32 } else { 1.0 / c }
}
