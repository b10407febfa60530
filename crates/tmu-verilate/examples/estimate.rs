//! Area and depth of an emitted directory, as `scripts/estimate` prints them.
//!
//! `estimate DIR [--top MODULE] [--series7] [--netlist FILE]`: the top module is the one that `DIR/manifest.json`
//! names, unless it is given. The netlist is kept in FILE.

use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use tmu_verilate::{Family, ModelSource, Path as LogicPath, Synthesis, synthesize};

struct Arguments {
    directory: PathBuf,
    top: Option<String>,
    family: Family,
    netlist: Option<PathBuf>,
}

fn main() -> ExitCode {
    match estimate() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "estimate: {error}");
            ExitCode::FAILURE
        }
    }
}

fn estimate() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::read()?;
    let top = match arguments.top {
        Some(top) => top,
        None => top_of_manifest(&arguments.directory)?,
    };
    let source = ModelSource::from_directory(&arguments.directory, &top)?;
    let synthesis = synthesize(&source, arguments.family)?;
    if let Some(netlist) = arguments.netlist {
        std::fs::write(netlist, &synthesis.netlist_json)?;
    }
    std::io::stdout().write_all(report(&top, &synthesis).as_bytes())?;
    Ok(())
}

impl Arguments {
    fn read() -> Result<Self, Box<dyn Error>> {
        let usage = "usage: estimate DIR [--top MODULE] [--series7] [--netlist FILE]";
        let mut arguments = std::env::args().skip(1);
        let (mut directory, mut top, mut family, mut netlist) = (None, None, Family::default(), None);
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--top" => top = Some(arguments.next().ok_or(usage)?),
                "--series7" => family = Family::Series7,
                "--netlist" => netlist = Some(arguments.next().ok_or(usage)?.into()),
                _ if directory.is_none() && !argument.starts_with('-') => directory = Some(argument.into()),
                _ => return Err(format!("`{argument}` is not known; {usage}").into()),
            }
        }
        Ok(Self { directory: directory.ok_or(usage)?, top, family, netlist })
    }
}

fn top_of_manifest(directory: &Path) -> Result<String, Box<dyn Error>> {
    let path = directory.join("manifest.json");
    let text =
        std::fs::read_to_string(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let manifest: serde_json::Value = serde_json::from_str(&text)?;
    let top =
        manifest["top"].as_str().ok_or_else(|| format!("{} names no `top`: use --top", path.display()))?;
    Ok(top.to_owned())
}

fn report(top: &str, synthesis: &Synthesis) -> String {
    let Synthesis { counts, depth, yosys_version, warnings, .. } = synthesis;
    let mut text = format!("{top}, {yosys_version}\n");
    let rows = [
        ("LUT as logic", counts.lut.to_string()),
        ("LUT as memory", counts.lut_memory.to_string()),
        ("flip-flops", format!("{}, of which {} belong inside DSP slices", counts.ff, counts.ff_in_dsp)),
        ("BRAM36", format!("{} ({} RAMB36, {} RAMB18)", counts.bram36(), counts.ramb36, counts.ramb18)),
        ("URAM288", counts.uram288.to_string()),
        ("DSP", counts.dsp48.to_string()),
        ("carry, MUXF", format!("{}, {}", counts.carry, counts.muxf)),
        ("latches", counts.latches.to_string()),
        ("loops", depth.loops_cut.to_string()),
        ("warnings", warnings.len().to_string()),
        ("depth", path(&depth.register_to_register)),
        ("  from inputs", path(&depth.input_to_register)),
        ("  to outputs", path(&depth.register_to_output)),
        ("  through", path(&depth.input_to_output)),
    ];
    for (name, value) in rows {
        let _ = writeln!(text, "{name:<14} {value}");
    }
    text
}

fn path(path: &Option<LogicPath>) -> String {
    path.as_ref().map_or("none".to_owned(), |path| {
        let LogicPath { weight, from, to, through } = path;
        let cells: String = through.iter().map(|cell| format!(" > {cell}")).collect();
        format!("{}: {from}{cells} > {to}", weight.weight)
    })
}
