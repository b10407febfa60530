//! What synthesis makes of a source, as a source: the netlist in Verilog with Yosys's simulation models of its cells.
//!
//! So a netlist is simulated as what it was made of is, by the same test benches. Costs one synthesis, seconds to minutes, each time.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use tempfile::TempDir;

use crate::error::{Error, IoContext as _, Result};
use crate::source::{ModelSource, SourceFile};
use crate::tools::Tools;

const NETLIST_FILE: &str = "netlist.v";
const CELLS_FILE: &str = "cells.v";

/// Cells that a netlist is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cells {
    /// Those of UltraScale+.
    UltraScalePlus,
    /// Those of Lattice ECP5.
    Ecp5,
}

impl Cells {
    /// Yosys's command for synthesis.
    fn synthesis(self) -> &'static str {
        match self {
            Self::UltraScalePlus => "synth_xilinx -family xcup -uram -flatten -noiopad -noclkbuf -abc9",
            Self::Ecp5 => "synth_ecp5 -abc9",
        }
    }

    /// Yosys's models, among its own files.
    fn models(self) -> &'static str {
        match self {
            Self::UltraScalePlus => "+/xilinx/cells_sim.v",
            Self::Ecp5 => "+/ecp5/cells_sim.v",
        }
    }
}

/// Synthesises `source` and gives the netlist in its place. `sites` are models of the cells of which Yosys has only the ports, block RAM and
/// multipliers; they are taken before Yosys's own. ROM contents are in the netlist.
///
/// # Errors
/// [`Error::Tool`] with Yosys's text if it refuses the source; [`Error::Output`] for a cell without a model; [`Error::MissingTool`];
/// [`Error::Source`].
pub fn gates(source: &ModelSource, cells: Cells, sites: &[SourceFile]) -> Result<ModelSource> {
    source.validate()?;
    let tool = Tools::yosys()?;
    let directory =
        TempDir::with_prefix("tmuv-gates-").context("create a directory in", std::env::temp_dir())?;
    source.write_files(directory.path())?;
    let names: Vec<_> = source.verilog_names().collect();
    // Yosys has its files where only it finds them, so it is asked to print the models: all of what its preprocessor leaves.
    let script = format!(
        "read_verilog {}; {} -top {}; write_verilog -noattr {NETLIST_FILE}; design -reset; \
         tee -q -o {CELLS_FILE} read_verilog -lib -ppdump {}",
        names.join(" "),
        cells.synthesis(),
        source.top,
        cells.models(),
    );
    let done = tool.finish(tool.command().args(["-q", "-p", &script]), directory.path())?;
    if !done.success {
        return Err(done.into_error("Yosys", &source.top));
    }
    let read = |name: &str| {
        let path = directory.path().join(name);
        fs::read_to_string(&path).context("read", path)
    };
    let netlist = read(NETLIST_FILE)?;
    let models = models(&netlist, &read(CELLS_FILE)?, sites)?;
    let mut files = vec![SourceFile::new(NETLIST_FILE, netlist), SourceFile::new(CELLS_FILE, models)];
    files.extend(sites.iter().cloned());
    Ok(ModelSource { top: source.top.clone(), files, ports: source.ports.clone() })
}

/// Yosys's models of the cells of a netlist, and those that they are made of.
fn models(netlist: &str, dump: &str, sites: &[SourceFile]) -> Result<String> {
    let known = modules(dump);
    let modelled: BTreeSet<_> =
        sites.iter().flat_map(|site| site.text.lines()).filter_map(module_name).collect();
    let mut wanted: Vec<_> = kinds(netlist).into_iter().filter(|kind| !modelled.contains(kind)).collect();
    let (mut taken, mut missing) = (BTreeMap::new(), Vec::new());
    while let Some(kind) = wanted.pop() {
        let Some(text) = known.get(kind) else {
            missing.push(kind);
            continue;
        };
        if taken.insert(kind, text).is_none() {
            let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
            wanted.extend(words.filter(|word| known.contains_key(word)));
        }
    }
    if missing.is_empty() {
        return Ok(taken.into_values().map(String::as_str).collect());
    }
    Err(Error::Output {
        tool: "Yosys",
        reason: format!("there is no model of the cells {}", missing.join(", ")),
    })
}

