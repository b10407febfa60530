//! Samples per second of the golden model on one core, from a 1024² texture in scan order.
//!
//! `cargo bench -p tmu-model`; the figure to watch is `bilinear_mipmapped` of `rgba8`.

use divan::Bencher;
use divan::counter::ItemsCount;
use tmu_model::{CacheModel, LineError, Memory, MemoryImage, TextureUnit};
use tmu_spec::{Binding, Config, Format, Quad, Sampler, Texture};

fn main() {
    divan::main();
}

/// Base address of the texture.
const BASE: u32 = 0x10_0000;

/// Side of the drawn square in pixels.
const SIDE: i32 = 1024;

/// Memory full of noise that repeats only after 2^32 bytes.
fn noise(bytes: u32) -> Vec<u8> {
    (0..bytes).map(|at| (at.wrapping_mul(0x9e37_79b9) >> 24) as u8).collect()
}

/// A unit with a 1024² texture bound.
fn unit<M: Memory>(format: Format, sampler: Sampler, memory: impl Fn(Vec<u8>) -> M) -> TextureUnit<M> {
    let texture = Texture::new(format, 10, 10, 10).expect("1024² is legal");
    let mut unit = TextureUnit::new(memory(noise(texture.bytes())));
    let binding = Binding::new(BASE, texture, sampler).expect("the base is aligned");
    unit.bind(&binding).expect("the binding is legal");
    unit
}

/// Quads of a square in scan order: one pixel steps 1.3 texels right and 0.4 down, so that weights and levels
/// are in use.
fn quads() -> Vec<Quad> {
    let pixel = |x: i32, y: i32| [x * 83 + y * 26, y * 83 - x * 26];
    let quad = |x, y| Quad::new([pixel(x, y), pixel(x + 1, y), pixel(x, y + 1), pixel(x + 1, y + 1)], 15);
    (0..SIDE).step_by(2).flat_map(|y| (0..SIDE).step_by(2).map(move |x| quad(x, y))).collect()
}

fn sampler(bilinear: bool) -> Sampler {
    Sampler { bilinear, mipmapped: true, ..Sampler::default() }
}

/// Draws the square once.
fn bench<M: Memory + Sync>(bencher: Bencher<'_, '_>, unit: &TextureUnit<M>) {
    let quads = quads();
    bencher
        .counter(ItemsCount::new(4 * quads.len()))
        .bench(|| quads.iter().fold(0u32, |sum, quad| sum.wrapping_add(unit.sample(quad).tdata() as u32)));
}

#[divan::bench(args = Format::CLASSIC)]
fn bilinear_mipmapped(bencher: Bencher<'_, '_>, format: Format) {
    bench(bencher, &unit(format, sampler(true), |bytes| MemoryImage::new(BASE, bytes)));
}

#[divan::bench(args = Format::CLASSIC)]
fn nearest_mipmapped(bencher: Bencher<'_, '_>, format: Format) {
    bench(bencher, &unit(format, sampler(false), |bytes| MemoryImage::new(BASE, bytes)));
}

/// Memory that is read line by line, as a memory with faults or holes is.
struct Lines(MemoryImage<Vec<u8>>);

impl Memory for Lines {
    fn read_line(&self, line: u32) -> Result<[u8; 16], LineError> {
        self.0.read_line(line)
    }
}

#[divan::bench]
fn bilinear_line_by_line(bencher: Bencher<'_, '_>) {
    bench(bencher, &unit(Format::Rgba8, sampler(true), |bytes| Lines(MemoryImage::new(BASE, bytes))));
}

#[divan::bench]
fn bilinear_through_the_cache_model(bencher: Bencher<'_, '_>) {
    let unit = unit(Format::Rgba8, sampler(true), |bytes| MemoryImage::new(BASE, bytes));
    let quads = quads();
    let config = Config::from_toml("").expect("the defaults are legal");
    bencher.counter(ItemsCount::new(4 * quads.len())).bench(|| {
        let mut cache = CacheModel::new(config.cache());
        for quad in &quads {
            unit.lookups(quad, |line| {
                cache.lookup(line, line >> 4);
            });
        }
        cache.counts().misses
    });
}
