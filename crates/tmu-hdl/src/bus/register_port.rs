//! What lies between a bus and registers.

use crate::prelude::*;

/// Bits of a register.
pub(super) const DATA_BITS: usize = 32;
/// Bytes of one.
pub(super) const STROBES: usize = 4;

/// The side of a bus: asks for accesses, one at a time.
///
/// `valid` rises with everything else and stays, all unchanged, until a clock with `done`, in which the answer is taken; then it
/// falls for a clock at least. `address` counts registers.
#[derive(Debug, Bundle)]
pub struct RegisterRequest {
    /// An access is wanted.
    pub valid: Net<Out>,
    /// High to write, low to read.
    pub is_write: Net<Out>,
    /// Which register.
    pub address: Net<Out>,
    /// What to write.
    pub write_data: Net<Out>,
    /// The bytes of it that are written.
    pub strobes: Net<Out>,
    /// The access is done in this clock.
    pub done: Net<In>,
    /// It could not be done.
    pub failed: Net<In>,
    /// What was read.
    pub read_data: Net<In>,
}

/// The side of the registers: does what it is asked, and pulses `done` for one clock.
#[derive(Debug, Bundle)]
pub struct RegisterPort {
    /// An access is wanted.
    pub valid: Net<In>,
    /// High to write, low to read.
    pub is_write: Net<In>,
    /// Which register.
    pub address: Net<In>,
    /// What to write.
    pub write_data: Net<In>,
    /// The bytes of it that are written.
    pub strobes: Net<In>,
    /// The access is done in this clock.
    pub done: Net<Out>,
    /// It could not be done.
    pub failed: Net<Out>,
    /// What was read.
    pub read_data: Net<Out>,
}

impl RegisterRequest {
    /// A port with addresses of so many bits.
    #[track_caller]
    pub fn new(address_bits: usize) -> RegisterRequest {
        RegisterRequest {
            valid: Net::bit(),
            is_write: Net::bit(),
            address: Net::new(address_bits),
            write_data: Net::new(DATA_BITS),
            strobes: Net::new(STROBES),
            done: Net::bit(),
            failed: Net::bit(),
            read_data: Net::new(DATA_BITS),
        }
    }
}

impl RegisterPort {
    /// A port with addresses of so many bits.
    #[track_caller]
    pub fn new(address_bits: usize) -> RegisterPort {
        RegisterPort {
            valid: Net::bit(),
            is_write: Net::bit(),
            address: Net::new(address_bits),
            write_data: Net::new(DATA_BITS),
            strobes: Net::new(STROBES),
            done: Net::bit(),
            failed: Net::bit(),
            read_data: Net::new(DATA_BITS),
        }
    }

    /// Connects this port, of a sub-block, to the request of another sub-block.
    #[track_caller]
    pub fn serve(&self, request: &RegisterRequest) {
        self.valid.drive(request.valid.val());
        self.is_write.drive(request.is_write.val());
        self.address.drive(request.address.val());
        self.write_data.drive(request.write_data.val());
        self.strobes.drive(request.strobes.val());
        request.done.drive(self.done.val());
        request.failed.drive(self.failed.val());
        request.read_data.drive(self.read_data.val());
    }
}
