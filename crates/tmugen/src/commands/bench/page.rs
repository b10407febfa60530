//! The page of figures: Markdown with two plots beside it.

use super::report::{Report, Row};
use crate::files::kind::RATES_PAGE_START;
use crate::plot::{Axes, Panel, Series, panels};
use crate::problem::Failure;
use crate::table::Table;
use std::path::{Path, PathBuf};

/// What the figures mean; the same on every page.
pub(super) const MEANING: &str = include_str!("meaning.md");

/// What is measured.
const RATE: &str = "Samples per clock";

/// The horizontal axis of every plot.
pub(super) const LATENCY: &str = "latency in clocks";

/// Where the plots of a page stand: rates, and bytes.
pub(super) fn plots(page: &Path) -> [PathBuf; 2] {
    let stem =
        page.file_stem().map_or_else(|| "throughput".to_owned(), |stem| stem.to_string_lossy().into_owned());
    ["rate", "bytes"].map(|plot| page.with_file_name(format!("{stem}-{plot}.svg")))
}

/// A page of rates by latency and of what is read, with a plot of each.
pub(super) struct Page<'t> {
    pub(super) title: &'t str,
    /// What the figures mean.
    pub(super) meaning: &'t str,
    /// The rate, as in "Samples per clock".
    pub(super) rate: &'t str,
    /// What is read, as in "bytes per sample".
    pub(super) bytes: &'t str,
    pub(super) table: Table,
    /// What the table is about, in lines.
    pub(super) conditions: String,
    /// What makes the page anew.
    pub(super) command: String,
    /// The plots: rates, and bytes.
    pub(super) plots: [String; 2],
}

impl Page<'_> {
    /// The page in this file, and its plots.
    pub(super) fn files(self, page: &Path) -> Vec<(PathBuf, String)> {
        let Page { title, meaning, rate, bytes, table, conditions, command, plots: [rate_plot, bytes_plot] } =
            self;
        let [rate_path, bytes_path] = plots(page);
        let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = format!(
            "{RATES_PAGE_START} the command stands at the end. -->\n\n# {title}\n\n{meaning}\n\
             ## {rate}\n\n![{} by latency]({})\n\n{}\n{conditions}\n\
             ## Bytes read\n\n![{bytes} by latency]({})\n\n\
             ## Making this page anew\n\n```\n{command}\n```\n",
            rate.to_lowercase(),
            name(&rate_path),
            table.markdown(),
            name(&bytes_path),
        );
        vec![(page.to_path_buf(), text), (rate_path, rate_plot), (bytes_path, bytes_plot)]
    }
}

/// The page and its plots; `command` makes them anew.
pub(super) fn files(
    report: &Report,
    page: &Path,
    command: String,
) -> Result<Vec<(PathBuf, String)>, Failure> {
    let read = |row: &Row| row.runs.iter().map(|run| run.measurement.bytes_per_sample()).collect();
    let reads = Axes { x: LATENCY, y: "bytes per sample" };
    let content = Page {
        title: "Throughput",
        meaning: MEANING,
        rate: RATE,
        bytes: reads.y,
        table: report.table(),
        conditions: conditions(report),
        command,
        plots: [rates(report)?, panels("Bytes read per sample", reads, &panels_of(report, read))?],
    };
    Ok(content.files(page))
}

/// The plot of samples per clock by latency.
pub(in crate::commands) fn rates(report: &Report) -> Result<String, Failure> {
    let samples = |row: &Row| row.runs.iter().map(|run| run.measurement.samples_per_clock()).collect();
    let axes = Axes { x: LATENCY, y: "samples per clock" };
    panels(RATE, axes, &panels_of(report, samples))
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
