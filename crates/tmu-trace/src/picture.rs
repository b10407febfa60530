//! All pixels of a picture: rays from the eye, then rays to the lamp from what they met.

use crate::program::{Ends, Program, Rules, Way};
use crate::ray::{Hit, Ray};
use crate::store::Store;
use crate::unit::{Ask, Counts, GoldenTextures, Missing, PacketBytes, Textures};
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
    /// Clocks of the texture unit, if it has any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clocks: Option<u64>,
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
    let golden = |store: &Store| GoldenTextures::new(store, config, way == Way::Indirect);
    trace_by(world, config, way, usize::MAX, golden)
}

/// Draws a world by a texture unit, which is made for each of the two sets of rays. At most so many quads of rays are on their way
/// at once; all of them ask, then all go on.
///
/// # Errors
/// Those of the unit.
pub fn trace_by<T: Textures>(
    world: &World,
    config: &Config,
    way: Way,
    quads_in_flight: usize,
    mut unit: impl FnMut(&Store) -> Result<T, T::Error>,
) -> Result<Traced, T::Error> {
    let mut store = Store::new(world);
    let cost = Cost { way, all: Counts::default(), triangles: Counts::default(), clocks: None };
    let from_eye = rays_from_eye(world);
    store.write_rays(world.size, &from_eye);
    // The unit says what is not built; packets are only of one that has it all.
    let first = unit(&store)?;
    let packets = PacketBytes::of(config);
    let mut pass = Pass { world, packets, quads_in_flight, cost, rays: 0, has_error: false };
    let met = pass.follow(first, &from_eye, Ends::AtNearest)?;
    let to_lamp: Vec<_> =
        met.iter().map(|(ray, hit)| hit.map(|hit| hit.to_lamp(ray, world.lift()))).collect();
    store.write_rays(world.size, &to_lamp);
    let shaded = pass.follow(unit(&store)?, &to_lamp, Ends::AtAny)?;
    let pixels = std::iter::zip(&met, &shaded);
    let rgb =
        pixels.flat_map(|((ray, hit), (_, blocked))| seen(world, ray, *hit, blocked.is_none())).collect();
    let picture = Picture { size: world.size, rgb };
    Ok(Traced { picture, cost: pass.cost, rays: pass.rays, has_error: pass.has_error })
}

/// One ray after another for all pixels.
struct Pass<'w> {
    world: &'w World,
    packets: PacketBytes,
    quads_in_flight: usize,
    cost: Cost,
    rays: u64,
    has_error: bool,
}

/// Pixels of a quad of rays, those that have one.
type Pixels = [Option<[i32; 2]>; 4];

impl Pass<'_> {
    /// Follows the rays of all pixels that have one, four at a time.
    fn follow<T: Textures>(
        &mut self,
        mut unit: T,
        rays: &[Option<Ray>],
        ends: Ends,
    ) -> Result<Vec<(Ray, Option<Hit>)>, T::Error> {
        let rules = Rules { packets: self.packets, grid: self.world.grid, way: self.cost.way, ends };
        let mut waiting = self.quads(rays).into_iter().map(Program::new);
        let mut flying: Vec<Program> = vec![];
        let nothing = Ray { origin: glam::DVec3::ZERO, direction: glam::DVec3::ZERO };
        let mut met = vec![(nothing, None); rays.len()];
        loop {
            flying.extend(waiting.by_ref().take(self.quads_in_flight - flying.len()));
            if flying.is_empty() {
                break;
            }
            let asks: Vec<_> = flying.iter().map(Program::asks).collect();
            let at_once: Vec<Ask> = asks.iter().flatten().copied().collect();
            let answers = unit.answer(&at_once)?;
            let mut rest = &answers[..];
            let own = asks.iter().map(|own| rest.split_off(..own.len()).expect("each ask has an answer"));
            let own: Vec<_> = own.collect();
            flying.par_iter_mut().zip(own).for_each(|(program, own)| program.take(&rules, own));
            flying.retain(|program| {
                if program.has_ended() {
                    self.end(program, &mut met);
                }
                !program.has_ended()
            });
        }
        self.cost.clocks = unit.clocks().map(|own| self.cost.clocks.unwrap_or(0) + own);
        Ok(met)
    }

    /// The pixels that have rays, in quads.
    fn quads(&self, rays: &[Option<Ray>]) -> Vec<Pixels> {
        let [width, height] = [self.world.size.width(), self.world.size.height()];
        let corners = (0..height.div_ceil(2))
            .flat_map(|row| (0..width.div_ceil(2)).map(move |column| (2 * column, 2 * row)));
        let pixels = |(x, y): (u32, u32)| {
            [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)].map(|(x, y)| {
                let is_inside = x < width && y < height && rays[(y * width + x) as usize].is_some();
                is_inside.then_some([x as i32, y as i32])
            })
        };
        corners.map(pixels).filter(|pixels| pixels.iter().any(Option::is_some)).collect()
    }

    /// All rays of a program have ended.
    fn end(&mut self, program: &Program, met: &mut [(Ray, Option<Hit>)]) {
        self.cost.all += program.all;
        self.cost.triangles += program.triangles;
        self.has_error |= program.has_error;
        let width = self.world.size.width() as usize;
        for (lane, [x, y]) in (0..).zip(program.pixels).filter_map(|(lane, at)| Some((lane, at?))) {
            self.rays += 1;
            met[y as usize * width + x as usize] = program.met(lane);
        }
    }
}
