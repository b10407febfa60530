//! Random cores, bindings and quads, and the same as the drivers are told them.

use rand::Rng;
use tmu_driver::general as driver;
use tmu_driver::{AddressMode, Format};
use tmu_spec::Features;
use tmu_spec::choice::Choice;
use tmu_spec::general::features::{OperationName, Sizes};
use tmu_spec::general::packet::Extras;
use tmu_spec::general::rule::may_be_ripmap;
use tmu_spec::general::sampler::ANISOTROPIES;
use tmu_spec::general::texture::{MAX_LAYERS, MAX_SIZE, Shape};
use tmu_spec::general::{
    Binding, Component, General, Kind, MipFilter, Numbers, Operation, Pixel, Quad, ResultNumbers, Sampler,
    Swizzle, Texture,
};

fn one_of<T: Copy>(rng: &mut impl Rng, from: &[T]) -> T {
    from[rng.random_range(0..from.len())]
}

fn side(rng: &mut impl Rng) -> u32 {
    match rng.random_range(0..3) {
        0 => 1 << rng.random_range(0..=12),
        1 => rng.random_range(1..=40),
        _ => rng.random_range(1..=MAX_SIZE),
    }
}

/// Any features.
pub(super) fn features(rng: &mut impl Rng) -> Features {
    if rng.random_range(0..4) == 0 {
        return Features::GENERAL;
    }
    let mut some =
        |count: usize| -> u32 { rng.random_range(1..1 << count) | u32::from(rng.random::<bool>()) };
    let of = |mask: u32, count: usize| (0..count).filter(move |code| mask >> code & 1 != 0);
    let kinds: Vec<Kind> = of(some(5), 5).map(|code| Kind::CHOICES[code]).collect();
    let operations: Vec<_> = of(some(5), 5).map(|code| OperationName::CHOICES[code]).collect();
    let modes: Vec<_> = of(some(5), 5).map(|code| tmu_spec::AddressMode::ALL[code]).collect();
    let dropped = tmu_spec::Format::ALL[some(5) as usize];
    let formats: Vec<_> = tmu_spec::Format::ALL.into_iter().filter(|format| *format != dropped).collect();
    let mut general = General::LEAST.with_kinds(&kinds).with_operations(&operations);
    general.sizes = one_of(rng, &[Sizes::PowerOfTwo, Sizes::Any]);
    general.max_anisotropy = one_of(rng, &ANISOTROPIES);
    general.numbers = one_of(rng, Numbers::CHOICES);
    general.result = one_of(rng, ResultNumbers::CHOICES);
    general.channel_bits = one_of(rng, &[8, 16]);
    for flag in [
        &mut general.trilinear,
        &mut general.ripmaps,
        &mut general.compare,
        &mut general.srgb,
        &mut general.swizzle,
        &mut general.projective,
    ] {
        *flag = rng.random();
    }
    let max_size_log2 = rng.random_range(8..=12);
    Features::new(&formats, &modes, rng.random(), rng.random(), 11).with_general(general, max_size_log2)
}

/// A binding that keeps the rules of its numbers; a core may refuse it all the same.
pub(super) fn binding(rng: &mut impl Rng) -> Binding {
    let kind = one_of(rng, Kind::CHOICES);
    let width = side(rng);
    let [height, depth] = match kind {
        Kind::D1 => [1, 1],
        Kind::D2 => [side(rng), 1],
        Kind::D3 => [side(rng), side(rng)],
        Kind::Cube => [width, 1],
        Kind::D2Array => [side(rng), rng.random_range(1..=MAX_LAYERS)],
    };
    let mut shape =
        Shape { kind, width, height, depth, levels: 1, format: one_of(rng, &tmu_spec::Format::ALL) };
    shape.levels = rng.random_range(1..=shape.most_levels());
    let swizzle = [0; 4].map(|_: u32| one_of(rng, Component::CHOICES));
    let swizzle = if rng.random() { Swizzle::NONE } else { Swizzle(swizzle) };
    let is_srgb = shape.format.can_be_srgb() && rng.random();
    let Ok(packed) = Texture::packed(shape, swizzle, is_srgb) else { return binding(rng) };
    let gap = if rng.random() { 0 } else { 16 * rng.random_range(0..1000) };
    let offsets: Vec<_> = packed.level_offsets().iter().map(|offset| offset + gap).collect();
    let Ok(texture) = Texture::new(shape, &offsets, swizzle, is_srgb) else { return binding(rng) };
    let lods = [rng.random::<i16>(), rng.random()].map(i32::from);
    let compares = shape.format.is_depth() && rng.random();
    let is_plain = shape.format.is_float() && !compares;
    let mips = &MipFilter::CHOICES[..3];
    let is_ripmap = may_be_ripmap(&shape);
    let sampler = Sampler {
        min: if is_plain { <_>::default() } else { one_of(rng, Choice::CHOICES) },
        mag: if is_plain { <_>::default() } else { one_of(rng, Choice::CHOICES) },
        mip: if is_ripmap {
            MipFilter::Ripmap
        } else if is_plain {
            MipFilter::None
        } else {
            one_of(rng, mips)
        },
        lod_bias: rng.random::<i16>().into(),
        min_lod: lods[0].min(lods[1]),
        max_lod: lods[0].max(lods[1]),
        max_anisotropy: if is_plain || is_ripmap { 1 } else { one_of(rng, &ANISOTROPIES) },
        cube_seamless: rng.random(),
        address: [0; 3].map(|_: u32| one_of(rng, &tmu_spec::AddressMode::ALL)),
        border: rng.random(),
        compare: compares.then(|| one_of(rng, Choice::CHOICES)),
    };
    let room = ((1 << 31) - u64::from(texture.bytes())) as u32 / 16;
    let base = 16 * if rng.random_range(0..8) == 0 { room } else { rng.random_range(0..=room) };
    Binding { base, texture, sampler, drop_cache: rng.random() }
}

