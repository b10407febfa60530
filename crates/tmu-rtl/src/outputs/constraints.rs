//! Timing constraints for Vivado, made from the crossings in the manifest.
//!
//! Two files: the crossings, which hold wherever the core is placed (read with `SCOPED_TO_REF` set to the top
//! module), and clocks for synthesis out of context, where no one else makes them.

use std::collections::BTreeMap;
use std::fmt::Write;
use tmu_hdl::manifest::{CrossingEntry, Manifest};
use tmu_hdl::primitive::CrossingKind;
use tmu_spec::Config;

/// Clock periods by port, in ns with three decimals, as the configuration states them.
fn periods_ns(config: &Config) -> BTreeMap<String, f64> {
    let clocks = config.clocks();
    let mut periods = BTreeMap::new();
    let mut put = |port: &str, mhz: u32| periods.insert(port.to_owned(), 1000.0 / f64::from(mhz));
    put("core_aclk", clocks.core_mhz());
    put("tmu_aclk", clocks.tmu_mhz());
    if let Some(mhz) = clocks.memory_mhz() {
        put("m_axi_aclk", mhz);
    }
    periods
}

/// Clocks for synthesis out of context.
pub(super) fn clocks(config: &Config, manifest: &Manifest) -> String {
    let periods = periods_ns(config);
    let mut out = String::from(
        "# Clocks for synthesis out of context. In a design they come from outside: leave this file out there.\n",
    );
    for clock in &manifest.clocks {
        if let Some(period) = periods.get(clock) {
            let _ = writeln!(out, "create_clock -name {clock} -period {period:.3} [get_ports {clock}]");
        }
    }
    out
}

/// Every crossing between the clocks.
pub(super) fn crossings(config: &Config, manifest: &Manifest) -> String {
    let periods = periods_ns(config);
    let mut out = format!(
        "# Crossings between the clocks of {top}. Read with SCOPED_TO_REF {top}.\n\
         # The clocks have no relation to each other: each path below is limited to one period of the clock that it\n\
         # comes from, and the bits of a gray pointer to one period of the faster clock between them.\n",
        top = manifest.top
    );
    for crossing in &manifest.crossings {
        let period = |clock: &str| periods.get(clock).copied();
        let to = period(&crossing.to_clock);
        let from = crossing.from_clock.as_deref().and_then(period);
        let (Some(to), Some(from)) = (to, from.or(to)) else { continue };
        out.push('\n');
        write_crossing(&mut out, crossing, from, from.min(to));
    }
    out
}

fn write_crossing(out: &mut String, crossing: &CrossingEntry, limit_ns: f64, skew_ns: f64) {
    let from_clock = crossing.from_clock.as_deref().unwrap_or("any clock");
    let _ = writeln!(
        out,
        "# {}: {} bits from {from_clock} to {}",
        crossing.instance, crossing.width, crossing.to_clock
    );
    let first = format!("[get_cells {{{}_reg*}}]", crossing.first_register);
    let source = match (crossing.kind, &crossing.from_register) {
        (CrossingKind::StableData, _) => format!("[get_cells {{{}/memory_reg*}}]", crossing.instance),
        (_, Some(register)) => format!("[get_cells {{{register}_reg*}}]"),
        (_, None) => {
            let _ = writeln!(out, "set_false_path -to {first}");
            return;
        }
    };
    let _ = writeln!(out, "set_max_delay -datapath_only -from {source} -to {first} {limit_ns:.3}");
    if crossing.kind == CrossingKind::Synchroniser {
        if crossing.width > 1 {
            let _ = writeln!(out, "set_bus_skew -from {source} -to {first} {skew_ns:.3}");
        }
        let _ = writeln!(out, "set_property ASYNC_REG TRUE [get_cells {{{}/stage_*_reg*}}]", crossing.instance);
    }
}
