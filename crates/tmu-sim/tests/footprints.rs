//! Levels of detail of edges that have exactly the lengths at which something changes, against the golden model.

mod support;

use rayon::prelude::*;
use support::built;
use tmu_sim::footprints::workloads;
use tmu_sim::pauses::Pauses;
use tmu_sim::throughput::{Conditions, measure};
use tmu_spec::Preset;
use tmu_verilate::ModelOptions;

/// Each has a stage `lod` of its own.
const PRESETS: [&str; 3] = ["fury-single", "stream", "quad"];

#[test]
fn levels_change_where_the_golden_model_says() {
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
