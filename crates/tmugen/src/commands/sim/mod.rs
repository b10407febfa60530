//! `tmugen sim`: random requests through the hardware in simulation, compared with the golden model.

mod general;
mod replay;

use crate::args::ConfigArgs;
use crate::console::{Summary, Verbosity};
use crate::engine::{built, simulation_failure, simulation_failure_with};
use crate::files::kind::{BINS_HEADER, Kind};
use crate::files::waves::PendingWaves;
use crate::files::{Files, ForceArgs};
use crate::problem::{Failure, Rule};
use crate::progress;
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use tmu_sim::engines::sampler::coverage::{Asked, Bin};
use tmu_sim::engines::sampler::regression::items::Items;
use tmu_sim::engines::sampler::regression::plan::Plan;
use tmu_sim::engines::sampler::regression::shrink::shrink;
use tmu_sim::engines::sampler::regression::{self, Regression, Report};
use tmu_sim::kit::error::Cause;
use tmu_sim::kit::pauses::Pauses;
use tmu_sim::kit::rtl::Rtl;
use tmu_spec::Config;
use tmu_verilate::{Model, ModelOptions, OptimizeFor};

/// Holes of functional coverage that are named; the table has all of them.
const SHOWN_HOLES: usize = 8;

/// Compare the hardware in simulation with the golden model, over random requests
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Everything random follows from the seed: textures, bindings (which tell a unit what texture to sample, and how), quads \
(2 x 2 pixels each), the ratio and phase of the clocks, memory, pauses. \
The run stops at the first result that is not the golden model's, at a broken rule of a bus, at a read that nothing \
needs, or when nothing moves any more. Then a short case is looked for: the fewest packets and resets, and the plainest \
clocks and memory, with which the hardware fails in the same way. The report names quad, pixel and stage, and the one \
command that repeats the short case. A run that passes says how many bins of functional coverage it has reached of those \
that the configuration can reach, and names the others; --coverage writes all of them. A bin is a situation that the \
hardware has to be tried in, like a bilinear sample of RGB8 at level 3.

--replay sends the requests of a file instead, as the bring-up kit of a core has captured them or `tmugen bringup` writes \
them, and compares every result. Reads that the kit has captured, too, are compared with those of the hardware in simulation.

A configuration of the general numerics (multi-lite) takes --seed, --quads, --latency, --pauses and --errors. A failure is \
shown as it is, and no functional coverage is counted.

Examples:
  tmugen sim --quads 100000
  tmugen sim --preset fury --seed 7 --pauses 20 --errors --resets --coverage bins.csv
  tmugen sim --preset quad --faults 1000
  tmugen sim --preset multi-lite --quads 100000 --pauses 20 --errors
  tmugen sim --preset stream --latency 1 --plain --only 17-23,40
  tmugen sim --preset stream --replay requests.txt
  tmugen sim --config my_tmu.toml --quads 200 --waves run.fst")]
pub(crate) struct Args {
    #[command(flatten)]
    config: ConfigArgs,
    /// What everything random follows from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Quads of 2 x 2 pixels to sample, over all units
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    quads: u64,
    /// Clocks of the memory port from an address to its data
    #[arg(long, value_name = "CLOCKS", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    latency: u32,
    /// How often valid and ready signals pause, in percent of the clocks
    #[arg(long, value_name = "PERCENT", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=95))]
    pauses: u8,
    /// Add bad bindings, packets and answers of memory of the wrong length, and failing reads
    #[arg(long)]
    errors: bool,
    /// Reset any side, reset by command and invalidate the caches at random moments
    #[arg(long)]
    resets: bool,
    /// Inject faults one by one under load, and judge each; the run ends after so many
    #[arg(long, value_name = "N", conflicts_with_all = ["quads", "errors", "resets"], value_parser = clap::value_parser!(u64).range(1..))]
    faults: Option<u64>,
    /// Clocks as configured, without jitter, and memory that answers in order at its full width
    #[arg(long)]
    plain: bool,
    /// Of all that the run does only these items, as a short case of a failure names them; a quad must be among them
    #[arg(long, value_name = "ITEMS", conflicts_with = "quads")]
    only: Option<Items>,
    /// Send the requests of a file instead of random ones; - is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["quads", "errors", "resets", "faults", "plain", "only", "coverage", "waves"])]
    replay: Option<PathBuf>,
    /// Where to write how often each situation (bin of functional coverage) was met
    #[arg(long, value_name = "FILE.csv")]
    coverage: Option<PathBuf>,
    /// Show a failure as it is, without looking for a short case of it
    #[arg(long)]
    no_shrink: bool,
    /// Where to write the waves of the whole run: what every signal did at each clock, for a waveform viewer
    #[arg(long, value_name = "FILE.fst")]
    waves: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
    #[command(flatten)]
    pub(crate) verbosity: Verbosity,
}

