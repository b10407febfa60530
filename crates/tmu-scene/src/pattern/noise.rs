//! Smooth noise: random values at the corners of a grid, blended between them.

use glam::DVec3;

/// A period for places that never repeat.
pub(super) const ENDLESS: i64 = 1 << 30;

/// A value of -1 to 1 at a corner of the grid.
fn corner(place: [i64; 3], period: i64) -> f64 {
    let mix = |hash: u32, value: i64| {
        let mixed = (hash ^ value.rem_euclid(period) as u32).wrapping_mul(0x9e37_79b1);
        (mixed ^ mixed >> 15).wrapping_mul(0x85eb_ca6b)
    };
    let hash = place.into_iter().fold(0x1234_5678, mix);
    let hash = (hash ^ hash >> 13).wrapping_mul(0xc2b2_ae35);
    f64::from(hash ^ hash >> 16) / f64::from(u32::MAX) * 2.0 - 1.0
}

/// Noise of -1 to 1 that changes over one unit, and repeats after `period` units.
pub(super) fn noise(place: DVec3, period: i64) -> f64 {
    let cell = place.floor();
    let part = place - cell;
    let blend = part * part * part * (part * (part * 6.0 - 15.0) + 10.0);
    let [x, y, z] = cell.to_array().map(|value| value as i64);
    let mix = |a: f64, b: f64, part: f64| a + (b - a) * part;
    let row = |y: i64, z: i64| mix(corner([x, y, z], period), corner([x + 1, y, z], period), blend.x);
    let plane = |z: i64| mix(row(y, z), row(y + 1, z), blend.y);
    mix(plane(z), plane(z + 1), blend.z)
}

/// Noise of finer and finer parts, of which each weighs half as much as the one before, within -1 to 1.
pub(super) fn layered(place: DVec3, period: i64, layers: u32) -> f64 {
    sum(place, period, layers, |value| value)
}

/// The same of the amounts of noise, within 0 to 1: with creases.
pub(super) fn creased(place: DVec3, period: i64, layers: u32) -> f64 {
    sum(place, period, layers, f64::abs)
}

fn sum(place: DVec3, period: i64, layers: u32, of: impl Fn(f64) -> f64) -> f64 {
    let layer = |layer: u32| {
        let factor = 1i64 << layer;
        of(noise(place * factor as f64, period * factor)) / factor as f64
    };
    (0..layers).map(layer).sum::<f64>() * 0.5 / (1.0 - 0.5f64.powi(layers as i32))
}
