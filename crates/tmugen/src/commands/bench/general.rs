//! Configurations of the general numerics: walks over textures, by latency.

use super::Args;
use crate::console::Summary;
use crate::engine::{built, simulation_failure};
use crate::files::Files;
use crate::list::List;
use crate::problem::{Failure, Rule};
use crate::progress;
use crate::table::Table;
use rayon::prelude::*;
use serde_json::json;
use std::path::PathBuf;
use tmu_problem::{Problem, Problems};
use tmu_sim::engines::sampler::general::rates::{Memory, Rate, Walk, measure};
use tmu_sim::engines::sampler::throughput::MEMORY_BYTES_PER_CLOCK;
use tmu_sim::kit::pauses::Pauses;
use tmu_spec::Config;
use tmu_verilate::ModelOptions;

/// The rates of a walk by rising latency; the first has none.
struct Row {
    walk: Walk,
    rates: Vec<Rate>,
}

impl Args {
    /// Measures the walks that were asked for, or all that the configuration builds.
    pub(super) fn run_general(&self, config: &Config, declared: &Files) -> Result<Summary, Failure> {
        self.check_general(config)?;
        let asked = List::flat(&self.walk);
        let built_for = |walk: &Walk| walk.is_built(config);
        let walks: Vec<Walk> = match asked.is_empty() {
            true => Walk::ALL.into_iter().filter(built_for).collect(),
            false => asked,
        };
        let (rtl, model) = built(config, &ModelOptions::default(), self.verbosity)?;
        let latencies = self.latencies();
        let jobs: Vec<_> =
            walks.iter().flat_map(|walk| latencies.iter().map(move |latency| (*walk, *latency))).collect();
        let bar = progress::bar(self.verbosity, jobs.len() as u64, "walks");
        let rate = |&(walk, latency_clocks): &(Walk, u32)| {
            let pauses = Pauses::percent(self.pauses);
            let memory = Memory { latency_clocks, bytes_per_clock: self.memory_bytes(), pauses };
            let rate = measure(&model, &rtl, walk, memory).map_err(|stopped| {
                let mut failure = simulation_failure(stopped);
                for problem in &mut failure.problems {
                    problem.message =
                        format!("{}, latency {latency_clocks}: {}", walk.name(), problem.message);
                    problem.help = format!(
                        "repeat with: tmugen bench {} --walk {} --latency {latency_clocks}",
                        self.config_arguments(),
                        walk.name()
                    );
                }
                failure
            });
            bar.inc(1);
            rate
        };
        let rates = jobs.par_iter().map(rate).collect::<Result<Vec<_>, Failure>>()?;
        bar.finish_and_clear();
        let rates = rates.chunks(latencies.len()).map(<[Rate]>::to_vec);
        let rows: Vec<_> = walks.into_iter().zip(rates).map(|(walk, rates)| Row { walk, rates }).collect();
        let data = self.general_json(config, &latencies, &rows);
        if let Some(output) = &self.output {
            declared.put(&[(output.as_path(), format!("{data:#}\n").as_bytes())])?;
        }
        Ok(Summary::note(self.general_text(&latencies, &rows), data))
    }

    /// Refuses what there is for the classic numerics only, and walks that the configuration does not build.
    fn check_general(&self, config: &Config) -> Result<(), Failure> {
        let name = self.name();
        let classic = [
            (self.workload.is_asked_for(), "--pattern, --quads, --frame, --size and --format"),
            (self.page.is_some(), "--page"),
            (!self.compare.is_empty(), "--compare"),
        ];
        let mut problems: Vec<_> = classic
            .into_iter()
            .filter(|(is_asked, _)| *is_asked)
            .map(|(_, options)| {
                let message =
                    format!("{name} follows the general numerics, of which there is no {options} yet");
                Problem::new(Rule::NotBuilt, message, "use --walk, or a classic preset like fury-single")
            })
            .collect();
        let missing = List::flat(&self.walk).into_iter().filter(|walk| !walk.is_built(config));
        problems.extend(missing.map(|walk| {
            let message =
                format!("{name} does not build what the walk {} needs: {}", walk.name(), walk.about());
            Problem::new(
                Rule::NotBuilt,
                message,
                "choose another walk, or add what is missing to the configuration",
            )
        }));
        Ok(Problems::check(problems)?)
    }

    fn general_text(&self, latencies: &[u32], rows: &[Row]) -> String {
        let mut header = vec!["walk".to_owned(), "what it draws".to_owned()];
        header.extend(latencies.iter().map(|latency| format!("L={latency}")));
        header.extend(latencies.iter().skip(1).map(|latency| format!("kept {latency}")));
        header.extend(["B/sample", "of memory"].map(str::to_owned));
        let mut table = Table::new(2, header);
        for Row { walk, rates } in rows {
            let mut cells = vec![walk.name().to_owned(), walk.about().to_owned()];
            cells.extend(rates.iter().map(|rate| format!("{:.3}", rate.samples_per_clock)));
            let kept = |rate: &Rate| 100.0 * rate.samples_per_clock / rates[0].samples_per_clock;
            cells.extend(rates.iter().skip(1).map(|rate| format!("{:.1} %", kept(rate))));
            let last = rates.last().expect("a latency of 0 is always measured");
            let of_memory = last.bytes_per_clock() / f64::from(self.memory_bytes());
            cells.extend([format!("{:.2}", last.bytes_per_sample), format!("{:.1} %", 100.0 * of_memory)]);
            table.push(cells);
        }
        let pauses =
            if self.pauses > 0 { format!(", pausing with {} %", self.pauses) } else { String::new() };
        format!(
            "{}\nL: samples per clock at that many clocks of latency; kept: share of L=0; bytes, and their share of what memory gives, at \
             the last latency\n\
             {}: walks of 256 x 256 pixels; memory of {} B a clock{pauses}\n",
            table.text(),
            self.name(),
            self.memory_bytes(),
        )
    }

    fn general_json(&self, config: &Config, latencies: &[u32], rows: &[Row]) -> serde_json::Value {
        let walk = |Row { walk, rates }: &Row| {
            let runs = latencies.iter().zip(rates).map(|(latency, rate)| {
                json!({
                    "latency_clocks": latency,
                    "samples_per_clock": rate.samples_per_clock,
                    "bytes_per_sample": rate.bytes_per_sample,
                })
            });
            json!({ "walk": walk.name(), "about": walk.about(), "runs": runs.collect::<Vec<_>>() })
        };
        json!({
            "configurations": [{ "name": self.name(), "hash": config.hash(), "units": config.units() }],
            "pauses_percent": self.pauses,
            "memory_bytes_per_clock": self.memory_bytes(),
            "walks": rows.iter().map(walk).collect::<Vec<_>>(),
        })
    }

    /// Bytes that memory gives a clock.
    fn memory_bytes(&self) -> u32 {
        self.memory_bytes.unwrap_or(MEMORY_BYTES_PER_CLOCK)
    }

    /// How the user calls the configuration.
    pub(super) fn name(&self) -> String {
        self.file.as_ref().map_or_else(|| self.config.name(), |path| path.display().to_string())
    }

    /// The arguments that name it again.
    fn config_arguments(&self) -> String {
        let file: Option<&PathBuf> = self.file.as_ref();
        file.map_or_else(|| self.config.arguments(), |path| path.display().to_string())
    }
}
