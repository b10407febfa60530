//! How many samples a clock units of the general numerics give, and how much they read: named walks over pictures and cubes.
//!
//! A walk draws 256 x 256 pixels quad by quad. Clocks are those of the units between the first and the last result; samples are valid
//! pixels; bytes are all that memory gave. Every result is compared with the golden model.

mod look_ups;
mod rate;

pub use rate::{Memory, Rate};

use super::sampling::General;
use super::traffic::Traffic;
use crate::engines::sampler::bench::{Bench, BenchOptions};
use crate::engines::sampler::contents::{SharedMemory, TextureMemory};
use crate::engines::sampler::sampling::Numerics as _;
use crate::engines::sampler::streams::request::{Packet, Request};
use crate::kit::domain::Domain;
use crate::kit::error::{Cause, Failure, Result};
use crate::kit::rtl::Rtl;
use look_ups::LookUpWalk;
use std::sync::Arc;
use tmu_model::general::probes::number_of_probes;
use tmu_model::general::unit::Unit;
use tmu_spec::general::indirect::Aggregate;
use tmu_spec::general::packet::{Extras, of_binding};
use tmu_spec::general::texture::Shape;
use tmu_spec::general::{
    Binding, CompareOp, Filter, Kind, MipFilter, Numbers, Operation, Pixel, Quad, Rule, Sampler, Swizzle,
    Texture,
};
use tmu_spec::{AddressMode, Config, Format, LINE_BYTES, Record};
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
    /// The same, gathered: four texels of each pixel, sixteen of a quad.
    GatherHits,
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
    /// A texel and a half a pixel on a slanted plane through a volume.
    Volume,
    /// Eight texels a pixel along one axis, one along the other, in eight parts of two levels each.
    Anisotropic,
    /// A texel a pixel of depths, compared.
    Shadow,
    /// A texel and a half a pixel, two levels weighted, of a texture that the cache holds.
    TrilinearHits,
    /// The same, turned by 30 degrees.
    TrilinearSlanted,
    /// A texel and a half a pixel of a volume that the cache holds, along its axes: two slices.
    VolumeHits,
    /// The same, on a slanted plane.
    VolumeSlanted,
    /// Eight texels a pixel along one axis, one along the other, turned by 30 degrees, of a texture that the cache holds.
    AnisotropicSlanted,
    /// All around in a cube that the cache holds, two levels weighted.
    CubeHits,
    /// As `hits`, of texels of 8 bytes.
    EightBytes,
    /// The same of texels of 16 bytes, which are floats: the nearest one.
    SixteenBytes,
    /// Indirect look-ups of one value, all in the cache, of texels beside each other.
    IndirectOne,
    /// The same of four values.
    IndirectFour,
    /// Four values, whose texels in the secondary texture lie anywhere.
    IndirectAnywhere,
    /// The mean of four values, of texels beside each other.
    IndirectAverage,
    /// The product of two.
    IndirectProduct,
}

