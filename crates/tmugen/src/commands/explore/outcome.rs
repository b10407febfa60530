//! Results as lines of JSON, one a job: appended as jobs end, read back to go on, merged from many machines.

use super::sweep::Shard;
use crate::files::Files;
use crate::problem::{Failure, Rule};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use tmu_problem::Problem;
use tmu_sim::engines::sampler::throughput::Cost;

/// What one job has found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Outcome {
    /// Name of the sweep: results of different sweeps do not compare.
    pub(super) sweep: String,
    /// Number of the job.
    pub(super) job: usize,
    /// Legal jobs of the sweep.
    pub(super) jobs: usize,
    /// The shard that did the job; none where all were done together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) shard: Option<Shard>,
    /// Key and value, in the order of the sweep.
    pub(super) settings: Vec<(String, String)>,
    pub(super) cost: Sites,
    /// Samples of all workloads over the clocks that they take one after the other.
    pub(super) samples_per_clock: f64,
    pub(super) workloads: Vec<WorkloadOutcome>,
}

/// Sites that a configuration occupies.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sites {
    pub(super) memory_kb: f64,
    /// RAMB36E2; half of one is a RAMB18E2.
    pub(super) block_rams: f64,
    pub(super) ultra_rams: u32,
    pub(super) lut_ram_bits: u64,
    pub(super) multipliers: u32,
    /// LUTs of all kinds as Yosys finds them, if it was asked.
    pub(super) luts: Option<u64>,
}

impl Sites {
    pub(super) fn new(cost: &Cost, luts: Option<u64>) -> Self {
        Sites {
            memory_kb: cost.memory_kb(),
            block_rams: f64::from(cost.half_block_rams) / 2.0,
            ultra_rams: cost.ultra_rams,
            lut_ram_bits: cost.lut_ram_bits,
            multipliers: cost.multipliers,
            luts,
        }
    }
}

/// What one workload has shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WorkloadOutcome {
    pub(super) name: String,
    pub(super) samples: u64,
    pub(super) samples_per_clock: f64,
    pub(super) bytes_per_sample: f64,
    pub(super) hit_rate: Option<f64>,
}

impl Outcome {
    /// Whether two outcomes say the same, whichever shard found them.
    fn is_of_same_result(&self, other: &Self) -> bool {
        Self { shard: other.shard, ..self.clone() } == *other
    }

    /// Bytes read for a sample, over all workloads.
    pub(super) fn bytes_per_sample(&self) -> f64 {
        // Not as integers: a file may say anything.
        let samples: f64 = self.workloads.iter().map(|workload| workload.samples as f64).sum();
        let bytes = self.workloads.iter().map(|workload| workload.bytes_per_sample * workload.samples as f64);
        bytes.sum::<f64>() / samples.max(1.0)
    }
}

/// Samples of all workloads over the clocks that they take one after the other.
pub(super) fn samples_per_clock(workloads: &[WorkloadOutcome]) -> f64 {
    let samples: u64 = workloads.iter().map(|workload| workload.samples).sum();
    let clocks = workloads.iter().map(|workload| workload.samples as f64 / workload.samples_per_clock);
    samples as f64 / clocks.sum::<f64>()
}

/// The longest line, in bytes; a result of eight workloads has about 2000.
const MAX_LINE_BYTES: u64 = 1 << 20;

/// The longest file, in bytes: some hundred thousand results.
const MAX_FILE_BYTES: u64 = 1 << 30;

/// How every line begins.
const LINE_START: &str = "{\"sweep\":";

/// The lines of a file, and how many bytes of it are whole lines: the last may be cut off where a run was stopped.
struct Lines {
    outcomes: Vec<Outcome>,
    whole_bytes: u64,
}

