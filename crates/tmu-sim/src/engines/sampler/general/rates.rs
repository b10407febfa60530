//! How many samples a clock units of the general numerics give, and how much they read: named walks over pictures and cubes.
//!
//! A walk draws 256 x 256 pixels quad by quad. Clocks are those of the units between the first and the last result; samples are valid
//! pixels; bytes are all that memory gave. Every result is compared with the golden model.

use super::sampling::General;
use super::traffic::Traffic;
use crate::engines::sampler::bench::{Bench, BenchOptions};
use crate::engines::sampler::contents::{SharedMemory, TextureMemory};
use crate::engines::sampler::sampling::Numerics as _;
use crate::engines::sampler::streams::request::{Packet, Request};
use crate::kit::domain::Domain;
use crate::kit::error::{Cause, Failure, Result};
use crate::kit::rtl::Rtl;
use std::fmt;
use std::sync::Arc;
use tmu_model::general::unit::Unit;
use tmu_spec::general::packet::{of_binding, of_quad};
use tmu_spec::general::texture::Shape;
use tmu_spec::general::{
    Binding, Filter, Kind, MipFilter, Operation, Pixel, Quad, Sampler, Swizzle, Texture,
};
use tmu_spec::{AddressMode, Format, LINE_BYTES, Record};
use tmu_verilate::Model;

/// Pixels along a side of what is drawn.
const SIDE: u32 = 256;
/// A coordinate of 1.
const ONE: f64 = 65536.0;

/// A walk over a texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Walk {
    /// A texture of 16 x 16 texels, repeated: all of it is in the cache.
    Hits,
    /// A texel a pixel, row by row.
    Straight,
    /// The same, turned by 45 degrees.
    Diagonal,
    /// The same, turned by 90 degrees.
    Turned,
    /// A texel and a half a pixel, two levels weighted.
    Trilinear,
    /// A texel a pixel, of BC1.
    Bc1,
    /// A texel a pixel, of BC3.
    Bc3,
    /// All around in a cube, two levels weighted.
    Cube,
    /// A texel a pixel of a texture of 250 x 250 texels, repeated.
    OddSize,
}

impl Walk {
    /// Every walk.
    pub const ALL: [Walk; 9] = [
        Walk::Hits,
        Walk::Straight,
        Walk::Diagonal,
        Walk::Turned,
        Walk::Trilinear,
        Walk::Bc1,
        Walk::Bc3,
        Walk::Cube,
        Walk::OddSize,
    ];

    /// In words.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Walk::Hits => "bilinear, in the cache",
            Walk::Straight => "bilinear, a texel a pixel",
            Walk::Diagonal => "bilinear, turned by 45°",
            Walk::Turned => "bilinear, turned by 90°",
            Walk::Trilinear => "trilinear, 1.5 texels a pixel",
            Walk::Bc1 => "BC1, bilinear, a texel a pixel",
            Walk::Bc3 => "BC3, bilinear, a texel a pixel",
            Walk::Cube => "cube, trilinear",
            Walk::OddSize => "bilinear, 250 x 250 texels, repeated",
        }
    }

    fn texture(self) -> Texture {
        let (kind, side, format) = match self {
            Walk::Hits => (Kind::D2, 16, Format::Rgba8),
            Walk::Bc1 => (Kind::D2, 256, Format::Bc1),
            Walk::Bc3 => (Kind::D2, 256, Format::Bc3),
            Walk::Cube => (Kind::Cube, 128, Format::Rgba8),
            Walk::OddSize => (Kind::D2, 250, Format::Rgba8),
            _ => (Kind::D2, 256, Format::Rgba8),
        };
        let mut shape = Shape { kind, width: side, height: side, depth: 1, levels: 1, format };
        shape.levels = shape.most_levels();
        Texture::packed(shape, Swizzle::NONE, false).expect("it is legal")
    }

    fn binding(self) -> Binding {
        let is_trilinear = matches!(self, Walk::Trilinear | Walk::Cube);
        let sampler = Sampler {
            min: Filter::Linear,
            mag: Filter::Linear,
            mip: if is_trilinear { MipFilter::Linear } else { MipFilter::None },
            address: [AddressMode::Wrap; 3],
            ..Sampler::default()
        };
        Binding { base: 0x10_0000, texture: self.texture(), sampler, drop_cache: true }
    }

    /// The numbers of a pixel.
    fn pixel(self, x: f64, y: f64) -> Pixel {
        let side = f64::from(self.texture().shape().width);
        let of = |value: f64| (value * ONE).round() as i64 as u32;
        let flat =
            |x: f64, y: f64| Pixel { u: of((x + 0.3) / side), v: of((y + 0.3) / side), ..Pixel::default() };
        let slope = std::f64::consts::FRAC_1_SQRT_2;
        match self {
            Walk::Diagonal => flat((x - y) * slope, (x + y) * slope),
            Walk::Turned => flat(y, x),
            Walk::Trilinear => flat(x * 1.5, y * 1.5),
            Walk::Cube => {
                let (across, down) =
                    (x / f64::from(SIDE) * std::f64::consts::TAU, (y / f64::from(SIDE) - 0.5) * 3.0);
                Pixel { u: of(across.cos()), v: of(down), w: of(across.sin()), q: 0, d: 0 }
            }
            _ => flat(x, y),
        }
    }

    /// The quads of the walk: row by row of quads.
    #[must_use]
    pub fn quads(self) -> Vec<Quad> {
        let quad = |x: u32, y: u32| {
            let pixel = |number: u32| self.pixel(f64::from(x + number % 2), f64::from(y + number / 2));
            Quad { pixels: [0, 1, 2, 3].map(pixel), valid: 0xf, lod: 0, operation: Operation::Sample }
        };
        let rows = (0..SIDE).step_by(2);
        rows.flat_map(|y| (0..SIDE).step_by(2).map(move |x| (x, y))).map(|(x, y)| quad(x, y)).collect()
    }
}

