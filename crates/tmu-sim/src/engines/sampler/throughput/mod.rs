//! How fast a texture unit is: named patterns of quads through the hardware, with memory of a given latency.
//!
//! | module | holds |
//! | --- | --- |
//! | [`pattern`] | the named patterns, as quads of one binding each |
//! | [`measure`](mod@measure) | a run of one of them on the hardware, every result compared with the golden model |
//! | [`estimate`](mod@estimate) | what the cycle-free cache model says about one |
//! | [`cost`] | what a configuration occupies |
//!
//! # What is measured
//!
//! - A *sample* is a valid pixel. All patterns filter bilinearly where that is built, from taps that all have weight.
//! - *Samples per clock*: samples of all units per clock of `tmu_aclk`, from the first result of each unit (behind
//!   the warm-up of a pattern that has one) to the last result of the unit that ends first.
//! - Memory gives 16 bytes a clock of `tmu_aclk` to all units together and takes an address every clock. Latency is
//!   counted from the edge that takes an address to the edge at which its first data can be taken; one clock is
//!   the least that there is, and 0 stands for it.
//! - The streams run on a clock twice as fast as the units and never pause, so they are never the limit.
//! - *Bytes per sample*: all bytes read in the run, colour table and warm-up included, over all its samples.
//! - *Bytes per byte touched*: the same bytes over those of the lines that the pattern needs at least once, the
//!   least that any cache has to read. At 1:1 the lines touched are level 0 of the texture.
//! - The *bound* is the smaller of the [issue rate](Workload::issue_rate) and 16 bytes a clock over the bytes per sample.
//! - *Hit rate*: the part of all look-ups of lines that read no memory, from the counters of the control port.

pub mod cost;
pub mod estimate;
pub mod measure;
pub mod pattern;
mod timeline;

use crate::engines::sampler::contents::{SharedMemory, TextureMemory};
use std::collections::HashSet;
use std::sync::Arc;
use tmu_model::TextureUnit;
use tmu_spec::config::CacheKind;
use tmu_spec::{Binding, Config, Features, LINE_BYTES, Quad, Sampler, Texture};

pub use cost::Cost;
pub use estimate::{Estimate, estimate};
pub use measure::{Conditions, LookupCounts, Measurement, measure};
pub use pattern::Pattern;

/// Where the textures of workloads stand in the window.
pub(crate) const BASE: u32 = 0x10_0000;

/// Bytes that memory gives in a clock.
pub const MEMORY_BYTES_PER_CLOCK: u32 = LINE_BYTES;

/// Quads of one binding, to be timed.
#[derive(Debug, Clone)]
pub struct Workload {
    /// Its name in reports.
    pub name: String,
    /// What is sampled and how.
    pub binding: Binding,
    /// What memory holds.
    pub memory: Arc<TextureMemory>,
    /// The quads. Each unit gets a stretch of them, all of nearly the same length.
    pub quads: Arc<[Quad]>,
    /// Quads of each unit that are not timed.
    pub warm_up_quads: usize,
}

impl Workload {
    /// Quads of a texture at [`BASE`], all of them timed.
    pub(crate) fn new(
        name: String,
        texture: Texture,
        sampler: Sampler,
        memory: Arc<TextureMemory>,
        quads: Vec<Quad>,
    ) -> Self {
        let Ok(binding) = Binding::new(BASE, texture, sampler) else { unreachable!("the base is aligned") };
        Self { name, binding, memory, quads: quads.into(), warm_up_quads: 0 }
    }

    /// The stretch of quads that each unit gets.
    pub fn stretches(&self, units: usize) -> impl Iterator<Item = &[Quad]> {
        let stretch = self.quads.len().div_ceil(units.max(1)).max(1);
        let empty: &[Quad] = &[];
        self.quads.chunks(stretch).chain(std::iter::repeat(empty)).take(units)
    }

    /// Samples per clock that a configuration could give on these quads if memory were no limit and every line were the
    /// one before: a bilinear sample takes the blocking cache four clocks, and the prefetching cache takes an item a clock
    /// (see [`tmu_model::cache::prefetch::quad_scheduler`]). Quads that are not timed do not count.
    #[must_use]
    pub fn issue_rate(&self, config: &Config) -> f64 {
        if config.cache().kind() == CacheKind::Blocking {
            return issue_rate(config);
        }
        let mut unit = self.unit(config);
        let bound = unit.bind(&self.binding).is_ok();
        let units = config.units() as usize;
        let untimed = self.warm_up_quads + 1;
        let timed = self.stretches(units).filter(|_| bound).flat_map(|quads| quads.iter().skip(untimed));
        let (mut items, mut pixels) = (0u64, 0);
        for quad in timed {
            unit.items(quad, config.datapath().takes_quads(), |_| items += 1);
            pixels += samples(quad);
        }
        if items == 0 { issue_rate(config) } else { f64::from(config.units()) * pixels as f64 / items as f64 }
    }

    /// The golden model of a configuration's unit over the memory, with nothing bound.
    fn unit(&self, config: &Config) -> TextureUnit<SharedMemory> {
        TextureUnit::with_features(SharedMemory(Arc::clone(&self.memory)), *config.features())
            .dropping_weightless_taps(config.cache().kind() == CacheKind::Prefetch)
    }

    /// Valid pixels of all quads.
    #[must_use]
    pub fn samples(&self) -> u64 {
        self.quads.iter().map(samples).sum()
    }

    /// Bytes of the lines that the quads and the colour table need at least once.
    #[must_use]
    pub fn touched_bytes(&self, config: &Config) -> u64 {
        let mut unit = self.unit(config).dropping_weightless_taps(false);
        let mut lines = HashSet::new();
        if unit.bind(&self.binding).is_ok() {
            for quad in self.quads.iter() {
                unit.lookups(quad, |line| {
                    lines.insert(line);
                });
            }
        }
        let table = self.binding.texture().format().color_table_bytes();
        lines.len() as u64 * u64::from(LINE_BYTES) + u64::from(table)
    }
}

/// The filter that is asked for, as far as it is built, repeating where that is built.
pub(crate) fn sampler(features: &Features, bilinear: bool, mipmapped: bool) -> Sampler {
    let mode = features.address_modes().next().unwrap_or_default();
    Sampler {
        bilinear: bilinear && features.bilinear(),
        mipmapped: mipmapped && features.mipmaps(),
        address_u: mode,
        address_v: mode,
    }
}

/// Valid pixels of a quad.
fn samples(quad: &Quad) -> u64 {
    u64::from(quad.valid().count_ones())
}

/// Samples per clock that a configuration could give at best: the blocking cache takes one tap a clock, the prefetching
/// cache whole pixels, or whole quads that are a single item.
#[must_use]
pub fn issue_rate(config: &Config) -> f64 {
    let of_a_unit = match config.cache().kind() {
        CacheKind::Blocking if config.features().bilinear() => 0.25,
        CacheKind::Blocking => 1.0,
        CacheKind::Prefetch => f64::from(config.datapath().pixels_per_clock()),
    };
    of_a_unit * f64::from(config.units())
}
