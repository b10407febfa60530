//! Faults in units of the classic numerics: the presets, and configurations with what they have not.

use crate::support::{arguments, built};
use crate::{Done, Outcome, Part};
use tmu_sim::engines::sampler::regression::shrink::report;
use tmu_sim::engines::sampler::regression::{Regression, run};
use tmu_sim::engines::sampler::sweep;
use tmu_sim::kit::pauses::Pauses;
use tmu_spec::presets::classic;
use tmu_verilate::ModelOptions;

/// Configurations of which the memory port has its own clock; no preset has that.
const WITH_OWN_CLOCK: [&str; 2] = ["own_clock", "ahead"];

/// Configurations among which those with an own clock are.
const SWEPT: usize = 14;

/// Latency of memory in clocks, and clocks of 100 in which streams and memory pause.
const SURROUNDINGS: [(u32, u8); 6] = [(1, 0), (20, 0), (20, 10), (100, 0), (1, 40), (60, 5)];

/// All runs of all configurations; none without Verilator.
pub(crate) fn campaign(seed: u64, faults: u64) -> Option<Outcome> {
    let of_sweep = sweep::configurations(SWEPT, 1).into_iter();
    let with_own_clock = of_sweep.filter(|config| WITH_OWN_CLOCK.contains(&config.name()));
    let configs = classic().map(|(_, config)| config).chain(with_own_clock);
    let built: Option<Vec<_>> = configs.map(|config| built(&config, &ModelOptions::default())).collect();
    let built = built?;
    assert_eq!(built.len(), classic().count() + WITH_OWN_CLOCK.len());
    Some(crate::campaign(&built, faults, |rtl, model, part: Part| {
        let (latency_clocks, pauses) = SURROUNDINGS[part.number as usize % SURROUNDINGS.len()];
        let regression = Regression {
            pauses: Pauses::percent(pauses),
            faults: part.faults,
            ..Regression::new(seed * 10_000 + part.number, 0, latency_clocks)
        };
        match run(model, rtl, &regression, |_| ()) {
            Ok(done) => Ok(Done { faults: done.faults, quads: done.quads, tmu_clocks: done.tmu_clocks }),
            Err(failure) => {
                let kind = failure.cause.kind();
                Err((kind, report(model, rtl, &regression, &failure, &arguments(&rtl.config))))
            }
        }
    }))
}
