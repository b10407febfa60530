//! The ports of the top module as bus interfaces.
//!
//! Ports are grouped by the prefixes of the emitted interface (`s_axis_req0_tdata`); which clock an interface belongs
//! to comes from the manifest.

use tmu_hdl::manifest::{Manifest, Port};

/// What an interface is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A clock.
    Clock,
    /// An active-low reset, synchronous to its clock.
    Reset,
    /// AXI4-Stream, the core receives.
    StreamIn,
    /// AXI4-Stream, the core sends.
    StreamOut,
    /// An interrupt, active high.
    Interrupt,
    /// The AXI4 manager.
    Memory,
    /// The AXI4-Lite control port.
    Control,
    /// Wishbone B4 with classic cycles, the core answers.
    WishboneSlave,
    /// Wishbone B4 with classic cycles, the core asks.
    WishboneMaster,
}

/// How the names of Wishbone interfaces end; their signals may have blanks, as `dat_i`.
const WISHBONE: [&str; 2] = ["_slave", "_master"];

/// The interface of a port, and its signal.
fn parts(port: &str) -> (&str, &str) {
    let of_wishbone = WISHBONE.iter().find_map(|ending| {
        let end = port.find(&format!("{ending}_"))? + ending.len();
        Some((&port[..end], &port[end + 1..]))
    });
    of_wishbone.or_else(|| port.rsplit_once('_')).unwrap_or((port, ""))
}

/// Some ports that belong together.
#[derive(Debug, Clone)]
pub struct Interface<'a> {
    /// What it is.
    pub kind: Kind,
    /// Its name: the port's of a clock or reset, otherwise what the names of its ports begin with.
    pub name: String,
    /// The clock port that it belongs to; its own name for a clock.
    pub clock: String,
    /// The signals of the interface with their ports, `tdata` or `aclk`.
    pub signals: Vec<(&'a str, &'a Port)>,
}

impl Interface<'_> {
    /// Width of a signal; 0 if the interface does not have it.
    #[must_use]
    pub fn width_bits(&self, signal: &str) -> usize {
        self.signals.iter().find(|(name, _)| *name == signal).map_or(0, |(_, port)| port.width_bits)
    }
}

/// The kind of the interface that a port belongs to.
fn kind(interface: &str, signal: &str) -> Kind {
    match (interface, signal) {
        (_, "aclk") => Kind::Clock,
        (_, "aresetn") => Kind::Reset,
        (_, "interrupt") => Kind::Interrupt,
        ("m_axi", _) => Kind::Memory,
        ("s_axil", _) => Kind::Control,
        _ if interface.ends_with("_slave") => Kind::WishboneSlave,
        _ if interface.ends_with("_master") => Kind::WishboneMaster,
        _ if interface.starts_with("s_axis") => Kind::StreamIn,
        _ => Kind::StreamOut,
    }
}

/// All interfaces of a core, in the order of their first ports.
#[must_use]
pub fn interfaces(manifest: &Manifest) -> Vec<Interface<'_>> {
    let mut interfaces: Vec<Interface<'_>> = Vec::new();
    for port in &manifest.ports {
        let (prefix, signal) = parts(&port.name);
        let kind = kind(prefix, signal);
        let name =
            if matches!(kind, Kind::Clock | Kind::Reset | Kind::Interrupt) { &port.name } else { prefix };
        let own_clock = (kind == Kind::Clock).then_some(&port.name);
        let clock = port.clock.as_ref().or(own_clock).cloned().unwrap_or_default();
        match interfaces.iter_mut().find(|interface| interface.name == name) {
            Some(interface) => {
                interface.signals.push((signal, port));
                // Ports that no register takes or gives have no clock of their own.
                if interface.clock.is_empty() {
                    interface.clock = clock;
                }
            }
            None => interfaces.push(Interface {
                kind,
                name: name.to_owned(),
                clock,
                signals: vec![(signal, port)],
            }),
        }
    }
    interfaces
}

#[cfg(test)]
mod tests {
    use super::*;
    use tmu_rtl::outputs::Hardware;
    use tmu_spec::Config;

    #[test]
    fn every_port_is_in_one_interface_with_its_clock() {
        let toml = "units = 2\n[clock]\nmemory_mhz = 300\n[axi]\nclock = \"own\"";
        let hardware = Hardware::new(&Config::from_toml(toml).unwrap()).unwrap();
        let manifest = hardware.manifest();
        let interfaces = interfaces(manifest);
        let found: Vec<_> = interfaces.iter().map(|i| (i.name.as_str(), i.kind, i.clock.as_str())).collect();
        let (core, tmu, memory) = ("core_aclk", "tmu_aclk", "m_axi_aclk");
        let expected = [
            (core, Kind::Clock, core),
            ("core_aresetn", Kind::Reset, core),
            (tmu, Kind::Clock, tmu),
            ("tmu_aresetn", Kind::Reset, tmu),
            (memory, Kind::Clock, memory),
            ("m_axi_aresetn", Kind::Reset, memory),
            ("s_axis_req0", Kind::StreamIn, core),
            ("s_axis_req1", Kind::StreamIn, core),
            ("m_axis_res0", Kind::StreamOut, core),
            ("m_axis_res1", Kind::StreamOut, core),
            ("m_axi", Kind::Memory, memory),
            ("s_axil", Kind::Control, core),
        ];
        assert_eq!(found, expected);
        let ports: usize = interfaces.iter().map(|interface| interface.signals.len()).sum();
        assert_eq!(ports, manifest.ports.len());
    }

    #[test]
    fn wishbone_has_interfaces_of_its_own() {
        let toml = "engines = [\"mesh\"]\n[mesh]\nbus = \"wishbone\"";
        let hardware = Hardware::new(&Config::from_toml(toml).unwrap()).unwrap();
        let manifest = hardware.manifest();
        let interfaces = interfaces(manifest);
        for (name, kind, written) in
            [("mesh_slave", Kind::WishboneSlave, "dat_i"), ("mesh_master", Kind::WishboneMaster, "dat_o")]
        {
            let found = interfaces.iter().find(|interface| interface.name == name).expect(name);
            assert_eq!((found.kind, found.width_bits(written), found.width_bits("sel")), (kind, 32, 4));
        }
        assert!(interfaces.iter().all(|interface| !interface.clock.is_empty()));
    }
}
