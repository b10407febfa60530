//! What lies between a bus and registers.

use crate::prelude::*;
use rust_hdl_core::direction::Direction;

/// Bits of a register.
pub(super) const DATA_BITS: usize = 32;
/// Bytes of one.
pub(super) const STROBES: usize = 4;

/// What lies between a bus and registers: `Asks` is the direction of an access, `Answers` that of its outcome.
#[derive(Debug, Bundle)]
pub struct RegisterNets<Asks: Direction, Answers: Direction> {
    /// An access is wanted.
    pub valid: Net<Asks>,
    /// High to write, low to read.
    pub is_write: Net<Asks>,
    /// Which register.
    pub address: Net<Asks>,
    /// What to write.
    pub write_data: Net<Asks>,
    /// The bytes of it that are written.
    pub strobes: Net<Asks>,
    /// The access is done in this clock.
    pub done: Net<Answers>,
    /// It could not be done.
    pub failed: Net<Answers>,
    /// What was read.
    pub read_data: Net<Answers>,
}

/// The side of a bus: asks for accesses, one at a time.
///
/// `valid` rises with everything else and stays, all unchanged, until a clock with `done`, in which the answer is taken; then it
/// falls for a clock at least. `address` counts registers.
pub type RegisterRequest = RegisterNets<Out, In>;

/// The side of the registers: does what it is asked, and pulses `done` for one clock.
pub type RegisterPort = RegisterNets<In, Out>;

impl<Asks: Direction, Answers: Direction> RegisterNets<Asks, Answers> {
    /// A port with addresses of so many bits.
    #[track_caller]
    pub fn new(address_bits: usize) -> Self {
        RegisterNets {
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
    /// Connects this port, of a sub-block, to that of the block around it.
    #[track_caller]
    pub fn forward(&self, outer: &RegisterPort) {
        self.valid.drive(outer.valid.val());
        self.is_write.drive(outer.is_write.val());
        self.address.drive(outer.address.val());
        self.write_data.drive(outer.write_data.val());
        self.strobes.drive(outer.strobes.val());
        outer.done.drive(self.done.val());
        outer.failed.drive(self.failed.val());
        outer.read_data.drive(self.read_data.val());
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
