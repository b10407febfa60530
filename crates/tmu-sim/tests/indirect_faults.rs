//! Faults of memory in either pass of indirect look-ups, by the preset `indirect`: see
//! [`faults`](tmu_sim::engines::sampler::general::faults).
//!
//! | variable | default | |
//! | --- | --- | --- |
//! | `TMUGEN_FAULTS` | 400 | faults, one by one |
//! | `TMUGEN_SEED` | 1 | what everything random follows from |

mod support;

use rayon::prelude::*;
use support::built;
use tmu_sim::engines::sampler::general::faults::{FaultRun, Outcome, inject};
use tmu_sim::kit::pauses::Pauses;
use tmu_spec::Preset;
use tmu_testing::setting;
use tmu_verilate::ModelOptions;

/// Faults of a run; each run has its own latency and pauses.
const FAULTS_A_RUN: u64 = 50;

/// Latency of memory in clocks, and clocks of 100 in which streams and memory pause.
const SURROUNDINGS: [(u32, u8); 4] = [(1, 0), (20, 25), (60, 0), (100, 10)];

#[test]
#[allow(clippy::print_stdout, reason = "a random test says its seed, and a long run its figures")]
fn faults_in_either_pass() {
    let (faults, seed) = (setting("TMUGEN_FAULTS").unwrap_or(400), setting("TMUGEN_SEED").unwrap_or(1));
    let preset = Preset::find("indirect").expect("the preset ships").config().expect("presets are legal");
    // The model that the other tests of the preset have built already.
    let Some((rtl, model)) = built(&preset, &ModelOptions::default()) else { return };
    let runs: Vec<u64> = (0..faults.div_ceil(FAULTS_A_RUN)).collect();
    let play = |number: &u64| {
        let (latency_clocks, pauses) = SURROUNDINGS[*number as usize % SURROUNDINGS.len()];
        let run = FaultRun {
            seed: seed * 100_000 + number,
            faults: FAULTS_A_RUN.min(faults - number * FAULTS_A_RUN),
            latency_clocks,
            pauses: Pauses::percent(pauses),
        };
        inject(&model, &rtl, &run).unwrap_or_else(|problem| panic!("{run:?}: {problem}"))
    };
    let outcomes: Vec<Outcome> = runs.par_iter().with_max_len(1).map(play).collect();
    let mut all = Outcome::default();
    outcomes.iter().for_each(|outcome| all.add(outcome));
    println!("seed {seed}: {all:?}");
    assert_eq!(all.faults() + all.none, faults);
    assert!(10 * all.none < faults, "{all:?}");
    // Each line that could not be read was needed.
    assert!(all.failed >= all.first_pass + all.second_pass, "{all:?}");
    assert!(
        faults < 100 || [all.first_pass, all.second_pass, all.lengths].iter().all(|kind| *kind > faults / 10),
        "{all:?}"
    );
}
