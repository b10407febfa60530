//! Skies: patterns of a direction, y upwards, and a picture.

use glam::DVec3;

use super::noise::{ENDLESS, layered, noise};
use super::smooth_step;

/// Where the sun stands.
const SUN: DVec3 = DVec3::new(0.50, 0.58, 0.643);

/// The sky with its sun; below the horizon what a lake shows of it.
pub(super) fn sky(direction: DVec3) -> DVec3 {
    if direction.y >= 0.0 {
        return above(direction);
    }
    // Waves turn the mirror a little, those nearby more.
    let from_below = (-direction.y).max(0.004);
    let place = DVec3::new(direction.x, 0.0, direction.z) / from_below;
    let wave = layered(place * DVec3::new(1.5, 1.0, 6.0), ENDLESS, 3) * (0.02 + 0.1 * from_below);
    let mirrored = DVec3::new(direction.x, (from_below + wave).max(0.002), direction.z).normalize();
    let depth = DVec3::new(0.05, 0.16, 0.20);
    depth.lerp(above(mirrored), 0.35 + 0.45 * libm::pow(1.0 - from_below.min(1.0), 3.0))
}

fn above(direction: DVec3) -> DVec3 {
    let up = direction.y;
    let around = DVec3::new(direction.x, 0.0, direction.z).normalize_or(DVec3::X);
    let hill = 0.035 + 0.05 * layered(around * 3.0, ENDLESS, 5) + 0.03 * noise(around * 1.5, ENDLESS);
    let haze = libm::pow(1.0 - up, 4.0);
    let blue = DVec3::new(0.15, 0.36, 0.74).lerp(DVec3::new(0.77, 0.87, 0.95), haze);
    let toward = direction.dot(SUN.normalize()).max(0.0);
    let glow = 0.35 * libm::pow(toward, 24.0) + smooth_step(0.9990, 0.9994, toward);
    let lit = blue + DVec3::new(1.0, 0.92, 0.75) * glow;
    let place = DVec3::new(direction.x, 0.0, direction.z) / (up + 0.12) * 1.1;
    let cover = layered(place + DVec3::new(3.7, 0.0, 1.3), ENDLESS, 6);
    let cloud = smooth_step(0.02, 0.35, cover) * smooth_step(0.0, 0.2, up);
    let bright = DVec3::splat(0.98) - DVec3::new(0.22, 0.20, 0.16) * smooth_step(0.15, 0.6, cover);
    let clouded = lit.lerp(bright, 0.92 * cloud);
    let shade = 0.5 + 0.5 * layered(direction * 24.0, ENDLESS, 3);
    let near = DVec3::new(0.17, 0.27, 0.20).lerp(DVec3::new(0.30, 0.38, 0.30), shade);
    let far = near.lerp(DVec3::new(0.60, 0.70, 0.78), 0.45);
    clouded.lerp(far, smooth_step(hill + 0.006, hill - 0.006, up))
}

/// The light that falls from the sky and its sun onto what faces in a direction.
pub(super) fn light(direction: DVec3) -> DVec3 {
    let from_sky = DVec3::new(0.40, 0.38, 0.35).lerp(DVec3::new(0.64, 0.68, 0.74), 0.5 + 0.5 * direction.y);
    from_sky + DVec3::new(0.56, 0.50, 0.42) * direction.dot(SUN.normalize()).max(0.0)
}

/// The sun over the sea, from the upper left corner.
pub(super) fn sunset(x: f64, y: f64) -> DVec3 {
    const HORIZON: f64 = 0.60;
    let hill = HORIZON
        - 0.10 * smooth_step(0.45, 0.0, x) * (1.0 + 0.5 * layered(DVec3::new(x * 8.0, 0.0, 0.0), ENDLESS, 5));
    if y < HORIZON {
        let silhouette = smooth_step(0.0, 0.004, y - hill);
        let lit = with_sun(evening(x, y, HORIZON), x, y);
        return lit.lerp(DVec3::new(0.10, 0.06, 0.13), silhouette);
    }
    // Waves are longer and higher near the shore.
    let near = (y - HORIZON) / (1.0 - HORIZON);
    let place = DVec3::new(x * 14.0 / (near + 0.12), 24.0 * libm::sqrt(near), 0.0);
    let wave = layered(place, ENDLESS, 4);
    let mirrored = HORIZON - (y - HORIZON) * 0.9 - 0.05 * wave * (0.3 + near);
    let sky = evening(x + 0.06 * wave * (0.2 + near), mirrored.clamp(0.0, HORIZON), HORIZON);
    let glitter = smooth_step(0.25, 0.6, wave) * smooth_step(0.04 + 0.16 * near, 0.0, (x - 0.56).abs());
    sky * DVec3::new(0.55, 0.50, 0.62) + DVec3::new(1.0, 0.78, 0.45) * (0.8 * glitter)
}

fn evening(x: f64, y: f64, horizon: f64) -> DVec3 {
    let height = (horizon - y) / horizon;
    let low = DVec3::new(1.0, 0.74, 0.36).lerp(DVec3::new(0.88, 0.36, 0.26), smooth_step(0.0, 0.35, height));
    let sky = low.lerp(DVec3::new(0.16, 0.12, 0.33), smooth_step(0.2, 0.95, height));
    let from_sun = from_sun(x, y);
    let streak = layered(DVec3::new(x * 4.0, y * 26.0, 0.0), ENDLESS, 5);
    let cloud = smooth_step(0.0, 0.5, streak) * smooth_step(0.02, 0.25, height);
    let lit = sky.lerp(DVec3::new(0.95, 0.48, 0.38), 0.55 * cloud * smooth_step(0.8, 0.0, from_sun));
    let glow = 0.5 * libm::exp(-7.0 * from_sun);
    lit + DVec3::new(1.0, 0.70, 0.35) * glow
}

/// The distance from the middle of the sun.
fn from_sun(x: f64, y: f64) -> f64 {
    libm::sqrt((x - 0.56) * (x - 0.56) + (y - 0.49) * (y - 0.49))
}

fn with_sun(sky: DVec3, x: f64, y: f64) -> DVec3 {
    sky.lerp(DVec3::new(1.0, 0.95, 0.72), smooth_step(0.068, 0.054, from_sun(x, y)))
}
