//! `tmugen estimate`: area and depth of emitted hardware, as Yosys estimates them.

mod by_feature;

use crate::args::ConfigArgs;
use crate::console::{Summary, Verbosity};
use crate::engine::synthesis_failure;
use crate::estimate::{Estimate, comparison, estimate};
use crate::files::kind::Kind;
use crate::files::{Files, ForceArgs};
use crate::hardware::hardware;
use crate::problem::{Failure, Rule};
use by_feature::ByFeature;
use serde_json::json;
use std::path::{Path, PathBuf};
use tmu_rtl::outputs::{Hardware, OutputFile};
use tmu_spec::Config;
use tmu_verilate::{Family, ModelSource, SourceFile};

/// Estimate area and depth of the hardware with Yosys
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Yosys synthesises for UltraScale+ (synth_xilinx -family xcup), flat. Depth is the longest path from register to register: a LUT, \
a read of memory made of LUTs and the entry into a carry chain count 1, wide multiplexers 0, a DSP slice without registers 3. The \
figures tell configurations and versions apart; they are not those of the vendor's tools, and say nothing of wires. With --json \
they are a file that --compare reads. scripts/estimate is this command.

Examples:
  tmugen estimate --preset fury-single
  tmugen estimate hdl-out/fury --modules
  tmugen estimate --preset fury-single --features
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
    /// Keep the netlist in Yosys's JSON form
    #[arg(long, value_name = "FILE")]
    netlist: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
    #[command(flatten)]
    pub(crate) verbosity: Verbosity,
}

/// The longest file that is read, in bytes. The Verilog of four units has under one million.
const MAX_TEXT_BYTES: u64 = 256 << 20;

/// The list of the files in a folder that was emitted.
const MANIFEST: &str = "manifest.json";

/// What is to be synthesised: Verilog with its memory files, the top's name, and modules below it with how often each stands.
pub(super) struct Emitted {
    pub(super) source: ModelSource,
    pub(super) modules: Vec<(String, u64)>,
}

impl Emitted {
    pub(super) fn new(hardware: &Hardware) -> Self {
        let modules = hardware.manifest().modules.into_iter();
        let modules = modules.map(|module| (module.name, module.instances as u64)).collect();
        Self { source: source(hardware.top(), hardware.verilog_files()), modules }
    }

    /// The module of this name, with or without the top's before it; as it is given if there is none.
    fn module_named(&self, name: &str) -> String {
        let full = format!("{}_{name}", self.source.top);
        if self.modules.iter().any(|(known, _)| *known == full) { full } else { name.to_owned() }
    }
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
        let old = self.compare.as_deref().map(read_estimate).transpose()?;
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

/// The hardware of a configuration.
pub(super) fn emitted(config: &Config) -> Result<Emitted, Failure> {
    Ok(Emitted::new(&hardware(config)?))
}

fn source(top: &str, files: Vec<OutputFile>) -> ModelSource {
    let files = files.into_iter().map(|file| SourceFile::new(file.name, file.text)).collect();
    ModelSource { top: top.to_owned(), files, ports: Vec::new() }
}

fn read_text(path: &Path) -> Result<String, Failure> {
    tmu_assets::read_text(path, MAX_TEXT_BYTES).map_err(|error| {
        let help = "name a folder that `tmugen generate` has written, or a file that `tmugen estimate --json` has printed";
        Failure::in_file(Rule::Read, path, format!("the file cannot be read: {error}"), help)
    })
}

/// What a folder's manifest lists.
struct Listed {
    top: String,
    /// Files that synthesis reads.
    names: Vec<String>,
    modules: Vec<(String, u64)>,
}

fn parse_manifest(text: &str, path: &Path) -> Result<Listed, Failure> {
    let broken = |what: &str| {
        let message = format!("the manifest {what}");
        Failure::in_file(Rule::NotWritten, path, message, "write the folder anew with `tmugen generate`")
    };
    let manifest: serde_json::Value =
        serde_json::from_str(text).map_err(|error| broken(&format!("is not JSON: {error}")))?;
    let top = manifest["top"].as_str().ok_or_else(|| broken("names no top module"))?.to_owned();
    let names = manifest["files"].as_array().ok_or_else(|| broken("lists no files"))?;
    let names = names.iter().filter_map(|name| name.as_str());
    let names = names.filter(|name| name.ends_with(".v") || name.ends_with(".mem")).map(str::to_owned);
    let modules = manifest["modules"].as_array().into_iter().flatten();
    let modules = modules.filter_map(|module| {
        Some((module["name"].as_str()?.to_owned(), module["instances"].as_u64().unwrap_or(1)))
    });
    Ok(Listed { top, names: names.collect(), modules: modules.collect() })
}

/// The files that a folder's manifest lists.
fn read(folder: &Path) -> Result<Emitted, Failure> {
    let path = folder.join(MANIFEST);
    let Listed { top, names, modules } = parse_manifest(&read_text(&path)?, &path)?;
    let read = |name: String| Ok(OutputFile { text: read_text(&folder.join(&name))?, name });
    let files = names.into_iter().map(read).collect::<Result<Vec<_>, Failure>>()?;
    Ok(Emitted { source: source(&top, files), modules })
}

/// The names that a manifest gives to its top module and files.
pub(crate) fn listed(text: &str, path: &Path) -> Result<Vec<String>, Failure> {
    let Listed { top, names, modules } = parse_manifest(text, path)?;
    let modules = modules.into_iter().map(|(name, _)| name);
    Ok(std::iter::once(top).chain(names).chain(modules).collect())
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
