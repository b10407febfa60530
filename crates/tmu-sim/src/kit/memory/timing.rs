//! How quickly memory answers.

use crate::kit::pauses::Pauses;

/// How the memory behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryTiming {
    /// Clocks of the port from an address to its first data, or from the last data to the response, at least 1.
    pub latency_clocks: u32,
    /// Up to this many clocks more, drawn for each access.
    pub latency_spread_clocks: u32,
    /// Bytes that the port gives in a clock, 1 to 16.
    pub bytes_per_clock: u32,
    /// Reads of different IDs overtake each other, and their beats mix.
    pub reorder: bool,
    /// Pauses of every signal that memory drives.
    pub pauses: Pauses,
}

impl MemoryTiming {
    /// A memory that gives 16 bytes a clock in order.
    #[must_use]
    pub const fn latency(latency_clocks: u32) -> Self {
        let pauses = Pauses::NONE;
        Self { latency_clocks, latency_spread_clocks: 0, bytes_per_clock: 16, reorder: false, pauses }
    }
}
