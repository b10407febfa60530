//! Samples per clock on named patterns, as a plot.

use crate::console::Verbosity;
use crate::engine::{built, simulation_failure};
use crate::plot::{Axes, Panel, Series, panels};
use crate::problem::Failure;
use crate::progress;
use rayon::prelude::*;
use tmu_package::report::Figure;
use tmu_sim::pauses::Pauses;
use tmu_sim::throughput::{Conditions, Pattern, measure};
use tmu_spec::Config;
use tmu_verilate::ModelOptions;

const PATTERNS: [Pattern; 4] = [Pattern::Hits, Pattern::Scan, Pattern::Floor, Pattern::Random];

/// Clocks of memory from an address to its data.
const LATENCIES: [u32; 4] = [0, 20, 60, 200];

/// Log2 of the side of a pattern's picture.
const SIDE_LOG2: u32 = 6;

/// The rates of a configuration by latency, a panel for each pattern.
pub(super) fn plot(config: &Config, verbosity: Verbosity) -> Result<Figure, Failure> {
    let (rtl, model) = built(config, &ModelOptions::default(), verbosity)?;
    let format = config.features().formats().next();
    let workloads: Vec<_> =
        PATTERNS.iter().flat_map(|pattern| Some(pattern.workload(config, format?, SIDE_LOG2))).collect();
    let quads: usize = workloads.iter().map(|workload| workload.quads.len() * LATENCIES.len()).sum();
    let bar = progress::bar(verbosity, quads as u64, "quads");
    bar.set_message("measuring");
    let panel = |workload: &tmu_sim::throughput::Workload| {
        let point = |latency_clocks: &u32| {
            let conditions = Conditions { latency_clocks: *latency_clocks, pauses: Pauses::NONE };
            let measured = measure(&model, &rtl, workload, conditions, |quads| bar.inc(quads));
            let rate = measured.map_err(simulation_failure)?.samples_per_clock();
            Ok((f64::from(*latency_clocks), rate))
        };
        let points = LATENCIES.par_iter().map(point).collect::<Result<Vec<_>, Failure>>()?;
        let series = Series { name: config.name().to_owned(), points };
        Ok(Panel { title: workload.name.clone(), series: vec![series] })
    };
    let all = workloads.par_iter().map(panel).collect::<Result<Vec<_>, Failure>>();
    bar.finish_and_clear();
    let axes = Axes { x: "latency in clocks", y: "samples per clock" };
    let content = panels("Samples per clock", axes, &all?)?.into_bytes();
    let caption = format!(
        "Bilinear samples a clock by pattern and latency of memory, {0} x {0} pixels",
        1 << SIDE_LOG2
    );
    Ok(Figure { caption, media_type: "image/svg+xml", content })
}
