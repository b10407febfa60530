//! The golden model, telling of each quad where it was sampled and by how many probes.

use rayon::prelude::*;
use tmu_model::general::lod;
use tmu_model::general::probes::numbers_of_probes;
use tmu_model::general::projection::Position;
use tmu_model::general::request::Bound;
use tmu_scene::{Batch, Engine, EngineError, EngineStatistics, General, GeneralGoldenEngine};
use tmu_spec::general::{Quad, QuadResult};

/// What is told of a quad.
#[derive(Debug, Clone, Copy)]
pub(super) struct QuadNumbers {
    /// Its level of detail in 1/256 levels; of a ripmap, whose levels differ along u and v, the mean of both.
    pub(super) lod: u16,
    /// Number of its binding.
    pub(super) binding: u8,
    /// Probes of each pixel.
    pub(super) probes: [u8; 4],
}

impl QuadNumbers {
    fn of(bound: Option<&Bound>, binding: usize, quad: &Quad) -> Self {
        let binding = binding.min(u8::MAX.into()) as u8;
        let Some(bound) = bound else { return Self { lod: 0, binding, probes: [0; 4] } };
        let positions = quad.pixels.map(|pixel| Position::of(bound, &pixel));
        let lod = lod::of_quad(bound, quad, &positions);
        let steps = match lod.ripmap {
            Some([u, v]) => (u + v) * 128,
            None => lod.level * 256 + lod.fraction,
        };
        // A sample has at most 32 probes.
        let probes = numbers_of_probes(bound, quad, &positions, &lod).map(|probes| probes as u8);
        Self { lod: steps as u16, binding, probes }
    }
}

/// The golden model over the memory of a scene.
pub(super) struct LookingEngine<'m> {
    golden: GeneralGoldenEngine<'m>,
    /// Of each quad, in the order of the requests.
    pub(super) numbers: Vec<QuadNumbers>,
}

impl<'m> LookingEngine<'m> {
    pub(super) fn new(golden: GeneralGoldenEngine<'m>) -> Self {
        Self { golden, numbers: Vec::new() }
    }
}

impl Engine<General> for LookingEngine<'_> {
    fn sample(
        &mut self,
        batch: &Batch<'_, General>,
        results: &mut Vec<QuadResult>,
    ) -> Result<(), EngineError> {
        self.golden.sample(batch, results)?;
        for run in batch.runs {
            let bound = self.golden.unit(run.binding).and_then(|unit| unit.bound());
            let quads = batch.quads[run.quads.clone()].par_iter();
            self.numbers.par_extend(quads.map(|quad| QuadNumbers::of(bound, run.binding, quad)));
        }
        Ok(())
    }

    fn statistics(&self) -> EngineStatistics {
        self.golden.statistics()
    }
}
