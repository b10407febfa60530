//! Scripts for Vivado, from templates that name what differs between cores in `@…@`.

use crate::filled;
use crate::interfaces::{Kind, interfaces};
use std::fmt::Write as _;
use tmu_hdl::manifest::Manifest;
use tmu_spec::Config;

const SYNTHESIS: &str = include_str!("synthesis.tcl");
const EXAMPLE: &str = include_str!("example.tcl");

/// Units that the example design connects: each takes a DMA engine, and SmartConnect has 16 ports.
const EXAMPLE_UNITS: u32 = 4;

/// What a beat of requests carries beside its data on the way from a DMA engine: `tuser` and `tlast`.
const SIDE_BITS: usize = 2;

fn script(template: &str, header: &str, config: &Config, values: &[(&str, String)]) -> String {
    format!("# {header}\n{}", filled(&template.replace("@NAME@", config.name()), values))
}

/// Clocks as a Tcl list of names and MHz.
fn clocks(manifest: &Manifest, config: &Config) -> String {
    let mhz = |clock: &str| match clock {
        "core_aclk" => config.clocks().core_mhz(),
        "tmu_aclk" => config.clocks().tmu_mhz(),
        _ => config.clocks().memory_mhz().unwrap_or_default(),
    };
    let clocks = interfaces(manifest).into_iter().filter(|interface| interface.kind == Kind::Clock);
    let clocks = clocks.map(|clock| format!("{} {}", clock.name, mhz(&clock.name)));
    clocks.collect::<Vec<_>>().join(" ")
}

/// Synthesis of the core by itself.
pub(super) fn synthesis(config: &Config, manifest: &Manifest, files: &[&str], header: &str) -> String {
    let of_kind = |extension: &str| {
        let names = files.iter().filter(|name| name.ends_with(extension));
        names.fold(String::new(), |mut text, name| {
            let _ = write!(text, "{}{name}", if text.is_empty() { "" } else { " " });
            text
        })
    };
    let values =
        [("VERILOG", of_kind(".v")), ("MEMORY", of_kind(".mem")), ("CLOCKS", clocks(manifest, config))];
    script(SYNTHESIS, header, config, &values)
}

/// The example design.
pub(super) fn example(config: &Config, manifest: &Manifest, header: &str) -> String {
    let all = interfaces(manifest);
    let of_kind = |kind| all.iter().find(|interface| interface.kind == kind);
    let request_bits = of_kind(Kind::StreamIn).map_or(0, |stream| stream.width_bits("tdata"));
    let values = [
        ("UNITS", config.units().min(EXAMPLE_UNITS).to_string()),
        ("ALL_UNITS", config.units().to_string()),
        ("CLOCKS", clocks(manifest, config)),
        ("MEMORY_CLOCK", of_kind(Kind::Memory).map_or(String::new(), |memory| memory.clock.clone())),
        ("HAS_CONTROL", u8::from(config.control().port()).to_string()),
        ("REQUEST_BITS", request_bits.to_string()),
        ("DMA_BITS", (request_bits + SIDE_BITS).next_power_of_two().to_string()),
    ];
    script(EXAMPLE, header, config, &values)
}
