//! `tmugen estimate`: area and depth of emitted hardware, as Yosys estimates them.

mod by_feature;
mod emitted;
mod route;

use crate::args::ConfigArgs;
use crate::console::{Summary, Verbosity};
use crate::engine::synthesis_failure;
use crate::estimate::{Estimate, comparison, estimate};
use crate::files::kind::Kind;
use crate::files::{Files, ForceArgs};
use crate::problem::{Failure, Rule};
use by_feature::ByFeature;
use emitted::{MANIFEST, read, read_text};
use route::{Routed, routed};
use serde_json::json;
use std::path::{Path, PathBuf};
use tmu_verilate::Family;

pub(crate) use emitted::listed;
pub(super) use emitted::{Emitted, emitted};

/// Estimate area and depth of the hardware with Yosys
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Yosys synthesises for UltraScale+ (synth_xilinx -family xcup), flat, and is told that a wire takes 1 ns (scratchpad -set \
synth_xilinx.abc9.W 1000) and not 0.3, with which it leaves all paths as deep as the widest sums are slow. Depth is the longest path \
from register to register: a LUT, a read of memory made of LUTs and the entry into a carry chain count 1, wide multiplexers 0, a DSP \
slice without registers 3. The figures tell configurations and versions apart; they are not those of the vendor's tools, and say \
nothing of wires that are long. With --json they are a file that --compare reads. scripts/estimate is this command.

--route needs nextpnr-ecp5 and says what Yosys and nextpnr make of the hardware on Lattice ECP5, wires included. Pins stand behind shift \
registers, so that every path of the core counts. Of UltraScale+ it says nothing in MHz: see docs/book/how-to/route.md.

Examples:
  tmugen estimate --preset fury-single
  tmugen estimate hdl-out/fury --modules
  tmugen estimate --preset fury-single --features
  tmugen estimate --preset stream-ecp5 --route
  tmugen estimate hdl --json > old.json
  tmugen estimate hdl --compare old.json")]
pub(crate) struct Args {
    /// A folder that `generate` has written
    #[arg(value_name = "DIR", conflicts_with_all = ["preset", "config"])]
    folder: Option<PathBuf>,
    #[command(flatten)]
    config: ConfigArgs,
    /// Synthesise this module instead of the top; the top's name before it may be left out
    #[arg(long, value_name = "MODULE")]
    top: Option<String>,
    /// Synthesise every module by itself, too; takes minutes
    #[arg(long)]
    modules: bool,
    /// Show what each feature of the configuration costs: once without each, minutes for every one
    #[arg(long, conflicts_with_all = ["folder", "top", "modules", "compare", "netlist"])]
    features: bool,
    /// Show what has changed since an estimate that --json has printed
    #[arg(long, value_name = "OLD.json")]
    compare: Option<PathBuf>,
    /// Synthesise for 7-series, where Yosys packs registers into DSP slices
    #[arg(long)]
    series7: bool,
    /// Place and route on ECP5 (LFE5U-85F, grade 8) with nextpnr, and show clock rates and the longest paths; a unit takes minutes
    #[arg(long, conflicts_with_all = ["modules", "features", "netlist", "series7"])]
    route: bool,
    /// Placements to make, from the seeds 1 to N: one rate says little
    #[arg(long, value_name = "N", requires = "route", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=100))]
    seeds: u64,
    /// The rate that placement works towards, of every clock
    #[arg(long, value_name = "MHZ", requires = "route", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=1000))]
    target_mhz: u32,
    /// Keep the netlist in Yosys's JSON form
    #[arg(long, value_name = "FILE")]
    netlist: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
    #[command(flatten)]
    pub(crate) verbosity: Verbosity,
}

impl Args {
    pub(crate) fn run(&self) -> Result<Summary, Failure> {
        let mut files = Files::new(self.force);
        files.read_all(self.config.file(), "the configuration");
        files.read_all(&self.compare, "--compare");
        files.read_all(self.folder.iter().map(|folder| folder.join(MANIFEST)), "the manifest");
        files.write_all(&self.netlist, "--netlist", Kind::Netlist);
        files.check()?;
        let family = if self.series7 { Family::Series7 } else { Family::default() };
        if self.features {
            let table = ByFeature::measure(&self.config.load()?, family, self.verbosity)?;
            return Ok(Summary::note(table.text(), json!(table)));
        }
        // Read before minutes of synthesis.
        let old = self.compare.as_deref().filter(|_| !self.route).map(read_estimate).transpose()?;
        let old_route = self.compare.as_deref().filter(|_| self.route).map(Routed::read).transpose()?;
        let mut emitted = match &self.folder {
            Some(folder) => read(folder)?,
            None => emitted(&self.config.load()?)?,
        };
        if let Some(folder) = &self.folder {
            files.read_all(emitted.source.files.iter().map(|file| folder.join(&file.name)), "the hardware");
            files.check()?;
        }
        if let Some(top) = &self.top {
            emitted.source.top = emitted.module_named(top);
        }
        if self.route {
            let new = routed(&emitted, self.seeds, self.target_mhz, self.verbosity)?;
            let text = old_route.map_or_else(|| new.text(), |old| old.comparison(&new));
            return Ok(Summary::note(text, json!(new)));
        }
        if !self.modules {
            emitted.modules.clear();
        }
        let (new, netlist) =
            estimate(&emitted.source, &emitted.modules, family).map_err(|error| synthesis_failure(&error))?;
        if let Some(file) = &self.netlist {
            files.put(&[(file, netlist.as_bytes())])?;
        }
        let text = match &old {
            Some(old) => comparison(old, &new),
            None => new.text(),
        };
        Ok(Summary::note(text, json!(new)))
    }
}

/// A saved estimate as it is shown, by itself and compared with itself.
pub(crate) fn saved(text: &str, path: &Path) -> Result<String, Failure> {
    let estimate = parse_old(text, path)?;
    Ok(estimate.text() + &comparison(&estimate, &estimate))
}

/// An estimate that `--json` has printed.
pub(super) fn read_estimate(path: &Path) -> Result<Estimate, Failure> {
    parse_old(&read_text(path)?, path)
}

fn parse_old(text: &str, path: &Path) -> Result<Estimate, Failure> {
    serde_json::from_str(text).map_err(|error| {
        let message = format!("the file is not an estimate: {error}");
        Failure::in_file(
            Rule::NotWritten,
            path,
            message,
            "name a file that `tmugen estimate --json` has printed",
        )
    })
}
