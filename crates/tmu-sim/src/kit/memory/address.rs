//! Address channels, and the rules for what stands on them.

use crate::kit::error::Violation;
use tmu_rtl::reads_in_flight;
use tmu_spec::{Config, LINE_BYTES};

/// The name of the port in messages.
pub(super) const INTERFACE: &str = "m_axi";

/// A transfer of an address channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Address {
    /// `arid` or `awid`, and so on.
    pub id: u32,
    /// `araddr`.
    pub address: u64,
    /// `arlen`: beats less one.
    pub len: u8,
    /// `arsize`: log2 of the bytes of a beat.
    pub size: u8,
    /// `arburst`: 1 is INCR.
    pub burst: u8,
    /// `arcache`, `arprot` and `arqos`.
    pub attributes: [u8; 3],
}

impl Address {
    /// Beats that it asks for.
    #[must_use]
    pub const fn beats(&self) -> u32 {
        self.len as u32 + 1
    }
}

/// What the manager was built to keep to, beyond what AXI asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PortRules {
    attributes: [u8; 3],
    /// Of each channel.
    reads_in_flight: Vec<u32>,
    channel_mask: u32,
    pub(super) read_channels: u32,
}

impl PortRules {
    pub(super) fn new(config: &Config) -> Self {
        let axi = config.axi();
        Self {
            attributes: [axi.arcache() as u8, axi.arprot() as u8, axi.arqos() as u8],
            reads_in_flight: reads_in_flight(config),
            channel_mask: (1 << axi.unit_id_bits()) - 1,
            read_channels: config.channels().reads,
        }
    }

    /// The channel for reads that an ID belongs to.
    pub(super) const fn channel_of(&self, id: u32) -> usize {
        (id & self.channel_mask) as usize
    }

    /// Most reads that the channel of an ID may have in flight with it.
    pub(super) fn reads_in_flight(&self, id: u32) -> usize {
        self.reads_in_flight.get(self.channel_of(id)).map_or(0, |most| *most as usize)
    }

    /// Checks a transfer of the read or write address channel, `ar` or `aw`.
    pub(super) fn check(&self, channel: &str, address: &Address) -> Result<(), Violation> {
        let bytes = u64::from(address.beats() * LINE_BYTES);
        let rules = [
            (address.size == 4, "size must be 4: beats of 16 bytes"),
            (address.burst == 1, "burst must be 1: INCR"),
            (address.address.is_multiple_of(u64::from(LINE_BYTES)), "addr must be a multiple of 16"),
            (address.address % 4096 + bytes <= 4096, "addr and len must not make a burst cross 4 KiB"),
            (address.attributes == self.attributes, "cache, prot and qos must be those configured"),
        ];
        match rules.iter().find(|(kept, _)| !kept) {
            Some((_, rule)) => {
                Err(Violation::new(INTERFACE, format!("{channel} {address:x?}: {channel}{rule}")))
            }
            None => Ok(()),
        }
    }
}

/// An address channel between two edges: what is shown stays until it is taken.
#[derive(Debug, Default)]
pub(super) struct AddressChannel {
    waiting: Option<Address>,
}

impl AddressChannel {
    /// Forgets what was shown.
    pub(super) const fn clear(&mut self) {
        self.waiting = None;
    }

    /// An edge before which `address` was shown with `ready`. Gives what was taken.
    pub(super) fn clock(
        &mut self,
        channel: &str,
        address: Option<Address>,
        ready: bool,
    ) -> Result<Option<Address>, Violation> {
        match (self.waiting, address) {
            (Some(_), None) => {
                let what = format!("{channel}valid fell before {channel}ready was high");
                return Err(Violation::new(INTERFACE, what));
            }
            (Some(before), Some(now)) if before != now => {
                let what = format!("changed from {before:x?} to {now:x?} while {channel}ready was low");
                return Err(Violation::new(INTERFACE, what));
            }
            _ => {}
        }
        self.waiting = address.filter(|_| !ready);
        Ok(address.filter(|_| ready))
    }
}
