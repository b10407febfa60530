//! What a frame cost, as numbers that serialise to JSON.

use serde::Serialize;

use crate::numerics::Numerics;
use crate::scene::{ImageSize, Scene};

/// What was asked of the texture unit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct RequestCounts {
    /// Quads with at least one valid pixel.
    pub quads: u64,
    /// Valid pixels of those quads.
    pub samples: u64,
    /// Quads that came back with the error bit.
    pub errors: u64,
}

impl RequestCounts {
    /// Adds a quad with these valid bits.
    pub(crate) fn add(&mut self, valid: u8) {
        self.quads += 1;
        self.samples += u64::from(valid.count_ones());
    }
}

/// What the cache did. Every line that a quad needs is one lookup, which repeats the line before it, hits or misses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct CacheCounts {
    /// Different lines that were needed at least once.
    pub lines_touched: u64,
    /// Lines looked up.
    pub lookups: u64,
    /// Lookups of the line that was looked up just before.
    pub repeats: u64,
    /// Other lookups that found their line.
    pub hits: u64,
    /// Lookups that had to fetch their line from memory.
    pub misses: u64,
}

impl CacheCounts {
    /// The part of all lookups that needed no memory; 1 where there were none.
    pub fn hit_rate(&self) -> f64 {
        if self.lookups == 0 { 1.0 } else { (self.lookups - self.misses) as f64 / self.lookups as f64 }
    }
}

impl std::ops::AddAssign for RequestCounts {
    fn add_assign(&mut self, other: Self) {
        self.quads += other.quads;
        self.samples += other.samples;
        self.errors += other.errors;
    }
}

impl std::ops::AddAssign for CacheCounts {
    fn add_assign(&mut self, other: Self) {
        self.lines_touched += other.lines_touched;
        self.lookups += other.lookups;
        self.repeats += other.repeats;
        self.hits += other.hits;
        self.misses += other.misses;
    }
}

/// What an engine counted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EngineStatistics {
    /// By binding, in the order of [`crate::Batch::bindings`]; empty where the engine does not count it so.
    pub cache: Vec<CacheCounts>,
    /// Clocks of the texture unit, where the engine has a clock.
    pub clocks: Option<u64>,
}

/// The costs of one texture, over all its bindings.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TextureStatistics {
    /// Its name in the scene.
    pub name: String,
    /// What was asked of it.
    #[serde(flatten)]
    pub requests: RequestCounts,
    /// What the cache did for it, where the engine counts that by binding.
    #[serde(flatten)]
    pub cache: Option<CacheStatistics>,
}

/// [`CacheCounts`] with the rate that follows from them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CacheStatistics {
    /// The counts.
    #[serde(flatten)]
    pub counts: CacheCounts,
    /// See [`CacheCounts::hit_rate`].
    pub hit_rate: f64,
}

impl From<CacheCounts> for CacheStatistics {
    fn from(counts: CacheCounts) -> Self {
        Self { counts, hit_rate: counts.hit_rate() }
    }
}

/// The costs of a frame.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Statistics {
    /// Width of the picture in pixels.
    pub width: u32,
    /// Height of the picture in pixels.
    pub height: u32,
    /// Triangles of which something could be seen.
    pub triangles: u64,
    /// What was asked of the texture unit.
    #[serde(flatten)]
    pub requests: RequestCounts,
    /// What the cache did, where the engine counts that.
    #[serde(flatten)]
    pub cache: Option<CacheStatistics>,
    /// Clocks of the texture unit, where the engine has a clock.
    pub clocks: Option<u64>,
    /// By texture, in the order of the scene file.
    pub textures: Vec<TextureStatistics>,
}

impl Statistics {
    /// Puts together what was counted by binding.
    pub(crate) fn new<N: Numerics>(
        scene: &Scene<N>,
        size: ImageSize,
        triangles: usize,
        requests: &[RequestCounts],
        engine: &EngineStatistics,
    ) -> Self {
        let cache_of = |bindings: &mut dyn Iterator<Item = usize>| {
            if engine.cache.is_empty() {
                None
            } else {
                Some(sum(bindings.map(|index| engine.cache[index])).into())
            }
        };
        let textures = scene.texture_names().iter().enumerate().map(|(texture, name)| {
            let bindings = || (0..requests.len()).filter(|&binding| scene.texture_of(binding) == texture);
            TextureStatistics {
                name: name.clone(),
                requests: sum(bindings().map(|binding| requests[binding])),
                cache: cache_of(&mut bindings()),
            }
        });
        Self {
            width: size.width(),
            height: size.height(),
            triangles: triangles as u64,
            requests: sum(requests.iter().copied()),
            cache: cache_of(&mut (0..requests.len())),
            clocks: engine.clocks,
            textures: textures.collect(),
        }
    }
}

fn sum<T: Default + std::ops::AddAssign>(counts: impl Iterator<Item = T>) -> T {
    counts.fold(T::default(), |mut sum, count| {
        sum += count;
        sum
    })
}
