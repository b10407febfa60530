//! Random textures, samplers and quads.

use proptest::prelude::*;
use tmu_spec::choice::Choice;
use tmu_spec::general::rule::may_be_ripmap;
use tmu_spec::general::texture::Shape;
use tmu_spec::general::{
    CompareOp, Component, Filter, General, Kind, MipFilter, Numbers, Operation, Pixel, Quad, ResultNumbers,
    Sampler, Swizzle, Texture,
};
use tmu_spec::{AddressMode, Format};

/// A texture whose bytes are noise, a sampler, and a quad.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) texture: Texture,
    pub(crate) sampler: Sampler,
    pub(crate) general: General,
    pub(crate) quad: Quad,
}

/// The byte of a texture's memory at an offset.
pub(crate) fn noise(offset: u32) -> u8 {
    (offset.wrapping_mul(0x9e37_79b9) ^ offset.rotate_left(13)).wrapping_mul(0x85eb_ca6b).to_be_bytes()[0]
}

impl Case {
    pub(crate) fn memory(&self) -> Vec<u8> {
        (0..self.texture.bytes()).map(noise).collect()
    }
}

pub(crate) fn one_of<T: Choice + std::fmt::Debug>() -> impl Strategy<Value = T> {
    prop::sample::select(T::CHOICES)
}

/// Sides of few texels, and now and then of many.
fn side() -> impl Strategy<Value = u32> {
    prop_oneof![4 => 1..20u32, 2 => prop::sample::select(vec![4u32, 8, 16, 32, 64]), 1 => 20..200u32]
}

fn texture() -> impl Strategy<Value = Texture> {
    prop_oneof![7 => any_texture(), 1 => ripmap()]
}

/// The picture of a ripmap.
fn ripmap() -> impl Strategy<Value = Texture> {
    let formats = vec![Format::Rgba8, Format::Rgba16, Format::R8, Format::D16, Format::Rgba32f];
    (1..8u32, 1..8u32, prop::sample::select(formats)).prop_map(|(width_log2, height_log2, format)| {
        let [width, height] = [width_log2, height_log2].map(|side| 1 << side);
        let shape = Shape { kind: Kind::D2, width, height, depth: 1, levels: 1, format };
        Texture::packed(shape, Swizzle::NONE, false).unwrap()
    })
}

fn any_texture() -> impl Strategy<Value = Texture> {
    let formats = vec![Format::Rgba8, Format::Rgba16, Format::R8, Format::D16, Format::D24, Format::Rgba32f];
    let swizzle =
        prop_oneof![Just(Swizzle::NONE), prop::array::uniform4(one_of::<Component>()).prop_map(Swizzle)];
    let numbers = (one_of::<Kind>(), (side(), side(), 1..9u32), 1..9u32, prop::sample::select(formats));
    (numbers, swizzle).prop_map(|((kind, (width, height, depth), levels, format), swizzle)| {
        let height = match kind {
            Kind::D1 => 1,
            Kind::Cube => width,
            _ => height,
        };
        let depth = if matches!(kind, Kind::D3 | Kind::D2Array) { depth } else { 1 };
        let mut shape = Shape { kind, width, height, depth, levels, format };
        shape.levels = levels.min(shape.most_levels());
        Texture::packed(shape, swizzle, false).unwrap()
    })
}

fn sampler(texture: Texture) -> impl Strategy<Value = Sampler> {
    let is_float = texture.format().is_float();
    let filter = move || one_of::<Filter>().prop_map(move |of| if is_float { Filter::Nearest } else { of });
    let may_be_ripmap = may_be_ripmap(texture.shape());
    let mip = one_of::<MipFilter>().prop_map(move |of| match of {
        MipFilter::Linear if is_float => MipFilter::Nearest,
        MipFilter::Ripmap if !may_be_ripmap => MipFilter::Nearest,
        _ => of,
    });
    let compare = prop::option::of(one_of::<CompareOp>());
    let compare = compare.prop_map(move |of| of.filter(|_| texture.format().is_depth()));
    let lods = (-600..600i32, -3000..1000i32, 0..4000i32);
    let rest = (prop::sample::select(vec![1u32, 2, 4, 8, 16]), any::<bool>(), any::<[u8; 4]>(), compare);
    let address = prop::array::uniform3(one_of::<AddressMode>());
    (filter(), filter(), mip, lods, rest, address).prop_map(
        move |(min, mag, mip, (lod_bias, min_lod, over), (most, cube_seamless, border, compare), address)| {
            Sampler {
                min,
                mag,
                mip,
                lod_bias,
                min_lod,
                max_lod: min_lod + over,
                max_anisotropy: if is_float || mip == MipFilter::Ripmap { 1 } else { most },
                cube_seamless,
                address,
                border,
                compare,
            }
        },
    )
}

