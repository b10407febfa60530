//! `probes`: a pixel's probes, their weights, and their sum.
//!
//! One probe for each level, slice of a volume, and part of a long footprint: up to 32.

use super::channels::Channels;
use super::coordinate::{AxisTaps, addressed, axis};
use super::filter::Sum;
use super::lod::{self, Lod};
use super::projection::Position;
use super::request::{Axis, Bound, Level};
use super::result::swizzled;
use super::tap::Taps;
use crate::datapath::fetch::TexelSource;
use crate::memory::LineError;
use tmu_spec::general::sampler::lod_steps;
use tmu_spec::general::{Filter, Kind, Pixel, Quad};

/// Texels along one axis of a level, for a coordinate after its address mode.
#[inline]
fn texels(bound: &Bound, number: usize, addressed: i64, size: u32, filter: Filter) -> AxisTaps {
    let Axis { mode, goes_on } = bound.axis(number);
    axis(mode, goes_on, addressed, size, filter)
}

/// The sample of a pixel.
pub(super) fn sample<S: TexelSource>(
    place: &Position,
    lod: &Lod,
    taps: &mut Taps<'_, S>,
) -> Result<Channels, LineError> {
    let bound = taps.bound();
    let of_ripmap = lod.ripmap.map(|levels| bound.level(0).of_ripmap(levels));
    let level = of_ripmap.as_ref().unwrap_or(bound.level(lod.level));
    let mut sum = Sum::default();
    let count = 1i64 << lod.probes_log2;
    for number in 0..count {
        let part = |axis: usize| (lod.axis[axis] * (2 * number + 1 - count)) >> (lod.probes_log2 + 1);
        let [u, v, w] = place.uvw;
        let of = |axis: usize, moved: i64| addressed(bound.axis(axis).mode, moved);
        // The same in all levels.
        let uvw = [of(0, u + part(0)), of(1, v + part(1)), of(2, w)];
        let probe = Probe { uvw, slice: place.slice, filter: lod.filter };
        let weight = 256 >> lod.probes_log2;
        probe.of_level(level, (256 - lod.fraction) * weight, taps, &mut sum)?;
        if lod.fraction != 0 {
            probe.of_level(bound.level(lod.level + 1), lod.fraction * weight, taps, &mut sum)?;
        }
    }
    Ok(swizzled(bound, sum.total(), taps.are_floats()))
}

/// How many probes the samples of a quad's pixels take, which are at these positions; none of a pixel that does not count.
#[must_use]
pub fn numbers_of_probes(bound: &Bound, quad: &Quad, positions: &[Position; 4], lod: &Lod) -> [u32; 4] {
    let slices = |level: u32, w: i64| {
        if bound.texture().kind() != Kind::D3 {
            return 1;
        }
        let addressed = addressed(bound.axis(2).mode, w);
        1 + u32::from(texels(bound, 2, addressed, bound.level(level).size[2], lod.filter).weight != 0)
    };
    let of_pixel = |place: &Position| {
        lod.levels().map(|(level, _)| slices(level, place.uvw[2])).sum::<u32>() << lod.probes_log2
    };
    std::array::from_fn(|pixel| if quad.is_valid(pixel) { of_pixel(&positions[pixel]) } else { 0 })
}

/// How many probes a quad's samples take, all pixels together.
#[must_use]
pub fn number_of_probes(bound: &Bound, quad: &Quad) -> u32 {
    let positions = quad.pixels.map(|pixel| Position::of(bound, &pixel));
    let lod = lod::of_quad(bound, quad, &positions);
    numbers_of_probes(bound, quad, &positions, &lod).iter().sum()
}

/// A place of which each level has a probe, or two in a volume.
struct Probe {
    /// Coordinates after their address modes.
    uvw: [i64; 3],
    /// Face or layer.
    slice: u32,
    filter: Filter,
}

impl Probe {
    /// Adds the probes of one level, which have `weight` of 65536 together.
    #[inline]
    fn of_level<S: TexelSource>(
        &self,
        level: &Level,
        weight: u32,
        taps: &mut Taps<'_, S>,
        sum: &mut Sum,
    ) -> Result<(), LineError> {
        let bound = taps.bound();
        let (kind, size) = (bound.texture().kind(), level.size);
        let along = |number: usize| texels(bound, number, self.uvw[number], size[number], self.filter);
        let x = along(0);
        let y = if kind == Kind::D1 { AxisTaps::FIRST } else { along(1) };
        if kind != Kind::D3 {
            return taps.add_probe(level, [x, y], self.slice as i32, weight, sum);
        }
        let z = along(2);
        for (slice, of_slice) in z.texels.into_iter().zip([256 - z.weight, z.weight]) {
            if of_slice != 0 {
                taps.add_probe(level, [x, y], slice, (weight >> 8) * of_slice, sum)?;
            }
        }
        Ok(())
    }
}

/// One texel by its integer coordinates; nothing outside the texture.
pub(super) fn fetch<S: TexelSource>(
    pixel: &Pixel,
    lod: u32,
    taps: &mut Taps<'_, S>,
) -> Result<Channels, LineError> {
    let bound = taps.bound();
    let level = lod_steps(f32::from_bits(lod)) >> 8;
    let inside = |level: u32| {
        let size = bound.level(level).size;
        let given = [pixel.u, pixel.v, pixel.w].map(|bits| bits as i32);
        let used = match bound.texture().kind() {
            Kind::D1 => [true, false, false],
            Kind::D2 => [true, true, false],
            Kind::D3 | Kind::Cube | Kind::D2Array => [true; 3],
        };
        let texel: [i32; 3] = std::array::from_fn(|axis| if used[axis] { given[axis] } else { 0 });
        let is_inside = texel.iter().zip(size).all(|(x, size)| (0..size as i32).contains(x));
        is_inside.then_some(texel)
    };
    let level = u32::try_from(level).ok().filter(|level| *level < bound.texture().levels());
    let channels = match level.and_then(|level| Some((level, inside(level)?))) {
        Some((level, [x, y, slice])) => {
            taps.texel(bound.level(level), [x, y, slice].map(|axis| axis as u32))?
        }
        None => [0; 4],
    };
    Ok(swizzled(bound, channels, taps.are_floats()))
}

/// One component of each of the four texels under the footprint in level 0: (x0, y1), (x1, y1), (x1, y0), (x0, y0).
pub(super) fn gather<S: TexelSource>(
    pixel: &Pixel,
    component: u8,
    taps: &mut Taps<'_, S>,
) -> Result<Channels, LineError> {
    let bound = taps.bound();
    let place = Position::of(bound, pixel);
    let of_ripmap = bound.is_ripmap().then(|| bound.level(0).of_ripmap([0; 2]));
    let level = of_ripmap.as_ref().unwrap_or(bound.level(0));
    let size = level.size;
    let [x, y] = [0, 1].map(|number| {
        let addressed = addressed(bound.axis(number).mode, place.uvw[number]);
        texels(bound, number, addressed, size[number], Filter::Linear)
    });
    let of = taps.footprint(level, x.texels, y.texels, place.slice as i32, [true; 4])?;
    let are_floats = taps.are_floats();
    Ok([2, 3, 1, 0].map(|tap: usize| swizzled(bound, of[tap], are_floats)[usize::from(component & 3)]))
}