/// The same for the drivers.
pub(super) fn told(binding: &Binding) -> (driver::Texture, driver::Sampler) {
    let (shape, sampler) = (binding.texture.shape(), &binding.sampler);
    let format = Format::ALL.into_iter().find(|format| *format as u8 == shape.format.code()).unwrap();
    let mut level_offsets = [0; driver::MAX_LEVELS];
    level_offsets[..shape.levels as usize].copy_from_slice(binding.texture.level_offsets());
    let texture = driver::Texture {
        base: binding.base,
        kind: driver::Kind::ALL[shape.kind as usize],
        format,
        width: shape.width,
        height: shape.height,
        depth: shape.depth,
        levels: shape.levels,
        level_offsets,
        swizzle: binding.texture.swizzle().0.map(|shown| driver::Component::ALL[shown as usize]),
        srgb: binding.texture.is_srgb(),
        drop_cache: binding.drop_cache,
    };
    let [lod_bias, min_lod, max_lod] =
        [sampler.lod_bias, sampler.min_lod, sampler.max_lod].map(|lod| lod as i16);
    let sampler = driver::Sampler {
        min: driver::Filter::ALL[sampler.min as usize],
        mag: driver::Filter::ALL[sampler.mag as usize],
        mip: driver::MipFilter::ALL[sampler.mip as usize],
        lod_bias,
        min_lod,
        max_lod,
        max_anisotropy: sampler.max_anisotropy,
        cube_seamless: sampler.cube_seamless,
        address: sampler.address.map(|mode| AddressMode::ALL[mode as usize]),
        border: sampler.border,
        compare: sampler.compare.map(|op| driver::CompareOp::ALL[op as usize]),
    };
    (texture, sampler)
}

/// Something else than a core may like; whatever it is has words.
pub(super) fn spoil(rng: &mut impl Rng, texture: &mut driver::Texture, sampler: &mut driver::Sampler) {
    let level = rng.random_range(0..texture.levels.min(driver::MAX_LEVELS as u32)) as usize;
    match rng.random_range(0..16) {
        0 => texture.width = side(rng),
        1 => texture.height = side(rng),
        2 => texture.depth = side(rng),
        3 => texture.kind = one_of(rng, &driver::Kind::ALL),
        4 => texture.format = one_of(rng, &Format::ALL),
        5 => texture.levels = rng.random_range(1..=16),
        6 => texture.base ^= 1 << rng.random_range(0..31),
        7 => texture.level_offsets[level] ^= 1 << rng.random_range(0..31),
        8 => sampler.address = [0; 3].map(|_: u32| one_of(rng, &AddressMode::ALL)),
        9 => sampler.min = one_of(rng, &driver::Filter::ALL),
        10 => sampler.mip = one_of(rng, &driver::MipFilter::ALL),
        11 => sampler.max_anisotropy = 1 << rng.random_range(0..8),
        12 => sampler.compare = Some(one_of(rng, &driver::CompareOp::ALL)),
        13 => texture.srgb = true,
        14 => texture.swizzle = [0; 4].map(|_: u32| one_of(rng, &driver::Component::ALL)),
        _ => sampler.max_lod = rng.random(),
    }
}

/// A quad of numbers that may be left out, for a unit that has them.
pub(super) fn quad(rng: &mut impl Rng, general: &General, extras: Extras) -> Quad {
    let one = extras.numbers.one();
    let mut has = |is_built: bool| is_built && rng.random();
    let [has_w, has_q, has_d] = [has(extras.third), has(extras.divisor), has(extras.reference)];
    let mut number = |has: bool, left_out: u32| if has { rng.random() } else { left_out };
    let pixels = [0; 4].map(|_: u32| Pixel {
        u: number(true, 0),
        v: number(true, 0),
        w: number(has_w, 0),
        q: number(has_q, one),
        d: number(has_d, 0),
    });
    let operations: Vec<_> =
        OperationName::CHOICES.iter().copied().filter(|name| general.has_operation(*name)).collect();
    let operation = match one_of(rng, &operations) {
        OperationName::Sample => Operation::Sample,
        OperationName::Lod => Operation::Lod,
        OperationName::Bias => Operation::Bias,
        OperationName::Fetch => Operation::Fetch,
        OperationName::Gather => Operation::Gather(rng.random_range(0..4)),
    };
    Quad { pixels, valid: rng.random(), lod: rng.random(), operation }
}

pub(super) fn told_quad(quad: &Quad) -> driver::Quad {
    let pixel = |pixel: &Pixel| {
        let Pixel { u, v, w, q, d } = *pixel;
        driver::Pixel { u, v, w, q, d }
    };
    driver::Quad {
        pixels: quad.pixels.each_ref().map(pixel),
        valid: quad.valid,
        operation: driver::Operation::ALL[OperationName::from(quad.operation) as usize],
        lod: quad.lod,
        component: if let Operation::Gather(component) = quad.operation { component } else { 3 },
    }
}
