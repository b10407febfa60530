//! Samples per clock on named patterns, as a plot.

use crate::commands::bench::{
    page,
    report::{Report, Subject},
    runs::{Candidate, Job, rows},
};
use crate::console::Verbosity;
use crate::engine::{built, simulation_failure};
use crate::problem::Failure;
use tmu_package::report::Figure;
use tmu_sim::engines::sampler::throughput::Pattern;
use tmu_sim::kit::pauses::Pauses;
use tmu_spec::{Config, Format};
use tmu_verilate::ModelOptions;

const PATTERNS: [Pattern; 4] = [Pattern::Hits, Pattern::Scan, Pattern::Floor, Pattern::Random];

/// Clocks of memory from an address to its data.
const LATENCIES: [u32; 4] = [0, 20, 60, 200];

/// Log2 of the side of a pattern's picture.
const SIDE_LOG2: u32 = 6;

/// The rates of a configuration by latency, a panel for each pattern.
pub(super) fn plot(config: &Config, verbosity: Verbosity) -> Result<Figure, Failure> {
    let hardware = built(config, &ModelOptions::default(), verbosity)?;
    let format = config.features().formats().next().unwrap_or(Format::Rgba8);
    let candidate = Candidate {
        subject: Subject { name: config.name().to_owned(), config: config.clone() },
        workloads: PATTERNS.iter().map(|pattern| pattern.workload(config, format, SIDE_LOG2)).collect(),
    };
    let failed = |_: &Job<'_>, stopped| simulation_failure(stopped);
    let candidates = [candidate];
    let rows = rows(&candidates, &[hardware], &LATENCIES, Pauses::NONE, verbosity, failed)?;
    let report = Report {
        subjects: candidates.map(|candidate| candidate.subject).into(),
        rows,
        pauses_percent: 0,
        size: 1 << SIDE_LOG2,
        format,
    };
    let content = page::rates(&report)?.into_bytes();
    let caption = format!(
        "Bilinear samples a clock by pattern and latency of memory, {0} x {0} pixels",
        1 << SIDE_LOG2
    );
    Ok(Figure { caption, media_type: "image/svg+xml", content })
}
