//! What was measured, as a table for people and as JSON.

use crate::table::Table;
use serde_json::{Value, json};
use std::fmt::Write;
use tmu_sim::engines::sampler::throughput::{MEMORY_BYTES_PER_CLOCK, Measurement, issue_rate};
use tmu_spec::{Config, Format};

/// A configuration that was measured.
pub(in crate::commands) struct Subject {
    /// How the user calls it.
    pub(in crate::commands) name: String,
    pub(in crate::commands) config: Config,
}

/// One run.
pub(in crate::commands) struct Point {
    pub(in crate::commands) latency_clocks: u32,
    pub(in crate::commands) measurement: Measurement,
}

/// The runs of one pattern on one configuration, by rising latency; the first has none.
pub(in crate::commands) struct Row {
    /// Index into [`Report::subjects`].
    pub(in crate::commands) subject: usize,
    pub(in crate::commands) pattern: String,
    pub(in crate::commands) quads: usize,
    pub(in crate::commands) runs: Vec<Point>,
}

impl Row {
    /// The part of the zero-latency rate that a run reaches.
    pub(in crate::commands) fn share_of_zero_latency(&self, run: &Point) -> f64 {
        run.measurement.samples_per_clock() / self.runs[0].measurement.samples_per_clock()
    }
}

/// All runs.
pub(in crate::commands) struct Report {
    pub(in crate::commands) subjects: Vec<Subject>,
    pub(in crate::commands) rows: Vec<Row>,
    pub(in crate::commands) pauses_percent: u8,
    pub(in crate::commands) size: u32,
    pub(in crate::commands) format: Format,
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

impl Report {
    /// The patterns in the order of the runs, each once.
    pub(in crate::commands) fn patterns(&self) -> Vec<&str> {
        let mut patterns = Vec::new();
        for row in &self.rows {
            if !patterns.contains(&row.pattern.as_str()) {
                patterns.push(&row.pattern);
            }
        }
        patterns
    }

    /// The rows of a pattern, one for each configuration that was measured on it.
    pub(in crate::commands) fn rows_of<'a>(&'a self, pattern: &'a str) -> impl Iterator<Item = &'a Row> {
        self.rows.iter().filter(move |row| row.pattern == pattern)
    }

    /// Latencies, the first of which is 0.
    pub(in crate::commands) fn latencies(&self) -> Vec<u32> {
        let runs = self.rows.first().map(|row| row.runs.as_slice()).unwrap_or_default();
        runs.iter().map(|run| run.latency_clocks).collect()
    }

    /// The table: patterns side by side for all configurations.
    pub(in crate::commands) fn table(&self) -> Table {
        let latencies = self.latencies();
        let mut header = vec!["pattern".to_owned(), "unit".to_owned()];
        header.extend(latencies.iter().map(|latency| format!("L={latency}")));
        header.extend(latencies.iter().skip(1).map(|latency| format!("kept {latency}")));
        header.extend(["of bound", "B/sample", "× touched", "hit rate"].map(str::to_owned));
        let mut table = Table::new(2, header);
        for pattern in self.patterns() {
            for (number, row) in self.rows_of(pattern).enumerate() {
                let name = if number == 0 { pattern } else { "" };
                let mut cells = vec![name.to_owned(), self.subjects[row.subject].name.clone()];
                cells
                    .extend(row.runs.iter().map(|run| format!("{:.3}", run.measurement.samples_per_clock())));
                cells.extend(row.runs.iter().skip(1).map(|run| percent(row.share_of_zero_latency(run))));
                if let Some(Point { measurement, .. }) = row.runs.last() {
                    cells.push(percent(measurement.share_of_bound()));
                    cells.push(format!("{:.2}", measurement.bytes_per_sample()));
                    cells.push(format!("{:.2}", measurement.bytes_per_touched_byte()));
                    let hit_rate = measurement.lookups.map(|lookups| percent(lookups.hit_rate()));
                    cells.push(hit_rate.unwrap_or_else(|| "-".to_owned()));
                }
                table.push(cells);
            }
        }
        table
    }

    /// What the table's figures are about, in lines.
    pub(in crate::commands) fn conditions(&self) -> Vec<String> {
        let mut lines: Vec<_> = self
            .subjects
            .iter()
            .map(|Subject { name, config }| {
                let units = config.units();
                let plural = if units == 1 { "unit" } else { "units" };
                format!("{name}: {units} {plural}, issues at most {} samples a clock", issue_rate(config))
            })
            .collect();
        let pauses = match self.pauses_percent {
            0 => "without pauses".to_owned(),
            percent => format!("pausing with {percent} %"),
        };
        lines.push(format!(
            "patterns of {0} x {0} pixels, {1}; memory of {MEMORY_BYTES_PER_CLOCK} bytes a clock, {pauses}",
            self.size, self.format,
        ));
        lines
    }

    /// The table with what it is about.
    pub(in crate::commands) fn text(&self) -> String {
        let mut text = self.table().text();
        let last = self.latencies().last().copied().unwrap_or_default();
        let _ = writeln!(
            text,
            "\nL: samples per clock at that many clocks of latency; kept: share of L=0; the columns behind at L={last}"
        );
        for line in self.conditions() {
            let _ = writeln!(text, "{line}");
        }
        text
    }

    /// All figures.
    pub(in crate::commands) fn json(&self) -> Value {
        let configurations: Vec<_> = self
            .subjects
            .iter()
            .map(|Subject { name, config }| {
                json!({
                    "name": name,
                    "hash": config.hash(),
                    "units": config.units(),
                    "issue_rate": issue_rate(config),
                })
            })
            .collect();
        let results: Vec<_> = self.rows.iter().map(|row| self.row_json(row)).collect();
        json!({
            "memory_bytes_per_clock": MEMORY_BYTES_PER_CLOCK,
            "pauses_percent": self.pauses_percent,
            "size": self.size,
            "format": self.format.name(),
            "configurations": configurations,
            "results": results,
        })
    }

    fn row_json(&self, row: &Row) -> Value {
        let name = &self.subjects[row.subject].name;
        let run = |run: &Point| {
            let measured = &run.measurement;
            json!({
                "latency_clocks": run.latency_clocks,
                "samples_per_clock": measured.samples_per_clock(),
                "share_of_zero_latency": row.share_of_zero_latency(run),
                "issue_rate": measured.issue_rate,
                "share_of_bound": measured.share_of_bound(),
                "bytes_per_sample": measured.bytes_per_sample(),
                "bytes_per_touched_byte": measured.bytes_per_touched_byte(),
                "hit_rate": measured.lookups.map(|lookups| lookups.hit_rate()),
                "timed_samples": measured.timed_samples,
                "timed_clocks": measured.timed_clocks,
                "bytes": measured.bytes,
            })
        };
        let measured = &row.runs[0].measurement;
        json!({
            "configuration": name,
            "pattern": row.pattern,
            "quads": row.quads,
            "samples": measured.samples,
            "touched_bytes": measured.touched_bytes,
            "runs": row.runs.iter().map(run).collect::<Vec<_>>(),
        })
    }
}
