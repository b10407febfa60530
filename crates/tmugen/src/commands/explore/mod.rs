//! `tmugen explore`: which configurations are worth their cost.

mod front;
mod outcome;
mod sweep;

use crate::args::{ConfigArgs, load_config, with_classic_units};
use crate::console::{Summary, Verbosity};
use crate::engine::{model_failure, setup_failure, simulation_failure};
use crate::files::kind::Kind;
use crate::files::{Files, ForceArgs};
use crate::problem::{Failure, Rule};
use crate::progress;
use crate::workload::{WorkloadArgs, Workloads};
use front::Front;
use indicatif::ProgressBar;
use outcome::{Log, Outcome, Outcomes, Sites, WorkloadOutcome};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use sweep::{Job, Shard, Sweep, SweepName, Varied};
use tmu_sim::engines::sampler::throughput::{Conditions, Cost, Workload, estimate, measure};
use tmu_sim::kit::pauses::Pauses;
use tmu_sim::kit::rtl::Rtl;
use tmu_spec::Config;
use tmu_verilate::{Family, ModelOptions, synthesize};

/// Sweep a configuration: cost against throughput, and the front of what is worth its cost
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Every combination of the values of all --vary is a job; combinations that are no legal configuration are left out. The \
cost is the RAM that the hardware is made of, in kilobits of whole block RAMs and UltraRAMs and of LUTs used as RAM. \
The model follows the cache: its throughput is a bound for the blocking cache, and close to the hardware's for the \
prefetching one; the hardware in simulation (--engine rtl) gives the throughput itself, as bench measures it. That of \
several workloads is their samples over the clocks that they take one after the other.
Results are appended to the file of --results, a line of JSON each; the same command goes on where it was stopped. \
--shard K/N does every Nth job, so that N machines share the work, and merge puts their files together. Each line says \
which shard it is of; merge refuses results that are not of all configurations, unless --partial is given.

Examples:
  tmugen explore --size 64
  tmugen explore --vary cache.ways=1,4 --vary cache.sets=64,256 --pattern scan,floor --size 64 --csv front.csv --svg front.svg
  tmugen explore --quads quads.csv --results a.jsonl --shard 1/2
  tmugen explore --quads quads.csv --results b.jsonl --shard 2/2
  tmugen explore merge a.jsonl b.jsonl --svg front.svg
  tmugen explore --preset stream --vary cache.queue_depth=64,256 --vary axi.outstanding_reads=16,64 --size 64
  tmugen explore --engine rtl --vary cache.sets=64,1024 --pattern vertical --results rtl.jsonl"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Option<Action>,
    /// The configuration to start from; the same as --config
    #[arg(value_name = "CONFIG", conflicts_with_all = ["preset", "config"])]
    file: Option<PathBuf>,
    #[command(flatten)]
    config: ConfigArgs,
    /// A key and its values; give it once for each key [default: ways, sets and RAM of the cache]
    #[arg(long, value_name = "KEY=V,V")]
    vary: Vec<String>,
    #[command(flatten)]
    workload: WorkloadArgs,
    /// What tells the throughput
    #[arg(long, value_enum, default_value_t)]
    engine: Engine,
    /// Clocks of the units from an address to its data
    #[arg(long, value_name = "CLOCKS", default_value_t = 60, value_parser = clap::value_parser!(u32).range(0..=10_000))]
    latency: u32,
    /// Count LUTs with Yosys too, which takes minutes for each configuration
    #[arg(long)]
    luts: bool,
    /// Where results are kept, to go on from
    #[arg(long, value_name = "R.jsonl")]
    results: Option<PathBuf>,
    /// Do only every Nth job, starting with the Kth
    #[arg(long, value_name = "K/N", requires = "results")]
    shard: Option<Shard>,
    #[command(flatten)]
    show: ShowArgs,
    #[command(flatten)]
    force: ForceArgs,
    #[command(flatten)]
    pub(crate) verbosity: Verbosity,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Put the results of shards together
    Merge(MergeArgs),
}

