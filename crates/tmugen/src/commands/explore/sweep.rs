//! What is swept: keys of a configuration with the values that each takes, and all their combinations as numbered jobs.

use crate::args::not_classic;
use crate::problem::{Failure, Rule};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use tmu_problem::{Place, Problem, Problems, RuleCode};
use tmu_spec::config::ErrorCode;
use tmu_spec::{Config, Quad};
use toml::{Table, Value};

/// The most combinations of a sweep.
const MOST_JOBS: usize = 1_000_000;

/// What is swept where nothing else is asked for.
pub(super) const DEFAULT: [&str; 3] =
    ["cache.ways=1,2,4,8", "cache.sets=16,64,256,1024,4096", "cache.data_ram=block,ultra"];

/// A key with the values that it takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Varied {
    /// As in `cache.sets`.
    pub(super) key: String,
    /// As they stand in a configuration, or names without their quotes.
    pub(super) values: Vec<String>,
}

impl FromStr for Varied {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let rule = "not of the form KEY=VALUE,VALUE as in cache.sets=256,1024";
        let (key, values) = text.split_once('=').ok_or(rule)?;
        let values: Vec<_> = values.split(',').map(|value| value.trim().to_owned()).collect();
        if key.trim().is_empty() || values.iter().any(String::is_empty) {
            return Err(rule.to_owned());
        }
        Ok(Varied { key: key.trim().to_owned(), values })
    }
}

impl Varied {
    /// Reads every --vary.
    ///
    /// # Errors
    /// All that are no key with its values.
    pub(super) fn parse_all<'t>(texts: impl IntoIterator<Item = &'t str>) -> Result<Vec<Self>, Failure> {
        let (mut varied, mut problems) = (Vec::new(), Vec::new());
        for text in texts {
            match text.parse() {
                Ok(one) => varied.push(one),
                Err(rule) => {
                    let message = format!("--vary {text}: {rule}");
                    problems.push(Problem::new(Rule::Sweep, message, "give KEY=VALUE,VALUE"));
                }
            }
        }
        if problems.is_empty() { Ok(varied) } else { Err(refused(problems)) }
    }
}

/// A sweep that cannot be made, with everything that is wrong with it.
fn refused(problems: Vec<Problem>) -> Failure {
    Failure { exit: Rule::Sweep.exit(), ..Failure::input(problems) }
}

impl fmt::Display for Varied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.key, self.values.join(","))
    }
}

/// Some of the jobs: those whose number is `index` modulo `count`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(super) struct Shard {
    index: usize,
    count: usize,
}

impl Shard {
    /// All jobs.
    pub(super) const ALL: Shard = Shard { index: 0, count: 1 };

    pub(super) const fn has(self, job: usize) -> bool {
        job % self.count == self.index
    }

    /// How many shards the sweep is parted into.
    pub(super) const fn count(self) -> usize {
        self.count
    }

    /// Every shard of as many.
    pub(super) fn all(count: usize) -> impl Iterator<Item = Shard> {
        (0..count).map(move |index| Shard { index, count })
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index + 1, self.count)
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> Self {
        shard.to_string()
    }
}

impl TryFrom<String> for Shard {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl FromStr for Shard {
    type Err = String;

    /// `K/N`, K from 1.
    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
        match numbers {
            Some((number, count)) if (1..=count).contains(&number) => Ok(Shard { index: number - 1, count }),
            _ => Err("use K/N with whole numbers, K from 1 to N: 1/4 to 4/4 are the quarters".to_owned()),
        }
    }
}

/// The configuration of one job.
#[derive(Debug, Clone)]
pub(super) struct Job {
    /// Its number among all combinations.
    pub(super) number: usize,
    /// Key and value, in the order of the sweep.
    pub(super) settings: Vec<(String, String)>,
    pub(super) config: Config,
}

/// All combinations.
#[derive(Debug)]
pub(super) struct Sweep {
    /// Combinations, legal or not.
    pub(super) combinations: usize,
    /// Those that are legal.
    pub(super) jobs: Vec<Job>,
    /// Why the first of the others is not.
    pub(super) first_illegal: Option<String>,
}

