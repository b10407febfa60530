//! Place and route on a family whose tools are open: Lattice ECP5, with Yosys and nextpnr.
//!
//! [`prepare`] puts the top module behind pins that any package has (`wrapper`), synthesises it, and says whether it fits;
//! [`Prepared::seed`] places and routes it from a seed of the random numbers that placement begins with. A small block costs
//! seconds, a texture unit one minute of synthesis and two a seed.
//!
//! What the rates say: nextpnr's delays of ECP5 are the vendor's as Project Trellis has found them, wires included. It relates no two
//! clocks, so paths that change clocks are not in a rate; nor is the inside of a multiplier between its own registers.

mod device;
mod report;
mod wrapper;

pub use device::{Over, RouteDevice, SiteUse};
pub use report::{ClockRate, LongPath, Place, SeedReport, Step, WorstPath};

use std::collections::BTreeMap;
use std::fs;

use tempfile::TempDir;

use crate::error::{Error, IoContext as _, Result};
use crate::netlist::Netlist;
use crate::source::{ModelSource, SourceFile};
use crate::tools::Tools;

/// The module around the top.
pub(crate) const WRAPPER: &str = "tmuv_routed";
const WRAPPER_FILE: &str = "tmuv_routed.v";
const NETLIST_FILE: &str = "tmuv_netlist.json";

/// How much placement heeds long paths beside short wires; nextpnr has 10 unless told. Of a texture unit one seed gave 178.3 MHz for 176.7.
const PLACER_TIMING_WEIGHT: &str = "20";

/// What is to be routed.
#[derive(Clone, Debug)]
pub struct RouteRequest<'a> {
    /// The Verilog, with the ports of its top.
    pub source: &'a ModelSource,
    /// The clock port of each data port; one that no register takes or gives is absent.
    pub clock_of: BTreeMap<String, String>,
    /// The device.
    pub device: RouteDevice,
    /// The rate in MHz that placement works towards, of every clock. What is far beyond reach makes it slower.
    pub target_mhz: u32,
}

/// A synthesised design, to be placed and routed any number of times.
#[derive(Debug)]
pub struct Prepared {
    directory: TempDir,
    top: String,
    /// Clock ports in the order of the wrapper's pins.
    clocks: Vec<String>,
    device: RouteDevice,
    target_mhz: u32,
    /// What it takes of the device, by Yosys.
    pub sites: Vec<SiteUse>,
    /// The version of Yosys.
    pub yosys_version: String,
    /// The version of nextpnr.
    pub nextpnr_version: String,
}

/// Synthesises a design for a device.
///
/// # Errors
/// [`Error::DoesNotFit`] with every kind of site that is too few; [`Error::Tool`] with Yosys's text if it refuses the source;
/// [`Error::MissingTool`] for Yosys and nextpnr; [`Error::Source`]; [`Error::Usage`] for a design without a clock.
pub fn prepare(request: &RouteRequest<'_>) -> Result<Prepared> {
    let RouteRequest { source, clock_of, device, target_mhz } = request;
    source.validate()?;
    let (yosys, nextpnr) = (Tools::yosys()?, Tools::nextpnr_ecp5()?);
    let (clocks, wrapper) = wrapper::wrapper(source, clock_of)?;
    let directory =
        TempDir::with_prefix("tmuv-route-").context("create a directory in", std::env::temp_dir())?;
    let mut whole = (*source).clone();
    whole.files.push(SourceFile::new(WRAPPER_FILE, wrapper));
    whole.write_files(directory.path())?;
    let names: Vec<_> = whole.verilog_names().collect();
    let script = format!(
        "read_verilog {}; synth_ecp5 -abc9 -top {WRAPPER}; write_json {NETLIST_FILE}",
        names.join(" ")
    );
    let done = yosys.finish(yosys.command().args(["-q", "-p", &script]), directory.path())?;
    if !done.success {
        return Err(done.into_error("Yosys", &source.top));
    }
    let path = directory.path().join(NETLIST_FILE);
    let netlist = fs::read_to_string(&path).context("read", path)?;
    let sites = device.sites(&Netlist::from_json(&netlist, WRAPPER)?.counts().by_kind);
    let over: Vec<Over> = sites.iter().filter_map(SiteUse::over).collect();
    if !over.is_empty() {
        return Err(Error::DoesNotFit { top: source.top.clone(), device: device.name(), over });
    }
    Ok(Prepared {
        directory,
        top: source.top.clone(),
        clocks,
        device: *device,
        target_mhz: *target_mhz,
        sites,
        yosys_version: yosys.version().to_owned(),
        nextpnr_version: nextpnr.version().to_owned(),
    })
}

impl Prepared {
    /// Places and routes from a seed. A rate that is missed is no error: the report says which.
    ///
    /// # Errors
    /// [`Error::Tool`] with nextpnr's text if it cannot place or route; [`Error::Output`] if its report is another than expected.
    pub fn seed(&self, seed: u64) -> Result<SeedReport> {
        let tool = Tools::nextpnr_ecp5()?;
        let file = format!("tmuv_report_{seed}.json");
        let (seed_text, freq) = (seed.to_string(), self.target_mhz.to_string());
        let mut command = tool.command();
        command.args(self.device.nextpnr_arguments());
        command.args(["--json", NETLIST_FILE, "--seed", &seed_text, "--freq", &freq, "--report", &file]);
        command.args(["--placer-heap-timingweight", PLACER_TIMING_WEIGHT]);
        command.args(["--detailed-timing-report", "--timing-allow-fail", "-q"]);
        let done = tool.finish(&mut command, self.directory.path())?;
        if !done.success {
            return Err(done.into_error("nextpnr-ecp5", &self.top));
        }
        let path = self.directory.path().join(file);
        let text = fs::read_to_string(&path).context("read", path)?;
        report::parse(&text, seed, &self.top, &self.clocks)
    }
}
