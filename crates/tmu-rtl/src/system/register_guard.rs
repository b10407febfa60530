//! `register_guard`: refuses writes to some registers while an engine is at work.
//!
//! Stands between the control port and an engine's bank. What is refused is answered with an error and changes nothing;
//! everything else passes. `busy` comes from a register that rises after the write that started the engine was answered.
//!
//! Latency 1 clock for what is refused, none for what passes.

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
        let refuses = port.valid.val() && port.is_write.val() && is_guarded && self.busy.val();
        let refused = self.refused.val();
        self.refused.next = refuses && !refused;
        bank.valid.next = port.valid.val() && !refuses && !refused;
        bank.is_write.next = port.is_write.val();
        bank.address.next = address;
        bank.write_data.next = port.write_data.val();
        bank.strobes.next = port.strobes.val();
        port.done.next = bank.done.val() || refused;
        port.failed.next = bank.failed.val() || refused;
        port.read_data.next = bank.read_data.val();
    }
}
