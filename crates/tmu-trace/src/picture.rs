//! All pixels of a picture: rays from the eye, then rays to the lamp from what they met.

use crate::program::{Ends, Outcome, Program, Way};
use crate::ray::{Hit, Ray};
use crate::store::Store;
use crate::unit::{Counts, GoldenTextures, Missing, PacketBytes, Textures};
use crate::world::World;
use rayon::prelude::*;
use serde::Serialize;
use tmu_scene::ImageSize;
use tmu_spec::Config;

/// R, G, B of each pixel, row by row from the top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Width and height.
    pub size: ImageSize,
    /// The pixels.
    pub rgb: Vec<u8>,
}

/// What a picture has cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Cost {
    /// How corners were found.
    pub way: Way,
    /// Everything.
    pub all: Counts,
    /// Of that, the corners of triangles.
    pub triangles: Counts,
}

/// A picture and what it has cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Traced {
    /// The picture.
    pub picture: Picture,
    /// Its cost.
    pub cost: Cost,
    /// Rays from the eye and to the lamp.
    pub rays: u64,
    /// Whether any look-up was answered with an error.
    pub has_error: bool,
}

/// The rays from the eye.
#[must_use]
pub fn rays_from_eye(world: &World) -> Vec<Option<Ray>> {
    let [width, height] = [world.size.width(), world.size.height()];
    let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    pixels.map(|(x, y)| Some(Ray::rounded(world.eye.position(), world.eye.through(x, y)))).collect()
}

/// The colour of a pixel.
#[must_use]
pub fn seen(world: &World, ray: &Ray, hit: Option<Hit>, is_lit: bool) -> [u8; 3] {
    hit.map_or(world.background, |hit| hit.shade(ray, is_lit))
}

/// Draws a world by the golden model with a configuration.
///
/// # Errors
/// Everything that the configuration does not build and the tracer needs.
pub fn trace(world: &World, config: &Config, way: Way) -> Result<Traced, Vec<Missing>> {
    let mut store = Store::new(world);
    let is_indirect = way == Way::Indirect;
    let cost = Cost { way, all: Counts::default(), triangles: Counts::default() };
    let mut pass = Pass { world, way, cost, rays: 0, has_error: false };
    let from_eye = rays_from_eye(world);
    store.write_rays(world.size, &from_eye);
    let unit = GoldenTextures::new(&store, config, is_indirect)?;
    let packets = PacketBytes::of(config);
    let met = pass.follow(&unit, packets, &from_eye, Ends::AtNearest);
    let to_lamp: Vec<_> =
        met.iter().map(|(ray, hit)| hit.map(|hit| hit.to_lamp(ray, world.lift()))).collect();
    store.write_rays(world.size, &to_lamp);
    let unit = GoldenTextures::new(&store, config, is_indirect)?;
    let shaded = pass.follow(&unit, packets, &to_lamp, Ends::AtAny);
    let pixels = std::iter::zip(&met, &shaded);
    let rgb =
        pixels.flat_map(|((ray, hit), (_, blocked))| seen(world, ray, *hit, blocked.is_none())).collect();
    let picture = Picture { size: world.size, rgb };
    Ok(Traced { picture, cost: pass.cost, rays: pass.rays, has_error: pass.has_error })
}

/// One ray after another for all pixels.
struct Pass<'w> {
    world: &'w World,
    way: Way,
    cost: Cost,
    rays: u64,
    has_error: bool,
}

impl Pass<'_> {
    /// Follows the rays of all pixels that have one, four at a time.
    fn follow(
        &mut self,
        unit: &dyn Textures,
        packets: PacketBytes,
        rays: &[Option<Ray>],
        ends: Ends,
    ) -> Vec<(Ray, Option<Hit>)> {
        let [width, height] = [self.world.size.width(), self.world.size.height()];
        let program = Program { unit, packets, grid: self.world.grid, way: self.way, ends };
        let at = |x: u32, y: u32| (y * width + x) as usize;
        let corners: Vec<_> = (0..height.div_ceil(2))
            .flat_map(|row| (0..width.div_ceil(2)).map(move |column| (2 * column, 2 * row)))
            .collect();
        let pixels = |(x, y): (u32, u32)| {
            [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)].map(|(x, y)| {
                let is_inside = x < width && y < height && rays[at(x, y)].is_some();
                is_inside.then_some([x as i32, y as i32])
            })
        };
        let outcomes: Vec<_> = corners
            .into_par_iter()
            .map(pixels)
            .filter(|pixels| pixels.iter().any(Option::is_some))
            .map(|pixels| (pixels, program.run(pixels)))
            .collect();
        let nothing = Ray { origin: glam::DVec3::ZERO, direction: glam::DVec3::ZERO };
        let mut met = vec![(nothing, None); rays.len()];
        for (pixels, Outcome { rays, hits, all, triangles, has_error }) in outcomes {
            self.cost.all += all;
            self.cost.triangles += triangles;
            self.has_error |= has_error;
            for (lane, [x, y]) in pixels.iter().enumerate().filter_map(|(lane, at)| Some((lane, (*at)?))) {
                self.rays += 1;
                met[at(x as u32, y as u32)] = (rays[lane], hits[lane]);
            }
        }
        met
    }
}
