//! Quads made for what random ones hardly ever meet, against the golden model.

mod support;

use rayon::prelude::*;
use support::built;
use tmu_sim::engines::sampler::directed::{failing_taps, footprints};
use tmu_sim::engines::sampler::throughput::{Conditions, Workload, measure};
use tmu_sim::kit::pauses::Pauses;
use tmu_spec::{Config, Preset};
use tmu_verilate::ModelOptions;

/// Each has stages of its own.
const PRESETS: [&str; 3] = ["fury-single", "stream", "quad"];

fn test(workloads: impl Fn(&Config) -> Vec<Workload> + Sync) {
    PRESETS.par_iter().for_each(|preset| {
        let config = Preset::find(preset).expect("the preset ships").config().expect("presets are legal");
        let Some((rtl, model)) = built(&config, &ModelOptions::default()) else { return };
        let conditions = Conditions { latency_clocks: 1, pauses: Pauses::NONE };
        for workload in workloads(&config) {
            if let Err(failure) = measure(&model, &rtl, &workload, conditions, |_| ()) {
                panic!("{preset}, {}: {failure}", workload.name);
            }
        }
    });
}

#[test]
fn levels_change_where_the_golden_model_says() {
    test(footprints::workloads);
}

#[test]
fn the_error_of_a_single_tap_is_not_lost() {
    test(failing_taps::workloads);
}