fn read_lines(path: &Path) -> Result<Lines, Failure> {
    let unreadable = |error: io::Error| {
        Failure::in_file(Rule::Read, path, format!("the results cannot be read: {error}"), "check the path")
    };
    // A file without an end of line is not read to its end.
    let start = tmu_assets::read_start(path, MAX_LINE_BYTES).map_err(unreadable)?;
    if start.len() as u64 == MAX_LINE_BYTES && !start.contains(&b'\n') {
        let message = format!("the first line is longer than {MAX_LINE_BYTES} bytes");
        return Err(Failure::in_file(
            Rule::ResultLine,
            path,
            message,
            "name a file that explore has written",
        ));
    }
    parse_lines(&tmu_assets::read_whole(path, MAX_FILE_BYTES).map_err(unreadable)?, path)
}

fn parse_lines(content: &[u8], path: &Path) -> Result<Lines, Failure> {
    let text = str::from_utf8(content).map_err(|_| {
        Failure::in_file(
            Rule::ResultLine,
            path,
            "the file is not text",
            "name a file that explore has written",
        )
    })?;
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    let (mut outcomes, mut problems) = (Vec::new(), Vec::new());
    for (number, line) in text[..whole].lines().enumerate() {
        match serde_json::from_str::<Outcome>(line) {
            Ok(outcome) => outcomes.push(outcome),
            Err(error) => {
                let help =
                    "name a file that explore has written, or remove the line: its job is then done again";
                let problem = Problem::new(Rule::ResultLine, format!("the line is no result: {error}"), help);
                problems.push(problem.in_file(path).at(number + 1, None));
            }
        }
    }
    // What was cut off is removed to be done again, so it must be the beginning of a line that explore has written.
    let rest = &text[whole..];
    if !(rest.starts_with(LINE_START) || LINE_START.starts_with(rest)) {
        let help = "name a file that explore has written";
        let problem = Problem::new(Rule::ResultLine, "the last line is not the beginning of a result", help);
        problems.push(problem.in_file(path).at(text.lines().count(), None));
    }
    if problems.is_empty() {
        Ok(Lines { outcomes, whole_bytes: whole as u64 })
    } else {
        let omitted = problems.len().saturating_sub(crate::quads::MAX_PROBLEMS);
        problems.truncate(crate::quads::MAX_PROBLEMS);
        Err(Failure { omitted, ..Failure::input(problems) })
    }
}

/// Results by job, all of one sweep.
#[derive(Debug, Clone, Default)]
pub(super) struct Outcomes {
    by_job: BTreeMap<usize, Outcome>,
}

impl Outcomes {
    /// Adds a result, from a file if it was read from one.
    pub(super) fn add(&mut self, outcome: Outcome, file: Option<&Path>) -> Result<(), Failure> {
        let mixed = |message: String| {
            let help = "give only files of one sweep: same version, configuration, --vary, quads and engine";
            let path = file.unwrap_or(Path::new("results"));
            Err(Failure::in_file(Rule::ResultsMixed, path, message, help))
        };
        if let Some(other) = self.by_job.values().next().filter(|other| other.sweep != outcome.sweep) {
            return mixed(format!(
                "the results are of sweep {}, others of sweep {}",
                outcome.sweep, other.sweep
            ));
        }
        match self.by_job.get(&outcome.job) {
            Some(known) if !known.is_of_same_result(&outcome) => {
                mixed(format!("job {} has two different results", outcome.job))
            }
            _ => {
                self.by_job.insert(outcome.job, outcome);
                Ok(())
            }
        }
    }

    /// Reads files and puts their results together, or finds everything that is wrong with any of them.
    pub(super) fn read(paths: &[PathBuf]) -> Result<Self, Failure> {
        let mut outcomes = Outcomes::default();
        let mut failures: Option<Failure> = None;
        for path in paths {
            let read = read_lines(path).and_then(|lines| {
                lines.outcomes.into_iter().try_for_each(|outcome| outcomes.add(outcome, Some(path)))
            });
            match (read, &mut failures) {
                (Ok(()), _) => {}
                (Err(failure), None) => failures = Some(failure),
                (Err(failure), Some(all)) => {
                    all.problems.extend(failure.problems);
                    all.omitted += failure.omitted;
                }
            }
        }
        failures.map_or(Ok(outcomes), Err)
    }

