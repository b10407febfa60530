//! nextpnr's report in the words of the hardware: rates by clock port, long paths by stage and node.
//!
//! A cell is called after the net that it drives, with what the tools did to it behind: `core.unit.lod.level_TRELLIS_FF_Q_3`.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// Ends of paths that are kept.
const LONGEST: usize = 10;

/// What one seed has given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeedReport {
    /// The seed.
    pub seed: u64,
    /// The rate of each clock that has paths.
    pub clocks: Vec<ClockRate>,
    /// The ends of the longest paths between registers of one clock, the longest first; the bits of a node are one end.
    pub longest: Vec<LongPath>,
    /// The longest path of each clock.
    pub worst: Vec<WorstPath>,
}

/// A clock's rate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClockRate {
    /// The core's port.
    pub clock: String,
    /// The rate in MHz.
    pub mhz: f64,
    /// The rate that was asked for.
    pub target_mhz: f64,
}

impl ClockRate {
    /// Whether it is what was asked for.
    pub fn is_met(&self) -> bool {
        self.mhz >= self.target_mhz
    }
}

/// Where a path begins, ends or passes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// The stage: instances from the top down, `unit_0.lod`. The module around the core is `pins`, its top `top`.
    pub stage: String,
    /// The node of the stage's source, with array positions as `_0`.
    pub node: String,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.stage, self.node)
    }
}

/// The end of a long path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LongPath {
    /// The clock of both ends.
    pub clock: String,
    /// From the clock's edge to the register's input, its set-up time left out.
    pub ns: f64,
    /// The register, or the memory or multiplier.
    pub to: Place,
}

/// A path in full.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorstPath {
    /// The clock of both ends.
    pub clock: String,
    /// Everything, set-up time included.
    pub ns: f64,
    /// What of it is wires.
    pub wires_ns: f64,
    /// Where it begins.
    pub from: Place,
    /// Where it ends.
    pub to: Place,
    /// What it passes, in order.
    pub through: Vec<Step>,
}

/// A cell that a path passes, and the wire behind it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// The cell.
    pub at: Place,
    /// The cell's delay.
    pub cell_ns: f64,
    /// The delay of the wire to the next one.
    pub wire_ns: f64,
}

#[derive(Deserialize)]
struct Report {
    fmax: BTreeMap<String, Rate>,
    critical_paths: Vec<CriticalPath>,
    #[serde(default)]
    detailed_net_timings: Vec<NetTiming>,
}

#[derive(Deserialize)]
struct Rate {
    achieved: f64,
    constraint: f64,
}

#[derive(Deserialize)]
struct CriticalPath {
    from: String,
    to: String,
    path: Vec<Hop>,
}

#[derive(Deserialize)]
struct Hop {
    #[serde(rename = "type")]
    kind: String,
    delay: f64,
    from: Pin,
    to: Pin,
}

#[derive(Deserialize)]
struct Pin {
    cell: String,
}

#[derive(Deserialize)]
struct NetTiming {
    event: String,
    endpoints: Vec<Endpoint>,
}

#[derive(Deserialize)]
struct Endpoint {
    cell: String,
    event: String,
    /// At the earliest and at the latest.
    delay: [f64; 2],
}

/// What the wrapper's clock pins are called in the report: `posedge $glbnet$clk0$TRELLIS_IO_IN`.
struct Clocks<'a>(&'a [String]);

impl Clocks<'_> {
    fn port(&self, event: &str) -> Option<&str> {
        let net = event.strip_prefix("posedge ").unwrap_or(event);
        let net = net.strip_prefix("$glbnet$").unwrap_or(net);
        let number = net.split('$').next()?.strip_prefix("clk")?.parse::<usize>().ok()?;
        self.0.get(number).map(String::as_str)
    }
}

