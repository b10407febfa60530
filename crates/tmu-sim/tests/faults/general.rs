//! Faults in units of the general numerics.

use crate::support::built;
use crate::{DOCUMENTED, Done, Outcome, Part};
use tmu_sim::engines::sampler::general::campaign::{Trials, inject};
use tmu_sim::kit::pauses::Pauses;
use tmu_spec::Preset;
use tmu_verilate::{ModelOptions, OptimizeFor};

/// Faults of the quick run.
pub(crate) const QUICK: u64 = 100;

/// Latency of memory in clocks, and clocks of 100 in which streams and memory pause.
const SURROUNDINGS: [(u32, u8); 5] = [(1, 0), (20, 10), (60, 0), (1, 40), (100, 5)];

/// The presets with the models that other tests of a quick run have built already; `multi` takes minutes to compile.
fn presets(faults: u64) -> Vec<(&'static str, OptimizeFor)> {
    match faults {
        0..DOCUMENTED => vec![("multi-lite", OptimizeFor::Both), ("han", OptimizeFor::BuildTime)],
        _ => ["multi-lite", "han", "multi"].map(|name| (name, OptimizeFor::Both)).to_vec(),
    }
}

/// All runs of all presets; none without Verilator.
pub(crate) fn campaign(seed: u64, faults: u64) -> Option<Outcome> {
    let built = |(name, optimize): (&str, OptimizeFor)| {
        let config = Preset::find(name).expect("the preset ships").config().expect("presets are legal");
        built(&config, &ModelOptions { optimize, ..ModelOptions::default() })
    };
    let built: Option<Vec<_>> = presets(faults).into_iter().map(built).collect();
    Some(crate::campaign(&built?, faults, |rtl, model, part: Part| {
        let (latency_clocks, pauses) = SURROUNDINGS[part.number as usize % SURROUNDINGS.len()];
        let trials = Trials {
            seed: seed * 10_000 + part.number,
            faults: part.faults,
            latency_clocks,
            pauses: Pauses::percent(pauses),
        };
        match inject(model, rtl, &trials) {
            Ok(done) => Ok(Done {
                faults: done.faults,
                quads: done.outcome.quads,
                tmu_clocks: done.outcome.tmu_clocks,
            }),
            Err(failure) => {
                let said = format!(
                    "{}, {trials:?}: {failure}\nrepeat with\nTMUGEN_SEED={seed} TMUGEN_FAULTS={faults} cargo nextest run -p tmu-sim \
                     --test faults",
                    rtl.config.name()
                );
                Err((failure.cause.kind(), said))
            }
        }
    }))
}