impl Sweep {
    /// Combines every value of every key with those of the others.
    ///
    /// # Errors
    /// Keys that there are not or that stand twice, values that no configuration can have, no legal combination.
    pub(super) fn new(base: &Config, varied: &[Varied]) -> Result<Self, Failure> {
        let table: Table = base.canonical_toml().parse().expect("the canonical text is TOML");
        check_values(&table, varied)?;
        let combinations =
            varied.iter().try_fold(1usize, |product, one| product.checked_mul(one.values.len()));
        let combinations = combinations.filter(|count| *count <= MOST_JOBS).ok_or_else(|| {
            let message = format!("the sweep has more than {MOST_JOBS} combinations");
            Failure::new(Rule::Sweep, message, "vary fewer keys at a time, or fewer values")
        })?;
        let mut sweep = Sweep { combinations, jobs: Vec::new(), first_illegal: None };
        for number in 0..combinations {
            let mut rest = number;
            let mut settings: Vec<_> = varied
                .iter()
                .rev()
                .map(|one| {
                    let value = one.values[rest % one.values.len()].clone();
                    rest /= one.values.len();
                    (one.key.clone(), value)
                })
                .collect();
            settings.reverse();
            match configure(&table, &settings) {
                Ok(config) => sweep.jobs.push(Job { number, settings, config }),
                Err(errors) => {
                    sweep.first_illegal.get_or_insert_with(|| first_error(&settings, &errors));
                }
            }
        }
        match &sweep.first_illegal {
            Some(reason) if sweep.jobs.is_empty() => {
                let message =
                    format!("none of the {combinations} combinations is a legal configuration: {reason}");
                Err(Failure::new(
                    Rule::Sweep,
                    message,
                    "vary other values, or start from another configuration",
                ))
            }
            _ => Ok(sweep),
        }
    }
}

/// Finds a name for everything that the figures of a sweep depend on: results with different names do not compare.
#[derive(Default)]
pub(super) struct SweepName(Sha256);

impl SweepName {
    /// Adds a text, with its length, so that no two lists of texts run together.
    pub(super) fn add(&mut self, text: &str) {
        self.0.update((text.len() as u64).to_le_bytes());
        self.0.update(text);
    }

    pub(super) fn add_quad(&mut self, quad: &Quad) {
        for coordinate in quad.uv().as_flattened() {
            self.0.update(coordinate.to_le_bytes());
        }
        self.0.update([quad.valid()]);
    }

    /// 16 hex digits.
    pub(super) fn finish(self) -> String {
        self.0.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
    }
}

fn first_error(settings: &[(String, String)], problems: &Problems) -> String {
    let settings: Vec<_> = settings.iter().map(|(key, value)| format!("{key}={value}")).collect();
    let first = &problems.as_slice()[0];
    let key = first.subject.as_ref().map_or("", |subject| &subject.key);
    format!("{}: {key} {}", settings.join(" "), first.message)
}

/// A configuration with some keys set.
fn configure(base: &Table, settings: &[(String, String)]) -> Result<Config, Problems> {
    let mut table = base.clone();
    for (key, value) in settings {
        set(&mut table, key, value);
    }
    let config = Config::from_toml(&table.to_string())?;
    not_classic(&config, config.name()).map_or(Ok(config), |problem| Err(problem.into()))
}

/// Sets a key; a table that is not there is made, and reported as unknown by the reader of configurations.
fn set(table: &mut Table, key: &str, value: &str) {
    let parsed: Option<Value> =
        format!("value = {value}").parse::<Table>().ok().and_then(|mut table| table.remove("value"));
    let value = parsed.unwrap_or_else(|| Value::String(value.to_owned()));
    match key.split_once('.') {
        None => {
            table.insert(key.to_owned(), value);
        }
        Some((head, key)) => {
            let inner = table.entry(head).or_insert_with(|| Value::Table(Table::new()));
            if !inner.is_table() {
                *inner = Value::Table(Table::new());
            }
            if let Value::Table(inner) = inner {
                inner.insert(key.to_owned(), value);
            }
        }
    }
}

/// What is wrong with a key or value by itself, whatever the others are.
const OF_ONE_KEY: [ErrorCode; 7] = [
    ErrorCode::Syntax,
    ErrorCode::UnknownKey,
    ErrorCode::WrongType,
    ErrorCode::OutOfRange,
    ErrorCode::PowerOfTwo,
    ErrorCode::UnknownChoice,
    ErrorCode::NotAMultiple,
];

fn is_about_one_key(problem: &Problem) -> bool {
    OF_ONE_KEY.iter().any(|rule| rule.code() == problem.code)
}

