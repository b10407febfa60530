//! The golden model as an engine.
//!
//! Quads are sampled on all threads, each on its own; the cache is followed on one, in the order of the stream, as
//! one unit with one cache would see it. So neither picture nor counts depend on the number of threads.

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;
use tmu_model::{MemoryImage, TextureUnit, UnitCache, lines_needed};
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
    line_counts: Vec<AtomicU32>,
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

    /// The same engine, which also counts how often each line of the memory is looked up. It takes 4 bytes for each, and
    /// about as long again as sampling does.
    #[must_use]
    pub fn counting_lines(mut self) -> Self {
        let lines = self.memory.len().div_ceil(LINE_BYTES as usize);
        self.line_counts.resize_with(lines, AtomicU32::default);
        self
    }

    /// How often each line of the memory was looked up, if that was [counted](Self::counting_lines); where the cache holds
    /// tiles, all lines of a tile that was.
    pub fn into_line_counts(self) -> Vec<u32> {
        self.line_counts.into_iter().map(AtomicU32::into_inner).collect()
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
        let Self { units, cache, counts, config, line_counts, .. } = self;
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
        let (units, config, line_counts) = (&*units, &*config, &**line_counts);
        let sample = || {
            jobs.into_par_iter().for_each(|(binding, quads, results)| {
                let unit = &units[binding].unit;
                for (quad, result) in quads.iter().zip(results) {
                    *result = unit.sample(quad);
                }
                if !line_counts.is_empty() {
                    quads.iter().for_each(|quad| count_lines(line_counts, unit, quad, config));
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

/// Adds a quad's look-ups to the counts of their lines. Sums do not depend on the order in which threads add to them.
fn count_lines(counts: &[AtomicU32], unit: &TextureUnit<MemoryImage<&[u8]>>, quad: &Quad, config: &Config) {
    lines_needed(unit, quad, config, |line| {
        if let Some(count) = counts.get(line as usize) {
            count.fetch_add(1, Ordering::Relaxed);
        }
    });
}

/// Looks up what some quads need and counts what became of it.
fn follow_cache(cache: &mut UnitCache, bound: &Bound<'_>, quads: &[Quad], counts: &mut CacheCounts) {
    let (before, touched_before) = (cache.counts(), cache.lines_touched());
    quads.iter().for_each(|quad| cache.follow(&bound.unit, quad));
    let after = cache.counts();
    *counts += CacheCounts {
        lines_touched: cache.lines_touched() - touched_before,
        lookups: after.lookups - before.lookups,
        repeats: after.repeats - before.repeats,
        hits: after.hits - before.hits,
        misses: after.misses - before.misses,
    };
}
