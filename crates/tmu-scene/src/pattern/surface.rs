//! Stone, wood and boards: patterns of a place in a cube from 0 to 1.

use std::f64::consts::TAU;

use glam::DVec3;

use super::noise::{creased, layered, noise};
use super::smooth_step;

/// Eight fields along each axis, light and dark in turn.
pub(super) fn checker(place: DVec3) -> DVec3 {
    let field = (place * 8.0).floor();
    let is_light = (field.x + field.y + field.z).rem_euclid(2.0) < 1.0;
    let color = if is_light { DVec3::new(0.92, 0.89, 0.82) } else { DVec3::new(0.16, 0.22, 0.30) };
    color * (1.0 + 0.06 * noise(place * 32.0, 32))
}

/// White stone with dark veins.
pub(super) fn marble(place: DVec3) -> DVec3 {
    let bent = place.x * 2.0 + place.y + 1.6 * creased(place * 4.0, 4, 5);
    let vein = libm::pow(libm::fabs(libm::sin(TAU * 0.5 * bent)), 0.4);
    let cloud = 0.5 + 0.5 * layered(place * 8.0, 8, 3);
    DVec3::new(0.20, 0.24, 0.29).lerp(DVec3::new(0.95, 0.93, 0.89), vein) * (0.9 + 0.1 * cloud)
}

/// Rings around the middle of x and z.
pub(super) fn wood(place: DVec3) -> DVec3 {
    // Rings are round at the border, so that they meet those of the next repeat.
    let inside = place * (1.0 - place) * 4.0;
    let bend = DVec3::new(noise(place * 3.0, 3), 0.0, noise(place * 3.0 + 7.5, 3));
    let bend = bend * (0.05 * inside.x * inside.z);
    let from_middle = (place - 0.5 + bend) * DVec3::new(1.0, 0.0, 1.0);
    let ring = (from_middle.length() * 11.0).fract();
    let late = smooth_step(0.35, 0.85, ring) * (1.0 - smooth_step(0.92, 1.0, ring));
    let grain = noise(place * DVec3::new(96.0, 0.0, 96.0), 96);
    let color = DVec3::new(0.83, 0.60, 0.35).lerp(DVec3::new(0.45, 0.25, 0.11), late);
    color * (1.0 + 0.08 * grain)
}

/// Layers of stone along x.
pub(super) fn strata(place: DVec3) -> DVec3 {
    const LAYERS: [DVec3; 5] = [
        DVec3::new(0.33, 0.16, 0.12),
        DVec3::new(0.71, 0.36, 0.20),
        DVec3::new(0.90, 0.76, 0.52),
        DVec3::new(0.55, 0.60, 0.55),
        DVec3::new(0.93, 0.90, 0.84),
    ];
    let height = DVec3::new(place.x, 0.0, 0.0);
    let value = 0.5 + 0.5 * (layered(height * 8.0, 8, 4) * 1.6).clamp(-1.0, 1.0);
    let at = value * (LAYERS.len() - 1) as f64;
    let below = (at.floor() as usize).min(LAYERS.len() - 2);
    LAYERS[below].lerp(LAYERS[below + 1], smooth_step(0.2, 0.8, at - below as f64))
}