    /// Legal jobs of the sweep; 0 without any result.
    pub(super) fn jobs(&self) -> usize {
        self.by_job.values().next().map_or(0, |one| one.jobs)
    }

    /// Whether every job has its result.
    pub(super) fn is_complete(&self) -> bool {
        self.by_job.len() >= self.jobs()
    }

    /// Shards of which there is no result, if all results are from shards of one number.
    pub(super) fn missing_shards(&self) -> Vec<Shard> {
        let shards: Option<Vec<Shard>> = self.by_job.values().map(|one| one.shard).collect();
        let shards = shards.unwrap_or_default();
        let Some(count) = shards.first().map(|shard| shard.count()) else { return Vec::new() };
        if shards.iter().any(|shard| shard.count() != count) {
            return Vec::new();
        }
        Shard::all(count).filter(|shard| !shards.contains(shard)).collect()
    }

    /// Puts the results of one file together, from its content.
    pub(super) fn parse(content: &[u8], path: &Path) -> Result<Self, Failure> {
        let mut outcomes = Outcomes::default();
        for outcome in parse_lines(content, path)?.outcomes {
            outcomes.add(outcome, Some(path))?;
        }
        Ok(outcomes)
    }

    pub(super) fn has(&self, job: usize) -> bool {
        self.by_job.contains_key(&job)
    }

    /// Results by rising job.
    pub(super) fn all(&self) -> Vec<&Outcome> {
        self.by_job.values().collect()
    }

    /// All results as lines. Those of a whole sweep are of no shard any more.
    pub(super) fn to_lines(&self) -> String {
        let is_complete = self.is_complete();
        let shard = |one: &Outcome| if is_complete { None } else { one.shard };
        self.by_job.values().map(|one| line(&Outcome { shard: shard(one), ..one.clone() })).collect()
    }
}

fn line(outcome: &Outcome) -> String {
    serde_json::to_string(outcome).expect("numbers and names") + "\n"
}

/// A file to which results are appended, each line in one piece.
pub(super) struct Log {
    path: PathBuf,
    file: Mutex<File>,
}

impl Log {
    /// Opens a file for a sweep, with the results that are in it. A line that was cut off is removed.
    pub(super) fn open(files: &Files, path: &Path, sweep: &str) -> Result<(Self, Outcomes), Failure> {
        let mut outcomes = Outcomes::default();
        let mut whole_bytes = None;
        if path.exists() {
            let lines = read_lines(path)?;
            whole_bytes = Some(lines.whole_bytes);
            for outcome in lines.outcomes {
                if outcome.sweep != sweep {
                    let message = format!(
                        "the file holds results of sweep {}, but this is sweep {sweep}",
                        outcome.sweep
                    );
                    let help = "name another file, or remove this one; a sweep has the same version, configuration, \
                                --vary, quads and engine";
                    return Err(Failure::in_file(Rule::ResultsMixed, path, message, help));
                }
                outcomes.add(outcome, Some(path))?;
            }
        }
        let file = files.open_to_append(path, whole_bytes)?;
        Ok((Log { path: path.to_path_buf(), file: Mutex::new(file) }, outcomes))
    }

