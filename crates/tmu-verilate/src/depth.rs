//! The depth of a netlist: the greatest weight of logic between two registers.
//!
//! A LUT weighs 1, the entry into a carry chain 1 and its propagation nothing, a read of distributed memory 1, a
//! multiplexer MUXF and an inverter nothing, a DSP48 without a register between input and output 3. Registers,
//! block RAMs, UltraRAMs, shift registers and registered DSP48s begin and end paths; clock pins end none. The
//! walk is linear in the size of the netlist.

use std::collections::HashMap;

use crate::netlist::{Cell, Netlist, nets};

/// Where a path begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    Register,
    Port,
}

/// What a path passes through; ordered by weight first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PathWeight {
    /// The sum that the depth is judged by.
    pub weight: u32,
    /// LUTs and reads of distributed memory.
    pub luts: u32,
    /// Entries into carry chains.
    pub carry_chains: u32,
    /// Unregistered DSP48s.
    pub dsps: u32,
    /// Wide multiplexers.
    pub muxfs: u32,
}

impl PathWeight {
    const FREE: Self = Self { weight: 0, luts: 0, carry_chains: 0, dsps: 0, muxfs: 0 };
    const LUT: Self = Self { weight: 1, luts: 1, ..Self::FREE };
    const CARRY: Self = Self { weight: 1, carry_chains: 1, ..Self::FREE };
    const DSP: Self = Self { weight: 3, dsps: 1, ..Self::FREE };
    const MUXF: Self = Self { muxfs: 1, ..Self::FREE };

    fn plus(self, other: Self) -> Self {
        Self {
            weight: self.weight + other.weight,
            luts: self.luts + other.luts,
            carry_chains: self.carry_chains + other.carry_chains,
            dsps: self.dsps + other.dsps,
            muxfs: self.muxfs + other.muxfs,
        }
    }
}

/// One of the heaviest paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// What it weighs.
    pub weight: PathWeight,
    /// The cell or port where it begins.
    pub from: String,
    /// The cell and pin, or the port, where it ends.
    pub to: String,
    /// Kinds of the cells that it passes, first to last.
    pub through: Vec<String>,
}

/// The heaviest paths of a netlist by where they begin and end; `None` where there is no such path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Depth {
    /// From register to register: the depth.
    pub register_to_register: Option<Path>,
    /// From an input port to a register.
    pub input_to_register: Option<Path>,
    /// From a register to an output port.
    pub register_to_output: Option<Path>,
    /// From an input port to an output port.
    pub input_to_output: Option<Path>,
    /// Nets at which a combinational loop was cut open: more than 0 is a fault of the design.
    pub loops_cut: usize,
}

impl Depth {
    /// The depth by which designs are judged: register to register.
    pub fn depth(&self) -> u32 {
        self.register_to_register.as_ref().map_or(0, |path| path.weight.weight)
    }
}

/// Pins at which no path ends. (`C` is data at a DSP48.)
const CLOCK_PINS: [&str; 5] = ["C", "CLK", "CLKARDCLK", "CLKBWRCLK", "WCLK"];

fn is_clock(cell: &Cell, pin: &str) -> bool {
    CLOCK_PINS.contains(&pin) && !(pin == "C" && cell.kind.starts_with("DSP48"))
}

/// Kinds of cell that begin and end paths, by the start of their names.
const SEQUENTIAL: [&str; 13] = [
    "FDRE", "FDSE", "FDCE", "FDPE", "LDCE", "LDPE", "SRL16", "SRLC", "RAMB", "URAM", "$_DFF", "$_SDFF",
    "$mem",
];

/// Distributed memory: written at the clock, read through its address pins.
const DISTRIBUTED: [&str; 9] =
    ["RAM32M", "RAM64M", "RAM32X1", "RAM64X1", "RAM128X1", "RAM256X1", "RAM512X1", "RAM32X16", "RAM64X8"];

