//! Textures that are worked out instead of read: stone, wood, boards and skies.
//!
//! Contract: a pattern is a function of the place of a texel alone, worked out with basic arithmetic and `libm`, so it is the
//! same on every machine. Patterns of places repeat without a seam; those of directions have none. Cost: some hundred
//! operations a texel, on all threads.

mod noise;
mod sky;
mod surface;

use glam::DVec3;
use rayon::prelude::*;
use tmu_assets::Raster;
use tmu_spec::general::Kind;
use tmu_spec::general::texture::FACES;

/// A pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pattern {
    /// Eight fields along each axis.
    Checker,
    /// White stone with dark veins.
    Marble,
    /// Rings around the y axis.
    Wood,
    /// Layers along the x axis.
    Strata,
    /// Clouds, hills and a lake.
    Sky,
    /// How much light falls from that sky onto what faces in a direction.
    Light,
    /// The sun over the sea.
    Sunset,
}

/// Every pattern with its name.
const NAMES: [(&str, Pattern); 7] = [
    ("checker", Pattern::Checker),
    ("marble", Pattern::Marble),
    ("wood", Pattern::Wood),
    ("strata", Pattern::Strata),
    ("sky", Pattern::Sky),
    ("light", Pattern::Light),
    ("sunset", Pattern::Sunset),
];

/// Where a texel is.
#[derive(Clone, Copy)]
struct Texel {
    /// In a cube from 0 to 1.
    place: DVec3,
    /// From the middle of a cube, or of a panorama; of length 1.
    direction: DVec3,
}

impl Pattern {
    /// The pattern with a name.
    pub(crate) fn from_name(name: &str) -> Result<Self, String> {
        let found = NAMES.into_iter().find(|(known, _)| *known == name);
        found.map(|(_, pattern)| pattern).ok_or_else(|| {
            let names: Vec<_> = NAMES.iter().map(|(name, _)| *name).collect();
            format!("{name:?} is not a pattern; use one of {}", names.join(", "))
        })
    }

    /// Its slices, faces or layers.
    pub(crate) fn slices(self, kind: Kind, [width, height, depth]: [u32; 3]) -> Vec<Raster> {
        let slices = if kind == Kind::Cube { FACES } else { depth };
        let slice = |slice: u32| {
            let texels = (0..height).flat_map(|y| (0..width).map(move |x| [x, y]));
            let color = |[x, y]: [u32; 2]| {
                let part = |number: u32, of: u32| (f64::from(number) + 0.5) / f64::from(of);
                let (u, v) = (part(x, width), part(y, height));
                self.color(match kind {
                    Kind::Cube => Texel::of_face(slice, u, v),
                    _ => Texel::of_place(DVec3::new(u, v, part(slice, depth))),
                })
            };
            let texels = texels.map(|texel| {
                let [r, g, b] =
                    color(texel).to_array().map(|part| (part.clamp(0.0, 1.0) * 255.0).round() as u16);
                [r, g, b, 255]
            });
            Raster::new([width as usize, height as usize, 1], 8, texels.collect())
        };
        (0..slices).into_par_iter().map(slice).collect()
    }

    /// R, G, B, coded as in a picture.
    fn color(self, texel: Texel) -> DVec3 {
        match self {
            Pattern::Checker => surface::checker(texel.place),
            Pattern::Marble => surface::marble(texel.place),
            Pattern::Wood => surface::wood(texel.place),
            Pattern::Strata => surface::strata(texel.place),
            Pattern::Sky => sky::sky(texel.direction),
            Pattern::Light => sky::light(texel.direction),
            Pattern::Sunset => sky::sunset(texel.place.x, texel.place.y),
        }
    }
}

impl Texel {
    /// On a face of a cube, by OpenGL's table.
    fn of_face(face: u32, u: f64, v: f64) -> Self {
        let (s, t) = (2.0 * u - 1.0, 2.0 * v - 1.0);
        let direction = match face {
            0 => DVec3::new(1.0, -t, -s),
            1 => DVec3::new(-1.0, -t, s),
            2 => DVec3::new(s, 1.0, t),
            3 => DVec3::new(s, -1.0, -t),
            4 => DVec3::new(s, -t, 1.0),
            _ => DVec3::new(-s, -t, -1.0),
        };
        let direction = direction.normalize();
        Self { place: (direction * DVec3::new(1.0, -1.0, 1.0) + 1.0) * 0.5, direction }
    }

    /// In a picture or a volume; the direction is that of a panorama, whose middle is -z.
    fn of_place(place: DVec3) -> Self {
        let (east, south) = libm::sincos(std::f64::consts::TAU * (place.x - 0.5));
        let (up, level) = libm::sincos(std::f64::consts::PI * (0.5 - place.y));
        Self { place, direction: DVec3::new(east * level, up, -south * level) }
    }
}

/// 0 before `from`, 1 beyond `to`, whichever is the larger, smooth between.
fn smooth_step(from: f64, to: f64, value: f64) -> f64 {
    let part = ((value - from) / (to - from)).clamp(0.0, 1.0);
    part * part * (3.0 - 2.0 * part)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean_step(texels: &[[u16; 4]], others: &[[u16; 4]]) -> f64 {
        let off = |(a, b): (&[u16; 4], &[u16; 4])| f64::from(a[1].abs_diff(b[1]));
        std::iter::zip(texels, others).map(off).sum::<f64>() / texels.len() as f64
    }

    fn column(raster: &Raster, x: usize) -> Vec<[u16; 4]> {
        (0..raster.size()[1]).map(|y| raster.texel([x, y, 0])).collect()
    }

    #[test]
    fn patterns_of_places_repeat_without_a_seam() {
        for (name, pattern) in &NAMES[1..4] {
            let slices = pattern.slices(Kind::D3, [64, 64, 64]);
            let inside = mean_step(&column(&slices[0], 31), &column(&slices[0], 32));
            let seam = mean_step(&column(&slices[0], 63), &column(&slices[0], 0));
            assert!(seam < 3.0 * inside + 12.0, "{name}: {seam} across the seam, {inside} inside");
            let seam = mean_step(slices[63].texels(), slices[0].texels());
            let inside = mean_step(slices[31].texels(), slices[32].texels());
            assert!(seam < 3.0 * inside + 12.0, "{name}: {seam} across the slices, {inside} inside");
        }
    }

    /// The right edge of face +z meets the left edge of face +x.
    #[test]
    fn faces_meet_at_their_edges() {
        for (name, pattern) in NAMES {
            let faces = pattern.slices(Kind::Cube, [64, 64, 1]);
            assert_eq!(faces.len(), 6);
            let step = mean_step(&column(&faces[4], 63), &column(&faces[0], 0));
            assert!(step < 16.0, "{name}: {step}");
        }
    }

    /// The direction in the middle of each texel's face is the one that the cube is sampled with there.
    #[test]
    fn faces_have_opengls_directions() {
        let axes = [DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y, DVec3::Z, DVec3::NEG_Z];
        for (face, axis) in (0..).zip(axes) {
            assert_eq!(Texel::of_face(face, 0.5, 0.5).direction, axis);
        }
        let right = Texel::of_face(0, 1.0, 0.5).direction;
        assert!(right.z < -0.7, "sc of +x is -z: {right}");
    }
}