    /// Appends a result.
    pub(super) fn append(&self, outcome: &Outcome) -> Result<(), Failure> {
        let mut file = self.file.lock().expect("no thread panics while it writes");
        file.write_all(line(outcome).as_bytes()).map_err(|error| unwritable(&self.path, &error))
    }
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    let help = "check that the folder exists, has room and may be written to";
    Failure::in_file(Rule::Write, path, format!("the results cannot be written: {error}"), help)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in super::super) fn outcome(job: usize, memory_kb: f64, rate: f64) -> Outcome {
        let cost = Sites::new(&Cost::default(), None);
        let workload = WorkloadOutcome {
            name: "scan".to_owned(),
            samples: 100,
            samples_per_clock: rate,
            bytes_per_sample: 4.0,
            hit_rate: None,
        };
        Outcome {
            sweep: "a".to_owned(),
            job,
            jobs: 4,
            shard: None,
            settings: vec![("cache.ways".to_owned(), job.to_string())],
            cost: Sites { memory_kb, ..cost },
            samples_per_clock: rate,
            workloads: vec![workload],
        }
    }

    #[test]
    fn a_line_that_was_cut_off_is_done_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.jsonl");
        let mut files = Files::default();
        files.append(&path, "--results");
        let (log, none) = Log::open(&files, &path, "a").unwrap();
        assert!(none.all().is_empty());
        log.append(&outcome(0, 1.0, 0.1)).unwrap();
        log.append(&outcome(2, 1.0, 1.0 / 3.0)).unwrap();
        let whole = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, format!("{whole}{}", &whole[..40])).unwrap();
        let (log, found) = Log::open(&files, &path, "a").unwrap();
        assert_eq!(found.all(), [&outcome(0, 1.0, 0.1), &outcome(2, 1.0, 1.0 / 3.0)]);
        log.append(&outcome(1, 1.0, 0.5)).unwrap();
        assert_eq!(Outcomes::read(std::slice::from_ref(&path)).unwrap().all().len(), 3);
        let mixed = Log::open(&files, &path, "b").err().unwrap();
        assert!(mixed.problems[0].message.contains("sweep a, but this is sweep b"), "{mixed:?}");
    }

    #[test]
    fn results_of_one_job_must_agree() {
        let mut outcomes = Outcomes::default();
        outcomes.add(outcome(1, 1.0, 0.1), None).unwrap();
        outcomes.add(outcome(1, 1.0, 0.1), None).unwrap();
        let failure = outcomes.add(outcome(1, 1.0, 0.2), None).unwrap_err();
        assert!(failure.problems[0].message.contains("job 1 has two different results"), "{failure:?}");
        assert_eq!(outcomes.all().len(), 1);
    }

    #[test]
    fn a_result_says_which_shard_it_is_of() {
        let mut outcomes = Outcomes::default();
        let of = |job: usize, shard: &str| Outcome { shard: shard.parse().ok(), ..outcome(job, 1.0, 0.1) };
        for (job, shard) in [(0, "1/3"), (3, "1/3"), (1, "2/3")] {
            outcomes.add(of(job, shard), None).unwrap();
        }
        assert!(!outcomes.is_complete());
        let missing: Vec<_> = outcomes.missing_shards().iter().map(Shard::to_string).collect();
        assert_eq!(missing, ["3/3"]);
        let lines = outcomes.to_lines();
        assert_eq!(lines.matches("\"shard\":\"1/3\"").count(), 2, "{lines}");
        assert_eq!(Outcomes::parse(lines.as_bytes(), Path::new("r")).unwrap().all(), outcomes.all());
        // The same result of another shard, or of none, is the same result.
        outcomes.add(outcome(1, 1.0, 0.1), None).unwrap();
        outcomes.add(of(2, "3/3"), None).unwrap();
        assert!(outcomes.is_complete() && !outcomes.to_lines().contains("shard"));
        let wrong = lines.replace("\"2/3\"", "\"4/3\"");
        let failure = Outcomes::parse(wrong.as_bytes(), Path::new("r")).unwrap_err();
        assert!(failure.problems[0].message.contains("use K/N"), "{failure:?}");
    }

    #[test]
    fn workloads_one_after_the_other() {
        let mut slow = outcome(0, 1.0, 0.25).workloads;
        slow.extend(outcome(0, 1.0, 1.0).workloads);
        // 100 samples in 400 clocks, 100 in 100.
        assert_eq!(samples_per_clock(&slow), 200.0 / 500.0);
    }
}