fn starts_with_any(kind: &str, starts: &[&str]) -> bool {
    starts.iter().any(|start| kind.starts_with(start))
}

fn is_sequential(cell: &Cell) -> bool {
    starts_with_any(&cell.kind, &SEQUENTIAL) || (cell.kind.starts_with("DSP48") && cell.dsp_is_registered())
}

fn is_distributed(cell: &Cell) -> bool {
    starts_with_any(&cell.kind, &DISTRIBUTED)
}

/// Whether a path goes through the cell from this input pin. In distributed memory of several ports an address goes to the data of its own port
/// alone: that of the port that writes ends there.
fn passes(cell: &Cell, pin: &str) -> bool {
    if !is_distributed(cell) {
        return true;
    }
    match pin.strip_prefix("ADDR") {
        Some(port) => cell.connections.contains_key(&format!("DO{port}")),
        None => pin.starts_with('A') || pin.starts_with("DPRA"),
    }
}

/// The latest arrival at a net from one kind of origin, with the net before it on the path.
#[derive(Clone, Copy)]
struct Arrival {
    weight: PathWeight,
    before: Option<u32>,
}

/// Arrivals from registers and from ports, kept apart so that neither hides the other.
#[derive(Clone, Copy, Default)]
struct Arrivals {
    register: Option<Arrival>,
    port: Option<Arrival>,
}

impl Arrivals {
    fn of(self, origin: Origin) -> Option<Arrival> {
        match origin {
            Origin::Register => self.register,
            Origin::Port => self.port,
        }
    }
}

struct Walk<'a> {
    netlist: &'a Netlist,
    drivers: HashMap<u32, (&'a str, &'a Cell)>,
    inputs: HashMap<u32, &'a str>,
    arrivals: HashMap<u32, Arrivals>,
    loops_cut: usize,
}

/// Walks a netlist.
pub fn depth(netlist: &Netlist) -> Depth {
    let mut walk = Walk::new(netlist);
    let ends = walk.ends();
    ends.iter().for_each(|(_, net)| walk.arrive(*net));
    let outputs = netlist.ports.iter().filter(|(_, port)| port.direction == "output");
    let outputs: Vec<_> =
        outputs.flat_map(|(name, port)| nets(&port.bits).map(move |net| (name.clone(), net))).collect();
    outputs.iter().for_each(|(_, net)| walk.arrive(*net));
    Depth {
        register_to_register: walk.heaviest(&ends, Origin::Register),
        input_to_register: walk.heaviest(&ends, Origin::Port),
        register_to_output: walk.heaviest(&outputs, Origin::Register),
        input_to_output: walk.heaviest(&outputs, Origin::Port),
        loops_cut: walk.loops_cut,
    }
}

impl<'a> Walk<'a> {
    fn new(netlist: &'a Netlist) -> Self {
        let cells = netlist.cells.iter();
        let drivers =
            cells.flat_map(|(name, cell)| cell.outputs().map(move |(_, net)| (net, (name.as_str(), cell))));
        let ports = netlist.ports.iter().filter(|(_, port)| port.direction != "output");
        let inputs = ports.flat_map(|(name, port)| nets(&port.bits).map(move |net| (net, name.as_str())));
        Self {
            netlist,
            drivers: drivers.collect(),
            inputs: inputs.collect(),
            arrivals: HashMap::new(),
            loops_cut: 0,
        }
    }

    /// Every pin of a register or memory at which a path can end, with its net.
    fn ends(&self) -> Vec<(String, u32)> {
        let ending =
            self.netlist.cells.iter().filter(|(_, cell)| is_sequential(cell) || is_distributed(cell));
        let pins = ending.flat_map(|(name, cell)| {
            let pins = cell.inputs().filter(|(pin, _)| !is_clock(cell, pin));
            pins.map(move |(pin, net)| (format!("{name}.{pin} ({})", cell.kind), net))
        });
        pins.collect()
    }

