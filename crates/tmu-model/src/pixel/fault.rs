//! How a frame ends that cannot be drawn.

use tmu_spec::pixel::FaultCode;

/// Why a frame has ended before its last tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{code} ({number}): {of} at {address:#x}", number = *code as u8, of = code.address_of())]
pub struct Fault {
    /// What was wrong.
    pub code: FaultCode,
    /// Where; [`FaultCode::address_of`] says whose address it is.
    pub address: u32,
}

impl Fault {
    /// A fault at an address.
    #[must_use]
    pub const fn new(code: FaultCode, address: u32) -> Self {
        Self { code, address }
    }
}
