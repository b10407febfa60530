//! Samples per second of the golden model of the general numerics on one core, from a 1024² texture in scan order.
//!
//! `cargo bench -p tmu-model --bench general`; the figure to watch is `trilinear` of `rgba8`.

use divan::Bencher;
use divan::counter::ItemsCount;
use tmu_model::MemoryImage;
use tmu_model::general::unit::Unit;
use tmu_spec::general::texture::Shape;
use tmu_spec::general::{
    Filter, General, Kind, MipFilter, Numbers, Pixel, Quad, ResultNumbers, Sampler, Swizzle, Texture,
};
use tmu_spec::{Features, Format};

fn main() {
    divan::main();
}

/// Side of the drawn square in pixels.
const SIDE: u32 = 1024;

/// Formats of one byte to eight, and compressed ones.
const FORMATS: [Format; 7] =
    [Format::Rgba8, Format::R8, Format::Rgb565, Format::Rgba16, Format::I8Rgba8, Format::Bc1, Format::Bc7];

fn noise(bytes: u32) -> Vec<u8> {
    (0..bytes).map(|at| (at.wrapping_mul(0x9e37_79b9) >> 24) as u8).collect()
}

/// Quads of a square in scan order: one pixel steps 1.3 texels right and 0.4 down, so that weights and levels are in use.
fn quads(numbers: Numbers) -> Vec<Quad> {
    let bits = |value: f32| match numbers {
        Numbers::S16p16 => (value * 65536.0) as i32 as u32,
        Numbers::Fp32 => value.to_bits(),
    };
    let pixel = |x: u32, y: u32| {
        let (x, y) = (x as f32 / 1024.0, y as f32 / 1024.0);
        let [u, v] = [x * 1.3 + y * 0.4, y * 1.3 - x * 0.4].map(bits);
        Pixel { u, v, w: 0, q: numbers.one(), d: 0 }
    };
    let quad = |x, y| Quad {
        pixels: [pixel(x, y), pixel(x + 1, y), pixel(x, y + 1), pixel(x + 1, y + 1)],
        valid: 15,
        ..Quad::default()
    };
    (0..SIDE).step_by(2).flat_map(|y| (0..SIDE).step_by(2).map(move |x| quad(x, y))).collect()
}

fn bench(bencher: Bencher<'_, '_>, format: Format, sampler: &Sampler, general: General) {
    let shape = Shape { kind: Kind::D2, width: 1024, height: 1024, depth: 1, levels: 11, format };
    let texture = Texture::packed(shape, Swizzle::NONE, false).expect("1024² is legal");
    let features = Features::GENERAL.with_general(general, 12);
    let mut unit = Unit::new(MemoryImage::new(0, noise(texture.bytes())), features);
    unit.bind(&texture, 0, sampler).expect("the sampler is legal");
    let quads = quads(general.numbers);
    bencher
        .counter(ItemsCount::new(4 * quads.len()))
        .bench(|| quads.iter().fold(0u32, |sum, quad| sum.wrapping_add(unit.sample(quad).channels[0][0])));
}

fn linear(mip: MipFilter) -> Sampler {
    Sampler { min: Filter::Linear, mag: Filter::Linear, mip, ..Sampler::default() }
}

#[divan::bench(args = FORMATS)]
fn trilinear(bencher: Bencher<'_, '_>, format: Format) {
    bench(bencher, format, &linear(MipFilter::Linear), General::ALL);
}

#[divan::bench]
fn trilinear_of_8_bits(bencher: Bencher<'_, '_>) {
    let mut general = General::ALL;
    (general.numbers, general.channel_bits) = (Numbers::S16p16, 8);
    general.result = ResultNumbers::Unorm8;
    bench(bencher, Format::Rgba8, &linear(MipFilter::Linear), general);
}

#[divan::bench]
fn bilinear(bencher: Bencher<'_, '_>) {
    bench(bencher, Format::Rgba8, &linear(MipFilter::Nearest), General::ALL);
}

#[divan::bench]
fn anisotropic(bencher: Bencher<'_, '_>) {
    let sampler = Sampler { max_anisotropy: 16, lod_bias: 512, ..linear(MipFilter::Linear) };
    bench(bencher, Format::Rgba8, &sampler, General::ALL);
}
