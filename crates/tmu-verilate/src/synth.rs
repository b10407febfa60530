//! Synthesis for UltraScale+ with Yosys: an estimate of area and depth without the vendor's tools.
//!
//! Costs seconds for a small module and a minute or two for a whole texture unit. The estimate is what the
//! open-source flow gives: it infers block RAM, UltraRAM and DSP slices, but packs no registers into DSP48E2.

use std::fs;

use tempfile::TempDir;

use crate::depth::{Depth, depth};
use crate::error::{IoContext as _, Result};
use crate::netlist::{CellCounts, Netlist};
use crate::source::ModelSource;
use crate::tools::Tools;

const NETLIST_FILE: &str = "tmuv_netlist.json";

/// What a wire takes in the eyes of ABC9, in picoseconds. Its own 300 let a unit's widest sums, which cross few wires, be the slowest paths:
/// it then leaves all others as deep as those are slow. A routed wire of UltraScale+ is nearer to this, and levels count.
const WIRE_DELAY_PS: u32 = 1000;

/// The device family to synthesize for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Family {
    /// UltraScale+, where the generator's units belong.
    #[default]
    UltraScalePlus,
    /// 7-series, for which Yosys packs registers into DSP48E1: shows that they can be packed.
    Series7,
}

impl Family {
    /// Yosys's commands between reading and synthesis. 7-series has no UltraRAM, so what asks for it is counted as block RAM.
    fn preparation(self) -> &'static str {
        match self {
            Self::UltraScalePlus => "",
            Self::Series7 => "setattr -set ram_style \"block\" a:ram_style=ultra; ",
        }
    }

    fn arguments(self) -> &'static str {
        match self {
            Self::UltraScalePlus => "-family xcup -uram",
            Self::Series7 => "-family xc7",
        }
    }
}

/// A synthesized module.
#[derive(Clone, Debug)]
pub struct Synthesis {
    /// Its cells by kind.
    pub counts: CellCounts,
    /// Its heaviest paths.
    pub depth: Depth,
    /// The netlist as Yosys wrote it, for other programs.
    pub netlist_json: String,
    /// What Yosys warned of.
    pub warnings: Vec<String>,
    /// The version of Yosys that made it: figures of different versions do not compare.
    pub yosys_version: String,
}

/// The netlist that Yosys makes of `source` by reading it, before anything is synthesized: nets keep their attributes.
///
/// # Errors
/// [`Error::Tool`](crate::Error::Tool) with Yosys's text if it refuses the source;
/// [`Error::MissingTool`](crate::Error::MissingTool); [`Error::Source`](crate::Error::Source).
pub fn read_netlist(source: &ModelSource) -> Result<String> {
    source.validate()?;
    let tool = Tools::yosys()?;
    let directory =
        TempDir::with_prefix("tmuv-read-").context("create a directory in", std::env::temp_dir())?;
    source.write_files(directory.path())?;
    let names: Vec<_> = source.verilog_names().collect();
    let script = format!(
        "read_verilog {}; hierarchy -top {}; proc -noopt; write_json {NETLIST_FILE}",
        names.join(" "),
        source.top
    );
    let done = tool.finish(tool.command().args(["-q", "-p", &script]), directory.path())?;
    if !done.success {
        return Err(done.into_error("Yosys", &source.top));
    }
    let path = directory.path().join(NETLIST_FILE);
    fs::read_to_string(&path).context("read", path)
}

/// Synthesizes `source` flat, without pads and clock buffers.
///
/// # Errors
/// [`Error::Tool`](crate::Error::Tool) with Yosys's text if it refuses the source;
/// [`Error::MissingTool`](crate::Error::MissingTool); [`Error::Source`](crate::Error::Source).
pub fn synthesize(source: &ModelSource, family: Family) -> Result<Synthesis> {
    source.validate()?;
    let tool = Tools::yosys()?;
    let directory =
        TempDir::with_prefix("tmuv-synth-").context("create a directory in", std::env::temp_dir())?;
    source.write_files(directory.path())?;
    let names: Vec<_> = source.verilog_names().collect();
    let script = format!(
        "read_verilog {}; {}scratchpad -set synth_xilinx.abc9.W {WIRE_DELAY_PS}; \
         synth_xilinx {} -flatten -noiopad -noclkbuf -abc9 -top {}; write_json {NETLIST_FILE}",
        names.join(" "),
        family.preparation(),
        family.arguments(),
        source.top,
    );
    let done = tool.finish(tool.command().args(["-q", "-p", &script]), directory.path())?;
    if !done.success {
        return Err(done.into_error("Yosys", &source.top));
    }
    let path = directory.path().join(NETLIST_FILE);
    let netlist_json = fs::read_to_string(&path).context("read", path)?;
    let netlist = Netlist::from_json(&netlist_json, &source.top)?;
    let output = done.output();
    Ok(Synthesis {
        counts: netlist.counts(),
        depth: depth(&netlist),
        netlist_json,
        warnings: output.lines().filter(|line| line.starts_with("Warning:")).map(str::to_owned).collect(),
        yosys_version: tool.version().to_owned(),
    })
}
