//! `tmugen bench`: how fast the hardware is, on named patterns and lists of quads.

mod general;
mod loader;
mod mesh;
pub(super) mod page;
pub(super) mod report;
pub(super) mod runs;

use crate::args::{ConfigArgs, check_hardware, load_config, with_classic_units};
use crate::choices::classic_presets_parser;
use crate::console::{Summary, Verbosity};
use crate::engine::{built, simulation_failure};
use crate::files::kind::Kind;
use crate::files::{Files, ForceArgs};
use crate::list::{self, List, ListParser};
use crate::problem::{Failure, Rule};
use crate::workload::WorkloadArgs;
use clap::builder::PossibleValue;
use report::{Report, Subject};
use runs::{Candidate, Job, rows};
use std::path::{Path, PathBuf};
use tmu_sim::engines::sampler::general::rates::Walk;
use tmu_sim::engines::sampler::throughput::MEMORY_BYTES_PER_CLOCK;
use tmu_sim::kit::pauses::Pauses;
use tmu_spec::config::EngineKind;
use tmu_spec::{Config, Preset};
use tmu_verilate::ModelOptions;

/// Accepts names of walks.
fn walk_parser() -> ListParser<Walk> {
    let values = Walk::ALL.map(|walk| PossibleValue::new(walk.name()).help(walk.about()));
    list::names(values, Walk::from_name)
}

/// Measure how fast the hardware is: samples per clock, by pattern and memory latency
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The hardware runs in simulation; every result is compared with the golden model, and a wrong one is a failure. Memory \
gives 16 bytes a clock of the units to all units together, the streams never hold the units up, and a latency of 0 is \
always measured, since the others are shown as shares of it. docs/reference/throughput.md says what each figure means. \
With --page a page in Markdown is written, and two plots beside it: PAGE-rate.svg and PAGE-bytes.svg.

A configuration of the general numerics (multi-lite) draws walks instead of patterns: --walk chooses some. One with the \
engine mesh and no texture units draws frames of 640 x 480 pixels.

Examples:
  tmugen bench
  tmugen bench --preset multi-lite --walk trilinear,cube --latency 20,60
  tmugen bench --preset han --walk bc1 --memory-bytes 1
  tmugen bench --compare fury-single,fury --pattern scan,vertical --latency 20
  tmugen bench my_tmu.toml --quads quads.csv --texture coffee.toml --pauses
  tmugen bench --compare fury-single,fury --page throughput.md -o throughput.json")]
pub(crate) struct Args {
    /// A configuration file; the same as --config
    #[arg(value_name = "CONFIG", conflicts_with_all = ["preset", "config"])]
    file: Option<PathBuf>,
    #[command(flatten)]
    config: ConfigArgs,
    /// Presets to set side by side, parted by commas, with the configuration file if there is one
    #[arg(long, value_name = "P", value_parser = classic_presets_parser(), conflicts_with = "preset")]
    compare: Vec<List<String>>,
    #[command(flatten)]
    workload: WorkloadArgs,
    /// Walks of a configuration of the general numerics, parted by commas [default: all that it builds]
    #[arg(long, value_name = "WALK", value_parser = walk_parser())]
    walk: Vec<List<Walk>>,
    /// Clocks of the units from an address to its data, parted by commas; 0 is the least there is
    #[arg(long, value_name = "CLOCKS", default_value = "0,20,60,200", value_parser = list::numbers(0..=10_000))]
    latency: Vec<List<u32>>,
    /// Bytes that memory gives a clock of the units, for walks [default: 16]
    #[arg(
        long, value_name = "BYTES", conflicts_with = "compare",
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MEMORY_BYTES_PER_CLOCK))
    )]
    memory_bytes: Option<u32>,
    /// Memory pauses at random, in this many percent of the clocks [default: 10 where none are given]
    #[arg(
        long, value_name = "PERCENT", num_args = 0..=1, require_equals = true, default_value_t = 0,
        default_missing_value = "10", hide_default_value = true, value_parser = clap::value_parser!(u8).range(0..=95)
    )]
    pauses: u8,
    /// Where to write all figures, as --json prints them
    #[arg(short, long, value_name = "R.json")]
    output: Option<PathBuf>,
    /// The page to write, in Markdown with plots
    #[arg(long, value_name = "PAGE.md")]
    page: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
    #[command(flatten)]
    pub(crate) verbosity: Verbosity,
}

impl Args {
    pub(crate) fn run(&self) -> Result<Summary, Failure> {
        let declared = self.files();
        declared.check()?;
        if let Some(config) = self.own_workloads()? {
            return match config.features().general() {
                Some(_) => self.run_general(&config, &declared),
                None if config.engines().contains(&EngineKind::Mesh) => self.run_mesh(&config, &declared),
                None => self.run_loader(&config, &declared),
            };
        }
        let report = self.measure()?;
        self.write(&report, &declared)?;
        Ok(Summary::note(report.text(), report.json()))
    }

    /// The configuration, where it has workloads of its own: it follows the general numerics, or has the engine `mesh` or
    /// `loader` and no texture units.
    fn own_workloads(&self) -> Result<Option<Config>, Failure> {
        let config = match self.file.as_deref() {
            Some(path) => load_config(path)?,
            None if self.config.file().is_none() && !self.compare.is_empty() => return Ok(None),
            None => self.config.load()?,
        };
        let has = |kind| config.engines().contains(&kind);
        let is_general = config.features().general().is_some();
        if (!self.walk.is_empty() || self.memory_bytes.is_some()) && !is_general {
            let message =
                format!("{} draws no walks, which --walk and --memory-bytes are for", self.config.name());
            let help = "leave them out, or use a preset of the general numerics, like multi-lite";
            return Err(Failure::new(Rule::NotBuilt, message, help));
        }
        if config.units() == 0 && (has(EngineKind::Mesh) || has(EngineKind::Loader)) {
            check_hardware(&config)?;
            return Ok(Some(config));
        }
        Ok(is_general.then_some(config))
    }

