//! `manifest.json`: what was written and what is in it, for programs.

use super::crossings::{Crossing, instance_path};
use super::{GENERATOR, TopPort, xdc};
use serde::Serialize;
use tmu_hdl::design::Design;
use tmu_hdl::primitive::{Resource, ResourceKind};
use tmu_hdl::verilog::Modules;
use tmu_spec::Config;

/// The whole document.
#[derive(Debug, Serialize)]
pub(super) struct Manifest<'a> {
    /// Name and version of the generator.
    generator: &'static str,
    /// Name of the top module.
    top: &'a str,
    /// SHA-256 of the canonical configuration.
    configuration_sha256: String,
    /// Names of all files beside this one.
    files: Vec<String>,
    clocks: Vec<Clock>,
    ports: Vec<Port>,
    /// Blocks that declare their timing, by rising path.
    latencies: Vec<Latency>,
    rams: Vec<Ram<'a>>,
    multipliers: Multipliers<'a>,
    crossings: &'a [Crossing],
}

#[derive(Debug, Serialize)]
struct Clock {
    port: &'static str,
    mhz: u32,
}

#[derive(Debug, Serialize)]
struct Port {
    name: String,
    direction: &'static str,
    width_bits: u32,
}

#[derive(Debug, Serialize)]
struct Latency {
    instance: String,
    module: String,
    latency_clocks: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    initiation_interval_clocks: Option<u32>,
}

#[derive(Debug, Serialize)]
struct Ram<'a> {
    instance: String,
    #[serde(flatten)]
    resource: &'a Resource,
}

#[derive(Debug, Serialize)]
struct Multipliers<'a> {
    count: usize,
    instances: Vec<Ram<'a>>,
}

/// Prints the manifest of a design.
pub(super) fn manifest(
    config: &Config,
    design: &Design,
    modules: &Modules,
    crossings: &[Crossing],
    ports: impl Iterator<Item = TopPort>,
    files: Vec<String>,
) -> String {
    let (multipliers, rams): (Vec<_>, Vec<_>) =
        resources(design, modules).partition(|ram| ram.resource.kind == ResourceKind::Multiplier);
    let manifest = Manifest {
        generator: GENERATOR,
        top: config.name(),
        configuration_sha256: config.hash(),
        files,
        clocks: xdc::clocks(config).into_iter().map(|(port, mhz)| Clock { port, mhz }).collect(),
        ports: ports.map(port).collect(),
        latencies: latencies(design, modules),
        rams,
        multipliers: Multipliers { count: multipliers.len(), instances: multipliers },
        crossings,
    };
    let text = serde_json::to_string_pretty(&manifest);
    text.unwrap_or_else(|error| unreachable!("names and numbers are JSON: {error}")) + "\n"
}

fn port(port: TopPort) -> Port {
    let direction = if port.is_input { "in" } else { "out" };
    Port { name: port.name, direction, width_bits: port.width_bits }
}

fn resources<'a>(design: &'a Design, modules: &'a Modules) -> impl Iterator<Item = Ram<'a>> {
    design.blocks.iter().enumerate().filter_map(|(index, block)| {
        let resource = block.body.primitive.as_ref()?.resource.as_ref()?;
        Some(Ram { instance: instance_path(design, modules, index), resource })
    })
}

/// Timing of the blocks that are no primitives.
fn latencies(design: &Design, modules: &Modules) -> Vec<Latency> {
    let kernels = design.blocks.iter().enumerate().filter(|(_, block)| block.body.primitive.is_none());
    kernels
        .filter_map(|(index, block)| {
            Some(Latency {
                instance: instance_path(design, modules, index),
                module: modules.module_of.get(&index)?.clone(),
                latency_clocks: block.body.latency_clocks?,
                initiation_interval_clocks: block.body.initiation_interval_clocks,
            })
        })
        .collect()
}
