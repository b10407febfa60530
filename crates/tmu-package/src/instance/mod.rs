//! How the core is instantiated: `NAME_inst.v` and `NAME_inst.vhd`, to be copied from.
//!
//! Both have a signal for each port, interface by interface with its clock, and the instance. Each is a whole file, so
//! that a tool can check it: a module in Verilog, in VHDL a package with the component and an entity. Nothing else
//! reads them: they are in no file set of the IP or of the FuseSoC package.

mod verilog;
mod vhdl;

use crate::header;
use crate::interfaces::{Interface, Kind};
use tmu_rtl::outputs::{Hardware, OutputFile};

/// The templates in both languages.
#[must_use]
pub fn files(hardware: &Hardware) -> Vec<OutputFile> {
    let (config, manifest) = (hardware.config(), hardware.manifest());
    let (name, header) = (config.name(), header(config));
    let file = |extension: &str, text| OutputFile { name: format!("{name}_inst.{extension}"), text };
    vec![file("v", verilog::template(manifest, &header)), file("vhd", vhdl::template(manifest, &header))]
}

/// What stands above the signals of an interface.
fn title(interface: &Interface<'_>) -> String {
    let (name, clock) = (&interface.name, &interface.clock);
    match interface.kind {
        Kind::Clock => "A clock".to_owned(),
        Kind::Reset => format!("Reset, active low, synchronous to {clock}"),
        Kind::Interrupt => format!("Interrupt, active high, on {clock}"),
        Kind::StreamIn => format!("{name}: AXI4-Stream into the core, on {clock}"),
        Kind::StreamOut => format!("{name}: AXI4-Stream out of the core, on {clock}"),
        Kind::Memory => format!("{name}: AXI4 to memory, the core is the manager, on {clock}"),
        Kind::Control => format!("{name}: AXI4-Lite for the registers, on {clock}"),
        Kind::WishboneSlave => format!("{name}: Wishbone, the core answers, on {clock}"),
        Kind::WishboneMaster => format!("{name}: Wishbone, the core asks, on {clock}"),
    }
}
