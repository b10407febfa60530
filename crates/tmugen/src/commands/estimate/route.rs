//! `estimate --route`: clock rates of the hardware, placed and routed on ECP5.

use super::emitted::{Emitted, Interface, read_text};
use crate::console::Verbosity;
use crate::engine::synthesis_failure;
use crate::estimate::version;
use crate::problem::{Failure, Rule};
use crate::progress;
use crate::table::Table;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use std::path::Path;
use tmu_verilate::route::{
    ClockRate, LongPath, RouteDevice, RouteRequest, SeedReport, SiteUse, WorstPath, prepare,
};
use tmu_verilate::{Error, ModelSource};

/// What was routed and how fast it is: what `--json` prints and `--compare` reads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Routed {
    /// The module.
    top: String,
    yosys: String,
    nextpnr: String,
    device: String,
    grade: u32,
    seeds: Vec<u64>,
    clocks: Vec<Rates>,
    sites: Vec<SiteUse>,
    /// The seed that the paths are of: the one in the middle by the slowest clock.
    paths_of_seed: u64,
    longest: Vec<LongPath>,
    worst: Vec<WorstPath>,
}

/// The rates of a clock.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Rates {
    clock: String,
    target_mhz: f64,
    median_mhz: f64,
    worst_mhz: f64,
    /// By seed.
    mhz: Vec<f64>,
}

/// Places and routes hardware from so many seeds, as many at once as the machine has cores.
pub(super) fn routed(
    emitted: &Emitted,
    seeds: u64,
    target_mhz: u32,
    verbosity: Verbosity,
) -> Result<Routed, Failure> {
    let Interface { ports, clock_of } = emitted.interface()?;
    let source = ModelSource { ports, ..emitted.source.clone() };
    let device = RouteDevice::default();
    let bar = progress::bar(verbosity, seeds + 1, "steps");
    bar.set_message("placing and routing");
    let request = RouteRequest { source: &source, clock_of, device, target_mhz };
    let prepared = prepare(&request).map_err(|error| failure(&error))?;
    bar.inc(1);
    let seeds: Vec<u64> = (1..=seeds).collect();
    let of_seed = |seed: &u64| {
        let report = prepared.seed(*seed).map_err(|error| failure(&error));
        bar.inc(1);
        report
    };
    let reports = seeds.par_iter().map(of_seed).collect::<Result<Vec<_>, Failure>>()?;
    let clocks = rates(&reports);
    let SeedReport { seed, longest, worst, .. } = middle(&reports).clone();
    Ok(Routed {
        top: source.top,
        yosys: version(&prepared.yosys_version).to_owned(),
        nextpnr: nextpnr_version(&prepared.nextpnr_version).to_owned(),
        device: device.name().to_owned(),
        grade: device.grade(),
        seeds,
        clocks,
        sites: prepared.sites,
        paths_of_seed: seed,
        longest,
        worst,
    })
}

/// `nextpnr-0.11.1` of `"nextpnr-ecp5" -- Next Generation Place and Route (Version nextpnr-0.11.1)`.
fn nextpnr_version(line: &str) -> &str {
    line.rsplit_once("(Version ").map_or(line, |(_, version)| version.trim_end_matches(')'))
}

/// The figure in the middle; of an even number the lower one of two, so that it is a figure of a run.
fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[(figures.len() - 1) / 2]
}

fn rates(reports: &[SeedReport]) -> Vec<Rates> {
    let of_clock = |ClockRate { clock, target_mhz, .. }: &ClockRate| {
        let rates = reports.iter().flat_map(|report| &report.clocks).filter(|rate| rate.clock == *clock);
        let mhz: Vec<f64> = rates.map(|rate| rate.mhz).collect();
        Rates {
            clock: clock.clone(),
            target_mhz: *target_mhz,
            median_mhz: median(mhz.clone()),
            worst_mhz: mhz.iter().copied().fold(f64::INFINITY, f64::min),
            mhz,
        }
    };
    reports[0].clocks.iter().map(of_clock).collect()
}

/// The report in the middle by its slowest clock.
fn middle(reports: &[SeedReport]) -> &SeedReport {
    let slowest =
        |report: &SeedReport| report.clocks.iter().map(|rate| rate.mhz).fold(f64::INFINITY, f64::min);
    let wanted = median(reports.iter().map(slowest).collect());
    reports.iter().find(|report| slowest(report) == wanted).unwrap_or(&reports[0])
}

fn failure(error: &Error) -> Failure {
    let Error::DoesNotFit { over, .. } = error else { return synthesis_failure(error) };
    let mut keys: Vec<&str> = over.iter().flat_map(|over| keys(&over.sites.site)).copied().collect();
    keys.sort_unstable();
    keys.dedup();
    Failure::new(
        Rule::DoesNotFit,
        error.to_string(),
        format!("less of these takes less: {}", keys.join(", ")),
    )
}

