//! The golden model as an engine of the classic numerics.
//!
//! Quads are sampled on all threads, each on its own; the cache is followed on one, in the order of the stream, as
//! one unit with one cache would see it. So neither picture nor counts depend on the number of threads.

use rayon::prelude::*;
use tmu_model::{MemoryImage, TextureUnit, UnitCache};
use tmu_spec::config::CacheKind;
use tmu_spec::{Binding, Config, LINE_BYTES, Quad, QuadResult};

use crate::engine::{Batch, Engine, EngineError};
use crate::statistics::{CacheCounts, EngineStatistics};

/// Quads that a thread takes at a time.
const QUADS_PER_JOB: usize = 512;

/// Samples by the golden model, and counts what a cache would do.
///
/// Its memory is that of the scene; beside it an engine keeps 5 bytes for each line of the cache and the numbers of
/// the lines that were touched.
#[derive(Debug)]
pub struct GoldenEngine<'m> {
    memory: &'m [u8],
    config: Config,
    /// By binding of the scene.
    units: Vec<Bound<'m>>,
    cache: UnitCache,
    counts: Vec<CacheCounts>,
    /// Look-ups by line of the memory; empty unless they are counted.
    line_counts: Vec<u32>,
}

/// A unit that keeps one binding.
#[derive(Debug)]
struct Bound<'m> {
    binding: Binding,
    unit: TextureUnit<MemoryImage<&'m [u8]>>,
}

impl<'m> GoldenEngine<'m> {
    /// An engine over a scene's memory, with the features and the cache, empty, of a configuration.
    pub fn new(memory: &'m [u8], config: &Config) -> Self {
        Self {
            memory,
            config: config.clone(),
            units: Vec::new(),
            cache: UnitCache::new(config),
            counts: Vec::new(),
            line_counts: Vec::new(),
        }
    }

    /// The same engine, which also counts how often each line of the memory is looked up. It takes 4 bytes for each.
    #[must_use]
    pub fn counting_lines(mut self) -> Self {
        let lines = self.memory.len().div_ceil(LINE_BYTES as usize);
        self.line_counts.resize(lines, 0);
        self
    }

    /// How often each line of the memory was looked up, if that was [counted](Self::counting_lines); where the cache holds
    /// tiles, all lines of a tile that was.
    pub fn into_line_counts(self) -> Vec<u32> {
        self.line_counts
    }

    /// Makes a unit for each binding, unless there is one already.
    fn bind(&mut self, bindings: &[Binding]) {
        if self.units.iter().map(|bound| &bound.binding).eq(bindings) {
            return;
        }
        self.units.clear();
        let prefetches = self.config.cache().kind() == CacheKind::Prefetch;
        self.units.extend(bindings.iter().map(|binding| {
            let features = *self.config.features();
            let mut unit = TextureUnit::with_features(MemoryImage::new(0, self.memory), features)
                .dropping_weightless_taps(prefetches);
            // A binding that is refused answers its quads with the error bit, as the hardware does.
            let _ = unit.bind(binding);
            Bound { binding: *binding, unit }
        }));
        self.counts.resize(bindings.len(), CacheCounts::default());
    }
}

impl Engine for GoldenEngine<'_> {
    fn sample(&mut self, batch: &Batch<'_>, results: &mut Vec<QuadResult>) -> Result<(), EngineError> {
        self.bind(batch.bindings);
        let first = results.len();
        results.resize(first + batch.quads.len(), QuadResult::default());
        let Self { units, cache, counts, line_counts, .. } = self;
        let mut jobs = Vec::new();
        let mut rest = &mut results[first..];
        for run in batch.runs {
            let (of_run, after) = rest.split_at_mut(run.quads.len());
            rest = after;
            let quads = batch.quads[run.quads.clone()].chunks(QUADS_PER_JOB);
            jobs.extend(
                quads
                    .zip(of_run.chunks_mut(QUADS_PER_JOB))
                    .map(|(quads, results)| (run.binding, quads, results)),
            );
        }
        let units = &*units;
        let sample = || {
            jobs.into_par_iter().for_each(|(binding, quads, results)| {
                for (quad, result) in quads.iter().zip(results) {
                    *result = units[binding].unit.sample(quad);
                }
            });
        };
        let follow = || {
            for run in batch.runs {
                follow_cache(
                    cache,
                    &units[run.binding],
                    &batch.quads[run.quads.clone()],
                    &mut counts[run.binding],
                    line_counts,
                );
            }
        };
        rayon::join(sample, follow);
        Ok(())
    }

    fn statistics(&self) -> EngineStatistics {
        EngineStatistics { cache: self.counts.clone(), clocks: None }
    }
}

/// Looks up what some quads need and counts what became of it.
fn follow_cache(
    cache: &mut UnitCache,
    bound: &Bound<'_>,
    quads: &[Quad],
    counts: &mut CacheCounts,
    line_counts: &mut [u32],
) {
    let (before, touched_before) = (cache.counts(), cache.lines_touched());
    if line_counts.is_empty() {
        quads.iter().for_each(|quad| cache.follow(&bound.unit, quad));
    } else {
        let mut count = |line: u32| {
            if let Some(count) = line_counts.get_mut(line as usize) {
                *count += 1;
            }
        };
        quads.iter().for_each(|quad| cache.follow_lines(&bound.unit, quad, &mut count));
    }
    let after = cache.counts();
    *counts += CacheCounts {
        lines_touched: cache.lines_touched() - touched_before,
        lookups: after.lookups - before.lookups,
        repeats: after.repeats - before.repeats,
        hits: after.hits - before.hits,
        misses: after.misses - before.misses,
    };
}
