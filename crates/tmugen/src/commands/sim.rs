//! `tmugen sim`: random requests through the hardware in simulation, compared with the golden model.

use crate::args::ConfigArgs;
use crate::console::{Summary, Verbosity};
use crate::engine::{built, simulation_failure, simulation_failure_with};
use crate::problem::Failure;
use crate::progress;
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use tmu_sim::Rtl;
use tmu_sim::items::Items;
use tmu_sim::pauses::Pauses;
use tmu_sim::regression::{self, Regression};
use tmu_sim::shrink::shrink;
use tmu_verilate::{Model, ModelOptions};

/// Compare the hardware in simulation with the golden model, over random requests
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Everything random follows from the seed: textures, bindings, quads, the ratio and phase of the clocks, memory, pauses. \
The run stops at the first result that is not the golden model's, at a broken rule of a bus, at a read that nothing \
needs, or when nothing moves any more, and says which quad, pixel and stage, and how to repeat it. A run that passes \
says what it has exercised of formats, filters, address modes, sizes, levels and valid bits; --json counts each.

Examples:
  tmugen sim --quads 100000
  tmugen sim --preset fury --seed 7 --pauses 20 --errors --resets
  tmugen sim --config my_tmu.toml --quads 200 --waves run.fst")]
pub(crate) struct Args {
    #[command(flatten)]
    config: ConfigArgs,
    /// What everything random follows from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Quads to sample, over all units
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    quads: u64,
    /// Clocks of the memory port from an address to its data
    #[arg(long, value_name = "CLOCKS", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    latency: u32,
    /// How often valid and ready signals pause, in percent of the clocks
    #[arg(long, value_name = "PERCENT", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=95))]
    pauses: u8,
    /// Add bad bindings, packets of the wrong length and failing reads
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
    /// Of all that the run does only these items, as a short case of a failure names them
    #[arg(long, value_name = "ITEMS", conflicts_with = "quads")]
    only: Option<Items>,
    /// Show a failure as it is, without looking for a short case of it
    #[arg(long)]
    no_shrink: bool,
    /// Where to write the waveform of the whole run
    #[arg(long, value_name = "FILE.fst")]
    waves: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) verbosity: Verbosity,
}

impl Args {
    pub(crate) fn run(&self) -> Result<Summary, Failure> {
        let config = self.config.load()?;
        let options = ModelOptions { fst: self.waves.is_some(), ..ModelOptions::default() };
        let (rtl, model) = built(&config, &options, self.verbosity)?;
        let run = self.regression();
        let (aim, what) = self.faults.map_or((self.quads, "quads"), |faults| (faults, "faults"));
        let bar = progress::bar(self.verbosity, aim, what);
        bar.set_message("simulating");
        let outcome = regression::run(&model, &rtl, &run, |done| bar.set_position(done.min(aim)));
        bar.finish_and_clear();
        let report = outcome.map_err(|failure| self.failure(&model, &rtl, failure))?;
        let name = self.config.name();
        let mut text = format!(
            "{name}: {} quads are those of the golden model, {} clocks of tmu_aclk, {} lines read, {} resets\n",
            report.quads, report.tmu_clocks, report.memory_beats, report.resets,
        );
        let counts = report.coverage.counts(config.features(), self.errors);
        let missed: Vec<_> =
            counts.iter().filter(|(_, count)| *count == 0).map(|(what, _)| what.as_str()).collect();
        let _ = writeln!(text, "  {} of {} cases exercised", counts.len() - missed.len(), counts.len());
        if !missed.is_empty() {
            let _ = writeln!(text, "  not exercised: {}", missed.join("; "));
        }
        let data = json!({
            "configuration": name,
            "seed": self.seed,
            "quads": report.quads,
            "tmu_clocks": report.tmu_clocks,
            "lines_read": report.memory_beats,
            "resets": report.resets,
            "coverage": counts.iter().cloned().collect::<BTreeMap<_, _>>(),
            "not_exercised": missed,
        });
        Ok(Summary::note(text, data))
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
    fn failure(&self, model: &Model, rtl: &Rtl, failure: tmu_sim::Failure) -> Failure {
        let run = self.regression();
        let spinner = progress::spinner(self.verbosity, "looking for a short case");
        let tell = |runs, items| spinner.set_message(format!("looking for a short case: {items} items, run {runs}"));
        let short = if self.no_shrink { None } else { shrink(model, rtl, &run, tell) };
        spinner.finish_and_clear();
        let command = |run: &Regression| Some(format!("tmugen sim {} {run}", self.config.arguments()));
        let Some(short) = short else {
            return simulation_failure(tmu_sim::Failure { repeat: command(&run), ..failure });
        };
        let listing = format!(
            "\na short case, {} of {} items, found in {} runs:\n{}",
            short.items(),
            short.items_before,
            short.runs,
            short.listing
        );
        let repeat = command(&short.regression);
        simulation_failure_with(tmu_sim::Failure { repeat, ..short.failure }, listing.trim_end())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser as _;

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
