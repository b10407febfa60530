//! Configurations with the engine `loader`: whole textures, by latency.

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
use tmu_sim::engines::loader::rates::{TEXTURES, TextureKind, TextureRate, measure};
use tmu_sim::engines::sampler::throughput::MEMORY_BYTES_PER_CLOCK;
use tmu_sim::kit::pauses::Pauses;
use tmu_spec::Config;
use tmu_verilate::ModelOptions;

/// What the figures mean.
const MEANING: &str = include_str!("loader_meaning.md");

/// Rates of a texture, a latency each.
type Row<'a> = (&'a TextureKind, &'a [TextureRate]);

impl Args {
    /// Measures all textures.
    pub(super) fn run_loader(&self, config: &Config, declared: &Files) -> Result<Summary, Failure> {
        let others = [
            (self.workload.is_asked_for(), "--pattern, --quads, --frame, --size and --format"),
            (!self.walk.is_empty(), "--walk"),
            (!self.compare.is_empty(), "--compare"),
        ];
        if let Some((_, options)) = others.into_iter().find(|(is_asked, _)| *is_asked) {
            let message =
                format!("{} has the engine \"loader\", for which there is no {options}", self.name());
            let help = "leave it out, or choose a configuration of texture units";
            return Err(Failure::new(Rule::NotBuilt, message, help));
        }
        let (_, model) = built(config, &ModelOptions::default(), self.verbosity)?;
        let latencies = self.latencies();
        let jobs: Vec<_> =
            TEXTURES.iter().flat_map(|kind| latencies.iter().map(move |latency| (kind, *latency))).collect();
        let bar = progress::bar(self.verbosity, jobs.len() as u64, "textures");
        let pauses = Pauses::percent(self.pauses);
        let rate = |&(kind, latency_clocks): &(&TextureKind, u32)| {
            let rate = measure(&model, config, kind, latency_clocks, pauses).map_err(simulation_failure);
            bar.inc(1);
            rate
        };
        let rates = jobs.par_iter().map(rate).collect::<Result<Vec<_>, Failure>>()?;
        bar.finish_and_clear();
        let rows: Vec<_> = TEXTURES.iter().zip(rates.chunks(latencies.len())).collect();
        let data = self.loader_json(config, &latencies, &rows);
        let mut files = Vec::new();
        if let Some(output) = &self.output {
            files.push((output.clone(), format!("{data:#}\n")));
        }
        if let Some(page) = &self.page {
            files.extend(self.loader_page(&latencies, &rows, page)?);
        }
        let files: Vec<_> = files.iter().map(|(path, text)| (path.as_path(), text.as_bytes())).collect();
        declared.put(&files)?;
        Ok(Summary::note(self.loader_text(&latencies, &rows), data))
    }

    /// What was measured, a texture a row.
    fn loader_table(latencies: &[u32], rows: &[Row<'_>]) -> Table {
        let mut header = vec!["texture".to_owned(), "what it is".to_owned(), "bound".to_owned()];
        header.extend(latencies.iter().map(|latency| format!("L={latency}")));
        header.extend(["B/texel read", "written"].map(str::to_owned));
        let mut table = Table::new(2, header);
        for (texture, rates) in rows {
            let last = rates[rates.len() - 1];
            let mut cells =
                vec![texture.name.to_owned(), texture.about.to_owned(), format!("{:.3}", last.bound)];
            cells.extend(rates.iter().map(|rate| format!("{:.3}", rate.texels_per_clock)));
            cells.extend(last.bytes_per_texel().map(|bytes| format!("{bytes:.2}")));
            table.push(cells);
        }
        table
    }

    fn loader_conditions(&self) -> String {
        let pauses =
            if self.pauses > 0 { format!(", pausing with {} %", self.pauses) } else { String::new() };
        format!("{}: memory of {MEMORY_BYTES_PER_CLOCK} bytes a clock{pauses}", self.name())
    }

    /// The page and its plots.
    fn loader_page(
        &self,
        latencies: &[u32],
        rows: &[Row<'_>],
        page: &Path,
    ) -> Result<Vec<(PathBuf, String)>, Failure> {
        let plot = |title: &str, y: &'static str, value: fn(&TextureRate) -> f64| {
            let panel = |(texture, rates): &Row<'_>| {
                let points = latencies.iter().map(|latency| f64::from(*latency)).zip(rates.iter().map(value));
                let series = Series { name: self.name(), points: points.collect() };
                Panel { title: texture.name.to_owned(), series: vec![series] }
            };
            panels(title, Axes { x: LATENCY, y }, &rows.iter().map(panel).collect::<Vec<_>>())
        };
        let (rate, bytes) = ("Texels per clock", "bytes read per texel");
        let content = Page {
            title: "Throughput of the loader",
            meaning: MEANING,
            rate,
            bytes,
            table: Self::loader_table(latencies, rows),
            conditions: format!("{}.\n", self.loader_conditions()),
            command: self.page_command("", latencies, page),
            plots: [
                plot(rate, "texels per clock", |rate| rate.texels_per_clock)?,
                plot("Bytes read per texel", bytes, |rate| rate.bytes_per_texel()[0])?,
            ],
        };
        Ok(content.files(page))
    }

    fn loader_text(&self, latencies: &[u32], rows: &[Row<'_>]) -> String {
        format!(
            "{}\nL: texels of level 0 per clock at that many clocks of latency; bound: what memory allows\n{}\n",
            Self::loader_table(latencies, rows).text(),
            self.loader_conditions()
        )
    }

    fn loader_json(&self, config: &Config, latencies: &[u32], rows: &[Row<'_>]) -> serde_json::Value {
        let texture = |(texture, rates): &Row<'_>| {
            let runs = latencies.iter().zip(*rates).map(|(latency, rate)| {
                json!({
                    "latency_clocks": latency,
                    "texels_per_clock": rate.texels_per_clock,
                    "bound": rate.bound,
                    "lines_read": rate.done.lines_read,
                    "lines_written": rate.done.lines_written,
                })
            });
            json!({ "texture": texture.name, "about": texture.about, "runs": runs.collect::<Vec<_>>() })
        };
        json!({
            "configurations": [{ "name": self.name(), "hash": config.hash(), "units": config.units() }],
            "memory_bytes_per_clock": MEMORY_BYTES_PER_CLOCK,
            "pauses_percent": self.pauses,
            "results": rows.iter().map(texture).collect::<Vec<_>>(),
        })
    }
}
