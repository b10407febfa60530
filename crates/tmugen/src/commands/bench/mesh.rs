//! Configurations with the engine `mesh`: whole frames, by latency.

use super::Args;
use super::page::{LATENCY, Page};
use crate::console::Summary;
use crate::engine::{built, simulation_failure};
use crate::files::Files;
use crate::plot::{Axes, Panel, Series, panels};
use crate::problem::{Failure, Rule};
use crate::progress;
use crate::table::Table;
use rayon::prelude::*;
use serde_json::json;
use std::path::{Path, PathBuf};
use tmu_sim::engines::mesh::rates::{FRAMES, FrameKind, FrameRate, measure};
use tmu_sim::engines::sampler::throughput::MEMORY_BYTES_PER_CLOCK;
use tmu_sim::kit::pauses::Pauses;
use tmu_spec::Config;
use tmu_verilate::ModelOptions;

/// What the figures mean.
const MEANING: &str = include_str!("mesh_meaning.md");

impl Args {
    /// Measures all frames.
    pub(super) fn run_mesh(&self, config: &Config, declared: &Files) -> Result<Summary, Failure> {
        let others = [
            (self.workload.is_asked_for(), "--pattern, --quads, --frame, --size and --format"),
            (!self.walk.is_empty(), "--walk"),
            (!self.compare.is_empty(), "--compare"),
        ];
        if let Some((_, options)) = others.into_iter().find(|(is_asked, _)| *is_asked) {
            let message = format!("{} has the engine \"mesh\", for which there is no {options}", self.name());
            return Err(Failure::new(
                Rule::NotBuilt,
                message,
                "leave it out, or choose a configuration of texture units",
            ));
        }
        let (_, model) = built(config, &ModelOptions::default(), self.verbosity)?;
        let latencies = self.latencies();
        let jobs: Vec<_> =
            FRAMES.iter().flat_map(|frame| latencies.iter().map(move |latency| (frame, *latency))).collect();
        let bar = progress::bar(self.verbosity, jobs.len() as u64, "frames");
        let pauses = Pauses::percent(self.pauses);
        let rate = |&(frame, latency_clocks): &(&FrameKind, u32)| {
            let rate = measure(&model, config, frame, latency_clocks, pauses).map_err(simulation_failure);
            bar.inc(1);
            rate
        };
        let rates = jobs.par_iter().map(rate).collect::<Result<Vec<_>, Failure>>()?;
        bar.finish_and_clear();
        let rows: Vec<_> = FRAMES.iter().zip(rates.chunks(latencies.len())).collect();
        let data = self.mesh_json(config, &latencies, &rows);
        let mut files = Vec::new();
        if let Some(output) = &self.output {
            files.push((output.clone(), format!("{data:#}\n")));
        }
        if let Some(page) = &self.page {
            files.extend(self.mesh_page(&latencies, &rows, page)?);
        }
        let files: Vec<_> = files.iter().map(|(path, text)| (path.as_path(), text.as_bytes())).collect();
        declared.put(&files)?;
        Ok(Summary::note(self.mesh_text(&latencies, &rows), data))
    }

    /// What was measured, a frame a row.
    fn mesh_table(latencies: &[u32], rows: &[(&FrameKind, &[FrameRate])]) -> Table {
        let mut header = vec!["frame".to_owned(), "what it draws".to_owned(), "bound".to_owned()];
        header.extend(latencies.iter().map(|latency| format!("L={latency}")));
        header.extend(latencies.iter().map(|latency| format!("share {latency}")));
        header.extend(["B/pixel", "least"].map(str::to_owned));
        let mut table = Table::new(2, header);
        for (frame, rates) in rows {
            let last = rates[rates.len() - 1];
            let mut cells = vec![frame.name.to_owned(), frame.about.to_owned(), format!("{:.3}", last.bound)];
            cells.extend(rates.iter().map(|rate| format!("{:.3}", rate.pixels_per_clock)));
            cells.extend(rates.iter().map(|rate| format!("{:.1} %", 100.0 * rate.share())));
            cells.push(format!("{:.2}", last.bytes_read_per_pixel));
            cells.push(format!("{:.2}", last.least_bytes_read_per_pixel));
            table.push(cells);
        }
        table
    }

    fn mesh_conditions(&self) -> String {
        let pauses =
            if self.pauses > 0 { format!(", pausing with {} %", self.pauses) } else { String::new() };
        format!(
            "{}: frames of 640 x 480 pixels; memory of {MEMORY_BYTES_PER_CLOCK} bytes a clock{pauses}",
            self.name()
        )
    }

    /// The page and its plots.
    fn mesh_page(
        &self,
        latencies: &[u32],
        rows: &[(&FrameKind, &[FrameRate])],
        page: &Path,
    ) -> Result<Vec<(PathBuf, String)>, Failure> {
        let plot = |title: &str, y: &'static str, value: fn(&FrameRate) -> f64| {
            let panel = |(frame, rates): &(&FrameKind, &[FrameRate])| {
                let points = latencies.iter().map(|latency| f64::from(*latency)).zip(rates.iter().map(value));
                let series = Series { name: self.name(), points: points.collect() };
                Panel { title: frame.name.to_owned(), series: vec![series] }
            };
            panels(title, Axes { x: LATENCY, y }, &rows.iter().map(panel).collect::<Vec<_>>())
        };
        let (rate, bytes) = ("Pixels per clock", "bytes per pixel");
        let content = Page {
            title: "Throughput of mesh jobs",
            meaning: MEANING,
            rate,
            bytes,
            table: Self::mesh_table(latencies, rows),
            conditions: format!("{}.\n", self.mesh_conditions()),
            command: self.page_command("", latencies, page),
            plots: [
                plot(rate, "pixels per clock", |rate| rate.pixels_per_clock)?,
                plot("Bytes read per pixel", bytes, |rate| rate.bytes_read_per_pixel)?,
            ],
        };
        Ok(content.files(page))
    }

    fn mesh_text(&self, latencies: &[u32], rows: &[(&FrameKind, &[FrameRate])]) -> String {
        format!(
            "{}\nL: pixels per clock at that many clocks of latency; share: of the bound, a pixel a clock or what memory allows; bytes \
             read, and the least that any cache reads\n{}\n",
            Self::mesh_table(latencies, rows).text(),
            self.mesh_conditions()
        )
    }

    fn mesh_json(
        &self,
        config: &Config,
        latencies: &[u32],
        rows: &[(&FrameKind, &[FrameRate])],
    ) -> serde_json::Value {
        let frame = |(frame, rates): &(&FrameKind, &[FrameRate])| {
            let runs = latencies.iter().zip(*rates).map(|(latency, rate)| {
                json!({
                    "latency_clocks": latency,
                    "pixels_per_clock": rate.pixels_per_clock,
                    "bound": rate.bound,
                    "bytes_read_per_pixel": rate.bytes_read_per_pixel,
                    "least_bytes_read_per_pixel": rate.least_bytes_read_per_pixel,
                })
            });
            json!({ "frame": frame.name, "about": frame.about, "runs": runs.collect::<Vec<_>>() })
        };
        json!({
            "configurations": [{ "name": self.name(), "hash": config.hash(), "units": config.units() }],
            "memory_bytes_per_clock": MEMORY_BYTES_PER_CLOCK,
            "pauses_percent": self.pauses,
            "results": rows.iter().map(frame).collect::<Vec<_>>(),
        })
    }
}
