//! Captured requests once more.

use super::Args;
use crate::console::Summary;
use crate::engine::{built, simulation_failure};
use crate::problem::Failure;
use crate::progress;
use crate::requests::Requests;
use serde_json::json;
use std::path::Path;
use tmu_sim::engines::sampler::contents::TextureMemory;
use tmu_sim::engines::sampler::replay::{Outcome, Replay, replay};
use tmu_sim::kit::pauses::Pauses;
use tmu_spec::Config;
use tmu_verilate::ModelOptions;

impl Args {
    /// Sends the requests of a file, and says how it went.
    pub(super) fn run_replay(&self, config: &Config, path: &Path) -> Result<Summary, Failure> {
        let requests = Requests::read(path, config.request_tdata_bits())?;
        let mut contents = TextureMemory::empty();
        for (address, mut bytes) in requests.contents(path)? {
            // Memory is read line by line.
            bytes.resize(bytes.len().next_multiple_of(tmu_spec::LINE_BYTES as usize), 0);
            contents.place(address, bytes);
        }
        let (rtl, model) = built(config, &ModelOptions::default(), self.verbosity)?;
        let how =
            Replay { latency_clocks: self.latency, pauses: Pauses::percent(self.pauses), seed: self.seed };
        let spinner = progress::spinner(self.verbosity, "simulating");
        let outcome = replay(&model, &rtl, contents, &requests.packets, &requests.reads, &how);
        spinner.finish_and_clear();
        let outcome = outcome.map_err(|failure| {
            let mut command = format!("tmugen sim {} --replay {}", self.config.arguments(), path.display());
            command += &format!(" --seed {} --latency {} --pauses {}", self.seed, self.latency, self.pauses);
            simulation_failure(tmu_sim::kit::error::Failure { repeat: Some(command), ..failure })
        })?;
        let Outcome { bindings, refused, dropped, results, tmu_clocks, reads } = &outcome;
        let name = self.config.name();
        let (count, failed, crc) = (results.results(), results.failed(), results.crc());
        let captured = requests.reads.len();
        let of_reads = match reads {
            _ if captured == 0 => String::new(),
            Some(number) => {
                format!("  {number} of {captured} captured reads are those of the hardware in simulation\n")
            }
            None => format!(
                "  {captured} captured reads are not compared: a quad has an error, or the first binding keeps what is in the cache\n"
            ),
        };
        let text = format!(
            "{name}: passed. The hardware in simulation answered {count} quads of {}, every bit as the golden model does\n  \
             {bindings} bindings, {refused} of them refused; {dropped} packets of the wrong length; {failed} quads with errors\n  \
             CRC of the results 0x{crc:08x}; {tmu_clocks} clocks of tmu_aclk\n{of_reads}",
            path.display()
        );
        let data = json!({
            "configuration": name,
            "bindings": bindings,
            "bindings_refused": refused,
            "packets_dropped": dropped,
            "quads": count,
            "quads_with_errors": failed,
            "crc": format!("0x{crc:08x}"),
            "tmu_clocks": tmu_clocks,
            "reads_captured": captured,
            "reads_compared": reads,
        });
        Ok(Summary::note(text, data))
    }
}