/// Reads a report of a wrapped core called `top`, whose clocks are `clocks` in the order of the pins.
pub(super) fn parse(text: &str, seed: u64, top: &str, clocks: &[String]) -> Result<SeedReport> {
    let bad = |reason: String| Error::Output { tool: "nextpnr-ecp5", reason };
    let report: Report =
        serde_json::from_str(text).map_err(|error| bad(format!("its report is another: {error}")))?;
    let ports = Clocks(clocks);
    let mut rates = Vec::new();
    for (net, Rate { achieved, constraint }) in &report.fmax {
        let clock = ports.port(net).ok_or_else(|| bad(format!("the clock {net} is no pin")))?;
        rates.push(ClockRate { clock: clock.to_owned(), mhz: *achieved, target_mhz: *constraint });
    }
    if rates.is_empty() {
        return Err(bad("its report has no clock".to_owned()));
    }
    let worst = report.critical_paths.iter().filter_map(|path| worst(path, &ports, top)).collect();
    Ok(SeedReport { seed, clocks: rates, longest: longest(&report.detailed_net_timings, &ports, top), worst })
}

fn longest(nets: &[NetTiming], clocks: &Clocks<'_>, top: &str) -> Vec<LongPath> {
    let mut latest: BTreeMap<(&str, Place), f64> = BTreeMap::new();
    for net in nets {
        for Endpoint { cell, event, delay } in &net.endpoints {
            let Some(clock) = clocks.port(event).filter(|_| *event == net.event) else { continue };
            let found = latest.entry((clock, place(cell, top))).or_insert(0.0);
            *found = found.max(delay[1]);
        }
    }
    let end = |((clock, to), ns): ((&str, Place), f64)| LongPath { clock: clock.to_owned(), ns, to };
    let mut ends: Vec<_> = latest.into_iter().map(end).collect();
    ends.sort_by(|a, b| b.ns.total_cmp(&a.ns));
    ends.truncate(LONGEST);
    ends
}

/// A critical path in full; none where it changes clocks or comes from a pin.
fn worst(path: &CriticalPath, clocks: &Clocks<'_>, top: &str) -> Option<WorstPath> {
    let clock = clocks.port(&path.to).filter(|_| path.from == path.to)?.to_owned();
    let (first, last) = (path.path.first()?, path.path.last()?);
    let mut through: Vec<Step> = Vec::new();
    for hop in &path.path {
        match (hop.kind.as_str(), through.last_mut()) {
            ("routing", Some(step)) => step.wire_ns += hop.delay,
            ("routing", None) => return None,
            _ => {
                through.push(Step { at: place(&hop.from.cell, top), cell_ns: hop.delay, wire_ns: 0.0 });
            }
        }
    }
    Some(WorstPath {
        clock,
        ns: path.path.iter().map(|hop| hop.delay).sum(),
        wires_ns: through.iter().map(|step| step.wire_ns).sum(),
        from: place(&first.from.cell, top),
        to: place(&last.to.cell, top),
        through,
    })
}

/// What the tools put behind the name of a net.
const OF_TOOLS: [&str; 9] = [
    "_TRELLIS_FF_",
    "_TRELLIS_COMB_",
    "_TRELLIS_DPR16X4_",
    "_LUT4_",
    "_PFUMX_",
    "_L6MUX21_",
    "_CCU2C_",
    "_MULT18X18D_",
    "_DP16KD_",
];

/// Where a cell stands in the source.
pub(super) fn place(cell: &str, top: &str) -> Place {
    let end = OF_TOOLS.iter().filter_map(|mark| cell.find(mark)).min().unwrap_or(cell.len());
    let name = cell[..end].split('$').next().unwrap_or_default();
    // Memories are cut into blocks, which have numbers.
    let is_number = |c: char| c.is_ascii_digit() || c == '.';
    let name = match name.rsplit_once(|c: char| !is_number(c)) {
        Some((_, numbers)) if numbers.starts_with('.') => &name[..name.len() - numbers.len()],
        _ => name,
    };
    let place = |stage: &str, node: &str| Place { stage: stage.to_owned(), node: node.to_owned() };
    match name.strip_prefix(top).and_then(|rest| rest.strip_prefix('.')) {
        None => place("pins", name),
        Some(inside) => match inside.rsplit_once('.') {
            Some((stage, node)) => place(stage, node),
            None => place("top", inside),
        },
    }
}

#[cfg(test)]
mod tests;
