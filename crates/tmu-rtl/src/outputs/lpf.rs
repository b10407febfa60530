//! Preferences for Lattice's tools and nextpnr: the frequencies of the clocks.
//!
//! nextpnr relates no two clocks, so that crossings need no preference there. Diamond relates none either unless it is told to;
//! what a crossing may take stands in the manifest.

use super::xdc::clocks;
use tmu_spec::Config;

/// A preference for each clock.
pub(super) fn preferences(config: &Config, header: &str) -> String {
    let line = |(port, mhz): (&str, u32)| format!("FREQUENCY PORT \"{port}\" {mhz} MHZ;\n");
    let about = "# The ports are the core's own: a design that instantiates it names its own nets.\n";
    format!("{header}{about}\n") + &clocks(config).into_iter().map(line).collect::<String>()
}