impl Walk {
    /// Every walk.
    pub const ALL: [Walk; 26] = [
        Walk::Hits,
        Walk::GatherHits,
        Walk::Straight,
        Walk::Diagonal,
        Walk::Turned,
        Walk::Trilinear,
        Walk::Bc1,
        Walk::Bc3,
        Walk::Cube,
        Walk::OddSize,
        Walk::Volume,
        Walk::Anisotropic,
        Walk::Shadow,
        Walk::TrilinearHits,
        Walk::TrilinearSlanted,
        Walk::VolumeHits,
        Walk::VolumeSlanted,
        Walk::AnisotropicSlanted,
        Walk::CubeHits,
        Walk::EightBytes,
        Walk::SixteenBytes,
        Walk::IndirectOne,
        Walk::IndirectFour,
        Walk::IndirectAnywhere,
        Walk::IndirectAverage,
        Walk::IndirectProduct,
    ];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Walk::Hits => "hits",
            Walk::GatherHits => "gather-hits",
            Walk::Straight => "straight",
            Walk::Diagonal => "diagonal",
            Walk::Turned => "turned",
            Walk::Trilinear => "trilinear",
            Walk::Bc1 => "bc1",
            Walk::Bc3 => "bc3",
            Walk::Cube => "cube",
            Walk::OddSize => "odd-size",
            Walk::Volume => "volume",
            Walk::Anisotropic => "anisotropic",
            Walk::Shadow => "shadow",
            Walk::TrilinearHits => "trilinear-hits",
            Walk::TrilinearSlanted => "trilinear-slanted",
            Walk::VolumeHits => "volume-hits",
            Walk::VolumeSlanted => "volume-slanted",
            Walk::AnisotropicSlanted => "anisotropic-slanted",
            Walk::CubeHits => "cube-hits",
            Walk::EightBytes => "eight-bytes",
            Walk::SixteenBytes => "sixteen-bytes",
            Walk::IndirectOne => "indirect-one",
            Walk::IndirectFour => "indirect-four",
            Walk::IndirectAnywhere => "indirect-anywhere",
            Walk::IndirectAverage => "indirect-average",
            Walk::IndirectProduct => "indirect-product",
        }
    }

    /// The walk with a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Walk> {
        Self::ALL.into_iter().find(|walk| walk.name() == name)
    }

    /// Whether a configuration builds what it needs.
    #[must_use]
    pub fn is_built(self, config: &Config) -> bool {
        if let Some(walk) = self.look_ups() {
            return walk.is_built(config);
        }
        let binding = self.binding();
        let features = config.features();
        features.general().is_some_and(|general| {
            general.has_operation(self.operation())
                && Rule::broken(&binding.texture, &binding.sampler, features, general).is_empty()
        })
    }

    /// In words.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Walk::Hits => "bilinear, in the cache",
            Walk::GatherHits => "gathered, four texels a sample, in the cache",
            Walk::Straight => "bilinear, a texel a pixel",
            Walk::Diagonal => "bilinear, turned by 45°",
            Walk::Turned => "bilinear, turned by 90°",
            Walk::Trilinear => "trilinear, 1.5 texels a pixel",
            Walk::Bc1 => "BC1, bilinear, a texel a pixel",
            Walk::Bc3 => "BC3, bilinear, a texel a pixel",
            Walk::Cube => "cube, trilinear",
            Walk::OddSize => "bilinear, 250 x 250 texels, repeated",
            Walk::Volume => "volume, two slices, 1.5 texels a pixel",
            Walk::Anisotropic => "8 x 1 texels a pixel, 8 parts of two levels",
            Walk::Shadow => "depths compared, a texel a pixel",
            Walk::TrilinearHits => "trilinear, 1.5 texels a pixel, in the cache",
            Walk::TrilinearSlanted => "the same, turned by 30°",
            Walk::VolumeHits => "volume, two slices, 1.5 texels a pixel, in the cache",
            Walk::VolumeSlanted => "the same, on a slanted plane",
            Walk::AnisotropicSlanted => "8 x 1 texels a pixel, turned by 30°, in the cache",
            Walk::CubeHits => "cube, trilinear, in the cache",
            Walk::EightBytes => "texels of 8 bytes, bilinear, in the cache",
            Walk::SixteenBytes => "texels of 16 bytes, nearest, in the cache",
            Walk::IndirectOne => "indirect look-ups of one value, in the cache",
            Walk::IndirectFour => "the same of four values",
            Walk::IndirectAnywhere => "the same, texels anywhere in 64 x 32",
            Walk::IndirectAverage => "the mean of four values",
            Walk::IndirectProduct => "the product of two values",
        }
    }

    /// What it is, if it is one of indirect look-ups.
    const fn look_ups(self) -> Option<LookUpWalk> {
        let (operation, values, is_near) = match self {
            Walk::IndirectOne => (Aggregate::None, 1, true),
            Walk::IndirectFour => (Aggregate::None, 4, true),
            Walk::IndirectAnywhere => (Aggregate::None, 4, false),
            Walk::IndirectAverage => (Aggregate::Average, 4, true),
            Walk::IndirectProduct => (Aggregate::Product, 2, true),
            _ => return None,
        };
        Some(LookUpWalk { operation, values, is_near })
    }

    /// What each quad asks for.
    const fn operation(self) -> Operation {
        match self {
            Walk::GatherHits => Operation::Gather(0),
            _ => Operation::Sample,
        }
    }

    fn texture(self) -> Texture {
        let (kind, side, format) = match self {
            Walk::Hits | Walk::GatherHits => (Kind::D2, 16, Format::Rgba8),
            Walk::EightBytes => (Kind::D2, 16, Format::Rgba16),
            Walk::SixteenBytes => (Kind::D2, 16, Format::Rgba32f),
            Walk::Bc1 => (Kind::D2, 256, Format::Bc1),
            Walk::Bc3 => (Kind::D2, 256, Format::Bc3),
            Walk::Cube => (Kind::Cube, 128, Format::Rgba8),
            Walk::OddSize => (Kind::D2, 250, Format::Rgba8),
            Walk::Volume => (Kind::D3, 64, Format::Rgba8),
            Walk::VolumeHits | Walk::VolumeSlanted => (Kind::D3, 16, Format::Rgba8),
            Walk::TrilinearHits | Walk::TrilinearSlanted | Walk::AnisotropicSlanted => {
                (Kind::D2, 32, Format::Rgba8)
            }
            Walk::CubeHits => (Kind::Cube, 32, Format::Rgba8),
            Walk::Shadow => (Kind::D2, 256, Format::D16),
            _ => (Kind::D2, 256, Format::Rgba8),
        };
        let depth = if kind == Kind::D3 { side } else { 1 };
        let mut shape = Shape { kind, width: side, height: side, depth, levels: 1, format };
        shape.levels = shape.most_levels();
        Texture::packed(shape, Swizzle::NONE, false).expect("it is legal")
    }

    fn binding(self) -> Binding {
        let is_anisotropic = matches!(self, Walk::Anisotropic | Walk::AnisotropicSlanted);
        let is_trilinear = is_anisotropic
            || matches!(
                self,
                Walk::Trilinear | Walk::Cube | Walk::TrilinearHits | Walk::TrilinearSlanted | Walk::CubeHits
            );
        let filter = if self == Walk::SixteenBytes { Filter::Nearest } else { Filter::Linear };
        let sampler = Sampler {
            min: filter,
            mag: filter,
            mip: if is_trilinear { MipFilter::Linear } else { MipFilter::None },
            address: [AddressMode::Wrap; 3],
            max_anisotropy: if is_anisotropic { 8 } else { 1 },
            compare: (self == Walk::Shadow).then_some(CompareOp::Lequal),
            ..Sampler::default()
        };
        Binding { base: 0x10_0000, texture: self.texture(), sampler, drop_cache: true }
    }

    /// The numbers of a pixel, in the form of a unit's requests.
    fn pixel(self, x: f64, y: f64, extras: Extras) -> Pixel {
        let side = f64::from(self.texture().shape().width);
        let of = |value: f64| match extras.numbers {
            Numbers::S16p16 => (value * ONE).round() as i64 as u32,
            Numbers::Fp32 => (value as f32).to_bits(),
        };
        let [q, d] = [
            if extras.divisor { extras.numbers.one() } else { 0 },
            if self == Walk::Shadow { 0.5f32.to_bits() } else { 0 },
        ];
        let flat = |x: f64, y: f64| Pixel { u: of((x + 0.3) / side), v: of((y + 0.3) / side), w: 0, q, d };
        let slope = std::f64::consts::FRAC_1_SQRT_2;
        let (sine, cosine) = std::f64::consts::FRAC_PI_6.sin_cos();
        let slanted = |x: f64, y: f64| [x * cosine - y * sine, x * sine + y * cosine];
        match self {
            Walk::Diagonal => flat((x - y) * slope, (x + y) * slope),
            Walk::Turned => flat(y, x),
            Walk::Trilinear | Walk::TrilinearHits => flat(x * 1.5, y * 1.5),
            Walk::TrilinearSlanted => {
                let [x, y] = slanted(x * 1.5, y * 1.5);
                flat(x, y)
            }
            Walk::Anisotropic => flat(x, y * 8.0),
            Walk::AnisotropicSlanted => {
                let [x, y] = slanted(x, y * 8.0);
                flat(x, y)
            }
            Walk::VolumeHits => Pixel { w: of(5.3 / side), ..flat(x * 1.5, y * 1.5) },
            Walk::VolumeSlanted => Pixel { w: of((x + y) * 0.5 / side), ..flat(x * 1.5, y * 1.5) },
            Walk::Volume => Pixel { w: of((x + y) * 0.5 / side), ..flat(x * 1.5, y * 1.5) },
            Walk::Cube | Walk::CubeHits => {
                // The small cube three times around, so that a pixel is 1.5 texels there too.
                let rounds = if self == Walk::CubeHits { 3.0 } else { 1.0 };
                let [across, down] = [x, y].map(|of| of / f64::from(SIDE) * rounds);
                let (across, down) = (across * std::f64::consts::TAU, (down.fract() - 0.5) * 3.0);
                Pixel { u: of(across.cos()), v: of(down), w: of(across.sin()), q, d }
            }
            _ => flat(x, y),
        }
    }

    /// The quads of the walk: row by row of quads.
    fn quads(self, extras: Extras) -> Vec<Quad> {
        let quad = |x: u32, y: u32| {
            let pixel =
                |number: u32| self.pixel(f64::from(x + number % 2), f64::from(y + number / 2), extras);
            Quad { pixels: [0, 1, 2, 3].map(pixel), valid: 0xf, lod: 0, operation: self.operation() }
        };
        let rows = (0..SIDE).step_by(2);
        rows.flat_map(|y| (0..SIDE).step_by(2).map(move |x| (x, y))).map(|(x, y)| quad(x, y)).collect()
    }
}