    /// Computes the arrival at `net` and at all nets before it, without recursion: netlists are deep.
    fn arrive(&mut self, net: u32) {
        let mut open = vec![(net, false)];
        let mut visiting = std::collections::HashSet::new();
        while let Some((net, expanded)) = open.pop() {
            if self.arrivals.contains_key(&net) {
                continue;
            }
            let Some(&(_, cell)) = self.drivers.get(&net) else {
                let from_port = self
                    .inputs
                    .contains_key(&net)
                    .then_some(Arrival { weight: PathWeight::FREE, before: None });
                self.arrivals.insert(net, Arrivals { port: from_port, register: None });
                continue;
            };
            if is_sequential(cell) {
                let register = Some(Arrival { weight: PathWeight::FREE, before: None });
                self.arrivals.insert(net, Arrivals { register, port: None });
            } else if expanded {
                visiting.remove(&net);
                let arrivals = self.through(cell);
                self.arrivals.insert(net, arrivals);
            } else {
                visiting.insert(net);
                open.push((net, true));
                for (_, before) in cell.inputs().filter(|(pin, _)| passes(cell, pin)) {
                    if visiting.contains(&before) {
                        self.loops_cut += 1;
                    } else if !self.arrivals.contains_key(&before) {
                        open.push((before, false));
                    }
                }
            }
        }
    }

    /// The heaviest arrivals at the output of a combinational cell whose inputs have been visited.
    fn through(&self, cell: &Cell) -> Arrivals {
        let mut latest = Arrivals::default();
        for (pin, before) in cell.inputs().filter(|(pin, _)| passes(cell, pin)) {
            let arrivals = self.arrivals.get(&before).copied().unwrap_or_default();
            let own = self.weight(cell, pin, before);
            for (to, from) in [(&mut latest.register, arrivals.register), (&mut latest.port, arrivals.port)] {
                let Some(from) = from else { continue };
                let weight = from.weight.plus(own);
                if to.is_none_or(|to| weight > to.weight) {
                    *to = Some(Arrival { weight, before: Some(before) });
                }
            }
        }
        latest
    }

    fn weight(&self, cell: &Cell, pin: &str, net: u32) -> PathWeight {
        match cell.kind.as_str() {
            "INV" | "IBUF" | "OBUF" | "BUFG" => PathWeight::FREE,
            kind if kind.starts_with("MUXF") => PathWeight::MUXF,
            kind if kind.starts_with("DSP48") => PathWeight::DSP,
            kind if kind.starts_with("CARRY") => {
                let chained = matches!(pin, "CI" | "CI_TOP" | "CYINIT")
                    && self.drivers.get(&net).is_some_and(|(_, driver)| driver.kind.starts_with("CARRY"));
                if chained { PathWeight::FREE } else { PathWeight::CARRY }
            }
            _ => PathWeight::LUT,
        }
    }

    fn heaviest(&self, ends: &[(String, u32)], origin: Origin) -> Option<Path> {
        let arrival = |net: &u32| self.arrivals.get(net).and_then(|arrivals| arrivals.of(origin));
        let arriving = ends.iter().filter_map(|(to, net)| Some((to, *net, arrival(net)?.weight)));
        // The first of equals, so that the report does not depend on the order of a hash map.
        let (to, net, weight) = arriving.reduce(|best, next| if next.2 > best.2 { next } else { best })?;
        let nets: Vec<_> = std::iter::successors(Some(net), |net| arrival(net)?.before).collect();
        let kinds = nets.iter().rev().skip(1).filter_map(|net| self.drivers.get(net));
        let through = kinds.map(|(_, cell)| cell.kind.clone()).collect();
        let first = nets.last().copied().unwrap_or(net);
        let from = match self.drivers.get(&first) {
            Some((name, cell)) => format!("{name} ({})", cell.kind),
            None => {
                self.inputs.get(&first).map_or_else(|| "a constant".to_owned(), |port| (*port).to_owned())
            }
        };
        Some(Path { weight, from, to: to.clone(), through })
    }
}

#[cfg(test)]
mod tests;
