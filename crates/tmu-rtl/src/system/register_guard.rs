//! `register_guard`: refuses writes to some registers while an engine is at work.
//!
//! Stands between the control port and an engine's bank. What is refused is answered with an error and changes nothing;
//! everything else passes. `busy` comes from a register that rises after the write that started the engine was answered.
//!
//! Latency 2 clocks for what is refused, 1 for what passes: which register it is, is found out first.

use tmu_hdl::bus::{RegisterPort, RegisterRequest};
use tmu_hdl::prelude::*;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct RegisterGuard {
    /// Clock and reset.
    pub clocks: Clocks,
    /// The control port's side.
    pub port: RegisterPort,
    /// The bank's side.
    pub bank: RegisterRequest,
    /// Writes are refused.
    pub busy: Net<In>,
    /// The register's number has been looked at.
    is_known: Reg,
    is_guarded: Reg,
    refused: Reg,
    _guarded: Vec<u32>,
}

impl RegisterGuard {
    /// In front of a bank with addresses of so many bits, for the registers with these numbers.
    pub fn new(address_bits: usize, guarded: &[u32]) -> RegisterGuard {
        let clocks = Clocks::new();
        RegisterGuard {
            port: RegisterPort::new(address_bits),
            bank: RegisterRequest::new(address_bits),
            busy: Net::bit(),
            is_known: Reg::with_reset(&clocks, 1, 0),
            is_guarded: Reg::new(&clocks, 1),
            refused: Reg::with_reset(&clocks, 1, 0),
            clocks,
            _guarded: guarded.to_vec(),
        }
    }
}

/// Refuses writes to some registers while an engine is at work.
#[kernel]
impl RegisterGuard {
    fn logic(&self) {
        let (port, bank) = (&self.port, &self.bank);
        let address = port.address.val();
        let is_guarded =
            self._guarded.iter().fold(lit(1, 0u32), |any, number| any || address == u64::from(*number));
        self.is_guarded.next = is_guarded;
        let (refused, done) = (self.refused.val(), bank.done.val());
        self.is_known.next = port.valid.val() && !done && !refused;
        let asks = port.valid.val() && self.is_known.val() && !refused;
        let refuses = port.is_write.val() && self.is_guarded.val() && self.busy.val();
        self.refused.next = asks && refuses;
        bank.valid.next = asks && !refuses;
        bank.is_write.next = port.is_write.val();
        bank.address.next = address;
        bank.write_data.next = port.write_data.val();
        bank.strobes.next = port.strobes.val();
        port.done.next = done || refused;
        port.failed.next = bank.failed.val() || refused;
        port.read_data.next = bank.read_data.val();
    }
}
