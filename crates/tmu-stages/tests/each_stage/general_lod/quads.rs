//! Bindings and quads for `lod`, at random and around the lengths at which something changes.

use super::general;
use rand::Rng;
use tmu_model::MemoryImage;
use tmu_model::general::projection::Position;
use tmu_model::general::request::Bound;
use tmu_spec::binding::field::Field as RecordField;
use tmu_spec::choice::Choice;
use tmu_spec::general::sampler::ANISOTROPIES;
use tmu_spec::general::texture::Shape as TextureShape;
use tmu_spec::general::{
    Filter, General, Kind, MipFilter, Operation, Pixel, Quad, Sampler, Swizzle, Texture, field,
};
use tmu_spec::{Config, Format};
use tmu_stages::Check;

/// Least and most coordinate.
const COORDINATES: [i64; 2] = [-(1 << 35), (1 << 35) - 1];

/// A texture and a sampler, anything that the unit has.
pub(super) fn binding(check: &mut Check, config: &Config) -> Bound {
    let (features, general) = (config.features(), general(config));
    let kind = check.pick(&general.kinds().collect::<Vec<_>>());
    let side = |check: &mut Check| match check.rng.random_range(0..3) {
        0 => check.pick(&[1, 2, 3, 4095, 4096]),
        1 => 1 << check.rng.random_range(0..=12),
        _ => check.rng.random_range(1..=4096),
    };
    let width = side(check);
    let height = match kind {
        Kind::Cube => width,
        Kind::D1 => 1,
        // Texels of which edges are alike, so that their ratio is.
        _ if check.one_in(3) => width,
        _ => side(check),
    };
    // All of it has to lie in memory.
    let most_slices = (1 << 28) / (u32::next_multiple_of(width, 4) * u32::next_multiple_of(height, 4));
    let depth = match kind {
        Kind::D3 => side(check).min(most_slices),
        Kind::D2Array => side(check).min(most_slices).min(2048),
        _ => 1,
    };
    let format = Format::Rgba8;
    let mut shape = TextureShape { kind, width, height, depth, levels: 1, format };
    if !check.one_in(6) {
        shape.levels = check.rng.random_range(1..=shape.most_levels());
    }
    let is_ripmap = general.ripmaps && kind == Kind::D2 && !check.one_in(3);
    if is_ripmap {
        let picture = |side: u32| side.next_power_of_two().max(2);
        shape = TextureShape { width: picture(width), height: picture(height), levels: 1, ..shape };
    }
    let texture = Texture::packed(shape, Swizzle::NONE, false).unwrap_or_else(|rules| panic!("{rules:?}"));
    let filters = if features.bilinear() { Filter::CHOICES } else { &[Filter::Nearest] };
    let mips = match (features.mipmaps(), general.trilinear) {
        (false, _) => &MipFilter::CHOICES[..1],
        (true, false) => &MipFilter::CHOICES[..2],
        (true, true) => &MipFilter::CHOICES[..3],
    };
    let limit = |check: &mut Check| match check.rng.random_range(0..4) {
        0 => check.pick(&[i16::MIN, -1, 0, 1, i16::MAX]).into(),
        1 => i32::from(check.rng.random::<i16>()),
        _ => check.rng.random_range(-1000..4000),
    };
    let (one, other) = (limit(check), limit(check));
    let limits = if check.one_in(2) { [-8192, 8192] } else { [one.min(other), one.max(other)] };
    let lod_bias = match check.rng.random_range(0..4) {
        0 => 0,
        1 => i32::from(check.rng.random::<i16>()),
        _ => check.rng.random_range(-10 * 256..20 * 256),
    };
    let sampler = Sampler {
        min: check.pick(filters),
        mag: check.pick(filters),
        mip: match check.one_in(2) {
            _ if is_ripmap => MipFilter::Ripmap,
            true => mips[mips.len() - 1],
            false => check.pick(mips),
        },
        lod_bias,
        min_lod: limits[0],
        max_lod: limits[1],
        max_anisotropy: if is_ripmap { 1 } else { anisotropy(check, &general) },
        ..Sampler::default()
    };
    Bound::new(&texture, 0, &sampler, config.features(), &general, &MemoryImage::new(0, vec![0u8; 0]))
        .unwrap_or_else(|rules| panic!("{rules:?}"))
}