/// The modules in what Yosys has printed, without delays: no simulation here counts them, and Verilator does not read all of them.
fn modules(dump: &str) -> BTreeMap<&str, String> {
    let mut modules = BTreeMap::new();
    let (mut name, mut is_timing) = (None, false);
    for line in dump.lines() {
        name = module_name(line).or(name);
        is_timing |= line.trim() == "specify";
        if let Some(name) = name.filter(|_| !is_timing) {
            let text: &mut String = modules.entry(name).or_default();
            text.extend([line, "\n"]);
        }
        is_timing &= line.trim() != "endspecify";
        name = name.filter(|_| line.trim() != "endmodule");
    }
    modules
}

/// The module that a line begins.
fn module_name(line: &str) -> Option<&str> {
    let name = line.strip_prefix("module ")?;
    name.split(|c: char| !c.is_alphanumeric() && c != '_').next()
}

/// Kinds of the cells of a netlist, as Yosys writes it: each begins a line of its own, by two columns.
fn kinds(netlist: &str) -> BTreeSet<&str> {
    let words = netlist.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let is_kind = |word: &&str| {
        word.starts_with(|c: char| c.is_ascii_uppercase())
            && word.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
    };
    words.filter(is_kind).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Model, ModelOptions, OptimizeFor, Port};

    const CELLS: &str = "module LUT2(output O);\n  specify\n    (I => O) = 1;\n  endspecify\nendmodule\nmodule FDRE (\n);\nendmodule\n\
        module LUT3 (output O);\nendmodule\nmodule CARRY;\n  LUT2 a(O);\nendmodule\n";

    #[test]
    fn models_are_those_of_the_netlists_cells_without_delays() {
        let netlist = "module top(a);\n  wire a;\n  LUT2 #(\n    .INIT(4'h8)\n  ) _1_ (\n  );\n  RAM x (\n  );\nendmodule\n";
        let sites = [SourceFile::new("ram.v", "module RAM;\nendmodule\n")];
        assert_eq!(models(netlist, CELLS, &sites).unwrap(), "module LUT2(output O);\nendmodule\n");
        let error = models(netlist, CELLS, &[]).unwrap_err().to_string();
        let carry = models("module top;\n  CARRY c ();\nendmodule\n", CELLS, &[]).unwrap();
        assert!(carry.contains("module CARRY;") && carry.contains("module LUT2("), "{carry}");
        assert!(error.contains("no model of the cells RAM"), "{error}");
    }

    /// A sum in a register: carry cells, whose model Yosys makes of that of a LUT, and flip-flops.
    #[test]
    fn gates_add() {
        if Tools::yosys().is_err() || Tools::verilator().is_err() {
            return;
        }
        let text = "module sum (input wire clock, input wire [15:0] a, input wire [15:0] b, output reg [16:0] y);\n\
             always @(posedge clock) y <= a + b;\nendmodule\n";
        let ports =
            vec![Port::clock("clock"), Port::input("a", 16), Port::input("b", 16), Port::output("y", 17)];
        let source = ModelSource::single("sum", text, ports);
        let netlist = gates(&source, Cells::Ecp5, &[]).unwrap();
        assert!(!netlist.files[0].text.contains("a + b"));
        let options = ModelOptions { optimize: OptimizeFor::BuildTime, ..ModelOptions::default() };
        let model = Model::build(&netlist, &options).unwrap();
        let mut instance = model.instance().unwrap();
        let port = |name| model.port(name).unwrap();
        for (a, b) in [(1, 2), (0xffff, 1), (0xffff, 0xffff), (0x1234, 0x4321)] {
            instance.set(port("a"), a);
            instance.set(port("b"), b);
            instance.step_cycles(1).unwrap();
            assert_eq!(instance.get(port("y")), a + b);
        }
    }
}
