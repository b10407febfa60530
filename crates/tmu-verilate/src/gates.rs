//! What synthesis makes of a source, as a source: the netlist in Verilog with Yosys's simulation models of its cells.
//!
//! So a netlist is simulated as what it was made of is, by the same test benches. Costs one synthesis, seconds to minutes, each time.

use std::collections::BTreeSet;
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

/// Yosys's models of the cells of a netlist.
fn models(netlist: &str, dump: &str, sites: &[SourceFile]) -> Result<String> {
    let mut wanted = kinds(netlist);
    for line in sites.iter().flat_map(|site| site.text.lines()) {
        if let Some(name) = module_name(line) {
            wanted.remove(name);
        }
    }
    let mut text = String::new();
    let (mut is_wanted, mut is_timing) = (false, false);
    for line in dump.lines() {
        if let Some(name) = module_name(line) {
            is_wanted = wanted.remove(name);
        }
        // Delays, which no simulation here counts; Verilator does not read all of them.
        is_timing |= line.trim() == "specify";
        if is_wanted && !is_timing {
            text.extend([line, "\n"]);
        }
        is_timing &= line.trim() != "endspecify";
        is_wanted &= line.trim() != "endmodule";
    }
    if wanted.is_empty() {
        return Ok(text);
    }
    let missing: Vec<_> = wanted.into_iter().collect();
    Err(Error::Output {
        tool: "Yosys",
        reason: format!("there is no model of the cells {}", missing.join(", ")),
    })
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
    use crate::{Model, ModelOptions, Port};

    const CELLS: &str = "module LUT2(output O);\n  specify\n    (I => O) = 1;\n  endspecify\nendmodule\nmodule FDRE (\n);\nendmodule\n\
        module LUT3 (output O);\nendmodule\n";

    #[test]
    fn models_are_those_of_the_netlists_cells_without_delays() {
        let netlist = "module top(a);\n  wire a;\n  LUT2 #(\n    .INIT(4'h8)\n  ) _1_ (\n  );\n  RAM x (\n  );\nendmodule\n";
        let sites = [SourceFile::new("ram.v", "module RAM;\nendmodule\n")];
        assert_eq!(models(netlist, CELLS, &sites).unwrap(), "module LUT2(output O);\nendmodule\n");
        let error = models(netlist, CELLS, &[]).unwrap_err().to_string();
        assert!(error.contains("no model of the cells RAM"), "{error}");
    }

    /// A sum in a register, by gates of either kind.
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
        for cells in [Cells::UltraScalePlus, Cells::Ecp5] {
            let netlist = gates(&source, cells, &[]).unwrap();
            assert!(!netlist.files[0].text.contains("a + b"), "{cells:?}");
            let model = Model::build(&netlist, &ModelOptions::default()).unwrap();
            let mut instance = model.instance().unwrap();
            let port = |name| model.port(name).unwrap();
            for (a, b) in [(1, 2), (0xffff, 1), (0xffff, 0xffff), (0x1234, 0x4321)] {
                instance.set(port("a"), a);
                instance.set(port("b"), b);
                instance.step_cycles(1).unwrap();
                assert_eq!(instance.get(port("y")), a + b, "{cells:?}");
            }
        }
    }
}
