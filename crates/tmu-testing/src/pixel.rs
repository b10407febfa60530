//! What random frames of the pixel pipeline need.

/// 1/C of three places in sixteenths of pixels, by the steps of the pipeline. Not finite where they lose C.
#[must_use]
pub fn inverse_area(places: [[i32; 2]; 3]) -> f32 {
    let [[x0, y0], [x1, y1], [x2, y2]] = places.map(|place| place.map(|part| part as f32 / 16.0));
    1.0 / ((x1 - x2) * (y1 - y0) - (y1 - y2) * (x1 - x0))
}
