//! Texels a clock of whole textures, against what memory allows.
//!
//! Memory gives a line and takes a line in a clock, so a job takes at least as many clocks as it reads lines and as it writes lines.

use super::jobs::of_shape;
use super::{Done, Loader};
use crate::engines::loader::jobs::BASE;
use crate::kit::error::{Cause, Result};
use crate::kit::memory::{Bytes, MemoryTiming};
use crate::kit::pauses::Pauses;
use crate::kit::system::SystemOptions;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use tmu_spec::general::Kind;
use tmu_spec::general::texture::Shape;
use tmu_spec::{Config, Format};
use tmu_verilate::Model;

/// A texture whose rate is measured.
#[derive(Debug, Clone, Copy)]
pub struct TextureKind {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// Texels of level 0 a clock that it reaches at least, at a latency of 60 clocks and less.
    pub least: f64,
    kind: Kind,
    size: [u32; 3],
    has_levels: bool,
    format: Format,
    is_srgb: bool,
}

const fn texture(name: &'static str, about: &'static str, least: f64, format: Format) -> TextureKind {
    let size = [512, 512, 1];
    TextureKind { name, about, least, kind: Kind::D2, size, has_levels: true, format, is_srgb: false }
}

/// The textures.
pub const TEXTURES: [TextureKind; 8] = [
    TextureKind {
        has_levels: false,
        ..texture("copy", "rgba8 512 x 512, level 0 alone", 3.0, Format::Rgba8)
    },
    texture("rgba8", "rgba8 512 x 512, all levels", 1.0, Format::Rgba8),
    TextureKind { is_srgb: true, ..texture("srgb", "the same, averaged as light", 1.0, Format::Rgba8) },
    texture("r8", "r8 512 x 512, all levels", 1.0, Format::R8),
    texture("rgb8", "rgb8 512 x 512, all levels", 1.0, Format::Rgb8),
    texture("rgba16", "rgba16 512 x 512, all levels", 0.75, Format::Rgba16),
    TextureKind { size: [511, 511, 1], ..texture("odd", "rgba8 511 x 511, all levels", 0.4, Format::Rgba8) },
    TextureKind {
        kind: Kind::D3,
        size: [64, 64, 64],
        ..texture("volume", "rgba8 64 x 64 x 64, all levels", 1.0, Format::Rgba8)
    },
];

/// What a texture takes.
#[derive(Debug, Clone, Copy)]
pub struct TextureRate {
    /// Texels of level 0 in a clock.
    pub texels_per_clock: f64,
    /// As many as memory allows.
    pub bound: f64,
    /// How the job has ended.
    pub done: Done,
    texels: f64,
}

impl TextureRate {
    /// Bytes read, and bytes written, for each texel of level 0.
    #[must_use]
    pub fn bytes_per_texel(&self) -> [f64; 2] {
        [self.done.lines_read, self.done.lines_written].map(|lines| 16.0 * lines as f64 / self.texels)
    }
}

/// Measures a texture.
///
/// # Errors
/// As of [`Loader::run`], and if the job does not end well.
pub fn measure(
    model: &Model,
    config: &Config,
    texture: &TextureKind,
    latency_clocks: u32,
    pauses: Pauses,
) -> Result<TextureRate> {
    let [width, height, depth] = texture.size;
    let shape = Shape { kind: texture.kind, width, height, depth, levels: 1, format: texture.format };
    let levels = if texture.has_levels { shape.most_levels() } else { 1 };
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let (job, memory) = of_shape(&mut random, Shape { levels, ..shape }, texture.is_srgb);
    let options = SystemOptions {
        memory_timing: MemoryTiming { pauses, ..MemoryTiming::latency(latency_clocks) },
        ..SystemOptions::new(config, latency_clocks)
    };
    let mut loader = Loader::new(model, config, &options, Bytes::new(BASE.into(), memory))?;
    let done = loader.run(&job.settings())?;
    if done.code != 0 {
        let what = format!("{} ends with code {}", texture.name, done.code);
        return Err(loader.system().failure(Cause::Check(what)));
    }
    let texels = f64::from(width * height * depth);
    let least = done.lines_read.max(done.lines_written) as f64;
    Ok(TextureRate { texels_per_clock: texels / done.clocks as f64, bound: texels / least, done, texels })
}
