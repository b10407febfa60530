//! What a walk is timed over, and what it has shown.

use crate::kit::pauses::Pauses;
use std::fmt;

/// What a walk has shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    /// Valid pixels a clock of the unit.
    pub samples_per_clock: f64,
    /// Probes a clock: footprints of up to four texels in one level and slice, of which a sample may have many; of indirect look-ups
    /// texels of either texture.
    pub probes_per_clock: f64,
    /// Bytes read a valid pixel.
    pub bytes_per_sample: f64,
}

impl Rate {
    /// Bytes read a clock.
    #[must_use]
    pub fn bytes_per_clock(&self) -> f64 {
        self.samples_per_clock * self.bytes_per_sample
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:.3} samples a clock, {:.3} probes a clock, {:.2} bytes a sample",
            self.samples_per_clock, self.probes_per_clock, self.bytes_per_sample
        )
    }
}

/// The memory that a walk reads.
#[derive(Debug, Clone, Copy)]
pub struct Memory {
    /// Clocks from an address to its data.
    pub latency_clocks: u32,
    /// Bytes that it gives a clock.
    pub bytes_per_clock: u32,
    /// Its pauses.
    pub pauses: Pauses,
}
