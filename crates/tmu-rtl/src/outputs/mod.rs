//! Everything that is written for a configuration.
//!
//! [`Hardware::new`] elaborates a configuration and checks the design; [`Hardware::files`] prints it. Both are
//! pure functions of the configuration: no dates, no paths, no counters.

mod constraints;
mod register_map;

use crate::top::Top;
use tmu_hdl::design::{Design, NetKind};
use tmu_hdl::diagnostic::Diagnostics;
use serde::Serialize;
use tmu_hdl::elaborate::elaborate;
use tmu_hdl::manifest::{Manifest, manifest};
use tmu_hdl::verilog::{Header, Modules, emit};
use tmu_spec::Config;

/// Name and version of the generator, as headers show it.
pub const GENERATOR: &str = concat!("tmugen ", env!("CARGO_PKG_VERSION"));

/// A file to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputFile {
    /// Its name, without a directory.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// A port of the top module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TopPort {
    /// Its name.
    pub name: String,
    /// Its width in bits.
    pub width_bits: u32,
    /// Whether it is an input.
    pub is_input: bool,
}

impl TopPort {
    /// Whether its edges clock registers.
    #[must_use]
    pub fn is_clock(&self) -> bool {
        self.is_input && self.name.ends_with("_aclk")
    }
}

/// The elaborated and checked hardware of a configuration.
#[derive(Debug, Clone)]
pub struct Hardware {
    config: Config,
    design: Design,
    modules: Modules,
}

impl Hardware {
    /// Elaborates a configuration.
    ///
    /// # Errors
    /// What the design checks found. A legal configuration has none: tests elaborate every setting at its ends.
    pub fn new(config: &Config) -> Result<Self, Diagnostics> {
        let design = elaborate(config.name(), &Top::new(config))?;
        let modules = emit(&design);
        Ok(Self { config: config.clone(), design, modules })
    }

    /// The configuration.
    #[must_use]
    pub const fn config(&self) -> &Config {
        &self.config
    }

    /// Name of the top module.
    #[must_use]
    pub fn top(&self) -> &str {
        self.config.name()
    }

    /// Ports of the top module, in the order of their declaration.
    pub fn ports(&self) -> impl Iterator<Item = TopPort> {
        self.design.blocks[0].nets.iter().filter(|net| net.is_port()).map(|net| TopPort {
            name: net.name.clone(),
            width_bits: net.width as u32,
            is_input: net.kind == NetKind::Input,
        })
    }

    /// What was built, for machines: modules, ports, memories, multipliers, crossings, latencies.
    #[must_use]
    pub fn manifest(&self) -> Manifest {
        manifest(&self.design, &self.modules)
    }

    /// Every file of an output directory, by rising name.
    #[must_use]
    pub fn files(&self) -> Vec<OutputFile> {
        let manifest = self.manifest();
        let (config, top) = (&self.config, self.top());
        let mut files = self.verilog_files();
        let mut put = |name: String, text: String| files.push(OutputFile { name, text });
        put(format!("{top}.xdc"), constraints::crossings(config, &manifest));
        put(format!("{top}_clocks_out_of_context.xdc"), constraints::clocks(config, &manifest));
        put(format!("{top}.toml"), config.canonical_toml().to_owned());
        put("manifest.json".to_owned(), manifest_json(config, &manifest));
        if config.control().port() {
            put("registers.md".to_owned(), register_map::markdown(config));
            put("registers.h".to_owned(), register_map::c_header(config));
            put("registers.xml".to_owned(), register_map::ip_xact(config));
        }
        files.sort_by(|a, b| a.name.cmp(&b.name));
        files
    }

    /// The Verilog, and the files that it reads.
    #[must_use]
    pub fn verilog_files(&self) -> Vec<OutputFile> {
        let header =
            Header { generator: GENERATOR.to_owned(), configuration: self.config.short_hash() };
        let verilog = OutputFile { name: format!("{}.v", self.top()), text: self.modules.to_file(&header) };
        let memory = self.modules.memory_files.iter();
        let memory = memory.map(|(name, text)| OutputFile { name: name.clone(), text: text.clone() });
        [verilog].into_iter().chain(memory).collect()
    }
}

/// The manifest with the generator's version and the configuration's hash in front.
fn manifest_json(config: &Config, manifest: &Manifest) -> String {
    #[derive(Serialize)]
    struct Document<'a> {
        generator: &'a str,
        configuration: String,
        #[serde(flatten)]
        manifest: &'a Manifest,
    }
    let document = Document { generator: GENERATOR, configuration: config.short_hash(), manifest };
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}