    /// What is read and written.
    fn files(&self) -> Files {
        let mut files = Files::new(self.force);
        files.read_all(self.file.as_deref().or(self.config.file()), "the configuration");
        self.workload.declare(&mut files);
        files.write_all(&self.output, "-o", Kind::Rates);
        if let Some(page) = &self.page {
            files.write(page, "--page", Kind::RatesPage);
            files.write_all(page::plots(page), "a plot beside --page", Kind::Plot);
        }
        files
    }

    /// The configurations in the order in which they were named, and the arguments that name each again.
    fn candidates(&self) -> Result<(Vec<String>, Vec<Candidate>), Failure> {
        let mut named = Vec::new();
        let file = self.file.as_deref().or(self.config.file());
        if let Some(path) = file {
            named.push((
                path.display().to_string(),
                format!("{}", path.display()),
                with_classic_units(load_config(path)?, &path.display().to_string())?,
            ));
        } else if self.compare.is_empty() {
            named.push((self.config.name(), self.config.arguments(), self.config.load_classic()?));
        }
        for name in List::flat(&self.compare) {
            let preset = Preset::find(&name).expect("the parser lets only presets pass");
            let config = preset.config().map_err(|problems| problems.in_file(Path::new(&name)))?;
            let config = with_classic_units(config, &name)?;
            if named.iter().all(|(known, ..)| *known != name) {
                named.push((name.clone(), format!("--preset {name}"), config));
            }
        }
        let all = self.workload.load()?;
        let candidate = |(name, arguments, config): (String, String, Config)| {
            let workloads = all.of(&config, &name)?;
            Ok((arguments, Candidate { subject: Subject { name, config }, workloads }))
        };
        named.into_iter().map(candidate).collect()
    }

    /// Rising latencies, 0 among them.
    fn latencies(&self) -> Vec<u32> {
        let mut latencies = [vec![0], List::flat(&self.latency)].concat();
        latencies.sort_unstable();
        latencies.dedup();
        latencies
    }

    /// All runs.
    fn measure(&self) -> Result<Report, Failure> {
        let (arguments, candidates) = self.candidates()?;
        let hardware = candidates
            .iter()
            .map(|candidate| built(&candidate.subject.config, &ModelOptions::default(), self.verbosity))
            .collect::<Result<Vec<_>, _>>()?;
        let failed = |job: &Job<'_>, stopped| {
            let mut failure = simulation_failure(stopped);
            for problem in &mut failure.problems {
                let (name, pattern) = (&candidates[job.number].subject.name, &job.workload.name);
                problem.message =
                    format!("{name}, {pattern}, latency {}: {}", job.latency_clocks, problem.message);
                problem.help = format!("repeat with: {}", self.command(&arguments[job.number], job));
            }
            failure
        };
        let pauses = Pauses::percent(self.pauses);
        let rows = rows(&candidates, &hardware, &self.latencies(), pauses, self.verbosity, failed)?;
        Ok(Report {
            rows,
            pauses_percent: self.pauses,
            size: self.workload.size(),
            format: self.workload.format(&candidates[0].subject.config),
            subjects: candidates.into_iter().map(|candidate| candidate.subject).collect(),
        })
    }

    /// The command that repeats one run.
    fn command(&self, arguments: &str, job: &Job<'_>) -> String {
        let Job { workload, latency_clocks, .. } = job;
        let pauses = if self.pauses > 0 { format!(" --pauses={}", self.pauses) } else { String::new() };
        let workload = self.workload.arguments(workload);
        format!("tmugen bench {arguments}{workload} --latency {latency_clocks}{pauses}")
    }

    /// The command that makes the page, with everything in it that changes a figure; `workload` are the arguments of what is drawn.
    fn page_command(&self, workload: &str, latencies: &[u32], page: &Path) -> String {
        let mut command = "cargo run --release -- bench".to_owned();
        if let Some(file) = self.file.as_deref().or(self.config.file()) {
            command += &format!(" {}", file.display());
        } else if self.compare.is_empty() {
            command += &format!(" {}", self.config.arguments());
        }
        if !self.compare.is_empty() {
            command += &format!(" --compare {}", List::flat(&self.compare).join(","));
        }
        let latencies: Vec<_> = latencies.iter().map(u32::to_string).collect();
        command += &format!("{workload} --latency {}", latencies.join(","));
        if self.pauses > 0 {
            command += &format!(" --pauses={}", self.pauses);
        }
        command + &format!(" --page {}", page.display())
    }

    fn write(&self, report: &Report, declared: &Files) -> Result<(), Failure> {
        let mut files: Vec<(PathBuf, String)> = Vec::new();
        if let Some(output) = &self.output {
            files.push((output.clone(), format!("{:#}\n", report.json())));
        }
        if let Some(page) = &self.page {
            let workload = self.workload.all_arguments();
            files.extend(page::files(report, page, self.page_command(&workload, &report.latencies(), page))?);
        }
        let files: Vec<_> = files.iter().map(|(path, text)| (path.as_path(), text.as_bytes())).collect();
        declared.put(&files)
    }
}
