//! A synthesized netlist in Yosys's JSON form, and its cells counted by kind.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::error::{Error, Result};

/// One module of a netlist, flattened.
#[derive(Clone, Debug, Deserialize)]
pub struct Netlist {
    pub(crate) ports: BTreeMap<String, NetlistPort>,
    pub(crate) cells: BTreeMap<String, Cell>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct NetlistPort {
    pub(crate) direction: String,
    pub(crate) bits: Vec<Bit>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Cell {
    #[serde(rename = "type")]
    pub(crate) kind: String,
    #[serde(default)]
    pub(crate) parameters: HashMap<String, serde_json::Value>,
    #[serde(default)]
    pub(crate) port_directions: BTreeMap<String, String>,
    #[serde(default)]
    pub(crate) connections: BTreeMap<String, Vec<Bit>>,
}

/// One bit of a connection.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(from = "RawBit")]
pub(crate) enum Bit {
    /// A net, by its number.
    Net(u32),
    /// 0, 1, x or z.
    Constant,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum RawBit {
    Net(u32),
    Constant(IgnoredAny),
}

impl From<RawBit> for Bit {
    fn from(raw: RawBit) -> Self {
        match raw {
            RawBit::Net(net) => Self::Net(net),
            RawBit::Constant(_) => Self::Constant,
        }
    }
}

impl Cell {
    /// The nets at this cell's inputs or outputs, with the pin's name.
    fn nets(&self, direction: &'static str) -> impl Iterator<Item = (&str, u32)> {
        let points =
            move |pin: &String| self.port_directions.get(pin).is_some_and(|found| found == direction);
        let pins = self.connections.iter().filter(move |(pin, _)| points(pin));
        pins.flat_map(|(pin, bits)| nets(bits).map(move |net| (pin.as_str(), net)))
    }

    /// The net at a pin of one bit.
    fn net(&self, pin: &str) -> Option<u32> {
        nets(self.connections.get(pin)?).next()
    }

    pub(crate) fn inputs(&self) -> impl Iterator<Item = (&str, u32)> {
        self.nets("input")
    }

    pub(crate) fn outputs(&self) -> impl Iterator<Item = (&str, u32)> {
        self.nets("output")
    }

    /// A parameter as a number: Yosys writes numbers as text of binary digits.
    pub(crate) fn parameter(&self, name: &str) -> Option<u64> {
        match self.parameters.get(name)? {
            serde_json::Value::Number(number) => number.as_u64(),
            serde_json::Value::String(digits) => u64::from_str_radix(digits, 2).ok(),
            _ => None,
        }
    }

    /// Whether a DSP48 has a register between its inputs and its output.
    pub(crate) fn dsp_is_registered(&self) -> bool {
        let register = |name| self.parameter(name).unwrap_or(1) != 0;
        register("PREG") || register("MREG") || (register("AREG") && register("BREG"))
    }
}

impl Netlist {
    /// Takes the module `top` out of the text that `write_json` makes.
    ///
    /// # Errors
    /// If the text is not such a file or has no such module.
    pub fn from_json(text: &str, top: &str) -> Result<Self> {
        #[derive(Deserialize)]
        struct File {
            modules: HashMap<String, serde_json::Value>,
        }
        let bad = |reason: String| Error::Output { tool: "Yosys", reason };
        let mut file: File = serde_json::from_str(text).map_err(|error| bad(error.to_string()))?;
        let module =
            file.modules.remove(top).ok_or_else(|| bad(format!("the netlist has no module `{top}`")))?;
        serde_json::from_value(module).map_err(|error| bad(error.to_string()))
    }

    /// Counts the cells by kind.
    pub fn counts(&self) -> CellCounts {
        let mut counts = CellCounts::default();
        for cell in self.cells.values() {
            counts.add(cell);
        }
        counts.ff_in_dsp = self.ff_in_dsp();
        counts
    }

    /// Registers that a placer packs into a DSP48: up to two in a row before an operand and behind the product.
    fn ff_in_dsp(&self) -> usize {
        let flip_flops = || self.cells.values().filter(|cell| is_flip_flop(&cell.kind));
        let by_output: HashMap<u32, &Cell> = flip_flops().filter_map(|ff| Some((ff.net("Q")?, ff))).collect();
        let by_input: HashMap<u32, &Cell> = flip_flops().filter_map(|ff| Some((ff.net("D")?, ff))).collect();
        let loads = self.loads();
        let alone = |net: &u32| loads.get(net).is_some_and(|cells| cells.len() == 1);
        let before = |net: &u32| by_output.get(net)?.net("D");
        let behind = |net: &u32| by_input.get(net)?.net("Q");

        let mut packed = 0;
        for dsp in self.cells.values().filter(|cell| cell.kind.starts_with("DSP48")) {
            // A sign-extended operand has its top net at several pins.
            let operands: BTreeSet<_> = dsp.inputs().filter(|(pin, _)| matches!(*pin, "A" | "B")).collect();
            for (_, net) in operands {
                let chain = std::iter::successors(Some(net), before).take(2);
                packed += chain.take_while(|net| alone(net) && by_output.contains_key(net)).count();
            }
            for (_, net) in dsp.outputs().filter(|(pin, _)| *pin == "P") {
                let chain = std::iter::successors(Some(net), behind).take(2);
                packed += chain.take_while(|net| alone(net) && by_input.contains_key(net)).count();
            }
        }
        packed
    }

    /// Who reads each net: names of cells, and of output ports.
    fn loads(&self) -> HashMap<u32, BTreeSet<&str>> {
        let mut loads: HashMap<u32, BTreeSet<&str>> = HashMap::new();
        for (name, cell) in &self.cells {
            cell.inputs().for_each(|(_, net)| _ = loads.entry(net).or_default().insert(name));
        }
        for (name, port) in self.ports.iter().filter(|(_, port)| port.direction == "output") {
            nets(&port.bits).for_each(|net| _ = loads.entry(net).or_default().insert(name));
        }
        loads
    }
}

/// The nets among some bits.
pub(crate) fn nets(bits: &[Bit]) -> impl Iterator<Item = u32> {
    bits.iter().filter_map(|bit| match bit {
        Bit::Net(net) => Some(*net),
        Bit::Constant => None,
    })
}

/// Cells of a netlist for UltraScale+ or 7-series devices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CellCounts {
    /// LUTs that compute logic, LUT1 to LUT6.
    pub lut: usize,
    /// LUTs that serve as memory or shift registers.
    pub lut_memory: usize,
    /// Flip-flops.
    pub ff: usize,
    /// Those of them that belong inside a DSP48, which Yosys does not pack on UltraScale+: up to two levels in
    /// front of its operands and two behind its product, if nothing else loads the net between.
    pub ff_in_dsp: usize,
    /// 18 Kb block RAMs.
    pub ramb18: usize,
    /// 36 Kb block RAMs.
    pub ramb36: usize,
    /// UltraRAMs.
    pub uram288: usize,
    /// DSP slices.
    pub dsp48: usize,
    /// Carry primitives: CARRY4 of four bits, which this Yosys uses for UltraScale+ too, or CARRY8.
    pub carry: usize,
    /// Wide multiplexers MUXF7 to MUXF9.
    pub muxf: usize,
    /// Latches: a design rule of the generator is that there are none.
    pub latches: usize,
    /// Every kind of cell as it stands in the netlist.
    pub by_kind: BTreeMap<String, usize>,
}

impl CellCounts {
    /// Block RAM in units of 36 Kb.
    pub fn bram36(&self) -> f64 {
        self.ramb36 as f64 + self.ramb18 as f64 / 2.0
    }

    /// All LUTs, as logic and as memory.
    pub fn lut_total(&self) -> usize {
        self.lut + self.lut_memory
    }

    fn add(&mut self, cell: &Cell) {
        let kind = cell.kind.as_str();
        *self.by_kind.entry(kind.to_owned()).or_default() += 1;
        let counter = match kind {
            _ if kind.starts_with("LUT") => &mut self.lut,
            _ if is_flip_flop(kind) => &mut self.ff,
            _ if kind.starts_with("LD") => &mut self.latches,
            _ if kind.starts_with("RAMB18") => &mut self.ramb18,
            _ if kind.starts_with("RAMB36") => &mut self.ramb36,
            _ if kind.starts_with("URAM") => &mut self.uram288,
            _ if kind.starts_with("DSP48") => &mut self.dsp48,
            _ if kind.starts_with("CARRY") => &mut self.carry,
            _ if kind.starts_with("MUXF") => &mut self.muxf,
            _ => {
                self.lut_memory += luts_of_memory(kind);
                return;
            }
        };
        *counter += 1;
    }
}

fn is_flip_flop(kind: &str) -> bool {
    matches!(kind, "FDRE" | "FDSE" | "FDCE" | "FDPE" | "FDRE_1" | "FDSE_1" | "FDCE_1" | "FDPE_1")
}

/// LUTs in a primitive of distributed memory or a shift register, from the UltraScale libraries guide (UG974).
fn luts_of_memory(kind: &str) -> usize {
    match kind {
        "RAM32X1S" | "RAM64X1S" => 1,
        "RAM32X1D" | "RAM64X1D" | "RAM128X1S" => 2,
        "RAM32M" | "RAM64M" | "RAM128X1D" | "RAM256X1S" => 4,
        "RAM32M16" | "RAM64M8" | "RAM256X1D" | "RAM512X1S" | "RAM32X16DR8" | "RAM64X8SW" => 8,
        _ if kind.starts_with("SRL") => 1,
        _ => 0,
    }
}