#[derive(Debug, clap::Args)]
struct MergeArgs {
    /// Files of results
    #[arg(value_name = "R.jsonl", required = true)]
    files: Vec<PathBuf>,
    /// Where to write all results
    #[arg(short, long, value_name = "ALL.jsonl")]
    output: Option<PathBuf>,
    /// Refuse results that are not of all configurations and write nothing then; so it is without this option, too,
    /// which says in a script that the next step relies on it
    #[arg(long, conflicts_with = "partial")]
    complete: bool,
    /// Take what there is, whether it is of all configurations or not
    #[arg(long)]
    partial: bool,
    #[command(flatten)]
    show: ShowArgs,
    #[command(flatten)]
    force: ForceArgs,
}

/// How results are shown.
#[derive(Debug, clap::Args)]
struct ShowArgs {
    /// Show every result, not only the front
    #[arg(long)]
    all: bool,
    /// Where to write every result with all its figures
    #[arg(long, value_name = "F.csv")]
    csv: Option<PathBuf>,
    /// Where to plot throughput against cost
    #[arg(long, value_name = "F.svg")]
    svg: Option<PathBuf>,
}

/// A sweep with what it is run on.
struct Run<'a> {
    sweep: &'a Sweep,
    fingerprint: &'a str,
    workloads: &'a Workloads<'a>,
}

/// What tells the throughput of a configuration.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
enum Engine {
    /// The cache model
    #[default]
    Model,
    /// The hardware in simulation; needs Verilator
    Rtl,
}

impl Args {
    pub(crate) fn run(&self) -> Result<Summary, Failure> {
        if let Some(Action::Merge(args)) = &self.action {
            return args.run();
        }
        let varied = match self.vary.as_slice() {
            [] => Varied::parse_all(sweep::DEFAULT)?,
            varied => Varied::parse_all(varied.iter().map(String::as_str))?,
        };
        let files = self.files();
        files.check()?;
        let base = match &self.file {
            Some(path) => with_classic_units(load_config(path)?, &path.display().to_string())?,
            None => self.config.load_classic()?,
        };
        let sweep = Sweep::new(&base, &varied)?;
        let workloads = self.workload.load()?;
        let fingerprint = self.fingerprint(&base, &varied, &workloads)?;
        let (log, known) = match &self.results {
            Some(path) => {
                let (log, known) = Log::open(&files, path, &fingerprint)?;
                (Some(log), known)
            }
            None => (None, Outcomes::default()),
        };
        let shard = self.shard.unwrap_or(Shard::ALL);
        let run = Run { sweep: &sweep, fingerprint: &fingerprint, workloads: &workloads };
        let outcomes = self.explore(&run, shard, log.as_ref(), known)?;
        self.show.write(&outcomes, None, &files)?;
        let illegal = sweep.combinations - sweep.jobs.len();
        Ok(self.show.summary(&outcomes, self.shard, sweep.first_illegal.as_deref(), illegal))
    }

    /// What is read and written.
    fn files(&self) -> Files {
        let mut files = Files::new(self.force);
        files.read_all(self.file.as_deref().or(self.config.file()), "the configuration");
        self.workload.declare(&mut files);
        if let Some(results) = &self.results {
            files.append(results, "--results");
        }
        self.show.declare(&mut files);
        files
    }

    /// Everything that figures depend on.
    fn fingerprint(&self, base: &Config, varied: &[Varied], all: &Workloads<'_>) -> Result<String, Failure> {
        let mut name = SweepName::default();
        name.add(env!("CARGO_PKG_VERSION"));
        name.add(base.canonical_toml());
        varied.iter().for_each(|one| name.add(&one.to_string()));
        name.add(&format!("{:?} {} {}", self.engine, self.latency, self.luts));
        for workload in all.of(base, &self.base_name())? {
            name.add(&format!("{} {:?}", workload.name, workload.binding));
            workload.quads.iter().for_each(|quad| name.add_quad(quad));
        }
        Ok(name.finish())
    }

    /// How the user calls the configuration that the sweep starts from.
    fn base_name(&self) -> String {
        self.file.as_ref().map_or_else(|| self.config.name(), |path| path.display().to_string())
    }

