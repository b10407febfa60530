//! The page in short: clocks, interfaces, rate, what it asks of memory, area.

use super::waves::Measured;
use super::{Findings, element, text};
use crate::interfaces::{Kind, interfaces};
use crate::xml::Element;
use tmu_hdl::manifest::Manifest;
use tmu_hdl::primitive::ResourceKind;
use tmu_spec::Config;
use tmu_spec::config::EngineKind;
use tmu_spec::latency::hidden_latency_clocks;

/// Terms and what is to be said of them.
pub(super) fn summary(
    config: &Config,
    manifest: &Manifest,
    measured: Option<&Measured>,
    findings: &Findings,
) -> Vec<Element> {
    let mut lines = vec![
        ("Engines", engines(config)),
        ("Clocks", clocks(config)),
        ("Interfaces", interface_line(manifest)),
    ];
    if let Some(measured) = measured {
        lines.push(("Rate", rate(config, measured)));
        lines.push(("Memory", memory(config, measured)));
    }
    lines.push(("Area", area(manifest, findings)));
    let pairs = lines.into_iter().flat_map(|(term, words)| [text("dt", term), text("dd", words)]);
    vec![element("dl").children(pairs)]
}

fn engines(config: &Config) -> String {
    let name = |kind: &EngineKind| match kind {
        EngineKind::Sampler if config.units() == 1 => "1 texture unit".to_owned(),
        EngineKind::Sampler => format!("{} texture units", config.units()),
        kind => format!("{kind} ({})", kind.about().trim_end_matches('.')),
    };
    config.engines().iter().map(name).collect::<Vec<_>>().join("; ")
}

fn clocks(config: &Config) -> String {
    let clocks = config.clocks();
    let own = clocks.memory_mhz().map(|mhz| format!("; m_axi_aclk {mhz} MHz: memory"));
    format!(
        "core_aclk {} MHz: streams and registers; tmu_aclk {} MHz: all else{}",
        clocks.core_mhz(),
        clocks.tmu_mhz(),
        own.unwrap_or_default()
    )
}

fn interface_line(manifest: &Manifest) -> String {
    let all = interfaces(manifest);
    let streams = |kind, what: &str| {
        let of_kind: Vec<_> = all.iter().filter(|interface| interface.kind == kind).collect();
        let first = of_kind.first()?;
        let many = if of_kind.len() == 1 { "stream" } else { "streams" };
        Some(format!("{} {what} {many} (AXI4-Stream) of {} bits", of_kind.len(), first.width_bits("tdata")))
    };
    let mut parts: Vec<String> = Vec::new();
    parts.extend(streams(Kind::StreamIn, "request"));
    parts.extend(streams(Kind::StreamOut, "result"));
    for interface in &all {
        match interface.kind {
            Kind::Memory => {
                let is_written = interface.width_bits("wdata") > 0;
                let ways = if is_written { "reads and writes" } else { "reads only" };
                parts.push(format!("an AXI4 memory port of {} bits, {ways}", interface.width_bits("rdata")));
            }
            Kind::Control => parts.push("an AXI4-Lite control port".to_owned()),
            Kind::WishboneSlave => parts.push("a Wishbone slave for registers of an engine".to_owned()),
            Kind::WishboneMaster => parts.push("a Wishbone master".to_owned()),
            _ => {}
        }
    }
    parts.join("; ")
}

/// Millions of samples a second of all units: the unit's own rate, or as many as the streams pass.
fn million_samples(config: &Config, measured: &Measured) -> f64 {
    let clocks = config.clocks();
    let own = measured.samples_per_clock * f64::from(clocks.tmu_mhz());
    let passed = 4.0 * f64::from(clocks.core_mhz()) / f64::from(config.request().beats_per_quad().beats());
    f64::from(config.units()) * own.min(passed)
}

fn rate(config: &Config, measured: &Measured) -> String {
    let of_all = million_samples(config, measured);
    format!(
        "{:.3} samples a clock of tmu_aclk and unit with all texels in the cache, simulated for this page ({}); at the clocks above {of_all:.0} million samples a second in all",
        measured.samples_per_clock, measured.about
    )
}

fn memory(config: &Config, measured: &Measured) -> String {
    let most = million_samples(config, measured) * measured.bytes_per_sample;
    let hidden = hidden_latency_clocks(config)
        .map(|clocks| format!("; a latency of {clocks} clocks is hidden at 1:1"))
        .unwrap_or_default();
    format!(
        "{:.2} bytes a sample were read for the same square with the cache empty at first; at the rate above these are {most:.0} MB a second, the most that 1:1 asks for{hidden}",
        measured.bytes_per_sample
    )
}

fn area(manifest: &Manifest, findings: &Findings) -> String {
    if let Some(area) = &findings.area
        && let Some(total) = area.rows.first()
    {
        let figures = area.header.iter().zip(total).skip(2).map(|(name, figure)| format!("{figure} {name}"));
        return format!("{}, estimated by {}", figures.collect::<Vec<_>>().join(", "), area.source);
    }
    let bits = |kind| {
        let of_kind = manifest.rams.iter().filter(|entry| entry.resource.kind == kind);
        of_kind.map(|entry| entry.resource.depth * entry.resource.width).sum::<usize>()
    };
    let all: usize = manifest.rams.iter().map(|entry| entry.resource.depth * entry.resource.width).sum();
    let in_luts = bits(ResourceKind::DistributedRam);
    format!(
        "{} flip-flops, {} memories with {} Kb ({} Kb of them in LUTs), {} multipliers; --area adds LUTs and depth",
        manifest.register_bits,
        manifest.rams.len(),
        all / 1024,
        in_luts / 1024,
        manifest.multipliers.count
    )
}
