//! Configurations of the general numerics: a run of random requests, without disturbances and coverage.

use super::Args;
use crate::console::Summary;
use crate::engine::built;
use crate::problem::{Failure, Rule};
use crate::progress;
use serde_json::json;
use tmu_problem::{Problem, Problems};
use tmu_sim::engines::sampler::general::comparison::{Comparison, Outcome, compare};
use tmu_sim::kit::pauses::Pauses;
use tmu_spec::Config;

impl Args {
    /// Runs a comparison, and says how it went.
    pub(super) fn run_general(&self, config: &Config) -> Result<Summary, Failure> {
        self.check_options()?;
        let (rtl, model) = built(config, &self.model_options(), self.verbosity)?;
        let comparison = Comparison {
            seed: self.seed,
            quads: self.quads,
            latency_clocks: self.latency,
            pauses: Pauses::percent(self.pauses),
            errors: self.errors,
        };
        let spinner = progress::spinner(self.verbosity, "simulating");
        let outcome = compare(&model, &rtl, &comparison);
        spinner.finish_and_clear();
        let outcome = outcome.map_err(|failure| {
            let help = format!("repeat with: {}", self.general_command());
            Failure::new(Rule::Simulation, failure.to_string(), help)
        })?;
        let name = self.config.name();
        let Outcome { quads, indirect, errors, pixels, tmu_clocks } = outcome;
        let has_indirect = config.features().has_indirect();
        let of_two =
            if has_indirect { format!(", {indirect} of them indirect look-ups") } else { String::new() };
        let text = format!(
            "{name}: passed. The hardware in simulation answered {quads} quads (2 x 2 pixels each){of_two}, every bit as the golden \
             model does\n  it took {tmu_clocks} clocks of tmu_aclk for {pixels} valid pixels; {errors} quads had errors to report\n"
        );
        let mut data = json!({
            "configuration": name,
            "seed": self.seed,
            "quads": quads,
            "valid_pixels": pixels,
            "quads_with_errors": errors,
            "tmu_clocks": tmu_clocks,
        });
        if has_indirect {
            data["indirect_quads"] = indirect.into();
        }
        Ok(Summary::note(text, data))
    }

    /// Refuses what there is for the classic numerics only.
    fn check_options(&self) -> Result<(), Failure> {
        let asked = [
            (self.resets, "--resets"),
            (self.faults.is_some(), "--faults"),
            (self.plain, "--plain"),
            (self.only.is_some(), "--only"),
            (self.coverage.is_some(), "--coverage"),
            (self.waves.is_some(), "--waves"),
        ];
        let problem = |(_, option): (bool, &str)| {
            let message = format!(
                "{} follows the general numerics, of which there are no runs with {option} yet",
                self.config.name()
            );
            let help =
                format!("leave {option} out, or use a preset of the classic numerics, like fury-single");
            Problem::new(Rule::NotBuilt, message, help)
        };
        let refused = asked.into_iter().filter(|(is_asked, _)| *is_asked);
        Ok(Problems::check(refused.map(problem).collect())?)
    }

    /// The command that repeats the run.
    fn general_command(&self) -> String {
        let mut command = format!(
            "tmugen sim {} --seed {} --quads {} --latency {}",
            self.config.arguments(),
            self.seed,
            self.quads,
            self.latency
        );
        if self.pauses > 0 {
            command += &format!(" --pauses {}", self.pauses);
        }
        if self.errors {
            command += " --errors";
        }
        command
    }
}