/// Most probes of a footprint: often as many as there may be.
fn anisotropy(check: &mut Check, general: &General) -> u32 {
    let most = general.max_anisotropy;
    if check.one_in(2) { most } else { check.pick(&ANISOTROPIES).min(most) }
}

/// The registers of a binding. Fields that the stage does not look at are noise.
pub(super) fn registers(check: &mut Check, bound: &Bound) -> Vec<u32> {
    let mut registers: Vec<u32> = (0..field::REGISTERS).map(|_| check.rng.random()).collect();
    let mut set = |of: RecordField, value: u32| {
        let (register, shift) = field::place(of);
        let mask = ((1u64 << of.bits) - 1) as u32;
        let word = &mut registers[register as usize];
        *word = *word & !(mask << shift) | (value & mask) << shift;
    };
    let (shape, sampler) = (bound.texture().shape(), bound.sampler());
    set(field::WIDTH, shape.width - 1);
    set(field::HEIGHT, shape.height - 1);
    set(field::DEPTH, shape.depth - 1);
    set(field::LEVELS, shape.levels - 1);
    set(field::KIND, shape.kind.code().into());
    set(field::MIN, sampler.min as u32);
    set(field::MAG, sampler.mag as u32);
    set(field::MIP, sampler.mip as u32);
    set(field::ANISOTROPY, sampler.max_anisotropy.ilog2());
    set(field::LOD_BIAS, sampler.lod_bias as u32);
    set(field::MIN_LOD, sampler.min_lod as u32);
    set(field::MAX_LOD, sampler.max_lod as u32);
    registers
}

/// A difference of coordinates: none, one that gives so many texels, or any.
fn difference(check: &mut Check, size: u32) -> i64 {
    let near = check.rng.random_range(-2..=2i64);
    let units = match check.rng.random_range(0..8) {
        0 => 0,
        // Powers of two, and the edges that two of them along both axes make.
        1 | 2 => (1i64 << check.rng.random_range(0..36)) + near,
        3 => ((1u64 << check.rng.random_range(0..64)).isqrt() as i64 + near) / i64::from(size),
        4 | 5 => (1i64 << check.rng.random_range(10..36)) / i64::from(size) + near,
        _ => check.rng.random::<i64>() >> check.rng.random_range(27..63),
    };
    if check.one_in(2) { -units } else { units }
}

/// Right angled footprints of which one side is about 1 to 32 times as long as the other one.
fn long_footprint(check: &mut Check, size: [u32; 3]) -> [[i64; 3]; 4] {
    let [one, other] = [0, 1].map(|_| {
        let most = 1i64 << check.rng.random_range(1..20);
        check.rng.random_range(0..most) - 3
    });
    let one = if check.one_in(2) { 0 } else { one };
    let times = 1i64 << check.rng.random_range(0..6);
    let near = check.pick(&[0, 0, 0, -1, 1, 700, -700]);
    let [mut short, mut long] = [[one, other], [other * times + near, -one * times]];
    if check.one_in(2) {
        std::mem::swap(&mut short, &mut long);
    }
    // In texels of the wider side.
    let widest = i64::from(size[0].max(size[1]));
    let units = |edge: [i64; 2]| [0, 1].map(|axis| edge[axis] * (widest / i64::from(size[axis])));
    let ([u, v], [s, t]) = (units(short), units(long));
    let start = check.rng.random::<i64>() >> 30;
    [[0, 0], [u, v], [s, t], [u + s, v + t]].map(|[u, v]| [start + u, start + v, 0])
}

