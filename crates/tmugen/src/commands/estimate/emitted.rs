//! What is synthesised or routed: hardware of a configuration, or of a folder that `generate` has written.

use crate::hardware::hardware;
use crate::problem::{Failure, Rule};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use tmu_rtl::outputs::{Hardware, OutputFile};
use tmu_spec::Config;
use tmu_verilate::{ModelSource, Port, SourceFile};

/// The longest file that is read, in bytes. The Verilog of four units has under one million.
const MAX_TEXT_BYTES: u64 = 256 << 20;

/// The list of the files in a folder that was emitted.
pub(super) const MANIFEST: &str = "manifest.json";

/// What is to be synthesised: Verilog with its memory files, the top's name, and modules below it with how often each stands.
pub(in crate::commands) struct Emitted {
    pub(in crate::commands) source: ModelSource,
    pub(in crate::commands) modules: Vec<(String, u64)>,
    /// The ports of every module, as the manifest has them.
    interfaces: BTreeMap<String, Vec<ListedPort>>,
}

/// A port in a manifest.
#[derive(Debug, Clone, Deserialize)]
struct ListedPort {
    name: String,
    direction: String,
    width_bits: u32,
    clock: Option<String>,
}

/// The ports of a module, and the clock of each that has one.
pub(super) struct Interface {
    pub(super) ports: Vec<Port>,
    pub(super) clock_of: BTreeMap<String, String>,
}

impl Emitted {
    pub(in crate::commands) fn new(hardware: &Hardware) -> Self {
        let manifest = hardware.manifest();
        let listed = |port: &tmu_hdl::manifest::Port| ListedPort {
            name: port.name.clone(),
            direction: port.direction.to_owned(),
            width_bits: port.width_bits as u32,
            clock: port.clock.clone(),
        };
        let of = |name: &str, ports: &[tmu_hdl::manifest::Port]| {
            (name.to_owned(), ports.iter().map(listed).collect::<Vec<_>>())
        };
        let mut interfaces: BTreeMap<_, _> =
            manifest.modules.iter().map(|module| of(&module.name, &module.ports)).collect();
        interfaces.extend([of(&manifest.top, &manifest.ports)]);
        let modules = manifest.modules.iter();
        let modules = modules.map(|module| (module.name.clone(), module.instances as u64)).collect();
        Self { source: source(hardware.top(), hardware.verilog_files()), modules, interfaces }
    }

    /// The ports of the module that is the top now.
    pub(super) fn interface(&self) -> Result<Interface, Failure> {
        let Some(listed) = self.interfaces.get(&self.source.top) else {
            let message = format!("there is no module {}", self.source.top);
            return Err(Failure::new(Rule::Synthesis, message, "manifest.json lists all modules"));
        };
        let is_clock = |name: &str| listed.iter().any(|port| port.clock.as_deref() == Some(name));
        let port = |port: &ListedPort| match port.direction.as_str() {
            "out" => Port::output(&port.name, port.width_bits),
            _ if is_clock(&port.name) => Port::clock(&port.name),
            _ => Port::input(&port.name, port.width_bits),
        };
        let clock_of = listed.iter().filter_map(|port| Some((port.name.clone(), port.clock.clone()?)));
        Ok(Interface { ports: listed.iter().map(port).collect(), clock_of: clock_of.collect() })
    }

    /// The module of this name, with or without the top's before it; as it is given if there is none.
    pub(super) fn module_named(&self, name: &str) -> String {
        let full = format!("{}_{name}", self.source.top);
        if self.modules.iter().any(|(known, _)| *known == full) { full } else { name.to_owned() }
    }
}

/// The hardware of a configuration.
pub(in crate::commands) fn emitted(config: &Config) -> Result<Emitted, Failure> {
    Ok(Emitted::new(&hardware(config)?))
}

fn source(top: &str, files: Vec<OutputFile>) -> ModelSource {
    let files = files.into_iter().map(|file| SourceFile::new(file.name, file.text)).collect();
    ModelSource { top: top.to_owned(), files, ports: Vec::new() }
}

pub(super) fn read_text(path: &Path) -> Result<String, Failure> {
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
    interfaces: BTreeMap<String, Vec<ListedPort>>,
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
    // Folders of earlier versions may lack ports, which nothing but --route looks at.
    let ports = |of: &serde_json::Value| Vec::<ListedPort>::deserialize(&of["ports"]).unwrap_or_default();
    let below = manifest["modules"].as_array().into_iter().flatten();
    let below = below.filter_map(|module| Some((module["name"].as_str()?.to_owned(), ports(module))));
    let interfaces = below.chain([(top.clone(), ports(&manifest))]).collect();
    Ok(Listed { top, names: names.collect(), modules: modules.collect(), interfaces })
}

/// The files that a folder's manifest lists.
pub(super) fn read(folder: &Path) -> Result<Emitted, Failure> {
    let path = folder.join(MANIFEST);
    let Listed { top, names, modules, interfaces } = parse_manifest(&read_text(&path)?, &path)?;
    let read = |name: String| Ok(OutputFile { text: read_text(&folder.join(&name))?, name });
    let files = names.into_iter().map(read).collect::<Result<Vec<_>, Failure>>()?;
    Ok(Emitted { source: source(&top, files), modules, interfaces })
}

/// The names that a manifest gives to its top module and files.
pub(crate) fn listed(text: &str, path: &Path) -> Result<Vec<String>, Failure> {
    let Listed { top, names, modules, .. } = parse_manifest(text, path)?;
    let modules = modules.into_iter().map(|(name, _)| name);
    Ok(std::iter::once(top).chain(names).chain(modules).collect())
}