/// What a walk has shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    /// Valid pixels a clock of the unit.
    pub samples_per_clock: f64,
    /// Bytes read a valid pixel.
    pub bytes_per_sample: f64,
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:.3} samples a clock, {:.2} bytes a sample",
            self.samples_per_clock, self.bytes_per_sample
        )
    }
}

/// Times a walk over memory of a latency that gives so many bytes a clock.
///
/// # Errors
/// A result that is not the golden model's; whatever else ends a simulation.
///
/// # Panics
/// If the configuration is none of the general numerics, or does not build what the walk needs.
pub fn measure(
    model: &Model,
    rtl: &Rtl,
    walk: Walk,
    latency_clocks: u32,
    bytes_per_clock: u32,
) -> Result<Rate> {
    let config = &rtl.config;
    let extras = Traffic::new(config).expect("the configuration is one of the general numerics").extras();
    let numerics = General::of(config);
    let contents = Arc::new(TextureMemory::noise(7));
    let mut options =
        BenchOptions { checked: false, collected: true, ..BenchOptions::new(config, latency_clocks) };
    options.memory_timing.bytes_per_clock = bytes_per_clock;
    let mut bench = Bench::new(model, rtl, options, Arc::clone(&contents)).map_err(Failure::at_start)?;
    let (binding, quads) = (walk.binding(), walk.quads());
    let mut golden = Unit::new(SharedMemory(contents), *config.features());
    golden.bind(&binding.texture, binding.base, &binding.sampler).expect("the unit builds it");
    let mut run = || {
        bench.start()?;
        let words = of_binding(&binding.words());
        bench.send(0, Packet { beats: words, request: Request::Bind(Record::default()) });
        let (mut sent, mut answered, mut first) = (0, 0, None);
        while answered < quads.len() {
            while sent < quads.len() && bench.queued_beats(0) < QUEUE_BEATS {
                let beats = of_quad(&quads[sent], extras);
                bench.send(0, Packet { beats, request: Request::Sample(tmu_spec::Quad::default()) });
                sent += 1;
            }
            bench.run_clocks(STEP_CLOCKS)?;
            for beat in bench.take_results(0) {
                if numerics.result(beat) != golden.sample(&quads[answered]) {
                    let said = format!("quad {answered} of {walk:?} is not that of the golden model");
                    return Err(bench.failure(Cause::Check(said)));
                }
                answered += 1;
                first.get_or_insert((bench.clocks(Domain::Tmu), answered));
            }
        }
        let (first_clock, first_quads) = first.unwrap_or_default();
        let clocks = bench.clocks(Domain::Tmu) - first_clock;
        let samples = 4 * (answered - first_quads);
        let bytes = bench.memory_beats(0) * u64::from(LINE_BYTES);
        Ok(Rate {
            samples_per_clock: samples as f64 / clocks as f64,
            bytes_per_sample: bytes as f64 / (4 * answered) as f64,
        })
    };
    run()
}

/// Beats that are kept queued.
const QUEUE_BEATS: usize = 64;
/// Clocks between two looks at the queues.
const STEP_CLOCKS: u64 = 16;