/// An edge of a volume whose three components are alike and just below a power of two of texels, or the largest that there are: their
/// squares together are more than those of two. The other edge is none, or shorter.
fn long_edge(check: &mut Check, size: [u32; 3]) -> [[i64; 3]; 4] {
    let most = (1i64 << check.rng.random_range(20..=37)) - 1;
    let shorter = check.pick(&[1, 2, 30, 63]);
    let mut uvw = [[0; 3]; 4];
    for axis in 0..3 {
        let below = check.rng.random_range(0..1i64 << 10).min(most >> 10);
        let units = ((most - below) / i64::from(size[axis])).min(COORDINATES[1] - COORDINATES[0]);
        let (start, end) = if check.one_in(2) {
            (COORDINATES[0], COORDINATES[0] + units)
        } else {
            (COORDINATES[1], COORDINATES[1] - units)
        };
        let aside = (end - start) >> shorter;
        for (of, at) in uvw.iter_mut().zip([start, end, start + aside, end + aside]) {
            of[axis] = at.clamp(COORDINATES[0], COORDINATES[1]);
        }
    }
    if check.one_in(2) {
        uvw.swap(1, 2);
    }
    uvw
}

fn positions(check: &mut Check, bound: &Bound) -> [Position; 4] {
    let size = bound.level(0).size;
    if bound.texture().kind() == Kind::D3 && check.one_in(8) {
        return long_edge(check, size).map(|uvw| Position { uvw, slice: 0 });
    }
    if check.one_in(if bound.general().max_anisotropy > 1 { 2 } else { 20 }) {
        return long_footprint(check, size).map(|uvw| Position { uvw, slice: 0 });
    }
    let mut uvw = [[0; 3]; 4];
    for axis in 0..3 {
        let any = check.rng.random::<i64>() >> 28;
        let start = check.pick(&[COORDINATES[0], -70_000, 0, 12_345, COORDINATES[1], any]);
        let still = check.one_in(6);
        // Edges along w are often the shorter ones, and still add to the length.
        let far = if axis == 2 { check.pick(&[0, 0, 1, 3, 20]) } else { 0 };
        let mut step = || if still { 0 } else { difference(check, size[axis]) >> far };
        let (right, down) = (step(), step());
        let twist = if check.one_in(3) { difference(check, size[axis]) } else { 0 };
        let pixels = [start, start + right, start + down, start + right + down + twist];
        for (of, at) in uvw.iter_mut().zip(pixels) {
            of[axis] = at.clamp(COORDINATES[0], COORDINATES[1]);
        }
    }
    uvw.map(|uvw| Position { uvw, slice: 0 })
}

/// Pixels of a cube: directions close together or not.
fn directions(check: &mut Check) -> [Pixel; 4] {
    let spread = check.rng.random_range(0..31);
    let middle: [i32; 3] =
        std::array::from_fn(|_| check.rng.random::<i32>() >> check.rng.random_range(0..20));
    std::array::from_fn(|_| {
        let [u, v, w] = middle.map(|of| of.wrapping_add(check.rng.random::<i32>() >> spread) as u32);
        Pixel { u, v, w, ..Pixel::default() }
    })
}

/// A level of detail or a bias: halves of steps, limits, or anything.
fn float(check: &mut Check) -> u32 {
    let halves = check.rng.random_range(-17_000..17_000i32) as f32 / 512.0;
    match check.rng.random_range(0..6) {
        0 => check.rng.random(),
        1 => halves.to_bits(),
        2 => halves.to_bits().wrapping_add(check.pick(&[1, u32::MAX])),
        3 => check
            .pick(&[0.0, -0.0, 32.0, -32.0, 31.999, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 1e-42])
            .to_bits(),
        4 => (check.rng.random::<f32>() - 0.5).to_bits(),
        _ => check.rng.random_range(-14.0..14.0f32).to_bits(),
    }
}

pub(super) fn quad(check: &mut Check, bound: &Bound) -> (Quad, [Position; 4]) {
    let component = check.rng.random_range(0..4);
    let operations = [
        Operation::Sample,
        Operation::Sample,
        Operation::Lod,
        Operation::Bias,
        Operation::Fetch,
        Operation::Gather(component),
    ];
    let operations: Vec<_> = operations.into_iter().filter(|of| bound.does(*of)).collect();
    let mut quad = Quad {
        pixels: [Pixel::default(); 4],
        valid: if check.one_in(3) { check.rng.random_range(1..16) } else { 15 },
        lod: float(check),
        operation: check.pick(&operations),
    };
    if bound.texture().kind() == Kind::Cube {
        quad.pixels = directions(check);
        let positions = quad.pixels.map(|pixel| Position::of(bound, &pixel));
        return (quad, positions);
    }
    (quad, positions(check, bound))
}