/// As many quads are worth the longest build of a model.
const MANY_QUADS: u64 = 500_000;

impl Args {
    /// How the model is built.
    fn model_options(&self) -> ModelOptions {
        let optimize = if self.quads < MANY_QUADS { OptimizeFor::Both } else { OptimizeFor::Speed };
        ModelOptions { optimize, ..ModelOptions::default() }
    }

    pub(crate) fn run(&self) -> Result<Summary, Failure> {
        let mut files = Files::new(self.force);
        files.read_all(self.config.file(), "the configuration");
        files.read_all(&self.replay, "the requests");
        files.write_all(&self.coverage, "--coverage", Kind::Bins);
        files.write_all(&self.waves, "--waves", Kind::Waves);
        files.check()?;
        let config = self.config.load_units()?;
        if let Some(path) = &self.replay {
            return self.run_replay(&config, path);
        }
        if config.features().general().is_some() {
            return self.run_general(&config);
        }
        self.check_items(&config)?;
        let options = ModelOptions { fst: self.waves.is_some(), ..self.model_options() };
        let (rtl, model) = built(&config, &options, self.verbosity)?;
        let waves = self.waves.as_deref().map(|path| PendingWaves::create(&files, path)).transpose()?;
        let run = Regression { waves: waves.as_ref().map(PendingWaves::file), ..self.regression() };
        let (aim, what) = self.faults.map_or((self.quads, "quads"), |faults| (faults, "faults"));
        let bar = progress::bar(self.verbosity, aim, what);
        bar.set_message("simulating");
        let outcome = regression::run(&model, &rtl, &run, |done| bar.set_position(done.min(aim)));
        bar.finish_and_clear();
        // The waveform of a failure is the one that is wanted most.
        let waves = waves.map_or(Ok(()), PendingWaves::commit);
        let report = match (outcome, waves) {
            (Ok(report), waves) => waves.map(|()| report)?,
            (Err(failure), Err(unwritten)) if matches!(failure.cause, Cause::Model(_)) => {
                return Err(unwritten);
            }
            (Err(failure), waves) => {
                let mut failure = self.failure(&model, &rtl, failure);
                failure.problems.extend(waves.err().into_iter().flat_map(|unwritten| unwritten.problems));
                return Err(failure);
            }
        };
        let name = self.config.name();
        let mut text = said(&name, &report);
        let asked = Asked { errors: self.errors || self.faults.is_some(), resets: self.resets };
        let bins: Vec<_> = report.coverage.bins(&config, asked).collect();
        let missed: Vec<_> = report.coverage.holes(&config, asked);
        let _ = writeln!(
            text,
            "  {} of {} bins of functional coverage reached",
            bins.len() - missed.len(),
            bins.len()
        );
        for hole in missed.iter().take(SHOWN_HOLES) {
            let _ = writeln!(text, "  not reached: {hole}");
        }
        if !missed.is_empty() {
            text += BIN;
        }
        if missed.len() > SHOWN_HOLES {
            let rest = missed.len() - SHOWN_HOLES;
            let _ = writeln!(text, "  and {rest} more, which --coverage FILE.csv names");
        }
        for (kind, tally) in report.faults.iter() {
            let (injected, recovered) = (tally.injected, tally.recovered);
            let _ = writeln!(text, "  {}: {injected} injected, recovered from {recovered}", kind.name());
        }
        if let Some(path) = &self.coverage {
            files.put(&[(path, bins_table(&bins).as_bytes())])?;
        }
        let data = json!({
            "configuration": name,
            "seed": self.seed,
            "quads": report.quads,
            "tmu_clocks": report.tmu_clocks,
            "lines_read": report.memory_beats,
            "resets": report.resets,
            "faults": report.faults.iter().map(|(kind, tally)| (kind.name(), tally.injected)).collect::<BTreeMap<_, _>>(),
            "bins": bins.len(),
            "not_reached": missed,
        });
        Ok(Summary::note(text, data))
    }

    /// Refuses items among which nothing can be compared.
    fn check_items(&self, config: &Config) -> Result<(), Failure> {
        let Some(only) = &self.only else { return Ok(()) };
        let plan = (0..).zip(Plan::new(config, &self.regression()));
        let mut plan = plan.take_while(|(number, _)| Some(*number) <= only.last());
        if plan.any(|(number, item)| only.contains(number) && item.is_quad()) {
            return Ok(());
        }
        let message = format!("--only {only}: none of these items is a quad, so nothing would be compared");
        let help = "use the whole command that a failure has shown, with its seed and options, or --quads for a new run";
        Err(Failure::new(Rule::NoQuads, message, help))
    }

