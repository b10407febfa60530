//! What memory holds, behind a few methods.

use std::fmt::Debug;
use tmu_spec::LINE_BYTES;

/// Bytes of a line, which is a transfer.
pub type Line = [u8; LINE_BYTES as usize];

/// How an access fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fault {
    /// SLVERR.
    Subordinate,
    /// DECERR.
    Decode,
}

impl Fault {
    /// The value of `rresp` or `bresp`.
    #[must_use]
    pub const fn response(self) -> u8 {
        match self {
            Fault::Subordinate => 2,
            Fault::Decode => 3,
        }
    }
}

/// What memory holds. Addresses are those of the bus, multiples of 16.
pub trait Contents: Debug {
    /// The line at an address.
    ///
    /// # Errors
    /// How its read fails.
    fn read(&self, address: u64) -> Result<Line, Fault>;

    /// Writes the bytes of a line whose strobe is set.
    ///
    /// # Errors
    /// How the write fails; nothing is changed then.
    fn write(&mut self, address: u64, data: &Line, strobes: u16) -> Result<(), Fault>;
}
