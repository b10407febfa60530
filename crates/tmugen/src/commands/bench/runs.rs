//! Runs of workloads at latencies, on all processors.

use super::report::{Point, Row, Subject};
use crate::console::Verbosity;
use crate::problem::Failure;
use crate::progress;
use rayon::prelude::*;
use tmu_sim::engines::sampler::throughput::{Conditions, Workload, measure};
use tmu_sim::kit::error::Failure as Stopped;
use tmu_sim::kit::pauses::Pauses;
use tmu_sim::kit::rtl::Rtl;
use tmu_verilate::Model;

/// A configuration under test.
pub(in crate::commands) struct Candidate {
    pub(in crate::commands) subject: Subject,
    pub(in crate::commands) workloads: Vec<Workload>,
}

/// One run.
pub(in crate::commands) struct Job<'a> {
    /// Index of the candidate.
    pub(in crate::commands) number: usize,
    hardware: &'a (Rtl, Model),
    pub(in crate::commands) workload: &'a Workload,
    pub(in crate::commands) latency_clocks: u32,
}

/// All runs, as a row for each workload of each candidate; `failed` says what a run that stopped is to the user.
pub(in crate::commands) fn rows(
    candidates: &[Candidate],
    hardware: &[(Rtl, Model)],
    latencies: &[u32],
    pauses: Pauses,
    verbosity: Verbosity,
    failed: impl Fn(&Job<'_>, Stopped) -> Failure + Sync,
) -> Result<Vec<Row>, Failure> {
    let mut jobs = Vec::new();
    for (number, (candidate, hardware)) in candidates.iter().zip(hardware).enumerate() {
        for workload in &candidate.workloads {
            let job =
                |latency_clocks: &u32| Job { number, hardware, workload, latency_clocks: *latency_clocks };
            jobs.extend(latencies.iter().map(job));
        }
    }
    let quads: usize = jobs.iter().map(|job| job.workload.quads.len()).sum();
    let bar = progress::bar(verbosity, quads as u64, "quads");
    bar.set_message("measuring");
    let point = |job: &Job<'_>| {
        let Job { hardware: (rtl, model), workload, latency_clocks, .. } = *job;
        let measured =
            measure(model, rtl, workload, Conditions { latency_clocks, pauses }, |quads| bar.inc(quads));
        let measurement = measured.map_err(|stopped| failed(job, stopped))?;
        Ok(Point { latency_clocks, measurement })
    };
    let points: Result<Vec<_>, Failure> = jobs.par_iter().map(point).collect();
    bar.finish_and_clear();
    let mut points = points?.into_iter();
    let mut rows = Vec::new();
    for (subject, candidate) in candidates.iter().enumerate() {
        for workload in &candidate.workloads {
            let runs: Vec<_> = points.by_ref().take(latencies.len()).collect();
            rows.push(Row { subject, pattern: workload.name.clone(), quads: workload.quads.len(), runs });
        }
    }
    Ok(rows)
}