    /// The run that is asked for.
    fn regression(&self) -> Regression {
        Regression {
            pauses: Pauses::percent(self.pauses),
            errors: self.errors,
            resets: self.resets,
            faults: self.faults.unwrap_or(0),
            plain: self.plain,
            only: self.only.clone(),
            waves: self.waves.clone(),
            ..Regression::new(self.seed, self.quads, self.latency)
        }
    }

    /// A failure with a short case of it, unless that is not wanted.
    fn failure(&self, model: &Model, rtl: &Rtl, failure: tmu_sim::kit::error::Failure) -> Failure {
        let run = self.regression();
        let spinner = progress::spinner(self.verbosity, "looking for a short case");
        let tell =
            |runs, items| spinner.set_message(format!("looking for a short case: {items} items, run {runs}"));
        let short = if self.no_shrink { None } else { shrink(model, rtl, &run, tell) };
        spinner.finish_and_clear();
        let command = |run: &Regression| Some(format!("tmugen sim {} {run}", self.config.arguments()));
        let Some(short) = short else {
            return simulation_failure(tmu_sim::kit::error::Failure { repeat: command(&run), ..failure });
        };
        let listing = format!(
            "\na short case, {} of {} items, found in {} runs:\n{}",
            short.items(),
            short.items_before,
            short.runs,
            short.listing
        );
        let repeat = command(&short.regression);
        simulation_failure_with(tmu_sim::kit::error::Failure { repeat, ..short.failure }, listing.trim_end())
    }
}

/// What a bin is, to those who see the word for the first time.
const BIN: &str = "  (a bin is a situation to be tried, such as bilinear RGB8 at level 3; more --quads, and --errors and --resets, \
                   reach more)\n";

/// What a run that passed has shown, in words for those who see the first one.
fn said(name: &str, report: &Report) -> String {
    let Report { quads, tmu_clocks, memory_beats, resets, .. } = report;
    format!(
        "{name}: passed. The hardware in simulation answered {quads} quads (2 x 2 pixels each), every bit as the golden \
         model does\n  it took {tmu_clocks} clocks of tmu_aclk and {memory_beats} reads of 16 bytes from memory; {resets} \
         resets\n"
    )
}

/// Bins as a table.
fn bins_table(bins: &[Bin]) -> String {
    let mut rows = BINS_HEADER.to_owned();
    for Bin { cross, name, count } in bins {
        let _ = writeln!(rows, "{},\"{name}\",{count}", cross.name());
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser as _;

    fn arguments(words: &str) -> Args {
        Line::try_parse_from(words.split(' ')).unwrap().args
    }

    /// Hardware in whose Verilog one text stands for another fails by the command that is shown as by the first one.
    #[test]
    fn the_command_of_a_short_case_fails_in_the_same_way() {
        let rtl = Rtl::generate(&arguments("sim").config.load().unwrap()).unwrap();
        let rtl =
            rtl.with_fault("weight[1*8 +: 8], weight[0*8 +: 8],", "weight[0*8 +: 8], weight[1*8 +: 8],");
        let model = match Model::build(&rtl.source, &ModelOptions::default()) {
            Ok(model) => model,
            Err(tmu_verilate::Error::MissingTool(_)) => return,
            Err(error) => panic!("{error}"),
        };
        let first = arguments("sim --seed 4 --quads 2000 --pauses 10 --errors --resets");
        let failure = regression::run(&model, &rtl, &first.regression(), |_| ()).unwrap_err();
        let kind = failure.cause.kind();
        let said = first.failure(&model, &rtl, failure).problems.remove(0);
        let (_, command) = said.help.split_once("repeat with: tmugen ").expect("a command");
        let command = command.split(" --waves").next().unwrap();
        let short = arguments(command).regression();
        assert_eq!(
            short.only.as_ref().map(Items::count),
            Some(2),
            "a binding and a quad are enough: {said:?}"
        );
        let again = regression::run(&model, &rtl, &short, |_| ()).unwrap_err();
        assert_eq!(again.cause.kind(), kind);
        assert!(said.message.contains(&again.to_string()), "{said:?}\n{again}");
    }

    #[derive(clap::Parser)]
    struct Line {
        #[command(flatten)]
        args: Args,
    }

    #[test]
    fn the_command_repeats_the_run() {
        for words in [
            "sim --preset fury --seed 9 --quads 7 --latency 3 --pauses 4 --errors --resets",
            "sim --config my_tmu.toml --seed 1 --quads 10000 --latency 20",
            "sim --preset quad --seed 2 --latency 1 --plain --only 3-7,9",
            "sim --preset stream --seed 2 --faults 50 --latency 100 --pauses 10 --only 0,17",
        ] {
            let Line { args } = Line::try_parse_from(words.split(' ')).unwrap();
            assert_eq!(format!("sim {} {}", args.config.arguments(), args.regression()), words);
        }
    }
}
