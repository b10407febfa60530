//! `tmugen report`: one page about the hardware of a configuration.

mod pictures;
mod rates;

use super::estimate::Emitted;
use crate::args::{ConfigArgs, check_hardware, not_classic};
use crate::console::{Summary, Verbosity};
use crate::engine::synthesis_failure;
use crate::estimate::{Figures, estimate, version};
use crate::files::kind::Kind;
use crate::files::{Files, ForceArgs};
use crate::hardware::hardware;
use crate::problem::{Failure, Rule};
use serde_json::json;
use std::path::PathBuf;
use tmu_package::report::{Area, Findings, html};
use tmu_rtl::outputs::Hardware;
use tmu_verilate::Family;

/// Write a page about the hardware: blocks, ports, streams, registers, memory layout, latency, pictures
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The page is one HTML file that needs no other, with or without a network. Its drawings and waveforms are made from the design \
itself and need no tool. --bench adds plots of what `bench` measures, which \
needs Verilator, and --area what `estimate --modules` says, which needs Yosys; each takes a minute or more.

Examples:
  tmugen report --preset fury --out fury.html
  tmugen report --config my_tmu.toml --out my_tmu.html
  tmugen report --config my_tmu.toml --out my_tmu.html --bench
  tmugen report --config my_tmu.toml --out my_tmu.html --area")]
pub(crate) struct Args {
    #[command(flatten)]
    config: ConfigArgs,
    /// The file to write; - is standard output
    #[arg(short, long, value_name = "FILE.html")]
    out: PathBuf,
    /// Measure samples per clock in simulation
    #[arg(long)]
    bench: bool,
    /// Estimate area and depth with Yosys, module by module
    #[arg(long)]
    area: bool,
    #[command(flatten)]
    force: ForceArgs,
    #[command(flatten)]
    pub(crate) verbosity: Verbosity,
}

impl Args {
    pub(crate) fn run(&self) -> Result<Summary, Failure> {
        let mut files = Files::new(self.force);
        files.read_all(self.config.file(), "the configuration");
        files.write(&self.out, "--out", Kind::Report);
        files.check()?;
        let config = self.config.load()?;
        check_hardware(&config)?;
        let has_units = config.units() > 0;
        if self.bench && !has_units {
            let message = "--bench: there is no texture unit whose samples could be counted";
            return Err(Failure::new(Rule::NotBuilt, message, "leave --bench out"));
        }
        if self.bench
            && let Some(problem) = not_classic(&config, &self.config.name())
        {
            let message = format!("--bench: {}", problem.message);
            return Err(Failure::new(Rule::NotBuilt, message, "leave --bench out"));
        }
        let hardware = hardware(&config)?;
        // What needs tools first: pictures take seconds, a tool that is missing is found at once.
        let findings = Findings {
            rates: if self.bench { vec![rates::plot(&config, self.verbosity)?] } else { Vec::new() },
            area: if self.area { Some(area(&hardware)?) } else { None },
            // Scenes are drawn by the classic numerics.
            pictures: if !has_units || config.features().general().is_some() {
                Vec::new()
            } else {
                pictures::pictures(&config)?
            },
        };
        let page = html(&hardware, &findings);
        files.put(&[(&self.out, page.as_bytes())])?;
        let file = self.out.display();
        let data = json!({ "file": file.to_string(), "top": config.name(), "bytes": page.len() });
        Ok(Summary::note(format!("wrote {file}\n"), data))
    }
}

/// The whole and every module by itself.
fn area(hardware: &Hardware) -> Result<Area, Failure> {
    let Emitted { source, modules, .. } = Emitted::new(hardware);
    let (estimate, _) =
        estimate(&source, &modules, Family::default()).map_err(|error| synthesis_failure(&error))?;
    let names = estimate.total.columns().map(|(name, _)| name.to_owned());
    let header =
        ["module", "instances"].map(str::to_owned).into_iter().chain(names).chain(["depth".to_owned()]);
    let row = |of: &Figures| {
        let figures = of.columns().map(|(_, figure)| figure.to_string());
        let row = [of.module.clone(), of.instances.to_string()].into_iter().chain(figures);
        row.chain([of.depth.to_string()]).collect()
    };
    Ok(Area {
        source: version(&estimate.yosys).to_owned(),
        header: header.collect(),
        rows: estimate.rows().map(row).collect(),
    })
}
