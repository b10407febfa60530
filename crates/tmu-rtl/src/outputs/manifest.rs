//! `manifest.json`: what was written and what is in it, for programs.
//!
//! What the toolkit knows of the hardware, and beside it what only the generator knows.

use super::{GENERATOR, xdc};
use serde::Serialize;
use tmu_hdl::manifest::Manifest;
use tmu_spec::Config;

/// The whole document.
#[derive(Debug, Serialize)]
struct Document<'a> {
    /// Name and version of the generator.
    generator: &'static str,
    /// SHA-256 of the canonical configuration.
    configuration_sha256: String,
    /// Names of all files beside this one.
    files: Vec<String>,
    clocks: Vec<Clock>,
    #[serde(flatten)]
    hardware: &'a Manifest,
}

#[derive(Debug, Serialize)]
struct Clock {
    port: &'static str,
    mhz: u32,
}

/// Prints the manifest of a configuration's hardware.
pub(super) fn manifest(config: &Config, hardware: &Manifest, files: Vec<String>) -> String {
    let document = Document {
        generator: GENERATOR,
        configuration_sha256: config.hash(),
        files,
        clocks: xdc::clocks(config).into_iter().map(|(port, mhz)| Clock { port, mhz }).collect(),
        hardware,
    };
    let text = serde_json::to_string_pretty(&document);
    text.unwrap_or_else(|error| unreachable!("names and numbers are JSON: {error}")) + "\n"
}