    /// Does the jobs of a shard that are not done, on all processors.
    fn explore(
        &self,
        run: &Run<'_>,
        shard: Shard,
        log: Option<&Log>,
        known: Outcomes,
    ) -> Result<Outcomes, Failure> {
        let todo: Vec<_> =
            run.sweep.jobs.iter().filter(|job| shard.has(job.number) && !known.has(job.number)).collect();
        let bar = progress::bar(self.verbosity, todo.len() as u64, "configurations");
        bar.set_message("exploring");
        bar.tick();
        let outcomes = Mutex::new(known);
        let done: Result<(), Failure> = todo.par_iter().try_for_each(|job| {
            let outcome = self.outcome(job, run, &bar)?;
            if let Some(log) = log {
                log.append(&outcome)?;
            }
            bar.inc(1);
            outcomes.lock().expect("no thread panics while it adds").add(outcome, None)
        });
        bar.finish_and_clear();
        done?;
        Ok(outcomes.into_inner().expect("no thread panics while it adds"))
    }

    fn outcome(&self, job: &Job, run: &Run<'_>, bar: &ProgressBar) -> Result<Outcome, Failure> {
        let settings: Vec<_> = job.settings.iter().map(|(key, value)| format!("{key}={value}")).collect();
        let about = |failure: Failure| {
            let mut failure = failure;
            for problem in &mut failure.problems {
                problem.message = format!("{}: {}", settings.join(" "), problem.message);
            }
            failure
        };
        let workloads = run.workloads.of(&job.config, &settings.join(" "))?;
        let cost = Cost::of(&job.config).map_err(|error| about(setup_failure(&error.into())))?;
        let luts = if self.luts { Some(luts(&job.config).map_err(about)?) } else { None };
        let workloads = match self.engine {
            Engine::Model => workloads.iter().map(|workload| self.estimated(&job.config, workload)).collect(),
            Engine::Rtl => {
                bar.set_message("building");
                let (rtl, model) = tmu_sim::kit::rtl::build(&job.config, &ModelOptions::default())
                    .map_err(|error| about(setup_failure(&error)))?;
                bar.set_message("measuring");
                let measured =
                    workloads.iter().map(|workload| self.measured(&rtl, &model, workload).map_err(about));
                measured.collect::<Result<Vec<_>, _>>()?
            }
        };
        Ok(Outcome {
            sweep: run.fingerprint.to_owned(),
            job: job.number,
            jobs: run.sweep.jobs.len(),
            shard: self.shard,
            settings: job.settings.clone(),
            cost: Sites::new(&cost, luts),
            samples_per_clock: outcome::samples_per_clock(&workloads),
            workloads,
        })
    }

    fn estimated(&self, config: &Config, workload: &Workload) -> WorkloadOutcome {
        let estimate = estimate(config, workload, self.latency);
        WorkloadOutcome {
            name: workload.name.clone(),
            samples: workload.samples(),
            samples_per_clock: estimate.samples_per_clock,
            bytes_per_sample: estimate.bytes_per_sample,
            hit_rate: Some(estimate.lookups.hit_rate()),
        }
    }

    fn measured(
        &self,
        rtl: &Rtl,
        model: &tmu_verilate::Model,
        workload: &Workload,
    ) -> Result<WorkloadOutcome, Failure> {
        let conditions = Conditions { latency_clocks: self.latency, pauses: Pauses::NONE };
        let measured = measure(model, rtl, workload, conditions, |_| ()).map_err(simulation_failure)?;
        Ok(WorkloadOutcome {
            name: workload.name.clone(),
            samples: measured.samples,
            samples_per_clock: measured.samples_per_clock(),
            bytes_per_sample: measured.bytes_per_sample(),
            hit_rate: measured.lookups.map(|lookups| lookups.hit_rate()),
        })
    }
}

/// Results of one file in every form in which they are shown or written.
pub(crate) fn shown(content: &[u8], path: &Path) -> Result<String, Failure> {
    let outcomes = Outcomes::parse(content, path)?;
    let front = Front::new(outcomes.all());
    Ok(front.table(true).text() + &front.csv() + &front.svg()? + &outcomes.to_lines())
}

/// The number of jobs of a sweep over the default configuration, whose `--vary` stand on lines.
pub(crate) fn jobs(lines: &str) -> Result<usize, Failure> {
    let varied = Varied::parse_all(lines.lines())?;
    let base =
        Config::from_toml("").unwrap_or_else(|errors| unreachable!("the defaults are legal: {errors}"));
    Ok(Sweep::new(&base, &varied)?.jobs.len())
}

/// LUTs of a configuration's hardware, used as logic or memory.
fn luts(config: &Config) -> Result<u64, Failure> {
    let rtl = Rtl::generate(config).map_err(|error| setup_failure(&error.into()))?;
    let synthesis = synthesize(&rtl.source, Family::UltraScalePlus).map_err(|error| model_failure(&error))?;
    Ok((synthesis.counts.lut + synthesis.counts.lut_memory) as u64)
}