/// Times a walk over memory.
///
/// # Errors
/// A result that is not the golden model's; whatever else ends a simulation.
///
/// # Panics
/// If the configuration is none of the general numerics, or does not build what the walk needs.
pub fn measure(model: &Model, rtl: &Rtl, walk: Walk, memory: Memory) -> Result<Rate> {
    if let Some(walk) = walk.look_ups() {
        return walk.measure(model, rtl, memory);
    }
    let config = &rtl.config;
    let traffic = Traffic::new(config).expect("the configuration is one of the general numerics");
    let numerics = General::of(config);
    let contents = Arc::new(TextureMemory::noise(7));
    let mut options = BenchOptions::collecting(config, memory.latency_clocks);
    options.memory_timing.bytes_per_clock = memory.bytes_per_clock;
    options.memory_timing.pauses = memory.pauses;
    let mut bench = Bench::new(model, rtl, options, Arc::clone(&contents)).map_err(Failure::at_start)?;
    let (binding, quads) = (walk.binding(), walk.quads(traffic.extras()));
    let mut golden = Unit::new(SharedMemory(contents), *config.features());
    golden.bind(&binding.texture, binding.base, &binding.sampler).expect("the unit builds it");
    let mut run = || {
        bench.start()?;
        let words = of_binding(&binding.words());
        bench.send(0, Packet { beats: words, request: Request::Bind(Record::default()) });
        let (mut sent, mut answered, mut first) = (0, 0, None);
        while answered < quads.len() {
            while sent < quads.len() && bench.queued_beats(0) < QUEUE_BEATS {
                let beats = traffic.beats(&quads[sent]);
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
        let bound = golden.bound().expect("it is bound");
        let probes: u32 = quads[first_quads..].iter().map(|quad| number_of_probes(bound, quad)).sum();
        Ok(Rate {
            samples_per_clock: samples as f64 / clocks as f64,
            probes_per_clock: f64::from(probes) / clocks as f64,
            bytes_per_sample: bytes as f64 / (4 * answered) as f64,
        })
    };
    run()
}

/// Beats that are kept queued.
const QUEUE_BEATS: usize = 64;
/// Clocks between two looks at the queues.
const STEP_CLOCKS: u64 = 16;