/// A float of moderate size, and now and then any.
fn single() -> impl Strategy<Value = f32> {
    prop_oneof![12 => -3.0..3.0f32, 2 => -300.0..300.0f32, 1 => any::<u32>().prop_map(f32::from_bits), 1 => Just(0.0)]
}

/// Numbers of pixels that lie close together or anywhere.
fn pixels(numbers: Numbers) -> impl Strategy<Value = [Pixel; 4]> {
    let bits = move |value: f64| match numbers {
        Numbers::S16p16 => (value * 65536.0) as i32 as u32,
        Numbers::Fp32 => (value as f32).to_bits(),
    };
    let spread = prop_oneof![Just(0.0), Just(0.001), Just(0.02), Just(0.3), Just(4.0)];
    let offsets = prop::array::uniform4(prop::array::uniform4(-1.0..1.0f64));
    let near = (prop::array::uniform4(-2.0..2.0f64), offsets, spread, [0.0..1.0f32, 0.0..1.0f32]).prop_map(
        move |(middle, offsets, spread, [d, e])| {
            [0, 1, 2, 3].map(|pixel: usize| {
                let of =
                    |axis: usize| bits(middle[axis] + spread * offsets[pixel][axis] * (1.0 + axis as f64));
                let d = if pixel.is_multiple_of(2) { d } else { e };
                Pixel { u: of(0), v: of(1), w: of(2), q: of(3), d: d.to_bits() }
            })
        },
    );
    let of_form =
        move |value: f32| if numbers == Numbers::Fp32 { value.to_bits() } else { bits(value.into()) };
    let anywhere = prop::array::uniform4(prop::array::uniform5(single())).prop_map(move |pixels| {
        pixels.map(|[u, v, w, q, d]| {
            let [u, v, w, q] = [u, v, w, q].map(of_form);
            Pixel { u, v, w, q, d: d.to_bits() }
        })
    });
    prop_oneof![3 => near, 1 => anywhere]
}

fn operation(kind: Kind) -> impl Strategy<Value = Operation> {
    let gather = (0..4u8).prop_map(move |component| {
        let has_footprint = !matches!(kind, Kind::D1 | Kind::D3);
        if has_footprint { Operation::Gather(component) } else { Operation::Sample }
    });
    prop_oneof![
        6 => Just(Operation::Sample),
        2 => Just(Operation::Lod),
        2 => Just(Operation::Bias),
        1 => Just(Operation::Fetch),
        1 => gather,
    ]
}

fn quad(texture: Texture, numbers: Numbers) -> impl Strategy<Value = Quad> {
    let size = texture.shape().level_size(0);
    let texels = prop::array::uniform4(prop::array::uniform3(-2..200i32));
    let lod = prop_oneof![8 => -3.0..9.0f32, 1 => any::<u32>().prop_map(f32::from_bits)];
    (pixels(numbers), 0..16u8, lod, operation(texture.kind()), texels).prop_map(
        move |(mut pixels, valid, lod, operation, texels)| {
            if operation == Operation::Fetch {
                for (pixel, [x, y, z]) in pixels.iter_mut().zip(texels) {
                    // Mostly inside.
                    let of = |texel: i32, axis: usize| (texel % (size[axis] as i32 + 1)) as u32;
                    (pixel.u, pixel.v, pixel.w) = (of(x, 0), of(y, 1), of(z, 2));
                }
            }
            Quad { pixels, valid, lod: lod.to_bits(), operation }
        },
    )
}

pub(crate) fn case() -> impl Strategy<Value = Case> {
    let general =
        (one_of::<Numbers>(), any::<bool>(), prop::sample::select(vec![8u32, 16]), one_of::<ResultNumbers>())
            .prop_map(|(numbers, projective, channel_bits, result)| {
                let mut general = General::ALL;
                (general.numbers, general.projective) = (numbers, projective);
                (general.channel_bits, general.result) = (channel_bits, result);
                general
            });
    (texture(), general).prop_flat_map(|(texture, general)| {
        (sampler(texture), quad(texture, general.numbers)).prop_map(move |(sampler, quad)| Case {
            texture,
            sampler,
            general,
            quad,
        })
    })
}