impl MergeArgs {
    fn run(&self) -> Result<Summary, Failure> {
        let mut files = Files::new(self.force);
        files.read_all(&self.files, "results");
        files.write_all(&self.output, "-o", Kind::Results);
        self.show.declare(&mut files);
        files.check()?;
        let outcomes = Outcomes::read(&self.files)?;
        if outcomes.all().is_empty() {
            let message = "there are no results in the files";
            return Err(Failure::in_file(Rule::ResultLine, &self.files[0], message, "run the shards first"));
        }
        if (self.complete || !self.partial) && !outcomes.is_complete() {
            return Err(self.incomplete(&outcomes));
        }
        self.show.write(&outcomes, self.output.as_ref(), &files)?;
        Ok(self.show.summary(&outcomes, None, None, 0))
    }

    /// Results are missing, and whose.
    fn incomplete(&self, outcomes: &Outcomes) -> Failure {
        let (jobs, done) = (outcomes.jobs(), outcomes.all().len());
        let mut message = format!("{} of {jobs} configurations have no result", jobs - done);
        let missing: Vec<_> = outcomes.missing_shards().iter().map(Shard::to_string).collect();
        if !missing.is_empty() {
            let shards = if missing.len() == 1 { "shard" } else { "shards" };
            message += &format!(": no file has any of {shards} {}", missing.join(", "));
        }
        let help =
            "name the files of all shards, run again what was stopped, or show what there is with --partial";
        Failure::in_file(Rule::Incomplete, &self.files[0], message, help)
    }
}

impl ShowArgs {
    fn declare(&self, files: &mut Files) {
        files.write_all(&self.csv, "--csv", Kind::Front);
        files.write_all(&self.svg, "--svg", Kind::Plot);
    }

    fn write(&self, outcomes: &Outcomes, lines: Option<&PathBuf>, declared: &Files) -> Result<(), Failure> {
        let front = Front::new(outcomes.all());
        let mut files: Vec<(&PathBuf, String)> = Vec::new();
        files.extend(lines.map(|path| (path, outcomes.to_lines())));
        files.extend(self.csv.as_ref().map(|path| (path, front.csv())));
        if let Some(path) = &self.svg {
            files.push((path, front.svg()?));
        }
        let files: Vec<_> = files.iter().map(|(path, text)| (path.as_path(), text.as_bytes())).collect();
        declared.put(&files)
    }

    fn summary(
        &self,
        outcomes: &Outcomes,
        shard: Option<Shard>,
        first_illegal: Option<&str>,
        illegal: usize,
    ) -> Summary {
        let all = outcomes.all();
        let jobs = outcomes.jobs();
        let sweep = all.first().map(|one| one.sweep.clone());
        let front = Front::new(all);
        let of_front = front.rows.iter().filter(|(_, is_on_front)| *is_on_front).count();
        let mut text = front.table(self.all).text();
        let done = front.rows.len();
        let _ = writeln!(text, "\n{of_front} of {done} configurations are worth their cost");
        if done < jobs {
            let _ = writeln!(text, "{} of {jobs} configurations are still to be done", jobs - done);
            let of = shard.map_or_else(String::new, |shard| format!("This is shard {shard}: "));
            let _ = writeln!(
                text,
                "{of}the front is that of {done} configurations, not of the sweep; `tmugen explore merge` puts shards together"
            );
        }
        if let Some(reason) = first_illegal {
            let _ = writeln!(text, "{illegal} combinations are no legal configuration, the first: {reason}");
        }
        let results: Vec<Value> = front
            .rows
            .iter()
            .map(|(one, is_on_front)| {
                let mut value = serde_json::to_value(one).expect("numbers and names");
                value["front"] = (*is_on_front).into();
                value["settings"] =
                    one.settings.iter().cloned().map(|(key, value)| (key, Value::from(value))).collect();
                value
            })
            .collect();
        let data = json!({
            "sweep": sweep,
            "shard": shard,
            "jobs": jobs,
            "done": done,
            "complete": outcomes.is_complete(),
            "illegal": illegal,
            "results": results,
        });
        Summary::note(text, data)
    }
}