/// The keys of a configuration that the number of sites of a kind follows from.
fn keys(site: &str) -> &'static [&'static str] {
    if site.starts_with("block RAM") {
        &["axi.outstanding_reads", "cache.queue_depth", "cache.sets", "cache.ways", "units"]
    } else if site.starts_with("multipliers") {
        &["datapath.pixels_per_clock", "texture.trilinear", "units"]
    } else if site.starts_with("LUT RAM") {
        &["cache.data_ram", "cache.tag_ram", "units"]
    } else {
        &["control.counters", "datapath.pixels_per_clock", "texture.formats", "units"]
    }
}

impl Routed {
    /// A result that `--json` has printed.
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        serde_json::from_str(&read_text(path)?).map_err(|error| {
            let message = format!("the file is not a result of `estimate --route`: {error}");
            let help = "name a file that `tmugen estimate --route --json` has printed";
            Failure::in_file(Rule::NotWritten, path, message, help)
        })
    }

    fn tools(&self) -> String {
        let Routed { device, grade, yosys, nextpnr, .. } = self;
        format!("{device}, grade {grade}, {yosys}, {nextpnr}")
    }

    /// Rates, sites and paths.
    pub(super) fn text(&self) -> String {
        let mut text = format!("{} on {}, seeds 1 to {}\n", self.top, self.tools(), self.seeds.len());
        let mut table = Table::new(1, ["clock", "median MHz", "worst MHz", "asked for"]);
        for Rates { clock, target_mhz, median_mhz, worst_mhz, .. } in &self.clocks {
            let figures = [median_mhz, worst_mhz].map(|mhz| format!("{mhz:.2}"));
            table.push([clock.clone()].into_iter().chain(figures).chain([target_mhz.to_string()]));
        }
        text += &table.text();
        let mut table = Table::new(1, ["sites", "used", "of", "%"]);
        for SiteUse { site, used, available } in &self.sites {
            let percent = 100.0 * *used as f64 / *available as f64;
            table.push([site.clone(), used.to_string(), available.to_string(), format!("{percent:.1}")]);
        }
        let _ = write!(text, "\n{}\nthe longest paths, seed {}, end in\n", table.text(), self.paths_of_seed);
        let mut table = Table::new(3, ["clock", "stage", "node", "ns"]);
        for LongPath { clock, ns, to } in &self.longest {
            table.push([clock.clone(), to.stage.clone(), to.node.clone(), format!("{ns:.2}")]);
        }
        text += &table.text();
        self.worst.iter().for_each(|path| text += &self.shown(path));
        text
    }

    /// A path in full, below what it means for its clock.
    fn shown(&self, path: &WorstPath) -> String {
        let WorstPath { clock, ns, wires_ns, from, to, through } = path;
        let target =
            self.clocks.iter().find(|rates| rates.clock == *clock).map_or(0.0, |rates| rates.target_mhz);
        let verdict =
            if 1000.0 / ns < target { format!("misses {target} MHz") } else { format!("makes {target} MHz") };
        let mut text =
            format!("\n{clock} {verdict}: {ns:.2} ns, {wires_ns:.2} of them wires, from {from} to {to}\n");
        for step in through {
            let _ = writeln!(text, "  {:5.2} + {:4.2} wire  {}", step.cell_ns, step.wire_ns, step.at);
        }
        text
    }

    /// What has changed from this to a later result.
    pub(super) fn comparison(&self, new: &Self) -> String {
        let mut text = String::new();
        if self.tools() != new.tools() || self.seeds != new.seeds {
            let _ = writeln!(
                text,
                "the figures do not compare: {}, {} seeds then and {}, {} seeds now",
                self.tools(),
                self.seeds.len(),
                new.tools(),
                new.seeds.len()
            );
        }
        let mut table = Table::new(1, ["figure", "old", "new", "change"]);
        let figures = |of: &Self| {
            let rates = of.clocks.iter().flat_map(|rates| {
                let Rates { clock, median_mhz, worst_mhz, .. } = rates;
                [(format!("{clock}, median MHz"), *median_mhz), (format!("{clock}, worst MHz"), *worst_mhz)]
            });
            let sites = of.sites.iter().map(|site| (site.site.clone(), site.used as f64));
            rates.chain(sites).collect::<Vec<_>>()
        };
        let old = figures(self);
        for (name, now) in figures(new) {
            let before = old.iter().find(|(known, _)| *known == name).map(|(_, figure)| *figure);
            let digits = if name.ends_with("MHz") { 2 } else { 0 };
            match before {
                None => table.push([name, String::new(), format!("{now:.digits$}"), "is new".to_owned()]),
                Some(before) => table.push([
                    name,
                    format!("{before:.digits$}"),
                    format!("{now:.digits$}"),
                    format!("{:+.digits$}", now - before),
                ]),
            }
        }
        text + &table.text()
    }
}

#[cfg(test)]
mod tests;
