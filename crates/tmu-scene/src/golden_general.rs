//! The golden model as an engine of the general numerics.
//!
//! Quads are sampled on all threads, each on its own. So pictures do not depend on the number of threads.

use rayon::prelude::*;
use tmu_model::MemoryImage;
use tmu_model::general::unit::Unit;
use tmu_spec::general::{Binding, QuadResult};
use tmu_spec::{Config, Features};

use crate::engine::{Batch, Engine, EngineError};
use crate::numerics::General;
use crate::statistics::EngineStatistics;

/// Quads that a thread takes at a time.
const QUADS_PER_JOB: usize = 256;

/// Samples by the golden model of the general numerics. What a cache would do it does not count.
#[derive(Debug)]
pub struct GeneralGoldenEngine<'m> {
    memory: &'m [u8],
    features: Features,
    /// By binding of the scene.
    units: Vec<(Binding, Unit<MemoryImage<&'m [u8]>>)>,
}

impl<'m> GeneralGoldenEngine<'m> {
    /// An engine over a scene's memory, with the features of a configuration.
    pub fn new(memory: &'m [u8], config: &Config) -> Self {
        Self { memory, features: *config.features(), units: Vec::new() }
    }

    /// The unit of a binding of the batches that were sampled; none before.
    pub fn unit(&self, binding: usize) -> Option<&Unit<MemoryImage<&'m [u8]>>> {
        self.units.get(binding).map(|(_, unit)| unit)
    }

    /// Makes a unit for each binding, unless there is one already.
    fn bind(&mut self, bindings: &[Binding]) {
        if self.units.iter().map(|(binding, _)| binding).eq(bindings) {
            return;
        }
        let unit = |binding: &Binding| {
            let mut unit = Unit::new(MemoryImage::new(0, self.memory), self.features);
            // A binding that is refused answers its quads with the error bit, as the hardware does.
            let _ = unit.bind(&binding.texture, binding.base, &binding.sampler);
            (*binding, unit)
        };
        self.units = bindings.iter().map(unit).collect();
    }
}

impl Engine<General> for GeneralGoldenEngine<'_> {
    fn sample(
        &mut self,
        batch: &Batch<'_, General>,
        results: &mut Vec<QuadResult>,
    ) -> Result<(), EngineError> {
        self.bind(batch.bindings);
        let units = &self.units;
        let jobs: Vec<_> = batch
            .runs
            .iter()
            .flat_map(|run| {
                let quads = batch.quads[run.quads.clone()].chunks(QUADS_PER_JOB);
                quads.map(|quads| (&units[run.binding].1, quads))
            })
            .collect();
        let sampled =
            jobs.into_par_iter().flat_map_iter(|(unit, quads)| quads.iter().map(|quad| unit.sample(quad)));
        results.par_extend(sampled);
        Ok(())
    }

    fn statistics(&self) -> EngineStatistics {
        EngineStatistics::default()
    }
}