/// Reports every key and value that can be part of no configuration.
fn check_values(base: &Table, varied: &[Varied]) -> Result<(), Failure> {
    let mut problems: Vec<Problem> = Vec::new();
    let mut seen = BTreeMap::new();
    for one in varied {
        if seen.insert(&one.key, one).is_some() {
            let message = format!("--vary {one}: {} is varied twice", one.key);
            problems.push(Problem::new(Rule::Sweep, message, "list all its values at once"));
        }
        for value in &one.values {
            let Err(errors) = configure(base, &[(one.key.clone(), value.clone())]) else { continue };
            for problem in errors.into_iter().filter(is_about_one_key) {
                // It stands on the command line, in no file.
                let message = format!("--vary {}={value}: {}", one.key, problem.message);
                let problem = Problem { subject: None, message, place: Place::default(), ..problem };
                if !problems.contains(&problem) {
                    problems.push(problem);
                }
            }
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(refused(problems)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sweep(toml: &str, varied: &[&str]) -> Result<Sweep, Failure> {
        let varied: Vec<Varied> = varied.iter().map(|one| one.parse().unwrap()).collect();
        Sweep::new(&Config::from_toml(toml).unwrap(), &varied)
    }

    #[test]
    fn jobs_are_all_combinations_in_order() {
        let sweep = sweep("", &["cache.ways=1,2", "cache.data_ram=block,\"ultra\"", "units=1"]).unwrap();
        let values: Vec<Vec<&str>> = sweep
            .jobs
            .iter()
            .map(|job| job.settings.iter().map(|(_, value)| value.as_str()).collect())
            .collect();
        assert_eq!(values[..2], [["1", "block", "1"], ["1", "\"ultra\"", "1"]]);
        assert_eq!(sweep.jobs[3].config.cache().ways(), 2);
        assert_eq!(sweep.jobs.iter().map(|job| job.number).collect::<Vec<_>>(), [0, 1, 2, 3]);
    }

    #[test]
    fn combinations_that_are_not_legal_are_left_out() {
        // Nine units need four bits of ID.
        let sweep = sweep("", &["units=8,9", "axi.id_bits=3,4"]).unwrap();
        assert_eq!((sweep.combinations, sweep.jobs.len()), (4, 3));
        let reason = sweep.first_illegal.unwrap();
        assert!(
            reason.contains("units=9 axi.id_bits=3") && reason.contains("tell 9 units apart"),
            "{reason}"
        );
    }

    #[test]
    fn what_no_configuration_can_have_is_reported_at_once() {
        let failure =
            sweep("", &["cache.wayz=1", "cache.ways=3,4,x", "cach.sets=64", "cache.ways=1"]).unwrap_err();
        let codes: Vec<_> = failure.problems.iter().map(|problem| problem.code).collect();
        assert_eq!(codes, ["E0002", "E0004", "E0003", "E0002", "E0220"], "{failure:#?}");
        let none = sweep("", &["axi.outstanding_reads=2,4"]).unwrap_err();
        assert!(none.problems[0].message.contains("none of the 2 combinations"), "{none:?}");
        let many = ["1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16"; 6].map(|values| values);
        let keys =
            ["units", "clock.core_mhz", "clock.tmu_mhz", "axi.id_bits", "axi.outstanding_reads", "axi.arqos"];
        let varied: Vec<String> = keys
            .iter()
            .zip(many)
            .map(|(key, values)| format!("{key}={}", values.replace(",16", "")))
            .collect();
        let varied: Vec<&str> = varied.iter().map(String::as_str).collect();
        assert!(sweep("", &varied).unwrap_err().problems[0].message.contains("1000000 combinations"));
    }

    #[test]
    fn shards_part_the_jobs() {
        let texts = ["1/3", "2/3", "3/3"];
        let shards = texts.map(|text| text.parse::<Shard>().unwrap());
        assert_eq!(shards.map(|shard| shard.to_string()), texts);
        assert_eq!(Shard::all(3).collect::<Vec<_>>(), shards);
        for job in 0..20 {
            assert_eq!(shards.iter().filter(|shard| shard.has(job)).count(), 1);
            assert!(Shard::ALL.has(job));
        }
        for text in ["0/3", "4/3", "1/0", "1", "a/b", "-1/3", "1/3/3"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
        for text in ["cache.ways", "=1", "cache.ways=", "cache.ways=1,,2"] {
            assert!(text.parse::<Varied>().is_err(), "{text}");
        }
    }
}
