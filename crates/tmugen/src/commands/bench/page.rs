//! The page of figures: Markdown with two plots beside it.

use super::report::{Report, Row};
use crate::files::kind::RATES_PAGE_START;
use crate::plot::{Axes, Panel, Series, panels};
use crate::problem::Failure;
use std::path::{Path, PathBuf};

/// What the figures mean; the same on every page.
pub(super) const MEANING: &str = include_str!("meaning.md");

/// The horizontal axis of every plot.
pub(super) const LATENCY: &str = "latency in clocks";

/// Where the plots of a page stand: rates, and bytes.
pub(super) fn plots(page: &Path) -> [PathBuf; 2] {
    let stem =
        page.file_stem().map_or_else(|| "throughput".to_owned(), |stem| stem.to_string_lossy().into_owned());
    ["rate", "bytes"].map(|plot| page.with_file_name(format!("{stem}-{plot}.svg")))
}

/// The page and its plots; `command` makes them anew.
pub(super) fn files(report: &Report, page: &Path, command: &str) -> Result<Vec<(PathBuf, String)>, Failure> {
    let [rate_path, bytes_path] = plots(page);
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let [rate, bytes] = [name(&rate_path), name(&bytes_path)];
    let text = format!(
        "{RATES_PAGE_START} the command stands at the end. -->\n\n# Throughput\n\n{MEANING}\n\
         ## Samples per clock\n\n![samples per clock by latency]({rate})\n\n{}\n{}\n\
         ## Bytes read\n\n![bytes per sample by latency]({bytes})\n\n\
         ## Making this page anew\n\n```\n{}\n```\n",
        report.table().markdown(),
        conditions(report),
        command,
    );
    let read = |row: &Row| row.runs.iter().map(|run| run.measurement.bytes_per_sample()).collect();
    let reads = Axes { x: LATENCY, y: "bytes per sample" };
    Ok(vec![
        (page.to_path_buf(), text),
        (rate_path, rates(report)?),
        (bytes_path, panels("Bytes read per sample", reads, &panels_of(report, read))?),
    ])
}

/// The plot of samples per clock by latency.
pub(in crate::commands) fn rates(report: &Report) -> Result<String, Failure> {
    let samples = |row: &Row| row.runs.iter().map(|run| run.measurement.samples_per_clock()).collect();
    let axes = Axes { x: LATENCY, y: "samples per clock" };
    panels("Samples per clock", axes, &panels_of(report, samples))
}

/// What the table is about, as a list.
fn conditions(report: &Report) -> String {
    report.conditions().iter().map(|line| format!("- {line}\n")).collect()
}

/// One panel for each pattern, one line for each configuration.
fn panels_of(report: &Report, values: impl Fn(&Row) -> Vec<f64>) -> Vec<Panel> {
    let latencies = report.latencies();
    let series = |row: &Row| Series {
        name: report.subjects[row.subject].name.clone(),
        points: latencies.iter().map(|latency| f64::from(*latency)).zip(values(row)).collect(),
    };
    let panel = |pattern: &str| Panel {
        title: pattern.to_owned(),
        series: report.rows_of(pattern).map(series).collect(),
    };
    report.patterns().into_iter().map(panel).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_page_says_what_the_figures_mean() {
        let page = "docs/reference/throughput.md";
        let committed = std::fs::read_to_string(tmu_testing::repository().join(page)).unwrap_or_default();
        assert!(committed.contains(MEANING), "out of date: run the command at the end of {page}");
    }
}
